"""Rendered sweeps over everything that has made dice readers err, one fault at a time, and what a reader makes of them.

    from vision.sweeps.catalogue import SWEEPS
    from vision.sweeps.measure import measure

The renderer is a ray tracer that shares no line with the one from which the networks learn.
"""
