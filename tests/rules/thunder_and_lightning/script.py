"""Positions of Thunder & Lightning written down in a line, and rulings asked for by code and clause.

Seat 1 is Thor, seat 2 is Loki. A side is three columns, row 1 first; "?" is a face-down card, any other word a card of
the shipped pack without its deck ("ravens"), with its deck where it comes from the enemy ("loki-ravens").
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from rules.events import Event, Source, Submission
from rules.header import Seat
from rules.match import Match
from rules.referee import Entry
from rules.rulings import Ruling, Verdict
from rules.thunder_and_lightning.components import DECK, Kind, Role
from rules.thunder_and_lightning.events import (
    Challenge,
    Conduct,
    Deal,
    Draw,
    Drawn,
    EndTurn,
    Hit,
    Lay,
    Lead,
    Place,
    Play,
    ShowHand,
    Shuffled,
    Spot,
    Stack,
    Stop,
    Take,
    Top,
    TurnUp,
)
from rules.thunder_and_lightning.game import GAME, REFEREE
from rules.thunder_and_lightning.ledger import Ledger, Move
from rules.thunder_and_lightning.state import Lying, Piled, SideState, ThunderAndLightningState, Turn

__all__ = ["LOKI", "SEATS", "THOR", "Board", "board", "dealt", "hold", "playing", "row", "ruled", "run"]

THOR, LOKI = 1, 2
SEATS = (Seat(THOR, "Ann", "red"), Seat(LOKI, "Ben", "blue"))
Columns = Sequence[str]


class Board:
    """A match that can be put into any position, with its rulings at hand."""

    def __init__(self, *, judge: str | None = None, pack: Mapping[str, Any] | None = None, **options: Any) -> None:
        header = GAME.new_header("script", SEATS, options, pack, judge)
        self.match: Match[ThunderAndLightningState] = Match(REFEREE, header)
        self.judge = judge

    @property
    def state(self) -> ThunderAndLightningState:
        return self.match.state

    @property
    def left(self) -> int:
        """Action points left."""
        assert self.state.turn is not None
        return self.state.turn.left

    def column(self, seat: int, number: int) -> list[str]:
        """A column as it lies: "?" or card id."""
        return [lying.card or "?" for lying in self.state.side(seat).column(number)]

    def top(self, seat: int) -> str | None:
        """The card on top of a pile."""
        top = self.state.side(seat).top
        return None if top is None else top.card

    def pile(self, seat: int) -> list[str]:
        """A pile, bottom first, with the cards that Hel may have taken."""
        return [piled.card for piled in self.state.side(seat).pile]

    def put(self, state: ThunderAndLightningState) -> None:
        """Set the position; it must be a possible one."""
        assert REFEREE.check_state(state) == ()
        self.match._positions[-1] = type(self.match.position)(state)

    def submit(self, event: Event, source: Source = Source.DECLARED) -> tuple[Ruling, ...]:
        """File an event; the state afterwards must be possible, and untouched when it was refused."""
        before = self.state
        entry: Entry = self.match.submit(Submission(event, source))
        assert REFEREE.check_state(self.state) == (), REFEREE.check_state(self.state)
        if all(ruling.verdict is Verdict.REFUSED for ruling in entry.rulings):
            assert self.state == before
        return entry.rulings

    def accept(self, *events: Event, source: Source = Source.DECLARED) -> Ruling:
        """File events that must all be taken; the last ruling of the last."""
        rulings: tuple[Ruling, ...] = ()
        for event in events:
            rulings = self.submit(event, source)
            assert all(ruling.verdict is not Verdict.REFUSED for ruling in rulings), rulings
        return rulings[-1]

    def refuse(self, event: Event, code: str, clause: str, source: Source = Source.DECLARED) -> Ruling:
        """File an event that must be refused with this code, this clause among those cited."""
        (ruling,) = self.submit(event, source)
        assert (ruling.verdict, ruling.code) == (Verdict.REFUSED, code), ruling
        assert clause in ruling.clauses, ruling
        return ruling

    def rules(self, event: Event, code: str, clause: str, source: Source = Source.DECLARED) -> Ruling:
        """File an event; one of its rulings must have this code and cite this clause."""
        return ruled(self.submit(event, source), code, clause)


def ruled(rulings: tuple[Ruling, ...], code: str, clause: str) -> Ruling:
    """The ruling with this code, which must cite this clause."""
    found = [ruling for ruling in rulings if ruling.code == code]
    assert found, [ruling.code for ruling in rulings]
    assert clause in found[0].clauses, found[0]
    return found[0]


def _identity(role: Role, word: str) -> str:
    named = word if word.split("-")[0] in ("thor", "loki") and word not in ("thor", "loki") else f"{role.value}-{word}"
    assert named in _CARDS, f"no card {named}"
    return named


_CARDS = REFEREE.start(GAME.new_header("names", SEATS)).given.cards


def board(
    *,
    thor: Columns = ("?", "?", "?"),
    loki: Columns = ("?", "?", "?"),
    hands: tuple[int, int] = (6, 6),
    knows: tuple[str, str] = ("", ""),
    piles: tuple[str, str] = ("", ""),
    decks: tuple[int | None, int | None] = (None, None),
    turn: int = THOR,
    points: int | None = None,
    spent: int = 0,
    first: bool = False,
    judge: str | None = None,
    pack: Mapping[str, Any] | None = None,
    **options: Any,
) -> Board:
    """A position in the middle of a match.

    Args:
        thor, loki: three columns each, words from row 1 backwards ("ravens ? ?").
        hands: cards in the hands of Thor and Loki; all unknown but for `knows`.
        knows: words of hand cards that everybody saw going into the hand.
        piles: words of the discard piles, bottom first.
        decks: cards left; cards that are nowhere else go into the deck, so a smaller number puts the rest on the
            bottom of the pile as plain fighters. None = what is left.
        turn, points, spent, first: whose turn; points None = as counted by the rules.
    """
    made = Board(judge=judge, pack=pack, **options)
    state = made.state
    tokens = 0
    sides: list[SideState] = []
    for seat, role, columns, hand, known, pile in zip(
        (THOR, LOKI), (Role.THOR, Role.LOKI), (thor, loki), hands, knows, piles, strict=True
    ):
        moves: list[Move] = []
        field: list[tuple[Lying, ...]] = []
        for words in columns:
            column: list[Lying] = []
            for word in words.split():
                tokens += 1
                if word == "?":
                    moves += [Move(True, role), Move(False, role, token=tokens)]
                    column.append(Lying(tokens, role, None, laid=0))
                else:
                    card = _identity(role, word)
                    column.append(Lying(tokens, _CARDS[card].deck, card))
            field.append(tuple(column))
        piled = []
        for word in pile.split():
            tokens += 1
            piled.append(Piled(_identity(role, word), tokens))
        seen = [_identity(role, word) for word in known.split()]
        moves += [Move(True, role)] * (hand - len(seen)) + [Move(True, _CARDS[card].deck, card=card) for card in seen]
        side = state.side(seat)
        sides.append(
            SideState(
                seat, role, Ledger(tuple(moves)), tuple(field), hand, 0, tuple(piled), turns=0 if first else 3,
                shuffled=True, dealt=9, treasure=side.treasure,
            )
        )  # fmt: skip
    elsewhere = {
        role: sum(
            [lying.back is role for column in side.columns for lying in column].count(True)
            + [_CARDS[piled.card].deck is role for piled in side.pile].count(True)
            + sum(1 if move.into else -1 for move in side.ledger.moves if move.back is role)
            for side in sides
        )
        for role in Role
    }
    filled: list[SideState] = []
    for side, wanted in zip(sides, decks, strict=True):
        left = DECK - elsewhere[side.role]
        bottom: tuple[Piled, ...] = ()
        if wanted is not None:
            plain = [card.id for card in _CARDS.values() if card.deck is side.role and card.kind is Kind.FIGHTER]
            assert left >= wanted, f"only {left} cards are left for the deck"
            bottom = tuple(Piled(plain[nth % len(plain)], tokens + nth + 1) for nth in range(left - wanted))
            tokens += len(bottom)
            left = wanted
        filled.append(
            SideState(
                side.seat, side.role, side.ledger, side.columns, side.hand, left, (*bottom, *side.pile),
                turns=side.turns, shuffled=True, dealt=9, treasure=side.treasure,
            )
        )  # fmt: skip
    state = state.replace(sides=(filled[0], filled[1]), phase="play", tokens=tokens)
    for kind, name in ((Kind.BERSERKER, "berserker"), (Kind.IDUNN, "idunn")):
        on_top = [s.seat for s in state.sides if s.top is not None and _CARDS[s.top.card].kind is kind]
        state = state.replace(**{name: on_top[0] if on_top else None})
    counted = state.points_of(turn) if points is None else points
    made.put(state.replace(turn=Turn(turn, counted, spent, first)))
    return made


def dealt(**options: Any) -> Board:
    """A match whose two hands of nine are dealt, the first rows not yet laid."""
    made = Board(**options)
    for seat in (THOR, LOKI):
        made.accept(Shuffled(seat), Deal(seat, 9, deck=41))
    return made


def playing(*, past_first_turns: bool = False, **options: Any) -> Board:
    """A match set up by the rules: Loki's first turn; or past both first turns, Loki on turn again."""
    made = dealt(**options)
    made.accept(*(Lay(seat, column) for seat in (THOR, LOKI) for column in (1, 2, 3)))
    if past_first_turns:
        for seat in (LOKI, THOR):
            made.accept(*[Draw(seat)] * 3, EndTurn(seat))
    return made


