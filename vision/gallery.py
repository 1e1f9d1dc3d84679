"""Contact sheets of what a reader got wrong, refused, missed or invented, and an index page over them."""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import VisionError
from vision.images import Image
from vision.outcomes import Frame, Kind, Outcome
from vision.readings import DieReading

if TYPE_CHECKING:
    from vision.evaluation import Report

__all__ = ["Failure", "GalleryNotWritten", "failures", "write_gallery"]

PANEL_PX = 190
"""A die is shown twice side by side: as it is, and with its outline and pips."""
CAPTION_PX = 62
COLUMNS, ROWS = 4, 6
_GAP_PX = 8
_INDEX = "index.html"
_PICTURES_KEPT = 4
_READ, _REFUSED, _LABEL, _PIP = (40, 220, 40), (0, 140, 255), (255, 200, 0), (255, 0, 255)
_ORDER = ("wrong", "invented beside dice", "invented without dice", "missed", "refused")


class GalleryNotWritten(VisionError, OSError):
    """The folder of the gallery cannot be written, or holds other things."""


@dataclass(frozen=True, slots=True)
class Failure:
    """One die that was not read right, or a value where none is; `kind` with its reason when refused."""

    kind: str
    frame: Frame
    outcome: Outcome

    @property
    def headline(self) -> str:
        """What was said, against what is true."""
        die, truth = self.outcome.reading, self.outcome.truth
        if die is None:
            return f"{truth} missed"
        if die.value is not None:
            said = f"{die.value} at {die.confidence:.3f}"
            return f"nothing read as {said}" if truth is None else f"{truth} read as {said}"
        held = self.outcome.held_back
        leaning = f"held back {held[0]} at {held[1]:.2f}" if held else f"die {die.confidence:.2f}"
        return f"{truth} {die.reason}, {leaning}"


def failures(report: Report) -> OrderedDict[str, list[Failure]]:
    """All failures by kind: wrong, invented, missed, then refused by reason; within each the commonest first.

    The failures of a kind are those of the source with the most of them first.
    """
    found: dict[str, list[Failure]] = {}
    for frame in report.frames:
        for outcome in frame.outcomes:
            kind = _kind(frame, outcome)
            if kind is not None:
                found.setdefault(kind, []).append(Failure(kind, frame, outcome))
    ordered: OrderedDict[str, list[Failure]] = OrderedDict()
    for kind in sorted(found, key=lambda k: (_ORDER.index(k.split(":")[0]), -len(found[k]), k)):
        counts = Counter(each.frame.source for each in found[kind])
        ordered[kind] = sorted(found[kind], key=lambda f: (-counts[f.frame.source], f.frame.source, f.frame.image))
    return ordered


def _kind(frame: Frame, outcome: Outcome) -> str | None:
    if outcome.kind in (Kind.RIGHT, Kind.LEFT_OPEN):
        return None
    if outcome.kind is Kind.REFUSED and outcome.reading is not None:
        return f"refused: {outcome.reading.reason}"
    if outcome.kind is Kind.INVENTED:
        return "invented beside dice" if frame.has_dice else "invented without dice"
    return outcome.kind.value


def write_gallery(
    report: Report, pictures: Path | str, out: Path | str, progress: Callable[[int, int], None] | None = None
) -> list[Path]:
    """Write contact sheets and index.html to the folder `out`; gives their paths, the index last.

    `pictures` is the folder that was evaluated. Only the surroundings of each die are copied, never a whole
    photograph, save where the photograph itself is a crop of one die. A folder that holds anything but an earlier
    gallery is refused. Raises GalleryNotWritten.
    """
    folder = Path(out)
    kinds = failures(report)
    total = sum(map(len, kinds.values()))
    source = _Pictures(Path(pictures))
    written: list[Path] = []
    sections: list[str] = []
    done = 0
    try:
        _prepare(folder)
        for kind, found in kinds.items():
            names = []
            for number, first in enumerate(range(0, len(found), COLUMNS * ROWS), 1):
                tiles = []
                for failure in found[first : first + COLUMNS * ROWS]:
                    tiles.append(_tile(source.get(failure.frame.image), failure))
                    done += 1
                    if progress is not None:
                        progress(done, total)
                name = f"{kind.replace(': ', '-').replace(' ', '-')}-{number:02}.png"
                (folder / name).write_bytes(_encoded(_sheet(tiles, f"{kind} ({len(found)}), sheet {number}")))
                names.append(name)
                written.append(folder / name)
            sections.append(_section(kind, found, names))
        (folder / _INDEX).write_text(_page(report, kinds, sections), encoding="utf-8")
    except OSError as error:
        if isinstance(error, VisionError):
            raise
        raise GalleryNotWritten(f"The gallery cannot be written to {folder} ({error.strerror}).") from error
    return [*written, folder / _INDEX]


