"""Pictures of dice that lie flat or lean, by the simulated table's renderer, each with the face a reader would see.

That renderer has no part in what the tracker has learned from.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from device.simulated.bodies import LOOKS
from device.simulated.dice_model import FACE_NORMALS, resting_rotation, top_face, turn_about
from device.simulated.layout import DIE_MM, TABLE_SIZE_MM
from device.simulated.motion import Pose
from device.simulated.optics import PinholeCamera
from device.simulated.render import Renderer, SeenDie, StillPart
from vision.geometry import TableGeometry
from vision.readings import DieReading, Point, Unreadable
from vision.tracking.track import Sample, hues, place_of

SIZE_WH = (1280, 720)
NOISE_SEED = 5


@dataclass(frozen=True)
class Laid:
    """A die of a scene: its look, where its middle lies on the table in mm, its turn, and how far it leans which way.

    A die that leans stands on its lowest edge or corner; `towards_rad` is where its lower face looks.
    """

    look: str
    x_mm: float
    y_mm: float
    yaw_rad: float = 0.3
    value: int = 5
    tilt_deg: float = 0.0
    towards_rad: float = 0.0

    def pose(self) -> Pose:
        """Where it is."""
        rotation = resting_rotation(self.value, self.yaw_rad)
        if self.tilt_deg:
            c, s = np.cos(self.towards_rad), np.sin(self.towards_rad)
            # The table's x, y and up are left-handed: turning about this axis raises the side at `towards_rad`.
            rotation = turn_about(np.array([s, -c, 0.0]), np.radians(self.tilt_deg)) @ rotation
        height = float(np.abs(rotation[2]).sum()) * DIE_MM / 2
        return Pose(np.array([self.x_mm, self.y_mm, height]), rotation)


def upper_face_px(pose: Pose, camera: PinholeCamera) -> np.ndarray:
    """Corners (4, 2) of the upper face in the picture, clockwise."""
    normal = FACE_NORMALS[top_face(pose.rotation)]
    across = [axis for axis in (FACE_NORMALS[3], FACE_NORMALS[2], FACE_NORMALS[1]) if abs(axis @ normal) < 0.5]
    square = [(normal + a * across[0] + b * across[1]) * DIE_MM / 2 for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    corners = camera.project(np.array(square) @ pose.rotation.T + pose.centre_mm)
    clockwise = cv2.contourArea(corners.astype(np.float32), oriented=True) > 0
    return corners if clockwise else corners[::-1]


class Scene:
    """A picture of dice on a `surface` (wood, felt, slate or linen), with the stack of cards in the middle.

    Attributes:
        image: (720, 1280, 3) BGR uint8.
        geometry: the table, by its corners as the camera sees them.
        outlines: the upper face (4, 2) of each die, px.
    """

    def __init__(self, dice: Sequence[Laid], surface: str = "wood", *, seed: int = 0, camera_tilt_deg: float = 18.0):
        width, depth = TABLE_SIZE_MM
        camera = PinholeCamera(SIZE_WH, (-22.0, -22.0, width + 22.0, depth + 22.0), tilt_deg=camera_tilt_deg)
        renderer = Renderer(camera, seed=seed, surface_name=surface)
        self.dice = tuple(dice)
        poses = [die.pose() for die in dice]
        seen = [SeenDie(die.look, (pose,)) for die, pose in zip(dice, poses, strict=True)]
        still = StillPart(None, (), True, tuple(range(len(dice))))
        self.image = renderer.picture(still, seen, [], [], noise_seed=NOISE_SEED + seed)
        self.outlines = [upper_face_px(pose, camera) for pose in poses]
        corners = camera.project(np.array([(0, 0, 0), (width, 0, 0), (width, depth, 0), (0, depth, 0)], float))
        self.geometry = TableGeometry(TABLE_SIZE_MM, tuple((float(x), float(y)) for x, y in corners))  # type: ignore[arg-type]

    def samples(self, number: int, *, reason: Unreadable | None = None, count: int = 3) -> list[Sample]:
        """What the tracker has of a die after some frames."""
        outline = tuple((float(x), float(y)) for x, y in self.outlines[number])
        xs, ys = [x for x, _ in outline], [y for _, y in outline]
        value = None if reason else self.dice[number].value
        colour_bgr = LOOKS[self.dice[number].look].body_bgr
        box = (min(xs), min(ys), max(xs), max(ys))
        reading = DieReading(value, reason, 0.9, box, outline, (), "red", "white", colour_bgr)
        centre_px = reading.centre_px
        hue_lab = hues((reading,))[0]
        place_px = place_of(reading, centre_px)
        return [
            Sample(n, reading, hue_lab, 0.0, False, False, centre_px, place_px, reading.side_px) for n in range(count)
        ]

    def around(self, number: int) -> list[tuple[Point, ...]]:
        """The outlines of the other dice."""
        others = [outline for other, outline in enumerate(self.outlines) if other != number]
        return [tuple((float(x), float(y)) for x, y in outline) for outline in others]
