"""Hidden cards filled in: a deal that agrees with all a seat knows, drawn at random.

Every deal that agrees with the cards seen is equally likely to begin with. Then it is asked of
each call, pass and discard of others whether the rule bot would have done the same with the cards
it was given: if not, the deal is thrown away most of the time and another one drawn. Plain
Python, and source of what :mod:`games.bots.kernel` compiles; all chance comes from one integer.
"""

from __future__ import annotations

from collections.abc import MutableSequence

from games.bots.layout import (
    ALONE,
    BID1,
    BID2,
    CARD,
    DEAD,
    DEALER,
    EXCHANGE,
    HAND,
    LENGTH,
    LONE_DEFENDER,
    LONE_MAKER,
    MUST_HAVE,
    PASS,
    PHASE,
    PLAYED,
    PROPOSED,
    SECOND,
    STICK,
    TAKES_DUMMY,
    TRUMP,
    TURN,
    TURNED_DOWN_CALLABLE,
    UP,
    UP_GIVEN,
    UP_LIES,
    UP_STATE,
    UP_TURNED_DOWN,
    out_of_order,
)
from games.bots.search import count, nth
from games.bots.thumb import Row, choose

# What a seat knows of the cards. Slots are the four hands, then what was put away by others: the
# dealer's discard, the low cards of a swap, anything for a dummy or partner's best.
SLOTS = 7
DISCARD, SWAPPED, OTHERWISE = 4, 5, 6
NEED = 0
"""How many cards a slot is still to be given."""
FORBIDDEN = 7
"""Cards it cannot hold."""
FORCED = 14
"""Cards it is known to hold."""
POOL = 21
"""All cards whose place is unknown."""
ORDER = 22
"""The slots in the order of filling, those that cannot hold every card first; -1 ends them."""
CONSTRAINED = 29
"""How many cannot."""
WENT = 30
"""What each seat has played."""
UP_LOOSE = 34
"""The seat that probably holds the up-card, or -1 where its place is known."""
UP_ELSE = 35
"""The slot that holds it otherwise, or -1 for under the kitty."""
UP_ODDS = 36
"""In how many of 100 deals it is there."""
SWAPPER = 37
"""The seat that swapped three cards (O13), or -1."""
LOW_CARDS = 38
PATIENCE = 39
"""How many deals are drawn before one that others would not have bid so is taken."""
ODDS = 40
"""In how many of 100 cases others pass, call, stay or go alone, and discard as the rule bot would not."""
BIDS = 44
"""How many integers tell of what others did."""
KNOWLEDGE_LENGTH = 45

# What others did: five integers each.
WHO, WHEN, WHAT, LONE = 0, 1, 2, 3
"""Seat, phase, action (not told for a discard), and the lone maker at that time."""
BID_LENGTH = 4

REST = SLOTS
"""After the slots, the cards of the kitty."""
FOUND_LENGTH = 8

Rows = MutableSequence[int]


def draw(chance: Rows) -> int:
    """31 random bits; ``chance`` holds one integer of up to 62 bits, the state: two generators side
    by side, combined (L'Ecuyer 1988). No intermediate result exceeds 63 bits."""
    one = 40014 * max(1, chance[0] >> 31) % 2147483563
    other = 40692 * max(1, chance[0] & 0x7FFFFFFF) % 2147483399
    chance[0] = one << 31 | other
    return one - other if one > other else one - other + 2147483562


def below(chance: Rows, number: int) -> int:
    return draw(chance) * number >> 31


def picked(chance: Rows, cards: int, number: int) -> int:
    """So many cards of some, all equally likely."""
    found, left = 0, count(cards)
    while number:
        if number == left:
            return found | cards
        card = nth(cards, below(chance, left))
        found |= card
        cards ^= card
        number -= 1
        left -= 1
    return found


def ways(cards: int, number: int) -> int:
    """In how many ways so many of the cards can be picked one after the other."""
    found = 1
    for taken in range(number):
        found *= cards - taken
    return found


def fill(known: Row, chance: Rows, found: Rows) -> bool:
    """Every slot filled, each deal with the same chance. False if this attempt came to nothing.

    A slot that cannot hold every card limits the next ones. So what fills the first of them is
    kept as often as it leaves ways to fill the others.
    """
    pool = known[POOL]
    for slot in range(SLOTS):
        found[slot] = known[FORCED + slot]
    for place in range(SLOTS):
        slot = known[ORDER + place]
        if slot < 0:
            break
        allowed = known[POOL] & ~known[FORBIDDEN + slot]
        free, need = count(pool & allowed), known[NEED + slot]
        if free < need:
            return False
        if 0 < place < known[CONSTRAINED]:
            most = count(allowed)
            for earlier in range(place):
                other = known[ORDER + earlier]
                outside = count(known[POOL] & ~known[FORBIDDEN + other] & ~allowed)
                most -= max(0, known[NEED + other] - outside)
            if draw(chance) * ways(most, need) >= ways(free, need) << 31:
                return False
        cards = picked(chance, pool & allowed, need)
        found[slot] |= cards
        pool ^= cards
    found[REST] = pool
    return True


