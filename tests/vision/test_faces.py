"""A glance at all, a close look at the doubtful: with invented answers, and the shipped networks in batches."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.appearance import flaws, paints
from vision.faces import FaceReader
from vision.lattice import pattern
from vision.looks import PIPS_KEPT, looks_of, values_of
from vision.networks import CLASSES, OTHER_DIE, FaceNetwork, FinderNetwork, GlanceNetwork, NetworkAnswers, Proposals
from vision.patches import GLANCE_PX, PATCH_PX, PATCH_SIDES, cut_patch, cut_patches
from vision.pyramid import Pyramid
from vision.quads import quad_code
from vision.training.scenes import SceneLimits, render_scene

SQUARE = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])


def answers(
    values: list[int], patch_px: int, *, logit: float = 6.0, shown: list[int] | None = None, mirrored: bool = False
) -> NetworkAnswers:
    """What a network would say of upright faces in the middle of their patches; `shown` are the pips on the map."""
    side = patch_px / PATCH_SIDES
    size = patch_px // 2
    yy, xx = np.mgrid[0:size, 0:size]
    logits, codes, maps = [], [], []
    for value, pips in zip(values, shown or values, strict=True):
        row = np.zeros(CLASSES)
        row[value] = logit
        logits.append(row)
        codes.append(quad_code(SQUARE * side / (patch_px / 2)))
        heat = np.full((size, size), 1e-3)
        for u, v in pattern(pips, 0.25) if 1 <= pips <= 6 else ():
            x, y = (
                (patch_px / 2 + np.array([-u if mirrored else u, v]) * side) / 2 - 0.5 + (0.13, 0.07)
            )  # no two cells alike
            heat = np.maximum(heat, 0.9 * np.exp(-((xx - x) ** 2 + (yy - y) ** 2) / 1.5))
        maps.append(np.log(heat / (1 - heat)))
    return NetworkAnswers(np.array(logits), np.array(codes), np.array(maps).reshape(-1, size, size))


def place_of(centre: tuple[float, float], side: float, patch_px: int) -> np.ndarray:
    scale = PATCH_SIDES * side / patch_px
    return np.array([[centre[0] - scale * patch_px / 2 + 0.5, centre[1] - scale * patch_px / 2 + 0.5, scale]])


@pytest.mark.parametrize("patch_px", [GLANCE_PX, PATCH_PX])
@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize("value", range(1, 7))
def test_outline_and_pips_come_out_where_the_answers_put_them(value: int, mirrored: bool, patch_px: int) -> None:
    looks = looks_of(
        answers([value], patch_px, mirrored=mirrored), place_of((200.0, 90.0), 40.0, patch_px), patch_px,
        mirrored=mirrored,
    )  # fmt: skip
    assert looks.outlines_px[0] == pytest.approx(SQUARE * 40 + (200, 90), abs=1e-6)
    assert looks.sides_px[0] == pytest.approx(40)
    found = looks.pips_px[0, :value]
    truth = pattern(value, 0.25) * 40 + (200, 90)
    distances = np.linalg.norm(found[:, None] - truth[None], axis=2)
    assert distances.min(axis=0).max() < 0.05 * 40
    assert (looks.pip_scores[0, value:] < 0.22).all()
    values = values_of(looks, looks.chances)
    assert (values.values[0], bool(values.fitting[0])) == (value, True)


def test_of_two_likely_values_the_one_whose_pips_fit_is_taken() -> None:
    told = answers([5], GLANCE_PX, shown=[4])
    told.logits[0, 4] = 5.0
    looks = looks_of(told, place_of((50, 50), 30, GLANCE_PX), GLANCE_PX)
    values = values_of(looks, looks.chances)
    assert (values.values[0], bool(values.fitting[0])) == (4, True)


def test_a_value_that_is_unlikely_is_not_taken_for_its_pips() -> None:
    looks = looks_of(answers([5], GLANCE_PX, shown=[4]), place_of((50, 50), 30, GLANCE_PX), GLANCE_PX)
    values = values_of(looks, looks.chances)
    assert (values.values[0], bool(values.fitting[0])) == (5, False)


def test_a_pip_outside_the_face_but_near_it_spoils_the_count() -> None:
    told = answers([3], PATCH_PX)
    told.pip_logits[0, 5, 15] = 3.0  # above the face's edge, less than 0.9 sides from its centre
    looks = looks_of(told, place_of((50, 50), 30, PATCH_PX), PATCH_PX)
    assert not values_of(looks, looks.chances).fitting[0]


def test_peaks_of_one_face_are_not_smeared_into_the_next() -> None:
    together = looks_of(
        answers([6, 1, 4], GLANCE_PX), np.repeat(place_of((50, 50), 30, GLANCE_PX), 3, axis=0), GLANCE_PX
    )
    for i, value in enumerate((6, 1, 4)):
        alone = looks_of(answers([value], GLANCE_PX), place_of((50, 50), 30, GLANCE_PX), GLANCE_PX)
        assert together.pips_px[i] == pytest.approx(alone.pips_px[0])
        assert together.pip_scores[i] == pytest.approx(alone.pip_scores[0])


def test_no_face_at_all_gives_empty_looks() -> None:
    none = NetworkAnswers(np.zeros((0, CLASSES)), np.zeros((0, 7)), np.zeros((0, 24, 24)))
    looks = looks_of(none, np.zeros((0, 3)), GLANCE_PX)
    assert looks.outlines_px.shape == (0, 4, 2)
    assert looks.pips_px.shape == (0, PIPS_KEPT, 2)
    assert len(values_of(looks, looks.chances).values) == 0


class Says:
    """A network that says what it was told, whatever it is shown, and remembers how many patches it got."""

    def __init__(self, told: NetworkAnswers, mirrored: NetworkAnswers | None = None) -> None:
        self.told, self.mirrored, self.asked = told, mirrored, []

    def look(self, patches: np.ndarray) -> NetworkAnswers:
        second = self.mirrored is not None and len(self.asked) % 2 == 1
        self.asked.append(len(patches))
        told = self.mirrored if second and self.mirrored is not None else self.told
        n = len(patches)
        return NetworkAnswers(told.logits[:n], told.codes[:n], told.pip_logits[:n])


def reader_of(glance: NetworkAnswers, first: NetworkAnswers, second: NetworkAnswers, sure: float) -> FaceReader:
    reader = FaceReader(sure=sure)
    reader._glance, reader._close = Says(glance), Says(first, second)  # type: ignore[assignment]
    return reader


def proposals(count: int) -> Proposals:
    return Proposals(
        np.array([(60.0 + 100 * k, 60.0) for k in range(count)]).reshape(-1, 2),
        np.full(count, 30.0),
        np.full(count, 0.7),
    )


def blank() -> Pyramid:
    return Pyramid(np.zeros((120, 420, 3), np.uint8))


def close(values: list[int], **more: Any) -> tuple[NetworkAnswers, NetworkAnswers]:
    return answers(values, PATCH_PX, **more), answers(values, PATCH_PX, mirrored=True, **more)


def test_what_the_glance_is_sure_of_gets_no_closer_look() -> None:
    reader = reader_of(answers([3, 5], GLANCE_PX), *close([3, 5]), sure=0.0)
    faces = reader.read(blank(), proposals(2))
    assert [(f.value, f.glanced, f.fits, f.agreed) for f in faces] == [(3, True, True, True), (5, True, True, True)]
    assert reader.closely_looked_at == 0


def test_what_it_is_not_sure_of_is_looked_at_closely_and_twice_what_that_leaves_in_doubt() -> None:
    told = answers([3, 5, 4], PATCH_PX)
    told.logits[1] *= 0.4  # a chance of 0.6
    reader = reader_of(answers([3, 5, 4], GLANCE_PX), told, answers([5], PATCH_PX, mirrored=True), sure=1.0)
    faces = reader.read(blank(), proposals(3))
    assert [(f.value, f.glanced, f.agreed) for f in faces] == [(3, False, True), (4, False, True), (5, False, True)]
    assert reader.closely_looked_at == 3
    assert reader._close.asked == [3, 1]  # type: ignore[attr-defined]


def test_pips_that_fit_no_value_are_looked_at_twice_however_sure_the_network_is() -> None:
    reader = reader_of(answers([3], GLANCE_PX), *close([3], shown=[4]), sure=1.0)
    (face,) = reader.read(blank(), proposals(1))
    assert reader._close.asked == [1, 1]  # type: ignore[attr-defined]
    assert not face.fits


def test_pips_that_do_not_fit_are_never_sure_at_a_glance() -> None:
    reader = reader_of(answers([3], GLANCE_PX, shown=[4]), *close([3]), sure=0.0)
    (face,) = reader.read(blank(), proposals(1))
    assert not face.glanced
    assert face.fits


def test_looks_that_contradict_each_other_do_not_agree() -> None:
    first, second = answers([3], PATCH_PX, logit=3.0), answers([5], PATCH_PX, mirrored=True)
    (face,) = reader_of(answers([3], GLANCE_PX), first, second, sure=1.0).read(blank(), proposals(1))
    assert not face.agreed


def test_an_outline_centred_beyond_the_edge_is_still_looked_at() -> None:
    glance = answers([3], GLANCE_PX)
    glance.codes[0, 0] -= 0.699 * 2 / PATCH_SIDES
    glance.codes[0, 2] += np.log(0.5)
    at_the_edge = Proposals(np.array([(0.0, 60.0)]), np.array([300.0]), np.array([0.7]))
    reader = reader_of(glance, *close([3]), sure=1.0)
    assert [face.value for face in reader.read(blank(), at_the_edge)] == [3]


def test_what_is_no_face_is_dropped_by_the_glance_and_by_the_first_close_look() -> None:
    nothing = answers([0], GLANCE_PX, logit=9.0)
    assert reader_of(nothing, *close([3]), sure=0.0).read(blank(), proposals(1)) == []
    reader = reader_of(answers([0], GLANCE_PX, logit=1.0), *close([0], logit=9.0), sure=0.0)
    assert reader.read(blank(), proposals(1)) == []
    assert reader.closely_looked_at == 1


def test_a_die_without_pips_is_told_as_one() -> None:
    (face,) = reader_of(
        answers([OTHER_DIE], GLANCE_PX), *close([OTHER_DIE]), sure=0.0
    ).read(blank(), proposals(1))  # fmt: skip
    assert face.other_die
    assert not face.glanced


def test_without_proposals_there_is_nothing_to_look_at() -> None:
    reader = FaceReader()
    assert reader.read(blank(), proposals(0)) == []


# ---------------------------------------------------------------- the shipped networks and what they are fed


def some_patches(patch_px: int) -> np.ndarray:
    scene = render_scene(
        np.random.default_rng(7_000_001), 448,
        SceneLimits(side_px=(30, 40), tilt_deg=(0, 20), dice=(8, 9), clutter=0, hand=0, degrade=0.3, other=0),
    )  # fmt: skip
    centres = np.array([die.corners.mean(axis=0) for die in scene.dice], float)
    return cut_patches(Pyramid(scene.image), centres, np.full(len(centres), 35.0), patch_px)[0]


def test_the_close_network_answers_alike_alone_and_in_a_batch() -> None:
    patches = some_patches(PATCH_PX)
    together, network = FaceNetwork().look(patches), FaceNetwork()
    for i, patch in enumerate(patches):
        alone = network.look(patch[None])
        assert alone.logits[0] == pytest.approx(together.logits[i], abs=1e-2)
        assert alone.codes[0] == pytest.approx(together.codes[i], abs=1e-2)


def test_neighbours_in_the_mosaic_hardly_matter_to_the_glance() -> None:
    patches = some_patches(GLANCE_PX)
    together, network = GlanceNetwork().look(patches), GlanceNetwork()
    alone = [network.look(patch[None]) for patch in patches]
    for i, each in enumerate(alone):
        likeliest = together.logits[i].argmax()
        assert each.logits[0].max() - each.logits[0, likeliest] < 1.0, "another class only where both are as likely"
    assert np.mean([np.abs(a.codes[0] - together.codes[i]).mean() for i, a in enumerate(alone)]) < 0.1


def test_a_glance_does_not_depend_on_what_was_looked_at_before() -> None:
    patches = some_patches(GLANCE_PX)
    network = GlanceNetwork()
    first = network.look(patches[:5])
    network.look(255 - patches[:8])
    assert (network.look(patches[:5]).logits == first.logits).all()


def test_more_patches_than_the_largest_mosaic_are_all_answered_in_order() -> None:
    patches = some_patches(GLANCE_PX)
    many = np.concatenate([patches] * 12)[:61]
    found = GlanceNetwork().look(many)
    assert found.logits.shape == (61, CLASSES)
    assert found.pip_logits.shape == (61, GLANCE_PX // 2, GLANCE_PX // 2)
    again = GlanceNetwork().look(many[48:])
    assert found.logits[48:] == pytest.approx(again.logits, abs=1.0)


@given(st.floats(0, 199), st.floats(0, 119), st.floats(4, 300))
def test_patches_lie_where_their_places_say(x: float, y: float, side: float) -> None:
    """On a picture whose colours tell the place: blue goes up with x, green with y."""
    xx, yy = np.meshgrid(np.arange(200), np.arange(120))
    image = np.dstack([xx, yy * 2, np.zeros_like(xx)]).astype(np.uint8)
    for patch, place in (
        cut_patch(image, (x, y), side),
        tuple(a[0] for a in cut_patches(Pyramid(image), np.array([(x, y)]), np.array([side]), PATCH_PX)),
    ):
        middle = place[:2] + place[2] * PATCH_PX / 2 - 0.5
        assert middle == pytest.approx((x, y), abs=1.3 * max(1.0, place[2]))
        at = np.clip(middle, (0, 0), (199, 119))
        seen = patch[PATCH_PX // 2 - 1 : PATCH_PX // 2 + 1, PATCH_PX // 2 - 1 : PATCH_PX // 2 + 1].mean(axis=(0, 1))
        if (np.abs(middle - (100, 60)) < (100 - place[2] - 2, 60 - place[2] - 2)).all():
            assert seen[0] == pytest.approx(at[0], abs=1.5 + place[2])
            assert seen[1] / 2 == pytest.approx(at[1], abs=1.5 + place[2])


def test_a_patch_far_outside_the_picture_is_refused() -> None:
    with pytest.raises(ValueError, match="far outside"):
        cut_patch(np.zeros((50, 50, 3), np.uint8), (400.0, 20.0), 10.0)


def test_levels_halve_until_a_face_with_its_surroundings_would_not_fit() -> None:
    def shapes(height: int, width: int) -> list[tuple[tuple[int, ...], float]]:
        return [(g.shape, f) for g, f in Pyramid(np.zeros((height, width, 3), np.uint8)).grey_levels()]

    assert shapes(720, 1280) == [((360, 640), 2.0), ((180, 320), 4.0), ((90, 160), 8.0), ((45, 80), 16.0)]
    assert shapes(480, 640)[0] == ((480, 640), 1.0)
    assert shapes(3000, 4000)[0] == ((1500, 2000), 2.0)
    assert shapes(17, 16) == [((17, 16), 1.0)]


@pytest.mark.parametrize("box", [(32, 16, 161, 120), (18, 4, 60, 99), (7, 8, 90, 71), (0, 0, 203, 121), (0, 0, 64, 64)])
def test_part_of_a_pyramid_is_the_pyramid_of_that_part(box: tuple[int, int, int, int]) -> None:
    image = np.random.default_rng(3).integers(0, 256, (121, 203, 3), dtype=np.uint8)
    x0, y0, x1, y1 = box
    whole, alone = Pyramid(image), Pyramid(np.ascontiguousarray(image[y0:y1, x0:x1]))
    whole.colour(3)
    part = whole.part(box)
    for halvings in range(6):
        assert np.array_equal(part.colour(halvings), alone.colour(halvings))
    levels = zip(part.grey_levels(), alone.grey_levels(), strict=True)
    assert all(np.array_equal(a, b) and x == y for (a, x), (b, y) in levels)


def test_the_same_face_is_proposed_once_though_several_levels_see_it() -> None:
    limits = SceneLimits(
        side_px=(40, 44), tilt_deg=(0, 15), dice=(5, 6), clutter=0, hand=0, degrade=0.2, other=0, stacked=0, cocked=0
    )
    times = []
    for seed in (7_000_002, 7_000_003, 7_000_004):
        scene = render_scene(np.random.default_rng(seed), 448, limits)
        found = FinderNetwork().find(Pyramid(scene.image), 0.3)
        for die in scene.dice:
            if die.readable:
                times.append(int((np.hypot(*(found.centres_px - die.corners.mean(axis=0)).T) < 8).sum()))
    assert len(times) > 8
    assert max(times) == 1
    assert sum(times) >= 0.8 * len(times)


def test_a_network_that_takes_on_another_size_proposes_as_one_loaded_for_it() -> None:
    scene = render_scene(np.random.default_rng(7_000_002), 448, SceneLimits(side_px=(40, 44), clutter=0, hand=0))
    pyramids = [Pyramid(scene.image), Pyramid(np.ascontiguousarray(scene.image[:330, 17:]))]
    expected = [FinderNetwork().find(pyramid, 0.3) for pyramid in pyramids]
    one = FinderNetwork()
    for _ in range(2):
        found = [one.find(pyramid, 0.3) for pyramid in pyramids]
        assert min(len(each) for each in found) > 1
        for each, other in zip(found, expected, strict=True):
            assert each.scores == pytest.approx(other.scores, abs=1e-6)
            assert each.centres_px == pytest.approx(other.centres_px, abs=1e-4)


@pytest.mark.parametrize(("side_px", "largest_px", "found"), [(300, np.inf, True), (300, 60, False), (42, 60, True)])
def test_faces_larger_than_wanted_are_not_looked_for_and_others_are(
    side_px: int, largest_px: float, found: bool
) -> None:
    limits = SceneLimits(side_px=(side_px, side_px + 2), clutter=0, hand=0)
    scene = render_scene(np.random.default_rng(7_000_003), 1280, limits)
    proposals = FinderNetwork().find(Pyramid(scene.image), 0.3, largest_px)
    alike = (proposals.sides_px > 0.7 * side_px) & (proposals.sides_px < 1.4 * side_px)
    assert alike.any() == found


# ---------------------------------------------------------------- colours


def painted(body: tuple[int, int, int], pip: tuple[int, int, int]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    image = np.full((120, 120, 3), 90, np.uint8)
    cv2.rectangle(image, (30, 30), (89, 89), body, -1)
    pips = pattern(5, 0.25) * 60 + 59.5
    for x, y in pips:
        cv2.circle(image, (round(x), round(y)), 5, pip, -1)
    return image, SQUARE * 60 + 59.5, pips


@pytest.mark.parametrize(
    ("body", "pip", "names"),
    [((30, 30, 200), (250, 250, 250), ("red", "white")), ((240, 240, 240), (10, 10, 10), ("white", "black"))],
)
def test_body_and_pips_are_measured_apart(body: Any, pip: Any, names: tuple[str, str]) -> None:
    image, outline, pips = painted(body, pip)
    (paint,) = paints(image, outline[None], [pips])
    assert (paint.colour, paint.pip_colour) == names
    assert paint.colour_bgr == body
    assert paint.pip_bgr == pip


def test_a_face_without_pips_has_the_colour_of_its_body_for_both() -> None:
    image, outline, _ = painted((30, 30, 200), (30, 30, 200))
    (paint,) = paints(image, outline[None], [np.zeros((0, 2))])
    assert paint.pip_bgr == paint.colour_bgr == (30, 30, 200)


def test_a_pip_that_the_picture_does_not_show_is_told() -> None:
    image, outline, pips = painted((30, 30, 200), (250, 250, 250))
    assert paints(image, outline[None], [pips])[0].pips_show
    cv2.circle(image, (round(pips[2, 0]), round(pips[2, 1])), 8, (60, 90, 160), -1)  # a fingertip
    assert not paints(image, outline[None], [pips])[0].pips_show
    both = paints(image, np.stack([outline, outline]), [pips, np.delete(pips, 2, axis=0)])
    assert [paint.pips_show for paint in both] == [False, True]


def test_faces_are_measured_together_as_each_alone() -> None:
    cases = [painted((30, 30, 200), (250, 250, 250)), painted((200, 60, 20), (0, 220, 220))]
    image = np.hstack([c[0] for c in cases])
    outlines = np.array([cases[0][1], cases[1][1] + (120, 0)])
    together = paints(image, outlines, [cases[0][2], cases[1][2][:1] + np.array([120, 0])])
    assert [p.colour_bgr for p in together] == [(30, 30, 200), (200, 60, 20)]
    assert [p.pip_bgr for p in together] == [(250, 250, 250), (0, 220, 220)]
    assert paints(image, np.zeros((0, 4, 2)), []) == []


def test_flaws_tell_contrast_glare_and_blur() -> None:
    image, outline, pips = painted((30, 30, 120), (40, 40, 125))
    (faint,) = paints(image, outline[None], [pips])
    assert flaws(image, outline, faint).contrast < 10
    sharp, outline, pips = painted((30, 30, 120), (230, 230, 230))
    (clear,) = paints(sharp, outline[None], [pips])
    seen = flaws(sharp, outline, clear)
    assert seen.contrast > 60
    assert seen.glare == 0
    blurred = flaws(np.asarray(cv2.GaussianBlur(sharp, (0, 0), 6), np.uint8), outline, clear)
    assert blurred.sharpness < 0.6 * seen.sharpness
    sharp[40:70, 40:70] = 255
    assert flaws(sharp, outline, clear).glare > 0.2
