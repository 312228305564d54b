"""Deals laid out by hand, for tests that start from a known position."""

from __future__ import annotations

from games.engine import PRESETS, Action, DealState, Rules, apply, legal_actions, pack, parse_action, start_deal

ARTICLE = PRESETS["article"]


def hands(**seats: str) -> dict[int, list[str]]:
    """``hands(s0="JD 9D", s1="AC")``: the cards of some seats."""
    return {int(seat[1]): cards.split() for seat, cards in seats.items()}


def stacked_deck(
    dealer: int, up: str, held: dict[int, list[str]] | None = None, rules: Rules = ARTICLE
) -> tuple[str, ...]:
    """A deck that deals these hands and turns up this card; of the other cards the last of the
    plain order lie in the kitty."""
    held = held or {}
    named = {up, *(card for cards in held.values() for card in cards)}
    rest = [card for card in pack(rules.pack) if card not in named]
    full = {}
    for seat in range(rules.players):
        full[seat] = list(held.get(seat, []))
        while len(full[seat]) < 5:
            full[seat].append(rest.pop(0))
    seats = [(dealer + place) % rules.players for place in range(1, rules.players + 1)]
    sizes = [(3, 2, 3, 2), (2, 3, 2, 3)][rules.packets == "2-3"]
    first = [card for seat, size in zip(seats, sizes, strict=False) for card in full[seat][:size]]
    second = [card for seat, size in zip(seats, sizes, strict=False) for card in full[seat][size:]]
    return (*first, *second, up, *rest)


def deal(
    dealer: int = 3, up: str = "9H", held: dict[int, list[str]] | None = None, rules: Rules = ARTICLE
) -> DealState:
    return start_deal(rules, dealer, stacked_deck(dealer, up, held, rules))


def act(state: DealState, actions: str) -> DealState:
    """Apply actions written in notation."""
    for text in actions.split():
        state = apply(state, parse_action(text))
    return state


def choices(state: DealState) -> set[str]:
    """The legal actions in notation."""
    return {str(action) for action in legal_actions(state)}


def to_the_lead(state: DealState) -> DealState:
    """Nobody goes alone or calls for a card."""
    while state.phase in ("alone", "best"):
        state = act(state, "together" if state.phase == "alone" else "keep")
    return state


def order_of_play(state: DealState) -> list[int]:
    """The seats in the order in which they play to the first trick."""
    seats = []
    while not state.tricks:
        assert state.turn is not None
        seats.append(state.turn)
        state = act(state, str(state.legal[0]))
    return seats


def table_in_play(trump: str, leader: int, held: dict[int, list[str]]) -> DealState:
    """Cards being played with ``leader`` to lead and only these cards held; seat 0 is the maker."""
    state = deal()
    cards = tuple(tuple(held.get(seat, ())) for seat in range(4))
    return state._replace(
        hands=cards,
        phase="play",
        turn=leader,
        legal=tuple(Action("play", card=card) for card in cards[leader]),
        trump=trump,
        maker=0,
        dead=(0,) * 4,
    )


def may_play(trump: str, led: str, hand: str) -> set[str]:
    """What a seat with this hand may play to a card led."""
    state = table_in_play(trump, 0, {0: [led], 1: hand.split()})
    return {text.removeprefix("play:") for text in choices(act(state, f"play:{led}"))}


def who_wins(trump: str, plays: str) -> int:
    """The seat that wins (and leads next) a trick written ``"S0 AH, S1 JH, ..."``."""
    cards = [(int(play[1]), play[3:]) for play in plays.split(", ")]
    state = table_in_play(trump, cards[0][0], {seat: [card] for seat, card in cards})
    for _seat, card in cards:
        state = act(state, f"play:{card}")
    (trick,) = state.tricks
    assert trick.winner == state.turn
    return trick.winner
