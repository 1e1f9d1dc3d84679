"""What the pages must know of each game, chosen by the game of the match's header."""

from __future__ import annotations

from typing import Final

from companion.web.games.base import FactWords, Screens
from companion.web.games.greece_lightning import GreeceLightningScreens
from companion.web.games.lightning_dice import LightningDiceScreens
from companion.web.games.thunder_and_lightning import ThunderAndLightningScreens

__all__ = ["SCREENS", "FactWords", "Screens", "screens_of"]

SCREENS: Final[dict[str, Screens]] = {
    "lightning-dice": LightningDiceScreens(),
    "thunder-and-lightning": ThunderAndLightningScreens(),
    "greece-lightning": GreeceLightningScreens(),
}
"""By the name of the game."""


def screens_of(game: str) -> Screens:
    """The pages' side of a game.

    Raises:
        LookupError: the pages cannot show this game.
    """
    try:
        return SCREENS[game]
    except KeyError:
        raise LookupError(f"No pages for {game!r}; there are pages for: {', '.join(SCREENS)}.") from None
