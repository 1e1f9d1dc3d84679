"""Challenges: who may challenge whom, and who wins. Sections C, F, G, I, W and Z."""

from __future__ import annotations

from rules.records import Fact
from rules.rulings import Outcome, Ruling, accepted, infraction
from rules.thunder_and_lightning.components import WARRIORS_ATTACK, WARRIORS_DEFEND, Kind
from rules.thunder_and_lightning.events import Challenge
from rules.thunder_and_lightning.field import face_down, is_place
from rules.thunder_and_lightning.nightmare import wipe
from rules.thunder_and_lightning.pack import Card
from rules.thunder_and_lightning.piles import active, beaten, inert, loss_clauses
from rules.thunder_and_lightning.state import Lying, ThunderAndLightningState, Waiting
from rules.thunder_and_lightning.turns import barred, cited, guard, lost_treasure, next_waiting, refuse, spent

__all__ = ["announce", "challenge", "resolve", "strength", "target_problem"]

State = ThunderAndLightningState


def challenge(state: State, event: Challenge, seq: int) -> Outcome[State]:
    """A front card is slid forward against the facing one, for one point. TL-C3 to TL-C8, TL-C15, TL-C22, TL-R3."""
    seat = event.seat
    problem = guard(state, seat)
    if problem is not None:
        return Outcome(state, (problem,))
    assert state.turn is not None
    if state.turn.first:
        return refuse(state, "tl.first-turn", "TL-C1", "TL-C2", seat=seat, facts={"kind": "challenge"})
    target_column = event.column if event.target_column is None else event.target_column
    facts: dict[str, Fact]
    if not (is_place(event.column, event.row) and is_place(target_column, event.target_row)):
        facts = {"column": event.column, "row": event.row}
        return refuse(state, "tl.no-such-place", "TL-B1", "TL-B2", seat=seat, facts=facts)
    if target_column != event.column:
        facts = {"column": event.column, "target_column": target_column}
        return refuse(state, "tl.diagonal", "TL-C4", seat=seat, facts=facts)
    if event.row != 1 or event.target_row != 1:
        facts = {"row": event.row, "target_row": event.target_row}
        return refuse(state, "tl.not-row-1", "TL-C7", seat=seat, facts=facts)
    wrong = target_problem(state, seat, event.column, 1)
    if wrong is not None:
        return wrong
    state = spent(state)
    assert state.turn is not None
    facts = {
        "column": event.column,
        "target_column": target_column,
        "target_row": event.target_row,
        "points": state.turn.left,
    }
    own = state.side(seat).at(event.column, 1)
    again = ("TL-C22",) if own is not None and own.card is not None else ()
    ruling = accepted("tl.challenge", "TL-C15", "TL-C16", "TL-T6", *again, seat=seat, facts=facts)
    state, more = announce(state, seat, event.column, 1, seq, "challenge")
    return Outcome(state, (ruling, *more))


def target_problem(state: State, seat: int, column: int, row: int, *extra: str) -> Outcome[State] | None:
    """Why the front card of a column may not challenge the facing column's card in this row; None when it may.

    A card that lies face down is judged when it is turned up. `extra` are clauses of the power in use.
    """
    own = state.side(seat).at(column, 1)
    enemy = state.enemy(seat)
    facts: dict[str, Fact]
    if own is None:
        facts = {"owner": seat, "column": column, "row": 1}
        return refuse(state, "tl.nothing-there", *extra, "TL-C3", seat=seat, facts=facts)
    target = enemy.at(column, row)
    if target is None:
        if row == 1:
            return refuse(state, "tl.no-facing", *extra, "TL-C3", seat=seat, facts={"column": column})
        facts = {"owner": enemy.seat, "column": column, "row": row}
        return refuse(state, "tl.nothing-there", *extra, "TL-C3", seat=seat, facts=facts)
    card = state.card_of(own)
    if card is not None and (barred(card) or own.unlawful):
        return refuse(state, "tl.may-not-challenge", *barred(card), *extra, seat=seat, facts={"card": card.id})
    if state.leads(target):
        leader = state.given.leader(enemy.role)
        clauses = (*extra, "TL-L14", "TL-L15", "TL-L20")
        return refuse(state, "tl.leader-unchallenged", *clauses, seat=seat, facts={"card": leader.id})
    return None


