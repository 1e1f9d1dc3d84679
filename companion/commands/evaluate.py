"""`companion evaluate`: how well the reader reads labelled pictures, and which it does not."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import click

from companion.commands.common import print_json, progress
from companion.errors import BadInput

__all__ = ["command"]


@click.command(epilog="Example:  companion evaluate pictures --gallery failures     where pictures/ holds labels.json")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--gallery", type=click.Path(path_type=Path), help="Write contact sheets of all failures to this folder.")
@click.option("--only-tested", is_flag=True, help="Leave out the sources that the reader learned from.")
@click.option("--sources", multiple=True, metavar="NAME", help="Only sources whose name holds NAME; may be repeated.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object in place of the table.")
def command(folder: Path, gallery: Path | None, only_tested: bool, sources: tuple[str, ...], as_json: bool) -> None:
    """Read every labelled picture under FOLDER and print, per source, per view and in all: dice right, refused, wrong,
    missed, invented, frames wholly right, time per frame, and what other thresholds would have brought.

    The gallery shows every die that was wrong, invented, missed or refused, cropped, with an index.html over it.
    """
    if not folder.is_dir():
        raise BadInput(f"{folder} is no folder; expected one with labelled pictures.")
    from vision.evaluation import evaluate, photographs

    only = _only({entry["source"] for entry in photographs(folder)}, only_tested, sources)
    with progress("reading", 100) as percent:
        report = evaluate(folder, progress=lambda done, total: percent(100 * done // total), only=only)
    if not report.frames:
        raise BadInput("No picture is left to read; every one was learned from, so leave out --only-tested.")
    if as_json:
        print_json(report.as_dict())
    else:
        click.echo(str(report))
    if gallery is not None:
        from vision.gallery import write_gallery

        with progress("gallery", 100) as percent:
            written = write_gallery(report, folder, gallery, lambda done, total: percent(100 * done // total))
        click.echo(f"Gallery: {written[-1]}", err=True)


def _only(known: set[str], only_tested: bool, sources: tuple[str, ...]) -> Callable[[Mapping[str, Any]], bool] | None:
    """Which entries are asked for; None for all."""
    wanted: set[str] = set()
    for name in sources:
        found = {source for source in known if name.lower() in source.lower()}
        if not found:
            raise BadInput(f"No source is called {name!r}; there are: {', '.join(sorted(known))}.")
        wanted |= found
    if not sources and not only_tested:
        return None
    return lambda entry: (not sources or entry["source"] in wanted) and not (only_tested and entry.get("learn"))
