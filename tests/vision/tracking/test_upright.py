"""Turned upright, flat dice look alike wherever they lie, and leaning ones do not."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from tests.vision.tracking.leaning_scenes import SIZE_WH, Laid, Scene
from vision.tracking.camera import camera_over
from vision.tracking.upright import CHANNELS, UPRIGHT_PX, flat_outline, upright

PLACES = ((60.0, 40.0), (330.0, 330.0), (600.0, 340.0))
YAWS_RAD = (0.0, 0.5, 1.2)
FLAT = [Laid("red", x + 40 * n - 40, y, yaw, 1) for x, y in PLACES for n, yaw in enumerate(YAWS_RAD)]
TOWARDS = [float(np.arctan2(580 - y, 330 - x)) for x, y in PLACES]
LEANING = [Laid("red", x, y, 0.5, 1, 35, way) for (x, y), way in zip(PLACES, TOWARDS, strict=True)]


@cache
def scene_of(*dice: Laid) -> Scene:
    return Scene(dice, "slate")


def maps_of(scene: Scene, number: int = 0, *, alone: bool = True) -> np.ndarray:
    around = [] if alone else [np.array(outline) for outline in scene.around(number)]
    maps = upright(scene.image, scene.outlines[number], around, camera_over(scene.geometry, SIZE_WH))
    assert maps is not None
    return maps


def agreement(maps: np.ndarray) -> float:
    """Of a red die on slate with what is foretold for a flat one: 1 but for rounded corners and pips."""
    body, foretold = maps[1] > 127.5 - 45, maps[4] > 127
    return float((body & foretold).sum() / (body | foretold).sum())


@pytest.mark.parametrize("number", range(len(FLAT)))
def test_a_flat_die_fills_the_outline_foretold_for_it(number: int) -> None:
    maps = maps_of(scene_of(*FLAT), number)
    assert maps.shape == (CHANNELS, UPRIGHT_PX, UPRIGHT_PX)
    assert maps.dtype == np.uint8
    assert agreement(maps) > 0.7


@pytest.mark.parametrize("number", range(len(LEANING)))
def test_a_die_that_leans_does_not(number: int) -> None:
    assert agreement(maps_of(scene_of(*LEANING), number)) < 0.62


@pytest.mark.parametrize("number", range(len(FLAT)))
def test_the_face_lies_upright_in_the_middle_and_the_foot_of_the_camera_below_right(number: int) -> None:
    maps = maps_of(scene_of(*FLAT), number)
    face = maps[3] > 127
    ys, xs = np.nonzero(face)
    assert (xs.mean(), ys.mean()) == pytest.approx(((UPRIGHT_PX - 1) / 2,) * 2, abs=0.5)
    assert (np.ptp(xs), np.ptp(ys)) == pytest.approx((20, 20), abs=1.5), "no turned square"
    shown_y, shown_x = np.argwhere((maps[4] > 127) & ~face).mean(axis=0)
    assert shown_y > ys.mean() + 6
    assert shown_x > xs.mean() - 1


def test_a_mirrored_table_looks_the_same() -> None:
    scene = scene_of(*FLAT)
    image, outline = scene.image.copy(), scene.outlines[1]
    mark = outline.mean(axis=0) + (outline[1] - outline[0]) * 0.9
    cv2.circle(image, np.round(mark).astype(int).tolist(), 4, (255, 255, 255), -1)
    camera = camera_over(scene.geometry, SIZE_WH)
    mirrored = replace(camera, rotation=np.diag([-1.0, 1, 1]) @ camera.rotation, shift=camera.shift * (-1, 1, 1))
    maps = upright(image, outline, [], camera)
    again = upright(cv2.flip(image, 1), outline * (-1, 1) + (SIZE_WH[0] - 1, 0), [], mirrored)
    assert maps is not None
    assert again is not None
    bright = np.argwhere(maps[0] > 180).mean(axis=0)
    assert np.abs(bright - (UPRIGHT_PX - 1) / 2).max() > 5, "the mark lies aside"
    assert np.abs(maps.astype(int) - again).max() <= 2


def test_neighbours_are_told() -> None:
    pair = scene_of(Laid("red", 330.0, 330.0, 0.0), Laid("red", 330.0, 347.0, 0.0))
    alone, maps = maps_of(pair), maps_of(pair, alone=False)
    assert not alone[5].any()
    assert 100 < (maps[5] > 127).sum() < UPRIGHT_PX**2 / 2
    assert np.argwhere(maps[5] > 127).mean(axis=0)[0] > 38, "it lies towards the foot"


def test_nothing_is_shown_of_what_is_seen_from_too_low() -> None:
    scene = scene_of(*FLAT)
    camera = camera_over(scene.geometry, SIZE_WH)
    assert upright(scene.image, scene.outlines[0], [], camera) is not None
    assert upright(scene.image, scene.outlines[0] - (0, 3_000), [], camera) is None


def test_the_outline_of_a_flat_die_goes_towards_the_foot() -> None:
    square = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])
    found = flat_outline(square, np.array([0.0, 10.0]), 0.1)
    assert found[:, 1].max() == pytest.approx(0.5 + 0.95)
    assert found[:, 1].min() == pytest.approx(-0.5)
    above = flat_outline(square, np.array([0.0, 0.0]), 0.1)
    assert np.abs(above).max() == pytest.approx(0.5), "from straight above nothing but the face is seen"
