"""`companion replay`: a match as text, by sequence."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

from companion.commands.common import input_lines
from companion.errors import BadInput
from companion.wall import is_unsynchronised

if TYPE_CHECKING:
    from rules.match import Match

__all__ = ["command", "match_lines"]


@click.command(epilog="Example:  companion replay match.jsonl     or, to see what is there:  companion replay")
@click.argument("match", required=False)
@click.option("--data", metavar="DIR", help="Data directory with the record of matches.")
@click.option("--language", default="en", show_default=True, help="Language of the sentences.")
@click.option("--log", "as_log", is_flag=True, help="Print the log itself (JSON Lines) instead.")
def command(match: str | None, data: str | None, language: str, as_log: bool) -> None:
    """Print MATCH by sequence: each event with its rulings, and how it ended.

    MATCH is a log file or the identity of a match in the data directory; without it, the matches there are listed.
    The match is judged again from its events; a log that was changed is refused (see `companion verify`).
    """
    from companion.commands.words import RulingWords
    from rules.log import replay

    if match is None:
        _list(data)
        return
    lines = match_lines(match, data)
    if as_log:
        for line in lines:
            click.echo(line)
        return
    replayed = replay(lines).match
    words = RulingWords(language, replayed.header)
    header = replayed.header
    begun = header.wall or "at no known time"
    if is_unsynchronised(header.wall):
        begun = f"{begun[:-1]} by a clock that no time server had set"
    click.echo(f"{header.match}: {header.game}, rules {header.rules_version}, begun {begun}")
    for seat in header.seats:
        click.echo(f"  seat {seat.number}: {seat.name}, {seat.colour}")
    for entry in replayed.entries:
        event = _event_text(entry.filed.event)
        click.echo(f"{entry.seq:>5}  {entry.filed.source}: {event}")
        for ruling in entry.rulings:
            click.echo(f"       {words.line(ruling)}")
    click.echo(_end(replayed))


def match_lines(match: str, data: str | None) -> list[bytes]:
    """The lines of a log file, or of a match in the store.

    Raises:
        BadInput: the file cannot be read.
        MatchMissing: it is neither.
    """
    from companion.errors import MatchMissing
    from companion.paths import data_directory
    from companion.store import Store

    if match == "-" or Path(match).is_file():
        return [line for line in input_lines(match) if line.strip()]
    if match.endswith(".jsonl") or "/" in match:
        raise BadInput(f"There is no file {match}; expected a log, or the identity of a match in the data directory.")
    try:
        with Store(data_directory(data), read_only=True) as store:
            return store.lines(match)
    except MatchMissing as error:
        raise MatchMissing(f"{match} is neither a file nor a stored match. {error}") from error


def _list(data: str | None) -> None:
    from companion.paths import data_directory
    from companion.store import Store

    with Store(data_directory(data), read_only=True) as store:
        rows = store.matches()
    for row in rows:
        state = "over" if row.ended else "open"
        click.echo(f"{row.id}  {row.game}  {row.entries} entries  {state}  begun {row.started or 'unknown'}")
    if not rows:
        click.echo("No match has been played here yet.")


def _event_text(event: Any) -> str:
    plain = msgspec.to_builtins(event)
    kind = plain.pop("kind")
    return f"{kind} " + ", ".join(f"{name} {value}" for name, value in plain.items())


def _end(match: Match[Any]) -> str:
    from companion.commands.referee import final_text

    return final_text(match)
