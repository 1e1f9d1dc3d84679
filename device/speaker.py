"""Speech: said by espeak-ng in a process of its own, so that a hanging or missing speaker never stops the table."""

from __future__ import annotations

import logging
import re
import shutil
import subprocess
import threading
from collections import deque
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol, runtime_checkable

from device.errors import DeviceError, SpeakerFailed, SpeakerMissing, SpeakerTimeout

__all__ = ["DEFAULT_WORDS_PER_MINUTE", "EspeakSpeaker", "Said", "SilentSpeaker", "Speaker", "to_wav"]

log = logging.getLogger(__name__)

DEFAULT_WORDS_PER_MINUTE: Final = 165
DEFAULT_LIMIT_S: Final = 20.0
SLOWEST, FASTEST = 80, 450
"""Words a minute; espeak-ng speaks no slower and, without losing sounds, no faster."""
LOUDEST_PERCENT: Final = 200
"""espeak-ng's own scale: 100 is as recorded, 200 the most."""
_LANGUAGE: Final = re.compile(r"^[A-Za-z]{2,3}(-[A-Za-z0-9]+)*$")
_JOIN_S: Final = 5.0


@dataclass(frozen=True, slots=True)
class Said:
    """One utterance: its text, its language ('en', 'it', …), and whether it must never be dropped."""

    text: str
    language: str
    keep: bool = False


@runtime_checkable
class Speaker(Protocol):
    """Says sentences; `say` returns at once."""

    def say(self, text: str, *, language: str, keep: bool = False) -> None:
        """Say `text`. A newer sentence takes the place of one still waiting, but never of one with `keep`."""
        ...

    def stop(self) -> None:
        """Be silent at once and forget what waits, sentences with `keep` too."""
        ...

    def close(self) -> None:
        """Be silent for good."""
        ...


class SilentSpeaker:
    """Says nothing and remembers what it was asked to say, in `said`."""

    def __init__(self) -> None:
        self.said: list[Said] = []

    def say(self, text: str, *, language: str, keep: bool = False) -> None:
        """Remember the sentence."""
        self.said.append(Said(text, language, keep))

    def stop(self) -> None:
        """Nothing to stop."""

    def close(self) -> None:
        """Nothing to close."""


def _command(
    program: str, language: str, words_per_minute: int, extra: tuple[str, ...] = (), volume_percent: int = 100
) -> list[str]:
    if not _LANGUAGE.match(language):
        raise ValueError(f"{language!r} is not a language; give one like 'en' or 'it'")
    # The text goes in over standard input: it can then never be taken for an option, however it begins.
    how = ["-v", language, "-s", str(words_per_minute), "-a", str(volume_percent)]
    return [program, *how, *extra, "--stdin"]


def _within(value: int, least: int, most: int, what: str) -> int:
    if not least <= value <= most:
        raise ValueError(f"{value} {what} asked for; give {least} to {most}")
    return value


def _checked(program: str, status: int, complaint: bytes) -> None:
    if status != 0:
        text = complaint.decode("utf-8", "replace").strip()
        raise SpeakerFailed(
            f"{program} ended with status {status} ({text or 'no reason given'}); check the loudspeaker and that "
            "the voice is installed (espeak-ng --voices)"
        )


def _missing(program: str) -> SpeakerMissing:
    return SpeakerMissing(f"{program} is not installed; 'sudo apt install espeak-ng' gives the table a voice")


def to_wav(
    text: str,
    language: str,
    path: str | Path,
    *,
    program: str = "espeak-ng",
    words_per_minute: int = DEFAULT_WORDS_PER_MINUTE,
    limit_s: float = DEFAULT_LIMIT_S,
) -> None:
    """Write what would be said to a WAV file.

    Raises SpeakerMissing, SpeakerTimeout (after `limit_s`), SpeakerFailed; ValueError for a language that is none.
    """
    command = _command(program, language, words_per_minute, ("-w", str(path)))
    try:
        done = subprocess.run(command, input=text.encode(), capture_output=True, timeout=limit_s, check=False)
    except FileNotFoundError as error:
        raise _missing(program) from error
    except subprocess.TimeoutExpired as error:
        raise SpeakerTimeout(f"{program} did not end within {limit_s:g} s and was stopped; try again") from error
    _checked(program, done.returncode, done.stderr)


