"""The pin map: which pin of the 40-pin header is which button, lamp or buzzer, read from one file.

`pins.toml` beside this module is the map that everything uses: the live table, `companion pins`, the wiring diagram
and the labels. Numbers are BCM numbers; `HEADER` tells where on the header each of them is.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final, Literal

from device.buttons.base import BUTTONS, JUDGE_SEAT, MORE_BUTTONS
from device.errors import ButtonPinError

__all__ = [
    "DEFAULT_PIN_FILE",
    "GROUND_PINS",
    "HEADER",
    "HEADER_PLACES",
    "JUDGE_LAMPS",
    "HeaderPin",
    "PinPlan",
    "PinUse",
    "load_pins",
]

DEFAULT_PIN_FILE: Final = Path(__file__).with_name("pins.toml")
"""The map that comes along."""

JUDGE_LAMPS: Final = ("good", "bad")
"""The two lamps on the judge's box: the last ruling was good, or bad."""

SEAT_BUTTONS: Final = ("claim", "call")
JUDGE_BUTTONS: Final = tuple(button for button in BUTTONS if button not in SEAT_BUTTONS)
MOST_SEATS: Final = 8

HeaderKind = Literal["3V3", "5V", "ground", "gpio", "id"]
"""What a place on the header carries; "id" are the two pins of an add-on board's identity chip."""


@dataclass(frozen=True, slots=True)
class HeaderPin:
    """One place on the 40-pin header: `place` 1 to 40, what it carries, and its BCM number where it has one."""

    place: int
    kind: HeaderKind
    bcm: int | None = None


# Raspberry Pi documentation, "GPIO and the 40-pin header": odd places 1, 3, …, 39, then even ones 2, 4, …, 40.
_ODD: Final = ("3V3", 2, 3, 4, "G", 17, 27, 22, "3V3", 10, 9, 11, "G", 0, 5, 6, 13, 19, 26, "G")
_EVEN: Final = ("5V", "5V", "G", 14, 15, 18, "G", 23, 24, "G", 25, 8, 7, 1, "G", 12, "G", 16, 20, 21)
_ID_PINS: Final = frozenset({0, 1})


def _header() -> tuple[HeaderPin, ...]:
    pins = []
    for first_place, column in ((1, _ODD), (2, _EVEN)):
        for row, what in enumerate(column):
            place = first_place + 2 * row
            if isinstance(what, int):
                pins.append(HeaderPin(place, "id" if what in _ID_PINS else "gpio", what))
            else:
                kind: HeaderKind = "ground" if what == "G" else "3V3" if what == "3V3" else "5V"
                pins.append(HeaderPin(place, kind))
    return tuple(sorted(pins, key=lambda pin: pin.place))


HEADER: Final = _header()
"""The 40 places of the header of every Raspberry Pi since the B+, by place."""

HEADER_PLACES: Final[Mapping[int, int]] = {pin.bcm: pin.place for pin in HEADER if pin.bcm is not None}
"""BCM number to place on the header."""

GROUND_PINS: Final = tuple(pin.place for pin in HEADER if pin.kind == "ground")
"""The places on the header that are ground; any of them will do."""

_USABLE: Final = frozenset(pin.bcm for pin in HEADER if pin.kind == "gpio" and pin.bcm is not None)


@dataclass(frozen=True, slots=True)
class PinUse:
    """What one pin is for.

    Attributes:
        bcm: its BCM number.
        seat: whose box it belongs to; 0 is the judge's; None for the buzzer, which is everybody's.
        what: "claim", "call", "flip", "uphold", "overrule", "switch", "hush" (buttons), "lamp", "good", "bad" (lamps)
            or "buzzer".
    """

    bcm: int
    seat: int | None
    what: str

    @property
    def place(self) -> int:
        """Where on the header it is, 1 to 40."""
        return HEADER_PLACES[self.bcm]

    @property
    def kind(self) -> Literal["button", "lamp", "buzzer"]:
        """What sort of thing hangs on it: a button is an input, the others are outputs."""
        if self.what in (*BUTTONS, *MORE_BUTTONS):
            return "button"
        return "buzzer" if self.what == "buzzer" else "lamp"


