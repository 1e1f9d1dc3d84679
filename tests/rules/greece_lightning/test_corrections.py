"""People put right what went wrong: counts, findings, ships, forgotten Fish; what answers a gone position is stale."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from rules.events import Adjust, Amend, Decision, Event, Overrule, Source, Submission, Undo
from rules.greece_lightning.course import Spot
from rules.greece_lightning.events import (
    Conduct,
    Count,
    Deal,
    Feed,
    FinishRoll,
    Movement,
    Navigation,
    PutShip,
    Step,
    Total,
    Use,
)
from rules.rulings import Refusal, Ruling, Verdict
from tests.rules.greece_lightning.course_parts import at
from tests.rules.greece_lightning.script import Board, board, run, seen

HYDRA: dict[str, Any] = {"left": 5, "seat": {1: {"dots_moved": 5}}, "tops": {4: "hydras"}}
LAST: dict[str, Any] = {"left": 0, "seat": {2: {"played": True}, 3: {"played": True}}}


def plain(event: Event) -> dict[str, Any]:
    written: dict[str, Any] = msgspec.to_builtins(event)
    return written


def only(made: Board, event: Event, source: Source = Source.DECLARED) -> Ruling:
    return made.submit(event, source)[0]


# --- counts


@pytest.mark.parametrize(
    ("script", "code", "after"),
    [
        pytest.param("adjust fish 0", "gl.adjusted", "fish=0; supply=12", id="Fish go back to the supply"),
        pytest.param("adjust fish 3", "gl.adjusted", "fish=3; supply=9", id="and come from it"),
        pytest.param("adjust fish 4", "gl.out-of-range", "fish=2; supply=10", id="never a fourth"),
        pytest.param("adjust laps 1", "gl.adjusted", "laps=1; ending=False", id="a lap that was missed"),
        pytest.param("adjust laps 2", "gl.adjusted", "laps=2; ending=True", id="the last lap"),
        pytest.param("adjust laps 4", "gl.out-of-range", "laps=0", id="too many laps"),
        pytest.param("adjust movement 9", "gl.adjusted", "left=9", id="movement"),
        pytest.param("adjust movement -1", "gl.out-of-range", "left=5", id="less than none"),
        pytest.param("2: adjust movement 3", "gl.no-such-count", "left2=0", id="movement in another's turn"),
        pytest.param("adjust wedges 1", "gl.no-such-count", "left=5", id="what is no count"),
    ],
)
def test_counts_are_set_outright(script: str, code: str, after: str) -> None:
    made = board(left=5)
    rulings = run(made, script)
    assert rulings[0].code == code
    for part in after.split("; "):
        what, _, expected = part.partition("=")
        assert (what, seen(made, what)) == (what, expected)


def test_a_lap_taken_back_after_the_end_lets_the_race_go_on() -> None:
    made = board(ships="2b 4a 12d", laps="2 2 1", **LAST)
    run(made, "end")
    assert seen(made, "winners") == "2"
    rulings = made.submit(Adjust(2, "laps", 1, "counted twice"))
    assert [ruling.code for ruling in rulings] == ["gl.adjusted", "gl.finished"]
    assert (seen(made, "phase"), seen(made, "winners")) == ("over", "1")
    rulings = made.submit(Adjust(1, "laps", 1, "counted twice"))
    assert [ruling.code for ruling in rulings] == ["gl.adjusted", "gl.fleece", "gl.round"]
    assert (seen(made, "phase"), seen(made, "winners"), seen(made, "round")) == ("rolling", "-", "3")
    assert rulings[1].facts["order"] == (3, 2, 1)
    assert seen(made, "fleece") == "1", "the last in the race, who did not have it before"
    assert only(made, Navigation(1, 2)).code == "gl.navigation"


def test_a_lap_corrected_after_the_end_that_changes_nothing_keeps_the_winner() -> None:
    made = board(ships="2b 4a 12d", laps="2 2 1", **LAST)
    run(made, "end")
    assert [ruling.code for ruling in made.submit(Adjust(3, "laps", 0, "so"))] == ["gl.adjusted"]
    assert seen(made, "winners") == "2"


# --- what was forgotten


def test_a_forgotten_fish_is_told_and_then_paid() -> None:
    made = board(**HYDRA)
    run(made, "go 4b")
    ruling = only(made, Step(1, at("5b")))
    assert (ruling.code, ruling.facts["kind"]) == ("gl.waits", "hydra")
    assert ruling.clauses[0] == "GL-H1"
    assert only(made, Feed(1), Source.BUTTON).code == "gl.fed"
    assert only(made, Step(1, at("5b"))).code == "gl.step"
    assert (seen(made, "fish"), seen(made, "left")) == ("1", "3")


@pytest.mark.parametrize(
    ("script", "code", "clause_id", "given"),
    [
        pytest.param("feed", "gl.no-hydra", "GL-P2", {"left": 5}, id="no Hydra"),
        pytest.param("go 4b; feed", "gl.feed-protected", "GL-H10", {"left": 5, "tops": {4: "hydras"}}, id="protected"),
        pytest.param("go 4b; feed; feed", "gl.fed-already", "GL-H1", HYDRA, id="fed"),
        pytest.param("feed", "gl.hydra-left-free", "GL-H6", {"ships": "4b 8a 8d", "left": 5, "tops": {4: "hydras"}},
                     id="stood there since the last turn"),
        pytest.param("go 4b; feed", "gl.no-fish", "GL-H5", {**HYDRA, "fish": "0", "favors": "demeter"}, id="no Fish"),
        pytest.param("2: feed", "gl.not-your-turn", "GL-O4", {"left": 5, "seat": {3: {"played": True}}},
                     id="not the own turn"),
        pytest.param("fight", "gl.no-hydra", "GL-M5", {"left": 5}, id="nothing to fight"),
    ],
)  # fmt: skip
def test_feeding_is_refused_with_its_clause(script: str, code: str, clause_id: str, given: dict[str, Any]) -> None:
    ruling = run(board(**given), script)[0]
    assert ruling.code == code
    assert clause_id in ruling.clauses


def test_a_die_misread_is_amended_and_the_total_follows() -> None:
    made = board(turn=None, fleece=1)
    for event in (Navigation(1, 1), Movement(1, (4,)), Movement(1, (3,))):
        made.submit(event)
    target = made.match.seq
    assert seen(made, "bust") == "True"
    made.submit(FinishRoll(1))
    assert only(made, Total(1, 2)).code == "gl.total"
    ruling = only(made, Amend(target, plain(Movement(1, (5,))), "a five"))
    assert ruling.code == "core.amended"
    assert made.state.total(1) == 11
    assert {"gl.bust", "gl.success"} <= {value[1] for e in ruling.effects for value in (e.before, e.after)}  # type: ignore[index]


def test_an_undone_step_brings_back_ship_movement_and_fish() -> None:
    made = board(left=5, tops={4: "fish"})
    made.submit(Conduct(1, "looks-at-used-favors"))
    before, seq = made.state, made.match.seq
    run(made, "go 4b 5b")
    made.submit(Undo(seq, "wrong ship"))
    assert made.state == before
    made.submit(Undo(seq + 2, "it was right"))
    assert (seen(made, "at"), seen(made, "fish")) == ("5b", "3")


# --- ships


def test_a_ship_is_set_on_a_dot_without_what_lies_there() -> None:
    made = board(left=5, tops={6: "hydras"})
    ruling = only(made, PutShip(1, at("6b"), "pushed by a sleeve"))
    assert ruling.code == "gl.ship-put"
    assert (seen(made, "at"), seen(made, "wake"), seen(made, "waits"), seen(made, "left")) == ("6b", "3b", "-", "5")
    only(made, PutShip(2, at("9a"), "a card says so"))
    assert (seen(made, "at2"), seen(made, "wake2")) == ("9a", "9a")


@pytest.mark.parametrize(("step", "facedown"), [("place", ""), ("reveal", "1")])
def test_a_ship_set_before_or_after_its_move_has_its_wake_token_under_it(step: str, facedown: str) -> None:
    made = board(step=step, wedges="fish" if step == "place" else "", facedown=facedown)
    only(made, PutShip(1, at("6b"), "a card says so"))
    assert (seen(made, "at"), seen(made, "wake")) == ("6b", "6b")
    if step == "place":
        assert run(made, "lay fish 3")[0].code == "gl.placed"
    assert run(made, "1: wake 6b")[0].code == "gl.wake"


@pytest.mark.parametrize("put_right", [Adjust(1, "movement", 4, "no Hydra there"), PutShip(1, at("4a"), "wrong dot")])
def test_who_was_wrongly_stopped_by_a_hydra_sails_on_when_people_say_so(put_right: Event) -> None:
    made = board(**{**HYDRA, "fish": "0", "favors": "poseidon"})
    run(made, "go 4b")
    assert (seen(made, "stopped"), run(made, "use poseidon")[0].code) == ("True", "gl.not-the-time")
    made.submit(put_right)
    assert run(made, "use poseidon")[0].code == "gl.used"
    assert seen(made, "left") == ("6" if isinstance(put_right, Adjust) else "2")


@pytest.mark.parametrize(
    ("judge", "sources"),
    [
        pytest.param(None, {Source.BUTTON, Source.DECLARED, Source.TYPED, Source.JUDGE}, id="people"),
        pytest.param("Eve", {Source.JUDGE}, id="the judge"),
    ],
)
def test_setting_a_ship_is_offered_to_those_from_whom_it_is_accepted(judge: str | None, sources: set[Source]) -> None:
    made = board(left=5, judge=judge)
    (option,) = [each for each in made.match.options() if each.event == PutShip(1, at("3b"), "a card says so")]
    assert set(option.sources) == sources
    for source in Source:
        event = PutShip(1, at("5a"), "pushed")
        assert made.match.referee.permits(made.state, event, source) is (source in sources)
        accepted = made.match.judge(Submission(event, source))[0].rulings[0].verdict is Verdict.ACCEPTED
        assert accepted is (source in sources)


def test_a_ship_taken_off_a_hydra_need_not_feed_it() -> None:
    made = board(**HYDRA)
    run(made, "go 4b")
    only(made, PutShip(1, at("4a"), "wrong dot"))
    assert seen(made, "waits") == "-"


@pytest.mark.parametrize(
    ("event", "code", "source", "judge"),
    [
        pytest.param(PutShip(1, at("8a"), "so"), "gl.occupied", Source.DECLARED, None, id="a ship stands there"),
        pytest.param(PutShip(1, at("8z"), "so"), "gl.no-such-dot", Source.DECLARED, None, id="no such dot"),
        pytest.param(PutShip(1, Spot(0, "a"), "so"), "gl.no-such-dot", Source.DECLARED, None, id="no such place"),
        pytest.param(PutShip(1, at("5a"), " "), "core.no-reason", Source.DECLARED, None, id="no reason"),
        pytest.param(PutShip(1, at("5a"), "so"), "core.not-judge", Source.CAMERA, None, id="a camera"),
        pytest.param(PutShip(1, at("5a"), "so"), "core.not-judge", Source.DECLARED, "Eve", id="a player, with a judge"),
        pytest.param(PutShip(7, at("5a"), "so"), "gl.no-such-seat", Source.DECLARED, None, id="nobody's"),
    ],
)
def test_a_ship_is_not_set(event: PutShip, code: str, source: Source, judge: str | None) -> None:
    made = board(left=5, judge=judge)
    ruling = only(made, event, source)
    assert (ruling.code, ruling.verdict) == (code, Verdict.REFUSED)
    assert only(board(left=5, judge="Eve"), PutShip(1, at("5a"), "so"), Source.JUDGE).code == "gl.ship-put"


# --- findings


def test_a_finding_is_withdrawn_and_upheld_and_what_it_barred_is_free() -> None:
    made = board(**LAST)
    run(made, "end; 2: dice 2")
    target = made.match.seq
    assert only(made, Navigation(2, 1)).code == "gl.clear-first"
    assert only(made, Overrule(target, Decision.REFUSE, "it was the new roll")).code == "gl.finding-withdrawn"
    assert only(made, Navigation(2, 1)).code == "gl.navigation"
    assert only(made, Overrule(target, Decision.REFUSE, "again")).code == "gl.already-so"
    ruling = only(made, Overrule(target, Decision.UPHOLD, "after all"))
    assert (ruling.code, ruling.verdict) == ("gl.finding-stands", Verdict.INFRACTION)
    assert ruling.clauses == ("TC-7", "GL-E1")
    assert only(made, Overrule(target, Decision.REFUSE, "no")).clauses == ("TC-7", "GL-E1")


def test_what_is_no_finding_is_amended_and_not_overruled() -> None:
    made = board(left=5)
    run(made, "go 4b")
    ruling = only(made, Overrule(made.match.seq, Decision.REFUSE, "no"))
    assert (ruling.code, ruling.clauses) == ("gl.no-overrule", ("TC-10", "TC-6"))


def test_a_wake_token_withdrawn_as_astray_bars_no_wedge() -> None:
    made = board(step="place", wedges="fish", left=3)
    run(made, "2: wake 5a")
    target = made.match.seq
    assert run(made, "lay fish 5")[0].code == "gl.on-wake"
    made.submit(Overrule(target, Decision.REFUSE, "a shadow"))
    assert run(made, "lay fish 5")[0].code == "gl.placed"


# --- what is stale

STALE = [
    pytest.param(Step(1, at("5b")), "go 4b", True, id="the ship has moved"),
    pytest.param(Step(1, at("4b")), "2: dice 2 4", False, id="dice were looked at"),
    pytest.param(Feed(1), "go 4b; feed", True, id="the Hydra is fed"),
    pytest.param(Count("fish", 2, 1), "go 4b; feed", True, id="a Fish was spent"),
    pytest.param(Count("fish", 2, 2), "go 4b; feed", False, id="another's Fish"),
    pytest.param(Adjust(1, "fish", 3, "so"), "go 4b; feed", True, id="the count set has changed"),
    pytest.param(Conduct(1, "turns-die"), "go 4b; feed", False, id="conduct answers a round"),
    pytest.param(Total(1, 6), "go 4b; feed", False, id="dice that lie still"),
]


@pytest.mark.parametrize(("event", "meanwhile", "stale"), STALE)
def test_an_event_that_answers_a_gone_position_is_stale(event: Event, meanwhile: str, stale: bool) -> None:
    made = board(**HYDRA)
    made.submit(Conduct(1, "looks-at-used-favors"))
    seq = made.match.seq
    run(made, meanwhile)
    entry = made.match.submit(Submission(event, answers=seq))
    assert (entry.rulings[0].refusal is Refusal.STALE) is stale


@pytest.mark.parametrize(
    ("event", "meanwhile", "stale"),
    [
        pytest.param(Use(1, "apollo"), "2: use athena", False, id="another used a card"),
        pytest.param(Use(1, "apollo"), "1: done", True, id="the own roll is finished"),
        pytest.param(Movement(1, (3,)), "2: move 5", False, id="another rolled"),
        pytest.param(Movement(1, (3,)), "1: move 5", True, id="the own second die lies already"),
    ],
)
def test_while_all_roll_nobody_makes_anothers_event_stale(event: Event, meanwhile: str, stale: bool) -> None:
    made = board(turn=None, dice="2-4 2-4", favors="apollo athena")
    made.submit(Conduct(1, "looks-at-used-favors"))
    seq = made.match.seq
    run(made, meanwhile)
    entry = made.match.submit(Submission(event, answers=seq))
    assert (entry.rulings[0].refusal is Refusal.STALE) is stale


def test_cards_dealt_in_two_places_at_once_are_both_dealt() -> None:
    made = Board()
    made.put(made.state.replace(declared=("starters shown", "starters shuffled")))
    made.submit(Deal(1, "janus"))
    entry = made.match.submit(Submission(Deal(2, "apollo"), answers=0))
    assert entry.rulings[0].code == "gl.dealt"
    again = made.match.submit(Submission(Deal(1, "demeter"), answers=0))
    assert again.rulings[0].refusal is Refusal.STALE
