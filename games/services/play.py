"""What a person can post to a table: one door for the socket, the form and the clock's helpers.

``action`` is a move in notation (``play:JD``, ``order_up``, ...) or one of the table's own
commands (``next``, ``take_back``, ``leave``, ``rematch``, ``bots``, ``sit:2``, ``ask_alone:on``, ``nonce``,
``take_win``, ``play_on``, ``stand_in:2``, and the host's ``move:1:3`` and ``up:2``).
"""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from games import engine
from games.live import words
from games.models import Table
from games.selectors import tables
from games.selectors.tables import LiveRow, SeatInfo
from games.services import deals, leaving, presence, seating
from games.services.errors import StaleVersion, UserError
from games.services.row import find_table, lock_table, replace_row, save_row
from games.templatetags.euchre import suit_name

VERSION_DIGITS = 9
"""A table makes fewer moves than this many digits can count."""


def submit_action(
    *,
    table_id: int,
    player_id: int | None,
    action: str,
    version: int | None = None,
    alone: bool | None = None,
    nonce: str = "",
    code: str = "",
) -> None:
    """Do what a player asks for at a table: all of it, or nothing.

    ``version`` is what the form showed: moves need it, commands ignore it. ``alone`` is the
    switch beside a call; a form without it means together (R37). ``nonce`` comes with ``sit`` and
    ``nonce``, from browsers that run scripts; ``code`` is of the link to a private table.
    Raises UserError (StaleVersion among them) with nothing changed. Repeating a
    move is refused, repeating a command changes nothing.
    """
    if player_id is None:
        raise UserError(_("You are watching. Log in and take a seat to play."))
    name, _sep, value = action.partition(":")
    if name == "sit":
        seating.sit(table_id=table_id, player_id=player_id, index=_seat_index(value), nonce=nonce, code=code)
    elif name == "nonce":
        seating.add_nonce(table_id=table_id, player_id=player_id, nonce=nonce)
    elif name == "bots":
        seating.ask_for_bots(table_id=table_id, player_id=player_id)
    elif name == "move":
        index, _sep, to = value.partition(":")
        seating.move_seat(table_id=table_id, host_id=player_id, index=_seat(index), to=_seat(to))
    elif name == "up":
        seating.ask_up(table_id=table_id, host_id=player_id, index=_seat(value))
    elif name == "take_back":
        presence.take_back(table_id=table_id, player_id=player_id)
    elif name in ("take_win", "play_on"):
        leaving.answer_offer(table_id=table_id, player_id=player_id, take=name == "take_win")
    elif name == "stand_in":
        leaving.stand_in(table_id=table_id, player_id=player_id, index=_seat(value))
    elif name == "leave":
        presence.leave(table_id=table_id, player_id=player_id)
    elif name == "ask_alone":
        presence.set_ask_alone(table_id=table_id, player_id=player_id, ask=value == "on")
    elif name in ("next", "rematch"):
        presence.say_ready(table_id=table_id, player_id=player_id, want=name)
    else:
        _move(table_id, player_id, action, version, alone)


def _seat_index(value: str) -> int | None:
    return _seat(value) if value else None


def _seat(value: str) -> int:
    if value not in ("0", "1", "2", "3"):
        raise UserError(_("The table has no such seat. Pick one of the empty ones."))
    return int(value)


def _move(table_id: int, player_id: int, text: str, version: int | None, alone: bool | None) -> None:
    """Nearly every move changes the table's row and nothing else. It is made on the row as it
    was read, and written if the row is still the same; so it needs no lock. Where it needs one -
    somebody else was faster, the deal is over - it is made again from the start, with the lock.
    """
    row = find_table(table_id)
    seat, state = _record(row, player_id, text, version, alone)
    if state.phase != "done" and not seat.missed:
        deals.follow(row, state, tables.seats_of(row), timezone.now())
        if replace_row(row):
            return
    with transaction.atomic():
        row = lock_table(table_id)
        seat, state = _record(row, player_id, text, version, alone)
        deals.follow(row, state, tables.seats_of(row), timezone.now())
        if seat.missed:
            presence.clear_missed(row, seat)
        save_row(row)


def _record(
    row: LiveRow, player_id: int, text: str, version: int | None, alone: bool | None
) -> tuple[SeatInfo, engine.DealState]:
    """Record a player's move in the row: his seat, and the deal after it. UserError if he may not."""
    seats = tables.seats_of(row)
    seat = presence.own_seat(seats, player_id)
    _check_running(row)
    action = _parse(text)
    if version != row.version:
        raise StaleVersion(_("The table has moved on. This is how it stands now."))
    if seat.keeper:
        raise UserError(_("A bot is playing for you. Take your seat back first."))
    if row.turn != seat.index:
        raise UserError(_("It is not your turn yet."))
    try:
        return seat, deals.record_move(row, seats, action, by="h", alone=bool(alone))
    except engine.IllegalAction as error:
        raise UserError(sentence(error)) from error


def _parse(text: str) -> engine.Action:
    try:
        return engine.parse_action(text)
    except engine.NotationError:
        raise UserError(_("The table does not know that action. Use the buttons on the table.")) from None


def _check_running(row: LiveRow) -> None:
    if row.phase in Table.DEALING:
        return
    if row.phase == Table.Phase.OPEN:
        raise UserError(_("The game has not started yet."))
    if row.phase == Table.Phase.BETWEEN:
        raise StaleVersion(_("The deal is over; the next one is about to begin."))
    raise UserError(_("The game is over."))


def sentence(error: engine.IllegalAction) -> str:
    """The engine's reason in the player's language."""
    params = error.params
    if error.code == "follow_suit":
        cards = _(" or ").join(words.card_words(card) for card in params["cards"])
        return _("Follow %(suit)s: %(cards)s.") % {"suit": suit_name(params["suit"]), "cards": cards}
    if error.code == "turned_down":
        return _("%(suit)s was turned down: name another suit.") % {"suit": capfirst(suit_name(params["suit"]))}
    if error.code == "wrong_phase":
        return {
            "bid1": _("Order the up-card or pass."),
            "exchange": _("Choose one of your six cards to bury."),
            "bid2": _("Name a suit."),
            "alone": _("Say whether you go alone or play together."),
            "play": _("Play a card."),
            "benny": _("Name a suit for the joker."),
            "best": _("Answer the call for the best card."),
        }.get(params["phase"], _("Choose a card to put away."))
    return {
        "deal_over": _("This deal is over."),
        "must_take": _("You must take the up-card: choose a card to bury."),
        "stuck": _("The dealer may not pass now: name a suit."),
        "not_in_hand": _("You do not hold that card."),
        "not_weak": _("Your hand is not weak enough to declare it."),
        "not_certain": _("The remaining tricks are not certain: play a card."),
        "not_with_call": _("You are asked about going alone later, if at all."),
        "alone_only": _("The dealer’s partner orders up alone or passes."),
        "need_trump": _("You need a card of that suit to make it trump."),
        "no_trump": _("No trump may not be called here: name a suit."),
    }.get(error.code, _("That cannot be done now."))
