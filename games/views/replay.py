"""The replay of a game that is over, and its record as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate, groupby
from typing import Any, Final, NamedTuple

from allauth.core import ratelimit
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from games import engine
from games.bots.analysis import VERSION, to_json
from games.converters import whole_number
from games.engine import BENNY, NO_TRUMP, effective_suit, next_suit
from games.live import words
from games.live.felt import POSITIONS
from games.models import Game
from games.records import BadRecord
from games.selectors import analyses
from games.selectors import games as selectors
from games.selectors.games import Chair, DealReplay, HeldCard, Move, Replay, StillPlayed
from games.services import analysis as analysing
from games.services.errors import UserError
from games.templatetags.euchre import suit as suit_symbol
from games.templatetags.euchre import suit_name
from games.templatetags.records import signed_points
from games.views import verdicts
from games.views.pages import too_many

DRAWN: Final = "nwes"
"""In this order they stand in the page, the mat before the last."""


class Hand(NamedTuple):
    """A seat on the felt, with its cards."""

    position: str
    chair: Chair
    name: str
    cards: Sequence[HeldCard]
    dealer: bool
    out_from: int
    """The step after which this seat sits out; beyond the last for who does not."""


class Said(NamedTuple):
    """A move in the list: what, a note on it, who made it in the player's place, and a sentence."""

    move: Move
    name: str
    what: SafeString | str
    note: str
    stand_in: str
    sentence: str


class Part(NamedTuple):
    """A headed part of the list of moves; ``winner`` is the name of who took the trick."""

    trick: int
    winner: str
    moves: Sequence[Said]


class Caption(NamedTuple):
    """Words on the mat from one step to before another."""

    since: int
    until: int
    text: SafeString | str


