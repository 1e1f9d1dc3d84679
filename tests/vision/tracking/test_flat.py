"""A die that leans is told by its shape on the table and by sides that a flat die hides; flat ones are left alone."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.geometry import TableGeometry
from vision.readings import DieReading, Point, Unreadable
from vision.tracking.flat import leans
from vision.tracking.track import Sample

GEOMETRY = TableGeometry((640.0, 360.0), ((0.0, 0.0), (640.0, 0.0), (640.0, 360.0), (0.0, 360.0)))
"""A camera that looks straight down, a pixel a millimetre: its foot is the middle of the picture."""
RED_BGR = (40, 40, 190)
HUE = cv2.cvtColor(np.array([[RED_BGR]], np.float32) / 255, cv2.COLOR_BGR2Lab)[0, 0]


def samples(
    centre: Point, wide: float, high: float, *, pips: int = 4, reason: Unreadable | None = None
) -> list[Sample]:
    x, y = centre
    x0, y0, x1, y1 = x - wide / 2, y - high / 2, x + wide / 2, y + high / 2
    outline = ((x0, y0), (x1, y0), (x1, y1), (x0, y1))
    value = None if reason else pips
    reading = DieReading(
        value,
        reason,
        0.9,
        (x0, y0, x1, y1),
        outline,
        tuple((x + n, y) for n in range(pips)),
        "red",
        "white",
        RED_BGR,
    )
    return [Sample(n, reading, HUE, 0.0, False, False, centre, centre, wide) for n in range(3)]


def table(*boxes: tuple[float, float, float, float]) -> np.ndarray:
    """A grey-brown table, (360, 640, 3) BGR, with red boxes x0, y0, x1, y1."""
    image = np.full((360, 640, 3), (70, 95, 110), np.uint8)
    for x0, y0, x1, y1 in boxes:
        cv2.rectangle(image, (round(x0), round(y0)), (round(x1), round(y1)), RED_BGR, -1)
    return image


FAR = (320.0, 60.0)
"""North of the camera's foot: of a flat die there the camera may see the south side, and never the north one."""


@pytest.mark.parametrize(
    ("name", "wide", "high", "pips", "expected"),
    [
        ("a square", 30, 30, 4, False),
        ("as uneven as readings of flat dice are", 30, 26, 4, False),
        ("foreshortened", 30, 21, 4, True),
        ("a one, whose outline is a guess", 30, 21, 1, False),
    ],
)
def test_the_shape_of_a_face_on_the_table(name: str, wide: float, high: float, pips: int, expected: bool) -> None:
    x, y = FAR
    image = table((x - wide / 2, y - high / 2, x + wide / 2, y + high / 2))
    assert leans(samples(FAR, wide, high, pips=pips), GEOMETRY, image) is expected, name


def test_what_the_reader_calls_tilted_leans_even_where_the_geometry_is_unknown() -> None:
    tilted = samples(FAR, 30, 30, reason=Unreadable.TILTED)
    assert leans(tilted, None, table())
    assert not leans(samples(FAR, 30, 30, reason=Unreadable.GLARE), None, table())


def test_a_side_that_a_flat_die_hides_is_seen_of_one_that_leans() -> None:
    x, y = FAR
    face = (x - 15, y - 15, x + 15, y + 15)
    behind = (x - 15, y - 29, x + 15, y - 15)
    before = (x - 15, y + 15, x + 15, y + 25)
    assert leans(samples(FAR, 30, 30), GEOMETRY, table(face, behind))
    assert not leans(samples(FAR, 30, 30), GEOMETRY, table(face, before)), "the side towards the camera may be seen"
    assert not leans(samples(FAR, 30, 30), GEOMETRY, table(face)), "and none has to be"


def test_a_neighbour_of_the_same_colour_is_no_side() -> None:
    x, y = FAR
    face, neighbour = (x - 15, y - 15, x + 15, y + 15), (x - 15, y - 46, x + 15, y - 16)
    x0, y0, x1, y1 = neighbour
    outline = ((x0, y0), (x1, y0), (x1, y1), (x0, y1))
    assert not leans(samples(FAR, 30, 30), GEOMETRY, table(face, neighbour), [outline])
    assert leans(samples(FAR, 30, 30), GEOMETRY, table(face, neighbour)), "unless nobody knows of the neighbour"
