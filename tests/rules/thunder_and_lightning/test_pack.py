"""The component pack: the shipped one is playable and says what it guesses, and the checker finds what is wrong."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from typing import Any

import pytest

from rules.packs import Severity, parse
from rules.thunder_and_lightning.components import DECK, Kind, Role
from rules.thunder_and_lightning.pack import PRINTED_CARDS, Card, Pack, check_pack, default_pack, pack_template

Plain = dict[str, Any]


def cards(plain: Plain) -> list[Plain]:
    found: list[Plain] = plain["card"]
    return found


def card(plain: Plain, identity: str) -> Plain:
    return next(each for each in cards(plain) if each["id"] == identity)


def without(plain: Plain, *kinds: str, deck: str = "thor") -> None:
    plain["card"] = [each for each in cards(plain) if each["deck"] != deck or each["kind"] not in kinds]


def messages(plain: Plain, severity: Severity) -> list[str]:
    return [f"{each.where}: {each.message}" for each in check_pack(plain) if each.severity is severity]


def shipped() -> Pack:
    return parse(default_pack(), Pack, what="the shipped pack")


# --- the shipped pack


def test_the_shipped_pack_can_be_played_with_and_nothing_in_it_is_odd() -> None:
    assert {each.severity for each in check_pack(default_pack())} == {Severity.ASSUMED}


@pytest.mark.parametrize("role", Role)
def test_each_deck_has_fifty_cards(role: Role) -> None:
    assert sum(each.copies for each in shipped().card if each.deck is role) == DECK == PRINTED_CARDS // 2


@pytest.mark.parametrize("role", Role)
def test_each_deck_has_every_kind_and_ids_that_tell_the_deck(role: Role) -> None:
    deck = [each for each in shipped().card if each.deck is role]
    assert {each.kind for each in deck} == set(Kind)
    assert all(each.id.startswith(f"{role.value}-") for each in deck)


def test_the_decks_do_the_same_and_only_these_names_differ() -> None:
    by_role = {
        role: [(each.kind, each.strength, each.symbol, each.copies) for each in shipped().card if each.deck is role]
        for role in Role
    }
    assert by_role[Role.THOR] == by_role[Role.LOKI]
    thor, loki = ({each.name for each in shipped().card if each.deck is role} for role in (Role.THOR, Role.LOKI))
    assert {"Thor", "Odin's Ring", "Tyr", "Mjölnir"} <= thor - loki
    assert {"Loki", "Odin's Crown", "Angrboda", "Gungnir", "Fire Giant"} <= loki - thor
    assert len(thor - loki) == len(loki - thor) == 7


def test_markers_are_one_for_each_copy_and_thors_come_first() -> None:
    for role, first in ((Role.THOR, 0), (Role.LOKI, DECK)):
        told = [marker for each in shipped().card if each.deck is role for marker in each.markers]
        assert sorted(told) == list(range(first, first + DECK))
    assert all(len(each.markers) == each.copies for each in shipped().card)


def test_what_is_known_is_marked_known_and_no_number_of_copies_is() -> None:
    plain = default_pack()
    assert all(set(each["sure"]) == {"name", "strength", "symbol", "copies"} for each in cards(plain))
    assert {each["sure"]["copies"] for each in cards(plain)} == {"assumed"}
    known = {each["id"]: each["sure"]["strength"] for each in cards(plain) if each["sure"]["strength"] != "assumed"}
    assert known == {
        "thor-viking-warriors": "rulebook",
        "loki-viking-warriors": "rulebook",
        "loki-fire-giant": "published",
    }
    guessed = {each["id"] for each in cards(plain) if each["sure"]["name"] == "assumed"}
    assert guessed == {
        each["id"] for each in cards(plain) if each["kind"] == "fighter" and each["id"] != "loki-fire-giant"
    }


def test_every_assumed_value_is_named_with_what_to_read_and_from_which_card() -> None:
    assumed = [each for each in check_pack(default_pack()) if each.severity is Severity.ASSUMED]
    expected = [
        f"card {each['id']} {field}"
        for each in cards(default_pack())
        for field, sure in each["sure"].items()
        if sure == "assumed"
    ]
    assert sorted(each.where for each in assumed) == sorted(expected)
    told = next(each for each in assumed if each.where == "card loki-fire-giant copies")
    assert told.message == (
        "Assumed: 3 copies. Read how many its deck holds from the card 'Fire Giant' of Loki's deck "
        "and mark it published."
    )


def test_a_value_read_from_the_card_is_no_longer_asked_for() -> None:
    plain = default_pack()
    card(plain, "loki-fire-giant")["sure"]["copies"] = "published"
    assert not [each for each in check_pack(plain) if each.where == "card loki-fire-giant copies"]


def test_a_pack_that_does_not_say_how_sure_it_is_is_assumed_throughout() -> None:
    told = Card(id="x", deck=Role.THOR, name="X", kind=Kind.FIGHTER, copies=1, strength=4)
    found = check_pack(
        {
            "game": "thunder-and-lightning",
            "title": "t",
            "card": [
                {
                    "id": told.id,
                    "deck": "thor",
                    "name": told.name,
                    "kind": "fighter",
                    "copies": 1,
                    "strength": 4,
                }
            ],
        }
    )
    assert [each.where for each in found if each.severity is Severity.ASSUMED] == [
        "card x name",
        "card x strength",
        "card x symbol",
        "card x copies",
    ]


# --- errors: a change that makes the pack unplayable, what is then said, and the nearest change that does not


def change(identity: str, **values: Any) -> Callable[[Plain], None]:
    def apply(plain: Plain) -> None:
        card(plain, identity).update(values)

    return apply


def remove(identity: str, field: str) -> Callable[[Plain], None]:
    def apply(plain: Plain) -> None:
        del card(plain, identity)[field]

    return apply


def both(*changes: Callable[[Plain], None]) -> Callable[[Plain], None]:
    def apply(plain: Plain) -> None:
        for each in changes:
            each(plain)

    return apply


def lose(kind: str, *, in_favour_of: str) -> Callable[[Plain], None]:
    """Take a kind out of Thor's deck and give its copies, without markers, to another card."""

    def apply(plain: Plain) -> None:
        gone = sum(each["copies"] for each in cards(plain) if each["deck"] == "thor" and each["kind"] == kind)
        without(plain, kind)
        other = card(plain, in_favour_of)
        other["copies"] += gone
        other["markers"] = []

    return apply


