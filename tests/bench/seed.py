"""``python -m tests.bench.seed <tables>``: prepare a site's database. Prints one line of JSON:
for each table its id and the Cookie header of its four players, who are seated and logged in."""

from __future__ import annotations

import json
import os
import sys

import django


def main(count: int) -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "euchre_site.settings")
    django.setup()
    from django.core.management import call_command
    from django.db import transaction

    call_command("migrate", verbosity=0)
    call_command("createcachetable", verbosity=0)
    call_command("collectstatic", verbosity=0, interactive=False)
    with transaction.atomic():  # one for all: nobody else is there yet
        made = [_table(number) for number in range(count)]
    print(json.dumps(made))


def _table(number: int) -> tuple[int, list[str]]:
    from games.models import Player, Table
    from games.services import seating

    players = [Player.objects.create_user(f"{name} {number}") for name in ("North", "East", "South", "West")]
    table_id = seating.open_table(host=players[0], ranked=True, pace=45, rules="article")
    for player in players[1:]:
        seating.sit(table_id=table_id, player_id=player.pk)
    # Games at every stage, so that some end in every second of the run.
    Table.objects.filter(pk=table_id).update(score_0=number % 10, score_1=number // 10 % 10)
    return table_id, [_log_in(player) for player in players]


def _log_in(player: object) -> str:
    from django.conf import settings
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.contrib.sessions.backends.db import SessionStore

    from games.models import Player

    assert isinstance(player, Player)
    session = SessionStore()
    session[SESSION_KEY] = str(player.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = player.get_session_auth_hash()
    session.create()
    return f"{settings.SESSION_COOKIE_NAME}={session.session_key}"


if __name__ == "__main__":
    main(int(sys.argv[1]))
