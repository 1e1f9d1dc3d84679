"""Known errors put into a perfect telling: the figures must be exactly those errors."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.measure.alarms import CLEAN, Alarm
from companion.measure.assign import one_to_one
from companion.measure.figures import Report, figures_of, percentile
from companion.measure.identities import identities_of
from companion.measure.kinds import kinds_of
from companion.measure.presses import presses_of
from companion.measure.told import Told
from companion.measure.values import values_of
from device.simulated.play.truth import TrueDie
from tests.companion.measure.generated import DELAY_NS, MS, SIDE_PX, Made, Move, S, told_perfectly
from vision.tracking.happenings import DieState, Happening, Kind

ENDING = ("rolled", "slid", "set back", "cocked", "dropped", "nudged")


@st.composite
def plays(draw: st.DrawFn, kinds: tuple[str, ...] = ENDING) -> Made:
    """Two to four dice far from each other, each moved up to three times."""
    count = draw(st.integers(2, 4))
    first, moves = {}, []
    for k in range(count):
        die = (1 + k % 2, k // 2)
        place = (100.0 * (1 + k), 100.0)
        first[die] = (draw(st.integers(1, 6)), place)
        at_ns = draw(st.integers(500, 1500)) * MS
        for _ in range(draw(st.integers(0, 2))):
            kind = draw(st.sampled_from(kinds))
            lasts_ns = draw(st.integers(300, 900)) * MS
            value = None if kind == "cocked" else draw(st.integers(1, 6))
            place = (place[0], place[1] + draw(st.integers(30, 90)))
            moves.append(Move(die, kind, at_ns, at_ns + lasts_ns, value, place))
            at_ns += lasts_ns + draw(st.integers(1200, 2500)) * MS
    end_ns = max((move.until_ns for move in moves), default=0) + 2 * S
    return Made(first, moves, end_ns)


RATES = st.sampled_from([15.0, 30.0, 60.0])
QUICK = settings(max_examples=12, deadline=None)


@QUICK
@given(plays(), RATES)
def test_what_is_told_perfectly_is_without_fault(made: Made, fps: float) -> None:
    figures = figures_of(told_perfectly(made, fps))
    assert figures.failures == []
    true = Counter(each.kind for each in made.happenings)
    assert {kind: score.found for kind, score in figures.kinds.scores.items() if score.found} == dict(true)
    tumbled = [move for move in made.moves if move.kind in ("rolled", "dropped")]
    assert (figures.values.thrown, figures.values.rolls, figures.values.right) == (len(tumbled),) * 3
    assert all(DELAY_NS / MS <= ms <= DELAY_NS / MS + 1001 / fps for ms in figures.values.delays_ms)


@QUICK
@given(plays(), RATES, st.data())
def test_untold_false_and_renamed_happenings_are_counted_as_such(made: Made, fps: float, data: st.DataObject) -> None:
    true = made.happenings
    fates = data.draw(st.lists(st.sampled_from(["told", "told", "left out", "renamed"]), min_size=len(true)))

    def spoiled(told: list[Happening]) -> list[Happening]:
        kept = []
        for each, fate in zip(told, fates, strict=False):
            if fate == "told":
                kept.append(each)
            elif fate == "renamed":
                kept.append(replace(each, kind=Kind.TOUCHED))
        return kept

    found = kinds_of(told_perfectly(made, fps, happenings=spoiled))
    fate_of = Counter((each.kind, fate) for each, fate in zip(true, fates, strict=False))
    for kind in (*ENDING, "lifted"):
        score = found.scores[kind]
        assert score.found == fate_of[kind, "told"]
        assert score.missed == fate_of[kind, "left out"] + fate_of[kind, "renamed"]
        assert score.false == 0
    renamed = sum(count for (_, fate), count in fate_of.items() if fate == "renamed")
    assert found.scores["touched"].false == renamed
    assert sum(failure.kind.endswith("told as touched") for failure in found.failures) == renamed


@QUICK
@given(plays(), RATES, st.integers(-900, 900).filter(lambda ms: not 500 < ms <= 567))
def test_a_time_that_is_off_by_more_than_half_a_second_is_no_match(made: Made, fps: float, off_ms: int) -> None:
    def late(told: list[Happening]) -> list[Happening]:
        return [
            replace(each, ended_ns=each.ended_ns + off_ms * MS) if each.kind is Kind.ROLLED else each for each in told
        ]

    # Half a second from the first frame that shows the rest, which may be 67 ms after it.
    rolled = sum(move.kind == "rolled" for move in made.moves)
    score = kinds_of(told_perfectly(made, fps, happenings=late)).scores["rolled"]
    matched = rolled if abs(off_ms) <= 500 else 0
    assert (score.found, score.missed, score.false) == (matched, rolled - matched, rolled - matched)


@QUICK
@given(plays(("rolled", "slid")), RATES, st.data())
def test_wrong_refused_and_early_values_are_counted_roll_by_roll(made: Made, fps: float, data: st.DataObject) -> None:
    rolls = [move for move in made.moves if move.kind == "rolled"]
    fates = data.draw(st.lists(st.sampled_from(["right", "wrong", "refused", "early"]), min_size=len(rolls)))
    fate_of = {(move.die, move.until_ns): fate for move, fate in zip(rolls, fates, strict=False)}

    def spoil(told: Told, true: TrueDie, at_ns: int) -> Told:
        die = (true.seat, true.index)
        after = max((move for move in made.of(die) if move.from_ns <= at_ns), key=lambda m: m.from_ns, default=None)
        fate = fate_of.get((die, after.until_ns)) if after is not None else None
        if fate == "wrong" and told.value is not None:
            return replace(told, value=told.value % 6 + 1)
        if fate == "refused" and told.state is DieState.SETTLED:
            return replace(told, value=None)
        if fate == "early" and after is not None and at_ns >= after.until_ns - 120 * MS:
            return replace(told, state=DieState.SETTLED, value=after.value)
        return told

    values = values_of(told_perfectly(made, fps, spoil=spoil))
    counts = Counter(fate_of.values())
    assert values.rolls == len(rolls)
    assert values.wrong == counts["wrong"]
    assert values.refused == counts["refused"]
    assert values.early == counts["early"]
    assert values.right == counts["right"] + counts["early"]
    assert values.wrong_elsewhere == values.of_nothing == 0


@QUICK
@given(RATES, st.integers(1, 4), st.data())
def test_exchanged_and_renewed_tracks_are_switches(fps: float, exchanges: int, data: st.DataObject) -> None:
    first = {(1, k): (k + 1, (100.0 * (k + 1), 50.0)) for k in range(4)}
    made = Made(first, [], 12 * S)
    times = sorted(data.draw(st.lists(st.integers(10, 110), min_size=exchanges, max_size=exchanges, unique=True)))
    renewed = data.draw(st.booleans())

    def spoil(told: Told, true: TrueDie, at_ns: int) -> Told:
        if renewed and true.index == 3 and at_ns >= 6 * S:
            return replace(told, id=99)
        if true.index < 2 and sum(at_ns >= t * 100 * MS for t in times) % 2:
            return replace(told, id=3 - told.id)
        return told

    found = identities_of(told_perfectly(made, fps, spoil=spoil))
    assert found.switches == 2 * exchanges + renewed
    assert found.die_seconds == pytest.approx(48, abs=0.3)
    assert found.per_1000_s == pytest.approx(1000 * found.switches / found.die_seconds)


def test_dice_of_one_seat_may_come_out_of_a_hand_in_any_order_but_not_those_of_another() -> None:
    first = {(1, 0): (1, (100.0, 50.0)), (1, 1): (2, (200.0, 50.0)), (2, 0): (3, (300.0, 50.0))}
    moves = [Move(die, "set back", 1 * S, 2 * S, 4, (100.0 * k, 200.0)) for k, die in enumerate(first, start=1)]
    made = Made(first, moves, 5 * S)

    def exchanged(one: int, other: int):
        names = {one: other, other: one}
        return lambda told, true, at_ns: replace(told, id=names.get(told.id, told.id)) if at_ns >= 2 * S else told

    assert identities_of(told_perfectly(made, spoil=exchanged(1, 2))).switches == 0
    assert identities_of(told_perfectly(made, spoil=exchanged(2, 3))).switches == 2
    new = told_perfectly(made, spoil=lambda told, true, at_ns: replace(told, id=told.id + 10 * (at_ns >= 2 * S)))
    assert identities_of(new).switches == 3


@pytest.mark.parametrize("frozen", [True, False])
def test_what_was_taken_up_while_the_picture_stood_still_was_last_seen_before(frozen: bool) -> None:
    made = Made(
        {(1, 0): (1, (100.0, 50.0))}, [Move((1, 0), "set back", 2800 * MS, 3800 * MS, 4, (100.0, 120.0))], 5 * S
    )

    def early(told: list[Happening]) -> list[Happening]:
        return [replace(each, began_ns=2 * S) if each.kind is Kind.LIFTED else each for each in told]

    watching = told_perfectly(made, happenings=early)
    shots = [
        replace(shot, shows_ns=2 * S) if frozen and 2 * S <= shot.at_ns < 3 * S else shot for shot in watching.shots
    ]
    score = kinds_of(replace(watching, shots=shots)).scores["lifted"]
    assert (score.found, score.missed, score.false) == ((1, 0, 0) if frozen else (0, 1, 1))


def test_one_that_was_off_the_table_may_come_back_as_another() -> None:
    moves = [
        Move((1, 0), "left the table", S, 2 * S, None, (900.0, 50.0)),
        Move((1, 0), "came back", 3 * S, 4 * S, 5, (100.0, 50.0)),
    ]
    made = Made({(1, 0): (1, (100.0, 50.0)), (1, 1): (2, (200.0, 50.0))}, moves, 6 * S)
    new = told_perfectly(
        made, spoil=lambda told, true, at_ns: replace(told, id=7) if true.index == 0 and at_ns >= 3 * S else told
    )
    assert identities_of(new).switches == 0
    assert kinds_of(new).scores["left the table"].found == 1


def test_values_where_no_die_is_and_of_leaning_dice_are_told() -> None:
    made = Made({(1, 0): (1, (100.0, 50.0))}, [Move((1, 0), "cocked", S, 2 * S, None, (100.0, 90.0))], 4 * S)
    ghost = told_perfectly(made, spoil=lambda told, true, at_ns: replace(told, centre_px=(500.0, 500.0)))
    assert values_of(ghost).of_nothing == 1
    bold = told_perfectly(
        made,
        spoil=lambda told, true, at_ns: (
            replace(told, state=DieState.SETTLED, value=3) if told.state is DieState.COCKED else told
        ),
    )
    assert [failure.kind for failure in values_of(bold).failures] == ["value of a leaning die"]


def test_near_dice_keep_their_tracks_and_a_track_half_a_side_off_is_of_no_die() -> None:
    first = {(1, 0): (1, (100.0, 50.0)), (1, 1): (2, (100.0 + SIDE_PX, 50.0))}
    made = Made(first, [], 2 * S)

    def off(by: float):
        return lambda told, true, at_ns: replace(told, centre_px=(told.centre_px[0] + by, 50.0))

    near = told_perfectly(made, spoil=off(0.45 * SIDE_PX))
    assert [shot.pairs for shot in near.shots] == [{1: (1, 0), 2: (1, 1)}] * len(near.shots)
    far = told_perfectly(made, spoil=off(-0.55 * SIDE_PX))
    assert all(shot.pairs == {2: (1, 0)} or shot.pairs == {} or 1 not in shot.pairs for shot in far.shots)


@pytest.mark.parametrize(
    ("edge_ms", "spoiled", "expected"),
    [
        (500, None, (1, 1, 1, 0, 0)),  # at rest: frozen right
        (1500, None, (1, 0, 0, 0, 0)),  # rolling: nothing frozen
        (2050, None, (1, 0, 0, 0, 1)),  # just at rest: not told yet
        (3000, None, (1, 1, 1, 0, 0)),
        (3000, 6, (1, 1, 0, 0, 0)),  # frozen wrong
        (1500, 6, (1, 0, 0, 1, 0)),  # a value frozen of a rolling die
    ],
)  # fmt: skip
def test_what_is_frozen_at_a_press(edge_ms: int, spoiled: int | None, expected: tuple[int, ...]) -> None:
    made = Made(
        {(1, 0): (1, (100.0, 50.0)), (2, 0): (2, (300.0, 50.0))},
        [Move((1, 0), "rolled", S, 2 * S, 4, (100.0, 120.0))], 5 * S, [(1, edge_ms * MS)],
    )  # fmt: skip

    def spoil(told: Told, true: TrueDie, at_ns: int) -> Told:
        return replace(told, state=DieState.SETTLED, value=spoiled) if spoiled and told.id == 1 else told

    found = presses_of(told_perfectly(made, spoil=spoil))
    assert (found.presses, found.settled, found.right, found.moving, found.open) == expected


@QUICK
@given(plays(("rolled", "slid")), st.integers(0, 4))
def test_false_infractions_of_clean_play_are_counted_for_ten_minutes_of_six(made: Made, count: int) -> None:
    shown = [Alarm((100 + k) * MS, 1, 1 + k, "touched") for k in range(count)]
    watching = replace(told_perfectly(made, kind=CLEAN), alarms=shown)
    report = Report([figures_of(watching)])
    goal = next(goal for goal in report.goals() if goal.name.startswith("false infractions"))
    assert goal.figure == pytest.approx(count * 600 / (watching.seconds * 2 / 6))
    assert goal.met == (count == 0)
    assert report.failure_kinds() == ({"false infraction": count} if count else {})


def test_the_report_names_what_failed_and_which_goals_are_missed() -> None:
    made = Made({(1, 0): (1, (100.0, 50.0))}, [Move((1, 0), "rolled", S, 2 * S, 4, (100.0, 120.0))], 5 * S)
    good = Report([figures_of(told_perfectly(made))])
    assert all(goal.met for goal in good.goals())
    bad = Report(
        [figures_of(told_perfectly(made, spoil=lambda told, true, at_ns: replace(told, value=told.value and 6)))]
    )
    missed = {goal.name for goal in bad.goals() if not goal.met}
    assert missed == {"settled values after a roll, right, %", "settled values after a roll, wrong, %"}
    assert "NOT MET" in str(bad)
    assert bad.failure_kinds() == {"wrong value": 1}
    assert bad.as_dict()["seats"]["2"]["wrong"] == 1


def test_percentiles_and_pairs() -> None:
    assert percentile([1, 2, 3, 4], 0.5) == 2
    assert percentile(range(1, 101), 0.99) == 99
    assert one_to_one([1, 2], [2, 1.5], lambda a, b: abs(a - b) if abs(a - b) <= 0.6 else None) == [(0, 1), (1, 0)]
    assert one_to_one([1], [9], lambda a, b: None) == []


def test_a_die_that_changes_its_track_for_another_from_the_hand_is_one_switch() -> None:
    first = {(1, 0): (1, (100.0, 50.0)), (1, 1): (2, (200.0, 50.0))}
    moves = [
        Move((1, 0), "set back", S, 2 * S, 4, (100.0, 200.0)),
        Move((1, 1), "set back", S, 4 * S, 4, (200.0, 200.0)),
    ]
    made = Made(first, moves, 6 * S)
    changed = told_perfectly(
        made, spoil=lambda told, true, at_ns: replace(told, id=3 - told.id) if at_ns >= 3 * S else told
    )
    assert identities_of(changed).switches == 1


def test_that_a_dropped_die_rolled_is_neither_right_nor_wrong() -> None:
    made = Made({(1, 0): (1, (100.0, 50.0))}, [Move((1, 0), "dropped", S, 2 * S, 4, (100.0, 120.0))], 5 * S)

    def both(told: list[Happening]) -> list[Happening]:
        return [*told, *(replace(each, kind=Kind.ROLLED) for each in told)]

    scores = kinds_of(told_perfectly(made, happenings=both)).scores
    assert (scores["dropped"].found, scores["rolled"].false) == (1, 0)
    late = kinds_of(told_perfectly(made, happenings=lambda told: [replace(told[0], kind=Kind.ROLLED, ended_ns=4 * S)]))
    assert late.scores["rolled"].false == 1


@pytest.mark.parametrize(("late_ms", "value", "early"), [(30, 1, 0), (30, 5, 1), (200, 1, 1)])
def test_a_value_told_anew_as_the_die_begins_to_move_is_not_before_rest(late_ms: int, value: int, early: int) -> None:
    made = Made({(1, 0): (1, (100.0, 50.0))}, [Move((1, 0), "rolled", S, 2 * S, 4, (100.0, 120.0))], 4 * S)

    def spoil(told: Told, true: TrueDie, at_ns: int) -> Told:
        if S <= at_ns < 2 * S and abs(at_ns - S - late_ms * MS) <= 17 * MS:
            return replace(told, state=DieState.SETTLED, value=value)
        return replace(told, state=DieState.ROLLING, value=None) if S - 50 * MS <= at_ns < 2 * S else told

    assert values_of(told_perfectly(made, spoil=spoil)).early == early


def test_a_die_with_two_tracks_is_told_twice() -> None:
    made = Made({(1, 0): (1, (100.0, 50.0)), (1, 1): (1, (500.0, 50.0))}, [], 2 * S)
    both = told_perfectly(made, spoil=lambda told, true, at_ns: replace(told, centre_px=(100.0, 50.0)))
    assert [failure.kind for failure in values_of(both).failures] == ["die told twice"]
