"""What in plain data keeps it from being a record: every place, and what is expected there, in words for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from msgspec import inspect

__all__ = ["Misfit", "misfits", "place_words"]

Place = tuple[str | int, ...]


class Misfit(NamedTuple):
    """One thing that does not fit.

    Attributes:
        at: the way to it from the top: names of fields, and places in lists from 0.
        message: what is there, and what is expected.
    """

    at: Place
    message: str


def misfits(plain: Any, kind: Any) -> tuple[Misfit, ...]:
    """Everything in plain data (dicts, lists and scalars, from TOML or JSON) that a record of type `kind` cannot hold.

    It looks at the shape only: fields, lists, words, numbers. Empty when nothing is found.
    """
    return tuple(_misfits(plain, inspect.type_info(kind), ()))


def _misfits(value: Any, kind: inspect.Type, at: Place) -> Iterator[Misfit]:
    match kind:
        case inspect.StructType():
            yield from _of_record(value, kind, at)
        case inspect.VarTupleType() | inspect.ListType():
            if not isinstance(value, list | tuple):
                yield Misfit(at, f"It is {_shown(value)}; expected a list in square brackets.")
                return
            for place, element in enumerate(value):
                yield from _misfits(element, kind.item_type, (*at, place))
        case inspect.UnionType():
            found = [list(_misfits(value, each, at)) for each in kind.types]
            if all(found):
                # Of several kinds it is meant to be the one that it comes nearest to; nobody means to write nothing.
                meant = [
                    each for each, of in zip(found, kind.types, strict=True) if not isinstance(of, inspect.NoneType)
                ]
                yield from min(meant, key=len)
        case _:
            expected = _expected(value, kind)
            if expected:
                yield Misfit(at, f"It is {_shown(value)}; expected {expected}.")


def _of_record(value: Any, kind: inspect.StructType, at: Place) -> Iterator[Misfit]:
    names = [field.encode_name for field in kind.fields]
    if not isinstance(value, dict):
        yield Misfit(at, f"It is {_shown(value)}; expected a table with the fields {', '.join(names)}.")
        return
    for field in kind.fields:
        if field.encode_name in value:
            yield from _misfits(value[field.encode_name], field.type, (*at, field.encode_name))
        elif field.required:
            yield Misfit(at, f"The field {field.encode_name} is missing.")
    for name in value:
        if name not in names:
            yield Misfit((*at, name), f"There is no field {name!r} here; expected one of: {', '.join(names)}.")


def _expected(value: Any, kind: inspect.Type) -> str:
    """What is expected instead of a scalar; empty when it fits, or when nobody can say."""
    match kind:
        case inspect.EnumType():
            words = [each.value for each in kind.cls]
            return "" if value in words else f"one of: {', '.join(str(word) for word in words)}"
        case inspect.LiteralType():
            return "" if value in kind.values else f"one of: {', '.join(str(each) for each in kind.values)}"
        case inspect.BoolType():
            return "" if isinstance(value, bool) else "true or false"
        case inspect.IntType():
            return "" if isinstance(value, int) and not isinstance(value, bool) else "a whole number, without quotes"
        case inspect.FloatType():
            return "" if isinstance(value, int | float) and not isinstance(value, bool) else "a number, without quotes"
        case inspect.StrType():
            return "" if isinstance(value, str) else "a text in quotes"
        case inspect.NoneType():
            return "" if value is None else "nothing"
    return ""


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, list | tuple):
        return "a list"
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value)


def place_words(plain: Any, at: Sequence[str | int]) -> str:
    """A place in plain data as people find it: what lies in a list by its id where it has one, else by its number.

    `("wedge", 0, "dots", 1, "marks", 0)` is "wedge lyre-1, dots a2, marks 1".
    """
    words: list[str] = []
    here = plain
    for part in at:
        try:
            here = here[part]
        except (KeyError, IndexError, TypeError):
            here = None
        if isinstance(part, str):
            words.append(part)
            continue
        identity = here.get("id") if isinstance(here, dict) else None
        named = identity if isinstance(identity, str) and identity.strip() else str(part + 1)
        words[-1:] = [f"{words[-1]} {named}"] if words else [named]
    return ", ".join(words)
