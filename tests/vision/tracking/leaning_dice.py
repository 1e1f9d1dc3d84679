"""Dice that lie flat or lean on the simulated table, as the shipped reader reads them: to learn which is which.

python -m tests.vision.tracking.leaning_dice --out FILE.npz --first-seed N --scenes N [--plays | --crowds]

Writes what `vision.training.leaning` writes, by another renderer and with real readings: any pose that a die may lean
in; crowds of dice of one colour that touch one another, as a set does that rolled together; or, from plays, the poses
of the recorded rolls, with hands about. See vision/weights/MODEL_CARD.md.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from itertools import product
from math import dist
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from device.simulated.bodies import LOOKS
from device.simulated.dice_model import resting_rotation
from device.simulated.lamps import DAYLIGHT, Lamp
from device.simulated.layout import CARD_MM, DIE_MM, STACK_MM, TABLE_SIZE_MM, corner_marker_positions_mm
from device.simulated.motion import Pose
from device.simulated.optics import PinholeCamera
from device.simulated.play.play import Play
from device.simulated.play.script import PLAYS
from device.simulated.render import Renderer, SeenDie, StillPart
from vision.errors import GeometryError
from vision.geometry import TableGeometry
from vision.reader import TableReader
from vision.readings import DieReading
from vision.tracking.camera import camera_over
from vision.tracking.upright import upright
from vision.training.leaning import Box, Example, against, beside, leaning_on, overlap, save

__all__ = ["leaning_dice", "playing_dice"]

Rng = np.random.Generator
Array = NDArray[Any]
_SIZE_WH = (1280, 720)
_SURFACES = ("wood", "felt", "slate", "linen")
_STACK_SIDES = np.array([CARD_MM[0] / 2, CARD_MM[1] / 2, 6.0]) / DIE_MM
_NEAR_SIDES = 0.45
_SAME_FACE = 0.5
"""A flat die whose face was outlined so badly that the two share no more (intersection by union) shows nothing here."""
_AROUND_SIDES = 3.0
_MARGIN_MM = 14.0
_DICE = 50
_MOST_PICTURES = 9
_VISIBLE = 0.75
_LEANING_SHARE = 0.45
_OF_ONE_COLOUR = 0.9
"""So likely a die of a crowd has the colour of its group."""
_PICTURES = 4
"""So many tables of dice are laid out under one camera on one ground."""


def _stack() -> Box:
    c, s = np.cos(0.04), np.sin(0.04)
    return Box(np.array([*STACK_MM, 6.0]) / DIE_MM, np.array([(c, -s, 0), (s, c, 0), (0, 0, 1.0)]), _STACK_SIDES)


def _placed(rng: Rng, *, crowds: bool) -> tuple[list[tuple[Box, float]], list[int]]:
    """Dice of a table, in sides of a die, each with its tilt in degrees; and of which group each is."""
    dice: list[tuple[Box, float]] = []
    groups: list[int] = []
    solid = [_stack()]
    markers = [np.array(place) for place in corner_marker_positions_mm().values()]

    def free(box: Box) -> bool:
        x, y = box.centre[:2] * DIE_MM
        inside = _MARGIN_MM < x < TABLE_SIZE_MM[0] - _MARGIN_MM and _MARGIN_MM < y < TABLE_SIZE_MM[1] - _MARGIN_MM
        clear = all(np.hypot(x - mx, y - my) > 32 for mx, my in markers)
        return inside and clear and not any(overlap(box, each) for each in (*solid, *(die for die, _ in dice)))

    for _ in range(int(rng.integers(0, 4))):
        box, tilt_deg = leaning_on(rng, solid[0])
        if free(box):
            dice.append((box, tilt_deg))
            groups.append(len(groups))
    while len(dice) < _DICE:
        at = rng.uniform((20, 20), (TABLE_SIZE_MM[0] - 20, TABLE_SIZE_MM[1] - 20)) / DIE_MM
        yaw = rng.uniform(0, np.pi)
        c, s = np.cos(yaw), np.sin(yaw)
        support = Box(np.array([*at, 0.5]), np.array([(c, -s, 0), (s, c, 0), (0, 0, 1.0)]), np.full(3, 0.5))
        if not free(support):
            continue
        dice.append((support, 0.0))
        group = [(support, 0.0)]
        for _ in range(int(rng.integers(1, 6)) if crowds else int(rng.integers(0, 4))):
            if crowds:
                box, tilt_deg = _joining(rng, group)
            else:
                box, tilt_deg = leaning_on(rng, support) if rng.random() < 0.6 else (beside(rng, support), 0.0)
            if free(box):
                dice.append((box, tilt_deg))
                group.append((box, tilt_deg))
        groups += [len(groups)] * len(group)
    return dice, groups


def _joining(rng: Rng, group: Sequence[tuple[Box, float]]) -> tuple[Box, float]:
    """One more die against a group of dice or leaning on one of them, and its tilt in degrees."""
    flat = [box for box, tilt_deg in group if tilt_deg == 0]
    if rng.random() < _LEANING_SHARE:
        return leaning_on(rng, flat[int(rng.integers(len(flat)))])
    return against(rng, [box for box, _ in group]), 0.0


def leaning_dice(rng: Rng, reader: TableReader, *, crowds: bool = False) -> list[Example]:
    """The dice of some pictures that are read at all, every chance taken from `rng`; in `crowds` most touch others."""
    width, depth = TABLE_SIZE_MM
    field = (-22.0, -22.0, width + 22.0, depth + 22.0)
    camera = PinholeCamera(
        _SIZE_WH, field, height_mm=float(rng.uniform(750, 1300)), tilt_deg=float(rng.choice([18.0, rng.uniform(3, 32)]))
    )
    surface = _SURFACES[int(rng.integers(len(_SURFACES)))]
    renderer = Renderer(
        camera, seed=int(rng.integers(1 << 20)), surface_name=surface, noise=float(rng.uniform(0.7, 2)),
        blur_px=float(rng.uniform(0.5, 0.9)),
    )  # fmt: skip
    return [example for _ in range(_PICTURES) for example in _one_picture(rng, reader, camera, renderer, crowds)]


def _one_picture(
    rng: Rng, reader: TableReader, camera: PinholeCamera, renderer: Renderer, crowds: bool
) -> list[Example]:
    width, depth = TABLE_SIZE_MM
    dice, groups = _placed(rng, crowds=crowds)
    looks = [str(look) for look in rng.choice(list(LOOKS)[: 6 if rng.random() < 0.7 else None], 4)]
    seen, centres = [], []
    for (box, _), group in zip(dice, groups, strict=True):
        rotation = box.axes @ resting_rotation(int(rng.integers(1, 7)), np.pi / 2 * int(rng.integers(4)))
        look = looks[group % 4 if crowds and rng.random() < _OF_ONE_COLOUR else int(rng.integers(4))]
        seen.append(SeenDie(look, (Pose(box.centre * DIE_MM, rotation),)))
        centres.append((box.centre + box.axes[:, 2] / 2) * DIE_MM)
    keys = tuple((pose.poses[0].key, pose.colour) for pose in seen)
    still = StillPart(None, (), True, keys)
    image = renderer.picture(still, seen, [], [], noise_seed=int(rng.integers(1 << 30)), lamp=_lamp(rng))
    corners = camera.project(np.array([(x, y, 0) for x, y in product((0, width), (0, depth))])[[0, 2, 3, 1]])
    corners = corners + rng.normal(0, 0.2, corners.shape)
    geometry = TableGeometry(TABLE_SIZE_MM, tuple((float(x), float(y)) for x, y in corners))  # type: ignore[arg-type]
    placed = camera_over(geometry, _SIZE_WH)
    read = reader.read(image).dice
    tops = camera.project(np.array(centres))
    examples = []
    for i, die in enumerate(read):
        apart = np.hypot(*(tops - die.centre_px).T)
        nearest = int(apart.argmin())
        box, tilt_deg = dice[nearest]
        if apart[nearest] > _NEAR_SIDES * die.side_px:
            continue
        if tilt_deg == 0 and _shared(die, camera.project(_upper_face_mm(box))) < _SAME_FACE:
            continue
        around = _around(read, i)
        maps = upright(image, np.array(die.outline_px), around, placed)
        if maps is not None:
            examples.append(Example(maps, tilt_deg))
    return examples


def _upper_face_mm(box: Box) -> Array:
    """Corners (4, 3) of the upper face of a flat die."""
    across = [box.axes[:, 0] * a + box.axes[:, 1] * b for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    return (box.centre + (np.array(across) + box.axes[:, 2]) / 2) * DIE_MM


def _shared(read: DieReading, face_px: Array) -> float:
    """How far the outlined face and the true one (4, 2) are the same: intersection by union."""
    a, b = cv2.convexHull(np.array(read.outline_px, np.float32)), cv2.convexHull(face_px.astype(np.float32))
    common = cv2.intersectConvexConvex(a, b)[0]
    return common / (cv2.contourArea(a) + cv2.contourArea(b) - common)


def _around(read: Sequence[DieReading], number: int) -> list[Array]:
    """The outlines of the dice near one of a reading."""
    die = read[number]
    near = [
        other
        for j, other in enumerate(read)
        if j != number and dist(other.centre_px, die.centre_px) < _AROUND_SIDES * die.side_px
    ]
    return [np.array(other.outline_px) for other in near]


def playing_dice(seed: int, reader: TableReader) -> list[Example]:
    """Dice of a play in which most rolls end leaning, as they are seen soon after they have come to rest.

    Each once in a pose, but those that lean as often as a picture was taken.
    """
    PLAYS.setdefault("leaning", {"cocked": 0.95})
    play = Play(2 + seed % 5, seed, "leaning", seconds=13)
    rng = np.random.default_rng([seed, 99])
    ends = [each for each in play.happenings if each.kind in ("cocked", "settled")]
    chosen = [each.ended_ns for each in ends if each.kind == "cocked" or rng.random() < 0.25]
    times = sorted(int(ended_ns + rng.integers(90, 200) * 1_000_000) for ended_ns in chosen)
    examples, known = [], set()
    for at_ns in sorted(rng.permutation(times)[:_MOST_PICTURES].tolist()):
        image = play.render(at_ns)
        reading = reader.read(image)
        try:
            geometry = TableGeometry.from_corner_markers(reading.markers, TABLE_SIZE_MM)
        except GeometryError:
            continue
        camera, read = camera_over(geometry, _SIZE_WH), reading.dice
        for true in play.truth(at_ns):
            if true.state not in ("settled", "cocked") or true.visible < _VISIBLE or not read:
                continue
            number = min(range(len(read)), key=lambda i, at=true.centre_px: dist(read[i].centre_px, at))
            pose = play.table.die(true.seat, true.index).pose(at_ns)
            key = (true.seat, true.index, pose.key)
            near = dist(read[number].centre_px, true.centre_px) <= _NEAR_SIDES * read[number].side_px
            if not near or (true.state == "settled" and key in known):
                continue
            known.add(key)
            maps = upright(image, np.array(read[number].outline_px), _around(read, number), camera)
            if maps is not None:
                tilt_deg = np.degrees(np.arccos(min(1.0, float(np.abs(pose.rotation[2]).max()))))
                examples.append(Example(maps, float(tilt_deg) if true.state == "cocked" else 0.0))
    return examples


def _lamp(rng: Rng) -> Lamp:
    """Daylight for the most part, else some other lamp, more or less balanced."""
    if rng.random() < 0.6:
        return DAYLIGHT
    kelvin, brightness, balanced = rng.uniform((2700, 0.5, 0.3), (9000, 1.0, 1.0)).tolist()
    return Lamp(kelvin, brightness, balanced)


def main() -> None:
    parser = argparse.ArgumentParser(description="Render dice that lean and dice that lie flat on the simulated table.")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--scenes", type=int, default=60)
    parser.add_argument("--plays", action="store_true", help="of plays, not of tables laid out")
    parser.add_argument("--crowds", action="store_true", help="of tables on which dice of a colour touch one another")
    a = parser.parse_args()
    cv2.setNumThreads(1)
    reader, found = TableReader(), []
    for seed in range(a.first_seed, a.first_seed + a.scenes):
        if a.plays:
            found += playing_dice(seed, reader)
        else:
            found += leaning_dice(np.random.default_rng([seed, 71]), reader, crowds=a.crowds)
    save(a.out, found)
    print(f"{len(found)} dice, {sum(each.tilt_deg > 0 for each in found)} of them leaning")


if __name__ == "__main__":
    main()
