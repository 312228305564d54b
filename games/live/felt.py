"""The felt as markup: one complete frame of a table for one audience.

``render`` takes a snapshot apart: :func:`games.engine.view` gives what the audience may know of
the deal, and only that (and the public seats) goes on. A frame is put together from small
pieces - a seat, the trick, a hand - each rendered by its own Jinja template from a tuple that
holds exactly what the piece shows, and cached by that tuple and the language. Most pieces of a
frame are therefore the text they were before.

The viewer always sits South (watchers look from seat 0) and play runs clockwise on the screen.
Elements are swapped out of band and morphed by id; what holds the socket is never swapped.
"""

from __future__ import annotations

from datetime import datetime
from functools import lru_cache
from math import ceil
from typing import Any, NamedTuple

from django.conf import settings
from django.template import engines
from django.urls import reverse
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import capfirst

from games.engine import SeatView, effective_suit, next_dealer, next_suit, trick_winner, view
from games.live import words
from games.live.texts import gettext as _
from games.live.texts import ngettext, pgettext, speaking
from games.live.words import Names
from games.models import Table
from games.selectors.tables import RatingLine, SeatInfo, TableSnapshot

POSITIONS = "swne"
"""Where the seats appear, clockwise from the viewer."""

OOB = mark_safe(' hx-swap-oob="outerMorph"')
"""Marks an element of a pushed frame; the page itself has none."""

MISSED_LIMIT = 3
"""After so many missed moves in a row a bot keeps a seat (shown; services.presence decides)."""

# Pieces are the same at every table and move: these stand for what differs, until the frame is whole.
_ACT, _FIELDS, _TABLE = "\x02", "\x03", "\x04"


# --- frames --------------------------------------------------------------------------------------


class Parts(NamedTuple):
    """The elements of a frame: in the page they stand in different places."""

    felt: str
    score: str
    log: str
    announce: str
    own: str


def render(snapshot: TableSnapshot, place: int | None) -> str:
    """A frame for the sockets of seat ``place`` (None: watchers), in the active language."""
    with speaking() as language:
        parts = _Scene(snapshot, place, language).parts(OOB)
    return _filled("".join(parts), snapshot, "")


def render_page(snapshot: TableSnapshot, place: int | None, csrf_input: str) -> Parts:
    """The parts of the same frame for the page itself: nothing to swap, and every form with
    ``csrf_input``, the hidden field of the token, so that it works without a script."""
    with speaking() as language:
        parts = _Scene(snapshot, place, language).parts(SafeString(""))
    return Parts(*(mark_safe(_filled(part, snapshot, csrf_input)) for part in parts))  # noqa: S308  our own markup


def _filled(text: str, snapshot: TableSnapshot, csrf_input: str) -> str:
    act, table = _addresses(snapshot.id)
    fields = f'{csrf_input}<input type="hidden" name="version" value="{snapshot.version}">'
    return text.replace(_ACT, act).replace(_FIELDS, fields).replace(_TABLE, table)


def notice(sentence: str) -> str:
    """A refusal, shown once to one socket (table.js takes it away after a while)."""
    return format_html('<div id="notice" class="notice" role="alert"{}><p>{}</p></div>', OOB, sentence)


@lru_cache(maxsize=4096)
def _addresses(table_id: int) -> tuple[str, str]:
    return reverse("table_act", args=[table_id]), reverse("table", args=[table_id])


