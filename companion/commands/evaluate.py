"""`companion evaluate`: how well the reader reads labelled pictures."""

from __future__ import annotations

from pathlib import Path

import click

from companion.commands.common import progress
from companion.errors import BadInput

__all__ = ["command"]


@click.command(epilog="Example:  companion evaluate pictures     where pictures/ holds labels.json")
@click.argument("folder", type=click.Path(path_type=Path))
def command(folder: Path) -> None:
    """Read every labelled picture under FOLDER and print, per source and in all: dice right, refused, wrong, missed,
    invented, frames wholly right, and time per frame."""
    if not folder.is_dir():
        raise BadInput(f"{folder} is no folder; expected one with labelled pictures.")
    from vision.evaluation import evaluate

    with progress("reading", 100) as percent:
        report = evaluate(folder, progress=lambda done, total: percent(100 * done // total))
    click.echo(str(report))
