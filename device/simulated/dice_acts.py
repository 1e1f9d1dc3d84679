"""What people do with the dice of a simulated table, with their hands in view: the motions that follow from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from device.simulated.bodies import Blot
from device.simulated.gestures import Carried, Course, DieMotion, HandCourse, LiftedOff, Lying, SetDown, Until
from device.simulated.hands import POINT_MM
from device.simulated.layout import DICE_PER_SEAT, Zone
from device.simulated.motion import Pose, Rest, Slide
from device.simulated.placing import free_place
from device.simulated.recorded.finder import Field, find_rolls, rest_of
from device.simulated.recorded.player import Placed, RolledDie, relabelling

__all__ = ["Deed", "DiceActs", "Die"]

Array = NDArray[Any]
_MS: Final = 1_000_000
_REACH_NS: Final = 170 * _MS
_GATHER_MM_S: Final = 1300.0
_GATHER_NS: Final = (70 * _MS, 260 * _MS)
_TAKE_NS: Final = 80 * _MS
_CARRY_NS: Final = 130 * _MS
_SLIDE_NS: Final = 350 * _MS
_SET_NS: Final = 260 * _MS
_LIFT_NS: Final = 200 * _MS
_LEAVE_NS: Final = 330 * _MS
_KEPT_NS: Final = 4_000 * _MS
"""How long past motions are kept, for pictures of a while ago."""
_TABLE_EDGE_MM: Final = 36.0
"""From the centres of the corner markers to the table's edge."""
_TRIES: Final = 400
_TIPS_MM: Final = 58.0
"""From the middle of the palm to a die between the tips of the fingers."""


@dataclass(frozen=True, slots=True)
class Deed:
    """Something that was done to one die, for whoever keeps account: a word, and the die's motion from then on.

    Attributes:
        kind: "throw", "slide", "lift", "set back", "drop", "off", "hit", "lean".
        seat: whose die.
        index: which.
        motion: the motion that it began.
        touched_ns: when a hand met the rolling die; None for other deeds.
        why: a breach in a few words; else empty.
    """

    kind: str
    seat: int
    index: int
    motion: Course
    touched_ns: int | None = None
    why: str = ""


@dataclass(slots=True)
class Die:
    """One die: where it lies or will lie (None: nowhere), and its motions, the newest last."""

    seat: int
    index: int
    rest: Rest | None
    motions: list[Course] = field(default_factory=list)
    blot: Blot | None = None

    def course(self, at_ns: int) -> Course | None:
        """The motion that holds at a time; None when none has been begun."""
        found = None
        for motion in self.motions:
            if found is None or motion.start_ns <= at_ns:
                found = motion
        return found

    def pose(self, at_ns: int) -> Pose:
        """Where it is at a time."""
        course = self.course(at_ns)
        if course is None:
            assert self.rest is not None, "a die is laid out before it moves"
            return self.rest.pose()
        return course.pose(at_ns)

    def still(self, from_ns: int, to_ns: int) -> bool:
        """True when it does not move between two times."""
        first, last = self.course(from_ns), self.course(to_ns)
        if first is None or last is None or first is last:
            return first is None or first.still(from_ns, to_ns)
        return first.still(from_ns, last.start_ns) and last.still(last.start_ns, to_ns)

    def busy(self, from_ns: int, to_ns: int) -> bool:
        """True while something is being done with it: from the beginning of the deed to the rest."""
        course = self.course(to_ns - 1)
        return course is not None and to_ns > course.start_ns and from_ns < course.rest_ns

    def still_place(self, at_ns: int) -> Rest | None:
        """Where it lies at `at_ns`; None when it moves, leans, is held or has gone."""
        return None if self.motions and at_ns < self.motions[-1].rest_ns else self.rest

    def begin(self, motion: Course, rest: Rest | None, now_ns: int, *, keep: bool) -> None:
        """Take up a new motion that ends at `rest`."""
        if not keep:
            self.motions = [m for m in self.motions[-3:] if m.rest_ns > now_ns - _KEPT_NS] or self.motions[-1:]
        self.motions.append(motion)
        self.rest = rest


