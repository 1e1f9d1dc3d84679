"""The time of day as a label for people: never an order, never a duration, and marked where nothing keeps it right."""

from __future__ import annotations

from datetime import UTC, datetime

from device.clock import wall_is_synchronised

__all__ = ["UNSYNCHRONISED", "is_unsynchronised", "wall_label"]

UNSYNCHRONISED = "?"
"""Follows a time of day that no time server keeps right: the mark of ISO 8601-2 for what is uncertain."""


def wall_label(timespec: str = "milliseconds") -> str:
    """The time of day now: ISO 8601 in UTC to the given unit, with UNSYNCHRONISED behind it where that is so.

    A Raspberry Pi without a network starts with the time at which it was switched off.
    """
    mark = UNSYNCHRONISED if wall_is_synchronised() is False else ""
    return datetime.now(UTC).isoformat(timespec=timespec) + mark


def is_unsynchronised(label: str | None) -> bool:
    """Whether a label says that its time of day is not to be relied on."""
    return label is not None and label.endswith(UNSYNCHRONISED)
