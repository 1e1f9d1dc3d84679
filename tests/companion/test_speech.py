"""What is said at the table of dice: readings on demand, and dice without pips as soon as they lie there."""

from __future__ import annotations

from typing import Any

import pytest

from companion.catalogue import Catalogue
from companion.hub import Hub
from companion.live.interpreter import Notice
from companion.speech import RulingSpeech, aid_sentence
from companion.web.aloud import FORGOTTEN_AFTER
from rules.header import Header, Seat

HEADER = Header("lightning-dice", "1", "m", (Seat(1, "Ann", "red"), Seat(2, "Ben", "blue")))
NOBODYS = Notice("notice.no-pips", (("count", 1), ("colours", ("green",))), "")
TWO_OF_BEN = Notice("notice.no-pips-of-seat", (("seat", 2), ("count", 2), ("colours", ("red", "white"))), "")
TAKE_IT = "Take the die without pips off the table, or use dice with pips."
THEM_IN_ITALIAN = "Togliete dal tavolo i dadi senza pallini, o usate dadi con pallini."
TOO_MANY = Notice("notice.too-many-dice", (("seat", 1), ("dice", 7)), "")


class Listener:
    def __init__(self) -> None:
        self.said: list[str] = []

    def say(self, text: str, *, language: str, keep: bool = False) -> None:
        assert (language, keep) == ("en", True), "nothing newer may push it aside"
        self.said.append(text)


@pytest.fixture
def listener() -> Listener:
    return Listener()


@pytest.fixture
def speech(listener: Listener) -> RulingSpeech:
    return RulingSpeech(Hub(), listener, Catalogue(), HEADER)


def see(speech: RulingSpeech, *notices: Notice, looks: int = 1) -> None:
    for _ in range(looks):
        speech.say_notices([notice.plain() for notice in notices])


def test_dice_without_pips_are_said_once_with_what_to_do(speech: RulingSpeech, listener: Listener) -> None:
    see(speech, NOBODYS, TWO_OF_BEN, TOO_MANY, looks=40)
    first, second = listener.said
    assert first == "A die has no pips (green) and cannot be read: take it off the table, or use dice with pips."
    assert second.startswith("In front of Ben 2 dice have no pips (red and white) and cannot be read: take them off")


def test_a_die_named_by_another_colour_is_not_said_again(speech: RulingSpeech, listener: Listener) -> None:
    see(speech, NOBODYS)
    see(speech, Notice(NOBODYS.code, (("count", 1), ("colours", ("blue",))), ""))
    assert len(listener.said) == 1


@pytest.mark.parametrize(
    ("looks_without", "times"), [(FORGOTTEN_AFTER - 1, 1), (FORGOTTEN_AFTER, 2)], ids=["a hand passes", "taken away"]
)
def test_it_is_said_again_only_after_it_was_gone(
    speech: RulingSpeech, listener: Listener, looks_without: int, times: int
) -> None:
    see(speech, NOBODYS)
    see(speech, looks=looks_without)
    see(speech, NOBODYS)
    assert len(listener.said) == times


def lying(*dice: tuple[int | None, Any]) -> list[dict[str, Any]]:
    return [{"seat": 1, "place": place, "value": value, "reason": why} for place, (value, why) in enumerate(dice)]


@pytest.mark.parametrize(
    ("dice", "language", "words"),
    [
        ([(4, None), (None, "glare")], "en", "Ann: die 1 shows 4 and die 2 cannot be read, glare."),
        (
            [(4, None), (None, "not a pip die")],
            "en",
            f"Ann: die 1 shows 4 and die 2 is not a pip die. {TAKE_IT}",
        ),
        (
            [(None, "not a pip die"), (None, "not a pip die")],
            "it",
            f"Ann: dado 1: non è un dado con pallini e dado 2: non è un dado con pallini. {THEM_IN_ITALIAN}",
        ),
    ],
    ids=["unreadable", "without pips", "two without pips, Italian"],
)
def test_the_reading_aid_says_what_to_do_about_dice_without_pips(dice: Any, language: str, words: str) -> None:
    assert aid_sentence(iter(lying(*dice)), HEADER, Catalogue(language)) == words
