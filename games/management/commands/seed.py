"""``manage.py seed``: the bots, and with ``--demo`` a small demo. Safe to repeat."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from games.models import Player
from games.names import name_key
from games.services import demo
from games.services.results import ensure_ratings

BOTS = {
    "learner": ("Clover", "Otto", "Poppy", "Wren"),
    "club": ("Hazel", "Juniper", "Rufus", "Mabel"),
    "strong": ("Basil", "Bramble", "Linden", "Sage"),
}
"""By level: enough for a table with a bot in every seat but one, and one who sits elsewhere."""


class Command(BaseCommand):
    help = "Create the bots that are missing."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--demo", action="store_true", help="also some players with finished games")

    def handle(self, *args: Any, **options: Any) -> None:
        there = set(Player.objects.values_list("name_key", flat=True))
        for level, names in BOTS.items():
            for name in names:
                if name_key(name) not in there:
                    Player.objects.create_user(name, bot_level=level)
        ensure_ratings(Player.objects.exclude(bot_level=""))
        if options["demo"]:
            demo.create(timezone.now())
