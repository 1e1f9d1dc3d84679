"""The doctor before healthy and broken machines."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from companion.catalogue import Catalogue
from companion.doctor import checks
from companion.doctor.examination import CHECKS, PICTURE_CHECKS, Examination
from companion.doctor.findings import Finding, Level
from companion.doctor.machine import Database, database_of
from companion.doctor.probes import Answer, DiskSpace, SystemProbes
from companion.errors import BadInput
from companion.settings import SETTINGS_NAME
from companion.store import DATABASE_NAME, SCHEMA_VERSION, Store
from device.errors import ButtonPinError
from tests.companion.doctor.machines import LGPIO, PICAMERA2, Machine

PI = Machine()
ENOUGH = "MemAvailable: 900000 kB\n"


def examined(machine: Machine, folder: Path, check: str, pins: dict[int, str] | None = None) -> Finding:
    examination = Examination(machine, folder, pins=lambda: {17: "seat 1"} if pins is None else pins, look=lambda: None)
    (finding,) = examination.findings([check])
    return finding


def test_a_healthy_pi_has_nothing_to_put_right(tmp_path: Path) -> None:
    examination = Examination(PI, tmp_path, pins=lambda: {17: "seat 1, claim"}, look=lambda: None)
    found = {each.check: each for each in examination.findings()}
    assert list(found) == list(CHECKS)
    assert [each for each in found.values() if each.level is Level.FAULT] == []
    wrong = {name: each.code for name, each in found.items() if each.level is not Level.OK}
    assert wrong == {"settings": "none", "camera": "none"} | dict.fromkeys(PICTURE_CHECKS, "no-picture")


@pytest.mark.parametrize(
    ("machine", "check", "level", "code"),
    [
        # board and kernel
        (PI.but(files={"/proc/device-tree/model": None}), "board", "note", "not-a-pi"),
        (PI.but(files={"/proc/device-tree/model": "Raspberry Pi Zero 2 W Rev 1.0"}), "board", "fault", "too-small"),
        (PI.but(files={"/proc/device-tree/model": "Raspberry Pi 4 Model B Rev 1.4"}), "board", "ok", "ok"),
        (PI.but(files={"/etc/os-release": "VERSION_CODENAME=bullseye\n"}), "board", "note", "system"),
        (PI.but(codes={"struct": Answer(0, "32\n", "")}), "board", "fault", "bits"),
        (PI.but(release="5.15.84-v8+"), "kernel", "fault", "old"),
        (PI.but(release="6.1.0-rpi"), "kernel", "ok", "ok"),
        (PI.but(release="mine"), "kernel", "unknown", "unknown"),
        # groups: only of devices that are there, only groups that the system has
        (PI.but(in_groups=frozenset({"pi", "video", "audio", "input"})), "groups", "fault", "missing"),
        (PI.but(in_groups=frozenset({"pi", "video", "audio", "input"}), paths=("/dev/video0",)), "groups", "ok", "ok"),
        (PI.but(in_groups=frozenset(), root=True), "groups", "note", "root"),
        # pin library
        (PI.but(versions={"gpiozero": None}), "pin-backend", "fault", "no-gpiozero"),
        (PI.but(versions={"gpiozero": "2.0.1"}), "pin-backend", "fault", "old-gpiozero"),
        (PI.but(versions={"gpiozero": "2.0.1.post2"}), "pin-backend", "fault", "old-gpiozero"),
        (PI.but(versions={"gpiozero": "2.1"}), "pin-backend", "ok", "ok"),
        (
            PI.but(versions={"gpiozero": "2.0.1"}, files={"/proc/device-tree/model": "Raspberry Pi 4 Model B Rev 1.4"}),
            "pin-backend",
            "ok",
            "ok",
        ),
        (PI.but(space=DiskSpace(10**10, 10**11, False)), "pin-backend", "fault", "folder"),
        (
            PI.but(codes={LGPIO: Answer(0, json.dumps({"version": None, "import": "no", "chip": None}), "")}),
            "pin-backend",
            "fault",
            "missing",
        ),
        (
            PI.but(codes={LGPIO: Answer(0, json.dumps({"version": "1", "import": None, "chip": "no"}), "")}),
            "pin-backend",
            "fault",
            "closed",
        ),
        (PI.but(codes={LGPIO: Answer(-11, "", "")}), "pin-backend", "fault", "missing"),
        (PI.but(codes={LGPIO: None}), "pin-backend", "fault", "missing"),
        # memory
        (PI.but(files={"/proc/meminfo": "MemAvailable: 120000 kB\n"}), "memory", "fault", "low"),
        (
            PI.but(files={"/proc/meminfo": "MemAvailable: 900000 kB\nCmaTotal: 32768 kB\n"}),
            "memory",
            "note",
            "contiguous",
        ),
        (PI.but(files={"/proc/meminfo": None}), "memory", "unknown", "unknown"),
        # temperature: bits of now go before bits of earlier
        (PI.but(commands={"vcgencmd": Answer(0, "throttled=0x50005\n", "")}), "temperature", "fault", "power"),
        (PI.but(commands={"vcgencmd": Answer(0, "throttled=0x4\n", "")}), "temperature", "fault", "hot"),
        (PI.but(commands={"vcgencmd": Answer(0, "throttled=0x50000\n", "")}), "temperature", "note", "power-earlier"),
        (PI.but(commands={"vcgencmd": Answer(0, "throttled=0x40000\n", "")}), "temperature", "note", "hot-earlier"),
        (PI.but(files={"/sys/class/thermal/thermal_zone0/temp": "83000"}), "temperature", "fault", "hot"),
        (PI.but(files={"/sys/class/thermal/thermal_zone0/temp": "76000"}), "temperature", "note", "warm"),
        (PI.but(files={"/sys/class/thermal/thermal_zone0/temp": None}), "temperature", "unknown", "unknown"),
        (PI.but(commands={"vcgencmd": None}), "temperature", "ok", "ok"),
        # clock
        (PI.but(commands={"timedatectl": Answer(0, "no\n", "")}), "clock", "note", "unset"),
        (PI.but(commands={"timedatectl": None}), "clock", "unknown", "unknown"),
        (PI.but(commands={"timedatectl": None}, wall=True), "clock", "ok", "ok"),
        (PI.but(commands={"timedatectl": None}, wall=False), "clock", "note", "unset"),
        (PI.but(commands={"timedatectl": None}, files={"/run/systemd/timesync/synchronized": ""}), "clock", "ok", "ok"),
        (PI.but(clocks_ns=(10**9, 9 * 10**9)), "clock", "note", "suspended"),
        # disk
        (PI.but(space=DiskSpace(10**10, 10**11, False)), "disk", "fault", "read-only"),
        (PI.but(space=DiskSpace(20_000_000, 10**11, True)), "disk", "fault", "full"),
        (PI.but(space=DiskSpace(300_000_000, 10**11, True)), "disk", "note", "low"),
        (PI.but(space=None), "disk", "unknown", "unknown"),
        # speaker
        (PI.but(commands={"espeak-ng": None}), "speaker", "fault", "missing"),
        (PI.but(files={"/proc/asound/cards": "--- no soundcards ---\n"}), "speaker", "note", "no-card"),
        # versions
        (PI.but(versions={"flask": None}), "versions", "fault", "absent"),
        (PI.but(versions={"opencv-python": "4.14"}), "versions", "fault", "rivals"),
        (
            PI.but(codes={PICAMERA2: Answer(1, "", "Traceback\nValueError: numpy.dtype size changed, may indicate")}),
            "versions",
            "fault",
            "numpy-clash",
        ),
        (PI.but(codes={PICAMERA2: Answer(1, "", "ImportError: libcamera")}), "versions", "fault", "camera-library"),
        (PI.but(codes={PICAMERA2: None}), "versions", "fault", "camera-library"),
        (PI.but(versions={"picamera2": None}), "versions", "note", "no-camera-library"),
    ],
)
def test_what_is_wrong_with_a_machine(machine: Machine, check: str, level: str, code: str, tmp_path: Path) -> None:
    finding = examined(machine, tmp_path, check)
    assert (finding.level, finding.code) == (level, code)


def test_speech_that_makes_no_sound_file_is_told() -> None:
    class Mute(Machine):
        def run(self, command, folder=None):  # type: ignore[no-untyped-def]
            return Answer(1, "", "no voice\n") if "-w" in command else super().run(command, folder)

    assert examined(Mute(), Path("/nowhere"), "speaker").code == "failed"


@pytest.mark.parametrize(
    ("pins", "paths", "cmdline", "code"),
    [
        ({17: "seat 1"}, (), "", "ok"),
        ({1: "seat 1"}, (), "", "reserved"),
        ({28: "seat 1"}, (), "", "reserved"),
        ({9: "seat 1"}, (), "", "ok"),  # SPI is off
        ({9: "seat 1"}, ("/dev/spidev0.0",), "", "bus"),
        ({17: "seat 1"}, ("/dev/spidev0.0",), "", "ok"),
        ({2: "seat 1"}, ("/dev/i2c-1",), "", "bus"),
        ({14: "seat 1"}, (), "console=serial0,115200 quiet", "bus"),
    ],
)
def test_pins_that_something_else_holds(
    pins: dict[int, str], paths: tuple[str, ...], cmdline: str, code: str, tmp_path: Path
) -> None:
    machine = PI.but(paths=paths, files={"/proc/cmdline": cmdline})
    assert examined(machine, tmp_path, "pins", pins).code == code


def test_the_serial_console_of_a_pc_holds_no_pins(tmp_path: Path) -> None:
    console = {"/proc/cmdline": "console=ttyS0", "/proc/device-tree/model": None}
    assert examined(PI.but(files=console), tmp_path, "pins", {14: "seat 1"}).code == "ok"


def test_a_pin_map_that_is_wrong_is_told(tmp_path: Path) -> None:
    def wrong() -> dict[int, str]:
        raise ButtonPinError("my-pins.toml: pin 17 is both claim and call; give each its own")

    (finding,) = Examination(PI, tmp_path, pins=wrong, look=lambda: None).findings(["pins"])
    assert (finding.level, finding.code) == (Level.FAULT, "map")
    assert "pin 17 is both" in finding.told(Catalogue())


def test_groups_name_what_to_type(tmp_path: Path) -> None:
    finding = examined(PI.but(in_groups=frozenset({"video"})), tmp_path, "groups")
    assert dict(finding.facts) == {"user": "pi", "groups": "audio,gpio,input"}


def test_the_record_of_matches_is_read_through(tmp_path: Path) -> None:
    assert examined(PI, tmp_path, "database").code == "none"
    with Store(tmp_path):
        pass
    assert examined(PI, tmp_path, "database").code == "ok"
    path = tmp_path / DATABASE_NAME
    content = bytearray(path.read_bytes())
    content[4096:8192] = bytes(4096)  # a page that the disk lost
    path.write_bytes(content)
    broken = examined(PI, tmp_path, "database")
    assert (broken.level, broken.code) == (Level.FAULT, "broken")


def test_a_record_of_a_newer_release_and_a_file_that_is_none(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / DATABASE_NAME) as connection:
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    connection.close()
    assert examined(PI, tmp_path, "database").code == "too-new"
    (tmp_path / DATABASE_NAME).write_bytes(b"this is no database, but long enough to be taken for one" * 100)
    assert examined(PI, tmp_path, "database").code == "broken"


def test_a_record_that_cannot_be_written_and_a_slow_disk(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    assert database_of(tmp_path / "file").commit_ms is not None  # no folder yet: timed elsewhere
    assert checks.database(Database("d", True, None, None)).code == "closed"
    assert checks.database(Database("d", True, None, 150.0)).code == "slow"
    assert checks.database(Database("d", True, None, 99.0)).code == "ok"


def test_the_set_up_is_looked_at(tmp_path: Path) -> None:
    path = tmp_path / SETTINGS_NAME
    path.write_text('[camera]\nspec = "pi"\n')
    partial = examined(PI, tmp_path, "settings")
    assert (partial.code, dict(partial.facts)) == ("partial", {"step": "buttons"})
    path.write_text('[camera]\nspec = "pi"\n[buttons]\nsource = "gpio"\n[sound]\n')
    assert examined(PI, tmp_path, "settings").code == "ok"
    path.write_text("[camera]\nspex = 1\n")
    broken = examined(PI, tmp_path, "settings")
    assert (broken.level, broken.code) == (Level.FAULT, "broken")
    assert "spex" in str(dict(broken.facts)["problem"])


def test_buttons_on_pins_make_a_missing_library_a_fault_anywhere(tmp_path: Path) -> None:
    laptop = PI.but(files={"/proc/device-tree/model": None}, codes={LGPIO: None})
    assert examined(laptop, tmp_path, "pin-backend").level is Level.NOTE
    (tmp_path / SETTINGS_NAME).write_text('[buttons]\nsource = "gpio"\n')
    assert examined(laptop, tmp_path, "pin-backend").level is Level.FAULT


def test_a_check_that_breaks_is_told_and_stops_no_other(tmp_path: Path) -> None:
    class Odd(Machine):
        def kernel(self) -> str:
            raise RuntimeError("odd")

    examination = Examination(Odd(), tmp_path, pins=dict, look=lambda: None)
    found = {each.check: each for each in examination.findings(["board", "kernel", "disk"])}
    assert found["board"].code == found["kernel"].code == "broke"  # both need it
    assert found["disk"].code == "ok"


def test_an_unknown_check_is_refused_before_anything_is_looked_at(tmp_path: Path) -> None:
    examination = Examination(PI, tmp_path, pins=dict, look=lambda: None)
    with pytest.raises(BadInput, match=r"no check 'heart'; expected one of: board, kernel"):
        list(examination.findings(["heart"]))


def test_this_machine_answers_every_question(tmp_path: Path) -> None:
    probes = SystemProbes()
    assert probes.read("/proc/meminfo")
    assert probes.read("/nowhere") is None
    assert probes.run(["no-such-program-anywhere"]) is None
    assert probes.python("import sys; sys.exit(3)") == Answer(3, "", "")
    assert probes.version("numpy")
    assert probes.version("no-such-package-anywhere") is None
    assert probes.groups()
    disk = probes.disk(tmp_path / "not" / "there")
    assert disk is not None
    assert disk.writable
    assert disk.free_bytes <= disk.total_bytes
    monotonic_ns, boottime_ns = probes.monotonic_ns()
    assert boottime_ns >= monotonic_ns
