"""The dice: what lies, what moves, and how they lay at the instant of a press."""

from __future__ import annotations

import msgspec

from rules.lightning_dice.components import DICE, FACES
from rules.lightning_dice.events import Moving, Roll
from rules.lightning_dice.setup import no_such_seat, over
from rules.lightning_dice.state import ALL_PLACES, Lay, LightningDiceState, SeatState
from rules.rulings import Effect, Outcome, Refusal, Ruling, Verdict, accepted, refused

__all__ = ["lay_at", "moving", "roll"]

State = LightningDiceState

_NOTHING = (None,) * DICE


def lay_at(seat: SeatState, edge_ns: int, settle_ns: int) -> Lay | None:
    """How a seat's dice lay at the edge of a press; None when no reading tells. LD-S43, LD-S44.

    An edge of 0 is not timed and means the dice as they lie now. Dice that come to rest up to `settle_ns` after the
    edge are taken to have lain at it, for a camera sees rest later than it is.
    """
    if seat.faces is None:
        if len(seat.moving) == DICE and _taken_up_unread(seat, edge_ns):
            return Lay(_NOTHING)
        return Lay(_NOTHING, ALL_PLACES, seat.must_roll, seat.why)
    resting = Lay(seat.faces, seat.off_table, seat.must_roll, seat.why, seat.settled_ns, seat.since_ns)
    gone = tuple(sorted({*seat.moving, *seat.off_table}))
    if edge_ns == 0:
        return msgspec.structs.replace(resting, idle=gone)
    before = seat.lay
    if before is not None and before.left_ns is not None and edge_ns <= before.left_ns:
        if before.settled_ns is not None and edge_ns < before.settled_ns - settle_ns:
            return None
        return before
    if seat.settled_ns is not None and edge_ns < seat.settled_ns - settle_ns:
        if before is None:
            return Lay(_NOTHING, ALL_PLACES, seat.must_roll, seat.why)
        rolling = tuple(sorted({*seat.off_table, *seat.thrown}))
        return Lay(seat.faces, rolling, before.must_roll, before.why)
    if not seat.moving or (seat.since_ns is not None and edge_ns <= seat.since_ns):
        return resting
    if _taken_up_unread(seat, edge_ns):
        faces = tuple(None if place in seat.moving else face for place, face in enumerate(seat.faces))
        short = seat.must_roll_all and len(seat.moving) < DICE and seat.why in _OWED_BY
        must = seat.must_roll if short else tuple(place for place in seat.must_roll if place not in seat.moving)
        return msgspec.structs.replace(resting, faces=faces, must_roll=must)
    return msgspec.structs.replace(resting, idle=gone)


def _taken_up_unread(seat: SeatState, edge_ns: int) -> bool:
    """At the edge dice had moved, may have come to rest, and were taken up before anything read them. LD-S44."""
    left = seat.since_ns is None or edge_ns > seat.since_ns
    return left and edge_ns != 0 and seat.unread_ns is not None and edge_ns <= seat.unread_ns


def _bad(problem: str, seat: int) -> Ruling:
    """LD-C1: six dice, each showing 1 to 6; anything else was misread."""
    return refused(Refusal.UNREADABLE, "ld.bad-dice", "TC-1", "LD-C1", seat=seat, facts={"problem": problem})


def moving(state: State, event: Moving) -> Outcome[State]:
    """Dice left their place; until the next reading they show nothing. LD-S43.

    There are no turns, so this is right at any time. LD-I1, LD-S9.
    """
    seat = state.find(event.seat)
    if state.phase == "over":
        return Outcome(state, (over(),))
    if seat is None:
        return Outcome(state, (no_such_seat(state, event.seat),))
    if any(place not in ALL_PLACES for place in event.dice):
        return Outcome(state, (_bad("places", event.seat),))
    again = bool(set(seat.moving) & set(event.dice))
    changes: dict[str, object] = {"moving": tuple(sorted({*seat.moving, *event.dice}))}
    if again and event.since_ns is not None:
        changes["unread_ns"] = event.since_ns
    elif not seat.moving and event.dice:
        changes["since_ns"] = event.since_ns
    ruling = accepted("ld.moving", "LD-S43", "LD-I1", seat=event.seat, facts={"places": tuple(sorted(set(event.dice)))})
    return Outcome(state.with_seat(event.seat, **changes), (ruling,))


