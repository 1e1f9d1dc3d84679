"""`companion table`: the main job. Watches a table, referees the match on it and serves the dashboard."""

from __future__ import annotations

import errno
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from companion.controls import BUTTON_SOURCES
from companion.errors import BadInput

if TYPE_CHECKING:
    from companion.catalogue import Catalogue
    from companion.commands.kept import Kept
    from companion.evidence.keeper import EvidenceKeeper
    from companion.hub import Hub
    from companion.live.areas import Rect
    from companion.live.opening import Wanted
    from companion.live.table import LiveTable
    from companion.web.server import WebServer
    from device.buttons.base import Press
    from device.clock import Clock
    from device.speaker import EspeakSpeaker

__all__ = ["command"]

DEFAULT_PORT = 8080
SPARE_PORTS = 10


@click.command(
    epilog='Example:  companion table --camera usb:0 --seats "Ann:red,Ben:blue" --port 8000\n\n'
    "          companion table                       a simulated table with players, all read from pixels\n\n"
    "          companion table --game thunder-and-lightning --camera usb:0 --nook 1:60,20,150,150\n\n"
    "A nook is a shielded part of the table where one player shows a card to the camera alone: it is painted over in "
    "every picture, and only that seat can ask what lies there. Its place is in mm from the marker far left to the "
    "right, then towards the camera."
)
@click.option("--game", default="lightning-dice", show_default=True, help="The game to referee.")
@click.option(
    "--camera",
    default="simulated",
    show_default=True,
    metavar="pi|usb:N|file:PATH|folder:PATH|url:U|simulated|none",
    help="What watches the table; none: dice and cards are typed in.",
)
@click.option("--port", type=click.IntRange(0, 65535), help=f"Port of the page [default: {DEFAULT_PORT} or the next]")
@click.option("--host", default="0.0.0.0", show_default=True, help="Address to serve on; 127.0.0.1 for this machine.")
@click.option("--seats", metavar="NAME:COLOUR,…", help="Players in seating order, with the colour of their dice.")
@click.option("--mode", type=click.Choice(["standard", "quick", "tournament", "quick-tournament"]), help="How to play.")
@click.option("--judge", metavar="NAME", help="The judge, no player; a tournament needs one, else the group corrects.")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the match; repeatable.")
@click.option("--pack", type=click.Path(path_type=Path), metavar="FILE", help="Component pack of your own box.")
@click.option(
    "--buttons",
    type=click.Choice(BUTTON_SOURCES),
    default="none",
    show_default=True,
    help="Buttons beside those on phones: pins of a Pi with their lamps, input devices (arcade encoders, foot "
    "switches, any key of a keyboard; see --keys), or keys 1-6 and q-y of this terminal.",
)
@click.option("--pins", type=click.Path(path_type=Path), metavar="FILE", help="Pin map of your own: companion pins.")
@click.option("--keys", type=click.Path(path_type=Path), metavar="FILE", help="Key map: companion pins --listen.")
@click.option(
    "--steady-ms",
    type=click.IntRange(0, 5000),
    metavar="MS",
    help="For unsteady hands: a button pressed again within so long counts once.",
)
@click.option(
    "--nook",
    "nooks",
    multiple=True,
    metavar="SEAT:X,Y,W,H",
    help="Shielded place, in mm, where the camera reads a card for that seat alone; repeatable.",
)
@click.option("--language", default="en", show_default=True, help="Language of pages and speech: en or it.")
@click.option("--data", metavar="DIR", help="Where matches are kept [default: TABLETOP_DATA, else the user's own].")
@click.option("--evidence-mb", type=float, metavar="MB", help="Most that all kept pictures may take [default: 1000].")
@click.option("--new", "fresh", is_flag=True, help="Begin a new match even when one is unfinished.")
@click.option("--silent", is_flag=True, help="Do not speak on this machine.")
@click.option("--fps", type=click.FloatRange(1, 60), default=15.0, hidden=True)
@click.option("--seed", type=int, hidden=True)
@click.option("--no-players", is_flag=True, hidden=True, help="Leave the simulated table alone.")
@click.pass_context
def command(
    ctx: click.Context,
    game: str,
    camera: str,
    port: int | None,
    host: str,
    seats: str | None,
    mode: str | None,
    judge: str | None,
    options: tuple[str, ...],
    pack: Path | None,
    buttons: str,
    pins: Path | None,
    keys: Path | None,
    steady_ms: int | None,
    nooks: tuple[str, ...],
    language: str,
    data: str | None,
    evidence_mb: float | None,
    fresh: bool,
    silent: bool,
    fps: float,
    seed: int | None,
    no_players: bool,
) -> None:
    """Watch a table, referee the match on it and show it on a page.

    Camera, seats, buttons and voice are those of the set-up (companion setup), where there is one. Without it and
    without options a simulated table with players, who play a tournament and do not always mind its rules, is watched
    through a rendered camera. An unfinished match of the data directory goes on. Needs nothing but this machine; ends
    with Ctrl-C, and nothing that was acknowledged is lost however it ends.
    """
    from companion.commands.kept import checked_nooks, kept_for
    from companion.commands.words import remarks_on
    from companion.controls import TroubleTeller, answer, listen, pressing
    from companion.evidence.archive import Archive
    from companion.evidence.keeper import EvidenceKeeper
    from companion.hub import Hub
    from companion.live.opening import ROLE_SEATS, Wanted, open_match, parse_nooks, parse_options, parse_seats
    from companion.live.table import LiveTable
    from companion.paths import data_directory
    from companion.service import Pulse, Service
    from companion.store import Store
    from device.clock import SystemClock
    from device.pins import load_pins
    from rules.packs import load_toml

    kept = kept_for(ctx, data_directory(data))
    camera, seats = kept.camera, kept.seats
    chosen = parse_options(options)
    if mode is not None:
        chosen["mode"] = mode
    elif camera == "simulated" and game == "lightning-dice" and "mode" not in chosen and not no_players:
        chosen["mode"] = "tournament"  # shows all there is: the judge, infractions, evidence
    if chosen.get("mode") in ("tournament", "quick-tournament") and judge is None:
        if camera != "simulated":
            raise BadInput("A tournament needs a judge who is not a player; name one with --judge NAME.")
        judge = "Judge"
    if camera not in ("simulated", "none"):
        _check_camera(camera)
    plan = load_pins(kept.pins) if kept.buttons == "gpio" else None
    simulated = camera == "simulated"
    shielded = parse_nooks(nooks)
    checked_nooks(shielded, kept)
    if seats is None and not simulated and game not in ROLE_SEATS:
        seats = "Ann:red,Ben:blue"
        click.echo('No --seats given: playing Ann (red) against Ben (blue). Try --seats "Name:colour,Name:colour".')
    wanted = Wanted(
        game=game,
        seats=None if seats is None else parse_seats(seats),
        options=chosen,
        pack=None if pack is None else load_toml(pack),
        judge=judge,
        simulated=simulated,
        fresh=fresh,
    )
    clock = SystemClock()
    hub = Hub()
    with _end_on_signals() as ended, Store(data_directory(data)) as store:
        stored, notices = open_match(store, wanted)
        nobody = sorted(set(shielded) - {seat.number for seat in stored.match.header.seats})
        if nobody:
            raise BadInput(f"A nook is given for seat {nobody[0]}, and nobody sits there.")
        remarks = remarks_on(stored.match.header, kept.language)
        for text in [*store.reports, *notices, *([stored.report] if stored.report else []), *remarks]:
            click.echo(f"Note: {text}", err=True)
        keeper = EvidenceKeeper(Archive(store), clock)
        with (
            closing(keeper),  # after the table, which files what is held back when it closes
            LiveTable(store, stored, clock=clock, publish=hub.publish, simulated=simulated, notices=notices) as table,
        ):
            keeper.watch(table)
            if evidence_mb is not None:
                _cap(keeper, round(evidence_mb * 1e6))
            keeper.start()
            catalogue, speaker = _voice(table, hub, kept)
            press = pressing(table, steady_ms)
            server = _serve(table, hub, clock, store.directory, host, port, catalogue.language, speaker, keeper, press)
            with server:
                _say_where(table, server, host, store.directory, resumed=stored.match.seq)
                _watch(table, clock, kept, wanted, nooks=shielded, fps=fps, seed=seed, players=not no_players)
                for note in answer(table, hub, clock, pins=plan, loud=not kept.silent):
                    click.echo(f"Note: {note}", err=True)
                told = TroubleTeller(lambda: table.header, catalogue, clock, table.report, speaker)
                listen(table, clock, kept.buttons, press, told, speaker, pins=plan, keys=kept.keys)
                service, pulse = Service(), Pulse(table)
                service.ready(f"{table.header.game}, http://localhost:{server.port}/")
                while not ended.wait(1.0):
                    if service.watched and pulse.beats():
                        service.alive()
                service.ending()
                click.echo("Closing; the match is kept and goes on at the next start.")


