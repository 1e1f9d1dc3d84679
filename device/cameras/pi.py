"""The camera on the ribbon cable of a Raspberry Pi, through picamera2.

One configuration for its life: switching modes leaks camera memory until the next boot. Array and metadata come
from one request, which is given back at once: a held request starves the camera of buffers. One stream: whoever looks
for motion in a smaller picture shrinks the one that is there (0.3 ms on a PC), which costs less than a second set of
buffers.
"""

from __future__ import annotations

import errno
import importlib
import logging
import queue
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import TimeoutError as FutureTimeoutError
from typing import Any, Final, Literal

from device.cameras.holders import named_holders
from device.cameras.locking import LockReport, Shown, camera_controls, disagreement
from device.cameras.locking import lock as find_and_hold
from device.cameras.pi_frames import PIXEL_FORMATS, bgr_from, exposure_start_from
from device.cameras.reader import LiveCamera
from device.cameras.sensor_modes import widest_mode
from device.clock import NS_PER_S, Clock, is_of_clock
from device.errors import (
    CameraBusy,
    CameraClosed,
    CameraFailed,
    CameraFormatError,
    CameraLibraryMissing,
    CameraMissing,
    CameraOutOfMemory,
    CameraPermission,
    CameraTimeout,
    DeviceError,
)
from device.frames import Frame

__all__ = ["PiCamera"]

log = logging.getLogger(__name__)

_CLOSE_LIMIT_S: Final = 3.0
_OPEN_LIMIT_S: Final = 15.0
"""Opening takes a Pi 1 to 3 s; a sensor that does not answer on its bus would take for ever."""
_HELD_WITHIN_FRAMES: Final = 45
"""Locked values that are not kept by then are not kept at all."""
_SLICE_S: Final = 0.1
"""How long a wait for a frame goes on after the camera was closed."""
_BUFFER_COUNTS: Final = (4, 3, 2)
_SMALLER: Final = 0.75
"""Where no two buffers fit (a Zero, or memory in pieces), the picture is made this much smaller, once."""


def _import_picamera2() -> Callable[..., Any]:
    try:
        module = importlib.import_module("picamera2")
    except Exception as error:  # a clash of numpy versions raises ValueError here, not ImportError
        raise CameraLibraryMissing(
            f"picamera2 cannot be imported ({error}); it drives the Raspberry Pi's own camera; install it with "
            "'sudo apt install python3-picamera2' and use an environment with system site packages, or take a "
            "webcam with usb:0"
        ) from error
    factory: Callable[..., Any] = module.Picamera2
    return factory


def _causes(error: BaseException) -> Iterator[BaseException]:
    seen: BaseException | None = error
    while seen is not None:
        yield seen
        seen = seen.__cause__ or seen.__context__


def _named(error: Exception, number: int) -> DeviceError:
    """The error of ours that tells what a failure of picamera2 means."""
    causes = list(_causes(error))
    text = "; ".join(str(cause) for cause in causes)
    numbers = {cause.errno for cause in causes if isinstance(cause, OSError)}
    lower = text.lower()
    if errno.ENOMEM in numbers or "cannot allocate memory" in lower or "enomem" in lower:
        return CameraOutOfMemory(
            f"the camera's buffers do not fit into memory, not even of a smaller picture ({text}); close other "
            "programs, or give the camera more contiguous memory (dtoverlay=vc4-kms-v3d,cma-256) and restart"
        )
    if errno.EBUSY in numbers or "busy" in lower or "in use" in lower:
        return CameraBusy(
            f"camera {number} is held by {named_holders('/dev/media', '/dev/video') or 'another program'} ({text}); "
            "close it (a second copy of this program, rpicam-hello, a browser) and try again"
        )
    if errno.EACCES in numbers or errno.EPERM in numbers or "permission" in lower:
        return CameraPermission(
            f"camera {number} may not be opened by this user ({text}); add the user to the group 'video' and log "
            "in again"
        )
    if any(isinstance(cause, IndexError) for cause in causes) or "not found" in lower or "no camera" in lower:
        return CameraMissing(
            f"there is no camera {number} on this computer ({text}); check the ribbon cable at both ends, then "
            "'rpicam-hello --list-cameras'"
        )
    return CameraFailed(f"camera {number} failed ({text}); it is opened again; see 'rpicam-hello' if it stays so")


