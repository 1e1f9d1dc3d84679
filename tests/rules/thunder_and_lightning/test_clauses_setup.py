"""Cards and set-up, clause by clause, each with a near miss that goes the other way."""

from __future__ import annotations

from typing import Any

import pytest

from rules.errors import BadHeader
from rules.events import Adjust, Event
from rules.header import Seat
from rules.thunder_and_lightning.events import (
    Conduct,
    Count,
    Deal,
    Figure,
    Lay,
    Play,
    Shuffled,
    Stuck,
    Top,
    Treasure,
    Vouch,
)
from rules.thunder_and_lightning.game import GAME, REFEREE
from rules.thunder_and_lightning.pack import default_pack
from tests.rules.thunder_and_lightning.rows import hold, row
from tests.rules.thunder_and_lightning.script import LOKI, SEATS, THOR, Board, board, dealt, playing

clause = pytest.mark.clause
near_miss = pytest.mark.near_miss

STRONG = {"thor": "hall-guards/?/?", "loki": "viking-warriors/?/?"}
"""5 against 3."""
WEAK = {"thor": "viking-warriors/?/?", "loki": "fire-giant/?/?"}
"""3 against 5."""
STILL_THERE: dict[str, Any] = {"thor": "? ?/?/", "turn": LOKI, "spent": 3}
"""Thor's two columns, and Loki about to end his turn."""

CARDS = [
    row(clause("TL-K1"), "49 cards", "shuffled T; deal T 9 40", "tl.deck-short", "hand T=0; deck T=50", start=Board),
    row(clause("TL-K1"), "51 cards", "shuffled T; deal T 9 42", "tl.deck-short", "fact counted=51", start=Board),
    row(near_miss("TL-K1"), "50 cards", "shuffled T; deal T 9 41", "tl.dealt", "hand T=9; deck T=41", start=Board),
    row(near_miss("TL-K1"), "one by one", "shuffled T; deal T 1 49", "tl.dealt", "hand T=1; deck T=49", start=Board),
    row(clause("TL-K1"), "deck counted short", "count T deck 40", "tl.count-differs", "fact expected=41", start=dealt),
    row(near_miss("TL-K1"), "deck as it must be", "count T deck 41", "tl.count", start=dealt),
    row(near_miss("TL-K1"), "columns are not counted", "count T columns 3", "tl.no-such-count", start=dealt),
    row(clause("TL-K2"), "on nothing", "figure T", "tl.figure-alone", "points=0", **STILL_THERE),
    row(clause("TL-K2"), "2 columns", "figure T; end", "tl.turn", "points=2; turn=T", cited="before", **STILL_THERE),
    row(near_miss("TL-K2"), "the leader himself", "end", "tl.turn", "points=4", thor="leader/?/", turn=LOKI, spent=3),
    row(clause("TL-K3"), "5 against 3", "challenge 1", "tl.won", "fact strength=5; pile L=viking-warriors", **STRONG),
    row(clause("TL-K3"), "3 against 5", "challenge 1", "tl.lost", "fact strength=3; pile T=viking-warriors", **WEAK),
    row(near_miss("TL-K3"), "none at all", "challenge 1", "tl.no-strength", thor="ravens/?/?", loki="baldr/?/?"),
    row(near_miss("TL-K3"), "5 against 5", "challenge 1", "tl.tie", thor="hall-guards/?/?", loki="fire-giant/?/?"),
    row(clause("TL-K4"), "without the symbol", "hall-guards", "tl.no-power", "points=3; hand T=6; pile T="),
    row(near_miss("TL-K4"), "with the symbol", "seer", "tl.play", "points=2; hand T=5; pile T=seer"),
    row(clause("TL-K5"), "a third of two", "idunn; idunn; idunn", "tl.impossible", "hand T=4; pile T=idunn idunn"),
    row(clause("TL-K5"), "a second Thor", "lead 1; lead 2", "tl.impossible", "T1=leader ?; T2=?; hand T=5"),
    row(near_miss("TL-K5"), "both of two", "idunn; idunn", "tl.play", "hand T=4; pile T=idunn idunn"),
    row(near_miss("TL-K5"), "one of each deck", "idunn; idunn; loki-idunn", "tl.play", knows="loki-idunn/"),
    row(clause("TL-K6"), "from the hand", "hel", "tl.play", "points=2; hand L=5; pile L=hel", turn=LOKI),
    row(near_miss("TL-K6"), "from the battlefield", "hel", "tl.hand-empty", "L1=hel; pile L=", loki="hel/?/?",
        turn=LOKI, hands=(6, 0)),
    row(near_miss("TL-K6"), "laid down instead", "lay 1", "tl.lay", "hand L=5; L1=? ?; pile L=", turn=LOKI),
    row(clause("TL-K7"), "a wall in the hand", "ravens hand; hit shield-wall", "tl.hit-discarded", "top L=shield-wall"),
    row(near_miss("TL-K7"), "a wall that stands", "ravens row L11; up L11 shield-wall", "tl.struck-wall",
        "L1=shield-wall; pile L="),
    row(clause("TL-K7"), "nightmare played", "nightmare", "tl.no-hand-power", "points=3; hand T=6"),
    row(clause("TL-K7"), "archer played", "female-archer", "tl.no-hand-power", "points=3; hand T=6"),
    row(near_miss("TL-K7"), "frigg played", "frigg column L11; up L11 dragon", "tl.column-turned", "L1=dragon"),
]  # fmt: skip

