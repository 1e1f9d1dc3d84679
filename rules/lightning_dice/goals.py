"""The goal language: what a goal card asks of six dice.

A goal is one or more conditions joined by `and`; all must hold. Upper and lower case and spaces do not matter.

    1 1 2 2 3 3          these faces, each by a die of its own, in any place (one to six faces)
    3 of a kind          at least so many dice with one face (1 to 6)
    kinds 3 2            groups of equal dice, each group another face: here three of one and two of another
    3 pairs              the same as `kinds 2 2 2`
    run of 5             so many faces in a row (2 to 6)
    sum = 21             all six dice added up; also `sum >= 30`, `sum > 29`, `sum <= 10`, `sum < 11`
    all odd              every die; also `all even`, `all low` (1 2 3), `all high` (4 5 6), `all of 4`
    at least 4 even      a count of dice; also `at most`, `exactly`, `no` (`no high`), and of one face:
    exactly 2 of 6       `at least 3 of 5`, `no of 1`
    at least 5 different a count of different faces; also `at most 2 different`, `exactly 3 different`

Example: `at least 3 of 5 and all odd`.

Dice beyond what a condition asks for may show anything. LD-S6. A condition that sets a limit from above or speaks of a
sum asks for six dice at rest; any other may be met while a spare die still rolls. LD-S43.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import Any, Literal

from rules.errors import BadPack
from rules.lightning_dice.components import DICE, FACES
from rules.records import Record

__all__ = ["BadGoal", "Goal", "chance_per_throw", "parse_goal"]

Counts = tuple[int, ...]
"""How many dice show 1, 2 … 6."""

Compare = Literal["=", "<", "<=", ">", ">="]
Quantity = Literal["at least", "at most", "exactly"]

_CLASSES: dict[str, tuple[int, ...]] = {"odd": (1, 3, 5), "even": (2, 4, 6), "low": (1, 2, 3), "high": (4, 5, 6)}


class BadGoal(BadPack):
    """A goal that is not in the language; `position` counts characters from 0."""

    def __init__(self, message: str, *, position: int) -> None:
        super().__init__(message)
        self.position = position


class Faces(Record, frozen=True, tag="faces"):
    """These faces, each by a die of its own; `counts` says how often each is asked."""

    counts: Counts

    def met(self, shown: Counts, exact: bool) -> bool:
        """True when the dice cover the faces; with `exact` no further die may show one of them."""
        if exact:
            return all(asked in (0, have) for asked, have in zip(self.counts, shown, strict=True))
        return all(asked <= have for asked, have in zip(self.counts, shown, strict=True))

    def text(self) -> str:
        """The condition in the goal language."""
        return " ".join(str(face) for face, count in zip(FACES, self.counts, strict=True) for _ in range(count))

    def words(self) -> dict[str, Any]:
        """The condition as data for a sentence."""
        return {"kind": "faces", "faces": [int(face) for face in self.text().split()]}


class Kinds(Record, frozen=True, tag="kinds"):
    """Groups of equal dice of different faces; `sizes` falls."""

    sizes: tuple[int, ...]

    def met(self, shown: Counts, exact: bool) -> bool:
        """True when the largest groups are large enough, one by one."""
        most = sorted(shown, reverse=True)
        return all(size <= have for size, have in zip(self.sizes, most, strict=False))

    def text(self) -> str:
        """The condition in the goal language."""
        if len(self.sizes) == 1:
            return f"{self.sizes[0]} of a kind"
        return "kinds " + " ".join(map(str, self.sizes))

    def words(self) -> dict[str, Any]:
        """The condition as data for a sentence."""
        return {"kind": "kinds", "sizes": list(self.sizes)}


class Run(Record, frozen=True, tag="run"):
    """So many faces in a row."""

    length: int

    def met(self, shown: Counts, exact: bool) -> bool:
        """True when a stretch of faces is wholly there."""
        return any(all(shown[start : start + self.length]) for start in range(DICE - self.length + 1))

    def text(self) -> str:
        """The condition in the goal language."""
        return f"run of {self.length}"

    def words(self) -> dict[str, Any]:
        """The condition as data for a sentence."""
        return {"kind": "run", "length": self.length}


class Sum(Record, frozen=True, tag="sum"):
    """The six dice added up."""

    compare: Compare
    value: int

    def met(self, shown: Counts, exact: bool) -> bool:
        """True when six dice lie and their sum compares as asked."""
        if sum(shown) < DICE:
            return False
        total = sum(face * count for face, count in zip(FACES, shown, strict=True))
        return {
            "=": total == self.value,
            "<": total < self.value,
            "<=": total <= self.value,
            ">": total > self.value,
            ">=": total >= self.value,
        }[self.compare]

    def text(self) -> str:
        """The condition in the goal language."""
        return f"sum {self.compare} {self.value}"

    def words(self) -> dict[str, Any]:
        """The condition as data for a sentence."""
        return {"kind": "sum", "compare": self.compare, "value": self.value}


class Count(Record, frozen=True, tag="count"):
    """A number of dice of a class or face, or of different faces.

    Attributes:
        quantity: how the number is meant.
        number: 0 to 6.
        of: "odd", "even", "low", "high", "different", or a face as text.
    """

    quantity: Quantity
    number: int
    of: str

    def met(self, shown: Counts, exact: bool) -> bool:
        """True when the count is as asked; a limit from above needs all six dice."""
        if self.of == "different":
            have = sum(1 for count in shown if count)
        else:
            have = sum(shown[face - 1] for face in _CLASSES.get(self.of) or (int(self.of),))
        if self.quantity == "at least":
            return have >= self.number
        if sum(shown) < DICE:
            return False
        return have <= self.number if self.quantity == "at most" else have == self.number

    def text(self) -> str:
        """The condition in the goal language."""
        of = f"of {self.of}" if self.of.isdigit() else self.of
        return f"{self.quantity} {self.number} {of}"

    def words(self) -> dict[str, Any]:
        """The condition as data for a sentence."""
        return {"kind": "count", "quantity": self.quantity, "number": self.number, "of": self.of}


Condition = Faces | Kinds | Run | Sum | Count


def _counts(faces: Iterable[int | None]) -> Counts:
    counts = [0] * len(FACES)
    for face in faces:
        if face is not None:
            counts[face - 1] += 1
    return tuple(counts)


class Goal(Record, frozen=True):
    """What a card asks, as a value."""

    conditions: tuple[Condition, ...]

    def met(self, faces: Iterable[int | None], *, exact: bool = False) -> bool:
        """True when the dice meet the goal; None among the faces is a die that shows nothing. LD-C3, LD-S6.

        With `exact`, dice beyond an exact goal may not show one of its faces.
        """
        shown = _counts(faces)
        return all(condition.met(shown, exact) for condition in self.conditions)

    def verdict(self, faces: Iterable[int | None], unknown: int = 0, *, exact: bool = False) -> bool | None:
        """Met or not when `unknown` further dice lie there unread; None when it depends on them. LD-S44."""
        return _verdict(self, _counts(faces), unknown, exact)

    def could_meet(self, faces: Iterable[int | None], unknown: int, *, exact: bool = False) -> bool:
        """True when some filling of the unread dice meets the goal."""
        return self.verdict(faces, unknown, exact=exact) is not False

    def missing(self, faces: Iterable[int | None]) -> tuple[int, ...]:
        """The faces that an exact goal still lacks, lowest first."""
        shown = _counts(faces)
        lacking: list[int] = []
        for condition in self.conditions:
            if isinstance(condition, Faces):
                for face, asked, have in zip(FACES, condition.counts, shown, strict=True):
                    lacking.extend([face] * max(0, asked - have))
        return tuple(sorted(lacking))

    def unmet(self, faces: Iterable[int | None], *, exact: bool = False) -> tuple[str, ...]:
        """The conditions that the dice do not meet, in the goal language."""
        shown = _counts(faces)
        return tuple(condition.text() for condition in self.conditions if not condition.met(shown, exact))

    def text(self) -> str:
        """The goal in its one plain form."""
        return " and ".join(condition.text() for condition in self.conditions)

    def words(self) -> list[dict[str, Any]]:
        """The conditions as plain data, for sentences in any language."""
        return [condition.words() for condition in self.conditions]


@lru_cache(maxsize=65536)
def _verdict(goal: Goal, shown: Counts, unknown: int, exact: bool) -> bool | None:
    seen: set[bool] = set()
    for filling in combinations_with_replacement(range(len(FACES)), unknown):
        counts = list(shown)
        for face in filling:
            counts[face] += 1
        full = tuple(counts)
        seen.add(all(condition.met(full, exact) for condition in goal.conditions))
        if len(seen) == 2:
            return None
    return seen.pop()


@lru_cache(maxsize=4096)
def chance_per_throw(goal: Goal, exact: bool = False) -> int:
    """In how many of the 46656 throws of six dice the goal is met; 0 = it can never be."""
    ways = 0
    factorial = (1, 1, 2, 6, 24, 120, 720)
    for faces in combinations_with_replacement(FACES, DICE):
        if goal.met(faces, exact=exact):
            orders = factorial[DICE]
            for count in _counts(faces):
                orders //= factorial[count]
            ways += orders
    return ways


_TOKEN = re.compile(r"\s*(?:(\d+)|([a-z]+)|(<=|>=|<|>|=)|(\S))", re.IGNORECASE)


class _Reader:
    """Reads a goal token by token and says where it stopped understanding."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens: list[tuple[str, int]] = []
        for found in _TOKEN.finditer(text):
            value = next(group for group in found.groups() if group is not None)
            self.tokens.append((value.lower(), found.end() - len(value)))
        self.place = 0

    @property
    def token(self) -> str:
        return self.tokens[self.place][0] if self.place < len(self.tokens) else ""

    def fail(self, expected: str) -> BadGoal:
        at = self.tokens[self.place][1] if self.place < len(self.tokens) else len(self.text)
        found = f"{self.token!r}" if self.token else "the end"
        return BadGoal(f"Goal {self.text!r}, character {at + 1}: found {found}, expected {expected}.", position=at)

    def take(self, *words: str) -> bool:
        if tuple(token for token, _ in self.tokens[self.place : self.place + len(words)]) == words:
            self.place += len(words)
            return True
        return False

    def need(self, *words: str) -> None:
        for word in words:
            if not self.take(word):
                raise self.fail(repr(word))

    def number(self, least: int, most: int) -> int:
        # Only ASCII digits, and few of them: int() also reads other scripts, and huge numbers slowly.
        if not re.fullmatch(r"[0-9]{1,3}", self.token) or not least <= int(self.token) <= most:
            raise self.fail(f"a number from {least} to {most}")
        self.place += 1
        return int(self.tokens[self.place - 1][0])


