"""Every option changes what its clause says, and the ruling names it; nothing else of a header is taken on trust."""

from __future__ import annotations

from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest

from rules.errors import BadHeader
from rules.greece_lightning.game import GAME
from rules.greece_lightning.options import OPEN_CASES, GreeceLightningOptions, options_from, options_plain
from tests.rules.greece_lightning.course_parts import at
from tests.rules.greece_lightning.script import board, run, seats, seen

HYDRAS: dict[str, Any] = {"left": 9, "dice": "2-4"}
PLACE: dict[str, Any] = {"step": "place", "wedges": "fish", "left": 6, "seat": {2: {"astray": at("5a")}}}
SKIP_LINE: dict[str, Any] = {"ships": "12b 1b 8d", "left": 5}
SKIP_POOL: dict[str, Any] = {"ships": "3b 4b 8d", "left": 5, "fish": "0", "tops": {4: "scylla"}}
REVEAL: dict[str, Any] = {"step": "reveal", "facedown": "1"}
LAST: dict[str, Any] = {"left": 0, "seat": {2: {"played": True}, 3: {"played": True}}}
BEFORE_LINE: dict[str, Any] = {"ships": "12b 8a 8d", "laps": "1 0 0"}
POOL: dict[str, Any] = {"ships": "4b 8a 8d", "left": 5, "tops": {4: "charybdis"}}
BOOSTS: dict[str, Any] = {"left": 9, "dice": "1-4", "tops": {4: "boosts", 5: "hydras"}}
ROLLED: dict[str, Any] = {"turn": None, "dice": "1-3-2", "fish": "1"}

CASES: list[tuple[str, Any, str, str, str, dict[str, Any]]] = [
    ("stray_wake_bars", True, "lay fish 5", "gl.on-wake", "top5=w5", PLACE),
    ("stray_wake_bars", False, "lay fish 5", "gl.placed", "top5=fish", PLACE),
    ("skipped_line_counts_lap", True, "go 2b", "gl.line", "laps=1", SKIP_LINE),
    ("skipped_line_counts_lap", False, "go 2b", "gl.line", "laps=0; fish=3", SKIP_LINE),
    ("skipped_whirlpool_tolls", False, "go 4b2", "gl.step", "at=4b2; fish=0", SKIP_POOL),
    ("skipped_whirlpool_tolls", True, "go 4b2", "gl.scylla", "at=3b", SKIP_POOL),
    ("skipped_whirlpool_tolls", True, "go 5a", "gl.step", "at=5a", SKIP_POOL),
    ("tridents_face_up", True, "reveal eris; give 3 down", "gl.face-up", "waits=trident", REVEAL),
    ("tridents_face_up", False, "reveal eris; give 3 down", "gl.received", "favors3=eris", REVEAL),
    ("laps_first", True, "end", "gl.fleece", "fleece=2", {"ships": "3b 12a 6d", "laps": "1 0 1", **LAST}),
    ("laps_first", False, "end", "gl.fleece", "fleece=1", {"ships": "3b 12a 6d", "laps": "1 0 1", **LAST}),
    ("same_wedge", "centre", "end", "gl.fleece", "fleece=1", {"ships": "4c2 9a 4b", "tops": {4: "fork"}, **LAST}),
    ("same_wedge", "clockwise", "end", "gl.fleece", "fleece=3", {"ships": "4c2 9a 4b", "tops": {4: "fork"}, **LAST}),
    ("stops_at_line", False, "go 1b", "gl.line", "left=4", {"left": 5, **BEFORE_LINE}),
    ("stops_at_line", True, "go 1b", "gl.stops-at-line", "left=0", {"left": 5, **BEFORE_LINE}),
    ("landing_ends", True, "go 1b", "gl.line", "ending=True", {"left": 1, **BEFORE_LINE}),
    ("landing_ends", False, "go 1b", "gl.line", "ending=False", {"left": 1, **BEFORE_LINE}),
    ("boost_on_last_dot", True, "go 4b", "gl.bonus", "left=3", {"left": 1, "tops": {4: "boosts"}}),
    ("boost_on_last_dot", False, "go 4b", "gl.bonus-full", "left=0", {"left": 1, "tops": {4: "boosts"}}),
    ("every_boost_counts", True, "go 4b 5b", "gl.bonus", "left=8",
     {"left": 4, "tops": {4: "boosts", 5: "boosts-too"}}),
    ("every_boost_counts", False, "go 4b 5b", "gl.bonus-full", "left=5",
     {"left": 4, "tops": {4: "boosts", 5: "boosts-too"}}),
    ("bonuses_optional", False, "go 4b no", "gl.bonus", "fish=3", {"left": 1, "tops": {4: "fish"}}),
    ("bonuses_optional", True, "go 4b no", "gl.declined", "fish=2", {"left": 1, "tops": {4: "fish"}}),
    ("leaving_line_counts", False, "go 2b", "gl.step", "laps=1", {"ships": "1b 8a 8d", "laps": "1 0 0", "left": 2}),
    ("leaving_line_counts", True, "go 2b", "gl.line", "laps=2", {"ships": "1b 8a 8d", "laps": "1 0 0", "left": 2}),
    ("start_counts", False, "go 2b", "gl.step", "laps=0", {"ships": "1b 8a 8d", "left": 2}),
    ("start_counts", True, "go 2b", "gl.line", "laps=1", {"ships": "1b 8a 8d", "left": 2}),
    ("bust_dice_open_paths", False, "go 5b", "gl.charybdis", "at=4b", {"dice": "1-3-2", **POOL}),
    ("bust_dice_open_paths", True, "go 5b", "gl.step", "at=5b", {"dice": "1-3-2", **POOL}),
    ("fleece_at_charybdis", False, "go 5b", "gl.charybdis", "at=4b", {"dice": "1-5", "fleece": 1, **POOL}),
    ("fleece_at_charybdis", True, "go 5b", "gl.step", "at=5b", {"dice": "1-5", "fleece": 1, **POOL}),
    ("stopped_reveals", True, "end", "gl.move-finished", "turn=1; facedown=1",
     {"facedown": "1", "seat": {1: {"stopped": True}}}),
    ("stopped_reveals", False, "end", "gl.move-finished", "turn=2; facedown=1",
     {"facedown": "1", "seat": {1: {"stopped": True}}}),
    ("hydra_dot_counts", True, "go 4b 5b 6b", "gl.hydra", "waits=hydra", {"tops": {6: "hydras"}, **HYDRAS}),
    ("hydra_dot_counts", False, "go 4b 5b 6b", "gl.hydra-protected", "waits=-", {"tops": {6: "hydras"}, **HYDRAS}),
    ("skipped_dots_count", False, "go 5b 6b", "gl.hydra-protected", "waits=-",
     {"ships": "3b 4b 8d", "tops": {6: "hydras"}, **HYDRAS}),
    ("skipped_dots_count", True, "go 5b 6b", "gl.hydra", "waits=hydra",
     {"ships": "3b 4b 8d", "tops": {6: "hydras"}, **HYDRAS}),
    ("boosts_protect", False, "go 4b 5b", "gl.hydra", "waits=hydra", BOOSTS),
    ("boosts_protect", True, "go 4b 5b", "gl.hydra-protected", "waits=-", BOOSTS),
    ("protected_at_end", True, "go 4b", "gl.hydra-protected", "waits=-", {"left": 1, "tops": {4: "hydras"}}),
    ("protected_at_end", False, "go 4b", "gl.hydra", "waits=hydra", {"left": 1, "tops": {4: "hydras"}}),
    ("rerolls_close", "finished", "done; again second", "gl.roll-finished", "fish=1", ROLLED),
    ("rerolls_close", "all finished", "done; again second", "gl.reroll", "fish=0", ROLLED),
]  # fmt: skip

