"""What the table says, in the active language: log, prompts, results, announcements.

Everything is said to one viewer, whose seat is ``you`` (None for watchers, who hear names only).
The log and the prompts are markup with isolated names; announcements are plain text, to be
escaped by whoever prints them. Nothing here is given a card that the viewer may not know.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import capfirst
from django.utils.translation import pgettext_lazy

from games.engine import BENNY, NO_TRUMP, Card, SeatView, Trump, add_points, effective_suit, next_suit, trick_winner
from games.live.texts import by_language, ngettext, pgettext
from games.live.texts import gettext as _
from games.templatetags.euchre import suit as suit_symbol
from games.templatetags.euchre import suit_name as _suit_name

Names = tuple[str, ...]
"""The players' names, clockwise from seat 0."""

RANKS = {
    "7": pgettext_lazy("rank within a sentence", "seven"),
    "8": pgettext_lazy("rank within a sentence", "eight"),
    "9": pgettext_lazy("rank within a sentence", "nine"),
    "T": pgettext_lazy("rank within a sentence", "ten"),
    "J": pgettext_lazy("rank within a sentence", "jack"),
    "Q": pgettext_lazy("rank within a sentence", "queen"),
    "K": pgettext_lazy("rank within a sentence", "king"),
    "A": pgettext_lazy("rank within a sentence", "ace"),
}
SHORT_RANKS = {
    "7": "7",
    "8": "8",
    "9": "9",
    "T": "10",
    "J": pgettext_lazy("rank in the log", "J"),
    "Q": pgettext_lazy("rank in the log", "Q"),
    "K": pgettext_lazy("rank in the log", "K"),
    "A": pgettext_lazy("rank in the log", "A"),
}
TRICK_COUNTS = (
    pgettext_lazy("number of tricks", "none"),
    pgettext_lazy("number of tricks", "one"),
    pgettext_lazy("number of tricks", "two"),
    pgettext_lazy("number of tricks", "three"),
    pgettext_lazy("number of tricks", "four"),
    pgettext_lazy("number of tricks", "all five"),
)


ANSWERS = ("together", "alone", "keep")
"""Kinds of actions that answer a question: what happened is the action before."""

suit_name = by_language(_suit_name)


@by_language
def card_words(card: Card) -> str:
    """``the jack of diamonds``: a card within a sentence."""
    if card == BENNY:
        return pgettext("card within a sentence", "the joker")
    return _("the %(rank)s of %(suit)s") % {"rank": RANKS[card[0]], "suit": suit_name(card[1])}


@by_language
def card_short(card: Card) -> SafeString:
    """``J`` and the suit's symbol: a card in the log."""
    if card == BENNY:
        return escape(pgettext("card in the log", "Joker"))
    return format_html("{}{}", SHORT_RANKS[card[0]], suit_symbol(card[1]))


@by_language
def card_glyph(card: Card) -> SafeString:
    """The suit's symbol and ``jack``: a card in a prompt."""
    if card == BENNY:
        return escape(pgettext("card in a prompt", "joker"))
    return format_html("{} {}", suit_symbol(card[1]), RANKS[card[0]])


@lru_cache(maxsize=2048)
def name_text(name: str) -> SafeString:
    """A name as it stands in markup."""
    return escape(name)


@lru_cache(maxsize=2048)
def name_html(name: str) -> SafeString:
    return format_html("<bdi>{}</bdi>", name)


def team_name(names: Names, side: int) -> str:
    """Who plays for a side: two partners, or one of two or three players; while a table waits,
    who is there of them."""
    if len(names) < 4:
        return names[side] or _("Seat %(number)d") % {"number": side + 1}
    if not (names[side] and names[side + 2]):
        return names[side] or names[side + 2] or _("Seats %(one)d and %(other)d") % {"one": side + 1, "other": side + 3}
    return _("%(one)s and %(other)s") % {"one": names[side], "other": names[side + 2]}


def team_html(names: Names, side: int) -> SafeString:
    if len(names) < 4:
        return name_html(names[side])
    return _rich(_("%(one)s and %(other)s"), one=name_html(names[side]), other=name_html(names[side + 2]))


@lru_cache(maxsize=8192, typed=True)
def _rich(message: str, **values: object) -> SafeString:
    """A translated sentence with markup in its places. Messages are ours, values are escaped
    unless they are safe (hence ``typed``)."""
    return mark_safe(message % {key: format_html("{}", value) for key, value in values.items()})  # noqa: S308


