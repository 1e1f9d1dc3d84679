"""The kinds of rolls that are recorded, each made from a seed; those that do not turn out as wanted are refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from device.physics.hand import Swing
from device.physics.recording import NotSettled, recorded
from device.physics.world import HALF_CM, Surroundings, World
from device.simulated.recorded.codec import RATE_HZ, Roll

__all__ = ["MAKERS"]

Array = NDArray[Any]


def _turns(rng: np.random.Generator, count: int) -> Array:
    q = rng.normal(size=(count, 4))
    return np.asarray(q / np.linalg.norm(q, axis=1, keepdims=True))


def _flat_turn(yaw: float) -> Array:
    return np.array([[np.cos(yaw / 2), 0.0, 0.0, np.sin(yaw / 2)]])


def _around(rng: np.random.Generator, **more: Any) -> Surroundings:
    return Surroundings(friction=float(rng.uniform(0.3, 0.5)), bounce=float(rng.uniform(0.32, 0.5)), **more)


def _swing(rng: np.random.Generator, *, gentle: float, full: bool = False) -> Swing:
    """Speed, height and spin as people have them; `gentle` 1: into a small space, 0: a long roll.

    A `full` hand cannot shake much without losing dice.
    """
    fast = rng.uniform(-6, 18) * gentle + rng.uniform(40, 100) * (1 - gentle)
    return Swing(
        speed_cm_s=float(fast),
        height_cm=float(rng.uniform(2.0, 3.8) + 3.0 * (1 - gentle)),
        tip_rad_s=float(rng.uniform(5, 10) + 10 * (1 - gentle)),
        tip_rad=float(rng.uniform(1.9, 2.6)),
        shake_cm=float(rng.uniform(0.4, 1.2) * (0.4 if full else 1)),
        shake_s=float(rng.uniform(0.11, 0.16)),
    )


def _in_hand(rng: np.random.Generator, swing: Swing, count: int) -> Array:
    """Places of dice over the hollow of the hand."""
    across = 0.0 if count <= 2 else 2.1
    spots = np.array([[(i % 2 - 0.5) * 2.1, (i // 2 % 2 - 0.5) * across, 0.9 + (i // 4) * 1.8] for i in range(count)])
    return np.asarray(spots + rng.uniform(-0.05, 0.05, (count, 3)) + (0, 0, swing.height_cm))


def _boxed(rng: np.random.Generator, count: int) -> Array:
    """Turns of dice that lie side by side in a hand: any face up, not quite in line."""
    faces = np.array([[1, 0, 0, 0], [0, 1, 0, 0], [1, 1, 0, 0], [1, -1, 0, 0], [1, 0, 1, 0], [1, 0, -1, 0]], float)
    chosen = faces[rng.integers(0, 6, count)]
    chosen /= np.linalg.norm(chosen, axis=1, keepdims=True)
    return np.array(
        [_times(_flat_turn(float(y))[0], q) for y, q in zip(rng.uniform(-0.2, 0.2, count), chosen, strict=True)]
    )


def _times(a: Array, b: Array) -> Array:
    """Product of two quaternions: first `b`, then `a`."""
    return np.array([a[0] * b[0] - a[1:] @ b[1:], *(a[0] * b[1:] + b[0] * a[1:] + np.cross(a[1:], b[1:]))])


def throw(rng: np.random.Generator, count: int, *, gentle: float = 1.0, **around: Any) -> Roll:
    """Out of a cupped hand; recorded from when it begins to tip over."""
    swing = _swing(rng, gentle=gentle, full=count > 4)
    world = World(_in_hand(rng, swing, count), _boxed(rng, count), _around(rng, **around), hand=swing)
    roll = recorded(world, kind="throw", begin_s=swing.tip_s)
    steps = np.linalg.norm(np.diff(roll.centres_mm, axis=0), axis=2) * RATE_HZ
    if steps.max() > 3000 or min(roll.released) == 0 or max(roll.released) > 60:
        raise NotSettled("not as a hand throws")
    return roll


def long_throw(rng: np.random.Generator, count: int) -> Roll:
    """Thrown hard."""
    return throw(rng, count, gentle=float(rng.uniform(0.2, 0.7)))


def drop(rng: np.random.Generator, count: int) -> Roll:
    """Let fall from a low height, straight down, nearly without spin."""
    height = float(rng.uniform(1.6, 4.0))
    spots = (
        np.array([[(i % 2 - 0.5) * 2.7, (i // 2 - 0.5) * 2.7, height] for i in range(count)])
        if count > 1
        else (np.array([[0.0, 0.0, height]]))
    )
    spots = spots + rng.uniform(-0.15, 0.15, (count, 3)) * (1, 1, 2)
    velocities = np.concatenate([rng.normal(0, 1.5, (count, 3)), rng.normal(0, 0.8, (count, 3))], axis=1)
    turns = np.array([_tilted(rng) for _ in range(count)])
    return recorded(World(spots, turns, _around(rng), velocities=velocities), kind="drop")


def _tilted(rng: np.random.Generator) -> Array:
    """Held nearly level, as fingers hold a die."""
    axis = rng.normal(size=3) * (1, 1, 0.1)
    angle = rng.uniform(0.0, 0.5)
    axis /= np.linalg.norm(axis)
    yaw = _flat_turn(float(rng.uniform(0, 2 * np.pi)))[0]
    a = np.array([np.cos(angle / 2), *(np.sin(angle / 2) * axis)])
    return _times(a, yaw)


def _single(rng: np.random.Generator, speed: float) -> tuple[Array, Array]:
    """A turn (1, 4) and a velocity (6,) of one die that flies and rolls along x with `speed`."""
    velocity = np.array([speed, rng.normal(0, 2.0), rng.normal(-5, 8), *rng.normal(0, 6, 3)])
    velocity[4] += speed / HALF_CM * rng.uniform(0.3, 0.9)
    return _turns(rng, 1), velocity


def _at_lying_die(
    rng: np.random.Generator, speed: tuple[float, float], away: tuple[float, float], **around: Any
) -> World:
    start = np.array([-rng.uniform(*away), rng.normal(0, 0.5), rng.uniform(1.5, 3)])
    turn, velocity = _single(rng, float(rng.uniform(*speed)))
    lying = np.array([0.0, 0.0, HALF_CM])
    return World(
        np.array([lying, start]),
        np.vstack([_flat_turn(float(rng.uniform(0, np.pi / 2))), turn]),
        Surroundings(bounce=float(rng.uniform(0.3, 0.42)), **around),
        velocities=np.vstack([np.zeros(6), velocity]),
    )


def lean(rng: np.random.Generator, count: int) -> Roll:
    """One die against a lying one, so that it ends leaning on it."""
    del count
    roll = recorded(
        _at_lying_die(rng, (15, 45), (2.5, 5), friction=float(rng.uniform(0.6, 0.75))), kind="lean", lying=1
    )
    if roll.ends != ("flat", "cocked"):
        raise NotSettled("nothing leans")
    return roll


def nudge(rng: np.random.Generator, count: int) -> Roll:
    """One die that hits a lying one and moves it by 3 mm or more."""
    del count
    roll = recorded(_at_lying_die(rng, (30, 80), (5, 9), friction=float(rng.uniform(0.3, 0.45))), kind="nudge", lying=1)
    moved = np.linalg.norm(roll.centres_mm[-1, 0] - roll.centres_mm[0, 0])
    if set(roll.ends) != {"flat"} or moved < 3:
        raise NotSettled("the lying die was not moved")
    return roll


def stack(rng: np.random.Generator, count: int) -> Roll:
    """One die against the stack of cards, so that it ends leaning on it."""
    del count
    start = np.array([-rng.uniform(1, 4), rng.uniform(-2, 2), rng.uniform(1.4, 3)])
    turn, velocity = _single(rng, float(rng.uniform(5, 40)))
    around = Surroundings(friction=float(rng.uniform(0.55, 0.75)), bounce=float(rng.uniform(0.3, 0.42)), stack=True)
    roll = recorded(World(start[None], turn, around, velocities=velocity[None]), kind="stack")
    if roll.ends != ("cocked",) or roll.centres_mm[-1, 0, 2] > 17:
        raise NotSettled("it does not lean on the stack")
    return roll


def off(rng: np.random.Generator, count: int) -> Roll:
    """One die that rolls over the table's edge, let go 10 cm or more before it; the edge is put at x = 0."""
    del count
    state = rng.bit_generator.state
    free = throw(rng, 1, gentle=0.3)
    let_go_cm = float(free.centres_mm[free.released[0], 0, 0]) / 10
    edge_cm = let_go_cm + float(rng.uniform(10, 16))
    rng.bit_generator.state = state
    roll = throw(rng, 1, gentle=0.3, edge_cm=edge_cm)
    if roll.ends != ("off",):
        raise NotSettled("it stays on the table")
    back = np.array([edge_cm * 10, 0, 0])
    hand = roll.hand_mm - back[:2]
    return Roll("off", 0, roll.centres_mm - back, roll.turns, roll.released, roll.met, hand, roll.finger_mm, roll.ends)


