"""The simulated battlefield: people lay, turn and take cards, and the camera sees it."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from device.buttons.base import Press
from device.buttons.simulated import SimulatedButtons
from device.clock import NS_PER_S, Clock
from device.errors import SceneError
from device.frames import Frame
from device.simulated.card_layout import CARD_TABLE_SIZE_MM, ROLES, Area
from device.simulated.card_scene import CardRenderer, LaidCard
from device.simulated.hands import Hand, prepare_hand
from device.simulated.optics import PinholeCamera

__all__ = ["SimulatedCardTable", "VisibleCard"]

_FIELD_MARGIN_MM: Final = 22.0
_OFF_MM: Final = 2.5
"""How far people lay a card from where it belongs, at most, along x and along y."""
_OFF_RAD: Final = 0.044
"""By how much they turn it, at most: two and a half degrees."""
_ARM_MM: Final = 760.0
"""Long enough to reach the other half of the table."""
_KEPT_NS: Final = 4 * NS_PER_S
"""How far back a frame may be exposed."""


@dataclass(frozen=True, slots=True)
class VisibleCard:
    """The uppermost card of a place as anybody can see it; `marker` None: it lies face down.

    `below` is how many cards lie under it.
    """

    place: Area
    marker: int | None
    deck_back: int
    position_mm: tuple[float, float]
    turn_rad: float
    below: int


@dataclass(slots=True)
class _Card:
    """A card on the table. What its face is, `marker`, reaches no picture while it lies face down."""

    marker: int | None
    deck_back: int
    face_up: bool
    number: int
    x_mm: float
    y_mm: float
    turn_rad: float


@dataclass(frozen=True, slots=True)
class _Moment:
    from_ns: int
    cards: tuple[LaidCard, ...]
    hands: tuple[Hand, ...]


class SimulatedCardTable:
    """A table with cards and hands that a camera looks at. It knows no game.

    Cards are laid as people lay them: a few millimetres and degrees off. How far depends on `seed`, on the place and
    on how many cards came to it before, never on the card. Everything follows from `seed`, the calls made and the
    clock. A frame shows the table as it was when its exposure began. `names` are printed on the faces, by marker.
    All methods may be called from any thread.
    """

    def __init__(
        self,
        clock: Clock,
        *,
        seed: int = 0,
        size_wh: tuple[int, int] = (1280, 720),
        fps: float = 15,
        surface: str = "felt",
        noise: float = 1.0,
        tilt_deg: float = 18.0,
        names: dict[int, str] | None = None,
    ) -> None:
        if fps <= 0:
            raise SceneError(f"{fps} frames a second asked for; give more than 0")
        self.clock = clock
        self.seats = (1, 2)
        self.fps = float(fps)
        self.size_wh = size_wh
        self.buttons = SimulatedButtons(clock)
        self._seed = seed
        self._lock = threading.RLock()
        width, depth = CARD_TABLE_SIZE_MM
        margin = _FIELD_MARGIN_MM
        field = (-margin, -margin, width + margin, depth + margin)
        self._renderer = CardRenderer(
            PinholeCamera(size_wh, field, tilt_deg=tilt_deg), seed=seed, surface_name=surface, noise=noise, names=names
        )
        self._places: dict[Area, list[_Card]] = {}
        self._came: dict[Area, int] = {}
        self._laid = 0
        self._hands: dict[int, Hand] = {}
        self._sequence = 0
        self._moments = [_Moment(clock.now_ns(), (), ())]
        for seat in self.seats:
            prepare_hand(seat, _ARM_MM)

    # What people do

    def put(self, marker: int | None, deck_back: int, place: Area, *, face_up: bool | None = None) -> None:
        """Lay a card of deck 0 (Thor) or 1 (Loki) on a place.

        `marker` is that of its face; None: the card is not known and lies face down. A known card lies face up unless
        `face_up` is False; the table then remembers it for `flip` and `move`, and shows its back.
        Raises SceneError for a marker or deck that does not exist, a place that is taken, and an unknown face.
        """
        _checked(marker, deck_back)
        shown = marker is not None if face_up is None else face_up
        if shown and marker is None:
            raise SceneError("a card of which the face is not known cannot lie face up; give its marker")
        with self._lock:
            self._lay([(marker, shown)], deck_back, place)

    def pile_up(self, deck_back: int, place: Area, cards: int) -> None:
        """Lay so many unknown cards face down on one another. Raises SceneError as `put` does."""
        _checked(None, deck_back)
        if cards < 0:
            raise SceneError(f"{cards} cards asked for; give 0 or more")
        with self._lock:
            self._lay([(None, False)] * cards, deck_back, place)

    def flip(self, place: Area, marker: int | None = None) -> None:
        """Turn the uppermost card of a place over; `marker` tells its face when the table does not know it.

        Raises SceneError when there is no card, or no face to show.
        """
        with self._lock:
            card = self._top(place)
            known = card.marker if marker is None else marker
            _checked(known, card.deck_back)
            if not card.face_up and known is None:
                raise SceneError("a card of which the face is not known cannot be turned up; give its marker")
            self._take(place)
            self._lay([(known, not card.face_up)], card.deck_back, place)

    def move(self, place: Area, to: Area) -> None:
        """Lay the uppermost card of a place on another, as it lies. Raises SceneError when it cannot be done."""
        with self._lock:
            card = self._top(place)
            self._checked_free(to)
            self._take(place)
            self._lay([(card.marker, card.face_up)], card.deck_back, to)

    def remove(self, place: Area) -> None:
        """Take the uppermost card of a place away. Raises SceneError when there is none."""
        with self._lock:
            self._top(place)
            self._take(place)
            self._changed()

    def clear(self) -> None:
        """Take all cards and hands away."""
        with self._lock:
            self._places.clear()
            self._hands.clear()
            self._changed()

    def cover(self, area: Area, seat: int = 1) -> None:
        """Hold a hand of a seat over the middle of an area until `uncover`; the arm comes from the seat's end.

        Raises SceneError for an unknown seat.
        """
        with self._lock:
            self._known_seat(seat)
            lean = np.pi / 2 if seat == 1 else -np.pi / 2
            self._hands[seat] = Hand(seat, area.centre_mm, True, float(lean), _ARM_MM)
            self._changed()

    def uncover(self, seat: int = 1) -> None:
        """Take the hand of a seat away. Raises SceneError for an unknown seat."""
        with self._lock:
            self._known_seat(seat)
            self._hands.pop(seat, None)
            self._changed()

    def press(self, seat: int, button: str, edge_ns: int | None = None) -> Press:
        """Press a button of a seat now, or at `edge_ns`; it comes out of `buttons`."""
        return self.buttons.press(seat, button, edge_ns)

    # What is true

    def visible(self) -> tuple[VisibleCard, ...]:
        """The uppermost card of each place that has one, in the order in which they were laid."""
        with self._lock:
            return tuple(
                VisibleCard(
                    place,
                    cards[-1].marker if cards[-1].face_up else None,
                    cards[-1].deck_back,
                    (cards[-1].x_mm, cards[-1].y_mm),
                    cards[-1].turn_rad,
                    len(cards) - 1,
                )
                for place, cards in self._in_order()
            )

    def cards_on(self, place: Area) -> int:
        """How many cards lie on a place."""
        with self._lock:
            return len(self._places.get(place, ()))

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

    def render(self, exposure_start_ns: int) -> NDArray[Any]:
        """The picture of an exposure that begins at `exposure_start_ns`, (H, W, 3) uint8 BGR.

        It shows what lay there then; of moments more than 4 s before the last change the oldest known.
        """
        with self._lock:
            moment = next((m for m in reversed(self._moments) if m.from_ns <= exposure_start_ns), self._moments[0])
            noise_seed = exposure_start_ns + self._seed
            return self._renderer.picture(moment.cards, moment.hands, noise_seed=noise_seed)

    # Inner parts

    def _lay(self, cards: list[tuple[int | None, bool]], deck_back: int, place: Area) -> None:
        for marker, face_up in cards:
            self._checked_free(place)
            x_mm, y_mm, turn_rad = self._scattered(place)
            self._laid += 1
            card = _Card(marker, deck_back, face_up, self._laid, x_mm, y_mm, turn_rad)
            self._places.setdefault(place, []).append(card)
        self._changed()

    def _scattered(self, place: Area) -> tuple[float, float, float]:
        """Where the next card on a place comes to lie: centre and turn."""
        count = self._came[place] = self._came.get(place, 0) + 1
        (x, y), full_turn = place.centre_mm, 2 * np.pi
        key = [self._seed, 12, round(x * 10), round(y * 10), round(place.turn_rad % full_turn * 1000), count]
        dx, dy, turn = np.random.default_rng([part & 0xFFFFFFFF for part in key]).uniform(-1, 1, 3)
        return x + float(dx) * _OFF_MM, y + float(dy) * _OFF_MM, place.turn_rad + float(turn) * _OFF_RAD

    def _checked_free(self, place: Area) -> None:
        x, y = place.centre_mm
        if not (0 <= x <= CARD_TABLE_SIZE_MM[0] and 0 <= y <= CARD_TABLE_SIZE_MM[1]):
            raise SceneError(f"the place at ({x:.0f}, {y:.0f}) mm is off the table")
        if self._places.get(place) and not place.stacks:
            raise SceneError(f"a card lies at ({x:.0f}, {y:.0f}) mm already; move or remove it first")

    def _top(self, place: Area) -> _Card:
        cards = self._places.get(place)
        if not cards:
            x, y = place.centre_mm
            raise SceneError(f"no card lies at ({x:.0f}, {y:.0f}) mm")
        return cards[-1]

    def _take(self, place: Area) -> None:
        self._places[place].pop()
        if not self._places[place]:
            del self._places[place]

    def _known_seat(self, seat: int) -> None:
        if seat not in self.seats:
            raise SceneError(f"there is no seat {seat} at this table; the seats are {list(self.seats)}")

    def _in_order(self) -> list[tuple[Area, list[_Card]]]:
        return sorted(self._places.items(), key=lambda each: each[1][-1].number)

    def _changed(self) -> None:
        """Keep what can be seen from now on."""
        cards = tuple(
            LaidCard(
                top.marker if top.face_up else None,
                top.deck_back,
                top.x_mm,
                top.y_mm,
                top.turn_rad,
                len(lying) - 1,
                place.centre_mm,
                place.turn_rad,
            )
            for place, lying in self._in_order()
            for top in lying[-1:]
        )
        now_ns = self.clock.now_ns()
        earlier = [moment for moment in self._moments if moment.from_ns < now_ns]
        recent = [moment for moment in earlier if moment.from_ns >= now_ns - _KEPT_NS]
        # The last of those that are too old still tells what lay there at the beginning of the time kept.
        oldest = earlier[len(earlier) - len(recent) - 1 : len(earlier) - len(recent)]
        self._moments = [*oldest, *recent, _Moment(now_ns, cards, tuple(self._hands.values()))]


def _checked(marker: int | None, deck_back: int) -> None:
    if marker is not None and not 0 <= marker < 250:
        raise SceneError(f"there is no marker {marker}; markers are 0 to 249")
    if deck_back not in range(len(ROLES)):
        raise SceneError(f"there is no deck {deck_back}; decks are 0 ({ROLES[0]}) and 1 ({ROLES[1]})")