class _Scene:
    """A snapshot as one audience sees it, on its way to pieces."""

    def __init__(self, snapshot: TableSnapshot, place: int | None, language: str) -> None:
        self.table = snapshot
        self.place = place
        self.south = place or 0
        self.language = language
        self.names: Names = tuple(seat.name for seat in snapshot.seats)  # type: ignore[assignment]  four of them
        self.own_seat = snapshot.seats[place] if place is not None else None
        phase = snapshot.phase
        self.dealing = phase in Table.DEALING
        self.running = self.dealing or phase == Table.Phase.BETWEEN
        deal, score = snapshot.deal, snapshot.score
        self.view: SeatView | None = None
        if deal is not None and phase != Table.Phase.OPEN:
            self.view = view(deal, place, (score[0] - deal.points[0], score[1] - deal.points[1]))
        self.kept = self.running and self.own_seat is not None and self.own_seat.keeper
        """A bot keeps the viewer's seat: he sees his cards, and gets them back by one click."""
        self.mine = self.dealing and place is not None and snapshot.turn == place and not self.kept

    # --- the parts of a frame ---

    def parts(self, oob: SafeString) -> Parts:
        return Parts(self.felt(oob), self.score(oob), self.log(oob), self.announce(oob), self.own(oob))

    def felt(self, oob: SafeString) -> str:
        table, phase = self.table, self.table.phase
        turn = "mine" if self.mine else "other" if self.dealing else "none"
        clock = ""
        if self.dealing and table.due_at is not None:
            total = table.pace + settings.EUCHRE_GRACE
            left = min(max((table.due_at - table.made_at).total_seconds(), 0), total)
            clock = f' style="--total:{total:g}s;--left:{left:.1f}s"'
        over = phase in (Table.Phase.OVER, Table.Phase.CLOSED) and table.over is not None
        seats = [self._seat(offset) for offset in range(4)]
        if over:
            inside = (seats[2], seats[1], seats[3], self._mat(), self._over())
        else:
            inside = (
                self._trump(), seats[2], seats[1], seats[3], self._tricks(), self._mat(), self._prompt(), seats[0],
                self._hand(),
            )  # fmt: skip
        return (
            f'<main id="felt" class="felt" tabindex="-1" data-revision="{table.revision}" '
            f'data-version="{table.version}" data-phase="{phase}" data-turn="{turn}"{self._alerts()}{clock}{oob}>'
            f"{_heading(table.id, table.title, self.language)}{''.join(inside)}</main>"
        )

    def _alerts(self) -> str:
        return _alerts(self.language) if self.mine else ""

    def score(self, oob: SafeString) -> str:
        view, up = self.view, -1
        if view is not None and view.phase == "done" and not view.passed_out:
            up = 0 if view.points[self.south % 2] else 1
        us, them = self.table.score[self.south % 2], self.table.score[1 - self.south % 2]
        return _score(us, them, up, *self._teams(), self.table.rules.target_score, oob, self.language)

    def log(self, oob: SafeString) -> str:
        view = self.view
        lines = words.log(view, self.names, self.place, self.language) if view is not None else []
        if view is not None and view.phase == "done":
            lines.append(self._points_line(view))
        items = "".join([f"<li>{line}</li>" for line in lines[:-1]])
        if lines:
            items += f'<li class="is-new">{lines[-1]}</li>'
        return f'<ol id="log"{oob}>{items}</ol>'

    def announce(self, oob: SafeString) -> str:
        text = ""
        if self.table.phase == Table.Phase.OPEN:
            text = _here(sum(seat.player_id is not None for seat in self.table.seats))
        elif self.table.phase in (Table.Phase.OVER, Table.Phase.CLOSED) and self.table.over is not None:
            text = f"{_('Game over.')} {self._over_title()}"
        elif self.kept:
            text = _("A bot is playing for you. You can take your seat back.")
        elif self.view is not None:
            text = words.announce(self.view, self.names, self.place)
        return f'<div id="announce" class="vh" role="status" aria-live="polite"{oob}>{escape(text)}</div>'

    def own(self, oob: SafeString) -> str:
        table, seat = self.table, self.own_seat
        return _own(
            seat is not None and table.phase != Table.Phase.CLOSED and not (self.running and seat.left),
            self.running,
            table.phase == Table.Phase.OPEN,
            bool(seat and seat.ask_alone),
            table.ranked,
            oob,
            self.language,
        )

    # --- pieces of the felt ---

    def _position(self, seat: int) -> str:
        return POSITIONS[(seat - self.south) % 4]

    def _teams(self) -> tuple[str, str]:
        """What the two sides are called, the viewer's first; watchers hear names."""
        if self.place is not None:
            return pgettext("the viewer's side", "Us"), pgettext("the other side", "Them")
        return words.team_name(self.names, 0), words.team_name(self.names, 1)

    def _seat(self, offset: int) -> str:
        index = (self.south + offset) % 4
        seat, view, table = self.table.seats[index], self.view, self.table
        if seat.player_id is None and not seat.name:
            return _seat(
                _Chair(
                    pos=POSITIONS[offset],
                    index=index,
                    empty=True,
                    sit=index if table.phase == Table.Phase.OPEN else None,
                    number=index + 1,
                ),
                self.language,
            )
        dealt = view is not None and self.running
        own = offset == 0 and self.place is not None
        turn = ""
        if self.dealing and table.turn == index:
            turn = "bot" if seat.played_by_bot else "person"
        return _seat(
            _Chair(
                pos=POSITIONS[offset],
                index=index,
                number=index + 1,
                name=seat.name,
                you=own,
                watched=self.place is None,
                seed=seat.player_id,
                rating=seat.rating,
                bot=bool(seat.bot_level),
                keeper=seat.keeper,
                left=seat.left,
                lost=self._seconds_lost(seat),
                missed=seat.missed if self.running and not seat.keeper else 0,
                dealer=dealt and view is not None and view.dealer == index,
                maker=view.trump or "" if dealt and view is not None and view.maker == index else "",
                alone=dealt and view is not None and index in view.loners,
                out=dealt and view is not None and index in view.sitting_out,
                cards=view.counts[index] if dealt and view is not None and not own else None,
                say=self._said(index),
                turn=turn,
                ready=self._is_ready(index, seat),
            ),
            self.language,
        )

    def _seconds_lost(self, seat: SeatInfo) -> int | None:
        if not self.running or seat.keeper or seat.lost_at is None:
            return None
        return max(0, ceil(settings.EUCHRE_AWAY_AFTER - (self.table.made_at - seat.lost_at).total_seconds()))

    def _is_ready(self, index: int, seat: SeatInfo) -> bool:
        return self.table.phase == Table.Phase.BETWEEN and seat.person and bool(self.table.ready & 1 << index)

    def _said(self, index: int) -> str:
        """The last bid of a seat, while bidding lasts; the second round starts afresh."""
        view = self.view
        if view is None or view.phase not in ("bid1", "bid2", "exchange", "alone"):
            return ""
        history = view.history
        second = view.phase == "bid2" or (view.phase == "alone" and view.up_card_state == "turned_down")
        for seat, action in reversed(history[4:] if second else history):
            if seat == index and action.kind not in ("together", "discard"):
                return words.said(action.kind, index == view.dealer, action.suit)
        return ""

    def _trump(self) -> str:
        view = self.view
        if view is None:
            return _trump(None, "", "", False, "", self.language)
        if view.trump is not None and view.maker is not None:
            alone = view.maker in view.loners
            name = "" if view.maker == self.place else self.names[view.maker]
            return _trump(view.trump, "", name, alone, view.phase, self.language)
        down = view.up_card[1] if view.up_card_state == "turned_down" else ""
        return _trump(None, down, "", False, view.phase, self.language)

    def _tricks(self) -> str:
        view = self.view
        won = view.tricks_won if view is not None and self.running else (0, 0)
        last: tuple[tuple[str, str], ...] = ()
        took, at = "", 0
        if view is not None and view.tricks and self.running:
            trick = view.tricks[-1]
            last = tuple((self._called(seat), card) for seat, card in trick.plays)
            took = "" if trick.winner == self.place else self.names[trick.winner]
            at = next(at for at, (seat, _card) in enumerate(trick.plays) if seat == trick.winner)
        return _tricks(won[self.south % 2], won[1 - self.south % 2], *self._teams(), last, at, took, self.language)

    def _called(self, seat: int) -> str:
        return _("You") if seat == self.place else self.names[seat]

    def _mat(self) -> str:
        view, language = self.view, self.language
        if view is None:
            return _MAT.format(rest="", label=_current_trick(language), inside="", trick="", result="")
        rest = inside = result = ""
        if view.phase in ("bid1", "bid2", "exchange"):
            bury = view.phase == "exchange" and self.mine
            inside = _upcard("" if bury else view.up_card, view.phase == "bid2", bury, language)
        if view.tricks:
            rest = f" is-resting is-resting--{len(view.tricks) % 2}"
            if view.trick and view.trick[0][0] == self.place:
                rest += " at-once"
            inside = self._past(view)
        if self.table.phase == Table.Phase.BETWEEN:
            result = _result(self._outcome(view), language)
        return _MAT.format(
            rest=rest, label=_current_trick(language), inside=inside, trick=self._trick(view), result=result
        )

    def _trick(self, view: SeatView) -> str:
        winning = trick_winner(view.trick, view.trump or "") if len(view.trick) > 1 else None
        cards = [
            _lying(self._position(seat), card, seat == winning, place == 0, self.language)
            for place, (seat, card) in enumerate(view.trick)
        ]
        if self.mine and view.phase == "play" and (view.trick or not view.tricks):
            cards.append('<li class="trick__c trick__c--s trick__c--next" aria-hidden="true"></li>')
        return "".join(cards)

    def _past(self, view: SeatView) -> str:
        """The last finished trick: it lies there until the next card is led, then it goes to its winner."""
        plays, winner = view.tricks[-1]
        cards = "".join(
            [_lying(self._position(seat), card, seat == winner, False, self.language) for seat, card in plays]
        )
        if view.trick or not self.dealing:
            return f'<ol class="trick past is-swept to-{self._position(winner)}" aria-hidden="true">{cards}</ol>'
        return f'<ol class="trick past" aria-label="{_finished_trick(self.language)}">{cards}</ol>'

    def _outcome(self, view: SeatView) -> _Outcome:
        result = words.result(view, self.names, self.place)
        seated = self.place is not None and not self.kept
        return _Outcome(
            good=self.place is None or result.side in (-1, self.place % 2),
            title=result.title,
            text=result.text,
            team="" if result.side < 0 else self._teams()[(result.side - self.south) % 2],
            before=result.before,
            after=result.after,
            barn=result.barn,
            next=seated and self.place is not None and not self.table.ready & 1 << self.place,
            watching=not seated,
            left=_seconds(self.table.due_at, self.table.made_at),
        )

    def _gathering(self) -> _Prompt:
        closed = self.table.phase == Table.Phase.CLOSED
        here = _here(sum(seat.player_id is not None for seat in self.table.seats))
        return _Prompt(
            "gather",
            title=SafeString(_("This table is closed") if closed else here),
            text=SafeString(_("Its game is over.") if closed else _("The game starts when all four seats are taken.")),
            gathering=_Gathering(
                fill=None if closed else _seconds(self.table.fill_at, self.table.made_at),
                closed=closed,
                calls_bots=self._may_call_bots(),
            ),
        )

    def _may_call_bots(self) -> bool:
        """The host while he sits there, else anybody seated (services.seating decides)."""
        table = self.table
        host_sits = not table.quick and any(seat.player_id == table.host_id for seat in table.seats)
        return self.own_seat is not None and (not host_sits or self.own_seat.player_id == table.host_id)

    def _prompt(self) -> str:
        view = self.view
        prompt = _Prompt("wait")
        if self.table.phase in (Table.Phase.OPEN, Table.Phase.CLOSED):
            prompt = self._gathering()
        elif self.kept:
            prompt = self._kept_prompt()
        elif view is not None and self.dealing:
            prompt = self._deal_prompt(view)
        elif view is not None and self.table.phase == Table.Phase.BETWEEN:
            prompt = _Prompt("result", text=self._next_dealer(view))
        return _prompt(prompt, self.language)

    def _kept_prompt(self) -> _Prompt:
        left = self.own_seat is not None and self.own_seat.left
        return _Prompt(
            "keeper",
            title=SafeString(_("You left this game") if left else _("A bot is playing for you")),
            text=SafeString(_("It plays until you take your seat back.")),
        )

    def _deal_prompt(self, view: SeatView) -> _Prompt:
        if self.mine and self.place is not None:
            kinds = {action.kind for action in view.legal_actions}
            match view.phase:
                case "bid1" | "bid2":
                    suits = "".join(action.suit or "" for action in view.legal_actions)
                    title, text = words.bid_question(view, self.names, self.place)
                    return _Prompt(view.phase, title, text, view.dealer == self.place, suits, may_pass="pass" in kinds)
                case "exchange":
                    title, text = words.exchange_question(view, self.names)
                    return _Prompt("exchange", title, text, may_decline="decline" in kinds)
                case "alone":
                    return _Prompt("alone", *words.alone_question(view, self.names))
            return _Prompt("play", text=SafeString(escape(words.play_hint(view))))
        if self.place is not None and self.place in view.sitting_out:
            partner = words.name_html(self.names[(self.place + 2) % 4])
            return _Prompt("wait", text=format_html(_("You sit out: {partner} plays alone."), partner=partner))
        return _Prompt("wait", text=words.waiting(view, self.names))

    def _next_dealer(self, view: SeatView) -> SafeString:
        dealer = next_dealer(view.dealer)
        if dealer == self.place:
            return SafeString(_("You deal next."))
        return format_html(_("{who} deals next."), who=words.name_html(self.names[dealer]))

    def _points_line(self, view: SeatView) -> SafeString:
        if view.passed_out:
            return SafeString(_("Nobody scores"))
        side = 0 if view.points[0] else 1
        team = self._teams()[(side - self.south) % 2]
        if view.maker is not None and side != view.maker % 2:
            return format_html(_("Euchred: {team} <b>+{points}</b>"), team=team, points=view.points[side])
        return format_html(_("Points: {team} <b>+{points}</b>"), team=team, points=view.points[side])

    def _hand(self) -> str:
        view = self.view
        if view is None or self.place is None or not self.dealing:
            return ""
        cards, state, follow = view.hand, "idle", ""
        legal: tuple[str, ...] = cards
        if self.mine and view.phase == "exchange":
            cards, state = (*view.hand, view.up_card), "bury"
        elif self.mine and view.phase == "play":
            legal, state = tuple(action.card for action in view.legal_actions if action.card), "play"
            follow = effective_suit(view.trick[0][1], view.trump or "") if view.trick else ""
        held = "".join(
            [
                _held(card, state if card in legal or state == "bury" else "off", follow, view.trump, self.language)
                for card in sorted(cards, key=_in_hand)
            ]
        )
        out = " is-out" if self.place in view.sitting_out else ""
        return _HAND.format(out=out, count=len(cards), label=_your_hand(self.language), cards=held)

    # --- game over ---

    def _over_title(self) -> str:
        over, score = self.table.over, self.table.score
        assert over is not None
        first, second = score[over.winner], score[1 - over.winner]
        if self.place is None:
            team = words.team_name(self.names, over.winner)
            return _("%(team)s won, %(first)d to %(second)d") % {"team": team, "first": first, "second": second}
        if over.winner == self.place % 2:
            return _("You won, %(first)d to %(second)d") % {"first": first, "second": second}
        return _("You lost, %(second)d to %(first)d") % {"first": first, "second": second}

    def _over(self) -> str:
        table, over = self.table, self.table.over
        assert over is not None
        open_still = table.phase == Table.Phase.OVER
        people = [seat for seat in table.seats if seat.person]
        ready = [seat for seat in people if table.ready & 1 << seat.index]
        asks = open_still and self.own_seat is not None
        return _over(
            _Over(
                table=_table_line(table.id, table.title, table.ranked),
                title=self._over_title(),
                text=self._over_text(),
                race=self._race(),
                players=tuple(self._standing(line) for line in over.ratings),
                surer=self._surer(),
                rematch_words=self._rematch_words(people, ready) if open_still else "",
                dots=tuple(not seat.person or seat in ready for seat in table.seats),
                replay=reverse("game", args=[table.game_id]) if table.game_id else "",
                seated=self.own_seat is not None and table.phase != Table.Phase.CLOSED,
                rematch=asks and self.own_seat not in ready,
                left=_seconds(table.due_at, table.made_at) if open_still else None,
            ),
            self.language,
        )

    def _over_text(self) -> str:
        assert self.table.over is not None
        deals = self.table.over.deals
        text = ngettext("%(count)d hand.", "%(count)d hands.", len(deals)) % {"count": len(deals)}
        if self.place is None:
            return text
        barn = self.table.rules.target_score - 1
        there = sum(deal.score[self.place % 2] == barn for deal in deals)
        if not there:
            return text
        words_ = ngettext("You were in the barn for one of them.", "You were in the barn for %(count)d of them.", there)
        return f"{text} {words_ % {'count': there}}"

    def _race(self) -> _Race | None:
        assert self.table.over is not None
        target, deals = self.table.rules.target_score, self.table.over.deals
        if not deals:
            return None
        side = self.south % 2
        lines = [[deal.score[side] for deal in deals], [deal.score[1 - side] for deal in deals]]
        us, them = self._teams()
        caption = _("Score after each hand. %(us)s: %(ours)s. %(them)s: %(theirs)s.") % {
            "us": us, "ours": ", ".join(map(str, lines[0])),
            "them": them, "theirs": ", ".join(map(str, lines[1])),
        }  # fmt: skip
        heights = [_height(line[-1], target) for line in lines]
        # The two labels keep a line's distance however close the scores are.
        gap = 14 if heights[0] <= heights[1] else -14
        second = heights[1] if abs(heights[0] - heights[1]) >= 14 else heights[0] + gap
        return _Race(
            caption=caption,
            target=target,
            half=target // 2,
            us=_path(lines[0], target),
            them=_path(lines[1], target),
            us_y=heights[0],
            us_label=heights[0] + 4,
            them_label=second + 4,
            us_words=str(lines[0][-1]) if self.place is None else f"{us} {lines[0][-1]}",
            them_words=str(lines[1][-1]) if self.place is None else f"{them} {lines[1][-1]}",
        )

    def _standing(self, line: RatingLine) -> _Standing:
        seat = self.table.seats[line.seat]
        change = None if line.before is None or line.after is None else line.after - line.before
        if seat.bot_level:
            change = None
        return _Standing(
            name=seat.name or _("somebody who left"),
            seed=seat.player_id,
            you=line.seat == self.place,
            bot=bool(seat.bot_level),
            left=line.left,
            before=line.before if line.before is not None else seat.rating,
            after=line.after if line.after is not None else seat.rating,
            change=change,
        )

    def _surer(self) -> str:
        assert self.table.over is not None
        own = next((line for line in self.table.over.ratings if line.seat == self.place), None)
        if own is None or own.give_or_take_before is None or own.give_or_take_after is None:
            return ""
        if own.give_or_take_after >= own.give_or_take_before:
            return _("Give or take %(points)d.") % {"points": own.give_or_take_after}
        return _("Give or take %(after)d now, %(before)d before: the number is getting surer.") % {
            "after": own.give_or_take_after,
            "before": own.give_or_take_before,
        }

    def _rematch_words(self, people: list[SeatInfo], ready: list[SeatInfo]) -> str:
        if not people:
            return ""
        waiting = [seat for seat in people if seat not in ready]
        said = ngettext("%(ready)d of %(all)d wants a rematch.", "%(ready)d of %(all)d want a rematch.", len(ready)) % {
            "ready": len(ready), "all": len(people),
        }  # fmt: skip
        if len(waiting) == 1 and waiting[0].index != self.place:
            return f"{said} {_('Waiting for %(who)s.') % {'who': waiting[0].name}}"
        return said


