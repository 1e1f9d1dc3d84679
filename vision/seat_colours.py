"""Whose die is it, by the colours of its body and pips: learned from dice that are shown, told again in other light.

A learned seat is two colours relative to white. What may happen to a colour between two looks is known in kind: it
lies in more or less shade, the light is not quite the one that was measured, gloss adds white, the sensor adds grain.
Each of these moves the colour along a known direction, which gives each seat an ellipsoid in CIELAB; a die goes to the
seat whose ellipsoid it lies in, when it lies in no other's. Where no paper shows what white is, all dice together
tell it: the lights that explain them best are all kept, each with its weight.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from vision.light import encoded, linear

__all__ = [
    "APART",
    "SURE",
    "DieColour",
    "Lights",
    "SeatColour",
    "Whose",
    "alike",
    "distance",
    "learned",
    "lights_for",
    "spread_of",
    "whose",
]

Array = NDArray[Any]
Bgr = tuple[float, float, float]
Why = Literal["foreign", "alike", "unsure"]

SURE: Final = 0.99
"""A die is a seat's when the chance that it is is at least this; otherwise it is nobody's, never a guess."""
APART: Final = 6.0
"""Two seats are told apart when their colours lie so many standard deviations apart: then about 1.3 % of their dice
stay unsure and 1 in 10,000 would go to the wrong one at SURE (normal spread). Seats that are nearer are alike."""

_SHADE: Final = 0.20
"""Spread of the brightness of a die against the paper, as a share: lamps fall off over a table."""
_CAST: Final = 0.06
"""Spread of one channel against the others, as a share: measured white, coloured walls, filters of the sensor."""
_GLOSS: Final = 0.010
"""Spread of the white that a shining surface adds, against paper."""
_GRAIN: Final = 1.6
"""Spread of a level, 0..255, of the median of a face."""
_BASE: Final = np.diag([2.0, 1.6, 1.6]) ** 2
"""Spread in CIELAB units of dice of one set."""
_PIP_MIX: Final = 0.12
"""Spread of the share of the body's colour in what is measured of a pip: small pips are blurred."""
_PIP_BASE: Final = np.diag([5.0, 3.0, 3.0]) ** 2
_FOREIGN: Final = 0.02
"""How often a die on the table is nobody's, before anything is seen of it."""
_GAMUT: Final = 8.2e5
"""Volume of all colours in CIELAB: what is nobody's may have any of them."""
_FARTHEST: Final = (5.0, 6.0)
"""Standard deviations beyond which a die is nobody's, of its body alone, and of body and pips."""
_BLOWN: Final = 250.0
_LIKELIEST: Final = 24
"""So many lights are kept when the dice themselves must tell the light."""

_TO_XYZ: Final = (
    np.array([[0.1805, 0.3576, 0.4124], [0.0722, 0.7152, 0.2126], [0.9505, 0.1192, 0.0193]])
    / np.array([0.9505, 1.0, 1.089])[:, None]
)
"""From light (B, G, R) to X, Y, Z of sRGB, each against that of white."""


@dataclass(frozen=True, slots=True)
class DieColour:
    """The median colours of one die in levels 0..255 (B, G, R); `pip_bgr` None where no pip was measured."""

    body_bgr: Bgr
    pip_bgr: Bgr | None


@dataclass(frozen=True, slots=True)
class SeatColour:
    """The dice of a seat as they were learned: light (B, G, R) of bodies and of pips against white paper, about 0..1.

    `white_bgr` is what paper was then, in levels; None when no paper was in view: `body` and `pips` are then against
    level 255, in the light of that moment.
    """

    body: Bgr
    pips: Bgr
    white_bgr: Bgr | None


@dataclass(frozen=True, slots=True, eq=False)
class Lights:
    """What white may be now: `whites` (k, 3) as light (B, G, R), with `weights` (k,) that add up to 1."""

    whites: Array
    weights: Array


@dataclass(frozen=True, slots=True)
class Whose:
    """The seat of a die with the chance that it is, or None with the reason why it is nobody's.

    "foreign": like no seat's; "alike": of seats that cannot be told apart, named in `among`; "unsure": between seats.
    """

    seat: int | None
    confidence: float
    why: Why | None = None
    among: tuple[int, ...] = ()


def learned(dice: Sequence[DieColour], white_bgr: Bgr | None) -> SeatColour:
    """The colour of a seat from looks at its dice.

    Raises ValueError when no dice are given, or none with pips.
    """
    pips = [die.pip_bgr for die in dice if die.pip_bgr is not None]
    if not pips:
        raise ValueError("A seat is learned from at least one die with pips: got none.")
    white = _known(white_bgr)
    paper = linear(white) if white is not None else np.ones(3)
    body = np.median(linear([die.body_bgr for die in dice]), axis=0) / paper
    pip = np.median(linear(pips), axis=0) / paper
    return SeatColour(_bgr(body), _bgr(pip), white)


def spread_of(die: DieColour, seat: SeatColour) -> float:
    """How far a die lies from the colours of a seat, seen in the same light, in standard deviations of its body."""
    seats, white = _against_one_white([seat])
    model = _Model(seats, Lights(white[None], np.ones(1)))
    return sqrt(float(model.body_distance(np.array([die.body_bgr]))[0, 0, 0]))


