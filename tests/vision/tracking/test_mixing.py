"""What a die blurs into over a table, and what only looks a little like it."""

from __future__ import annotations

import numpy as np
import pytest

from vision.tracking.mixing import mixed, vivid

FELT = (60.0, 100.0, 80.0)
GREY = (70.0, 65.0, 60.0)
RED, WHITE, BLACK = (40.0, 40.0, 190.0), (190.0, 198.0, 200.0), (52.0, 50.0, 49.0)


def blend(die: tuple[float, ...], share: float, table: tuple[float, ...], light: float = 1.0) -> np.ndarray:
    return light * (share * np.array(die) + (1 - share) * np.array(table))


@pytest.mark.parametrize(
    ("name", "seen", "die", "table", "so"),
    [
        ("half a red die", blend(RED, 0.5, FELT), RED, FELT, True),
        ("the same in shade", blend(RED, 0.5, FELT, 0.6), RED, FELT, True),
        ("half a white die on grey", blend(WHITE, 0.4, GREY), WHITE, GREY, True),
        ("the table", np.array(FELT), RED, FELT, False),
        ("the table in shade", 0.6 * np.array(FELT), RED, FELT, False),
        ("a blue die", blend((190, 80, 40), 0.5, FELT), RED, FELT, False),
        ("skin, which is as much red die and all of the table too", np.array((100.0, 150.0, 206.0)), RED, FELT, False),
        ("a hint of the die", blend(RED, 0.08, FELT), RED, FELT, False),
        ("a die of the table's own colour", 0.5 * np.array(FELT), 0.5 * np.array(FELT), FELT, False),
    ],
)
def test_which_colours_are_of_a_die(name: str, seen: np.ndarray, die: object, table: object, so: bool) -> None:
    assert bool(mixed([seen], [die], [table]).may_be()[0, 0]) is so, name


def test_shares_are_told_for_every_die_and_place() -> None:
    mixture = mixed([blend(RED, 0.7, FELT), FELT], [RED, WHITE], [FELT, FELT])
    assert mixture.of_dice.shape == mixture.of_table.shape == mixture.left.shape == (2, 2)
    assert mixture.of_dice[0, 0] == pytest.approx(0.7, abs=1e-3)
    assert mixture.of_table[0, 0] == pytest.approx(0.3, abs=1e-3)
    assert mixture.left[0, 0] < 0.5 < 12 < mixture.left[0, 1]
    assert mixture.of_dice[1, 0] == pytest.approx(0, abs=1e-3)


def test_black_grey_and_white_are_not_vivid() -> None:
    assert not any(vivid(colour) for colour in (BLACK, WHITE, (104.0, 107.0, 109.0)))
    assert all(vivid(colour) for colour in (RED, (40.0, 175.0, 215.0), (110.0, 90.0, 70.0), (60.0, 117.0, 32.0)))
