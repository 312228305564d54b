"""The deal of a day: one for everybody, one attempt each, the same answers to the same actions."""

from __future__ import annotations

import itertools
import random
from datetime import UTC, date, datetime, timedelta

import pytest
from celery import current_app
from django.core.cache import cache
from django.db import IntegrityError, transaction

from games import engine
from games.models import DailyDeal, DailyPlay, Game, Player, RatingChange
from games.selectors import daily as selectors
from games.services import daily
from games.services.errors import StaleVersion, UserError

pytestmark = pytest.mark.django_db

DAY = date(2026, 11, 29)
NOON = datetime(2026, 11, 29, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def sent(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, tuple[int]]]:
    """What workers are told."""
    told: list[tuple[str, tuple[int]]] = []
    monkeypatch.setattr(current_app, "send_task", lambda name, args, **_options: told.append((name, args)))
    cache.clear()
    return told


@pytest.fixture(autouse=True)
def known_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Secrets that are known, and let the player speak first."""
    made = (bytes([number]) * 32 for number in range(256))
    first = (secret for secret in made if speaks_first(secret))
    monkeypatch.setattr("games.services.daily.secrets.token_bytes", lambda _size: next(first))


def speaks_first(secret: bytes) -> bool:
    drawn = daily._drawn(secret, "seats")
    return (drawn.randrange(4) + 1) % 4 == drawn.randrange(4)


@pytest.fixture
def north() -> Player:
    return Player.objects.create_user("North")


@pytest.fixture
def south() -> Player:
    return Player.objects.create_user("South")


def choose(state: engine.DealState, rng: random.Random) -> engine.Action:
    legal = engine.legal_actions(state)
    return rng.choice([action for action in legal if action.kind != "claim"] or list(legal))


def play_on(play: DailyPlay, seed: int, now: datetime = NOON, until: int = 99) -> list[str]:
    """Act by chance until the deal is over; what was done."""
    rng, done = random.Random(seed), []
    assert play.player is not None
    while play.finished_at is None and len(done) < until:
        state = selectors.state_of(play.deal, play)
        assert state.turn == play.deal.seat
        done.append(str(choose(state, rng)))
        play = daily.act(
            player_id=play.player.pk, day=play.deal.day, action=done[-1], version=len(state.history), now=now
        )
    return done


def test_whoever_asks_gets_the_same_deal(north: Player, south: Player) -> None:
    one, other = (daily.start(player_id=player.pk, now=NOON) for player in (north, south))
    assert one.deal == other.deal
    assert DailyDeal.objects.count() == 1
    assert daily.deal_of(DAY).deck == one.deal.deck
    assert daily.deal_of(DAY + timedelta(days=1)).deck != one.deal.deck


def test_of_two_who_make_it_at_once_one_makes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = daily.deal_of(DAY)
    calls = iter([DailyDeal.DoesNotExist()])
    manager_get = DailyDeal.objects.get_queryset().get

    def not_there_yet(self, *args, **kwargs):
        for error in calls:
            raise error
        return manager_get(*args, **kwargs)

    monkeypatch.setattr("django.db.models.query.QuerySet.get", not_there_yet)
    assert daily.deal_of(DAY).deck == kept.deck
    monkeypatch.undo()
    assert DailyDeal.objects.count() == 1
    with pytest.raises(IntegrityError), transaction.atomic():
        DailyDeal.objects.create(day=DAY, rules="article", deck=kept.deck, dealer=0, seat=0, secret=b"")


def test_the_rules_change_with_the_day_and_seats_with_the_secret() -> None:
    deals = [daily.deal_of(DAY + timedelta(days=offset)) for offset in range(30)]
    for deal in deals:
        assert engine.parse_rules(deal.rules).stick_the_dealer == bool(deal.day.day % 2)
        assert sorted(engine.parse_deck(deal.deck)) == sorted(engine.pack())
    assert {deal.seat for deal in deals} == {deal.dealer for deal in deals} == {0, 1, 2, 3}


@pytest.mark.parametrize("seed", range(4))
def test_the_same_actions_get_the_same_answers(north: Player, south: Player, seed: int) -> None:
    one, other = (daily.start(player_id=player.pk, now=NOON) for player in (north, south))
    assert play_on(one, seed) == play_on(other, seed)
    one.refresh_from_db()
    other.refresh_from_db()
    assert (one.actions, one.points) == (other.actions, other.points)
    state = selectors.state_of(one.deal, one)
    side = one.deal.seat % 2
    assert state.phase == "done"
    assert one.points == state.points[side] - state.points[1 - side]
    assert (one.maker, one.trump) == (state.maker, state.trump or "")


def test_who_begins_again_goes_on(north: Player) -> None:
    play = daily.start(player_id=north.pk, now=NOON)
    play_on(play, 1, until=1)
    again = daily.start(player_id=north.pk, now=NOON)
    assert again.pk == play.pk
    assert len(again.actions) > len(play.actions) or not play.actions


def test_what_is_refused_changes_nothing(north: Player, south: Player) -> None:
    play = daily.start(player_id=north.pk, now=NOON)
    state = selectors.state_of(play.deal, play)
    version, legal = len(state.history), str(engine.legal_actions(state)[0])

    def refused(match: str, error: type[UserError] = UserError, **changes) -> None:
        asked = {"player_id": north.pk, "day": DAY, "action": legal, "version": version, "now": NOON} | changes
        with pytest.raises(error, match=match):
            daily.act(**asked)
        assert DailyPlay.objects.get(pk=play.pk).actions == play.actions

    refused("moved on", StaleVersion, version=version + 1)
    refused("moved on", StaleVersion, version=None)
    refused("does not know that action", action="play:XX")
    refused("does not know that action", action="")
    refused("Order the up-card or pass", action="together")
    refused("have not begun this deal", player_id=south.pk)
    refused("have not begun this deal", day=DAY - timedelta(days=1))
    refused("Log in", player_id=0)
    refused("open until the end of the day after", now=NOON + timedelta(days=2))

    daily.act(player_id=north.pk, day=DAY, action=legal, version=version, now=NOON)
    with pytest.raises(StaleVersion):  # the same form once more
        daily.act(player_id=north.pk, day=DAY, action=legal, version=version, now=NOON)


def test_a_finished_deal_stands(north: Player) -> None:
    play = daily.start(player_id=north.pk, now=NOON)
    play_on(play, 2)
    play.refresh_from_db()
    with pytest.raises(StaleVersion, match="your result stands"):
        daily.act(player_id=north.pk, day=DAY, action="pass", version=0, now=NOON)
    assert daily.start(player_id=north.pk, now=NOON).actions == play.actions
    assert not Game.objects.exists()
    assert not RatingChange.objects.exists()


def test_it_may_be_finished_on_the_next_day(north: Player) -> None:
    play = daily.start(player_id=north.pk, now=NOON)
    late = datetime(2026, 11, 30, 23, 59, tzinfo=UTC)
    play_on(play, 3, late)
    play.refresh_from_db()
    assert (play.finished_at, play.deal.day) == (late, DAY)


def test_bots_do_not_play_it() -> None:
    bot = Player.objects.create_user("Clover", bot_level="fill_in")
    with pytest.raises(UserError):
        daily.start(player_id=bot.pk, now=NOON)


def deal_with(day: date, seat: int, dealer: int) -> DailyDeal:
    deal = daily.deal_of(day)
    deal.seat, deal.dealer = seat, dealer
    deal.save()
    return deal


def test_the_switch_beside_a_call_says_who_goes_alone(north: Player) -> None:
    for offset, alone in itertools.product(range(3), (False, True)):
        day = DAY + timedelta(days=2 * offset + alone)
        now = NOON + timedelta(days=2 * offset + alone)
        deal_with(day, seat=1, dealer=0)  # the first to speak
        daily.start(player_id=north.pk, now=now)
        play = daily.act(player_id=north.pk, day=day, action="order_up", version=0, alone=alone, now=now)
        state = selectors.state_of(play.deal, play)
        assert (1 in state.loners) == alone
        assert state.phase in ("play", "done")


def test_a_dealer_is_asked_once_he_has_buried_a_card(north: Player) -> None:
    taken = False
    for offset in range(12):
        day, now = DAY + timedelta(days=offset), NOON + timedelta(days=offset)
        deal_with(day, seat=0, dealer=0)
        play = daily.start(player_id=north.pk, now=now)
        state = selectors.state_of(play.deal, play)
        if state.phase != "bid1":
            continue
        play = daily.act(player_id=north.pk, day=day, action="order_up", version=len(state.history), now=now)
        state = selectors.state_of(play.deal, play)
        assert state.phase == "exchange"
        bury = str(engine.legal_actions(state)[0])
        play = daily.act(player_id=north.pk, day=day, action=bury, version=len(state.history), now=now)
        state = selectors.state_of(play.deal, play)
        assert (state.phase, state.turn) == ("alone", 0)
        taken = True
    assert taken


# --- what came of it ---------------------------------------------------------------------------------


def finish(
    day: date, name: str, points: int, maker: int | None = 0, trump: str = "S", alone: bool = False
) -> DailyPlay:
    player, _made = Player.objects.get_or_create(name_key=name.lower(), defaults={"name": name})
    return DailyPlay.objects.create(
        deal=daily.deal_of(day), player=player, points=points, maker=maker, trump=trump, finished_at=NOON
    )


def test_the_field() -> None:
    deal = daily.deal_of(DAY)
    assert selectors.read_field(deal) is None
    finish(DAY, "A", 2)
    finish(DAY, "B", 2)
    finish(DAY, "C", -2, maker=2, trump="H")
    finish(DAY, "D", 0, maker=None, trump="")
    DailyPlay.objects.create(deal=deal, player=Player.objects.create_user("E"))
    field = selectors.read_field(deal)
    assert field is not None
    assert (field.players, field.mean) == (4, 0.5)
    assert [(net, share.players, share.part) for net, share in field.results] == [(2, 2, 100), (0, 1, 50), (-2, 1, 50)]
    assert [(call.maker, call.trump, call.share.players, call.mean) for call in field.calls] == [
        (0, "S", 2, 2.0),
        (None, "", 1, 0.0),
        (2, "H", 1, -2.0),
    ]
    assert [field.rank(points) for points in (2, 0, -2)] == [1, 3, 4]


def test_days_in_a_row(north: Player) -> None:
    assert selectors.read_streak(north.pk, DAY) == selectors.Streak(0, 0)
    for ago in (1, 2, 5, 6, 7):
        finish(DAY - timedelta(days=ago), "North", 1)
    assert selectors.read_streak(north.pk, DAY) == selectors.Streak(2, 3)
    assert selectors.read_streak(north.pk, DAY + timedelta(days=1)) == selectors.Streak(0, 3)
    finish(DAY, "North", 1)
    assert selectors.read_streak(north.pk, DAY) == selectors.Streak(3, 3)


def test_the_days_before_tell_no_means_that_one_may_not_know_yet(north: Player, django_assert_num_queries) -> None:
    finish(DAY - timedelta(days=2), "A", 2)
    finish(DAY - timedelta(days=1), "A", 2)
    finish(DAY - timedelta(days=1), "B", 4)
    finish(DAY, "A", 1)
    with django_assert_num_queries(2):
        past = selectors.read_past(north.pk, DAY)
    assert [(one.day.day, one.players, one.mean, one.points) for one in past] == [
        (28, 2, None, None),
        (27, 1, 2.0, None),
    ]
    finish(DAY - timedelta(days=1), "North", -3)
    assert [(one.mean, one.points) for one in selectors.read_past(north.pk, DAY)] == [(1.0, -3), (2.0, None)]


def test_a_worker_finds_par_once(sent, django_capture_on_commit_callbacks) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        deal = daily.deal_of(DAY)
    assert sent == [("games.tasks.daily_par", (deal.pk,))]
    daily.ask_for_par(deal)  # asked already
    assert len(sent) == 1
    daily.find_par(deal_id=deal.pk)
    deal.refresh_from_db()
    par = selectors.par_of(deal)
    assert par is not None
    assert {found.maker for found in par.best} == {0, 1, 2, 3}
    assert par.own.maker % 2 == deal.seat % 2
    assert par.own_net >= max(
        found.points[par.side] - found.points[1 - par.side] for found in par.best if found.maker % 2 == par.side
    )
    kept = deal.par
    daily.find_par(deal_id=deal.pk)
    daily.find_par(deal_id=deal.pk + 1)
    deal.refresh_from_db()
    assert deal.par == kept
    cache.clear()
    daily.ask_for_par(deal)
    assert len(sent) == 1


def test_an_account_that_goes_leaves_its_result() -> None:
    play = finish(DAY, "A", 2)
    play.player.delete()
    field = selectors.read_field(play.deal)
    assert field is not None and field.players == 1
