"""The rules of thumb, on the integers of :mod:`games.bots.layout`: what the rule bot does for the
seat to act, whatever the rules and from what that seat knows alone.

Bidding: a call is made when what the hand is worth reaches the bar of the seat. Play: makers draw
trumps, defenders lead aces, nobody beats his own partner, tricks are won as cheaply as possible.
All numbers come from :mod:`games.bots.weights`. Plain Python, and source of what
:mod:`games.bots.kernel` compiles.
"""

from __future__ import annotations

from collections.abc import Sequence

from games.bots.layout import (
    ACES,
    ALONE,
    ALONE_WHO,
    BENNY,
    BEST,
    BEST_GIVEN,
    BEST_OUT,
    BEYOND,
    BID1,
    BID2,
    BLIND,
    BOWERS,
    CALL,
    CALL_ALONE,
    CANADIAN,
    CARD,
    CLAIM,
    CLAIMS,
    DEAD,
    DEALER,
    DUMMY,
    EXCHANGE,
    GAVE,
    GO_ALONE,
    HAND,
    KEEP,
    LED,
    LONE_DEFENDER,
    LONE_DEFENDER_4,
    LONE_MAKER,
    MAKER,
    MUST_HAVE,
    NO_TRUMP,
    NUM_DEALS,
    ON_TABLE,
    ORDER_UP,
    ORDER_UP_ALONE,
    PACK,
    PACK_IN_ORDER,
    PASS,
    PASSES,
    PENALTY,
    PHASE,
    PLAY,
    PLAYED,
    PLAYERS,
    PROPOSED,
    SCORE,
    SIDES,
    SITTING,
    STICK,
    TARGET,
    THREW,
    TOGETHER,
    TRICKS_DONE,
    TRUMP,
    TURN,
    TURNED_DOWN_CALLABLE,
    UP,
    UP_DECLINED,
    UP_STATE,
    UP_TAKEN,
    UP_TURNED_DOWN,
    VOID,
    WINNER,
    WITH_CALL,
    in_order,
    side_of,
    trump_cards,
)
from games.bots.search import LOW, MIDDLE, NEXT, TOP, count, high, suit_of
from games.bots.weights import (
    ACE,
    ALONE_BAR,
    BAR1,
    BAR2,
    BARE_KING,
    CROSS,
    DEFEND_BAR,
    FIRST_HANDS,
    HAND_LENGTH,
    KEPT_HAND,
    LONE_HAND,
    NEXT_SUIT,
    NO_TRUMP_BAR,
    NO_TRUMP_KING,
    NO_TRUMP_QUEEN,
    NO_TRUMP_RUN,
    ONE_SHORT,
    SECOND_HANDS,
    STOP_BAR,
    TWO_SHORT,
    UP_OURS,
    UP_THEIRS,
    VOID_SUIT,
)

Row = Sequence[int]


def choose(deal: Row, rules: Row, weights: Row) -> int:
    """The action of the seat to act. Of the hidden cards nothing is looked at."""
    phase = deal[PHASE]
    if phase == PLAY:
        return play(deal, rules)
    if phase == BID1:
        return first_round(deal, rules, weights)
    if phase == BID2:
        return second_round(deal, rules, weights)
    if phase == ALONE:
        return GO_ALONE if goes_alone(deal, rules, weights) else TOGETHER
    trump = deal[TRUMP]
    trumps = trump_cards(trump)
    if phase == EXCHANGE:
        # Declining is never better: burying the up-card itself leaves the same five cards, and
        # nobody else knows that it is gone (R27, G5).
        return CARD + place_of(worst(deal[HAND + deal[DEALER]] | deal[UP], trumps, weights))
    if phase == BENNY:
        return name_suit(deal, rules, weights)
    hand = deal[HAND + deal[TURN]]
    if phase == DUMMY:
        return CARD + place_of(worst_of_dummy(hand, trumps, weights))
    if phase == BEST_OUT:
        return put_away_for_best(deal, rules, weights)
    if deal[TURN] == deal[DEALER] and deal[UP_STATE] == UP_DECLINED:
        hand |= deal[UP]
    return CARD + place_of(highest(hand, trumps))


def place_of(card: int) -> int:
    """The place of a card in the order."""
    return count(card - 1)


