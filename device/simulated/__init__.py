"""The simulated table: dice, cards and hands with real optics, so that everything runs from pixels."""

from device.simulated.layout import SEAT_COLOURS, TABLE_SIZE_MM, Zone
from device.simulated.table import DieTruth, SimulatedTable

__all__ = ["SEAT_COLOURS", "TABLE_SIZE_MM", "DieTruth", "SimulatedTable", "Zone"]
