"""Seats before a game: tables opened and closed, seats taken and left, bots called, quick match.

A seat is claimed by one UPDATE that only finds it while it is empty, under the table's lock;
that a person holds one seat at most is a constraint of the database, so two sits of one person
at two tables cannot both succeed, whatever the processes they run in. The fourth seat taken
starts the game in the same transaction.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, Final, Literal

from django.conf import settings
from django.db import IntegrityError, connection, transaction
from django.db.models import Count, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from games import fairness
from games.engine import Rules, format_rules, parse_rules
from games.models import Player, Seat, Table
from games.selectors import lobby, people, tables
from games.selectors.tables import LiveRow, SeatInfo
from games.services import deals, promises, waiting
from games.services.errors import UserError
from games.services.row import lock_table, save_row

log = logging.getLogger(__name__)

Stick = Literal["no", "yes", "either"]
"""What a player wants of "stick the dealer"."""

PACES = (10, 20, 45)
"""Seconds a move on offer."""

SLOW_PACES = (90, 300)
"""On offer besides at friendly tables."""

NO_BOTS = "none"
"""What :attr:`Table.bots` says where only people play."""

KEPT = timedelta(seconds=60)
"""How long a seat is kept for a partner who was asked."""

CODE_SIGNS, CODE_LENGTH = "abcdefghjkmnpqrstuvwxyz23456789", 10
"""Of the link to a private table: nothing that is read for something else, and too many to be guessed."""

NOTED = timedelta(seconds=15)
"""A look at the lobby is written down at most this often for each person."""

_MATCHING = 0x0EC4E
"""Key of the advisory lock that lets one quick match run at a time."""

FOR_A_NONCE = timedelta(seconds=2)
"""A game that could begin with bots at once waits this long for the nonce of the one who asked."""

_random = secrets.SystemRandom()


class SeatHeld(UserError):
    """The player holds a seat at another table; ``table_id`` tells which, for a link."""

    def __init__(self, table_id: int, title: str) -> None:
        super().__init__(_("You already hold a seat at %(table)s.") % {"table": table_name(table_id, title)})
        self.table_id = table_id


class NeedsAccount(UserError):
    """A guest asks for what only an account can have."""

    def __init__(self) -> None:
        super().__init__(_("Ranked games need an account. Keep your name with a password, then the rating is yours."))


def table_name(table_id: int, title: str) -> str:
    """What people call a table."""
    return title or _("Table %(number)s") % {"number": table_id}


def rules_text(*, stick_the_dealer: bool) -> str:
    """The rated rules in notation, with or without stick the dealer (O3)."""
    return format_rules(Rules(stick_the_dealer=stick_the_dealer))


def is_rated(rules: str) -> bool:
    """Whether games by these rules are rated: the article's, the dealer stuck or not (rules.md, decision 2)."""
    return rules in _suiting_rules("either")


# --- verbs ----------------------------------------------------------------------------------


def open_table(
    *,
    host: Player,
    ranked: bool,
    pace: int,
    rules: str,
    title: str = "",
    bots: str = "",
    private: bool = False,
    watchable: bool = True,
    patient: bool = False,
    hints: bool = False,
) -> int:
    """Open a table that waits for company, its host in seat 0; the new table's id. ``bots`` is the
    level of those that may be called to a friendly table; "": any; :data:`NO_BOTS`: people only. A
    ``private`` one stands in no list: who has its link may sit.

    Locks nothing but the new rows. Not idempotent, but a repeated call (a double click) finds
    the host seated: SeatHeld, with the table he has. UserError for what ranked games do not have, and
    NeedsAccount for a guest who wants one.
    """
    if ranked and not is_rated(rules):
        raise UserError(_("Ranked games are played by the site's own rules. Make it a friendly table."))
    if ranked and (private or patient or hints or not watchable or bots == NO_BOTS or pace not in PACES):
        raise UserError(_("Ranked tables are open to all and keep moving. Make it a friendly table."))
    with transaction.atomic():
        now = timezone.now()
        if ranked:
            waiting.check(host.pk, now)
        row = _new_table(
            host_id=host.pk,
            ranked=ranked,
            pace=pace,
            rules=rules,
            title=title,
            bots=bots,
            private=private,
            code="".join(secrets.choice(CODE_SIGNS) for _sign in range(CODE_LENGTH)) if private else "",
            watchable=watchable,
            patient=patient,
            hints=hints,
            now=now,
        )
        _take(row, 0, host.pk, now)
        save_row(row)
    return row.id


