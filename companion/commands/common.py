"""What several commands share: reading input, and telling how far long work has come."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from companion.errors import BadInput

__all__ = ["input_lines", "print_json", "progress", "read_picture"]

PICTURE_BYTES = 200_000_000


def print_json(value: Any) -> None:
    """One JSON value a line on standard output."""
    click.echo(json.dumps(value, ensure_ascii=False, separators=(", ", ": ")))


def input_lines(name: str) -> list[bytes]:
    """The lines of a file, or of standard input for "-".

    Raises:
        BadInput: it cannot be opened.
    """
    if name == "-":
        return sys.stdin.buffer.read().splitlines()
    try:
        return Path(name).read_bytes().splitlines()
    except OSError as error:
        raise BadInput(
            f"{name} cannot be read ({error.strerror}); expected a file, or - for standard input."
        ) from error


def read_picture(name: str) -> Any:
    """A picture as (H, W, 3) uint8 BGR, turned upright as its EXIF says; "-" reads standard input.

    Raises:
        BadInput: it cannot be opened or is no picture.
    """
    import cv2
    import numpy as np

    if name == "-":
        data = sys.stdin.buffer.read(PICTURE_BYTES)
    else:
        try:
            data = Path(name).read_bytes()
        except OSError as error:
            raise BadInput(
                f"{name} cannot be read ({error.strerror}); expected a picture, or - for standard input."
            ) from error
    image = None
    if data:
        try:
            image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
        except cv2.error:
            image = None
    if image is None:
        what = "standard input" if name == "-" else name
        raise BadInput(f"{what} is not a picture that can be read; expected JPEG, PNG, WebP, BMP or TIFF.")
    return image


@contextmanager
def progress(label: str, total: int) -> Iterator[Callable[[int], None]]:
    """Call what this gives with how many are done; draws a bar on standard error when that is a terminal."""
    if not sys.stderr.isatty():
        yield lambda done: None
        return
    with click.progressbar(length=total, label=label, file=sys.stderr) as bar:
        yield lambda done: bar.update(done - bar.pos)
