"""The camera's pose follows from the table's corners; what stands on the table is then where it is seen."""

from __future__ import annotations

import numpy as np
import pytest

from device.simulated.optics import PinholeCamera
from vision.geometry import TableGeometry
from vision.tracking.camera import Camera, camera_over

TABLE_MM = (660.0, 380.0)
CORNERS = np.array([(0, 0, 0), (660, 0, 0), (660, 380, 0), (0, 380, 0)], float)
DIE_TOPS = np.array([(x, y, 16) for x in (40, 330, 620) for y in (30, 190, 350)], float)
DOWN = np.array([1, 1, -1])
"""The simulated table's third axis points up, the camera's into the table."""


def seen(tilt_deg: float, barrel: float = 0.0) -> tuple[PinholeCamera, TableGeometry]:
    camera = PinholeCamera((1280, 720), (-22.0, -22.0, 682.0, 402.0), tilt_deg=tilt_deg, barrel=barrel)
    corners = camera.project(CORNERS)
    return camera, TableGeometry(TABLE_MM, tuple((float(x), float(y)) for x, y in corners))  # type: ignore[arg-type]


@pytest.mark.parametrize("tilt_deg", [4.0, 18.0, 35.0])
def test_eye_and_focal_length_are_those_of_the_true_camera(tilt_deg: float) -> None:
    true, geometry = seen(tilt_deg)
    found = camera_over(geometry, (1280, 720))
    assert found.focal_px == pytest.approx(true.focal_px, rel=0.01)
    assert found.eye * DOWN == pytest.approx(true.position_mm, abs=10)
    assert np.abs(found.project(DIE_TOPS * DOWN) - true.project(DIE_TOPS)).max() < 0.1


def test_a_lens_that_bows_lines_moves_dice_by_less_than_a_pixel() -> None:
    true, geometry = seen(18.0, barrel=-0.02)
    found = camera_over(geometry, (1280, 720))
    assert np.abs(found.project(DIE_TOPS * DOWN) - true.project(DIE_TOPS)).max() < 1.0


def test_straight_from_above_no_focal_length_follows_and_the_foot_still_does() -> None:
    true, geometry = seen(0.0)
    found = camera_over(geometry, (1280, 720))
    assert found.focal_px == pytest.approx(1.1 * 1280)
    assert found.eye[:2] == pytest.approx(true.position_mm[:2], abs=2)


def test_places_at_a_height_are_the_way_back_of_the_picture() -> None:
    _, geometry = seen(18.0)
    found = camera_over(geometry, (1280, 720))
    assert isinstance(found, Camera)
    pixels = found.project(DIE_TOPS * DOWN)
    assert found.at_height(pixels, 16.0) == pytest.approx(DIE_TOPS[:, :2])
    assert np.abs(found.at_height(pixels, 0.0) - DIE_TOPS[:, :2]).max() > 1.0, "on the table it would lie elsewhere"
