from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.errors import VisionError
from vision.evaluation import NoSuchCollection, evaluate
from vision.goals import goals
from vision.readings import DieReading, Unreadable


def die(value: int | None, x: float, y: float, confidence: float = 0.9) -> DieReading:
    outline = ((x - 9, y - 9), (x + 9, y - 9), (x + 9, y + 9), (x - 9, y + 9))
    reason = None if value else Unreadable.GLARE
    return DieReading(value, reason, confidence, (x - 9, y - 9, x + 9, y + 9), outline, (), "red", "white", (0, 0, 200))


class Canned:
    """Gives prepared readings by the brightness of the image."""

    def __init__(self, answers: dict[int, tuple[DieReading, ...]]) -> None:
        self.answers = answers

    def read(self, image: np.ndarray) -> tuple[DieReading, ...]:
        return self.answers[int(image[0, 0, 0])]


def collection(folder: Path) -> Path:
    for brightness in (10, 20, 30, 40, 50):
        cv2.imwrite(str(folder / f"{brightness}.png"), np.full((100, 200, 3), brightness, np.uint8))

    def entry(
        brightness: int, source: str, learn: bool, dice: list[dict[str, object]], ignore: list[list[int]]
    ) -> dict[str, object]:
        return {
            "image": f"{brightness}.png", "source": source, "width": 200, "height": 100, "dice": dice,
            "ignore": ignore, "learn": learn,
        }  # fmt: skip

    boxed = [{"value": v, "box": [x, 20, x + 40, 60]} for v, x in ((3, 0), (5, 50), (6, 100))]
    labels = [
        entry(10, "a/one", False, boxed, [[150, 0, 200, 100]]),
        entry(20, "a/one", False, boxed[:1], []),
        entry(30, "b/two", True, [{"value": 2, "box": None}], []),
        entry(40, "b/two", True, [{"value": 4, "box": None}], []),
    ]
    (folder / "labels.json").write_text(json.dumps(labels))
    (folder / "negatives.json").write_text(
        json.dumps([{"image": "50.png", "source": "n", "width": 200, "height": 100, "what": "coin"}])
    )
    return folder


ANSWERS = {
    10: (die(3, 20, 40), die(None, 70, 40), die(1, 120, 40, 0.6), die(6, 180, 50), die(2, 75, 90)),
    20: (die(3, 25, 45), die(3, 15, 35)),
    30: (die(2, 120, 60),),
    40: (),
    50: (die(None, 50, 50), die(1, 90, 50, 0.7)),
}