def _seconds(until: datetime | None, now: datetime) -> int | None:
    """Whole seconds left, for a countdown."""
    return None if until is None else max(0, ceil((until - now).total_seconds()))


def _here(people: int) -> str:
    return ngettext("%(count)d of 4 is here", "%(count)d of 4 are here", people) % {"count": people}


def _table_line(table_id: int, title: str, ranked: bool) -> str:
    name = title or _("Table %(number)d") % {"number": table_id}
    return (_("%(table)s, ranked") if ranked else _("%(table)s, friendly")) % {"table": name}


def _height(score: int, target: int) -> int:
    return round(98 - 90 * min(score, target) / target)


def _path(scores: list[int], target: int) -> str:
    step = 356 / len(scores)
    points = [f"{24 + step * at:.0f} {_height(score, target)}" for at, score in enumerate([0, *scores])]
    return f"M{' L'.join(points)}"


# --- pieces: each is exactly what it shows --------------------------------------------------------


class _Chair(NamedTuple):
    """One seat."""

    pos: str
    index: int
    number: int
    empty: bool = False
    sit: int | None = None
    name: str = ""
    you: bool = False
    watched: bool = False
    seed: int | None = None
    rating: int | None = None
    bot: bool = False
    keeper: bool = False
    left: bool = False
    lost: int | None = None
    missed: int = 0
    dealer: bool = False
    maker: str = ""
    alone: bool = False
    out: bool = False
    cards: int | None = None
    say: str = ""
    turn: str = ""
    ready: bool = False

    @property
    def label(self) -> str:
        if self.empty:
            return _("Seat %(number)d") % {"number": self.number}
        if self.watched:
            return self.name
        relation = {"s": _("%(name)s, you"), "n": _("%(name)s, your partner")}.get(self.pos, _("%(name)s, opponent"))
        return relation % {"name": self.name}

    @property
    def missed_words(self) -> str:
        return _("Missed %(count)d of %(limit)d") % {"count": self.missed, "limit": MISSED_LIMIT}