# --- the log -----------------------------------------------------------------------------------


class Event(NamedTuple):
    kind: str
    seat: int = -1
    card: str = ""
    """A card, a suit, or the number of a trick."""


def bidding(view: SeatView) -> Iterator[Event]:
    """What happened before the first lead. A round that everybody passed is one event."""
    yield Event("dealt", view.dealer, view.up_card)
    passes: list[Event] = []
    rounds = 0
    named = False
    for seat, action in view.history:
        kind = action.kind
        if kind in ("play", "claim"):
            break
        if kind == "pass":
            passes.append(Event("pass", seat))
            if len(passes) == len(view.counts):
                rounds += 1
                passes = []
                yield Event("all_passed")
                if rounds == 1:
                    yield Event("turned_down", view.dealer)
            continue
        yield from passes
        passes = []
        lone = kind.endswith("_alone")
        if kind.startswith("order_up"):
            named = True
            yield Event("took_up" if seat == view.dealer else "ordered_up", seat)
        elif kind.startswith("call"):
            named = True
            yield Event("called", seat, action.suit or "")
        elif kind == "discard":
            yield Event("buried" if named else "put_under", seat)
        elif kind in _LOGGED:
            yield Event(_LOGGED[kind], seat)
        if lone:
            yield Event("alone", seat)
    yield from passes


_LOGGED = {"decline": "left_it", "alone": "alone", "declare": "declared", "give": "gave"}
"""Actions that are one event of the log, whatever they hold."""


def events(view: SeatView) -> list[Event]:
    """What the log of a deal tells, which is the same for everybody: bids, winners of tricks, the cards of
    the trick on the table."""
    told = list(bidding(view))
    told += [Event("trick", trick.winner, str(number)) for number, trick in enumerate(view.tricks, start=1)]
    told += [Event("played" if place else "led", seat, card) for place, (seat, card) in enumerate(view.trick)]
    if (claimant := claimed_by(view)) is not None:
        told.append(Event("claimed", claimant))
    return told


def log(told: Iterable[Event], names: Names, you: int | None, language: str) -> list[SafeString]:
    """Its lines."""
    return [_line(kind, names[seat], seat == you, card, language) for kind, seat, card in told]


def claimed_by(view: SeatView) -> int | None:
    """Who has claimed the rest of a deal, if anybody has."""
    if view.phase == "done" and view.history[-1][1].kind == "claim":
        return view.history[-1][0]
    return None


@lru_cache(maxsize=8192)
def _line(kind: str, name: str, you: bool, card: str, language: str) -> SafeString:
    who = format_html("<b><bdi>{}</bdi></b>", name)
    shown: object = card
    if kind in ("dealt", "led", "played"):
        shown = card_short(card)
    elif kind == "called":
        shown = suit_name(card)
    return _rich(_log_message(kind, you), who=who, card=shown)


def _log_message(kind: str, you: bool) -> str:
    match kind, you:
        case "dealt", True:
            return _("<b>You</b> dealt, %(card)s up")
        case "dealt", False:
            return _("%(who)s dealt, %(card)s up")
        case "pass", True:
            return _("<b>You</b> passed")
        case "pass", False:
            return _("%(who)s passed")
        case "all_passed", _any:
            return _("Everybody passed")
        case "turned_down", True:
            return _("<b>You</b> turned it down")
        case "turned_down", False:
            return _("%(who)s turned it down")
        case "ordered_up", True:
            return _("<b>You</b> ordered it up")
        case "ordered_up", False:
            return _("%(who)s ordered it up")
        case "took_up", True:
            return _("<b>You</b> took it up")
        case "took_up", False:
            return _("%(who)s took it up")
        case "called", True:
            return _("<b>You</b> called %(card)s")
        case "called", False:
            return _("%(who)s called %(card)s")
        case "buried", True:
            return _("<b>You</b> buried a card")
        case "buried", False:
            return _("%(who)s buried a card")
        case "put_under", True:
            return _("<b>You</b> put a card under")
        case "put_under", False:
            return _("%(who)s put a card under")
        case "declared", True:
            return _("<b>You</b> declared a weak hand")
        case "declared", False:
            return _("%(who)s declared a weak hand")
        case "gave", True:
            return _("<b>You</b> gave your best card")
        case "gave", False:
            return _("%(who)s gave a card")
        case "claimed", True:
            return _("<b>You</b> claimed the rest")
        case "claimed", False:
            return _("%(who)s claimed the rest")
        case "left_it", True:
            return _("<b>You</b> left the up-card")
        case "left_it", False:
            return _("%(who)s left the up-card")
        case "alone", True:
            return _("<b>You</b> go <b>alone</b>")
        case "alone", False:
            return _("%(who)s goes <b>alone</b>")
        case "trick", True:
            return _("Trick %(card)s: <b>you</b>")
        case "trick", False:
            return _("Trick %(card)s: %(who)s")
        case "led", True:
            return _("<b>You</b> led %(card)s")
        case "led", False:
            return _("%(who)s led %(card)s")
        case "played", True:
            return _("<b>You</b> played %(card)s")
        case _:
            return _("%(who)s played %(card)s")


