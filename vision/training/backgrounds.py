"""What dice lie on: plain, wood, felt, woven, stone, print, paper, grilles, or part of a photograph."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

__all__ = ["random_background"]

Rng = np.random.Generator
Array = NDArray[np.float32]


def _colour(rng: Rng, saturation: float = 160) -> Array:
    pixel = np.array([[[rng.integers(180), rng.uniform(0, saturation), rng.uniform(20, 250)]]], np.uint8)
    return cv2.cvtColor(pixel, cv2.COLOR_HSV2BGR)[0, 0].astype(np.float32)


def _noise(rng: Rng, size: int, cells: tuple[float, float]) -> Array:
    small = rng.normal(0, 1, (max(2, int(cells[1])), max(2, int(cells[0])))).astype(np.float32)
    return cv2.resize(small, (size, size), interpolation=cv2.INTER_CUBIC)


def _plain(rng: Rng, size: int) -> Array:
    return np.zeros((size, size, 3), np.float32) + _colour(rng, rng.choice([30, 200]))


def _wood(rng: Rng, size: int) -> Array:
    base = cv2.cvtColor(
        np.array([[[rng.uniform(5, 22), rng.uniform(30, 200), rng.uniform(50, 235)]]], np.uint8), cv2.COLOR_HSV2BGR
    )[0, 0].astype(np.float32)
    rows = rng.uniform(6, 60)
    grain = _noise(rng, size, (rng.uniform(2, 5), rows)) + 0.6 * _noise(rng, size, (rng.uniform(3, 9), rows * 3))
    if rng.random() < 0.4:
        grain += np.sin(_noise(rng, size, (3, 3)) * rng.uniform(3, 12) + np.linspace(0, rows, size)[:, None]) * 0.7
    image = base * (1 + grain[:, :, None] * rng.uniform(0.03, 0.16))
    if rng.random() < 0.3:
        for _ in range(rng.integers(1, 4)):
            y = int(rng.integers(size))
            cv2.line(image, (0, y), (size, y), (base * 0.4).tolist(), int(rng.integers(1, 4)))
    for _ in range(rng.integers(0, 4) if rng.random() < 0.3 else 0):
        at = tuple(int(v) for v in rng.integers(0, size, 2))
        radius = int(rng.integers(3, 14))
        cv2.ellipse(
            image,
            at,
            (radius, max(2, radius // 2)),
            rng.uniform(0, 180),
            0,
            360,
            (base * 0.45).tolist(),
            -1,
            cv2.LINE_AA,
        )
    return np.rot90(image).copy() if rng.random() < 0.5 else image


def _felt(rng: Rng, size: int) -> Array:
    base = _colour(rng, 255)
    fine = _noise(rng, size, (size / rng.uniform(1, 3), size / rng.uniform(1, 3)))
    return base * (1 + (fine * rng.uniform(0.02, 0.22) + _noise(rng, size, (5, 5)) * 0.05)[:, :, None])


def _woven(rng: Rng, size: int) -> Array:
    yy, xx = np.mgrid[0:size, 0:size].astype(np.float32)
    pitch, turn = rng.uniform(3, 24), rng.uniform(0, np.pi)
    u, v = xx * np.cos(turn) + yy * np.sin(turn), yy * np.cos(turn) - xx * np.sin(turn)
    kind = rng.integers(3)
    if kind == 0:
        pattern = np.sin(u * 2 * np.pi / pitch) * np.sin(v * 2 * np.pi / pitch)
    elif kind == 1:
        pattern = np.sign(np.sin(u * 2 * np.pi / pitch))
    else:
        pattern = np.sign(np.sin(u * 2 * np.pi / pitch) * np.sin(v * 2 * np.pi / pitch))
    mix = (pattern[:, :, None] * 0.5 + 0.5) * rng.uniform(0.1, 1)
    return _colour(rng) * (1 - mix) + _colour(rng) * mix


def _stone(rng: Rng, size: int) -> Array:
    image = _plain(rng, size)
    for cells in (size / 3, size / 8, size / 20):
        spots = _noise(rng, size, (cells, cells)) > rng.uniform(0.7, 1.6)
        image[spots] = _colour(rng, 80)
    return cv2.GaussianBlur(image, (0, 0), rng.uniform(0.5, 1.5))


def _print(rng: Rng, size: int) -> Array:
    image = _plain(rng, size)
    for _ in range(rng.integers(5, 40)):
        colour = _colour(rng, 230).tolist()
        at = rng.integers(-20, size + 20, 2)
        extent = rng.integers(6, size // 2, 2)
        kind = rng.integers(5)
        if kind == 0:
            cv2.rectangle(image, at.tolist(), (at + extent).tolist(), colour, int(rng.choice([-1, 1, 3])))
        elif kind == 1:
            cv2.circle(image, at.tolist(), int(extent[0] // 4 + 2), colour, int(rng.choice([-1, 2])), cv2.LINE_AA)
        elif kind == 2:
            cv2.fillPoly(
                image,
                [(at + rng.integers(-60, 60, (int(rng.integers(3, 7)), 2))).astype(np.int32)],
                colour,
                cv2.LINE_AA,
            )
        elif kind == 3:
            text = "".join(rng.choice(list("ABCDEFGHKLMNOPRSTabcdeghnoprst0123456789 "), 8))
            cv2.putText(
                image,
                text,
                at.tolist(),
                int(rng.integers(0, 5)),
                rng.uniform(0.3, 2),
                colour,
                int(rng.integers(1, 4)),
                cv2.LINE_AA,
            )
        else:
            cv2.line(
                image, at.tolist(), rng.integers(0, size, 2).tolist(), colour, int(rng.integers(1, 6)), cv2.LINE_AA
            )
    return image


def _paper(rng: Rng, size: int) -> Array:
    image = np.zeros((size, size, 3), np.float32) + rng.uniform(180, 250)
    pitch, colour = rng.uniform(8, 40), _colour(rng, 180).tolist()
    squared = rng.random() < 0.5
    for at in np.arange(0, size, pitch):
        cv2.line(image, (0, int(at)), (size, int(at)), colour, 1)
        if squared:
            cv2.line(image, (int(at), 0), (int(at), size), colour, 1)
        elif rng.random() < 0.8:
            text = "".join(rng.choice(list("abcdefghilmnoprstuvz      "), 40))
            cv2.putText(image, text, (int(rng.integers(0, 60)), int(at)), 0, pitch / 45, (40, 40, 40), 1, cv2.LINE_AA)
    return image


def _dots(rng: Rng, size: int) -> Array:
    """Holes, polka dots, speckle: round things in rows that are no pips."""
    image = _plain(rng, size)
    pitch, colour = rng.uniform(7, 40), _colour(rng, 200).tolist()
    radius = pitch * rng.uniform(0.15, 0.4)
    jitter = pitch * (rng.uniform(0, 0.4) if rng.random() < 0.5 else 0)
    for y in np.arange(0, size, pitch):
        for x in np.arange(0, size, pitch):
            at = np.round((np.array([x, y]) + rng.normal(0, 1, 2) * jitter) * 16).astype(int)
            cv2.circle(image, at.tolist(), round(radius * 16), colour, -1, cv2.LINE_AA, 4)
    return image


def _machine(rng: Rng, size: int) -> Array:
    """Grilles, fans, rings and spokes, bright and dark, partly blown out by a lamp: what stands in for a table."""
    image = _plain(rng, size)
    dark, light = _colour(rng, 120) * 0.3, np.clip(_colour(rng, 200) * rng.uniform(1, 1.8), 0, 255)
    pitch, width = rng.uniform(14, 70), int(rng.integers(2, 12))
    turn = rng.uniform(0, np.pi)
    if rng.random() < 0.7:
        image[:] = dark
        for across in (turn, turn + np.pi / 2)[: int(rng.integers(1, 3))]:
            step = np.array([np.cos(across), np.sin(across)])
            along = np.array([-step[1], step[0]]) * size
            for k in np.arange(-size, size, pitch):
                middle = size / 2 + step * k
                ends = [np.round(middle + side * along).astype(int).tolist() for side in (-1, 1)]
                cv2.line(image, ends[0], ends[1], light.tolist(), width, cv2.LINE_AA)
    centre = rng.uniform(0.2, 0.8, 2) * size
    for radius in np.cumsum(rng.uniform(0.04, 0.25, int(rng.integers(0, 6)))) * size + rng.uniform(0.1, 0.4) * size:
        colour = (light if rng.random() < 0.5 else dark).tolist()
        at = np.round(centre).astype(int).tolist()
        cv2.circle(image, at, int(radius), colour, int(rng.integers(2, 30)), cv2.LINE_AA)
    spokes = int(rng.integers(5, 24)) if rng.random() < 0.4 else 0
    for angle in np.arange(spokes) * 2 * np.pi / max(spokes, 1):
        ray = np.array([np.cos(angle), np.sin(angle)])
        ends = [np.round(centre + ray * reach * size).astype(int).tolist() for reach in (rng.uniform(0.2, 0.5), 1.2)]
        cv2.line(image, ends[0], ends[1], light.tolist(), width, cv2.LINE_AA)
    image += (_noise(rng, size, (4, 4)) * rng.uniform(0, 60))[:, :, None]
    if rng.random() < 0.4:
        image *= rng.uniform(1.2, 2.5)
    return cv2.GaussianBlur(np.clip(image, 0, 255), (0, 0), rng.uniform(0.5, 3))


_KINDS = (_plain, _wood, _felt, _woven, _stone, _print, _paper, _dots, _machine)
_CHANCES = (0.19, 0.18, 0.16, 0.08, 0.08, 0.13, 0.07, 0.06, 0.05)


def random_background(rng: Rng, size: int, photographs: list[NDArray[np.uint8]] | None = None) -> Array:
    """A (size, size, 3) float32 BGR background, sometimes a piece of one of the given photographs without dice."""
    if photographs and rng.random() < 0.25:
        piece = photographs[int(rng.integers(len(photographs)))]
        crop = int(rng.uniform(0.4, 1.0) * min(piece.shape[:2]))
        y, x = int(rng.integers(piece.shape[0] - crop + 1)), int(rng.integers(piece.shape[1] - crop + 1))
        image = cv2.resize(piece[y : y + crop, x : x + crop], (size, size), interpolation=cv2.INTER_LINEAR).astype(
            np.float32
        )
        image = np.rot90(image, int(rng.integers(4))).copy()
    else:
        image = _KINDS[rng.choice(len(_KINDS), p=_CHANCES)](rng, size)
        if rng.random() < 0.3:
            turn = cv2.getRotationMatrix2D((size / 2, size / 2), rng.uniform(0, 360), 1.45)
            image = cv2.warpAffine(image, turn, (size, size), borderMode=cv2.BORDER_REFLECT)
    return np.clip(image, 0, 255).astype(np.float32)