def test_every_kind_of_outcome_is_counted_once(tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    report = evaluate(collection(tmp_path), lambda done, total: seen.append((done, total)), Canned(ANSWERS))
    assert seen == [(1, 5), (2, 5), (3, 5), (4, 5), (5, 5)]
    one = report.sources["a/one"]
    assert (one.dice, one.right, one.refused, one.wrong, one.missed) == (4, 2, 1, 1, 0)
    assert one.invented == 2  # one beside the dice, one more in the box of a die already read; none in the ignored box
    assert (one.frames, one.frames_right) == (2, 0)
    two = report.sources["b/two"]
    assert (two.dice, two.right, two.missed, two.frames_right, two.learned) == (2, 1, 1, 1, True)
    assert (report.without_dice.frames, report.without_dice.invented, report.without_dice.frames_right) == (1, 1, 0)
    total = report.all
    assert total.dice == total.right + total.refused + total.wrong + total.missed == 6
    assert (report.learned.dice, report.unlearned.dice) == (2, 4)
    assert report.mean_of_sources("right") == pytest.approx(50)
    assert len(report.misreads) == 4


def test_the_table_names_every_source_and_the_calibration(tmp_path: Path) -> None:
    report = evaluate(collection(tmp_path), reader=Canned(ANSWERS))
    table = str(report)
    for word in ("a/one", "* b/two", "mean over sources", "only tested", "without dice", "Calibration error"):
        assert word in table
    # stated: 0.9 right twice and wrong twice beside a/one's dice, 0.6 wrong, 0.9 right in b/two, 0.7 wrong
    assert report.calibration_error() == pytest.approx((abs(5 * 0.9 - 3) + 0.6 + 0.7) / 7)
    steps = {step.threshold: step for step in report.curve()}
    assert steps[0.0] == (0.0, 3, 1, 1, 3, 1)  # right, wrong, refused, invented, frames with dice wholly right
    assert steps[0.88] == (0.88, 3, 0, 2, 2, 1)
    assert steps[0.91] == (0.91, 0, 0, 5, 0, 0)
    assert json.loads(json.dumps(report.as_dict()))["rows"]["all"]["dice"] == 6


def test_values_held_back_are_counted_at_the_thresholds_that_would_have_stated_them(tmp_path: Path) -> None:
    bold = Canned({**ANSWERS, 10: (die(3, 20, 40), die(5, 70, 40, 0.7), die(1, 120, 40, 0.6), die(2, 75, 90))})
    report = evaluate(
        collection(tmp_path), reader=Canned(ANSWERS), only=lambda e: e["image"] == "10.png", without_threshold=bold
    )
    steps = {step.threshold: step for step in report.curve()}
    assert (report.all.refused, report.all.right) == (1, 1)
    assert steps[0.7][:4] == (0.7, 2, 0, 1)
    assert steps[0.75][:4] == (0.75, 1, 0, 2)
    assert steps[0.3][:4] == (0.3, 2, 1, 0)


class Careful(Canned):
    threshold = 0.8


def test_the_curve_begins_where_the_reader_began_to_hold_back(tmp_path: Path) -> None:
    report = evaluate(collection(tmp_path), reader=Careful(ANSWERS))
    assert report.curve()[0].threshold == 0.8


def test_inventions_are_told_per_hundred_frames(tmp_path: Path) -> None:
    report = evaluate(collection(tmp_path), reader=Canned(ANSWERS))
    assert "Invented per 100 frames: all 50.0, only tested 100.0, without dice 100.0." in str(report)
    assert report.as_dict()["rows"]["without dice"]["invented_per_100_frames"] == 100


def test_goals_stand_beside_what_is_reached_on_sources_that_only_test(tmp_path: Path) -> None:
    report = evaluate(collection(tmp_path), reader=Canned(ANSWERS))
    reached = {goal.name: (goal.figure, goal.met) for goal in goals(report)}
    assert reached == {
        "dice wrong, %": (25, False),
        "dice refused or missed, %": (25, False),
        "dice wrong, overhead and mildly oblique, %": (25, False),
        "dice refused or missed, overhead, %": (25, False),
        "invented per 100 frames with dice": (100, False),
        "invented per 100 frames, those without dice among them": (100, False),
        "frames wholly right, %": (0, False),
        "expected calibration error": (pytest.approx((abs(4 * 0.9 - 2) + 0.6 + 0.7) / 6), False),
    }
    assert str(report).count("NOT MET") == len(reached)
    best = {10: tuple(die(v, x, 40, 1) for v, x in ((3, 20), (5, 70), (6, 120))), 20: (die(3, 20, 40, 1),)}
    good = evaluate(tmp_path, reader=Canned(best), only=lambda e: e["source"] == "a/one")
    assert all(goal.met for goal in goals(good))
    assert not goals(evaluate(tmp_path, reader=Canned(ANSWERS), only=lambda e: bool(e.get("learn"))))


def test_only_chosen_photographs_are_read(tmp_path: Path) -> None:
    report = evaluate(collection(tmp_path), reader=Canned(ANSWERS), only=lambda e: bool(e.get("learn")))
    assert set(report.sources) == {"b/two"}
    assert report.without_dice.frames == 0


def test_a_missing_folder_or_photograph_is_named(tmp_path: Path) -> None:
    with pytest.raises(NoSuchCollection, match=r"labels\.json"):
        evaluate(tmp_path / "nowhere")
    (collection(tmp_path) / "20.png").unlink()
    with pytest.raises(FileNotFoundError, match=r"20\.png"):
        evaluate(tmp_path, reader=Canned(ANSWERS))


@pytest.mark.parametrize(
    ("labels", "told"),
    [
        ("{", "is not JSON"),
        ("{}", "is not a list"),
        ("[3]", "is not a list"),
        ("[]", "names no photograph"),
        ('[{"image": "20.png"}]', "20.png has no source, width, height"),
    ],
)
def test_labels_that_cannot_be_used_are_told(tmp_path: Path, labels: str, told: str) -> None:
    (collection(tmp_path) / "labels.json").write_text(labels)
    (tmp_path / "negatives.json").unlink()
    with pytest.raises(NoSuchCollection, match=told) as raised:
        evaluate(tmp_path)
    assert isinstance(raised.value, VisionError)
