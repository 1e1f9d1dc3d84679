"""No clause without a place in the code, a test and a near miss."""

from __future__ import annotations

from click.testing import CliRunner

from companion.clause_table import clause_table
from companion.commands.clauses import command
from rules.clauses import clauses_of
from rules.lightning_dice.options import OPEN_CASES, LightningDiceOptions

PACKAGE = "rules.lightning_dice"


def test_every_clause_has_code_tests_and_near_misses() -> None:
    rows = clause_table(PACKAGE)
    assert len(rows) == 99
    assert {row.clause.id: row.gaps for row in rows if row.missing} == {}


def test_a_gap_is_seen(tmp_path) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "test_one.py").write_text("@pytest.mark.clause('LD-S6')\ndef test_a(): ...\n")
    gaps = {row.clause.id: row.gaps for row in clause_table(PACKAGE, tmp_path)}
    assert gaps["LD-S6"] == ("near miss",)
    assert gaps["LD-S7"] == ("test", "near miss")


def test_every_open_case_is_an_option_or_follows_from_one() -> None:
    open_cases = {each.id for each in clauses_of(PACKAGE).values() if each.open_case}
    assert open_cases <= set(OPEN_CASES.values())
    assert set(OPEN_CASES) <= set(LightningDiceOptions.__struct_fields__)
    assert set(OPEN_CASES.values()) <= set(clauses_of(PACKAGE))


def test_the_command_lists_all_and_no_gap() -> None:
    shown = CliRunner().invoke(command, ["lightning-dice"])
    assert shown.exit_code == 0, shown.output
    assert "99 clauses, 22 open cases, 21 that only people can judge; 0 with a gap." in shown.output
    assert CliRunner().invoke(command, ["lightning-dice", "--missing", "--json"]).output == ""
