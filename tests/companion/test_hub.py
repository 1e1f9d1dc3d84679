"""The hub: newest only where that is enough, nothing lost where it is not, slow listeners dropped."""

from __future__ import annotations

import pytest

from companion.hub import Hub, TooManyListeners


def drained(subscription: object) -> list[tuple[str, int | None]]:
    found = []
    while (message := subscription.next(0)) is not None:  # type: ignore[attr-defined]
        found.append((message.topic, message.seq))
    return found


def test_entries_are_all_kept_and_views_only_the_newest() -> None:
    hub = Hub()
    listener = hub.subscribe()
    for seq in (1, 2):
        hub.publish("entry", {}, seq)
        hub.publish("view", {}, seq)
        hub.publish("dice", {})
    assert drained(listener) == [("entry", 1), ("entry", 2), ("view", 2), ("dice", None)]
    newest = hub.newest("view")
    assert newest is not None
    assert newest.seq == 2


def test_entries_that_a_listener_has_are_left_out() -> None:
    hub = Hub()
    listener = hub.subscribe(last_id=1)
    for seq in (1, 2, 3):
        hub.publish("entry", {}, seq)
    listener.skip_to(2)
    assert drained(listener) == [("entry", 3)]


def test_a_listener_that_does_not_read_is_cut_off_and_the_others_are_not() -> None:
    hub = Hub(queue_length=3)
    slow, good = hub.subscribe(), hub.subscribe()
    for seq in range(1, 6):
        hub.publish("entry", {}, seq)
        assert drained(good) == [("entry", seq)]
    assert slow.cut_off
    assert slow.closed
    assert slow.next(0) is None
    assert hub.listeners == 1


def test_the_cap_holds_and_a_closed_place_is_free_again() -> None:
    hub = Hub(listeners=1)
    with hub.subscribe(), pytest.raises(TooManyListeners, match="1 listeners"):
        hub.subscribe()
    hub.subscribe().close()
    assert hub.listeners == 0


def test_closing_ends_everybody() -> None:
    hub = Hub()
    listener = hub.subscribe()
    hub.close()
    hub.publish("entry", {}, 1)
    assert listener.closed
    assert listener.next(5) is None, "at once, not after five seconds"


def test_a_new_match_counts_its_entries_from_one_again() -> None:
    hub = Hub()
    listener = hub.subscribe(40)
    hub.publish("entry", {}, 40)
    hub.publish("view", {"match": "second"}, 0)
    hub.publish("entry", {"of": "second"}, 1)
    first, second = listener.next(0), listener.next(0)
    assert first is not None
    assert second is not None
    assert (first.topic, first.seq) == ("view", 0)
    assert (second.topic, second.data) == ("entry", {"of": "second"})
    assert listener.next(0) is None
