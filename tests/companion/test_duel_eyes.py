"""What the camera tells a Thunder & Lightning match: cards laid by hand, frame by frame, no waiting."""

from __future__ import annotations

from typing import Any

import pytest

from companion.live.card_looks import Spot
from companion.live.card_notices import ASK_NS, LASTS_NS
from companion.live.interpreter import NO_CORNERS
from companion.live.thunder_and_lightning import BACK_MARKERS
from device.simulated.card_layout import BACK_MARKER_IDS, ROLES
from rules.events import Source, Undo
from rules.games import new_match
from rules.thunder_and_lightning.components import Role
from rules.thunder_and_lightning.events import (
    Challenge,
    Deal,
    Draw,
    Drawn,
    Hit,
    Lay,
    Lead,
    Place,
    Play,
    ShowHand,
    Shuffled,
    Take,
    TurnUp,
)
from tests.companion.duel import (
    BACK,
    FRAME_NS,
    LOKI,
    THOR,
    CardBench,
    cell,
    duel_header,
    face_down_match,
    file,
    hand,
    pass_turns,
    pile,
    strip,
)
from vision.readings import MarkerReading, Reading
from vision.tracking.happenings import Watched

LASTING = LASTS_NS // FRAME_NS + 6
"""Frames after which a difference has been told."""


@pytest.fixture
def bench() -> CardBench:
    """Loki's first turn; the table lies as recorded and was seen so."""
    made = CardBench(face_down_match())
    assert made.show() == []
    return made


@pytest.fixture
def later() -> CardBench:
    """Loki's second turn, in which challenges are allowed."""
    match = face_down_match()
    pass_turns(match)
    made = CardBench(match)
    assert made.show() == []
    return made


def test_backs_are_those_of_the_printed_layout() -> None:
    assert {marker: role.value for marker, role in BACK_MARKERS.items()} == dict(
        zip(BACK_MARKER_IDS, ROLES, strict=True)
    )


# --- set-up and laying


def test_first_rows_are_read_once_each_when_the_cards_were_dealt() -> None:
    match = new_match(duel_header())
    bench = CardBench(match)
    bench.show()
    bench.lay(cell(THOR, 2), BACK[THOR])
    assert bench.show(12) == [], "nobody has dealt yet"
    file(match, Shuffled(THOR), Deal(THOR))
    assert bench.show(1) == [Lay(THOR, 2, 1, Role.THOR)]
    bench.lay(cell(THOR, 1), BACK[THOR])
    bench.lay(cell(THOR, 3), BACK[THOR])
    assert sorted(event.column for event in bench.show(12)) == [1, 3]
    assert match.state.side(THOR).field == 3


def test_a_card_behind_a_column_is_laid_there_by_the_seat_on_turn(bench: CardBench) -> None:
    bench.lay(cell(LOKI, 2, 2), BACK[LOKI])
    assert bench.show() == [Lay(LOKI, 2, 2, Role.LOKI)]
    assert bench.show(30) == []
    assert bench.match.state.side(LOKI).column(2)[1].card is None


def test_a_card_that_only_passes_by_is_not_laid(bench: CardBench) -> None:
    bench.lay(cell(LOKI, 2, 2), BACK[LOKI])
    assert bench.show(2) == []
    bench.take(cell(LOKI, 2, 2))
    assert bench.show(12) == []


def test_a_sighting_bears_the_first_frame_that_showed_it_and_the_camera_as_its_source() -> None:
    bench = CardBench(face_down_match(), files=False)
    bench.show()
    bench.lay(cell(LOKI, 2, 2), BACK[LOKI])
    first_ns = bench.now_ns + FRAME_NS
    found: list[Any] = []
    while not found:
        bench.show(1)
        found = list(bench.last.sightings)
    assert found[0].at_ns == found[0].submission.at_ns == first_ns
    assert found[0].submission.source is Source.CAMERA


def test_a_card_laid_out_of_turn_is_not_filed_but_told_in_words(bench: CardBench) -> None:
    bench.lay(cell(THOR, 2, 2), BACK[THOR])
    assert bench.show(LASTING) == []
    assert bench.notices == ["notice.column-differs"]
    facts = dict(bench.last.notices[0].facts)
    assert (facts["seat"], facts["column"]) == (THOR, 2)
    assert facts["sees"] == "face down, face down"
    assert facts["recorded"] == "face down"
    assert (facts["seen"], facts["lies"]) == (("down", "down"), ("down",)), "for a catalogue in another language"


