"""What is kept of a press or an infraction: plain records, written as JSON beside the pictures."""

from __future__ import annotations

from typing import Literal

import msgspec

from vision.readings import Point
from vision.tracking.happenings import DieState

__all__ = [
    "MANIFEST_VERSION",
    "CameraWords",
    "DieThen",
    "Evidence",
    "FrameKept",
    "Kind",
    "PressThen",
    "die_words_key",
    "encode",
    "parse_evidence",
]

MANIFEST_VERSION = 1

Kind = Literal["claim", "infraction"]

CameraWords = Literal["watching", "lost", "none", "silent"]
"""How the camera was: it watched; it was lost; there was none; or it watched and gave no frame after the press."""


class DieThen(msgspec.Struct, frozen=True):
    """One die in one frame.

    Attributes:
        track: the number under which the tracker follows it.
        seat: whose it is; None when nobody's.
        place: its number before its seat, from 0; None while it has none.
        state: what it was doing, in the words of `vision.tracking.happenings.DieState`.
        value: what it showed, 1 to 6; only of a die at rest.
        reason: why a die at rest has no value.
        colour: of its body.
        outline_px: corners of its upper face in the kept picture.
        pips_px: centres of the pips in the kept picture.
        seen: this very frame shows it.
        rest_ns: exposure of the first frame of its unbroken rest, as told at this frame; None while it moved.
    """

    track: int
    seat: int | None
    place: int | None
    state: DieState
    value: int | None
    reason: str | None
    colour: str
    outline_px: tuple[Point, ...] = ()
    pips_px: tuple[Point, ...] = ()
    seen: bool = True
    rest_ns: int | None = None


class FrameKept(msgspec.Struct, frozen=True):
    """One picture. `after_ns` counts from the press (or from what happened); before it, it is negative."""

    file: str
    exposure_start_ns: int
    after_ns: int
    sequence: int
    size_wh: tuple[int, int]
    sha256: str
    dice: tuple[DieThen, ...]


class PressThen(msgspec.Struct, frozen=True):
    """One press near the moment.

    Attributes:
        seat: who pressed; 0 is the judge.
        button: which button.
        edge_ns: when, on the monotonic clock of the table; 0 when nobody timed it.
        after_ns: from the first press that was ruled on here to this one.
        ruled_on: it belongs to the entry that this is the evidence of.
        frame: number of the kept frame that answers for it: the nearest that was exposed from its edge on.
        kernel_timed: the kernel stamped the edge.
        source: what it came from.
    """

    seat: int
    button: str
    edge_ns: int
    after_ns: int
    ruled_on: bool
    frame: int | None = None
    kernel_timed: bool = False
    source: str = ""


class Evidence(msgspec.Struct, frozen=True):
    """All that is kept of one entry of a match.

    Attributes:
        match: the match.
        seq: sequence number of the entry that was ruled on.
        kind: a claim (a press) or an infraction.
        at_ns: the first press, or when the infraction happened; monotonic.
        timed: False when nobody timed it (a call that was typed), and `at_ns` is when it was filed.
        wall: when the entry was filed, as the log has it.
        seats: whose presses or dice.
        detail: of an infraction, what was seen.
        places: of an infraction, which dice.
        camera: how the camera was.
        problem: what was wrong with the camera, in its own words.
        frozen: number of the frame that answers for the first press; None when no frame does.
        dice: every die as it lay in the frozen frame, by what the frames up to half a second later made sure.
        presses: every press near the moment, by edge.
        frames: the pictures, by exposure.
        frames_dropped: how many frames had to be left out around the moment, for want of time to keep them.
    """

    match: str
    seq: int
    kind: Kind
    at_ns: int
    timed: bool
    wall: str | None
    seats: tuple[int, ...]
    detail: str
    places: tuple[int, ...]
    camera: CameraWords
    problem: str | None
    frozen: int | None
    dice: tuple[DieThen, ...]
    presses: tuple[PressThen, ...]
    frames: tuple[FrameKept, ...]
    frames_dropped: int = 0
    version: int = MANIFEST_VERSION


def encode(evidence: Evidence) -> bytes:
    """The record as JSON, indented for people."""
    return msgspec.json.format(msgspec.json.encode(evidence), indent=1) + b"\n"


def parse_evidence(data: bytes) -> Evidence:
    """The record in its JSON.

    Raises:
        ValueError: it is no record of evidence, or of a newer release.
    """
    try:
        evidence = msgspec.json.decode(data, type=Evidence)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"This is no record of evidence: {error}.") from error
    if evidence.version > MANIFEST_VERSION:
        raise ValueError(f"Evidence of version {evidence.version}; this release knows {MANIFEST_VERSION}.")
    return evidence


def die_words_key(die: DieThen) -> str:
    """The message of the catalogue that says what the die was doing."""
    if die.state is DieState.SETTLED and die.value is None:
        return "evidence.die.unread"
    if die.state is DieState.COVERED and die.value is None:
        return "evidence.die.covered-unread"
    return f"evidence.die.{die.state.value.replace(' ', '-')}"
