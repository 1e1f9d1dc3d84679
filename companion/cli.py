"""The command line: one group, each command in a module of its own that is imported only when it is asked for."""

from __future__ import annotations

import importlib
import os
import sys
from typing import Any

import click

from companion import __version__

__all__ = ["COMMANDS", "Failure", "cli", "main"]

COMMANDS: dict[str, tuple[str, str]] = {
    "table": ("companion.commands.table", "Watch a table and referee the match on it (the main job)."),
    "setup": ("companion.commands.setup", "Set a table up: camera, light, dice, buttons, sound."),
    "doctor": ("companion.commands.doctor", "What is wrong with this machine and its view, and the fix."),
    "read": ("companion.commands.read", "Read the dice and markers of pictures."),
    "watch": ("companion.commands.watch", "Tell what settles in a video or stream."),
    "referee": ("companion.commands.referee", "Rule on the events of a log, one ruling a line."),
    "schema": ("companion.commands.schema", "Print the JSON Schema of header, events and rulings."),
    "replay": ("companion.commands.replay", "Print a match as text, by sequence."),
    "evidence": ("companion.commands.evidence", "What the camera showed at each call: list, show, export, delete."),
    "verify": ("companion.commands.verify", "Check a log: its hash chain and that it is ruled the same."),
    "pack": ("companion.commands.pack", "Check a component pack, print one to fill in, or draw what it holds."),
    "evaluate": ("companion.commands.evaluate", "Measure the dice reader on labelled pictures."),
    "bench": ("companion.commands.bench", "Measure rulings a second, read time and latency."),
    "clauses": ("companion.commands.clauses", "List the rule clauses of a game, with code and tests."),
    "print": ("companion.commands.print", "Print what a table needs: markers, a mat, labels, the wiring."),
    "pins": ("companion.commands.pins", "Print which pin is which button, lamp or buzzer."),
    "markers": ("companion.commands.markers", "Print chosen markers, or those of your own pack."),
}
"""Command name: the module that has it as `command`, and a line for the overview."""


INTERRUPTED = 130
"""Exit status after Ctrl-C, as shells have it (128 + SIGINT)."""
NOBODY_READS = 141
"""Exit status when whoever read the output is gone, as after `| head` (128 + SIGPIPE)."""


class Failure(click.ClickException):
    """An error of any layer, told in one line on standard error; exit status 2."""

    exit_code = 2

    def show(self, file: Any = None) -> None:
        """Print the message to standard error."""
        click.echo(f"companion: {self.format_message()}", err=True, file=file)


class LazyGroup(click.Group):
    """A group that imports a command only when it is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Every command, in the order of the table above."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of this name, imported now; None when there is none."""
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(COMMANDS[cmd_name][0])
        command: click.Command = module.command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The overview, without importing any command."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; an error that some layer documents becomes one clear line and exit status 2.

        Ctrl-C and a closed output end it quietly, with the status that shells give them.
        """
        from companion.errors import CompanionError
        from device.errors import DeviceError
        from rules.errors import RulesError
        from vision.errors import VisionError

        try:
            return super().invoke(ctx)
        except (CompanionError, DeviceError, RulesError, VisionError) as error:
            raise Failure(str(error)) from error
        except KeyboardInterrupt:
            raise click.exceptions.Exit(INTERRUPTED) from None
        except BrokenPipeError:
            sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - until the end: flushed at exit
            raise click.exceptions.Exit(NOBODY_READS) from None


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
    epilog="Example:  companion table          a simulated match, refereed from rendered camera frames",
)
@click.version_option(__version__, prog_name="companion")
def cli() -> None:
    """Tabletop Companion: a camera and a few buttons referee board games over a real table."""


def main() -> None:
    """Run the command line and leave with its exit status. OpenCV's own remarks are left out: errors are told here."""
    os.environ.setdefault("OPENCV_LOG_LEVEL", "ERROR")
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    cli(prog_name="companion")
