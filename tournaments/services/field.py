"""What happens to the field of an event whose desk is open: places, numbers, names, bots."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

from django.db.models import Max
from django.utils.translation import gettext as _

from games.bots import FILL_IN
from games.models import Player
from games.names import name_key
from games.services.errors import UserError
from games.services.results import ensure_ratings
from tournaments.formats.event import EventError
from tournaments.models import Entrant, Event, Member, Round, Seating
from tournaments.playbook import Plan
from tournaments.selectors.snapshots import Course, read_course, tell
from tournaments.services.desk import Desk

BOTS: Final = 200
"""Bots in one event."""

LAST_NUMBER: Final = 20_000
"""Of an entrant; also of those that were struck off."""

_LONGEST_LABEL: Final = 140
_UNSHOWN: Final = (Round.State.DRAWN,)

BEFORE: Final = (Event.State.DRAFT, *Event.AHEAD)
"""States of an event before its start."""

IN: Final = (*Entrant.LISTED, *Entrant.PLAYING)
"""States of an entrant that has a place."""

Person = tuple[int | None, str]
"""Somebody who enters: the account, if there is one, and the name."""


def label_of(names: Sequence[str], team: str = "") -> str:
    """What an entrant is called: a team by its name, else by those of its members."""
    if team:
        return team[:_LONGEST_LABEL]
    last = " & ".join(names[-2:])
    label = ", ".join([*names[:-2], last])
    return label if len(label) <= _LONGEST_LABEL else label[: _LONGEST_LABEL - 1] + "…"


def relabel(desk: Desk, entrant: Entrant, before: Sequence[str]) -> None:
    """Call an entrant after its members as they are now; a team keeps its name."""
    if entrant.name == label_of(before):
        desk.change(entrant, name=label_of(names_of(entrant)))


def names_of(entrant: Entrant) -> list[str]:
    return [member.name for member in present(entrant)]


def present(entrant: Entrant) -> list[Member]:
    """Its members, without those who were replaced."""
    return list(Member.objects.filter(entrant=entrant, gone=False).order_by("position", "pk"))


def next_number(desk: Desk) -> int:
    """The number of the next entrant."""
    return (desk.event.entrants.aggregate(last=Max("number"))["last"] or 0) + 1


def next_round(event: Event) -> int:
    """The first round that is not published yet: the first that somebody new can play."""
    shown = event.rounds.exclude(state__in=_UNSHOWN).aggregate(last=Max("number"))["last"]
    return (shown or 0) + 1


def places_left(event: Event) -> int | None:
    """How many the format still takes into the next round of a running event; None for any number."""
    try:
        course = read_course(event, rounds_before=next_round(event))
        return course.plan.places_left(course.snapshot, event.seed)
    except EventError as error:
        raise UserError(tell(error)) from None


def check_places(event: Event, count: int) -> None:
    """UserError if the format does not take so many new ones into the next round of a running event."""
    left = places_left(event)
    if left is not None and count > left:
        raise UserError(
            _("This format takes %(left)d more now; you entered %(count)d.") % {"left": left, "count": count}
            if left
            else _("It is too late to join: this format takes nobody new into the next round.")
        )


def was_seated(entrant: Entrant) -> bool:
    """Whether it had a seat in a round that was published."""
    return Seating.objects.filter(entrant=entrant).exclude(round__state__in=_UNSHOWN).exists()


def free_places(desk: Desk) -> int | None:
    """How many more may enter; None for any number."""
    if not desk.event.capacity:
        return None
    return max(0, desk.event.capacity - desk.event.entrants.filter(state__in=IN).count())


def let_in(
    desk: Desk, *, free: int | None, approved: bool, here: bool = False, new: bool = True
) -> tuple[Entrant.State, int]:
    """The state of somebody complete who wants to take part, and the first round he could play.
    ``approved``: no director has to accept him any more. ``here``: who enters while check-in is
    open need not check in. UserError for somebody ``new`` where the format takes nobody any more."""
    if desk.event.approval and not approved:
        return Entrant.State.ASKED, 1
    if free is not None and free <= 0:
        return Entrant.State.WAITING, 1
    if desk.event.state == Event.State.RUNNING:
        if new:
            check_places(desk.event, 1)
        return Entrant.State.ACTIVE, next_round(desk.event)
    checked = here and desk.event.state == Event.State.CHECK_IN
    return Entrant.State.CHECKED_IN if checked else Entrant.State.ENTERED, 1


def fit(desk: Desk) -> None:
    """Before the start: free places go to those who have waited longest; who is too many, the
    last to enter first, waits."""
    if desk.event.state not in BEFORE:
        return
    free = free_places(desk)
    taken = desk.event.entrants.filter(state__in=IN).count()
    over = taken - desk.event.capacity if desk.event.capacity else 0
    if over > 0:
        last = list(desk.event.entrants.filter(state__in=Entrant.LISTED).order_by("-entered_at", "-number")[:over])
        desk.change_all(last, state=Entrant.State.WAITING)
        return
    waiting = desk.event.entrants.filter(state=Entrant.State.WAITING).order_by("entered_at", "number")
    moved = list(waiting if free is None else waiting[:free])
    if desk.change_all(moved, state=Entrant.State.ENTERED):
        desk.say(promoted=[row.name for row in moved])


def enter(
    desk: Desk, people: Sequence[tuple[int | None, str]], *, state: str, joined: int = 1, team: str = ""
) -> Entrant:
    """A new entrant of these people: the account, or None, and the name of each."""
    return enter_all(desk, [(people, team, state)], joined=joined)[0]


def enter_all(desk: Desk, groups: Sequence[tuple[Sequence[Person], str, str]], *, joined: int = 1) -> list[Entrant]:
    """New entrants of people, a team's name, and a state each, in three queries. UserError for too many."""
    first = next_number(desk)
    if first + len(groups) > LAST_NUMBER:
        raise UserError(_("An event counts its entries up to %(most)d: make another event.") % {"most": LAST_NUMBER})
    made = desk.create_all(
        Entrant,
        [
            {
                "number": number,
                "name": label_of([name for _player, name in people], team),
                "state": state,
                "joined": joined,
                "entered_at": desk.now,
            }
            for number, (people, team, state) in enumerate(groups, first)
        ],
    )
    desk.create_all(
        Member,
        [
            {"entrant": entrant, "position": position, "player_id": player, "name": name}
            for entrant, (people, _team, _state) in zip(made, groups, strict=True)
            for position, (player, name) in enumerate(people)
        ],
    )
    return made