def announce(state: State, seat: int, column: int, row: int, seq: int, why: str) -> tuple[State, tuple[Ruling, ...]]:
    """Wait for both cards to be face up, or rule at once when they are. TL-C16."""
    own = state.side(seat).at(column, 1)
    target = state.enemy(seat).at(column, row)
    assert own is not None
    assert target is not None
    enemy = state.enemy(seat).seat
    waiting = Waiting("challenge", enemy, seat, seq, why, own.token, (target.token,), column=column)
    state = state.wait_for(waiting)
    if face_down(state, [(seat, column, 1), (enemy, column, row)]):
        return state, ()
    return resolve(state)


def strength(state: State, seat: int, card: Card, *, attacking: bool) -> int | None:
    """What a card of this seat counts in a challenge; Viking Warriors under Berserker 6 or 3. TL-C17, TL-W1 to TL-W4.

    Whatever deck they come from (TL-W4), and only while Berserker is on top of the seat's pile (TL-W3).
    """
    if card.kind is Kind.WARRIORS and active(state, Kind.BERSERKER, seat):
        return WARRIORS_ATTACK if attacking else WARRIORS_DEFEND
    return card.strength


def resolve(state: State) -> tuple[State, tuple[Ruling, ...]]:
    """Both cards of the challenge are face up: rule on it.

    A card that may never challenge has done so: its owner could have looked (TL-B12), so the challenge is void, both
    cards stay, the point is spent. TL-C14, TL-C24.
    """
    waiting = state.waiting[0]
    state = next_waiting(state)
    assert waiting.token is not None
    by, owner = waiting.by, waiting.seat
    own, target = _lying(state, by, waiting.token), _lying(state, owner, waiting.tokens[0])
    card, hit = state.card_of(own), state.card_of(target)
    assert card is not None
    assert hit is not None
    forbidden = barred(card)
    if forbidden:
        return _barred(state, waiting, card, forbidden)
    facts: dict[str, Fact] = {"card": card.id, "target": hit.id}
    if hit.kind is Kind.SHIELD_WALL:
        if card.kind is Kind.ARCHER:
            ruling = accepted("tl.archer", "TL-F1", "TL-F2", "TL-Z4", seat=by, facts=facts)
            return _losing(state, (ruling,), {owner: (target, hit)}, by)
        ruling = accepted("tl.shield-wall", "TL-Z1", "TL-Z2", "TL-Z5", seat=by, facts=facts)
        return _losing(state, (ruling,), {by: (own, card)}, by)
    if hit.kind is Kind.NIGHTMARE:
        return wipe(state, waiting.column, hit, by, waiting.seq, *(("TL-N10",) if waiting.why == "flank" else ()))
    if card.kind is Kind.FRIGG and hit.kind is Kind.CHAMPION:
        ruling = accepted("tl.frigg-beats", "TL-G11", seat=by, facts=facts)
        return _losing(state, (ruling,), {owner: (target, hit)}, by)
    if card.kind is Kind.CHAMPION and hit.kind is Kind.FRIGG:
        ruling = accepted("tl.frigg-beaten", "TL-G13", seat=by, facts=facts)
        return _losing(state, (ruling,), {owner: (target, hit)}, by)
    defends = strength(state, owner, hit, attacking=False)
    if defends is None:
        ruling = accepted("tl.no-strength", "TL-P4", seat=by, facts=facts)
        return _losing(state, (ruling,), {owner: (target, hit)}, by)
    attacks = strength(state, by, card, attacking=True)
    assert attacks is not None
    return _compared(state, waiting, (own, card, attacks), (target, hit, defends))


