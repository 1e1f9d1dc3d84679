"""The table of a game's clauses: which code enforces each, and which tests hold it, with a near miss."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path

from rules.clauses import Clause, clauses_of

__all__ = ["ClauseRow", "clause_table", "tests_folder"]

_CLAUSE = re.compile(r"\b[A-Z]{2}-[A-Z]{0,2}[0-9]+\b")


@dataclass(frozen=True, slots=True)
class ClauseRow:
    """One clause with what was found of it.

    Attributes:
        clause: id, text, kind, evidence.
        code: places "rules/…/file.py:line" that cite it.
        tests: places of tests marked with it.
        near_misses: places of tests marked as its near miss.
    """

    clause: Clause
    code: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    near_misses: tuple[str, ...] = ()
    gaps: tuple[str, ...] = field(default=())

    @property
    def missing(self) -> bool:
        """True when code, test or near miss is wanting."""
        return bool(self.gaps)


def tests_folder(package: str) -> Path | None:
    """Where the tests of a game's package lie in a checkout; None in an installed copy that has no tests."""
    code = Path(str(resources.files(package)))
    folder = code.parents[len(package.split(".")) - 1].joinpath("tests", *package.split("."))
    return folder if folder.is_dir() else None


def clause_table(package: str, tests: Path | None = None) -> tuple[ClauseRow, ...]:
    """A row for each clause of a game, in the order of its rulebook.

    `tests` is looked up in the checkout when not given; where there are none, only the code is held to the clauses.
    """
    code = Path(str(resources.files(package)))
    root = code.parents[len(package.split(".")) - 1]
    folder = tests if tests is not None else tests_folder(package)
    cited: dict[str, list[str]] = {}
    for file in sorted(code.rglob("*.py")):
        for name, line in _citations(ast.parse(file.read_text(encoding="utf-8"))):
            cited.setdefault(name, []).append(f"{file.relative_to(root)}:{line}")
    marks: dict[str, dict[str, list[str]]] = {"clause": {}, "near_miss": {}}
    for file in sorted(folder.rglob("test_*.py")) if folder else ():
        shown = file.relative_to(root) if file.is_relative_to(root) else file
        for kind, name, line in _marks(ast.parse(file.read_text(encoding="utf-8"))):
            marks[kind].setdefault(name, []).append(f"{shown}:{line}")
    rows = []
    for name, clause in clauses_of(package).items():
        found = {
            "code": tuple(dict.fromkeys(cited.get(name, ()))),
            "test": tuple(marks["clause"].get(name, ())),
            "near miss": tuple(marks["near_miss"].get(name, ())),
        }
        wanted = found if folder else {"code": found["code"]}
        gaps = tuple(what for what, places in wanted.items() if not places)
        rows.append(ClauseRow(clause, found["code"], found["test"], found["near miss"], gaps))
    return tuple(rows)


def _citations(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """Clause ids in the string constants of a module, docstrings included, each with its line."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
            continue
        for number, text in enumerate(node.value.split("\n")):
            for found in _CLAUSE.finditer(text):
                yield found.group(), min(node.lineno + number, node.end_lineno or node.lineno)


def _marks(tree: ast.AST) -> Iterator[tuple[str, str, int]]:
    """Every `pytest.mark.clause(…)` and `pytest.mark.near_miss(…)`, or short names for them, on a test or a row."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute | ast.Name):
            continue
        kind = node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id
        if kind not in ("clause", "near_miss"):
            continue
        for argument in node.args:
            if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                yield kind, argument.value, node.lineno
