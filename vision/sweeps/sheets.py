"""Contact sheets of the sweeps: what was rendered, and what was read in it."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.readings import DieReading
from vision.sweeps.catalogue import Step
from vision.sweeps.measure import judged
from vision.sweeps.scenes import Duty, Scene

__all__ = ["Sheets"]

_CELL_WH = (360, 280)
_ACROSS = 4
_DOWN = 6
_GOOD, _OPEN, _BAD = (60, 220, 60), (0, 170, 255), (40, 40, 255)


class Sheets:
    """Collects scenes with their readings and writes them as pictures into a folder, 24 to a sheet.

    Values that are right are green, refusals orange, values that are wrong or invented red, with the truth.
    """

    def __init__(self, folder: Path) -> None:
        """`folder` is made when it is missing."""
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._cells: list[NDArray[np.uint8]] = []
        self.written: list[Path] = []

    def add(self, sweep: str, step: Step, scene: Scene, readings: tuple[DieReading, ...]) -> None:
        """One more scene; a full sheet is written at once."""
        canvas = scene.image.copy()
        for duty, value, reading in judged(scene, readings):
            if reading is None:
                continue
            right = reading.value == value and duty not in (None, Duty.NO_VALUE)
            colour = _OPEN if reading.value is None else _GOOD if right else _BAD
            outline = np.round(np.array(reading.outline_px)).astype(np.int32)
            cv2.polylines(canvas, [outline], True, colour, 1, cv2.LINE_AA)
            told = str(reading.value) if reading.value is not None else str(reading.reason)
            if colour == _BAD:
                told += f" ({value or 'none'})"
            place = (int(outline[:, 0].max()), int(outline[:, 1].max()))
            cv2.putText(canvas, told, place, cv2.FONT_HERSHEY_SIMPLEX, 0.4, colour, 1, cv2.LINE_AA)
        cell = np.asarray(cv2.resize(canvas, _CELL_WH, interpolation=cv2.INTER_AREA), np.uint8)
        for colour, thick in (((0, 0, 0), 3), ((255, 255, 255), 1)):
            cv2.putText(
                cell, f"{sweep}: {step.name}", (6, 15), cv2.FONT_HERSHEY_SIMPLEX, 0.45, colour, thick, cv2.LINE_AA
            )
        self._cells.append(cell)
        if len(self._cells) == _ACROSS * _DOWN:
            self.finish()

    def finish(self) -> None:
        """Write what is left."""
        if not self._cells:
            return
        cells = self._cells + [np.zeros_like(self._cells[0])] * (-len(self._cells) % _ACROSS)
        rows = [np.hstack(cells[i : i + _ACROSS]) for i in range(0, len(cells), _ACROSS)]
        path = self._folder / f"sweeps-{len(self.written) + 1:02}.jpg"
        cv2.imwrite(str(path), np.vstack(rows))
        self.written.append(path)
        self._cells = []
