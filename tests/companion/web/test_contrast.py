"""Contrast of every pair of colours that the style sheets put together, computed from the tokens."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion.web import app
from companion.web.seats import COLOURS

TOKENS = (Path(app.__file__).parent / "static" / "tokens.css").read_text(encoding="utf-8")

TEXT = [
    ("--ink", "--ground"), ("--ink", "--panel"), ("--ink", "--track"),
    ("--ink-soft", "--ground"), ("--ink-soft", "--panel"), ("--ink-soft", "--track"),
    ("--accent", "--panel"), ("--accent", "--ground"), ("--on-accent", "--accent"),
    ("--good", "--good-ground"), ("--bad", "--bad-ground"), ("--bad", "--panel"), ("--panel", "--bad"),
    ("--warn", "--warn-ground"), ("--warn", "--panel"), ("--goal-pip", "--goal-die"),
    ("--on-back", "--back-thor"), ("--on-back", "--back-loki"), ("--card-ink", "--card-face"),
    ("--chart", "--sea"), ("--chart", "--foam"),
]  # fmt: skip
"""Text (or pips) on a ground: 7:1."""

PARTS = [
    ("--edge", "--panel"),
    ("--edge", "--ground"),
    ("--focus", "--panel"),
    ("--focus", "--ground"),
    ("--good", "--panel"),
    ("--chart", "--peril"),
    ("--chart", "--lit"),
    ("--chart", "--ground"),
]
"""Edges, focus rings and lamps: 3:1."""


def tokens(theme: str) -> dict[str, str]:
    light = dict(re.findall(r"(--[\w-]+): (#[0-9a-f]{6});", TOKENS.split(":root[data-theme")[0]))
    if theme == "light":
        return light
    dark = dict(re.findall(r"(--[\w-]+): (#[0-9a-f]{6});", TOKENS.split(':root[data-theme="dark"]')[1].split("}")[0]))
    return {**light, **dark}


def luminance(colour: str) -> float:
    """Relative luminance, WCAG 2.2."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """Contrast ratio, WCAG 2.2."""
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_the_formula_is_right() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(("front", "back"), TEXT)
def test_text_is_seven_to_one(theme: str, front: str, back: str) -> None:
    colours = tokens(theme)
    assert contrast(colours[front], colours[back]) >= 7


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(("front", "back"), PARTS)
def test_edges_and_lamps_are_three_to_one(theme: str, front: str, back: str) -> None:
    colours = tokens(theme)
    assert contrast(colours[front], colours[back]) >= 3


@pytest.mark.parametrize("colour", sorted(COLOURS))
def test_pips_and_badges_are_readable_in_every_seat_colour(colour: str) -> None:
    body, pip = re.findall(rf"\.seat-{colour} {{ --body: (#\w+); --pip: (#\w+); }}", TOKENS)[0]
    assert contrast(body, pip) >= 7


def test_both_ways_to_the_dark_theme_give_the_same_colours() -> None:
    by_switch = TOKENS.split(':root[data-theme="dark"] {')[1].split("}")[0]
    by_system = TOKENS.split(':root:not([data-theme="light"]) {')[1].split("}")[0]
    assert by_switch.split() == by_system.split()
