"""One picture of dice on a table from a setting and a seed, with what must, may and must not be read in it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.sweeps.dice import CUBE_MARKS, SHAPES, DieLook, die, polyhedron, top_outline
from vision.sweeps.photograph import Shot, photographed
from vision.sweeps.solids import Solid
from vision.sweeps.tables import ground, laid, linear, print_card
from vision.sweeps.things import hand, thing
from vision.sweeps.tracing import Camera, Ground, Lamp, Light, Traced, trace

__all__ = ["Duty", "Scene", "Setting", "TrueDie", "make_scene"]

Rng = np.random.Generator
_FINER_BELOW_PX = 130.0
_LEAST_SEEN = 0.85
"""The share of a top face that must be in view before a reader must tell its value."""
_MOST_LEAN = 6.0


class Duty(StrEnum):
    """What a referee's reader owes to a die."""

    READ = "must be read"
    MAY_REFUSE = "right or refused"
    NO_VALUE = "no value may be stated"


@dataclass(frozen=True, slots=True)
class TrueDie:
    """The truth of one die: `value` on top (None for dice without pips), the face's `outline_px` (4, 2), its duty.

    `seen` is the share of the top face that is in view.
    """

    value: int | None
    outline_px: NDArray[np.float64]
    seen: float
    duty: Duty

    @property
    def box(self) -> tuple[float, float, float, float]:
        """x0, y0, x1, y1 about the outline."""
        (x0, y0), (x1, y1) = self.outline_px.min(0), self.outline_px.max(0)
        return float(x0), float(y0), float(x1), float(y1)


@dataclass(frozen=True, slots=True)
class Scene:
    """A picture (H, W, 3) uint8 BGR and the dice in it."""

    image: NDArray[np.uint8]
    dice: tuple[TrueDie, ...]


@dataclass(frozen=True, slots=True)
class Setting:
    """What a scene shows. Angles in degrees, pixels across a face, lengths in sides; a pair is a range.

    `looks` are the makes among which each die chooses. `layout` is "scattered", "pairs", "triples", "wall", "stacked",
    "cocked" (by `lean`), "cut" (that share of the face outside the frame, `cut`), or "covered" (by a hand).
    `other` are marks of CUBE_MARKS or SHAPES that stand in place of pip dice. `things` lie between the dice, `cards`
    below them. `up_in_picture` keeps the top of the table at the top of the picture.
    """

    size_wh: tuple[int, int] = (420, 320)
    side_px: float = 42.0
    tilt: tuple[float, float] = (0.0, 14.0)
    dice: int = 7
    looks: tuple[DieLook, ...] = ()
    ground: str = "felt"
    ground_bgr: tuple[float, float, float] | None = None
    knots: int = 0
    layout: str = "scattered"
    lean: float = 0.0
    cut: float = 0.0
    other: tuple[str, ...] = ()
    values: tuple[int, ...] = (1, 2, 3, 4, 5, 6)
    things: tuple[str, ...] = ()
    things_count: int = 0
    cards: tuple[str, ...] = ()
    lamps: str = "soft"
    window: float = 0.35
    shot: Shot = field(default_factory=Shot)
    up_in_picture: bool = False
    least_duty: Duty = Duty.READ
    """`MAY_REFUSE` where even a careful person may not be sure."""


def assorted(rng: Rng) -> DieLook:
    """The make of a die out of a drawer: common colours, light pips on dark bodies and dark on light."""
    light = [(228, 236, 240), (205, 225, 235), (60, 205, 240), (225, 200, 150), (200, 190, 235)]
    dark = [(38, 32, 190), (30, 28, 28), (150, 60, 25), (60, 105, 25), (110, 40, 85), (35, 85, 205)]
    pick = int(rng.integers(len(light) + len(dark)))
    bright = pick < len(light)
    body = light[pick] if bright else dark[pick - len(light)]
    ink = linear((22, 20, 20)) if bright else linear((236, 238, 238))
    return DieLook(
        body=linear(body),
        ink=ink,
        rounding=float(rng.uniform(0.06, 0.16)),
        pip_radius=float(rng.uniform(0.075, 0.1)),
        spread=float(rng.uniform(0.23, 0.27)),
        gloss=float(rng.uniform(0.05, 0.4)),
    )


def make_scene(setting: Setting, seed: int | list[int]) -> Scene:
    """The scene of this setting and seed; equal on every machine but for rounding."""
    rng = np.random.default_rng(seed)
    tilt = float(np.radians(rng.uniform(*setting.tilt)))
    upright = setting.up_in_picture or tilt > np.radians(33)
    roll = float(rng.uniform(-0.2, 0.2) if upright else rng.uniform(-np.pi, np.pi))
    distance = max(1.6 * max(setting.size_wh) / setting.side_px, 14.0)
    camera = Camera(setting.size_wh, setting.side_px, tilt, roll, distance)
    table = _table(setting, camera, rng)
    solids, truths = _arranged(setting, camera, rng)
    light = _light(setting, rng)
    finer = 2 if setting.side_px < _FINER_BELOW_PX else 1
    traced = trace(camera, table, solids, light, finer)
    image = photographed(traced.light, setting.shot, rng)
    dice = [_truth(setting, camera, traced, solids, number, value) for number, value in truths]
    return Scene(image, tuple(each for each in dice if each is not None))


