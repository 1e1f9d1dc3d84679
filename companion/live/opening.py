"""Opening a table: which match to go on with, or a new one as asked for."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from math import isfinite
from typing import Any

import msgspec

from companion.errors import BadInput, MatchBroken
from companion.live.areas import Rect
from companion.store import Store, StoredMatch
from companion.wall import wall_label
from rules.errors import RulesError
from rules.games import game_named, new_match
from rules.header import Header, Seat

__all__ = [
    "DEMO_PREFIX",
    "DEMO_SEATS",
    "ROLE_SEATS",
    "Wanted",
    "new_header",
    "open_match",
    "parse_nooks",
    "parse_options",
    "parse_seats",
    "same_again",
]

DEMO_PREFIX = "demo-"
"""Matches of the simulated table begin so; they are never taken for one of people's."""

DEMO_SEATS = (Seat(1, "Ann", "red"), Seat(2, "Ben", "blue"), Seat(3, "Cleo", "green"), Seat(4, "Dan", "yellow"))
ROLE_SEATS = {"thunder-and-lightning": (Seat(1, "Ann", "red"), Seat(2, "Ben", "blue"))}
"""Who plays when nobody is named, in games where each player plays somebody."""
COLOURS = ("red", "blue", "green", "yellow", "white", "black")
COLOUR_NAMES = frozenset({*COLOURS, "grey", "orange", "purple", "pink", "brown"})


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the command line asks for."""

    game: str
    seats: tuple[Seat, ...] | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    pack: Mapping[str, Any] | None = None
    judge: str | None = None
    simulated: bool = False
    fresh: bool = False


def parse_seats(text: str) -> tuple[Seat, ...]:
    """Seats in seating order from "Ann:red,Ben:blue"; colours may be left out.

    Raises:
        BadInput: a name or colour is missing, unknown or used twice.
    """
    seats: list[Seat] = []
    for number, part in enumerate(text.split(","), start=1):
        name, _, colour = (each.strip() for each in part.partition(":"))
        colour = colour.lower() or next((each for each in COLOURS if each not in {s.colour for s in seats}), "")
        if not name:
            raise BadInput(f'Seat {number} of "{text}" has no name; expected something like Ann:red,Ben:blue.')
        if colour not in COLOUR_NAMES:
            known = ", ".join(sorted(COLOUR_NAMES))
            raise BadInput(f"{name} has dice of an unknown colour {colour!r}; expected one of: {known}.")
        if any(seat.colour == colour for seat in seats):
            raise BadInput(f"Two seats have {colour} dice; give each seat a colour of its own.")
        if any(seat.name == name for seat in seats):
            raise BadInput(f"Two seats are called {name}; give each a name of its own.")
        seats.append(Seat(number, name, colour))
    return tuple(seats)


def parse_options(given: Sequence[str]) -> dict[str, Any]:
    """Match options from "name=value" texts; a value is read as JSON where it is any, else as it stands.

    Raises:
        BadInput: there is no "=".
    """
    options: dict[str, Any] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise BadInput(f'"{text}" is no option; expected name=value, as in --option tie_ms=20.')
        try:
            options[name.strip().replace("-", "_")] = msgspec.json.decode(value)
        except msgspec.DecodeError:
            options[name.strip().replace("-", "_")] = value
    return options


def parse_nooks(given: Sequence[str]) -> dict[int, Rect]:
    """Each seat's nook from texts such as "1:60,20,150,150": seat, left and far edge, width and depth, in mm.

    Raises:
        BadInput: it is no such text, has no area, or names a seat twice.
    """
    nooks: dict[int, Rect] = {}
    for text in given:
        seat, _, rest = text.partition(":")
        try:
            x, y, width, depth = (float(part) for part in rest.split(","))
            number = int(seat)
        except ValueError:
            raise BadInput(f'"{text}" is no nook; expected SEAT:X,Y,WIDTH,DEPTH in mm, as in 1:60,20,150,150') from None
        if not (width > 0 and depth > 0 and all(isfinite(each) for each in (x, y, width, depth))):
            raise BadInput(f'The nook "{text}" has no area; width and depth are numbers above 0, in mm.')
        if number in nooks:
            raise BadInput(f"Seat {number} has two nooks; give each seat one.")
        nooks[number] = Rect(x, y, x + width, y + depth)
    return nooks


def new_header(wanted: Wanted) -> Header:
    """The header of a new match.

    Raises:
        BadHeader: it breaks a rule of set-up.
        UnknownGame: there is no such game.
    """
    game = game_named(wanted.game)
    now = datetime.now(UTC)
    identity = f"{now:%Y%m%d-%H%M%S}-{secrets.token_hex(2)}"
    seats = wanted.seats or ROLE_SEATS.get(wanted.game, DEMO_SEATS)
    pack = dict(wanted.pack) if wanted.pack is not None else game.default_pack()
    return game.new_header(
        (DEMO_PREFIX if wanted.simulated else "") + identity,
        seats,
        dict(wanted.options),
        pack,
        wanted.judge,
        wall_label("seconds"),
    )


def same_again(wanted: Wanted, played: Header) -> Header:
    """The header of another match like the one played: the same seats, options and pack."""
    return new_header(replace(wanted, seats=played.seats, options=played.options, pack=played.pack))


def open_match(store: Store, wanted: Wanted) -> tuple[StoredMatch, list[str]]:
    """The last unfinished match of the store that is as wanted, or a new one; and what people should hear about it.

    Raises:
        BadHeader: a new match would break a rule of set-up.
        StoreFailed: it could not be written.
    """
    notices: list[str] = []
    if not wanted.fresh:
        for row in store.matches():
            if row.ended or row.game != wanted.game or row.id.startswith(DEMO_PREFIX) != wanted.simulated:
                continue
            try:
                stored = store.load(row.id)
            except (MatchBroken, RulesError) as error:
                notices.append(str(error))
                continue
            if _fits(stored.match.header, wanted) and stored.match.result() is None:
                return stored, notices
            break  # only the newest: an older one was left behind on purpose
    header = new_header(wanted)
    match = new_match(header)
    digest = store.create(header)
    return StoredMatch(match, digest, None), notices


def _fits(header: Header, wanted: Wanted) -> bool:
    """True when everything that was asked for by name holds for this match."""
    if wanted.seats is not None and header.seats != wanted.seats:
        return False
    if wanted.judge is not None and header.judge != wanted.judge:
        return False
    if wanted.pack is not None and header.pack != dict(wanted.pack):
        return False
    return all(header.options.get(name) == value for name, value in wanted.options.items())
