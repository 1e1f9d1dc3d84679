"""What scripts ask: the event stream, the view, actions, the reading aid."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
from flask import Blueprint, Response, jsonify, request

from companion.catalogue import Catalogue
from companion.errors import StoreFailed, TableBusy, TableClosed
from companion.hub import Published, TooManyListeners
from companion.wall import wall_label
from companion.web import stream
from companion.web.aloud import NewNotices
from companion.web.app import Parts, parts
from companion.web.errors import Refused
from companion.web.games import screens_of
from companion.web.present import announcements, present_entry
from companion.web.roles import check_origin, current_role, may_submit, source_of
from device.buttons.base import Press
from rules.errors import RulesError, UnreadableInput
from rules.events import Submission
from rules.games import referee_for
from rules.referee import Entry
from rules.rulings import Verdict

__all__ = ["blueprint"]

blueprint = Blueprint("api", __name__)

MISSED_AT_MOST = 200
"""Missed entries that are sent again; a listener that missed more gets the newest of them and the full view."""

SEAT_BUTTONS = frozenset({"claim", "call"})


class _Follower:
    """Renders what one listener gets: only the regions that changed since it was last sent them."""

    def __init__(self, own: Parts, catalogue: Catalogue, page: str, *, judge: bool, seat: int | None) -> None:
        self._own = own
        self._catalogue = catalogue
        self._page = page
        self._judge = judge
        self._seat = seat
        self._sent: dict[str, str] = {}
        self._view: dict[str, Any] = {}
        self._view_number: int | str = 0
        self._notices = NewNotices()

    def view(self, view: dict[str, Any], number: int | str, dice_number: int = 0) -> dict[str, Any]:
        """The payload of a view: the plain data and the regions that changed."""
        self._view, self._view_number = view, number
        version = (number, dice_number)
        regions = self._own.presenter.regions(
            self._page, view, self._catalogue, version, judge=self._judge, seat=self._seat
        )
        changed = {name: html for name, html in regions.items() if self._sent.get(name) != html}
        self._sent.update(changed)
        return {"seq": view.get("seq", 0), "match": view.get("match"), "html": changed}

    def entry(self, entry: dict[str, Any]) -> dict[str, Any]:
        """The payload of an entry: the plain data and what live regions say."""
        shown = present_entry(entry, self._own.table.header, self._catalogue)
        return {"seq": shown["seq"], "entry": entry, "say": announcements(shown, self._catalogue)}

    def dice(self, data: dict[str, Any], number: int) -> dict[str, Any]:
        """The payload of newer dice, laid over the last view, and what live regions say of them."""
        header = self._own.table.header
        payload = self.view(screens_of(header.game).newer(self._view, data), self._view_number, number)
        due = self._notices.due(data.get("notices", ()), header, self._catalogue)
        said = [{"text": text, "kind": "notice", "keep": True, "alert": False, "reading": False} for text in due]
        return {"html": payload["html"], "say": said}


def _follower(own: Parts) -> _Follower:
    page = request.args.get("page", "table")
    screens = screens_of(own.table.header.game)
    if page not in screens.regions:
        raise Refused(400, "page.error.bad-page")
    seat = request.args.get("seat", type=int)
    role = current_role()
    return _Follower(
        own,
        own.catalogue(),
        page,
        judge=role.may_show_dice if page == "colours" else page in screens.acting_pages and role.judge,
        seat=seat if seat in role.seats else None,
    )


def _last_id() -> int | None:
    """The last event id that the listener saw; None when it saw none or says something else than a number."""
    given = request.headers.get("Last-Event-ID") or request.args.get("since")
    return int(given) if given and given.isascii() and given.isdigit() and len(given) < 16 else None


@blueprint.get("/events")
def events() -> Response:
    """The event stream: `entry` (id = sequence number), `view` and `dice`."""
    own = parts()
    follower = _follower(own)
    last_id = _last_id()
    if last_id is not None and last_id > int(own.table.view().get("seq", 0)):
        last_id = None  # the listener followed another match
    try:
        subscription = own.hub.subscribe(last_id)
    except TooManyListeners as error:
        raise Refused(503, "page.error.too-many-listeners", limit=own.hub.limit) from error

    def first() -> Iterator[bytes]:
        missed = own.table.entries(last_id)[-MISSED_AT_MOST:] if last_id is not None else []
        for entry in missed:
            payload = follower.entry(msgspec.to_builtins(entry))
            yield stream.format_event("entry", {**payload, "missed": True}, entry.seq)
        if missed:
            subscription.skip_to(missed[-1].seq)
        view = own.table.view()
        if last_id is None:
            subscription.skip_to(int(view.get("seq", 0)))
        payload = follower.view(view, f"first {id(follower)}")
        yield stream.format_event("view", {**payload, "boot": own.boot}, payload["seq"] if last_id is None else None)

    def render(message: Published) -> bytes | None:
        if message.topic == "entry":
            return stream.format_event("entry", follower.entry(message.data), message.seq)
        if message.topic == "view":
            return stream.format_event("view", follower.view(message.data, message.number))
        payload = follower.dice(message.data, message.number)
        return stream.format_event(message.topic, payload) if payload["html"] or payload["say"] else None

    body = stream.EventStream(subscription, first, render, heartbeat_s=own.heartbeat_s)
    return Response(body, headers=stream.HEADERS)


@blueprint.get("/api/view")
def view() -> Response:
    """The view with the regions of a page, and the entries since one that the listener names."""
    own = parts()
    follower = _follower(own)
    since = _last_id()
    missed = [] if since is None else own.table.entries(since)[-MISSED_AT_MOST:]
    now = own.table.view()
    payload = follower.view(now, f"first {id(follower)}")
    entries = [follower.entry(msgspec.to_builtins(entry)) for entry in missed]
    return jsonify({**payload, "view": now, "entries": entries, "boot": own.boot})


def _posted() -> dict[str, Any]:
    """The JSON object of a post from our own pages."""
    check_origin()
    if request.mimetype != "application/json":
        raise Refused(400, "page.error.not-json")
    try:
        data = msgspec.json.decode(request.get_data())
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise Refused(400, "page.error.not-json") from error
    if not isinstance(data, dict):
        raise Refused(400, "page.error.not-json")
    return data


def _filed(own: Parts) -> Submission[Any]:
    """The event of a post, as this browser's role files it."""
    data = _posted()
    event = data.get("event")
    if not isinstance(event, dict):
        raise Refused(400, "page.error.no-event")
    role = current_role()
    header = own.table.header
    if not may_submit(role, header, event):
        raise Refused(403, "page.error.not-yours")
    filed: dict[str, Any] = {"event": event, "source": source_of(role, header, event), "wall": wall_label()}
    filed["at_ns"] = own.now_ns()
    if data.get("answers") is not None:
        filed["answers"] = data["answers"]
    try:
        return referee_for(header.game, header.rules_version).read_submission(msgspec.json.encode(filed))
    except (UnreadableInput, RulesError) as error:
        raise Refused(400, "page.error.unreadable-event", problem=str(error)) from error
    except (msgspec.EncodeError, TypeError, ValueError) as error:
        raise Refused(400, "page.error.not-json") from error


