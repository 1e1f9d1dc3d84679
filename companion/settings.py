"""How a table is set up, in one readable file: written by `companion setup`, read by `companion table` and `doctor`."""

from __future__ import annotations

import json
import tomllib
from math import isfinite
from pathlib import Path
from typing import Annotated, Final, Literal

import msgspec

from companion.errors import BadInput, StoreFailed
from companion.lock import write_durably

__all__ = [
    "SETTINGS_NAME",
    "Buttons",
    "CameraSettings",
    "Corners",
    "SeatSettings",
    "Sound",
    "TableSettings",
    "load_settings",
    "save_settings",
    "settings_text",
]

SETTINGS_NAME: Final = "table.toml"
"""Beside the record of matches, in the data directory."""
VERSION: Final = 1


class CameraSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The camera of the table.

    `spec` as for `companion table --camera`; `mains_hz` of the lamps; `locked` what the camera is held to, by the
    names of libcamera's controls (ExposureTime in µs, AnalogueGain, ColourGainRed, ColourGainBlue, LensPosition in
    dioptres); empty: the camera decides by itself.
    """

    spec: str
    mains_hz: Literal[50, 60] | None = None
    locked: dict[str, float] = {}


class Corners(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Corners of the table that were shown instead of marked: far left, far right, near right, near left, in px of a
    picture of `picture_wh`."""

    at_px: tuple[tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float]]
    picture_wh: tuple[int, int]


class SeatSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Who sits where, in seating order, with the colour of the dice."""

    name: str
    colour: str


class Buttons(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Where presses come from, as for `companion table --buttons`, and which of them were tried: "3 claim".

    `keys` is the key map of input devices, `pins` a pin map other than the one that comes along: files.
    """

    source: str = "none"
    tried: tuple[str, ...] = ()
    keys: str | None = None
    pins: str | None = None


class Sound(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Whether this machine speaks, how fast, in words a minute, and how loud, in percent of the usual (0 to 200)."""

    speak: bool = True
    words_per_minute: int = 165
    volume_percent: Annotated[int, msgspec.Meta(ge=0, le=200)] = 100


class TableSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """All of a table's set-up. What was not set up yet is None."""

    version: int = VERSION
    language: str = "en"
    camera: CameraSettings | None = None
    corners: Corners | None = None
    seat: tuple[SeatSettings, ...] = ()
    buttons: Buttons | None = None
    sound: Sound | None = None

    @property
    def seats(self) -> str | None:
        """The seats as `companion table --seats` takes them; None when nobody was named."""
        return ",".join(f"{each.name}:{each.colour}" for each in self.seat) or None


def load_settings(directory: Path) -> TableSettings | None:
    """The set-up kept in a data directory; None when nothing was set up.

    Raises:
        BadInput: the file cannot be read or understood; the message names the line or the entry.
    """
    path = directory / SETTINGS_NAME
    advice = "Put it right, or delete it and run: companion setup"
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        settings = msgspec.convert(data, TableSettings)
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"The set-up {path} cannot be read ({error}). {advice}") from error
    except tomllib.TOMLDecodeError as error:
        raise BadInput(f"The set-up {path} is no TOML: {error}. {advice}") from error
    except msgspec.ValidationError as error:
        raise BadInput(f"The set-up {path} is not understood: {error}. {advice}") from error
    if settings.version > VERSION:
        raise BadInput(f"The set-up {path} was written by a newer release (version {settings.version}). {advice}")
    for corner in () if settings.corners is None else settings.corners.at_px:
        if not all(isfinite(each) for each in corner):
            raise BadInput(f"The set-up {path} has a corner at {corner}; expected two numbers in px. {advice}")
    return settings


def save_settings(directory: Path, settings: TableSettings) -> Path:
    """Keep a set-up so that it survives a power cut; the file written.

    Raises:
        StoreFailed: it cannot be written.
    """
    try:
        return write_durably(directory, SETTINGS_NAME, settings_text(settings).encode())
    except OSError as error:
        raise StoreFailed(
            f"The set-up cannot be kept in {directory} ({error.strerror}); expected a folder that this user may "
            "write. Choose another with --data DIRECTORY."
        ) from error


def settings_text(settings: TableSettings) -> str:
    """The file, with a remark at each part; `load_settings` gives the same settings back."""
    lines = [
        "# How this table is set up. Written by `companion setup`, read by `companion table`; may be edited by hand.",
        f"version = {settings.version}",
        f"language = {_text(settings.language)}",
    ]
    camera = settings.camera
    if camera is not None:
        lines += ["", "[camera]", f"spec = {_text(camera.spec)}"]
        if camera.mains_hz is not None:
            lines.append(f"mains_hz = {camera.mains_hz}  # of the lamps: the exposure is a multiple of their flashes")
        if camera.locked:
            lines += ["", "[camera.locked]  # take this part out, and the camera decides by itself again"]
            lines += [f"{name} = {value!r}" for name, value in sorted(camera.locked.items())]
    if settings.corners is not None:
        places = ", ".join(f"[{x!r}, {y!r}]" for x, y in settings.corners.at_px)
        width, height = settings.corners.picture_wh
        lines += ["", "[corners]  # shown, for a table without corner markers; far left, then clockwise, in px"]
        lines += [f"at_px = [{places}]", f"picture_wh = [{width}, {height}]"]
    for seat in settings.seat:
        lines += ["", "[[seat]]", f"name = {_text(seat.name)}", f"colour = {_text(seat.colour)}"]
    if settings.buttons is not None:
        tried = ", ".join(_text(each) for each in settings.buttons.tried)
        lines += ["", "[buttons]", f"source = {_text(settings.buttons.source)}", f"tried = [{tried}]"]
        files = {"keys": settings.buttons.keys, "pins": settings.buttons.pins}
        lines += [f"{name} = {_text(path)}" for name, path in files.items() if path is not None]
    if settings.sound is not None:
        speak = "true" if settings.sound.speak else "false"
        lines += ["", "[sound]", f"speak = {speak}", f"words_per_minute = {settings.sound.words_per_minute}"]
        lines.append(f"volume_percent = {settings.sound.volume_percent}")
    return "\n".join(lines) + "\n"


def _text(value: str) -> str:
    """A TOML basic string: JSON's escapes are among TOML's, but for the one that TOML alone forbids."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
