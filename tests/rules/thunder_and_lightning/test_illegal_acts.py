"""Games with an illegal act slipped in: what can be seen is refused, what the record can show is found, and no more."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from rules.events import Source, Submission
from rules.rulings import Ruling, Verdict
from rules.thunder_and_lightning.components import Kind
from rules.thunder_and_lightning.events import (
    Challenge,
    Deal,
    Drawn,
    Hit,
    Lay,
    Lead,
    Play,
    Replace,
    ShowHand,
    Stack,
    TurnUp,
)
from tests.rules.thunder_and_lightning.acts import BARRED, KINDS
from tests.rules.thunder_and_lightning.asked import SET_UP, WAITS, try_out
from tests.rules.thunder_and_lightning.cheats import (
    UNDER_THE_TABLE,
    BarredChallenger,
    LeaderDown,
    Supposed,
    TreasureKept,
    believable,
    played,
    supposed,
)
from tests.rules.thunder_and_lightning.story import Entangled, Rules
from tests.rules.thunder_and_lightning.watching import Watched

TELLING = (TurnUp, ShowHand, Hit, Play, Lead, Stack, Drawn)
"""Events that tell what a hidden card is."""

DISBELIEF = {"tl.impossible", "tl.hand-impossible", "tl.wrong-back"}
"""Refusals of what cannot be, by all that was seen."""


def findings(rulings: tuple[Ruling, ...]) -> list[Ruling]:
    return [ruling for ruling in rulings if ruling.verdict is Verdict.INFRACTION]


# --- what everybody can see


def test_every_visible_illegal_act_is_refused_with_its_clause_wherever_it_is_slipped_in() -> None:
    tried: Counter[str] = Counter()
    for seed in range(36):
        watched, chance = Watched(seed), random.Random(seed)
        recent: list[Any] = []
        for number, event in enumerate(watched.events()):
            watched.honest(event)
            recent = [event] if isinstance(event, Play) else [*recent, event]
            if number > 12 and chance.random() < 0.6 and not watched.state.waiting:
                continue
            for name, (act, clauses) in try_out(watched, recent, chance):
                entry, position = watched.match.judge(Submission(act, Source.DECLARED))
                first = entry.rulings[0]
                assert first.verdict is Verdict.REFUSED, (name, seed, act, first)
                assert set(clauses.split()) & set(first.clauses), (name, seed, act, first)
                assert position.state == watched.state, (name, seed, act)
                tried[name] += 1
    expected = {*KINDS, *SET_UP, "unasked", "after the end", "fourth card of a Seer"}
    expected |= {f"anything else while it waits for {kind}" for kind in WAITS}
    assert expected <= set(tried), expected - set(tried)


# --- cards that come to light


def said(watched: Watched, one: Supposed) -> tuple[bool, bool] | None:
    """Whether the referee believes it, and whether it finds that a treasure was kept; None when it is refused for
    another reason than the cards."""
    entry, _ = watched.match.judge(Submission(one.event))
    first = entry.rulings[0]
    if first.verdict is Verdict.REFUSED:
        return (False, False) if first.code in DISBELIEF else None
    return True, any(ruling.code == "tl.late-treasure" for ruling in entry.rulings)


@pytest.mark.parametrize("batch", range(6))
def test_a_card_that_comes_to_light_is_believed_exactly_when_it_can_be_there(batch: int) -> None:
    """At every point where cards come to light: others than the real ones, held against every world that fits.

    What may be is never disbelieved, and what cannot be is always noticed.
    """
    outcomes: Counter[str] = Counter()
    for seed in range(batch * 6, batch * 6 + 6):
        watched, chance = Watched(7000 + seed), random.Random(seed)
        rules = Rules(watched.state.given.cards)
        for number, event in enumerate(watched.events()):
            watched.honest(event)
            found = coming(watched, number, chance)
            outcomes.update(held_against(watched, each, rules) for each in chance.sample(found, min(4, len(found))))
    assert outcomes["believed"] > 100
    assert outcomes["not believed"] > 20
    assert outcomes["entangled"] <= outcomes["believed"]


def coming(watched: Watched, number: int, chance: random.Random) -> list[Supposed]:
    """What might come to light now."""
    state, cards = watched.state, watched.state.given.cards
    if state.phase == "play" and state.waiting:
        every = supposed(watched.table, state.waiting[0], cards, chance)
        return [each for each in every if not isinstance(each.event, TurnUp) or asked(state, each)]
    if state.phase == "play" and watched.table.left and number % 9 == 0:
        return list(played(watched.table, cards, chance))
    return []


def held_against(watched: Watched, one: Supposed, rules: Rules) -> str:
    """The referee's answer held against what can be."""
    answer = said(watched, one)
    if answer is None:
        return "another reason"
    try:
        physical, lawful = believable(one.story, rules)
    except Entangled:
        return "entangled"
    expected = (physical, physical and not lawful)
    assert answer == expected, (watched.match.seq, one.event)
    return "believed" if physical else "not believed"


