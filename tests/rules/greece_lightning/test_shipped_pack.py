"""The shipped component pack is playable and says what it guesses; so is the template once it is filled in."""

from __future__ import annotations

import tomllib
from collections import Counter

import pytest

from rules.greece_lightning.check import check_pack
from rules.greece_lightning.components import FAVORS, LANES, SEATS, WEDGES, FavorKind, Mark
from rules.greece_lightning.favors import Deed, FavorTime, Whom
from rules.greece_lightning.pack import Pack, default_pack, favors_of, wedges_of
from rules.greece_lightning.template import pack_template
from rules.packs import Severity, parse
from tests.rules.greece_lightning.course_parts import shipped
from tests.rules.greece_lightning.pack_changes import (
    messages,
    wedge,
)

clause = pytest.mark.clause
near_miss = pytest.mark.near_miss


def test_the_shipped_pack_can_be_played_with_and_nothing_in_it_is_odd() -> None:
    assert {each.severity for each in check_pack(default_pack())} == {Severity.ASSUMED}


@clause("GL-C2", "GL-S1", "GL-S2")
def test_it_has_28_wedges_four_symbols_on_three_each_and_a_line_with_four_dots() -> None:
    assert len(shipped().wedge) == WEDGES == 28
    assert sorted(Counter(each.symbol for each in shipped().wedge if each.symbol).values()) == [3, 3, 3, 3]
    assert len(shipped().starting_line.line) == SEATS[1] == LANES == shipped().lanes


@clause("GL-C6", "GL-S21")
@near_miss("GL-S21")
def test_it_has_36_favors_of_each_icon_and_the_four_starters_with_their_numbers() -> None:
    cards = favors_of(shipped())
    assert sum(each.copies for each in cards.values()) == FAVORS == 36
    starters = {each.name: each.starter for each in cards.values() if each.starter is not None}
    assert set(starters) == {"Demeter", "Apollo", "Hephaestus", "Janus"}
    assert sorted(starters.values()) == [1, 2, 3, 4]
    assert {each.kind for each in cards.values()} == set(FavorKind)


def test_every_mark_is_met_on_some_wedge_and_no_two_wedges_are_the_same() -> None:
    wedges = wedges_of(shipped())
    assert {mark for each in wedges.values() for dot in each.dots for mark in dot.marks} == set(Mark)
    assert len({(each.dots, each.paths) for each in wedges.values()}) == WEDGES


def test_only_what_the_rulebook_or_a_publication_tells_is_marked_so() -> None:
    plain = default_pack()
    assert plain["sure"] == "published"
    assert plain["starting_line"]["sure"] == "assumed"
    for each in plain["wedge"]:
        assert each["sure"] == {"symbol": "assumed" if "symbol" in each else "rulebook", "print": "assumed"}
    for each in plain["favor"]:
        starter = "starter" in each
        assert each["sure"] == {
            "name": "rulebook" if starter else "assumed",
            "kind": "assumed",
            "effects": "assumed",
            "copies": "rulebook" if starter else "assumed",
            "starter": "assumed" if starter else "rulebook",
        }


def test_every_assumed_value_is_named_with_what_to_read() -> None:
    plain = default_pack()
    expected = ["starting-line"]
    expected += [
        f"wedge {each['id']} {field}"
        for each in plain["wedge"]
        for field, sure in each["sure"].items()
        if sure[0] == "a"
    ]
    expected += [
        f"favor {each['id']} {field}"
        for each in plain["favor"]
        for field, sure in each["sure"].items()
        if sure[0] == "a"
    ]
    found = check_pack(plain)
    assert [each.where for each in found] == expected
    told = {each.where: each.message for each in found}
    assert told["wedge hydra-1 print"] == (
        "Assumed: 12 dots with their marks and paths. Read them from the wedge and mark it published."
    )
    assert told["favor zeus copies"] == (
        "Assumed: 2 copies. Read how many the box holds from the card 'Zeus' and mark it published."
    )


def test_a_value_read_from_the_box_is_no_longer_asked_for() -> None:
    plain = default_pack()
    wedge(plain, "hydra-1")["sure"]["print"] = "published"
    assert not [each for each in check_pack(plain) if each.where.startswith("wedge hydra-1")]


def test_markers_are_one_for_each_piece() -> None:
    plain = default_pack()
    told = [each["marker"] for each in plain["wedge"]] + [plain["starting_line"]["marker"]]
    told += [marker for each in plain["favor"] for marker in each["markers"]]
    assert sorted(told) == list(range(WEDGES + 1 + FAVORS))


# --- the template


def test_the_template_names_the_commands_and_every_word_that_a_pack_may_use() -> None:
    text = pack_template()
    assert "companion pack check greece-lightning FILE" in text
    assert "companion pack draw greece-lightning FILE -o FOLDER" in text
    words: list[str] = [*Mark, *Deed, *Whom, *FavorTime, *FavorKind]
    assert [word for word in words if f'"{word}"' not in text] == []


def test_the_template_is_a_pack_whose_every_print_is_still_to_fill_in() -> None:
    plain = tomllib.loads(pack_template())
    pack = parse(plain, Pack, what="the template")
    assert len(pack.wedge) == WEDGES
    assert Counter(Counter(each.symbol for each in pack.wedge).values()) == {3: 4, 16: 1}
    told = messages(plain, Severity.ERROR)
    for each in pack.wedge:
        assert f"wedge {each.id}: It has no dots; ships stand on dots." in told


def test_a_template_filled_in_from_a_box_has_no_finding_at_all() -> None:
    plain = tomllib.loads(pack_template())
    box = default_pack()
    for blank, printed in zip(
        [plain["starting_line"], *plain["wedge"]], [box["starting_line"], *box["wedge"]], strict=True
    ):
        blank |= {field: printed[field] for field in ("dots", "paths", "line") if field in printed}
    starters, others = box["favor"][:4], box["favor"][4:]
    for blank, printed in zip(plain["favor"][:4], starters, strict=True):
        assert blank["name"] == printed["name"]
        blank |= {field: printed[field] for field in ("starter", "effects", "when")}
    for printed in others:
        values = {field: printed.get(field, 1) for field in ("id", "name", "kind", "effects", "copies")}
        plain["favor"].append(
            {**plain["favor"][4], **values, **({"when": printed["when"]} if "when" in printed else {})}
        )
    del plain["favor"][4]
    assert check_pack(plain) == ()