def rank_of(card: int, trumps: int) -> int:
    """0 the seven to 7 the ace, more for any trump."""
    if card >= 1 << 27:
        return count(card - 1) - 27 + (8 if trumps else 0)
    return count(card - 1) % 9


def highest(cards: int, trumps: int) -> int:
    """The highest card of all suits; of equals the one latest in the order."""
    if cards & trumps:
        return high(cards)
    best, most = 0, -1
    while cards:
        card = cards & -cards
        cards ^= card
        if rank_of(card, trumps) >= most:
            best, most = card, rank_of(card, trumps)
    return best


# What hands are worth


def hand_worth(hand: int, trumps: int, weights: Row, at: int) -> int:
    """In hundredths of a low trump, by the weights of a hand from ``at`` on: trumps by rank, plain
    aces, kings without their ace, and plain suits to ruff when there are trumps to ruff with. At
    no-trump another measure."""
    if not trumps:
        return no_trump_worth(hand, weights)
    total, own = 0, hand >> 27
    void = weights[at + VOID_SUIT] if own & (own - 1) else 0
    while own:
        total += weights[at + count((own & -own) - 1)]
        own &= own - 1
    total += suit_worth(hand & LOW, void, weights, at)
    total += suit_worth(hand >> 9 & LOW, void, weights, at)
    return total + suit_worth(hand >> 18 & LOW, void, weights, at)


def suit_worth(suit: int, void: int, weights: Row, at: int) -> int:
    """Of a plain suit's cards, seven to ace as the lowest bits; ``void``: of none."""
    if suit & 0x80:
        return weights[at + ACE]
    if suit & 0x40:
        return weights[at + BARE_KING]
    return 0 if suit else void


def no_trump_worth(hand: int, weights: Row) -> int:
    """Runs from the ace down; else kings and queens with a lower card."""
    total = 0
    for shift in range(0, 36, 9):
        suit = hand >> shift & 0xFF
        run = 0
        while suit >> (7 - run) & 1:
            run += 1
            if run == 8:
                break
        if run:
            total += weights[NO_TRUMP_RUN] * run
            if run >= 2:
                total += weights[NO_TRUMP_KING] * (count(suit) - run)
        elif suit & (suit - 1):
            if suit & 0x40:
                total += weights[NO_TRUMP_KING]
            if suit & 0x20:
                total += weights[NO_TRUMP_QUEEN]
    return total


def worst(cards: int, trumps: int, weights: Row) -> int:
    """The card that the others miss least; of equals the lowest."""
    found, least, lowest, left = 0, 1 << 20, 99, cards
    while left:
        card = left & -left
        left ^= card
        lost, rank = loss_of(cards, card, trumps, weights), rank_of(card, trumps)
        if lost < least or (lost == least and rank < lowest):
            found, least, lowest = card, lost, rank
    return found


def loss_of(cards: int, card: int, trumps: int, weights: Row) -> int:
    """How much less the cards are worth without one of them; at no-trump, less the same for all."""
    if not trumps:
        return -no_trump_worth(cards ^ card, weights)
    own = cards >> 27
    void = weights[KEPT_HAND + VOID_SUIT] if own & (own - 1) else 0
    if card >> 27:
        lost = weights[KEPT_HAND + place_of(card) - 27]
        if count(own) == 2:  # one trump ruffs nothing
            lost += void * ((not cards & LOW) + (not cards & MIDDLE) + (not cards & NEXT))
        return lost
    suit = suit_of(card)
    shift = 0 if suit == LOW else 9 if suit == MIDDLE else 18
    suit = (cards & suit) >> shift
    worth = suit_worth(suit, void, weights, KEPT_HAND)
    return worth - suit_worth(suit ^ card >> shift, void, weights, KEPT_HAND)


def worst_of_dummy(cards: int, trumps: int, weights: Row) -> int:
    """Of seven cards one of the two that the best five do without, of six the worst (V4 b)."""
    if count(cards) == 6:
        return worst(cards, trumps, weights)
    found, most, left = 0, -1, cards
    while left:
        card = left & -left
        left ^= card
        others = cards ^ card
        worth = hand_worth(others ^ worst(others, trumps, weights), trumps, weights, KEPT_HAND)
        if worth > most:
            found, most = card, worth
    return found


