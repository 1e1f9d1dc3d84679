"""The steps of a set-up: each alone, all of them by ear within three minutes, and what is kept of them."""

from __future__ import annotations

import io
import re
import tomllib
from collections import deque
from collections.abc import Callable, Mapping
from math import remainder
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
from click.testing import CliRunner

from companion.catalogue import Catalogue, languages
from companion.cli import cli
from companion.commands.kept import Kept, checked_nooks, kept_for
from companion.commands.setup import camera_specs, usual_mains_hz
from companion.commands.table import command as table_command
from companion.errors import BadInput, StoreFailed
from companion.live.colour_desk import COLOURS_NAME
from companion.settings import (
    Buttons,
    CameraSettings,
    Corners,
    SeatSettings,
    Sound,
    TableSettings,
    load_settings,
    save_settings,
)
from companion.setup import corners as corners_module
from companion.setup import framing, hearing, seeing, showing, steps
from companion.setup.corners import CornersByDie
from companion.setup.hearing import ButtonTrial, try_buttons, try_sound, wanted_buttons
from companion.setup.keys import KEYS_NAME, KeyLearning
from companion.setup.seeing import find_camera, lock_camera
from companion.setup.steps import STEPS, go_through
from companion.setup.talk import Script, TypedLines
from device.buttons.base import BUTTONS, MORE_BUTTONS, OnPress, Press
from device.buttons.input_device import PressedKey, load_keys
from device.cameras.pi import PiCamera
from device.clock import ManualClock, SystemClock
from device.errors import ButtonBackendMissing, CameraFailed, CameraMissing
from device.simulated import SimulatedTable
from tests.companion.setup.table import Mast, MastCamera, Voice, good_picture, session
from tests.device.fakes import PiWorld
from tests.device.sensor import CONTROLS, SIZE_WH, SensorModel

FULL = TableSettings(
    language="it",
    camera=CameraSettings(spec="usb:1", mains_hz=60, locked={"ExposureTime": 16667.0, "LensPosition": 1.25}),
    corners=Corners(at_px=((1.5, 2.0), (100.0, 2.0), (100.0, 90.0), (1.0, 90.25)), picture_wh=(1280, 720)),
    seat=(SeatSettings(name='Ann "the ace" \\ é', colour="red"), SeatSettings(name="Ben\t\x7f", colour="blue")),
    buttons=Buttons(source="gpio", tried=("1 claim",), pins="/home/pi/my pins.toml"),
    sound=Sound(speak=False, words_per_minute=300, volume_percent=80),
)


class Hand:
    """Buttons that a person presses as the voice asks."""

    def __init__(self, clock: ManualClock) -> None:
        self._clock = clock
        self._on_press: OnPress | None = None
        self.stopped = False

    def start(self, on_press: OnPress) -> None:
        self._on_press = on_press

    def stop(self) -> None:
        self.stopped = True

    def press(self, seat: int, button: str) -> None:
        assert self._on_press is not None
        self._on_press(Press(seat, button, self._clock.now_ns(), "hand", kernel_timed=True))

    def obey(self, text: str) -> None:
        asked = re.fullmatch(r"Press (?:seat (\d)|judge): (\w+)\.", text)
        if asked:
            self.press(int(asked[1] or 0), asked[2])


class Lockable(MastCamera):
    """A camera that can be locked, or says why not."""

    trouble: CameraFailed | None = None
    asked_mains_hz = 0.0

    def lock(self, timeout_s: float, *, mains_hz: float = 50.0) -> dict[str, float]:
        if self.trouble is not None:
            raise self.trouble
        self.asked_mains_hz = mains_hz
        return {"ExposureTime": 1e6 / (2 * mains_hz), "LensPosition": 1.5}


# What is kept


def test_what_is_kept_is_read_back_and_can_be_read_by_people(tmp_path: Path) -> None:
    path = save_settings(tmp_path, FULL)
    assert load_settings(tmp_path) == FULL
    text = path.read_text()
    assert text.startswith("# How this table is set up.")
    assert '\nspec = "usb:1"\n' in text
    assert load_settings(tmp_path / "elsewhere") is None
    save_settings(tmp_path, TableSettings())
    assert load_settings(tmp_path) == TableSettings()


