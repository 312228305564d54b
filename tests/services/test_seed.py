"""``manage.py seed``: bots, and the demo."""

from __future__ import annotations

from collections import Counter

from django.core.management import call_command

from games import engine
from games.bots import LEVELS
from games.models import Deal, Game, Player, RatingChange, Seat, Table
from games.selectors.games import read_evidence
from games.services import demo


def test_bots_are_created_once_with_their_published_rating(db):
    call_command("seed")
    call_command("seed")
    bots = Player.objects.exclude(bot_level="")
    assert Counter(bots.values_list("bot_level", flat=True)) == {"learner": 4, "club": 4, "strong": 4}
    assert all(not bot.has_usable_password() for bot in bots)
    assert all((bot.rating.mu, bot.rating.sigma) == LEVELS[bot.bot_level].rating for bot in bots)


def test_the_demo_is_played_by_the_rules_and_marked_as_a_demo(db, client, monkeypatch):
    monkeypatch.setattr(demo, "GAMES", 3)
    call_command("seed", demo=True)
    call_command("seed", demo=True)
    assert Game.objects.count() == 3
    assert RatingChange.objects.exists()
    people = Player.objects.filter(bot_level="")
    assert all(person.name.startswith("Demo ") and not person.has_usable_password() for person in people)
    for deal in Deal.objects.select_related("game"):
        rules = engine.parse_rules(deal.game.rules)
        state = engine.replay_deal(rules, deal.dealer, engine.parse_deck(deal.deck), deal.actions)
        assert state.points == (deal.points_0, deal.points_1)
    for game in Game.objects.all():
        assert not any(deal.faults for deal in read_evidence(game).checked)
        assert client.get(f"/tables/{game.table_id}/").status_code == 200
    Seat.objects.filter(table=game.table_id).delete()
    Table.objects.filter(pk=game.table_id).update(roster=1)
    for page in ("", "talk/", "rules/"):
        assert client.get(f"/tables/{game.table_id}/{page}").status_code in (200, 404)
