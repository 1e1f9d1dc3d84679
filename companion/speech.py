"""Speech at the table: rulings and dice, in the very sentences that the screen shows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from companion.catalogue import Catalogue
from companion.hub import Hub, Published
from companion.listener import HubListener
from companion.web.aloud import NewNotices
from companion.web.games.lightning_dice import dice_sentence
from companion.web.present import announcements, present_entry
from rules.header import Header

__all__ = ["RulingSpeech", "aid_sentence"]

aid_sentence = dice_sentence
"""Settled dice in words, for whoever has dice and no match."""


class SpeakerLike(Protocol):
    """What speaks: `keep` marks what must not be dropped for something newer."""

    def say(self, text: str, *, language: str, keep: bool = False) -> None: ...


class RulingSpeech(HubListener):
    """Follows the hub in a thread of its own and says every ruling and notice that the screen announces."""

    def __init__(self, hub: Hub, speaker: SpeakerLike, catalogue: Catalogue, header: Header) -> None:
        super().__init__(hub, "speech")
        self._speaker = speaker
        self._catalogue = catalogue
        self._header = header
        self._notices = NewNotices()

    def take(self, message: Published) -> None:
        """Say what a message gives to say."""
        if message.topic == "entry":
            self.say_entry(message.data)
        elif message.topic == "dice":
            self.say_notices(message.data.get("notices", ()))

    def say_entry(self, entry: Mapping[str, Any]) -> None:
        """Say the rulings of one entry, numbered as on screen."""
        shown = present_entry(entry, self._header, self._catalogue)
        for each in announcements(shown, self._catalogue):
            self._speaker.say(each["text"], language=self._catalogue.language, keep=bool(each["keep"]))

    def say_notices(self, notices: Iterable[Mapping[str, Any]]) -> None:
        """Say what is new among the notices of one more look at the table."""
        for text in self._notices.due(notices, self._header, self._catalogue):
            self._speaker.say(text, language=self._catalogue.language, keep=True)
