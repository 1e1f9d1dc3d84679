"""Rays from a pinhole camera to bodies on a table: lamps with soft shadows, mirrored lamps, light that passes through.

It shares nothing with the renderer that the networks learn from, which warps painted faces.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.sweeps.solids import Array, Solid, dot

__all__ = ["Camera", "Ground", "Lamp", "Light", "Traced", "trace"]

_STEPS = 40
_SHADOW_STEPS = 16
_TOUCH = 1.2e-3
GROUND = -1
"""The number of the table among what pixels show."""


@dataclass(frozen=True, slots=True)
class Camera:
    """A pinhole camera looking at the middle of the table: pixels `size_wh`, `side_px` pixels a unit there.

    `tilt` is the angle from looking straight down, `roll` turns the picture; radians. `distance` is in units.
    """

    size_wh: tuple[int, int]
    side_px: float
    tilt: float = 0.0
    roll: float = 0.0
    distance: float = 25.0

    @property
    def axes(self) -> NDArray[np.float64]:
        """Rows: right, down and forward in the world."""
        c, s = np.cos(self.tilt), np.sin(self.tilt)
        right, down, forward = np.array([(1.0, 0, 0), (0, -c, -s), (0, s, -c)])
        a, b = np.cos(self.roll), np.sin(self.roll)
        return np.array([a * right + b * down, a * down - b * right, forward])

    @property
    def eye(self) -> NDArray[np.float64]:
        """The pinhole in the world."""
        return np.asarray(-self.distance * self.axes[2])

    def project(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """World points (N, 3) in pixels (N, 2)."""
        seen = (points - self.eye) @ self.axes.T
        middle = np.array(self.size_wh) / 2 - 0.5
        return np.asarray(seen[:, :2] / np.maximum(seen[:, 2:], 1e-3) * self.side_px * self.distance + middle)

    def rays(self, finer: int) -> Array:
        """Unit directions (H, W, 3) through the middles of pixels, `finer` times as many each way."""
        width, height = self.size_wh
        x = (np.arange(width * finer) + 0.5) / finer - width / 2
        y = (np.arange(height * finer) + 0.5) / finer - height / 2
        scale = self.side_px * self.distance
        grid = np.stack([*np.meshgrid(x / scale, y / scale), np.ones((len(y), len(x)))], -1) @ self.axes
        return np.asarray(grid / np.sqrt(np.einsum("...i,...i->...", grid, grid))[..., None], np.float32)

    def on_table(self, pixels: NDArray[np.float64], height: float = 0.0) -> NDArray[np.float64]:
        """The points (N, 3) at this height above the table that are seen at (N, 2) pixels."""
        offset = (pixels - (np.array(self.size_wh) / 2 - 0.5)) / (self.side_px * self.distance)
        rays = np.column_stack([offset, np.ones(len(offset))]) @ self.axes
        return np.asarray(self.eye + rays * ((height - self.eye[2]) / rays[:, 2:]))


@dataclass(frozen=True, slots=True)
class Lamp:
    """A lamp at `place` (units) as bright as `colour` (linear BGR) on a face turned to it; `radius` in units."""

    place: tuple[float, float, float]
    colour: tuple[float, float, float] = (0.7, 0.7, 0.7)
    radius: float = 3.0


@dataclass(frozen=True, slots=True)
class Light:
    """Lamps, the light from all round (linear BGR), and how bright a window is that glossy things mirror."""

    lamps: tuple[Lamp, ...]
    ambient: tuple[float, float, float] = (0.35, 0.35, 0.35)
    window: float = 1.0
    window_at: tuple[float, float] = (0.3, 0.5)
    """Where its middle is: x and y of a mirrored direction of length one."""


@dataclass(frozen=True, slots=True)
class Ground:
    """The table: `albedo` (H, W, 3) linear BGR, `per_unit` pixels a unit, its middle at the origin, y up."""

    albedo: Array
    per_unit: float

    def at(self, points: Array) -> Array:
        """Reflectance (N, 3) at world points (N, 3), as an (H, W, 3) image when points are (H, W, 3)."""
        height, width = self.albedo.shape[:2]
        x = (points[..., 0] * self.per_unit + width / 2).astype(np.float32)
        y = (height / 2 - points[..., 1] * self.per_unit).astype(np.float32)
        if x.ndim == 1:
            n = len(x)
            rows = max(1, -(-n // 1024))
            x, y = (np.pad(a, (0, rows * 1024 - n)).reshape(rows, 1024) for a in (x, y))
            got = cv2.remap(self.albedo, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
            return np.asarray(got, np.float32).reshape(-1, 3)[:n]
        return np.asarray(cv2.remap(self.albedo, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT), np.float32)


@dataclass(frozen=True, slots=True)
class Traced:
    """What the camera gets: `light` (H, W, 3) linear BGR, and the number of the solid at each pixel, or GROUND."""

    light: Array
    shown: NDArray[np.int16]
    facets: NDArray[np.int16] = field(repr=False)


def trace(camera: Camera, ground: Ground, solids: list[Solid], light: Light, finer: int = 2) -> Traced:
    """The light that reaches the camera, from `finer` x `finer` rays a pixel."""
    rays = camera.rays(finer)
    height, width = rays.shape[:2]
    eye = camera.eye.astype(np.float32)
    depth = -eye[2] / np.minimum(rays[..., 2], -0.02)
    shown = np.full((height, width), GROUND, np.int16)
    for number, solid in enumerate(solids):
        area = _area(camera, solid, finer)
        if area is None:
            continue
        bent = rays[area].reshape(-1, 3)
        far = _met(solid, eye, bent, depth[area].ravel())
        hit = (far < depth[area].ravel()).reshape(depth[area].shape)
        depth[area][hit] = far.reshape(hit.shape)[hit]
        shown[area][hit] = number
    image = _lit_ground(camera, ground, solids, light, finer)
    facets = np.full((height, width), -1, np.int16)
    for number, solid in enumerate(solids):
        rows, columns = np.nonzero(shown == number)
        if len(rows):
            seen = rays[rows, columns]
            points = eye + seen * depth[rows, columns, None]
            near = [s for s in solids if s is not solid and _close(s, solid)]
            image[rows, columns], facets[rows, columns] = _shaded(
                solid, points, seen, near, ground, light, 1 / (camera.side_px * finer)
            )
    middle = finer // 2
    small = cv2.resize(image, camera.size_wh, interpolation=cv2.INTER_AREA) if finer > 1 else image
    return Traced(
        np.asarray(small, np.float32), shown[middle::finer, middle::finer], facets[middle::finer, middle::finer]
    )


def _close(one: Solid, other: Solid) -> bool:
    away = np.array(one.centre) - np.array(other.centre)
    return bool(np.hypot(away[0], away[1]) < one.radius + other.radius + 1.5)


def _area(camera: Camera, solid: Solid, finer: int) -> tuple[slice, slice] | None:
    """Rows and columns of the finer picture that may show the solid."""
    steps = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * solid.radius
    return _pixels(camera, np.array(solid.centre) + steps, finer)


def _pixels(camera: Camera, points: NDArray[np.float64], finer: int) -> tuple[slice, slice] | None:
    seen = (camera.project(points) + 0.5) * finer
    x0, y0 = np.floor(seen.min(0)).astype(int)
    x1, y1 = np.ceil(seen.max(0)).astype(int)
    width, height = camera.size_wh[0] * finer, camera.size_wh[1] * finer
    x0, x1, y0, y1 = max(0, x0), min(width, x1), max(0, y0), min(height, y1)
    return (slice(y0, y1), slice(x0, x1)) if x1 > x0 and y1 > y0 else None


def _met(solid: Solid, eye: Array, rays: Array, limit: Array) -> Array:
    """How far (N,) along each ray the solid is met; infinite where it is not, or not before `limit`."""
    start = (eye - np.array(solid.centre, np.float32)) @ solid.axes.astype(np.float32)
    way = rays @ solid.axes.astype(np.float32)
    along = -(way @ start)
    gap = float(start @ start) - along**2
    reach = solid.radius**2 - gap
    alive = np.nonzero(reach > 0)[0]
    far = np.full(len(rays), np.inf, np.float32)
    at = along[alive] - np.sqrt(reach[alive])
    end = np.minimum(along[alive] + np.sqrt(reach[alive]), limit[alive])
    for _ in range(_STEPS):
        if not len(alive):
            break
        step = solid.distance((start + way[alive] * at[:, None]).astype(np.float32))
        done = step < _TOUCH
        far[alive[done]] = at[done]
        at = at + step
        going = ~done & (at < end)
        alive, at, end = alive[going], at[going], end[going]
    return far


def _shadow(solid: Solid, points: Array, lamp: Lamp) -> Array:
    """The share (N,) of a lamp's light that passes the solid: the narrowest miss against the lamp's angular size."""
    lit = np.ones(len(points), np.float32)
    to = np.array(lamp.place, np.float32) - points
    length = np.sqrt(dot(to, to))
    way = np.asarray(to / length[:, None], np.float32)
    middle = np.array(solid.centre, np.float32) - points
    along = dot(middle, way)
    miss = np.sqrt(np.maximum(dot(middle, middle) - along**2, 0))
    spread = lamp.radius / length
    alive = np.nonzero((miss < solid.radius + spread * np.maximum(along, 0) + 0.02) & (along > -solid.radius))[0]
    at = np.maximum(along[alive] - solid.radius - 0.3, 0.02)
    start, way = solid.local(points[alive]), (way @ solid.axes.astype(np.float32)).astype(np.float32)
    end = along[alive] + solid.radius + 0.3
    index = np.arange(len(alive))
    for _ in range(_SHADOW_STEPS):
        if not len(index):
            break
        step = solid.distance((start[index] + way[alive[index]] * at[index, None]).astype(np.float32))
        clear = 0.5 + 0.5 * step / (spread[alive[index]] * at[index])
        lit[alive[index]] = np.minimum(lit[alive[index]], np.clip(clear, 0, 1))
        at[index] += np.maximum(step, 0.04)
        index = index[(at[index] < end[index]) & (clear > 0)]
    return np.asarray(lit * lit * (3 - 2 * lit), np.float32)


def _lit_ground(camera: Camera, ground: Ground, solids: list[Solid], light: Light, finer: int) -> Array:
    """The table's light (H, W, 3); light and shadow are soft, so they are told a pixel, the print on it finer."""
    coarse = camera.rays(1)
    eye = camera.eye.astype(np.float32)
    points = eye + coarse * (-eye[2] / np.minimum(coarse[..., 2], -0.02))[..., None]
    open_sky = np.ones(points.shape[:2], np.float32)
    for solid in solids:
        x, y, _ = solid.centre
        square = np.array([(x + a, y + b, 0) for a in (-1, 1) for b in (-1, 1)]) * 1.0
        square[:, :2] += np.sign(square[:, :2] - (x, y)) * (solid.radius + 0.4)
        area = _pixels(camera, square, 1)
        if area is not None:
            near = np.maximum(solid.distance(solid.local(points[area].reshape(-1, 3))), 0)
            open_sky[area] *= (1 - 0.55 * np.exp(-near / 0.22)).reshape(open_sky[area].shape)
    total = open_sky[..., None] * np.array(light.ambient, np.float32)
    for lamp in light.lamps:
        to = np.array(lamp.place, np.float32) - points
        cosine = to[..., 2] / np.sqrt(np.square(to).sum(-1))
        lit = np.ones(points.shape[:2], np.float32)
        for solid in solids:
            area = _pixels(camera, _shade_reach(solid, lamp), 1)
            if area is not None:
                lit[area] *= _shadow(solid, points[area].reshape(-1, 3), lamp).reshape(lit[area].shape)
        total += (cosine * lit)[..., None] * np.array(lamp.colour, np.float32)
    if finer > 1:
        rays = camera.rays(finer)
        points = eye + rays * (-eye[2] / np.minimum(rays[..., 2], -0.02))[..., None]
        total = np.asarray(cv2.resize(total, points.shape[1::-1], interpolation=cv2.INTER_LINEAR), np.float32)
    return np.asarray(ground.at(points) * total, np.float32)