SHOWN = "treasure T ring"
LAID = "lay T 1; lay T 2; lay T 3; lay L 1; lay L 2"
"""All but the last card of the first row."""
NOT_DRAWN = "lay L 1 2; lay L 2 2; lay L 3 2; end; frigg hand; "
"""Loki has lain three more cards and drawn none; Thor looks at his hand."""

SET_UP = [
    row(clause("TL-S2"), "not face to face", "conduct T sits-askew", "tl.conduct", start=Board),
    row(near_miss("TL-S2"), "face to face", "challenge 1", "tl.challenge", "points=2; fact target_column=1"),
    row(clause("TL-S3"), "not said", "deal T 1", "tl.not-shuffled", "hand T=0; deck T=50", start=Board),
    row(clause("TL-S3"), "only the other's", "shuffled L; deal T 9", "tl.not-shuffled", "hand T=0", start=Board),
    row(clause("TL-S3"), "said", "shuffled T", "tl.shuffled", start=Board),
    row(near_miss("TL-S3"), "said first", "shuffled T; deal T 1", "tl.dealt", "hand T=1", start=Board),
    row(clause("TL-S4"), "eight", "shuffled L; deal L 8; lay L 1", "tl.deal-first", "hand L=8; L1=", start=Board),
    row(near_miss("TL-S4"), "a ninth", "shuffled L; deal L 8; deal L 1; lay L 1", "tl.first-row", "L1=?", start=Board),
    row(clause("TL-S4"), "a tenth", "deal L 1", "tl.too-many-dealt", "hand L=9; fact cards=10", start=dealt),
    row(clause("TL-S5"), "reads the other's", "conduct L peeks-hand", "tl.conduct", start=dealt),
    row(clause("TL-S5"), "shown for no power", "show L hel", "tl.not-waited-for", "hand L=1", hands=(6, 1)),
    row(near_miss("TL-S5"), "a power shows it", "frigg hand; show L hel", "tl.hand-shown", "hand L=1", hands=(6, 1)),
    row(near_miss("TL-S5"), "looks at the own", "conduct L looks-own", "tl.conduct-fine", start=dealt),
    row(clause("TL-S6"), "nine drawn", "shuffled T; deal T 9", "tl.dealt", "deck T=41; deck L=50", start=Board),
    row(clause("TL-S6"), "another number left", "shuffled T; deal T 9 43", "tl.deck-short", "deck T=50", start=Board),
    row(near_miss("TL-S6"), "eight drawn", "shuffled T; deal T 8", "tl.dealt", "deck T=42", start=Board),
    row(clause("TL-S7"), "among the nine", SHOWN, "tl.treasure-shown", "hand T=9", start=dealt),
    row(near_miss("TL-S7"), "the enemy's", "treasure T loki-crown", "tl.no-treasure", start=dealt),
    row(near_miss("TL-S7"), "another card", "treasure T odin", "tl.no-treasure", start=dealt),
    row(near_miss("TL-S7"), "before the nine", "shuffled T; deal T 8; " + SHOWN, "tl.deal-first", start=Board),
    row(clause("TL-S8"), "another card", SHOWN + "; replace T", "tl.replaced", "hand T=10; deck T=40", start=dealt),
    row(clause("TL-S8"), "nine again", SHOWN + "; replace T; back T", "tl.shuffled-back", "hand T=9", cited="before",
        start=dealt),
    row(near_miss("TL-S8"), "nothing shown", "replace T", "tl.treasure-order", "hand T=9; deck T=41", start=dealt),
    row(near_miss("TL-S8"), "two others", SHOWN + "; replace T; replace T", "tl.treasure-order", "hand T=10",
        start=dealt),
    row(clause("TL-S9"), "back", SHOWN + "; replace T; back T", "tl.shuffled-back", "deck T=41; fact deck=41",
        start=dealt),
    row(near_miss("TL-S9"), "back too early", SHOWN + "; back T", "tl.treasure-order",
        "deck T=41; fact expected=replaced",
        start=dealt),
    row(near_miss("TL-S9"), "kept", SHOWN + "; replace T; lay T 1", "tl.treasure-order",
        "hand T=10; T1=; fact expected=back", start=dealt),
    row(near_miss("TL-S9"), "neither", SHOWN + "; lay T 1", "tl.treasure-order", "T1=; fact expected=replaced",
        start=dealt),
    row(near_miss("TL-S9"), "nothing to go back", "back T", "tl.treasure-order", "fact expected=shown", start=dealt),
    row(clause("TL-S9"), "shown again", SHOWN + "; " + SHOWN, "tl.treasure-order", "fact expected=once", start=dealt),
    row(near_miss("TL-S7"), "after the first row is begun", "lay T 1; " + SHOWN, "tl.treasure-order", "T1=?",
        start=dealt),
    row(clause("TL-S10"), "the crown", NOT_DRAWN + "show L crown hel seer", "tl.late-treasure",
        "hand L=3; fact card=loki-crown", start=playing),
    row(near_miss("TL-S10"), "no crown", NOT_DRAWN + "show L odin hel seer", "tl.hand-shown",
        "ruled tl.late-treasure=no", start=playing),
    row(near_miss("TL-S10"), "a card was drawn", "draw; lay 2 2; lay 3 2; end; frigg hand; "
        "show L crown hel seer odin idunn", "tl.hand-shown", "ruled tl.late-treasure=no", start=playing),
    row(near_miss("TL-S10"), "a Seer gave it", NOT_DRAWN.replace("frigg", "seer; drawn crown; stop; frigg")
        + "show L crown hel seer odin", "tl.hand-shown", "ruled tl.late-treasure=no; hand L=4", start=playing),
    row(clause("TL-S10"), "not even when shuffled back", "treasure L crown; replace L; back L; " + LAID + "; lay L 3; "
        + NOT_DRAWN + "show L hel crown seer", "tl.late-treasure", start=dealt),
    row(clause("TL-S11"), "two cards", "lay L 1; lay L 2; lay L 3; lay T 1; lay T 2; draw L", "tl.set-up-first",
        "hand L=6; T3=; turn=-; fact missing=(1,)", start=dealt),
    row(near_miss("TL-S11"), "the third", LAID + "; lay L 3; draw L", "tl.draw", "hand L=7; T3=?; turn=L", start=dealt),
    row(clause("TL-S11"), "two in a column", "lay T 1; lay T 1", "tl.first-row-only", "hand T=8; T1=?", start=dealt),
    row(clause("TL-S12"), "nothing done", "draw L", "tl.set-up-first", "deck L=50; fact missing=(1, 2)", start=Board),
    row(clause("TL-S1"), "a card of the enemy's deck", "lay T 1 1 loki", "tl.no-such-back", "T1=; hand T=9",
        start=dealt),
    row(near_miss("TL-S1"), "a card of the own deck", "lay T 1 1 thor", "tl.first-row", "T1=?; hand T=8", start=dealt),
    row(near_miss("TL-S11"), "a fourth column", "lay T 4", "tl.no-such-place", "hand T=9", start=dealt),
    row(clause("TL-S11"), "row 2", "lay T 1; lay T 1 2", "tl.first-row-only", "hand T=8; T1=?", start=dealt),
    row(near_miss("TL-S11"), "side by side", "lay T 1; lay T 2", "tl.first-row", "hand T=7; T1=?; T2=?; fact left=1",
        start=dealt),
    row(clause("TL-S11"), "Thor himself", "challenge 2; up L21 dragon; up T21 leader", "tl.late-leader-first-row",
        "T2=; pile T=leader", start=playing, past_first_turns=True),
    row(near_miss("TL-S11"), "Odin", "challenge 2; up L21 dragon; up T21 odin", "tl.no-strength",
        "pile T=odin; ruled tl.late-leader-first-row=no", start=playing, past_first_turns=True),
    row(clause("TL-S12"), "6, 3, 41", LAID + "; lay L 3", "tl.begins",
        "fact hand=6; hand L=6; hand T=6; deck L=41; deck T=41; fact field=3", start=dealt),
    row(near_miss("TL-S12"), "one card short", LAID, "tl.first-row", "ruled tl.begins=no; hand L=7; turn=-",
        start=dealt),
    row(clause("TL-S12"), "too early", LAID + "; draw L", "tl.set-up-first", "hand L=7; fact missing=(2,)",
        start=dealt),
    row(clause("TL-S13"), "no points", LAID + "; lay L 3", "tl.first-row", "points=3; turn=L", start=dealt),
    row(near_miss("TL-S13"), "in the turn", "lay L 1 2", "tl.lay", "points=2", start=playing),
    row(clause("TL-S13"), "no shuffle afterwards", "shuffled L", "tl.not-set-up", start=playing),
    row(clause("TL-S13"), "no cards afterwards", "deal L 1", "tl.not-set-up", "hand L=6", start=playing),
    row(clause("TL-S13"), "no Ring afterwards", "treasure T ring", "tl.not-set-up", start=playing),
    row(clause("TL-S13"), "no other card afterwards", "replace T", "tl.not-set-up", "hand T=6", start=playing),
    row(clause("TL-S13"), "none back afterwards", "back T", "tl.not-set-up", "hand T=6", start=playing),
]  # fmt: skip


