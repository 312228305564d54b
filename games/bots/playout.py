"""What actions do to a deal of :mod:`games.bots.layout`, and a deal played to its end by the rule bot.

The rules are those of :mod:`games.engine`, for every option; the tests keep both in lockstep. Weak
hands are settled before (O13). Nothing is checked: actions must be legal. Plain Python, and source
of what :mod:`games.bots.kernel` compiles.
"""

from __future__ import annotations

from collections.abc import MutableSequence

from games.bots.layout import (
    ALONE,
    ALONE_WHO,
    BEST,
    BEST_GIVEN,
    BEST_IN,
    BEST_OUT,
    BID1,
    BID2,
    CALL,
    CALL_ALONE,
    CARD,
    CLAIM,
    DEAD,
    DEALER,
    DECLINE,
    DEFEND_ALONE,
    DONE,
    DUMMY,
    EXCHANGE,
    GAVE,
    GO_ALONE,
    HAND,
    KEEP,
    LED,
    LEFT_OF_DEALER,
    LONE_DEFENDER,
    LONE_DEFENDER_4,
    LONE_EUCHRED,
    LONE_MAKER,
    MAKER,
    ON_TABLE,
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
    POINTS,
    PROPOSED,
    SECOND,
    SIDES,
    SITTING,
    SUPER_EUCHRE,
    TAKES_DUMMY,
    THREW,
    TRICKS,
    TRICKS_DONE,
    TRUMP,
    TURN,
    UP,
    UP_DECLINED,
    UP_GIVEN,
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
from games.bots.search import count, suit_of
from games.bots.thumb import Row, choose

Deal = MutableSequence[int]


def finish_deal(deal: Deal, rules: Row, weights: Row) -> None:
    """The rule bot in every seat until the deal is done."""
    while deal[PHASE] != DONE:
        act(deal, rules, choose(deal, rules, weights))


def act(deal: Deal, rules: Row, action: int) -> None:
    """The seat to act does this."""
    phase = deal[PHASE]
    if phase == PLAY:
        if action == CLAIM:
            deal[TRICKS + side_of(deal[TURN], rules)] += count(deal[HAND + deal[TURN]])
            score_deal(deal, rules)
        else:
            play_card(deal, rules, 1 << (action - CARD))
    elif phase <= BID2 and phase != EXCHANGE:
        bid(deal, rules, action)
    elif phase == EXCHANGE:
        exchange(deal, rules, action)
    elif phase == ALONE:
        if action == GO_ALONE:
            go_alone(deal, deal[TURN])
            if rules[BEST_GIVEN]:
                deal[PHASE] = BEST_OUT
                return
        ask_alone(deal, rules, asked_at(deal, deal[TURN]) + 1)
    elif phase == DUMMY:
        put_away(deal, 1 << (action - CARD))
        if count(deal[HAND + deal[TURN]]) == 5:
            begin_play(deal, rules)
    elif phase == BEST_OUT:
        if action == KEEP:
            ask_alone(deal, rules, asked_at(deal, deal[TURN]) + 1)
            return
        put_away(deal, 1 << (action - CARD))
        deal[TURN] = (deal[TURN] + 2) % 4
        deal[PHASE] = BEST_IN
    else:
        give(deal, rules, 1 << (action - CARD))


def bid(deal: Deal, rules: Row, action: int) -> None:
    seat, dealer, phase = deal[TURN], deal[DEALER], deal[PHASE]
    if action == PASS:
        deal[PASSES] += 1
        deal[TURN] = seat + 1 if seat + 1 < rules[PLAYERS] else 0
        if seat == dealer:
            if phase == BID1:
                deal[PHASE], deal[UP_STATE] = BID2, UP_TURNED_DOWN
            else:
                deal[PHASE] = DONE
                if rules[PENALTY]:  # O21
                    for side in range(rules[SIDES]):
                        deal[POINTS + side] = 0 if side == side_of(dealer, rules) else 1
        return
    deal[MAKER] = seat
    alone = action == ORDER_UP_ALONE or action >= CALL_ALONE
    if phase == BID1:
        fix_trump(deal, rules, deal[PROPOSED])
    else:
        fix_trump(deal, rules, action - (CALL_ALONE if alone else CALL))
    if alone:
        go_alone(deal, seat)
    if phase == BID2:
        settle(deal, rules)
    elif alone and (seat + 2) % 4 == dealer:  # the dealer sits out and needs no card (O6, O20)
        deal[UP_STATE] = UP_DECLINED
        settle(deal, rules)
    else:
        deal[TURN], deal[PHASE] = dealer, EXCHANGE


def fix_trump(deal: Deal, rules: Row, trump: int) -> None:
    """All cards into the order of trump."""
    deal[TRUMP] = trump
    for seat in range(rules[PLAYERS]):
        deal[HAND + seat] = in_order(deal[HAND + seat], trump)
        deal[DEAD + seat] = in_order(deal[DEAD + seat], trump)
    deal[UP], deal[PACK_IN_ORDER] = in_order(deal[UP], trump), in_order(rules[PACK], trump)
    deal[SECOND] = in_order(deal[SECOND], trump)
    deal[SECOND + 1] = in_order(deal[SECOND + 1], trump)


def go_alone(deal: Deal, seat: int) -> None:
    """Only four players have partners, who sit opposite."""
    if seat % 2 == deal[MAKER] % 2:
        deal[LONE_MAKER] = seat
    else:
        deal[LONE_DEFENDER] = seat


def exchange(deal: Deal, rules: Row, action: int) -> None:
    if action == DECLINE:
        deal[UP_STATE] = UP_DECLINED
    else:
        deal[HAND + deal[TURN]] |= deal[UP]
        put_away(deal, 1 << (action - CARD))
        deal[UP_STATE] = UP_TAKEN
    settle(deal, rules)


def put_away(deal: Deal, card: int) -> None:
    deal[HAND + deal[TURN]] ^= card
    deal[DEAD + deal[TURN]] |= card


def settle(deal: Deal, rules: Row) -> None:
    """Trump is fixed and the dealer has his cards: what comes before the lead."""
    maker = deal[MAKER]
    if rules[TAKES_DUMMY]:
        deal[HAND + maker] |= deal[SECOND] | deal[SECOND + 1]
        deal[TURN], deal[PHASE] = maker, DUMMY
    elif rules[BEST_GIVEN] and deal[LONE_MAKER] >= 0:
        deal[TURN], deal[PHASE] = maker, BEST_OUT
    else:
        ask_alone(deal, rules, 0)


def give(deal: Deal, rules: Row, card: int) -> None:
    """Partner's best (V6, O17)."""
    partner = deal[TURN]
    loner = (partner + 2) % 4
    deal[HAND + loner] |= card
    if card == deal[UP] and deal[UP_STATE] == UP_DECLINED:
        deal[UP_STATE] = UP_GIVEN
    else:
        deal[HAND + partner] ^= card
    if partner == deal[DEALER]:
        deal[GAVE] = 1
    ask_alone(deal, rules, asked_at(deal, loner) + 1)


def asked_at(deal: Deal, seat: int) -> int:
    """Asked are maker, partner, left and right opponent in this order (G8)."""
    after = (seat - deal[MAKER]) % 4
    return 3 - after if after == 1 or after == 2 else after


def ask_alone(deal: Deal, rules: Row, first: int) -> None:
    """Ask the next seat that may go alone, from place ``first`` of the order; else begin play."""
    if rules[ALONE_WHO]:
        for place in range(first, 4):
            after = 3 - place if place == 1 or place == 2 else place
            if may_go_alone(deal, rules, place):
                deal[TURN], deal[PHASE] = (deal[MAKER] + after) % 4, ALONE
                return
    begin_play(deal, rules)


def may_go_alone(deal: Deal, rules: Row, place: int) -> bool:
    """One loner a side (G9)."""
    if place <= 1:
        if deal[LONE_MAKER] >= 0 or rules[WITH_CALL]:
            return False
        return place == 0 or rules[ALONE_WHO] != 1
    if deal[LONE_DEFENDER] >= 0 or rules[ALONE_WHO] != 3:
        return False
    return rules[DEFEND_ALONE] == 2 or (rules[DEFEND_ALONE] == 1 and deal[LONE_MAKER] >= 0)


def begin_play(deal: Deal, rules: Row) -> None:
    lone_maker, lone_defender = deal[LONE_MAKER], deal[LONE_DEFENDER]
    if lone_maker >= 0:
        deal[SITTING] |= 1 << (lone_maker + 2) % 4
    if lone_defender >= 0:
        deal[SITTING] |= 1 << (lone_defender + 2) % 4
    deal[PHASE] = PLAY
    if deal[SITTING] and not rules[LEFT_OF_DEALER]:
        if lone_maker >= 0 and lone_defender >= 0:
            deal[TURN] = lone_defender  # R41
        else:
            deal[TURN] = (max(lone_maker, lone_defender) + 1) % 4  # R40
    else:
        deal[TURN] = next_active(deal, rules, deal[DEALER])  # R39


def next_active(deal: Deal, rules: Row, seat: int) -> int:
    players = rules[PLAYERS]
    seat = seat + 1 if seat + 1 < players else 0
    while deal[SITTING] >> seat & 1:
        seat = seat + 1 if seat + 1 < players else 0
    return seat


def play_card(deal: Deal, rules: Row, card: int) -> None:
    seat, led = deal[TURN], deal[LED]
    deal[HAND + seat] ^= card
    deal[PLAYED] |= card
    if not led:
        deal[LED], deal[BEST], deal[WINNER] = suit_of(card), card, seat
    else:
        if not card & led:
            deal[VOID + seat] |= led
            deal[THREW + seat] |= suit_of(card)
        if card & (led | trump_cards(deal[TRUMP])) > deal[BEST]:
            deal[BEST], deal[WINNER] = card, seat
    deal[ON_TABLE] += 1
    if deal[ON_TABLE] + count(deal[SITTING]) < rules[PLAYERS]:
        deal[TURN] = next_active(deal, rules, seat)
        return
    winner = deal[WINNER]
    deal[TRICKS + side_of(winner, rules)] += 1
    deal[TRICKS_DONE] += 1
    deal[LED], deal[BEST], deal[ON_TABLE], deal[TURN] = 0, 0, 0, winner
    if deal[TRICKS_DONE] == 5:
        score_deal(deal, rules)


def score_deal(deal: Deal, rules: Row) -> None:
    """Points by side (section 4.6, V4, V5)."""
    makers, sides = side_of(deal[MAKER], rules), rules[SIDES]
    tricks = deal[TRICKS + makers]
    lone_maker, lone_defender = deal[LONE_MAKER] >= 0, deal[LONE_DEFENDER] >= 0
    if tricks == 5:
        points = 4 if lone_maker else sides
    elif tricks >= 3:
        points = 1
    elif lone_defender:
        points = 4 if tricks == 0 or rules[LONE_DEFENDER_4] else 2
    elif tricks == 0 and rules[SUPER_EUCHRE]:
        points = 4
    else:
        points = rules[LONE_EUCHRED] if lone_maker else 2
    for side in range(sides):
        deal[POINTS + side] = points if (side == makers) == (tricks >= 3) else 0
    deal[PHASE] = DONE
