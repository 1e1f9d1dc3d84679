"""Plays: scripted rounds of two to six people at the simulated table, with the truth of every die at every moment."""
