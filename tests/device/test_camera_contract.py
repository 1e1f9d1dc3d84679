"""Every camera keeps the same promises."""

from __future__ import annotations

import contextlib
import queue
import threading

import cv2
import pytest

from device.cameras import Camera
from device.cameras.folder import FolderCamera
from device.cameras.network import NetworkCamera
from device.cameras.pi import PiCamera
from device.cameras.simulated import SimulatedCamera
from device.cameras.usb import UsbCamera
from device.cameras.video_file import VideoFileCamera
from device.clock import ManualClock, SystemClock, wait_until
from device.errors import CameraClosed, CameraTimeout, DeviceError
from device.frames import Frame
from device.simulated import SimulatedTable
from tests.device.fakes import FakeCapture, MjpegServer, PiWorld, picture

HOUR_NS = 3600 * 10**9


def write_film(path, frames=12, fps=10, size_wh=(64, 48)):
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), fps, size_wh)
    assert writer.isOpened()
    for number in range(frames):
        writer.write(picture(40 + 10 * number, size_wh))
    writer.release()
    return path


def write_folder(path, count=6):
    path.mkdir()
    for number in range(count):
        cv2.imwrite(str(path / f"shot{number}.png"), picture(40 + 20 * number))
    return path


@contextlib.contextmanager
def made(kind, tmp_path):
    """A camera that is not open yet, and what makes its next frame happen."""
    if kind == "simulated":
        table = SimulatedTable(ManualClock(waits_advance=True), seats=2, size_wh=(320, 180))
        yield SimulatedCamera(table), lambda: None
    elif kind == "file":
        yield VideoFileCamera(ManualClock(waits_advance=True), write_film(tmp_path / "a.avi")), lambda: None
    elif kind == "folder":
        folder = write_folder(tmp_path / "shots")
        yield FolderCamera(ManualClock(waits_advance=True), folder, every_ms=500), lambda: None
    elif kind == "network":
        server = MjpegServer(picture())
        try:
            yield NetworkCamera(SystemClock(), server.url, timeout_s=5), lambda: None
        finally:
            server.close()
    elif kind == "usb":
        frames = queue.SimpleQueue()

        def capture(*args):
            return FakeCapture(frames)

        camera = UsbCamera(SystemClock(), 0, make_capture=capture, probe=lambda path: None, retry_s=0.01)
        yield camera, lambda: frames.put(picture())
    else:
        world, clock = PiWorld(), SystemClock()
        camera = PiCamera(clock, import_picamera2=lambda: world.make, size_wh=(64, 48), hang_s=30, retry_s=0.01)

        def feed():
            # As on a Pi: the stamp is the end of an exposure of 5 ms that began after the call.
            stamp_ns = clock.now_ns() + 5_000_000
            assert wait_until(clock, stamp_ns + 1, 10)
            assert world.emit(picture(), {"SensorTimestamp": stamp_ns, "ExposureTime": 5000})

        yield camera, feed


@pytest.fixture(params=["simulated", "file", "folder", "network", "usb", "pi"])
def camera_and_feed(request, tmp_path):
    with made(request.param, tmp_path) as (camera, feed):
        yield camera, feed
        camera.close()
    left = [t.name for t in threading.enumerate() if t.name.startswith(("camera", "Camera"))]
    assert left == [], "a thread of the camera was left over"


def test_it_keeps_the_protocol_and_gives_frames(camera_and_feed):
    camera, feed = camera_and_feed
    assert isinstance(camera, Camera)
    with camera:
        feed()
        frame = camera.latest(timeout_s=10)
        assert isinstance(frame, Frame)
        assert frame.image_bgr.ndim == 3
        assert frame.size_wh[0] > frame.size_wh[1]
        assert frame.source
        assert not camera.ended
        assert len(camera.describe()) > 5
        assert "\n" not in camera.describe()


def test_no_frame_is_from_before_the_trigger(camera_and_feed):
    camera, feed = camera_and_feed
    with camera:
        feed()
        last = camera.latest(timeout_s=10)
        for _ in range(3):
            trigger_ns = last.exposure_start_ns + 1
            for _ in range(3):
                feed()
            frame = camera.latest(exposed_after_ns=trigger_ns, timeout_s=10)
            assert frame.exposure_start_ns >= trigger_ns
            assert frame.sequence > last.sequence
            last = frame


def test_every_wait_ends(camera_and_feed):
    camera, feed = camera_and_feed
    with camera:
        feed()
        frame = camera.latest(timeout_s=10)
        with pytest.raises(CameraTimeout) as caught:
            camera.latest(exposed_after_ns=frame.exposure_start_ns + HOUR_NS, timeout_s=0.05)
        assert isinstance(caught.value, TimeoutError)
        assert isinstance(caught.value, DeviceError)
        assert "0.05 s" in str(caught.value)


def test_closed_cameras_give_nothing_and_can_be_opened_again(camera_and_feed):
    camera, feed = camera_and_feed
    with pytest.raises(CameraClosed, match="open"):
        camera.latest(timeout_s=1)
    for _ in range(2):
        camera.open()
        camera.open()
        feed()
        assert camera.latest(timeout_s=10).image_bgr.size
        camera.close()
        camera.close()
        with pytest.raises(CameraClosed):
            camera.latest(timeout_s=1)
