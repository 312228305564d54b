"""Ladders: put up, joined, climbed, put right. Whoever writes has locked the ladder's row.

| what happens | what it does |
|---|---|
| the same again (a double click, both of a pair) | nothing |
| two pairs challenge one, or one two | the first counts, the other is told |
| an answer, a score after the term or the match is over | a sentence that says how it ended |
| both sides type the same score | the second one confirms the first |
| they type different scores | both stay, until they agree or an officer decides |
| the game at the online table ends | its result counts, unless the match is over |
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any, Final, Literal

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone, translation
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from games import engine
from games.models import Game, Participation, Player
from games.models import Table as LiveTable
from games.services import reserved
from games.services.errors import UserError
from games.services.reserved import Booking
from games.services.seating import PACES, is_rated
from tournaments.formats import ladder as pure
from tournaments.formats import scores
from tournaments.formats.event import EventError
from tournaments.formats.ladder import Entry, State
from tournaments.models import (
    Ladder,
    LadderAsk,
    LadderCorrection,
    LadderEntry,
    LadderMatch,
    LadderPair,
    LogEntry,
    Membership,
)
from tournaments.selectors import ladders as selectors
from tournaments.selectors.clubs import Viewer, read_viewer
from tournaments.selectors.ladders import Board, Moved
from tournaments.services import pasted, texts
from tournaments.services.book import Book, NotAllowed, lock_people, open_as_director
from tournaments.services.pasted import key_of

LONGEST_NAME: Final = 48
LONGEST_REASON: Final = 300
"""Characters; of longer reasons the end is left out."""

LADDERS: Final = 20
"""Open ladders that one club may have."""

PAIRS: Final = 500
"""Pairs that may stand on one ladder."""

TARGETS: Final = (5, 10)
MOST_DAYS: Final = 365
MOST_REACH: Final = 50

Kind = LadderEntry.Kind
TICK: Final = timedelta(microseconds=1)
"""No two entries of a ladder are of one moment."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What a club's officers decide about a ladder."""

    name: str
    reach: int = 3
    share: int = 0
    answer_days: int = 5
    rest_days: int = 14
    idle_days: int = 21
    target: int = 10
    where: str = Ladder.Where.EITHER
    pace: int = 20
    rated: bool = False


class BadSetting(UserError):
    """A setting that cannot be; ``field`` names it."""

    def __init__(self, field: str, told: str) -> None:
        super().__init__(told)
        self.field = field


class NotAgreed(UserError):
    """The change moves pairs at once: ``moved``, to be agreed to first."""

    def __init__(self, moved: tuple[Moved, ...]) -> None:
        super().__init__(_("By these rules pairs change their places at once."))
        self.moved = moved


@dataclass(frozen=True, slots=True)
class Correction:
    """A change of the log: ``entry_id`` struck out or put back, given other points (of lower and
    upper) or another time; or the challenge of ``match_id`` answered in time after all."""

    do: Literal["strike", "restore", "points", "time", "answered"]
    entry_id: int = 0
    match_id: int = 0
    points: tuple[int, int] | None = None
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Preview:
    """What a correction does: whose place changes, and how many entries make no sense any more."""

    version: int
    moved: tuple[Moved, ...]
    ignored: int


