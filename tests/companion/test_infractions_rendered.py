"""From rendered frames to the judge: dice set back or dropped wait for the judge, dice that are thrown do not."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.live.bad_manners import BadManners
from companion.live.demo import DemoPlayers, Manners
from companion.live.opening import Wanted, parse_seats, same_again
from companion.live.table import LiveTable
from companion.live.watcher import TableWatcher
from device.clock import NS_PER_S, ManualClock
from device.simulated import SimulatedTable
from device.simulated.layout import TABLE_SIZE_MM
from rules.events import Source
from rules.lightning_dice.events import Breach, Roll
from tests.companion.helpers import open_table

FPS = 15
SIX = parse_seats("Ann:red,Ben:blue,Cleo:green,Dan:yellow,Eva:white,Fay:black")


class Stage:
    """A simulated table in tournament play before a watched one; time goes by as frames are looked at."""

    def __init__(self, directory: Path, seats: int, seed: int, fps: int = FPS) -> None:
        self.fps = fps
        self.clock = ManualClock(start_ns=NS_PER_S)
        self.wanted = Wanted("lightning-dice", seats=SIX[:seats], judge="Zoe", options={"mode": "tournament"})
        self.store, self.table = open_table(directory, clock=self.clock, wanted=self.wanted)
        self.simulated = SimulatedTable(self.clock, seats, seed=seed, fps=fps)
        self.watcher = TableWatcher(
            self.table,
            lambda: pytest.fail("no camera is opened"),
            table_size_mm=TABLE_SIZE_MM,
            zones=self.simulated.zones,
        )

    def watch(self, until_ns: int) -> None:
        while self.clock.now_ns() < until_ns:
            self.clock.advance(NS_PER_S // self.fps)
            self.watcher.step(self.simulated.frame())

    def wait(self, seconds: float) -> None:
        self.watch(self.clock.now_ns() + int(seconds * NS_PER_S))

    def finish(self) -> LiveTable:
        """The table once everything that was seen is filed."""
        self.table.close()
        self.store.close()
        return self.table

    def __enter__(self) -> Stage:
        return self

    def __exit__(self, *_: object) -> None:
        self.finish()


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    with Stage(tmp_path, 2, seed=1) as made:
        yield made


def test_a_die_set_back_is_laid_before_the_judge_and_thrown_dice_are_not(stage: Stage) -> None:  # LD-T2, LD-T3
    stage.wait(1.0)
    stage.watch(stage.simulated.throw(2, [1, 3]))
    stage.wait(2.0)
    stage.watch(stage.simulated.lift(1, [2]))
    stage.wait(0.5)
    began_ns = stage.clock.now_ns()
    stage.watch(stage.simulated.set_back(1, [2]))
    stage.wait(3.0)
    table = stage.finish()
    breaches = [entry.filed for entry in table.entries() if isinstance(entry.filed.event, Breach)]
    assert [(each.event.seat, each.event.detail, each.source) for each in breaches] == [(1, "lifted", Source.CAMERA)]
    at_ns = breaches[0].at_ns
    assert at_ns is not None
    assert began_ns <= at_ns <= began_ns + 2 * NS_PER_S, "the clip is cut around it"
    rolls = [entry.filed.event for entry in table.entries() if isinstance(entry.filed.event, Roll)]
    assert [(roll.seat, len(roll.thrown or ())) for roll in rolls if roll.thrown] == [(2, 2)]
    (waiting,) = table.view()["pending"]
    assert (waiting["kind"], waiting["seat"], waiting["places"]) == ("breach", 1, breaches[0].event.dice)
    assert table.state.seat_state(1).score == 0


def test_dropped_dice_are_a_suspicion_for_the_judge_and_count_as_thrown(tmp_path: Path) -> None:  # LD-T5, LD-T9
    with Stage(tmp_path, 2, seed=4, fps=30) as stage:
        stage.wait(1.0)
        began_ns = stage.clock.now_ns()
        stage.watch(stage.simulated.drop(1, [0, 2, 4]))
        fell_ns = stage.clock.now_ns()
        stage.wait(2.2)
        table = stage.finish()
    (breach,) = [entry.filed for entry in table.entries() if isinstance(entry.filed.event, Breach)]
    assert (breach.event.seat, breach.event.rule, breach.event.detail) == (1, 5, "dropped")
    assert breach.event.suspicion == "fell straight down"
    assert breach.source is Source.CAMERA
    assert breach.at_ns is not None
    assert began_ns < breach.at_ns <= fell_ns + NS_PER_S // stage.fps, "the clip is cut around it"
    (roll,) = [e.filed.event for e in table.entries() if isinstance(e.filed.event, Roll) and e.filed.event.thrown]
    assert (roll.seat, roll.thrown) == (1, breach.event.dice)
    (waiting,) = table.view()["pending"]
    assert (waiting["kind"], waiting["seat"]) == ("breach", 1)


def test_bad_manners_break_each_rule_in_their_repertoire_and_leave_six_dice() -> None:
    clock = ManualClock(start_ns=NS_PER_S)
    simulated = SimulatedTable(clock, 2, seed=3, keep_all=True)
    manners = BadManners(simulated, random.Random(1))
    for _ in range(12):
        lies_ns = manners.misbehave(1, [0, 1], clock.now_ns()) or 0
        for _ in range(100):
            clock.advance(NS_PER_S // 10)
            if clock.now_ns() >= lies_ns:
                lies_ns = manners.go_on(1, clock.now_ns()) or 0
        assert simulated.settled()
        assert len([die for die in simulated.dice_truth() if die.seat == 1]) == 6, "all six lie on the table again"
    assert {deed.kind for deed in simulated.deeds} >= {"lift", "set back", "off", "throw", "drop"}


@pytest.mark.skipif(not os.environ.get("TABLETOP_LONG_PLAY"), reason="slow: ten minutes of six people rolling, read")
@pytest.mark.timeout(3600)
def test_ten_minutes_of_six_people_with_good_manners_bring_one_false_alarm_at_most(tmp_path: Path) -> None:
    with Stage(tmp_path, 6, seed=7) as stage:
        stage.simulated.buttons.start(stage.table.press)
        players = DemoPlayers(
            stage.table,
            stage.simulated,
            new_header=lambda: same_again(stage.wanted, stage.table.header),
            seed=5,
            manners=Manners(bad=0.0),
        )
        breaches = 0
        for _ in range(600 * FPS):
            players.step()
            stage.wait(1 / FPS)
        stage.simulated.buttons.stop()
        table = stage.finish()
        breaches = sum(isinstance(entry.filed.event, Breach) for entry in table.entries())
    assert breaches <= 1