class _Outcome(NamedTuple):
    """A finished deal in the middle of the felt."""

    good: bool
    title: str
    text: SafeString
    team: str
    before: int
    after: int
    barn: bool
    next: bool
    watching: bool
    left: int | None


class _Gathering(NamedTuple):
    """A table that waits for players, or is closed."""

    fill: int | None
    closed: bool
    calls_bots: bool


class _Prompt(NamedTuple):
    kind: str
    title: SafeString = SafeString("")
    text: SafeString = SafeString("")
    dealer: bool = False
    suits: str = ""
    may_pass: bool = False
    may_decline: bool = False
    gathering: _Gathering | None = None


class _Race(NamedTuple):
    """The score chart."""

    caption: str
    target: int
    half: int
    us: str
    them: str
    us_y: int
    us_label: int
    them_label: int
    us_words: str
    them_words: str


class _Standing(NamedTuple):
    name: str
    seed: int | None
    you: bool
    bot: bool
    left: bool
    before: int | None
    after: int | None
    change: int | None


class _Over(NamedTuple):
    table: str
    title: str
    text: str
    race: _Race | None
    players: tuple[_Standing, ...]
    surer: str
    rematch_words: str
    dots: tuple[bool, ...]
    replay: str
    seated: bool
    rematch: bool
    left: int | None