@dataclass
class Desk:
    """A locked ladder, and who writes to it (None: the site itself)."""

    board: Board
    by: Player | None
    viewer: Viewer
    now: datetime
    state: State = field(init=False)

    def __post_init__(self) -> None:
        self.state = self.board.state

    @property
    def ladder(self) -> Ladder:
        return self.board.ladder

    @property
    def directs(self) -> bool:
        return self.viewer.directs

    def own(self) -> LadderPair:
        """The pair of who writes. UserError if he is on no rung."""
        pair = self.board.pair_of(self.by.pk if self.by is not None else None)
        if pair is None:
            raise UserError(_("You are on no rung of this ladder. Join it with a partner first."))
        return pair

    def write(
        self, kind: LadderEntry.Kind, pair: LadderPair | None = None, other: LadderPair | None = None, **more: Any
    ) -> LadderEntry:
        """Put an entry into the log. UserError if the rules of the ladder do not allow it."""
        if kind in LadderEntry.TOLD:
            assert pair is not None
            entry = Entry(self.now, kind.value, pair.number, other.number if other is not None else 0)  # type: ignore[arg-type]
            try:
                self.state = pure.record(self.state, entry, self.board.rules)
            except EventError as error:
                raise UserError(self.board.refusal(error)) from error
        by_id = self.by.pk if self.by is not None else None
        row = LadderEntry.objects.create(
            ladder=self.ladder, at=self.now, kind=kind, pair=pair, other=other, by_id=by_id, **more
        )
        self.now += TICK
        self.touch()
        return row

    def touch(self) -> None:
        """Count a change."""
        Ladder.objects.filter(pk=self.ladder.pk).update(version=F("version") + 1)


@contextmanager
def _open(ladder_id: int, by: int | None, *others: int, directs: bool = False) -> Iterator[Desk]:
    """Lock the people, then the ladder, until the end of the block. UserError if one is gone, or the
    club or the ladder has closed; NotAllowed for who is banned, or no officer where one is needed."""
    with transaction.atomic():
        people = lock_people(*(pk for pk in (by, *others) if pk is not None))
        if by is not None and by not in people:
            raise UserError(_("Your account is gone. Join the site again first."))
        if any(other not in people for other in others):
            raise UserError(_("That player’s account is gone."))
        ladder = Ladder.objects.select_for_update(of=("self",)).select_related("club").filter(pk=ladder_id).first()
        if ladder is None:
            raise UserError(_("That ladder is gone."))
        viewer = read_viewer(ladder.club_id, people[by]) if by is not None else Viewer(None)
        if by is not None:
            _check_rights(ladder, viewer, directs=directs)
        board = selectors.read_board(ladder, afresh=True)
        now = max(board.state.at, board.book.rows[-1].at + TICK)
        yield Desk(board, people[by] if by is not None else None, viewer, now)


def _check_rights(ladder: Ladder, viewer: Viewer, *, directs: bool) -> None:
    if not (ladder.club.public or viewer.enters):
        raise NotAllowed(_("Only members of the club can do that."))
    if viewer.banned:
        raise NotAllowed(_("You are banned from this club."))
    if directs and not viewer.directs:
        raise NotAllowed(_("Only the club’s directors can do that."))
    if ladder.club.closed_at is not None:
        raise UserError(_("This club has closed. Nothing in it can be changed."))
    if ladder.closed_at is not None:
        raise UserError(_("This ladder has closed. Nothing on it can be changed."))


# --- the ladder itself ----------------------------------------------------------------------------------


def create_ladder(*, club_id: int, by: int, terms: Settings) -> int:
    """Put up a ladder; its id. Directors only. Locks the club. Not idempotent. BadSetting names the
    setting to change."""
    _check(terms)
    with transaction.atomic():
        book = open_as_director(club_id, by)
        if Ladder.objects.filter(club=book.club, closed_at=None).count() >= LADDERS:
            raise UserError(_("A club has %(most)d ladders at most. Close one first.") % {"most": LADDERS})
        ladder = Ladder.objects.create(club=book.club, **asdict(terms))
        LadderEntry.objects.create(
            ladder=ladder, at=ladder.created_at, kind=Kind.TERMS, by_id=by, terms=selectors.terms_of(ladder)
        )
        book.note(LogEntry.Kind.LADDER, detail=terms.name)
    return ladder.pk


