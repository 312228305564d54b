"""Replays of games by other rules: two, three and four seats, every kind of move."""

from __future__ import annotations

import random

import pytest
from django.test import Client
from django.urls import reverse

from games import engine
from games.models import Game, Table
from games.selectors.games import find_game, read_replay
from games.selectors.players import read_games
from tests.services.conftest import cast  # noqa: F401
from tests.services.test_variants import begin, play_out  # noqa: F401
from tests.web.test_replay import Felt

pytestmark = pytest.mark.django_db

RULES = [
    *(engine.PRESETS[name] for name in ("british", "pack32", "two_handed", "three_handed", "railroad")),
    engine.Rules(alone_timing="with_call", no_trump="round2", weak_hand="ace_no_face", all_pass_penalty=1,
                 stick_the_dealer=True),
    engine.Rules(canadian_loner=True, weak_hand="farmers_swap", laps=True, target_score=5),
    engine.Rules(players=2, alone_who="none", two_handed_dummy=2, num_deals=4, pack=33, joker_up="spades"),
]  # fmt: skip


@pytest.mark.parametrize("rules", RULES, ids=engine.format_rules)
def test_every_deal_is_replayed_with_all_its_cards(rules, begin):  # noqa: F811
    table_id = begin(rules)
    play_out(table_id, random.Random(2))
    game = Game.objects.get(live_table=table_id)
    client = Client()
    kinds = set()
    for deal in game.deals.all():
        shown = read_replay(find_game(game.pk), deal.number).deal
        kinds |= {move.action.kind for move in shown.moves}
        start = engine.start_deal(rules, deal.dealer, engine.parse_deck(deal.deck))
        for step in (0, shown.up_until, shown.last_step):
            page = client.get(f"{reverse('game', args=[game.pk])}?deal={deal.number}&step={step}")
            assert page.status_code == 200
            felt = Felt(page.content.decode())
            if step == 0:
                assert felt.held == {card for hand in start.hands for card in hand}
                assert felt.mat == {start.up_card}
        last = {card for card, held in held_at(shown, shown.last_step).items() if held}
        assert last >= {
            card for seat, hand in enumerate(shown.final.hands) for card in hand if seat not in shown.final.sitting_out
        }
    assert {"play", "order_up"} & kinds
    assert client.get(reverse("game_record", args=[game.pk])).status_code == 200
    assert client.get(reverse("game_egn", args=[game.pk])).status_code in (200, 302)


def held_at(shown, step: int) -> dict[str, bool]:
    held: dict[str, bool] = {}
    for hand in shown.hands:
        for card in hand:
            held[card.card] = held.get(card.card, False) or card.since <= step < card.gone
    return held


def test_a_loners_new_card_comes_from_his_partner_in_one_step(begin):  # noqa: F811
    rng = random.Random(5)
    for _ in range(60):
        table_id = begin(engine.PRESETS["railroad"])
        play_out(table_id, rng)
        game = Game.objects.get(live_table=table_id)
        for deal in game.deals.filter(actions__contains="give:"):
            shown = read_replay(find_game(game.pk), deal.number).deal
            gift = next(move for move in shown.moves if move.action.kind == "give")
            loner = (gift.seat + 2) % 4
            new = next(card for card in shown.hands[loner] if card.card == gift.action.card)
            assert new.since == gift.step
            return
        Table.objects.filter(pk=table_id).update(phase=Table.Phase.CLOSED)
        game.live_table.seats.update(held=False)
    raise AssertionError("nobody called for the best card in sixty games")


@pytest.mark.parametrize("preset", ["two_handed", "three_handed"])
def test_a_past_game_without_partners_names_all_others_as_opponents(preset, begin, cast):  # noqa: F811
    rules = engine.PRESETS[preset]
    table_id = begin(rules)
    row = play_out(table_id, random.Random(3))
    past = read_games(cast.north, people_only=False, number=1).games[0]
    others = (cast.east, cast.south)[: rules.players - 1]
    assert (past.partnered, past.partner, past.opponents) == (False, None, others)
    assert (past.ours, *past.theirs) == row.score
    page = Client().get(reverse("player", args=["North"])).content.decode()
    assert "–".join(map(str, row.score)) in page
