"""The deal of a day: how far somebody is with it, and once he may see all cards, what came of it.

A day is one of UTC. What was begun on it may be finished until the day after is over; until then
only those see the cards and the results of others who have finished it themselves.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Final

from django.core.cache import cache
from django.db.models import Avg, Count, Q

from games.bots.analysis import Contract
from games.engine import DealState
from games.models import DailyDeal, DailyPlay, Player, Table
from games.selectors.games import Chair, DealLine, Replay, lay_out
from games.selectors.tables import SeatInfo, TableSnapshot, deal_state

GRACE: Final = timedelta(days=1)
"""How long after its day a deal that was begun on it may be finished."""

PATIENCE: Final = 60
"""Seconds for which a worker that was asked for par is waited for."""

LISTED: Final = 14
"""Days in the list of those gone by."""

LEVEL: Final = "club"
"""That of the three others: it thinks by rules of thumb, at once and anywhere."""

BOTS: Final = ("Hazel", "Juniper", "Rufus")
"""What the three others are called where the site has fewer bots of that level."""


def day_of(now: datetime) -> date:
    """The day that it is in UTC."""
    return now.astimezone(UTC).date()


def find_deal(day: date) -> DailyDeal | None:
    """One query."""
    return DailyDeal.objects.filter(day=day).first()


def find_play(deal: DailyDeal | None, player_id: int | None) -> DailyPlay | None:
    """One query, or none for a visitor."""
    if deal is None or player_id is None:
        return None
    return DailyPlay.objects.filter(deal=deal, player=player_id).first()


def is_open(day: date, today: date) -> bool:
    """Whether what was begun may still be finished."""
    return today <= day + GRACE


def may_look(day: date, play: DailyPlay | None, today: date) -> bool:
    """Whether all cards, and what others made of them, may be shown to who has this play."""
    return not is_open(day, today) or (play is not None and play.finished_at is not None)


def state_of(deal: DailyDeal, play: DailyPlay | None) -> DealState:
    """The deal as it stands, all cards included; as it was dealt if nobody plays it."""
    return deal_state(deal.rules, deal.dealer, deal.deck, play.actions if play else "")


def _seated(deal: DailyDeal, player: Player | None) -> list[Player | None]:
    """Who sits at the four seats. One query."""
    bots = list(Player.objects.filter(bot_level=LEVEL).order_by("pk")[: len(BOTS)])
    bots += [Player(name=name, bot_level=LEVEL) for name in BOTS[len(bots) :]]
    seated: list[Player | None] = [*bots]
    seated.insert(deal.seat, player)
    return seated


# While it is played


def snapshot(deal: DailyDeal, play: DailyPlay, player: Player, title: str, now: datetime) -> TableSnapshot:
    """The play as a table at which no clock runs, for the felt. One query."""
    state = state_of(deal, play)
    done = state.phase == "done"
    moves = len(state.history)
    return TableSnapshot(
        id=deal.pk,
        title=title,
        revision=moves,
        version=moves,
        phase=Table.Phase.BETWEEN if done else state.phase,
        ranked=False,
        pace=0,
        rules_text=deal.rules,
        rules=state.rules,
        quick=False,
        host_id=None,
        seats=tuple(_seat(seat, sitter) for seat, sitter in enumerate(_seated(deal, player)) if sitter),
        ready=0,
        game_id=None,
        deal_number=1,
        score=state.points,
        deal=state,
        turn=state.turn,
        due_at=None,
        fill_at=None,
        over=None,
        made_at=now,
    )


def _seat(seat: int, sitter: Player) -> SeatInfo:
    return SeatInfo(0, seat, sitter.pk, sitter.name, None, None, sitter.bot_level, False, False, None, 0, False)


# Once all cards may be seen


@dataclass(frozen=True, slots=True)
class Par:
    """What perfect play of all four makes of the deal, every card known."""

    agreed: Contract | None
    """What bidding leads to then; None if all pass."""
    best: tuple[Contract, ...]
    """What is best for each seat to call."""
    side: int
    """The player's."""

    @property
    def net(self) -> int:
        """Of what bidding leads to, for the player's side."""
        return self._net(self.agreed) if self.agreed else 0

    @property
    def own(self) -> Contract:
        """The best call of the player's side."""
        return max((found for found in self.best if found.maker % 2 == self.side), key=self._net)

    @property
    def own_net(self) -> int:
        return self._net(self.own)

    def _net(self, found: Contract) -> int:
        return found.points[self.side] - found.points[1 - self.side]


@dataclass(frozen=True, slots=True)
class Share:
    """So many of the field, in percent of the most."""

    players: int
    part: int


@dataclass(frozen=True, slots=True)
class Call:
    """What was called, by so many; ``maker`` is None where all passed."""

    maker: int | None
    trump: str
    alone: bool
    share: Share
    mean: float
    """Of the net points that came of it."""


