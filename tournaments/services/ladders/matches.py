"""Matches of a ladder: a challenge, its answer, the table or the score, the result.

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

from dataclasses import replace

from django.db.models import Q
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from games import engine
from games.models import Game, Participation
from games.models import Table as LiveTable
from games.services import reserved
from games.services.errors import UserError
from games.services.reserved import Booking
from games.services.seating import is_rated
from tournaments.formats import ladder as pure
from tournaments.formats import scores
from tournaments.formats.event import EventError
from tournaments.models import Ladder, LadderMatch, LadderPair
from tournaments.selectors import ladders as selectors
from tournaments.services.book import NotAllowed
from tournaments.services.ladders.desk import Desk, Kind, open_desk


def challenge(*, ladder_id: int, by: int, upper: int, lower: int | None = None) -> int:
    """Challenge the pair ``upper`` (ids of pairs); the match's id. For another pair than one's own,
    ``lower``, directors only. Locks the ladder. Challenged already, nothing changes."""
    with open_desk(ladder_id, by) as desk:
        one = desk.own() if lower is None else desk.pair(lower)
        other = desk.pair(upper)
        if by not in one.player_ids and not desk.directs:
            raise NotAllowed(_("Only the two themselves, and the club’s directors, can do that."))
        for match in open_matches(desk, one):
            if match.upper_id == other.pk:
                return match.pk
        return _challenge(desk, one, other).pk


def answer(*, match_id: int, by: int) -> None:
    """Take a challenge: by the upper pair, or a director. Locks the ladder. Taken already, nothing changes.
    UserError, with how it ended, if the match is over."""
    with open_desk(_ladder_of(match_id), by) as desk:
        match, open_one = _to_answer(desk, match_id)
        if not open_one.answered:
            desk.write(Kind.ANSWER, match.upper, match.lower, match=match)


def refuse(*, match_id: int, by: int) -> None:
    """Refuse a challenge, and lose the place: by the upper pair, or a director. Locks the ladder."""
    with open_desk(_ladder_of(match_id), by) as desk:
        match, open_one = _to_answer(desk, match_id)
        if open_one.answered:
            raise UserError(_("The challenge was taken already. Play the match, or ask a director."))
        desk.write(Kind.REFUSE, match.upper, match.lower, match=match)


def open_table(*, match_id: int, by: int) -> int:
    """Open the online table of a match, its seats kept for the four; its id, also if it was open
    already. Anybody of the four. Locks the four and the ladder."""
    ladder_id = _ladder_of(match_id)
    found = LadderMatch.objects.select_related("lower", "upper").get(pk=match_id)
    four = {*found.lower.player_ids, *found.upper.player_ids} - {by}
    with open_desk(ladder_id, by, *sorted(four)) as desk:
        match, side = _their_match(desk, match_id)
        _check_to_play(desk, match)
        if side is None:
            raise NotAllowed(_("Only the four who play can do that."))
        if not selectors.can_be_online(desk.ladder, match):
            raise UserError(_("This match is played with real cards. Type the score when it is over."))
        if match.live_table is not None and selectors.is_open(match.live_table):
            return match.live_table.pk
        if match.live_table is not None:
            _check_not_begun(match.live_table)
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
        desk.touch()
        return opened


def close_table(*, match_id: int, by: int) -> None:
    """Close the online table again, before its game has begun: by anybody of the four, or a director.
    Locks the ladder. Closed already, nothing changes."""
    with open_desk(_ladder_of(match_id), by) as desk:
        match, _side = _their_match(desk, match_id)
        _check_to_play(desk, match)
        table = match.live_table
        if table is None:
            return
        if not desk.directs:
            _check_not_begun(table)
        call_off(match, by)
        desk.touch()


def report(*, match_id: int, by: int, points: tuple[int, int]) -> bool:
    """Say how a match ended: points of lower and upper; whether it counts now. A director's word does at
    once; a side's waits for the other side, which says the same or confirms. Locks the ladder. The same
    again changes nothing. UserError for a score that cannot be, or if the match is over otherwise."""
    with open_desk(_ladder_of(match_id), by) as desk:
        match, side = _their_match(desk, match_id)
        check_score(desk, points)
        if _ended_so(match, points):
            return True
        _check_to_play(desk, match)
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
    with open_desk(_ladder_of(match_id), by) as desk:
        match, side = _their_match(desk, match_id)
        if _ended_so(match, points):
            return
        _check_to_play(desk, match)
        others = [said for of, said in match.said.items() if side is None or of != str(side)]
        if not others:
            raise UserError(_("The other side confirms the score, or a director."))
        if list(points) not in others:
            raise UserError(_("The score was changed meanwhile. Look at it again."))
        _finish(desk, match, points)


def walk_over(*, match_id: int, by: int, winner: int) -> None:
    """One side did not come: the other one (0 lower, 1 upper) wins. Directors only. Locks the ladder."""
    with open_desk(_ladder_of(match_id), by, directs=True) as desk:
        match, _side = _their_match(desk, match_id)
        _challenge_of(desk, match)
        if winner not in (0, 1):
            raise UserError(_("Say which side wins."))
        call_off(match, by)
        _write_result(desk, match, winner)


def enter_match(*, ladder_id: int, by: int, lower: int, upper: int, points: tuple[int, int]) -> int:
    """Enter a match that was played without a word here: the challenge and its result at once; its id.
    Directors only. Locks the ladder."""
    with open_desk(ladder_id, by, directs=True) as desk:
        check_score(desk, points)
        one, other = desk.pair(lower), desk.pair(upper)
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
    with open_desk(ladder_id, None) as desk:
        match = _match(desk, match_id)
        game = Game.objects.filter(table=match.live_table_id, status=Game.Status.FINISHED).order_by("-pk").first()
        if match.live_table_id is None or game is None:
            return
        is_open = desk.ladder.closed_at is None and desk.board.challenge_of(match) is not None
        if is_open:
            won = Participation.objects.filter(game=game, won=True).values_list("seat", flat=True)[0] % 2
            _write_result(desk, match, won, (game.score_0, game.score_1), game_id=game.pk)
        LadderMatch.objects.filter(pk=match.pk).update(live_table=None, said={})


def _challenge(desk: Desk, lower: LadderPair, upper: LadderPair) -> LadderMatch:
    match = LadderMatch.objects.create(ladder=desk.ladder, lower=lower, upper=upper)
    desk.write(Kind.CHALLENGE, lower, upper, match=match)
    if not upper.player_ids:  # names alone: nobody could answer for them in time
        desk.write(Kind.ANSWER, upper, lower, match=match)
    return match


def _finish(desk: Desk, match: LadderMatch, points: tuple[int, int]) -> None:
    call_off(match, desk.by_id)
    _write_result(desk, match, int(points[1] > points[0]), points)
    LadderMatch.objects.filter(pk=match.pk).update(said={})


def _write_result(
    desk: Desk, match: LadderMatch, won: int, points: tuple[int, int] | None = None, game_id: int | None = None
) -> None:
    """A side (0 lower, 1 upper) has won; None for points if there was no game."""
    pairs = (match.lower, match.upper)
    of_winner = [points[won], points[1 - won]] if points is not None else []
    desk.write(Kind.RESULT, pairs[won], pairs[1 - won], match=match, points=of_winner, game_id=game_id)


def check_score(desk: Desk, points: tuple[int, int]) -> None:
    try:
        scores.result(scores.ScoreRules(target=desk.ladder.target), points)
    except EventError as error:
        raise UserError(desk.board.refusal(error)) from error


def winner_first(points: tuple[int, int]) -> tuple[int, int]:
    return max(points), min(points)


def winner_of(match: LadderMatch, points: tuple[int, int]) -> LadderPair:
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
    same = done is not None and tuple(done.points) == winner_first(points)
    return same and done is not None and done.pair_id == winner_of(match, points).pk


def open_matches(desk: Desk, pair: LadderPair) -> list[LadderMatch]:
    made = [one.at for one in desk.board.state.challenges if pair.number in one.pair]
    matches = LadderMatch.objects.filter(Q(lower=pair) | Q(upper=pair), ladder=desk.ladder, entries__at__in=made)
    read = matches.select_related("lower", "upper", "live_table").prefetch_related("entries").distinct()
    return [match for match in read.order_by("-pk") if desk.board.challenge_of(match) is not None]


def _their_match(desk: Desk, match_id: int) -> tuple[LadderMatch, int | None]:
    """The match and the side of who writes, None of a director who is of neither. NotAllowed for all others."""
    match = _match(desk, match_id)
    side = selectors.side_of(match, desk.by_id)
    if side is None and not desk.directs:
        raise NotAllowed(_("Only the four who play, and the club’s directors, can do that."))
    return match, side


def _to_answer(desk: Desk, match_id: int) -> tuple[LadderMatch, pure.Challenge]:
    """The match if it is open, to a director, or to who was challenged."""
    match = _match(desk, match_id)
    if not desk.directs and selectors.side_of(match, desk.by_id) != 1:
        raise NotAllowed(_("Only those who were challenged, and the club’s directors, can do that."))
    return match, _challenge_of(desk, match)


def _challenge_of(desk: Desk, match: LadderMatch) -> pure.Challenge:
    """The open challenge that a match is. UserError, with how it ended, if it is over."""
    found = desk.board.challenge_of(match)
    if found is None:
        raise UserError(_how_it_ended(desk, match))
    return found


def _check_to_play(desk: Desk, match: LadderMatch) -> None:
    """UserError if the match is over, or has not been taken and no director says so."""
    if not _challenge_of(desk, match).answered and not desk.directs:
        raise UserError(_("The challenge has not been taken yet."))


def _how_it_ended(desk: Desk, match: LadderMatch) -> str:
    page = selectors.read_match(desk.board, match, None)
    if page.stage == "done" and page.winner is not None:
        winner = str((match.lower, match.upper)[page.winner])
        if page.points is None:
            return _("This match has a result already: %(name)s won without a game.") % {"name": winner}
        high, low = winner_first(page.points)
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


def call_off(match: LadderMatch, by: int | None) -> None:
    """Close its online table, if it has one that has not ended. UserError for who plays there once the game
    has begun, whatever he is in the club: nobody ends a game that he loses, nor hides its result."""
    if match.live_table is not None:
        if selectors.side_of(match, by) is not None:
            _check_not_begun(match.live_table)
        reserved.call_off([match.live_table.pk])
        LadderMatch.objects.filter(pk=match.pk).update(live_table=None)
        match.live_table = None


def check_nothing_played(ladder: Ladder) -> None:
    """UserError while a game of the ladder is played, or has ended and is not in its log."""
    at_tables = LadderMatch.objects.filter(ladder=ladder, live_table__isnull=False).select_related("live_table")
    if any(match.live_table is not None and _has_begun(match.live_table) for match in at_tables):
        raise UserError(being_played(ladder))


def being_played(ladder: Ladder) -> str:
    return _("A match of “%(ladder)s” is being played just now. Let it end first.") % {"ladder": ladder.name}


def _has_begun(table: LiveTable) -> bool:
    return table.phase in LiveTable.RUNNING or table.games.filter(status=Game.Status.FINISHED).exists()


def _check_not_begun(table: LiveTable) -> None:
    """UserError while the game is played, and until the result of one that has ended is in the log."""
    if _has_begun(table):
        raise UserError(_("The game has begun. Its result comes in by itself."))
