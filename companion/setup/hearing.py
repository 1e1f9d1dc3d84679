"""The steps of sound and buttons: is this machine heard, and is every button the one it is taken for."""

from __future__ import annotations

import queue
from collections.abc import Sequence
from typing import Final

import msgspec

from companion.lock import write_durably
from companion.settings import Buttons, Sound
from companion.setup.keys import KEYS_NAME, KeyLearning
from companion.setup.session import Session
from device.buttons.base import JUDGE_SEAT, Press
from device.errors import DeviceError

__all__ = ["ButtonTrial", "try_buttons", "try_sound", "wanted_buttons"]

SLOWEST, FASTEST, STEP = 80, 400, 30
"""Words a minute: people who use screen readers listen at 300 and more."""
SOFTEST, LOUDEST, LOUDER = 20, 200, 20
"""Percent of the usual volume."""
POLL_S: Final = 0.2
REPEAT_S: Final = 8.0
SEAT_BUTTONS: Final = ("claim", "call")
JUDGE_BUTTONS: Final = ("flip", "uphold", "overrule")


def try_sound(session: Session) -> bool:
    """Speak, and ask whether it was heard and how fast it should be."""
    talk = session.talk
    sound = session.settings.sound or Sound()
    if talk.speaker is None:
        talk.say("setup.sound.none")
        session.settings = msgspec.structs.replace(session.settings, sound=msgspec.structs.replace(sound, speak=False))
        return False
    began_s = session.seconds()
    talk.say("setup.sound.begin")
    speak = True
    while session.seconds() - began_s < session.step_limit_s:
        talk.listen_out()
        answer = talk.line(timeout_s=5.0)
        word = "" if answer is None else answer.lower()
        speak = word != "n"
        if word not in _CHANGES:
            break  # Enter, or nobody objects
        sound = _changed(sound, word)
        # Speakers that cannot be changed while they speak keep theirs until the next start.
        for setter, value in (("set_rate", sound.words_per_minute), ("set_volume", sound.volume_percent)):
            set_value = getattr(talk.speaker, setter, None)
            if set_value is not None:
                set_value(value)
        talk.say("setup.sound.again", rate=sound.words_per_minute, volume=sound.volume_percent)
    kept = msgspec.structs.replace(sound, speak=speak)
    session.settings = msgspec.structs.replace(session.settings, sound=kept)
    talk.say("setup.sound.good" if speak else "setup.sound.off")
    if not speak:
        talk.listen_out()
        talk.speaker = None
    return True


_CHANGES: Final = {"f": (STEP, 0), "s": (-STEP, 0), "+": (0, LOUDER), "-": (0, -LOUDER)}
"""What is typed: by how much the voice becomes faster, in words a minute, and louder, in percent."""


def _changed(sound: Sound, word: str) -> Sound:
    faster, louder = _CHANGES[word]
    return msgspec.structs.replace(
        sound,
        words_per_minute=min(FASTEST, max(SLOWEST, sound.words_per_minute + faster)),
        volume_percent=min(LOUDEST, max(SOFTEST, sound.volume_percent + louder)),
    )


def wanted_buttons(seats: int, *, judge: bool = True) -> list[tuple[int, str]]:
    """Every button to be tried, in order: each seat's, then the judge's."""
    wanted = [(seat, button) for seat in range(1, seats + 1) for button in SEAT_BUTTONS]
    return wanted + ([(JUDGE_SEAT, button) for button in JUDGE_BUTTONS] if judge else [])


class ButtonTrial:
    """Asks for one button after another; give it each press.

    Attributes:
        tried: those that were pressed when they were asked for.
        skipped: those that were left out.
    """

    def __init__(self, wanted: Sequence[tuple[int, str]]) -> None:
        self._waiting = list(wanted)
        self.tried: list[tuple[int, str]] = []
        self.skipped: list[tuple[int, str]] = []

    @property
    def asked(self) -> tuple[int, str] | None:
        """The seat and button that is to be pressed now; None when all were."""
        return self._waiting[0] if self._waiting else None

    def press(self, seat: int, button: str) -> bool | None:
        """Take in a press: True when it was the one asked for, False for another, None when none is asked for."""
        if self.asked is None:
            return None
        if (seat, button) != self.asked:
            return False
        self.tried.append(self._waiting.pop(0))
        return True

    def skip(self) -> None:
        """Leave the asked button out."""
        if self._waiting:
            self.skipped.append(self._waiting.pop(0))


