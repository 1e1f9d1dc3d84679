"""The camera's picture of a scene: still parts kept, moving parts drawn anew, then lens and sensor."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from device.simulated.bodies import LOOKS, Blot, Light, draw_die, draw_shadow
from device.simulated.hands import Hand, draw_hand
from device.simulated.lamps import DAYLIGHT, Lamp
from device.simulated.motion import Pose
from device.simulated.optics import PinholeCamera
from device.simulated.sensor import EXPOSURE_NS, Sensor
from device.simulated.solids import draw_cup, draw_stack
from device.simulated.tabletop import Clutter, Tabletop, light_map

__all__ = ["EXPOSURE_NS", "Renderer", "SeenDie", "StillPart"]

Picture = NDArray[Any]
_LAMP_MM: Final = (90.0, -190.0, 1150.0)


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
        self._still_key: StillPart | None = None
        self._still: Picture | None = None

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
        frame = self._still_picture(still, resting).copy()
        for die in moving:
            draw_shadow(frame, die.poses[len(die.poses) // 2], self.camera, self._light)
        for die in self._far_to_near(moving):
            draw_die(
                frame, die.poses, self.camera, LOOKS[die.colour], self._light, self._light_at,
                scale=2, bevels=1, blot=die.blot,
            )  # fmt: skip
        for hand in hands:
            draw_hand(frame, hand, self.camera, self._light.lamp_mm, self._light_at)
        return self._sensor.exposed(lamp.lit(frame), noise_seed)

    def _still_picture(self, still: StillPart, resting: Sequence[SeenDie]) -> Picture:
        bare_key = (still.goal_marker, still.clutter, still.stack)
        if self._bare is None or self._bare_key != bare_key:
            self._bare = self._draw_bare(still)
            self._bare_key, self._still_key = bare_key, None
        if self._still is None or self._still_key != still:
            self._still = self._bare.copy()
            for die in resting:
                draw_shadow(self._still, die.poses[0], self.camera, self._light)
            for die in self._far_to_near(resting):
                draw_die(
                    self._still, die.poses[:1], self.camera, LOOKS[die.colour], self._light, self._light_at,
                    scale=4, bevels=2, blot=die.blot,
                )  # fmt: skip
            self._still_key = still
        return self._still

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
