from __future__ import annotations

import os
import shutil
import stat
import wave

import numpy as np
import pytest

from device.errors import SpeakerFailed, SpeakerMissing, SpeakerTimeout
from device.speaker import EspeakSpeaker, SilentSpeaker, Speaker, to_wav


@pytest.fixture
def program(tmp_path):
    """Makes a stand-in for espeak-ng: notes what it is told, and waits at a FIFO while it is a `hanging` one."""

    def make(*, status=0, hanging=False):
        path = tmp_path / "speak"
        log = tmp_path / "said.txt"
        gate = tmp_path / "gate"
        if hanging and not gate.exists():
            os.mkfifo(gate)
        wait = f'exec 3<"{gate}"; read -r _ <&3\n' if hanging else ""
        path.write_text(
            f'#!/bin/sh\ntext=$(cat)\necho "$2|$text" >> "{log}"\n{wait}'
            f'[ {status} = 0 ] || echo "no voice" >&2\nexit {status}\n'
        )
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return str(path), log, gate

    return make


def lines(log):
    return log.read_text().splitlines() if log.exists() else []


@pytest.fixture
def speakers():
    made = []

    def make(program, **more):
        made.append(EspeakSpeaker(program=program, **more))
        return made[-1]

    yield make
    for speaker in made:
        speaker.close()
        assert not speaker._thread.is_alive()


def test_both_keep_the_protocol(speakers, program):
    assert isinstance(SilentSpeaker(), Speaker)
    assert isinstance(speakers(program()[0]), Speaker)


def test_the_silent_speaker_remembers():
    speaker = SilentSpeaker()
    speaker.say("Three", language="en")
    speaker.say("Rifiutato", language="it", keep=True)
    assert [(s.text, s.language, s.keep) for s in speaker.said] == [("Three", "en", False), ("Rifiutato", "it", True)]


def test_sentences_are_said_in_order_with_their_language(speakers, program):
    path, log, _ = program()
    speaker = speakers(path)
    for text, language in (("Roll 1: three", "en"), ("--version", "en"), ("Tiro 2: cinque", "it")):
        speaker.say(text, language=language)
        assert speaker.wait_until_silent(10)
    assert lines(log) == ["en|Roll 1: three", "en|--version", "it|Tiro 2: cinque"]
    assert speaker.last_trouble is None


def test_the_newest_state_wins_and_what_must_be_kept_is(speakers, program):
    path, log, gate = program(hanging=True)
    speaker = speakers(path)
    speaker.say("first", language="en")
    with gate.open("w") as open_gate:  # opens once the first sentence is being said
        speaker.say("score 3", language="en")
        speaker.say("refused: no six", language="en", keep=True)
        speaker.say("score 4", language="en")
        speaker.say("refused: too late", language="en", keep=True)
        speaker.say("score 5", language="en")
        speaker.say("score 6", language="en")
        program()  # from now on it does not hang
        open_gate.write("go\n")
    assert speaker.wait_until_silent(10)
    assert lines(log) == ["en|first", "en|refused: no six", "en|refused: too late", "en|score 6"]


def test_a_hanging_program_is_cut_off_and_the_next_sentence_is_said(speakers, program):
    path, log, gate = program(hanging=True)
    speaker = speakers(path, limit_s=0.3)
    speaker.say("hangs", language="en")
    with gate.open("w"):
        speaker.say("next", language="en", keep=True)
        program()
        assert speaker.wait_until_silent(10)
    assert isinstance(speaker.last_trouble, SpeakerTimeout)
    assert lines(log) == ["en|hangs", "en|next"]


def test_stop_silences_at_once_and_forgets(speakers, program):
    path, log, gate = program(hanging=True)
    speaker = speakers(path)
    speaker.say("long", language="en")
    with gate.open("w"):
        speaker.say("waiting", language="en", keep=True)
        speaker.stop()
        assert speaker.wait_until_silent(10)
    assert lines(log) == ["en|long"]
    assert speaker.last_trouble is None
    program()
    speaker.say("again", language="en")
    assert speaker.wait_until_silent(10)
    assert lines(log) == ["en|long", "en|again"]


