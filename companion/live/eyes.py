"""What a camera tells a Lightning Dice match: dice that leave, dice that rest, cards that are turned up."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any

from companion.live.collector import Sighting
from companion.live.colour_desk import ColourDesk
from companion.live.colour_owners import ColourOwners
from companion.live.deeds import Doubts
from companion.live.infractions import Infractions
from companion.live.interpreter import Notice, Seen, SeenDie
from companion.live.other_dice import OtherDice
from companion.live.out_of_step import out_of_step_notice
from companion.live.places import DICE, LYING, Left, Rested, SeatDice, place_of
from companion.live.seating import Seating
from rules.events import Source, Submission
from rules.header import Seat
from rules.lightning_dice.events import Flip, Moving, Roll
from vision.readings import Reading
from vision.tracking.happenings import TrackedDie, Watched

__all__ = ["CARD_FRAMES", "CARD_SEEN", "LightningDiceEyes"]

READ_NS = 2_000_000_000
"""So long people are told what was wrong with the camera after it is right again."""
CARD_FRAMES = 5
KEPT_EXPOSURES = 600
"""Ten seconds at 60 frames a second: no rest is told later than that."""
CARD_SEEN = 3
"""A card counts once it was seen in so many of the last CARD_FRAMES frames."""


class LightningDiceEyes:
    """Follows dice and cards from frame to frame; pure apart from what it remembers."""

    def __init__(
        self,
        seats: Sequence[Seat],
        cards: Mapping[int, str],
        *,
        zones: Mapping[int, Any] | None = None,
        colours: ColourDesk | None = None,
        infractions: Infractions | None = None,
    ) -> None:
        """`cards` maps marker ids of the deck in play to card ids; `zones` see `Seating`.

        `colours` knows the dice of the seats once they were shown; until then colours are told by their names.
        `infractions` lays before the judge what looks like a breach of a tournament rule.
        """
        self._seating = Seating(seats, zones)
        self._cards = dict(cards)
        self._seats = {seat.number: SeatDice() for seat in seats}
        self._known: set[int] = set()
        self._owners: dict[int, int] = {}
        self._other_dice = OtherDice()
        self._desk = colours
        self._colours = None if colours is None else ColourOwners(colours)
        self._shown_colours = False
        self._last = Seen()
        self._exposures_ns: deque[int] = deque(maxlen=KEPT_EXPOSURES)
        self._infractions = infractions
        self._doubts = Doubts()
        self._trouble: tuple[Notice, int] | None = None
        self._card_frames: deque[frozenset[int]] = deque(maxlen=CARD_FRAMES)
        self._shown: frozenset[int] = frozenset()
        self._card_since_ns: dict[int, int] = {}

    def update(self, watched: Watched, now_ns: int, state: Any) -> Seen:
        """See `Eyes`."""
        if watched.out_of_step is not None:
            if self._infractions is not None:
                self._infractions.forget()
            self._trouble = (out_of_step_notice(watched.out_of_step), now_ns)
            return Seen(dice=self._last.dice, notices=(self._trouble[0],), whose=self._last.whose)
        reading = watched.reading
        at_ns = now_ns if reading.exposure_start_ns is None else reading.exposure_start_ns
        self._exposures_ns.append(at_ns)
        showing = self._look_at_colours(watched, now_ns)
        by_seat, unseated, notices = self._seat_dice(watched.dice)
        happenings = self._doubts.happenings(watched, at_ns)
        sightings: list[Sighting] = []
        rolls: list[tuple[int, tuple[int, ...]]] = []
        if showing:  # dice that are laid down to be learned are not thrown
            by_seat = {}
        for number, seat in self._seats.items():
            dice = by_seat.get(number, [])
            left, rested = seat.update(dice, happenings, at_ns)
            if left is not None:
                sightings.append(_moving(number, left))
            if rested is not None:
                rolls.append((number, rested.thrown))
            if rested is not None and not self._is_known(number, rested, state):
                sightings.append(_roll(number, rested, self._at_rest_from(rested.settled_ns)))
            visible = [die for die in dice if die.seen]
            if len(visible) > DICE:
                notices.append(
                    Notice(
                        "notice.too-many-dice",
                        (("seat", number), ("dice", len(visible))),
                        f"{len(visible)} dice of seat {number} are in view; there should be {DICE}.",
                    )
                )
        if self._trouble is not None and now_ns - self._trouble[1] < READ_NS:
            notices.append(self._trouble[0])
        if self._desk is not None:
            notices.extend(self._desk.notices(now_ns))
        flips, card_notices = self._flips(reading, at_ns, state)
        sightings.extend(flips)
        whose = {
            die.id: (number, self._seats[number].place_of(die.id)) for number in by_seat for die in by_seat[number]
        }
        if self._infractions is not None:
            sightings.extend(self._infractions.update(watched, happenings, whose, rolls, state, at_ns))
        self._last = Seen(
            sightings=tuple(sorted(sightings, key=lambda sighting: sighting.at_ns)),
            still_seats=frozenset(number for number, seat in self._seats.items() if seat.still and not showing),
            dice=self._dice_now(unseated),
            notices=tuple(dict.fromkeys([*notices, *card_notices])),
            whose=whose,
        )
        return self._last

    def _at_rest_from(self, settled_ns: int) -> int:
        """From when on a press is answered by the rest that frame `settled_ns` is the first to show.

        The frame exposed nearest after a press answers for it: so from just after the last frame before that one.
        """
        before = [at_ns for at_ns in self._exposures_ns if at_ns < settled_ns]
        return before[-1] + 1 if before else settled_ns

    def _look_at_colours(self, watched: Watched, now_ns: int) -> bool:
        """Judge the dice by their learned colours; True while dice are shown to be learned.

        What lay there before is then told anew, for the dice were moved meanwhile.
        """
        if self._colours is None:
            return False
        ignored = [die.id for die in watched.dice if self._other_dice.holds(die)]
        self._colours.update(watched.reading, now_ns, watched.dice, ignored=ignored, seat_at=self._seating.seat_at)
        before, self._shown_colours = self._shown_colours, self._colours.showing
        if self._shown_colours != before:
            self._seats = {number: SeatDice() for number in self._seats}
            self._known.clear()
            self._owners.clear()
        return self._shown_colours

    def _seat_dice(
        self, tracked: Sequence[TrackedDie]
    ) -> tuple[dict[int, list[TrackedDie]], list[TrackedDie], list[Notice]]:
        by_seat: dict[int, list[TrackedDie]] = {}
        unseated: list[TrackedDie] = []
        self._other_dice.follow(tracked)
        notices = self._other_dice.notices(tracked, self._seating.seat_at)
        known = {die.id for die in tracked}
        self._owners = {track: seat for track, seat in self._owners.items() if track in known}
        for die in tracked:
            if self._other_dice.holds(die):
                if die.state in LYING:
                    unseated.append(die)
                continue
            owner = self._owners.get(die.id)
            if owner is not None and not (die.seen and die.state in LYING):
                by_seat.setdefault(owner, []).append(die)  # under a hand and on its way it does not change hands
                continue
            seat, notice = self._seat_of(die)
            if seat is None and None in (die.value, die.reading.value):
                seat = self._owners.get(die.id)  # what hides its pips hides its colour; it has not changed hands
            if seat is not None:
                self._owners[die.id] = seat
                by_seat.setdefault(seat, []).append(die)
            elif die.state in LYING:
                unseated.append(die)
                if notice is not None:
                    notices.append(notice)
        return by_seat, unseated, notices

    def _seat_of(self, die: TrackedDie) -> tuple[int | None, Notice | None]:
        place = die.position_mm
        if self._colours is None or not self._colours.in_use:
            return self._seating.seat_of(die.colour, place)
        found = self._colours.of(die.id)
        if found is None:  # it was not seen well enough yet, or is hidden now: it has not changed hands
            return self._owners.get(die.id), None
        return self._seating.seat_by_colours(found, die.colour, place)

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

    def _dice_now(self, unseated: list[TrackedDie]) -> tuple[SeenDie, ...]:
        found = [
            SeenDie(number, place, value, reason)
            for number, seat in self._seats.items()
            for place, (value, reason) in enumerate(seat.slots)
            if reason != "moving" or seat.complete
        ]
        strangers = sorted(unseated, key=lambda die: place_of(die)[0])
        found.extend(
            SeenDie(None, rank, die.value, None if die.reason is None else str(die.reason))
            for rank, die in enumerate(strangers)
        )
        return tuple(found)


def _moving(number: int, left: Left) -> Sighting:
    event = Moving(number, left.places, left.since_ns)
    return Sighting(Submission(event, Source.CAMERA, at_ns=left.since_ns), left.since_ns, number, begins=True)


def _roll(number: int, rested: Rested, from_ns: int) -> Sighting:
    event = Roll(number, rested.faces, rested.thrown, from_ns, rested.off_table)
    filed = Submission(event, Source.CAMERA, confidence=round(rested.confidence, 3), at_ns=rested.settled_ns)
    return Sighting(filed, rested.settled_ns, number, begins=False)
