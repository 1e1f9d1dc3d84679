"""The reader on real photographs that lie beside the repository and are never part of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from vision.dice import DiceReader
from vision.evaluation import evaluate

FOLDER = Path(__file__).parents[3] / "shared" / "dice"

EVERY = 5
LEAST_RIGHT_PERCENT = 90.0
MOST_WRONG_PERCENT = 0.5


def test_honest_floors_on_photographs_never_learned_from() -> None:
    """Every fifth photograph of the sources that only test, and of those without dice."""
    if not (FOLDER / "labels.json").exists():
        pytest.skip(f"NOT TESTED on real photographs: none of the 695 in {FOLDER}")
    labels = json.loads((FOLDER / "labels.json").read_text())
    chosen = {e["image"] for e in [e for e in labels if not e["learn"]][::EVERY]}
    chosen |= {e["image"] for e in json.loads((FOLDER / "negatives.json").read_text())[::EVERY]}
    report = evaluate(FOLDER, reader=DiceReader(), only=lambda entry: entry["image"] in chosen)
    total = report.all
    assert total.dice > 100
    assert total.share("right") >= LEAST_RIGHT_PERCENT, f"\n{report}"
    assert total.share("wrong") <= MOST_WRONG_PERCENT, f"\n{report}"
