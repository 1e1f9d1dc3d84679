"""Buttons and dialogs for what may be done now, made from the choices that the referee offers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from companion.web.games.thunder_and_lightning.words import cards_of, column_words, printed, spot_words
from rules.header import Header

if TYPE_CHECKING:
    from companion.catalogue import Catalogue

__all__ = ["COMMON", "GROUPS", "SEPARATE", "amend_fields", "card_options", "groups_of", "seat_options"]

GROUPS: Final[dict[str, tuple[str, ...]]] = {
    "light": (
        "turn-up", "show-hand", "hit", "drawn", "place", "stop", "take", "stack", "top",
    ),
    "setup": ("shuffled", "deal", "treasure", "replace", "shuffle-back"),
    "draw": ("draw",),
    "lay": ("lay",),
    "lead": ("lead",),
    "challenge": ("challenge",),
    "play": ("play",),
    "end": ("end-turn", "stuck"),
    "count": ("count", "figure"),
}  # fmt: skip
"""Kinds of event by the group that their buttons stand in, in the order of the page."""

SEPARATE: Final = frozenset(
    {"decide", "vouch", "conduct", "overrule", "adjust", "undo", "amend", "pause", "resume", "note"}
)
"""Kinds that have buttons of their own elsewhere."""

COMMON: Final = frozenset({"turn-up", "hit", "drawn", "top", "count"})
"""Kinds that any seat may tell: what lies open before everybody."""

TOGETHER: Final = frozenset({"count", "figure"})
"""Kinds of which all choices share one button."""

MAY_STAY_OUT: Final = frozenset({"back", "target_column"})
"""Fields that may stay None when there is only one thing that they can mean."""

AMENDED: Final[dict[str, tuple[str, ...]]] = {
    "lay": ("column", "row"),
    "lead": ("column",),
    "place": ("column",),
    "challenge": ("column", "target_column"),
}
"""Where a card was laid or aimed, by kind of event: what a judge may put right beside the card itself."""

MOST_CARDS: Final = 12
SPOTS: Final = frozenset({"at", "to", "spot"})


def groups_of(
    choices: Iterable[Mapping[str, Any]], header: Header, catalogue: Catalogue, *, seat: int | None = None
) -> list[dict[str, Any]]:
    """What may be done now, by group; `seat` leaves out what only the other player does, and all names.

    Choices that differ only in what a card works on, or in what is counted, share one button.
    """
    found: dict[str, dict[tuple[Any, ...], list[Mapping[str, Any]]]] = {name: {} for name in GROUPS}
    for place, choice in enumerate(choices):
        event = choice.get("event") or {}
        kind, whose = str(event.get("kind")), event.get("seat")
        if kind in SEPARATE or (kind == "top" and not choice.get("free")):
            continue
        if seat is not None and whose != seat and kind not in COMMON:
            continue
        group = next((name for name, kinds in GROUPS.items() if kind in kinds), "count")
        key = (kind, whose, event.get("card")) if kind == "play" else (kind,) if kind in TOGETHER else (place,)
        found[group].setdefault(key, []).append(choice)
    return [
        {
            "name": name,
            "title": catalogue.text(f"group.{name}"),
            "buttons": [_button(each, header, catalogue, seat) for each in together.values()],
        }
        for name, together in found.items()
        if together
    ]


def _button(
    choices: Sequence[Mapping[str, Any]], header: Header, catalogue: Catalogue, seat: int | None
) -> dict[str, Any]:
    """One button: for one choice, or for several that the dialog tells apart."""
    event: dict[str, Any] = dict(choices[0]["event"])
    kind, whose = str(event["kind"]), event.get("seat")
    if len(choices) == 1:
        free = _open_fields(choices[0])
        fields = [_field(name, domain, event, header, catalogue) for name, domain in free.items()]
        words = _words(event, free, header, catalogue)
    else:
        fields = [_variants(choices, header, catalogue)]
        words = catalogue.text(f"act.{kind}")
        if kind == "play":
            words = catalogue.text("tl.act", what=words, details=_card(event.get("card"), header))
    if seat is None and isinstance(whose, int) and kind not in TOGETHER:
        words = catalogue.text("judge.choice", what=words, name=catalogue.seat_name(header, whose))
    return {
        "event": event,
        "fields": fields,
        "words": catalogue.text("tl.more", what=words) if fields else words,
        "title": words,
        "clauses": " ".join(choices[0].get("clauses", ())),
    }


def _open_fields(choice: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """The free fields that there is something to choose in."""
    found = {}
    for name, domain in (choice.get("free") or {}).items():
        values = domain.get("values")
        settled = values is not None and not domain.get("each")
        if settled and len(values) == 1:
            continue
        if settled and name in MAY_STAY_OUT and sum(value is not None for value in values) <= 1:
            continue
        found[name] = domain
    return found


def _variants(choices: Sequence[Mapping[str, Any]], header: Header, catalogue: Catalogue) -> dict[str, Any]:
    """A field that tells several choices of one kind apart, each with the fields that it leaves open."""
    variants = []
    for choice in choices:
        event, free = choice["event"], _open_fields(choice)
        fields = [_field(name, domain, event, header, catalogue) for name, domain in free.items()]
        variants.append([event, _difference(event, free, header, catalogue), fields])
    placed = any(choice["event"].get("at") for choice in choices)
    played = choices[0]["event"]["kind"] == "play"
    label = catalogue.text("field.at") if placed else catalogue.text("field.use" if played else "field.what")
    return {"path": "", "type": "variant", "label": label, "options": variants}


def _difference(event: Mapping[str, Any], free: Mapping[str, Any], header: Header, catalogue: Catalogue) -> str:
    """What tells a choice from the others of its button."""
    parts = []
    if event.get("kind") in TOGETHER:
        parts.append(catalogue.seat_name(header, event.get("seat")))
    if event.get("what"):
        parts.append(catalogue.text(f"count.{event['what']}"))
    use, spot = event.get("use"), event.get("at")
    if use and not spot:
        parts.append(catalogue.maybe(f"use.{use}", str(use)))
    if spot and use == "column":
        column = column_words(spot[1], spot[0], header, catalogue)
        parts += [catalogue.seat_name(header, spot[0]), catalogue.text("tl.column", column=column)]
    elif spot:
        parts.append(spot_words(spot, header, catalogue))
    if event.get("to") and "to" not in free:
        parts.append(spot_words(event["to"], header, catalogue))
    return ", ".join(parts) or catalogue.text("use.none")


def _words(event: Mapping[str, Any], free: Mapping[str, Any], header: Header, catalogue: Catalogue) -> str:
    """The words of a button: with the place or the card where they are settled, else what kind of thing it does."""
    kind, seat = str(event["kind"]), event.get("seat")
    details: list[str] = []
    card = event.get("card")
    if card and "card" not in free:
        details.append(_card(card, header))
    if event.get("use") and "use" not in free:
        details.append(catalogue.maybe(f"use.{event['use']}", str(event["use"])))
    column = event.get("column")
    if isinstance(column, int) and "column" not in free:
        whose = 3 - seat if kind == "place" and isinstance(seat, int) else seat
        details.append(catalogue.text("tl.column", column=column_words(column, whose, header, catalogue)))
        if kind == "lay" and "row" not in free:
            details.append(catalogue.text("tl.row", row=event.get("row", 1)))
    for name in ("spot", "at", "to"):
        spot = event.get(name)
        if spot and name not in free:
            details.append(spot_words(spot, header, catalogue))
    if kind == "count" and "what" not in free:
        details.append(catalogue.maybe(f"count.{event.get('what')}", str(event.get("what"))))
    words = catalogue.text(f"act.{kind}") if catalogue.has(f"act.{kind}") else kind
    return catalogue.text("tl.act", what=words, details=", ".join(details)) if details else words


def _card(identity: Any, header: Header) -> str:
    card = cards_of(header).get(str(identity))
    return str(identity) if card is None else printed(card)


def _field(
    name: str, domain: Mapping[str, Any], event: Mapping[str, Any], header: Header, catalogue: Catalogue
) -> dict[str, Any]:
    """One field of a dialog, from the domain of a free field."""
    label = catalogue.maybe(f"field.{name}.{event.get('kind')}") or catalogue.maybe(f"field.{name}", name)
    values: Sequence[Any] | None = domain.get("values")
    if values is None and name in {"card", "cards"}:
        values = [identity for identity, _ in card_options(header)]
    if domain.get("each"):
        options = [
            [value, _value(name, value, event, header, catalogue)] for value in _sorted(name, values or (), header)
        ]
        given = event.get(name)
        least = len(given) if isinstance(given, tuple | list) and given else 1
        count = domain.get("count")
        return {
            "path": name,
            "type": "list",
            "label": label,
            "options": options,
            "count": int(count or min(MOST_CARDS, max(least, 3 if event.get("kind") == "take" else MOST_CARDS))),
            "exact": count is not None,
        }
    if values is not None:
        options = [[value, _value(name, value, event, header, catalogue)] for value in _sorted(name, values, header)]
        if name == "card":  # what was seen is named by a person, never guessed by the first of a list
            return {"path": name, "type": "select", "label": label, "options": options, "must": True}
        return {"path": name, "type": "select", "label": label, "options": options, "value": event.get(name)}
    if isinstance(event.get(name), bool):
        options = [[value, catalogue.fact(value)] for value in (True, False)]
        return {"path": name, "type": "select", "label": label, "options": options, "value": event[name]}
    if isinstance(event.get(name), int) or domain.get("least") is not None or name in {"deck", "count"}:
        return {
            "path": name,
            "type": "number",
            "label": label,
            "min": domain.get("least") or 0,
            "max": 50,
            "value": event.get(name),
            "optional": name == "deck",
        }
    return {"path": name, "type": "text", "label": label, "required": False, "value": event.get(name) or ""}


def _sorted(name: str, values: Sequence[Any], header: Header) -> list[Any]:
    """Cards by their printed name; other values as they are offered."""
    if name not in {"card", "cards"}:
        return list(values)
    return sorted(values, key=lambda value: "" if value is None else _card(value, header))


def _value(name: str, value: Any, event: Mapping[str, Any], header: Header, catalogue: Catalogue) -> str:
    """A value of a field in words."""
    seat = event.get("seat")
    if value is None:
        return catalogue.maybe(f"field.{name}.none", catalogue.text("fact.nothing"))
    if name in SPOTS:
        return spot_words(value, header, catalogue)
    if name in {"card", "cards"}:
        return _card(value, header)
    if name in {"column", "target_column"}:
        enemy = name == "target_column" or event.get("kind") == "place"
        whose = 3 - seat if enemy and isinstance(seat, int) else seat
        return catalogue.text("tl.column", column=column_words(value, whose, header, catalogue))
    if name in {"row", "target_row"}:
        return catalogue.text("tl.row", row=value)
    if isinstance(value, bool):
        return catalogue.fact(value)
    family = {"back": "role", "use": "use", "what": "count"}.get(name, "value")
    key = f"{family}.{str(value).replace(' ', '-')}"
    return catalogue.maybe(key, str(value)) if value != "" else catalogue.text("fact.nothing")


def card_options(header: Header, deck: str | None = None) -> list[list[str]]:
    """Every card of the pack by name, those of one deck first."""
    ordered = sorted(cards_of(header).values(), key=lambda card: (card.get("deck") != deck, printed(card)))
    return [[str(card["id"]), printed(card)] for card in ordered]


def seat_options(header: Header) -> list[list[Any]]:
    """The seats for a select."""
    return [[seat.number, f"{seat.number} {seat.name}"] for seat in header.seats]


def amend_fields(event: Mapping[str, Any], header: Header, catalogue: Catalogue) -> list[dict[str, Any]]:
    """The fields of an event of the record that a judge may put right."""
    found: list[dict[str, Any]] = []
    for name in AMENDED.get(str(event.get("kind")), ()):
        values = (1, 2, 3, 4) if name == "row" else (1, 2, 3) if name == "column" else (None, 1, 2, 3)
        options = [[value, _value(name, value, event, header, catalogue)] for value in values]
        label, value = catalogue.text(f"field.{name}"), event.get(name, 1 if name == "row" else None)
        found.append({"path": f"event.{name}", "type": "select", "label": label, "options": options, "value": value})
    if isinstance(event.get("card"), str):
        found.append(
            {
                "path": "event.card",
                "type": "select",
                "label": catalogue.text("field.card"),
                "options": card_options(header),
                "value": event["card"],
            }
        )
    return found
