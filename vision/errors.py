"""What vision may raise. Every error is also the builtin that a stranger would catch."""

from __future__ import annotations

__all__ = ["BadImage", "BadWeights", "GeometryError", "VisionError"]


class VisionError(Exception):
    """Root of every error of vision; the message says what happened, what was expected and what to do."""


class BadImage(VisionError, ValueError):
    """The given array is not an image that can be read."""


class GeometryError(VisionError, ValueError):
    """The table corners are missing, crossed or cannot carry the asked position."""


class BadWeights(VisionError, RuntimeError):
    """The shipped network is missing or does not load."""