def unseen(deal: Row, rules: Row, trump: int, seat: int) -> int:
    """The cards that others may hold: not one's own and not known to be out of play. ``trump`` is
    the one to be called while none is fixed."""
    known = deal[HAND + seat] | deal[DEAD + seat]
    state = deal[UP_STATE]
    # A dealer may have given a declined up-card to his partner.
    if state == UP_TURNED_DOWN or (state == UP_DECLINED and not rules[BEST_GIVEN]):
        known |= deal[UP]
    if deal[TRUMP] >= 0:
        return deal[PACK_IN_ORDER] & ~(known | deal[PLAYED])
    return in_order(rules[PACK] & ~known, trump)


# Calls


def place_after_dealer(deal: Row, rules: Row) -> int:
    """0 eldest, and so on to the dealer."""
    after = deal[TURN] - deal[DEALER] - 1
    return after if after >= 0 else after + rules[PLAYERS]


def dealer_is_on_my_side(deal: Row, rules: Row) -> bool:
    return side_of(deal[TURN], rules) == side_of(deal[DEALER], rules)


def most_of_others(deal: Row, rules: Row) -> int:
    most = -1
    for side in range(rules[SIDES]):
        if side != side_of(deal[TURN], rules):
            most = max(most, deal[SCORE + side])
    return most


def nerve(deal: Row, rules: Row, weights: Row) -> int:
    """How much less a hand needs to be worth at this score."""
    if rules[NUM_DEALS]:
        return 0
    short = rules[TARGET] - most_of_others(deal, rules)
    if short <= 1:
        return weights[ONE_SHORT]  # whatever they score ends the game, being euchred costs no more than a pass
    return weights[TWO_SHORT] if short == 2 else 0  # being euchred ends it


def name_suit(deal: Row, rules: Row, weights: Row) -> int:
    """The suit of the turned-up joker: the best, or any when no card has been seen. Nothing tells
    one suit from another then, and none is named more often over the deals of a game (V3)."""
    if rules[BLIND]:
        total = deal[DEALER]
        for side in range(rules[SIDES]):
            total += deal[SCORE + side]
        return CALL + total % 4
    best, most, kept = 0, -1, 0
    for trump in range(4):
        six = in_order(deal[HAND + deal[DEALER]] | deal[UP], trump)
        five = six ^ worst(six, TOP, weights)
        worth = hand_worth(five, TOP, weights, KEPT_HAND)
        if worth > most:
            best, most, kept = trump, worth, five
    if rules[WITH_CALL] and pays_alone(deal, rules, weights, best, kept, False):
        return CALL_ALONE + best
    return CALL + best


def first_round(deal: Row, rules: Row, weights: Row) -> int:
    seat, dealer, trump = deal[TURN], deal[DEALER], deal[PROPOSED]
    needs_trump = rules[MUST_HAVE] == 2 or (rules[MUST_HAVE] == 1 and seat == dealer)
    if needs_trump and not deal[HAND + seat] >> 8 * trump & 0xFF:
        return PASS
    hand, up_card = in_order(deal[HAND + seat], trump), in_order(deal[UP], trump)
    with_dealer, share = dealer_is_on_my_side(deal, rules), 0
    if seat == dealer:
        hand |= up_card
        hand ^= worst(hand, TOP, weights)
    else:
        share = weights[(UP_OURS if with_dealer else UP_THEIRS) + place_of(up_card) - 27]
    if rules[CANADIAN] and seat == (dealer + 2) % 4:
        return ORDER_UP_ALONE if pays_alone(deal, rules, weights, trump, hand, True) else PASS
    place = place_after_dealer(deal, rules)
    worth = hand_worth(hand, TOP, weights, FIRST_HANDS + HAND_LENGTH * place) + share + nerve(deal, rules, weights)
    if worth < weights[BAR1 + place]:
        return PASS
    if rules[WITH_CALL] and pays_alone(deal, rules, weights, trump, hand, with_dealer):
        return ORDER_UP_ALONE
    return ORDER_UP


