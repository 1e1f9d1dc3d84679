"""Stand-ins for camera hardware: picamera2 with its real methods, a capture, a little MJPEG server."""

from __future__ import annotations

import contextlib
import http.server
import queue
import threading
from concurrent.futures import Future

import cv2
import numpy as np


class PiWorld:
    """The sensor behind every FakePicamera2 of a test: it counts, hands out frames, and can be made to fail."""

    def __init__(self):
        self.lock = threading.RLock()
        self.cameras = []
        self.configure_calls = 0
        self.held = 0
        self.most_held = 0
        self.starved = 0
        self.held_up = []
        self.fail_open = []  # exceptions, one for each attempt
        self.fail_configure = {}  # buffer count -> exception
        self.give_format = None
        self.give_size = None
        self.no_room_above_px = None
        self.sensor_modes = []  # or an exception
        self.asked = []  # every configuration that was made
        self.sensor = None  # a SensorModel: then frames come by themselves, as fast as they are asked for
        self.controls = {
            "FrameDurationLimits": (100, 120_000_000, (33_333, 33_333)),
            "ExposureTime": (26, 112_015_443, 20_000),
            "AnalogueGain": (1.0, 16.0, 1.0),
            "AeEnable": (False, True, True),
            "AwbEnable": (False, True, True),
            "ColourGains": (0.0, 32.0, (1.0, 1.0)),
        }  # as a Camera Module 3 advertises them, without focus

    def make(self, camera_num=0, **more):
        return FakePicamera2(camera_num, world=self, **more)

    @property
    def camera(self):
        return self.cameras[-1]

    def emit(self, array, metadata):
        """The sensor finished a frame. Waits until the program asks; False when no buffer was free."""
        for _ in range(100):
            with contextlib.suppress(queue.Empty):  # it may be opening a new one just now
                return self.camera.emit(array, metadata)
        raise AssertionError("the camera was not asked for a frame")


class FakeJob:
    def __init__(self):
        self.future = Future()


class FakeRequest:
    def __init__(self, camera, array, metadata):
        self._camera, self._array, self._metadata, self.ref_count = camera, array, metadata, 1

    def make_array(self, name):
        assert self.ref_count > 0, "used after release"
        assert name == "main"
        if isinstance(self._array, Exception):
            raise self._array
        return self._array.copy()

    def get_metadata(self):
        assert self.ref_count > 0, "used after release"
        return dict(self._metadata)

    def acquire(self):
        self.ref_count += 1

    def release(self):
        self.ref_count -= 1
        if self.ref_count < 0:
            raise RuntimeError("CompletedRequest: lock now has negative ref_count")
        if self.ref_count == 0:
            with self._camera.world.lock:
                self._camera.free += 1
                self._camera.world.held -= 1


