"""The evidence on pages: of each claim and infraction, and of the match as a whole; to look at, to take away."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cv2
from flask import Blueprint, Response, abort, redirect, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from companion.catalogue import Catalogue
from companion.errors import CompanionError, EvidenceMissing, MatchMissing
from companion.evidence.archive import Archive
from companion.evidence.export import match_zip
from companion.evidence.pictures import clip_mp4, contact_sheet_png, decode, drawn
from companion.evidence.records import Evidence
from companion.web.app import parts
from companion.web.evidence_words import evidence_title, present_evidence
from companion.web.pages import frame
from companion.web.present import present_entry
from companion.web.roles import check_origin, current_role
from rules.header import Header

__all__ = ["blueprint"]

blueprint = Blueprint("evidence", __name__)

THUMBNAIL_PX = 400
FOREVER = "private, max-age=86400, immutable"
"""Evidence never changes; it may only go."""


def _archive() -> Archive:
    keeper = parts().evidence
    if keeper is None:
        abort(404, "page.error.no-evidence")
    return keeper.archive


def _header(match: str) -> Header:
    header = parts().table.header
    if header.match == match:
        return header  # type: ignore[no-any-return]
    try:
        return _archive().header(match)
    except CompanionError:
        abort(404, "page.error.no-evidence")


def _evidence(match: str, seq: int) -> Evidence:
    try:
        return _archive().read(match, seq)
    except EvidenceMissing:
        abort(404, "page.error.no-evidence")


def _pictures(evidence: Evidence) -> list[bytes]:
    try:
        return _archive().pictures(evidence)
    except EvidenceMissing:
        abort(404, "page.error.no-evidence")


@blueprint.get("/evidence")
def overview() -> str:
    """What is kept of the match in play."""
    context = frame("evidence")
    header = context["header"]
    archive = _archive()
    rows = archive.rows(header.match)
    context.update(
        rows=rows[::-1],
        total_mb=sum(row.bytes for row in archive.rows()) / 1e6,
        cap_mb=archive.cap_bytes / 1e6,
        match=header.match,
    )
    return render_template("evidence_list.html", **context)


@blueprint.get("/evidence/<match>/<int:seq>")
def page(match: str, seq: int) -> AnyResponse | str | tuple[str, int]:
    """The evidence of one entry: the frozen frame, the frames around it, the presses, the dice."""
    keeper = parts().evidence
    archive = _archive()
    header = _header(match)
    context = frame("evidence")
    context.update(match=match, seq=seq, seat_header=header)
    row = archive.row(match, seq)
    if row is None:
        waits = keeper is not None and keeper.waits_for(match, seq)
        context.update(shown=None, waits=waits)
        return render_template("evidence.html", **context), 200 if waits else 404
    evidence = _evidence(match, seq)
    context.update(
        shown=present_evidence(evidence, header, context["catalogue"]),
        waits=False,
        row=row,
        rulings=_rulings(match, seq, context["catalogue"]),
    )
    return render_template("evidence.html", **context)


@blueprint.get("/evidence/<match>/<int:seq>/<int:number>.jpg")
def picture(match: str, seq: int, number: int) -> Response:
    """A kept frame with outlines; `plain`: as the camera gave it; `small`: for the strip."""
    evidence = _evidence(match, seq)
    if number >= len(evidence.frames):
        abort(404)
    try:
        jpeg = _archive().picture(match, seq, number)
        if "plain" not in request.args:
            dice = evidence.dice if number == evidence.frozen else evidence.frames[number].dice
            image = drawn(decode(jpeg), dice)
            if "small" in request.args and image.shape[1] > THUMBNAIL_PX:
                height = round(image.shape[0] * THUMBNAIL_PX / image.shape[1])
                image = cv2.resize(image, (THUMBNAIL_PX, height), interpolation=cv2.INTER_AREA)
            jpeg = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 80])[1].tobytes()
    except EvidenceMissing:
        abort(404, "page.error.no-evidence")
    return Response(jpeg, mimetype="image/jpeg", headers={"Cache-Control": FOREVER})


@blueprint.get("/evidence/<match>/<int:seq>.png")
def sheet(match: str, seq: int) -> Response:
    """The contact sheet."""
    return _made(match, seq, "image/png", "png", lambda kept, title: contact_sheet_png(kept, _pictures(kept), title))


@blueprint.get("/evidence/<match>/<int:seq>.mp4")
def clip(match: str, seq: int) -> Response:
    """The clip."""
    return _made(match, seq, "video/mp4", "mp4", lambda kept, _: clip_mp4(kept, _pictures(kept)))


@blueprint.get("/evidence/<match>/<int:seq>.zip")
def whole(match: str, seq: int) -> Response:
    """The evidence as it is kept: record and pictures, untouched."""
    return _made(match, seq, "application/zip", "zip", lambda *_: _archive().path(match, seq).read_bytes())


@blueprint.get("/record.zip")
def match_export() -> Response:
    """The log with all its evidence, and a manifest with the SHA-256 of each."""
    own = parts()
    match = own.table.header.match
    data = match_zip([bytes(line) for line in own.table.log_lines()], _archive(), match)
    return _download(data, "application/zip", f"{match}.zip")


@blueprint.post("/evidence/<match>/<int:seq>/delete")
def delete(match: str, seq: int) -> AnyResponse:
    """Delete the evidence of an entry; the judge's alone."""
    check_origin()
    if not current_role().judge:
        abort(403)
    try:
        _archive().delete(match, seq)
    except MatchMissing:
        abort(404, "page.error.no-evidence")
    return redirect("/evidence", 303)


def _rulings(match: str, seq: int, catalogue: Catalogue) -> list[dict[str, Any]]:
    """What was ruled on an entry of the match in play; of an earlier match the log tells."""
    table = parts().table
    if table.header.match != match:
        return []
    entries = table.entries(seq - 1)[:1]
    return [ruling for entry in entries for ruling in present_entry(entry, table.header, catalogue)["rulings"]]


def _made(match: str, seq: int, mimetype: str, suffix: str, make: Callable[[Evidence, str], bytes]) -> Response:
    evidence = _evidence(match, seq)
    title = evidence_title(evidence, _header(match), parts().catalogue())
    try:
        data = make(evidence, f"{title} - {match}")
    except EvidenceMissing:
        abort(404, "page.error.no-pictures")
    return _download(data, mimetype, f"{match}-{seq}.{suffix}")


def _download(data: bytes, mimetype: str, name: str) -> Response:
    answer = Response(data, mimetype=mimetype)
    answer.headers.set("Content-Disposition", "attachment", filename=name)
    return answer
