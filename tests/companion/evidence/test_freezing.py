"""Which frame answers for a press, what it makes sure of, and that it is told when none does."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.evidence.freezing import AROUND_NS, MOST_FRAMES, PATIENCE_NS, Freezer, Wanted
from companion.evidence.records import DieThen, encode, parse_evidence
from companion.evidence.ring import Ring, RingFrame, dice_then
from device.buttons.base import Press
from tests.companion.evidence.made import MS, START_NS, die, filled, kept, tracked, watched
from tests.companion.helpers import press
from vision.tracking.happenings import DieState, OutOfStep, Trouble, Watched


def claim(edge_ns: int, *more: tuple[int, str, int], seq: int = 7) -> Wanted:
    return Wanted("m", seq, "claim", edge_ns, seats=(1,), edges=((1, "claim", edge_ns), *more))


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.integers(1, 90), min_size=1, max_size=60),
    st.integers(-200, 2500),
    st.integers(0, MS - 1),
)
def test_the_frame_that_answers_is_the_nearest_exposed_from_the_press_on(
    gaps_ms: list[int], after_ms: int, odd_ns: int
) -> None:
    edge_ns = START_NS + after_ms * MS + odd_ns
    freezer = Freezer(ring=Ring())
    freezer.camera("watching")
    at_ns, exposures = START_NS, []
    for number, gap in enumerate(gaps_ms):
        at_ns += gap * MS
        exposures.append(at_ns)
        freezer.ring.add(RingFrame(at_ns, number, b"jpeg", (4, 3), ()))
    freezer.want(claim(edge_ns))
    (found,) = freezer.due(edge_ns + AROUND_NS + PATIENCE_NS)
    later = [each for each in exposures if each >= edge_ns]
    evidence = found.evidence
    if not later:
        assert evidence.frozen is None
        assert evidence.camera == "silent"
        assert evidence.dice == ()
    else:
        assert evidence.frozen is not None
        assert evidence.frames[evidence.frozen].exposure_start_ns == min(later)
        assert evidence.presses[0].frame == evidence.frozen
    around = [each for each in exposures if edge_ns - AROUND_NS <= each <= edge_ns + AROUND_NS]
    assert set(around) <= {each.exposure_start_ns for each in evidence.frames}
    assert [each.exposure_start_ns for each in evidence.frames] == sorted(
        each.exposure_start_ns for each in evidence.frames
    )


def test_it_is_complete_once_the_later_frames_have_come_and_not_before() -> None:
    freezer = Freezer()
    filled(freezer, START_NS - 900 * MS, START_NS + 460 * MS)
    freezer.want(claim(START_NS))
    assert freezer.due(START_NS + 510 * MS) == []
    freezer.ring.add(kept(99, START_NS + 500 * MS))
    (found,) = freezer.due(START_NS + 510 * MS)
    assert found.evidence.frames[0].after_ns >= -AROUND_NS
    assert found.evidence.frames[-1].after_ns == AROUND_NS
    assert freezer.waiting == ()


def test_a_camera_that_hangs_is_waited_for_a_while_and_a_lost_one_is_not() -> None:
    freezer = Freezer()
    filled(freezer, START_NS - 900 * MS, START_NS + 100 * MS)
    freezer.want(claim(START_NS))
    assert freezer.next_due_ns() == START_NS + AROUND_NS + PATIENCE_NS
    freezer.camera("lost", "unplugged")
    assert freezer.next_due_ns() == START_NS + AROUND_NS
    (found,) = freezer.due(START_NS + AROUND_NS)
    assert found.evidence.frozen is not None  # a frame after the press had come before it was lost


def test_a_press_while_the_camera_is_lost_invents_nothing() -> None:
    freezer = Freezer()
    filled(freezer, START_NS - 900 * MS, START_NS - 1 * MS)
    freezer.camera("lost", "the cable is out")
    freezer.want(claim(START_NS))
    (found,) = freezer.due(START_NS + AROUND_NS)
    assert (found.evidence.camera, found.evidence.problem) == ("lost", "the cable is out")
    assert found.evidence.frozen is None
    assert found.evidence.dice == ()
    assert all(each.after_ns < 0 for each in found.evidence.frames)


def test_a_press_without_a_camera_says_so_and_keeps_the_presses() -> None:
    freezer = Freezer()
    freezer.press(press(1, START_NS))
    freezer.want(claim(START_NS))
    (found,) = freezer.due(START_NS + AROUND_NS)
    assert found.evidence.camera == "none"
    assert found.pictures == ()
    assert [each.seat for each in found.evidence.presses] == [1]


def test_every_press_of_the_moment_is_kept_in_its_order_with_its_time() -> None:
    freezer = Freezer()
    exposures = filled(freezer, START_NS - 900 * MS, START_NS + 900 * MS)
    late: list[Press] = [press(3, START_NS + 40 * MS), press(2, START_NS + MS), press(1, START_NS)]
    for each in [*late, press(4, START_NS + 2_000 * MS), press(4, START_NS - 600 * MS)]:
        freezer.press(each)
    freezer.want(claim(START_NS, (2, "claim", START_NS + MS)))
    (found,) = freezer.due(START_NS + 1_000 * MS)
    assert [(each.seat, each.after_ns, each.ruled_on) for each in found.evidence.presses] == [
        (1, 0, True),
        (2, MS, True),
        (3, 40 * MS, False),
    ]
    for each in found.evidence.presses:
        assert each.frame is not None
        answering = found.evidence.frames[each.frame].exposure_start_ns
        assert answering == min(at_ns for at_ns in exposures if at_ns >= each.edge_ns)


def test_a_seat_s_only_button_is_kept_as_what_the_game_took_it_for() -> None:
    freezer = Freezer()
    for each in (press(1, START_NS, "switch"), press(2, START_NS + MS, "switch")):
        freezer.press(each)
    freezer.want(replace(claim(START_NS), edges=((1, "call", START_NS),)))
    (found,) = freezer.due(START_NS + 1_000 * MS)
    assert [(each.seat, each.button, each.ruled_on, each.kernel_timed) for each in found.evidence.presses] == [
        (1, "call", True, True),
        (2, "switch", False, True),
    ]


def moving(track: int = 1) -> DieThen:
    return die(None, track=track, state=DieState.ROLLING, rest_ns=None)


@pytest.mark.parametrize(
    ("later", "state", "value"),
    [
        (die(5, rest_ns=START_NS - 10 * MS), DieState.SETTLED, 5),  # it lay already, its value was told later
        (die(5, rest_ns=START_NS), DieState.SETTLED, 5),  # the frozen frame is the first of its rest
        (die(5, rest_ns=START_NS + 1), DieState.ROLLING, None),  # it was still moving
        (die(None, rest_ns=START_NS, state=DieState.COCKED), DieState.COCKED, None),
        (die(5, rest_ns=START_NS, track=2), DieState.ROLLING, None),  # another die tells nothing
        (die(5, rest_ns=None, state=DieState.COVERED), DieState.ROLLING, None),
    ],
)
def test_later_frames_tell_what_the_frozen_one_showed(later: DieThen, state: DieState, value: int | None) -> None:
    freezer = Freezer()
    freezer.camera("watching")
    freezer.ring.add(kept(0, START_NS - 30 * MS, (die(1),)))  # before the press: never asked
    freezer.ring.add(kept(1, START_NS, (moving(),)))
    freezer.ring.add(kept(2, START_NS + 30 * MS, (moving(),)))
    freezer.ring.add(kept(3, START_NS + 200 * MS, (later,)))
    freezer.want(claim(START_NS))
    (found,) = freezer.due(START_NS + 6_000 * MS)
    ((lay,),) = (found.evidence.dice,)
    assert (lay.state, lay.value) == (state, value)


def test_an_infraction_has_the_seconds_before_it() -> None:
    freezer = Freezer()
    filled(freezer, START_NS - 5_000 * MS, START_NS + 600 * MS)
    freezer.want(Wanted("m", 9, "infraction", START_NS, seats=(2,), detail="touched", places=(3,)))
    (found,) = freezer.due(START_NS + 600 * MS)
    times = [each.after_ns for each in found.evidence.frames]
    assert -3_000 * MS <= times[0] <= -2_900 * MS
    assert 450 * MS <= times[-1] <= 500 * MS
    assert len(times) <= MOST_FRAMES
    near = [each for each in times if abs(each) <= AROUND_NS]
    assert max(b - a for a, b in itertools.pairwise(near)) <= 67 * MS  # thinned far from the moment first


def test_the_record_comes_back_as_it_was_written() -> None:
    freezer = Freezer()
    filled(freezer, START_NS - 100 * MS, START_NS + 600 * MS)
    freezer.want(claim(START_NS))
    (found,) = freezer.due(START_NS + 600 * MS)
    assert parse_evidence(encode(found.evidence)) == found.evidence
    with pytest.raises(ValueError, match="version 2"):
        parse_evidence(encode(found.evidence).replace(b'"version": 1', b'"version": 2'))


def test_the_ring_forgets_what_is_old_and_what_is_too_much() -> None:
    ring = Ring(span_ns=1_000 * MS, most_bytes=50)
    for number in range(40):
        ring.add(RingFrame(START_NS + number * 100 * MS, number, b"x", (4, 3), ()))
    assert [each.sequence for each in ring] == list(range(29, 40))
    for number in range(40, 50):
        ring.add(RingFrame(START_NS + number * 100 * MS, number, b"x" * 20, (4, 3), ()))
    assert ring.bytes == 40
    ring.add(RingFrame(START_NS, 99, b"late", (4, 3), ()))
    assert ring.newest_ns() == START_NS + 4_900 * MS


def test_a_tracker_out_of_step_vouches_for_no_value() -> None:
    seen = watched(1, START_NS, tracked(1, 4))
    (fine,) = dice_then(seen, {1: (1, 0)})
    (doubted,) = dice_then(
        Watched(seen.reading, seen.dice, out_of_step=OutOfStep(Trouble.CAMERA_MOVED, START_NS)), {1: (1, 0)}
    )
    assert (fine.value, doubted.value, doubted.reason) == (4, None, "out of step")


def test_old_tracks_of_dice_that_are_seen_anew_are_left_out() -> None:
    six = [tracked(number, 2) for number in range(1, 7)]
    ghosts = [tracked(number, 5, seen=False) for number in range(7, 12)]
    whose = {each.id: (1, each.id - 1 if each.id < 7 else None) for each in [*six, *ghosts]}
    assert len(dice_then(watched(1, START_NS, *ghosts, *six), whose)) == 6
    hidden = dice_then(watched(1, START_NS, *ghosts[:1], *six[:5]), whose)
    assert [each.seen for each in hidden] == [True] * 5 + [False]
