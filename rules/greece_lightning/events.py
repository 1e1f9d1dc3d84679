"""What can happen in Greece Lightning, as data.

Wedges and Favor cards are named by their id in the component pack; a card that lies face down has no name. A spot is a
dot of the course: the place of its wedge, 1 to 12 clockwise, and its name on the wedge.
"""

from __future__ import annotations

from rules.events import Event
from rules.greece_lightning.components import MOVEMENT_DICE, STARTING_FISH
from rules.greece_lightning.course import Spot

__all__ = [
    "Circle",
    "Conduct",
    "Count",
    "Deal",
    "Dice",
    "Discard",
    "DrawWedge",
    "EndMove",
    "Feed",
    "Fight",
    "FinishRoll",
    "Fleece",
    "Give",
    "GreeceLightningEvent",
    "LapBoard",
    "LapMarker",
    "Launch",
    "Movement",
    "Navigation",
    "PlaceWedge",
    "PutShip",
    "Ready",
    "Reroll",
    "Reveal",
    "Shuffled",
    "Stack",
    "Starters",
    "Step",
    "Total",
    "Use",
    "Wake",
]

# --- set-up


class Circle(Event, frozen=True, tag="circle"):
    """The first circle was read. GL-S1 to GL-S7.

    Attributes:
        wedges: ids of its wedges, place by place clockwise from place 1.
        line: the place that the Starting Line wedge covers; None when it lies on none.
        centre: the central piece is in.
    """

    wedges: tuple[str, ...]
    line: int | None
    centre: bool = True


class Shuffled(Event, frozen=True, tag="shuffled"):
    """People declare "wedges", "starters" or "favors" shuffled (GL-S8, GL-S22, GL-S26).

    In play the used "favors" are shuffled when the deck is empty. GL-F15.
    """

    what: str


class Stack(Event, frozen=True, tag="stack"):
    """The stack of "wedges" or the deck of "favors" was set down. GL-S9, GL-S27, GL-C6, GL-C7.

    `count` is how many there are; None when nobody counted.
    """

    what: str
    face_down: bool = True
    count: int | None = None


class Ready(Event, frozen=True, tag="ready"):
    """What a seat has in front of it at set-up. GL-S10 to GL-S20.

    Attributes:
        seat: who.
        board: colour of its player board; None when nobody looked.
        ships: ships of its colour, the Lap marker not among them, next to the Starting Line.
        lap_markers: ships of its colour on the Start space of the Lap Counter board.
        wake: its wake token is there.
        navigation, movement: how many dice of each kind.
        fish: on its board.
    """

    seat: int
    board: str | None = None
    ships: int = 1
    lap_markers: int = 1
    wake: bool = True
    navigation: int = 1
    movement: int = MOVEMENT_DICE
    fish: int = STARTING_FISH


class LapBoard(Event, frozen=True, tag="lap-board"):
    """The Lap Counter board lies near the course. GL-S19."""


class Starters(Event, frozen=True, tag="starters"):
    """The Starter cards were found and shown. GL-S21."""

    cards: tuple[str, ...]


class Deal(Event, frozen=True, tag="deal"):
    """A Starter card was dealt to a seat and laid in a slot of its board. GL-S23, GL-S24. `card` None: unreadable."""

    seat: int
    card: str | None
    face_up: bool = True


class Launch(Event, frozen=True, tag="launch"):
    """A seat set its ship on the Starting Line. GL-S28 to GL-S31.

    `dot` is its name on the Starting Line wedge; None when the ship stands beside the line. `wake`: the token is under
    the ship.
    """

    seat: int
    dot: str | None
    wake: bool = True


# --- rolling


class Navigation(Event, frozen=True, tag="navigation"):
    """A seat rolled its Navigation die. GL-R3, GL-R4. `face` None: unreadable; `placed`: it lies on the board."""

    seat: int
    face: int | None
    placed: bool = True


class Movement(Event, frozen=True, tag="movement"):
    """A seat rolled Movement dice; by the rules one at a time. GL-R6, GL-R7. A face None: unreadable."""

    seat: int
    faces: tuple[int | None, ...]
    placed: bool = True


class Reroll(Event, frozen=True, tag="reroll"):
    """A seat picks up a die to roll it again. GL-P3, GL-P7.

    Attributes:
        seat: who.
        use: "navigation" or "second"; "first" only where a Favor allows it.
        paid: "fish", or "favor" for a roll that a card gives.
    """

    seat: int
    use: str
    paid: str = "fish"


class FinishRoll(Event, frozen=True, tag="finish-roll"):
    """A seat accepts what its dice show; so it also declines the second Movement die. GL-R8, GL-R23, GL-P11."""

    seat: int


class Total(Event, frozen=True, tag="total"):
    """A seat says how far its dice take it. GL-R16 to GL-R21."""

    seat: int
    movement: int


