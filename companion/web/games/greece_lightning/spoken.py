"""The race in sentences: whose turn it is and what comes next, how each player stands, what lies ahead."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import msgspec

from companion.course.words import lane_words, mark_words
from companion.web.games.greece_lightning.words import card_named
from rules.greece_lightning.components import Mark
from rules.greece_lightning.pack import STARTING_LINE, Pack
from rules.greece_lightning.wedges import Wedge
from rules.header import Header
from rules.packs import parse

if TYPE_CHECKING:
    from companion.catalogue import Catalogue

__all__ = [
    "ahead_sentences",
    "lanes_of_header",
    "race_sentences",
    "read_pack",
    "seat_sentences",
    "standing_sentences",
    "state_sentence",
    "wedges_of_header",
]

View = Mapping[str, Any]


@lru_cache(maxsize=4)
def read_pack(pack: bytes) -> tuple[dict[str, Wedge], int]:
    """The wedges of a pack in JSON and its Starting Line, by id, and how many lanes they have."""
    read = parse(msgspec.json.decode(pack), Pack, what="a Greece Lightning pack")
    return {**{each.id: each.graph for each in read.wedge}, STARTING_LINE: read.starting_line.graph}, read.lanes


def wedges_of_header(header: Header) -> dict[str, Wedge]:
    """Every wedge of the pack of a match and the Starting Line, by id."""
    return read_pack(msgspec.json.encode(header.pack))[0]


def lanes_of_header(header: Header) -> int:
    """How many paths cross the edge between two wedges of the pack of a match."""
    return read_pack(msgspec.json.encode(header.pack))[1]


def _seat(view: View, number: int) -> View:
    found: View = next(each for each in view["seats"] if each["number"] == number)
    return found


def state_sentence(view: View, header: Header, catalogue: Catalogue) -> str:
    """What the race waits for now, in one sentence."""
    if view["phase"] == "over":
        names = catalogue.listed(catalogue.seat_name(header, number) for number in view["winners"])
        return catalogue.text("race.over", name=names)
    if view["waiting"]:
        first = view["waiting"][0]
        name = catalogue.seat_name(header, first["seat"])
        card = card_named(first["card"], header) if first["card"] else ""
        return catalogue.text(f"race.waits.{first['kind']}", name=name, card=card)
    if view["phase"] == "setup":
        return catalogue.text("race.setup")
    if view["phase"] == "rolling":
        names = catalogue.listed(seat["name"] for seat in view["seats"] if not seat["finished"])
        return catalogue.text("race.rolling", round=view["round"], names=names)
    turn = view["turn"]
    mover = _seat(view, turn["seat"])
    facts = {"name": mover["name"], "left": mover["left"] or 0, "count": mover["facedown"]}
    if turn["step"] == "place":
        return catalogue.text("race.place", name=mover["name"], wedges=catalogue.listed(mover["wedges"]))
    if turn["step"] == "reveal":
        return catalogue.text("race.reveal", **facts)
    return catalogue.text("race.move" if facts["left"] else "race.end-move", **facts)


def seat_sentences(number: int, view: View, header: Header, catalogue: Catalogue) -> Iterator[str]:
    """How a player stands: where the ship is, laps, Fish, Favors, wedges, dice."""
    seat = _seat(view, number)
    yield catalogue.text("race.seat", name=seat["name"], laps=seat["laps"], fish=seat["fish"])
    if seat["fleece"]:
        yield catalogue.text("race.fleece", name=seat["name"])
    if seat["spot"] is not None:
        yield catalogue.text("race.spot", spot=_spot_words(seat["spot"], view, header, catalogue))
    if seat["favors"]:
        cards = catalogue.listed(card_named(card, header) for card in seat["favors"])
        yield catalogue.text("race.favors", cards=cards)
    if seat["facedown"]:
        yield catalogue.text("race.facedown", count=seat["facedown"])
    wedges = [*seat["wedges"], *seat["drawn"]]
    if wedges:
        yield catalogue.text("race.wedges", wedges=catalogue.listed(wedges))
    yield from _dice(seat, catalogue)


def _dice(seat: View, catalogue: Catalogue) -> Iterator[str]:
    if seat["navigation"] is None:
        return
    yield catalogue.text("race.navigation", face=seat["navigation"])
    movement = [str(face) for face in (seat["first"], seat["second"]) if face is not None]
    if seat["bust"]:
        yield catalogue.text("race.bust", faces=catalogue.listed(movement))
    elif movement:
        yield catalogue.text("race.movement", faces=catalogue.listed(movement))
    if seat["left"] is not None:
        yield catalogue.text("race.left", left=seat["left"], reach=seat["protected"])
    elif seat["total"] is not None:
        yield catalogue.text("race.total", total=seat["total"], reach=seat["protected"])


def ahead_sentences(number: int, view: View, header: Header, catalogue: Catalogue) -> Iterator[str]:
    """What lies before a ship, nearest first, and the Fish there are for it: "Hydra 3 dots ahead on your lane"."""
    seat = _seat(view, number)
    for each in seat["ahead"]:
        marks = [mark_words(Mark(mark), catalogue) for mark in each["marks"]]
        names = [catalogue.text("wedge.line")] if each["line"] else marks
        where = catalogue.text("ahead.own-lane")
        if not each["same_lane"]:
            place, dot = each["spot"]
            where = lane_words(_top(place, view, header).dot(dot), catalogue)
        yield catalogue.text("ahead.dot", names=catalogue.listed(names), count=each["movement"], where=where)
    yield catalogue.text("race.your-fish", count=seat["fish"])


def standing_sentences(view: View, header: Header, catalogue: Catalogue) -> list[str]:
    """What the race waits for, who leads, and whether this round is the last."""
    found = [state_sentence(view, header, catalogue)]
    if view["order"]:
        names = catalogue.listed(catalogue.seat_name(header, each) for each in view["order"])
        found.append(catalogue.text("race.order", names=names))
    if view["ending"] and view["phase"] != "over":
        found.append(catalogue.text("race.ending"))
    return found


def race_sentences(view: View, header: Header, catalogue: Catalogue, number: int | None = None) -> list[str]:
    """The race read aloud: how it stands, then one player or all of them, and what lies ahead of one."""
    found = standing_sentences(view, header, catalogue)
    for seat in view["seats"]:
        if number in (None, seat["number"]):
            found += seat_sentences(seat["number"], view, header, catalogue)
    if number is not None and _seat(view, number)["spot"] is not None:
        found += ahead_sentences(number, view, header, catalogue)
    return found


def _top(place: int, view: View, header: Header) -> Wedge:
    return wedges_of_header(header)[view["course"][place - 1]["wedge"]]


def _spot_words(spot: Sequence[Any], view: View, header: Header, catalogue: Catalogue) -> str:
    place, dot = spot
    where = lane_words(_top(place, view, header).dot(dot), catalogue)
    key = "spot.line" if place == view["line"] else "spot.wedge"
    return catalogue.text(key, place=place, dot=dot, where=where)
