"""Players of the simulated table: they throw, keep what helps, press their buttons, mostly rightly.

They move simulated things and press simulated buttons. What shows on a page is read from the pixels of the rendered
frames; the players never say what the dice or the card are.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from companion.live.bad_manners import BadManners
from companion.live.lightning_dice import card_turned
from companion.live.players import Players
from companion.live.table import LiveTable
from device.buttons import JUDGE_SEAT
from device.clock import NS_PER_S
from device.simulated.table import SimulatedTable
from rules.errors import RulesError
from rules.events import Source, Submission
from rules.header import Header
from rules.lightning_dice.events import Ready, Reshuffled, Shuffled, Stack
from rules.lightning_dice.goals import Goal
from rules.lightning_dice.judging import RIGHT

__all__ = ["DemoPlayers", "Manners", "best_keep"]

_MS: Final = 1_000_000
RIGHT_CALLS: Final = frozenset(code for codes in RIGHT.values() for code in codes)


@dataclass(frozen=True, slots=True)
class Manners:
    """How the players play.

    Attributes:
        false_claim: chance, at each look at dice that do not match, to press "Got it!" all the same.
        luck: chance that a throw shows just what the goal still lacks; it keeps a match short.
        six: chance that a throw of all six dice comes up equal: a Bonus or a Thunder.
        look_ns: from dice at rest to a decision, shortest and longest.
        between_ns: from a paid card to the next one.
        over_ns: from the end of a match to the next.
        patience_ns: a call that was not answered is made again after so long.
        unread_ns: longest wait, after the dice lie still, for the table to read them; players watch the page too.
        judge_ns: time a person at the judge's page has before the simulated judge acts.
        bad: chance, at each throw in a tournament, to break one of its rules instead (see `BadManners`).
    """

    false_claim: float = 0.015
    luck: float = 0.12
    six: float = 0.05
    look_ns: tuple[int, int] = (700 * _MS, 1600 * _MS)
    between_ns: int = 1500 * _MS
    over_ns: int = 8 * NS_PER_S
    patience_ns: int = 2500 * _MS
    unread_ns: int = 6 * NS_PER_S
    judge_ns: int = 4 * NS_PER_S
    bad: float = 0.04


class DemoPlayers(Players):
    """Plays one match after another at a simulated table, in a thread of its own or step by step."""

    def __init__(
        self,
        table: LiveTable,
        simulated: SimulatedTable,
        *,
        new_header: Callable[[], Header],
        seed: int = 0,
        manners: Manners | None = None,
    ) -> None:
        """`new_header` makes the header of the next match; the table must press the simulated buttons already."""
        super().__init__(table)
        self._simulated = simulated
        self._new_header = new_header
        self._rng = random.Random(seed)
        self._manners = manners or Manners()
        self._next_ns: dict[int, int] = {}
        self._give_up_ns: dict[int, int] = {}
        self._card_ns: int | None = None
        self._over_ns: int | None = None
        self._contest = -1
        self._before_judge: object = None
        self._judge_ns = 0
        self._bad = BadManners(simulated, self._rng)

    def step(self) -> None:
        """Let every player do what is due by now."""
        now_ns = self._table.clock.now_ns()
        state = self._table.state
        if self._table.match.position.paused:
            return
        if self._table.match.header.judge is not None:
            self._judge(state, now_ns)
        if state.phase == "over":
            self._after_the_end(now_ns)
        elif state.phase == "setup" and not state.ready:
            self._set_up(state)
        elif state.card is None:
            self._next_card(state, now_ns)
        else:
            self._card_ns = None
            if state.contest != self._contest:
                self._contest = state.contest
                self._next_ns = {seat: self._soon(now_ns) for seat in self._simulated.seats}
            goal = state.given.card(state.card).meaning
            for seat in self._simulated.seats:
                if now_ns >= self._next_ns.get(seat, 0):
                    self._play(seat, goal, state, now_ns)

    def _set_up(self, state: Any) -> None:
        """Say what a camera over this table cannot see: that the cards were shuffled, and where the pawns stand."""
        if not state.shuffled:
            self._declare(Shuffled())
            self._declare(Stack("centre" if state.options.quick else "side"))
        for seat in self._table.state.seats:
            if not seat.ready:
                self._declare(Ready(seat.number))

    def _declare(self, event: Any) -> None:
        self._table.submit(Submission(event, Source.DECLARED))

    def _next_card(self, state: Any, now_ns: int) -> None:
        """Take the old card away, and turn up the next after a moment. The camera has to see it."""
        if state.pending:
            return
        if self._card_ns is None:
            self._card_ns = now_ns + self._manners.between_ns
            self._simulated.show_card(None)
        if now_ns < self._card_ns:
            return
        if not state.cards_left:
            self._declare(Reshuffled())
            return
        left = [card for card in state.given.cards if card.id not in state.used and card.marker is not None]
        self._simulated.show_card(self._rng.choice(left).marker)
        self._card_ns = now_ns + 2 * self._manners.patience_ns  # not seen by then: turn up another

    def _judge(self, state: Any, now_ns: int) -> None:
        """Open the card that was turned up, and confirm or reject the call that waits longest, as its advice has it."""
        turned = card_turned(self._table.match)
        calls = [each for each in state.pending if each.kind != "breach"] or list(state.pending)
        before = turned or ((calls[0].seq, calls[0].ruling) if calls else None)
        if before != self._before_judge:
            self._before_judge, self._judge_ns = before, now_ns + self._manners.judge_ns
        elif before is not None and now_ns >= self._judge_ns:
            right = bool(calls) and (calls[0].kind == "breach" or calls[0].advice in RIGHT_CALLS)
            self._simulated.press(JUDGE_SEAT, "flip" if turned else "uphold" if right else "overrule")
            self._judge_ns = now_ns + self._manners.judge_ns

    def _play(self, seat: int, goal: Goal, state: Any, now_ns: int) -> None:
        faces = self._simulated.truth()[seat]
        ended_ns = self._bad.go_on(seat, now_ns)
        if ended_ns is not None:
            self._wait(seat, ended_ns, now_ns)
            return
        if None in faces:  # still rolling
            self._next_ns[seat] = now_ns + 100 * _MS
            return
        shown = tuple(face for face in faces if face is not None)
        there = state.seat_state(seat)
        if not self._is_read(there, shown) and now_ns < self._give_up_ns.get(seat, 0):
            self._next_ns[seat] = now_ns + 150 * _MS
            return
        others = {each.number for each in state.seats}
        six = len(set(shown)) == 1 and shown[0] in others and state.options.sixes
        if there.must_roll_all or there.faces is None:
            self._throw(seat, list(range(6)), goal, now_ns)
        elif goal.met(shown) or self._rng.random() < self._manners.false_claim:
            self._simulated.press(seat, "claim")
            self._next_ns[seat] = now_ns + self._manners.patience_ns
        elif six:
            self._simulated.press(seat, "call")
            self._next_ns[seat] = now_ns + self._manners.patience_ns
        else:
            keep = best_keep(goal, shown)
            if state.options.tournament and self._rng.random() < self._manners.bad:
                lies_ns = self._bad.misbehave(seat, sorted(keep), now_ns)
                if lies_ns is not None:
                    self._wait(seat, lies_ns, now_ns)
                    return
            self._throw(seat, [die for die in range(6) if die not in keep] or list(range(6)), goal, now_ns)

    def _throw(self, seat: int, dice: list[int], goal: Goal, now_ns: int) -> None:
        self._wait(seat, self._simulated.throw(seat, dice, self._lucky(seat, dice, goal)), now_ns)

    def _wait(self, seat: int, lies_ns: int, now_ns: int) -> None:
        """Let the dice come to rest, and the table read them."""
        self._next_ns[seat] = self._soon(max(lies_ns, now_ns))
        self._give_up_ns[seat] = max(lies_ns, now_ns) + self._manners.unread_ns

    @staticmethod
    def _is_read(there: Any, shown: tuple[int, ...]) -> bool:
        """True when the page shows what lies there: a player who sees something else waits a moment."""
        return not there.moving and there.faces is not None and sorted(map(str, there.faces)) == sorted(map(str, shown))

    def _lucky(self, seat: int, dice: list[int], goal: Goal) -> list[int] | None:
        """Faces that chance would bring too, only less often."""
        chance = self._rng.random()
        if len(dice) == 6 and chance < self._manners.six:
            return [self._rng.choice(self._simulated.seats)] * 6
        if chance > 1 - self._manners.luck:
            truth = self._simulated.truth()[seat]
            kept = [face for die, face in enumerate(truth) if die not in dice and face is not None]
            for _ in range(400):
                faces = [self._rng.randint(1, 6) for _ in dice]
                if goal.met([*kept, *faces]):
                    return faces
        return None

    def _soon(self, now_ns: int) -> int:
        return now_ns + self._rng.randint(*self._manners.look_ns)

    def _after_the_end(self, now_ns: int) -> None:
        if self._over_ns is None:
            self._over_ns = now_ns + self._manners.over_ns
            self._simulated.show_card(None)
        elif now_ns >= self._over_ns:
            self._over_ns = None
            self._contest = -1
            try:
                self._table.begin(self._new_header())
            except RulesError as error:
                self._table.report(str(error))


def best_keep(goal: Goal, faces: tuple[int, ...]) -> frozenset[int]:
    """The dice (by number) to keep: the most that the rest of six dice could still bring to the goal."""
    best: frozenset[int] = frozenset()
    for chosen in range(64):
        keep = frozenset(die for die in range(6) if chosen >> die & 1)
        if len(keep) > len(best) and len(keep) < 6:
            held = [faces[die] for die in keep]
            if goal.could_meet(held, 6 - len(keep)):
                best = keep
    return best
