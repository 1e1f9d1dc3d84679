"""Facts about the machine, gathered through probes and judged by nobody here."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from companion.doctor.probes import Probes

__all__ = [
    "PACKAGES",
    "Access",
    "Board",
    "ClockState",
    "Database",
    "Memory",
    "PinLibrary",
    "Sound",
    "Versions",
    "Warmth",
    "access_of",
    "board_of",
    "buses_of",
    "clock_of",
    "database_of",
    "memory_of",
    "pin_library_of",
    "sound_of",
    "versions_of",
    "warmth_of",
]

PACKAGES: Final = ("opencv-python-headless", "onnxruntime", "numpy", "flask", "cheroot", "gpiozero", "msgspec", "babel")
"""What the program needs whatever the machine; on a Pi picamera2, lgpio and simplejpeg as well."""

RIVAL_OPENCVS: Final = ("opencv-python", "opencv-contrib-python", "opencv-contrib-python-headless")
"""Each brings the same folder cv2: with two of them installed, removing one breaks both."""


@dataclass(frozen=True, slots=True)
class Board:
    """The computer: its model as it tells it (None: no Raspberry Pi), processor, kernel, system and its codename."""

    model: str | None
    machine: str
    kernel: str
    system: str
    codename: str | None
    bits: int


@dataclass(frozen=True, slots=True)
class Access:
    """Who runs this, in which groups, which groups the system has, and which devices are there by kind."""

    user: str
    groups: frozenset[str]
    known_groups: frozenset[str]
    superuser: bool
    devices: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class PinLibrary:
    """The pin library: versions (None: not installed), why the chip cannot be opened, whether it can make its FIFO."""

    gpiozero: str | None
    lgpio: str | None
    import_problem: str | None
    chip_problem: str | None
    folder: str
    folder_writable: bool


@dataclass(frozen=True, slots=True)
class Warmth:
    """Temperature of the processor in degrees Celsius, and the firmware's word on throttling (None: not known)."""

    celsius: float | None
    throttled_bits: int | None


@dataclass(frozen=True, slots=True)
class ClockState:
    """Whether the wall clock is set by a time server, and how far monotonic clock and time since boot are apart."""

    synchronised: bool | None
    boottime_ahead_ns: int


@dataclass(frozen=True, slots=True)
class Memory:
    """Memory that programs can still have, and the contiguous part that the camera's buffers come from, in bytes."""

    available_bytes: int | None
    contiguous_total_bytes: int | None
    contiguous_free_bytes: int | None


@dataclass(frozen=True, slots=True)
class Database:
    """The record of matches: whether there is one, what is wrong with it, and how long a durable write takes."""

    folder: str
    exists: bool
    problem: str | None
    commit_ms: float | None
    too_new: bool = False


@dataclass(frozen=True, slots=True)
class Sound:
    """Speech: the version of espeak-ng (None: missing), sound cards by name, and why making a sentence failed."""

    espeak: str | None
    cards: tuple[str, ...]
    problem: str | None


@dataclass(frozen=True, slots=True)
class Versions:
    """Python and packages by name (None: not installed), rival OpenCVs, and why the camera library cannot be loaded.

    `camera_library` is the version of picamera2, None where it is not installed.
    """

    python: str
    packages: Mapping[str, str | None]
    rivals: tuple[str, ...]
    camera_library: str | None
    camera_problem: str | None


def _pi_model(probes: Probes) -> str | None:
    """Which Raspberry Pi this is; None when it is none."""
    model = probes.read("/proc/device-tree/model")
    return model if model and "Raspberry Pi" in model else None


def board_of(probes: Probes) -> Board:
    """The computer this runs on."""
    release = _assignments(probes.read("/etc/os-release") or "")
    answer = probes.python("import struct; print(8 * struct.calcsize('P'))")
    bits = int(answer.out) if answer is not None and answer.out.strip().isdecimal() else 64
    return Board(
        _pi_model(probes),
        probes.machine(),
        probes.kernel(),
        release.get("PRETTY_NAME", release.get("NAME", "")),
        release.get("VERSION_CODENAME"),
        bits,
    )