# --- what a seat has just said --------------------------------------------------------------------


def said(kind: str, dealer: bool, suit: str | None) -> str:
    """The words of a bid in the bubble beside a seat."""
    match kind:
        case "pass":
            return pgettext("bid", "Pass")
        case "order_up":
            return pgettext("bid", "I take it") if dealer else pgettext("bid", "Order it up")
        case "order_up_alone":
            return pgettext("bid", "I take it, alone") if dealer else pgettext("bid", "Order it up, alone")
        case "call" if suit:
            return capfirst(suit_name(suit))
        case "call_alone" if suit:
            return capfirst(_("%(suit)s, alone") % {"suit": suit_name(suit)})
        case "declare":
            return pgettext("bid", "Weak hand")
        case "alone":
            return pgettext("bid", "Alone")
        case "decline":
            return pgettext("bid", "I leave it")
        case _:
            return ""


# --- prompts ----------------------------------------------------------------------------------------


def passed_so_far(view: SeatView, names: Names) -> SafeString:
    """Who has passed in this round, as a sentence; empty when nobody has."""
    seats = []
    for seat, action in view.history:
        if action.kind == "pass":
            seats.append(seat)
    players = len(view.counts)
    seats = seats[players:] if view.phase == "bid2" else seats
    if not seats:
        return SafeString("")
    if len(seats) == 1:
        return _rich(_("%(who)s passed."), who=name_html(names[seats[0]]))
    if len(seats) == 2:
        one, other = (name_html(names[seat]) for seat in seats)
        return _rich(_("%(one)s and %(other)s passed."), one=one, other=other)
    return SafeString(_("All three passed."))


def bid_question(view: SeatView, names: Names, you: int) -> tuple[SafeString, SafeString]:
    """The question of a bidding round and what to know about it."""
    before = passed_so_far(view, names)
    dealer, who = view.dealer, name_html(names[view.dealer])
    if view.phase == "benny":
        unseen = view.rules.joker_up == "dealer_blind"
        return SafeString(_("Name the joker’s suit")), SafeString(
            _("The joker is turned up: you name trump before you see your cards, and take it.")
            if unseen
            else _("The joker is turned up: you name trump, and take it.")
        )
    if view.phase == "bid1":
        card = card_glyph(view.up_card)
        if dealer == you:
            return _rich(_("Take up the %(card)s?"), card=card), before
        question = _rich(_("Order the %(card)s into %(who)s’s hand?"), card=card, who=who)
        deals = (
            SafeString(_("Your partner deals."))
            if len(names) == 4 and dealer == (you + 2) % 4
            else _rich(_("%(who)s deals, against you."), who=who)
        )
        if view.up_card == BENNY:
            stands = SafeString(_("The joker stands for %(suit)s.") % {"suit": suit_name(view.proposed or "")})
            deals = _rich("%(deals)s %(stands)s", deals=deals, stands=stands)
        return question, _rich("%(deals)s %(before)s", deals=deals, before=before)
    if not any(action.kind == "pass" for action in view.legal_actions):
        return SafeString(_("Name a suit")), SafeString(_("You dealt, so you have to call."))
    if view.rules.stick_the_dealer and dealer == you:
        return SafeString(_("Name a suit, or pass")), SafeString(_("If you pass now, the others score a point."))
    if view.rules.stick_the_dealer and not view.rules.all_pass_penalty:
        stuck = _rich(_("If everybody passes, %(who)s has to call."), who=who)
        return SafeString(_("Name a suit, or pass")), _rich("%(before)s %(stuck)s", before=before, stuck=stuck)
    return SafeString(_("Name a suit, or pass")), before


