"""The camera's picture of a scene: still parts kept, moving parts drawn anew, then lens and sensor."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from device.simulated.bodies import LOOKS, Blot, Light, die_box, draw_die, draw_shadow
from device.simulated.hands import Box, Hand, draw_hand, hand_box
from device.simulated.lamps import DAYLIGHT, Lamp
from device.simulated.motion import Pose
from device.simulated.optics import PinholeCamera
from device.simulated.sensor import EXPOSURE_NS, Sensor
from device.simulated.solids import draw_cup, draw_stack
from device.simulated.tabletop import Clutter, Tabletop, light_map

__all__ = ["EXPOSURE_NS", "Renderer", "SeenDie", "StillPart"]

Picture = NDArray[Any]
_LAMP_MM: Final = (90.0, -190.0, 1150.0)
_MOST_OF_IT: Final = 0.8
"""When so much of the picture moves, the lens is worked out for all of it at once."""


@dataclass(frozen=True, eq=False)
class SeenDie:
    """A die as the picture needs it: its poses during the exposure (one when it lies still)."""

    colour: str
    poses: tuple[Pose, ...]
    blot: Blot | None = None


@dataclass(frozen=True)
class StillPart:
    """What stands still; equal values give the same kept picture. `dice_key` stands for the dice at rest."""

    goal_marker: int | None
    clutter: tuple[Clutter, ...]
    stack: bool
    dice_key: tuple[object, ...]


class Renderer:
    """Draws scenes as one camera sees them. The same scene and noise seed give the same picture."""

    def __init__(
        self, camera: PinholeCamera, *, seed: int, surface_name: str, noise: float = 1.0, blur_px: float = 0.65
    ) -> None:
        self.camera = camera
        self._light = Light(np.array(_LAMP_MM))
        self._light_at = light_map(camera, self._light.lamp_mm)
        self._top = Tabletop(camera, seed=seed, surface_name=surface_name, light=self._light_at)
        self._sensor = Sensor(camera.size_wh, seed=seed, noise=noise, blur_px=blur_px)
        self._bare_key: tuple[object, ...] | None = None
        self._bare: Picture | None = None
        self._still: Picture | None = None
        self._there: dict[object, SeenDie] = {}
        self._lit_still: Picture | None = None
        self._lit_lamp: Lamp | None = None

    def picture(
        self,
        still: StillPart,
        resting: Sequence[SeenDie],
        moving: Sequence[SeenDie],
        hands: Sequence[Hand],
        *,
        noise_seed: int,
        lamp: Lamp = DAYLIGHT,
    ) -> Picture:
        """The picture, (H, W, 3) uint8 BGR."""
        drawn = self._still_picture(still, resting)
        seen = [die for die in moving if any(not pose.hidden for pose in die.poses)]
        boxes = [die_box([p for p in die.poses if not p.hidden], self.camera, self._light) for die in seen]
        boxes += [hand_box(hand, self.camera, self._light.lamp_mm) for hand in hands]
        if not boxes:
            return self._sensor.grained(self._lit(drawn, lamp), noise_seed)
        frame = drawn.copy()
        for die in seen:
            draw_shadow(frame, die.poses[len(die.poses) // 2], self.camera, self._light)
        for die in self._far_to_near(seen):
            slow = len(die.poses) == 1
            draw_die(
                frame, die.poses, self.camera, LOOKS[die.colour], self._light, self._light_at,
                scale=4 if slow else 2, bevels=2 if slow else 1, blot=die.blot,
            )  # fmt: skip
        for hand in hands:
            draw_hand(frame, hand, self.camera, self._light.lamp_mm, self._light_at)
        return self._sensor.grained(self._finished(frame, self._lit(drawn, lamp), boxes, lamp), noise_seed)

    def _lit(self, drawn: Picture, lamp: Lamp) -> Picture:
        """The still picture in the lamp's light, through the lens; kept while nothing of it changes."""
        if self._lit_still is None or self._lit_lamp != lamp:
            self._lit_still, self._lit_lamp = self._sensor.blurred(lamp.lit(drawn)), lamp
        return self._lit_still

    def _finished(self, frame: Picture, lit: Picture, boxes: Sequence[Box], lamp: Lamp) -> Picture:
        """The frame in the lamp's light and through the lens: only where something moves is it worked out anew."""
        height, width = frame.shape[:2]
        if sum((x1 - x0) * (y1 - y0) for x0, y0, x1, y1 in boxes) > _MOST_OF_IT * width * height:
            return self._sensor.blurred(lamp.lit(frame))
        done = lit.copy()
        for x0, y0, x1, y1 in boxes:
            x0, y0, x1, y1 = max(0, x0 - 3), max(0, y0 - 3), min(width, x1 + 3), min(height, y1 + 3)
            if x1 <= x0 or y1 <= y0:
                continue
            wx0, wy0, wx1, wy1 = max(0, x0 - 3), max(0, y0 - 3), min(width, x1 + 3), min(height, y1 + 3)
            part = self._sensor.blurred(lamp.lit(np.ascontiguousarray(frame[wy0:wy1, wx0:wx1])))
            done[y0:y1, x0:x1] = part[y0 - wy0 : y1 - wy0, x0 - wx0 : x1 - wx0]
        return done

    def _still_picture(self, still: StillPart, resting: Sequence[SeenDie]) -> Picture:
        bare_key = (still.goal_marker, still.clutter, still.stack)
        if self._bare is None or self._bare_key != bare_key:
            self._bare = self._draw_bare(still)
            self._bare_key, self._still = bare_key, None
        there = dict(zip(still.dice_key, resting, strict=True))
        if self._still is None:
            self._still, self._lit_still = self._bare.copy(), None
            height, width = self._still.shape[:2]
            self._draw_part(self._still, (0, 0, width, height), list(there.values()))
        else:
            changed = [self._there[key] for key in self._there.keys() - there.keys()]
            changed += [there[key] for key in there.keys() - self._there.keys()]
            if changed:
                self._lit_still = None
                self._renew(self._still, changed, list(there.values()))
        self._there = there
        return self._still

    def _renew(self, picture: Picture, changed: Sequence[SeenDie], dice: Sequence[SeenDie]) -> None:
        """Draw anew what dice that came or went have changed, with all dice that reach into it, in a part that holds
        the whole of each: so nothing depends on the order in which they came."""
        assert self._bare is not None
        boxes = [die_box(die.poses[:1], self.camera, self._light) for die in dice]
        for die in changed:
            box = die_box(die.poses[:1], self.camera, self._light)
            touching = [i for i, other in enumerate(boxes) if _overlap(box, other)]
            around = _hull([box, *(boxes[i] for i in touching)])
            x0, y0, x1, y1 = around
            if x1 <= x0 or y1 <= y0:
                continue
            part = self._bare[y0:y1, x0:x1].copy()
            self._draw_part(part, around, [dice[i] for i in touching])
            a, b, c, d = box
            picture[b:d, a:c] = part[b - y0 : d - y0, a - x0 : c - x0]

    def _draw_part(self, picture: Picture, box: Box, dice: Sequence[SeenDie]) -> None:
        """Draw resting dice on a part of the picture that lies at `box`."""
        x0, y0, x1, y1 = box
        camera, light_at = self.camera.cropped(box), self._light_at[y0:y1, x0:x1]
        for die in dice:
            draw_shadow(picture, die.poses[0], camera, self._light)
        for die in self._far_to_near(dice):
            draw_die(
                picture, die.poses[:1], camera, LOOKS[die.colour], self._light, light_at,
                scale=4, bevels=2, blot=die.blot,
            )  # fmt: skip

    def _draw_bare(self, still: StillPart) -> Picture:
        picture = self._top.picture(goal_marker=still.goal_marker, clutter=still.clutter)
        middle = float(self._light_at[self._light_at.shape[0] // 2, self._light_at.shape[1] // 2]) ** (1 / 2.2)
        if still.stack:
            draw_stack(picture, self.camera, self._light.lamp_mm, middle)
        for thing in sorted(still.clutter, key=lambda c: c.y_mm):
            if thing.kind == "cup":
                draw_cup(picture, thing, self.camera, self._light.lamp_mm, middle)
        return picture

    def _far_to_near(self, dice: Sequence[SeenDie]) -> list[SeenDie]:
        where = self.camera.position_mm
        return sorted(dice, key=lambda die: -float(np.linalg.norm(die.poses[0].centre_mm - where)))


def _overlap(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def _hull(boxes: Sequence[Box]) -> Box:
    x0, y0 = min(b[0] for b in boxes), min(b[1] for b in boxes)
    return x0, y0, max(b[2] for b in boxes), max(b[3] for b in boxes)
