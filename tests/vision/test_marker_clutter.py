"""No picture without a marker of ours gives one.

Some pictures are looked at always; FOREIGN_MARKER_FRAMES=10000 in the environment asks for as many as the goal names
(about six minutes on one idle core).
"""

from __future__ import annotations

import os

import numpy as np
import pytest

from tests.vision.marker_clutter import FOREIGN, SIZE_PX, cluttered, foreign_marker
from vision.markers import MarkerReader, marker_image

FRAMES = int(os.environ.get("FOREIGN_MARKER_FRAMES", "80"))


def test_clutter_gives_no_marker() -> None:
    reader = MarkerReader()
    invented = {seed: read for seed in range(FRAMES) if (read := reader.read(cluttered(seed)))}
    assert not invented


def test_a_marker_of_ours_is_read_amid_the_clutter() -> None:
    """The pictures would not tell anything if the reader saw nothing in them."""
    reader = MarkerReader()
    read = 0
    for seed in range(12):
        image = cluttered(seed)
        image[150:260, 150:260] = marker_image(seed, 110)[:, :, None]
        read += [marker.id for marker in reader.read(image)] == [seed]
    assert read == 12


@pytest.mark.parametrize("kind", FOREIGN)
def test_markers_of_other_dictionaries_are_not_read(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.vision.marker_clutter.FOREIGN", {kind: FOREIGN[kind]})
    rng = np.random.default_rng(4)
    reader = MarkerReader()
    for _ in range(6):
        image = np.full((SIZE_PX, SIZE_PX), 200, np.uint8)
        for x in range(10, SIZE_PX - 90, 100):
            for y in range(10, SIZE_PX - 90, 100):
                image[y : y + 80, x : x + 80] = foreign_marker(rng, 80)
        assert reader.read(image) == ()
