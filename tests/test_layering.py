"""Imports go one way, the referee stays pure, and no module grows past what one can read at a sitting."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parent.parent
PACKAGES = ("rules", "vision", "device", "companion")

FORBIDDEN: dict[str, frozenset[str]] = {
    # The referee: events in, rulings out. No clock, no chance, no camera, no web, no threads, no system.
    "rules": frozenset(
        [
            "vision",
            "device",
            "companion",
            "tests",
            "cv2",
            "numpy",
            "flask",
            "cheroot",
            "time",
            "datetime",
            "random",
            "secrets",
            "os",
            "sys",
            "threading",
            "multiprocessing",
            "asyncio",
            "concurrent",
            "subprocess",
            "socket",
            "sqlite3",
            "logging",
            "tempfile",
            "uuid",
            "shutil",
        ]
    ),
    "vision": frozenset(
        ["rules", "device", "companion", "tests", "flask", "cheroot", "sqlite3", "random", "socket", "subprocess"]
    ),
    "device": frozenset(["rules", "vision", "companion", "tests", "flask", "cheroot", "sqlite3"]),
    "companion": frozenset({"tests"}),
}

MOST_LINES = 400
LONGER_FOR_A_REASON: dict[str, str] = {
    "device/simulated/table.py": "all that people do at the simulated table, and the frame that shows it",
}
"""Path: why this module may be longer."""


def imported_modules(source: str, package: str) -> Iterator[tuple[int, str]]:
    """Line and dotted name of every module that the source imports, at any depth and by any usual means.

    `package` is the package that the source belongs to ("rules.hellas"), for relative imports.
    """
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            parents = package.split(".")
            base = parents[: len(parents) - node.level + 1] if node.level else []
            yield node.lineno, ".".join([*base, *([node.module] if node.module else [])])
        elif isinstance(node, ast.Call) and _name(node.func) in ("import_module", "__import__"):
            first = node.args[0] if node.args else None
            named = isinstance(first, ast.Constant) and isinstance(first.value, str)
            # A name that is worked out at run time could be anything: only the command line may do so.
            yield node.lineno, first.value if named else "<unknown>"  # type: ignore[union-attr]


def _name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def offences(source: str, package: str) -> list[str]:
    """The imports of this source that its layer forbids, as "line: module"."""
    layer = package.partition(".")[0]
    return [
        f"{line}: {module}"
        for line, module in imported_modules(source, package)
        if module.partition(".")[0] in FORBIDDEN[layer] or (module == "<unknown>" and layer != "companion")
    ]


def modules_of(package: str) -> list[Path]:
    return sorted((REPOSITORY / package).rglob("*.py"))


@pytest.mark.parametrize("package", PACKAGES)
def test_no_module_reaches_upward_or_sideways(package: str) -> None:
    modules = modules_of(package)
    assert modules, f"no modules found in {package}"
    wrong = [
        f"{path.relative_to(REPOSITORY)}:{offence}"
        for path in modules
        for offence in offences(path.read_text(encoding="utf-8"), ".".join(path.relative_to(REPOSITORY).parent.parts))
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    ("package", "source", "expected"),
    [
        ("rules", "import companion.hub", ["1: companion.hub"]),
        ("rules", "def f():\n    import time", ["2: time"]),
        ("rules.hellas", "from vision.readings import Reading", ["1: vision.readings"]),
        ("rules", "if TYPE_CHECKING:\n    from numpy.typing import NDArray", ["2: numpy.typing"]),
        ("rules", "import importlib\nimportlib.import_module('random')", ["2: random"]),
        ("rules", "__import__('os')", ["1: os"]),
        ("rules", "from importlib import import_module\nimport_module(name)", ["2: <unknown>"]),
        ("vision", "import device", ["1: device"]),
        ("device.cameras", "from vision import reader", ["1: vision"]),
        ("device.cameras", "from .base import Camera", []),
        ("companion", "import rules, vision, device", []),
        ("companion", "import_module(name)", []),
        ("rules", "import hashlib, json, tomllib, msgspec\nfrom importlib import resources", []),
        ("rules", "import timeit_like_name, osprey", []),
    ],
)
def test_the_check_sees_what_it_should(package: str, source: str, expected: list[str]) -> None:
    assert offences(source, package) == expected


def test_relative_imports_are_resolved() -> None:
    source = "from . import a\nfrom .b import c\nfrom ..d import e"
    assert [m for _, m in imported_modules(source, "rules.hellas")] == ["rules.hellas", "rules.hellas.b", "rules.d"]


def test_no_module_is_too_long() -> None:
    lengths = {
        str(path.relative_to(REPOSITORY)): len(path.read_text(encoding="utf-8").splitlines())
        for package in PACKAGES
        for path in modules_of(package)
        if path.parent != REPOSITORY / "vision/training"  # is not shipped
    }
    long = {name: n for name, n in lengths.items() if n > MOST_LINES and name not in LONGER_FOR_A_REASON}
    assert not long, f"longer than {MOST_LINES} lines: {long}; divide them by idea, or list them with a reason"
    stale = [name for name in LONGER_FOR_A_REASON if lengths.get(name, 0) <= MOST_LINES]
    assert not stale, f"listed as longer without need: {stale}"
