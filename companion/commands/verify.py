"""`companion verify`: is this log whole, and is it ruled the same?"""

from __future__ import annotations

import click

from companion.commands.common import input_lines

__all__ = ["command"]


@click.command(epilog="Example:  companion verify match.jsonl     prints the seal of the log when all is well")
@click.argument("log", metavar="LOG.jsonl")
def command(log: str) -> None:
    """Check the hash chain of a log and that every event is ruled today as the log says.

    Prints the number of entries and the last hash: written down elsewhere, it seals the whole record. Exit status 1
    when the log was changed, cut or is ruled differently (the line is named), 2 when the file cannot be read or is
    of a game or rules version that this program has not.
    """
    from rules.errors import BadHeader, BrokenLog
    from rules.log import replay

    lines = input_lines(log)
    try:
        replayed = replay(lines)
    except (BrokenLog, BadHeader) as error:
        where = "" if isinstance(error, BrokenLog) else "Line 1: "
        click.echo(f"{log} is broken. {where}{error}", err=True)
        raise click.exceptions.Exit(1) from error
    result = replayed.match.result()
    end = "" if result is None else f", won by seat {' and '.join(map(str, result.winners))}"
    click.echo(f"{log} is whole: {replayed.match.seq} entries, ruled the same{end}.")
    click.echo(f"Seal: {replayed.last_hash}")
