"""Evidence on the disk: a power cut at any moment, the cap, and deletion with the match."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from companion.errors import BadInput, EvidenceMissing, MatchMissing, StoreFailed
from companion.evidence import archive as archive_module
from companion.evidence.archive import LEAST_CAP_BYTES, Archive
from companion.evidence.export import checked_export, match_zip
from companion.evidence.rows import Rows
from companion.store import DATABASE_NAME, SCHEMA_VERSION, Store
from tests.companion.evidence.made import frozen, grey_of
from tests.companion.helpers import header


@pytest.fixture
def match(tmp_path: Path) -> str:
    start = header()
    with Store(tmp_path) as store:
        store.create(start)
    return start.match


def test_it_comes_back_after_a_restart_with_its_pictures(tmp_path: Path, match: str) -> None:
    made = frozen(match, 4)
    with Store(tmp_path) as store:
        Archive(store).add(made)
    with Store(tmp_path, read_only=True) as store:
        archive = Archive(store)
        assert archive.read(match, 4) == made.evidence
        assert archive.pictures(made.evidence) == list(made.pictures)
        assert grey_of(archive.picture(match, 4, 1)) == 7
        (row,) = archive.rows(match)
        assert (row.seq, row.kind, row.disputed) == (4, "claim", "")
        with pytest.raises(EvidenceMissing):
            archive.read(match, 5)


def test_a_cut_between_file_and_row_loses_nothing(tmp_path: Path, match: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def power_cut(*_: object) -> None:
        raise KeyboardInterrupt

    with Store(tmp_path) as store:
        archive = Archive(store)
        monkeypatch.setattr(Rows, "add", power_cut)
        with pytest.raises(KeyboardInterrupt):
            archive.add(frozen(match, 4, "infraction"))
        monkeypatch.undo()
        assert archive.rows() == []
    with Store(tmp_path) as store:
        archive = Archive(store)
        (row,) = archive.rows()
        assert (row.seq, row.disputed) == (4, "infraction")
        assert archive.read(match, 4).seq == 4


def test_a_cut_while_the_file_is_written_leaves_nothing_half(
    tmp_path: Path, match: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store(tmp_path) as store:
        archive = Archive(store)
        folder = archive.path(match, 4).parent
        folder.mkdir(parents=True)
        (folder / ".4.zip.part").write_bytes(b"half")
        monkeypatch.setattr(archive_module, "write_durably", _full_disk)
        with pytest.raises(StoreFailed, match="space"):
            archive.add(frozen(match, 5))
        assert archive.rows() == []
    with Store(tmp_path) as store:
        assert Archive(store).rows() == []
        assert list(folder.iterdir()) == []


def _full_disk(*_: object) -> None:
    raise OSError(28, "No space left on device")


def test_a_cut_while_it_is_deleted_leaves_no_row_that_promises_a_file(
    tmp_path: Path, match: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def power_cut(*_: object) -> None:
        raise KeyboardInterrupt

    with Store(tmp_path) as store:
        archive = Archive(store)
        archive.add(frozen(match, 4))
        monkeypatch.setattr(Rows, "remove", power_cut)
        with pytest.raises(KeyboardInterrupt):
            archive.delete(match, 4)
        monkeypatch.undo()
    with Store(tmp_path) as store:
        assert Archive(store).rows() == []


def test_it_goes_with_the_record_of_its_match_even_when_the_power_fails_in_between(tmp_path: Path, match: str) -> None:
    other = header()
    with Store(tmp_path) as store:
        store.create(other)
        archive = Archive(store)
        for name in (match, other.match):
            archive.add(frozen(name, 4))
        store.delete(match)  # the power fails before the files go
    with Store(tmp_path) as store:
        archive = Archive(store)
        assert [row.match for row in archive.rows()] == [other.match]
        assert not archive.path(match, 4).exists()
        assert archive.delete_match(other.match) == 1
        assert archive.rows() == []
        assert not archive.path(other.match, 4).exists()
        with pytest.raises(MatchMissing):
            store.lines(other.match)
        with pytest.raises(MatchMissing):
            archive.add(frozen(other.match, 5))  # came too late
        assert not archive.path(other.match, 5).exists()


def test_the_cap_takes_the_oldest_undisputed_first_and_says_so(
    tmp_path: Path, match: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive_module, "LEAST_CAP_BYTES", 0)
    with Store(tmp_path) as store:
        archive = Archive(store)
        archive.add(frozen(match, 1, "infraction"), disputed="infraction")
        size = archive.rows()[0].bytes
        for seq in (2, 3, 4):
            archive.add(frozen(match, seq))
        archive.dispute(match, 2, "overruled")
        cut = archive.set_cap(int(size * 3.5))
        assert (cut.pieces, cut.disputed) == (1, 0)
        assert [row.seq for row in archive.rows()] == [1, 2, 4]
        cut = archive.add(frozen(match, 5))
        assert [row.seq for row in archive.rows()] == [1, 2, 5]
        cut = archive.set_cap(int(size * 1.5))
        assert (cut.pieces, cut.disputed) == (2, 1)
        assert [row.seq for row in archive.rows()] == [2]
        archive.dispute(match, 2, "")
        cut = archive.add(frozen(match, 6, "infraction"), disputed="infraction")
        assert [row.seq for row in archive.rows()] == [6]
        archive.dispute(match, 6, "")  # an infraction stays one
        assert archive.rows()[0].disputed == "infraction"
    with Store(tmp_path) as store:
        assert Archive(store).cap_bytes == int(size * 1.5)


def test_a_cap_below_reason_is_refused(tmp_path: Path, match: str) -> None:
    with Store(tmp_path) as store, pytest.raises(BadInput, match="10 MB or more"):
        Archive(store).set_cap(LEAST_CAP_BYTES - 1)


def test_a_store_of_the_first_version_is_carried_over_and_can_be_read_as_it_is(tmp_path: Path, match: str) -> None:
    path = tmp_path / DATABASE_NAME
    with sqlite3.connect(path) as connection:
        connection.executescript("DROP TABLE evidence; DROP TABLE settings; PRAGMA user_version = 1;")
    connection.close()
    with Store(tmp_path, read_only=True) as store:
        assert Archive(store).rows() == []
        assert Archive(store).cap_bytes > 0
        assert len(store.lines(match)) == 1
    with Store(tmp_path) as store:
        assert store.version == SCHEMA_VERSION == 2
        Archive(store).add(frozen(match, 4))
        assert len(Archive(store).rows()) == 1
        assert len(store.lines(match)) == 1


def test_a_changed_picture_is_found_out(tmp_path: Path, match: str) -> None:
    made = frozen(match, 4)
    with Store(tmp_path) as store:
        archive = Archive(store)
        archive.add(made)
        path = archive.path(match, 4)
        path.write_bytes(path.read_bytes().replace(made.pictures[1], made.pictures[1][:-1] + b"\x00"))
        with pytest.raises(EvidenceMissing):
            archive.pictures(made.evidence)


def test_the_export_binds_log_and_evidence_and_shows_what_was_changed(tmp_path: Path, match: str) -> None:
    with Store(tmp_path) as store:
        archive = Archive(store)
        archive.add(frozen(match, 4))
        lines = store.lines(match)
        data = match_zip(lines, archive, match)
    manifest = checked_export(data)
    assert [(each["file"], each.get("entry")) for each in manifest["files"]] == [
        ("match.jsonl", None),
        ("evidence/4.zip", 4),
    ]
    for wrong in (data.replace(b"evidence/4.zip", b"evidence/5.zip"), b"no zip"):
        with pytest.raises(ValueError, match=r"manifest|export|CRC"):
            checked_export(wrong)
    place = data.rindex(b"\xff\xd9")  # the end of the last picture
    with pytest.raises(ValueError, match=r"manifest|export|CRC"):
        checked_export(data[:place] + b"\xff\xd8" + data[place + 2 :])
