"""Moving the ship: dot by dot along the printed paths, with what lies on each dot."""

from __future__ import annotations

from collections.abc import Iterable

from rules.greece_lightning.answers import refuse, turn_problem
from rules.greece_lightning.bonuses import Gain, draw_favor, draw_wedge, gain_fish
from rules.greece_lightning.components import BONUSES, BOOST, LAPS, PLACES, Mark
from rules.greece_lightning.course import Spot, Way
from rules.greece_lightning.events import EndMove, Step
from rules.greece_lightning.hydra import meet_hydra
from rules.greece_lightning.state import GreeceLightningState, Turn
from rules.greece_lightning.whirlpools import toll, toll_problem
from rules.records import Fact
from rules.rulings import Effect, Outcome, Refusal, Ruling, accepted, refused

__all__ = ["end_move", "move_problem", "step", "ways_of"]

State = GreeceLightningState


def ways_of(state: State, number: int) -> tuple[Way, ...]:
    """Every way on which a seat may spend its next movement, tolls regarded. GL-M2, GL-M6, GL-M9, GL-V2, GL-Y2."""
    spot = state.seat_state(number).spot
    if spot is None:
        return ()
    found = state.course.ways(spot, state.occupied(number))
    return tuple(way for way in found if toll_problem(state, number, way) is None)


def move_problem(state: State, seat: int) -> Ruling | None:
    """Why this seat's ship may not move now; None when it may. GL-O5, GL-W2, GL-M23."""
    problem = turn_problem(state, seat)
    if problem is not None:
        return problem
    assert state.turn is not None
    if state.turn.step == "place":
        facts: dict[str, Fact] = {"due": state.seat_state(seat).wedges}
        return refused(Refusal.ILLEGAL, "gl.place-first", "GL-O5", "GL-W2", seat=seat, facts=facts)
    if state.turn.step == "reveal":
        return refused(Refusal.ILLEGAL, "gl.move-ended", "GL-M23", "GL-O5", seat=seat)
    return None


def step(state: State, event: Step) -> Outcome[State]:
    """One movement spent. GL-M1 to GL-M18.

    Every dot counts (GL-M4) but those of other ships (GL-M9, GL-M10, GL-M15); what lies on the new dot is resolved at
    once (GL-M7, GL-M8), what lies on skipped ones not at all (GL-M11, GL-M12), the Starting Line excepted (GL-M13).
    """
    problem = move_problem(state, event.seat)
    if problem is None and not state.seat_state(event.seat).movement_left:
        problem = refused(Refusal.ILLEGAL, "gl.no-movement", "GL-M23", "GL-M1", seat=event.seat)
    if problem is not None:
        return Outcome(state, (problem,))
    way = _way(state, event)
    if isinstance(way, Ruling):
        return Outcome(state, (way,))
    return _moved(state, event, way)


def _way(state: State, event: Step) -> Way | Ruling:
    """The way that was taken, or why it may not be."""
    seat = state.seat_state(event.seat)
    assert seat.spot is not None
    facts: dict[str, Fact] = {"place": event.to.place, "dot": event.to.dot}
    if state.course.find(event.to) is None:
        return refused(Refusal.UNREADABLE, "gl.no-such-dot", "TC-1", "GL-W10", seat=event.seat, facts=facts)
    occupied = state.occupied(event.seat)
    if event.to in occupied:
        owner = next(each.number for each in state.seats if each.spot == event.to)
        facts |= {"owner": owner}
        return refused(Refusal.ILLEGAL, "gl.occupied", "GL-M16", "GL-M9", seat=event.seat, facts=facts)
    ways = [way for way in state.course.ways(seat.spot, occupied) if way.to == event.to]
    if not ways:
        if _behind(state, seat.spot, event.to):
            return refused(Refusal.ILLEGAL, "gl.backwards", "GL-M3", seat=event.seat, facts=facts)
        return refused(Refusal.ILLEGAL, "gl.no-path", "GL-M2", "GL-M4", seat=event.seat, facts=facts)
    if event.over is not None:
        ways = [way for way in ways if way.skipped == event.over]
    if not ways:
        return refused(Refusal.ILLEGAL, "gl.no-path", "GL-M2", "GL-M9", seat=event.seat, facts=facts)
    if event.number is not None and all(way.number != event.number for way in ways):
        facts |= {"number": event.number}
        return refused(Refusal.ILLEGAL, "gl.no-such-path", "GL-V1", "GL-Y1", "GL-M2", seat=event.seat, facts=facts)
    if event.number is not None:
        ways = [way for way in ways if way.number == event.number]
    problems = [toll_problem(state, event.seat, way) for way in ways]
    open_ways = [way for way, problem in zip(ways, problems, strict=True) if problem is None]
    if not open_ways:
        barred = next(problem for problem in problems if problem is not None)
        assert barred is not None
        return barred
    if len({_consequences(state, event.seat, way) for way in open_ways}) > 1:
        return refused(Refusal.AMBIGUOUS, "gl.which-path", "TC-2", "GL-M6", "GL-Y2", seat=event.seat, facts=facts)
    return open_ways[0]