def second_round(deal: Row, rules: Row, weights: Row) -> int:
    seat, dealer, proposed = deal[TURN], deal[DEALER], deal[PROPOSED]
    hand, with_dealer = deal[HAND + seat], dealer_is_on_my_side(deal, rules)
    stuck = rules[STICK] == 1 and seat == dealer
    may_pass = not stuck or rules[PENALTY] == 1
    place = place_after_dealer(deal, rules)
    bar, at = weights[BAR2 + place] - nerve(deal, rules, weights), SECOND_HANDS + HAND_LENGTH * place
    best, most, needs_trump = -1, 0, rules[MUST_HAVE] == 2
    if needs_trump and stuck:  # who holds no suit that he could name needs none (O12)
        needs_trump = False
        for trump in range(4):
            barred = trump == proposed and not rules[TURNED_DOWN_CALLABLE]
            if not barred and hand >> 8 * trump & 0xFF:
                needs_trump = True
    for trump in range(4):
        if trump == proposed and not rules[TURNED_DOWN_CALLABLE]:
            continue
        if needs_trump and not hand >> 8 * trump & 0xFF:
            continue
        over = hand_worth(in_order(hand, trump), TOP, weights, at) - bar
        if rules[PLAYERS] == 4:
            if trump == 3 - proposed:
                over += 0 if with_dealer else weights[NEXT_SUIT]
            elif trump != proposed:
                over += weights[CROSS] if with_dealer else 0
        if best < 0 or over > most:
            best, most = trump, over
    if rules[NO_TRUMP] == 1 or (rules[NO_TRUMP] == 2 and stuck):
        over = no_trump_worth(in_order(hand, 4), weights) + nerve(deal, rules, weights) - weights[NO_TRUMP_BAR]
        if best < 0 or over > most:
            best, most = 4, over
    if best < 0:
        return PASS
    if may_pass and most + price_of_passing(deal, rules) < 0:
        return PASS
    if rules[WITH_CALL] and pays_alone(deal, rules, weights, best, in_order(hand, best), False):
        return CALL_ALONE + best
    return CALL + best


def price_of_passing(deal: Row, rules: Row) -> int:
    """How much less a hand needs to be worth when a pass is paid for: a point (O21)."""
    if not rules[PENALTY] or deal[TURN] != deal[DEALER]:
        return 0
    if not rules[NUM_DEALS] and most_of_others(deal, rules) >= rules[TARGET] - 1:
        return 990
    return 200


# Going alone, and cards put away and given for it


def goes_alone(deal: Row, rules: Row, weights: Row) -> bool:
    seat = deal[TURN]
    if side_of(seat, rules) != side_of(deal[MAKER], rules):
        return defends_alone(deal, rules, weights)
    partner_took_it = deal[UP_STATE] == UP_TAKEN and deal[DEALER] == (seat + 2) % 4
    return pays_alone(deal, rules, weights, deal[TRUMP], deal[HAND + seat], partner_took_it)


def pays_alone(deal: Row, rules: Row, weights: Row, trump: int, hand: int, up_card_is_out: bool) -> bool:
    """Whether the maker's side should go alone with this hand. ``up_card_is_out``: it lies, or is
    with the partner who sits out."""
    seat = deal[TURN]
    if not rules[ALONE_WHO]:
        return False
    if not rules[BEYOND] and rules[TARGET] - deal[SCORE + side_of(seat, rules)] <= 2:
        return False  # one or two points are enough, and a partner makes them safer
    if trump == 4 or not hand & TOP:
        return False  # at no-trump the others lead, and one suit that is missing loses the rest
    out = unseen(deal, rules, trump, seat) & ~hand
    if up_card_is_out:
        out &= ~(in_order(deal[UP], trump) if deal[TRUMP] < 0 else deal[UP])
    if out & -(high(hand) << 1) & TOP:
        return False  # an opponent may hold the best trump
    return hand_worth(hand, TOP, weights, LONE_HAND) >= weights[ALONE_BAR]


def defends_alone(deal: Row, rules: Row, weights: Row) -> bool:
    """With five tricks in hand; three or four score the same with a partner, unless a lone
    defender's euchre always pays 4: then with three, or against two makers with a good hand.
    Against a loner where partners give their best, to stop the march."""
    seat, trumps = deal[TURN], trump_cards(deal[TRUMP])
    hand, out = deal[HAND + seat], unseen(deal, rules, deal[TRUMP], seat)
    own = hand & trumps
    above = out & trumps
    bosses = count(own & -high(above)) if above else count(own)
    worth = hand_worth(hand, trumps, weights, KEPT_HAND)
    against_loner = deal[LONE_MAKER] >= 0
    if against_loner and rules[BEST_GIVEN] and worth >= weights[STOP_BAR]:
        return True
    if rules[LONE_DEFENDER_4] and (bosses >= 3 or (not against_loner and worth >= weights[DEFEND_BAR])):
        return True
    aces = ACES if trumps else ACES | 1 << 34
    return count(own) >= 4 and bosses >= 3 and count(own | hand & aces) == 5


