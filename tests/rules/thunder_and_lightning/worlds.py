"""Other real deals that look the same on the table: cards that nobody saw change their faces or their places."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

from rules.thunder_and_lightning.pack import Card
from tests.rules.thunder_and_lightning.cards import Real
from tests.rules.thunder_and_lightning.dealer import Table
from tests.rules.thunder_and_lightning.players import Otherwise, Script
from tests.rules.thunder_and_lightning.watching import Watched


@dataclass(frozen=True, slots=True)
class Part:
    """The beginning of a game: how it was dealt, what was decided, what everybody saw."""

    seed: int
    watched: Watched
    faces: dict[int, Card]
    events: tuple[Any, ...]

    @property
    def script(self) -> list[Any]:
        return list(self.watched.mind.script)


def beginning(seed: int, length: int) -> Part:
    """The first events of a random game; fewer when it ends earlier."""
    watched = Watched(seed)
    faces = {serial: real.card for serial, real in watched.table.box.items()}
    events: list[Any] = []
    for event in watched.table.play():
        watched.honest(event)
        events.append(event)
        if len(events) == length:
            break
    return Part(seed, watched, faces, tuple(events))


def hidden(table: Table) -> tuple[Any, ...]:
    """What only the players know: hands, and the cards that lie face down."""
    return tuple(
        (
            sorted(real.card.id for real in side.hand),
            tuple(tuple(None if real.up else real.card.id for real in column) for column in side.columns),
        )
        for side in table.sides.values()
    )


def other_deal(part: Part, chance: random.Random, tries: int = 60) -> Watched | None:
    """The same beginning from another deal, with its own referee; None when none is found.

    A try exchanges the faces of cards that nobody has seen, or which of two cards with the same back a player took or
    laid from some moment on. It counts when all that everybody saw is just the same, every act is legal with these
    cards too, and something that is hidden at the end is not what it was.
    """
    for _ in range(tries):
        faces, script = dict(part.faces), part.script
        if chance.random() < 0.4:
            _exchange_faces(part, faces, chance)
        else:
            script = _exchange_acts(part, chance)
        other = replayed(part, faces, script)
        if other is not None and hidden(other.table) != hidden(part.watched.table):
            return other
    return None


def replayed(part: Part, faces: dict[int, Card], script: list[Any], *, alike: bool = True) -> Watched | None:
    """The game that these decisions make of these faces; None when it cannot be played, or does not look alike."""
    decks = {seat: [Real(serial, faces[serial]) for serial in dealt] for seat, dealt in part.watched.dealt.items()}
    given = part.watched
    other = Watched(part.seed, given.which, given.given, decks, Script(script))
    try:
        for expected, event in zip(part.events, other.table.play(), strict=False):
            if alike and event != expected:
                return None
            other.honest(event)
            if other.match.seq == len(part.events):
                break
    except Otherwise:
        return None
    return other


def _exchange_faces(part: Part, faces: dict[int, Card], chance: random.Random) -> None:
    """Between one and four pairs of unseen cards of one deck; the first of each is not in the deck any more."""
    table = part.watched.table
    for _ in range(chance.randint(1, 4)):
        seat = chance.choice((1, 2))
        unseen = [serial for serial in part.watched.dealt[seat] if not table.box[serial].seen]
        out = [serial for serial in unseen if table.box[serial] not in table.sides[seat].deck]
        if out and len(unseen) > 1:
            one, two = chance.choice(out), chance.choice(unseen)
            faces[one], faces[two] = faces[two], faces[one]


def _exchange_acts(part: Part, chance: random.Random) -> list[Any]:
    """From some moment on a player does with one card what was done with another."""
    table, script = part.watched.table, part.script
    side = table.sides[chance.choice((1, 2))]
    down = [real for column in side.columns for real in column if not real.up]
    one = chance.choice([*side.hand, *down, *side.ghosts] or [None])
    two = chance.choice([*side.hand, *down, *side.pile] or [None])
    if one is None or two is None or one is two or one.card.deck is not two.card.deck:
        return script
    to = {one.serial: two.serial, two.serial: one.serial}
    touched = [place for place, decision in enumerate(script) if _names(decision, one.serial)]
    start = chance.choice(touched or [0])
    return script[:start] + [_renamed(decision, to) for decision in script[start:]]


def _names(decision: Any, serial: int) -> bool:
    return decision == serial or (isinstance(decision, tuple) and serial in decision)


def _renamed(decision: Any, to: dict[int, int]) -> Any:
    """The same decision about the other card; columns, rows and counts are all smaller than the number of any card."""
    if isinstance(decision, tuple):
        return tuple(_renamed(each, to) for each in decision)
    return to.get(decision, decision) if isinstance(decision, int) else decision
