"""Plays watched from begin to end by a tracker that knows the truth, and by one that is spoiled on purpose."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.measure.disturbances import DISTURBANCES, NUDGE_PX, deliveries
from companion.measure.running import FAULT_FROM_NS, Order, measure, orders, run_order
from companion.measure.sheets import prepare
from companion.measure.watching import picture
from tests.companion.measure.generated import DELAY_NS, MS, Made, Move, S
from vision.gallery import GalleryNotWritten
from vision.images import Image
from vision.readings import DieReading, Reading
from vision.tracking.happenings import DieState, Happening, Kind, OutOfStep, TrackedDie, Trouble, Watched

DICE = {(1, 0): (1, (100.0, 50.0)), (2, 0): (2, (300.0, 50.0))}


def made() -> Made:
    moves = [
        Move((1, 0), "rolled", S, 2 * S, 4, (100.0, 120.0)),
        Move((2, 0), "slid", 3 * S, 4 * S, 2, (300.0, 150.0)),
    ]
    return Made(DICE, moves, 9 * S, [(1, 5 * S)])


@dataclass
class Oracle:
    """Tells what is true, and out of step while told to be.

    `wrong` is added to every value, `sparse` in its place to those of frames after a gap.
    """

    script: Made
    wrong: int = 0
    sparse: int = 0
    blind: dict[int, Trouble] = field(default_factory=dict)
    shift: bool = False
    told: set[Happening] = field(default_factory=set)
    seen: list[int] = field(default_factory=list)

    def update(self, image_bgr: Image, *, exposure_start_ns: int, sequence: int) -> Watched:
        at_ns = exposure_start_ns
        wrong = self.sparse if self.seen and at_ns - self.seen[-1] > 40 * MS else self.wrong
        self.seen.append(at_ns)
        dice = []
        for identity, true in enumerate(self.script.truth(at_ns), start=1):
            (dx, dy) = NUDGE_PX if self.shift and at_ns >= FAULT_FROM_NS else (0.0, 0.0)
            top = tuple((x + dx, y + dy) for x, y in true.top_px)
            value = (true.value + wrong - 1) % 6 + 1 if true.value else None
            last = max((m.until_ns for m in self.script.of((true.seat, true.index)) if m.until_ns <= at_ns), default=-S)
            settled = value is not None and at_ns - last >= DELAY_NS
            reading = DieReading(value or 1, None, 0.9, (0, 0, 1, 1), top, (), "red", "white", (0, 0, 255))
            centre = (true.centre_px[0] + dx, true.centre_px[1] + dy)
            dice.append(
                TrackedDie(
                    identity, DieState.SETTLED if settled else DieState.ROLLING, value if settled else None, None, 0.9,
                    last, None, True, reading, centre, 20.0, None, "red",
                )
            )  # fmt: skip
        happenings = []
        for each in self.script.happenings:
            told = Happening(Kind(each.kind), each.seat, each.began_ns, each.ended_ns, at_ns)
            if each.ended_ns + DELAY_NS <= at_ns and not any(t.ended_ns == told.ended_ns for t in self.told):
                self.told.add(told)
                happenings.append(told)
        out = next((trouble for since, trouble in self.blind.items() if since <= at_ns < since + 300 * MS), None)
        step = None if out is None else OutOfStep(out, at_ns)
        reading = Reading((8, 8), (), (), exposure_start_ns, sequence)
        return Watched(reading, tuple(dice), tuple(happenings), (), step)


def test_an_oracle_meets_every_goal() -> None:
    figures, sheets = run_order(Order("clean", 2, 1, 30.0), make=lambda order: made(), tracker=lambda: Oracle(made()))
    assert figures.failures == []
    assert sheets == {}
    assert (figures.values.rolls, figures.values.right) == (1, 1)
    assert (figures.kinds.scores["rolled"].found, figures.kinds.scores["slid"].found) == (1, 1)
    assert (figures.presses.settled, figures.presses.right) == (1, 1)
    assert figures.identities.switches == 0


def test_every_failure_gets_a_sheet_of_the_frames_around_it_and_a_page_over_them(tmp_path: Path) -> None:
    def run(order: Order, number: int, gallery: Path | None):
        return run_order(order, number, gallery, make=lambda _: made(), tracker=lambda: Oracle(made(), wrong=1))

    folder = tmp_path / "failures"
    report = measure(orders(["clean"], [2], [30.0], 1), rolls=2, gallery=folder, run=run)
    assert len(report.plays) == 2
    kinds = report.failure_kinds()
    assert kinds == {"wrong value": 4, "frozen wrong": 2}
    sheets = sorted(folder.glob("*.png"))
    assert len(sheets) == sum(kinds.values())
    image = cv2.imread(str(sheets[0]))
    assert image is not None
    assert image.shape[0] > 400
    page = (folder / "index.html").read_text()
    assert all(sheet.name in page for sheet in sheets)
    measure(orders(["clean"], [2], [30.0], 1), rolls=1, gallery=folder, run=run)  # earlier sheets give way
    assert len(list(folder.glob("*.png"))) == 3


def test_a_folder_with_other_things_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("dear all")
    with pytest.raises(GalleryNotWritten, match="other things"):
        prepare(tmp_path)
    assert (tmp_path / "letter.txt").exists()


def test_plays_come_in_turn_with_other_seeds_and_every_fault_once_a_round() -> None:
    first = list(islice(orders(["clean", "mixed"], [2, 3], [15.0, 30.0], 7, ["lamp switched"]), 6))
    assert [(each.kind, each.seats, each.fps, each.seed, each.fault) for each in first] == [
        ("clean", 2, 15.0, 7, None),
        ("clean", 3, 30.0, 8, None),
        ("mixed", 3, 15.0, 9, None),
        ("mixed", 2, 30.0, 10, None),
        ("clean", 2, 30.0, 11, "lamp switched"),
        ("clean", 3, 15.0, 12, None),
    ]
    assert first[4].name == "clean, 2 seats, seed 11, 30 fps, lamp switched"


@pytest.mark.parametrize("fault", [each.name for each in DISTURBANCES])
def test_a_fault_changes_the_frames_from_its_begin_on_and_only_as_it_says(fault: str) -> None:
    plain = deliveries(30.0, 6 * S)
    frames = deliveries(30.0, 6 * S, fault, 2 * S)
    assert [each for each in frames if each.at_ns < 2 * S] == plain[:60]
    assert frames != plain
    after = [each for each in frames if each.at_ns >= 2 * S]
    expected = {
        "camera nudged": (120, NUDGE_PX, 1.0), "lamp switched": (120, (0, 0), 0.55), "rate halved": (75, (0, 0), 1.0),
        "frames dropped": (90, (0, 0), 1.0), "frames duplicated": (150, (0, 0), 1.0),
        "picture frozen": (120, (0, 0), 1.0), "frames late": (120, (0, 0), 1.0),
    }[fault]  # fmt: skip
    assert (len(after), after[-1].shift_px, after[-1].gain_bgr[0]) == expected
    assert (sorted(after, key=lambda each: each.at_ns) != after) == (fault == "frames late")
    assert len({each.picture_ns for each in after}) == (
        91 if fault == "picture frozen" else len({e.at_ns for e in after})
    )


def test_a_fault_that_is_not_known_is_named() -> None:
    with pytest.raises(ValueError, match="No disturbance is called 'rain'"):
        deliveries(30.0, S, "rain")


def test_pictures_are_moved_and_lit_as_the_delivery_says() -> None:
    class Spot(Made):
        def render(self, exposure_start_ns: int, exposure_ns: int = 0) -> np.ndarray:
            image = np.zeros((60, 80, 3), np.uint8)
            image[30, 40] = 200
            return image

    frame = deliveries(30.0, 3 * S, "camera nudged", S)[-1]
    moved = picture(Spot(DICE, [], 3 * S), frame)
    assert np.argwhere(moved[:, :, 0] > 100).tolist() == [[21, 55]]
    warm = picture(Spot(DICE, [], 3 * S), deliveries(30.0, 3 * S, "lamp switched", S)[-1])
    assert warm[30, 40].tolist() == [110, 144, 164]


@pytest.mark.parametrize(
    ("fault", "oracle", "good"),
    [
        ("camera nudged", {"blind": {FAULT_FROM_NS: Trouble.CAMERA_MOVED}, "shift": True}, True),
        ("camera nudged", {"shift": True}, False),  # not noticed
        ("camera nudged", {"blind": {FAULT_FROM_NS: Trouble.LIGHT_CHANGED}, "shift": True}, False),  # wrong trouble
        ("lamp switched", {"blind": {FAULT_FROM_NS: Trouble.LIGHT_CHANGED}}, True),
        ("lamp switched", {"blind": {FAULT_FROM_NS + 400 * MS: Trouble.LIGHT_CHANGED}}, False),  # too late
        ("rate halved", {}, True),
        ("rate halved", {"sparse": 1}, False),  # wrong values meanwhile
        ("rate halved", {"wrong": 1, "sparse": 1}, True),  # wrong without the fault as well: counted with the plays
        ("rate halved", {"blind": {S: Trouble.VIEW_BLOCKED}}, False),  # a false alarm before
        ("frames dropped", {"blind": {FAULT_FROM_NS + S: Trouble.FRAMES_MISSING}}, True),
        ("frames late", {"blind": {FAULT_FROM_NS: Trouble.FRAMES_LATE}}, True),
        ("frames duplicated", {}, True),
    ],
)
def test_faults_must_be_noticed_in_time_and_nothing_false_told(fault: str, oracle: dict, good: bool) -> None:
    order = Order("clean", 2, 1, 30.0, fault)
    figures, _ = run_order(order, make=lambda _: made(), tracker=lambda: Oracle(made(), **oracle))
    assert figures.endured is not None
    assert figures.endured.good is good, str(figures.endured)
