"""The wiring diagram, drawn from the pin map: which place of the header goes to which box, and the parts between."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple
from xml.sax.saxutils import escape

from companion.catalogue import Catalogue
from device.pins import GROUND_PINS, HEADER, HeaderPin, PinPlan, PinUse

__all__ = ["Wire", "wires_of", "wiring_svg"]

WIDTH_MM, HEIGHT_MM = 420.0, 256.0
"""For A3 or A4, across."""
_LEFT_MM, _RIGHT_MM, _TOP_MM, _PITCH_MM = 128.0, 142.0, 30.0, 11.2
"""Of the header's two columns, its first row, and from row to row."""
_PAPER, _INK, _SOFT = "#ffffff", "#1a1a1a", "#5c5c5c"
_PIN_FILLS: Final = {"3V3": "#f5d7b0", "5V": "#f3c0c0", "ground": "#d9d9d9", "id": "#eeeeee", "gpio": "#ffffff"}
_BOX_FILLS: Final = ("#f4f4f4", "#fbe3e0", "#dfe9f8", "#e0f1e2", "#fcf3cf", "#efe3f5", "#e2f2f2")
"""Behind what belongs to the judge, and to seats 1 to 6: only to lead the eye, for every place is labelled."""


class Wire(NamedTuple):
    """One wire from a place of the header (1 to 40) to a contact of a box.

    `box` is a seat's number, 0 for the judge's, None for what everybody shares; `contact` is what it ends at: a use of
    the pin map, "ground" or "3V3".
    """

    place: int
    box: int | None
    contact: str


@dataclass(frozen=True, slots=True)
class _Text:
    x: float
    y: float
    text: str
    size: float = 3.4
    anchor: str = "start"
    bold: bool = False
    colour: str = _INK


def wires_of(plan: PinPlan) -> tuple[Wire, ...]:
    """Every wire that leaves the header. Each box has a ground of its own where there are enough; none is ever 5 V."""
    wires = [Wire(use.place, use.seat, use.what) for use in plan.uses]
    boxes = list(dict.fromkeys(use.seat for use in plan.uses))
    for number, box in enumerate(boxes):
        wires.append(Wire(GROUND_PINS[number % len(GROUND_PINS)], box, "ground"))
    if any(use.kind != "button" for use in plan.uses):
        first = next(pin.place for pin in HEADER if pin.kind == "3V3")
        wires.append(Wire(first, None, "3V3"))
    return tuple(sorted(wires, key=lambda wire: wire.place))


def wiring_svg(plan: PinPlan, catalogue: Catalogue) -> str:
    """The diagram as an SVG document, in millimetres: the header with what each place goes to, and four details."""
    size = f'width="{WIDTH_MM:g}mm" height="{HEIGHT_MM:g}mm" viewBox="0 0 {WIDTH_MM:g} {HEIGHT_MM:g}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="Helvetica, Arial, sans-serif" role="img">',
        f"<title>{escape(catalogue.text('wiring.title'))}</title>",
        f'<rect width="{WIDTH_MM:g}" height="{HEIGHT_MM:g}" fill="{_PAPER}"/>',
        _drawn(_Text(12, 14, catalogue.text("wiring.title"), 6.5, bold=True)),
        _drawn(_Text(12, 21, catalogue.text("wiring.seen-from"), 3.4, colour=_SOFT)),
    ]
    parts += _header(plan, catalogue)
    parts += _details(catalogue)
    parts.append("</svg>\n")
    return "\n".join(parts)


def _header(plan: PinPlan, catalogue: Catalogue) -> Iterator[str]:
    uses = {use.place: use for use in plan.uses}
    wires: dict[int, list[Wire]] = {}
    for wire in wires_of(plan):
        wires.setdefault(wire.place, []).append(wire)
    rows = len(HEADER) // 2
    yield _rect(_LEFT_MM - 8, _TOP_MM - 7, _RIGHT_MM - _LEFT_MM + 16, rows * _PITCH_MM + 3, "#e9eee9", round_mm=2)
    for pin in HEADER:
        left = pin.place % 2 == 1
        x = _LEFT_MM if left else _RIGHT_MM
        y = _TOP_MM + (pin.place - 1) // 2 * _PITCH_MM
        use = uses.get(pin.place)
        yield from _pin(pin, x, y)
        yield from _label(pin, use, wires.get(pin.place, []), plan.free, x, y, left, catalogue)


