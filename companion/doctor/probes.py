"""How the doctor looks at a machine: small questions, each bounded in time, that a test answers from a table."""

from __future__ import annotations

import glob
import grp
import importlib.metadata
import os
import platform
import pwd
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple, Protocol

from device.clock import wall_is_synchronised

__all__ = ["Answer", "DiskSpace", "Probes", "SystemProbes"]

COMMAND_LIMIT_S: Final = 20.0


class Answer(NamedTuple):
    """What a command said: its exit status, standard output and standard error."""

    status: int
    out: str
    error: str


class DiskSpace(NamedTuple):
    """Of the disk that holds a folder: free and whole size in bytes, whether this user can write there."""

    free_bytes: int
    total_bytes: int
    writable: bool


class Probes(Protocol):
    """The questions. None stands for "there is no such thing"; nothing is raised."""

    def read(self, path: str) -> str | None:
        """The text of a file of the system."""
        ...

    def matching(self, pattern: str) -> tuple[str, ...]:
        """The paths that a pattern such as /dev/video* has."""
        ...

    def run(self, command: Sequence[str], folder: Path | None = None) -> Answer | None:
        """What a command says, at most so long; None when there is none of this name or it does not end."""
        ...

    def python(self, code: str, folder: Path | None = None) -> Answer | None:
        """What the Python of this program says to a few lines, in a process of its own that may crash."""
        ...

    def version(self, package: str) -> str | None:
        """The version of an installed Python package."""
        ...

    def machine(self) -> str:
        """Of the processor: aarch64, x86_64, …"""
        ...

    def kernel(self) -> str:
        """Release of the kernel, such as 6.12.34+rpt-rpi-2712."""
        ...

    def user(self) -> str:
        """The name of the user this program runs as."""
        ...

    def groups(self) -> frozenset[str]:
        """The groups that this process is in (not those that the next log-in would give)."""
        ...

    def known_groups(self) -> frozenset[str]:
        """The groups that this system has."""
        ...

    def superuser(self) -> bool:
        """True for root, who needs no group."""
        ...

    def disk(self, folder: Path) -> DiskSpace | None:
        """The disk of a folder, or of the nearest folder above it that exists."""
        ...

    def wall_set(self) -> bool | None:
        """Whether the kernel holds the wall clock to be right; None when it does not tell."""
        ...

    def monotonic_ns(self) -> tuple[int, int]:
        """The monotonic clock and the time since boot, which a suspend makes differ, in ns, read together."""
        ...


class SystemProbes:
    """Asks this machine."""

    def read(self, path: str) -> str | None:
        try:
            return Path(path).read_bytes().decode("utf-8", "replace").rstrip("\0\n")
        except OSError:
            return None

    def matching(self, pattern: str) -> tuple[str, ...]:
        return tuple(sorted(glob.glob(pattern)))

    def run(self, command: Sequence[str], folder: Path | None = None) -> Answer | None:
        if shutil.which(command[0]) is None:
            return None
        try:
            done = subprocess.run(
                command,
                cwd=folder,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=COMMAND_LIMIT_S,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired):
            return None
        return Answer(done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace"))

    def python(self, code: str, folder: Path | None = None) -> Answer | None:
        return self.run([sys.executable, "-P", "-W", "ignore", "-c", code], folder)

    def version(self, package: str) -> str | None:
        try:
            return importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            return None

    def machine(self) -> str:
        return platform.machine()

    def kernel(self) -> str:
        return platform.release()

    def user(self) -> str:
        try:
            return pwd.getpwuid(os.geteuid()).pw_name
        except KeyError:
            return str(os.geteuid())

    def groups(self) -> frozenset[str]:
        names = set()
        for number in {*os.getgroups(), os.getegid()}:
            try:
                names.add(grp.getgrgid(number).gr_name)
            except KeyError:
                names.add(str(number))
        return frozenset(names)

    def known_groups(self) -> frozenset[str]:
        return frozenset(each.gr_name for each in grp.getgrall())

    def superuser(self) -> bool:
        return os.geteuid() == 0

    def disk(self, folder: Path) -> DiskSpace | None:
        place = folder
        while not place.exists() and place != place.parent:
            place = place.parent
        try:
            space = os.statvfs(place)
        except OSError:
            return None
        read_only = bool(space.f_flag & os.ST_RDONLY)
        writable = os.access(place, os.W_OK | os.X_OK) and not read_only
        return DiskSpace(space.f_bavail * space.f_frsize, space.f_blocks * space.f_frsize, writable)

    def wall_set(self) -> bool | None:
        return wall_is_synchronised()

    def monotonic_ns(self) -> tuple[int, int]:
        return time.monotonic_ns(), time.clock_gettime_ns(time.CLOCK_BOOTTIME)
