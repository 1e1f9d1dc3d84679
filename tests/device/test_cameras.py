"""What is special to single cameras: formats, time stamps, failures and how they are named."""

from __future__ import annotations

import contextlib
import errno
import itertools
import queue
import sys

import cv2
import numpy as np
import pytest

from device.cameras import open_camera
from device.cameras.folder import FolderCamera
from device.cameras.network import NetworkCamera
from device.cameras.newest import NewestFrame
from device.cameras.pi import PiCamera
from device.cameras.pi_frames import bgr_from, exposure_start_from
from device.cameras.reader import exposure_start_ns
from device.cameras.sensor_modes import widest_mode
from device.cameras.simulated import SimulatedCamera
from device.cameras.usb import UsbCamera
from device.cameras.video_file import VideoFileCamera
from device.clock import ManualClock, SystemClock
from device.errors import (
    CameraBusy,
    CameraEnded,
    CameraFailed,
    CameraFormatError,
    CameraLibraryMissing,
    CameraMissing,
    CameraOutOfMemory,
    CameraPermission,
    CameraSpecError,
    CameraTimeout,
    FrameShapeError,
)
from device.frames import Frame
from tests.device.fakes import (
    FakeCapture,
    MjpegServer,
    PiWorld,
    picture,
)
from tests.device.test_camera_contract import write_film, write_folder

MS = 1_000_000
SIZE = (64, 48)


# Frames and the slot


@pytest.mark.parametrize(
    "image",
    [
        np.zeros((4, 4), np.uint8),
        np.zeros((4, 4, 4), np.uint8),
        np.zeros((4, 4, 3), np.float32),
        np.zeros((0, 4, 3), np.uint8),
    ],
    ids=["grey", "four channels", "float", "empty"],
)
def test_a_frame_is_bgr_bytes_and_says_so(image):
    with pytest.raises(FrameShapeError, match=r"\(H, W, 3\) uint8"):
        Frame(image, 0, 1, "test")


def test_a_slow_reader_gets_the_newest_frame_only():
    slot = NewestFrame("test")
    for number in range(1, 11):
        slot.put(Frame(picture(), number * 100, number, "test"))
    assert slot.get(exposed_after_ns=0, timeout_s=0).sequence == 10
    assert slot.replaced_unread == 9
    with pytest.raises(CameraTimeout, match="too early"):
        slot.get(exposed_after_ns=1001, timeout_s=0)


# The Pi's camera


@pytest.fixture
def world():
    return PiWorld()


@pytest.fixture
def clock():
    return ManualClock(10**12)


def pi(world, clock, **more):
    return PiCamera(
        clock, import_picamera2=lambda: world.make, size_wh=SIZE, **{"hang_s": 30.0, "retry_s": 0.01, **more}
    )


IMX708 = [
    {"size": (1536, 864), "bit_depth": 10, "crop_limits": (768, 432, 3072, 1728), "fps": 120.1},
    {"size": (2304, 1296), "bit_depth": 10, "crop_limits": (0, 0, 4608, 2592), "fps": 56.0},
    {"size": (4608, 2592), "bit_depth": 10, "crop_limits": (0, 0, 4608, 2592), "fps": 14.4},
]
"""A Camera Module 3, as picamera2 tells of it."""


@pytest.mark.parametrize(
    ("name", "modes", "size_wh", "expected"),
    [
        ("the whole view, not the nearest size", IMX708, (1280, 720), (2304, 1296)),
        ("in whatever order", IMX708[::-1], (1280, 720), (2304, 1296)),
        ("large enough for a large picture", IMX708, (4000, 2200), (4608, 2592)),
        ("none is large enough", IMX708, (5000, 3000), None),
        ("one that does not tell what it shows", [{"size": (1536, 864), "bit_depth": 10}], (1280, 720), None),
        ("no modes", [], (1280, 720), None),
    ],
)
def test_the_mode_of_a_sensor_that_shows_the_whole_table(name, modes, size_wh, expected):
    mode = widest_mode(modes, size_wh)
    assert (None if mode is None else mode["output_size"]) == expected, name


def test_the_pi_camera_asks_for_the_mode_that_shows_most_and_opens_without_modes_too(world, clock):
    world.sensor_modes = IMX708
    with pi(world, clock):
        assert world.asked[-1]["sensor"] == {"output_size": (2304, 1296), "bit_depth": 10}
    for none in ([], RuntimeError("the virtual pipeline has no raw stream")):
        world.sensor_modes = none
        with pi(world, clock):
            assert world.asked[-1]["sensor"] == {}