def _piece(name: str, shown: Any) -> str:
    env = engines["jinja2"].env
    text: str = env.get_template(f"table/{name}.html").render(
        s=shown,
        ACT=_ACT,
        FIELDS=mark_safe(_FIELDS),  # noqa: S308  a constant
        TABLE=_TABLE,
        BOT=pgettext("badge", "Bot"),
        DEALER=pgettext("mark of the dealer", "D"),
        PASS=pgettext("bid", "Pass"),
        SECONDS=pgettext("unit of time", "s"),
    )
    return text


@lru_cache(maxsize=64)
def _alerts(language: str) -> str:
    title, soon = _("Your turn"), _("Five seconds left.")
    return f' data-title="{escape(title)}" data-soon="{escape(soon)}"'


@lru_cache(maxsize=1024)
def _heading(table_id: int, title: str, language: str) -> str:
    name = title or _("Table %(number)d") % {"number": table_id}
    return f'<h1 class="vh">{escape(name)}</h1>'


@lru_cache(maxsize=2048)
def _score(us: int, them: int, up: int, our: str, their: str, target: int, oob: SafeString, language: str) -> str:
    label = _("Score, first to %(target)d: %(us)s %(ours)d, %(them)s %(theirs)d") % {
        "target": target, "us": our, "ours": us, "them": their, "theirs": them,
    }  # fmt: skip
    return _piece("score", {"score": (us, them), "up": up, "us": our, "them": their, "label": label, "oob": oob})