def asked(state: Any, one: Supposed) -> bool:
    """The card at this spot is one of those to be turned up."""
    waiting = state.waiting[0]
    return state.at(one.event.spot).token in (waiting.token, *waiting.tokens)


# --- players who break a rule with hidden cards


def cheated(seed: int, mind: Any, **options: Any) -> tuple[Watched, list[Any], list[Ruling]]:
    """A game up to the first finding (or its end), its events, and what was found."""
    watched = Watched(seed, options=options or None, mind=mind)
    events: list[Any] = []
    for event in watched.table.play():
        events.append(event)
        rulings = watched.submit(event)
        assert all(ruling.verdict is not Verdict.REFUSED for ruling in rulings), (event, rulings)
        found = findings(rulings)
        if found:
            return watched, events, found
    return watched, events, []


@pytest.mark.parametrize(("remedy", "games"), [("void", 200), ("beaten", 60)])
def test_a_barred_card_that_challenged_is_found_when_it_is_turned_up(remedy: str, games: int) -> None:
    kinds: Counter[Kind] = Counter()
    flanks = 0
    for seed in range(games):
        mind = BarredChallenger(seed)
        watched, events, found = cheated(seed, mind, barred_challenge=remedy)
        if mind.done is None:
            assert not found
            continue
        real = mind.done
        assert [ruling.code for ruling in found] == ["tl.late-barred"], (seed, found)
        announced = max(at for at, event in enumerate(events, 1) if isinstance(event, Challenge | Play))
        assert found[0].about == announced
        assert set(BARRED.get(real.kind, "TL-C9").split()) & set(found[0].clauses)
        assert {"TL-C14", "TL-C24"} <= set(found[0].clauses)
        assert found[0].facts["remedy"] == remedy
        assert isinstance(events[-1], TurnUp | Challenge | Play)
        if isinstance(events[announced - 1], Play):
            assert "TL-X9" in found[0].clauses
            flanks += 1
        there = [lying.card for side in watched.state.sides for column in side.columns for lying in column]
        assert (real.card.id in there) or remedy == "beaten"
        assert watched.state.turn is None or watched.state.turn.left == watched.table.left
        kinds[real.kind] += 1
    assert {Kind.SHIELD_WALL, Kind.NIGHTMARE} <= set(kinds)
    assert len(kinds) > 8
    assert flanks
    assert kinds[Kind.TREASURE] or games < 100