def _pin(pin: HeaderPin, x: float, y: float) -> Iterator[str]:
    fill = _PIN_FILLS[pin.kind]
    yield _rect(x - 4.4, y - 4.4, 8.8, 8.8, fill, width=0.4) if pin.place == 1 else _disc(x, y, 4.4, fill, 0.4)
    if pin.kind == "5V":
        yield _line(f"M{x - 5:g} {y - 5:g} l10 10 m0 -10 l-10 10", 0.9, colour="#b00020")
    yield _drawn(_Text(x, y + 1.3, str(pin.place), 3.6, "middle", bold=True))


def _label(
    pin: HeaderPin,
    use: PinUse | None,
    wires: list[Wire],
    free: Mapping[int, str],
    x: float,
    y: float,
    left: bool,
    catalogue: Catalogue,
) -> Iterator[str]:
    """What a place goes to, beside it: a tab in the colour of its box with the words, and the pin's own name."""
    sign = -1 if left else 1
    yield _line(f"M{x + sign * 4.4:g} {y:g} H{x + sign * 13:g}", 0.6 if wires else 0.2)
    names = {"3V3": "3.3 V", "5V": "5 V", "ground": catalogue.text("wiring.ground"), "id": "ID"}
    name = names.get(pin.kind, f"GPIO{pin.bcm}")
    anchor = "end" if left else "start"
    words = _words(pin, use, wires, free, catalogue)
    if wires:
        box = use.seat if use is not None else wires[0].box
        fill = _BOX_FILLS[0] if box is None else _BOX_FILLS[box % len(_BOX_FILLS)]
        tab = x + sign * 13 - (92 if left else 0)
        yield _rect(tab, y - 4.3, 92, 8.6, fill, width=0.25, round_mm=1.4)
    yield _drawn(_Text(x + sign * 15, y + 1.3, name, 3.4, anchor, bold=bool(wires), colour=_INK if wires else _SOFT))
    yield _drawn(_Text(x + sign * 35, y + 1.3, words, 3.4, anchor, colour=_INK if wires else _SOFT))
    if use is not None:
        yield from _symbol(use.kind, x + sign * 100, y)


def _words(pin: HeaderPin, use: PinUse | None, wires: list[Wire], free: Mapping[int, str], catalogue: Catalogue) -> str:
    if use is not None:
        return f"{_box(use.seat, catalogue)}: {catalogue.text(f'wiring.use.{use.what}')}"
    if pin.kind == "5V":
        return catalogue.text("wiring.never")
    if pin.kind == "3V3":
        return catalogue.text("wiring.lamps-plus") if wires else catalogue.text("wiring.spare")
    if pin.kind == "ground":
        boxes = catalogue.listed(_box(wire.box, catalogue) for wire in wires)
        return catalogue.text("wiring.common", box=boxes) if wires else catalogue.text("wiring.spare")
    if pin.bcm in free:
        return catalogue.text("wiring.kept" if pin.bcm != SHUTDOWN_BCM else "wiring.shutdown")
    return catalogue.text("wiring.hat") if pin.kind == "id" else catalogue.text("wiring.spare")


SHUTDOWN_BCM: Final = 3
"""The pin that wakes a Raspberry Pi that was shut down: joined to ground by the shutdown button."""


def _box(box: int | None, catalogue: Catalogue) -> str:
    if box is None:
        return catalogue.text("wiring.box.all")
    return catalogue.text("wiring.box.seat", seat=box) if box else catalogue.text("wiring.box.judge")


