"""The pages' side of Thunder & Lightning. See `Screens`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Final

from companion.web.games.base import Screens
from companion.web.games.thunder_and_lightning.forms import (
    COMMON,
    GROUPS,
    amend_fields,
    card_options,
    groups_of,
    seat_options,
)
from companion.web.games.thunder_and_lightning.spoken import (
    question_sentence,
    side_sentences,
    spots_of,
    state_sentence,
    table_sentences,
    waiting_sentence,
)
from companion.web.games.thunder_and_lightning.words import FACTS, cards_of, column_words, printed
from rules.header import Header
from rules.thunder_and_lightning.conduct import CONDUCT

if TYPE_CHECKING:
    from companion.catalogue import Catalogue

__all__ = ["ADJUSTED", "ThunderAndLightningScreens"]

ADJUSTED: Final = ("hand", "points")
"""Counts that the judge may set."""


class ThunderAndLightningScreens(Screens):
    """See `Screens`."""

    regions: ClassVar = {
        "table": ("marks", "waiting", "turn", "field", "question", "ruling", "actions", "words", "camera"),
        "judge": ("marks", "pending", "findings", "rulings", "tools", "actions", "field", "turn"),
        "camera": ("camera", "turn", "field"),
        "record": (),
        "aid": (),
        "seat": ("marks", "waiting", "turn", "own", "actions", "question", "field", "ruling", "words"),
        "private": (),
        "help": (),
        "evidence": (),
    }
    folder = "thunder_and_lightning"
    sheet = "battle.css"
    announce_all = "settings.announce.everything"
    facts = FACTS
    acting_pages = frozenset({"judge", "table"})
    seat_events = frozenset(kind for kinds in GROUPS.values() for kind in kinds)
    common_events = COMMON
    typed_events = frozenset({"turn-up", "show-hand", "hit", "drawn", "top", "count"})
    choices_elsewhere = frozenset(kind for kinds in GROUPS.values() for kind in kinds) | {
        "decide", "vouch", "conduct", "overrule", "adjust", "undo", "amend", "pause", "resume", "note",
    }  # fmt: skip

    def event_words(self, kind: str, catalogue: Catalogue) -> str:
        """The game's own name for it, or what every game calls it."""
        return catalogue.maybe(f"event.tl.{kind}") or super().event_words(kind, catalogue)

    def may_overrule(self, kind: str, ruling: Mapping[str, Any]) -> bool:
        """Findings only: what the referee lays before the judge."""
        return ruling.get("verdict") == "infraction" and kind != "overrule"

    def seat(self, seat: Mapping[str, Any], view: Mapping[str, Any], catalogue: Catalogue) -> dict[str, Any]:
        """With its columns as they are seen from the own seat, left to right."""
        order = (1, 2, 3) if seat.get("role") == "loki" else (3, 2, 1)
        found = super().seat(seat, view, catalogue)
        names = ("left", "middle", "right")
        found["from_left"] = [
            {"number": number, "name": catalogue.text(f"column.{name}"), "cards": seat["columns"][number - 1]}
            for number, name in zip(order, names, strict=True)
        ]
        found["role_words"] = catalogue.text(f"role.{seat['role']}")
        turn = view.get("turn") or {}
        found["on_turn"] = turn.get("seat") == seat["number"]
        return found

    def context(
        self, view: Mapping[str, Any], header: Header, catalogue: Catalogue, seat: int | None
    ) -> dict[str, Any]:
        """Both sides as they lie, the turn and the whole table in words, and the buttons of what may be done."""
        seats = [self.seat(each, view, catalogue) for each in view.get("seats", ())]
        near = next((each for each in seats if each["number"] == seat), None)
        near = near or next((each for each in seats if each["role"] == "loki"), None)
        far = next((each for each in seats if near is not None and each["number"] != near["number"]), None)
        question = view.get("question")
        conduct = [[name, catalogue.text(f"conduct.{name}")] for name in CONDUCT]
        return {
            "near": near,
            "far": None if far is None else {**far, "from_right": far["from_left"][::-1]},
            "lit": _lit(view),
            "state_words": state_sentence(view, header, catalogue),
            "waits_words": [waiting_sentence(each, view, header, catalogue) for each in view.get("waiting", ())],
            "question_words": question_sentence(question, view, header, catalogue) if question else "",
            "sides_words": [(each, side_sentences(each, header, catalogue)) for each in seats],
            "groups": groups_of(view.get("choices", ()), header, catalogue, seat=seat),
            "decisions": [
                {**each["event"], "decision": decision, "reason": ""}
                for each in view.get("choices", ())
                if each["event"].get("kind") == "decide"
                for decision in ("uphold", "refuse")
            ],
            "decided": _decided(view),
            "amend_fields": lambda event: amend_fields(event, header, catalogue),
            "seat_options": seat_options(header),
            "card_options": card_options(header),
            "conduct_options": conduct,
            "adjust_options": [[name, catalogue.text(f"count.{name}")] for name in ADJUSTED],
            "remedy_of": lambda ruling: _remedy(ruling, catalogue),
            "column_of": lambda column, whose: column_words(column, whose, header, catalogue),
        }

    def seen(self, reading: Any, header: Header, catalogue: Catalogue) -> tuple[list[str], list[str], str]:
        """The cards whose faces show, then how many markers of other kinds: backs and corners."""
        faces = {marker: card for card in cards_of(header).values() for marker in card.get("markers", ())}
        shown = sorted(printed(faces[marker.id]) for marker in reading.markers if marker.id in faces)
        others = len(reading.markers) - len(shown)
        return [], shown, catalogue.text("camera.cards", count=len(shown), others=others)

    def aid(self, table: Any, header: Header, catalogue: Catalogue, seat: int | None) -> str:
        """The table as it lies, the turn first."""
        return " ".join(table_sentences(table.view(), header, catalogue, seat))

    def private_words(
        self, card: str | None, reason: str | None, header: Header, catalogue: Catalogue
    ) -> tuple[Mapping[str, Any] | None, str]:
        """What a private look tells its seat: the card as it is printed, and the words to speak."""
        found = None if card is None else cards_of(header).get(card)
        if card is None or found is None:
            key = f"private.reason.{reason or 'unreadable'}"
            return None, catalogue.text(key if catalogue.has(key) else "private.reason.unreadable")
        words = catalogue.text("private.card", card=printed(found))
        if found.get("symbol"):
            words += " " + catalogue.text("private.symbol")
        if found.get("power"):
            words += " " + str(found["power"])
        return found, words


