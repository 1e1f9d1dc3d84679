"""What goes wrong with dice at a simulated table: over the edge, leaning, knocked, met by a finger while they roll."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from device.errors import SceneError
from device.simulated.dice_acts import Deed, DiceActs, Die
from device.simulated.gestures import Course, HandCourse, Lying
from device.simulated.layout import CARD_MM, DIE_MM, STACK_MM, TABLE_SIZE_MM
from device.simulated.motion import Rest
from device.simulated.placing import squares_overlap
from device.simulated.recorded.codec import Roll
from device.simulated.recorded.finder import NEAR_MM, OVER_MM, flat_yaw, rest_of
from device.simulated.recorded.player import Placed, RolledDie
from device.simulated.recorded.shelf import rolls

__all__ = ["Mishaps"]

Array = NDArray[Any]
_MS: Final = 1_000_000
_TABLE_EDGE_MM: Final = 36.0
"""From the centres of the corner markers to the table's edge."""
_TRIES: Final = 400


class Mishaps(DiceActs):
    """What people do with dice, and what happens to dice that nobody means."""

    def _roll_off(self, die: Die, now_ns: int) -> int:
        """Throw one die over the table's edge; when it is out of sight for good."""
        others = self._lying_but([die])
        found = self._place(rolls("off"), lambda roll: self._edge_placements(die.seat, roll), others)
        return self._single(die, found, {}, now_ns, deed="off", why="off the table")

    def _edge_placements(self, seat: int, roll: Roll) -> tuple[float, tuple[float, float]]:
        """Over the side edge, where the seat's zone ends there, or else over the player's own edge."""
        zone, wide = self.zones[seat], TABLE_SIZE_MM[0]
        sides: list[tuple[float, tuple[float, float]]] = []
        y = float(self._rng.uniform(zone.y0 + 20, zone.y1 - 20))
        if zone.x0 <= 0:
            sides.append((np.pi, (-_TABLE_EDGE_MM, y)))
        if zone.x1 >= wide:
            sides.append((0.0, (wide + _TABLE_EDGE_MM, y)))
        if not sides:
            x = float(self._rng.uniform(zone.x0 + 25, zone.x1 - 25))
            edge = zone.y1 + _TABLE_EDGE_MM if zone.near else zone.y0 - _TABLE_EDGE_MM
            sides.append((np.pi / 2 if zone.near else -np.pi / 2, (x, edge)))
        return sides[int(self._rng.integers(0, len(sides)))]

    def _place(
        self,
        shelf: Sequence[Roll],
        where: Callable[[Roll], tuple[float, tuple[float, float]]],
        others: Sequence[Rest],
    ) -> Placed:
        """A roll of the shelf at a place that `where` proposes, clear of what lies. Raises SceneError."""
        for _ in range(_TRIES):
            roll = shelf[int(self._rng.integers(0, len(shelf)))]
            angle, shift = where(roll)
            placed = Placed(roll, angle, shift, 0)
            track = placed.places(roll.centres_mm[:, -1])
            low = track[track[:, 2] < OVER_MM, :2]
            lying = np.array([(o.x_mm, o.y_mm) for o in others]).reshape(-1, 2)
            if len(lying) and len(low) and np.hypot(*(low[::2, None] - lying[None]).transpose(2, 0, 1)).min() < NEAR_MM:
                continue
            things = np.array(self._circles()).reshape(-1, 3)
            if len(things) and (
                np.hypot(*(track[:, None, :2] - things[None, :, :2]).transpose(2, 0, 1)) - things[:, 2]
            ).min() < DIE_MM:  # fmt: skip
                continue
            return placed
        raise SceneError("there is no free way for such a roll; take some dice or clutter away")

    def _single(
        self, die: Die, placed: Placed, wanted: Mapping[int, int], now_ns: int, *, deed: str, why: str = ""
    ) -> int:
        """Take one die up and let it go by a roll placed already, that begins when the hand is there."""
        hand, inside = self._take_up(
            die.seat, [die], self._begin_of(placed, near=self.zones[die.seat].near), placed.angle_rad, now_ns
        )
        begun = Placed(placed.roll, placed.angle_rad, placed.shift_mm, hand.now_ns)
        return self._let_go(hand, [die], inside, [begun], wanted, now_ns, deed=deed, why=why)

    def _against(self, die: Die, target: Die, kind: str, wanted: Mapping[int, int], now_ns: int) -> int:
        """Throw a die so that it hits a lying one (kind "nudge") or ends leaning on it ("lean")."""
        place = target.still_place(now_ns)
        if place is None:
            raise SceneError(f"die {target.index} of seat {target.seat} does not lie still; choose one that does")
        others = self._lying_but([die, target])

        def proposed(roll: Roll) -> tuple[float, tuple[float, float]]:
            yaw = flat_yaw(roll.turns[0, 0])
            angle = place.yaw_rad - yaw + np.pi / 2 * int(self._rng.integers(0, 4))
            c, s = np.cos(angle), np.sin(angle)
            x, y, _ = roll.centres_mm[0, 0]
            return angle, (float(place.x_mm - (c * x - s * y)), float(place.y_mm - (s * x + c * y)))

        inside_zone = self.zones[die.seat]
        for _ in range(_TRIES):
            placed = self._place(rolls(kind), proposed, others)
            ends = placed.places(placed.roll.centres_mm[-1])
            squares = [(float(x), float(y), 0.0, DIE_MM * 1.3) for x, y, _ in ends]
            clear = not any(
                squares_overlap(mine, (o.x_mm, o.y_mm, o.yaw_rad, DIE_MM)) for mine in squares for o in others
            )
            if clear and all(inside_zone.holds(float(x), float(y)) for x, y, _ in ends):
                break
        else:
            raise SceneError(f"no room to roll a die against die {target.index} of seat {target.seat}")
        rest_ns = self._single(die, placed, wanted, now_ns, deed="lean" if kind == "lean" else "throw")
        begun = die.motions[-1].parts[-1]
        assert isinstance(begun, RolledDie)
        before = place.pose().rotation
        bare = RolledDie(begun.placed, 0, np.eye(3)).pose(begun.start_ns).rotation
        label = np.round(bare.T @ before)
        hit = RolledDie(begun.placed, 0, label)
        course = Course([Lying(place.pose(), now_ns), hit])
        target.begin(course, rest_of(hit), now_ns, keep=self._keep_all)
        self._note(Deed("hit", target.seat, target.index, course))
        return max(rest_ns, course.rest_ns)

    def _lean_on_stack(self, die: Die, now_ns: int) -> int:
        """Throw a die so that it ends leaning on the stack of cards."""
        zone = self.zones[die.seat]
        others = self._lying_but([die])
        x, y = STACK_MM

        def proposed(roll: Roll) -> tuple[float, tuple[float, float]]:
            turn = 0.04
            ahead = (-np.pi / 2 if zone.near else np.pi / 2) + turn
            # Somewhere along the edge of the stack that faces the player, not at its corners.
            along = float(self._rng.uniform(-15, 15) - roll.centres_mm[-1, 0, 1])
            c, s = np.cos(ahead), np.sin(ahead)
            half = CARD_MM[1] / 2
            return float(ahead), (float(x - half * c - along * s), float(y - half * s + along * c))

        return self._single(die, self._place(rolls("stack"), proposed, others), {}, now_ns, deed="lean")

    def _roll_and_touch(self, die: Die, by: int, wanted: Mapping[int, int], now_ns: int) -> int:
        """Throw a die that a finger of seat `by` meets while it rolls."""
        zone, others = self.zones[die.seat], self._lying_but([die])

        def proposed(roll: Roll) -> tuple[float, tuple[float, float]]:
            ahead = (-np.pi / 2 if zone.near else np.pi / 2) + float(self._rng.uniform(-1.3, 1.3))
            c, s = np.cos(ahead), np.sin(ahead)
            ex, ey, _ = roll.centres_mm[-1, 0]
            gx = float(self._rng.uniform(zone.x0 + 14, zone.x1 - 14))
            gy = float(self._rng.uniform(zone.y0 + 14, zone.y1 - 14))
            return ahead, (gx - (c * ex - s * ey), gy - (s * ex + c * ey))

        rest_ns = self._single(
            die, self._place(rolls("touch"), proposed, others), wanted, now_ns, deed="throw", why="touched in motion"
        )
        rolled = die.motions[-1].parts[-1]
        assert isinstance(rolled, RolledDie)
        roll = rolled.placed.roll
        met = np.flatnonzero(roll.met[:, 0] & (np.arange(roll.samples) > roll.released[0] + 3))
        touched_ns = rolled.start_ns + round(int(met[0]) / 120 * 1e9)
        finger = HandCourse(by, near=self.zones[by].near, lean_rad=self._lean(by), to_mm=(0, 0), start_ns=now_ns)
        tip = self._tip_offset(finger)

        def palm(at_ns: int) -> tuple[float, float] | None:
            place = rolled.placed.finger_mm(at_ns)
            return None if place is None else (float(place[0] - tip[0]), float(place[1] - tip[1]))

        come_ns = max(now_ns, touched_ns - 200 * _MS)
        begin = palm(come_ns)
        assert begin is not None
        finger = HandCourse(
            by, near=finger.near, lean_rad=finger.lean_rad, to_mm=begin, start_ns=max(0, come_ns - 140 * _MS)
        )
        finger.shape("pointing", finger.start_ns)
        finger.move(begin, come_ns)
        finger.follow(palm, touched_ns + 180 * _MS)
        finger.leave(finger.now_ns + self._leave_ns)
        self._hands.append(finger)
        last = self.deeds[-1] if self.deeds else None
        if last is not None and self._keep_all:
            self.deeds[-1] = Deed(last.kind, last.seat, last.index, last.motion, touched_ns, last.why)
        return rest_ns
