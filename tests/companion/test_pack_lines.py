"""The line of a pack file on which a value stands."""

from __future__ import annotations

import tomllib
from importlib import resources

import pytest

from companion.pack_lines import PackLines

TEXT = '''\
# [[wedge]] in a comment is none
title = "a [[wedge]] # in a text"
note = """
[[wedge]]
id = "in a long text"
"""

[line]
dots = ["a", "b"]   # on one line
[[wedge]]
id = "one"
dots = [
    # { id = "a0" },
    { id = "a1", marks = ["x, ]"] },

    { id = "a2" }, { id = "a3" },
]
  [[wedge]]
  id = "two"
  sure = { print = "published" }

[[favor]]
id = 'three'
'''


@pytest.mark.parametrize(
    ("at", "line"),
    [
        pytest.param(("title",), 2, id="a key"),
        pytest.param(("note",), 3, id="a text over several lines"),
        pytest.param(("line",), 8, id="a table"),
        pytest.param(("line", "dots", 1), 9, id="an element of a list on one line"),
        pytest.param(("wedge", 0), 10, id="the first of several tables"),
        pytest.param(("wedge", 0, "dots"), 12, id="a list over several lines"),
        pytest.param(("wedge", 0, "dots", 0, "marks", 0), 14, id="within its first element"),
        pytest.param(("wedge", 0, "dots", 1), 16, id="its second element, past an empty line"),
        pytest.param(("wedge", 0, "dots", 2), 16, id="its third element, on the same line"),
        pytest.param(("wedge", 1, "id"), 19, id="a table that is indented"),
        pytest.param(("wedge", 1, "sure", "print"), 20, id="within a table on one line"),
        pytest.param(("wedge", 1, "symbol"), 18, id="what is missing"),
        pytest.param(("favor", 0, "id"), 23, id="a text in single quotes"),
        pytest.param(("lanes",), None, id="what is missing at the top"),
        pytest.param((), None, id="the whole file"),
    ],
)
def test_the_line_is_found(at: tuple[str | int, ...], line: int | None) -> None:
    assert tomllib.loads(TEXT)["favor"][0]["id"] == "three"
    assert PackLines(TEXT).line(at) == line


@pytest.mark.parametrize("game", ["lightning_dice", "thunder_and_lightning", "greece_lightning"])
def test_every_piece_of_the_shipped_packs_is_found_where_its_id_stands(game: str) -> None:
    text = resources.files(f"rules.{game}").joinpath("assumed_pack.toml").read_text(encoding="utf-8")
    lines, written = PackLines(text), text.split("\n")
    pieces = 0
    for kind, tables in tomllib.loads(text).items():
        for number, table in enumerate(tables if isinstance(tables, list) else ()):
            line = lines.line((kind, number, "id"))
            assert line is not None
            assert written[line - 1] == f'id = "{table["id"]}"'
            for place, path in enumerate(table.get("paths", ())):
                at = lines.line((kind, number, "paths", place))
                assert at is not None
                assert f'"{path}"' in written[at - 1]
            pieces += 1
    assert pieces > 20