def _symbol(kind: str, x: float, y: float) -> Iterator[str]:
    """A small sign of what hangs on a pin: a push button, a lamp, a buzzer."""
    if kind == "button":
        yield _disc(x, y, 2.6)
        yield _disc(x, y, 1.3, _INK)
    elif kind == "lamp":
        yield _disc(x, y, 2.6)
        yield _line(f"M{x - 1.8:g} {y - 1.8:g} l3.6 3.6 m0 -3.6 l-3.6 3.6")
    else:
        yield _line(f"M{x - 2.4:g} {y - 1.2:g} h1.8 l2.4 -1.6 v5.6 l-2.4 -1.6 h-1.8 z")


def _details(catalogue: Catalogue) -> Iterator[str]:
    """Four small circuits at the right: a button, the same with a long cable, a lamp, and what to keep in mind."""
    left = 262.0
    yield _drawn(_Text(left, 32, catalogue.text("wiring.detail.button"), 4.4, bold=True))
    yield from _circuit(left, 48, ["pin", "contact"], catalogue)
    yield _drawn(_Text(left, 67, catalogue.text("wiring.note.button"), 3.2, colour=_SOFT))
    yield _drawn(_Text(left, 79, catalogue.text("wiring.detail.long"), 4.4, bold=True))
    yield from _circuit(left, 103, ["pin", "filter", "contact"], catalogue)
    yield _drawn(_Text(left, 123, catalogue.text("wiring.note.long"), 3.2, colour=_SOFT))
    yield _drawn(_Text(left, 136, catalogue.text("wiring.detail.lamp"), 4.4, bold=True))
    yield from _lamp(left, 168, catalogue)
    yield _drawn(_Text(left, 192, catalogue.text("wiring.note.lamp"), 3.2, colour=_SOFT))
    yield _drawn(_Text(left, 206, catalogue.text("wiring.detail.rules"), 4.4, bold=True))
    for number in range(1, 7):
        yield _drawn(_Text(left, 206 + 7.5 * number, f"{number}.  {catalogue.text(f'wiring.rule.{number}')}", 3.2))


def _resistor(x: float, y: float, value: str, *, upright: bool = False) -> Iterator[str]:
    """A resistor of 12 mm from (x, y) to the right, or downwards."""
    if upright:
        yield _line(f"M{x:g} {y:g} v2 m0 8 v2")
        yield _rect(x - 1.6, y + 2, 3.2, 8, "#fff")
        yield _drawn(_Text(x + 3, y + 7, value, 3.0))
    else:
        yield _line(f"M{x:g} {y:g} h2 m8 0 h2")
        yield _rect(x + 2, y - 1.6, 8, 3.2, "#fff")
        yield _drawn(_Text(x + 6, y - 3, value, 3.0, "middle"))


def _line(path: str, width: float = 0.5, *, fill: str = "none", colour: str = _INK) -> str:
    return f'<path d="{path}" fill="{fill}" stroke="{colour}" stroke-width="{width:g}"/>'


def _rect(x: float, y: float, wide: float, high: float, fill: str, *, width: float = 0.5, round_mm: float = 0) -> str:
    corner = f' rx="{round_mm:g}"' if round_mm else ""
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{wide:g}" height="{high:g}"{corner} fill="{fill}" stroke="{_INK}" '
        f'stroke-width="{width:g}"/>'
    )


def _disc(x: float, y: float, radius: float, fill: str = "#fff", width: float = 0.5) -> str:
    return f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{fill}" stroke="{_INK}" stroke-width="{width:g}"/>'


def _terminal(x: float, y: float, text: str) -> Iterator[str]:
    yield _disc(x, y, 1.2)
    yield _drawn(_Text(x - 3, y + 1.1, text, 3.2, "end"))


def _earth(x: float, y: float) -> str:
    return _line(f"M{x:g} {y:g} v2 m-4 0 h8 m-6.5 1.6 h5 m-3.5 1.6 h2", 0.5)


def _contact(x: float, y: float) -> Iterator[str]:
    """A push button between two terminals 12 mm apart, open at rest."""
    yield _line(f"M{x:g} {y:g} h3 m6 0 h3 M{x + 2:g} {y - 3:g} h8 m-4 0 v-3 m-2.5 0 h5")
    for dx in (3, 9):
        yield _disc(x + dx, y, 0.8)


