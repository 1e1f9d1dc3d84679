"""What a page shows of the dice comes from pixels: paint over a die, and the page says that it cannot be read."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from companion.evidence.archive import Archive
from companion.evidence.keeper import EvidenceKeeper
from companion.evidence.pictures import decode
from companion.live.opening import Wanted, open_match
from companion.live.simulation import start_simulation
from companion.live.table import LiveTable
from companion.store import Store
from device.clock import NS_PER_S, SystemClock
from device.simulated.table import SimulatedTable
from rules.events import Source, Submission
from rules.header import Seat
from rules.lightning_dice.events import Calls, Ready, Shuffled, Stack

DEADLINE_S = 120.0
SEATS = (Seat(1, "Ann", "red"), Seat(2, "Ben", "blue"))
WANTED = Wanted("lightning-dice", seats=SEATS, simulated=True)
READABLE = (1, 2, 3, 4, 5, 1)


class Follower:
    """Wakes at everything that the table publishes, and looks whether a condition holds."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self.table: LiveTable | None = None

    def __call__(self, topic: str, data: dict[str, Any], seq: int | None = None) -> None:
        with self._changed:
            self._changed.notify_all()

    def wait(self, what: str, ready: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The first view for which `ready` holds."""
        table = self.table
        assert table is not None
        end_ns = table.clock.now_ns() + int(DEADLINE_S * NS_PER_S)
        with self._changed:
            while not ready(view := table.view()):
                assert table.clock.now_ns() < end_ns, f"not within {DEADLINE_S:g} s: {what}; the view says {view}"
                self._changed.wait(0.5)
            return view


def seat_of(view: dict[str, Any], number: int) -> dict[str, Any]:
    seat: dict[str, Any] = next(seat for seat in view["seats"] if seat["number"] == number)
    return seat


def shows(simulated: SimulatedTable, number: int) -> Callable[[dict[str, Any]], bool]:
    """True when the view has the dice of a seat just as they lie (the order of the dice is the camera's)."""

    def ready(view: dict[str, Any]) -> bool:
        seat, truth = seat_of(view, number), simulated.truth()[number]
        if seat["faces"] is None or seat["moving"] or None in truth:
            return False
        return sorted(face or 0 for face in seat["faces"]) == sorted(face or 0 for face in truth)

    return ready


@pytest.mark.timeout(600)
def test_painting_over_a_die_changes_what_the_page_says(tmp_path: Path) -> None:
    clock, follower = SystemClock(), Follower()
    with Store(tmp_path) as store:
        stored, _ = open_match(store, WANTED)
        keeper = EvidenceKeeper(Archive(store), clock)
        with (
            closing(keeper),
            LiveTable(store, stored, clock=clock, publish=follower, simulated=True) as table,
        ):
            follower.table = table
            keeper.watch(table)
            keeper.start()
            simulated = start_simulation(table, clock, WANTED, seed=3, players=False)
            for event in (Shuffled(), Stack("side"), Ready(1), Ready(2)):
                table.submit(Submission(event, Source.DECLARED))

            simulated.show_card(0)
            view = follower.wait("the card is read from its marker", lambda now: now["card"] is not None)
            assert view["card"]["id"] == "g01"

            follower.wait("the camera watches", lambda now: now["camera"]["state"] == "watching")
            follower.wait("the seat has dice", lambda now: seat_of(now, 1)["faces"] is not None)
            simulated.throw(1, range(6), READABLE)
            view = follower.wait("the throw is read", shows(simulated, 1))
            assert sorted(seat_of(view, 1)["faces"]) == sorted(READABLE)
            assert seat_of(view, 1)["reasons"] == [None] * 6

            victim = next(die for die in simulated.dice_truth() if die.seat == 1 and die.value == 4)
            place = seat_of(view, 1)["faces"].index(4)
            simulated.paint_over(1, victim.index)
            view = follower.wait("the painted die is unreadable", lambda now: None in seat_of(now, 1)["faces"])
            expected = list(seat_of(view, 1)["faces"])
            assert expected[place] is None, "another die than the painted one lost its value"
            assert sorted(face for face in expected if face is not None) == [1, 1, 2, 3, 5]
            view = follower.wait("the reason is told", lambda now: seat_of(now, 1)["reasons"][place] is not None)
            said = [die for die in table.settled_dice(1) if die["value"] is None]
            assert [die["place"] for die in said] == [place]
            assert said[0]["reason"]

            simulated.unpaint(1, victim.index)
            view = follower.wait("the clean die is read again", lambda now: None not in seat_of(now, 1)["faces"])
            assert seat_of(view, 1)["faces"][place] == 4

            truth = sorted(face or 0 for face in simulated.truth()[1])
            simulated.press(1, "claim")
            follower.wait("the evidence of the call is kept", lambda _: bool(keeper.archive.rows()))
            (row,) = keeper.archive.rows()
            evidence = keeper.archive.read(row.match, row.seq)
            assert evidence.frozen is not None
            (call,) = [entry for entry in table.entries() if isinstance(entry.filed.event, Calls)]
            assert row.seq == call.seq
            edge_ns = call.filed.event.presses[0].edge_ns
            before = evidence.frames[evidence.frozen - 1].exposure_start_ns
            assert before < edge_ns <= evidence.frames[evidence.frozen].exposure_start_ns
            assert sorted(die.value or 0 for die in evidence.dice if die.seat == 1) == truth
            assert decode(keeper.archive.picture(row.match, row.seq, evidence.frozen)).shape == (720, 1280, 3)

            events = {type(entry.filed.event).__name__: entry.filed.source for entry in table.entries(4)}
            assert events["Roll"] is Source.CAMERA
            assert events["Flip"] is Source.CAMERA
            picture = table.picture()
            assert picture is not None
            assert picture[0].startswith(b"\xff\xd8")