@lru_cache(maxsize=1024)
def _trump(trump: str | None, down: str, maker: str, alone: bool, phase: str, language: str) -> str:
    caller, note = "", ""
    if trump and not maker:
        caller = _("You, alone") if alone else _("Your call")
    elif trump:
        caller = (_("%(who)s, alone") if alone else _("%(who)s’s call")) % {"who": maker}
    elif down:
        note = _("%(suit)s can’t be called") % {"suit": capfirst(words.suit_name(down))}
    elif phase == "bid1":
        note = _("First round")
    return _piece("trump", {"trump": trump, "down": down, "caller": caller, "note": note})


@lru_cache(maxsize=16384)
def _seat(chair: _Chair, language: str) -> str:
    return _piece("seat", chair)


@lru_cache(maxsize=4096)
def _tricks(
    ours: int,
    theirs: int,
    us: str,
    them: str,
    last: tuple[tuple[str, str], ...],
    won: int,
    took: str,
    language: str,
) -> str:
    label = _("Tricks: %(us)s %(ours)d, %(them)s %(theirs)d") % {"us": us, "ours": ours, "them": them, "theirs": theirs}
    if not last:
        took_words = ""
    elif took:
        took_words = format_html(_("{who} took it"), who=words.name_html(took))
    else:
        took_words = _("You took it")
    shown = {"us": us, "them": them, "us_n": ours, "them_n": theirs, "label": label, "last": last, "won": won}
    return _piece("tricks", {**shown, "took": took_words})


