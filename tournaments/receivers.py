"""What clubs do when something happens in the games' part of the site."""

from __future__ import annotations

from typing import Any

from django.dispatch import receiver
from django.template.loader import render_to_string

from games.signals import (
    HomeBlocks,
    OfferedRules,
    account_ends,
    data_asked,
    game_finished,
    home_shown,
    rules_offered,
)
from tournaments.live.hub import hub, ladder_hub
from tournaments.selectors import clubs as selectors
from tournaments.selectors import event_pages, own_data
from tournaments.selectors import ladders as ladder_pages
from tournaments.services import clubs, farewell, ladders, results
from tournaments.signals import event_changed, ladder_changed


@receiver(account_ends)
def leave_all(player_id: int, **_kwargs: Any) -> None:
    clubs.hand_on_clubs(player_id=player_id)
    farewell.forget_player(player_id=player_id)
    ladders.forget_player(player_id=player_id)


@receiver(rules_offered)
def offer_rules(player_id: int, **_kwargs: Any) -> list[OfferedRules]:
    return [
        OfferedRules(slug, club, kept.id, kept.name, kept.rules)
        for slug, club, kept in selectors.read_rules_of_clubs(player_id)
    ]


@receiver(game_finished)
def game_ends(game_id: int, **_kwargs: Any) -> None:
    results.report_game(game_id=game_id)


@receiver(game_finished)
def ladder_game_ends(game_id: int, **_kwargs: Any) -> None:
    ladders.report_game(game_id=game_id)


@receiver(home_shown)
def show_own_events(player_id: int, **_kwargs: Any) -> HomeBlocks:
    asks, rows = event_pages.read_asks(player_id), event_pages.read_own(player_id)
    return HomeBlocks(_block("events/_calls.html", asks=asks), _block("events/_own_events.html", rows=rows))


@receiver(home_shown)
def show_ladder_errands(player_id: int, **_kwargs: Any) -> HomeBlocks:
    """High what somebody waits for, the rest beside the tables."""
    errands = ladder_pages.read_errands(player_id)
    return HomeBlocks(
        _block("ladders/_calls.html", errands=[each for each in errands if each.urgent]),
        _block("ladders/_errands.html", errands=[each for each in errands if not each.urgent]),
    )


def _block(template: str, **rows: list[Any]) -> str:
    return render_to_string(template, rows) if any(rows.values()) else ""


@receiver(data_asked)
def tell_own_data(player_id: int, **_kwargs: Any) -> dict[str, list[dict[str, Any]]]:
    return own_data.read_own_data(player_id)


@receiver(event_changed)
def show_event(event_id: int, version: int, **_kwargs: Any) -> None:
    hub.publish(event_id, version)


@receiver(ladder_changed)
def show_ladder(ladder_id: int, version: int, **_kwargs: Any) -> None:
    ladder_hub.publish(ladder_id, version)
