"""Plays whose truth is made up, and a teller that tells exactly that, to be spoiled in known ways."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from companion.measure.pairing import pair_all
from companion.measure.told import Die, Shot, Told, TruePress, Watching
from device.simulated.play.truth import TrueDie, TrueHappening
from vision.tracking.happenings import DieState, Happening, Kind

MS = 1_000_000
S = 1_000 * MS
SIDE_PX = 20.0
DELAY_NS = 150 * MS
"""The teller tells a value so long after rest."""


@dataclass(frozen=True)
class Move:
    """One motion of one die: what it is, when, and the value after it; `to_px` is where it ends."""

    die: Die
    kind: str
    from_ns: int
    until_ns: int
    value: int | None
    to_px: tuple[float, float]


@dataclass
class Made:
    """A made-up play: dice lie still between their moves, which must not overlap for one die."""

    first: dict[Die, tuple[int, tuple[float, float]]]
    moves: list[Move]
    end_ns: int
    presses: list[tuple[int, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        moves = sorted(self.moves, key=lambda move: move.from_ns)
        self._of = {die: [move for move in moves if move.die == die] for die in self.first}

    def of(self, die: Die) -> list[Move]:
        return self._of[die]

    @property
    def happenings(self) -> list[TrueHappening]:
        found = []
        for die, (value, _) in self.first.items():
            before: int | None = value
            for move in self.of(die):
                if move.kind == "set back":  # taken up first
                    middle = (move.from_ns + move.until_ns) // 2
                    found.append(TrueHappening("lifted", *die, move.from_ns, middle, before, None))
                found.append(TrueHappening(move.kind, *die, move.from_ns, move.until_ns, before, move.value))
                before = move.value
        return sorted(found, key=lambda each: each.ended_ns)

    def truth(self, at_ns: int) -> tuple[TrueDie, ...]:
        return tuple(self._die(die, at_ns) for die in self.first)

    def render(self, exposure_start_ns: int, exposure_ns: int = 0) -> np.ndarray:
        return np.zeros((8, 8, 3), np.uint8)

    def _die(self, die: Die, at_ns: int) -> TrueDie:
        value: int | None
        value, place = self.first[die]
        state, visible = "settled", 1.0
        for move in self.of(die):
            if move.from_ns <= at_ns < move.until_ns:
                part = (at_ns - move.from_ns) / (move.until_ns - move.from_ns)
                place = tuple(a + part * (b - a) for a, b in zip(place, move.to_px, strict=True))  # type: ignore[assignment]
                state, value = ("in hand", None) if move.kind == "set back" else ("rolling", None)
                visible = 0.0 if state == "in hand" else 1.0
            elif at_ns >= move.until_ns:
                place, value = move.to_px, move.value
                state = {"left the table": "off table", "cocked": "cocked"}.get(move.kind, "settled")
                visible = 0.0 if state == "off table" else 1.0
        x, y = place
        half = SIDE_PX / 2
        top = ((x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half))
        return TrueDie(*die, state, value if state == "settled" else None, place, place, top, visible)


Spoil = Callable[[Told, TrueDie, int], Told | None]


def told_perfectly(
    made: Made,
    fps: float = 30.0,
    *,
    kind: str = "generated",
    spoil: Spoil | None = None,
    happenings: Callable[[list[Happening]], list[Happening]] | None = None,
) -> Watching:
    """A watching in which everything is told rightly, DELAY_NS after it was; each told die goes through `spoil`,
    and all happenings through `happenings`."""
    ids = {die: 1 + k for k, die in enumerate(made.first)}
    frame_ns = S / fps
    times = [round(k * frame_ns) for k in range(int(made.end_ns / frame_ns))]
    told_at: dict[int, list[Happening]] = {}
    all_told = [
        Happening(
            Kind(each.kind), ids[each.seat, each.index], each.began_ns, each.ended_ns, each.ended_ns + DELAY_NS,
            before=each.before, value=each.value,
        )
        for each in made.happenings
    ]  # fmt: skip
    for told in happenings(all_told) if happenings is not None else all_told:
        at_ns = next((t for t in times if t >= told.told_ns), None)
        if at_ns is not None:
            told_at.setdefault(at_ns, []).append(replace(told, told_ns=at_ns))
    shots = []
    for number, at_ns in enumerate(times):
        true = {(each.seat, each.index): each for each in made.truth(at_ns)}
        dice = []
        for die, each in true.items():
            told = _told(ids[die], each, made, at_ns)
            spoiled = told if spoil is None else spoil(told, each, at_ns)
            if spoiled is not None:
                dice.append(spoiled)
        shots.append(Shot(at_ns, number, tuple(dice), tuple(told_at.get(at_ns, ())), None, at_ns, true))
    pair_all(shots)
    presses = [
        TruePress(seat, edge_ns, {(each.seat, each.index): each for each in made.truth(edge_ns)})
        for seat, edge_ns in made.presses
    ]
    return Watching("generated", kind, 2, fps, shots, made.happenings, presses)


def _told(identity: int, true: TrueDie, made: Made, at_ns: int) -> Told:
    last = max((move.until_ns for move in made.of((true.seat, true.index)) if move.until_ns <= at_ns), default=-S)
    state = DieState(true.state)
    if state in (DieState.SETTLED, DieState.COCKED) and at_ns - last < DELAY_NS:
        state = DieState.ROLLING
    value = true.value if state is DieState.SETTLED else None
    return Told(identity, state, value, None, true.visible > 0, true.centre_px)
