"""Cards that no shipped pack has: deeds of every kind, alone and where they meet other deeds and bounds."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from rules.greece_lightning.components import FavorKind
from rules.greece_lightning.events import Discard, FinishRoll, Reveal, Use
from rules.greece_lightning.favors import Deed, Favor, FavorEffect, FavorTime, Whom
from tests.rules.greece_lightning.script import Board, board, run, seen

ONE: dict[str, Any] = {"step": "reveal", "facedown": "1"}
"""Seat 1 has moved and has a Favor to reveal."""
HYDRA: dict[str, Any] = {"left": 5, "fish": "0", "seat": {1: {"dots_moved": 5}}, "tops": {4: "hydras"}}
"""Seat 1 has no Fish and is a dot before a Hydra that nothing protects it from."""


def with_cards(made: Board, *cards: Favor) -> Board:
    """The same position, and these cards in the box as well."""
    given = made.state.given
    known = {**given.favors, **{card.id: card for card in cards}}
    made.put(made.state.replace(given=msgspec.structs.replace(given, favors=known)))
    return made


THIEF = Favor(
    "thief", "Thief", FavorKind.TRIDENT, (FavorEffect(Deed.TAKE_FISH, 1, Whom.OTHER),), when=FavorTime.ROLLING
)
STORM = Favor("storm", "Storm", FavorKind.TRIDENT, (FavorEffect(Deed.FISH, -1),), when=FavorTime.ROLLING)
LUCK = Favor("luck", "Luck", FavorKind.BOAT, (FavorEffect(Deed.REROLL_SECOND, 2),), when=FavorTime.ROLLING)
RIDDLE = Favor("riddle", "Riddle", FavorKind.BOLT, (FavorEffect(Deed.BY_HAND),))
EVERYBODY = Favor("gift", "Gift", FavorKind.BOLT, (FavorEffect(Deed.DRAW_WEDGE, 1, Whom.ALL),))


def test_a_trident_that_leaves_a_choice_waits_for_its_holder_and_the_next_one_follows() -> None:
    made = board(left=0, favors="- - -", seat={2: {"played": True}, 3: {"played": True}})
    with_cards(made, THIEF, STORM)
    made.put(made.state.with_seat(2, favors=("thief", "storm")).replace(deck=made.state.deck - 2))
    rulings = run(made, "end")
    # The storm asks nothing, so it works at once; the thief waits.
    assert [ruling.code for ruling in rulings][-2:] == ["gl.trident-asks", "gl.trident-works"]
    assert (seen(made, "waits"), seen(made, "fish2")) == ("use", "1")
    assert run(made, "1: nav 2")[0].code == "gl.waits"
    assert made.submit(Discard(2, "thief"))[0].code == "gl.must-use"
    assert made.submit(Use(2, "thief"))[0].code == "gl.use-on-whom"
    assert made.submit(Use(2, "thief", 3))[0].code == "gl.used"
    assert (seen(made, "fish2"), seen(made, "fish3"), seen(made, "favors2")) == ("2", "1", "-")
    assert run(made, "1: nav 2")[0].code == "gl.navigation"


def test_two_tridents_that_both_leave_a_choice_follow_one_on_the_other() -> None:
    made = board(left=0, favors="- - -", seat={2: {"played": True}, 3: {"played": True}})
    with_cards(made, THIEF, msgspec.structs.replace(THIEF, id="robber"))
    made.put(made.state.with_seat(2, favors=("thief", "robber")).replace(deck=made.state.deck - 2))
    run(made, "end")
    assert made.submit(Use(2, "thief", 3))[0].code == "gl.used"
    assert seen(made, "waits") == "use"
    assert made.submit(Use(2, "robber", 1))[0].code == "gl.used"
    assert (seen(made, "waits"), seen(made, "fish2")) == ("-", "3")


def test_a_card_that_gives_two_rolls_gives_two() -> None:
    made = with_cards(board(turn=None, dice="2-4-2", fish="0"), LUCK)
    made.put(made.state.with_seat(1, favors=("luck",)))
    run(made, "use luck; again second favor; move 1; again second favor; move 5")
    assert run(made, "again second favor")[0].code == "gl.no-free-roll"
    assert made.submit(FinishRoll(1))[0].facts["total"] == 11


def test_a_card_that_no_deed_tells_is_carried_out_by_hand() -> None:
    made = with_cards(board(left=0, **ONE), RIDDLE)
    (ruling, *_) = made.submit(Reveal(1, "riddle"))
    assert (ruling.code, ruling.facts) == ("gl.bolt", {"card": "riddle", "by_hand": True})
    assert seen(made, "discard") == "riddle"


def test_wedges_drawn_in_anothers_turn_are_seen_and_placed_in_the_next_own_turn() -> None:
    made = with_cards(board("3b 8a 8d", turn=1, **ONE), EVERYBODY)
    made.submit(Reveal(1, "gift"))
    assert seen(made, "waits") == "wedge wedge wedge"
    run(made, "2: drawn fish; 3: drawn hydras; 1: drawn boosts")
    assert (seen(made, "turn"), seen(made, "step"), seen(made, "wedges2")) == ("2", "place", "fish")
    assert seen(made, "wedges") == "boosts"
    assert run(made, "2: lay fish 5")[0].code == "gl.placed"


@pytest.mark.parametrize(
    ("effects", "helps"),
    [
        pytest.param((FavorEffect(Deed.FISH, -1),), False, id="takes a Fish"),
        pytest.param((FavorEffect(Deed.FISH, 1),), True, id="gives a Fish"),
        pytest.param((FavorEffect(Deed.FISH, 1, Whom.OTHERS),), False, id="gives others a Fish"),
        pytest.param((FavorEffect(Deed.TAKE_FISH, 1, Whom.OTHER),), True, id="takes another's Fish"),
        pytest.param((FavorEffect(Deed.DOUBLE_NAVIGATION),), False, id="protects, but not so far"),
        pytest.param((FavorEffect(Deed.PASS_HYDRAS, 1, Whom.ALL),), True, id="tames it for all"),
        pytest.param((FavorEffect(Deed.PASS_WHIRLPOOLS),), False, id="is for whirlpools"),
    ],
)
def test_a_hydra_waits_for_a_ship_without_fish_only_when_a_card_can_help(
    effects: tuple[FavorEffect, ...], helps: bool
) -> None:
    card = Favor("card", "Card", FavorKind.BOAT, effects, when=FavorTime.MOVING)
    made = with_cards(board(**HYDRA), card)
    made.put(made.state.with_seat(1, favors=("card",)))
    ruling = run(made, "go 4b")[1]
    assert ruling.code == ("gl.hydra" if helps else "gl.hydra-stops")


def test_nobody_else_has_a_fish_to_take() -> None:
    card = Favor("card", "Card", FavorKind.BOAT, (FavorEffect(Deed.TAKE_FISH, 1, Whom.OTHER),), when=FavorTime.MOVING)
    made = with_cards(board(**{**HYDRA, "fish": "0 0 0"}), card)
    made.put(made.state.with_seat(1, favors=("card",)))
    assert run(made, "go 4b")[1].code == "gl.hydra-stops"


def of_one(kind: FavorKind, *effects: FavorEffect, when: FavorTime | None = None) -> Favor:
    return Favor("card", "Card", kind, effects, when=when)


def test_a_card_that_lifts_two_wedges_leaves_the_last_one_of_a_place() -> None:
    lift = FavorEffect(Deed.LIFT_WEDGE)
    made = with_cards(board(tops={5: "fish"}, **ONE), of_one(FavorKind.BOLT, lift, lift))
    made.submit(Reveal(1, "card"))
    assert made.submit(Use(1, "card", place=5))[0].code == "gl.used"
    assert (seen(made, "top5"), seen(made, "stack")) == ("w5", "16")


def test_a_second_die_that_a_card_forbids_is_not_rolled_again_and_its_player_can_go_on() -> None:
    """It was rolled before another player's card forbade it; a Fish for it would have been lost."""
    forbid = of_one(FavorKind.BOAT, FavorEffect(Deed.NO_SECOND, 1, Whom.OTHER), when=FavorTime.ROLLING)
    made = with_cards(board(turn=None, dice="2-4-3 2"), forbid)
    made.put(made.state.with_seat(2, favors=("card",)).replace(deck=made.state.deck - 1))
    assert made.submit(Use(2, "card", 1))[0].code == "gl.used"
    ruling = run(made, "1: again second")[0]
    assert (ruling.code, ruling.clauses, seen(made, "fish")) == ("gl.no-second", ("GL-F17",), "2")
    assert run(made, "1: done")[0].facts["total"] == 2


