"""The felt under every preset and any house rules: two, three and four seats, every phase."""

from __future__ import annotations

import random
import re

import pytest

from games import engine
from games.engine import PRESETS, Rules, view
from games.live import felt
from games.templatetags.euchre import card_name
from tests.engine.any_rules import random_rules
from tests.web import snapshots
from tests.web.test_felt import Markup

PHASES = {"swap", "benny", "bid1", "bid2", "exchange", "dummy", "alone", "best", "play", "done"}
NAMES = {card: card_name(card).lower() for card in engine.pack(33)}
WEAK = Rules(weak_hand="farmers_swap"), Rules(weak_hand="farmers_redeal", pack=32)


def shown_as(deal: engine.DealState):
    """The deal at a table with its number of seats."""
    rules = deal.rules
    seats = snapshots.SEATS[: rules.players]
    return snapshots.table(deal, ranked=False, seats=seats, score=(6, 7, 5)[: rules.sides])


def deals(count: int):
    """Every state of random deals under presets, weak hands and random rules."""
    rng = random.Random(6)
    for number in range(count):
        rules = [*PRESETS.values(), *WEAK][number] if number < len(PRESETS) + 2 else random_rules(rng)
        yield from snapshots.playouts(1, seed=number, rules=rules)
    yield from weak_deals()
    yield from snapshots.playouts(2, rules=Rules(players=2, alone_who="none", two_handed_dummy=2))
    for joker_up in ("dealer_blind", "dealer_sees", "hearts"):
        rules = Rules(pack=25, joker_up=joker_up)
        cards = [card for card in engine.pack(25) if card != engine.BENNY]
        yield engine.start_deal(rules, 1, [*cards[:20], engine.BENNY, *cards[20:]])


def weak_deals():
    for rules in WEAK:
        low = [card for card in engine.pack(rules.pack) if card[0] in "9T"][:5]
        rest = [card for card in engine.pack(rules.pack) if card not in low]
        deal = engine.start_deal(rules, 3, [*low[:3], *rest[:7], *low[3:], *rest[7:]])
        assert str(deal.legal[-1]) == "declare"
        while deal.legal:
            yield deal
            deal = engine.apply(deal, next((a for a in deal.legal if a.kind == "declare"), deal.legal[-1]))
        yield deal


def said_alone(move: str) -> str:
    """The same call with the switch for going alone (O20)."""
    kind, _, suit = move.partition(":")
    return f"{kind}_alone:{suit}" if suit else f"{kind}_alone"


def places(deal: engine.DealState) -> list[int | None]:
    return [None, *range(deal.rules.players)]


def names(frame: str, cards: set[str]) -> list[str]:
    """Which of these cards a frame names: by their code, as it is or in an action, or in words."""
    words = frame.lower()
    return [
        card
        for card in cards
        if f'"{card}"' in frame or NAMES[card] in words or (f":{card}" in frame and re.search(rf":{card}\b", frame))
    ]


def test_every_phase_is_shown_with_exactly_its_legal_actions_and_no_card_that_its_place_may_not_know():
    seen = set()
    hidden_cards = 0
    for deal in deals(30):
        table = shown_as(deal)
        for place in places(deal):
            frame = felt.render(table, place)
            known = set(re.findall(r"'([7-9TJQKA][CDHS]|B)'", repr(view(deal, place))))
            hidden = set(engine.pack(deal.rules.pack)) - known
            hidden_cards += len(hidden)
            shown = names(frame, hidden)
            assert not shown, (deal.rules, deal.phase, place, shown)
            if deal.phase == "weak":
                continue  # no table ever stands there: the question would tell who is asked
            seen.add(deal.phase)
            markup = Markup(frame)
            moves = markup.moves()
            if any("alone" in form["fields"] for form in markup.forms):
                moves |= {said_alone(move) for move in moves} & set(map(str, deal.legal))
            legal = {str(action) for action in deal.legal} if place is not None and place == deal.turn else set()
            assert moves == legal, (deal.rules, deal.phase, place)
    assert seen == PHASES
    assert hidden_cards > 1000


@pytest.mark.parametrize(("preset", "positions"), [("two_handed", "ns"), ("three_handed", "swe"), ("british", "nswe")])
def test_each_player_has_his_place_and_the_viewer_sits_south(preset, positions):
    deal = next(snapshots.playouts(1, rules=PRESETS[preset]))
    for place in range(deal.rules.players):
        frame = felt.render(shown_as(deal), place)
        assert set(re.findall(r'id="seat-([A-Z])"', frame)) == set(positions.upper())
        assert "You" in re.search(r'<section id="seat-S".*?</section>', frame, re.DOTALL).group()


def test_three_players_have_three_scores_and_two_sides_of_tricks():
    for deal in snapshots.playouts(3, rules=PRESETS["three_handed"]):
        frame = felt.render(shown_as(deal), 1)
        assert 'aria-label="Score, first to 10: You 7, Priya 5, Marta 6"' in frame
        if deal.trump and deal.tricks and deal.phase == "play":
            maker = "You" if deal.maker == 1 else snapshots.NAMES[deal.maker]
            count = deal.tricks_won[deal.maker]
            assert f'aria-label="Tricks: {maker} {count}, Defenders {len(deal.tricks) - count}"' in frame


@pytest.mark.parametrize("preset", PRESETS)
def test_the_end_of_a_game_is_told_to_every_place(preset):
    rules = PRESETS[preset]
    rng = random.Random(preset)
    score, lines, dealer = (0,) * rules.sides, [], 0
    while (won := engine.winner(score, rules)) is None:
        deck = list(engine.pack(rules.pack))
        rng.shuffle(deck)
        deal = snapshots.to_the_end(engine.start_deal(rules, dealer, deck), rng.randrange(999))
        score = tuple(map(sum, zip(score, deal.points, strict=True)))
        lines.append(snapshots.DealLine(len(lines) + 1, deal.points, score))
        dealer = engine.dealer_after(deal)
    ratings = tuple(snapshots.RatingLine(seat, None, None, None, None, False) for seat in range(rules.players))
    ended = snapshots.GameOver(won, tuple(lines), ratings)
    table = snapshots.table(
        deal, phase="over", ranked=False, score=score, over=ended, seats=snapshots.SEATS[: rules.players]
    )
    for place in places(deal):
        frame = felt.render(table, place)
        title = re.search(r'id="over-h"[^>]*>([^<]+)<', frame).group(1)
        assert str(score[won]) in title
        assert frame.count('class="race__us"') == 1
        assert frame.count('class="race__them"') == rules.sides - 1
