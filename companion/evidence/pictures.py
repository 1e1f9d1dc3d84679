"""Evidence as pictures: outlines and values over a frame, a contact sheet, a clip that films play."""

from __future__ import annotations

import tempfile
import unicodedata
from collections.abc import Sequence
from math import ceil
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from companion.errors import EvidenceMissing, StoreFailed
from companion.evidence.records import DieThen, Evidence, FrameKept
from vision.images import Image
from vision.tracking.happenings import DieState

__all__ = ["clip_mp4", "contact_sheet_png", "decode", "drawn"]

AT_REST_BGR: Final = (40, 220, 40)
DOUBTFUL_BGR: Final = (0, 140, 255)
MOVING_BGR: Final = (255, 170, 0)
PIP_BGR: Final = (255, 0, 255)
PAPER_BGR: Final = (245, 245, 245)
INK_BGR: Final = (25, 25, 25)
FROZEN_BGR: Final = (0, 0, 210)

SHEET_WIDTH_PX: Final = 1280
SHEET_COLUMNS: Final = 4
SHEET_FRAMES: Final = 12
CAPTION_PX: Final = 26
TITLE_PX: Final = 34

CLIP_FPS: Final = 30.0
SLOW: Final = 4
"""After the clip at its own speed comes the same so many times slower."""
HELD_S: Final = 1.0
"""The frozen frame is held so long in the slow part."""


def decode(jpeg: bytes) -> Image:
    """A kept picture as (H, W, 3) uint8 BGR.

    Raises:
        EvidenceMissing: it is damaged.
    """
    image = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR) if jpeg else None
    if image is None:
        raise EvidenceMissing("A kept picture is damaged and cannot be shown.")
    return np.asarray(image, np.uint8)


def drawn(image_bgr: Image, dice: Sequence[DieThen]) -> Image:
    """A copy of the picture with the dice drawn on it.

    Green outlines are dice at rest with the value that counts, orange ones lie without one, blue ones move and count
    for nothing; dots are the pips that were read.
    """
    canvas = image_bgr.copy()
    unit = max(1, round(max(canvas.shape[:2]) / 900))
    for die in dice:
        if not die.outline_px:
            continue
        outline = np.round(np.asarray(die.outline_px)).astype(np.int32).reshape(-1, 1, 2)
        colour = _colour(die)
        cv2.polylines(canvas, [outline], True, (0, 0, 0), unit + 2, cv2.LINE_AA)
        cv2.polylines(canvas, [outline], True, colour, unit, cv2.LINE_AA)
        if die.value is None:
            continue
        for x, y in die.pips_px:
            cv2.circle(canvas, (round(x), round(y)), unit + 1, PIP_BGR, -1, cv2.LINE_AA)
        left, top = outline.reshape(-1, 2).min(axis=0)
        _text(canvas, str(die.value), (int(left), int(top) - 4), 0.55 * unit, colour, outlined=True)
    return canvas


def contact_sheet_png(evidence: Evidence, pictures: Sequence[bytes], title: str) -> bytes:
    """A PNG with the frozen frame large and the frames around it small, each with its time.

    `pictures` are the kept JPEGs in the order of `evidence.frames`.

    Raises:
        EvidenceMissing: there is no picture in this evidence.
    """
    if not pictures:
        raise EvidenceMissing("No picture was kept, so there is no contact sheet; the record says why.")
    main = evidence.frozen if evidence.frozen is not None else len(pictures) - 1
    parts = [_strip(SHEET_WIDTH_PX, TITLE_PX, title, 0.7)]
    large = _fitted(_shown(evidence, pictures, main), SHEET_WIDTH_PX)
    parts += [large, _strip(SHEET_WIDTH_PX, CAPTION_PX, _caption(evidence, main), 0.55)]
    numbers = _evenly(len(pictures), SHEET_FRAMES, main)
    width = SHEET_WIDTH_PX // SHEET_COLUMNS
    cells = []
    for number in numbers:
        small = _fitted(_shown(evidence, pictures, number), width)
        if number == evidence.frozen:
            cv2.rectangle(small, (1, 1), (small.shape[1] - 2, small.shape[0] - 2), FROZEN_BGR, 3)
        cells.append(np.vstack([small, _strip(width, CAPTION_PX, _time(evidence.frames[number]), 0.5)]))
    blank = np.full_like(cells[0], PAPER_BGR[0])
    cells += [blank] * (-len(cells) % SHEET_COLUMNS)
    for row in range(ceil(len(cells) / SHEET_COLUMNS)):
        parts.append(np.hstack(cells[row * SHEET_COLUMNS : (row + 1) * SHEET_COLUMNS]))
    done, data = cv2.imencode(".png", np.vstack(parts), [cv2.IMWRITE_PNG_COMPRESSION, 6])
    if not done:
        raise EvidenceMissing("The contact sheet could not be made; its pictures are too large.")
    return data.tobytes()