_MAT = (
    '<div id="mat" class="mat{rest}">{inside}'
    '<ol id="trick" class="trick" aria-label="{label}">{trick}</ol>{result}</div>'
)
_HAND = (
    f'<form id="play" class="play" hx-ws:send method="post" action="{_ACT}">{_FIELDS}'
    '<ul id="hand" class="hand{out}" style="--n:{count}" aria-label="{label}">{cards}</ul></form>'
)


@lru_cache(maxsize=64)
def _current_trick(language: str) -> str:
    return escape(_("Current trick"))


@lru_cache(maxsize=64)
def _finished_trick(language: str) -> str:
    return escape(_("Finished trick"))


@lru_cache(maxsize=64)
def _your_hand(language: str) -> str:
    return escape(_("Your hand"))


@lru_cache(maxsize=512)
def _upcard(card: str, down: bool, bury: bool, language: str) -> str:
    return _piece("upcard", {"up": card, "down": down, "bury": bury})


@lru_cache(maxsize=2048)
def _lying(position: str, card: str, winning: bool, led: bool, language: str) -> str:
    return _piece("lying", {"position": position, "card": card, "winning": winning, "led": led})


@lru_cache(maxsize=1024)
def _result(outcome: _Outcome, language: str) -> str:
    return _piece("result", outcome)


