"""Short tones that tell apart without words: first, good, bad, your turn. Each in a process of its own, like speech."""

from __future__ import annotations

import logging
import queue
import shutil
import subprocess
import tempfile
import threading
import wave
from pathlib import Path
from typing import Final, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

__all__ = ["TONES", "AplayTones", "RememberedTones", "Tones", "samples_of"]

log = logging.getLogger(__name__)

RATE_HZ: Final = 22_050
_FADE_S: Final = 0.008
_LOUDNESS: Final = 0.35
_LIMIT_S: Final = 3.0
_JOIN_S: Final = 5.0
_WAITING: Final = 2

Note = tuple[float, float]
"""Frequency in Hz (0 is silence) and length in seconds."""

TONES: Final[dict[str, tuple[Note, ...]]] = {
    "first": ((880.0, 0.09),),
    "good": ((523.25, 0.12), (783.99, 0.22)),
    "bad": ((311.13, 0.16), (0.0, 0.05), (233.08, 0.30)),
    "turn": ((587.33, 0.10), (0.0, 0.09), (587.33, 0.10)),
}
"""One short tone; two that rise; two that fall, low and apart; the same tone twice: told apart by shape, not pitch."""


def samples_of(name: str, volume_percent: int = 100) -> NDArray[np.int16]:
    """A tone of TONES as samples at RATE_HZ, faded in and out so that it does not click. KeyError for another name."""
    pieces = []
    for hertz, length_s in TONES[name]:
        time_s = np.arange(round(length_s * RATE_HZ)) / RATE_HZ
        piece = np.sin(2 * np.pi * hertz * time_s) + 0.25 * np.sin(4 * np.pi * hertz * time_s)
        fade = np.minimum(1, np.minimum(time_s, length_s - time_s) / _FADE_S)
        pieces.append(piece * fade)
    level = min(1.0, _LOUDNESS * volume_percent / 100) / 1.25
    return np.asarray(np.concatenate(pieces) * level * 32767, np.int16)


@runtime_checkable
class Tones(Protocol):
    """Plays tones; `play` returns at once and never raises for a speaker that is missing or hangs."""

    def play(self, name: str) -> None:
        """Play one of TONES. KeyError for another name."""
        ...

    def close(self) -> None:
        """Silent for good."""
        ...


class RememberedTones:
    """Plays nothing and remembers what it was asked for, in `played`."""

    def __init__(self) -> None:
        self.played: list[str] = []

    def play(self, name: str) -> None:
        """Remember the name."""
        self.played.append(checked_tone(name))

    def close(self) -> None:
        """Nothing to close."""


def checked_tone(name: str) -> str:
    """Give a name of TONES back; KeyError for another."""
    if name not in TONES:
        raise KeyError(f"there is no tone {name!r}; the tones are {', '.join(TONES)}")
    return name


class AplayTones:
    """Plays through `program` (ALSA's aplay), one tone at a time; of tones that wait only the newest two are kept."""

    def __init__(self, *, program: str = "aplay", volume_percent: int = 100, limit_s: float = _LIMIT_S) -> None:
        self._program = program
        self._limit_s = limit_s
        self._folder = tempfile.TemporaryDirectory(prefix="tones-")
        for name in TONES:
            with wave.open(str(self._file(name)), "wb") as sound:
                sound.setnchannels(1)
                sound.setsampwidth(2)
                sound.setframerate(RATE_HZ)
                sound.writeframes(samples_of(name, volume_percent).tobytes())
        self._waiting: queue.Queue[str | None] = queue.Queue()
        self._process: subprocess.Popen[bytes] | None = None
        self._told = False
        self._thread = threading.Thread(target=self._run, name="tones", daemon=True)
        self._thread.start()

    @property
    def available(self) -> bool:
        """True when the program is installed."""
        return shutil.which(self._program) is not None

    def play(self, name: str) -> None:
        """Play a tone after those that wait, and return at once."""
        checked_tone(name)
        while self._waiting.qsize() >= _WAITING:
            try:
                self._waiting.get_nowait()
            except queue.Empty:
                break
        self._waiting.put(name)

    def close(self) -> None:
        """Be silent and end the thread; twice is harmless."""
        self._waiting.put(None)
        process = self._process
        if process is not None:
            process.kill()
        self._thread.join(_JOIN_S)
        self._folder.cleanup()

    def _file(self, name: str) -> Path:
        return Path(self._folder.name) / f"{name}.wav"

    def _run(self) -> None:
        while (name := self._waiting.get()) is not None:
            try:
                self._process = subprocess.Popen(
                    [self._program, "-q", str(self._file(name))],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.PIPE,
                )
                _, complaint = self._process.communicate(timeout=self._limit_s)
                if self._process.returncode > 0:
                    self._tell(complaint.decode("utf-8", "replace").strip())
            except subprocess.TimeoutExpired:
                assert self._process is not None
                self._process.kill()
                self._process.communicate()
                self._tell(f"{self._program} did not end within {self._limit_s:g} s")
            except OSError as error:
                self._tell(str(error))
            finally:
                self._process = None

    def _tell(self, why: str) -> None:
        """Log why tones are not heard, once: a table without a loudspeaker is not to fill its log."""
        if not self._told:
            self._told = True
            log.warning("tones are not heard (%s); check the loudspeaker, or play without", why)