@blueprint.post("/api/submit")
def submit() -> Response:
    """File an event as this browser's role; answers with the entry and its rulings in words."""
    own = parts()
    submission = _filed(own)
    try:
        entry = own.table.submit(submission)
    except TableBusy as error:
        raise Refused(503, "page.error.busy") from error
    except TableClosed as error:
        raise Refused(503, "page.error.closed") from error
    except StoreFailed as error:
        raise Refused(503, "page.error.not-stored") from error
    return jsonify(seq=entry.seq, **_ruled(own, entry))


@blueprint.post("/api/ask")
def ask() -> Response:
    """What the referee would say of an event of this browser's role, in words; nothing is filed and nothing changes."""
    own = parts()
    entry, _ = own.table.match.judge(_filed(own))
    return jsonify(_ruled(own, entry))


def _ruled(own: Parts, entry: Entry) -> dict[str, Any]:
    accepted = any(ruling.verdict is not Verdict.REFUSED for ruling in entry.rulings)
    return {"accepted": accepted, "rulings": present_entry(entry, own.table.header, own.catalogue())["rulings"]}


@blueprint.post("/api/press")
def press() -> Response:
    """Press a button of a seat; it counts from its arrival and is marked as not timed by the kernel."""
    own = parts()
    edge_ns = own.now_ns()
    data = _posted()
    seat, button = data.get("seat"), data.get("button")
    if type(seat) is not int or button not in SEAT_BUTTONS:
        raise Refused(400, "page.error.bad-button")
    if seat not in current_role().seats:
        raise Refused(403, "page.error.not-yours")
    try:
        take = own.press or own.table.press
        take(Press(seat, str(button), edge_ns, "dashboard", kernel_timed=False))
    except TableClosed as error:
        raise Refused(503, "page.error.closed") from error
    return jsonify(pressed=True)


