from __future__ import annotations

import numpy as np
import pytest

from vision.dice import Worth
from vision.errors import BadImage
from vision.geometry import TableGeometry
from vision.images import Image
from vision.markers import CORNER_IDS, marker_image
from vision.overlay import draw
from vision.reader import NoDice, TableReader
from vision.readings import DieReading, MarkerReading, Reading, Unreadable


def table_image() -> np.ndarray:
    image = np.full((400, 600, 3), 150, np.uint8)
    for marker_id, (x, y) in zip(
        [*CORNER_IDS, 17], [(10, 10), (520, 10), (520, 320), (10, 320), (265, 165)], strict=True
    ):
        image[y : y + 70, x : x + 70] = marker_image(marker_id, 70)[:, :, None]
    return image


def test_markers_get_their_place_in_mm() -> None:
    image = table_image()
    reader = TableReader()
    first = reader.read(image, exposure_start_ns=5, sequence=9)
    assert (first.size_wh, first.exposure_start_ns, first.sequence) == ((600, 400), 5, 9)
    assert [m.id for m in first.markers] == [17, *CORNER_IDS]
    assert all(m.position_mm is None for m in first.markers)
    assert {"dice.proposals", "dice.faces", "markers"} <= set(first.stage_ms)
    reader.geometry = TableGeometry.from_corner_markers(first.markers, (510, 310))
    places = {m.id: m.position_mm for m in reader.read(image).markers}
    assert places[240] == pytest.approx((0, 0), abs=0.5)
    assert places[242] == pytest.approx((510, 310), abs=0.5)
    assert places[17] == pytest.approx((255, 155), abs=0.5)


@pytest.mark.parametrize(
    ("centre_px", "kept"),
    [((50.0, 50.0), False), ((59.0, 50.0), False), ((70.0, 50.0), True)],
    ids=["on the marker", "on its white border", "beside it"],
)
def test_the_print_of_a_marker_is_no_die(centre_px: tuple[float, float], kept: bool) -> None:
    (x, y), half = centre_px, 5.0
    outline = ((x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half))
    box = (x - half, y - half, x + half, y + half)
    die = DieReading(5, None, 0.9, box, outline, (), "black", "white", (20, 20, 20))
    marker = MarkerReading(7, ((42.0, 42.0), (58.0, 42.0), (58.0, 58.0), (42.0, 58.0)))
    dice, markers = TableReader().placed([die], [marker])
    assert dice == ((die,) if kept else ())
    assert markers == (marker,)


class AskedFor(NoDice):
    """Keeps what it was told to look at."""

    worth: Worth | None = None

    def read(self, image_bgr: Image, worth: Worth | None = None) -> tuple[DieReading, ...]:
        self.worth = worth
        return super().read(image_bgr, worth)


def test_no_die_is_looked_for_in_the_print_of_a_marker_and_everywhere_else() -> None:
    asked = AskedFor()
    reading = TableReader(dice=asked).read(table_image())
    assert asked.worth is not None
    for marker in reading.markers:
        corners, middle = np.array(marker.corners_px), np.array(marker.centre_px)
        for share, looked_at in ((0.0, False), (0.8, False), (1.2, True)):
            look, closely, again = asked.worth.at(middle + (corners - middle) * share)
            assert look.tolist() == [looked_at] * 4, f"{share} of the way from the middle of {marker.id} to its corners"
            assert closely.all()
            assert again.all()
    assert asked.worth.look.mean() > 0.9


def test_a_picture_without_markers_is_looked_at_as_a_whole() -> None:
    asked = AskedFor()
    TableReader(dice=asked).read(np.full((90, 120, 3), 150, np.uint8))
    assert asked.worth is None


def test_wrong_images_are_refused() -> None:
    with pytest.raises(BadImage, match="float64"):
        TableReader().read(np.zeros((50, 50, 3)))


def test_a_reading_is_drawn_without_touching_the_picture() -> None:
    outline = ((50.0, 50.0), (90.0, 50.0), (90.0, 90.0), (50.0, 90.0))
    dice = [
        DieReading(5, None, 0.9, (50, 50, 90, 90), outline, ((70.0, 70.0),), "white", "black", (9, 9, 9)),
        DieReading(
            None,
            Unreadable.GLARE,
            0.9,
            (0, 0, 9, 9),
            tuple((x + 100, y) for x, y in outline),
            (),
            "red",
            "white",
            (9, 9, 9),
        ),
    ]
    image = np.zeros((200, 300, 3), np.uint8)
    drawn = draw(image, Reading((300, 200), tuple(dice), ()))
    assert not image.any()
    assert (drawn[50, 60:80, 1] > 150).all()  # green outline of the die that is read
    assert (drawn[50, 160:180, 2] > 150).all()  # orange one of the die that is not
    assert tuple(drawn[70, 70]) == (255, 0, 255)
    with pytest.raises(ValueError, match="300"):
        draw(image, Reading((200, 300), (), ()))


def test_a_die_without_pips_is_drawn_grey_and_not_in_doubt() -> None:
    outline = ((50.0, 50.0), (90.0, 50.0), (90.0, 90.0), (50.0, 90.0))
    drawn = {}
    for reason in (Unreadable.NOT_A_PIP_DIE, Unreadable.AMBIGUOUS):
        die = DieReading(None, reason, 0.9, (50, 50, 90, 90), outline, (), "white", "black", (9, 9, 9))
        drawn[reason] = draw(np.zeros((200, 300, 3), np.uint8), Reading((300, 200), (die,), ()))
    assert len(set(drawn[Unreadable.NOT_A_PIP_DIE][50, 70].tolist())) == 1
    assert len(set(drawn[Unreadable.AMBIGUOUS][50, 70].tolist())) == 3


@pytest.mark.parametrize(("value", "reason"), [(None, None), (3, Unreadable.GLARE), (7, None), (0, None)])
def test_a_die_has_a_value_or_a_reason(value: int | None, reason: Unreadable | None) -> None:
    with pytest.raises(ValueError, match="die"):
        DieReading(value, reason, 0.5, (0, 0, 1, 1), ((0, 0), (1, 0), (1, 1), (0, 1)), (), "red", "white", (0, 0, 0))