@lru_cache(maxsize=4096)
def _prompt(prompt: _Prompt, language: str) -> str:
    return _piece("prompt", prompt)


def _in_hand(card: str) -> tuple[int, int]:
    """The order of a hand: suits in turns of colour, high cards first. It does not depend on
    trump, so that no card moves once it is dealt."""
    return "SHCD".index(card[1]), "AKQJT9".index(card[0])


@lru_cache(maxsize=8192)
def _held(card: str, state: str, follow: str, trump: str | None, language: str) -> str:
    """A card of the viewer's hand. ``state``: idle, play, off (``follow`` says why), bury."""
    tag = bower = left = note = ""
    if trump and card == "J" + trump:
        tag, bower = pgettext("tag on a bower", "Right"), _("right bower")
    elif trump and card == "J" + next_suit(trump):
        tag, bower, left = pgettext("tag on a bower", "Left"), _("left bower"), trump
    if state == "off":
        note = _("can’t be played: follow %(suit)s") % {"suit": words.suit_name(follow)}
    elif state == "bury":
        note = _("Bury %(card)s") % {"card": words.card_words(card)}
    shown = {"card": card, "state": state, "tag": tag, "bower": bower, "left": left, "note": note}
    return _piece("held", shown)


@lru_cache(maxsize=256)
def _over(over: _Over, language: str) -> str:
    return _piece("over", over)


@lru_cache(maxsize=128)
def _own(
    seated: bool,
    running: bool,
    opened: bool,
    ask_alone: bool,
    ranked: bool,
    oob: SafeString,
    language: str,
) -> str:
    shown = {"seated": seated, "running": running, "open": opened, "ask_alone": ask_alone, "ranked": ranked, "oob": oob}
    return _piece("own", shown)