def sit(*, table_id: int, player_id: int, index: int | None = None, nonce: str = "", code: str = "") -> None:
    """Take a seat at a waiting table: the one asked for, or any empty one. Who sits there
    already moves to the seat asked for, and keeps his nonce. The fourth player starts the game. Of a
    private table ``code`` is the right to sit down.

    Locks the table. Repeating it changes nothing. UserError when the seat or the last seat is
    gone, or somebody there is kept apart from him; SeatHeld when the player has a seat elsewhere;
    NeedsAccount when a guest wants a ranked game.
    """
    with transaction.atomic():
        row = lock_table(table_id)
        seats = tables.seats_of(row)
        own = next((seat for seat in seats if seat.player_id == player_id), None)
        if row.reserved and row.phase == Table.Phase.OPEN:
            _claim(row, own, player_id, index, nonce)
            return
        if own is not None and own.held and index in (None, own.index):
            return
        if own is None and row.private and code != row.code:
            raise UserError(_("This table is private. Ask its host for the link."))
        _check_open(row)
        now = timezone.now()
        if row.ranked and own is None:
            waiting.check(player_id, now)
        if own is not None and own.kept:
            empty_seat(own)
            index = own.index if index is None else index
        elif own is not None:
            nonce = Seat.objects.values_list("nonce", flat=True).get(pk=own.pk) or nonce
            empty_seat(own)
        if own is None and people.apart_from(player_id) & {seat.player_id for seat in seats}:
            raise UserError(_("You cannot sit at this table. Pick another one in the lobby."))
        if index is None:
            index = _any_empty(seats)
        _take(row, index, player_id, now, nonce)
        if own is not None and own.kept:
            _wait_no_longer_for_partner(row, now)
        else:
            _start_if_full(row, now)
        save_row(row)


def quick_match(
    *,
    player_id: int,
    ranked: bool,
    pace: int,
    stick: Stick,
    bots: str = "",
    nonce: str = "",
    scripts: bool = False,
    partner_id: int | None = None,
) -> int:
    """Seat the player where a game can begin soonest; the table's id.

    Somebody with a seat is sent back to it. Otherwise he joins the fullest waiting table that
    suits (among equals the one whose bots come first), or a new one. Bots come at once when
    nobody else is there to wait for, else after EUCHRE_FILL_AFTER seconds. A table without such a
    deadline (somebody opened it and waits for company) is joined only as its fourth.

    ``bots`` is the level of those that a new friendly table calls; "": any. People come first: a table
    that waits is joined whatever bots it wants.

    A ``nonce`` counts at a table that was there before; for a new one it comes too early. With
    ``scripts`` the player's browser adds one as soon as it sees the commitment, and a game that
    could begin at once waits a moment for it.

    For ``partner_id``, a friend who is here, the seat opposite is kept for a while (:data:`KEPT`) in a
    friendly game; UserError where that cannot be. Nobody is seated with people he is kept apart from.

    Quick matches run one at a time, so that two newcomers meet instead of opening a table each;
    each locks the table it seats at. Idempotent through the seat it gives.
    """
    try:
        with transaction.atomic():
            _wait_for_other_matches()
            held = lobby.held_table(player_id)
            if held is not None:
                return held
            now = timezone.now()
            if ranked:
                waiting.check(player_id, now)
            if partner_id is not None:
                _check_partner(player_id, partner_id, ranked, now)
            row = _waiting_table(ranked, pace, stick, player_id, partner_id)
            new = row is None
            if row is None:
                rules = rules_text(stick_the_dealer=stick == "yes")
                row = _new_table(
                    host_id=player_id, ranked=ranked, pace=pace, rules=rules, title="", bots=bots, quick=True, now=now
                )
            index = _any_empty(tables.read_seats(row.id), paired=partner_id is not None)
            _take(row, index, player_id, now, "" if new else nonce)
            if partner_id is not None:
                _keep(row, (index + 2) % 4, partner_id, now)
            _await_company(row, now, nonce_follows=new and scripts)
            save_row(row)
    except SeatHeld as error:  # he sat down elsewhere in this very moment
        return error.table_id
    return row.id