def access_of(probes: Probes) -> Access:
    """Who this is and what there is to be opened."""
    devices = {
        "video": (*probes.matching("/dev/video*"), *probes.matching("/dev/dma_heap/*")),
        "gpio": probes.matching("/dev/gpiochip*"),
        "audio": probes.matching("/dev/snd/pcm*"),
        "input": probes.matching("/dev/input/event*"),
    }
    return Access(probes.user(), probes.groups(), probes.known_groups(), probes.superuser(), devices)


def buses_of(probes: Probes) -> dict[str, frozenset[int]]:
    """The buses that are switched on, with the pins (BCM numbers) that each then holds; none without pins."""
    found: dict[str, frozenset[int]] = {}
    if _pi_model(probes) is None:
        return found  # a PC has consoles and buses of its own
    if probes.matching("/dev/spidev0.*"):
        found["SPI"] = frozenset({7, 8, 9, 10, 11})
    if probes.matching("/dev/i2c-1"):
        found["I2C"] = frozenset({2, 3})
    started_with = probes.read("/proc/cmdline") or ""
    if "console=serial0" in started_with or "console=ttyS0" in started_with:
        found["serial console"] = frozenset({14, 15})
    return found


_LOAD_LGPIO: Final = """
import json
told = {"version": None, "import": None, "chip": None}
try:
    import lgpio
    told["version"] = getattr(lgpio, "__version__", "") or str(lgpio.get_module_version() / 0x1000000)
except Exception as error:
    told["import"] = f"{type(error).__name__}: {error}"
else:
    try:
        from gpiozero.pins.lgpio import LGPIOFactory
        LGPIOFactory().close()
    except Exception as error:
        told["chip"] = f"{type(error).__name__}: {error}"
print(json.dumps(told))
"""


def pin_library_of(probes: Probes, folder: Path) -> PinLibrary:
    """The pin library, loaded and closed again in a process of its own: loading it makes a FIFO where it stands."""
    disk = probes.disk(folder)
    writable = disk is not None and disk.writable
    answer = probes.python(_LOAD_LGPIO, folder if folder.is_dir() else None)
    told = _json(answer.out if answer is not None else "")
    if not told:
        why = "it gave no answer" if answer is None else (answer.error.strip().splitlines() or ["it crashed"])[-1]
        told = {"version": None, "import": why, "chip": None}
    return PinLibrary(probes.version("gpiozero"), told["version"], told["import"], told["chip"], str(folder), writable)


def warmth_of(probes: Probes) -> Warmth:
    """How warm the processor is, and what the firmware says of throttling."""
    thousandths = (probes.read("/sys/class/thermal/thermal_zone0/temp") or "").strip()
    celsius = int(thousandths) / 1000 if thousandths.lstrip("-").isdecimal() else None
    answer = probes.run(["vcgencmd", "get_throttled"])
    found = re.search(r"throttled=(0x[0-9a-fA-F]+)", answer.out) if answer is not None else None
    return Warmth(celsius, int(found[1], 16) if found else None)


def clock_of(probes: Probes) -> ClockState:
    """The state of the clocks."""
    monotonic_ns, boottime_ns = probes.monotonic_ns()
    answer = probes.run(["timedatectl", "show", "-p", "NTPSynchronized", "--value"])
    word = answer.out.strip() if answer is not None and answer.status == 0 else ""
    known = {"yes": True, "no": False}.get(word)
    if known is None and probes.read("/run/systemd/timesync/synchronized") is not None:
        known = True
    if known is None:
        known = probes.wall_set()
    return ClockState(known, boottime_ns - monotonic_ns)


