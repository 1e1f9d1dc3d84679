"""The web server: cheroot, because it frees the threads of listeners who went away or read too slowly."""

from __future__ import annotations

import threading
from typing import Any, Final

from cheroot import wsgi

from companion.hub import Hub

__all__ = ["SPARE_THREADS", "WebServer"]

SPARE_THREADS: Final = 20
"""Threads beyond those that listeners can hold, so that pages always have one."""

TIMEOUT_S: Final = 10
"""A socket that takes nothing for this long is closed."""


class WebServer:
    """Serves an application until it is stopped."""

    def __init__(self, app: Any, hub: Hub, *, host: str = "127.0.0.1", port: int = 8080) -> None:
        """Bind to `host` and `port` (0 = any free one).

        Raises:
            OSError: the port is taken or may not be used.
        """
        self._hub = hub
        self._server = wsgi.Server(
            (host, port),
            app,
            numthreads=hub.limit + SPARE_THREADS,
            timeout=TIMEOUT_S,
            shutdown_timeout=3,
            request_queue_size=128,
            server_name="companion",
        )
        self._server.prepare()
        self._thread: threading.Thread | None = None

    @property
    def port(self) -> int:
        """The port that it listens on."""
        return int(self._server.bind_addr[1])

    def start(self) -> None:
        """Serve in a thread of its own and return."""
        self._thread = threading.Thread(target=self._server.serve, name="web", daemon=True)
        self._thread.start()

    def serve(self) -> None:
        """Serve in this thread until `stop` is called from another."""
        self._server.serve()

    def stop(self) -> None:
        """End every stream, answer what is being answered, and close. Stopping twice is harmless."""
        self._hub.close()
        self._server.stop()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(timeout=10)
            self._thread = None

    def __enter__(self) -> WebServer:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
