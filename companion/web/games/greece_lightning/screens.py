"""The pages' side of Greece Lightning. See `Screens`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Final

from markupsafe import Markup

from companion.web.games.base import Screens
from companion.web.games.greece_lightning.drawn import chart_of, traffic_of
from companion.web.games.greece_lightning.forms import COMMON, GROUPS, SEPARATE, Forms
from companion.web.games.greece_lightning.spoken import (
    ahead_sentences,
    race_sentences,
    seat_sentences,
    standing_sentences,
    state_sentence,
)
from companion.web.games.greece_lightning.words import FACTS, card_named
from companion.web.games.lightning_dice import LightningDiceScreens
from rules.greece_lightning.conduct import CONDUCT
from rules.greece_lightning.corrections import FINDINGS
from rules.header import Header

if TYPE_CHECKING:
    from companion.catalogue import Catalogue

__all__ = ["ADJUSTED", "AHEAD_SHOWN", "GreeceLightningScreens"]

ADJUSTED: Final = ("fish", "laps", "movement")
"""Counts that the judge may set."""

AHEAD_SHOWN: Final = 7
"""Dots ahead that a page lists, the nearest ones; the reading aid tells all."""

_SEAT_KINDS: Final = frozenset(kind for kinds in GROUPS.values() for kind in kinds) - {"put-ship"} - COMMON
_DICE: Final = LightningDiceScreens()


class GreeceLightningScreens(Screens):
    """See `Screens`."""

    regions: ClassVar = {
        "table": (
            "marks", "waiting", "turn", "chart", "course", "seats", "ahead", "ruling", "actions", "words", "camera",
        ),
        "judge": ("marks", "waiting", "findings", "rulings", "tools", "actions", "chart", "course", "turn"),
        "camera": ("camera", "seats"),
        "record": (),
        "aid": (),
        "seat": ("marks", "waiting", "turn", "own", "ahead", "actions", "chart", "course", "ruling", "words"),
        "help": (),
        "evidence": (),
    }  # fmt: skip
    folder = "greece_lightning"
    sheet = "course.css"
    announce_all = "settings.announce.everything"
    facts = FACTS
    acting_pages = frozenset({"judge", "table"})
    seat_events = _SEAT_KINDS
    common_events = COMMON
    typed_events = frozenset({"circle", "navigation", "movement", "draw-wedge", "reveal", "dice", "wake", "count"})
    choices_elsewhere = frozenset(kind for kinds in GROUPS.values() for kind in kinds) | SEPARATE
    quiet_events = frozenset({"total"})

    def event_words(self, kind: str, catalogue: Catalogue) -> str:
        """The game's own name for it, or what every game calls it."""
        return catalogue.maybe(f"event.gl.{kind}") or super().event_words(kind, catalogue)

    def may_overrule(self, kind: str, ruling: Mapping[str, Any]) -> bool:
        """Findings only: what the referee lays before the judge or the group."""
        return ruling.get("code") in FINDINGS and ruling.get("about") is None and kind != "overrule"

    def seat(self, seat: Mapping[str, Any], view: Mapping[str, Any], catalogue: Catalogue) -> dict[str, Any]:
        """With the movement dice in order, and whether each of them is lost."""
        found = super().seat(seat, view, catalogue)
        movement = [face for face in (seat.get("first"), seat.get("second")) if face is not None]
        found["movement"] = movement
        return found

    def context(
        self, view: Mapping[str, Any], header: Header, catalogue: Catalogue, seat: int | None
    ) -> dict[str, Any]:
        """The wheel, the race in words, and the buttons of what may be done."""
        forms = Forms(view, header, catalogue)
        turn = view.get("turn") or {}
        watched = seat if seat is not None else turn.get("seat")
        ship = next((each for each in view.get("seats", ()) if each["number"] == watched), None)
        if ship is not None and (ship.get("spot") is None or view.get("phase") == "over"):
            ship = None
        return {
            "chart": Markup(chart_of(view, header, catalogue)),
            "traffic": Markup(traffic_of(view, header, catalogue)),
            "mover": (seat or turn.get("seat")) if turn.get("step") == "move" else None,
            "state_words": state_sentence(view, header, catalogue),
            "card_name": lambda card: card_named(card, header),
            "card_text": lambda card: _card_text(card, header),
            "ahead_most": AHEAD_SHOWN,
            "ahead_of": ship,
            "ahead_words": list(ahead_sentences(int(ship["number"]), view, header, catalogue)) if ship else [],
            "race_words": standing_sentences(view, header, catalogue),
            "seats_words": [
                (each, list(seat_sentences(int(each["number"]), view, header, catalogue)))
                for each in view.get("seats", ())
            ],
            "groups": forms.groups(seat),
            "amend_fields": forms.amend_fields,
            "decided": _decided(view),
            "remedy_of": lambda ruling: "",
            "seat_options": [[each.number, f"{each.number} {each.name}"] for each in header.seats],
            "conduct_options": [[name, catalogue.text(f"gl-conduct.{name}")] for name in CONDUCT],
            "adjust_options": [[name, catalogue.text(f"gl-thing.{name}")] for name in ADJUSTED],
        }

    def seen(self, reading: Any, header: Header, catalogue: Catalogue) -> tuple[list[str], list[str], str]:
        """Each die by its colour and value, or why it has none; wedges and Favors by the marker stuck on them."""
        dice, _, summary = _DICE.seen(reading, header, catalogue)
        pack = header.pack or {}
        named = {each["marker"]: str(each["id"]) for each in pack.get("wedge", ()) if each.get("marker") is not None}
        for card in pack.get("favor", ()):
            named |= dict.fromkeys(card.get("markers", ()), str(card["name"]))
        markers = [named.get(each.id) or catalogue.text("camera.marker", id=each.id) for each in reading.markers]
        return dice, markers, summary

    def aid(self, table: Any, header: Header, catalogue: Catalogue, seat: int | None) -> str:
        """The race as it stands, the turn first; of one seat also what lies ahead of its ship."""
        return " ".join(race_sentences(table.view(), header, catalogue, seat))


def _decided(view: Mapping[str, Any]) -> dict[tuple[int, int], str]:
    """What people said last about findings, by entry and number of the ruling: "uphold" or "refuse"."""
    found: dict[tuple[int, int], str] = {}
    for entry in view.get("last", ()):
        event = entry["filed"]["event"]
        if event["kind"] == "overrule" and entry["rulings"][0]["verdict"] != "refused":
            found[int(event["target"]), int(event.get("ruling", 0))] = str(event["decision"])
    return found


def _card_text(card: str, header: Header) -> str:
    """The wording of a Favor; empty when the pack has none."""
    cards = header.pack.get("favor", ()) if header.pack else ()
    return next((str(each.get("text") or "") for each in cards if each.get("id") == card), "")
