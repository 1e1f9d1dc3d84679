"""`companion read`: the dice and markers of pictures."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from companion.commands.common import print_json, progress, read_picture
from companion.errors import BadInput

if TYPE_CHECKING:
    from vision.readings import Reading, Unreadable

__all__ = ["command", "die_words", "reading_plain", "reading_text"]


@click.command(
    epilog="Example:  companion read photo.jpg --overlay out     writes out/photo.png with outlines and pips"
)
@click.argument("images", nargs=-1, required=True, metavar="IMAGE...")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line for each picture.")
@click.option(
    "--overlay",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Write each picture with outlines, pips and values drawn in to this folder.",
)
@click.option("--speak-text", is_flag=True, help="Print the sentence that the reading aid would say.")
@click.option("--language", default="en", show_default=True, help="Language of that sentence.")
def command(images: tuple[str, ...], as_json: bool, overlay: Path | None, speak_text: bool, language: str) -> None:
    """Read the dice and markers of each IMAGE (JPEG, PNG, WebP…); - reads one from standard input.

    A die that cannot be read for sure has no value but a reason. Exit status 2 when a picture cannot be read.
    """
    from vision.reader import TableReader

    reader = TableReader()
    failed: list[BadInput] = []
    if overlay is not None:
        try:
            overlay.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise BadInput(f"{overlay} cannot be made ({error.strerror}); expected a folder for pictures.") from error
    with progress("reading", len(images)) as done:
        for number, name in enumerate(images):
            try:
                picture = read_picture(name)
            except BadInput as error:
                failed.append(error)
                click.echo(f"companion: {error}", err=True)
                continue
            reading = reader.read(picture)
            if as_json:
                print_json(reading_plain(name, reading))
            elif not speak_text:
                click.echo(reading_text(name, reading))
            if speak_text and not as_json:
                click.echo(_spoken(reading, language))
            if overlay is not None:
                _write_overlay(overlay, name, number, picture, reading)
            done(number + 1)
    if failed:
        raise click.exceptions.Exit(2)


def reading_plain(name: str, reading: Reading) -> dict[str, Any]:
    """A reading as plain data, ready for JSON."""
    return {
        "image": name,
        "size": list(reading.size_wh),
        "dice": [
            {
                "value": die.value,
                "reason": None if die.reason is None else str(die.reason),
                "confidence": round(die.confidence, 4),
                "box": [round(x, 1) for x in die.box_xyxy],
                "outline": [[round(x, 1), round(y, 1)] for x, y in die.outline_px],
                "pips": [[round(x, 1), round(y, 1)] for x, y in die.pips_px],
                "colour": die.colour,
                "pip_colour": die.pip_colour,
            }
            for die in reading.dice
        ],
        "markers": [
            {"id": marker.id, "corners": [[round(x, 1), round(y, 1)] for x, y in marker.corners_px]}
            for marker in reading.markers
        ],
        "stage_ms": {stage: round(ms, 2) for stage, ms in reading.stage_ms.items()},
    }


def die_words(value: int | None, reason: Unreadable | None) -> str:
    """What one die shows, or why nothing can be told."""
    from vision.readings import Unreadable

    if value is not None:
        return str(value)
    if reason is Unreadable.NOT_A_PIP_DIE:
        return "not a pip die (only dice with pips are read)"
    return f"unreadable ({reason})"


def reading_text(name: str, reading: Reading) -> str:
    """A reading in words, a die a line."""
    lines = [f"{name}: {len(reading.dice)} dice, {len(reading.markers)} markers"]
    for die in sorted(reading.dice, key=lambda each: each.centre_px):
        what = die_words(die.value, die.reason)
        x, y = die.centre_px
        lines.append(f"  {die.colour} die at {x:.0f},{y:.0f}: {what}, confidence {die.confidence:.2f}")
    lines.extend(
        f"  marker {marker.id} at {marker.centre_px[0]:.0f},{marker.centre_px[1]:.0f}" for marker in reading.markers
    )
    return "\n".join(lines)


def _spoken(reading: Reading, language: str) -> str:
    from companion.catalogue import Catalogue
    from companion.speech import aid_sentence

    try:
        catalogue = Catalogue(language)
    except LookupError as error:
        raise BadInput(str(error)) from error

    dice = sorted(reading.dice, key=lambda each: each.centre_px)
    told = [
        {"seat": None, "place": place, "value": die.value, "reason": None if die.reason is None else str(die.reason)}
        for place, die in enumerate(dice)
    ]
    return aid_sentence(told, None, catalogue)


def _write_overlay(folder: Path, name: str, number: int, picture: Any, reading: Reading) -> None:
    import cv2

    from vision.overlay import draw

    stem = "standard-input" if name == "-" else Path(name).stem
    path = folder / f"{stem}.png"
    if path.exists():
        path = folder / f"{stem}-{number + 1}.png"
    done, data = cv2.imencode(".png", draw(picture, reading))
    try:
        if not done:
            raise OSError("the picture could not be encoded")
        path.write_bytes(data.tobytes())
    except OSError as error:
        raise BadInput(f"{path} cannot be written ({error}); choose another folder with --overlay.") from error
