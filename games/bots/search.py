"""Whether a side takes so many tricks when everybody sees all cards: alpha-beta on bits.

Cards are bits in the order of trump, so that comparing cards is comparing numbers. Hands are
always four, in playing order; an empty one sits out and plays no card, 0. Partners sit opposite,
so that three players are a lone maker against two and two players are two loners. Every question
is a null window, "does the side of the leader take at least ``need`` of the tricks left?", since
points change at few numbers of tricks.

What keeps the tree small: of cards that touch, counting only what is still in play, one stands
for all; tricks that are certain by counting alone are not played out; and the first card tried is
likely the best. So few positions are left, some thirty a deal, that remembering them would cost
more than it saves.

This is plain Python, and at the same time the source of what :mod:`games.bots.kernel` compiles:
only integers, booleans and loops, and no intermediate result beyond 63 bits.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from typing import Any

LOW, MIDDLE, NEXT = 0xFF, 0xFF << 9, 0xFF << 18
"""The plain suits, seven to ace: two of the other colour, then the one of trump's colour. Between
suits lies a bit that is no card: additions carry into it and no further."""
TOP = 0x7FF << 27
"""Trump, seven to ace, and above them the left bower, the right bower and the joker; at no-trump
the fourth suit. Whatever the pack, the places are the same, and some stay empty."""
PLACES = LOW | MIDDLE | NEXT | TOP


def high(cards: int) -> int:
    """The highest of some cards, which are not none."""
    return 1 << (cards.bit_length() - 1)


def count(cards: int) -> int:
    """How many cards."""
    return cards.bit_count()


def nth(cards: int, number: int) -> int:
    """The card above ``number`` lower ones."""
    while number:
        cards &= cards - 1
        number -= 1
    return cards & -cards


def row_at(row: Any) -> Any:
    """A row of integers as functions that call each other pass it on."""
    return row


def suit_of(card: int) -> int:
    """All cards of a card's suit."""
    if card >= 1 << 27:
        return TOP
    if card >= 1 << 18:
        return NEXT
    if card >= 1 << 9:
        return MIDDLE
    return LOW


def sure_trumps(own: int, against: int) -> int:
    """Tricks that a player's trumps take whatever happens: all but those that a higher trump of
    the opponents, each used once, can fall on."""
    sure, spare = 0, 0
    while own:
        card = high(own)
        spare += count(against & -card)
        against &= card - 1
        if spare:
            spare -= 1
        else:
            sure += 1
        own ^= card
    return sure


def top_run(in_play: int, hand: int, suit: int) -> int:
    """How many cards of a suit a hand holds that outrank all others in play."""
    own = hand & suit
    if not own:
        return 0
    others = (in_play & suit) ^ own
    return count(own & -high(others)) if others else count(own)


def cashed(in_play: int, h0: int, h1: int, h3: int, suit: int, trump: int) -> int:
    """How many rounds of a plain suit the leader wins at once: an opponent who has trumps follows."""
    rounds = top_run(in_play, h0, suit)
    if rounds and h1 & trump:
        rounds = min(rounds, count(h1 & suit))
    if rounds and h3 & trump:
        rounds = min(rounds, count(h3 & suit))
    return rounds


def certain(in_play: int, h0: int, h1: int, h2: int, h3: int, need: int, trump: int) -> bool:
    """Whether the leader's side takes ``need`` tricks by counting alone. The leader plays his
    highest plain cards and trumps come later, his partner's too unless he has nothing else; or
    the leader draws all trumps first."""
    theirs = (h1 | h3) & trump
    own = sure_trumps(h0 & trump, theirs)
    partners = sure_trumps(h2 & trump, theirs)
    if own >= need or partners >= need:
        return True
    rounds = cashed(in_play, h0, h1, h3, LOW, trump) + cashed(in_play, h0, h1, h3, MIDDLE, trump)
    rounds += cashed(in_play, h0, h1, h3, NEXT, trump)
    if not trump:
        return rounds + top_run(in_play, h0, TOP) >= need
    if h2 & trump:
        plain = count(h2 & ~trump)
        if min(rounds, plain) + partners >= need:
            return True
        rounds = min(rounds, plain + 1)
    if rounds + own >= need:
        return True
    drawn = top_run(in_play, h0, trump) if h0 & ~trump else 0
    if not drawn or drawn < count(h1 & trump) or drawn < count(h3 & trump):
        return False
    drawn += top_run(in_play, h0, LOW) + top_run(in_play, h0, MIDDLE) + top_run(in_play, h0, NEXT)
    return drawn >= need


