"""Players show their dice: what is asked and said, what is learned, kept and used, and what is refused."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from companion.catalogue import Catalogue
from companion.live.colour_desk import COLOURS_NAME, ColourDesk
from companion.live.colour_showing import ShownDie
from companion.live.eyes import LightningDiceEyes
from companion.live.interpreter import Seen
from companion.live.opening import Wanted
from companion.live.watcher import TableWatcher
from companion.web.aloud import NewNotices
from device.clock import ManualClock
from device.simulated import Lamp, SimulatedTable
from device.simulated.layout import TABLE_SIZE_MM
from rules.header import Header, Seat
from rules.lightning_dice.events import Roll
from tests.companion.helpers import open_table
from tests.companion.painted import GivenTracker, PaintedTable
from tests.companion.test_eyes import SIDE_PX, StateNow
from tests.vision.test_seat_colours import pips_px
from vision.appearance import paints
from vision.light import paper_white
from vision.markers import MarkerReader
from vision.readings import DieReading, Reading, Unreadable
from vision.seat_colours import DieColour

MS = 1_000_000
FRAME_NS = 66 * MS
PAPER = (220.0, 220.0, 220.0)
PIPS = (236.0, 240.0, 242.0)
RED, BLUE, GREEN = (40.0, 34.0, 186.0), (168.0, 78.0, 28.0), (62.0, 126.0, 24.0)
SEATS = (Seat(1, "Ann", "red"), Seat(2, "Ben", "blue"), Seat(3, "Cy", "green"))
HEADER = Header("lightning-dice", "1", "m", SEATS)


def dice(body: tuple[float, float, float], first: int, count: int = 6, **changes: Any) -> list[ShownDie]:
    """Dice of one colour; their tracks are numbered from `first` on."""
    given: dict[str, Any] = {"still": True, "reason": None, "colour": DieColour(body, PIPS), **changes}
    return [ShownDie(first + n, **given) for n in range(count)]


class Players:
    """Shows dice to a desk, frame by frame."""

    def __init__(self, directory: Path, header: Header = HEADER) -> None:
        self.desk = ColourDesk(directory, header)
        self.now_ns = 1_000 * MS

    def show(self, shown: Sequence[ShownDie], ms: int = 2_000, white: Any = PAPER) -> list[str]:
        """The codes of what people are told at the end."""
        for _ in range(ms // 66):
            self.now_ns += FRAME_NS
            self.desk.look(shown, white, self.now_ns)
        return self.codes()

    def codes(self) -> list[str]:
        return [notice.code.removeprefix("notice.colours-") for notice in self.desk.notices(self.now_ns)]

    def told(self, code: str) -> dict[str, Any]:
        return next(dict(each.facts) for each in self.desk.notices(self.now_ns) if each.code.endswith(code))

    def show_all(self, *bodies: tuple[float, float, float]) -> None:
        self.desk.begin()
        for number, body in enumerate(bodies):
            self.show(dice(body, 10 * number))

    def owners(self, *bodies: tuple[float, float, float], white: Any = PAPER) -> list[int | None]:
        self.now_ns += FRAME_NS
        found = self.desk.whose([DieColour(body, PIPS) for body in bodies], white, self.now_ns)
        return [each.seat for each in found]


@pytest.fixture
def players(tmp_path: Path) -> Players:
    return Players(tmp_path)


# --- what is asked, in which order, and how long it takes


def test_seats_are_asked_one_after_another_and_learned_in_seconds(players: Players) -> None:
    players.desk.begin()
    assert (players.desk.asked, players.codes()) == (1, ["show"])
    assert players.show(dice(RED, 0), 1_000) == ["learned", "show"]
    assert players.desk.asked == 2
    assert not players.desk.ready
    players.show(dice(BLUE, 10))
    assert players.show(dice(GREEN, 20)) == ["learned", "learned", "done"]
    assert (players.desk.ready, players.desk.showing, players.desk.asked) == (True, False, None)
    assert players.owners(GREEN, RED, BLUE) == [3, 1, 2]


def test_dice_that_were_learned_may_stay_on_the_table(players: Players) -> None:
    players.desk.begin()
    players.show(dice(RED, 0))
    players.show([*dice(RED, 0), *dice(BLUE, 10)])
    assert players.desk.asked == 3
    assert players.desk.plain()["seats"][1]["state"] == "learned"


def test_dice_are_not_learned_while_they_move(players: Players) -> None:
    players.desk.begin()
    players.show(dice(RED, 0, still=False), 5_000)
    assert players.desk.asked == 1


def test_only_the_dice_before_the_asked_seat_count_where_places_are_known(players: Players) -> None:
    players.desk.begin()
    players.show([*dice(RED, 0), *dice(BLUE, 10, here=False)])
    assert players.desk.asked == 2


def test_a_single_seat_may_show_its_dice_again(players: Players) -> None:
    players.show_all(RED, BLUE, GREEN)
    players.desk.begin([2])
    assert players.desk.asked == 2
    players.show(dice((200.0, 60.0, 120.0), 50))
    assert players.desk.ready
    assert players.owners((200.0, 60.0, 120.0), BLUE, RED) == [2, None, 1]


# --- what is wrong with what is shown


@pytest.mark.parametrize("count", [1, 5, 7, 12])
def test_a_wrong_number_of_dice_is_told_once_it_stays(players: Players, count: int) -> None:
    players.desk.begin()
    assert players.show(dice(RED, 0, count), 600) == ["show"]
    assert players.show(dice(RED, 0, count)) == ["count"]
    assert players.told("count") == {"seat": 1, "count": count}
    assert players.show(dice(RED, 0)) == ["learned", "show"]


def test_dice_of_two_colours_in_one_showing_are_named(players: Players) -> None:
    players.desk.begin()
    assert players.show([*dice(RED, 0, 5), *dice(BLUE, 5, 1)]) == ["mixed"]
    assert players.told("mixed") == {"seat": 1, "count": 1, "colours": ("blue", "red")}
    assert players.desk.asked == 1


def test_a_colour_that_another_seat_has_is_not_learned_again(players: Players) -> None:
    players.desk.begin()
    players.show(dice(RED, 0))
    assert "taken" in players.show(dice(RED, 10))
    assert players.told("taken") == {"seat": 2, "elsewhere": 1, "colour": "red"}
    assert players.desk.asked == 2


@pytest.mark.parametrize(("reason", "code"), [(Unreadable.GLARE, "unread"), (Unreadable.NOT_A_PIP_DIE, "no-pips")])
def test_dice_that_cannot_be_read_or_have_no_pips_are_told(players: Players, reason: Unreadable, code: str) -> None:
    players.desk.begin()
    shown = [*dice(RED, 0, 4), *dice(RED, 4, 2, reason=reason, colour=None)]
    assert players.show(shown) == [code]
    assert players.told(code) == {"seat": 1, "count": 2}


def test_dice_whose_values_are_not_sure_still_have_a_colour(players: Players) -> None:
    unsure = {"reason": Unreadable.AMBIGUOUS, "colour": DieColour(RED, None)}
    players.desk.begin()
    assert players.show(dice(RED, 0, **unsure)) == ["unread"]
    assert players.told("unread") == {"seat": 1, "count": 6}
    players.show([*dice(RED, 10, 2), *dice(RED, 12, 4, **unsure)])
    assert players.desk.asked == 2


def test_it_may_be_too_dark(players: Players) -> None:
    players.desk.begin()
    assert players.show(dice((3.0, 2.0, 12.0), 0, 5), white=(15.0, 15.0, 15.0)) == ["dark"]


# --- colours that are alike


def test_colours_too_alike_are_named_at_once_and_their_dice_are_nobodys(players: Players) -> None:
    between = (41.0, 62.0, 192.0)
    players.desk.begin()
    players.show(dice(RED, 0))
    assert "alike" in players.show(dice(between, 10))
    facts = players.told("alike")
    assert (facts["seat"], facts["elsewhere"]) == (1, 2)
    players.show(dice(GREEN, 20))
    assert players.owners(RED, between, GREEN) == [None, None, 3]
    assert [each["alike"] for each in players.desk.plain()["seats"]] == [[2], [1], []]


def test_other_dice_end_it(players: Players) -> None:
    players.show_all(RED, (41.0, 62.0, 192.0), GREEN)
    players.desk.begin([2])
    assert "alike" not in players.show(dice(BLUE, 30))
    assert players.owners(RED, BLUE) == [1, 2]


# --- light, and what is kept


def test_another_light_is_taken_out_by_the_paper(players: Players) -> None:
    players.show_all(RED, BLUE, GREEN)
    gains = (0.5, 0.8, 1.0)
    lit = [tuple(level * gain for level, gain in zip(body, gains, strict=True)) for body in (GREEN, RED, BLUE)]
    pips = tuple(level * gain for level, gain in zip(PIPS, gains, strict=True))
    white = tuple(level * gain for level, gain in zip(PAPER, gains, strict=True))
    found = players.desk.whose([DieColour(body, pips) for body in lit], white, players.now_ns)  # type: ignore[arg-type]
    assert [each.seat for each in found] == [3, 1, 2]


def test_dice_that_fit_no_seat_for_long_ask_for_another_showing(players: Players) -> None:
    players.show_all(RED, BLUE, GREEN)
    strange = (150.0, 20.0, 160.0)
    for _ in range(30):
        players.owners(strange, strange, strange, RED)
    assert "drifted" not in players.codes()
    for _ in range(30):
        players.owners(strange, strange, strange, RED)
    assert players.codes()[-1] == "drifted"
    for _ in range(3):
        players.owners(RED, RED, BLUE, GREEN)
    assert "drifted" not in players.codes()


def test_what_is_learned_survives_a_restart_for_the_same_people_and_dice(tmp_path: Path, players: Players) -> None:
    players.show_all(RED, BLUE, GREEN)
    again = Players(tmp_path)
    assert again.desk.ready
    assert again.owners(BLUE, GREEN) == [2, 3]
    others = Header("lightning-dice", "1", "n", (Seat(1, "Ann", "red"), Seat(2, "Ben", "black")))
    assert [each["state"] for each in Players(tmp_path, others).desk.plain()["seats"]] == ["learned", "unknown"]
    again.desk.forget()
    assert not Players(tmp_path).desk.ready


@pytest.mark.parametrize(
    "content", [b"", b"[]", b"{}", b'{"version": 1, "seats": [{}]}', b"\xff\xfe", b'{"version": 9}']
)
def test_a_damaged_file_is_as_none(tmp_path: Path, content: bytes) -> None:
    (tmp_path / COLOURS_NAME).write_bytes(content)
    assert not Players(tmp_path).desk.ready


def test_stopping_keeps_what_was_learned(players: Players) -> None:
    players.desk.begin()
    players.show(dice(RED, 0))
    players.desk.stop()
    states = [each["state"] for each in players.desk.plain()["seats"]]
    assert (states, players.desk.showing) == (["learned", "unknown", "unknown"], False)


@pytest.mark.parametrize("language", ["en", "it"])
def test_what_is_asked_and_wrong_is_said_aloud_once(players: Players, language: str) -> None:
    aloud, catalogue, said = NewNotices(), Catalogue(language), []
    players.desk.begin()
    for shown in (dice(RED, 0), dice(RED, 10), dice(BLUE, 20), dice(GREEN, 30, 5)):
        for _ in range(4):
            players.show(shown, 500)
            plain = [notice.plain() for notice in players.desk.notices(players.now_ns)]
            said += aloud.due(plain, HEADER, catalogue)
    assert len(said) == len(set(said))
    assert not any("{" in text or "–" in text for text in said)
    for name in ("Ann", "Ben", "Cy"):
        assert any(name in text for text in said)


# --- the eyes


def _die(place: int, body: tuple[float, float, float], name: str, y: float) -> DieReading:
    x, half = 100.0 + 60 * place, SIDE_PX / 2
    outline = ((x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half))
    b, g, r = (int(level) for level in body)
    box = (x - half, y - half, x + half, y + half)
    return DieReading(
        place % 6 + 1, None, 0.99, box, outline, (), name, "white", (b, g, r), (x / 2, y / 2), (236, 240, 242)
    )


def test_the_eyes_ask_learn_and_then_go_by_colours_and_not_by_their_names(tmp_path: Path) -> None:
    seats = SEATS[:2]
    desk = ColourDesk(tmp_path, Header("lightning-dice", "1", "m", seats))
    eyes, table = LightningDiceEyes(seats, {}, colours=desk), PaintedTable()
    now_ns, last, told = 1_000 * MS, Seen(), []

    def look(*rows: list[DieReading], frames: int = 40) -> list[Any]:
        nonlocal now_ns, last
        told.clear()
        for _ in range(frames):
            now_ns += FRAME_NS
            shown = tuple(die for row in rows for die in row)
            last = eyes.update(table.show(shown, now_ns, white=PAPER), now_ns, StateNow())
            told.extend(sighting.submission.event for sighting in last.sightings)
        return told

    crimson = [_die(place, (60.0, 20.0, 150.0), "purple", 100.0) for place in range(6)]
    teal = [_die(place, (130.0, 110.0, 20.0), "green", 300.0) for place in range(6)]
    desk.begin()
    assert look(crimson) == []  # dice that are shown are not thrown
    assert desk.asked == 2
    assert "notice.colours-show" in [notice.code for notice in last.notices]
    rolls = look(crimson, teal)
    assert desk.ready
    assert sorted(roll.seat for roll in rolls if isinstance(roll, Roll)) == [1, 2]
    assert {die.seat for die in last.dice} == {1, 2}
    assert [notice.code for notice in last.notices if not notice.code.startswith("notice.colours")] == []

    pink = [_die(7, (150.0, 120.0, 230.0), "red", 500.0)]  # called red, as the dice of seat 1, and like nobody's
    look(crimson, teal, pink)
    assert "notice.foreign-die" in [notice.code for notice in last.notices]


# --- the whole way, from pixels

LOOKS = ("purple", "orange", "yellow")
"""Of seats 1 to 3: none is called as its seat is."""
LAMPS = (Lamp(2700, 0.9, 0.3), Lamp(8000, 0.9, 0.3), Lamp(4000, 0.35, 0.5))


def _true_dice(simulated: SimulatedTable, picture: Any) -> tuple[DieReading, ...]:
    """The dice where and what they truly are, with the colours of their pixels."""
    truth = simulated.dice_truth()
    outlines = np.array([die.top_px for die in truth]).reshape(-1, 4, 2)
    pips = [pips_px(die.value or 1, outline) for die, outline in zip(truth, outlines, strict=True)]
    return tuple(
        DieReading(
            value=die.value,
            reason=None,
            confidence=0.99,
            box_xyxy=(*outline.min(axis=0), *outline.max(axis=0)),
            outline_px=die.top_px,
            pips_px=(),
            colour="grey",
            pip_colour="grey",
            colour_bgr=paint.colour_bgr,
            position_mm=die.position_mm,
            pip_bgr=paint.pip_bgr,
        )
        for die, outline, paint in zip(truth, outlines, paints(picture, outlines, pips), strict=True)
    )


def test_from_pixels_to_seats_in_warm_cold_and_dim_light(tmp_path: Path) -> None:
    clock = ManualClock(start_ns=10**9)
    simulated = SimulatedTable(clock, 3, seed=11)
    desk = ColourDesk(tmp_path, HEADER)
    eyes, tracker = LightningDiceEyes(SEATS, {}, zones=simulated.zones, colours=desk), GivenTracker()
    markers = MarkerReader().read(simulated.render(clock.now_ns()))

    def watch(frames: int) -> Seen:
        seen = Seen()
        for _ in range(frames):
            clock.advance(FRAME_NS)
            frame = simulated.frame()
            found = _true_dice(simulated, frame.image_bgr)
            white = paper_white(frame.image_bgr, markers)
            reading = Reading(frame.size_wh, found, markers, frame.exposure_start_ns, white_bgr=white)
            seen = eyes.update(tracker.watch(frame.image_bgr, reading), clock.now_ns(), StateNow())
        return seen

    for seat, look in enumerate(LOOKS, start=1):
        clock.advance_to(simulated.throw(seat, faces=[1, 4, 5, 1, 4, 5]))
        simulated.put_away(seat)
        simulated.take_dice(seat, look)
    desk.begin()
    watch(2)
    for seat in (1, 2, 3):
        assert desk.asked == seat
        simulated.lay_out(seat)
        watch(18)
    assert desk.ready
    for lamp in LAMPS:
        simulated.light(lamp)
        seen = watch(7)
        assert Counter(die.seat for die in seen.dice) == {1: 6, 2: 6, 3: 6}, (lamp, seen.notices)
    about_colours = {"notice.colours-learned", "notice.colours-done"}
    assert {notice.code for notice in seen.notices} <= {*about_colours, "notice.out-of-step.light-changed"}


@pytest.mark.skipif(not os.environ.get("TABLETOP_MANY_COLOURS"), reason="slow: reads 90 frames with the networks")
@pytest.mark.timeout(600)
def test_the_same_with_everything_read_by_the_watcher(tmp_path: Path) -> None:
    clock = ManualClock(start_ns=10**9)
    store, table = open_table(tmp_path, clock=clock, wanted=Wanted("lightning-dice", seats=SEATS))
    with store, table:
        simulated = SimulatedTable(clock, 3, seed=11)
        watcher = TableWatcher(table, lambda: pytest.fail("no camera is opened"), table_size_mm=TABLE_SIZE_MM)

        def watch(frames: int) -> Seen:
            seen = Seen()
            for _ in range(frames):
                clock.advance(FRAME_NS)
                seen = watcher.step(simulated.frame())
            return seen

        for seat in (1, 2, 3):
            simulated.put_away(seat)
            simulated.take_dice(seat, LOOKS[seat - 1])
        table.colours.begin()
        watch(2)
        for seat in (1, 2, 3):
            assert table.view()["colours"]["asked"] == seat
            simulated.lay_out(seat)
            for _ in range(5):
                seen = watch(18)
                if table.view()["colours"]["asked"] != seat:
                    break
                clock.advance_to(simulated.throw(seat))  # what cannot be read is laid down anew
            assert table.view()["colours"]["asked"] != seat, seen.notices
        assert table.view()["colours"]["ready"]

        for lamp in LAMPS:
            simulated.light(lamp)
            seen = watch(9)
            owners = Counter(die.seat for die in seen.dice if die.value is not None)
            truth = Counter(die.seat for die in simulated.dice_truth())
            assert set(owners) <= set(truth), (lamp, seen.notices)
            assert owners <= truth, lamp
            assert owners.total() >= 0.7 * truth.total(), (lamp, owners)
