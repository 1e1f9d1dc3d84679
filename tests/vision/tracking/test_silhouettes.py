"""A body of a die's colour is found in the picture, and so is the flat die that would cover it best."""

from __future__ import annotations

from math import dist

import numpy as np
import pytest

from device.simulated.bodies import LOOKS
from device.simulated.layout import DIE_MM
from tests.vision.tracking.leaning_scenes import SIZE_WH, Laid, Scene
from vision.tracking.camera import camera_over
from vision.tracking.silhouettes import Silhouette, silhouette_at

SURFACES = ("wood", "felt", "slate", "linen")
VIVID = ("red", "blue", "green", "yellow")


def pair(look: str, way_rad: float, tilt_deg: float = 0.0, apart_mm: float = 17.5) -> list[Laid]:
    """A die, and another of its set beside it, on which it leans."""
    c, s = float(np.cos(way_rad)), float(np.sin(way_rad))
    apart = apart_mm + (4.0 if tilt_deg else 0.0)
    return [
        Laid(look, 210.0, 110.0, way_rad + 0.1, 5, tilt_deg, way_rad),
        Laid(look, 210.0 + apart * c, 110.0 + apart * s, way_rad - 0.1, 4),
    ]


def found(scene: Scene, number: int = 0, *, look: str | None = None, beside: bool = True) -> Silhouette | None:
    """What is found where a die lies, when all others are read, or none of them."""
    x, y = scene.outlines[number].mean(axis=0)
    colour = np.median(scene.image[int(y) - 8 : int(y) + 9, int(x) - 8 : int(x) + 9].reshape(-1, 3), axis=0)
    if look is not None:
        colour = np.array(LOOKS[look].body_bgr)
    table = np.median(scene.image[int(y) - 60 : int(y) + 61, int(x) - 60 : int(x) + 61].reshape(-1, 3), axis=0)
    others = [np.array(each) for each in scene.around(number)] if beside else []
    camera = camera_over(scene.geometry, SIZE_WH)
    return silhouette_at(scene.image, (float(x), float(y)), colour.tolist(), table.tolist(), DIE_MM, camera, others)


@pytest.mark.parametrize("surface", SURFACES)
@pytest.mark.parametrize("look", VIVID)
def test_of_a_flat_die_beside_another_the_upper_face_is_found_though_nothing_is_read(surface: str, look: str) -> None:
    for way_rad in (0.4, 3.5):
        scene = Scene(pair(look, way_rad), surface)
        body = found(scene)
        assert body is not None
        side_px = float(np.linalg.norm(scene.outlines[0][0] - scene.outlines[0][1]))
        assert dist(body.face_px.mean(axis=0), scene.outlines[0].mean(axis=0)) < 0.2 * side_px
        assert body.overlap > 0.75
        assert 0.9 < body.faces < 1.7


def test_two_dice_of_one_colour_that_touch_and_are_both_unread_are_larger_than_one() -> None:
    scene = Scene(pair("red", 0.3, apart_mm=16.2), "wood")
    assert found(scene).faces < 1.8  # type: ignore[union-attr]
    assert found(scene, beside=False).faces > 1.8  # type: ignore[union-attr]


def test_nothing_is_found_of_another_colour_or_beside_the_picture() -> None:
    scene = Scene(pair("red", 0.3), "wood")
    other = found(scene, look="blue")
    assert other is None or other.faces < 0.5
    camera = camera_over(scene.geometry, SIZE_WH)
    assert silhouette_at(scene.image, (-500.0, 50.0), (0, 0, 200), (90, 120, 150), DIE_MM, camera) is None