def test_exposure_began_one_exposure_before_the_stamp(world, clock):
    now_ns = clock.now_ns()
    with pi(world, clock) as camera:
        world.emit(picture(), {"SensorTimestamp": now_ns - 3 * MS, "ExposureTime": 8000})
        frame = camera.latest(timeout_s=10)
    assert frame.exposure_start_ns == now_ns - 11 * MS


@pytest.mark.parametrize(
    ("why", "metadata", "back_ms"),
    [
        ("both", {"SensorTimestamp": 997 * MS, "ExposureTime": 10_000}, 13),
        ("no exposure time: a whole period", {"SensorTimestamp": 997 * MS}, 3 + 50),
        ("no stamp", {"ExposureTime": 10_000}, 150),
        ("nothing at all", {}, 150),
        ("a stamp in the future", {"SensorTimestamp": 1001 * MS, "ExposureTime": 10_000}, 150),
        ("a stamp of the wall clock", {"SensorTimestamp": 1_795_814_691 * 10**9, "ExposureTime": 10_000}, 150),
    ],
)
def test_missing_metadata_errs_to_the_early_side(why, metadata, back_ms):
    assert exposure_start_from(metadata, 1000 * MS, 50 * MS) == (1000 - back_ms) * MS, why


def test_requests_are_given_back_at_once_so_that_no_frame_is_lost(world, clock):
    with pi(world, clock) as camera:
        for number in range(20):
            clock.advance(66 * MS)
            assert world.emit(picture(number), {"SensorTimestamp": clock.now_ns(), "ExposureTime": 1000})
        frame = camera.latest(exposed_after_ns=clock.now_ns() - MS, timeout_s=10)
    assert frame.image_bgr[0, 0, 0] == 19
    assert (world.starved, world.held, world.most_held) == (0, 0, 1)


def test_a_request_is_given_back_even_when_its_array_fails(world, clock):
    with pi(world, clock) as camera:
        world.emit(OSError("dma error"), {})
        world.emit(picture(), {})
        assert camera.latest(timeout_s=10)
    assert world.held == 0


def test_one_configuration_for_its_life(world, clock):
    with pi(world, clock, controls={"ExposureTime": 8000}) as camera:
        for _ in range(5):
            world.emit(picture(), {})
        camera.latest(timeout_s=10)
        assert world.camera.config["controls"] == {"FrameRate": 15, "ExposureTime": 8000}
        assert world.camera.config["main"] == {"size": SIZE, "format": "RGB888"}
    assert world.configure_calls == 1
    assert world.camera.closed


@pytest.mark.parametrize("pixel_format", ["RGB888", "BGR888", "XRGB8888", "XBGR8888", "NV12", "YUV420"])
@pytest.mark.parametrize("stride", [64, 96])
def test_every_format_becomes_the_same_bgr(pixel_format, stride):
    image = picture()
    wide = cv2.copyMakeBorder(image, 0, 0, 0, stride - 64, cv2.BORDER_REPLICATE)
    alpha = np.full(wide.shape[:2], 255, np.uint8)
    if pixel_format == "RGB888":
        array = wide
    elif pixel_format == "BGR888":
        array = wide[..., ::-1].copy()
    elif pixel_format == "XRGB8888":
        array = np.dstack([wide, alpha])
    elif pixel_format == "XBGR8888":
        array = np.dstack([wide[..., ::-1], alpha])
    else:
        array = cv2.cvtColor(wide, cv2.COLOR_BGR2YUV_I420)
        if pixel_format == "NV12":
            u, v = array[48:60].reshape(-1), array[60:72].reshape(-1)
            array = np.vstack([array[:48], np.column_stack([u, v]).reshape(24, stride)])
    given = bgr_from(array, pixel_format, SIZE)
    assert given.shape == (48, 64, 3)
    assert np.abs(given.astype(int) - image).max() <= 4


def test_a_format_that_is_given_instead_is_converted_and_one_unknown_is_refused(world, clock):
    world.give_format = "XBGR8888"
    with pi(world, clock) as camera:
        world.emit(np.dstack([picture()[..., ::-1], np.zeros((48, 64), np.uint8)]), {})
        assert (camera.latest(timeout_s=10).image_bgr == picture()).all()
        assert "XBGR8888" in camera.describe()
    world.give_format = "MJPEG"
    with pytest.raises(CameraFormatError, match="MJPEG"):
        pi(world, clock).open()
    assert all(made.closed for made in world.cameras)
    world.give_format, world.give_size = None, (32, 32)
    with pytest.raises(CameraFormatError, match="32, 32"):
        pi(world, clock).open()
    with pytest.raises(CameraFormatError, match="shape"):
        bgr_from(np.zeros((10, 64, 3), np.uint8), "RGB888", SIZE)


