"""How often a track goes over from one true die to another, or a die gets another track.

A die whose track changes is one switch; two dice that exchange theirs are two (as in CLEAR MOT). Nothing can tell
dice of one colour apart that were in one hand: those of a seat may come out of it with any of the tracks that went in.
A die that was off the table or outside the picture may come back under any track that is nobody else's. Time counts
while a die is on the table and some of it can be seen.

Where dice tumble side by side it cannot be said which track is which die's: a moving die with another within one and a
half sides, or half hidden, is judged when it has come clear or lies still, and whatever was exchanged shows then.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from math import dist

from companion.measure.failures import Failure
from companion.measure.pairing import side_px
from companion.measure.told import AT_REST, Die, Shot, Watching

__all__ = ["Identities", "identities_of"]

_IN_SIGHT = 0.2
_CLEAR = 0.5
_APART_SIDES = 1.5


@dataclass(slots=True)
class Identities:
    """Switches of identity, and the time for which identities were to be kept."""

    switches: int = 0
    die_seconds: float = 0.0
    failures: list[Failure] = field(default_factory=list)

    @property
    def per_1000_s(self) -> float:
        """Switches in 1,000 seconds of one die; 0 where no time passed."""
        return 1000 * self.switches / self.die_seconds if self.die_seconds else 0.0


class _Books:
    """Who has which track; `held` are the tracks that went into the hand of a seat."""

    def __init__(self) -> None:
        self.track_of: dict[Die, int] = {}
        self.owner: dict[int, Die] = {}
        self.held: defaultdict[int, set[int]] = defaultdict(set)
        self.from_hand: set[Die] = set()

    def give(self, die: Die, track: int) -> None:
        """From now on the track is the die's; who had it before keeps it in the books, to be found without it."""
        self.drop(die)
        self.track_of[die], self.owner[track] = track, die
        self.from_hand.discard(die)

    def drop(self, die: Die) -> None:
        track = self.track_of.pop(die, None)
        if track is not None and self.owner.get(track) == die:
            del self.owner[track]


def identities_of(watching: Watching) -> Identities:
    """Count the switches of one play, whose pairs are filled in."""
    found, books = Identities(), _Books()
    for shot in watching.shots:
        for die, true in shot.true.items():
            if true.state in ("rolling", "settled", "cocked") and true.visible >= _IN_SIGHT:
                found.die_seconds += watching.frame_ns / 1e9
            if true.state == "in hand":
                _into_hand(die, books)
            elif true.state == "off table" or (true.visible <= 0 and true.state == "rolling"):
                books.drop(die)
        seen = {told.id for told in shot.told if told.seen}
        moves = [(die, track) for track, die in shot.pairs.items() if track in seen]
        for die, track in sorted(moves):
            if shot.true[die].state not in ("in hand", "off table") and _apart(die, shot):
                _meet(die, track, shot, books, found)
    return found


def _apart(die: Die, shot: Shot) -> bool:
    """It lies still, or is in plain view and no other die is so near that their tracks cannot be told apart."""
    true = shot.true[die]
    if true.state in AT_REST:
        return True
    if true.visible < _CLEAR:
        return False
    reach = _APART_SIDES * side_px(true)
    return not any(
        dist(true.centre_px, each.centre_px) < reach
        for other, each in shot.true.items()
        if other != die and each.state != "off table"
    )


def _into_hand(die: Die, books: _Books) -> None:
    track = books.track_of.get(die)
    if track is not None:
        books.held[die[0]].add(track)
        books.drop(die)
    books.from_hand.add(die)


def _meet(die: Die, track: int, shot: Shot, books: _Books, found: Identities) -> None:
    """A track is seen where the die is: is it the die's?"""
    if books.track_of.get(die) == track:
        return
    held = books.held[die[0]]
    before = books.track_of.get(die)
    if die in books.from_hand and before is None:
        switched = track not in held and (bool(held) or track in books.owner)
        held.discard(track)  # one that stays behind may still be that of a further die
        said = f"came out of the hand as track {track}"
    elif before is not None:
        switched = True
        if track in held:  # it got the wrong one of those in the hand: counted here, not once more with the next die
            held.remove(track)
            held.add(before)
        said = f"track {before} became track {track}"
    else:
        switched = track in books.owner
        said = f"took over track {track}"
    if switched:
        found.switches += 1
        found.failures.append(Failure("identity switch", shot.at_ns, die, track, said, shot.at_ns))
    books.give(die, track)