def _consequences(state: State, seat: int, way: Way) -> tuple[int, int, bool]:
    """What makes two ways to the same dot different."""
    counted = len(way.skipped) if state.options.skipped_dots_count else 0
    return toll(state, seat, way), counted, _enters_line(state, way)


def _behind(state: State, here: Spot, there: Spot) -> bool:
    """True when a dot lies against the clock: on one of the six places before, or earlier on the same wedge."""
    if here.place == there.place:
        return state.course.dot(there).along_percent < state.course.dot(here).along_percent
    return (there.place - here.place) % PLACES > PLACES // 2


def _enters_line(state: State, way: Way) -> bool:
    """True when the ship comes to the Starting Line, landing or skipping a ship on it. GL-L1, GL-M13."""
    return any(state.course.on_line(leg.end) and not state.course.on_line(leg.start) for leg in way.legs)


def _moved(state: State, event: Step, way: Way) -> Outcome[State]:
    number, course = event.seat, state.course
    seat = state.seat_state(number)
    cost = toll(state, number, way)
    effects: tuple[Effect, ...] = ()
    clauses = ["GL-M1", "GL-M2", "GL-M3", "GL-M4", "GL-M6", "GL-M21"]
    pools_skipped = any(course.dot(spot).whirlpool for spot in way.skipped)
    if way.skipped:
        clauses += ["GL-M9", "GL-M10", "GL-M11", "GL-M12", "GL-M16"]
        clauses += [*(["GL-M15"] if len(way.skipped) > 1 else []), *(["GL-M17"] if pools_skipped else [])]
    if way.number is not None:
        pool = course.dot(way.legs[0].start).whirlpool
        clauses += ["GL-V2", "GL-V6", "GL-V9"] if pool is Mark.CHARYBDIS else ["GL-Y2", "GL-Y5"]
    if cost:
        state = state.with_fish(number, seat.fish - cost)
        effects = (Effect("fish", number, seat.fish, seat.fish - cost),)
    state = state.with_seat(
        number,
        spot=way.to,
        movement_left=seat.movement_left - 1,
        dots_moved=seat.dots_moved + 1,
        dots_skipped=seat.dots_skipped + len(way.skipped),
    )
    facts: dict[str, Fact] = {
        "place": way.to.place,
        "dot": way.to.dot,
        "left": seat.movement_left - 1,
        "skipped": len(way.skipped),
        "number": way.number,
        "paid": cost,
    }
    option = ("skipped_whirlpool_tolls",) if pools_skipped else ()
    rulings = [accepted("gl.step", *clauses, seat=number, facts=facts, effects=effects, by_option=option)]
    leaves = course.on_line(way.legs[0].start) and not course.on_line(way.to)
    if leaves and (state.options.leaving_line_counts if seat.laps else state.options.start_counts):
        state, ruling = _line(state, number, "GL-L4" if seat.laps else "GL-L5")
        rulings.append(ruling)
    if _enters_line(state, way):
        landed = course.on_line(way.to)
        state, ruling = _line(state, number, "GL-L1" if landed else "GL-M13", skipped=not landed)
        rulings.append(ruling)
    for mark in course.dot(way.to).marks:
        if mark in BONUSES:
            state, ruling = _bonus(state, number, mark, declines=event.declines)
            rulings.append(ruling)
        elif mark is Mark.HYDRA:
            state, ruling = meet_hydra(state, number)
            rulings.append(ruling)
        else:
            # A whirlpool is not left before the next movement is spent, perhaps in the next turn.
            clauses = ["GL-V5", "GL-V1"] if mark is Mark.CHARYBDIS else ["GL-Y6", "GL-Y1"]
            rulings.append(accepted("gl.whirlpool", *clauses, seat=number, facts={"mark": mark.value}))
    if state.options.stops_at_line and state.seat_state(number).laps >= LAPS > seat.laps:
        state, stopped = _stop_at_line(state, number)
        rulings += stopped
    return Outcome(state, tuple(rulings))


def _stop_at_line(state: State, number: int) -> tuple[State, tuple[Ruling, ...]]:
    """By an option the race of who completes the last lap ends there, and the movement left is lost. GL-G5."""
    lost = state.seat_state(number).movement_left
    if not lost:
        return state, ()
    ruling = accepted(
        "gl.stops-at-line",
        "GL-G5",
        seat=number,
        facts={"lost": lost},
        effects=(Effect("movement", number, lost, 0),),
        by_option=("stops_at_line",),
    )
    return state.with_seat(number, movement_left=0), (ruling,)


