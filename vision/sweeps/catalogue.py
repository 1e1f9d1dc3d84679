"""The sweeps: each a fault of dice readers, in steps from mild to hard."""

from __future__ import annotations

from dataclasses import dataclass, replace

from vision.sweeps.dice import CUBE_MARKS, SHAPES, DieLook
from vision.sweeps.photograph import Shot
from vision.sweeps.scenes import Setting
from vision.sweeps.tables import linear
from vision.sweeps.things import THINGS

__all__ = ["SWEEPS", "Step", "Sweep"]

GOAL_RIGHT = 96.0
"""Percent of the dice that must be read: at most 4 % may be refused or missed."""


@dataclass(frozen=True, slots=True)
class Step:
    """One strength of a fault. `goal_right` is in percent; None where refusing is as good as reading."""

    name: str
    setting: Setting
    goal_right: float | None = GOAL_RIGHT


@dataclass(frozen=True, slots=True)
class Sweep:
    """A fault with its steps."""

    name: str
    steps: tuple[Step, ...]


PLAIN = Setting(size_wh=(360, 280), dice=6)
_WHITE = DieLook()
_BLACK = DieLook(body=linear((32, 30, 30)), ink=linear((236, 238, 238)))
_RED = DieLook(body=linear((38, 32, 190)), ink=linear((236, 238, 238)))
_RED_INK = linear((30, 25, 200))


def _steps(*rows: tuple[str, Setting] | tuple[str, Setting, None]) -> tuple[Step, ...]:
    return tuple(Step(row[0], row[1], None if len(row) == 3 else GOAL_RIGHT) for row in rows)


def _tilt(degrees: float, **more: object) -> Setting:
    return replace(PLAIN, tilt=(max(degrees - 2, 0), degrees), **more)  # type: ignore[arg-type]


def _shot(**more: object) -> Setting:
    return replace(PLAIN, shot=Shot(**more))  # type: ignore[arg-type]


def _looks(*looks: DieLook, **more: object) -> Setting:
    return replace(PLAIN, looks=looks, **more)  # type: ignore[arg-type]


def _like_table(grey: int) -> Setting:
    """Bone dice with dark pips on a table that is darker by so many grey levels."""
    body = (170, 176, 178)
    table = tuple(float(v - grey) for v in body)
    return _looks(replace(_WHITE, body=linear(body), gloss=0.15), ground="plain", ground_bgr=table)


def _translucent(share: float) -> Setting:
    bodies = [(40, 30, 200), (190, 90, 20), (40, 150, 40)]
    looks = [replace(_RED, body=linear(b), translucent=share, gloss=0.6) for b in bodies]
    return _looks(*looks, ground="plain", ground_bgr=(190, 200, 205))


def _rounded(radius: float) -> Setting:
    return _looks(*(replace(look, rounding=radius, spread=0.21, pip_radius=0.08) for look in (_WHITE, _BLACK, _RED)))


def _glare(gloss: float) -> Setting:
    looks = [replace(look, gloss=gloss, shininess=250) for look in (_WHITE, _BLACK, _RED)]
    return _looks(*looks, lamps="glare", window=gloss, tilt=(12, 24))


def _gap(px: float) -> Setting:
    """Sixes and twos with so many pixels between the rims of neighbouring pips of a six."""
    side = px / 0.09
    both = [replace(each, spread=0.25, pip_radius=0.08) for each in (_WHITE, _BLACK)]
    return _looks(*both, side_px=side, values=(6, 6, 2), dice=6 if side < 70 else 3)


def _sized(px: float) -> Setting:
    size = (360, 280) if px < 100 else (int(1.9 * px), int(1.8 * px))
    return replace(PLAIN, side_px=px, dice=6 if px < 60 else 3 if px < 100 else 1, size_wh=size)


def _only(*things: str, **more: object) -> Step:
    return Step(things[0], replace(PLAIN, dice=0, things=things, things_count=9, **more), None)  # type: ignore[arg-type]


def _other(kind: str) -> Step:
    return Step(kind, replace(PLAIN, other=(kind,), side_px=46.0), None)


