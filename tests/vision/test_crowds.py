"""Dice that touch one another: each is read, and nothing is read between them."""

from __future__ import annotations

from math import dist

import cv2
import numpy as np
import pytest

from device.simulated.lamps import DAYLIGHT
from device.simulated.layout import SEAT_COLOURS, TABLE_SIZE_MM
from device.simulated.motion import Rest
from device.simulated.optics import PinholeCamera
from device.simulated.render import Renderer, SeenDie, StillPart
from vision.crowds import has_its_own_place, places_in_crowds
from vision.dice import DiceReader
from vision.faces import Face
from vision.images import Image
from vision.lattice import pattern
from vision.networks import Proposals

DIE_MM = 16.0
SIDE = 24.0
SQUARE = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])
RED, GREEN = (40, 40, 200), (60, 140, 60)


def corners_mm(rest: Rest) -> np.ndarray:
    turn = np.array([(np.cos(rest.yaw_rad), -np.sin(rest.yaw_rad)), (np.sin(rest.yaw_rad), np.cos(rest.yaw_rad))])
    return (DIE_MM * SQUARE @ turn.T + (rest.x_mm, rest.y_mm)).astype(np.float32)


def three_that_touch(rng: np.random.Generator, x_mm: float, y_mm: float) -> list[Rest]:
    """Three dice side by side or corner to corner, none within another."""
    dice = [Rest(x_mm, y_mm, rng.uniform(0, np.pi / 2), int(rng.integers(1, 7)))]
    while len(dice) < 3:
        of, way = dice[int(rng.integers(len(dice)))], rng.uniform(0, 2 * np.pi)
        apart_mm = rng.uniform(1.0, 1.45) * DIE_MM
        x, y = of.x_mm + apart_mm * np.cos(way), of.y_mm + apart_mm * np.sin(way)
        die = Rest(x, y, rng.uniform(0, np.pi / 2), int(rng.integers(1, 7)))
        if all(cv2.intersectConvexConvex(corners_mm(die), corners_mm(each))[0] < 0.5 for each in dice):
            dice.append(die)
    return dice


def crowded_table(seed: int) -> tuple[Image, list[tuple[tuple[float, float], int]]]:
    """A picture of 72 dice in threes of one colour each, and where each lies in it, with its value."""
    rng = np.random.default_rng(seed)
    width, depth = TABLE_SIZE_MM
    camera = PinholeCamera((1280, 720), (-60, -60, width + 60, depth + 60), tilt_deg=18.0)
    dice = [
        (colour, rest)
        for x in np.linspace(60, width - 60, 6)
        for y in np.linspace(60, depth - 60, 4)
        for colour in [SEAT_COLOURS[int(rng.integers(1, 7))]]
        for rest in three_that_touch(rng, float(x), float(y))
    ]
    seen = [SeenDie(colour, (rest.pose(),), None) for colour, rest in dice]
    still = StillPart(None, (), True, tuple(range(len(dice))))
    image = Renderer(camera, seed=seed, surface_name="wood", noise=1.0).picture(
        still, seen, [], [], noise_seed=seed, lamp=DAYLIGHT
    )
    tops = camera.project(np.array([(rest.x_mm, rest.y_mm, DIE_MM) for _, rest in dice]))
    return image, [(tuple(top), rest.value) for top, (_, rest) in zip(tops.tolist(), dice, strict=True)]


def read_right(image: Image, dice: list[tuple[tuple[float, float], int]]) -> int:
    """How many are read with their values; none may be read with another, and nothing beside them."""
    right = 0
    for die in DiceReader().read(image):
        place_px, value = min(dice, key=lambda each: dist(each[0], die.centre_px))
        if die.value is not None:
            assert dist(place_px, die.centre_px) < 9, die
            assert die.value == value, die
            right += 1
    return right


def test_most_dice_that_the_finder_overlooks_among_others_are_read_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tables = [crowded_table(seed) for seed in (1, 5)]
    right = sum(read_right(*table) for table in tables)
    monkeypatch.setattr("vision.dice.places_in_crowds", lambda image, proposals, faces: proposals.only(slice(0)))
    named = sum(read_right(*table) for table in tables)
    overlooked = 144 - named
    assert overlooked >= 10
    assert right - named >= overlooked / 3
    assert right >= 132


def face(centre_px: tuple[float, float], value: int, *, side_px: float = SIDE) -> Face:
    chances = np.eye(8)[value]
    return Face(
        0.6, np.zeros(4), chances, value, True, True, 0.95, True, side_px * SQUARE + centre_px,
        pattern(value, 0.25) * side_px + centre_px, centre_px, side_px,
    )  # fmt: skip


