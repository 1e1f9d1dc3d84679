"""One press that was meant and one that was not: a second press of the same button soon after the first is left out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from device.buttons.base import JUDGE_SEAT, Press
from device.clock import NS_PER_MS

__all__ = ["LONGEST_AGAIN_MS", "AgainGuard"]

LONGEST_AGAIN_MS: Final = 5000
"""A button that is deaf for longer would be taken for a broken one."""


class AgainGuard:
    """Lets a press through unless the same button of the same seat was let through shortly before.

    `seat_ms` are by button of the players, `judge_ms` holds for each of the judge's. Times are those of the edges, so
    that it does not matter how late a press is told. A press that is left out does not begin the time anew: who presses
    on and on is heard each time that it is over.
    """

    def __init__(self, seat_ms: Mapping[str, int], judge_ms: int) -> None:
        for length_ms in (*seat_ms.values(), judge_ms):
            if not 0 <= length_ms <= LONGEST_AGAIN_MS:
                raise ValueError(f"{length_ms} ms between two presses asked for; give 0 to {LONGEST_AGAIN_MS}")
        self._seat_ms = dict(seat_ms)
        self._judge_ms = judge_ms
        self._last_ns: dict[tuple[int, str], int] = {}
        self.left_out = 0

    def passes(self, press: Press) -> bool:
        """Whether the press counts."""
        at = (press.seat, press.button)
        quiet_ms = self._judge_ms if press.seat == JUDGE_SEAT else self._seat_ms.get(press.button, 0)
        last_ns = self._last_ns.get(at)
        if last_ns is not None and 0 <= press.edge_ns - last_ns < quiet_ms * NS_PER_MS:
            self.left_out += 1
            return False
        self._last_ns[at] = press.edge_ns
        return True