def _lit(view: Mapping[str, Any]) -> set[tuple[int, int, int]]:
    """The places of the challenge in question and of everything that has to be turned up."""
    found: set[tuple[int, int, int]] = set()
    question = view.get("question") or {}
    if question.get("open"):
        for name in ("challenger", "target"):
            one = question.get(name) or {}
            if one.get("spot"):
                found.add(tuple(one["spot"]))
    for each in view.get("waiting", ()):
        found.update((int(seat), int(column), int(row)) for seat, column, row in spots_of(each))
    return found


def _decided(view: Mapping[str, Any]) -> dict[tuple[int, int], str]:
    """What people said last about findings, by entry and number of the ruling: "uphold" or "refuse"."""
    found: dict[tuple[int, int], str] = {}
    for entry in view.get("last", ()):
        event = entry["filed"]["event"]
        if event["kind"] == "overrule" and entry["rulings"][0]["verdict"] != "refused":
            found[int(event["target"]), int(event.get("ruling", 0))] = str(event["decision"])
    return found


def _remedy(ruling: Mapping[str, Any], catalogue: Catalogue) -> str:
    """What is recommended about a finding, in words; empty when nothing is."""
    remedy = ruling.get("facts", {}).get("remedy")
    return catalogue.maybe(f"remedy.{str(remedy).replace(' ', '-')}", str(remedy)) if remedy else ""
