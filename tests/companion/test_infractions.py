"""Tournament infractions from what the tracker tells: each beside the nearest thing that is none. LD-T1 to LD-T14."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.catalogue import Catalogue
from companion.live.eyes import LightningDiceEyes
from companion.live.interpreter import Notice, interpreter_for
from companion.live.opening import Wanted, new_header
from companion.web.aloud import NewNotices
from rules.events import Decision, Source, Submission
from rules.games import new_match
from rules.header import Seat
from rules.lightning_dice.events import SUSPICIONS, Breach, Decide, Flip, Roll
from rules.lightning_dice.state import Pending
from rules.rulings import Verdict
from tests.companion.test_eyes import SIDE_PX, die
from vision.readings import Point, Reading
from vision.tracking.happenings import (
    DieState,
    HandSeen,
    Happening,
    Kind,
    OutOfStep,
    TrackedDie,
    Trouble,
    Watched,
)

MS = 1_000_000
FRAME_NS = 33 * MS
SEATS = (Seat(1, "Ann", "red"), Seat(2, "Ben", "blue"))
TOURNAMENT = {"mode": "tournament"}
SIZE_WH = (1280, 720)


@dataclass
class StateNow:
    """As much of the game's state as the eyes look at."""

    card: str | None = None
    pending: list[Pending] = field(default_factory=list)

    def find(self, number: int) -> None:
        return None


def hand_over(x: float, y: float, reach: float = 60.0) -> HandSeen:
    return HandSeen(((x - reach, 0.0), (x + reach, 0.0), (x + reach, y + reach), (x - reach, y + reach)), "top")


class Play:
    """Six red and six blue dice that lie still, and what is told of them."""

    def __init__(self, **options: Any) -> None:
        header = new_header(Wanted("lightning-dice", seats=SEATS, judge="Eva", options={**TOURNAMENT, **options}))
        eyes = interpreter_for("lightning-dice").eyes(header)
        assert isinstance(eyes, LightningDiceEyes)
        self.eyes = eyes
        self.state = StateNow()
        self.now_ns = 10**9
        self.dice: dict[int, TrackedDie] = {}
        self.hands: tuple[HandSeen, ...] = ()
        self.breaches: list[Breach] = []
        self.notices: tuple[Notice, ...] = ()
        self.rolls: list[Roll] = []
        self.filed: list[Submission[Any]] = []
        for seat, (colour, y) in enumerate((("red", 150.0), ("blue", 500.0)), 1):
            for place in range(6):
                self._lay(10 * seat + place, place + 1, (200.0 + 60 * place, y), colour)
        self.watch(10)
        self.rolls.clear()

    def _lay(self, track: int, value: int, where: Point, colour: str) -> None:
        reading = die(value, *where, colour=colour)
        self.dice[track] = TrackedDie(
            track, DieState.SETTLED, value, None, 0.99, self.now_ns, self.now_ns, True,
            replace(reading, position_mm=None), where, SIDE_PX, None, colour,
        )  # fmt: skip

    def watch(self, frames: int = 1, *happenings: Happening, trouble: Trouble | None = None) -> None:
        """Frames go by; the happenings are told in the first."""
        for number in range(frames):
            self.now_ns += FRAME_NS
            told = tuple(replace(each, told_ns=self.now_ns) for each in happenings) if number == 0 else ()
            out = None if trouble is None else OutOfStep(trouble, self.now_ns)
            reading = Reading(SIZE_WH, tuple(each.reading for each in self.dice.values() if each.seen), (), self.now_ns)
            watched = Watched(reading, tuple(self.dice.values()), told, self.hands, out)
            seen = self.eyes.update(watched, self.now_ns, self.state)
            self.notices = seen.notices
            for sighting in seen.sightings:
                self.filed.append(sighting.submission)
                event = sighting.submission.event
                (self.breaches if isinstance(event, Breach) else self.rolls if isinstance(event, Roll) else []).append(
                    event
                )

    def be(self, track: int, state: DieState, *, seen: bool = False) -> None:
        now = self.dice[track]
        lies = state in (DieState.SETTLED, DieState.COVERED)
        value = now.value if lies else None
        rest_ns = now.rest_ns if lies else None
        self.dice[track] = replace(now, state=state, seen=seen, value=value, rest_ns=rest_ns)

    def take(self, *tracks: int, frames: int = 12) -> None:
        """A hand takes dice up."""
        for track in tracks:
            self.be(track, DieState.IN_HAND)
        self.watch(frames, *(self.told(Kind.LIFTED, track) for track in tracks))

    def told(
        self, kind: Kind, track: int, *, before: int | None = None, value: int | None = None,
        from_px: Point | None = None, why: str = "", ago_ns: int = 0,
    ) -> Happening:  # fmt: skip
        at_ns, to_px = self.now_ns + FRAME_NS - ago_ns, self.dice[track].centre_px
        return Happening(
            kind, track, at_ns, at_ns, at_ns, before=before, value=value, from_px=from_px or to_px, to_px=to_px, why=why
        )

    def put(self, kind: Kind, *tracks: int, values: tuple[int, ...], shift: float = 0.0, why: str = "") -> None:
        """Dice come out of the hand and lie; they showed their place plus one before."""
        told = []
        for track, value in zip(tracks, values, strict=True):
            old = self.dice[track]
            x, y = old.centre_px
            self._lay(track, value, (x + shift, y), old.colour)
            before = track % 10 + 1
            told.append(self.told(kind, track, before=before, value=value, from_px=(x, y), why=why))
        self.watch(1, *told)

    @property
    def words(self) -> list[tuple[int, int, tuple[int, ...], str]]:
        return [(each.seat, each.rule, each.dice, each.detail) for each in self.breaches]


