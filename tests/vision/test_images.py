from __future__ import annotations

import numpy as np
import pytest

from vision.errors import BadImage, VisionError
from vision.images import checked_bgr, checked_grey


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        pytest.param(None, "NoneType", id="unread-file"),
        pytest.param([[0, 0], [0, 0]], "list", id="list"),
        pytest.param(np.zeros((0, 0, 3), np.uint8), "(0, 0, 3)", id="empty"),
        pytest.param(np.zeros((40, 40, 4), np.uint8), "alpha", id="alpha-channel"),
        pytest.param(np.zeros((40, 40, 2), np.uint8), "(40, 40, 2)", id="two-channels"),
        pytest.param(np.zeros((2, 40, 40, 3), np.uint8), "(2, 40, 40, 3)", id="batch"),
        pytest.param(np.zeros((40, 40, 3), np.float32), "float32", id="float"),
        pytest.param(np.zeros((40, 40, 3), np.uint16), "uint16", id="16-bit"),
        pytest.param(np.zeros((15, 40, 3), np.uint8), "at least 16", id="too-small"),
        pytest.param(np.uint8(3), "uint8", id="scalar"),
    ],
)
def test_what_is_no_image_is_refused_with_both_shapes(wrong: object, told: str) -> None:
    for gate in (checked_bgr, checked_grey):
        with pytest.raises(BadImage) as caught:
            gate(wrong)
        assert told in str(caught.value)
        assert "expected" in str(caught.value)
        assert isinstance(caught.value, ValueError)
        assert isinstance(caught.value, VisionError)


def test_grey_images_and_views_are_taken() -> None:
    grey = np.full((20, 30), 7, np.uint8)
    assert checked_bgr(grey).shape == (20, 30, 3)
    assert checked_bgr(grey[:, :, None]).shape == (20, 30, 3)
    colour = np.zeros((40, 60, 3), np.uint8)
    assert checked_bgr(colour[::2, ::2]).flags["C_CONTIGUOUS"]
    assert checked_grey(colour).shape == (40, 60)
    assert checked_bgr(colour) is colour
