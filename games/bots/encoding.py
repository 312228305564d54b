"""Deals, views, rules and actions of the engine as rows of integers (:mod:`games.bots.layout`) and back."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from games.bots import layout, search
from games.bots.layout import in_order
from games.engine import BENNY, Action, Card, DealState, Rules, SeatView, Trump
from games.engine.actions import ACTIONS, CALL, CALL_ALONE, DISCARD, GIVE, PLAY
from games.engine.cards import BIT, CARDS, PACK_MASK, TRUMPS, mask

_PHASES = {
    "benny": layout.BENNY,
    "bid1": layout.BID1,
    "exchange": layout.EXCHANGE,
    "bid2": layout.BID2,
    "dummy": layout.DUMMY,
    "alone": layout.ALONE,
    "play": layout.PLAY,
    "done": layout.DONE,
}
_UP_STATES = {"up": 0, "taken": 1, "declined": 2, "turned_down": 3, "given": 4}
_NAMES = {
    "pass": layout.PASS,
    "order_up": layout.ORDER_UP,
    "order_up_alone": layout.ORDER_UP_ALONE,
    "decline": layout.DECLINE,
    "alone": layout.GO_ALONE,
    "together": layout.TOGETHER,
    "keep": layout.KEEP,
    "claim": layout.CLAIM,
}
_SIMPLE = {code: ACTIONS[name] for name, code in _NAMES.items()}

BITS: tuple[dict[Card, int], ...] = tuple(
    {card: in_order(BIT[card], number) for card in CARDS if card != BENNY or number < 4} for number in range(5)
)
"""``BITS[trump][card]``: each card as its bit in the order of trump."""
_CARDS: tuple[dict[int, Card], ...] = tuple({bit: card for card, bit in bits.items()} for bits in BITS)
NUMBER: dict[Trump, int] = {trump: number for number, trump in enumerate(TRUMPS)}


@lru_cache(maxsize=256)
def rules_row(rules: Rules) -> tuple[int, ...]:
    return (
        rules.players,
        rules.sides,
        PACK_MASK[rules.pack],
        int(rules.stick_the_dealer),
        rules.all_pass_penalty,
        int(rules.turned_down_callable),
        ("off", "dealer", "any").index(rules.must_have_trump),
        int(rules.dealer_exchange == "optional"),
        ("off", "round2", "stuck_dealer").index(rules.no_trump),
        ("none", "maker_only", "maker_side", "any").index(rules.alone_who),
        int(rules.alone_with_call),
        int(rules.canadian_loner),
        ("off", "vs_loner", "any").index(rules.defend_alone),
        int(rules.partners_best),
        int(rules.lone_lead == "left_of_dealer"),
        int(rules.lone_defender == "4"),
        rules.lone_euchred,
        int(rules.super_euchre),
        rules.two_handed_dummy,
        int(rules.claim),
        rules.target_score,
        rules.num_deals,
        int(rules.joker_up == "dealer_blind"),
        int(bool(rules.num_deals) or rules.laps),
    )


def cards_row(cards: Iterable[Card], trump: Trump | None) -> int:
    """Cards as bits, in the engine's order while no trump is fixed."""
    if trump is None:
        return mask(cards)
    bits = BITS[NUMBER[trump]]
    return sum([bits[card] for card in cards])


def cards_of(row: int, trump: Trump | None) -> list[Card]:
    """The cards of some bits."""
    if trump is not None:
        row = layout.out_of_order(row, NUMBER[trump])
    found = []
    while row:
        found.append(CARDS[(row & -row).bit_length() - 1])
        row &= row - 1
    return found


def view_row(view: SeatView) -> list[int]:
    """What a seat knows: the hands of others are empty. Not for weak hands (O13)."""
    row = _public(view, view.turn)
    if view.seat is not None:
        row[layout.HAND + view.seat] = cards_row(view.hand, view.trump)
        row[layout.DEAD + view.seat] = cards_row(view.put_away, view.trump)
    return row


