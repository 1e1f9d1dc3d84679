"""The scripts of the hardware folder, which is no package, as modules."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

REPOSITORY = Path(__file__).resolve().parents[2]
HARDWARE = REPOSITORY / "hardware"


def script(path: str) -> ModuleType:
    """The script at this path of the hardware folder."""
    name = "hardware_" + Path(path).stem
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, HARDWARE / path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
    return sys.modules[name]
