"""Shadows across markers are taken out; what is no shadow is left as it is."""

from __future__ import annotations

import numpy as np
import pytest

from vision.marker_codes import _modules
from vision.marker_light import without_shadow
from vision.marker_prints import SAMPLE_MODULES, codes

ID, TURN = 33, 1
CODE = 4 * ID + TURN
PAPER, INK = 220.0, 25.0


def printed() -> np.ndarray:
    """Marker 33 in even light, (30, 30) grey levels."""
    return np.repeat(np.repeat(codes()[1][CODE] * (PAPER - INK) + INK, 3, axis=0), 3, axis=1)


def shaded(taken: float, turn: float, offset: float, penumbra: float) -> np.ndarray:
    """The same with a shadow that takes this share of its levels."""
    at = SAMPLE_MODULES / 8 - 0.5
    y, x = np.meshgrid(at, at, indexing="ij")
    depth = np.clip((x * np.cos(turn) + y * np.sin(turn) - offset) / penumbra + 0.5, 0, 1)
    return printed() * (1 - taken * depth)


def lit(samples: np.ndarray) -> np.ndarray | None:
    whole = np.rint(samples).astype(np.uint8)
    return without_shadow(whole, _modules(whole[None])[0], CODE)


@pytest.mark.parametrize("taken", [0.15, 0.3, 0.45])
@pytest.mark.parametrize("turn", [0.0, 0.7, 2.0, 4.5])
@pytest.mark.parametrize(("offset", "penumbra"), [(0.0, 0.08), (0.2, 0.4), (-0.25, 1.0)])
def test_a_shadow_is_taken_out(taken: float, turn: float, offset: float, penumbra: float) -> None:
    cleared = lit(shaded(taken, turn, offset, penumbra))
    assert cleared is not None
    off = np.abs(cleared - printed()) / (PAPER - INK)
    assert np.sqrt(np.square(off).mean()) < 0.25 * taken
    assert np.median(off) < 0.03


def test_even_light_holds_no_shadow() -> None:
    assert lit(printed()) is None


@pytest.mark.parametrize("turn", [0.0, np.pi / 2, np.pi, 3 * np.pi / 2])
def test_what_darkens_the_border_alone_may_lie_on_it_and_is_no_shadow(turn: float) -> None:
    assert lit(shaded(0.3, turn, 0.53, 0.02)) is None


def test_too_deep_a_shadow_is_left() -> None:
    assert lit(shaded(0.75, 0.0, 0.0, 0.08)) is None


@pytest.mark.parametrize("level", [40, 90, 140])
def test_under_something_of_one_colour_no_print_comes_to_light(level: int) -> None:
    """It takes more from the paper than from the ink, which a shadow does not."""
    covered = printed()
    covered[:, 15:] = level
    cleared = lit(covered)
    if cleared is not None:
        ink = codes()[1][CODE].repeat(3, axis=0).repeat(3, axis=1) == 0
        ink[:, :15] = False
        assert np.median(cleared[ink]) > (INK + PAPER) / 3