def ask_for_bots(*, table_id: int, player_id: int) -> None:
    """A player at a waiting table wants bots in the empty seats now.

    At a table that somebody opened, its host decides as long as he sits there. Locks the table.
    Does nothing once the game runs. UserError for everybody else.
    """
    with transaction.atomic():
        row = lock_table(table_id)
        seats = tables.seats_of(row)
        if all(seat.player_id != player_id or seat.kept for seat in seats):
            raise UserError(_("Sit down first; then you can call bots to the empty seats."))
        if row.phase != Table.Phase.OPEN:
            return
        if row.reserved:
            raise UserError(_("The seats of this table are kept. It begins when everybody is here, or time is up."))
        if row.bots == NO_BOTS:
            raise UserError(_("This table is for people only. The game starts when all seats are taken."))
        host = next((seat for seat in seats if seat.player_id is not None and seat.player_id == row.host_id), None)
        if host is not None and host.player_id != player_id and not row.quick:
            raise UserError(_("Only %(host)s, who opened the table, can call bots to it.") % {"host": host.name})
        fill(row, timezone.now())
        save_row(row)


def move_seat(*, table_id: int, host_id: int, index: int, to: int) -> None:
    """The host of a waiting table puts who sits at ``index`` to ``to``, where the two may change places.

    Locks the table. UserError for anybody else, an empty seat, and where seats are given.
    """
    with transaction.atomic():
        row, seats = _hosted(table_id, host_id)
        if max(index, to) >= len(seats) or seats[index].player_id is None:
            raise UserError(_("Nobody sits there any more."))
        if index == to:
            return
        one, other = (Seat.objects.get(pk=seats[place].pk) for place in (index, to))
        kept = [{name: getattr(seat, name) for name in _SITTING} for seat in (one, other)]
        empty_seat(seats[index])
        Seat.objects.filter(pk=other.pk).update(**kept[0])
        Seat.objects.filter(pk=one.pk).update(**kept[1])
        row.roster += 1
        save_row(row)


def ask_up(*, table_id: int, host_id: int, index: int) -> None:
    """The host of a waiting table asks somebody to get up: the seat is free, the table tells him, and
    he may sit elsewhere. Locks the table; repeating it changes nothing. UserError for anybody else."""
    with transaction.atomic():
        row, seats = _hosted(table_id, host_id)
        if index >= len(seats) or seats[index].player_id is None:
            return
        if seats[index].player_id == host_id:
            raise UserError(_("That is your own seat. Leave the table to get up."))
        empty_seat(seats[index])
        row.roster += 1
        save_row(row)


def _hosted(table_id: int, host_id: int) -> tuple[LiveRow, tuple[SeatInfo, ...]]:
    row = lock_table(table_id)
    seats = tables.seats_of(row)
    if row.host_id != host_id or row.quick or row.reserved or all(seat.player_id != host_id for seat in seats):
        raise UserError(_("Only the host who opened this table can do that."))
    _check_open(row)
    return row, seats


_SITTING: Final = ("player_id", "held", "ask_alone", "seen_at", "lost_at", "nonce", "kept_until", "program")
"""What moves along when somebody at a waiting table changes his seat."""


