"""Contact sheets of failures, from prepared readings."""

from __future__ import annotations

from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.test_evaluation import ANSWERS, Canned, collection
from vision.evaluation import Report, evaluate
from vision.gallery import CAPTION_PX, PANEL_PX, GalleryNotWritten, failures, write_gallery


def report(folder: Path) -> Report:
    return evaluate(collection(folder), reader=Canned(ANSWERS))


def test_every_failure_is_shown_once_under_its_kind_and_nothing_that_was_right(tmp_path: Path) -> None:
    found = failures(report(tmp_path))
    assert {kind: len(each) for kind, each in found.items()} == {
        "wrong": 1,
        "invented beside dice": 2,
        "invented without dice": 1,
        "missed": 1,
        "refused: glare": 1,
    }
    assert list(found) == ["wrong", "invented beside dice", "invented without dice", "missed", "refused: glare"]
    assert [f.headline for each in found.values() for f in each] == [
        "6 read as 1 at 0.600",
        "nothing read as 2 at 0.900",
        "nothing read as 3 at 0.900",
        "nothing read as 1 at 0.700",
        "4 missed",
        "5 glare, die 0.90",
    ]


class Resources(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.named: Counter[str] = Counter()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.named.update(value or "" for name, value in attrs if name in ("src", "href"))


def test_the_index_names_every_sheet_and_nothing_outside_its_folder(tmp_path: Path) -> None:
    told = report(tmp_path)
    out = tmp_path / "gallery" / "new"
    *sheets, index = write_gallery(told, tmp_path, out)
    page = Resources()
    page.feed(index.read_text())
    assert {name for name in page.named if not name.startswith("#")} == {sheet.name for sheet in sheets}
    assert sorted(p.name for p in out.iterdir()) == sorted(p.name for p in (*sheets, index))
    assert "a/one" in index.read_text()


def test_a_tile_shows_the_die_itself_and_beside_it_its_outline_and_label(tmp_path: Path) -> None:
    told = report(tmp_path)
    picture = np.full((100, 200, 3), 10, np.uint8)
    cv2.rectangle(picture, (111, 31), (129, 49), (255, 255, 255), -1)  # the die read as a one, 18 px across
    cv2.imwrite(str(tmp_path / "10.png"), picture)
    sheet = cv2.imread(str(write_gallery(told, tmp_path, tmp_path / "out")[0]))
    assert sheet is not None
    tile = sheet[34 : 34 + PANEL_PX + CAPTION_PX, 8 : 8 + 2 * PANEL_PX]
    plain, drawn = tile[:PANEL_PX, :PANEL_PX].astype(int), tile[:PANEL_PX, PANEL_PX:].astype(int)
    bright = plain.min(axis=2) > 128
    side = PANEL_PX * 19 / 80  # the window is twice the label's box of 40 px
    assert bright.sum() == pytest.approx(side**2, rel=0.1)
    ys, xs = np.nonzero(bright)
    assert (xs.mean(), ys.mean()) == pytest.approx((PANEL_PX / 2, PANEL_PX / 2), abs=2)
    green = (drawn[..., 1] - drawn[..., 0] > 60) & (drawn[..., 1] - drawn[..., 2] > 60)
    ys, xs = np.nonzero(green)
    assert len(xs) > 60, "the outline of a stated value is green"
    assert (np.ptp(xs), np.ptp(ys)) == pytest.approx((side, side), abs=6)
    blue = drawn[..., 0] - drawn[..., 2] > 100
    ys, xs = np.nonzero(blue)
    assert np.ptp(xs) == pytest.approx(PANEL_PX / 2, abs=4), "the label's box is light blue"


def test_a_photograph_is_never_copied_whole(tmp_path: Path) -> None:
    """A die of 40 px in a wide picture: what lies far from it is not on its tile."""
    told = report(tmp_path)
    picture = np.full((100, 200, 3), 10, np.uint8)
    picture[:, 170:] = (0, 0, 255)
    cv2.imwrite(str(tmp_path / "10.png"), picture)
    sheet = cv2.imread(str(write_gallery(told, tmp_path, tmp_path / "out")[0]))
    assert sheet is not None
    tile = sheet[34 : 34 + PANEL_PX, 8 : 8 + 2 * PANEL_PX].astype(int)
    assert not ((tile[..., 2] > 150) & (tile[..., 1] < 60)).any()


def test_a_second_gallery_replaces_the_first(tmp_path: Path) -> None:
    told = report(tmp_path)
    write_gallery(told, tmp_path, tmp_path / "out")
    again = write_gallery(Report(frames=told.frames[1:2]), tmp_path, tmp_path / "out")
    assert sorted((tmp_path / "out").iterdir()) == sorted(again)
    assert [p.name for p in again] == ["invented-beside-dice-01.png", "index.html"]


def test_a_folder_with_other_things_is_left_alone(tmp_path: Path) -> None:
    told = report(tmp_path)
    there = sorted(tmp_path.iterdir())
    with pytest.raises(GalleryNotWritten, match="holds other things"):
        write_gallery(told, tmp_path, tmp_path)
    assert sorted(tmp_path.iterdir()) == there


def test_a_gallery_that_cannot_be_written_says_where(tmp_path: Path) -> None:
    told = report(tmp_path)
    with pytest.raises(GalleryNotWritten, match="labels"):
        write_gallery(told, tmp_path, tmp_path / "labels.json")
    (tmp_path / "20.png").unlink()
    with pytest.raises(GalleryNotWritten, match=r"20\.png"):
        write_gallery(told, tmp_path, tmp_path / "out")
