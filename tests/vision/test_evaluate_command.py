"""`evaluate` as typed: which pictures are read, and in what form the figures come out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.cli import cli
from tests.vision.test_evaluation import collection


def run(*arguments: str, status: int = 0) -> str:
    told = CliRunner().invoke(cli, ["evaluate", *arguments])
    assert told.exit_code == status, told.output
    return told.stdout if status == 0 else told.output


def test_figures_come_as_one_json_object(tmp_path: Path) -> None:
    told = json.loads(run(str(collection(tmp_path)), "--json"))
    assert told["rows"]["all"]["dice"] == 6
    assert told["rows"]["all"]["missed"] == 6, "the pictures are plain grey"
    assert told["views"]["not told"]["frames"] == 4
    assert told["curve"][0]["threshold"] == 0
    assert told["misreads"] == []


def test_sources_learned_from_can_be_left_out(tmp_path: Path) -> None:
    told = json.loads(run(str(collection(tmp_path)), "--json", "--only-tested"))
    assert (told["rows"]["all"]["frames"], told["rows"]["without dice"]["frames"]) == (2, 1)
    assert "b/two" not in told["rows"]


@pytest.mark.parametrize(
    ("names", "frames"), [(["TWO"], (2, 0)), (["a/one", "n"], (2, 1)), (["two", "one"], (4, 0)), (["b/two"], (2, 0))]
)
def test_sources_are_chosen_by_part_of_their_name(tmp_path: Path, names: list[str], frames: tuple[int, int]) -> None:
    wanted = [word for name in names for word in ("--sources", name)]
    told = json.loads(run(str(collection(tmp_path)), "--json", *wanted))
    assert told["rows"]["all"]["frames"] == frames[0]
    assert told["rows"]["without dice"]["frames"] == frames[1]


def test_an_unknown_source_is_told_with_those_there_are(tmp_path: Path) -> None:
    told = run(str(collection(tmp_path)), "--sources", "three", status=2)
    assert "'three'" in told
    assert "a/one, b/two, n" in told


def test_nothing_left_to_read_is_told(tmp_path: Path) -> None:
    assert "learned from" in run(str(collection(tmp_path)), "--sources", "two", "--only-tested", status=2)


def test_the_gallery_is_written_where_it_is_asked_for(tmp_path: Path) -> None:
    folder = tmp_path / "pictures"
    folder.mkdir()
    table = run(str(collection(folder)), "--gallery", str(tmp_path / "out"))
    assert "photographs without dice" in table
    assert {p.name for p in (tmp_path / "out").iterdir()} == {"index.html", "missed-01.png"}


def test_rendered_sweeps_are_read_without_a_folder(tmp_path: Path) -> None:
    told = json.loads(run("--rendered", "--sweeps", "Stack", "--json", "--gallery", str(tmp_path / "sheets")))
    assert [(row["sweep"], row["step"], row["scenes"]) for row in told["rows"]] == [("stacked", "two high", 1)]
    assert (
        told["all"]["dice"] == sum(told["all"][kind] for kind in ("right", "refused", "missed")) + told["all"]["wrong"]
    )
    assert [path.name for path in (tmp_path / "sheets").iterdir()] == ["sweeps-01.jpg"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "expected a FOLDER"),
        (["--rendered", "folder"], "take no FOLDER"),
        (["--rendered", "--only-tested"], "take no FOLDER"),
        (["--rendered", "--sweeps", "fog"], "No sweep is called 'fog'; there are: tilt, size"),
        (["--rendered", "--sweeps", "tilt", "--write-floors", "f.json"], "Floors are those of all sweeps"),
        (["--rendered", "--scenes", "0"], "range"),
        (["folder", "--scenes", "3"], "add --rendered"),
    ],
)
def test_what_does_not_go_together_is_told(arguments: list[str], words: str) -> None:
    assert words in " ".join(run(*arguments, status=2).split())
