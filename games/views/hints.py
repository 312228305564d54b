"""Hints at friendly tables, in words: asked for by POST, looked for by GET until they have come."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from allauth.core import ratelimit
from django.http import HttpRequest, JsonResponse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games import engine
from games.bots.advice import Advice
from games.bots.analysis import Reason
from games.converters import whole_number
from games.engine import Action, SeatView
from games.selectors import tables
from games.services import hints, play
from games.services.errors import StaleVersion, UserError
from games.views import verdicts
from games.views.verdicts import Moment, Seen

MOST_REASONS: Final = 2

ALONE: Final = {"order_up": "order_up_alone", "call": "call_alone"}


@never_cache
@require_http_methods(["GET", "POST"])
def hint(request: HttpRequest, table_id: int) -> JsonResponse:
    """``state``: ``ready`` with the action and ``said``, sentences; ``wait`` while a worker thinks;
    ``moved`` and ``refused`` with a sentence."""
    ask = request.method == "POST"
    if ask and request.user.is_authenticated and not ratelimit.consume(request, action="hints", user=request.user):
        return _no("refused", _("That was too much at once. Wait a moment, then go on."), 429)
    given = request.POST if ask else request.GET
    wanted = hints.ask if ask else hints.find
    try:
        seen, found = wanted(
            table_id=table_id,
            player_id=request.user.pk,
            version=whole_number(given.get("version"), play.VERSION_DIGITS, None),
        )
    except StaleVersion as error:
        return _no("moved", str(error), 409)
    except UserError as error:
        return _no("refused", str(error), 403)
    if found is None:
        return JsonResponse({"state": "wait"})
    names = [f"\u2068{seat.name}\u2069" for seat in tables.read_seats(table_id)]
    said = list(sentences(seen, found, tuple(names)))
    return JsonResponse({"state": "ready", "action": found.action, "alone": found.alone, "said": said})


def _no(state: str, sentence: str, status: int) -> JsonResponse:
    return JsonResponse({"state": state, "said": [sentence]}, status=status)


def sentences(seen: SeatView, found: Advice, names: tuple[str, ...]) -> Iterator[str]:
    """What to do, and why, in the active language: "Throw the king of spades."."""
    action = engine.parse_action(found.action)
    if found.alone:
        action = Action(ALONE[action.kind], suit=action.suit)
    told = Seen(seen, names, seen.seat, seen.seat or 0, ())
    yield _what_to_do(seen, found, action, told)
    if found.only:
        yield _("Nothing else may be done.")
    elif not found.deals and action.kind not in ("claim", "declare"):
        yield _("By rule of thumb.")
    yield from [sentence for reason in found.reasons if (sentence := _why(reason, told))][:MOST_REASONS]
    if found.close:
        yield _("It is a close thing.")


def _what_to_do(seen: SeatView, found: Advice, action: Action, told: Seen) -> str:
    if action.kind == "claim":
        return _("Claim the rest: it is certain.")
    if action.kind == "declare":
        return _("Declare the weak hand.")
    return verdicts.advice(action, Moment(len(seen.history), told.south, found.kind), told)


def _why(reason: Reason, told: Seen) -> str:
    if reason.name == "called_badly":
        return _("Called, it is euchred in %(euchred)d of 100 ways in which the unseen cards can lie.") % reason.values
    return verdicts.why(reason, told)
