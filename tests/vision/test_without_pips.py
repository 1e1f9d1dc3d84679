"""Dice that are not pip dice: told as such before anything else, and never given a value."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from vision.dice import DiceReader
from vision.faces import Face
from vision.networks import CLASSES, OTHER_DIE
from vision.readings import DieReading, Unreadable
from vision.training.other_dice import MARKS, SHAPES
from vision.training.scenes import SceneLimits, render_scene
from vision.training.styles import DieStyle, random_style

SIDE_PX = 40.0
FIRST_SEED = 8_100_000


def face(
    chances: dict[int, float],
    *,
    value: int = 4,
    confidence: float = 0.02,
    fits: bool = False,
    centre_px: tuple[float, float] = (100.0, 100.0),
    side_px: float = SIDE_PX,
) -> Face:
    """A face of which the networks said this; what is left of the chances goes to "no face"."""
    all_chances = np.zeros(CLASSES)
    for kind, chance in chances.items():
        all_chances[kind] = chance
    all_chances[0] += 1 - all_chances.sum()
    x, y = centre_px
    outline = np.array([(x - 1, y - 1), (x + 1, y - 1), (x + 1, y + 1), (x - 1, y + 1)])
    outline = np.array(centre_px) + (outline - centre_px) * side_px / 2
    pips = np.array([(x, y)]) if fits else np.zeros((0, 2))
    return Face(0.7, np.zeros(11), all_chances, value, True, fits, confidence, False, outline, pips, centre_px, side_px)


def read_of(
    monkeypatch: pytest.MonkeyPatch, seen: Face, *, image_value: int = 128, threshold: float = 0.9
) -> DieReading:
    """What is said of this face in a plain picture that shows its pips."""
    reader = DiceReader(threshold=threshold)
    monkeypatch.setattr(reader._faces, "read", lambda pyramid, proposals, closely=None: [seen])
    image = np.full((200, 200, 3), image_value, np.uint8)
    for x, y in np.rint(seen.pips_px).astype(int).tolist():
        image[y - 2 : y + 3, x - 2 : x + 3] = 255 if image_value < 200 else 0
    (die,) = reader.read(image)
    return die


NUMERAL = {OTHER_DIE: 0.8, 4: 0.1}


@pytest.mark.parametrize(
    "seen",
    [
        pytest.param(face(NUMERAL), id="plainly seen"),
        pytest.param(face(NUMERAL, centre_px=(195.0, 100.0)), id="cut by the frame"),
        pytest.param(face(NUMERAL, side_px=6.0), id="tiny"),
        pytest.param(face({OTHER_DIE: 0.62, 4: 0.3}, fits=True, confidence=0.97), id="marks that fit a four"),
        pytest.param(face({OTHER_DIE: 0.61}), id="just likely enough"),
    ],
)
@pytest.mark.parametrize("image_value", [20, 255], ids=["dark", "dazzling"])
def test_the_likeliest_class_goes_before_every_other_reason(
    monkeypatch: pytest.MonkeyPatch, seen: Face, image_value: int
) -> None:
    die = read_of(monkeypatch, seen, image_value=image_value)
    assert (die.value, die.reason) == (None, Unreadable.NOT_A_PIP_DIE)
    assert die.confidence == pytest.approx(1 - seen.chances[0])


@pytest.mark.parametrize("threshold", [0.0, 0.9])
def test_no_threshold_makes_it_a_value(monkeypatch: pytest.MonkeyPatch, threshold: float) -> None:
    die = read_of(monkeypatch, face({OTHER_DIE: 0.65, 1: 0.3}, value=1, fits=True), threshold=threshold)
    assert die.reason is Unreadable.NOT_A_PIP_DIE


@pytest.mark.parametrize(
    ("seen", "value"),
    [
        (face({4: 0.93, OTHER_DIE: 0.05}, fits=True, confidence=0.95), 4),
        (face({4: 0.55, OTHER_DIE: 0.4}, fits=True, confidence=0.6), None),
        (face({OTHER_DIE: 0.55, 4: 0.35}), None),
        (face({OTHER_DIE: 0.3}), None),
    ],
    ids=["pips", "rather pips, not surely", "likelier than each, not than all", "rather no readable face"],
)
def test_a_pip_die_is_never_called_otherwise_on_mere_suspicion(
    monkeypatch: pytest.MonkeyPatch, seen: Face, value: int | None
) -> None:
    die = read_of(monkeypatch, replace(seen, score=0.9))
    assert die.value == value
    assert die.reason is not Unreadable.NOT_A_PIP_DIE


def style_of(kind: str, rng: np.random.Generator) -> DieStyle:
    """Dice of one kind: a solid of SHAPES with numerals, or cubes with one of MARKS."""
    style = random_style(rng)
    return replace(style, mark="digits", shape=kind) if kind in SHAPES else replace(style, mark=kind, shape=None)


@pytest.mark.parametrize("kind", [kind for kind in (*SHAPES, *MARKS) if kind != "blank"])
def test_hardly_a_value_is_stated_for_rendered_dice_without_pips(kind: str) -> None:
    """As a smoke test; figures come from the sweeps. A braille one and a small sign look like a one at times,
    and a face of seven to nine pips like a six."""
    reader = DiceReader()
    rng = np.random.default_rng([FIRST_SEED, (*SHAPES, *MARKS).index(kind)])
    limits = SceneLimits(
        style=style_of(kind, rng), side_px=(26, 60), tilt_deg=(0, 25), dice=(5, 8), clutter=0.0, hand=0.0, degrade=0.4,
        stacked=0.0, cocked=0.0,
    )  # fmt: skip
    stated = []
    for _ in range(2):
        scene = render_scene(rng, size=448, limits=limits)
        assert {die.value for die in scene.dice} == {OTHER_DIE}
        stated += [die.value for die in reader.read(scene.image) if die.value is not None]
    assert len(stated) <= 1
    assert set(stated) <= ({6} if kind == "many pips" else {1})
