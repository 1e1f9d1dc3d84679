"""All checks in their order: what each needs to know is gathered once, and one that breaks never stops the others."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Final

from companion.doctor import checks, machine, picture_checks
from companion.doctor.findings import Finding, Level, found
from companion.doctor.look import Look, NotAsked
from companion.doctor.probes import Probes
from companion.errors import BadInput
from companion.settings import TableSettings, load_settings
from device.errors import ButtonPinError

__all__ = ["CHECKS", "PICTURE_CHECKS", "Examination"]

log = logging.getLogger(__name__)

PICTURE_CHECKS: Final = ("focus", "exposure", "banding", "markers", "dice", "light")
"""Those that need frames of the table."""


class Examination:
    """Examines this machine and the table in front of it.

    Facts are gathered when the first check asks for them, and kept. `pins` gives the BCM number of each pin in use with
    what it is for; `look` takes frames of the table.
    """

    def __init__(
        self, probes: Probes, folder: Path, *, pins: Callable[[], Mapping[int, str]], look: Callable[[], Look | None]
    ) -> None:
        self._probes = probes
        self._folder = folder
        self._pins = pins
        self._take_look = look

    def findings(self, only: Collection[str] = ()) -> Iterator[Finding]:
        """What the checks find, one after another; those of `only`, or all.

        Raises:
            BadInput: `only` names a check that there is not.
        """
        unknown = sorted(set(only) - CHECKS.keys())
        if unknown:
            raise BadInput(f"There is no check {unknown[0]!r}; expected one of: {', '.join(CHECKS)}.")
        for name, check in CHECKS.items():
            if only and name not in only:
                continue
            try:
                yield check(self)
            except NotAsked:
                yield found(name, Level.UNKNOWN, "no-picture")
            except Exception as error:
                log.exception("the check %s", name)
                yield found(name, Level.UNKNOWN, "broke", problem=f"{type(error).__name__}: {error}")

    @cached_property
    def board(self) -> machine.Board:
        """The computer."""
        return machine.board_of(self._probes)

    @cached_property
    def settings(self) -> TableSettings | None:
        """The set-up that is kept; None when there is none. Raises BadInput for one that is not understood."""
        return load_settings(self._folder)

    @cached_property
    def look(self) -> Look:
        """Frames of the table. Raises NotAsked when there is no camera to look through."""
        look = self._take_look()
        if look is None:
            raise NotAsked
        return look

    def _settings(self) -> Finding:
        try:
            kept = self.settings
        except BadInput as error:
            return found("settings", Level.FAULT, "broken", problem=str(error))
        if kept is None:
            return found("settings", Level.NOTE, "none")
        parts = {"camera": kept.camera, "buttons": kept.buttons, "sound": kept.sound}
        lacking = [name for name, part in parts.items() if part is None]
        if lacking:
            return found("settings", Level.NOTE, "partial", step=lacking[0])
        return found("settings", Level.OK, "ok")

    def _groups(self) -> Finding:
        return checks.groups(machine.access_of(self._probes))

    def _pins_found(self) -> Finding:
        try:
            used = self._pins()
        except ButtonPinError as error:
            return found("pins", Level.FAULT, "map", problem=str(error))
        return checks.pins(used, machine.buses_of(self._probes))

    def _pin_backend(self) -> Finding:
        try:
            kept = self.settings
        except BadInput:
            kept = None
        wanted = kept is not None and kept.buttons is not None and kept.buttons.source == "gpio"
        return checks.pin_backend(machine.pin_library_of(self._probes, self._folder), self.board, wanted=wanted)

    def _disk(self) -> Finding:
        return checks.disk(self._probes.disk(self._folder), str(self._folder))

    def _camera(self) -> Finding:
        try:
            return picture_checks.camera(self.look.camera)
        except NotAsked:
            return found("camera", Level.NOTE, "none")

    def _markers(self) -> Finding:
        return picture_checks.markers(self.look.picture, drawn=self.look.corners_drawn)


CHECKS: Final[dict[str, Callable[[Examination], Finding]]] = {
    "board": lambda e: checks.board(e.board),
    "kernel": lambda e: checks.kernel(e.board),
    "versions": lambda e: checks.versions(machine.versions_of(e._probes), e.board),
    "groups": Examination._groups,
    "pins": Examination._pins_found,
    "pin-backend": Examination._pin_backend,
    "memory": lambda e: checks.memory(machine.memory_of(e._probes), e.board),
    "temperature": lambda e: checks.temperature(machine.warmth_of(e._probes)),
    "clock": lambda e: checks.clock(machine.clock_of(e._probes)),
    "disk": Examination._disk,
    "database": lambda e: checks.database(machine.database_of(e._folder)),
    "speaker": lambda e: checks.sound(machine.sound_of(e._probes)),
    "settings": Examination._settings,
    "camera": Examination._camera,
    "focus": lambda e: picture_checks.focus(e.look.picture, e.look.camera),
    "exposure": lambda e: picture_checks.exposure(e.look.picture, e.look.camera),
    "banding": lambda e: picture_checks.banding(e.look.picture),
    "markers": Examination._markers,
    "dice": lambda e: picture_checks.dice(e.look.picture),
    "light": lambda e: picture_checks.light(e.look.picture),
}
"""Name to check, in the order in which they are told."""
