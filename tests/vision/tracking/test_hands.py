"""Arms that reach in are found, dice and shadows are not, and what stays becomes part of the table."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.tracking.pictures import FRAME_NS, HEIGHT, noisy, table, with_arm
from vision.tracking.glimpse import Glimpses
from vision.tracking.hands import Hands, HandsWatch

BARE = table()
RED = (40, 40, 190)
SIDE_PX = 24.0


def looked(pictures: list[np.ndarray], step_ns: int = FRAME_NS) -> list[Hands]:
    glimpses, watch = Glimpses(), HandsWatch()
    return [
        watch.look(glimpses.look(noisy(picture, n), 10**9 + n * step_ns), SIDE_PX) for n, picture in enumerate(pictures)
    ]


def test_an_arm_is_found_where_it_is_and_gone_when_it_has_gone() -> None:
    hands = looked([BARE] * 3 + [with_arm(BARE, 200)] * 3 + [BARE] * 3)
    assert [len(each.seen) for each in hands] == [0] * 3 + [1] * 3 + [0] * 3
    assert hands[4].seen[0].enters == "bottom"
    assert hands[4].cover((315, HEIGHT - 100), 20) == 1.0
    assert hands[4].cover((100, 100), 20) == 0.0


def test_dice_that_are_thrown_are_no_hand() -> None:
    dice = BARE.copy()
    for n in range(6):
        cv2.rectangle(dice, (200 + 45 * n, 120 + 20 * (n % 3)), (224 + 45 * n, 144 + 20 * (n % 3)), (240, 240, 240), -1)
    assert not any(each.seen for each in looked([BARE] * 3 + [dice] * 3))


def test_a_shadow_is_no_hand() -> None:
    shade = BARE.copy()
    shade[100:, 200:400] = (shade[100:, 200:400] * 0.6).astype(np.uint8)
    assert not any(each.seen for each in looked([BARE] * 3 + [shade] * 3))


def test_a_hand_that_rests_stays_a_hand_and_a_box_becomes_the_table_in_the_end() -> None:
    box = with_arm(BARE, 200)
    hands = looked([BARE] * 3 + [box] * 60, step_ns=500_000_000)
    assert all(each.seen for each in hands[4:40])
    assert not hands[-1].seen


def test_a_card_that_is_laid_down_is_table_after_a_moment() -> None:
    card = BARE.copy()
    cv2.rectangle(card, (250, 120), (330, 230), (230, 230, 235), -1)
    hands = looked([BARE] * 3 + [card] * 30 + [with_arm(card, 120)] * 3)
    assert hands[-1].seen
    assert hands[-1].cover((290, 150), 20) == 0.0


def test_a_hand_of_the_colour_of_shaded_wood_is_a_hand_and_the_shade_itself_is_not() -> None:
    wood = np.clip(BARE.astype(float) * (0.75, 0.92, 1.05), 0, 255).astype(np.uint8)
    shade = (wood * 0.66).astype(np.uint8)
    hand = with_arm(wood, 200, tuple(int(v) for v in wood.mean(axis=(0, 1)) * (0.60, 0.62, 0.68)))
    assert looked([wood] * 3 + [hand] * 3)[-1].cover((315, HEIGHT - 100), 20) > 0.9
    assert not looked([wood] * 3 + [shade] * 3)[-1].seen


def test_a_hand_that_was_there_when_the_table_was_learned_leaves_no_ghost() -> None:
    hands = looked([with_arm(BARE, 200)] * 3 + [BARE] * 6)
    assert not hands[-1].seen
    still_there = looked([with_arm(BARE, 200)] * 3 + [BARE] * 3 + [with_arm(BARE, 160)] * 6)
    assert still_there[-1].seen, "a hand that comes back to the same place is no ghost"


def test_a_soft_shade_that_was_learned_with_the_table_leaves_no_ghost_though_dice_lie_on_its_outline() -> None:
    plain = cv2.GaussianBlur(BARE, (0, 0), 12)
    y, x = np.mgrid[:HEIGHT, :640]
    fades = 0.4 * np.exp(-(((x - 330) / 150) ** 2) - ((y - 200) / 120) ** 2)
    shaded = np.clip(plain * (1 - fades)[..., None], 0, 255).astype(np.uint8)
    lit, shade = plain.copy(), shaded.copy()
    for left, top in ((230, 130), (450, 210), (300, 290)):
        for picture in (lit, shade):
            cv2.rectangle(picture, (left, top), (left + 24, top + 24), (235, 235, 235), -1)
    assert not looked([shade] * 3 + [lit] * 6)[-1].seen
    assert looked([lit] * 3 + [with_arm(lit, 160)] * 6)[-1].seen, "a hand that lies still is a hand"


BESIDE_THE_ARM = ((258, 240), (258, 312), (246, 150), (346, 270), (350, 140))


def with_dice(picture: np.ndarray) -> np.ndarray:
    """Dice that lie all along the place of an arm that reaches in by 200 px."""
    laid = picture.copy()
    for left, top in BESIDE_THE_ARM:
        cv2.rectangle(laid, (left, top), (left + 26, top + 26), (235, 235, 235), -1)
    return laid


def test_a_hand_that_lies_still_beside_the_bare_places_of_the_dice_it_took_is_a_hand() -> None:
    hands = looked([with_dice(BARE)] * 3 + [with_arm(BARE, 200)] * 12)
    assert [round(each.cover((315, HEIGHT - 100), 20)) for each in hands[3:]] == [1] * 12
    assert hands[-1].cover((264, 325), 4) == 0.0, "where a die lay there is nothing now"


def test_a_hand_that_was_learned_leaves_no_ghost_though_dice_are_thrown_to_where_it_lay() -> None:
    hands = looked([with_arm(BARE, 200)] * 3 + [with_dice(BARE)] * 8)
    assert hands[3].cover((315, HEIGHT - 100), 20) == 1.0
    assert hands[-1].cover((315, HEIGHT - 100), 20) == 0.0
    came = looked([with_dice(BARE)] * 3 + [with_arm(with_dice(BARE), 200)] * 8)
    assert came[-1].cover((315, HEIGHT - 100), 20) == 1.0, "a hand that came between dice is there"


def test_a_small_thing_that_moves_is_told_with_its_colour_and_a_hand_is_not() -> None:
    def with_die(x: int) -> np.ndarray:
        picture = with_arm(BARE, 120)
        cv2.rectangle(picture, (x, 60), (x + 24, 84), (30, 30, 200), -1)
        return picture

    (thing,) = looked([with_arm(BARE, 120)] * 4 + [with_die(200)])[-1].things
    assert abs(thing.centre_px[0] - 212) < 8
    assert abs(thing.centre_px[1] - 72) < 8
    assert thing.colour_bgr[2] - thing.colour_bgr[0] > 80
    assert 300 <= thing.area_px2 <= 1200
    assert not looked([BARE] * 4 + [with_arm(BARE, 160)])[-1].things


def at_a_hand(corner: tuple[int, int], wide: int, high: int, colour: tuple[int, int, int] = RED) -> np.ndarray:
    """An arm, and something at its side."""
    picture = with_arm(BARE, 200)
    (x, y) = corner
    cv2.rectangle(picture, (x, y), (x + wide, y + high), colour, -1)
    return picture


@pytest.mark.parametrize(
    ("name", "picture", "found"),
    [
        ("a die at the tip", at_a_hand((258, 150), 24, 24), True),
        ("a blurred one, half table", at_a_hand((248, 152), 34, 24, (60, 75, 160)), True),
        ("of another colour", at_a_hand((258, 150), 24, 24, (190, 80, 40)), False),
        ("too small", at_a_hand((268, 160), 8, 8), False),
        ("as large as a sleeve", at_a_hand((280, 220), 70, 139), False),
        ("between fingers", at_a_hand((303, 240), 24, 24), False),
        ("nothing but the hand", with_arm(BARE, 200), False),
    ],
)
def test_a_die_that_touches_a_hand_is_told_from_it_by_its_colour(name: str, picture: np.ndarray, found: bool) -> None:
    glimpses, watch = Glimpses(), HandsWatch()
    for n, each in enumerate([BARE] * 4 + [picture]):
        hands = watch.look(glimpses.look(noisy(each, n), 10**9 + n * FRAME_NS), SIDE_PX)
    things = watch.peeping(hands, [RED], SIDE_PX)
    assert bool(things) is found, name
    if found:
        (thing,) = things
        assert thing.peeps
        assert np.hypot(thing.centre_px[0] - 268, thing.centre_px[1] - 163) < 12
    hands = watch.look(glimpses.look(noisy(picture, 9), 10**9 + 9 * FRAME_NS), SIDE_PX)
    assert not watch.peeping(hands, [RED], SIDE_PX), "what lies still has not just been let go"


def test_the_part_of_a_place_that_a_hand_covers_and_which_it_is() -> None:
    mask = np.zeros((45, 80), bool)
    mask[10:20, 30:40] = True  # 240..320 x 80..160 px of the picture
    hands = Hands(0, mask)
    assert hands.cover((280, 120), 20) == 1.0
    assert hands.cover((240, 120), 32) == pytest.approx(5 / 9)
    assert hands.cover((600, 300), 40) == 0.0
    assert hands.cover((-500, 120), 40) == 0.0, "outside of the picture"
    places = hands.places((200, 120), 60)
    assert len(places) == 3 * 10, "three columns of it are so near"
    assert places.min(axis=0).tolist() == [244.0, 84.0]
    assert not hands.places((200, 120), 30).size


def test_what_covers_the_whole_picture_has_no_outline_and_is_no_ghost() -> None:
    dark = np.full_like(BARE, 20)
    assert looked([BARE] * 3 + [dark] * 3)[-1].share == 1.0


UNDER_ARM = (315.0, HEIGHT - 150.0)


def stood_frames(reaches: list[int], place: tuple[float, float] = UNDER_ARM) -> int:
    """For how many frames an arm that reaches so far in each frame may have stood still over a place."""
    glimpses, watch = Glimpses(), HandsWatch()
    pictures = [BARE] * 3 + [with_arm(BARE, reach) if reach else BARE for reach in reaches]
    for n, picture in enumerate(pictures):
        watch.look(glimpses.look(noisy(picture, n), n * FRAME_NS), SIDE_PX)
    return round(watch.stood_ns(place, 0.8 * SIDE_PX, 4 * SIDE_PX, 0, len(pictures) * FRAME_NS) / FRAME_NS)


def test_a_hand_that_waits_over_a_place_stands_still_there_and_one_that_swings_over_it_does_not() -> None:
    assert stood_frames([80, 180, 180, 180, 180, 90, 0]) == 5, "from the last frame before to the first after"
    assert stood_frames([80, 180, 190, 200, 190, 180, 90, 0]) == 0
    assert stood_frames([80, 180, 180, 190, 190, 190, 90, 0]) == 4, "the longest of several times"
    assert stood_frames([80, 180, 180, 180, 180]) == 4, "it stands there still"
    assert stood_frames([80, 180, 180, 180, 180, 90, 0], place=(100.0, 100.0)) == 0, "it is not over that place"


def test_a_place_looks_as_it_does_since_the_last_change_there() -> None:
    glimpses, watch = Glimpses(), HandsWatch()
    place = (200.0, 120.0)
    assert watch.unchanged_since_ns(place, SIDE_PX / 2) is None, "nobody has looked yet"
    die = BARE.copy()
    cv2.rectangle(die, (188, 108), (212, 132), (40, 40, 240), -1)
    for n, picture in enumerate([BARE] * 3 + [die] * 3 + [with_arm(die, 200)] * 2 + [die] * 2):
        watch.look(glimpses.look(noisy(picture, n), n * FRAME_NS), SIDE_PX)
    assert watch.unchanged_since_ns(place, SIDE_PX / 2) == 3 * FRAME_NS
    assert watch.unchanged_since_ns((315.0, HEIGHT - 100.0), SIDE_PX / 2) == 8 * FRAME_NS
    assert watch.unchanged_since_ns((500.0, 100.0), SIDE_PX / 2) == 0
