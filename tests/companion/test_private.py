"""The shielded nook: its card reaches the seat that asks, and nothing else, not even the size of a picture."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import cv2
import msgspec
import numpy as np
import pytest

from companion.errors import BadInput
from companion.live.areas import Rect
from companion.live.card_places import Place, nooks_for, places_for
from companion.live.interpreter import NO_CORNERS
from companion.live.opening import parse_nooks
from companion.live.private import COVER_BGR
from companion.live.sight import PrivateLook
from companion.live.table import LiveTable
from companion.live.watcher import TableWatcher
from companion.store import Store, StoredMatch
from device.clock import ManualClock
from device.simulated.card_layout import Area, cell, hand_places, nook, spot_at
from device.simulated.card_table import SimulatedCardTable
from rules.events import Note, Submission
from rules.games import new_match
from rules.thunder_and_lightning.components import Role
from rules.thunder_and_lightning.events import Deal, Lay, Lead, Shuffled
from tests.companion.duel import LOKI, THOR, duel_header

FRAME_NS = 66_666_667
ROLES = {THOR: Role.THOR, LOKI: Role.LOKI}
WALL = "2026-01-01T00:00:00+00:00"


@dataclass
class World:
    """A table under a rendered camera, one frame at a time, and everything that anybody but a seat can get."""

    directory: Path
    nooks: dict[int, Rect] | None = None
    seen: dict[str, list[Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.clock = ManualClock()
        self.store = Store(self.directory)
        header = msgspec.structs.replace(duel_header(), match="two-worlds", wall=WALL)
        stored = StoredMatch(new_match(header), self.store.create(header), None)
        self.table = LiveTable(self.store, stored, clock=self.clock, publish=self._publish, simulated=True)
        self.simulated = SimulatedCardTable(self.clock, seed=5)
        self.watcher = TableWatcher(
            self.table,
            lambda: pytest.fail("no camera is opened here"),
            table_size_mm=self.table.interpreter.table_size_mm,
            nooks=nooks_for(ROLES) if self.nooks is None else self.nooks,
        )

    def _publish(self, topic: str, data: dict[str, Any], seq: int | None = None) -> None:
        self.seen.setdefault(topic, []).append((msgspec.json.encode(data), seq))

    def step(self, change: Callable[[np.ndarray], np.ndarray] = lambda image: image) -> None:
        self.clock.advance(FRAME_NS)
        frame = self.simulated.frame()
        self.watcher.step(replace(frame, image_bgr=change(frame.image_bgr)))
        picture = self.table.picture()
        assert picture is not None
        self.seen.setdefault("pictures", []).append(picture[0])
        self.seen.setdefault("readings", []).append(repr(picture[1]))

    def say(self, *events: Any) -> None:
        for event in events:
            self.table.submit(Submission(event, wall=WALL))

    def record(self) -> list[bytes]:
        return list(self.table.log_lines())

    def close(self) -> None:
        self.table.close()
        self.store.close()


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    made = World(tmp_path)
    yield made
    made.close()


def marker(world: World, card: str, copy: int = 0) -> int:
    return int(world.table.state.given.cards[card].markers[copy])


def shown(role: str = "thor") -> Area:
    """The place under the hood."""
    return nook(role)


# --- two worlds


def _two_worlds(
    directory: Path, in_nook: str | None, in_the_open: str = "thor-hel", face_down: str = "thor-tyr"
) -> World:
    """A short stretch of play, in which one card lies in Thor's nook and one face down from the sixth frame on."""
    world = World(directory)
    world.say(Shuffled(THOR), Deal(THOR), Shuffled(LOKI), Deal(LOKI))
    for number in range(24):
        if number == 5:
            if in_nook is not None:
                world.simulated.put(marker(world, in_nook), 0, shown())
            world.simulated.put(marker(world, face_down), 0, cell("thor", 2, 1), face_up=False)
        if number == 12:
            world.simulated.put(marker(world, in_the_open), 0, hand_places("thor")[0])
        if number == 18:
            look = world.table.look_privately(THOR)
            assert look.card == in_nook
            if in_nook is not None:
                world.simulated.remove(shown())
        world.step()
        world.say(Note(f"frame {number}"))  # now all that the frame brought is on the disk
        world.seen.setdefault("views", []).append(msgspec.json.encode(world.table.view()))
    return world


