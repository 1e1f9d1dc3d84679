"""The simulated table: people are told what to do, and the camera sees it."""

from __future__ import annotations

import threading
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from device.buttons.base import Press
from device.buttons.simulated import SimulatedButtons
from device.clock import Clock
from device.errors import SceneError
from device.frames import Frame
from device.simulated.bodies import LOOKS, Blot
from device.simulated.dice_model import FACE_NORMALS, top_face
from device.simulated.hands import Hand, prepare_hand
from device.simulated.lamps import DAYLIGHT, Lamp
from device.simulated.layout import (
    DICE_PER_SEAT,
    DIE_MM,
    GOAL_CARD_MM,
    SEAT_COLOURS,
    STACK_MM,
    TABLE_SIZE_MM,
    Zone,
    zones_for,
)
from device.simulated.motion import Motion, Pose, Rest, Slide, Throw
from device.simulated.optics import PinholeCamera
from device.simulated.placing import free_place, squares_overlap
from device.simulated.render import EXPOSURE_NS, Renderer, SeenDie, StillPart
from device.simulated.tabletop import Clutter

__all__ = ["SEAT_COLOURS", "TABLE_SIZE_MM", "DieTruth", "SimulatedTable"]

_MS: Final = 1_000_000
_FIELD_MARGIN_MM: Final = 22.0
_SLIDE_NS: Final = 350 * _MS
_HAND_IN_NS: Final = 150 * _MS
_HAND_STAYS_NS: Final = 290 * _MS
_HAND_OUT_NS: Final = 640 * _MS
_HAND_AWAY_MM: Final = 330.0
_BLOT_BGR: Final = (196, 214, 224)


@dataclass(frozen=True, slots=True)
class DieTruth:
    """What is true of one die at one moment; `value` is None while it moves.

    `top_px` are the four corners of its upper face in the picture (rounding left out), `blotted` says that
    its upper face is painted over.
    """

    seat: int
    index: int
    colour: str
    value: int | None
    position_mm: tuple[float, float]
    centre_px: tuple[float, float]
    top_px: tuple[tuple[float, float], ...]
    blotted: bool


@dataclass(slots=True)
class _Die:
    seat: int
    index: int
    rest: Rest
    motion: Motion | None = None
    blot: Blot | None = None

    def pose(self, at_ns: int) -> Pose:
        return self.rest.pose() if self.motion is None else self.motion.pose(at_ns)

    def moves(self, from_ns: int, to_ns: int) -> bool:
        return self.motion is not None and to_ns > self.motion.start_ns and from_ns < self.motion.rest_ns

    def still_place(self, at_ns: int) -> Rest | None:
        """Where it lies at `at_ns`; None when it moves or has just been lifted from a moving pose."""
        if self.motion is None or at_ns >= self.motion.rest_ns:
            return self.rest
        return None


@dataclass(frozen=True, slots=True)
class _Reach:
    """A hand that comes, stays and goes; `until_ns` None: it stays."""

    seat: int
    palm_mm: tuple[float, float]
    from_ns: int
    until_ns: int | None
    lean_rad: float


