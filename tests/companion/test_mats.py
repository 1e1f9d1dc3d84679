"""Play mats: the sheets joined again are read as the table that the program expects."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from companion import mats
from companion.cli import cli
from companion.errors import BadInput
from companion.markers import PAPERS, card_pages
from companion.sheets import Page, to_png
from rules.games import GAMES
from vision.geometry import TableGeometry
from vision.markers import CORNER_IDS, MarkerReader

DOTS_PER_INCH = 60
PX_PER_MM = DOTS_PER_INCH / 25.4
TABLES = {"lightning-dice": (660, 380), "thunder-and-lightning": (1070, 600), "greece-lightning": (660, 380)}


def joined(pages: list[Page], division: mats.Tiling) -> np.ndarray:
    """The sheets cut along their dashed edges and laid side by side."""
    x, y = (round(side * PX_PER_MM) for side in division.origin_mm)
    wide, high = (round(side * PX_PER_MM) for side in division.tile_mm)
    tiles = [to_png(page, DOTS_PER_INCH)[y : y + high, x : x + wide] for page in pages]
    across = division.columns
    return np.vstack([np.hstack(tiles[k : k + across]) for k in range(0, len(tiles), across)])


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("game", sorted(GAMES))
def test_the_joined_sheets_are_the_table_that_the_program_expects(game: str, paper: str) -> None:
    mat = mats.mat_of_game(game)
    assert mat.table_size_mm == TABLES[game]
    division = mats.tiling(mat, paper)
    pages = mats.mat_pages(mat, paper)
    assert len(pages) == division.columns * division.rows
    read = MarkerReader().read(joined(pages, division))
    assert [marker.id for marker in read] == list(CORNER_IDS)
    far_left, far_right, near_right, near_left = (np.array(marker.centre_px) / PX_PER_MM for marker in read)
    for start, end, expected in (
        (far_left, far_right, (TABLES[game][0], 0)),
        (near_left, near_right, (TABLES[game][0], 0)),
        (far_left, near_left, (0, TABLES[game][1])),
        (far_right, near_right, (0, TABLES[game][1])),
    ):
        assert np.abs(end - start - expected).max() < 2.5  # each cut is off by up to half a dot
    assert TableGeometry.from_corner_markers(read, mat.table_size_mm)


@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_corner_marker_lies_whole_on_one_sheet(game: str) -> None:
    pages = mats.mat_pages(mats.mat_of_game(game), "A4")
    found = [[marker.id for marker in MarkerReader().read(to_png(page, 100))] for page in pages]
    assert sorted(marker_id for ids in found for marker_id in ids) == list(CORNER_IDS)


def test_the_sheets_fit_the_paper_with_room_at_its_edges() -> None:
    for game in GAMES:
        for paper, size in PAPERS.items():
            for page in mats.mat_pages(mats.mat_of_game(game), paper):
                assert page.size_mm in (size, size[::-1])
                ends = [end for stroke in page.strokes for end in (stroke.from_mm, stroke.to_mm)]
                ends += [(box.left_mm, box.top_mm) for box in page.boxes]
                ends += [(box.left_mm + box.width_mm, box.top_mm + box.height_mm) for box in page.boxes]
                assert all(9.9 <= x <= page.size_mm[0] - 9.9 and 9.9 <= y <= page.size_mm[1] - 9.9 for x, y in ends)


def test_a_mat_has_the_places_that_the_live_table_knows() -> None:
    from companion.live.card_places import places_for
    from rules.thunder_and_lightning.components import Role

    drawn = {place[:4] for place in mats.mat_of_game("thunder-and-lightning").places}
    known = places_for({1: Role.THOR, 2: Role.LOKI}).areas
    for place, area in known.items():
        if place.kind != "strip":
            assert (area.x0, area.y0, area.x1, area.y1) in drawn, place


@pytest.mark.parametrize("seats", [1, 2, 3, 6])
def test_each_seat_has_its_place_for_dice(seats: int) -> None:
    texts = [place.text for place in mats.mat_of_game("lightning-dice", seats).places]
    assert [text for text in texts if "dice" in text] == [f"seat {number}: dice" for number in range(1, seats + 1)]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_each_board_area_of_a_race_is_the_zone_that_the_camera_looks_at(seats: int) -> None:
    from device.simulated.layout import zones_for

    *boards, strip = mats.mat_of_game("greece-lightning", seats).places
    assert [place[:4] for place in boards] == [(z.x0, z.y0, z.x1, z.y1) for z in zones_for(seats).values()]
    assert not any(place.y0 < strip.y1 and place.y1 > strip.y0 for place in boards)


@pytest.mark.parametrize("seats", [1, 5])
def test_a_race_is_for_two_to_four(seats: int) -> None:
    with pytest.raises(BadInput, match="expected 2 to 4"):
        mats.mat_of_game("greece-lightning", seats)


@pytest.mark.parametrize("seats", [0, 7])
def test_other_numbers_of_seats_are_refused(seats: int) -> None:
    with pytest.raises(BadInput, match="expected 1 to 6"):
        mats.mat_of_game("lightning-dice", seats)


def test_a_game_without_a_mat_is_refused_with_those_that_have_one() -> None:
    with pytest.raises(BadInput, match="lightning-dice, thunder-and-lightning"):
        mats.mat_of_game("chess")


@pytest.mark.parametrize("what", ["markers", "mat"])
@pytest.mark.parametrize("game", sorted(GAMES))
@pytest.mark.parametrize("paper", ["a4", "Letter"])
def test_the_command_writes_a_pdf_named_after_the_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str, game: str, paper: str
) -> None:
    monkeypatch.chdir(tmp_path)
    told = CliRunner().invoke(cli, ["print", what, game, "--paper", paper])
    assert (told.exit_code, told.output) == (0, f"{game}-{what}.pdf\n")
    written = (tmp_path / f"{game}-{what}.pdf").read_bytes()
    assert written.startswith(b"%PDF-1.4")
    assert (b"595.276" in written) == (paper == "a4")


@pytest.mark.parametrize("what", ["markers", "mat"])
def test_an_unknown_game_ends_with_status_2_and_the_names_that_exist(what: str) -> None:
    told = CliRunner().invoke(cli, ["print", what, "chess"])
    assert told.exit_code == 2
    known = "lightning-dice, thunder-and-lightning, greece-lightning"
    assert f"No game is called 'chess'; expected one of: {known}." in told.output


def test_print_markers_holds_cards_with_their_names_and_the_corners(tmp_path: Path) -> None:
    told = CliRunner().invoke(cli, ["print", "markers", "lightning-dice", str(tmp_path / "a.png")])
    assert told.exit_code == 0, told.output
    found = []
    for path in told.output.splitlines():
        image = cv2.imread(path, cv2.IMREAD_GRAYSCALE)
        assert image is not None
        found += [marker.id for marker in MarkerReader().read(image)]
    assert sorted(found) == [*range(50), *CORNER_IDS]


@pytest.mark.parametrize("paper", PAPERS)
def test_the_ids_that_no_game_has_yet_can_be_printed_too(paper: str) -> None:
    """With the corners' own sheet these are all 250."""
    pages = card_pages(range(250), side_mm=18, paper=paper)
    read = [marker.id for page in pages for marker in MarkerReader().read(to_png(page, 110))]
    assert read == list(range(250))