@dataclass(frozen=True)
class PinPlan:
    """A whole pin map: `uses` in the order of the boxes (judge last, then the buzzer), `free` kept for others.

    `source` names the file, for messages.
    """

    uses: tuple[PinUse, ...]
    free: Mapping[int, str]
    source: str

    @cached_property
    def buttons(self) -> dict[int, tuple[int, str]]:
        """BCM number to (seat, button), as `GpioButtons` takes it."""
        return {use.bcm: (use.seat, use.what) for use in self.uses if use.kind == "button" and use.seat is not None}

    @cached_property
    def lamps(self) -> dict[tuple[int, str], int]:
        """(seat, "lamp") of each player's lamp and (0, "good"), (0, "bad") of the judge's, to BCM number."""
        return {(use.seat, use.what): use.bcm for use in self.uses if use.kind == "lamp" and use.seat is not None}

    @cached_property
    def buzzer(self) -> int | None:
        """BCM number of the buzzer; None when there is none."""
        return next((use.bcm for use in self.uses if use.kind == "buzzer"), None)

    @property
    def seats(self) -> tuple[int, ...]:
        """The players' seats that have something on a pin, in order."""
        return tuple(sorted({use.seat for use in self.uses if use.seat}))

    def of_seats(self, seats: set[int]) -> PinPlan:
        """Only what belongs to these seats, and the buzzer; seat 0 is the judge."""
        kept = tuple(use for use in self.uses if use.seat is None or use.seat in seats)
        return PinPlan(kept, self.free, self.source)


def load_pins(path: str | Path | None = None) -> PinPlan:
    """The pin map of a file, or the one that comes along.

    Raises ButtonPinError when the file cannot be read, names something that is not known, or uses a pin twice, one
    that the header does not have, or one that is kept free.
    """
    file = DEFAULT_PIN_FILE if path is None else Path(path)
    try:
        plain = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise ButtonPinError(
            f"the pin map {file} cannot be read ({error.strerror}); expected a file like the one that "
            "'companion pins --toml' prints"
        ) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ButtonPinError(
            f"the pin map {file} is not TOML ({error}); compare it with what 'companion pins --toml' prints"
        ) from error
    return _checked(plain, str(file))


def _checked(plain: Mapping[str, Any], source: str) -> PinPlan:
    def wrong(text: str) -> ButtonPinError:
        return ButtonPinError(f"{source}: {text}")

    unknown = sorted(set(plain) - {"seat", "judge", "sound", "free"})
    if unknown:
        raise wrong(f"[{unknown[0]}] is not known; expected [seat.1] and so on, [judge], [sound], [free]")
    free = {}
    for number, why in _table(plain, "free", wrong).items():
        if not number.isdecimal() or int(number) not in HEADER_PLACES:
            raise wrong(f"{number} under [free] is no BCM number; expected 0 to 27")
        free[int(number)] = str(why)
    uses: list[PinUse] = []

    def take(section: str, seat: int | None, known: tuple[str, ...]) -> None:
        table = _table(plain if section.partition(".")[0] != "seat" else plain["seat"], section.split(".")[-1], wrong)
        for what in table:
            if what not in known:
                raise wrong(f"{what!r} under [{section}] is not known; expected {', '.join(known)}")
        uses.extend(PinUse(_number(table[what], section, what, wrong), seat, what) for what in known if what in table)

    seats = _table(plain, "seat", wrong)
    for name in seats:
        if not name.isdecimal() or not 1 <= int(name) <= MOST_SEATS:
            raise wrong(f"[seat.{name}] is no seat; expected 1 to {MOST_SEATS}")
    for name in sorted(seats, key=int):
        take(f"seat.{name}", int(name), (*SEAT_BUTTONS, *MORE_BUTTONS, "lamp"))
    take("judge", JUDGE_SEAT, (*JUDGE_BUTTONS, "hush", *JUDGE_LAMPS))
    take("sound", None, ("buzzer",))
    taken: dict[int, PinUse] = {}
    for use in uses:
        if use.bcm in free:
            raise wrong(f"pin {use.bcm} is kept free for {free[use.bcm]}; choose another for {_name(use)}")
        if use.bcm in taken:
            raise wrong(f"pin {use.bcm} is both {_name(taken[use.bcm])} and {_name(use)}; give each its own")
        taken[use.bcm] = use
    return PinPlan(tuple(uses), free, source)


def _table(plain: Mapping[str, Any], name: str, wrong: Any) -> Mapping[str, Any]:
    table = plain.get(name, {})
    if not isinstance(table, Mapping):
        raise wrong(f"{name!r} is not a section; write [{name}] and below it one line a pin")
    return table


def _number(value: object, section: str, what: str, wrong: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value not in _USABLE:
        raise wrong(f"{what} under [{section}] is {value!r}; expected a BCM number from 2 to 27, as in {what} = 17")
    return value


def _name(use: PinUse) -> str:
    if use.seat is None:
        return f"the {use.what}"
    return f"{use.what} of {'the judge' if use.seat == JUDGE_SEAT else f'seat {use.seat}'}"
