"""Evidence on the disk: one file for each, a row in the store, deleted with its match, and a cap on what it takes.

A file is written whole and flushed before its row is; at the next start a file without a row gets one, and a row
without its file goes. So a power cut leaves neither evidence that nobody finds nor a promise without evidence.
"""

from __future__ import annotations

import io
import logging
import shutil
import zipfile
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple

from companion.errors import BadInput, EvidenceMissing, MatchMissing, StoreFailed
from companion.evidence.freezing import Frozen
from companion.evidence.records import Evidence, encode, parse_evidence
from companion.evidence.rows import EvidenceRow, Rows
from companion.lock import write_durably
from companion.store import Store
from rules.errors import BadHeader, BrokenLog
from rules.header import Header
from rules.log import replay

__all__ = ["DEFAULT_CAP_BYTES", "FOLDER", "LEAST_CAP_BYTES", "MANIFEST", "Archive", "Cut", "open_evidence"]

FOLDER: Final = "evidence"
MANIFEST: Final = "evidence.json"
CAP_SETTING: Final = "evidence-cap-bytes"
DEFAULT_CAP_BYTES: Final = 1_000_000_000
"""About 400 claims of 1 s at 30 frames a second (2.5 MB each), many matches, on a card of a small computer."""
LEAST_CAP_BYTES: Final = 10_000_000
"""Below this not even the clips of one match would be kept."""

log = logging.getLogger(__name__)


class Cut(NamedTuple):
    """What the cap took: how many pieces of evidence, how many of them disputed, and how many bytes."""

    pieces: int
    disputed: int
    bytes: int


