"""No clause of Thunder & Lightning without a place in the code, a test and a near miss."""

from __future__ import annotations

import re
from importlib import resources

from click.testing import CliRunner

from companion.clause_table import clause_table
from companion.commands.clauses import command
from rules.clauses import clauses_of, components_of
from rules.thunder_and_lightning.codes import CODES
from rules.thunder_and_lightning.game import REFEREE

PACKAGE = "rules.thunder_and_lightning"


def test_every_clause_has_code_tests_and_near_misses() -> None:
    rows = clause_table(PACKAGE)
    assert len(rows) == 277
    assert {row.clause.id: row.gaps for row in rows if row.missing} == {}


def test_a_gap_is_seen(tmp_path) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "test_one.py").write_text("@pytest.mark.clause('TL-R9')\ndef test_a(): ...\n")
    gaps = {row.clause.id: row.gaps for row in clause_table(PACKAGE, tmp_path)}
    assert gaps["TL-R9"] == ("near miss",)
    assert gaps["TL-R10"] == ("test", "near miss")


def test_the_command_lists_all_and_no_gap() -> None:
    shown = CliRunner().invoke(command, ["thunder-and-lightning"])
    assert shown.exit_code == 0, shown.output
    assert "277 clauses, 11 open cases, 16 that only people can judge; 0 with a gap." in shown.output


def test_the_decks_of_the_rulebook_are_counted() -> None:
    counts = {each.name: each.count for each in components_of(PACKAGE)}
    assert (counts["Thor deck"], counts["Loki deck"], counts["Figures"], counts["Baldr"]) == (50, 50, 2, None)


def test_the_referee_gives_no_code_that_is_not_listed_and_lists_none_that_it_cannot_give() -> None:
    sources = [
        file.read_text(encoding="utf-8")
        for file in resources.files(PACKAGE).iterdir()
        if file.name.endswith(".py") and file.name != "codes.py"
    ]
    named = {found for source in sources for found in re.findall(r'"(tl\.[a-z0-9-]+)"', source)}
    assert named == set(CODES)
    assert REFEREE.codes is CODES


def test_every_clause_named_in_the_code_exists() -> None:
    known = set(clauses_of(PACKAGE)) | set(clauses_of("rules"))
    for file in resources.files(PACKAGE).iterdir():
        if file.name.endswith(".py"):
            cited = set(re.findall(r"\b(?:TL|TC)-[A-Z]?\d+\b", file.read_text(encoding="utf-8")))
            assert cited <= known, (file.name, cited - known)
