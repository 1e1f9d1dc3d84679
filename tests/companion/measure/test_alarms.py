"""What a judge would be shown of a play is what the live table makes of it: a touch is, a save by sliding is not."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from companion.measure.alarms import CLEAN, Alarm, Alarms
from companion.measure.watching import watch
from tests.companion.measure.generated import Made, S
from tests.companion.test_eyes import SIDE_PX, die
from vision.images import Image
from vision.readings import Reading
from vision.tracking.happenings import DieState, Happening, Kind, TrackedDie, Watched

MS = 1_000_000
FRAME_NS = 33 * MS


def watched(at_ns: int, happenings: tuple[Happening, ...] = ()) -> Watched:
    """Six red and six blue dice that lie still."""
    dice = []
    for seat, (colour, y) in enumerate((("red", 150.0), ("blue", 500.0)), 1):
        for place in range(6):
            where = (200.0 + 60 * place, y)
            reading = die(place + 1, *where, colour=colour)
            dice.append(
                TrackedDie(
                    10 * seat + place, DieState.SETTLED, place + 1, None, 0.99, 0, 0, True, reading, where, SIDE_PX,
                    None, colour,
                )
            )  # fmt: skip
    return Watched(Reading((1280, 720), tuple(each.reading for each in dice), (), at_ns), tuple(dice), happenings, ())


@pytest.mark.parametrize(("kind", "shown"), [(Kind.TOUCHED, [(2, 1, "touched")]), (Kind.SLID, [])])
def test_what_the_judge_is_shown(kind: Kind, shown: list[tuple[int, int, str]]) -> None:
    alarms = Alarms(2)
    found: list[Alarm] = []
    for frame in range(60):
        at_ns = 1_000 * MS + frame * FRAME_NS
        told = (Happening(kind, 21, at_ns - 200 * MS, at_ns, at_ns, before=2, value=2),) if frame == 15 else ()
        found += alarms.update(watched(at_ns, told), at_ns)
    assert [(each.seat, each.rule, each.detail) for each in found] == shown


@dataclass
class Toucher:
    """A tracker that sees a hand meet a rolling die."""

    frames: int = 0

    def update(self, image_bgr: Image, *, exposure_start_ns: int, sequence: int) -> Watched:
        at_ns, self.frames = exposure_start_ns, self.frames + 1
        told = (Happening(Kind.TOUCHED, 21, at_ns - 200 * MS, at_ns, at_ns),) if self.frames == 15 else ()
        return watched(at_ns, told)


@pytest.mark.parametrize(("kind", "shown"), [(CLEAN, 1), ("touched", 0)])
def test_of_plays_in_which_nobody_breaks_a_rule_it_is_kept_what_the_judge_is_shown(kind: str, shown: int) -> None:
    found = watch(Made({}, [], 3 * S), Toucher(), name="play", kind=kind, seats=2, fps=30.0)
    assert len(found.alarms) == shown