@pytest.mark.parametrize(("script", "code", "after", "wanted", "cited", "given"), [*CARDS, *SET_UP])
def test_clause(script: str, code: str, after: str, wanted: str | None, cited: str, given: dict[str, Any]) -> None:
    hold(script, code, after, wanted, cited, given)


def pack_with(copies: int) -> dict[str, Any]:
    """The shipped pack with so many Ravens in Thor's deck instead of four."""
    pack = default_pack()
    next(card for card in pack["card"] if card["id"] == "thor-ravens")["copies"] = copies
    return pack


@clause("TL-K1")
@pytest.mark.parametrize("copies", [3, 5], ids=["49", "51"])
def test_no_match_begins_with_a_deck_that_is_not_of_fifty_cards(copies: int) -> None:
    with pytest.raises(BadHeader) as refused:
        GAME.new_header("script", SEATS, {}, pack_with(copies))
    assert refused.value.clauses == ("TL-K1",)


@near_miss("TL-K1")
def test_a_match_begins_with_fifty_cards_in_each_deck() -> None:
    assert [side.deck for side in REFEREE.start(GAME.new_header("script", SEATS, {}, pack_with(4))).sides] == [50, 50]


@near_miss("TL-K5")
def test_a_third_of_two_is_believed_once_people_vouch_for_it() -> None:
    made = board()
    made.accept(Play(THOR, "thor-idunn"), Play(THOR, "thor-idunn"))
    made.refuse(Play(THOR, "thor-idunn"), "tl.impossible", "TL-K5")
    made.rules(Vouch(THOR, "thor-idunn", "a card of another box"), "tl.vouched", "TL-K5")
    made.rules(Play(THOR, "thor-idunn"), "tl.play", "TL-K6")
    assert made.pile(THOR) == ["thor-idunn"] * 3


