"""Who holds a device file, so that "busy" can say what to close."""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["holders", "named_holders"]


def holders(*prefixes: str, proc: Path = Path("/proc")) -> list[tuple[int, str]]:
    """Number and name of every other process that has a file open whose path begins with one of `prefixes`.

    Only processes that this user may look into are seen; without /proc there are none.
    """
    found = []
    try:
        entries = sorted((int(entry.name), entry) for entry in proc.iterdir() if entry.name.isdecimal())
    except OSError:
        return []
    for number, entry in entries:
        if number == os.getpid():
            continue
        try:
            if any(_leads_to(link).startswith(prefixes) for link in (entry / "fd").iterdir()):
                found.append((number, (entry / "comm").read_text().strip()))
        except OSError:
            continue  # gone meanwhile, or another user's
    return found


def _leads_to(link: Path) -> str:
    """The file behind an open descriptor; nothing when it was closed meanwhile."""
    try:
        return os.readlink(link)
    except OSError:
        return ""


def named_holders(*prefixes: str) -> str:
    """The holders for a message, as in "rpicam-hello (process 812)"; empty when none is known."""
    return " and ".join(f"{name} (process {number})" for number, name in holders(*prefixes))
