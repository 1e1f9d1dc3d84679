"""Read dice through PiCamera from a real picamera2 over libcamera's virtual pipeline; exit status 1 on any fault."""

from __future__ import annotations

import json
import subprocess
import sys
import time
import types
from collections import Counter
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from device.cameras.pi import PiCamera
from device.clock import ManualClock, SystemClock
from device.errors import CameraLockError
from device.simulated import SimulatedTable

PICTURES = 6
FRAMES = 48

faults: list[str] = []


def check(good: bool, what: str) -> None:
    """Print one line, and remember a fault."""
    print(f"{'ok   ' if good else 'FAULT'} {what}", flush=True)
    if not good:
        faults.append(what)


def rendered(folder: Path) -> list[tuple[np.ndarray, list[int]]]:
    """Six pictures of a table with two seats' dice, written for the pipeline, each with the values that lie there."""
    made = []
    for number in range(PICTURES):
        clock = ManualClock()
        table = SimulatedTable(clock, seats=2, seed=40 + number)
        for seat in (1, 2):
            clock.advance_to(table.throw(seat))
        values = sorted(value for seat in table.truth().values() for value in seat if value)
        image = table.frame().image_bgr
        cv2.imwrite(str(folder / f"{number:03}.jpg"), image, [cv2.IMWRITE_JPEG_QUALITY, 95])
        made.append((image, values))
    return made


def virtual_camera(number: int) -> Any:
    """A Picamera2 with the two changes that the virtual pipeline needs: it has no raw formats, and other buffers."""
    # picamera2 imports this for its preview windows, which are not used; only Raspberry Pi OS has it.
    kms = types.ModuleType("kms")
    kms.PixelFormats = type("PixelFormats", (), {"__getattr__": lambda self, name: 0})()  # type: ignore[attr-defined]
    sys.modules.setdefault("kms", kms)
    import libcamera
    from picamera2 import Picamera2
    from picamera2.allocators import LibcameraAllocator

    class Virtual(Picamera2):  # type: ignore[misc]
        def _get_raw_modes(self) -> list[dict[str, Any]]:
            formats = self.camera.generate_configuration([libcamera.StreamRole.Viewfinder]).at(0).formats
            return [
                {"format": str(each), "size": (size.width, size.height)}
                for each in formats.pixel_formats
                for size in formats.sizes(each)
            ]

    camera = Virtual(number, allocator=object())
    camera.allocator = LibcameraAllocator(camera.camera)
    return camera


def nearest(image: np.ndarray, pictures: list[tuple[np.ndarray, list[int]]]) -> tuple[int, float]:
    """Which picture a frame shows, and its mean difference in grey levels."""
    few = image[::4, ::4].astype(np.int16)
    gaps = [float(np.abs(few - picture[::4, ::4]).mean()) for picture, _ in pictures]
    return int(np.argmin(gaps)), min(gaps)


def main() -> None:
    """All checks, in order."""
    from vision.reader import TableReader

    folder = Path(sys.argv[1])
    pictures = rendered(folder)
    reader = TableReader()
    clock = SystemClock()
    camera = PiCamera(clock, import_picamera2=lambda: virtual_camera)
    with camera:
        print(camera.describe())
        seen: set[int] = set()
        gaps, found, invented, unlike, ages_ms = [], 0, 0, 0, []
        last_ns = 0
        in_order = True
        began = time.monotonic()
        for _ in range(FRAMES):
            frame = camera.latest(exposed_after_ns=last_ns + 1, timeout_s=5)
            ages_ms.append((clock.now_ns() - frame.exposure_start_ns) / 1e6)
            in_order = in_order and frame.exposure_start_ns > last_ns
            last_ns = frame.exposure_start_ns
            which, gap = nearest(frame.image_bgr, pictures)
            gaps.append(gap)
            if which in seen:
                continue
            seen.add(which)
            picture, truth = pictures[which]
            values = Counter(die.value for die in reader.read(frame.image_bgr).dice)
            found += sum((values & Counter(truth)).values())
            invented += sum((values - Counter(truth) - Counter({None: values[None]})).values())
            unlike += values != Counter(die.value for die in reader.read(picture).dice)
        fps = FRAMES / (time.monotonic() - began)
        lying = sum(len(truth) for _, truth in pictures)
        check("NV12" in camera.describe(), "NV12 is given where RGB888 was asked for, and taken")
        check(max(gaps) < 6, f"frames are the pictures in their colours: {max(gaps):.1f} levels apart at most")
        check(len(seen) == PICTURES, f"all {PICTURES} pictures came by; {fps:.0f} frames a second looked at")
        check(found >= 0.95 * lying, f"{found} of {lying} dice read")
        check(not invented, f"{invented} values read that do not lie there")
        check(not unlike, f"{unlike} pictures read otherwise through the camera than from the file")
        check(in_order, "exposures begin one after another")
        check(camera.stamped == "monotonic", f"stamps are of the monotonic clock ({camera.stamped})")
        check(max(ages_ms) < 1000, f"frames are {min(ages_ms):.1f} to {max(ages_ms):.1f} ms old when they are had")
        try:
            camera.lock(3.0)
        except CameraLockError as error:
            check("exposure" in str(error), f"a camera that cannot be locked says so: {error}")
        else:
            check(False, "a camera without exposure was taken for locked")
    first = camera.times_opened
    with camera:
        frame = camera.latest(timeout_s=5)
        check(frame.size_wh == (1280, 720) and camera.times_opened == first + 1, "closed, and opened again")
    told = subprocess.run(
        [sys.executable, "-m", "tests.device.record_picamera2"], capture_output=True, text=True, check=True
    )
    real, kept = json.loads(told.stdout), json.loads(Path("tests/device/picamera2.json").read_text(encoding="utf-8"))
    unlike = [
        f"{kind}.{name}"
        for kind in ("Picamera2", "CompletedRequest")
        for name in sorted({*real[kind], *kept[kind]})
        if real[kind].get(name) != kept[kind].get(name)
    ]
    check(not unlike, f"the kept record is the interface of picamera2 {real['version']} {' '.join(unlike)}")
    print(f"{len(faults)} faults")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
