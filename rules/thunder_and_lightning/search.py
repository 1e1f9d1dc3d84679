"""The search that tells the story of a hand: for each card that left it, one that came in earlier.

Used by `ledger`, which says what a story is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from rules.thunder_and_lightning.takes import Takes

if TYPE_CHECKING:
    from rules.thunder_and_lightning.ledger import Move

__all__ = ["Pile", "Search"]

Pile = tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]
"""Of a ledger: the uids that open takes of equal cards may have been, and those that are gone for sure."""


class Hand:
    """The cards of one back in the hand, while a story is told.

    An entry is written as its age: how many exits that fit anything went before it. `known`, `hidden`, `first` (hidden,
    of the nine first cards) hold the entries not used up, the latest last. `slack` has for each exit that fits anything
    how many more entries before it can be used up by others until too few are left for it and those before it.
    """

    def __init__(self) -> None:
        self.known: dict[str, list[int]] = {}
        self.hidden: list[int] = []
        self.first: list[int] = []
        self.maybe: list[tuple[list[int], tuple[tuple[int, str], ...]]] = []
        self.slack: list[int] = []
        self.unused = 0

    def can_spare(self, age: int) -> bool:
        """True when an entry of this age can be used up and all exits that fit anything still find one."""
        return age == len(self.slack) or min(self.slack[age:]) > 0

    def shift(self, age: int, by: int) -> None:
        """Count one entry of this age less (by -1) or more (by 1)."""
        self.unused += by
        for place in range(age, len(self.slack)):
            self.slack[place] += by


class Choice(NamedTuple):
    """An entry that may explain a known exit: the latest of a stack."""

    stack: list[int]
    hidden: bool = False
    uid: int | None = None


class Point(NamedTuple):
    """Where the search can turn back to."""

    place: int
    others: list[Choice]
    key: tuple[object, ...]


class Search:
    """Tells a story in time order, gives each known exit an entry, and turns back when that leads nowhere.

    Exits that fit anything (hidden, vouched) are given none: it is enough that each finds, among the entries before it,
    one more not used up than there are such exits before it (Hall's condition, for their choices are nested).

    Of entries with the same rights only the latest is tried. Say a solution gives the exit x an earlier one, e, though
    e' is later and free: whoever uses e' comes after e' and so after e, and can swap with x. By the same swap a known
    entry is as good as any other that fits, unless it is older: then an exit between the two may need it. And a hidden
    entry of the first nine is as good as another hidden one, unless older. So a story without exits that fit anything
    and without secret takes is told straight through.
    """

    def __init__(
        self, moves: list[Move], places: Mapping[str, int], barred: frozenset[str], pile: Pile = ((), ())
    ) -> None:
        self.places = dict(places)
        self.used: set[int] = set()
        self.left: dict[str, int] = {}
        self.hands = {move.back: Hand() for move in moves}
        self.steps: list[tuple[Hand, list[int] | None, str | None]] = []
        exits = {move.card for move in moves if not move.into and not move.vouched}
        self.barred = frozenset(card for card in barred if card in exits)
        self.alike: dict[int, frozenset[tuple[int, str]]] = {}
        self.last: dict[int, int] = {}
        for number, move in enumerate(moves):
            hand = self.hands[move.back]
            if move.into:
                self.steps.append((hand, self._stack(hand, move, number), None))
            elif move.card is None or move.vouched:
                self.steps.append((hand, None, None))
            else:
                self.left[move.card] = self.left.get(move.card, 0) + 1
                self.steps.append((hand, None, move.card))
        self.equals, self.gone = self._pile(pile)
        self.taken: list[Choice | None] = [None] * len(self.steps)
        self.ages = [0] * len(self.steps)

    def _stack(self, hand: Hand, move: Move, number: int) -> list[int]:
        if move.card is not None:
            return hand.known.setdefault(move.card, [])
        if move.maybe:
            stack: list[int] = []
            hand.maybe.append((stack, move.maybe))
            for uid, card in move.maybe:
                self.alike[uid] = self.alike.get(uid, frozenset()) | {(number, card)}
                self.last[uid] = number
            return stack
        return hand.first if move.setup and self.barred else hand.hidden

    def _pile(self, pile: Pile) -> tuple[list[frozenset[int]], frozenset[int]]:
        """Of open takes and cards gone for sure, those that have to do with the secret takes of this story."""
        near, others = set(self.alike), [frozenset(each) for each in pile[0]]
        found: list[frozenset[int]] = []
        while True:
            met = [each for each in others if each & near]
            if not met:
                break
            others = [each for each in others if not each & near]
            found += met
            near.update(*met)
        for number, each in enumerate((*found, frozenset(pile[1]) & near), start=1):
            for uid in each & self.alike.keys():
                self.alike[uid] |= {(-number, "")}
        return found, frozenset(pile[1]) & near

    def _pile_fits(self) -> bool:
        """True when the takes that explain no exit can have been cards of their own as well."""
        if not self.alike:
            return True
        left = [
            frozenset(uid for uid, _ in pairs) - self.used
            for hand in self.hands.values()
            for stack, pairs in hand.maybe
            if stack
        ]
        return Takes([*left, *(each - self.used for each in self.equals)], self.gone - self.used).fit

    def solve(self, limit: int) -> bool | None:
        """True when every exit can be explained, None when so many steps do not settle it."""
        points: list[Point] = []
        dead: set[tuple[object, ...]] = set()
        place = steps = 0
        while place < len(self.steps) or not self._pile_fits():
            if place == len(self.steps):  # told to the end, but not with this pile
                place = self._back(place - 1, points, dead)
                steps += 1
                if place < 0:
                    return False
                if steps > limit:
                    return None
                continue
            hand, stack, card = self.steps[place]
            going = True
            if stack is not None:
                stack.append(len(hand.slack))
                hand.shift(len(hand.slack), 1)
            elif card is None:
                hand.slack.append(hand.unused - len(hand.slack) - 1)
                going = hand.slack[-1] >= 0
            else:
                choices = self.choices(hand, card)
                if len(choices) > 1:
                    key = self._key(place)
                    if key in dead:
                        choices = []
                    else:
                        points.append(Point(place, choices[:0:-1], key))
                going = bool(choices)
                if going:
                    steps += 1
                    self._take(place, choices[0])
            if going:
                place += 1
                continue
            place = self._back(place, points, dead)
            steps += 1
            if place < 0:
                return False
            if steps > limit:
                return None
        return True

    def has_another(self, card: str) -> bool:
        """Once the story is told: True when a card of this name could leave as well."""
        return any(choice.uid is None for hand in self.hands.values() for choice in self.choices(hand, card))

    def has_before(self, place: int, card: str) -> bool:
        """Once the story is told: True when the exit number `place` of those that fit anything could be this card.

        It then takes an entry before it that is not used up; of the other exits that fit anything those between the two
        have one less, and those after them both one less to share and one less to share it with.
        """
        for hand in self.hands.values():
            stacks = [hand.known.get(card, [])]
            if self.places.get(card, 0) > 0:
                stacks += [hand.hidden, hand.first]
            for stack in stacks:
                age = max((each for each in stack if each <= place), default=None)
                if age is not None and min(hand.slack[age:place], default=1) > 0:
                    return True
        return False

    def choices(self, hand: Hand, card: str) -> list[Choice]:
        """What may explain an exit of this card now, the least useful to others first."""
        found: list[Choice] = []
        oldest = 0
        known = hand.known.get(card)
        if known:
            if hand.can_spare(known[-1]):
                found.append(Choice(known))
            oldest = known[-1] + 1
        if self.places.get(card, 0) > 0:
            if hand.first and card not in self.barred and hand.first[-1] >= oldest and hand.can_spare(hand.first[-1]):
                found.append(Choice(hand.first, hidden=True))
            newer = oldest if card in self.barred or not hand.first else max(oldest, hand.first[-1] + 1)
            if hand.hidden and hand.hidden[-1] >= newer and hand.can_spare(hand.hidden[-1]):
                found.append(Choice(hand.hidden, hidden=True))
        for stack, pairs in hand.maybe:
            if stack and stack[-1] >= oldest and hand.can_spare(stack[-1]):
                seen = set()
                for uid, may in pairs:
                    if may == card and uid not in self.used and self.alike[uid] not in seen:
                        seen.add(self.alike[uid])
                        found.append(Choice(stack, uid=uid))
        return found

    def _take(self, place: int, choice: Choice) -> None:
        hand, _, card = self.steps[place]
        assert card is not None
        self.taken[place] = choice
        self.ages[place] = choice.stack.pop()
        hand.shift(self.ages[place], -1)
        self.left[card] -= 1
        if choice.hidden:
            self.places[card] -= 1
        if choice.uid is not None:
            self.used.add(choice.uid)

    def _untake(self, place: int) -> None:
        hand, _, card = self.steps[place]
        choice = self.taken[place]
        if card is None or choice is None:
            return
        self.taken[place] = None
        choice.stack.append(self.ages[place])
        hand.shift(self.ages[place], 1)
        self.left[card] += 1
        if choice.hidden:
            self.places[card] += 1
        if choice.uid is not None:
            self.used.discard(choice.uid)

    def _back(self, place: int, points: list[Point], dead: set[tuple[object, ...]]) -> int:
        """Undo down to the last point with another choice and take that; the place to go on from, -1 for none."""
        while points:
            point = points[-1]
            while place >= point.place:
                hand, stack, card = self.steps[place]
                if card is not None:
                    self._untake(place)
                elif stack is not None:
                    hand.shift(stack.pop(), -1)
                else:
                    hand.slack.pop()
                place -= 1
            place = point.place
            if point.others:
                self._take(place, point.others.pop())
                return place + 1
            dead.add(point.key)
            points.pop()
        return -1

    def _may(self, pairs: tuple[tuple[int, str], ...]) -> tuple[tuple[int, str], ...]:
        """What a secret take can still explain."""
        return tuple(pair for pair in pairs if pair[0] not in self.used and self.left.get(pair[1]))

    def _key(self, place: int) -> tuple[object, ...]:
        """What the rest of the story depends on; two ways to the same key need not both be followed."""
        rest = len(self.steps) - place
        return (
            place,
            frozenset(self.used),
            tuple((card, min(self.places[card], left)) for card, left in self.left.items() if left),
            *(
                (
                    min(hand.unused - len(hand.slack), rest),
                    tuple(min(slack, rest) for slack in hand.slack),
                    tuple(hand.hidden),
                    tuple(hand.first),
                    tuple(
                        (number, *stack, *self._may(pairs)) for number, (stack, pairs) in enumerate(hand.maybe) if stack
                    ),
                    tuple((card, *stack) for card, stack in hand.known.items() if stack and self.left.get(card)),
                )
                for hand in self.hands.values()
            ),
        )
