"""What the camera shows at this moment: dice, what is odd, how the camera is. Nothing of it is in the record."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from companion.live.interpreter import Notice, Seen, SeenDie
from companion.live.view import CameraHealth, dice_by_seat
from device.clock import NS_PER_S
from device.frames import Frame
from vision.tracking.happenings import Watched

__all__ = ["Onlooker", "PrivateLook", "Reason", "Sight"]

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


class Onlooker(Protocol):
    """Who is shown every frame, in the camera's thread: the frame, what the tracker made of it, and the game's eyes."""

    def __call__(self, frame: Frame, watched: Watched, seen: Seen) -> None: ...


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
        self._onlookers: list[Onlooker] = []
        self._lasting: dict[str, Notice] = {}

    def show_frames_to(self, onlooker: Onlooker) -> None:
        """Show somebody every frame from now on that all may see."""
        self._onlookers.append(onlooker)

    def frame(self, frame: Frame, watched: Watched, seen: Seen) -> None:
        """Hand a frame that all may see to the onlookers. Raises what they raise."""
        for onlooker in self._onlookers:
            onlooker(frame, watched, seen)

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

    def remark(self, notice: Notice) -> None:
        """Show a notice on every screen until the table closes, in the place of an earlier one with the same code."""
        with self._guard:
            self._lasting[notice.code] = notice

    def now(self) -> tuple[tuple[SeenDie, ...], tuple[Notice, ...], CameraHealth]:
        """Dice, notices and health, all of one moment."""
        with self._guard:
            return self._dice, (*self._lasting.values(), *self._notices), self._health

    def plain(self) -> dict[str, Any]:
        """The dice as the camera has them, by seat, the camera's health, and what is odd."""
        dice, notices, health = self.now()
        return {
            "seats": dice_by_seat(dice),
            "camera": health.plain(),
            "notices": [notice.plain() for notice in notices],
        }
