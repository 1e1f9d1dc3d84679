"""Secrets stay secret: two real deals that look the same on the table give the same bytes everywhere."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest

from companion.catalogue import Catalogue
from companion.live.interpreter import interpreter_for
from companion.live.view import snapshot
from companion.web.games.thunder_and_lightning.spoken import table_sentences
from companion.web.present import announcements, present_entry
from rules.log import log_lines
from rules.match import Match
from rules.records import canonical
from tests.rules.thunder_and_lightning.watching import Watched, compared
from tests.rules.thunder_and_lightning.worlds import Part, beginning, hidden, other_deal, replayed

CATALOGUES = (Catalogue("en"), Catalogue("it"))


def told(match: Match[Any]) -> dict[str, bytes]:
    """Everything that leaves the referee: record, state, options, snapshot, what is on screen and what is spoken."""
    shown = snapshot(match, interpreter_for(match.header.game), simulated=False)
    words = [
        (presented, announcements(presented, catalogue))
        for catalogue in CATALOGUES
        for entry in match.entries
        for presented in [present_entry(entry, match.header, catalogue)]
    ]
    return {
        "log": b"\n".join(log_lines(match)),
        "state": canonical(match.state),
        "options": canonical(match.options()),
        "snapshot": canonical(shown),
        "words": canonical(words),
        "table in words": canonical([table_sentences(shown, match.header, each) for each in CATALOGUES]),
    }


def part(seed: int) -> tuple[Part, random.Random]:
    """A beginning of a random game: from the last card of set-up to deep into it."""
    chance = random.Random(seed)
    return beginning(seed, chance.choice((chance.randint(9, 40), chance.randint(20, 200)))), chance


@pytest.mark.parametrize("seed", range(40))
def test_two_deals_that_look_the_same_give_the_same_bytes(seed: int) -> None:
    one, chance = part(seed)
    other = other_deal(one, chance)
    assert other is not None, "no other deal looks like this one; take another seed"
    assert hidden(other.table) != hidden(one.watched.table)
    compared(other)
    assert told(other.match) == told(one.watched.match)


@pytest.mark.parametrize("seed", range(40, 52))
def test_they_are_alike_at_every_step_before_too(seed: int) -> None:
    one, chance = part(seed)
    other = other_deal(one, chance)
    assert other is not None
    for seq in range(0, other.match.seq + 1, 5):
        left, right = one.watched.match.position_after(seq).state, other.match.position_after(seq).state
        assert canonical(left) == canonical(right)
        assert canonical(one.watched.referee.options(left)) == canonical(other.referee.options(right))


def seen_and_equal(one: Part) -> tuple[int, int] | None:
    """A card that was shown, and an unseen one of the same deck with another face."""
    box = one.watched.table.box
    for seat in (1, 2):
        for first in one.watched.dealt[seat]:
            for second in one.watched.dealt[seat]:
                if box[first].seen and not box[second].seen and box[first].card.id != box[second].card.id:
                    return first, second
    return None


@pytest.mark.parametrize("seed", range(60, 72))
def test_one_other_card_that_was_shown_is_told_at_once(seed: int) -> None:
    """The near miss: as soon as the exchanged card is seen, the two tables differ, and so does all that is told."""
    one = beginning(seed, 120)
    pair = seen_and_equal(one)
    assert pair is not None
    faces = {**one.faces, pair[0]: one.faces[pair[1]], pair[1]: one.faces[pair[0]]}
    other: Watched | None = replayed(one, faces, one.script)
    assert other is None, "it looked the same although another card was shown"
    differ = next(at for at, event in enumerate(one.events) if one.faces[pair[0]].id in str(event))
    event = swapped(one.events[differ], one.faces[pair[0]].id, one.faces[pair[1]].id)
    changed = beginning(seed, differ).watched
    same = beginning(seed, differ).watched
    assert told(changed.match) == told(same.match)
    changed.submit(event)
    same.submit(one.events[differ])
    left, right = told(changed.match), told(same.match)
    for what in ("log", "state", "snapshot", "words"):
        assert left[what] != right[what], what


def swapped(event: Any, old: str, new: str) -> Any:
    """The same event with another card named."""
    plain = msgspec.json.encode(event).replace(f'"{old}"'.encode(), f'"{new}"'.encode())
    return msgspec.json.decode(plain, type=type(event))
