"""Key maps, key names, and input devices that are not there; what the kernel does is in test_kernel."""

from __future__ import annotations

import errno
import os
import re
from pathlib import Path

import pytest

from device.buttons.input_device import InputButtons, InputMap, load_keys
from device.buttons.input_events import InputDevice, input_devices, key_code, key_name
from device.clock import ManualClock
from device.errors import ButtonBackendError, ButtonPinError

HEADER = Path("/usr/include/linux/input-event-codes.h")

MAP = """
[[device]]
name = "DragonRise Inc. Generic USB Joystick"
[device.keys]
BTN_TRIGGER = "1 claim"
btn_thumb = "1 call"
293 = "0 uphold"

[[device]]
name = "/dev/input/by-path/foot-event-kbd"
shared = true
[device.keys]
KEY_SPACE = "2 claim"
"""


def written(tmp_path, text):
    path = tmp_path / "keys.toml"
    path.write_text(text)
    return path


def test_a_key_map_is_read(tmp_path):
    encoder, foot = load_keys(written(tmp_path, MAP))
    assert encoder == InputMap(
        "DragonRise Inc. Generic USB Joystick", {0x120: (1, "claim"), 0x121: (1, "call"), 293: (0, "uphold")}
    )
    assert foot == InputMap("/dev/input/by-path/foot-event-kbd", {57: (2, "claim")}, shared=True)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", r"expected sections \[\[device\]\]"),
        ("[device]\nname = 'x'", r"expected sections \[\[device\]\]"),
        ("[[device]]\nname = 'x'", r"at least one line below \[device.keys\]"),
        ("[[device]]\n[device.keys]\nKEY_A = '1 claim'", "needs name"),
        ("[[device]]\nname = 'x'\n[device.keys]\nKEY_A = 'claim'", 'as in KEY_A = "3 claim"'),
        ("[[device]]\nname = 'x'\n[device.keys]\nKEY_A = '1 shout'", "no button 'shout'"),
        ("[[device]]\nname = 'x'\n[device.keys]\nKEY_AAA = '1 claim'", "'KEY_AAA' is no key"),
        ("[[device]]\nname = 'x'\n[device.keys]\n9999 = '1 claim'", "'9999' is no key"),
        ("[[device", "is not TOML"),
    ],
)
def test_a_wrong_key_map_is_refused_with_what_is_wrong(tmp_path, text, words):
    with pytest.raises(ButtonPinError, match=words):
        load_keys(written(tmp_path, text))
    with pytest.raises(ButtonPinError, match="cannot be read"):
        load_keys(tmp_path / "none.toml")


@pytest.mark.skipif(not HEADER.exists(), reason="the names of keys need the kernel's header to be compared with")
def test_keys_are_called_what_the_kernel_calls_them():
    defined = dict(re.findall(r"^#define ((?:KEY|BTN)_\w+)\s+(\w+)", HEADER.read_text(), re.M))
    ours = {key_name(code): code for code in range(1, 0x300) if not key_name(code).isdecimal()}
    assert len(ours) > 150
    for name, code in ours.items():
        value = defined[name]
        while value in defined:
            value = defined[value]
        assert int(value, 0) == code, name
        assert key_code(name) == code


def test_what_is_no_input_device_says_so(tmp_path):
    with pytest.raises(ButtonBackendError, match="plug it in again"):
        InputDevice(tmp_path / "none")
    (tmp_path / "event0").write_bytes(b"")
    with pytest.raises(ButtonBackendError, match="is no input device that can be used"):
        InputDevice(tmp_path / "event0")


def test_a_device_that_may_not_be_opened_names_the_group(monkeypatch):
    def refuse(path, flags):
        raise PermissionError(errno.EACCES, "no")

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(ButtonBackendError, match="group 'input'"):
        InputDevice("/dev/input/event0")
    buttons = InputButtons(ManualClock(), [InputMap("x", {57: (1, "claim")})], devices=lambda: ["/dev/input/event0"])
    with pytest.raises(ButtonBackendError, match="group 'input'"):
        buttons.start(lambda press: None)


def test_a_device_that_is_not_there_is_told_with_those_that_are():
    buttons = InputButtons(ManualClock(), [InputMap("My encoder", {57: (1, "claim")})], devices=list)
    with pytest.raises(ButtonBackendError, match=r"no input device 'My encoder'; expected one of none at all"):
        buttons.start(lambda press: None)
    buttons.stop()


def test_maps_are_checked_before_anything_is_opened():
    with pytest.raises(ButtonPinError, match="no button 'shout'"):
        InputButtons(ManualClock(), [InputMap("x", {57: (1, "shout")})])
    with pytest.raises(ButtonPinError, match="is no key"):
        InputButtons(ManualClock(), [InputMap("x", {0: (1, "claim")})])


def test_devices_are_listed_by_their_event_files(tmp_path):
    for name in ("event2", "event10", "mouse0", "js0"):
        (tmp_path / name).write_bytes(b"")
    assert [Path(path).name for path in input_devices(tmp_path)] == ["event10", "event2"]
    assert input_devices(tmp_path / "none") == []