# --- a whole test in a line: `row` writes it down, `hold` plays and holds it

_LETTERS = {"T": THOR, "L": LOKI}


def _spot(word: str) -> Spot | None:
    """The spot of "L12": Loki's column 1, row 2."""
    return (_LETTERS[word[0]], int(word[1]), int(word[2])) if word[0] in _LETTERS and word[1:].isdigit() else None


def _play(seat: int, role: Role, words: list[str]) -> Event:
    card, *rest = words
    spots = [spot for word in rest if (spot := _spot(word)) is not None]
    use = next((word for word in rest if _spot(word) is None), "")
    return Play(seat, _identity(role, card), use, *spots)


def _event(state: ThunderAndLightningState, words: list[str]) -> Event:
    """One step: "draw", "lay 1 2 loki", "ravens row L11", "up L11 dragon", "hit hel", "stack L dragon nightmare"."""
    assert state.turn is not None
    seat, (verb, *rest) = state.turn.seat, words
    role = state.side(seat).role
    if rest and rest[0] in _LETTERS:
        seat = _LETTERS[rest.pop(0)]
        role = state.side(seat).role
    enemy = state.enemy(seat)
    match verb:
        case "draw":
            return Draw(seat)
        case "lay":
            return Lay(seat, int(rest[0]), int(rest[1]), Role(rest[2]) if rest[2:] else None)
        case "lead":
            return Lead(seat, int(rest[0]))
        case "challenge":
            return Challenge(seat, *map(int, rest))
        case "up":
            spot = _spot(rest[0])
            assert spot is not None
            return TurnUp(spot, _identity(state.side(spot[0]).role, rest[1]))
        case "hit":
            return Hit(enemy.seat, _identity(enemy.role, rest[0]))
        case "drawn":
            return Drawn(enemy.seat, _identity(enemy.role, rest[0]))
        case "place":
            return Place(seat, *map(int, rest))
        case "stop":
            return Stop(seat)
        case "take" if rest and rest[0].isdigit():
            return Take(seat, count=int(rest[0]))
        case "take" | "stack" | "show":
            cards = tuple(_identity(role, word) for word in rest)
            shown: dict[str, Event] = {
                "take": Take(seat, cards), "stack": Stack(seat, cards), "show": ShowHand(seat, cards)
            }  # fmt: skip
            return shown[verb]
        case "top":
            return Top(seat, None if rest[0] == "-" else _identity(role, rest[0]))
        case "conduct":
            return Conduct(seat, rest[0])
        case "end":
            return EndTurn(seat)
    return _play(seat, role, words)


