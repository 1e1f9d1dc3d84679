"""`companion schema`: what header, events and rulings look like."""

from __future__ import annotations

import json
from typing import Any

import click
import msgspec

__all__ = ["command", "schema_of"]


@click.command(epilog="Example:  companion schema lightning-dice > lightning-dice.schema.json")
@click.argument("game")
def command(game: str) -> None:
    """Print the JSON Schema of header, submissions, events and rulings of GAME, with an example of each.

    A log is JSON Lines: the first line {"hash": …, "header": HEADER}, every other {"entry": ENTRY, "hash": …}.
    `companion referee` also takes {"header": HEADER}, with the shipped pack when HEADER has none, and bare
    SUBMISSIONs or EVENTs.
    """
    click.echo(json.dumps(schema_of(game), indent=2, ensure_ascii=False))


def schema_of(game: str) -> dict[str, Any]:
    """JSON Schema (2020-12) of one game's log as plain data.

    Raises:
        UnknownGame: there is no such game.
    """
    from rules.events import Adjust, Amend, CoreEvent, Note, Overrule, Pause, Resume, Submission, Undo
    from rules.events import Decision as CoreDecision
    from rules.games import game_named, referee_for
    from rules.header import Header, Seat
    from rules.log import entry_line, header_line
    from rules.referee import Entry
    from rules.rulings import Ruling

    chosen = game_named(game)
    referee = referee_for(game)
    event_type: Any = referee.event_type | CoreEvent
    roots, definitions = msgspec.json.schema_components(
        [Header, Submission[event_type], event_type, Ruling, Entry],
        ref_template="#/$defs/{name}",
    )
    least, _ = chosen.seats
    colours = ("red", "blue", "green", "yellow", "white", "black")
    seats = tuple(Seat(number, f"Player {number}", colours[number - 1]) for number in range(1, least + 1))
    header = chosen.new_header("example", seats, {}, chosen.default_pack(), None, "2026-01-31T20:00:00+00:00")
    events = [
        *chosen.examples(),
        Undo(3, "wrong player"),
        Amend(1, {"kind": "shuffled"}, "read wrongly"),
        Adjust(1, "score", 2, "the pawn was moved by hand"),
        Overrule(4, CoreDecision.REFUSE, "the die was cocked"),
        Pause("coffee"),
        Resume(),
        Note("the lamp went out"),
    ]
    from rules.games import new_match

    match = new_match(header)
    ruled: dict[str, Any] = {}
    line, digest = header_line(header)
    log = [json.loads(line)]
    log[0]["header"]["pack"] = {"…": "the whole component pack"}
    for event in events:
        entry = match.submit(Submission(event))
        first = entry.rulings[0]
        ruled.setdefault(str(first.verdict), msgspec.to_builtins(first))
        row, digest = entry_line(digest, entry)
        if len(log) < 3:
            log.append(json.loads(row))
    example_header = msgspec.to_builtins(header)
    del example_header["pack"]  # long; companion referee takes the shipped one then
    names = ("header", "submission", "event", "ruling", "entry")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Match log of {chosen.title} ({referee.rules_version})",
        **dict(zip(names, roots, strict=True)),
        "$defs": definitions,
        "examples": {
            "header": example_header,
            "events": [msgspec.to_builtins(event) for event in events],
            "rulings": list(ruled.values()),
            "log": log,
        },
        "codes": {code: list(facts) for code, facts in referee.codes.items()},
    }
