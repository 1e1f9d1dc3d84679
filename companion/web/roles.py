"""Who may do what: anyone watches, a seat acts for itself with its code, the judge's PIN corrects."""

from __future__ import annotations

import hmac
import threading
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

from flask import Request, abort, request, session

from companion.web.games import screens_of
from rules.events import Source
from rules.header import Header

__all__ = ["TRIES", "TRIES_OF_ALL", "Roles", "TooManyTries", "check_origin", "may_submit", "source_of"]

TRIES: Final = 5
"""Wrong codes that one address may give within a minute."""

TRIES_OF_ALL: Final = 40
"""Wrong codes that all addresses together may give within a minute."""

WINDOW_NS: Final = 60 * 1_000_000_000


class TooManyTries(RuntimeError):
    """Too many wrong codes were given; `wait_s` seconds from now the next try is allowed."""

    def __init__(self, wait_s: int) -> None:
        super().__init__(f"Too many wrong codes; wait {wait_s} seconds and try again.")
        self.wait_s = wait_s


@dataclass(frozen=True, slots=True)
class Role:
    """What this browser may do: correct as the judge (or group), and act for some seats."""

    judge: bool
    seats: frozenset[int]

    @property
    def may_show_dice(self) -> bool:
        """True for everybody who was let in: dice are learned at the table, where all see it."""
        return self.judge or bool(self.seats)


class Roles:
    """Checks codes, slowly for whoever guesses."""

    def __init__(self, judge_pin: str, seat_codes: Mapping[int, str], now_ns: Callable[[], int]) -> None:
        self._judge_pin = judge_pin
        self._seat_codes = dict(seat_codes)
        self._now_ns = now_ns
        self._lock = threading.Lock()
        self._wrong: dict[str, deque[int]] = {}
        self._wrong_of_all: deque[int] = deque()

    def judge(self, pin: str, address: str) -> bool:
        """True when this is the judge's PIN.

        Raises:
            TooManyTries: this address, or all together, guessed too often.
        """
        return self._check(pin, self._judge_pin, address)

    def seat(self, number: int, code: str, address: str) -> bool:
        """True when this is the code of the seat.

        Raises:
            TooManyTries: this address, or all together, guessed too often.
        """
        return self._check(code, self._seat_codes.get(number, ""), address)

    def _check(self, given: str, wanted: str, address: str) -> bool:
        with self._lock:
            now_ns = self._now_ns()
            own = self._wrong.get(address, deque())
            for tries, limit in ((own, TRIES), (self._wrong_of_all, TRIES_OF_ALL)):
                while tries and now_ns - tries[0] >= WINDOW_NS:
                    tries.popleft()
                if len(tries) >= limit:
                    raise TooManyTries(max(1, -(-(WINDOW_NS - (now_ns - tries[0])) // 1_000_000_000)))
            right = bool(wanted) and hmac.compare_digest(given.strip().encode(), wanted.encode())
            if right:
                self._wrong.pop(address, None)
            else:
                own.append(now_ns)
                self._wrong[address] = own
                self._wrong_of_all.append(now_ns)
                self._wrong = {name: tries for name, tries in self._wrong.items() if tries}
            return right


def current_role() -> Role:
    """The role of the browser that asks."""
    seats = session.get("seats", [])
    return Role(bool(session.get("judge")), frozenset(int(each) for each in seats))


def check_origin(incoming: Request | None = None) -> None:
    """Refuse a post that another site made a browser send.

    Browsers name the origin of every post; programs without a browser send none and carry no cookie by accident.

    Raises:
        Forbidden: the post comes from another site.
    """
    asked = incoming or request
    origin = asked.headers.get("Origin")
    site = asked.headers.get("Sec-Fetch-Site", "same-origin")
    if site not in {"same-origin", "none"} or (origin is not None and urlsplit(origin).netloc != asked.host):
        abort(403, "page.error.other-site")


def may_submit(role: Role, header: Header, event: Mapping[str, Any]) -> bool:
    """True when the role may file this event: the judge any, a seat only what its game lets it declare, and notes."""
    if role.judge:
        return True
    if event.get("kind") == "note":
        return bool(role.seats)
    return screens_of(header.game).may_declare(event, role.seats)


def source_of(role: Role, header: Header, event: Mapping[str, Any]) -> Source:
    """How an event that came in over the web is known."""
    if role.judge and header.judge is not None:
        return Source.JUDGE
    typed = screens_of(header.game).typed_events
    return Source.TYPED if event.get("kind") in typed else Source.DECLARED
