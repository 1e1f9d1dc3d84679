"""`companion referee`: rule on the events of a log."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click
import msgspec

from companion.commands.common import input_lines, print_json
from companion.errors import BadInput

if TYPE_CHECKING:
    from rules.events import Submission
    from rules.header import Header
    from rules.match import Match

__all__ = ["command", "final_text", "header_from", "submission_from"]


@click.command(
    epilog="Example:  companion referee lightning-dice match.jsonl     or     … | companion referee lightning-dice -"
)
@click.argument("game")
@click.argument("log", default="-", metavar="[LOG.jsonl|-]")
@click.option("--json", "as_json", is_flag=True, help="Rulings and the final state as JSON.")
@click.option("--language", default="en", show_default=True, help="Language of the sentences.")
def command(game: str, log: str, as_json: bool, language: str) -> None:
    """Rule on the events of LOG (standard input when left out): header and events in, one ruling a line out.

    The first line is the header: {"header": {…}}, with or without its hash, or the header alone; without a pack the
    shipped one is played with. Every other line is an event: a line of a match log, {"event": {…}, "source": …}, or
    the event alone. The rulings in a log are not looked at; everything is judged anew. `companion schema GAME` prints
    what header and events look like.

    Exit status 0 when the log was understood, whatever the rulings; a line that cannot be read is ruled
    unreadable (TC-1). Exit status 2 when there is no header or it cannot begin a match.
    """
    from companion.commands.words import remarks_on
    from rules.errors import UnreadableInput
    from rules.games import game_named, new_match
    from rules.rulings import Refusal, refused

    game_named(game)
    lines = [line for line in input_lines(log) if line.strip()]
    if not lines:
        raise BadInput("There is no header; expected a first line such as `companion schema` prints.")
    header = header_from(lines[0], game)
    match = new_match(header)
    for remark in remarks_on(header, language):
        click.echo(f"Note: {remark}", err=True)
    tell = _teller(as_json, language, header)
    for line in lines[1:]:
        try:
            submission = submission_from(line, match)
        except UnreadableInput as error:
            ruling = refused(Refusal.UNREADABLE, "core.unreadable", "TC-1", facts={"problem": str(error)})
            tell(None, None, (ruling,))
            continue
        entry = match.submit(submission)
        tell(entry.seq, submission, entry.rulings)
    result = match.result()
    final = {
        "final": {
            "seq": match.seq,
            "paused": match.position.paused,
            "state": _without_pack(msgspec.to_builtins(match.state)),
            "result": None if result is None else msgspec.to_builtins(result),
        }
    }
    if as_json:
        print_json(final)
    else:
        click.echo(final_text(match))


def header_from(line: bytes, game: str) -> Header:
    """The header on the first line of a log; without a pack it gets the shipped one.

    Raises:
        BadInput: it is no header, or that of another game.
    """
    from rules.games import game_named
    from rules.header import Header

    try:
        plain = msgspec.json.decode(line)
        if isinstance(plain, dict) and "header" in plain:
            plain = plain["header"]
        header = msgspec.convert(plain, Header)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise BadInput(f"The first line is not a header ({error}); `companion schema {game}` prints one.") from error
    if header.game != game:
        raise BadInput(f"The header is of {header.game!r}, and {game!r} was asked for; name the game of the log.")
    return header if header.pack else msgspec.structs.replace(header, pack=game_named(game).default_pack())


def submission_from(line: bytes, match: Match[Any]) -> Submission[Any]:
    """The submission on a line: a log line, a submission, or an event alone.

    Raises:
        UnreadableInput: none of them.
    """
    from rules.errors import UnreadableInput

    try:
        plain = msgspec.json.decode(line)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise UnreadableInput(f"This is not JSON: {error}.") from error
    if not isinstance(plain, dict):
        raise UnreadableInput("This is not an event: expected a JSON object.")
    if isinstance(plain.get("entry"), dict):
        plain = plain["entry"].get("filed")
    elif isinstance(plain.get("filed"), dict):
        plain = plain["filed"]
    if isinstance(plain, dict) and "kind" in plain:  # an amendment has a field `event` of its own
        plain = {"event": plain}
    try:
        return match.referee.read_submission(msgspec.json.encode(plain))
    except (msgspec.MsgspecError, RecursionError, OverflowError, UnicodeError) as error:
        raise UnreadableInput(f"This is not an event: {error}.") from error


def _teller(as_json: bool, language: str, header: Header) -> Any:
    if as_json:

        def tell_json(seq: int | None, submission: Submission[Any] | None, rulings: Any) -> None:
            for number, ruling in enumerate(rulings):
                kind = None if submission is None else submission.event.__struct_config__.tag
                print_json({"seq": seq, "ruling": number, "event": kind, **msgspec.to_builtins(ruling)})

        return tell_json

    from companion.commands.words import RulingWords

    words = RulingWords(language, header)

    def tell_text(seq: int | None, submission: Submission[Any] | None, rulings: Any) -> None:
        for ruling in rulings:
            click.echo(f"{seq if seq is not None else '-':>5}  {words.line(ruling)}")

    return tell_text


def final_text(match: Match[Any]) -> str:
    """How a match stands, in a line."""
    result = match.result()
    names = {seat.number: seat.name for seat in match.header.seats}
    if result is not None:
        end = "won by " + " and ".join(names.get(number, str(number)) for number in result.winners)
        end += f" ({result.code}; {', '.join(result.clauses)})"
    else:
        end = "not over"
    scores = getattr(match.state, "scores", None)
    told = ""
    if isinstance(scores, dict):
        told = "; " + ", ".join(f"{names.get(number, number)} {score}" for number, score in scores.items())
    return f"After {match.seq} entries: {end}{told}"


def _without_pack(state: Any) -> Any:
    """The state without what the header already holds."""
    if isinstance(state, dict):
        return {key: value for key, value in state.items() if key != "given"}
    return state