def _line(state: State, number: int, why: str, *, skipped: bool = False) -> tuple[State, Ruling]:
    """The lap marker goes on first (GL-L6), then a Fish, a wedge and a Favor, within the limits. GL-L1 to GL-L7."""
    laps = state.seat_state(number).laps
    counts = not skipped or state.options.skipped_line_counts_lap
    effects: tuple[Effect, ...] = ()
    if counts:
        state = state.with_seat(number, laps=laps + 1)
        effects = (Effect("laps", number, laps, laps + 1),)
    for gain in (gain_fish, draw_wedge, draw_favor):
        state, gained = gain(state, number)
        effects += gained
    clauses = [why, "GL-G1", "GL-L2", "GL-L3", "GL-L4", "GL-L6", "GL-L7"]
    options = ["leaving_line_counts"]
    if why == "GL-L5":
        options = ["start_counts"]
    if skipped:
        clauses.append("GL-M14")
        options = ["skipped_line_counts_lap"]
    ends = counts and laps + 1 == LAPS
    if ends:
        clauses += ["GL-G2", "GL-G5", "GL-G9"]
        options += ["stops_at_line", "landing_ends"]
    facts: dict[str, Fact] = {"laps": laps + counts, "skipped": skipped, "ends": ends}
    unique = dict.fromkeys(clauses)
    return state, accepted("gl.line", *unique, seat=number, facts=facts, effects=effects, by_option=tuple(options))


def _bonus(state: State, number: int, mark: Mark, *, declines: bool) -> tuple[State, Ruling]:
    """One bonus, taken in full within its limit. GL-B1 to GL-B15, GL-M7, GL-M8."""
    facts: dict[str, Fact] = {"mark": mark.value}
    if declines and state.options.bonuses_optional:
        ruling = accepted("gl.declined", "GL-B15", seat=number, facts=facts, by_option=("bonuses_optional",))
        return state, ruling
    option = ("bonuses_optional",) if declines else ()
    clauses: Iterable[str]
    gained: Gain
    if mark is Mark.FISH:
        gained, clauses = gain_fish(state, number), ("GL-B1", "GL-B2", "GL-B3")
    elif mark is Mark.FAVOR:
        gained, clauses = draw_favor(state, number), ("GL-B4", "GL-B6", "GL-F2", "GL-F3", "GL-F15", "GL-F16")
    elif mark is Mark.WEDGE:
        limit = "GL-B9" if state.given.wedges_a_turn == 1 else "GL-B10"
        gained, clauses = draw_wedge(state, number), ("GL-B7", limit, "GL-B14")
    else:
        gained, clauses = _boost(state, number), ("GL-B11", "GL-B12", "GL-B13")
        option = (*option, "boost_on_last_dot", "every_boost_counts")
    state, effects = gained
    code = "gl.bonus" if effects else "gl.bonus-full"
    clauses = (*clauses, "GL-M7", "GL-M8", "GL-X6", *(("GL-B15",) if declines else ()))
    return state, accepted(code, *clauses, seat=number, facts=facts, effects=effects, by_option=option)


def _boost(state: State, number: int) -> Gain:
    """Three more movement, also on the last dot (GL-B12), as often as it is met (GL-B13). GL-B11.

    Not for a ship that a Hydra holds for the rest of the turn. GL-H5.
    """
    seat = state.seat_state(number)
    options = state.options
    late = not seat.movement_left and not options.boost_on_last_dot
    if seat.stopped or late or (seat.boosts and not options.every_boost_counts):
        return state, ()
    left = seat.movement_left + BOOST
    state = state.with_seat(number, movement_left=left, boosts=seat.boosts + 1)
    return state, (Effect("movement", number, seat.movement_left, left),)


def end_move(state: State, event: EndMove) -> Outcome[State]:
    """All movement is used (GL-M5), or a Hydra stopped the ship (GL-M23); the wake token goes under it. GL-M22."""
    problem = move_problem(state, event.seat)
    if problem is not None:
        return Outcome(state, (problem,))
    seat = state.seat_state(event.seat)
    if seat.movement_left:
        facts: dict[str, Fact] = {"left": seat.movement_left}
        return refuse(state, "gl.use-all", "GL-M5", "GL-M1", seat=event.seat, facts=facts)
    state = state.with_seat(event.seat, wake=seat.spot)
    state = state.replace(turn=Turn(event.seat, "reveal"))
    assert seat.spot is not None
    facts = {"place": seat.spot.place, "dot": seat.spot.dot, "moved": seat.dots_moved, "facedown": seat.facedown}
    clauses = ("GL-M5", "GL-M22", "GL-M23", "GL-M21")
    return Outcome(state, (accepted("gl.move-finished", *clauses, seat=event.seat, facts=facts),))
