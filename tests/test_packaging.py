"""What is shipped: the wheel, the pins with their reasons, the scripts."""

from __future__ import annotations

import os
import re
import shutil
import stat
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parent.parent
PACKAGES = ("rules", "vision", "device", "companion")
SCRIPTS = ("run", "check", ".ci/run")
LEFT_OUT = (Path("vision/training"), Path("device/physics"))
NO_DATA = {".pyc", ".pyo"}


@pytest.fixture(scope="module")
def wheel_names(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """The names in a wheel built from a copy of the tree, without a network."""
    copy = tmp_path_factory.mktemp("source")
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(REPOSITORY / name, copy)
    for package in (*PACKAGES, "tests"):
        shutil.copytree(REPOSITORY / package, copy / package, ignore=shutil.ignore_patterns("__pycache__", "data"))
    build = "import setuptools.build_meta as b; print(b.build_wheel('out'))"
    (copy / "out").mkdir()
    done = subprocess.run([sys.executable, "-c", build], cwd=copy, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    with zipfile.ZipFile(copy / "out" / done.stdout.splitlines()[-1]) as wheel:
        return set(wheel.namelist())


def shipped_files(*, python: bool) -> list[str]:
    """Every file of the packages that belongs into a wheel: modules, or all that is none."""
    found = []
    for package in PACKAGES:
        for path in sorted((REPOSITORY / package).rglob("*")):
            inside = path.relative_to(REPOSITORY)
            skipped = any(inside.is_relative_to(left_out) for left_out in LEFT_OUT) or "__pycache__" in inside.parts
            if path.is_file() and not skipped and path.suffix not in NO_DATA and (path.suffix == ".py") == python:
                found.append(inside.as_posix())
    return found


def test_the_wheel_holds_every_module(wheel_names: set[str]) -> None:
    missing = [name for name in shipped_files(python=True) if name not in wheel_names]
    assert not missing


def test_the_wheel_holds_every_data_file(wheel_names: set[str]) -> None:
    data = shipped_files(python=False)
    assert {Path(name).suffix for name in data} >= {".toml", ".po", ".html", ".css", ".js", ".onnx"}
    missing = [name for name in data if name not in wheel_names]
    assert not missing, "add their endings to [tool.setuptools.package-data]"


def test_the_wheel_holds_nothing_else(wheel_names: set[str]) -> None:
    tops = {name.split("/")[0] for name in wheel_names}
    assert {top for top in tops if not top.endswith(".dist-info")} == set(PACKAGES)
    assert not [name for name in wheel_names if name.startswith(("vision/training", "device/physics"))]


def uncommented_pins(pyproject: str) -> list[str]:
    """Requirements with a bound whose paragraph has no comment above it: why this bound?"""
    lacking = []
    commented = False
    for line in pyproject.splitlines():
        text = line.strip()
        if text.startswith("#"):
            commented = True
        elif re.match(r'"[A-Za-z0-9_.-]+(\[.*\])?[<>=!~]', text):
            if not commented and "<" in text.replace("<=", ""):
                lacking.append(text)
            commented = False
        elif not text.startswith('"'):
            commented = False
    return lacking


def test_pins_are_seen() -> None:
    assert uncommented_pins('a = [\n    "x>=1,<2",\n]') == ['"x>=1,<2",']
    assert uncommented_pins('a = [\n    # why\n    "x>=1,<2",\n]') == []


def test_the_pins_of_dependencies_have_a_reason() -> None:
    text = (REPOSITORY / "pyproject.toml").read_text(encoding="utf-8")
    dependencies = text[text.index("dependencies = [") : text.index("[project.optional-dependencies]")]
    assert not uncommented_pins(dependencies)


def test_the_hardware_libraries_of_the_pi_come_from_its_system() -> None:
    """picamera2 and lgpio as hard dependencies would break every laptop, and their wheels the Pi.

    Developers get lgpio, where there is a wheel, for tests on a stand-in for the kernel.
    """
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = {name: extra for name, extra in project["optional-dependencies"].items() if name != "dev"}
    wanted = [*project["dependencies"], *(r for extra in extras.values() for r in extra)]
    names = {re.split(r"[^A-Za-z0-9_-]", requirement)[0].lower() for requirement in wanted}
    assert not names & {"picamera2", "lgpio", "rpi-lgpio", "opencv-python", "opencv-contrib-python"}
    assert "opencv-python-headless" in names


@pytest.mark.parametrize("script", SCRIPTS)
def test_the_scripts_are_executable_plain_shell(script: str) -> None:
    path = REPOSITORY / script
    assert path.stat().st_mode & stat.S_IXUSR
    assert path.read_text(encoding="utf-8").startswith("#!/bin/sh\n")
    shell = shutil.which("dash") or "/bin/sh"
    for file in (path, REPOSITORY / ".ci/environment.sh"):
        done = subprocess.run([shell, "-n", str(file)], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr


def test_the_readme_names_the_two_commands() -> None:
    readme = (REPOSITORY / "README.md").read_text(encoding="utf-8")
    assert "./run" in readme
    assert "./check" in readme


class FakeEnvironment:
    """A copy of the scripts beside an environment whose Python tells what it is asked to do."""

    def __init__(self, place: Path) -> None:
        self.place = place / "table top"  # the space is meant
        (self.place / ".ci").mkdir(parents=True)
        for name in ("run", ".ci/environment.sh", "pyproject.toml"):
            shutil.copy(REPOSITORY / name, self.place / name)
        python = self.place / ".venv/bin/python"
        python.parent.mkdir(parents=True)
        python.write_text('#!/bin/sh\nfor a in "$@"; do printf "[%s]" "$a"; done; pwd\n', encoding="utf-8")
        python.chmod(0o755)
        stamp = f"{self.place}\n{os.path.realpath(python)}\n"
        (self.place / ".venv/.stamp").write_text(
            stamp + (self.place / "pyproject.toml").read_text(encoding="utf-8"), encoding="utf-8"
        )

    def run(self, *arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(self.place / "run"), *arguments], cwd=cwd, capture_output=True, text=True, check=False
        )


@pytest.mark.parametrize(
    ("arguments", "asked"),
    [
        ([], "[-P][-m][companion][table]"),
        (["read", "my photo.jpg"], "[-P][-m][companion][read][my photo.jpg]"),
        (["--help"], "[-P][-m][companion][--help]"),
    ],
)
def test_run_passes_its_arguments_on_from_where_you_stand(tmp_path: Path, arguments: list[str], asked: str) -> None:
    done = FakeEnvironment(tmp_path).run(*arguments, cwd=tmp_path)
    assert done.stdout == f"{asked}{tmp_path}\n"


def test_run_is_ready_without_a_word_and_works_through_a_link(tmp_path: Path) -> None:
    fake = FakeEnvironment(tmp_path)
    link = tmp_path / "tabletop"
    link.symlink_to(fake.place / "run")
    done = subprocess.run([str(link), "read"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stdout.startswith("[-P][-m][companion][read]")
    assert done.stderr == ""


@pytest.mark.parametrize("fault", ["interrupted", "changed", "moved", "no stamp"])
def test_run_sees_that_the_environment_is_not_ready(tmp_path: Path, fault: str) -> None:
    """Seen by what it says: the Python here installs nothing, whatever it is asked."""
    fake = FakeEnvironment(tmp_path)
    if fault == "interrupted":
        (fake.place / ".venv/.half-made").touch()
    elif fault == "changed":
        with (fake.place / "pyproject.toml").open("a", encoding="utf-8") as file:
            file.write("# one line more\n")
    elif fault == "moved":
        fake.place = fake.place.rename(tmp_path / "elsewhere")
    else:
        (fake.place / ".venv/.stamp").unlink()
    script = f'here="{fake.place}"; . "$here/.ci/environment.sh"; is_ready "$venv/.stamp"'
    assert subprocess.run(["sh", "-c", script], check=False).returncode == 1
