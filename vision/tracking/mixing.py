"""Colours that mix: a blurred die lets the table shine through, a small pixel takes in a bit of both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Mixture", "in_light", "mixed", "vivid"]

_LEAST_SHARE, _MOST_SHARE = 0.15, 1.4
"""Of a blurred die so much is seen at least; where it is brighter than it lay, more than the whole."""
_MOST_OF_BOTH = 1.25
"""Light makes both no brighter than this. Skin is, on a table of felt: as much of it as of a red die and all of it."""
_RESIDUE = 12.0
"""In levels: what is left over is of another colour."""
_UNLIKE = 4.0
"""In levels: of a die whose colour differs less from the table's, but for the brightness, nothing can be told."""
_VIVID = 0.25
"""Of black, grey and white dice the channels differ by no more than this part of the brightest: so do those of shade
and of skin in it."""


def vivid(colour_bgr: Sequence[float]) -> bool:
    """Whether a colour is neither black, nor grey, nor white."""
    return max(colour_bgr) - min(colour_bgr) > _VIVID * max(colour_bgr)


def in_light(
    seen: NDArray[Any], colour_bgr: Sequence[float], bounds: tuple[float, float] = (-np.inf, np.inf)
) -> tuple[NDArray[Any], NDArray[Any]]:
    """In which light a colour looks most like what is `seen` (..., 3), within `bounds`, and by how many levels not."""
    colour = np.asarray(colour_bgr, seen.dtype)
    light = np.clip(seen @ colour / max(1.0, float(colour @ colour)), *bounds)
    return light, np.asarray(np.linalg.norm(seen - light[..., None] * colour, axis=-1))


@dataclass(frozen=True, slots=True)
class Mixture:
    """How much of dice and how much of the table makes up what is seen, and what is left in levels; (n, k) each."""

    of_dice: NDArray[np.float32]
    of_table: NDArray[np.float32]
    left: NDArray[np.float32]

    def may_be(self, least_share: float = _LEAST_SHARE, most_left: float = _RESIDUE) -> NDArray[np.bool_]:
        """Where such dice may be seen as they blur over the table, and no more is left than so many levels, (n, k)."""
        return (
            (self.of_dice >= least_share) & (self.of_dice <= _MOST_SHARE) & (self.of_table >= -_LEAST_SHARE)
            & (self.of_dice + self.of_table <= _MOST_OF_BOTH) & (self.left <= most_left)
        )  # fmt: skip


def mixed(seen: Any, dice: Any, table: Any) -> Mixture:
    """What `seen` is made up of, by least squares.

    Colours are in levels of three channels: `seen` and `table` (n, 3), `dice` (k, 3).
    """
    seen, dice, table = (np.asarray(each, np.float32) for each in (seen, dice, table))
    with_dice, of_both = seen @ dice.T, table @ dice.T
    with_table, of_tables = ((table * each).sum(axis=1)[:, None] for each in (seen, table))
    dice_squared = (dice**2).sum(axis=1)
    apart = dice_squared * of_tables - of_both**2
    apart[apart <= _UNLIKE**2 * of_tables] = np.inf
    of_dice = (with_dice * of_tables - with_table * of_both) / apart
    of_table = (with_table * dice_squared - with_dice * of_both) / apart
    left = (seen**2).sum(axis=1)[:, None] - of_dice * with_dice - of_table * with_table
    return Mixture(of_dice, of_table, np.sqrt(np.maximum(left, 0.0)))