@pytest.mark.parametrize(
    ("content", "named"),
    [
        ("spec = ", "no TOML"),
        ("[camera]\nspec = 3\n", "camera.spec"),
        ("[camera]\nspec = 'pi'\nmains_hz = 55\n", "mains_hz"),
        ("[kamera]\n", "kamera"),
        ("version = 9\n", "newer release"),
        ("[sound]\nvolume_percent = 900\n", "sound.volume_percent"),
        ("[corners]\nat_px = [[1,2],[3,4],[5,6]]\npicture_wh = [9, 9]\n", "corners.at_px"),
        ("[corners]\nat_px = [[1,2],[3,4],[5,6],[nan,8]]\npicture_wh = [9, 9]\n", "corner at"),
    ],
)
def test_a_file_that_is_not_understood_is_named_with_the_entry_and_what_to_do(
    content: str, named: str, tmp_path: Path
) -> None:
    (tmp_path / "table.toml").write_text(content)
    with pytest.raises(BadInput) as told:
        load_settings(tmp_path)
    assert named in str(told.value)
    assert "companion setup" in str(told.value)


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StoreFailed, match="cannot be kept"):
        save_settings(tmp_path / "file", FULL)


# The camera


def test_of_several_cameras_the_one_that_sees_the_table_is_taken(tmp_path: Path) -> None:
    clock = ManualClock()
    blank = np.full((180, 320, 3), 80, np.uint8)
    pictures = {"usb:0": blank, "usb:2": good_picture()}

    def opened(spec: str, locked: Mapping[str, float]) -> Any:
        if spec not in pictures:
            raise CameraMissing("there is no camera; plug it in")
        return MastCamera(clock, lambda: pictures[spec])

    made, shown = session(tmp_path, opened, clock=clock)
    made.camera_specs = ("pi", "usb:0", "usb:2")
    assert find_camera(made)
    assert made.settings.camera == CameraSettings(spec="usb:2", mains_hz=50)
    assert "There are others too: usb:0. Choose with --camera." in shown
    made.wanted_camera = "pi"
    assert not find_camera(made)
    assert "pi: there is no camera; plug it in" in shown
    assert made.settings.camera == CameraSettings(spec="usb:2", mains_hz=50), "what was set up stays"


def test_the_likely_cameras(tmp_path: Path) -> None:
    for name in ("video0", "video2", "video10", "video19", "videox"):
        (tmp_path / name).touch()
    assert camera_specs(tmp_path, library=True) == ("pi", "usb:0", "usb:2")
    assert camera_specs(tmp_path, library=False) == ("usb:0", "usb:2")


@pytest.mark.parametrize(
    ("zone", "mains_hz"),
    [
        ("Europe/Rome", 50),
        ("America/New_York", 60),
        ("America/Argentina/Salta", 50),
        ("Asia/Seoul", 60),
        ("Asia/Tokyo", 50),
        ("", 50),
    ],
)
def test_the_mains_of_a_time_zone(zone: str, mains_hz: int) -> None:
    assert usual_mains_hz(zone) == mains_hz


# Light and focus


def locking(tmp_path: Path, camera_of: Callable[[ManualClock], Any], **more: Any) -> tuple[Any, list[str], Any]:
    clock = ManualClock()
    camera = camera_of(clock)
    asked: list[Mapping[str, float]] = []

    def opened(spec: str, locked: Mapping[str, float]) -> Any:
        asked.append(dict(locked))
        return camera

    made, shown = session(
        tmp_path, opened, clock=clock, settings=TableSettings(camera=CameraSettings(spec="pi")), **more
    )
    made.done.append(str(asked))
    return made, shown, camera


def test_light_and_focus_are_locked_for_the_mains_and_looked_at(tmp_path: Path) -> None:
    made, shown, camera = locking(tmp_path, lambda clock: Lockable(clock, good_picture, 0.1), mains_hz=60)
    assert lock_camera(made)
    assert camera.asked_mains_hz == 60
    kept = made.settings.camera
    assert kept == CameraSettings(spec="pi", mains_hz=60, locked={"ExposureTime": 1e6 / 120, "LensPosition": 1.5})
    assert shown[-1] == "The picture is good."


