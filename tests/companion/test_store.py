"""The store: nothing acknowledged is lost, nothing damaged stops a start, nothing is thrown away."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from companion.errors import MatchBroken, MatchMissing, StoreBusy, StoreFailed, StoreTooNew
from companion.live.opening import Wanted, open_match
from companion.lock import LOCK_NAME
from companion.store import DATABASE_NAME, Store
from rules.events import Note
from rules.games import new_match
from rules.header import Seat
from rules.log import entry_line, replay
from tests.companion.helpers import SEATS, WANTED, declared, header, open_table, set_up_events


def filled(directory: Path, notes: int = 3) -> tuple[str, list[bytes]]:
    """A store with one match of some notes; its identity and lines."""
    with Store(directory) as store:
        start = header()
        digest = store.create(start)
        match = new_match(start)
        for number in range(notes):
            entry = match.submit(declared(Note(f"remark {number}")))
            line, digest = entry_line(digest, entry)
            assert store.append(start.match, line) == number + 1
        return start.match, store.lines(start.match)


def replace_line(directory: Path, match: str, seq: int, line: bytes) -> None:
    connection = sqlite3.connect(directory / DATABASE_NAME)
    with connection:
        connection.execute("UPDATE lines SET line = ? WHERE match = ? AND seq = ?", (line, match, seq))
    connection.close()


def test_lines_come_back_as_they_went_in_and_replay(tmp_path: Path) -> None:
    match, lines = filled(tmp_path)
    with Store(tmp_path) as store:
        assert store.lines(match) == lines
        loaded = store.load(match)
    assert loaded.report is None
    assert loaded.match.seq == 3
    assert loaded.last_hash == replay(lines).last_hash


def test_a_line_cut_at_every_byte_costs_that_line_only_and_is_kept_aside(tmp_path: Path) -> None:
    match, lines = filled(tmp_path / "whole")
    last = lines[-1]
    for length in range(len(last)):
        directory = tmp_path / "cut"
        shutil.copytree(tmp_path / "whole", directory)
        replace_line(directory, match, 3, last[:length])
        with Store(directory) as store:
            loaded = store.load(match)
            assert loaded.match.seq == 2, length
            assert loaded.report is not None
            (copy,) = (directory / "broken").iterdir()
            assert copy.read_bytes().splitlines() == [*lines[:-1], last[:length]], length
            assert str(copy) in loaded.report
            assert store.load(match).report is None  # repaired: the next start is quiet
            entry = loaded.match.submit(declared(Note("on it goes")))
            store.append(match, entry_line(loaded.last_hash, entry)[0])
            assert store.load(match).match.seq == 3
        shutil.rmtree(directory)


@pytest.mark.parametrize("seq", [1, 2], ids=["first entry", "in the middle"])
def test_a_changed_entry_ends_the_readable_part_there(tmp_path: Path, seq: int) -> None:
    match, lines = filled(tmp_path)
    replace_line(tmp_path, match, seq, lines[seq].replace(b"remark", b"remorse"))
    with Store(tmp_path) as store:
        loaded = store.load(match)
    assert loaded.match.seq == seq - 1
    assert loaded.report is not None
    assert f"Line {seq + 1}" in loaded.report


def test_a_broken_header_sets_the_match_aside_and_a_new_one_begins(tmp_path: Path) -> None:
    match, lines = filled(tmp_path)
    replace_line(tmp_path, match, 0, lines[0][:-10])
    with Store(tmp_path) as store:
        with pytest.raises(MatchBroken, match="kept in"):
            store.load(match)
        stored, notices = open_match(store, WANTED)
    assert stored.match.header.match != match
    assert notices == []  # it was set aside by the first load; the second start does not stumble again


def test_opening_says_what_it_could_not_read(tmp_path: Path) -> None:
    match, _ = filled(tmp_path)
    replace_line(tmp_path, match, 0, b"")
    with Store(tmp_path) as store:
        _, notices = open_match(store, WANTED)
    assert len(notices) == 1
    assert match in notices[0]


@pytest.mark.parametrize("share", [0.0, 0.2, 0.5, 0.8, 0.95, 0.999])
def test_a_write_ahead_log_cut_anywhere_leaves_a_prefix(tmp_path: Path, share: float) -> None:
    """What a power cut can leave: the log file without its end."""
    source = tmp_path / "source"
    store = Store(source)
    start = header()
    digest = store.create(start)
    match = new_match(start)
    for number in range(20):
        line, digest = entry_line(digest, match.submit(declared(Note(f"remark {number}"))))
        store.append(start.match, line)
    lines = store.lines(start.match)
    cut = tmp_path / "cut"
    shutil.copytree(source, cut)  # as if the power had gone: nobody closed the file
    store.close()
    log = cut / (DATABASE_NAME + "-wal")
    log.write_bytes(log.read_bytes()[: int(log.stat().st_size * share)])
    (cut / LOCK_NAME).unlink()
    with Store(cut) as again:
        for row in again.matches():
            kept = again.lines(row.id)
            assert kept == lines[: len(kept)]
            assert again.load(row.id).report is None


def test_a_store_that_is_no_database_is_kept_aside_and_said(tmp_path: Path) -> None:
    (tmp_path / DATABASE_NAME).write_bytes(b"this is not a database, at all" * 100)
    with Store(tmp_path) as store:
        assert store.matches() == []
        (report,) = store.reports
        assert "damaged" in report
    (aside,) = (tmp_path / "broken").iterdir()
    assert (aside / DATABASE_NAME).read_bytes().startswith(b"this is not a database")


def test_a_damaged_page_loses_no_line_that_can_still_be_read(tmp_path: Path) -> None:
    match, lines = filled(tmp_path, notes=200)
    path = tmp_path / DATABASE_NAME
    data = bytearray(path.read_bytes())
    data[-4096:] = b"\xff" * 4096
    path.write_bytes(bytes(data))
    with Store(tmp_path) as store:
        rows = store.matches()
        assert [row.id for row in rows] == [match]
        kept = store.lines(match)
        assert 0 < len(kept) < len(lines)
        assert kept == lines[: len(kept)]
        assert "carried over" in store.reports[0]


def test_a_second_program_is_told_who_holds_the_directory(tmp_path: Path) -> None:
    with Store(tmp_path), pytest.raises(StoreBusy, match=r"in use by process \d+ \(`companion"):
        Store(tmp_path)
    Store(tmp_path).close()


def test_a_killed_program_does_not_hold_the_directory(tmp_path: Path) -> None:
    code = (
        "import os, signal, sys; from pathlib import Path; from companion.store import Store; "
        "store = Store(Path(sys.argv[1])); os.kill(os.getpid(), signal.SIGKILL)"
    )
    ended = subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=False)
    assert ended.returncode == -9
    Store(tmp_path).close()


def test_a_reader_works_beside_the_writer_and_cannot_write(tmp_path: Path) -> None:
    match, lines = filled(tmp_path)
    with Store(tmp_path), Store(tmp_path, read_only=True) as reader:
        assert reader.lines(match) == lines
        with pytest.raises(StoreFailed, match="reading only"):
            reader.append(match, b"{}")


def test_a_store_of_a_newer_release_is_left_alone(tmp_path: Path) -> None:
    filled(tmp_path)
    connection = sqlite3.connect(tmp_path / DATABASE_NAME)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(StoreTooNew, match="99"):
        Store(tmp_path)


def test_asking_for_what_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(MatchMissing):
        Store(tmp_path / "nowhere", read_only=True)
    with Store(tmp_path) as store, pytest.raises(MatchMissing, match="no match 'x'"):
        store.lines("x")


def test_a_failed_write_changes_nothing(tmp_path: Path) -> None:
    match, lines = filled(tmp_path)
    with Store(tmp_path) as store:
        store.load(match)
        store._connection.execute("PRAGMA query_only = ON")
        with pytest.raises(StoreFailed, match="nothing was changed"):
            store.append(match, lines[-1])
        store._connection.execute("PRAGMA query_only = OFF")
        assert store.lines(match) == lines
        assert store.append(match, b"next") == len(lines)


def test_commits_are_flushed_to_the_disk(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        assert store._connection.execute("PRAGMA synchronous").fetchone() == (2,)
        assert store._connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_the_last_unfinished_match_goes_on_and_only_as_wanted(tmp_path: Path) -> None:
    store, table = open_table(tmp_path)
    with store, table:
        for event in set_up_events():
            table.submit(declared(event))
        first = table.header.match
    with Store(tmp_path) as again:
        stored, _ = open_match(again, WANTED)
        assert (stored.match.header.match, stored.match.seq) == (first, 4)
        other, _ = open_match(again, Wanted("lightning-dice", seats=(Seat(1, "Eve", "red"), SEATS[1])))
        assert other.match.header.match != first
    with Store(tmp_path) as again:
        fresh, _ = open_match(again, Wanted("lightning-dice", seats=SEATS, fresh=True))
        assert fresh.match.seq == 0
        demo, _ = open_match(again, Wanted("lightning-dice", simulated=True))
        assert demo.match.header.match.startswith("demo-")
