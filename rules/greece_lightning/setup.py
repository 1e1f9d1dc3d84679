"""Set-up: the circle, the stacks, the players, the Starter cards, the ships on the Starting Line."""

from __future__ import annotations

from rules.greece_lightning.answers import no_such_seat, refuse, set_up_missing
from rules.greece_lightning.bonuses import new_deck
from rules.greece_lightning.circle import circle_fault
from rules.greece_lightning.components import MOVEMENT_DICE, PLACES, STACK_WEDGES
from rules.greece_lightning.course import Layout, Spot
from rules.greece_lightning.events import Circle, Deal, LapBoard, Launch, Ready, Shuffled, Stack, Starters
from rules.greece_lightning.state import GreeceLightningState, SeatState
from rules.records import Fact
from rules.rulings import Effect, Outcome, Refusal, Ruling, accepted, refused

__all__ = [
    "circle",
    "deal",
    "favor_cards",
    "lap_board",
    "launch",
    "launch_order",
    "ready",
    "shuffled",
    "stack",
    "starters",
]

State = GreeceLightningState

SHUFFLES = {"wedges": "GL-S8", "starters": "GL-S22", "favors": "GL-S26"}
"""What is shuffled at set-up, and why."""


def _done(state: State) -> Outcome[State] | None:
    if state.phase == "setup":
        return None
    if state.phase == "over":
        return refuse(state, "gl.over", "TC-11", "GL-G4")
    return refuse(state, "gl.set-up-done", "GL-S34")


def _say(state: State, what: str) -> State:
    return state if what in state.declared else state.replace(declared=(*state.declared, what))


def favor_cards(state: State) -> int:
    """Favor cards in the box. GL-C6."""
    return sum(favor.copies for favor in state.given.favors.values())


_FAULTS = {
    "number": "gl.circle-number",
    "unknown": "gl.circle-unknown",
    "twice": "gl.circle-twice",
    "no symbol": "gl.circle-no-symbol",
    "sets": "gl.circle-sets",
    "apart": "gl.circle-apart",
}


def circle(state: State, event: Circle) -> Outcome[State]:
    """The first circle: twelve wedges in four quarters (GL-S1 to GL-S5), line (GL-S6), middle (GL-S7)."""
    late = _done(state)
    if late is not None:
        return late
    if any(seat.spot is not None for seat in state.seats):
        return refuse(state, "gl.ships-on", "GL-S18")
    fault = circle_fault(event.wedges, state.given.wedges)
    if fault is not None:
        facts: dict[str, Fact] = {"named": fault.named, "wedges": len(event.wedges)}
        family = Refusal.UNREADABLE if fault.what == "unknown" else Refusal.ILLEGAL
        return refuse(state, _FAULTS[fault.what], *fault.clauses, facts=facts, family=family)
    if event.line is None or not 1 <= event.line <= PLACES:
        return refuse(state, "gl.no-line", "GL-S6", facts={"place": event.line})
    if not event.centre:
        return refuse(state, "gl.no-centre", "GL-S7")
    state = state.replace(layout=Layout(tuple((wedge,) for wedge in event.wedges), event.line))
    clauses = ("GL-S1", "GL-S2", "GL-S3", "GL-S4", "GL-S5", "GL-S6", "GL-S7")
    return Outcome(state, (accepted("gl.circle", *clauses, facts={"place": event.line}),))


def shuffled(state: State, event: Shuffled) -> Outcome[State]:
    """People say so; nobody can check chance. GL-S8, GL-S22, GL-S26.

    In play only the used Favors are shuffled, into a new deck, and only when the deck is empty. GL-F15. Who does not
    say so finds them shuffled with the next draw.
    """
    facts: dict[str, Fact] = {"what": event.what}
    if state.phase in ("rolling", "turns") and event.what == "favors":
        return _used_favors_shuffled(state)
    late = _done(state)
    if late is not None:
        return late
    if event.what not in SHUFFLES:
        return refuse(state, "gl.no-such-stack", "TC-1", facts=facts, family=Refusal.UNREADABLE)
    clause = SHUFFLES[event.what]
    if event.what == "wedges" and state.layout is None:
        return refuse(state, "gl.circle-first", clause, "GL-S1")
    if event.what == "starters" and "starters shown" not in state.declared:
        return refuse(state, "gl.starters-first", clause, "GL-S21")
    if event.what == "favors" and any(seat.starter is None for seat in state.seats):
        return refuse(state, "gl.deal-first", clause, "GL-S25", facts={"seats": _undealt(state)})
    return Outcome(_say(state, f"{event.what} shuffled"), (accepted("gl.shuffled", clause, facts=facts),))


def _used_favors_shuffled(state: State) -> Outcome[State]:
    if state.deck or not state.discard:
        facts: dict[str, Fact] = {"deck": state.deck, "discard": len(state.discard)}
        return refuse(state, "gl.deck-not-empty", "GL-F15", facts=facts)
    state, effects = new_deck(state)
    return Outcome(state, (accepted("gl.new-deck", "GL-F15", facts={"count": state.deck}, effects=effects),))