def _table(setting: Setting, camera: Camera, rng: Rng) -> Ground:
    width, height = setting.size_wh
    corners = camera.on_table(np.array([(0, 0), (width, 0), (0, height), (width, height)], float))
    reach = min(float(np.abs(corners[:, :2]).max()) + 1, 40.0)
    per_unit = min(setting.side_px * 1.2, 700 / reach)
    colour = setting.ground_bgr or tuple(
        {"felt": (45, 95, 35), "wood": (75, 120, 170), "print": (150, 175, 190), "checks": (50, 45, 150)}.get(
            setting.ground, (120, 125, 130)
        )
        * rng.uniform(0.75, 1.25, 3)
    )
    size = int(2 * reach * per_unit)
    albedo = ground(setting.ground, rng, size, per_unit, linear(colour), setting.knots).astype(np.float32)  # type: ignore[arg-type]
    for kind in setting.cards:
        fine = max(per_unit, 24.0)
        x, y = camera.on_table(rng.uniform(0.15, 0.85, (1, 2)) * setting.size_wh)[0, :2]
        laid(albedo, print_card(rng, kind, fine), (float(x), float(y)), float(rng.uniform(0, 6.3)), per_unit, fine)
    return Ground(np.ascontiguousarray(albedo), per_unit)


def _light(setting: Setting, rng: Rng) -> Light:
    angle = float(rng.uniform(0, 2 * np.pi))

    def lamp(turn: float, height: float, away: float, strength: float, radius: float) -> Lamp:
        x, y = away * np.cos(angle + turn), away * np.sin(angle + turn)
        return Lamp((float(x), float(y), height), (strength,) * 3, radius)

    window_at = (float(rng.uniform(-0.6, 0.6)), float(rng.uniform(-0.6, 0.6)))
    if setting.lamps == "glare":
        # A window just where tops of lying dice mirror it into the camera.
        mean = float(np.radians(np.mean(setting.tilt)))
        window_at = (float(rng.uniform(-0.1, 0.1)), float(np.sin(mean) + rng.uniform(-0.1, 0.1)))
    lamps = {
        "soft": (lamp(0, 18, 9, 0.55, 5.0),),
        "glare": (lamp(0, 20, 6, 0.55, 3.0),),
        "hard": (lamp(0, 14, 12, 0.75, 0.5),),
        "two": (lamp(0, 14, 11, 0.45, 0.8), lamp(2.1, 12, 12, 0.4, 0.8)),
        "low": (lamp(0, 7, 16, 1.1, 0.8),),
    }[setting.lamps]
    around = {"soft": 0.4, "glare": 0.4, "hard": 0.18, "two": 0.2, "low": 0.2}[setting.lamps]
    return Light(lamps, (around,) * 3, setting.window, window_at)


def _spots(
    setting: Setting, camera: Camera, rng: Rng, count: int, apart: float, taken: list[NDArray[np.float64]]
) -> None:
    """Add up to `count` places to `taken` that are wholly in the picture and `apart` units from each other."""
    width, height = setting.size_wh
    margin = min(0.9 * setting.side_px * apart / 1.5, 0.42 * min(width, height))
    wanted = len(taken) + count
    for _ in range(40 * count):
        if len(taken) >= wanted:
            break
        pixel = rng.uniform((margin, margin), (width - margin, height - margin))
        place = camera.on_table(pixel[None], 0.5)[0, :2]
        if all(np.hypot(*(place - other)) > apart for other in taken):
            taken.append(place)