def add_nonce(*, table_id: int, player_id: int, nonce: str) -> None:
    """A player's browser adds its part to the shuffle of the game to come.

    Locks the table. The first one of a seat counts; another one, or one that comes after the
    first card, changes nothing. Begins a game that only waited for it. UserError for a text that
    is no nonce and for who has no seat.
    """
    if not fairness.is_nonce(nonce):
        raise UserError(_("A browser adds 32 hexadecimal digits to the shuffle, nothing else."))
    with transaction.atomic():
        row = lock_table(table_id)
        if not Seat.objects.filter(table_id=table_id, player_id=player_id).exists():
            raise UserError(_("Only those who sit at the table add to its shuffle."))
        if not Table.objects.filter(pk=table_id).exclude(next_seed=b"").exists():
            return
        if not Seat.objects.filter(table_id=table_id, player_id=player_id, nonce="").update(nonce=nonce):
            return
        if row.phase == Table.Phase.OPEN and row.quick and row.fill_at is not None:
            now = timezone.now()
            people = Seat.objects.filter(table_id=table_id, player__isnull=False).values_list("player_id", "nonce")
            ready = all(added for _player, added in people)
            if ready and not lobby.company_about(now, besides=[player for player, _added in people if player]):
                fill(row, now)
                save_row(row)


def look_in(*, player: Player, now: datetime) -> None:
    """Note that a person stands in the lobby: others may wait for him. One UPDATE, and none if
    it was noted a moment ago; no lock."""
    if player.seen_at is None or player.seen_at < now - NOTED:
        Player.objects.filter(pk=player.pk).update(seen_at=now)


# --- for the sweep --------------------------------------------------------------------------


def fill_due(now: datetime) -> None:
    """Begin, with bots, every game whose players have waited long enough.

    Locks each table in turn and looks again under the lock, so any number of workers may do it.
    A table that fails is logged and does not hold up the others.
    """
    for table_id in Table.objects.filter(phase=Table.Phase.OPEN, fill_at__lte=now).values_list("pk", flat=True):
        _guarded(table_id, lambda row: row.fill_at is not None and row.fill_at <= now, lambda row: fill(row, now))


def tidy(now: datetime) -> None:
    """Free the seats of people who went away from a waiting table without a word; a table that
    nobody waits at is closed; a seat kept for a partner who has not come is free again. Locks each
    table in turn; safe with any number of workers."""
    gone = Seat.objects.filter(table__phase=Table.Phase.OPEN, held=True, seen_at__lt=now - lobby.AWAY)
    for table_id in gone.order_by("table").values_list("table", flat=True).distinct():
        _guarded(table_id, lambda row: True, lambda row: _vacate_absent(row, now))
    late = Seat.objects.filter(table__phase=Table.Phase.OPEN, kept_until__lte=now)
    for table_id in late.order_by("table").values_list("table_id", flat=True).distinct():
        _guarded(table_id, lambda row: True, lambda row: _give_up_kept(row, now))


def _guarded(table_id: int, wanted: Callable[[LiveRow], bool], change: Callable[[LiveRow], None]) -> None:
    try:
        with transaction.atomic():
            row = lock_table(table_id)
            if row.phase == Table.Phase.OPEN and wanted(row):
                change(row)
                save_row(row)
    except Exception:  # whatever is wrong with one table must not keep the others waiting
        log.exception("the seats of table %s could not be seen to", table_id)


def _vacate_absent(row: LiveRow, now: datetime) -> None:
    absent = set(
        Seat.objects.filter(table_id=row.id, held=True, seen_at__lt=now - lobby.AWAY).values_list("index", flat=True)
    )
    for seat in tables.seats_of(row):
        if seat.index in absent:
            vacate(row, seat, now)


