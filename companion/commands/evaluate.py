"""`companion evaluate`: how well pictures, rendered sweeps, simulated plays and real clips are read and followed."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import click

from companion.commands.common import print_json, progress
from companion.errors import BadInput

__all__ = ["command"]


@click.command(
    epilog="Examples:  companion evaluate pictures --gallery failures     where pictures/ holds labels.json"
    "   or   companion evaluate --play --seats 4 --rolls 500 --gallery failures"
)
@click.argument("folder", type=click.Path(path_type=Path), required=False)
@click.option("--gallery", type=click.Path(path_type=Path), help="Write contact sheets of all failures to this folder.")
@click.option("--only-tested", is_flag=True, help="Leave out the sources that the reader learned from.")
@click.option("--sources", multiple=True, metavar="NAME", help="Only sources whose name holds NAME; may be repeated.")
@click.option("--rendered", is_flag=True, help="Read rendered sweeps over known faults in place of a folder.")
@click.option("--sweeps", multiple=True, metavar="NAME", help="Only sweeps whose name holds NAME; may be repeated.")
@click.option("--scenes", type=click.IntRange(1, 1000), help="Rendered scenes for each step of a sweep; 1 unless told.")
@click.option("--write-floors", type=click.Path(path_type=Path), help="Write what the sweeps reach, less a margin.")
@click.option("--play", is_flag=True, help="Follow the dice of simulated plays in place of reading a folder.")
@click.option("--seats", multiple=True, type=click.IntRange(2, 6), help="Play with so many people [default: 2 to 6].")
@click.option("--fps", multiple=True, type=click.FloatRange(5, 120), help="Play at this rate [default: 15, 30, 60].")
@click.option("--rolls", type=click.IntRange(min=1), help="Play until so many dice were rolled [default: 300].")
@click.option("--seed", type=int, help="Seed of the first plays; 1 unless told.")
@click.option("--kinds", multiple=True, metavar="KIND", help="Kinds of play [default: all, and faults of the camera].")
@click.option("--workers", type=click.IntRange(1, 64), help="Plays followed at the same time; 1 unless told.")
@click.option("--clips", type=click.Path(path_type=Path), help="Follow real clips; the folder holds videos.json.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object in place of the table.")
def command(
    folder: Path | None,
    gallery: Path | None,
    only_tested: bool,
    sources: tuple[str, ...],
    rendered: bool,
    sweeps: tuple[str, ...],
    scenes: int | None,
    write_floors: Path | None,
    play: bool,
    seats: tuple[int, ...],
    fps: tuple[float, ...],
    rolls: int | None,
    seed: int | None,
    kinds: tuple[str, ...],
    workers: int | None,
    clips: Path | None,
    as_json: bool,
) -> None:
    """Read every labelled picture under FOLDER and print, per source, per view and in all: dice right, refused, wrong,
    missed, invented, frames wholly right, time per frame, and what other thresholds would have brought.

    The gallery shows every die that was wrong, invented, missed or refused, cropped, with an index.html over it.

    With --rendered no FOLDER is needed: scenes are rendered, one fault of dice readers at a time, and the same is
    printed for every step of every sweep; the gallery then shows every scene with what was read.

    With --play dice are followed through simulated plays of which everything is known: values told after a roll, how
    soon, whether ever before rest, each kind of happening, identities, false infractions, values frozen at presses,
    and what is told when the camera is disturbed; the gallery shows the frames around every failure. With --clips the
    same for real clips: final values, when they were told, and whether any was told before rest.
    """
    if play or clips is not None:
        if folder is not None or only_tested or sources or rendered or sweeps or scenes or write_floors:
            raise BadInput("Plays and clips take no FOLDER and no options of pictures or sweeps; leave those out.")
        if play and clips is not None:
            raise BadInput("Either simulated plays or real clips are followed; leave out --play or --clips.")
        if clips is not None:
            if gallery is not None or seats or fps or rolls or seed is not None or kinds or workers:
                raise BadInput("Clips are as they are: --clips goes with --json only.")
            _clips(clips, as_json)
        else:
            rates = fps or (15.0, 30.0, 60.0)
            _play(seats or (6, 2, 5, 3, 4), rates, rolls or 300, 1 if seed is None else seed, kinds, workers or 1,
                  gallery, as_json)  # fmt: skip
        return
    if seats or fps or rolls or seed is not None or kinds or workers:
        raise BadInput("--seats, --fps, --rolls, --seed, --kinds and --workers are for simulated plays; add --play.")
    if rendered:
        if folder is not None or only_tested or sources:
            raise BadInput("Rendered sweeps take no FOLDER, --only-tested or --sources; leave them out or --rendered.")
        _rendered(gallery, sweeps, scenes or 1, write_floors, as_json)
        return
    if sweeps or scenes is not None or write_floors is not None:
        raise BadInput("--sweeps, --scenes and --write-floors are for rendered sweeps; add --rendered.")
    if folder is None:
        raise BadInput("Nothing to read was given; expected a FOLDER with labelled pictures, or --rendered.")
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


def _rendered(
    gallery: Path | None, names: tuple[str, ...], scenes: int, write_floors: Path | None, as_json: bool
) -> None:
    """Measure the rendered sweeps and print what came out."""
    from vision.sweeps.catalogue import SWEEPS
    from vision.sweeps.measure import floors_of, measure
    from vision.sweeps.sheets import Sheets

    chosen = list(SWEEPS)
    if names:
        if write_floors is not None:
            raise BadInput("Floors are those of all sweeps; leave out --sweeps or --write-floors.")
        for name in names:
            if not any(name.lower() in sweep.name for sweep in SWEEPS):
                known = ", ".join(sweep.name for sweep in SWEEPS)
                raise BadInput(f"No sweep is called {name!r}; there are: {known}.")
        chosen = [sweep for sweep in SWEEPS if any(name.lower() in sweep.name for name in names)]
    try:
        sheets = Sheets(gallery) if gallery is not None else None
    except OSError as error:
        raise BadInput(f"{gallery} cannot be made ({error.strerror}); expected a folder for the sheets.") from error
    with progress("reading", 100) as percent:
        report = measure(
            scenes,
            sweeps=chosen,
            progress=lambda done, total: percent(100 * done // total),
            seen=sheets.add if sheets else None,
        )
    if as_json:
        print_json(report.as_dict())
    else:
        click.echo(str(report))
    if sheets is not None:
        sheets.finish()
        click.echo(f"Gallery: {', '.join(str(path) for path in sheets.written)}", err=True)
    if write_floors is not None:
        text = json.dumps(floors_of(report), indent=1) + "\n"
        try:
            write_floors.write_text(text, encoding="utf-8")
        except OSError as error:
            raise BadInput(f"{write_floors} cannot be written ({error.strerror}); expected a file name.") from error


def _play(
    seats: tuple[int, ...],
    fps: tuple[float, ...],
    rolls: int,
    seed: int,
    names: tuple[str, ...],
    workers: int,
    gallery: Path | None,
    as_json: bool,
) -> None:
    """Follow simulated plays and print what came out."""
    from companion.measure.disturbances import DISTURBANCES
    from companion.measure.running import measure, orders
    from device.simulated.play.script import PLAYS

    faults = tuple(fault.name for fault in DISTURBANCES)
    known = (*PLAYS, *faults)
    unknown = [name for name in names if name not in known]
    if unknown:
        raise BadInput(f"No kind of play is called {unknown[0]!r}; there are: {', '.join(known)}.")
    kinds = [kind for kind in PLAYS if not names or kind in names]
    faults = tuple(fault for fault in faults if not names or fault in names)
    wanted = orders(kinds, seats, fps, seed, faults)
    least = len(kinds) * len(fps) + len(faults)  # every kind and fault once, however few rolls are asked for
    if not kinds:
        rolls = 0  # faults of the camera alone: rolls are not measured then
    with progress("playing", max(rolls, 1)) as tell:
        report = measure(
            wanted,
            rolls=rolls,
            at_least=least,
            workers=workers,
            gallery=gallery,
            tell=lambda done, figures: tell(min(done, rolls)),
        )
    if as_json:
        print_json(report.as_dict())
    else:
        click.echo(str(report))
    if gallery is not None:
        click.echo(f"Gallery: {gallery / 'index.html'}", err=True)


def _clips(folder: Path, as_json: bool) -> None:
    """Follow real clips and print what came out."""
    from companion.measure.clips import clips_in, watch_clips

    with progress("watching", len(clips_in(folder))) as tell:
        report = watch_clips(folder, lambda done, total: tell(done))
    if as_json:
        print_json(report.as_dict())
    else:
        click.echo(str(report))


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
