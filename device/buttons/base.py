"""A press and the protocol of everything that gives presses."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal, Protocol, runtime_checkable

from device.errors import ButtonPinError

__all__ = [
    "BUTTONS",
    "JUDGE_SEAT",
    "MORE_BUTTONS",
    "ButtonTrouble",
    "Buttons",
    "OnPress",
    "OnTrouble",
    "Press",
    "checked_button",
    "deliver",
    "tell_trouble",
]

BUTTONS: Final = ("claim", "call", "flip", "uphold", "overrule")
"""claim and call belong to a seat; flip, uphold and overrule to the judge. What they mean is the game's."""

MORE_BUTTONS: Final = ("switch", "hush")
"""switch is a seat's only button: what it means, the game says by what lies there. hush silences the voice."""

JUDGE_SEAT: Final = 0
"""The seat number of the judge's box; players are 1, 2, …"""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, order=False)
class Press:
    """One press of one button.

    `edge_ns` is the monotonic time of the first edge, comparable with a frame's `exposure_start_ns`;
    `kernel_timed` says whether the kernel stamped it (fit to decide a race) or a program did.
    """

    seat: int
    button: str
    edge_ns: int
    source: str
    kernel_timed: bool


OnPress = Callable[[Press], None]


@dataclass(frozen=True, slots=True)
class ButtonTrouble:
    """Something wrong with buttons or their wires, for people to put right; presses count all the same.

    Attributes:
        kind: "spike" (closed too short for a press, as a long wire near a lamp picks up), "chatter" (does not settle:
            a bad contact), "stuck" (down for ten seconds), "together" (two lines within 0.2 ms: crosstalk, or one
            wire touching another), "clock" (edges are stamped by another clock), "gone" (the device was unplugged).
        buttons: which ones, as (seat, button).
        at_ns: when it began, monotonic.
    """

    kind: Literal["spike", "chatter", "stuck", "together", "clock", "gone"]
    buttons: tuple[tuple[int, str], ...]
    at_ns: int


OnTrouble = Callable[[ButtonTrouble], None]


@runtime_checkable
class Buttons(Protocol):
    """A source of presses. The callback may come from any thread and must only enqueue."""

    def start(self, on_press: OnPress) -> None:
        """Give every press from now on to `on_press`. Starting twice replaces the callback."""
        ...

    def stop(self) -> None:
        """Give no more presses. Stopping twice is harmless."""
        ...


def checked_button(seat: int, button: str) -> None:
    """Raise ButtonPinError unless `button` is one of BUTTONS or MORE_BUTTONS and `seat` is 0 (judge) or more."""
    known = (*BUTTONS, *MORE_BUTTONS)
    if button not in known:
        raise ButtonPinError(f"there is no button {button!r}; the buttons are {', '.join(known)}")
    if seat < JUDGE_SEAT:
        raise ButtonPinError(f"there is no seat {seat}; seats are 1, 2, … and {JUDGE_SEAT} for the judge")


def deliver(on_press: OnPress | None, press: Press) -> None:
    """Hand `press` over; an exception of the callback is logged and never stops the buttons."""
    if on_press is None:
        return
    try:
        on_press(press)
    except Exception:
        log.exception("the callback failed on a press: %s", press)


def tell_trouble(on_trouble: OnTrouble | None, trouble: ButtonTrouble) -> None:
    """Hand `trouble` over; without a listener, or when that fails, it is logged."""
    log.info("button trouble: %s", trouble)
    if on_trouble is None:
        return
    try:
        on_trouble(trouble)
    except Exception:
        log.exception("the callback failed on a trouble: %s", trouble)
