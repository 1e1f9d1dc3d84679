"""Notices that are said aloud and not only shown: once when they come up, and again when they come back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from companion.catalogue import Catalogue
from companion.web.present import notice_words
from rules.header import Header

__all__ = ["FORGOTTEN_AFTER", "SPOKEN", "NewNotices"]

SPOKEN: Final = frozenset(
    {
        "notice.no-pips",
        "notice.no-pips-of-seat",
        "notice.colours-show",
        "notice.colours-count",
        "notice.colours-unread",
        "notice.colours-no-pips",
        "notice.colours-mixed",
        "notice.colours-taken",
        "notice.colours-dark",
        "notice.colours-alike",
        "notice.colours-learned",
        "notice.colours-done",
        "notice.colours-drifted",
        "notice.movement-dice-left",
        "notice.movement-dice-lost",
        "notice.movement-dice-missing",
        "notice.movement-dice-differ",
        "notice.out-of-step.camera-moved",
        "notice.out-of-step.light-changed",
        "notice.out-of-step.frames-late",
        "notice.out-of-step.view-blocked",
    }
)
"""Codes of what a player who does not see the table must know, as no ruling will say it."""
FORGOTTEN_AFTER: Final = 25
"""Looks at the table without a notice (five a second) after which it is new; a hand over the dice is no end."""


class NewNotices:
    """What one listener has been told already."""

    def __init__(self) -> None:
        self._missing: dict[tuple[Any, ...], int] = {}

    def due(self, notices: Iterable[Mapping[str, Any]], header: Header, catalogue: Catalogue) -> list[str]:
        """The sentences to say now, given the notices (code, facts, text) of one more look at the table."""
        here = {_about(each): each for each in notices if each.get("code") in SPOKEN}
        new = [each for about, each in here.items() if about not in self._missing]
        counted = {about: looks + 1 for about, looks in self._missing.items() if looks + 1 < FORGOTTEN_AFTER}
        self._missing = {**counted, **dict.fromkeys(here, 0)}
        return [notice_words(each, header, catalogue) for each in new]


def _about(notice: Mapping[str, Any]) -> tuple[Any, ...]:
    """What makes a notice another one; a colour that is named anew under the lamp does not."""
    facts = notice.get("facts") or {}
    return (notice["code"], facts.get("seat"), facts.get("elsewhere"), facts.get("count"))
