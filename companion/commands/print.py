"""`companion print`: what a game needs on the table, as PDF: its markers, or a play mat."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from companion.sheets import Page

__all__ = ["command"]

_paper = click.option(
    "--paper", type=click.Choice(["A4", "letter"], case_sensitive=False), default="A4", show_default=True
)
_out = click.argument("out", required=False, type=click.Path(dir_okay=False, path_type=Path))


@click.group(
    "print",
    short_help="Print what a game needs on the table: markers, a play mat.",
    epilog="Example:  companion print markers lightning-dice\n\n"
    "          companion print mat thunder-and-lightning --paper letter mat.pdf",
)
def command() -> None:
    """Write what a game needs on the table, ready to print at 100 %.

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


def _known(paper: str) -> str:
    from companion.markers import PAPERS

    return next(name for name in PAPERS if name.lower() == paper.lower())


def _write(pages: list[Page], out: Path) -> None:
    from companion.sheets import write_pages

    for path in write_pages(pages, out):
        click.echo(path)
