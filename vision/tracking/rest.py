"""When a die is at rest, and what it shows then: by motion and by whether the reading can still change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from vision.readings import Unreadable
from vision.tracking.track import Sample, Track

__all__ = ["Verdict", "insistent", "verdict"]

_MS = 1_000_000
_STILL_NS = 95 * _MS
"""Nothing has moved on or around it for so long: three frames at 30 a second, two at 15."""
_STEADY_NS = 230 * _MS
"""Or, where shadows pass, its readings have not changed for so long."""
_VOTES = 3
_AGREEMENT = 0.75
_RUN = 4
_INSISTENT_VOTES, _INSISTENT = 5, 0.35
_GIVE_UP_NS = 600 * _MS
"""Readings of a still die that do not agree for so long make it unreadable."""


class Verdict(NamedTuple):
    """What a die at rest shows: a value with its confidence, or None with a reason."""

    value: int | None
    reason: Unreadable | None
    confidence: float


def verdict(track: Track, at_ns: int) -> Verdict | None:
    """What the die shows, once it is at rest and enough frames agree; None while it may still change."""
    samples = track.since_rest()
    still_ns = at_ns - track.rest_ns if track.rest_ns is not None else 0
    if still_ns < _STILL_NS:
        until_ns = -1 if track.home is None else track.home.until_ns  # what was read before it stirred tells nothing
        samples = [each for each in track.steady() if each.at_ns > until_ns]
        if not samples:
            return None
        still_ns = at_ns - samples[0].at_ns
        if still_ns < _STEADY_NS:
            return None
        if still_ns < _GIVE_UP_NS and len({each.reading.value for each in samples}) > 1:
            return None
    agreed = _agreed(samples)
    if agreed is not None and agreed.value is not None:
        return agreed
    if still_ns >= _GIVE_UP_NS and len(samples) >= _VOTES:
        return insistent(samples) or _unread(samples)
    return None


def insistent(samples: Sequence[Sample]) -> Verdict | None:
    """The value that is read again and again and never another, though in many frames none can be read."""
    read = [each.reading for each in samples if each.reading.value is not None]
    if len(read) < _INSISTENT_VOTES or len({each.value for each in read}) != 1 or len(read) < _INSISTENT * len(samples):
        return None
    return Verdict(read[-1].value, None, min(each.confidence for each in read))


def _agreed(samples: Sequence[Sample]) -> Verdict | None:
    """The value that enough samples, the last one among them, show; or that none can be read."""
    if len(samples) < _VOTES:
        return None
    value, count = Counter(each.reading.value for each in samples).most_common(1)[0]
    if count < _AGREEMENT * len(samples) or samples[-1].reading.value != value:
        return _at_last(samples)
    if value is None:
        return _unread(samples)
    return Verdict(value, None, min(each.reading.confidence for each in samples if each.reading.value == value))


def _at_last(samples: Sequence[Sample]) -> Verdict | None:
    """The only value ever read, when every one of the last frames shows it: the light has settled on it, too."""
    last = [each.reading for each in samples[-_RUN:]]
    values = {each.reading.value for each in samples} - {None}
    if len(last) < _RUN or len(values) != 1 or any(each.value is None for each in last):
        return None
    return Verdict(last[-1].value, None, min(each.confidence for each in last))


def _unread(samples: Sequence[Sample]) -> Verdict:
    """The most frequent reason; that it is no pip die at all only when nearly all say so."""
    counts = Counter(each.reading.reason or Unreadable.AMBIGUOUS for each in samples)
    if counts.get(Unreadable.NOT_A_PIP_DIE, 0) >= _AGREEMENT * len(samples):
        return Verdict(None, Unreadable.NOT_A_PIP_DIE, 0.0)
    counts.pop(Unreadable.NOT_A_PIP_DIE, None)
    reason = counts.most_common(1)[0][0] if counts else Unreadable.AMBIGUOUS
    return Verdict(None, reason, 0.0)