@never_cache
@require_safe
def game(request: HttpRequest, game_id: int) -> HttpResponse:
    """All hands face up, ``?deal=3&step=7``; numbers out of range become the nearest.

    A game that is being played shows the way to its table and nothing else, as a 404.
    """
    found = _found(request, game_id)
    number = whole_number(request.GET.get("deal"), 4, 1)
    try:
        replay = selectors.read_replay(found, number)
    except StillPlayed:
        return render(request, "replay/running.html", {"game": found}, status=404)
    names = tuple(chair.name or _("a former player") for chair in replay.chairs)
    south = _south(request, replay)
    context = {"game": found} | replay_context(request, replay, names, south, found.get_absolute_url())
    if replay.deal is not None:
        context |= _analysis_context(request, found, replay, names, south, context["step"])
    return render(request, "replay.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def analysis(request: HttpRequest, game_id: int) -> HttpResponse:
    """A POST asks a worker to analyse a game that is over, and leads back to its page. A GET is
    that page, or nothing (204) while the worker is at it."""
    found = _found(request, game_id)
    number = whole_number(request.POST.get("deal") or request.GET.get("deal"), 4, 1)
    if request.method == "POST":
        if not ratelimit.consume(request, action="analysis"):
            return too_many(request)
        try:
            analysing.ask(game_id=found.pk)
        except UserError:
            return render(request, "replay/running.html", {"game": found}, status=404)
        step = whole_number(request.POST.get("step"), 4, 0)
        return redirect(f"{found.get_absolute_url()}?deal={number}&step={step}")
    try:
        waits = analyses.read_analysis(found, number) is None and analyses.is_asked(found)
    except StillPlayed:
        waits = False
    return HttpResponse(status=204) if waits else game(request, game_id)


@never_cache
@require_safe
def analysis_json(request: HttpRequest, game_id: int) -> HttpResponse:
    """What is known of the deals of a game that is over, as JSON; empty before anybody asked."""
    found = _found(request, game_id)
    try:
        known = analyses.read_analyses(found)
    except StillPlayed:
        return JsonResponse({"error": "The game is being played."}, status=404)
    deals = [{"number": number} | to_json(post_mortem) for number, post_mortem in known.items()]
    return JsonResponse({"game": found.pk, "version": VERSION, "deals": deals})


@require_safe
def record(request: HttpRequest, game_id: int) -> HttpResponse:
    """The record of a game that is over, as a text file in the engine's notation."""
    found = _found(request, game_id)
    try:
        text = selectors.read_record(found)
    except StillPlayed:
        return render(request, "replay/running.html", {"game": found}, status=404)
    response = HttpResponse(text, content_type="text/plain; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="euchre-{found.pk}.txt"'
    return response


@require_safe
def egn(request: HttpRequest, game_id: int) -> HttpResponse:
    """The record of a game that is over in Euchre Game Notation; back to its page, with a
    sentence, if the format cannot hold it."""
    found = _found(request, game_id)
    try:
        text = selectors.read_egn(found, _("Game %(number)d") % {"number": found.pk})
    except StillPlayed:
        return render(request, "replay/running.html", {"game": found}, status=404)
    except BadRecord:
        messages.error(request, _("Euchre Game Notation cannot hold so many deals. The text has them all."))
        return redirect(found)
    response = HttpResponse(text, content_type="application/json")
    response["Content-Disposition"] = f'attachment; filename="euchre-{found.pk}.egn"'
    return response


def _found(request: HttpRequest, game_id: int) -> Game:
    found = selectors.find_game(game_id, request.user.pk)
    if found is None:
        raise Http404("no such game")
    return found


def _south(request: HttpRequest, replay: Replay) -> int:
    """The seat at the bottom: the viewer's own, or the first."""
    own = request.user.pk
    return next((chair.seat for chair in replay.chairs if chair.player and chair.player.pk == own), 0)


def replay_context(
    request: HttpRequest, replay: Replay, names: words.Names, south: int, address: str
) -> dict[str, Any]:
    """What ``replay.html`` shows of a game, or of a record, at the step that is asked for."""
    if replay.deal is None:
        return {"replay": replay, "names": names}
    deal = replay.deal
    step = min(whole_number(request.GET.get("step"), 4, 0), deal.last_step)
    number, last = deal.line.number, deal.last_step
    before, after = f"?deal={number - 1}&step=999", f"?deal={number + 1}&step=0"
    sides = deal.final.rules.sides
    order = tuple((south + offset) % sides for offset in range(sides))
    positions = POSITIONS[len(names)]
    told = [_told(move, deal, names) for move in deal.moves]
    return {
        "replay": replay,
        "names": names,
        "deal": deal,
        "step": step,
        "result": words.result(engine.view(deal.final, None, deal.score_before), names, None)
        if deal.line.finished
        else None,
        "hands": _hands(replay, deal, names, south),
        "laid": [
            (move.action.card, positions[(move.seat - south) % len(names)], move.step, deal.trick_ends(move.trick))
            for move in deal.moves
            if move.trick and move.action.card
        ],
        "captions": list(_captions(deal)),
        "marks": {},
        "parts": list(_parts(deal, told, names)),
        "sentence": told[step - 1].sentence if step else _dealt(deal, names),
        "dealt": _dealt(deal, names),
        "back": f"?deal={number}&step={step - 1}" if step else before if number > 1 else "",
        "on": f"?deal={number}&step={step + 1}" if step < last else after if number < len(replay.lines) else "",
        "before": before if number > 1 else "",
        "after": after if number < len(replay.lines) else "",
        "order": order,
        "teams": [[name for seat, name in enumerate(names) if seat % sides == side] for side in order],
        "score_before": _dashed(deal.score_before, order),
        "score_after": _dashed(deal.line.score, order),
        "address": request.build_absolute_uri(f"{address}?deal={number}&step={step}"),
    }


def _analysis_context(
    request: HttpRequest, found: Game, replay: Replay, names: words.Names, south: int, step: int
) -> dict[str, Any]:
    """What the analysis says of the deal, or how to ask for it."""
    deal = replay.deal
    assert deal is not None
    post_mortem = analyses.read_analysis(found, deal.line.number)
    if post_mortem is None:
        return {"may_ask": True, "asked": analyses.is_asked(found)}
    steps = list(accumulate((action.kind not in selectors.UNSAID for _seat, action in deal.final.history), initial=0))
    you = next((chair.seat for chair in replay.chairs if chair.player and chair.player.pk == request.user.pk), None)
    seen = verdicts.Seen(deal.final, names, you, south, steps)
    looked = verdicts.look(post_mortem, seen, step, signed_points)
    return {"looked": looked, "marks": looked.marks}


def _dashed(score: Sequence[int], order: Sequence[int]) -> str:
    return "–".join(str(score[side]) for side in order)


def _hands(replay: Replay, deal: DealReplay, names: words.Names, south: int) -> list[Hand]:
    out = {(move.seat + 2) % 4: move.step for move in deal.moves if move.action.kind in selectors.LONE}
    players = len(replay.chairs)
    hands = [
        Hand(
            POSITIONS[players][(chair.seat - south) % players],
            chair,
            names[chair.seat],
            deal.hands[chair.seat],
            chair.seat == deal.line.dealer,
            out.get(chair.seat, deal.last_step + 1),
        )
        for chair in replay.chairs
    ]
    return sorted(hands, key=lambda hand: DRAWN.index(hand.position))


def _captions(deal: DealReplay) -> Iterator[Caption]:
    """What the deal is about, step by step: the rounds of bidding, trump, the trick."""
    final, end = deal.final, deal.last_step + 1
    called = next((move.step for move in deal.moves if move.action.kind.startswith(("order_up", "call"))), end)
    players = final.rules.players
    turned_down = [move.step for move in deal.moves if move.action.kind == "pass"][players - 1 : players]
    first_round = turned_down[0] if turned_down else called
    yield Caption(0, first_round, _("first round"))
    if turned_down:
        down = suit_symbol(final.rules.proposed_suit(final.up_card) or "")
        yield Caption(first_round, called, format_html(_("{suit} turned down"), suit=down))
    if final.trump is None:
        return
    leads = [move.step for move in deal.moves if move.leads]
    symbol = suit_symbol(final.trump)
    yield Caption(called, leads[0] if leads else end, format_html(_("{suit} trump"), suit=symbol))
    for number, (since, until) in enumerate(zip(leads, [*leads[1:], end], strict=True), start=1):
        yield Caption(since, until, format_html(_("{suit} trump, trick {number}"), suit=symbol, number=number))


def _parts(deal: DealReplay, told: Sequence[Said], names: words.Names) -> Iterator[Part]:
    for trick, moves in groupby(told, key=lambda said: said.move.trick):
        finished = 0 < trick <= len(deal.final.tricks)
        yield Part(trick, names[deal.final.tricks[trick - 1].winner] if finished else "", list(moves))


def _dealt(deal: DealReplay, names: words.Names) -> str:
    return _("%(who)s dealt, %(card)s is up.") % {
        "who": names[deal.line.dealer],
        "card": words.card_words(deal.final.up_card),
    }


def _told(move: Move, deal: DealReplay, names: words.Names) -> Said:
    name, action = names[move.seat], move.action
    what: SafeString | str
    match action.kind:
        case "play" | "discard" | "give":
            card = action.card or ""
            what = words.card_short(card)
            if action.kind == "play":
                note = _play_note(move, deal)
                verb = _("%(who)s led %(what)s.") if move.leads else _("%(who)s played %(what)s.")
            elif action.kind == "give":
                note, verb = pgettext("partner's best", "given"), _("%(who)s gave %(what)s.")
            else:
                note, verb = pgettext("dealer's discard", "buried"), _("%(who)s buried %(what)s.")
            sentence = verb % {"who": name, "what": words.card_words(card)}
        case "call" | "call_alone":
            what = suit_symbol(action.suit or "")
            note = _("called") if action.kind == "call" else _("called, alone")
            sentence = _("%(who)s called %(what)s.") % {"who": name, "what": suit_name(action.suit or "")}
        case kind:
            what, note = "", _bid(kind, (move.seat - deal.line.dealer) % 4)
            sentence = f"{name}: {note}."
    return Said(move, name, what, note, _stand_in(move.by), sentence)


def _bid(kind: str, place: int) -> str:
    """The spoken words of a bid, by the seat's place from the dealer (R21-R24)."""
    match kind, place:
        case "pass", _any:
            return pgettext("bid", "pass")
        case "order_up", 0:
            return pgettext("bid", "takes it up")
        case "order_up", 2:
            return pgettext("bid", "assists")
        case "order_up", _any:
            return pgettext("bid", "orders it up")
        case "order_up_alone", 0:
            return pgettext("bid", "takes it up, alone")
        case "order_up_alone", _any:
            return pgettext("bid", "orders it up, alone")
        case "decline", _any:
            return pgettext("bid", "leaves the up-card")
        case "declare", _any:
            return pgettext("bid", "declares a weak hand")
        case "claim", _any:
            return pgettext("bid", "claims the rest")
        case _:
            return pgettext("bid", "goes alone")


def _play_note(move: Move, deal: DealReplay) -> str:
    """What is worth saying of a card: led, ruffed, a bower."""
    trump, card = deal.final.trump or "", move.action.card or ""
    lead = next(other for other in deal.moves if other.trick == move.trick)
    notes = []
    if move.leads:
        notes.append(pgettext("card", "led"))
    elif NO_TRUMP != effective_suit(card, trump) == trump != effective_suit(lead.action.card or "", trump):
        notes.append(pgettext("card", "ruffed"))
    if card == BENNY:
        notes.append(pgettext("card", "joker"))
    elif card == "J" + trump:
        notes.append(pgettext("card", "right bower"))
    elif trump != NO_TRUMP and card == "J" + next_suit(trump):
        notes.append(pgettext("card", "left bower"))
    return ", ".join(notes)


def _stand_in(by: str) -> str:
    return {"b": pgettext("who moved", "bot"), "c": pgettext("who moved", "clock")}.get(by, "")
