"""What goes into the table's inbox."""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

from companion.live.collector import Sighting
from device.buttons.base import Press
from rules.events import Submission
from rules.header import Header
from rules.referee import Entry

__all__ = ["Asked", "Begin", "Blind", "File", "Message", "Pressed", "Stop", "Watched"]


@dataclass(frozen=True, slots=True)
class File:
    """Judge this, write it, and answer."""

    submission: Submission[Any]
    answer: Future[Entry]


@dataclass(frozen=True, slots=True)
class Pressed:
    """A button was pressed."""

    press: Press


@dataclass(frozen=True, slots=True)
class Watched:
    """A frame was read: what it brought, and whose dice are known as of its exposure."""

    match: str
    sightings: tuple[Sighting, ...]
    exposed_ns: int
    still_seats: frozenset[int]
    reading_ns: int


@dataclass(frozen=True, slots=True)
class Blind:
    """No camera watches any more."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Is anybody there?"""

    answer: Future[None]


@dataclass(frozen=True, slots=True)
class Begin:
    """Begin another match."""

    header: Header
    answer: Future[None]


@dataclass(frozen=True, slots=True)
class Stop:
    """File what is held back, and end."""


Message = File | Pressed | Watched | Blind | Begin | Asked | Stop