@dataclass(frozen=True, slots=True)
class Field:
    """What all who finished it made of the deal."""

    players: int
    mean: float
    results: tuple[tuple[int, Share], ...]
    """By net points, the best first."""
    calls: tuple[Call, ...]
    """The most frequent first."""

    def rank(self, points: int) -> int:
        """The place of a result; equal ones share the best."""
        return 1 + sum(share.players for net, share in self.results if net > points)


@dataclass(frozen=True, slots=True)
class PastDay:
    """A day gone by: how many finished it, and if one may know it, what they made of it; one's own
    net points, or whether one has begun at all."""

    day: date
    players: int
    mean: float | None
    points: int | None
    begun: bool
    open: bool


@dataclass(frozen=True, slots=True)
class Streak:
    """Days in a row with a finished deal: up to today (or yesterday, as long as there is time), and the most."""

    now: int
    best: int


def asked_key(deal_id: int) -> str:
    """Where the cache keeps that a worker has been asked for par."""
    return f"daily-par-{deal_id}"


def is_asked(deal: DailyDeal) -> bool:
    """Whether a worker is at it, or was told to begin. One query."""
    return cache.get(asked_key(deal.pk)) is not None


def par_of(deal: DailyDeal) -> Par | None:
    """What a worker found, None before it has."""
    if deal.par is None:
        return None
    agreed, *best = [
        None if found is None else Contract(**found | {"points": tuple(found["points"])})
        for found in (deal.par["agreed"], *deal.par["best"])
    ]
    return Par(agreed, tuple(found for found in best if found), deal.seat % 2)


def read_field(deal: DailyDeal) -> Field | None:
    """None before anybody has finished. Two queries."""
    plays = DailyPlay.objects.filter(deal=deal, finished_at__isnull=False).order_by()
    results = dict(plays.values_list("points").annotate(players=Count("pk")).order_by("-points"))
    if not results:
        return None
    players = sum(results.values())
    calls = list(
        plays.values_list("maker", "trump", "alone")
        .annotate(players=Count("pk"), mean=Avg("points"))
        .order_by("-players", "-mean", "maker", "trump", "alone")
    )
    most, most_called = max(results.values()), calls[0][3]
    return Field(
        players=players,
        mean=sum(points * count for points, count in results.items()) / players,
        results=tuple((points, _share(count, most)) for points, count in results.items()),
        calls=tuple(
            Call(maker, trump, alone, _share(count, most_called), mean) for maker, trump, alone, count, mean in calls
        ),
    )


def _share(players: int, most: int) -> Share:
    return Share(players, round(100 * players / most))


def read_replay(deal: DailyDeal, play: DailyPlay | None, player: Player | None, score: tuple[int, int]) -> Replay:
    """The deal face up, as it was played, or as it was dealt to who has not finished it. One query."""
    finished = play if play and play.finished_at else None
    start, final = state_of(deal, None), state_of(deal, finished)
    by = "".join("h" if seat == deal.seat else "b" for seat, _action in final.history)
    line = DealLine(
        number=1,
        dealer=deal.dealer,
        maker=final.maker,
        trump=final.trump or "",
        alone=bool(final.loners),
        redeal=False,
        tricks=final.tricks_won,
        points=final.points,
        score=final.points,
        finished=finished is not None,
    )
    seated = _seated(deal, player)
    chairs = tuple(Chair(seat, sitter.name if sitter else "", sitter) for seat, sitter in enumerate(seated))
    return Replay(chairs, (line,), lay_out(start, final, by, line, score))


# The days


def read_past(player_id: int | None, today: date) -> list[PastDay]:
    """The last days before today, the newest first. Two queries."""
    days = list(
        DailyDeal.objects.filter(day__lt=today)
        .annotate(players=Count("plays", filter=Q(plays__finished_at__isnull=False)), mean=Avg("plays__points"))
        .order_by("-day")
        .values_list("pk", "day", "players", "mean")[:LISTED]
    )
    plays = DailyPlay.objects.filter(deal__in=[pk for pk, *_day in days], player=player_id) if player_id else ()
    own = {play.deal_id: play for play in plays}
    return [_past(day, players, mean, own.get(pk), today) for pk, day, players, mean in days]


def _past(day: date, players: int, mean: float | None, play: DailyPlay | None, today: date) -> PastDay:
    return PastDay(
        day=day,
        players=players,
        mean=mean if may_look(day, play, today) else None,
        points=play.points if play else None,
        begun=play is not None,
        open=is_open(day, today),
    )


def read_streak(player_id: int, today: date) -> Streak:
    """One query."""
    finished = DailyPlay.objects.filter(player=player_id, finished_at__isnull=False)
    now = best = run = 0
    last: date | None = None
    for day in finished.order_by("deal__day").values_list("deal__day", flat=True):
        run = run + 1 if last is not None and day - last == timedelta(days=1) else 1
        best, last = max(best, run), day
    if last is not None and today - last <= timedelta(days=1):
        now = run
    return Streak(now, best)
