"""Speech at the table: rulings and dice, in the very sentences that the screen shows."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from companion.catalogue import Catalogue
from companion.hub import Hub
from companion.web.aloud import NewNotices
from companion.web.games.lightning_dice import dice_sentence
from companion.web.present import announcements, present_entry
from rules.header import Header

__all__ = ["RulingSpeech", "aid_sentence"]

aid_sentence = dice_sentence
"""Settled dice in words, for whoever has dice and no match."""

log = logging.getLogger(__name__)


class SpeakerLike(Protocol):
    """What speaks: `keep` marks what must not be dropped for something newer."""

    def say(self, text: str, *, language: str, keep: bool = False) -> None: ...


class RulingSpeech:
    """Follows the hub in a thread of its own and says every ruling and notice that the screen announces."""

    def __init__(self, hub: Hub, speaker: SpeakerLike, catalogue: Catalogue, header: Header) -> None:
        self._speaker = speaker
        self._catalogue = catalogue
        self._header = header
        self._notices = NewNotices()
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

    def say_notices(self, notices: Iterable[Mapping[str, Any]]) -> None:
        """Say what is new among the notices of one more look at the table."""
        for text in self._notices.due(notices, self._header, self._catalogue):
            self._speaker.say(text, language=self._catalogue.language, keep=True)

    def _follow(self) -> None:
        while not self._subscription.closed:
            message = self._subscription.next(timeout_s=5.0)
            if message is None:
                continue
            try:
                if message.topic == "entry":
                    self.say_entry(message.data)
                elif message.topic == "dice":
                    self.say_notices(message.data.get("notices", ()))
            except Exception:
                log.exception("A ruling or notice could not be spoken.")