# --- the turn


class PlaceWedge(Event, frozen=True, tag="place-wedge"):
    """A seat laid a wedge that it drew on the turn before. GL-W1 to GL-W12.

    Attributes:
        seat: who.
        wedge: its id.
        place: where, 1 to 12.
        aligned: it lines up with the wedge under it. GL-W4.
        others: how many more wedges came to lie on the course at the same moment. GL-W3.
    """

    seat: int
    wedge: str
    place: int
    aligned: bool = True
    others: int = 0


class Step(Event, frozen=True, tag="step"):
    """A seat spent one movement: its ship came to the next free dot. GL-M1 to GL-M10.

    Attributes:
        seat: who.
        to: where the ship stands now.
        number: of the path taken out of the whirlpool that it stood on; None when it does not matter.
        over: the dots of other ships skipped on the way; None when only one way leads there.
        declines: the mover would rather not have the bonuses of the dot. GL-B15.
    """

    seat: int
    to: Spot
    number: int | None = None
    over: tuple[Spot, ...] | None = None
    declines: bool = False


class DrawWedge(Event, frozen=True, tag="draw-wedge"):
    """The wedge that a seat drew from the stack, face up in front of it. GL-B7. `wedge` None: unreadable."""

    seat: int
    wedge: str | None


class Feed(Event, frozen=True, tag="feed"):
    """A seat feeds the Hydra: 1 Fish. GL-H1."""

    seat: int


class Fight(Event, frozen=True, tag="fight"):
    """A seat stops at the Hydra and fights it. GL-H2, GL-H5."""

    seat: int


class EndMove(Event, frozen=True, tag="end-move"):
    """A seat's move is finished, its wake token under its ship. GL-M5, GL-M22, GL-M23."""

    seat: int


class Reveal(Event, frozen=True, tag="reveal"):
    """A seat turned up a Favor that it drew; with all movement used, that also finishes its move. GL-F1, GL-F4, GL-M23.

    `card` None: unreadable; `others`: how many more were turned up at the same moment.
    """

    seat: int
    card: str | None
    others: int = 0


class Give(Event, frozen=True, tag="give"):
    """A seat laid a trident on another player's board. GL-F8, GL-F9, GL-F12."""

    seat: int
    to: int
    face_up: bool = True


class Discard(Event, frozen=True, tag="discard"):
    """A seat discards a Favor, to make room or because there is none. GL-F7, GL-F10."""

    seat: int
    card: str


class Use(Event, frozen=True, tag="use"):
    """A seat uses a Favor. GL-M19, GL-F5, GL-F18.

    `other` and `place` are the player and the place of the course that the card asks for.
    """

    seat: int
    card: str
    other: int | None = None
    place: int | None = None


# --- observations and people


class Dice(Event, frozen=True, tag="dice"):
    """The dice that lie on a seat's board. GL-R12, GL-R13, GL-R24, GL-E1."""

    seat: int
    navigation: int | None = None
    movement: tuple[int, ...] = ()


class Wake(Event, frozen=True, tag="wake"):
    """Where a seat's wake token lies; None when on no dot. GL-M21, GL-M22, GL-W12."""

    seat: int
    spot: Spot | None


class LapMarker(Event, frozen=True, tag="lap-marker"):
    """How many laps a seat's Lap marker shows, 0 on Start. GL-G1, GL-L1."""

    seat: int
    laps: int


class Fleece(Event, frozen=True, tag="fleece"):
    """Before whom the Golden Fleece lies. GL-S33, GL-O8, GL-E4."""

    seat: int


class Count(Event, frozen=True, tag="count"):
    """Somebody counted something. GL-C2, GL-C5, GL-C6, GL-B2, GL-F11, GL-F14.

    `what` is "fish", "favors" or "facedown" of a seat; "supply", "wedges", "stack", "deck" or "discard" of the table.
    """

    what: str
    count: int
    seat: int | None = None


class PutShip(Event, frozen=True, tag="put-ship"):
    """People set a ship on a dot outright: after a slip, or because a card says so that no deed tells. GL-F17, TC-8."""

    seat: int
    spot: Spot
    reason: str


class Conduct(Event, frozen=True, tag="conduct"):
    """Somebody did something that only people can see; a key of `conduct.CONDUCT`. GL-B5, GL-F2."""

    seat: int
    what: str


GreeceLightningEvent = (
    Circle
    | Shuffled
    | Stack
    | Ready
    | LapBoard
    | Starters
    | Deal
    | Launch
    | Navigation
    | Movement
    | Reroll
    | FinishRoll
    | Total
    | PlaceWedge
    | Step
    | DrawWedge
    | Feed
    | Fight
    | EndMove
    | Reveal
    | Give
    | Discard
    | Use
    | Dice
    | Wake
    | LapMarker
    | Fleece
    | Count
    | PutShip
    | Conduct
)
