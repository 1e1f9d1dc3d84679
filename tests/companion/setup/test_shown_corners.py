"""A live table without corner markers, whose corners were shown in the set-up."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from companion.live.opening import Wanted
from companion.live.watcher import TableWatcher
from companion.settings import Corners
from device.clock import ManualClock
from device.frames import Frame
from device.simulated import TABLE_SIZE_MM
from tests.companion.helpers import SEATS, open_table
from vision.reader import NoDice, TableReader

SHOWN = Corners(at_px=((100, 50), (1180, 50), (1180, 670), (100, 670)), picture_wh=(1280, 720))


def stepped(tmp_path: Path, size_wh: tuple[int, int], corners: Corners | None) -> TableReader:
    """The reader of a watcher that saw two empty frames of this size."""
    clock = ManualClock()
    store, table = open_table(tmp_path, clock=clock, wanted=Wanted("lightning-dice", seats=SEATS))
    reader = TableReader(NoDice())
    with store, table:
        watcher = TableWatcher(
            table,
            lambda: pytest.fail("no camera is opened"),
            table_size_mm=TABLE_SIZE_MM,
            reader=reader,
            corners=corners,
        )
        for number in (1, 2):
            clock.advance(100_000_000)
            image = np.full((size_wh[1], size_wh[0], 3), 90, np.uint8)
            watcher.step(Frame(image, clock.now_ns(), number, "test"))
    return reader


@pytest.mark.parametrize(("size_wh", "scale"), [((1280, 720), 1.0), ((640, 360), 0.5)])
def test_places_are_told_from_the_corners_that_were_shown(
    size_wh: tuple[int, int], scale: float, tmp_path: Path
) -> None:
    geometry = stepped(tmp_path, size_wh, SHOWN).geometry
    assert geometry is not None
    assert geometry.to_mm([(1180 * scale, 670 * scale)])[0] == pytest.approx(TABLE_SIZE_MM)
    assert geometry.to_mm([(640 * scale, 360 * scale)])[0] == pytest.approx([330.0, 190.0])


def test_without_them_and_without_markers_no_place_is_known(tmp_path: Path) -> None:
    assert stepped(tmp_path, (640, 360), None).geometry is None
