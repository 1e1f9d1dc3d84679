"""Recorded rolls as they lie in a file: poses at a steady rate, as whole numbers, packed.

A file is an .npz of flat arrays. Places are int16 in units of 0.02 mm; turns are quaternions whose largest part is
left out (its number and sign are kept in one byte) and whose other three are int16; both are stored as differences
from sample to sample, which pack well.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

__all__ = ["KINDS", "RATE_HZ", "Roll", "matrices", "read_rolls", "write_rolls"]

Array = NDArray[Any]
RATE_HZ: Final = 120
"""Samples a second."""
_MM: Final = 0.02
_PART: Final = 0.7072 / 2047
"""Step of a part of a quaternion: the three that are kept are below the square root of one half."""
KINDS: Final = ("throw", "drop", "lean", "nudge", "stack", "off", "touch")
"""What a recorded roll shows: a throw out of the hand; a drop straight down; dice that end leaning on another die;
a lying die (the first) that is hit; a die that ends leaning on the stack of cards; a die over the table's edge; a die
met by a finger while it rolls."""


@dataclass(frozen=True, eq=False)
class Roll:
    """One recorded roll of N dice in T samples. x is the way of the throw, z up; lengths in mm.

    Attributes:
        kind: one of KINDS.
        lying: how many of the dice, the first ones, lie on the table when it begins.
        centres_mm: (T, N, 3) float.
        turns: (T, N, 4) float unit quaternions, scalar first.
        released: by die, the first sample at which it is out of the hand.
        met: (T, N) bool: it touched another die, the hand or the finger since the sample before.
        hand_mm: (T, 2) where the palm is; empty for a roll without a hand.
        finger_mm: (T, 2) where the finger is; empty for most.
        ends: by die, how it ends: "flat", "cocked" or "off".
    """

    kind: str
    lying: int
    centres_mm: Array
    turns: Array
    released: tuple[int, ...]
    met: Array
    hand_mm: Array
    finger_mm: Array
    ends: tuple[str, ...]
    number: int = field(default=-1)

    @property
    def dice(self) -> int:
        """How many dice."""
        return int(self.centres_mm.shape[1])

    @property
    def samples(self) -> int:
        """How many samples."""
        return int(self.centres_mm.shape[0])


_ENDS: Final = ("flat", "cocked", "off")


def matrices(turns: Array) -> Array:
    """Rotation matrices (..., 3, 3) of unit quaternions (..., 4), scalar first."""
    w, x, y, z = np.moveaxis(turns, -1, 0)
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def _delta(whole: Array) -> Array:
    """Differences along the first axis, wrapping round in 16 bits."""
    wide = whole.astype(np.int32)
    return np.asarray(np.diff(wide, axis=0, prepend=np.zeros_like(wide[:1])).astype(np.int16))


def _planes(whole: Array) -> Array:
    """The low bytes of all numbers, then the high bytes: like beside like."""
    as_bytes = np.ascontiguousarray(whole.astype("<i2")).view(np.uint8).reshape(-1, 2)
    return np.ascontiguousarray(as_bytes.T).ravel()


def _whole(planes: Array) -> Array:
    return np.asarray(np.ascontiguousarray(planes.reshape(2, -1).T).view("<i2").ravel())


def _small_parts(turns: Array) -> tuple[Array, Array]:
    """The three smaller parts (..., 3) as whole numbers, and which one (0 to 3) was left out."""
    largest = np.abs(turns).argmax(axis=-1)
    sign = np.sign(np.take_along_axis(turns, largest[..., None], -1))
    kept = np.array([[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]])[largest]
    parts = np.take_along_axis(turns * sign, kept, -1)
    return np.round(parts / _PART).astype(np.int16), largest.astype(np.uint8)


def _turns(parts: Array, largest: Array) -> Array:
    small = parts * _PART
    big = np.sqrt(np.clip(1 - (small**2).sum(axis=-1), 0, 1))
    kept = np.array([[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]])[largest]
    turns = np.zeros((*parts.shape[:-1], 4))
    np.put_along_axis(turns, kept, small, -1)
    np.put_along_axis(turns, largest[..., None].astype(int), big[..., None], -1)
    return np.asarray(turns / np.linalg.norm(turns, axis=-1, keepdims=True))


def write_rolls(path: Path, rolls: Sequence[Roll]) -> None:
    """Write rolls to an .npz."""
    heads: list[list[int]] = []
    ends: list[int] = []
    released: list[int] = []
    places: list[Array] = []
    parts: list[Array] = []
    largest: list[Array] = []
    met: list[Array] = []
    hands: list[Array] = []
    fingers: list[Array] = []
    for roll in rolls:
        heads.append(
            [
                KINDS.index(roll.kind),
                roll.dice,
                roll.lying,
                roll.samples,
                int(len(roll.hand_mm) > 0),
                int(len(roll.finger_mm) > 0),
            ]
        )
        ends += [_ENDS.index(end) for end in roll.ends]
        released += list(roll.released)
        # One die after the other: along a die's track the differences are small.
        for die in range(roll.dice):
            places.append(_delta(np.round(roll.centres_mm[:, die] / _MM)).T.ravel())
            small, left_out = _small_parts(roll.turns[:, die])
            parts.append(_delta(small).T.ravel())
            largest.append(left_out)
            met.append(roll.met[:, die])
        for track, store in ((roll.hand_mm, hands), (roll.finger_mm, fingers)):
            if len(track):
                store.append(_delta(np.round(track / _MM / 10)).T.ravel())

    def joined(store: list[Array]) -> Array:
        return np.concatenate(store) if store else np.zeros(0, np.int16)

    arrays: dict[str, Array] = {
        "heads": np.array(heads, np.int16),
        "ends": np.array(ends, np.uint8),
        "released": np.array(released, np.int16),
        "places": _planes(joined(places)),
        "turns": _planes(joined(parts)),
        "largest": joined(largest).astype(np.uint8),
        "met": np.packbits(joined(met).astype(bool)),
        "hands": _planes(joined(hands)),
        "fingers": _planes(joined(fingers)),
    }
    # Written by hand rather than with savez, whose archive carries the time of day: the same rolls are the same bytes.
    path.write_bytes(_archive(arrays))


def _archive(arrays: dict[str, Array]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_LZMA) as archive:
        for name, array in arrays.items():
            body = io.BytesIO()
            np.lib.format.write_array(body, array, allow_pickle=False)
            entry = zipfile.ZipInfo(f"{name}.npy", date_time=(1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_LZMA
            archive.writestr(entry, body.getvalue())
    return out.getvalue()


def read_rolls(path: Path) -> tuple[Roll, ...]:
    """The rolls of a file that `write_rolls` wrote. Raises OSError, or ValueError for what is none."""
    try:
        with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
    except (zipfile.BadZipFile, EOFError) as error:
        raise ValueError(
            f"{path} holds no recorded rolls: {error}; record them anew or take the shipped file"
        ) from error
    places, parts = _whole(arrays["places"]), _whole(arrays["turns"])
    hands, fingers = _whole(arrays["hands"]), _whole(arrays["fingers"])
    bits = np.unpackbits(arrays["met"]).astype(bool)
    rolls = []
    at = die_at = hand_at = finger_at = 0
    for number, (kind, dice, lying, samples, has_hand, has_finger) in enumerate(arrays["heads"].tolist()):
        shape = (dice, 3, samples)
        span = slice(3 * at, 3 * (at + dice * samples))
        centres = np.cumsum(places[span].reshape(shape).astype(np.int64), axis=2)
        small = np.cumsum(parts[span].reshape(shape).astype(np.int64), axis=2)
        centres = (centres + 32768) % 65536 - 32768
        small = (small + 32768) % 65536 - 32768
        flat = slice(at, at + dice * samples)
        left_out = arrays["largest"][flat].reshape(dice, samples)
        tracks = []
        for has, store, start in ((has_hand, hands, hand_at), (has_finger, fingers, finger_at)):
            part = store[start : start + 2 * samples * has].reshape(2, -1).astype(np.int64)
            tracks.append(np.cumsum(part, axis=1).T * _MM * 10 if has else np.zeros((0, 2)))
        hand_at += 2 * samples * has_hand
        finger_at += 2 * samples * has_finger
        rolls.append(
            Roll(
                KINDS[kind],
                lying,
                np.moveaxis(centres, 0, 1).transpose(2, 1, 0) * _MM,
                np.moveaxis(_turns(np.moveaxis(small, 1, 2), left_out), 0, 1),
                tuple(arrays["released"][die_at : die_at + dice].tolist()),
                bits[flat].reshape(dice, samples).T,
                tracks[0],
                tracks[1],
                tuple(_ENDS[e] for e in arrays["ends"][die_at : die_at + dice]),
                number,
            )
        )
        at += dice * samples
        die_at += dice
    return tuple(rolls)
