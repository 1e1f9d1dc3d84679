"""Every command in the README is run, and its links and pictures exist."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import threading
import urllib.request
from pathlib import Path

import cv2
import pytest

from companion import cli
from companion.evidence.archive import Archive
from companion.store import Store
from device.clock import ManualClock
from device.pins import load_pins
from device.simulated import SimulatedTable
from rules.events import Note, Pause, Resume, Submission
from rules.games import game_named, new_match
from rules.header import Seat
from rules.lightning_dice.goals import parse_goal
from rules.log import entry_line, log_lines
from rules.thunder_and_lightning.options import ThunderAndLightningOptions, options_plain
from tests.companion.evidence.made import frozen

REPOSITORY = Path(__file__).resolve().parent.parent
README = (REPOSITORY / "README.md").read_text(encoding="utf-8")
HARDWARE = (REPOSITORY / "hardware/README.md").read_text(encoding="utf-8")

STARTED_S = 120
"""How long a table may take until it prints its address."""


def console_commands(markdown: str) -> list[str]:
    """The lines after "$ " in ```console blocks."""
    blocks = re.findall(r"^```console\n(.*?)^```", markdown, re.M | re.S)
    return [line[2:] for block in blocks for line in block.splitlines() if line.startswith("$ ")]


COMMANDS = console_commands(README)
BATTLE = (REPOSITORY / "docs/thunder-and-lightning.md").read_text(encoding="utf-8")
BATTLE_COMMANDS = console_commands(BATTLE)


@pytest.fixture(scope="module")
def workplace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what the examples speak of: a photograph, a match."""
    folder = tmp_path_factory.mktemp("readme")
    clock = ManualClock(1_000_000_000)
    table = SimulatedTable(clock, seats=2, seed=3)
    cv2.imwrite(str(folder / "photo.jpg"), table.frame().image_bgr)
    game = game_named("lightning-dice")
    seats = (Seat(1, "Anna", "red"), Seat(2, "Bruno", "blue"))
    match = new_match(game.new_header("m", seats, {}, game.default_pack(), None, "2026-01-31T20:00:00+00:00"))
    for event in (Note("the lamp went out"), Pause("coffee"), Resume()):
        match.submit(Submission(event))
    (folder / "match.jsonl").write_bytes(b"".join(line + b"\n" for line in log_lines(match)))
    with Store(folder / "data") as store:  # a match that is over, with evidence
        header = game.new_header("MATCH", seats, {}, game.default_pack(), None, "2026-01-30T20:00:00+00:00")
        digest = store.create(header)
        entry = new_match(header).submit(Submission(Note("over")))
        store.append("MATCH", entry_line(digest, entry)[0], ended=True)
        Archive(store).add(frozen("MATCH", 41))
    return folder


def arguments_of(command: str) -> tuple[list[str], str | None]:
    """Arguments for companion, and the file that the output goes to; the shell's part is done here."""
    words = shlex.split(command)
    assert words.pop(0) == "./run", f"only ./run is known here: {command}"
    target = None
    if ">" in words:
        target = words[words.index(">") + 1]
        words = words[: words.index(">")]
    return words or ["table"], target


def environment(folder: Path) -> dict[str, str]:
    return {**os.environ, "TABLETOP_DATA": str(folder / "data"), "PYTHONUNBUFFERED": "1"}


def test_commands_are_found() -> None:
    assert console_commands("```console\n$ ./run a\nout\n$ ./run b\n```\n```\n$ no\n```\n") == ["./run a", "./run b"]
    assert COMMANDS.count("./run") == 1
    assert len(COMMANDS) > 8


def run_to_the_end(command: str, folder: Path) -> str:
    arguments, target = arguments_of(command)
    done = subprocess.run(
        [sys.executable, "-P", "-m", "companion", *arguments],
        cwd=folder,
        env=environment(folder),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    assert "Traceback" not in done.stderr
    if target == "my-cards.toml":
        (folder / target).write_text(filled_in(done.stdout), encoding="utf-8")
    elif target:  # what the reader is asked to fill in by hand is filled in here
        goals = iter(card["goal"] for card in game_named("lightning-dice").default_pack()["card"])
        filled = re.sub('goal = ""', lambda _: f'goal = "{next(goals)}"', done.stdout)
        (folder / target).write_text(filled, encoding="utf-8")
    return done.stdout


def filled_in(template: str) -> str:
    """The template of two decks as somebody fills it in from a box with the cards of the shipped pack."""
    cards = game_named("thunder-and-lightning").default_pack()["card"]
    head = template[: template.index("\n[[card]]")]
    lines = [head]
    for card in cards:
        told = {name: card[name] for name in ("id", "deck", "name", "kind", "copies", "symbol") if name in card}
        told |= {name: card[name] for name in ("strength", "markers") if name in card}
        lines += ["[[card]]", *(f"{name} = {json.dumps(value)}" for name, value in told.items())]
        sure = ", ".join(f'{each} = "published"' for each in card["sure"])
        lines += [f"sure = {{ {sure} }}", ""]
    return "\n".join(lines)


def start_and_stop(command: str, folder: Path) -> str:
    """Start a table, open the page it prints, end it with Ctrl-C; all it printed."""
    arguments, _ = arguments_of(command)
    if "--camera" in arguments:  # there is no webcam here
        arguments[arguments.index("--camera") + 1] = "simulated"
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "companion", *arguments, "--port", "0"],
        cwd=folder,
        env=environment(folder),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert process.stdout is not None
    watchdog = threading.Timer(STARTED_S, process.kill)
    watchdog.start()
    printed = ""
    try:
        for line in process.stdout:
            printed += line
            if "PIN:" in line:  # the last line about where the page is
                address = re.search(r"http://localhost:\d+/", printed)
                assert address, f"{command} printed no address:\n{printed}"
                with urllib.request.urlopen(address[0], timeout=60) as page:
                    assert page.status == 200
                process.send_signal(signal.SIGINT)
                break
        printed += process.stdout.read()
        status = process.wait()
    finally:
        watchdog.cancel()
        watchdog.join()
        process.kill()
        process.stdout.close()
        process.wait()
    assert "PIN:" in printed, f"{command} did not start:\n{printed}"
    assert status == 0, printed
    assert "Traceback" not in printed, printed
    return printed


def test_every_command_runs(workplace: Path) -> None:
    """In the order of the page: later ones use the files that earlier ones made."""
    for command in COMMANDS:
        if arguments_of(command)[0][0] == "table":
            start_and_stop(command, workplace)
        else:
            run_to_the_end(command, workplace)
    for made in ("corners.pdf", "cards.pdf", "my-deck.toml", "seen/photo.png"):
        assert (workplace / made).stat().st_size > 500, made


def test_every_command_of_the_battlefield_s_page_runs(tmp_path: Path) -> None:
    said = ""
    for command in BATTLE_COMMANDS:
        run = start_and_stop if arguments_of(command)[0][0] == "table" else run_to_the_end
        said = run(command, tmp_path)
        if "pack check" in command:
            assert "0 values assumed" in said, "a pack filled in from the cards has no guess left"
    for made in ("corners.pdf", "cards.pdf", "my-cards.toml", "my-cards.pdf"):
        assert (tmp_path / made).stat().st_size > 500, made


def test_the_options_of_the_battlefield_s_page_are_those_of_the_game_with_their_defaults() -> None:
    rows = re.findall(r"^\| `(\w+)` \|.*\| `([^`]+)` \|$", BATTLE, re.M)
    defaults = options_plain(ThunderAndLightningOptions())
    told = {name: str(value).lower() if isinstance(value, bool) else value for name, value in defaults.items()}
    assert dict(rows) == {name: value for name, value in told.items() if name != "roles"}


def test_commands_named_in_the_text_exist() -> None:
    """`./run X ...` inside a sentence: X is a command; the hardware page asks for none that is not run above."""
    named = re.findall(r"`(\./run [a-z][^`]*)`", README)
    assert len(named) >= 2
    assert {command.split()[1] for command in named} <= set(cli.COMMANDS)
    on_hardware_page = re.findall(r"`(\./run [a-z][^`]*)`", HARDWARE)
    assert on_hardware_page
    assert set(on_hardware_page) <= set(COMMANDS)


def test_the_goals_of_the_page_are_in_the_language() -> None:
    table = README[README.index("| goal |") : README.index("## Correct")]
    rows = re.findall(r"^\| `([^`]+)` \|", table, re.M)
    assert len(rows) >= 8
    for goal in [*rows, "3 pairs", "kinds 2 2 2", "all even", "all low", "all high", "all of 4", "exactly 2 of 6"]:
        parse_goal(goal)


@pytest.mark.parametrize(
    "page",
    ["README.md", "hardware/README.md", "CHANGELOG.md", "docs/thunder-and-lightning.md", "docs/greece-lightning.md"],
)
def test_local_links_lead_somewhere(page: str) -> None:
    text = (REPOSITORY / page).read_text(encoding="utf-8")
    links = [link for link in re.findall(r"\]\(([^)]+)\)", text) if "://" not in link]
    missing = [link for link in links if not ((REPOSITORY / page).parent / link.partition("#")[0]).exists()]
    assert not missing


def test_the_pins_of_the_hardware_page_are_the_header_of_the_pi() -> None:
    """BCM number and header pin as the Pi has them; none twice, none of the reserved ones."""
    header = {2: 3, 3: 5, 4: 7, 17: 11, 27: 13, 22: 15, 10: 19, 9: 21, 11: 23, 5: 29, 6: 31, 13: 33, 19: 35, 26: 37}
    header |= {14: 8, 15: 10, 18: 12, 23: 16, 24: 18, 25: 22, 8: 24, 7: 26, 12: 32, 16: 36, 20: 38, 21: 40}
    named = [(int(bcm), int(pin)) for bcm, pin in re.findall(r"\b(\d+) \((\d+)\)", HARDWARE)]
    assert len(named) == len(load_pins().uses) == 24
    assert all(header[bcm] == pin for bcm, pin in named)
    assert len({bcm for bcm, _ in named}) == len(named)
    assert not {bcm for bcm, _ in named} & set(load_pins().free)


def test_buttons_are_listened_to_on_the_pins_that_the_page_has_them_wired_to() -> None:
    wired: dict[int, tuple[int | None, str]] = {}
    row = r"^\| (\d) \| (\d+) \(\d+\) \| (\d+) \(\d+\) \| (\d+) \(\d+\) \|$"
    for seat, claim, call, lamp in re.findall(row, HARDWARE, re.M):
        wired |= {int(claim): (int(seat), "claim"), int(call): (int(seat), "call"), int(lamp): (int(seat), "lamp")}
    for what, pin in re.findall(r"^\| (flip|uphold|overrule|good|bad|buzzer) \| (\d+) \(\d+\) \|$", HARDWARE, re.M):
        wired[int(pin)] = (None if what == "buzzer" else 0, what)
    assert wired == {use.bcm: (use.seat, use.what) for use in load_pins().uses}
