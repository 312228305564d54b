"""The felt as markup: one complete frame of a table for one audience.

``render`` takes a snapshot apart: :func:`games.engine.view` gives what the audience may know of
the deal, and only that (and the public seats) goes on. A frame is put together from small
pieces - a seat, the trick, a hand - each rendered by its own Jinja template from a tuple that
holds exactly what the piece shows, and cached by that tuple and the language. Names are marks
until the frame is whole, so the pieces are the same at every table and hardly one is made anew.

The viewer always sits South (watchers look from seat 0) and play runs clockwise on the screen.
Elements are swapped out of band and morphed by id; what holds the socket is never swapped.
"""

from __future__ import annotations

from datetime import timedelta
from functools import lru_cache
from math import ceil
from typing import NamedTuple

from django.conf import settings
from django.urls import reverse
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe

from games import fairness
from games.engine import SeatView, effective_suit, next_dealer, trick_winner, view
from games.live import leaving, over, pieces, words
from games.live.pieces import (
    ACT,
    FIELDS,
    LAST,
    ORIGIN,
    PLAYERS,
    QUERY,
    QUILT,
    RATING,
    TABLE,
    Chair,
    Gathering,
    Outcome,
    Prompt,
    Side,
    in_hand,
)
from games.live.texts import gettext as _
from games.live.texts import ngettext, pgettext, speaking
from games.live.words import Names
from games.models import Table
from games.selectors.tables import GameOver, SeatInfo, TableSnapshot
from games.templatetags.euchre import quilt
from games.templatetags.lobby import terms

POSITIONS = {2: "sn", 3: "swe", 4: "swne"}
"""Where the seats appear, clockwise from the viewer, by the number of players."""

BIDDING = ("swap", "benny", "bid1", "bid2", "exchange", "dummy", "alone", "best")
"""The phases of a deal before its first card is led."""

OOB = mark_safe(' hx-swap-oob="outerMorph"')
"""Marks an element of a pushed frame; the page itself has none."""

AT_ONCE = timedelta(seconds=2)
"""Bots that come this soon need not be called."""

_MAT = (
    '<div id="mat" class="mat{rest}">{inside}'
    '<ol id="trick" class="trick" aria-label="{label}">{trick}</ol>{result}</div>'
)
_HAND = (
    f'<form id="play" class="play" hx-ws:send method="post" action="{ACT}">{FIELDS}'
    '<ul id="hand" class="hand{out}" style="--n:{count}" aria-label="{label}">{cards}</ul></form>'
)


Looks = tuple[tuple[Chair, dict[Side, str]] | None, ...]
"""Of each seat what all see of it, and the pieces drawn of that; None of an empty one."""


class Shared:
    """What the frames of one snapshot have in common."""

    def __init__(self) -> None:
        self.looks: dict[str, Looks] = {}
        """By language."""
        self.events: list[words.Event] | None = None
        """Of the log."""
        self.meanings: list[tuple[bytes, bytes]] | None = None
        """The marks, and what they stand for."""


# --- frames --------------------------------------------------------------------------------------


class Parts(NamedTuple):
    """The elements of a frame: in the page they stand in different places."""

    felt: str
    score: str
    log: str
    announce: str
    own: str
    offer: str


def render(
    snapshot: TableSnapshot, place: int | None, language: str | None = None, shared: Shared | None = None
) -> str:
    """A frame for the sockets of seat ``place`` (None: watchers), in the active language or another.
    ``shared`` with the other frames of the same snapshot, which then are made with less work."""
    with speaking(language) as language:
        scene = Scene(snapshot, place, language, shared)
        text = "".join(scene.parts(OOB))
    if scene.shared.meanings is None:
        scene.shared.meanings = _meanings(snapshot, _addresses(snapshot.id))
    return _filled(text, scene.shared.meanings)


def render_page(snapshot: TableSnapshot, place: int | None, csrf_input: str, origin: str = "") -> Parts:
    """The parts of the same frame for the page itself: nothing to swap, and every form with
    ``csrf_input``, the hidden field of the token, so that it works without a script."""
    with speaking() as language:
        parts = Scene(snapshot, place, language).parts(SafeString(""))
    addresses = _addresses(snapshot.id)
    return Parts(*(mark_safe(fill(part, snapshot, addresses, csrf_input, origin)) for part in parts))  # noqa: S308  our own markup