def edit_ladder(*, ladder_id: int, by: int, terms: Settings, agreed: bool = False) -> None:
    """Change settings; the rules hold from now on. Directors only. Locks the club and the ladder. The same
    again changes nothing. NotAgreed, unless ``agreed``, if that moves pairs at once."""
    _check(terms)
    with _open_with_club(ladder_id, by) as (book, desk):
        ladder, before = desk.ladder, selectors.terms_of(desk.ladder)
        changed = {name: value for name, value in asdict(terms).items() if getattr(ladder, name) != value}
        if not changed:
            return
        for name, value in changed.items():
            setattr(ladder, name, value)
        after = selectors.terms_of(ladder)
        if after != before:
            course = (*desk.board.book.course, (desk.now, selectors.rules_of(after)))
            moved = _moved(desk.board, desk.state, pure.replay(desk.board.book.log, course, desk.now + TICK))
            if moved and not agreed:
                raise NotAgreed(moved)
        ladder.save(update_fields=list(changed))
        book.note(LogEntry.Kind.RELADDER, detail=ladder.name)
        if after != before:
            desk.write(Kind.TERMS, terms=after)
        else:
            desk.touch()


def close_ladder(*, ladder_id: int, by: int) -> None:
    """For good: it stays to be read. Directors only. Locks the club and the ladder."""
    with _open_with_club(ladder_id, by) as (book, desk):
        desk.write(Kind.CLOSE)
        desk.ladder.closed_at = desk.now
        desk.ladder.save(update_fields=["closed_at"])
        desk.ladder.asks.all().delete()
        for match in LadderMatch.objects.filter(ladder=desk.ladder, live_table__isnull=False):
            _call_off(match)
        book.note(LogEntry.Kind.UNLADDER, detail=desk.ladder.name)


@contextmanager
def _open_with_club(ladder_id: int, by: int) -> Iterator[tuple[Book, Desk]]:
    """The ladder for a director, and the book of its club, which is locked first."""
    club_id = Ladder.objects.filter(pk=ladder_id).values_list("club", flat=True).first()
    if club_id is None:
        raise UserError(_("That ladder is gone."))
    with transaction.atomic():
        book = open_as_director(club_id, by)
        with _open(ladder_id, by, directs=True) as desk:
            yield book, desk


def clean_name(text: str) -> str:
    """The name as it is stored. UserError for one that cannot be seen, or is too long."""
    return texts.one_line(text, LONGEST_NAME, empty=str(_("Give the ladder a name: Winter ladder, for instance.")))


def _check(terms: Settings) -> None:
    clean_name(terms.name)
    if not 1 <= terms.reach <= MOST_REACH:
        raise BadSetting("reach", _("Let pairs challenge 1 to %(most)d rungs up.") % {"most": MOST_REACH})
    if not 0 <= terms.share <= 100:
        raise BadSetting("share", _("A share is 1 to 100 percent; 0 counts rungs instead."))
    for name, least in (("answer_days", 1), ("rest_days", 0), ("idle_days", 0)):
        if not least <= getattr(terms, name) <= MOST_DAYS:
            raise BadSetting(name, _("Type %(least)d to %(most)d days.") % {"least": least, "most": MOST_DAYS})
    if terms.target not in TARGETS:
        raise BadSetting("target", _("A game goes to 5 or to 10 points."))
    if terms.where not in Ladder.Where.values:
        raise BadSetting("where", _("Choose where the matches are played."))
    if terms.pace not in PACES:
        raise BadSetting("pace", _("Choose how long a move may take."))
    if terms.rated and terms.where == Ladder.Where.HALL:
        raise BadSetting("rated", _("Only games at this site’s tables are rated. Play online, or make it unrated."))
    if terms.rated and terms.target != 10:
        raise BadSetting(
            "rated", _("Ranked games are played by the site’s own rules, to 10 points. Make the ladder unrated.")
        )


# --- who stands on it ------------------------------------------------------------------------------------


def ask_partner(*, ladder_id: int, by: int, to: int) -> bool:
    """Ask another member to join as a pair; whether they stand on the ladder now, because he had asked
    too. Locks both players and the ladder. Asked already, nothing changes."""
    if by == to:
        raise UserError(_("A pair is two people. Choose somebody else."))
    with _open(ladder_id, by, to) as desk:
        _check_free(desk, by, to)
        if LadderAsk.objects.filter(ladder=desk.ladder, by=to, to=by).exists():
            _join(desk, to, by)
            return True
        LadderAsk.objects.get_or_create(ladder=desk.ladder, by_id=by, to_id=to)
        return False