def _prepare(folder: Path) -> None:
    """Make the folder, or clear an earlier gallery out of it."""
    folder.mkdir(parents=True, exist_ok=True)
    there = list(folder.iterdir())
    if there and not (folder / _INDEX).exists():
        raise GalleryNotWritten(f"{folder} holds other things: name a folder that is empty or not there yet.")
    for each in there:
        if each.suffix == ".png" and each.name.split("-")[0] in ("wrong", "invented", "missed", "refused"):
            each.unlink()


class _Pictures:
    """The last few photographs, as failures of one photograph follow each other."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._kept: OrderedDict[str, Image] = OrderedDict()

    def get(self, name: str) -> Image:
        if name not in self._kept:
            image = cv2.imread(str(self._folder / name))
            if image is None:
                raise GalleryNotWritten(f"Cannot read {self._folder / name} any more: the gallery needs it.")
            self._kept[name] = np.asarray(image, np.uint8)
            while len(self._kept) > _PICTURES_KEPT:
                self._kept.popitem(last=False)
        return self._kept[name]


def _window(image: Image, outcome: Outcome) -> tuple[float, float, float]:
    """Centre and side in px of the square to show: the label's box or the outline with as much around it."""
    boxes = [box for box in (outcome.box, outcome.reading.box_xyxy if outcome.reading else None) if box is not None]
    if not boxes:
        return image.shape[1] / 2, image.shape[0] / 2, float(max(image.shape[:2]))
    x0, y0 = min(b[0] for b in boxes), min(b[1] for b in boxes)
    x1, y1 = max(b[2] for b in boxes), max(b[3] for b in boxes)
    return (x0 + x1) / 2, (y0 + y1) / 2, max(16.0, 2.0 * max(x1 - x0, y1 - y0))


def _tile(image: Image, failure: Failure) -> Image:
    x, y, side = _window(image, failure.outcome)
    zoom = PANEL_PX / side
    matrix = np.array([(zoom, 0, PANEL_PX / 2 - zoom * x), (0, zoom, PANEL_PX / 2 - zoom * y)])
    x0, y0 = max(0, int(x - side / 2)), max(0, int(y - side / 2))
    cut = image[y0 : int(y + side / 2) + 2, x0 : int(x + side / 2) + 2]
    if zoom < 1 and cut.size:  # averaged, so that pips do not break up
        size = max(1, round(cut.shape[1] * zoom)), max(1, round(cut.shape[0] * zoom))
        small = cv2.resize(cut, size, interpolation=cv2.INTER_AREA)
        place = np.array([(1, 0, (x0 - x) * zoom + PANEL_PX / 2), (0, 1, (y0 - y) * zoom + PANEL_PX / 2)])
        plain = cv2.warpAffine(small, place, (PANEL_PX, PANEL_PX), borderValue=(60, 60, 60))
    else:
        plain = cv2.warpAffine(image, matrix, (PANEL_PX, PANEL_PX), flags=cv2.INTER_CUBIC, borderValue=(60, 60, 60))
    drawn = plain.copy()
    if failure.outcome.box is not None:
        low, high = _placed(matrix, (failure.outcome.box[:2], failure.outcome.box[2:]))
        cv2.rectangle(drawn, _pixel(low), _pixel(high), _LABEL, 1, cv2.LINE_AA)
    if failure.outcome.reading is not None:
        _draw(drawn, matrix, failure.outcome.reading)
    tile = np.full((PANEL_PX + CAPTION_PX, 2 * PANEL_PX, 3), 24, np.uint8)
    tile[:PANEL_PX, :PANEL_PX], tile[:PANEL_PX, PANEL_PX:] = plain, drawn
    for row, text in enumerate(_caption(failure)):
        colour = (255, 255, 255) if row == 0 else (190, 190, 190)
        _write(tile, text, (4, PANEL_PX + 17 + 19 * row), 0.5 if row == 0 else 0.4, colour, 2 * PANEL_PX - 8)
    return tile


def _caption(failure: Failure) -> tuple[str, str, str]:
    die, frame = failure.outcome.reading, failure.frame
    looks = f"{die.side_px:.0f} px, {die.colour} with {die.pip_colour} pips" if die is not None else "no outline"
    mark = "* " if frame.learned else ""
    return failure.headline, f"{mark}{frame.source}: {Path(frame.image).name}", f"{looks}; {frame.view}"


