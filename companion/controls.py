"""What people at the table press, and what answers them without a screen: buttons, lamps, buzzer, tones.

None of it can stop the table: what is wrong with a button or a wire is said and shown, what is wrong with a lamp is
logged.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

from companion.errors import BadInput
from device.buttons.again import AgainGuard
from device.buttons.base import JUDGE_SEAT, Buttons, ButtonTrouble, Press
from device.clock import NS_PER_S, Clock
from device.errors import DeviceError

if TYPE_CHECKING:
    from companion.catalogue import Catalogue
    from companion.hub import Hub
    from companion.live.table import LiveTable
    from companion.speech import SpeakerLike
    from device.pins import PinPlan
    from rules.header import Header

__all__ = [
    "BUTTON_SOURCES",
    "Hushable",
    "TroubleTeller",
    "again_guard",
    "answer",
    "listen",
    "pressing",
    "trouble_words",
]

log = logging.getLogger(__name__)

BUTTON_SOURCES: Final = ("gpio", "input", "keyboard", "none")

_AGAIN_MS: Final[Mapping[str, int]] = {"lightning-dice": 1000}
"""Nobody calls twice within a second on purpose: a new throw takes longer. In other games one presses on and on."""
_OTHER_AGAIN_MS: Final = 120
_JUDGE_AGAIN_MS: Final = 600
"""The second half of a nervous double press would decide on the next thing that waits."""

_TOLD_AGAIN_S: Final = 60.0
_SPIKES: Final = 3
"""So many spikes of one button within a minute are worth a word; one may come from a plug somewhere in the house."""


class Hushable(Protocol):
    """What can be silenced."""

    def stop(self) -> None:
        """Be silent at once."""
        ...


def again_guard(game: str, steady_ms: int | None) -> AgainGuard:
    """What leaves out the second half of double presses in a game; `steady_ms` makes it longer, for unsteady hands."""
    seat_ms = max(_AGAIN_MS.get(game, _OTHER_AGAIN_MS), steady_ms or 0)
    return AgainGuard(dict.fromkeys(("claim", "call", "switch"), seat_ms), max(_JUDGE_AGAIN_MS, steady_ms or 0))


def trouble_words(trouble: ButtonTrouble, header: Header, catalogue: Catalogue) -> str:
    """What is wrong with buttons, and what to do, in a sentence."""
    boxes = dict.fromkeys(seat for seat, _ in trouble.buttons)
    judge = catalogue.text("notice.buttons.judge")
    names = [judge if seat == JUDGE_SEAT else catalogue.seat_name(header, seat) for seat in boxes]
    return catalogue.text(f"notice.buttons.{trouble.kind}", boxes=catalogue.listed(names))


class TroubleTeller:
    """Says and shows what is wrong with buttons: each thing once a minute at most, spikes only when they go on."""

    def __init__(
        self,
        header: Callable[[], Header],
        catalogue: Catalogue,
        clock: Clock,
        report: Callable[[str], None],
        speaker: SpeakerLike | None = None,
    ) -> None:
        self._header = header
        self._catalogue = catalogue
        self._clock = clock
        self._report = report
        self._speaker = speaker
        self._told_ns: dict[tuple[object, ...], int] = {}
        self._spikes_ns: dict[tuple[object, ...], list[int]] = {}

    def __call__(self, trouble: ButtonTrouble) -> None:
        """Take in one trouble, in the thread of the buttons."""
        about = (trouble.kind, *sorted(trouble.buttons))
        now_ns = self._clock.now_ns()
        minute_ns = int(_TOLD_AGAIN_S * NS_PER_S)
        if trouble.kind == "spike":
            recent = [at_ns for at_ns in self._spikes_ns.get(about, []) if now_ns - at_ns < minute_ns]
            self._spikes_ns[about] = [*recent, now_ns]
            if len(self._spikes_ns[about]) < _SPIKES:
                return
        told_ns = self._told_ns.get(about)
        if told_ns is not None and now_ns - told_ns < minute_ns:
            return
        self._told_ns[about] = now_ns
        words = trouble_words(trouble, self._header(), self._catalogue)
        self._report(words)
        if self._speaker is not None:
            self._speaker.say(words, language=self._catalogue.language, keep=True)


def pressing(table: LiveTable, steady_ms: int | None = None) -> Callable[[Press], None]:
    """Hands presses to a table without the second halves of double presses; for buttons and pages alike, any thread."""
    guard = again_guard(table.header.game, steady_ms)
    one_at_a_time = threading.Lock()

    def press(each: Press) -> None:
        with one_at_a_time:
            passes = guard.passes(each)
        if passes:
            table.press(each)
        else:
            log.info("the second half of a double press is left out: %s", each)

    return press


def listen(
    table: LiveTable,
    clock: Clock,
    source: str,
    press: Callable[[Press], None],
    on_trouble: Callable[[ButtonTrouble], None],
    speaker: Hushable | None = None,
    *,
    pins: PinPlan | None = None,
    keys: Path | None = None,
) -> None:
    """Hand the presses of a source of BUTTON_SOURCES to `press` until the table closes; "hush" silences the speaker.

    Raises BadInput when a key map is missing, and what the buttons raise when they cannot be listened to.
    """
    if source == "none":
        return
    buttons: Buttons
    if source == "gpio":
        from device.buttons.gpio import GpioButtons
        from device.pins import load_pins

        seats = {JUDGE_SEAT, *(seat.number for seat in table.header.seats)}
        buttons = GpioButtons(clock, (pins or load_pins()).of_seats(seats).buttons, on_trouble=on_trouble)
    elif source == "input":
        from device.buttons.input_device import InputButtons, load_keys

        if keys is None:
            raise BadInput(
                "--buttons input needs a key map: --keys FILE. 'companion pins --listen' tells what your keys are "
                "called and how the file is written."
            )
        buttons = InputButtons(clock, load_keys(keys), on_trouble=on_trouble)
    else:
        from device.buttons.keyboard import KeyboardButtons

        buttons = KeyboardButtons(clock)

    def on_press(each: Press) -> None:
        if each.button != "hush":
            press(each)
        elif speaker is not None:
            speaker.stop()

    buttons.start(on_press)
    table.on_close(buttons.stop)


def answer(table: LiveTable, hub: Hub, clock: Clock, *, pins: PinPlan | None = None, loud: bool = True) -> list[str]:
    """Let lamps and buzzer (with `pins`) and tones (when `loud`) follow the table until it closes.

    Gives what does not work, in words; the table goes on without it.
    """
    from companion.signals import TableSignals
    from device.lamps import GpioLamps
    from device.tones import AplayTones

    notes: list[str] = []
    lamps = tones = None
    if pins is not None and (pins.lamps or pins.buzzer is not None):
        seats = {JUDGE_SEAT, *(seat.number for seat in table.header.seats)}
        try:
            lamps = GpioLamps(clock, pins.of_seats(seats))
        except DeviceError as error:
            notes.append(f"No lamps: {error}.")
        else:
            table.on_close(lamps.close)
    if loud:
        tones = AplayTones()
        if not tones.available:
            tones.close()
            tones = None
        else:
            table.on_close(tones.close)
    if lamps is None and tones is None:
        return notes
    header = table.header
    signals = TableSignals(hub, header.game, table.interpreter.tie_ns(header), lamps=lamps, tones=tones)
    signals.start()
    table.on_close(signals.stop)
    return notes
