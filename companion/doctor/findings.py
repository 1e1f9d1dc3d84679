"""What one check of the doctor found."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from companion.catalogue import Catalogue

__all__ = ["ANY_CHECK", "Finding", "Level", "found", "plain", "sick"]


ANY_CHECK: Final = frozenset({"broke", "no-picture"})
"""Codes that every check may have."""


class Level(StrEnum):
    """How much a finding matters."""

    OK = "ok"
    """As it should be."""
    NOTE = "note"
    """Not needed here, or could be better; a match can be played."""
    FAULT = "fault"
    """A match would suffer from it: put it right."""
    UNKNOWN = "unknown"
    """Could not be found out on this machine."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding: the check it belongs to, how much it matters, and which sentence of the catalogue tells it.

    The sentence is `doctor.<check>.<code>`, what to do about it `doctor.<check>.<code>.fix` where there is one;
    `facts` fill their placeholders. A code of ANY_CHECK has one sentence for all checks: `doctor.any.<code>`.
    """

    check: str
    level: Level
    code: str
    facts: tuple[tuple[str, Any], ...] = ()

    @property
    def key(self) -> str:
        """Of its sentence in the catalogue."""
        return f"doctor.{'any' if self.code in ANY_CHECK else self.check}.{self.code}"

    def told(self, catalogue: Catalogue) -> str:
        """What was found, in words."""
        return catalogue.text(self.key, **self._words(catalogue))

    def fix(self, catalogue: Catalogue) -> str | None:
        """What to do, in words; None where nothing is to be done."""
        key = f"{self.key}.fix"
        return catalogue.text(key, **self._words(catalogue)) if catalogue.has(key) else None

    def _words(self, catalogue: Catalogue) -> dict[str, Any]:
        """The facts, those that are names of places and reasons in words."""
        facts = dict(self.facts)
        if "where" in facts:
            facts["where"] = catalogue.text(f"doctor.place.{facts['where']}")
        if "reason" in facts:
            facts["reason"] = catalogue.text(f"reason.{facts['reason']}".replace(" ", "-"))
        return facts


def found(check: str, level: Level, code: str, /, **facts: Any) -> Finding:
    """A finding with its facts by name."""
    return Finding(check, level, code, tuple(facts.items()))


def plain(finding: Finding, catalogue: Catalogue) -> dict[str, Any]:
    """A finding as data for JSON, with its words."""
    return {
        "check": finding.check,
        "level": str(finding.level),
        "code": finding.code,
        "facts": dict(finding.facts),
        "text": finding.told(catalogue),
        "fix": finding.fix(catalogue),
    }


def sick(findings: Iterable[Finding]) -> bool:
    """True when something is to be put right before a match."""
    return any(each.level is Level.FAULT for each in findings)