def distance(one: SeatColour, other: SeatColour, white_bgr: Bgr | None = None) -> float:
    """How far two seats lie apart, in standard deviations of their dice, in the light of now.

    `white_bgr` is what paper is now, in levels (a dim light makes more of the grain); None: as when they were learned.
    """
    seats, then = _against_one_white([one, other])
    white = _known(white_bgr)
    now = then if white is None or one.white_bgr is None or other.white_bgr is None else linear(white)
    model = _Model(seats, Lights(now[None], np.ones(1)))
    total = 0.0
    for means, spreads in ((model.body, model.body_spread), (model.pip, model.pip_spread)):
        gap = means[0, 0] - means[1, 0]
        total += float(gap @ np.linalg.solve((spreads[0, 0] + spreads[1, 0]) / 2, gap))
    return sqrt(total)


def alike(seats: Mapping[int, SeatColour], white_bgr: Bgr | None = None) -> tuple[tuple[int, int], ...]:
    """The pairs of seats that cannot be told apart reliably, in the light of now (see `distance`)."""
    numbers = sorted(seats)
    return tuple(
        (one, other)
        for rank, one in enumerate(numbers)
        for other in numbers[rank + 1 :]
        if distance(seats[one], seats[other], white_bgr) < APART
    )


def lights_for(seats: Mapping[int, SeatColour], dice: Sequence[DieColour], white_bgr: Bgr | None) -> Lights:
    """What white is now: the paper's, when it is measured and was when the seats were learned.

    Otherwise the lights, from candle to blue sky and from a fifth of the brightness to three times as much, that
    explain all the dice best.
    """
    white = _known(white_bgr)
    if white is not None and all(seat.white_bgr is not None for seat in seats.values()):
        return Lights(linear([white]), np.ones(1))
    models, start = _against_one_white(list(seats.values()))
    if not dice or not seats:
        return Lights(start[None], np.ones(1))
    whites, prior = _candidates()
    lights = Lights(whites * start, prior)
    scores = np.log(prior) + _log_of_sum(_densities(models, dice, lights)).sum(axis=1)
    best = np.argsort(scores)[::-1][:_LIKELIEST]
    weights = np.exp(scores[best] - scores[best[0]])
    return Lights(lights.whites[best], weights / weights.sum())


def whose(
    dice: Sequence[DieColour],
    seats: Mapping[int, SeatColour],
    lights: Lights,
    pairs: Sequence[tuple[int, int]] = (),
) -> list[Whose]:
    """Whose each of the dice is, under the lights that there may be. `pairs` are seats that are `alike`."""
    numbers = list(seats)
    if not numbers or not dice:
        return [Whose(None, 0.0, "foreign")] * len(dice)
    densities = _densities(_against_one_white(list(seats.values()))[0], dice, lights)
    chances = np.exp(densities - _log_of_sum(densities)[..., None])
    chances = np.tensordot(lights.weights, chances, axes=1)  # (dice, seats + 1)
    return [_decided(row, numbers, pairs) for row in chances]


def _against_one_white(seats: list[SeatColour]) -> tuple[list[SeatColour], Array]:
    """The seats with all colours against the same white, and that white as light (3,).

    White of a seat that was learned without paper is what it was for the others; when it was for none, it is taken
    to be as bright as the brightest colour of them all.
    """
    known = [linear(seat.white_bgr) for seat in seats if seat.white_bgr is not None]
    if len(known) == len(seats) > 0:
        return seats, np.median(known, axis=0)
    brightest = max((max(*seat.body, *seat.pips) for seat in seats), default=1.0)
    white = np.median(known, axis=0) if known else np.full(3, brightest)
    against = [
        seat
        if seat.white_bgr is not None
        else SeatColour(_bgr(np.array(seat.body) / white), _bgr(np.array(seat.pips) / white), None)
        for seat in seats
    ]
    return against, white


def _decided(chances: Array, numbers: list[int], pairs: Sequence[tuple[int, int]]) -> Whose:
    best = int(np.argmax(chances))
    if best == len(numbers):
        return Whose(None, float(chances[best]), "foreign")
    seat = numbers[best]
    among = sorted({each for pair in pairs if seat in pair for each in pair})
    if among:
        together = float(sum(chances[numbers.index(each)] for each in among))
        return Whose(None, together, "alike", tuple(among))
    confidence = float(chances[best])
    if confidence >= SURE:
        return Whose(seat, confidence)
    if chances[-1] >= 1 - SURE and chances[:-1].sum() - confidence < 1 - SURE:
        return Whose(None, float(chances[-1]), "foreign")
    return Whose(None, confidence, "unsure")