def last_trick(h0: int, h1: int, h2: int, h3: int, trump: int) -> bool:
    """Whether the leader's side takes the last trick."""
    may_win = suit_of(h0) | trump
    best, ours = h0, True
    if h1 & may_win > best:
        best, ours = h1, False
    if h2 & may_win > best:
        best, ours = h2, True
    return ours and h3 & may_win <= best


def first_lead(moves: int, in_play: int, h0: int, trump: int) -> int:
    """The lead to try first: the highest trump, a highest card of another suit, else a high plain
    card, else a low trump."""
    if moves & trump and high(in_play & trump) & h0:
        return high(moves & trump)
    for suit in (NEXT, MIDDLE, LOW, TOP):
        if moves & suit and high(in_play & suit) & h0:
            return high(moves & suit)
    plain = moves & ~trump
    return high(plain) if plain else moves & -moves


def beating(winning: int, answers: int) -> int:
    """Of cards that win so far, the lowest that the answers cannot beat, or just the lowest."""
    card = winning & -winning
    answers &= -(card << 1)
    if answers:
        above = winning & -(high(answers) << 1)
        if above:
            return above & -above
    return card


def turned(h0: int, h1: int, h2: int, h3: int, winner: int) -> tuple[int, int, int, int]:
    """The hands in the order of the next trick."""
    if winner == 0:
        return h0, h1, h2, h3
    if winner == 1:
        return h1, h2, h3, h0
    if winner == 2:
        return h2, h3, h0, h1
    return h3, h0, h1, h2