class EspeakSpeaker:
    """Speaks through espeak-ng, one sentence at a time, in a thread with a queue of its own.

    Of sentences that wait, only the newest is kept, and every one with `keep` before it. An utterance longer than
    `limit_s` is cut off. Rate (80 to 450 words a minute) and volume (0 to 200 %) may be changed at any time and hold
    from the next sentence on; ValueError for others. Troubles are logged and kept in `last_trouble`; nothing is raised
    at whoever calls `say`.
    """

    def __init__(
        self,
        *,
        program: str = "espeak-ng",
        words_per_minute: int = DEFAULT_WORDS_PER_MINUTE,
        volume_percent: int = 100,
        limit_s: float = DEFAULT_LIMIT_S,
    ) -> None:
        self._program = program
        self.set_rate(words_per_minute)
        self.set_volume(volume_percent)
        self._limit_s = limit_s
        self._changed = threading.Condition()
        self._waiting: deque[Said] = deque()
        self._process: subprocess.Popen[bytes] | None = None
        self._speaking = False
        self._closed = False
        self._generation = 0
        self.last_trouble: DeviceError | None = None
        self._thread = threading.Thread(target=self._run, name="speaker", daemon=True)
        self._thread.start()

    @property
    def available(self) -> bool:
        """True when the program is installed."""
        return shutil.which(self._program) is not None

    @property
    def words_per_minute(self) -> int:
        """How fast it speaks."""
        return self._words_per_minute

    @property
    def volume_percent(self) -> int:
        """How loud it speaks; 100 is as recorded."""
        return self._volume_percent

    def set_rate(self, words_per_minute: int) -> None:
        """Speak so fast from the next sentence on."""
        self._words_per_minute = _within(words_per_minute, SLOWEST, FASTEST, "words a minute")

    def set_volume(self, percent: int) -> None:
        """Speak so loud from the next sentence on."""
        self._volume_percent = _within(percent, 0, LOUDEST_PERCENT, "% of volume")

    def say(self, text: str, *, language: str, keep: bool = False) -> None:
        """Say `text` after what must be said before it, and return at once."""
        said = Said(text, language, keep)
        _command(self._program, language, self._words_per_minute)
        with self._changed:
            if self._closed:
                return
            self._waiting = deque(waiting for waiting in self._waiting if waiting.keep)
            self._waiting.append(said)
            self._changed.notify_all()

    def stop(self) -> None:
        """Be silent at once and forget what waits."""
        with self._changed:
            self._waiting.clear()
            self._generation += 1
            if self._process is not None:
                self._process.kill()

    def close(self) -> None:
        """Be silent for good and end the thread."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        self.stop()
        self._thread.join(_JOIN_S)

    def wait_until_silent(self, timeout_s: float) -> bool:
        """Wait until nothing is being said and nothing waits; False after `timeout_s`."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._speaking and not self._waiting, timeout_s)

    def _run(self) -> None:
        while True:
            with self._changed:
                self._speaking = False
                self._changed.notify_all()
                self._changed.wait_for(lambda: self._closed or bool(self._waiting))
                if self._closed:
                    return
                said = self._waiting.popleft()
                self._speaking = True
                generation = self._generation
            try:
                self._speak(said, generation)
            except DeviceError as trouble:
                self.last_trouble = trouble
                log.warning("not said: %s (%s)", said.text, trouble)

    def _speak(self, said: Said, generation: int) -> None:
        command = _command(self._program, said.language, self._words_per_minute, volume_percent=self._volume_percent)
        with self._changed:
            if generation != self._generation:
                return
            try:
                process = subprocess.Popen(
                    command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
                )
            except FileNotFoundError as error:
                raise _missing(self._program) from error
            except OSError as error:
                raise SpeakerFailed(f"{self._program} cannot be started ({error}); install it again") from error
            self._process = process
        try:
            _, complaint = process.communicate(said.text.encode(), timeout=self._limit_s)
        except subprocess.TimeoutExpired as error:
            process.kill()
            process.communicate()
            raise SpeakerTimeout(
                f"{self._program} did not end within {self._limit_s:g} s and was stopped; check the loudspeaker"
            ) from error
        finally:
            with self._changed:
                self._process = None
        if generation == self._generation:
            _checked(self._program, process.returncode, complaint)