def test_a_picture_that_is_too_dark_is_told_with_what_to_do(tmp_path: Path) -> None:
    dark = (good_picture() * 0.15).astype(np.uint8)
    made, shown, _ = locking(tmp_path, lambda clock: Lockable(clock, lambda: dark, 0.1))
    assert not lock_camera(made)
    assert any(text.startswith("Too dark") for text in shown)
    assert "Switch a lamp on, then companion setup lock." in shown


def test_a_camera_that_cannot_be_locked_is_only_looked_at(tmp_path: Path) -> None:
    made, shown, _ = locking(tmp_path, lambda clock: MastCamera(clock, good_picture, 0.1))
    made.settings = TableSettings(camera=CameraSettings(spec="usb:0"))
    assert lock_camera(made)
    assert "This camera sets light and focus by itself; I only look." in shown
    assert made.settings.camera is not None
    assert made.settings.camera.locked == {}


def test_a_lock_that_fails_is_told_and_nothing_is_kept(tmp_path: Path) -> None:
    def camera_of(clock: ManualClock) -> Any:
        camera = Lockable(clock, good_picture)
        camera.trouble = CameraFailed("the exposure drifts; put the lamp on and try again")
        return camera

    made, shown, _ = locking(tmp_path, camera_of)
    before = made.settings
    assert not lock_camera(made)
    assert "the exposure drifts; put the lamp on and try again" in shown
    assert made.settings == before


def test_the_pi_s_own_camera_is_locked_kept_and_held_from_then_on(tmp_path: Path) -> None:
    """The camera class of a real Pi, over a stand-in of picamera2 and a model of a sensor under a lamp of 60 Hz."""
    world = PiWorld()
    world.controls = dict(CONTROLS)
    world.sensor = SensorModel(mains_hz=60.0)

    def opened(spec: str, locked: Mapping[str, float]) -> PiCamera:
        camera = PiCamera(
            SystemClock(), import_picamera2=lambda: world.make, size_wh=SIZE_WH, retry_s=0.01, held=locked or None
        )
        camera.open()
        return camera

    settings = TableSettings(camera=CameraSettings(spec="pi"))
    made, shown = session(tmp_path, opened, clock=SystemClock(), settings=settings, mains_hz=60)  # type: ignore[arg-type]
    lock_camera(made)
    assert "Light and focus are fixed." in shown
    kept = made.settings.camera
    assert kept is not None
    assert remainder(kept.locked["ExposureTime"], 1e6 / 120) == pytest.approx(0, abs=60)
    assert "LensPosition" in kept.locked
    assert world.camera.config["controls"]["AeEnable"] is False, "it was opened again with what was kept"
    assert not any("bands" in text for text in shown)


# Corners by a die


def test_corners_wait_for_one_still_die_at_a_new_place() -> None:
    shown = CornersByDie()
    size = (1280, 720)
    assert shown.look([(100, 100), (500, 300)], size, 0.0) == []
    assert shown.look([(100, 100)], size, 1.0) == []
    assert shown.look([(140, 100)], size, 1.5) == []  # still moving
    assert shown.look([(140, 100)], size, 2.4) == []
    (ask,) = shown.look([(140, 101)], size, 2.6)
    assert dict(ask.facts) == {"where": "far-right"}
    assert shown.look([(140, 101)], size, 9.0) == []  # the same die is no second corner
    (again,) = shown.look([], size, 12.0)
    assert again == ask
    (one,) = shown.look([(1, 2), (3, 4)], size, 21.0)
    assert (one.code, dict(one.facts)) == ("setup.corners.one-die", {"count": 2})
    assert shown.corners is None


def test_corners_in_a_wrong_order_are_asked_for_anew() -> None:
    shown = CornersByDie()
    for number, place in enumerate([(100, 100), (1100, 600), (1100, 100), (100, 600)]):
        for step in (0.0, 1.1):
            told = shown.look([place], (1280, 720), 10 * number + step)
    assert [each.code for each in told] == ["setup.corners.crossed"]
    assert shown.corners is None
    assert dict(shown.request.facts) == {"where": "far-left"}


# Sound and buttons


