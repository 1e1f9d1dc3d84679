"""`companion pins`: which pin of the header is which button, lamp or buzzer."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.commands.common import print_json

if TYPE_CHECKING:
    from device.pins import PinPlan

__all__ = ["command", "header_picture"]


@click.command(
    epilog="Example:  companion pins\n\n"
    "          companion pins --toml > my-pins.toml     a map to change, for companion table --pins my-pins.toml\n\n"
    "          companion pins --listen                  what the keys of an encoder or foot switch are called"
)
@click.option("--pins", type=click.Path(path_type=Path), metavar="FILE", help="A pin map of your own.")
@click.option("--toml", "as_toml", is_flag=True, help="The map as a file, to be edited.")
@click.option("--json", "as_json", is_flag=True, help="One pin a line as JSON.")
@click.option("--listen", is_flag=True, help="Tell what each key of a USB encoder, foot switch or keyboard is called.")
@click.option("--seconds", type=click.FloatRange(0, 3600), default=60.0, show_default=True, help="How long to listen.")
def command(pins: Path | None, as_toml: bool, as_json: bool, listen: bool, seconds: float) -> None:
    """Print the pin map: the header as one looks down on it, then every box with its pins.

    A button joins its pin to any ground pin. Lamps and the buzzer hang on a transistor, never on a pin alone.
    """
    from device.pins import DEFAULT_PIN_FILE, load_pins

    if listen:
        _listen(seconds)
        return
    plan = load_pins(pins)
    if as_toml:
        click.echo((pins or DEFAULT_PIN_FILE).read_text(encoding="utf-8"), nl=False)
        return
    if as_json:
        for use in plan.uses:
            print_json({"bcm": use.bcm, "place": use.place, "kind": use.kind, "seat": use.seat, "what": use.what})
        return
    click.echo(f"Pin map: {plan.source}\n")
    for line in header_picture(plan):
        click.echo(line)
    click.echo("")
    for line in _boxes(plan):
        click.echo(line)


def _listen(seconds: float) -> None:
    """Print every key that goes down, as lines for a key map, until the time is over or Ctrl-C."""
    from time import monotonic

    from companion.errors import BadInput
    from device.buttons.input_device import KeyListener

    with KeyListener() as listener:
        if not listener.devices:
            why = "none may be opened by this user: sudo usermod -aG input $USER, and log in again"
            raise BadInput(
                f"There is no input device to listen to ({why if listener.refused else 'none is plugged in'})."
            )
        click.echo(f"Listening to {', '.join(listener.devices)}. Press each button once; Ctrl-C ends it.", err=True)
        end_s, device = monotonic() + seconds, None
        while (left_s := end_s - monotonic()) > 0:
            pressed = listener.next(left_s)
            if pressed is None:
                continue
            if pressed.device != device:
                device = pressed.device
                click.echo(f'\n[[device]]\nname = "{device}"  # {pressed.path}\n[device.keys]')
            click.echo(f'{pressed.key} = "1 claim"')


def header_picture(plan: PinPlan) -> list[str]:
    """The header in 20 lines, its two columns as one looks down on the board with the header at its right edge."""
    from device.pins import HEADER

    words = {use.bcm: _short(use.seat, use.what) for use in plan.uses}
    words |= dict.fromkeys(plan.free, "kept free")
    names = {"3V3": "3.3 V", "5V": "5 V (never)", "ground": "ground", "id": "not usable"}
    cells = []
    for pin in HEADER:
        if pin.kind == "gpio":
            cells.append(f"{words.get(pin.bcm or 0, '-')}  GPIO{pin.bcm}")
        else:
            cells.append(names[pin.kind])
    lines = []
    for row in range(20):
        left, right = cells[2 * row], cells[2 * row + 1]
        if "  GPIO" in right:
            what, _, number = right.partition("  ")
            right = f"{number:<6}  {what}"
        lines.append(f"{left:>28} | {2 * row + 1:>2}  {2 * row + 2:<2} | {right}".rstrip())
    return lines


def _short(seat: int | None, what: str) -> str:
    if seat is None:
        return what
    return f"judge {what}" if seat == 0 else f"seat {seat} {what}"


def _boxes(plan: PinPlan) -> list[str]:
    """One line a box: what is on it, by BCM number and place on the header."""
    from device.pins import GROUND_PINS

    by_box: dict[str, list[str]] = {}
    for use in plan.uses:
        box = "everybody" if use.seat is None else "judge" if use.seat == 0 else f"seat {use.seat}"
        by_box.setdefault(box, []).append(f"{use.what} GPIO{use.bcm} (place {use.place})")
    lines = [f"{box + ':':<11}{', '.join(uses)}" for box, uses in by_box.items()]
    lines += [f"kept free: GPIO{bcm} (place {_place(bcm)}) for {why}" for bcm, why in sorted(plan.free.items())]
    return [*lines, f"ground:    places {', '.join(map(str, GROUND_PINS))}"]


def _place(bcm: int) -> int:
    from device.pins import HEADER_PLACES

    return HEADER_PLACES[bcm]