def exchange_question(view: SeatView, names: Names) -> tuple[SafeString, SafeString]:
    """What the dealer is asked when trump was named in the first round (R25, R27)."""
    card = card_glyph(view.up_card)
    if view.maker == view.seat:
        return SafeString(_("Bury one card")), _rich(_("You took up the %(card)s. Pick what you can spare."), card=card)
    who = name_html(names[view.maker or 0])
    if any(action.kind == "decline" for action in view.legal_actions):
        help_ = _rich(_("%(who)s ordered it up. Pick a card to bury for it."), who=who)
        return _rich(_("Take the %(card)s, or leave it"), card=card), help_
    return SafeString(_("Bury one card")), _rich(
        _("%(who)s ordered up the %(card)s. Pick what you can spare."), who=who, card=card
    )


def leaving(ranked: bool) -> str:
    """What it means to have left a game that goes on."""
    if ranked:
        return _(
            "A bot plays your seat. Come back before the end, or the loss is yours. "
            "Who leaves often waits before the next ranked game."
        )
    return _(
        "A bot plays your seat. You may come back until the end. The game is friendly, so leaving costs you nothing."
    )


def put_away_question(view: SeatView, names: Names) -> tuple[SafeString, SafeString]:
    """What is asked of who puts cards away apart from the dealer's exchange (O13, O17, V4 b)."""
    if view.phase == "swap":
        left = 3 - sum(action.kind == "discard" for _seat, action in view.history)
        title = ngettext("Put %(count)d card under", "Put %(count)d cards under", left) % {"count": left}
        return SafeString(title), SafeString(_("You get three cards of the kitty for them."))
    if view.phase == "dummy":
        left = len(view.hand) - 5
        title = ngettext("Put %(count)d card away", "Put %(count)d cards away", left) % {"count": left}
        return SafeString(title), SafeString(_("Two cards of the kitty are yours. Keep the best five."))
    partner = name_html(names[((view.seat or 0) + 2) % 4])
    if any(action.kind == "give" for action in view.legal_actions):
        return SafeString(_("Give your best card")), _rich(_("%(who)s plays alone and calls for it."), who=partner)
    question = _rich(_("Call for %(who)s’s best?"), who=partner)
    return question, SafeString(_("Put a card away and get one for it, or keep your hand."))


def alone_question(view: SeatView, names: Names) -> tuple[SafeString, SafeString]:
    """R37, G8: does the viewer go alone?"""
    trump = suit_name(view.trump or "")
    if view.maker == view.seat:
        return SafeString(_("Go alone?")), SafeString(_("You called %(suit)s.") % {"suit": trump})
    help_ = _rich(_("%(who)s called %(suit)s."), who=name_html(names[view.maker or 0]), suit=trump)
    if view.loners:
        loner = _rich(_("%(who)s goes alone."), who=name_html(names[view.loners[0]]))
        help_ = _rich("%(help)s %(loner)s", help=help_, loner=loner)
    return SafeString(_("Go alone?")), help_


def play_hint(view: SeatView) -> str:
    """What the viewer may play, in a sentence."""
    if not view.trick:
        return _("You took the trick, you lead.") if view.tricks else _("You lead.")
    trump = view.trump or ""
    led = effective_suit(view.trick[0][1], trump)
    if led == NO_TRUMP:
        return _("Play any card.")
    following = [card for card in view.hand if effective_suit(card, trump) == led]
    suit = suit_name(led)
    if not following:
        return _("You have no %(suit)s: play any card.") % {"suit": suit}
    hint = _("Follow %(suit)s.") % {"suit": suit}
    if trump == NO_TRUMP:
        return hint
    left = "J" + next_suit(trump)
    if left in view.hand and (left[1] == led or following == [left]):
        return f"{hint} {left_bower_is(trump)}"
    return hint


def left_bower_is(trump: Trump) -> str:
    match trump:
        case "C":
            return _("Your left bower is a club now.")
        case "D":
            return _("Your left bower is a diamond now.")
        case "H":
            return _("Your left bower is a heart now.")
        case _:
            return _("Your left bower is a spade now.")


