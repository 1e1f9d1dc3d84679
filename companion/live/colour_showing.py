"""One seat after another shows its six dice: what is asked, what is wrong with what is shown, what was learned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from companion.live.interpreter import Notice
from rules.header import Seat
from vision.colours import colour_name
from vision.readings import Unreadable
from vision.seat_colours import DieColour, SeatColour, alike, distance, learned, spread_of

__all__ = ["SHOWN_DICE", "Learned", "Showing", "ShownDie", "names_of", "too_alike"]

SHOWN_DICE: Final = 6
LOOK_NS: Final = 700_000_000
"""Dice are learned when the same ones have lain still for so long."""
LEAST_LOOKS: Final = 4
LEAST_WITH_PIPS: Final = 2
"""So many of the six must be read for sure, for the colour of their pips; of others the body is enough."""
PATIENCE_NS: Final = 1_500_000_000
"""A wrong number of dice is told when it has stayed the same for so long: dice are put down one by one."""
STRAY: Final = 4.5
"""A die further from the others of its showing than this, in standard deviations, is of another colour."""
TAKEN: Final = 3.0
"""Dice nearer than this to those of another seat are of its colour."""
DARK_LEVEL: Final = 22.0
"""Paper darker than this, 0..255, gives no colours."""

White = tuple[float, float, float] | None


@dataclass(frozen=True, slots=True)
class ShownDie:
    """A die in view: the number of its track, whether it lies still, why it cannot be read (None: it can), its
    colours, and whether it lies where the asked seat shows its dice (True as well where places are not known)."""

    track: int
    still: bool
    reason: Unreadable | None
    colour: DieColour | None
    here: bool = True


@dataclass(frozen=True, slots=True)
class Learned:
    """The dice of a seat: their colours to tell them by, and the everyday names of those of bodies and pips."""

    colour: SeatColour
    body: str
    pips: str


@dataclass(slots=True)
class _Looks:
    """What was seen of the same dice so far."""

    tracks: frozenset[int]
    since_ns: int
    colours: list[DieColour] = field(default_factory=list)
    by_track: dict[int, list[DieColour]] = field(default_factory=dict)
    frames: int = 0
    judged: bool = False


class Showing:
    """Asks the given seats in their order; give it every look at the table.

    Attributes:
        learned: by player number, the seats that are learned, those known before it began among them.
        asked: whose turn it is to show dice; None when all have shown theirs.
        count: how many dice are being shown.
        problem: what is wrong with them, None while nothing is.
    """

    def __init__(self, seats: Sequence[Seat], ask: Sequence[int], known: Mapping[int, Learned]) -> None:
        self._names = {seat.number: seat.name for seat in seats}
        self._waiting = list(ask)
        self._owners: dict[int, int] = {}
        self._looks = _Looks(frozenset(), 0)
        self.learned = {number: each for number, each in known.items() if number not in ask}
        self.count = 0
        self.problem: Notice | None = None

    @property
    def asked(self) -> int | None:
        """The player number of the seat that is asked now."""
        return self._waiting[0] if self._waiting else None

    @property
    def waiting(self) -> tuple[int, ...]:
        """The seats that have not shown their dice yet, in order."""
        return tuple(self._waiting)

    def request(self) -> Notice | None:
        """What is asked of the players now."""
        seat = self.asked
        if seat is None:
            return None
        text = f"{self._names[seat]}, show me your six dice: yours alone, flat, and in the light."
        return Notice("notice.colours-show", (("seat", seat),), text)

    def look(self, dice: Sequence[ShownDie], white: White, now_ns: int) -> bool:
        """Take in one look at the table; True when a seat was learned with it."""
        seat = self.asked
        if seat is None:
            return False
        tracks = {die.track for die in dice}
        self._owners = {track: owner for track, owner in self._owners.items() if track in tracks}
        shown = [die for die in dice if die.here and die.track not in self._owners]
        self.count = len(shown)
        here = frozenset(die.track for die in shown)
        if here != self._looks.tracks or not all(die.still for die in shown):
            self._looks = _Looks(here, now_ns)
            self.problem = None
            return False
        rested_ns = now_ns - self._looks.since_ns
        if not shown:
            return False
        self.problem = self._wrong(seat, shown, white) if rested_ns >= PATIENCE_NS else self.problem
        if self._looks.judged:  # nothing new comes of the same dice in the same place
            return False
        if len(shown) != SHOWN_DICE or not all(map(_usable, shown)) or _with_pips(shown) < LEAST_WITH_PIPS:
            return False
        self._looks.frames += 1
        for die in shown:
            assert die.colour is not None
            self._looks.colours.append(die.colour)
            self._looks.by_track.setdefault(die.track, []).append(die.colour)
        if rested_ns < LOOK_NS or self._looks.frames < LEAST_LOOKS:
            return False
        return self._learn(seat, white)

    def _wrong(self, seat: int, shown: Sequence[ShownDie], white: White) -> Notice | None:
        """What keeps these dice from being learned, as far as one look tells."""
        name = self._names[seat]
        without = sum(die.reason is Unreadable.NOT_A_PIP_DIE for die in shown)
        unread = sum(not _usable(die) for die in shown) - without
        if _with_pips(shown) < LEAST_WITH_PIPS:
            unread = sum(die.reason is not None for die in shown) - without
        if white is not None and max(white) < DARK_LEVEL:
            return Notice("notice.colours-dark", (), "It is too dark to tell colours; switch a lamp on.")
        if without:
            text = f"{name}, {without} of your dice have no pips; show six dice with pips."
            return Notice("notice.colours-no-pips", (("seat", seat), ("count", without)), text)
        if len(shown) != SHOWN_DICE:
            text = f"{name}, {len(shown)} dice are in view that could be yours; show all six, and no others."
            return Notice("notice.colours-count", (("seat", seat), ("count", len(shown))), text)
        if unread:
            text = f"{name}, {unread} of your dice cannot be read; lay them flat, apart and out of the glare."
            return Notice("notice.colours-unread", (("seat", seat), ("count", unread)), text)
        return self.problem

    def _learn(self, seat: int, white: White) -> bool:
        self._looks.judged = True
        colour = learned(self._looks.colours, white)
        body, pips = names_of(colour)
        strays = [_middle(each) for each in self._looks.by_track.values()]
        odd = [die for die in strays if spread_of(die, colour) > STRAY]
        name = self._names[seat]
        if odd:
            found = tuple(sorted({body, *(colour_name(die.body_bgr, white) for die in odd)}))
            text = f"{name}, your dice are not all of one colour: {len(odd)} differ ({', '.join(found)})."
            facts = (("seat", seat), ("count", len(odd)), ("colours", found))
            self.problem = Notice("notice.colours-mixed", facts, text)
            return False
        for other, known in self.learned.items():
            if distance(colour, known.colour, white) < TAKEN:
                text = f"{name}, these dice look like those of {self._names[other]} ({known.body}); take others."
                facts2 = (("seat", seat), ("elsewhere", other), ("colour", known.body))
                self.problem = Notice("notice.colours-taken", facts2, text)
                return False
        self.learned[seat] = Learned(colour, body, pips)
        self._owners.update(dict.fromkeys(self._looks.tracks, seat))
        self._looks = _Looks(frozenset(), 0)
        self._waiting.pop(0)
        self.problem = None
        return True


def too_alike(seats: Sequence[Seat], known: Mapping[int, Learned], white: White = None) -> list[Notice]:
    """Each pair of seats whose dice cannot be told apart reliably in the light of now."""
    names = {seat.number: seat.name for seat in seats}
    found = []
    for one, other in alike({number: each.colour for number, each in known.items()}, white):
        text = (
            f"The dice of {names[one]} ({known[one].body}) and {names[other]} ({known[other].body}) are too alike in "
            "this light; take other dice, or more light. Until then they count for nobody."
        )
        facts = (("seat", one), ("colour", known[one].body), ("elsewhere", other), ("other_colour", known[other].body))
        found.append(Notice("notice.colours-alike", facts, text))
    return found


def names_of(colour: SeatColour) -> tuple[str, str]:
    """The everyday names of the colours of bodies and pips."""
    brightest = 1.0 if colour.white_bgr is not None else max(*colour.body, *colour.pips)
    body, pips = (colour_name(_levels(light, brightest)) for light in (colour.body, colour.pips))
    return body, pips


def _usable(die: ShownDie) -> bool:
    """Whether its colour can be trusted: a value that is not sure does not make a body another colour."""
    return die.colour is not None and die.reason in (None, Unreadable.AMBIGUOUS)


def _with_pips(shown: Sequence[ShownDie]) -> int:
    return sum(die.colour is not None and die.colour.pip_bgr is not None for die in shown)


def _levels(light: tuple[float, float, float], white: float) -> tuple[float, float, float]:
    b, g, r = (255 * min(1.0, max(0.0, part / white)) ** (1 / 2.2) for part in light)
    return (b, g, r)


def _middle(looks: Sequence[DieColour]) -> DieColour:
    """The median look of one die."""
    bodies = sorted(looks, key=lambda look: sum(look.body_bgr))
    return bodies[len(bodies) // 2]
