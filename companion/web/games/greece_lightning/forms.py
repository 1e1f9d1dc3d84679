"""Buttons and dialogs for what may be done now, made from the choices that the referee offers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from companion.course.words import mark_words, spot_words
from companion.web.games.greece_lightning.drawn import course_of
from companion.web.games.greece_lightning.spoken import wedges_of_header
from companion.web.games.greece_lightning.words import card_named
from rules.greece_lightning.components import MOVEMENT_DICE, MOVEMENT_FACES, NAVIGATION_FACES, PLACES, Mark
from rules.greece_lightning.course import Course, Spot
from rules.greece_lightning.pack import STARTING_LINE
from rules.header import Header

if TYPE_CHECKING:
    from companion.catalogue import Catalogue

__all__ = ["AMENDED", "ASKED", "COMMON", "GROUPS", "SEPARATE", "TOLD_APART", "Forms"]

GROUPS: Final[dict[str, tuple[str, ...]]] = {
    "sail": ("step", "feed", "fight", "end-move"),
    "roll": ("navigation", "movement", "reroll", "finish-roll"),
    "wedges": ("place-wedge", "draw-wedge"),
    "favors": ("reveal", "give", "discard", "use"),
    "setup": ("circle", "shuffled", "stack", "lap-board", "ready", "starters", "deal", "launch"),
    "look": ("total", "dice", "wake", "lap-marker", "fleece", "count", "put-ship"),
}
"""Kinds of event by the group that their buttons stand in, in the order of the page; in play "shuffled" is of the
Favors."""

SEPARATE: Final = frozenset({"conduct", "overrule", "adjust", "undo", "amend", "pause", "resume", "note"})
"""Kinds that have buttons of their own elsewhere."""

COMMON: Final = frozenset({"circle", "shuffled", "stack", "lap-board", "starters", "deal", "fleece", "count"})
"""Kinds that any seat may tell: what lies open before everybody."""

_JUDGES: Final = frozenset({"put-ship"})
"""Kinds that no seat declares: people put right together what went wrong."""

_BY_SEAT: Final = frozenset({"dice", "wake", "lap-marker", "put-ship", "total", "fleece"})
"""Kinds of which all seats share one button; it asks whose it is."""

ASKED: Final[dict[str, tuple[str, ...]]] = {
    "circle": ("wedges", "line"),
    "navigation": ("face",),
    "movement": ("faces",),
    "draw-wedge": ("wedge",),
    "reveal": ("card",),
    "give": ("face_up",),
    "total": ("movement",),
    "dice": ("navigation", "movement"),
    "wake": ("spot",),
    "put-ship": ("spot", "reason"),
    "lap-marker": ("laps",),
}
"""Fields that a dialog asks for, by kind of event."""

TOLD_APART: Final[dict[str, tuple[str, ...]]] = {"place-wedge": ("place",), "deal": ("card",)}
"""Kinds whose choices share a button where they differ in this field only."""

AMENDED: Final[dict[str, tuple[str, ...]]] = {
    "navigation": ("face",),
    "movement": ("faces",),
    "place-wedge": ("place",),
    "step": ("to",),
    "draw-wedge": ("wedge",),
    "reveal": ("card",),
    "launch": ("dot",),
}
"""Fields of an event of the record that a judge may put right."""

Choice = Mapping[str, Any]
Field = dict[str, Any]


class Forms:
    """Makes buttons and dialogs for one view in one language."""

    def __init__(self, view: Mapping[str, Any], header: Header, catalogue: Catalogue) -> None:
        self._view = view
        self._header = header
        self._catalogue = catalogue
        self._course = course_of(view, header)

    def groups(self, seat: int | None) -> list[dict[str, Any]]:
        """What may be done now, by group; `seat` leaves out what only others do, and the names."""
        found: dict[str, dict[tuple[Any, ...], list[Choice]]] = {name: {} for name in GROUPS}
        for place, choice in enumerate(self._view.get("choices", ())):
            event = choice.get("event") or {}
            kind, whose = str(event.get("kind")), event.get("seat")
            group = self._group_of(kind)
            if group is None or (seat is not None and not _is_for(seat, kind, whose)):
                continue
            found[group].setdefault(_key(kind, event, place), []).append(choice)
        return [
            {
                "name": name,
                "title": self._catalogue.text(f"race.group.{name}"),
                "buttons": [self._button(each, seat) for each in together.values()],
            }
            for name, together in found.items()
            if together
        ]

    def amend_fields(self, event: Mapping[str, Any]) -> list[Field]:
        """The fields of an event of the record that a judge may put right."""
        kind = str(event.get("kind"))
        fields = [self._field(name, kind, event) for name in AMENDED.get(kind, ())]
        return [{**field, "path": f"event.{field['path']}", "must": False} for field in fields if field is not None]

    def _group_of(self, kind: str) -> str | None:
        """The group of a kind of event: in play only the used Favors are shuffled, so that stands with the Favors."""
        if kind == "shuffled" and self._view["phase"] != "setup":
            return "favors"
        return next((name for name, kinds in GROUPS.items() if kind in kinds), None)

    # --- buttons

    def _button(self, choices: Sequence[Choice], seat: int | None) -> dict[str, Any]:
        event: dict[str, Any] = dict(choices[0]["event"])
        kind, whose = str(event["kind"]), event.get("seat")
        words = self._words(choices, kind, event)
        if seat is None and isinstance(whose, int) and kind not in _BY_SEAT | {"count"}:
            words = self._catalogue.text(
                "judge.choice", what=words, name=self._catalogue.seat_name(self._header, whose)
            )
        fields = self._fields(choices, kind, event)
        more = self._catalogue.text("tl.more", what=words) if fields else words
        return {"event": event, "fields": fields, "words": more, "title": words, "dot": self._dot(kind, event)}

    def _dot(self, kind: str, event: Mapping[str, Any]) -> str:
        """The dot of the wheel that stands for this button, as the drawing names it; empty when none does."""
        if kind == "step":
            place, dot = event["to"]
            return f"{place}:{dot}"
        return f"{self._view['line']}:{event['dot']}" if kind == "launch" else ""

    def _words(self, choices: Sequence[Choice], kind: str, event: Mapping[str, Any]) -> str:
        """What a button does, with what it does it to where that is settled."""
        words = self._catalogue.maybe(f"choice.{choices[0].get('label')}") or self._catalogue.text(f"race.act.{kind}")
        details = ", ".join(self._details(choices, kind, event))
        return self._catalogue.text("tl.act", what=words, details=details) if details else words

    def _details(self, choices: Sequence[Choice], kind: str, event: Mapping[str, Any]) -> Iterable[str]:
        match kind:
            case "step":
                yield from self._step_words(event)
            case "launch":
                yield self._spot(Spot(int(self._view["line"]), str(event["dot"])))
            case "use" if len(choices) == 1:
                yield card_named(event["card"], self._header)
                yield from self._aim(event)
            case "use" | "discard":
                yield card_named(event["card"], self._header)
            case "give":
                yield self._catalogue.seat_name(self._header, event["to"])
            case "place-wedge":
                yield str(event["wedge"])

    def _step_words(self, event: Mapping[str, Any]) -> Iterable[str]:
        """Where one movement leads, why it leads there, and what is met there."""
        spot = Spot(*event["to"])
        yield self._spot(spot)
        if event.get("number") is not None and self._course is not None:
            yield self._by_number(int(event["number"]))
        way = next((each for each in self._view.get("next", ()) if each["spot"] == list(event["to"])), None)
        if way is not None and way["skipped"]:
            yield self._catalogue.text("race.over-ships", count=way["skipped"])
        if self._course is not None and (dot := self._course.find(spot)) is not None:
            if self._course.on_line(spot):
                yield self._catalogue.text("wedge.line")
            yield from (mark_words(mark, self._catalogue) for mark in dot.marks)

    def _by_number(self, number: int) -> str:
        """Why the path with this number may be taken: for Fish out of Scylla, by a die out of Charybdis."""
        turn = self._view.get("turn") or {}
        ship = next((each["spot"] for each in self._view["seats"] if each["number"] == turn.get("seat")), None)
        dot = self._course.find(Spot(*ship)) if self._course is not None and ship is not None else None
        if dot is not None and dot.whirlpool is Mark.SCYLLA:
            return self._catalogue.text("race.for-fish", count=number)
        return self._catalogue.text("race.by-number", number=number)

    def _aim(self, event: Mapping[str, Any]) -> Iterable[str]:
        if event.get("other") is not None:
            yield self._catalogue.text("race.on", name=self._catalogue.seat_name(self._header, event["other"]))
        if event.get("place") is not None:
            yield self._catalogue.text("race.at-place", place=event["place"])

    # --- fields

    def _fields(self, choices: Sequence[Choice], kind: str, event: Mapping[str, Any]) -> list[Field]:
        if kind == "count":
            return [self._counts(choices)]
        if kind == "use" and len(choices) > 1:
            options = [[each["event"], ", ".join(self._aim(each["event"])), []] for each in choices]
            return [{"path": "", "type": "variant", "label": self._catalogue.text("field.at"), "options": options}]
        fields = []
        if kind in _BY_SEAT:
            whose = [each["event"]["seat"] for each in choices]
            names = [[number, self._catalogue.seat_name(self._header, number)] for number in whose]
            if kind == "fleece":
                names = [[seat.number, seat.name] for seat in self._header.seats]
            fields.append(_select("seat", self._catalogue.text("field.seat"), names, event.get("seat")))
        for name in TOLD_APART.get(kind, ()):
            options = [[each["event"][name], self._value(name, each["event"][name])] for each in choices]
            fields.append(_select(name, self._label(name), options, must=True))
        free = choices[0].get("free") or {}
        for name in ASKED.get(kind, ()):
            field = self._field(name, kind, event, free.get(name))
            if field is not None:
                fields.append(field)
        return fields

    def _counts(self, choices: Sequence[Choice]) -> Field:
        """Everything that can be counted, each with the number that the record has."""
        options = []
        for each in choices:
            event = each["event"]
            what = self._catalogue.text(f"gl-thing.{event['what']}".replace(" ", "-"))
            whose = event.get("seat")
            words = what if whose is None else f"{what}, {self._catalogue.seat_name(self._header, whose)}"
            options.append([event, words, [self._number("count", event)]])
        return {"path": "", "type": "variant", "label": self._catalogue.text("field.what"), "options": options}

    def _number(self, name: str, event: Mapping[str, Any], most: int = 50) -> Field:
        return {
            "path": name,
            "type": "number",
            "label": self._label(name),
            "min": 0,
            "max": most,
            "value": event.get(name),
        }

    def _field(
        self, name: str, kind: str, event: Mapping[str, Any], domain: Mapping[str, Any] | None = None
    ) -> Field | None:
        """One field of a dialog; None when there is nothing to choose."""
        label = self._label(name)
        values = (domain or {}).get("values")
        match name:
            case "face":
                return _select(name, label, _same(values or NAVIGATION_FACES), must=True)
            case "faces":
                return _select(name, label, [[[face], str(face)] for face in MOVEMENT_FACES], must=True)
            case "navigation":
                none = [None, self._catalogue.text("fact.nothing")]
                return _select(name, label, [none, *_same(NAVIGATION_FACES)], event.get(name))
            case "movement" if kind == "dice":
                options = _same(MOVEMENT_FACES)
                count = MOVEMENT_DICE
                return {
                    "path": name,
                    "type": "list",
                    "label": label,
                    "options": options,
                    "count": count,
                    "exact": False,
                }
            case "movement" | "laps":
                return self._number(name, event)
            case "wedges":
                options = self._wedges(starting=True)
                return {
                    "path": name,
                    "type": "list",
                    "label": label,
                    "options": options,
                    "count": PLACES,
                    "exact": True,
                }
            case "line" | "place":
                return _select(name, label, _same(values or range(1, PLACES + 1)), event.get(name))
            case "wedge":
                options = self._wedges(starting=False) if values is None else _same(values)
                return _select(name, label, options, event.get(name), must=True)
            case "card":
                return _select(name, label, self._cards(values), event.get(name), must=True)
            case "face_up":
                options = [[value, self._catalogue.fact(value)] for value in values or (True, False)]
                return _select(name, label, options, event.get(name)) if len(options) > 1 else None
            case "spot" | "to":
                return _select(name, label, self._spots(nowhere=kind == "wake"), _plain(event.get(name)))
            case "dot":
                line = wedges_of_header(self._header)[STARTING_LINE].line
                return _select(name, label, _same(line), event.get(name))
        return {"path": name, "type": "text", "label": label, "required": True, "value": ""}

    def _cards(self, values: Sequence[Any] | None) -> list[list[Any]]:
        known = values or [each["id"] for each in (self._header.pack or {}).get("favor", ())]
        return sorted(([each, card_named(each, self._header)] for each in known), key=lambda each: each[1])

    def _wedges(self, *, starting: bool) -> list[list[Any]]:
        found = wedges_of_header(self._header)
        return [[name, name] for name, each in found.items() if not each.line and (each.symbol is not None) is starting]

    def _spots(self, *, nowhere: bool) -> list[list[Any]]:
        spots = () if self._course is None else self._course.spots
        none = [[None, self._catalogue.text("fact.nothing")]] if nowhere else []
        return none + [[[each.place, each.dot], self._spot(each)] for each in spots]

    def _spot(self, spot: Spot) -> str:
        course: Course | None = self._course
        if course is None or course.find(spot) is None:
            return f"{spot.place} {spot.dot}"
        return spot_words(course, spot, self._catalogue)

    def _value(self, name: str, value: Any) -> str:
        return card_named(value, self._header) if name == "card" else str(value)

    def _label(self, name: str) -> str:
        return self._catalogue.text(f"race.field.{name}")


def _is_for(seat: int, kind: str, whose: Any) -> bool:
    """Whether a seat may do it: what is its own, and what lies before everybody."""
    return kind not in _JUDGES and (kind in COMMON or whose == seat)


def _key(kind: str, event: Mapping[str, Any], place: int) -> tuple[Any, ...]:
    """What choices have in common that share a button."""
    if kind in _BY_SEAT or kind == "count":
        return (kind,)
    match kind:
        case "use":
            return (kind, event.get("seat"), event.get("card"))
        case "place-wedge":
            return (kind, event.get("seat"), event.get("wedge"))
        case "deal":
            return (kind, event.get("seat"))
    return (place,)


def _same(values: Iterable[Any]) -> list[list[Any]]:
    return [[value, str(value)] for value in values]


def _plain(spot: Any) -> Any:
    return None if spot is None else list(spot)


def _select(path: str, label: str, options: Sequence[Any], value: Any = None, *, must: bool = False) -> Field:
    """What was seen is named by a person: with `must` nothing is chosen beforehand."""
    field: Field = {"path": path, "type": "select", "label": label, "options": list(options), "must": must}
    return field if must else {**field, "value": value}


def _list(path: str, label: str, options: Sequence[Any], count: int, *, exact: bool) -> Field:
    """Several values one after the other; `exact`: all of them."""
    return {"path": path, "type": "list", "label": label, "options": options, "count": count, "exact": exact}