def waiting(view: SeatView, names: Names) -> SafeString:
    """Whom the table waits for, when it is not the viewer."""
    who = name_html(names[view.turn or 0])
    match view.phase:
        case "bid1" | "bid2":
            return _rich(_("%(who)s is bidding"), who=who)
        case "benny":
            return _rich(_("%(who)s names the joker’s suit"), who=who)
        case "exchange":
            return _rich(_("%(who)s picks a card to bury"), who=who)
        case "swap" | "dummy":
            return _rich(_("%(who)s puts cards away"), who=who)
        case "best" if view.turn in view.loners:
            return _rich(_("%(who)s may call for the partner’s best"), who=who)
        case "best":
            return _rich(_("%(who)s gives the best card"), who=who)
        case "alone":
            return _rich(_("%(who)s thinks about going alone"), who=who)
        case _:
            return _rich(_("%(who)s to play"), who=who)


# --- results ----------------------------------------------------------------------------------------


class Result(NamedTuple):
    """A finished deal in the middle of the felt."""

    scorers: tuple[int, ...]
    """The sides that scored: none when all passed, two when a maker of three is euchred."""
    title: str
    text: SafeString
    score: tuple[int, ...]
    """After the deal, by side."""
    barn: bool


def result(view: SeatView, names: Names, you: int | None) -> Result:
    """What came of a deal that is over; ``view.score`` is the score before it (4.6)."""
    score = add_points(view.score, view.points)
    scorers = scoring(view)
    in_barn = not view.rules.num_deals and any(score[side] == view.rules.target_score - 1 for side in scorers)
    if view.redeal:
        return Result((), _("Weak hand"), _redeal_text(view, names, you), score, False)
    if view.maker is None:
        text = _("The dealer passed: the others score a point.") if scorers else _("Nobody scores. The deal moves on.")
        return Result(scorers, _("All passed"), SafeString(text), score, in_barn)
    makers = view.side(view.maker)
    made = makers in scorers
    return Result(
        scorers, _result_title(view, makers, made), _result_text(view, names, you, makers, made), score, in_barn
    )


def scoring(view: SeatView) -> tuple[int, ...]:
    """The sides that a finished deal has given points."""
    return tuple([side for side, points in enumerate(view.points) if points])


def _redeal_text(view: SeatView, names: Names, you: int | None) -> SafeString:
    seat = view.history[-1][0]
    cards = SafeString(" ".join(map(card_short, view.shown)))
    if seat == you:
        return _rich(_("You showed %(cards)s. The same dealer deals again."), cards=cards)
    return _rich(_("%(who)s showed %(cards)s. The same dealer deals again."), who=name_html(names[seat]), cards=cards)


def score(score: tuple[int, ...], names: Names, you: int | None) -> str:
    """``Score: us 6, them 7.``"""
    return _tally(score, names, you, _("Score"))


def _result_title(view: SeatView, makers: int, made: bool) -> str:
    if not made:
        return _("Euchred!")
    if view.tricks_won[makers] < 5:
        return pgettext("result of a deal", "Made it")
    return (
        _("Alone, all five")
        if any(view.side(seat) == makers for seat in view.loners)
        else pgettext("result of a deal", "March")
    )


def _result_text(view: SeatView, names: Names, you: int | None, makers: int, made: bool) -> SafeString:
    assert view.maker is not None
    suit, count = suit_name(view.trump or ""), TRICK_COUNTS[view.tricks_won[makers]]
    maker = name_html(names[view.maker])
    lone_maker = next((seat for seat in view.loners if view.side(seat) == makers), None)
    if lone_maker == view.maker:
        called = (
            _rich(_("You called %(suit)s alone and took %(count)s."), suit=suit, count=count)
            if you == view.maker
            else _rich(_("%(who)s called %(suit)s alone and took %(count)s."), who=maker, suit=suit, count=count)
        )
    elif you == view.maker:
        called = _rich(_("You called %(suit)s and took %(count)s."), suit=suit, count=count)
    else:
        called = _rich(_("%(who)s called %(suit)s and took %(count)s."), who=maker, suit=suit, count=count)
    if made:
        return called
    against = [seat for seat in range(len(names)) if view.side(seat) != makers]
    others = [name_html(names[seat]) for seat in against if seat != you]
    if you not in against:
        stopped = _rich(_("%(team)s stopped it."), team=_both(others))
    elif others:
        stopped = _rich(_("You and %(who)s stopped it."), who=others[0])
    else:
        stopped = SafeString(_("You stopped it."))
    return _rich("%(called)s %(stopped)s", called=called, stopped=stopped)