def _compared(
    state: State, waiting: Waiting, own: tuple[Lying, Card, int], target: tuple[Lying, Card, int]
) -> tuple[State, tuple[Ruling, ...]]:
    """The higher strength wins; equal ones are both lost, unless Idunn decides. TL-C17 to TL-C20, TL-F3, TL-G14.

    Nothing but Frigg wins against Angrboda or Tyr by strength. TL-G12.
    """
    by, owner = waiting.by, waiting.seat
    (lying, card, attacks), (place, hit, defends) = own, target
    why, option = _part_taken(state, by, card, owner, hit)
    facts: dict[str, Fact] = {"card": card.id, "target": hit.id, "strength": attacks}
    if attacks == defends:
        for seat, loser in ((by, {owner: (place, hit)}), (owner, {by: (lying, card)})):
            both = active(state, Kind.IDUNN, by) and active(state, Kind.IDUNN, owner)
            if active(state, Kind.IDUNN, seat) and not both:
                facts["owner"] = seat
                clauses = ("TL-I1", "TL-I2", "TL-I6", *why)
                ruling = accepted("tl.tie-idunn", *clauses, seat=by, facts=facts, by_option=option)
                return _losing(state, (ruling,), loser, by)
        ruling = accepted("tl.tie", "TL-C20", *why, seat=by, facts=facts, by_option=option)
        return _losing(state, (ruling,), {by: (lying, card), owner: (place, hit)}, by)
    facts["target_strength"] = defends
    if attacks > defends and hit.kind is Kind.CHAMPION:
        ruling = accepted("tl.champion", "TL-G12", seat=by, facts={"card": card.id, "target": hit.id})
        return _losing(state, (ruling,), {by: (lying, card)}, by)
    if attacks > defends:
        clauses = ("TL-C17", "TL-C18", "TL-C19", "TL-K3", *why)
        ruling = accepted("tl.won", *clauses, seat=by, facts=facts, by_option=option)
        return _losing(state, (ruling,), {owner: (place, hit)}, by)
    clauses = ("TL-C17", "TL-C18", "TL-C19", "TL-K3", *why)
    ruling = accepted("tl.lost", *clauses, seat=by, facts=facts, by_option=option)
    return _losing(state, (ruling,), {by: (lying, card)}, by)


def _part_taken(state: State, by: int, card: Card, owner: int, hit: Card) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Clauses and options that have a part in comparing these two cards."""
    clauses: list[str] = []
    doubtful = False
    for seat, each, berserk in ((by, card, ("TL-W1", "TL-W4")), (owner, hit, ("TL-W2",))):
        if each.kind is Kind.WARRIORS:
            clauses += berserk if active(state, Kind.BERSERKER, seat) else ()
            doubtful |= inert(state, Kind.BERSERKER, seat)
    if card.strength == hit.strength:
        doubtful |= inert(state, Kind.IDUNN, by) or inert(state, Kind.IDUNN, owner)
    clauses += ["TL-F3"] if Kind.ARCHER in (card.kind, hit.kind) else []
    clauses += ["TL-R3"] if Kind.RAVENS in (card.kind, hit.kind) else []
    clauses += ["TL-G14"] if Kind.FRIGG in (card.kind, hit.kind) else []
    return (*clauses, *(("TL-W8",) if doubtful else ())), ("uncovered",) if doubtful else ()


def _lying(state: State, seat: int, token: int) -> Lying:
    found = state.side(seat).find(token)
    assert found is not None
    return found[2]


def _losing(
    state: State, rulings: tuple[Ruling, ...], losers: dict[int, tuple[Lying, Card]], by: int
) -> tuple[State, tuple[Ruling, ...]]:
    """The losers leave the battlefield; the player on turn discards first."""
    ruling, *others = rulings
    for seat in sorted(losers, key=lambda each: each != by):
        lying, card = losers[seat]
        ruling = cited(ruling, loss_clauses(state, seat, lying, card))
        state = beaten(state, seat, lying.token)
    losses = {seat: (card,) for seat, (_, card) in losers.items()}
    return lost_treasure(state, losses, by, "TL-Q2"), (ruling, *others)


def _barred(state: State, waiting: Waiting, card: Card, forbidden: tuple[str, ...]) -> tuple[State, tuple[Ruling, ...]]:
    """TL-C14, TL-C24, with Vidarr TL-X9."""
    remedy = state.options.barred_challenge
    flank = ("TL-X9",) if waiting.why == "flank" else ()
    facts: dict[str, Fact] = {
        "card": card.id,
        "column": waiting.column,
        "target_column": waiting.column,
        "remedy": remedy,
    }
    clauses = (*forbidden, "TL-C14", "TL-C24", *flank)
    ruling = infraction(
        "tl.late-barred",
        *clauses,
        seat=waiting.by,
        about=waiting.seq,
        facts=facts,
        by_option=("barred_challenge",),
    )
    if remedy == "void" or waiting.token is None:
        return state, (ruling,)
    return _losing(state, (ruling,), {waiting.by: (_lying(state, waiting.by, waiting.token), card)}, waiting.by)
