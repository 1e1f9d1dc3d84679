"""Evidence in words: what the dice showed, who pressed when, and how the camera was."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from babel.numbers import format_decimal

from companion.catalogue import Catalogue
from companion.evidence.records import DieThen, Evidence, FrameKept, PressThen, die_words_key
from rules.header import Header

__all__ = ["dice_words", "evidence_title", "frame_words", "present_evidence", "time_words"]


def time_words(after_ns: int, catalogue: Catalogue) -> str:
    """A time relative to the press, in milliseconds: "12.3 ms after", "at the press", "40.0 ms before"."""
    if after_ns == 0:
        return catalogue.text("evidence.time.at")
    ms = milliseconds(abs(after_ns), catalogue)
    if after_ns > 0:
        return catalogue.text("evidence.time.after", ms=ms)
    return catalogue.text("evidence.time.before", ms=ms)


def milliseconds(ns: int, catalogue: Catalogue) -> str:
    """Nanoseconds as milliseconds with one decimal, written as the language writes numbers."""
    return format_decimal(ns / 1e6, "#,##0.0", locale=catalogue.language)


def dice_words(dice: Iterable[DieThen], header: Header, catalogue: Catalogue) -> str:
    """Every die by its seat, in one short sentence for each seat."""
    seats: dict[int | None, list[str]] = {}
    for die in dice:
        seats.setdefault(die.seat, []).append(_short(die, catalogue))
    if not seats:
        return catalogue.text("evidence.dice.none")
    return " ".join(
        catalogue.text("evidence.dice.of-seat", name=_name(seat, header, catalogue), dice=", ".join(words))
        for seat, words in seats.items()
    )


def frame_words(frame: FrameKept, dice: Sequence[DieThen], header: Header, catalogue: Catalogue) -> str:
    """What a picture shows, for whoever does not see it."""
    when = time_words(frame.after_ns, catalogue)
    return catalogue.text("evidence.frame.alt", when=when, dice=dice_words(dice, header, catalogue))


def evidence_title(evidence: Evidence, header: Header, catalogue: Catalogue) -> str:
    """One line that says what this is the evidence of."""
    names = catalogue.listed(_name(seat, header, catalogue) for seat in evidence.seats)
    what = catalogue.text(f"evidence.kind.{evidence.kind}")
    return catalogue.text("evidence.title", what=what, seq=evidence.seq, names=names)


def present_evidence(evidence: Evidence, header: Header, catalogue: Catalogue) -> dict[str, Any]:
    """Everything that the page of an evidence shows, in words."""
    frames = [
        {
            "number": number,
            "when": time_words(frame.after_ns, catalogue),
            "frozen": number == evidence.frozen,
            "exposed": catalogue.text(f"evidence.exposed.{evidence.kind}", ms=milliseconds(frame.after_ns, catalogue)),
            "words": frame_words(frame, _dice_of(evidence, number), header, catalogue),
            "dice": dice_words(_dice_of(evidence, number), header, catalogue),
            "width": frame.size_wh[0],
            "height": frame.size_wh[1],
        }
        for number, frame in enumerate(evidence.frames)
    ]
    return {
        "title": evidence_title(evidence, header, catalogue),
        "kind": evidence.kind,
        "seq": evidence.seq,
        "match": evidence.match,
        "detail": catalogue.maybe("detail." + evidence.detail.replace(" ", "-"), evidence.detail),
        "places": [place + 1 for place in evidence.places],
        "names": catalogue.listed(_name(seat, header, catalogue) for seat in evidence.seats),
        "timed": evidence.timed,
        "wall": evidence.wall,
        "camera": _camera_words(evidence, catalogue),
        "frames": frames,
        "frozen": None if evidence.frozen is None else frames[evidence.frozen],
        "dropped": evidence.frames_dropped,
        "presses": _presses(evidence.presses, header, catalogue),
        "seats": _seats(evidence, header, catalogue),
    }


def _dice_of(evidence: Evidence, number: int) -> Sequence[DieThen]:
    return evidence.dice if number == evidence.frozen else evidence.frames[number].dice


def _camera_words(evidence: Evidence, catalogue: Catalogue) -> str:
    """Why there is no frozen frame; empty when there is one."""
    if evidence.frozen is not None:
        return ""
    return catalogue.text(f"evidence.camera.{evidence.camera}", problem=evidence.problem or "")


def _presses(presses: Sequence[PressThen], header: Header, catalogue: Catalogue) -> list[dict[str, Any]]:
    """The presses in their order, each with its time and how long after the one before it came."""
    found = []
    before_ns: int | None = None
    for press in presses:
        gap = None if before_ns is None or not press.edge_ns else milliseconds(press.edge_ns - before_ns, catalogue)
        before_ns = press.edge_ns or before_ns
        when = catalogue.text("evidence.press.first") if press.after_ns == 0 else time_words(press.after_ns, catalogue)
        found.append(
            {
                "name": _name(press.seat, header, catalogue),
                "seat": press.seat,
                "button": catalogue.text(f"evidence.button.{press.button}"),
                "when": when if press.edge_ns else catalogue.text("evidence.press.untimed"),
                "gap": gap,
                "ruled_on": press.ruled_on,
                "frame": press.frame,
                "kernel_timed": press.kernel_timed,
            }
        )
    return found


def _seats(evidence: Evidence, header: Header, catalogue: Catalogue) -> list[dict[str, Any]]:
    """The dice at the press, seat by seat, those of the seats concerned first."""
    by_seat: dict[int | None, list[DieThen]] = {}
    for die in evidence.dice:
        by_seat.setdefault(die.seat, []).append(die)
    order = sorted(by_seat, key=lambda seat: (seat not in evidence.seats, seat is None, seat or 0))
    return [
        {
            "name": _name(seat, header, catalogue),
            "concerned": seat in evidence.seats,
            "dice": [
                {"words": _long(die, catalogue), "state": die.state.value, "value": die.value} for die in by_seat[seat]
            ],
        }
        for seat in order
    ]


def _name(seat: int | None, header: Header, catalogue: Catalogue) -> str:
    if seat is None:
        return catalogue.text("evidence.nobody")
    return catalogue.text("evidence.judge") if seat == 0 else catalogue.seat_name(header, seat)


def _facts(die: DieThen, catalogue: Catalogue) -> dict[str, Any]:
    reason = str(die.reason or "unknown")
    place = catalogue.text("evidence.die.nameless") if die.place is None else str(die.place + 1)
    return {
        "place": place,
        "value": die.value,
        "reason": catalogue.maybe(f"reason.{reason.replace(' ', '-')}", reason),
    }


def _long(die: DieThen, catalogue: Catalogue) -> str:
    return catalogue.text(die_words_key(die), **_facts(die, catalogue))


def _short(die: DieThen, catalogue: Catalogue) -> str:
    key = die_words_key(die).replace("evidence.die.", "evidence.short.")
    return catalogue.text(key, **_facts(die, catalogue))
