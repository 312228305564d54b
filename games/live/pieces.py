"""The pieces of a frame: each a template, rendered from exactly what it shows and then remembered.

A piece is a function of its arguments and the language. It knows no table, no move and no
player: where those differ it holds a mark (:data:`ACT` and its kin) that is filled in when the
frame is whole, so that the same piece serves every table and soon all of them are remembered.
Nobody's hidden card ever gets here.
"""

from __future__ import annotations

from datetime import datetime
from functools import lru_cache
from math import ceil
from typing import Any, NamedTuple

from django.template import engines
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import capfirst
from jinja2 import Environment

from games.engine import BENNY, SUITS, Rules, next_suit
from games.live import words
from games.live.texts import gettext as _
from games.live.texts import ngettext, pgettext
from games.templatetags.euchre import mini, suit_name
from games.templatetags.house_rules import chips
from games.templatetags.lobby import a_move

ACT, FIELDS, TABLE = "\x02", "\x03", "\x04"
"""Stand for the address of a form, its hidden fields, and the table's own address."""

PLAYERS = "\x10\x11\x12\x13"
"""Stand for the names of the players in seats 0 to 3, wherever a sentence or a piece has one."""

ORIGIN = "\x08"
"""Stands for scheme and host of the site's address, where they are known."""

QUERY = "\x0e"
"""Stands for what an address of a private table needs besides: the code of its link."""

QUILT, RATING = "\x05", "\x06"
"""Stand for the picture and the rating of the player of a seat."""

LAST, LEFT = "\x07", "\x0f"
"""Stand for the cards of the last trick, and for the seconds left of a countdown."""

FOOT = "\x14"
"""Stands for the lower end of the panel of a finished game."""

MISSED_LIMIT = 3
"""After so many missed moves in a row a bot keeps a seat (shown; services.presence decides)."""


def seconds(until: datetime | None, now: datetime) -> int | None:
    """Whole seconds left, for a countdown."""
    return None if until is None else max(0, ceil((until - now).total_seconds()))


class Chair(NamedTuple):
    """One seat: what all see of it alike, then from where it is looked at (:class:`Side`)."""

    number: int
    empty: bool = False
    sit: int | None = None
    move: bool = False
    """The viewer has a seat already."""
    name: str = ""
    rated: bool = False
    bot: bool = False
    guest: bool = False
    program: bool = False
    """A program plays for the seat's owner."""
    keeper: bool = False
    left: bool = False
    lost: int | None = None
    awaited: bool = False
    """The seat is kept for somebody who has not come yet."""
    missed: int = 0
    missed_all: int = 0
    """Moves of this game that the clock played, if they are more than those in a row."""
    patient: bool = False
    """The table waits for him."""
    dealer: bool = False
    maker: str = ""
    alone: bool = False
    out: bool = False
    say: str = ""
    turn: str = ""
    ready: bool = False
    pos: str = ""
    you: bool = False
    partner: bool = False
    watched: bool = False
    cards: int | None = None

    @property
    def label(self) -> str:
        if self.empty:
            return _("Seat %(number)d") % {"number": self.number}
        if self.watched:
            return self.name
        if self.you:
            return _("%(name)s, you") % {"name": self.name}
        return (_("%(name)s, your partner") if self.partner else _("%(name)s, opponent")) % {"name": self.name}

    @property
    def news(self) -> str:
        """That another person does not play his cards himself; table.js tells it when it changes."""
        if self.you or self.cards is None:
            return ""
        if self.left:
            return _("%(name)s left. A bot plays on.") % {"name": self.name}
        if self.keeper:
            return _("A bot plays for %(name)s now.") % {"name": self.name}
        return _("%(name)s has lost the connection.") % {"name": self.name} if self.lost is not None else ""

    @property
    def good_news(self) -> str:
        return _("%(name)s is back.") % {"name": self.name}

    @property
    def missed_words(self) -> str:
        return _("Missed %(count)d of %(limit)d") % {"count": self.missed, "limit": MISSED_LIMIT}

    @property
    def missed_help(self) -> str:
        return _("then a bot plays for you") if self.you else _("then a bot plays")

    @property
    def missed_game(self) -> str:
        said = ngettext("%(count)d move missed in this game", "%(count)d moves missed in this game", self.missed_all)
        return said % {"count": self.missed_all}


