"""The record as rows: for the page, for filters, and as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from companion.catalogue import Catalogue
from companion.web.present import present_entry
from rules.header import Header
from rules.referee import Entry

__all__ = ["COLUMNS", "csv_of", "filtered", "rows_of"]

COLUMNS = (
    "entry", "ruling", "wall", "source", "kind", "seat", "player", "verdict", "refusal",
    "code", "clauses", "seen", "expected", "follows", "effects", "event",
)  # fmt: skip
"""Columns of the CSV; their names do not change with the language, so that spreadsheets keep working."""

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def rows_of(entries: Iterable[Entry], header: Header, catalogue: Catalogue) -> list[dict[str, Any]]:
    """Entries in words, oldest first."""
    return [present_entry(entry, header, catalogue) for entry in entries]


def filtered(rows: list[dict[str, Any]], wanted: Mapping[str, str]) -> list[dict[str, Any]]:
    """Rows with the kind of event, verdict and seat that are asked for; an empty wish asks for nothing."""

    def fits(row: dict[str, Any]) -> bool:
        if wanted.get("kind") and row["kind"] != wanted["kind"]:
            return False
        if wanted.get("verdict") and all(each["verdict"] != wanted["verdict"] for each in row["rulings"]):
            return False
        if wanted.get("seat"):
            seats = {str(row["seat"]), *(str(each["seat"]) for each in row["rulings"])}
            return wanted["seat"] in seats
        return True

    return [row for row in rows if fits(row)]


def csv_of(entries: Iterable[Entry], header: Header, catalogue: Catalogue) -> str:
    """The record as CSV, one line for each ruling."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(COLUMNS)
    for row in rows_of(entries, header, catalogue):
        for ruling in row["rulings"]:
            cells = (
                row["seq"], ruling["number"], row["wall"] or "", row["source"], row["kind"],
                ruling["seat"] or "", ruling["name"], ruling["verdict"], ruling["refusal"] or "",
                ruling["code"], " ".join(clause["id"] for clause in ruling["clauses"]),
                ruling["seen"], ruling["expected"], ruling["follows"], "; ".join(ruling["effects"]),
                msgspec.json.encode(row["event"]).decode(),
            )  # fmt: skip
            writer.writerow([_safe(cell) for cell in cells])
    return out.getvalue()


def _safe(cell: Any) -> Any:
    """Text that a spreadsheet would take for a formula gets an apostrophe before it."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULA_STARTS) else cell