def test_a_second_die_already_in_the_hand_is_rolled_although_a_card_now_forbids_it() -> None:
    forbid = of_one(FavorKind.BOAT, FavorEffect(Deed.NO_SECOND, 1, Whom.OTHER), when=FavorTime.ROLLING)
    made = with_cards(board(turn=None, dice="2-4-3 2"), forbid)
    made.put(made.state.with_seat(2, favors=("card",)).replace(deck=made.state.deck - 1))
    run(made, "1: again second")
    made.submit(Use(2, "card", 1))
    assert run(made, "1: move 6")[0].code == "gl.success"
    assert run(made, "1: done")[0].facts["total"] == 12


def test_a_wedge_that_another_player_has_yet_to_show_does_not_keep_a_hydra_hungry() -> None:
    gift = of_one(FavorKind.BOAT, FavorEffect(Deed.DRAW_WEDGE, 1, Whom.OTHERS), when=FavorTime.MOVING)
    made = with_cards(board(**{**HYDRA, "fish": "1"}), gift)
    made.put(made.state.with_seat(1, favors=("card",)).replace(deck=made.state.deck - 1))
    run(made, "go 4b; use card")
    assert seen(made, "waits") == "hydra wedge wedge"
    assert run(made, "feed")[0].code == "gl.fed"
    assert run(made, "go 5b")[0].code == "gl.waits", "but the ship does not sail on before they are seen"
    assert run(made, "2: drawn fish; 3: drawn boosts; 1: go 5b")[0].code == "gl.step"