def _give_up_kept(row: LiveRow, now: datetime) -> None:
    late = set(Seat.objects.filter(table_id=row.id, kept_until__lte=now).values_list("index", flat=True))
    for seat in tables.seats_of(row):
        if seat.index in late:
            vacate(row, seat, now)


# --- on a row that the caller has locked and will save ---------------------------------------


def vacate(row: LiveRow, seat: SeatInfo, now: datetime) -> None:
    """Give up a seat at a waiting table. The host's part goes to the next person; with nobody
    left the table closes. A reserved seat stays kept for its player."""
    row.roster += 1
    if row.reserved:
        Seat.objects.filter(pk=seat.pk).update(held=False)
        return
    empty_seat(seat)
    if seat.kept:
        _wait_no_longer_for_partner(row, now)
        return
    rest = tables.read_seats(row.id)
    here = [other.player_id for other in rest if other.person and not other.kept]
    if not here:
        for other in rest:
            if other.kept:
                empty_seat(other)
        close(row)
    else:
        _pass_host_on(row, here)


def _pass_host_on(row: LiveRow, here: list[int | None]) -> None:
    if row.host_id not in here:
        row.host_id = here[0]
        Table.objects.filter(pk=row.id).update(host_id=here[0])


def empty_seat(seat: SeatInfo) -> None:
    """Nobody sits there any more. The caller raises the row's roster."""
    Seat.objects.filter(pk=seat.pk).update(
        player=None, held=False, ask_alone=False, seen_at=None, lost_at=None, left_at=None, bot_since=None, missed=0,
        missed_all=0, nonce="", kept_until=None, program=False,
    )  # fmt: skip


def close(row: LiveRow) -> None:
    """Nothing more happens at this table. Names stay for who looks at its result."""
    Seat.objects.filter(table_id=row.id).update(held=False)
    row.roster += 1
    row.phase, row.turn, row.due_at, row.fill_at = Table.Phase.CLOSED, None, None, None


def play_again(row: LiveRow, now: datetime) -> None:
    """The rematch of a finished game with those who are still there. Seats of people who have
    left, are away or sit elsewhere by now are free for others, and the host's part goes on if he is
    among them; bots stay, but not by themselves."""
    here = []
    for seat in tables.read_seats(row.id):
        if not seat.person:
            continue
        if seat.keeper or seat.left or not _hold_again(seat):
            empty_seat(seat)
        else:
            here.append(seat.player_id)
    row.roster += 1
    if not here:
        close(row)
        return
    _pass_host_on(row, here)
    row.phase, row.turn, row.due_at, row.game_id = Table.Phase.OPEN, None, None, None
    row.deal_number, row.score, row.ready = 0, (), 0
    row.deck, row.actions, row.played_by, row.maker_alone = "", "", "", None
    _await_company(row, now)


def _hold_again(seat: SeatInfo) -> bool:
    try:
        with transaction.atomic():
            Seat.objects.filter(pk=seat.pk).update(held=True, lost_at=None, missed=0, missed_all=0)
    except IntegrityError:
        return False
    return True


def _new_table(*, host_id: int, rules: str, ranked: bool, bots: str, now: datetime, **terms: Any) -> LiveRow:
    """A new table, locked, with its seats; ``terms`` are other fields of its row."""
    bots = "" if ranked else bots
    table = Table.objects.create(host_id=host_id, rules=rules, ranked=ranked, bots=bots, created_at=now, **terms)
    Seat.objects.bulk_create(Seat(table=table, index=index) for index in range(parse_rules(rules).players))
    row = lock_table(table.pk)
    promises.promise(row)
    return row


def _take(row: LiveRow, index: int, player_id: int, now: datetime, nonce: str = "") -> None:
    """Claim an empty seat. UserError when somebody was faster, SeatHeld when the player has a
    seat; both leave the transaction to be rolled back."""
    _hold(row, Seat.objects.filter(table_id=row.id, index=index, player=None), player_id, now, nonce)
    row.roster += 1


