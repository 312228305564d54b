"""What each action of a seat is worth: the deal filled in and played to its end many times over.

Plain Python, and source of what :mod:`games.bots.kernel` compiles.
"""

from __future__ import annotations

from collections.abc import MutableSequence

from games.bots.branches import branch
from games.bots.guess import below, picked, prepare, put_in, world
from games.bots.layout import (
    ALONE,
    BENNY,
    BEST,
    BID1,
    DEALER,
    DONE,
    GO_ALONE,
    HAND,
    LED,
    LENGTH,
    LONE_DEFENDER,
    LONE_MAKER,
    MAKER,
    ON_TABLE,
    PACK,
    PHASE,
    PLAY,
    PLAYERS,
    POINTS,
    PROPOSED,
    SECOND,
    SIDES,
    SITTING,
    TAKES_DUMMY,
    TOGETHER,
    TRICKS,
    TRICKS_DONE,
    TRUMP,
    TURN,
    UP,
    UP_STATE,
    WINNER,
    side_of,
    trump_cards,
)
from games.bots.playout import act, finish_deal, score_deal
from games.bots.search import count, reached, row_at
from games.bots.thumb import Row, choose

Rows = MutableSequence[int]

NETS = 17
"""What a deal may bring a side: twice its points less twice those of the other, or of three less
those of both others, from -8 to 8."""

AS_THOUGHT, STAY, GO = 0, 1, 2
"""How the seat itself answers when it is asked whether it goes alone after the action."""

LOOKS = 25
"""After so many deals, again and again, options that are worth less beyond doubt are left behind."""

DOUBTLESS = 4
"""The square of the standard errors that this takes. They are those of two options tried on deals that have
nothing in common; on the same deals both err alike, and so less."""

LEAST = 100
"""And one in so many of the difference between the best and the worst that a deal may bring."""

RECORD = 8
"""Of a deal played: place of the maker after the dealer or -1, whether the up-card was turned down,
whether a maker and a defender went alone, the makers' tricks, and points by side."""


def net(deal: Row, rules: Row, side: int) -> int:
    """0 to 16."""
    own = deal[POINTS + side]
    if rules[SIDES] == 2:
        return 8 + 2 * (own - deal[POINTS + 1 - side])
    return 8 + 3 * own - deal[POINTS] - deal[POINTS + 1] - deal[POINTS + 2]


def play_on(deal: Rows, rules: Row, weights: Row, seat: int, answer: int) -> None:
    """The rule bot in every seat, but ``seat`` goes alone or not as ``answer`` says."""
    while answer and deal[PHASE] < PLAY:
        if deal[PHASE] == ALONE and deal[TURN] == seat:
            act(deal, rules, GO_ALONE if answer == GO else TOGETHER)
            answer = AS_THOUGHT
        else:
            act(deal, rules, choose(deal, rules, weights))
    finish_deal(deal, rules, weights)


def solve_deal(deal: Rows, rules: Row) -> None:
    """The best cards of all four seats, who see them all, until the deal is done."""
    turn, hands = deal[TURN], HAND
    sitting = deal[SITTING]
    h0 = deal[hands + turn]
    h1 = 0 if sitting >> (turn + 1) % 4 & 1 else deal[hands + (turn + 1) % 4]
    h2 = 0 if sitting >> (turn + 2) % 4 & 1 else deal[hands + (turn + 2) % 4]
    h3 = 0 if sitting >> (turn + 3) % 4 & 1 else deal[hands + (turn + 3) % 4]
    leader = turn
    on_table = deal[ON_TABLE]
    while on_table:
        leader = (leader + 3) % 4
        if not sitting >> leader & 1:
            on_table -= 1
    ours = (leader - deal[MAKER]) % 2 == 0
    winner = (deal[WINNER] - leader) % 4 if deal[LED] else 0
    place, trumps = (turn - leader) % 4, trump_cards(deal[TRUMP])
    tricks = reached(h0, h1, h2, h3, place, deal[BEST], winner, deal[LED], ours, 0b111110, trumps)
    left = count(h0)
    makers = deal[MAKER] % 2
    deal[TRICKS + makers] += tricks
    deal[TRICKS + 1 - makers] += left - tricks
    score_deal(deal, rules)


def sum_of(brought: Row, worth: Row, option: int) -> int:
    """What an option has been worth in all its deals."""
    total = 0
    for each in range(NETS):
        total += brought[NETS * option + each] * worth[each]
    return total


def squares_of(brought: Row, worth: Row, option: int) -> int:
    total = 0
    for each in range(NETS):
        total += brought[NETS * option + each] * worth[each] * worth[each]
    return total


def leave_behind(options: Rows, brought: Row, worth: Row, tries: int, given: int) -> int:
    """Try no more (the action becomes -1) what is worth less than the best beyond doubt; how many
    options are left."""
    best, most, left = -1, 0, 1
    for option in range(tries):
        if options[2 * option] >= 0:
            total = sum_of(brought, worth, option)
            if best < 0 or total > most:
                best, most = option, total
    scatter = given * squares_of(brought, worth, best) - most * most
    for option in range(tries):
        if option != best and options[2 * option] >= 0:
            total = sum_of(brought, worth, option)
            behind, own = most - total, given * squares_of(brought, worth, option) - total * total
            sure = behind * behind * given > DOUBTLESS * (scatter + own)
            if sure and behind * LEAST > given * (worth[NETS - 1] - worth[0]):
                options[2 * option] = -1
            else:
                left += 1
    return left


