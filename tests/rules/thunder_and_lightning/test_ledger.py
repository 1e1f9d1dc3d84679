"""What can have been in a hand: worded cases with their near misses, and small stories against a plain search."""

from __future__ import annotations

import random
from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.thunder_and_lightning import ledger as module
from rules.thunder_and_lightning.components import Role
from rules.thunder_and_lightning.ledger import Ledger, Move, consistent

THOR, LOKI = Role.THOR, Role.LOKI
COPIES = {"ravens": 3, "hel": 2, "frigg": 1, "ring": 1, "odin": 1, "seer": 2}


def came(card: str | None = None, *, back: Role = THOR, setup: bool = False) -> Move:
    return Move(True, back, card=card, setup=setup)


def left(card: str | None = None, *, back: Role = THOR, vouched: bool = False) -> Move:
    return Move(False, back, card=card, vouched=vouched)


def stolen(*pairs: tuple[int, str], back: Role = THOR) -> Move:
    """A card taken secretly from the pile, which may be any of these."""
    return Move(True, back, maybe=pairs)


def spied(*cards: str) -> list[Move]:
    """The whole hand shown: all of it out, all of it in again."""
    return [*(left(card) for card in cards), *(came(card) for card in cards)]


HIDDEN = came()
FIRST = came(setup=True)

