"""Greece Lightning in words: every ruling has its sentences in every language, with no fact that is not there."""

from __future__ import annotations

import logging
import random
import re
from types import SimpleNamespace
from typing import Any, get_args, get_type_hints

import msgspec
import pytest

from companion.catalogue import Catalogue, Sentences, languages
from companion.web.games import SCREENS
from companion.web.games.greece_lightning.words import FACTS
from rules.clauses import clauses_of
from rules.events import Submission
from rules.greece_lightning.answers import set_up_missing
from rules.greece_lightning.codes import CODES
from rules.greece_lightning.conduct import CONDUCT, OF_A_SEAT, OF_THE_TABLE
from rules.greece_lightning.events import GreeceLightningEvent
from rules.greece_lightning.favors import FavorTime
from rules.greece_lightning.game import GAME, REFEREE
from rules.greece_lightning.options import GreeceLightningOptions
from rules.greece_lightning.pack import default_pack
from rules.greece_lightning.rolling import REROLLS
from rules.greece_lightning.state import Waiting
from rules.rulings import accepted
from tests.rules.greece_lightning.players import Table, random_event
from tests.rules.greece_lightning.script import seats

PLACEHOLDER = re.compile(r"\{(\w+)\}")
LANGUAGES = languages()
ALWAYS = {"seat", "seat_name", "about", "code", "winners_name"}
READY = ("ships", "lap marker", "wake token", "navigation die", "movement dice", "fish")
HEADER = GAME.new_header("words", seats(4), {}, default_pack())


def families() -> set[str]:
    """Every key that is put together at run time."""
    found = {f"gl-wait.{each}" for each in get_args(get_type_hints(Waiting)["kind"])}
    found |= {f"gl-thing.{each}" for each in (*OF_A_SEAT, *OF_THE_TABLE, "starters", "laps", "movement")}
    found |= {f"gl-thing.{each}".replace(" ", "-") for each in READY}
    found |= {f"gl-conduct.{each}" for each in CONDUCT} | {f"gl-time.{each.value}" for each in FavorTime}
    found |= {f"gl-die.{each}" for each in (*REROLLS, "movement")}
    missing = set_up_missing(REFEREE.start(HEADER))
    return found | {f"gl-set-up.{each}".replace(" ", "-") for each in (*missing, "ships")}


@pytest.mark.parametrize("language", LANGUAGES)
def test_options_events_choices_and_chapters_have_names(language: str) -> None:
    """What the pages put together of an option, a kind of event, a button and a chapter."""
    options = msgspec.json.schema(GreeceLightningOptions)["$defs"]["GreeceLightningOptions"]["properties"]
    values = {value for each in options.values() for value in each.get("enum", ())}
    wanted = {f"option.{name}".replace("_", "-") for name in options}
    wanted |= {f"value.{each}".replace(" ", "-") for each in values}
    wanted |= {f"event.gl.{each.__struct_config__.tag}" for each in GreeceLightningEvent.__args__}
    wanted |= {f"section.{each.section}" for each in clauses_of("rules.greece_lightning").values()}
    assert sorted(wanted - Catalogue(language).keys()) == []
    assert len(wanted) > 70


def test_every_clause_is_translated_and_says_that_it_is_our_reading_exactly_when_it_is() -> None:
    italian = Catalogue("it")
    known = clauses_of("rules.greece_lightning")
    there = italian.keys()
    assert {key for key in there if key.startswith("clause.GL")} == {f"clause.{each}" for each in known}
    for each, found in known.items():
        assert italian.raw(f"clause.{each}")[0].startswith("Caso aperto:") is found.open_case, each


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_button_that_a_race_offers_has_words(language: str) -> None:
    catalogue = Catalogue(language)
    labels: set[str] = set()
    for seed in range(3):
        state = REFEREE.start(HEADER)
        table = Table(state, seed)
        for seq in range(1, 250):
            labels |= {option.label for option in REFEREE.options(state) if option.people}
            event = table.next(state)
            after = REFEREE.judge(state, Submission(event), seq).state
            table.follow(event, state, after)
            state = after
            if state.phase == "over":
                break
    assert [label for label in sorted(labels) if not catalogue.has(f"choice.{label}")] == []
    assert len(labels) > 15


@pytest.fixture
def _registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(SCREENS, GAME.name, SimpleNamespace(facts=FACTS))


