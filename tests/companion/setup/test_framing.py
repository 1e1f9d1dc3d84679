"""Help to frame the table: the right advice for a camera that stands wrong, and people who follow it get there."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.settings import CameraSettings, TableSettings
from companion.setup.framing import Advice, FrameView, framing_advice
from companion.setup.seeing import CHANGE_S, REPEAT_S, STEADY_S, Framing, frame_table, frame_view
from companion.setup.talk import Script
from device.clock import ManualClock
from device.frames import Frame
from tests.companion.setup.table import Mast, MastCamera, Voice, good_picture, session

CAMERA = TableSettings(camera=CameraSettings(spec="usb:0"))


def advice_for(image: np.ndarray) -> Advice:
    view, _ = frame_view(Frame(image, 0, 1, "test"), (660.0, 380.0))
    return framing_advice(view)


def covered(image: np.ndarray, corner: int) -> np.ndarray:
    """The picture with a grey cup on one corner marker."""
    _, markers = frame_view(Frame(image, 0, 1, "test"), (660.0, 380.0))
    (marker,) = (each for each in markers if each.id == 240 + corner)
    image = image.copy()
    cv2.circle(image, tuple(round(v) for v in marker.centre_px), 40, (90, 90, 90), -1)
    return image


@pytest.mark.parametrize(
    ("mast", "code"),
    [
        (Mast(), "good"),
        (Mast(right_cm=9), "move-left"),
        (Mast(right_cm=-9), "move-right"),
        (Mast(near_cm=9), "move-far"),
        (Mast(near_cm=-9), "move-near"),
        (Mast(right_cm=40), "move-left"),  # only the right side is in view
        (Mast(near_cm=-22), "move-near"),  # only the far side
        (Mast(height=0.9), "higher"),
        (Mast(height=1.6), "lower"),
        (Mast(turned_deg=180), "upside-down"),
        (Mast(turned_deg=90, height=2.0), "turned"),
        (Mast(right_cm=80), "nothing"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_said_of_a_camera_that_stands_there(mast: Mast, code: str) -> None:
    assert advice_for(mast.seen(good_picture())).code == code


def test_how_far_is_said_too_and_is_about_right() -> None:
    for wrong_cm in (5, 9, 14):
        told = dict(advice_for(Mast(right_cm=wrong_cm).seen(good_picture())).facts)["cm"]
        assert wrong_cm - 5 <= told <= wrong_cm + 3


def test_a_mirrored_picture_is_told() -> None:
    """A mirrored marker is no marker, so it is the order of corners that tells: laid out the wrong way round."""
    place = {240: (100.0, 100.0), 241: (1100.0, 100.0), 242: (100.0, 600.0), 243: (1100.0, 600.0)}
    outlines = {
        each: ((x - 20, y - 20), (x + 20, y - 20), (x + 20, y + 20), (x - 20, y + 20)) for each, (x, y) in place.items()
    }
    assert framing_advice(FrameView((1280, 720), outlines, 120.0)).code == "mirrored"


@pytest.mark.parametrize(("corner", "where"), list(enumerate(["far-left", "far-right", "near-right", "near-left"])))
def test_a_covered_marker_is_named(corner: int, where: str) -> None:
    assert advice_for(covered(good_picture(), corner)) == Advice("covered", (("where", where),))


def test_the_dark_and_glare_are_told() -> None:
    assert advice_for((good_picture() * 0.1).astype(np.uint8)).code == "dark"
    image = good_picture().copy()
    cv2.ellipse(image, (960, 200), (70, 40), 0, 0, 360, (255, 255, 255), -1)
    assert advice_for(image) == Advice("glare", (("where", "far-right"),))


def test_a_camera_that_looks_from_the_side_is_told() -> None:
    corners = ((450.0, 120.0), (830.0, 120.0), (1230.0, 660.0), (50.0, 660.0))
    outlines = {
        240 + i: ((x - 9, y - 9), (x + 9, y - 9), (x + 9, y + 9), (x - 9, y + 9)) for i, (x, y) in enumerate(corners)
    }
    assert framing_advice(FrameView((1280, 720), outlines, 120.0)).code == "steeper"


def test_advice_waits_until_it_stays_repeats_and_is_done_when_good_for_long() -> None:
    framing = Framing()
    left, right, good = Advice("move-left"), Advice("move-right"), Advice("good")
    assert framing.hear(left, 0.0) is None
    assert framing.hear(right, 0.5) is None  # flickers
    assert framing.hear(left, 1.0) is None
    assert framing.hear(left, 1.0 + CHANGE_S) == left
    assert framing.hear(left, 3.0) is None
    assert framing.hear(left, 1.1 + CHANGE_S + REPEAT_S) == left
    assert framing.hear(good, 10.0) is None
    assert not framing.done
    framing.hear(left, 10.5)
    framing.hear(good, 11.0)
    framing.hear(good, 11.0 + STEADY_S)
    assert framing.done


@pytest.mark.parametrize(
    "mast",
    [
        Mast(right_cm=10, near_cm=-6),
        Mast(right_cm=-35),
        Mast(height=0.75, right_cm=4),
        Mast(height=1.7),
        Mast(turned_deg=180),
    ],
    ids=["off twice", "far off", "low", "high", "upside down"],
)
def test_by_ear_alone_the_table_is_framed_within_a_minute(mast: Mast, tmp_path: Path) -> None:
    clock = ManualClock()
    voice = Voice(clock, mast.obey)
    camera = MastCamera(clock, lambda: mast.seen(good_picture()))
    made, _ = session(tmp_path, lambda spec, locked: camera, clock=clock, voice=voice, settings=CAMERA)
    began_ns = clock.now_ns()
    assert frame_table(made)
    assert voice.said[-1] == "Good: the whole table is in view. Fix the camera."
    assert (clock.now_ns() - began_ns) / 1e9 < 60
    assert camera.closed


def test_a_table_without_markers_is_shown_by_a_die(tmp_path: Path) -> None:
    """Corner after corner is asked for; a person lays the die there, and the corners kept are where it lay."""
    clock = ManualClock()
    places = {"far left": (200, 120), "far right": (1050, 130), "near right": (1150, 600), "near left": (100, 590)}
    bare = np.full((720, 1280, 3), (70, 95, 120), np.uint8)
    at: list[tuple[int, int]] = []

    def hears(text: str) -> None:
        for name, place in places.items():
            if text == f"Lay one die on the corner {name}.":
                at[:] = [place]

    def picture() -> np.ndarray:
        return with_die(bare, *at[0]) if at else bare

    voice = Voice(clock, hears)
    camera = MastCamera(clock, picture)
    made, shown = session(
        tmp_path, lambda spec, locked: camera, clock=clock, voice=voice, settings=CAMERA, typed=Now("d")
    )
    assert frame_table(made), shown
    corners = made.settings.corners
    assert corners is not None
    assert corners.picture_wh == (1280, 720)
    for (x, y), (wanted_x, wanted_y) in zip(corners.at_px, places.values(), strict=True):
        assert abs(x - wanted_x) < 8
        assert abs(y - wanted_y) < 8


class Now(Script):
    """A line that is there at once, not only for those who wait."""

    def line(self, timeout_s: float) -> str | None:
        return super().line(1.0)


def with_die(image: np.ndarray, x: int, y: int) -> np.ndarray:
    """A red die with three pips, 44 px wide, drawn on a picture."""
    image = image.copy()
    cv2.rectangle(image, (x - 20, y - 20), (x + 24, y + 24), (30, 40, 60), -1)
    cv2.rectangle(image, (x - 22, y - 22), (x + 22, y + 22), (40, 40, 190), -1)
    for offset in (-12, 0, 12):
        cv2.circle(image, (x + offset, y + offset), 4, (235, 235, 235), -1, cv2.LINE_AA)
    return cv2.GaussianBlur(image, (0, 0), 0.8)


def test_without_markers_the_other_way_is_offered_and_the_step_can_be_left(tmp_path: Path) -> None:
    clock = ManualClock()
    bare = np.full((180, 320, 3), (70, 95, 120), np.uint8)
    camera = MastCamera(clock, lambda: bare, period_s=1.0)
    made, shown = session(tmp_path, lambda spec, locked: camera, clock=clock, settings=CAMERA, step_limit_s=40.0)
    assert not frame_table(made)
    assert any("show me the corners with a die" in text for text in shown)
    assert shown[-1] == "The framing is left as it is."