OVER_12 = hand_over(320.0, 150.0, 40.0)
"""Over the red die of place 2, whose track is 12."""


# --- set back, and saved by lifting


def test_a_die_that_is_set_back_is_laid_before_the_judge_and_was_not_thrown() -> None:  # LD-T3
    play = Play()
    play.hands = (OVER_12,)
    play.take(12)
    play.put(Kind.SET_BACK, 12, values=(3,))
    set_ns = play.now_ns
    play.hands = ()
    play.watch(60)
    assert play.words == [(1, 3, (2,), "set back")]
    assert play.breaches[0].suspicion == "lay under the hand"
    assert [roll.thrown for roll in play.rolls] == [()]
    (filed,) = [each for each in play.filed if isinstance(each.event, Breach)]
    assert (filed.source, filed.at_ns) == (Source.CAMERA, set_ns)


def test_a_die_turned_by_the_hand_is_a_suspicion_that_says_so() -> None:  # LD-T3
    play = Play()
    play.hands = (OVER_12,)
    play.take(12)
    play.put(Kind.SET_BACK, 12, values=(6,))
    play.watch(60)
    assert [each.suspicion for each in play.breaches] == ["another face"]
    assert play.rolls[-1].thrown == ()


def test_a_die_lifted_to_another_place_breaks_rule_2_and_not_rule_3_too() -> None:  # LD-T2
    play = Play()
    play.hands = (hand_over(380.0, 150.0),)
    play.take(12)
    play.put(Kind.SET_BACK, 12, values=(3,), shift=55.0)
    play.watch(60)
    assert play.words == [(1, 2, (2,), "lifted")]


def test_two_dice_set_back_by_one_hand_are_one_breach() -> None:  # LD-T3
    play = Play()
    play.hands = (hand_over(350.0, 150.0, 90.0),)
    play.take(12, 13)
    play.put(Kind.SET_BACK, 12, values=(3,))
    play.watch(5)
    play.put(Kind.SET_BACK, 13, values=(4,))
    play.watch(60)
    assert play.words == [(1, 3, (2, 3), "set back")]