def accept(*, ladder_id: int, by: int, asked_by: int) -> None:
    """Agree to be somebody's partner: the pair joins at the bottom. Locks both players and the ladder.
    Done already, nothing changes."""
    with _open(ladder_id, by, asked_by) as desk:
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
    LadderAsk.objects.filter(ladder=ladder_id, by=asked_by, to=to).delete()


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
    with _open(ladder_id, by, *(player.pk for player in wanted), directs=True) as desk:
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
    with _open(ladder_id, by) as desk:
        pair = _pair(desk, pair_id)
        if not (desk.directs or by in pair.player_ids):
            raise NotAllowed(_("Only the two themselves, and the club’s directors, can do that."))
        if pair.number in desk.state.order:
            _take_off(desk, pair)


def forget_player(*, player_id: int) -> None:
    """Somebody's account is about to be deleted, in the same transaction: his pairs leave, "a former
    player" stays in their logs. Locks his ladders in the order of their ids. Idempotent."""
    with translation.override(settings.LANGUAGE_CODE):
        former = _("a former player")
    mine = LadderPair.objects.filter(Q(player=player_id) | Q(partner=player_id))
    for ladder_id in sorted(set(mine.values_list("ladder", flat=True))):
        with _open(ladder_id, None) as desk:
            for pair in desk.board.pairs.values():
                if player_id not in pair.player_ids:
                    continue
                if pair.number in desk.state.order and desk.ladder.closed_at is None:
                    _take_off(desk, pair)
                if pair.player_id == player_id:
                    pair.player, pair.player_name = None, former
                else:
                    pair.partner, pair.partner_name = None, former
                pair.save(update_fields=["player", "player_name", "partner", "partner_name"])
                desk.touch()


def _check_free(desk: Desk, *player_ids: int) -> None:
    members = set(
        Membership.objects.filter(club=desk.ladder.club_id, player__in=player_ids).values_list("player", flat=True)
    )
    for player_id in player_ids:
        own = desk.by is not None and player_id == desk.by.pk
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
    open_ones = _open_matches(desk, pair)
    desk.write(Kind.LEAVE, pair)
    for match in open_ones:
        _call_off(match)


def _pair(desk: Desk, pair_id: int) -> LadderPair:
    found = next((pair for pair in desk.board.pairs.values() if pair.pk == pair_id), None)
    if found is None:
        raise UserError(_("That pair is not of this ladder."))
    return found


# --- matches ---------------------------------------------------------------------------------------------


def challenge(*, ladder_id: int, by: int, upper: int, lower: int | None = None) -> int:
    """Challenge the pair ``upper`` (ids of pairs); the match's id. For another pair than one's own,
    ``lower``, directors only. Locks the ladder. Challenged already, nothing changes."""
    with _open(ladder_id, by) as desk:
        one = desk.own() if lower is None else _pair(desk, lower)
        other = _pair(desk, upper)
        if by not in one.player_ids and not desk.directs:
            raise NotAllowed(_("Only the two themselves, and the club’s directors, can do that."))
        for match in _open_matches(desk, one):
            if match.upper_id == other.pk:
                return match.pk
        return _challenge(desk, one, other).pk


def answer(*, match_id: int, by: int) -> None:
    """Take a challenge: by the upper pair, or a director. Locks the ladder. Taken already, nothing changes.
    UserError, with how it ended, if the match is over."""
    with _open(_ladder_of(match_id), by) as desk:
        match, open_one = _still_open(desk, match_id, side=1)
        if not open_one.answered:
            desk.write(Kind.ANSWER, match.upper, match.lower, match=match)


def refuse(*, match_id: int, by: int) -> None:
    """Refuse a challenge, and lose the place: by the upper pair, or a director. Locks the ladder."""
    with _open(_ladder_of(match_id), by) as desk:
        match, open_one = _still_open(desk, match_id, side=1)
        if open_one.answered:
            raise UserError(_("The challenge was taken already. Play the match, or ask a director."))
        desk.write(Kind.REFUSE, match.upper, match.lower, match=match)