def from_(outer, inner):
    outer.__cause__ = inner
    return outer


@pytest.mark.parametrize(
    ("error", "named", "advice"),
    [
        (from_(RuntimeError("Camera __init__ did not complete."), OSError(errno.EBUSY, "no")), CameraBusy, "close it"),
        (RuntimeError("Failed to acquire camera: Device or resource busy"), CameraBusy, "close it"),
        (IndexError("list index out of range"), CameraMissing, "ribbon cable"),
        (RuntimeError("Camera(s) not found (Do not forget to …)."), CameraMissing, "ribbon cable"),
        (PermissionError(errno.EACCES, "Permission denied"), CameraPermission, "group 'video'"),
        (RuntimeError("something else"), CameraFailed, "something else"),
    ],
)  # fmt: skip
def test_failures_to_open_are_named_with_what_to_do(error, named, advice, world, clock):
    world.fail_open = [error]
    with pytest.raises(named, match=advice):
        pi(world, clock).open()


def test_without_memory_it_takes_fewer_buffers_and_in_the_end_tells(world, clock):
    world.fail_configure = {4: OSError(errno.ENOMEM, "Cannot allocate memory")}
    with pi(world, clock) as camera:
        assert world.camera.config["buffer_count"] == 3
        world.emit(picture(), {})
        camera.latest(timeout_s=10)
    assert world.cameras[0].closed
    world.fail_configure = {n: OSError(errno.ENOMEM, "Cannot allocate memory") for n in (4, 3, 2)}
    with pytest.raises(CameraOutOfMemory, match="not even of a smaller picture"):
        pi(world, clock).open()
    assert all(made.closed for made in world.cameras)


def test_without_memory_for_two_buffers_the_picture_becomes_smaller(world, clock):
    world.no_room_above_px = 64 * 48 - 1
    with pi(world, clock) as camera:
        assert world.camera.config["main"]["size"] == (48, 36)
        assert world.camera.config["buffer_count"] == 2
        world.emit(picture(size_wh=(48, 36)), {})
        assert camera.latest(timeout_s=10).size_wh == (48, 36)
        assert "48x36" in camera.describe()
    world.no_room_above_px = None
    with camera:
        assert world.camera.config["main"]["size"] == SIZE, "the next opening begins with the full picture"


def test_a_camera_that_hangs_is_opened_again_and_the_reason_is_told(world, clock):
    with pi(world, clock, hang_s=0.05) as camera:
        with pytest.raises(CameraTimeout, match="tried again"):
            camera.latest(timeout_s=0.3)
        first = world.cameras[0]
        frame = None
        for _ in range(100):  # a job may be given up just as the frame comes
            with contextlib.suppress(CameraTimeout):
                world.emit(picture(), {})
                frame = camera.latest(timeout_s=0.1)
                break
        assert frame is not None
        assert first.closed
        assert camera.times_opened >= 2


def test_a_missing_picamera2_is_named(monkeypatch, clock):
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(CameraLibraryMissing, match="apt install python3-picamera2"):
        open_camera("pi", clock)


# Webcams


def usb(captures, clock, **more):
    """A webcam that gets each of `captures` in turn."""
    made = iter(captures)
    return UsbCamera(clock, 3, make_capture=lambda *args: next(made), probe=lambda path: None, retry_s=0.01, **more)


def test_a_webcam_is_asked_for_one_buffer_and_its_size():
    frames = queue.SimpleQueue()
    capture = FakeCapture(frames)
    with usb([capture], SystemClock(), size_wh=(640, 480), fps=20):
        assert capture.settings[cv2.CAP_PROP_BUFFERSIZE] == 1
        assert capture.settings[cv2.CAP_PROP_FRAME_WIDTH] == 640
        assert capture.settings[cv2.CAP_PROP_FPS] == 20
    assert capture.released


@pytest.mark.parametrize("broken", [None, cv2.error("broken pipe")], ids=["no frame", "exception"])
def test_a_webcam_that_fails_is_opened_again(broken):
    frames = queue.SimpleQueue()
    first, second = FakeCapture(frames), FakeCapture(frames)
    with usb([first, second], SystemClock()) as camera:
        frames.put(picture(10))
        one = camera.latest(timeout_s=10)
        frames.put(broken)
        frames.put(picture(30))
        two = camera.latest(exposed_after_ns=one.exposure_start_ns + 1, timeout_s=10)
        assert two.sequence > one.sequence
        assert first.released
        assert camera.times_opened == 2


