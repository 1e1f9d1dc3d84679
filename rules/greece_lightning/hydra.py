"""The Hydra: ignored under protection, fed with a Fish, or fought."""

from __future__ import annotations

import msgspec

from rules.greece_lightning.answers import refuse, turn_problem, waits, without
from rules.greece_lightning.components import BOOST, FavorKind, Mark
from rules.greece_lightning.events import Feed, Fight
from rules.greece_lightning.favors import Deed, FavorEffect, FavorTime, Whom
from rules.greece_lightning.options import OPEN_CASES, GreeceLightningOptions
from rules.greece_lightning.state import GreeceLightningState, Waiting
from rules.records import Fact
from rules.rulings import Effect, Outcome, Ruling, accepted

__all__ = ["feed", "fight", "meet_hydra", "protected"]

State = GreeceLightningState


_SHIELDS = ("hydra_dot_counts", "skipped_dots_count", "boosts_protect", "protected_at_end")
"""The options that say how far protection reaches."""


def _count(state: State, number: int, options: GreeceLightningOptions) -> int:
    """Dots moved so far, as protection counts them. GL-H11, GL-H12."""
    seat = state.seat_state(number)
    dots = seat.dots_moved if options.hydra_dot_counts else seat.dots_moved - 1
    return dots + (seat.dots_skipped if options.skipped_dots_count else 0)


def _reach(state: State, number: int, options: GreeceLightningOptions) -> int:
    """Up to how many dots protection reaches. GL-H8, GL-H9, GL-H13."""
    boosts = state.seat_state(number).boosts if options.boosts_protect else 0
    return state.protection(number) + BOOST * boosts


def _shielded(state: State, number: int, options: GreeceLightningOptions) -> bool:
    if not state.seat_state(number).movement_left and not options.protected_at_end:
        return False
    return _count(state, number, options) <= _reach(state, number, options)


def protected(state: State, number: int) -> bool:
    """True when a seat that stands on a Hydra may ignore it. GL-H8 to GL-H14."""
    return _shielded(state, number, state.options)


def _deciding(state: State, number: int) -> tuple[str, ...]:
    """The options without which it would have come out the other way."""
    stands = protected(state, number)
    turned = (
        (name, msgspec.structs.replace(state.options, **{name: not getattr(state.options, name)})) for name in _SHIELDS
    )
    return tuple(name for name, options in turned if _shielded(state, number, options) != stands)


def meet_hydra(state: State, number: int) -> tuple[State, Ruling]:
    """A ship came to a Hydra. Each one is met for itself. GL-H16.

    Protected, it is ignored without a word (GL-H8 to GL-H15). Else it is to be fed (GL-H1, GL-H4), with Fish gained on
    the way too (GL-P13); without Fish the move is over (GL-H5), unless a face-up Favor can still help.
    """
    seat = state.seat_state(number)
    facts: dict[str, Fact] = {**_facts(state, number), "fish": seat.fish}
    options = _deciding(state, number)
    cases = tuple(OPEN_CASES[name] for name in options)
    if seat.has_lasting(Deed.PASS_HYDRAS):
        return state, accepted("gl.hydra-passed", "GL-F17", seat=number, facts=facts)
    if protected(state, number):
        nav = "GL-H9" if state.doubled(number) else "GL-H8"
        clauses = (nav, "GL-H10", "GL-H15", *cases)
        return state, accepted("gl.hydra-protected", *clauses, seat=number, facts=facts, by_option=options)
    if seat.fish or _helped(state, number):
        state = state.wait_for(Waiting("hydra", number))
        clauses = ("GL-H1", "GL-H16", "GL-P13", *(("GL-H4",) if not seat.movement_left else ()), *cases)
        return state, accepted("gl.hydra", *clauses, seat=number, facts=facts, by_option=options)
    return _stopped(state, number)


def _facts(state: State, number: int) -> dict[str, Fact]:
    return {"dots": _count(state, number, state.options), "reach": _reach(state, number, state.options)}


