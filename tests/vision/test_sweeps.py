"""The rendered sweeps: no figure falls, and turning a picture changes nothing.

Floors lie in sweep_floors.json; `companion evaluate --rendered --write-floors tests/vision/sweep_floors.json` writes
them anew. Scenes are rendered from seeds and not kept as pictures: that needs no megabytes, every fault stays open to
change, and a thumbnail of each in the same file tells when another version of a library renders them otherwise.
With TABLETOP_SCENES=6 so many scenes of every step are read, and the figures of all together are held to the floors.
"""

from __future__ import annotations

import json
import os
from dataclasses import replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.dice import DiceReader
from vision.images import Image
from vision.outcomes import View, judge, view_of
from vision.readings import DieReading
from vision.sweeps.catalogue import PLAIN, SWEEPS
from vision.sweeps.measure import SweepReport, below_floors, measure, scene_of
from vision.sweeps.scenes import Scene, make_scene

FLOORS = json.loads((Path(__file__).parent / "sweep_floors.json").read_text())
MANY = int(os.environ.get("TABLETOP_SCENES", "0"))
STEPS = {f"{sweep.name}/{step.name}": step for sweep in SWEEPS for step in sweep.steps}
MOST_GREY_LEVELS_OFF = 3


@cache
def reader() -> DiceReader:
    return DiceReader()


@pytest.fixture(scope="module")
def report() -> SweepReport:
    return measure(FLOORS["scenes"], reader=reader())


def test_no_step_is_read_worse_than_it_was(report: SweepReport) -> None:
    assert report.all.dice > 200
    assert not below_floors(report, FLOORS), f"\n{report}"


def test_there_is_a_floor_for_every_step_and_none_too_many() -> None:
    assert set(FLOORS["steps"]) == set(STEPS)


def test_the_scenes_are_those_that_were_measured(report: SweepReport) -> None:
    off = {
        name: int(np.abs(np.subtract(fields, FLOORS["pictures"][name])).max())
        for name, fields in report.pictures.items()
    }
    assert {name: levels for name, levels in off.items() if levels > MOST_GREY_LEVELS_OFF} == {}


@pytest.mark.skipif(not MANY, reason="takes minutes: set TABLETOP_SCENES to how many scenes a step")
@pytest.mark.timeout(7200)
def test_many_scenes_are_read_no_worse_in_all() -> None:
    told = measure(MANY, reader=reader())
    assert told.all.right_share >= FLOORS["least_right_percent"], f"\n{told}"


class Blurred:
    """The shipped reader behind a lens out of focus."""

    def read(self, image_bgr: Image, /) -> tuple[DieReading, ...]:
        return reader().read(np.asarray(cv2.GaussianBlur(image_bgr, (0, 0), 4.0), np.uint8))


def test_a_reader_that_sees_less_falls_below_the_floors() -> None:
    tables = [sweep for sweep in SWEEPS if sweep.name == "table"]
    found = below_floors(measure(FLOORS["scenes"], sweeps=tables, reader=Blurred()), FLOORS)
    assert any(line.startswith("table/") and "right" in line for line in found), found
    assert any(line.startswith("all:") for line in found), found


# Whichever way the picture is turned, the dice are the same.


@cache
def turnable(number: int) -> Scene:
    """Dice in the middle of a large picture, so that no turn cuts one."""
    return make_scene(replace(PLAIN, size_wh=(300, 300), dice=4, ground="stone", tilt=(0, 10)), [71, number])


def turned_values(scene: Scene, degrees: float) -> list[int | None]:
    """What is read of each die of the scene after the picture was turned; None for one that is refused or missed."""
    size, wide = scene.image.shape[0], 2 * int(scene.image.shape[0] * 0.75)
    matrix = cv2.getRotationMatrix2D(((size - 1) / 2, (size - 1) / 2), degrees, 1.0)
    matrix[:, 2] += (wide - size) / 2
    image = cv2.warpAffine(scene.image, matrix, (wide, wide), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REFLECT_101)
    readings = reader().read(np.asarray(image, np.uint8))
    values = []
    for each in scene.dice:
        x, y = matrix @ np.array([*each.outline_px.mean(0), 1.0])
        near = [r for r in readings if np.hypot(r.centre_px[0] - x, r.centre_px[1] - y) < 15]
        values.append(near[0].value if near else None)
    return values


@settings(max_examples=20, deadline=None)
@given(degrees=st.floats(0, 360), number=st.integers(0, 2))
def test_turning_the_picture_changes_no_value(degrees: float, number: int) -> None:
    scene = turnable(number)
    values = turned_values(scene, degrees)
    truth = [each.value for each in scene.dice]
    assert all(read in (None, true) for read, true in zip(values, truth, strict=True)), (values, truth)


def test_nearly_every_die_is_read_at_every_turn() -> None:
    """The other half of the above: a reader that refuses all turned pictures would pass it."""
    values = [
        value
        for number in range(3)
        for degrees in range(0, 360, 36)
        for value in turned_values(turnable(number), degrees)
    ]
    assert values.count(None) <= 0.15 * len(values), f"{values.count(None)} of {len(values)} are not read"


@settings(max_examples=10, deadline=None)
@given(degrees=st.floats(-15, 15))
def test_a_slight_turn_of_a_steep_picture_changes_no_value(degrees: float) -> None:
    scene = scene_of("tilt", STEPS["tilt/45 degrees"], 0)
    truth = [each.value for each in scene.dice]
    assert all(r in (None, t) for r, t in zip(turned_values(scene_cut_square(scene), degrees), truth, strict=True))


def scene_cut_square(scene: Scene) -> Scene:
    """The scene on a square picture, its lower edge continued."""
    height, width = scene.image.shape[:2]
    image = cv2.copyMakeBorder(scene.image, 0, width - height, 0, 0, cv2.BORDER_REFLECT_101)
    return Scene(np.asarray(image, np.uint8), scene.dice)


@pytest.mark.parametrize(("step", "view"), [("30 degrees", View.MILD), ("60 degrees", View.STEEP)])
def test_mild_views_are_told_from_steep_by_their_outlines(step: str, view: View) -> None:
    scene = scene_of("tilt", STEPS[f"tilt/{step}"], 0)
    entry = {"view": "oblique", "dice": [{"value": d.value, "box": d.box} for d in scene.dice]}
    assert view_of(entry, judge(reader().read(scene.image), entry)) is view