def _bounded(step: Callable[[], object], limit_s: float) -> None:
    """Run a clean-up that may hang: errors are logged, and after `limit_s` it is left to itself."""

    def run() -> None:
        try:
            step()
        except Exception as error:
            log.warning("closing the camera: %s", error)

    helper = threading.Thread(target=run, name="camera clean-up", daemon=True)
    helper.start()
    helper.join(limit_s)
    if helper.is_alive():
        log.warning("closing the camera takes longer than %g s; it is left alone", limit_s)


def _within(step: Callable[[], Any], limit_s: float, late: Callable[[Any], None]) -> Any:
    """What `step` returns or raises, within `limit_s`; then CameraTimeout, and `late` gets what comes all the same."""
    answer: queue.SimpleQueue[tuple[Any, BaseException | None]] = queue.SimpleQueue()
    given_up = threading.Event()

    def run() -> None:
        try:
            made, error = step(), None
        except Exception as trouble:
            made, error = None, trouble
        answer.put((made, error))
        if given_up.is_set() and error is None:
            late(made)

    threading.Thread(target=run, name="camera opening", daemon=True).start()
    try:
        made, error = answer.get(timeout=limit_s)
    except queue.Empty:
        given_up.set()
        raise CameraTimeout(
            f"the camera did not open within {limit_s:g} s; expected it within 3 s; switch the Pi off, press the "
            "ribbon cable home at both ends, and start again"
        ) from None
    if error is not None:
        raise error
    return made


