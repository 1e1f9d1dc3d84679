"""The record of a match: what a correction may do, what it may not, and that nothing is ever lost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.errors import BadHeader, UnreadableInput
from rules.events import Adjust, Amend, Decision, Note, Overrule, Pause, Resume, Source, Submission, Undo
from rules.header import Header, Seat
from rules.match import Match
from rules.rulings import Refusal, Ruling, Verdict
from tests.rules.toy import Challenge, Gain, LayDown, Reveal, ToyReferee, ToyState

SEATS = (Seat(1, "Ann", "red"), Seat(2, "Ben", "blue"))


def new_match(judge: str | None = None) -> Match[ToyState]:
    return Match(ToyReferee(), Header("toy", "toy/1", "m1", SEATS, judge=judge))


def play(match: Match[ToyState], *events: object) -> list[str]:
    return [match.submit(Submission(event)).rulings[0].code for event in events]


def the_ruling(match: Match[ToyState], event: object, source: Source = Source.DECLARED) -> Ruling:
    return match.submit(Submission(event, source)).rulings[0]


class TestUndo:
    def test_undo_returns_to_the_state_after_the_named_entry_and_is_itself_an_entry(self) -> None:
        match = new_match()
        play(match, Gain(1, 1), Gain(1, 2), Gain(2, 3), Undo(1, "misheard"))
        assert match.state.scores == (1, 0)
        assert [entry.seq for entry in match.entries] == [1, 2, 3, 4]

    def test_an_undone_position_comes_back_by_naming_it(self) -> None:
        match = new_match()
        play(match, Gain(1, 1), Gain(1, 2))
        there = match.state
        play(match, Undo(0, "wrong table"), Undo(2, "it was right"))
        assert match.state == there

    @pytest.mark.parametrize("back_to", [-1, 3, 10**9])
    def test_undo_to_an_entry_that_does_not_exist_is_refused(self, back_to: int) -> None:
        match = new_match()
        play(match, Gain(1, 1), Gain(1, 2))
        ruling = the_ruling(match, Undo(back_to, "why not"))
        assert (ruling.code, ruling.refusal) == ("core.no-such-entry", Refusal.ILLEGAL)
        assert match.state.scores == (3, 0)

    def test_undo_brings_back_the_pause_that_stood_there(self) -> None:
        match = new_match()
        play(match, Gain(1, 1), Pause("tea"), Resume(), Undo(2, "still at tea"))
        assert match.position.paused

    @given(st.lists(st.tuples(st.integers(1, 2), st.integers(1, 5)), min_size=1, max_size=12), st.data())
    def test_every_position_can_be_reached_again_from_every_other(
        self, gains: list[tuple[int, int]], data: st.DataObject
    ) -> None:
        match = new_match()
        states = [match.state]
        for seat, points in gains:
            match.submit(Submission(Gain(seat, points)))
            states.append(match.state)
        for _ in range(5):
            back_to = data.draw(st.integers(0, match.seq))
            match.submit(Submission(Undo(back_to, "look again")))
            states.append(states[back_to])
            assert match.state == states[-1]


class TestAmend:
    def test_everything_after_the_corrected_entry_is_judged_again(self) -> None:
        match = new_match()
        play(match, LayDown(1), Challenge(1), Reveal(1, "Wall"), Gain(1, 1))
        ruling = the_ruling(match, Amend(3, {"kind": "reveal", "place": 1, "card": "Raven"}, "misread"))
        assert ruling.code == "core.amended"
        assert [(e.before, e.after) for e in ruling.effects] == [((3, "toy.wall-challenged"), (3, None))]
        assert match.state.scores == (1, 0)

    def test_what_was_refused_before_can_become_right(self) -> None:
        match = new_match()
        play(match, LayDown(2), Challenge(1), Gain(1, 1))
        assert match.entries[1].rulings[0].code == "toy.empty"
        play(match, Amend(1, {"kind": "lay-down", "place": 1}, "it lay on 1"))
        assert match.state.places[0].challenged_by == 2

    def test_an_amendment_that_the_rules_refuse_changes_nothing(self) -> None:
        match = new_match()
        play(match, Gain(1, 1))
        ruling = the_ruling(match, Amend(1, {"kind": "gain", "seat": 1, "points": 9}, "more"))
        assert (ruling.code, ruling.refusal) == ("core.amend-refused", Refusal.ILLEGAL)
        assert "TOY-2" in ruling.clauses
        assert match.state.scores == (1, 0)

    @pytest.mark.parametrize(
        "plain",
        [
            {"kind": "no such event"},
            {"kind": "gain", "seat": "one", "points": 1},
            {"kind": "undo", "back_to": 0, "reason": "smuggled"},
            {},
        ],
    )
    def test_an_amendment_that_is_no_event_of_the_game_is_unreadable(self, plain: dict[str, object]) -> None:
        match = new_match()
        play(match, Gain(1, 1))
        assert the_ruling(match, Amend(1, plain, "typo")).refusal is Refusal.UNREADABLE
        assert match.state.scores == (1, 0)

    def test_an_undone_entry_cannot_be_amended(self) -> None:
        match = new_match()
        play(match, Gain(1, 1), Undo(0, "no"))
        ruling = the_ruling(match, Amend(1, {"kind": "gain", "seat": 1, "points": 2}, "late"))
        assert ruling.code == "core.not-in-play"

    def test_an_amended_entry_can_be_amended_again(self) -> None:
        match = new_match()
        play(
            match,
            Gain(1, 1),
            Amend(1, {"kind": "gain", "seat": 1, "points": 2}, "two"),
            Amend(1, {"kind": "gain", "seat": 2, "points": 3}, "it was Ben"),
        )
        assert match.state.scores == (0, 3)

    def test_events_while_paused_stay_refused_when_something_before_the_pause_is_amended(self) -> None:
        match = new_match()
        play(match, Gain(1, 1), Pause("tea"), Gain(2, 2), Resume(), Gain(2, 1))
        play(match, Amend(1, {"kind": "gain", "seat": 1, "points": 2}, "two"))
        assert match.state.scores == (2, 1)
        assert not match.position.paused


class TestOverrule:
    def test_a_decision_replaces_a_ruling_and_can_be_replaced_again(self) -> None:
        match = new_match()
        play(match, Gain(1, 5))
        assert match.state.scores == (0, 0)
        play(match, Overrule(1, Decision.UPHOLD, "it was agreed"))
        assert match.state.scores == (5, 0)
        play(match, Overrule(1, Decision.REFUSE, "no, it was not"))
        assert match.state.scores == (0, 0)

    def test_overruling_to_what_already_stands_is_refused(self) -> None:
        match = new_match()
        play(match, Gain(1, 1))
        assert the_ruling(match, Overrule(1, Decision.UPHOLD, "yes")).code == "core.not-overrulable"

    def test_an_overrule_is_judged_again_when_its_ground_is_amended(self) -> None:
        match = new_match()
        play(match, Gain(1, 5), Overrule(1, Decision.UPHOLD, "agreed"))
        play(match, Amend(1, {"kind": "gain", "seat": 1, "points": 3}, "three"))
        assert match.state.scores == (3, 0)
        assert match.standing(1) is not None

    @pytest.mark.parametrize(("target", "ruling"), [(2, 0), (1, 1), (1, -1)])
    def test_only_rulings_on_events_of_the_game_can_be_overruled(self, target: int, ruling: int) -> None:
        match = new_match()
        play(match, Gain(1, 5), Note("hm"))
        assert the_ruling(match, Overrule(target, Decision.UPHOLD, "x", ruling)).code == "core.not-overrulable"


class TestWhoMayCorrect:
    CORRECTIONS = (
        Undo(0, "x"),
        Amend(1, {"kind": "gain", "seat": 1, "points": 2}, "x"),
        Overrule(1, Decision.REFUSE, "x"),
        Adjust(1, "score", 7, "x"),
    )

    @pytest.mark.parametrize("correction", CORRECTIONS, ids=lambda c: type(c).__name__)
    def test_with_a_judge_only_the_judge(self, correction: object) -> None:
        match = new_match(judge="Zoe")
        play(match, Gain(1, 1))
        for source in (Source.DECLARED, Source.BUTTON, Source.CAMERA, Source.TYPED):
            assert the_ruling(match, correction, source).code == "core.not-judge"
        assert the_ruling(match, correction, Source.JUDGE).verdict is Verdict.ACCEPTED

    def test_what_a_stranger_was_refused_stays_refused_when_the_record_is_amended(self) -> None:
        match = new_match(judge="Zoe")
        play(match, Gain(1, 1), Adjust(2, "score", 9, "because"), Undo(0, "because"))
        match.submit(Submission(Amend(1, {"kind": "gain", "seat": 1, "points": 2}, "two"), Source.JUDGE))
        assert match.state.scores == (2, 0)

    @pytest.mark.parametrize("correction", CORRECTIONS, ids=lambda c: type(c).__name__)
    def test_without_a_judge_the_group_but_never_the_camera(self, correction: object) -> None:
        match = new_match()
        play(match, Gain(1, 1))
        assert the_ruling(match, correction, Source.CAMERA).code == "core.not-judge"
        assert the_ruling(match, correction).verdict is Verdict.ACCEPTED

    def test_a_correction_without_a_reason_is_refused(self) -> None:
        match = new_match()
        play(match, Gain(1, 1))
        assert the_ruling(match, Undo(0, "  ")).code == "core.no-reason"
        assert match.state.scores == (1, 0)


class TestPause:
    def test_while_paused_only_corrections_are_judged(self) -> None:
        match = new_match()
        play(match, Pause("tea"))
        assert match.options() == ()
        assert the_ruling(match, Gain(1, 1)).code == "core.paused"
        assert the_ruling(match, Adjust(1, "score", 4, "pawn was knocked")).verdict is Verdict.ACCEPTED
        assert match.position.paused
        play(match, Resume())
        assert the_ruling(match, Gain(1, 1)).verdict is Verdict.ACCEPTED

    def test_pausing_twice_or_resuming_a_running_match_is_refused(self) -> None:
        match = new_match()
        assert play(match, Resume(), Pause(), Pause()) == ["core.not-paused", "core.pause", "core.already-paused"]


class TestStale:
    def test_an_event_that_answers_a_changed_position_is_stale(self) -> None:
        match = new_match()
        play(match, Gain(1, 1), Gain(1, 1))
        ruling = match.submit(Submission(Gain(2, 1), answers=1)).rulings[0]
        assert ruling.refusal is Refusal.STALE
        assert match.state.scores == (2, 0)

    def test_an_event_is_not_stale_when_only_something_else_changed(self) -> None:
        match = new_match()
        play(match, Gain(1, 1), LayDown(1))
        assert match.submit(Submission(Gain(2, 1), answers=1)).rulings[0].verdict is Verdict.ACCEPTED

    @pytest.mark.parametrize("answers", [-1, 7])
    def test_an_event_that_answers_an_entry_that_never_was_is_stale(self, answers: int) -> None:
        match = new_match()
        play(match, Gain(1, 1))
        assert match.submit(Submission(Gain(2, 1), answers=answers)).rulings[0].refusal is Refusal.STALE

    def test_a_stale_event_stays_stale_when_the_record_is_amended(self) -> None:
        match = new_match()
        play(match, Gain(1, 1), Gain(1, 1))
        match.submit(Submission(Gain(2, 1), answers=1))
        play(match, Amend(1, {"kind": "gain", "seat": 1, "points": 2}, "two"))
        assert match.state.scores == (3, 0)


def test_a_late_finding_is_a_ruling_that_names_the_earlier_entry() -> None:
    match = new_match()
    play(match, LayDown(1), Challenge(1))
    revealed, finding = match.submit(Submission(Reveal(1, "Wall"))).rulings
    assert revealed.verdict is Verdict.ACCEPTED
    assert (finding.verdict, finding.about) == (Verdict.INFRACTION, 2)


def test_judging_alone_changes_nothing_so_that_an_entry_can_be_stored_first() -> None:
    match = new_match()
    entry, position = match.judge(Submission(Gain(1, 1)))
    assert (match.seq, match.state.scores) == (0, (0, 0))
    match.append(entry, position)
    assert (match.seq, match.state.scores) == (1, (1, 0))


def test_an_entry_judged_elsewhere_in_the_record_cannot_be_appended() -> None:
    match = new_match()
    judged = match.judge(Submission(Gain(1, 1)))
    match.submit(Submission(Gain(2, 1)))
    with pytest.raises(ValueError, match="judge it again"):
        match.append(*judged)


def test_a_refused_event_leaves_the_very_state_it_found() -> None:
    match = new_match()
    before = match.state
    assert play(match, Gain(1, 4), Gain(9, 1), Challenge(3)) == ["toy.too-much", "toy.no-seat", "toy.empty"]
    assert match.state is before


def test_a_header_against_the_rules_names_the_clause() -> None:
    with pytest.raises(BadHeader) as caught:
        Match(ToyReferee(), Header("toy", "toy/1", "m1", ()))
    assert caught.value.clauses == ("TOY-1",)


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b'{"event": {"kind": "gain"}}',
        b'{"event": {"kind": "gain", "seat": 1, "points": 1}, "more": 1}',
        b'{"event": {"kind": "gain", "seat": 1.5, "points": 1}}',
        b"\xff\xfe",
        b'{"event":' + b"[" * 100_000,
    ],
    ids=["empty", "cut", "list", "null", "missing field", "unknown field", "fraction", "no UTF-8", "too deep"],
)
def test_what_is_no_submission_is_unreadable_and_nothing_else_is_raised(text: bytes) -> None:
    with pytest.raises(UnreadableInput, match="Expected JSON as"):
        ToyReferee().read_submission(text)


@pytest.mark.parametrize("code", ["x"])
def test_a_ruling_must_cite_a_clause_and_name_its_family_of_refusal(code: str) -> None:
    with pytest.raises(ValueError, match="cites no clause"):
        Ruling(Verdict.ACCEPTED, code, ())
    with pytest.raises(ValueError, match="family"):
        Ruling(Verdict.REFUSED, code, ("TC-1",))
    with pytest.raises(ValueError, match="family"):
        Ruling(Verdict.ACCEPTED, code, ("TC-1",), refusal=Refusal.ILLEGAL)