def evaluate_at(
    deal: Row,
    known: Row,
    bids: Row,
    rules: Row,
    weights: Row,
    options: Rows,
    worth: Row,
    chance: Rows,
    found: Rows,
    scratch: Rows,
    start: Rows,
    target: Rows,
    brought: Rows,
    tries: int,
    worlds: int,
    solves: int,
) -> int:
    """How often each option brings what, over so many deals that agree with what is known.

    ``options``: ``tries`` pairs of action and answer. ``worth`` of each of the ``NETS``, at most some 50,000:
    by it options are left behind, until one is left. ``brought``: for each option how often each
    of the ``NETS`` came. From ``solves`` tricks left on all seats play as if they saw all cards. The
    number of deals that were found.
    """
    seat, given = deal[TURN], 0
    prepare(deal, scratch)
    for _number in range(worlds):
        if not world(deal, known, bids, rules, weights, chance, found, scratch):
            break
        put_in(deal, known, rules, chance, found, seat, start)
        for option in range(tries):
            if options[2 * option] < 0:
                continue
            for at in range(LENGTH):
                target[at] = start[at]
            act(target, rules, options[2 * option])
            if target[PHASE] == PLAY and 5 - target[TRICKS_DONE] <= solves:
                solve_deal(target, rules)
            else:
                play_on(target, rules, weights, seat, options[2 * option + 1])
            brought[NETS * option + net(target, rules, side_of(seat, rules))] += 1
        given += 1
        if given % LOOKS == 0 and leave_behind(options, brought, worth, tries, given) == 1:
            break
    return given


def evaluate(
    deal: Row,
    known: Row,
    bids: Row,
    rules: Row,
    weights: Row,
    options: Rows,
    worth: Row,
    chance: Rows,
    found: Rows,
    scratch: Rows,
    start: Rows,
    target: Rows,
    brought: Rows,
    tries: int,
    worlds: int,
    solves: int,
) -> int:
    """:func:`evaluate_at`, called from outside."""
    return evaluate_at(
        row_at(deal), row_at(known), row_at(bids), row_at(rules), row_at(weights), row_at(options), row_at(worth),
        row_at(chance), row_at(found), row_at(scratch), row_at(start), row_at(target), row_at(brought),
        tries, worlds, solves,
    )  # fmt: skip


def branch_rows(
    deal: Row, known: Row, bids: Row, rules: Row, weights: Row,
    chance: Rows, found: Rows, scratch: Rows, whole: Rows, tried: Rows,
    seat: int, actions: Row, number: int, hands: Rows, points: Rows, nets: Rows, products: Rows, latest: Rows,
) -> int:  # fmt: skip
    """:func:`~games.bots.branches.branch`, called from outside."""
    return branch(
        row_at(deal), row_at(known), row_at(bids), row_at(rules), row_at(weights), row_at(chance), row_at(found),
        row_at(scratch), row_at(whole), row_at(tried), seat, actions, number, row_at(hands), row_at(points),
        row_at(nets), row_at(products), row_at(latest),
    )  # fmt: skip


def shuffle(deal: Rows, rules: Row, chance: Rows) -> None:
    """A new deal; the dealer stays."""
    dealer, players = deal[DEALER], rules[PLAYERS]
    for at in range(LENGTH):
        deal[at] = 0
    deal[DEALER], deal[TURN], deal[PHASE], deal[TRUMP] = dealer, (dealer + 1) % players, BID1, -1
    deal[MAKER] = deal[LONE_MAKER] = deal[LONE_DEFENDER] = -1
    left = rules[PACK]
    for seat in range(players):
        deal[HAND + seat] = picked(chance, left, 5)
        left ^= deal[HAND + seat]
    deal[UP] = picked(chance, left, 1)
    left ^= deal[UP]
    deal[PROPOSED] = count(deal[UP] - 1) // 8
    if deal[PROPOSED] == 4:
        deal[PROPOSED], deal[PHASE], deal[TURN] = -1, BENNY, dealer
    if rules[TAKES_DUMMY]:
        deal[SECOND] = picked(chance, left, 1)
        deal[SECOND + 1] = picked(chance, left ^ deal[SECOND], 1)


def play_deals(rules: Row, weights0: Row, weights1: Row, chance: Rows, deal: Rows, records: Rows, number: int) -> None:
    """:func:`play_deals_at`, called from outside."""
    play_deals_at(
        row_at(rules), row_at(weights0), row_at(weights1), row_at(chance), row_at(deal), row_at(records), number
    )


def play_deals_at(
    rules: Row, weights0: Row, weights1: Row, chance: Rows, deal: Rows, records: Rows, deals: int
) -> None:
    """Deals at 0-0 between rule bots, seats 0 and 2 with the first weights, the dealer random."""
    for number in range(deals):
        deal[DEALER] = below(chance, rules[PLAYERS])
        shuffle(deal, rules, chance)
        while deal[PHASE] != DONE:
            act(deal, rules, choose(deal, rules, weights1 if deal[TURN] & 1 else weights0))
        at = RECORD * number
        maker = deal[MAKER]
        records[at] = -1 if maker < 0 else (maker - deal[DEALER] - 1) % rules[PLAYERS]
        records[at + 1] = deal[UP_STATE]
        records[at + 2] = deal[LONE_MAKER] >= 0
        records[at + 3] = deal[LONE_DEFENDER] >= 0
        records[at + 4] = deal[TRICKS + side_of(maker, rules)] if maker >= 0 else 0
        records[at + 5], records[at + 6], records[at + 7] = deal[POINTS], deal[POINTS + 1], deal[POINTS + 2]
