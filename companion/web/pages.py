"""The pages: table, judge, camera, colours of dice, record, reading aid, seat, help."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from flask import Blueprint, Response, abort, redirect, render_template, request, session, url_for
from werkzeug.wrappers import Response as AnyResponse

from companion.catalogue import DEFAULT_LANGUAGE
from companion.web.app import lines_of, parts
from companion.web.games import screens_of
from companion.web.present import as_markup, option_words
from companion.web.record import csv_of, filtered, rows_of
from companion.web.roles import TooManyTries, check_origin, current_role
from companion.web.seats import look_of

__all__ = ["blueprint", "frame"]

blueprint = Blueprint("pages", __name__)

SCRIPT_WORDS = "js."
"""Messages with this prefix go to the scripts of every page."""

PAGE_ENTRIES = 100


def frame(page: str) -> dict[str, Any]:
    """What every page needs: the catalogue, the header, links, and the words of its scripts."""
    own = parts()
    catalogue = own.catalogue()
    header = own.table.header
    screens = screens_of(header.game)
    both = own.catalogues[DEFAULT_LANGUAGE].keys() | catalogue.keys()
    words = {key: catalogue.form(key) for key in sorted(both) if key.startswith(SCRIPT_WORDS)}
    return {
        "t": catalogue.text,
        "maybe": catalogue.maybe,
        "catalogue": catalogue,
        "language": catalogue.language,
        "languages": {name: each.text("language.name") for name, each in own.catalogues.items()},
        "page": page,
        "header": header,
        "title": catalogue.maybe(f"game.{header.game}", header.game),
        "looks": {seat.number: look_of(seat.number, seat.colour) for seat in header.seats},
        "role": current_role(),
        "page_data": {"page": page, "language": catalogue.language, "words": words},
        "sheet": screens.sheet,
        "announce_all": screens.announce_all,
    }


def live(page: str, *, judge: bool = False, seat: int | None = None) -> dict[str, Any]:
    """A page that follows the table: its frame and its regions as they stand."""
    own = parts()
    view = own.table.view()
    context = frame(page)
    catalogue = context["catalogue"]
    regions = own.presenter.regions(page, view, catalogue, ("once", object()), judge=judge, seat=seat)
    context["page_data"].update(seq=view.get("seq", 0), match=view.get("match"), judge=judge, seat=seat)
    context.update(
        regions=as_markup(regions),
        view=view,
        options=[option_words(name, value, catalogue) for name, value in view.get("options", {}).items()],
    )
    return context


def _render(page: str, context: dict[str, Any], **more: Any) -> str:
    """A page by the game's own template, or the shared one."""
    names = screens_of(parts().table.header.game).templates(f"{page}.html")
    return render_template([*names], **context, **more)


@blueprint.get("/")
def table() -> str:
    """The table, large."""
    own = parts()
    acts = "table" in screens_of(own.table.header.game).acting_pages and current_role().judge
    return _render("table", live("table", judge=acts))


@blueprint.get("/judge")
def judge() -> AnyResponse | str:
    """Corrections; asks for the PIN first."""
    if not current_role().judge:
        return render_template("login.html", **frame("judge"), seat=None, failed=request.args.get("failed"))
    return _render("judge", live("judge", judge=True))


@blueprint.post("/judge")
def judge_login() -> AnyResponse:
    """Check the PIN."""
    check_origin()
    try:
        right = parts().roles.judge(request.form.get("code", ""), request.remote_addr or "")
    except TooManyTries:
        abort(429)
    if not right:
        return redirect(url_for("pages.judge") + "?failed=1", 303)
    session["judge"] = True
    return redirect(url_for("pages.judge"), 303)


@blueprint.get("/seat/<int:number>")
def seat(number: int) -> AnyResponse | str:
    """A seat's own page; asks for its code first."""
    if parts().table.header.seat(number) is None:
        abort(404)
    if number not in current_role().seats:
        return render_template("login.html", **frame("seat"), seat=number, failed=request.args.get("failed"))
    return _render("seat", live("seat", seat=number), seat=number)


