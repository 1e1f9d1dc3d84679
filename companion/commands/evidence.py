"""`companion evidence`: what is kept of presses and infractions: list, show, export, delete, and how much of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.commands.common import print_json
from companion.errors import BadInput
from companion.wall import is_unsynchronised

if TYPE_CHECKING:
    from companion.catalogue import Catalogue
    from companion.evidence.archive import Archive

__all__ = ["command"]

_DATA = click.option("--data", metavar="DIR", help="Data directory with the record of matches.")
_LANGUAGE = click.option("--language", default="en", show_default=True, help="Language of the sentences.")


@click.group(
    epilog="Examples:\n\n"
    "  companion evidence list                          what is kept, and how much it takes\n\n"
    "  companion evidence show MATCH 41                 what the camera showed at the press of entry 41\n\n"
    "  companion evidence export MATCH 41 --to folder   clip (MP4), contact sheet (PNG), pictures and record\n\n"
    "  companion evidence export MATCH --to folder      the whole match as one ZIP with a manifest\n\n"
    "  companion evidence delete MATCH                  the pictures of a match; --with-record: the match too\n\n"
    "  companion evidence cap 500                       allow 500 MB for all pictures"
)
def command() -> None:
    """What the camera showed at each call and infraction.

    Pictures are kept with the record of a match and deleted with it. All together they may take 1000 MB; when that is
    used up, the oldest that nobody disputes go first, and the screens say so.
    """


@command.command("list", epilog="Example:  companion evidence list match-20260101-120000-ab12")
@click.argument("match", required=False)
@_DATA
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
def list_command(match: str | None, data: str | None, as_json: bool) -> None:
    """List what is kept, of MATCH or of every match, oldest first."""
    with _archive(data) as archive:
        rows, cap = archive.rows(match), archive.cap_bytes
        used = sum(row.bytes for row in archive.rows())
    for row in rows:
        if as_json:
            print_json(row._asdict())
        else:
            disputed = f"  disputed: {row.disputed}" if row.disputed else ""
            wall = (row.wall or "unknown")[:19] + ("?" if is_unsynchronised(row.wall) else "")
            click.echo(f"{row.match}  entry {row.seq}  {row.kind}  {row.bytes / 1e6:.1f} MB  {wall}{disputed}")
    if not as_json:
        if not rows:
            click.echo("No evidence is kept." if match is None else f"No evidence is kept of match {match}.")
        click.echo(f"All evidence takes {used / 1e6:.1f} of {cap / 1e6:.0f} MB.")


@command.command(epilog="Example:  companion evidence show match-20260101-120000-ab12 41")
@click.argument("match")
@click.argument("entry", type=click.IntRange(1))
@_DATA
@_LANGUAGE
@click.option("--json", "as_json", is_flag=True, help="The whole record as JSON.")
def show(match: str, entry: int, data: str | None, language: str, as_json: bool) -> None:
    """Say what the camera showed at ENTRY of MATCH, who pressed when, and what the dice were doing."""
    from companion.evidence.records import encode
    from companion.web.evidence_words import present_evidence

    with _archive(data) as archive:
        evidence, header = archive.read(match, entry), archive.header(match)
    if as_json:
        click.echo(encode(evidence), nl=False)
        return
    shown = present_evidence(evidence, header, _catalogue(language))
    click.echo(shown["title"])
    if shown["camera"]:
        click.echo(shown["camera"])
    for press in shown["presses"]:
        click.echo(f"  {press['name']}, {press['button']}: {press['when']}")
    if shown["frozen"]:
        click.echo(shown["frozen"]["words"])
    for seat in shown["seats"]:
        click.echo(f"  {seat['name']}: " + " ".join(die["words"] for die in seat["dice"]))
    for each in shown["frames"]:
        click.echo(f"  {each['number']:>3} {'*' if each['frozen'] else ' '} {each['when']}")


@command.command(epilog="Example:  companion evidence export match-20260101-120000-ab12 41 --to folder")
@click.argument("match")
@click.argument("entry", type=click.IntRange(1), required=False)
@click.option(
    "--to", "folder", type=click.Path(path_type=Path), default=Path(), help="Folder to write to [default: .]."
)
@_DATA
@_LANGUAGE
def export(match: str, entry: int | None, folder: Path, data: str | None, language: str) -> None:
    """Write the evidence of ENTRY as MP4, PNG and ZIP; without ENTRY the whole MATCH as one ZIP.

    The ZIP of a match holds its log, all its evidence, and a manifest with the SHA-256 of each file.
    """
    from companion.evidence.export import match_zip
    from companion.evidence.pictures import clip_mp4, contact_sheet_png
    from companion.web.evidence_words import evidence_title

    with _archive(data) as archive:
        if entry is None:
            files = {f"{match}.zip": match_zip(archive.lines(match), archive, match)}
        else:
            evidence, header = archive.read(match, entry), archive.header(match)
            files = {f"{match}-{entry}.zip": archive.path(match, entry).read_bytes()}
            if evidence.frames:
                pictures = archive.pictures(evidence)
                title = evidence_title(evidence, header, _catalogue(language))
                files[f"{match}-{entry}.png"] = contact_sheet_png(evidence, pictures, f"{title} - {match}")
                files[f"{match}-{entry}.mp4"] = clip_mp4(evidence, pictures)
            else:
                click.echo("No picture was kept, so there is no clip and no contact sheet.", err=True)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in files.items():
            (folder / name).write_bytes(content)
            click.echo(f"{folder / name}  {len(content) / 1e6:.1f} MB")
    except OSError as error:
        raise BadInput(
            f"{folder} cannot be written ({error.strerror}); name another folder with --to FOLDER."
        ) from error


@command.command(epilog="Example:  companion evidence delete match-20260101-120000-ab12 --with-record")
@click.argument("match")
@click.argument("entry", type=click.IntRange(1), required=False)
@click.option("--with-record", is_flag=True, help="Delete the record of the match too, for good.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@_DATA
def delete(match: str, entry: int | None, with_record: bool, yes: bool, data: str | None) -> None:
    """Delete the evidence of ENTRY, or all of MATCH. Nothing brings it back.

    A table that is being played must be closed first; there, the judge deletes on the page of the evidence.
    """
    if with_record and entry is not None:
        raise BadInput("A single entry cannot be taken out of the record; leave out the entry, or --with-record.")
    what = f"the whole record of match {match} and its evidence" if with_record else f"evidence of match {match}"
    if not yes:
        click.confirm(f"Delete {what if entry is None else f'the evidence of entry {entry}'} for good?", abort=True)
    with _archive(data, write=True) as archive:
        count = archive.delete_match(match) if with_record else archive.delete(match, entry)
    pieces = "1 piece" if count == 1 else f"{count} pieces"
    click.echo(f"Deleted: {pieces} of evidence{' and the record' if with_record else ''}.")


@command.command(epilog="Example:  companion evidence cap 500")
@click.argument("megabytes", type=float, required=False)
@_DATA
def cap(megabytes: float | None, data: str | None) -> None:
    """Say how many MEGABYTES all evidence may take, or change it; what is too much is deleted at once.

    The oldest that nobody disputes goes first. Disputed is what was overruled or corrected, what waits for the judge,
    and every infraction.
    """
    if megabytes is None:
        with _archive(data) as archive:
            click.echo(f"{archive.cap_bytes / 1e6:.0f} MB")
        return
    with _archive(data, write=True) as archive:
        cut = archive.set_cap(round(megabytes * 1e6))
    click.echo(f"All evidence may take {megabytes:g} MB.")
    if cut.pieces:
        click.echo(f"Deleted for it: {cut.pieces} pieces ({cut.disputed} disputed), {cut.bytes / 1e6:.1f} MB.")


@contextmanager
def _archive(data: str | None, *, write: bool = False) -> Iterator[Archive]:
    from companion.evidence.archive import Archive
    from companion.paths import data_directory
    from companion.store import Store

    with Store(data_directory(data), read_only=not write) as store:
        yield Archive(store)


def _catalogue(language: str) -> Catalogue:
    from companion.catalogue import Catalogue

    try:
        return Catalogue(language)
    except LookupError as error:
        raise BadInput(str(error)) from error