def open_table(*, match_id: int, by: int) -> int:
    """Open the online table of a match, its seats kept for the four; its id, also if it was open
    already. Anybody of the four. Locks the four and the ladder."""
    ladder_id = _ladder_of(match_id)
    found = LadderMatch.objects.select_related("lower", "upper").get(pk=match_id)
    four = {*found.lower.player_ids, *found.upper.player_ids} - {by}
    with _open(ladder_id, by, *sorted(four)) as desk:
        match, _open_one = _to_play(desk, match_id)
        if selectors.side_of(match, by) is None:
            raise NotAllowed(_("Only the four who play can do that."))
        if not selectors.can_be_online(desk.ladder, match):
            raise UserError(_("This match is played with real cards. Type the score when it is over."))
        if match.live_table is not None and selectors.is_open(match.live_table):
            return match.live_table.pk
        rules = engine.format_rules(replace(engine.parse_rules("article"), target_score=desk.ladder.target))
        north, south = match.lower.player_ids
        east, west = match.upper.player_ids
        booking = Booking(
            title=desk.ladder.name[:40],
            rules=rules,
            pace=desk.ladder.pace,
            ranked=desk.ladder.rated and is_rated(rules),
            seats=(north, east, south, west),
            back=f"/clubs/{desk.ladder.club.slug}/ladders/{desk.ladder.pk}/matches/{match.pk}/",
        )
        (opened,) = reserved.reserve([booking])
        LadderMatch.objects.filter(pk=match.pk).update(live_table=opened)
        return opened


def close_table(*, match_id: int, by: int) -> None:
    """Close the online table again, before its game has begun: by anybody of the four, or a director.
    Locks the ladder. Closed already, nothing changes."""
    with _open(_ladder_of(match_id), by) as desk:
        match, _open_one = _to_play(desk, match_id)
        table = match.live_table
        if table is None:
            return
        if table.phase != LiveTable.Phase.OPEN and selectors.is_open(table) and not desk.directs:
            raise UserError(_("The game has begun. Its result comes in by itself."))
        _call_off(match)


def report(*, match_id: int, by: int, points: tuple[int, int]) -> bool:
    """Say how a match ended: points of lower and upper; whether it counts now. A director's word does at
    once; a side's waits for the other side, which says the same or confirms. Locks the ladder. The same
    again changes nothing. UserError for a score that cannot be, or if the match is over otherwise."""
    with _open(_ladder_of(match_id), by) as desk:
        match = _match(desk, match_id)
        side = selectors.side_of(match, by)
        if side is None and not desk.directs:
            raise NotAllowed(_("Only the four who play, and the club’s directors, can do that."))
        _check_score(desk, points)
        if _ended_so(match, points):
            return True
        match, _open_one = _to_play(desk, match_id)
        if side is None:
            _finish(desk, match, points)
            return True
        if match.live_table is not None and selectors.is_open(match.live_table):
            raise UserError(
                _("Your online table is open: its game gives the result by itself. Or close the table first.")
            )
        match.said[str(side)] = list(points)
        if match.said.get(str(1 - side)) == list(points):
            _finish(desk, match, points)
            return True
        match.save(update_fields=["said"])
        desk.touch()
        return False


def confirm(*, match_id: int, by: int, points: tuple[int, int]) -> None:
    """The other side, or a director, agrees with the score that one side has typed, as it was shown.
    Locks the ladder. Confirmed already, nothing changes."""
    with _open(_ladder_of(match_id), by) as desk:
        match = _match(desk, match_id)
        side = selectors.side_of(match, by)
        if side is None and not desk.directs:
            raise NotAllowed(_("Only the four who play, and the club’s directors, can do that."))
        if _ended_so(match, points):
            return
        match, _open_one = _to_play(desk, match_id)
        others = [said for of, said in match.said.items() if side is None or of != str(side)]
        if not others:
            raise UserError(_("The other side confirms the score, or a director."))
        if list(points) not in others:
            raise UserError(_("The score was changed meanwhile. Look at it again."))
        _finish(desk, match, points)