def test_a_leader_laid_face_down_is_found_when_it_is_turned_up_and_never_before() -> None:
    codes: Counter[str] = Counter()
    for seed in range(110):
        mind = LeaderDown(seed)
        watched, events, found = cheated(seed, mind)
        if mind.done is None:
            assert not found
            continue
        seen = isinstance(events[-1], TurnUp) and events[-1].card == mind.done.card.id
        assert bool(found) is seen, (seed, events[-1], found)
        if found:
            first = mind.done.first and "first-row" in found[0].code
            laid = found[0].about
            assert isinstance(watched.match.entries[laid - 1].filed.event, Lay)
            assert found[0].facts["laid"] == laid
            assert "TL-L5" in found[0].clauses
            assert ("TL-S11" in found[0].clauses) is first
            assert found[0].facts["remedy"] == "as weak"
            assert not watched.state.leader_in_play(found[0].seat)
        codes[found[0].code if found else "never seen"] += 1
    assert {"tl.late-leader", "tl.late-leader-first-row", "never seen"} == set(codes)


def test_a_treasure_kept_among_the_first_nine_is_found_exactly_when_no_later_card_can_be_it() -> None:
    outcomes: Counter[str] = Counter()
    for seed in range(160):
        mind = TreasureKept(seed)
        watched = Watched(seed, mind=mind)
        rules = Rules(watched.state.given.cards)
        for event in watched.table.play():
            rulings = watched.submit(event)
            assert all(ruling.verdict is not Verdict.REFUSED for ruling in rulings), (event, rulings)
            if mind.done is None and watched.state.phase == "play":
                break
            found = findings(rulings)
            if found:
                assert [ruling.code for ruling in found] == ["tl.late-treasure"], (seed, found)
                assert {"TL-S10", "TL-S7"} <= set(found[0].clauses)
                assert isinstance(watched.match.entries[found[0].about - 1].filed.event, Deal | Replace)
                assert found[0].facts["remedy"] == "judge"
                assert not all_fit_of(watched, found[0].seat, rules)
                outcomes["found"] += 1
                break
            if names_treasure(event):
                outcomes["may have been drawn"] += all_fit(watched, rules)
    assert outcomes["found"] > 3
    assert outcomes["may have been drawn"] > 3


def all_fit_of(watched: Watched, seat: int, rules: Rules) -> bool:
    try:
        return watched.table.stories[seat].possible(rules)
    except Entangled:
        return False


def all_fit(watched: Watched, rules: Rules) -> bool:
    """Nothing that was seen speaks against anybody; False when too much may be to tell."""
    for seat, story in watched.table.stories.items():
        try:
            assert story.possible(rules), (seat, watched.match.seq)
        except Entangled:
            return False
    return True


def names_treasure(event: Any) -> bool:
    """The Ring or Crown came to light."""
    return any(word in str(event) for word in ("-treasure", "thor-ring", "loki-crown"))


@pytest.mark.parametrize("hand", UNDER_THE_TABLE, ids=lambda hand: hand.__name__)
def test_cards_exchanged_under_the_table_are_found_exactly_when_the_record_can_show_it(hand: Any) -> None:
    """Up to the first thing that cannot be, every event is accepted; that one is refused with its clause."""
    outcomes: Counter[str] = Counter()
    for seed in range(24):
        watched, chance = Watched(5000 + seed), random.Random(seed)
        rules = Rules(watched.state.given.cards, lawful=False)
        moment, done, outcome = chance.randint(12, 70), False, "never"
        for number, event in enumerate(watched.table.play()):
            rulings = watched.submit(event)
            refused = rulings[0].verdict is Verdict.REFUSED
            if refused or isinstance(event, TELLING):
                try:
                    fits = all(story.possible(rules) for story in watched.table.stories.values())
                except Entangled:
                    outcome = "entangled"
                    break
                assert refused is not fits, (seed, number, event, rulings)
            if refused:
                assert rulings[0].code in DISBELIEF, (seed, event, rulings)
                assert {"TL-K5", "TC-1"} & set(rulings[0].clauses)
                outcome = "found"
                break
            if findings(rulings):
                outcome = "another finding"
                break
            if number >= moment and not done and not watched.state.waiting:
                done = hand(watched.table, chance)
        outcomes[outcome] += done
    assert outcomes["found"] > 1, outcomes
    assert outcomes["never"] + outcomes["another finding"], outcomes
