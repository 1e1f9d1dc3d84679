"""The referee beside the dealer: each public event is submitted, and what the referee has is held to what is there."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import Any

from rules.events import Source, Submission
from rules.games import new_match
from rules.records import canonical
from rules.rulings import Ruling, Verdict
from rules.thunder_and_lightning.components import DECK, Kind, Role
from rules.thunder_and_lightning.events import Count, Decide, Figure, Lead
from tests.rules.thunder_and_lightning.cards import Mind, Real, Side
from tests.rules.thunder_and_lightning.dealer import Table
from tests.rules.thunder_and_lightning.decks import PACKS, header, random_options, shuffled_decks
from tests.rules.thunder_and_lightning.players import Chance

CARD_ID = re.compile(rb'"((?:thor|loki)-[a-z0-9-]+)"')
"""How a card is named in plain data."""


class Watched:
    """One game with its referee. `shown` are the ids of cards that everybody has seen somewhere."""

    def __init__(
        self,
        seed: int,
        which: str | None = None,
        options: dict[str, Any] | None = None,
        decks: dict[int, list[Real]] | None = None,
        mind: Mind | None = None,
    ) -> None:
        self.chance = random.Random(seed)
        self.which = which or PACKS[seed % 3]
        self.given = random_options(self.chance) if options is None else options
        self.match = new_match(header(self.which, **self.given))
        self.referee = self.match.referee
        self.mind: Any = mind or Chance(seed)
        self.shown: set[str] = set()
        cards = tuple(self.state.given.cards.values())
        if decks is None:
            decks = shuffled_decks(cards, self.state.options, self.chance)
        self.dealt = {seat: tuple(real.serial for real in deck) for seat, deck in decks.items()}
        self.table = Table(decks, self.state.options, self.mind)
        self.table.asks = lambda kind: bool(self.state.waiting) and self.state.waiting[0].kind == kind
        self.table.entry = lambda: self.match.seq

    @property
    def state(self) -> Any:
        return self.match.state

    def submit(self, event: Any) -> tuple[Ruling, ...]:
        """One event told to the referee."""
        source = Source.JUDGE if isinstance(event, Decide) else Source.DECLARED
        self.shown.update(ids_in(event))
        if isinstance(event, Lead) and self.state.has_seat(event.seat):
            self.shown.add(self.state.given.leader(self.state.side(event.seat).role).id)
        return self.match.submit(Submission(event, source)).rulings

    def honest(self, event: Any) -> None:
        """An event of honest play: accepted, and nobody blamed."""
        rulings = self.submit(event)
        assert rulings
        assert ids_in(rulings) <= self.shown
        for ruling in rulings:
            loses = ruling.verdict is Verdict.PENALTY and self.state.phase == "over"
            assert ruling.verdict is Verdict.ACCEPTED or loses, (event, ruling)
            assert set(ruling.facts) == set(self.referee.codes[ruling.code]), ruling

    def events(self) -> Iterator[Any]:
        """The events of the game, with remarks that an attentive table makes in between; not yet told."""
        for event in self.table.play():
            yield event
            if isinstance(event, Lead) and self.state.phase == "play" and self.chance.random() < 0.5:
                yield Figure(event.seat)
            if self.state.phase == "play" and not self.state.waiting and self.chance.random() < 0.02:
                yield counted(self.table, self.chance)


def counted(table: Table, chance: random.Random) -> Count:
    """Somebody counts."""
    side = table.sides[chance.choice((1, 2))]
    what = chance.choice(("hand", "deck", "pile"))
    return Count(side.seat, what, len(getattr(side, what)))


def ids_in(value: Any) -> set[str]:
    """Every card id that a record names anywhere."""
    return {found.decode() for found in CARD_ID.findall(canonical(value))}


def compared(watched: Any) -> None:
    """The referee's table is the dealer's as far as everybody can see it."""
    state, table = watched.state, watched.table
    assert state.phase == table.phase
    assert state.winner == table.winner
    if table.winner is not None:
        assert state.how == table.how
        result = watched.referee.result(state)
        assert result is not None
        assert result.winners == (table.winner,)
    elif table.phase == "play":
        turn = (state.turn.seat, state.turn.points, state.turn.spent, state.turn.first)
        assert turn == (table.seat, table.points, table.spent, table.first)
    waits = {waiting.kind for waiting in state.waiting}
    for seat, side in table.sides.items():
        _same_side(state.side(seat), side)
    if "top" not in waits and state.options.uncovered == "inert":
        assert (state.berserker, state.idunn) == (table.active[Kind.BERSERKER], table.active[Kind.IDUNN])
    _conserved(table, waits)
    assert watched.referee.check_state(state) == ()


def _same_side(public: Any, side: Side) -> None:
    assert public.role is side.role
    assert (public.hand, public.turns) == (len(side.hand), side.turns)
    assert not public.dealt or public.deck == len(side.deck)
    lies = tuple(
        tuple((real.card.deck, real.card.id if real.up else None) for real in column) for column in side.columns
    )
    assert tuple(tuple((each.back, each.card) for each in column) for column in public.columns) == lies
    assert public.pile_size == len(side.pile)
    there = iter(real.card.id for real in side.pile)
    sure = [piled.card for piled in public.pile if piled.sure]
    assert all(any(card == each for each in there) for card in sure), "a card that is surely there is not"
    every = iter(piled.card for piled in public.pile)
    assert all(any(card == each for each in every) for card in [real.card.id for real in side.pile])
    if public.top is not None and public.top.sure:
        assert side.pile[-1].card.id == public.top.card


def _conserved(table: Table, waits: set[str]) -> None:
    """TL-K1: fifty cards of each deck, wherever they are."""
    whole = dict.fromkeys(Role, 0)
    for side in table.sides.values():
        for real in (*side.hand, *side.deck, *side.pile, *(each for column in side.columns for each in column)):
            whole[real.card.deck] += 1
    for real in table.limbo:
        whole[real.card.deck] += 1
    assert set(whole.values()) == {DECK}
    assert not table.limbo or waits


def public_ids(state: Any) -> set[str]:
    """Every card id in the state beside what is printed in the box."""
    return ids_in([getattr(state, name) for name in state.__struct_fields__ if name != "given"])
