"""Installing on a Raspberry Pi: the script against a made-up Pi, the service as systemd judges it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.hardware.scripts import HARDWARE

PI = HARDWARE / "pi"
SCRIPTS = ("install.sh", "try-arm64.sh", "virtual-camera.sh")
FOLDER = "/opt/tabletop-companion"
WORST_EXPOSURE = 2.0
"""Of 10, as systemd-analyze counts it: 0 is shut off from everything; measured 1.7."""


class MadeUpPi:
    """A folder that looks like the root of a Pi, and commands that only note down that they were called."""

    def __init__(self, place: Path, *, codename: str = "bookworm", architecture: str = "arm64") -> None:
        self.root = place / "root"
        for folder in ("etc/systemd/system", "proc/device-tree", "boot/firmware"):
            (self.root / folder).mkdir(parents=True)
        (self.root / "etc/os-release").write_text(f"ID=debian\nVERSION_CODENAME={codename}\n")
        (self.root / "proc/device-tree/model").write_bytes(b"Raspberry Pi 5 Model B Rev 1.0\0")
        self.config = self.root / "boot/firmware/config.txt"
        self.config.write_text("dtparam=audio=on\n")
        self.project = place / "project"
        shutil.copytree(PI, self.project / "hardware/pi")
        (self.project / ".venv").mkdir()
        (self.project / "run").write_text('#!/bin/sh\necho "run $*" >>"$LOG"\n')
        (self.project / "run").chmod(0o755)
        self.log = place / "log"
        self.log.touch()
        self.bin = place / "bin"
        self.bin.mkdir()
        for name in ("apt-get", "systemctl", "useradd", "usermod", "raspi-config", "chown", "getent"):
            self.command(name, f'echo "{name} $*" >>"$LOG"')
        self.command("dpkg", f"echo {architecture}")
        self.command("id", '[ "$1" = -u ] && [ $# -eq 1 ] && echo 0')  # root, and there is no user tabletop yet

    def command(self, name: str, script: str) -> None:
        (self.bin / name).write_text(f"#!/bin/sh\n{script}\n")
        (self.bin / name).chmod(0o755)

    def install(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        environment = {
            "PATH": f"{self.bin}:{os.environ['PATH']}",
            "TABLETOP_ROOT": str(self.root),
            "LOG": str(self.log),
        }
        script = self.project / "hardware/pi/install.sh"
        return subprocess.run(
            ["sh", str(script), *arguments], env=environment, capture_output=True, text=True, check=False
        )

    @property
    def calls(self) -> list[str]:
        return self.log.read_text().splitlines()


@pytest.mark.parametrize("codename", ["bookworm", "trixie"])
def test_a_pi_becomes_a_table(codename: str, tmp_path: Path) -> None:
    pi = MadeUpPi(tmp_path, codename=codename)
    done = pi.install()
    assert done.returncode == 0, done.stderr
    calls = pi.calls
    packages = next(call for call in calls if "install" in call)
    assert {"python3-picamera2", "python3-lgpio", "espeak-ng", "python3-venv"} <= set(packages.split())
    assert any(call.startswith("useradd --system") for call in calls)
    assert {call.split()[2] for call in calls if call.startswith("usermod")} == {"video", "gpio", "audio", "input"}
    order = [
        calls.index(packages),
        calls.index("run --version"),
        calls.index("systemctl enable --now tabletop.service"),
    ]
    assert order == sorted(order), "packages, then the environment, then the service"
    unit = (pi.root / "etc/systemd/system/tabletop.service").read_text()
    assert f"ExecStart={FOLDER}/run table" in unit
    assert "@" not in "".join(line for line in unit.splitlines() if "@system" not in line and "@priv" not in line)
    assert (pi.root / FOLDER[1:] / "hardware/pi/install.sh").is_file()
    assert not (pi.root / FOLDER[1:] / ".venv").exists(), "an environment belongs to the folder that it was made in"
    assert "gpio-shutdown" not in pi.config.read_text()


def test_the_shutdown_button_is_added_once_and_nothing_else_is_changed(tmp_path: Path) -> None:
    pi = MadeUpPi(tmp_path)
    for _ in range(2):
        assert pi.install("--no-service", "--shutdown-button").returncode == 0
    config = pi.config.read_text()
    assert config.startswith("dtparam=audio=on\n")
    assert config.count("dtoverlay=gpio-shutdown,gpio_pin=3,active_low=1,gpio_pull=up") == 1
    assert not any("systemctl" in call for call in pi.calls)


def test_a_trial_run_changes_nothing(tmp_path: Path) -> None:
    pi = MadeUpPi(tmp_path)
    before = {path: path.stat().st_mtime_ns for path in pi.root.rglob("*")}
    done = pi.install("--dry-run", "--shutdown-button")
    assert done.returncode == 0, done.stderr
    assert "would run: apt-get" in done.stdout
    assert "would write: /etc/systemd/system/tabletop.service" in done.stdout
    assert "would write: /boot/firmware/config.txt" in done.stdout
    assert [call for call in pi.calls if not call.startswith("getent")] == []
    assert {path: path.stat().st_mtime_ns for path in pi.root.rglob("*")} == before


@pytest.mark.parametrize(
    ("codename", "architecture", "model", "told"),
    [
        ("bookworm", "armhf", b"Raspberry Pi 4", "expected arm64"),
        ("bullseye", "arm64", b"Raspberry Pi 4", "expected Raspberry Pi OS bookworm or trixie"),
        ("trixie", "arm64", b"Some Other Board", "expected a Raspberry Pi 4 or 5"),
    ],
)
def test_what_cannot_be_a_table_is_told_before_anything_is_done(
    codename: str, architecture: str, model: bytes, told: str, tmp_path: Path
) -> None:
    pi = MadeUpPi(tmp_path, codename=codename, architecture=architecture)
    (pi.root / "proc/device-tree/model").write_bytes(model)
    done = pi.install()
    assert done.returncode == 1
    assert told in done.stderr
    assert pi.calls == []


def test_an_unknown_word_is_refused(tmp_path: Path) -> None:
    done = MadeUpPi(tmp_path).install("--fast")
    assert done.returncode == 2
    assert "'--fast' is not known" in done.stderr


@pytest.mark.parametrize("name", SCRIPTS)
def test_the_scripts_are_plain_shell_and_say_how_they_are_used(name: str) -> None:
    path = PI / name
    assert os.access(path, os.X_OK)
    assert path.read_text().startswith("#!/bin/sh\n# ")
    shell = shutil.which("dash") or "/bin/sh"
    assert subprocess.run([shell, "-n", str(path)], check=False).returncode == 0


@pytest.mark.parametrize("arguments", [[], ["jessie", "/nowhere/x"], ["--again", "/nowhere/x"]])
def test_the_emulation_refuses_what_it_cannot_do(arguments: list[str]) -> None:
    done = subprocess.run([str(PI / "try-arm64.sh"), *arguments], capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "try-arm64.sh" in done.stderr


# The service

needs_systemd = pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="NOT TESTED for lack of systemd-analyze: the service"
)


@pytest.fixture
def unit(tmp_path: Path) -> Path:
    """The service as it is installed, with this repository in the place of the installed one."""
    path = tmp_path / "tabletop.service"
    text = (PI / "systemd/tabletop.service").read_text()
    path.write_text(text.replace("@FOLDER@", str(HARDWARE.parent)))
    return path


@needs_systemd
def test_systemd_understands_the_service(unit: Path) -> None:
    done = subprocess.run(["systemd-analyze", "verify", str(unit)], capture_output=True, text=True, check=False)
    about_ours = [line for line in (done.stdout + done.stderr).splitlines() if "tabletop" in line]
    assert about_ours == []
    assert done.returncode == 0
    unit.write_text(unit.read_text().replace("Restart=always", "Restart=perhaps"))
    done = subprocess.run(["systemd-analyze", "verify", str(unit)], capture_output=True, text=True, check=False)
    assert "perhaps" in done.stdout + done.stderr, "what it does not understand would be told"


@needs_systemd
def test_the_service_is_shut_off_from_what_it_does_not_need(unit: Path) -> None:
    done = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", "--no-pager", str(unit)],
        capture_output=True,
        text=True,
        check=False,
    )
    level = re.search(r"Overall exposure level for tabletop.service: ([\d.]+)", done.stdout)
    if level is None:
        pytest.skip(f"NOT TESTED: this systemd cannot judge a file ({done.stderr.strip()})")
    assert float(level[1]) <= WORST_EXPOSURE


@pytest.mark.parametrize(
    "line",
    [
        "Type=notify",
        "WatchdogSec=30",
        "Restart=always",
        "StartLimitIntervalSec=0",
        "WorkingDirectory=/var/lib/tabletop",
        "StateDirectory=tabletop",
        "MemoryMax=1G",
        "DeviceAllow=char-gpiochip rw",
        "DeviceAllow=char-video4linux rw",
    ],
)
def test_the_service_has_what_a_table_needs(line: str) -> None:
    assert line in (PI / "systemd/tabletop.service").read_text().splitlines()