def _stopped(state: State, number: int) -> tuple[State, Ruling]:
    """The rest of the movement is lost. GL-H5; next turn the ship leaves as from any dot. GL-H6."""
    lost = state.seat_state(number).movement_left
    state = state.with_seat(number, movement_left=0, stopped=True)
    facts: dict[str, Fact] = {"lost": lost}
    effects = (Effect("movement", number, lost, 0),) if lost else ()
    ruling = accepted("gl.hydra-stops", "GL-H5", "GL-H6", "GL-H16", seat=number, facts=facts, effects=effects)
    return state, ruling


def _helped(state: State, number: int) -> bool:
    """True when a Favor that the seat holds could get it past a Hydra. GL-M19."""
    others_fish = any(each.fish for each in state.others(number))
    for card in state.seat_state(number).favors:
        favor = state.given.favors[card]
        if favor.kind is not FavorKind.BOAT or favor.when not in (FavorTime.MOVING, FavorTime.TURN):
            continue
        for effect in favor.effects:
            own = effect.whom in (Whom.USER, Whom.ALL)
            if effect.do is Deed.PASS_HYDRAS and own:
                return True
            if effect.do is Deed.FISH and own and effect.amount > 0:
                return True
            if effect.do is Deed.DOUBLE_NAVIGATION and own and _shielded_doubled(state, number, effect):
                return True
            if effect.do is Deed.TAKE_FISH and others_fish:
                return True
    return False


def _shielded_doubled(state: State, number: int, effect: FavorEffect) -> bool:
    """True when protection would reach if the Navigation die counted double."""
    lasting = (*state.seat_state(number).lasting, effect)
    return protected(state.with_seat(number, lasting=lasting), number)


def feed(state: State, event: Feed) -> Outcome[State]:
    """A Fish for the Hydra; then the move goes on. GL-H1, GL-H3, GL-H4, GL-P1.

    Refused where there is no Hydra (GL-P2), where protection holds (GL-H10), and without a Fish (GL-H5).
    """
    problem = turn_problem(state, event.seat, "hydra", "wedge")
    if problem is not None:
        return Outcome(state, (problem,))
    seat = state.seat_state(event.seat)
    waiting = waits(state, event.seat, "hydra")
    if waiting is None:
        return _not_fed(state, event.seat)
    if not seat.fish:
        return refuse(state, "gl.no-fish", "GL-H5", "GL-P12", seat=event.seat, facts={"what": "hydra"})
    state = without(state, waiting).with_fish(event.seat, seat.fish - 1)
    facts: dict[str, Fact] = {"fish": seat.fish - 1, "left": seat.movement_left}
    effects = (Effect("fish", event.seat, seat.fish, seat.fish - 1),)
    clauses = ("GL-H1", "GL-H3", "GL-H4", "GL-P1")
    return Outcome(state, (accepted("gl.fed", *clauses, seat=event.seat, facts=facts, effects=effects),))


def _not_fed(state: State, number: int) -> Outcome[State]:
    seat = state.seat_state(number)
    assert seat.spot is not None
    if Mark.HYDRA not in state.marks_at(seat.spot):
        return refuse(state, "gl.no-hydra", "GL-P2", "GL-H1", seat=number)
    if seat.stopped or not seat.dots_moved:
        return refuse(state, "gl.hydra-left-free", "GL-H6", seat=number)
    if protected(state, number) or seat.has_lasting(Deed.PASS_HYDRAS):
        return refuse(state, "gl.feed-protected", "GL-H10", "GL-H8", seat=number, facts=_facts(state, number))
    return refuse(state, "gl.fed-already", "GL-H1", seat=number)


def fight(state: State, event: Fight) -> Outcome[State]:
    """Stopping at the Hydra: only for those who have no Fish. GL-H2, GL-H5."""
    problem = turn_problem(state, event.seat, "hydra", "wedge")
    if problem is not None:
        return Outcome(state, (problem,))
    waiting = waits(state, event.seat, "hydra")
    if waiting is None:
        return refuse(state, "gl.no-hydra", "GL-H2", "GL-M5", seat=event.seat)
    fish = state.seat_state(event.seat).fish
    if fish:
        return refuse(state, "gl.must-feed", "GL-H2", "GL-H1", seat=event.seat, facts={"fish": fish})
    state, ruling = _stopped(without(state, waiting), event.seat)
    return Outcome(state, (ruling,))
