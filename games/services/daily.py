"""The deal of a day: made once, played by everybody against the same bots.

A request brings one action of the player; the bots, who think by rules of thumb, answer within it
until it is his turn again or the deal is over. What a bot does follows from the cards, the actions
so far and the secret of the day, so that the same actions get the same answers from everybody.
"""

from __future__ import annotations

import hmac
import logging
import random
import secrets
from datetime import date, datetime
from typing import Final

from celery import current_app
from django.core.cache import cache
from django.db import transaction
from django.utils.translation import gettext as _

from games import engine
from games.bots import analysis, get_bot
from games.engine import Action, DealState
from games.models import DailyDeal, DailyPlay, Player
from games.selectors import daily
from games.services.errors import StaleVersion, UserError
from games.services.play import sentence

log = logging.getLogger(__name__)

DAILY_PAR: Final = "games.tasks.daily_par"

CALLS = ("order_up", "call")
TOGETHER, ALONE = map(engine.parse_action, ("together", "alone"))


def deal_of(day: date) -> DailyDeal:
    """The deal of a day, made by whoever asks first. Of two who ask at once both get the same."""
    secret = secrets.token_bytes(32)
    rules = rules_of(day)
    deck = engine.shuffled(engine.pack(rules.pack), secret, 1)
    drawn = _drawn(secret, "seats")
    deal, made = DailyDeal.objects.get_or_create(
        day=day,
        defaults={
            "rules": engine.format_rules(rules),
            "deck": engine.format_deck(deck),
            "dealer": drawn.randrange(rules.players),
            "seat": drawn.randrange(rules.players),
            "secret": secret,
        },
    )
    if made:
        transaction.on_commit(lambda: ask_for_par(deal))
    return deal


def rules_of(day: date) -> engine.Rules:
    """The site's standard rules; on odd days of the month the dealer is stuck."""
    return engine.PRESETS["tournament_scene" if day.day % 2 else "article"]


def start(*, player_id: int, now: datetime) -> DailyPlay:
    """Deal the hand of today to a player, up to his first decision. Who has begun goes on where he
    was. UserError for who may not play."""
    player = _player(player_id)
    deal = deal_of(daily.day_of(now))
    with transaction.atomic():
        play, made = DailyPlay.objects.get_or_create(deal=deal, player=player, defaults={"started_at": now})
        if made:
            _follow(deal, play, _answered(deal, daily.state_of(deal, play), player, None), now)
    return play


def act(
    *, player_id: int, day: date, action: str, version: int | None, alone: bool = False, now: datetime
) -> DailyPlay:
    """One action of a player in the deal of a day, and all the bots' answers: all of it, or nothing.

    ``version`` is the number of actions that his page showed. ``alone`` is the switch beside a
    call. Locks the play. UserError (StaleVersion among them) with nothing changed.
    """
    player = _player(player_id)
    deal = daily.find_deal(day)
    with transaction.atomic():
        play = DailyPlay.objects.select_for_update().filter(deal=deal, player=player).first() if deal else None
        if deal is None or play is None:
            raise UserError(_("You have not begun this deal. The deal of today is open to you."))
        if play.finished_at is not None:
            raise StaleVersion(_("You have finished this deal, and your result stands. It cannot be played again."))
        if not daily.is_open(deal.day, daily.day_of(now)):
            raise UserError(_("This deal was open until the end of the day after its own. It counts as not finished."))
        state = daily.state_of(deal, play)
        wanted = _parse(action)
        if version != len(state.history):
            raise StaleVersion(_("The deal has moved on since this page was made. This is how it stands now."))
        try:
            state = engine.apply(state, wanted)
        except engine.IllegalAction as error:
            raise UserError(sentence(error)) from error
        _follow(deal, play, _answered(deal, state, player, alone if wanted.kind in CALLS else None), now)
    return play


def ask_for_par(deal: DailyDeal) -> None:
    """Have a worker find par, if none is known and none was asked just now."""
    if deal.par is not None or not cache.add(daily.asked_key(deal.pk), True, daily.PATIENCE):
        return
    try:
        current_app.send_task(DAILY_PAR, (deal.pk,), queue="bots", expires=daily.PATIENCE, retry=False)
    except Exception:  # the broker is away: any of kombu's, redis' or the socket's errors
        log.warning("no worker could be told to find par of the deal of %s", deal.day)


def find_par(*, deal_id: int) -> None:
    """Find and keep what perfect play makes of a deal. Nothing if it is known, or there is none."""
    deal = DailyDeal.objects.filter(pk=deal_id, par__isnull=True).first()
    if deal is None:
        return
    agreed, best = analysis.par(daily.state_of(deal, None))
    found = {"agreed": agreed and agreed._asdict(), "best": [contract._asdict() for contract in best]}
    DailyDeal.objects.filter(pk=deal_id).update(par=found)


def _player(player_id: int) -> Player:
    player = Player.objects.filter(pk=player_id, is_active=True, bot_level="").first()
    if player is None:
        raise UserError(_("Log in to play the deal of the day."))
    return player


def _parse(text: str) -> Action:
    try:
        return engine.parse_action(text)
    except engine.NotationError:
        raise UserError(_("The table does not know that action. Use the buttons on the table.")) from None


def _answered(deal: DailyDeal, state: DealState, player: Player, alone: bool | None) -> DealState:
    """The state after all answers that need no further word of the player: the bots', and his own
    about going alone, on his call by the switch beside it and on those of others as he has set it."""
    bot = get_bot(daily.LEVEL)
    while state.turn is not None:
        if state.turn != deal.seat:
            view = engine.view(state, state.turn)
            state = engine.apply(state, bot.choose(view, _drawn(bytes(deal.secret), f"bot:{len(state.history)}")))
        elif state.phase == "alone" and state.maker == deal.seat and alone is not None:
            state = engine.apply(state, ALONE if alone else TOGETHER)
        elif state.phase == "alone" and state.maker != deal.seat and not player.ask_alone:
            state = engine.apply(state, TOGETHER)
        else:
            break
    return state


def _drawn(secret: bytes, what: str) -> random.Random:
    return random.Random(hmac.digest(secret, what.encode(), "sha256"))


def _follow(deal: DailyDeal, play: DailyPlay, state: DealState, now: datetime) -> None:
    """Write the record of a locked play, and once the deal is over what came of it."""
    play.actions = engine.format_actions(action for _seat, action in state.history)
    if state.phase == "done":
        side = state.rules.side(deal.seat)
        play.points = state.points[side] - state.points[1 - side]
        play.maker, play.trump = state.maker, state.trump or ""
        play.alone = state.maker in state.loners
        play.finished_at = now
    play.save()