def test_the_voice_is_made_faster_and_kept(tmp_path: Path) -> None:
    clock = ManualClock()
    voice = Voice(clock)
    made, shown = session(
        tmp_path, lambda *_: None, clock=clock, voice=voice, typed=Script("f", "F", "s", "+", "-", "+", "")
    )
    assert try_sound(made)
    assert made.settings.sound == Sound(speak=True, words_per_minute=195, volume_percent=120)
    assert (voice.rate, voice.volume) == (195, 120)
    assert "225 words a minute, volume 100. Good?" in shown
    for word, limit in (("f", Sound(words_per_minute=400)), ("-", Sound(volume_percent=20))):
        made, _ = session(tmp_path, lambda *_: None, clock=clock, voice=Voice(clock), typed=Script(*[word] * 9))
        assert try_sound(made)
        assert made.settings.sound == limit


def test_nobody_objects_and_somebody_does(tmp_path: Path) -> None:
    clock = ManualClock()
    made, _ = session(tmp_path, lambda *_: None, clock=clock, voice=Voice(clock))
    assert try_sound(made)
    assert made.settings.sound == Sound()
    made, shown = session(tmp_path, lambda *_: None, clock=clock, voice=Voice(clock), typed=Script("N"))
    assert try_sound(made)
    assert made.settings.sound == Sound(speak=False)
    assert made.talk.speaker is None
    made, shown = session(tmp_path, lambda *_: None, clock=clock)
    assert not try_sound(made)
    assert made.settings.sound == Sound(speak=False)
    assert shown


def test_a_trial_takes_buttons_in_their_order() -> None:
    trial = ButtonTrial(wanted_buttons(2, judge=False))
    assert trial.asked == (1, "claim")
    assert trial.press(2, "claim") is False
    assert trial.press(1, "claim") is True
    trial.skip()
    assert trial.asked == (2, "claim")
    trial.skip()
    trial.skip()
    trial.skip()
    assert trial.press(1, "claim") is None
    assert (trial.tried, trial.skipped) == ([(1, "claim")], [(1, "call"), (2, "claim"), (2, "call")])
    assert wanted_buttons(6)[-3:] == [(0, "flip"), (0, "uphold"), (0, "overrule")]
    assert len(wanted_buttons(6)) == 15


def two_seats(**more: Any) -> TableSettings:
    return TableSettings(seat=(SeatSettings(name="Ann", colour="red"), SeatSettings(name="Ben", colour="blue")), **more)


class Ticking(Script):
    """Waiting for a line takes its time on the clock."""

    def __init__(self, clock: ManualClock, *lines: str | None) -> None:
        super().__init__(*lines)
        self._clock = clock

    def line(self, timeout_s: float) -> str | None:
        self._clock.advance(round(timeout_s * 1e9))
        return super().line(timeout_s)


def test_every_button_is_asked_for_and_pressed(tmp_path: Path) -> None:
    clock = ManualClock()
    hand = Hand(clock)
    made, shown = session(
        tmp_path,
        lambda *_: None,
        clock=clock,
        voice=Voice(clock, hand.obey),
        typed=Ticking(clock),
        settings=two_seats(),
        buttons=lambda source: hand,
        board_has_pins=True,
    )
    assert try_buttons(made)
    tried = ("1 claim", "1 call", "2 claim", "2 call", "0 flip", "0 uphold", "0 overrule")
    assert made.settings.buttons == Buttons(source="gpio", tried=tried)
    assert shown[-1] == "All 7 buttons work."
    assert hand.stopped


def test_a_wrong_button_is_named_and_one_that_is_dead_is_left_out(tmp_path: Path) -> None:
    clock = ManualClock()
    hand = Hand(clock)

    def mixed_up(text: str) -> None:
        if text == "Press seat 1: claim.":
            hand.press(2, "call")

    made, shown = session(
        tmp_path,
        lambda *_: None,
        clock=clock,
        voice=Voice(clock, mixed_up),
        typed=Ticking(clock, None, "", None, "q"),
        settings=two_seats(),
        buttons=lambda source: hand,
        wanted_buttons="gpio",
    )
    assert not try_buttons(made)
    assert "That was seat 2: call." in shown
    assert made.settings.buttons == Buttons(source="gpio", tried=())