@pytest.mark.parametrize(
    ("number", "named", "advice"),
    [
        (errno.ENOENT, CameraMissing, "plug it in"),
        (errno.EACCES, CameraPermission, "group 'video'"),
        (errno.EBUSY, CameraBusy, "another program"),
        (errno.EIO, CameraFailed, "unplug"),
    ],
)
def test_a_webcam_that_cannot_be_opened_says_why(number, named, advice):
    def probe(path):
        assert path == "/dev/video3"
        raise OSError(number, "no")

    with pytest.raises(named, match=advice):
        UsbCamera(SystemClock(), 3, probe=probe, make_capture=None).open()
    with pytest.raises(CameraMissing):
        UsbCamera(SystemClock(), 987, make_capture=None).open()
    with pytest.raises(CameraFailed, match="gives no pictures"):
        usb([FakeCapture(queue.SimpleQueue(), opened=False)], SystemClock()).open()


@pytest.mark.parametrize(
    ("why", "stamp_ms", "start_ms"),
    [
        ("a stamp of the driver, less one period", 95.0, 95 - 33),
        ("no stamp: what was under way when the read began", 0.0, 90 - 33),
        ("a stamp of another clock", 1.7e12, 90 - 33),
        ("a position in a film, long ago", -5.0, 90 - 33),
    ],
)
def test_webcam_times_err_to_the_early_side(why, stamp_ms, start_ms):
    assert exposure_start_ns(stamp_ms, 90 * MS, 100 * MS, 33 * MS) == start_ms * MS, why


# Films and folders


def test_a_film_is_paced_by_the_clock_and_skips_what_is_past(tmp_path):
    clock = ManualClock(10**9)
    with VideoFileCamera(clock, write_film(tmp_path / "a.avi", frames=12, fps=10)) as camera:
        start_ns = clock.now_ns()
        assert camera.latest(timeout_s=0).exposure_start_ns == start_ns
        clock.advance(550 * MS)
        frame = camera.latest(timeout_s=0)
        assert (frame.exposure_start_ns - start_ns, frame.sequence) == (500 * MS, 6)
        assert abs(int(frame.image_bgr[0, 0, 0]) - 90) < 12
        with pytest.raises(CameraTimeout):
            camera.latest(exposed_after_ns=frame.exposure_start_ns + 1, timeout_s=0.01)
        assert camera.latest(timeout_s=0).sequence == 6, "a wait in vain shows no frame before its time"
        clock.advance(10_000 * MS)
        assert not camera.ended
        assert camera.latest(timeout_s=0).sequence == 12
        assert camera.ended
        with pytest.raises(CameraEnded):
            camera.latest(exposed_after_ns=clock.now_ns(), timeout_s=1)


def test_a_film_as_fast_as_asked_gives_every_frame_once(tmp_path):
    clock = ManualClock(10**9)
    with VideoFileCamera(clock, write_film(tmp_path / "a.avi", frames=12, fps=10), pace=False) as camera:
        frames = []
        while not camera.ended:
            frames.append(camera.latest(timeout_s=0))
        assert [frame.sequence for frame in frames] == list(range(1, 13))
        gaps = {b.exposure_start_ns - a.exposure_start_ns for a, b in itertools.pairwise(frames)}
        assert gaps == {100 * MS}
        with pytest.raises(CameraEnded, match="over"):
            camera.latest(timeout_s=0)
    with VideoFileCamera(clock, tmp_path / "a.avi", pace=False) as camera:
        assert camera.latest(exposed_after_ns=clock.now_ns() + 450 * MS, timeout_s=0).sequence == 6


@pytest.mark.parametrize("pace", [True, False])
def test_a_folder_is_sorted_by_number_and_every_picture_has_its_time(tmp_path, pace):
    folder = tmp_path / "shots"
    folder.mkdir()
    for number in (10, 2, 1):
        cv2.imwrite(str(folder / f"die{number}.png"), picture(number * 10))
    (folder / "notes.txt").write_text("not a picture")
    clock = ManualClock(waits_advance=True)
    with FolderCamera(clock, folder, every_ms=250, pace=pace) as camera:
        first = camera.latest(timeout_s=1)
        second = camera.latest(exposed_after_ns=first.exposure_start_ns + 1, timeout_s=1)
        third = camera.latest(exposed_after_ns=second.exposure_start_ns + 1, timeout_s=1)
        assert [int(f.image_bgr[0, 0, 0]) for f in (first, second, third)] == [10, 20, 100]
        assert third.exposure_start_ns - first.exposure_start_ns == 500 * MS
        assert camera.ended


