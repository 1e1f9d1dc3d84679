"""Keeps evidence of a live table: takes in frames, presses and rulings without holding anybody up, and writes.

The camera's thread only leaves a frame here, the table's thread only leaves an entry; encoding, freezing and writing
happen in a thread of the keeper's own. A ruling never waits for its pictures.
"""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from companion.errors import CompanionError, MatchMissing
from companion.evidence.archive import Archive, Cut
from companion.evidence.freezing import Freezer, Frozen, Wanted
from companion.evidence.records import CameraWords, DieThen
from companion.evidence.ring import dice_then, encode_frame
from companion.evidence.wants import disputes_of, wanted_of
from companion.live.interpreter import Notice, Seen
from companion.live.table import LiveTable
from device.buttons.base import Press
from device.clock import NS_PER_S, Clock
from device.frames import Frame
from rules.referee import Entry
from vision.tracking.happenings import Watched

__all__ = ["LONGEST_QUEUE", "EvidenceKeeper", "cut_notice"]

LONGEST_QUEUE: Final = 12
"""So many frames may wait to be encoded (3 ms each); 0.2 s at 60 frames a second, 33 MB at 1280×720."""
CLOSE_S: Final = 10.0

log = logging.getLogger(__name__)


class _Waiting(NamedTuple):
    frame: Frame
    dice: tuple[DieThen, ...]


@dataclass(frozen=True, slots=True)
class _Camera:
    state: CameraWords
    problem: str | None


