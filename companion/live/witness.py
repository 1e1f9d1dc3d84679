"""Who is told at once of presses, entries and a camera that fails: whoever keeps evidence."""

from __future__ import annotations

from typing import Protocol

from device.buttons.base import Press
from rules.referee import Entry

__all__ = ["NoWitness", "Witness"]


class Witness(Protocol):
    """Is told from any thread, and must not wait for anything."""

    def pressed(self, press: Press) -> None:
        """Somebody pressed."""
        ...

    def filed(self, match: str, entry: Entry) -> None:
        """An entry of this match is on the disk."""
        ...

    def lost(self, state: str, problem: str | None) -> None:
        """The camera gives no frames any more; `state` and `problem` as in CameraHealth."""
        ...


class NoWitness:
    """Keeps nothing."""

    def pressed(self, press: Press) -> None:
        """Nothing is kept."""

    def filed(self, match: str, entry: Entry) -> None:
        """Nothing is kept."""

    def lost(self, state: str, problem: str | None) -> None:
        """Nothing is kept."""
