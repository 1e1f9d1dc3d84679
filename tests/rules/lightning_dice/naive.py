"""A second scorer, written from the rulebook alone, to compare with the referee: untimed, one call at a time."""

from __future__ import annotations


class NaiveTable:
    """Scores by plain lists; dice are lists of faces; goals are lists of faces."""

    def __init__(self, players: int, *, quick: bool) -> None:
        self.points = [0] * (players + 1)
        self.piles = [0] * (players + 1)
        self.quick = quick
        self.open_goal: list[int] | None = None
        self.dice: dict[int, list[int]] = {}
        self.over = False

    def turn_up(self, goal: list[int]) -> None:
        self.open_goal = goal
        self.dice = {}

    def throw_all(self, player: int, faces: list[int]) -> None:
        self.dice[player] = faces

    def got_it(self, player: int) -> None:
        if self.open_goal is None or player not in self.dice or self.over:
            return
        left = list(self.dice[player])
        fits = True
        for face in self.open_goal:
            if face in left:
                left.remove(face)
            else:
                fits = False
        if fits:
            self.open_goal = None
            if self.quick:
                self.piles[player] += 1
            else:
                self.points[player] = min(20, self.points[player] + 2)
        elif not self.quick:
            self.points[player] = max(0, self.points[player] - 2)
        self.over = not self.quick and max(self.points) >= 20

    def shout(self, player: int, number: int) -> None:
        """Bonus when it is the player's own number, else Thunder."""
        if self.quick or self.open_goal is None or self.over or self.dice.get(player) != [number] * 6:
            return
        if number >= len(self.points):
            return
        del self.dice[player]
        if number == player:
            self.points[player] = min(20, self.points[player] + 1)
        else:
            self.points[number] = max(0, self.points[number] - 1)
        self.over = max(self.points) >= 20
