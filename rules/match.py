"""One play of one game: the append-only record and the position that it folds to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

from rules.errors import UnreadableInput
from rules.events import (
    Adjust,
    Amend,
    CoreEvent,
    Note,
    Overrule,
    Pause,
    Resume,
    Source,
    Submission,
    Undo,
    correctors,
)
from rules.header import Header
from rules.records import Fact
from rules.referee import Entry, Option, Referee, Result
from rules.rulings import Effect, Refusal, Ruling, Verdict, accepted, refused

__all__ = ["CORE_CODES", "Match", "Position"]

S = TypeVar("S")

CORE_CODES: dict[str, tuple[str, ...]] = {
    "core.unreadable": ("problem",),
    "core.stale": ("answers", "now"),
    "core.paused": (),
    "core.already-paused": (),
    "core.not-paused": (),
    "core.not-judge": (),
    "core.no-reason": (),
    "core.no-such-entry": ("target", "last"),
    "core.not-in-play": ("target",),
    "core.not-overrulable": ("target",),
    "core.undone": ("back_to", "reason"),
    "core.amended": ("target", "reason", "changed"),
    "core.amend-refused": ("target", "problem"),
    "core.pause": ("reason",),
    "core.resume": (),
    "core.note": ("text",),
}
"""Ruling codes that every game shares, with the names of their facts."""


@dataclass(frozen=True, slots=True)
class Position(Generic[S]):
    """Where a match stands after an entry.

    Attributes:
        state: the game's state.
        paused: True while only corrections are judged.
        entry: the entry that led here; None before the first.
        before: the position it was judged in. Following `before` gives the line of play: undone entries are not on
            it, nor are the undos and amendments themselves.
    """

    state: S
    paused: bool = False
    entry: Entry | None = None
    before: Position[S] | None = None

    def line(self) -> list[tuple[Entry, Position[S]]]:
        """The line of play, first entry first: each entry with the position it was judged in."""
        found: list[tuple[Entry, Position[S]]] = []
        position = self
        while position.entry is not None and position.before is not None:
            found.append((position.entry, position.before))
            position = position.before
        return found[::-1]


class _Step(NamedTuple, Generic[S]):
    """What ruling on a submission gives; `jump` is the position to go to when it is not simply the next one."""

    rulings: tuple[Ruling, ...]
    state: S
    paused: bool
    jump: Position[S] | None = None


class Match(Generic[S]):
    """A match being refereed.

    `judge` rules on a submission without changing anything; `append` takes the entry into the record. Between the
    two a caller stores the entry, so that nothing is published that could be lost. `submit` does both.
    """

    def __init__(self, referee: Referee[S], header: Header) -> None:
        """Start a match.

        Raises:
            BadHeader: the header breaks a rule of set-up.
        """
        self.referee = referee
        self.header = header
        self.entries: list[Entry] = []
        self._positions: list[Position[S]] = [Position(referee.start(header))]

    @property
    def position(self) -> Position[S]:
        """Where the match stands."""
        return self._positions[-1]

    @property
    def state(self) -> S:
        """The game's state now."""
        return self._positions[-1].state

    @property
    def seq(self) -> int:
        """Sequence number of the last entry; 0 before the first."""
        return len(self.entries)

    def position_after(self, seq: int) -> Position[S]:
        """The position right after entry `seq` (0 = at the start)."""
        return self._positions[seq]

    def options(self) -> tuple[Option, ...]:
        """What would be accepted now; nothing of the game's own while paused."""
        return () if self.position.paused else self.referee.options(self.state)

    def result(self) -> Result | None:
        """How the match ended, None while it goes on."""
        return self.referee.result(self.state)

    def judge(self, filed: Submission[Any]) -> tuple[Entry, Position[S]]:
        """Rule on a submission; the match itself is not changed."""
        now = self.position
        seq = self.seq + 1
        step = self._rule(filed, seq, now)
        entry = Entry(seq, filed, step.rulings)
        return entry, step.jump or Position(step.state, step.paused, entry, now)

    def append(self, entry: Entry, position: Position[S]) -> None:
        """Take a judged entry into the record.

        Raises:
            ValueError: the entry was judged at another place of the record than its end.
        """
        if entry.seq != self.seq + 1:
            raise ValueError(f"Entry {entry.seq} cannot follow entry {self.seq}; judge it again at the end.")
        self.entries.append(entry)
        self._positions.append(position)

    def submit(self, filed: Submission[Any]) -> Entry:
        """Judge a submission and take it into the record."""
        entry, position = self.judge(filed)
        self.append(entry, position)
        return entry

    def may_correct(self, source: Source) -> bool:
        """True when this source may correct the record: the judge, or any person when there is none. TC-9."""
        return source in correctors(judged=self.header.judge is not None)

    def standing(self, target: int, ruling: int = 0) -> tuple[Entry, Ruling] | None:
        """Entry `target` and the last word on its ruling number `ruling`: its own, or that of a later overrule.

        None when the entry does not stand in the line of play or has no such ruling.
        """
        return _standing(self.position, target, ruling)

    def _rule(self, filed: Submission[Any], seq: int, now: Position[S]) -> _Step[S]:
        event = filed.event
        if self._is_stale(filed, now):
            facts: dict[str, Fact] = {"answers": filed.answers, "now": self.seq}
            return _stay(now, refused(Refusal.STALE, "core.stale", "TC-3", facts=facts))
        if isinstance(event, Undo | Amend):
            problem = self._may_not_correct(filed)
            if problem is not None:
                return _stay(now, problem)
            return self._undo(event, now) if isinstance(event, Undo) else self._amend(event, now)
        return self._play(filed, seq, now)

    def _may_not_correct(self, filed: Submission[Any]) -> Ruling | None:
        """TC-9."""
        if not self.may_correct(filed.source):
            return refused(Refusal.ILLEGAL, "core.not-judge", "TC-9")
        if not filed.event.reason.strip():
            return refused(Refusal.ILLEGAL, "core.no-reason", "TC-9")
        return None

    def _is_stale(self, filed: Submission[Any], now: Position[S]) -> bool:
        """An event is stale when the part of the position that it answers has changed since. TC-3."""
        answers, event = filed.answers, filed.event
        if answers is None or (isinstance(event, CoreEvent) and not isinstance(event, Adjust)):
            return False
        if not 0 <= answers <= self.seq:
            return True
        then = self._positions[answers]
        return self.referee.context(then.state, event) != self.referee.context(now.state, event)

    def _play(self, filed: Submission[Any], seq: int, now: Position[S]) -> _Step[S]:
        """Rule on whatever stands in a line of play; an amendment judges such entries again."""
        event = filed.event
        if isinstance(event, Pause | Resume | Note):
            return _conduct(event, now)
        if isinstance(event, Overrule | Adjust):
            problem = self._may_not_correct(filed)
            if problem is not None:
                return _stay(now, problem)
        if isinstance(event, Overrule):
            return self._overrule(filed, event, seq, now)
        if now.paused and not isinstance(event, Adjust):
            return _stay(now, refused(Refusal.ILLEGAL, "core.paused", "TC-4"))
        outcome = self.referee.judge(now.state, filed, seq)
        return _Step(outcome.rulings, now.state if outcome.refused else outcome.state, now.paused)

    def _missing(self, target: int, lowest: int) -> Ruling | None:
        if lowest <= target <= self.seq:
            return None
        facts = {"target": target, "last": self.seq}
        return refused(Refusal.ILLEGAL, "core.no-such-entry", "TC-10", facts=facts)

    def _undo(self, event: Undo, now: Position[S]) -> _Step[S]:
        missing = self._missing(event.back_to, lowest=0)
        if missing is not None:
            return _stay(now, missing)
        there = self._positions[event.back_to]
        ruling = accepted(
            "core.undone",
            "TC-5",
            facts={"back_to": event.back_to, "reason": event.reason},
            effects=(Effect("position", None, self.seq, event.back_to),),
        )
        return _Step((ruling,), there.state, there.paused, there)

    def _overrule(self, filed: Submission[Any], event: Overrule, seq: int, now: Position[S]) -> _Step[S]:
        missing = self._missing(event.target, lowest=1)
        if missing is not None:
            return _stay(now, missing)
        facts = {"target": event.target}
        found = _standing(now, event.target, event.ruling)
        if found is None or isinstance(found[0].filed.event, CoreEvent):
            in_play = any(entry.seq == event.target for entry, _ in now.line())
            code = "core.not-overrulable" if in_play else "core.not-in-play"
            return _stay(now, refused(Refusal.ILLEGAL, code, "TC-10", facts=facts))
        outcome = self.referee.overrule(now.state, filed, seq, *found)
        return _Step(outcome.rulings, now.state if outcome.refused else outcome.state, now.paused)

    def _amend(self, event: Amend, now: Position[S]) -> _Step[S]:
        missing = self._missing(event.target, lowest=1)
        if missing is not None:
            return _stay(now, missing)
        line = now.line()
        place = next((n for n, (entry, _) in enumerate(line) if entry.seq == event.target), None)
        if place is None or isinstance(line[place][0].filed.event, CoreEvent):
            facts = {"target": event.target}
            return _stay(now, refused(Refusal.ILLEGAL, "core.not-in-play", "TC-10", facts=facts))
        try:
            corrected = self.referee.read_event(event.event)
        except UnreadableInput as error:
            problem: dict[str, Fact] = {"target": event.target, "problem": str(error)}
            return _stay(now, refused(Refusal.UNREADABLE, "core.amend-refused", "TC-6", "TC-1", facts=problem))

        entry, position = line[place]
        was = entry.filed
        filed = Submission(corrected, was.source, None, was.confidence, was.at_ns, was.wall)
        position = self._again(entry, filed, position)
        amended = position.entry
        assert amended is not None
        if all(ruling.verdict is Verdict.REFUSED for ruling in amended.rulings):
            inner = amended.rulings[0]
            problem = {"target": event.target, "problem": inner.code}
            return _stay(now, refused(Refusal.ILLEGAL, "core.amend-refused", "TC-6", *inner.clauses, facts=problem))
        effects = list(_differences(entry, amended))
        for later, _ in line[place + 1 :]:
            position = self._again(later, later.filed, position)
            assert position.entry is not None
            effects.extend(_differences(later, position.entry))
        ruling = accepted(
            "core.amended",
            "TC-6",
            facts={"target": event.target, "reason": event.reason, "changed": len(effects)},
            effects=tuple(effects),
        )
        return _Step((ruling,), position.state, position.paused, position)

    def _again(self, old: Entry, filed: Submission[Any], before: Position[S]) -> Position[S]:
        """The position after an entry that is judged anew in another position than its own.

        What was stale stays so, and the only undos and amendments in a line of play are refused ones.
        """
        if old.rulings[0].refusal is Refusal.STALE or isinstance(old.filed.event, Undo | Amend):
            return Position(before.state, before.paused, old, before)
        step = self._play(filed, old.seq, before)
        return Position(step.state, step.paused, Entry(old.seq, filed, step.rulings), before)


