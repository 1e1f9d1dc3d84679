"""One thing that was told wrongly or not at all, with all that is needed to look at it."""

from __future__ import annotations

from dataclasses import dataclass

from companion.measure.told import Die

__all__ = ["Failure"]


@dataclass(frozen=True, slots=True)
class Failure:
    """A failure of one die at one time.

    Attributes:
        kind: what sort of failure, in few words; sheets are sorted by it.
        at_ns: when it showed.
        die: which true die; None where there is none.
        track: id of the track; None where nothing was told.
        said: what was told against what is true, for people.
        from_ns: when what it is about began.
    """

    kind: str
    at_ns: int
    die: Die | None
    track: int | None
    said: str
    from_ns: int
