"""The camera's thread: newest frame, reading, events; and what to do when the camera fails."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import replace
from math import dist
from typing import Any

import cv2

from companion.live.areas import Rect
from companion.live.interpreter import NO_CORNERS, Eyes, Markers, Seen
from companion.live.private import Nooks, covered
from companion.live.shield import only_open
from companion.live.sight import PrivateLook
from companion.live.table import LiveTable
from companion.live.view import CameraHealth
from companion.live.worker import Worker
from companion.settings import Corners
from device.cameras.base import Camera
from device.clock import NS_PER_S
from device.errors import CameraClosed, CameraEnded, CameraTimeout, DeviceError
from device.frames import Frame
from vision.beside import share_cores
from vision.errors import GeometryError, VisionError
from vision.geometry import TableGeometry
from vision.markers import CORNER_IDS, MarkerReader
from vision.overlay import draw
from vision.reader import NoDice, TableReader
from vision.readings import Point, Reading
from vision.tracking.happenings import Watched
from vision.tracking.tracker import TableTracker

__all__ = ["TableWatcher"]

FRAME_TIMEOUT_S = 2.0
FIRST_RETRY_S = 0.5
LONGEST_RETRY_S = 5.0
JPEG_QUALITY = 80
MOVED_PX = 3.0
"""Corner markers that move further than this move the table's geometry."""

CORNERS_THAT_HOLD = 2
"""So many corner markers must still be where they were for the nooks to be where they were."""

log = logging.getLogger(__name__)


