"""Prints the interface of the installed picamera2 as JSON: the record that the stand-in is compared with.

Where libcamera and the other hardware modules are missing they are mocked, which leaves the signatures as they are:

    pip install --no-deps --target somewhere picamera2==0.3.38
    PYTHONPATH=somewhere python -m tests.device.record_picamera2 > tests/device/picamera2.json
"""

from __future__ import annotations

import importlib
import inspect
import json
import sys
from unittest.mock import MagicMock

HARDWARE_MODULES = (
    "libcamera", "kms", "pykms", "prctl", "av", "pidng", "pidng.core", "pidng.camdefs", "pidng.defs", "OpenEXR",
    "videodev2", "piexif", "libarchive", "simplejpeg", "jsonschema", "tqdm", "PIL",
)  # fmt: skip


def recorded():
    """{"version": …, "Picamera2": {method: [parameter, "one with a default=", …]}, "CompletedRequest": {…}}."""
    for name in HARDWARE_MODULES:
        try:
            importlib.import_module(name)
        except Exception:
            sys.modules[name] = MagicMock(name=name)
    from importlib.metadata import version

    picamera2 = importlib.import_module("picamera2")
    request = importlib.import_module("picamera2.request")
    kinds = {"Picamera2": picamera2.Picamera2, "CompletedRequest": request.CompletedRequest}
    found = {"version": version("picamera2")}
    for kind, made in kinds.items():
        found[kind] = {}
        for name in sorted(dir(made)):
            member = inspect.getattr_static(made, name)
            if name.startswith("_") and name != "__init__":
                continue
            if isinstance(member, property):
                found[kind][name] = "property"
            elif inspect.isfunction(member):
                parameters = list(inspect.signature(member).parameters.values())[1:]
                found[kind][name] = [p.name if p.default is p.empty else f"{p.name}=" for p in parameters]
    return found


if __name__ == "__main__":
    lines = json.dumps(recorded(), sort_keys=True).replace("], ", "],\n ").replace("}, ", "},\n")
    print(lines)
