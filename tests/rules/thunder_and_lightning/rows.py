"""A whole test of Thunder & Lightning in a line: `row` writes it down, `hold` plays it and holds it to its word.

Spots are a letter and two digits: "L12" is Loki's column 1, row 2. Cards are words as in `script`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from rules.events import Adjust, Decision, Event
from rules.rulings import Ruling, Verdict
from rules.thunder_and_lightning.components import Role
from rules.thunder_and_lightning.events import (
    Challenge,
    Conduct,
    Count,
    Deal,
    Decide,
    Draw,
    Drawn,
    EndTurn,
    Figure,
    Hit,
    Lay,
    Lead,
    Place,
    Play,
    Replace,
    ShowHand,
    ShuffleBack,
    Shuffled,
    Spot,
    Stack,
    Stop,
    Stuck,
    Take,
    Top,
    Treasure,
    TurnUp,
)
from rules.thunder_and_lightning.pack import default_pack
from rules.thunder_and_lightning.state import ThunderAndLightningState
from tests.rules.thunder_and_lightning.script import LOKI, THOR, Board, _identity, board

__all__ = ["hold", "row", "run", "seen", "strengths"]


def strengths(**cards: int | None) -> dict[str, Any]:
    """The shipped pack with other strengths printed; ids with "_" for "-"."""
    pack = default_pack()
    for card in pack["card"]:
        name = card["id"].replace("-", "_")
        if name in cards:
            card["strength"] = cards[name]
    return pack


_LETTERS = {"T": THOR, "L": LOKI}
_PLAIN = {"draw": Draw, "end": EndTurn, "stop": Stop, "stuck": Stuck}
_SET_UP = {"shuffled": Shuffled, "replace": Replace, "back": ShuffleBack}


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
    seat, (verb, *rest) = state.turn.seat if state.turn else THOR, words
    role = state.side(seat).role
    if rest and rest[0] in _LETTERS:
        seat = _LETTERS[rest.pop(0)]
        role = state.side(seat).role
    enemy = state.enemy(seat)
    if verb in _PLAIN:
        return _PLAIN[verb](seat)
    numbers = [int(each) for each in rest if each.isdigit()]
    match verb:
        case "lay":
            return Lay(seat, numbers[0], [*numbers, 1][1], Role(rest[2]) if rest[2:] else None)
        case "lead":
            return Lead(seat, numbers[0], [*numbers, 1][1], "down" not in rest)
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
        case "count":
            return Count(seat, rest[0], numbers[0])
        case "figure":
            return Figure(seat, placed="off" not in rest)
        case "points":
            return Adjust(seat, "points", numbers[0], "as people counted")
    return _set_up(seat, verb, rest) or _play(seat, role, words)


def _set_up(seat: int, verb: str, rest: list[str]) -> Event | None:
    """A step of set-up: "shuffled L", "deal L 9 41" (41 are left), "treasure T ring", "replace T", "back T"."""
    match verb:
        case "shuffled" | "replace" | "back":
            return _SET_UP[verb](seat)
        case "deal":
            return Deal(seat, int(rest[0]), deck=int(rest[1]) if rest[1:] else None)
        case "treasure":
            return Treasure(seat, _identity(Role.THOR if seat == THOR else Role.LOKI, rest[0]))
    return None


def run(made: Board, script: str) -> tuple[Ruling, ...]:
    """Play the steps, each accepted; the rulings of the last, however it is ruled. "pass" draws the points away.

    "uphold" and "refuse" are people's word on the claim made in the step before.
    """
    rulings: tuple[Ruling, ...] = ()
    steps = [step.split() for step in script.split(";") if step.strip()]
    for number, words in enumerate(steps, start=1):
        if words == ["pass"]:
            assert made.state.turn is not None
            made.accept(*[Draw(made.state.turn.seat)] * made.left)
            words = ["end"]
        if words[0] in list(Decision):
            rulings = made.submit(Decide(made.match.seq, Decision(words[0]), "seen"))
        else:
            rulings = made.submit(_event(made.state, words))
        if number < len(steps):
            assert all(ruling.verdict is not Verdict.REFUSED for ruling in rulings), rulings
    return rulings


def _short(role: Role, cards: Sequence[str]) -> str:
    return " ".join(card.removeprefix(f"{role.value}-") for card in cards)


def seen(made: Board, what: str) -> str:
    """What stands now: "T1" a column, "pile L", "hand T", "piled L" (how many), "winner", "points", "waits" ...

    "fact left" is a fact of the last rulings, "ruled tl.tie" whether this code is among them.
    """
    state, (name, *whose) = made.state, what.split()
    last = made.match.entries[-1].rulings if made.match.entries else ()
    if name == "fact":
        return str(next(ruling.facts[whose[0]] for ruling in last if whose[0] in ruling.facts))
    if name == "ruled":
        return "yes" if whose[0] in [ruling.code for ruling in last] else "no"
    if name[0] in _LETTERS:
        seat = _LETTERS[name[0]]
        return _short(state.side(seat).role, made.column(seat, int(name[1])))
    if not whose:
        waits = state.waiting[0].kind if state.waiting else "-"
        turn = state.turn.seat if state.turn else None
        seats = {"turn": turn, "winner": state.winner, "berserker": state.berserker, "idunn": state.idunn}
        names = {name: "-TL"[seat or 0] for name, seat in seats.items()}
        return {**names, "waits": waits, "points": str(made.left) if state.turn else "-", "how": state.how}[name]
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
            Or `start`: what to call for another beginning.
    """
    wanted = mark.args[0] if mark.name == "clause" else None
    return pytest.param(script, code, after, wanted, cited, given, marks=mark, id=f"{mark.args[0]}-{word}")


def hold(script: str, code: str, after: str, wanted: str | None, cited: str, given: dict[str, Any]) -> Board:
    """Play a row and hold it to what it says."""
    split = ("thor", "loki", "piles", "knows")
    begin = given.get("start", board)
    made: Board = begin(
        **{name: value.split("/") if name in split else value for name, value in given.items() if name != "start"}
    )
    rulings = run(made, script)
    found = [ruling for ruling in rulings if ruling.code == code]
    assert found, [ruling.code for ruling in rulings]
    if wanted is not None and cited == "here":
        assert wanted in (*found[0].clauses, *made.state.by_clauses), found[0]
    if wanted is not None and cited == "before":
        assert any(wanted in ruling.clauses for entry in made.match.entries[:-1] for ruling in entry.rulings)
    for part in filter(None, map(str.strip, after.split(";"))):
        what, _, expected = part.partition("=")
        assert (what, seen(made, what)) == (what, expected)
    return made
