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
from device.simulated.dice_acts import Die
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
from device.simulated.mishaps import Mishaps
from device.simulated.motion import Rest, exposed
from device.simulated.optics import PinholeCamera
from device.simulated.placing import free_place, squares_overlap
from device.simulated.render import EXPOSURE_NS, Renderer, SeenDie, StillPart
from device.simulated.tabletop import Clutter

__all__ = ["SEAT_COLOURS", "TABLE_SIZE_MM", "DieTruth", "SimulatedTable"]

_MS: Final = 1_000_000
_FIELD_MARGIN_MM: Final = 22.0
_LEAVE_NS: Final = 330 * _MS
_FLAT_COS: Final = 0.9998
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


class SimulatedTable(Mishaps):
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
        keep_all: bool = False,
        pace: float = 1.0,
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
        self._sequence = 0
        self._start_ns = clock.now_ns()
        self._clutter = self._scatter(clutter)
        for seat in self.seats:
            prepare_hand(seat)
        super().__init__(
            self.zones, np.random.default_rng([seed, 2]), keep_all=keep_all, begin_ns=clock.now_ns(), pace=pace
        )

    # What people do

    def throw(
        self,
        seat: int,
        dice: Collection[int] | None = None,
        faces: Sequence[int] | Mapping[int, int] | None = None,
    ) -> int:
        """Throw dice (numbers 0 to 5; all six when None) of a seat, and return when the last comes to rest, in ns.

        `faces` chooses what they will show: a mapping from die to face, or as many faces as dice in ascending
        order of the dice; else chance decides. A hand takes them up and throws them as somebody once threw dice in
        a recorded physical roll; they lie still 0.8 to 2 s later.
        Raises SceneError for an unknown seat, die or face, or when there is no room for them to roll.
        """
        with self._lock:
            numbers = sorted(self._known_dice(seat, dice))
            wanted = self._wanted_faces(numbers, faces)
            now_ns = self.clock.now_ns()
            return self._throw(seat, numbers, wanted, now_ns, ("throw", "long"), deed="throw") if numbers else now_ns

    def drop(self, seat: int, dice: Collection[int], faces: Sequence[int] | Mapping[int, int] | None = None) -> int:
        """Take up to three dice up and let them fall from a low height rather than roll; when they lie, in ns."""
        with self._lock:
            numbers = sorted(self._known_dice(seat, dice))
            wanted = self._wanted_faces(numbers, faces)
            return self._throw(
                seat, numbers, wanted, self.clock.now_ns(), ("drop",), deed="drop", why="fell straight down"
            )

    def slide(self, seat: int, die: int, dx_mm: float, dy_mm: float, turn_rad: float = 0.0) -> int:
        """Push one lying die over the table with a finger, face unchanged; when it lies still again, in ns.

        Raises SceneError for a die that moves, that would leave the table or that would lie in another.
        """
        with self._lock:
            (number,) = self._known_dice(seat, [die])
            now_ns = self.clock.now_ns()
            body = self._dice[seat, number]
            start = self._lying_place(body, now_ns)
            goal = Rest(start.x_mm + dx_mm, start.y_mm + dy_mm, start.yaw_rad + turn_rad, start.value)
            if not (0 <= goal.x_mm <= TABLE_SIZE_MM[0] and 0 <= goal.y_mm <= TABLE_SIZE_MM[1]):
                raise SceneError(f"the slide ends off the table at ({goal.x_mm:.0f}, {goal.y_mm:.0f}) mm")
            mine = (goal.x_mm, goal.y_mm, goal.yaw_rad, DIE_MM)
            for other in self._dice.values():
                if other is body or other.rest is None:
                    continue
                square = (other.rest.x_mm, other.rest.y_mm, other.rest.yaw_rad, DIE_MM)
                if squares_overlap(mine, square):
                    raise SceneError(f"the slide ends in die {other.index} of seat {other.seat}; choose a free place")
            return self._slide(body, goal, now_ns)

    def lift(self, seat: int, dice: Collection[int], *, why: str = "") -> int:
        """Take lying dice up between the fingers and hold them; when they are up, in ns.

        They are held until they are thrown, dropped or set back. Raises SceneError for a die that does not lie still.
        """
        with self._lock:
            now_ns = self.clock.now_ns()
            bodies = [self._dice[seat, number] for number in sorted(self._known_dice(seat, dice))]
            for body in bodies:
                self._lying_place(body, now_ns)
            return self._lift(bodies, now_ns, why=why)

    def set_back(
        self,
        seat: int,
        dice: Collection[int],
        faces: Sequence[int] | Mapping[int, int] | None = None,
        *,
        place: Rest | None = None,
        why: str = "set back without a roll",
    ) -> int:
        """Set dice down flat that are held, or that have left the table; when they lie, in ns.

        They show what they showed, or `faces`; a single one is set down at `place`. Raises SceneError for dice that
        lie on the table.
        """
        with self._lock:
            now_ns = self.clock.now_ns()
            numbers = sorted(self._known_dice(seat, dice))
            wanted = self._wanted_faces(numbers, faces)
            last_ns = now_ns
            for number in numbers:
                body = self._dice[seat, number]
                pose = body.pose(now_ns)
                if not pose.hidden or now_ns < body.motions[-1].rest_ns:
                    raise SceneError(f"die {number} of seat {seat} is not held; lift it first")
                value = wanted.get(number) or top_face(pose.rotation)
                others = self._lying_but([body])
                goal = place or free_place(self._rng, self.zones[seat], value, others, self._circles())
                last_ns = max(last_ns, self._set_down(body, goal, now_ns, why=why))
            return last_ns

    def throw_off(self, seat: int, die: int) -> int:
        """Throw one die over the edge of the table; when it is out of sight for good, in ns."""
        with self._lock:
            (number,) = self._known_dice(seat, [die])
            return self._roll_off(self._dice[seat, number], self.clock.now_ns())

    def lean(self, seat: int, die: int, against: int | None = None) -> int:
        """Throw one die so that it ends leaning on die `against` of the seat, or on the stack; when it rests, in ns.

        Raises SceneError when there is no room for it, or when the stack is too far away.
        """
        with self._lock:
            (number,) = self._known_dice(seat, [die])
            body, now_ns = self._dice[seat, number], self.clock.now_ns()
            if against is None:
                return self._lean_on_stack(body, now_ns)
            (other,) = self._known_dice(seat, [against])
            return self._against(body, self._dice[seat, other], "lean", {}, now_ns)

    def knock(self, seat: int, die: int, target: tuple[int, int], face: int | None = None) -> int:
        """Throw one die so that it knocks the lying die `target` (seat, number) away; when both lie, in ns."""
        with self._lock:
            (number,) = self._known_dice(seat, [die])
            (other,) = self._known_dice(target[0], [target[1]])
            wanted = self._wanted_faces([number], None if face is None else [face])
            now_ns = self.clock.now_ns()
            return self._against(self._dice[seat, number], self._dice[target[0], other], "nudge", wanted, now_ns)

    def touch_moving(self, seat: int, die: int, by: int | None = None, face: int | None = None) -> int:
        """Throw one die that a finger of seat `by` (its own when None) meets while it rolls; when it lies, in ns."""
        with self._lock:
            (number,) = self._known_dice(seat, [die])
            self._known_seat(seat if by is None else by)
            wanted = self._wanted_faces([number], None if face is None else [face])
            return self._roll_and_touch(
                self._dice[seat, number], seat if by is None else by, wanted, self.clock.now_ns()
            )

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
            hand = self._hand_for(seat, palm_mm or self.zones[seat].centre_mm, 0.0, now_ns)
            if duration_s is not None:
                until_ns = now_ns + int(duration_s * 1e9)
                hand.wait(max(hand.now_ns, until_ns - min(_LEAVE_NS, (until_ns - now_ns) // 2)))
                hand.leave(until_ns)

    def remove_hand(self, seat: int) -> None:
        """Take every hand of `seat` away at once."""
        with self._lock:
            self._known_seat(seat)
            self._hands = [hand for hand in self._hands if hand.seat != seat]

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

    @property
    def dice(self) -> tuple[Die, ...]:
        """All dice, by seat and number, with their motions."""
        return tuple(self._dice.values())

    def die(self, seat: int, index: int) -> Die:
        """One die, with its motions."""
        (number,) = self._known_dice(seat, [index])
        return self._dice[seat, number]

    def hands(self, at_ns: int) -> list[Hand]:
        """The hands over the table at a time."""
        return [hand for course in self._hands if (hand := course.hand(at_ns)) is not None]

    def lying_places(self, but: tuple[int, int]) -> list[Rest]:
        """Where all dice but one lie or will lie."""
        return self._lying_but([self.die(*but)])

    def lying_place(self, seat: int, index: int) -> Rest:
        """Where a die lies now; raises SceneError when it does not lie still."""
        return self._lying_place(self.die(seat, index), self.clock.now_ns())

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
            return tuple(self._die_truth(die, when_ns) for die in there if not die.pose(when_ns).hidden)

    def settled(self, at_ns: int | None = None) -> bool:
        """True when no die moves."""
        when_ns = self.clock.now_ns() if at_ns is None else at_ns
        with self._lock:
            return not any(die.busy(when_ns, when_ns + 1) for die in self._dice.values())

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

    def render(
        self, exposure_start_ns: int, exposure_ns: int = EXPOSURE_NS, *, lamp: Lamp | None = None
    ) -> NDArray[Any]:
        """The picture of an exposure that begins at `exposure_start_ns`, (H, W, 3) uint8 BGR; in `lamp`'s light."""
        with self._lock:
            start_ns, end_ns = exposure_start_ns, exposure_start_ns + exposure_ns
            resting, moving, key = [], [], []
            for die in self._dice.values():
                if die.seat in self._away:
                    continue
                colour = self._looks[die.seat]
                if die.still(start_ns, end_ns):
                    pose = die.pose(start_ns)
                    if not pose.hidden:
                        resting.append(SeenDie(colour, (pose,), die.blot))
                        key.append((die.seat, die.index, colour, pose.key, die.blot))
                else:
                    moving.append(SeenDie(colour, exposed(die.pose, start_ns, end_ns), die.blot))
            still = StillPart(self._marker, self._clutter, True, tuple(key))
            hands = self.hands(start_ns)
            return self._renderer.picture(
                still, resting, moving, hands, noise_seed=start_ns + self._seed, lamp=lamp or self._lamp
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

    @staticmethod
    def _lying_place(die: Die, now_ns: int) -> Rest:
        place = die.still_place(now_ns)
        if place is None:
            raise SceneError(f"die {die.index} of seat {die.seat} is moving; wait until it lies still")
        return place

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
    def _value(die: Die, at_ns: int) -> int | None:
        """What it shows, when nothing is being done with it and it lies flat."""
        if die.busy(at_ns, at_ns + 1):
            return None
        pose = die.pose(at_ns)
        top = top_face(pose.rotation)
        flat = (pose.rotation @ FACE_NORMALS[top])[2] > _FLAT_COS
        return None if pose.hidden or not flat else top

    def _die_truth(self, die: Die, at_ns: int) -> DieTruth:
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
