"""What the doctor makes of facts about the machine: pure functions, one a check."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from companion.doctor.findings import Finding, Level, found
from companion.doctor.machine import (
    Access,
    Board,
    ClockState,
    Database,
    Memory,
    PinLibrary,
    Sound,
    Versions,
    Warmth,
)
from companion.doctor.probes import DiskSpace

__all__ = [
    "board",
    "clock",
    "database",
    "disk",
    "groups",
    "kernel",
    "memory",
    "pin_backend",
    "pins",
    "sound",
    "temperature",
    "versions",
]

SUPPORTED_BOARDS: Final = ("Raspberry Pi 5", "Raspberry Pi 4", "Raspberry Pi 400", "Raspberry Pi 500", "Compute Module")
SUPPORTED_SYSTEMS: Final = ("bookworm", "trixie")
OLDEST_KERNEL: Final = (6, 1)
"""That of Debian 12: version 2 of the pin interface, whose edges are stamped by the monotonic clock."""
PI5_GPIOZERO: Final = (2, 0, 1)
PI5_POST: Final = 3
"""gpiozero from PyPI opens the wrong pin chip of a Raspberry Pi 5 before 2.0.1.post3."""
LOW_DISK_BYTES: Final = 500_000_000
"""Half of what evidence may take at most; pictures come at 1 to 2 MB a minute of play."""
NO_DISK_BYTES: Final = 50_000_000
LOW_MEMORY_BYTES: Final = 300_000_000
"""The program holds about 250 MB with both readers loaded."""
LOW_CONTIGUOUS_BYTES: Final = 64_000_000
SLOW_COMMIT_MS: Final = 100.0
"""A ruling waits for its durable write; longer than a tenth of a second is felt."""
WARM_CELSIUS: Final = 75.0
HOT_CELSIUS: Final = 80.0
"""Where the firmware of a Raspberry Pi begins to slow the processor down."""
SUSPEND_NS: Final = 5_000_000
RESERVED_PINS: Final = frozenset({0, 1})
"""Pins of the HAT's identity chip."""
FREE_PINS: Final = frozenset(range(2, 28))
_UNDER_VOLTAGE, _CAPPED, _THROTTLED, _SOFT_LIMIT = 1, 2, 4, 8
_EARLIER: Final = 16


def board(facts: Board) -> Finding:
    """Whether this computer can do it."""
    told = {"model": facts.model or facts.machine, "system": facts.system}
    if facts.bits != 64:
        return found("board", Level.FAULT, "bits", bits=facts.bits, **told)
    if facts.model is None:
        return found("board", Level.NOTE, "not-a-pi", **told)
    if not any(each in facts.model for each in SUPPORTED_BOARDS):
        return found("board", Level.FAULT, "too-small", **told)
    if facts.codename not in SUPPORTED_SYSTEMS:
        return found("board", Level.NOTE, "system", **told)
    return found("board", Level.OK, "ok", **told)


def kernel(facts: Board) -> Finding:
    """Whether the kernel stamps button edges as needed."""
    numbers = re.match(r"(\d+)\.(\d+)", facts.kernel)
    if numbers is None:
        return found("kernel", Level.UNKNOWN, "unknown", kernel=facts.kernel)
    if (int(numbers[1]), int(numbers[2])) < OLDEST_KERNEL:
        return found("kernel", Level.FAULT, "old", kernel=facts.kernel)
    return found("kernel", Level.OK, "ok", kernel=facts.kernel)


def groups(facts: Access) -> Finding:
    """Whether this user may open the devices that are there."""
    if facts.superuser:
        return found("groups", Level.NOTE, "root")
    lacking = sorted(
        group
        for group, devices in facts.devices.items()
        if devices and group in facts.known_groups and group not in facts.groups
    )
    if lacking:
        return found("groups", Level.FAULT, "missing", user=facts.user, groups=",".join(lacking))
    return found("groups", Level.OK, "ok", user=facts.user)


def pins(used: Mapping[int, str], buses: Mapping[str, frozenset[int]]) -> Finding:
    """Whether each pin of the map (BCM number to what it is for) can be used for it."""
    for number, use in sorted(used.items()):
        if number in RESERVED_PINS or number not in FREE_PINS:
            return found("pins", Level.FAULT, "reserved", pin=number, use=use)
    for bus, held in sorted(buses.items()):
        for number in sorted(held & used.keys()):
            return found("pins", Level.FAULT, "bus", pin=number, use=used[number], bus=bus)
    return found("pins", Level.OK, "ok", count=len(used))


def pin_backend(facts: PinLibrary, board: Board, *, wanted: bool) -> Finding:
    """Whether the pins can be read; `wanted` says that the table has buttons on them."""
    level = Level.FAULT if wanted or board.model is not None else Level.NOTE
    if facts.gpiozero is None:
        return found("pin-backend", level, "no-gpiozero")
    if board.model is not None and "Pi 5" in board.model and _gpiozero_too_old(facts.gpiozero):
        return found("pin-backend", Level.FAULT, "old-gpiozero", version=facts.gpiozero)
    if not facts.folder_writable:
        return found("pin-backend", level, "folder", folder=facts.folder)
    if facts.import_problem is not None:
        return found("pin-backend", level, "missing", problem=facts.import_problem)
    if facts.chip_problem is not None:
        return found("pin-backend", level, "closed", problem=facts.chip_problem)
    return found("pin-backend", Level.OK, "ok", lgpio=facts.lgpio or "?", gpiozero=facts.gpiozero)


