"""The marks of the course as small drawings of our own, told apart by shape and not by colour alone.

Each is drawn around (0, 0) and fits into a circle of radius `ICON`.
"""

from __future__ import annotations

from rules.greece_lightning.components import Mark

__all__ = ["ICON", "SHAPES", "STAR"]

ICON = 12.0
"""Radius of the round ground of an icon."""

STAR = "0,-9 2.4,-2.9 8.6,-2.8 3.7,1.1 5.3,7.3 0,3.8 -5.3,7.3 -3.7,1.1 -8.6,-2.8 -2.4,-2.9"
"""Points of a star."""

_SPIRAL = (
    "M0 0 C2 -2.6 5 0 3.4 3 C1.4 6.4 -5 5.4 -5.6 0.4 C-6.2 -5.6 1 -8.6 5.6 -5.4 C10 -2.2 9.6 5 5 8.2"
    " C1.6 10.4 -3.4 10 -6.6 7.2"
)
_HEADS = "M0 9 V-3 M0 4 C-5 4 -6.5 0 -6.5 -3 M0 4 C5 4 6.5 0 6.5 -3"
_SIX = "M0 -9 V9 M-7.8 -4.5 L7.8 4.5 M-7.8 4.5 L7.8 -4.5"

SHAPES: dict[Mark, str] = {
    Mark.FISH: '<path class="solid" d="M-9 -4.5 L-4.5 0 L-9 4.5 Z"/><ellipse class="solid" cx="2" rx="7.5" ry="4.6"/>'
    '<circle class="hole" cx="5" cy="-1.2" r="1.1"/>',
    Mark.FAVOR: f'<polygon class="solid" points="{STAR}"/>',
    Mark.WEDGE: '<path class="solid" d="M-8.4 -4.6 A12 12 0 0 1 8.4 -4.6 L2.6 7.4 A4.4 4.4 0 0 0 -2.6 7.4 Z"/>',
    Mark.BOOST: '<text class="sign" y="4.6">+3</text>',
    Mark.HYDRA: f'<path class="line" d="{_HEADS}"/><circle class="solid" cy="-5.4" r="2.8"/>'
    '<circle class="solid" cx="-6.5" cy="-5" r="2.6"/><circle class="solid" cx="6.5" cy="-5" r="2.6"/>',
    Mark.CHARYBDIS: f'<path class="line" d="{_SPIRAL}"/>',
    Mark.SCYLLA: f'<path class="line" d="{_SIX}"/><circle class="hole" r="3.4"/><circle class="ring" r="3.4"/>',
}
"""The drawing of each mark: SVG elements with the classes solid, hole, line, ring and sign."""