class FakePicamera2:
    def __init__(self, camera_num=0, verbose_console=None, tuning=None, allocator=None, *, world=None):
        self.world = world
        if world.fail_open:
            error = world.fail_open.pop(0)
            if error is not None:
                raise error
        world.cameras.append(self)
        self.config, self.started, self.closed, self.jobs = None, False, False, queue.SimpleQueue()
        self.set_later = []

    @property
    def sensor_modes(self):
        if isinstance(self.world.sensor_modes, Exception):
            raise self.world.sensor_modes
        return self.world.sensor_modes

    @property
    def camera_controls(self):
        return dict(self.world.controls)

    def set_controls(self, controls):
        for name in controls:
            self._advertised(name)
        self.set_later.append(dict(controls))
        if self.world.sensor is not None:
            self.world.sensor.set_controls(controls)

    def _advertised(self, name):
        real = "FrameDurationLimits" if name == "FrameRate" else name
        if real not in self.world.controls:
            raise RuntimeError(f"Control {real} is not advertised by libcamera")

    def create_video_configuration(
        self, main={}, lores=None, raw={}, transform=None, colour_space=None, buffer_count=6,  # noqa: B006
        controls={}, display="main", encode="main", queue=True, sensor={}, use_case="video",  # noqa: B006
    ):  # fmt: skip
        made = {"main": dict(main), "buffer_count": buffer_count, "controls": dict(controls), "sensor": dict(sensor)}
        self.world.asked.append(made)
        return made

    def configure(self, camera_config=None):
        self.world.configure_calls += 1
        error = self.world.fail_configure.get(camera_config["buffer_count"])
        if error is not None:
            raise error
        width, height = camera_config["main"]["size"]
        if self.world.no_room_above_px is not None and width * height > self.world.no_room_above_px:
            raise OSError(12, "Cannot allocate memory")
        self.config = camera_config
        self.free = camera_config["buffer_count"]
        if self.world.give_format:
            self.config["main"]["format"] = self.world.give_format
        if self.world.give_size:
            self.config["main"]["size"] = self.world.give_size

    def camera_configuration(self):
        return self.config

    def start(self, config=None, show_preview=False):
        assert self.config is not None
        for name in self.config["controls"]:
            self._advertised(name)
        if self.world.sensor is not None:
            self.world.sensor.start(self.config["controls"])
        self.started = True

    def stop(self):
        self.started = False

    def close(self):
        self.stop()
        self.closed = True

    def capture_request(self, wait=None, signal_function=None, flush=None):
        assert wait is False
        job = FakeJob()
        self.jobs.put(job)
        if self.world.sensor is not None:
            self.emit(*self.world.sensor.next())
        return job

    def wait(self, job, timeout=None):
        return job.future.result(timeout=timeout)

    def emit(self, array, metadata):
        job = self.jobs.get(timeout=0.1)
        with self.world.lock:
            if self.free == 0:
                self.world.starved += 1
                self.jobs.put(job)
                return False
            self.free -= 1
            self.world.held += 1
            self.world.most_held = max(self.world.most_held, self.world.held)
        job.future.set_result(FakeRequest(self, array, metadata))
        return True


class FakeCapture:
    """cv2.VideoCapture whose frames the test puts in: an image, None for a failed read, or an exception."""

    def __init__(self, frames, *, opened=True, fps=30.0, stamp_ms=lambda: 0.0):
        self.frames, self.opened, self.fps, self.stamp_ms = frames, opened, fps, stamp_ms
        self.settings, self.released = {}, False

    def isOpened(self):  # noqa: N802
        return self.opened

    def read(self):
        try:
            item = self.frames.get(timeout=0.2)
        except queue.Empty:
            item = None
        if isinstance(item, Exception):
            raise item
        return item is not None, item

    def get(self, prop):
        return {cv2.CAP_PROP_FPS: self.fps, cv2.CAP_PROP_POS_MSEC: self.stamp_ms()}.get(prop, 0.0)

    def set(self, prop, value):
        self.settings[prop] = value
        return True

    def release(self):
        self.released = True


class MjpegServer:
    """Serves motion JPEG over HTTP on the loopback; `stall` stops the pictures without closing."""

    def __init__(self, image):
        self._jpeg = cv2.imencode(".jpg", image)[1].tobytes()
        self.stop_event, self.stall = threading.Event(), threading.Event()
        self.connections = 0
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                outer.connections += 1
                self.send_response(200)
                self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
                self.end_headers()
                try:
                    while not outer.stop_event.wait(0.02):
                        if outer.stall.is_set():
                            continue
                        head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(outer._jpeg)}\r\n\r\n"
                        self.wfile.write(head.encode() + outer._jpeg + b"\r\n")
                except OSError:
                    return

            def log_message(self, *args):
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = False
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02})
        self._thread.start()
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/table.mjpg"

    def close(self):
        self.stop_event.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(10)


def picture(level=90, size_wh=(64, 48)):
    """A test picture: blue, green and red differ, so that a swapped order shows."""
    image = np.zeros((size_wh[1], size_wh[0], 3), np.uint8)
    image[...] = (level, level // 2, 200)
    return image