@pytest.mark.parametrize("kind", ["boat", "trident", "bolt"])
def test_a_card_is_discarded_after_its_use_so_it_is_not_in_the_deck_that_it_draws_from(kind: str) -> None:
    draw = FavorEffect(Deed.DRAW_FAVOR)
    card = of_one(FavorKind(kind), draw, when=None if kind == "bolt" else FavorTime.MOVING)
    given: dict[str, Any] = {"deck": 0}
    if kind == "bolt":
        made = with_cards(board(**ONE, **given), card)
        made.submit(Reveal(1, "card"))
    elif kind == "boat":
        made = with_cards(board(left=2, **given), card)
        made.put(made.state.with_seat(1, favors=("card",)))
        run(made, "use card")
    else:
        made = with_cards(board(turn=3, **given), card)
        made.put(made.state.with_seat(1, favors=("card",)))
        run(made, "end")
    assert (seen(made, "facedown"), seen(made, "deck"), seen(made, "discard")) == ("0", "0", "card")


@pytest.mark.parametrize("deed", [FavorEffect(Deed.MOVE, 3), FavorEffect(Deed.DOUBLE_NAVIGATION)])
def test_no_card_moves_a_ship_that_a_hydra_holds_for_the_rest_of_the_turn(deed: FavorEffect) -> None:
    for when in (FavorTime.TURN, FavorTime.MOVING):
        made = with_cards(board(**HYDRA), of_one(FavorKind.BOAT, deed, when=when))
        run(made, "go 4b")
        made.put(made.state.with_seat(1, favors=("card",)).replace(deck=made.state.deck - 1))
        ruling = run(made, "use card")[0]
        assert ruling.code == ("gl.used" if when is FavorTime.TURN else "gl.not-the-time")
        assert (seen(made, "left"), seen(made, "at")) == ("0", "4b")
    made = with_cards(board(**HYDRA), of_one(FavorKind.BOLT, deed))
    run(made, "go 4b")
    made.put(made.state.with_seat(1, facedown=1, favors_drawn=1).replace(deck=made.state.deck - 1))
    assert [ruling.code for ruling in made.submit(Reveal(1, "card"))] == ["gl.move-finished", "gl.bolt", "gl.turn"]
    made = with_cards(board("4b 8a 8d", **ONE), of_one(FavorKind.BOLT, deed))
    made.submit(Reveal(1, "card"))
    assert (seen(made, "turn"), seen(made, "step")) == ("1", "move"), "one that no Hydra holds sails on"
