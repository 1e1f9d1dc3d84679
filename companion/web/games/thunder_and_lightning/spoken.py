"""The table of Thunder & Lightning in sentences: each side's columns, what the turn stands at, what is waited for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from companion.web.games.thunder_and_lightning.words import column_words, printed, spot_words
from rules.header import Header

if TYPE_CHECKING:
    from companion.catalogue import Catalogue

__all__ = ["question_sentence", "side_sentences", "spots_of", "state_sentence", "table_sentences", "waiting_sentence"]

View = Mapping[str, Any]


def side_sentences(seat: View, header: Header, catalogue: Catalogue) -> list[str]:
    """One side of the table: who, how many cards where, then each column from the owner's left to right."""
    role = catalogue.text(f"role.{seat['role']}")
    top = seat.get("top")
    if top is None:
        pile = catalogue.text("spoken.pile.empty")
    else:
        facts = {"count": seat["pile"], "top": printed(top)}
        sure = seat.get("top_sure", True)
        pile = catalogue.text("spoken.pile", **facts) if sure else catalogue.text("spoken.pile.unsure", **facts)
    found = [
        catalogue.text(
            "spoken.side",
            role=role,
            name=seat["name"],
            hand=catalogue.text("tl.cards", count=seat["hand"]),
            deck=catalogue.text("tl.cards", count=seat["deck"]),
            pile=pile,
        )
    ]
    found += [catalogue.text(f"spoken.active.{each}", role=role) for each in seat.get("active", ())]
    order = (1, 2, 3) if seat["role"] == "loki" else (3, 2, 1)
    for column in order:
        place = column_words(column, seat["number"], header, catalogue)
        found.append(_column(role, place, seat["role"], seat["columns"][column - 1], catalogue))
    return found


def _column(role: str, place: str, own: str, cards: Sequence[View], catalogue: Catalogue) -> str:
    if not cards:
        return catalogue.text("spoken.column.empty", role=role, column=place)
    if len(cards) == 1:
        rows = _alone(cards[0], own, catalogue)
    else:
        runs = _runs(cards)
        if len(runs) == 1 and runs[0][0].get("card") is None:
            rows = catalogue.text("spoken.all-down") + _back(runs[0][0], own, catalogue)
        else:
            parts = [_first(runs[0], own, catalogue), *(_behind(run, own, catalogue) for run in runs[1:])]
            rows = "; ".join(parts)
    number = catalogue.text("spoken.cards", count=len(cards), number=catalogue.text(f"number.{min(len(cards), 4)}"))
    return catalogue.text("spoken.column", role=role, column=place, cards=number, rows=rows)


def _runs(cards: Sequence[View]) -> list[list[View]]:
    """The cards from row 1 backwards, face-down ones of the same back that follow one another taken together."""
    runs: list[list[View]] = []
    for card in cards:
        last = runs[-1][-1] if runs else None
        together = last is not None and last.get("card") is None and card.get("card") is None
        if together and last is not None and last.get("back") == card.get("back"):
            runs[-1].append(card)
        else:
            runs.append([card])
    return runs


def _back(card: View, own: str, catalogue: Catalogue) -> str:
    """Told only of a card from the other deck, whose back is another."""
    if card.get("back") in (None, own):
        return ""
    return " " + catalogue.text("spoken.foreign", role=catalogue.text(f"role.{card['back']}"))


def _alone(card: View, own: str, catalogue: Catalogue) -> str:
    shown = card.get("card")
    if shown is None:
        return catalogue.text("spoken.down") + _back(card, own, catalogue)
    return catalogue.text("spoken.up", card=printed(shown)) + _back(card, own, catalogue)


def _first(run: list[View], own: str, catalogue: Catalogue) -> str:
    shown = run[0].get("card")
    if shown is not None:
        return catalogue.text("spoken.first.up", card=printed(shown)) + _back(run[0], own, catalogue)
    number = catalogue.text(f"number.{min(len(run), 4)}")
    return catalogue.text("spoken.first.down", count=len(run), number=number) + _back(run[0], own, catalogue)


def _behind(run: list[View], own: str, catalogue: Catalogue) -> str:
    shown = run[0].get("card")
    if shown is not None:
        return catalogue.text("spoken.behind.up", card=printed(shown)) + _back(run[0], own, catalogue)
    number = catalogue.text(f"number.{min(len(run), 4)}")
    return catalogue.text("spoken.behind.down", count=len(run), number=number) + _back(run[0], own, catalogue)


