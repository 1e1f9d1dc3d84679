"""Lightning Dice on the pages: goal, dice by seat, score track."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Final

from companion.goals import condition_words, goal_faces, goal_sentence
from companion.web.games.base import FactWords, Screens
from rules.header import Header
from rules.lightning_dice.goals import parse_goal
from rules.rulings import Ruling, Verdict
from vision.readings import Unreadable

if TYPE_CHECKING:
    from companion.catalogue import Catalogue, Sentences

__all__ = ["BREACH_DETAILS", "LightningDiceScreens", "dice_sentence"]

BREACH_DETAILS: Final = (
    "touched", "lifted", "set back", "off table", "dropped", "view blocked", "rolling hand", "tower",
    "slid", "rolled", "free hand stops", "free hand confines",
)  # fmt: skip
"""What may be seen when a tournament rule looks broken."""
WITHOUT_PIPS: Final = str(Unreadable.NOT_A_PIP_DIE)
"""The reason of a die that must be taken away, whereas one that is unreadable is looked at again."""


def _goal(goal: Any, header: Header, catalogue: Catalogue) -> str:
    """A goal in the goal language in words; as it stands when it is not in the language."""
    try:
        return catalogue.listed(condition_words(each, catalogue) for each in parse_goal(str(goal)).words())
    except ValueError:
        return str(goal)


def _lasted(lasted_ms: Any, header: Header, catalogue: Catalogue) -> str:
    """How long something went on; nothing when nobody measured it."""
    if not lasted_ms:
        return ""
    return catalogue.text("suspicion.lasted", seconds=max(1, round(int(lasted_ms) / 1000)))


def _place(place: Any, header: Header, catalogue: Catalogue) -> str:
    return str(int(place) + 1)


def _more(facts: Mapping[str, Any], header: Header, catalogue: Catalogue) -> dict[str, Any]:
    """Dice that do not count are named as such among the faces; a reason has words of its own."""
    found: dict[str, Any] = {}
    faces, idle = facts.get("faces"), facts.get("idle")
    if faces and idle:
        nothing = catalogue.text("die.idle")
        found["faces"] = ", ".join(
            nothing if place in idle else catalogue.face(face) for place, face in enumerate(faces)
        )
    if "reason" in facts:
        reason = facts["reason"]
        found["why_words"] = catalogue.maybe(f"why.{str(reason).replace(' ', '-')}", str(reason))
    return found


FACTS: Final = FactWords(
    seats=frozenset({"seat", "victim", "winners", "seats", "tied", "contenders", "elsewhere"}),
    codes={
        "call": "call",
        "colour": "colour",
        "colours": "colour",
        "other_colour": "colour",
        "pip_colour": "colour",
        "detail": "detail",
        "where": "where",
        "expected": "where",
        "what": "count",
        "advice": "advice",
        "was": "advice",
        "rule": "rule",
        "why": "why",
        "suspicion": "suspicion",
    },
    values={
        **dict.fromkeys(("places", "unreadable", "idle", "thrown", "kept"), _place),
        **dict.fromkeys(("goal", "unmet"), _goal),
        "lasted_ms": _lasted,
    },
    more=_more,
    more_names={"reason": ("why_words",)},
)


class LightningDiceScreens(Screens):
    """See `Screens`."""

    regions: ClassVar = {
        "table": ("marks", "waiting", "goal", "ruling", "seats", "track", "camera"),
        "judge": ("marks", "pending", "rulings", "tools", "seats"),
        "camera": ("camera", "seats"),
        "colours": ("colours", "camera"),
        "record": (),
        "aid": (),
        "seat": ("marks", "waiting", "goal", "own", "ruling"),
        "help": (),
        "evidence": (),
    }
    facts = FACTS
    seat_events = frozenset({"ready", "roll", "moving", "pawn"})
    typed_events = frozenset({"roll", "moving"})
    quiet_events = frozenset({"moving"})
    reading_events = frozenset({"roll"})
    evidence_events = frozenset({"calls", "breach"})
    choices_elsewhere = frozenset({"decide", "calls", "overrule", "adjust", "undo", "amend", "pause", "resume", "note"})
    complete_choices = frozenset({"ready"})

    def may_overrule(self, kind: str, ruling: Mapping[str, Any]) -> bool:
        """Calls, decisions and breaches."""
        return kind in {"calls", "decide", "breach"}

    def seat(self, seat: Mapping[str, Any], view: Mapping[str, Any], catalogue: Catalogue) -> dict[str, Any]:
        """With its space on the track and each of its dice in words."""
        target = int((view.get("options") or {}).get("target", 20))
        dice = _dice(seat, catalogue)
        troubled: dict[str, list[int]] = {}
        without_pips: list[int] = []
        for die in dice:
            if die["state"] == "unreadable":
                troubled.setdefault(str(die["words"]), []).append(int(die["place"]))
            elif die["state"] == "without-pips":
                without_pips.append(int(die["place"]))
        sentences = [
            catalogue.text("seat.trouble", count=len(places), places=tuple(places), reason=reason)
            for reason, places in troubled.items()
        ]
        if without_pips:
            sentences.append(catalogue.text("seat.without-pips", count=len(without_pips), places=tuple(without_pips)))
        return {
            **super().seat(seat, view, catalogue),
            "dice": dice,
            "troubled": sentences,
            "is_moving": bool(seat.get("moving")),
            "space": min(max(0, int(seat.get("score") or 0)), target),
            "no_dice": all(die["state"] == "none" for die in dice),
        }

    def newer(self, view: dict[str, Any], data: Mapping[str, Any]) -> dict[str, Any]:
        """With the dice as the camera has them now."""
        newer = {each["number"]: each.get("dice", ()) for each in data.get("seats", ())}
        laid = super().newer(view, data)
        laid["seats"] = [with_dice(seat, newer.get(seat["number"])) for seat in view.get("seats", ())]
        return laid

    def context(
        self, view: Mapping[str, Any], header: Header, catalogue: Catalogue, seat: int | None
    ) -> dict[str, Any]:
        """The open card as dice and in words, what a breach may be, and what is to be weighed, by entry number."""
        card = view.get("card")
        return {
            "card": card,
            "goal_faces": goal_faces(card) if card else (),
            "goal_words": goal_sentence(card, catalogue) if card else "",
            "weighed": {
                each["seq"]: _weighed(each, header, catalogue)
                for each in view.get("pending") or ()
                if each.get("kind") == "breach"
            },
            "rule_options": [[rule, catalogue.text(f"rule.{rule}")] for rule in range(1, 8)],
            "detail_options": [[name, catalogue.text("detail." + name.replace(" ", "-"))] for name in BREACH_DETAILS],
        }

    def seen(self, reading: Any, header: Header, catalogue: Catalogue) -> tuple[list[str], list[str], str]:
        """Each die by its colour and value, or why it has none."""
        lying = sorted(reading.dice, key=lambda each: (each.colour, each.centre_px))
        dice = [_seen_words(die, catalogue) for die in lying]
        markers = [catalogue.text("camera.marker", id=marker.id) for marker in reading.markers]
        read = sum(die.value is not None for die in reading.dice)
        facts = {"count": len(reading.dice), "read": read, "markers": len(reading.markers)}
        return dice, markers, catalogue.text("camera.summary", **facts)

    def aid(self, table: Any, header: Header, catalogue: Catalogue, seat: int | None) -> str:
        """The dice that lie still."""
        return dice_sentence(table.settled_dice(seat), header, catalogue, seat=seat)


def _weighed(waiting: Mapping[str, Any], header: Header, catalogue: Catalogue) -> Sentences:
    """What was seen of a possible breach, and the rule that it would break."""
    names = {"rule": "number", "detail": "detail", "places": "places", "suspicion": "suspicion"}
    facts: dict[str, Any] = {name: waiting.get(key) or "" for name, key in names.items()}
    facts |= {"places": tuple(waiting.get("places") or ()), "lasted_ms": waiting.get("lasted_ms") or 0}
    return catalogue.ruling(Ruling(Verdict.INFRACTION, "ld.breach", ("LD-J7",), waiting["seat"], facts=facts), header)


def _seen_words(die: Any, catalogue: Catalogue) -> str:
    """One die of a reading: its colour and value, or why it has none."""
    colour = catalogue.maybe(f"colour.{die.colour}", die.colour)
    if die.value is not None:
        return catalogue.text("camera.die", colour=colour, value=die.value)
    if die.reason == WITHOUT_PIPS:
        return catalogue.text("camera.die-without-pips", colour=colour)
    reason = catalogue.maybe(f"reason.{die.reason}".replace(" ", "-"), str(die.reason))
    return catalogue.text("camera.die-unreadable", colour=colour, reason=reason)


def _dice(seat: Mapping[str, Any], catalogue: Catalogue) -> list[dict[str, Any]]:
    """The six places of a seat: what lies there, and in words."""
    faces = seat.get("faces")
    reasons = seat.get("reasons") or [None] * 6
    moving = set(seat.get("moving") or ())
    dice: list[dict[str, Any]] = []
    for place in range(6):
        value = faces[place] if faces and place < len(faces) else None
        reason = reasons[place] if place < len(reasons) else None
        if place in moving:
            state, words = "moving", catalogue.text("die.moving")
        elif value is not None:
            state, words = "read", str(value)
        elif reason is not None:
            state = "without-pips" if reason == WITHOUT_PIPS else "unreadable"
            words = catalogue.maybe(f"reason.{reason}".replace(" ", "-"), str(reason))
        elif faces:
            state, words = "unreadable", catalogue.text("reason.unknown")
        else:
            state, words = "none", catalogue.text("die.none")
        dice.append({"place": place + 1, "value": value, "state": state, "words": words})
    return dice


def with_dice(seat: dict[str, Any], dice: Any) -> dict[str, Any]:
    """A seat of the view with its dice as the camera has them now; as it was when the camera has none of them."""
    if not dice:
        return seat
    faces: list[int | None] = [None] * 6
    reasons: list[str | None] = [None] * 6
    moving = []
    for die in dice:
        place = int(die["place"])
        if not 0 <= place < 6:
            continue
        faces[place], reasons[place] = die.get("value"), die.get("reason")
        if die.get("reason") == "moving":
            moving.append(place)
    return {**seat, "faces": faces, "reasons": reasons, "moving": moving}


def dice_sentence(
    dice: Iterable[Mapping[str, Any]], header: Header | None, catalogue: Catalogue, *, seat: int | None = None
) -> str:
    """Settled dice in words: by seat, by place from the left, each with its value or why it has none.

    `dice` are mappings with seat (None when nobody's), place (from 0), value (1 to 6 or None) and reason. When some
    have no pips, the last sentence says what to do about them.
    """
    dice = list(dice)
    by_seat: dict[int | None, list[Mapping[str, Any]]] = {}
    for die in dice:
        by_seat.setdefault(die.get("seat"), []).append(die)
    if not by_seat:
        if seat is not None and header is not None:
            return catalogue.text("aid.none-of-seat", name=catalogue.seat_name(header, seat))
        return catalogue.text("aid.none")
    sentences = []
    for number in sorted(by_seat, key=lambda each: (each is None, each or 0)):
        lying = sorted(by_seat[number], key=lambda die: int(die.get("place") or 0))
        listed = catalogue.listed(_die_words(die, catalogue) for die in lying)
        if number is None or header is None:
            sentences.append(catalogue.text("aid.dice", dice=listed, count=len(lying)))
        else:
            name = catalogue.seat_name(header, number)
            sentences.append(catalogue.text("aid.dice-of-seat", name=name, dice=listed, count=len(lying)))
    if pipless := sum(die.get("value") is None and die.get("reason") == WITHOUT_PIPS for die in dice):
        sentences.append(catalogue.text("aid.without-pips", count=pipless))
    return " ".join(sentences)


def _die_words(die: Mapping[str, Any], catalogue: Catalogue) -> str:
    place = int(die.get("place") or 0) + 1
    if die.get("value") is not None:
        return catalogue.text("aid.die", place=place, value=die["value"])
    reason = str(die.get("reason") or "unknown")
    if reason == WITHOUT_PIPS:
        return catalogue.text("aid.die-without-pips", place=place)
    words = catalogue.maybe(f"reason.{reason}".replace(" ", "-"), reason)
    return catalogue.text("aid.die-unreadable", place=place, reason=words)