SILENT = {
    # An option that lets what happens pass without a word has nothing to name itself in.
    ("stray_wake_bars", False),
    ("leaving_line_counts", False),
    ("start_counts", False),
    ("stops_at_line", False),
    ("bust_dice_open_paths", True),
    ("fleece_at_charybdis", True),
    ("rerolls_close", "all finished"),
    ("stopped_reveals", True),
    ("stopped_reveals", False),
    ("bonuses_optional", False),
}


@pytest.mark.parametrize(
    ("option", "value", "script", "code", "after", "given"),
    [pytest.param(*case, id=f"{case[0]}={case[1]}") for case in CASES],
)
def test_the_ruling_follows_the_option_and_names_it(
    option: str, value: Any, script: str, code: str, after: str, given: dict[str, Any]
) -> None:
    made = board(**given, options={option: value})
    rulings = run(made, script)
    found = next((ruling for ruling in rulings if ruling.code == code), None)
    assert found is not None, [ruling.code for ruling in rulings]
    for part in after.split("; "):
        what, _, expected = part.partition("=")
        assert (what, seen(made, what)) == (what, expected)
    if (option, value) not in SILENT:
        assert option in found.by_option
        assert OPEN_CASES[option] in found.clauses


def test_every_value_of_every_option_is_tried() -> None:
    hints = get_type_hints(GreeceLightningOptions)
    wanted = {
        (name, value)
        for name in OPEN_CASES
        for value in (get_args(hints[name]) if get_origin(hints[name]) is Literal else (True, False))
    }
    assert {(case[0], case[1]) for case in CASES} == wanted
    assert set(OPEN_CASES) | {"difficult", "rolling"} == set(GreeceLightningOptions.__struct_fields__)


def test_the_defaults_are_the_readings_of_the_clauses() -> None:
    assert options_plain(GreeceLightningOptions()) == {
        "difficult": False,
        "rolling": "together",
        "stray_wake_bars": True,
        "skipped_line_counts_lap": True,
        "skipped_whirlpool_tolls": False,
        "tridents_face_up": True,
        "laps_first": True,
        "same_wedge": "centre",
        "stops_at_line": False,
        "landing_ends": True,
        "boost_on_last_dot": True,
        "every_boost_counts": True,
        "bonuses_optional": False,
        "leaving_line_counts": False,
        "start_counts": False,
        "bust_dice_open_paths": False,
        "fleece_at_charybdis": False,
        "stopped_reveals": True,
        "hydra_dot_counts": True,
        "skipped_dots_count": False,
        "boosts_protect": False,
        "protected_at_end": True,
        "rerolls_close": "finished",
    }


@pytest.mark.parametrize("given", [{"laps": 3}, {"same_wedge": "outer"}, {"difficult": 1}])
def test_unknown_options_and_values_are_refused_with_the_names_there_are(given: dict[str, Any]) -> None:
    with pytest.raises(BadHeader, match="stops_at_line"):
        options_from(given)
    with pytest.raises(BadHeader):
        GAME.new_header("m", seats(2), given)


def test_a_header_carries_every_option() -> None:
    header = GAME.new_header("m", seats(2), {"difficult": True})
    assert header.options == {**options_plain(GreeceLightningOptions()), "difficult": True}
