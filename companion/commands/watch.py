"""`companion watch`: what settles in a video or stream."""

from __future__ import annotations

import click

from companion.commands.common import print_json
from companion.errors import BadInput

__all__ = ["command"]

FRAME_TIMEOUT_S = 10.0


@click.command(epilog="Example:  companion watch throw.mp4 --json     or     companion watch usb:0")
@click.argument("source")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line for each change.")
@click.option("--fast", is_flag=True, help="Read a file as fast as possible instead of at its own pace.")
def command(source: str, as_json: bool, fast: bool) -> None:
    """Tell each die of SOURCE as it settles, changes or goes.

    SOURCE is a video file, a folder of pictures, or a camera: pi, usb:N, file:PATH, folder:PATH, url:U. Times are
    those of the frames. Ends with the video, or with Ctrl-C.
    """
    from pathlib import Path

    from companion.commands.read import die_words
    from device.cameras import open_camera
    from device.clock import NS_PER_S, SystemClock
    from device.errors import CameraEnded
    from vision.reader import TableReader
    from vision.settling import SettleWatcher

    path = Path(source)
    if path.is_dir():
        source = f"folder:{source}"
    elif path.is_file():
        source = f"file:{source}"
    elif ":" not in source and source not in ("pi", "simulated"):
        raise BadInput(f"{source} is no file, folder or camera; expected one, as in: companion watch throw.mp4")
    clock = SystemClock()
    reader, watcher = TableReader(), SettleWatcher()
    first_ns: int | None = None
    after_ns = 0
    with open_camera(source, clock, pace=not fast) as camera:
        while True:
            try:
                frame = camera.latest(exposed_after_ns=after_ns, timeout_s=FRAME_TIMEOUT_S)
            except CameraEnded:
                if first_ns is None:
                    raise BadInput(
                        f"{source.partition(':')[2]} has no frame that can be read; expected a video such as MP4, "
                        "AVI or MKV (a single picture: companion read)."
                    ) from None
                return
            after_ns = frame.exposure_start_ns + 1
            first_ns = frame.exposure_start_ns if first_ns is None else first_ns
            reading = reader.read(frame.image_bgr, exposure_start_ns=frame.exposure_start_ns, sequence=frame.sequence)
            for change in watcher.update(reading, frame.exposure_start_ns):
                die = change.die
                at_s = round((change.at_ns - first_ns) / NS_PER_S, 3)
                reason = None if die.reason is None else str(die.reason)
                if as_json:
                    print_json(
                        {
                            "at_s": at_s,
                            "frame": frame.sequence,
                            "die": die.id,
                            "state": die.state,
                            "value": die.value,
                            "reason": reason,
                            "colour": die.colour,
                            "position": [round(x, 1) for x in die.position],
                            "confidence": round(die.confidence, 4),
                        }
                    )
                elif die.state != "moving":
                    what = die.state if die.state == "gone" else (die_words(die.value, die.reason))
                    x, y = die.position
                    click.echo(f"{at_s:8.2f} s  {die.colour} die {die.id} at {x:.0f},{y:.0f}: {what}")