def run(made: Board, script: str) -> tuple[Ruling, ...]:
    """Play the steps, each accepted; the rulings of the last, however it is ruled. "pass" draws the points away."""
    rulings: tuple[Ruling, ...] = ()
    steps = [step.split() for step in script.split(";") if step.strip()]
    for number, words in enumerate(steps, start=1):
        if words == ["pass"]:
            assert made.state.turn is not None
            made.accept(*[Draw(made.state.turn.seat)] * made.left)
            words = ["end"]
        rulings = made.submit(_event(made.state, words))
        if number < len(steps):
            assert all(ruling.verdict is not Verdict.REFUSED for ruling in rulings), rulings
    return rulings


def _short(role: Role, cards: Sequence[str]) -> str:
    return " ".join(card.removeprefix(f"{role.value}-") for card in cards)


def _seen(made: Board, what: str) -> str:
    """What stands now: "T1" a column, "pile L", "hand T", "piled L" (how many), "winner", "points", "waits" ..."""
    state, (name, *whose) = made.state, what.split()
    if name[0] in _LETTERS:
        seat = _LETTERS[name[0]]
        return _short(state.side(seat).role, made.column(seat, int(name[1])))
    if not whose:
        waits = state.waiting[0].kind if state.waiting else "-"
        seats = {"winner": state.winner, "berserker": state.berserker, "idunn": state.idunn}
        names = {name: "-TL"[seat or 0] for name, seat in seats.items()}
        return {**names, "waits": waits, "points": str(made.left) if state.turn else "-"}[name]
    side = state.side(_LETTERS[whose[0]])
    if name in ("pile", "top"):
        cards = made.pile(side.seat)
        return _short(side.role, cards if name == "pile" else cards[-1:])
    unsure = sum(not piled.sure for piled in side.pile)
    numbers = {"hand": side.hand, "deck": side.deck, "piled": side.pile_size, "gone": side.gone, "unsure": unsure}
    return str(numbers[name])