def put_away_for_best(deal: Row, rules: Row, weights: Row) -> int:
    """A loner puts away his worst card unless it is a trump; even for an ace the best is worth it (V6)."""
    seat, trumps = deal[TURN], trump_cards(deal[TRUMP])
    hand = deal[HAND + seat]
    card = worst(hand, trumps, weights)
    above = unseen(deal, rules, 4, seat) & suit_of(card) & -(card << 1) if not trumps else 0
    keeps = card & trumps != 0 if trumps else not above
    return KEEP if keeps else CARD + place_of(card)


# Play


def play(deal: Row, rules: Row) -> int:
    """A claim is offered only when it is certain, so it is always made (section 5.1)."""
    seat = deal[TURN]
    hand, trumps = deal[HAND + seat], trump_cards(deal[TRUMP])
    if deal[ON_TABLE]:
        legal = hand & deal[LED]
        if not legal:
            legal = hand
        if legal & (legal - 1) == 0:
            return CARD + place_of(legal)
        return CARD + place_of(follow(deal, rules, hand, legal, trumps, unseen(deal, rules, deal[TRUMP], seat)))
    if hand & (hand - 1) == 0:
        return CARD + place_of(hand)
    out = unseen(deal, rules, deal[TRUMP], seat)
    if rules[CLAIMS] and rest_is_certain(deal, rules, hand, trumps, out):
        return CLAIM
    return CARD + place_of(lead(deal, rules, hand, trumps, out))


def rest_is_certain(deal: Row, rules: Row, hand: int, trumps: int, out: int) -> bool:
    """Whether every card outranks all unseen ones of its suit and there are trumps to draw what
    may be out (O16)."""
    if deal[UP_STATE] == UP_DECLINED or deal[UP_STATE] == UP_TURNED_DOWN:
        if deal[GAVE] and deal[TURN] % 2 != deal[DEALER] % 2:  # he may have given that card
            out |= deal[UP] & ~deal[PLAYED]
        else:
            out &= ~deal[UP]
    for shift in range(0, 36, 9):
        suit = (0x7FF if shift == 27 else 0xFF) << shift
        own, others = hand & suit, out & suit
        if own and others and high(others) > (own & -own):
            return False
    bosses = count(hand & trumps)
    return not trumps or hand & ~trumps == 0 or count(out & trumps) <= bosses


def ally_of(deal: Row, rules: Row, seat: int) -> int:
    """Who plays on the same side: the partner of four, the other defender of three; or -1."""
    if rules[PLAYERS] == 4:
        partner = (seat + 2) % 4
        return -1 if deal[SITTING] >> partner & 1 else partner
    if rules[PLAYERS] == 3 and seat != deal[MAKER]:
        return 3 - seat - deal[MAKER]
    return -1


def stuck_maker(deal: Row, rules: Row) -> bool:
    """Whether the maker had no choice: the dealer, stuck when all others have passed twice."""
    return rules[STICK] == 1 and deal[MAKER] == deal[DEALER] and deal[PASSES] == 2 * rules[PLAYERS] - 1


def opponents_may_hold_trump(deal: Row, rules: Row, seat: int, trumps: int, out: int) -> bool:
    if not out & trumps:
        return False
    ally = ally_of(deal, rules, seat)
    for other in range(rules[PLAYERS]):
        plays = other != seat and other != ally and not deal[SITTING] >> other & 1
        if plays and not deal[VOID + other] & trumps:
            return True
    return False


def lead(deal: Row, rules: Row, hand: int, trumps: int, out: int) -> int:
    seat = deal[TURN]
    own, plain = hand & trumps, hand & ~trumps
    making = side_of(seat, rules) == side_of(deal[MAKER], rules)
    if own and making and opponents_may_hold_trump(deal, rules, seat, trumps, out):
        drawn = draw_trumps(deal, rules, seat, own, out & trumps)
        if drawn:
            return drawn
    if not plain:
        top = high(own)
        return top if not out & -(top << 1) or own == top else own & -own
    return lead_plain(deal, rules, seat, plain, trumps, out)


