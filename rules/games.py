"""Which games and which versions of their rules this program can referee."""

from __future__ import annotations

from functools import cache
from typing import Any

from rules.errors import UnknownGame
from rules.game import Game, Packs
from rules.greece_lightning.check import check_pack
from rules.greece_lightning.pack import default_pack
from rules.greece_lightning.template import pack_template
from rules.header import Header
from rules.lightning_dice.game import GAME as LIGHTNING_DICE
from rules.match import Match
from rules.referee import Referee
from rules.thunder_and_lightning.game import GAME as THUNDER_AND_LIGHTNING

__all__ = ["GAMES", "game_named", "new_match", "packs_of", "referee_for"]

GAMES: dict[str, Game] = {game.name: game for game in (LIGHTNING_DICE, THUNDER_AND_LIGHTNING)}
"""Every game by its name on the command line."""

_PACKS_ONLY: dict[str, Packs] = {
    packs.name: packs for packs in (Packs("greece-lightning", default_pack, check_pack, pack_template),)
}
"""Games whose component packs can be written before the games can be refereed."""


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


def packs_of(name: str) -> Game | Packs:
    """What is known of the component packs of the game with this name.

    Raises:
        UnknownGame: there is none.
    """
    known: dict[str, Game | Packs] = {**_PACKS_ONLY, **GAMES}
    if name not in known:
        raise UnknownGame(f"No component packs are known for {name!r}; expected one of: {', '.join(sorted(known))}.")
    return known[name]


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
