"""`companion markers`: sheets of card and table markers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

__all__ = ["command"]


@click.command(
    "markers",
    short_help="Print sheets of card and table markers.",
    epilog="Example:  companion markers --ids 0-49 --corners markers.pdf",
)
@click.option("--ids", metavar="LIST", help="Card markers to print, such as 0-49,60. [default: 0-49]")
@click.option("--corners", is_flag=True, help="Print the four markers of the table's corners too.")
@click.option("--side-mm", type=float, default=18.0, show_default=True, help="Black side of a card marker.")
@click.option("--corner-side-mm", type=float, default=40.0, show_default=True, help="Black side of a corner marker.")
@click.option(
    "--names",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Card names to print: a file of lines ID NAME.",
)
@click.option(
    "--pack",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Print the markers of this component pack's cards, each with its id and goal.",
)
@click.option("--paper", type=click.Choice(["A4", "letter"], case_sensitive=False), default="A4", show_default=True)
@click.argument("out", type=click.Path(dir_okay=False, path_type=Path))
def command(
    ids: str | None,
    corners: bool,
    side_mm: float,
    corner_side_mm: float,
    names: Path | None,
    pack: Path | None,
    paper: str,
    out: Path,
) -> None:
    """Write sheets of markers to OUT (.svg, .pdf or .png), ready to print and cut.

    With --corners and neither --ids nor --pack, the corner sheet alone. SVG and PNG hold one sheet a file: more become
    OUT-1, OUT-2 and so on.
    """
    from companion import markers, sheets

    paper = next(name for name in markers.PAPERS if name.lower() == paper.lower())
    labels: dict[int, str] = {}
    if pack is not None:
        labels |= markers.names_of_pack(_toml(pack))
    wanted = list(labels)
    if names is not None:
        labels |= markers.parse_names(_text(names))
    if ids is not None or (pack is None and not corners):
        wanted = markers.parse_ids("0-49" if ids is None else ids)
    pages = markers.card_pages(wanted, side_mm=side_mm, paper=paper, names=labels)
    if corners:
        pages.append(markers.corner_page(side_mm=corner_side_mm, paper=paper))
    for path in sheets.write_pages(pages, out):
        click.echo(path)


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