@pytest.fixture
def no_stopwatch(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a machine took for a frame differs from run to run for no reason of the table's."""
    for module in ("vision.tracking.changed", "vision.reader"):
        monkeypatch.setattr(f"{module}.perf_counter_ns", lambda: 0)
    monkeypatch.setattr("companion.live.table.wall_now", lambda: WALL)


@pytest.mark.usefixtures("no_stopwatch")
def test_worlds_that_differ_in_nook_and_face_down_cards_alone_are_the_same_everywhere(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    worlds, logs = [], []
    deals = (("thor-ravens", "thor-tyr"), ("thor-leader", "thor-tyr"), (None, "thor-ring"))
    for number, (card, face_down) in enumerate(deals):
        caplog.clear()
        worlds.append(_two_worlds(tmp_path / str(number), card, face_down=face_down))
        logs.append([record.getMessage() for record in caplog.records])
    first = worlds[0]
    assert any(isinstance(entry.filed.event, Lay) for entry in first.table.entries()), "nothing was read at all"
    for other, log in zip(worlds[1:], logs[1:], strict=True):
        assert other.seen.keys() == first.seen.keys() == {"entry", "view", "dice", "pictures", "readings", "views"}
        for topic in first.seen:
            assert other.seen[topic] == first.seen[topic], topic
        assert other.record() == first.record()
        assert log == logs[0]
    for world in worlds:
        world.close()


@pytest.mark.usefixtures("no_stopwatch")
def test_two_worlds_that_differ_in_the_open_are_told_apart(tmp_path: Path) -> None:
    """So that the comparison above can fail."""
    one = _two_worlds(tmp_path / "one", "thor-ravens", "thor-hel")
    two = _two_worlds(tmp_path / "two", "thor-ravens", "thor-seer")
    assert one.seen["readings"] != two.seen["readings"]
    assert one.seen["pictures"] != two.seen["pictures"]
    one.close()
    two.close()


def test_a_look_prints_without_its_card() -> None:
    assert "ravens" not in repr(PrivateLook("thor-ravens"))
    assert "nothing" not in str(PrivateLook(None, "nothing"))


# --- what a look finds


def test_each_seat_has_its_own_card_read_and_nobody_elses(world: World) -> None:
    world.simulated.put(marker(world, "thor-ravens", 2), 0, shown("thor"))
    world.step()
    assert world.table.look_privately(THOR) == PrivateLook("thor-ravens")
    assert world.table.look_privately(LOKI) == PrivateLook(None, "nothing")
    world.simulated.put(marker(world, "loki-hel"), 1, shown("loki"))
    world.step()
    assert world.table.look_privately(LOKI) == PrivateLook("loki-hel")


def test_a_card_beside_the_nook_is_not_in_it(world: World) -> None:
    area = shown()
    world.simulated.put(marker(world, "thor-ravens"), 0, spot_at(area.x1 + 60, area.centre_mm[1]))
    world.step()
    assert world.table.look_privately(THOR) == PrivateLook(None, "nothing")


def test_a_card_beside_a_nook_seen_askew_is_not_in_it(world: World) -> None:
    """The upright box round a turned nook takes in some of what lies beside it."""
    area = shown()
    world.simulated.put(marker(world, "thor-ravens"), 0, spot_at(area.centre_mm[0], area.y1 + 12))
    world.step(_askew)
    assert world.table.look_privately(THOR).card is None
    assert marker(world, "thor-ravens") in world.watcher._seen.secret, "it was seen, outside the nook"


def _askew(image: np.ndarray) -> np.ndarray:
    height, width = image.shape[:2]
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), 40, 1.0)
    turn[:, 2] += (110, 350)
    return np.asarray(cv2.warpAffine(image, turn, (width + 220, height + 700), borderValue=(90, 90, 90)))


def test_a_card_face_down_cannot_be_read(world: World) -> None:
    world.simulated.put(None, 0, shown())
    world.step()
    assert world.table.look_privately(THOR) == PrivateLook(None, "unreadable")


def test_two_cards_are_too_many(world: World) -> None:
    area = shown()
    x, y = area.centre_mm
    world.simulated.put(marker(world, "thor-ravens"), 0, spot_at(x - 35, y))
    world.simulated.put(marker(world, "thor-hel"), 0, spot_at(x + 35, y))
    world.step()
    assert world.table.look_privately(THOR) == PrivateLook(None, "several")