def touch(rng: np.random.Generator, count: int) -> Roll:
    """One die that is met by a finger while it rolls."""
    del count
    state = rng.bit_generator.state
    free = throw(rng, 1, gentle=0.5)
    go_on = rng.bit_generator.state
    track = free.centres_mm[:, 0]
    speed = np.linalg.norm(np.diff(track, axis=0), axis=1) * RATE_HZ
    low = np.flatnonzero((speed > 180) & (track[1:, 2] < 16) & (np.arange(len(speed)) > free.released[0] + 12))
    if not len(low):
        raise NotSettled("it rolls too slowly to be met")
    rng.bit_generator.state = state
    swing = _swing(rng, gentle=0.5)
    places, turns, around = _in_hand(rng, swing, 1), _boxed(rng, 1), _around(rng)
    rng.bit_generator.state = go_on
    meet = int(rng.choice(low))
    meet_s = swing.tip_s + meet / RATE_HZ
    goal = track[meet, :2] / 10
    angle = rng.uniform(-1.2, 1.2)
    come = np.array([np.cos(angle), np.sin(angle)])

    def finger(at_s: float) -> tuple[float, float]:
        """From afar against the way of the die, to a stand at its place, then away."""
        early = max(0.0, meet_s - at_s)
        late = max(0.0, at_s - meet_s - 0.15)
        x, y = goal + come * (1.4 + 45 * early + 200 * late * late)
        return float(x), float(y)

    world = World(places, turns, around, hand=swing, finger=finger)
    roll = recorded(world, kind="touch", begin_s=swing.tip_s)
    touched = roll.met[roll.released[0] + 3 :, 0]
    if roll.ends != ("flat",) or not touched.any():
        raise NotSettled("the finger misses it")
    return roll


MAKERS: Final[dict[str, Callable[[np.random.Generator, int], Roll]]] = {
    "throw": throw,
    "long": long_throw,
    "drop": drop,
    "lean": lean,
    "nudge": nudge,
    "stack": stack,
    "off": off,
    "touch": touch,
}
"""What makes one roll of a kind with so many dice; raises NotSettled for a try that does not turn out so."""