def _both(names: list[SafeString]) -> SafeString:
    if len(names) == 1:
        return names[0]
    return _rich(_("%(one)s and %(other)s"), one=names[0], other=names[1])


def points_words(points: int) -> str:
    return ngettext("%(count)d point", "%(count)d points", points) % {"count": points}


# --- announcements ------------------------------------------------------------------------------------


def announce(view: SeatView, names: Names, you: int | None) -> str:
    """The last thing that happened, then the viewer's turn and what he may do: for screen readers."""
    sentences = [*_last_event(view, names, you)]
    if view.phase == "done":
        sentences += _outcome(view, names, you)
    elif you is not None and view.turn == you:
        sentences += _turn(view)
    return " ".join(sentences)


def announce_all(views: Sequence[SeatView], names: Names, you: int | None) -> str:
    """The same after several actions at once: ``views`` are those after each of them, in order."""
    told = [
        sentence
        for view, after in pairwise(views)
        if after.history[-1][1].kind not in ANSWERS
        for sentence in _last_event(view, names, you)
    ]
    return " ".join([*told, announce(views[-1], names, you)])


def _last_event(view: SeatView, names: Names, you: int | None) -> Iterable[str]:
    if not view.history:
        yield _told(you == view.dealer, _("You dealt."), _("%(who)s dealt."), names[view.dealer])
        yield capfirst(_("%(card)s is up.") % {"card": card_words(view.up_card)})
        return
    at = len(view.history) - 1
    while at and view.history[at][1].kind in ANSWERS:
        at -= 1
    seat, action = view.history[at]
    yield from _event(view, names, you, seat, action.kind, action.card)
    for loner, answer in view.history[at:]:
        if answer.kind.endswith("alone"):
            yield _told(you == loner, _("You go alone."), _("%(who)s goes alone."), names[loner])
            if you in view.sitting_out and you == (loner + 2) % 4:
                yield _("You sit out.")


def _told(you: bool, yours: str, other: str, name: str, **values: str) -> str:
    return (yours if you else other) % {"who": name, **values}


def _event(view: SeatView, names: Names, you: int | None, seat: int, kind: str, card: str | None) -> Iterable[str]:
    mine, name = seat == you, names[seat]
    match kind:
        case "pass":
            yield _told(mine, _("You passed."), _("%(who)s passed."), name)
            if sum(action.kind == "pass" for _seat, action in view.history) == len(view.counts):
                yield _("Everybody passed. %(card)s is turned down.") % {"card": capfirst(card_words(view.up_card))}
        case "order_up" | "order_up_alone":
            up = card_words(view.up_card)
            if seat == view.dealer:
                yield _told(mine, _("You took up %(card)s."), _("%(who)s took up %(card)s."), name, card=up)
            else:
                yield _told(mine, _("You ordered up %(card)s."), _("%(who)s ordered up %(card)s."), name, card=up)
            yield _trump(view)
        case "call" | "call_alone":
            yield _told(
                mine, _("You called %(suit)s."), _("%(who)s called %(suit)s."), name, suit=suit_name(view.trump or "")
            )
        case "discard" if view.trump is None:
            yield _told(mine, _("You put a card under."), _("%(who)s put a card under."), name)
        case "discard":
            yield _told(mine, _("You buried a card."), _("%(who)s buried a card."), name)
        case "declare":
            yield _told(mine, _("You declared a weak hand."), _("%(who)s declared a weak hand."), name)
        case "give":
            yield _told(mine, _("You gave a card."), _("%(who)s gave a card."), name)
        case "claim":
            yield _told(mine, _("You claimed the rest."), _("%(who)s claimed the rest."), name)
        case "decline":
            yield _told(mine, _("You left the up-card."), _("%(who)s left the up-card."), name)
        case "play" if card:
            yield from _play(view, names, you, seat, card)


def _trump(view: SeatView) -> str:
    return _("Trump is %(suit)s.") % {"suit": suit_name(view.trump or "")}


