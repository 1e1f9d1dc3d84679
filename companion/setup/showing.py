"""The step of the dice: each seat shows its six, and they are known by their colours from then on."""

from __future__ import annotations

from companion.live.colour_desk import ColourDesk
from companion.live.colour_owners import ColourOwners
from companion.live.opening import Wanted, new_header, parse_seats
from companion.setup.session import Session
from companion.web.aloud import NewNotices
from vision.geometry import TableGeometry
from vision.reader import TableReader
from vision.tracking.tracker import TableTracker

__all__ = ["learn_colours"]


def learn_colours(session: Session) -> bool:
    """Learn the colours of each seat's dice, as the live table does when it is asked to."""
    talk = session.talk
    if not session.settings.seat:
        talk.say("setup.colours.nobody")
        return False
    header = new_header(Wanted("lightning-dice", seats=parse_seats(session.settings.seats or "")))
    desk = ColourDesk(session.directory, header)
    owners = ColourOwners(desk)
    told = NewNotices()
    reader = TableReader()
    if session.settings.corners is not None:
        reader.geometry = TableGeometry(session.table_size_mm, session.settings.corners.at_px)
    tracker = TableTracker(reader)
    talk.say("setup.colours.begin", count=len(header.seats))
    desk.begin()
    with session.camera() as camera:
        for frame in session.frames(camera):
            watched = tracker.update(
                frame.image_bgr, exposure_start_ns=frame.exposure_start_ns, sequence=frame.sequence
            )
            now_ns = session.clock.now_ns()
            if watched.out_of_step is None:
                owners.update(watched.reading, now_ns, watched.dice, ignored=(), seat_at=lambda _: None)
            notices = [each.plain() for each in desk.notices(now_ns)]
            for text in told.due(notices, header, talk.catalogue):
                talk.tell(text)
            if not desk.showing and desk.ready:
                return True
            answer = talk.line()
            if answer is not None and answer.lower() == "s":
                break
    desk.stop()
    talk.say("setup.colours.left")
    return False