def walk_over(*, match_id: int, by: int, winner: int) -> None:
    """One side did not come: the other one (0 lower, 1 upper) wins. Directors only. Locks the ladder."""
    with _open(_ladder_of(match_id), by, directs=True) as desk:
        match, _open_one = _still_open(desk, match_id)
        pairs = (match.lower, match.upper)
        if winner not in (0, 1):
            raise UserError(_("Say which side wins."))
        _call_off(match)
        desk.write(Kind.RESULT, pairs[winner], pairs[1 - winner], match=match)


def enter_match(*, ladder_id: int, by: int, lower: int, upper: int, points: tuple[int, int]) -> int:
    """Enter a match that was played without a word here: the challenge and its result at once; its id.
    Directors only. Locks the ladder."""
    with _open(ladder_id, by, directs=True) as desk:
        _check_score(desk, points)
        one, other = _pair(desk, lower), _pair(desk, upper)
        match = _challenge(desk, one, other)
        _finish(desk, match, points)
        return match.pk


def report_game(*, game_id: int) -> None:
    """A game has ended: if it was a match of a ladder, its result counts. Locks the ladder. Idempotent;
    a match that is over keeps its end. One query for all other games."""
    match = LadderMatch.objects.filter(live_table__games=game_id).only("pk", "ladder_id").first()
    if match is not None:
        _take_game(match.ladder_id, match.pk)


def take_games() -> None:
    """What :func:`report_game` has missed. One query if there is nothing."""
    ended = LadderMatch.objects.filter(live_table__games__status=Game.Status.FINISHED)
    for ladder_id, match_id in ended.values_list("ladder", "pk").distinct()[:20]:
        _take_game(ladder_id, match_id)


def _take_game(ladder_id: int, match_id: int) -> None:
    with _open(ladder_id, None) as desk:
        match = _match(desk, match_id)
        game = Game.objects.filter(table=match.live_table_id, status=Game.Status.FINISHED).order_by("-pk").first()
        if match.live_table_id is None or game is None:
            return
        is_open = desk.ladder.closed_at is None and desk.board.challenge_of(match) is not None
        if is_open:
            won = Participation.objects.filter(game=game, won=True).values_list("seat", flat=True)[0] % 2
            pairs, points = (match.lower, match.upper), (game.score_0, game.score_1)
            desk.write(
                Kind.RESULT,
                pairs[won],
                pairs[1 - won],
                match=match,
                points=[points[won], points[1 - won]],
                game_id=game.pk,
            )
        LadderMatch.objects.filter(pk=match.pk).update(live_table=None, said={})


def _challenge(desk: Desk, lower: LadderPair, upper: LadderPair) -> LadderMatch:
    match = LadderMatch.objects.create(ladder=desk.ladder, lower=lower, upper=upper)
    desk.write(Kind.CHALLENGE, lower, upper, match=match)
    return match


def _finish(desk: Desk, match: LadderMatch, points: tuple[int, int]) -> None:
    won = int(points[1] > points[0])
    pairs = (match.lower, match.upper)
    _call_off(match)
    desk.write(Kind.RESULT, pairs[won], pairs[1 - won], match=match, points=[points[won], points[1 - won]])
    LadderMatch.objects.filter(pk=match.pk).update(said={})


def _check_score(desk: Desk, points: tuple[int, int]) -> None:
    try:
        scores.result(scores.ScoreRules(target=desk.ladder.target), points)
    except EventError as error:
        raise UserError(desk.board.refusal(error)) from error


def _of_winner(points: tuple[int, int]) -> tuple[int, int]:
    return max(points), min(points)


def _winner(match: LadderMatch, points: tuple[int, int]) -> LadderPair:
    return match.upper if points[1] > points[0] else match.lower


def _ladder_of(match_id: int) -> int:
    found = LadderMatch.objects.filter(pk=match_id).values_list("ladder", flat=True).first()
    if found is None:
        raise UserError(_("There is no such match."))
    return found


