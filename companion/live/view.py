"""The snapshot of a table that every screen is drawn from: plain data, ready for JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import msgspec

from companion.live.interpreter import Interpreter
from rules.games import game_named
from rules.match import Match
from rules.referee import Option

__all__ = ["LAST_ENTRIES", "CameraHealth", "option_plain", "snapshot"]

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
        "last": [msgspec.to_builtins(entry) for entry in match.entries[-LAST_ENTRIES:]],
    }


def option_plain(option: Option) -> dict[str, Any]:
    """An option as plain data: the event to send, with the fields that the table must fill in."""
    return {
        "event": msgspec.to_builtins(option.event),
        "free": {name: msgspec.to_builtins(domain) for name, domain in option.free.items()},
        "clauses": list(option.clauses),
        "label": option.label,
        "people": option.people,
    }