@pytest.mark.parametrize(
    ("name", "kinds", "values", "hand"),
    [
        ("slid", (Kind.SLID,), (3,), True),  # LD-T2
        ("rolled", (Kind.ROLLED,), (3,), True),
        ("no hand is there any more", (Kind.SET_BACK,), (3,), False),
        ("another came rolling out of the same hand", (Kind.SET_BACK, Kind.ROLLED), (3, 1), True),
        ("two with other faces", (Kind.SET_BACK, Kind.SET_BACK), (6, 1), True),
        ("four at once", (Kind.SET_BACK,) * 4, (3, 4, 5, 6), True),
        ("nudged", (Kind.NUDGED,), (3,), True),
    ],
)
def test_what_only_looks_like_set_back_is_no_breach(
    name: str, kinds: tuple[Kind, ...], values: tuple[int, ...], hand: bool
) -> None:
    play = Play()
    tracks = tuple(12 + n for n in range(len(kinds)))
    play.hands = (hand_over(400.0, 150.0, 140.0),) if hand else ()
    play.take(*tracks)
    for track, kind, value in zip(tracks, kinds, values, strict=True):
        play.put(kind, track, values=(value,))
    play.hands = ()
    play.watch(60)
    assert play.breaches == [], name
    moved = {place for kind, place in zip(kinds, range(2, 6), strict=False) if kind not in (Kind.SLID, Kind.NUDGED)}
    assert set(play.rolls[-1].thrown or ()) == moved, "what may have been rolled counts as rolled"


def test_a_die_seen_on_its_way_was_rolled_whatever_lies_over_it_in_the_end() -> None:  # LD-T3
    play = Play()
    play.hands = (OVER_12,)
    play.take(12)
    play.be(12, DieState.ROLLING, seen=True)
    play.watch(2)
    play.put(Kind.SET_BACK, 12, values=(3,))
    play.watch(60)
    assert play.breaches == []
    assert play.rolls[-1].thrown == (2,)


# --- touched in motion


def test_a_rolling_die_that_a_hand_meets_is_told_once_for_all_dice() -> None:  # LD-T1
    play = Play()
    play.hands = (hand_over(350.0, 150.0),)
    play.watch(1, play.told(Kind.TOUCHED, 12), play.told(Kind.TOUCHED, 13))
    play.hands = ()
    play.watch(10)
    play.hands = (hand_over(440.0, 150.0, 40.0),)
    play.watch(1, play.told(Kind.TOUCHED, 14))
    play.watch(60)
    assert play.words == [(1, 1, (2, 3, 4), "touched")]
    assert play.breaches[0].suspicion == "hand met it"


def test_the_hand_that_threw_and_has_not_left_yet_touches_nothing() -> None:  # LD-T1
    play = Play()
    play.hands = (hand_over(350.0, 150.0),)
    play.watch(10)
    play.watch(60, play.told(Kind.TOUCHED, 12))
    assert play.breaches == []


def test_two_touches_long_apart_are_two() -> None:  # LD-T1
    play = Play()
    for _ in range(2):
        play.watch(60, play.told(Kind.TOUCHED, 12))
    assert len(play.breaches) == 2


def test_a_hand_at_the_edge_may_be_the_free_one_and_the_words_say_so() -> None:  # LD-T6, LD-T14
    play = Play()
    play._lay(12, 3, (320.0, 40.0), "red")
    play.hands = (hand_over(320.0, 40.0),)
    play.watch(60, play.told(Kind.TOUCHED, 12))
    assert [each.suspicion for each in play.breaches] == ["perhaps the free hand"]


def test_a_second_hand_at_the_edge_keeps_dice_on_the_table_rightly() -> None:  # LD-T6, LD-T14
    play = Play()
    play._lay(12, 3, (320.0, 40.0), "red")
    play.hands = (hand_over(320.0, 40.0), hand_over(900.0, 300.0))
    play.watch(60, play.told(Kind.TOUCHED, 12))
    assert play.breaches == []


# --- off the table


def fall(play: Play, *others: int) -> None:
    """The die of place 2 goes over the edge as it is rolled with others."""
    play.take(12, *others)
    play.be(12, DieState.OFF_TABLE)
    play.watch(1, play.told(Kind.LEFT_TABLE, 12))
    if others:
        play.put(Kind.ROLLED, *others, values=(1,) * len(others))
    play.watch(30)


