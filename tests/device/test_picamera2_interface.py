"""The stand-in for picamera2 has the real one's interface: that of a kept record, and of the installed one if any."""

from __future__ import annotations

import importlib.util
import inspect
import json
import subprocess
import sys
from pathlib import Path

import pytest

from device.cameras.pi import PiCamera
from device.clock import SystemClock
from tests.device.fakes import FakePicamera2, FakeRequest, PiWorld, picture

HERE = Path(__file__).parent
RECORD = json.loads((HERE / "picamera2.json").read_text(encoding="utf-8"))
FAKES = {"Picamera2": FakePicamera2, "CompletedRequest": FakeRequest}
OURS = {"world"}
"""What tests hand to the stand-in besides."""


def interface(made):
    """Public methods and properties as the record has them; what a test alone calls is marked by its name."""
    found = {}
    for name, member in vars(made).items():
        if isinstance(member, property):
            found[name] = "property"
        elif inspect.isfunction(member) and (not name.startswith("_") or name == "__init__"):
            parameters = list(inspect.signature(member).parameters.values())[1:]
            found[name] = [p.name if p.default is p.empty else f"{p.name}=" for p in parameters if p.name not in OURS]
    return found


@pytest.mark.parametrize("kind", ["Picamera2", "CompletedRequest"])
def test_the_stand_in_has_the_interface_of_the_record(kind):
    mine = interface(FAKES[kind])
    mine.pop("emit", None)  # how a test makes a frame
    if kind == "CompletedRequest":
        mine.pop("__init__")  # made by the camera, not by us
    assert len(mine) >= 4
    assert mine == {name: RECORD[kind].get(name) for name in mine}


@pytest.mark.skipif(importlib.util.find_spec("picamera2") is None, reason="picamera2 is not installed here")
def test_the_installed_library_still_has_what_is_called():
    code = "import json; from tests.device.record_picamera2 import recorded; print(json.dumps(recorded()))"
    told = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=HERE.parent.parent
    )
    real = json.loads(told.stdout)
    for kind, fake in FAKES.items():
        for name in set(interface(fake)) & set(RECORD[kind]) - {"__init__"}:
            assert real[kind].get(name) == RECORD[kind][name], f"{kind}.{name} of picamera2 {real['version']}"


def test_requests_are_given_back_so_that_buffers_never_run_out():
    """Four buffers, a hundred frames, a reader that takes none of them: a held request would starve the camera."""
    world = PiWorld()
    with PiCamera(SystemClock(), import_picamera2=lambda: world.make, size_wh=(64, 48), hang_s=30) as camera:
        for number in range(100):
            assert world.emit(picture(number), {})
        camera.latest(timeout_s=10)
        assert world.camera.config["buffer_count"] == 4
    assert world.starved == 0
    assert world.most_held <= 1


def test_the_stand_in_does_starve_when_requests_are_held():
    """The near miss: without giving back, the fifth of four buffers never comes."""
    world = PiWorld()
    camera = world.make()
    camera.configure(camera.create_video_configuration(main={"size": (64, 48)}, buffer_count=4))
    camera.start()
    held = []
    for _ in range(4):
        job = camera.capture_request(wait=False)
        assert camera.emit(picture(), {})
        held.append(camera.wait(job, timeout=1))
    job = camera.capture_request(wait=False)
    assert not camera.emit(picture(), {})
    held.pop().release()
    assert camera.emit(picture(), {})
    camera.wait(job, timeout=1).release()
