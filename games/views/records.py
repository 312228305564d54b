"""Anybody's record, ours or EGN, checked and stepped through. Nothing is stored: the link itself is the record."""

from __future__ import annotations

import base64
import binascii
import zlib
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from allauth.core import ratelimit
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.http import require_http_methods, require_safe

from games import engine, records
from games.converters import whole_number
from games.engine import Action, Card, DealState
from games.live import words
from games.live.felt import POSITIONS
from games.records import BadRecord, Imported
from games.selectors.games import UNSAID, in_order
from games.templatetags.euchre import suit_name
from games.views.pages import too_many
from games.views.replay import DRAWN

LONGEST_LINK: Final = 6000
"""Characters of a record in a link: some fifty deals. Proxies refuse much longer addresses."""

LONGEST_TEXT: Final = 40_000
"""Characters of the record that such a link unpacks to: it is played again at every request."""


class Move(NamedTuple):
    """A move in the list: its step, who, what he did, and the trick it opens (0: none)."""

    step: int
    name: str
    what: str
    opens: int


class Hand(NamedTuple):
    position: str
    name: str
    dealer: bool
    out: bool
    cards: Sequence[Card]


class Line(NamedTuple):
    """A deal in the list of deals; ``score`` is that after it, by side."""

    number: int
    call: str
    alone: bool
    score: Sequence[int]
    points: Sequence[int]


@require_http_methods(["GET", "HEAD", "POST"])
def given(request: HttpRequest) -> HttpResponse:
    """The form for a record. A POST with ``record`` (text) or ``file`` checks it and goes on to its page."""
    if request.method != "POST":
        return render(request, "records/given.html")
    if not ratelimit.consume(request, action="records"):
        return too_many(request)
    text = request.POST.get("record", "")
    upload = request.FILES.get("file")
    try:
        imported = records.read_record(upload.read(records.LIMIT + 1) if upload else text)
    except BadRecord as error:
        return render(request, "records/given.html", {"bad": error, "text": text}, status=422)
    token = link_of(imported)
    if not token:
        return render(request, "records/given.html", {"sound": len(imported.record.deals)})
    return redirect("record", token)


@require_safe
def record(request: HttpRequest, token: str) -> HttpResponse:
    """The record of a link, face up: ``?deal=3&step=7``; numbers out of range become the nearest."""
    imported = read_link(token)
    played, game = imported.record, engine.replay(imported.record)
    names = tuple(
        name or _("Seat %(number)d") % {"number": seat + 1}
        for seat, name in enumerate(imported.players or ("",) * played.rules.players)
    )
    lines = list(_lines(game, names))
    context: dict[str, Any] = {
        "title": imported.title or _("A record"),
        "rules": played.rules,
        "guessed": imported.guessed,
        "lines": lines,
        "sides": [words.team_name(names, side) if played.rules.players == 4 else names[side]
                  for side in range(played.rules.sides)],
    }  # fmt: skip
    if lines:
        number = min(max(1, whole_number(request.GET.get("deal"), 4, 1)), len(lines))
        deal, final = played.deals[number - 1], game.deals[number - 1]
        start = engine.start_deal(played.rules, final.dealer, deal.deck)
        context |= _deal_context(start, final, names, number, len(lines), whole_number(request.GET.get("step"), 4, 0))
    response = render(request, "records/record.html", context)
    response["X-Robots-Tag"] = "noindex"
    return response


def link_of(imported: Imported) -> str:
    """A record as the last part of an address: title, names and our own notation, compressed. ""
    if that would be too long."""
    mark = "guessed" if imported.guessed else "told"
    head = "\t".join([mark, imported.title, *imported.players]).replace("\n", " ")
    text = f"{head}\n{engine.format_game(imported.record)}"
    token = base64.urlsafe_b64encode(zlib.compress(text.encode(), 9)).decode().rstrip("=")
    return token if len(token) <= LONGEST_LINK and len(text) <= LONGEST_TEXT else ""


