"""A game that is over, or a record from outside, for its replay: who sat where, every deal, and
one deal move by move.

Nothing here may be asked about a game that is being played: its deals would show hidden cards.
Three queries for a replay, none for a record.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from django.db.models import Exists, OuterRef, Q

from games import engine, fairness, ratings, records
from games.engine import BENNY, NO_TRUMP, Action, Card, DealRecord, DealState, GameRecord, Score
from games.fairness import Checked, Proof
from games.models import Deal, Game, Participation, Player

UNSAID = ("together", "keep")
"""Answers that change nothing: no moves of a replay."""

LONE = ("alone", "order_up_alone", "call_alone")


class StillPlayed(Exception):
    """The game is not over: nothing of it may be shown here."""


@dataclass(frozen=True, slots=True)
class Chair:
    """Who sat at a seat, and what the game did to the rating, in points. ``name`` is "" for who is
    gone; a record from outside has names without players."""

    seat: int
    name: str
    player: Player | None = None
    won: bool | None = None
    left: bool = False
    before: int | None = None
    after: int | None = None
    program: bool = False
    """A program played the seat, with its owner's token."""

    @property
    def change(self) -> int | None:
        return self.after - self.before if self.after is not None and self.before is not None else None


@dataclass(frozen=True, slots=True)
class DealLine:
    """A deal in the list of deals; ``score`` is that after it."""

    number: int
    dealer: int
    maker: int | None
    trump: str
    alone: bool
    redeal: bool
    """A weak hand was declared, and the same dealer dealt again."""
    tricks: tuple[int, ...]
    points: Score
    score: Score
    finished: bool = True
    """Only a record from outside may end within a deal."""


@dataclass(frozen=True, slots=True)
class Move:
    """The ``step``-th move of a deal. ``by``: h the person, b a bot, c the clock. ``trick`` is 0
    before the play, ``leads`` tells the first card of a trick."""

    step: int
    seat: int
    action: Action
    by: str
    trick: int
    leads: bool


@dataclass(frozen=True, slots=True)
class HeldCard:
    """A card of a hand: there after step ``since``, gone after step ``gone``. ``idle``: by no
    move of its own, its owner sits out."""

    card: Card
    since: int
    gone: int
    idle: bool


@dataclass(frozen=True, slots=True)
class DealReplay:
    """A deal laid out in steps: after step ``n`` its first ``n`` moves are made.

    The answers "together" and "keep" are no moves of their own here. ``hands`` are those of each
    seat; ``up_until`` is the step that takes the up-card off the table.
    """

    line: DealLine
    score_before: Score
    final: DealState
    moves: tuple[Move, ...]
    hands: tuple[tuple[HeldCard, ...], ...]
    up_until: int

    @property
    def last_step(self) -> int:
        return len(self.moves)

    def trick_ends(self, trick: int) -> int:
        """The step that clears a trick away: the next lead, or none of this deal."""
        leads = (move.step for move in self.moves if move.leads and move.trick > trick)
        return next(leads, self.last_step + 1)


@dataclass(frozen=True, slots=True)
class Evidence:
    """What has been given out of a game's deals, for their check. ``checked`` and ``decks`` are
    empty while the game is played: they would show its hands. ``players`` by seat, None who is gone."""

    proof: Proof
    names: tuple[str, ...]
    players: tuple[int | None, ...]
    checked: tuple[Checked, ...]
    decks: tuple[tuple[Card, ...], ...]


@dataclass(frozen=True, slots=True)
class Replay:
    """A game that is over. ``deal`` is None when not one deal of it was finished."""

    chairs: tuple[Chair, ...]
    lines: tuple[DealLine, ...]
    deal: DealReplay | None


def find_game(game_id: int, viewer_id: int | None = None) -> Game | None:
    """A game that ``viewer_id`` (None: a visitor) may read of; one of a private table is there for those
    who played it alone. One query; nothing of the cards."""
    return Game.objects.filter(open_to(viewer_id), pk=game_id).first()


def open_to(viewer_id: int | None, prefix: str = "") -> Q:
    """Of games, or of what has one under ``prefix``: those that somebody may read of."""
    shown = ~Q(**{f"{prefix}table__private": True})
    if viewer_id is None:
        return shown
    return shown | Exists(Participation.objects.filter(game=OuterRef(f"{prefix}pk"), player=viewer_id))


def read_replay(game: Game, number: int) -> Replay:
    """The game with its deal ``number``, or the nearest there is. StillPlayed if it is not over."""
    return _replay(game, _deals(game), number)


