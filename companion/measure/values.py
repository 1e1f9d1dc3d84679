"""Values told of dice at rest: right, wrong, refused; whether any was told too early; and how long it took."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from companion.measure.failures import Failure
from companion.measure.rests import Rest, rests
from companion.measure.told import Shot, Told, Watching

__all__ = ["TIME_TO_TELL_S", "Values", "values_of"]

TIME_TO_TELL_S = 0.5
"""A rest that can be seen for less cannot be asked for: a value may take 400 ms, and a frame at 15 a second 67 ms."""


@dataclass(slots=True)
class Values:
    """How the values of one or more plays were told. A rest is counted once.

    Attributes:
        rolls: rests after a roll, flat and seen for long enough to be told.
        right: of those, the right value was told and never another.
        wrong: rests after a roll, of any length and leaning ones too, of which a wrong value was ever told.
        refused: rolls of which no value was told.
        short: rests after a roll that were too short or too hidden, and of which nothing was told.
        leaning: rests after a roll that ended leaning.
        wrong_elsewhere: rests that were not after a roll, of which a wrong value was told.
        early: values told of a die that had not come to rest at the exposure of the telling frame.
        of_nothing: values told where no die is.
        thrown: all times a die came to rest after a roll.
        delays_ms: from rest, or from when it can be seen, to the frame that tells the right value.
    """

    rolls: int = 0
    right: int = 0
    wrong: int = 0
    refused: int = 0
    short: int = 0
    leaning: int = 0
    wrong_elsewhere: int = 0
    early: int = 0
    of_nothing: int = 0
    thrown: int = 0
    delays_ms: list[float] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)


def values_of(watching: Watching) -> Values:
    """Judge all values told of one play, whose pairs are filled in."""
    found = Values()
    for rest in rests(watching):
        _judge(rest, watching, found)
    for shot, told in _newly_told(watching):
        die = shot.pairs.get(told.id)
        if die is None:
            found.of_nothing += 1
            said = f"track {told.id} says {told.value} where no die is"
            found.failures.append(Failure("value of nothing", shot.at_ns, None, told.id, said, shot.at_ns))
        elif shot.true[die].state not in ("settled", "covered"):
            state = shot.true[die].state
            if state == "cocked":
                continue  # lies still: a wrong value, counted with its rest
            found.early += 1
            said = f"track {told.id} says {told.value}, but the die is {state}"
            found.failures.append(Failure("value before rest", shot.at_ns, die, told.id, said, shot.at_ns))
    return found


def _judge(rest: Rest, watching: Watching, found: Values) -> None:
    told = [(shot, each) for shot in rest.shots for each in shot.told if shot.pairs.get(each.id) == rest.die]
    stated = [(shot, each) for shot, each in told if each.states_value]
    wrong = next(((shot, each) for shot, each in stated if each.value != rest.value), None)
    right = next((shot for shot, each in stated if each.value == rest.value), None)
    found.thrown += rest.tumbled
    found.leaning += rest.tumbled and rest.value is None
    if wrong is not None:
        shot, each = wrong
        said = f"told {each.value}, true is {rest.value or 'leaning'}, after {', '.join(sorted(rest.after))}"
        if rest.tumbled:
            found.wrong += 1
            found.rolls += 1
        else:
            found.wrong_elsewhere += 1
        kind = "wrong value" if rest.value else "value of a leaning die"
        found.failures.append(Failure(kind, shot.at_ns, rest.die, each.id, said, rest.from_ns))
        return
    if not rest.tumbled or rest.value is None:
        return
    if right is not None:
        found.rolls += 1
        found.right += 1
        since_ns = rest.seen_from_ns
        if since_ns is not None and since_ns <= right.at_ns:
            found.delays_ms.append((right.at_ns - since_ns) / 1e6)
            if found.delays_ms[-1] > 400 * max(1.0, 30 / watching.fps):
                said = f"{rest.value} told after {found.delays_ms[-1]:.0f} ms"
                found.failures.append(Failure("told late", right.at_ns, rest.die, None, said, since_ns))
        return
    if rest.visible_s(watching.frame_ns) < TIME_TO_TELL_S:
        found.short += 1
        return
    found.rolls += 1
    found.refused += 1
    last = told[-1][1] if told else None
    what = "no track" if last is None else f"{last.state}{'' if last.reason is None else f', {last.reason}'}"
    said = f"{rest.value} never told in {rest.visible_s(watching.frame_ns):.1f} s ({what})"
    kind = f"refused: {what}"
    found.failures.append(
        Failure(kind, rest.visible[-1].at_ns, rest.die, None if last is None else last.id, said, rest.from_ns)
    )


def _newly_told(watching: Watching) -> Iterator[tuple[Shot, Told]]:
    """Every telling of a value: by the state of a die that did not state that value in the frame before it."""
    before: dict[int, int] = {}
    for shot in watching.shots:
        now: dict[int, int] = {}
        for told in shot.told:
            if told.states_value:
                assert told.value is not None
                now[told.id] = told.value
                if before.get(told.id) != told.value:
                    yield shot, told
            elif told.value is not None:
                now[told.id] = told.value  # covered: it goes on being known
        if shot.out_of_step is None:
            before = now
