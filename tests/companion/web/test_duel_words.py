"""Thunder & Lightning in words: the table read aloud, columns as the owner names them, buttons from the choices."""

from __future__ import annotations

from typing import Any

import pytest

from companion.catalogue import Catalogue
from companion.facts import worded
from companion.web.games import screens_of
from companion.web.games.thunder_and_lightning.forms import GROUPS, SEPARATE, groups_of
from companion.web.games.thunder_and_lightning.spoken import side_sentences, state_sentence, waiting_sentence
from companion.web.present import notice_words, option_words, present_entry
from rules.header import Header, Seat
from rules.rulings import accepted
from rules.thunder_and_lightning.events import Stuck, TurnUp
from tests.companion.web.duels import LOKI, THOR, Duel

ENGLISH, ITALIAN = Catalogue("en"), Catalogue("it")
PACK = {
    "card": [
        {"id": "thor-warriors", "deck": "thor", "name": "Viking Warriors", "kind": "viking-warriors", "strength": 3},
        {"id": "loki-ravens", "deck": "loki", "name": "Ravens", "kind": "ravens", "strength": 1, "symbol": True},
        {"id": "loki-nightmare", "deck": "loki", "name": "Nightmare", "kind": "nightmare", "symbol": True},
    ]
}
HEADER = Header("thunder-and-lightning", "1", "m", (Seat(1, "Tora", "red"), Seat(2, "Leif", "blue")), pack=PACK)
SWAPPED = Header("thunder-and-lightning", "1", "m", HEADER.seats, options={"roles": ["loki", "thor"]}, pack=PACK)
WARRIORS, RAVENS, NIGHTMARE = PACK["card"]


SEEN_IN_ITALIAN = (
    "Tora, colonna sinistra: la telecamera vede Viking Warriors 3 e una carta scoperta; "
    "il verbale ha una carta coperta."
)


def lying(*cards: Any, back: str = "thor") -> list[dict[str, Any]]:
    """A column from row 1 backwards; None for a face-down card, a pair for one with another back."""
    found = []
    for row, card in enumerate(cards, start=1):
        own, shown = (card[0], card[1]) if isinstance(card, tuple) else (back, card)
        found.append({"back": own, "card": shown, "row": row})
    return found


def side(**changes: Any) -> dict[str, Any]:
    """Thor's side as the snapshot of the table has it."""
    plain: dict[str, Any] = {
        "number": 1, "name": "Tora", "colour": "red", "role": "thor", "hand": 6, "deck": 41, "pile": 0, "top": None,
        "top_sure": True, "active": [], "leader": False, "figure": False, "points_next": 3, "turns": 1,
        "columns": [[], [], []], "setup": {"shuffled": True, "dealt": 9, "treasure": "", "laid": 3},
    }  # fmt: skip
    return {**plain, **changes}


@pytest.mark.parametrize(
    ("column", "english", "italian"),
    [
        pytest.param(
            lying(WARRIORS, None, None),
            "Thor's middle column: three cards, the first face up, Viking Warriors 3; behind it two face-down cards.",
            "La colonna centrale di Thor: tre carte, la prima scoperta, Viking Warriors 3; dietro due carte coperte.",
            id="the example of the product",
        ),
        pytest.param(lying(), "Thor's middle column is empty.", "La colonna centrale di Thor è vuota.", id="empty"),
        pytest.param(
            lying(None),
            "Thor's middle column: one card, face down.",
            "La colonna centrale di Thor: una carta, coperta.",
            id="one hidden",
        ),
        pytest.param(
            lying(RAVENS),
            "Thor's middle column: one card, face up, Ravens 1.",
            "La colonna centrale di Thor: una carta, scoperta, Ravens 1.",
            id="one open",
        ),
        pytest.param(
            lying(None, None, None, None),
            "Thor's middle column: four cards, all face down.",
            "La colonna centrale di Thor: quattro carte, tutte coperte.",
            id="all hidden",
        ),
        pytest.param(
            lying(None, None, NIGHTMARE, None),
            "Thor's middle column: four cards, the first two face down; behind it Nightmare, face up; "
            "behind it one face-down card.",
            "La colonna centrale di Thor: quattro carte, le prime due coperte; dietro Nightmare, scoperta; "
            "dietro una carta coperta.",
            id="an open one between hidden ones",
        ),
        pytest.param(
            lying(None, ("loki", None)),
            "Thor's middle column: two cards, the first face down; behind it one face-down card with Loki's back.",
            "La colonna centrale di Thor: due carte, la prima coperta; dietro una carta coperta con il dorso di Loki.",
            id="a stranger's back is told",
        ),
    ],
)  # fmt: skip
def test_a_column_in_words(column: list[dict[str, Any]], english: str, italian: str) -> None:
    there = side(columns=[[], column, []])
    assert side_sentences(there, HEADER, ENGLISH)[2] == english
    assert side_sentences(there, HEADER, ITALIAN)[2] == italian


