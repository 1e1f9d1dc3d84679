"""A camera sensor with its automatics, its lamps and its faults, as far as locking and banding need it."""

from __future__ import annotations

import numpy as np

from device.errors import CameraTimeout

SIZE_WH = (64, 200)
CONTROLS = {
    "FrameDurationLimits": (100, 120_000_000, (33_333, 33_333)),
    "ExposureTime": (26, 112_015_443, 20_000),
    "AnalogueGain": (1.0, 16.0, 1.0),
    "AeEnable": (False, True, True),
    "AeFlickerMode": (0, 1, 0),
    "AeFlickerPeriod": (100, 1_000_000, 10_000),
    "AwbEnable": (False, True, True),
    "ColourGains": (0.0, 32.0, (1.0, 1.0)),
    "AfMode": (0, 2, 0),
    "AfTrigger": (0, 1, 0),
    "LensPosition": (0.0, 32.0, 1.0),
}


class SensorModel:
    """Frames of a still table: rows exposed one after another under a lamp that flickers.

    `light` is the grey level that an exposure of 10 ms at gain 1 gives. Settings show `lag` frames after they were
    made, as on a real sensor. `faults`: "ignores-lens", "ignores-gain", "hunts" (exposure never settles), "no-focus",
    "keeps-scanning", "no-exposure" (metadata do not tell it).
    """

    def __init__(self, *, light=60.0, mains_hz=50.0, flicker=0.4, lag=3, focus=2.5, faults=(), fps=15):
        self.light, self.mains_hz, self.flicker, self.lag = light, mains_hz, flicker, lag
        self.focus, self.faults, self.fps = focus, frozenset(faults), fps
        self.number = 0
        self.seed = np.random.default_rng(5)
        self.asked = []  # (frame number from which it shows, controls)
        self.now = {"AeEnable": True, "AwbEnable": True, "AfMode": 0, "ExposureTime": 20_000.0, "AnalogueGain": 1.0,
                    "ColourGains": (1.0, 1.0), "LensPosition": 0.0}  # fmt: skip
        self.af_state, self.scan_left = 0, 0
        self.history = []
        rows, columns = SIZE_WH[1], SIZE_WH[0]
        y, x = np.mgrid[0:rows, 0:columns]
        self.scene = 0.7 + 0.3 * np.sin(y / 23.0) * np.cos(x / 5.0)

    def start(self, controls):
        self.now.update(controls)

    def set_controls(self, controls):
        self.asked.append((self.number + self.lag, dict(controls)))

    def _obey(self):
        due = [controls for number, controls in self.asked if number <= self.number]
        self.asked = [each for each in self.asked if each[0] > self.number]
        for controls in due:
            if "ignores-lens" in self.faults:
                self.now["LensPosition"] = 6.0 if controls.pop("LensPosition", None) else 2.5
            if "ignores-gain" in self.faults:
                controls.pop("AnalogueGain", None)
            if "AfTrigger" in controls and controls.get("AfMode") == 1:
                self.af_state, self.scan_left = 1, 8
            self.now.update(controls)
        if self.now["AeEnable"]:
            wanted_us = 10_000 * 110 / self.light
            if "hunts" in self.faults:
                wanted_us *= 1 + 0.3 * (self.number % 4)
            exposure_us = min(wanted_us, 1e6 / self.fps * 0.99)
            gain = min(16.0, max(1.0, wanted_us / exposure_us))
            self.now["ExposureTime"] += (exposure_us - self.now["ExposureTime"]) * 0.6
            self.now["AnalogueGain"] += (gain - self.now["AnalogueGain"]) * 0.6
        if self.now["AwbEnable"]:
            red, blue = self.now["ColourGains"]
            self.now["ColourGains"] = (red + (1.9 - red) * 0.6, blue + (1.6 - blue) * 0.6)
        if self.af_state == 1 and "keeps-scanning" not in self.faults:
            self.scan_left -= 1
            self.now["LensPosition"] = 10.0 - self.scan_left
            if self.scan_left == 0:
                self.af_state = 3 if "no-focus" in self.faults else 2
                self.now["LensPosition"] = self.focus

    def next(self):
        """(H, W, 3) uint8 BGR and the metadata of the next frame."""
        self.number += 1
        self._obey()
        rows = SIZE_WH[1]
        line_us = 20.0  # exposures are whole lines
        exposure_us = max(1, round(self.now["ExposureTime"] / line_us)) * line_us
        starts_s = self.number / self.fps + np.arange(rows) / rows * 0.03
        exposure_s = exposure_us / 1e6
        omega = 2 * np.pi * 2 * self.mains_hz  # the mean of 1 + m cos(w t) over each row's exposure
        ripple = (np.sin(omega * (starts_s + exposure_s)) - np.sin(omega * starts_s)) / (omega * exposure_s)
        light = self.light * exposure_us / 10_000 * self.now["AnalogueGain"] * (1 + self.flicker * ripple)
        grey = self.scene * light[:, None] + self.seed.normal(0, 1.5, self.scene.shape)
        image = np.repeat(np.clip(np.rint(grey), 0, 255).astype(np.uint8)[..., None], 3, axis=2)
        metadata = {
            "ExposureTime": int(exposure_us), "AnalogueGain": round(self.now["AnalogueGain"] * 64) / 64,
            "ColourGains": self.now["ColourGains"], "FrameDuration": int(1e6 / self.fps),
            "LensPosition": self.now["LensPosition"], "AfState": self.af_state,
        }  # fmt: skip
        if "no-exposure" in self.faults:
            del metadata["ExposureTime"]
        self.history.append(metadata)
        return image, metadata


class ModelCamera:
    """An Adjustable over a SensorModel on a manual clock: each frame takes its time."""

    def __init__(self, sensor, clock, controls=None):
        self.sensor, self.clock = sensor, clock
        self.controls = CONTROLS if controls is None else controls
        self.adjusted = []

    def advertised(self):
        return self.controls

    def adjust(self, controls):
        assert set(controls) <= set(self.controls), "a control that is not advertised ends a real camera"
        self.adjusted.append(dict(controls))
        self.sensor.set_controls(controls)

    def shown_after(self, number, timeout_s):
        from device.cameras.locking import Shown

        step_ns = int(1e9 / self.sensor.fps)
        if step_ns > timeout_s * 1e9:
            self.clock.advance(int(timeout_s * 1e9))
            raise CameraTimeout("no frame")
        self.clock.advance(step_ns)
        image, metadata = self.sensor.next()
        assert self.sensor.number > number
        return Shown(self.sensor.number, image, metadata)
