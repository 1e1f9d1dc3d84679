"""A toy game that holds the shared core to what all five games need: counts, claims, and cards known only later."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, ClassVar

from rules.errors import BadHeader
from rules.events import Adjust, Decision, Event, Overrule, Submission
from rules.header import Header
from rules.records import Record
from rules.referee import Domain, Entry, Option, Referee, Result
from rules.rulings import Effect, Outcome, Refusal, Ruling, Verdict, accepted, infraction, refused


class Gain(Event, frozen=True, tag="gain"):
    """A seat claims points; more than three are against the rules."""

    seat: int
    points: int


class LayDown(Event, frozen=True, tag="lay-down"):
    """A card goes to a place, face down."""

    place: int


class Challenge(Event, frozen=True, tag="challenge"):
    """The card on a place challenges; a Wall never may, which shows only when it is turned up."""

    place: int


class Reveal(Event, frozen=True, tag="reveal"):
    """The card on a place is turned up."""

    place: int
    card: str


class Place(Record, frozen=True):
    """A face-down card: no identity, only what it was made to do and by which entry."""

    number: int
    challenged_by: int | None = None


class ToyState(Record, frozen=True):
    scores: tuple[int, ...]
    places: tuple[Place, ...] = ()


class ToyReferee(Referee[ToyState]):
    game = "toy"
    rules_version = "toy/1"
    event_type = Gain | LayDown | Challenge | Reveal
    codes: ClassVar[dict[str, tuple[str, ...]]] = {}

    def start(self, header: Header) -> ToyState:
        if not header.seats:
            raise BadHeader("A toy match needs a seat.", clauses=("TOY-1",))
        return ToyState(tuple(0 for _ in header.seats))

    def judge(self, state: ToyState, filed: Submission[Any], seq: int) -> Outcome[ToyState]:
        event = filed.event
        match event:
            case Gain() | Adjust() if not 1 <= event.seat <= len(state.scores):
                return Outcome(state, (refused(Refusal.ILLEGAL, "toy.no-seat", "TOY-1"),))
            case Gain(points=points) if points > 3:
                return Outcome(state, (refused(Refusal.ILLEGAL, "toy.too-much", "TOY-2", seat=event.seat),))
            case Gain():
                return _score(state, event.seat, state.scores[event.seat - 1] + event.points, "toy.gain", "TOY-2")
            case Adjust():
                return _score(state, event.seat, event.value, "toy.adjusted", "TC-8")
            case LayDown(place=place):
                if _place(state, place) is not None:
                    return Outcome(state, (refused(Refusal.ILLEGAL, "toy.taken", "TOY-3"),))
                return Outcome(_with(state, Place(place)), (accepted("toy.laid", "TOY-3"),))
            case Challenge(place=place):
                if _place(state, place) is None:
                    return Outcome(state, (refused(Refusal.ILLEGAL, "toy.empty", "TOY-4"),))
                return Outcome(_with(state, Place(place, seq)), (accepted("toy.challenged", "TOY-4"),))
            case Reveal(place=place, card=card):
                lying = _place(state, place)
                if lying is None:
                    return Outcome(state, (refused(Refusal.ILLEGAL, "toy.empty", "TOY-5"),))
                rulings = [accepted("toy.revealed", "TOY-5", facts={"card": card})]
                if card == "Wall" and lying.challenged_by is not None:
                    rulings.append(infraction("toy.wall-challenged", "TOY-6", about=lying.challenged_by))
                rest = tuple(each for each in state.places if each.number != place)
                return Outcome(ToyState(state.scores, rest), tuple(rulings))
        raise AssertionError(event)

    def overrule(
        self, state: ToyState, filed: Submission[Overrule], seq: int, original: Entry, standing: Ruling
    ) -> Outcome[ToyState]:
        gain = original.filed.event
        upheld = standing.verdict is Verdict.ACCEPTED and standing.code != "toy.overruled-refused"
        if not isinstance(gain, Gain) or upheld == (filed.event.decision is Decision.UPHOLD):
            return Outcome(state, (refused(Refusal.ILLEGAL, "core.not-overrulable", "TC-10", facts={"target": seq}),))
        points = gain.points if filed.event.decision is Decision.UPHOLD else -gain.points
        code = "toy.overruled-upheld" if points > 0 else "toy.overruled-refused"
        return _score(state, gain.seat, max(0, state.scores[gain.seat - 1] + points), code, "TC-7")

    def options(self, state: ToyState) -> tuple[Option, ...]:
        seats = range(1, len(state.scores) + 1)
        return tuple(Option(Gain(seat, 1), {"points": Domain(values=(1, 2, 3))}, ("TOY-2",)) for seat in seats)

    def context(self, state: ToyState, event: Event) -> Hashable:
        return state.places if isinstance(event, LayDown | Challenge | Reveal) else state.scores

    def result(self, state: ToyState) -> Result | None:
        won = tuple(n for n, score in enumerate(state.scores, 1) if score >= 10)
        return Result(won, "toy.won", ("TOY-7",)) if won else None

    def check_state(self, state: ToyState) -> tuple[str, ...]:
        return ("negative score",) if min(state.scores) < 0 else ()


def _score(state: ToyState, seat: int, value: int, code: str, clause: str) -> Outcome[ToyState]:
    before = state.scores[seat - 1]
    scores = tuple(value if n == seat else score for n, score in enumerate(state.scores, 1))
    effect = Effect("score", seat, before, value)
    return Outcome(ToyState(scores, state.places), (accepted(code, clause, seat=seat, effects=(effect,)),))


def _place(state: ToyState, number: int) -> Place | None:
    return next((each for each in state.places if each.number == number), None)


def _with(state: ToyState, place: Place) -> ToyState:
    others = tuple(each for each in state.places if each.number != place.number)
    return ToyState(state.scores, (*others, place))