def _gpiozero_too_old(version: str) -> bool:
    found = re.match(r"(\d+)\.(\d+)(?:\.(\d+))?(?:\.post(\d+))?", version)
    if found is None:
        return False
    numbers = (int(found[1]), int(found[2]), int(found[3] or 0))
    return (numbers, int(found[4] or 0)) < (PI5_GPIOZERO, PI5_POST)


def clock(facts: ClockState) -> Finding:
    """Whether times can be compared (monotonic clock) and are labelled rightly (wall clock)."""
    if facts.boottime_ahead_ns > SUSPEND_NS:
        return found("clock", Level.NOTE, "suspended", seconds=round(facts.boottime_ahead_ns / 1e9, 1))
    if facts.synchronised is None:
        return found("clock", Level.UNKNOWN, "unknown")
    if not facts.synchronised:
        return found("clock", Level.NOTE, "unset")
    return found("clock", Level.OK, "ok")


def disk(facts: DiskSpace | None, folder: str) -> Finding:
    """Whether matches and evidence have room."""
    if facts is None:
        return found("disk", Level.UNKNOWN, "unknown", folder=folder)
    megabytes = round(facts.free_bytes / 1e6)
    if not facts.writable:
        return found("disk", Level.FAULT, "read-only", folder=folder)
    if facts.free_bytes < NO_DISK_BYTES:
        return found("disk", Level.FAULT, "full", folder=folder, megabytes=megabytes)
    if facts.free_bytes < LOW_DISK_BYTES:
        return found("disk", Level.NOTE, "low", folder=folder, megabytes=megabytes)
    return found("disk", Level.OK, "ok", folder=folder, gigabytes=f"{facts.free_bytes / 1e9:.1f}")


def memory(facts: Memory, board: Board) -> Finding:
    """Whether the program and the camera's buffers fit into memory."""
    if facts.available_bytes is None:
        return found("memory", Level.UNKNOWN, "unknown")
    megabytes = round(facts.available_bytes / 1e6)
    if facts.available_bytes < LOW_MEMORY_BYTES:
        return found("memory", Level.FAULT, "low", megabytes=megabytes)
    total = facts.contiguous_total_bytes
    if board.model is not None and total is not None and total < LOW_CONTIGUOUS_BYTES:
        return found("memory", Level.NOTE, "contiguous", megabytes=round(total / 1e6))
    return found("memory", Level.OK, "ok", megabytes=megabytes)


def database(facts: Database) -> Finding:
    """Whether the record of matches is whole and fast enough."""
    if facts.problem is not None:
        return found("database", Level.FAULT, "broken", folder=facts.folder, problem=facts.problem)
    if facts.too_new:
        return found("database", Level.FAULT, "too-new", folder=facts.folder)
    if facts.commit_ms is None:
        return found("database", Level.FAULT, "closed", folder=facts.folder)
    milliseconds = f"{facts.commit_ms:.1f}"
    if facts.commit_ms > SLOW_COMMIT_MS:
        return found("database", Level.NOTE, "slow", milliseconds=milliseconds)
    if not facts.exists:
        return found("database", Level.OK, "none", milliseconds=milliseconds)
    return found("database", Level.OK, "ok", milliseconds=milliseconds)


def temperature(facts: Warmth) -> Finding:
    """Whether the processor runs at full speed, from the firmware's bits where it has any."""
    bits = facts.throttled_bits or 0
    degrees = None if facts.celsius is None else round(facts.celsius)
    if bits & _UNDER_VOLTAGE:
        return found("temperature", Level.FAULT, "power")
    if bits & (_CAPPED | _THROTTLED | _SOFT_LIMIT) or (facts.celsius or 0) >= HOT_CELSIUS:
        return found("temperature", Level.FAULT, "hot", degrees=degrees)
    if bits >> _EARLIER & _UNDER_VOLTAGE:
        return found("temperature", Level.NOTE, "power-earlier")
    if bits >> _EARLIER & (_CAPPED | _THROTTLED | _SOFT_LIMIT):
        return found("temperature", Level.NOTE, "hot-earlier", degrees=degrees)
    if degrees is None:
        return found("temperature", Level.UNKNOWN, "unknown")
    if facts.celsius is not None and facts.celsius >= WARM_CELSIUS:
        return found("temperature", Level.NOTE, "warm", degrees=degrees)
    return found("temperature", Level.OK, "ok", degrees=degrees)


def sound(facts: Sound) -> Finding:
    """Whether this machine can speak."""
    if facts.espeak is None:
        return found("speaker", Level.FAULT, "missing")
    if facts.problem is not None:
        return found("speaker", Level.FAULT, "failed", problem=facts.problem)
    if not facts.cards:
        return found("speaker", Level.NOTE, "no-card")
    return found("speaker", Level.OK, "ok", version=facts.espeak, card=facts.cards[0])


def versions(facts: Versions, board: Board) -> Finding:
    """Whether what is installed fits together."""
    absent = sorted(name for name, version in facts.packages.items() if version is None)
    if absent:
        return found("versions", Level.FAULT, "absent", packages=", ".join(absent))
    if facts.rivals:
        return found("versions", Level.FAULT, "rivals", packages=", ".join(facts.rivals))
    if facts.camera_problem is not None:
        if "numpy.dtype size changed" in facts.camera_problem or "binary incompatib" in facts.camera_problem:
            return found("versions", Level.FAULT, "numpy-clash", problem=facts.camera_problem)
        return found("versions", Level.FAULT, "camera-library", problem=facts.camera_problem)
    if facts.camera_library is None and board.model is not None:
        return found("versions", Level.NOTE, "no-camera-library")
    told = ", ".join(f"{name} {version}" for name, version in facts.packages.items())
    if facts.camera_library is not None:
        told += f", picamera2 {facts.camera_library}"
    return found("versions", Level.OK, "ok", python=facts.python, packages=told)