@blueprint.post("/api/colours")
def colours() -> Response:
    """Ask seats to show their dice (`do` "begin", of all or of `seats`), stop asking ("stop"), or "forget" them all."""
    own = parts()
    data = _posted()
    if "colours" not in screens_of(own.table.header.game).regions:
        raise Refused(404, "page.error.404")
    if not current_role().may_show_dice:
        raise Refused(403, "page.error.not-yours")
    what, seats = data.get("do"), data.get("seats", [])
    known = {seat.number for seat in own.table.header.seats}
    named = isinstance(seats, list) and all(type(each) is int and each in known for each in seats)
    if what not in ("begin", "stop", "forget") or not named:
        raise Refused(400, "page.error.bad-colours")
    if what == "begin" and own.table.view()["camera"]["state"] != "watching":
        raise Refused(409, "page.error.nobody-looks")
    if what == "begin":
        own.table.colours.begin(seats)
    elif what == "stop":
        own.table.colours.stop()
    else:
        own.table.colours.forget()
    return jsonify(own.table.colours.plain())


@blueprint.get("/api/aid")
def aid() -> Response:
    """The settled dice in a sentence, of one seat or of all."""
    return jsonify(text=_aid_text(request.args.get("seat", type=int)))


@blueprint.post("/api/aid")
def aid_aloud() -> Response:
    """The same, spoken at the table too."""
    own = parts()
    data = _posted()
    seat = data.get("seat")
    text = _aid_text(seat if type(seat) is int else None)
    if own.speaker is not None:
        own.speaker.say(text, language=own.catalogue().language)
    return jsonify(text=text, aloud=own.speaker is not None)


@blueprint.post("/api/hush")
def hush() -> Response:
    """Silence the voice at the table at once, with all that waits to be said; for whoever plays or judges."""
    own = parts()
    _posted()
    role = current_role()
    if not role.judge and not role.seats:
        raise Refused(403, "page.error.not-yours")
    if own.speaker is not None:
        own.speaker.stop()
    return jsonify(silenced=own.speaker is not None)


@blueprint.post("/api/private/<int:seat>")
def private(seat: int) -> Response:
    """What lies in the nook of a seat, for that seat alone: nothing of it is kept, told to others or spoken aloud."""
    _posted()
    own = parts()
    header = own.table.header
    screens = screens_of(header.game)
    if "private" not in screens.regions or header.seat(seat) is None:
        raise Refused(404, "page.error.404")
    if seat not in current_role().seats:
        raise Refused(403, "page.error.not-yours")
    look = own.table.look_privately(seat)
    card, words = screens.private_words(look.card, look.reason, header, own.catalogue())
    answer = jsonify(card=card, words=words)
    answer.headers["Cache-Control"] = "no-store"
    return answer


def _aid_text(seat: int | None) -> str:
    own = parts()
    header = own.table.header
    return screens_of(header.game).aid(own.table, header, own.catalogue(), seat)


@blueprint.get("/api/camera")
def camera() -> Response:
    """What the camera page lists in words: the newest reading."""
    own = parts()
    catalogue = own.catalogue()
    found = own.table.picture()
    if found is None:
        return jsonify(sequence=None, dice=[], markers=[], text=catalogue.text("camera.no-picture"))
    reading = found[1]
    header = own.table.header
    dice, markers, text = screens_of(header.game).seen(reading, header, catalogue)
    return jsonify(sequence=reading.sequence, dice=dice, markers=markers, text=text)


@blueprint.get("/healthz")
def healthz() -> Response:
    """Says that the server answers; for services and scripts."""
    own = parts()
    return jsonify(ok=True, boot=own.boot, listeners=own.hub.listeners)
