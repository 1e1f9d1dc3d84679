"""What `companion table` takes from the set-up, where the command line does not say otherwise."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from companion.errors import BadInput
from companion.settings import Corners, Sound, TableSettings, load_settings

__all__ = ["Kept", "checked_nooks", "kept_for"]


@dataclass(frozen=True, slots=True)
class Kept:
    """The choices of a start: those of the command line, for the rest those of the set-up.

    `locked` and `corners` are the camera's, and hold only for the very camera that was set up.
    """

    camera: str
    buttons: str
    language: str
    seats: str | None
    silent: bool
    words_per_minute: int = Sound().words_per_minute
    volume_percent: int = Sound().volume_percent
    locked: Mapping[str, float] = field(default_factory=dict)
    corners: Corners | None = None
    keys: Path | None = None
    pins: Path | None = None


def kept_for(ctx: click.Context, folder: Path) -> Kept:
    """The choices of the command in `ctx`, completed by the set-up of a data directory.

    A simulated table, asked for by name, has players and buttons of its own; only language and voice are taken then.

    Raises:
        BadInput: the set-up cannot be understood.
    """
    settings = load_settings(folder) or TableSettings()

    def chosen(name: str, kept: Any) -> Any:
        """The option of the command line; the kept value when it was not given and something is kept."""
        given = ctx.get_parameter_source(name) is not ParameterSource.DEFAULT
        return ctx.params[name] if given or kept is None else kept

    camera = chosen("camera", None if settings.camera is None else settings.camera.spec)
    sound = settings.sound
    real = camera != "simulated"
    buttons = settings.buttons if real else None
    same = settings.camera is not None and settings.camera.spec == camera
    return Kept(
        camera=camera,
        buttons=chosen("buttons", None if buttons is None else buttons.source),
        language=chosen("language", settings.language),
        seats=chosen("seats", settings.seats if real else None),
        silent=chosen("silent", None if sound is None else not sound.speak),
        words_per_minute=(sound or Sound()).words_per_minute,
        volume_percent=(sound or Sound()).volume_percent,
        locked=settings.camera.locked if same and settings.camera is not None else {},
        corners=settings.corners if same else None,
        keys=_path(chosen("keys", None if buttons is None else buttons.keys)),
        pins=_path(chosen("pins", None if buttons is None else buttons.pins)),
    )


def _path(given: Path | str | None) -> Path | None:
    return None if given is None else Path(given)


def checked_nooks(nooks: Mapping[int, Any], kept: Kept) -> None:
    """Refuse nooks on a table whose corners were shown.

    Raises:
        BadInput: nothing would tell that the camera was moved, and a hidden card could be seen by all.
    """
    if nooks and kept.corners is not None:
        raise BadInput(
            "A nook needs corner markers: they alone tell that the camera was not moved, so that the hidden card stays "
            "hidden. Lay the markers out (companion print markers) and run: companion setup frame"
        )