def test_a_difference_is_told_only_once_it_has_lasted(bench: CardBench) -> None:
    bench.lay(cell(THOR, 2, 2), BACK[THOR])
    bench.show(LASTING - 8)
    assert bench.notices == []


def test_a_card_before_others_that_look_the_same_is_asked_about_and_not_guessed(bench: CardBench) -> None:
    bench.take(cell(LOKI, 2))  # pushed back
    bench.lay(cell(LOKI, 2, 2), BACK[LOKI])
    bench.show()
    bench.lay(cell(LOKI, 2), BACK[LOKI])
    assert bench.show(LASTING) == []
    assert bench.notices == ["notice.say-where"]
    file(bench.match, Lay(LOKI, 2, 1))
    assert bench.show(12) == []
    assert bench.notices == []


def test_a_card_laid_under_a_hand_behind_one_that_lies_as_it_lay_is_laid_there(bench: CardBench) -> None:
    bench.lay(cell(LOKI, 2, 2), BACK[LOKI])
    assert bench.show(10, hidden=[cell(LOKI, 2), cell(LOKI, 2, 2)]) == []
    assert bench.show() == [Lay(LOKI, 2, 2, Role.LOKI)]


def test_a_card_laid_under_a_hand_behind_one_that_was_moved_is_asked_about(bench: CardBench) -> None:
    """Under the hand the new card may have come first and the old one behind it."""
    bench.lay(cell(LOKI, 2), BACK[LOKI])
    bench.lay(cell(LOKI, 2, 2), BACK[LOKI])
    bench.show(10, hidden=[cell(LOKI, 2), cell(LOKI, 2, 2)])
    assert bench.show(ASK_NS // FRAME_NS + 6) == []
    assert "notice.say-where" in bench.notices


def test_a_card_nudged_in_plain_view_is_still_the_one_that_lay_there(bench: CardBench) -> None:
    bench.off_mm[cell(LOKI, 2)] = 12.0
    bench.lay(cell(LOKI, 2, 2), BACK[LOKI])
    assert bench.show() == [Lay(LOKI, 2, 2, Role.LOKI)]


@pytest.mark.parametrize(
    ("then", "same"),
    [
        pytest.param(Spot(10, 20, 30), True, id="there"),
        pytest.param(Spot(10.5, 20.5, 30.5), True, id="as a reading strays"),
        pytest.param(Spot(11, 20, 30), False, id="a millimetre on"),
        pytest.param(Spot(10, 20, 32), False, id="turned"),
        pytest.param(Spot(10, 20, 389.5), True, id="all the way round"),
    ],
)
def test_a_card_is_unmoved_only_where_it_lay_to_the_millimetre(then: Spot, same: bool) -> None:
    assert Spot(10, 20, 30).same(then) is same


def test_a_card_before_a_face_up_one_needs_no_word(later: CardBench) -> None:
    later = _fought(later)
    seat = LOKI
    column = later.match.state.side(seat).column(1)
    assert column[0].card is not None
    later.take(cell(seat, 1))
    later.lay(cell(seat, 1, 2), later.face(column[0].card))
    later.show()
    later.lay(cell(seat, 1), BACK[seat])
    assert later.show() == [Lay(seat, 1, 1, Role.LOKI)]
    assert later.codes[-1] == "tl.lay"


def test_a_card_taken_back_by_the_judge_is_not_laid_again_by_itself(bench: CardBench) -> None:
    bench.lay(cell(LOKI, 2, 2), BACK[LOKI])
    bench.show()
    seq = bench.match.seq
    file(bench.match, Undo(seq - 1, "laid by mistake"))
    assert bench.show(LASTING) == []
    assert bench.notices == ["notice.column-differs"]


def test_a_refused_card_is_filed_once_and_again_after_it_was_taken_back(bench: CardBench) -> None:
    file(bench.match, Draw(LOKI), Draw(LOKI), Draw(LOKI))
    bench.lay(cell(LOKI, 2, 2), BACK[LOKI])
    assert bench.show(30) == [Lay(LOKI, 2, 2, Role.LOKI)]
    assert bench.codes == ["tl.no-points"]
    bench.take(cell(LOKI, 2, 2))
    bench.show()
    bench.lay(cell(LOKI, 2, 2), BACK[LOKI])
    assert len(bench.show()) == 1


def test_a_card_moved_from_another_column_is_not_a_card_laid(bench: CardBench) -> None:
    bench.take(cell(LOKI, 1))
    bench.lay(cell(LOKI, 2, 2), BACK[LOKI])
    assert bench.show(LASTING) == []
    assert bench.notices.count("notice.column-differs") == 2


def test_an_unknown_table_tells_nothing_but_that_its_corners_are_missing(bench: CardBench) -> None:
    seen = bench.eyes.update(Watched(Reading((1280, 720), (), ()), ()), bench.now_ns, bench.match.state)
    assert seen.sightings == ()
    assert seen.notices == (NO_CORNERS,)


def test_presses_wait_only_while_something_is_on_its_way(bench: CardBench) -> None:
    assert bench.last.still_seats == {THOR, LOKI}
    bench.lay(cell(LOKI, 2, 2), BACK[LOKI])
    bench.show(1)
    assert bench.last.still_seats == frozenset()
    bench.show(8)
    assert bench.last.still_seats == {THOR, LOKI}


# --- leaders and challenges


def test_a_leader_face_up_in_row_1_is_played(bench: CardBench) -> None:
    bench.take(cell(LOKI, 3))
    bench.lay(cell(LOKI, 3, 2), BACK[LOKI])
    bench.lay(cell(LOKI, 3), bench.face("loki-leader"))
    assert bench.show(12) == [Lead(LOKI, 3)]
    assert bench.match.state.leader_in_play(LOKI)


def test_another_card_face_up_in_row_1_is_told_in_words(bench: CardBench) -> None:
    bench.take(cell(LOKI, 3))
    bench.lay(cell(LOKI, 3, 2), BACK[LOKI])
    bench.lay(cell(LOKI, 3), bench.face("thor-leader"))
    assert bench.show(LASTING) == []
    assert bench.notices == ["notice.column-differs"]


def _fought(bench: CardBench, *, tidy: bool = True) -> CardBench:
    """Loki's column 1 challenges and wins."""
    bench.take(cell(LOKI, 1))
    bench.lay(strip(1), BACK[LOKI])
    assert bench.show() == [Challenge(LOKI, 1)]
    bench.lay(strip(1), bench.face("loki-dragon"))
    bench.lay(cell(THOR, 1), bench.face("thor-sworn-spearmen"))
    assert set(bench.show()) == {TurnUp((LOKI, 1, 1), "loki-dragon"), TurnUp((THOR, 1, 1), "thor-sworn-spearmen")}
    assert "tl.won" in bench.codes
    if tidy:
        bench.take(strip(1), cell(THOR, 1))
        bench.lay(cell(LOKI, 1), bench.face("loki-dragon"))
        bench.lay(pile(THOR), bench.face("thor-sworn-spearmen"))
        assert bench.show(12) == []
    return bench


def test_a_card_slid_forward_challenges_and_both_are_turned_up(later: CardBench) -> None:
    _fought(later)
    assert later.notices == []


def test_a_challenge_in_the_first_turn_is_filed_for_the_referee_to_refuse(bench: CardBench) -> None:
    bench.take(cell(LOKI, 1))
    bench.lay(strip(1), BACK[LOKI])
    assert bench.show(30) == [Challenge(LOKI, 1)]
    assert bench.codes == ["tl.first-turn"]


def test_a_winner_left_in_the_middle_challenges_nobody_and_people_are_told(later: CardBench) -> None:
    _fought(later, tidy=False)
    assert later.show(LASTING) == []
    assert "notice.column-differs" in later.notices


def test_a_card_slid_forward_out_of_turn_is_no_challenge(later: CardBench) -> None:
    later.take(cell(THOR, 1))
    later.lay(strip(1), BACK[THOR])
    assert later.show(LASTING) == []


def test_a_card_that_a_hand_hides_is_no_challenge(later: CardBench) -> None:
    assert later.show(30, hidden=[cell(LOKI, 1)]) == []


def test_a_card_in_the_middle_is_no_challenge_while_row_1_is_now_and_then_seen(later: CardBench) -> None:
    later.lay(strip(1), BACK[LOKI])
    told = []
    for _ in range(8):
        told += later.show(1)
        told += later.show(4, hidden=[cell(LOKI, 1)])
    assert told == []


def test_a_card_turned_up_unasked_is_told_in_words_and_not_filed(later: CardBench) -> None:
    later.lay(cell(THOR, 1), later.face("thor-sworn-spearmen"))
    assert later.show(LASTING) == []
    assert later.notices == ["notice.column-differs"]
    assert later.match.state.side(THOR).column(1)[0].card is None


def test_a_card_of_the_wrong_deck_is_filed_as_it_is_once(later: CardBench) -> None:
    later.take(cell(LOKI, 1))
    later.lay(strip(1), BACK[LOKI])
    later.show()
    later.lay(strip(1), later.face("thor-ravens"))
    assert later.show(30) == [TurnUp((LOKI, 1, 1), "thor-ravens")]
    assert later.match.state.waiting
    later.lay(strip(1), later.face("loki-ravens"))
    assert later.show() == [TurnUp((LOKI, 1, 1), "loki-ravens")]


# --- piles, hands and what is shown


def test_a_power_without_a_choice_is_played_by_laying_it_on_the_pile(bench: CardBench) -> None:
    bench.lay(pile(LOKI), bench.face("loki-berserker"))
    assert bench.show(20) == [Play(LOKI, "loki-berserker")]
    assert bench.match.state.side(LOKI).top.card == "loki-berserker"


def test_a_power_with_a_choice_is_asked_about(bench: CardBench) -> None:
    bench.lay(pile(LOKI), bench.face("loki-ravens"))
    assert bench.show(ASK_NS // FRAME_NS + 6) == []
    assert "notice.say-what" in bench.notices


def test_a_card_on_the_pile_out_of_turn_is_told_in_words(bench: CardBench) -> None:
    bench.lay(pile(THOR), bench.face("thor-berserker"))
    assert bench.show(LASTING) == []
    assert bench.notices == ["notice.pile-differs"]


def test_a_pile_not_yet_tidied_plays_nothing(later: CardBench) -> None:
    """The record has the lost card on the pile; what lies there still is the card under it."""
    file(later.match, Play(LOKI, "loki-berserker"))
    later.lay(pile(LOKI), later.face("loki-seer"))
    assert later.show(LASTING) == []
    assert "notice.pile-differs" in later.notices


def test_a_pile_lifted_to_the_card_below_plays_nothing(bench: CardBench) -> None:
    bench.lay(pile(LOKI), bench.face("loki-berserker"))
    bench.show()
    bench.lay(pile(LOKI), bench.face("loki-idunn"))
    bench.show()
    assert bench.codes == ["tl.play", "tl.active"] * 2 or bench.match.state.side(LOKI).pile_size == 2
    bench.lay(pile(LOKI), bench.face("loki-berserker"))
    assert bench.show(20) == []


def test_a_seers_cards_are_read_one_after_the_other_and_placed(bench: CardBench) -> None:
    bench.lay(pile(LOKI), bench.face("loki-seer"))
    assert bench.show() == [Play(LOKI, "loki-seer")]
    bench.lay(hand(THOR), bench.face("thor-baldr"))
    assert bench.show(20) == [Drawn(THOR, "thor-baldr")]
    bench.lay(hand(THOR), bench.face("thor-hall-guards"))
    assert bench.show(20) == [Drawn(THOR, "thor-hall-guards")]
    bench.take(hand(THOR), cell(THOR, 2))
    bench.lay(cell(THOR, 2, 2), BACK[THOR])
    bench.lay(cell(THOR, 2), bench.face("thor-hall-guards"))
    assert bench.show(20) == [Place(LOKI, 2)]


def test_what_lay_open_before_is_not_the_card_that_ravens_hit(later: CardBench) -> None:
    later.lay(hand(THOR), later.face("thor-hel"))
    later.show()
    file(later.match, Play(LOKI, "loki-ravens", use="hand"))
    later.lay(pile(LOKI), later.face("loki-ravens"))
    assert later.show(20) == []
    later.lay(hand(THOR), later.face("thor-hel"), later.face("thor-hall-guards"))
    assert later.show() == [Hit(THOR, "thor-hall-guards")]


def test_a_refused_hit_is_filed_once_until_another_card_is_shown(later: CardBench) -> None:
    file(later.match, Play(LOKI, "loki-ravens", use="hand"))
    later.lay(pile(LOKI), later.face("loki-ravens"))
    later.show()
    later.lay(hand(THOR), later.face("loki-hel"))
    assert later.show(20) == [Hit(THOR, "loki-hel")]
    assert later.match.state.waiting, "no card of Loki's deck is in that hand"
    later.lay(hand(THOR), later.face("thor-hel"))
    assert later.show(20) == [Hit(THOR, "thor-hel")]


def test_a_hand_is_read_only_once_all_of_it_is_shown(later: CardBench) -> None:
    file(later.match, Play(LOKI, "loki-frigg", use="hand"))
    count = later.match.state.side(THOR).hand
    names = ["thor-hel", "thor-seer", "thor-odin", "thor-freya", "thor-idunn", "thor-longships", "thor-vidarr"]
    shown = [*names, "thor-baldr", "thor-berserker"][:count]
    markers = [later.face(name) for name in shown]
    later.lay(hand(THOR), *markers[:-1])
    assert later.show(12) == []
    later.lay(hand(THOR), *markers)
    (event,) = later.show(12)
    assert isinstance(event, ShowHand)
    assert sorted(event.cards) == sorted(shown)


def test_cards_taken_back_are_read_when_they_are_shown(later: CardBench) -> None:
    later = _fought(later)
    match = later.match
    while match.state.turn.seat == LOKI or match.state.turn.left == 0:
        pass_turns(match, 1)
    later.as_recorded()
    later.show()
    later.lay(strip(2), BACK[THOR])
    later.take(cell(THOR, 2))
    later.show()
    later.lay(strip(2), later.face("thor-viking-warriors"))
    later.lay(cell(LOKI, 2), later.face("loki-fire-giant"))
    later.show()
    later.take(strip(2))
    later.lay(pile(THOR), later.face("thor-viking-warriors"))
    later.show()
    later.lay(pile(THOR), later.face("thor-longships"))
    assert later.show() == [Play(THOR, "thor-longships")]
    later.lay(hand(THOR), later.face("thor-viking-warriors"))
    assert later.show() == [Take(THOR, ("thor-viking-warriors",))]


# --- what the camera sees and nobody is told


def _peek(bench: CardBench, place: Any, card: str) -> int:
    """A player lifts a card for the own eyes, just so that the camera sees its face."""
    marker = bench.face(card)
    bench.lay(place, marker)
    return marker


def test_a_face_lifted_for_the_own_eyes_is_secret_and_not_named(later: CardBench) -> None:
    marker = _peek(later, cell(THOR, 1), "thor-ravens")
    assert later.show(1) == []
    assert later.last.secret == {marker}, "from the first frame on"
    later.show(LASTING)
    assert later.last.secret == {marker}
    (notice,) = later.last.notices
    assert "avens" not in f"{notice.text} {notice.facts}"
    assert dict(notice.facts)["sees"] == "a card face up"


def test_a_face_outside_all_places_is_secret(later: CardBench) -> None:
    """A hand of cards held over the table."""
    later.loose = (later.face("thor-hel"),)
    later.show(3)
    assert later.last.secret == {later.face("thor-hel")}


def test_faces_asked_for_and_faces_up_are_open_and_stay_so_till_they_are_tidied(later: CardBench) -> None:
    later.take(cell(LOKI, 1))
    later.lay(strip(1), BACK[LOKI])
    later.show()
    later.lay(strip(1), later.face("loki-dragon"))
    later.lay(cell(THOR, 1), later.face("thor-sworn-spearmen"))
    for _ in range(30):
        later.show(1)
        assert later.last.secret == frozenset()
    assert not later.match.state.waiting, "the lost card lies there still, and all know it"


def test_a_second_copy_of_a_card_that_is_open_is_secret_all_the_same(later: CardBench) -> None:
    later = _fought(later)
    other = later.face("loki-dragon", copy=1)
    later.lay(cell(LOKI, 2), other)
    later.show(12)
    assert later.last.secret == {other}


def test_what_was_open_is_secret_again_once_it_was_out_of_view(later: CardBench) -> None:
    """It may have been in a hand meanwhile."""
    marker = later.face("thor-hel")
    later.lay(hand(THOR), marker)
    later.show()
    assert later.last.secret == frozenset()
    later.take(hand(THOR))
    later.show()
    later.lay(cell(THOR, 1), marker)
    later.show()
    assert later.last.secret == {marker}


def test_without_corners_every_face_is_secret(later: CardBench) -> None:
    face = later.face("thor-hel")
    unplaced = MarkerReading(face, ((0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0)))
    seen = later.eyes.update(Watched(Reading((1280, 720), (), (unplaced,)), ()), later.now_ns, later.match.state)
    assert seen.secret == {face}
