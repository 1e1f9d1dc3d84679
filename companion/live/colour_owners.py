"""Whose the dice on the table are by their learned colours, each judged by several looks at it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import Final

import numpy as np

from companion.live.colour_desk import ColourDesk
from companion.live.colour_showing import ShownDie
from vision.light import white_differs
from vision.readings import DieReading, Point, Reading, Unreadable
from vision.seat_colours import DieColour, Whose
from vision.tracking.happenings import DieState, TrackedDie

__all__ = ["ColourOwners"]

LOOKS: Final = 5
"""A die is judged by the middle of so many last looks at it."""

OTHER_LIGHT: Final = 0.02
"""White that has changed by more than this share in a channel is another light; less is grain."""

White = tuple[float, float, float] | None


class ColourOwners:
    """Follows the colours of dice from reading to reading, for one `ColourDesk`."""

    def __init__(self, desk: ColourDesk) -> None:
        self._desk = desk
        self._looks: dict[int, deque[DieColour]] = {}
        self._white: White = None
        self._whose: dict[int, Whose] = {}

    @property
    def in_use(self) -> bool:
        """True when every seat's dice are learned: then this decides, and not the names of colours."""
        return self._desk.ready

    @property
    def showing(self) -> bool:
        """True while players put dice down to be learned, and not to play."""
        return self._desk.showing

    def update(
        self,
        reading: Reading,
        now_ns: int,
        dice: Sequence[TrackedDie],
        *,
        ignored: Iterable[int],
        seat_at: Callable[[Point | None], int | None],
    ) -> None:
        """Take in a frame's reading and every die that is tracked.

        `ignored` are tracks of what is no die of this game; `seat_at` tells before whom a place is, where known.
        """
        left_out = set(ignored)
        if _other_light(reading.white_bgr, self._white):
            self._looks.clear()  # what was seen in another light
            self._white = reading.white_bgr
        tracks = {die.id for die in dice}
        self._looks = {track: looks for track, looks in self._looks.items() if track in tracks}
        for die in dice:
            if die.seen and _usable(die.reading):
                self._looks.setdefault(die.id, deque(maxlen=LOOKS)).append(_colour_of(die.reading))
        if self._desk.showing:
            self._show(reading, now_ns, dice, seat_at)
        judged = [track for track in self._looks if track not in left_out]
        found = self._desk.whose([_middle(self._looks[track]) for track in judged], self._white, now_ns)
        self._whose = dict(zip(judged, found, strict=True))

    def of(self, track: int) -> Whose | None:
        """Whose a die is; None when it was not seen well enough yet."""
        return self._whose.get(track)

    def _show(
        self,
        reading: Reading,
        now_ns: int,
        dice: Sequence[TrackedDie],
        seat_at: Callable[[Point | None], int | None],
    ) -> None:
        asked = self._desk.asked
        shown = []
        for die in dice:
            if not die.seen:
                continue
            here = seat_at(die.position_mm)
            colour = _colour_of(die.reading) if _usable(die.reading) else None
            still = die.state is DieState.SETTLED
            shown.append(ShownDie(die.id, still, die.reading.reason, colour, here is None or here == asked))
        self._desk.look(shown, reading.white_bgr, now_ns)


def _other_light(now: White, then: White) -> bool:
    if now is None or then is None:
        return now is not then
    return white_differs(now, then, OTHER_LIGHT)


def _usable(die: DieReading) -> bool:
    """Whether its colour can be trusted: nothing hides it, even if its value is not sure."""
    return die.value is not None or die.reason is Unreadable.AMBIGUOUS


def _colour_of(die: DieReading) -> DieColour:
    """Its colours; those of its pips only when they are read for sure."""
    return DieColour(die.colour_bgr, die.pip_bgr if die.value is not None else None)


def _middle(looks: Iterable[DieColour]) -> DieColour:
    all_looks = list(looks)
    body = np.median([look.body_bgr for look in all_looks], axis=0)
    pips = [look.pip_bgr for look in all_looks if look.pip_bgr is not None]
    pip = np.median(pips, axis=0) if pips else None
    return DieColour(_three(body), None if pip is None else _three(pip))


def _three(values: np.typing.NDArray[np.float64]) -> tuple[float, float, float]:
    b, g, r = (float(value) for value in values)
    return (b, g, r)