def _cap(keeper: EvidenceKeeper, cap_bytes: int) -> None:
    """Set the cap on evidence, and say what had to go for it."""
    from companion.evidence.keeper import cut_notice

    cut = keeper.archive.set_cap(cap_bytes)
    if cut.pieces:
        click.echo(f"Note: {cut_notice(cut, cap_bytes).text}", err=True)


def _check_camera(spec: str) -> None:
    """Refuse what can never become a camera; one that is only unplugged now is waited for.

    Raises:
        BadInput: no such kind of camera, or a film or folder that is not there.
    """
    from device.cameras import CAMERA_SPECS

    kind, _, rest = spec.partition(":")
    known = {each.partition(":")[0] for each in CAMERA_SPECS}
    complete = rest.isdecimal() if kind == "usb" else bool(rest) or kind == "pi"
    if kind not in known or not complete:
        raise BadInput(f"{spec!r} names no camera; expected one of {', '.join(CAMERA_SPECS)}, none.")
    if kind == "file" and not Path(rest).is_file():
        raise BadInput(f"There is no film {rest}; expected a video file, as in --camera file:throw.mp4.")
    if kind == "folder" and not Path(rest).is_dir():
        raise BadInput(f"There is no folder {rest}; expected one with pictures, as in --camera folder:frames.")