def _undealt(state: State) -> tuple[int, ...]:
    return tuple(seat.number for seat in state.seats if seat.starter is None)


def stack(state: State, event: Stack) -> Outcome[State]:
    """The stack of wedges and the deck of Favors, face down, of the right size.

    16 wedges are left of the circle (GL-C7, GL-S9). The deck holds all cards but those dealt, so the Starters left over
    went back into it (GL-C6, GL-S25, GL-D1, GL-S27).
    """
    late = _done(state)
    if late is not None:
        return late
    facts: dict[str, Fact] = {"what": event.what}
    if event.what not in ("wedges", "favors"):
        return refuse(state, "gl.no-such-stack", "TC-1", facts=facts, family=Refusal.UNREADABLE)
    wedges = event.what == "wedges"
    clause = "GL-S9" if wedges else "GL-S27"
    if f"{event.what} shuffled" not in state.declared:
        return refuse(state, "gl.shuffle-first", SHUFFLES[event.what], clause, facts=facts)
    if not event.face_down:
        return refuse(state, "gl.face-down", clause, facts=facts)
    expected = STACK_WEDGES if wedges else favor_cards(state) - len(state.seats)
    if event.count is not None and event.count != expected:
        clauses: tuple[str, ...] = ("GL-C7",) if wedges else ("GL-C6", "GL-S25", "GL-D1")
        counted: dict[str, Fact] = {"what": event.what, "count": event.count, "expected": expected}
        return refuse(state, "gl.stack-count", *clauses, facts=counted)
    clauses = (clause, "GL-C7") if wedges else (clause, "GL-C6", "GL-S25", "GL-D1")
    state = _say(state, f"{event.what} stacked")
    if not wedges:
        state = state.replace(deck=expected)
    return Outcome(state, (accepted("gl.stack", *clauses, facts={"what": event.what, "count": expected}),))


def ready(state: State, event: Ready) -> Outcome[State]:
    """A seat has what it needs. GL-S10 to GL-S18, GL-S20."""
    late = _done(state)
    if late is not None:
        return late
    seat = next((each for each in state.given.seats if each.number == event.seat), None)
    if seat is None:
        return Outcome(state, (no_such_seat(state, event.seat),))
    colour = seat.colour
    if event.board is not None and event.board.strip().casefold() != colour.strip().casefold():
        facts: dict[str, Fact] = {"seen": event.board, "colour": colour}
        return refuse(state, "gl.ready-board", "GL-S11", "GL-S10", seat=event.seat, facts=facts)
    fish = state.options.starting_fish
    wrong: tuple[tuple[str, int, int, tuple[str, ...]], ...] = (
        ("ships", event.ships, 1, ("GL-S12", "GL-S18")),
        ("lap marker", event.lap_markers, 1, ("GL-S20", "GL-S12")),
        ("wake token", int(event.wake), 1, ("GL-S13", "GL-S18")),
        ("navigation die", event.navigation, 1, ("GL-S14",)),
        ("movement dice", event.movement, MOVEMENT_DICE, ("GL-S15",)),
        ("fish", event.fish, fish, ("GL-S17",) if state.options.difficult else ("GL-S16",)),
    )
    for what, there, expected, broken in wrong:
        if there != expected:
            facts = {"what": what, "count": there, "expected": expected, "colour": colour}
            return refuse(state, "gl.ready-count", *broken, seat=event.seat, facts=facts)
    before = state.seat_state(event.seat).fish
    state = state.with_fish(event.seat, fish).with_seat(event.seat, ready=True)
    given = "GL-S17" if state.options.difficult else "GL-S16"
    clauses = ("GL-S10", "GL-S11", "GL-S12", "GL-S13", "GL-S14", "GL-S15", "GL-S20", given)
    effects = (Effect("fish", event.seat, before, fish),) if before != fish else ()
    facts = {"fish": fish, "colour": colour}
    return Outcome(state, (accepted("gl.ready", *clauses, seat=event.seat, facts=facts, effects=effects),))


def lap_board(state: State, event: LapBoard) -> Outcome[State]:
    """The Lap Counter board is there. GL-S19, GL-S20."""
    late = _done(state)
    return late or Outcome(_say(state, "lap board"), (accepted("gl.lap-board", "GL-S19"),))


def starters(state: State, event: Starters) -> Outcome[State]:
    """The four Starter cards, all of them and no other. GL-S21."""
    late = _done(state)
    if late is not None:
        return late
    wanted = {favor.id for favor in state.given.favors.values() if favor.starter is not None}
    wrong = tuple(card for card in event.cards if card not in wanted)
    missing = tuple(sorted(wanted - set(event.cards)))
    if wrong or missing or len(event.cards) != len(wanted):
        return refuse(state, "gl.starters-wrong", "GL-S21", facts={"wrong": wrong, "missing": missing})
    return Outcome(_say(state, "starters shown"), (accepted("gl.starters", "GL-S21", facts={"cards": event.cards}),))


