"""Deals on a table: begin a game, make a move, score, deal again.

Everything here works on a row that the caller has locked and will save.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Literal

from django.conf import settings

from games import engine, fairness
from games.engine import Action, DealState
from games.models import Deal, Game, Participation, Seat, Table
from games.selectors import tables
from games.selectors.tables import LiveRow, SeatInfo
from games.services import promises, results

TOGETHER, ALONE = map(engine.parse_action, ("together", "alone"))
OVER_OPEN = timedelta(minutes=3)

TAKES = 0b1111
"""Of a table's ``answers``: who takes the win that is offered. Who plays on says so for one deal."""

LONE_CALL = {"order_up": "order_up_alone", "call": "call_alone"}
"""The kind of a call, and of the same call said alone (O6, O20)."""

Hand = Literal["h", "b", "c"]
"""Who made a move: the person, a bot in the seat, or the clock."""


def begin_game(*, row: LiveRow, now: datetime) -> None:
    """Start a game on a locked row whose seats are all taken in the database.

    Writes Game, a Participation for each seat and the ratings that are missing, and deals. The
    laps of the game before are its first points (O19). Nobody can add a nonce from here on.
    """
    chain, first_dealer = promises.draw(row)
    if row.match and not _same_company(row):
        row.match = ""
    seats = list(Seat.objects.filter(table_id=row.id).select_related("player").order_by("index"))
    game = Game.objects.create(
        table_id=row.id,
        ranked=row.ranked,
        pace=row.pace,
        rules=row.rules,
        first_dealer=first_dealer,
        start=engine.format_score(_carried(row)),
        chains=fairness.format_chain(chain),
        started_at=now,
        with_bots=any(seat.player.is_bot for seat in seats if seat.player),
        hints=row.hints,
    )
    Participation.objects.bulk_create(
        Participation(game=game, seat=seat.index, player_id=seat.player_id, program=seat.program) for seat in seats
    )
    results.ensure_ratings(seat.player for seat in seats if seat.player)
    row.roster += 1
    row.game_id, row.deal_number, row.score, row.fill_at = game.pk, 0, _carried(row), None
    row.win_offered, row.answers = None, 0
    _deal(row, first_dealer, tables.read_seats(row.id), now)


def _same_company(row: LiveRow) -> bool:
    """Whether everybody sits where he sat in the table's last game: laps belong to those who made them."""
    last = Game.objects.filter(table_id=row.id, status=Game.Status.FINISHED).order_by("-pk").first()
    then = Participation.objects.filter(game=last).order_by("seat").values_list("player_id", flat=True)
    now = Seat.objects.filter(table_id=row.id).order_by("index").values_list("player_id", flat=True)
    return last is not None and None not in then and list(then) == list(now)


def _carried(row: LiveRow) -> engine.Score:
    return engine.parse_match(row.match).carry if row.match else (0,) * row.sides


def deal_next(row: LiveRow, seats: Sequence[SeatInfo], now: datetime) -> None:
    """Shuffle with the next secret and deal; the deal has moved one seat left (R31, G2), unless
    a weak hand was declared (O13)."""
    _deal(row, engine.dealer_after(_state(row)), seats, now)


def _deal(row: LiveRow, dealer: int, seats: Sequence[SeatInfo], now: datetime) -> None:
    row.deal_number += 1
    row.dealer = dealer
    row.deck = engine.format_deck(promises.deck(row, engine.pack(engine.parse_rules(row.rules).pack)))
    row.actions, row.played_by, row.maker_alone, row.ready = "", "", None, 0
    row.version += 1
    follow(row, _answered(row, _state(row), seats), seats, now)


def go_on(row: LiveRow, seats: Sequence[SeatInfo], now: datetime) -> None:
    """Bring a stopped game to life: the running deal goes on, or the next one is dealt."""
    state = _state(row)
    if state.phase == "done":
        deal_next(row, seats, now)
    else:
        follow(row, state, seats, now)


def make_move(
    row: LiveRow, seats: Sequence[SeatInfo], action: Action, *, by: Hand, alone: bool | None, now: datetime
) -> None:
    """Apply one action for the seat whose turn it is, then every answer that needs nobody (R37,
    G8, O13), and score the deal when it is over.

    ``alone`` is the caller's switch beside the call; None leaves the question to be asked. Where
    a maker says it with the call (O6, O20), the switch makes the call a lone one.
    Raises IllegalAction with nothing changed.
    """
    follow(row, record_move(row, seats, action, by=by, alone=alone), seats, now)


def record_move(row: LiveRow, seats: Sequence[SeatInfo], action: Action, *, by: Hand, alone: bool | None) -> DealState:
    """The first half of :func:`make_move`: the state after the move, its record in the row and
    nothing in the database."""
    if alone and action.kind in LONE_CALL:
        lone = action._replace(kind=LONE_CALL[action.kind])
        if lone in engine.legal_actions(_state(row)):
            action = lone
    state = _record(row, action, by)
    if action.kind in LONE_CALL:
        row.maker_alone = alone
    return _answered(row, state, seats)


