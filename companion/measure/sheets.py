"""A contact sheet for every failure: the frames around it, with what was told drawn over what was true."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.measure.failures import Failure
from companion.measure.pairing import side_px
from companion.measure.told import Die, Shot, Told, Watching
from device.simulated.play.truth import TrueDie
from vision.gallery import GalleryNotWritten
from vision.images import Image
from vision.readings import Point
from vision.tracking.happenings import DieState

__all__ = ["MOST_PER_KIND", "draw_sheet", "prepare", "write_index", "write_sheets"]

MOST_PER_KIND = 4
"""Sheets of one kind of failure that one play gets at most."""
COLUMNS, ROWS = 5, 2
TILE_PX = 250
_SIDES = 9.0
"""Side of what is shown, in sides of a die."""
_BEFORE_NS, _AFTER_NS = 300_000_000, 200_000_000
_LONGEST_NS = 2_500_000_000
_MARK = "play-"
_INDEX = "index.html"
_TRUE_BGR = (255, 200, 0)
_STATE_BGR = {
    DieState.ROLLING: (0, 200, 255),
    DieState.SETTLED: (40, 220, 40),
    DieState.COCKED: (0, 100, 255),
    DieState.COVERED: (220, 120, 220),
    DieState.IN_HAND: (200, 200, 200),
    DieState.OFF_TABLE: (120, 120, 120),
}


def prepare(folder: Path) -> None:
    """Make the folder, or clear earlier sheets out of it. Raises GalleryNotWritten when it holds other things."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        there = list(folder.iterdir())
        if any(not each.name.startswith(_MARK) and each.name != _INDEX for each in there):
            raise GalleryNotWritten(f"{folder} holds other things: name a folder that is empty or not there yet.")
        for each in there:
            each.unlink()
    except OSError as error:
        if isinstance(error, GalleryNotWritten):
            raise
        raise GalleryNotWritten(f"The sheets cannot be written to {folder} ({error.strerror}).") from error


def write_sheets(
    failures: Sequence[Failure], watching: Watching, pictures: Mapping[int, Image], folder: Path, number: int
) -> dict[str, list[str]]:
    """Write the sheets of one play, the `number`th; gives names of files by kind of failure.

    `pictures` holds the (H, W, 3) uint8 BGR picture of each shot that is needed, by `at_ns` (see `wanted`).
    """
    written: dict[str, list[str]] = {}
    for failure in chosen(failures):
        sheet = draw_sheet(failure, watching, pictures)
        names = written.setdefault(failure.kind, [])
        name = f"{_MARK}{number:04}-{_slug(failure.kind)}-{len(names) + 1}.png"
        good, data = cv2.imencode(".png", sheet)
        if not good:
            raise GalleryNotWritten("OpenCV cannot write PNG files here: the sheets need them.")
        (folder / name).write_bytes(data.tobytes())
        names.append(name)
    return written


def chosen(failures: Sequence[Failure]) -> list[Failure]:
    """The failures that get a sheet: the first few of each kind."""
    counts: dict[str, int] = {}
    found = []
    for failure in failures:
        counts[failure.kind] = counts.get(failure.kind, 0) + 1
        if counts[failure.kind] <= MOST_PER_KIND:
            found.append(failure)
    return found


def wanted(failure: Failure, watching: Watching) -> list[Shot]:
    """The shots that its sheet shows: from before it began until after it was told, evenly spaced."""
    until_ns = failure.at_ns + _AFTER_NS
    from_ns = max(min(failure.from_ns, failure.at_ns) - _BEFORE_NS, until_ns - _LONGEST_NS)
    within = [shot for shot in watching.shots if from_ns <= shot.at_ns <= until_ns]
    many = COLUMNS * ROWS
    if len(within) <= many:
        return within
    picked = {round(k * (len(within) - 1) / (many - 1)) for k in range(many)}
    return [within[k] for k in sorted(picked)]


