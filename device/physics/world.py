"""The physical world of a throw: rounded dice on a table, a cupped hand and a finger that go where they are told.

Lengths are centimetres, times seconds; the mass of a die is the unit of mass. x points the way of the throw, z up.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import mujoco
import numpy as np
from numpy.typing import NDArray

from device.simulated.dice_model import CORNER_RADIUS_MM
from device.simulated.layout import DIE_MM

__all__ = ["HALF_CM", "LIP_CM", "HandPath", "Sample", "Surroundings", "World"]

Array = NDArray[Any]
HALF_CM: Final = DIE_MM / 20
_ROUND_CM: Final = CORNER_RADIUS_MM / 10
STEP_S: Final = 1.5e-4
"""A contact lasts about 0.8 ms; six steps resolve it."""
_STIFFNESS: Final = 1.5e7
"""1/s^2: at 1.2 m/s a die sinks in by 0.3 mm."""
_WALL_CM: Final = 0.5
LIP_CM: Final = 3.4
"""From the middle of the hollow to the tips of the fingers, over which the dice fall out."""

HandPath = Callable[[float], tuple[float, float, float]]
"""x, z in cm and pitch in rad of the hand at a time in s."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a throw meets.

    Attributes:
        friction: of dice on the table.
        bounce: share of its speed that a die keeps when it falls flat on the table, 0..1.
        edge_cm: where the table ends, along x; None: nowhere.
        stack: a stack of cards 12 mm high begins at x = 0 and goes on to 6.3 cm.
    """

    friction: float = 0.35
    bounce: float = 0.45
    edge_cm: float | None = None
    stack: bool = False


@dataclass(frozen=True)
class Sample:
    """One moment: centres (N, 3) in cm, quaternions (N, 4) scalar first, hand and finger where there are any.

    `held` dice are in the hollow of the hand; those that `met` touched another die, the hand or the finger since the
    sample before.
    """

    at_s: float
    centres: Array
    turns: Array
    held: tuple[bool, ...]
    met: tuple[bool, ...]
    hand: tuple[float, float, float] | None
    finger: tuple[float, float] | None


def _die(number: int) -> str:
    """A rounded cube: three slabs to the height of the faces, twelve round bars along the edges; exact all over."""
    flat = HALF_CM - _ROUND_CM
    geoms = []
    for axis in range(3):
        size = [flat, flat, flat]
        size[axis] = HALF_CM
        geoms.append(
            f'<geom type="box" class="slab" size="{size[0]} {size[1]} {size[2]}"/>',
        )
        for a in (-1, 1):
            for b in (-1, 1):
                ends = []
                for end in (-1, 1):
                    at = [a * flat, b * flat]
                    at.insert(axis, end * flat)
                    ends += at
                geoms.append(
                    f'<geom type="capsule" class="bar" fromto="{" ".join(map(str, ends))}" size="{_ROUND_CM}"/>'
                )
    side = 2 * HALF_CM
    moment = side * side / 6
    return (
        f'<body name="die{number}"><freejoint/>'
        f'<inertial pos="0 0 0" mass="1" diaginertia="{moment} {moment} {moment}"/>{"".join(geoms)}</body>'
    )


def _hollow_cm(dice: int) -> tuple[float, float, float]:
    """Half length, half width and depth of the hollow of a hand, or of two hands, for so many dice."""
    return 2.4, 1.4 if dice <= 2 else 2.4, 2.4 if dice <= 4 else 4.2


def _hand(dice: int) -> str:
    """A hollow hand: palm, heel, two sides and low fingers in front."""
    x, y, z = _hollow_cm(dice)
    w = _WALL_CM
    walls = [
        (0, 0, -w, x + 2 * w, y + 2 * w, w),
        (-x - w, 0, z / 2, w, y + 2 * w, z / 2),
        (0, y + w, z * 0.3, x + 2 * w, w, z * 0.3),
        (0, -y - w, z * 0.3, x + 2 * w, w, z * 0.3),
        (x + w, 0, 0.6, w, y, 0.6),
    ]
    geoms = "".join(
        f'<geom type="box" class="hand" pos="{a} {b} {c}" size="{d} {e} {f}"/>' for a, b, c, d, e, f in walls
    )
    return (
        '<body name="hand"><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 0 1"/>'
        f'<joint type="hinge" axis="0 1 0"/><inertial pos="0 0 0" mass="1e6" diaginertia="1e6 1e6 1e6"/>{geoms}</body>'
    )


_FINGER: Final = (
    '<body name="finger"><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 1 0"/>'
    '<inertial pos="0 0 0" mass="1e6" diaginertia="1e6 1e6 1e6"/>'
    '<geom type="capsule" class="hand" fromto="0 0 0.95 0 0 6" size="0.9"/></body>'
)


def _scene(dice: int, around: Surroundings, *, hand: bool, finger: bool) -> str:
    log = np.log(around.bounce)
    damping = 2 * -log / np.sqrt(np.pi**2 + log**2) * np.sqrt(_STIFFNESS)
    touch = f'solref="{-_STIFFNESS} {-damping}" solimp="0.99 0.99 0.001"'
    if around.edge_cm is None:
        table = '<geom type="plane" class="table" size="0 0 1"/>'
    else:
        half = 100.0
        table = f'<geom type="box" class="table" pos="{around.edge_cm - half} 0 -2" size="{half} {half} 2"/>'
        table += '<geom type="plane" class="table" pos="0 0 -40" size="0 0 1"/>'
    if around.stack:
        table += '<geom type="box" class="stack" pos="3.15 0 0.6" size="3.15 8 0.6"/>'
    bodies = [_die(number) for number in range(dice)]
    bodies += [_hand(dice)] if hand else []
    bodies += [_FINGER] if finger else []
    f = around.friction
    return f"""<mujoco><option timestep="{STEP_S}" gravity="0 0 -981" integrator="implicitfast" cone="elliptic"
      impratio="10" iterations="30"/><size memory="64M"/>
    <default><geom condim="4" {touch}/>
      <default class="bar"><geom contype="1" conaffinity="3" friction="{f * 0.8} 0.002 0.0001"/></default>
      <default class="slab"><geom contype="2" conaffinity="3" friction="{f * 0.8} 0.002 0.0001"/></default>
      <default class="table"><geom contype="0" conaffinity="1" friction="{f} 0.002 0.0001"/></default>
      <default class="stack"><geom contype="3" conaffinity="0" friction="{max(f, 0.5)} 0.002 0.0001"/></default>
      <default class="hand"><geom contype="3" conaffinity="0" friction="0.3 0.001 0.0001"
        solref="-4e6 -1600"/></default>
    </default><worldbody>{table}{"".join(bodies)}</worldbody></mujoco>"""


class World:
    """Dice, and a hand and a finger if wanted, that can be stepped on. The same calls give the same motion."""

    def __init__(
        self,
        centres_cm: Array,
        turns: Array,
        around: Surroundings,
        *,
        hand: HandPath | None = None,
        finger: Callable[[float], tuple[float, float]] | None = None,
        velocities: Array | None = None,
    ) -> None:
        """Dice at `centres_cm` (N, 3), turned by quaternions (N, 4), moving with `velocities` (N, 6) or at rest."""
        self.count = len(centres_cm)
        self._hand, self._finger = hand, finger
        self._around = around
        self._model = mujoco.MjModel.from_xml_string(
            _scene(self.count, around, hand=hand is not None, finger=finger is not None)
        )
        self._data = mujoco.MjData(self._model)
        poses = self._data.qpos[: 7 * self.count].reshape(-1, 7)
        poses[:, :3], poses[:, 3:] = centres_cm, turns
        if velocities is not None:
            self._data.qvel[: 6 * self.count] = np.asarray(velocities).ravel()
        self.held = [hand is not None and bool(c[2] > 2) for c in centres_cm]
        self._met: NDArray[Any] = np.zeros(self.count, bool)
        names = [f"die{i}" for i in range(self.count)]
        self._number = np.full(self._model.nbody, -1)
        for number, name in enumerate(names):
            self._number[self._model.body(name).id] = number

    @property
    def at_s(self) -> float:
        """Time since the beginning."""
        return float(self._data.time)

    @property
    def poses(self) -> Array:
        """Centres and quaternions, (N, 7)."""
        return np.array(self._data.qpos[: 7 * self.count].reshape(-1, 7))

    @property
    def speeds(self) -> Array:
        """Speed and rate of turn of each die, (N, 2): cm/s and rad/s."""
        v = self._data.qvel[: 6 * self.count].reshape(-1, 6)
        return np.column_stack([np.linalg.norm(v[:, :3], axis=1), np.linalg.norm(v[:, 3:], axis=1)])

    def step(self, seconds: float) -> None:
        """Go on for a while."""
        data, at = self._data, 7 * self.count
        vat = 6 * self.count
        for _ in range(round(seconds / STEP_S)):
            now = float(data.time)
            paths: list[float] = []
            rates: list[float] = []
            for path in (self._hand, self._finger):
                if path is not None:
                    here, later = path(now), path(now + STEP_S)
                    paths += here
                    rates += [(b - a) / STEP_S for a, b in zip(here, later, strict=True)]
            if paths:
                data.qpos[at:] = paths
                data.qvel[vat:] = rates
            mujoco.mj_step(self._model, data)
            if data.ncon:
                self._note_contacts(data.contact.geom)
        self._let_go()

    def sample(self) -> Sample:
        """This moment."""
        poses = self.poses
        met = tuple(bool(m) for m in self._met)
        self._met[:] = False
        return Sample(
            self.at_s,
            poses[:, :3],
            poses[:, 3:],
            tuple(self.held),
            met,
            None if self._hand is None else self._hand(self.at_s),
            None if self._finger is None else self._finger(self.at_s),
        )

    def _note_contacts(self, geoms: Array) -> None:
        bodies = self._model.geom_bodyid[geoms]
        apart = bodies[(bodies > 0).all(axis=1)]
        numbers = self._number[apart].ravel()
        self._met[numbers[numbers >= 0]] = True

    def _let_go(self) -> None:
        """A die has left the hand once it is out of its hollow."""
        if self._hand is None or not any(self.held):
            return
        x, z, pitch = self._hand(self.at_s)
        long, wide, deep = _hollow_cm(self.count)
        c, s = np.cos(pitch), np.sin(pitch)
        for number, (px, py, pz, *_) in enumerate(self.poses):
            along, up = c * (px - x) - s * (pz - z), s * (px - x) + c * (pz - z)
            inside = abs(along) < long + 0.6 and abs(py) < wide + 0.6 and -0.5 < up < deep + 0.4
            if not inside:
                self.held[number] = False