def test_a_fallen_die_is_told_with_its_roll_and_is_no_breach_by_itself() -> None:  # LD-T4, LD-T8
    play = Play()
    fall(play, 13)
    assert play.rolls[-1].off_table == (2,)
    assert play.rolls[-1].thrown == (2, 3)
    assert play.rolls[-1].faces[2] is None
    assert play.breaches == []
    play.put(Kind.ROLLED, 12, values=(5,))
    play.watch(60)
    last = play.rolls[-1]
    assert last.thrown == (2,)
    assert last.off_table == ()
    play.take(13)
    play.put(Kind.ROLLED, 13, values=(5,))
    play.watch(60)
    assert play.breaches == []


def test_the_next_roll_without_the_fallen_die_is_a_breach_once() -> None:  # LD-T4, LD-T8
    play = Play()
    fall(play, 13)
    for value in (4, 6):
        play.take(14)
        play.put(Kind.ROLLED, 14, values=(value,))
        play.watch(60)
    assert play.words == [(1, 4, (2,), "off table")]
    assert play.breaches[0].suspicion == "rolled without it"


def test_a_die_that_only_seemed_to_fall_is_no_breach_once_all_six_lie_there() -> None:  # LD-T4, LD-T8
    for lies_there, breaches in ((False, 1), (True, 0)):
        play = Play()
        fall(play, 13)
        if lies_there:
            play._lay(40, 5, (330.0, 130.0), "red")
        play.watch(30)
        play.take(14)
        play.put(Kind.ROLLED, 14, values=(4,))
        play.watch(60)
        assert len([each for each in play.breaches if each.rule == 4]) == breaches


def test_a_call_with_the_die_on_the_floor_is_a_breach_and_that_of_another_seat_is_not() -> None:  # LD-T8
    play = Play()
    fall(play)
    play.state.pending = [Pending(7, 0, 2, "got-it")]
    play.watch(60)
    assert play.breaches == []
    play.state.pending.append(Pending(8, 0, 1, "got-it"))
    play.watch(60)
    assert play.words == [(1, 4, (2,), "off table")]
    assert play.breaches[0].suspicion == "claimed without it"


def test_a_fallen_die_put_back_unrolled_is_set_back_and_not_rule_4_too() -> None:  # LD-T3, LD-T8
    play = Play()
    fall(play)
    play.hands = (OVER_12,)
    play.put(Kind.SET_BACK, 12, values=(3,))
    play.watch(60)
    play.take(14)
    play.put(Kind.ROLLED, 14, values=(4,))
    play.watch(60)
    assert play.words == [(1, 3, (2,), "set back")]


# --- dropped, view blocked


def roll(play: Play, *tracks: int, dropped: tuple[int, ...], told_after: int = 8, shift: float = 60.0) -> None:
    """Dice come out of a hand showing fives; some frames later some of them seem to have been dropped."""
    play.take(*tracks)
    play.put(Kind.ROLLED, *tracks, values=(5,) * len(tracks), shift=shift)
    play.watch(told_after)
    ago_ns = (told_after + 1) * FRAME_NS
    why = "fell straight down"
    play.watch(1, *(play.told(Kind.DROPPED, track, value=5, why=why, ago_ns=ago_ns) for track in dropped))


def test_a_drop_is_a_suspicion_beside_the_roll_and_tells_its_reason() -> None:  # LD-T5, LD-T9
    play = Play()
    roll(play, 12, 13, dropped=(12, 13))
    play.watch(60)
    assert play.words == [(1, 5, (2, 3), "dropped")]
    assert play.breaches[0].suspicion == "fell straight down"
    assert [each.thrown for each in play.rolls] == [(2, 3)], "told once"


def test_a_suspicion_that_comes_after_its_roll_is_no_throw_of_its_own() -> None:  # LD-T2, LD-T5
    play = Play()
    roll(play, 12, 13, dropped=(12, 13), told_after=12)
    play.watch(60)
    play.be(12, DieState.ROLLING, seen=True)
    play.watch(5)
    play.put(Kind.SLID, 12, values=(5,), shift=40.0)
    play.watch(60)
    assert [each.thrown for each in play.rolls] == [(2, 3), ()], "it was slid aside, not thrown again"