def roll(state: State, event: Roll) -> Outcome[State]:
    """A reading of a seat's six dice at rest.

    Any number may be kept (LD-S7) and any number thrown (LD-S8), as often as wanted (LD-S9), by all at the same time
    (LD-I1, LD-S3, LD-Q6), whatever the score (LD-I2). Against the law is only what no longer counts: after a new card
    (LD-S4), a Bonus (LD-S18) or a Thunder (LD-S26) all six must be thrown together.
    """
    seat = state.find(event.seat)
    if state.phase == "over":
        return Outcome(state, (over(),))
    if seat is None:
        return Outcome(state, (no_such_seat(state, event.seat),))
    if len(event.faces) != DICE or any(face is not None and face not in FACES for face in event.faces):
        return Outcome(state, (_bad("faces", event.seat),))
    if any(place not in ALL_PLACES for place in (*(event.thrown or ()), *event.off_table)):
        return Outcome(state, (_bad("places", event.seat),))

    off = set(event.off_table)
    faces = tuple(None if place in off else face for place, face in enumerate(event.faces))
    thrown = _thrown(seat, event, faces)
    turned = _turned(seat, faces, thrown)
    early = (
        state.phase == "open"
        and state.opened_ns is not None
        and event.settled_ns is not None
        and event.settled_ns <= state.opened_ns
    )
    counts = state.phase == "open" and not early
    short = counts and seat.must_roll_all and len(thrown) < DICE and seat.why in _OWED_BY
    must = set(seat.must_roll)
    if counts and not short:
        must -= thrown
    must |= off | turned
    why = seat.why if must & set(seat.must_roll) else "off table" if off else "turned" if turned else ""
    changes: dict[str, object] = {
        "faces": faces,
        "moving": (),
        "off_table": tuple(sorted(off)),
        "must_roll": tuple(sorted(must)),
        "why": why,
        "since_ns": None,
        "unread_ns": None,
    }
    if thrown:
        changes["lay"] = Lay(
            seat.faces or _NOTHING,
            seat.off_table if seat.faces else ALL_PLACES,
            seat.must_roll,
            seat.why,
            seat.settled_ns,
            seat.since_ns,
        )
        changes["thrown"] = tuple(sorted(thrown))
        changes["settled_ns"] = event.settled_ns
        if len(thrown) == DICE:
            changes["throws"] = seat.throws + 1
    after = state.with_seat(event.seat, **changes)
    return Outcome(after, (_roll_ruling(state, event.seat, faces, thrown, turned, off, early, short),))


_OWED_BY = {"new-card": "LD-S4", "bonus": "LD-S18", "thunder": "LD-S26"}


def _thrown(seat: SeatState, event: Roll, faces: tuple[int | None, ...]) -> set[int]:
    if event.thrown is not None:
        return set(event.thrown)
    if seat.faces is None:
        return set(ALL_PLACES)
    changed = {
        place
        for place, (old, new) in enumerate(zip(seat.faces, faces, strict=True))
        if old is not None and new is not None and old != new
    }
    return changed | set(seat.moving)


def _turned(seat: SeatState, faces: tuple[int | None, ...], thrown: set[int]) -> set[int]:
    """Kept dice lie as they lay; one that shows another face without a throw counts for nothing. LD-S7."""
    if seat.faces is None:
        return set()
    return {
        place
        for place, (old, new) in enumerate(zip(seat.faces, faces, strict=True))
        if place not in thrown and old is not None and new is not None and old != new
    }


def _roll_ruling(
    state: State,
    seat: int,
    faces: tuple[int | None, ...],
    thrown: set[int],
    turned: set[int],
    off: set[int],
    early: bool,
    short: bool,
) -> Ruling:
    places = tuple(sorted(thrown))
    unread = tuple(place for place, face in enumerate(faces) if face is None)
    if off:
        fallen = tuple(sorted(off))
        tournament = state.options.tournament
        # Only the fallen dice are thrown again, the others of the throw may be kept. LD-T8.
        return Ruling(
            Verdict.INFRACTION if tournament else Verdict.ACCEPTED,
            "ld.roll-off-table",
            ("LD-T4", "LD-T8") if tournament else ("LD-S43",),
            seat,
            facts={"faces": faces, "places": fallen},
            effects=(Effect("must-roll", seat, None, fallen),),
        )
    if state.phase != "open":
        return accepted("ld.roll-idle", "LD-S3", "LD-S4", seat=seat, facts={"faces": faces})
    if early:
        return accepted("ld.roll-early", "LD-S3", "LD-S4", seat=seat, facts={"faces": faces})
    if short:
        why = state.seat_state(seat).why
        return accepted(
            "ld.roll-short",
            _OWED_BY[why],
            seat=seat,
            facts={"faces": faces, "thrown": places, "reason": why},
            effects=(Effect("must-roll", seat, None, ALL_PLACES),),
            by_option=("fresh_roll",) if why == "new-card" else (),
        )
    if turned:
        fallen = tuple(sorted(turned))
        return accepted(
            "ld.roll-turned",
            "LD-S7",
            seat=seat,
            facts={"faces": faces, "places": fallen},
            effects=(Effect("must-roll", seat, None, fallen),),
        )
    if unread:
        return accepted("ld.roll-unread", "LD-S44", seat=seat, facts={"faces": faces, "unreadable": unread})
    kept = tuple(place for place in ALL_PLACES if place not in thrown)
    clauses: tuple[str, ...] = ("LD-S8", "LD-S7", "LD-S9") if kept else ("LD-S3", "LD-S9")
    if state.options.quick:
        clauses = ("LD-Q6", *clauses)
    return accepted("ld.roll", *clauses, seat=seat, facts={"faces": faces, "thrown": places, "kept": kept})
