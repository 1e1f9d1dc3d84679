"""Dice that lean are told from dice that lie flat in the same place, of any colour, on any ground, beside others."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.tracking.leaning_scenes import Laid, Scene
from vision.geometry import TableGeometry
from vision.readings import Unreadable
from vision.tracking.flat import leaning_chance, leans
from vision.tracking.leaning import leaning_chances
from vision.tracking.track import Sample
from vision.tracking.upright import CHANNELS, UPRIGHT_PX

SURFACES = ("wood", "felt", "slate", "linen")
LOOKS = ("red", "blue", "green", "yellow", "white", "black")
PLACES = [(float(x), float(y)) for y in (50, 330) for x in (70, 210, 350, 490, 600)]
APART_MM = 17.5


@cache
def pairs(surface: str, tilt_deg: float, seed: int = 0, *, alone: bool = False) -> Scene:
    """Ten dice, each leaning on another of its set, all round and in all places; of no tilt, they lie beside it.

    Even numbers are those that lean, odd ones what they lean on.
    """
    dice = []
    for n, (x, y) in enumerate(PLACES):
        look = LOOKS[n % len(LOOKS)]
        way = seed + n * 2 * np.pi / len(PLACES)
        c, s = float(np.cos(way)), float(np.sin(way))
        # What leans is higher and reaches farther towards what it leans on.
        apart = APART_MM + 4.0 if tilt_deg else APART_MM + 1.5
        dice.append(Laid(look, x, y, way + 0.02, 1 + n % 6, tilt_deg, way))
        if not alone:
            dice.append(Laid(look, x + apart * c, y + apart * s, way - 0.03, 1 + (n + 2) % 6))
    return Scene(dice, surface, seed=seed)


def judged(scene: Scene, number: int) -> bool:
    return leans(scene.samples(number), scene.geometry, scene.image, scene.around(number))


@pytest.mark.parametrize(("surface", "tilt_deg"), list(zip(SURFACES, (22.0, 38.0, 30.0, 26.0), strict=True)))
def test_dice_that_lean_on_another_are_told_and_what_they_lean_on_lies_flat(surface: str, tilt_deg: float) -> None:
    scene = pairs(surface, tilt_deg)
    found = [judged(scene, number) for number in range(len(scene.dice))]
    assert sum(found[::2]) >= len(PLACES) - 1, found
    assert not any(found[1::2]), found


@pytest.mark.parametrize("surface", SURFACES)
def test_dice_that_touch_lie_flat(surface: str) -> None:
    scene = pairs(surface, 0.0)
    assert not any(judged(scene, number) for number in range(len(scene.dice)))


def test_the_same_dice_are_told_from_the_same_places_by_their_tilt_alone() -> None:
    chances = []
    for tilt_deg in (0.0, 20.0, 40.0):
        scene = pairs("wood", tilt_deg, 1, alone=True)
        chances.append(
            np.mean([leaning_chance(scene.samples(n), scene.geometry, scene.image) for n in range(len(scene.dice))])
        )
    assert chances[0] < 0.05
    assert chances[-1] > 0.9
    assert chances[0] < chances[1] < chances[2]


def test_without_the_tables_geometry_only_the_readers_word_counts() -> None:
    scene = pairs("wood", 22.0)
    assert judged(scene, 0)
    assert not leans(scene.samples(0), None, scene.image, scene.around(0))
    assert leans(scene.samples(1, reason=Unreadable.TILTED), None, scene.image)
    assert not leans(scene.samples(1, reason=Unreadable.GLARE), None, scene.image)


def test_with_a_hand_over_it_only_the_readers_word_counts() -> None:
    scene = pairs("wood", 22.0)
    assert judged(scene, 0)
    for reason, expected in ((None, False), (Unreadable.TILTED, True)):
        under = [replace(sample, cover=0.2) for sample in scene.samples(0, reason=reason)]
        assert leans(under, scene.geometry, scene.image, scene.around(0)) is expected


def test_most_of_the_last_samples_must_call_it_tilted() -> None:
    scene = pairs("wood", 0.0)
    flat, tilted = scene.samples(0, count=1), scene.samples(0, reason=Unreadable.TILTED, count=1)
    assert leans([*flat, *tilted, *tilted], scene.geometry, scene.image)
    assert not leans([*tilted, *flat, *flat], scene.geometry, scene.image)
    assert not leans([], scene.geometry, scene.image)


def test_a_reading_that_was_carried_over_is_no_look_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """What lies still is read now and then, and what was read stays meanwhile: one doubtful outline counts once."""
    scene = pairs("wood", 22.0)
    (sample,) = scene.samples(0, count=1)
    looks: list[int] = []

    def chances(maps: NDArray[np.uint8]) -> NDArray[np.float64]:
        looks.append(len(maps))
        return np.array([0.5, *[0.9999] * len(maps)])[: len(maps)][::-1]

    monkeypatch.setattr("vision.tracking.flat.leaning_chances", chances)

    def drawn(by_px: float, at_ns: int = 0) -> Sample:
        outline = tuple((x + by_px, y) for x, y in sample.reading.outline_px)
        return replace(sample, at_ns=at_ns, reading=replace(sample.reading, outline_px=outline))

    doubtful = drawn(0.0)
    assert not leans([doubtful] * 4, scene.geometry, scene.image)
    assert leans([drawn(0.3), drawn(0.6), doubtful, doubtful, doubtful], scene.geometry, scene.image)
    assert leans([drawn(0.1), drawn(0.2), drawn(0.3), drawn(0.6), doubtful], scene.geometry, scene.image)
    assert not leans([drawn(0.3), drawn(0.6), drawn(0.0, 2_000_000_000)], scene.geometry, scene.image), "long ago"
    assert looks == [1, 3, 3, 1]


def test_where_it_cannot_be_told_a_die_lies_flat() -> None:
    """Seen from lower than any camera over a table stands."""
    scene = pairs("wood", 22.0)
    width, height = 640.0, 360.0
    steep = TableGeometry(
        scene.geometry.table_size_mm, ((300.0, 340.0), (340.0, 340.0), (width, height), (0.0, height))
    )
    assert leaning_chance(scene.samples(0), scene.geometry, scene.image) > 0.5
    assert leaning_chance(scene.samples(0), steep, scene.image) == 0.0


def test_a_die_at_the_rim_of_the_picture_is_judged_by_what_is_there() -> None:
    scene = pairs("wood", 0.0)
    sample = scene.samples(0, count=1)[0]
    x, _y = sample.centre_px
    cut = scene.image[:, round(x) - 8 :]
    moved = tuple((a - round(x) + 8, b) for a, b in sample.reading.outline_px)
    there = replace(sample, reading=replace(sample.reading, outline_px=moved))
    assert 0.0 <= leaning_chance([there], scene.geometry, np.ascontiguousarray(cut)) <= 1.0


def test_chances_come_one_for_each_die_and_none_for_none() -> None:
    maps = np.random.default_rng(3).integers(0, 256, (5, CHANNELS, UPRIGHT_PX, UPRIGHT_PX), np.uint8)
    together = leaning_chances(maps)
    assert together.shape == (5,)
    assert together == pytest.approx(np.concatenate([leaning_chances(maps[n : n + 1]) for n in range(5)]), abs=1e-4)
    assert leaning_chances(maps[:0]).shape == (0,)
