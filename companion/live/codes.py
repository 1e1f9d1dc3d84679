"""The codes that let people act: one for each seat, the judge's PIN, and the key that signs their browsers' cookies.

They are kept with the match, so that a phone that was let in stays in when the program comes back after a power cut.
"""

from __future__ import annotations

import json
import os
import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.lock import write_durably
from rules.header import Header

__all__ = ["CODES_NAME", "Codes", "codes_for"]

CODES_NAME = "codes.json"
SEAT_DIGITS = 4
PIN_DIGITS = 6


@dataclass(frozen=True, slots=True)
class Codes:
    """What people type in to be let in, and the secret of the cookies."""

    judge_pin: str
    seats: dict[int, str]
    secret: bytes


def codes_for(directory: Path, header: Header) -> Codes:
    """The codes of the people of this match: those kept in the data directory, or new ones, kept from now on."""
    path = directory / CODES_NAME
    who = [[seat.number, seat.name] for seat in header.seats]
    kept = _kept(path)
    if kept is not None and kept.get("who") == who and kept.get("judge") == header.judge:
        seats = {int(number): code for number, code in kept["seats"].items()}
        return Codes(kept["pin"], seats, bytes.fromhex(kept["secret"]))
    codes = Codes(_digits(PIN_DIGITS), {}, secrets.token_bytes(32))
    for seat in header.seats:
        code = _digits(SEAT_DIGITS)
        while code in codes.seats.values():
            code = _digits(SEAT_DIGITS)
        codes.seats[seat.number] = code
    plain = {
        "who": who,
        "judge": header.judge,
        "pin": codes.judge_pin,
        "seats": {str(number): code for number, code in codes.seats.items()},
        "secret": codes.secret.hex(),
    }
    os.chmod(write_durably(directory, CODES_NAME, json.dumps(plain).encode()), 0o600)
    return codes


def _kept(path: Path) -> dict[str, Any] | None:
    try:
        plain = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return None
    return plain if isinstance(plain, dict) else None


def _digits(count: int) -> str:
    return f"{secrets.randbelow(10**count):0{count}d}"