def test_each_side_is_read_from_its_owners_left_to_right() -> None:
    columns = [lying(WARRIORS), lying(), lying(None)]
    thor = side_sentences(side(columns=columns), HEADER, ENGLISH)
    assert [each.split(":")[0].split(" is ")[0] for each in thor[1:]] == [
        "Thor's left column", "Thor's middle column", "Thor's right column",
    ]  # fmt: skip
    assert thor[1] == "Thor's left column: one card, face down.", "column 3 is Thor's left"
    columns = [lying(RAVENS, back="loki"), lying(), lying(None, back="loki")]
    loki = side_sentences(side(number=2, name="Leif", role="loki", columns=columns), HEADER, ENGLISH)
    assert loki[1] == "Loki's left column: one card, face up, Ravens 1.", "column 1 is Loki's left"


def test_counts_the_top_and_what_rules_from_it_are_told() -> None:
    there = side(pile=2, top=WARRIORS, active=["idunn"])
    first, second, *_ = side_sentences(there, HEADER, ENGLISH)
    assert first == (
        "Thor (Tora): 6 cards in hand, 41 cards in the deck, 2 cards on the discard pile, on top Viking Warriors 3."
    )
    assert second == "Idunn works for Thor: ties are won."
    unsure = side_sentences({**there, "top_sure": False}, HEADER, ENGLISH)[0]
    assert "on top probably Viking Warriors 3" in unsure, "nobody saw it since Hel"


@pytest.mark.parametrize(
    ("header", "seat", "column", "words"),
    [
        (HEADER, THOR, 1, "right"), (HEADER, THOR, 3, "left"), (HEADER, LOKI, 1, "left"), (HEADER, LOKI, 3, "right"),
        (HEADER, LOKI, 2, "middle"), (SWAPPED, 1, 1, "left"), (SWAPPED, 2, 1, "right"),
    ],
)  # fmt: skip
def test_columns_of_rulings_are_named_from_the_owners_seat(header: Header, seat: int, column: int, words: str) -> None:
    facts = {"seat": seat, "column": column, "target_column": column}
    found = worded(facts, header, ENGLISH)
    assert found["column_words"] == words
    other = {"left": "right", "right": "left", "middle": "middle"}[words]
    assert found["target_column_words"] == other, "the facing column is the enemy's, on the other hand"


def test_the_owner_named_by_a_ruling_and_not_its_seat_has_the_column() -> None:
    found = worded({"seat": LOKI, "owner": THOR, "column": 1, "to_column": 3}, HEADER, ENGLISH)
    assert (found["column_words"], found["to_column_words"], found["owner_name"]) == ("right", "left", "Tora")


def test_a_column_that_does_not_exist_keeps_its_number() -> None:
    assert worded({"seat": LOKI, "column": 7}, HEADER, ENGLISH)["column_words"] == "7"


def test_cards_are_called_by_what_they_print() -> None:
    facts = {"card": "thor-warriors", "target": "loki-nightmare", "strength": 3, "target_strength": None}
    ruling = accepted("tl.won", "TL-C17", seat=THOR, facts=facts)
    assert ENGLISH.ruling(ruling, HEADER).seen == ("Viking Warriors 3 (strength 3) challenged Nightmare (no strength).")
    assert ITALIAN.ruling(ruling, HEADER).say == "Vince Tora: Viking Warriors 3 batte Nightmare."
    assert worded({"cards": ("thor-warriors", "loki-ravens")}, HEADER, ITALIAN)["cards_words"] == (
        "Viking Warriors 3 e Ravens 1"
    )
    assert worded({"cards": 1}, HEADER, ENGLISH)["cards_words"] == "1 card"
    assert worded({"card": "nobody-knows"}, HEADER, ENGLISH)["card_words"] == "nobody-knows"


def test_codes_in_facts_become_words() -> None:
    found = worded({"remedy": "as weak", "kind": "show-hand", "what": "peeks-hand", "reason": "lay"}, HEADER, ENGLISH)
    assert found["remedy_words"] == "it counts as a card without strength"
    assert found["kind_words"] == "show the hand"
    assert found["what_words"] == "looked at the enemy's hand"
    assert found["reason_words"] == "laying a card"


