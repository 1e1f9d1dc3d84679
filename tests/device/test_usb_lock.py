"""A webcam's exposure, white balance and focus are held at what it found, though it does not tell what that was."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from device.cameras.banding import flicker_period_us
from device.cameras.usb import UsbCamera
from device.cameras.usb_lock import NAMES, hold, lock_webcam
from device.clock import ManualClock, SystemClock
from device.errors import CameraClosed, CameraLockError, CameraTimeout
from tests.device.fakes import FakeCapture

EXPOSURE, GAIN = cv2.CAP_PROP_EXPOSURE, cv2.CAP_PROP_GAIN
AUTO_EXPOSURE = cv2.CAP_PROP_AUTO_EXPOSURE
MANUAL, AUTO = 1.0, 3.0


class WebcamModel:
    """A webcam's dials and how bright its picture is: a curve lifts the dark, and settings show three frames later.

    `tells` False: while the exposure is automatic, the dial keeps an old value, as with many webcams.
    """

    def __init__(self, *, light=1.0, curve=0.6, tells=False, lacks=(), ignores=(), hunts=False, lag=3):
        self.light, self.curve, self.tells, self.hunts, self.lag = light, curve, tells, hunts, lag
        self.ignores = set(ignores)
        self.dials = {
            AUTO_EXPOSURE: AUTO, EXPOSURE: 156.0, GAIN: 10.0, cv2.CAP_PROP_AUTO_WB: 1.0,
            cv2.CAP_PROP_WB_TEMPERATURE: 4600.0, cv2.CAP_PROP_AUTOFOCUS: 1.0, cv2.CAP_PROP_FOCUS: 30.0,
        }  # fmt: skip
        for prop in lacks:
            del self.dials[prop]
        self.frames = 0
        self.shown = [self._exposure_us()] * (lag + 1)

    def get(self, prop):
        if prop == EXPOSURE and self.tells and self.dials.get(AUTO_EXPOSURE) == AUTO:
            return self._wanted_us() / 100
        return self.dials.get(prop, -1.0)

    def set(self, prop, value):
        if prop not in self.dials:
            return False
        if prop not in self.ignores:
            self.dials[prop] = float(round(value))
        return True

    def _wanted_us(self):
        return (110 / 255) ** (1 / self.curve) * 30_000 / self.light

    def _exposure_us(self):
        if self.dials.get(AUTO_EXPOSURE) == AUTO:
            wanted = self._wanted_us() * (1 + 0.4 * (self.frames % 3) if self.hunts else 1)
            return min(wanted, 66_000)
        return self.dials.get(EXPOSURE, 0) * 100

    def next_level(self):
        self.frames += 1
        self.shown = [*self.shown[1:], self._exposure_us()]
        return 255 * min(1.0, self.shown[0] * self.light / 30_000) ** self.curve


class Timed:
    """Dials whose frames take time of a manual clock."""

    def __init__(self, model, clock):
        self.model, self.clock = model, clock
        self.get, self.set = model.get, model.set

    def next_level(self):
        self.clock.advance(33_000_000)
        return self.model.next_level()


def locked(timeout_s=20.0, mains_hz=50.0, **how):
    clock = ManualClock()
    model = WebcamModel(**how)
    return model, lock_webcam(Timed(model, clock), clock, timeout_s, mains_hz=mains_hz)


@pytest.mark.parametrize("tells", [True, False])
@pytest.mark.parametrize("light", [0.3, 1.0, 2.5])
def test_the_picture_stays_as_bright_and_nothing_is_automatic_any_more(light, tells):
    model, values = locked(light=light, tells=tells)
    assert set(values) == set(NAMES)
    assert [model.dials[prop] for prop in (AUTO_EXPOSURE, cv2.CAP_PROP_AUTO_WB, cv2.CAP_PROP_AUTOFOCUS)] == [
        MANUAL,
        0,
        0,
    ]
    levels = [model.next_level() for _ in range(8)]
    assert levels[-1] == pytest.approx(110, rel=0.5)
    assert values["ExposureTime"] == model.dials[EXPOSURE] * 100


@pytest.mark.parametrize("mains_hz", [50.0, 60.0])
def test_the_exposure_is_one_of_whole_flicker_periods(mains_hz):
    _, values = locked(light=0.4, mains_hz=mains_hz)
    periods = values["ExposureTime"] / flicker_period_us(mains_hz)
    assert periods == pytest.approx(round(periods), abs=0.01), "to the step of the webcam, 0.1 ms"


def test_in_bright_light_the_exposure_stays_short():
    _, values = locked(light=8.0)
    assert values["ExposureTime"] < 2000


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ({"lacks": [EXPOSURE]}, "does not let its exposure be set"),
        ({"ignores": [EXPOSURE]}, "does not let its exposure be set"),
        ({"hunts": True}, "did not settle"),
        ({"light": 0.001}, "too dark"),
    ],
    ids=str,
)
def test_what_goes_wrong_is_told_and_nothing_is_taken_for_locked(how, words):
    with pytest.raises(CameraLockError, match=words):
        locked(**how)


def test_a_webcam_that_goes_on_adjusting_itself_is_found_out():
    """Its picture does not follow the dial: no value of the dial gives the brightness that is wanted."""
    clock, model = ManualClock(), WebcamModel(ignores=[AUTO_EXPOSURE])

    class Evening(Timed):
        def next_level(self):
            level = super().next_level()
            return level if model.frames < 12 else level / 2

    with pytest.raises(CameraLockError, match="could not be held"):
        lock_webcam(Evening(model, clock), clock, 20.0)


def test_what_a_webcam_does_not_have_is_left_out():
    _, values = locked(lacks=[cv2.CAP_PROP_FOCUS, cv2.CAP_PROP_AUTOFOCUS, GAIN])
    assert set(values) == {"ExposureTime", "ColourTemperature"}


def test_values_that_are_not_kept_are_not_told_as_kept(caplog):
    model = WebcamModel(ignores=[cv2.CAP_PROP_FOCUS])
    kept = hold(model, {"ExposureTime": 10_000.0, "Focus": 55.0, "LensPosition": 2.0})
    assert kept == {"ExposureTime": 10_000.0}
    assert "does not keep Focus: 55 asked for, 30 given" in caplog.text


# Through UsbCamera


class ModelCapture(FakeCapture):
    """A capture over a WebcamModel: every read is a frame of its brightness."""

    def __init__(self, model):
        super().__init__(None)
        self.model = model

    def read(self):
        return True, np.full((48, 64, 3), round(self.model.next_level()), np.uint8)

    def get(self, prop):
        return super().get(prop) if prop in (cv2.CAP_PROP_FPS, cv2.CAP_PROP_POS_MSEC) else self.model.get(prop)

    def set(self, prop, value):
        super().set(prop, value)
        return self.model.set(prop, value)


def webcam(model, **more):
    def make(*args):
        return ModelCapture(model)

    return UsbCamera(SystemClock(), 3, make_capture=make, probe=lambda path: None, retry_s=0.01, **more)


def test_a_webcam_is_locked_while_it_is_watched_and_again_when_it_is_opened():
    model = WebcamModel(light=0.4)
    with webcam(model) as camera:
        camera.latest(timeout_s=10)
        assert camera.locked is None
        values = camera.lock(20.0)
        assert camera.locked == values
        camera.latest(timeout_s=10)
    anew = WebcamModel(light=0.4)
    with webcam(anew, held=values) as camera:
        assert camera.locked == values
        assert anew.dials[AUTO_EXPOSURE] == MANUAL
        assert anew.dials[EXPOSURE] == round(values["ExposureTime"] / 100)
    stubborn = WebcamModel(light=0.4, ignores=[EXPOSURE])
    with webcam(stubborn, held=values) as camera:
        assert camera.locked is None


def test_a_failed_lock_leaves_the_webcam_watching():
    with webcam(WebcamModel(light=0.4, lacks=[EXPOSURE])) as camera:
        with pytest.raises(CameraLockError):
            camera.lock(20.0)
        assert camera.locked is None
        first = camera.latest(timeout_s=10)
        assert camera.latest(exposed_after_ns=first.exposure_start_ns + 1, timeout_s=10).sequence > first.sequence


def test_a_webcam_that_is_closed_or_does_not_answer_cannot_be_locked(monkeypatch):
    camera = webcam(WebcamModel())
    with pytest.raises(CameraClosed):
        camera.lock(1.0)
    monkeypatch.setattr("device.cameras.usb._ANSWER_S", 0.0)
    import threading

    gate = threading.Event()

    class Hanging(ModelCapture):
        def read(self):
            gate.wait(10)
            return super().read()

    hanging = UsbCamera(
        SystemClock(), 3, make_capture=lambda *args: Hanging(WebcamModel()), probe=lambda path: None, retry_s=0.01
    )
    with hanging:
        with pytest.raises(CameraTimeout, match="did not answer within"):
            hanging.lock(0.05)
        gate.set()
