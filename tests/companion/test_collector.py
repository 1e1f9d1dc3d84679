"""The collector: the order in which things come in never decides anything."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from companion.live.collector import Collector, Sighting, Timing
from device.buttons.base import Press
from rules.events import Source, Submission
from rules.lightning_dice.events import Flip, Moving, Roll
from tests.companion.helpers import MS, press

TIMING = Timing()


def sighting(event: Any, at_ns: int, seat: int | None, *, begins: bool) -> Sighting:
    return Sighting(Submission(event, Source.CAMERA), at_ns, seat, begins)


def moving(seat: int, at_ns: int) -> Sighting:
    return sighting(Moving(seat, (0,), at_ns), at_ns, seat, begins=True)


def roll(seat: int, at_ns: int) -> Sighting:
    return sighting(Roll(seat, (1,) * 6, (0,), at_ns), at_ns, seat, begins=False)


def run(arrivals: list[tuple[int, Press]]) -> list[tuple[Press, ...]]:
    """Feed presses as they arrive, asking in between, and give every group in order."""
    collector = Collector(TIMING)
    groups: list[Any] = []
    for at_ns, each in sorted(arrivals, key=lambda arrival: arrival[0]):
        groups += collector.due(at_ns - 1)
        collector.press(each)
        groups += collector.due(at_ns)
    while (due_ns := collector.next_due_ns()) is not None:
        assert collector.due(due_ns - 1) == []  # a press is not let go a moment too early
        groups += collector.due(due_ns)
    return groups


edges = st.lists(
    st.tuples(
        st.integers(0, 400 * MS), st.integers(0, TIMING.transport_ns - 1), st.integers(1, 6), st.sampled_from("cx")
    ),
    max_size=10,
    unique_by=lambda edge: (edge[0], edge[2], edge[3]),
)


@given(edges, st.data())
def test_any_order_of_arrival_gives_the_same_groups(
    found: list[tuple[int, int, int, str]], data: st.DataObject
) -> None:
    def arrivals(delays: list[int]) -> list[tuple[int, Press]]:
        return [
            (edge + delay, press(seat, edge, "claim" if kind == "c" else "call"))
            for (edge, _, seat, kind), delay in zip(found, delays, strict=True)
        ]

    first = run(arrivals([delay for _, delay, _, _ in found]))
    second = run(arrivals(data.draw(st.permutations([delay for _, delay, _, _ in found]))))
    assert first == second
    together = [each for group in first for each in group]
    assert [each.edge_ns for each in together] == sorted(edge for edge, *_ in found)


@given(edges, st.permutations(range(1, 7)))
def test_permuting_the_seats_permutes_the_groups_and_nothing_else(
    found: list[tuple[int, int, int, str]], seats: list[int]
) -> None:
    def of(name: dict[int, int]) -> list[set[tuple[int, int, str]]]:
        groups = run([(edge + delay, press(name[seat], edge, kind)) for edge, delay, seat, kind in found])
        return [{(each.seat, each.edge_ns, each.button) for each in group} for group in groups]

    same = {seat: seat for seat in range(1, 7)}
    swapped = dict(zip(range(1, 7), seats, strict=True))
    assert of(swapped) == [{(swapped[seat], edge, kind) for seat, edge, kind in group} for group in of(same)]


def test_presses_that_could_tie_leave_together_and_others_apart() -> None:
    groups = run([(30 * MS, press(1, 10 * MS)), (31 * MS, press(2, 20 * MS)), (40 * MS, press(3, 31 * MS))])
    assert [[each.seat for each in group] for group in groups] == [[1, 2], [3]]


def test_a_press_waits_for_the_dice_at_the_press_and_no_longer_than_it_must() -> None:
    collector = Collector(TIMING)
    collector.watched(900 * MS, [1])
    collector.press(press(1, 1000 * MS))
    assert collector.due(1100 * MS) == []
    collector.watched(1010 * MS, [1])
    assert collector.due(1100 * MS) == [(press(1, 1000 * MS),)]


def test_without_a_reading_a_press_waits_for_what_rested_just_before_it() -> None:
    collector = Collector(TIMING)
    collector.watched(900 * MS, [1])
    collector.press(press(1, 1000 * MS))
    collector.watched(1050 * MS, [2])  # another seat's dice tell nothing
    assert collector.due(1000 * MS + TIMING.evidence_ns - 1) == []
    assert collector.due(1000 * MS + TIMING.evidence_ns) == [(press(1, 1000 * MS),)]


def test_a_slow_machine_waits_longer_by_what_its_frames_take() -> None:
    collector = Collector(TIMING)
    collector.watched(900 * MS, [1], reading_ns=800 * MS)
    collector.press(press(1, 1000 * MS))
    assert collector.due(1800 * MS + TIMING.evidence_ns - 1) == []
    assert collector.due(1800 * MS + TIMING.evidence_ns) == [(press(1, 1000 * MS),)]


def test_without_a_camera_a_press_waits_for_other_edges_only() -> None:
    collector = Collector(TIMING)
    collector.watched(900 * MS, [])
    collector.blind()
    collector.press(press(1, 1000 * MS))
    assert collector.next_due_ns() == 1000 * MS + TIMING.tie_ns + TIMING.transport_ns


def test_dice_lifted_after_the_press_are_filed_after_it() -> None:
    collector = Collector(TIMING)
    collector.press(press(1, 1000 * MS))
    lifted, rested = moving(1, 1020 * MS), roll(1, 1900 * MS)
    other = moving(2, 980 * MS)
    collector.sighted([lifted, other, rested])
    assert collector.due(1001 * MS) == [other.submission]
    assert collector.due(1070 * MS) == [(press(1, 1000 * MS),), lifted.submission, rested.submission]


def test_a_throw_that_began_before_the_press_is_filed_before_it_even_when_it_rests_later() -> None:
    collector = Collector(TIMING)
    begun = moving(1, 500 * MS)
    collector.sighted([begun])
    assert collector.due(600 * MS) == [begun.submission]
    collector.press(press(1, 1000 * MS))
    rested = roll(1, 1100 * MS)
    collector.sighted([rested])
    assert collector.due(1050 * MS) == [rested.submission]


def test_a_card_turned_after_the_press_waits_behind_it() -> None:
    collector = Collector(TIMING)
    collector.press(press(1, 1000 * MS))
    card = sighting(Flip("g01"), 1010 * MS, None, begins=True)
    collector.sighted([card])
    assert collector.due(1000 * MS) == []
    assert collector.due(1070 * MS) == [(press(1, 1000 * MS),), card.submission]


def test_what_was_seen_between_two_presses_is_filed_between_them() -> None:
    collector = Collector(TIMING)
    collector.press(press(1, 1000 * MS))
    collector.press(press(1, 1200 * MS))
    lifted = moving(1, 1100 * MS)
    collector.sighted([lifted])
    assert collector.due(2000 * MS) == [(press(1, 1000 * MS),), lifted.submission, (press(1, 1200 * MS),)]
