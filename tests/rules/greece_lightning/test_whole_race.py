"""A race of two laps from the box to the winner, as a table plays it."""

from __future__ import annotations

from rules.greece_lightning.game import REFEREE
from rules.match import Match
from rules.records import canonical
from tests.rules.greece_lightning.script import Board, run, seen
from tests.rules.greece_lightning.test_clauses_setup import launched

# Ann (seat 1, path a) has Starter 2, Ben (seat 2, path b) has Starter 4: she starts first and he has the Fleece.
# The line lies at place 7. What follows the arrow is what stands after the step.
RACE = """
1: nav 1; 2: nav 3; 1: move 3; 2: move 6; 1: move 2          -> bust=True; phase=rolling
1: again second; 1: move 5; 1: done                          -> fish=1; supply=13
2: move 6; 2: done                                           -> turn=2; left2=18; left=0
go 8b 9b 10b 11b 12b 1b 2b 3b 4b 5b 6b 7b                    -> laps2=1; fish2=3; facedown2=1; waits=wedge; left2=6
drawn hydras; go 8b 9b 10b 11b 12b 1b; end                   -> step=reveal; wake2=1b
reveal poseidon                                              -> favors2=janus poseidon; turn=1; left=9
go 8a 9a 10a 11a 12a 1a 2a 3a 4a; end                        -> phase=rolling; fleece=1; round=2; wedges2=hydras
1: nav 2; 1: move 6; 1: done; 2: nav 1; 2: move 1; 2: done   -> turn=1; left=10
go 5a 6a 7a                                                  -> laps=1; fish=2; facedown=1; waits=wedge
drawn fish; go 8a 9a 10a 11a 12a 1a 2a; end; reveal eris     -> waits=room; turn=1
2: discard janus                                             -> turn=2; step=place; favors2=poseidon eris; left2=2
lay hydras 5                                                 -> step=move; left2=0; favors2=poseidon; discard=janus eris
use poseidon; go 2b 3b; end                                  -> phase=rolling; fleece=1; round=3
2: nav 1; 2: move 1; 2: done; 1: nav 1; 1: move 4; 1: done   -> turn=1; step=place; left=6
lay fish 4; go 3a 4a 5a                                      -> fish=3; waits=hydra; left=3
feed; go 6a 7a                                               -> fish=3; laps=2; ending=True; waits=wedge
drawn boosts; go 8a; end                                     -> step=reveal; phase=turns
reveal zeus                                                  -> fish2=2; turn=2; left2=2
go 4b 5b                                                     -> fish2=3; waits=hydra; left2=0
feed; end                                                    -> fish2=2; supply=11; phase=over; winners=1
"""


def play() -> Board:
    made = Board(2)
    for event in launched("2 4"):
        made.submit(event)
    assert (seen(made, "at"), seen(made, "at2"), seen(made, "fleece")) == ("7a", "7b", "2")
    for line in filter(None, map(str.strip, RACE.splitlines())):
        script, _, after = line.partition("->")
        run(made, script)
        for part in after.split(";"):
            what, _, expected = part.strip().partition("=")
            assert (line, what, seen(made, what)) == (line, what, expected)
    return made


def test_a_race_of_two_laps() -> None:
    made = play()
    result = REFEREE.result(made.state)
    assert result is not None
    assert result.winners == (1,)
    assert made.match.entries[-1].rulings[-1].facts["order"] == (1, 2)


def test_its_record_played_again_gives_the_same_race() -> None:
    made = play()
    again = Match(REFEREE, made.match.header)
    for entry in made.match.entries:
        assert canonical(again.submit(REFEREE.read_entry(canonical(entry)).filed)) == canonical(entry)
    assert again.state == made.state
