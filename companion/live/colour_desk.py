"""The colours of the seats' dice at a live table: learned when they are shown, kept, used, and asked for again."""

from __future__ import annotations

import json
import logging
import threading
from collections import deque
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from companion.live.colour_showing import Learned, Showing, ShownDie, names_of, too_alike
from companion.live.interpreter import Notice
from companion.lock import write_durably
from rules.header import Header, Seat
from vision.seat_colours import DieColour, Lights, SeatColour, Whose, lights_for, whose

__all__ = ["COLOURS_NAME", "ColourDesk"]

COLOURS_NAME: Final = "seat-colours.json"
VERSION: Final = 1
DRIFT_NS: Final = 3_000_000_000
"""Dice that fit no seat for so long mean that the light has changed."""
DRIFT_DICE: Final = 3
DRIFT_SHARE: Final = 1 / 3
LIGHT_NS: Final = 2_000_000_000
"""Where no paper tells the light, the dice are asked for it so often."""
TOLD_NS: Final = 4_000_000_000
"""What was just learned is told for so long."""

White = tuple[float, float, float] | None

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _News:
    notice: Notice
    until_ns: int


class ColourDesk:
    """Knows whose dice have which colours. Every method may be called from any thread."""

    def __init__(self, directory: Path, header: Header) -> None:
        """`directory` keeps what is learned; what is kept there of the same seats holds at once."""
        self._directory = directory
        self._guard = threading.RLock()
        self._seats: tuple[Seat, ...] = ()
        self._known: dict[int, Learned] = {}
        self._showing: Showing | None = None
        self._news: deque[_News] = deque(maxlen=4)
        self._lights: tuple[Lights, White, int] | None = None
        self._odd_since_ns: int | None = None
        self._drifted = False
        self._alike: list[Notice] = []
        self._white: White = None
        self.sit(header)

    def sit(self, header: Header) -> None:
        """Take the seats of a match: what is learned of the same people with the same dice goes on."""
        with self._guard:
            self._seats = header.seats
            self._showing = None
            self._news.clear()
            self._take(_kept(self._directory / COLOURS_NAME, header.seats))

    @property
    def ready(self) -> bool:
        """True when the dice of every seat are learned, so that colours are not told by their names any more."""
        with self._guard:
            return bool(self._seats) and len(self._known) == len(self._seats)

    @property
    def showing(self) -> bool:
        """True while seats are asked to show their dice."""
        with self._guard:
            return self._showing is not None

    @property
    def asked(self) -> int | None:
        """The seat that is to show its dice now."""
        with self._guard:
            return None if self._showing is None else self._showing.asked

    def begin(self, seats: Sequence[int] = ()) -> None:
        """Ask these seats, or all, one after another, to show their dice; the others stay as they are learned."""
        with self._guard:
            numbers = [seat.number for seat in self._seats]
            ask = [number for number in numbers if number in seats] or numbers
            self._showing = Showing(self._seats, ask, self._known)
            self._news.clear()
            self._drifted = False

    def stop(self) -> None:
        """Ask no more; what was learned stays, before the showing and in it."""
        with self._guard:
            self._showing = None

    def forget(self) -> None:
        """Tell dice by the names of their colours again, as if none had been shown."""
        with self._guard:
            self._showing = None
            self._take({})
            self._keep()

    def look(self, dice: Sequence[ShownDie], white: White, now_ns: int) -> None:
        """Take in one look at the table while dice are shown."""
        with self._guard:
            if self._showing is None:
                return
            asked = self._showing.asked
            if self._showing.look(dice, white, now_ns) and asked is not None:
                self._take({**self._known, **self._showing.learned}, white)
                self._keep()
                self._tell(_learned(self._seats, asked, self._known[asked]), now_ns)
                if self._showing.asked is None:
                    self._showing = None
                    if not self._alike:
                        done = "All dice are known by their colours now."
                        self._tell(Notice("notice.colours-done", (), done), now_ns)

    def whose(self, dice: Sequence[DieColour], white: White, now_ns: int) -> list[Whose]:
        """Whose each of the dice is; nobody's while not every seat is learned."""
        with self._guard:
            if not self.ready:
                return [Whose(None, 0.0, "unsure")] * len(dice)
            seats = {number: each.colour for number, each in self._known.items()}
            if self._lights is None or self._lights[1] != white or now_ns - self._lights[2] >= LIGHT_NS:
                self._lights = (lights_for(seats, dice, white), white, now_ns)
                self._see_alike(white)
            pairs = [(_fact(each, "seat"), _fact(each, "elsewhere")) for each in self._alike]
            found = whose(dice, seats, self._lights[0], pairs)
            self._watch_light(found, now_ns)
            return found

    def notices(self, now_ns: int) -> list[Notice]:
        """What people are to be told now."""
        with self._guard:
            found = [each.notice for each in self._news if now_ns < each.until_ns]
            if self._showing is not None:
                request = self._showing.problem or self._showing.request()
                found.extend([request] if request is not None else [])
            elif self._drifted:
                text = "The dice do not have the colours that were learned: the light has changed. Show them again."
                found.append(Notice("notice.colours-drifted", (), text))
            return found + self._alike

    def plain(self) -> dict[str, Any]:
        """How far it is, for the screens."""
        with self._guard:
            showing = self._showing
            known = self._known if showing is None else showing.learned
            return {
                "ready": self.ready,
                "showing": showing is not None,
                "asked": None if showing is None else showing.asked,
                "count": 0 if showing is None else showing.count,
                "drifted": self._drifted,
                "paper": self._white is not None,
                "seats": [self._plain_seat(seat, known.get(seat.number)) for seat in self._seats],
            }

    def _plain_seat(self, seat: Seat, known: Learned | None) -> dict[str, Any]:
        pairs = [{_fact(each, "seat"), _fact(each, "elsewhere")} for each in self._alike]
        state = "unknown"
        if self._showing is not None and seat.number in self._showing.waiting:
            state = "asked" if seat.number == self._showing.asked else "waiting"
        elif known is not None:
            state = "learned"
        return {
            "seat": seat.number,
            "state": state,
            "body": None if known is None else known.body,
            "pips": None if known is None else known.pips,
            "alike": sorted(other for pair in pairs if seat.number in pair for other in pair - {seat.number}),
        }

    def _take(self, known: dict[int, Learned], white: White = None) -> None:
        self._known = known
        self._lights = None
        self._odd_since_ns, self._drifted = None, False
        self._see_alike(white)

    def _see_alike(self, white: White) -> None:
        self._white = white or next((each.colour.white_bgr for each in self._known.values()), None)
        self._alike = too_alike(self._seats, self._known, white)

    def _watch_light(self, found: Sequence[Whose], now_ns: int) -> None:
        """Many dice that are nobody's, for long, are not strangers but known dice in another light."""
        odd = sum(each.seat is None and each.why != "alike" for each in found)
        if odd < DRIFT_DICE or odd < DRIFT_SHARE * len(found):
            self._odd_since_ns, self._drifted = None, False
        elif self._odd_since_ns is None:
            self._odd_since_ns = now_ns
        elif now_ns - self._odd_since_ns >= DRIFT_NS:
            self._drifted = True

    def _tell(self, notice: Notice, now_ns: int) -> None:
        self._news.append(_News(notice, now_ns + TOLD_NS))

    def _keep(self) -> None:
        seats = [
            {"number": seat.number, "name": seat.name, "colour": seat.colour, **asdict(self._known[seat.number].colour)}
            for seat in self._seats
            if seat.number in self._known
        ]
        content = json.dumps({"version": VERSION, "seats": seats}, indent=1).encode()
        try:
            write_durably(self._directory, COLOURS_NAME, content)
        except OSError as error:
            log.error("The colours of the dice could not be kept: %s", error)