@clause("TL-K5")
@pytest.mark.parametrize(
    ("card", "reason", "code"), [("thor-idunn", " ", "core.no-reason"), ("thor-smith", "seen", "tl.card-unknown")]
)
def test_nobody_vouches_without_a_reason_or_for_no_card(card: str, reason: str, code: str) -> None:
    made = board()
    ruling = made.submit(Vouch(THOR, card, reason))[0]
    assert (ruling.code, made.state.vouched) == (code, ())


@near_miss("TL-S7")
def test_a_treasure_that_is_in_no_deck_cannot_be_shown() -> None:
    dealt().rules(Treasure(THOR, "thor-crown"), "tl.card-unknown", "TL-K1")


@clause("TL-S1")
@pytest.mark.parametrize("role", ["thor", "loki"])
def test_two_players_cannot_both_be_the_same(role: str) -> None:
    with pytest.raises(BadHeader, match="one must be thor and one loki") as refused:
        Board(roles=(role, role))
    assert refused.value.clauses == ("TL-S1",)


@clause("TL-S1")
@pytest.mark.parametrize("seats", [SEATS[:1], (*SEATS, Seat(3, "Cid", "green"))], ids=["one", "three"])
def test_there_are_two_players(seats: tuple[Seat, ...]) -> None:
    with pytest.raises(BadHeader) as refused:
        GAME.new_header("script", seats)
    assert refused.value.clauses == ("TL-S1",)