def _keep(row: LiveRow, index: int, player_id: int, now: datetime) -> None:
    """Keep an empty seat for a partner who is asked to come."""
    kept = Seat.objects.filter(table_id=row.id, index=index, player=None)
    kept.update(player=player_id, kept_until=now + KEPT, seen_at=now)


def _claim(row: LiveRow, own: SeatInfo | None, player_id: int, index: int | None, nonce: str) -> None:
    """The player for whom a seat is kept takes it. The last one starts the game."""
    if own is None:
        raise UserError(_("The seats of this table are kept for others. You can watch."))
    if index not in (None, own.index):
        raise UserError(
            _("At this table everybody has a seat of his own; yours is seat %(number)d.") % {"number": own.index + 1}
        )
    if own.held:
        return
    now = timezone.now()
    given = Seat.objects.values_list("nonce", flat=True).get(pk=own.pk) or nonce
    _hold(row, Seat.objects.filter(pk=own.pk, player_id=player_id), player_id, now, given)
    row.roster += 1
    _start_if_full(row, now)
    save_row(row)


def _hold(row: LiveRow, wanted: QuerySet[Seat], player_id: int, now: datetime, nonce: str) -> None:
    player = Player.objects.filter(pk=player_id).only("ask_alone", "guest").first()
    if player is None:
        raise UserError(_("Your account is gone. Join again to take a seat."))
    if player.guest and row.ranked:
        raise NeedsAccount
    try:
        with transaction.atomic():
            claimed = wanted.update(
                player=player,
                held=True,
                ask_alone=player.ask_alone,
                seen_at=now,
                lost_at=None,
                nonce=nonce if fairness.is_nonce(nonce) else "",
            )
    except IntegrityError:
        held = Seat.objects.select_related("table").filter(player_id=player_id, held=True).first()
        if held is None:  # he has just got up there; nothing is known to be wrong
            raise UserError(_("You were still leaving another table. Try again.")) from None
        raise SeatHeld(held.table_id, held.table.title) from None
    if not claimed:
        raise UserError(_("Somebody took that seat before you. Pick another one."))


def _start_if_full(row: LiveRow, now: datetime) -> None:
    seats = tables.read_seats(row.id)
    if not any(seat.awaited for seat in seats):
        deals.begin_game(row=row, now=now)


def _await_company(row: LiveRow, now: datetime, *, nonce_follows: bool = False) -> None:
    """Begin if the table is full, or with bots if there is nobody to wait for but a nonce;
    otherwise the first to wait sets the time at which bots come (a table opened for friends has
    none)."""
    seats = tables.read_seats(row.id)
    here = [seat.player_id for seat in seats if seat.player_id is not None and seat.person]
    kept = any(seat.kept for seat in seats)
    if not any(seat.awaited for seat in seats):
        deals.begin_game(row=row, now=now)
    elif row.bots == NO_BOTS:
        return
    elif not kept and not lobby.company_about(now, besides=here):
        if nonce_follows:
            row.fill_at = now + FOR_A_NONCE
        else:
            fill(row, now)
    elif kept or row.fill_at is None:
        wait = timedelta(seconds=settings.EUCHRE_FILL_AFTER)
        row.fill_at = now + max(wait, KEPT) if kept else now + wait


def _wait_no_longer_for_partner(row: LiveRow, now: datetime) -> None:
    """The one who was asked has come, or will not: quick match goes on as usual."""
    row.fill_at = None
    _await_company(row, now)


