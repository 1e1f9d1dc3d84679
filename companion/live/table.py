"""The live table: one inbox, one thread that changes the match, and nothing told before it is on the disk."""

from __future__ import annotations

import logging
import queue
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError, Future
from concurrent.futures import TimeoutError as FutureTimeout
from typing import Any, Protocol

import msgspec

from companion.errors import CompanionError, TableBusy, TableClosed
from companion.live.collector import Collector, Sighting, Timing
from companion.live.colour_desk import ColourDesk
from companion.live.interpreter import Interpreter, Notice, SeenDie, interpreter_for
from companion.live.messages import Asked, Begin, Blind, File, Message, Pressed, Stop, Watched
from companion.live.sight import PrivateLook, Sight
from companion.live.view import CameraHealth, reasons_by_seat, repaired, settled_dice, snapshot, wall_now
from companion.live.witness import NoWitness, Witness
from companion.store import Store, StoredMatch
from device.buttons.base import Press
from device.clock import NS_PER_S, Clock, SystemClock
from rules.events import Note, Source, Submission
from rules.games import new_match
from rules.header import Header
from rules.log import entry_line
from rules.match import Match
from rules.referee import Entry

__all__ = ["CLOSE_S", "LONGEST_QUEUE", "LiveTable", "Publish"]

LONGEST_QUEUE = 1000
"""So many things may wait in the inbox before a submission is turned away; presses never are."""

CLOSE_S = 5.0
KEPT_PROBLEMS = 20
FAR_NS = 2**63

log = logging.getLogger(__name__)


class Publish(Protocol):
    """Where the table tells what is on the disk: topic, data, sequence number."""

    def __call__(self, topic: str, data: dict[str, Any], seq: int | None = None) -> None: ...


