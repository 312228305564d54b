"""What connects events: season tables, a club's finished evenings added up, and series."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from fractions import Fraction
from zoneinfo import ZoneInfo

from tournaments import seasons as pure
from tournaments.models import Club, Event, Place, Season
from tournaments.selectors.event_pages import plan_of


@dataclass(frozen=True, slots=True)
class Standing:
    """A line of a season's table. ``player`` is the name of an account, for its page; "" without one.
    ``terms`` has one for each evening of the season, None where somebody did not play."""

    row: pure.Row
    name: str
    player: str
    player_id: int | None
    terms: tuple[pure.Term | None, ...]


@dataclass(frozen=True, slots=True)
class Award:
    kind: str
    best: Fraction
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SeasonTable:
    """``events`` are those that count. ``bots`` is how many bots played and have no line; ``unscored`` the
    events whose scores are neither compared nor added, since they are not points played."""

    events: tuple[Event, ...]
    rows: tuple[Standing, ...]
    prizes: tuple[Award, ...]
    bots: int
    unscored: tuple[Event, ...]


def read_seasons(club: Club) -> list[Season]:
    """The newest first. One query."""
    return list(Season.objects.filter(club=club))


def find_season(club: Club, season_id: int) -> Season | None:
    return Season.objects.filter(club=club, pk=season_id).first()


def events_of_series(event: Event) -> list[Event]:
    """All events of the series that an event belongs to, in order of time. One query."""
    return list(Event.objects.filter(series=event.series_id).order_by("starts_at"))


def season_key(season: Season) -> tuple[object, ...]:
    """Another one whenever the season's table is another one. Two queries."""
    events = _finished(season)
    terms = (season.name, season.starts_on, season.ends_on, *season.points, season.drop)
    names = Place.objects.filter(event__in=events, player__isnull=False).order_by("player")
    named = hash(tuple(names.values_list("player", "player__name").distinct()))
    read = ((each.pk, each.created_at, each.version, each.title, each.zone) for each in events)
    return ("season", season.pk, *terms, *read, named)


def season_table(season: Season) -> SeasonTable:
    """Two queries, whatever the numbers. People without an account are known by their names. Bots
    have no line and no prize; the places of people are those that their events gave them."""
    events = tuple(event for event in _finished(season) if season.starts_on <= _day(event) <= season.ends_on)
    numbers = [event.pk for event in events]
    places = list(Place.objects.filter(event__in=numbers).select_related("player").order_by("event", "place", "pk"))
    level = Counter((place.event_id, place.place, place.entrant_id) for place in places)
    entrants = Counter((event_id, place) for event_id, place, _entrant in level)
    unscored = tuple(event for event in events if not _by_points(event))
    others = {event.pk for event in unscored}
    bots = {place.player_id for place in places if _of_bot(place)}
    evenings: dict[str, list[pure.Evening]] = defaultdict(list)
    shown: dict[str, Place] = {}
    people = [place for place in places if not _of_bot(place)]
    for place in sorted(people, key=lambda place: numbers.index(place.event_id)):
        who = f"p{place.player_id}" if place.player_id else f"n{place.name.casefold()}"
        shown[who] = place
        evenings[who].append(
            pure.Evening(
                place.event_id,
                place.place,
                Fraction(place.score).limit_denominator(1000),
                entrants[place.event_id, place.place],
                Fraction(place.wins).limit_denominator(2),
                place.counters,
                place.event_id not in others,
            )
        )
    rules = pure.Rules(tuple(season.points), season.drop)
    counted = tuple(event for event in events if season.points or event.pk not in others)
    columns = [event.pk for event in counted]
    rows = tuple(_standing(row, shown[row.who], columns) for row in pure.table(evenings, len(counted), rules))
    prizes = tuple(
        Award(prize.kind, prize.best, tuple(sorted(_name(shown[who]) for who in prize.who)))
        for prize in pure.prizes(evenings)
    )
    lines = tuple(sorted(rows, key=lambda row: (row.row.place, row.name.casefold())))
    return SeasonTable(counted, lines, prizes, len(bots), unscored)


def _of_bot(place: Place) -> bool:
    return place.player is not None and bool(place.player.bot_level)


def _by_points(event: Event) -> bool:
    plan = plan_of(event)
    return plan is not None and plan.by_points


def _finished(season: Season) -> list[Event]:
    """Wide by a day at both ends: the day of an event is that of its own zone."""
    start = datetime.combine(season.starts_on, datetime.min.time(), UTC) - timedelta(days=1)
    end = datetime.combine(season.ends_on, datetime.min.time(), UTC) + timedelta(days=2)
    found = Event.objects.filter(
        club=season.club_id, state=Event.State.FINISHED, started_at__gte=start, started_at__lt=end
    )
    return list(found.order_by("started_at", "pk"))


def _day(event: Event) -> date:
    assert event.started_at is not None
    return event.started_at.astimezone(ZoneInfo(event.zone)).date()


def _name(place: Place) -> str:
    return place.player.name if place.player else place.name


def _standing(row: pure.Row, place: Place, events: list[int]) -> Standing:
    by_event = {term.event: term for term in row.terms}
    return Standing(
        row,
        _name(place),
        place.player.name if place.player else "",
        place.player_id,
        tuple(by_event.get(event) for event in events),
    )