def test_a_hand_that_stays_over_dice_blocks_the_view_and_one_that_thinks_does_not() -> None:  # LD-T10
    play = Play()
    play.hands = (OVER_12,)
    for track in (12, 13):
        play.be(track, DieState.COVERED)
    play.watch(210)
    for track in (12, 13):
        play.be(track, DieState.SETTLED, seen=True)
    play.watch(60)
    assert play.breaches == [], "7 seconds"
    for track in (12, 13):
        play.be(track, DieState.COVERED)
    play.watch(300)
    assert play.words == [(1, 6, (2, 3), "view blocked")]
    assert play.breaches[0].lasted_ms >= 8_000
    assert play.breaches[0].suspicion == "hand stayed"


def test_a_die_that_is_not_read_and_has_no_hand_over_it_is_not_blocked() -> None:  # LD-T10
    for place, breaches in ((OVER_12, 1), (hand_over(900.0, 500.0, 40.0), 0)):
        play = Play()
        play.hands = (place,)
        play.be(12, DieState.COVERED)
        play.watch(300)
        assert len(play.breaches) == breaches


def test_a_hand_that_goes_from_die_to_die_blocks_none_of_them() -> None:  # LD-T10
    play = Play()
    play.hands = (OVER_12,)
    play.be(12, DieState.COVERED)
    for _ in range(3):
        for comes, goes in ((13, 12), (12, 13)):
            play.watch(100)
            play.be(comes, DieState.COVERED)
            play.watch(10)
            play.be(goes, DieState.SETTLED, seen=True)
    assert play.breaches == [], "some die of the seat was covered for 22 seconds, none of them for eight"


def test_hands_that_pass_again_and_again_block_nothing() -> None:  # LD-T10
    play = Play()
    play.hands = (OVER_12,)
    for _ in range(12):
        play.be(12, DieState.COVERED)
        play.watch(40)
        play.be(12, DieState.SETTLED, seen=True)
        play.watch(30)
    assert play.breaches == []


@pytest.mark.parametrize(
    ("name", "dropped", "told_after"),
    [
        ("another only rolled out of the same hand", (12,), 8),
        ("seen late, when nobody knows what else happened", (12, 13), 30),
    ],
)
def test_what_only_looks_dropped_is_no_breach(name: str, dropped: tuple[int, ...], told_after: int) -> None:
    play = Play()  # LD-T5
    roll(play, 12, 13, dropped=dropped, told_after=told_after)
    play.watch(60)
    assert play.breaches == [], name


# --- when nothing is told at all

BAD_MANNERS = ("set back", "touched", "dropped")


def misbehave(play: Play, trouble: Trouble | None = None) -> None:
    play.hands = (OVER_12,)
    play.watch(1, play.told(Kind.TOUCHED, 12))
    play.take(12)
    play.put(Kind.SET_BACK, 12, values=(3,))
    play.watch(4)
    if trouble is not None:
        play.watch(20, trouble=trouble)
    play.watch(60)


def test_outside_tournaments_there_is_no_breach() -> None:  # LD-J10
    play = Play(mode="standard")
    misbehave(play)
    assert play.breaches == []


def test_the_camera_may_be_told_to_leave_it_to_the_judge() -> None:  # LD-J7
    play = Play(camera_infractions=False)
    misbehave(play)
    assert play.breaches == []
    play = Play()
    misbehave(play)
    assert len(play.breaches) == 2


@pytest.mark.parametrize("trouble", list(Trouble))
def test_what_was_half_seen_when_step_was_lost_is_not_told(trouble: Trouble) -> None:
    play = Play()
    misbehave(play, trouble)
    assert play.breaches == []
    play.watch(1, trouble=trouble)
    seen = play.eyes.update(
        Watched(Reading(SIZE_WH, (), (), play.now_ns), (), (), (), OutOfStep(trouble, 0)), play.now_ns, play.state
    )
    assert [notice.code for notice in seen.notices] == ["notice.out-of-step." + trouble.value.replace(" ", "-")]
    assert seen.still_seats == frozenset()
    assert len(seen.dice) == 12, "screens keep what was known"


