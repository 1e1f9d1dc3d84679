"""What people put right: counts, claims, findings, entries; and that nothing else moves with it."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from rules.events import Adjust, Amend, Decision, Event, Overrule, Source, Undo
from rules.rulings import Refusal, Ruling, Verdict
from rules.thunder_and_lightning.corrections import FINDINGS
from rules.thunder_and_lightning.events import (
    Conduct,
    Count,
    Deal,
    Decide,
    Draw,
    EndTurn,
    Lay,
    Play,
    Stuck,
    TurnUp,
    Vouch,
)
from tests.rules.thunder_and_lightning.rows import run
from tests.rules.thunder_and_lightning.script import LOKI, THOR, Board, board, playing

UPHOLD, REFUSE = Decision.UPHOLD, Decision.REFUSE


def plain(event: Event) -> dict[str, Any]:
    written: dict[str, Any] = msgspec.to_builtins(event)
    return written


def finding(made: Board, code: str, seq: int | None = None) -> tuple[int, int]:
    """Entry and number of the ruling with this code."""
    entry = made.match.entries[-1 if seq is None else seq - 1]
    return entry.seq, [ruling.code for ruling in entry.rulings].index(code)


def overrule(made: Board, where: tuple[int, int], decision: Decision, source: Source = Source.DECLARED) -> Ruling:
    return made.submit(Overrule(where[0], decision, "looked again", where[1]), source)[0]


# --- counts


def test_a_miscounted_hand_was_miscounted_against_the_deck() -> None:
    made = board(hands=(6, 6))
    deck = made.state.side(THOR).deck
    ruling = made.rules(Adjust(THOR, "hand", 8, "counted twice"), "tl.adjusted", "TC-8")
    assert (made.state.side(THOR).hand, made.state.side(THOR).deck) == (8, deck - 2)
    assert (ruling.facts["before"], ruling.facts["after"], ruling.facts["reason"]) == (6, 8, "counted twice")
    made.rules(Adjust(THOR, "hand", 5, "counted again"), "tl.adjusted", "TL-K1")
    assert (made.state.side(THOR).hand, made.state.side(THOR).deck) == (5, deck + 1)
    assert made.rules(Count(THOR, "hand", 5), "tl.count", "TL-D3").verdict is Verdict.ACCEPTED


def test_cards_added_to_a_hand_may_be_anything_and_be_played() -> None:
    made = board(hands=(0, 6))
    made.refuse(Play(THOR, "thor-seer"), "tl.hand-empty", "TL-M1")
    made.accept(Adjust(THOR, "hand", 1, "one was under the sleeve"))
    made.rules(Play(THOR, "thor-seer"), "tl.seer", "TL-A1")


LIMITS = [
    pytest.param({"hands": (6, 6)}, "hand", 12, True, id="hand, twelve"),
    pytest.param({"hands": (6, 6)}, "hand", 13, False, id="hand, thirteen"),
    pytest.param({"hands": (6, 6)}, "hand", 0, True, id="hand, none"),
    pytest.param({"hands": (6, 6)}, "hand", -1, False, id="hand, less than none"),
    pytest.param({"hands": (6, 6), "decks": (2, None)}, "hand", 8, True, id="hand, the last of the deck"),
    pytest.param({"hands": (6, 6), "decks": (2, None)}, "hand", 9, False, id="hand, more than the deck"),
    pytest.param({"hands": (6, 6), "knows": ("loki-dragon", "")}, "hand", 1, True, id="hand, the enemy's card left"),
    pytest.param({"hands": (6, 6), "knows": ("loki-dragon", "")}, "hand", 0, False, id="hand, less than his card"),
    pytest.param({}, "points", 3, True, id="points, all"),
    pytest.param({}, "points", 4, False, id="points, more than the turn had"),
    pytest.param({}, "points", -1, False, id="points, less than none"),
]


@pytest.mark.parametrize(("given", "what", "value", "taken"), LIMITS)
def test_counts_have_limits(given: dict[str, Any], what: str, value: int, taken: bool) -> None:
    made = board(**given, spent=1)
    code = "tl.adjusted" if taken else "tl.out-of-range"
    ruling = made.rules(Adjust(THOR, what, value, "counted"), code, "TC-8")
    assert (ruling.facts["after"] if taken else ruling.facts["value"]) == value


def test_points_are_set_for_who_is_on_turn_alone() -> None:
    made = board()
    made.accept(Adjust(THOR, "points", 1, "two were used"), Draw(THOR), EndTurn(THOR))
    assert (made.state.turn.seat if made.state.turn else None) == LOKI
    made.refuse(Adjust(THOR, "points", 1, "again"), "tl.no-such-count", "TC-8")
    made.refuse(Adjust(LOKI, "deck", 1, "again"), "tl.no-such-count", "TC-8")
    made.refuse(Adjust(3, "hand", 1, "again"), "tl.no-such-seat", "TL-S1")


def test_points_given_back_after_a_turn_was_used_up_let_it_go_on() -> None:
    made = board(spent=3)
    made.refuse(Draw(THOR), "tl.no-points", "TL-T13")
    made.accept(Adjust(THOR, "points", 1, "a draw was counted twice"), Draw(THOR))
    made.refuse(Draw(THOR), "tl.no-points", "TL-T13")


# --- claims


def claimed(**options: Any) -> tuple[Board, int]:
    """Thor cannot draw, and nothing of his faces a card; whether he can lay his single card only he knows."""
    made = board(hands=(1, 6), decks=(0, None), loki=("", "", ""), **options)
    made.accept(Stuck(THOR))
    return made, made.match.seq


def test_a_claim_upheld_loses_the_match() -> None:
    made, target = claimed()
    ruling = made.rules(Decide(target, UPHOLD, "it is his leader"), "tl.stuck-upheld", "TL-E5")
    assert (ruling.verdict, ruling.about, made.state.winner) == (Verdict.PENALTY, target, LOKI)
    result = made.match.result()
    assert result is not None
    assert (result.winners, result.code) == ((LOKI,), "tl.won-stuck")


def test_a_claim_refused_leaves_the_turn_as_it_was() -> None:
    made, target = claimed()
    made.refuse(Draw(THOR), "tl.waits", "TL-E5")
    made.rules(Decide(target, REFUSE, "it can be laid"), "tl.stuck-refused", "TL-E9")
    assert (made.left, made.state.winner, made.state.waiting) == (3, None, ())
    made.accept(Lay(THOR, 1, 2))


def test_a_decision_needs_a_claim_of_its_number() -> None:
    made, target = claimed()
    made.refuse(Decide(target + 1, UPHOLD), "tl.nothing-waits", "TC-10")
    made.accept(Decide(target, REFUSE))
    made.refuse(Decide(target, REFUSE), "tl.nothing-waits", "TL-E5")
    board().refuse(Decide(1, UPHOLD), "tl.nothing-waits", "TC-10")


def test_a_decision_that_was_wrong_is_taken_back() -> None:
    made, target = claimed()
    before = made.state
    made.accept(Decide(target, UPHOLD))
    assert made.state.phase == "over"
    made.accept(Undo(target, "his card was not the leader"))
    assert made.state == before
    made.accept(Decide(target, REFUSE))
    assert made.state.turn is not None


# --- who may say it

SAYINGS = [
    pytest.param(Adjust(THOR, "points", 1, "counted"), "core.not-judge", id="Adjust"),
    pytest.param(Undo(0, "slip"), "core.not-judge", id="Undo"),
    pytest.param(Vouch(THOR, "thor-tyr", "looked"), "core.not-judge", id="Vouch"),
    pytest.param(Overrule(1, REFUSE, "looked"), "core.not-judge", id="Overrule"),
    pytest.param(Amend(1, plain(Conduct(THOR, "looks-own")), "misheard"), "core.not-judge", id="Amend"),
]


@pytest.mark.parametrize(("event", "code"), SAYINGS)
def test_a_camera_corrects_nothing_and_with_a_judge_nobody_else_does(event: Event, code: str) -> None:
    for judge, sources, may in (
        (None, (Source.CAMERA,), Source.DECLARED),
        ("Zoe", (Source.CAMERA, Source.DECLARED, Source.BUTTON, Source.TYPED), Source.JUDGE),
    ):
        made = board(judge=judge)
        made.accept(Conduct(THOR, "turns-down"))
        for source in sources:
            made.refuse(event, code, "TC-9", source)
        made.accept(event, source=may)


@pytest.mark.parametrize("source", [Source.CAMERA, Source.DECLARED])
def test_with_a_judge_only_the_judge_decides_a_claim(source: Source) -> None:
    made, target = claimed(judge="Zoe")
    made.refuse(Decide(target, UPHOLD), "core.not-judge", "TC-9", source)
    made.accept(Decide(target, UPHOLD), source=Source.JUDGE)


@pytest.mark.parametrize("reason", ["", "  "])
def test_a_correction_without_a_reason_is_none(reason: str) -> None:
    made = board()
    made.accept(Conduct(THOR, "turns-down"))
    for event in (Adjust(THOR, "hand", 5, reason), Vouch(THOR, "thor-tyr", reason), Undo(0, reason)):
        made.refuse(event, "core.no-reason", "TC-9")
    made.refuse(Overrule(1, REFUSE, reason), "core.no-reason", "TC-9")


# --- people's word for a card

TYR = "challenge 1; up T11 tyr; up L11 hel"
"""The box holds one Tyr, and it has been seen; a second one seems to be found after it."""
HAND = "show T tyr hel odin seer frigg ravens baldr hel"

SWORN = [
    pytest.param("challenge 2", "up T21 tyr", "tl.turned-up", id="turned up"),
    pytest.param("pass; ravens hand", "hit tyr", "tl.hit-placed", id="hit in the hand"),
    pytest.param("pass; frigg hand", HAND, "tl.hand-shown-champion", id="shown"),
    pytest.param("pass; seer", "drawn tyr", "tl.seer-row", id="drawn"),
]


@pytest.mark.parametrize(("script", "again", "code"), SWORN)
def test_a_word_for_a_card_is_believed_once(script: str, again: str, code: str) -> None:
    made = board()
    run(made, f"{TYR}; {script}")
    before = made.state
    (first,) = run(made, again)
    assert first.code in ("tl.impossible", "tl.hand-impossible")
    assert (first.refusal, "TL-K5" in first.clauses, made.state) == (Refusal.UNREADABLE, True, before)
    ruling = made.rules(Vouch(THOR, "thor-tyr", "a card from another box"), "tl.vouched", "TL-K5")
    assert ruling.facts == {"card": "thor-tyr", "reason": "a card from another box"}
    assert code in [each.code for each in run(made, again)]
    assert made.state.vouched == ()


def test_a_word_is_for_its_card_and_its_seat() -> None:
    made = board()
    run(made, f"{TYR}; challenge 2")
    made.accept(Vouch(LOKI, "thor-tyr", "looked"), Vouch(THOR, "thor-ring", "looked"))
    made.refuse(TurnUp((THOR, 2, 1), "thor-tyr"), "tl.impossible", "TL-K5")
    assert len(made.state.vouched) == 2


def test_a_word_for_a_card_that_may_be_there_is_not_needed_and_not_used() -> None:
    made = board()
    run(made, "challenge 2")
    made.accept(Vouch(THOR, "thor-tyr", "looked"), TurnUp((THOR, 2, 1), "thor-tyr"))
    assert made.state.vouched == ((THOR, "thor-tyr"),)


def test_nobody_vouches_for_a_card_that_is_in_no_box() -> None:
    made = board()
    made.refuse(Vouch(THOR, "thor-thor", "looked"), "tl.card-unknown", "TL-K1")
    made.refuse(Vouch(3, "thor-tyr", "looked"), "tl.no-such-seat", "TL-S1")


# --- findings

FOUND = [
    pytest.param("challenge 1; up L11 hel; up T11 shield-wall", "tl.late-barred", {}, id="barred"),
    pytest.param("frigg column L12; up L12 leader", "tl.late-leader", {"loki": ("hel ?", "?", "?")}, id="leader"),
    pytest.param("mjolnir L11; up L11 hel", "tl.weapon-missed", {"weapon_target": "guess"}, id="weapon"),
    pytest.param("conduct L peeks-field", "tl.conduct", {}, id="conduct"),
    pytest.param("count L deck 3", "tl.count-differs", {}, id="count"),
]


@pytest.mark.parametrize(("script", "code", "given"), FOUND)
def test_a_finding_is_withdrawn_and_upheld_and_nothing_is_played_anew(
    script: str, code: str, given: dict[str, Any]
) -> None:
    made = board(**given)
    assert code in FINDINGS
    rulings = run(made, script)
    where, state = finding(made, code), made.state
    assert rulings[where[1]].verdict is Verdict.INFRACTION
    first = overrule(made, where, REFUSE)
    assert (first.code, first.verdict, first.about) == ("tl.finding-withdrawn", Verdict.ACCEPTED, where[0])
    assert (first.facts["was"], first.effects[0].before, first.effects[0].after) == (code, "open", "withdrawn")
    assert overrule(made, where, REFUSE).code == "tl.already-so"
    second = overrule(made, where, UPHOLD)
    assert (second.code, second.verdict) == ("tl.finding-stands", Verdict.INFRACTION)
    assert (second.facts["was"], second.effects[0].before, second.effects[0].after) == (code, "withdrawn", "upheld")
    assert overrule(made, where, UPHOLD).code == "tl.already-so"
    assert overrule(made, where, REFUSE).code == "tl.finding-withdrawn"
    assert made.state == state


SET_UP = [
    pytest.param("challenge 1; up L11 leader", "tl.late-leader-first-row", id="leader in the first row"),
    pytest.param("challenge 1; up L11 dragon; up T11 ring", "tl.late-treasure", id="treasure among the nine"),
]


@pytest.mark.parametrize(("script", "code"), SET_UP)
def test_a_finding_about_set_up_names_the_entry_and_is_withdrawn(script: str, code: str) -> None:
    made = playing(past_first_turns=True)
    run(made, script)
    where, state = finding(made, code), made.state
    about = made.match.entries[where[0] - 1].rulings[where[1]].about
    assert about is not None
    assert isinstance(made.match.entries[about - 1].filed.event, Lay if code == "tl.late-leader-first-row" else Deal)
    assert overrule(made, where, REFUSE).code == "tl.finding-withdrawn"
    assert overrule(made, where, UPHOLD).code == "tl.finding-stands"
    assert made.state == state


def test_every_finding_is_tried() -> None:
    tried = {str(case.values[1]) for case in (*FOUND, *SET_UP)}
    assert tried | {"tl.finding-stands"} == FINDINGS


def test_a_finding_may_be_upheld_outright() -> None:
    made = board()
    made.accept(Conduct(LOKI, "peeks-field"))
    where = finding(made, "tl.conduct")
    ruling = overrule(made, where, UPHOLD)
    assert (ruling.code, "TL-B12" in ruling.clauses, "TC-7" in ruling.clauses) == ("tl.finding-stands", True, True)


def test_only_findings_are_overruled() -> None:
    made = board()
    made.accept(Draw(THOR))
    assert overrule(made, (1, 0), REFUSE).code == "tl.no-overrule"
    run(made, "challenge 1; up L11 hel; up T11 shield-wall")
    where = finding(made, "tl.late-barred")
    assert overrule(made, (where[0], 0), REFUSE).code == "tl.no-overrule"
    assert overrule(made, (where[0], 9), REFUSE).code == "core.not-overrulable"
    assert overrule(made, (99, 0), REFUSE).code == "core.no-such-entry"
    assert overrule(made, where, REFUSE).code == "tl.finding-withdrawn"


# --- entries put right


def test_a_misread_challenger_is_amended_and_the_finding_goes() -> None:
    made = board()
    run(made, "challenge 1; up T11 shield-wall; up L11 fire-giant")
    assert ("tl.late-barred" in [ruling.code for ruling in made.match.entries[-1].rulings], made.left) == (True, 2)
    ruling = made.rules(Amend(2, plain(TurnUp((THOR, 1, 1), "thor-tyr")), "misread"), "core.amended", "TC-6")
    assert {effect.after for effect in ruling.effects} >= {(3, "tl.won")}
    assert (made.column(THOR, 1), made.column(LOKI, 1), made.top(LOKI)) == (["thor-tyr"], [], "loki-fire-giant")
    assert made.match.standing(3, 1) is not None
    assert overrule(made, (3, 1), REFUSE).code == "tl.no-overrule"


def test_a_challenger_misread_as_lawful_becomes_a_late_finding() -> None:
    made = board()
    run(made, "challenge 1; up T11 tyr; up L11 fire-giant; draw")
    made.accept(Amend(2, plain(TurnUp((THOR, 1, 1), "thor-nightmare")), "misread"))
    assert (made.column(THOR, 1), made.column(LOKI, 1), made.top(LOKI)) == (
        ["thor-nightmare"],
        ["loki-fire-giant"],
        None,
    )
    assert made.left == 1
    found = made.match.standing(3, 1)
    assert found is not None
    assert (found[1].code, found[1].about) == ("tl.late-barred", 1)
    assert overrule(made, (3, 1), REFUSE).code == "tl.finding-withdrawn"


def test_a_late_finding_is_about_the_entry_that_laid_the_card_and_goes_when_that_is_amended() -> None:
    made = board(turn=LOKI)
    run(made, "lay 1 2; draw; draw; end; frigg column L11; up L11 hel; up L12 leader")
    where = finding(made, "tl.late-leader")
    late = made.match.entries[where[0] - 1].rulings[where[1]]
    assert (late.about, late.facts["laid"], late.facts["column"], late.facts["row"]) == (1, 1, 1, 2)
    made.accept(Amend(where[0], plain(TurnUp((LOKI, 1, 2), "loki-dragon")), "misread"))
    assert [ruling.code for ruling in made.match.position.line()[-1][0].rulings] == ["tl.turned-up", "tl.column-turned"]
    assert made.column(LOKI, 1) == ["loki-hel", "loki-dragon"]


def test_taking_back_a_late_finding_hides_the_card_again() -> None:
    made = board()
    run(made, "challenge 1; up L11 hel")
    before = made.state
    run(made, "up T11 shield-wall")
    where = finding(made, "tl.late-barred")
    made.rules(Undo(2, "the card was not turned"), "core.undone", "TC-5")
    assert made.state == before
    assert overrule(made, where, REFUSE).code == "core.not-in-play"
    made.accept(TurnUp((THOR, 1, 1), "thor-tyr"))
    assert made.column(LOKI, 1) == []


def test_an_amendment_of_what_would_be_refused_is_none() -> None:
    made = board()
    run(made, f"{TYR}; challenge 2; up L21 hel; up T21 hall-guards")
    before = made.state
    made.refuse(Amend(6, plain(TurnUp((THOR, 2, 1), "thor-tyr")), "misread"), "core.amend-refused", "TL-K5")
    made.refuse(Amend(6, {"kind": "turn-up", "spot": 3}, "misread"), "core.amend-refused", "TC-1")
    made.refuse(Amend(99, plain(Draw(THOR)), "misread"), "core.no-such-entry", "TC-10")
    assert made.state == before


def test_an_amended_end_opens_the_match_again() -> None:
    made = board(turn=LOKI)
    run(made, "challenge 1; up L11 dragon; up T11 ring")
    assert made.state.winner == LOKI
    made.refuse(Draw(LOKI), "tl.over", "TC-11")
    made.accept(Amend(3, plain(TurnUp((THOR, 1, 1), "thor-tyr")), "misread"))
    assert made.match.result() is None
    assert (made.column(THOR, 1), made.column(LOKI, 1)) == (["thor-tyr"], [])