def _circuit(x: float, y: float, parts: list[str], catalogue: Catalogue) -> Iterator[str]:
    """A button from pin to ground, straight or over a filter at the Pi's end of the cable."""
    start = x + 16
    yield from _terminal(start, y, "GPIO")
    yield from _terminal(start, y + 9, catalogue.text("wiring.ground"))
    at = start + 1.2
    if "filter" in parts:
        yield _line(f"M{at:g} {y:g} h22")
        yield from _resistor(at + 10, y - 15, "10 kΩ", upright=True)
        yield _line(f"M{at + 10:g} {y - 3:g} v3 M{at + 10:g} {y - 15:g} v-1.5 m-3 0 h6")
        yield _drawn(_Text(at + 15, y - 15.5, "3.3 V", 3.0))
        yield _line(f"M{at + 10:g} {y:g} v3.6 m-3 0 h6 m-6 1.6 h6 m-3 0 v3.8")
        yield _drawn(_Text(at + 15, y + 6.3, "100 nF", 3.0))
        yield from _resistor(at + 22, y, "1 kΩ")
        at += 34
    for dy in (0, 9):
        yield _line(f"M{(at if dy == 0 else start + 1.2):g} {y + dy:g} H{at + 22:g}")
    for turn in range(3):  # twisted
        yield (
            f'<ellipse cx="{at + 7 + 5 * turn:g}" cy="{y + 4.5:g}" rx="1.4" ry="5.6" fill="none" stroke="{_SOFT}" '
            'stroke-width="0.3"/>'
        )
    yield from _contact(at + 22, y)
    yield _line(f"M{at + 34:g} {y:g} h4 v9 H{at + 22:g}")


def _lamp(x: float, y: float, catalogue: Catalogue) -> Iterator[str]:
    """A lamp from 3.3 V through a transistor to ground, switched by a pin through a resistor."""
    start = x + 16
    yield from _terminal(start, y, "GPIO")
    yield from _resistor(start + 1.2, y, "1 kΩ")
    at = start + 13.2
    yield _line(f"M{at:g} {y:g} h5 m0 -5 v10", 0.8)
    yield f'<circle cx="{at + 7.4:g}" cy="{y:g}" r="6.6" fill="none" stroke="{_INK}" stroke-width="0.4"/>'
    yield _line(f"M{at + 5:g} {y - 2:g} l5 -3.5 v-3.5 M{at + 5:g} {y + 2:g} l5 3.5 v3.5")
    yield _line(f"M{at + 10:g} {y + 5.5:g} l-3 -0.6 l1.4 -1.9 z", 0.1, fill=_INK)
    yield _drawn(_Text(at + 16, y + 1.2, catalogue.text("wiring.transistor"), 3.0))
    yield _earth(at + 10, y + 9)
    top = y - 9
    yield _line(f"M{at + 10:g} {top:g} h20 m0 -2.8 v5.6 m0 -2.8 l5 -2.8 v5.6 l-5 -2.8", fill="#fff")
    yield _line(f"M{at + 32:g} {top - 4:g} l-2.4 -3 m4.4 3 l-2.4 -3", 0.3)
    yield _drawn(_Text(at + 20, top - 4, "LED", 3.0))
    yield _line(f"M{at + 35:g} {top:g} h4")
    yield from _resistor(at + 39, top, "100 Ω")
    yield _line(f"M{at + 51:g} {top:g} h5")
    yield _disc(at + 57.2, top, 1.2)
    yield _drawn(_Text(at + 60, top + 1.1, "3.3 V", 3.2))


def _drawn(text: _Text) -> str:
    weight = ' font-weight="bold"' if text.bold else ""
    anchor = "" if text.anchor == "start" else f' text-anchor="{text.anchor}"'
    return (
        f'<text x="{text.x:g}" y="{text.y:g}" font-size="{text.size:g}" fill="{text.colour}"{anchor}{weight}>'
        f"{escape(text.text)}</text>"
    )