def with_exif_orientation(jpeg, orientation):
    """The JPEG with an EXIF block that holds nothing but an orientation."""
    entry = b"\x01\x12\x00\x03\x00\x00\x00\x01" + bytes([0, orientation, 0, 0])
    tiff = b"MM\x00\x2a\x00\x00\x00\x08\x00\x01" + entry + b"\x00\x00\x00\x00"
    block = b"Exif\x00\x00" + tiff
    return jpeg[:2] + b"\xff\xe1" + (len(block) + 2).to_bytes(2, "big") + block + jpeg[2:]


def test_pictures_of_a_phone_are_set_upright(tmp_path):
    image = np.zeros((40, 80, 3), np.uint8)
    image[:, :40] = (0, 0, 255)
    jpeg = cv2.imencode(".jpg", image)[1].tobytes()
    (tmp_path / "a.jpg").write_bytes(with_exif_orientation(jpeg, 6))
    with FolderCamera(ManualClock(), tmp_path) as camera:
        upright = camera.latest(timeout_s=0).image_bgr
    assert upright.shape == (80, 40, 3)
    assert upright[10, 20, 2] > 200
    assert upright[70, 20, 2] < 60


def test_missing_and_broken_recordings_are_named(tmp_path):
    clock = ManualClock()
    (tmp_path / "broken.mp4").write_bytes(b"nothing of the kind")
    (tmp_path / "empty").mkdir()
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "a.png").write_bytes(b"")
    for spec, named in (
        (f"file:{tmp_path}/none.mp4", CameraMissing),
        (f"file:{tmp_path}/broken.mp4", CameraFailed),
        (f"folder:{tmp_path}/none", CameraMissing),
        (f"folder:{tmp_path}/empty", CameraMissing),
        (f"folder:{tmp_path}/bad", CameraFailed),
    ):
        with pytest.raises(named):
            open_camera(spec, clock)
    with pytest.raises(ValueError, match="more than 0"):
        FolderCamera(clock, tmp_path, every_ms=0)


# Streams


def next_or_none(camera, frame):
    try:
        return camera.latest(exposed_after_ns=frame.exposure_start_ns + 1, timeout_s=0.3)
    except CameraTimeout:
        return None


def test_a_stream_that_stalls_times_out_and_is_opened_again():
    server = MjpegServer(picture())
    camera = NetworkCamera(SystemClock(), server.url, timeout_s=0.5, retry_s=0.05)
    try:
        with camera:
            frame = camera.latest(timeout_s=10)
            assert np.abs(frame.image_bgr.astype(int) - picture()).max() < 20
            server.stall.set()
            newer = frame
            while newer is not None:
                frame, newer = newer, next_or_none(camera, newer)
            while server.connections < 2:
                with pytest.raises(CameraTimeout):
                    camera.latest(exposed_after_ns=frame.exposure_start_ns + 10**10, timeout_s=0.1)
            server.stall.clear()
            assert camera.latest(exposed_after_ns=frame.exposure_start_ns + 1, timeout_s=10)
    finally:
        server.close()


def test_an_address_where_nothing_is_and_one_that_is_none():
    with pytest.raises(CameraFailed, match="nothing that can be watched"):
        NetworkCamera(SystemClock(), "http://127.0.0.1:9/x", timeout_s=1).open()
    with pytest.raises(CameraSpecError, match="not the address"):
        NetworkCamera(SystemClock(), "/etc/passwd")


# Names of cameras


def test_cameras_are_made_by_name(tmp_path):
    with open_camera("simulated", ManualClock(waits_advance=True)) as camera:
        assert isinstance(camera, SimulatedCamera)
        assert camera.latest(timeout_s=1).size_wh == (1280, 720)
    write_folder(tmp_path / "shots")
    write_film(tmp_path / "a:b.avi")
    for spec, kind in ((f"folder:{tmp_path}/shots", FolderCamera), (f"file:{tmp_path}/a:b.avi", VideoFileCamera)):
        with open_camera(spec, ManualClock(), pace=False) as camera:
            assert isinstance(camera, kind)
    with pytest.raises(CameraMissing):
        open_camera("usb:987", SystemClock())


@pytest.mark.parametrize(
    "spec", ["", "usb", "usb:", "usb:x", "pi:x", "file:", "folder:", "url:", "simulated:1", "webcam"]
)
def test_unknown_names_list_the_known_ones(spec):
    with pytest.raises(CameraSpecError, match="usb:N"):
        open_camera(spec, ManualClock())