class Encoder:
    """Input devices whose keys a person presses as the voice asks."""

    devices: ClassVar[list[str]] = ["Arcade", "Arcade"]

    def __init__(self, clock: ManualClock) -> None:
        self._clock = clock
        self._down: deque[PressedKey] = deque()
        self.open = False

    def __enter__(self) -> Encoder:
        self.open = True
        return self

    def __exit__(self, *_: object) -> None:
        self.open = False

    def next(self, timeout_s: float) -> PressedKey | None:
        self._clock.advance(round(timeout_s * 1e9))
        return self._down.popleft() if self._down else None

    def obey(self, text: str) -> None:
        asked = re.fullmatch(r"Press (?:seat (\d)|judge): (\w+)\.", text)
        if asked:
            seat, button = int(asked[1] or 0), asked[2]
            if (seat, button) == (2, "call"):
                self._down.append(PressedKey("Arcade", "/dev/input/a", "KEY_1CLAIM"))  # an old one, by mistake
            key = f"KEY_{seat}{button.upper()}"
            self._down.append(PressedKey("Arcade", "/dev/input/a" if seat else "/dev/input/b", key))


def test_keys_of_an_encoder_are_learned_by_pressing_them(tmp_path: Path) -> None:
    clock = ManualClock()
    encoder = Encoder(clock)
    made, shown = session(
        tmp_path,
        lambda *_: None,
        clock=clock,
        voice=Voice(clock, encoder.obey),
        settings=two_seats(),
        listener=lambda: encoder,
        wanted_buttons="input",
    )
    assert try_buttons(made), shown
    assert not encoder.open
    kept = made.settings.buttons
    assert kept is not None
    assert kept.keys == str(tmp_path / KEYS_NAME)
    assert "That was seat 1: claim." in shown
    plain = tomllib.loads((tmp_path / KEYS_NAME).read_text())
    assert [each["name"] for each in plain["device"]] == ["/dev/input/a", "/dev/input/b"]
    assert plain["device"][0]["keys"] == {
        "KEY_1CLAIM": "1 claim",
        "KEY_1CALL": "1 call",
        "KEY_2CLAIM": "2 claim",
        "KEY_2CALL": "2 call",
    }
    save_settings(tmp_path, made.settings)
    assert choices(tmp_path, "--camera", "none").keys == tmp_path / KEYS_NAME


def test_a_learned_map_is_one_that_the_table_reads(tmp_path: Path) -> None:
    learning = KeyLearning([(1, "claim"), (1, "call"), (0, "flip")])
    for key in ("BTN_TRIGGER", "KEY_ENTER", "BTN_THUMB"):
        assert learning.press(PressedKey('Dragon "Rise"', "/dev/input/x", key)) is None
    learning.skip()
    assert learning.asked is None
    assert learning.skipped == [(0, "flip")]
    path = tmp_path / KEYS_NAME
    path.write_text(learning.text())
    (device,) = load_keys(path)
    assert device.device == 'Dragon "Rise"'
    assert sorted(device.keys.values()) == [(1, "call"), (1, "claim")]


def test_two_alike_are_told_apart_by_their_sockets(tmp_path: Path) -> None:
    for name in ("event3", "event4"):
        (tmp_path / name).touch()
    links = tmp_path / "by-path"
    links.mkdir()
    (links / "usb-1.2-event-joystick").symlink_to(tmp_path / "event3")
    learning = KeyLearning([(1, "claim"), (2, "claim")])
    learning.press(PressedKey("Arcade", str(tmp_path / "event3"), "BTN_A"))
    learning.press(PressedKey("Arcade", str(tmp_path / "event4"), "BTN_A"))
    plain = tomllib.loads(learning.text(links))
    assert [each["name"] for each in plain["device"]] == [
        str(links / "usb-1.2-event-joystick"),
        str(tmp_path / "event4"),
    ]


def test_without_an_input_device_nothing_is_learned(tmp_path: Path) -> None:
    class Nothing(Encoder):
        devices: ClassVar[list[str]] = []

    clock = ManualClock()
    made, shown = session(
        tmp_path, lambda *_: None, clock=clock, listener=lambda: Nothing(clock), wanted_buttons="input"
    )
    assert not try_buttons(made)
    assert "No input device can be opened" in shown[-1]


