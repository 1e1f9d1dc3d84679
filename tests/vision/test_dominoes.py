"""Halves of dominoes are told from dice by the bar between them: painted ones, and rendered ones as they are read."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.dice import DEFAULT_THRESHOLD, DiceReader
from vision.dominoes import Bar, are_half_dominoes, bars
from vision.faces import Face
from vision.networks import CLASSES
from vision.readings import DieReading, Unreadable
from vision.sweeps.catalogue import SWEEPS
from vision.sweeps.dice import lattice
from vision.sweeps.measure import judged, scene_of

FINER = 4
SIZE_PX = 320
BLACK, IVORY, FELT, RED = (24, 22, 22), (205, 228, 236), (60, 105, 45), (40, 34, 180)
Colour = tuple[int, int, int]


@dataclass(frozen=True)
class Pair:
    """Two squares in a row, in sides of one: of one tile with a bar, or two dice with a groove."""

    side_px: float = 44.0
    turned_deg: float = 0.0
    at_px: tuple[float, float] = (160.0, 160.0)
    body: Colour = IVORY
    pips: Colour = BLACK
    table: Colour = FELT
    values: tuple[int, int] = (5, 2)
    bar: tuple[float, float] | None = (0.76, 0.05)
    """Length and thickness; None for two dice."""
    bar_colour: Colour | None = None
    """That of the pips, unless told."""
    rounding: float = 0.1
    gap: float = 0.02
    groove: Colour = (40, 45, 48)
    neighbour_turned_deg: float = 0.0
    neighbour_shifted: float = 0.0
    neighbour_body: Colour | None = None
    alone: bool = False

    def places(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Pixels of points (n, 2) in sides, (0, 0) the middle of the border."""
        turn = np.radians(self.turned_deg)
        axes = np.array([(np.cos(turn), np.sin(turn)), (-np.sin(turn), np.cos(turn))])
        return np.asarray(np.asarray(self.at_px) + points @ axes * self.side_px, np.float64)

    @property
    def outline_px(self) -> NDArray[np.float64]:
        """The corners of the left half, clockwise."""
        return self.places(np.array([(-1, -0.5), (0, -0.5), (0, 0.5), (-1, 0.5)], float))

    def painted(self, seed: int = 1) -> NDArray[np.uint8]:
        """The picture, somewhat blurred and noisy as a camera's."""
        big = np.full((SIZE_PX * FINER, SIZE_PX * FINER, 3), self.table, np.uint8)

        def fill(points: NDArray[np.float64], colour: Colour) -> None:
            cv2.fillPoly(big, [np.round((self.places(points) + 0.5) * FINER - 0.5).astype(np.int32)], colour)

        def pip(x: float, y: float) -> None:
            turns = np.linspace(0, 2 * np.pi, 24)
            fill(np.column_stack([x + 0.09 * np.cos(turns), y + 0.09 * np.sin(turns)]), self.pips)

        if self.bar is not None:
            fill(_rounded(-1, 1, self.rounding), self.body)
            if self.neighbour_body is not None:
                fill(_rounded(0, 1, self.rounding), self.neighbour_body)
            length, thick = self.bar
            half = np.array([(-thick, -length), (thick, -length), (thick, length), (-thick, length)]) / 2
            fill(half, self.bar_colour or self.pips)
        else:
            fill(np.array([(-0.1, -0.47), (0.1, -0.47), (0.1, 0.47), (-0.1, 0.47)]), self.groove)
            fill(_rounded(-1, -self.gap / 2, self.rounding), self.body)
            if not self.alone:
                turn, half = np.radians(self.neighbour_turned_deg), _rounded(self.gap / 2, 1, self.rounding)
                about = half - (0.5, 0)
                axes = np.array([(np.cos(turn), np.sin(turn)), (-np.sin(turn), np.cos(turn))])
                fill(about @ axes + (0.5, self.neighbour_shifted), self.neighbour_body or self.body)
        for x, y in lattice(self.values[0], 0.25).tolist():
            pip(x - 0.5, y)
        if not self.alone:
            for x, y in lattice(self.values[1], 0.25).tolist():
                pip(x + 0.5, y + self.neighbour_shifted)
        image = cv2.resize(big, (SIZE_PX, SIZE_PX), interpolation=cv2.INTER_AREA).astype(np.float64)
        noisy = cv2.GaussianBlur(image, (0, 0), 0.7) + np.random.default_rng(seed).normal(0, 2, image.shape)
        return np.asarray(np.clip(noisy, 0, 255), np.uint8)

    def is_half_domino(self) -> bool:
        """What is said of the left half."""
        colours = np.array([self.body], float), np.array([self.pips], float)
        return bool(are_half_dominoes(self.painted(), self.outline_px[None], *colours)[0])


