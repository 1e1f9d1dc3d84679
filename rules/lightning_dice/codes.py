"""Every ruling that the Lightning Dice referee can give: its code and the names of its facts.

Facts that recur:
    call: "got-it", "bonus" or "thunder"; also "nice-or-nasty" while it cannot be told which.
    contest: number of the card in this match, from 1.        card: id of the card in the pack.
    goal: the card's goal in the goal language.               faces: six faces by place; None = shows nothing.
    unreadable: places (0 to 5) whose die cannot be read.     idle: places that show nothing: rolling, in the hand,
    missing: faces that the dice lack for an exact goal.      off the table, or owed to be thrown again.
    unmet: parts of the goal that are not met.                number: the number called with Bonus or Thunder.
    before, after: points (or cards) of the ruling's seat, or of the victim of a Thunder.
    victim: player number.                                    places: dice by place (0 to 5).
    colour: of the seat.
The ruling's own `seat` tells whom it concerns and is not repeated.
"""

from __future__ import annotations

__all__ = ["CODES"]

_DICE = ("call", "contest", "card", "goal", "faces", "unreadable", "idle")
_SIX = ("call", "contest", "number", "faces", "unreadable", "idle")

CODES: dict[str, tuple[str, ...]] = {
    # --- anything
    "ld.over": (),  # refused: the match is over
    "ld.no-such-seat": ("number", "seats"),  # refused: nobody has this player number
    "ld.bad-dice": ("problem",),  # refused, unreadable: not six dice, or a face or place that does not exist
    # --- set-up
    "ld.shuffled": (),  # the cards were declared shuffled; nobody can check the chance
    "ld.stack": ("where",),  # the stack lies where it belongs ("side", in the quick game "centre")
    "ld.stack-wrong": ("where", "expected"),  # refused: the stack belongs elsewhere
    "ld.ready": ("dice", "colour"),  # the seat has everything it needs
    "ld.ready-dice": ("dice", "expected"),  # refused: not exactly six dice
    "ld.ready-colours": ("colours", "colour"),  # refused: dice of another colour among them
    "ld.ready-no-pawn": ("colour",),  # refused: the seat's pawn is not on the track
    "ld.ready-pawns": ("pawns", "colour"),  # refused: more than one pawn of the seat's colour
    "ld.ready-pawn-start": ("space",),  # refused: the pawn does not stand on Start
    "ld.set-up-done": (),  # refused: set-up events after the first card
    # --- cards
    "ld.flip": ("card", "goal", "contest", "left"),  # the card is open; `left` cards remain in the supply
    "ld.not-ready": ("seats", "shuffled"),  # refused: seats that are not ready; whether the cards are shuffled
    "ld.card-open": ("card", "seen"),  # refused: a card is open already; put back the one just turned
    "ld.judge-flips": ("card",),  # refused: in tournament play the judge turns the cards
    "ld.card-unreadable": (),  # refused, unreadable: the card could not be read
    "ld.card-unknown": ("card",),  # refused, unreadable: the pack has no such card
    "ld.card-used": ("card",),  # refused: this card was turned already and lies among the used ones
    "ld.supply-empty": (),  # refused: no card left; shuffle the used ones first
    "ld.reshuffled": ("cards",),  # the used cards are the supply again
    "ld.supply-left": ("left",),  # refused: there are still cards to turn (or a card is open)
    # --- dice
    "ld.moving": ("places",),  # dice left their place; they show nothing until they rest
    "ld.roll": ("faces", "thrown", "kept"),  # a reading of six dice; places thrown, places kept
    "ld.roll-unread": ("faces", "unreadable"),  # taken down, but some dice cannot be read
    "ld.roll-short": ("faces", "thrown", "reason"),  # all six must be thrown; reason: new-card, bonus, thunder
    "ld.roll-idle": ("faces",),  # no card is open, so the throw counts for nothing
    "ld.roll-early": ("faces",),  # the dice lay before the card was up, so the throw does not count for it
    "ld.roll-turned": ("faces", "places"),  # kept dice show another face; they must be thrown
    "ld.roll-off-table": ("faces", "places"),  # dice left the table and must be thrown again
    # --- "Got it!"
    "ld.match": (*_DICE, "before", "after"),  # paid: 2 points
    "ld.match-card": (*_DICE, "before", "after"),  # quick game: takes the card
    "ld.false": (*_DICE, "missing", "unmet", "before", "after"),  # penalty: loses 2 points, the card stays open
    "ld.false-free": (*_DICE, "missing", "unmet"),  # refused: quick game, no loss
    "ld.false-card": (*_DICE, "missing", "unmet", "before", "after"),  # penalty by option: quick, loses a card
    "ld.unproven": _DICE,  # refused, unreadable: no points, no penalty
    "ld.not-rolled": ("call", "contest", "card"),  # refused: not all six thrown since the card is up
    "ld.spent": ("call", "contest", "card"),  # refused: these dice served a Bonus or Thunder; pick them up
    "ld.locked-out": ("contest", "card"),  # refused by option: a false call on this card already
    "ld.already-called": ("call",),  # refused: this call of the seat is already before us
    "ld.no-card": ("call",),  # refused: no card has been turned up yet
    "ld.late": ("call", "contest"),  # refused: the card is won and the next not up; no penalty
    "ld.late-cost": ("call", "contest", "before", "after"),  # penalty by option: a late unmatched call costs 2
    "ld.not-contender": ("contenders",),  # refused by option: sudden death is between these seats
    "ld.tie-void": (*_DICE, "tied"),  # nobody scores: right calls that cannot be separated
    "ld.tie-shared": (*_DICE, "tied", "before", "after"),  # by option: each of the tied calls is paid
    "ld.tie-judge": (*_DICE, "tied"),  # waits for the judge: right calls that cannot be separated
    "ld.contested": ("call", "contest"),  # refused: tied right calls on this card wait for the judge
    # --- Bonus
    "ld.bonus": (*_SIX, "before", "after"),  # 1 point; pick up all six, the card stays open
    "ld.bonus-capped": (*_SIX, "before", "after"),  # by option: a Bonus may not bring the last point
    "ld.bonus-wrong": _SIX,  # refused: not six of the own number; costs nothing
    "ld.bonus-cost": (*_SIX, "before", "after"),  # penalty by option: a wrong Bonus costs
    "ld.bonus-number": (*_SIX, "said"),  # refused: another number was called, by option not forgiven
    "ld.bonus-again": ("contest",),  # refused by option: one Bonus a card
    # --- Thunder
    "ld.thunder": (*_SIX, "victim", "before", "after"),  # the victim loses 1; the caller picks up all six
    "ld.thunder-start": (*_SIX, "victim"),  # valid without effect: the victim is on Start
    "ld.thunder-start-void": (*_SIX, "victim"),  # refused by option: the victim is on Start
    "ld.thunder-wrong": _SIX,  # refused: not six of the number called; costs nothing
    "ld.thunder-cost": (*_SIX, "before", "after"),  # penalty by option: a wrong Thunder costs
    "ld.thunder-number": (*_SIX, "shown"),  # refused: the dice show six of another number
    "ld.thunder-nobody": (*_SIX, "seats"),  # refused: nobody has this number
    "ld.thunder-self": _SIX,  # refused: the own number is a Bonus, not a Thunder
    "ld.thunder-again": ("contest", "victim"),  # refused by option: one Thunder a card on each victim
    # --- both
    "ld.six-unproven": _SIX,  # refused, unreadable: the six dice cannot all be read
    "ld.which-call": _SIX,  # refused, ambiguous: Bonus or Thunder cannot be told from the dice
    "ld.nothing": _SIX,  # refused: the second button, and the dice are neither a Bonus nor a Thunder; costs nothing
    "ld.no-bonus": ("call",),  # refused: the quick game has no Bonus and no Thunder
    # --- the judge
    "ld.waits": ("call", "contest", "card", "goal", "faces", "unreadable", "idle", "number", "advice"),
    # ^ a call waits for the judge; advice: the code the referee would have given ("ld.match", "ld.false" …)
    "ld.judge-match": ("call", "contest", "card", "advice", "differs", "reason", "before", "after"),  # upheld
    "ld.judge-false": ("call", "contest", "card", "advice", "differs", "reason", "before", "after"),  # penalty: -2
    "ld.judge-refused": ("call", "contest", "card", "advice", "differs", "reason"),  # refused by the judge, no loss
    "ld.judge-bonus": ("call", "contest", "number", "advice", "differs", "reason", "before", "after"),
    "ld.judge-thunder": ("call", "contest", "victim", "advice", "differs", "reason", "before", "after"),
    "ld.judge-tie": ("contest", "card", "reason", "tied"),  # last tied call refused: nobody scores, next card
    "ld.judge-breach": ("rule", "detail", "places", "reason"),  # the breach stands; these dice are thrown again
    "ld.judge-no-breach": ("rule", "detail", "places", "reason"),  # the judge saw no breach
    "ld.nothing-waits": ("target", "ruling"),  # refused: nothing with this number waits
    "ld.not-the-judge": (),  # refused: only the judge decides
    "ld.in-order": ("target", "ruling", "call"),  # refused: an earlier call waits; that one comes first
    "ld.which-victim": ("number",),  # refused, ambiguous: whose number was thundered cannot be told
    # --- tournament rules
    # infraction, waits for the judge
    "ld.breach": ("rule", "detail", "places", "by_accident", "suspicion", "lasted_ms"),
    "ld.breach-ruled": ("rule", "detail", "places", "by_accident"),  # infraction that the judge reported: re-roll
    "ld.permitted": ("rule", "detail"),  # refused: what was seen is allowed (rule 6, rule 7, sliding, a roll)
    "ld.no-tournament": ("rule",),  # refused: the tournament rules are not in play
    "ld.no-such-rule": ("rule",),  # refused: there are seven
    # --- score track
    "ld.pawn": ("space",),  # the pawn stands where the score says
    "ld.pawn-wrong": ("space", "expected", "off_by", "moved_by"),
    # ^ refused: wrong space; moved_by: match, bonus, thunder, false, or "" (off_by = space - expected)
    "ld.no-track": (),  # refused: the quick game has no score board
    # --- corrections
    "ld.adjusted": ("what", "before", "after", "reason"),  # a public count was set
    "ld.no-such-count": ("what",),  # refused: "score" (quick: "cards") can be set
    "ld.out-of-range": ("what", "value", "least", "most"),  # refused
    "ld.upheld": ("call", "contest", "was", "reason"),  # overrule: the call stands; `was`: code of the ruling replaced
    "ld.overturned": ("call", "contest", "was", "reason"),  # overrule: the call falls
    "ld.breach-upheld": ("rule", "was", "reason"),  # overrule: it was a breach
    "ld.breach-overturned": ("rule", "was", "reason"),  # overrule: it was none
    "ld.already-so": ("target",),  # refused: that is how it was ruled
    "ld.no-overrule": ("target",),  # refused: only calls, decisions and breaches can be overruled; amend it instead
    # --- results (no facts; the winners are in the result)
    "ld.won": (),  # reached 20 points
    "ld.won-shared": (),  # several reached 20 with calls that cannot be separated
    "ld.won-cards": (),  # quick game: most cards
    "ld.won-cards-shared": (),  # quick game: equal largest piles
    "ld.won-supply": (),  # by option: the supply ran out, most points
    "ld.won-supply-shared": (),
}
