"""The lobby: quick match, open tables, a table of one's own."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import Any, Final
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games import cookies
from games.converters import whole_number
from games.engine import PRESETS, Rules, format_rules
from games.forms import OpenTableForm, QuickMatchForm
from games.models import Player
from games.selectors.lobby import read_lobby, read_resume, read_week
from games.selectors.people import read_friends, requests_to
from games.selectors.rule_sets import SavedRules, read_rule_sets
from games.services import rule_sets, seating, waiting
from games.services.errors import UserError
from games.signals import OfferedRules, home_shown, rules_offered
from games.templatetags.house_rules import STARTS, preset_of
from games.views.guests import name_first

WISH: Final = "wish"
"""The cookie of a visitor who pressed the button of quick match: he is dealt in once he has joined."""

SCRIPTS: Final = "scripts"
"""Its value if his browser runs scripts, and so will add a nonce at the table."""

WISH_AGE: Final = 3600
"""Seconds."""

WISHES: Final = ("title", "kind", "pace", "bots", "who", "watchers", "absence", "hints")
"""What else was filled in when the rules of a table of one's own were saved or changed."""


@never_cache
@require_safe
def lobby(request: HttpRequest) -> HttpResponse:
    """The home page, for visitors and players alike.

    With ``seen`` (what the page asks every few seconds) only what may have changed since, or
    204 when nothing has.
    """
    if request.user.is_authenticated:
        seating.look_in(player=request.user, now=timezone.now())
    if "seen" in request.GET:
        return _news(request, request.GET["seen"])
    kind = "friendly" if request.user.pk is None or request.user.guest else "ranked"
    return _page(request, QuickMatchForm.remembered(request.COOKIES, kind))


@require_http_methods(["GET", "POST"])
def quick(request: HttpRequest) -> HttpResponse:
    """Deal the player in; with ``partner``, a friend's id, opposite him in a friendly game. A visitor gives
    a name first, or joins for a ranked game, and comes back here by GET, which deals in nobody who has not
    sent the form before."""
    if request.method == "GET":
        return _as_wished(request)
    partner = whole_number(request.POST.get("partner"), 18, None)
    if partner is not None and request.user.is_authenticated:
        form = QuickMatchForm.repeated(request.COOKIES, kind="friendly")
        form.full_clean()
        return _deal_in(request, request.user, form, partner)
    form = QuickMatchForm(request.POST)
    if not form.is_valid():
        return _page(request, form, status=422)
    if request.user.is_authenticated:
        response = _deal_in(request, request.user, form)
    else:
        response = _join_first(reverse("quick")) if form.ranked else name_first(reverse("quick"))
        cookies.keep(request, response, WISH, SCRIPTS if request.POST.get("nonce") else "quick", WISH_AGE)
    cookies.keep(request, response, form.COOKIE, form.cookie(), form.COOKIE_AGE)
    return response


def _as_wished(request: HttpRequest) -> HttpResponse:
    if not request.user.is_authenticated or WISH not in request.COOKIES:
        return redirect("lobby")
    form = QuickMatchForm.repeated(request.COOKIES)
    form.full_clean()
    response = _deal_in(request, request.user, form)
    response.delete_cookie(WISH, samesite="Lax")
    return response


def _deal_in(request: HttpRequest, player: Player, form: QuickMatchForm, partner: int | None = None) -> HttpResponse:
    try:
        table_id = seating.quick_match(
            player_id=player.pk,
            ranked=form.ranked,
            pace=form.seconds,
            stick=form.cleaned_data["stick"],
            bots=form.bot_level,
            nonce=request.POST.get("nonce", ""),
            scripts=bool(request.POST.get("nonce")) or request.COOKIES.get(WISH) == SCRIPTS,
            partner_id=partner,
        )
    except UserError as error:
        form.add_error(None, str(error))
        return _page(request, form, status=409, account=isinstance(error, seating.NeedsAccount))
    return redirect("table", table_id)


@require_http_methods(["GET", "POST"])
def open_table(request: HttpRequest) -> HttpResponse:
    """A form for a table of one's own; the maker is its host and sits down at once.

    ``?preset=british``, ``?set=3`` or ``?club=lakeside&set=3`` fills in rules, ``?who=link`` asks for a
    private table. The rules can be saved under a name, with or without opening the table.
    """
    if not request.user.is_authenticated:
        return name_first(request.get_full_path())
    sets = read_rule_sets(request.user.pk)
    if request.method == "GET":
        return _form(request, OpenTableForm.by_rules(_rules_asked_for(request, sets), request.GET.dict()), sets)
    form = OpenTableForm(request.POST)
    if "save" in request.POST:
        return _save_rules(request, form, sets)
    if not form.is_valid():
        return _form(request, form, sets)
    try:
        if name := form.cleaned_data["save_as"]:
            rule_sets.save_rules(owner_id=request.user.pk, name=name, rules=form.cleaned_data["rules"])
    except UserError as error:
        form.add_error("save_as", str(error))
        return _form(request, form, sets)
    try:
        table_id = seating.open_table(
            host=request.user,
            rules=format_rules(form.cleaned_data["rules"]),
            title=form.cleaned_data["title"],
            **form.terms,
        )
    except seating.SeatHeld as error:
        form.add_error(None, str(error))
        return _form(request, form, sets, held=error.table_id)
    except (seating.NeedsAccount, waiting.MustWait) as error:
        form.add_error("kind", str(error))
        return _form(request, form, sets)
    except UserError as error:
        form.add_error(None, str(error))
        return _form(request, form, sets)
    return redirect("table", table_id)


