"""What lamps, buzzer and tones tell: who was first, whether a ruling was good or bad, and whose turn it is.

Everything that they tell is said and shown in words as well; they are there to be noticed across a noisy table.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from companion.hub import Hub, Published
from companion.listener import HubListener
from companion.web.games import screens_of
from device.lamps import BAD, BUZZ_BAD, BUZZ_FIRST, BUZZ_GOOD, BUZZ_TURN, FIRST, GOOD, TURN, Lamps
from device.tones import Tones

__all__ = ["Signal", "TableSignals", "signals_of", "turn_of"]


Kind = Literal["first", "good", "bad", "turn"]

_BUZZES: Final = {"first": BUZZ_FIRST, "good": BUZZ_GOOD, "bad": BUZZ_BAD, "turn": BUZZ_TURN}


@dataclass(frozen=True, slots=True)
class Signal:
    """One thing to tell, and of which seats: those who were first (several when they tied), or whose turn it is."""

    kind: Kind
    seats: tuple[int, ...] = ()


def signals_of(entry: Mapping[str, Any], game: str, tie_ns: int) -> tuple[Signal, ...]:
    """What an entry of the record, as plain data, gives to tell.

    Presses tell who was first: all whose edges lie within `tie_ns` of the earliest. Any other verdict than accepted is
    bad. What was only seen and is in order (dice that were read, a hand) gives nothing.
    """
    event = entry["filed"]["event"]
    verdicts = [str(ruling["verdict"]) for ruling in entry["rulings"]]
    bad = any(verdict != "accepted" for verdict in verdicts)
    told: list[Signal] = []
    presses = [press for press in event.get("presses", ()) if press.get("edge_ns")]
    if presses:
        first_ns = min(press["edge_ns"] for press in presses)
        tied = {press["seat"] for press in presses if press["edge_ns"] - first_ns <= tie_ns}
        told.append(Signal("first", tuple(sorted(tied))))
    screens = screens_of(game)
    seen_only = event["kind"] in screens.quiet_events or event["kind"] in screens.reading_events
    if bad:
        told.append(Signal("bad"))
    elif verdicts and not seen_only and entry["filed"].get("source") in ("button", "judge"):
        told.append(Signal("good"))
    return tuple(told)


def turn_of(view: Mapping[str, Any]) -> int | None:
    """Whose turn it is by a view of the table; None where all play at once, or in a pause."""
    turn = view.get("turn")
    if not isinstance(turn, Mapping) or view.get("paused") or view.get("result"):
        return None
    seat = turn.get("seat")
    return seat if isinstance(seat, int) else None


class TableSignals(HubListener):
    """Follows the hub in a thread of its own and tells lamps and tones."""

    def __init__(self, hub: Hub, game: str, tie_ns: int, *, lamps: Lamps | None = None, tones: Tones | None = None):
        super().__init__(hub, "signals")
        self._game = game
        self._tie_ns = tie_ns
        self._lamps = lamps
        self._tones = tones
        self._turn: int | None = None

    def take(self, message: Published) -> None:
        """Tell what a message gives to tell."""
        if message.topic == "entry":
            self.take_entry(message.data)
        elif message.topic == "view":
            self.take_view(message.data)

    def take_entry(self, entry: Mapping[str, Any]) -> None:
        """Tell what an entry gives to tell."""
        for signal in signals_of(entry, self._game, self._tie_ns):
            self._tell(signal)

    def take_view(self, view: Mapping[str, Any]) -> None:
        """Tell that the turn has passed, when it has."""
        turn = turn_of(view)
        if turn == self._turn:
            return
        before, self._turn = self._turn, turn
        if before is not None and self._lamps is not None:
            self._lamps.light(before, "lamp", None)
        if turn is not None:
            self._tell(Signal("turn", (turn,)))

    def _tell(self, signal: Signal) -> None:
        if self._tones is not None:
            self._tones.play(signal.kind)
        if self._lamps is None:
            return
        self._lamps.buzz(_BUZZES[signal.kind])
        if signal.kind == "good":
            self._lamps.light(0, "bad", None)
            self._lamps.light(0, "good", GOOD)
        elif signal.kind == "bad":
            self._lamps.light(0, "good", None)
            self._lamps.light(0, "bad", BAD)
        for seat in signal.seats:
            self._lamps.light(seat, "lamp", FIRST if signal.kind == "first" else TURN)
