"""Dice followed through frames: states, identities, and what happened to them."""
