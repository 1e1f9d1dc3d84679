"""`companion pack`: check a component pack, or print one to fill in."""

from __future__ import annotations

from pathlib import Path

import click

from companion.commands.common import print_json

__all__ = ["command"]


@click.group(
    epilog="Example:  companion pack template lightning-dice > my-cards.toml\n\n"
    "          companion pack check lightning-dice my-cards.toml"
)
def command() -> None:
    """Component packs: what is printed on the cards, tiles and boards of your box."""


@command.command(epilog="Example:  companion pack check lightning-dice my-cards.toml")
@click.argument("game")
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line for each finding.")
def check(game: str, file: Path | None, as_json: bool) -> None:
    """Tell what is wrong with the pack in FILE (the shipped one when left out), which values are still assumed,
    and what is unusual but playable.

    Exit status 1 when the pack cannot be played with, 2 when the file cannot be read.
    """
    from rules.games import game_named
    from rules.packs import Severity, load_toml

    chosen = game_named(game)
    plain = chosen.default_pack() if file is None else load_toml(file)
    findings = chosen.check_pack(plain)
    errors, assumed, remarks = (
        sum(each.severity is severity for each in findings)
        for severity in (Severity.ERROR, Severity.ASSUMED, Severity.REMARK)
    )
    for finding in findings:
        if as_json:
            print_json({"severity": str(finding.severity), "where": finding.where, "message": finding.message})
        else:
            click.echo(f"{finding.severity}: {finding.where}: {finding.message}")
    if not as_json:
        name = "The shipped pack" if file is None else str(file)
        state = "cannot be played with" if errors else "can be played with"
        click.echo(f"{name} {state}: {errors} errors, {assumed} values assumed, {remarks} remarks.")
    if errors:
        raise click.exceptions.Exit(1)


@command.command(epilog="Example:  companion pack template lightning-dice > my-cards.toml")
@click.argument("game")
def template(game: str) -> None:
    """Print a pack file to fill in from your own box."""
    from rules.games import game_named

    click.echo(game_named(game).pack_template(), nl=False)
