"""Recording a world until its dice lie still, and judging how each of them ended."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from device.physics.world import HALF_CM, Sample, World
from device.simulated.recorded.codec import RATE_HZ, Roll, matrices

__all__ = ["NotSettled", "recorded", "upright"]

Array = NDArray[Any]
_MOST_S: Final = 3.2
_STILL_CM_S: Final = 0.25
_STILL_RAD_S: Final = 0.3
_STILL_SAMPLES: Final = 12
_FLAT_RAD: Final = np.radians(0.4)
_BELOW_TABLE_CM: Final = -6.0


class NotSettled(Exception):
    """The dice did not come to rest in time, or not as they were wanted."""


def upright(turns: Array) -> Array:
    """Angle in rad between the vertical and the axis of the die nearest to it, of quaternions (..., 4)."""
    up = np.abs(matrices(turns)[..., 2, :]).max(axis=-1)
    return np.asarray(np.arccos(np.clip(up, 0, 1)))


def _snapped(turn: Array) -> Array:
    """The same turn with the axis that is nearly vertical made quite so."""
    rotation = matrices(turn)
    axis = int(np.abs(rotation[2]).argmax())
    now = rotation[:, axis]
    goal = np.array([0.0, 0.0, np.sign(now[2])])
    half = np.array([1 + now @ goal, *np.cross(now, goal)])
    half /= np.linalg.norm(half)
    a, b = half, turn
    return np.array(
        [
            a[0] * b[0] - a[1:] @ b[1:],
            *(a[0] * b[1:] + b[0] * a[1:] + np.cross(a[1:], b[1:])),
        ]
    )


def recorded(world: World, *, kind: str, begin_s: float = 0.0, lying: int = 0) -> Roll:
    """Step a world until every die lies still, and give what happened from `begin_s` on.

    Raises NotSettled when they do not within 3.2 s, or when the hand still holds one.
    """
    if begin_s > 0:
        world.step(begin_s)
    began_s = world.at_s
    world.sample()  # what touched before does not count
    samples: list[Sample] = [world.sample()]
    still = 0
    while still < _STILL_SAMPLES:
        if world.at_s - began_s > _MOST_S:
            raise NotSettled("the dice did not come to rest")
        number = len(samples)
        world.step(began_s + number / RATE_HZ - world.at_s)
        samples.append(world.sample())
        speeds, gone = world.speeds, world.poses[:, 2] < _BELOW_TABLE_CM
        quiet = (speeds[:, 0] < _STILL_CM_S) & (speeds[:, 1] < _STILL_RAD_S) | gone
        still = still + 1 if quiet.all() and not any(world.held) else 0
    return _roll(samples, kind, lying)


def _roll(samples: list[Sample], kind: str, lying: int) -> Roll:
    centres = np.array([s.centres for s in samples])
    turns = np.array([s.turns for s in samples])
    held = np.array([s.held for s in samples])
    ends = []
    for die in range(centres.shape[1]):
        under = centres[:, die, 2] < _BELOW_TABLE_CM
        if under.any():
            first = int(under.argmax())
            centres[first:, die], turns[first:, die] = centres[first, die], turns[first, die]
            ends.append("off")
        elif upright(turns[-1, die]) < _FLAT_RAD and abs(centres[-1, die, 2] - HALF_CM) < 0.01:
            turns[-1, die], centres[-1, die, 2] = _snapped(turns[-1, die]), HALF_CM
            ends.append("flat")
        else:
            ends.append("cocked")
    hand = [(s.hand[0], 0.0) for s in samples if s.hand is not None]
    finger = [s.finger for s in samples if s.finger is not None]
    return Roll(
        kind,
        lying,
        centres * 10,
        turns,
        tuple(int(held[:, die].sum()) for die in range(centres.shape[1])),
        np.array([s.met for s in samples]),
        np.array(hand) * 10 if hand else np.zeros((0, 2)),
        np.array(finger) * 10 if finger else np.zeros((0, 2)),
        tuple(ends),
    )
