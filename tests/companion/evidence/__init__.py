"""Tests of the evidence that is kept of presses and infractions."""