def try_buttons(session: Session) -> bool:
    """Choose where presses come from and, for buttons that can be told apart, let each be pressed once."""
    talk = session.talk
    source = session.wanted_buttons or ("gpio" if session.board_has_pins else "keyboard")
    seats = len(session.settings.seat) or 6
    if source == "input":
        return _learn_keys(session, wanted_buttons(seats))
    presses: queue.SimpleQueue[Press] = queue.SimpleQueue()
    buttons = session.buttons(source)
    if buttons is None:
        session.settings = msgspec.structs.replace(session.settings, buttons=Buttons(source=source))
        talk.say("setup.buttons.keyboard" if source == "keyboard" else "setup.buttons.none")
        return True
    talk.say("setup.buttons.begin")
    trial = ButtonTrial(wanted_buttons(seats))
    try:
        buttons.start(presses.put)
    except DeviceError as error:
        talk.tell(str(error))
        talk.say("setup.buttons.failed")
        return False
    try:
        _hear(session, trial, presses)
    finally:
        buttons.stop()
    tried = tuple(f"{seat} {button}" for seat, button in trial.tried)
    session.settings = msgspec.structs.replace(session.settings, buttons=Buttons(source=source, tried=tried))
    lacking = len(trial.skipped) + (0 if trial.asked is None else 1)
    talk.say("setup.buttons.some" if lacking else "setup.buttons.good", count=len(trial.tried))
    return not lacking


def _learn_keys(session: Session, wanted: Sequence[tuple[int, str]]) -> bool:
    """Learn which key of which input device each button is, and keep the map beside the settings."""
    talk = session.talk
    learning = KeyLearning(wanted)
    if session.listener is None:
        talk.say("setup.buttons.failed")
        return False
    with session.listener() as listener:
        if not listener.devices:
            talk.say("setup.buttons.no-device")
            return False
        talk.say("setup.buttons.begin")
        asked: tuple[int, str] | None = None
        asked_s = last_s = session.seconds()
        while learning.asked is not None and session.seconds() - last_s < session.step_limit_s / 2:
            now_s = session.seconds()
            if learning.asked != asked or now_s - asked_s >= REPEAT_S:
                asked, asked_s = learning.asked, now_s
                talk.tell(_words(session, "setup.buttons.ask", *asked))
            heard = listener.next(POLL_S)
            if heard is not None:
                last_s = now_s
                known = learning.press(heard)
                if known is not None:
                    talk.tell(_words(session, "setup.buttons.other", *known), urgent=True)
                    asked = None
            answer = talk.line()
            if answer is not None:
                last_s = now_s
                if answer.lower() == "q":
                    break
                learning.skip()
    if not learning.learned:
        talk.say("setup.buttons.failed")
        return False
    path = write_durably(session.directory, KEYS_NAME, learning.text().encode())
    tried = tuple(f"{seat} {button}" for seat, button in learning.learned)
    kept = Buttons(source="input", tried=tried, keys=str(path))
    session.settings = msgspec.structs.replace(session.settings, buttons=kept)
    whole = len(learning.learned) == len(wanted)
    talk.say("setup.buttons.good" if whole else "setup.buttons.some", count=len(tried))
    return whole


def _hear(session: Session, trial: ButtonTrial, presses: queue.SimpleQueue[Press]) -> None:
    """Ask for each button until all were pressed, or nobody does anything for too long."""
    talk = session.talk
    asked: tuple[int, str] | None = None
    asked_s = last_s = session.seconds()
    while trial.asked is not None and session.seconds() - last_s < session.step_limit_s / 2:
        now_s = session.seconds()
        if trial.asked != asked or now_s - asked_s >= REPEAT_S:
            asked, asked_s = trial.asked, now_s
            talk.tell(_words(session, "setup.buttons.ask", *asked))
        answer = talk.line(timeout_s=POLL_S)
        if answer is not None:
            last_s = now_s
            if answer.lower() == "q":
                return
            trial.skip()
        while not presses.empty():
            press = presses.get()
            last_s = now_s
            if trial.press(press.seat, press.button) is False:
                talk.tell(_words(session, "setup.buttons.other", press.seat, press.button), urgent=True)
                asked = None


def _words(session: Session, key: str, seat: int, button: str) -> str:
    catalogue = session.talk.catalogue
    which = catalogue.text(f"setup.button.{'judge' if seat == JUDGE_SEAT else 'seat'}", seat=seat)
    return catalogue.text(key, which=which, button=catalogue.text(f"setup.button.{button}"))
