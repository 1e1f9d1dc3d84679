"""Chromium for tests: the system's own, driven without the network."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

CHROMIUM = next(
    (found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), None
)
FLAGS = [
    "--no-sandbox",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
WAIT_MS = 30_000


@contextmanager
def chromium() -> Iterator[Browser]:
    """A running browser; the test is skipped, with the reason, where there is none."""
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed; install it to test the pages (apt install chromium)")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


def spoken(page: Page, region: str = "say") -> str:
    """What the accessibility tree holds for a live region: what a screen reader is given to say."""
    session = page.context.new_cdp_session(page)
    found = session.send("Runtime.evaluate", {"expression": f"document.getElementById('{region}')"})
    tree = session.send(
        "Accessibility.queryAXTree",
        {"objectId": found["result"]["objectId"], "role": "StaticText"},
    )
    live = session.send(
        "Accessibility.getPartialAXTree", {"objectId": found["result"]["objectId"], "fetchRelatives": False}
    )
    roles = [node["role"]["value"] for node in live["nodes"]]
    session.detach()
    assert roles == [{"say": "status", "stop": "alert"}[region]]
    return " ".join(node["name"]["value"] for node in tree["nodes"])
