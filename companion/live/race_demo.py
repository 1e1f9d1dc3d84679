"""Players of the simulated race: they throw real dice, press their buttons, and say on the page what no camera sees.

What their Movement dice show is read from the pixels of the rendered frames. The Navigation die, the wedges, the cards
and the way of a ship where it forks they tell on the page, as people do; one press is one dot where only one way leads
on, the second button feeds the Hydra.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from companion.live.greece_lightning_presses import going_on
from companion.live.players import Players
from companion.live.race_choices import RaceChoices
from companion.live.table import LiveTable
from device.clock import NS_PER_S
from device.errors import SceneError
from device.simulated.race_table import SimulatedRaceTable
from rules.errors import RulesError
from rules.events import Event, Source, Submission
from rules.greece_lightning.components import MOVEMENT_DICE
from rules.greece_lightning.events import Feed, Movement, Step
from rules.greece_lightning.state import GreeceLightningState, SeatState
from rules.header import Header

__all__ = ["RaceManners", "RacePlayers"]

_MS: Final = 1_000_000

State = GreeceLightningState


@dataclass(frozen=True, slots=True)
class RaceManners:
    """How the players play.

    Attributes:
        look_ns: from one thing done to the next, shortest and longest.
        set_up_ns: from one step of set-up to the next.
        patience_ns: a press that was not answered is made again after so long.
        unread_ns: longest wait, after a die lies still, for the table to read it; then they say it on the page.
        over_ns: from the end of a race to the next.
        early: chance to throw a Movement die before the Navigation die.
        feeds: chance, when they sail on, to press the button that feeds although no Hydra is there.
        daring: chance to roll the second Movement die.
    """

    look_ns: tuple[int, int] = (700 * _MS, 1500 * _MS)
    set_up_ns: int = 250 * _MS
    patience_ns: int = 2500 * _MS
    unread_ns: int = 5 * NS_PER_S
    over_ns: int = 8 * NS_PER_S
    early: float = 0.04
    feeds: float = 0.02
    daring: float = 0.6


@dataclass(slots=True)
class _Throw:
    """A Movement die on its way; `seq` is the number of the entry before it."""

    die: int
    lies_ns: int
    seq: int


@dataclass(frozen=True, slots=True)
class _Press:
    """A press that waits for its answer; `seq` is the number of the entry before it."""

    at_ns: int
    seq: int


class RacePlayers(Players):
    """Plays one race after another at a simulated table, in a thread of its own or step by step."""

    def __init__(
        self,
        table: LiveTable,
        simulated: SimulatedRaceTable,
        *,
        new_header: Callable[[], Header],
        seed: int = 0,
        manners: RaceManners | None = None,
    ) -> None:
        """`new_header` makes the header of the next race; the table must press the simulated buttons already."""
        super().__init__(table)
        self._simulated = simulated
        self._new_header = new_header
        self._chance = random.Random(seed)
        self._manners = manners or RaceManners()
        self._deciding = {
            number: RaceChoices(random.Random(f"{seed} {number}"), daring=self._manners.daring)
            for number in (0, *simulated.seats)
        }
        self._match = ""
        self._round = 0
        self._to_set_up: deque[Event] = deque()
        self._next_ns: dict[int, int] = {}
        self._throws: dict[int, _Throw] = {}
        self._presses: dict[int, _Press] = {}
        self._turn_ns = 0
        self._over_ns: int | None = None

    def step(self) -> None:
        """Let every player do what is due by now."""
        now_ns = self._table.clock.now_ns()
        state: State = self._table.state
        if self._match != self._table.header.match:
            self._sit_down(state)
        if self._table.match.position.paused:
            return
        if state.phase == "over":
            self._after_the_end(now_ns)
        elif state.phase == "setup":
            self._set_up(state, now_ns)
        elif state.phase == "rolling":
            if state.round != self._round:
                self._round = state.round
                self._next_ns = {seat.number: self._soon(now_ns) for seat in state.seats}
                self._throws.clear()
            for seat in state.seats:
                if not seat.finished and now_ns >= self._next_ns.get(seat.number, 0):
                    self._roll(seat, state, now_ns)
        elif now_ns >= self._turn_ns:
            self._act(state, now_ns)

    def _sit_down(self, state: State) -> None:
        self._match, self._round, self._over_ns = self._table.header.match, 0, None
        begun = any(seat.ready for seat in state.seats)  # a race that somebody else has set up goes on
        self._to_set_up = deque(() if begun else self._deciding[0].set_up(state))
        self._throws.clear()
        self._presses.clear()

    def _say(self, event: Event) -> None:
        self._table.submit(Submission(event, Source.DECLARED))

    def _soon(self, now_ns: int) -> int:
        return now_ns + self._chance.randint(*self._manners.look_ns)

    def _set_up(self, state: State, now_ns: int) -> None:
        if now_ns < self._turn_ns:
            return
        self._turn_ns = now_ns + self._manners.set_up_ns
        event = self._to_set_up.popleft() if self._to_set_up else self._deciding[0].launch(state)
        if event is not None:
            self._say(event)

    # --- rolling

    def _roll(self, seat: SeatState, state: State, now_ns: int) -> None:
        """One thing that a seat does while all roll."""
        number, player = seat.number, self._deciding[seat.number]
        if self._waits_for_a_die(seat, now_ns) or self._waits_for_a_press(number, now_ns):
            self._next_ns[number] = now_ns + 100 * _MS
            return
        self._next_ns[number] = self._soon(now_ns)
        lying = [die for die, face in enumerate(self._simulated.truth()[number]) if face is not None]
        stale = [die for die in lying if die >= MOVEMENT_DICE or seat.first is None]
        if stale and not seat.rerolling:  # the dice of the last round are taken off the board. GL-E1
            self._next_ns[number] = self._simulated.take_off(number, stale)
            return
        if seat.bust and not seat.rerolling and not lying:
            self._press(number, "claim", now_ns)
            return
        used = player.favor(state, number) if seat.navigation is not None else None
        event = used or player.roll(seat)
        early = seat.navigation is None and not seat.rerolling and player.slips(self._manners.early)
        if early or isinstance(event, Movement):
            self._throw(number, 0 if seat.first is None else 1, now_ns)
        elif event == going_on(state, number):
            if seat.bust:  # both dice go off the board before the roll is accepted. GL-R12
                self._next_ns[number] = self._simulated.take_off(number, lying)
            else:
                self._press(number, "claim", now_ns)
        else:
            self._say(event)

    def _throw(self, number: int, die: int, now_ns: int) -> None:
        try:
            lies_ns = self._simulated.throw(number, [die], [self._deciding[number].face()])
        except SceneError:  # no room to roll just now: a hand is in the way
            return
        self._throws[number] = _Throw(die, lies_ns, self._table.match.seq)
        self._next_ns[number] = self._soon(max(lies_ns, now_ns))

    def _waits_for_a_die(self, seat: SeatState, now_ns: int) -> bool:
        """True until the die that was thrown last is in the record; one not read in time is told on the page."""
        thrown = self._throws.get(seat.number)
        if thrown is None:
            return False
        told = any(
            isinstance(entry.filed.event, Movement) and entry.filed.event.seat == seat.number
            for entry in self._table.entries(thrown.seq)
        )
        if not told and now_ns < thrown.lies_ns + self._manners.unread_ns:
            return True
        del self._throws[seat.number]
        face = self._simulated.truth()[seat.number][thrown.die]
        if not told and face is not None:
            self._say(Movement(seat.number, (face,)))
            return True
        return False

    def _waits_for_a_press(self, number: int, now_ns: int) -> bool:
        """True while a press of this seat may still be answered."""
        press = self._presses.get(number)
        if press is None:
            return False
        answered = any(
            entry.filed.source is Source.BUTTON and entry.rulings[0].seat == number
            for entry in self._table.entries(press.seq)
        )
        if answered or now_ns >= press.at_ns + self._manners.patience_ns:
            del self._presses[number]
            return False
        return True

    def _press(self, number: int, button: str, now_ns: int) -> None:
        self._presses[number] = _Press(now_ns, self._table.match.seq)
        self._simulated.press(number, button)

    # --- the turns

    def _act(self, state: State, now_ns: int) -> None:
        """One thing that is done in the turns."""
        if any(self._waits_for_a_press(number, now_ns) for number in list(self._presses)):
            return
        if state.turn is None:
            return
        number = state.turn.seat
        event = self._deciding[number].act(state)
        self._turn_ns = self._soon(now_ns)
        if event is None:
            return
        sails = _is_one_press(event, going_on(state, number))
        if isinstance(event, Feed) or (sails and self._deciding[number].slips(self._manners.feeds)):
            self._press(number, "call", now_ns)
        elif sails:
            self._press(number, "claim", now_ns)
        else:
            self._say(event)

    def _after_the_end(self, now_ns: int) -> None:
        if self._over_ns is None:
            self._over_ns = now_ns + self._manners.over_ns
        elif now_ns >= self._over_ns:
            try:
                self._table.begin(self._new_header())
            except RulesError as error:
                self._table.report(str(error))
                self._over_ns = now_ns + self._manners.over_ns


def _is_one_press(event: Event, going: Event | None) -> bool:
    """True when the button that goes on means what a player wants to do."""
    if isinstance(event, Step) and isinstance(going, Step):
        return (event.to, event.number) == (going.to, going.number)
    return event == going