@blueprint.post("/seat/<int:number>")
def seat_login(number: int) -> AnyResponse:
    """Check the code of a seat."""
    check_origin()
    if parts().table.header.seat(number) is None:
        abort(404)
    try:
        right = parts().roles.seat(number, request.form.get("code", ""), request.remote_addr or "")
    except TooManyTries:
        abort(429)
    if not right:
        return redirect(url_for("pages.seat", number=number) + "?failed=1", 303)
    session["seats"] = sorted({*session.get("seats", []), number})
    return redirect(url_for("pages.seat", number=number), 303)


@blueprint.get("/seat/<int:number>/private")
def private(number: int) -> AnyResponse | str:
    """Where a seat has a hidden card of its own read to its own phone; asks for its code first."""
    header = parts().table.header
    if header.seat(number) is None or "private" not in screens_of(header.game).regions:
        abort(404)
    if number not in current_role().seats:
        return redirect(url_for("pages.seat", number=number), 303)
    return _render("private", frame("private"), seat=number)


@blueprint.post("/leave")
def leave() -> AnyResponse:
    """Give the role back."""
    check_origin()
    session.clear()
    return redirect(url_for("pages.table"), 303)


@blueprint.get("/camera")
def camera() -> str:
    """What the program sees."""
    return _render("camera", live("camera"))


@blueprint.get("/colours")
def colours() -> str:
    """Where seats are asked to show their dice, and what is known of their colours."""
    if "colours" not in screens_of(parts().table.header.game).regions:
        abort(404)
    return _render("colours", live("colours", judge=current_role().may_show_dice))


@blueprint.get("/camera.jpg")
def camera_picture() -> Response:
    """The newest picture with outlines and pips drawn over it."""
    found = parts().table.picture()
    if found is None:
        abort(404, "page.error.no-picture")
    return Response(found[0], mimetype="image/jpeg")


@blueprint.get("/record")
def record() -> str:
    """Every event and ruling, newest first."""
    context = live("record")
    entries = parts().table.entries()
    screens = screens_of(parts().table.header.game)
    kinds = sorted({str(entry.filed.event.__struct_config__.tag) for entry in entries})
    wanted = {name: request.args.get(name, "") for name in ("kind", "verdict", "seat")}
    rows = filtered(rows_of(entries, parts().table.header, context["catalogue"]), wanted)
    before = request.args.get("before", type=int)
    if before is not None:
        rows = [row for row in rows if row["seq"] < before]
    shown = rows[::-1][:PAGE_ENTRIES]
    older = shown[-1]["seq"] if shown and len(rows) > len(shown) else None
    context.update(
        rows=shown,
        wanted=wanted,
        total=len(rows),
        kinds=kinds,
        kinds_words={kind: screens.event_words(kind, context["catalogue"]) for kind in kinds},
        older=None if older is None else "?" + urlencode({**{k: v for k, v in wanted.items() if v}, "before": older}),
    )
    return _render("record", context)


@blueprint.get("/record.jsonl")
def record_jsonl() -> Response:
    """The log itself, byte for byte."""
    own = parts()
    name = f"{own.table.header.match}.jsonl"
    answer = Response(lines_of(own.table.log_lines()), mimetype="application/x-ndjson")
    answer.headers.set("Content-Disposition", "attachment", filename=name)
    return answer


@blueprint.get("/record.csv")
def record_csv() -> Response:
    """The record as a table for a spreadsheet."""
    own = parts()
    text = csv_of(own.table.entries(), own.table.header, own.catalogue())
    answer = Response(text, mimetype="text/csv")
    answer.headers.set("Content-Disposition", "attachment", filename=f"{own.table.header.match}.csv")
    return answer


@blueprint.get("/aid")
def aid() -> str:
    """The reading aid."""
    return _render("aid", frame("aid"))


@blueprint.get("/help")
def help_page() -> str:
    """Keys, roles, corrections."""
    return _render("help", frame("help"))


@blueprint.get("/language/<name>")
def language(name: str) -> AnyResponse:
    """Choose the language of the pages in this browser."""
    if name not in parts().catalogues:
        abort(404)
    back = request.args.get("to", "/")
    answer = redirect(back if back.startswith("/") and not back.startswith(("//", "/\\")) else "/", 303)
    answer.set_cookie("language", name, max_age=31_536_000, samesite="Strict", httponly=True)
    return answer