def _rounded(x0: float, x1: float, radius: float) -> NDArray[np.float64]:
    turns = np.radians(np.arange(0, 91, 10))
    corners = [(x1, 0.5, 0), (x0, 0.5, 90), (x0, -0.5, 180), (x1, -0.5, 270)]
    points = []
    for x, y, first in corners:
        centre = (x - radius * np.sign(x - (x0 + x1) / 2), y - radius * np.sign(y))
        points.append(
            np.column_stack([np.cos(turns + np.radians(first)), np.sin(turns + np.radians(first))]) * radius + centre
        )
    return np.vstack(points)


TILE = Pair()
DICE = Pair(bar=None)


@pytest.mark.parametrize(
    ("pair", "expected"),
    [
        (TILE, True),  # ivory on felt
        (replace(TILE, table=(190, 200, 204)), True),  # on a pale cloth
        (replace(TILE, body=BLACK, pips=IVORY), True),  # black
        (replace(TILE, body=RED, pips=IVORY, table=(150, 150, 150)), True),
        (replace(TILE, values=(6, 6)), True),
        (replace(TILE, values=(1, 4), bar=(0.6, 0.08)), True),  # a short and thick bar
        (replace(TILE, side_px=28.0), True),
        (replace(TILE, side_px=120.0), True),
        (replace(TILE, bar=(0.76, 0.05), bar_colour=IVORY), False),  # no bar: two halves of one plain body
        (replace(TILE, bar=(1.0, 0.05)), False),  # from edge to edge, as a groove
        (replace(TILE, bar=(0.76, 0.4)), False),  # a field, not a bar
        (replace(TILE, neighbour_body=RED), False),  # what lies beyond is another thing
        (replace(TILE, table=IVORY), False),  # a stroke upon a plain, no long sides
        (DICE, False),  # two dice of one make that touch
        (replace(DICE, gap=0.06, groove=FELT), False),  # that nearly touch
        (replace(DICE, body=BLACK, pips=IVORY), False),
        (replace(DICE, neighbour_turned_deg=9.0, gap=0.08), False),
        (replace(DICE, neighbour_shifted=0.15), False),
        (replace(DICE, neighbour_body=RED), False),
        (replace(DICE, alone=True), False),
    ],
)  # fmt: skip
def test_a_bar_tells_a_tile_from_two_dice(pair: Pair, expected: bool) -> None:
    assert pair.is_half_domino() is expected


@pytest.mark.parametrize(
    ("spoilt", "expected"),
    [
        ({}, True),
        ({"contrast": -0.7}, False),  # the other way than the pips: lighter on a light body
        ({"contrast": 0.3}, False),  # faint
        ({"ends": (0.05, 0.6)}, False),  # it runs on to one of the long sides
        ({"ends": (0.3, 0.3)}, False),  # it does not quite end on either
        ({"beside": 0.3}, False),  # broad
        ({"corner": 0.9}, False),  # a gap that opens to one side
        ({"shift": 0.1}, False),  # two things side by side
        ({"turn": 0.1}, False),  # one wider than the other
    ],
)
def test_each_thing_must_be_as_on_a_tile(spoilt: dict[str, Any], expected: bool) -> None:
    tile = Bar(contrast=0.7, ends=(0.05, 0.1), beside=0.02, corner=0.1, shift=0.02, turn=0.02)
    assert replace(tile, **spoilt).parts_halves is expected


@pytest.mark.parametrize("turned_deg", range(0, 360, 24))
def test_in_any_direction(turned_deg: int) -> None:
    assert replace(TILE, turned_deg=float(turned_deg)).is_half_domino()
    assert not replace(DICE, turned_deg=float(turned_deg)).is_half_domino()


@pytest.mark.parametrize("off", [(0.05, 0.0), (-0.05, 0.0), (0.0, 0.05), (0.0, -0.05)])
def test_outlines_may_be_somewhat_off(off: tuple[float, float]) -> None:
    image, colours = TILE.painted(), (np.array([IVORY]), np.array([BLACK]))
    moved = TILE.outline_px + np.array(off) * TILE.side_px
    for scale in (0.94, 1.06):
        outline = moved.mean(axis=0) + (moved - moved.mean(axis=0)) * scale
        assert are_half_dominoes(image, outline[None], *colours)[0]