def deal(state: State, event: Deal) -> Outcome[State]:
    """One Starter for each seat (GL-S23), face up in a slot of its board (GL-S24)."""
    late = _done(state)
    if late is not None:
        return late
    seat = state.find(event.seat)
    if seat is None:
        return Outcome(state, (no_such_seat(state, event.seat),))
    if "starters shuffled" not in state.declared:
        return refuse(state, "gl.shuffle-first", "GL-S22", seat=event.seat, facts={"what": "starters"})
    if seat.starter is not None:
        facts: dict[str, Fact] = {"card": event.card, "held": seat.favors[0]}
        return refuse(state, "gl.second-starter", "GL-S23", seat=event.seat, facts=facts)
    if event.card is None:
        return refuse(state, "gl.card-unreadable", "TC-1", "GL-S24", seat=event.seat, family=Refusal.UNREADABLE)
    favor = state.given.favors.get(event.card)
    facts = {"card": event.card}
    if favor is None:
        return refuse(state, "gl.card-unknown", "TC-1", seat=event.seat, facts=facts, family=Refusal.UNREADABLE)
    if favor.starter is None:
        return refuse(state, "gl.no-starter", "GL-S21", "GL-S23", seat=event.seat, facts=facts)
    if any(favor.id in each.favors for each in state.seats):
        return refuse(state, "gl.card-elsewhere", "GL-S23", seat=event.seat, facts=facts, family=Refusal.UNREADABLE)
    if not event.face_up:
        return refuse(state, "gl.face-up", "GL-S24", seat=event.seat, facts=facts)
    state = state.with_seat(event.seat, favors=(favor.id,), starter=favor.starter)
    facts = {"card": favor.id, "number": favor.starter}
    return Outcome(state, (accepted("gl.dealt", "GL-S23", "GL-S24", seat=event.seat, facts=facts),))


def launch_order(state: State) -> tuple[SeatState, ...]:
    """The seats whose ships are not on the line yet, by the number on their Starter. GL-S28, GL-D3."""
    waiting = [seat for seat in state.seats if seat.spot is None and seat.starter is not None]
    return tuple(sorted(waiting, key=lambda seat: seat.starter or 0))


def launch(state: State, event: Launch) -> Outcome[State]:
    """Ships go on free dots of the Starting Line, the lowest Starter first. GL-S28 to GL-S32, GL-D3.

    The last one has the Golden Fleece (GL-S33) and begins (GL-S34). Nobody gains from the icons of the line. GL-S32.
    """
    late = _done(state)
    if late is not None:
        return late
    seat = state.find(event.seat)
    if seat is None:
        return Outcome(state, (no_such_seat(state, event.seat),))
    missing = set_up_missing(state)
    if missing:
        # A ship on the line before the order is known goes back beside it.
        return refuse(state, "gl.set-up-first", "GL-S18", "GL-S28", seat=event.seat, facts={"missing": missing})
    problem = _not_there(state, seat, event)
    if problem is not None:
        return Outcome(state, (problem,))
    assert event.dot is not None
    spot = Spot(state.course.layout.line, event.dot)
    state = state.with_seat(event.seat, spot=spot, wake=spot)
    facts: dict[str, Fact] = {"dot": event.dot, "number": seat.starter}
    clauses = ("GL-S28", "GL-S29", "GL-S30", "GL-S31", "GL-S32", "GL-D3")
    ruling = accepted("gl.launched", *clauses, seat=event.seat, facts=facts)
    if launch_order(state):
        return Outcome(state, (ruling,))
    fleece = accepted(
        "gl.first-fleece", "GL-S33", "GL-S34", seat=event.seat, effects=(Effect("fleece", None, None, event.seat),)
    )
    return Outcome(state.replace(fleece=event.seat), (ruling, fleece))


def _not_there(state: State, seat: SeatState, event: Launch) -> Ruling | None:
    order = launch_order(state)
    if seat.spot is not None:
        return refused(Refusal.ILLEGAL, "gl.launched-already", "GL-S28", seat=seat.number, facts={"dot": seat.spot.dot})
    if order[0].number != seat.number:
        facts: dict[str, Fact] = {"first": order[0].number, "number": order[0].starter}
        return refused(Refusal.ILLEGAL, "gl.launch-order", "GL-S28", "GL-D3", seat=seat.number, facts=facts)
    facts = {"dot": event.dot, "dots": state.given.line.line}
    if event.dot is None or event.dot not in state.given.line.line:
        return refused(Refusal.ILLEGAL, "gl.not-on-line", "GL-S29", seat=seat.number, facts=facts)
    holder = next((each for each in state.seats if each.spot and each.spot.dot == event.dot), None)
    if holder is not None:
        taken: dict[str, Fact] = {"dot": event.dot, "owner": holder.number}
        return refused(Refusal.ILLEGAL, "gl.dot-taken", "GL-S31", seat=seat.number, facts=taken)
    if not event.wake:
        return refused(Refusal.ILLEGAL, "gl.no-wake", "GL-S30", seat=seat.number)
    return None