CASES: dict[str, tuple[list[Move], tuple[str, ...], bool]] = {
    "nothing happened": ([], (), True),
    "a drawn card is played": ([HIDDEN, left("hel")], (), True),
    "a card is played that never came": ([left("hel")], (), False),
    "two cards are played after one draw": ([HIDDEN, left("hel"), left("frigg")], (), False),
    "a known card is played": ([came("hel"), left("hel")], (), True),
    "another card than the only known one is played": ([came("hel"), left("frigg")], (), False),
    "three ravens of three": ([HIDDEN] * 5 + [left("ravens")] * 3, (), True),
    "a fourth copy of three": ([HIDDEN] * 5 + [left("ravens")] * 4, (), False),
    "the third copy was turned up by a seer": ([HIDDEN] * 5 + [left("ravens")] * 3, ("ravens",), False),
    "a copy of another card was turned up by a seer": ([HIDDEN] * 5 + [left("ravens")] * 3, ("hel",), True),
    "a seer turned up one copy too many": ([], ("frigg", "frigg"), False),
    "a seer turned up every copy": ([], ("ravens",) * 3, True),
    "a fourth time, but one had been taken back": (
        [*[HIDDEN] * 5, *[left("ravens")] * 3, came("ravens"), left("ravens")],
        (),
        True,
    ),
    "a known card needs no place in the deck": ([came("frigg"), HIDDEN, left("frigg"), left("frigg")], (), True),
    "a known card gives no place in the deck": (
        [came("frigg"), HIDDEN, HIDDEN, left("frigg"), left("frigg"), left("frigg")],
        (),
        False,
    ),
    "a card that the box does not hold": ([HIDDEN, left("giant")], (), False),
    "a card that the box does not hold, vouched for": ([HIDDEN, left("giant", vouched=True)], (), True),
    "a hidden exit before the entry": ([HIDDEN, left(), left("hel"), HIDDEN], (), False),
    "a hidden exit after the entry": ([HIDDEN, left(), HIDDEN, left("hel")], (), True),
    "the exit stands before the entry": ([left("hel"), HIDDEN], (), False),
    "the hidden exit took the known card": ([came("hel"), left(), HIDDEN, left("hel")], (), True),
    "the hidden exit took the known card, and no other is left": (
        [came("frigg"), left(), HIDDEN, left("frigg")],
        ("frigg",),
        False,
    ),
    "the hidden exit has to take the known card, twice": (
        [came("hel"), came("frigg"), left(), HIDDEN, left("hel"), left("frigg")],
        (),
        True,
    ),
    "the hidden exits took both known cards, and one card came": (
        [came("hel"), came("frigg"), left(), left(), HIDDEN, left("hel"), left("frigg")],
        (),
        False,
    ),
    "after a spy a card of the hand": ([*[HIDDEN] * 2, *spied("hel", "frigg"), left("hel")], (), True),
    "after a spy a card that was not there": ([*[HIDDEN] * 2, *spied("hel", "frigg"), left("ravens")], (), False),
    "after a spy a card that was not there, with one draw": (
        [*[HIDDEN] * 2, *spied("hel", "frigg"), HIDDEN, left("ravens")],
        (),
        True,
    ),
    "after a spy the draw was the laid card, or else it was not in time": (
        [*[HIDDEN] * 2, *spied("hel", "frigg"), HIDDEN, left(), left("ravens")],
        (),
        True,
    ),
    "after a spy a draw, a laid card, all shown cards, and one more": (
        [*[HIDDEN] * 2, *spied("hel", "frigg"), HIDDEN, left(), left("ravens"), left("hel"), left("frigg")],
        (),
        False,
    ),
    "a spy shows what was there": ([*[HIDDEN] * 3, left(), *spied("hel", "frigg")], (), True),
    "a spy shows more than was there": ([*[HIDDEN] * 3, left(), left(), *spied("hel", "frigg")], (), False),
    "a second spy without the known card": (
        [*[HIDDEN] * 2, *spied("hel", "frigg"), HIDDEN, left(), *spied("ravens", "frigg")],
        (),
        True,
    ),
    "a second spy with a card too many changed": (
        [*[HIDDEN] * 2, *spied("hel", "frigg"), HIDDEN, left(), *spied("ravens", "seer")],
        (),
        False,
    ),
    "the treasure among cards drawn later": ([*[FIRST] * 9, HIDDEN, left("ring")], (), True),
    "the treasure among the first nine": ([*[FIRST] * 9, left("ring")], (), False),
    "another card among the first nine": ([*[FIRST] * 9, left("odin")], (), True),
    "the treasure among the first nine, vouched for": ([*[FIRST] * 9, left("ring", vouched=True)], (), True),
    "the draw is the treasure, so the other card is of the first": (
        [FIRST, HIDDEN, left("odin"), left("ring")],
        (),
        True,
    ),
    "the draw was laid, so the treasure was of the first": ([FIRST, left(), HIDDEN, left("ring")], (), True),
    "the draw is gone, so the treasure would be of the first": (
        [FIRST, HIDDEN, left("odin"), left("hel"), left("ring")],
        (),
        False,
    ),
    "only the draw can be the treasure, but two went before": (
        [HIDDEN, left(), FIRST, left("ring")],
        (),
        False,
    ),
    "a card stolen from the pile": ([stolen((1, "giant")), left("giant")], (), True),
    "another card than was on the pile": ([stolen((1, "giant")), left("hel")], (), False),
    "one of two on the pile": ([stolen((1, "giant"), (2, "hel")), left("hel")], (), True),
    "both of the pile, though one was taken": (
        [stolen((1, "giant"), (2, "hel")), left("hel"), left("giant")],
        (),
        False,
    ),
    "taken twice, but there is one": (
        [stolen((1, "giant")), stolen((1, "giant")), left("giant"), left("giant")],
        (),
        False,
    ),
    "taken twice, and there are two": (
        [stolen((1, "giant"), (2, "giant")), stolen((1, "giant"), (2, "giant")), left("giant"), left("giant")],
        (),
        True,
    ),
    "the first theft must have been the other card": (
        [stolen((1, "giant"), (2, "hel")), stolen((1, "giant")), left("giant"), left("hel")],
        (),
        True,
    ),
    "a stolen card needs no place in the deck": (
        [HIDDEN, left("frigg"), stolen((1, "frigg")), HIDDEN, left("frigg")],
        (),
        True,
    ),
    "a stolen card was laid, so there is none": (
        [HIDDEN, left("frigg"), stolen((1, "frigg")), left(), HIDDEN, left("frigg")],
        (),
        False,
    ),
    "a card of the other back": ([came(back=LOKI), left("hel")], (), False),
    "a card of the right back": ([came(back=LOKI), left("hel", back=LOKI)], (), True),
    "a hidden card of the other back": ([came(back=LOKI), left()], (), False),
    "a vouched card of the other back": ([came(back=LOKI), left("hel", vouched=True)], (), False),
    "two vouched cards and one entry": ([HIDDEN, left("hel", vouched=True), left("hel", vouched=True)], (), False),
    "a vouched card counts no copy": (
        [HIDDEN, HIDDEN, left("frigg", vouched=True), left("frigg")],
        (),
        True,
    ),
}


@pytest.mark.parametrize(("moves", "shown", "expected"), CASES.values(), ids=CASES)
def test_what_a_hand_can_have_done(moves: list[Move], shown: tuple[str, ...], expected: bool) -> None:
    assert consistent(Ledger(tuple(moves), shown), COPIES, barred_at_setup=frozenset({"ring"})) is expected


