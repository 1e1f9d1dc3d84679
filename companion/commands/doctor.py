"""`companion doctor`: what is wrong with this machine and its view of the table, and how it is put right."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from companion.commands.common import print_json
from companion.errors import BadInput

if TYPE_CHECKING:
    from companion.catalogue import Catalogue
    from companion.doctor.findings import Finding
    from companion.doctor.look import Look
    from companion.settings import TableSettings

__all__ = ["command"]

NAME_WIDTH = 12


@click.command(
    epilog="Example:  companion doctor\n\n"
    "          companion doctor --camera usb:0 --only camera,focus,light\n\n"
    "          companion doctor --json --only temperature"
)
@click.option(
    "--camera",
    metavar="pi|usb:N|file:PATH|folder:PATH|url:U|simulated|none",
    help="What to look through [default: the camera that was set up, else none].",
)
@click.option("--only", "names", metavar="NAME,…", help="These checks alone.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line for each check.")
@click.option("--aloud", is_flag=True, help="Say what is wrong, too.")
@click.option("--language", help="Language of the words: en or it [default: that of the set-up, else en].")
@click.option("--data", metavar="DIR", help="Where matches are kept [default: TABLETOP_DATA, else the user's own].")
def command(
    camera: str | None, names: str | None, as_json: bool, aloud: bool, language: str | None, data: str | None
) -> None:
    """Check this machine and what its camera sees: what is wrong, and what to do about it.

    A table that is being watched holds the camera: stop it first, or leave the picture out with --camera none.

    Exit status: 0 when a match can be played, 1 when something is to be put right first, 2 for a wrong command.
    """
    from companion.catalogue import Catalogue
    from companion.doctor.examination import Examination
    from companion.doctor.findings import Level, plain, sick
    from companion.doctor.probes import SystemProbes
    from companion.paths import data_directory
    from companion.settings import load_settings

    folder = data_directory(data)
    try:
        kept = load_settings(folder)
    except BadInput:
        kept = None  # the check of the set-up tells it
    try:
        catalogue = Catalogue(language or (kept.language if kept is not None else "en"))
    except LookupError as error:
        raise BadInput(str(error)) from error
    only = tuple(each.strip() for each in names.split(",") if each.strip()) if names is not None else ()
    examination = Examination(
        SystemProbes(), folder, pins=lambda: _pins(catalogue, kept), look=lambda: _look(camera, kept, told=not as_json)
    )
    findings = []
    for finding in examination.findings(only):
        findings.append(finding)
        if as_json:
            print_json(plain(finding, catalogue))
        else:
            click.echo(_lines(finding, catalogue))
    faults = [each for each in findings if each.level is Level.FAULT]
    if not as_json:
        click.echo(_summary(len(faults), catalogue))
    if aloud:
        _say(faults, catalogue)
    if sick(findings):
        raise click.exceptions.Exit(1)


def _lines(finding: Finding, catalogue: Catalogue) -> str:
    """A finding as people read it: the check, how much it matters, what was found and, below, what to do."""
    level = catalogue.text(f"doctor.level.{finding.level}")
    head = f"{finding.check:<{NAME_WIDTH}} {level:<8} "
    fix = finding.fix(catalogue)
    return head + finding.told(catalogue) + ("" if fix is None else "\n" + " " * len(head) + "→ " + fix)


def _summary(count: int, catalogue: Catalogue) -> str:
    return catalogue.text("doctor.summary", count=count) if count else catalogue.text("doctor.all-well")


def _pins(catalogue: Catalogue, kept: TableSettings | None) -> dict[int, str]:
    """What each pin of the map in use is for, in words. Raises ButtonPinError for a map that is wrong."""
    from device.pins import load_pins

    words = {}
    for use in load_pins(kept.buttons.pins if kept is not None and kept.buttons is not None else None).uses:
        key = "pin.use.all" if use.seat is None else "pin.use.seat" if use.seat else "pin.use.judge"
        words[use.bcm] = catalogue.text(key, seat=use.seat, what=use.what)
    return words


def _look(camera: str | None, kept: TableSettings | None, *, told: bool) -> Look | None:
    """Frames of the camera that is asked for or was set up; None without one."""
    from companion.doctor.look import look_through
    from device.cameras import open_camera
    from device.clock import SystemClock

    set_up = None if kept is None else kept.camera
    spec = camera or (set_up.spec if set_up is not None else "none")
    if spec == "none":
        return None
    clock = SystemClock()
    same = set_up if set_up is not None and set_up.spec == spec else None
    if told:
        click.echo(f"({spec} …)", err=True)
    return look_through(
        spec,
        lambda: open_camera(spec, clock, controls=(same.locked or None) if same is not None else None),
        clock,
        mains_hz=None if same is None else same.mains_hz,
        corners_drawn=kept is not None and kept.corners is not None,
    )


def _say(faults: list[Finding], catalogue: Catalogue) -> None:
    """Say what is wrong and what to do, or that all is well, and wait until it is said."""
    from device.speaker import EspeakSpeaker

    speaker = EspeakSpeaker()
    try:
        sentences = [_summary(len(faults), catalogue)]
        for each in faults:
            sentences += [each.told(catalogue), each.fix(catalogue) or ""]
        for text in filter(None, sentences):
            speaker.say(text, language=catalogue.language, keep=True)
        speaker.wait_until_silent(timeout_s=15.0 * len(sentences))
    finally:
        speaker.close()