def low_middle(steps: int) -> int:
    """The middle one of some numbers given as bits, the lower one of two in the middle."""
    for _below in range((count(steps) - 1) // 2):
        steps &= steps - 1
    return count((steps & -steps) - 1)


def wins(h0: int, h1: int, h2: int, h3: int, left: int, need: int, trump: int) -> bool:
    """Whether the side of the leader, who holds ``h0``, takes ``need`` of the ``left`` tricks, at
    most all."""
    if need <= 0:
        return True
    if left == 1:
        return last_trick(h0, h1, h2, h3, trump)
    in_play = h0 | h1 | h2 | h3
    ours = (h0 | h2) & trump
    if left - need < max(sure_trumps(h1 & trump, ours), sure_trumps(h3 & trump, ours)):
        return False
    if certain(in_play, h0, h1, h2, h3, need, trump):
        return True
    # Of cards that touch the lowest stands for all: the sum carries from a card through the
    # places that are empty to the next card in play.
    empty = PLACES & ~in_play
    leads = h0 & ~((h0 << 1) + empty)
    all1, all2, all3 = h1 & ~((h1 << 1) + empty), h2 & ~((h2 << 1) + empty), h3 & ~((h3 << 1) + empty)
    while leads:
        c0 = first_lead(leads, in_play, h0, trump)
        leads ^= c0
        led = suit_of(c0)
        may_win = led | trump
        moves1 = all1 & led if h1 & led else all1
        moves2 = all2 & led if h2 & led else all2
        moves3 = all3 & led if h3 & led else all3
        # Each loop runs once, with no card, for who sits out.
        while True:
            winning = moves1 & may_win & -(c0 << 1)
            c1 = beating(winning, moves2 & may_win) if winning else moves1 & -moves1
            moves1 ^= c1
            best1, winner1 = (c1, 1) if winning else (c0, 0)
            left2 = moves2
            while True:
                winning = left2 & may_win & -(best1 << 1)
                losing = left2 & ~winning
                if winning and (winner1 == 1 or not losing):
                    c2 = beating(winning, moves3 & may_win)
                else:
                    c2 = losing & -losing
                left2 ^= c2
                best2, winner2 = (c2, 2) if c2 & winning else (best1, winner1)
                left3 = moves3
                while True:
                    winning = left3 & may_win & -(best2 << 1)
                    c3 = winning & -winning if winning and winner2 != 1 else left3 & -left3
                    left3 ^= c3
                    winner = 3 if c3 & winning else winner2
                    n0, n1, n2, n3 = turned(h0 ^ c0, h1 ^ c1, h2 ^ c2, h3 ^ c3, winner)
                    won = winner & 1 == 0
                    made = wins(n0, n1, n2, n3, left - 1, need - 1 if won else left - need, trump) == won
                    if not made or not left3:
                        break
                if made or not left2:
                    break
            if not made or not moves1:
                break
        if made:
            return True
    return False


def finish(
    h0: int, h1: int, h2: int, h3: int, place: int, best: int, winner: int, led: int, left: int, need: int, trump: int
) -> bool:
    """Whether the side of the leader of a trick in progress takes ``need`` of the ``left`` tricks,
    this one included.

    The hands begin with who is to act, ``place`` after the leader, and hold no card of the table;
    ``best`` is the card that wins so far, played ``winner`` after the leader, ``led`` the suit led.
    """
    if place == 4:
        h0, h1, h2, h3 = turned(h0, h1, h2, h3, winner)
        won = winner & 1 == 0
        return wins(h0, h1, h2, h3, left - 1, need - 1 if won else left - need, trump) == won
    moves = h0 & led if h0 & led else h0
    leaders = place & 1 == 0
    while True:
        card = moves & -moves
        moves ^= card
        if card & (led | trump) > best:
            made = finish(h1, h2, h3, h0 ^ card, place + 1, card, place, led, left, need, trump)
        else:
            made = finish(h1, h2, h3, h0 ^ card, place + 1, best, winner, led, left, need, trump)
        if made == leaders or not moves:
            return made


def reached(
    h0: int, h1: int, h2: int, h3: int, place: int, best: int, winner: int, led: int, ours: bool, steps: int, trump: int
) -> int:
    """The greatest number among ``steps`` that a side's tricks reach, of those left and with the
    trick in progress; 0 if they reach none.

    Bit ``n`` of ``steps`` asks for ``n`` tricks. ``ours``: the side is the leader's. ``trump`` is
    the trump suit's bits, or 0. The rest describes the trick as for :func:`finish`, with
    ``place`` 0 before the lead.
    """
    left = count(h0)
    found = 0
    steps &= (2 << left) - 1
    while steps:
        need = low_middle(steps)
        asked = need if ours else left - need + 1
        if place:
            made = finish(h0, h1, h2, h3, place, best, winner, led, left, asked, trump)
        else:
            made = wins(h0, h1, h2, h3, left, asked, trump)
        if made == ours:
            found = need
            steps &= -(2 << need)
        else:
            steps &= (1 << need) - 1
    return found


def reached_all(
    hands: Sequence[int],
    place: int,
    best: int,
    winner: int,
    led: int,
    ours: bool,
    steps: int,
    trump: int,
    answers: MutableSequence[int],
) -> None:
    """:func:`reached` for many deals of the same trick: ``hands`` holds four for each answer."""
    for deal in range(len(answers)):
        first = 4 * deal
        h0, h1, h2, h3 = hands[first], hands[first + 1], hands[first + 2], hands[first + 3]
        answers[deal] = reached(h0, h1, h2, h3, place, best, winner, led, ours, steps, trump)