def clip_mp4(evidence: Evidence, pictures: Sequence[bytes]) -> bytes:
    """The frames as a film: first at their own speed, then slowly, with the frozen frame held.

    It is read back before it is given, so it can be played wherever OpenCV can play it.

    Raises:
        EvidenceMissing: there is no picture in this evidence.
        StoreFailed: this build of OpenCV writes no MP4; the message says what to install.
    """
    if not pictures:
        raise EvidenceMissing("No picture was kept, so there is no clip; the record says why.")
    images = [_stamped(evidence, pictures, number) for number in range(len(pictures))]
    height, width = (side // 2 * 2 for side in images[0].shape[:2])  # the codec wants even sides
    order = _order(evidence)
    with tempfile.TemporaryDirectory(prefix="companion-clip-") as folder:
        path = Path(folder) / "clip.mp4"
        writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), CLIP_FPS, (width, height))
        if not writer.isOpened():
            raise StoreFailed(
                "No MP4 can be written: this OpenCV was built without FFmpeg. Expected the package "
                "opencv-python-headless from PyPI; install it, or take the contact sheet or the pictures instead."
            )
        for number in order:
            writer.write(np.ascontiguousarray(images[number][:height, :width]))
        writer.release()
        if _frames_of(path) != len(order):
            raise StoreFailed("The clip that was written cannot be read back; take the contact sheet instead.")
        return path.read_bytes()


def _order(evidence: Evidence) -> list[int]:
    """Number of the kept frame that each frame of the film shows."""
    times = [frame.exposure_start_ns for frame in evidence.frames]
    first, last = times[0], times[-1]
    step = 1e9 / CLIP_FPS
    order = [_at(times, first + n * step) for n in range(int((last - first) / step) + 1)]
    for n in range(int((last - first) * SLOW / step) + 1):
        order.append(_at(times, first + n * step / SLOW))
    if evidence.frozen is not None:
        place = len(order) - 1 - order[::-1].index(evidence.frozen) if evidence.frozen in order else len(order) - 1
        order[place:place] = [evidence.frozen] * round(HELD_S * CLIP_FPS)
    return order + [len(times) - 1] * round(HELD_S * CLIP_FPS / 2)


def _at(times: Sequence[int], at_ns: float) -> int:
    """The newest frame that was exposed by then."""
    return max(0, int(np.searchsorted(np.asarray(times, np.float64), at_ns + 1, side="right")) - 1)


def _frames_of(path: Path) -> int:
    film = cv2.VideoCapture(str(path))
    count = 0
    while film.read()[0]:
        count += 1
    film.release()
    return count


def _shown(evidence: Evidence, pictures: Sequence[bytes], number: int) -> Image:
    dice = evidence.dice if number == evidence.frozen else evidence.frames[number].dice
    return drawn(decode(pictures[number]), dice)


def _stamped(evidence: Evidence, pictures: Sequence[bytes], number: int) -> Image:
    image = _shown(evidence, pictures, number)
    frozen = number == evidence.frozen
    _text(image, _time(evidence.frames[number]), (12, 30), 0.8, FROZEN_BGR if frozen else PAPER_BGR, outlined=True)
    if frozen:
        cv2.rectangle(image, (2, 2), (image.shape[1] - 3, image.shape[0] - 3), FROZEN_BGR, 4)
    return image


def _caption(evidence: Evidence, number: int) -> str:
    presses = ", ".join(
        f"{press.seat}: {press.after_ns / 1e6:+.1f} ms" for press in evidence.presses if press.ruled_on and press.seat
    )
    return f"{_time(evidence.frames[number])}   {presses}"


def _time(frame: FrameKept) -> str:
    return f"{frame.after_ns / 1e6:+.1f} ms"


def _colour(die: DieThen) -> tuple[int, int, int]:
    if die.state in (DieState.ROLLING, DieState.IN_HAND, DieState.OFF_TABLE):
        return MOVING_BGR
    return AT_REST_BGR if die.value is not None else DOUBTFUL_BGR


def _evenly(count: int, most: int, always: int) -> list[int]:
    if count <= most:
        return list(range(count))
    chosen = {round(n * (count - 1) / (most - 1)) for n in range(most)}
    if always not in chosen:
        chosen.remove(min(chosen, key=lambda each: abs(each - always)))
        chosen.add(always)
    return sorted(chosen)


def _fitted(image: Image, width: int) -> Image:
    height = round(image.shape[0] * width / image.shape[1])
    return np.asarray(cv2.resize(image, (width, height), interpolation=cv2.INTER_AREA), np.uint8)


def _strip(width: int, height: int, text: str, scale: float) -> Image:
    strip = np.full((height, width, 3), PAPER_BGR, np.uint8)
    _text(strip, text, (8, height - 9), scale, INK_BGR)
    return strip


def _text(
    image: Image,
    text: str,
    at: tuple[int, int],
    scale: float,
    colour: tuple[int, int, int],
    *,
    outlined: bool = False,
) -> None:
    """OpenCV writes plain letters only: accents are left off."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    where = (max(0, at[0]), max(12, at[1]))
    if outlined:
        cv2.putText(image, plain, where, cv2.FONT_HERSHEY_SIMPLEX, scale, (0, 0, 0), 4, cv2.LINE_AA)
    cv2.putText(image, plain, where, cv2.FONT_HERSHEY_SIMPLEX, scale, colour, 1 if scale < 0.7 else 2, cv2.LINE_AA)
