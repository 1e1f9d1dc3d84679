"""Every ruling that the Thunder & Lightning referee can give: its code and the names of its facts.

Facts that recur:
    card, cards: ids in the pack ("thor-ravens").             column, row: from Loki's left; 1 nearest the enemy.
    owner: seat whose side a column or card is on.            points: action points left after this.
    target, target_column, target_row: the card challenged.   remedy: what is recommended ("void", "beaten", "as weak",
    left: how many remain.                                        "judge", "take back").
    hand, deck, pile: how many cards.                         kind: what is waited for, or a kind of card.
    laid: entry that laid the card a finding is about.        reason: why not, in a word of `why` in the catalogue.
The ruling's own `seat` tells whom it concerns and is not repeated.
"""

from __future__ import annotations

__all__ = ["CODES"]

_SPOT = ("owner", "column", "row")

CODES: dict[str, tuple[str, ...]] = {
    # --- anything
    "tl.over": (),  # refused: the match is over
    "tl.no-such-seat": ("number",),  # refused: only seats 1 and 2
    "tl.no-such-place": ("column", "row"),  # refused: columns are 1 to 3, rows 1 to 4
    "tl.card-unreadable": (),  # refused, unreadable: the card could not be read
    "tl.card-unknown": ("card",),  # refused, unreadable: the pack has no such card
    "tl.waits": ("kind", "owner"),  # refused: first something else has to come to light or be decided
    "tl.not-waited-for": ("kind",),  # refused: nothing asks for this now
    "tl.impossible": ("card", "copies"),  # refused, unreadable: by all that was seen this card cannot be here
    "tl.wrong-back": ("card", "back"),  # refused, unreadable: this card does not have such a back
    "tl.vouched": ("card", "reason"),  # people vouch for a card against the record
    # --- set-up
    "tl.not-set-up": (),  # refused: set-up events after the first turn has begun
    "tl.set-up-first": ("missing",),  # refused: play before set-up is done; what is missing, by seat
    "tl.shuffled": (),  # the deck was declared shuffled
    "tl.not-shuffled": (),  # refused: confirm the shuffle first
    "tl.dealt": ("cards", "hand", "deck"),  # cards drawn to the starting hand
    "tl.too-many-dealt": ("cards", "expected"),  # refused: nine and no more
    "tl.deck-short": ("counted", "expected"),  # refused: the counted pile and hand are not a deck of fifty
    "tl.treasure-shown": ("card",),  # the treasure was found among the nine and shown
    "tl.no-treasure": ("card",),  # refused: this is not the seat's own treasure
    "tl.treasure-order": ("expected",),  # refused: show, draw another, shuffle back, in this order
    "tl.replaced": (),  # another card drawn in its place
    "tl.shuffled-back": ("deck",),  # the treasure is in the deck again
    "tl.deal-first": ("dealt", "expected"),  # refused: nine cards first
    "tl.first-row": ("column", "left"),  # a card of the first row laid; `left` more to lay
    "tl.first-row-only": ("column", "row"),  # refused: one card in row 1 of each column
    "tl.begins": ("hand", "field", "deck"),  # set-up is done; the ruling's seat (Loki) begins
    # --- the turn
    "tl.not-your-turn": ("turn",),  # refused: `turn` is on turn
    "tl.no-points": ("points",),  # refused: all action points of the turn are used
    "tl.turn": ("points", "columns", "leader"),  # a turn begins with so many points
    "tl.points-left": ("points",),  # refused: the turn ends only when all points are used
    "tl.turn-ended": (),  # the turn passes on
    "tl.stuck": ("points",),  # loses: by what everybody sees no action is left
    "tl.not-stuck": ("reason",),  # refused: an action is left (reason: draw, lay, challenge)
    "tl.stuck-claim": ("points", "hand"),  # the hand must show it; somebody's word is needed
    "tl.stuck-upheld": ("reason",),  # loses: the hand was seen
    "tl.stuck-refused": ("reason",),  # an action was found; the turn goes on
    "tl.empty-field": (),  # loses: the turn begins with no card on the side
    # --- draw and lay
    "tl.draw": ("hand", "deck", "points"),
    "tl.deck-empty": (),  # refused: no card left to draw
    "tl.hand-full": ("hand",),  # refused: twelve cards are in the hand
    "tl.hand-empty": (),  # refused: there is no card in the hand
    "tl.lay": ("column", "row", "back", "points"),  # laid face down
    "tl.column-full": ("column", "owner"),  # refused: four cards lie there
    "tl.field-full": (),  # refused: twelve cards lie on the side
    "tl.gap": ("column", "row", "expected"),  # refused: no row may stay empty
    "tl.before-leader": ("column", "owner"),  # refused: nothing goes in front of a leader
    "tl.no-such-back": ("back",),  # refused: no card with such a back is in the hand
    # --- the leader
    "tl.lead": ("card", "column", "points"),  # played, for no point; `points` left of four
    "tl.lead-face-down": ("card",),  # refused: a leader is played face up
    "tl.lead-row": ("card", "row"),  # refused: a leader goes into row 1
    "tl.figure": ("placed",),  # the figure was set or taken away; it does nothing by itself
    "tl.figure-missing": ("card",),  # a reminder: set the figure on the leader
    "tl.figure-alone": (),  # a reminder: the figure stands on nothing
    # --- challenges
    "tl.challenge": ("column", "target_column", "target_row", "points"),  # announced; face-down cards are turned up
    "tl.first-turn": ("kind",),  # refused: no challenge of any kind in a first turn
    "tl.nothing-there": _SPOT,  # refused: no card there
    "tl.no-facing": ("column",),  # refused: no card faces it
    "tl.diagonal": ("column", "target_column"),  # refused: only the facing column
    "tl.not-row-1": ("row", "target_row"),  # refused: only row 1 challenges row 1
    "tl.may-not-challenge": ("card",),  # refused: the card lies face up and never challenges
    "tl.leader-unchallenged": ("card",),  # refused: only Ravens challenge a leader
    "tl.turned-up": (*_SPOT, "card", "left"),  # a card is face up; `left` more to be turned up
    "tl.already-up": (*_SPOT, "card"),  # refused: it lies face up as another card
    "tl.won": ("card", "target", "strength", "target_strength"),  # the challenger wins; the challenged card is lost
    "tl.lost": ("card", "target", "strength", "target_strength"),  # the challenger loses
    "tl.tie": ("card", "target", "strength"),  # both are lost
    "tl.tie-idunn": ("card", "target", "strength", "owner"),  # Idunn of `owner` decides
    "tl.no-strength": ("card", "target"),  # the challenged card has no strength and is lost
    "tl.shield-wall": ("card", "target"),  # the challenger is lost against the Shield Wall
    "tl.archer": ("card", "target"),  # the Female Archer beats the Shield Wall
    "tl.frigg-beats": ("card", "target"),  # Frigg beats Angrboda or Tyr
    "tl.frigg-beaten": ("card", "target"),  # Frigg is beaten by Angrboda or Tyr
    "tl.champion": ("card", "target"),  # only Frigg wins against this card
    "tl.nightmare": ("card", "column", "cards"),  # both facing columns are lost, so many cards
    "tl.wiped": ("column", "cards"),  # a seat's cards of the column, all seen
    # --- findings that come late
    "tl.late-barred": ("card", "column", "target_column", "remedy"),  # infraction: it may not challenge
    "tl.late-leader": ("card", "column", "row", "laid", "remedy"),  # infraction: a leader was laid face down
    "tl.late-leader-first-row": ("card", "column", "laid", "remedy"),  # infraction: as one of the first three
    "tl.late-treasure": ("card", "laid", "remedy"),  # infraction: it was among the first nine
    # --- powers
    "tl.play": ("card", "points"),  # laid on the discard pile for its power
    "tl.no-power": ("card",),  # refused: the card has no symbol
    "tl.no-hand-power": ("card",),  # refused: its power is not used from the hand
    "tl.which-use": ("card",),  # refused, ambiguous: say which of its uses
    "tl.which-target": ("card",),  # refused, ambiguous: say what it works on
    "tl.no-target": ("card",),  # refused: there is nothing for it to work on
    "tl.wrong-side": ("card", "owner"),  # refused: it works on the other side
    "tl.moved": ("card", "owner", "column", "row", "to_column", "to_row"),  # Baldr, Valkyries
    "tl.move-leader": ("card",),  # refused: a leader is never moved
    "tl.no-move": ("card",),  # refused: the card would stay where it is
    "tl.active": ("card",),  # Berserker or Idunn rules from the top of the pile
    "tl.blocked": ("card", "owner"),  # refused: `owner` shows one already
    "tl.freya": ("card", "taken", "hand"),  # the enemy's top card goes into the hand
    "tl.freya-top": ("top",),  # refused: the top card has no strength from 1 to 7
    "tl.hel": ("hand", "pile"),  # one card taken secretly
    "tl.take": ("taken", "hand"),  # cards taken back
    "tl.take-hidden": ("count", "hand"),  # so many taken back unseen
    "tl.take-kind": ("card",),  # refused: such a card cannot be taken so
    "tl.take-not-there": ("card",),  # refused: the pile does not hold it
    "tl.take-number": ("taken", "least", "most"),  # refused: as many as there are and the hand can hold
    "tl.nothing-to-take": ("card",),  # played without effect
    "tl.spy": ("owner", "hand"),  # the hand must be shown
    "tl.hand-shown": ("cards",),  # seen; nothing follows
    "tl.hand-shown-champion": ("cards", "card"),  # seen; Angrboda or Tyr is discarded
    "tl.hand-incomplete": ("shown", "hand"),  # refused: the whole hand must be shown
    "tl.hand-impossible": ("cards",),  # refused, unreadable: by all that was seen this cannot be the hand
    "tl.column-turned": ("owner", "column", "cards"),  # all of the column is face up
    "tl.nothing-face-down": ("column",),  # Frigg on a column without a face-down card
    "tl.weapon": ("card", "target", "owner"),  # removed from the battlefield
    "tl.weapon-target": ("card", "target"),  # refused: only the enemy leader or a Shield Wall
    "tl.weapon-face-down": ("card",),  # refused: the target must lie face up
    "tl.weapon-missed": ("card", "target"),  # infraction: the guess was wrong, the play is taken back
    "tl.strike": ("card", "owner", "column", "row"),  # announced; the target is turned up if need be
    "tl.struck": ("card", "strength"),  # strength 0, 1 or none: lost
    "tl.withstood": ("card", "strength"),  # strength 2 to 7: stays, face up
    "tl.struck-leader": ("card",),  # removed
    "tl.struck-wall": ("card",),  # the Shield Wall stays
    "tl.own-side": ("card",),  # refused: on the own side only the leader
    "tl.pick": ("owner", "hand"),  # a card is picked at random
    "tl.hit-discarded": ("card",),  # discarded from the hand
    "tl.hit-placed": ("card",),  # to be placed face up in an enemy row 1
    "tl.hit-kept": ("card",),  # by option it stays in the hand
    "tl.hit-no-column": ("card",),  # no column takes it: discarded
    "tl.hit-nightmare": ("card", "cards"),  # the whole hand is lost
    "tl.placed": ("card", "owner", "column"),  # face up in row 1
    "tl.seer": ("deck",),  # draws from the enemy's deck
    "tl.seer-row": ("card",),  # to be placed in an enemy row 1
    "tl.seer-hand": ("card", "hand"),  # goes into its owner's hand
    "tl.seer-hand-full": ("card",),  # the hand is full: discarded
    "tl.seer-no-column": ("card",),  # no column takes it: discarded
    "tl.seer-stops": ("left",),  # draws no more
    # --- piles
    "tl.stacked": ("cards", "top"),  # put on the pile in this order
    "tl.stack-wrong": ("cards", "expected"),  # refused: other cards were lost
    "tl.top": ("card",),  # the top of the pile is as the record has it
    "tl.top-seen": ("card",),  # the top of the pile is known again
    "tl.top-wrong": ("card", "expected"),  # refused, ambiguous: the record has another card there
    # --- counting, conduct, corrections
    "tl.count": ("what", "cards"),  # agrees
    "tl.count-differs": ("what", "cards", "expected"),  # infraction: the record has another number
    "tl.no-such-count": ("what",),  # refused: only hand, deck and pile are counted
    "tl.conduct": ("what",),  # infraction: against the rules, for the judge to weigh
    "tl.conduct-fine": ("what",),  # that is allowed
    "tl.no-such-conduct": ("what",),  # refused
    "tl.nothing-waits": ("target",),  # refused: no claim of this number waits
    "tl.adjusted": ("what", "before", "after", "reason"),
    "tl.out-of-range": ("what", "value", "least", "most"),  # refused
    "tl.finding-stands": ("was", "reason"),  # a person upholds a finding
    "tl.finding-withdrawn": ("was", "reason"),  # a person takes a finding back
    "tl.already-so": ("target",),  # refused: that is how it was ruled
    "tl.no-overrule": ("target",),  # refused: only findings can be overruled; amend the entry instead
    # --- results (no facts; the winner is in the result)
    "tl.won-treasure": (),  # the enemy lost its Ring or Crown
    "tl.won-both-treasures": (),  # both were lost at once: the challenger loses
    "tl.won-stuck": (),  # the enemy could not use its points
    "tl.won-empty": (),  # the enemy began a turn with no card on its side
}
