"""The doctor before pictures of tables: what is measured, and what is made of it."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import cv2
import numpy as np
import pytest

from companion.doctor import picture_checks
from companion.doctor.findings import Finding, Level
from companion.doctor.look import NotAsked, look_through
from companion.doctor.picture import PictureFacts, band_share, edge_width_px, glare_of, measured, region_of
from companion.doctor.picture_checks import CameraFacts
from device.cameras.simulated import SimulatedCamera
from device.clock import ManualClock
from device.errors import CameraBusy, CameraTimeout
from device.simulated import SimulatedTable
from vision.markers import CORNER_IDS, MarkerReader
from vision.reader import NoDice, TableReader

REPOSITORY = Path(__file__).resolve().parents[3]


def lighting() -> ModuleType:
    """The script that draws the pictures of good and bad light."""
    spec = importlib.util.spec_from_file_location("make_pictures", REPOSITORY / "hardware/lighting/make_pictures.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


LIGHTING = lighting()


@pytest.fixture(scope="module")
def reader() -> TableReader:
    return TableReader()


GOOD = PictureFacts(
    (1280, 720),
    markers_px={240: 39.0, 241: 40.0, 242: 46.0, 243: 46.0},
    dice_px=(26.0,) * 24,
    paper_levels={240: 219.0, 241: 204.0, 242: 190.0, 243: 201.0},
    level=124.0,
    dark_level=114.0,
    edge_px=2.0,
)
USB = CameraFacts("usb:0", describe="usb:0, 1280x720", frames=8, fps=29.6)
LOCKED = {"ExposureTime": 10_000.0, "LensPosition": 1.5}
RIBBON = CameraFacts("pi", describe="camera 0", frames=8, fps=15.0, lockable=True, locked=LOCKED, mains_hz=50)
BARE = replace(GOOD, markers_px={}, paper_levels={}, edge_px=None)


def corners(**levels: float) -> dict[int, float]:
    names = {"far_left": 240, "far_right": 241, "near_right": 242, "near_left": 243}
    return {**GOOD.paper_levels, **{names[name]: level for name, level in levels.items()}}


CASES: list[tuple[str, Callable[[], Finding], str, str]] = [
    ("good light", lambda: picture_checks.light(GOOD), "ok", "ok"),
    (
        "one dark corner",
        lambda: picture_checks.light(replace(GOOD, paper_levels=corners(far_left=44))),
        "fault",
        "dark",
    ),
    ("just not dark", lambda: picture_checks.light(replace(GOOD, paper_levels=corners(far_left=46))), "note", "uneven"),
    (
        "dim everywhere",
        lambda: picture_checks.light(replace(GOOD, paper_levels=dict.fromkeys(range(240, 244), 80.0))),
        "note",
        "dim",
    ),
    ("one side", lambda: picture_checks.light(replace(GOOD, paper_levels=corners(near_right=100))), "note", "uneven"),
    ("a little uneven", lambda: picture_checks.light(replace(GOOD, paper_levels=corners(near_right=120))), "ok", "ok"),
    ("blown", lambda: picture_checks.light(replace(GOOD, paper_levels=corners(far_left=252))), "fault", "bright"),
    ("bright", lambda: picture_checks.light(replace(GOOD, paper_levels=corners(far_left=247))), "ok", "ok"),
    ("glare", lambda: picture_checks.light(replace(GOOD, glare=((0.002, "far"),))), "fault", "glare"),
    ("glare on dice", lambda: picture_checks.light(replace(GOOD, unread={"glare": 2})), "fault", "glare-on-dice"),
    ("dark, no paper", lambda: picture_checks.light(replace(BARE, level=20)), "fault", "dark"),
    ("dim, no paper", lambda: picture_checks.light(replace(BARE, level=60)), "note", "dim"),
    ("bright enough, no paper", lambda: picture_checks.light(BARE), "ok", "ok"),
    ("sharp webcam", lambda: picture_checks.focus(GOOD, USB), "ok", "ok"),
    ("sharp and locked", lambda: picture_checks.focus(GOOD, RIBBON), "ok", "ok"),
    ("sharp, free", lambda: picture_checks.focus(GOOD, replace(RIBBON, locked=None)), "note", "unlocked"),
    ("soft", lambda: picture_checks.focus(replace(GOOD, edge_px=3.0), RIBBON), "note", "soft"),
    ("blurred", lambda: picture_checks.focus(replace(GOOD, edge_px=3.8), RIBBON), "fault", "blurred"),
    (
        "large dice stand more blur",
        lambda: picture_checks.focus(replace(GOOD, edge_px=3.8, dice_px=(60.0,)), RIBBON),
        "note",
        "soft",
    ),
    ("nothing to focus on", lambda: picture_checks.focus(BARE, USB), "unknown", "unknown"),
    ("steady webcam", lambda: picture_checks.exposure(GOOD, USB), "ok", "steady"),
    ("drifting", lambda: picture_checks.exposure(replace(GOOD, drift_share=0.05), USB), "fault", "drifting"),
    ("locked", lambda: picture_checks.exposure(GOOD, RIBBON), "ok", "ok"),
    ("free", lambda: picture_checks.exposure(GOOD, replace(RIBBON, locked=None)), "note", "unlocked"),
    (
        "between two flashes",
        lambda: picture_checks.exposure(GOOD, replace(RIBBON, locked={"ExposureTime": 14_000})),
        "note",
        "mains",
    ),
    (
        "sixty hertz wants another time",
        lambda: picture_checks.exposure(GOOD, replace(RIBBON, mains_hz=60)),
        "note",
        "mains",
    ),
    (
        "two flashes of sixty hertz",
        lambda: picture_checks.exposure(GOOD, replace(RIBBON, mains_hz=60, locked={"ExposureTime": 16_667})),
        "ok",
        "ok",
    ),
    (
        "shorter than a flash",
        lambda: picture_checks.exposure(GOOD, replace(RIBBON, locked={"ExposureTime": 2_000})),
        "note",
        "mains",
    ),
    ("no bands", lambda: picture_checks.banding(GOOD), "ok", "ok"),
    ("faint bands", lambda: picture_checks.banding(replace(GOOD, band_share=0.03)), "note", "weak"),
    ("bands", lambda: picture_checks.banding(replace(GOOD, band_share=0.06)), "fault", "strong"),
    ("corners", lambda: picture_checks.markers(GOOD), "ok", "ok"),
    ("no corners", lambda: picture_checks.markers(BARE), "fault", "missing"),
    ("no corners needed", lambda: picture_checks.markers(BARE, drawn=True), "ok", "drawn"),
    (
        "small corners",
        lambda: picture_checks.markers(replace(GOOD, markers_px={**GOOD.markers_px, 240: 30.0})),
        "note",
        "small",
    ),
    (
        "tiny corners",
        lambda: picture_checks.markers(replace(GOOD, markers_px={**GOOD.markers_px, 240: 20.0})),
        "fault",
        "tiny",
    ),
    ("dice", lambda: picture_checks.dice(GOOD), "ok", "ok"),
    ("no dice", lambda: picture_checks.dice(replace(GOOD, dice_px=())), "note", "none"),
    ("small dice", lambda: picture_checks.dice(replace(GOOD, dice_px=(20.0,) * 6)), "note", "small"),
    ("tiny dice", lambda: picture_checks.dice(replace(GOOD, dice_px=(14.0,) * 6)), "fault", "tiny"),
    ("one of 24 unread", lambda: picture_checks.dice(replace(GOOD, unread={"blurred": 1})), "ok", "ok"),
    ("half unread", lambda: picture_checks.dice(replace(GOOD, unread={"blurred": 12})), "fault", "unread"),
    ("a camera", lambda: picture_checks.camera(USB), "ok", "ok"),
    ("a slow camera", lambda: picture_checks.camera(replace(USB, fps=5.0)), "note", "slow"),
    ("another clock", lambda: picture_checks.camera(replace(RIBBON, stamped="unknown")), "fault", "other-clock"),
    ("the same clock", lambda: picture_checks.camera(replace(RIBBON, stamped="monotonic")), "ok", "ok"),
    ("no camera", lambda: picture_checks.camera(replace(USB, problem="unplugged")), "fault", "failed"),
]


@pytest.mark.parametrize(("ask", "level", "code"), [each[1:] for each in CASES], ids=[each[0] for each in CASES])
def test_what_is_made_of_measures(ask: Callable[[], Finding], level: str, code: str) -> None:
    finding = ask()
    assert (finding.level, finding.code) == (level, code)


SCENES = {
    "good": {},
    "too-dark": {"light": "dark"},
    "too-bright": {"light": "bright"},
    "from-one-side": {"light": "uneven"},
    "glare": {"light": "glare"},
    "bands": {"banding": "strong", "exposure": "drifting"},
}


def troubles(facts: PictureFacts) -> dict[str, str]:
    """What the checks that any picture answers complain about."""
    found = (
        picture_checks.light(facts),
        picture_checks.banding(facts),
        picture_checks.exposure(facts, USB),
        picture_checks.focus(facts, USB),
        picture_checks.dice(facts),
        picture_checks.markers(facts),
    )
    return {each.check: each.code for each in found if each.level is not Level.OK}


def test_every_scene_is_expected() -> None:
    assert SCENES.keys() == LIGHTING.SCENES.keys()


@pytest.mark.parametrize(("scene", "expected"), SCENES.items())
def test_rendered_light_is_judged_as_it_is(scene: str, expected: dict[str, str], reader: TableReader) -> None:
    images = LIGHTING.frames(scene, 3)
    assert troubles(measured(images, reader.read(images[-1]))) == expected


def test_the_printed_pictures_are_those_of_the_scenes() -> None:
    for scene in SCENES:
        kept = cv2.imread(str(REPOSITORY / f"hardware/lighting/{scene}.jpg"))
        drawn = LIGHTING.frames(scene)[-1]
        height, width = kept.shape[:2]
        small = cv2.resize(drawn, (width, height), interpolation=cv2.INTER_AREA)
        assert np.abs(kept.astype(int) - small).mean() < 4, f"{scene}: run hardware/lighting/make_pictures.py"


def test_where_it_glares() -> None:
    ((share, where), *_) = glare_of(LIGHTING.frames("glare")[-1])
    assert where == "far-right"
    assert 0.005 < share < 0.05


def test_white_paper_is_no_glare() -> None:
    image = np.full((720, 1280, 3), 90, np.uint8)
    image[20:120, 20:120] = 255
    ((share, where),) = glare_of(image)
    assert where == "far-left"
    assert share == pytest.approx(100 * 100 / (720 * 1280))
    table = LIGHTING.frames("good")[0]
    white = np.where(table.min(axis=2, keepdims=True) > 150, 255, table).astype(np.uint8)
    seen = MarkerReader().read(white)
    assert {each.id for each in seen} >= set(CORNER_IDS)
    assert {where for _, where in glare_of(white)} >= {"far-left", "near-right"}
    assert {where for _, where in glare_of(white, seen)} <= {"middle"}, "only the white card is left"


@pytest.mark.parametrize(
    ("point", "name"),
    [
        ((0, 0), "far-left"),
        ((640, 10), "far"),
        ((1279, 719), "near-right"),
        ((640, 360), "middle"),
        ((0, 719), "near-left"),
    ],
)
def test_ninths_have_names(point: tuple[float, float], name: str) -> None:
    assert region_of(point, (1280, 720)) == name


def test_blur_widens_edges_and_is_told_before_dice_cannot_be_read(reader: TableReader) -> None:
    sharp = LIGHTING.frames("good")[0]
    widths = []
    for sigma in (0.0, 1.0, 2.0, 3.0):
        image = cv2.GaussianBlur(sharp, (0, 0), sigma) if sigma else sharp
        facts = measured([image], reader.read(image))
        assert facts.edge_px is not None
        widths.append(facts.edge_px)
        finding = picture_checks.focus(facts, USB)
        if facts.unread:
            assert finding.code == "blurred"
    assert widths == sorted(widths)
    assert widths[0] < picture_checks.SOFT_EDGE_PX
    assert widths[-1] > picture_checks.BLURRED_EDGE_PX
    assert facts.unread, "the strongest blur must matter to the reader, else this test shows nothing"


def test_an_edge_without_contrast_has_no_width() -> None:
    image = LIGHTING.frames("good")[0]
    marker = MarkerReader().read(image)[0]
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    assert edge_width_px(grey, marker) is not None
    assert edge_width_px(np.full_like(grey, 90), marker) is None


@pytest.mark.parametrize("share", [0.0, 0.02, 0.1])
def test_bands_are_measured(share: float) -> None:
    rng = np.random.default_rng(4)
    scene = rng.integers(60, 180, (720, 320, 1)).repeat(3, axis=2)
    rows = np.arange(720)[:, None, None] / 720
    frames = []
    for number in range(6):
        light = (scene / 255) ** 2.2 * (1 + share * np.sin(2 * np.pi * (2.5 * rows + number * 0.667)))
        noise = rng.normal(0, 2, scene.shape)
        frames.append((255 * light ** (1 / 2.2) + noise).clip(0, 255).astype(np.uint8))
    assert band_share(frames) == pytest.approx(share, abs=0.008 + 0.25 * share)


def test_a_hand_that_moves_is_no_band() -> None:
    rng = np.random.default_rng(5)
    still = rng.integers(60, 180, (720, 320, 3)).astype(np.uint8)
    frames = []
    for number in range(6):
        frame = still.copy()
        frame[300:500, 20 + 25 * number : 110 + 25 * number] = (120, 150, 200)
        frames.append(frame)
    assert band_share(frames) < picture_checks.WEAK_BANDS


def test_nothing_is_measured_without_a_frame(reader: TableReader) -> None:
    with pytest.raises(ValueError, match="at least one"):
        measured([], reader.read(np.zeros((64, 64, 3), np.uint8)))


def simulated(clock: ManualClock) -> Callable[[], Any]:
    return lambda: SimulatedCamera.opened(SimulatedTable(clock, 2, seed=4, fps=15))


def test_a_look_through_a_camera() -> None:
    clock = ManualClock(waits_advance=True)
    look = look_through("simulated", simulated(clock), clock, frames=3, reader=lambda: TableReader(NoDice()))
    assert look.camera.problem is None
    assert look.camera.frames == 3
    assert look.camera.fps == pytest.approx(15, rel=0.01)
    assert look.picture.corners_seen == (240, 241, 242, 243)


class Failing:
    """Gives no frame; notes that it was closed."""

    closed = False

    def latest(self, **_: object) -> object:
        raise CameraTimeout("no frame for 3 s")

    def close(self) -> None:
        self.closed = True


def test_a_camera_that_fails_is_told_and_closed() -> None:
    camera: Any = Failing()
    look = look_through("usb:0", lambda: camera, ManualClock())
    assert look.camera.problem == "no frame for 3 s"
    assert camera.closed
    with pytest.raises(NotAsked):
        _ = look.picture

    def busy() -> Any:
        raise CameraBusy("held by another program")

    assert look_through("usb:0", busy, ManualClock()).camera.problem == "held by another program"
