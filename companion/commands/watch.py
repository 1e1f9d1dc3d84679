"""`companion watch`: what happens to the dice of a video or stream."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from companion.commands.common import print_json
from companion.errors import BadInput
from vision.tracking.happenings import DieState

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vision.readings import Point
    from vision.tracking.happenings import Happening, TrackedDie, Watched

__all__ = ["Changes", "command", "words_of"]

FRAME_TIMEOUT_S = 10.0


@click.command(epilog="Example:  companion watch throw.mp4 --json     or     companion watch usb:0")
@click.argument("source")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line for each change.")
@click.option("--fast", is_flag=True, help="Read a file as fast as possible instead of at its own pace.")
def command(source: str, as_json: bool, fast: bool) -> None:
    """Follow each die of SOURCE: tell it as it rolls, settles, is slid, lifted, set back, or leaves the table.

    SOURCE is a video file, a folder of pictures, or a camera: pi, usb:N, file:PATH, folder:PATH, url:U. Times are
    those of the frames. Ends with the video, or with Ctrl-C.

    With --json, "what" of each line is: "state" (a die is in another state or shows something else), "happening" (what
    a die did, from when to when, with the value before and after), "gone" (a track was given up), "hands" (all that
    now reaches over the table), "out of step" (why nothing counts) or "in step". "rested" says that the track has lain
    still before; one that has not may be anything that moves.
    """
    from pathlib import Path

    from device.cameras import open_camera
    from device.clock import NS_PER_S, SystemClock
    from device.errors import CameraEnded
    from vision.beside import share_cores
    from vision.tracking.tracker import TableTracker

    path = Path(source)
    if path.is_dir():
        source = f"folder:{source}"
    elif path.is_file():
        source = f"file:{source}"
    elif ":" not in source and source not in ("pi", "simulated"):
        raise BadInput(f"{source} is no file, folder or camera; expected one, as in: companion watch throw.mp4")
    share_cores()
    tracker, changes = TableTracker(), Changes()
    first_ns: int | None = None
    after_ns = 0
    with open_camera(source, SystemClock(), pace=not fast) as camera:
        while True:
            try:
                frame = camera.latest(exposed_after_ns=after_ns, timeout_s=FRAME_TIMEOUT_S)
            except CameraEnded:
                if first_ns is None:
                    raise BadInput(
                        f"{source.partition(':')[2]} has no frame that can be read; expected a video such as MP4, "
                        "AVI or MKV (a single picture: companion read)."
                    ) from None
                return
            after_ns = frame.exposure_start_ns + 1
            first_ns = frame.exposure_start_ns if first_ns is None else first_ns
            watched = tracker.update(
                frame.image_bgr, exposure_start_ns=frame.exposure_start_ns, sequence=frame.sequence
            )
            at_s = round((frame.exposure_start_ns - first_ns) / NS_PER_S, 3)
            for change in changes.of(watched, first_ns):
                line = {"at_s": at_s, "frame": frame.sequence, **change}
                if as_json:
                    print_json(line)
                elif (words := words_of(line)) is not None:
                    click.echo(f"{at_s:8.2f} s  {words}")


class Changes:
    """What is new in each `Watched`, as plain data for JSON."""

    def __init__(self) -> None:
        self._told: dict[int, tuple[Any, ...]] = {}
        self._colours: dict[int, str] = {}
        self._rested: set[int] = set()
        self._hands: tuple[str | None, ...] = ()
        self._trouble: str | None = None

    def of(self, watched: Watched, first_ns: int = 0) -> Iterator[dict[str, Any]]:
        """One entry for each thing that was not so in the frame before; times are in s after `first_ns`."""
        trouble = None if watched.out_of_step is None else str(watched.out_of_step.trouble)
        if trouble != self._trouble:
            self._trouble = trouble
            if watched.out_of_step is None:
                yield {"what": "in step"}
            else:
                since_s = _seconds(watched.out_of_step.since_ns, first_ns)
                yield {"what": "out of step", "trouble": trouble, "since_s": since_s}
        hands = tuple(hand.enters for hand in watched.hands)
        if hands != self._hands:
            self._hands = hands
            outlines = [
                {"enters": hand.enters, "outline_px": [_place(point) for point in hand.outline_px]}
                for hand in watched.hands
            ]
            yield {"what": "hands", "hands": outlines}
        if trouble is not None:
            return
        self._colours.update({die.id: die.colour for die in watched.dice})
        for happening in watched.happenings:
            yield _happening(happening, self._colours.get(happening.die), first_ns)
        for die in watched.dice:
            told = (die.state, die.value, die.reason)
            if self._told.get(die.id) != told:
                self._told[die.id] = told
                if die.state in (DieState.SETTLED, DieState.COCKED):
                    self._rested.add(die.id)
                yield {**_state(die, first_ns), "rested": die.id in self._rested}
        for gone in sorted(self._told.keys() - {die.id for die in watched.dice}):
            del self._told[gone]
            rested = gone in self._rested
            self._rested.discard(gone)
            yield {"what": "gone", "die": gone, "colour": self._colours.pop(gone), "rested": rested}


def _state(die: TrackedDie, first_ns: int) -> dict[str, Any]:
    return {
        "what": "state",
        "die": die.id,
        "state": str(die.state),
        "value": die.value,
        "reason": None if die.reason is None else str(die.reason),
        "confidence": round(die.confidence, 4),
        "colour": die.colour,
        "at_px": _place(die.centre_px),
        "at_mm": _place(die.position_mm),
        "since_s": _seconds(die.since_ns, first_ns),
        "rest_s": None if die.rest_ns is None else _seconds(die.rest_ns, first_ns),
        "seen": die.seen,
    }


def _happening(each: Happening, colour: str | None, first_ns: int) -> dict[str, Any]:
    return {
        "what": "happening",
        "kind": str(each.kind),
        "die": each.die,
        "colour": colour,
        "began_s": _seconds(each.began_ns, first_ns),
        "ended_s": _seconds(each.ended_ns, first_ns),
        "before": each.before,
        "value": each.value,
        "reason": None if each.reason is None else str(each.reason),
        "from_px": _place(each.from_px),
        "to_px": _place(each.to_px),
        "from_mm": _place(each.from_mm),
        "to_mm": _place(each.to_mm),
        "why": each.why,
    }


def words_of(line: dict[str, Any]) -> str | None:
    """One entry for people; None where it says nothing new to them."""
    what = line["what"]
    if what == "out of step":
        return f"out of step: {line['trouble']}; nothing counts until the picture is still again"
    if what == "in step":
        return "in step again"
    if what == "hands":
        sides = [f" from the {hand['enters']}" if hand["enters"] else "" for hand in line["hands"]]
        return "over the table: " + (", ".join(f"a hand{side}" for side in sides) or "nothing more")
    name = f"{line['colour'] or 'unseen'} die {line['die']}"
    if what == "gone":
        return f"{name} is given up" if line["rested"] else None  # else something that passed
    if what == "happening":
        if line["kind"] in ("settled", "cocked"):
            return None  # its state says it
        after = "" if line["value"] is None else f", shows {line['value']}"
        if line["before"] is not None and line["value"] is not None:
            after = f", {line['before']} before, {line['value']} now"
        why = f" ({line['why']})" if line["why"] else ""
        return f"{name}: {line['kind']}{after}{why}"
    if line["state"] == "rolling" and not line["rested"]:
        return None  # may be anything until it lies still
    x, y = line["at_px"]
    shows = "" if line["value"] is None else f", {line['value']}"
    unread = "" if line["reason"] is None else f", unreadable ({line['reason']})"
    return f"{name} at {x:.0f},{y:.0f}: {line['state']}{shows}{unread}"


def _place(point: Point | None) -> list[float] | None:
    return None if point is None else [round(float(point[0]), 1), round(float(point[1]), 1)]


def _seconds(at_ns: int, first_ns: int) -> float:
    return round((at_ns - first_ns) / 1e9, 3)
