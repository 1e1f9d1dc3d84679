"""What is tried on the stand-in for the kernel, each in a process of its own: prints one JSON value.

LD_PRELOAD=stand_in.so python -m tests.device.kernel.scenes NAME
"""

from __future__ import annotations

import ctypes
import json
import queue
import sys
import time

from device.buttons.gpio import GpioButtons, lgpio_factory
from device.buttons.input_device import InputButtons, InputMap, KeyListener
from device.buttons.input_events import InputDevice
from device.clock import SystemClock
from device.lamps import GpioLamps, Pattern
from device.pins import load_pins

kernel = ctypes.CDLL(None)
kernel.stand_in_edge.argtypes = (ctypes.c_uint, ctypes.c_int, ctypes.c_ulonglong)
kernel.stand_in_key.argtypes = (ctypes.c_uint, ctypes.c_int, ctypes.c_ulonglong)
kernel.stand_in_flags.restype = ctypes.c_ulonglong

MS = 1_000_000
WAIT_S = 20
PINS = load_pins().buttons


def started():
    out, troubles = queue.SimpleQueue(), queue.SimpleQueue()
    buttons = GpioButtons(SystemClock(), PINS, on_trouble=troubles.put)
    buttons.start(out.put)
    return buttons, out, troubles


def plain(press, since_ns):
    return {
        "seat": press.seat,
        "button": press.button,
        "after_ns": press.edge_ns - since_ns,
        "timed": press.kernel_timed,
    }


def lines():
    """Every button of the map as the kernel was asked for it, while listened to and afterwards."""
    buttons, _, _ = started()
    asked = {
        number: [kernel.stand_in_flags(number), kernel.stand_in_attributes(number), kernel.stand_in_level(number)]
        for number in PINS
    }
    buttons.stop()
    return {"asked": asked, "left": [kernel.stand_in_level(number) for number in PINS]}


def order():
    """Fifteen presses a microsecond apart, against the order of the pins, each with 3 ms of bounce."""
    buttons, out, _ = started()
    numbers = sorted(PINS, reverse=True)
    since_ns = time.monotonic_ns()
    edges = [
        (since_ns + 1000 * place + bounce_ns, number, level)
        for place, number in enumerate(numbers)
        for bounce_ns, level in ((0, 0), (600_000, 1), (1_100_000, 0), (1_900_000, 1), (3 * MS, 0))
    ]
    for at_ns, number, level in sorted(edges):
        kernel.stand_in_edge(number, level, at_ns)
    presses = [plain(out.get(timeout=WAIT_S), since_ns) for _ in numbers]
    buttons.stop()
    return {"wanted": [PINS[number] for number in numbers], "presses": presses, "more": out.qsize()}


def held():
    """A button that is down at the start counts only after it was let go."""
    number = next(iter(PINS))
    kernel.stand_in_edge(number, 0, time.monotonic_ns())
    buttons, out, _ = started()
    since_ns = time.monotonic_ns()
    kernel.stand_in_edge(number, 1, since_ns)
    kernel.stand_in_edge(number, 0, since_ns + 40 * MS)
    press = plain(out.get(timeout=WAIT_S), since_ns)
    buttons.stop()
    return press


def library_bounce():
    """What the pin library's own bounce time would make of one bouncing press: by how much its stamp is late."""
    factory = lgpio_factory()
    stamps = queue.SimpleQueue()

    def changed(ticks, state):
        stamps.put((ticks, state))

    pin = factory.pin(17)
    pin.function, pin.pull, pin.bounce, pin.edges = "input", "up", 0.02, "both"
    pin.when_changed = changed
    since_ns = time.monotonic_ns() - 4 * MS  # a kernel tells of no edge that is still to come
    for after_ns, level in ((0, 0), (600_000, 1), (1_100_000, 0), (1_900_000, 1), (3 * MS, 0)):
        kernel.stand_in_edge(17, level, since_ns + after_ns)
    ticks, state = stamps.get(timeout=WAIT_S)
    pin.when_changed = None
    factory.close()
    return {"late_ns": round(ticks * 1e9) - since_ns, "state": state}