def read_scored(game: Game, number: int) -> Replay:
    """A deal of a game that may still be played, with those before it, for staff: StillPlayed unless
    that very deal has been scored, and so lies open to everybody. Two queries."""
    deals = list(Deal.objects.filter(game=game, number__lte=number).order_by("number"))
    if not deals or deals[-1].number != number:
        raise StillPlayed
    return _replay(game, deals, number)


def _replay(game: Game, deals: list[Deal], number: int) -> Replay:
    rules = engine.parse_rules(game.rules)
    before = engine.parse_score(game.start) or (0,) * rules.sides
    lines = tuple(_lines(deals, before))
    shown = None
    if deals:
        at = min(max(1, number), len(deals)) - 1
        final = engine.replay_deal(rules, deals[at].dealer, engine.parse_deck(deals[at].deck), deals[at].actions)
        start = engine.start_deal(rules, deals[at].dealer, engine.parse_deck(deals[at].deck))
        shown = lay_out(start, final, deals[at].played_by, lines[at], lines[at - 1].score if at else before)
    parts = Participation.objects.filter(game=game).select_related("player", "rating_change").order_by("seat")
    return Replay(tuple(_chair(part) for part in parts), lines, shown)


def lay_out_record(record: GameRecord, names: Sequence[str], number: int) -> Replay:
    """A record from outside with its deal ``number``, or the nearest there is; ``names`` by seat.
    Pure. IllegalAction if the record breaks the rules."""
    played = engine.replay(record)
    lines = tuple(_lines_of(played))
    shown = None
    if lines:
        at = min(max(1, number), len(lines)) - 1
        start = engine.start_deal(record.rules, lines[at].dealer, record.deals[at].deck)
        before = lines[at - 1].score if at else record.start or (0,) * record.rules.sides
        shown = lay_out(start, played.deals[at], "", lines[at], before)
    return Replay(tuple(Chair(seat, name) for seat, name in enumerate(names)), lines, shown)


def _lines_of(played: engine.Game) -> Iterator[DealLine]:
    for number, (deal, score) in enumerate(zip(played.deals, played.scores, strict=True), start=1):
        yield DealLine(
            number=number,
            dealer=deal.dealer,
            maker=deal.maker,
            trump=deal.trump or "",
            alone=bool(deal.loners),
            redeal=deal.redeal,
            tricks=deal.tricks_won,
            points=deal.points,
            score=score,
            finished=deal.phase == "done",
        )


def read_record(game: Game) -> str:
    """The whole game in the engine's notation, who played it, and what its deals are checked by.
    StillPlayed if it is not over. Two queries."""
    return _record_text(game, _deals(game), _names(game))


def read_records(games: Sequence[Game]) -> dict[int, str]:
    """Those of many games by their ids, without the games that are not over. Two queries."""
    over = [game for game in games if game.status != Game.Status.PLAYING]
    deals: dict[int, list[Deal]] = {game.pk: [] for game in over}
    held = Deal.objects.filter(game__in=over).only("game", "number", "secret", "deck", "actions")
    for deal in held.order_by("game", "number"):
        deals[deal.game_id].append(deal)
    names: dict[int, list[str]] = {game.pk: [] for game in over}
    for part in Participation.objects.filter(game__in=over).select_related("player").order_by("game", "seat"):
        names[part.game_id].append(part.player.name if part.player else "")
    return {game.pk: _record_text(game, deals[game.pk], names[game.pk]) for game in over}


def _record_text(game: Game, deals: list[Deal], names: Sequence[str]) -> str:
    players = records.format_players(names)
    return engine.format_game(_record(game, deals)) + players + fairness.format_proof(_proof(game, deals))


def read_egn(game: Game, title: str) -> str:
    """The whole game in Euchre Game Notation; who is gone since has no name. StillPlayed if it is
    not over, BadRecord if the format cannot hold it. Two queries."""
    played = _record(game, _deals(game))
    names = _names(game)
    date = f"{game.finished_at:%Y-%m-%dT%H:%M}" if game.finished_at else ""
    return records.to_egn(played, names, title=title, game_id=str(game.pk), date=date)


def _names(game: Game) -> list[str]:
    """By seat, "" for who is gone."""
    parts = Participation.objects.filter(game=game).select_related("player").order_by("seat")
    return [part.player.name if part.player else "" for part in parts]


def _record(game: Game, deals: Iterable[Deal]) -> GameRecord:
    played = [DealRecord(engine.parse_deck(deal.deck), engine.parse_actions(deal.actions)) for deal in deals]
    return GameRecord(engine.parse_rules(game.rules), game.first_dealer, tuple(played), engine.parse_score(game.start))


