"""Which cards of a pile may be gone: cards were taken from it, and of each take only what it may have been is known.

Every take took one card, no two the same. All questions are whether the takes can be matched with cards so; matchings
are grown a card at a time (Kuhn), and what is matched once stays so (the cards that can be gone together are the
independent sets of a transversal matroid), so that the most and the least of any kind are found without trying all.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

__all__ = ["Takes"]


class Takes:
    """Takes with the cards each may have been, by uid, and the cards known to be gone by one of them."""

    def __init__(self, takes: Sequence[Collection[int]], gone: Iterable[int] = ()) -> None:
        """`takes`: the uids that each take may have been; `gone`: uids that are gone for sure."""
        self._takes = [frozenset(each) for each in takes]
        self._gone = tuple(gone)
        self._where: dict[int, list[int]] = {}
        for number, take in enumerate(self._takes):
            for uid in take:
                self._where.setdefault(uid, []).append(number)

    @property
    def fit(self) -> bool:
        """True when every take can have been a card of its own, all known to be gone among them."""
        if not self._takes:
            return not self._gone
        return len(self._grown(self._gone)) == len(self._gone) and len(self._grown(self._where)) == len(self._takes)

    def most(self, uids: Iterable[int]) -> int:
        """How many of these cards may be gone at most, beside those known to be."""
        return len(self._grown(self._gone, uids)) - len(self._gone)

    def least(self, uids: Collection[int]) -> int:
        """How many of these cards are gone at least, beside those known to be."""
        others = [uid for uid in self._where if uid not in uids]
        return len(self._takes) - len(self._gone) - self.most(others)

    def _grown(self, *groups: Iterable[int]) -> dict[int, int]:
        """Take by uid, for as many of the cards as can be gone, earlier groups first."""
        taken: dict[int, int] = {}
        by: dict[int, int] = {}
        for group in groups:
            for uid in group:
                if uid not in taken:
                    self._grow(uid, taken, by, set())
        return taken

    def _grow(self, uid: int, taken: dict[int, int], by: dict[int, int], tried: set[int]) -> bool:
        for take in self._where.get(uid, ()):
            if take in tried:
                continue
            tried.add(take)
            if take not in by or self._grow(by[take], taken, by, tried):
                by[take], taken[uid] = uid, take
                return True
        return False