@pytest.mark.parametrize(
    ("catalogue", "words"),
    [
        (
            ENGLISH,
            "Tora, left column: the camera sees Viking Warriors 3 and a face-up card; the record has a face-down card.",
        ),
        (
            ITALIAN,
            SEEN_IN_ITALIAN,
        ),
    ],
    ids=["english", "italian"],
)
def test_what_differs_from_the_record_is_told_in_the_language_of_the_page(catalogue: Catalogue, words: str) -> None:
    facts = {"seat": THOR, "column": 3, "seen": ["thor-warriors", "open"], "lies": ["down"]}
    told = notice_words({"code": "notice.column-differs", "facts": facts, "text": "English"}, HEADER, catalogue)
    assert told == words
    empty = {**facts, "seen": ["nothing"], "lies": []}
    told = notice_words({"code": "notice.column-differs", "facts": empty}, HEADER, catalogue)
    assert told.count(catalogue.text("lying.nothing")) == 2


def test_who_plays_whom_is_worded_among_the_options() -> None:
    assert option_words("roles", ["thor", "loki"], ENGLISH) == "Who plays whom: Thor and Loki"


def test_what_is_waited_for_names_only_what_still_lies_face_down(duel: Duel) -> None:
    duel.challenge()
    view = duel.table.view()
    (waiting,) = view["waiting"]
    words = waiting_sentence(waiting, view, duel.table.header, ENGLISH)
    assert words == ("Turn up the cards of the challenge: Leif, middle column, row 1 and Tora, middle column, row 1.")
    duel.play(TurnUp((LOKI, 2, 1), "loki-ravens"))
    view = duel.table.view()
    words = waiting_sentence(view["waiting"][0], view, duel.table.header, ENGLISH)
    assert words == "Turn up the cards of the challenge: Tora, middle column, row 1."


def test_set_up_says_what_each_seat_has_to_do(duel: Duel) -> None:
    header = duel.table.header
    assert state_sentence(duel.table.view(), header, ENGLISH) == (
        "The game is being set up. Tora has still to shuffle. Leif has still to shuffle."
    )
    duel.set_up()
    assert state_sentence(duel.table.view(), header, ENGLISH) == (
        "It is the turn of Leif: 3 action points left. It is a first turn: no challenge of any kind."
    )


def test_no_choice_of_a_person_is_left_without_a_button(duel: Duel) -> None:
    def held(view: dict[str, Any]) -> None:
        groups = groups_of(view["choices"], duel.table.header, ENGLISH)
        there: list[Any] = []
        for button in (each for group in groups for each in group["buttons"]):
            variants = [
                each[0] for field in button["fields"] if field["type"] == "variant" for each in field["options"]
            ]
            there += variants or [button["event"]]
        for choice in view["choices"]:
            event = choice["event"]
            observed = event["kind"] == "top" and not choice["free"]
            if choice["people"] and event["kind"] not in SEPARATE and not observed:
                assert event in there, event

    held(duel.table.view())
    duel.to_the_second_turns()
    held(duel.table.view())
    assert any(each["event"]["kind"] == "challenge" for each in duel.table.view()["choices"])


def test_a_card_with_several_uses_has_one_button_that_asks_which(duel: Duel) -> None:
    duel.to_the_second_turns()
    groups = {
        each["name"]: each for each in groups_of(duel.table.view()["choices"], duel.table.header, ENGLISH, seat=2)
    }
    ravens = [each for each in groups["play"]["buttons"] if each["title"].startswith("Play: Ravens")]
    (button,) = ravens
    (field,) = button["fields"]
    words = [each[1] for each in field["options"]]
    assert words[0] == "the hand"
    assert "Tora, middle column, row 1" in words
    (lay, *_) = groups["lay"]["buttons"]
    assert [each["path"] for each in lay["fields"]] == ["row"], "whose back it shows is not asked while all are own"


def test_a_seat_is_shown_only_what_it_may_do_itself(duel: Duel) -> None:
    duel.to_the_second_turns()
    for group in groups_of(duel.table.view()["choices"], duel.table.header, ENGLISH, seat=THOR):
        assert group["name"] == "count", "Loki is on turn"


def test_every_kind_of_event_of_a_seat_has_a_group() -> None:
    screens = screens_of("thunder-and-lightning")
    assert screens.seat_events == {kind for kinds in GROUPS.values() for kind in kinds}
    assert not screens.seat_events & SEPARATE


def test_a_claim_is_presented_with_its_own_words(duel: Duel) -> None:
    duel.to_the_second_turns()
    entry = present_entry(duel.file(Stuck(LOKI)), duel.table.header, ENGLISH)
    assert entry["kind_words"] == "No action left"
    assert entry["rulings"][0]["say"] == "Leif: an action is left, drawing a card."