class LiveTable:
    """A match being refereed; `colours` knows the seats' dice, `sight` what the camera shows; call from any thread."""

    def __init__(
        self,
        store: Store,
        stored: StoredMatch,
        *,
        clock: Clock | None = None,
        publish: Publish | None = None,
        simulated: bool = False,
        timing: Timing | None = None,
        notices: Iterable[str] = (),
    ) -> None:
        """Go on with a match of the store, and start the writer.

        `notices` are shown on every screen until the next start (what was repaired, say).
        """
        self.clock = clock or SystemClock()
        self.simulated = simulated
        self._store = store
        self._publish = publish
        self._match: Match[Any] = stored.match
        self._last_hash = stored.last_hash
        self._interpreter: Interpreter = interpreter_for(self._match.header.game)
        self._timing = timing or Timing()
        self._collector = self._new_collector()
        self.colours = ColourDesk(store.directory, self._match.header)
        self._inbox: queue.SimpleQueue[Message] = queue.SimpleQueue()
        self._state_guard = threading.Lock()
        self._notices = [repaired(text) for text in (*store.reports, *notices)]
        self._problems: deque[str] = deque(maxlen=KEPT_PROBLEMS)
        self.sight = Sight()
        self.witness: Witness = NoWitness()
        self._closing: list[Callable[[], None]] = []
        self._closed = False
        if stored.report is not None:
            self._notices.append(repaired(stored.report))
            self._file(Submission(Note(stored.report), Source.TYPED))
        self._snapshot = self._take_snapshot()
        self._writer = threading.Thread(target=self._run, name="table", daemon=True)
        self._writer.start()

    # --- what screens read

    @property
    def header(self) -> Header:
        """The header of the match in play."""
        return self._match.header

    @property
    def interpreter(self) -> Interpreter:
        """What the game means to this table."""
        return self._interpreter

    @property
    def state(self) -> Any:
        """The game's state as of the last entry."""
        return self._match.state

    @property
    def match(self) -> Match[Any]:
        """The match in play; only the table's own thread changes it."""
        return self._match

    def view(self) -> dict[str, Any]:
        """The table as plain data, ready for JSON, as of the last entry on the disk, with the camera as it is now."""
        dice, notices, health = self.sight.now()
        with self._state_guard:
            view = dict(self._snapshot)
            view["problems"] = list(self._problems)
        view["camera"] = health.plain()
        view["notices"] = [notice.plain() for notice in (*self._notices, *notices)]
        if self._interpreter.dice:
            view["colours"] = self.colours.plain()
            reasons = reasons_by_seat(dice)
            view["seats"] = [{**seat, "reasons": reasons.get(seat["number"], [None] * 6)} for seat in view["seats"]]
        return view

    def entries(self, since: int = 0) -> list[Entry]:
        """The entries after number `since`."""
        return self._match.entries[max(0, since) :]

    def log_lines(self) -> Iterator[bytes]:
        """The match log as it stands in the store, a line at a time, without line ends."""
        yield from self._store.lines(self._match.header.match)

    def picture(self) -> tuple[bytes, Any] | None:
        """What the camera sees now, as JPEG with outlines and pips drawn in, and its reading; None without one."""
        return self.sight.picture()

    def look_privately(self, seat: int) -> PrivateLook:
        """The card in the nook of a seat, for that seat alone: read now, in the caller's thread, and kept nowhere."""
        return self.sight.private(seat)

    def settled_dice(self, seat: int | None = None) -> list[dict[str, Any]]:
        """Dice that lie still, of the camera while it watches, else of the record: seat, place, value or the reason."""
        dice, _, health = self.sight.now()
        with self._state_guard:
            seats = self._snapshot["seats"]
        found = settled_dice(dice if health.state == "watching" else None, seats)
        return [die for die in found if seat is None or die["seat"] == seat]

    # --- what is handed in

    def submit(self, submission: Submission[Any], timeout_s: float = 5.0) -> Entry:
        """File an event; when this returns it is judged and on the disk.

        Raises:
            TableClosed: the table takes nothing any more.
            TableBusy: it was not reached in time, and is not filed.
            StoreFailed: it could not be written, and is not filed.
        """
        answer: Future[Entry] = Future()
        if self._inbox.qsize() >= LONGEST_QUEUE:
            raise TableBusy(f"{LONGEST_QUEUE} things wait to be judged; try again in a moment.")
        self._put(File(submission, answer))
        try:
            return answer.result(timeout_s)
        except FutureTimeout:
            if answer.cancel():
                raise TableBusy(f"The table did not come to this within {timeout_s:g} s; it was not filed.") from None
            return answer.result(timeout_s)  # it is being written this moment
        except CancelledError:
            raise TableClosed("The table was closed before this was filed; start it again.") from None

    def press(self, press: Press) -> None:
        """Take in a press; never waits."""
        self.witness.pressed(press)
        self._inbox.put(Pressed(press))

    def begin(self, header: Header, timeout_s: float = 5.0) -> None:
        """End the match in play and begin another at this table.

        Raises:
            BadHeader: the header breaks a rule of set-up; the match in play goes on.
            StoreFailed: it could not be written; the match in play goes on.
            TableClosed: the table takes nothing any more.
        """
        answer: Future[None] = Future()
        self._put(Begin(header, answer))
        try:
            answer.result(timeout_s)
        except FutureTimeout:
            raise TableBusy(f"The table did not come to the new match within {timeout_s:g} s.") from None

    def ask(self, answer: Future[None]) -> None:
        """Give `answer` its result from the table's own thread; never waits. TableClosed when that has ended."""
        self._put(Asked(answer))

    def watched(
        self,
        match: str,
        sightings: tuple[Sighting, ...],
        exposed_ns: int,
        still_seats: frozenset[int],
        reading_ns: int = 0,
    ) -> None:
        """Take in what one frame brought for match `match`; never waits."""
        self._inbox.put(Watched(match, sightings, exposed_ns, still_seats, reading_ns))

    def show_dice(self, dice: tuple[SeenDie, ...], notices: tuple[Notice, ...], health: CameraHealth) -> None:
        """Show what the camera sees and how it is; told to listeners at most five times a second."""
        blind, tell = self.sight.show(dice, notices, health, self.clock.now_ns())
        if blind:
            self.witness.lost(health.state, health.problem)
            self._inbox.put(Blind())
        if tell:
            self._tell("dice", self.dice_view())

    def dice_view(self) -> dict[str, Any]:
        """The dice as the camera has them, by seat, and the camera's health."""
        seen = self.sight.plain()
        return {**seen, "colours": self.colours.plain()} if self._interpreter.dice else seen

    def show_pictures_of(
        self, picture: Callable[[], tuple[bytes, Any] | None], private: Callable[[int], PrivateLook] | None = None
    ) -> None:
        """Take pictures from here, and private looks where the watcher can have them."""
        self.sight.picture = picture
        if private is not None:
            self.sight.private = private

    def report(self, problem: str) -> None:
        """Show a problem on every screen and log it; for whatever must not pass in silence."""
        log.error("%s", problem)
        with self._state_guard:
            if problem not in self._problems:
                self._problems.append(problem)

    def on_close(self, action: Callable[[], None]) -> None:
        """Run an action (stop a camera, say) when the table closes."""
        self._closing.append(action)

    def close(self) -> None:
        """Take nothing more, finish what is in hand and stop. Closing twice is harmless."""
        if self._closed:
            return
        for action in reversed(self._closing):
            try:
                action()
            except Exception as error:
                log.exception("closing: %s", error)
        self._closed = True
        self._inbox.put(Stop())
        self._writer.join(CLOSE_S)

    def __enter__(self) -> LiveTable:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- the writer

    def _put(self, message: Message) -> None:
        if self._closed or not self._writer.is_alive():
            raise TableClosed("The table takes nothing any more; start it again.")
        self._inbox.put(message)

    def _run(self) -> None:
        while True:
            try:
                message: Message | None = self._inbox.get(timeout=self._patience_s())
            except queue.Empty:
                message = None
            stopping = isinstance(message, Stop)
            try:
                if message is not None:
                    self._handle(message)
                self._file_what_is_due(at_once=stopping)
            except Exception as error:
                log.exception("the table's thread")
                self.report(f"Something went wrong at the table: {error}")
            if stopping:
                self._turn_away()
                return

    def _patience_s(self) -> float | None:
        due_ns = self._collector.next_due_ns()
        if due_ns is None:
            return None
        return max(0.0, (due_ns - self.clock.now_ns()) / NS_PER_S)

    def _handle(self, message: Message) -> None:
        match message:
            case File(submission, answer):
                if not answer.set_running_or_notify_cancel():
                    return
                try:
                    entry = self._file(submission)
                except CompanionError as error:
                    self.report(str(error))
                    answer.set_exception(error)
                except BaseException as error:
                    answer.set_exception(error)
                    raise
                else:
                    answer.set_result(entry)
            case Pressed(press):
                if press.seat != 0 and self.header.seat(press.seat) is None:
                    self.report(f"A button of seat {press.seat} was pressed, and nobody sits there.")
                else:
                    self._collector.press(press)
            case Watched(match, sightings, exposed_ns, still_seats, reading_ns):
                if match == self.header.match:
                    self._collector.sighted(sightings)
                    self._collector.watched(exposed_ns, still_seats, reading_ns)
            case Blind():
                self._collector.blind()
            case Asked(answer):
                answer.set_result(None)
            case Begin(header, answer):
                try:
                    self._begin(header)
                except BaseException as error:
                    answer.set_exception(error)
                else:
                    answer.set_result(None)

    def _file_what_is_due(self, *, at_once: bool = False) -> None:
        for due in self._collector.due(FAR_NS if at_once else self.clock.now_ns()):
            filed = self._interpreter.presses(due, self._match) if isinstance(due, tuple) else [due]
            for submission in filed:
                try:
                    self._file(submission)
                except CompanionError as error:
                    self.report(str(error))

    def _file(self, submission: Submission[Any]) -> Entry:
        """Judge, write, then tell. Nothing changes when the writing fails."""
        if submission.wall is None:
            submission = msgspec.structs.replace(submission, wall=wall_now())
        entry, position = self._match.judge(submission)
        line, digest = entry_line(self._last_hash, entry)
        ended = self._match.referee.result(position.state) is not None
        self._store.append(self._match.header.match, line, ended=ended)
        self._match.append(entry, position)
        self._last_hash = digest
        self.witness.filed(self._match.header.match, entry)
        view = self._take_snapshot()
        with self._state_guard:
            self._snapshot = view
        self._tell("entry", msgspec.to_builtins(entry), entry.seq)
        self._tell("view", self.view(), entry.seq)
        return entry

    def _begin(self, header: Header) -> None:
        fresh = new_match(header)
        digest = self._store.create(header)
        self._match, self._last_hash = fresh, digest
        self._interpreter = interpreter_for(header.game)
        self._collector = self._new_collector()
        self.colours.sit(header)
        view = self._take_snapshot()
        with self._state_guard:
            self._snapshot = view
        self._tell("view", self.view(), 0)

    def _take_snapshot(self) -> dict[str, Any]:
        return snapshot(self._match, self._interpreter, simulated=self.simulated)

    def _new_collector(self) -> Collector:
        tie_ns = self._interpreter.tie_ns(self._match.header)
        timing = self._timing
        return Collector(Timing(tie_ns, timing.transport_ns, timing.evidence_ns, max(timing.window_ns, tie_ns)))

    def _turn_away(self) -> None:
        """Whoever still waits hears that it was not filed."""
        while True:
            try:
                message = self._inbox.get_nowait()
            except queue.Empty:
                return
            if isinstance(message, File | Begin | Asked):
                message.answer.cancel()

    def _tell(self, topic: str, data: dict[str, Any], seq: int | None = None) -> None:
        if self._publish is None:
            return
        try:
            self._publish(topic, data, seq)
        except Exception as error:
            log.exception("publishing %s", topic)
            self.report(f"Screens could not be told ({error}); the record is safe. Reload the page.")
