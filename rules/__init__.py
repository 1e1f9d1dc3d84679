"""The referee: pure rules of five published games.

Events go in, rulings come out. Nothing here has a clock, throws dice, looks at a picture or speaks to a network:
what happened arrives as data, so a match replays to the same rulings anywhere.
"""
