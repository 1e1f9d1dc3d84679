"""Exposure, white balance and focus are found, held and read back; and the camera's own faults are told."""

from __future__ import annotations

import numpy as np
import pytest

from device.cameras import open_camera
from device.cameras.banding import BANDS_SHOW, band_amplitude, flicker_period_us, whole_periods
from device.cameras.locking import camera_controls, lock, read_back
from device.cameras.pi import PiCamera
from device.clock import ManualClock, SystemClock
from device.errors import CameraClosed, CameraFailed, CameraLockError
from tests.device.fakes import PiWorld
from tests.device.sensor import CONTROLS, SIZE_WH, ModelCamera, SensorModel


def locked(timeout_s=20.0, mains_hz=50.0, controls=None, **model):
    camera = ModelCamera(SensorModel(**model), ManualClock(), controls)
    return camera, lock(camera, camera.clock, timeout_s, mains_hz=mains_hz)


@pytest.mark.parametrize("light", [15, 60, 100])
def test_all_is_held_after_locking_and_the_automatics_are_off(light):
    camera, report = locked(light=light)
    sensor = camera.sensor
    assert set(report.values) == {"ExposureTime", "AnalogueGain", "ColourGainRed", "ColourGainBlue", "LensPosition"}
    assert report.values["LensPosition"] == pytest.approx(2.5, abs=0.06)
    assert report.values["ColourGainRed"] == pytest.approx(1.9, rel=0.03)
    sensor.light *= 0.7  # a cloud, or a hand
    for _ in range(20):
        sensor.next()
    assert read_back(sensor.history[-1]) == pytest.approx(report.values, rel=0.04)
    assert not sensor.now["AeEnable"]
    assert not sensor.now["AwbEnable"]
    assert sensor.now["AfMode"] == 0


@pytest.mark.parametrize("mains_hz", [50.0, 60.0])
def test_the_exposure_is_one_of_whole_flicker_periods_as_bright_as_before(mains_hz):
    camera, report = locked(light=37, mains_hz=mains_hz)
    periods = report.values["ExposureTime"] / flicker_period_us(mains_hz)
    if camera.sensor.mains_hz == mains_hz:
        assert periods == pytest.approx(round(periods), abs=0.01)
        assert report.mains_hz == mains_hz
    before = next(m for m in reversed(camera.sensor.history[:40]) if m["AfState"] == 2)
    taken_in = before["ExposureTime"] * before["AnalogueGain"]
    assert report.values["ExposureTime"] * report.values["AnalogueGain"] == pytest.approx(taken_in, rel=0.1)


@pytest.mark.parametrize(("told_hz", "true_hz"), [(50.0, 50.0), (60.0, 60.0), (50.0, 60.0), (60.0, 50.0)])
def test_bands_are_avoided_even_when_the_mains_are_not_what_was_told(told_hz, true_hz):
    """At 15 frames a second the bands of 60 Hz mains stand still, so that no two frames differ: the hard case."""
    camera = ModelCamera(SensorModel(light=60, mains_hz=true_hz), ManualClock())
    report = lock(camera, camera.clock, 30.0, mains_hz=told_hz)
    assert report.mains_hz == true_hz
    assert report.bands is not None
    assert report.bands < BANDS_SHOW


def test_without_the_care_for_the_mains_there_would_be_bands():
    """The near miss: the same lamp at an exposure that is no whole period."""
    sensor = SensorModel(light=60, mains_hz=50)
    sensor.now.update(AeEnable=False, ExposureTime=14_000.0)
    banded, _ = sensor.next()
    sensor.now.update(ExposureTime=50_000.0, AnalogueGain=0.28)
    clean, _ = sensor.next()
    assert band_amplitude(banded, clean) > 3 * BANDS_SHOW
    sensor.now.update(ExposureTime=10_000.0, AnalogueGain=1.4)
    whole, _ = sensor.next()
    assert band_amplitude(whole, clean) < BANDS_SHOW / 2