def lamps():
    """Lamps and buzzer beside the buttons: what the outputs show at rest, lit, and afterwards."""
    plan = load_pins()
    buttons, out, _ = started()
    board = GpioLamps(SystemClock(), plan)
    outputs = [*plan.lamps.values(), plan.buzzer]

    def shown():
        return {number: kernel.stand_in_level(number) for number in outputs}

    rest = shown()
    is_output = [bool(kernel.stand_in_flags(number) & 1 << 3) for number in outputs]
    board.light(3, "lamp", Pattern((60_000,)))
    board.light(0, "bad", Pattern((60_000,)))
    board.buzz(Pattern((1, 60_000)))
    end_ns = time.monotonic_ns() + WAIT_S * 1000 * MS
    seen = set()
    while time.monotonic_ns() < end_ns and len(seen) < 2:
        now = shown()
        if now[plan.lamps[3, "lamp"]] and now[plan.lamps[0, "bad"]]:
            seen.add("lit")
        if not now[plan.buzzer] and "lit" in seen:
            seen.add("buzzer silent again")
    lit = shown()
    since_ns = time.monotonic_ns()
    kernel.stand_in_edge(17, 0, since_ns)
    press = plain(out.get(timeout=WAIT_S), since_ns)
    board.close()
    board.close()
    after = shown()
    buttons.stop()
    names = {number: [*what] for what, number in plan.lamps.items()}
    on = [names[number] for number, level in lit.items() if level == 1]
    return {"rest": list(rest.values()), "output": is_output, "on": on, "after": list(after.values()), "press": press}


KEYBOARD = "/dev/input/event90"
KEYS = {288: (1, "claim"), 289: (2, "claim"), 57: (0, "flip")}


def encoder(**more):
    out, troubles = queue.SimpleQueue(), queue.SimpleQueue()
    found = InputMap("Stand-in  encoder", KEYS)
    buttons = InputButtons(
        SystemClock(), [found], on_trouble=troubles.put, devices=lambda: [KEYBOARD], retry_s=0.02, **more
    )
    buttons.start(out.put)
    return buttons, out, troubles


def keys():
    """Two buttons of an encoder 50 us apart, one held with the repeats of a keyboard, and a key that means nothing."""
    buttons, out, _ = encoder()
    since_ns = time.monotonic_ns() // 1000 * 1000
    grabbed = kernel.stand_in_grabbed()
    kernel.stand_in_key(289, 1, since_ns)
    kernel.stand_in_key(288, 1, since_ns + 50_000)
    kernel.stand_in_key(30, 1, since_ns + 60_000)
    presses = [plain(out.get(timeout=WAIT_S), since_ns) for _ in range(2)]
    for repeat in range(5):
        kernel.stand_in_key(288, 2, since_ns + (repeat + 1) * 30 * MS)
    kernel.stand_in_key(288, 0, since_ns + 200 * MS)
    kernel.stand_in_key(57, 1, time.monotonic_ns())
    last = plain(out.get(timeout=WAIT_S), since_ns)
    buttons.stop()
    return {"presses": presses, "last": last, "more": out.qsize(), "grabbed": grabbed}


def unplugged():
    """An encoder that is pulled out with a button down, and plugged in again."""
    buttons, out, troubles = encoder()
    kernel.stand_in_key(288, 1, time.monotonic_ns())
    first = out.get(timeout=WAIT_S)
    kernel.stand_in_unplug()
    gone = troubles.get(timeout=WAIT_S)
    end_ns = time.monotonic_ns() + WAIT_S * 1000 * MS
    while out.empty() and time.monotonic_ns() < end_ns:
        kernel.stand_in_key(288, 0, time.monotonic_ns())
        kernel.stand_in_key(289, 1, time.monotonic_ns())
        kernel.stand_in_key(289, 0, time.monotonic_ns() + 30 * MS)
    again = out.get(timeout=WAIT_S)
    buttons.stop()
    return {"first": first.seat, "gone": [gone.kind, gone.buttons], "again": again.seat}


def down_at_start():
    """A foot switch that is stood on when the program starts."""
    device = InputDevice(KEYBOARD)
    kernel.stand_in_key(288, 1, time.monotonic_ns())
    device.close()
    buttons, out, _ = encoder()
    since_ns = time.monotonic_ns() // 1000 * 1000
    kernel.stand_in_key(288, 0, since_ns)
    kernel.stand_in_key(288, 1, since_ns + 40 * MS)
    press = plain(out.get(timeout=WAIT_S), since_ns)
    buttons.stop()
    return press


def learned():
    """What a key is called, for a key map."""
    with KeyListener(lambda: [KEYBOARD, "/nonexistent"]) as listener:
        kernel.stand_in_key(288, 0, time.monotonic_ns())
        kernel.stand_in_key(288, 1, time.monotonic_ns())
        pressed = listener.next(WAIT_S)
        return {
            "pressed": [pressed.device, pressed.path, pressed.key],
            "devices": listener.devices,
            "refused": listener.refused,
            "nothing": listener.next(0.0),
        }


if __name__ == "__main__":
    print(json.dumps(globals()[sys.argv[1]]()))