def row(mark: Any, word: str, script: str, code: str, after: str = "", *, cited: str = "here", **given: Any) -> Any:
    """A test in a line: what it holds, a word for it, the steps, the code of the last, what stands after it.

    Args:
        mark: `clause("TL-V1")` or `near_miss("TL-V1")`.
        cited: where a clause must be cited: "here" by the ruling with the code or what ended the match, "before" by an
            earlier ruling, "nowhere" where nobody can see that it applies. Near misses need not cite it.
        given: what `board` is given; columns and piles may be written with "/" between them.
    """
    wanted = mark.args[0] if mark.name == "clause" else None
    return pytest.param(script, code, after, wanted, cited, given, marks=mark, id=f"{mark.args[0]}-{word}")


def hold(script: str, code: str, after: str, wanted: str | None, cited: str, given: dict[str, Any]) -> Board:
    """Play a row and hold it to what it says."""
    split = ("thor", "loki", "piles", "knows")
    made = board(**{name: value.split("/") if name in split else value for name, value in given.items()})
    rulings = run(made, script)
    found = [ruling for ruling in rulings if ruling.code == code]
    assert found, [ruling.code for ruling in rulings]
    if wanted is not None and cited == "here":
        assert wanted in (*found[0].clauses, *made.state.by_clauses), found[0]
    if wanted is not None and cited == "before":
        assert any(wanted in ruling.clauses for entry in made.match.entries[:-1] for ruling in entry.rulings)
    for part in filter(None, map(str.strip, after.split(";"))):
        what, _, expected = part.partition("=")
        assert (what, _seen(made, what)) == (what, expected)
    return made
