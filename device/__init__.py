"""The hardware of the table and its stand-ins: cameras, buttons, speaker, clock, the simulated table.

Knows no game and no web. Real devices and their stand-ins keep the same promises and pass the same tests.
"""