def memory_of(probes: Probes) -> Memory:
    """How much memory is left."""
    kilobytes = {
        name: int(number)
        for name, number in re.findall(r"^(\w+):\s+(\d+) kB$", probes.read("/proc/meminfo") or "", re.M)
    }
    sizes = (kilobytes.get(name) for name in ("MemAvailable", "CmaTotal", "CmaFree"))
    available, total, free = (None if size is None else size * 1024 for size in sizes)
    return Memory(available, total, free)


def database_of(folder: Path) -> Database:
    """The record of matches in a data directory: read through, and a durable write timed beside it.

    The time is that of a flushed write of one row in a throw-away database of the same folder.
    """
    import sqlite3

    from companion.store import DATABASE_NAME, SCHEMA_VERSION

    path = folder / DATABASE_NAME
    commit_ms = _commit_ms(folder)
    if not path.exists():
        return Database(str(folder), False, None, commit_ms)
    try:
        connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=5.0)
        try:
            (word,) = connection.execute("PRAGMA quick_check(1)").fetchone()
            (version,) = connection.execute("PRAGMA user_version").fetchone()
        finally:
            connection.close()
    except sqlite3.Error as error:
        return Database(str(folder), True, str(error), commit_ms)
    return Database(str(folder), True, None if word == "ok" else word, commit_ms, version > SCHEMA_VERSION)


def _commit_ms(folder: Path) -> float | None:
    """Of the slowest of a few durable writes; None where the folder cannot be written."""
    import sqlite3
    import tempfile
    import time

    try:
        with tempfile.TemporaryDirectory(prefix="doctor-", dir=folder if folder.is_dir() else None) as place:
            connection = sqlite3.connect(f"{place}/probe.sqlite3", isolation_level=None)
            try:
                connection.execute("PRAGMA journal_mode = WAL")
                connection.execute("PRAGMA synchronous = FULL")
                connection.execute("CREATE TABLE line (text TEXT)")
                slowest_ns = 0
                for _ in range(5):
                    began_ns = time.monotonic_ns()
                    connection.execute("INSERT INTO line VALUES ('a line of a match')")
                    slowest_ns = max(slowest_ns, time.monotonic_ns() - began_ns)
                return slowest_ns / 1e6
            finally:
                connection.close()
    except (OSError, sqlite3.Error):
        return None


def sound_of(probes: Probes) -> Sound:
    """Speech and sound cards; a sentence is made and thrown away, so nothing is heard."""
    told = probes.run(["espeak-ng", "--version"])
    version = re.search(r"\b(\d+\.\d+(\.\d+)?)\b", told.out) if told is not None and told.status == 0 else None
    cards = tuple(re.findall(r"^\s*\d+ \[\w+\s*\]: (.+)$", probes.read("/proc/asound/cards") or "", re.M))
    problem = None
    if version is not None:
        made = probes.run(["espeak-ng", "-v", "en", "-w", "/dev/null", "ready"])
        if made is None:
            problem = "it did not end"
        elif made.status != 0:
            problem = made.error.strip() or f"status {made.status}"
    return Sound(version[1] if version else None, cards, problem)


def versions_of(probes: Probes) -> Versions:
    """What is installed. picamera2 is loaded in a process of its own: only that tells whether its numpy fits."""
    told = probes.python("import platform; print(platform.python_version())")
    python = told.out.strip() if told is not None else "?"
    rivals = tuple(each for each in RIVAL_OPENCVS if probes.version(each) is not None)
    library, problem = probes.version("picamera2"), None
    if library is not None:
        answer = probes.python("import picamera2")
        if answer is None:
            problem = "it did not load in time"
        elif answer.status != 0:
            problem = (answer.error.strip().splitlines() or [f"status {answer.status}"])[-1]
    return Versions(python, {each: probes.version(each) for each in PACKAGES}, rivals, library, problem)


def _assignments(text: str) -> dict[str, str]:
    return {name: value.strip('"') for name, value in re.findall(r"^(\w+)=(.*)$", text, re.M)}


def _json(text: str) -> dict[str, str | None]:
    try:
        return dict(json.loads(text.strip().splitlines()[-1]))
    except (ValueError, IndexError):
        return {}
