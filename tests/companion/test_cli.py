"""The command line: help with examples, clear errors, exit statuses, and what the commands print."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

from companion.cli import COMMANDS, cli
from companion.commands.read import reading_text
from companion.live.opening import Wanted, new_header
from companion.store import Store
from device.clock import ManualClock
from device.simulated.table import SimulatedTable
from rules.games import new_match
from rules.lightning_dice.events import Call, Calls, Flip, Press, Roll
from rules.log import log_lines
from tests.companion.helpers import SEATS, declared, set_up_events
from vision.readings import DieReading, Reading, Unreadable

pytestmark = pytest.mark.filterwarnings("ignore:The '__version__' attribute:DeprecationWarning")


def run(*arguments: str, given: bytes | str | None = None) -> Result:
    return CliRunner().invoke(cli, list(arguments), input=given)


def match_lines(*events: Any) -> list[bytes]:
    """A whole log: set-up, a card, two rolls and a right call, or other events."""
    match = new_match(new_header(Wanted("lightning-dice", seats=SEATS)))
    played = events or (
        *set_up_events(),
        Flip("g01"),
        Roll(1, (1, 1, 2, 2, 3, 3)),
        Roll(2, (1, 1, 2, 2, 3, 4)),
        Calls((Press(2, Call.GOT_IT, 10), Press(1, Call.GOT_IT, 500_000_000))),
    )
    for event in played:
        match.submit(declared(event))
    return list(log_lines(match))


def written(path: Path, lines: list[bytes]) -> str:
    path.write_bytes(b"\n".join(lines) + b"\n")
    return str(path)


@pytest.fixture
def picture(tmp_path: Path) -> tuple[str, np.ndarray]:
    table = SimulatedTable(ManualClock(), 2, seed=5)
    table.show_card(7)
    image = table.frame().image_bgr
    path = tmp_path / "table.png"
    assert cv2.imwrite(str(path), image)
    return str(path), image


@pytest.mark.parametrize("name", list(COMMANDS))
def test_every_command_explains_itself_with_an_example(name: str) -> None:
    told = run(name, "--help")
    assert told.exit_code == 0, told.output
    assert "Example" in told.output
    assert f"companion {name}" in told.output


def test_the_overview_lists_every_command_without_importing_any() -> None:
    code = "import sys; from companion.cli import main; sys.argv = ['companion', '--help']\ntry: main()\nfinally: "
    code += "print(sorted(name for name in sys.modules if name in ('cv2', 'flask', 'rules.games')), file=sys.stderr)"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert told.stderr.strip() == "[]"
    assert all(name in told.stdout for name in COMMANDS)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["dance"], "No such command"),
        (["read"], "Missing argument"),
        (["read", "nowhere.jpg"], "nowhere.jpg cannot be read"),
        (["referee", "chess", "x"], "No game is called 'chess'"),
        (["referee", "lightning-dice", "nowhere.jsonl"], "nowhere.jsonl cannot be read"),
        (["schema", "chess"], "No game is called"),
        (["verify", "nowhere.jsonl"], "nowhere.jsonl cannot be read"),
        (["replay", "nowhere.jsonl"], "There is no file nowhere.jsonl"),
        (["replay", "nomatch", "--data", "/nonexistent"], "neither a file nor a stored match"),
        (["pack", "check", "lightning-dice", "nowhere.toml"], "nowhere.toml cannot be opened"),
        (["evaluate", "nowhere"], "nowhere is no folder"),
        (["evaluate", str(Path(__file__).parent)], "labels.json cannot be read"),
        (["watch", "nowhere"], "nowhere is no file, folder or camera"),
        (["table", "--camera", "periscope"], "'periscope' names no camera"),
        (["table", "--camera", "usb:x"], "'usb:x' names no camera"),
        (["table", "--camera", "url:"], "'url:' names no camera"),
        (["table", "--camera", "file:nowhere.mp4"], "There is no film nowhere.mp4"),
        (["table", "--camera", "folder:nowhere"], "There is no folder nowhere"),
        (["table", "--seats", "Ann:red,Ben:red"], "Two seats have red dice"),
        (["table", "--seats", "Ann:mauve"], "unknown colour 'mauve'"),
        (["table", "--seats", ":red"], "has no name"),
        (["table", "--option", "tie_ms"], "expected name=value"),
        (["table", "--port", "99999"], "99999"),
        (["bench", "cake"], "cake"),
    ],
)
def test_bad_input_is_told_in_a_line_or_two_with_status_2(arguments: list[str], expected: str, tmp_path: Path) -> None:
    told = CliRunner(env={"TABLETOP_DATA": str(tmp_path)}).invoke(cli, arguments)
    assert told.exit_code == 2, told.output
    assert expected in told.output
    said = [line for line in told.output.splitlines() if not line.startswith(("Usage:", "Try "))]
    assert len([line for line in said if line]) <= 2, told.output
    assert "Traceback" not in told.output


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--mode", "tournament", "--seats", "Ann:red,Ben:blue", "--camera", "none"], "judge"),
        (["--seats", "Ann:red", "--camera", "none"], "expected 2 to 6"),
        (["--option", "gravity=1", "--camera", "none"], "gravity"),
        (["--pack", "nowhere.toml"], "nowhere.toml cannot be opened"),
        (["--language", "xx", "--camera", "none"], "no catalogue for the language"),
    ],
)
def test_a_match_that_cannot_be_played_is_refused(arguments: list[str], expected: str, tmp_path: Path) -> None:
    told = CliRunner(env={"TABLETOP_DATA": str(tmp_path)}).invoke(cli, ["table", "--silent", *arguments])
    assert told.exit_code == 2, told.output
    assert expected in told.output


def test_read_prints_one_json_object_a_line(picture: tuple[str, np.ndarray]) -> None:
    told = run("read", picture[0], picture[0], "--json")
    assert told.exit_code == 0
    first, second = (json.loads(line) for line in told.output.splitlines())
    assert first == {**second, "stage_ms": first["stage_ms"]}
    assert first["image"] == picture[0]
    assert first["size"] == [1280, 720]
    assert {7, 240, 241, 242, 243} <= {marker["id"] for marker in first["markers"]}
    assert all(len(marker["corners"]) == 4 for marker in first["markers"])
    assert len(first["dice"]) >= 8
    for die in first["dice"]:
        assert (die["value"] is None) == (die["reason"] is not None)
        assert {"value", "reason", "confidence", "box", "outline", "pips", "colour"} <= die.keys()


def test_read_takes_standard_input_and_says_what_it_cannot_read(picture: tuple[str, np.ndarray]) -> None:
    told = run("read", "-", "--json", given=Path(picture[0]).read_bytes())
    assert json.loads(told.stdout)["image"] == "-"
    for junk in (b"", b"no picture", Path(picture[0]).read_bytes()[:50]):
        told = run("read", "-", given=junk)
        assert told.exit_code == 2
        assert "standard input is not a picture" in told.output


def test_read_goes_on_after_a_picture_that_cannot_be_read(picture: tuple[str, np.ndarray]) -> None:
    told = run("read", "nowhere.jpg", picture[0], "--json")
    assert told.exit_code == 2
    assert json.loads(told.stdout)["image"] == picture[0]
    assert "nowhere.jpg" in told.stderr


def test_read_turns_pictures_upright(tmp_path: Path, picture: tuple[str, np.ndarray]) -> None:
    """EXIF orientation 6: the camera was held on its side."""
    sideways = np.ascontiguousarray(np.rot90(picture[1], 1))
    done, data = cv2.imencode(".jpg", sideways, [cv2.IMWRITE_JPEG_QUALITY, 95])
    assert done
    exif = b"Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0\0"
    segment = b"\xff\xe1" + (len(exif) + 2).to_bytes(2, "big") + exif
    path = tmp_path / "sideways.jpg"
    path.write_bytes(data.tobytes()[:2] + segment + data.tobytes()[2:])
    told = json.loads(run("read", str(path), "--json").output)
    assert told["size"] == [1280, 720]
    assert 7 in {marker["id"] for marker in told["markers"]}


def test_read_draws_what_it_saw(tmp_path: Path, picture: tuple[str, np.ndarray]) -> None:
    told = run("read", picture[0], "--overlay", str(tmp_path / "out"))
    assert told.exit_code == 0, told.output
    drawn = cv2.imread(str(tmp_path / "out" / "table.png"))
    assert drawn is not None
    assert drawn.shape == picture[1].shape
    assert (drawn != picture[1]).any()
    assert "marker 7" in told.output


def test_read_says_the_aids_sentence(picture: tuple[str, np.ndarray]) -> None:
    told = run("read", picture[0], "--speak-text")
    assert told.exit_code == 0, told.output
    assert len(told.output.splitlines()) == 1
    assert told.output.strip()


@pytest.mark.parametrize(
    ("value", "reason", "words"),
    [
        (4, None, "4"),
        (None, Unreadable.GLARE, "unreadable (glare)"),
        (None, Unreadable.NOT_A_PIP_DIE, "not a pip die (only dice with pips are read)"),
    ],
    ids=["read", "unreadable", "without pips"],
)
def test_a_die_in_words(value: int | None, reason: Unreadable | None, words: str) -> None:
    outline = ((0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0))
    die = DieReading(value, reason, 0.9, (0, 0, 9, 9), outline, (), "red", "white", (0, 0, 200))
    told = reading_text("a.jpg", Reading((20, 20), (die,), ()))
    assert told.splitlines()[1] == f"  red die at 4,4: {words}, confidence 0.90"


def test_referee_rules_on_a_log_and_tells_the_end(tmp_path: Path) -> None:
    path = written(tmp_path / "log.jsonl", match_lines())
    told = run("referee", "lightning-dice", path, "--json")
    assert told.exit_code == 0, told.output
    *rulings, final = (json.loads(line) for line in told.output.splitlines())
    assert [each["code"] for each in rulings][-2:] == ["ld.false-claim", "ld.match"] or len(rulings) == 9
    assert all(each["clauses"] and each["verdict"] for each in rulings)
    assert [seat.get("score", 0) for seat in final["final"]["state"]["seats"]] == [2, 0]
    words = run("referee", "lightning-dice", path)
    assert "accepted [LD-S6" in words.output
    assert "Ann 2, Ben 0" in words.output.splitlines()[-1]


def test_referee_takes_bare_events_and_a_bare_header_from_standard_input() -> None:
    header = json.loads(match_lines()[0])["header"]
    rows: list[Any] = [{"header": header}, {"kind": "shuffled"}, {"event": {"kind": "stack", "where": "side"}}]
    given = "\n".join(json.dumps(row) for row in rows)
    told = run("referee", "lightning-dice", "--json", given=given)
    assert told.exit_code == 0
    codes = [json.loads(line).get("code") for line in told.output.splitlines()]
    assert codes == ["ld.shuffled", "ld.stack", None]
    bare = run(
        "referee", "lightning-dice", "-", "--json", given="\n".join(json.dumps(row) for row in [header, *rows[1:]])
    )
    assert bare.output == told.output


def test_referee_rules_unreadable_lines_and_goes_on() -> None:
    header = match_lines()[0].decode()
    junk = ["{", "[]", '"roll"', '{"kind": "sing"}', '{"event": 3}', '{"kind": "stack"}', "\x00", '{"entry": {}}']
    given = "\n".join([header, *junk, '{"kind": "shuffled"}'])
    told = run("referee", "lightning-dice", "-", "--json", given=given)
    assert told.exit_code == 0, told.output
    *rulings, final = (json.loads(line) for line in told.output.splitlines())
    assert [each["code"] for each in rulings] == ["core.unreadable"] * len(junk) + ["ld.shuffled"]
    assert all(each["refusal"] == "unreadable" and each["clauses"] == ["TC-1"] for each in rulings[:-1])
    assert final["final"]["seq"] == 1


@pytest.mark.parametrize(
    "first", ["", "{}", "nonsense", '{"kind": "shuffled"}', '{"header": {"game": "hellas"}}'], ids=str
)
def test_referee_needs_a_header(first: str) -> None:
    told = run("referee", "lightning-dice", "-", given=first + '\n{"kind": "shuffled"}' if first else "")
    assert told.exit_code == 2
    assert "header" in told.output


def test_schema_describes_what_the_referee_takes() -> None:
    schema = json.loads(run("schema", "lightning-dice").output)
    assert {"header", "submission", "event", "ruling", "entry", "$defs", "examples"} <= schema.keys()
    kinds = {event["kind"] for event in schema["examples"]["events"]}
    assert {"flip", "roll", "calls", "undo", "overrule", "note"} <= kinds
    of_kind = [each.get("properties", {}).get("kind", {}) for each in schema["$defs"].values()]
    tags = {tag for kind in of_kind for tag in kind.get("enum", [])}
    assert kinds == tags  # an example of each
    given = "\n".join(json.dumps(row) for row in [schema["examples"]["header"], *schema["examples"]["events"]])
    told = run("referee", "lightning-dice", "-", "--json", given=given)
    assert told.exit_code == 0, told.output
    assert "core.unreadable" not in told.output


def test_verify_says_that_a_log_is_whole_and_seals_it(tmp_path: Path) -> None:
    lines = match_lines()
    told = run("verify", written(tmp_path / "log.jsonl", lines))
    assert told.exit_code == 0, told.output
    assert json.loads(lines[-1])["hash"] in told.output


def changed_ruling(lines: list[bytes]) -> list[bytes]:
    """A forger who mends the chain still cannot change a ruling."""
    from rules.log import chain

    *before, last = lines
    body = json.dumps(json.loads(last)["entry"], separators=(",", ":"), sort_keys=True, ensure_ascii=False)
    forged = body.replace('"ld.match"', '"ld.note"').encode()
    digest = chain(json.loads(before[-1])["hash"], forged)
    return [*before, b'{"entry":' + forged + b',"hash":"' + digest.encode() + b'"}']


@pytest.mark.parametrize(
    ("spoil", "line"),
    [
        (lambda lines: [*lines[:3], *lines[4:]], 4),
        (lambda lines: [*lines[:3], lines[4], lines[3], *lines[5:]], 4),
        (lambda lines: [*lines[:5], lines[5].replace(b"g01", b"g02"), *lines[6:]], 6),
        (lambda lines: [lines[0].replace(b"Ann", b"Eva"), *lines[1:]], 1),
        (lambda lines: [*lines[:-1], lines[-1][:-30]], 9),
        (changed_ruling, 9),
        (lambda lines: lines[1:], 1),
        (lambda lines: [], 1),
    ],
    ids=["dropped", "swapped", "changed", "header changed", "cut", "forged ruling", "no header", "empty"],
)
def test_verify_names_the_line_that_is_wrong(tmp_path: Path, spoil: Any, line: int) -> None:
    told = run("verify", written(tmp_path / "log.jsonl", spoil(match_lines())))
    assert told.exit_code == 1, told.output
    assert f"Line {line}:" in told.output


def test_replay_prints_a_stored_match_and_a_file_alike(tmp_path: Path) -> None:
    lines = match_lines()
    path = written(tmp_path / "log.jsonl", lines)
    match = json.loads(lines[0])["header"]["match"]
    with Store(tmp_path / "data") as store:
        replayed = __import__("rules.log", fromlist=["replay"]).replay(lines).match
        store.create(replayed.header)
        for line in lines[1:]:
            store.append(match, line)
        data = str(tmp_path / "data")
        listed = run("replay", "--data", data)
        assert match in listed.output
        assert "8 entries" in listed.output
        stored = run("replay", match, "--data", data)
        assert stored.exit_code == 0, stored.output
        assert stored.output == run("replay", path).output
        assert "   8  declared: calls" in stored.output
        assert "Ann 2, Ben 0" in stored.output
        assert run("replay", match, "--data", data, "--log").output.encode().splitlines() == lines


def test_pack_template_passes_the_check_and_a_spoiled_one_does_not(tmp_path: Path) -> None:
    template = run("pack", "template", "lightning-dice")
    assert template.exit_code == 0
    path = tmp_path / "pack.toml"
    path.write_text(template.output, encoding="utf-8")
    checked = run("pack", "check", "lightning-dice", str(path))
    assert checked.exit_code in (0, 1), checked.output
    shipped = run("pack", "check", "lightning-dice", "--json")
    assert shipped.exit_code == 0, shipped.output
    assert any(json.loads(line)["severity"] == "assumed" for line in shipped.output.splitlines())
    path.write_text('game = "lightning-dice"\ntitle = "x"\n[[card]]\nid = "a"\ngoal = "7 7"\n', encoding="utf-8")
    spoiled = run("pack", "check", "lightning-dice", str(path))
    assert spoiled.exit_code == 1, spoiled.output
    assert "cannot be played with" in spoiled.output


def test_watch_tells_dice_of_a_folder_of_pictures_as_they_settle(
    tmp_path: Path, picture: tuple[str, np.ndarray]
) -> None:
    folder = tmp_path / "frames"
    folder.mkdir()
    chance = np.random.default_rng(1)
    for number in range(16):
        noise = chance.normal(0, 2, picture[1].shape)
        image = np.clip(picture[1] + noise, 0, 255).astype(np.uint8)
        assert cv2.imwrite(str(folder / f"{number:03}.png"), image)
    thrown = SimulatedTable(ManualClock(), 2, seed=5).truth()
    values = sorted(value for dice in thrown.values() for value in dice if value)
    told = run("watch", str(folder), "--json", "--fast")
    assert told.exit_code == 0, told.output
    changes = [json.loads(line) for line in told.output.splitlines()]
    states = [change for change in changes if change["what"] == "state"]
    assert {change["state"] for change in states} == {"settled"}, "what has not come to rest yet may be no die"
    last = {change["die"]: change["value"] for change in states}
    read = [value for value in last.values() if value]
    assert len(last) == len(values)
    assert not Counter(read) - Counter(values), "no value that nobody threw"
    assert len(read) >= len(values) - 1, "one is read in every seventh frame only, which is not believed"
    words = run("watch", str(folder), "--fast").output.splitlines()
    assert len(words) >= len(last)
    assert all(" settled, " in line for line in words)


def test_bench_rules_prints_figures_as_json() -> None:
    told = json.loads(run("bench", "rules", "--json", "--rounds", "200").output)
    assert told["rulings"] >= 200
    assert told["rulings_per_s"] > 100


def test_bench_cards_plays_a_match_from_frames_and_judges_it_again() -> None:
    told = json.loads(run("bench", "cards", "--json", "--rounds", "60").output)
    assert told["frames"] == 60
    assert told["events"] > 0
    assert told["rulings_per_s"] > 100
    assert told["options"] > 0


def test_the_command_runs_as_a_module_and_knows_its_version() -> None:
    told = subprocess.run(
        [sys.executable, "-P", "-m", "companion", "--version"], capture_output=True, text=True, check=True
    )
    assert told.stdout.startswith("companion, version ")
    bad = subprocess.run(
        [sys.executable, "-P", "-m", "companion", "read", "x.jpg"], capture_output=True, text=True, check=False
    )
    assert bad.returncode == 2
    assert bad.stderr.startswith("companion: x.jpg cannot be read")
    assert bad.stdout == ""


def test_watch_says_that_a_file_is_no_film(tmp_path: Path) -> None:
    path = tmp_path / "letter.jpg"
    path.write_text("dear all\n", encoding="utf-8")
    told = run("watch", str(path), "--fast")
    assert told.exit_code == 2, told.output
    assert "no frame that can be read" in told.output


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=lambda number: number.name)
@pytest.mark.parametrize("camera", ["none", "simulated"])
def test_table_ends_quietly_when_stopped_right_after_it_tells_its_address(
    camera: str, number: signal.Signals, tmp_path: Path
) -> None:
    arguments = ["table", "--camera", camera, "--silent", "--port", "0", "--host", "127.0.0.1", "--data", str(tmp_path)]
    with subprocess.Popen(
        [sys.executable, "-P", "-m", "companion", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    ) as process:
        assert process.stdout is not None
        while "Open http" not in process.stdout.readline():
            assert process.poll() is None
        process.send_signal(number)
        output, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (0, "")
    assert output.endswith("goes on at the next start.\n")


def test_another_command_ends_quietly_on_ctrl_c(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(name: str) -> list[bytes]:
        raise KeyboardInterrupt

    monkeypatch.setattr("companion.commands.verify.input_lines", interrupted)
    told = run("verify", "match.jsonl")
    assert (told.exit_code, told.output) == (130, "")


def test_a_reader_that_goes_away_is_no_error_of_the_command() -> None:
    """Status 1 of `clauses --missing` and `pack check` means that something was found."""
    code = "import sys; from companion.cli import main; sys.argv = ['companion', 'clauses', 'lightning-dice']; main()"
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 141


def test_referee_warns_that_a_quick_tournament_is_played_for_points() -> None:
    header = json.loads(match_lines()[0])["header"]
    for mode, warned in (("quick-tournament", True), ("tournament", False)):
        header |= {"judge": "Jo", "options": {"mode": mode}}
        told = run("referee", "lightning-dice", "--json", given=json.dumps(header))
        assert told.exit_code == 0, told.output
        assert ("this match is played for points (LD-J10)" in told.stderr) == warned
        assert len(told.stdout.splitlines()) == 1