def _shade_reach(solid: Solid, lamp: Lamp) -> NDArray[np.float64]:
    """Corners of a piece of the table on which the solid's shadow lies."""
    centre, place = np.array(solid.centre), np.array(lamp.place)
    way = centre - place
    ends = [centre, centre + way * (centre[2] + solid.radius) / max(place[2] - centre[2] - solid.radius, 0.5)]
    reach = solid.radius * 1.25 + 0.35 * lamp.radius * centre[2] / max(place[2], 1)
    return np.array([(e[0] + a * reach, e[1] + b * reach, 0) for e in ends for a in (-1, 1) for b in (-1, 1)])


def _shaded(
    solid: Solid, points: Array, rays: Array, near: list[Solid], ground: Ground, light: Light, pixel: float
) -> tuple[Array, NDArray[np.int16]]:
    """Light (N, 3) from points (N, 3) of a solid's surface against rays (N, 3), and the facets (N,) there."""
    local = solid.local(points)
    normals = solid.normals(local)
    body = np.broadcast_to(np.array(solid.material.body, np.float32), local.shape).copy()
    facets = np.full(len(local), -1, np.int16)
    if solid.facets is not None:
        at = solid.facets.at(local)
        facets = at.astype(np.int16)
        for number, marks in enumerate(solid.facets.marks):
            here = np.nonzero(at == number)[0]
            if not len(here) or not marks:
                continue
            axes = np.stack([solid.facets.rights[number], solid.facets.ups[number]])
            uv = local[here] @ axes.T
            for mark in marks:
                body[here], slope = mark.applied(uv, body[here], pixel)
                normals[here] += slope @ axes
        normals /= np.sqrt(dot(normals, normals))[:, None]
    if solid.material.translucent:
        body = _through(solid, local, rays, ground, body)
    normals = (normals @ solid.axes.T.astype(np.float32)).astype(np.float32)
    sky = 0.55 + 0.45 * normals[:, 2]
    for other in near:
        sky = sky * (1 - 0.5 * np.exp(-np.maximum(other.distance(other.local(points)), 0) / 0.25))
    total = body * (sky[:, None] * np.array(light.ambient, np.float32))
    # What the table throws back up lights the lower sides.
    total += body * (0.25 * (1 - normals[:, 2])[:, None] * ground.at(points) * np.array(light.ambient, np.float32))
    fresnel = 0.04 + 0.96 * np.clip(1 + dot(normals, rays), 0, 1) ** 5
    for lamp in light.lamps:
        to = np.array(lamp.place, np.float32) - points
        to /= np.sqrt(dot(to, to))[:, None]
        lit = np.clip(dot(normals, to), 0, 1)
        for other in near:
            lit = lit * _shadow(other, points, lamp)
        half = to - rays
        half /= np.sqrt(dot(half, half))[:, None]
        shine = np.clip(dot(half, normals), 0, 1) ** solid.material.shininess
        mirrored = solid.material.gloss * shine * (lit > 0) * 2.2
        total += (body * lit[:, None] + mirrored[:, None]) * np.array(lamp.colour, np.float32)
    bounced = rays - 2 * dot(normals, rays)[:, None] * normals
    total += (solid.material.gloss * (_surroundings(bounced, light) * (fresnel + 0.06)))[:, None]
    return np.asarray(total, np.float32), facets