@lru_cache(maxsize=4096)
def parse_goal(text: str) -> Goal:
    """Read a goal.

    Raises:
        BadGoal: it is not in the language; the message says where and what was expected.
    """
    reader = _Reader(text)
    conditions = [_condition(reader)]
    while reader.token:
        reader.need("and")
        conditions.append(_condition(reader))
    return Goal(tuple(conditions))


def _condition(reader: _Reader) -> Condition:
    if reader.token[:1].isdigit():
        return _faces_or_kind(reader)
    if reader.take("kinds"):
        sizes = [reader.number(1, DICE)]
        while reader.token[:1].isdigit():
            sizes.append(reader.number(1, DICE - sum(sizes)) if sum(sizes) < DICE else _too_many(reader))
        return Kinds(tuple(sorted(sizes, reverse=True)))
    if reader.take("run"):
        reader.need("of")
        return Run(reader.number(2, DICE))
    if reader.take("sum"):
        compare: Compare
        for compare in ("=", "<", "<=", ">", ">="):
            if reader.take(compare):
                return Sum(compare, reader.number(0, 99))
        raise reader.fail("one of = < <= > >=")
    if reader.take("all"):
        return Count("at least", DICE, _class(reader))
    if reader.take("no"):
        return Count("exactly", 0, _class(reader))
    if reader.take("exactly"):
        return Count("exactly", reader.number(0, DICE), _class(reader, different=True))
    if reader.take("at"):
        if reader.take("least"):
            return Count("at least", reader.number(1, DICE), _class(reader, different=True))
        if reader.take("most"):
            return Count("at most", reader.number(0, DICE), _class(reader, different=True))
        raise reader.fail("'least' or 'most'")
    raise reader.fail("faces (1 1 2), 'kinds', 'run of', 'sum', 'all', 'no', 'exactly', 'at least' or 'at most'")


def _too_many(reader: _Reader) -> int:
    raise reader.fail("no further number, for these are six dice already")


def _faces_or_kind(reader: _Reader) -> Condition:
    first = reader.number(1, DICE)
    if reader.take("of"):
        reader.need("a", "kind")
        return Kinds((first,))
    if reader.take("pairs") or reader.take("pair"):
        if first > DICE // 2:
            reader.place -= 2
            raise reader.fail(f"at most {DICE // 2} pairs, for there are six dice")
        return Kinds((2,) * first)
    faces = [first]
    while reader.token[:1].isdigit():
        faces.append(reader.number(1, len(FACES)) if len(faces) < DICE else _too_many(reader))
    return Faces(_counts(faces))


def _class(reader: _Reader, *, different: bool = False) -> str:
    for name in _CLASSES:
        if reader.take(name):
            return name
    if different and reader.take("different"):
        return "different"
    if reader.take("of"):
        return str(reader.number(1, len(FACES)))
    raise reader.fail("'odd', 'even', 'low', 'high'" + (", 'different'" if different else "") + " or 'of' and a face")
