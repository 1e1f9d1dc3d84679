"""Dice in rendered scenes that the networks never saw: the seeds of training are below 5 million."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.dice import DiceReader
from vision.errors import BadImage
from vision.evaluation import match
from vision.readings import COLOURS, DieReading, Unreadable
from vision.training.scenes import Scene, SceneLimits, render_scene
from vision.training.styles import DieStyle, random_style

EASY = SceneLimits(
    side_px=(30, 60),
    tilt_deg=(0, 25),
    dice=(4, 9),
    clutter=0.0,
    hand=0.0,
    degrade=0.4,
    stacked=0.0,
    cocked=0.0,
    other=0.0,
)


@cache
def reader() -> DiceReader:
    return DiceReader()


def plain_style(body: tuple[int, int, int] = (235, 240, 240), pip: tuple[int, int, int] = (20, 20, 20)) -> DieStyle:
    style = random_style(np.random.default_rng(1))
    return replace(
        style,
        body=np.array(body, np.float32),
        pip=np.array(pip, np.float32),
        one_pip=np.array(pip, np.float32),
        four_pip=np.array(pip, np.float32),
        pip_radius=0.095,
        one_radius=0.11,
        pip_spread=0.25,
        six_spread=0.25,
        six_columns=0.25,
        edge_radius=0.1,
        gloss=0.0,
        translucent=0.0,
        marble=0.0,
        grain=0.0,
        ring=False,
        square_pips=False,
        serial=False,
        disc=False,
        straight_two=False,
    )


def labelled(scene: Scene) -> tuple[list[dict[str, object]], list[tuple[float, float, float, float]]]:
    """Labels of the readable dice, and boxes in which nothing counts."""
    labels: list[dict[str, object]] = []
    ignore = []
    for die in scene.dice:
        box = (*die.corners.min(0).tolist(), *die.corners.max(0).tolist())
        if die.readable:
            labels.append({"value": die.value, "box": box})
        else:
            ignore.append(box)
    return labels, ignore


def counts(seeds: range, limits: SceneLimits, size: int = 448) -> dict[str, int]:
    told = dict.fromkeys(("dice", "right", "wrong", "refused", "missed", "invented"), 0)
    for seed in seeds:
        scene = render_scene(np.random.default_rng(seed), size, limits)
        labels, ignore = labelled(scene)
        pairs, left = match(reader().read(scene.image), labels, ignore)
        told["dice"] += len(labels)
        told["missed"] += len(labels) - len(pairs)
        told["invented"] += sum(d.value is not None for d in left)
        for j, die in pairs:
            told["refused" if die.value is None else "right" if die.value == labels[j]["value"] else "wrong"] += 1
    return told


@pytest.mark.parametrize("side_px", [24, 60, 150, 330])
def test_the_same_settings_read_small_and_large_faces(side_px: int) -> None:
    """One scene, shown at many sizes."""
    scene = render_scene(
        np.random.default_rng(5_200_003), 448, replace(EASY, side_px=(60, 60), dice=(4, 5), degrade=0.2)
    )
    labels, ignore = labelled(scene)
    zoom = side_px / 60
    image = cv2.resize(
        scene.image, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_AREA if zoom < 1 else cv2.INTER_CUBIC
    )
    scaled = [{"value": die["value"], "box": [zoom * v for v in die["box"]]} for die in labels]  # type: ignore[attr-defined]
    pairs, _ = match(reader().read(image), scaled, [tuple(zoom * v for v in b) for b in ignore])  # type: ignore[misc]
    assert len(pairs) == len(labels)
    assert [d.value for _, d in pairs].count(None) <= 1
    assert all(d.value in (None, scaled[j]["value"]) for j, d in pairs)


def test_plain_grounds_without_dice_give_no_value() -> None:
    told = counts(range(5_400_000, 5_400_025), SceneLimits(dice=(0, 0), clutter=0.0, hand=0.3))
    assert told["invented"] <= 1, told


def single(value: int, seed: int = 5, **changes: object) -> tuple[np.ndarray, Scene]:
    limits = replace(
        EASY, style=plain_style(), values=(value,), dice=(1, 1), side_px=(60, 60), tilt_deg=(0, 8), degrade=0.0
    )
    for attempt in range(200):
        scene = render_scene(np.random.default_rng(6_000_000 + seed * 1000 + attempt), 320, replace(limits, **changes))  # type: ignore[arg-type]
        if len(scene.dice) == 1 and scene.dice[0].readable:
            c = scene.dice[0].corners.mean(0)
            if (c > 90).all() and (c < 230).all():
                return scene.image, scene
    raise AssertionError("no scene with the die in the middle")


def only(image: np.ndarray) -> DieReading:
    dice = reader().read(image)
    assert len(dice) == 1, dice
    return dice[0]


@pytest.mark.parametrize("value", range(1, 7))
def test_a_clear_die_is_read_with_its_evidence(value: int) -> None:
    image, scene = single(value)
    die = only(image)
    truth = scene.dice[0]
    assert (die.value, die.reason) == (value, None)
    assert die.confidence >= reader().threshold
    assert len(die.pips_px) == value
    apart = np.linalg.norm(np.array(die.pips_px)[:, None] - truth.pips[None], axis=2)
    assert apart.min(axis=1).max() < 6
    corners = np.linalg.norm(np.array(die.outline_px)[:, None] - truth.corners[None], axis=2)
    assert corners.min(axis=1).max() < 13
    assert cv2.contourArea(np.array(die.outline_px, np.float32), oriented=True) > 0
    assert abs(die.side_px - 60) < 15
    assert (die.colour, die.pip_colour) == ("white", "black")
    assert set(reader().stage_ms) == {"dice.proposals", "dice.faces", "dice.looks"}


@pytest.mark.parametrize("value", range(2, 7))
def test_painting_over_a_pip_never_leaves_the_old_value(value: int) -> None:
    image, scene = single(value, seed=8)
    die = only(image)
    assert die.value == value
    colour = die.colour_bgr
    truth = scene.dice[0]
    for k in range(value):
        painted = image.copy()
        x, y = truth.pips[k]
        cv2.circle(painted, (round(float(x)), round(float(y))), 9, colour, -1, cv2.LINE_AA)
        for die in reader().read(painted):
            assert die.value != value, f"pip {k} of {value} painted over and still read"


@pytest.mark.parametrize(
    ("body", "name"),
    [
        ((40, 30, 210), "red"),
        ((200, 90, 20), "blue"),
        ((60, 160, 40), "green"),
        ((30, 215, 240), "yellow"),
        ((25, 25, 25), "black"),
        ((240, 240, 240), "white"),
    ],
)
def test_colours_are_named(body: tuple[int, int, int], name: str) -> None:
    pip = (20, 20, 20) if sum(body) > 450 or name == "yellow" else (245, 245, 245)
    image, _ = single(5, seed=11, style=plain_style(body, pip))
    die = only(image)
    assert die.colour == name
    assert die.colour in COLOURS
    assert die.pip_colour == ("black" if pip[0] < 100 else "white")


@pytest.mark.parametrize("value", [1, 3, 6])
def test_any_turn_of_the_picture_gives_the_same_value(value: int) -> None:
    image, scene = single(value, seed=14)
    place = (*(scene.dice[0].corners.mean(axis=0) + 80), 1.0)
    padded = cv2.copyMakeBorder(image, 80, 80, 80, 80, cv2.BORDER_REPLICATE)
    values = []
    for degrees in range(0, 360, 15):
        matrix = cv2.getRotationMatrix2D((240, 240), degrees, 1.0)
        turned = cv2.warpAffine(padded, matrix, (480, 480), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
        seen = [die for die in reader().read(turned) if np.hypot(*(die.centre_px - matrix @ place)) < 20]
        assert len(seen) == 1
        values.append(seen[0].value)
    assert set(values) <= {value, None}
    assert values.count(value) >= 23


def test_a_die_cut_by_the_edge_is_not_read_and_said_to_be_cut() -> None:
    image, scene = single(5, seed=17)
    x0 = int(scene.dice[0].corners[:, 0].min())
    whole = reader().read(image[:, max(0, x0 - 25) :].copy())
    assert [d.value for d in whole] == [5]
    for cut in (14, 22, 30):
        for die in reader().read(np.ascontiguousarray(image[:, x0 + cut :])):
            assert die.value is None
            if die.side_px > 45:
                assert die.reason is Unreadable.CUT_OFF


def test_grey_images_are_read_too() -> None:
    image, _ = single(4, seed=20)
    assert only(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)).value == 4


def test_a_higher_threshold_states_less_and_nothing_else() -> None:
    scene = render_scene(np.random.default_rng(5_300_001), 448, replace(EASY, degrade=1.0))
    low, high = DiceReader(threshold=0.0).read(scene.image), DiceReader(threshold=1.0).read(scene.image)
    assert [d.outline_px for d in low] == [d.outline_px for d in high]
    assert sum(d.value is not None for d in high) <= sum(d.value is not None for d in low)
    assert all(d.confidence >= 0.9 for d in high if d.value is not None)


@pytest.mark.parametrize("threshold", [-0.1, 1.1, float("nan")])
def test_a_threshold_is_a_chance(threshold: float) -> None:
    with pytest.raises(ValueError, match="0 to 1"):
        DiceReader(threshold=threshold)


@settings(max_examples=25, deadline=None)
@given(
    height=st.integers(1, 300),
    width=st.integers(1, 300),
    kind=st.sampled_from(["noise", "flat", "lines", "checks"]),
    seed=st.integers(0, 99),
)
def test_no_picture_crashes_the_reader(height: int, width: int, kind: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    image = np.zeros((height, width, 3), np.uint8) + rng.integers(0, 256, 3).astype(np.uint8)
    if kind == "noise":
        image = rng.integers(0, 256, (height, width, 3)).astype(np.uint8)
    elif kind == "lines":
        image[:: int(rng.integers(1, 9))] = 255
    elif kind == "checks":
        image[(np.add.outer(np.arange(height), np.arange(width)) // 7) % 2 == 0] = 200
    if min(height, width) < 16:
        with pytest.raises(BadImage):
            reader().read(image)
        return
    for die in reader().read(image):
        assert (die.value is None) == (die.reason is not None)
        assert 0 <= die.confidence <= 1
        assert len(die.outline_px) == 4
