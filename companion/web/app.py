"""The application factory of the dashboard."""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Protocol

from flask import Flask, Response, current_app, request

from companion.catalogue import DEFAULT_LANGUAGE, Catalogue, languages
from companion.evidence.archive import Archive
from companion.hub import Hub
from companion.wall import is_unsynchronised
from companion.web.present import Presenter
from companion.web.roles import Roles
from device.buttons.base import Press
from rules.events import Submission
from rules.header import Header
from rules.referee import Entry

__all__ = ["Parts", "TableLike", "create_app", "parts"]

SECURITY_HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}

LARGEST_POST: Final = 64 * 1024

log = logging.getLogger(__name__)


class TableLike(Protocol):
    """What the dashboard needs of the live table; every method may be called from any thread."""

    @property
    def header(self) -> Header: ...

    def view(self) -> dict[str, Any]: ...

    def submit(self, submission: Submission[Any], timeout_s: float = 5.0) -> Entry: ...

    def press(self, press: Press) -> None: ...

    def entries(self, since: int = 0) -> list[Entry]: ...

    def log_lines(self) -> Iterable[bytes]: ...

    def picture(self) -> tuple[bytes, Any] | None: ...

    def settled_dice(self, seat: int | None = None) -> list[dict[str, Any]]: ...

    def look_privately(self, seat: int) -> Any: ...

    @property
    def colours(self) -> Any: ...


class SpeakerLike(Protocol):
    """What speaks at the table."""

    def say(self, text: str, *, language: str, keep: bool = False) -> None: ...

    def stop(self) -> None: ...


class EvidenceLike(Protocol):
    """What keeps evidence; every method may be called from any thread."""

    archive: Archive

    def waits_for(self, match: str, seq: int) -> bool: ...


@dataclass(frozen=True, slots=True)
class Parts:
    """What every request works with."""

    table: Any
    hub: Hub
    roles: Roles
    catalogues: Mapping[str, Catalogue]
    language: str
    presenter: Presenter
    speaker: SpeakerLike | None
    now_ns: Callable[[], int]
    heartbeat_s: float
    boot: str
    evidence: EvidenceLike | None
    press: Callable[[Press], None] | None

    def catalogue(self) -> Catalogue:
        """The catalogue in the language of the browser that asks: its choice, else the table's."""
        wanted = request.args.get("lang") or request.cookies.get("language") or self.language
        return self.catalogues.get(wanted) or self.catalogues[self.language]


def parts() -> Parts:
    """What this application was made of."""
    found: Parts = current_app.extensions["companion"]
    return found


def create_app(
    table: TableLike,
    hub: Hub,
    *,
    judge_pin: str,
    seat_codes: Mapping[int, str],
    language: str = DEFAULT_LANGUAGE,
    speaker: SpeakerLike | None = None,
    now_ns: Callable[[], int] = time.monotonic_ns,
    heartbeat_s: float | None = None,
    secret_key: bytes | None = None,
    evidence: EvidenceLike | None = None,
    press: Callable[[Press], None] | None = None,
) -> Flask:
    """The dashboard of a table.

    Args:
        table: the live table.
        hub: what the table publishes to.
        judge_pin: lets a browser correct: the judge's, or the group's when the match has no judge.
        seat_codes: by player number, lets a browser act for a seat.
        language: of pages until somebody chooses another, and of speech at the table.
        speaker: speaks the reading aid at the table; None = only the page does.
        now_ns: the monotonic clock that presses from phones are stamped with.
        heartbeat_s: longest silence on an event stream.
        evidence: what is kept of presses; None = nothing is.
        secret_key: signs the role cookie; a new one for each start when not given.
        press: takes the presses of pages; None = the table does.

    Raises:
        LookupError: there is no catalogue for `language`.
    """
    from companion.web import api, errors, evidence_pages, pages
    from companion.web.stream import HEARTBEAT_S

    app = Flask(__name__, static_folder="static", template_folder="templates")
    app.secret_key = secret_key or secrets.token_bytes(32)
    app.config.update(
        SESSION_COOKIE_NAME="companion",
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Strict",
        MAX_CONTENT_LENGTH=LARGEST_POST,
        SEND_FILE_MAX_AGE_DEFAULT=0,
    )
    app.jinja_env.tests["unsynchronised"] = is_unsynchronised
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    catalogues = {name: Catalogue(name) for name in languages()}
    if language not in catalogues:
        Catalogue(language)  # raises with the list of languages
    app.extensions["companion"] = Parts(
        table=table,
        hub=hub,
        roles=Roles(judge_pin, seat_codes, now_ns),
        catalogues=catalogues,
        language=language,
        presenter=Presenter(lambda: table.header, app.jinja_env),
        speaker=speaker,
        now_ns=now_ns,
        heartbeat_s=HEARTBEAT_S if heartbeat_s is None else heartbeat_s,
        boot=secrets.token_hex(8),
        evidence=evidence,
        press=press,
    )
    app.register_blueprint(pages.blueprint)
    app.register_blueprint(api.blueprint)
    app.register_blueprint(evidence_pages.blueprint)
    errors.register(app)
    app.after_request(_secure)
    return app


def _secure(response: Response) -> Response:
    for name, value in SECURITY_HEADERS.items():
        response.headers.setdefault(name, value)
    if not request.path.startswith("/static/"):
        response.headers.setdefault("Cache-Control", "no-store")
    return response


def lines_of(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Log lines with their line ends, for a download."""
    for chunk in chunks:
        yield chunk.rstrip(b"\n") + b"\n"
