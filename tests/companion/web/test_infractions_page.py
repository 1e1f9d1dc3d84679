"""What the judge reads of a possible breach that the camera reports."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.hub import Hub
from companion.live.opening import Wanted
from companion.web.app import create_app
from device.speaker import SilentSpeaker
from rules.events import Source, Submission
from rules.lightning_dice.events import Breach
from tests.companion.helpers import open_table
from tests.companion.web.conftest import PIN, SEATS


@pytest.mark.parametrize(
    ("language", "seen", "rule", "lasted"),
    [
        ("en", "a lifted die was set back. Dice: 3. The die was taken up", "A die picked up is rolled again.", "7 s"),
        ("it", "rimesso giù un dado sollevato. Dadi: 3. Il dado è stato preso", "Un dado", "7 s"),
    ],
)
def test_the_judge_reads_what_was_seen_and_why_it_is_only_a_suspicion(
    tmp_path: Path, speaker: SilentSpeaker, language: str, seen: str, rule: str, lasted: str
) -> None:
    wanted = Wanted("lightning-dice", seats=SEATS, judge="Eva", options={"mode": "tournament"})
    store, table = open_table(tmp_path / "t", wanted=wanted)
    with store, table:
        client = create_app(table, Hub(), judge_pin=PIN, seat_codes={}, speaker=speaker).test_client()
        assert client.post("/judge", data={"code": PIN}).status_code == 303
        client.set_cookie("language", language)
        back = Breach(1, 3, (2,), "set back", suspicion="lay under the hand")
        blocked = Breach(2, 6, (0, 1), "view blocked", suspicion="hand stayed", lasted_ms=7_100)
        for event in (back, blocked):
            table.submit(Submission(event, Source.CAMERA, at_ns=5))
        page = client.get("/judge").text
        assert seen in page
        assert rule in page
        assert lasted in page
        assert page.count('class="entry" id="pending-') == 2
        waiting = table.view()["pending"][0]["seq"]
        assert f"/evidence/{table.header.match}/{waiting}" in page, "the clip is one press away"
        assert f'id="decide-uphold-{waiting}-0"' in page
        assert f'id="decide-refuse-{waiting}-0"' in page
