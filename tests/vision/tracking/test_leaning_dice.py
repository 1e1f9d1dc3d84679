"""How well dice that lean are told, read by the shipped reader on tables that no network has seen.

LEANING_TABLES=30 looks at so many times four pictures rather than four; about three seconds each.
"""

from __future__ import annotations

import os

import numpy as np
import pytest

from tests.vision.tracking.leaning_dice import leaning_dice, playing_dice
from vision.reader import TableReader
from vision.tracking.flat import LEANS_FROM
from vision.tracking.leaning import leaning_chances

FIRST_SEED = 9_000_000
"""Far from those that were learned from; see vision/weights/MODEL_CARD.md."""
TABLES = int(os.environ.get("LEANING_TABLES", "1"))
SLIGHT_DEG = 16.0
"""Dice that lean by less count neither way."""
MOST_SURPRISE = 0.1
"""Cross entropy of the chances, in nats: weights that had seen no crowds had 0.15 in them."""


@pytest.mark.parametrize("crowds", [False, True], ids=["here and there", "in crowds that touch"])
def test_leaning_dice_of_any_pose_are_told_and_flat_ones_left_alone(crowds: bool) -> None:
    reader = TableReader()
    examples = [
        each
        for seed in range(FIRST_SEED, FIRST_SEED + TABLES)
        for each in leaning_dice(np.random.default_rng([seed, 71]), reader, crowds=crowds)
    ]
    chances = leaning_chances(np.stack([each.maps for each in examples]))
    called = chances >= LEANS_FROM
    tilts_deg = np.array([each.tilt_deg for each in examples])
    leaning, flat = tilts_deg > SLIGHT_DEG, tilts_deg == 0
    assert leaning.sum() > 30
    assert flat.sum() > 90
    found, wrongly = int(called[leaning].sum()), int(called[flat].sum())
    print(f"{found} of {leaning.sum()} that lean, {wrongly} of {flat.sum()} that lie flat")
    assert found >= (0.8 if crowds else 0.85) * leaning.sum()
    assert wrongly <= max(1, 0.005 * flat.sum())
    surprise = -np.log(np.clip(np.where(leaning, chances, 1 - chances), 1e-9, 1))[leaning | flat].mean()
    print(f"cross entropy {surprise:.3f}")
    assert surprise < MOST_SURPRISE


@pytest.mark.skipif("LEANING_TABLES" not in os.environ, reason="slow: set LEANING_TABLES")
def test_dice_at_rest_in_plays_are_told() -> None:
    reader = TableReader()
    examples = [each for n in range(TABLES) for each in playing_dice(FIRST_SEED + n, reader)]
    called = leaning_chances(np.stack([each.maps for each in examples])) >= LEANS_FROM
    leaning = np.array([each.tilt_deg > 0 for each in examples])
    found, wrongly = int(called[leaning].sum()), int(called[~leaning].sum())
    print(f"{found} of {leaning.sum()} that lean, {wrongly} of {(~leaning).sum()} that lie flat")
    assert found >= 0.9 * leaning.sum()
    assert wrongly <= max(1, 0.005 * (~leaning).sum())
