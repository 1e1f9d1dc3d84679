"""A face's four corners as numbers that do not depend on which corner is named first.

The face is taken as a parallelogram with centre c and half diagonals p and q. Written as complex numbers, p and q
are known only up to sign and order, but p² + q² and p²q² are not touched by either. So a network can learn them
without a jump at any angle, and the corners follow as the roots of t² - (p² + q²) t + p²q².
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["MIRRORED", "corners_from_code", "corners_from_codes", "order_clockwise", "quad_code"]

MIRRORED = np.array([-1.0, 1.0, 1.0, 1.0, -1.0, 1.0, -1.0])
"""A code times this is that of the same face mirrored left to right."""
_CORNERS = np.arange(4)


def quad_code(corners: NDArray[np.floating]) -> NDArray[np.float64]:
    """(7,) centre x, y, log of the half diagonal, and the two invariants of the corners (4, 2) in order."""
    z = corners[:, 0].astype(float) + 1j * corners[:, 1].astype(float)
    centre, p, q = z.mean(), (z[0] - z[2]) / 2, (z[1] - z[3]) / 2
    size = np.sqrt((abs(p) ** 2 + abs(q) ** 2) / 2)
    a, b = (p**2 + q**2) / size**2, p**2 * q**2 / size**4
    return np.array([centre.real, centre.imag, np.log(size), a.real, a.imag, b.real, b.imag])


def corners_from_code(code: NDArray[np.floating]) -> NDArray[np.float64]:
    """The corners (4, 2), clockwise in image axes, of a code (7,)."""
    corners: NDArray[np.float64] = corners_from_codes(code[None])[0]
    return corners


def corners_from_codes(codes: NDArray[Any]) -> NDArray[np.float64]:
    """The corners (n, 4, 2), clockwise in image axes, the topmost-leftmost first, of codes (n, 7)."""
    x, y, log_size, a_real, a_imag, b_real, b_imag = codes.astype(np.float64).T
    centre, size = x + 1j * y, np.exp(np.minimum(np.maximum(log_size, -9), 9))
    a, b = a_real + 1j * a_imag, b_real + 1j * b_imag
    root = np.sqrt(a * a - 4 * b)
    p, q = size * np.sqrt((a + root) / 2), size * np.sqrt((a - root) / 2)
    q = np.where((p.conj() * q).imag < 0, -q, q)  # from p to q clockwise as seen in the image, y down
    corners = np.array((centre + p, centre + q, centre - p, centre - q)).T
    return _first_topmost(np.array((corners.real, corners.imag)).transpose(1, 2, 0))


def order_clockwise(corners: NDArray[np.floating]) -> NDArray[np.float64]:
    """Corners (4, 2) of a convex quad, clockwise as seen in the image (y down), the topmost-leftmost first."""
    middle = corners.mean(axis=0)
    angles = np.arctan2(corners[:, 1] - middle[1], corners[:, 0] - middle[0])
    ordered: NDArray[np.float64] = _first_topmost(np.asarray(corners, float)[np.argsort(angles)][None])[0]
    return ordered


def _first_topmost(corners: NDArray[np.float64]) -> NDArray[np.float64]:
    """Corners (n, 4, 2) in the same order around, begun with the topmost-leftmost of each."""
    first = (corners[:, :, 0] + corners[:, :, 1]).argmin(axis=1)
    turned: NDArray[np.float64] = corners[np.arange(len(corners))[:, None], (first[:, None] + _CORNERS) % 4]
    return turned
