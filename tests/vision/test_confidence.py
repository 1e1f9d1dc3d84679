"""How sure a value is, and how that is learned."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from vision.appearance import Paint
from vision.confidence import CLOSE_WEIGHTS, GLANCE_WEIGHTS, chance
from vision.dice import _is_pip, _reason
from vision.evaluation import expected_calibration_error
from vision.faces import Face
from vision.lattice import pattern
from vision.networks import OTHER_DIE
from vision.training.calibrate import _NEVER_AGAINST, fit, rescaled, scale


def draws(weights: tuple[float, ...], count: int = 4000) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(1)
    evidence = rng.normal(0, 1, (count, len(weights) - 1))
    return evidence, (rng.random(count) < chance(evidence, weights)).astype(float)


def test_the_fit_finds_the_weights_that_made_the_cases() -> None:
    evidence, right = draws((0.5, 1.0, 0.0, 2.0))
    found = fit(evidence, right, np.ones(len(right)), (0, 1, 2))
    assert np.abs(np.array(found) - (0.5, 1.0, 0.0, 2.0)).max() < 0.2


def test_its_chances_are_calibrated() -> None:
    evidence, right = draws((0.2, 1.5, 0.7))
    told = chance(evidence, fit(evidence, right, np.ones(len(right)), (0, 1)))
    for low in (0.0, 0.5, 0.9):
        here = (told >= low) & (told < low + 0.1)
        assert abs(told[here].mean() - right[here].mean()) < 0.06


def test_a_scale_that_is_off_is_found_and_put_right() -> None:
    weights = (0.4, 1.2, 0.7)
    evidence, right = draws(weights)
    shy = rescaled(weights, -0.5, 0.5)
    constant, factor = scale(chance(evidence, shy), right, np.ones(len(right)))
    assert (constant, factor) == pytest.approx((1.0, 2.0), abs=0.2)
    mended = chance(evidence, rescaled(shy, constant, factor))
    stated = list(zip(chance(evidence, shy).tolist(), right.tolist(), strict=True))
    assert expected_calibration_error(stated) > 0.08
    assert expected_calibration_error(list(zip(mended.tolist(), right.tolist(), strict=True))) < 0.02


def test_a_set_that_weighs_nothing_does_not_count_in_the_scale() -> None:
    evidence, right = draws((0.4, 1.2, 0.7))
    chances = chance(evidence, (0.4, 1.2, 0.7))
    contrary = np.concatenate([right, 1 - right])
    found = scale(np.tile(chances, 2), contrary, np.repeat([1.0, 0.0], len(right)))
    assert found == pytest.approx((0.0, 1.0), abs=0.1)
    assert scale(np.tile(chances, 2), contrary, np.ones(len(contrary)))[1] < 0.2


def test_scaled_chances_keep_their_order() -> None:
    evidence, _ = draws(GLANCE_WEIGHTS, 200)
    before, after = chance(evidence, GLANCE_WEIGHTS), chance(evidence, rescaled(GLANCE_WEIGHTS, 0.3, 1.7))
    assert (np.argsort(before) == np.argsort(after)).all()


def test_evidence_that_would_count_against_a_value_by_chance_is_left_out() -> None:
    evidence, right = draws((0.0, 1.0, -0.8))
    assert fit(evidence, right, np.ones(len(right)), (0, 1))[2] == 0
    assert fit(evidence, right, np.ones(len(right)), (0,))[2] < -0.5


def test_more_evidence_never_makes_a_shipped_confidence_smaller() -> None:
    for name, weights in (("GLANCE", GLANCE_WEIGHTS), ("CLOSE", CLOSE_WEIGHTS)):
        assert all(weights[1 + k] >= 0 for k in _NEVER_AGAINST[name])


@pytest.mark.parametrize(
    ("sure", "other_die", "stated"),
    [(0.95, 0.2, True), (0.6, 0.2, False), (0.6, 0.05, True), (0.95, 0.35, False)],
)
def test_a_sure_value_bears_more_doubt_whether_it_is_a_pip_die_at_all(
    sure: float, other_die: float, stated: bool
) -> None:
    chances = np.eye(8)[4] * (1 - other_die) + np.eye(8)[OTHER_DIE] * other_die
    four = replace(face(100, 100, 40, 4, sure=sure), chances=chances)
    paint = Paint("white", "black", (220, 220, 220), (20, 20, 20), pips_show=True)
    picture = np.full((200, 200, 3), 90, np.uint8)
    assert (_reason(picture, four, (80, 80, 120, 120), paint, confident=True) is None) == stated


def face(x: float, y: float, side: float, value: int, *, fits: bool = True, sure: float = 0.9) -> Face:
    square = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])
    return Face(
        score=0.5, evidence=np.zeros(1), chances=np.eye(8)[value], value=value, agreed=True, fits=fits,
        confidence=sure, glanced=False, outline_px=square * side + (x, y), pips_px=pattern(value, 0.25) * side + (x, y),
        centre_px=(x, y), side_px=side,
    )  # fmt: skip


def test_what_lies_on_a_pip_of_a_much_larger_face_is_that_pip() -> None:
    domino = face(100, 100, 100, 4)
    glint = face(125, 76, 16, 2, sure=0.6)
    assert _is_pip(glint, [domino, glint])


def test_dice_that_lie_like_pips_are_dice_when_they_are_surer_than_the_face_they_would_make() -> None:
    dice = [face(x, y, 16, 2, sure=0.99) for x, y in (pattern(5, 0.25) * 100 + 100).tolist()]
    heap = face(100, 100, 100, 5, sure=0.1)
    assert not any(_is_pip(die, [*dice, heap]) for die in dice)
    assert all(_is_pip(face(*die.centre_px, 16, 2, sure=0.05), [heap]) for die in dice)


def test_a_small_die_beside_the_pips_or_on_a_face_that_does_not_fit_is_a_die() -> None:
    beside = face(100, 140, 16, 2, sure=0.6)
    assert not _is_pip(beside, [face(100, 100, 100, 4), beside])
    assert not _is_pip(face(125, 76, 16, 2, sure=0.6), [face(100, 100, 100, 4, fits=False)])
    assert not _is_pip(face(125, 76, 45, 2, sure=0.6), [face(100, 100, 100, 4)])


def test_a_die_that_looks_like_the_pip_of_an_empty_square_or_shows_more_than_glints_is_a_die() -> None:
    assert not _is_pip(face(100, 100, 16, 2, sure=0.6), [face(100, 100, 100, 1)])
    assert not _is_pip(face(125, 76, 16, 5, sure=0.6), [face(100, 100, 100, 4)])
