"""`companion setup`: a table is set up step by step, by eye or by ear alone."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.errors import BadInput

if TYPE_CHECKING:
    from companion.settings import TableSettings
    from device.buttons.base import Buttons
    from device.cameras.base import Camera
    from device.clock import Clock
    from device.speaker import EspeakSpeaker

__all__ = ["camera_specs", "command", "usual_mains_hz"]

SIXTY_HERTZ: tuple[str, ...] = ("America/", "US/", "Canada/", "Asia/Seoul", "Asia/Taipei", "Asia/Manila", "Asia/Riyadh")
"""Beginnings of time zones whose mains have 60 Hz nearly everywhere."""
FIFTY_AMONG_THEM: tuple[str, ...] = (
    "America/Argentina", "America/Buenos_Aires", "America/Santiago", "America/Montevideo", "America/Asuncion",
    "America/La_Paz", "America/Jamaica", "America/Godthab", "America/Nuuk",
)  # fmt: skip
"""And those among them that have 50 Hz."""


@click.command(
    epilog='Example:  companion setup --seats "Ann:red,Ben:blue"\n\n'
    "          companion setup lock            that step alone, again\n\n"
    "          companion setup --camera usb:0 --language it"
)
@click.argument("steps", nargs=-1, metavar="[sound|camera|frame|lock|colours|buttons]...")
@click.option("--camera", metavar="pi|usb:N|file:PATH|folder:PATH|url:U|simulated", help="This camera and no other.")
@click.option("--buttons", type=click.Choice(["gpio", "input", "keyboard", "none"]), help="Where presses come from.")
@click.option("--seats", metavar="NAME:COLOUR,…", help="Players in seating order, with the colour of their dice.")
@click.option("--mains", type=click.Choice(["50", "60"]), help="Hertz of the mains. [default: by the time zone]")
@click.option("--game", default="lightning-dice", show_default=True, help="For the size of its table.")
@click.option("--language", help="Language of all that is said: en or it [default: as it was set up, else en].")
@click.option("--data", metavar="DIR", help="Where matches are kept [default: TABLETOP_DATA, else the user's own].")
@click.option("--silent", is_flag=True, help="Do not speak.")
def command(
    steps: tuple[str, ...],
    camera: str | None,
    buttons: str | None,
    seats: str | None,
    mains: str | None,
    game: str,
    language: str | None,
    data: str | None,
    silent: bool,
) -> None:
    """Set a table up: sound, camera, framing, light and focus, colours of dice, buttons. Each step can be done alone.

    Everything is shown and spoken. Enter goes on or leaves a thing out, s skips a step. What is set up is kept in
    table.toml of the data directory after every step, and companion table starts with it from then on.

    Exit status: 0 when every step was done, 1 when some were left out.
    """
    from companion.catalogue import Catalogue
    from companion.paths import data_directory
    from companion.settings import TableSettings, load_settings, save_settings
    from companion.setup.session import Session
    from companion.setup.steps import go_through
    from companion.setup.talk import Talk, TypedLines
    from device.buttons.input_device import KeyListener
    from device.cameras import open_camera
    from device.clock import SystemClock

    folder = data_directory(data)
    settings = load_settings(folder) or TableSettings()
    settings = _changed(settings, language, seats)
    try:
        catalogue = Catalogue(settings.language)
    except LookupError as error:
        raise BadInput(str(error)) from error
    clock = SystemClock()
    speaker = None if silent else _speaker(settings)
    talk = Talk(catalogue, TypedLines(sys.stdin), speaker=speaker, show=click.echo)

    def opened(spec: str, locked: Mapping[str, float]) -> Camera:
        return open_camera(spec, clock, controls=locked or None)

    session = Session(
        settings=settings,
        talk=talk,
        clock=clock,
        directory=folder,
        open_camera=opened,
        camera_specs=camera_specs(),
        buttons=lambda source: _buttons(source, clock),
        listener=KeyListener,
        board_has_pins=bool(list(Path("/dev").glob("gpiochip*"))),
        mains_hz=int(mains) if mains else _kept_mains(settings) or usual_mains_hz(),
        wanted_camera=camera,
        wanted_buttons=buttons,
        table_size_mm=_table_size_mm(game),
    )
    try:
        left_out = go_through(session, steps, lambda kept: save_settings(folder, kept))
        if left_out:
            names = catalogue.listed(catalogue.text(f"setup.name.{each}") for each in left_out)
            talk.say("setup.left-out", steps=names)
        else:
            talk.say("setup.done")
        talk.listen_out()
    finally:
        if speaker is not None:
            speaker.close()
    if left_out:
        raise click.exceptions.Exit(1)


def _changed(settings: TableSettings, language: str | None, seats: str | None) -> TableSettings:
    """The settings with the language and seats of the command line."""
    import msgspec

    from companion.live.opening import parse_seats
    from companion.settings import SeatSettings

    if language is not None:
        settings = msgspec.structs.replace(settings, language=language)
    if seats is not None:
        named = tuple(SeatSettings(name=each.name, colour=each.colour) for each in parse_seats(seats))
        settings = msgspec.structs.replace(settings, seat=named)
    return settings


def _kept_mains(settings: TableSettings) -> int | None:
    return None if settings.camera is None else settings.camera.mains_hz


def _speaker(settings: TableSettings) -> EspeakSpeaker | None:
    """The voice of this machine, as fast as it was set up; None when it has none."""
    from companion.settings import Sound
    from device.speaker import EspeakSpeaker

    sound = settings.sound or Sound()
    speaker = EspeakSpeaker(words_per_minute=sound.words_per_minute, volume_percent=sound.volume_percent)
    if speaker.available:
        return speaker
    speaker.close()
    return None


def _buttons(source: str, clock: Clock) -> Buttons | None:
    """Buttons that can be tried one by one; None for those of the keyboard, whose lines are read here, and for none."""
    if source != "gpio":
        return None
    from device.buttons.gpio import GpioButtons
    from device.pins import load_pins

    return GpioButtons(clock, load_pins().buttons)


def _table_size_mm(game: str) -> tuple[float, float]:
    """Between the centres of the corner markers, in mm, as the table of a game expects them."""
    from companion.mats import mat_of_game
    from rules.games import game_named

    return mat_of_game(game_named(game).name).table_size_mm


def camera_specs(devices: Path = Path("/dev"), library: bool | None = None) -> tuple[str, ...]:
    """The cameras that there may be: the one on the ribbon cable where its library is installed, then webcams.

    The nodes of a Raspberry Pi's own camera pipeline, from 10 up, are no webcams.
    """
    if library is None:
        from importlib.util import find_spec

        library = find_spec("picamera2") is not None
    numbers = sorted(
        int(path.name.removeprefix("video"))
        for path in devices.glob("video*")
        if path.name.removeprefix("video").isdecimal()
    )
    return (*(("pi",) if library else ()), *(f"usb:{number}" for number in numbers if number < 10))


def usual_mains_hz(zone: str | None = None) -> int:
    """Hertz of the mains where this machine's clock is set to."""
    if zone is None:
        place = Path("/etc/localtime").resolve()
        zone = str(place).partition("zoneinfo/")[2]
    sixty = zone.startswith(SIXTY_HERTZ) and not zone.startswith(FIFTY_AMONG_THEM)
    return 60 if sixty else 50