def _answered(row: LiveRow, state: DealState, seats: Sequence[SeatInfo]) -> DealState:
    """The state after all standing answers."""
    while state.phase in ("alone", "weak"):
        answer = _standing_answer(row, state, seats)
        if answer is None:
            break
        assert state.turn is not None
        state = _record(row, answer, "b" if seats[state.turn].played_by_bot else "h")
    return state


def _state(row: LiveRow) -> DealState:
    return tables.deal_state(row.rules, row.dealer, row.deck, row.actions)


def _record(row: LiveRow, action: Action, by: Hand) -> DealState:
    """Add an action to the record; the state after it. IllegalAction with nothing changed."""
    actions = f"{row.actions} {action}" if row.actions else str(action)
    state = tables.deal_state(row.rules, row.dealer, row.deck, actions)
    row.actions = actions
    row.played_by += by
    row.version += 1
    return state


def _standing_answer(row: LiveRow, state: DealState, seats: Sequence[SeatInfo]) -> Action | None:
    assert state.turn is not None
    if state.phase == "weak":  # declared at once or not at all: a question would tell who holds it
        return state.legal[-1]
    seat = seats[state.turn]
    if state.turn == state.maker and row.maker_alone is not None:
        return ALONE if row.maker_alone else TOGETHER
    if seat.played_by_bot or state.turn == state.maker or seat.ask_alone:
        return None
    return TOGETHER


def follow(row: LiveRow, state: DealState, seats: Sequence[SeatInfo], now: datetime) -> None:
    """Set phase, turn and due time of the row to what the deal asks for next. Only a deal that
    is done writes to the database."""
    if state.phase == "done":
        _close_deal(row, state, now)
        return
    assert state.turn is not None
    row.phase, row.turn = state.phase, state.turn
    row.due_at = now + due_in(row, state, seats[state.turn])


def persons_time(row: LiveRow) -> timedelta:
    """A person's clock, with the grace for lag."""
    return timedelta(seconds=row.pace + settings.EUCHRE_GRACE)


def due_in(row: LiveRow, state: DealState, seat: SeatInfo) -> timedelta:
    """How long the table waits for the seat whose turn it is: a person's clock with the grace
    for lag, or the pause a bot makes (longer while a finished trick is read; none where bots
    are only asked whether they go alone)."""
    if not seat.played_by_bot:
        return persons_time(row)
    if state.phase == "alone" or not settings.EUCHRE_BOT_DELAY:
        return timedelta()
    reading = settings.EUCHRE_TRICK_PAUSE if state.phase == "play" and state.tricks and not state.trick else 0
    return timedelta(seconds=settings.EUCHRE_BOT_DELAY + reading)


def _close_deal(row: LiveRow, state: DealState, now: datetime) -> None:
    row.turn, row.ready = None, 0
    row.answers &= TAKES
    row.score = engine.add_points(row.score, state.points)
    assert row.game_id is not None
    Deal.objects.create(
        game_id=row.game_id,
        number=row.deal_number,
        dealer=row.dealer,
        secret=promises.secret(row),
        deck=row.deck,
        actions=row.actions,
        played_by=row.played_by,
        finished_at=now,
        **results.outcome(state),
    )
    if engine.winner(row.score, state.rules, results.counted_deals(row.game_id, state.rules)) is None:
        row.phase = Table.Phase.BETWEEN
        row.due_at = now + timedelta(seconds=settings.EUCHRE_DEAL_PAUSE)
        return
    if state.rules.laps or state.rules.slam:
        nothing = (0,) * row.sides
        match = engine.parse_match(row.match) if row.match else engine.Match(nothing, nothing)
        row.match = engine.format_match(match.after(row.score, state.rules))
    _end(row, now)


def end_by_leave(row: LiveRow, side: int, now: datetime) -> None:
    """The game is won by ``side``, which took the win when its opponents had left. The deal that was
    being played is void, and so are laps and slams: the company has broken up."""
    row.version += 1
    row.turn, row.ready, row.match = None, 0, ""
    row.deck, row.actions, row.played_by, row.maker_alone = "", "", "", None
    _end(row, now, taken_by=side)


def _end(row: LiveRow, now: datetime, taken_by: int | None = None) -> None:
    assert row.game_id is not None
    row.phase, row.due_at = Table.Phase.OVER, now + OVER_OPEN
    row.win_offered, row.answers = None, 0
    promises.promise(row)
    results.finish_game(game_id=row.game_id, score=row.score, now=now, taken_by=taken_by)
    Seat.objects.filter(table_id=row.id).update(held=False)
    row.roster += 1
