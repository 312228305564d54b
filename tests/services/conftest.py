"""A table with the fixed cast: north, east, south and west, and a stranger who looks on."""

from __future__ import annotations

import threading
from collections.abc import Callable
from types import SimpleNamespace

import pytest
from django.db import connection
from django.utils import timezone

from games import engine
from games.models import Player, Seat, Table
from games.selectors import tables
from games.services import deals, play, seating
from games.services.row import lock_table, save_row


@pytest.fixture
def cast(db) -> SimpleNamespace:
    names = ("north", "east", "south", "west", "stranger")
    return SimpleNamespace(**{name: Player.objects.create_user(name.title(), "a good long password") for name in names})


@pytest.fixture
def bots_about(db) -> list[Player]:
    return [Player.objects.create_user(name, None, bot_level="fill_in") for name in ("Clover", "Otto", "Hazel")]


@pytest.fixture
def table(cast) -> int:
    """A ranked table at which north (0), east (1), south (2) and west (3) have begun a game."""
    rules = seating.rules_text(stick_the_dealer=False)
    table_id = seating.open_table(host=cast.north, ranked=True, pace=20, rules=rules)
    for index, player in ((1, cast.east), (2, cast.south), (3, cast.west)):
        seating.sit(table_id=table_id, player_id=player.pk, index=index)
    return table_id


@pytest.fixture
def stack_deal() -> Callable[..., None]:
    """Put a known deck and dealer on a table, at the start of a deal."""

    def stack(table_id: int, deck: str, dealer: int) -> None:
        from django.db import transaction

        with transaction.atomic():
            row = lock_table(table_id)
            row.deck, row.dealer, row.actions, row.played_by, row.maker_alone = deck, dealer, "", "", None
            seats = tables.read_seats(table_id)
            deals.follow(row, deals._answered(row, row.deal(), seats), seats, timezone.now())
            save_row(row)

    return stack


def submit(table_id: int, player: Player, action: str, **extra) -> None:
    """Post an action as a browser would, with the version the table shows."""
    version = extra.pop("version", None)
    if version is None:
        version = Table.objects.values_list("version", flat=True).get(pk=table_id)
    play.submit_action(table_id=table_id, player_id=player.pk, action=action, version=version, **extra)


def on_turn(table_id: int) -> Player:
    row = tables.read_row(table_id)
    return Seat.objects.get(table_id=table_id, index=row.turn).player


def choices(table_id: int) -> list[str]:
    return [str(action) for action in engine.legal_actions(tables.read_row(table_id).deal())]


def play_out_deal(table_id: int) -> None:
    """Everybody plays the first legal action until the deal is scored."""
    deal_number = tables.read_row(table_id).deal_number
    while (row := tables.read_row(table_id)).phase in Table.DEALING and row.deal_number == deal_number:
        options = choices(table_id)
        submit(table_id, on_turn(table_id), "order_up" if "order_up" in options else options[0])


def at_once(*calls: Callable[[], object]) -> list[object]:
    """Run the calls at the same moment, each on a connection of its own; results or errors."""
    start = threading.Barrier(len(calls))
    results: list[object] = [None] * len(calls)

    def run(number: int, call: Callable[[], object]) -> None:
        start.wait()
        try:
            results[number] = call()
        except Exception as error:
            results[number] = error
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(number, call)) for number, call in enumerate(calls)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not any(thread.is_alive() for thread in threads), "they wait for each other"
    return results