def _surroundings(way: Array, light: Light) -> Array:
    """Brightness (N,) seen in directions (N, 3): a dim room below a light ceiling with one window in four panes."""
    x, y = way[:, 0] - light.window_at[0], way[:, 1] - light.window_at[1]
    up = np.clip(way[:, 2], 0, 1)
    pane = np.clip((0.16 - np.maximum(np.abs(x), np.abs(y))) / 0.02, 0, 1) * (np.minimum(np.abs(x), np.abs(y)) > 0.012)
    return np.asarray(0.15 + 0.45 * up + 14 * light.window * pane * (up > 0), np.float32)


def _through(solid: Solid, local: Array, rays: Array, ground: Ground, body: Array) -> Array:
    """Colours (N, 3) of a body through which far pips and the table show."""
    way = rays @ solid.axes.astype(np.float32)
    inward = way + 0.55 * (local / -np.maximum(np.abs(local).max(1, keepdims=True), 1e-6)) * 0.5
    inward /= np.sqrt(dot(inward, inward))[:, None]
    half = np.array(solid.half, np.float32)
    slope = np.where(np.abs(inward) < 1e-4, np.float32(1e-4), inward)
    far = ((np.sign(slope) * half - local) / slope).min(1)
    out = local + inward * np.maximum(far, 0)[:, None]
    behind = np.ones_like(body) * np.array(solid.material.body, np.float32)
    if solid.facets is not None:
        at = solid.facets.at(out)
        for number, marks in enumerate(solid.facets.marks):
            here = np.nonzero(at == number)[0]
            axes = np.stack([solid.facets.rights[number], solid.facets.ups[number]])
            for mark in marks:
                behind[here], _ = mark.applied(out[here] @ axes.T, behind[here], 0.06)
    world = solid.world(out.astype(np.float64)).astype(np.float32)
    seen = behind * (0.35 + 0.65 * ground.at(world)) * 1.1
    # Pips of the near side are not to be lost: only the clear body lets light through.
    clear = 1 - np.clip(np.abs(body - np.array(solid.material.body, np.float32)).max(1) * 4, 0, 1)
    share = (solid.material.translucent * clear)[:, None]
    return np.asarray(body * (1 - share) + seen * share, np.float32)