def fill(text: str, snapshot: TableSnapshot, addresses: tuple[str, str], csrf_input: str = "", origin: str = "") -> str:
    """Put in place of the marks what they stand for; ``addresses`` of the forms and of the table."""
    return _filled(text, _meanings(snapshot, addresses, csrf_input, origin))


def _meanings(
    snapshot: TableSnapshot, addresses: tuple[str, str], csrf_input: str = "", origin: str = ""
) -> list[tuple[bytes, bytes]]:
    """The marks, and what they stand for."""
    act, table = addresses
    fields = f'{csrf_input}<input type="hidden" name="version" value="{snapshot.version}">'
    query = ""
    if snapshot.code:  # whoever sees this has come by the link
        fields += f'<input type="hidden" name="code" value="{snapshot.code}">'
        query = f"?code={snapshot.code}"
    names = [words.name_text(seat.name) for seat in snapshot.seats]
    marks = (ACT, FIELDS, TABLE, ORIGIN, QUERY, *PLAYERS[: len(names)])
    meant = (act, fields, table, origin, query, *names)
    return [(mark.encode(), text.encode()) for mark, text in zip(marks, meant, strict=True)]


def _filled(text: str, meanings: list[tuple[bytes, bytes]]) -> str:
    """In bytes, where marks are found ten times as fast as in a string that holds one wide character."""
    raw = text.encode()
    for mark, meant in meanings:
        raw = raw.replace(mark, meant)
    return raw.decode()


def notice(sentence: str) -> str:
    """A refusal, shown once to one socket (table.js takes it away after a while)."""
    return format_html('<div id="notice" class="notice" role="alert"{}><p>{}</p></div>', OOB, sentence)


def asked_up(language: str) -> str:
    """What he reads whose seat at a waiting table is free again."""
    with speaking(language):
        return notice(_("You have got up, or the host asked you to. Take another seat if you like."))


def not_watched(language: str) -> str:
    """What they read who looked on while a table waited that nobody watches."""
    with speaking(language):
        return notice(_("The game has begun, and nobody watches this table."))


@lru_cache(maxsize=4096)
def _addresses(table_id: int) -> tuple[str, str]:
    return reverse("table_act", args=[table_id]), reverse("table", args=[table_id])