def read_evidence(game: Game) -> Evidence:
    """The commitments, the nonces and the secrets of the deals scored so far, of any game; every
    deal checked once it is over. Two queries."""
    deals = list(Deal.objects.filter(game=game).order_by("number"))
    proof = _proof(game, deals)
    parts = list(Participation.objects.filter(game=game).select_related("player").order_by("seat"))
    names = tuple(part.player.name if part.player else "" for part in parts)
    players = tuple(part.player_id for part in parts)
    if game.status == Game.Status.PLAYING:
        return Evidence(proof, names, players, (), ())
    decks = {deal.number: engine.parse_deck(deal.deck) for deal in deals}
    checked = fairness.verify(proof, engine.parse_rules(game.rules), game.first_dealer, decks)
    return Evidence(proof, names, players, checked, tuple(decks.values()))


def _proof(game: Game, deals: Iterable[Deal]) -> Proof:
    chains = tuple(map(fairness.parse_chain, game.chains.splitlines()))
    return Proof(chains, {deal.number: bytes(deal.secret) for deal in deals} if chains else {})


def lay_out(start: DealState, final: DealState, played_by: str, line: DealLine, score_before: Score) -> DealReplay:
    """A deal in steps, from its first state and its last. Pure."""
    moves = tuple(_moves(final, played_by))
    never = len(moves) + 1
    states = [start]
    state = start
    for _seat, action in final.history:
        state = engine.apply(state, action)
        if action.kind not in UNSAID:
            states.append(state)
    up_until = next((step for step, state in enumerate(states) if state.up_card_state != "up"), never)
    out = {(move.seat + 2) % 4: move.step for move in moves if move.action.kind in LONE}
    hands = [_held(states, seat, out.get(seat, never), seat in out) for seat in range(final.rules.players)]
    if final.up_card_state == "taken" and final.discard == final.up_card:  # it comes and goes in one move
        hands[final.dealer] += (HeldCard(final.up_card, up_until, up_until, idle=False),)
    shown = [tuple(sorted(hand, key=lambda one: (one.since > 0, *in_order(one.card, final.trump)))) for hand in hands]
    return DealReplay(line, score_before, final, moves, tuple(shown), up_until)


def _held(states: list[DealState], seat: int, out: int, idle: bool) -> tuple[HeldCard, ...]:
    """Every card a seat ever holds: from which step, and by which it is gone or its owner out."""
    since: dict[Card, int] = {}
    gone: dict[Card, int] = {}
    for step, state in enumerate(states):
        hand = state.hands[seat]
        for card in hand:
            since.setdefault(card, step)
        for card in since:
            if card not in hand:
                gone.setdefault(card, step)
    return tuple(HeldCard(card, step, min(gone.get(card, out), out), idle) for card, step in since.items())


def _deals(game: Game) -> list[Deal]:
    if game.status == Game.Status.PLAYING:
        raise StillPlayed
    return list(Deal.objects.filter(game=game).order_by("number"))


def _lines(deals: Iterable[Deal], score: Score) -> Iterable[DealLine]:
    sides = len(score)
    for number, deal in enumerate(deals, start=1):
        points = (deal.points_0, deal.points_1, deal.points_2)[:sides]
        score = engine.add_points(score, points)
        said = deal.actions.split()
        yield DealLine(
            number=number,
            dealer=deal.dealer,
            maker=deal.maker,
            trump=deal.trump,
            alone=any(text.partition(":")[0] in LONE for text in said),
            redeal=deal.maker is None and said[-1:] == ["declare"],
            tricks=(deal.tricks_0, deal.tricks_1, deal.tricks_2)[:sides],
            points=points,
            score=score,
        )


def _moves(final: DealState, played_by: str) -> Iterable[Move]:
    step = trick = in_trick = 0
    size = final.rules.players - len(final.sitting_out)
    for (seat, action), by in zip(final.history, played_by.ljust(len(final.history), "h"), strict=False):
        if action.kind in UNSAID:
            continue
        step += 1
        leads = action.kind == "play" and in_trick % size == 0
        trick += leads
        in_trick += action.kind == "play"
        yield Move(step, seat, action, by, trick, leads)


def in_order(card: Card, trump: str | None) -> tuple[int, int]:
    """Trumps first, then suit by suit, colours alternating; high cards first."""
    suit = engine.effective_suit(card, trump or NO_TRUMP)
    place = -1 if suit == trump or card == BENNY else "SHCD".index(suit)
    return place, -engine.strength(card, trump or NO_TRUMP)


def _chair(part: Participation) -> Chair:
    change = getattr(part, "rating_change", None)
    return Chair(
        seat=part.seat,
        name=part.player.name if part.player else "",
        player=part.player,
        won=part.won,
        left=part.left,
        before=ratings.shown(change.mu_before) if change else None,
        after=ratings.shown(change.mu_after) if change else None,
        program=part.program,
    )
