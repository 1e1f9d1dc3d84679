"""Bodies of dice that are not read: a die that leans far over may show the reader no face at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import dist
from statistics import median
from typing import NamedTuple

import numpy as np

from vision.geometry import TableGeometry
from vision.images import Image
from vision.readings import DieReading, Point, Unreadable
from vision.tracking.book import Book
from vision.tracking.camera import Camera, camera_told
from vision.tracking.glimpse import Glimpse
from vision.tracking.hands import BARE, Hands, HandsWatch, Thing
from vision.tracking.happenings import DieState
from vision.tracking.leaning import leaning_chances
from vision.tracking.looks import Look
from vision.tracking.mixing import in_light
from vision.tracking.sampling import sample_of
from vision.tracking.silhouettes import Silhouette, silhouette_at
from vision.tracking.track import Sample, Track, one_of_each_colour
from vision.tracking.upright import upright

__all__ = ["LEANS_UNREAD", "Bodies", "Shown"]

_MS = 1_000_000
_STILL_NS = 200 * _MS
"""A flat die is read sooner after it has come to rest."""
_AGAIN_NS = 150 * _MS
"""Looking costs a few milliseconds: where there is something to be looked at, it is done once in this time."""
_MISSING_NS = 150 * _MS
"""A die that has not been seen for so long is missing."""
_OWN_SIDES, _NEIGHBOUR_SIDES, _TABLE_SIDES = 0.6, 3.0, 2.0
"""What is seen nearer than the first is of the die itself; what is up to the second away may hide some of it; so much
of the table, to each side, has the colour of what lies behind it."""
_TAKEN_SIDES = 0.8
"""So far around the middle of a face that is read all is of that die."""
_THING_FACES = (0.3, 3.0)
"""In areas of a face: what is left of a die in small when its neighbour is taken away, and most that is looked at."""
_FACES, _OVERLAP = (0.8, 1.8), 0.7
"""One die, with its sides, is as large as this: on rendered tables flat ones 1.04 to 1.61, leaning ones 1.02 to 1.51,
two that touch and are both unread 2.6 and more; and the flat die that covers it best has this in common with it (0.72
and more; of two that touch 0.46 to 0.57)."""
LEANS_UNREAD = 0.05
"""From this chance on a body that is not read leans. On 54 rendered plays 26 of 28 looks at such bodies that leaned
gave more than 0.5, the other two 0.02 and 0.03; 51 looks at ones that lay flat gave 0.023 at most, and all but one of
them less than 0.001."""
_ALIKE, _LEAST_LEVELS = 0.3, 60.0
"""Pips, and what lies beside it, are mixed into the colour of a body in small: by this part of its brightest channel,
or of so many levels."""


class Shown(NamedTuple):
    """How sure it is, 0..1, that a die leans, by its body; None where the body is not that of a single die."""

    chance: float | None


@dataclass(frozen=True, slots=True)
class _Found:
    """A body, as if it had been read: its sample without a value, and how its place looks in small."""

    sample: Sample
    look: Look


class Bodies:
    """Finds them in the frames of one table; `hands` were over it, `book` tells which dice are missing."""

    def __init__(self, book: Book, hands: HandsWatch) -> None:
        self._book = book
        self._hands = hands
        self._found: list[_Found] = []
        self._looked_ns = 0
        self._image: Image = np.zeros((1, 1, 3), np.uint8)
        self._geometry: TableGeometry | None = None
        self._samples: Sequence[Sample] = ()

    def forget(self) -> None:
        """The picture has changed as a whole: what was found must be found anew."""
        self._found.clear()

    def look(
        self,
        samples: Sequence[Sample],
        glimpse: Glimpse,
        hands: Hands,
        image: Image,
        geometry: TableGeometry | None,
    ) -> list[Sample]:
        """Samples of bodies in a frame, `image` (H, W, 3) BGR uint8, of which `samples` are the dice that are read.

        A body is that of a die that is missing: it has its colour and its size, and has lain there still for a while
        without being read. It has no value; its reason is that it is tilted where it does not look like a flat die.
        """
        self._image, self._geometry, self._samples = image, geometry, samples
        self._found = [each for each in self._found if self._is_there(each, glimpse, hands)]
        at_ns = glimpse.exposure_start_ns
        if at_ns - self._looked_ns >= _AGAIN_NS:
            self._found += self._search(glimpse, hands)
        now = [sample_of(each.sample.reading, glimpse, hands, geometry) for each in self._found]
        return [
            replace(sample, hue_lab=each.sample.hue_lab, moves=False)
            for sample, each in zip(now, self._found, strict=True)
            if sample.cover <= BARE
        ]

    def shown(self, place_px: Point, colour_bgr: Sequence[float]) -> Shown | None:
        """What a die of that colour shows of its body at a place of the frame.

        None where nothing of its colour can be told from the table.
        """
        camera = self._camera()
        body = None if camera is None else self._body(place_px, colour_bgr, camera)
        if camera is None or body is None:
            return None
        return Shown(self._leans(body, camera) if _is_one_die(body) else None)

    def _is_there(self, found: _Found, glimpse: Glimpse, hands: Hands) -> bool:
        place_px, side_px = found.sample.centre_px, found.sample.side_px
        if any(dist(each.centre_px, place_px) < _OWN_SIDES * side_px for each in self._samples):
            return False
        return hands.cover(place_px, side_px) > 0 or found.look.stays(glimpse)

    def _search(self, glimpse: Glimpse, hands: Hands) -> list[_Found]:
        """Those that are not known yet."""
        at_ns, side_px = glimpse.exposure_start_ns, self._book.usual_side_px()
        missing = [
            each
            for each in self._book.tracks
            if each.known
            and (not each.at_rest or each.state is DieState.COVERED)
            and at_ns - each.last.at_ns >= _MISSING_NS
        ]
        camera = self._camera() if missing else None
        if camera is None or side_px is None:
            return []
        taken = [*self._samples, *(each.sample for each in self._found)]
        things = self._hands.still_things(_STILL_NS, [(each.centre_px, _TAKEN_SIDES * each.side_px) for each in taken])
        found = []
        for thing in things:
            if (
                hands.cover(thing.centre_px, side_px) > 0
                or not _THING_FACES[0] <= thing.area_px2 / side_px**2 <= _THING_FACES[1]
            ):
                continue
            self._looked_ns = at_ns
            bodies = [
                (body, track)
                for track in one_of_each_colour([each for each in missing if _may_be_of(thing, each)])
                if (body := self._body(thing.centre_px, track.plain_bgr, camera)) is not None and _is_one_die(body)
            ]
            if not bodies:
                continue
            body, track = max(bodies, key=lambda each: each[0].overlap)
            each = self._as_read(body, track, self._leans(body, camera), glimpse, hands)
            if not each.sample.moves:
                found.append(each)
        return found

    def _camera(self) -> Camera | None:
        """Where the camera stands; None where the table's geometry does not tell."""
        return None if self._geometry is None else camera_told(self._geometry, self._image)

    def _body(self, place_px: Point, colour_bgr: Sequence[float], camera: Camera) -> Silhouette | None:
        """What is of a colour at a place, whatever its size."""
        side_mm = _side_mm(self._book.tracks, camera)
        if side_mm is None:
            return None
        table_bgr = self._hands.table_around(place_px, _TABLE_SIDES * (self._book.usual_side_px() or 1.0))
        around = [np.array(each) for each in self._outlines_around(place_px)]
        return silhouette_at(self._image, place_px, colour_bgr, table_bgr, side_mm, camera, around)

    def _leans(self, body: Silhouette, camera: Camera) -> float:
        """How sure it is, 0..1, that a body does not look as the flat die that covers it best would."""
        x, y = body.face_px.mean(axis=0)
        around = [np.array(each) for each in self._outlines_around((float(x), float(y)))]
        look = upright(self._image, body.face_px, around, camera)
        return 0.0 if look is None else float(leaning_chances(look[None])[0])

    def _outlines_around(self, place_px: Point) -> list[tuple[Point, ...]]:
        """The upper faces of the dice beside a place: as they are read, or were when they came to rest."""
        lying = [each.last for each in self._book.tracks if each.at_rest and each.state is not DieState.COVERED]
        return [
            each.reading.outline_px
            for each in {sample.reading.outline_px: sample for sample in (*self._samples, *lying)}.values()
            if _OWN_SIDES * each.side_px < dist(each.centre_px, place_px) < _NEIGHBOUR_SIDES * each.side_px
        ]

    def _as_read(self, body: Silhouette, track: Track, chance: float, glimpse: Glimpse, hands: Hands) -> _Found:
        """A body in the words of readings: without a value, for it was not read."""
        outline = tuple((float(x), float(y)) for x, y in body.face_px)
        xs, ys = zip(*outline, strict=True)
        reading = DieReading(
            None, Unreadable.TILTED if chance >= LEANS_UNREAD else Unreadable.AMBIGUOUS, body.overlap,
            (min(xs), min(ys), max(xs), max(ys)), outline, (), track.colour, track.last.reading.pip_colour,
            track.last.reading.colour_bgr,
        )  # fmt: skip
        assert self._geometry is not None
        x, y = self._geometry.to_mm([reading.centre_px])[0]
        sample = sample_of(replace(reading, position_mm=(float(x), float(y))), glimpse, hands, self._geometry)
        if track.hue_lab is not None:
            sample = replace(sample, hue_lab=track.hue_lab)
        return _Found(sample, Look.of(glimpse, sample.centre_px, sample.side_px))


def _is_one_die(body: Silhouette) -> bool:
    """Neither a part of one nor two that touch."""
    return _FACES[0] <= body.faces <= _FACES[1] and body.overlap >= _OVERLAP


def _may_be_of(thing: Thing, track: Track) -> bool:
    """By its colour in small, in which pips and what is beside it mix."""
    _, apart = in_light(np.array(thing.colour_bgr), track.plain_bgr)
    return float(apart) <= _ALIKE * max(*track.plain_bgr, _LEAST_LEVELS)


def _side_mm(tracks: Sequence[Track], camera: Camera) -> float | None:
    """The side of the dice on the table: their upper faces lie nearer to the camera, and seem larger laid on it."""
    low_mm = [track.side_mm for track in tracks if track.known and track.side_mm is not None]
    eye_mm = -float(camera.eye[2])
    if not low_mm or eye_mm <= 0:
        return None
    return median(low_mm) * eye_mm / (eye_mm + median(low_mm))
