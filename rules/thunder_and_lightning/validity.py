"""What no real table can look like; tests hold every state to it."""

from __future__ import annotations

from rules.thunder_and_lightning.components import DECK, HAND_LIMIT, ROWS
from rules.thunder_and_lightning.knowledge import foreign
from rules.thunder_and_lightning.state import SideState, ThunderAndLightningState

__all__ = ["cards_of_all_decks", "problems"]

State = ThunderAndLightningState


def cards_of_all_decks(state: State) -> int:
    """Cards on the whole table, wherever they are."""
    lying = sum(side.hand + side.deck + side.field + side.pile_size for side in state.sides)
    between = sum(len(waiting.cards) + (waiting.kind == "place") for waiting in state.waiting)
    return lying + between


def problems(state: State) -> tuple[str, ...]:
    """What is impossible about a state, in words for a developer."""
    found: list[str] = []
    if cards_of_all_decks(state) != 2 * DECK:
        found.append(f"{cards_of_all_decks(state)} cards instead of {2 * DECK}")
    for side in state.sides:
        found.extend(f"seat {side.seat}: {problem}" for problem in _side(state, side))
    if (state.phase == "over") != (state.winner is not None):
        found.append("over without a winner, or a winner before the end")
    if state.phase == "play" and (state.turn is None or not 0 <= state.turn.spent <= state.turn.points):
        found.append("more points spent than there were")
    if state.phase != "play" and state.waiting:
        found.append("something is waited for outside of play")
    tokens = [lying.token for side in state.sides for column in side.columns for lying in column]
    if len(tokens) != len(set(tokens)):
        found.append("two cards have the same token")
    return tuple(found)


def _side(state: State, side: SideState) -> list[str]:
    found: list[str] = []
    limit = HAND_LIMIT if state.phase != "setup" else HAND_LIMIT + 1
    if not 0 <= side.hand <= limit:
        found.append(f"{side.hand} cards in the hand")
    if not 0 <= foreign(side) <= side.hand:
        found.append(f"{foreign(side)} of the enemy's cards in a hand of {side.hand}")
    if side.deck < 0 or side.gone < 0 or side.pile_size < 0:
        found.append("less than no card in the deck or pile")
    if side.gone > sum(not piled.sure for piled in side.pile):
        found.append("more cards gone from the pile than can be")
    moves = sum(1 if move.into else -1 for move in side.ledger.moves)
    if moves != side.hand:
        found.append(f"the ledger holds {moves} cards, the hand {side.hand}")
    for column in side.columns:
        if len(column) > ROWS:
            found.append("more than four cards in a column")
        found.extend("a leader behind another card" for lying in column[1:] if state.leads(lying))
    return found