class DiceActs:
    """The dice and the hands of a table, and what people do with them."""

    zones: Mapping[int, Zone]

    def __init__(
        self,
        zones: Mapping[int, Zone],
        rng: np.random.Generator,
        *,
        keep_all: bool,
        begin_ns: int,
        pace: float = 1.0,
    ) -> None:
        """`keep_all` keeps every motion and every deed from the beginning, for a play; hands take `pace` as long."""
        self._reach_ns, self._leave_ns = round(_REACH_NS * pace), round(_LEAVE_NS * pace)
        self._take_ns, self._carry_ns = round(_TAKE_NS * pace), round(_CARRY_NS * pace)
        self._pace = pace
        self.zones = zones
        self._rng = rng
        self._keep_all = keep_all
        self._dice: dict[tuple[int, int], Die] = {}
        self._hands: list[HandCourse] = []
        self._holding: dict[tuple[int, int], HandCourse] = {}
        self.deeds: list[Deed] = []
        for seat in zones:
            for index in range(DICE_PER_SEAT):
                others = [die.rest for die in self._dice.values() if die.rest is not None]
                rest = free_place(rng, zones[seat], int(rng.integers(1, 7)), others, self._circles())
                die = Die(seat, index, rest)
                die.motions.append(Course([Lying(rest.pose(), begin_ns)]))
                self._dice[seat, index] = die

    def _circles(self) -> list[tuple[float, float, float]]:
        """Things in the way, (x, y, radius) in mm."""
        return []

    # Hands

    def _hand_for(self, seat: int, to_mm: tuple[float, float], lean: float, now_ns: int) -> HandCourse:
        """A hand that comes to a place; it is there 170 ms later. One that held dice of the seat comes from there."""
        hand = HandCourse(seat, near=self.zones[seat].near, lean_rad=lean, to_mm=to_mm, start_ns=now_ns)
        hand.move(to_mm, now_ns + self._reach_ns)
        self._hands = [h for h in self._hands if self._keep_all or h.gone_ns is None or h.gone_ns > now_ns - _KEPT_NS]
        self._hands.append(hand)
        return hand

    def _lean(self, seat: int, angle_rad: float | None = None) -> float:
        """How the arm is turned for a throw along `angle_rad`."""
        if angle_rad is None:
            return float(self._rng.uniform(-0.2, 0.2))
        c, s = np.cos(angle_rad), np.sin(angle_rad)
        lean = np.arctan2(c, -s) if self.zones[seat].near else np.arctan2(-c, s)
        return float(np.clip(lean, -0.7, 0.7) * 0.8)

    def _tip_offset(self, hand: HandCourse) -> Array:
        """From the palm of a pointing hand to its finger tip, on the table."""
        turn = hand.lean_rad + (0.0 if hand.near else np.pi)
        across, ahead = POINT_MM
        c, s = np.cos(turn), np.sin(turn)
        return np.array([across * c + ahead * s, across * s - ahead * c])

    # Deeds

    def _throw(self, seat: int, numbers: list[int], wanted: Mapping[int, int], now_ns: int, kinds: Sequence[str],
               *, deed: str, why: str = "") -> int:  # fmt: skip
        """Take dice up and throw them; the time at which the last lies still."""
        dice = [self._dice[seat, number] for number in numbers]
        lying = self._lying_but(dice)
        draft = Field(self.zones[seat], lying, self._circles())
        placed = find_rolls(self._rng, draft, len(dice), 0, kinds)
        palm = self._begin_of(placed[0], near=self.zones[seat].near)
        hand, inside = self._take_up(seat, dice, palm, placed[0].angle_rad, now_ns)
        release_ns = hand.now_ns
        placed = [Placed(p.roll, p.angle_rad, p.shift_mm, p.start_ns + release_ns) for p in placed]
        return self._let_go(hand, dice, inside, placed, wanted, now_ns, deed=deed, why=why)

    def _begin_of(self, placed: Placed, *, near: bool) -> tuple[float, float]:
        """Where the palm is when a roll begins."""
        hand = placed.hand_mm(placed.start_ns)
        if hand is not None:
            return hand
        # It falls from the tips of the fingers.
        x, y, _ = placed.places(placed.roll.centres_mm[0, -1])
        ahead = -_TIPS_MM if near else _TIPS_MM
        return float(x), float(y) - ahead

    def _take_up(
        self, seat: int, dice: Sequence[Die], to_mm: tuple[float, float], angle_rad: float, now_ns: int
    ) -> tuple[HandCourse, dict[int, tuple[Carried, Course | None]]]:
        """A hand that takes dice up one after the other and carries them to a place; how each of them is carried."""
        held = [self._holding.pop((die.seat, die.index), None) for die in dice]
        there = [die.pose(now_ns) for die in dice]
        order = sorted(range(len(dice)), key=lambda i: float(there[i].centre_mm[0]))
        seen = [i for i in order if not there[i].hidden]
        lean = self._lean(seat, angle_rad)
        old = next((h for h in held if h is not None), None)
        if old is not None:
            hand = old
            hand.cut(now_ns)
            for other in held:
                if other is not None and other is not old:
                    other.cut(now_ns)
                    other.leave(now_ns + self._leave_ns)
        else:
            first = there[seen[0]].centre_mm if seen else np.array([*to_mm, 0.0])
            hand = self._hand_for(seat, (float(first[0]), float(first[1])), lean, now_ns)
        if not seen and old is None:
            hand.shape("cupped", now_ns)
        taken: dict[int, int] = {}
        for i in seen:
            x, y = (float(v) for v in there[i].centre_mm[:2])
            way = float(np.hypot(x - hand.last_mm[0], y - hand.last_mm[1]))
            if way > 1:
                hand.move(
                    (x, y), hand.now_ns + round(self._pace * float(np.clip(way / _GATHER_MM_S * 1e9, *_GATHER_NS)))
                )
            taken[i] = hand.now_ns
            hand.wait(hand.now_ns + 20 * _MS)
        hand.wait(hand.now_ns + self._take_ns)
        hand.shape("cupped")
        hand.move(to_mm, hand.now_ns + self._carry_ns)
        carried = {}
        for i, die in enumerate(dice):
            at_ns = taken.get(i, now_ns)
            carried[die.index] = (
                Carried(die.pose(at_ns), at_ns, at_ns + self._take_ns, hand.place, hand.now_ns),
                die.course(now_ns),
            )
        return hand, carried

    def _let_go(
        self,
        hand: HandCourse,
        dice: Sequence[Die],
        inside: Mapping[int, tuple[Carried, Course | None]],
        placed: Sequence[Placed],
        wanted: Mapping[int, int],
        now_ns: int,
        *,
        deed: str,
        why: str = "",
    ) -> int:
        """Dice leave the hand by recorded rolls; the hand goes with them a little and then away."""
        first = placed[0]
        if len(first.roll.hand_mm):
            opened = max(first.roll.released) + 8
            hand.shape("open", first.start_ns + round(min(first.roll.released) / 120 * 1e9))
            hand.follow(first.hand_mm, first.start_ns + round(min(opened, first.roll.samples - 1) / 120 * 1e9))
        else:
            hand.wait(max(p.start_ns for p in placed) + 50 * _MS)
            hand.shape("open")
        hand.leave(hand.now_ns + self._leave_ns)
        slots = [(p, k) for p in placed for k in range(p.roll.lying, p.roll.dice)]
        last_ns = now_ns
        for die, (roll, k) in zip(dice, slots, strict=True):
            free = RolledDie(roll, k, np.eye(3))
            value = wanted.get(die.index) or int(self._rng.integers(1, 7))
            label = relabelling(free.pose(free.rest_ns).rotation, value, int(self._rng.integers(0, 4)))
            rolled = RolledDie(roll, k, label)
            last_ns = max(last_ns, self._begin(die, inside[die.index], rolled, now_ns, deed=deed, why=why))
        return last_ns

    def _begin(
        self,
        die: Die,
        carried: tuple[Carried, Course | None],
        then: DieMotion,
        now_ns: int,
        *,
        deed: str,
        why: str = "",
        touched_ns: int | None = None,
    ) -> int:
        """Begin a motion: as it was, until the hand takes it; carried; then what follows. When that is at rest."""
        held, before = carried
        parts: list[DieMotion] = []
        if held.start_ns > now_ns:
            parts.append(
                Until(before, held.start_ns, now_ns) if before is not None else Lying(die.pose(now_ns), now_ns)
            )
        parts += [held, then]
        course = Course(parts)
        rest = rest_of(then) if isinstance(then, RolledDie) else getattr(then, "goal", None)
        die.begin(course, rest, now_ns, keep=self._keep_all)
        die.blot = None
        self._note(Deed(deed, die.seat, die.index, course, touched_ns, why))
        return course.rest_ns

    def _note(self, deed: Deed) -> None:
        if self._keep_all:
            self.deeds.append(deed)

    def _lying_but(self, dice: Sequence[Die]) -> list[Rest]:
        mine = {(die.seat, die.index) for die in dice}
        found = []
        for key, die in self._dice.items():
            if key in mine:
                continue
            if die.rest is not None:
                found.append(die.rest)
            elif die.motions and not (pose := die.pose(die.motions[-1].rest_ns)).hidden:
                # It leans: keep clear of it all round.
                found.append(Rest(float(pose.centre_mm[0]), float(pose.centre_mm[1]), 0.0, 1))
        return found

    def _slide(self, body: Die, goal: Rest, now_ns: int) -> int:
        """Push a lying die with a finger to where it shall lie."""
        start = body.still_place(now_ns)
        assert start is not None, "only a die that lies still is slid"
        seat = body.seat
        lean = self._lean(seat)
        hand = HandCourse(seat, near=self.zones[seat].near, lean_rad=lean, to_mm=(0.0, 0.0), start_ns=now_ns)
        tip = self._tip_offset(hand)
        # The finger lies on the near half of the die; with its tip on the middle it would hide all of it.
        tip = tip * (1 + float(self._rng.uniform(8, 16)) / float(np.linalg.norm(tip))) + self._rng.uniform(-1.5, 1.5, 2)
        begin = (float(start.x_mm - tip[0]), float(start.y_mm - tip[1]))
        end = (float(goal.x_mm - tip[0]), float(goal.y_mm - tip[1]))
        hand = self._hand_for(seat, begin, lean, now_ns)
        hand.shape("pointing", now_ns)
        touched_ns = hand.now_ns + 30 * _MS
        hand.wait(touched_ns)
        way = float(np.hypot(goal.x_mm - start.x_mm, goal.y_mm - start.y_mm))
        rest_ns = touched_ns + max(_SLIDE_NS, round(way / 260 * 1e9))
        hand.move(end, rest_ns)
        hand.wait(rest_ns + 40 * _MS)
        hand.leave(hand.now_ns + self._leave_ns)
        pushed = Slide(start, goal, touched_ns, rest_ns)
        course = Course([Lying(start.pose(), now_ns), pushed])
        body.begin(course, goal, now_ns, keep=self._keep_all)
        self._note(Deed("slide", seat, body.index, course))
        return rest_ns

    def _lift(self, dice: Sequence[Die], now_ns: int, *, why: str = "") -> int:
        """Take dice up between the fingers, level, and hold them there; when they are up."""
        last_ns = now_ns
        for die in dice:
            pose = die.pose(now_ns)
            x, y = float(pose.centre_mm[0]), float(pose.centre_mm[1])
            seat = die.seat
            lean = self._lean(seat)
            back = np.array([np.sin(lean), -np.cos(lean)]) * (1 if self.zones[seat].near else -1) * -24.0
            hand = self._hand_for(seat, (x + float(back[0]), y + float(back[1])), lean, now_ns)
            at_ns = hand.now_ns + 60 * _MS
            hand.wait(at_ns)
            hand.shape("cupped", at_ns - 40 * _MS)
            held = LiftedOff(pose, at_ns, at_ns + _LIFT_NS, float(self._rng.uniform(18, 40)), at_ns + _LIFT_NS)
            course = Course([Lying(pose, now_ns), held])
            die.begin(course, None, now_ns, keep=self._keep_all)
            self._holding[die.seat, die.index] = hand
            self._note(Deed("lift", seat, die.index, course, why=why))
            last_ns = max(last_ns, held.rest_ns)
        return last_ns

    def _set_down(self, die: Die, goal: Rest, now_ns: int, *, why: str = "") -> int:
        """Set a die down flat that is held (or has been off the table); when it lies."""
        pose = die.pose(now_ns)
        hand = self._holding.pop((die.seat, die.index), None)
        lean = self._lean(die.seat) if hand is None else hand.lean_rad
        back = np.array([np.sin(lean), -np.cos(lean)]) * (1 if self.zones[die.seat].near else -1) * -24.0
        over = (float(goal.x_mm + back[0]), float(goal.y_mm + back[1]))
        if hand is None:
            hand = self._hand_for(die.seat, over, lean, now_ns)
            hand.shape("cupped", now_ns)
            start = Pose(np.array([goal.x_mm, goal.y_mm, 40.0]), pose.rotation, in_hand=True)
        else:
            hand.cut(now_ns)
            hand.move(over, now_ns + round(_SET_NS * 0.6))
            start = pose
        begin_ns = max(now_ns, hand.now_ns - round(_SET_NS * 0.6))
        down = SetDown(start, goal, begin_ns, begin_ns + _SET_NS)
        hand.wait(down.rest_ns + 40 * _MS)
        hand.leave(hand.now_ns + self._leave_ns)
        course = Course([Lying(start, now_ns), down] if begin_ns > now_ns else [down])
        die.begin(course, goal, now_ns, keep=self._keep_all)
        self._note(Deed("set back", die.seat, die.index, course, why=why))
        return down.rest_ns