def test_light_brighter_than_one_flicker_allows_is_taken_as_it_is():
    _, report = locked(light=400, flicker=0.0)
    assert report.mains_hz is None
    assert report.values["ExposureTime"] < 5000


@pytest.mark.parametrize(
    ("faults", "words"),
    [
        ({"faults": ["ignores-lens"]}, r"focus in dioptres: 2\.5 asked for, 6 given"),
        ({"faults": ["ignores-gain"], "light": 15}, "gain: "),
        ({"faults": ["hunts"]}, "the light did not settle"),
        ({"faults": ["keeps-scanning"]}, "the focus did not settle"),
        ({"faults": ["no-focus"]}, "cannot focus; expected dice, a card"),
        ({"faults": ["no-exposure"]}, "does not let its exposure be set"),
        ({"light": 0.2}, "too dark"),
        ({"light": 300_000, "flicker": 0.0}, "too bright"),
    ],
    ids=lambda value: str(value) if isinstance(value, dict) else "",
)
def test_what_goes_wrong_is_told_and_nothing_is_taken_for_locked(faults, words):
    with pytest.raises(CameraLockError, match=words):
        locked(**faults)


def test_settings_that_show_late_are_waited_for():
    """Ten frames late: what the first frames say after a change is not taken for the answer."""
    camera, report = locked(lag=10, light=37)
    for _ in range(12):
        camera.sensor.next()
    assert read_back(camera.sensor.history[-1]) == pytest.approx(report.values, rel=0.001)


def test_a_lens_that_does_not_move_and_unknown_controls_are_left_alone():
    fixed = {name: limits for name, limits in CONTROLS.items() if not name.startswith(("Af", "Lens", "AeFlicker"))}
    camera, report = locked(controls=fixed)
    assert "LensPosition" not in report.values
    assert all(set(each) <= set(fixed) for each in camera.adjusted)


def test_at_a_frame_rate_that_leaves_no_time_bands_are_not_measured():
    _, report = locked(fps=30)
    assert report.bands is None
    assert report.mains_hz == 50


@pytest.mark.parametrize(
    ("exposure_us", "mains_hz", "longest_us", "whole_us"),
    [
        (14_000, 50, 66_000, 10_000),
        (16_000, 50, 66_000, 20_000),
        (9_000, 60, 66_000, 25_000 / 3),
        (90_000, 50, 66_000, 60_000),
        (7_000, 50, 66_000, 10_000),
        (4_000, 50, 66_000, None),
        (14_000, 50, 8_000, None),
    ],
)
def test_whole_periods(exposure_us, mains_hz, longest_us, whole_us):
    assert whole_periods(exposure_us, mains_hz, longest_us) == (None if whole_us is None else pytest.approx(whole_us))


def test_bands_are_not_seen_where_there_are_none_nor_measured_in_black():
    rng = np.random.default_rng(1)
    scene = rng.integers(40, 200, (200, 64, 1)).repeat(3, axis=2)
    noisy = [np.clip(scene + rng.normal(0, 4, scene.shape), 0, 255).astype(np.uint8) for _ in range(2)]
    assert band_amplitude(*noisy) < BANDS_SHOW
    brighter = np.clip(scene * 1.2, 0, 255).astype(np.uint8)
    assert band_amplitude(brighter, noisy[0]) < BANDS_SHOW
    assert band_amplitude(np.zeros_like(brighter), noisy[0]) is None
    with pytest.raises(ValueError, match="one size"):
        band_amplitude(brighter[:50], noisy[0])
    with pytest.raises(ValueError, match="50 or 60 Hz"):
        flicker_period_us(0)


# Through PiCamera and a picamera2 that keeps the real one's interface


@pytest.fixture
def world():
    made = PiWorld()
    made.controls = dict(CONTROLS)
    made.sensor = SensorModel()
    return made


