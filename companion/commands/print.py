"""`companion print`: what a game needs on the table, as PDF: markers, a play mat, labels; and the wiring diagram."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from companion.catalogue import Catalogue
    from companion.sheets import Page

__all__ = ["command"]

_paper = click.option(
    "--paper", type=click.Choice(["A4", "letter"], case_sensitive=False), default="A4", show_default=True
)
_out = click.argument("out", required=False, type=click.Path(dir_okay=False, path_type=Path))


@click.group(
    "print",
    short_help="Print what a table needs: markers, a mat, labels, the wiring.",
    epilog="Example:  companion print markers lightning-dice\n\n"
    "          companion print mat thunder-and-lightning --paper letter mat.pdf\n\n"
    "          companion print labels lightning-dice\n\n"
    "          companion print wiring wiring.svg",
)
def command() -> None:
    """Write what a table needs, ready to print at 100 %: markers, a play mat, button labels, the wiring diagram.

    OUT ends in .pdf, .svg or .png; without it the file is named after the game. SVG and PNG hold one sheet a file: more
    become OUT-1, OUT-2 and so on.
    """


@command.command("markers", short_help="The markers of a game's cards and of the table's corners.")
@click.argument("game")
@_out
@_paper
@click.option("--side-mm", type=float, help="Black side of a card marker. [default: what the game's table needs]")
def print_markers(game: str, out: Path | None, paper: str, side_mm: float | None) -> None:
    """The markers of a game: one beside the name of each card to stick it on, and the four corners of the table.

    For cards of your own pack: companion markers --pack.
    """
    from companion import markers
    from rules.games import game_named

    pack = game_named(game).default_pack()
    paper = _known(paper)
    if side_mm is None:
        side_mm = markers.side_mm_of_pack(pack)
    pages = markers.set_pages(markers.sets_of_pack(pack), side_mm=side_mm, paper=paper, names={})
    pages.append(markers.corner_page(side_mm=markers.CORNER_SIDE_MM, paper=paper))
    _write(pages, out or Path(f"{game}-markers.pdf"))


@command.command("mat", short_help="A play mat as large as the table, over several sheets.")
@click.argument("game")
@_out
@_paper
@click.option("--seats", type=int, default=4, show_default=True, help="Places for the dice of so many seats.")
def print_mat(game: str, out: Path | None, paper: str, seats: int) -> None:
    """A play mat as large as the table: corner markers in their right places, and the places of dice and cards.

    Cut each sheet along its dashed edge and join them from behind. The table is then as large as the program expects.
    """
    from companion import mats
    from rules.games import game_named

    pages = mats.mat_pages(mats.mat_of_game(game_named(game).name, seats), _known(paper))
    _write(pages, out or Path(f"{game}-mat.pdf"))


_language = click.option("--language", default="en", show_default=True, help="Language of the words: en or it.")


@command.command("wiring", short_help="The wiring diagram of buttons, lamps and buzzer, from the pin map.")
@click.argument("out", required=False, type=click.Path(dir_okay=False, path_type=Path))
@click.option("--pins", type=click.Path(path_type=Path), metavar="FILE", help="A pin map of your own.")
@_language
def print_wiring(out: Path | None, pins: Path | None, language: str) -> None:
    """The wiring diagram as SVG: every place of the header with what goes there, and the circuits between.

    It is drawn from the pin map that the program reads, so the two always agree.
    """
    from companion.errors import BadInput
    from companion.wiring import wiring_svg
    from device.pins import load_pins

    out = out or Path("wiring.svg")
    if out.suffix.lower() != ".svg":
        raise BadInput(f"Cannot write {out.name!r}: expected a name ending in .svg.")
    drawn = wiring_svg(load_pins(pins), _catalogue(language))
    try:
        out.write_text(drawn, encoding="utf-8")
    except OSError as error:
        raise BadInput(f"Cannot write {out}: {error.strerror or error}. Choose another place.") from error
    click.echo(out)


@command.command("labels", short_help="Labels for the buttons: what a press means in a game.")
@click.argument("game")
@_out
@_paper
@click.option("--seats", type=int, default=6, show_default=True, help="For so many seats.")
@_language
def print_labels(game: str, out: Path | None, paper: str, seats: int, language: str) -> None:
    """Labels to stick beside the buttons of each seat's box and the judge's, with what a press means in the game."""
    from companion.labels import label_pages
    from rules.games import game_named

    pages = label_pages(game_named(game).name, seats, _known(paper), _catalogue(language))
    _write(pages, out or Path(f"{game}-labels.pdf"))


def _catalogue(language: str) -> Catalogue:
    from companion.catalogue import Catalogue
    from companion.errors import BadInput

    try:
        return Catalogue(language)
    except LookupError as error:
        raise BadInput(str(error)) from error


def _known(paper: str) -> str:
    from companion.markers import PAPERS

    return next(name for name in PAPERS if name.lower() == paper.lower())


def _write(pages: list[Page], out: Path) -> None:
    from companion.sheets import write_pages

    for path in write_pages(pages, out):
        click.echo(path)
