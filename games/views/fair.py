"""Fair deals: how they come about, what they held over all games, and the check of each."""

from __future__ import annotations

from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games import fairness
from games.converters import whole_number
from games.fairness import Fault
from games.selectors import games as selectors
from games.selectors.counts import read_counts
from games.selectors.tables import read_row

FAULTS: Final[dict[Fault, Any]] = {
    "chains": _("The promises of the game do not follow each other, from deal 1 on, without a gap or an overlap."),
    "nonces": _("Its promise has not one number for each seat."),
    "no_chain": _("Nothing was promised for this deal."),
    "no_secret": _("Its secret is missing."),
    "commitment": _("Its secret does not lead back to the commitment."),
    "server_nonce": _("A number of the server is not the one that was promised."),
    "first_dealer": _("The draw gives the first deal to another seat."),
    "deck": _("Secret and numbers give another deck."),
}

PLACES: Final[dict[int, tuple[Any, ...]]] = {
    2: (pgettext_lazy("place", "Eldest hand"), pgettext_lazy("place", "Dealer")),
    3: (
        pgettext_lazy("place", "Left of the dealer"),
        pgettext_lazy("place", "Right of the dealer"),
        pgettext_lazy("place", "Dealer"),
    ),
    4: (
        pgettext_lazy("place", "Left of the dealer"),
        pgettext_lazy("place", "Dealer’s partner"),
        pgettext_lazy("place", "Right of the dealer"),
        pgettext_lazy("place", "Dealer"),
    ),
}
LEFT_OVER: Final = pgettext_lazy("place", "Left in the kitty")


@require_safe
def about(request: HttpRequest) -> HttpResponse:
    return render(request, "fair/about.html", {"length": fairness.LENGTH})


@require_safe
def statistics(request: HttpRequest) -> HttpResponse:
    """What all deals held. Counted by a worker every half minute, so this reads one row."""
    counts = read_counts()
    kinds = [
        {
            "counted": kind,
            "hands": len(kind.kind.hands),
            "tests": (
                (_("The suit that was turned up"), kind.up, None),
                (_("Where the right bower of that suit lay"), kind.right, _places(len(kind.kind.hands))),
                (_("Where the left bower lay"), kind.left, _places(len(kind.kind.hands))),
            ),
        }
        for kind in counts.kinds
    ]
    return render(request, "fair/deals.html", {"counts": counts, "kinds": kinds})


def _places(hands: int) -> tuple[Any, ...]:
    return (*PLACES[hands], LEFT_OVER)


@never_cache
@require_safe
def check(request: HttpRequest, game_id: int) -> HttpResponse:
    """The check of one deal, ``?deal=3``, and a line for every other. Of a game that is being played,
    what was promised and the secrets given out so far, but no cards."""
    game = selectors.find_game(game_id, request.user.pk)
    if game is None:
        raise Http404("no such game")
    evidence = selectors.read_evidence(game)
    chains, secrets = evidence.proof.chains, evidence.proof.secrets
    at = min(max(1, whole_number(request.GET.get("deal"), 4, 1)), max(1, len(evidence.decks))) - 1
    number = at + 1
    context: dict[str, Any] = {
        "game": game,
        "number": number,
        "chain": fairness.chain_of(chains, number if evidence.decks else len(secrets) + 1),
        "lines": _lines(evidence),
        "names": evidence.names,
        "own": _own_seat(request, evidence),
    }
    if evidence.checked:
        checked = evidence.checked[at]
        context |= {
            "checked": checked,
            "faults": [FAULTS[fault] for fault in checked.faults],
            "secret": secrets[number].hex() if number in secrets else "",
            "dealt": evidence.decks[at],
            "pack": sorted(evidence.decks[at]),
            "hashes": number - context["chain"].first + 2 if context["chain"] else 0,
        }
    return render(request, "fair/check.html", context)


def _lines(evidence: selectors.Evidence) -> list[dict[str, Any]]:
    """A line for every deal whose secret has been given out."""
    faults = {checked.number: checked.faults for checked in evidence.checked}
    return [
        {"number": number, "secret": secret.hex(), "faults": [FAULTS[fault] for fault in faults.get(number, ())]}
        for number, secret in sorted(evidence.proof.secrets.items())
    ]


def _own_seat(request: HttpRequest, evidence: selectors.Evidence) -> int | None:
    pk = request.user.pk
    return next((seat for seat, player in enumerate(evidence.players) if pk is not None and player == pk), None)


@require_safe
def check_at_table(request: HttpRequest, table_id: int) -> HttpResponse:
    """From the table's menu to the check of its game; before the first card, to how it is done."""
    row = read_row(table_id)
    if row is None:
        raise Http404("no such table")
    return redirect("fair") if row.game_id is None else redirect("game_check", row.game_id)
