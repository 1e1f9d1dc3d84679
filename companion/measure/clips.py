"""Real clips of dice: what the tracker tells of each beside what people saw in it.

A folder of clips holds `videos.json`, a list of `{"video", "source", "rolls": [{"empty_until_s", "rest_from_s",
"rest_until_s", "values"}]}`; `video` is relative to the folder, times are of the clip, values in any order. Clips
without rolls are passed over.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.errors import BadInput
from vision.goals import Goal
from vision.images import Image
from vision.reader import TableReader
from vision.tracking.happenings import Watched
from vision.tracking.tracker import TableTracker

__all__ = ["ClipFigures", "ClipReport", "ClipRoll", "clips_in", "frames_of", "watch_clips"]

_EARLY_S = 0.1
"""`rest_from_s` was read off by people, to a tenth of a second."""


@dataclass(frozen=True, slots=True)
class ClipRoll:
    """One roll of a clip as people saw it."""

    rest_from_s: float
    rest_until_s: float
    values: tuple[int, ...]
    empty_until_s: float = 0.0


@dataclass(frozen=True, slots=True)
class ClipFigures:
    """What came out of one roll of one clip.

    Attributes:
        clip: name of the file.
        roll: what people saw.
        read: values that the reader states in the last frame of the rest, on its own.
        told: values that the tracker states with that frame.
        told_s: when the last of them was told, in s of the clip; None when none was.
        before_rest: values told before all dice lay still that do not stand at the end; a die that rests before the
            others may be told before them.
        troubles: why the tracker was out of step during the roll, in order.
    """

    clip: str
    roll: ClipRoll
    read: tuple[int, ...]
    told: tuple[int, ...]
    told_s: float | None
    before_rest: int
    troubles: tuple[str, ...]

    @property
    def readable(self) -> bool:
        """The reader reads the final frame rightly and wholly: then the tracker has no excuse."""
        return sorted(self.read) == sorted(self.roll.values)

    @property
    def right(self) -> bool:
        """The tracker states exactly the values seen."""
        return sorted(self.told) == sorted(self.roll.values)

    @property
    def invented(self) -> int:
        """Values told that nobody saw."""
        return sum((Counter(self.told) - Counter(self.roll.values)).values())

    def __str__(self) -> str:
        verdict = "right" if self.right else "WRONG" if self.invented else "not all told"
        late = "never" if self.told_s is None else f"{1000 * (self.told_s - self.roll.rest_from_s):+.0f} ms after rest"
        read = "reads it" if self.readable else f"reads {_digits(self.read)}"
        steps = f"; {', '.join(self.troubles)}" if self.troubles else ""
        return (
            f"{self.clip}: seen {_digits(self.roll.values)}, told {_digits(self.told)}, {verdict}, {late}; "
            f"before rest {self.before_rest}; the reader {read}{steps}"
        )


@dataclass(frozen=True, slots=True)
class ClipReport:
    """All clips of a folder."""

    rolls: tuple[ClipFigures, ...]
    passed_over: int

    def goals(self) -> list[Goal]:
        """What the tracker is meant to reach on them."""
        readable = [each for each in self.rolls if each.readable]
        found = []
        if readable:
            right = 100 * sum(each.right for each in readable) / len(readable)
            found.append(Goal("final values right where the reader reads the frame, %", right, 100, least=True))
        if self.rolls:
            found.append(Goal("values told that nobody saw", sum(each.invented for each in self.rolls), 0))
            found.append(Goal("values told before rest", sum(each.before_rest for each in self.rolls), 0))
        return found

    def as_dict(self) -> dict[str, Any]:
        """Everything, for JSON."""
        return {
            "rolls": [
                {
                    "clip": each.clip, "seen": each.roll.values, "read": each.read, "told": each.told,
                    "rest_from_s": each.roll.rest_from_s, "told_s": each.told_s, "before_rest": each.before_rest,
                    "readable": each.readable, "right": each.right, "invented": each.invented,
                    "troubles": each.troubles,
                }
                for each in self.rolls
            ],
            "passed_over": self.passed_over,
            "goals": [
                {"name": goal.name, "figure": goal.figure, "bound": goal.bound, "least": goal.least, "met": goal.met}
                for goal in self.goals()
            ],
        }  # fmt: skip

    def __str__(self) -> str:
        lines = [*map(str, self.rolls), f"{self.passed_over} clips without values passed over", "", "goals:"]
        return "\n".join([*lines, *(f"  {goal}" for goal in self.goals())])


def clips_in(folder: Path) -> list[dict[str, Any]]:
    """The entries of videos.json.

    Raises BadInput when there is none or it is not such a list.
    """
    path = folder / "videos.json"
    try:
        entries = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadInput(f"{path} cannot be read ({error.strerror}); expected the list of clips beside them.") from error
    except ValueError as error:
        raise BadInput(f"{path} is not JSON ({error}); expected a list of clips.") from error
    if not isinstance(entries, list) or not all(isinstance(each, dict) and "video" in each for each in entries):
        raise BadInput(f'{path} is no list of clips; expected [{{"video": "clip.mp4", "rolls": [...]}}].')
    return entries


def frames_of(path: Path) -> Iterator[tuple[Image, float]]:
    """Every frame of a video, (H, W, 3) uint8 BGR, and its time in s.

    Raises BadInput for a file that is no video.
    """
    capture = cv2.VideoCapture(str(path))
    try:
        fps = capture.get(cv2.CAP_PROP_FPS) or 30.0
        number = 0
        while True:
            good, image = capture.read()
            if not good:
                break
            yield np.asarray(image, np.uint8), number / fps
            number += 1
    finally:
        capture.release()
    if not number:
        raise BadInput(f"{path} has no frame that can be read; expected a video such as MP4.")


def watch_clips(folder: Path, tell: Callable[[int, int], None] | None = None) -> ClipReport:
    """Show every clip with known values to a tracker of its own."""
    entries = clips_in(folder)
    wanted = [each for each in entries if each.get("rolls")]
    found: list[ClipFigures] = []
    for number, entry in enumerate(wanted):
        try:
            rolls = [
                ClipRoll(
                    each["rest_from_s"], each["rest_until_s"], tuple(each["values"]), each.get("empty_until_s", 0.0)
                )
                for each in entry["rolls"]
            ]
        except (KeyError, TypeError) as error:
            raise BadInput(
                f"{entry['video']} has a roll without {error}; expected rest_from_s, rest_until_s and values."
            ) from error
        found += _watch(folder / entry["video"], rolls)
        if tell is not None:
            tell(number + 1, len(wanted))
    return ClipReport(tuple(found), len(entries) - len(wanted))


def _watch(path: Path, rolls: list[ClipRoll]) -> list[ClipFigures]:
    tracker, reader = TableTracker(), TableReader()
    told: list[tuple[float, Watched]] = []
    last_image: dict[int, Image] = {}
    for number, (image, at_s) in enumerate(frames_of(path)):
        told.append((at_s, tracker.update(image, exposure_start_ns=round(at_s * 1e9), sequence=number)))
        for k, roll in enumerate(rolls):
            if at_s <= roll.rest_until_s:
                last_image[k] = image
    return [_figures(path.name, roll, told, last_image[k], reader) for k, roll in enumerate(rolls)]


def _figures(
    name: str, roll: ClipRoll, told: list[tuple[float, Watched]], final: Image, reader: TableReader
) -> ClipFigures:
    during = [(at_s, watched) for at_s, watched in told if roll.empty_until_s <= at_s <= roll.rest_until_s]
    last = _stated(during[-1][1]) if during else {}
    since: float | None = None
    for at_s, watched in during:  # when the values that stand at the end began to be told without a break
        if last and _stated(watched) == last:
            since = at_s if since is None else since
        else:
            since = None
    early: set[tuple[int, int]] = set()
    for at_s, watched in during:
        if at_s < roll.rest_from_s - _EARLY_S:
            early |= set(_stated(watched).items()) - set(last.items())
    troubles: list[str] = []
    for _, watched in during:
        if watched.out_of_step is not None and (not troubles or troubles[-1] != str(watched.out_of_step.trouble)):
            troubles.append(str(watched.out_of_step.trouble))
    read = tuple(sorted(die.value for die in reader.read(final).dice if die.value is not None))
    return ClipFigures(name, roll, read, tuple(sorted(last.values())), since, len(early), tuple(troubles))


def _stated(watched: Watched) -> dict[int, int]:
    """Values of settled dice by track; none while out of step."""
    if watched.out_of_step is not None:
        return {}
    return {die.id: die.value for die in watched.dice if die.state == "settled" and die.value is not None}


def _digits(values: tuple[int, ...]) -> str:
    return " ".join(map(str, sorted(values))) or "nothing"