def _match(desk: Desk, match_id: int) -> LadderMatch:
    match = selectors.find_match(desk.ladder, match_id)
    assert match is not None
    return match


def _ended_so(match: LadderMatch, points: tuple[int, int]) -> bool:
    """Whether this is the result that counts already."""
    done = next((row for row in match.entries.all() if row.kind == Kind.RESULT and not row.struck), None)
    same = done is not None and tuple(done.points) == _of_winner(points)
    return same and done is not None and done.pair_id == _winner(match, points).pk


def _open_matches(desk: Desk, pair: LadderPair) -> list[LadderMatch]:
    matches = LadderMatch.objects.filter(Q(lower=pair) | Q(upper=pair), ladder=desk.ladder)
    read = matches.select_related("lower", "upper", "live_table").prefetch_related("entries")
    return [match for match in read.order_by("-pk")[:5] if desk.board.challenge_of(match) is not None]


def _still_open(desk: Desk, match_id: int, side: int | None = None) -> tuple[LadderMatch, pure.Challenge]:
    """The match if it is open, to a director, or to who plays on ``side`` (None: on any)."""
    match = _match(desk, match_id)
    assert desk.by is not None
    own = selectors.side_of(match, desk.by.pk)
    if not desk.directs and (own is None or (side is not None and own != side)):
        if side is None:
            raise NotAllowed(_("Only the four who play, and the club’s directors, can do that."))
        raise NotAllowed(_("Only those who were challenged, and the club’s directors, can do that."))
    found = desk.board.challenge_of(match)
    if found is None:
        raise UserError(_how_it_ended(desk, match))
    return match, found


def _to_play(desk: Desk, match_id: int) -> tuple[LadderMatch, pure.Challenge]:
    match, found = _still_open(desk, match_id)
    if not found.answered and not desk.directs:
        raise UserError(_("The challenge has not been taken yet."))
    return match, found


def _how_it_ended(desk: Desk, match: LadderMatch) -> str:
    page = selectors.read_match(desk.board, match, None)
    if page.stage == "done" and page.winner is not None:
        winner = str((match.lower, match.upper)[page.winner])
        if page.points is None:
            return _("This match has a result already: %(name)s won without a game.") % {"name": winner}
        high, low = _of_winner(page.points)
        return _("This match has a result already: %(name)s won %(high)d–%(low)d.") % {
            "name": winner,
            "high": high,
            "low": low,
        }
    if page.ran_out is not None:
        return _("The time to answer ran out on %(when)s: the place was lost as by a defeat.") % {
            "when": date_format(timezone.localtime(page.ran_out), "j F, H:i")
        }
    return _("This match is over.") + " " + page.why


def _call_off(match: LadderMatch) -> None:
    """Close its online table, if it has one that has not ended."""
    if match.live_table_id is not None:
        reserved.call_off([match.live_table_id])
        LadderMatch.objects.filter(pk=match.pk).update(live_table=None)
        match.live_table = None


# --- the log put right ---------------------------------------------------------------------------------------


def preview(*, ladder_id: int, by: int, change: Correction) -> Preview:
    """What :func:`correct` would do. Directors only. UserError for what cannot be."""
    with _open(ladder_id, by, directs=True) as desk:
        row, after = _corrected(desk, change)
        del row
        return _preview(desk, after)


def correct(*, ladder_id: int, by: int, change: Correction, version: int, reason: str = "") -> None:
    """Put the log right, as it was shown at ``version``; all since is played again. Directors only. Locks
    the ladder. UserError if somebody has written to it meanwhile."""
    reason = texts.cut(reason, LONGEST_REASON)
    with _open(ladder_id, by, directs=True) as desk:
        if desk.ladder.version != version:
            raise UserError(_("The ladder has moved on. Look again at what the correction changes."))
        row, after = _corrected(desk, change)
        before = list(
            LadderMatch.objects.filter(ladder=desk.ladder, live_table__isnull=False).prefetch_related("entries")
        )
        old = LadderEntry.objects.filter(pk=row.pk).first()
        row.save()
        LadderCorrection.objects.create(
            entry=row,
            by_id=by,
            at=desk.now,
            reason=reason,
            before=_kept(old) if old is not None else {},
            after=_kept(row),
        )
        desk.touch()
        board = replace(desk.board, state=after)
        for match in before:
            fresh = selectors.find_match(desk.ladder, match.pk)
            if fresh is not None and board.challenge_of(fresh) is None:
                _call_off(fresh)


