"""Outlines, contact sheet and clip: made from kept evidence, and read back."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.errors import EvidenceMissing, StoreFailed
from companion.evidence.pictures import AT_REST_BGR, CLIP_FPS, MOVING_BGR, clip_mp4, contact_sheet_png, decode, drawn
from tests.companion.evidence.made import die, frozen, image
from vision.tracking.happenings import DieState


def test_outlines_say_what_a_die_was_doing() -> None:
    plain = image(10)
    rest = drawn(plain, [die(4)])
    assert np.abs(rest[10, 22].astype(int) - AT_REST_BGR).max() < 40
    moving = drawn(plain, [die(None, state=DieState.ROLLING)])
    assert np.abs(moving[10, 22].astype(int) - MOVING_BGR).max() < 40
    assert (drawn(plain, [die(4)])[60:] == plain[60:]).all()
    assert (plain == image(10)).all()  # the picture itself is never drawn on


def test_the_clip_can_be_played_and_shows_every_frame(tmp_path: Path) -> None:
    made = frozen("m", 4, frames=8)
    path = tmp_path / "clip.mp4"
    path.write_bytes(clip_mp4(made.evidence, made.pictures))
    film = cv2.VideoCapture(str(path))
    assert film.get(cv2.CAP_PROP_FPS) == pytest.approx(CLIP_FPS)
    greys = []
    while True:
        there, shown = film.read()
        if not there:
            break
        greys.append(float(np.median(shown)))
    film.release()
    wanted = [float(np.median(decode(each))) for each in made.pictures]
    assert all(min(abs(grey - each) for grey in greys) <= 4 for each in wanted)
    assert len(greys) > 5 * len(wanted)


def test_a_build_without_films_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    class NoWriter:
        fourcc = cv2.VideoWriter.fourcc

        def __init__(self, *_: object) -> None: ...

        def isOpened(self) -> bool:  # noqa: N802
            return False

    monkeypatch.setattr(cv2, "VideoWriter", NoWriter)
    made = frozen("m", 4)
    with pytest.raises(StoreFailed, match="opencv-python-headless"):
        clip_mp4(made.evidence, made.pictures)


def test_the_contact_sheet_is_a_png_with_the_frozen_frame_large() -> None:
    made = frozen("m", 4, frames=30)
    data = contact_sheet_png(made.evidence, made.pictures, "Call of Ann — voce è 4")
    sheet = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    assert data.startswith(b"\x89PNG")
    assert sheet is not None
    assert sheet.shape[1] == 1280
    assert made.evidence.frozen is not None
    grey = float(np.median(decode(made.pictures[made.evidence.frozen])))
    assert abs(float(np.median(sheet[34 : 34 + 768])) - grey) <= 4


def test_without_pictures_there_is_nothing_to_make() -> None:
    made = frozen("m", 4)
    for make in (lambda: clip_mp4(made.evidence, ()), lambda: contact_sheet_png(made.evidence, (), "")):
        with pytest.raises(EvidenceMissing):
            make()
    with pytest.raises(EvidenceMissing):
        decode(b"no picture")