GUARDS, SPEARMEN = "thor-hall-guards", "thor-sworn-spearmen"

ERRORS: dict[str, tuple[Callable[[Plain], None], str, Callable[[Plain], None]]] = {
    "another game": (
        lambda plain: plain.update(game="lightning-dice"),
        "game: The pack says game = 'lightning-dice'",
        lambda plain: plain.update(title="another title"),
    ),
    "no card": (
        lambda plain: plain.update(card=[]),
        "card: There is no card",
        lambda plain: plain.update(note="no note"),
    ),
    "no id": (change(GUARDS, id=" "), "Card number 5 has no id", change(GUARDS, id="x")),
    "an id twice": (
        change(GUARDS, id=SPEARMEN),
        f"card {SPEARMEN}: Cards number 5 and 6 have the same id",
        change(GUARDS, id=f"{SPEARMEN}-too"),
    ),
    "no name": (change(GUARDS, name=""), f"card {GUARDS}: It has no name", change(GUARDS, name="Sworn Spearmen")),
    "a deck of fifty-one": (
        change(GUARDS, copies=4, markers=[]),
        "deck thor: It has 51 cards; expected 50",
        both(change(GUARDS, copies=4, markers=[]), change(SPEARMEN, copies=3, markers=[])),
    ),
    "a deck of forty-nine": (
        change("loki-wolf-riders", copies=3, markers=[]),
        "deck loki: It has 49 cards; expected 50",
        both(change("loki-wolf-riders", copies=3, markers=[]), change("loki-dragon", copies=3, markers=[])),
    ),
    "a strength of eight": (change(GUARDS, strength=8), f"card {GUARDS}: Strength 8", change(GUARDS, strength=7)),
    "a strength below none": (change(GUARDS, strength=-1), f"card {GUARDS}: Strength -1", change(GUARDS, strength=0)),
    "no copy": (
        both(change("thor-odin", copies=0, markers=[]), change(GUARDS, copies=4, markers=[])),
        "card thor-odin: 0 copies",
        both(change("thor-hel", copies=1, markers=[]), change(GUARDS, copies=4, markers=[])),
    ),
    "a marker of another use": (
        change("thor-odin", markers=[200]),
        "card thor-odin: Marker 200 is no card marker",
        change("thor-odin", markers=[199]),
    ),
    "a negative marker": (
        change("thor-leader", markers=[-1]),
        "card thor-leader: Marker -1 is no card marker",
        change("thor-leader", markers=[0]),
    ),
    "a marker on two cards": (
        change("thor-odin", markers=[99]),
        "Marker 99 is on card thor-odin too",
        change("thor-odin", markers=[100]),
    ),
    "a marker twice on one card": (
        change("thor-hel", markers=[100, 100]),
        "card thor-hel: Marker 100 is listed twice",
        change("thor-hel", markers=[100, 101]),
    ),
    "a copy without its marker": (
        change("thor-hel", markers=[100]),
        "card thor-hel: 1 markers for 2 copies",
        change("thor-hel", markers=[]),
    ),
    "no leader": (
        lose("leader", in_favour_of=GUARDS),
        "deck thor: It has no Thor",
        lose("baldr", in_favour_of=GUARDS),
    ),
    "no treasure": (
        lose("treasure", in_favour_of=GUARDS),
        "deck thor: It has no Odin's Ring",
        lose("odin", in_favour_of=GUARDS),
    ),
    "no weapon": (
        lose("weapon", in_favour_of=GUARDS),
        "deck thor: It has no Mjölnir",
        lose("seer", in_favour_of=GUARDS),
    ),
    "two leaders": (
        both(change("loki-leader", copies=2, markers=[]), change("loki-dragon", copies=1, markers=[])),
        "deck loki: It has 2 cards of kind leader; there is one Loki",
        both(change("loki-odin", copies=2, markers=[]), change("loki-dragon", copies=1, markers=[])),
    ),
    "two treasures of different names": (
        both(change("loki-odin", kind="treasure")),
        "deck loki: It has 2 cards of kind treasure; there is one Odin's Crown",
        both(change("loki-odin", kind="champion", strength=7)),
    ),
    "a kind that there is not": (
        change(GUARDS, kind="dragon"),
        f"card {GUARDS}: Kind 'dragon' is unknown",
        change(GUARDS, kind="champion"),
    ),
    "a deck that there is not": (
        change(GUARDS, deck="odin"),
        "It is 'odin'; expected one of: thor, loki",
        change(GUARDS, deck="thor"),
    ),
    "a field that there is not": (
        change(GUARDS, colour="red"),
        "There is no field 'colour' here",
        change(GUARDS, power="x"),
    ),
    "a fighter without strength": (
        remove(GUARDS, "strength"),
        f"card {GUARDS}: It has no strength, and a card of kind fighter",
        remove("thor-nightmare", "strength"),
    ),
    "warriors without strength": (
        remove("thor-viking-warriors", "strength"),
        "card thor-viking-warriors: It has no strength",
        remove("thor-ravens", "strength"),
    ),
    "a power without the symbol": (
        remove("thor-hel", "symbol"),
        "card thor-hel: It has no symbol, and the power of hel",
        remove("thor-shield-wall", "symbol"),
    ),
}


