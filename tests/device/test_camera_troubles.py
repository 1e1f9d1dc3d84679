"""A camera that is busy, that never opens, or that stamps by another clock."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import threading

import pytest

from device.cameras.holders import holders, named_holders
from device.cameras.pi import PiCamera
from device.cameras.usb import UsbCamera
from device.clock import ManualClock, SystemClock, is_of_clock, wall_is_synchronised
from device.errors import CameraBusy, CameraMissing, CameraTimeout
from tests.device.fakes import PiWorld, picture

S = 10**9


@pytest.fixture
def holding(tmp_path):
    """A process of its own that has a file open: (its number, the file)."""
    file = tmp_path / "video7"
    file.write_bytes(b"")
    code = "import sys; kept = open(sys.argv[1]); print('open', flush=True); sys.stdin.read()"
    with subprocess.Popen(
        [sys.executable, "-c", code, str(file)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout.readline() == "open\n"
        yield process.pid, str(file)
        process.stdin.close()


def test_who_holds_a_device_is_found_by_its_open_files(holding):
    number, file = holding
    assert [found for found, _ in holders(file)] == [number]
    assert f"(process {number})" in named_holders(file)
    assert holders(file + "-other") == []
    assert named_holders(file + "-other") == ""


def test_what_this_program_itself_has_open_does_not_count(tmp_path):
    file = tmp_path / "video8"
    with file.open("w"):
        assert holders(str(file)) == []


def test_a_system_without_proc_names_nobody(tmp_path):
    assert holders("/dev/video", proc=tmp_path / "none") == []


def test_a_busy_webcam_names_who_holds_it(holding, monkeypatch):
    number, file = holding
    monkeypatch.setattr("device.cameras.usb.named_holders", lambda path: named_holders(file))

    def probe(path):
        raise OSError(errno.EBUSY, "busy")

    with pytest.raises(CameraBusy, match=rf"held by .* \(process {number}\); close it"):
        UsbCamera(SystemClock(), 7, probe=probe, make_capture=None).open()


def test_a_busy_pi_camera_names_who_holds_it(monkeypatch):
    monkeypatch.setattr("device.cameras.pi.named_holders", lambda *paths: f"rpicam-hello at {paths}")
    world = PiWorld()
    world.fail_open = [RuntimeError("Failed to acquire camera: Device or resource busy")]
    with pytest.raises(CameraBusy, match=r"held by rpicam-hello at \('/dev/media', '/dev/video'\)"):
        PiCamera(SystemClock(), import_picamera2=lambda: world.make).open()


def test_opening_that_never_ends_is_given_up_and_closed_when_it_ends_after_all():
    world = PiWorld()
    gate, closed = threading.Event(), threading.Event()

    class Slow(type(world.make())):
        def close(self):
            super().close()
            closed.set()

    def slow(camera_num):
        assert gate.wait(10)
        return Slow(camera_num, world=world)

    camera = PiCamera(SystemClock(), import_picamera2=lambda: slow, open_s=0.05, size_wh=(64, 48))
    with pytest.raises(CameraTimeout, match=r"did not open within 0.05 s.*ribbon cable"):
        camera.open()
    assert camera._thread is None
    gate.set()
    assert closed.wait(10), "what came too late must not go on holding the camera"


def test_a_failure_while_opening_is_told_as_what_it_is():
    world = PiWorld()
    world.fail_open = [IndexError("list index out of range")]
    with pytest.raises(CameraMissing):
        PiCamera(SystemClock(), import_picamera2=lambda: world.make, open_s=5).open()


# One clock for frames and presses


@pytest.mark.parametrize(
    ("stamp_ns", "ours", "why"),
    [
        (100 * S, True, "now"),
        (99 * S, True, "a second ago"),
        (89 * S, False, "too long ago to be a frame that just came"),
        (101 * S, False, "in the future, as CLOCK_BOOTTIME is after a sleep"),
        (1_795_000_000 * S, False, "the wall clock"),
        (None, False, "no stamp"),
        ("12", False, "no number"),
    ],
)
def test_a_stamp_is_of_the_clock_or_not(stamp_ns, ours, why):
    assert is_of_clock(stamp_ns, 100 * S) is ours, why


@pytest.mark.parametrize(
    ("offset_ns", "stamped", "age_ns"),
    [(0, "monotonic", 8_000_000), (3600 * S, "unknown", 3 * S // 15), (None, "unknown", 3 * S // 15)],
)
def test_the_clock_of_the_stamps_is_checked_at_the_first_frame(offset_ns, stamped, age_ns, caplog):
    """Stamps of another clock are never compared with presses: the frame counts as old instead."""
    clock, world = ManualClock(500 * S), PiWorld()
    with PiCamera(clock, import_picamera2=lambda: world.make, size_wh=(64, 48)) as camera:
        assert camera.stamped == "not yet"
        metadata = {"ExposureTime": 8000}
        if offset_ns is not None:
            metadata["SensorTimestamp"] = clock.now_ns() + offset_ns
        world.emit(picture(), metadata)
        frame = camera.latest(timeout_s=10)
        assert camera.stamped == stamped
        assert clock.now_ns() - frame.exposure_start_ns == pytest.approx(age_ns, abs=1000)
    assert ("cannot be compared with presses" in caplog.text) == (stamped == "unknown")


def test_the_kernel_s_own_stamps_are_of_the_clock_that_the_program_reads():
    import time

    assert is_of_clock(time.clock_gettime_ns(time.CLOCK_MONOTONIC), SystemClock().now_ns())
    assert not is_of_clock(time.time_ns(), SystemClock().now_ns())


def test_whether_the_wall_clock_is_kept_right_is_asked_of_the_kernel(monkeypatch):
    assert wall_is_synchronised() in (True, False)
    answers = iter([(0, 0), (0, 0x0040), (5, 0x0041), (-1, 0)])

    class Library:
        def __init__(self, *args, **kwargs):
            pass

        def adjtimex(self, reference):
            state, reference._obj.status = next(answers)
            assert reference._obj.modes == 0, "asking must not set anything"
            return state

    monkeypatch.setattr("device.clock.ctypes.CDLL", Library)
    assert [wall_is_synchronised() for _ in range(4)] == [True, False, False, None]
    monkeypatch.setattr("device.clock.sys.platform", "darwin")
    assert wall_is_synchronised() is None


def test_the_struct_has_the_layout_of_the_kernel():
    """linux/timex.h: modes, then four longs and the status; the whole is 208 bytes on 64 bits."""
    import ctypes

    from device.clock import _Timex

    assert ctypes.sizeof(_Timex) >= 208
    assert _Timex.status.offset == (40 if ctypes.sizeof(ctypes.c_long) == 8 else 20)
    assert os.name == "posix"