def test_buttons_that_cannot_be_used_are_told_and_keys_need_no_trial(tmp_path: Path) -> None:
    class Broken(Hand):
        def start(self, on_press: OnPress) -> None:
            raise ButtonBackendMissing("lgpio cannot be imported; install it")

    clock = ManualClock()
    made, shown = session(
        tmp_path, lambda *_: None, clock=clock, buttons=lambda source: Broken(clock), wanted_buttons="gpio"
    )
    assert not try_buttons(made)
    assert "lgpio cannot be imported; install it" in shown
    made, shown = session(tmp_path, lambda *_: None, clock=clock)
    assert try_buttons(made)
    assert made.settings.buttons == Buttons(source="keyboard")
    assert "Keys are buttons" in shown[-1]


# All of it


def test_by_ear_alone_all_is_set_up_within_three_minutes(tmp_path: Path) -> None:
    """A person who sees nothing moves the mast, shows dice and presses buttons as the voice says."""
    clock = ManualClock()
    simulated = SimulatedTable(clock, 2, seed=3, fps=10)
    mast, hand = Mast(right_cm=7), Hand(clock)

    def hears(text: str) -> None:
        mast.obey(text)
        hand.obey(text)
        asked = re.match(r"(Ann|Ben), show me your six dice", text)
        if asked:
            for seat, name in ((1, "Ann"), (2, "Ben")):
                (simulated.lay_out if name == asked[1] else simulated.put_away)(seat)

    voice = Voice(clock, hears)
    made, shown = session(
        tmp_path,
        lambda spec, locked: Lockable(clock, lambda: mast.seen(simulated.frame().image_bgr), 0.15),
        clock=clock,
        voice=voice,
        typed=Ticking(clock),
        settings=two_seats(),
        buttons=lambda source: hand,
        board_has_pins=True,
    )
    began_ns = clock.now_ns()
    left_out = go_through(made, (), lambda settings: save_settings(tmp_path, settings))
    took_s = (clock.now_ns() - began_ns) / 1e9
    assert left_out == [], shown
    assert took_s < 180, f"{took_s:.0f} s"
    kept = load_settings(tmp_path)
    assert kept == made.settings
    assert kept is not None
    assert kept.camera is not None
    assert kept.camera.locked
    assert kept.buttons is not None
    assert len(kept.buttons.tried) == 7
    assert (tmp_path / COLOURS_NAME).is_file()
    silent = [text for text in shown if text not in voice.said]
    assert all(re.match(r"\d of \d: ", text) for text in silent), "all that is told is said, but for the headings"


def test_a_step_alone_and_a_step_without_a_camera(tmp_path: Path) -> None:
    clock = ManualClock()
    kept: list[TableSettings] = []
    made, shown = session(tmp_path, lambda *_: None, clock=clock)
    assert go_through(made, ["buttons"], kept.append) == []
    assert len(kept) == 1
    assert go_through(made, ["lock", "frame"], kept.append) == ["frame", "lock"]  # in their order
    assert shown.count("No camera is set up yet; do the camera step first.") == 2
    with pytest.raises(BadInput, match=r"no step 'cake'; expected some of: sound, camera"):
        go_through(made, ["cake"], kept.append)


def test_a_camera_that_breaks_ends_its_step_alone(tmp_path: Path) -> None:
    def opened(spec: str, locked: Mapping[str, float]) -> Any:
        raise CameraFailed("unplugged; plug it in")

    clock = ManualClock()
    made, shown = session(tmp_path, opened, clock=clock, settings=TableSettings(camera=CameraSettings(spec="usb:0")))
    assert go_through(made, ["frame", "buttons"], lambda _: None) == ["frame"]
    assert "unplugged; plug it in" in shown


def test_nobody_sits_there_yet(tmp_path: Path) -> None:
    clock = ManualClock()
    made, shown = session(tmp_path, lambda *_: None, clock=clock)
    assert go_through(made, ["colours"], lambda _: None) == ["colours"]
    assert shown[-1] == "Nobody has a seat yet. Name the players with --seats."