def pi(world, **more):
    return PiCamera(SystemClock(), import_picamera2=lambda: world.make, size_wh=SIZE_WH, retry_s=0.01, **more)


def test_the_pi_camera_is_locked_and_holds_it_when_it_is_opened_again(world):
    with pi(world) as camera:
        assert camera.locked is None
        values = camera.lock(30.0)
        assert camera.locked == values
        assert "locked" in camera.describe()
        assert camera.lock_report.bands < BANDS_SHOW
        camera.latest(timeout_s=10)
    world.sensor = SensorModel(light=25)  # the evening came, and the program was started anew
    with pi(world, held=values) as again:
        assert world.camera.config["controls"]["AeEnable"] is False
        assert world.camera.config["controls"]["ExposureTime"] == round(values["ExposureTime"])
        first = again.latest(timeout_s=10)
        again.latest(exposed_after_ns=first.exposure_start_ns + 1, timeout_s=10)
        assert again.locked == values
    assert world.configure_calls == 2


def test_a_lock_that_the_camera_gives_up_is_noticed(world, caplog):
    held = {"ExposureTime": 20_000.0, "AnalogueGain": 2.0}
    with pi(world, held=held) as camera:
        camera.latest(timeout_s=10)
        world.sensor.set_controls({"AnalogueGain": 8.0})
        while camera.locked is not None:
            camera.latest(exposed_after_ns=camera.latest(timeout_s=10).exposure_start_ns + 1, timeout_s=10)
    assert "does not hold what was locked (gain: 2 asked for, 8 given)" in caplog.text


def test_a_camera_that_breaks_while_it_is_locked_says_so(world, monkeypatch):
    with pi(world) as camera:
        camera.latest(timeout_s=10)

        def broken(self, controls):
            raise RuntimeError("camera frontend has timed out")

        monkeypatch.setattr(type(world.camera), "set_controls", broken)
        with pytest.raises(CameraFailed, match="frontend has timed out"):
            camera.lock(5.0)
        assert camera.locked is None


def test_a_camera_that_is_not_open_cannot_be_locked(world):
    with pytest.raises(CameraClosed):
        pi(world).lock(1.0)


def test_controls_that_a_camera_does_not_have_are_left_out(world, caplog):
    """One unknown control ends a real configuration."""
    world.controls = {}
    held = {"ExposureTime": 20_000.0, "LensPosition": 1.0}
    with pi(world, held=held) as camera:
        camera.latest(timeout_s=10)
        assert world.camera.config["controls"] == {}
        with pytest.raises(CameraLockError, match="does not let its exposure be set"):
            camera.lock(5.0)
    assert "has no control" in caplog.text


def test_locked_values_become_controls_of_the_camera():
    values = {
        "ExposureTime": 20000.4,
        "AnalogueGain": 2,
        "ColourGainRed": 1.5,
        "ColourGainBlue": 2.5,
        "LensPosition": 3,
    }
    assert camera_controls(values) == {
        "AeEnable": False, "ExposureTime": 20000, "AnalogueGain": 2.0, "AwbEnable": False, "ColourGains": (1.5, 2.5),
        "AfMode": 0, "LensPosition": 3.0,
    }  # fmt: skip
    assert camera_controls({}) == {}


@pytest.mark.parametrize(
    ("spec", "made", "number", "held"),
    [
        ("pi:1", "device.cameras.pi.PiCamera", 1, {"LensPosition": 2.0}),
        ("usb:2", "device.cameras.usb.UsbCamera", 2, {"Focus": 30.0}),
    ],
)
def test_a_camera_made_by_name_gets_the_values_that_were_kept(spec, made, number, held, monkeypatch):
    seen = {}

    class Made:
        def __init__(self, clock, number, *, held):
            seen.update(number=number, held=held)

        def open(self):
            pass

    monkeypatch.setattr(made, Made)
    open_camera(spec, ManualClock(), controls=held)
    assert seen == {"number": number, "held": held}