def test_without_a_camera_nothing_is_read(world: World) -> None:
    assert world.table.look_privately(THOR) == PrivateLook(None, "no-camera")
    world.simulated.put(marker(world, "thor-ravens"), 0, shown())
    world.step()
    assert world.table.look_privately(THOR).card == "thor-ravens"
    world.watcher._lost("lost", "unplugged")
    assert world.watcher._unpainted is None, "no picture is kept of a table that nobody watches"
    assert world.table.look_privately(THOR) == PrivateLook(None, "no-camera")


def test_without_a_nook_nothing_is_read(tmp_path: Path) -> None:
    world = World(tmp_path, nooks={})
    world.step()
    assert world.table.look_privately(THOR) == PrivateLook(None, "no-nook")
    world.close()


# --- what everybody sees


def _nook_px(world: World) -> tuple[int, int]:
    x, y = world.simulated.camera.project(np.array([[*shown().centre_mm, 0.0]]))[0]
    return int(x), int(y)


def _public(world: World) -> np.ndarray:
    picture = world.table.picture()
    assert picture is not None
    return np.asarray(cv2.imdecode(np.frombuffer(picture[0], np.uint8), cv2.IMREAD_COLOR))


def test_the_nook_is_painted_over_also_when_it_is_empty(world: World) -> None:
    world.step()
    x, y = _nook_px(world)
    patch = _public(world)[y - 30 : y + 30, x - 30 : x + 30].astype(int)
    assert abs(patch - COVER_BGR[0]).max() <= 3


def test_a_card_lifted_for_the_own_eyes_is_painted_over_and_listed_nowhere(world: World) -> None:
    face = marker(world, "thor-ravens")
    lifted, open_to_all = spot_at(535, 60), hand_places("loki")[0]
    world.simulated.put(face, 0, lifted)
    world.simulated.put(marker(world, "loki-hel"), 1, open_to_all)
    for _ in range(2):
        world.step()
        picture = world.table.picture()
        assert picture is not None
        listed = {each.id for each in picture[1].markers}
        assert face not in listed
        assert marker(world, "loki-hel") in listed
        corners = np.array([[x, y, 0.0] for x in (lifted.x0 + 25, lifted.x1 - 25) for y in (18, 102)])
        (x0, y0), (x1, y1) = (f(world.simulated.camera.project(corners), axis=0).astype(int) for f in (np.min, np.max))
        assert abs(_public(world)[y0:y1, x0:x1].astype(int) - COVER_BGR[0]).max() <= 3
        assert "ravens" not in msgspec.json.encode(world.table.view()["notices"]).decode()


def test_until_the_corners_are_seen_nothing_is_shown(world: World) -> None:
    world.simulated.put(marker(world, "thor-ravens"), 0, shown())
    world.step(lambda image: image[:, ::-1].copy())  # no marker can be read in a mirror
    assert (np.abs(_public(world).astype(int) - COVER_BGR[0]) <= 2).all()
    assert [notice["code"] for notice in world.table.view()["notices"]] == [NO_CORNERS.code]
    assert world.table.look_privately(THOR).card is None


def _shifted(image: np.ndarray, hidden: int = 0) -> np.ndarray:
    """The camera was pushed; so many corners are hidden too."""
    moved = cv2.warpAffine(image, np.array([[1, 0, 14.0], [0, 1, 6.0]]), (image.shape[1], image.shape[0]))
    height, width = moved.shape[:2]
    for x in (slice(0, 90), slice(width - 90, width))[:hidden]:
        moved[height - 110 :, x] = 90
    return np.asarray(moved)


def test_a_camera_that_was_pushed_shows_the_nook_nowhere(world: World) -> None:
    world.step()
    world.simulated.put(marker(world, "thor-ravens"), 0, shown())
    world.step(_shifted)
    x, y = _nook_px(world)
    patch = _public(world)[y - 30 + 6 : y + 30 + 6, x - 30 + 14 : x + 30 + 14].astype(int)
    assert abs(patch - COVER_BGR[0]).max() <= 3
    assert world.table.look_privately(THOR).card == "thor-ravens"