@pytest.mark.parametrize(("spoil", "words", "near"), ERRORS.values(), ids=ERRORS)
def test_what_makes_a_pack_unplayable_is_found_and_its_near_miss_is_not(
    spoil: Callable[[Plain], None], words: str, near: Callable[[Plain], None]
) -> None:
    plain = default_pack()
    spoil(plain)
    told = messages(plain, Severity.ERROR)
    assert [each for each in told if words in each], told
    plain = default_pack()
    near(plain)
    assert messages(plain, Severity.ERROR) == []


@pytest.mark.parametrize("kind", [kind for kind in Kind if kind not in {Kind.LEADER, Kind.TREASURE}])
def test_just_the_kinds_played_from_the_hand_need_the_symbol(kind: Kind) -> None:
    plain = default_pack()
    for each in cards(plain):
        if each["kind"] == kind.value:
            each.pop("symbol", None)
    fights_or_lies = {Kind.FIGHTER, Kind.CHAMPION, Kind.WARRIORS, Kind.ARCHER, Kind.SHIELD_WALL, Kind.NIGHTMARE}
    assert bool(messages(plain, Severity.ERROR)) is (kind not in fights_or_lies)


@pytest.mark.parametrize("plain", [{}, {"card": 3}, {"card": [3]}, {"game": "thunder-and-lightning", "card": [{}]}])
def test_of_what_is_no_pack_at_all_nothing_but_its_errors_is_told(plain: Plain) -> None:
    assert {each.severity for each in check_pack(plain)} == {Severity.ERROR}


# --- remarks