class SimulatedTable:
    """A table with dice, cards and hands that a camera looks at. It knows no game.

    `seats` is how many players sit at it (1 to 6, clockwise from the near left) or their numbers 1..n.
    Everything follows from `seed`, the calls made and the clock: the same of all three is the same picture.
    All methods may be called from any thread.
    """

    def __init__(
        self,
        clock: Clock,
        seats: int | Collection[int] = 4,
        seed: int = 0,
        size_wh: tuple[int, int] = (1280, 720),
        fps: float = 15,
        *,
        surface: str = "wood",
        clutter: int = 0,
        noise: float = 1.0,
        tilt_deg: float = 18.0,
    ) -> None:
        count = seats if isinstance(seats, int) else len(seats)
        if not isinstance(seats, int) and sorted(seats) != list(range(1, count + 1)):
            raise SceneError(f"seats are numbered 1 to n without a gap, not {sorted(seats)}")
        if fps <= 0:
            raise SceneError(f"{fps} frames a second asked for; give more than 0")
        self.clock = clock
        self.zones: Mapping[int, Zone] = zones_for(count)
        self.seats = tuple(self.zones)
        self.fps = float(fps)
        self.size_wh = size_wh
        self.buttons = SimulatedButtons(clock)
        self._seed = seed
        self._lock = threading.RLock()
        self._rng = np.random.default_rng([seed, 2])
        width, depth = TABLE_SIZE_MM
        margin = _FIELD_MARGIN_MM
        field = (-margin, -margin, width + margin, depth + margin)
        self._renderer = Renderer(
            PinholeCamera(size_wh, field, tilt_deg=tilt_deg), seed=seed, surface_name=surface, noise=noise
        )
        self._lamp = DAYLIGHT
        self._looks = {seat: SEAT_COLOURS[seat] for seat in self.seats}
        self._away: set[int] = set()
        self._marker: int | None = None
        self._reaches: list[_Reach] = []
        self._sequence = 0
        self._start_ns = clock.now_ns()
        self._clutter = self._scatter(clutter)
        self._dice: dict[tuple[int, int], _Die] = {}
        for seat in self.seats:
            prepare_hand(seat)
            for index in range(DICE_PER_SEAT):
                others = [die.rest for die in self._dice.values()]
                rest = free_place(self._rng, self.zones[seat], int(self._rng.integers(1, 7)), others, self._circles())
                self._dice[seat, index] = _Die(seat, index, rest)

    # What people do

    def throw(
        self,
        seat: int,
        dice: Collection[int] | None = None,
        faces: Sequence[int] | Mapping[int, int] | None = None,
    ) -> int:
        """Throw dice (numbers 0 to 5; all six when None) of a seat, and return when the last comes to rest, in ns.

        `faces` chooses what they will show: a mapping from die to face, or as many faces as dice in ascending
        order of the dice; else chance decides. They are lifted at once and lie still 0.6 to 1.0 s later.
        Raises SceneError for an unknown seat, die or face.
        """
        with self._lock:
            numbers = sorted(self._known_dice(seat, dice))
            wanted = self._wanted_faces(numbers, faces)
            now_ns = self.clock.now_ns()
            zone = self.zones[seat]
            palm = self._palm_over(zone, numbers, now_ns)
            others = [die.rest for key, die in self._dice.items() if key[0] != seat or key[1] not in numbers]
            last_ns = now_ns
            for number in numbers:
                die = self._dice[seat, number]
                rest_ns = now_ns + int(self._rng.uniform(620, 980)) * _MS
                last_ns = max(last_ns, rest_ns)
                value = wanted.get(number) or int(self._rng.integers(1, 7))
                rest = free_place(self._rng, zone, value, others, self._circles())
                others.append(rest)
                die.motion = Throw(
                    start=die.pose(now_ns),
                    rest=rest,
                    palm_mm=(palm[0] + float(self._rng.uniform(-12, 12)), palm[1] + float(self._rng.uniform(-12, 12))),
                    turns=float(self._rng.uniform(1.1, 2.4)),
                    bounce_mm=float(self._rng.uniform(14, 34)),
                    start_ns=now_ns,
                    rest_ns=rest_ns,
                )
                die.rest = rest
                die.blot = None
            self._reaches = [r for r in self._reaches if r.until_ns is None or r.until_ns > now_ns]
            self._reaches.append(_Reach(seat, palm, now_ns, now_ns + _HAND_OUT_NS, float(self._rng.uniform(-0.2, 0.2))))
            return last_ns

    def slide(self, seat: int, die: int, dx_mm: float, dy_mm: float, turn_rad: float = 0.0) -> int:
        """Push one lying die over the table, face unchanged, and return when it lies still again, in ns.

        Raises SceneError for a die that moves, that would leave the table or that would lie in another.
        """
        with self._lock:
            (number,) = self._known_dice(seat, [die])
            now_ns = self.clock.now_ns()
            body = self._dice[seat, number]
            start = body.still_place(now_ns)
            if start is None:
                raise SceneError(f"die {die} of seat {seat} is moving; wait until it lies still")
            goal = Rest(start.x_mm + dx_mm, start.y_mm + dy_mm, start.yaw_rad + turn_rad, start.value)
            if not (0 <= goal.x_mm <= TABLE_SIZE_MM[0] and 0 <= goal.y_mm <= TABLE_SIZE_MM[1]):
                raise SceneError(f"the slide ends off the table at ({goal.x_mm:.0f}, {goal.y_mm:.0f}) mm")
            mine = (goal.x_mm, goal.y_mm, goal.yaw_rad, DIE_MM)
            for other in self._dice.values():
                square = (other.rest.x_mm, other.rest.y_mm, other.rest.yaw_rad, DIE_MM)
                if other is not body and squares_overlap(mine, square):
                    raise SceneError(f"the slide ends in die {other.index} of seat {other.seat}; choose a free place")
            body.motion = Slide(start, goal, now_ns, now_ns + _SLIDE_NS)
            body.rest = goal
            return now_ns + _SLIDE_NS

    def show_card(self, marker_id: int | None) -> None:
        """Open the goal card with this marker in the middle of the table; None takes it away."""
        if marker_id is not None and not 0 <= marker_id < 250:
            raise SceneError(f"there is no marker {marker_id}; markers are 0 to 249")
        with self._lock:
            self._marker = marker_id

    def light(self, lamp: Lamp) -> None:
        """Put the table in the light of another lamp."""
        with self._lock:
            self._lamp = lamp

    def take_dice(self, seat: int, look: str) -> None:
        """Give a seat dice of another look (a key of `device.simulated.bodies.LOOKS`), lying as the old ones did."""
        if look not in LOOKS:
            raise SceneError(f"there are no {look} dice; there are {', '.join(LOOKS)}")
        with self._lock:
            self._known_seat(seat)
            self._looks[seat] = look

    def put_away(self, seat: int) -> None:
        """Take all dice of a seat off the table."""
        with self._lock:
            self._known_seat(seat)
            self._away.add(seat)

    def lay_out(self, seat: int) -> None:
        """Put the dice of a seat back where they lay."""
        with self._lock:
            self._known_seat(seat)
            self._away.discard(seat)

    def press(self, seat: int, button: str, edge_ns: int | None = None) -> Press:
        """Press a button of a seat now, or at `edge_ns`; it comes out of `buttons`."""
        return self.buttons.press(seat, button, edge_ns)

    def add_hand(self, seat: int, palm_mm: tuple[float, float] | None = None, duration_s: float | None = None) -> None:
        """Hold a hand of `seat` over `palm_mm` (the middle of its zone when None), until taken away or for a time."""
        with self._lock:
            self._known_seat(seat)
            now_ns = self.clock.now_ns()
            until_ns = None if duration_s is None else now_ns + int(duration_s * 1e9)
            self._reaches.append(_Reach(seat, palm_mm or self.zones[seat].centre_mm, now_ns, until_ns, 0.0))

    def remove_hand(self, seat: int) -> None:
        """Take every hand of `seat` away at once."""
        with self._lock:
            self._known_seat(seat)
            self._reaches = [reach for reach in self._reaches if reach.seat != seat]

    def paint_over(self, seat: int, die: int) -> None:
        """Blot the upper face of a die with paint of the colour of a card, so that nobody can read it."""
        with self._lock:
            (number,) = self._known_dice(seat, [die])
            self._dice[seat, number].blot = Blot(_BLOT_BGR, seat * 10 + number)

    def unpaint(self, seat: int, die: int) -> None:
        """Take the blot of a die away; a throw does so as well."""
        with self._lock:
            (number,) = self._known_dice(seat, [die])
            self._dice[seat, number].blot = None

    # What is true

    def truth(self, at_ns: int | None = None) -> dict[int, tuple[int | None, ...]]:
        """For each seat the faces of its dice 0 to 5, None for one that is moving."""
        with self._lock:
            when_ns = self.clock.now_ns() if at_ns is None else at_ns
            return {
                seat: tuple(self._value(self._dice[seat, index], when_ns) for index in range(DICE_PER_SEAT))
                for seat in self.seats
            }

    def dice_truth(self, at_ns: int | None = None) -> tuple[DieTruth, ...]:
        """Each die that is not in a hand, with its place on the table and in the picture."""
        with self._lock:
            when_ns = self.clock.now_ns() if at_ns is None else at_ns
            there = [die for die in self._dice.values() if die.seat not in self._away]
            return tuple(self._die_truth(die, when_ns) for die in there if not die.pose(when_ns).in_hand)

    def settled(self, at_ns: int | None = None) -> bool:
        """True when no die moves."""
        when_ns = self.clock.now_ns() if at_ns is None else at_ns
        with self._lock:
            return not any(die.moves(when_ns, when_ns + 1) for die in self._dice.values())

    def seat_of(self, position_mm: tuple[float, float]) -> int | None:
        """Whose zone a place on the table lies in; None for the strip of the cards and off the table."""
        for seat, zone in self.zones.items():
            if zone.holds(*position_mm):
                return seat
        return None

    @property
    def goal_marker(self) -> int | None:
        """The marker of the open goal card."""
        return self._marker

    @property
    def camera(self) -> PinholeCamera:
        """The optics of the camera over the table."""
        return self._renderer.camera

    # What the camera sees

    def frame(self) -> Frame:
        """The frame whose exposure begins now."""
        with self._lock:
            now_ns = self.clock.now_ns()
            self._sequence += 1
            return Frame(self.render(now_ns), now_ns, self._sequence, "simulated")

    def render(self, exposure_start_ns: int) -> NDArray[Any]:
        """The picture of an exposure that begins at `exposure_start_ns`, (H, W, 3) uint8 BGR."""
        with self._lock:
            start_ns, end_ns = exposure_start_ns, exposure_start_ns + EXPOSURE_NS
            resting, moving, key = [], [], []
            for die in self._dice.values():
                if die.seat in self._away:
                    continue
                colour = self._looks[die.seat]
                if die.moves(start_ns, end_ns):
                    moving.append(SeenDie(colour, (die.pose(start_ns), die.pose(end_ns)), die.blot))
                else:
                    resting.append(SeenDie(colour, (die.pose(start_ns),), die.blot))
                    before = die.motion is not None and start_ns < die.motion.start_ns
                    key.append((die.seat, die.index, colour, id(die.motion) if before else die.rest, die.blot))
            still = StillPart(self._marker, self._clutter, True, tuple(key))
            hands = [hand for reach in self._reaches if (hand := self._hand(reach, start_ns)) is not None]
            return self._renderer.picture(
                still, resting, moving, hands, noise_seed=start_ns + self._seed, lamp=self._lamp
            )

    # Inner parts

    def _known_seat(self, seat: int) -> None:
        if seat not in self.zones:
            raise SceneError(f"there is no seat {seat} at this table; the seats are {list(self.seats)}")

    def _known_dice(self, seat: int, dice: Collection[int] | None) -> list[int]:
        self._known_seat(seat)
        numbers = list(range(DICE_PER_SEAT)) if dice is None else list(dice)
        wrong = [n for n in numbers if n not in range(DICE_PER_SEAT)]
        if wrong or len(set(numbers)) != len(numbers):
            raise SceneError(f"dice {numbers} asked for; a seat has dice 0 to {DICE_PER_SEAT - 1}, each once")
        return numbers

    @staticmethod
    def _wanted_faces(numbers: list[int], faces: Sequence[int] | Mapping[int, int] | None) -> dict[int, int]:
        if faces is None:
            return {}
        if isinstance(faces, Mapping):
            wanted = dict(faces)
        else:
            if len(faces) != len(numbers):
                raise SceneError(f"{len(faces)} faces given for {len(numbers)} dice; give one for each")
            wanted = dict(zip(numbers, faces, strict=True))
        if any(value not in FACE_NORMALS for value in wanted.values()) or not set(wanted) <= set(numbers):
            raise SceneError(f"faces {wanted} asked for; faces are 1 to 6, of the dice thrown ({numbers})")
        return wanted

    def _palm_over(self, zone: Zone, numbers: list[int], now_ns: int) -> tuple[float, float]:
        """The hand lets go near the player's edge of the zone."""
        x = (zone.x0 + zone.x1) / 2 + float(self._rng.uniform(-0.2, 0.2)) * (zone.x1 - zone.x0) / 2
        y = zone.y1 - 18 if zone.near else zone.y0 + 18
        return x, y

    def _circles(self) -> list[tuple[float, float, float]]:
        return [(c.x_mm, c.y_mm, c.radius_mm) for c in self._clutter]

    def _scatter(self, count: int) -> tuple[Clutter, ...]:
        """Cups, coins and foreign cards in the strip of the cards, beside the goal card and the stack."""
        rng = np.random.default_rng([self._seed, 4])
        things: list[Clutter] = []
        kinds = ("cup", "card", "coin", "coin", "card", "coin", "cup", "coin")
        radii = {"cup": 36.0, "card": 54.0, "coin": 11.0}
        left, right = STACK_MM[0] - 40, GOAL_CARD_MM[0] + 40
        for number in range(count):
            kind = kinds[number % len(kinds)]
            radius = radii[kind]
            for _ in range(200):
                x = float(rng.uniform(20 + radius, TABLE_SIZE_MM[0] - 20 - radius))
                y = float(rng.uniform(190 - max(4, 63 - radius), 190 + max(4, 63 - radius)))
                clear = x + radius < left or x - radius > right
                apart = all(np.hypot(x - t.x_mm, y - t.y_mm) > radius + t.radius_mm for t in things)
                if clear and apart:
                    turn = float(rng.uniform(0, np.pi))
                    things.append(Clutter(kind, x, y, turn, radius, number))
                    break
        return tuple(things)

    @staticmethod
    def _value(die: _Die, at_ns: int) -> int | None:
        if die.moves(at_ns, at_ns + 1):
            return None
        return top_face(die.pose(at_ns).rotation)

    def _die_truth(self, die: _Die, at_ns: int) -> DieTruth:
        pose = die.pose(at_ns)
        normal = FACE_NORMALS[top_face(pose.rotation)]
        axes = [n for n in (FACE_NORMALS[3], FACE_NORMALS[2], FACE_NORMALS[1]) if abs(n @ normal) < 0.5]
        middle = normal * DIE_MM / 2
        half = DIE_MM / 2
        signs = ((-1, -1), (1, -1), (1, 1), (-1, 1))
        corners = np.array([middle + axes[0] * a * half + axes[1] * b * half for a, b in signs])
        top_px = self.camera.project(corners @ pose.rotation.T + pose.centre_mm)
        return DieTruth(
            seat=die.seat,
            index=die.index,
            colour=self._looks[die.seat],
            value=self._value(die, at_ns),
            position_mm=(float(pose.centre_mm[0]), float(pose.centre_mm[1])),
            centre_px=(float(top_px[:, 0].mean()), float(top_px[:, 1].mean())),
            top_px=tuple((float(x), float(y)) for x, y in top_px),
            blotted=die.blot is not None,
        )

    def _hand(self, reach: _Reach, at_ns: int) -> Hand | None:
        if at_ns < reach.from_ns or (reach.until_ns is not None and at_ns >= reach.until_ns):
            return None
        inside = min(1.0, (at_ns - reach.from_ns) / _HAND_IN_NS)
        if reach.until_ns is not None:
            leave_ns = min(_HAND_OUT_NS - _HAND_STAYS_NS, (reach.until_ns - reach.from_ns) // 2)
            inside = min(inside, (reach.until_ns - at_ns) / leave_ns)
        near = self.zones[reach.seat].near
        away = (1 - inside**0.7) * _HAND_AWAY_MM * (1 if near else -1)
        return Hand(reach.seat, (reach.palm_mm[0], reach.palm_mm[1] + away), near, reach.lean_rad)