def painted(*bodies: tuple[tuple[float, float], tuple[int, int, int]]) -> Image:
    """A wooden table with squares of dice upon it, in BGR."""
    image = np.full((200, 300, 3), (90, 130, 170), np.uint8)
    for (x, y), colour in bodies:
        half = int(SIDE / 2)
        image[int(y) - half : int(y) + half, int(x) - half : int(x) + half] = colour
    return image


NOTHING = Proposals(np.zeros((0, 2)), np.zeros(0), np.zeros(0))


def test_a_place_beside_a_face_is_looked_at_where_the_colour_of_its_body_goes_on() -> None:
    read, other = (100.0, 100.0), (128.0, 100.0)
    places = places_in_crowds(painted((read, RED), (other, RED)), NOTHING, [face(read, 5)])
    assert len(places) == 1
    assert dist(places.centres_px[0], other) < 3
    assert places.sides_px.tolist() == [SIDE]


@pytest.mark.parametrize(
    ("other_colour", "others"),
    [(GREEN, []), (RED, [face((128.0, 100.0), 3)])],
    ids=["of another colour", "read already"],
)
def test_a_place_beside_a_face_is_not_looked_at_when_nothing_is_missing(other_colour, others) -> None:
    read = (100.0, 100.0)
    image = painted((read, RED), ((128.0, 100.0), other_colour))
    assert len(places_in_crowds(image, NOTHING, [face(read, 5), *others])) == 0


def test_where_the_finder_insists_and_no_face_was_found_the_usual_size_is_tried() -> None:
    image = painted(((60.0, 100.0), RED))
    insists = Proposals(np.array([(200.0, 100.0)]), np.array([2.5 * SIDE]), np.array([0.5]))
    places = places_in_crowds(image, insists, [face((60.0, 100.0), 5)])
    assert places.centres_px.tolist() == [[200.0, 100.0]]
    assert places.sides_px.tolist() == [SIDE]
    doubts = Proposals(insists.centres_px, insists.sides_px, np.array([0.25]))
    assert len(places_in_crowds(image, doubts, [face((60.0, 100.0), 5)])) == 0
    assert len(places_in_crowds(image, insists, [])) == 0, "nothing tells how large dice are"


def test_around_a_crowd_more_places_are_tried_but_none_on_a_face() -> None:
    read = (100.0, 100.0)
    crowd = Proposals(np.array([(125.0, 100.0)]), np.array([1.5 * SIDE]), np.array([0.5]))
    places = places_in_crowds(painted((read, RED)), crowd, [face(read, 5)])
    assert 4 <= len(places) < 9
    assert all(dist(place, read) >= 0.7 * SIDE for place in places.centres_px)


@pytest.mark.parametrize(("sides", "own"), [(0.6, False), (1.05, True)])
def test_no_face_lies_nearer_to_another_than_bodies_can(sides: float, own: bool) -> None:
    assert has_its_own_place(face((100.0 + sides * SIDE, 100.0), 1), [face((100.0, 100.0), 1)]) is own


def test_a_face_made_of_the_pips_of_two_others_is_none() -> None:
    two, other_two = face((100.0, 100.0), 6), face((126.0, 100.0), 6)
    straddling = face((113.0, 100.0), 4, side_px=1.05 * SIDE)
    near = min(dist(a, b) for a in straddling.pips_px for b in (*two.pips_px, *other_two.pips_px))
    assert near < 0.09 * SIDE
    assert not has_its_own_place(straddling, [two, other_two])


def test_only_places_that_are_wanted_are_looked_at() -> None:
    table = [((x, 100.0), RED) for x in (60.0, 88.0, 172.0, 200.0, 228.0)]
    faces = [face((60.0, 100.0), 5), face((200.0, 100.0), 5)]
    crowd = Proposals(np.array([(75.0, 100.0), (215.0, 100.0)]), np.full(2, 1.5 * SIDE), np.full(2, 0.5))
    image = painted(*table)
    for proposals in (NOTHING, crowd):
        everywhere = places_in_crowds(image, proposals, faces).centres_px
        right = places_in_crowds(image, proposals, faces, lambda places_px: places_px[:, 0] > 210).centres_px
        assert right.tolist() == everywhere[everywhere[:, 0] > 210].tolist()
        assert 0 < len(right) < len(everywhere)
        assert not len(places_in_crowds(image, proposals, faces, lambda places_px: places_px[:, 0] < 0))