@pytest.mark.parametrize("language", ["en", "it"])
def test_trouble_with_the_camera_is_told_a_while_longer_than_it_lasts_and_spoken_once(language: str) -> None:
    play, aloud, said = Play(), NewNotices(), []
    header = new_header(Wanted("lightning-dice", seats=SEATS))
    for frames, trouble in ((3, Trouble.CAMERA_MOVED), (20, None), (80, None), (3, Trouble.CAMERA_MOVED)):
        for _ in range(frames):
            play.watch(1, trouble=trouble)
            said += aloud.due([notice.plain() for notice in play.notices], header, Catalogue(language))
        assert bool(play.notices) == (frames < 80)
    assert len(said) == 2, "once for each time it was moved"
    assert not any("{" in text or "notice." in text for text in said)


KINDS = [Kind.ROLLED, Kind.SLID, Kind.SET_BACK, Kind.NUDGED, Kind.DROPPED, Kind.TOUCHED]


@settings(max_examples=40, deadline=None)
@given(
    deeds=st.lists(
        st.tuples(
            st.sampled_from(KINDS), st.sampled_from([*range(10, 16), *range(20, 26)]), st.integers(1, 6),
            st.integers(1, 40), st.booleans(),
        ),
        max_size=12,
    )
)  # fmt: skip
def test_whatever_happens_a_breach_names_a_seat_its_dice_and_a_known_reason(deeds: list[Any]) -> None:
    play = Play()
    for kind, track, value, frames, hand in deeds:
        x, y = play.dice[track].centre_px
        play.hands = (hand_over(x, y),) if hand else ()
        if kind is Kind.TOUCHED:
            play.watch(frames, play.told(kind, track))
            continue
        play.take(track, frames=3)
        play.put(kind, track, values=(value,))
        play.watch(frames)
    play.hands = ()
    play.watch(90)
    suspected = {Kind.SET_BACK, Kind.DROPPED, Kind.TOUCHED}
    done = {(track // 10, track % 10) for kind, track, *_ in deeds if kind in suspected}
    for each in play.breaches:
        assert each.suspicion in SUSPICIONS
        assert each.dice
        assert {(each.seat, place) for place in each.dice} <= done, "only dice of which something was told"
    for roll in play.rolls:
        assert None not in roll.faces
    assert len(play.breaches) <= len(deeds)
    at_ns = [filed.at_ns for filed in play.filed if isinstance(filed.event, Breach)]
    assert all(ns is not None and ns <= play.now_ns for ns in at_ns)


# --- what the referee makes of it


def test_the_judge_weighs_and_nothing_is_taken_before_and_no_points_after() -> None:  # LD-J7, LD-J9
    play = Play()
    misbehave(play)
    match = new_match(new_header(Wanted("lightning-dice", seats=SEATS, judge="Eva", options=TOURNAMENT)))
    (touched, back) = [each for each in play.filed if isinstance(each.event, Breach)]
    for filed in (Submission(Roll(1, (1, 2, 3, 4, 5, 6))), touched, back):
        match.submit(filed)
    waiting = match.state.pending
    assert [(each.kind, each.number, each.suspicion) for each in waiting] == [
        ("breach", 1, "hand met it"),
        ("breach", 3, "lay under the hand"),
    ]
    assert match.entries[-1].rulings[0].verdict is Verdict.INFRACTION
    assert match.state.seat_state(1).must_roll == ()
    match.submit(Submission(Decide(waiting[0].seq, Decision.REFUSE, 0, "the sleeve"), Source.JUDGE))
    assert match.state.seat_state(1).must_roll == ()
    match.submit(Submission(Decide(waiting[1].seq, Decision.UPHOLD, 0), Source.JUDGE))
    assert match.state.seat_state(1).must_roll == (2,)
    assert match.state.seat_state(1).score == 0
    assert match.state.pending == ()
    assert not isinstance(match.entries[-1].filed.event, Flip)
