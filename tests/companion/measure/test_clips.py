"""Real clips, which lie beside the repository and are never part of it; and made-up ones."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from companion.cli import cli
from companion.errors import BadInput
from companion.measure.clips import ClipFigures, ClipReport, ClipRoll, clips_in, watch_clips

FOLDER = Path(__file__).parents[4] / "shared" / "dice"
CLIPS = 4


def test_real_clips_end_with_the_values_seen_and_nothing_is_told_that_nobody_saw() -> None:
    """Fails when a clip that the reader can read is no longer told rightly."""
    if not (FOLDER / "videos.json").exists():
        pytest.skip(f"NOT TESTED on real clips: none of the {CLIPS} in {FOLDER}")
    report = watch_clips(FOLDER)
    assert len(report.rolls) + report.passed_over == CLIPS
    assert sum(each.invented for each in report.rolls) == 0, f"\n{report}"
    assert sum(each.before_rest for each in report.rolls) == 0, f"\n{report}"
    assert all(each.right for each in report.rolls), f"\n{report}"


def _figures(told: tuple[int, ...], read: tuple[int, ...] = (1, 2), before: int = 0) -> ClipFigures:
    return ClipFigures("a.mp4", ClipRoll(1.0, 2.0, (1, 2)), read, told, 1.25, before, ())


@pytest.mark.parametrize(
    ("figures", "right", "invented", "words"),
    [
        (_figures((2, 1)), True, 0, "right, +250 ms after rest"),
        (_figures((1,)), False, 0, "not all told"),
        (_figures((1, 3)), False, 1, "WRONG"),
        (_figures((1, 2, 2)), False, 1, "WRONG"),
        (_figures((), read=(1,)), False, 0, "the reader reads 1"),
    ],
)
def test_what_was_told_of_a_clip_is_judged_by_what_people_saw(
    figures: ClipFigures, right: bool, invented: int, words: str
) -> None:
    assert (figures.right, figures.invented) == (right, invented)
    assert words in str(figures)


def test_only_clips_that_the_reader_reads_count_for_the_goal() -> None:
    report = ClipReport((_figures((1, 2)), _figures((), read=(1,)), _figures((1,), before=1)), 0)
    assert [(goal.figure, goal.met) for goal in report.goals()] == [(50, False), (0, True), (1, False)]


def test_a_made_up_clip_without_dice_tells_nothing(tmp_path: Path) -> None:
    film = cv2.VideoWriter(str(tmp_path / "a.avi"), cv2.VideoWriter_fourcc(*"MJPG"), 30, (160, 120))
    chance = np.random.default_rng(1)
    for _ in range(20):
        film.write(chance.normal(120, 3, (120, 160, 3)).clip(0, 255).astype(np.uint8))
    film.release()
    entry = {"video": "a.avi", "rolls": [{"rest_from_s": 0.2, "rest_until_s": 0.6, "values": [4]}]}
    (tmp_path / "videos.json").write_text(json.dumps([entry, {"video": "b.avi", "rolls": []}]))
    told = CliRunner().invoke(cli, ["evaluate", "--clips", str(tmp_path), "--json"])
    assert told.exit_code == 0, told.output
    report = json.loads(told.output.splitlines()[-1])
    assert report["passed_over"] == 1
    assert report["rolls"][0]["told"] == []
    assert report["rolls"][0]["right"] is False


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (None, "cannot be read"),
        ("{", "is not JSON"),
        ('{"video": 1}', "is no list of clips"),
        ('[{"rolls": []}]', "is no list of clips"),
        ('[{"video": "a.mp4", "rolls": [{"values": [1]}]}]', "a roll without 'rest_from_s'"),
        ('[{"video": "a.mp4", "rolls": [{"values": [1], "rest_from_s": 1, "rest_until_s": 2}]}]', "has no frame"),
    ],
)
def test_what_is_wrong_with_a_folder_of_clips_is_said(text: str | None, words: str, tmp_path: Path) -> None:
    if text is not None:
        (tmp_path / "videos.json").write_text(text)
    with pytest.raises(BadInput, match=words):
        watch_clips(tmp_path)


def test_the_list_of_clips_is_read(tmp_path: Path) -> None:
    (tmp_path / "videos.json").write_text('[{"video": "a.mp4"}]')
    assert clips_in(tmp_path) == [{"video": "a.mp4"}]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--seats", "3"], "add --play"),
        (["--play", "--rendered"], "leave those out"),
        (["--play", "--clips", "x"], "Either simulated plays or real clips"),
        (["--clips", "x", "--rolls", "3"], "Clips are as they are"),
        (["--play", "--kinds", "chess"], "No kind of play is called 'chess'"),
    ],
)
def test_options_that_do_not_go_together_are_said(arguments: list[str], words: str) -> None:
    told = CliRunner().invoke(cli, ["evaluate", *arguments])
    assert told.exit_code != 0
    assert words in f"{told.output}{told.exception}"
