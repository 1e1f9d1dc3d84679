"""Who was first, good and bad, and whose turn it is: told by lamps, buzzer and tones, from the record alone."""

from __future__ import annotations

from typing import Any

import pytest

from companion.hub import Hub
from companion.signals import Signal, TableSignals, signals_of, turn_of
from companion.store import Store
from device.lamps import BAD, BUZZ_BAD, BUZZ_FIRST, BUZZ_GOOD, BUZZ_TURN, FIRST, GOOD, TURN, RememberedLamps
from device.tones import RememberedTones
from tests.companion.helpers import WANTED, press
from tests.companion.web.conftest import Played

TIE_NS = 10_000_000


def entry(
    kind: str = "calls", verdicts: tuple[str, ...] = ("accepted",), source: str = "button", **event: Any
) -> dict[str, Any]:
    """An entry of the record as the hub carries it, as far as signals look at it."""
    filed = {"event": {"kind": kind, **event}, "source": source}
    return {"seq": 7, "filed": filed, "rulings": [{"verdict": each} for each in verdicts]}


def edges(*pairs: tuple[int, int]) -> list[dict[str, int]]:
    return [{"seat": seat, "edge_ns": edge_ns} for seat, edge_ns in pairs]


@pytest.mark.parametrize(
    ("why", "given", "told"),
    [
        ("one right call", entry(presses=edges((2, 5))), [Signal("first", (2,)), Signal("good")]),
        (
            "the earlier of two, in whatever order they stand",
            entry(presses=edges((3, 90_000_000), (1, 5))),
            [Signal("first", (1,)), Signal("good")],
        ),
        (
            "a tie has no order",
            entry(presses=edges((3, 10_000_005), (1, 5), (2, 10_000_006))),
            [Signal("first", (1, 3)), Signal("good")],
        ),
        (
            "a wrong call: first all the same, and bad",
            entry(verdicts=("penalty",), presses=edges((4, 5))),
            [Signal("first", (4,)), Signal("bad")],
        ),
        (
            "one right and one refused",
            entry(verdicts=("accepted", "refused"), presses=edges((1, 5), (2, 90_000_000))),
            [Signal("first", (1,)), Signal("bad")],
        ),
        ("a typed call has no edge", entry(presses=[{"seat": 1, "edge_ns": 0}]), [Signal("good")]),
        ("dice that were read", entry("roll", source="camera"), []),
        ("dice that were moved unlawfully", entry("roll", ("infraction",), "camera"), [Signal("bad")]),
        ("the judge's word", entry("decide", source="judge"), [Signal("good")]),
        ("a card that was seen", entry("flip", source="camera"), []),
    ],
)  # fmt: skip
def test_an_entry_tells_who_was_first_and_good_or_bad(why: str, given: dict[str, Any], told: list[Signal]) -> None:
    assert list(signals_of(given, "lightning-dice", TIE_NS)) == told, why


@pytest.mark.parametrize(
    ("view", "seat"),
    [
        ({"turn": {"seat": 2, "step": "move"}, "paused": False, "result": None}, 2),
        ({"turn": None, "paused": False}, None),
        ({"paused": False}, None),
        ({"turn": {"seat": 2}, "paused": True}, None),
        ({"turn": {"seat": 2}, "paused": False, "result": {"winners": [2]}}, None),
    ],
)
def test_whose_turn_it_is(view: dict[str, Any], seat: int | None) -> None:
    assert turn_of(view) == seat


@pytest.fixture
def lamps() -> RememberedLamps:
    return RememberedLamps()


@pytest.fixture
def tones() -> RememberedTones:
    return RememberedTones()


@pytest.fixture
def signals(lamps: RememberedLamps, tones: RememberedTones) -> TableSignals:
    return TableSignals(Hub(), "lightning-dice", TIE_NS, lamps=lamps, tones=tones)


def test_lamps_buzzer_and_tones_tell_the_same(
    signals: TableSignals, lamps: RememberedLamps, tones: RememberedTones
) -> None:
    signals.take_entry(entry(presses=edges((3, 5), (1, 6))))
    assert lamps.lit == [(1, "lamp", FIRST), (3, "lamp", FIRST), (0, "bad", None), (0, "good", GOOD)]
    assert lamps.buzzed == [BUZZ_FIRST, BUZZ_GOOD]
    assert tones.played == ["first", "good"]
    lamps.lit.clear()
    signals.take_entry(entry("decide", ("refused",), "judge"))
    assert lamps.lit == [(0, "good", None), (0, "bad", BAD)], "never both"
    assert lamps.buzzed[-1] == BUZZ_BAD


def test_the_turn_is_told_when_it_passes_and_only_then(
    signals: TableSignals, lamps: RememberedLamps, tones: RememberedTones
) -> None:
    for seat in (1, 1, 2, 2, None, None, 1):
        signals.take_view({"turn": None if seat is None else {"seat": seat}})
    assert lamps.lit == [
        (1, "lamp", TURN),
        (1, "lamp", None), (2, "lamp", TURN),
        (2, "lamp", None),
        (1, "lamp", TURN),
    ]  # fmt: skip
    assert lamps.buzzed == [BUZZ_TURN] * 3
    assert tones.played == ["turn"] * 3


def test_without_lamps_or_without_tones_the_other_goes_on(tones: RememberedTones, lamps: RememberedLamps) -> None:
    TableSignals(Hub(), "lightning-dice", TIE_NS, tones=tones).take_entry(entry(presses=edges((3, 5))))
    TableSignals(Hub(), "lightning-dice", TIE_NS, lamps=lamps).take_entry(entry(presses=edges((3, 5))))
    assert tones.played == ["first", "good"]
    assert lamps.lit[0] == (3, "lamp", FIRST)


def test_a_real_match_lights_the_lamp_of_who_called_first(tmp_path: Any, tones: RememberedTones) -> None:
    """From a press at the table over the record to the lamp, in the thread that does so at a table."""
    hub = Hub()

    class Lit(RememberedLamps):
        def buzz(self, pattern: Any) -> None:
            super().buzz(pattern)
            if pattern == BUZZ_GOOD:
                hub.close()

    lamps = Lit()
    with Store(tmp_path) as store:
        played = Played(store, hub, WANTED)
        played.set_up()
        played.open_card()
        played.roll(1, 1, 1, 2, 2, 3, 3)
        signals = TableSignals(hub, "lightning-dice", TIE_NS, lamps=lamps, tones=tones)
        signals.start()
        played.table.press(press(1, played.table.clock.now_ns()))
        signals._thread.join(10)
        assert not signals._thread.is_alive()
        signals.stop()
        played.table.close()
    assert (1, "lamp", FIRST) in lamps.lit
    assert (0, "good", GOOD) in lamps.lit
    assert tones.played == ["first", "good"]