def test_the_treasure_may_be_among_the_first_nine_where_nothing_bars_it() -> None:
    assert consistent(Ledger((FIRST, left("ring"))), COPIES)


def test_turning_up_a_laid_card_makes_its_exit_known() -> None:
    moves = (*[HIDDEN] * 2, *spied("hel", "frigg"), Move(False, THOR, token=7), Move(False, THOR, token=8))
    story = Ledger(moves)
    assert consistent(story, COPIES)
    assert consistent(story.revealed(7, "hel"), COPIES)
    assert not consistent(story.revealed(7, "hel").revealed(8, "hel"), COPIES)
    assert consistent(story.revealed(7, "hel").revealed(8, "hel", vouched=True), COPIES)


# --- against a search that tries every entry for every exit


def plain_search(story: Ledger, copies: Mapping[str, int], barred: frozenset[str]) -> bool:
    """Try every earlier entry for every exit, hidden ones too; nothing clever."""
    moves = story.moves
    places = {card: copies.get(card, 0) - story.shown.count(card) for card in {"a", "b", "c", *story.shown}}
    if min(places.values(), default=0) < 0:
        return False
    exits = [number for number, move in enumerate(moves) if not move.into]

    def pile_fits(takes: list[frozenset[int]], uids: frozenset[int]) -> bool:
        """Each take that explained nothing took a card of its own, and what is gone for sure is among all taken."""
        if not takes:
            return uids >= frozenset(story.gone)
        return any(pile_fits(takes[1:], uids | {uid}) for uid in takes[0] - uids)

    def explain(
        which: int,
        used: frozenset[int],
        uids: frozenset[int],
        drawn: tuple[str, ...],
        told: frozenset[int] = frozenset(),
    ) -> bool:
        if which == len(exits):
            secret = [number for number, move in enumerate(moves) if move.maybe]
            left = [frozenset(uid for uid, _ in moves[number].maybe) for number in secret if number not in told]
            return not secret or pile_fits([*left, *map(frozenset, story.equals)], uids)
        number = exits[which]
        gone = moves[number]
        for other, entry in enumerate(moves[:number]):
            if not entry.into or other in used or entry.back is not gone.back:
                continue
            now = used | {other}
            if gone.card is None or gone.vouched:
                if explain(which + 1, now, uids, drawn, told):
                    return True
            elif entry.card is not None:
                if entry.card == gone.card and explain(which + 1, now, uids, drawn, told):
                    return True
            elif entry.maybe:
                for uid, card in entry.maybe:
                    if (
                        card == gone.card
                        and uid not in uids
                        and explain(which + 1, now, uids | {uid}, drawn, told | {other})
                    ):
                        return True
            elif (
                not (entry.setup and gone.card in barred)
                and drawn.count(gone.card) < places[gone.card]
                and explain(which + 1, now, uids, (*drawn, gone.card), told)
            ):
                return True
        return False

    return explain(0, frozenset(), frozenset(), ())


CARDS = st.sampled_from("abc")
BACKS = st.sampled_from([THOR, THOR, THOR, LOKI])
ENTRIES = st.one_of(
    st.builds(lambda back, setup: Move(True, back, setup=setup), BACKS, st.booleans()),
    st.builds(lambda back, card: Move(True, back, card=card), BACKS, CARDS),
    st.builds(
        lambda back, pairs: Move(True, back, maybe=tuple(pairs)),
        BACKS,
        st.lists(st.tuples(st.integers(1, 3), CARDS), min_size=1, max_size=3, unique=True),
    ),
)
EXITS = st.one_of(
    st.builds(lambda back, card: Move(False, back, card=card), BACKS, CARDS),
    st.builds(lambda back, card: Move(False, back, card=card), BACKS, CARDS),
    st.builds(lambda back, card: Move(False, back, card=card, vouched=True), BACKS, CARDS),
    st.builds(lambda back: Move(False, back), BACKS),
)


@st.composite
def stories(draw: st.DrawFn) -> Ledger:
    """Small stories in which most exits have entries enough before them, so that both answers come up often."""
    moves: list[Move] = []
    inside = {THOR: 0, LOKI: 0}
    for _ in range(draw(st.integers(1, 13))):
        move = draw(st.one_of(ENTRIES, EXITS))
        if not move.into and inside[move.back] == 0:
            move = draw(ENTRIES)
        inside[move.back] += 1 if move.into else -1
        moves.append(move)
    equals, gone = seen_of_a_pile(moves, draw(st.integers(0, 7)), draw(st.integers(0, 3)))
    return Ledger(tuple(moves), tuple(draw(st.lists(CARDS, max_size=1))), equals, gone)


