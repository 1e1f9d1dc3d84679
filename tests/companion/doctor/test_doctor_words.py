"""Every finding has its sentence in every language, and no sentence is there for nothing."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion import doctor
from companion.catalogue import Catalogue, languages
from companion.cli import cli
from companion.doctor.examination import CHECKS, PICTURE_CHECKS
from companion.doctor.findings import ANY_CHECK, Level, found
from companion.doctor.picture import REGIONS
from vision.readings import Unreadable

SOURCES = Path(doctor.__file__).parent


def codes_in_sources() -> set[tuple[str, str, str]]:
    """Check, level and code of every finding that is written out."""
    text = "\n".join(path.read_text(encoding="utf-8") for path in SOURCES.glob("*.py"))
    return set(re.findall(r'found\(\s*"([\w-]+)",\s*(?:Level\.)?(\w+),\s*"([\w-]+)"', text))


def wanted_keys() -> set[str]:
    found_keys = {f"doctor.{check}.{code}" for check, _, code in codes_in_sources()}
    found_keys |= {f"doctor.any.{code}" for code in ANY_CHECK} | {f"doctor.level.{each}" for each in Level}
    found_keys |= {f"doctor.place.{name}" for row in REGIONS for name in row}
    return found_keys | {"doctor.summary", "doctor.all-well"}


def test_the_findings_are_found() -> None:
    assert ("board", "FAULT", "too-small") in codes_in_sources()
    assert len(codes_in_sources()) > 80
    assert {check for check, _, _ in codes_in_sources()} == set(CHECKS)


@pytest.mark.parametrize("language", languages())
def test_every_finding_has_its_sentence_and_no_sentence_is_idle(language: str) -> None:
    known = Catalogue(language).keys()
    keys = {key for key in known if key.startswith("doctor.")}
    assert sorted(wanted_keys() - keys) == []
    assert sorted(key for key in keys - wanted_keys() if key.removesuffix(".fix") not in wanted_keys()) == []


@pytest.mark.parametrize("language", languages())
def test_every_fault_says_what_to_do(language: str) -> None:
    catalogue = Catalogue(language)
    told_by_another = {("settings", "broken")}  # the error of the file brings its advice along
    for check, level, code in sorted(codes_in_sources()):
        if level in ("FAULT", "level") and (check, code) not in told_by_another:
            assert catalogue.has(f"doctor.{check}.{code}.fix"), f"{check}.{code}"


def test_places_and_reasons_are_in_words() -> None:
    catalogue = Catalogue("it")
    assert found("light", Level.FAULT, "glare", where="far-right", percent="2").told(catalogue) == (
        "Riflesso lontano a destra (2 % dell'immagine)."
    )
    for reason in Unreadable:
        told = found("dice", Level.FAULT, "unread", unread=3, count=4, reason=str(reason)).told(Catalogue())
        assert f"reason.{reason}".replace(" ", "-") not in told


def run(*arguments: str, tmp_path: Path) -> tuple[int, str]:
    told = CliRunner(env={"TABLETOP_DATA": str(tmp_path)}).invoke(cli, ["doctor", *arguments])
    return told.exit_code, told.stdout


def test_the_command_tells_as_text_and_as_data(tmp_path: Path) -> None:
    status, text = run("--only", "disk,database", tmp_path=tmp_path)
    assert status == 0
    assert text.splitlines()[0].startswith("disk         ok")
    assert text.splitlines()[-1] == "Nothing has to be put right."
    status, lines = run("--only", "disk,light", "--json", "--language", "it", tmp_path=tmp_path)
    disk, light = (json.loads(line) for line in lines.splitlines())
    assert status == 0
    assert (disk["check"], disk["level"], disk["fix"]) == ("disk", "ok", None)
    assert (light["level"], light["text"]) == ("unknown", "Non guardato: nessuna camera ha dato un'immagine.")


def test_the_exit_status_tells_and_the_fix_stands_below(tmp_path: Path) -> None:
    (tmp_path / "table.toml").write_text("nonsense")
    status, text = run("--only", "settings", tmp_path=tmp_path)
    assert status == 1
    assert "WRONG" in text
    assert text.splitlines()[-1] == "One thing is to be put right."
    status, text = run("--camera", "folder:" + str(tmp_path), "--only", "camera", tmp_path=tmp_path)
    assert status == 1
    assert "\n" + " " * 22 + "→ Stop a table" in text


@pytest.mark.parametrize("arguments", [["--only", "heart"], ["--language", "xx"]])
def test_wrong_commands_have_status_2(arguments: list[str], tmp_path: Path) -> None:
    assert run(*arguments, tmp_path=tmp_path)[0] == 2


def test_a_picture_of_a_table_is_examined(tmp_path: Path) -> None:
    picture = Path(__file__).resolve().parents[3] / "hardware/lighting/glare.jpg"
    (tmp_path / "frames").mkdir()
    (tmp_path / "frames" / "one.jpg").write_bytes(picture.read_bytes())
    spec = f"folder:{tmp_path / 'frames'}"
    status, lines = run("--camera", spec, "--json", "--only", ",".join(("camera", *PICTURE_CHECKS)), tmp_path=tmp_path)
    told = {each["check"]: each for each in map(json.loads, lines.splitlines())}
    assert status == 1
    assert told["light"]["text"].startswith("Glare far right")
    assert told["camera"]["level"] == "ok"
