"""Players of a simulated match: one match after another, in a thread of their own or step by step."""

from __future__ import annotations

import logging
from abc import abstractmethod

from companion.live.table import LiveTable
from companion.live.worker import Worker

__all__ = ["Players"]

TICK_S = 0.1
BREATH_S = 2.0
"""A pause after a stumble, so that it is not told twenty times a second."""

log = logging.getLogger(__name__)


class Players(Worker):
    """Plays by steps; a stumble is told at the table and does not end the play."""

    def __init__(self, table: LiveTable) -> None:
        super().__init__("demo", 3.0)
        self._table = table
        table.on_close(self.stop)

    @abstractmethod
    def step(self) -> None:
        """Do what is due by now."""

    def run(self) -> None:
        """Play until the table closes."""
        while not self.stopping.wait(TICK_S):
            try:
                self.step()
            except Exception as error:
                log.exception("the demo players")
                self._table.report(f"The demo players stumbled: {error}")
                self.stopping.wait(BREATH_S)