def test_a_camera_that_was_pushed_with_a_corner_hidden_shows_nothing(world: World) -> None:
    world.step()
    world.simulated.put(marker(world, "thor-ravens"), 0, shown())
    world.step(lambda image: _shifted(image, 1))
    assert (np.abs(_public(world).astype(int) - COVER_BGR[0]) <= 2).all()
    picture = world.table.picture()
    assert picture is not None
    assert picture[1].markers == ()
    world.step()
    assert world.table.look_privately(THOR).card == "thor-ravens"
    assert not (np.abs(_public(world).astype(int) - COVER_BGR[0]) <= 2).all()


def test_a_hand_over_two_corners_blinds_nobody(world: World) -> None:
    world.step()
    world.step(lambda image: _hidden(image, 2))
    picture = world.table.picture()
    assert picture is not None
    assert len(picture[1].markers) == 2


def _hidden(image: np.ndarray, corners: int) -> np.ndarray:
    covered = image.copy()
    height, width = covered.shape[:2]
    for x in (slice(0, 90), slice(width - 90, width))[:corners]:
        covered[height - 110 :, x] = 90
    return covered


# --- the option of the command


@pytest.mark.parametrize(
    ("texts", "found"),
    [
        pytest.param([], {}, id="none"),
        pytest.param(["1:60,20,150,150"], {1: Rect(60, 20, 210, 170)}, id="one"),
        pytest.param(["2:0,0,10.5,20", "1:1,2,3,4"], {2: Rect(0, 0, 10.5, 20), 1: Rect(1, 2, 4, 6)}, id="two"),
    ],
)
def test_nooks_are_read_from_their_texts(texts: list[str], found: dict[int, Rect]) -> None:
    assert parse_nooks(texts) == found


@pytest.mark.parametrize(
    "texts",
    [
        pytest.param(["60,20,150,150"], id="no seat"),
        pytest.param(["1:60,20,150"], id="three numbers"),
        pytest.param(["1:60,20,0,150"], id="no width"),
        pytest.param(["1:60,20,nan,150"], id="not a number"),
        pytest.param(["one:60,20,150,150"], id="a word for a seat"),
        pytest.param(["1:0,0,9,9", "1:9,9,9,9"], id="twice"),
    ],
)
def test_a_wrong_nook_is_refused_in_words(texts: list[str]) -> None:
    with pytest.raises(BadInput, match="nook"):
        parse_nooks(texts)


# --- what a shared picture shows


def test_a_shared_picture_shows_only_where_cards_lie_open_once_cards_are_dealt(world: World) -> None:
    """A face that no marker gives away is not shown either: all but the open places is painted over."""
    world.step()
    in_row_1, in_hand = cell("thor", 2, 1).centre_mm, hand_places("thor")[0].centre_mm
    assert not painted(world, in_row_1), "the whole table, to aim the camera"
    world.say(Shuffled(THOR), Deal(THOR))
    world.step()
    assert painted(world, in_row_1)
    assert not painted(world, in_hand), "a shown hand is open"


def test_open_are_the_cards_face_up_the_piles_the_shown_hands_and_a_challenge(world: World) -> None:
    interpreter, match = world.table.interpreter, world.table.match
    assert interpreter.open_areas(match) is None
    world.say(Shuffled(THOR), Deal(THOR))
    assert len(interpreter.open_areas(match) or ()) == 4
    world.say(Shuffled(LOKI), Deal(LOKI), *(Lay(seat, column) for seat in (THOR, LOKI) for column in (1, 2, 3)))
    assert len(interpreter.open_areas(match) or ()) == 4, "six cards lie face down"
    world.say(Lead(LOKI, 2))
    where = places_for(ROLES).areas[Place("cell", LOKI, 2, 1)]
    areas = interpreter.open_areas(match)
    assert areas is not None
    assert len(areas) == 5
    assert where in areas


def painted(world: World, place_mm: tuple[float, float]) -> bool:
    """True when the shared picture shows nothing there."""
    told, geometry = world.table.picture(), world.watcher._reader.geometry
    assert told is not None
    assert geometry is not None
    image = cv2.imdecode(np.frombuffer(told[0], np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    x, y = np.round(geometry.to_px([place_mm])[0]).astype(int)
    return int(np.abs(image[y - 8 : y + 8, x - 8 : x + 8].astype(int) - COVER_BGR[0]).max()) <= 4