class Outcome(NamedTuple):
    """A finished deal in the middle of the felt."""

    ours: bool
    """The viewer's side has scored."""
    title: str
    text: SafeString
    scores: tuple[tuple[str, int, int], ...]
    """Team, its score now, what it has gained; the viewer's first."""
    said: str
    """The score in a sentence."""
    barn: bool
    next: bool
    watching: bool
    timed: bool
    """A countdown runs."""
    then: str = ""
    """The address that follows, where no other deal does."""


class Gathering(NamedTuple):
    """A table that waits for players, or is closed."""

    fill: int | None
    closed: bool
    calls_bots: bool
    joins: bool
    """The viewer has no seat yet, and may have one."""
    claims: bool = False
    """A seat is kept for the viewer."""
    invites: bool = True
    back: str = ""
    host: str = ""
    """Who opened the table and sits there."""
    door: str = ""
    """The address of the link to a private table."""
    chairs: tuple[tuple[int, str, bool], ...] = ()
    """For the host: the index of each seat, who sits there, whether that is himself."""


class Prompt(NamedTuple):
    kind: str
    title: SafeString = SafeString("")
    text: SafeString = SafeString("")
    dealer: bool = False
    suits: str = ""
    may_pass: bool = False
    may_call: bool = False
    """Order the up-card together, else only alone or not at all (O6, O12)."""
    must_alone: bool = False
    may_alone: bool = False
    """The switch for going alone means something."""
    no_trump: bool = False
    """The table plays with calls of no-trump, allowed now or not."""
    may_decline: bool = False
    may_keep: bool = False
    may_claim: bool = False
    timed: bool = True
    """A clock runs."""
    gathering: Gathering | None = None


class Offer(NamedTuple):
    """What the table asks beside the game: take the win, or let a bot play for somebody."""

    title: str
    text: str
    takes: bool = False
    plays_on: bool = False
    stand_in: int | None = None
    """The seat for which a bot may be called."""


class RaceLine(NamedTuple):
    """A side in the score chart, which is 340 units wide and 108 high."""

    path: str
    label_y: int
    team: str
    points: int


class Race(NamedTuple):
    """The score chart."""

    caption: str
    target: int
    half: int
    lines: tuple[RaceLine, ...]
    """The viewer's side first."""
    us_y: int


class Standing(NamedTuple):
    name: str
    seed: int | None
    you: bool
    bot: bool
    left: bool
    before: int | None
    after: int | None
    change: int | None
    number: int = 0
    """Of the seat of another person who is still there."""


class Over(NamedTuple):
    """The panel of a finished game, but for its lower end."""

    table: str
    title: str
    text: str
    race: Race | None
    players: tuple[Standing, ...]
    surer: str


class OverFoot(NamedTuple):
    """The lower end of that panel: what follows."""

    rematch_words: str
    dots: tuple[bool, ...]
    """Of each seat, whether it is ready for a rematch."""
    replay: str
    seated: bool
    rematch: bool
    timed: bool
    back: str = ""


@lru_cache(maxsize=1)
def _environment() -> Environment:
    backend: Any = engines["jinja2"]
    environment: Environment = backend.env
    return environment


WIDE = 0.05
"""The share of characters beyond ASCII from which on a piece keeps them."""


def _narrow(text: str) -> str:
    """The same markup in ASCII, if that hardly makes it longer: where all pieces of a frame are, it is put
    together, filled and sent several times as fast."""
    wide = len(text) - len(text.encode("ascii", "ignore"))
    return text if wide > WIDE * len(text) else text.encode("ascii", "xmlcharrefreplace").decode("ascii")


def _piece(name: str, shown: Any) -> str:
    text: str = (
        _environment()
        .get_template(f"table/{name}.html")
        .render(
            s=shown,
            ACT=ACT,
            FIELDS=mark_safe(FIELDS),  # noqa: S308  a constant
            TABLE=TABLE,
            ORIGIN=ORIGIN,
            QUERY=QUERY,
            QUILT=mark_safe(QUILT),  # noqa: S308  a constant
            RATING=RATING,
            LAST=mark_safe(LAST),  # noqa: S308  a constant
            LEFT=LEFT,
            FOOT=mark_safe(FOOT),  # noqa: S308  a constant
            BOT=pgettext("badge", "Bot"),
            PROGRAM=pgettext("badge", "Program"),
            DEALER=pgettext("mark of the dealer", "D"),
            PASS=pgettext("bid", "Pass"),
            SECONDS=pgettext("unit of time", "s"),
            ENTER=pgettext("key", "Enter"),
        )
    )
    return _narrow(text)