def read_link(token: str) -> Imported:
    """The record of :func:`link_of`. Http404 for anything else."""
    try:
        unpacker = zlib.decompressobj()
        packed = base64.urlsafe_b64decode(token[:LONGEST_LINK].encode() + b"==")
        text = unpacker.decompress(packed, 2 * LONGEST_TEXT).decode()
        if len(text) > LONGEST_TEXT:
            raise Http404("no such record")
        head, _break, body = text.partition("\n")
        mark, title, *players = head.split("\t")
        read = records.from_plain(body)
    except (binascii.Error, zlib.error, ValueError, BadRecord):
        raise Http404("no such record") from None
    if len(players) not in (0, read.record.rules.players):
        raise Http404("no such record")
    names = tuple(records.printable(name) for name in players)
    return Imported(read.record, names, records.printable(title), mark == "guessed")


def _lines(game: engine.Game, names: Sequence[str]) -> Iterator[Line]:
    for number, (deal, score) in enumerate(zip(game.deals, game.scores, strict=True), start=1):
        if deal.maker is not None and deal.trump is not None:
            call = _("%(who)s called %(what)s.") % {"who": names[deal.maker], "what": suit_name(deal.trump)}
        elif deal.redeal:
            call = _("A weak hand: dealt again.")
        else:
            call = _("All passed.") if deal.phase == "done" else _("Not finished.")
        yield Line(number, call, bool(deal.loners), score, deal.points)


def _deal_context(
    start: DealState, final: DealState, names: Sequence[str], number: int, deals: int, asked: int
) -> dict[str, Any]:
    actions = [action for _seat, action in final.history]
    spoken = [place for place, action in enumerate(actions) if action.kind not in UNSAID]
    last = len(spoken)
    step = min(asked, last)
    done = (spoken[step] if step < last else len(actions)) if step else 0
    state, trick = start, 0
    moves: list[Move] = []
    shown = start
    for place, action in enumerate(actions):
        seat, opens = state.turn or 0, 0
        if action.kind == "play" and not state.trick:
            trick += 1
            opens = trick
        state = engine.apply(state, action)
        if action.kind not in UNSAID:
            moves.append(Move(len(moves) + 1, names[seat], _said(action, seat == final.dealer), opens))
        if place + 1 <= done:
            shown = state
    players = final.rules.players
    lying = shown.trick or (shown.tricks[-1].plays if shown.tricks and step else ())
    hands = [
        Hand(POSITIONS[players][seat], names[seat], seat == final.dealer, seat in shown.sitting_out,
             sorted(hand, key=lambda card: in_order(card, shown.trump)))
        for seat, hand in enumerate(shown.hands)
    ]  # fmt: skip
    before, after = f"?deal={number - 1}&step=999", f"?deal={number + 1}&step=0"
    dealt = _("%(who)s dealt, %(card)s is up.") % {
        "who": names[final.dealer],
        "card": words.card_words(final.up_card),
    }
    return {
        "number": number,
        "step": step,
        "last": last,
        "moves": moves,
        "dealer": names[final.dealer],
        "sentence": f"{moves[step - 1].name}: {moves[step - 1].what}" if step else dealt,
        "hands": sorted(hands, key=lambda hand: DRAWN.index(hand.position)),
        "up_card": shown.up_card if shown.up_card_state == "up" and not shown.tricks and not shown.trick else "",
        "laid": [(card, POSITIONS[players][seat]) for seat, card in lying],
        "trump": shown.trump or "",
        "kitty": shown.kitty,
        "points": final.points if step == last and final.phase == "done" else None,
        "back": f"?deal={number}&step={step - 1}" if step else before if number > 1 else "",
        "on": f"?deal={number}&step={step + 1}" if step < last else after if number < deals else "",
    }


def _said(action: Action, dealer: bool) -> str:
    """What a move is called, for whoever made it."""
    if action.card is not None:
        card = words.card_words(action.card)
        return {"play": _("plays %(card)s"), "discard": _("puts %(card)s away"), "give": _("gives %(card)s")}[
            action.kind
        ] % {"card": card}
    if action.suit is not None:
        called = _("calls %(suit)s") if action.kind == "call" else _("calls %(suit)s and goes alone")
        return called % {"suit": suit_name(action.suit)}
    return {
        "pass": pgettext("bid", "pass"),
        "order_up": pgettext("bid", "takes it up") if dealer else pgettext("bid", "orders it up"),
        "order_up_alone": pgettext("bid", "orders it up and goes alone"),
        "decline": pgettext("bid", "leaves the up-card"),
        "alone": pgettext("bid", "goes alone"),
        "declare": _("declares a weak hand"),
        "claim": _("claims the rest"),
    }[action.kind]
