"""Component packs: what is printed on the cards, tiles and boards of a box, and how sure we are of it."""

from __future__ import annotations

import tomllib
from enum import StrEnum
from pathlib import Path
from typing import Any, TypeVar

from rules.errors import BadHeader, BadPack, UnreadableInput
from rules.misfits import misfits, place_words
from rules.records import Record, from_plain

__all__ = ["Finding", "Provenance", "Severity", "load_toml", "parse", "playable", "unfit"]

T = TypeVar("T")


class Provenance(StrEnum):
    """Where a printed value comes from."""

    RULEBOOK = "rulebook"
    """The rulebook prints it."""
    PUBLISHED = "published"
    """Read from a real card, or published by somebody who did."""
    ASSUMED = "assumed"
    """Our guess, so that the game can be played; a match on it says so on screen."""


class Severity(StrEnum):
    """How much a finding of a pack check matters."""

    ERROR = "error"
    """The pack cannot be played with."""
    ASSUMED = "assumed"
    """A value that people should fill in from their own box."""
    REMARK = "remark"
    """Unusual but playable; worth a second look."""


class Finding(Record, frozen=True):
    """One thing that a pack check found.

    Attributes:
        severity: how much it matters.
        where: the piece, as people call it ("wedge hydra-1").
        message: what is wrong or missing, and what to do.
        at: the way to it in the pack as plain data: names of fields, and places in lists from 0; empty when it lies in
            no one place.
    """

    severity: Severity
    where: str
    message: str
    at: tuple[str | int, ...] = ()


def load_toml(path: Path) -> dict[str, Any]:
    """Read a pack file as plain data.

    Raises:
        BadPack: no such file, or no TOML.
    """
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadPack(f"{path} cannot be opened ({error.strerror}); expected a component pack in TOML.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadPack(f"{path} is not TOML: {error}. `companion pack template` prints a pack to start from.") from error


def playable(plain: dict[str, Any], kind: type[T], found: tuple[Finding, ...], *, what: str, clause: str) -> T:
    """The pack of a header as the game's own type; `found` are the findings about it.

    Raises:
        BadHeader: it cannot be played with.
    """
    errors = [each for each in found if each.severity is Severity.ERROR]
    if errors:
        first = f"{errors[0].where}: {errors[0].message}"
        raise BadHeader(f"The pack cannot be played with ({len(errors)} errors). {first}", clauses=(clause,))
    try:
        return parse(plain, kind, what=what)
    except BadPack as error:  # pragma: no cover - the findings have told it already
        raise BadHeader(str(error), clauses=(clause,)) from error


def unfit(plain: dict[str, Any], kind: type[Any], error: BadPack) -> tuple[Finding, ...]:
    """Findings about plain data that `parse` could not take as a pack: each place that does not fit, else `error`."""
    found = tuple(
        Finding(Severity.ERROR, place_words(plain, each.at) or "pack", each.message, each.at)
        for each in misfits(plain, kind)
    )
    return found or (Finding(Severity.ERROR, "pack", str(error)),)


def parse(plain: dict[str, Any], kind: type[T], *, what: str) -> T:
    """Turn plain pack data into the game's own pack type.

    Raises:
        BadPack: a field is missing, unknown or of the wrong type.
    """
    try:
        return from_plain(plain, kind, what=what)
    except UnreadableInput as error:
        raise BadPack(str(error)) from error