@lru_cache(maxsize=64)
def alerts(language: str) -> str:
    title, soon = _("Your turn"), _("Five seconds left.")
    return f' data-title="{escape(title)}" data-soon="{escape(soon)}"'


@lru_cache(maxsize=1024)
def heading(table_id: int, title: str, language: str) -> str:
    name = title or _("Table %(number)d") % {"number": table_id}
    return f'<h1 class="vh">{escape(name)}</h1>'


@lru_cache(maxsize=2048)
def score(tally: tuple[tuple[str, int, bool], ...], target: int, deals: int, oob: SafeString, language: str) -> str:
    """``tally``: of each side its name, its points, and whether it has just scored."""
    each = ", ".join([_("%(who)s %(count)d") % {"who": team, "count": points} for team, points, _up in tally])
    if target:
        label = _("Score, first to %(target)d: %(score)s") % {"target": target, "score": each}
    else:
        label = _("Score, %(deals)d deals: %(score)s") % {"deals": deals, "score": each}
    return _piece("score", {"tally": tally, "label": label, "oob": oob})


@lru_cache(maxsize=1024)
def trump(trump: str | None, down: str, maker: str, alone: bool, phase: str, language: str) -> str:
    caller, note = "", ""
    if trump and not maker:
        caller = _("You, alone") if alone else _("Your call")
    elif trump:
        caller = (_("%(who)s, alone") if alone else _("%(who)s’s call")) % {"who": maker}
    elif down:
        note = _("%(suit)s can’t be called") % {"suit": capfirst(suit_name(down))}
    elif phase == "bid1":
        note = _("First round")
    return _piece("trump", {"trump": trump, "down": down, "caller": caller, "note": note})


class Side(NamedTuple):
    """From where a seat is looked at."""

    pos: str
    you: bool
    partner: bool
    watched: bool
    cards: int | None


@lru_cache(maxsize=256)
def empty_seat(position: str, sit: int | None, move: bool, number: int, language: str) -> str:
    return _piece("seat", Chair(number, empty=True, sit=sit, move=move, pos=position))


@lru_cache(maxsize=4096)
def looks(chair: Chair, language: str) -> dict[Side, str]:
    """The pieces of a seat by where it is looked at from, as far as they have been asked for by :func:`seat`:
    so a chair is looked up once for all who see it."""
    return {}


def seat(chair: Chair, drawn: dict[Side, str], side: Side) -> str:
    """``drawn``: what :func:`looks` gives for the chair."""
    piece = drawn.get(side)
    if piece is None:
        piece = drawn[side] = _piece("seat", chair._replace(**side._asdict()))
    return piece


@lru_cache(maxsize=4096)
def tricks(ours: int, theirs: int, us: str, them: str, winner: str | None, language: str) -> str:
    """``winner`` of the last trick: a name, "" for the viewer, None before the first."""
    label = _("Tricks: %(us)s %(ours)d, %(them)s %(theirs)d") % {"us": us, "ours": ours, "them": them, "theirs": theirs}
    took: str | None = None
    if winner is not None:
        took = format_html(_("{who} took it"), who=words.name_html(winner)) if winner else _("You took it")
    shown = {"us": us, "them": them, "us_n": ours, "them_n": theirs, "label": label, "took": took}
    return _piece("tricks", shown)


@lru_cache(maxsize=2048)
def taken(name: str, card: str, won: bool, language: str) -> str:
    """A card of the last trick."""
    return format_html("<li>{}<span><bdi>{}</bdi></span></li>", mini(card, "is-won" if won else ""), name or _("You"))


@lru_cache(maxsize=64)
def current_trick(language: str) -> str:
    return escape(_("Current trick"))


@lru_cache(maxsize=64)
def finished_trick(language: str) -> str:
    return escape(_("Finished trick"))


@lru_cache(maxsize=64)
def your_hand(language: str) -> str:
    return escape(_("Your hand"))