@near_miss("TL-S1")
def test_either_player_may_be_loki_who_then_begins() -> None:
    swapped = playing(roles=("loki", "thor"))
    assert [side.role.value for side in swapped.state.sides] == ["loki", "thor"]
    assert swapped.state.turn is not None
    assert swapped.state.turn.seat == THOR  # the first seat, whom Loki has now


@clause("TL-S1")
@pytest.mark.parametrize(
    "event",
    [
        Shuffled(3),
        Deal(0),
        Treasure(3, "thor-ring"),
        Lay(3, 1),
        Stuck(3),
        Conduct(3, "looks-own"),
        Count(3, "hand", 0),
        Figure(0),
        Top(3, None),
        Vouch(3, "thor-idunn", "seen"),
        Adjust(3, "hand", 6, "counted"),
    ],
    ids=lambda event: type(event).__name__,
)
def test_there_is_no_third_seat_to_do_anything(event: Event) -> None:
    for made in (Board(), board()):
        made.refuse(event, "tl.no-such-seat", "TL-S1")


@clause("TL-S2")
@pytest.mark.parametrize("judge", ["ann", " "])
def test_who_sits_at_the_table_does_not_judge(judge: str) -> None:
    with pytest.raises(BadHeader, match="who is not a player") as refused:
        Board(judge=judge)
    assert refused.value.clauses == ("TL-S2",)


@near_miss("TL-S2")
def test_somebody_else_judges() -> None:
    assert Board(judge="Zoe").state.given.judge
