"""The snapshot of a table that every screen is drawn from: plain data, ready for JSON."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import Any

import msgspec

from companion.live.interpreter import Interpreter, Notice, SeenDie
from companion.wall import wall_label
from rules.games import game_named
from rules.match import Match
from rules.referee import Entry, Option

__all__ = [
    "LAST_ENTRIES",
    "CameraHealth",
    "dice_by_seat",
    "option_plain",
    "reasons_by_seat",
    "repaired",
    "settled_dice",
    "snapshot",
    "wall_now",
]

LAST_ENTRIES = 20
"""How many entries a snapshot carries; the whole record is asked for by sequence number."""


@dataclass(frozen=True, slots=True)
class CameraHealth:
    """How the camera is: `state` is "watching", "lost" or "none" (the table is played with typed dice)."""

    state: str = "none"
    problem: str | None = None
    frames_per_s: float | None = None
    read_ms: float | None = None
    source: str | None = None

    def plain(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "state": self.state,
            "problem": self.problem,
            "frames_per_s": self.frames_per_s,
            "read_ms": self.read_ms,
            "source": self.source,
        }


def snapshot(match: Match[Any], interpreter: Interpreter, *, simulated: bool) -> dict[str, Any]:
    """The match as it stands. Camera, notices and problems are added by the table."""
    header = match.header
    result = match.result()
    return {
        "match": header.match,
        "game": header.game,
        "title": game_named(header.game).title,
        "rules_version": header.rules_version,
        "judge": header.judge,
        "wall": header.wall,
        "seq": match.seq,
        "paused": match.position.paused,
        "simulated": simulated,
        **interpreter.view(match),
        "result": None if result is None else msgspec.to_builtins(result),
        "choices": [option_plain(option) for option in match.options()],
        "last": [msgspec.to_builtins(entry) for entry in _last(match, interpreter)],
    }


def _last(match: Match[Any], interpreter: Interpreter) -> list[Entry]:
    """The last entries that people may want to look at again, oldest first."""
    news = (entry for entry in reversed(match.entries) if interpreter.is_news(entry.filed.event))
    return list(islice(news, LAST_ENTRIES))[::-1]


def option_plain(option: Option) -> dict[str, Any]:
    """An option as plain data: the event to send, the example of each field that the table must fill in among it."""
    examples = {name: msgspec.to_builtins(getattr(option.event, name)) for name in option.free}
    return {
        "event": {**msgspec.to_builtins(option.event), **examples},
        "free": {name: msgspec.to_builtins(domain) for name, domain in option.free.items()},
        "clauses": list(option.clauses),
        "label": option.label,
        "people": option.people,
    }


def reasons_by_seat(dice: tuple[SeenDie, ...]) -> dict[int, list[str | None]]:
    """By seat and place, why a die has no value."""
    found: dict[int, list[str | None]] = {}
    for die in dice:
        if die.seat is not None and die.place < 6 and die.reason != "moving":
            found.setdefault(die.seat, [None] * 6)[die.place] = die.reason
    return found


def dice_by_seat(dice: tuple[SeenDie, ...]) -> list[dict[str, Any]]:
    """The dice as the camera has them, by seat; those of nobody last."""
    seats: dict[int | None, list[dict[str, Any]]] = {}
    for die in dice:
        seats.setdefault(die.seat, []).append({"place": die.place, "value": die.value, "reason": die.reason})
    ordered = sorted(seats.items(), key=lambda each: (each[0] is None, each[0] or 0))
    return [{"number": seat, "dice": found} for seat, found in ordered]


def settled_dice(dice: tuple[SeenDie, ...] | None, seats: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Dice that lie still: those that the camera has, or those of the record (`seats` of a view) when it has none."""
    if dice is not None:
        return [
            {"seat": die.seat, "place": die.place, "value": die.value, "reason": die.reason}
            for die in dice
            if die.reason != "moving"
        ]
    return [
        {"seat": there["number"], "place": place, "value": face, "reason": None if face else "unknown"}
        for there in seats
        for place, face in enumerate(there.get("faces") or ())
        if place not in there.get("moving", ())
    ]


def repaired(text: str) -> Notice:
    """The notice of what had to be repaired when the table was opened."""
    return Notice("notice.repaired", (("report", text),), text)


def wall_now() -> str:
    """The time of day as the record has it: ISO 8601 in UTC, to the millisecond, marked where it is not kept right."""
    return wall_label()
