"""Frames in, what happens on the table out: each frame once and in order, and whether it can be trusted."""

from __future__ import annotations

from dataclasses import replace
from math import dist

import numpy as np

from vision.beside import both
from vision.images import Image
from vision.pyramid import Pyramid
from vision.reader import NoDice, TableReader
from vision.readings import Reading
from vision.tracking.changed import ChangedReader
from vision.tracking.following import DiceFollower
from vision.tracking.glimpse import Glimpse, Glimpses
from vision.tracking.hands import Hands, HandsWatch
from vision.tracking.happenings import Trouble, Watched
from vision.tracking.matching import all_shifted
from vision.tracking.sampling import samples_of
from vision.tracking.steps import Return, StepWatch

__all__ = ["TableTracker"]

_STANDING, _STANDING_SHARE = 2, 0.3


class TableTracker:
    """Follows the dice of one table through the frames of one camera; one tracker serves one thread.

    `reader` reads the frames; its geometry may be set at any time.
    """

    def __init__(self, reader: TableReader | None = None) -> None:
        self.reader = reader or TableReader()
        self._changes = ChangedReader(self.reader, markers_at_rest=not isinstance(self.reader.dice, NoDice))
        self._glimpses = Glimpses()
        self._hands = HandsWatch()
        self._follower = DiceFollower(self._hands)
        self._last_ns: int | None = None
        self._glimpse: Glimpse | None = None
        self._image: Image = np.zeros((1, 1, 3), np.uint8)
        self._now_hands = Hands(0, np.zeros((0, 0), bool))
        self._steps = StepWatch()
        self._now: Watched | None = None

    def forget(self) -> None:
        """Read the next frame as a whole; what is known of the dice stays."""
        self._changes.forget()

    def update(self, image_bgr: Image, *, exposure_start_ns: int, sequence: int) -> Watched:
        """What one more (H, W, 3) BGR uint8 image brings.

        A frame not newer than the last brings nothing. Raises BadImage for anything that is not such an image.
        """
        reading = self.read(image_bgr, exposure_start_ns=exposure_start_ns, sequence=sequence)
        return self.follow(reading)

    def read(self, image_bgr: Image, *, exposure_start_ns: int, sequence: int) -> Reading:
        """The reading of a frame, without following anything yet; see `follow`. A frame may be read again."""
        pyramid = Pyramid.of(image_bgr)
        self._image = pyramid.colour(0)
        glimpse = self._glimpse
        if glimpse is not None and self._now is not None and exposure_start_ns < glimpse.exposure_start_ns:
            self._now = replace(self._now, out_of_step=self._steps.late(exposure_start_ns))
            return self._now.reading
        if glimpse is None or glimpse.exposure_start_ns != exposure_start_ns:
            glimpse = self._glimpses.look(pyramid, exposure_start_ns)
            before = self._glimpse
            followed = self._now is not None and before is not None and self._last_ns == before.exposure_start_ns
            if glimpse.repeated and followed and self._now is not None and not self._steps.repeated(exposure_start_ns):
                self._now = replace(self._now, out_of_step=self._steps.out_of_step)
                return self._now.reading
            self._glimpse = now = glimpse
            reading, anew = both(
                lambda: self._changes.read(pyramid, now, sequence=sequence), lambda: self._look_about(now)
            )
            if not anew:
                return reading
            self._changes.forget()
        return self._changes.read(pyramid, glimpse, sequence=sequence)

    def _look_about(self, glimpse: Glimpse) -> bool:
        """What covers the table now, and whether frames can be trusted; True when this one must be read as a whole."""
        self._now_hands = self._hands.look(glimpse, self._follower.usual_side_px())
        back = self._steps.look(glimpse, self._now_hands.share, stands=self._stands(glimpse))
        if back is None:
            if glimpse.move is not None and self._steps.out_of_step is None:
                self._follower.move(glimpse.moved)
            return False
        self._return(back, glimpse)
        return back.trouble in (Trouble.CAMERA_MOVED, Trouble.LIGHT_CHANGED)

    def _stands(self, glimpse: Glimpse) -> bool:
        """Whether dice and markers enough lie still, and nothing moves about them: neither camera nor light does."""
        if self._now is None:
            return False
        things = self._follower.resting_px()
        things += [
            (each.centre_px, dist(each.corners_px[0], each.corners_px[2]) / 2) for each in self._now.reading.markers
        ]
        still = sum(not glimpse.moves_around(centre_px, side_px) for centre_px, side_px in things)
        return still >= max(_STANDING, _STANDING_SHARE * len(things))

    def _return(self, back: Return, glimpse: Glimpse) -> None:
        """In step again: what is known is laid over the picture as it is now."""
        self._follower.miss(glimpse.exposure_start_ns)
        if back.trouble is Trouble.LIGHT_CHANGED:
            self._hands.forget()
            self._now_hands = self._hands.look(glimpse, self._follower.usual_side_px())
        if back.trouble is Trouble.CAMERA_MOVED:
            self._hands.move(back.shift_px)
            self._now_hands = self._hands.look(glimpse, self._follower.usual_side_px())
            self._follower.move(lambda place_px: (place_px[0] + back.shift_px[0], place_px[1] + back.shift_px[1]))
        if back.trouble is Trouble.LIGHT_CHANGED:
            self._follower.relight()

    def follow(self, reading: Reading) -> Watched:
        """Follow the dice into the frame that was read last.

        Raises ValueError for the reading of another frame.
        """
        at_ns, glimpse = reading.exposure_start_ns, self._glimpse
        if glimpse is None or at_ns != glimpse.exposure_start_ns:
            raise ValueError("Only the frame that was read last can be followed: read it with this tracker first.")
        if self._now is not None and self._last_ns is not None and at_ns <= self._last_ns:
            return replace(self._now, happenings=())
        hands = self._now_hands
        samples = samples_of(reading, glimpse, hands, self.reader.geometry)
        samples += self._follower.bodies.look(samples, glimpse, hands, self._image, self.reader.geometry)
        pairs = self._follower.matches(samples, glimpse, at_ns)
        if not self._steps.held_in_hand and all_shifted(pairs):
            self._steps.camera_moved(at_ns)
        self._last_ns = at_ns
        if self._steps.out_of_step is not None:
            known = () if self._now is None else self._now.dice
            self._now = Watched(reading, known, (), hands.seen, self._steps.out_of_step)
        else:
            happenings = self._follower.follow(pairs, glimpse, hands, self._image, self.reader.geometry, at_ns)
            self._now = Watched(reading, self._follower.dice, tuple(happenings), hands.seen)
        return self._now
