"""Who stands on a ladder: partners find each other, directors enter lists, pairs leave."""

from __future__ import annotations

from typing import Final

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.utils import translation
from django.utils.translation import gettext as _

from games.models import Player
from games.services.errors import UserError
from tournaments.models import Ladder, LadderAsk, LadderPair, Membership
from tournaments.services import pasted
from tournaments.services.book import NotAllowed
from tournaments.services.ladders.desk import Desk, Kind, count_change, open_desk
from tournaments.services.ladders.matches import being_played, call_off, open_matches
from tournaments.services.pasted import key_of

PAIRS: Final = 500
"""Pairs that may stand on one ladder."""


def ask_partner(*, ladder_id: int, by: int, to: int) -> bool:
    """Ask another member to join as a pair; whether they stand on the ladder now, because he had asked
    too. Locks both players and the ladder. Asked already, nothing changes."""
    if by == to:
        raise UserError(_("A pair is two people. Choose somebody else."))
    with open_desk(ladder_id, by, to) as desk:
        _check_free(desk, by, to)
        if LadderAsk.objects.filter(ladder=desk.ladder, by=to, to=by).exists():
            _join(desk, to, by)
            return True
        if LadderAsk.objects.get_or_create(ladder=desk.ladder, by_id=by, to_id=to)[1]:
            desk.touch()
        return False


def accept(*, ladder_id: int, by: int, asked_by: int) -> None:
    """Agree to be somebody's partner: the pair joins at the bottom. Locks both players and the ladder.
    Done already, nothing changes."""
    with open_desk(ladder_id, by, asked_by) as desk:
        pair = desk.board.pair_of(by)
        if pair is not None and asked_by in pair.player_ids:
            return
        if not LadderAsk.objects.filter(ladder=desk.ladder, by=asked_by, to=by).exists():
            raise UserError(_("That question was taken back meanwhile."))
        _check_free(desk, asked_by, by)
        _join(desk, asked_by, by)


def drop_ask(*, ladder_id: int, by: int, asked_by: int, to: int) -> None:
    """Take a question back, or decline it: who asked, and whom. Idempotent."""
    if by not in (asked_by, to):
        raise NotAllowed(_("Only those two can do that."))
    with transaction.atomic():
        if LadderAsk.objects.filter(ladder=ladder_id, by=asked_by, to=to).delete()[0]:
            count_change(ladder_id)


def enter_pairs(*, ladder_id: int, by: int, text: str) -> tuple[int, list[pasted.Refused]]:
    """Put pairs on the ladder from a list, a pair a line: how many, and the lines that could not be used.
    Names of members are their accounts, others are names alone. Directors only. Locks the ladder."""
    named, refused = pasted.read_names(text, 2)
    members = {
        key_of(player.name): player
        for player in Player.objects.filter(memberships__club__ladders=ladder_id, is_active=True)
    }
    wanted = [members[key] for one in named for name in one.names if (key := key_of(name)) in members]
    entered = 0
    with open_desk(ladder_id, by, *(player.pk for player in wanted), directs=True) as desk:
        still = set(desk.ladder.club.memberships.filter(player__in=wanted).values_list("player", flat=True))
        members = {key: player for key, player in members.items() if player.pk in still}
        there = {key_of(name) for number in desk.state.order for name in desk.board.pairs[number].names}
        for one in named:
            found = [members.get(key_of(name)) for name in one.names]
            again = next((name for name in one.names if key_of(name) in there), None)
            if len(one.names) < 2:
                reason = _("A pair is two people; this line has one name.")
            elif again is not None:
                reason = _("%(name)s is on the ladder already.") % {"name": again}
            elif len(desk.state.order) >= PAIRS:
                reason = _("A ladder has %(most)d rungs at most.") % {"most": PAIRS}
            else:
                people = [(player, name) for player, name in zip(found, one.names, strict=True)]
                _put_on(desk, *people)
                entered += 1
                continue
            refused.append(pasted.Refused(one.line, one.text, reason))
    return entered, sorted(refused, key=lambda line: line.line)


def leave(*, ladder_id: int, by: int, pair_id: int) -> None:
    """A pair goes off the ladder, by one of the two or by a director; an open match of it ends without a
    result. Locks the ladder. Gone already, nothing changes."""
    with open_desk(ladder_id, by) as desk:
        pair = desk.pair(pair_id)
        if not (desk.directs or by in pair.player_ids):
            raise NotAllowed(_("Only the two themselves, and the club’s directors, can do that."))
        if pair.number in desk.state.order:
            _take_off(desk, pair)