class TableWatcher(Worker):
    """Watches one table with one camera, in a thread of its own. The table is played on without it when it fails."""

    def __init__(
        self,
        table: LiveTable,
        camera: Callable[[], Camera],
        *,
        table_size_mm: tuple[float, float],
        zones: Mapping[int, Any] | None = None,
        nooks: Mapping[int, Rect] | None = None,
        reader: TableReader | None = None,
        corners: Corners | None = None,
    ) -> None:
        """Watch from the next `start` on.

        Args:
            table: the live table.
            camera: opens the camera, again and again when it must.
            table_size_mm: width and depth between the centres of the corner markers.
            zones: each seat's part of the table in mm.
            nooks: each seat's shielded part of the table in mm; nobody but the seat itself sees what lies there.
            reader: of the public picture.
            corners: of the table, where they were shown in the set-up and no markers lie there. There are no nooks
                then: only markers tell that the camera has not been moved since.
        """
        super().__init__("camera", FRAME_TIMEOUT_S + 1.0)
        self._table = table
        self._open = camera
        self._zones = zones
        self._table_size_mm = table_size_mm
        self._nooks = Nooks(nooks)
        self._reader = reader or TableReader(None if table.interpreter.dice else NoDice())
        self._tracker = TableTracker(self._reader)
        self._corners: tuple[Point, ...] | None = None
        self._shown_corners = corners
        self._match = ""
        self._eyes: Eyes | None = None
        self._markers = Markers({})
        self._newest: tuple[Frame, Reading, tuple[Rect, ...] | None] | None = None
        self._unpainted: tuple[Frame, TableGeometry] | None = None
        self._jpeg: tuple[int, bytes] | None = None
        self._last_ns = 0
        self._seen = Seen()
        self._health = CameraHealth("lost", "the camera is being opened")
        table.show_pictures_of(self.picture, self.look_privately)
        table.on_close(self.stop)

    def picture(self) -> tuple[bytes, Reading] | None:
        """The newest frame as JPEG with outlines, pips and values drawn in, and its reading.

        Where cards are hidden, only the parts whose cards are open by the record are shown.
        """
        newest = self._newest
        if newest is None:
            return None
        frame, reading, areas = newest
        cached = self._jpeg
        if cached is not None and cached[0] == frame.sequence:
            return cached[1], reading
        image = frame.image_bgr if areas is None else only_open(frame.image_bgr, self._reader.geometry, areas)
        done, data = cv2.imencode(".jpg", draw(image, reading), [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
        if not done:
            return None
        self._jpeg = (frame.sequence, data.tobytes())
        return self._jpeg[1], reading

    def look_privately(self, seat: int) -> PrivateLook:
        """The card in the nook of a seat, read from the newest frame in the caller's thread; nothing of it is kept."""
        if self._health.state != "watching":
            return PrivateLook(reason="no-camera")
        if not self._nooks.has(seat):
            return PrivateLook(reason="no-nook")
        newest = self._unpainted
        if newest is None:
            return PrivateLook(reason="no-camera")
        frame, geometry = newest
        return self._nooks.look(seat, frame.image_bgr, geometry, self._markers.cards)

    def step(self, frame: Frame) -> Seen:
        """Read one frame and hand on what it brings."""
        match = self._table.match
        if match.header.match != self._match or self._eyes is None:
            self._match = match.header.match
            self._eyes = self._table.interpreter.eyes(match.header, zones=self._zones, colours=self._table.colours)
            self._markers = self._table.interpreter.markers(match.header)
            ids = [*self._markers.cards, *CORNER_IDS]
            self._reader.markers = MarkerReader(ids, repeated=self._markers.repeated)
            self._tracker.forget()
        public, reading = self._seen_by_all(frame)
        now_ns = self._table.clock.now_ns()
        if public is None:
            self._seen = Seen(notices=(NO_CORNERS,))
            self._newest = (replace(frame, image_bgr=Nooks.blank(frame.image_bgr)), reading, None)
        else:
            watched = self._tracker.follow(reading)
            self._seen = self._eyes.update(watched, now_ns, match.state)
            areas = self._table.interpreter.open_areas(match)
            shown, told = _without(public, reading, self._seen.secret)
            self._newest = (shown, told, areas)
            if areas is None:  # nothing of this table is for some eyes only
                self._show_onlookers(shown, replace(watched, reading=told))
        lag_ns = now_ns - frame.exposure_start_ns
        gap_ns = frame.exposure_start_ns - self._last_ns if self._last_ns else 0
        self._last_ns = frame.exposure_start_ns
        self._health = self._watching(frame, reading, gap_ns)
        self._table.watched(
            self._match, self._seen.sightings, frame.exposure_start_ns, self._seen.still_seats, lag_ns + gap_ns
        )
        self._show()
        return self._seen

    def _show_onlookers(self, frame: Frame, watched: Watched) -> None:
        try:
            self._table.sight.frame(frame, watched, self._seen)
        except Exception as error:  # whoever keeps pictures must not stop the watching
            log.exception("an onlooker")
            self._table.report(f"A picture could not be kept: {error}")

    def _seen_by_all(self, frame: Frame) -> tuple[Frame | None, Reading]:
        """The frame with the nooks painted over, and its reading; no frame while nobody knows where the nooks are."""
        if not self._nooks:
            reading = self._read(frame)
            return frame, self._read(frame) if self._place_corners(reading) else reading
        if self._reader.geometry is None:
            self._find_corners(frame)
        for _ in range(2):  # once more when the corners have moved
            geometry = self._reader.geometry
            if geometry is None:
                break
            public = replace(frame, image_bgr=self._nooks.painted(frame.image_bgr, geometry))
            reading = self._read(public)
            if self._place_corners(reading):
                self._tracker.forget()
            elif self._corners_hold(reading):
                self._unpainted = (frame, geometry)
                return public, reading
        self._reader.geometry = self._corners = self._unpainted = None
        self._tracker.forget()
        return None, Reading(frame.size_wh, (), (), frame.exposure_start_ns, frame.sequence)

    def _find_corners(self, frame: Frame) -> None:
        markers = MarkerReader(CORNER_IDS).read(frame.image_bgr)
        self._place_corners(Reading(frame.size_wh, (), markers, frame.exposure_start_ns, frame.sequence))

    def _corners_hold(self, reading: Reading) -> bool:
        """True when enough corner markers are where they were."""
        known = dict(zip(CORNER_IDS, self._corners or (), strict=False))
        there = [dist(m.centre_px, known[m.id]) <= MOVED_PX for m in reading.markers if m.id in known]
        return all(there) and len(there) >= CORNERS_THAT_HOLD

    def _read(self, frame: Frame) -> Reading:
        return self._tracker.read(frame.image_bgr, exposure_start_ns=frame.exposure_start_ns, sequence=frame.sequence)

    def _place_corners(self, reading: Reading) -> bool:
        """Take the geometry of the table from its corner markers, or as it was shown; True when it is new."""
        if self._shown_corners is not None:
            return self._take_shown(self._shown_corners, reading.size_wh)
        centres = {marker.id: marker.centre_px for marker in reading.markers if marker.id in CORNER_IDS}
        if len(centres) < len(CORNER_IDS):
            return False
        corners = tuple(centres[each] for each in CORNER_IDS)
        if self._corners is not None:
            moved_px = max(dist(a, b) for a, b in zip(self._corners, corners, strict=True))
            if moved_px <= MOVED_PX:
                return False
        try:
            self._reader.geometry = TableGeometry.from_corner_markers(reading.markers, self._table_size_mm)
        except GeometryError as error:
            self._table.report(str(error))
            return False
        self._corners = corners
        return True

    def _take_shown(self, shown: Corners, size_wh: tuple[int, int]) -> bool:
        """The corners of the set-up, in px of a picture of this size; they are where they are until the next set-up."""
        scale_x, scale_y = size_wh[0] / shown.picture_wh[0], size_wh[1] / shown.picture_wh[1]
        a, b, c, d = ((x * scale_x, y * scale_y) for x, y in shown.at_px)
        if self._corners == (a, b, c, d):
            return False
        self._corners = (a, b, c, d)
        try:
            self._reader.geometry = TableGeometry(self._table_size_mm, (a, b, c, d))
        except GeometryError as error:
            self._table.report(str(error))
            return False
        return True

    def _watching(self, frame: Frame, reading: Reading, gap_ns: int) -> CameraHealth:
        before = self._health.frames_per_s
        rate = NS_PER_S / gap_ns if gap_ns else before
        smooth = rate if before is None or rate is None else 0.8 * before + 0.2 * rate
        read_ms = sum(reading.stage_ms.values())
        was = self._health.read_ms
        read_ms = read_ms if was is None else 0.8 * was + 0.2 * read_ms
        return CameraHealth(
            "watching", None, None if smooth is None else round(smooth, 1), round(read_ms, 1), frame.source
        )

    def _show(self) -> None:
        watching = self._health.state == "watching"
        seen = self._seen if watching else Seen()
        self._table.show_dice(seen.dice, seen.notices, self._health)

    def _lost(self, state: str, problem: str) -> None:
        self._health = CameraHealth(state, problem, None, None, self._health.source)
        self._last_ns = 0
        self._unpainted = None
        self._show()

    def run(self) -> None:
        """Watch until told to stop; open the camera again whenever it fails."""
        share_cores()
        retry_s = FIRST_RETRY_S
        while not self.stopping.is_set():
            try:
                camera = self._open()
            except DeviceError as error:
                self._lost("lost", str(error))
            except Exception as error:
                log.exception("opening the camera")
                self._lost("lost", f"The camera could not be opened: {error}")
            else:
                try:
                    retry_s = FIRST_RETRY_S
                    if self._watch(camera):
                        return
                finally:
                    camera.close()
            self.stopping.wait(retry_s)
            retry_s = min(LONGEST_RETRY_S, retry_s * 2)

    def _watch(self, camera: Camera) -> bool:
        """Read frames until the camera fails (False: open it again) or is over (True)."""
        after_ns = 0
        while not self.stopping.is_set():
            try:
                frame = camera.latest(exposed_after_ns=after_ns, timeout_s=FRAME_TIMEOUT_S)
                after_ns = frame.exposure_start_ns + 1
                self.step(frame)
            except CameraTimeout as error:
                self._lost("lost", str(error))
            except CameraEnded as error:
                self._lost("none", str(error))
                return True
            except CameraClosed:
                return self.stopping.is_set()
            except VisionError as error:
                self._lost("lost", str(error))
            except DeviceError as error:
                self._lost("lost", str(error))
                return False
            except Exception as error:
                log.exception("the camera's thread")
                self._table.report(f"Something went wrong while watching: {error}")
                self._lost("lost", f"Something went wrong while watching: {error}")
                return False
        return True


def _without(frame: Frame, reading: Reading, secret: frozenset[int]) -> tuple[Frame, Reading]:
    """The frame and its reading without some markers: what has them is painted over."""
    hidden = [marker for marker in reading.markers if marker.id in secret]
    if not hidden:
        return frame, reading
    image = covered(frame.image_bgr, [marker.corners_px for marker in hidden])
    markers = tuple(marker for marker in reading.markers if marker.id not in secret)
    return replace(frame, image_bgr=image), replace(reading, markers=markers)
