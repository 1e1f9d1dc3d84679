"""Marker sheets: every printed id is read back, from every kind of file; wrong wishes are refused in words."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

import cv2
import numpy as np
import pytest
from click.testing import CliRunner
from numpy.typing import NDArray

from companion import markers, sheets
from companion.cli import cli
from companion.errors import BadInput
from rules import lightning_dice
from rules.games import GAMES, game_named
from rules.thunder_and_lightning.components import DECK, Role
from rules.thunder_and_lightning.pack import default_pack
from vision.markers import CARD_BACK_IDS, CORNER_IDS, MarkerReader, marker_image

DPMM = 10  # dots per mm of the rasters made here


def ids_in(image: NDArray[np.uint8]) -> list[int]:
    return [marker.id for marker in MarkerReader().read(cv2.cvtColor(image, cv2.COLOR_GRAY2BGR))]


def paint(size_mm: tuple[float, float], boxes: list[tuple[float, ...]]) -> NDArray[np.uint8]:
    """Black boxes (left, top, width, height in mm) on white."""
    image = np.full((round(size_mm[1] * DPMM), round(size_mm[0] * DPMM)), 255, np.uint8)
    for left, top, width, height in boxes:
        image[round(top * DPMM) : round((top + height) * DPMM), round(left * DPMM) : round((left + width) * DPMM)] = 0
    return image


@pytest.mark.parametrize("paper", markers.PAPERS)
def test_every_printed_id_is_read_back(paper: str) -> None:
    ids = list(range(240))
    pages = markers.card_pages(ids, side_mm=18, paper=paper)
    pages.append(markers.corner_page(side_mm=40, paper=paper))
    read = [marker_id for page in pages for marker_id in ids_in(sheets.to_png(page, 150))]
    assert read == list(range(244))


@pytest.mark.parametrize("side_mm", [8.0, 11.3, 18.0, 25.0, 60.0])
def test_any_size_is_read_back(side_mm: float) -> None:
    pages = markers.card_pages([0, 7, 239], side_mm=side_mm, paper="A4", names={7: "Zeus"})
    assert [marker_id for page in pages for marker_id in ids_in(sheets.to_png(page, 200))] == [0, 7, 239]


def test_svg_and_pdf_hold_the_same_boxes() -> None:
    page = markers.card_pages(list(range(30)), side_mm=18, paper="A4")[0]
    name = "{http://www.w3.org/2000/svg}"
    group = ElementTree.fromstring(sheets.to_svg(page)).find(f"{name}g")
    assert group is not None
    from_svg = [
        tuple(float(rect.attrib[key]) for key in ("x", "y", "width", "height")) for rect in group.iter(f"{name}rect")
    ]
    from_pdf = [
        (left, page.size_mm[1] - bottom - height, width, height)
        for left, bottom, width, height in (
            map(float, found)
            for found in re.findall(r"^(\S+) (\S+) (\S+) (\S+) re f$", sheets.to_pdf([page]).decode("cp1252"), re.M)
        )
    ]
    assert ids_in(paint(page.size_mm, from_svg)) == list(range(30))
    assert ids_in(paint(page.size_mm, from_pdf)) == list(range(30))


def test_the_cross_references_of_the_pdf_point_at_its_objects() -> None:
    pages = markers.card_pages(list(range(100)), side_mm=18, paper="A4", names={0: r"a (b) \ é"})
    pdf = sheets.to_pdf(pages)
    start = int(pdf.rsplit(b"startxref\n", 1)[1].split()[0])
    assert pdf[start:].startswith(b"xref\n")
    offsets = [int(line.split()[0]) for line in pdf[start:].splitlines()[3:] if line.endswith(b" n ")]
    assert [pdf[offset:].split(b" ", 1)[0] for offset in offsets] == [
        str(number).encode() for number in range(1, len(offsets) + 1)
    ]
    for declared, body in re.findall(rb"/Length (\d+) >>\nstream\n(.*?)\nendstream", pdf, re.S):
        assert int(declared) == len(body)
    assert rb"a \(b\) \\ " + "é".encode("cp1252") in pdf
    assert pdf.count(b"/Type /Page ") == len(pages) > 1


def test_the_border_is_wider_than_a_module() -> None:
    """From the black square to the cut line there is a white module at least, on all four sides."""
    side_mm = 18.0
    page = markers.card_pages([5], side_mm=side_mm, paper="A4")[0]
    left = min(box.left_mm for box in page.boxes)
    top = min(box.top_mm for box in page.boxes)
    cut = [stroke for stroke in page.strokes if not stroke.black]
    xs = [x for stroke in cut for x, _ in (stroke.from_mm, stroke.to_mm)]
    ys = [y for stroke in cut for _, y in (stroke.from_mm, stroke.to_mm)]
    module = side_mm / 8
    assert min(left - min(xs), max(xs) - left - side_mm, top - min(ys)) >= module
    texts = [label for label in page.labels if label.at_mm[1] > top]
    assert [label.text for label in texts] == ["5"]
    assert all(label.at_mm[1] - label.size_mm >= top + side_mm + module / 2 for label in texts)


def test_boxes_are_the_dictionary_bits() -> None:
    page = markers.card_pages([42], side_mm=16, paper="A4")[0]
    left = min(box.left_mm for box in page.boxes)
    top = min(box.top_mm for box in page.boxes)
    image = paint(page.size_mm, [(b.left_mm, b.top_mm, b.width_mm, b.height_mm) for b in page.boxes])
    centres = [(np.arange(8) + 0.5) * 2 * DPMM + start * DPMM for start in (top, left)]
    bits = image[np.ix_(centres[0].astype(int), centres[1].astype(int))]
    assert np.array_equal(bits, marker_image(42, 10)[1:-1, 1:-1])


def test_long_names_are_cut_to_the_cell() -> None:
    page = markers.card_pages([1], side_mm=18, paper="A4", names={1: "n" * 90})[0]
    label = page.labels[-1]
    assert label.text.endswith("…")
    assert len(label.text) * label.size_mm * 0.55 <= 18 + 2 * 18 / 8 * 1.2


@pytest.mark.parametrize(
    ("text", "expected"),
    [("0-3", [0, 1, 2, 3]), ("5", [5]), ("7,1-2, 7", [7, 1, 2]), ("239", [239])],
)
def test_lists_of_ids(text: str, expected: list[int]) -> None:
    assert markers.parse_ids(text) == expected


@pytest.mark.parametrize("text", ["", "a", "3-1", "240", "0-250", "-3", "1--2", "1,,2", "²", "1.5"])
def test_wrong_lists_of_ids_are_refused(text: str) -> None:
    with pytest.raises(BadInput, match="Wrong marker ids"):
        markers.parse_ids(text)


def test_names() -> None:
    assert markers.parse_names("# deck\n3 Zeus, il padre\n\n 4  Ares \n") == {3: "Zeus, il padre", 4: "Ares"}
    for wrong in ("Zeus", "3", "3 a\n3 b"):
        with pytest.raises(BadInput, match="Line"):
            markers.parse_names(wrong)


@pytest.mark.parametrize("side_mm", [0.0, -1.0, 7.9, 500.0, float("nan"), float("inf")])
def test_impossible_sizes_are_refused(side_mm: float) -> None:
    with pytest.raises(BadInput, match=r"side-mm|too small"):
        markers.card_pages([0], side_mm=side_mm, paper="A4")
    with pytest.raises(BadInput, match=r"side-mm|too small"):
        markers.corner_page(side_mm=side_mm, paper="A4")


def test_the_corners_are_named_as_the_geometry_has_them() -> None:
    page = markers.corner_page(side_mm=40, paper="A4")
    texts = " / ".join(label.text for label in page.labels)
    for marker_id, place in {240: "far left", 241: "far right", 242: "near right", 243: "near left"}.items():
        assert f"{marker_id}  {place} corner" in texts


def test_the_markers_of_a_pack_carry_its_cards() -> None:
    cards = [{"id": "g2", "marker": 7, "goal": "3 pairs"}, {"id": "g1"}, {"id": "g3", "marker": 1, "text": "Three"}]
    assert list(markers.names_of_pack({"card": cards}).items()) == [(7, "g2 3 pairs"), (1, "g3 Three")]
    for wrong in ([], [{"id": "a"}], [{"id": "a", "marker": 1}, {"id": "b", "marker": 1}], [{"marker": 240}]):
        with pytest.raises(BadInput, match="marker"):
            markers.names_of_pack({"card": wrong})


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(cli, ["markers", *arguments])
    return result.exit_code, result.output


@pytest.mark.parametrize(
    ("arguments", "name", "files"),
    [
        (["--ids", "0-9"], "a.svg", ["a.svg"]),
        (["--ids", "0-9", "--corners"], "a.png", ["a-1.png", "a-2.png"]),
        (["--corners"], "a.svg", ["a.svg"]),
        (["--corners", "--ids", "0-120", "--paper", "LETTER"], "a.pdf", ["a.pdf"]),
    ],
)
def test_the_command_writes_the_files(tmp_path: Path, arguments: list[str], name: str, files: list[str]) -> None:
    status, output = run(*arguments, str(tmp_path / name))
    assert status == 0, output
    assert sorted(path.name for path in tmp_path.iterdir()) == files
    assert output.splitlines() == [str(tmp_path / file) for file in files]


def test_the_command_prints_the_pack_that_is_shipped(tmp_path: Path) -> None:
    pack = Path(lightning_dice.__file__).parent / "assumed_pack.toml"
    assert run("--pack", str(pack), str(tmp_path / "a.png")) == (0, f"{tmp_path / 'a.png'}\n")
    image = cv2.imread(str(tmp_path / "a.png"), cv2.IMREAD_GRAYSCALE)
    assert image is not None
    assert ids_in(image.astype(np.uint8)) == list(range(50))


def read_sheets(pages: list[sheets.Page]) -> Counter[int]:
    """How often each marker is read on the pages, backs as often as they lie there."""
    reader = MarkerReader(repeated=CARD_BACK_IDS)
    return Counter(marker.id for page in pages for marker in reader.read(sheets.to_png(page, 150)))


@pytest.mark.parametrize("game", sorted(GAMES))
@pytest.mark.parametrize("paper", markers.PAPERS)
def test_every_sheet_of_every_games_own_pack_is_read_back(game: str, paper: str) -> None:
    pack = game_named(game).default_pack()
    sets = markers.sets_of_pack(pack)
    pages = markers.set_pages(sets, side_mm=markers.side_mm_of_pack(pack), paper=paper, names={})
    assert read_sheets(pages) == Counter(marker for each in sets for marker, _ in each.markers)


def test_two_decks_have_a_marker_for_each_copy_and_as_many_backs() -> None:
    sets = markers.sets_of_pack(default_pack())
    assert [each.title for each in sets] == [
        "faces of Thor's deck",
        "faces of Loki's deck",
        "backs of Thor's deck",
        "backs of Loki's deck",
    ]
    assert [len(each.markers) for each in sets] == [DECK] * 4
    thor, loki, *backs = ([marker for marker, _ in each.markers] for each in sets)
    assert (sorted(thor), sorted(loki)) == (list(range(50)), list(range(50, 100)))
    assert backs == [[200] * DECK, [201] * DECK]
    texts = dict(sets[0].markers)
    ravens = next(card for card in default_pack()["card"] if card["id"] == "thor-ravens")
    for number, marker in enumerate(ravens["markers"], start=1):
        assert texts[marker] == f"Thor: {ravens['name']} {number} of {ravens['copies']}"


def test_a_card_of_its_own_kind_is_not_numbered_and_loki_is_told_from_thor() -> None:
    sets = {each.title: dict(each.markers) for each in markers.sets_of_pack(default_pack())}
    assert "Thor: Thor" in sets["faces of Thor's deck"].values()
    assert "Loki: Loki" in sets["faces of Loki's deck"].values()
    assert set(sets["backs of Loki's deck"].values()) == {"back of a card of Loki"}


def test_the_backs_tell_the_deck_and_nothing_more() -> None:
    """All that is printed beside a back is the same for every card of its deck."""
    for each, back in zip(markers.sets_of_pack(default_pack())[2:], CARD_BACK_IDS, strict=True):
        assert len(set(each.markers)) == 1
        assert each.markers[0][0] == back


@pytest.mark.parametrize(
    ("card", "says"),
    [
        ({"id": "a", "deck": "thor", "name": "A", "markers": [1, 1]}, "Two cards of the pack have marker 1"),
        ({"id": "a", "deck": "thor", "name": "A", "markers": [200]}, "expected 0 to 199"),
        ({"id": "a", "deck": "thor", "name": "A", "markers": ["1"]}, "expected 0 to 199"),
        ({"id": "a", "deck": "odin", "name": "A", "markers": [1]}, "no deck"),
        ({"id": "a", "deck": "thor", "name": "A", "markers": 4}, "no list of markers"),
        ({"id": "a", "deck": "thor", "name": "A"}, "No card of the pack has markers"),
    ],
    ids=["twice", "a back's", "no number", "no such deck", "no list", "none"],
)
def test_wrong_markers_of_two_decks_are_refused(card: dict[str, object], says: str) -> None:
    with pytest.raises(BadInput, match=says):
        markers.sets_of_pack({"game": "thunder-and-lightning", "card": [card]})
    right = {"id": "a", "deck": "thor", "name": "A", "markers": [1, 2]}
    (faces, backs) = markers.sets_of_pack({"game": "thunder-and-lightning", "card": [right]})
    assert faces.markers == ((1, "Thor: A 1 of 2"), (2, "Thor: A 2 of 2"))
    assert [marker for marker, _ in backs.markers] == [200, 200]


def test_a_pack_of_a_game_without_markers_is_refused() -> None:
    with pytest.raises(BadInput, match="lightning-dice, thunder-and-lightning"):
        markers.sets_of_pack({"game": "chess", "card": []})


def test_every_game_has_its_markers() -> None:
    for game in GAMES.values():
        assert markers.sets_of_pack(game.default_pack()), game.name


def test_roles_are_in_the_order_of_their_backs() -> None:
    assert [role.value for role in Role] == ["thor", "loki"]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--game", "thunder-and-lightning"], [*range(100), *[200] * 50, *[201] * 50]),
        (["--game", "thunder-and-lightning", "--corners"], [*range(100), *[200] * 50, *[201] * 50, *CORNER_IDS]),
        (["--game", "thunder-and-lightning", "--ids", "7,200"], [7, 200]),
        (["--game", "lightning-dice"], list(range(50))),
        (["--game", "lightning-dice", "--ids", "3-5,60"], [3, 4, 5, 60]),
    ],
)
def test_the_command_prints_what_is_asked_of_a_game(tmp_path: Path, arguments: list[str], expected: list[int]) -> None:
    status, output = run(*arguments, str(tmp_path / "a.png"))
    assert status == 0, output
    reader = MarkerReader(repeated=CARD_BACK_IDS)
    found = []
    for path in output.splitlines():
        image = cv2.imread(path, cv2.IMREAD_GRAYSCALE)
        assert image is not None
        found += [marker.id for marker in reader.read(image.astype(np.uint8))]
    assert sorted(found) == expected


def test_a_game_chooses_the_side_and_people_may_choose_another(tmp_path: Path) -> None:
    """A table for fifty cards a side is seen from further away."""

    def side_mm(*arguments: str) -> float:
        status, output = run(*arguments, "--ids", "5", str(tmp_path / "a.svg"))
        assert status == 0, output
        name = "{http://www.w3.org/2000/svg}"
        group = ElementTree.parse(tmp_path / "a.svg").getroot().find(f"{name}g")
        assert group is not None
        return max(float(rect.attrib["width"]) for rect in group.iter(f"{name}rect"))

    assert side_mm() == side_mm("--game", "lightning-dice") == 18
    assert side_mm("--game", "thunder-and-lightning") == 30
    assert side_mm("--game", "thunder-and-lightning", "--side-mm", "20") == 20


def test_a_pack_or_a_game_but_not_both(tmp_path: Path) -> None:
    pack = Path(lightning_dice.__file__).parent / "assumed_pack.toml"
    status, output = run("--pack", str(pack), "--game", "lightning-dice", str(tmp_path / "a.svg"))
    assert status == 2
    assert "a pack tells its game" in output


def test_a_png_is_read_back_from_disk(tmp_path: Path) -> None:
    assert run("--ids", "10-12", str(tmp_path / "a.png"))[0] == 0
    image = cv2.imread(str(tmp_path / "a.png"), cv2.IMREAD_GRAYSCALE)
    assert image is not None
    assert ids_in(image.astype(np.uint8)) == [10, 11, 12]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--ids", "900", "a.svg"], "Wrong marker ids"),
        (["a.jpg"], "expected a name ending in"),
        (["--side-mm", "2", "a.svg"], "too small"),
        (["/nowhere/a.svg"], "Cannot write"),
        (["--pack", __file__, "a.svg"], "Expected a component pack in TOML"),
    ],
)
def test_wrong_wishes_end_with_status_2(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], says: str
) -> None:
    monkeypatch.chdir(tmp_path)
    status, output = run(*arguments)
    assert status == 2
    assert says in output
    assert not list(tmp_path.iterdir())