class Archive:
    """The evidence of one store. Safe to use from several threads."""

    def __init__(self, store: Store) -> None:
        """Make files and rows agree again, unless the store is only read."""
        self._store = store
        self._rows = Rows(store)
        self.folder = store.directory / FOLDER
        if not store.read_only:
            self._agree()

    def path(self, match: str, seq: int) -> Path:
        """Where the file of this evidence lies."""
        return self.folder / _safe(match) / f"{seq}.zip"

    @property
    def cap_bytes(self) -> int:
        """How much all evidence together may take."""
        given = self._rows.setting(CAP_SETTING)
        return DEFAULT_CAP_BYTES if given is None else int(given)

    def set_cap(self, cap_bytes: int) -> Cut:
        """Change the cap and keep to it at once; tells what had to go.

        Raises:
            BadInput: the cap is too small for anything.
        """
        if cap_bytes < LEAST_CAP_BYTES:
            raise BadInput(
                f"A cap of {cap_bytes / 1e6:g} MB is too small for evidence; give {LEAST_CAP_BYTES / 1e6:g} MB or more."
            )
        self._rows.set_setting(CAP_SETTING, str(cap_bytes))
        return self.keep_to_cap()

    def add(self, frozen: Frozen, *, disputed: str = "") -> Cut:
        """Keep evidence: its file, then its row; then the cap is kept to. `disputed` says why it is, if it is.

        Raises:
            StoreFailed: it could not be written; nothing of it is left.
        """
        evidence = frozen.evidence
        data = pack(frozen)
        path = self.path(evidence.match, evidence.seq)
        try:
            write_durably(path.parent, path.name, data)
        except OSError as error:
            raise StoreFailed(
                f"Evidence of entry {evidence.seq} could not be kept ({error.strerror}); look at the disk's space."
            ) from error
        try:
            self._rows.add(_row(evidence, data, disputed))
        except MatchMissing:  # deleted meanwhile
            path.unlink(missing_ok=True)
            raise
        return self.keep_to_cap(spare=(evidence.match, evidence.seq))

    def dispute(self, match: str, seq: int, why: str) -> None:
        """Say why this evidence is disputed, or with an empty word that it is no more."""
        self._rows.dispute(match, seq, why)

    def rows(self, match: str | None = None) -> list[EvidenceRow]:
        """What is kept, of one match or of all, oldest first."""
        return self._rows.all(match)

    def row(self, match: str, seq: int) -> EvidenceRow | None:
        """The row of this evidence."""
        return next((row for row in self._rows.all(match) if row.seq == seq), None)

    def read(self, match: str, seq: int) -> Evidence:
        """The record of this evidence.

        Raises:
            EvidenceMissing: none is kept, or its file is damaged.
        """
        with self._open(match, seq) as file:
            return open_evidence(file, f"entry {seq} of match {match}")

    def picture(self, match: str, seq: int, number: int) -> bytes:
        """The JPEG of a kept frame, as the camera gave it.

        Raises:
            EvidenceMissing: no such frame is kept.
        """
        with self._open(match, seq) as file:
            try:
                return file.read(f"{number:03}.jpg")
            except (KeyError, zipfile.BadZipFile) as error:
                raise EvidenceMissing(f"There is no frame {number} in the evidence of entry {seq}.") from error

    def pictures(self, evidence: Evidence) -> list[bytes]:
        """The JPEGs of its frames, in their order, each checked against its hash.

        Raises:
            EvidenceMissing: one is gone, damaged or changed.
        """
        found = []
        with self._open(evidence.match, evidence.seq) as file:
            for frame in evidence.frames:
                try:
                    data = file.read(frame.file)
                except (KeyError, zipfile.BadZipFile) as error:
                    raise EvidenceMissing(f"Picture {frame.file} of entry {evidence.seq} is gone ({error}).") from error
                if sha256(data).hexdigest() != frame.sha256:
                    raise EvidenceMissing(f"Picture {frame.file} of entry {evidence.seq} was changed.")
                found.append(data)
        return found

    def header(self, match: str) -> Header:
        """The header of a match of the store.

        Raises:
            MatchMissing: there is no such match.
        """
        try:
            return replay(self._store.lines(match)[:1]).match.header
        except (BadHeader, BrokenLog) as error:
            raise MatchMissing(f"The record of match {match} cannot be read ({error}).") from error

    def lines(self, match: str) -> list[bytes]:
        """The log of a match of the store, as `Store.lines`."""
        return self._store.lines(match)

    def delete(self, match: str, seq: int | None = None) -> int:
        """Delete the evidence of an entry, or of a whole match; how many there were.

        Raises:
            MatchMissing: nothing was kept of it.
        """
        rows = [row for row in self._rows.all(match) if seq is None or row.seq == seq]
        if not rows:
            what = f"match {match}" if seq is None else f"entry {seq} of match {match}"
            raise MatchMissing(f"No evidence is kept of {what}; `companion evidence list` says what is.")
        for row in rows:
            self._remove(row)
        return len(rows)

    def delete_match(self, match: str) -> int:
        """Delete the record of a match with all its evidence; how many pieces of evidence there were.

        Raises:
            MatchMissing: there is no such match.
        """
        count = len(self._rows.all(match))
        self._store.delete(match)
        shutil.rmtree(self.folder / _safe(match), ignore_errors=True)
        return count

    def keep_to_cap(self, spare: tuple[str, int] | None = None) -> Cut:
        """Delete until the cap is kept: the oldest that nobody disputes first; `spare` is never taken."""
        rows = self._rows.all()
        used = sum(row.bytes for row in rows)
        cap = self.cap_bytes
        if used <= cap:
            return Cut(0, 0, 0)
        pieces = disputed = freed = 0
        for row in sorted(rows, key=lambda each: (bool(each.disputed), each.number)):
            if used - freed <= cap:
                break
            if (row.match, row.seq) == spare:
                continue
            self._remove(row)
            pieces, disputed, freed = pieces + 1, disputed + bool(row.disputed), freed + row.bytes
        return Cut(pieces, disputed, freed)

    def _remove(self, row: EvidenceRow) -> None:
        self.path(row.match, row.seq).unlink(missing_ok=True)
        self._rows.remove(row.match, row.seq)

    def _open(self, match: str, seq: int) -> zipfile.ZipFile:
        try:
            return zipfile.ZipFile(self.path(match, seq))
        except FileNotFoundError as error:
            raise EvidenceMissing(f"No evidence is kept of entry {seq} of match {match}.") from error
        except (OSError, zipfile.BadZipFile) as error:
            raise EvidenceMissing(f"The evidence of entry {seq} of match {match} cannot be read ({error}).") from error

    def _agree(self) -> None:
        """Rows for files that have none, no rows for files that are gone, no files of matches that are gone."""
        if not self.folder.is_dir():
            for row in self._rows.all():
                self._rows.remove(row.match, row.seq)
            return
        for row in self._rows.all():
            if not self.path(row.match, row.seq).is_file():
                self._rows.remove(row.match, row.seq)
        known = {self.path(row.match, row.seq) for row in self._rows.all()}
        matches = {_safe(row.id) for row in self._store.matches()}
        for folder in sorted(path for path in self.folder.iterdir() if path.is_dir()):
            if folder.name not in matches:
                shutil.rmtree(folder, ignore_errors=True)
                continue
            for part in folder.glob(".*.part"):
                part.unlink(missing_ok=True)
            for path in sorted(folder.glob("*.zip")):
                if path not in known:
                    self._adopt(path)

    def _adopt(self, path: Path) -> None:
        data = path.read_bytes()
        try:
            with zipfile.ZipFile(io.BytesIO(data)) as file:
                evidence = open_evidence(file, path.name)
            if self.path(evidence.match, evidence.seq) != path:
                raise EvidenceMissing(f"{path.name} is of another entry.")
            self._rows.add(_row(evidence, data, "infraction" if evidence.kind == "infraction" else ""))
        except (zipfile.BadZipFile, EvidenceMissing, MatchMissing) as error:
            log.warning("%s is set aside: %s", path, error)
            path.rename(path.with_suffix(".broken"))


def pack(frozen: Frozen) -> bytes:
    """One file with the record and its pictures; byte for byte the same for the same evidence."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as file:
        for name, data in _members(frozen):
            file.writestr(zipfile.ZipInfo(name), data)  # ZipInfo: without the time of day
    return out.getvalue()


def open_evidence(file: zipfile.ZipFile, what: str) -> Evidence:
    """The record in such a file.

    Raises:
        EvidenceMissing: it has none, or none that can be read.
    """
    try:
        return parse_evidence(file.read(MANIFEST))
    except (KeyError, ValueError, zipfile.BadZipFile) as error:
        raise EvidenceMissing(f"The evidence of {what} cannot be read ({error}).") from error


def _members(frozen: Frozen) -> Iterator[tuple[str, bytes]]:
    yield MANIFEST, encode(frozen.evidence)
    for frame, picture in zip(frozen.evidence.frames, frozen.pictures, strict=True):
        yield frame.file, picture


def _row(evidence: Evidence, data: bytes, disputed: str) -> EvidenceRow:
    return EvidenceRow(
        0, evidence.match, evidence.seq, evidence.kind, len(data), sha256(data).hexdigest(), disputed, evidence.wall
    )


def _safe(match: str) -> str:
    """A folder's name for a match: its identity, where it is harmless; else the identity's hash."""
    harmless = match and all(each.isalnum() or each in "-_" for each in match)
    return match if harmless else sha256(match.encode()).hexdigest()[:32]
