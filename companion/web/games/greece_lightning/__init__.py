"""Greece Lightning on the pages: the course as a wheel, what each player has, what may be done now."""

from __future__ import annotations

from companion.web.games.greece_lightning.screens import GreeceLightningScreens

__all__ = ["GreeceLightningScreens"]
