"""Stickers on rendered tables: which share is read, by what makes it hard, and that nothing wrong is read."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.marker_scenes import Table, drawn
from vision.markers import MarkerReader, marker_image

SIZE = (480, 640)


def lit(*, shadow: float = 0.0, penumbra: float = 0.1, glare: float = 0.0, glare_sides: float = 0.5) -> Table:
    """Markers of middling size on a plain table, nothing else being hard but this light."""
    ordinary = Table(SIZE, side_px=(24, 60), plain=120, noise=3, blur_px=(0, 0.03), gain=(0.7, 1.1), slope=0.3)
    return replace(ordinary, shadow=shadow, penumbra=penumbra, glare=glare, glare_sides=glare_sides)


def share_read(table: Table, seeds: range) -> float:
    """The share of the markers that is read at its place; fails when anything else is read."""
    reader = MarkerReader()
    shown = read = 0
    for seed in seeds:
        scene = drawn(seed, table)
        shown += len(scene.corners)
        for marker in reader.read(scene.image):
            assert marker.id in scene.corners, f"scene {seed} has no marker {marker.id}"
            truth = scene.corners[marker.id]
            side = np.linalg.norm(truth[0] - truth[1])
            off = np.linalg.norm(np.array(marker.corners_px) - truth, axis=1).max()
            assert off < 1.5 + 0.08 * side, f"marker {marker.id} of scene {seed} is {off:.1f} px off"
            read += 1
    return read / shown


@pytest.mark.parametrize(
    ("table", "floor"),
    [
        pytest.param(Table(SIZE, side_px=(14, 20), plain=120), 0.9, id="small"),
        pytest.param(Table(SIZE, side_px=(20, 45)), 0.85, id="middling"),
        pytest.param(Table(SIZE, side_px=(45, 90), count=5), 0.95, id="large"),
        pytest.param(Table(SIZE, side_px=(200, 330), count=1), 0.95, id="huge"),
        pytest.param(Table(SIZE, side_px=(20, 60), tilt=0.3, blur_px=(0, 0.04)), 0.9, id="seen at 45 degrees"),
        pytest.param(Table(SIZE, side_px=(24, 60), gain=(0.3, 0.35)), 0.8, id="a third of the light"),
        pytest.param(Table(SIZE, side_px=(24, 60), gain=(1.5, 3.0), plain=60, blur_px=(0, 0.03)), 0.9, id="much light"),
        pytest.param(Table(SIZE, side_px=(24, 60), slope=1.4), 0.85, id="light from one side"),
        pytest.param(Table(SIZE, side_px=(24, 60), noise=14), 0.85, id="noise"),
        pytest.param(Table(SIZE, side_px=(16, 40), plain=50), 0.9, id="dark table, white border"),
        pytest.param(Table(SIZE, side_px=(24, 60), plain=150, white_border=False), 0.85, id="grey table, no border"),
        pytest.param(lit(shadow=0.2, penumbra=1.0), 0.95, id="shadow of 0.2, a marker wide"),
        pytest.param(lit(shadow=0.2, penumbra=0.05), 0.95, id="shadow of 0.2, sharp"),
        pytest.param(lit(shadow=0.4, penumbra=1.0), 0.95, id="shadow of 0.4, a marker wide"),
        pytest.param(lit(shadow=0.4, penumbra=0.3), 0.9, id="shadow of 0.4, soft"),
        pytest.param(lit(shadow=0.4, penumbra=0.05), 0.9, id="shadow of 0.4, sharp"),
        pytest.param(lit(shadow=0.6, penumbra=1.0), 0.9, id="shadow of 0.6, a marker wide"),
        pytest.param(lit(shadow=0.6, penumbra=0.3), 0.8, id="shadow of 0.6, soft"),
        pytest.param(lit(shadow=0.6, penumbra=0.05), 0.8, id="shadow of 0.6, sharp"),
        pytest.param(lit(shadow=0.7, penumbra=1.0), 0.9, id="shadow of 0.7, a marker wide"),
        pytest.param(lit(shadow=0.7, penumbra=0.05), 0.5, id="shadow of 0.7, sharp"),
        pytest.param(lit(glare=0.05, glare_sides=0.3), 0.95, id="a lamp's reflection of 0.05"),
        pytest.param(lit(glare=0.1, glare_sides=0.3), 0.7, id="a lamp's reflection of 0.1"),
        pytest.param(lit(glare=0.1, glare_sides=1.2), 0.95, id="a window's reflection of 0.1"),
        pytest.param(lit(glare=0.2, glare_sides=1.2), 0.95, id="a window's reflection of 0.2"),
        pytest.param(lit(glare=0.4, glare_sides=1.2), 0.6, id="a window's reflection of 0.4"),
    ],
)  # fmt: skip
def test_most_markers_are_read(table: Table, floor: float) -> None:
    assert share_read(table, range(4)) >= floor


def test_stickers_of_9_mm_are_read_in_a_picture_2304_px_wide_of_a_table_a_metre_wide() -> None:
    """They are 20.7 px wide, 2.6 px a module. A part of that picture, of the same scale, holds 40 of them."""
    table = Table((560, 760), side_px=(20.6, 20.8), count=40, tilt=0.06, blur_px=(0, 0.04), plain=95)
    assert share_read(table, range(4)) >= 0.98


@pytest.mark.parametrize("first_degree", range(0, 360, 90))
def test_no_turn_is_worse_than_another(first_degree: int) -> None:
    """A clean sticker of 9 mm at every degree."""
    reader = MarkerReader()
    sheet = marker_image(121, 400)
    missed = []
    for degree in range(first_degree, first_degree + 90):
        scale = 20.7 / 320
        turn = cv2.getRotationMatrix2D((199.5, 199.5), degree, scale)
        turn[:, 2] += np.array([40.3, 40.6]) - 199.5
        soft = cv2.GaussianBlur(sheet, (0, 0), 0.4 / scale)
        image = cv2.warpAffine(soft, turn, (80, 80), flags=cv2.INTER_AREA, borderValue=90)
        if [marker.id for marker in reader.read(image)] != [121]:
            missed.append(degree)
    assert not missed


def covered(where: tuple[slice, slice], level: int, side_px: int = 100) -> np.ndarray:
    """Marker 33 on a grey table, with something of one brightness over a part of it given in modules of ten."""
    sheet = marker_image(33, 200)
    sheet[where] = level
    image = np.full((240, 240), 120, np.uint8)
    image[50 : 50 + side_px, 60 : 60 + side_px] = cv2.resize(sheet, (side_px, side_px), interpolation=cv2.INTER_AREA)
    return cv2.GaussianBlur(image, (0, 0), 0.8)


def modules(top: float, bottom: float, left: float, right: float) -> tuple[slice, slice]:
    return slice(round(20 * top), round(20 * bottom)), slice(round(20 * left), round(20 * right))


COVERS = {
    "a corner of the frame": modules(0, 3, 0, 3),
    "one side of the frame": modules(0, 2, 0, 10),
    "a piece of the frame": modules(0, 2, 3, 6),
    "a corner of the border and of the frame": modules(8, 10, 8, 10),
    "the middle": modules(4, 6, 4, 6),
    "a stripe": modules(0, 10, 4.5, 6),
    "half of it": modules(5, 10, 0, 10),
}


@pytest.mark.parametrize("level", [20, 70, 120, 170, 235], ids="grey {}".format)
@pytest.mark.parametrize("where", COVERS)
@pytest.mark.parametrize("side_px", [32, 100])
def test_what_is_partly_hidden_is_not_read(where: str, level: int, side_px: int) -> None:
    reader = MarkerReader()
    assert [m.id for m in reader.read(covered(modules(0, 0, 0, 0), level, side_px))] == [33]
    assert reader.read(covered(COVERS[where], level, side_px)) == ()


def test_a_hidden_marker_is_listed_with_the_reason_while_it_can_be_told_which_it_is() -> None:
    reader = MarkerReader()
    assert reader.read(covered(COVERS["the middle"], 170)) == ()
    assert [(r.id, r.why) for r in reader.refused] == [
        (33, "part of it is hidden or glares, or it is too small or too blurred")
    ]


@pytest.mark.parametrize("plain", [170, None], ids=["plain table", "any table"])
@pytest.mark.parametrize(("share", "at_most"), [(0.03, 0.15), (0.05, 0.015), (0.1, 0.0), (0.15, 0.0), (0.3, 0.0)])
def test_markers_under_fingers_and_cards_of_any_colour_are_not_read(
    share: float, at_most: float, plain: int | None
) -> None:
    """At 0.05 the cover is hardly half a module deep, at 0.03 a quarter, or dark over what is dark."""
    reader = MarkerReader()
    shown = read = 0
    for seed in range(9):
        scene = drawn(seed, Table(SIZE, side_px=(24, 60), hidden=share, plain=plain, noise=3, blur_px=(0, 0.03)))
        shown += len(scene.corners)
        read += len(reader.read(scene.image))
    assert read / shown <= at_most


@pytest.mark.parametrize(
    ("table", "at_most"),
    [
        pytest.param(lit(shadow=0.8, penumbra=0.05), 0.1, id="shadow of 0.8, sharp"),
        pytest.param(lit(glare=0.4, glare_sides=0.3), 0.1, id="a lamp's reflection of 0.4"),
        pytest.param(lit(glare=0.8, glare_sides=0.6), 0.03, id="a large lamp's reflection of 0.8"),
        pytest.param(lit(glare=0.8, glare_sides=1.2), 0.07, id="a window's reflection of 0.8"),
    ],
)  # fmt: skip
def test_what_light_hides_is_refused_and_never_taken_for_another(table: Table, at_most: float) -> None:
    assert share_read(table, range(4)) <= at_most


@pytest.mark.parametrize("light", [{"shadow": 0.4}, {"glare": 0.2}], ids=str)
def test_light_falls_on_every_marker_and_on_nothing_else(light: dict[str, float]) -> None:
    """The steps above would tell nothing if it missed them."""
    plain, seen = drawn(0, replace(lit(), noise=0.0)), drawn(0, replace(lit(**light), noise=0.0))
    changed = np.abs(seen.image.astype(int) - plain.image).max(axis=2) > 8
    for corners in seen.corners.values():
        (x0, y0), (x1, y1) = corners.min(axis=0).astype(int), corners.max(axis=0).astype(int)
        side = np.linalg.norm(corners[0] - corners[1])
        assert changed[y0:y1, x0:x1].mean() > 0.02
        reach = int(side)
        changed[max(0, y0 - reach) : y1 + reach, max(0, x0 - reach) : x1 + reach] = False
    assert not changed.any()


@pytest.mark.parametrize("scale", [1, 2, 3])
def test_a_picture_enlarged_gives_the_same_markers(scale: int) -> None:
    scene = drawn(3, Table(SIZE, side_px=(22, 60), noise=2, blur_px=(0, 0.03), plain=140))
    large = cv2.resize(scene.image, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)
    assert {m.id for m in MarkerReader().read(large)} == set(scene.corners)


def test_the_paper_is_not_taken_for_the_marker() -> None:
    """On a dark table the white paper has an outline of its own, around the marker's."""
    image = np.full((200, 200), 15, np.uint8)
    image[40:160, 40:160] = 250
    image[52:148, 52:148] = marker_image(9, 120)[12:108, 12:108]
    (marker,) = MarkerReader().read(image)
    assert np.abs(np.array(marker.corners_px) - [(51.5, 51.5), (147.5, 51.5), (147.5, 147.5), (51.5, 147.5)]).max() < 1