class EvidenceKeeper:
    """Evidence of one live table. Every method may be called from any thread, and none waits for a disk."""

    def __init__(
        self,
        archive: Archive,
        clock: Clock,
        *,
        report: Callable[[str], None] | None = None,
        remark: Callable[[Notice], None] | None = None,
    ) -> None:
        """Keep in `archive` from the next `start` on.

        Args:
            archive: where to.
            clock: the clock of frames and presses.
            report: is told in words what went wrong; without it that is logged.
            remark: is told, for the screens, what had to be deleted for the cap.
        """
        self.archive = archive
        self._clock = clock
        self._report: Callable[[str], None] = report or log.error
        self._remark = remark
        self._freezer = Freezer()
        self._disputed: dict[tuple[str, int], str] = {}
        self._inbox: deque[_Waiting | _Camera | Press | Wanted | tuple[str, Entry]] = deque()
        self._frames_waiting = 0
        self._news = threading.Condition()
        self._stopping = False
        self._cut = Cut(0, 0, 0)
        self._thread = threading.Thread(target=self._run, name="evidence", daemon=True)

    def watch(self, table: LiveTable) -> None:
        """Keep the evidence of this table from now on, and tell its screens what they must know.

        Close the keeper after the table: what the table files while it closes has evidence too.
        """
        self._report, self._remark = table.report, table.sight.remark
        table.witness = self
        table.sight.show_frames_to(self.saw)

    # --- what others leave here

    def saw(self, frame: Frame, watched: Watched, seen: Seen) -> None:
        """A frame that everybody may see, and what is known of the dice in it."""
        dice = dice_then(watched, seen.whose)
        with self._news:
            if self._frames_waiting >= LONGEST_QUEUE:
                self._freezer.dropped_ns.append(frame.exposure_start_ns)
                return
            self._frames_waiting += 1
            self._leave(_Waiting(frame, dice))

    def lost(self, state: str, problem: str | None) -> None:
        """The camera gives no frames now: `state` and `problem` as in CameraHealth."""
        with self._news:
            self._leave(_Camera("none" if state == "none" else "lost", problem))

    def pressed(self, press: Press) -> None:
        """A press, of whatever seat and button."""
        with self._news:
            self._leave(press)

    def filed(self, match: str, entry: Entry) -> None:
        """An entry that is on the disk."""
        with self._news:
            self._leave((match, entry))

    def waits_for(self, match: str, seq: int) -> bool:
        """True while the evidence of this entry is being frozen."""
        with self._news:
            queued = any(
                isinstance(each, tuple) and not isinstance(each, _Waiting) and (each[0], each[1].seq) == (match, seq)
                for each in self._inbox
            )
            return queued or any((each.match, each.seq) == (match, seq) for each in self._freezer.waiting)

    # --- the keeper's thread

    def start(self) -> None:
        """Begin to keep."""
        self._thread.start()

    def close(self) -> None:
        """Keep what is wanted as far as it has come, and stop. Closing twice is harmless."""
        with self._news:
            if self._stopping:
                return
            self._stopping = True
            self._news.notify_all()
        if self._thread.is_alive():
            self._thread.join(CLOSE_S)
        else:
            self.work(at_once=True)

    def work(self, *, at_once: bool = False) -> None:
        """Do all that is to be done by now; `at_once`: freeze even what still waits for frames."""
        while True:
            with self._news:
                if not self._inbox:
                    break
                item = self._inbox.popleft()
                if isinstance(item, _Waiting):
                    self._frames_waiting -= 1
                elif not isinstance(item, tuple):
                    self._take(item)
                    continue
            if isinstance(item, _Waiting):
                self._encode(item)
            elif isinstance(item, tuple):
                self._entry(*item)
        with self._news:
            done = self._freezer.due(self._clock.now_ns(), at_once=at_once)
        for frozen in done:
            self._keep(frozen)

    def _leave(self, item: Any) -> None:
        if not self._stopping:
            self._inbox.append(item)
            self._news.notify_all()

    def _run(self) -> None:
        while True:
            with self._news:
                while not self._inbox and not self._stopping:
                    due_ns = self._freezer.next_due_ns()
                    wait_s = None if due_ns is None else max(0.0, (due_ns - self._clock.now_ns()) / NS_PER_S)
                    if not self._news.wait(wait_s):
                        break
                stopping = self._stopping
            try:
                self.work(at_once=stopping)
            except Exception as error:
                log.exception("keeping evidence")
                self._report(f"Evidence could not be kept: {error}")
            if stopping:
                return

    def _take(self, item: _Camera | Press | Wanted) -> None:
        if isinstance(item, _Camera):
            self._freezer.camera(item.state, item.problem)
        elif isinstance(item, Press):
            self._freezer.press(item)
        else:
            self._freezer.want(item)

    def _encode(self, waiting: _Waiting) -> None:
        frame = waiting.frame
        kept = encode_frame(frame.image_bgr, frame.exposure_start_ns, frame.sequence, waiting.dice)
        with self._news:
            self._freezer.camera("watching")
            if kept is None:
                self._freezer.dropped_ns.append(frame.exposure_start_ns)
            else:
                self._freezer.ring.add(kept)

    def _entry(self, match: str, entry: Entry) -> None:
        for seq, why in disputes_of(entry):
            self._disputed[match, seq] = why
            try:
                self.archive.dispute(match, seq, why)
            except CompanionError as error:
                self._report(str(error))
        wanted = wanted_of(match, entry, self._clock.now_ns())
        if wanted is not None:
            with self._news:
                self._freezer.want(wanted)

    def _keep(self, frozen: Frozen) -> None:
        evidence = frozen.evidence
        try:
            cut = self.archive.add(frozen, disputed=self._disputed.get((evidence.match, evidence.seq), ""))
        except MatchMissing:
            return  # its record was deleted meanwhile, and the evidence with it
        except CompanionError as error:
            self._report(str(error))
            return
        self._say(cut)

    def _say(self, cut: Cut) -> None:
        if not cut.pieces or self._remark is None:
            return
        self._cut = Cut(*(before + now for before, now in zip(self._cut, cut, strict=True)))
        self._remark(cut_notice(self._cut, self.archive.cap_bytes))


def cut_notice(cut: Cut, cap_bytes: int) -> Notice:
    """That old evidence was deleted, and why."""
    cap_mb = round(cap_bytes / 1e6)
    facts: Iterable[tuple[str, int]] = (("pieces", cut.pieces), ("disputed", cut.disputed), ("cap_mb", cap_mb))
    text = (
        f"Evidence takes no more than {cap_mb} MB: the {cut.pieces} oldest pieces were deleted, "
        f"{cut.disputed} of them disputed. `companion evidence cap` allows more."
    )
    return Notice("notice.evidence-cut" + ("-disputed" if cut.disputed else ""), tuple(facts), text)
