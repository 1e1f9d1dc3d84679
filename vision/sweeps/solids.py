"""Bodies that rays can meet: signed distances, and what is marked on their facets. One unit is the side of a die."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

__all__ = [
    "Array",
    "Facets",
    "Material",
    "Pips",
    "Solid",
    "Tile",
    "box",
    "capsules",
    "cylinder",
    "dot",
    "ellipsoid",
    "turned",
]

Array = NDArray[np.float32]


def dot(a: Array, b: Array) -> Array:
    """Scalar products (N,) of the rows of two (N, 3) arrays."""
    return np.asarray(np.einsum("ij,ij->i", a, b), np.float32)


Distance = Callable[[Array], Array]
"""Points (N, 3) to signed distances (N,), never more than the true ones."""


@dataclass(frozen=True, slots=True)
class Material:
    """How a body takes the light: `body` is linear BGR reflectance (0..1).

    `gloss` (0..1) is the strength of mirrored lamps and surroundings, `shininess` their sharpness (Blinn's exponent),
    `translucent` (0..1) the share of light that passes through.
    """

    body: tuple[float, float, float]
    gloss: float = 0.3
    shininess: float = 120.0
    translucent: float = 0.0


@dataclass(frozen=True, slots=True)
class Pips:
    """Round dimples on a facet: `places` (N, 2) in facet coordinates, `radii` (N,), linear BGR `ink`s (N, 3)."""

    places: Array
    radii: Array
    inks: Array
    depth: float = 0.35
    """Slope of the wall at the rim; 0 is painted."""

    def applied(self, uv: Array, body: Array, blur: float) -> tuple[Array, Array]:
        """Colours (N, 3) at (N, 2) places on a body of these colours, and the slopes (N, 2) of the surface."""
        slope = np.zeros_like(uv)
        for place, radius, ink in zip(self.places, self.radii, self.inks, strict=True):
            away = uv - place
            far = np.sqrt(dot(away, away))
            inside = np.clip((radius - far) / blur + 0.5, 0, 1)[:, None]
            body = body * (1 - inside) + ink * inside
            # Light does not reach the bottom of a hole as it does the face; a spherical dimple is steepest at its rim.
            slope -= inside * away / radius * self.depth
        return body, slope


@dataclass(frozen=True, slots=True)
class Tile:
    """A drawing on a facet: `mask` (H, W) 0..1 over a square of `width` units, u to the right and v up."""

    mask: Array
    width: float
    ink: tuple[float, float, float]
    depth: float = 0.0
    """How strongly the edges of the drawing are raised (more than 0) or sunk (less)."""

    def applied(self, uv: Array, body: Array, blur: float) -> tuple[Array, Array]:
        """As `Pips.applied`."""
        height, width = self.mask.shape
        x = (uv[:, 0] / self.width + 0.5) * width - 0.5
        y = (0.5 - uv[:, 1] / self.width) * height - 0.5
        sigma = max(0.6, 0.4 * blur / self.width * width)
        smooth = np.asarray(cv2.GaussianBlur(self.mask, (0, 0), sigma), np.float32)
        inside = _sampled(smooth, x, y)[:, None]
        slope = np.zeros_like(uv)
        if self.depth:
            dx, dy = (
                np.asarray(cv2.Sobel(smooth, cv2.CV_32F, *way, scale=1 / 8), np.float32) for way in ((1, 0), (0, 1))
            )
            slope = -self.depth * np.stack([_sampled(dx, x, y), -_sampled(dy, x, y)], 1) * width / 8
        return body * (1 - inside) + np.array(self.ink, np.float32) * inside, slope.astype(np.float32)


def _sampled(image: Array, x: Array, y: Array) -> Array:
    """Values of an (H, W) image at (N,) places, 0 outside; in rows, as OpenCV takes no more than 32,767 in one."""
    n = len(x)
    columns = 1024
    rows = max(1, -(-n // columns))
    fill = rows * columns - n
    across, down = (np.pad(a.astype(np.float32), (0, fill)).reshape(rows, columns) for a in (x, y))
    return np.asarray(cv2.remap(image, across, down, cv2.INTER_LINEAR), np.float32).ravel()[:n]


@dataclass(frozen=True, slots=True)
class Facets:
    """The flat sides of a body: outward `normals` (F, 3), directions `rights` and `ups` (F, 3) on them, distances
    `offsets` (F,) from the middle, and what is marked on each."""

    normals: Array
    rights: Array
    ups: Array
    offsets: Array
    marks: tuple[tuple[Pips | Tile, ...], ...]

    @classmethod
    def of(
        cls, normals: NDArray[np.float64], ups: NDArray[np.float64], offset: float, marks: list[list[Pips | Tile]]
    ) -> Facets:
        """Facets with these normals (F, 3) at one distance; `ups` (F, 3) need only roughly point up on them."""
        n = normals / np.linalg.norm(normals, axis=1, keepdims=True)
        rights = np.cross(ups, n)
        rights /= np.linalg.norm(rights, axis=1, keepdims=True)
        v = np.cross(n, rights)
        n32, right32, up32 = (a.astype(np.float32) for a in (n, rights, v))
        return cls(n32, right32, up32, np.full(len(n), offset, np.float32), tuple(tuple(each) for each in marks))

    def at(self, points: Array) -> NDArray[np.int64]:
        """The facet (N,) on which each of the (N, 3) points of the surface lies."""
        return np.asarray((points @ self.normals.T - self.offsets).argmax(1), np.int64)


@dataclass(frozen=True, slots=True)
class Solid:
    """A body in the world: `distance` in its own coordinates, whose axes are the columns of `axes`, from `centre`."""

    distance: Distance
    radius: float
    centre: tuple[float, float, float]
    axes: NDArray[np.float64]
    material: Material
    facets: Facets | None = None
    half: tuple[float, float, float] = field(default=(0.5, 0.5, 0.5))
    """Half the extent along the own axes, for light that passes through."""

    def local(self, points: Array) -> Array:
        """World points (N, 3) in own coordinates."""
        return ((points - np.array(self.centre, np.float32)) @ self.axes.astype(np.float32)).astype(np.float32)

    def world(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Own points (N, 3) in the world."""
        return np.asarray(points @ self.axes.T + np.array(self.centre), np.float64)

    def normals(self, points: Array) -> Array:
        """Unit normals (N, 3) at own points (N, 3) of the surface, from the slope of the distance."""
        total = np.zeros_like(points)
        for corner in ((1, -1, -1), (-1, -1, 1), (-1, 1, -1), (1, 1, 1)):
            step = np.array(corner, np.float32)
            total += step * self.distance(points + step * np.float32(2e-3))[:, None]
        return np.asarray(total / np.maximum(np.sqrt(dot(total, total))[:, None], 1e-9), np.float32)


def turned(yaw: float, lean: float = 0.0, towards: float = 0.0) -> NDArray[np.float64]:
    """Axes of a body turned by `yaw` about the vertical, then leant by `lean` towards a direction; radians."""
    c, s = np.cos(yaw), np.sin(yaw)
    spin = np.array([(c, -s, 0), (s, c, 0), (0, 0, 1)])
    axis = np.array([-np.sin(towards), np.cos(towards), 0])
    cross = np.array([(0, -axis[2], axis[1]), (axis[2], 0, -axis[0]), (-axis[1], axis[0], 0)])
    return np.asarray((np.eye(3) + np.sin(lean) * cross + (1 - np.cos(lean)) * cross @ cross) @ spin)


def box(half: tuple[float, float, float], rounding: float) -> Distance:
    """A box with these half sides, its edges and corners rounded with this radius."""
    inner = np.array(half, np.float32) - np.float32(rounding)

    def distance(p: Array) -> Array:
        q = np.abs(p) - inner
        beyond = np.maximum(q, 0)
        most = np.maximum(np.maximum(q[:, 0], q[:, 1]), q[:, 2])
        return np.asarray(np.sqrt(dot(beyond, beyond)) + np.minimum(most, 0) - np.float32(rounding), np.float32)

    return distance


def cylinder(radius: float, half_height: float, rounding: float) -> Distance:
    """An upright disc with rounded rims."""

    def distance(p: Array) -> Array:
        x = np.hypot(p[:, 0], p[:, 1]) - np.float32(radius - rounding)
        y = np.abs(p[:, 2]) - np.float32(half_height - rounding)
        outside = np.hypot(np.maximum(x, 0), np.maximum(y, 0))
        return np.asarray(outside + np.minimum(np.maximum(x, y), 0) - np.float32(rounding), np.float32)

    return distance


def ellipsoid(half: tuple[float, float, float]) -> Distance:
    """A ball pressed to these half axes."""
    axes = np.array(half, np.float32)
    least = float(min(half))

    def distance(p: Array) -> Array:
        scaled = p / axes
        return np.asarray((np.sqrt(dot(scaled, scaled)) - 1) * np.float32(least), np.float32)

    return distance


def capsules(ends: list[tuple[NDArray[np.float64], NDArray[np.float64], float]]) -> Distance:
    """Round-ended rods from one point to another with a radius, molten into each other: fingers."""

    def distance(p: Array) -> Array:
        total: Array | None = None
        for start, end, radius in ends:
            a = p - start.astype(np.float32)
            b = (end - start).astype(np.float32)
            along = np.clip(a @ b / float(b @ b), 0, 1)[:, None]
            beside = a - along * b
            each = np.sqrt(dot(beside, beside)) - np.float32(radius)
            if total is None:
                total = each
            else:
                near = np.maximum(0.15 - np.abs(total - each), 0) / 0.15
                total = np.minimum(total, each) - near * near * np.float32(0.15 / 4)
        assert total is not None
        return total.astype(np.float32)

    return distance
