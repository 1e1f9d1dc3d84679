"""Numbered rule clauses: the text of every rule a ruling can cite."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources

from rules.records import Record, from_plain

__all__ = ["Clause", "Component", "clause", "clauses_of", "components_of"]

CORE_PACKAGE = "rules"


class Clause(Record, frozen=True):
    """One numbered rule in our own words.

    Attributes:
        id: stable identity ("LD-S6").
        section: chapter of the rulebook.
        text: the rule. A text beginning "Open case:" is a reading of ours where the rulebook is silent.
        kind: component, setup, flow, legality, effect, limit, scoring, tie-break, end, conduct or example.
        evidence: how a table can know it: camera, button, declared, derived or judge.
        scenario: an example as given … when … then.
        ambiguity: what the rulebook leaves open and the reading taken; empty when nothing.
    """

    id: str
    section: str
    text: str
    kind: str
    evidence: str
    scenario: str
    ambiguity: str

    @property
    def open_case(self) -> bool:
        """True when the rulebook does not print this rule; it is then cited as our reading."""
        return self.text.startswith("Open case:")

    @property
    def people_only(self) -> bool:
        """True when only a person can establish what the clause asks for."""
        return self.evidence == "judge"


class Component(Record, frozen=True):
    """A thing in the box as far as the rulebook tells of it; `count` is None where it prints no number."""

    name: str
    note: str = ""
    count: int | None = None


class _File(Record, frozen=True):
    clause: tuple[Clause, ...]
    component: tuple[Component, ...] = ()


@cache
def _file(package: str) -> _File:
    text = resources.files(package).joinpath("clauses.toml").read_text(encoding="utf-8")
    return from_plain(tomllib.loads(text), _File, what=f"the clause file of {package}")


@cache
def clauses_of(package: str) -> dict[str, Clause]:
    """Clauses by id of a package ("rules.lightning_dice"; "rules" for the core's own), in the order of the rulebook."""
    return {each.id: each for each in _file(package).clause}


@cache
def components_of(package: str) -> tuple[Component, ...]:
    """What the rulebook says is in the box."""
    return _file(package).component


def clause(package: str, clause_id: str) -> Clause:
    """The clause with this id, of the game or of the core.

    Raises:
        LookupError: there is none.
    """
    for source in (package, CORE_PACKAGE):
        found = clauses_of(source).get(clause_id)
        if found is not None:
            return found
    raise LookupError(f"No clause {clause_id} in {package}; `companion clauses` lists all.")
