"""Thunder & Lightning at the live table: its buttons, its screens, and players that are read from pixels."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from companion.live.card_places import nooks_for, places_for
from companion.live.duel_world import World, WorldLost
from companion.live.interpreter import Notice, SeenDie, interpreter_for
from companion.live.opening import Wanted
from companion.live.simulation import STAGINGS
from companion.live.table import LiveTable
from companion.live.view import CameraHealth
from companion.live.watcher import TableWatcher
from device.simulated.card_layout import CARD_TABLE_SIZE_MM
from rules.events import Decision, Source, Submission, Undo
from rules.games import GAMES, new_match
from rules.thunder_and_lightning.components import Role
from rules.thunder_and_lightning.events import (
    Challenge,
    Deal,
    Decide,
    Draw,
    EndTurn,
    Lay,
    Play,
    Shuffled,
    TurnUp,
)
from rules.thunder_and_lightning.state import Waiting
from tests.companion.duel import LOKI, SEATS, THOR, duel_header, face_down_match, file, pass_turns
from tests.companion.duel_stage import Stage
from tests.companion.helpers import open_table, press
from vision.reader import NoDice

WANTED = Wanted("thunder-and-lightning", seats=SEATS)
DUEL = interpreter_for("thunder-and-lightning")


def test_every_game_has_an_interpreter_and_a_simulated_table() -> None:
    assert set(STAGINGS) == set(GAMES)
    assert {name: interpreter_for(name).dice for name in GAMES} == {
        "lightning-dice": True,
        "thunder-and-lightning": False,
        "greece-lightning": True,
    }


# --- buttons


def test_the_first_button_says_a_card_was_drawn_and_the_second_ends_the_turn() -> None:
    match = face_down_match()
    filed = DUEL.presses((press(LOKI, 5), press(THOR, 6, "call"), press(9, 7), press(LOKI, 8, "flip")), match)
    assert [each.event for each in filed] == [Draw(LOKI), EndTurn(THOR)]
    assert {each.source for each in filed} == {Source.BUTTON}
    assert [each.at_ns for each in filed] == [5, 6]


def test_a_seat_s_only_button_draws_while_it_may_and_else_ends_the_turn() -> None:
    match = face_down_match()
    mover = match.state.turn.seat
    may_draw = any(option.event == Draw(mover) for option in match.options())
    other = THOR if mover == LOKI else LOKI
    filed = DUEL.presses((press(mover, 5, "switch"), press(other, 6, "switch")), match)
    assert may_draw
    assert [each.event for each in filed] == [Draw(mover), EndTurn(other)]


@pytest.mark.parametrize(("button", "decision"), [("uphold", Decision.UPHOLD), ("overrule", Decision.REFUSE)])
@pytest.mark.parametrize(("judge", "source"), [(None, Source.BUTTON), ("Judith", Source.JUDGE)])
def test_the_judges_button_decides_the_claim_that_waits(
    button: str, decision: Decision, judge: str | None, source: Source
) -> None:
    match = _stuck_match(judge)
    (filed,) = DUEL.presses((press(0, 5, button), press(0, 6, button)), match)
    assert filed.event == Decide(match.state.waiting[0].seq, decision)
    assert filed.source is source


def _stuck_match(judge: str | None) -> Any:
    """A match in which Loki's claim waits for somebody's word."""
    match = face_down_match(judge=judge)
    claim = Waiting("stuck", LOKI, LOKI, match.seq)
    return SimpleNamespace(header=match.header, seq=match.seq, state=match.state.replace(waiting=(claim,)))


def test_the_judges_button_means_nothing_while_nothing_waits() -> None:
    assert DUEL.presses((press(0, 5, "uphold"),), face_down_match()) == []


# --- what the screens show


def test_the_view_shows_both_sides_as_they_lie_and_names_no_hidden_card() -> None:
    match = face_down_match()
    view = DUEL.view(match)
    assert view["phase"] == "play"
    assert view["turn"] == {"seat": LOKI, "points": 3, "spent": 0, "left": 3, "first": True}
    assert view["assumed_pack"] is True
    assert (view["question"], view["waiting"], view["remarks"]) == (None, [], [])
    thor = view["seats"][0]
    assert thor["columns"] == [[{"back": "thor", "card": None, "row": 1}]] * 3
    assert (thor["role"], thor["hand"], thor["deck"], thor["pile"], thor["top"]) == ("thor", 6, 41, 0, None)
    assert thor["setup"] == {"shuffled": True, "dealt": 9, "treasure": "", "laid": 3}
    msgspec.json.encode(view)


def test_a_challenge_is_in_question_until_it_is_ruled_and_then_shown_closed() -> None:
    match = face_down_match()
    pass_turns(match)
    file(match, Challenge(LOKI, 2))
    asked = DUEL.view(match)["question"]
    assert asked["kind"] == "challenge"
    assert asked["open"] is True
    assert asked["challenger"] == {"spot": [LOKI, 2, 1], "back": "loki", "card": None}
    assert asked["target"] == {"spot": [THOR, 2, 1], "back": "thor", "card": None}
    waiting = DUEL.view(match)["waiting"][0]
    assert (waiting["kind"], waiting["challenger"], waiting["spots"]) == ("challenge", [LOKI, 2, 1], [[THOR, 2, 1]])
    file(match, TurnUp((LOKI, 2, 1), "loki-fire-giant"))
    assert DUEL.view(match)["question"]["challenger"]["card"]["id"] == "loki-fire-giant"
    file(match, TurnUp((THOR, 2, 1), "thor-chosen-axemen"))
    ruled = DUEL.view(match)["question"]
    assert ruled["open"] is False
    assert ruled["challenger"]["card"]["id"] == "loki-fire-giant", "it left the table, and everybody saw it"
    assert ruled["target"]["card"]["strength"] == 6
    assert DUEL.view(match)["seats"][1]["top"]["id"] == "loki-fire-giant"


def test_cards_turned_up_later_do_not_get_into_a_challenge_ruled_before() -> None:
    match = face_down_match()
    pass_turns(match)
    file(match, Lay(LOKI, 2, 2), Challenge(LOKI, 2))
    file(match, TurnUp((LOKI, 2, 1), "loki-fire-giant"), TurnUp((THOR, 2, 1), "thor-chosen-axemen"))
    file(match, Draw(LOKI), EndTurn(LOKI))
    file(match, Play(THOR, "thor-frigg", use="column", at=(LOKI, 2, 1)), TurnUp((LOKI, 2, 1), "loki-hel"))
    assert DUEL.view(match)["question"]["challenger"]["card"]["id"] == "loki-fire-giant"


def test_an_undone_challenge_is_in_question_no_more() -> None:
    match = face_down_match()
    pass_turns(match)
    file(match, Challenge(LOKI, 2), Undo(match.seq, "not meant"))
    assert DUEL.view(match)["question"] is None


def test_a_refused_challenge_puts_nothing_in_question() -> None:
    match = face_down_match()
    match.submit(Submission(Challenge(LOKI, 2)))
    assert DUEL.view(match)["question"] is None


def test_ravens_put_a_single_card_in_question() -> None:
    match = face_down_match()
    pass_turns(match)
    file(match, Play(LOKI, "loki-ravens", use="row", at=(THOR, 3, 1)))
    question = DUEL.view(match)["question"]
    assert (question["kind"], question["challenger"], question["column"]) == ("strike", None, None)
    assert question["target"]["spot"] == [THOR, 3, 1]


# --- a table without dice


@pytest.fixture
def table(tmp_path: Path) -> Iterator[LiveTable]:
    store, made = open_table(tmp_path, wanted=WANTED)
    yield made
    made.close()
    store.close()


def test_nobody_is_asked_for_faces_in_a_game_without_dice(table: LiveTable) -> None:
    table.show_dice((), (Notice("notice.say-where", (), "where?"),), CameraHealth("watching"))
    view = table.view()
    assert all("reasons" not in seat and "faces" not in seat for seat in view["seats"])
    assert table.settled_dice() == []
    assert [notice["code"] for notice in view["notices"]] == ["notice.say-where"]
    assert SeenDie not in {type(die) for die in table.dice_view()["seats"]}


def test_no_network_is_loaded_for_a_table_without_dice(table: LiveTable) -> None:
    watcher = TableWatcher(table, lambda: pytest.fail("not started"), table_size_mm=CARD_TABLE_SIZE_MM)
    assert isinstance(watcher._reader.dice, NoDice)


def test_a_press_is_filed_without_waiting_for_dice(table: LiveTable) -> None:
    for seat in (THOR, LOKI):
        table.submit(Submission(Shuffled(seat)))
        table.submit(Submission(Deal(seat)))
        for column in (1, 2, 3):
            table.submit(Submission(Lay(seat, column)))
    table.press(press(LOKI, table.clock.now_ns()))
    table.close()
    assert table.entries()[-1].filed.event == Draw(LOKI)


def test_places_do_not_overlap_and_lie_on_the_table() -> None:
    roles = {THOR: Role.LOKI, LOKI: Role.THOR}
    areas = [*places_for(roles).areas.values(), *nooks_for(roles).values()]
    width, depth = DUEL.table_size_mm
    for number, one in enumerate(areas):
        assert 0 <= one.x0 < one.x1 <= width
        assert 0 <= one.y0 < one.y1 <= depth
        for other in areas[number + 1 :]:
            apart = one.x1 <= other.x0 or other.x1 <= one.x0 or one.y1 <= other.y0 or other.y1 <= one.y0
            assert apart, (one, other)


def test_who_plays_loki_sits_at_the_right_whatever_the_seat() -> None:
    swapped = nooks_for({1: Role.LOKI, 2: Role.THOR})
    assert swapped[1].centre_mm[0] > swapped[2].centre_mm[0]


# --- simulated players


@pytest.mark.timeout(300)
def test_players_are_read_from_pixels_and_say_only_what_no_camera_sees(tmp_path: Path) -> None:
    stage = Stage(tmp_path, seed=1)
    for _ in range(30):
        stage.run(40)
        entries = stage.table.entries()
        kinds = [type(entry.filed.event) for entry in entries]
        if Challenge in kinds and TurnUp in kinds[kinds.index(Challenge) :]:
            break
    told = {kind: {entry.filed.source for entry in entries if type(entry.filed.event) is kind} for kind in kinds}
    assert [told.get(kind) for kind in (Lay, Challenge, TurnUp)] == [{Source.CAMERA}] * 3
    assert told[Draw] == told[EndTurn] == {Source.BUTTON}
    assert told[Deal] == {Source.DECLARED}
    refused = [entry for entry in entries if any(ruling.verdict == "refused" for ruling in entry.rulings)]
    assert refused == []
    assert not stage.begun
    stage.close()


@pytest.mark.timeout(300)
def test_players_put_the_table_back_after_an_undo_and_go_on(tmp_path: Path) -> None:
    stage = Stage(tmp_path, seed=3)
    while stage.table.state.phase == "setup":
        stage.run(20)
    stage.run(40)
    first = next(entry.seq for entry in stage.table.entries() if isinstance(entry.filed.event, Lay))
    stage.table.submit(Submission(Undo(first, "once more"), Source.JUDGE))
    assert stage.table.state.side(THOR).field + stage.table.state.side(LOKI).field == 1
    while stage.table.state.phase == "setup":
        stage.run(20)
    assert not stage.begun
    assert stage.table.view()["problems"] == []
    stage.close()


def test_a_match_that_others_began_is_not_played_on(tmp_path: Path) -> None:
    """Nobody knows its hidden cards."""
    stage = Stage(tmp_path, seed=3)
    stage.table.submit(Submission(Shuffled(THOR)))
    stage.run(2)
    assert stage.begun
    stage.close()


def test_a_pack_without_markers_is_nothing_to_play_with_by_camera() -> None:
    header = duel_header()
    for card in header.pack["card"]:
        card.pop("markers", None)
    with pytest.raises(WorldLost, match="markers"):
        World(new_match(header).state, random.Random(1))
