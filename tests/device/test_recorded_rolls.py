"""The recorded rolls: that they obey physics, and that they can be played anywhere with any faces."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from device.clock import ManualClock
from device.errors import SceneError
from device.simulated import SimulatedTable
from device.simulated.dice_model import CORNER_RADIUS_MM, CUBE_CORNERS, HALF_MM, top_face
from device.simulated.layout import zones_for
from device.simulated.motion import Rest
from device.simulated.play.truth import REST_MM, REST_RAD
from device.simulated.recorded.codec import KINDS, RATE_HZ, matrices, read_rolls, write_rolls
from device.simulated.recorded.finder import Field, find_rolls, rest_of
from device.simulated.recorded.player import CUBE_TURNS, Placed, RolledDie, relabelling
from device.simulated.recorded.shelf import ROLLS_FILE, rests_of, rolls, turn_between

CORE_MM = HALF_MM - CORNER_RADIUS_MM
G_MM_S2 = 9810.0
MOMENT_MM2 = (2 * HALF_MM) ** 2 / 6
"""Moment of inertia of a cube by its mass."""
MAY_SINK_MM = 0.5
ALL = read_rolls(ROLLS_FILE)


def lowest_mm(roll):
    """Height of the lowest point of each die at each sample, (T, N)."""
    corners = CUBE_CORNERS * (CORE_MM / HALF_MM)
    turned = np.einsum("tnij,kj->tnki", matrices(roll.turns), corners)
    return roll.centres_mm[..., 2] + turned[..., 2].min(axis=2) - CORNER_RADIUS_MM


def gaps_mm(centres, turns, first, second):
    """Distance between the surfaces of two dice at M samples, (M,); below 0 they are in one another.

    A die is a box with a round coat: the nearest points of the two boxes are found by turns.
    """
    a, b = matrices(turns[:, first]), matrices(turns[:, second])
    p, q = centres[:, first], centres[:, second]
    x = q.copy()
    for _ in range(80):
        y = p + np.einsum("mij,mj->mi", a, np.clip(np.einsum("mji,mj->mi", a, x - p), -CORE_MM, CORE_MM))
        x = q + np.einsum("mij,mj->mi", b, np.clip(np.einsum("mji,mj->mi", b, y - q), -CORE_MM, CORE_MM))
    return np.linalg.norm(x - y, axis=1) - 2 * CORNER_RADIUS_MM


def energy(roll):
    """Energy of all dice together by the mass of one, (T - 1,) in mm^2/s^2: height, way and turn between samples."""
    speed = np.linalg.norm(np.diff(roll.centres_mm, axis=0), axis=2) * RATE_HZ
    rate = turn_between(roll.turns[1:], roll.turns[:-1]) * RATE_HZ
    height = (roll.centres_mm[1:, :, 2] + roll.centres_mm[:-1, :, 2]) / 2
    return (G_MM_S2 * height + speed**2 / 2 + MOMENT_MM2 * rate**2 / 2).sum(axis=1)


def free_from(roll):
    """The sample from which no hand pushes any more: 0.13 s after the last die has left the hollow of the hand."""
    return max(roll.released) + 16 if max(roll.released) else 0


# Physics


def test_there_are_many_different_rolls_for_every_count_and_kind_in_a_small_file():
    assert ROLLS_FILE.stat().st_size < 600_000
    assert {roll.kind for roll in ALL} == set(KINDS)
    for dice in range(1, 7):
        assert len(rolls("throw", dice)) >= 16
    assert sum(roll.dice for roll in ALL) >= 500
    ends = {tuple(np.round(roll.centres_mm[-1].ravel(), 1)) for roll in ALL}
    assert len(ends) == len(ALL), "a roll is there twice"


def test_no_die_sinks_into_the_table():
    for roll in ALL:
        low = lowest_mm(roll)
        on_table = roll.centres_mm[..., 0] < 0 if roll.kind == "off" else np.ones(low.shape, bool)
        assert low[on_table].min() > -MAY_SINK_MM, roll.number


def test_dice_let_go_are_not_in_one_another():
    touched = 0
    for roll in ALL:
        for a, b in itertools.combinations(range(roll.dice), 2):
            begin = max(roll.released[a], roll.released[b])
            near = begin + np.flatnonzero(
                np.linalg.norm(roll.centres_mm[begin:, a] - roll.centres_mm[begin:, b], axis=1) < 26
            )
            if len(near):
                gaps = gaps_mm(roll.centres_mm[near], roll.turns[near], a, b)
                assert gaps.min() > -MAY_SINK_MM, (roll.number, a, b)
                touched += bool(gaps.min() < 0.5)
    assert touched > 50, "dice hardly ever knock against each other"


def test_the_distance_of_dice_is_measured_rightly():
    flat = np.array([[[1.0, 0, 0, 0], [1.0, 0, 0, 0]]])
    assert gaps_mm(np.array([[[0, 0, 8.0], [16.3, 2, 8.0]]]), flat, 0, 1) == pytest.approx([0.3])
    assert gaps_mm(np.array([[[0, 0, 8.0], [15.0, 2, 8.0]]]), flat, 0, 1) == pytest.approx([-1.0])
    far = math.sqrt(2) * (20 - 12) - 4
    assert gaps_mm(np.array([[[0, 0, 8.0], [20.0, 20, 8.0]]]), flat, 0, 1) == pytest.approx([far])


def test_energy_does_not_grow_once_the_hand_has_let_go():
    lost = []
    for roll in ALL:
        if roll.kind in ("touch", "off"):
            continue  # a finger gives energy, and beyond the edge nothing is recorded
        now = energy(roll)[free_from(roll) :]
        for i in range(1, len(now)):
            # At a bounce the mean speed between two samples is too small, so the last few are looked at.
            before = now[max(0, i - 8) : i].max()
            assert now[i] <= before * 1.04 + 3000 * roll.dice, (roll.number, i)
        if len(now):
            lost.append(now[-1] < now[0])
    assert np.mean(lost) > 0.9


def test_a_die_ends_flat_unless_it_is_marked():
    leaning = 0
    for roll in ALL:
        up = np.abs(matrices(roll.turns[-1])[:, 2]).max(axis=1)
        for die, end in enumerate(roll.ends):
            if end == "flat":
                assert math.acos(min(1.0, up[die])) < math.radians(0.1), roll.number
                assert roll.centres_mm[-1, die, 2] == pytest.approx(HALF_MM, abs=0.05)
            elif end == "cocked":
                leaning += 1
                assert math.acos(up[die]) > math.radians(3), roll.number
            else:
                assert roll.kind == "off"
                assert roll.centres_mm[-1, die, 2] < -20
    assert leaning >= 10
    assert all(set(roll.ends) == {"flat"} for roll in ALL if roll.kind in ("throw", "drop", "nudge", "touch"))


def test_throws_tumble_and_drops_hardly_move():
    def way(roll):
        return np.linalg.norm(roll.centres_mm[-1, :, :2] - roll.centres_mm[roll.released[-1], :, :2], axis=1).mean()

    def turned(roll, die):
        return turn_between(roll.turns[1:, die], roll.turns[:-1, die])[roll.released[die] :].sum()

    throws, drops = rolls("throw"), rolls("drop")
    assert np.median([way(roll) for roll in throws]) > 2 * np.median([way(roll) for roll in drops])
    assert np.median([turned(r, d) for r in throws for d in range(r.dice)]) > math.pi
    assert np.mean([turned(r, d) > math.pi / 3 for r in throws for d in range(r.dice)]) > 0.97


def test_at_rest_means_that_the_pose_stays_until_a_touch():
    early = 0
    for roll in ALL:
        for die in range(roll.dice):
            spans = rests_of(roll, die)
            assert list(spans) == sorted(spans)
            for begin, end in spans:
                last = roll.samples - 1 if end == np.inf else round(end * RATE_HZ)
                first = 0 if begin == -np.inf else math.ceil(begin * RATE_HZ)
                moved = np.linalg.norm(roll.centres_mm[first : last + 1, die] - roll.centres_mm[last, die], axis=1)
                turned = turn_between(roll.turns[first : last + 1, die], roll.turns[last, die])
                assert moved.max() <= REST_MM + 1e-9
                assert turned.max() <= REST_RAD + 1e-6
                if first > 0:
                    i = first - 1
                    gone = np.linalg.norm(roll.centres_mm[i, die] - roll.centres_mm[last, die]) > REST_MM
                    assert gone or turn_between(roll.turns[i, die], roll.turns[last, die]) > REST_RAD
                if end != np.inf:
                    early += 1
                    assert roll.met[last + 1, die], "a rest that nothing ends is no rest"
    assert early > 10, "no die was hit after it lay"


# The file


def test_a_file_gives_back_what_was_written_and_is_the_same_each_time(tmp_path):
    some = [rolls("throw", 3)[0], rolls("touch")[0], rolls("lean")[0], rolls("drop", 1)[0]]
    one, two = tmp_path / "one.npz", tmp_path / "two.npz"
    write_rolls(one, some)
    write_rolls(two, some)
    back = read_rolls(one)
    assert one.read_bytes() == two.read_bytes()
    for was, now in zip(some, back, strict=True):
        assert (now.kind, now.lying, now.released, now.ends) == (was.kind, was.lying, was.released, was.ends)
        assert np.abs(now.centres_mm - was.centres_mm).max() < 0.011
        assert turn_between(now.turns, was.turns).max() < 0.002
        assert (now.met == was.met).all()
        assert np.allclose(now.hand_mm, was.hand_mm, atol=0.11)
        assert np.allclose(now.finger_mm, was.finger_mm, atol=0.11)


def test_what_is_no_file_of_rolls_is_refused(tmp_path):
    path = tmp_path / "broken.npz"
    path.write_bytes(ROLLS_FILE.read_bytes()[:1000])
    with pytest.raises(ValueError, match="holds no recorded rolls"):
        read_rolls(path)
    with pytest.raises(OSError, match="missing"):
        read_rolls(tmp_path / "missing.npz")


# Playing


def test_the_cube_has_24_turns_and_each_face_four_of_them():
    assert len({turn.tobytes() for turn in CUBE_TURNS}) == 24
    for turn in CUBE_TURNS:
        assert np.linalg.det(turn) == pytest.approx(1)
        assert sorted(top_face(turn @ other) for other in CUBE_TURNS) == sorted(list(range(1, 7)) * 4)


@pytest.mark.parametrize("dice", range(1, 7))
def test_any_wanted_face_comes_true_and_the_motion_stays_the_same(dice):
    roll = rolls("throw", dice)[0]
    placed = Placed(roll, 0.7, (120.0, 300.0), 5_000)
    for die in range(dice):
        plain = RolledDie(placed, die, np.eye(3))
        times = [placed.start_ns + k * 90_000_000 for k in range(8)] + [plain.rest_ns]
        for value in range(1, 7):
            label = relabelling(plain.pose(plain.rest_ns).rotation, value, die)
            rolled = RolledDie(placed, die, label)
            assert top_face(rolled.pose(rolled.rest_ns).rotation) == value
            for at_ns in times:
                one, other = plain.pose(at_ns), rolled.pose(at_ns)
                assert np.allclose(one.centre_mm, other.centre_mm)
                assert np.allclose(one.rotation.T @ other.rotation, label)


def test_turning_a_roll_turns_its_motion_with_it():
    roll = rolls("throw", 2)[1]
    here, there = Placed(roll, 0.0, (0.0, 0.0), 0), Placed(roll, math.pi / 2, (10.0, 20.0), 0)
    for at_ns in (200_000_000, 400_000_000, 10**10):
        a, b = (RolledDie(placed, 1, np.eye(3)).pose(at_ns) for placed in (here, there))
        assert np.allclose(b.centre_mm, [10 - a.centre_mm[1], 20 + a.centre_mm[0], a.centre_mm[2]])
        assert np.allclose(b.rotation @ [0, 0, 1], [-a.rotation[1, 2], a.rotation[0, 2], a.rotation[2, 2]])


def test_rolled_dice_keep_clear_of_what_lies_and_a_die_in_the_way_changes_the_choice():
    zone = zones_for(6)[1]
    lying = [Rest(60.0, 300.0, 0.3, 2), Rest(150.0, 330.0, 1.0, 5), Rest(110.0, 290.0, 0.0, 1)]
    for seed in range(12):
        field = Field(zone, lying)
        placed = find_rolls(np.random.default_rng(seed), field, 3, 0)
        again = find_rolls(np.random.default_rng(seed), field, 3, 0)
        assert [(p.roll.number, p.angle_rad, p.shift_mm) for p in placed] == [
            (p.roll.number, p.angle_rad, p.shift_mm) for p in again
        ]
        for each in placed:
            for die in range(each.roll.dice):
                track = each.places(each.roll.centres_mm[each.roll.released[die] :, die])
                turns = each.roll.turns[each.roll.released[die] :, die]
                spin = np.array([math.cos(each.angle_rad / 2), 0, 0, math.sin(each.angle_rad / 2)])
                turned = np.array([_times(spin, turn) for turn in turns])
                for place in lying:
                    other = np.tile([place.x_mm, place.y_mm, HALF_MM], (len(track), 1))
                    yaw = np.tile([math.cos(place.yaw_rad / 2), 0, 0, math.sin(place.yaw_rad / 2)], (len(track), 1))
                    gaps = gaps_mm(np.stack([track, other], 1), np.stack([turned, yaw], 1), 0, 1)
                    assert gaps.min() > -MAY_SINK_MM
        rest = rest_of(RolledDie(placed[0], 0, np.eye(3)))
        assert rest is not None
        assert zone.holds(rest.x_mm, rest.y_mm)
        blocked = find_rolls(np.random.default_rng(seed), Field(zone, [*lying, rest]), 3, 0)
        assert (blocked[0].roll.number, blocked[0].shift_mm) != (placed[0].roll.number, placed[0].shift_mm)


def _times(a, b):
    return np.array([a[0] * b[0] - a[1:] @ b[1:], *(a[0] * b[1:] + b[0] * a[1:] + np.cross(a[1:], b[1:]))])


def test_a_full_zone_has_no_room_to_roll():
    zone = zones_for(6)[1]
    full = [Rest(float(x), float(y), 0.0, 1) for x in range(12, 215, 18) for y in range(262, 380, 18)]
    with pytest.raises(SceneError, match="no free way"):
        find_rolls(np.random.default_rng(1), Field(zone, full), 1, 0)


def test_dice_that_find_no_way_together_are_thrown_one_after_the_other():
    zone = zones_for(6)[1]
    lying = [Rest(float(x), 312.0, 0.0, 1) for x in range(40, 215, 34)]
    placed = find_rolls(np.random.default_rng(3), Field(zone, lying), 6, 0)
    assert len(placed) > 1
    assert sum(each.roll.dice for each in placed) == 6


def test_the_recorder_makes_the_same_roll_from_the_same_seed():
    pytest.importorskip("mujoco")
    from device.physics.throws import MAKERS

    one, two, other = (MAKERS["drop"](np.random.default_rng(seed), 2) for seed in (5, 5, 6))
    assert (one.centres_mm == two.centres_mm).all()
    assert one.samples != other.samples or (one.centres_mm[-1] != other.centres_mm[-1]).any()


# At the table


def test_a_throw_shows_what_was_wanted_through_a_hand_that_takes_the_dice():
    clock = ManualClock()
    table = SimulatedTable(clock, seats=2, seed=4, size_wh=(640, 360))
    rest_ns = table.throw(1, faces=[6, 5, 4, 3, 2, 1])
    in_hand = [
        sum(table.die(1, k).pose(at_ns).in_hand for k in range(6))
        for at_ns in range(clock.now_ns(), rest_ns, 10_000_000)
    ]
    assert in_hand[0] == 0
    assert max(in_hand) == 6
    assert in_hand[-1] == 0
    clock.advance_to(rest_ns)
    assert table.truth()[1] == (6, 5, 4, 3, 2, 1)
