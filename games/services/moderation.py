"""What staff may do to a game: end a broken one, take its rating changes back. Everything asks
for a reason, is written down, and can be reversed."""

from __future__ import annotations

from collections.abc import Callable

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from games import ratings
from games.models import Game, Participation, Player, Rating, RatingChange, Seat, StaffAction, Table
from games.ratings import Skill
from games.selectors import tables
from games.services import deals, offers, waiting
from games.services.errors import UserError
from games.services.row import lock_table, save_row


def end_game(*, by: Player, game_id: int, reason: str) -> None:
    """End a running game without a result; its table closes and its players are free.

    Locks the table, then the game. UserError for others than staff, without a reason, or if the
    game is not running.
    """
    _check(by, reason)
    with transaction.atomic():
        table_id = _table_of(game_id)
        row = lock_table(table_id)
        game = _locked(game_id, Game.Status.PLAYING, _("That game is not running."))
        game.status, game.finished_at = Game.Status.ENDED, timezone.now()
        game.score_0, game.score_1, game.score_2 = row.score_0, row.score_1, row.score_2
        game.save(update_fields=["status", "finished_at", "score_0", "score_1", "score_2"])
        Seat.objects.filter(table_id=table_id).update(held=False)
        row.phase, row.turn, row.due_at = Table.Phase.CLOSED, None, None
        row.roster += 1
        save_row(row)
        _note(game, StaffAction.Kind.END, by, reason)


def resume_game(*, by: Player, game_id: int, reason: str) -> None:
    """Let a game that staff ended go on where it was. Bots keep the seats of players who sit
    elsewhere by now; they can take them back. Locks the table, then the game."""
    _check(by, reason)
    with transaction.atomic():
        row = lock_table(_table_of(game_id))
        game = _locked(game_id, Game.Status.ENDED, _("Only a game that staff have ended can go on."))
        if row.game_id != game.pk or row.phase != Table.Phase.CLOSED:
            raise UserError(_("The table of that game has moved on."))
        game.status, game.finished_at = Game.Status.PLAYING, None
        game.save(update_fields=["status", "finished_at"])
        now = timezone.now()
        for part in Participation.objects.filter(game=game, player__isnull=False):  # who has got up meanwhile
            Seat.objects.filter(table_id=row.id, index=part.seat, player=None).update(
                player_id=part.player_id, bot_since=now, left_at=now
            )
        if Seat.objects.filter(table_id=row.id, player=None).exists():
            raise UserError(_("Somebody of that game has no account any more."))
        for seat in Seat.objects.filter(table_id=row.id, player__bot_level="", bot_since=None):
            try:
                with transaction.atomic():
                    Seat.objects.filter(pk=seat.pk).update(held=True, seen_at=now, lost_at=None, missed=0)
            except IntegrityError:
                Seat.objects.filter(pk=seat.pk).update(bot_since=now)
        row.roster += 1
        deals.go_on(row, tables.read_seats(row.id), now)
        offers.weigh(row, now)
        save_row(row)
        _note(game, StaffAction.Kind.RESUME, by, reason)


def void_ratings(*, by: Player, game_id: int, reason: str) -> None:
    """Take the rating changes of a finished game back. Later games keep what they did.

    Locks the game, then the ratings in the order of their players. UserError if there is
    nothing to take back.
    """
    _check(by, reason)
    with transaction.atomic():
        game = _locked(game_id, Game.Status.FINISHED, _("Only a finished game has rating changes."))
        if game.voided_at is not None or not game.ranked:
            raise UserError(_("That game has no rating changes to take back."))
        game.voided_at = timezone.now()
        game.save(update_fields=["voided_at"])
        _move_ratings(game, ratings.take_back, voided=True)
        waiting.give_back(game)
        _note(game, StaffAction.Kind.VOID, by, reason)


def restore_ratings(*, by: Player, game_id: int, reason: str) -> None:
    """Put rating changes that were taken back into force again: the exact reverse of
    :func:`void_ratings`, with the same locks."""
    _check(by, reason)
    with transaction.atomic():
        game = _locked(game_id, Game.Status.FINISHED, _("Only a finished game has rating changes."))
        if game.voided_at is None:
            raise UserError(_("The rating changes of that game are in force."))
        game.voided_at = None
        game.save(update_fields=["voided_at"])
        _move_ratings(game, ratings.put_back, voided=False)
        waiting.charge_again(game)
        _note(game, StaffAction.Kind.RESTORE, by, reason)


def _check(by: Player, reason: str) -> None:
    if not (by.is_active and by.is_staff):
        raise UserError(_("Only the staff of this site can do that."))
    if not reason.strip():
        raise UserError(_("Say why: players can ask for the reason."))


def _table_of(game_id: int) -> int:
    table_id = Game.objects.filter(pk=game_id).values_list("table_id", flat=True).first()
    if table_id is None:
        raise UserError(_("There is no such game, or its table is gone."))
    return table_id


def _locked(game_id: int, status: str, otherwise: str) -> Game:
    game = Game.objects.select_for_update().filter(pk=game_id).first()
    if game is None or game.status != status:
        raise UserError(otherwise)
    return game


def _move_ratings(game: Game, move: Callable[[Skill, Skill, Skill], Skill], *, voided: bool) -> None:
    changes = list(RatingChange.objects.filter(participation__game=game, voided=not voided).order_by("player_id"))
    held = {
        rating.player_id: rating
        for rating in Rating.objects.select_for_update()
        .filter(player__in=[change.player_id for change in changes])
        .order_by("player_id")
    }
    for change in changes:
        rating = held[change.player_id]
        now = move(
            Skill(rating.mu, rating.sigma),
            Skill(change.mu_before, change.sigma_before),
            Skill(change.mu_after, change.sigma_after),
        )
        rating.mu, rating.sigma, rating.updated_at = now.mu, now.sigma, timezone.now()
        change.voided = voided
    Rating.objects.bulk_update(held.values(), ["mu", "sigma", "updated_at"])
    RatingChange.objects.bulk_update(changes, ["voided"])


def _note(game: Game, kind: str, by: Player, reason: str) -> None:
    StaffAction.objects.create(game=game, kind=kind, by=by, reason=reason.strip()[:500])
