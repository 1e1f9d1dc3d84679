"""What keeps plain data from being a record is told place by place, with what is expected there."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Literal

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.misfits import misfits, place_words
from rules.records import Record


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


class Part(Record, frozen=True):
    id: str
    size: int = 1


class Thing(Record, frozen=True):
    name: str
    parts: tuple[Part, ...] = ()
    colour: Colour = Colour.RED
    weight: float | None = None
    kind: Literal["big", "small"] = "big"
    whole: bool = True


GOOD: dict[str, Any] = {"name": "boat", "parts": [{"id": "mast"}, {"id": "oar", "size": 3}], "weight": 2}


def test_nothing_is_said_of_what_fits() -> None:
    assert misfits(GOOD, Thing) == ()


@pytest.mark.parametrize(
    ("changed", "at", "words"),
    [
        pytest.param({"name": 3}, ("name",), "It is 3; expected a text in quotes.", id="a number for a text"),
        pytest.param({"weight": "2"}, ("weight",), "It is '2'; expected a number, without quotes.", id="or nothing"),
        pytest.param({"whole": "no"}, ("whole",), "It is 'no'; expected true or false.", id="a text for yes or no"),
        pytest.param({"kind": "tiny"}, ("kind",), "It is 'tiny'; expected one of: big, small.", id="another word"),
        pytest.param({"colour": "Red"}, ("colour",), "It is 'Red'; expected one of: red, blue.", id="a capital"),
        pytest.param({"parts": {}}, ("parts",), "It is a table; expected a list in square brackets.", id="no list"),
        pytest.param({"parts": ["oar"]}, ("parts", 0), "It is 'oar'; expected a table with the fields id, size.",
                     id="a text for a table"),
        pytest.param({"parts": [{"id": "a", "size": True}]}, ("parts", 0, "size"),
                     "It is true; expected a whole number, without quotes.", id="yes for a number"),
        pytest.param({"parts": [{"size": 2}]}, ("parts", 0), "The field id is missing.", id="a field is missing"),
        pytest.param({"parts": [{"id": "a", "sise": 2}]}, ("parts", 0, "sise"),
                     "There is no field 'sise' here; expected one of: id, size.", id="a field is misspelt"),
    ],
)  # fmt: skip
def test_one_misfit_is_told(changed: dict[str, Any], at: tuple[str | int, ...], words: str) -> None:
    assert misfits({**GOOD, **changed}, Thing) == ((at, words),)


def test_all_of_them_are_told_at_once() -> None:
    found = misfits({"parts": [{"id": 1}, {"size": "x"}], "colour": "green"}, Thing)
    assert [each.at for each in found] == [(), ("parts", 0, "id"), ("parts", 1), ("parts", 1, "size"), ("colour",)]


@settings(max_examples=200, deadline=None)
@given(
    st.fixed_dictionaries(
        {},
        optional={
            "name": st.sampled_from(["boat", 1, None]),
            "parts": st.lists(
                st.fixed_dictionaries(
                    {}, optional={"id": st.sampled_from(["a", 1]), "size": st.sampled_from([1, 1.5, "1", None])}
                ),
                max_size=2,
            ),
            "colour": st.sampled_from(["red", "green", 3]),
            "weight": st.sampled_from([1, 1.5, None, "1", True]),
            "kind": st.sampled_from(["big", "tiny"]),
            "whole": st.sampled_from([True, 1]),
            "more": st.just(1),
        },
    )
)
def test_something_is_told_exactly_of_what_cannot_be_read(plain: dict[str, Any]) -> None:
    try:
        msgspec.convert(plain, Thing)
    except msgspec.ValidationError:
        assert misfits(plain, Thing)
    else:
        assert misfits(plain, Thing) == ()


@pytest.mark.parametrize(
    ("at", "words"),
    [
        ((), ""),
        (("name",), "name"),
        (("parts", 1, "size"), "parts oar, size"),
        (("parts", 7, "size"), "parts 8, size"),
        (("none", 0), "none 1"),
    ],
)
def test_a_place_is_named_as_people_find_it(at: tuple[str | int, ...], words: str) -> None:
    assert place_words(GOOD, at) == words
