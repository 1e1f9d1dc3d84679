"""`companion markers`: sheets of chosen card and table markers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

__all__ = ["command"]


@click.command(
    "markers",
    short_help="Print chosen markers, or those of your own pack.",
    epilog="Example:  companion markers --ids 0-49 --corners markers.pdf\n\n"
    "          companion markers --game thunder-and-lightning cards.pdf",
)
@click.option("--ids", metavar="LIST", help="Card markers to print, such as 0-49,60. [default: 0-49]")
@click.option("--corners", is_flag=True, help="Print the four markers of the table's corners too.")
@click.option(
    "--side-mm", type=float, help="Black side of a card marker. [default: what the table of the game needs; else 18]"
)
@click.option("--corner-side-mm", type=float, default=40.0, show_default=True, help="Black side of a corner marker.")
@click.option(
    "--names",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Card names to print: a file of lines ID NAME.",
)
@click.option(
    "--pack",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Print the markers of this component pack's cards, as its game uses them, each with what it is for.",
)
@click.option("--game", metavar="GAME", help="Print the markers of the pack that comes with this game.")
@click.option("--paper", type=click.Choice(["A4", "letter"], case_sensitive=False), default="A4", show_default=True)
@click.argument("out", type=click.Path(dir_okay=False, path_type=Path))
def command(
    ids: str | None,
    corners: bool,
    side_mm: float | None,
    corner_side_mm: float,
    names: Path | None,
    pack: Path | None,
    game: str | None,
    paper: str,
    out: Path,
) -> None:
    """Write sheets of markers to OUT (.svg, .pdf or .png), ready to print and cut.

    All that a game needs comes from `companion print markers GAME` and `companion print mat GAME`.

    With --ids beside --pack or --game, those of its markers alone.
    With --corners and none of --ids, --pack and --game, the corner sheet alone. SVG and PNG hold one sheet a file: more
    become OUT-1, OUT-2 and so on.
    """
    from companion import markers, sheets
    from companion.errors import BadInput

    paper = next(name for name in markers.PAPERS if name.lower() == paper.lower())
    if pack is not None and game is not None:
        raise BadInput("Give --pack or --game: a pack tells its game.")
    labels = {} if names is None else markers.parse_names(_text(names))
    chosen = _pack(pack, game)
    sets = [] if chosen is None else markers.sets_of_pack(chosen)
    if side_mm is None:
        side_mm = markers.DEFAULT_SIDE_MM if chosen is None else markers.side_mm_of_pack(chosen)
    if ids is not None or (chosen is None and not corners):
        # Ids beside a pack: these alone, with the texts of the pack.
        labels = {marker: text for each in sets for marker, text in each.markers} | labels
        wanted = markers.parse_ids("0-49" if ids is None else ids)
        pages = markers.card_pages(wanted, side_mm=side_mm, paper=paper, names=labels)
    else:
        pages = markers.set_pages(sets, side_mm=side_mm, paper=paper, names=labels)
    if corners:
        pages.append(markers.corner_page(side_mm=corner_side_mm, paper=paper))
    for path in sheets.write_pages(pages, out):
        click.echo(path)


def _pack(path: Path | None, game: str | None) -> dict[str, Any] | None:
    """The pack of a file, or the one that comes with a game; None when neither is asked for."""
    from rules.games import game_named

    if path is not None:
        return _toml(path)
    return None if game is None else game_named(game).default_pack()


def _text(path: Path) -> str:
    from companion.errors import BadInput

    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"Cannot read {path}: {error}. Expected UTF-8 text.") from error


def _toml(path: Path) -> dict[str, Any]:
    import tomllib

    from companion.errors import BadInput

    try:
        return tomllib.loads(_text(path))
    except tomllib.TOMLDecodeError as error:
        raise BadInput(f"Cannot read {path}: {error}. Expected a component pack in TOML.") from error