def _stay(now: Position[S], *rulings: Ruling) -> _Step[S]:
    return _Step(rulings, now.state, now.paused)


def _conduct(event: Pause | Resume | Note, now: Position[S]) -> _Step[S]:
    """TC-4, TC-12."""
    if isinstance(event, Note):
        return _stay(now, accepted("core.note", "TC-12", facts={"text": event.text}))
    pausing = isinstance(event, Pause)
    if now.paused == pausing:
        code = "core.already-paused" if pausing else "core.not-paused"
        return _stay(now, refused(Refusal.ILLEGAL, code, "TC-4"))
    if isinstance(event, Pause):
        ruling = accepted("core.pause", "TC-4", facts={"reason": event.reason})
    else:
        ruling = accepted("core.resume", "TC-4")
    return _Step((ruling,), now.state, pausing)


def _standing(now: Position[S], target: int, ruling: int) -> tuple[Entry, Ruling] | None:
    original: Entry | None = None
    last: Ruling | None = None
    for entry, _ in now.line():
        event = entry.filed.event
        if entry.seq == target and 0 <= ruling < len(entry.rulings):
            original, last = entry, entry.rulings[ruling]
        elif isinstance(event, Overrule) and (event.target, event.ruling) == (target, ruling):
            decided = entry.rulings[0]
            last = last if decided.verdict is Verdict.REFUSED else decided
    return None if original is None or last is None else (original, last)


def _differences(old: Entry, new: Entry) -> Iterator[Effect]:
    """One effect for each ruling that came out differently: (entry, code before) and (entry, code after)."""
    for number in range(max(len(old.rulings), len(new.rulings))):
        before = old.rulings[number].code if number < len(old.rulings) else None
        after = new.rulings[number].code if number < len(new.rulings) else None
        if before != after:
            yield Effect("ruling", None, (old.seq, before), (old.seq, after))
