"""A play: some seconds of people rolling dice, as pictures and as the truth about every die at every time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from device.clock import ManualClock
from device.errors import SceneError
from device.simulated.dice_acts import Deed
from device.simulated.hands import Hand
from device.simulated.lamps import DAYLIGHT, Lamp
from device.simulated.motion import Pose
from device.simulated.play.account import flat_value, happenings_of, state_of
from device.simulated.play.script import PLAYS, Script
from device.simulated.play.truth import TrueDie, TrueHappening
from device.simulated.play.visible import upper_face, visible_shares
from device.simulated.render import EXPOSURE_NS
from device.simulated.table import SimulatedTable

__all__ = ["Play"]

_MS: Final = 1_000_000
_SURFACES: Final = ("wood", "felt", "slate", "linen")
_PACE: Final = 1.5
_CALM_NS: Final = 1_500 * _MS
_COVERED: Final = 0.5
"""A die at rest of whose upper face the camera sees less is covered."""


class Play:
    """A play of `seats` people (2 to 6) for about `seconds`, all rolling at once; the same arguments, the same play.

    `kind` is a key of PLAYS. Times are ns from the beginning of the play. `lamps` switches the light: (since, Lamp).
    The table top follows from the seed unless `surface` names one.
    Raises SceneError for an unknown kind or a wrong count of seats.
    """

    def __init__(
        self,
        seats: int,
        seed: int,
        kind: str = "clean",
        *,
        seconds: float = 16.0,
        size_wh: tuple[int, int] = (1280, 720),
        surface: str | None = None,
        lamps: Sequence[tuple[int, Lamp]] = (),
    ) -> None:
        if kind not in PLAYS:
            raise SceneError(f"there is no play {kind!r}; there are {', '.join(PLAYS)}")
        self.kind, self.seats, self.seed = kind, seats, seed
        self._lamps = sorted(lamps, key=lambda each: each[0])
        clock = ManualClock(0)
        top = surface or _SURFACES[seed % len(_SURFACES)]
        self.table = SimulatedTable(clock, seats, seed, size_wh, surface=top, keep_all=True, pace=_PACE)
        self.table.show_card(seed % 60)
        until_ns = max(0, int(seconds * 1e9) - 2 * _CALM_NS)
        script = Script(self.table, clock, kind=kind, seed=seed, until_ns=until_ns)
        last_ns = max((deed.motion.rest_ns for deed in self.table.deeds), default=0)
        self.end_ns = max(int(seconds * 1e9), last_ns + _CALM_NS)
        self.presses: tuple[tuple[int, int], ...] = tuple(p for p in script.presses if p[1] < self.end_ns)
        self.happenings: tuple[TrueHappening, ...] = tuple(self._account())

    def _account(self) -> list[TrueHappening]:
        found: list[TrueHappening] = []
        shown = {(die.seat, die.index): flat_value(die.pose(0)) for die in self.table.dice}
        off: set[tuple[int, int]] = set()
        for deed in sorted(self.table.deeds, key=lambda each: each.motion.start_ns):
            key = (deed.seat, deed.index)
            die = self.table.die(*key)
            seen_ns = self._last_seen(deed) if deed.kind == "off" else None
            for each in happenings_of(die, deed, shown[key], was_off=key in off, seen_until_ns=seen_ns):
                found.append(each)
                if each.kind in ("settled", "cocked"):
                    shown[key] = each.value
            off.discard(key)
            if deed.kind == "off":
                off.add(key)
        return sorted(found, key=lambda each: (each.ended_ns, each.seat, each.index))

    def _last_seen(self, deed: Deed) -> int:
        """When a die that goes over the edge is last in the picture."""
        at_ns, step_ns = deed.motion.rest_ns, 8 * _MS
        while at_ns > deed.motion.start_ns:
            at_ns -= step_ns
            pose = deed.motion.pose(at_ns)
            if pose.hidden:
                continue
            points = self.table.camera.project(upper_face(pose))
            if visible_shares([pose], points[None, 4:], [], self.table.camera)[0] > 0:
                break
        return at_ns + step_ns

    def truth(self, at_ns: int) -> tuple[TrueDie, ...]:
        """Every die as it is at a time, by seat and number."""
        dice = self.table.dice
        poses: list[Pose] = [die.pose(at_ns) for die in dice]
        faces = np.array([upper_face(pose) for pose in poses])
        points: NDArray[Any] = self.table.camera.project(faces.reshape(-1, 3)).reshape(len(dice), -1, 2)
        hands: list[Hand] = self.table.hands(at_ns)
        seen = visible_shares(poses, points[:, 4:], hands, self.table.camera)
        found = []
        for die, pose, corners, share in zip(dice, poses, points[:, :4], seen.tolist(), strict=True):
            state, rests = state_of(die, at_ns)
            value = flat_value(pose) if rests else None
            if rests and share < _COVERED:
                state = "covered"
            if state == "rolling" and share == 0 and self._beyond(corners):
                state = "off table"
            middle = corners.mean(axis=0)
            found.append(
                TrueDie(
                    seat=die.seat,
                    index=die.index,
                    state=state,
                    value=value,
                    position_mm=(float(pose.centre_mm[0]), float(pose.centre_mm[1])),
                    centre_px=(float(middle[0]), float(middle[1])),
                    top_px=tuple((float(x), float(y)) for x, y in corners),
                    visible=share,
                )
            )
        return tuple(found)

    def _beyond(self, corners_px: NDArray[Any]) -> bool:
        width, height = self.table.size_wh
        x, y = corners_px.mean(axis=0)
        return bool(not (0 <= x < width and 0 <= y < height))

    def lamp(self, at_ns: int) -> Lamp:
        """The light at a time."""
        lamp = DAYLIGHT
        for from_ns, each in self._lamps:
            if from_ns <= at_ns:
                lamp = each
        return lamp

    def render(self, exposure_start_ns: int, exposure_ns: int = EXPOSURE_NS) -> NDArray[Any]:
        """The picture of an exposure that begins then, (H, W, 3) uint8 BGR."""
        return self.table.render(exposure_start_ns, exposure_ns, lamp=self.lamp(exposure_start_ns))
