"""From a press at a live table to stored evidence: nobody waits, nothing is lost, and it is said what is."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.evidence import archive as archive_module
from companion.evidence.archive import Archive
from companion.evidence.keeper import LONGEST_QUEUE, EvidenceKeeper
from companion.live.interpreter import Notice, Seen
from companion.live.table import LiveTable
from companion.store import Store
from device.clock import ManualClock
from rules.events import Decision, Overrule, Source, Submission
from rules.lightning_dice.events import Breach, Call, Calls, Flip, Press
from rules.referee import Entry
from tests.companion.evidence.made import MS, START_NS, frame, grey_of, tracked, watched
from tests.companion.helpers import declared, open_table, press, set_up_events

WHOSE = Seen(whose={1: (1, 0)})


class Scene:
    """A live table with a keeper whose work is done when the test says so."""

    def __init__(self, directory: Path) -> None:
        self.clock = ManualClock(START_NS)
        self.store, self.table = open_table(directory)
        self.keeper = EvidenceKeeper(Archive(self.store), self.clock)
        self.keeper.watch(self.table)
        for event in [*set_up_events(), Flip("g01")]:
            self.table.submit(declared(event))

    @property
    def match(self) -> str:
        return self.table.header.match

    def call(self, *edges: tuple[int, int]) -> Entry:
        presses = tuple(Press(seat, Call.GOT_IT, edge_ns) for seat, edge_ns in edges)
        return self.table.submit(Submission(Calls(presses), Source.BUTTON, at_ns=edges[0][1]))

    def frames(self, first_ns: int, last_ns: int, value: int = 3) -> None:
        for number, at_ns in enumerate(range(first_ns, last_ns + 1, 33 * MS)):
            self.table.sight.frame(frame(number, at_ns), watched(number, at_ns, tracked(1, value)), WHOSE)
            self.keeper.work()

    def close(self) -> None:
        self.table.close()
        self.keeper.close()
        self.store.close()


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    made = Scene(tmp_path)
    yield made  # type: ignore[misc]
    made.close()


def test_a_press_becomes_stored_evidence_bound_to_its_entry(scene: Scene) -> None:
    scene.frames(START_NS - 600 * MS, START_NS)
    scene.keeper.pressed(press(1, START_NS + 10 * MS))
    scene.keeper.pressed(press(2, START_NS + 11 * MS))
    entry = scene.call((1, START_NS + 10 * MS))
    assert scene.keeper.waits_for(scene.match, entry.seq)
    scene.frames(START_NS + 20 * MS, START_NS + 300 * MS)
    assert scene.keeper.archive.rows() == []
    scene.frames(START_NS + 310 * MS, START_NS + 600 * MS)
    evidence = scene.keeper.archive.read(scene.match, entry.seq)
    assert not scene.keeper.waits_for(scene.match, entry.seq)
    assert evidence.frozen is not None
    assert evidence.frames[evidence.frozen].after_ns == 10 * MS
    assert [(die.seat, die.place, die.value) for die in evidence.dice] == [(1, 0, 3)]
    assert [(each.seat, each.after_ns) for each in evidence.presses] == [(1, 0), (2, MS)]
    kept = scene.keeper.archive.pictures(evidence)
    assert grey_of(kept[evidence.frozen]) == 0  # the first frame after the press


def test_an_infraction_is_kept_as_disputed_and_a_typed_call_as_untimed(scene: Scene) -> None:
    scene.frames(START_NS - 4_000 * MS, START_NS + 600 * MS)
    breach = Breach(1, 1, (0,), "touched")
    scene.table.submit(Submission(breach, Source.CAMERA, at_ns=START_NS))
    typed = scene.table.submit(Submission(Calls((Press(1, Call.GOT_IT),)), Source.DECLARED))
    scene.keeper.work()
    scene.clock.advance(10_000 * MS)
    scene.keeper.work()
    rows = scene.keeper.archive.rows()
    assert [(row.kind, row.disputed) for row in rows] == [("infraction", "infraction"), ("claim", "")]
    assert scene.keeper.archive.read(scene.match, rows[0].seq).frames[0].after_ns <= -2_900 * MS
    untimed = scene.keeper.archive.read(scene.match, typed.seq)
    assert (untimed.timed, untimed.presses) == (False, ())


def test_an_overruled_call_is_disputed_from_then_on(scene: Scene) -> None:
    scene.frames(START_NS - 600 * MS, START_NS + 700 * MS)
    entry = scene.call((1, START_NS))
    scene.keeper.work()
    scene.table.submit(Submission(Overrule(entry.seq, Decision.UPHOLD, "seen by all"), Source.DECLARED))
    scene.keeper.work()
    (row,) = scene.keeper.archive.rows()
    assert row.disputed == "overruled"


def test_what_the_table_files_while_it_closes_has_evidence_too(tmp_path: Path) -> None:
    scene = Scene(tmp_path)
    scene.frames(START_NS - 600 * MS, START_NS + 100 * MS)
    scene.table.press(press(1, scene.table.clock.now_ns()))
    scene.table.close()
    scene.keeper.close()
    rows = scene.keeper.archive.rows()
    assert [row.kind for row in rows] == ["claim"]
    scene.store.close()


def test_a_camera_that_fails_is_named(scene: Scene) -> None:
    scene.keeper.lost("lost", "the cable is out")
    entry = scene.call((1, START_NS))
    scene.clock.advance(500 * MS)
    scene.keeper.work()
    evidence = scene.keeper.archive.read(scene.match, entry.seq)
    assert (evidence.camera, evidence.problem, evidence.frames) == ("lost", "the cable is out", ())


def test_frames_that_come_too_fast_are_left_out_and_counted(scene: Scene) -> None:
    for number in range(LONGEST_QUEUE + 3):
        at_ns = START_NS + number * MS
        scene.table.sight.frame(frame(number, at_ns), watched(number, at_ns, tracked(1, 3)), WHOSE)
    entry = scene.call((1, START_NS))
    scene.clock.advance(10_000 * MS)
    scene.keeper.work()
    evidence = scene.keeper.archive.read(scene.match, entry.seq)
    assert len(evidence.frames) == LONGEST_QUEUE
    assert evidence.frames_dropped == 3


def test_what_the_cap_takes_is_said_on_the_screens(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive_module, "LEAST_CAP_BYTES", 0)
    scene.frames(START_NS - 600 * MS, START_NS + 1_000 * MS)
    scene.call((1, START_NS))
    scene.keeper.work()
    scene.keeper.archive.set_cap(int(scene.keeper.archive.rows()[0].bytes * 1.5))
    for number in (1, 2):
        second = scene.call((1, START_NS + number * 100 * MS))
        scene.keeper.work()
    assert [row.seq for row in scene.keeper.archive.rows()] == [second.seq]
    (said,) = [each for each in scene.table.view()["notices"] if each["code"].startswith("notice.evidence-cut")]
    assert said["facts"]["pieces"] == 2


def test_a_full_disk_is_reported_and_play_goes_on(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(archive_module, "write_durably", full)
    scene.frames(START_NS - 600 * MS, START_NS + 1_000 * MS)
    scene.call((1, START_NS))
    scene.keeper.work()
    assert any("No space left" in each for each in scene.table.view()["problems"])
    assert scene.call((2, START_NS + 900 * MS)).seq > 0


def test_the_keepers_own_thread_keeps_and_ends(tmp_path: Path) -> None:
    scene = Scene(tmp_path)
    scene.keeper.start()
    scene.call((1, START_NS))
    scene.close()
    with Store(tmp_path, read_only=True) as store:
        assert [row.kind for row in Archive(store).rows()] == ["claim"]


def test_a_remark_stands_beside_what_the_camera_says(scene: Scene) -> None:
    table: LiveTable = scene.table
    table.sight.remark(Notice("notice.one", (), "first"))
    table.sight.remark(Notice("notice.one", (), "second"))
    assert [each["text"] for each in table.view()["notices"]] == ["second"]
