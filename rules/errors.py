"""What the rules core may raise. Every error is also the builtin that a stranger would catch."""

from __future__ import annotations

__all__ = ["BadHeader", "BadPack", "BrokenLog", "RulesError", "UnknownGame", "UnreadableInput"]


class RulesError(Exception):
    """Root of every error of the rules core; the message says what happened, what was expected and what to do."""


class UnreadableInput(RulesError, ValueError):
    """A line or record could not be understood as an event, a header or a log entry."""


class BadHeader(RulesError, ValueError):
    """A match cannot start like this; `clauses` names the rules that the header breaks."""

    def __init__(self, message: str, *, clauses: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.clauses = clauses


class UnknownGame(RulesError, LookupError):
    """No referee is known for this game or for this version of its rules."""


class BadPack(RulesError, ValueError):
    """A component pack is missing something or contradicts itself."""


class BrokenLog(RulesError, ValueError):
    """A match log was changed, cut or does not replay to the rulings it holds; `line` counts from 1."""

    def __init__(self, message: str, *, line: int) -> None:
        super().__init__(f"Line {line}: {message}")
        self.line = line