def _voice(table: LiveTable, hub: Hub, kept: Kept) -> tuple[Catalogue, EspeakSpeaker | None]:
    """The words of a language, and what says them at this table; None when it is to be or has to be silent."""
    from companion.catalogue import Catalogue
    from companion.speech import RulingSpeech
    from device.speaker import EspeakSpeaker

    try:
        catalogue = Catalogue(kept.language)
    except LookupError as error:
        raise BadInput(str(error)) from error
    if kept.silent:
        return catalogue, None
    speaker = EspeakSpeaker(words_per_minute=kept.words_per_minute, volume_percent=kept.volume_percent)
    table.on_close(speaker.close)
    if not speaker.available:
        return catalogue, None
    speech = RulingSpeech(hub, speaker, catalogue, table.header)
    speech.start()
    table.on_close(speech.stop)
    return catalogue, speaker


def _serve(
    table: LiveTable,
    hub: Hub,
    clock: Clock,
    directory: Path,
    host: str,
    port: int | None,
    language: str,
    speaker: EspeakSpeaker | None,
    keeper: EvidenceKeeper,
    press: Callable[[Press], None],
) -> WebServer:
    from companion.live.codes import codes_for
    from companion.web.app import create_app

    codes = codes_for(directory, table.header)
    app = create_app(
        table,
        hub,
        judge_pin=codes.judge_pin,
        seat_codes=codes.seats,
        language=language,
        speaker=speaker,
        now_ns=clock.now_ns,
        secret_key=codes.secret,
        evidence=keeper,
        press=press,
    )
    return _bind(app, hub, host, port)


def _bind(app: Any, hub: Hub, host: str, port: int | None) -> WebServer:
    """The wanted port; without one, the first free of a few."""
    from companion.web.server import WebServer

    ports = [port] if port is not None else list(range(DEFAULT_PORT, DEFAULT_PORT + SPARE_PORTS))
    for each in ports:
        try:
            return WebServer(app, hub, host=host, port=each)
        except OSError as error:
            last = error
            if error.errno not in (errno.EADDRINUSE, None):
                break
    tried = f"port {port}" if port is not None else f"any of the ports {ports[0]} to {ports[-1]}"
    reason = str(last).rpartition("] ")[2].rstrip(")")
    raise BadInput(
        f"The page cannot be served on {host}, {tried} ({reason}); choose another with --port or --host."
    ) from last


def _say_where(table: LiveTable, server: WebServer, host: str, directory: Path, *, resumed: int) -> None:
    from companion.live.codes import codes_for

    header = table.header
    codes = codes_for(directory, header)
    who = ", ".join(f"{seat.name} ({seat.colour})" for seat in header.seats)
    state = f"goes on after entry {resumed}" if resumed else "begins"
    click.echo(f"Match {header.match} {state}: {who}.")
    click.echo(f"Open http://localhost:{server.port}/")
    if host == "0.0.0.0":
        for address in _addresses():
            click.echo(f"  or http://{address}:{server.port}/ from another device on this network")
    seats = ", ".join(f"{seat.name} {codes.seats[seat.number]}" for seat in header.seats)
    click.echo(f"Seat codes: {seats}")
    click.echo(f"{'Judge' if header.judge else 'Correction'} PIN: {codes.judge_pin}")


def _addresses() -> list[str]:
    """This machine's address on its network; nothing is sent."""
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect(("192.0.2.1", 9))
            return [probe.getsockname()[0]]
    except OSError:
        return []


def _watch(
    table: LiveTable,
    clock: Clock,
    kept: Kept,
    wanted: Wanted,
    *,
    nooks: dict[int, Rect],
    fps: float,
    seed: int | None,
    players: bool,
) -> None:
    """Start the camera's thread and, at a simulated table, its players. Imports the vision only now."""
    camera = kept.camera
    if camera == "none":
        return
    from companion.live.watcher import TableWatcher
    from device.cameras import open_camera

    if camera != "simulated":
        size_mm = table.interpreter.table_size_mm
        wide, deep = (round(side / 10, 1) for side in size_mm)
        what = "Corner markers: their centres" if kept.corners is None else "Corners as they were shown:"
        click.echo(f"{what} {wide:g} cm apart from left to right, {deep:g} cm from far to near.")
        opened = partial(open_camera, camera, clock, controls=kept.locked or None)
        TableWatcher(table, opened, table_size_mm=size_mm, nooks=nooks, corners=kept.corners).start()
        return
    import secrets

    from companion.live.simulation import start_simulation

    chosen = secrets.randbits(32) if seed is None else seed
    start_simulation(table, clock, wanted, fps=fps, seed=chosen, players=players)


@contextmanager
def _end_on_signals() -> Iterator[threading.Event]:
    """Set by Ctrl-C and by SIGTERM, from now on: a start that is under way is finished first."""
    ended = threading.Event()
    before = {number: signal.signal(number, lambda *_: ended.set()) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield ended
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