def draw_sheet(failure: Failure, watching: Watching, pictures: Mapping[int, Image]) -> Image:
    """The (H, W, 3) uint8 BGR sheet of one failure."""
    shots = wanted(failure, watching)
    tiles = [_tile(failure, shot, pictures[shot.at_ns], shots) for shot in shots if shot.at_ns in pictures]
    rows = max(1, -(-len(tiles) // COLUMNS))
    head = 46
    sheet = np.full((head + rows * (TILE_PX + 4), COLUMNS * (TILE_PX + 4), 3), 24, np.uint8)
    who = "no die" if failure.die is None else f"seat {failure.die[0]} die {failure.die[1] + 1}"
    _write(sheet, f"{failure.kind}: {failure.said}", (6, 18), 0.5, (255, 255, 255))
    _write(sheet, f"{watching.name}, {who}, track {failure.track}, {failure.at_ns / 1e9:.3f} s", (6, 37), 0.42, _GREY)
    for index, tile in enumerate(tiles):
        y, x = head + index // COLUMNS * (TILE_PX + 4), index % COLUMNS * (TILE_PX + 4)
        sheet[y : y + TILE_PX, x : x + TILE_PX] = tile
    return sheet


_GREY = (190, 190, 190)


def write_index(folder: Path, sheets: Mapping[str, Sequence[str]], counts: Mapping[str, int], report: str) -> Path:
    """The page over all sheets, by kind of failure, the commonest first."""
    sections = "".join(
        f'<h2 id="{_slug(kind)}">{escape(kind)}: {count}</h2>'
        + "".join(f'<img loading="lazy" src="{escape(name)}" alt="{escape(kind)}">' for name in sheets.get(kind, ()))
        for kind, count in counts.items()
    )
    path = folder / _INDEX
    try:
        path.write_text(
            '<!doctype html><html lang="en"><meta charset="utf-8"><title>What was told wrongly</title><style>'
            "body{font:15px system-ui,sans-serif;background:#111;color:#eee;margin:1.5rem}img{display:block;"
            "max-width:100%;margin:.5rem 0}</style><h1>What was told wrongly or not at all</h1><p>Light blue: the true "
            "upper face of the die in question. Green: told settled, yellow: rolling, orange: cocked, violet: covered, "
            f"grey: in hand or off the table.</p><pre>{escape(report)}</pre>{sections}</html>\n",
            encoding="utf-8",
        )
    except OSError as error:
        raise GalleryNotWritten(f"{path} cannot be written ({error.strerror}).") from error
    return path


def _tile(failure: Failure, shot: Shot, image: Image, shots: Sequence[Shot]) -> Image:
    (x, y), side = _middle(failure, shot, shots)
    zoom = TILE_PX / (_SIDES * side)
    matrix = np.array([(zoom, 0, TILE_PX / 2 - zoom * x), (0, zoom, TILE_PX / 2 - zoom * y)])
    moved = cv2.warpAffine(image, matrix, (TILE_PX, TILE_PX), flags=cv2.INTER_LINEAR, borderValue=(60, 60, 60))
    tile = np.asarray(moved, np.uint8)
    true = None if failure.die is None else shot.true.get(failure.die)
    if true is not None:
        cv2.polylines(tile, [_points(matrix, true.top_px)], True, _TRUE_BGR, 1, cv2.LINE_AA)
    for told in shot.told:
        _draw(tile, matrix, told, told.id == failure.track or shot.pairs.get(told.id) == failure.die)
    ms = (shot.at_ns - failure.at_ns) / 1e6
    what = "" if true is None else f" true: {true.state} {true.value or ''}"
    step = "" if shot.out_of_step is None else f" OUT OF STEP: {shot.out_of_step.trouble}"
    _write(tile, f"{ms:+.0f} ms{what}{step}", (4, 14), 0.4, (255, 255, 255))
    for row, each in enumerate(shot.happenings):
        text = f"{each.kind} #{each.die} {each.before or ''}>{each.value or ''}"
        _write(tile, text, (4, TILE_PX - 6 - 14 * row), 0.4, (140, 255, 255))
    return tile


def _middle(failure: Failure, shot: Shot, shots: Sequence[Shot]) -> tuple[Point, float]:
    """What the tile is centred on and the side of a die there: the true die, else the track, else anything."""
    for each in (shot, *shots):
        true = _die(each, failure.die)
        if true is not None:
            return true.centre_px, max(4.0, side_px(true))
        told = next((told for told in each.told if told.id == failure.track), None)
        if told is not None:
            near = [side_px(true) for true in each.true.values()]
            return told.centre_px, max(4.0, float(np.median(near))) if near else 20.0
    return (0.0, 0.0), 20.0


def _die(shot: Shot, die: Die | None) -> TrueDie | None:
    return None if die is None else shot.true.get(die)


def _draw(tile: NDArray[np.uint8], matrix: NDArray[np.float64], told: Told, meant: bool) -> None:
    colour = _STATE_BGR[told.state]
    if told.outline_px:
        outline = _points(matrix, told.outline_px)
        cv2.polylines(tile, [outline], True, colour, 2 if meant else 1, cv2.LINE_AA)
    at = _points(matrix, (told.centre_px,)).reshape(2)
    x, y = int(at[0]) + 8, int(at[1]) - 8
    if -40 < x < TILE_PX and -10 < y < TILE_PX + 10:
        text = f"#{told.id} {told.state}{f' {told.value}' if told.value else ''}" if meant else f"#{told.id}"
        _write(tile, text, (x, y), 0.38, colour)


def _points(matrix: NDArray[np.float64], points: Sequence[Point]) -> NDArray[np.int32]:
    placed = np.asarray(points, float).reshape(-1, 2) @ matrix[:, :2].T + matrix[:, 2]
    return np.round(placed).astype(np.int32).reshape(-1, 1, 2)


def _write(
    canvas: NDArray[np.uint8], text: str, at: tuple[int, int], scale: float, colour: tuple[int, int, int]
) -> None:
    plain = text.encode("ascii", "replace").decode()
    cv2.putText(canvas, plain, at, cv2.FONT_HERSHEY_SIMPLEX, scale, (0, 0, 0), 3, cv2.LINE_AA)
    cv2.putText(canvas, plain, at, cv2.FONT_HERSHEY_SIMPLEX, scale, colour, 1, cv2.LINE_AA)


def _slug(kind: str) -> str:
    return "".join(c if c.isalnum() else "-" for c in kind)