def _rules_asked_for(request: HttpRequest, sets: Sequence[SavedRules]) -> Rules:
    """The rules the address names; 404 for a preset or a set that is not there for this player."""
    if "club" in request.GET:
        found = next((kept.rules for kept in _offered(request) if _is_asked_for(request, kept)), None)
    elif "set" in request.GET:
        wanted = whole_number(request.GET["set"], 18, 0)
        found = next((kept.rules for kept in sets if kept.id == wanted), None)
    else:
        found = PRESETS.get(request.GET.get("preset", "article"))
    if found is None:
        raise Http404("no such rules")
    return found


def _offered(request: HttpRequest) -> list[OfferedRules]:
    answers = rules_offered.send(sender=None, player_id=request.user.pk)
    return [kept for _receiver, offered in answers for kept in offered]


def _is_asked_for(request: HttpRequest, kept: OfferedRules) -> bool:
    return (kept.source, kept.set_id) == (request.GET.get("club"), whole_number(request.GET.get("set"), 18, 0))


def _save_rules(request: HttpRequest, form: OpenTableForm, sets: Sequence[SavedRules]) -> HttpResponse:
    """Save the rules of the form and come back to them, with what else was filled in."""
    form.full_clean()
    if not request.POST.get("save_as", "").strip():
        form.add_error("save_as", _("Give the rules a name to save them under."))
    rules = form.rules
    if rules is None or form.errors.get("save_as"):
        return _form(request, form, sets)
    try:
        set_id = rule_sets.save_rules(owner_id=request.user.pk, name=form.cleaned_data["save_as"], rules=rules)
    except UserError as error:
        form.add_error("save_as", str(error))
        return _form(request, form, sets)
    messages.success(request, _("“%(name)s” is saved.") % {"name": form.cleaned_data["save_as"]})
    wishes = {name: request.POST.get(name, "")[:80] for name in WISHES}
    return redirect(f"{reverse('open_table')}?{urlencode({'set': set_id} | wishes)}")


@require_POST
def delete_rules(request: HttpRequest, set_id: int) -> HttpResponse:
    """Delete a set of one's own. What is not there, or somebody else's, is left alone."""
    if not request.user.is_authenticated:
        return name_first(reverse("open_table"))
    if (name := rule_sets.delete_rules(owner_id=request.user.pk, set_id=set_id)) is not None:
        messages.success(request, _("“%(name)s” is deleted.") % {"name": name})
    return redirect("open_table")


def _form(
    request: HttpRequest, form: OpenTableForm, sets: Sequence[SavedRules], *, held: int | None = None
) -> HttpResponse:
    seat = read_resume(request.user.pk)
    rules = form.rules
    by_club = "club" in request.GET
    chosen = whole_number(request.GET.get("set"), 18, None) if request.method == "GET" and not by_club else None
    preset = preset_of(rules) if rules is not None and chosen is None and not by_club else None
    if chosen is None and preset is None and not by_club:
        chosen = next((kept.id for kept in sets if kept.rules == rules), None)
    context = {
        "form": form,
        "by_link": form["who"].value() == "link",
        "rules": rules,
        "starts": STARTS,
        "preset": preset,
        "sets": sets,
        "offered": [(kept, _is_asked_for(request, kept)) for kept in _offered(request)],
        "chosen": chosen,
        "held": held,
        "seat": seat if seat is not None and seat.held else None,
    }
    return render(request, "lobby/open_table.html", context, status=422 if form.errors else 200)


def _page(request: HttpRequest, form: QuickMatchForm, *, status: int = 200, account: bool = False) -> HttpResponse:
    player_id = request.user.pk
    context = _live(request) | {"form": form, "needs_account": account}
    if player_id is not None:
        context["week"] = read_week(player_id, timezone.now())
        answers = [blocks for _receiver, blocks in home_shown.send(sender=None, player_id=player_id)]
        context["above"] = [blocks.above for blocks in answers if blocks.above]
        context["blocks"] = [blocks.beside for blocks in answers if blocks.beside]
    return render(request, "lobby.html", context, status=status)


def _live(request: HttpRequest) -> dict[str, Any]:
    """What changes while one looks on, and its fingerprint."""
    player_id, now = request.user.pk, timezone.now()
    lobby = read_lobby(player_id, now)
    friends, requests = ((), 0) if player_id is None else (read_friends(player_id, now), requests_to(player_id))
    here = [friend for friend in friends if friend.here]
    seen = repr((lobby, [(friend.player.pk, friend.where, friend.table_id) for friend in here], len(friends), requests))
    return {
        "lobby": lobby,
        "friends": friends,
        "friends_here": here,
        "requests": requests,
        "fingerprint": blake2b(seen.encode(), digest_size=9).hexdigest(),
    }


def _news(request: HttpRequest, seen: str) -> HttpResponse:
    context = _live(request)
    if context["fingerprint"] == seen:
        return HttpResponse(status=204)
    return render(request, "lobby/_news.html", context)


def _join_first(then: str) -> HttpResponseRedirect:
    return redirect(f"{reverse('account_signup')}?{urlencode({'next': then})}")
