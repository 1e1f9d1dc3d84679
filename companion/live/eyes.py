"""What a camera tells a Lightning Dice match: dice that leave, dice that rest, cards that are turned up."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from math import dist
from typing import Any

from companion.live.collector import Sighting
from companion.live.colour_desk import ColourDesk
from companion.live.colour_owners import ColourOwners
from companion.live.interpreter import Notice, Seen, SeenDie
from companion.live.other_dice import OtherDice
from companion.live.places import DICE, Left, Rested, SeatDice
from companion.live.seating import Seating
from rules.events import Source, Submission
from rules.header import Seat
from rules.lightning_dice.events import Flip, Moving, Roll
from vision.readings import DieReading, Point, Reading
from vision.settling import SettledDie, SettleWatcher

__all__ = ["CARD_FRAMES", "CARD_SEEN", "LightningDiceEyes"]

CARD_FRAMES = 5
CARD_SEEN = 3
"""A card counts once it was seen in so many of the last CARD_FRAMES frames."""

HISTORY_NS = 3_000_000_000
REST_MM = 4.0
REST_SIDES = 0.25


class LightningDiceEyes:
    """Follows dice and cards from reading to reading; pure apart from what it remembers."""

    def __init__(
        self,
        seats: Sequence[Seat],
        cards: Mapping[int, str],
        *,
        zones: Mapping[int, Any] | None = None,
        colours: ColourDesk | None = None,
    ) -> None:
        """`cards` maps marker ids of the deck in play to card ids; `zones` see `Seating`.

        `colours` knows the dice of the seats once they were shown; until then colours are told by their names.
        """
        self._seating = Seating(seats, zones)
        self._cards = dict(cards)
        self._watcher = SettleWatcher()
        self._tracks: dict[int, SettledDie] = {}
        self._seats = {seat.number: SeatDice() for seat in seats}
        self._known: set[int] = set()
        self._owners: dict[int, int] = {}
        self._other_dice = OtherDice()
        self._desk = colours
        self._colours = None if colours is None else ColourOwners(colours)
        self._shown_colours = False
        self._history: deque[tuple[int, tuple[DieReading, ...]]] = deque()
        self._card_frames: deque[frozenset[int]] = deque(maxlen=CARD_FRAMES)
        self._shown: frozenset[int] = frozenset()
        self._card_since_ns: dict[int, int] = {}

    def update(self, reading: Reading, now_ns: int, state: Any) -> Seen:
        """See `Eyes`."""
        at_ns = now_ns if reading.exposure_start_ns is None else reading.exposure_start_ns
        self._history.append((at_ns, reading.dice))
        while at_ns - self._history[0][0] > HISTORY_NS:
            self._history.popleft()
        self._follow(reading, now_ns)
        seen = self._in_view(reading.dice)
        showing = self._look_at_colours(reading, seen, now_ns)
        by_seat, unseated, notices = self._seat_dice()
        sightings: list[Sighting] = []
        if showing:  # dice that are laid down to be learned are not thrown
            by_seat = {}
        for number, seat in self._seats.items():
            dice = by_seat.get(number, [])
            rest_ns = {die.id: self._rest_ns(die) for die in dice if die.state == "settled"}
            left, rested = seat.update(dice, set(seen), rest_ns, at_ns)
            if left is not None:
                sightings.append(_moving(number, left))
            if rested is not None and not self._is_known(number, rested, state):
                sightings.append(_roll(number, rested))
            visible = [die for die in dice if die.id in seen]
            if len(visible) > DICE:
                notices.append(
                    Notice(
                        "notice.too-many-dice",
                        (("seat", number), ("dice", len(visible))),
                        f"{len(visible)} dice of seat {number} are in view; there should be {DICE}.",
                    )
                )
        if self._desk is not None:
            notices.extend(self._desk.notices(now_ns))
        flips, card_notices = self._flips(reading, at_ns, state)
        sightings.extend(flips)
        return Seen(
            sightings=tuple(sorted(sightings, key=lambda sighting: sighting.at_ns)),
            still_seats=frozenset(number for number, seat in self._seats.items() if seat.still and not showing),
            dice=self._dice_now(unseated),
            notices=tuple(dict.fromkeys([*notices, *card_notices])),
        )

    def _follow(self, reading: Reading, now_ns: int) -> None:
        for change in self._watcher.update(reading, now_ns):
            if change.die.state == "gone":
                self._tracks.pop(change.die.id, None)
            else:
                self._tracks[change.die.id] = change.die
        for die in self._watcher.settled:
            self._tracks[die.id] = die

    def _look_at_colours(self, reading: Reading, seen: dict[int, int], now_ns: int) -> bool:
        """Judge the dice by their learned colours; True while dice are shown to be learned.

        What lay there before is then told anew, for the dice were moved meanwhile.
        """
        if self._colours is None:
            return False
        ignored = [track for track, die in self._tracks.items() if self._other_dice.holds(die)]
        self._colours.update(reading, now_ns, self._tracks, seen, ignored=ignored, seat_at=self._seating.seat_at)
        before, self._shown_colours = self._shown_colours, self._colours.showing
        if self._shown_colours != before:
            self._seats = {number: SeatDice() for number in self._seats}
            self._known.clear()
            self._owners.clear()
        return self._shown_colours

    def _in_view(self, dice: tuple[DieReading, ...]) -> dict[int, int]:
        """Ids of the tracks that one of these dice is, each with the number of that die, nearest first."""
        pairs = sorted(
            (dist(track.position, place), track.id, number)
            for number, die in enumerate(dice)
            for track in self._tracks.values()
            if (place := _place(die, track.in_mm)) is not None
        )
        tracks: dict[int, int] = {}
        taken: set[int] = set()
        for gap, track_id, number in pairs:
            reach = 16.0 if self._tracks[track_id].in_mm else dice[number].side_px
            if gap <= reach and track_id not in tracks and number not in taken:
                tracks[track_id] = number
                taken.add(number)
        return tracks

    def _seat_dice(self) -> tuple[dict[int, list[SettledDie]], list[SettledDie], list[Notice]]:
        by_seat: dict[int, list[SettledDie]] = {}
        unseated: list[SettledDie] = []
        self._other_dice.follow(self._tracks.values())
        notices = self._other_dice.notices(self._tracks.values(), self._seating.seat_at)
        self._owners = {track: seat for track, seat in self._owners.items() if track in self._tracks}
        for die in self._tracks.values():
            if self._other_dice.holds(die):
                if die.state == "settled":
                    unseated.append(die)
                continue
            seat, notice = self._seat_of(die)
            if seat is None and die.value is None:
                seat = self._owners.get(die.id)  # what hides its pips hides its colour; it has not changed hands
            if seat is not None:
                self._owners[die.id] = seat
                by_seat.setdefault(seat, []).append(die)
            elif die.state == "settled":
                unseated.append(die)
                if notice is not None:
                    notices.append(notice)
        return by_seat, unseated, notices

    def _seat_of(self, die: SettledDie) -> tuple[int | None, Notice | None]:
        place = die.position if die.in_mm else None
        if self._colours is None or not self._colours.in_use:
            return self._seating.seat_of(die.colour, place)
        found = self._colours.of(die.id)
        if found is None:  # it was not seen well enough yet, or is hidden now: it has not changed hands
            return self._owners.get(die.id), None
        return self._seating.seat_by_colours(found, die.colour, place)

    def _rest_ns(self, die: SettledDie) -> int:
        """Exposure of the first of the frames that show the die unbroken where it lies now."""
        first = self._history[-1][0]
        for at_ns, dice in reversed(self._history):
            if not any(_lies_at(each, die) for each in dice):
                break
            first = at_ns
        return first

    def _is_known(self, number: int, rested: Rested, state: Any) -> bool:
        """True for a first sight that only confirms what the record says already."""
        first = number not in self._known
        self._known.add(number)
        there = state.find(number)
        return first and there is not None and there.faces == rested.faces and not there.moving

    def _flips(self, reading: Reading, at_ns: int, state: Any) -> tuple[list[Sighting], list[Notice]]:
        ids = frozenset(marker.id for marker in reading.markers if marker.id in self._cards)
        self._card_frames.append(ids)
        for marker in ids:
            self._card_since_ns.setdefault(marker, at_ns)
        for marker in set(self._card_since_ns) - frozenset().union(*self._card_frames):
            del self._card_since_ns[marker]
        votes = {marker: sum(marker in frame for frame in self._card_frames) for marker in self._card_since_ns}
        up = frozenset(marker for marker, count in votes.items() if count >= CARD_SEEN)
        new = {marker for marker in up - self._shown if self._cards[marker] != state.card}
        self._shown = frozenset(marker for marker in self._shown | up if votes.get(marker, 0) > 0)
        if len(new) > 1:
            self._shown -= new  # they count once a single one is left
            names = ", ".join(sorted(self._cards[marker] for marker in new))
            return [], [Notice("notice.two-cards", (("cards", names),), f"Cards {names} came up at once; leave one.")]
        return [
            Sighting(
                Submission(Flip(self._cards[marker]), Source.CAMERA, at_ns=self._card_since_ns[marker]),
                self._card_since_ns[marker],
                None,
                begins=True,
            )
            for marker in new
        ], []

    def _dice_now(self, unseated: list[SettledDie]) -> tuple[SeenDie, ...]:
        found = [
            SeenDie(number, place, value, reason)
            for number, seat in self._seats.items()
            for place, (value, reason) in enumerate(seat.slots)
            if reason != "moving" or seat.complete
        ]
        strangers = sorted(unseated, key=lambda die: die.position)
        found.extend(
            SeenDie(None, rank, die.value, None if die.reason is None else str(die.reason))
            for rank, die in enumerate(strangers)
        )
        return tuple(found)


def _moving(number: int, left: Left) -> Sighting:
    event = Moving(number, left.places, left.since_ns)
    return Sighting(Submission(event, Source.CAMERA, at_ns=left.since_ns), left.since_ns, number, begins=True)


def _roll(number: int, rested: Rested) -> Sighting:
    event = Roll(number, rested.faces, rested.thrown, rested.settled_ns)
    filed = Submission(event, Source.CAMERA, confidence=round(rested.confidence, 3), at_ns=rested.settled_ns)
    return Sighting(filed, rested.settled_ns, number, begins=False)


def _place(die: DieReading, in_mm: bool) -> Point | None:
    return die.position_mm if in_mm else die.centre_px


def _lies_at(die: DieReading, settled: SettledDie) -> bool:
    place = _place(die, settled.in_mm)
    if place is None:
        return False
    return dist(place, settled.position) <= (REST_MM if settled.in_mm else REST_SIDES * die.side_px + 1.0)
