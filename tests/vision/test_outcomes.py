"""Views of photographs, and which outcome a reading is."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.test_evaluation import die
from vision.outcomes import Frame, Kind, Outcome, View, judge, tilt_deg, view_of
from vision.readings import DieReading


def square_seen_at(tilt: float, turned: float, side_px: float = 40) -> tuple[tuple[float, float], ...]:
    """Corners of a square turned on its table, seen from far away by a camera that is turned as well."""
    angles = np.radians(turned + np.array([45, 135, 225, 315]))
    corners = side_px / np.sqrt(2) * np.column_stack([np.cos(angles), np.sin(angles) * np.cos(np.radians(tilt))])
    roll = np.radians(3 * turned)
    turn = np.array([(np.cos(roll), -np.sin(roll)), (np.sin(roll), np.cos(roll))])
    return tuple((float(x), float(y)) for x, y in corners @ turn.T + 100)


@pytest.mark.parametrize("tilt", [0, 10, 30, 45, 60, 80])
@pytest.mark.parametrize("turned", [0, 17, 45, 71])
def test_the_tilt_is_told_from_an_outline_however_the_die_is_turned(tilt: float, turned: float) -> None:
    assert tilt_deg(square_seen_at(tilt, turned)) == pytest.approx(tilt, abs=0.01)


def test_an_outline_without_extent_is_seen_edge_on() -> None:
    assert tilt_deg([(5, 5)] * 4) == 90


def seen(kind: Kind, tilt: float) -> Outcome:
    plain = die(3 if kind is not Kind.REFUSED else None, 0, 0)
    outline = square_seen_at(tilt, 20)
    reading = DieReading(plain.value, plain.reason, 0.95, plain.box_xyxy, outline, (), "red", "white", plain.colour_bgr)
    return Outcome(kind, None if kind is Kind.INVENTED else 3, (0, 0, 9, 9), reading)


MISSED = Outcome(Kind.MISSED, 3, (0, 0, 9, 9), None)


@pytest.mark.parametrize(
    ("label", "outcomes", "view"),
    [
        ("overhead", [seen(Kind.RIGHT, 60)], View.OVERHEAD),
        ("crop", [seen(Kind.RIGHT, 60)], View.CROP),
        ("oblique", [seen(Kind.RIGHT, 10)], View.MILD),
        ("oblique", [seen(Kind.RIGHT, 44), seen(Kind.RIGHT, 43), seen(Kind.RIGHT, 70)], View.MILD),
        ("oblique", [seen(Kind.RIGHT, 46), seen(Kind.REFUSED, 10), seen(Kind.INVENTED, 5)], View.STEEP),
        ("oblique", [seen(Kind.REFUSED, 50), MISSED], View.STEEP),
        ("oblique", [MISSED, seen(Kind.INVENTED, 50)], View.UNKNOWN),
        (None, [seen(Kind.RIGHT, 15)], View.OVERHEAD),
        (None, [seen(Kind.RIGHT, 30)], View.MILD),
        (None, [seen(Kind.RIGHT, 55)], View.STEEP),
    ],
)
def test_the_label_tells_the_view_and_outlines_tell_how_oblique(
    label: str | None, outcomes: list[Outcome], view: View
) -> None:
    entry = {"image": "x.png"} if label is None else {"image": "x.png", "view": label}
    assert view_of(entry, outcomes) is view


def test_only_a_refused_reading_with_the_same_box_tells_what_was_held_back() -> None:
    entry = {"dice": [{"value": 5, "box": [0, 0, 40, 40]}, {"value": 2, "box": [50, 0, 90, 40]}], "ignore": []}
    bold = [die(5, 20, 20, 0.4), die(2, 70, 21, 0.6), die(6, 200, 20, 0.3)]
    first, second, beside = judge([die(None, 20, 20), die(None, 70, 20), die(None, 200, 20)], entry, bold)
    assert (first.kind, first.held_back) == (Kind.REFUSED, (5, 0.4))
    assert (second.kind, second.held_back) == (Kind.REFUSED, None)
    assert (beside.kind, beside.held_back) == (Kind.LEFT_OPEN, (6, 0.3))
    frame = Frame("x.png", "a", False, True, View.OVERHEAD, 1.0, (first, beside))
    assert not frame.wholly_right()
    assert frame.wholly_right(0.35), "the five would have been stated, the six beside it not"
    assert not frame.wholly_right(0.2)
    assert not frame.wholly_right(0.5)
