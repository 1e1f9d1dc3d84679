"""`companion markers`: sheets of card and table markers."""

from __future__ import annotations

from pathlib import Path

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
@click.option("--paper", type=click.Choice(["A4", "letter"], case_sensitive=False), default="A4", show_default=True)
@click.argument("out", type=click.Path(dir_okay=False, path_type=Path))
def command(
    ids: str | None,
    corners: bool,
    side_mm: float,
    corner_side_mm: float,
    names: Path | None,
    paper: str,
    out: Path,
) -> None:
    """Write sheets of markers to OUT (.svg, .pdf or .png), ready to print and cut.

    With --corners and no --ids, the corner sheet alone. SVG and PNG hold one sheet a file: more become
    OUT-1, OUT-2 and so on.
    """
    from companion import markers, sheets
    from companion.errors import BadInput

    paper = next(name for name in markers.PAPERS if name.lower() == paper.lower())
    pages = []
    if ids is not None or not corners:
        wanted = markers.parse_ids("0-49" if ids is None else ids)
        labels: dict[int, str] = {}
        if names is not None:
            try:
                labels = markers.parse_names(names.read_text(encoding="utf-8"))
            except (OSError, UnicodeDecodeError) as error:
                raise BadInput(f"Cannot read {names}: {error}. Expected UTF-8 text.") from error
        pages += markers.card_pages(wanted, side_mm=side_mm, paper=paper, names=labels)
    if corners:
        pages.append(markers.corner_page(side_mm=corner_side_mm, paper=paper))
    for path in sheets.write_pages(pages, out):
        click.echo(path)