def draw_trumps(deal: Row, rules: Row, seat: int, own: int, out: int) -> int:
    """The trump that the makers' side leads, or 0 when something else is better."""
    top = high(own)
    above = out & -(top << 1)
    if seat == deal[MAKER] or seat == deal[LONE_MAKER] or seat == deal[LONE_DEFENDER]:
        if not above:
            return top
        if count(own) >= 3:
            return own & -own if top & BOWERS and count(above) == 1 else top
        return 0
    if stuck_maker(deal, rules):
        return 0
    return top if top & BOWERS or not deal[TRICKS_DONE] else 0


def lead_plain(deal: Row, rules: Row, seat: int, plain: int, trumps: int, out: int) -> int:
    """A winner from the shortest suit, which is the least likely to be ruffed; else low from the
    shortest. At no-trump the longest suit runs, and one without its ace is led high to make its
    other cards good. Not, if possible, what the ally has thrown away."""
    ally = ally_of(deal, rules, seat)
    threw = deal[THREW + ally] if ally >= 0 else 0
    best, least = 0, 1 << 20
    for shift in range(0, 36, 9):
        suit = 0xFF << shift
        cards = plain & suit
        if not cards:
            continue
        top = high(cards)
        wins = not out & suit & -(top << 1)
        if trumps:
            card = top if wins else cards & -cards
            missed = 64 * count(cards) + (0 if wins else rank_of(card, trumps))
        else:
            card = top
            missed = 64 * (8 - count(cards)) + 8 - rank_of(card, trumps)
        if not wins:
            missed += 1 << (14 if threw & suit else 12)
        if missed < least:
            best, least = card, missed
    return best


def follow(deal: Row, rules: Row, hand: int, legal: int, trumps: int, out: int) -> int:
    seat, led, best = deal[TURN], deal[LED], deal[BEST]
    winning = legal & (led | trumps) & -(best << 1)
    if not winning:
        return throw(hand, legal, led, trumps, out)
    ally = ally_of(deal, rules, seat)
    ally_wins = deal[WINNER] == ally
    if deal[ON_TABLE] == rules[PLAYERS] - 1 - count(deal[SITTING]):
        return throw(hand, legal, led, trumps, out) if ally_wins else winning & -winning
    following = legal & led != 0
    if ally_wins and not worth_beating_ally(best, winning, following, trumps, out):
        return throw(hand, legal, led, trumps, out)
    if not following:
        lowest, own = winning & -winning, hand & trumps
        top = high(own)
        guards = own == lowest | top and own != lowest
        guards = guards and top & BOWERS != 0 and count(out & trumps & -(top << 1)) == 1
        making = side_of(seat, rules) == side_of(deal[MAKER], rules)
        if guards and not making and ally >= 0 and deal[ON_TABLE] == 1:
            return throw(hand, legal, led, trumps, out)
        return lowest
    top = high(winning)
    if led == trumps and out & trumps & -(top << 1):
        return winning & -winning
    return top


def worth_beating_ally(best: int, winning: int, following: bool, trumps: int, out: int) -> bool:
    """Third hand beats the ally only with a boss, or by ruffing what is likely to lose."""
    if not out & suit_of(best) & -(best << 1):
        return False
    if following:
        top = high(winning)
        return not out & suit_of(top) & -(top << 1)
    return not best & ACES and not best & trumps


def throw(hand: int, legal: int, led: int, trumps: int, out: int) -> int:
    """The card that is missed least: low, from a suit that becomes void, no boss, no bare king."""
    plain = legal & ~trumps
    if legal & led or not plain:
        return legal & -legal
    ruffs = plain != legal
    found, least = 0, 99
    while plain:
        card = plain & -plain
        plain ^= card
        suit = suit_of(card)
        mates = hand & suit
        length = count(mates)
        missed = rank_of(card, trumps)
        if not out & suit & -(card << 1):
            missed += 10
        if length != 1 or not ruffs:
            missed += 3
        if length == 2:
            other = mates ^ card
            king = rank_of(other, 0) == 6
            if king and out & suit & -(other << 1):
                missed += 3
        if missed < least:
            found, least = card, missed
    return found