def resize(desk: Desk, members: int) -> None:
    """Everybody on his own: as an entrant where people enter alone, else looking for others."""
    running = desk.event.state == Event.State.RUNNING
    state = Entrant.State.SPARE if members > 1 else Entrant.State.ACTIVE if running else Entrant.State.ENTERED
    for request in desk.event.partner_requests.all():
        desk.delete(request)
    for entrant in list(desk.event.entrants.exclude(state__in=(Entrant.State.WITHDRAWN, Entrant.State.DISQUALIFIED))):
        people = present(entrant)
        waits = entrant.state in (Entrant.State.ASKED, Entrant.State.WAITING)
        new = entrant.state if waits and members == 1 else state
        if people:
            desk.change(entrant, name=people[0].name, state=new)
        for person in people[1:]:
            own = desk.create(
                Entrant,
                number=next_number(desk),
                name=person.name,
                state=new,
                joined=entrant.joined,
                entered_at=entrant.entered_at,
            )
            desk.change(person, entrant=own, position=0)


def missing(plan: Plan, count: int) -> int:
    """How many entrants more make full tables, and enough for the format."""
    whole = 2 * plan.side
    wanted = max(count, plan.book.least, whole)
    return -(-wanted // whole) * whole - count


def of_bots(event: Event) -> set[int]:
    """The entrants (ids) in which bots alone play. One query."""
    with_people = Member.objects.filter(event=event, gone=False).exclude(player__isnull=False, player__bot_level__gt="")
    here = event.members.filter(gone=False).exclude(entrant__in=with_people.values("entrant"))
    return set(here.values_list("entrant", flat=True))


def add_bots(desk: Desk, plan: Plan, entrants: int, state: Entrant.State) -> int:
    """That many entrants of bots, who play from the next round on; their number."""
    if entrants <= 0:
        return 0
    bots = free_bots(desk.event, entrants * plan.members)
    groups = [
        ([(bot.pk, bot.name) for bot in bots[first : first + plan.members]], "", state.value)
        for first in range(0, len(bots), plan.members)
    ]
    enter_all(desk, groups, joined=next_round(desk.event))
    return entrants


def free_bots(event: Event, count: int) -> list[Player]:
    """Bots that are not in the event; where the site has too few, more of them are made."""
    known = list(Player.objects.filter(is_active=True).exclude(bot_level="").order_by("pk"))
    if not known:
        raise UserError(_("There are not enough bots on this site. Its keeper can add some."))
    here = Member.objects.filter(event=event, gone=False, player__isnull=False)
    taken = set(here.values_list("player", flat=True))
    if sum(bot.pk in taken for bot in known) + count > BOTS:
        raise UserError(_("An event takes %(most)d bots at most.") % {"most": BOTS})
    free = [bot for bot in known if bot.pk not in taken][:count]
    if len(free) < count:
        free += _more_bots([bot.name for bot in known if not bot.name[-1].isdigit()], count - len(free))
    return free


def _more_bots(names: Sequence[str], count: int) -> list[Player]:
    taken = set(Player.objects.values_list("name_key", flat=True))
    wanted = (f"{name} {number}" for number in range(2, 1000) for name in names or ("Bot",))
    free = (name for name in wanted if name_key(name) not in taken)
    made = [
        Player.objects.create_user(name, bot_level=FILL_IN) for name, _each in zip(free, range(count), strict=False)
    ]
    ensure_ratings(Player.objects.filter(pk__in=[bot.pk for bot in made]))
    return made


def places_of(event: Event) -> list[dict[str, Any]]:
    """The values of the :class:`Place` of everybody who took part, by the standings. UserError if
    they cannot be told."""
    try:
        course = read_course(event)
        lines = course.lines()
    except EventError as error:
        raise UserError(tell(error)) from None
    entrants = {row.number: row for row in event.entrants.all()}
    people = _people(event)
    told = _tallies(course)
    rows = []
    for line in lines:
        entrant = entrants[line.entrant]
        games, wins, points = told.games[line.entrant], told.wins[line.entrant], told.points[line.entrant]
        rows += [
            {
                "entrant": entrant,
                "player_id": person.player_id,
                "name": person.name,
                "place": line.place,
                "score": float(line.score),
                "games": games,
                "wins": wins,
                "points": points,
                "counters": {name: count[line.entrant] for name, count in told.counters.items() if count[line.entrant]},
            }
            for person in people.get(entrant.pk, ())
        ]
    return rows


class _Tally:
    """Games, wins and points of each entrant at tables that counted."""

    def __init__(self) -> None:
        self.games: Counter[int] = Counter()
        self.wins: dict[int, float] = {}
        self.points: Counter[int] = Counter()
        self.counters: dict[str, Counter[int]] = {}


def _tallies(course: Course) -> _Tally:
    told = _Tally()
    told.wins = dict.fromkeys((one.id for one in course.snapshot.entrants), 0.0)
    for _round, table in course.snapshot.tables():
        result = table.result
        if result.outcome == "void":
            continue
        level = result.played and result.winner is None and result.points[0] == result.points[1]
        winner = result.winner if result.winner is not None else _ahead(result.points)
        for side, entrants in enumerate(table.sides):
            for entrant in entrants:
                if result.played:
                    told.games[entrant] += 1
                    told.points[entrant] += result.points[side]
                told.wins[entrant] = told.wins.get(entrant, 0.0) + (0.5 if level else float(side == winner))
        for name, numbers in result.counters.items():
            told.counters.setdefault(name, Counter()).update(numbers)
    return told


def _ahead(points: tuple[int, int]) -> int | None:
    return None if points[0] == points[1] else int(points[1] > points[0])


def _people(event: Event) -> dict[int, list[Member]]:
    found: dict[int, list[Member]] = {}
    for member in Member.objects.filter(event=event, gone=False).order_by("entrant", "position", "pk"):
        found.setdefault(member.entrant_id, []).append(member)
    return found
