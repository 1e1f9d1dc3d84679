"""Markers for the wedges and Favor cards of a box."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from companion import markers, sheets
from companion.cli import cli
from companion.errors import BadInput
from rules.greece_lightning.pack import default_pack
from vision.markers import MarkerReader

Plain = dict[str, Any]


def test_each_wedge_the_line_and_each_copy_of_a_card_has_a_marker_with_its_name() -> None:
    wedges, favors = markers.sets_of_pack(default_pack())
    assert (wedges.title, len(wedges.markers)) == ("wedges", 29)
    assert (favors.title, len(favors.markers)) == ("Favor cards", 36)
    assert wedges.markers[0] == (0, "Wedge lyre-1")
    assert wedges.markers[-1] == (28, "Starting Line")
    texts = [text for _, text in favors.markers]
    assert texts[:6] == ["Demeter", "Apollo", "Hephaestus", "Janus", "Zeus 1 of 2", "Zeus 2 of 2"]


def test_the_printed_sheets_are_read_back() -> None:
    sets = markers.sets_of_pack(default_pack())
    side_mm = markers.side_mm_of_pack(default_pack())
    pages = markers.set_pages(sets, side_mm=side_mm, paper="A4", names={})
    read = Counter(marker.id for page in pages for marker in MarkerReader().read(sheets.to_png(page, 150)))
    assert read == Counter(range(65))


def wedge(plain: Plain, **values: object) -> None:
    plain["wedge"][1] |= values


def favor(plain: Plain, **values: object) -> None:
    plain["favor"][4] |= values


def bare(plain: Plain) -> None:
    for each in [*plain["wedge"], plain["starting_line"]]:
        del each["marker"]
    for each in plain["favor"]:
        del each["markers"]


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (lambda plain: wedge(plain, marker=0), "Wedge lyre-2 and Wedge lyre-1 have the same marker 0"),
        (lambda plain: favor(plain, markers=[28, 100]), "Zeus 1 of 2 and Starting Line have the same marker 28"),
        (lambda plain: favor(plain, markers=[100, 100]), "Zeus 2 of 2 and Zeus 1 of 2 have the same marker 100"),
        (lambda plain: wedge(plain, marker=200), "Wedge lyre-2 has marker 200: expected 0 to 199"),
        (lambda plain: wedge(plain, marker=True), "Wedge lyre-2 has marker True"),
        (lambda plain: favor(plain, markers=7), "Favor 'zeus' of the pack has no list of markers"),
        (bare, "Nothing in the pack has a marker"),
    ],
)
def test_wrong_markers_are_refused(spoil: Callable[[Plain], None], says: str) -> None:
    plain = default_pack()
    spoil(plain)
    with pytest.raises(BadInput, match=says):
        markers.sets_of_pack(plain)


def test_wedges_alone_may_be_marked(tmp_path: Path) -> None:
    plain = default_pack()
    for each in plain["favor"]:
        del each["markers"]
    assert [each.title for each in markers.sets_of_pack(plain)] == ["wedges"]
    text = 'game = "greece-lightning"\n[[wedge]]\nid = "a"\nmarker = 3\n'
    path = tmp_path / "pack.toml"
    path.write_text(text, encoding="utf-8")
    done = CliRunner().invoke(cli, ["markers", "--pack", str(path), str(tmp_path / "a.svg")])
    assert done.exit_code == 0, done.output
    assert "Wedge a" in (tmp_path / "a.svg").read_text(encoding="utf-8")