class Scene:
    """A snapshot as one audience sees it, on its way to pieces."""

    def __init__(self, snapshot: TableSnapshot, place: int | None, language: str, shared: Shared | None = None) -> None:
        self.table = snapshot
        self.shared = Shared() if shared is None else shared
        self.place = place
        self.south = place or 0
        self.players = len(snapshot.seats)
        self.sides = snapshot.rules.sides
        self.language = language
        self.names: Names = tuple(
            mark if seat.name else "" for mark, seat in zip(PLAYERS, snapshot.seats, strict=False)
        )
        self.own_seat = snapshot.seats[place] if place is not None else None
        phase = snapshot.phase
        self.dealing = phase in Table.DEALING
        self.running = self.dealing or phase == Table.Phase.BETWEEN
        deal, score = snapshot.deal, snapshot.score
        self.view: SeatView | None = None
        if deal is not None and phase != Table.Phase.OPEN:
            if deal.phase == "done":
                score = tuple([now - points for now, points in zip(score, deal.points, strict=True)])
            self.view = view(deal, place, score)
        self.kept = self.running and self.own_seat is not None and self.own_seat.keeper
        """A bot keeps the viewer's seat: he sees his cards, and gets them back by one click."""
        self.mine = self.dealing and place is not None and snapshot.turn == place and not self.kept

    # --- the parts of a frame ---

    def parts(self, oob: SafeString) -> Parts:
        return Parts(self.felt(oob), self.score(oob), self.log(oob), self.announce(oob), self.own(oob), self.offer(oob))

    def felt(self, oob: SafeString) -> str:
        table, phase = self.table, self.table.phase
        turn = "mine" if self.mine else "other" if self.dealing else "none"
        clock = ""
        if self.dealing and table.due_at is not None:
            total = table.pace + settings.EUCHRE_GRACE
            left = min(max((table.due_at - table.made_at).total_seconds(), 0), total)
            clock = f' style="--total:{total:g}s;--left:{left:.1f}s;--whole:{ceil(left)}"'
        ended = phase in (Table.Phase.OVER, Table.Phase.CLOSED)
        seats = {place: self._seat(offset, place) for offset, place in enumerate(POSITIONS[self.players])}
        others = [seats[place] for place in "nwe" if place in seats]
        if ended and table.over is not None:
            inside = [*others, self._mat(), self._over(table.over)]
        else:
            inside = [self._trump(), *others, self._tricks(), self._mat(), self._prompt(), seats["s"], self._hand()]
        seated = "is-watched" if self.place is None else "is-seated"
        if self.players < 4:
            seated += f" is-for-{self.players}"
        trump = self.view.trump or "" if self.view is not None else ""
        return (
            f'<main id="felt" class="felt {seated}" tabindex="-1" data-revision="{table.revision}" '
            f'data-version="{table.version}" data-phase="{phase}" data-turn="{turn}" data-trump="{trump}" '
            f'data-made="{table.made_at.timestamp() * 1000:.0f}"{self._promise()}'
            f"{self._alerts()}{clock}{oob}>"
            f"{pieces.heading(table.id, table.title, self.language)}{''.join(inside)}</main>"
        )

    def _alerts(self) -> str:
        return pieces.alerts(self.language) if self.mine else ""

    def _promise(self) -> str:
        """The commitment, and whether the viewer's browser may still add its nonce (fair.js)."""
        phase, next_chain = self.table.phase, self.running and fairness.ends_chain(self.table.deal_number)
        waits = phase in (Table.Phase.OPEN, Table.Phase.OVER) or next_chain
        wanted = ' data-nonce="wanted"' if waits and self.place is not None else ""
        return f' data-commitment="{self.table.commitment}"{wanted}'

    def score(self, oob: SafeString) -> str:
        view = self.view
        up = words.scoring(view) if view is not None and view.phase == "done" else ()
        order, teams = self._sides(), self._teams()
        tally = tuple([(team, self.table.score[side], side in up) for team, side in zip(teams, order, strict=True)])
        rules = self.table.rules
        return pieces.score(tally, 0 if rules.num_deals else rules.target_score, rules.num_deals, oob, self.language)

    def log(self, oob: SafeString) -> str:
        view = self.view
        lines: list[SafeString] = []
        if view is not None:
            if self.shared.events is None:
                self.shared.events = words.events(view)
            lines = words.log(self.shared.events, self.names, self.place, self.language)
            if view.phase == "done":
                lines.append(self._points_line(view))
        items = "".join([f"<li>{line}</li>" for line in lines[:-1]])
        if lines:
            items += f'<li class="is-new">{lines[-1]}</li>'
        return f'<ol id="log"{oob}>{items}</ol>'

    def announce(self, oob: SafeString) -> str:
        text = ""
        if self.table.phase == Table.Phase.OPEN:
            text = self._here()
        elif self.table.phase in (Table.Phase.OVER, Table.Phase.CLOSED) and self.table.over is not None:
            text = f"{_('Game over.')} {over.title(self.table, self.table.over, self.place, self.names)}"
        elif self.kept:
            text = _("A bot is playing for you. You can take your seat back.")
        elif self.view is not None:
            text = words.announce(self.view, self.names, self.place)
        return f'<div id="announce" class="vh" role="status" aria-live="polite"{oob}>{escape(text)}</div>'

    def own(self, oob: SafeString) -> str:
        table, seat = self.table, self.own_seat
        return pieces.own(
            seat is not None
            and table.phase != Table.Phase.CLOSED
            and not (self.running and seat.left)
            and not (table.phase == Table.Phase.OPEN and seat.awaited),
            self.running,
            table.phase == Table.Phase.OPEN,
            bool(seat and seat.ask_alone) if table.rules.alone_who in ("any", "maker_side") else None,
            table.ranked,
            table.back,
            oob,
            self.language,
        )

    def offer(self, oob: SafeString) -> str:
        shown = None
        if self.running and self.own_seat is not None and not self.kept:
            shown = leaving.offer(self.table, self.own_seat, self.names)
        return pieces.offer(shown, oob, self.language)

    # --- pieces of the felt ---

    def _position(self, seat: int) -> str:
        return POSITIONS[self.players][(seat - self.south) % self.players]

    def _sides(self) -> tuple[int, ...]:
        """The sides in the order in which they are shown, the viewer's first."""
        return tuple([(self.south + offset) % self.sides for offset in range(self.sides)])

    def _teams(self) -> tuple[str, ...]:
        """What the sides are called, the viewer's first; watchers hear names."""
        if self.place is None:
            return tuple([words.team_name(self.names, side) for side in range(self.sides)])
        if self.players == 4:
            return pgettext("the viewer's side", "Us"), pgettext("the other side", "Them")
        return _("You"), *(words.team_name(self.names, side) for side in self._sides()[1:])

    def _seat(self, offset: int, position: str) -> str:
        index = (self.south + offset) % self.players
        seat, view, table = self.table.seats[index], self.view, self.table
        own = offset == 0 and self.place is not None
        look = self._looks()[index]
        if look is None:
            sit = index if table.phase == Table.Phase.OPEN and not table.reserved else None
            return pieces.empty_seat(position, sit, self.place is not None, index + 1, self.language)
        side = pieces.Side(
            pos=position,
            you=own,
            partner=offset == 2 and self.players == 4,
            watched=self.place is None,
            cards=view.counts[index] if view is not None and self.running and not own else None,
        )
        return pieces.seat(*look, side).replace(QUILT, quilt(seat.player_id)).replace(RATING, str(seat.rating))

    def _looks(self) -> Looks:
        looks = self.shared.looks.get(self.language)
        if looks is None:
            looks = self.shared.looks[self.language] = tuple(
                [
                    self._look(index, seat) if seat.name or seat.player_id is not None else None
                    for index, seat in enumerate(self.table.seats)
                ]
            )
        return looks

    def _look(self, index: int, seat: SeatInfo) -> tuple[Chair, dict[Side, str]]:
        """What everybody sees of a seat alike, and the pieces drawn of it."""
        view, table = self.view, self.table
        dealt = view is not None and self.running
        turn = ""
        if self.dealing and table.turn == index:
            turn = "bot" if seat.played_by_bot else "person"
        chair = Chair(
            number=index + 1,
            name=self.names[index],
            rated=seat.rating is not None,
            bot=bool(seat.bot_level),
            guest=seat.guest,
            program=seat.program and not seat.keeper,
            keeper=seat.keeper,
            left=seat.left,
            lost=self._seconds_lost(seat),
            awaited=table.phase == Table.Phase.OPEN and seat.awaited,
            missed=seat.missed if self.running and not seat.keeper and not table.patient else 0,
            missed_all=seat.missed_all if self.running and seat.missed_all > seat.missed else 0,
            patient=table.patient,
            dealer=dealt and view is not None and view.dealer == index,
            maker=view.trump or "" if dealt and view is not None and view.maker == index else "",
            alone=dealt and view is not None and index in view.loners,
            out=dealt and view is not None and index in view.sitting_out,
            say=self._said(index),
            turn=turn,
            ready=self._is_ready(index, seat),
        )
        return chair, pieces.looks(chair, self.language)

    def _seconds_lost(self, seat: SeatInfo) -> int | None:
        if not self.running or seat.keeper or seat.lost_at is None:
            return None
        return max(0, ceil(settings.EUCHRE_AWAY_AFTER - (self.table.made_at - seat.lost_at).total_seconds()))

    def _is_ready(self, index: int, seat: SeatInfo) -> bool:
        return self.table.phase == Table.Phase.BETWEEN and seat.person and bool(self.table.ready & 1 << index)

    def _said(self, index: int) -> str:
        """The last bid of a seat, while bidding lasts; the second round starts afresh."""
        view = self.view
        if view is None or view.phase not in BIDDING:
            return ""
        history = view.history
        if view.up_card_state == "turned_down":
            passes = [at for at, (_seat, action) in enumerate(history) if action.kind == "pass"]
            history = history[passes[self.players - 1] + 1 :]
        for seat, action in reversed(history):
            if seat == index and action.kind not in ("together", "discard", "keep", "give"):
                return words.said(action.kind, index == view.dealer, action.suit)
        return ""

    def _trump(self) -> str:
        view = self.view
        if view is None:
            return pieces.trump(None, "", "", False, "", self.language)
        if view.trump is not None and view.maker is not None:
            alone = view.maker in view.loners
            name = "" if view.maker == self.place else self.names[view.maker]
            return pieces.trump(view.trump, "", name, alone, view.phase, self.language)
        down = view.proposed or "" if view.up_card_state == "turned_down" else ""
        return pieces.trump(None, down, "", False, view.phase, self.language)

    def _tricks(self) -> str:
        view, language = self.view, self.language
        if view is None or not self.running or not view.tricks:
            return pieces.tricks(0, 0, *self._opposed(), None, language)
        us, them = self._opposed()
        first = self._sides()[0] if self.sides == 2 else view.maker or 0
        ours = view.tricks_won[first]
        theirs = sum(view.tricks_won) - ours
        plays, winner = view.tricks[-1]
        took = "" if winner == self.place else self.names[winner]
        cards = [
            pieces.taken("" if seat == self.place else self.names[seat], card, seat == winner, language)
            for seat, card in plays
        ]
        return pieces.tricks(ours, theirs, us, them, took, language).replace(LAST, "".join(cards))

    def _opposed(self) -> tuple[str, str]:
        """Who plays against whom in this deal: the two sides, or the maker and two defenders."""
        if self.sides == 2:
            us, them = self._teams()
            return us, them
        maker = self.view.maker if self.view is not None else None
        name = _("Maker") if maker is None else _("You") if maker == self.place else self.names[maker]
        return name, pgettext("the two who play against the maker", "Defenders")

    def _mat(self) -> str:
        view, language = self.view, self.language
        if view is None:
            played = ""
            if self.table.phase == Table.Phase.OPEN:
                played = pieces.played(
                    self.table.ranked, self.table.pace, tuple(terms(self.table)), self.table.rules, language
                )
                if self.table.code:
                    played += pieces.invitation(reverse("door", args=[self.table.code]), language)
            return _MAT.format(rest="", label=pieces.current_trick(language), inside=played, trick="", result="")
        rest = inside = result = ""
        if view.phase in ("swap", "benny", "bid1", "bid2", "exchange"):
            bury = view.phase == "exchange" and self.mine
            inside = pieces.upcard("" if bury else view.up_card, view.phase == "bid2", bury, language)
        if view.tricks:
            rest = f" is-resting is-resting--{len(view.tricks) % 2}"
            if view.trick and view.trick[0][0] == self.place:
                rest += " at-once"
            inside = self._past(view)
        if self.table.phase == Table.Phase.BETWEEN:
            result = pieces.result(self._outcome(view), self._seconds_left(), language)
        return _MAT.format(
            rest=rest, label=pieces.current_trick(language), inside=inside, trick=self._trick(view), result=result
        )

    def _trick(self, view: SeatView) -> str:
        winning = trick_winner(view.trick, view.trump or "") if len(view.trick) > 1 else None
        cards = [
            pieces.lying(self._position(seat), card, seat == winning, place == 0, self.language)
            for place, (seat, card) in enumerate(view.trick)
        ]
        if self.mine and view.phase == "play" and (view.trick or not view.tricks):
            cards.append('<li class="trick__c trick__c--s trick__c--next" aria-hidden="true"></li>')
        return "".join(cards)

    def _past(self, view: SeatView) -> str:
        """The last finished trick: it lies there until the next card is led, then it goes to its winner."""
        plays, winner = view.tricks[-1]
        cards = "".join(
            [pieces.lying(self._position(seat), card, seat == winner, False, self.language) for seat, card in plays]
        )
        if view.trick or not self.dealing:
            return f'<ol class="trick past is-swept to-{self._position(winner)}" aria-hidden="true">{cards}</ol>'
        return f'<ol class="trick past" aria-label="{pieces.finished_trick(self.language)}">{cards}</ol>'

    def _outcome(self, view: SeatView) -> Outcome:
        result = words.result(view, self.names, self.place)
        seated = self.place is not None and not self.kept
        return Outcome(
            ours=self.place is not None and self._sides()[0] in result.scorers,
            title=result.title,
            text=result.text,
            scores=tuple(
                (team, result.score[side], view.points[side])
                for team, side in zip(self._teams(), self._sides(), strict=True)
            ),
            said=words.score(result.score, self.names, self.place),
            barn=result.barn,
            next=seated and self.place is not None and not self.table.ready & 1 << self.place,
            watching=not seated,
            timed=self.table.due_at is not None,
        )

    def _gathering(self) -> Prompt:
        table = self.table
        closed = table.phase == Table.Phase.CLOSED
        reserved = table.reserved
        claims = not closed and self.own_seat is not None and self.own_seat.awaited
        host = next((seat for seat in table.seats if seat.person and seat.player_id == table.host_id), None)
        hosted = not closed and not reserved and not table.quick and host is not None
        return Prompt(
            "gather",
            title=SafeString(_("This table is closed") if closed else self._here()),
            text=SafeString(self._waits_for(closed, claims)),
            gathering=Gathering(
                fill=None if closed or reserved else pieces.seconds(table.fill_at, table.made_at),
                closed=closed,
                calls_bots=not reserved and not claims and table.bots != "none" and self._may_call_bots(),
                joins=self.place is None and not closed and not reserved and any(not seat.name for seat in table.seats),
                claims=claims,
                invites=not reserved,
                back=table.back,
                host=self.names[host.index] if hosted and host is not None else "",
                door=reverse("door", args=[table.code]) if table.code and not closed else "",
                chairs=self._chairs() if hosted and host is self.own_seat else (),
            ),
        )

    def _waits_for(self, closed: bool, claims: bool) -> str:
        if closed:
            return _("Its game is over.") if self.table.game_id else _("It was called off before a card was dealt.")
        if claims and self.table.reserved:
            return _("Your seat is kept. Take it, and the game starts when everybody is here.")
        if claims:
            return _("This seat is kept for you. Take it before the minute is over.")
        if self.table.reserved:
            return _("The game starts when everybody is here.")
        return _("The game starts when all seats are taken.")

    def _chairs(self) -> tuple[tuple[int, str, bool], ...]:
        """For the host who gives the seats: number, who sits there, whether that is the host himself."""
        return tuple([(seat.index, self.names[seat.index], seat is self.own_seat) for seat in self.table.seats])

    def _may_call_bots(self) -> bool:
        """The host while he sits there, else anybody seated (services.seating decides); nobody where
        they come at once, as soon as the viewer's browser has added its nonce."""
        table = self.table
        if table.fill_at is not None and table.fill_at - table.made_at <= AT_ONCE:
            return False
        hosts = [seat for seat in table.seats if seat.player_id is not None and seat.player_id == table.host_id]
        host_sits = bool(hosts) and not table.quick
        return self.own_seat is not None and (not host_sits or self.own_seat.player_id == table.host_id)

    def _prompt(self) -> str:
        view = self.view
        prompt = Prompt("wait")
        if self.table.phase in (Table.Phase.OPEN, Table.Phase.CLOSED):
            prompt = self._gathering()
        elif self.kept:
            prompt = self._kept_prompt()
        elif view is not None and self.dealing:
            prompt = self._deal_prompt(view)._replace(timed=self.table.due_at is not None)
        elif view is not None and self.table.phase == Table.Phase.BETWEEN:
            prompt = Prompt("result", text=self._next_dealer(view))
        return pieces.prompt(prompt, self.language)

    def _kept_prompt(self) -> Prompt:
        left = self.own_seat is not None and self.own_seat.left
        return Prompt(
            "keeper",
            title=SafeString(_("You left this game") if left else _("A bot is playing for you")),
            text=SafeString(
                words.leaving(self.table.ranked) if left else _("The bot plays until you take your seat back.")
            ),
        )

    def _deal_prompt(self, view: SeatView) -> Prompt:
        if self.mine and self.place is not None:
            kinds = {action.kind for action in view.legal_actions}
            match view.phase:
                case "bid1" | "bid2" | "benny":
                    title, text = words.bid_question(view, self.names, self.place)
                    return Prompt(
                        "bid1" if view.phase == "bid1" else "bid2",
                        title,
                        text,
                        dealer=view.dealer == self.place,
                        suits="".join([action.suit or "" for action in view.legal_actions if action.kind == "call"]),
                        may_pass="pass" in kinds,
                        may_call="order_up" in kinds,
                        must_alone="order_up_alone" in kinds and "order_up" not in kinds,
                        may_alone=self._may_alone(view, kinds),
                        no_trump=view.rules.no_trump != "off",
                    )
                case "swap" | "dummy" | "best":
                    title, text = words.put_away_question(view, self.names)
                    return Prompt("exchange", title, text, may_keep="keep" in kinds)
                case "exchange":
                    title, text = words.exchange_question(view, self.names)
                    return Prompt("exchange", title, text, may_decline="decline" in kinds)
                case "alone":
                    return Prompt("alone", *words.alone_question(view, self.names))
            return Prompt("play", text=SafeString(escape(words.play_hint(view))), may_claim="claim" in kinds)
        if self.place is not None and self.place in view.sitting_out:
            partner = words.name_html(self.names[(self.place + 2) % 4])
            return Prompt("wait", text=format_html(_("You sit out: {partner} plays alone."), partner=partner))
        return Prompt("wait", text=words.waiting(view, self.names))

    def _may_alone(self, view: SeatView, kinds: set[str]) -> bool:
        """Whether the switch beside a call means anything: it is said now, or asked at once (R37)."""
        rules = view.rules
        return rules.alone_who != "none" and (rules.alone_timing == "before_lead" or any("_alone" in k for k in kinds))

    def _next_dealer(self, view: SeatView) -> SafeString:
        dealer = view.dealer if view.redeal else next_dealer(view.dealer, self.players)
        if dealer == self.place:
            return SafeString(_("You deal next."))
        return format_html(_("{who} deals next."), who=words.name_html(self.names[dealer]))

    def _points_line(self, view: SeatView) -> SafeString:
        scorers = words.scoring(view)
        if not scorers:
            return SafeString(_("Nobody scores"))
        side = scorers[0]
        names = [self._teams()[(scorer - self.south) % self.sides] for scorer in scorers]
        team = names[0] if len(names) == 1 else _("%(one)s and %(other)s") % {"one": names[0], "other": names[1]}
        if view.maker is not None and side != view.side(view.maker):
            return format_html(_("Euchred: {team} <b>+{points}</b>"), team=team, points=view.points[side])
        return format_html(_("Points: {team} <b>+{points}</b>"), team=team, points=view.points[side])

    def _hand(self) -> str:
        view = self.view
        if view is None or self.place is None or not self.dealing:
            return ""
        cards, state, follow = view.hand, "idle", ""
        legal: tuple[str, ...] = cards
        kinds = {action.kind for action in view.legal_actions} if self.mine else set()
        offered = kinds & {"play", "discard", "give"}
        up = ""
        if self.mine and view.phase == "play":
            legal, state = tuple(action.card for action in view.legal_actions if action.card), "play"
            follow = effective_suit(view.trick[0][1], view.trump or "") if view.trick else ""
        elif offered:  # a card to put away, or to give: the up-card may be one of them
            state = "give" if "give" in offered else "bury" if view.phase == "exchange" else "away"
            legal = cards = tuple(action.card for action in view.legal_actions if action.card)
            if view.phase == "exchange":
                up = view.up_card
                state = "swap" if "decline" in kinds else "bury"
        held = "".join(
            [
                pieces.held(card, state if card in legal else "off", follow, view.trump, card == up, self.language)
                for card in sorted(cards, key=lambda card: (card == up, in_hand(card)))
            ]
        )
        out = " is-out" if self.place in view.sitting_out else ""
        return _HAND.format(out=out, count=len(cards), label=pieces.your_hand(self.language), cards=held)

    def _here(self) -> str:
        people = sum(not seat.awaited for seat in self.table.seats)
        said = ngettext("%(count)d of %(seats)d is here", "%(count)d of %(seats)d are here", people)
        return said % {"count": people, "seats": self.players}

    def _over(self, ended: GameOver) -> str:
        table, place = self.table, self.place
        panel = over.panel(table, ended, place, self.names, self._teams())
        return pieces.over(panel, over.foot(table, place), self._seconds_left(), self.language)

    def _seconds_left(self) -> int | None:
        return pieces.seconds(self.table.due_at, self.table.made_at)
