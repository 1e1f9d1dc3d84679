"""A face's four corners as numbers that do not depend on which corner is named first.

The face is taken as a parallelogram with centre c and half diagonals p and q. Written as complex numbers, p and q
are known only up to sign and order, but p² + q² and p²q² are not touched by either. So a network can learn them
without a jump at any angle, and the corners follow as the roots of t² - (p² + q²) t + p²q².
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["corners_from_code", "order_clockwise", "quad_code"]


def quad_code(corners: NDArray[np.floating]) -> NDArray[np.float64]:
    """(7,) centre x, y, log of the half diagonal, and the two invariants of the corners (4, 2) in order."""
    z = corners[:, 0].astype(float) + 1j * corners[:, 1].astype(float)
    centre, p, q = z.mean(), (z[0] - z[2]) / 2, (z[1] - z[3]) / 2
    size = np.sqrt((abs(p) ** 2 + abs(q) ** 2) / 2)
    a, b = (p**2 + q**2) / size**2, p**2 * q**2 / size**4
    return np.array([centre.real, centre.imag, np.log(size), a.real, a.imag, b.real, b.imag])


def corners_from_code(code: NDArray[np.floating]) -> NDArray[np.float64]:
    """The corners (4, 2), clockwise in image axes, of a code (7,)."""
    centre, size = complex(code[0], code[1]), float(np.exp(code[2]))
    a, b = complex(code[3], code[4]), complex(code[5], code[6])
    root = np.sqrt(a * a - 4 * b)
    p, q = size * np.sqrt((a + root) / 2), size * np.sqrt((a - root) / 2)
    z = np.array([centre + p, centre + q, centre - p, centre - q])
    return order_clockwise(np.column_stack([z.real, z.imag]))


def order_clockwise(corners: NDArray[np.floating]) -> NDArray[np.float64]:
    """Corners (4, 2) of a convex quad, clockwise as seen in the image (y down), the topmost-leftmost first."""
    middle = corners.mean(axis=0)
    angles = np.arctan2(corners[:, 1] - middle[1], corners[:, 0] - middle[0])
    ordered = np.asarray(corners, float)[np.argsort(angles)]
    return np.roll(ordered, -int(np.argmin(ordered.sum(axis=1))), axis=0)
