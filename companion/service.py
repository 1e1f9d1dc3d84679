"""Telling a service manager (systemd) that the table is ready, alive, or ending, by the datagrams it asks for.

Nothing is sent where no service manager asked: then every call does nothing. The protocol is that of sd_notify(3).
"""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from typing import Protocol

from companion.errors import TableClosed

__all__ = ["Pulse", "Service", "sender_to"]

log = logging.getLogger(__name__)


def sender_to(address: str) -> Callable[[bytes], None]:
    """What sends a datagram to the socket of a service manager; an address that begins with @ is an abstract one."""
    place = "\0" + address[1:] if address.startswith("@") else address

    def send(message: bytes) -> None:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as channel:
            channel.setblocking(False)
            channel.sendto(message, place)

    return send


class Service:
    """This process as a service.

    Attributes:
        watched: whether the service manager restarts what gives no sign of life in time.
    """

    def __init__(
        self,
        environment: Mapping[str, str] | None = None,
        *,
        process: int | None = None,
        send: Callable[[bytes], None] | None = None,
    ) -> None:
        """Take what the service manager left in the environment: NOTIFY_SOCKET, WATCHDOG_USEC and WATCHDOG_PID."""
        known = os.environ if environment is None else environment
        address = known.get("NOTIFY_SOCKET", "")
        self._send = send if send is not None and address else sender_to(address) if address else None
        meant = known.get("WATCHDOG_PID", "")
        mine = not meant or meant == str(os.getpid() if process is None else process)
        self.watched = self._send is not None and mine and known.get("WATCHDOG_USEC", "").isdecimal()

    def ready(self, status: str) -> None:
        """The table can be played at; `status` is shown by `systemctl status`."""
        self._tell(f"READY=1\nSTATUS={_one_line(status)}")

    def alive(self) -> None:
        """A sign of life, to be given only while the table answers."""
        if self.watched:
            self._tell("WATCHDOG=1")

    def ending(self) -> None:
        """The table closes; this may take a moment."""
        self._tell("STOPPING=1")

    def _tell(self, message: str) -> None:
        if self._send is None:
            return
        try:
            self._send(message.encode())
        except OSError as error:
            log.warning("the service manager could not be told %r: %s", message, error)


class Asks(Protocol):
    """What is asked for a sign of life; see LiveTable.ask."""

    def ask(self, answer: Future[None]) -> None:
        """Give `answer` its result."""
        ...


class Pulse:
    """Asks a table again and again whether it comes to what it is asked, without ever waiting for it."""

    def __init__(self, table: Asks) -> None:
        self._table = table
        self._answer: Future[None] | None = None

    def beats(self) -> bool:
        """True when the table has answered since the last time this was asked; the first time it is only asked."""
        answered = self._answer is not None and self._answer.done() and not self._answer.cancelled()
        if self._answer is None or answered:
            self._answer = Future()
            try:
                self._table.ask(self._answer)
            except TableClosed:
                self._answer = None
                return False
        return answered


def _one_line(text: str) -> str:
    return " ".join(text.split())
