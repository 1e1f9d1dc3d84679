from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.lattice import LATTICE_TOLERANCE, face_coordinates, lattice_error, lattice_errors, pattern
from vision.quads import corners_from_code, order_clockwise, quad_code

VALUES = range(1, 7)


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("spread", [0.2, 0.25, 0.29])
def test_each_pattern_fits_itself(value: int, turned: bool, spread: float) -> None:
    points = pattern(value, spread, turned)
    assert len(points) == value
    assert lattice_error(points, value) < 0.03


@pytest.mark.parametrize("claimed", VALUES)
@pytest.mark.parametrize("shown", VALUES)
def test_no_pattern_fits_another_value(claimed: int, shown: int) -> None:
    if claimed != shown:
        assert lattice_error(pattern(shown, 0.25), claimed) == float("inf")


@pytest.mark.parametrize(
    ("points", "value"),
    [
        pytest.param([(0.25, 0.0)], 1, id="one-off-the-centre"),
        pytest.param([(-0.25, -0.1), (0.25, 0.1)], 2, id="two-neither-along-a-side-nor-across"),
        pytest.param([(-0.25, -0.25), (0.25, 0.25), (0.25, -0.25)], 3, id="three-corners"),
        pytest.param([(-0.25, -0.25), (0.25, 0.25), (0.25, -0.25), (0.0, 0.0)], 4, id="three-corners-and-middle"),
        pytest.param([(x, y) for x in (-0.25, 0.25) for y in (-0.25, 0.25)] + [(0.25, 0.0)], 5, id="six-less-one"),
        pytest.param(
            [(x, y) for x in (-0.25, 0.25) for y in (-0.25, 0.25)] + [(0, 0), (0.25, 0)], 6, id="five-and-one"
        ),
    ],
)
def test_right_counts_in_wrong_places_do_not_fit(points: list[tuple[float, float]], value: int) -> None:
    assert lattice_error(np.array(points), value) > LATTICE_TOLERANCE


def test_many_faces_at_once_fit_as_each_alone() -> None:
    """Of all values together; pips in any order, some strewn at random, so that several orders must be tried for some
    of them, and what follows them counts for nothing."""
    chance = np.random.default_rng(1)
    values = np.repeat(VALUES, 40)
    faces = chance.uniform(-0.5, 0.5, (len(values), 6, 2))
    for number, value in enumerate(values.tolist()):
        if number % 5:
            places = pattern(value, chance.uniform(0.15, 0.33), bool(number % 2))[chance.permutation(value)]
            faces[number, :value] = places + chance.normal(0, 0.02)
    alone = [lattice_error(face[:value], value) for face, value in zip(faces, values.tolist(), strict=True)]
    assert lattice_errors(faces, values) == pytest.approx(alone)
    fitting = np.array(alone) <= LATTICE_TOLERANCE
    assert all(fitting[values == value].sum() >= 30 for value in VALUES)


def test_a_two_may_stand_along_an_edge_as_on_some_dice_but_a_three_may_not() -> None:
    assert lattice_error(np.array([(-0.22, 0.01), (0.22, 0.0)]), 2) < LATTICE_TOLERANCE
    assert lattice_error(np.array([(0.0, -0.22), (0.01, 0.22)]), 2) < LATTICE_TOLERANCE
    assert lattice_error(np.array([(-0.22, 0.0), (0.22, 0.0), (0.0, 0.0)]), 3) > LATTICE_TOLERANCE


@given(
    value=st.integers(1, 6),
    angle=st.floats(0, 6.28),
    side=st.floats(15, 300),
    tilt=st.floats(0.5, 1),
    noise=st.integers(0, 1000),
)
def test_any_view_of_a_face_fits_its_own_value(value: int, angle: float, side: float, tilt: float, noise: int) -> None:
    turn = np.array([(np.cos(angle), -np.sin(angle)), (np.sin(angle), np.cos(angle))])
    squash = np.diag([1.0, tilt])
    square = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])
    outline = order_clockwise(square @ turn.T @ squash * side + 400)
    shaken = pattern(value, 0.25) + np.random.default_rng(noise).normal(0, 0.012, (value, 2))
    pips = shaken @ turn.T @ squash * side + 400
    assert lattice_error(face_coordinates(pips, outline), value) < LATTICE_TOLERANCE


@given(st.floats(0, 6.28), st.floats(0.45, 1), st.floats(-0.3, 0.3), st.integers(0, 3))
def test_outline_codes_do_not_depend_on_the_first_corner(angle: float, squash: float, skew: float, first: int) -> None:
    turn = np.array([(np.cos(angle), -np.sin(angle)), (np.sin(angle), np.cos(angle))])
    square = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])
    corners = square @ np.array([(1, skew), (0, squash)]).T @ turn.T * 0.8 + (0.1, -0.05)
    code = quad_code(corners)
    assert quad_code(np.roll(corners, first, axis=0)) == pytest.approx(code)
    back = corners_from_code(code)
    distances = np.linalg.norm(back[:, None] - corners[None], axis=2)
    assert distances.min(axis=1).max() < 1e-6
    assert cv2.contourArea(back.astype(np.float32), oriented=True) > 0  # clockwise with y down
