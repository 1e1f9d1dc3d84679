"""Parts of the table."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Rect"]


@dataclass(frozen=True, slots=True)
class Rect:
    """An upright rectangle of the table in mm; x from its far left corner to the right, y towards the camera."""

    x0: float
    y0: float
    x1: float
    y1: float

    def holds(self, x_mm: float, y_mm: float) -> bool:
        """True when the point lies in it (its left and far edges included)."""
        return self.x0 <= x_mm < self.x1 and self.y0 <= y_mm < self.y1

    @property
    def centre_mm(self) -> tuple[float, float]:
        """Its middle."""
        return (self.x0 + self.x1) / 2, (self.y0 + self.y1) / 2

    def corners(self, rim_mm: float = 0.0) -> list[tuple[float, float]]:
        """Its corners, clockwise from the far left, moved outwards by `rim_mm`."""
        x0, y0, x1, y1 = self.x0 - rim_mm, self.y0 - rim_mm, self.x1 + rim_mm, self.y1 + rim_mm
        return [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]
