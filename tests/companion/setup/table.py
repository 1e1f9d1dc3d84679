"""A table to set up: a camera on a mast that people move as they are told, and a voice that takes its time."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.catalogue import Catalogue
from companion.settings import TableSettings
from companion.setup.session import Session
from companion.setup.talk import Script, Talk
from device.clock import NS_PER_S, ManualClock
from device.frames import Frame
from device.simulated import SimulatedTable

PX_PER_CM = 18.0
"""Of the simulated table's picture, about."""


class Voice:
    """Says sentences as fast as people speak, on the clock; whoever hears one acts on it when it is over."""

    def __init__(self, clock: ManualClock, hears: Callable[[str], None] = lambda text: None) -> None:
        self.said: list[str] = []
        self.rate, self.volume = 165, 100
        self._clock = clock
        self._hears = hears

    def say(self, text: str, *, language: str, keep: bool = False) -> None:
        self.said.append(text)
        self._clock.advance(round(len(text.split()) / self.rate * 60 * NS_PER_S))
        self._hears(text)

    def set_rate(self, words_per_minute: int) -> None:
        self.rate = words_per_minute

    def set_volume(self, percent: int) -> None:
        self.volume = percent

    def stop(self) -> None:
        pass

    def close(self) -> None:
        pass


@dataclass
class Mast:
    """Where the camera stands against where it should, in cm, how far up, and how it is turned."""

    right_cm: float = 0.0
    near_cm: float = 0.0
    height: float = 1.0
    turned_deg: float = 0.0
    moves: list[str] = field(default_factory=list)

    def seen(self, image: np.ndarray) -> np.ndarray:
        """A well framed picture as it looks from here."""
        height, width = image.shape[:2]
        move = cv2.getRotationMatrix2D((width / 2, height / 2), self.turned_deg, 1 / self.height)
        move[:, 2] -= (self.right_cm * PX_PER_CM, self.near_cm * PX_PER_CM)
        return cv2.warpAffine(image, move, (width, height), borderMode=cv2.BORDER_REPLICATE)

    def obey(self, text: str) -> None:
        """Do what is said, as somebody does who sees nothing."""
        self.moves.append(text)
        moved = re.search(r"(left|right|away from you|towards you), (\d+) centimetres", text)
        if moved:
            cm = int(moved[2])
            self.right_cm += {"left": -cm, "right": cm}.get(moved[1], 0)
            self.near_cm += {"away from you": -cm, "towards you": cm}.get(moved[1], 0)
        elif text.startswith(("Raise", "I see no corner of the table")):
            self.height *= 1.15
        elif text.startswith("Lower"):
            self.height /= 1.15
        elif text.startswith("I do not see the marker"):  # it is bare
            self.height *= 1.05
        elif "upside down" in text:
            self.turned_deg = 0


class MastCamera:
    """A camera that gives what `picture` shows now, every so often by the clock."""

    def __init__(self, clock: ManualClock, picture: Callable[[], np.ndarray], period_s: float = 0.5) -> None:
        self._period_ns = round(period_s * NS_PER_S)
        self._clock = clock
        self._picture = picture
        self._number = 0
        self.closed = False

    @property
    def ended(self) -> bool:
        return False

    def latest(self, *, exposed_after_ns: int = 0, timeout_s: float) -> Frame:
        self._clock.advance(self._period_ns)
        self._number += 1
        return Frame(self._picture(), self._clock.now_ns(), self._number, "mast")

    def open(self) -> None:
        self.closed = False

    def close(self) -> None:
        self.closed = True

    def describe(self) -> str:
        return "a camera on a mast"

    def __enter__(self) -> MastCamera:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def session(
    tmp_path: Path,
    camera: Callable[[str, Mapping[str, float]], Any],
    *,
    clock: ManualClock,
    voice: Voice | None = None,
    typed: Any = None,
    **more: Any,
) -> tuple[Session, list[str]]:
    """A session whose sentences are collected in the list, and said by `voice`."""
    shown: list[str] = []
    talk = Talk(Catalogue(more.pop("language", "en")), typed or Script(), speaker=voice, show=shown.append)
    settings = more.pop("settings", TableSettings())
    made = Session(settings, talk, clock, tmp_path, camera, camera_specs=("usb:0",), **more)
    return made, shown


_DRAWN: dict[int, np.ndarray] = {}


def good_picture(seed: int = 3) -> np.ndarray:
    """A well framed table with the dice of four seats, drawn once."""
    if seed not in _DRAWN:
        _DRAWN[seed] = SimulatedTable(ManualClock(), 4, seed=seed).frame().image_bgr
    return _DRAWN[seed]