def waiting_sentence(each: View, view: View, header: Header, catalogue: Catalogue) -> str:
    """What the table waits for, in one sentence."""
    spots = spots_of(each)
    hidden = [spot for spot in spots if not _open(spot, view)]
    named = catalogue.listed(spot_words(spot, header, catalogue) for spot in hidden or spots)
    card = each.get("card")
    return catalogue.text(
        f"waits.{each['kind']}",
        name=catalogue.seat_name(header, each.get("seat")),
        by=catalogue.seat_name(header, each.get("by")),
        card=printed(card) if card else catalogue.text("tl.a-card"),
        left=each.get("left", 0),
        spots=named,
    )


def spots_of(each: View) -> list[Sequence[int]]:
    """Every place that something waited for is about."""
    challenger = each.get("challenger")
    return [*([challenger] if challenger else []), *each.get("spots", ())]


def _open(spot: Sequence[int], view: View) -> bool:
    """True for a place whose card lies face up."""
    seat, column, row = spot
    side = next((each for each in view.get("seats", ()) if each["number"] == seat), None)
    cards = side["columns"][column - 1] if side else ()
    return len(cards) >= row and cards[row - 1].get("card") is not None


def question_sentence(question: View, view: View, header: Header, catalogue: Catalogue) -> str:
    """The challenge or strike in question, in one sentence."""
    challenger, target = question.get("challenger"), question.get("target")
    return catalogue.text(
        f"question.{question.get('kind') or 'challenge'}.words",
        by=catalogue.seat_name(header, question.get("by")),
        card=printed(question["card"]) if question.get("card") else catalogue.text("tl.a-card"),
        challenger=_place(challenger, header, catalogue),
        target=_place(target, header, catalogue),
    )


def _place(one: View | None, header: Header, catalogue: Catalogue) -> str:
    if one is None:
        return catalogue.text("tl.a-card")
    card = one.get("card")
    what = catalogue.text("tl.face-down") if card is None else printed(card)
    spot = one.get("spot")
    if not spot:
        return what
    return catalogue.text("tl.at", what=what, spot=spot_words(spot, header, catalogue))


def state_sentence(view: View, header: Header, catalogue: Catalogue) -> str:
    """Whose turn it is, the action points left, and what the table waits for."""
    parts = []
    turn = view.get("turn")
    if view.get("phase") == "setup":
        parts.append(catalogue.text("spoken.setup"))
        parts += [_missing(seat, catalogue) for seat in view.get("seats", ()) if not _ready(seat)]
    elif turn is not None:
        points = catalogue.text("tl.points", count=turn["left"])
        first = catalogue.text("spoken.first-turn") if turn.get("first") else ""
        name = catalogue.seat_name(header, turn["seat"])
        parts.append(catalogue.text("spoken.turn", name=name, points=points))
        parts.append(first)
    elif view.get("phase") == "over":
        parts.append(catalogue.text("spoken.over"))
    parts += [waiting_sentence(each, view, header, catalogue) for each in list(view.get("waiting", ()))[:1]]
    return " ".join(part for part in parts if part)


def _ready(seat: View) -> bool:
    setup = seat.get("setup") or {}
    return int(setup.get("laid") or 0) >= 3


def _missing(seat: View, catalogue: Catalogue) -> str:
    """What a seat has to do next before the match can begin."""
    setup = seat.get("setup") or {}
    treasure = setup.get("treasure") or ""
    if not setup.get("shuffled"):
        step = "shuffle"
    elif int(setup.get("dealt") or 0) < 9:
        step = "deal"
    elif treasure == "shown":
        step = "replace"
    elif treasure == "replaced":
        step = "shuffle-back"
    else:
        step = "lay"
    return catalogue.text(f"spoken.setup.{step}", name=seat["name"], left=3 - int(setup.get("laid") or 0))


def table_sentences(view: View, header: Header, catalogue: Catalogue, seat: int | None = None) -> list[str]:
    """The whole table read aloud, or one side of it: first the turn, then the cards."""
    found = [state_sentence(view, header, catalogue)]
    question = view.get("question")
    if question is not None and question.get("open"):
        found.append(question_sentence(question, view, header, catalogue))
    for each in view.get("seats", ()):
        if seat is None or each["number"] == seat:
            found += side_sentences(each, header, catalogue)
    return [each for each in found if each]
