"""The time of day is a label, marked where no time server keeps it right, and the mark can be seen and heard."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner
from flask.testing import FlaskClient

from companion.cli import cli
from companion.wall import is_unsynchronised, wall_label
from rules.events import Submission
from rules.games import new_match
from rules.lightning_dice.events import Ready
from rules.log import log_lines
from tests.companion.helpers import header, open_table
from tests.companion.web.conftest import Played, app, client, group, judge, played, speaker  # noqa: F401 - fixtures


@pytest.fixture(params=[True, False, None], ids=["kept right", "not kept right", "unknown"])
def kept_right(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool | None:
    monkeypatch.setattr("companion.wall.wall_is_synchronised", lambda: request.param)
    answer: bool | None = request.param
    return answer


def test_a_label_is_marked_only_where_the_time_is_known_to_be_unkept(kept_right: bool | None) -> None:
    label = wall_label()
    assert label.endswith("?") == (kept_right is False)
    assert is_unsynchronised(label) == (kept_right is False)
    told = datetime.fromisoformat(label.removesuffix("?"))
    assert abs((datetime.now(UTC) - told).total_seconds()) < 60
    assert len(wall_label("seconds").removesuffix("?")) == 25
    assert not is_unsynchronised(None)


def test_entries_and_matches_carry_the_mark_and_are_ruled_the_same(kept_right: bool | None, tmp_path: Path) -> None:
    store, table = open_table(tmp_path)
    with store, table:
        entry = table.submit(Submission(Ready(1)))
        assert is_unsynchronised(entry.filed.wall) == (kept_right is False)
        assert is_unsynchronised(table.header.wall) == (kept_right is False)
        assert entry.rulings[0].verdict == "accepted"


def test_pages_show_and_say_the_mark(kept_right: bool | None, played: Played, group: FlaskClient) -> None:  # noqa: F811
    played.won_card()
    page = group.get("/record").text
    assert ("the clock of this computer is not set by a time server" in page) == (kept_right is False)
    italian = group.get("/record?lang=it").text
    assert ("l&#39;orologio di questo computer" in italian) == (kept_right is False)


def test_replay_says_it_in_words(kept_right: bool | None, tmp_path: Path) -> None:
    match = new_match(header())
    (tmp_path / "match.jsonl").write_bytes(b"\n".join(log_lines(match)) + b"\n")
    told = CliRunner().invoke(cli, ["replay", str(tmp_path / "match.jsonl")])
    assert told.exit_code == 0, told.output
    assert ("by a clock that no time server had set" in told.output) == (kept_right is False)
    assert "?" not in told.output.splitlines()[0]
