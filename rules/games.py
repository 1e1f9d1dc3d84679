"""Which games and which versions of their rules this program can referee."""

from __future__ import annotations

from functools import cache
from typing import Any

from rules.errors import UnknownGame
from rules.game import Game
from rules.greece_lightning.game import GAME as GREECE_LIGHTNING
from rules.header import Header
from rules.lightning_dice.game import GAME as LIGHTNING_DICE
from rules.match import Match
from rules.referee import Referee
from rules.thunder_and_lightning.game import GAME as THUNDER_AND_LIGHTNING

__all__ = ["GAMES", "game_named", "new_match", "referee_for"]

GAMES: dict[str, Game] = {game.name: game for game in (LIGHTNING_DICE, THUNDER_AND_LIGHTNING, GREECE_LIGHTNING)}
"""Every game by its name on the command line."""


def game_named(name: str) -> Game:
    """The game with this name.

    Raises:
        UnknownGame: there is none.
    """
    try:
        return GAMES[name]
    except KeyError:
        known = ", ".join(GAMES)
        raise UnknownGame(f"No game is called {name!r}; expected one of: {known}.") from None


@cache
def _referees(game: str) -> dict[str, Referee[Any]]:
    return {referee.rules_version: referee for referee in game_named(game).referees}


def referee_for(game: str, rules_version: str | None = None) -> Referee[Any]:
    """The referee of a game: the newest, or the one of a version that a log names.

    Raises:
        UnknownGame: no such game or version.
    """
    versions = _referees(game)
    if rules_version is None:
        return next(reversed(versions.values()))
    try:
        return versions[rules_version]
    except KeyError:
        known = ", ".join(versions)
        raise UnknownGame(
            f"This program has no {game} rules {rules_version!r}; it has {known}. Use the release that made the log."
        ) from None


def new_match(header: Header) -> Match[Any]:
    """A match as its header asks for.

    Raises:
        UnknownGame: no such game or rules version.
        BadHeader: the header breaks a rule of set-up.
    """
    return Match(referee_for(header.game, header.rules_version), header)
