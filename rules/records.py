"""Frozen, strictly checked records and their one canonical JSON form."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec

from rules.errors import UnreadableInput

__all__ = ["Fact", "Record", "canonical", "decode", "from_plain"]

Fact = int | str | bool | None | tuple[int | str | None, ...]
"""A value that a sentence about a ruling may name."""

T = TypeVar("T")


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A frozen value with named fields; unknown fields are refused when it is read from JSON."""


def canonical(value: object) -> bytes:
    """The one JSON form of a value: keys sorted, no spaces, UTF-8. Equal values give equal bytes."""
    return msgspec.json.encode(value, order="sorted")


def decode(decoder: msgspec.json.Decoder[T], data: bytes | str, *, what: str) -> T:
    """Read JSON as the decoder's type.

    Raises:
        UnreadableInput: the text is no JSON, or not a `what` as the schema wants it.
    """
    try:
        return decoder.decode(data)
    except (msgspec.MsgspecError, UnicodeError, RecursionError, OverflowError) as error:
        raise UnreadableInput(f"This is not {what}: {error}. Expected JSON as `companion schema` prints it.") from error


def from_plain(value: Any, kind: type[T], *, what: str) -> T:
    """Turn plain dicts, lists and scalars (from TOML or JSON) into a record of type `kind`.

    Raises:
        UnreadableInput: a field is missing, unknown or of the wrong type; the message names the place.
    """
    try:
        return msgspec.convert(value, type=kind)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise UnreadableInput(f"This is not {what}: {error}.") from error