def fill(row: LiveRow, now: datetime) -> None:
    """Bots into the empty seats, at random and no bot twice at a table, those of the level wanted
    first; then the game begins."""
    for seat in tables.read_seats(row.id):
        if seat.kept:
            empty_seat(seat)
    seats = tables.read_seats(row.id)
    empty = [seat.index for seat in seats if seat.player_id is None]
    here = [seat.player_id for seat in seats if seat.player_id is not None]
    bots = list(Player.objects.filter(is_active=True).exclude(bot_level="").exclude(pk__in=here))
    if len(bots) < len(empty):
        raise UserError(_("There are not enough bots on this site. Its keeper can add some."))
    _random.shuffle(bots)
    if row.bots:
        bots.sort(key=lambda bot: bot.bot_level != row.bots)
    for index, bot in zip(empty, bots, strict=False):
        Seat.objects.filter(table_id=row.id, index=index, player=None).update(player=bot, seen_at=now)
    row.roster += 1
    deals.begin_game(row=row, now=now)


# --- questions the verbs ask ------------------------------------------------------------------


def _check_partner(player_id: int, partner_id: int, ranked: bool, now: datetime) -> None:
    if ranked:
        raise UserError(_("Partners are drawn by lot in ranked games. Choose a friendly game to sit with a friend."))
    friend = next((one for one in people.read_friends(player_id, now) if one.player.pk == partner_id), None)
    if friend is None:
        raise UserError(_("You can ask a friend to be your partner. Ask to be friends first."))
    if friend.where == "away":
        raise UserError(_("%(name)s is away just now.") % {"name": friend.player.name})
    if friend.where != "lobby":
        raise UserError(_("%(name)s has a seat at a table just now.") % {"name": friend.player.name})


def _waiting_table(
    ranked: bool, pace: int, stick: Stick, player_id: int, partner_id: int | None = None
) -> LiveRow | None:
    """The best waiting table that suits, locked, with an empty seat; with a partner, two of them opposite
    each other."""
    candidates = (
        Table.objects.filter(
            phase=Table.Phase.OPEN,
            reserved=False,
            private=False,
            patient=False,
            hints=False,
            ranked=ranked,
            pace=pace,
            rules__in=_suiting_rules(stick),
        )
        .exclude(seats__player__in=_apart(player_id, partner_id))
        .annotate(taken=Count("seats", filter=Q(seats__player__isnull=False)))
        .filter(Q(fill_at__isnull=False, taken__lt=4) | Q(taken=3))
        .order_by("-taken", "fill_at", "pk")
    )
    for table_id in candidates.values_list("pk", flat=True)[:5]:
        row = lock_table(table_id)
        if row.phase == Table.Phase.OPEN and _empty(tables.seats_of(row), paired=partner_id is not None):
            return row
    return None


def _apart(player_id: int, partner_id: int | None) -> frozenset[int]:
    return people.apart_from(player_id) | (people.apart_from(partner_id) if partner_id is not None else frozenset())


def _suiting_rules(stick: Stick) -> list[str]:
    wanted = {"no": (False,), "yes": (True,), "either": (False, True)}[stick]
    return [rules_text(stick_the_dealer=stuck) for stuck in wanted]


def _any_empty(seats: tuple[SeatInfo, ...], *, paired: bool = False) -> int:
    """An empty seat, by lot: nobody can choose a stranger's partner for a ranked game by timing."""
    if free := _empty(seats, paired=paired):
        return _random.choice(free)
    raise UserError(_("All seats are taken. Pick another table in the lobby."))


def _empty(seats: tuple[SeatInfo, ...], *, paired: bool) -> list[int]:
    """The empty seats; ``paired``: those with an empty one opposite."""
    free = [seat.index for seat in seats if seat.player_id is None]
    return [index for index in free if (index + 2) % 4 in free] if paired else free


def _check_open(row: LiveRow) -> None:
    if row.phase == Table.Phase.OPEN:
        return
    name = table_name(row.id, row.title)
    if row.running:
        raise UserError(_("The game at %(table)s has begun. You can watch it.") % {"table": name})
    raise UserError(_("%(table)s is closed. Pick another one in the lobby.") % {"table": name})


def _wait_for_other_matches() -> None:
    if connection.vendor == "postgresql":  # SQLite transactions here are IMMEDIATE: one at a time as it is
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", (_MATCHING,))
