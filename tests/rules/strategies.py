"""Hypothesis strategies for events, rightly and wrongly formed."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from rules.events import Decision
from rules.lightning_dice.events import (
    Breach,
    Call,
    Calls,
    Decide,
    Flip,
    Moving,
    Pawn,
    Press,
    Ready,
    Reshuffled,
    Roll,
    Shuffled,
    Stack,
)


def json_values() -> st.SearchStrategy[Any]:
    """Any JSON value, and values that look like events."""
    kinds = st.sampled_from(["roll", "calls", "flip", "undo", "amend", "decide", "ready", "nothing"])
    leaves = st.none() | st.booleans() | st.integers(-(2**40), 2**70) | st.floats(allow_nan=False) | st.text(max_size=8)
    trees = st.recursive(
        leaves, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4)
    )
    event = st.fixed_dictionaries({"kind": kinds}, optional={"seat": leaves, "faces": trees, "presses": trees})
    return trees | event | st.fixed_dictionaries({"event": event | trees}, optional={"source": leaves, "at_ns": leaves})


def lightning_dice_events() -> st.SearchStrategy[Any]:
    """Any event of Lightning Dice that the types allow, sensible or not."""
    seat = st.integers(-1, 8)
    places = st.lists(st.integers(-1, 7), max_size=7).map(tuple)
    faces = st.lists(st.none() | st.integers(0, 7), min_size=5, max_size=7).map(tuple)
    good = st.lists(st.none() | st.integers(1, 6), min_size=6, max_size=6).map(tuple)
    times = st.none() | st.integers(0, 10**10)
    press = st.builds(Press, seat, st.sampled_from(Call), st.integers(0, 10**10), st.none() | st.integers(-1, 9))
    return st.one_of(
        st.just(Shuffled()),
        st.just(Reshuffled()),
        st.builds(Stack, st.sampled_from(["side", "centre", "floor"])),
        st.builds(
            Ready,
            seat,
            st.integers(0, 7),
            st.lists(st.sampled_from(["red", "blue"]), max_size=2).map(tuple),
            st.none() | st.integers(0, 3),
            st.integers(0, 2),
        ),
        st.builds(Flip, st.none() | st.sampled_from(["pairs", "street", "few", "none"]), st.none() | seat),
        st.builds(Moving, seat, places, times),
        st.builds(Roll, seat, faces | good, st.none() | places, times, places),
        st.builds(Calls, st.lists(press, max_size=5).map(tuple)),
        st.builds(Decide, st.integers(-1, 40), st.sampled_from(Decision), st.integers(0, 3), st.text(max_size=3)),
        st.builds(Breach, seat, st.integers(0, 8), places, st.sampled_from(["", "slid", "rolled", "lifted", "x"])),
        st.builds(Pawn, seat, st.integers(-2, 21)),
    )
