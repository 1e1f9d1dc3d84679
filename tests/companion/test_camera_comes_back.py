"""A Raspberry Pi's camera that hangs, at a live table: the match goes on with typed dice, and the camera comes back."""

from __future__ import annotations

import contextlib
import threading
from pathlib import Path
from typing import Any

import pytest

from companion.live import watcher
from companion.live.watcher import TableWatcher
from device.cameras.pi import PiCamera
from device.clock import SystemClock
from rules.lightning_dice.events import Flip, Roll
from rules.rulings import Verdict
from tests.companion.helpers import declared, open_table, set_up_events
from tests.device.fakes import PiWorld, picture
from vision.reader import NoDice, TableReader

WAIT_S = 20


class Told:
    """What the table publishes of its camera, waited for."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._state = ""

    def __call__(self, topic: str, data: dict[str, Any], seq: int | None = None) -> None:
        if "camera" in data:
            with self._changed:
                self._state = data["camera"]["state"]
                self._changed.notify_all()

    def is_now(self, state: str, timeout_s: float = WAIT_S) -> bool:
        with self._changed:
            return self._changed.wait_for(lambda: self._state == state, timeout_s)


def test_the_match_goes_on_while_the_camera_hangs_and_it_is_opened_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watcher, "FRAME_TIMEOUT_S", 0.2)
    world, told = PiWorld(), Told()

    def opened() -> PiCamera:
        camera = PiCamera(
            SystemClock(), import_picamera2=lambda: world.make, size_wh=(64, 48), hang_s=0.1, retry_s=0.01
        )
        camera.open()
        return camera

    def frames_until_watching() -> None:
        for _ in range(200):
            with contextlib.suppress(AssertionError, IndexError):  # nobody asks while it is being opened
                world.emit(picture(), {})
            if told.is_now("watching", 0.02):
                return
        raise AssertionError("the camera did not come back")

    store, table = open_table(tmp_path, publish=told)
    with store, table:
        size_mm = table.interpreter.table_size_mm
        TableWatcher(table, opened, table_size_mm=size_mm, reader=TableReader(NoDice())).start()
        frames_until_watching()
        first = len(world.cameras)
        assert told.is_now("lost"), "no frame comes any more"
        typed = (*set_up_events(), Flip("g01"), Roll(1, (1, 1, 2, 2, 3, 3), thrown=tuple(range(6))))
        verdicts = [table.submit(declared(event)).rulings[0].verdict for event in typed]
        assert verdicts == [Verdict.ACCEPTED] * len(typed)
        assert table.view()["camera"]["problem"]
        frames_until_watching()
        assert len(world.cameras) > first, "it was opened anew"
        assert world.cameras[0].closed
