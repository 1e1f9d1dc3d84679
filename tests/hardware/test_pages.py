"""What the pages about the hardware say is so: commands, checks, steps, pictures, words."""

from __future__ import annotations

import re
import shlex

import click
import pytest

from companion.catalogue import Catalogue
from companion.cli import COMMANDS, cli
from companion.doctor.examination import CHECKS, PICTURE_CHECKS
from companion.setup.steps import STEPS
from tests.hardware.scripts import HARDWARE, script

PAGES = {path.relative_to(HARDWARE).as_posix(): path.read_text(encoding="utf-8") for path in HARDWARE.rglob("*.md")}
COMMAND = re.compile(r"`companion ([^`]+)`|^ *(?:sudo [^\n`]*/run|\./run) ((?:doctor|setup|table|print)[^\n#]*)$", re.M)


def commands_of(text: str) -> list[list[str]]:
    """The words of every command of ours in a page; a line end inside backticks is a space."""
    found = ["".join(each) for each in COMMAND.findall(re.sub(r"(?<=`)([^`\n]*)\n +([^`\n]*)(?=`)", r"\1 \2", text))]
    return [shlex.split(each.partition(">")[0].rstrip("|")) for each in found]


def test_the_pages_are_found_and_their_commands() -> None:
    assert set(PAGES) == {
        "README.md",
        "assembly.md",
        "lighting/README.md",
        "pi/README.md",
        "pi/on-a-pi.md",
        "solids/README.md",
    }
    assert ["print", "labels", "lightning-dice"] in commands_of(PAGES["assembly.md"])
    assert len(commands_of(PAGES["assembly.md"])) > 12


@pytest.mark.parametrize("page", sorted(PAGES))
def test_every_command_is_understood(page: str) -> None:
    """Parsed as if it were typed, but not run."""
    for words in commands_of(PAGES[page]):
        assert words[0] in COMMANDS, words
        command: click.Command | None = cli.get_command(click.Context(cli), words[0])
        rest = words[1:]
        while isinstance(command, click.Group) and rest:
            command = command.get_command(click.Context(command), rest.pop(0))
            assert command is not None, words
        assert command is not None
        try:
            context = command.make_context(words[0], rest)
        except click.MissingParameter:
            assert not rest, words  # a command that is only named, as one of a group
            continue
        if words[0] == "doctor" and context.params["names"]:
            assert set(context.params["names"].split(",")) <= set(CHECKS), words
        if words[0] == "setup":
            assert set(context.params["steps"]) <= set(STEPS), words


def test_the_guide_has_every_check_of_the_doctor_and_every_step_of_the_set_up() -> None:
    named: set[str] = set()
    steps: set[str] = set()
    for words in commands_of(PAGES["assembly.md"]):
        if words[0] == "doctor" and "--only" in words:
            named |= set(words[words.index("--only") + 1].split(","))
        if words[0] == "setup":
            steps |= {word for word in words[1:] if word in STEPS}
    assert named == set(CHECKS) - {"settings"}
    assert steps == set(STEPS)


@pytest.mark.parametrize("page", sorted(PAGES))
def test_links_and_pictures_are_there(page: str) -> None:
    here = (HARDWARE / page).parent
    for target in re.findall(r"\]\(([^)]+)\)", PAGES[page]):
        path, _, part = target.partition("#")
        assert (here / path).exists(), target
        if part:
            text = PAGES[page] if not path else (here / path).read_text(encoding="utf-8")
            headings = {
                re.sub(r"[^\w -]", "", each).strip().lower().replace(" ", "-")
                for each in re.findall(r"^#+ (.+)$", text, re.M)
            }
            assert part in headings, target


def test_every_kind_of_light_has_its_picture_and_what_the_doctor_says_of_it() -> None:
    page = PAGES["lighting/README.md"]
    scenes = script("lighting/make_pictures.py").SCENES
    assert set(re.findall(r"\]\(([\w-]+)\.jpg\)", page)) == set(scenes)
    catalogue = Catalogue()
    told = [catalogue.form(f"doctor.{check}.{code}") for check, code in (("light", "ok"), ("light", "dark"))]
    told += [catalogue.form(f"doctor.light.{code}") for code in ("bright", "uneven", "glare")]
    told.append(catalogue.form("doctor.banding.strong"))
    quoted = re.findall(r'\*"([^"]+)[."]+\*', page)
    assert len(quoted) == len(scenes)
    for quote, sentence in zip(quoted, told, strict=True):
        plain = re.sub(r"\{\w+\}", "", sentence)
        words = quote.removesuffix(".").replace("Glare far right", "Glare")
        assert plain.startswith(words), (quote, sentence)


def test_what_was_never_tried_is_said_of_every_part() -> None:
    rows = re.findall(r"^\| (.+?) \| (.+?) \| (.+?) \|$", PAGES["README.md"].partition("## What was tried")[2], re.M)
    assert len(rows) > 10
    assert all(part and tried and never for part, tried, never in rows)


def test_pictures_of_the_table_are_checked_by_picture() -> None:
    assert set(PICTURE_CHECKS) < set(CHECKS)