def seen_of_a_pile(moves: list[Move], some: int, which: int) -> tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]:
    """An open take of equal cards, and a card gone for sure, of a pile whose cards are 1 to 3; `some` is 0 to 7."""
    equals = tuple(uid for uid in (1, 2, 3) if some >> (uid - 1) & 1)
    named = {uid for move in moves for uid, _ in move.maybe} | set(equals)
    return (equals,) if len(equals) > 1 else (), (which,) if which in named and len(equals) != 1 else ()


COUNTS = st.fixed_dictionaries({}, optional={card: st.integers(0, 3) for card in "abc"})
BARRED = st.frozensets(CARDS, max_size=2)


@settings(max_examples=600, deadline=None)
@given(stories(), COUNTS, BARRED)
def test_a_small_story_is_judged_as_by_trying_everything(
    story: Ledger, copies: dict[str, int], barred: frozenset[str]
) -> None:
    assert consistent(story, copies, barred_at_setup=barred) is plain_search(story, copies, barred)


def chance_story(source: random.Random, length: int) -> Ledger:
    """As `stories`, by plain chance: quicker, so that many more can be tried."""
    moves: list[Move] = []
    inside = {THOR: 0, LOKI: 0}
    for _ in range(length):
        back = source.choice([THOR] * 7 + [LOKI])
        if inside[back] and source.random() < 0.55:
            inside[back] -= 1
            card = source.choice(["a", "b", "c", "a", "b", None, None])
            moves.append(Move(False, back, card=card, vouched=card is not None and source.random() < 0.1))
            continue
        inside[back] += 1
        kind = source.random()
        if kind < 0.5:
            moves.append(Move(True, back, setup=source.random() < 0.5))
        elif kind < 0.75:
            moves.append(Move(True, back, card=source.choice("abc")))
        else:
            pairs = tuple((source.randint(1, 6), source.choice("abc")) for _ in range(source.randint(1, 5)))
            moves.append(Move(True, back, maybe=pairs))
    equals, gone = seen_of_a_pile(moves, source.choice([0, 0, 0, 3, 5, 6, 7]), source.choice([0, 0, 0, 1, 2, 3]))
    return Ledger(tuple(moves), (), equals, gone)


def test_thousands_of_stories_are_judged_as_by_trying_everything_and_both_answers_are_common() -> None:
    source = random.Random(20)
    answers = [0, 0]
    for _ in range(1500):
        story = chance_story(source, source.randint(4, 14))
        copies = {card: source.randint(0, 3) for card in "abc"}
        barred = frozenset(source.sample("abc", source.randint(0, 1)))
        expected = plain_search(story, copies, barred)
        answers[expected] += 1
        assert consistent(story, copies, barred_at_setup=barred) is expected, (story, copies, barred)
    assert min(answers) > 300


