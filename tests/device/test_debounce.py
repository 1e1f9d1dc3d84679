"""The debounce against trains of edges as switches and long wires make them."""

from __future__ import annotations

import itertools
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from device.buttons.debounce import Debouncer, DebounceTimes

MS = 1_000_000
US = 1_000


def run(trains, *, closed=(), times=None, until_ns=None, step_ns=MS):
    """Feed {line: [(edge_ns, closed), …]} in the order of time, asking `due` after every edge and every step."""
    debouncer = Debouncer(sorted(trains), times=times or DebounceTimes(), closed=closed)
    edges = sorted((at, line, level) for line, train in trains.items() for at, level in train)
    until_ns = until_ns or (edges[-1][0] if edges else 0) + 200 * MS
    found = []
    now_ns = 0
    for at, line, level in edges:
        while now_ns + step_ns < at:
            now_ns += step_ns
            found += debouncer.due(now_ns)
        debouncer.edge(line, at, level)
        now_ns = at
        found += debouncer.due(now_ns)
    while now_ns < until_ns:
        now_ns += step_ns
        found += debouncer.due(now_ns)
    assert not debouncer.pending
    return [(press.line, press.edge_ns) for press in found]


def press_train(rng, at_ns, length_ns, bounce_ns):
    """One press that bounces for `bounce_ns` on the way down and on the way up."""

    def bounces(start_ns, level):
        train = [(start_ns, level)]
        at = start_ns
        while bounce_ns:
            at += rng.randrange(20 * US, max(21 * US, bounce_ns // 2))
            if at >= start_ns + bounce_ns:
                break
            train.append((at, not train[-1][1]))
        if train[-1][1] != level:
            train.append((start_ns + bounce_ns, level))
        return train

    return bounces(at_ns, True) + bounces(at_ns + length_ns, False)


@pytest.mark.parametrize(
    ("why", "train", "presses"),
    [
        ("a clean press", [(10 * MS, True), (90 * MS, False)], [10 * MS]),
        (
            "contact bounce of 3 ms: the first edge counts",
            [
                (10 * MS, True),
                (10_500_000, False),
                (11_100_000, True),
                (11_800_000, False),
                (13 * MS, True),
                (150 * MS, False),
            ],
            [10 * MS],
        ),
        ("a spike of 50 us", [(10 * MS, True), (10 * MS + 50 * US, False)], []),
        (
            "a spike long before a press does not move the press's time",
            [(10 * MS, True), (10 * MS + 50 * US, False), (30 * MS, True), (100 * MS, False)],
            [30 * MS],
        ),
        (
            "bounce on release is no second press",
            [(10 * MS, True), (90 * MS, False), (91 * MS, True), (98 * MS, False)],
            [10 * MS],
        ),
        (
            "a second press after quiet",
            [(10 * MS, True), (60 * MS, False), (90 * MS, True), (140 * MS, False)],
            [10 * MS, 90 * MS],
        ),
        (
            "a second press before quiet is part of the first",
            [(10 * MS, True), (60 * MS, False), (72 * MS, True), (140 * MS, False)],
            [10 * MS],
        ),
        ("held down for good", [(10 * MS, True)], [10 * MS]),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_single_trains(why, train, presses):
    assert run({"a": train}) == [("a", at) for at in presses], why


def test_a_button_held_at_the_start_counts_only_after_it_was_opened():
    assert run({"a": [(50 * MS, False), (100 * MS, True), (150 * MS, False)]}, closed=["a"]) == [("a", 100 * MS)]
    assert run({"a": [(50 * MS, False), (60 * MS, True), (150 * MS, False)]}, closed=["a"]) == []


def test_without_a_hold_a_press_is_told_with_its_first_edge():
    debouncer = Debouncer(["a"], times=DebounceTimes(hold_ns=0))
    debouncer.edge("a", 7, True)
    assert [press.edge_ns for press in debouncer.due(7)] == [7]


@pytest.mark.parametrize(
    ("why", "train", "troubles"),
    [
        ("a press like any other", [(10 * MS, True), (90 * MS, False)], []),
        ("a bouncing one", [(10 * MS, True), (11 * MS, False), (12 * MS, True), (90 * MS, False)], []),
        ("a spike", [(10 * MS, True), (10 * MS + 50 * US, False)], [("spike", 10 * MS)]),
        ("held for nine seconds", [(10 * MS, True), (9_010 * MS, False)], []),
        ("held for eleven seconds", [(10 * MS, True), (11_010 * MS, False)], [("stuck", 10 * MS)]),
        (
            "stuck twice",
            [(10 * MS, True), (11_010 * MS, False), (12_000 * MS, True), (23_000 * MS, False)],
            [("stuck", 10 * MS), ("stuck", 12_000 * MS)],
        ),
        ("a bad contact", [(at * MS, at % 2 == 0) for at in range(10, 80)], [("chatter", 10 * MS)]),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_wrong_with_a_switch_is_told_apart_from_presses(why, train, troubles):
    debouncer = Debouncer(["a"])
    told = []
    for now_ns in range(0, train[-1][0] + 100 * MS, MS):
        for at, level in train:
            if now_ns - MS < at <= now_ns:
                debouncer.edge("a", at, level)
        debouncer.due(now_ns)
        told += debouncer.troubles()
    assert [(each.kind, each.at_ns) for each in told][: len(troubles) or None] == troubles, why


@pytest.mark.parametrize(("apart_ns", "told"), [(0, True), (200 * US, True), (201 * US, False), (5 * MS, False)])
def test_two_lines_at_the_same_instant_are_told(apart_ns, told):
    debouncer = Debouncer(["a", "b"])
    debouncer.edge("b", 10 * MS, True)
    debouncer.edge("a", 10 * MS + apart_ns, True)
    kinds = [(each.kind, each.lines) for each in debouncer.troubles()]
    assert kinds == ([("together", ("b", "a"))] if told else [])
    assert {press.line for press in debouncer.due(30 * MS)} == {"a", "b"}, "both count all the same"


def test_times_below_zero_are_refused():
    with pytest.raises(ValueError, match="0 or more"):
        DebounceTimes(hold_ns=-1)


bounce = st.integers(200 * US, 8 * MS)


@settings(max_examples=150, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    presses=st.lists(st.tuples(st.integers(20 * MS, 400 * MS), st.integers(45 * MS, 300 * MS), bounce), max_size=6),
)
def test_every_press_of_20_ms_or_more_is_seen_once_with_its_first_edge(seed, presses):
    rng = random.Random(seed)
    at, train, wanted = 10 * MS, [], []
    for length, pause, bounce_ns in presses:
        train += press_train(rng, at, length, bounce_ns)
        wanted.append(("a", at))
        at += length + pause
    assert run({"a": train}) == wanted


@settings(max_examples=120, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    starts=st.lists(st.integers(10 * MS, 60 * MS), min_size=2, max_size=6),
    data=st.data(),
)
def test_swapping_seats_never_changes_who_was_first(seed, starts, data):
    """Seats press at `starts`, each bouncing its own way; then the same trains on permuted lines."""
    rng = random.Random(seed)
    trains = [press_train(rng, at, 80 * MS, rng.randrange(200 * US, 8 * MS)) for at in starts]
    order = data.draw(st.permutations(range(len(starts))))
    straight = run(dict(enumerate(trains)))
    swapped = run({order[i]: train for i, train in enumerate(trains)})
    assert sorted(at for _, at in straight) == sorted(starts)
    assert [at for _, at in straight] == sorted(starts)
    assert sorted((at, order[line]) for line, at in straight) == sorted((at, line) for line, at in swapped)
    first = min(starts)
    assert {line for line, at in straight if at == first} == {i for i, at in enumerate(starts) if at == first}


@settings(max_examples=120, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    spikes=st.lists(st.tuples(st.integers(0, 19), st.integers(1 * US, 200 * US)), max_size=8, unique_by=lambda s: s[0]),
)
def test_spikes_give_no_press_and_move_none(seed, spikes):
    """Spikes 30 ms apart on one line, a real bouncing press on another and, far from them, on the same one."""
    rng = random.Random(seed)
    noise = [
        edge for slot, length in spikes for edge in ((slot * 30 * MS + MS, True), (slot * 30 * MS + MS + length, False))
    ]
    real = press_train(rng, 800 * MS, 50 * MS, 4 * MS)
    other = press_train(rng, 300 * MS, 50 * MS, 4 * MS)
    assert run({"a": sorted(noise) + real, "b": other}) == [("b", 300 * MS), ("a", 800 * MS)]


@settings(max_examples=200, deadline=None)
@given(
    trains=st.dictionaries(
        st.integers(0, 3), st.lists(st.tuples(st.integers(0, 300 * MS), st.booleans()), max_size=30), min_size=1
    )
)
def test_any_edges_give_presses_in_order_that_are_edges_and_apart(trains):
    trains = {line: sorted(train) for line, train in trains.items()}
    found = run(trains, until_ns=600 * MS)
    assert [at for _, at in found] == sorted(at for _, at in found)
    for line, train in trains.items():
        mine = [at for which, at in found if which == line]
        assert set(mine) <= {at for at, closed in train if closed}
        assert all(b - a >= DebounceTimes().quiet_ns for a, b in itertools.pairwise(mine))


def test_a_chattering_line_gives_nothing_and_holds_no_other_up():
    chatter = [(at, at // MS % 2 == 0) for at in range(10 * MS, 900 * MS, MS)]
    debouncer = Debouncer(["good", "broken"])
    debouncer.edge("good", 20 * MS, True)
    told = []
    for at, closed in chatter:
        debouncer.edge("broken", at, closed)
        told += debouncer.due(at)
        if told:
            break
    assert [(press.line, press.edge_ns) for press in told] == [("good", 20 * MS)]
    assert at <= 20 * MS + DebounceTimes().burst_ns
