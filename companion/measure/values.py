"""Values told of dice at rest: right, wrong, refused; whether any was told too early; and how long it took."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import dist

from companion.measure.failures import Failure
from companion.measure.pairing import side_px
from companion.measure.rests import Rest, rests
from companion.measure.told import Die, Shot, Told, Watching, die_of

__all__ = ["TIME_TO_TELL_S", "Values", "values_of"]

TIME_TO_TELL_S = 0.5
"""A rest that can be seen for less cannot be asked for: a value may take 400 ms, and a frame at 15 a second 67 ms."""
_UNNOTICED_NS = 70_000_000
"""One frame at 15 a second: the motion of a die that is touched cannot show before the next one."""


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
        of_nothing: values told where no die is, or where another track tells the die already.
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
    all_rests = rests(watching)
    for rest in all_rests:
        _judge(rest, watching, found)
    for shot, told in _newly_told(watching):
        die = shot.pairs.get(told.id)
        if die is None:
            found.of_nothing += 1
            twice = any(dist(told.centre_px, true.centre_px) < side_px(true) for true in shot.true.values())
            kind = "die told twice" if twice else "value of nothing"
            said = f"track {told.id} says {told.value} where {'another track is as well' if twice else 'no die is'}"
            found.failures.append(Failure(kind, shot.at_ns, None, told.id, said, shot.at_ns))
        elif shot.true[die].state not in ("settled", "covered"):
            state = shot.true[die].state
            if state == "cocked":
                continue  # lies still: a wrong value, counted with its rest
            if _only_just_moved(die, told, shot.at_ns, all_rests, watching):
                continue
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


def _only_just_moved(die: Die, told: Told, at_ns: int, all_rests: Sequence[Rest], watching: Watching) -> bool:
    """It lay still until a moment ago and showed this value: the value is not early, the motion not yet noticed."""
    since_ns = max((rest.until_ns for rest in all_rests if rest.die == die and rest.until_ns <= at_ns), default=None)
    if since_ns is None:  # the first motion of the play
        moves = [each.began_ns for each in watching.happenings if die_of(each) == die and each.began_ns <= at_ns]
        before = [shot.true[die].value for shot in watching.shots if shot.at_ns < min(moves, default=at_ns)]
        return bool(moves) and at_ns - min(moves) <= _UNNOTICED_NS and before[-1:] == [told.value]
    rest = next(rest for rest in all_rests if rest.die == die and rest.until_ns == since_ns)
    return at_ns - since_ns <= _UNNOTICED_NS and rest.value == told.value


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