def test_the_command_keeps_what_it_is_given(tmp_path: Path) -> None:
    pictures = tmp_path / "frames"
    pictures.mkdir()
    import cv2

    for number in range(3):
        cv2.imwrite(str(pictures / f"{number}.png"), good_picture())
    arguments = ["setup", "camera", "buttons", "--camera", f"folder:{pictures}", "--buttons", "none", "--silent"]
    arguments += ["--seats", "Ann:red,Ben:blue", "--language", "it", "--data", str(tmp_path), "--mains", "60"]
    told = CliRunner().invoke(cli, arguments)
    assert told.exit_code == 0, told.output
    assert "Tutto configurato" in told.output
    kept = load_settings(tmp_path)
    assert kept is not None
    assert (kept.language, kept.seats) == ("it", "Ann:red,Ben:blue")
    assert kept.camera == CameraSettings(spec=f"folder:{pictures}", mains_hz=60)
    assert kept.buttons == Buttons(source="none")
    told = CliRunner().invoke(cli, ["setup", "frame", "--silent", "--data", str(tmp_path / "new")])
    assert told.exit_code == 1
    assert "No camera is set up yet" in told.output
    assert CliRunner().invoke(cli, ["setup", "cake"]).exit_code == 2


# What the table takes from it


def choices(tmp_path: Path, *arguments: str) -> Kept:
    context = table_command.make_context("table", list(arguments))
    return kept_for(context, tmp_path)


def test_the_table_starts_from_the_set_up(tmp_path: Path) -> None:
    save_settings(tmp_path, FULL)
    kept = choices(tmp_path)
    assert (kept.camera, kept.buttons, kept.language, kept.silent) == ("usb:1", "gpio", "it", True)
    assert kept.seats == FULL.seats
    assert kept.corners == FULL.corners
    assert kept.locked == {"ExposureTime": 16667.0, "LensPosition": 1.25}
    assert (kept.words_per_minute, kept.volume_percent) == (300, 80)


def test_the_command_line_goes_before_the_set_up(tmp_path: Path) -> None:
    save_settings(tmp_path, FULL)
    kept = choices(tmp_path, "--camera", "usb:0", "--buttons", "none", "--language", "en", "--seats", "Eve:green")
    assert (kept.camera, kept.buttons, kept.language, kept.seats) == ("usb:0", "none", "en", "Eve:green")
    assert (kept.locked, kept.corners) == ({}, None), "another camera has another view"
    demo = choices(tmp_path, "--camera", "simulated")
    assert (demo.camera, demo.buttons, demo.seats, demo.language) == ("simulated", "none", None, "it")
    assert choices(tmp_path, "--silent").silent


def test_without_a_set_up_the_table_starts_as_before(tmp_path: Path) -> None:
    kept = choices(tmp_path)
    assert kept == Kept("simulated", "none", "en", None, False)


def test_nooks_need_markers(tmp_path: Path) -> None:
    save_settings(tmp_path, FULL)
    kept = choices(tmp_path)
    checked_nooks({}, kept)
    with pytest.raises(BadInput, match="needs corner markers"):
        checked_nooks({1: object()}, kept)


# Words


def words_in_sources() -> set[str]:
    text = "\n".join(
        Path(str(module.__file__)).read_text(encoding="utf-8")
        for module in (corners_module, framing, hearing, seeing, showing, steps)
    )
    text += Path(str(seeing.__file__)).parent.parent.joinpath("commands/setup.py").read_text(encoding="utf-8")
    used = set(re.findall(r'"(setup\.[\w.-]+)"', text))
    used |= {f"setup.frame.{code}" for code in re.findall(r'Advice\(\s*"([\w-]+)"', text) if "." not in code}
    used |= {f"setup.frame.move-{side}" for side in ("left", "right", "far", "near")}
    used |= {f"setup.frame.{code}" for code in ("mirrored", "upside-down", "turned", "glare", "covered")}
    used |= {f"setup.name.{step}" for step in STEPS} | {"setup.button.seat", "setup.button.judge"}
    return used | {f"setup.button.{button}" for button in (*BUTTONS, *MORE_BUTTONS)}


@pytest.mark.parametrize("language", languages())
def test_every_sentence_is_there_and_none_for_nothing(language: str) -> None:
    there = {key for key in Catalogue(language).keys() if key.startswith("setup.")}  # noqa: SIM118 - no dict
    assert sorted(words_in_sources() - there) == []
    assert sorted(there - words_in_sources()) == []


def test_lines_are_read_without_waiting() -> None:
    typed = TypedLines(io.StringIO("one\n  two \n"))
    assert [typed.line(5.0), typed.line(5.0), typed.line(0.0)] == ["one", "two", None]
