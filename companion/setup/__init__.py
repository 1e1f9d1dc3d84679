"""`companion setup`: a table is set up step by step, told and spoken, and kept in one readable file.

Each step is a small machine that is fed what happens (frames, presses, typed lines) and says what to tell next; the
session feeds it. So a step can be played from a script, and each can be repeated alone.
"""
