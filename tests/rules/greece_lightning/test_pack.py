"""The component pack: the shipped one is playable and says what it guesses, and the checker finds what is wrong."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from rules.errors import BadPack
from rules.greece_lightning.check import check_pack
from rules.greece_lightning.components import FAVORS, LANES, SEATS, WEDGES, FavorKind, Mark
from rules.greece_lightning.favors import Deed, FavorTime, Whom
from rules.greece_lightning.pack import Pack, default_pack, favors_of, wedges_of
from rules.greece_lightning.template import pack_template
from rules.greece_lightning.wedges import Path, read_paths
from rules.packs import Severity, parse
from tests.rules.greece_lightning.course_parts import shipped

Plain = dict[str, Any]
Change = Callable[[Plain], None]
clause = pytest.mark.clause
near_miss = pytest.mark.near_miss


def wedge(plain: Plain, identity: str) -> Plain:
    if identity == "line":
        line: Plain = plain["starting_line"]
        return line
    return next(each for each in plain["wedge"] if each["id"] == identity)


def favor(plain: Plain, identity: str) -> Plain:
    return next(each for each in plain["favor"] if each["id"] == identity)


def messages(plain: Plain, severity: Severity) -> list[str]:
    return [f"{each.where}: {each.message}" for each in check_pack(plain) if each.severity is severity]


# --- the shipped pack


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


# --- paths as they are written


@pytest.mark.parametrize(
    ("line", "paths"),
    [
        ("in1 > a > out2", (Path("in1", "a"), Path("a", "out2"))),
        ("  w =2> b  ", (Path("w", "b", 2),)),
        ("w=0>b > out1", (Path("w", "b", 0), Path("b", "out1"))),
    ],
)
def test_a_path_is_read(line: str, paths: tuple[Path, ...]) -> None:
    assert read_paths((line,)) == paths


@pytest.mark.parametrize("line", ["", "a", "a >", "> a", "a > > b", "A > b", "a - b", "a =12> b", "a => b", "1 > b"])
def test_what_is_no_path_is_refused_with_the_form(line: str) -> None:
    with pytest.raises(BadPack, match="is no path; expected dots and lanes in order"):
        read_paths((line,))


# --- errors: a change that makes the pack unplayable, what is then said, and the nearest change that does not


def change(identity: str, **values: Any) -> Change:
    def apply(plain: Plain) -> None:
        (favor if identity in {each["id"] for each in plain["favor"]} else wedge)(plain, identity).update(values)

    return apply


def dot(identity: str, name: str, **values: Any) -> Change:
    def apply(plain: Plain) -> None:
        next(each for each in wedge(plain, identity)["dots"] if each["id"] == name).update(values)

    return apply


def paths(identity: str, *more: str, without: str = "") -> Change:
    def apply(plain: Plain) -> None:
        printed = wedge(plain, identity)
        assert not without or without in printed["paths"], printed["paths"]
        printed["paths"] = [*(path for path in printed["paths"] if path != without), *more]

    return apply


def effects(identity: str, *told: Plain) -> Change:
    return change(identity, effects=list(told))


def both(*changes: Change) -> Change:
    def apply(plain: Plain) -> None:
        for each in changes:
            each(plain)

    return apply


def whole(**values: Any) -> Change:
    return lambda plain: plain.update(values)


def dots(identity: str, *more: Plain) -> Change:
    def apply(plain: Plain) -> None:
        wedge(plain, identity)["dots"] += more

    return apply


def lose_wedge(plain: Plain) -> None:
    del plain["wedge"][-1]


def replace_wedge(plain: Plain) -> None:
    plain["wedge"][-1] = {**plain["wedge"][-2], "id": "another", "marker": 199}


EXTRA = {"id": "z", "lane_tenths": 25, "along_percent": 50}
MORE_DOTS = both(dots("line", {**EXTRA, "id": "e"}), paths("line", "in2 > e > out2"))

ERRORS: dict[str, tuple[Change, str, Change]] = {
    # the whole
    "another game": (whole(game="hellas"), "game: The pack says game = 'hellas'", whole(title="x")),
    "no lanes": (whole(lanes=0), "lanes: 0 lanes; count the paths", whole(lanes=4)),
    "ten lanes": (whole(lanes=10), "lanes: 10 lanes", whole(lanes=4)),
    "27 wedges": (lose_wedge, "wedge: There are 27 wedges; expected 28", replace_wedge),
    "no id": (change("hydra-1", id=" "), "Wedge number 13 has no id", change("hydra-1", id="x")),
    "an id twice": (
        change("hydra-1", id="hydra-2"),
        "wedge hydra-2: Wedges number 13 and 14 have the same id",
        change("hydra-1", id="hydra-9"),
    ),
    "the line's id": (
        change("hydra-1", id="starting-line"),
        "wedge starting-line: 'starting-line' names the Starting Line",
        change("hydra-1", id="finish-line"),
    ),
    "three symbols": (
        both(*(change(f"owl-{number}", symbol="lyre") for number in (1, 2, 3))),
        "symbol: There are 3 starting symbols (lyre, amphora, laurel); expected 4",
        both(*(change(f"owl-{number}", symbol="harp") for number in (1, 2, 3))),
    ),
    "a set of four": (
        change("hydra-1", symbol="owl"),
        "symbol owl: 4 wedges show it; expected 3",
        both(change("hydra-1", symbol="owl"), lambda plain: wedge(plain, "owl-1").pop("symbol")),
    ),
    "an empty symbol": (
        both(*(change(f"owl-{number}", symbol=" ") for number in (1, 2, 3))),
        "symbol: A starting symbol has no name",
        both(*(change(f"owl-{number}", symbol="o") for number in (1, 2, 3))),
    ),
    # dots
    "no dots": (change("current-1", dots=[], paths=[]), "It has no dots", change("current-1", marker=199)),
    "a dot named as a lane": (
        both(dots("current-1", {**EXTRA, "id": "out7"}), paths("current-1", "b1 > z", "z > out2")),
        "wedge current-1: 'out7' is no name for a dot",
        both(dots("current-1", {**EXTRA, "id": "outer"}), paths("current-1", "b1 > outer", "outer > out2")),
    ),
    "a dot in capitals": (
        both(dots("current-1", {**EXTRA, "id": "Z"}), paths("current-1", "b1 > z > out2")),
        "'Z' is no name for a dot",
        both(dots("current-1", EXTRA), paths("current-1", "b1 > z > out2")),
    ),
    "two dots of one name": (
        dots("current-1", {**EXTRA, "id": "a1"}),
        "wedge current-1: Two dots are called a1",
        both(dots("current-1", EXTRA), paths("current-1", "b1 > z > out2")),
    ),
    "a dot in the centre": (
        dot("current-1", "a1", lane_tenths=9),
        "Dot a1 has lane_tenths = 9; expected 10 (lane 1, nearest the centre) to 40 (lane 4)",
        dot("current-1", "a1", lane_tenths=11),
    ),
    "a dot beyond the rim": (
        dot("current-1", "d1", lane_tenths=41),
        "Dot d1 has lane_tenths = 41",
        dot("current-1", "d1", lane_tenths=39),
    ),
    "a dot beyond the edge": (
        dot("current-1", "a3", along_percent=101),
        "Dot a3 has along_percent = 101; expected 0 to 100",
        dot("current-1", "a3", along_percent=100),
    ),
    "a dot before the edge": (
        dot("current-1", "a1", along_percent=-1),
        "Dot a1 has along_percent = -1; expected 0 to 100",
        dot("current-1", "a1", along_percent=0),
    ),
    "two dots on one spot": (
        dot("current-1", "b1", lane_tenths=10, along_percent=25),
        "Dots a1 and b1 lie on the same spot",
        dot("current-1", "b1", lane_tenths=11, along_percent=25),
    ),
    "two obstacles on a dot": (
        dot("current-1", "a1", marks=["hydra", "scylla"]),
        "Dot a1 has hydra and scylla; a dot has one obstacle at most",
        dot("current-1", "a1", marks=["fish", "hydra"]),
    ),
    # paths
    "no path": (paths("current-1", "a1 - b1"), "wedge current-1: 'a1 - b1' is no path", paths("current-1", " a1>c2 ")),
    "a path out of the far edge": (
        paths("current-1", "out1 > a1"),
        "Path out1 > a1 runs the wrong way",
        paths("current-1", "in1 > a2"),
    ),
    "a path into the near edge": (
        paths("current-1", "a1 > in1"),
        "Path a1 > in1 runs the wrong way",
        paths("current-1", "a1 > out1"),
    ),
    "a fifth lane": (
        paths("current-1", "a1 > out5"),
        "Path a1 > out5 uses lane 5; the pack has 4 lanes",
        paths("current-1", "a1 > out4"),
    ),
    "an unknown dot": (
        paths("current-1", "a1 > q"),
        "Path a1 > q names the dot q, and there is none",
        paths("current-1", "a1 > a3"),
    ),
    "a path back": (
        paths("current-1", "a2 > a1"),
        "Path a2 > a1 does not lead clockwise: along_percent goes from 50 to 25",
        paths("current-1", "a1 > a3"),
    ),
    "a path straight outwards": (
        paths("current-1", "a2 > c1"),
        "Path a2 > c1 does not lead clockwise: along_percent goes from 50 to 33",
        paths("current-1", "a1 > c2"),
    ),
    "a path to a dot beside": (
        dot("current-1", "b2", along_percent=25),
        "Path a1 > b2 does not lead clockwise: along_percent goes from 25 to 25",
        dot("current-1", "b2", along_percent=35),
    ),
    "a path twice": (
        paths("current-1", "in1 > a1"),
        "Path in1 > a1 is written down twice",
        paths("current-1", "in1 > b1"),
    ),
    # connections
    "a lane that is shut": (
        paths("current-4", "a1 > out1", without="in1 > a1 > out1"),
        "wedge current-4: No path begins at in1; a ship that comes in there could not go on",
        paths("current-4", "in1 > b1", "a1 > out1", "in2 > a1", without="in1 > a1 > out1"),
    ),
    "the outermost lane is shut": (
        paths("current-4", "d1 > d2 > d3 > d4 > out4", "in3 > d1", without="in4 > d1 > d2 > d3 > d4 > out4"),
        "wedge current-4: No path begins at in4",
        paths(
            "current-4", "in4 > d2", "d1 > d2 > d3 > d4 > out4", "in3 > d1", without="in4 > d1 > d2 > d3 > d4 > out4"
        ),
    ),
    "a way out by the outermost lane only": (
        both(dots("current-1", EXTRA), paths("current-1", "in4 > z")),
        "No path leads from dot z to the edge",
        both(dots("current-1", EXTRA), paths("current-1", "in4 > z > out4")),
    ),
    "a dot that nobody reaches": (
        both(dots("current-1", EXTRA), paths("current-1", "z > out2")),
        "No path leads to dot z; a ship could not come there",
        both(dots("current-1", EXTRA), paths("current-1", "in2 > z > out2")),
    ),
    "a dead end": (
        both(dots("current-1", EXTRA), paths("current-1", "in2 > z")),
        "No path leads from dot z to the edge; a ship there could not go on",
        both(dots("current-1", EXTRA), paths("current-1", "in2 > z > b2")),
    ),
    # whirlpools
    "a Charybdis without 3": (
        paths("charybdis-1", without="w =3> c3"),
        "No path out of the charybdis w has the number 3",
        paths("charybdis-1", "w =3> d2", without="w =3> c3"),
    ),
    "a Charybdis with 0": (
        paths("charybdis-1", "w =0> out1"),
        "A path out of the charybdis w has the number 0; expected 1, 2, 3",
        paths("charybdis-1", "w =1> b2", "w =2> a2", without="w =1> a2"),
    ),
    "a Scylla with 3": (
        paths("scylla-1", "w =3> out1"),
        "A path out of the scylla w has the number 3; expected 0, 1, 2",
        paths("scylla-1", "w =2> out1", without="w =2> a2"),
    ),
    "a path without a number": (
        paths("scylla-1", "w > out1"),
        "A path out of the scylla w has no number",
        paths("scylla-1", "w =0> out1"),
    ),
    "a number without a whirlpool": (
        paths("scylla-1", "a2 =1> out2"),
        "Dot a2 is no whirlpool, and a path out of it has a number",
        paths("scylla-1", "a2 > out2"),
    ),
    "a number at the edge": (
        paths("scylla-1", "in1 =1> b1"),
        "Path in1 > b1 has a number",
        paths("scylla-1", "in1 > b1"),
    ),
    # the Starting Line
    "three starting dots": (
        change("line", line=["a1", "b1", "c1"]),
        "starting-line: Ships start on 3 dots; expected 4 or more",
        both(MORE_DOTS, change("line", line=["a1", "b1", "c1", "d1", "e"])),
    ),
    "a starting dot that is none": (
        change("line", line=["a1", "b1", "c1", "d1", "e"]),
        "The line names the dot e, and there is none",
        both(MORE_DOTS, change("line", line=["a1", "b1", "c1", "d1", "e"])),
    ),
    "a starting dot twice": (
        change("line", line=["a1", "b1", "c1", "d1", "d1"]),
        "The line names a dot twice",
        change("line", line=["d1", "c1", "b1", "a1"]),
    ),
    "a way past the line": (
        MORE_DOTS,
        "A path crosses the wedge without a dot of the line",
        both(dots("line", {**EXTRA, "id": "e", "along_percent": 20}), paths("line", "in2 > e > b1")),
    ),
    "two dots of the line on one way": (
        both(
            dots("line", {**EXTRA, "id": "e", "along_percent": 80}),
            paths("line", "b1 > e > out2"),
            change("line", line=["a1", "b1", "c1", "d1", "e"]),
        ),
        "A path leads from dot b1 of the line to dot e of the line; a ship would win two laps",
        both(dots("line", {**EXTRA, "id": "e", "along_percent": 80}), paths("line", "b1 > e > out2")),
    ),
    "a mark on the line": (
        dot("line", "a1", marks=["fish"]),
        "Dot a1 has the mark fish; the Starting Line's icons",
        dot("line", "a1", lane_tenths=11),
    ),
    # Favors
    "35 cards": (change("zeus", copies=1, markers=[]), "favor: There are 35 Favor cards; expected 36", change("zeus")),
    "a card without copies": (
        both(change("zeus", copies=0, markers=[]), change("gaia", copies=4, markers=[])),
        "favor zeus: 0 copies; type in how many",
        both(change("zeus", copies=1, markers=[]), change("gaia", copies=3, markers=[])),
    ),
    "a card without id": (change("zeus", id=""), "favor 5: Favor number 5 has no id", change("zeus", id="y")),
    "a card's id twice": (
        change("zeus", id="gaia"),
        "favor gaia: Favors number 5 and 14 have the same id",
        change("zeus", name="Gaia"),
    ),
    "a card without name": (change("zeus", name=" "), "favor zeus: It has no name", change("zeus", text="")),
    "a bolt to be kept": (
        change("zeus", when="turn"),
        "favor zeus: A bolt is used as it is revealed",
        change("zeus", kind="boat", when="turn"),
    ),
    "a boat without time": (
        lambda plain: favor(plain, "janus").pop("when"),
        "favor janus: It has no `when`; write when it is used: rolling, moving, turn",
        change("janus", when="turn"),
    ),
    "a card that does nothing": (
        effects("zeus"),
        "favor zeus: It does nothing",
        effects("zeus", {"do": "by-hand"}),
    ),
    "an effect of nothing": (
        effects("zeus", {"do": "fish", "amount": 0}),
        "favor zeus: The effect fish has amount = 0",
        effects("zeus", {"do": "fish", "amount": -1}),
    ),
    "less than no wedge": (
        effects("zeus", {"do": "draw-wedge", "amount": -1}),
        "favor zeus: The effect draw-wedge has amount = -1; only move and fish can take away",
        effects("zeus", {"do": "move", "amount": -1}),
    ),
    "Fish taken from oneself": (
        effects("zeus", {"do": "take-fish"}),
        "favor zeus: The effect take-fish takes from user",
        effects("zeus", {"do": "take-fish", "whom": "others"}),
    ),
    "a wedge lifted by others": (
        effects("hades", {"do": "lift-wedge", "whom": "others"}),
        "favor hades: The effect lift-wedge is done once by the user",
        effects("hades", {"do": "lift-wedge"}),
    ),
    "two Starters 2": (
        change("demeter", starter=2),
        "starter: The Starter numbers are 2, 2, 3, 4; expected 1 to 4",
        both(change("demeter", starter=2), change("apollo", starter=1)),
    ),
    "another Starter": (
        change("demeter", name="Hestia"),
        "favor demeter: Hestia is no Starter",
        change("demeter", id="hestia"),
    ),
    "a Starter missing": (
        change("demeter", name="Apollo"),
        "starter: No Starter is called Demeter",
        both(change("demeter", name="Apollo"), change("apollo", name="Demeter")),
    ),
    "two of a Starter": (
        both(change("demeter", copies=2, markers=[]), change("zeus", copies=1, markers=[])),
        "favor demeter: 2 copies of a Starter",
        both(change("gaia", copies=3, markers=[]), change("zeus", copies=1, markers=[])),
    ),
    # markers
    "a marker too high": (
        change("current-4", marker=200),
        "wedge current-4: Marker 200 is none of the game's; expected 0 to 199",
        change("current-4", marker=199),
    ),
    "one marker on two wedges": (
        change("current-4", marker=0),
        "wedge current-4: Marker 0 is on wedge lyre-1 too",
        change("current-4", marker=100),
    ),
    "the line's marker on a card": (
        change("zeus", markers=[28, 100]),
        "favor zeus: Marker 28 is on starting-line too",
        change("zeus", markers=[101, 100]),
    ),
    "a card's marker twice": (
        change("zeus", markers=[100, 100]),
        "favor zeus: Marker 100 is twice",
        change("zeus", markers=[]),
    ),
    "fewer markers than copies": (
        change("zeus", markers=[100]),
        "favor zeus: 1 markers for 2 copies",
        change("zeus", markers=[100, 101]),
    ),
}


@clause("GL-C2", "GL-C6", "GL-S1", "GL-S2", "GL-S21", "GL-V1", "GL-Y1")
@near_miss("GL-C2", "GL-C6", "GL-S1", "GL-S2", "GL-S21", "GL-V1", "GL-Y1")
@pytest.mark.parametrize(("spoil", "words", "near"), ERRORS.values(), ids=ERRORS)
def test_what_makes_a_pack_unplayable_is_found_and_its_near_miss_is_not(
    spoil: Change, words: str, near: Change
) -> None:
    plain = default_pack()
    spoil(plain)
    told = messages(plain, Severity.ERROR)
    assert [each for each in told if words in each], told
    plain = default_pack()
    near(plain)
    assert messages(plain, Severity.ERROR) == []


@pytest.mark.parametrize(
    ("plain", "words"),
    [
        ({}, "Object missing required field"),
        ({"game": "greece-lightning", "title": "t", "starting_line": 3, "wedge": [], "favor": []}, "starting_line"),
        ({**default_pack(), "extra": 1}, "unknown field `extra`"),
    ],
)
def test_what_is_no_pack_is_one_error(plain: Plain, words: str) -> None:
    found = check_pack(plain)
    assert [each.severity for each in found] == [Severity.ERROR]
    assert words in found[0].message


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (dot("current-1", "a1", marks=["whale"]), "Invalid enum value 'whale'"),
        (effects("zeus", {"do": "sing"}), "Invalid enum value 'sing'"),
        (dot("current-1", "a1", along_percent=2.5), "Expected `int`, got `float`"),
    ],
)
def test_an_unknown_word_is_named_with_its_place(spoil: Change, words: str) -> None:
    plain = default_pack()
    spoil(plain)
    (told,) = messages(plain, Severity.ERROR)
    assert words in told
    assert "at `$." in told


# --- remarks

FISHLESS = "No wedge shows fish, which the rulebook tells of"


def no_fish(plain: Plain) -> None:
    for each in plain["wedge"]:
        for lies in each["dots"]:
            lies["marks"] = [mark for mark in lies.get("marks", []) if mark != "fish"]


ODD: dict[str, tuple[Change, str, Change]] = {
    "nothing leads to a lane": (
        paths("current-4", "in1 > a1 > out2", without="in1 > a1 > out1"),
        "wedge current-4: No path leads to out1",
        paths("current-4", "a1 > out2"),
    ),
    "nothing leads to the outermost lane": (
        paths("current-4", "in4 > d1 > d2 > d3 > d4 > out3", without="in4 > d1 > d2 > d3 > d4 > out4"),
        "wedge current-4: No path leads to out4",
        paths("current-4", "d3 > out3"),
    ),
    "a path without a dot": (
        paths("current-4", "in1 > out1"),
        "wedge current-4: Path in1 > out1 has no dot",
        paths("current-4", "a1 > out3"),
    ),
    "a number twice": (
        paths("scylla-1", "w =1> out1"),
        "wedge scylla-1: 2 paths out of dot w have the number 1",
        paths("scylla-1", "w =1> out1", "b1 > b2", without="w =1> b2"),
    ),
    "a mark twice": (
        dot("current-4", "a1", marks=["fish", "fish"]),
        "wedge current-4: Dot a1 has the same mark twice",
        dot("current-4", "a1", marks=["fish", "favor"]),
    ),
    "no Fish on any wedge": (no_fish, FISHLESS, both(no_fish, dot("current-4", "a1", marks=["fish"]))),
    "a Starter that is no boat": (
        change("demeter", kind="trident"),
        "favor demeter: A Starter lies face up on its player's board from set-up",
        change("demeter", when="moving"),
    ),
    "a second roll after the roll": (
        change("athena", when="moving"),
        "favor athena: The effect safe-second comes after the roll",
        change("poseidon", when="rolling"),
    ),
    "no trident": (
        both(*(change(each, kind="boat") for each in ("ares", "eris", "medusa"))),
        "favor: No card has the icon trident",
        both(*(change(each, kind="boat") for each in ("ares", "eris"))),
    ),
}


@pytest.mark.parametrize(("spoil", "words", "near"), ODD.values(), ids=ODD)
def test_what_is_odd_but_playable_is_remarked_and_its_near_miss_is_not(spoil: Change, words: str, near: Change) -> None:
    plain = default_pack()
    spoil(plain)
    assert messages(plain, Severity.ERROR) == []
    told = messages(plain, Severity.REMARK)
    assert [each for each in told if words in each], told
    plain = default_pack()
    near(plain)
    assert messages(plain, Severity.ERROR) == []
    assert [each for each in messages(plain, Severity.REMARK) if words in each] == []


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
