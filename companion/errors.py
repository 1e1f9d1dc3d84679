"""What the application may raise. Every error is also the builtin that a stranger would catch."""

from __future__ import annotations

__all__ = [
    "BadInput",
    "CompanionError",
    "EvidenceMissing",
    "MatchBroken",
    "MatchMissing",
    "StoreBusy",
    "StoreFailed",
    "StoreTooNew",
    "TableBusy",
    "TableClosed",
]


class CompanionError(Exception):
    """Root of every error of the application; the message says what happened, what was expected and what to do."""


class BadInput(CompanionError, ValueError):
    """A command was given something that it cannot use."""


class StoreFailed(CompanionError, OSError):
    """The store could not be read or written: nothing was acknowledged."""


class StoreBusy(CompanionError, BlockingIOError):
    """Another program holds this data directory; the message names it."""


class StoreTooNew(CompanionError, ValueError):
    """The store was written by a newer release."""


class MatchMissing(CompanionError, LookupError):
    """No match with this identity is in the store."""


class EvidenceMissing(CompanionError, LookupError):
    """No evidence is kept of this entry of a match, or it cannot be read."""


class MatchBroken(CompanionError, ValueError):
    """Not even the header of a stored match can be read; its lines were copied aside."""


class TableClosed(CompanionError, RuntimeError):
    """The table takes nothing any more."""


class TableBusy(CompanionError, TimeoutError):
    """The table did not come to an event in time; it was not filed."""