def _arranged(setting: Setting, camera: Camera, rng: Rng) -> tuple[list[Solid], list[tuple[int, int | None]]]:
    """The solids, and of those that are dice their number and value."""
    solids: list[Solid] = []
    truths: list[tuple[int, int | None]] = []

    def add(at: tuple[float, float], yaw: float, look: DieLook | None = None, **more: float) -> None:
        chosen = look or (setting.looks[int(rng.integers(len(setting.looks)))] if setting.looks else assorted(rng))
        value = int(setting.values[int(rng.integers(len(setting.values)))])
        kind = setting.other[int(rng.integers(len(setting.other)))] if setting.other else ""
        if kind in SHAPES:
            solids.append(polyhedron(kind, chosen, at, yaw, int(rng.integers(20))))
        else:
            marked = replace(chosen, marks=kind) if kind in CUBE_MARKS else chosen
            body = die(marked, value, at, yaw, mirrored=bool(rng.random() < 0.5), upsides=int(rng.integers(64)), **more)
            solids.append(body)
        truths.append((len(solids) - 1, None if kind else value))

    places: list[NDArray[np.float64]] = []
    layout = setting.layout
    group = {"pairs": 2, "triples": 3, "wall": 6}.get(layout, 1)
    apart = {"pairs": 3.2, "triples": 4.2, "wall": 6.5, "stacked": 2.6, "cut": 2.6, "covered": 1.9}.get(layout, 1.75)
    if layout == "cut":
        places += _cut_places(setting, camera, rng)
    elif setting.dice:
        _spots(setting, camera, rng, max(1, setting.dice // group), min(apart, apart if group < 6 else 0), places)
        if layout == "wall":
            places[0] = camera.on_table(np.array([setting.size_wh], float) / 2, 0.5)[0, :2]
    for place in places[: max(1, setting.dice // group)] if setting.dice else []:
        yaw = float(rng.uniform(0, 2 * np.pi))
        along = np.array([np.cos(yaw), np.sin(yaw)])
        across = np.array([-along[1], along[0]])
        if layout == "triples":
            offsets = [along * -0.51, along * 0.51, across * 1.01 + along * float(rng.uniform(-0.4, 0.4))]
        else:
            offsets = [along * (k - (group - 1) / 2) * 1.005 for k in range(group)]
        for offset in offsets:
            at = (float(place[0] + offset[0]), float(place[1] + offset[1]))
            if layout == "stacked":
                add(at, yaw)
                truths.pop()
                shift = rng.uniform(-0.15, 0.15, 2)
                add((at[0] + float(shift[0]), at[1] + float(shift[1])), float(rng.uniform(0, 6.3)), over=1.0)
            elif layout == "cocked":
                lean = float(np.radians(setting.lean))
                add(at, yaw, lean=lean, towards=yaw + float(rng.integers(4)) * np.pi / 2)
            else:
                add(at, yaw)
    lying: list[NDArray[np.float64]] = []
    if setting.things:
        free = [*places]
        first = len(free)
        _spots(setting, camera, rng, setting.things_count, 2.3, free)
        lying = free[first:]
        for place in lying:
            kind = setting.things[int(rng.integers(len(setting.things)))]
            solids.append(thing(kind, rng, (float(place[0]), float(place[1]))))
    if layout == "covered":
        for place in (places or lying)[:1]:
            offset = rng.uniform(-0.8, 0.8, 2)
            tip = (float(place[0] + offset[0]), float(place[1] + offset[1]))
            solids.append(hand(rng, tip, float(np.arctan2(place[1], place[0]))))
    return solids, truths


def _cut_places(setting: Setting, camera: Camera, rng: Rng) -> list[NDArray[np.float64]]:
    """Middles of dice of which about the share `cut` lies beyond an edge of the frame."""
    width, height = setting.size_wh
    inset = (0.5 - setting.cut) * setting.side_px
    places = []
    for k in range(setting.dice):
        edge, along = k % 4, float(rng.uniform(0.15, 0.42)) + 0.45 * (k // 4 % 2)
        x, y = [
            (inset, along * height),
            (width - inset, along * height),
            (along * width, inset),
            (along * width, height - inset),
        ][edge]
        places.append(camera.on_table(np.array([(x, y)]), 1.0)[0, :2])
    return places


def _truth(
    setting: Setting, camera: Camera, traced: Traced, solids: list[Solid], number: int, value: int | None
) -> TrueDie | None:
    """The truth of one die as the camera has it; None when none of it is in the frame."""
    solid = solids[number]
    width, height = setting.size_wh
    if value is None and solid.facets is not None and len(solid.facets.normals) != 6:
        around = np.array([(-1, -1, 0), (-1, 1, 0), (1, 1, 0), (1, -1, 0)]) * 0.75 * solid.radius
        outline, face = camera.project(np.array(solid.centre) + around), -1
    else:
        corners, face = top_outline(solid, 2 * solid.half[0])
        outline = camera.project(corners)
        if value is not None and face != 0:
            value = None
    mask = np.zeros((height, width), np.uint8)
    inner = outline.mean(0) + (outline - outline.mean(0)) * 0.85
    cv2.fillConvexPoly(mask, np.round(inner).astype(np.int32), 1)
    ours = traced.shown == number
    if face >= 0:
        ours &= traced.facets == face
    area = float(cv2.contourArea(inner.astype(np.float32)))
    seen = min(1.0, float((mask.astype(bool) & ours).sum()) / max(area, 1.0))
    low, high = outline.min(0), outline.max(0)
    if high.min() < 0 or low[0] > width or low[1] > height:
        return None
    cut = low.min() < -0.02 * setting.side_px or high[0] > width or high[1] > height
    if value is None:
        duty = Duty.NO_VALUE
    elif cut or seen < _LEAST_SEEN or setting.lean > _MOST_LEAN:
        duty = Duty.MAY_REFUSE
    else:
        duty = setting.least_duty
    if setting.layout == "cut" and setting.cut > 0.12 and value is not None:
        duty = Duty.NO_VALUE
    return TrueDie(value, outline, seen, duty)
