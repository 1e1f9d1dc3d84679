"""A match to take away: its log, its evidence, and a manifest that binds them by SHA-256."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Sequence
from hashlib import sha256
from typing import Any, Final

from companion.evidence.archive import Archive

__all__ = ["EXPORT_VERSION", "checked_export", "match_zip"]

EXPORT_VERSION: Final = 1
LOG_NAME: Final = "match.jsonl"
MANIFEST_NAME: Final = "manifest.json"


def match_zip(lines: Sequence[bytes], archive: Archive, match: str) -> bytes:
    """One ZIP with the log (byte for byte), every evidence of the match, and the manifest.

    The manifest names each file with its size and SHA-256, says which entry an evidence belongs to, and names the hash
    of the log's last line: the log's own chain is as it was, and the evidence is bound to it from outside.
    """
    log = b"".join(line.rstrip(b"\n") + b"\n" for line in lines)
    files: list[tuple[str, bytes, dict[str, Any]]] = [(LOG_NAME, log, {"what": "log"})]
    for row in archive.rows(match):
        path = archive.path(match, row.seq)
        try:
            data = path.read_bytes()
        except OSError:
            continue  # deleted this moment
        about = {"what": "evidence", "entry": row.seq, "kind": row.kind, "disputed": row.disputed}
        if sha256(data).hexdigest() != row.sha256:
            about["note"] = f"differs from what was kept: expected {row.sha256}"
        files.append((f"evidence/{row.seq}.zip", data, about))
    manifest = {
        "version": EXPORT_VERSION,
        "match": match,
        "entries": max(0, len(lines) - 1),
        "last_line_sha256": sha256(lines[-1].rstrip(b"\n")).hexdigest() if lines else None,
        "files": [
            {"file": name, "bytes": len(data), "sha256": sha256(data).hexdigest(), **about}
            for name, data, about in files
        ],
    }
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        text = json.dumps(manifest, indent=1, ensure_ascii=False).encode() + b"\n"
        file.writestr(zipfile.ZipInfo(MANIFEST_NAME), text)
        for name, data, _ in files:
            packed = zipfile.ZIP_DEFLATED if name == LOG_NAME else zipfile.ZIP_STORED
            file.writestr(zipfile.ZipInfo(name), data, packed)
    return out.getvalue()


def checked_export(data: bytes) -> dict[str, Any]:
    """The manifest of such a ZIP, once every file in it is what the manifest says.

    Raises:
        ValueError: it is no export, a file is missing or was changed, or there is one that the manifest does not name.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as file:
            manifest: dict[str, Any] = json.loads(file.read(MANIFEST_NAME))
            named = {each["file"]: each for each in manifest["files"]}
            there = set(file.namelist()) - {MANIFEST_NAME}
            if there != set(named):
                raise ValueError(f"The files differ from those of the manifest: {sorted(there ^ set(named))}.")
            for name, each in named.items():
                if sha256(file.read(name)).hexdigest() != each["sha256"]:
                    raise ValueError(f"{name} was changed: its SHA-256 is not that of the manifest.")
    except (zipfile.BadZipFile, KeyError, TypeError) as error:
        raise ValueError(f"This is no export of a match ({error}).") from error
    return manifest
