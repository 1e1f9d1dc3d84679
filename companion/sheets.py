"""Printable pages as three kinds of file (SVG, PDF, PNG), from one description in millimetres."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import ceil, hypot
from pathlib import Path
from xml.sax.saxutils import escape

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.errors import BadInput

__all__ = ["FORMATS", "Box", "Label", "Page", "Stroke", "to_pdf", "to_png", "to_svg", "write_pages"]

FORMATS = (".svg", ".pdf", ".png")
PNG_DOTS_PER_INCH = 300
_MM_PER_INCH = 25.4
_POINTS_PER_MM = 72 / _MM_PER_INCH
_GREY = 0.6  # of cut lines
_DASH_MM, _GAP_MM = 1.0, 2.0


@dataclass(frozen=True, slots=True)
class Box:
    """A black rectangle, in mm from the top left of the page."""

    left_mm: float
    top_mm: float
    width_mm: float
    height_mm: float


@dataclass(frozen=True, slots=True)
class Stroke:
    """A thin grey dashed line to cut along, or a black one to measure by.

    Dashed, so that a marker reader never takes a cell for the frame of its marker.
    """

    from_mm: tuple[float, float]
    to_mm: tuple[float, float]
    black: bool = False


@dataclass(frozen=True, slots=True)
class Label:
    """A line of text; `at_mm` is the left end of its base line."""

    at_mm: tuple[float, float]
    text: str
    size_mm: float


@dataclass(frozen=True, slots=True)
class Page:
    """One side of paper with all that is printed on it."""

    size_mm: tuple[float, float]
    boxes: list[Box] = field(default_factory=list)
    strokes: list[Stroke] = field(default_factory=list)
    labels: list[Label] = field(default_factory=list)


def to_svg(page: Page) -> str:
    """The page as an SVG document whose user units are millimetres."""
    width, height = page.size_mm
    dashes = f' stroke-dasharray="{_DASH_MM:g} {_GAP_MM:g}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}mm" height="{height:g}mm"',
        f'viewBox="0 0 {width:g} {height:g}">',
        f'<rect x="0" y="0" width="{width:g}" height="{height:g}" fill="#fff"/>',
        '<g fill="#000" shape-rendering="crispEdges">',
    ]
    parts += [
        f'<rect x="{b.left_mm:.3f}" y="{b.top_mm:.3f}" width="{b.width_mm:.3f}" height="{b.height_mm:.3f}"/>'
        for b in page.boxes
    ]
    parts.append('</g><g stroke-width="0.15">')
    parts += [
        f'<line x1="{s.from_mm[0]:.3f}" y1="{s.from_mm[1]:.3f}" x2="{s.to_mm[0]:.3f}" y2="{s.to_mm[1]:.3f}" '
        f'stroke="{"#000" if s.black else "#999"}"{"" if s.black else dashes}/>'
        for s in page.strokes
    ]
    parts.append('</g><g font-family="Helvetica, Arial, sans-serif" fill="#000">')
    parts += [
        f'<text x="{t.at_mm[0]:.3f}" y="{t.at_mm[1]:.3f}" font-size="{t.size_mm:g}">{escape(t.text)}</text>'
        for t in page.labels
    ]
    parts.append("</g></svg>\n")
    return "\n".join(parts)


def to_pdf(pages: Sequence[Page]) -> bytes:
    """All pages as one PDF 1.4 file; text in Helvetica, which every reader has, so nothing is embedded."""
    objects: list[bytes] = [b"<< /Type /Catalog /Pages 2 0 R >>", b""]
    objects.append(b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>")
    kids: list[str] = []
    for page in pages:
        width, height = (side * _POINTS_PER_MM for side in page.size_mm)
        stream = _pdf_stream(page)
        kids.append(f"{len(objects) + 1} 0 R")
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {width:.3f} {height:.3f}] "
            f"/Resources << /Font << /F 3 0 R >> >> /Contents {len(objects) + 2} 0 R >>".encode()
        )
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream))
    objects[1] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(pages)} >>".encode()
    out = bytearray(b"%PDF-1.4\n")
    offsets = []
    for number, body in enumerate(objects, 1):
        offsets.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    out += b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, start)
    return bytes(out)


def _pdf_stream(page: Page) -> bytes:
    """Drawing orders in mm: the page is turned upside down once, since PDF counts from the bottom left."""
    height = page.size_mm[1]
    k = _POINTS_PER_MM
    lines = [f"{k:.6f} 0 0 {k:.6f} 0 0 cm", "0 g", "0.15 w"]
    lines += [
        f"{b.left_mm:.3f} {height - b.top_mm - b.height_mm:.3f} {b.width_mm:.3f} {b.height_mm:.3f} re f"
        for b in page.boxes
    ]
    for s in page.strokes:
        look = "[] 0 d 0 G" if s.black else f"[{_DASH_MM:g} {_GAP_MM:g}] 0 d {_GREY:g} G"
        lines.append(
            f"{look} {s.from_mm[0]:.3f} {height - s.from_mm[1]:.3f} m {s.to_mm[0]:.3f} {height - s.to_mm[1]:.3f} l S"
        )
    out = "\n".join(lines).encode()
    for t in page.labels:
        text = t.text.encode("cp1252", "replace")
        for special in (b"\\", b"(", b")"):
            text = text.replace(special, b"\\" + special)
        place = f"{t.at_mm[0]:.3f} {height - t.at_mm[1]:.3f}"
        out += f"\nBT /F {t.size_mm:g} Tf {place} Td (".encode() + text + b") Tj ET"
    return out


def to_png(page: Page, dots_per_inch: int = PNG_DOTS_PER_INCH) -> NDArray[np.uint8]:
    """The page as a grey image of shape (H, W), uint8. Accents are dropped: the drawing font has none."""
    scale = dots_per_inch / _MM_PER_INCH

    def px(mm: float) -> int:
        return round(mm * scale)

    width, height = page.size_mm
    image = np.full((px(height), px(width)), 255, np.uint8)
    for s in page.strokes:
        for start, end in [(s.from_mm, s.to_mm)] if s.black else _dashes(s):
            grey = 0 if s.black else int(255 * _GREY)
            cv2.line(image, (px(start[0]), px(start[1])), (px(end[0]), px(end[1])), grey, max(1, px(0.15)))
    for t in page.labels:
        plain = unicodedata.normalize("NFKD", t.text).encode("ascii", "ignore").decode()
        font = cv2.FONT_HERSHEY_SIMPLEX  # 21 px from base line to the top of a capital at scale 1
        size = t.size_mm * scale * 0.65 / 21
        cv2.putText(image, plain, (px(t.at_mm[0]), px(t.at_mm[1])), font, size, 0, max(1, px(0.18)), cv2.LINE_AA)
    for b in page.boxes:
        rows = slice(px(b.top_mm), px(b.top_mm + b.height_mm))
        image[rows, px(b.left_mm) : px(b.left_mm + b.width_mm)] = 0
    return image


def _dashes(stroke: Stroke) -> Iterator[tuple[tuple[float, float], tuple[float, float]]]:
    """Ends of each dash, in mm."""
    (x0, y0), (x1, y1) = stroke.from_mm, stroke.to_mm
    length = hypot(x1 - x0, y1 - y0)
    step = _DASH_MM + _GAP_MM
    for number in range(ceil(length / step)):
        ends = (number * step / length, min(1.0, (number * step + _DASH_MM) / length))
        start, end = ((x0 + (x1 - x0) * part, y0 + (y1 - y0) * part) for part in ends)
        yield start, end


def write_pages(pages: Sequence[Page], out: Path) -> list[Path]:
    """Write the pages to `out`, whose ending chooses the format; the files written.

    A PDF holds all pages; SVG and PNG hold one, so that several become `name-1.svg`, `name-2.svg`, ...
    Raises BadInput for another ending or a place that cannot be written to.
    """
    kind = out.suffix.lower()
    if kind not in FORMATS:
        raise BadInput(f"Cannot write {out.name!r}: expected a name ending in {', '.join(FORMATS)}.")
    if kind == ".pdf" or len(pages) == 1:
        names = [out]
    else:
        names = [out.with_name(f"{out.stem}-{number}{out.suffix}") for number in range(1, len(pages) + 1)]
    try:
        if kind == ".pdf":
            out.write_bytes(to_pdf(pages))
        for name, page in zip(names, pages, strict=False):
            if kind == ".svg":
                name.write_text(to_svg(page), encoding="utf-8")
            elif kind == ".png":
                encoded = cv2.imencode(".png", to_png(page))[1]
                name.write_bytes(encoded.tobytes())
    except OSError as error:
        raise BadInput(f"Cannot write {out}: {error.strerror or error}. Choose another place.") from error
    return names