def test_the_other_half_must_be_in_the_picture() -> None:
    assert replace(TILE, at_px=(SIZE_PX - 42.0, 160.0)).is_half_domino()
    assert not replace(TILE, at_px=(SIZE_PX - 20.0, 160.0)).is_half_domino()


def test_the_bar_is_measured_as_it_was_painted() -> None:
    ((number, bar),) = bars(TILE.painted(), TILE.outline_px[None], np.array([IVORY]), np.array([BLACK]))
    assert number == 0
    assert bar.contrast == pytest.approx(0.8, abs=0.2)  # blurred, it is not quite as dark as the pips
    assert bar.ends[0] < 0.1
    assert bar.ends[1] < 0.1
    assert bar.shift < 0.02
    assert bar.turn < 0.02


def test_of_several_faces_each_is_told_by_itself() -> None:
    image = TILE.painted()
    elsewhere = replace(TILE, at_px=(60.0, 60.0)).outline_px  # nothing but felt
    outlines, colours = np.stack([elsewhere, TILE.outline_px]), (np.array([IVORY] * 2), np.array([BLACK] * 2))
    assert are_half_dominoes(image, outlines, *colours).tolist() == [False, True]
    assert are_half_dominoes(image, outlines[:0], colours[0][:0], colours[1][:0]).tolist() == []


def _face(pair: Pair, confidence: float) -> Face:
    """The left half as the networks would read it."""
    value = pair.values[0]
    chances = np.zeros(CLASSES)
    chances[[0, value]] = 0.05, 0.95
    pips = pair.places(lattice(value, 0.25).astype(np.float64) - (0.5, 0))
    x, y = pair.outline_px.mean(axis=0).tolist()
    return Face(
        0.7, np.zeros(11), chances, value, True, True, confidence, False, pair.outline_px, pips, (x, y), pair.side_px
    )


@pytest.mark.parametrize(
    ("pair", "confidence", "value", "reason"),
    [
        (TILE, 0.9, None, Unreadable.HALF_DOMINO),
        (TILE, 0.995, 5, None),  # so sure a value is not doubted
        (TILE, 0.2, None, Unreadable.AMBIGUOUS),  # it would not be stated anyway
        (DICE, 0.9, 5, None),
    ],
)
def test_a_value_is_stated_unless_it_lies_on_half_of_a_domino(
    monkeypatch: pytest.MonkeyPatch, pair: Pair, confidence: float, value: int | None, reason: Unreadable | None
) -> None:
    reader = DiceReader()
    seen = _face(pair, confidence)
    monkeypatch.setattr(reader._faces, "read", lambda pyramid, proposals, closely=None: [seen])
    (die,) = reader.read(pair.painted())
    assert (die.value, die.reason) == (value, reason)


def _read(
    monkeypatch: pytest.MonkeyPatch, sweep: str, step: str, number: int
) -> tuple[list[DieReading], list[DieReading], int]:
    """What is read beside dice in a scene without the check for dominoes and with it, and the dice refused for it."""
    found = next(s for w in SWEEPS if w.name == sweep for s in w.steps if s.name == step)
    scene, reader = scene_of(sweep, found, number), DiceReader(threshold=DEFAULT_THRESHOLD)
    after = reader.read(scene.image)
    monkeypatch.setattr(
        "vision.dice.are_half_dominoes", lambda image, outlines, *colours: np.zeros(len(outlines), bool)
    )
    before = reader.read(scene.image)
    on_dice = [each for duty, _, each in judged(scene, after) if duty is not None and each is not None]
    beside = [[e for d, _, e in judged(scene, dice) if d is None and e is not None] for dice in (before, after)]
    return beside[0], beside[1], sum(die.reason is Unreadable.HALF_DOMINO for die in on_dice)


def test_rendered_dominoes_are_named_instead_of_given_values(monkeypatch: pytest.MonkeyPatch) -> None:
    before, after, _ = _read(monkeypatch, "clutter", "domino", 0)
    stated = sum(die.value is not None for die in before)
    named = [die for die in after if die.reason is Unreadable.HALF_DOMINO]
    assert stated >= 2, "the scene shows nothing that could be told apart"
    assert len(named) >= stated / 2
    assert all(die.value is None for die in named)


@pytest.mark.parametrize(("sweep", "step"), [("touching", "triples"), ("both polarities", "touching")])
def test_rendered_dice_that_touch_are_not(monkeypatch: pytest.MonkeyPatch, sweep: str, step: str) -> None:
    _, _, refused = _read(monkeypatch, sweep, step, 0)
    assert refused == 0
