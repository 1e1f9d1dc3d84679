"""The live table: one writer, commit before publish, nothing silent."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest

from companion.errors import StoreFailed, TableClosed
from companion.hub import Hub
from companion.live.collector import Sighting, Timing
from companion.live.interpreter import Notice, SeenDie
from companion.live.opening import Wanted, new_header, open_match
from companion.live.table import LiveTable
from companion.live.view import CameraHealth
from companion.store import Store
from companion.web.app import create_app
from device.clock import SystemClock
from rules.errors import BadHeader
from rules.events import Note, Source, Submission, Undo
from rules.lightning_dice.events import Call, Calls, Flip, Moving, Ready, Roll
from rules.log import replay
from rules.referee import Entry
from rules.rulings import Verdict
from tests.companion.helpers import WANTED, declared, header, open_table, press, set_up_events

CARD = "g01"  # asks for 1 1 2 2 3 3
RIGHT = (1, 1, 2, 2, 3, 3)
WRONG = (1, 1, 2, 2, 3, 4)
WAIT_S = 5.0


class Listener:
    """Collects what is published; waits for it on a condition."""

    def __init__(self) -> None:
        self.told: list[tuple[str, dict[str, Any], int | None]] = []
        self._changed = threading.Condition()

    def __call__(self, topic: str, data: dict[str, Any], seq: int | None = None) -> None:
        with self._changed:
            self.told.append((topic, data, seq))
            self._changed.notify_all()

    def wait_for_entry(self, kind: str, number: int = 1) -> dict[str, Any]:
        """Entry number `number` of this kind, once it is published."""

        def found() -> dict[str, Any] | None:
            entries = [data for topic, data, _ in self.told if topic == "entry"]
            of_kind = [data for data in entries if data["filed"]["event"]["kind"] == kind]
            return of_kind[number - 1] if len(of_kind) >= number else None

        with self._changed:
            assert self._changed.wait_for(lambda: found() is not None, WAIT_S), f"no {kind} was published"
            entry = found()
            assert entry is not None
            return entry


def codes(entry: Entry) -> list[str]:
    return [ruling.code for ruling in entry.rulings]


def play(table: LiveTable, *events: Any) -> list[Entry]:
    return [table.submit(declared(event)) for event in events]


def test_a_card_is_won_with_typed_dice_and_a_pressed_button(tmp_path: Path) -> None:
    listener = Listener()
    store, table = open_table(tmp_path, publish=listener)
    with store, table:
        play(table, *set_up_events(), Flip(CARD), Roll(1, RIGHT), Roll(2, WRONG))
        table.press(press(1, table.clock.now_ns()))
        entry = listener.wait_for_entry("calls")
        assert [ruling["code"] for ruling in entry["rulings"]] == ["ld.match"]
        view = table.view()
        assert [seat["score"] for seat in view["seats"]] == [2, 0]
        assert view["phase"] == "between"
        assert view["card"] is None
        assert view["camera"]["state"] == "none"
        replayed = replay(list(table.log_lines()))
        assert replayed.match.seq == view["seq"] == len(table.entries())


def test_the_view_is_ready_for_json_and_tells_all_that_screens_need(tmp_path: Path) -> None:
    import json

    store, table = open_table(tmp_path)
    with store, table:
        play(table, *set_up_events(), Flip(CARD))
        view = json.loads(json.dumps(table.view()))
    assert view["card"]["id"] == CARD
    assert view["card"]["goal"]
    assert view["assumed_pack"] is True
    assert view["options"]["tie_ms"] == 10
    assert view["open_cases"]["tie_ms"] == "LD-S40"
    assert {choice["event"]["kind"] for choice in view["choices"]} >= {"roll", "moving"}
    assert [seat["name"] for seat in view["seats"]] == ["Ann", "Ben"]
    assert view["seats"][0]["reasons"] == [None] * 6
    assert view["last"][-1]["filed"]["event"] == {"kind": "flip", "card": CARD}


def test_an_entry_is_on_the_disk_before_anybody_hears_of_it(tmp_path: Path) -> None:
    store = Store(tmp_path)
    stored, _ = open_match(store, WANTED)
    on_disk: list[int] = []

    def publish(topic: str, data: dict[str, Any], seq: int | None = None) -> None:
        if topic == "entry":
            with Store(tmp_path, read_only=True) as reader:
                on_disk.append(len(reader.lines(stored.match.header.match)) - 1)

    with store, LiveTable(store, stored, publish=publish) as table:
        for number in range(5):
            assert table.submit(declared(Note(str(number)))).seq == number + 1
    assert on_disk == [1, 2, 3, 4, 5]


def test_what_cannot_be_written_is_not_acknowledged_and_is_shown(tmp_path: Path) -> None:
    store, table = open_table(tmp_path)
    with store, table:
        store._connection.execute("PRAGMA query_only = ON")
        with pytest.raises(StoreFailed):
            table.submit(declared(Note("lost?")))
        assert table.view()["seq"] == 0
        assert table.entries() == []
        assert "could not be written" in table.view()["problems"][0]
        store._connection.execute("PRAGMA query_only = OFF")
        assert table.submit(declared(Note("again"))).seq == 1


def test_many_threads_file_at_once_and_each_hears_its_own_entry(tmp_path: Path) -> None:
    store, table = open_table(tmp_path)
    heard: dict[str, int] = {}
    with store, table:

        def file(name: str) -> None:
            entry = table.submit(declared(Note(name)))
            assert entry.filed.event.text == name
            heard[name] = entry.seq

        threads = [threading.Thread(target=file, args=(f"note {number}",)) for number in range(30)]
        for each in threads:
            each.start()
        for each in threads:
            each.join(WAIT_S)
        assert sorted(heard.values()) == list(range(1, 31))
        assert replay(list(table.log_lines())).match.seq == 30


def test_a_listener_that_fails_does_not_stop_the_table_and_is_shown(tmp_path: Path) -> None:
    def publish(topic: str, data: dict[str, Any], seq: int | None = None) -> None:
        raise RuntimeError("the hub is broken")

    store, table = open_table(tmp_path, publish=publish)
    with store, table:
        assert table.submit(declared(Note("on"))).seq == 1
        assert "the hub is broken" in table.view()["problems"][0]


def test_a_match_goes_on_where_it_stood(tmp_path: Path) -> None:
    store, table = open_table(tmp_path)
    with store, table:
        play(table, *set_up_events(), Flip(CARD), Roll(1, RIGHT))
        before = table.view()
    store, table = open_table(tmp_path)
    with store, table:
        after = table.view()
        assert after["seq"] == before["seq"] == 6
        assert after["seats"] == before["seats"]
        assert codes(table.submit(Submission(Calls(_got_it(1)), Source.TYPED))) == ["ld.match"]


def test_a_repair_is_noted_in_the_record_and_on_screen(tmp_path: Path) -> None:
    store, table = open_table(tmp_path)
    with store, table:
        play(table, *set_up_events())
        match = table.header.match
    with Store(tmp_path) as store:
        with store._connection as connection:
            connection.execute("UPDATE lines SET line = 'x' WHERE match = ? AND seq = 4", (match,))
        stored, notices = open_match(store, WANTED)
        with LiveTable(store, stored, notices=notices) as table:
            (note,) = table.entries(3)
            assert "goes on after entry 3" in note.filed.event.text
            assert "goes on after entry 3" in table.view()["notices"][0]["text"]


def test_nothing_is_taken_after_closing(tmp_path: Path) -> None:
    store, table = open_table(tmp_path)
    with store:
        table.close()
        table.close()
        with pytest.raises(TableClosed):
            table.submit(declared(Note("too late")))


def test_presses_held_back_at_closing_are_filed(tmp_path: Path) -> None:
    store, table = open_table(tmp_path)
    with store:
        play(table, *set_up_events(), Flip(CARD), Roll(1, RIGHT))
        table.press(press(1, table.clock.now_ns() + 10**12))  # due in a quarter of an hour
        table.close()
        assert table.entries()[-1].rulings[0].code == "ld.match"


def test_a_button_of_an_empty_seat_is_reported(tmp_path: Path) -> None:
    store, table = open_table(tmp_path)
    with store:
        table.press(press(5, 1))
        table.close()
        assert "seat 5" in table.view()["problems"][0]


def test_the_judges_buttons_decide_what_waits_longest(tmp_path: Path) -> None:
    listener = Listener()
    wanted = Wanted("lightning-dice", seats=WANTED.seats, options={"mode": "tournament"}, judge="Jo")
    store, table = open_table(tmp_path, publish=listener, wanted=wanted)
    with store, table:
        play(table, *set_up_events())
        table.submit(Submission(Flip(CARD), Source.JUDGE))
        play(table, Roll(1, RIGHT))
        table.press(press(1, table.clock.now_ns()))
        listener.wait_for_entry("calls")
        assert len(table.view()["pending"]) == 1
        table.press(press(0, table.clock.now_ns(), "uphold"))
        listener.wait_for_entry("decide")
        assert table.view()["pending"] == []
        assert table.view()["seats"][0]["score"] == 2


def test_the_judge_opens_the_card_that_was_seen_to_be_turned_and_no_other(tmp_path: Path) -> None:
    listener = Listener()
    wanted = Wanted("lightning-dice", seats=WANTED.seats, options={"mode": "tournament"}, judge="Jo")
    store, table = open_table(tmp_path, publish=listener, wanted=wanted)
    with store, table:
        play(table, *set_up_events())
        table.press(press(0, table.clock.now_ns(), "flip"))
        seen = table.submit(Submission(Flip(CARD), Source.CAMERA))
        assert codes(seen) == ["ld.judge-flips"]
        assert table.view()["card_turned"] == CARD
        table.press(press(0, table.clock.now_ns(), "flip"))
        opened = listener.wait_for_entry("flip", 2)
        assert opened["rulings"][0]["code"] == "ld.flip"
        assert table.view()["card"]["id"] == CARD
        assert table.view()["card_turned"] is None
        assert table.match.seq == 6  # the first press, with no card turned up, filed nothing


def test_outside_tournaments_no_card_waits_for_a_judge(tmp_path: Path) -> None:
    store, table = open_table(tmp_path)
    with store, table:
        play(table, *set_up_events())
        table.submit(Submission(Flip(CARD), Source.CAMERA))
        assert table.view()["card"]["id"] == CARD
        assert table.view()["card_turned"] is None


def test_sightings_of_a_former_match_are_not_filed_in_the_next(tmp_path: Path) -> None:
    store, table = open_table(tmp_path)
    with store, table:
        former = table.header.match
        table.begin(new_header(WANTED))
        seen = Sighting(Submission(Moving(1, (0,)), Source.CAMERA), 1, 1, begins=True)
        table.watched(former, (seen,), 1, frozenset())
        assert table.submit(declared(Note("first"))).seq == 1
        assert [row.id for row in store.matches()] == [table.header.match, former]


def test_dice_that_only_move_do_not_push_rulings_out_of_the_last_ones(tmp_path: Path) -> None:
    store, table = open_table(tmp_path)
    with store, table:
        play(table, *set_up_events(), Flip(CARD), *[Moving(1, (0,))] * 30)
        kinds = [entry["filed"]["event"]["kind"] for entry in table.view()["last"]]
        assert kinds == ["shuffled", "stack", "ready", "ready", "flip"]
        assert len(table.entries()) == 35


def test_a_header_that_cannot_be_played_leaves_the_match_alone(tmp_path: Path) -> None:
    import msgspec

    store, table = open_table(tmp_path)
    with store, table:
        wrong = msgspec.structs.replace(header(), seats=WANTED.seats[:1])
        match = table.header.match
        with pytest.raises(BadHeader):
            table.begin(wrong)
        assert table.header.match == match
        assert table.submit(declared(Note("on"))).seq == 1


def test_corrections_work_while_the_camera_is_lost(tmp_path: Path) -> None:
    listener = Listener()
    store, table = open_table(tmp_path, publish=listener)
    with store, table:
        table.show_dice((SeenDie(1, 0, 3, None), SeenDie(None, 0, None, "glare")), (), CameraHealth("watching"))
        assert table.settled_dice(1) == [{"seat": 1, "place": 0, "value": 3, "reason": None}]
        assert len(table.settled_dice()) == 2
        lost = Notice("notice.test", (), "text")
        table.show_dice((), (lost,), CameraHealth("lost", "no frame for 2 s"))
        assert table.view()["camera"]["state"] == "lost"
        assert table.view()["notices"] == [{"code": "notice.test", "facts": {}, "text": "text"}]
        play(table, *set_up_events(), Flip(CARD), Roll(1, RIGHT))
        assert [die["value"] for die in table.settled_dice(1)] == list(RIGHT)
        undone = table.submit(declared(Undo(5, "typed wrongly")))
        assert undone.rulings[0].verdict is Verdict.ACCEPTED
        assert table.view()["seats"][0]["faces"] is None
        topics = [topic for topic, _, _ in listener.told]
        assert topics.count("dice") == 2  # the change of state is told at once


def test_dice_are_told_at_most_five_times_a_second(tmp_path: Path) -> None:
    from device.clock import ManualClock

    clock, listener = ManualClock(), Listener()
    store, table = open_table(tmp_path, publish=listener, clock=clock)
    with store, table:
        for _ in range(100):
            table.show_dice((), (), CameraHealth("watching"))
            clock.advance(20_000_000)
    assert sum(topic == "dice" for topic, _, _ in listener.told) == 10


def test_ready_is_judged_and_filed_with_a_label_of_time(tmp_path: Path) -> None:
    store, table = open_table(tmp_path)
    with store, table:
        entry = table.submit(declared(Ready(1)))
        assert entry.filed.wall is not None
        assert entry.filed.wall.removesuffix("?").endswith("+00:00")
        assert isinstance(table.clock, SystemClock)
        assert Timing().transport_ns > 0


def _got_it(seat: int) -> Any:
    from rules.lightning_dice.events import Press

    return (Press(seat, Call.GOT_IT),)


def test_a_quick_tournament_says_on_every_page_that_it_is_played_for_points(tmp_path: Path) -> None:
    for number, mode in enumerate(("quick-tournament", "tournament")):
        wanted = Wanted("lightning-dice", seats=WANTED.seats, options={"mode": mode}, judge="Jo")
        store, table = open_table(tmp_path / str(number), wanted=wanted)
        with store, table:
            app = create_app(table, Hub(), judge_pin="000000", seat_codes={})
            page = app.test_client().get("/").get_data(as_text=True)
            assert ("this match is played for points (LD-J10)" in page) == (mode == "quick-tournament")
            assert not table.view()["quick"]
