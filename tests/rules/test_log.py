"""The match log: nobody can change it quietly, and a cut last line loses nothing that was whole."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.errors import BrokenLog, UnknownGame
from rules.events import Note, Pause, Resume, Submission, Undo
from rules.games import game_named, new_match
from rules.header import Seat
from rules.log import entry_line, header_line, log_lines, read_log, replay
from rules.match import Match

SEATS = (Seat(1, "Ann", "red"), Seat(2, "Ben", "blue"))


def a_match(*events: object) -> Match[object]:
    match = new_match(game_named("lightning-dice").new_header("m1", SEATS))
    for event in events or (Note("first"), Pause("tea"), Resume(), Undo(1, "again"), Note("naïve ☂")):
        match.submit(Submission(event))
    return match


def test_a_log_replays_to_the_same_entries_and_state() -> None:
    match = a_match()
    again = replay(log_lines(match))
    assert again.match.entries == match.entries
    assert again.match.state == match.state
    assert again.match.header == match.header
    assert again.dropped_bytes == 0


def test_the_log_of_a_replayed_match_is_the_same_to_the_byte() -> None:
    lines = list(log_lines(a_match()))
    assert list(log_lines(replay(lines).match)) == lines


@given(st.data())
def test_any_changed_byte_is_found(data: st.DataObject) -> None:
    lines = list(log_lines(a_match()))
    number = data.draw(st.integers(0, len(lines) - 1))
    place = data.draw(st.integers(0, len(lines[number]) - 1))
    other = data.draw(st.integers(0, 255).filter(lambda byte: byte != lines[number][place]))
    changed = bytearray(lines[number])
    changed[place] = other
    lines[number] = bytes(changed)
    try:
        again = replay(lines)
    except (BrokenLog, UnknownGame):
        return
    # White space at the end of a line and inside the wrapper is no part of the record.
    assert again.match.entries == a_match().entries
    assert again.last_hash == replay(log_lines(a_match())).last_hash


@pytest.mark.parametrize("number", [0, 2, 5], ids=["header", "middle", "last"])
def test_a_dropped_line_is_found_unless_it_was_the_last(number: int) -> None:
    lines = list(log_lines(a_match()))
    seal = replay(lines).last_hash
    del lines[number]
    if number == 5:
        assert replay(lines).last_hash != seal
    else:
        with pytest.raises(BrokenLog):
            replay(lines)


def test_swapped_lines_are_found() -> None:
    lines = list(log_lines(a_match()))
    lines[2], lines[3] = lines[3], lines[2]
    with pytest.raises(BrokenLog, match="Line 3"):
        replay(lines)


def test_a_log_whose_hashes_were_made_anew_is_still_found_when_a_ruling_was_changed() -> None:
    match = a_match(Note("first"), Pause())
    line, digest = header_line(match.header)
    forged = [line]
    for entry in match.entries:
        plain = json.loads(entry_line(digest, entry)[0])["entry"]
        plain["rulings"][0]["code"] = "core.resume"
        changed = match.referee.read_entry(json.dumps(plain))
        line, digest = entry_line(digest, changed)
        forged.append(line)
    read_log(forged)
    with pytest.raises(BrokenLog, match=r"is ruled 'core.note' now, the log says 'core.resume'"):
        replay(forged)


def test_a_last_line_cut_at_any_byte_loses_only_itself() -> None:
    match = a_match()
    lines = list(log_lines(match))
    for kept in range(1, len(lines[-1])):
        cut = [*lines[:-1], lines[-1][:kept]]
        again = replay(cut, repair=True)
        assert again.match.entries == match.entries[:-1]
        assert again.dropped_bytes == kept
        with pytest.raises(BrokenLog, match="Line 6"):
            replay(cut)


def test_a_broken_line_in_the_middle_is_never_repaired() -> None:
    lines = list(log_lines(a_match()))
    lines[2] = lines[2][:20]
    with pytest.raises(BrokenLog, match="Line 3"):
        replay(lines, repair=True)


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        ([], "empty"),
        ([b"\n", b"\n"], "empty"),
        ([b"not json"], "not a log header"),
        ([b'{"hash": "0", "header": {}}'], "not a log header"),
    ],
    ids=["nothing", "blank lines", "no JSON", "no header fields"],
)
def test_what_is_no_log_says_so(lines: list[bytes], problem: str) -> None:
    with pytest.raises(BrokenLog, match=problem):
        replay(lines)


def test_a_log_of_unknown_rules_names_what_is_known() -> None:
    header = game_named("lightning-dice").new_header("m1", SEATS)
    plain = json.loads(header_line(header)[0])["header"] | {"rules_version": "lightning-dice/999"}
    from rules.records import from_plain

    line, _ = header_line(from_plain(plain, type(header), what="a header"))
    with pytest.raises(UnknownGame, match=r"it has 1\. Use the release"):
        replay([line])
