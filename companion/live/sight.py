"""What the camera shows at this moment: dice, what is odd, how the camera is. Nothing of it is in the record."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

from companion.live.interpreter import Notice, SeenDie
from companion.live.view import CameraHealth, dice_by_seat
from device.clock import NS_PER_S

__all__ = ["PrivateLook", "Reason", "Sight"]

Reason = Literal["no-camera", "no-nook", "nothing", "unreadable", "several"]

TOLD_EVERY_NS = NS_PER_S // 5


@dataclass(frozen=True, slots=True)
class PrivateLook:
    """What a private look found: the card's id, or the reason why there is none. It prints without the card."""

    card: str | None = field(default=None, repr=False)
    reason: Reason | None = field(default=None, repr=False)


def _no_camera(seat: int) -> PrivateLook:
    """The look at a table that nothing watches."""
    return PrivateLook(reason="no-camera")


class Sight:
    """Kept by the table for its camera; every method may be called from any thread.

    Attributes:
        picture: gives the newest public picture as JPEG and its reading; None without one.
        private: reads the card in the shielded nook of a seat, for that seat alone.
    """

    def __init__(self) -> None:
        self.picture: Callable[[], tuple[bytes, Any] | None] = lambda: None
        self.private: Callable[[int], PrivateLook] = _no_camera
        self._guard = threading.Lock()
        self._health = CameraHealth()
        self._dice: tuple[SeenDie, ...] = ()
        self._notices: tuple[Notice, ...] = ()
        self._told_ns: int | None = None

    def show(
        self, dice: tuple[SeenDie, ...], notices: tuple[Notice, ...], health: CameraHealth, now_ns: int
    ) -> tuple[bool, bool]:
        """Take in what the camera sees; gives whether it went blind just now, and whether listeners are to be told."""
        with self._guard:
            turned = health.state != self._health.state
            self._dice, self._notices, self._health = dice, notices, health
            if not turned and self._told_ns is not None and now_ns - self._told_ns < TOLD_EVERY_NS:
                return False, False
            self._told_ns = now_ns
        return turned and health.state != "watching", True

    def now(self) -> tuple[tuple[SeenDie, ...], tuple[Notice, ...], CameraHealth]:
        """Dice, notices and health, all of one moment."""
        with self._guard:
            return self._dice, self._notices, self._health

    def plain(self) -> dict[str, Any]:
        """The dice as the camera has them, by seat, the camera's health, and what is odd."""
        dice, notices, health = self.now()
        return {
            "seats": dice_by_seat(dice),
            "camera": health.plain(),
            "notices": [notice.plain() for notice in notices],
        }