@lru_cache(maxsize=512)
def played(ranked: bool, pace: int, terms: tuple[str, ...], rules: Rules, language: str) -> str:
    """What is played at a table that waits, said on its mat before anybody sits down."""
    kind = pgettext("kind of game", "Ranked") if ranked else pgettext("kind of game", "Friendly")
    said = [kind, a_move(pace), *terms, *chips(rules)]
    return format_html('<p class="mat__played">{}</p>', ", ".join(said))


@lru_cache(maxsize=512)
def invitation(door: str, language: str) -> str:
    """The link to a private table on its mat, to be sent, copied or scanned."""
    return _piece("invitation", {"door": door})


@lru_cache(maxsize=512)
def upcard(card: str, down: bool, bury: bool, language: str) -> str:
    return _piece("upcard", {"up": card, "down": down, "bury": bury})


@lru_cache(maxsize=2048)
def lying(position: str, card: str, winning: bool, led: bool, language: str) -> str:
    return _piece("lying", {"position": position, "card": card, "winning": winning, "led": led})


@lru_cache(maxsize=2048)
def _result(outcome: Outcome, language: str) -> str:
    return _piece("result", outcome)


def result(outcome: Outcome, left: int | None, language: str) -> str:
    return _result(outcome, language).replace(LEFT, str(left or 0))


@lru_cache(maxsize=4096)
def prompt(shown: Prompt, language: str) -> str:
    return _piece("prompt", shown)


def in_hand(card: str) -> tuple[int, int]:
    """The order of a hand: suits in turns of colour, high cards first. It does not depend on
    trump, so that no card moves once it is dealt. The joker stands first."""
    return (-1, 0) if card == BENNY else ("SHCD".index(card[1]), "AKQJT987".index(card[0]))


@lru_cache(maxsize=8192)
def held(card: str, state: str, follow: str, trump: str | None, up: bool, language: str) -> str:
    """A card of the viewer's hand, or the up-card beside it (``up``). ``state``: idle, play, off (``follow``
    says why), and what may be put away: bury, swap (bury for an up-card that could be left), away, give."""
    tag = bower = left = note = ""
    if trump and trump in SUITS and card == "J" + trump:
        tag, bower = pgettext("tag on a bower", "Right"), _("right bower")
    elif trump and trump in SUITS and card == "J" + next_suit(trump):
        tag, bower, left = pgettext("tag on a bower", "Left"), _("left bower"), trump
    if state == "off":
        note = _("can’t be played: follow %(suit)s") % {"suit": suit_name(follow)}
    elif state == "swap" and not up:
        note = _("Take it, bury %(card)s") % {"card": words.card_words(card)}
    elif state in ("bury", "swap"):
        note = _("Bury %(card)s") % {"card": words.card_words(card)}
    elif state == "away":
        note = _("Put away %(card)s") % {"card": words.card_words(card)}
    elif state == "give":
        note = _("Give %(card)s") % {"card": words.card_words(card)}
    shown = {"card": card, "state": state, "tag": tag, "bower": bower, "left": left, "note": note, "up": up}
    return _piece("held", shown)


@lru_cache(maxsize=512)
def offer(shown: Offer | None, oob: SafeString, language: str) -> str:
    return _piece("offer", {"offer": shown, "oob": oob})


@lru_cache(maxsize=512)
def _over(shown: Over, language: str) -> str:
    return _piece("over", shown)


@lru_cache(maxsize=512)
def _over_foot(shown: OverFoot, language: str) -> str:
    return _piece("over_foot", shown)


def over(shown: Over, foot: OverFoot, left: int | None, language: str) -> str:
    below = _over_foot(foot, language).replace(LEFT, str(left or 0))
    return _over(shown, language).replace(FOOT, below)


@lru_cache(maxsize=128)
def own(
    seated: bool,
    running: bool,
    opened: bool,
    ask_alone: bool | None,
    ranked: bool,
    back: str,
    oob: SafeString,
    language: str,
) -> str:
    shown = {
        "seated": seated,
        "running": running,
        "open": opened,
        "ask_alone": ask_alone,
        "leaving": words.leaving(ranked),
        "back": back,
        "oob": oob,
    }
    return _piece("own", shown)
