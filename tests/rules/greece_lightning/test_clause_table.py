"""No clause of Greece Lightning without a place in the code, a test and a near miss."""

from __future__ import annotations

import re
from importlib import resources
from pathlib import Path

from companion.clause_table import clause_table
from rules.clauses import clauses_of, components_of
from rules.greece_lightning import events
from rules.greece_lightning.codes import CODES
from rules.greece_lightning.components import FAVORS, FISH, WEDGES
from rules.greece_lightning.game import GAME, REFEREE
from rules.greece_lightning.options import ONLY_READING, OPEN_CASES

PACKAGE = "rules.greece_lightning"


def sources() -> dict[str, str]:
    files = resources.files(PACKAGE).iterdir()
    return {file.name: file.read_text(encoding="utf-8") for file in files if file.name.endswith(".py")}


def test_every_clause_has_code_tests_and_near_misses() -> None:
    rows = clause_table(PACKAGE)
    assert len(rows) == 223
    assert {row.clause.id: row.gaps for row in rows if row.missing} == {}


def test_a_gap_is_seen(tmp_path: Path) -> None:
    (tmp_path / "test_one.py").write_text("@pytest.mark.clause('GL-R9')\ndef test_a(): ...\n")
    gaps = {row.clause.id: row.gaps for row in clause_table(PACKAGE, tmp_path)}
    assert gaps["GL-R9"] == ("near miss",)
    assert gaps["GL-R10"] == ("test", "near miss")


def test_every_open_case_is_an_option_or_has_only_one_reading() -> None:
    open_cases = {each.id for each in clauses_of(PACKAGE).values() if each.open_case}
    assert set(OPEN_CASES.values()) | set(ONLY_READING) == open_cases
    assert not set(OPEN_CASES.values()) & set(ONLY_READING)
    assert all(ONLY_READING.values())


def test_the_referee_gives_no_code_that_is_not_listed_and_lists_none_that_it_cannot_give() -> None:
    named = {
        found
        for name, source in sources().items()
        if name != "codes.py"
        for found in re.findall(r'"(gl\.[a-z0-9-]+)"', source)
    }
    assert named == set(CODES)
    assert REFEREE.codes is CODES


def test_every_clause_named_in_the_code_exists() -> None:
    known = set(clauses_of(PACKAGE)) | set(clauses_of("rules"))
    for name, source in sources().items():
        cited = set(re.findall(r"\b(?:GL|TC)-[A-Z]?\d+\b", source))
        assert cited <= known, (name, cited - known)


def test_the_box_of_the_rulebook_is_counted() -> None:
    counts = {each.name: each.count for each in components_of(PACKAGE)}
    assert (counts["Racecourse wedges"], counts["Fish tokens"]) == (WEDGES, FISH)
    assert (counts["Favor of the Gods cards"], counts["Golden Fleece token"]) == (FAVORS, 1)


def test_there_is_an_example_of_every_event() -> None:
    examples = {type(example).__name__ for example in GAME.examples()}
    assert examples == set(events.__all__) - {"GreeceLightningEvent"}
    for example in GAME.examples():
        assert REFEREE.read_event(_plain(example)) == example


def _plain(event: object) -> object:
    import msgspec

    return msgspec.to_builtins(event)
