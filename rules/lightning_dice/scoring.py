"""Points, cards taken, the end of a card and the end of the match."""

from __future__ import annotations

from rules.lightning_dice.state import ALL_PLACES, LightningDiceState
from rules.referee import Result
from rules.rulings import Effect

__all__ = ["close_card", "finish", "owe_all", "reopen", "result", "score", "take_card"]

State = LightningDiceState


def score(state: State, number: int, points: int, by: str) -> tuple[State, Effect]:
    """Move a seat's score by `points`, within the track.

    Never below Start (LD-S13) unless an option says so; a gain that passes the target stops on it (LD-S33), or by
    option is not given. The quick game has no target (LD-Q9).
    """
    options = state.options
    before = state.seat_state(number).score
    after = before + points
    if points < 0 and options.least is not None:
        after = max(after, min(before, options.least))
    if points > 0 and not options.quick and after > options.target:
        after = before if options.exact_finish else options.target
    return state.with_seat(number, score=after, moved_by=by), Effect("score", number, before, after)


def take_card(state: State, number: int) -> tuple[State, Effect]:
    """Quick game: the winner of a card keeps it. LD-Q7."""
    before = state.seat_state(number).cards_won
    return state.with_seat(number, cards_won=before + 1), Effect("cards", number, before, before + 1)


def owe_all(state: State, number: int, why: str) -> tuple[State, Effect]:
    """All six dice must be taken up and thrown. LD-S18, LD-S26."""
    return state.with_seat(number, must_roll=ALL_PLACES, why=why), Effect("must-roll", number, None, ALL_PLACES)


def close_card(state: State) -> tuple[State, tuple[Effect, ...]]:
    """The open card is done with; what was called on it later falls. LD-S28, LD-S42."""
    effects = [Effect("card", None, state.card, None)]
    effects.extend(Effect("pending", each.seat, each.kind, None) for each in state.pending if each.kind != "breach")
    waiting = tuple(each for each in state.pending if each.kind == "breach")
    return state.replace(phase="between", card=None, pending=waiting), tuple(effects)


def finish(state: State) -> tuple[State, tuple[Effect, ...]]:
    """End the match where it is due.

    At 20 points at once, by whatever gain (LD-I3, LD-S32, LD-S33, LD-S34); in the quick game when the stack is empty
    and its last card done with (LD-Q8, LD-Q9); by option when the supply runs out (LD-S45).
    """
    options = state.options
    if state.phase == "over":
        return state, ()
    if not options.quick:
        reached = any(seat.score >= options.target for seat in state.seats)
        dry = options.supply_empty == "end" and state.phase == "between" and not state.cards_left
        return _end(state) if reached or dry else (state, ())
    if state.phase != "between" or (state.cards_left and not state.contenders):
        return state, ()
    leaders = _leaders(state)
    if len(leaders) > 1 and options.quick_tie == "sudden death":
        return state.replace(contenders=leaders), ()
    return _end(state)


def _end(state: State) -> tuple[State, tuple[Effect, ...]]:
    was = state.phase
    ended = state.replace(phase="over", card=None, pending=(), open_at_end=was == "open")
    return ended, tuple(Effect("match", number, was, "over") for number in _leaders(ended))


def reopen(state: State) -> State:
    """Where play stood when the match ended: before the first card, with its card open, or between cards."""
    if state.phase != "over":
        return state
    if not state.contest:
        return state.replace(phase="setup")
    if state.open_at_end:
        return state.replace(phase="open", card=state.last_card, open_at_end=False)
    return state.replace(phase="between")


def _leaders(state: State) -> tuple[int, ...]:
    counts = state.scores
    most = max(counts.values())
    return tuple(number for number, count in counts.items() if count == most)


def result(state: State) -> Result | None:
    """Who won: first with 20 points (LD-I3, LD-S32), or the largest pile (LD-Q10), shared when equal (LD-Q11)."""
    if state.phase != "over":
        return None
    winners = _leaders(state)
    shared = "-shared" if len(winners) > 1 else ""
    if state.options.quick:
        return Result(winners, "ld.won-cards" + shared, ("LD-Q10", "LD-Q11") if shared else ("LD-Q10", "LD-Q8"))
    if state.scores[winners[0]] < state.options.target:
        return Result(winners, "ld.won-supply" + shared, ("LD-S45",))
    return Result(winners, "ld.won" + shared, ("LD-I3", "LD-S32"))
