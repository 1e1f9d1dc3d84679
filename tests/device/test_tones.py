"""Tones that tell apart by their shape, and a loudspeaker that is missing or hangs."""

from __future__ import annotations

import itertools
import os
import wave

import numpy as np
import pytest

from device.tones import RATE_HZ, TONES, AplayTones, RememberedTones, Tones, samples_of


def pitches(samples):
    """The strongest frequency of every 40 ms, None in silence."""
    size = int(0.04 * RATE_HZ)
    found = []
    for start in range(0, len(samples) - size, size):
        piece = samples[start : start + size].astype(float)
        if np.abs(piece).max() < 500:
            found.append(None)
        else:
            spectrum = np.abs(np.fft.rfft(piece * np.hanning(size), 8 * size))
            found.append(float(np.argmax(spectrum) * RATE_HZ / 8 / size))
    return found


@pytest.mark.parametrize("name", list(TONES))
def test_a_tone_is_short_does_not_clip_and_does_not_click(name):
    samples = samples_of(name)
    assert 0.05 < len(samples) / RATE_HZ < 0.7
    assert 3000 < np.abs(samples).max() < 16_000
    assert abs(int(samples[0])) < 400
    assert abs(int(samples[-1])) < 400
    assert np.abs(samples_of(name, 0)).max() == 0
    assert np.abs(samples_of(name, 300).astype(int)).max() <= 32_767


def test_good_rises_bad_falls_and_the_others_keep_their_pitch():
    first, good, bad, turn = (
        [pitch for pitch in pitches(samples_of(name)) if pitch] for name in ("first", "good", "bad", "turn")
    )
    assert good[-1] > 1.3 * good[0]
    assert bad[-1] < 0.8 * bad[0]
    assert max(bad) < 0.7 * min(good), "bad is low"
    for steady in (first, turn):
        assert max(steady) < 1.1 * min(steady)
    assert len({len(TONES[name]) for name in ("first", "good", "turn")}) == 3, "one, two, two apart"
    for one, other in itertools.combinations(TONES, 2):
        assert TONES[one] != TONES[other]


@pytest.fixture
def program(tmp_path):
    """A stand-in for aplay that notes what it is asked to play; a hanging one waits at a FIFO."""
    log, gate = tmp_path / "played.txt", tmp_path / "gate"

    def make(*, hanging=False, status=0):
        path = tmp_path / "play"
        if hanging and not gate.exists():
            os.mkfifo(gate)
        wait = f'exec 3<"{gate}"; read -r _ <&3\n' if hanging else ""
        path.write_text(f'#!/bin/sh\necho "$1 $(basename "$2")" >> "{log}"\n{wait}echo no card >&2\nexit {status}\n')
        path.chmod(0o755)
        return str(path)

    return make, log, gate


def test_tones_are_played_in_order_and_of_those_that_wait_only_the_newest_two(program):
    make, log, gate = program
    tones = AplayTones(program=make(hanging=True))
    tones.play("first")
    with gate.open("w") as opened:
        for name in ("good", "bad", "turn", "good"):
            tones.play(name)
        make()
        opened.write("go\n")
    tones._waiting.put(None)
    tones._thread.join(10)
    assert log.read_text().split("\n")[:-1] == ["-q first.wav", "-q turn.wav", "-q good.wav"]
    tones.close()


def test_files_are_as_the_program_expects_them():
    tones = AplayTones(program="true")
    try:
        with wave.open(str(tones._file("good"))) as sound:
            assert (sound.getnchannels(), sound.getsampwidth(), sound.getframerate()) == (1, 2, RATE_HZ)
            assert sound.getnframes() == len(samples_of("good"))
    finally:
        tones.close()
    assert not tones._file("good").exists()


@pytest.mark.parametrize("trouble", ["missing", "failing", "hanging"])
def test_a_loudspeaker_that_does_not_work_is_told_once_and_stops_nothing(trouble, program, tmp_path, caplog):
    make, _, gate = program
    path = str(tmp_path / "none") if trouble == "missing" else make(hanging=trouble == "hanging", status=1)
    held_open = os.open(gate, os.O_RDWR) if trouble == "hanging" else None
    tones = AplayTones(program=path, limit_s=0.1)
    assert tones.available == (trouble != "missing")
    tones.play("bad")
    tones.play("good")
    tones._waiting.put(None)
    tones._thread.join(10)
    assert not tones._thread.is_alive()
    assert caplog.text.count("tones are not heard") == 1
    tones.close()
    if held_open is not None:
        os.close(held_open)


def test_unknown_tones_are_refused():
    tones = AplayTones(program="true")
    for each in (tones, RememberedTones()):
        assert isinstance(each, Tones)
        with pytest.raises(KeyError, match="first, good, bad, turn"):
            each.play("fanfare")
        each.close()
    remembered = RememberedTones()
    remembered.play("turn")
    assert remembered.played == ["turn"]