class PiCamera(LiveCamera):
    """Camera `number` of a Raspberry Pi.

    `controls` are set with the one configuration (in libcamera's names); those that this camera does not know are left
    out and logged. `held` are the values of an earlier `lock`: they are set with the configuration too, each time that
    the camera is opened, and read back. A frame that does not come within `hang_s` means that the camera hangs: it is
    closed and opened again. `stamped` tells what its time stamps were found to be.
    """

    def __init__(
        self,
        clock: Clock,
        number: int = 0,
        *,
        size_wh: tuple[int, int] = (1280, 720),
        fps: float = 15,
        controls: Mapping[str, object] | None = None,
        held: Mapping[str, float] | None = None,
        hang_s: float = 3.0,
        open_s: float = _OPEN_LIMIT_S,
        retry_s: float = 1.0,
        import_picamera2: Callable[[], Callable[..., Any]] = _import_picamera2,
    ) -> None:
        super().__init__(clock, f"pi:{number}", retry_s=retry_s)
        self._number = number
        self._full_wh = self._wanted_wh = size_wh
        self._controls = {"FrameRate": fps, **(controls or {})}
        self._held = dict(held or {})
        self._agreeing: bool | None = None
        self._unlike = 0
        self._hang_s = hang_s
        self._open_s = open_s
        self._import = import_picamera2
        self._format = ""
        self._period_ns = int(NS_PER_S / fps)
        self._device: Any = None
        self._came = threading.Condition()
        self._shown: Shown | None = None
        self.lock_report: LockReport | None = None
        self.stamped: Literal["not yet", "monotonic", "unknown"] = "not yet"

    def describe(self) -> str:
        """One line for people."""
        width, height = self._wanted_wh
        held = ", locked" if self.locked else ""
        return f"Raspberry Pi camera {self._number}, {width}x{height} {self._format or 'not opened yet'}{held}"

    @property
    def locked(self) -> dict[str, float] | None:
        """The values of exposure, gains and focus that the camera was told to hold and does hold; else None."""
        return dict(self._held) if self._held and self._agreeing else None

    def lock(self, timeout_s: float, *, mains_hz: float = 50.0) -> dict[str, float]:
        """Find exposure, white balance and focus for the table as it lies, hold them from now on, and return them.

        The values are ExposureTime (µs), AnalogueGain, ColourGainRed, ColourGainBlue and LensPosition (dioptres), as
        far as the camera has them; they are held when it is opened again, and can be given as `held` next time.
        `lock_report` tells more. Raises CameraLockError, CameraClosed.
        """
        if self._thread is None:
            raise CameraClosed(f"{self._source} is not open; call open() or use it in a with statement")
        self._held, self._agreeing = {}, None
        report = find_and_hold(_Adjusted(self), self._clock, timeout_s, mains_hz=mains_hz)
        self.lock_report = report
        self._unlike, self._agreeing, self._held = 0, True, dict(report.values)
        return dict(report.values)

    def _opened(self) -> Any:
        factory = self._import()
        full_wh = self._full_wh
        less_wh = (round(full_wh[0] * _SMALLER) // 2 * 2, round(full_wh[1] * _SMALLER) // 2 * 2)
        tries = [*((full_wh, buffers) for buffers in _BUFFER_COUNTS), (less_wh, _BUFFER_COUNTS[-1])]
        for self._wanted_wh, buffers in tries:
            try:
                device = _within(
                    lambda buffers=buffers: self._configured(factory, buffers),  # type: ignore[misc]
                    self._open_s,
                    lambda late: _Device(late).release(),
                )
            except CameraOutOfMemory as error:
                log.warning("no memory for %d camera buffers of %dx%d", buffers, *self._wanted_wh)
                short = error
            else:
                self.times_opened += 1
                self._unlike = 0
                self._device = device
                return _Device(device)
        raise short

    def _settable(self, device: Any) -> dict[str, object]:
        """The controls to configure, without those that this camera does not have: one of them would end it all."""
        wanted = {**self._controls, **camera_controls(self._held)}
        known = {*device.camera_controls}
        if "FrameDurationLimits" in known:
            known.add("FrameRate")
        missing = sorted(set(wanted) - known)
        if missing:
            log.warning("camera %d has no control %s; it is left as it is", self._number, ", ".join(missing))
        return {name: value for name, value in wanted.items() if name in known}

    def _sensor(self, device: Any) -> dict[str, Any]:
        """The mode of the sensor to ask for, where it tells of its modes."""
        try:
            mode = widest_mode(device.sensor_modes, self._wanted_wh)
        except Exception as error:  # a pipeline without a sensor of its own has no modes
            log.info("camera %d does not tell its sensor's modes: %s", self._number, error)
            return {}
        return {} if mode is None else {"sensor": mode}

    def _configured(self, factory: Callable[..., Any], buffers: int) -> Any:
        try:
            device = factory(self._number)
        except Exception as error:
            raise _named(error, self._number) from error
        try:
            wanted = device.create_video_configuration(
                main={"size": self._wanted_wh, "format": "RGB888"},
                buffer_count=buffers,
                controls=self._settable(device),
                display=None,
                encode=None,
                **self._sensor(device),
            )
            device.configure(wanted)
            given = device.camera_configuration()["main"]
            if tuple(given["size"]) != self._wanted_wh or given["format"] not in PIXEL_FORMATS:
                raise CameraFormatError(
                    f"camera {self._number} gives {given['format']} at {tuple(given['size'])}; asked for RGB888 at "
                    f"{self._wanted_wh}; choose a size that the sensor offers"
                )
            self._format = given["format"]
            device.start()
        except DeviceError:
            _bounded(device.close, _CLOSE_LIMIT_S)
            raise
        except Exception as error:
            _bounded(device.close, _CLOSE_LIMIT_S)
            raise _named(error, self._number) from error
        return device

    def _read_one(self, capture: Any, stop: threading.Event) -> None:
        request = self._request(capture.device, stop)
        if request is None:
            return
        try:
            metadata = request.get_metadata()
            array = request.make_array("main")
        except Exception as error:
            raise _named(error, self._number) from error
        finally:
            request.release()
        if stop.is_set():
            return
        image = bgr_from(array, self._format, self._wanted_wh)
        self._size_wh = self._wanted_wh
        self._sequence += 1
        now_ns = self._clock.now_ns()
        exposed_ns = exposure_start_from(metadata, now_ns, self._period_ns)
        self._watch_stamp(metadata, now_ns)
        self._watch_held(metadata)
        with self._came:
            self._shown = Shown(self._sequence, image, metadata)
            self._came.notify_all()
        self._slot.put(Frame(image, exposed_ns, self._sequence, self._source))

    def _watch_stamp(self, metadata: Mapping[str, Any], now_ns: int) -> None:
        """Find out at the first frame whether stamps are of the clock that buttons are stamped with."""
        if self.stamped != "not yet":
            return
        self.stamped = "monotonic" if is_of_clock(metadata.get("SensorTimestamp"), now_ns) else "unknown"
        if self.stamped == "unknown":
            log.warning(
                "%s stamps its frames %r while the monotonic clock shows %d ns: they cannot be compared with presses, "
                "so every frame is taken to be three frame periods old",
                self._source, metadata.get("SensorTimestamp"), now_ns,
            )  # fmt: skip

    def _watch_held(self, metadata: Mapping[str, Any]) -> None:
        """Read the locked values back from a frame."""
        held = self._held
        if not held:
            return
        wrong = disagreement(held, metadata)
        self._unlike = self._unlike + 1 if wrong else 0
        if wrong is None:
            self._agreeing = True
        elif self._unlike >= _HELD_WITHIN_FRAMES and self._agreeing is not False:
            self._agreeing = False
            log.warning("%s does not hold what was locked (%s); lock it again", self._source, wrong)

    def _request(self, device: Any, stop: threading.Event) -> Any:
        """The next request; None when the camera was closed meanwhile. Raises CameraTimeout when it hangs."""
        left_s = self._hang_s
        try:
            job = device.capture_request(wait=False)
            while not stop.is_set():
                slice_s = min(left_s, _SLICE_S)
                left_s -= slice_s
                try:
                    return device.wait(job, timeout=slice_s)
                except (TimeoutError, FutureTimeoutError):
                    if left_s <= 0:
                        raise
        except (TimeoutError, FutureTimeoutError) as error:
            raise CameraTimeout(
                f"{self._source} gave no frame for {self._hang_s:g} s; check the ribbon cable; it is opened again"
            ) from error
        except Exception as error:
            raise _named(error, self._number) from error
        return None


class _Adjusted:
    """A PiCamera for `locking.lock`."""

    def __init__(self, camera: PiCamera) -> None:
        self._camera = camera

    def advertised(self) -> Mapping[str, tuple[Any, Any, Any]]:
        known: Mapping[str, tuple[Any, Any, Any]] = self._camera._device.camera_controls
        return known

    def adjust(self, controls: Mapping[str, object]) -> None:
        try:
            self._camera._device.set_controls(dict(controls))
        except Exception as error:
            raise _named(error, self._camera._number) from error

    def shown_after(self, number: int, timeout_s: float) -> Shown:
        camera = self._camera
        with camera._came:
            camera._came.wait_for(lambda: camera._shown is not None and camera._shown.number > number, timeout_s)
            if camera._shown is None or camera._shown.number <= number:
                raise CameraTimeout(f"no new frame came within {timeout_s:.1f} s")
            return camera._shown


class _Device:
    """Lets the reader thread release a Picamera2 as it does a Capture."""

    def __init__(self, device: Any) -> None:
        self.device = device

    def release(self) -> None:
        def shut() -> None:
            self.device.stop()
            self.device.close()

        _bounded(shut, _CLOSE_LIMIT_S)