def test_a_missing_or_failing_program_never_raises_at_the_table(speakers, program, tmp_path):
    speaker = speakers(str(tmp_path / "none"))
    assert not speaker.available
    speaker.say("hello", language="en")
    assert speaker.wait_until_silent(10)
    assert isinstance(speaker.last_trouble, SpeakerMissing)
    failing = speakers(program(status=3)[0])
    failing.say("hello", language="en")
    assert failing.wait_until_silent(10)
    assert isinstance(failing.last_trouble, SpeakerFailed)
    assert "no voice" in str(failing.last_trouble)


def test_rate_and_volume_hold_from_the_next_sentence_on(speakers, tmp_path):
    path, log = tmp_path / "speak", tmp_path / "said.txt"
    path.write_text(f'#!/bin/sh\ncat >/dev/null\necho "$@" >> "{log}"\n')
    path.chmod(0o755)
    speaker = speakers(str(path), words_per_minute=120, volume_percent=60)
    speaker.say("one", language="en")
    assert speaker.wait_until_silent(10)
    speaker.set_rate(300)
    speaker.set_volume(0)
    speaker.say("two", language="it")
    assert speaker.wait_until_silent(10)
    assert lines(log) == ["-v en -s 120 -a 60 --stdin", "-v it -s 300 -a 0 --stdin"]
    assert (speaker.words_per_minute, speaker.volume_percent) == (300, 0)
    for wrong in (lambda: speaker.set_rate(79), lambda: speaker.set_rate(451), lambda: speaker.set_volume(201)):
        with pytest.raises(ValueError, match="asked for; give"):
            wrong()
    with pytest.raises(ValueError, match="give 0 to 200"):
        EspeakSpeaker(volume_percent=-1)


def test_the_real_program_obeys_rate_and_volume(tmp_path):
    assert shutil.which("espeak-ng"), "espeak-ng is needed: apt install espeak-ng"
    for rate in (120, 360):
        to_wav("Seat one: three, three, five.", "en", tmp_path / f"{rate}.wav", words_per_minute=rate)
    assert loudness(tmp_path / "120.wav")[0] > 2 * loudness(tmp_path / "360.wav")[0]


def test_a_language_that_is_an_option_is_refused(speakers, program):
    with pytest.raises(ValueError, match="not a language"):
        speakers(program()[0]).say("x", language="--path=/")


def loudness(path):
    with wave.open(str(path)) as sound:
        assert sound.getsampwidth() == 2
        samples = np.frombuffer(sound.readframes(sound.getnframes()), np.int16) / 32768
        return len(samples) / sound.getframerate(), float(np.sqrt((samples**2).mean()))


def test_the_real_program_speaks_english_and_italian(tmp_path):
    assert shutil.which("espeak-ng"), "espeak-ng is needed: apt install espeak-ng"
    for language, text in (("en", "Seat one: three, three, five."), ("it", "Posto uno: tre, tre, cinque.")):
        to_wav(text, language, tmp_path / f"{language}.wav")
        seconds, level = loudness(tmp_path / f"{language}.wav")
        assert 1 < seconds < 6
        assert level > 0.02
    to_wav("--version", "en", tmp_path / "option.wav")
    assert loudness(tmp_path / "option.wav")[0] > 0.3


def test_writing_a_file_names_its_failures(tmp_path, program):
    with pytest.raises(SpeakerMissing, match="apt install"):
        to_wav("x", "en", tmp_path / "a.wav", program=str(tmp_path / "none"))
    with pytest.raises(SpeakerFailed, match="no voice"):
        to_wav("x", "en", tmp_path / "a.wav", program=program(status=1)[0])
    path, _, gate = program(hanging=True)
    with pytest.raises(SpeakerTimeout), os.fdopen(os.open(gate, os.O_RDWR)):
        to_wav("x", "en", tmp_path / "a.wav", program=path, limit_s=0.2)
