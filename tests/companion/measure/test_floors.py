"""Floors under what the tracker reaches on simulated plays: they fail when its figures fall.

Two short plays are always watched. With TABLETOP_PLAYS=N (rolls) all kinds are, until so many dice were rolled, at
15, 30 and 60 frames a second and with every fault of the camera; 1000 rolls take about half an hour on one core.
"""

from __future__ import annotations

import os

import pytest

from companion.measure.disturbances import DISTURBANCES
from companion.measure.figures import Report
from companion.measure.running import Order, measure, orders, run_order
from device.simulated.play.script import PLAYS

SHORT = (Order("mixed", 2, 2, 15.0, seconds=7.0), Order("clean", 2, 1, 30.0, seconds=5.0))
NEVER = ("values told before rest", "values told of no die, or of one twice", "settled values after a roll, wrong, %")
F1_SHORT = {"rolled": 0.95, "lifted": 0.95}
F1_LONG = {"rolled": 0.95, "lifted": 0.95, "slid": 0.93, "set back": 0.8, "cocked": 0.8}


def test_two_short_plays_are_told_as_well_as_ever() -> None:
    report = Report([run_order(order)[0] for order in SHORT])
    figures = {goal.name: goal.figure for goal in report.goals()}
    assert sum(play.values.rolls for play in report.plays) >= 15, "too little was played to say anything"
    for name in NEVER:
        assert figures[name] == 0, f"{name}\n{report}"
    assert figures["settled values after a roll, right, %"] >= 95, f"\n{report}"
    assert figures["rest to value at 30 fps, median, ms"] <= 200, f"\n{report}"
    assert figures["identity switches in 1,000 die-seconds"] <= 10, f"\n{report}"
    for kind, least in F1_SHORT.items():
        scores = [play.kinds.scores[kind] for play in report.plays]
        found, wrong = sum(each.found for each in scores), sum(each.false + each.missed for each in scores)
        assert 2 * found / (2 * found + wrong) >= least, f"{kind}\n{report}"


@pytest.mark.timeout(0)
@pytest.mark.skipif("TABLETOP_PLAYS" not in os.environ, reason="long: set TABLETOP_PLAYS to a number of rolls")
def test_all_kinds_of_play_are_told_as_well_as_ever() -> None:
    faults = [fault.name for fault in DISTURBANCES]
    report = measure(
        orders(list(PLAYS), (6, 2, 5, 3, 4), (15.0, 30.0, 60.0), 1, faults),
        rolls=int(os.environ["TABLETOP_PLAYS"]),
        at_least=3 * len(PLAYS) + len(faults),
        workers=os.cpu_count() or 1,
    )
    figures = {goal.name: goal.figure for goal in report.goals()}
    assert figures["values told before rest"] == 0, f"\n{report}"
    assert figures["settled values after a roll, right, %"] >= 98, f"\n{report}"
    for kind, least in F1_LONG.items():
        assert figures[f"{kind}, F1 at 30 fps"] >= least, f"\n{report}"
