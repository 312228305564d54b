"""A game that is over, for its replay: who sat where, every deal, and one deal move by move.

Nothing here may be asked about a game that is being played: its deals would show hidden cards.
Three queries for a replay.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from games import engine, fairness, ratings, records
from games.engine import Action, Card, DealRecord, DealState, GameRecord
from games.fairness import Checked, Proof
from games.models import Deal, Game, Participation, Player

RANKS = "9TJQKA"


class StillPlayed(Exception):
    """The game is not over: nothing of it may be shown here."""


@dataclass(frozen=True, slots=True)
class Chair:
    """Who sat at a seat (None: gone since), and what the game did to the rating, in points."""

    seat: int
    player: Player | None
    won: bool | None
    left: bool
    before: int | None
    after: int | None

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
    tricks: tuple[int, int]
    points: tuple[int, int]
    score: tuple[int, int]


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
    """A finished deal laid out in steps: after step ``n`` its first ``n`` moves are made.

    The answers "together" are no moves of their own here. ``hands`` are those of seats 0 to 3;
    ``up_until`` is the step that takes the up-card off the table.
    """

    line: DealLine
    score_before: tuple[int, int]
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

    game: Game
    chairs: tuple[Chair, ...]
    lines: tuple[DealLine, ...]
    deal: DealReplay | None


def find_game(game_id: int) -> Game | None:
    """One query; nothing of the cards."""
    return Game.objects.filter(pk=game_id).first()


def read_replay(game: Game, number: int) -> Replay:
    """The game with its deal ``number``, or the nearest there is. StillPlayed if it is not over."""
    deals = _deals(game)
    lines = tuple(_lines(deals))
    shown = None
    if deals:
        at = min(max(1, number), len(deals)) - 1
        rules = engine.parse_rules(game.rules)
        final = engine.replay_deal(rules, deals[at].dealer, engine.parse_deck(deals[at].deck), deals[at].actions)
        start = engine.start_deal(rules, deals[at].dealer, engine.parse_deck(deals[at].deck))
        shown = lay_out(start, final, deals[at].played_by, lines[at], lines[at - 1].score if at else (0, 0))
    parts = Participation.objects.filter(game=game).select_related("player", "rating_change").order_by("seat")
    return Replay(game, tuple(_chair(part) for part in parts), lines, shown)


def read_record(game: Game) -> str:
    """The whole game in the engine's notation, and what its deals are checked by. StillPlayed if
    it is not over."""
    deals = _deals(game)
    played = _record(game, deals)
    return engine.format_game(played) + fairness.format_proof(_proof(game, deals), played.rules)


def read_egn(game: Game, title: str) -> str:
    """The whole game in Euchre Game Notation; who is gone since has no name. StillPlayed if it is
    not over, BadRecord if the format cannot hold it. Two queries."""
    played = _record(game, _deals(game))
    parts = Participation.objects.filter(game=game).select_related("player").order_by("seat")
    names = [part.player.name if part.player else "" for part in parts]
    date = f"{game.finished_at:%Y-%m-%dT%H:%M}" if game.finished_at else ""
    return records.to_egn(played, names, title=title, game_id=str(game.pk), date=date)


def _record(game: Game, deals: Iterable[Deal]) -> GameRecord:
    played = [DealRecord(engine.parse_deck(deal.deck), engine.parse_actions(deal.actions)) for deal in deals]
    return GameRecord(engine.parse_rules(game.rules), game.first_dealer, tuple(played))


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


def lay_out(
    start: DealState, final: DealState, played_by: str, line: DealLine, score_before: tuple[int, int]
) -> DealReplay:
    """A finished deal in steps. Pure."""
    moves = tuple(_moves(final, played_by))
    gone = {(move.seat, move.action.card): move.step for move in moves if move.action.card}
    never, out = len(moves) + 1, {(move.seat + 2) % 4: move.step for move in moves if move.action.kind == "alone"}
    passes = [move.step for move in moves if move.action.kind == "pass"]
    settled = [move.step for move in moves if move.action.kind in ("discard", "decline")]
    up_until = settled[0] if settled else passes[3]
    hands = []
    for seat in range(4):
        cards = [(card, 0) for card in start.hands[seat]]
        if seat == final.dealer and final.up_card_state == "taken":
            # The card comes and the discard goes in one move, which may even be the same card.
            cards.append((final.up_card, up_until))
        held = [
            HeldCard(card, since, gone.get((seat, card), out.get(seat, never)), idle=seat in out)
            for card, since in cards
        ]
        hands.append(tuple(sorted(held, key=lambda one: (one.since > 0, *_sorting(one.card, final.trump)))))
    return DealReplay(line, score_before, final, moves, tuple(hands), up_until)


def _deals(game: Game) -> list[Deal]:
    if game.status == Game.Status.PLAYING:
        raise StillPlayed
    return list(Deal.objects.filter(game=game).order_by("number"))


def _lines(deals: Iterable[Deal]) -> Iterable[DealLine]:
    score = (0, 0)
    for number, deal in enumerate(deals, start=1):
        score = (score[0] + deal.points_0, score[1] + deal.points_1)
        yield DealLine(
            number=number,
            dealer=deal.dealer,
            maker=deal.maker,
            trump=deal.trump,
            alone="alone" in deal.actions.split(),
            tricks=(deal.tricks_0, deal.tricks_1),
            points=(deal.points_0, deal.points_1),
            score=score,
        )


def _moves(final: DealState, played_by: str) -> Iterable[Move]:
    step = trick = in_trick = 0
    size = 4 - len(final.sitting_out)
    for (seat, action), by in zip(final.history, played_by.ljust(len(final.history), "h"), strict=False):
        if action.kind == "together":
            continue
        step += 1
        leads = action.kind == "play" and in_trick % size == 0
        trick += leads
        in_trick += action.kind == "play"
        yield Move(step, seat, action, by, trick, leads)


def _sorting(card: Card, trump: str | None) -> tuple[int, int]:
    """Trumps first, then suit by suit, colours alternating; high cards first."""
    if trump is None:
        return "SHCD".index(card[1]), -RANKS.index(card[0])
    suit = engine.effective_suit(card, trump)
    return -1 if suit == trump else "SHCD".index(suit), -engine.strength(card, trump)


def _chair(part: Participation) -> Chair:
    change = getattr(part, "rating_change", None)
    return Chair(
        seat=part.seat,
        player=part.player,
        won=part.won,
        left=part.left,
        before=ratings.shown(change.mu_before) if change else None,
        after=ratings.shown(change.mu_after) if change else None,
    )
