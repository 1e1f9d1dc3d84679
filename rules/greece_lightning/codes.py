"""Every ruling that the Greece Lightning referee can give: its code and the names of its facts.

Facts that recur:
    wedge, card: ids in the pack.                       place: of the course, 1 to 12; dot: its name on the wedge.
    number: player number; of a path: its number.       left: movement left; of wedges: still to be placed.
    owner: player whose ship, card or duty it is.       slots: Favors now on the board.
    count, expected: what was counted and recorded.     dots, reach: dots moved, and up to how many are protected.
    kind: what is waited for: "wedge", "hydra", "use", "boat", "trident" or "room".
    by_hand: people do what the card says and correct the record.
    what: "wedges", "starters", "favors", "fish" …      use: "navigation", "first" or "second" die.
The ruling's own `seat` tells whom it concerns and is not repeated.
"""

from __future__ import annotations

__all__ = ["CODES"]

_SPOT = ("place", "dot")

CODES: dict[str, tuple[str, ...]] = {
    # --- anything
    "gl.over": (),  # refused: the race is over
    "gl.no-such-seat": ("number", "seats"),  # refused: nobody has this player number
    "gl.set-up-first": ("missing",),  # refused: what of set-up is missing, in order; "ships" when only they are
    "gl.waits": ("kind", "owner", "card"),  # refused: this has to happen first
    "gl.no-such-place": ("place",),  # refused, unreadable: places are 1 to 12
    "gl.no-such-dot": _SPOT,  # refused, unreadable: the wedge on top has no such dot
    "gl.card-unreadable": (),  # refused, unreadable
    "gl.card-unknown": ("card",),  # refused, unreadable: the pack has no such card
    "gl.card-elsewhere": ("card",),  # refused, unreadable: every copy of it lies somewhere else
    # --- set-up
    "gl.set-up-done": (),  # refused: set-up events after the ships are on the line
    "gl.circle": ("place",),  # the circle is right; the line lies at `place`
    "gl.circle-number": ("named", "wedges"),  # refused: not twelve wedges
    "gl.circle-unknown": ("named", "wedges"),  # refused, unreadable: wedges that the pack does not have
    "gl.circle-twice": ("named", "wedges"),  # refused: a wedge twice
    "gl.circle-no-symbol": ("named", "wedges"),  # refused: wedges without a starting symbol
    "gl.circle-sets": ("named", "wedges"),  # refused: symbols that are not there three times
    "gl.circle-apart": ("named", "wedges"),  # refused: symbols whose wedges do not lie side by side
    "gl.no-line": ("place",),  # refused: the Starting Line covers no place of the circle
    "gl.no-centre": (),  # refused: the central piece is missing
    "gl.ships-on": (),  # refused: ships stand on the line already
    "gl.no-such-stack": ("what",),  # refused, unreadable
    "gl.circle-first": (),  # refused: only what is left of the circle is shuffled
    "gl.starters-first": (),  # refused: find the Starters first
    "gl.deal-first": ("seats",),  # refused: these seats have no Starter yet
    "gl.new-deck": ("count",),  # the used Favors were shuffled
    "gl.deck-not-empty": ("deck", "discard"),  # refused: used Favors are shuffled when the deck is empty
    "gl.shuffled": ("what",),
    "gl.shuffle-first": ("what",),  # refused: not shuffled yet
    "gl.face-down": ("what",),  # refused: turn it face down
    "gl.stack": ("what", "count"),
    "gl.stack-count": ("what", "count", "expected"),  # refused
    "gl.ready": ("fish", "colour"),
    "gl.ready-board": ("seen", "colour"),  # refused: a board of another colour
    "gl.ready-count": ("what", "count", "expected", "colour"),  # refused: too many or too few of something
    "gl.lap-board": (),
    "gl.starters": ("cards",),
    "gl.starters-wrong": ("wrong", "missing"),  # refused: not the four Starters
    "gl.dealt": ("card", "number"),
    "gl.second-starter": ("card", "held"),  # refused: one for each player
    "gl.no-starter": ("card",),  # refused: not marked Starter
    "gl.face-up": ("card",),  # refused: turn it face up
    "gl.launched": ("dot", "number"),  # on the line; `number` of the Starter
    "gl.launched-already": ("dot",),  # refused
    "gl.launch-order": ("first", "number"),  # refused: `first` has the lower Starter `number`
    "gl.not-on-line": ("dot", "dots"),  # refused: the dots of the line are `dots`
    "gl.dot-taken": ("dot", "owner"),  # refused
    "gl.no-wake": (),  # refused: put the wake token under the ship
    "gl.first-fleece": (),  # the last ship placed has the Golden Fleece
    # --- rolling
    "gl.round": ("round", "fleece"),  # a round opens: all roll
    "gl.rolling-closed": (),  # refused: the dice stay as they are until the round ends
    "gl.clear-first": (),  # refused: dice of the last round lie on the board
    "gl.roll-finished": (),  # refused: the roll was accepted
    "gl.roll-order": ("first",),  # refused: `first` rolls before
    "gl.bad-face": ("face", "highest"),  # refused, unreadable: this die shows 1 to `highest`
    "gl.beside-board": ("die",),  # refused: put the die on its space
    "gl.navigation": ("face", "again"),
    "gl.navigation-first": ("again",),  # refused: the Navigation die comes before
    "gl.navigation-stays": ("die", "face"),  # refused: a Movement die was rolled
    "gl.unpaid": ("die", "face"),  # refused: no Fish left the board for this roll
    "gl.one-die": ("dice",),  # refused: one Movement die at a time
    "gl.first": ("face", "again", "total"),
    "gl.success": ("face", "first", "again", "total", "fish"),
    "gl.bust": ("face", "first", "again", "total", "fish"),
    "gl.bust-spared": ("face", "first", "again", "total", "fish"),  # a Favor makes it none
    "gl.no-second": (),  # refused: a Favor forbids the second die
    "gl.no-such-use": ("use",),  # refused: Fish have four uses
    "gl.no-such-pay": ("paid",),  # refused, unreadable
    "gl.reroll": ("use", "paid", "fish"),  # picked up to be rolled again
    "gl.reroll-due": ("use",),  # refused: this die is to be rolled again first
    "gl.first-stays": ("face",),  # refused: the first Movement die is never rolled again
    "gl.not-rolled": ("use",),  # refused: this die was not rolled yet
    "gl.no-free-roll": ("use",),  # refused: no Favor gives this roll
    "gl.no-fish": ("what",),  # refused: there is no Fish on the board for it
    "gl.rolled": ("total", "navigation", "dice", "doubled", "bust"),  # the roll is accepted
    "gl.total": ("total",),
    "gl.total-wrong": ("total", "expected"),  # refused
    # --- the turn
    "gl.rolling-first": ("rolling",),  # refused: these seats have not finished rolling
    "gl.not-your-turn": ("turn",),  # refused: `turn` is on turn
    "gl.played": ("turn",),  # refused: one turn in a round
    "gl.turn": ("movement", "wedges", "owed"),  # a turn begins; `owed` by Favors is in `movement`
    "gl.fleece": ("order", "kept"),  # the last of `order` has the Golden Fleece now
    "gl.finished": ("order", "laps"),  # the race is over
    "gl.won": (),  # the result
    # --- wedges
    "gl.wedge-drawn": ("wedge",),
    "gl.no-wedge-drawn": ("wedge",),  # refused: no wedge is to be drawn
    "gl.wedge-unreadable": (),  # refused, unreadable
    "gl.wedge-unknown": ("wedge",),  # refused, unreadable: the pack has no such wedge
    "gl.wedge-elsewhere": ("wedge",),  # refused, unreadable: it lies on the course or before somebody
    "gl.placed": ("wedge", "place", "height", "left"),
    "gl.drawn-now": ("wedge", "place"),  # refused: placed at the start of the next turn
    "gl.no-wedge-due": ("wedge", "place"),  # refused: none is to be placed
    "gl.one-wedge": ("wedges",),  # refused: one at a time
    "gl.other-wedge": ("wedge", "due"),  # refused: `due` were drawn
    "gl.not-aligned": ("wedge", "place"),  # refused
    "gl.on-line": ("wedge", "place"),  # refused: the Starting Line lies there
    "gl.on-ship": ("wedge", "place"),  # refused: a ship stands there
    "gl.on-wake": ("wedge", "place"),  # refused: put the wake token back first
    # --- moving
    "gl.place-first": ("due",),  # refused: these wedges are to be placed first
    "gl.move-ended": (),  # refused: the move is finished
    "gl.no-movement": (),  # refused: all movement is used
    "gl.occupied": (*_SPOT, "owner"),  # refused: the ship of `owner` stands there; go on to the dot beyond
    "gl.backwards": _SPOT,  # refused
    "gl.no-path": _SPOT,  # refused: no printed path leads there with one movement
    "gl.no-such-path": (*_SPOT, "number"),  # refused: no path with this number leads there
    "gl.which-path": _SPOT,  # refused, ambiguous: say the path
    "gl.charybdis": ("number", "numbers"),  # refused: the dice open only the paths `numbers`
    "gl.scylla": ("number", "fish"),  # refused: the path costs more than there is
    "gl.step": (*_SPOT, "left", "skipped", "number", "paid"),
    "gl.whirlpool": ("mark",),  # arrived at; the path is chosen with the next movement
    "gl.line": ("laps", "skipped", "ends"),  # the Starting Line; `ends`: the last lap is complete
    "gl.stops-at-line": ("lost",),  # by option: the last lap is complete, the rest of the movement is lost
    "gl.bonus": ("mark",),
    "gl.bonus-full": ("mark",),  # met, and nothing to gain
    "gl.declined": ("mark",),
    "gl.use-all": ("left",),  # refused: all movement must be used
    "gl.move-finished": (*_SPOT, "moved", "facedown"),
    # --- the Hydra
    "gl.hydra": ("dots", "reach", "fish"),  # it must be fed, or fought
    "gl.hydra-protected": ("dots", "reach", "fish"),
    "gl.hydra-passed": ("dots", "reach", "fish"),  # by a Favor
    "gl.hydra-stops": ("lost",),  # no Fish: the move is over
    "gl.fed": ("fish", "left"),
    "gl.no-hydra": (),  # refused: there is none
    "gl.hydra-left-free": (),  # refused: a ship leaves it without paying
    "gl.feed-protected": ("dots", "reach"),  # refused: protection holds
    "gl.fed-already": (),  # refused
    "gl.must-feed": ("fish",),  # refused: who has Fish must feed it
    # --- Favors
    "gl.too-early": ("facedown",),  # refused: after the move
    "gl.one-favor": ("cards",),  # refused: one at a time
    "gl.bolt": ("card", "by_hand"),  # used at once
    "gl.bolt-asks": ("card",),  # used at once, and its user has to choose
    "gl.boat": ("card", "slots"),  # laid in a slot
    "gl.boat-full": ("card", "slots"),  # no slot is free
    "gl.trident": ("card",),  # choose another player
    "gl.received": ("card", "giver", "slots"),
    "gl.make-room": ("card", "giver", "slots"),  # discard one first
    "gl.no-trident": (),  # refused: there is none to give
    "gl.not-yourself": ("card", "to"),  # refused
    "gl.must-use": ("card",),  # refused: a bolt is used now
    "gl.nothing-to-discard": ("card",),  # refused
    "gl.not-the-new-one": ("card",),  # refused: one of those already there
    "gl.not-held": ("card",),  # refused: it does not lie on the board
    "gl.discarded-new": ("card",),
    "gl.replaced": ("card", "by"),
    "gl.by-itself": ("card",),  # refused: a trident takes effect by itself
    "gl.not-the-time": ("card", "when"),  # refused: its time is "rolling", "moving" or "turn" of its player
    "gl.used": ("card", "other", "place", "by_hand"),
    "gl.trident-works": ("card", "by_hand"),
    "gl.trident-asks": ("card",),  # its holder has to choose
    "gl.use-on-whom": ("card", "choices"),  # refused, ambiguous: which player
    "gl.use-not-on": ("card", "other", "choices"),  # refused
    "gl.use-where": ("card", "choices"),  # refused, ambiguous: which place
    "gl.use-not-there": ("card", "place", "choices"),  # refused
    "gl.use-on-nobody": ("card", "other"),  # refused: it concerns no other player
    "gl.use-nowhere": ("card", "place"),  # refused: it concerns no place
    # --- looked at and counted
    "gl.dice": ("navigation", "movement"),
    "gl.clutter": ("navigation", "movement"),  # infraction: dice of the last round lie on the board
    "gl.bust-dice": ("navigation", "movement", "expected_navigation", "expected_movement"),  # refused: take them off
    "gl.dice-differ": ("navigation", "movement", "expected_navigation", "expected_movement"),  # refused
    "gl.wake": _SPOT,
    "gl.wake-astray": (*_SPOT, "expected_place", "expected_dot"),  # infraction: put it back
    "gl.lap-marker": ("laps",),
    "gl.lap-marker-wrong": ("laps", "expected"),  # refused
    "gl.fleece-lies": (),
    "gl.fleece-wrong": ("expected",),  # refused: it belongs before `expected`
    "gl.counted": ("what", "count", "expected"),
    "gl.count-differs": ("what", "count", "expected"),  # refused
    "gl.too-many": ("what", "count", "most", "excess"),  # refused: put the excess back
    "gl.not-counted": ("what",),  # refused, unreadable
    "gl.conduct": ("what",),  # infraction
    "gl.conduct-fine": ("what",),
    "gl.no-such-conduct": ("what",),  # refused, unreadable
    # --- corrections
    "gl.adjusted": ("what", "before", "after", "reason"),
    "gl.ship-put": (*_SPOT, "reason"),  # people set a ship on a dot
    "gl.not-begun": (),  # refused: no ship is on the course yet, or the race is over
    "gl.no-such-count": ("what",),  # refused
    "gl.out-of-range": ("what", "value", "least", "most"),  # refused
    "gl.no-overrule": ("target",),  # refused: amend the entry instead
    "gl.already-so": ("target",),  # refused
    "gl.finding-stands": ("was", "reason"),
    "gl.finding-withdrawn": ("was", "reason"),
}