class _Model:
    """Where the dice of seats lie in CIELAB under lights: means (seats, lights, 3) and spreads (…, 3, 3)."""

    def __init__(self, seats: Sequence[SeatColour], lights: Lights) -> None:
        self._whites = lights.whites
        body = self._seen(np.array([seat.body for seat in seats]))
        pip = self._seen(np.array([seat.pips for seat in seats]))
        self.body, self.pip = _lab(body), _lab(pip)
        self.body_spread = self._spread(body) + _BASE
        mixed = (_lab(pip * (1 - _PIP_MIX) + body * _PIP_MIX) - self.pip)[..., None]
        self.pip_spread = self._spread(pip) + _PIP_BASE + mixed @ np.swapaxes(mixed, -1, -2)

    def _seen(self, colours: Array) -> Array:
        """Colours (seats, 3) against white as a sensor that blows out at 1 has them: (seats, lights, 3)."""
        return np.asarray(np.minimum(colours[:, None] * self._whites, 1.0) / self._whites)

    def _spread(self, colours: Array) -> Array:
        step = 1e-3 * np.maximum(colours, 0.02)
        slope = np.stack(
            [
                (_lab(colours + np.eye(3)[k] * step) - _lab(colours - np.eye(3)[k] * step)) / (2 * step[..., k, None])
                for k in range(3)
            ],
            axis=-1,
        )  # (…, Lab, BGR)
        shade = slope @ (colours * _SHADE)[..., None]
        gloss = slope @ np.full((3, 1), _GLOSS)
        levels = np.maximum(encoded(colours * self._whites), 4.0)
        grain = 2.2 * linear(levels) / levels * _GRAIN / self._whites
        own = slope * np.sqrt(np.square(colours * _CAST) + np.square(grain))[..., None, :]
        return np.asarray(sum(each @ np.swapaxes(each, -1, -2) for each in (shade, gloss, own)))

    def body_distance(self, bgr: Array) -> Array:
        """Squared distances (seats, lights, dice) of bodies (dice, 3) in levels."""
        return self._squared(bgr, self.body, self.body_spread)

    def pip_distance(self, bgr: Array) -> Array:
        """The same of pips."""
        return self._squared(bgr, self.pip, self.pip_spread)

    def _squared(self, bgr: Array, means: Array, spreads: Array) -> Array:
        lab = _lab(linear(bgr)[None] / self._whites[:, None])  # (lights, dice, 3)
        gap = lab[None] - means[:, :, None]
        return np.asarray(np.einsum("skdi,skij,skdj->skd", gap, np.linalg.inv(spreads), gap))


def _densities(seats: Sequence[SeatColour], dice: Sequence[DieColour], lights: Lights) -> Array:
    """Logarithms (lights, dice, seats + 1) of how likely each die is as a seat's and, last, as nobody's."""
    model = _Model(seats, lights)
    has_pips = np.array([die.pip_bgr is not None for die in dice])
    body = model.body_distance(np.array([die.body_bgr for die in dice], float))
    pips = model.pip_distance(np.array([die.pip_bgr or die.body_bgr for die in dice], float))
    squared = body + np.where(has_pips, pips, 0)
    scale = -0.5 * np.linalg.slogdet(2 * np.pi * model.body_spread)[1][..., None]
    scale = scale - 0.5 * np.linalg.slogdet(2 * np.pi * model.pip_spread)[1][..., None] * has_pips
    farthest = np.where(has_pips, _FARTHEST[1], _FARTHEST[0]) ** 2
    own = np.log((1 - _FOREIGN) / len(seats)) + scale - 0.5 * squared
    own = np.where((squared > farthest) | (body > _FARTHEST[0] ** 2), -np.inf, own)
    nobody = np.log(_FOREIGN) - np.log(_GAMUT) * (1 + has_pips)
    nobody = np.broadcast_to(nobody, (1, *own.shape[1:]))
    return np.moveaxis(np.concatenate([own, nobody]), 0, -1)


def _candidates() -> tuple[Array, Array]:
    """Lights (k, 3) against the one of the learning, with how likely each is by itself."""
    warmth, tint, brightness = np.meshgrid(np.linspace(-1, 1, 17), (-0.1, 0.0, 0.1), np.linspace(-1.8, 1.1, 25))
    logs = brightness[..., None] + warmth[..., None] * (1.2, 0.1, -0.5) + tint[..., None] * (-0.5, 1.0, -0.5)
    prior = -0.5 * (np.square(warmth / 0.5) + np.square(tint / 0.1) + np.square(brightness / 0.8))
    weights = np.exp(prior).ravel()
    return np.exp(logs.reshape(-1, 3)), weights / weights.sum()


def _lab(light: Array) -> Array:
    """CIELAB (…, 3) of light (B, G, R) against white (…, 3)."""
    xyz = np.maximum(light @ _TO_XYZ.T, 0)
    root = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    x, y, z = root[..., 0], root[..., 1], root[..., 2]
    return np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], axis=-1)


def _log_of_sum(logs: Array) -> Array:
    most = logs.max(axis=-1)
    return np.asarray(most + np.log(np.exp(logs - most[..., None]).sum(axis=-1)))


def _known(white_bgr: Bgr | None) -> Bgr | None:
    """White that was measured; None when a channel is blown out, for then nobody knows how bright it is."""
    return None if white_bgr is None or max(white_bgr) >= _BLOWN else white_bgr


def _bgr(light: Array) -> Bgr:
    b, g, r = (float(v) for v in light)
    return (b, g, r)
