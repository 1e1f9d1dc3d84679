"""Where the record of matches is kept."""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["DATA_VARIABLE", "data_directory"]

DATA_VARIABLE = "TABLETOP_DATA"
"""Environment variable that names the data directory when the command line does not."""


def data_directory(given: str | Path | None = None) -> Path:
    """The data directory: the one given, else that of TABLETOP_DATA, else the user's own of this system."""
    chosen = given or os.environ.get(DATA_VARIABLE)
    if chosen:
        return Path(chosen).expanduser()
    import platformdirs  # only needed without a choice; it costs start-up time

    return Path(platformdirs.user_data_dir("tabletop-companion", appauthor=False))
