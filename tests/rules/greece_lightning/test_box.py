"""The box for tests is one that the checker finds nothing wrong with."""

from __future__ import annotations

from rules.greece_lightning.check import check_pack
from rules.packs import Severity
from tests.rules.greece_lightning.box import STACK, box


def test_the_box_for_tests_can_be_played_with() -> None:
    assert len(STACK) == 16
    assert [each for each in check_pack(box()) if each.severity is not Severity.ASSUMED] == []