@pytest.mark.parametrize("number", [321, 491, 1710, 77888, 110807, 186053, 2899, 5046, 6913])
def test_a_way_is_given_up_only_when_one_like_it_led_nowhere(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of these stories is denied when the search forgets to tell apart ways that differ in the copies still to
    come, in what a secret take may be, or in which cards of the pile are spoken for."""
    source = random.Random(number)
    story = chance_story(source, source.randint(14, 24))
    copies = {card: source.randint(0, 4) for card in "abc"}
    assert consistent(story, copies)
    monkeypatch.setattr(module._Search, "_key", lambda self, place: (object(),))
    assert consistent(story, copies)


def test_turning_back_undoes_all_that_was_done(monkeypatch: pytest.MonkeyPatch) -> None:
    real = module._Search._key
    seen = 0

    def checked(self: module._Search, place: int) -> tuple[object, ...]:
        nonlocal seen
        seen += 1
        to_come = [card for _, _, card in self.steps[place:] if card is not None]
        assert {card: number for card, number in self.left.items() if number} == {
            card: to_come.count(card) for card in to_come
        }
        spent = [choice for choice in self.taken[:place] if choice is not None]
        assert self.used == {choice.uid for choice in spent if choice.uid is not None}
        assert sum(self.places.values()) == 6 - sum(choice.hidden for choice in spent)
        inside = sum(1 if stack is not None else -1 for _, stack, card in self.steps[:place])
        assert sum(hand.unused - len(hand.slack) for hand in self.hands.values()) == inside
        return real(self, place)

    monkeypatch.setattr(module._Search, "_key", checked)
    source = random.Random(3)
    for _ in range(1500):
        moves = [move for move in chance_story(source, 24).moves if move.back is THOR]
        module._Search(moves, dict.fromkeys("abc", 2), frozenset()).solve(200)
    assert seen > 1000


# --- long stories


def long_story(source: random.Random, moves: int) -> tuple[Ledger, dict[str, int], list[str], list[str]]:
    """A story that a real deck wrote (draws, exits, cards taken back openly or secretly, spies), its hand and deck."""
    deck = [f"card{number % 20}" for number in range(50)]
    copies = {card: deck.count(card) for card in deck}
    source.shuffle(deck)
    story: list[Move] = []
    hand: list[str] = []
    pile: list[tuple[int, str]] = []
    unsure: set[int] = set()
    gone: set[int] = set()
    for _ in range(9):
        hand.append(deck.pop())
        story.append(Move(True, THOR, setup=True))
    while len(story) < moves:
        roll = source.random()
        if roll < 0.4 and deck and len(hand) < 12:
            hand.append(deck.pop())
            story.append(Move(True, THOR))
        elif roll < 0.75 and hand:
            card = hand.pop(source.randrange(len(hand)))
            story.append(Move(False, THOR, card=card if source.random() < 0.9 else None))
            if story[-1].card:
                pile.append((len(story), card))
        elif roll < 0.85 and len(gone) < len(pile) and len(hand) < 12:
            secret = source.random() < 0.2
            sure = [each for each in pile if each[0] not in unsure]
            if secret:
                taken = source.choice([each for each in pile if each[0] not in gone])
                gone.add(taken[0])
                story.append(Move(True, THOR, maybe=tuple(pile)))
                unsure |= {uid for uid, _ in pile}
                hand.append(taken[1])
            elif sure:
                taken = source.choice(sure)
                pile.remove(taken)
                story.append(Move(True, THOR, card=taken[1]))
                hand.append(taken[1])
        elif roll > 0.98:
            story += spied(*hand)
    return Ledger(tuple(story)), copies, hand, deck


@pytest.mark.parametrize("number", range(40))
def test_a_long_story_of_a_real_deck_is_believed_because_it_can_be_explained(number: int) -> None:
    story, copies, _, _ = long_story(random.Random(number), 150)
    assert consistent(story, copies)
    assert module._Search(list(story.moves), copies, frozenset()).solve(module.LIMIT // 10) is True


@pytest.mark.parametrize("number", range(40))
def test_after_a_long_story_and_a_spy_only_a_card_of_the_shown_hand_can_be_played(number: int) -> None:
    story, copies, hand, deck = long_story(random.Random(number), 150)
    seen = story.with_moves(*spied(*hand))
    assert consistent(seen, copies)
    for card in sorted(copies):
        assert consistent(seen.with_moves(left(card)), copies) is (card in hand)
    for card in deck[-1:]:
        assert consistent(seen.with_moves(HIDDEN, left(card)), copies)


def test_a_story_too_entangled_to_settle_is_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    moves = [*[HIDDEN] * 4, stolen((1, "frigg"), (2, "odin")), *[left("frigg")] * 2, *[left("odin")] * 2]
    assert consistent(Ledger(tuple(moves[:-1])), COPIES)
    assert not consistent(Ledger(tuple(moves)), COPIES)
    monkeypatch.setattr(module, "SOON", 0)
    monkeypatch.setattr(module, "LIMIT", 0)
    assert consistent(Ledger(tuple(moves)), COPIES)


def test_a_card_looked_at_alone_gives_an_entangled_story_away(monkeypatch: pytest.MonkeyPatch) -> None:
    story = Ledger((stolen((1, "hel"), (2, "odin")), HIDDEN, HIDDEN, left("hel"), left("odin"), left("frigg")))
    again = story.with_moves(HIDDEN, left("frigg"))
    assert not consistent(again, COPIES)
    monkeypatch.setattr(module, "LIMIT", 0)
    real = module._Search.solve
    monkeypatch.setattr(module._Search, "solve", lambda self, limit: real(self, limit) if len(self.left) < 2 else None)
    assert consistent(story, COPIES)
    assert not consistent(again, COPIES)
