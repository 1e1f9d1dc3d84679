"""Dice of one seat are told from another's in other light than the one they were learned in, or are nobody's."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass
from itertools import product
from typing import Any, Final

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from device.clock import ManualClock
from device.simulated import Lamp, SimulatedTable
from device.simulated.bodies import LOOKS
from vision.appearance import paints
from vision.light import encoded, linear, paper_white
from vision.markers import MarkerReader, marker_image
from vision.readings import MarkerReading
from vision.seat_colours import (
    APART,
    SURE,
    DieColour,
    Lights,
    SeatColour,
    Whose,
    alike,
    distance,
    learned,
    lights_for,
    whose,
)

MANY: Final = bool(os.environ.get("TABLETOP_MANY_COLOURS"))
"""All lamps at every white balance and several throws; else a part of them."""

LAMPS: Final = {
    "warm": Lamp(2700, 0.9, 0.5),
    "neutral": Lamp(5500, 0.9, 0.5),
    "cold": Lamp(8000, 0.9, 0.5),
    "dim": Lamp(4000, 0.3, 0.5),
    "coloured LED": Lamp(5000, 0.8, 0.5, 1.2),
}
if MANY:
    LAMPS.update({"warm, not balanced": Lamp(2700, 0.9, 0.0), "cold and dim": Lamp(8000, 0.3, 0.2)})
USUAL: Final = ("red", "blue", "green", "yellow", "white", "black")
HARD: Final = ("orange", "red", "purple", "blue", "yellow", "green")
PATTERN: Final = {
    1: [(0.0, 0.0)],
    4: [(-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0)],
    5: [(-1.0, -1.0), (1.0, -1.0), (0.0, 0.0), (-1.0, 1.0), (1.0, 1.0)],
}
"""Values whose pips lie the same however the face is turned."""
PIP_STEP: Final = 0.256
"""From the middle of a face to a pip in x and in y, in sides of the face."""

White = tuple[float, float, float] | None


@dataclass(frozen=True)
class Seen:
    """The dice of each seat as their pixels have them, and white."""

    dice: dict[int, list[DieColour]]
    white: White


def pips_px(value: int, outline: Any) -> Any:
    """Pip centres (value, 2) of a face of PATTERN with the outline (4, 2), in px."""
    across, down = outline[1] - outline[0], outline[3] - outline[0]
    offsets = np.array(PATTERN[value]) * PIP_STEP
    return outline.mean(axis=0) + offsets[:, :1] * across + offsets[:, 1:] * down


class Table:
    """A rendered table of six seats; the outlines are the true ones, the colours are measured in the picture."""

    def __init__(self, looks: tuple[str, ...], seed: int) -> None:
        self.clock = ManualClock()
        self.table = SimulatedTable(self.clock, 6, seed=seed)
        for seat, look in enumerate(looks, start=1):
            self.table.take_dice(seat, look)
        self.throw(seed)

    def throw(self, seed: int) -> None:
        """Throw all dice to other places of their zones."""
        rng = np.random.default_rng(seed)
        rest = [self.table.throw(seat, faces=rng.choice([1, 4, 5], 6).tolist()) for seat in self.table.seats]
        self.clock.advance_to(max(rest) + 700_000_000)

    def seen(self, lamp: Lamp, *, paper: bool = True) -> Seen:
        """The table in the light of a lamp."""
        self.table.light(lamp)
        picture = self.table.render(self.clock.now_ns())
        truth = self.table.dice_truth()
        outlines = np.array([die.top_px for die in truth])
        pips = [pips_px(die.value or 0, outline) for die, outline in zip(truth, outlines, strict=True)]
        dice: dict[int, list[DieColour]] = {}
        for die, paint in zip(truth, paints(picture, outlines, pips), strict=True):
            dice.setdefault(die.seat, []).append(DieColour(paint.colour_bgr, paint.pip_bgr))
        white = paper_white(picture, MarkerReader().read(picture)) if paper else None
        assert white is not None or not paper
        return Seen(dice, white)


def learn(seen: Seen) -> dict[int, SeatColour]:
    return {seat: learned(dice, seen.white) for seat, dice in seen.dice.items()}


def judged(seen: Seen, seats: dict[int, SeatColour]) -> list[tuple[int, Whose]]:
    """Each die with the seat that it truly is of."""
    true = [seat for seat, dice in seen.dice.items() for _ in dice]
    dice = [die for each in seen.dice.values() for die in each]
    lights = lights_for(seats, dice, seen.white)
    return list(zip(true, whose(dice, seats, lights, alike(seats, seen.white)), strict=True))


def tally(looks: tuple[str, ...], *, paper: bool = True) -> Counter[str]:
    """Right, refused and wrong over every pair of lamps, one to learn in and one to tell in."""
    counts: Counter[str] = Counter()
    for seed in range(4 if MANY else 1):
        table = Table(looks, seed)
        then = {name: table.seen(lamp, paper=paper) for name, lamp in LAMPS.items()}
        table.throw(100 + seed)
        now = {name: table.seen(lamp, paper=paper) for name, lamp in LAMPS.items()}
        for learned_in, told_in in product(LAMPS, LAMPS):
            for true, found in judged(now[told_in], learn(then[learned_in])):
                counts["refused" if found.seat is None else "right" if found.seat == true else "wrong"] += 1
    print(looks, "with paper" if paper else "without paper", dict(counts))
    return counts


def test_the_usual_six_are_told_apart_in_any_light_by_the_white_of_the_markers() -> None:
    counts = tally(USUAL)
    assert counts.total() >= 900
    assert counts["wrong"] == 0
    assert counts["right"] >= 0.97 * counts.total()


def test_without_paper_the_dice_tell_the_light_and_what_is_not_sure_is_refused() -> None:
    counts = tally(USUAL, paper=False)
    assert counts["wrong"] == 0
    assert counts["right"] >= 0.8 * counts.total()


def test_hard_colours_are_told_apart_or_refused_but_never_wrong() -> None:
    counts = tally(HARD)
    assert counts["wrong"] == 0
    assert counts["right"] >= 0.9 * counts.total()


@pytest.mark.parametrize(("one", "other"), [("scarlet", "red"), ("cream", "white"), ("dark green", "black")])
def test_colours_that_cannot_be_told_apart_are_named_and_their_dice_are_nobodys(one: str, other: str) -> None:
    table = Table((one, other, "blue", "green", "yellow", "purple"), 3)
    seats = learn(table.seen(LAMPS["neutral"]))
    assert (1, 2) in alike(seats, table.seen(LAMPS["warm"]).white)
    found = judged(table.seen(LAMPS["warm"]), seats)
    assert {each.seat for true, each in found if true in (1, 2)} == {None}
    assert {(each.why, each.among) for true, each in found if true in (1, 2)} == {("alike", (1, 2))}
    assert all(each.seat == true for true, each in found if true > 2)


def test_dice_of_no_seat_are_not_forced_upon_one() -> None:
    table = Table(USUAL, 4)
    seats = learn(table.seen(LAMPS["neutral"]))
    strangers = {number: seats.pop(number) for number in (2, 4)}
    assert strangers
    for name in LAMPS:
        for true, found in judged(table.seen(LAMPS[name]), seats):
            assert found.seat == (true if true in seats else None), (name, true, found)


def test_the_darker_the_light_the_more_colours_are_alike() -> None:
    table = Table(USUAL, 5)
    seats = learn(table.seen(LAMPS["neutral"]))
    bright, dark = (190.0, 190.0, 190.0), (24.0, 24.0, 24.0)
    gaps = [distance(seats[2], seats[6], white) for white in (bright, dark)]
    assert gaps[0] > APART
    assert gaps[1] < gaps[0]


# --- white paper


def _sheet(level: tuple[int, int, int]) -> tuple[Any, MarkerReading]:
    marker = cv2.cvtColor(marker_image(7, 100), cv2.COLOR_GRAY2BGR).astype(float) / 255
    picture = np.full((200, 200, 3), 60, np.uint8)
    picture[40:140, 40:140] = (marker * level).astype(np.uint8)
    return picture, MarkerReading(7, ((50.0, 50.0), (129.0, 50.0), (129.0, 129.0), (50.0, 129.0)))


def test_white_is_that_of_the_paper_around_a_marker() -> None:
    picture, marker = _sheet((120, 160, 200))
    assert paper_white(picture, [marker]) == pytest.approx((120, 160, 200), abs=1)
    assert paper_white(picture, []) is None


def test_a_border_in_half_shadow_tells_no_white() -> None:
    picture, marker = _sheet((200, 200, 200))
    picture[:, :90] = picture[:, :90] // 2
    assert paper_white(picture, [marker]) is None


def test_paper_that_is_blown_out_is_not_taken_for_white() -> None:
    seat = learned([DieColour((40, 34, 186), (230, 230, 230))], (255.0, 255.0, 255.0))
    assert seat.white_bgr is None
    lights = lights_for({1: seat}, [DieColour((40, 34, 186), (230, 230, 230))], (255.0, 255.0, 255.0))
    assert len(lights.weights) > 1


# --- properties

LEVELS = st.integers(30, 225)
BODIES = st.tuples(LEVELS, LEVELS, LEVELS)


@settings(max_examples=60, deadline=None)
@given(body=BODIES, pip=BODIES, gain=st.floats(0.3, 1.0), cast=st.tuples(*[st.floats(0.6, 1.0)] * 3))
def test_a_seat_knows_its_own_dice_whatever_light_the_paper_shows(
    body: tuple[int, int, int], pip: tuple[int, int, int], gain: float, cast: tuple[float, float, float]
) -> None:
    light = np.array(cast) * gain
    seat = learned([DieColour(body, pip)], (230.0, 230.0, 230.0))
    now = DieColour(*(tuple(encoded(linear(each) * light)) for each in (body, pip)))
    white = tuple(encoded(linear((230.0, 230.0, 230.0)) * light))
    (found,) = whose([now], {1: seat}, lights_for({1: seat}, [now], white))
    assert (found.seat, found.confidence >= SURE) == (1, True)


@settings(max_examples=60, deadline=None)
@given(body=BODIES, pip=BODIES, others=st.lists(st.tuples(BODIES, BODIES), min_size=1, max_size=4))
def test_an_answer_is_sure_or_none_and_the_order_of_seats_means_nothing(
    body: tuple[int, int, int], pip: tuple[int, int, int], others: list[Any]
) -> None:
    white = (220.0, 220.0, 220.0)
    seats = {n: learned([DieColour(*each)], white) for n, each in enumerate(others, start=1)}
    turned = dict(reversed(seats.items()))
    dice = [DieColour(body, pip), DieColour(*others[0])]
    found = [whose(dice, each, lights_for(each, dice, white), alike(each, white)) for each in (seats, turned)]
    assert [each.seat for each in found[0]] == [each.seat for each in found[1]]
    for each in found[0]:
        assert 0 <= each.confidence <= 1 + 1e-9
        assert (each.seat is None) == (each.why is not None)
        assert each.seat is None or each.confidence >= SURE
    pairs = alike(seats, white)
    assert found[0][1].seat in {1, None}
    assert found[0][1].seat == 1 or pairs or found[0][1].why == "unsure"


@settings(max_examples=40, deadline=None)
@given(one=st.tuples(BODIES, BODIES), other=st.tuples(BODIES, BODIES))
def test_distance_is_the_same_both_ways_and_none_to_itself(one: Any, other: Any) -> None:
    white = (230.0, 230.0, 230.0)
    a, b = learned([DieColour(*one)], white), learned([DieColour(*other)], white)
    assert distance(a, b) == pytest.approx(distance(b, a))
    assert distance(a, a) == pytest.approx(0, abs=1e-6)


def test_a_seat_needs_dice_with_pips_to_be_learned() -> None:
    with pytest.raises(ValueError, match="at least one die with pips"):
        learned([DieColour((1, 2, 3), None)], None)


def test_weights_of_lights_add_up() -> None:
    seats = {n: learned([DieColour(look.body_bgr, look.pip_bgr)], None) for n, look in enumerate(LOOKS.values())}
    lights = lights_for(seats, [DieColour((40, 34, 186), (236, 240, 242))], None)
    assert isinstance(lights, Lights)
    assert lights.weights.sum() == pytest.approx(1)