def _kept(row: LadderEntry) -> dict[str, Any]:
    columns = {name: getattr(row, name) for name in ("struck", "pair_id", "other_id", "points")}
    return columns | {"at": row.at.isoformat()}


def _corrected(desk: Desk, change: Correction) -> tuple[LadderEntry, State]:
    """The entry as it would be, not saved, and the ladder that follows."""
    book, numbers = desk.board.book, {pair.pk: pair.number for pair in desk.board.pairs.values()}
    if change.do == "answered":
        row = _late_answer(desk, change.match_id)
        number = len(book.log)
    else:
        found = LadderEntry.objects.filter(ladder=desk.ladder, pk=change.entry_id, kind__in=LadderEntry.TOLD).first()
        if found is None:
            raise UserError(_("That entry cannot be corrected."))
        row, at = found, book.number_of(found.pk)
        if (at is None) != (change.do == "restore"):
            raise UserError(_("That entry was corrected meanwhile. Look at it again."))
        number = len(book.log) if at is None else at
        row.struck = change.do == "strike"
        if change.do == "points":
            _rewrite(desk, row, change.points)
        elif change.do == "time":
            row.at = _another_time(desk, row, change.at)
    entry = None if row.struck else selectors.entry_of(row, numbers)
    after = pure.correct(book.log, number, entry, book.course, desk.state.at).state
    people = [pk for on in after.order for pk in desk.board.pairs[on].player_ids]
    if len(set(people)) < len(people):
        raise UserError(_("Then somebody would stand on the ladder twice. Take the other pair out first."))
    return row, after


def _late_answer(desk: Desk, match_id: int) -> LadderEntry:
    match = selectors.find_match(desk.ladder, match_id)
    ran_out = selectors.read_match(desk.board, match, None).ran_out if match is not None else None
    if match is None or ran_out is None:
        raise UserError(_("That challenge was not lost by time."))
    return LadderEntry(
        ladder=desk.ladder,
        at=ran_out - TICK,
        kind=Kind.ANSWER,
        pair=match.upper,
        other=match.lower,
        match=match,
        by=desk.by,
    )


def _another_time(desk: Desk, row: LadderEntry, at: datetime | None) -> datetime:
    first = desk.board.book.rows[0].at
    if at is None or not first <= at <= desk.state.at:
        raise UserError(_("Choose a time between the first day of the ladder and now."))
    taken = {other.at for other in desk.board.book.rows if other.pk != row.pk}
    while at in taken:
        at += TICK
    return at


def _rewrite(desk: Desk, row: LadderEntry, points: tuple[int, int] | None) -> None:
    if row.kind != Kind.RESULT or row.match is None or points is None:
        raise UserError(_("Only a result has points."))
    _check_score(desk, points)
    winner = _winner(row.match, points)
    row.pair, row.other = winner, row.match.lower if winner == row.match.upper else row.match.upper
    row.points = list(_of_winner(points))


def _preview(desk: Desk, after: State) -> Preview:
    moved = _moved(desk.board, desk.state, after)
    return Preview(desk.ladder.version, moved, max(0, len(after.ignored) - len(desk.state.ignored)))


def _moved(board: Board, before: State, after: State) -> tuple[Moved, ...]:
    """Whose place differs, from the top of what comes out."""
    return tuple(
        Moved(board.pairs[number], before.place(number), after.place(number))
        for number in dict.fromkeys((*after.order, *before.order))
        if before.place(number) != after.place(number)
    )
