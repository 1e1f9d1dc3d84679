"""Rolls of dice recorded from a physics engine, and how they are played at the simulated table."""
