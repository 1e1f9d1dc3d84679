"""Every command on the page about one's own box of Greece Lightning is run, in its order; its picture is a true one."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from companion.catalogue import Catalogue
from companion.course.wedge_svg import wedge_svg
from rules.greece_lightning.pack import Pack, default_pack, wedges_of
from rules.greece_lightning.template import pack_template
from rules.greece_lightning.wedges import read_paths
from rules.packs import parse
from tests.test_readme import console_commands, run_to_the_end, start_and_stop

DOCS = Path(__file__).resolve().parent.parent / "docs"
PAGE = (DOCS / "greece-lightning.md").read_text(encoding="utf-8")


def value(plain: Any) -> str:
    """Plain data as TOML on one line."""
    if isinstance(plain, dict):
        return "{ " + ", ".join(f"{name} = {value(each)}" for name, each in plain.items()) + " }"
    if isinstance(plain, list):
        return "[" + ", ".join(value(each) for each in plain) + "]"
    return json.dumps(plain)


def filled_in() -> str:
    """The template as somebody fills it in from a box with the wedges and cards of the shipped pack."""
    box = default_pack()
    lines = [pack_template()[: pack_template().index("[starting_line]")]]
    tables = [("[starting_line]", box["starting_line"]), *(("[[wedge]]", each) for each in box["wedge"])]
    tables += [("[[favor]]", each) for each in box["favor"]]
    for head, table in tables:
        sure = table["sure"]
        read = "published" if isinstance(sure, str) else dict.fromkeys(sure, "published")
        lines += [head, *(f"{name} = {value(read if name == 'sure' else each)}" for name, each in table.items()), ""]
    return "\n".join(lines)


def test_every_command_of_the_page_runs(tmp_path: Path) -> None:
    commands = console_commands(PAGE)
    assert [command.split()[1] for command in commands] == ["pack", "pack", "pack", "markers", "print", "table"]
    first, *others, table = commands
    printed = [_template(first, tmp_path), *(run_to_the_end(command, tmp_path) for command in others)]
    assert "my-box.toml can be played with: 0 errors, 0 values assumed, 0 remarks." in printed[1]
    assert len(list((tmp_path / "my-wedges").iterdir())) == 29
    assert (tmp_path / "my-markers.pdf").stat().st_size > 10_000
    assert (tmp_path / "my-mat.pdf").stat().st_size > 3_000
    assert "Ann (red), Ben (blue)" in start_and_stop(table, tmp_path)


def _template(command: str, folder: Path) -> str:
    """The template as it is printed; what the reader is asked to fill in by hand is filled in here."""
    printed = run_to_the_end(command, folder)
    assert printed == pack_template()
    (folder / "my-box.toml").write_text(filled_in(), encoding="utf-8")
    return printed


def test_the_picture_is_the_drawing_of_the_shipped_wedge() -> None:
    pack = parse(default_pack(), Pack, what="the shipped pack")
    (name,) = re.findall(r"\]\(([\w-]+\.svg)\)", PAGE)
    drawn = wedge_svg(wedges_of(pack)["scylla-1"], pack.lanes, Catalogue())
    assert (DOCS / name).read_text(encoding="utf-8") == drawn


def test_the_example_is_taken_from_that_wedge() -> None:
    shipped = next(each for each in default_pack()["wedge"] if each["id"] == "scylla-1")
    (example,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    for line in re.findall(r"\{ id = .*? \}", example):
        assert line in [value(dot) for dot in shipped["dots"]]
    paths = re.findall(r'"([^"]*>[^"]*)"', example)
    assert len(paths) == 3
    assert set(read_paths(tuple(paths))) <= set(read_paths(tuple(shipped["paths"])))
