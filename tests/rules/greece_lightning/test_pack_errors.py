"""What makes a component pack unplayable is found, and its near miss is not."""

from __future__ import annotations

import pytest

from rules.greece_lightning.check import check_pack
from rules.greece_lightning.favors import Deed
from rules.greece_lightning.pack import Pack, default_pack
from rules.packs import Severity
from tests.rules.greece_lightning.pack_changes import (
    Change,
    Plain,
    both,
    change,
    dot,
    effects,
    favor,
    hold_error,
    lose_wedge,
    messages,
    paths,
    replace_wedge,
    wedge,
    whole,
)

clause = pytest.mark.clause
near_miss = pytest.mark.near_miss


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


@clause("GL-C2", "GL-C6", "GL-S1", "GL-S2", "GL-S21")
@near_miss("GL-C2", "GL-C6", "GL-S1", "GL-S2", "GL-S21")
@pytest.mark.parametrize(("spoil", "words", "near"), ERRORS.values(), ids=ERRORS)
def test_what_makes_a_pack_unplayable_is_found_and_its_near_miss_is_not(
    spoil: Change, words: str, near: Change
) -> None:
    hold_error(spoil, words, near)


@pytest.mark.parametrize(
    ("plain", "told"),
    [
        pytest.param(
            {},
            [f"pack: The field {name} is missing." for name in ("game", "title", "starting_line", "wedge", "favor")],
            id="nothing",
        ),
        pytest.param(
            {"game": "greece-lightning", "title": "t", "starting_line": 3, "wedge": [], "favor": []},
            ["starting_line: It is 3; expected a table with the fields line, dots, paths, sure, marker."],
            id="a number for a table",
        ),
        pytest.param(
            {**default_pack(), "extra": 1},
            ["extra: There is no field 'extra' here; expected one of: " + ", ".join(Pack.__struct_fields__) + "."],
            id="a field too many",
        ),
    ],
)
def test_what_is_no_pack_is_told_field_by_field(plain: Plain, told: list[str]) -> None:
    assert messages(plain, Severity.ERROR) == told


@pytest.mark.parametrize(
    ("spoil", "told", "at"),
    [
        pytest.param(
            dot("current-1", "a1", marks=["fish", "whale"]),
            "wedge current-1, dots a1, marks 2: It is 'whale'; expected one of: fish, favor, wedge, boost, hydra, "
            "charybdis, scylla.",
            ("wedge", 24, "dots", 0, "marks", 1),
            id="a mark",
        ),
        pytest.param(
            effects("zeus", {"do": "sing"}),
            "favor zeus, effects 1, do: It is 'sing'; expected one of: " + ", ".join(each.value for each in Deed) + ".",
            ("favor", 4, "effects", 0, "do"),
            id="a deed",
        ),
        pytest.param(
            dot("current-1", "a1", along_percent=2.5),
            "wedge current-1, dots a1, along_percent: It is 2.5; expected a whole number, without quotes.",
            ("wedge", 24, "dots", 0, "along_percent"),
            id="half a percent",
        ),
    ],
)
def test_a_word_or_number_that_a_pack_cannot_hold_is_told_with_its_place_and_what_is_expected(
    spoil: Change, told: str, at: tuple[str | int, ...]
) -> None:
    plain = default_pack()
    spoil(plain)
    (finding,) = [each for each in check_pack(plain) if each.severity is Severity.ERROR]
    assert f"{finding.where}: {finding.message}" == told
    assert finding.at == at


@pytest.mark.parametrize(
    ("spoil", "at"),
    [
        (paths("current-1", "a1 > z"), ("wedge", 24, "paths", -1)),
        (dot("current-1", "a1", along_percent=101), ("wedge", 24, "dots", 0)),
        (change("current-1", id=""), ("wedge", 24, "id")),
        (change("zeus", copies=0), ("favor", 4, "copies")),
        (effects("zeus", {"do": "move", "amount": 0}), ("favor", 4, "effects")),
        (change("zeus", markers=[1]), ("favor", 4, "markers")),
        (whole(lanes=0), ("lanes",)),
    ],
)
def test_an_error_knows_its_place_in_the_pack(spoil: Change, at: tuple[str | int, ...]) -> None:
    plain = default_pack()
    spoil(plain)
    expected = tuple(len(wedge(plain, "current-1")["paths"]) - 1 if part == -1 else part for part in at)
    assert expected in {each.at for each in check_pack(plain) if each.severity is Severity.ERROR}
