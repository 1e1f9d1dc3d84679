"""Greece Lightning at the live table: presses, what is shown, and whole races that play themselves."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.live.interpreter import interpreter_for
from companion.live.opening import Wanted, new_header
from companion.live.race_demo import RacePlayers
from device.clock import ManualClock
from device.errors import SceneError
from device.simulated.race_table import SimulatedRaceTable
from rules.events import Source, Submission
from rules.games import new_match
from rules.greece_lightning.events import EndMove, Feed, FinishRoll, Movement, Navigation, Step, Total
from rules.match import Match
from rules.rulings import Verdict
from tests.companion.helpers import open_table, press
from tests.companion.race_stage import BRISK, SEATS, RaceStage
from tests.rules.greece_lightning.script import board

RACE = interpreter_for("greece-lightning")
STOPPED_SEED = 12
"""Of a race in which a Hydra stops a ship and somebody accepts a bust, among all else."""

TOLD = replace(BRISK, unread_ns=1, look_ns=(1, 2))
"""Players whom no camera watches: they say on the page at once what their dice show."""


def new_race(**changes: Any) -> Match[Any]:
    return new_match(new_header(Wanted("greece-lightning", seats=SEATS, **changes)))


def kinds(stage: RaceStage) -> Counter[tuple[type[Any], Source]]:
    return Counter((type(entry.filed.event), entry.filed.source) for entry in stage.table.entries())


# --- the interpreter


def test_one_press_is_one_dot_and_the_second_button_feeds() -> None:
    match = board(ships="3a 8a 8d", turn=1, step="move", left=2).match
    (going, feeding) = RACE.presses((press(1, 5), press(1, 6, "call")), match)
    assert isinstance(going.event, Step)
    assert (going.source, going.at_ns, feeding.event) == (Source.BUTTON, 5, Feed(1))


def test_presses_are_filed_one_by_one_and_judged_by_the_referee(tmp_path: Path) -> None:
    """While all roll the first button accepts the own roll; without a roll the referee says which step comes first."""
    stage = RaceStage(tmp_path, 3, manners=TOLD)
    try:
        while stage.table.state.phase != "rolling":
            stage.frame(look=False)
        stage.simulated.press(2, "claim")
        stage.simulated.press(1, "call")
        for _ in range(3):
            stage.frame(look=False, play=False)
        *_, second, first = stage.table.entries()
        assert (first.filed.event, first.rulings[0].code) == (FinishRoll(2), "gl.not-rolled")
        assert (second.filed.event, second.rulings[0].verdict) == (Feed(1), Verdict.REFUSED)
        assert "GL-R3" in first.rulings[0].clauses
    finally:
        stage.close()


def test_the_view_is_plain_and_tells_what_is_a_guess() -> None:
    match = board(ships="3a 8a 8d", turn=1, step="move", left=2).match
    view = RACE.view(match)
    assert msgspec.json.decode(msgspec.json.encode(view)) == msgspec.json.decode(msgspec.json.encode(view))
    assert {"phase", "course", "seats", "turn", "options", "open_cases", "remarks"} <= view.keys()
    assert view["options"] == dict(match.header.options)
    assert RACE.view(new_race())["assumed_pack"] is True


def test_a_box_that_somebody_has_written_down_is_no_guess() -> None:
    sure: dict[str, Any] = {"symbol": "published", "print": "published"}
    card = dict.fromkeys(("name", "kind", "effects", "copies", "starter"), "published")
    pack = new_race().header.pack
    known = {
        **pack,
        "starting_line": {**pack["starting_line"], "sure": "published"},
        "wedge": [{**each, "sure": sure} for each in pack["wedge"]],
        "favor": [{**each, "sure": card} for each in pack["favor"]],
    }
    assert RACE.view(new_race(pack=known))["assumed_pack"] is False
    known["wedge"][4] = {**known["wedge"][4], "sure": {**sure, "print": "assumed"}}
    assert RACE.view(new_race(pack=known))["assumed_pack"] is True


def test_the_markers_are_those_of_wedges_and_of_every_copy_of_a_card() -> None:
    match = new_race()
    known = RACE.markers(match.header)
    given = match.state.given
    assert set(known.cards.values()) == set(given.wedges) | set(given.favors)
    copies = Counter(known.cards.values())
    assert all(copies[favor.id] == favor.copies for favor in given.favors.values())
    assert not known.repeated


def test_nothing_is_hidden_and_sums_are_no_news() -> None:
    match = new_race()
    assert RACE.open_areas(match) is None
    assert RACE.is_news(Navigation(1, 2))
    assert not RACE.is_news(Total(1, 6))
    assert RACE.tie_ns(match.header) > 0


def test_the_live_table_shows_a_race(tmp_path: Path) -> None:
    store, table = open_table(tmp_path, wanted=Wanted("greece-lightning", seats=SEATS))
    try:
        view = table.view()
        assert (view["game"], view["title"], view["phase"]) == ("greece-lightning", "Greece Lightning", "setup")
        assert any(each["event"]["kind"] == "circle" for each in view["choices"])
    finally:
        table.close()
        store.close()


# --- the simulated board areas


def test_no_die_lies_on_the_table_before_it_is_thrown_nor_after_it_was_taken_off() -> None:
    clock = ManualClock()
    table = SimulatedRaceTable(clock, 3, seed=5)
    assert table.dice_truth() == ()
    clock.advance_to(table.throw(2, [1], [6]))
    (lying,) = table.dice_truth()
    assert (lying.seat, lying.index, lying.value, lying.colour) == (2, 1, 6, "blue")
    clock.advance_to(table.take_off(2, [1]))
    assert table.dice_truth() == ()
    assert table.hands(clock.now_ns() + 1_000_000_000) == []  # no hand stays over the table
    with pytest.raises(SceneError, match="wait until it lies still"):
        table.take_off(2, [1])
    clock.advance_to(table.throw(2, [1], [3]))
    assert table.truth()[2][1] == 3


# --- whole races


@pytest.mark.parametrize(("seed", "seats"), [(2, 2), (9, 4)])
def test_a_race_that_no_camera_watches_is_told_on_the_page_to_its_end(tmp_path: Path, seed: int, seats: int) -> None:
    from companion.live.opening import DEMO_SEATS

    stage = RaceStage(tmp_path, seed, manners=TOLD, seats=DEMO_SEATS[:seats])
    try:
        stage.run_until(lambda state: state.phase == "over", 3000, look=False)
        found = kinds(stage)
        assert found[Movement, Source.DECLARED] > 5
        assert found[Movement, Source.CAMERA] == 0
        assert stage.table.state.winners
        assert stage.table.view()["problems"] == []
        over = stage.table.header.match
        stage.run_until(lambda state: state.phase == "rolling", 400, look=False)  # and another race follows
        assert stage.table.header.match != over
    finally:
        stage.close()


def test_a_race_goes_on_where_it_was_with_other_players(tmp_path: Path) -> None:
    stage = RaceStage(tmp_path, 4, manners=TOLD)
    try:
        stage.run_until(lambda state: state.round == 3 and state.phase == "turns", 2000, look=False)
        for _ in range(3):  # a press is still on its way
            stage.frame(look=False, play=False)
        before = stage.table.match.seq
        header = stage.table.header
        stage.players = RacePlayers(stage.table, stage.simulated, new_header=lambda: header, seed=8, manners=TOLD)
        stage.run_until(lambda state: state.phase == "over", 3000, look=False)
        refused = [each for each in stage.table.entries(before) if each.rulings[0].verdict is Verdict.REFUSED]
        assert [each.rulings[0].code for each in refused] == []
    finally:
        stage.close()


def test_players_who_slip_are_told_the_clause_and_finish_all_the_same(tmp_path: Path) -> None:
    stage = RaceStage(tmp_path, 6, manners=replace(TOLD, early=0.3, feeds=0.2))
    try:
        stage.run_until(lambda state: state.phase == "over", 4000, look=False)
        refused = {
            each.rulings[0].code: each.rulings[0].clauses
            for each in stage.table.entries()
            if each.rulings[0].verdict is Verdict.REFUSED
        }
        assert "GL-R3" in refused["gl.navigation-first"]
        assert "GL-P2" in refused["gl.no-hydra"]
    finally:
        stage.close()


def test_a_die_that_is_taken_off_too_early_is_missed_in_rendered_frames(tmp_path: Path) -> None:
    """While all roll: who has finished has the dice lie there to the end of the round. GL-R24."""
    stage = RaceStage(tmp_path, 3, manners=TOLD)

    def watch(frames: int) -> dict[str, int]:
        stage.noticed.clear()
        for _ in range(frames):
            stage.frame(play=False)
        return dict(stage.noticed)

    try:
        while stage.table.state.phase != "rolling":
            stage.frame(look=False)
        watch(20)
        stage.table.submit(Submission(Navigation(1, 2), Source.DECLARED))
        stage.simulated.throw(1, [0], [4])
        while stage.table.state.seat_state(1).first is None:
            watch(1)
        assert kinds(stage)[Movement, Source.CAMERA] == 1
        stage.table.submit(Submission(FinishRoll(1), Source.DECLARED))
        assert watch(50) == {}
        stage.simulated.take_off(1, [0])
        assert set(watch(75)) == {"notice.movement-dice-missing"}
    finally:
        stage.close()


def test_a_race_from_rendered_frames_and_presses_to_its_end(tmp_path: Path) -> None:
    """Two laps: the camera reads every die, busts, the Hydra is fed by button and stops a ship, somebody wins."""
    stage = RaceStage(tmp_path, STOPPED_SEED, difficult=True)
    thrown: list[tuple[int, int | None]] = []
    throw = stage.simulated.throw

    def noted(seat: int, dice: Any = None, faces: Any = None) -> int:
        thrown.append((seat, faces[0]))
        return throw(seat, dice, faces)

    stage.simulated.throw = noted  # type: ignore[method-assign]
    try:
        stage.run_until(lambda state: state.phase == "over", 1200)
        read = [
            (entry.filed.event.seat, entry.filed.event.faces[0])
            for entry in stage.table.entries()
            if isinstance(entry.filed.event, Movement) and entry.filed.source is Source.CAMERA
        ]
        for seat in (1, 2):
            assert [face for who, face in read if who == seat] == [face for who, face in thrown if who == seat]
        found, codes = kinds(stage), stage.codes()
        assert found[Movement, Source.DECLARED] == 0
        assert min(found[kind, Source.BUTTON] for kind in (Step, Feed, FinishRoll, EndMove)) > 0
        assert min(codes[code] for code in ("gl.bust", "gl.success", "gl.fed", "gl.hydra-stops")) > 0
        assert codes["gl.finished"] == 1
        assert max(seat.laps for seat in stage.table.state.seats) == 2
        assert stage.noticed == {}  # nobody leaves dice where they should not lie, and none is misjudged
        assert stage.table.view()["problems"] == []
    finally:
        stage.close()