def _draw(panel: Image, matrix: NDArray[Any], die: DieReading) -> None:
    colour = _READ if die.value is not None else _REFUSED
    outline = np.round(_placed(matrix, die.outline_px)).astype(np.int32).reshape(-1, 1, 2)
    cv2.polylines(panel, [outline], True, (0, 0, 0), 3, cv2.LINE_AA)
    cv2.polylines(panel, [outline], True, colour, 1, cv2.LINE_AA)
    for point in _placed(matrix, die.pips_px) if die.pips_px else ():
        cv2.circle(panel, _pixel(point), 4, (0, 0, 0), -1, cv2.LINE_AA)
        cv2.circle(panel, _pixel(point), 3, _PIP, -1, cv2.LINE_AA)


def _placed(matrix: NDArray[Any], points: Any) -> NDArray[Any]:
    """Points of the photograph in px of the panel; the centre of a pixel is at a whole number in both."""
    placed: NDArray[Any] = np.asarray(points, float).reshape(-1, 2) @ matrix[:, :2].T + matrix[:, 2]
    return placed


def _pixel(point: NDArray[Any]) -> tuple[int, int]:
    return round(float(point[0])), round(float(point[1]))


def _write(
    canvas: Image, text: str, at: tuple[int, int], scale: float, colour: tuple[int, int, int], width: int
) -> None:
    plain = text.encode("ascii", "replace").decode()
    long = cv2.getTextSize(plain, cv2.FONT_HERSHEY_SIMPLEX, scale, 1)[0][0]
    fitting = max(0.3, scale * min(1.0, width / max(long, 1)))
    cv2.putText(canvas, plain, at, cv2.FONT_HERSHEY_SIMPLEX, fitting, colour, 1, cv2.LINE_AA)


def _sheet(tiles: list[Image], title: str) -> Image:
    height, width = tiles[0].shape[:2]
    rows = -(-len(tiles) // COLUMNS)
    across, head = COLUMNS * (width + _GAP_PX) + _GAP_PX, 34
    sheet = np.zeros((head + rows * (height + _GAP_PX), across, 3), np.uint8)
    _write(sheet, title, (_GAP_PX, 24), 0.7, (255, 255, 255), across - 16)
    for index, tile in enumerate(tiles):
        y = head + index // COLUMNS * (height + _GAP_PX)
        x = _GAP_PX + index % COLUMNS * (width + _GAP_PX)
        sheet[y : y + height, x : x + width] = tile
    return sheet


def _encoded(sheet: Image) -> bytes:
    good, data = cv2.imencode(".png", sheet)
    if not good:
        raise GalleryNotWritten("OpenCV cannot write PNG files here: the sheets need them.")
    return data.tobytes()


def _section(kind: str, found: list[Failure], names: list[str]) -> str:
    counts = Counter(("* " if f.frame.learned else "") + f.frame.source for f in found)
    rows = "".join(f"<tr><td>{escape(name)}<td>{count}" for name, count in counts.most_common())
    sheets = "".join(
        f'<a href="{escape(n)}"><img loading="lazy" src="{escape(n)}" alt="{escape(n)}"></a>' for n in names
    )
    return (
        f'<section id="{_ident(kind)}"><h2>{escape(kind)}: {len(found)}</h2>'
        f"<table><tr><th>source<th>count{rows}</table>{sheets}</section>"
    )


def _ident(kind: str) -> str:
    return "".join(c if c.isalnum() else "-" for c in kind)


def _page(report: Report, kinds: OrderedDict[str, list[Failure]], sections: list[str]) -> str:
    def rows() -> Iterator[str]:
        for kind, found in kinds.items():
            tested = sum(not f.frame.learned for f in found)
            link = f'<a href="#{_ident(kind)}">{escape(kind)}</a>'
            yield f"<tr><td>{link}<td>{len(found)}<td>{tested}<td>{len({f.frame.source for f in found})}"

    return (
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>What was not read right</title>'
        "<style>body{font:15px system-ui,sans-serif;background:#111;color:#eee;margin:1.5rem}a{color:#8cf}"
        "img{max-width:100%;display:block;margin:.5rem 0}td,th{text-align:left;padding:0 1.5rem 0 0}</style>"
        "<h1>What was not read right</h1><p>Left: the die. Right: its label's box (light blue), the outline "
        "(green with a value, orange without) and the pips found (magenta). * = learned from this source.</p>"
        f"<table><tr><th>kind<th>count<th>only tested<th>sources{''.join(rows())}</table>"
        f"<pre>{escape(str(report))}</pre>{''.join(sections)}</html>\n"
    )