def _fact(notice: Notice, name: str) -> int:
    value = dict(notice.facts)[name]
    assert isinstance(value, int)
    return value


def _learned(seats: Sequence[Seat], number: int, known: Learned) -> Notice:
    name = next(seat.name for seat in seats if seat.number == number)
    text = f"{name}, your dice are known: {known.body} with {known.pips} pips."
    facts = (("seat", number), ("colour", known.body), ("pip_colour", known.pips))
    return Notice("notice.colours-learned", facts, text)


def _kept(path: Path, seats: Sequence[Seat]) -> dict[int, Learned]:
    """What is kept of these very seats; nothing when the file is not there or cannot be understood."""
    try:
        data = json.loads(path.read_bytes())
        if data["version"] != VERSION:
            return {}
        found = {(each["number"], each["name"], each["colour"]): _colour(each) for each in data["seats"]}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, KeyError, TypeError) as error:
        log.warning("The colours kept in %s cannot be used (%s); let the dice be shown again.", path, error)
        return {}
    kept = {}
    for seat in seats:
        colour = found.get((seat.number, seat.name, seat.colour))
        if colour is not None:
            kept[seat.number] = Learned(colour, *names_of(colour))
    return kept


def _colour(data: dict[str, Any]) -> SeatColour:
    white = data["white_bgr"]
    return SeatColour(_three(data["body"]), _three(data["pips"]), None if white is None else _three(white))


def _three(values: Sequence[Any]) -> tuple[float, float, float]:
    b, g, r = (float(value) for value in values)
    return (b, g, r)
