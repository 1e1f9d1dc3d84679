"""`companion clauses`: every rule of a game, where the code enforces it and which tests hold it."""

from __future__ import annotations

import textwrap

import click

from companion.commands.common import print_json

__all__ = ["command"]


@click.command(epilog="Example:  companion clauses lightning-dice --missing")
@click.argument("game")
@click.option("--missing", is_flag=True, help="Only clauses that have no code place, no test or no near miss.")
@click.option("--json", "as_json", is_flag=True, help="One clause a line as JSON.")
def command(game: str, missing: bool, as_json: bool) -> None:
    """List the numbered clauses of GAME with code places and tests.

    A clause marked "open case" is our reading where the rulebook is silent; "people only" means that only a person
    can establish what it asks for. Tests are found in a checkout; an installed copy has none and says so.
    Exit status 1 when --missing finds something.
    """
    from companion.clause_table import clause_table, tests_folder
    from rules.games import game_named

    package = game_named(game).package
    rows = clause_table(package)
    shown = [row for row in rows if row.missing or not missing]
    if tests_folder(package) is None:
        click.echo("The tests are not installed here; only the code places are shown.", err=True)
    for row in shown:
        clause = row.clause
        if as_json:
            print_json(
                {
                    "clause": clause.id,
                    "section": clause.section,
                    "text": clause.text,
                    "open_case": clause.open_case,
                    "evidence": clause.evidence,
                    "people_only": clause.people_only,
                    "code": list(row.code),
                    "tests": list(row.tests),
                    "near_misses": list(row.near_misses),
                    "missing": list(row.gaps),
                }
            )
            continue
        marks = [clause.evidence]
        marks += ["open case"] * clause.open_case + ["people only"] * clause.people_only
        click.echo(f"{clause.id}  [{', '.join(marks)}]")
        click.echo(textwrap.fill(clause.text, 110, initial_indent="    ", subsequent_indent="    "))
        for title, places in (("code", row.code), ("tests", row.tests), ("near misses", row.near_misses)):
            click.echo(f"    {title + ':':<13}{', '.join(places) or 'none'}")
    if not as_json:
        gaps = sum(row.missing for row in rows)
        people = sum(row.clause.people_only for row in rows)
        open_cases = sum(row.clause.open_case for row in rows)
        click.echo(
            f"{len(rows)} clauses, {open_cases} open cases, {people} that only people can judge; {gaps} with a gap."
        )
    if missing and shown:
        raise click.exceptions.Exit(1)
