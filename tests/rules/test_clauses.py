"""The clause files are whole and every clause can be looked up."""

from __future__ import annotations

import pytest

from rules.clauses import clause, clauses_of, components_of
from rules.games import GAMES
from rules.match import CORE_CODES

PACKAGES = ["rules", *(game.package for game in GAMES.values())]
KINDS = "component setup flow legality effect limit scoring tie-break end conduct example".split()  # noqa: SIM905


@pytest.mark.parametrize("package", PACKAGES)
def test_every_clause_has_a_unique_id_a_known_kind_and_a_scenario(package: str) -> None:
    clauses = clauses_of(package)
    assert clauses
    for each in clauses.values():
        assert each.kind in KINDS
        assert each.evidence in ("camera", "button", "declared", "derived", "judge")
        assert each.text
        assert "given " in each.scenario
        assert " then " in each.scenario


@pytest.mark.parametrize("package", PACKAGES[1:])
def test_an_open_case_says_why_it_is_open(package: str) -> None:
    for each in clauses_of(package).values():
        assert each.ambiguity or not each.open_case, each.id
    assert components_of(package)


@pytest.mark.parametrize("package", PACKAGES[1:])
def test_a_game_finds_its_own_clauses_and_those_of_the_house(package: str) -> None:
    own = next(iter(clauses_of(package)))
    assert clause(package, own).id == own
    assert clause(package, "TC-3").section == "Record"
    with pytest.raises(LookupError, match="companion clauses"):
        clause(package, "XX-1")


def test_every_house_clause_is_cited_by_the_core() -> None:
    from pathlib import Path

    import rules

    source = "".join(path.read_text(encoding="utf-8") for path in Path(rules.__file__).parent.glob("*.py"))
    source += "".join(
        path.read_text(encoding="utf-8") for path in Path(rules.__file__).parent.glob("lightning_dice/*.py")
    )
    missing = [each for each in clauses_of("rules") if each not in source]
    assert not missing
    assert CORE_CODES
