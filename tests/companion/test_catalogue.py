"""The catalogue: every key that anything uses is there in every language, with the same facts."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args, get_type_hints

import msgspec
import pytest

from companion.catalogue import DEFAULT_LANGUAGE, LOCALES, Catalogue, Sentences, languages
from companion.facts import derived_names
from companion.live.sight import Reason
from companion.web import present, seats
from companion.web.games import SCREENS
from companion.web.games.greece_lightning import forms as race_forms
from companion.web.games.lightning_dice import BREACH_DETAILS
from companion.web.games.thunder_and_lightning import forms
from device.buttons.base import BUTTONS
from rules.clauses import clauses_of
from rules.events import CoreEvent, Source
from rules.games import GAMES
from rules.greece_lightning.components import Mark
from rules.greece_lightning.events import GreeceLightningEvent
from rules.greece_lightning.options import GreeceLightningOptions
from rules.greece_lightning.state import Waiting as RaceWaiting
from rules.header import Header, Seat
from rules.lightning_dice.events import SUSPICIONS, Call, LightningDiceEvent
from rules.lightning_dice.options import LightningDiceOptions
from rules.match import CORE_CODES
from rules.rulings import Effect, Refusal, Verdict, accepted
from rules.thunder_and_lightning.codes import CODES as THUNDER_CODES
from rules.thunder_and_lightning.components import Kind, Role
from rules.thunder_and_lightning.conduct import CONDUCT
from rules.thunder_and_lightning.events import ThunderAndLightningEvent
from rules.thunder_and_lightning.options import ThunderAndLightningOptions
from rules.thunder_and_lightning.state import Waiting
from vision.readings import COLOURS, Unreadable
from vision.tracking.happenings import DieState, Trouble

COMPANION = Path(present.__file__).parent.parent
PLACEHOLDER = re.compile(r"\{(\w+)\}")
LANGUAGES = languages()
CODES: dict[str, tuple[str, ...]] = {**CORE_CODES, **THUNDER_CODES}
for _game in GAMES.values():
    for _referee in _game.referees:
        CODES.update(_referee.codes)
RESULTS = {code for code in CODES if ".won" in code}
EFFECTS = ("score", "cards", "card", "must-roll", "pending", "match", "position", "ruling", "other", "other-of-seat")
USES = ("hand", "column", "row", "thor", "loki")
ALWAYS = {"seat", "seat_name", "about", "code"}

HEADER = Header("lightning-dice", "1", "m", (Seat(1, "Ann", "red"), Seat(2, "Ben", "blue")))


def game_of(code: str) -> str:
    return {"tl": "thunder-and-lightning", "gl": "greece-lightning"}.get(code.partition(".")[0], "lightning-dice")


def names_in(text: str) -> set[str]:
    return set(PLACEHOLDER.findall(text))


def keys_in_sources() -> set[str]:
    """Every key that is written out in code, templates and scripts."""
    found: set[str] = set()
    for path in COMPANION.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        found |= set(re.findall(r"(?:\.text|\.maybe|abort)\(\s*(?:\d+,\s*)?\"([a-z][\w-]*\.[\w.-]+)\"", text))
        found |= set(re.findall(r"Refused\(\d+, \"([\w.-]+)\"", text))
        found |= set(re.findall(r"Notice\(\s*\"([\w.-]+)\"", text))
    for path in COMPANION.rglob("*.html"):
        found |= {
            key
            for key, dynamic in re.findall(r"\b(?:t|maybe)\(\s*['\"]([a-z][\w.-]*)['\"](\s*~)?", path.read_text())
            if not dynamic
        }
    for path in COMPANION.rglob("*.js"):
        found |= set(re.findall(r"['\"](js\.[\w.-]+)['\"]", path.read_text()))
    return found


def families() -> set[str]:
    """Every key that is put together at run time, from what it is put together of."""
    kinds = {each.__struct_config__.tag for each in (*LightningDiceEvent.__args__, *CoreEvent.__args__)}
    options = msgspec.json.schema(LightningDiceOptions)["$defs"]["LightningDiceOptions"]["properties"]
    values = {value for each in options.values() for value in each.get("enum", ())}
    found = {f"verdict.{each}" for each in Verdict} | {f"refusal.{each}" for each in Refusal}
    found |= {f"source.{each}" for each in Source} | {f"event.{each}" for each in kinds}
    found |= {f"call.{each}" for each in Call} | {f"colour.{each}" for each in COLOURS}
    found |= {f"reason.{each}".replace(" ", "-") for each in Unreadable} | {"reason.not-seen", "reason.moving"}
    found |= {f"shape.{each}" for each in seats.SHAPES} | {f"rule.{each}" for each in range(1, 8)}
    found |= {f"detail.{each}".replace(" ", "-") for each in BREACH_DETAILS}
    found |= {f"suspicion.{each}".replace(" ", "-") for each in SUSPICIONS} | {"reason.off-table"}
    found |= {f"notice.out-of-step.{each}".replace(" ", "-") for each in Trouble}
    found |= {f"option.{name}".replace("_", "-") for name in options}
    found |= {f"value.{each}".replace(" ", "-") for each in values}
    found |= {f"mode.{each}" for each in ("standard", "quick", "tournament", "quick-tournament")}
    found |= {f"why.{each}" for each in ("new-card", "bonus", "thunder", "breach", "turned", "off-table")}
    found |= {f"nav.{page}" for each in SCREENS.values() for page in each.regions}
    found |= {f"colours.state.{each}" for each in ("unknown", "waiting", "asked", "learned")}
    found |= {f"page.error.{each}" for each in (400, 403, 404, 405, 413, 429, 500)}
    packages = ("rules", "rules.lightning_dice")
    found |= {f"section.{each.section}" for package in packages for each in clauses_of(package).values()}
    found |= {f"settings.theme.{each}" for each in ("auto", "light", "dark")}
    found |= {f"settings.announce.{each}" for each in ("all", "rulings", "none", "everything")}
    found |= {f"help.key.{each}" for each in (1, 2, 3, 4, 5, 6, "f", "t", "r", "x", "space")}
    found |= {f"help.mistake.{each}" for each in ("dice", "card", "call", "score", "undo", "lost")}
    found |= {f"record.filter.{each}" for each in ("kind", "verdict", "seat")}
    found |= {f"goal.sum.{each}" for each in ("equal", "below", "at-most", "above", "at-least")}
    found |= {f"goal.count.{each}" for each in ("exactly", "at-least", "at-most")}
    found |= {f"goal.of.{each}" for each in ("odd", "even", "low", "high", "different")}
    found |= {f"judge.{each}" for each in ("uphold", "refuse")}
    found |= {f"judge.{what}.{each}" for what in ("decide", "overrule") for each in ("uphold", "refuse")}
    found |= {f"effect.{each}" for each in EFFECTS}
    found |= greece_lightning_families()
    found |= evidence_families()
    return found | thunder_and_lightning_families()


def greece_lightning_families() -> set[str]:
    options = msgspec.json.schema(GreeceLightningOptions)["$defs"]["GreeceLightningOptions"]["properties"]
    found = {f"mark.{each}" for each in Mark} | {f"option.{name}".replace("_", "-") for name in options}
    found |= {f"event.gl.{each.__struct_config__.tag}" for each in GreeceLightningEvent.__args__}
    found |= {f"race.waits.{each}" for each in get_args(get_type_hints(RaceWaiting)["kind"])}
    found |= {"race.move", "race.end-move", "spot.line", "spot.wedge"}
    found |= {f"race.group.{name}" for name in race_forms.GROUPS} | {"race.field.count"}
    fields = (*race_forms.ASKED.values(), *race_forms.AMENDED.values(), *race_forms.TOLD_APART.values())
    found |= {f"race.field.{name}" for names in fields for name in names}
    known = Catalogue("en").keys()
    for kind in (kind for kinds in race_forms.GROUPS.values() for kind in kinds):
        if not any(key.startswith(f"choice.gl.option.{kind}") for key in known):
            found.add(f"race.act.{kind}")
    found |= {f"help.mistake.gl.{each}" for each in ("reading", "fish", "ship", "finding", "undo", "lost")}
    return found | {f"section.{each.section}" for each in clauses_of("rules.greece_lightning").values()}


def evidence_families() -> set[str]:
    """What the pages of evidence put together: states of dice, buttons, cameras, why it is disputed."""
    states = {each.value.replace(" ", "-") for each in DieState} | {"unread", "covered-unread"}
    found = {f"evidence.{length}.{state}" for length in ("die", "short") for state in states}
    found |= {f"evidence.button.{each}" for each in (*BUTTONS, "switch")}
    found |= {f"evidence.camera.{each}" for each in ("watching", "lost", "none", "silent")}
    found |= {
        f"evidence.{what}.{kind}" for what in ("kind", "frozen", "dice", "exposed") for kind in ("claim", "infraction")
    }
    found |= {f"evidence.disputed.{each}" for each in ("infraction", "pending", "overruled", "amended")}
    return found


def thunder_and_lightning_families() -> set[str]:
    kinds = {each.__struct_config__.tag for each in ThunderAndLightningEvent.__args__}
    dialogs = kinds - {"decide", "conduct", "vouch"}
    fields = {name for each in ThunderAndLightningEvent.__args__ for name in each.__struct_fields__}
    waits = get_args(get_type_hints(Waiting)["kind"])
    options = msgspec.json.schema(ThunderAndLightningOptions)["$defs"]["ThunderAndLightningOptions"]["properties"]
    found = {f"event.tl.{each}" for each in kinds - {"decide"}} | {f"act.{each}" for each in dialogs}
    found |= {f"field.{each}" for each in fields - {"target", "decision", "reason"}}
    found |= {f"field.cards.{each}" for each in ("stack", "deal", "count")}
    found |= {f"lying.{each}" for each in ("down", "open", "several", "nothing")}
    found |= {f"field.{each}.none" for each in ("at", "to", "target_column", "back")}
    found |= {f"{family}.{each}" for family in ("wait", "waits") for each in waits}
    found |= {f"kind.{each}" for each in Kind} | {f"role.{each}" for each in Role} | {f"value.{each}" for each in Role}
    found |= {f"group.{each}" for each in forms.GROUPS} | {f"conduct.{each}" for each in CONDUCT}
    found |= {f"column.{each}" for each in ("left", "middle", "right")} | {f"number.{each}" for each in range(1, 5)}
    found |= {f"count.{each}" for each in ("hand", "deck", "pile", "points")} | {f"use.{each}" for each in USES}
    found |= {f"remedy.{each}" for each in ("void", "beaten", "as-weak", "judge", "take-back")}
    found |= {f"why.{each}" for each in ("draw", "lay", "lead", "challenge", "play")}
    found |= {f"wait.{each}" for each in ("turn-up", "stop")}
    found |= {f"expected.{each}" for each in ("shown", "replaced", "back", "once")}
    found |= {f"option.{name}".replace("_", "-") for name in options}
    found |= {f"section.{each.section}" for each in clauses_of("rules.thunder_and_lightning").values()}
    found |= {f"spoken.setup.{each}" for each in ("shuffle", "deal", "replace", "shuffle-back", "lay")}
    found |= {f"{family}.{each}" for family in ("spoken.active", "active") for each in ("berserker", "idunn")}
    found |= {f"question.{each}.words" for each in ("challenge", "flank", "strike")}
    found |= {f"judge.claim.{each}" for each in ("uphold", "refuse")}
    found |= {f"finding.{each}{more}" for each in ("uphold", "refuse") for more in ("", ".title", ".done")}
    found |= {f"private.how.{each}" for each in ("nook", "card", "press", "take")}
    found |= {f"private.reason.{each}" for each in get_args(Reason)}
    found |= {f"help.mistake.tl.{each}" for each in ("reading", "impossible", "finding", "count", "undo", "lost")}
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_key_that_is_used_is_there(language: str) -> None:
    used = keys_in_sources() | families()
    assert len(used) > 250
    missing = sorted(used - Catalogue(language).keys())
    assert missing == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_ruling_has_all_its_sentences(language: str) -> None:
    catalogue = Catalogue(language)
    wanted = {f"{code}.{part}" for code in CODES for part in Sentences._fields}
    assert len(CODES) > 90
    assert sorted(wanted - catalogue.keys()) == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("code", sorted(CODES))
def test_sentences_name_only_facts_that_the_ruling_has(language: str, code: str) -> None:
    allowed = set(ALWAYS)
    for fact in CODES[code]:
        allowed.update(derived_names(fact, game_of(code)))
    if code in RESULTS:
        allowed |= {"winners_name"}
    for part in Sentences._fields:
        for form in Catalogue(language).raw(f"{code}.{part}"):
            assert names_in(form) <= allowed, f"{code}.{part}"


@pytest.mark.parametrize("language", [each for each in LANGUAGES if each != DEFAULT_LANGUAGE])
def test_placeholders_are_the_same_in_every_language(language: str) -> None:
    own, default = Catalogue(language), Catalogue(DEFAULT_LANGUAGE)
    strange = sorted(key for key in own.keys() - default.keys() if not key.startswith("clause."))
    assert strange == []
    assert sorted(default.keys() - own.keys()) == []
    for key in sorted(default.keys()):
        theirs = {name for form in default.raw(key) for name in names_in(form)}
        ours = {name for form in own.raw(key) for name in names_in(form)}
        assert ours == theirs, key


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_spoken_is_short(language: str) -> None:
    catalogue = Catalogue(language)
    for code in CODES:
        (say,) = catalogue.raw(f"{code}.say")
        assert len(say.split()) <= 12, say


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_key_is_there_for_nothing(language: str) -> None:
    used = keys_in_sources() | families() | {f"{code}.{part}" for code in CODES for part in Sentences._fields}
    prefixes = ("clause.", "advice.", "choice.", "effect.", "count.", "where.", "fact.", "page.error.", "game.")
    prefixes += ("ruling.unknown.", "notice.", "remark.", "page.", "value.", "call.", "language.", "reason.")
    prefixes += ("gl.", "gl-")  # test_greece_lightning_words holds these
    prefixes += ("doctor.", "pin.use.", "setup.", "wiring.", "label.")  # tests of their own hold these
    idle = sorted(key for key in Catalogue(language).keys() - used if not key.startswith(prefixes))
    assert idle == []


def test_advice_is_worded_for_every_code_it_can_be() -> None:
    keys = Catalogue().keys()
    advice = {key.removeprefix("advice.") for key in keys if key.startswith("advice.")}
    assert advice <= set(CODES)


def test_seat_numbers_become_names_and_places_count_from_one() -> None:
    ruling = accepted("ld.tie-void", "LD-S40", facts={"tied": (1, 2), "call": "got-it"})
    assert Catalogue().ruling(ruling, HEADER).seen == "Right calls too close to separate: Ann and Ben."
    assert Catalogue("it").ruling(ruling, HEADER).seen == "Chiamate giuste troppo vicine: Ann e Ben."
    moving = accepted("ld.moving", "LD-S7", seat=2, facts={"places": (0, 5)})
    assert Catalogue().ruling(moving, HEADER).seen == "Dice of Ben are moving: 1 and 6."


def test_unreadable_dice_are_named_and_never_left_out() -> None:
    ruling = accepted("ld.roll-unread", "LD-S8", seat=1, facts={"faces": (1, None, 3, 4, 5, 6), "unreadable": (1,)})
    assert Catalogue().ruling(ruling, HEADER).say == "Ann: 1, unread, 3, 4, 5, 6."


@pytest.mark.parametrize(("count", "words"), [(1, "1 entry"), (2, "2 entries"), (0, "0 entries")])
def test_plural_forms_follow_the_language(count: int, words: str) -> None:
    assert Catalogue().text("record.count", count=count) == words


def test_what_is_missing_is_taken_from_the_default_language(tmp_path: Path) -> None:
    for language, text in (("en", "Hello"), ("de", None)):
        folder = tmp_path / language
        folder.mkdir()
        body = f'msgid ""\nmsgstr "Language: {language}\\n"\n\n' + (f'msgid "a.b"\nmsgstr "{text}"\n' if text else "")
        (folder / "messages.po").write_text(body, encoding="utf-8")
    german = Catalogue("de", folder=tmp_path)
    assert german.text("a.b") == "Hello"
    assert german.text("c.d") == "c.d"
    assert languages(tmp_path) == ("en", "de")
    with pytest.raises(LookupError, match="xx"):
        Catalogue("xx", folder=tmp_path)


def test_facts_cannot_reach_into_the_program() -> None:
    assert Catalogue().text("core.note.seen", text="{text.__class__}") == "A note for the record: {text.__class__}"


def test_an_unknown_effect_and_code_are_still_worded() -> None:
    effect = Effect("lightning rod", 1, 0, 1)
    assert Catalogue().effect(effect, HEADER) == "lightning rod of Ann: 0 → 1"
    assert "ld.of-later" in Catalogue().ruling(accepted("ld.of-later", "LD-S1"), HEADER).seen


def test_locales_are_in_the_package() -> None:
    assert (LOCALES / "it" / "messages.po").is_file()
    assert BUTTONS


def test_dice_that_do_not_count_are_told_from_those_that_cannot_be_read() -> None:
    facts = {"call": "got-it", "faces": (1, None, None), "idle": (1,), "unreadable": (2,)}
    ruling = accepted("ld.unproven", "LD-S44", seat=1, facts=facts)
    assert "with 1, not counted, unread;" in Catalogue().ruling(ruling, HEADER).seen


@pytest.mark.parametrize("package", ["rules", *(each.package for each in GAMES.values())])
def test_a_translated_clause_says_that_it_is_our_reading_exactly_when_it_is(package: str) -> None:
    italian = Catalogue("it")
    there = {each: found for each, found in clauses_of(package).items() if italian.raw(f"clause.{each}")}
    assert there
    for each, found in there.items():
        assert italian.raw(f"clause.{each}")[0].startswith("Caso aperto:") is found.open_case, each


def test_every_clause_of_thunder_and_lightning_is_translated() -> None:
    known = {f"clause.{each}" for each in clauses_of("rules.thunder_and_lightning")}
    assert len(known) > 270
    own = Catalogue("it").keys()
    assert {each for each in own if each.startswith("clause.TL")} == known
