from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.errors import BadImage
from vision.marker_codes import MARKER_DICTIONARY
from vision.marker_outlines import outlines
from vision.markers import (
    CARD_BACK_IDS,
    CARD_IDS,
    CORNER_IDS,
    RESERVED_IDS,
    SPARE_IDS,
    MarkerReader,
    marker_image,
)
from vision.overlay import draw
from vision.reader import NoDice, TableReader


def sheet_of(ids: list[int], side_px: int, across: int, table: int = 90) -> np.ndarray:
    pitch = round(side_px * 1.4)
    rows = -(-len(ids) // across)
    image = np.full((rows * pitch + 20, across * pitch + 20), table, np.uint8)
    for k, marker_id in enumerate(ids):
        y, x = 10 + k // across * pitch, 10 + k % across * pitch
        image[y : y + side_px, x : x + side_px] = marker_image(marker_id, side_px)
    return image


def turned(image: np.ndarray, degrees: float) -> np.ndarray:
    side = max(image.shape) * 2
    matrix = cv2.getRotationMatrix2D((image.shape[1] / 2, image.shape[0] / 2), degrees, 1)
    matrix[:, 2] += side / 2 - np.array(image.shape[1::-1]) / 2
    return cv2.warpAffine(image, matrix, (side, side), borderValue=90)


def test_the_dictionary_has_many_bits_and_mends_five() -> None:
    dictionary = cv2.aruco.getPredefinedDictionary(MARKER_DICTIONARY)
    assert (dictionary.markerSize, len(dictionary.bytesList), dictionary.maxCorrectionBits) == (6, 250, 5)


def test_the_ranges_of_ids_are_apart_and_complete() -> None:
    together = [*CARD_IDS, *SPARE_IDS, *CORNER_IDS, *RESERVED_IDS]
    assert together == list(range(250))
    assert list(CORNER_IDS) == [240, 241, 242, 243]


def test_every_id_is_read_back_from_a_printed_sheet() -> None:
    image = sheet_of(list(range(250)), 50, 20)
    read = MarkerReader().read(image)
    assert [m.id for m in read] == list(range(250))
    pitch = 70
    for marker in read:
        x, y = 10 + marker.id % 20 * pitch + 24.5, 10 + marker.id // 20 * pitch + 24.5
        assert np.hypot(marker.centre_px[0] - x, marker.centre_px[1] - y) < 1


@pytest.mark.parametrize("side_px", [32, 38, 44, 56, 80])
def test_every_id_is_read_at_any_size_although_squares_lie_within_it(side_px: int) -> None:
    assert [m.id for m in MarkerReader().read(sheet_of(list(range(250)), side_px, 20))] == list(range(250))


@pytest.mark.parametrize("degrees", [0, 17, 45, 90, 133, 180, 251, 315])
def test_corners_start_at_the_markers_own_top_left_at_any_angle(degrees: float) -> None:
    image = turned(marker_image(7, 100), degrees)
    (marker,) = MarkerReader().read(image)
    first, second = np.array(marker.corners_px[0]), np.array(marker.corners_px[1])
    along = second - first
    assert np.degrees(np.arctan2(-along[1], along[0])) % 360 == pytest.approx(degrees, abs=2)


@pytest.mark.parametrize(("side_px", "width"), [(22, 2304), (18, 1280), (30, 1280), (600, 1280)])
def test_small_and_large_markers_in_wide_frames(side_px: int, width: int) -> None:
    image = np.full((max(850, width // 2), width), 120, np.uint8)
    whole = round(side_px * 10 / 8)
    code = cv2.resize(marker_image(33, 400), (whole, whole), interpolation=cv2.INTER_AREA)
    image[50 : 50 + whole, 90 : 90 + whole] = code
    assert [m.id for m in MarkerReader().read(image)] == [33]


def test_only_ids_in_play_count() -> None:
    image = sheet_of([3, 77, 240], 60, 3)
    reader = MarkerReader(ids={77, 240})
    assert [m.id for m in reader.read(image)] == [77, 240]
    assert [(r.id, r.why) for r in reader.refused] == [(3, "the id is not in play")]


@pytest.mark.parametrize("ids", [{-1}, {250}, {3, 999}])
def test_unknown_ids_are_refused_at_once(ids: set[int]) -> None:
    with pytest.raises(ValueError, match="0 to 249"):
        MarkerReader(ids=ids)
    with pytest.raises(ValueError, match="0 to 249"):
        MarkerReader(repeated=ids)
    with pytest.raises(ValueError, match="No such marker"):
        marker_image(max(ids) if max(ids) >= 250 else min(ids), 50)


def test_the_same_id_at_two_places_is_refused_at_both() -> None:
    reader = MarkerReader()
    assert [m.id for m in reader.read(sheet_of([5, 9, 5], 60, 3))] == [9]
    assert [r.id for r in reader.refused] == [5, 5]


def test_backs_are_two_spare_ids_apart_from_all_that_tells_a_card() -> None:
    assert len(set(CARD_BACK_IDS)) == 2
    assert set(CARD_BACK_IDS) <= set(SPARE_IDS)
    assert not set(CARD_BACK_IDS) & set(CARD_IDS)


def test_a_repeated_id_is_kept_at_each_of_its_places_from_left_to_right() -> None:
    first, second = CARD_BACK_IDS
    reader = MarkerReader(ids=[9], repeated=CARD_BACK_IDS)
    read = reader.read(sheet_of([second, first, first, 9, first, second], 60, 3))
    assert [m.id for m in read] == [9, first, first, first, second, second]
    assert reader.refused == ()
    assert [tuple(round((x - 39.5) / 84) for x in m.centre_px) for m in read] == [
        (0, 1), (1, 0), (1, 1), (2, 0), (0, 0), (2, 1),
    ]  # fmt: skip


def test_what_is_not_repeated_is_still_refused_at_two_places_beside_what_is() -> None:
    reader = MarkerReader(repeated=[200])
    assert [m.id for m in reader.read(sheet_of([200, 5, 201, 5, 200, 201], 60, 3))] == [200, 200]
    assert sorted(r.id for r in reader.refused) == [5, 5, 201, 201]


def test_a_marker_that_is_outlined_twice_counts_once() -> None:
    """Large ones are outlined in the whole picture and in the one of a quarter of its width."""
    image = sheet_of([200, 3, 200], 160, 3)
    assert len(outlines(image)) > 3
    assert [m.id for m in MarkerReader([3], repeated=[200]).read(image)] == [3, 200, 200]


def test_readings_and_overlays_hold_repeated_markers_with_their_places() -> None:
    reader = TableReader(dice=NoDice(), markers=MarkerReader([3], repeated=[200]))
    image = cv2.cvtColor(sheet_of([200, 3, 200], 60, 3), cv2.COLOR_GRAY2BGR)
    reading = reader.read(image)
    assert [m.id for m in reading.markers] == [3, 200, 200]
    assert len({m.corners_px for m in reading.markers}) == 3
    drawn = draw(image, reading)
    for marker in reading.markers:
        x, y = (round(value) for value in marker.corners_px[2])
        near = drawn[y - 3 : y + 4, x - 3 : x + 4].astype(int)
        assert (near[..., 0] - near[..., 2]).max() > 100, "no blue line was drawn over the grey picture"


def test_a_reader_without_dice_reads_markers_alone_and_refuses_what_is_no_image() -> None:
    image = cv2.cvtColor(sheet_of([3, 77], 60, 2), cv2.COLOR_GRAY2BGR)
    reading = TableReader(dice=NoDice()).read(image)
    assert [m.id for m in reading.markers] == [3, 77]
    assert reading.dice == ()
    assert set(reading.stage_ms) == {"markers", "geometry"}
    with pytest.raises(BadImage):
        NoDice().read(np.zeros((50, 50, 4), np.uint8))


def test_a_marker_cut_by_the_edge_is_not_read_and_one_inside_is() -> None:
    image = sheet_of([12], 80, 1)
    assert [m.id for m in MarkerReader().read(image)] == [12]
    for cut in (image[22:], image[:, 22:], image[:78], image[:, :78], image[18:, 18:]):
        assert MarkerReader().read(np.ascontiguousarray(cut)) == ()


def test_without_white_border_the_dark_table_swallows_it_and_the_printed_border_saves_it() -> None:
    printed = marker_image(40, 100)
    assert (printed[:10] == 255).all()
    assert (printed[:, -10:] == 255).all()
    assert (printed[10:-10, 10:-10][0] == 0).all()


@pytest.mark.parametrize("side_px", [0, 9])
def test_an_image_too_small_for_its_modules_is_refused(side_px: int) -> None:
    with pytest.raises(ValueError, match="at least 10"):
        marker_image(1, side_px)


def test_colour_and_grey_images_give_the_same() -> None:
    image = sheet_of([1, 2, 3], 60, 3)
    assert MarkerReader().read(image) == MarkerReader().read(cv2.cvtColor(image, cv2.COLOR_GRAY2BGR))


def test_clutter_gives_no_marker() -> None:
    from vision.training.scenes import SceneLimits, render_scene

    limits = SceneLimits(clutter=0.0)
    for seed in range(15):
        scene = render_scene(np.random.default_rng(880_000 + seed), 448, limits)
        assert MarkerReader().read(scene.image) == ()
