"""Pages and answers for what goes wrong: a clear sentence, never a traceback."""

from __future__ import annotations

import logging

from flask import Flask, Response, jsonify, render_template, request
from werkzeug.exceptions import HTTPException

from companion.web.app import parts
from companion.web.pages import frame

__all__ = ["Refused", "register"]

log = logging.getLogger(__name__)


class Refused(Exception):
    """A request that cannot be served: the status, and the message of the catalogue that says why."""

    def __init__(self, status: int, key: str, **facts: object) -> None:
        super().__init__(key)
        self.status = status
        self.key = key
        self.facts = facts


def wants_json() -> bool:
    """True for requests of programs and scripts."""
    return request.path.startswith("/api/") or request.path == "/events"


def answer(status: int, key: str, /, **facts: object) -> Response:
    """An answer that says what went wrong, as a page or as JSON."""
    catalogue = parts().catalogue()
    sentence = catalogue.text(key, **facts)
    if wants_json():
        response = jsonify(error=sentence, code=key)
    else:
        html = render_template("error.html", **frame("error"), status=status, sentence=sentence)
        response = Response(html, mimetype="text/html")
    response.status_code = status
    return response


def register(app: Flask) -> None:
    """Give the application its error answers."""

    @app.errorhandler(Refused)
    def refused(error: Refused) -> Response:
        return answer(error.status, error.key, **error.facts)

    @app.errorhandler(HTTPException)
    def http(error: HTTPException) -> Response:
        status = error.code or 500
        described = str(error.description or "")
        key = described if described.startswith("page.error.") else f"page.error.{status}"
        if not parts().catalogue().has(key):
            key = "page.error.other"
        return answer(status, key, status=status)

    @app.errorhandler(Exception)
    def unexpected(error: Exception) -> Response:
        log.exception("A page failed: %s %s", request.method, request.path, exc_info=error)
        return answer(500, "page.error.500")
