"""Learning which key of an arcade encoder, foot switch or keyboard is which button, by having each pressed once."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

__all__ = ["KEYS_NAME", "Heard", "Key", "KeyLearning", "stable_path"]

KEYS_NAME: Final = "keys.toml"
"""The key map, beside the settings in the data directory."""
_ANSWERS: Final = frozenset({"KEY_ENTER", "KEY_KPENTER"})
"""Keys that answer the set-up itself and are no buttons."""


LINKS: Final = Path("/dev/input/by-path")
"""Names of input devices by the socket that they are plugged into, which stay the same from start to start."""


class Heard(Protocol):
    """A key that went down: the device's name and path, and the key's name."""

    @property
    def device(self) -> str: ...

    @property
    def path(self) -> str: ...

    @property
    def key(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Key:
    """One key of one device."""

    device: str
    path: str
    name: str


def stable_path(path: str, links: Path = LINKS) -> str:
    """The name by socket of a device such as /dev/input/event5, whose number may be another one tomorrow."""
    for link in sorted(links.glob("*")):
        if link.resolve() == Path(path).resolve():
            return str(link)
    return path


class KeyLearning:
    """Asks for one button after another, and takes whatever key is pressed for it.

    Attributes:
        learned: the key of each button that was pressed.
        skipped: the buttons that were left out.
    """

    def __init__(self, wanted: Sequence[tuple[int, str]]) -> None:
        self._waiting = list(wanted)
        self.learned: dict[tuple[int, str], Key] = {}
        self.skipped: list[tuple[int, str]] = []

    @property
    def asked(self) -> tuple[int, str] | None:
        """The seat and button that is to be pressed now; None when all were."""
        return self._waiting[0] if self._waiting else None

    def press(self, heard: Heard) -> tuple[int, str] | None:
        """Take in a key: None when it was learned (or is none to learn), the button it is already otherwise."""
        if self.asked is None or heard.key in _ANSWERS:
            return None
        key = Key(heard.device, heard.path, heard.key)
        for button, known in self.learned.items():
            if known == key:
                return button
        self.learned[self._waiting.pop(0)] = key
        return None

    def skip(self) -> None:
        """Leave the asked button out."""
        if self._waiting:
            self.skipped.append(self._waiting.pop(0))

    def text(self, links: Path = LINKS) -> str:
        """The key map as a file for `companion table --keys`. Devices of the same name are told apart by their path."""
        devices = dict.fromkeys((key.device, key.path) for key in self.learned.values())
        names = Counter(name for name, _ in devices)
        lines = [
            "# Which key is which button: seat and button, seat 0 is the judge. Written by `companion setup buttons`."
        ]
        for name, path in devices:
            lines += [
                "",
                "[[device]]",
                f"name = {json.dumps(name if names[name] == 1 else stable_path(path, links), ensure_ascii=False)}",
            ]
            lines.append("[device.keys]")
            lines += [
                f'{key.name} = "{seat} {button}"'
                for (seat, button), key in self.learned.items()
                if (key.device, key.path) == (name, path)
            ]
        return "\n".join(lines) + "\n"