def deal_row(state: DealState, score: tuple[int, ...] = ()) -> list[int]:
    """A whole deal. Not for weak hands (O13)."""
    row = _public(state, state.turn)
    for seat, hand in enumerate(state.hands):
        row[layout.HAND + seat] = cards_row(hand, state.trump)
    for seat, card in state.put_away:
        row[layout.DEAD + seat] |= cards_row((card,), state.trump)
    for place, card in enumerate(state.kitty[:2]):
        row[layout.SECOND + place] = cards_row((card,), state.trump)
    for side, points in enumerate(score):
        row[layout.SCORE + side] = points
    return row


def _public(at: SeatView | DealState, turn: int | None) -> list[int]:
    rules, trump, sides = at.rules, at.trump, at.rules.sides
    row = [0] * layout.LENGTH
    proposed = rules.proposed_suit(at.up_card)
    row[layout.PROPOSED] = NUMBER[proposed] if proposed else -1
    row[layout.UP] = cards_row((at.up_card,), trump)
    row[layout.UP_STATE] = _UP_STATES[at.up_card_state]
    if at.phase == "best":
        row[layout.PHASE] = layout.BEST_OUT if turn in at.loners else layout.BEST_IN
    else:
        row[layout.PHASE] = _PHASES[at.phase]
    row[layout.TURN] = -1 if turn is None else turn
    row[layout.TRUMP] = -1 if trump is None else NUMBER[trump]
    row[layout.MAKER] = -1 if at.maker is None else at.maker
    row[layout.LONE_MAKER] = row[layout.LONE_DEFENDER] = -1
    for loner in at.loners:
        assert at.maker is not None
        row[layout.LONE_MAKER if loner % 2 == at.maker % 2 else layout.LONE_DEFENDER] = loner
    for seat in at.sitting_out:
        row[layout.SITTING] |= 1 << seat
    row[layout.DEALER] = at.dealer
    for seat, action in at.history:
        row[layout.PASSES] += action.kind == "pass"
        row[layout.GAVE] |= action.kind == "give" and seat == at.dealer
    for side in range(sides):
        row[layout.TRICKS + side], row[layout.POINTS + side] = at.tricks_won[side], at.points[side]
        if isinstance(at, SeatView):
            row[layout.SCORE + side] = at.score[side]
    row[layout.TRICKS_DONE] = len(at.tricks)
    if trump is not None:
        row[layout.PACK_IN_ORDER] = in_order(PACK_MASK[rules.pack], NUMBER[trump])
        _table(row, BITS[NUMBER[trump]], at, rules.players)
    return row


def _table(row: list[int], bits: dict[Card, int], at: SeatView | DealState, players: int) -> None:
    trumps = layout.trump_cards(row[layout.TRUMP])
    for plays in (*[trick.plays for trick in at.tricks], at.trick):
        led = best = winner = 0
        for seat, card in plays:
            bit = bits[card]
            row[layout.PLAYED] |= bit
            if not led:
                led, best, winner = search.suit_of(bit), bit, seat
                continue
            if not bit & led:
                row[layout.VOID + seat] |= led
                row[layout.THREW + seat] |= search.suit_of(bit)
            if bit & (led | trumps) > best:
                best, winner = bit, seat
        if plays is at.trick:
            row[layout.LED], row[layout.BEST], row[layout.WINNER] = led, best, winner
            row[layout.ON_TABLE] = len(plays)


def code_of(action: Action, trump: Trump | None) -> int:
    """An action as an integer; ``trump``: of the deal when it is done."""
    if action.card is not None:
        assert trump is not None
        return layout.CARD + BITS[NUMBER[trump]][action.card].bit_length() - 1
    if action.suit is not None:
        return (layout.CALL_ALONE if action.kind == "call_alone" else layout.CALL) + NUMBER[action.suit]
    return _NAMES[action.kind]


def action_of(code: int, trump: Trump | None, phase: str) -> Action:
    """The action of an integer in this phase of a deal."""
    if code >= layout.CARD:
        assert trump is not None
        card = _CARDS[NUMBER[trump]][1 << code - layout.CARD]
        return PLAY[card] if phase == "play" else GIVE[card] if phase == "give" else DISCARD[card]
    if code in _SIMPLE:
        return _SIMPLE[code]
    if code >= layout.CALL_ALONE:
        return CALL_ALONE[TRUMPS[code - layout.CALL_ALONE]]
    return CALL[TRUMPS[code - layout.CALL]]
