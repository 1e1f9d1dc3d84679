"""The simulated table: dice, cards and hands with real optics, so that everything runs from pixels.

A pinhole camera, a metre up and tilted by 18 degrees, looks at a table of 660 x 380 mm between the centres of its
corner markers (240 to 243, clockwise from the far left). In a picture of 1280 x 720 a 16 mm die is 25 to 28 px
wide. Each of 1 to 6 seats has six dice of its colour (SEAT_COLOURS), numbered 0 to 5, in its own zone; seats
count clockwise from the near left. The strip across the middle holds the stack and the open goal card.

How to drive it:

>>> from device.clock import ManualClock
>>> from device.simulated import SimulatedTable
>>> clock = ManualClock()
>>> table = SimulatedTable(clock, seats=2, seed=7)
>>> table.show_card(12)                                  # the marker of the open goal card
>>> rest_ns = table.throw(1, faces=[3, 3, 3, 5, 5, 1])   # faces=None: the seeded dice decide
>>> table.truth()[1]                                     # None while a die moves
(None, None, None, None, None, None)
>>> clock.advance_to(rest_ns) == rest_ns
True
>>> table.truth()[1]
(3, 3, 3, 5, 5, 1)
>>> frame = table.frame()                                # an exposure that begins now
>>> frame.image_bgr.shape
(720, 1280, 3)
>>> table.seat_of((330.0, 300.0))
1

A throw is one that dice once made in a physics engine (`device.simulated.recorded`), placed where nothing is in its
way, its dice relabelled so that they show what is wanted; a hand takes them up and lets them go. `drop`, `lift` and
`set_back`, `throw_off`, `lean`, `knock` and `touch_moving` are what people do wrongly or what goes wrong; all of them
return when it is over. `device.simulated.play` lets people play so for a while and tells the truth about it.

`throw`, `slide`, `show_card`, `add_hand`, `remove_hand`, `paint_over`, `unpaint`, `put_away`, `lay_out`, `take_dice`,
`light` (another `Lamp`: warm, cold or dim) and `press` are what people do;
`truth` and `dice_truth` (places and pixels) tell what is so; `frame` and `render` what the camera sees. Presses
come out of `table.buttons`, frames at a steady rate out of device.cameras.simulated.SimulatedCamera(table).
The same seed, calls and clock give the same pictures. The table knows no game.

SimulatedCardTable is the same for a battlefield of cards, 1070 x 600 mm; card_layout tells where everything lies:

>>> from device.simulated import SimulatedCardTable
>>> from device.simulated.card_layout import cell, middle
>>> table = SimulatedCardTable(clock, seed=7, names={12: "Ravens"})
>>> place = cell("thor", 2, 1)
>>> table.put(12, 0, place, face_up=False)               # its back tells deck 0 and nothing more
>>> table.visible()[0].marker is None
True
>>> table.move(place, middle("thor", 2))                 # slid forward
>>> table.flip(middle("thor", 2))                        # and turned up
>>> table.visible()[0].marker
12
"""

from device.simulated.card_table import SimulatedCardTable, VisibleCard
from device.simulated.lamps import DAYLIGHT, Lamp
from device.simulated.layout import SEAT_COLOURS, TABLE_SIZE_MM, Zone
from device.simulated.table import DieTruth, SimulatedTable

__all__ = [
    "DAYLIGHT",
    "SEAT_COLOURS",
    "TABLE_SIZE_MM",
    "DieTruth",
    "Lamp",
    "SimulatedCardTable",
    "SimulatedTable",
    "VisibleCard",
    "Zone",
]
