"""From the table's view to what a page shows: every region of a page rendered once for each language and version."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec
from jinja2 import Environment
from markupsafe import Markup

from companion.catalogue import Catalogue
from companion.facts import worded
from companion.web.games import Screens, screens_of
from companion.web.seats import look_of
from rules.header import Header
from rules.referee import Entry
from rules.rulings import Ruling

__all__ = ["Presenter", "announcements", "as_markup", "option_words", "present_entry"]

KEPT_VERSIONS: Final = 24
KEPT_ENTRIES: Final = 200


def present_entry(entry: Entry | Mapping[str, Any], header: Header, catalogue: Catalogue) -> dict[str, Any]:
    """An entry of the record in words: its rulings with sentences, clauses and effects."""
    screens = screens_of(header.game)
    plain: dict[str, Any] = msgspec.to_builtins(entry) if isinstance(entry, Entry) else dict(entry)
    filed = plain["filed"]
    event = filed["event"]
    kind = event["kind"]
    source = str(filed.get("source", "declared"))
    rulings = []
    for number, each in enumerate(plain["rulings"]):
        ruling = msgspec.convert(each, Ruling)
        sentences = catalogue.ruling(ruling, header)
        seat = header.seat(ruling.seat) if ruling.seat is not None else None
        rulings.append(
            {
                "number": number,
                "label": str(plain["seq"]) if len(plain["rulings"]) == 1 else f"{plain['seq']}.{number + 1}",
                "code": ruling.code,
                "verdict": str(ruling.verdict),
                "refusal": str(ruling.refusal) if ruling.refusal else None,
                "verdict_words": catalogue.text(f"verdict.{ruling.verdict}"),
                "refusal_words": catalogue.text(f"refusal.{ruling.refusal}") if ruling.refusal else "",
                "seat": ruling.seat,
                "look": look_of(seat.number, seat.colour) if seat else None,
                "name": seat.name if seat else "",
                "about": ruling.about,
                "facts": dict(ruling.facts),
                "overrulable": screens.may_overrule(kind, each),
                "seen": sentences.seen,
                "expected": sentences.expected,
                "follows": sentences.follows,
                "say": sentences.say,
                "clauses": [catalogue.clause_text(clause, header.game)._asdict() for clause in ruling.clauses],
                "effects": [catalogue.effect(effect, header) for effect in ruling.effects],
                "by_option": [option_words(name, header.options.get(name), catalogue) for name in ruling.by_option],
            }
        )
    return {
        "seq": plain["seq"],
        "kind": kind,
        "kind_words": screens.event_words(kind, catalogue),
        "source": source,
        "source_words": catalogue.text(f"source.{source}"),
        "wall": filed.get("wall"),
        "seat": event.get("seat"),
        "event": event,
        "rulings": rulings,
        "quiet": kind in screens.quiet_events and all(each["verdict"] == "accepted" for each in rulings),
        "reading": kind in screens.reading_events,
        "stops": kind == "pause",
        "has_evidence": kind in screens.evidence_events,
    }


def announcements(entry: Mapping[str, Any], catalogue: Catalogue) -> list[dict[str, Any]]:
    """What a live region says of a presented entry: numbered, so that no two sentences are alike."""
    if entry["quiet"]:
        return []
    return [
        {
            "text": catalogue.text("say.numbered", number=ruling["label"], say=ruling["say"]),
            "kind": f"{entry['kind']} {ruling['seat'] or ''}",
            "keep": ruling["verdict"] != "accepted" or not entry["reading"],
            "alert": entry["stops"],
            "reading": entry["reading"] and ruling["verdict"] == "accepted",
        }
        for ruling in entry["rulings"]
    ]


def option_words(name: str, value: Any, catalogue: Catalogue) -> str:
    """An option of the match with its value, in words."""
    words = catalogue.fact(value)
    if isinstance(value, str):
        words = catalogue.maybe(f"value.{value}".replace(" ", "-"), value)
    elif isinstance(value, list | tuple) and value and all(isinstance(each, str) for each in value):
        words = catalogue.listed(catalogue.maybe(f"value.{each}".replace(" ", "-"), each) for each in value)
    key = f"option.{name}".replace("_", "-")
    return catalogue.text("option.other", name=catalogue.maybe(key, name.replace("_", " ")), value=words)


class Presenter:
    """Renders the regions of pages, each once for each version of the view."""

    def __init__(self, header: Callable[[], Header], environment: Environment) -> None:
        """`header` gives that of the match in play."""
        self._header = header
        self._environment = environment
        self._lock = threading.Lock()
        self._kept: OrderedDict[tuple[Any, ...], dict[str, str]] = OrderedDict()
        self._entries: OrderedDict[tuple[str, str, int], dict[str, Any]] = OrderedDict()

    def context(self, view: Mapping[str, Any], catalogue: Catalogue, seat: int | None = None) -> dict[str, Any]:
        """Everything that the templates of regions name."""
        header = self._header()
        screens = screens_of(header.game)
        seats = [screens.seat(each, view, catalogue) for each in view.get("seats", ())]
        result = view.get("result") or {}
        entries = [self._entry(each, header, catalogue) for each in view.get("last", ())]
        spoken = [each for each in entries if not each["quiet"] and not each["reading"]] or entries
        return {
            "t": catalogue.text,
            "maybe": catalogue.maybe,
            "catalogue": catalogue,
            "header": header,
            "view": view,
            "seats": seats,
            "names": {each.number: each.name for each in header.seats},
            "winner_names": [catalogue.seat_name(header, each) for each in result.get("winners", ())],
            "own": next((each for each in seats if each["number"] == seat), None),
            "last": spoken[-1] if spoken else None,
            "entries": entries,
            "options": [option_words(name, value, catalogue) for name, value in view.get("options", {}).items()],
            "language": catalogue.language,
            "notices": _notices(view, header, catalogue),
            "colour_notices": [
                notice_words(each, header, catalogue)
                for each in view.get("notices", ())
                if str(each.get("code", "")).startswith("notice.colours-")
            ],
            "alike_names": lambda numbers: [catalogue.seat_name(header, each) for each in numbers],
            "choices": _choices(view, header, catalogue, screens),
            **screens.context(view, header, catalogue, seat),
        }

    def _entry(self, entry: Mapping[str, Any], header: Header, catalogue: Catalogue) -> dict[str, Any]:
        """An entry in words; worded once, for an entry never changes."""
        key = (header.match, catalogue.language, int(entry["seq"]))
        with self._lock:
            found = self._entries.get(key)
        if found is None:
            found = present_entry(entry, header, catalogue)
            with self._lock:
                self._entries[key] = found
                while len(self._entries) > KEPT_ENTRIES:
                    self._entries.popitem(last=False)
        return found

    def regions(
        self,
        page: str,
        view: Mapping[str, Any],
        catalogue: Catalogue,
        version: tuple[Any, ...],
        *,
        judge: bool = False,
        seat: int | None = None,
    ) -> dict[str, str]:
        """HTML of every region of a page, by name; rendered once for each version."""
        key = (page, catalogue.language, judge, seat, version)
        with self._lock:
            found = self._kept.get(key)
            if found is not None:
                self._kept.move_to_end(key)
                return found
        screens = screens_of(self._header().game)
        context = self.context(view, catalogue, seat)
        context.update(page=page, judge=judge, acts=judge or seat is not None)
        rendered = {
            name: self._environment.select_template(screens.templates(f"regions/{name}.html")).render(context)
            for name in screens.regions[page]
        }
        with self._lock:
            self._kept[key] = rendered
            while len(self._kept) > KEPT_VERSIONS:
                self._kept.popitem(last=False)
        return rendered


def notice_words(notice: Mapping[str, Any], header: Header, catalogue: Catalogue) -> str:
    """Something odd at the table that people should put right, in words."""
    code = str(notice.get("code", ""))
    if not catalogue.has(code):
        return str(notice.get("text", ""))
    return catalogue.text(code, **worded(notice.get("facts", {}), header, catalogue))


def _notices(view: Mapping[str, Any], header: Header, catalogue: Catalogue) -> list[str]:
    remarks = [catalogue.text(code) for code in view.get("remarks", ())]
    worded_notices = [notice_words(each, header, catalogue) for each in view.get("notices", ())]
    return list(dict.fromkeys([*remarks, *worded_notices, *(str(each) for each in view.get("problems", ()))]))


def _choices(view: Mapping[str, Any], header: Header, catalogue: Catalogue, screens: Screens) -> list[dict[str, Any]]:
    """What a person may choose now without filling anything in, each with the words of its button."""
    found = []
    for each in view.get("choices", ()):
        event = each.get("event") or {}
        label = str(each.get("label") or "")
        blank = each.get("free") and event.get("kind") not in screens.complete_choices
        if blank or not each.get("people", True) or event.get("kind") in screens.choices_elsewhere:
            continue
        words = catalogue.maybe(f"choice.{label}") or catalogue.maybe(f"event.{event.get('kind')}", label)
        if isinstance(event.get("seat"), int):
            words = catalogue.text("judge.choice", what=words, name=catalogue.seat_name(header, event["seat"]))
        found.append({"event": event, "words": words})
    return found


def as_markup(regions: Mapping[str, str]) -> dict[str, Markup]:
    """Regions for a template; they were rendered with autoescape already."""
    return {name: Markup(html) for name, html in regions.items()}
