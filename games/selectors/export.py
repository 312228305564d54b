"""Everything that is stored about somebody, for himself: as JSON, bit by bit.

Of others it holds their names and nothing else: no address, no message, no block of theirs. Of secrets
(the password, tokens, second factors) it tells that they are there. Running games are named without
their cards. A hundred games at a time, at a constant number of queries each.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.core.serializers.json import DjangoJSONEncoder

from games.models import (
    Block,
    DailyPlay,
    Friendship,
    Game,
    Message,
    Participation,
    Player,
    Rating,
    RatingChange,
    Report,
    RuleSet,
    SameAddress,
    Sanction,
    Seat,
    Token,
)
from games.selectors import games as replays
from games.signals import data_asked

BATCH = 100
"""Games, messages and the like read at once."""

COUNTED = (
    "deals", "calls", "calls_made", "euchred", "euchres", "marches", "loners_tried", "loners_made",
)  # fmt: skip


def read_export(player: Player) -> Iterator[str]:
    """The text in pieces; put together it is one JSON object."""
    yield "{"
    for number, (name, value) in enumerate(_parts(player)):
        yield f"{',' if number else ''}\n{json.dumps(name)}: "
        if isinstance(value, Iterator):
            yield "["
            for place, item in enumerate(value):
                yield f"{',' if place else ''}\n{_json(item)}"
            yield "]"
        else:
            yield _json(value)
    yield "\n}\n"


def _json(value: Any) -> str:
    return json.dumps(value, cls=DjangoJSONEncoder, ensure_ascii=False)


def _parts(player: Player) -> Iterator[tuple[str, Any]]:
    yield "about", "Everything this site stores about you. Times are UTC."
    yield "profile", _profile(player)
    yield "rating", Rating.objects.filter(player=player).values("mu", "sigma", "updated_at").first()
    yield "rule_sets", list(RuleSet.objects.filter(owner=player).values("name", "rules"))
    yield "seats", list(Seat.objects.filter(player=player).values("table", "index", "held", "left_at"))
    yield "friends", list(_friends(player))
    yield (
        "blocks",
        [
            {"name": block.blocked.name, "seats": block.seats, "at": block.at}
            for block in Block.objects.filter(player=player).select_related("blocked").order_by("pk")
        ],
    )
    yield "tokens", list(Token.objects.filter(player=player).values("name", "tail", "made_at", "used_at"))
    yield (
        "sanctions",
        list(
            Sanction.objects.filter(player=player).values(
                "kind", "reason", "at", "until", "seen_at", "lifted_at", "lifted_why"
            )
        ),
    )
    yield (
        "reports_made",
        list(
            Report.objects.filter(reporter=player).values(
                "reported__name", "table", "game", "deal_number", "reason", "words", "at", "closed_at"
            )
        ),
    )
    yield "shared_addresses", list(SameAddress.objects.filter(player=player).values("game", "watching", "at"))
    yield (
        "daily_deals",
        list(
            DailyPlay.objects.filter(player=player)
            .order_by("pk")
            .values("deal__day", "actions", "points", "started_at", "finished_at")
        ),
    )
    for _receiver, answer in data_asked.send(Player, player_id=player.pk):
        yield from answer.items()
    yield "messages", _messages(player)
    yield "games", _games(player)


def _profile(player: Player) -> dict[str, Any]:
    shown = (
        "name", "email", "guest", "date_joined", "last_login", "seen_at", "language", "looks", "ask_alone", "leaves",
        "leaves_at", "is_staff", "is_active",
    )  # fmt: skip
    return {name: getattr(player, name) for name in shown} | {
        "has_password": player.has_usable_password(),
        "emails": list(EmailAddress.objects.filter(user=player).values("email", "verified", "primary")),
        "second_factors": list(Authenticator.objects.filter(user=player).values("type", "created_at", "last_used_at")),
    }


def _friends(player: Player) -> Iterator[dict[str, Any]]:
    for asked, of in (("me", "asked"), ("them", "asker")):
        own = {"asker" if asked == "me" else "asked": player}
        for friend in Friendship.objects.filter(**own).select_related(of).order_by("pk"):
            yield {
                "name": getattr(friend, of).name,
                "asked_by": asked,
                "asked_at": friend.asked_at,
                "accepted_at": friend.accepted_at,
            }


def _messages(player: Player) -> Iterator[dict[str, Any]]:
    columns = ("id", "table", "game", "room", "phrase", "text", "at", "hidden_at")
    yield from _batches(Message.objects.filter(sender=player).values(*columns), lambda row: row["id"])


def _batches(rows: Any, key: Any) -> Iterator[Any]:
    last = 0
    while batch := list(rows.filter(pk__gt=last).order_by("pk")[:BATCH]):
        yield from batch
        last = key(batch[-1])


def _games(player: Player) -> Iterator[dict[str, Any]]:
    """Oldest first, with their records."""
    last = 0
    while True:
        own = Participation.objects.filter(player=player, pk__gt=last).select_related("game").order_by("pk")
        parts = list(own[:BATCH])
        if not parts:
            return
        last = parts[-1].pk
        yield from _told(parts)


def _told(parts: Iterable[Participation]) -> Iterator[dict[str, Any]]:
    games = {part.game_id: part.game for part in parts}
    changes = RatingChange.objects.in_bulk([part.pk for part in parts])
    texts = replays.read_records(list(games.values()))
    for part in parts:
        game, change = games[part.game_id], changes.get(part.pk)
        over = game.status != Game.Status.PLAYING
        yield {
            "game": game.pk,
            "status": game.status,
            "ranked": game.ranked,
            "rules": game.rules,
            "seconds_a_move": game.pace,
            "started_at": game.started_at,
            "finished_at": game.finished_at,
            "taken_back_at": game.voided_at,
            "won_by_leave": game.won_by_leave,
            "score": [game.score_0, game.score_1, game.score_2] if over else None,
            "seat": part.seat,
            "won": part.won,
            "left": part.left,
            "program": part.program,
            "counts": {name: getattr(part, name) for name in COUNTED},
            "rating": None
            if change is None
            else {
                "before": [change.mu_before, change.sigma_before],
                "after": [change.mu_after, change.sigma_after],
                "taken_back": change.voided,
            },
            "record": texts.get(game.pk),
        }
