"""Speech at the table: rulings and dice, in the very sentences that the screen shows."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from companion.catalogue import Catalogue
from companion.hub import Hub
from companion.web.present import announcements, present_entry
from rules.header import Header

__all__ = ["RulingSpeech", "aid_sentence"]

log = logging.getLogger(__name__)


class SpeakerLike(Protocol):
    """What speaks: `keep` marks what must not be dropped for something newer."""

    def say(self, text: str, *, language: str, keep: bool = False) -> None: ...


def aid_sentence(
    dice: Iterable[Mapping[str, Any]], header: Header | None, catalogue: Catalogue, *, seat: int | None = None
) -> str:
    """Settled dice in words: by seat, by place from the left, each with its value or why it has none.

    `dice` are mappings with seat (None when nobody's), place (from 0), value (1 to 6 or None) and reason.
    """
    by_seat: dict[int | None, list[Mapping[str, Any]]] = {}
    for die in dice:
        by_seat.setdefault(die.get("seat"), []).append(die)
    if not by_seat:
        if seat is not None and header is not None:
            return catalogue.text("aid.none-of-seat", name=catalogue.seat_name(header, seat))
        return catalogue.text("aid.none")
    sentences = []
    for number in sorted(by_seat, key=lambda each: (each is None, each or 0)):
        lying = sorted(by_seat[number], key=lambda die: int(die.get("place") or 0))
        listed = catalogue.listed(_die_words(die, catalogue) for die in lying)
        if number is None or header is None:
            sentences.append(catalogue.text("aid.dice", dice=listed, count=len(lying)))
        else:
            name = catalogue.seat_name(header, number)
            sentences.append(catalogue.text("aid.dice-of-seat", name=name, dice=listed, count=len(lying)))
    return " ".join(sentences)


def _die_words(die: Mapping[str, Any], catalogue: Catalogue) -> str:
    place = int(die.get("place") or 0) + 1
    if die.get("value") is not None:
        return catalogue.text("aid.die", place=place, value=die["value"])
    reason = str(die.get("reason") or "unknown")
    words = catalogue.maybe(f"reason.{reason}".replace(" ", "-"), reason)
    return catalogue.text("aid.die-unreadable", place=place, reason=words)


class RulingSpeech:
    """Follows the hub in a thread of its own and says every ruling that the screen announces."""

    def __init__(self, hub: Hub, speaker: SpeakerLike, catalogue: Catalogue, header: Header) -> None:
        self._speaker = speaker
        self._catalogue = catalogue
        self._header = header
        self._subscription = hub.subscribe()
        self._thread = threading.Thread(target=self._follow, name="speech", daemon=True)

    def start(self) -> None:
        """Begin to speak."""
        self._thread.start()

    def stop(self) -> None:
        """Fall silent; stopping twice is harmless."""
        self._subscription.close()
        if self._thread.is_alive():
            self._thread.join(timeout=5)

    def say_entry(self, entry: Mapping[str, Any]) -> None:
        """Say the rulings of one entry, numbered as on screen."""
        shown = present_entry(entry, self._header, self._catalogue)
        for each in announcements(shown, self._catalogue):
            self._speaker.say(each["text"], language=self._catalogue.language, keep=bool(each["keep"]))

    def _follow(self) -> None:
        while not self._subscription.closed:
            message = self._subscription.next(timeout_s=5.0)
            if message is None or message.topic != "entry":
                continue
            try:
                self.say_entry(message.data)
            except Exception:
                log.exception("A ruling could not be spoken.")