def _play(view: SeatView, names: Names, you: int | None, seat: int, card: str) -> Iterable[str]:
    mine, name, words = seat == you, names[seat], card_words(card)
    if view.trick:
        if len(view.trick) == 1:
            yield _told(mine, _("You led %(card)s."), _("%(who)s led %(card)s."), name, card=words)
        elif trick_winner(view.trick, view.trump or "") == seat:
            yield _told(
                mine,
                _("You played %(card)s and are winning."),
                _("%(who)s played %(card)s and is winning."),
                name,
                card=words,
            )
        else:
            yield _told(mine, _("You played %(card)s."), _("%(who)s played %(card)s."), name, card=words)
        return
    yield _told(mine, _("You played %(card)s."), _("%(who)s played %(card)s."), name, card=words)
    winner = view.tricks[-1].winner
    yield _told(winner == you, _("You took the trick."), _("%(who)s took the trick."), names[winner])
    yield _tally(view.tricks_won, names, you, _("Tricks"))


def _tally(counts: tuple[int, ...], names: Names, you: int | None, what: str) -> str:
    if len(names) < 4:
        each = [
            _("%(who)s %(count)d") % {"who": _("you") if seat == you else names[seat], "count": count}
            for seat, count in enumerate(counts)
        ]
        return f"{what}: {', '.join(each)}."
    if you is None:
        return _("%(what)s: %(one)s %(first)d, %(other)s %(second)d.") % {
            "what": what, "one": team_name(names, 0), "first": counts[0],
            "other": team_name(names, 1), "second": counts[1],
        }  # fmt: skip
    us, them = counts[you % 2], counts[1 - you % 2]
    return _("%(what)s: us %(us)d, them %(them)d.") % {"what": what, "us": us, "them": them}


def _outcome(view: SeatView, names: Names, you: int | None) -> Iterable[str]:
    scorers = scoring(view)
    if view.redeal:
        yield _("The same dealer deals again.")
        return
    if not scorers:
        yield _("All passed. Nobody scores.")
        return
    if view.maker is not None:
        makers = view.side(view.maker)
        title = _result_title(view, makers, makers in scorers)
        yield title if title.endswith("!") else f"{title}."
    for side in scorers:
        yield _("%(points)s for %(team)s.") % {
            "points": points_words(view.points[side]),
            "team": _for_whom(view, names, you, side),
        }
    yield score(add_points(view.score, view.points), names, you)


def _for_whom(view: SeatView, names: Names, you: int | None, side: int) -> str:
    if you is not None and view.side(you) == side:
        return pgettext("points for", "you")
    return team_name(names, side) if you is None or len(names) < 4 else pgettext("points for", "them")


def _turn(view: SeatView) -> Iterable[str]:
    yield _("Your turn.")
    match view.phase:
        case "bid1":
            yield _("Pass, or take it up.") if view.seat == view.dealer else _("Pass, or order it up.")
        case "bid2" | "benny":
            suits = {action.suit for action in view.legal_actions if action.kind == "call" and action.suit}
            named = _listed([suit_name(suit) for suit in "SHCDN" if suit in suits])
            may_pass = any(action.kind == "pass" for action in view.legal_actions)
            yield (_("Name %(suits)s, or pass.") if may_pass else _("Name %(suits)s.")) % {"suits": named}
        case "exchange":
            may_leave = any(action.kind == "decline" for action in view.legal_actions)
            yield _("Bury one of your six cards.")
            if may_leave:
                yield _("Or leave the up-card.")
        case "alone":
            yield _("Do you go alone?")
        case "swap" | "dummy":
            yield _("Choose a card to put away.")
        case "best" if any(action.kind == "give" for action in view.legal_actions):
            yield _("Give your partner a card.")
        case "best":
            yield _("Put a card away for your partner’s best, or keep your hand.")
        case _:
            yield play_hint(view)
            if any(action.kind == "claim" for action in view.legal_actions):
                yield _("You may claim the rest.")
            legal = [action.card for action in view.legal_actions if action.card]
            if view.trick and len(legal) < len(view.hand):
                yield _("You may play %(cards)s.") % {"cards": _listed([card_words(card) for card in legal])}


def _listed(words: list[str]) -> str:
    if len(words) < 2:
        return "".join(words)
    return _("%(some)s or %(last)s") % {"some": ", ".join(words[:-1]), "last": words[-1]}