def leave_with_club(*, club_id: int, player_id: int, by: int) -> None:
    """Somebody goes out of the club, in the same transaction: what he is on its open ladders ends as by
    :func:`leave`. Locks them in the order of their ids. UserError while he, or an officer who takes him out,
    plays a game of it."""
    mine = Q(pairs__player=player_id) | Q(pairs__partner=player_id)
    asked = Q(asks__by=player_id) | Q(asks__to=player_id)
    his = Ladder.objects.filter(mine | asked, club=club_id, closed_at=None)
    for ladder_id in sorted(set(his.values_list("pk", flat=True))):
        with open_desk(ladder_id, by, player_id) as desk:
            if desk.ladder.asks.filter(Q(by=player_id) | Q(to=player_id)).delete()[0]:
                desk.touch()
            pair = desk.board.pair_of(player_id)
            if pair is not None:
                try:
                    _take_off(desk, pair)
                except UserError:
                    raise UserError(being_played(desk.ladder)) from None


def take_off_strangers(desk: Desk) -> None:
    """Pairs of whom somebody is no member of the club any more, or has no account, leave."""
    members = set(Membership.objects.filter(club=desk.ladder.club_id).values_list("player", flat=True))
    for number in desk.state.order:
        pair = desk.board.pairs[number]
        if not members.issuperset(pair.player_ids) or former() in pair.names:
            _take_off(desk, pair)


def former() -> str:
    """What somebody is called whose account is gone."""
    with translation.override(settings.LANGUAGE_CODE):
        return _("a former player")


def forget_player(*, player_id: int) -> None:
    """Somebody's account is about to be deleted, in the same transaction: his pairs leave, "a former
    player" stays in their logs. Locks his ladders in the order of their ids. Idempotent."""
    gone = former()
    mine = LadderPair.objects.filter(Q(player=player_id) | Q(partner=player_id))
    for ladder_id in sorted(set(mine.values_list("ladder", flat=True))):
        with open_desk(ladder_id, None) as desk:
            for pair in desk.board.pairs.values():
                if player_id not in pair.player_ids:
                    continue
                if pair.number in desk.state.order and desk.ladder.closed_at is None:
                    _take_off(desk, pair)
                if pair.player_id == player_id:
                    pair.player, pair.player_name = None, gone
                else:
                    pair.partner, pair.partner_name = None, gone
                pair.save(update_fields=["player", "player_name", "partner", "partner_name"])
                desk.touch()


def _check_free(desk: Desk, *player_ids: int) -> None:
    members = set(
        Membership.objects.filter(club=desk.ladder.club_id, player__in=player_ids).values_list("player", flat=True)
    )
    for player_id in player_ids:
        own = player_id == desk.by_id
        if player_id not in members:
            raise UserError(
                _("Join the club first: its ladder is for members.") if own else _("Only members of the club can join.")
            )
        if desk.board.pair_of(player_id) is not None:
            raise UserError(
                _("You are on the ladder already. Leave it first.")
                if own
                else _("That player is on the ladder already, with somebody else.")
            )
    if len(desk.state.order) >= PAIRS:
        raise UserError(_("A ladder has %(most)d rungs at most.") % {"most": PAIRS})


def _join(desk: Desk, one: int, other: int) -> None:
    people = Player.objects.in_bulk([one, other])
    _put_on(desk, (people[one], people[one].name), (people[other], people[other].name))
    his = (one, other)
    LadderAsk.objects.filter(Q(by__in=his) | Q(to__in=his), ladder=desk.ladder).delete()


def _put_on(desk: Desk, one: tuple[Player | None, str], other: tuple[Player | None, str]) -> None:
    """The pair of those two, which may have been on the ladder before, joins."""
    keys = {_key(*one), _key(*other)}
    pair = next((pair for pair in desk.board.pairs.values() if _keys(pair) == keys), None)
    if pair is None:
        pair = LadderPair.objects.create(
            ladder=desk.ladder,
            number=max(desk.board.pairs, default=0) + 1,
            player=one[0],
            player_name=one[1][:60],
            partner=other[0],
            partner_name=other[1][:60],
        )
        desk.board.pairs[pair.number] = pair
    desk.write(Kind.JOIN, pair)


def _key(player: Player | None, name: str) -> int | str:
    return player.pk if player is not None else key_of(name)


def _keys(pair: LadderPair) -> set[int | str]:
    one, other = pair.names
    return {_key(pair.player, one), _key(pair.partner, other)}


def _take_off(desk: Desk, pair: LadderPair) -> None:
    open_ones = open_matches(desk, pair)
    desk.write(Kind.LEAVE, pair)
    for match in open_ones:
        call_off(match, desk.by_id)