def facts_of(code: str) -> set[str]:
    """Every name that a sentence of this code may use."""
    found = set(CODES[code]) | ALWAYS
    found |= {f"{fact}_name" for fact in CODES[code] if fact in FACTS.seats}
    return found | {f"{fact}_words" for fact in CODES[code] if fact in FACTS.codes or fact in FACTS.values}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_ruling_has_all_its_sentences_and_no_key_is_there_for_nothing(language: str) -> None:
    wanted = {f"{code}.{part}" for code in CODES for part in Sentences._fields} | families()
    known = Catalogue(language).keys()
    there = {key for key in known if key.startswith(("gl.", "gl-"))}
    assert sorted(wanted - there) == []
    assert sorted(there - wanted) == []
    assert len(wanted) > 700


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("code", sorted(CODES))
def test_sentences_name_only_facts_that_the_ruling_has_and_what_is_spoken_is_short(language: str, code: str) -> None:
    for part in Sentences._fields:
        (text,) = Catalogue(language).raw(f"{code}.{part}")
        assert set(PLACEHOLDER.findall(text)) <= facts_of(code), f"{code}.{part}"
        assert text.endswith((".", "!", "?", "{reason}"))
    assert len(Catalogue(language).raw(f"{code}.say")[0].split()) <= 12


@pytest.mark.usefixtures("_registered")
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_ruling_of_races_and_of_foolish_events_is_worded(language: str, caplog: pytest.LogCaptureFixture) -> None:
    """Nothing is left unfilled, and no code is spoken as it stands."""
    catalogue = Catalogue(language)
    codes: set[str] = set()
    with caplog.at_level(logging.ERROR):
        for seed in range(2):
            chance = random.Random(seed)
            state = REFEREE.start(HEADER)
            table = Table(state, seed)
            for seq in range(1, 400):
                if state.phase == "over":
                    break
                event = table.next(state)
                outcome = REFEREE.judge(state, Submission(event), seq)
                rulings = (
                    *outcome.rulings,
                    *REFEREE.judge(state, Submission(random_event(state, chance)), seq).rulings,
                )
                for ruling in rulings:
                    said = catalogue.ruling(ruling, HEADER)
                    assert all("{" not in sentence and ruling.code not in sentence for sentence in said), ruling
                    codes.add(ruling.code)
                table.follow(event, state, outcome.state)
                state = outcome.state
    assert caplog.records == []
    assert len(codes) > 60


@pytest.mark.usefixtures("_registered")
@pytest.mark.parametrize(
    ("code", "facts", "english", "italian"),
    [
        (
            "gl.waits",
            {"kind": "hydra", "owner": 2, "card": None},
            "First: the Hydra is fed, Ben.",
            "Prima: l'Idra si nutre, Ben.",
        ),
        (
            "gl.used",
            {"card": "hermes", "other": None, "place": None, "by_hand": False},
            "Ann uses Hermes.",
            "Ann usa Hermes.",
        ),
        (
            "gl.use-on-whom",
            {"card": "aphrodite", "choices": (2, 3)},
            "Aphrodite: on whom?",
            "Aphrodite: su chi?",
        ),
        ("gl.bonus", {"mark": "boost"}, "Ann: Speed Boost +3.", "Ann: Spinta +3."),
        ("gl.unpaid", {"die": "second", "face": 4}, "Ann: first a Fish; 4 stands.", "Ann: prima un Pesce; vale 4."),
        ("gl.counted", {"what": "supply", "count": 9, "expected": 9}, "Fish in the supply: 9. It agrees.",
         "Pesci nella riserva: 9. Corrisponde."),
    ],
)  # fmt: skip
def test_some_sentences_word_for_word(code: str, facts: dict[str, Any], english: str, italian: str) -> None:
    ruling = accepted(code, "GL-C1", seat=1, facts=facts)
    assert Catalogue("en").ruling(ruling, HEADER).say == english
    assert Catalogue("it").ruling(ruling, HEADER).say == italian


@pytest.mark.usefixtures("_registered")
def test_what_is_missing_and_who_may_be_chosen_is_listed_by_name() -> None:
    missing = accepted("gl.set-up-first", "GL-S18", seat=1, facts={"missing": ("circle", "wedges shuffled")})
    assert Catalogue().ruling(missing, HEADER).expected == (
        "First the set-up; still missing: the circle and the wedges shuffled."
    )
    whom = accepted("gl.use-on-whom", "GL-F17", seat=1, facts={"card": "aphrodite", "choices": (2, 3)})
    assert Catalogue().ruling(whom, HEADER).expected == "One of: Ben and Cleo."
    starters = accepted("gl.starters-wrong", "GL-S21", facts={"wrong": ("zeus",), "missing": ("janus", "apollo")})
    assert Catalogue().ruling(starters, HEADER).seen == (
        "Not the four Starter cards; wrong: Zeus, missing: Janus and Apollo."
    )
