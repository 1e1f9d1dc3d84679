from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.errors import GeometryError
from vision.geometry import TableGeometry
from vision.markers import CORNER_IDS
from vision.readings import MarkerReading

SQUARE = [(100.0, 80.0), (1100.0, 80.0), (1200.0, 680.0), (40.0, 690.0)]


def marker(marker_id: int, centre: tuple[float, float]) -> MarkerReading:
    x, y = centre
    return MarkerReading(marker_id, ((x - 5, y - 5), (x + 5, y - 5), (x + 5, y + 5), (x - 5, y + 5)))


def corners(places: list[tuple[float, float]] = SQUARE) -> list[MarkerReading]:
    return [marker(i, place) for i, place in zip(CORNER_IDS, places, strict=True)]


def test_the_far_left_marker_is_the_origin_and_y_comes_towards_the_camera() -> None:
    geometry = TableGeometry.from_corner_markers([*corners(), marker(3, (500, 500))], (900, 600))
    assert geometry.to_mm(SQUARE) == pytest.approx(np.array([(0, 0), (900, 0), (900, 600), (0, 600)]), abs=1e-6)
    assert geometry.to_px([(0, 0), (900, 600)]) == pytest.approx(np.array([SQUARE[0], SQUARE[2]]), abs=1e-6)


@given(
    shifts=st.lists(st.tuples(st.floats(-60, 60), st.floats(-60, 60)), min_size=4, max_size=4),
    points=st.lists(st.tuples(st.floats(0, 900), st.floats(0, 600)), min_size=1, max_size=8),
)
def test_there_and_back_again(shifts: list[tuple[float, float]], points: list[tuple[float, float]]) -> None:
    places = [(x + dx, y + dy) for (x, y), (dx, dy) in zip(SQUARE, shifts, strict=True)]
    geometry = TableGeometry.from_corner_markers(corners(places), (900, 600))
    assert geometry.to_mm(geometry.to_px(points)) == pytest.approx(np.array(points), abs=1e-5)


@given(st.integers(0, 3), st.floats(0, 1), st.floats(0, 1))
def test_inside_the_corners_in_px_is_inside_the_table_in_mm(turn: int, u: float, v: float) -> None:
    geometry = TableGeometry.from_corner_markers(corners(), (900, 600))
    a, b, c, d = (np.array(SQUARE[(k + turn) % 4]) for k in range(4))
    inside = (1 - v) * ((1 - u) * a + u * b) + v * ((1 - u) * d + u * c)
    x, y = geometry.to_mm([tuple(inside)])[0]
    assert -1e-6 <= x <= 900 + 1e-6
    assert -1e-6 <= y <= 600 + 1e-6


@pytest.mark.parametrize("gone", list(CORNER_IDS))
def test_a_missing_corner_is_named(gone: int) -> None:
    with pytest.raises(GeometryError, match=str(gone)) as caught:
        TableGeometry.from_corner_markers([m for m in corners() if m.id != gone], (900, 600))
    assert isinstance(caught.value, ValueError)


@pytest.mark.parametrize(
    ("places", "size"),
    [
        pytest.param([SQUARE[1], SQUARE[0], SQUARE[2], SQUARE[3]], (900, 600), id="crossed"),
        pytest.param(SQUARE[::-1], (900, 600), id="mirrored"),
        pytest.param([(0, 0), (5, 0), (5, 5), (0, 5)], (900, 600), id="on-one-spot"),
        pytest.param([(0, 0), (100, 0), (200, 0), (300, 0)], (900, 600), id="in-a-line"),
        pytest.param([(0, 0), (100, 0), (20, 20), (0, 100)], (900, 600), id="dented"),
        pytest.param(SQUARE, (0, 600), id="no-width"),
        pytest.param(SQUARE, (900, -1), id="negative-depth"),
    ],
)
def test_impossible_tables_are_refused(places: list[tuple[float, float]], size: tuple[float, float]) -> None:
    with pytest.raises(GeometryError):
        TableGeometry.from_corner_markers(corners(places), size)


def test_the_right_order_beside_the_crossed_one_is_taken() -> None:
    assert TableGeometry.from_corner_markers(reversed(corners()), (900, 600)).corners_px == tuple(SQUARE)


def test_a_corner_seen_twice_is_refused() -> None:
    with pytest.raises(GeometryError, match="twice"):
        TableGeometry.from_corner_markers([*corners(), marker(241, (400, 300))], (900, 600))


def test_points_beyond_the_horizon_and_wrong_shapes_are_refused() -> None:
    steep = [(500.0, 300.0), (700.0, 300.0), (1200.0, 700.0), (0.0, 700.0)]
    geometry = TableGeometry.from_corner_markers(corners(steep), (900, 600))
    above = (600.0, 20.0)
    with pytest.raises(GeometryError, match="horizon"):
        geometry.to_mm([above])
    with pytest.raises(GeometryError, match="expected"):
        geometry.to_mm([1.0, 2.0])  # type: ignore[list-item]
    assert geometry.to_mm([]).shape == (0, 2)