ODD: dict[str, tuple[Callable[[Plain], None], str, Callable[[Plain], None]]] = {
    "a fighter as strong as the champion": (
        both(change(GUARDS, strength=7), change("loki-fire-giant", strength=7)),
        "card thor-tyr: Strength 7, and another card has 7",
        both(change(GUARDS, strength=6), change("loki-fire-giant", strength=6)),
    ),
    "decks of different strength": (
        change(GUARDS, strength=4),
        "decks: Thor's deck has 0 and Loki's 3 of kind fighter with strength 5 and no symbol",
        both(change(GUARDS, strength=4), change("loki-fire-giant", strength=4)),
    ),
    "decks of different numbers": (
        both(change(GUARDS, copies=4, markers=[]), change(SPEARMEN, copies=3, markers=[])),
        "decks: Thor's deck has 4 and Loki's 3 of kind fighter",
        change(GUARDS, name="Guards"),
    ),
    "a symbol on one side only": (
        remove("loki-nightmare", "symbol"),
        "decks: Thor's deck has 2 and Loki's 0 of kind nightmare with strength 0 and the symbol",
        both(remove("loki-nightmare", "symbol"), remove("thor-nightmare", "symbol")),
    ),
    "two ravens": (
        both(
            *(change(f"{deck}-ravens", copies=2, markers=[]) for deck in ("thor", "loki")),
            *(change(f"{deck}-odin", copies=3, markers=[]) for deck in ("thor", "loki")),
        ),
        "deck loki: It has 2 Ravens, and Odin can take 3 back",
        both(
            *(change(f"{deck}-ravens", copies=3, markers=[]) for deck in ("thor", "loki")),
            *(change(f"{deck}-odin", copies=2, markers=[]) for deck in ("thor", "loki")),
        ),
    ),
    "two warriors and archers": (
        both(
            *(change(f"{deck}-viking-warriors", copies=1, markers=[]) for deck in ("thor", "loki")),
            *(change(f"{deck}-female-archer", copies=1, markers=[]) for deck in ("thor", "loki")),
            *(change(f"{deck}-odin", copies=8, markers=[]) for deck in ("thor", "loki")),
        ),
        "deck thor: It has 2 Viking Warriors and Female Archers",
        both(
            *(change(f"{deck}-viking-warriors", copies=1, markers=[]) for deck in ("thor", "loki")),
            *(change(f"{deck}-female-archer", copies=2, markers=[]) for deck in ("thor", "loki")),
            *(change(f"{deck}-odin", copies=7, markers=[]) for deck in ("thor", "loki")),
        ),
    ),
    "warriors of another strength": (
        both(change("thor-viking-warriors", strength=4), change("loki-viking-warriors", strength=4)),
        "card thor-viking-warriors: Strength 4; by the entry of Berserker it is 3",
        both(change("thor-female-archer", strength=4), change("loki-female-archer", strength=4)),
    ),
    "a kind that the rulebook names is missing": (
        both(change("thor-hel", kind="baldr"), change("loki-hel", kind="baldr")),
        "deck thor: It has no card of kind hel",
        both(change("thor-hel", name="Baldr"), change("loki-hel", name="Baldr")),
    ),
}


@pytest.mark.parametrize(("spoil", "words", "near"), ODD.values(), ids=ODD)
def test_what_is_odd_but_playable_is_remarked_and_its_near_miss_is_not(
    spoil: Callable[[Plain], None], words: str, near: Callable[[Plain], None]
) -> None:
    plain = default_pack()
    spoil(plain)
    assert messages(plain, Severity.ERROR) == []
    told = messages(plain, Severity.REMARK)
    assert [each for each in told if words in each], told
    plain = default_pack()
    near(plain)
    assert messages(plain, Severity.ERROR) == []
    assert messages(plain, Severity.REMARK) == []


# --- the template


def test_the_template_holds_both_decks_and_names_the_command_that_checks_it() -> None:
    text = pack_template()
    assert "companion pack check thunder-and-lightning FILE" in text
    pack = parse(tomllib.loads(text), Pack, what="the template")
    for role in Role:
        assert {each.kind for each in pack.card if each.deck is role} == set(Kind)
    assert len({each.id for each in pack.card}) == len(pack.card)


def test_an_untouched_template_cannot_be_played_with_for_every_card_wants_its_copies() -> None:
    plain = tomllib.loads(pack_template())
    told = messages(plain, Severity.ERROR)
    for each in cards(plain):
        assert [message for message in told if message.startswith(f"card {each['id']}: 0 copies")]


def test_a_template_filled_in_from_the_cards_has_no_finding_at_all() -> None:
    plain = tomllib.loads(pack_template())
    for blank, guess in zip(cards(plain), cards(default_pack()), strict=True):
        blank["copies"] = guess["copies"]
        blank["name"] = blank["name"] or guess["name"]
        if "strength" in guess:
            blank["strength"] = guess["strength"]
    assert check_pack(plain) == ()


def test_the_template_gives_away_no_guess() -> None:
    plain = tomllib.loads(pack_template())
    assert {each["id"] for each in cards(plain) if "strength" in each} == {
        "thor-viking-warriors",
        "loki-viking-warriors",
        "loki-fire-giant",
    }
    assert {each["copies"] for each in cards(plain)} == {0}
