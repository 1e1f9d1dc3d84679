"""Players of the simulated battlefield: they hold real cards, move them by the rules and press their buttons.

What shows on a page is read from the pixels of the rendered frames. What no camera can see (what a power works on, in
which order cards go on a pile, where a card lies among others that look the same) they say on the page, as people do.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from companion.live.card_open import PLAIN_POWERS
from companion.live.duel_manners import DuelManners
from companion.live.duel_table import DuelTable
from companion.live.duel_world import Real, World, WorldLost
from companion.live.players import Players
from companion.live.table import LiveTable
from device.simulated.card_table import SimulatedCardTable
from rules.errors import RulesError
from rules.events import Decision, Event, Source, Submission, Undo
from rules.header import Header
from rules.rulings import Verdict
from rules.thunder_and_lightning.components import BARRED, FIRST_HAND, FIRST_ROW, Kind
from rules.thunder_and_lightning.events import (
    Challenge,
    Deal,
    Decide,
    Draw,
    Drawn,
    EndTurn,
    Hit,
    Lay,
    Lead,
    Place,
    Play,
    Replace,
    ShowHand,
    ShuffleBack,
    Shuffled,
    Spot,
    Stack,
    Stop,
    Stuck,
    Take,
    Top,
    Treasure,
    TurnUp,
)
from rules.thunder_and_lightning.reveals import asked_for
from rules.thunder_and_lightning.state import ThunderAndLightningState, Waiting

__all__ = ["DuelPlayers"]

State = ThunderAndLightningState


log = logging.getLogger(__name__)


@dataclass(slots=True)
class _Doing:
    """Something done at the table that the record does not have yet; told on the page at `say_ns` for lack of it."""

    event: Event
    patience_ns: int
    laid: Real | None = None
    say_ns: int | None = None


class DuelPlayers(Players):
    """Plays one match after another at a simulated table, in a thread of its own or step by step."""

    def __init__(
        self,
        table: LiveTable,
        simulated: SimulatedCardTable,
        *,
        new_header: Callable[[], Header],
        seed: int = 0,
        manners: DuelManners | None = None,
    ) -> None:
        """`new_header` makes the header of the next match; the table must press the simulated buttons already."""
        super().__init__(table)
        self._simulated = simulated
        self._new_header = new_header
        self._chance = random.Random(seed)
        self._manners = manners or DuelManners()
        self._match = ""
        self._seq = 0
        self._worlds: list[World] = []
        self._hands: DuelTable | None = None
        self._doing: _Doing | None = None
        self._next_ns = 0
        self._over_ns: int | None = None

    @property
    def idle(self) -> bool:
        """True while the table lies as the record has it and nobody does anything."""
        hands = self._hands
        if hands is None or hands.busy or self._doing is not None or self._seq != self._table.match.seq:
            return False
        state: State = self._table.state
        return not state.waiting and hands.in_order(state, self._worlds[-1])

    def step(self) -> None:
        """Do what is due by now."""
        now_ns = self._table.clock.now_ns()
        if self._match != self._table.header.match and not self._sit_down():
            return
        try:
            self._follow()
        except WorldLost as lost:
            self._table.report(f"The demo players lost track ({lost}) and begin another match.")
            self._begin_another()
            return
        hands = self._hands
        if hands is None or now_ns < self._next_ns or self._table.match.position.paused:
            return
        state: State = self._table.state
        if hands.busy:
            hands.step()
            self._next_ns = now_ns + self._manners.move_ns
        elif self._doing is not None:
            doing = self._doing
            doing.say_ns = doing.say_ns or now_ns + doing.patience_ns
            if now_ns >= doing.say_ns:
                self._say(doing.event)
        elif hands.tidy(state, self._worlds[-1], keep_shown=bool(state.waiting) and state.waiting[0].kind == "place"):
            self._next_ns = now_ns + self._manners.move_ns
        elif state.phase == "over":
            self._after_the_end(now_ns)
        else:
            self._act(state)
            self._next_ns = now_ns + (0 if hands.busy else self._chance.randint(*self._manners.look_ns))

    # --- following the record

    def _sit_down(self) -> bool:
        """Take up a match that has not begun; end any other, whose hidden cards nobody knows."""
        match = self._table.match
        self._match = match.header.match
        self._doing = self._over_ns = None
        try:
            if match.seq:
                raise WorldLost("this match has begun without them")
            self._worlds = [World(match.state, self._chance)]
        except WorldLost as lost:
            log.info("the demo players begin another match: %s", lost)
            self._begin_another()
            return False
        self._seq = 0
        self._hands = DuelTable(self._simulated, {side.seat: side.role for side in match.state.sides})
        self._hands.clear()
        return True

    def _follow(self) -> None:
        """Move the hidden cards as the new entries say."""
        match, hands = self._table.match, self._hands
        assert hands is not None
        for entry in match.entries[self._seq :]:
            before, after = match.position_after(entry.seq - 1).state, match.position_after(entry.seq).state
            event, doing = entry.filed.event, self._doing
            refused = all(ruling.verdict is Verdict.REFUSED for ruling in entry.rulings)
            if isinstance(event, Undo) and not refused:
                world = self._worlds[event.back_to].copy()
            else:
                world = self._worlds[-1].copy()
                world.follow(entry, before, after, None if doing is None else doing.laid)
            self._worlds.append(world)
            self._seq = entry.seq
            if after is before and (doing is None or type(event) is not type(doing.event)):
                continue  # a note, or somebody else's word that changed nothing
            self._doing = None
            if refused or not (after.waiting and after.waiting[0].kind in ("challenge", "column", "strike")):
                hands.calm()

    def _do(self, event: Event, *, seen: bool = True, laid: Real | None = None) -> None:
        """Something is being done: the camera may see it (`seen`), else its player says it."""
        self._doing = _Doing(event, self._manners.unread_ns if seen else self._manners.say_ns, laid)

    def _say(self, event: Event) -> None:
        self._table.submit(Submission(event, Source.DECLARED))

    # --- deciding

    def _act(self, state: State) -> None:
        if state.phase == "setup":
            self._set_up(state)
        elif state.waiting:
            self._answer(state.waiting[0], state)
        elif state.turn is not None:
            self._take_turn(state)

    def _set_up(self, state: State) -> None:
        for side in sorted(state.sides, key=lambda each: (each.field, each.dealt)):
            seat, world = side.seat, self._worlds[-1]
            if not side.shuffled:
                self._say(Shuffled(seat))
            elif side.dealt < FIRST_HAND:
                self._say(Deal(seat, FIRST_HAND - side.dealt))
            elif side.treasure == "shown":
                self._say(Replace(seat))
            elif side.treasure == "replaced":
                self._say(ShuffleBack(seat))
            elif not side.treasure and not side.field and any(_is(real, Kind.TREASURE) for real in world.hand[seat]):
                self._say(Treasure(seat, state.given.treasure(side.role).id))
            elif side.field < FIRST_ROW:
                column = self._chance.choice([c for c in (1, 2, 3) if not side.column(c)])
                self._lay(Lay(seat, column, 1), state)
            else:
                continue
            return

    def _take_turn(self, state: State) -> None:
        assert state.turn is not None
        seat = state.turn.seat
        offered: dict[type[Event], list[Any]] = {}
        for option in self._table.match.options():
            event = option.event
            if getattr(event, "seat", 0) == seat and self._wants(event, state):
                offered.setdefault(type(event), []).append((event, option.free))
        weights = [(kind, weight) for kind, weight in self._manners.weights if kind in offered]
        if EndTurn in offered and Lead not in offered:
            self._simulated.press(seat, "call")
            self._do(EndTurn(seat))
        elif not weights:
            self._say(Stuck(seat))
        else:
            (kind,) = self._chance.choices([kind for kind, _ in weights], [weight for _, weight in weights])
            event, free = self._chance.choice(offered[kind])
            self._perform(event, free, state)

    def _wants(self, event: Event, state: State) -> bool:
        """What their own cards allow, and no player would leave undone."""
        world = self._worlds[-1]
        match event:
            case Lay(seat):
                return any(not _is(real, Kind.LEADER) for real in world.hand[seat])
            case Lead(seat):
                return any(
                    _is(real, Kind.LEADER) and real.card.deck is state.side(seat).role for real in world.hand[seat]
                )
            case Play(seat, identity, _, at):
                flank = state.given.cards[identity].kind is Kind.VIDARR
                held = any(real.card.id == identity for real in world.hand[seat])
                return held and (not flank or self._may_challenge(state, at))
            case Challenge(seat, column):
                return self._may_challenge(state, (seat, column, 1))
        return True

    def _may_challenge(self, state: State, spot: Spot | None) -> bool:
        """Its player knows what the card is, whoever else does not."""
        lying = None if spot is None else state.at(spot)
        card = None if lying is None else self._worlds[-1].lying[lying.token].card
        return card is not None and card.strength is not None and card.kind not in BARRED

    def _perform(self, event: Event, free: dict[str, Any], state: State) -> None:
        hands, world = self._hands, self._worlds[-1]
        assert hands is not None
        match event:
            case Draw(seat):
                self._simulated.press(seat, "claim")
                self._do(event)
            case Lay(seat, column):
                rows = list(free["row"].values)
                last = len(state.side(seat).column(column)) + 1
                row = last if last in rows and self._chance.random() < 0.7 else self._chance.choice(rows)
                self._lay(Lay(seat, column, row), state)
            case Lead(seat, column):
                leader = next(
                    real for real in world.hand[seat] if real.card == state.given.leader(state.side(seat).role)
                )
                behind = len(state.side(seat).column(column))
                hands.lay((seat, column, 1), leader, face_up=True, behind=behind)
                self._do(event)
            case Challenge(seat, column):
                lying = state.side(seat).at(column, 1)
                assert lying is not None
                hands.slide_forward((seat, column, 1), lying.token)
                self._do(Challenge(seat, column))
            case Play(seat, identity, use, at, to):
                real = next(real for real in world.hand[seat] if real.card.id == identity)
                to = self._chance.choice(free["to"].values) if "to" in free else to
                hands.discard(seat, real)
                plain = real.card.kind in PLAIN_POWERS and not use
                self._do(Play(seat, identity, use, at, None if to is None else tuple(to)), seen=plain)

    def _lay(self, event: Lay, state: State) -> None:
        hands, world = self._hands, self._worlds[-1]
        assert hands is not None
        seat, column, row = event.seat, event.column, event.row
        real = self._chance.choice([real for real in world.hand[seat] if not _is(real, Kind.LEADER)])
        hands.lay((seat, column, row), real, face_up=False, behind=len(state.side(seat).column(column)) - row + 1)
        self._do(Lay(seat, column, row, real.card.deck), laid=real)

    def _answer(self, waiting: Waiting, state: State) -> None:
        """What the table waits for is done, by whoever has to do it."""
        hands, world, seat = self._hands, self._worlds[-1], waiting.seat
        assert hands is not None
        match waiting.kind:
            case "challenge" | "column" | "strike":
                for token in asked_for(waiting):
                    spot = state.spot_of(token)
                    lying = None if spot is None else state.at(spot)
                    if spot is not None and lying is not None and lying.card is None:
                        hands.turn_up(spot, token)
                        self._do(TurnUp(spot, world.lying[token].card.id))
                        return
            case "show-hand":
                hands.show(seat, world.hand[seat])
                self._do(ShowHand(seat, tuple(real.card.id for real in world.hand[seat])))
            case "hit":
                real = self._chance.choice(world.hand[seat])
                hands.show(seat, [real])
                self._do(Hit(seat, real.card.id))
            case "drawn" if state.side(seat).deck and self._chance.random() >= self._manners.stop:
                real = world.deck[seat][-1]
                hands.show(seat, [real])
                self._do(Drawn(seat, real.card.id))
            case "drawn":
                self._say(Stop(waiting.by))
            case "place":
                options = [each.event for each in self._table.match.options() if isinstance(each.event, Place)]
                event = self._chance.choice(options)
                real = next(real for real in world.held if real.card.id == waiting.card)
                hands.take_shown_away()
                behind = len(state.side(seat).column(event.column))
                hands.lay((seat, event.column, 1), real, face_up=True, behind=behind)
                self._do(event)
            case "take":
                kinds = {Kind.LONGSHIPS: (Kind.WARRIORS, Kind.ARCHER), Kind.ODIN: (Kind.RAVENS,)}[Kind(waiting.why)]
                fit = [real for real in world.pile(state.side(seat)) if real.card.kind in kinds][: waiting.left]
                hands.show(seat, fit)
                self._do(Take(seat, tuple(real.card.id for real in fit)))
            case "stack":
                cards = [*waiting.cards, *(real.card.id for real in world.hand[seat] if waiting.left)]
                self._chance.shuffle(cards)
                self._say(Stack(seat, tuple(cards)))
            case "top":
                pile = world.pile(state.side(seat))
                self._do(Top(seat, pile[-1].card.id if pile else None))
            case "stuck":
                self._say(Decide(waiting.seq, Decision.UPHOLD, "the hand was shown"))

    # --- one match after another

    def _after_the_end(self, now_ns: int) -> None:
        if self._over_ns is None:
            self._over_ns = now_ns + self._manners.over_ns
        elif now_ns >= self._over_ns:
            self._begin_another()

    def _begin_another(self) -> None:
        try:
            self._table.begin(self._new_header())
        except RulesError as error:
            self._table.report(str(error))


def _is(real: Real, kind: Kind) -> bool:
    return real.card.kind is kind
