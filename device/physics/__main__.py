"""`python -m device.physics`: record the rolls that the simulated table plays."""

from __future__ import annotations

import argparse
import multiprocessing
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from device.physics.recording import NotSettled
from device.physics.throws import MAKERS
from device.simulated.recorded.codec import Roll, read_rolls, write_rolls

Array = NDArray[Any]
_HERE: Final = Path(__file__).resolve().parent.parent / "simulated" / "recorded" / "rolls.npz"
_MOST_TRIES: Final = 4000
_BATCH: Final = 16
_SMALL_MM: Final = (194.0, 98.0)
"""Where the centres of dice may lie in the zone of one of six seats."""
_MOST_SAMPLES: Final = 150
WANTED: Final[tuple[tuple[str, int, int], ...]] = (
    ("throw", 1, 48),
    ("throw", 2, 36),
    ("throw", 3, 32),
    ("throw", 4, 26),
    ("throw", 5, 18),
    ("throw", 6, 22),
    ("long", 1, 14),
    ("long", 2, 8),
    ("long", 3, 5),
    ("drop", 1, 20),
    ("drop", 2, 12),
    ("drop", 3, 8),
    ("lean", 1, 10),
    ("nudge", 1, 16),
    ("stack", 1, 6),
    ("off", 1, 14),
    ("touch", 1, 18),
)
"""Kind, count of dice, how many of them."""
_ORDER: Final = ("throw", "drop", "lean", "nudge", "stack", "off", "touch")


def _fits(places_mm: Array) -> bool:
    """True when the places (N, 2) can be turned so that they lie in a small zone."""
    for angle in np.linspace(0, np.pi, 37):
        c, s = np.cos(angle), np.sin(angle)
        if (np.ptp(places_mm @ np.array([[c, -s], [s, c]]), axis=0) <= _SMALL_MM).all():
            return True
    return False


def _tried(job: tuple[str, int, int, int]) -> Roll | None:
    kind, count, seed, number = job
    try:
        roll = MAKERS[kind](np.random.default_rng([seed, sorted(MAKERS).index(kind), count, number]), count)
    except NotSettled:
        return None
    if kind in ("throw", "long", "drop") and set(roll.ends) != {"flat"}:
        return None
    if kind == "throw" and (not _fits(roll.centres_mm[-1, :, :2]) or roll.samples > _MOST_SAMPLES):
        return None
    if np.abs(roll.centres_mm).max() > 640:
        return None
    return roll


def rolls(seed: int, scale: float, kinds: Collection[str], pool: Any) -> Iterator[Roll]:
    """The rolls of some kinds that are wanted, in a steady order."""
    for kind, count, many in WANTED:
        if kind not in kinds:
            continue
        wanted = max(1, round(many * scale))
        found: list[Roll] = []
        tries = 0
        while len(found) < wanted:
            if tries >= _MOST_TRIES:
                raise SystemExit(f"only {len(found)} of {wanted} rolls ({kind}, {count}) in {tries} tries")
            batch = [(kind, count, seed, tries + n) for n in range(_BATCH)]
            found += [roll for roll in pool.map(_tried, batch, chunksize=2) if roll is not None]
            tries += _BATCH
        print(f"{kind} of {count}: {len(found)} of {tries} tries", flush=True)
        yield from found[:wanted]


def main() -> None:
    """Record and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--scale", type=float, default=1.0, help="record so many times as many")
    parser.add_argument("--out", type=Path, default=_HERE)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--kinds", nargs="+", choices=sorted(MAKERS), help="only these; the file's others stay")
    wishes = parser.parse_args()
    kinds = wishes.kinds or sorted(MAKERS)
    kept = [] if wishes.kinds is None else [roll for roll in read_rolls(wishes.out) if roll.kind not in kinds]
    with multiprocessing.Pool(wishes.processes) as pool:
        done = kept + list(rolls(wishes.seed, wishes.scale, kinds, pool))
    done.sort(key=lambda roll: _ORDER.index(roll.kind))  # as when all are recorded at once
    write_rolls(wishes.out, done)
    dice = sum(roll.dice for roll in done)
    print(f"{len(done)} rolls of {dice} dice in {wishes.out.stat().st_size / 1000:.0f} kB: {wishes.out}")


if __name__ == "__main__":
    main()
