"""The renderer of the sweeps, the duties of its dice, and how readings of them are judged and held to floors."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

import cv2
import numpy as np
import pytest

from vision.readings import DieReading, Unreadable
from vision.sweeps.catalogue import PLAIN, SWEEPS
from vision.sweeps.dice import CUBE_MARKS, SHAPES, DieLook, die, top_outline
from vision.sweeps.measure import Row, SweepReport, below_floors, floors_of, scene_of
from vision.sweeps.photograph import Shot, photographed
from vision.sweeps.scenes import Duty, Scene, TrueDie, make_scene
from vision.sweeps.tracing import GROUND, Camera, Ground, Lamp, Light, trace

STEPS = {f"{sweep.name}/{step.name}": step for sweep in SWEEPS for step in sweep.steps}


# How readings are judged.


def square(x: float, y: float, side: float = 40.0) -> tuple[tuple[float, float], ...]:
    h = side / 2
    return ((x - h, y - h), (x + h, y - h), (x + h, y + h), (x - h, y + h))


def read_at(x: float, y: float, value: int | None, reason: Unreadable | None = None) -> DieReading:
    outline = square(x, y)
    why = None if value is not None else reason or Unreadable.AMBIGUOUS
    return DieReading(value, why, 0.95, (*outline[0], *outline[2]), outline, (), "white", "black", (0, 0, 0))


def scene_with(*dice: tuple[int | None, Duty]) -> Scene:
    every = [TrueDie(v, np.array(square(50.0 + 100 * k, 50.0)), 1.0, duty) for k, (v, duty) in enumerate(dice)]
    return Scene(np.zeros((100, 600, 3), np.uint8), tuple(every))


@pytest.mark.parametrize(
    ("truth", "readings", "expected"),
    [
        ((4, Duty.READ), [read_at(50, 50, 4)], {"dice": 1, "right": 1}),
        ((4, Duty.READ), [read_at(50, 50, 5)], {"dice": 1, "wrong": 1}),
        ((4, Duty.READ), [read_at(50, 50, None)], {"dice": 1, "refused": 1}),
        ((4, Duty.READ), [], {"dice": 1, "missed": 1}),
        ((4, Duty.READ), [read_at(50, 50, 4), read_at(90, 50, 2)], {"dice": 1, "right": 1, "invented": 1}),
        ((4, Duty.READ), [read_at(50, 50, 4), read_at(90, 50, None)], {"dice": 1, "right": 1}),
        ((4, Duty.MAY_REFUSE), [read_at(50, 50, None)], {}),
        ((4, Duty.MAY_REFUSE), [read_at(50, 50, 4)], {}),
        ((4, Duty.MAY_REFUSE), [read_at(50, 50, 3)], {"wrong": 1}),
        ((4, Duty.NO_VALUE), [read_at(50, 50, 4)], {"invented": 1}),
        ((None, Duty.NO_VALUE), [read_at(50, 50, 1)], {"invented": 1, "without_pips": 1}),
        ((None, Duty.NO_VALUE), [read_at(50, 50, None)], {"without_pips": 1}),
        ((None, Duty.NO_VALUE), [read_at(50, 50, None, Unreadable.NOT_A_PIP_DIE)], {"without_pips": 1, "told": 1}),
    ],
)
def test_what_is_read_is_counted_once_and_for_what_it_is(
    truth: tuple[int | None, Duty], readings: list[DieReading], expected: dict[str, int]
) -> None:
    row = Row("a", "b", 96.0)
    row.add(scene_with(truth), readings)
    names = ("dice", "right", "refused", "wrong", "missed", "invented", "without_pips", "told")
    assert {name: getattr(row, name) for name in names if getattr(row, name)} == expected


def test_floors_leave_a_margin_and_catch_what_is_beyond_it() -> None:
    row = Row("a", "b", 96.0, scenes=1, dice=100, right=90, refused=10)
    floors = floors_of(SweepReport([row], {"a/b": [0] * 16}))
    assert not below_floors(SweepReport([replace(row, right=89, refused=11)]), floors)
    for worse in (replace(row, right=80, refused=20), replace(row, wrong=1), replace(row, invented=1)):
        assert below_floors(SweepReport([worse]), floors)
    assert below_floors(SweepReport([replace(row, step="c")]), floors) == ["a/c: has no floor"]
    assert below_floors(SweepReport([row], stated=[(0.99, False)]), floors)


def test_a_goal_is_missed_by_one_wrong_value() -> None:
    good = Row("a", "b", 96.0, dice=100, right=96, refused=4)
    assert good.goal_met
    for worse in (replace(good, right=95), replace(good, wrong=1), replace(good, invented=1)):
        assert not worse.goal_met


# The renderer.

CAMERA = Camera((160, 120), 40.0, 0.5, 0.3, 20.0)
GREY = Ground(np.full((64, 64, 3), 0.4, np.float32), 8.0)


@pytest.mark.parametrize("value", range(1, 7))
@pytest.mark.parametrize("mirrored", [False, True])
def test_opposite_faces_make_seven_and_both_hands_of_dice_are_made(value: int, mirrored: bool) -> None:
    made = die(DieLook(), value, (0, 0), 0.0, mirrored=mirrored)
    assert made.facets is not None
    counts = [sum(len(mark.places) for mark in marks) for marks in made.facets.marks]  # type: ignore[union-attr]
    assert counts[0] == value
    assert sorted(counts) == [1, 2, 3, 4, 5, 6]
    assert [counts[k] + counts[k + 1] for k in (0, 2, 4)] == [7, 7, 7]
    where = {count: made.facets.normals[k] for k, count in enumerate(counts)}
    hand = float(np.linalg.det(np.stack([where[1], where[2], where[3]])))
    assert hand == pytest.approx(-1.0 if mirrored else 1.0)


def test_the_outline_told_is_where_the_top_is_seen() -> None:
    made = die(DieLook(rounding=0.02), 5, (0.4, -0.2), 0.7)
    traced = trace(CAMERA, GREY, [made], Light((Lamp((3, 3, 12)),)))
    corners, face = top_outline(made, 1.0)
    outline = CAMERA.project(corners)
    drawn = np.zeros((120, 160), np.uint8)
    cv2.fillConvexPoly(drawn, np.round(outline).astype(np.int32), 1)
    seen = (traced.shown == 0) & (traced.facets == face)
    both = float((seen & (drawn > 0)).sum()) / float((seen | (drawn > 0)).sum())
    assert both > 0.9
    assert (traced.shown == GROUND).any()


def test_pixels_lead_to_the_table_and_back() -> None:
    pixels = np.array([(3.0, 7.0), (80.0, 60.0), (150.0, 100.0)])
    places = CAMERA.on_table(pixels, 0.5)
    assert np.allclose(places[:, 2], 0.5)
    assert np.allclose(CAMERA.project(places), pixels)


def test_a_shadow_lies_behind_the_die_as_the_lamp_sees_it() -> None:
    camera = Camera((160, 120), 30.0, 0.0, 0.0, 20.0)
    made = die(DieLook(), 1, (0, 0), 0.0)
    light = trace(camera, GREY, [made], Light((Lamp((12, 0, 9), (0.8,) * 3, 0.5),), (0.2,) * 3)).light
    y, x = camera.project(np.array([(-1.0, 0, 0), (1.0, 0, 0)])).round().astype(int)[:, ::-1].T
    dark, lit = light[y, x].mean(1)
    assert dark < 0.6 * lit


def test_a_gloss_mirrors_the_window_and_mat_dice_do_not() -> None:
    camera = Camera((120, 120), 60.0, 0.3, 0.0, 20.0)
    window = Light((Lamp((3, 3, 12)),), window=1.0, window_at=(0.0, float(np.sin(0.3))))
    dark = DieLook(body=(0.01, 0.01, 0.01), ink=(0.01, 0.01, 0.01))
    brightest = [
        float(trace(camera, GREY, [die(replace(dark, gloss=gloss), 1, (0, 0), 0.4)], window).light[50:70, 50:70].max())
        for gloss in (0.0, 1.0)
    ]
    assert brightest[1] > brightest[0] + 0.5


def test_a_seed_is_a_scene() -> None:
    one, same, other = (make_scene(replace(PLAIN, size_wh=(160, 120), dice=2), [3, n]) for n in (1, 1, 2))
    assert (one.image == same.image).all()
    assert [d.value for d in one.dice] == [d.value for d in same.dice]
    assert (one.image != other.image).any()


@pytest.mark.parametrize(
    ("shot", "held"),
    [
        (Shot(gain=0.3), lambda plain, told: told.mean() < 0.75 * plain.mean()),
        (Shot(gain=3.0), lambda plain, told: told.mean() > 1.2 * plain.mean()),
        (Shot(bands=0.5), lambda plain, told: np.ptp(told.mean((1, 2))) > 2 * np.ptp(plain.mean((1, 2))) + 10),
        (Shot(motion_px=9), lambda plain, told: np.abs(np.diff(told[:, 60:68, 0].astype(int), axis=1)).max() < 60),
        (Shot(cast=(0.4, 0.8, 1.2)), lambda plain, told: told[..., 2].mean() > told[..., 0].mean() + 30),
    ],
    ids=["dark", "bright", "bands", "motion", "warm"],
)
def test_what_the_camera_does_is_seen_in_the_picture(
    shot: Shot, held: Callable[[np.ndarray, np.ndarray], bool]
) -> None:
    light = np.full((120, 128, 3), 0.25, np.float32)
    light[:, 64:] = 0.4
    quiet = {"noise": 0.0, "blur_px": 0.0}
    plain = photographed(light, replace(Shot(), **quiet), np.random.default_rng(0))
    told = photographed(light, replace(shot, **quiet), np.random.default_rng(0))
    assert held(plain, told)


def of(scenes: Iterable[Scene], duty: Duty) -> int:
    return sum(die.duty is duty for scene in scenes for die in scene.dice)


def test_duties_are_those_of_the_fault() -> None:
    def scene(name: str) -> Scene:
        return scene_of(name.split("/")[0], STEPS[name], 0)

    assert of([scene("cut by the frame/40 %")], Duty.NO_VALUE) >= 4
    assert of([scene("cut by the frame/not yet")], Duty.READ) >= 4
    assert of([scene("cocked/15 degrees")], Duty.MAY_REFUSE) >= 3
    assert of([scene(f"not pip dice/{kind}") for kind in (SHAPES[4], CUBE_MARKS[0])], Duty.NO_VALUE) >= 6
    assert scene("clutter/domino").dice == ()