def deal_out(deal: Row, known: Row, rules: Row, chance: Rows, found: Rows) -> bool:
    """:func:`fill`, the up-card put where it may be. False if this attempt came to nothing."""
    if not fill(known, chance, found):
        return False
    holder = known[UP_LOOSE]
    if holder < 0:
        return True
    # The holder's hand came a card short; the other place has none yet.
    if below(chance, 100) >= known[UP_ODDS]:
        found[holder] |= deal[UP]
        if known[UP_ELSE] >= 0:
            card = picked(chance, found[REST], 1)
            found[known[UP_ELSE]] |= card
            found[REST] ^= card
    else:
        free = found[REST] & ~known[FORBIDDEN + holder]
        if not free:
            return False
        card = picked(chance, free, 1)
        found[holder] |= card
        found[REST] ^= card
        if known[UP_ELSE] >= 0:
            found[known[UP_ELSE]] |= deal[UP]
    return True


def possible(deal: Row, known: Row, bids: Row, rules: Row, found: Row) -> bool:
    """Whether the rules let others do what they did with these cards."""
    if known[SWAPPER] >= 0:
        seat = known[SWAPPER]
        if count((found[seat] | known[WENT + seat]) & known[LOW_CARDS]) < 2:
            return False
    if not rules[MUST_HAVE]:
        return True
    for at in range(0, known[BIDS], BID_LENGTH):
        seat, what = bids[at + WHO], bids[at + WHAT]
        if what == PASS or (bids[at + WHEN] != BID1 and bids[at + WHEN] != BID2):
            continue
        if rules[MUST_HAVE] == 1 and (seat != deal[DEALER] or bids[at + WHEN] == BID2):
            continue
        hand = dealt(deal, known, found, seat)
        trump = deal[PROPOSED] if bids[at + WHEN] == BID1 else deal[TRUMP]
        if trump == 4 or hand >> 8 * trump & 0xFF:
            continue
        if bids[at + WHEN] == BID1 or not rules[STICK] or seat != deal[DEALER]:
            return False
        for other in range(4):
            if (other != deal[PROPOSED] or rules[TURNED_DOWN_CALLABLE]) and hand >> 8 * other & 0xFF:
                return False
    return True


def dealt(deal: Row, known: Row, found: Row, seat: int) -> int:
    """The hand that a seat bid with, in the engine's order."""
    hand = found[seat] | known[WENT + seat]
    if seat == deal[DEALER] and found[DISCARD]:
        hand = (hand | found[DISCARD]) & ~deal[UP]
    return out_of_order(hand, deal[TRUMP]) if deal[TRUMP] >= 0 else hand


def likely(deal: Row, known: Row, bids: Row, rules: Row, weights: Row, chance: Rows, found: Row, scratch: Rows) -> bool:
    """Whether this deal is kept, given what others bid and put away."""
    trump = deal[TRUMP]
    for at in range(0, known[BIDS], BID_LENGTH):
        seat, phase, what = bids[at + WHO], bids[at + WHEN], bids[at + WHAT]
        scratch[TURN], scratch[PHASE] = seat, phase
        if phase in (ALONE, EXCHANGE):
            scratch[TRUMP], scratch[UP], scratch[UP_STATE] = trump, deal[UP], deal[UP_STATE]
            scratch[LONE_MAKER] = bids[at + LONE]
            hand = found[seat] | known[WENT + seat]
            scratch[DEAD + seat] = 0
            if seat == deal[DEALER]:
                scratch[DEAD + seat] = found[DISCARD]
                if phase == EXCHANGE:
                    hand = (hand | found[DISCARD]) & ~deal[UP]
                    what = CARD + count(found[DISCARD] - 1)
            scratch[HAND + seat] = hand
            odds = known[ODDS + 2] if phase == ALONE else known[ODDS + 3]
        else:
            scratch[TRUMP] = -1
            scratch[UP] = out_of_order(deal[UP], trump) if trump >= 0 else deal[UP]
            scratch[UP_STATE] = UP_TURNED_DOWN if phase == BID2 else UP_LIES
            scratch[HAND + seat] = dealt(deal, known, found, seat)
            scratch[DEAD + seat] = 0
            odds = known[ODDS] if what == PASS else known[ODDS + 1]
        if choose(scratch, rules, weights) != what and below(chance, 100) >= odds:
            return False
    return True


def prepare(deal: Row, scratch: Rows) -> None:
    """A row to ask others' bids of."""
    for at in range(LENGTH):
        scratch[at] = deal[at]
    scratch[PLAYED], scratch[LONE_DEFENDER] = 0, -1


def world(deal: Row, known: Row, bids: Row, rules: Row, weights: Row, chance: Rows, found: Rows, scratch: Rows) -> bool:
    """Fill in ``found``. ``scratch`` comes from :func:`prepare`. False if no deal was found."""
    drawn = 0
    for _attempt in range(100 * known[PATIENCE] + 1000):
        if deal_out(deal, known, rules, chance, found) and possible(deal, known, bids, rules, found):
            drawn += 1
            if drawn > known[PATIENCE] or likely(deal, known, bids, rules, weights, chance, found, scratch):
                return True
    return False


def put_in(deal: Row, known: Row, rules: Row, chance: Rows, found: Row, seat: int, target: Rows) -> None:
    """The whole deal as a row: what ``seat`` knows and what was found."""
    for at in range(LENGTH):
        target[at] = deal[at]
    for other in range(4):
        if other != seat:
            target[HAND + other] = found[other]
    if known[UP_LOOSE] >= 0 and known[UP_ELSE] < 0 and found[known[UP_LOOSE]] & deal[UP]:
        target[UP_STATE] = UP_GIVEN
    if found[DISCARD]:
        target[DEAD + deal[DEALER]] |= found[DISCARD]
    if rules[TAKES_DUMMY]:
        target[SECOND] = picked(chance, found[REST], min(1, count(found[REST])))
        target[SECOND + 1] = picked(chance, found[REST] ^ target[SECOND], 1) if target[SECOND] else 0