SWEEPS: tuple[Sweep, ...] = (
    Sweep("tilt", _steps(*((f"{d} degrees", _tilt(d)) for d in (2, 15, 30, 45)), ("60 degrees", _tilt(60), None))),
    Sweep("size", _steps(*((f"{px} px", _sized(px)) for px in (18, 24, 36, 70, 130, 240, 400)))),
    Sweep("gap between pips", _steps(*((f"{px} px", _gap(px)) for px in (3, 4, 6)))),
    Sweep("touching", _steps(*((name, replace(PLAIN, layout=name)) for name in ("pairs", "triples", "wall")))),
    Sweep("both polarities", _steps(
        ("black and white", _looks(_WHITE, _BLACK)), ("touching", _looks(_WHITE, _BLACK, layout="pairs")),
    )),
    Sweep("colour of the table", _steps(*((f"{grey} levels", _like_table(grey)) for grey in (40, 20, 10)))),
    Sweep("translucent", _steps(
        ("0.3", _translucent(0.3)), ("0.6", _translucent(0.6)), ("0.85", _translucent(0.85), None),
    )),
    Sweep("rounded corners", _steps(*((f"radius {r}", _rounded(r)) for r in (0.03, 0.15, 0.25, 0.33)))),
    Sweep("ones", _steps(
        ("large", _looks(replace(_WHITE, one_radius=0.2), values=(1, 1, 2))),
        ("red", _looks(replace(_WHITE, one_ink=_RED_INK), values=(1, 1, 4))),
        ("large and red", _looks(replace(_WHITE, one_radius=0.22, one_ink=_RED_INK), values=(1, 1, 4))),
    )),
    Sweep("glare", _steps(("weak", _glare(0.3)), ("strong", _glare(0.7), None), ("dazzling", _glare(1.0), None))),
    Sweep("stacked", _steps(("two high", replace(PLAIN, layout="stacked", dice=4)))),
    Sweep("cocked", _steps(
        *((f"{d} degrees", replace(PLAIN, layout="cocked", lean=float(d)), None) for d in (8, 15, 30)),
    )),
    Sweep("motion blur", _steps(
        *((f"{px} px", _shot(motion_px=float(px), motion_towards=0.6)) for px in (2, 4)),
        ("8 px", _shot(motion_px=8.0, motion_towards=0.6), None),
    )),
    Sweep("lamp shadows", _steps(*((name, replace(PLAIN, lamps=name)) for name in ("hard", "two", "low")))),
    Sweep("banding", _steps(*((f"depth {d}", _shot(bands=d)) for d in (0.15, 0.3, 0.5)))),
    Sweep("exposure", _steps(*((f"gain {g}", _shot(gain=g)) for g in (0.3, 0.6, 1.7, 3.0)))),
    Sweep("coloured light", _steps(
        ("warm", _shot(cast=(0.45, 0.8, 1.2))), ("cold", _shot(cast=(1.3, 1.0, 0.7))),
        ("red", _shot(cast=(0.25, 0.3, 1.1))), ("dim", _shot(gain=0.35, noise=7.0)),
    )),
    Sweep("table", _steps(
        *((name, replace(PLAIN, ground=name)) for name in ("wood", "felt", "print", "checks", "stone")),
    )),
    Sweep("cards below", _steps(
        ("goal cards", replace(PLAIN, cards=("dice", "dice"), dice=5)),
        ("playing cards", replace(PLAIN, cards=("playing",) * 2, dice=5))
    )),
    Sweep("cut by the frame", _steps(
        ("not yet", replace(PLAIN, layout="cut", cut=-0.35, dice=8)),
        *((f"{round(100 * c)} %", replace(PLAIN, layout="cut", cut=c, dice=8), None) for c in (0.2, 0.4)),
    )),
    Sweep("hand", _steps(("covers a part", replace(PLAIN, layout="covered", ground="wood")))),
    Sweep("among things", _steps(("all sorts", replace(PLAIN, dice=4, things=THINGS, things_count=5)))),
    Sweep("not pip dice", tuple(_other(kind) for kind in (*SHAPES, *CUBE_MARKS))),
    Sweep("clutter", (
        *(_only(kind) for kind in THINGS),
        Step("printed dice", replace(PLAIN, dice=0, cards=("dice",) * 3), None),
        Step("playing cards", replace(PLAIN, dice=0, cards=("playing", "words", "playing")), None),
        Step("wood knots", replace(PLAIN, dice=0, ground="wood", knots=40), None),
        Step("printed mat", replace(PLAIN, dice=0, ground="print"), None),
        Step("half hidden", replace(PLAIN, dice=0, things=("domino", "coin"), things_count=9, layout="covered"), None),
    )),
)  # fmt: skip
"""Every sweep; the clutter set shows no dice, so that nothing at all may be read in it."""
