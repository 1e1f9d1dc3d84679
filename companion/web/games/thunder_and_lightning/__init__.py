"""Thunder & Lightning on the pages: both sides of the field, the challenge in question, what may be done now."""

from __future__ import annotations

from companion.web.games.thunder_and_lightning.screens import ThunderAndLightningScreens

__all__ = ["ThunderAndLightningScreens"]
