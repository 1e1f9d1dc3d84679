"""Refusals that many events share: it is over, nobody sits there, something else comes first."""

from __future__ import annotations

from collections.abc import Mapping

from rules.greece_lightning.state import GreeceLightningState, Waiting
from rules.records import Fact
from rules.rulings import Outcome, Refusal, Ruling, refused

__all__ = [
    "WAITS",
    "no_such_seat",
    "over",
    "refuse",
    "set_up_first",
    "set_up_missing",
    "turn_problem",
    "waiting_problem",
    "waits",
    "without",
]

State = GreeceLightningState

WAITS: dict[str, tuple[str, ...]] = {
    "wedge": ("GL-B7", "GL-M7"),
    "hydra": ("GL-H1", "GL-M7"),
    "use": ("GL-F5", "GL-F4"),
    "boat": ("GL-F7", "GL-F4"),
    "trident": ("GL-F8", "GL-F4"),
    "room": ("GL-F10", "GL-F11"),
}
"""Why each kind of thing that is waited for comes first."""


def refuse(
    state: State,
    code: str,
    *clauses: str,
    seat: int | None = None,
    facts: Mapping[str, Fact] | None = None,
    family: Refusal = Refusal.ILLEGAL,
    by_option: tuple[str, ...] = (),
) -> Outcome[State]:
    """The state as it is, and why."""
    return Outcome(state, (refused(family, code, *clauses, seat=seat, facts=facts, by_option=by_option),))


def over() -> Ruling:
    """The race is over. TC-11, GL-G4."""
    return refused(Refusal.ILLEGAL, "gl.over", "TC-11", "GL-G4")


def no_such_seat(state: State, number: int) -> Ruling:
    """Nobody has this player number. GL-C1."""
    facts: dict[str, Fact] = {"number": number, "seats": state.given.numbers}
    return refused(Refusal.ILLEGAL, "gl.no-such-seat", "GL-C1", facts=facts)


def set_up_missing(state: State) -> tuple[str, ...]:
    """What of set-up is still to do before ships are set on the Starting Line, in order."""
    done = state.declared
    wanted = {
        "circle": state.layout is not None,
        "wedges shuffled": "wedges shuffled" in done,
        "wedges stacked": "wedges stacked" in done,
        "lap board": "lap board" in done,
        "players": all(seat.ready for seat in state.seats),
        "starters shown": "starters shown" in done,
        "starters shuffled": "starters shuffled" in done,
        "starters dealt": all(seat.starter is not None for seat in state.seats),
        "favors shuffled": "favors shuffled" in done,
        "favors stacked": "favors stacked" in done,
    }
    return tuple(name for name, there in wanted.items() if not there)


def set_up_first(state: State, seat: int | None = None) -> Ruling:
    """The ships are not on the Starting Line yet. GL-S18, GL-S28."""
    missing = set_up_missing(state) or ("ships",)
    return refused(Refusal.ILLEGAL, "gl.set-up-first", "GL-S18", "GL-S28", seat=seat, facts={"missing": missing})


def waits(state: State, seat: int, *kinds: str) -> Waiting | None:
    """The first thing of these kinds that the table waits for from this seat."""
    return next((each for each in state.waiting if each.seat == seat and each.kind in kinds), None)


def without(state: State, waiting: Waiting) -> State:
    """The same table when this, once, is done."""
    place = state.waiting.index(waiting)
    return state.replace(waiting=(*state.waiting[:place], *state.waiting[place + 1 :]))


def waiting_problem(state: State, seat: int, *but: str) -> Ruling | None:
    """What has to happen first, when the table waits for something other than these kinds of this seat; else None.

    Each bonus, obstacle and Favor is resolved in full before anything goes on. GL-M7, GL-F4. A wedge that is to be seen
    is resolved by being seen: whoever drew it, it holds nobody up who may go on before it ("wedge" among these kinds).
    """
    in_the_way = (
        each for each in state.waiting if each.kind not in but or (each.seat != seat and each.kind != "wedge")
    )
    first = next(in_the_way, None)
    if first is None:
        return None
    facts: dict[str, Fact] = {"kind": first.kind, "owner": first.seat, "card": first.card or None}
    return refused(Refusal.ILLEGAL, "gl.waits", *WAITS[first.kind], seat=seat, facts=facts)


def turn_problem(state: State, seat: int, *but: str) -> Ruling | None:
    """Why this seat may not act at all now; None when it is its turn and the table waits for nothing but these kinds.

    Turns begin when all have rolled (GL-O2, GL-R22, GL-R23), with the Golden Fleece (GL-O3) and go on clockwise
    (GL-O4); everybody has one in a round (GL-O1), and after the last lap nobody has another (GL-G3).
    """
    if state.phase == "over":
        return over()
    if state.find(seat) is None:
        return no_such_seat(state, seat)
    if state.phase == "setup":
        return set_up_first(state, seat)
    if state.turn is None:
        rolling = tuple(each.number for each in state.seats if not each.finished)
        facts: dict[str, Fact] = {"rolling": rolling}
        return refused(Refusal.ILLEGAL, "gl.rolling-first", "GL-R22", "GL-O2", "GL-R23", seat=seat, facts=facts)
    if state.turn.seat != seat:
        facts = {"turn": state.turn.seat}
        if state.seat_state(seat).played:
            clauses: tuple[str, ...] = ("GL-O1", "GL-G3") if state.ending else ("GL-O1", "GL-O6")
            return refused(Refusal.ILLEGAL, "gl.played", *clauses, seat=seat, facts=facts)
        first = not any(each.played for each in state.seats)
        clauses = ("GL-O3", "GL-S34") if first else ("GL-O4",)
        return refused(Refusal.ILLEGAL, "gl.not-your-turn", *clauses, seat=seat, facts=facts)
    return waiting_problem(state, seat, *but)
