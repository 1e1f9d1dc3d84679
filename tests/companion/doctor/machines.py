"""Machines for the doctor to examine, as plain tables of what they answer."""

from __future__ import annotations

import fnmatch
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from companion.doctor.probes import Answer, DiskSpace

LGPIO = "import lgpio"
PICAMERA2 = "import picamera2"


ROOMY = DiskSpace(20_000_000_000, 32_000_000_000, True)


@dataclass(frozen=True)
class Machine:
    """Answers the doctor's questions from tables; a healthy Raspberry Pi 5 as it stands."""

    files: Mapping[str, str] = field(
        default_factory=lambda: {
            "/proc/device-tree/model": "Raspberry Pi 5 Model B Rev 1.0",
            "/etc/os-release": 'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nVERSION_CODENAME=bookworm\n',
            "/sys/class/thermal/thermal_zone0/temp": "48312\n",
            "/proc/meminfo": "MemAvailable:    3421000 kB\nCmaTotal:    327680 kB\nCmaFree:    300000 kB\n",
            "/proc/asound/cards": " 0 [vc4hdmi0       ]: vc4-hdmi - vc4-hdmi-0\n",
            "/proc/cmdline": "console=tty1 root=PARTUUID=1",
        }
    )
    paths: tuple[str, ...] = ("/dev/video0", "/dev/gpiochip0", "/dev/snd/pcmC0D0p", "/dev/input/event0")
    commands: Mapping[str, Answer | None] = field(
        default_factory=lambda: {
            "vcgencmd": Answer(0, "throttled=0x0\n", ""),
            "timedatectl": Answer(0, "yes\n", ""),
            "espeak-ng": Answer(0, "eSpeak NG text-to-speech: 1.51  Data at: /usr/lib\n", ""),
        }
    )
    codes: Mapping[str, Answer | None] = field(
        default_factory=lambda: {
            LGPIO: Answer(0, json.dumps({"version": "0.2.2.0", "import": None, "chip": None}), ""),
            PICAMERA2: Answer(0, "", ""),
            "platform": Answer(0, "3.11.2\n", ""),
            "struct": Answer(0, "64\n", ""),
        }
    )
    versions: Mapping[str, str] = field(
        default_factory=lambda: {
            "opencv-python-headless": "4.14.0.94",
            "onnxruntime": "1.32.0",
            "numpy": "2.4.6",
            "flask": "3.1.3",
            "cheroot": "11.1.2",
            "gpiozero": "2.0.1.post3",
            "msgspec": "0.22.0",
            "babel": "2.19.0",
            "picamera2": "0.3.31",
        }
    )
    release: str = "6.12.34+rpt-rpi-2712"
    in_groups: frozenset[str] = frozenset({"pi", "video", "gpio", "audio", "input"})
    root: bool = False
    space: DiskSpace | None = ROOMY
    wall: bool | None = None
    clocks_ns: tuple[int, int] = (5_000_000_000, 5_000_000_400)

    def but(self, **changed: Any) -> Machine:
        """This machine with entries of its tables changed (None takes one out), or other values."""
        values: dict[str, Any] = {}
        for name, value in changed.items():
            if isinstance(value, Mapping):
                merged = {**getattr(self, name), **value}
                values[name] = {key: each for key, each in merged.items() if each is not None}
            else:
                values[name] = value
        return replace(self, **values)

    def read(self, path: str) -> str | None:
        return self.files.get(path)

    def matching(self, pattern: str) -> tuple[str, ...]:
        return tuple(path for path in self.paths if fnmatch.fnmatch(path, pattern))

    def run(self, command: Sequence[str], folder: Path | None = None) -> Answer | None:
        return self.commands.get(command[0])

    def python(self, code: str, folder: Path | None = None) -> Answer | None:
        return next((answer for part, answer in self.codes.items() if part in code), None)

    def version(self, package: str) -> str | None:
        return self.versions.get(package)

    def machine(self) -> str:
        return "aarch64"

    def kernel(self) -> str:
        return self.release

    def user(self) -> str:
        return "pi"

    def groups(self) -> frozenset[str]:
        return self.in_groups

    def known_groups(self) -> frozenset[str]:
        return frozenset({"pi", "video", "gpio", "audio", "input", "spi"})

    def superuser(self) -> bool:
        return self.root

    def disk(self, folder: Path) -> DiskSpace | None:
        return self.space

    def wall_set(self) -> bool | None:
        return self.wall

    def monotonic_ns(self) -> tuple[int, int]:
        return self.clocks_ns
