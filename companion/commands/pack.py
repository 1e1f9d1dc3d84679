"""`companion pack`: check a component pack, print one to fill in, or draw what it holds."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from companion.commands.common import print_json

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.catalogue import Catalogue
    from rules.packs import Finding

__all__ = ["command"]


@click.group(
    epilog="Example:  companion pack template lightning-dice > my-cards.toml\n\n"
    "          companion pack check lightning-dice my-cards.toml\n\n"
    "          companion pack draw greece-lightning my-box.toml -o drawings"
)
def command() -> None:
    """Component packs: what is printed on the cards, tiles and boards of your box."""


@command.command(epilog="Example:  companion pack check lightning-dice my-cards.toml")
@click.argument("game")
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line for each finding.")
def check(game: str, file: Path | None, as_json: bool) -> None:
    """Tell what is wrong with the pack in FILE (the shipped one when left out), which values are still assumed,
    and what is unusual but playable.

    Each finding names the line of the file that it is about. Exit status 1 when the pack cannot be played with, 2 when
    the file cannot be read.
    """
    from rules.packs import Severity

    _, findings = _checked(game, file)
    line_of = _lines(file)
    errors, assumed, remarks = (
        sum(each.severity is severity for each in findings)
        for severity in (Severity.ERROR, Severity.ASSUMED, Severity.REMARK)
    )
    for finding in findings:
        if as_json:
            told = {"severity": str(finding.severity), "where": finding.where, "message": finding.message}
            print_json({**told, "line": line_of(finding)})
        else:
            _tell(finding, line_of(finding))
    if not as_json:
        name = "The shipped pack" if file is None else str(file)
        state = "cannot be played with" if errors else "can be played with"
        counts = ", ".join(
            f"{count} {one if count == 1 else several}"
            for count, one, several in (
                (errors, "error", "errors"),
                (assumed, "value assumed", "values assumed"),
                (remarks, "remark", "remarks"),
            )
        )
        click.echo(f"{name} {state}: {counts}.")
    if errors:
        raise click.exceptions.Exit(1)


@command.command(epilog="Example:  companion pack template lightning-dice > my-cards.toml")
@click.argument("game")
def template(game: str) -> None:
    """Print a pack file to fill in from your own box."""
    from rules.games import game_named

    click.echo(game_named(game).pack_template(), nl=False)


@command.command(epilog="Example:  companion pack draw greece-lightning my-box.toml -o drawings")
@click.argument("game")
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--out",
    "folder",
    required=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder for the drawings; made when it is not there.",
)
@click.option("--language", default="en", show_default=True, help="Language of the words in the drawings.")
def draw(game: str, file: Path | None, folder: Path, language: str) -> None:
    """Draw each wedge of the pack in FILE (the shipped one when left out) and the Starting Line as SVG, to hold beside
    the printed ones; each drawing also says in words what it shows.

    A wedge that is not written down rightly is not drawn: what is wrong is told instead, and the exit status is 1.
    """
    from companion.catalogue import Catalogue
    from companion.errors import BadInput
    from rules.games import game_named
    from rules.packs import Severity

    name = game_named(game).name
    if name not in _DRAWN:
        raise BadInput(f"The packs of {name} have nothing to draw; expected one of: {', '.join(_DRAWN)}.")
    try:
        catalogue = Catalogue(language)
    except LookupError as error:
        raise BadInput(str(error.args[0])) from error
    plain, findings = _checked(game, file)
    errors = [finding for finding in findings if finding.severity is Severity.ERROR]
    line_of = _lines(file)
    for finding in errors:
        _tell(finding, line_of(finding))
    drawings = _DRAWN[name](plain, {finding.where for finding in errors}, catalogue)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for stem, drawing in drawings:
            (folder / f"{stem}.svg").write_text(drawing, encoding="utf-8")
    except OSError as error:
        raise BadInput(f"{folder} cannot be written to ({error.strerror}); name another folder with -o.") from error
    for stem, _ in drawings:
        click.echo(folder / f"{stem}.svg")
    if errors:
        raise click.exceptions.Exit(1)


def _checked(game: str, file: Path | None) -> tuple[dict[str, Any], tuple[Finding, ...]]:
    """A pack as plain data, the shipped one without a file, and the findings about it."""
    from rules.games import game_named
    from rules.packs import load_toml

    chosen = game_named(game)
    plain = chosen.default_pack() if file is None else load_toml(file)
    return plain, chosen.check_pack(plain)


def _lines(file: Path | None) -> Callable[[Finding], int | None]:
    """Tells on which line of the file a finding lies; None for the shipped pack, and for what lies on no one line."""
    if file is None:
        return lambda finding: None
    from companion.pack_lines import PackLines

    lines = PackLines(file.read_text(encoding="utf-8"))
    return lambda finding: lines.line(finding.at)


def _tell(finding: Finding, line: int | None) -> None:
    click.echo(f"{finding.severity}: {f'line {line}: ' if line else ''}{finding.where}: {finding.message}")


def _greece_lightning(plain: dict[str, Any], wrong: set[str], catalogue: Catalogue) -> list[tuple[str, str]]:
    """The wedges of a pack that are written down rightly: the name of a file, and the drawing."""
    from companion.course.pack_drawings import pack_drawings

    return pack_drawings(plain, wrong, catalogue)


_DRAWN = {"greece-lightning": _greece_lightning}
