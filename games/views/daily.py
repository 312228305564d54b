"""The deal of the day: its cover, the felt while one plays it, and what came of it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime
from typing import Any, cast
from urllib.parse import urlencode

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.formats import date_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games import preferences
from games.bots.analysis import Contract
from games.converters import whole_number
from games.live import daily as live
from games.live import felt, words
from games.models import DailyDeal, DailyPlay, Player
from games.selectors import daily as selectors
from games.services import daily as service
from games.services.errors import UserError
from games.services.play import VERSION_DIGITS
from games.templatetags.house_rules import chips
from games.templatetags.records import signed
from games.views.replay import replay_context
from games.views.table import FELTS, THEMES, SeeOther
from games.views.verdicts import call_words


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def today(request: HttpRequest) -> HttpResponse:
    """What the deal of the day is; a POST deals it to who has an account. Who has begun goes on."""
    now = timezone.now()
    if request.method == "POST":
        if not request.user.is_authenticated:
            return redirect(f"{reverse('account_signup')}?{urlencode({'next': reverse('daily')})}")
        try:
            return SeeOther(_address(service.start(player_id=request.user.pk, now=now).deal))
        except UserError as error:
            messages.error(request, str(error))
            return SeeOther(reverse("daily"))
    day = selectors.day_of(now)
    deal = selectors.find_deal(day)
    if deal is not None and selectors.find_play(deal, request.user.pk) is not None:
        return one_day(request, day)
    rules = service.rules_of(day)
    context = {"day": day, "stuck": rules.stick_the_dealer} | _days(request, day)
    return render(request, "daily/cover.html", context)


@never_cache
@require_safe
def one_day(request: HttpRequest, day: date) -> HttpResponse:
    """One's own play of a day; once it is over, all hands, par and the field. The script of
    the felt (htmx's header) gets its frame alone, that of the result (``?page``) the page."""
    now = timezone.now()
    deal = selectors.find_deal(day)
    if deal is None:
        return _nothing(day, now)
    play = selectors.find_play(deal, request.user.pk)
    if play is not None and request.headers.get("HX-Request") and "page" not in request.GET:
        return _frame(request, deal, play, now)
    if selectors.may_look(deal.day, play, selectors.day_of(now)):
        return _result(request, deal, play, now)
    if play is not None:
        return _felt(request, deal, play, now)
    if day == selectors.day_of(now):
        return redirect("daily")
    context = {"day": day, "opens": day + 2 * selectors.GRACE} | _days(request, selectors.day_of(now))
    return render(request, "daily/closed.html", context)


@require_POST
def act(request: HttpRequest, day: date) -> HttpResponse:
    """One action, then back to the page of the day. A refusal changes nothing and is shown once.
    A script gets the new frame instead of a redirection."""
    if not request.user.is_authenticated:
        if request.headers.get("HX-Request"):
            return HttpResponse(felt.notice(_("You are logged out. Log in again: your play is kept.")))
        return redirect_to_login(reverse("daily_day", args=[day]))
    now, refusal = timezone.now(), ""
    try:
        service.act(
            player_id=request.user.pk,
            day=day,
            action=request.POST.get("action", ""),
            version=whole_number(request.POST.get("version"), VERSION_DIGITS, None),
            alone="alone" in request.POST,
            now=now,
        )
    except UserError as error:
        refusal = str(error)
    if request.headers.get("HX-Request"):
        deal = selectors.find_deal(day)
        play = selectors.find_play(deal, request.user.pk)
        if deal is None or play is None:
            return HttpResponse(felt.notice(refusal))
        return _frame(request, deal, play, now, refusal)
    if refusal:
        messages.error(request, refusal)
    return SeeOther(reverse("daily_day", args=[day]) if selectors.find_deal(day) else reverse("daily"))


def _address(deal: DailyDeal) -> str:
    return reverse("daily_day", args=[deal.day])


def _nothing(day: date, now: datetime) -> HttpResponse:
    """Of a day without a deal: nobody has begun today's yet, or nobody ever did."""
    if day == selectors.day_of(now):
        return redirect("daily")
    raise Http404("no deal of that day")


def _days(request: HttpRequest, day: date) -> dict[str, Any]:
    player_id = request.user.pk
    return {
        "past": selectors.read_past(player_id, day),
        "streak": selectors.read_streak(player_id, day) if player_id else None,
        "today": day,
    }


# While it is played


def _title(deal: DailyDeal) -> str:
    return _("Deal of the day, %(day)s") % {"day": date_format(deal.day, "DATE_FORMAT")}


def _frame(request: HttpRequest, deal: DailyDeal, play: DailyPlay, now: datetime, refusal: str = "") -> HttpResponse:
    frame = live.render(selectors.snapshot(deal, play, cast(Player, request.user), _title(deal), now), deal)
    response = HttpResponse(frame + felt.notice(refusal) if refusal else frame)
    response.headers["Cache-Control"] = "no-store"
    return response


def _felt(request: HttpRequest, deal: DailyDeal, play: DailyPlay, now: datetime) -> HttpResponse:
    """The snapshot holds hidden cards: only its rendered parts go on."""
    shown = selectors.snapshot(deal, play, cast(Player, request.user), _title(deal), now)
    csrf_input = format_html('<input type="hidden" name="csrfmiddlewaretoken" value="{}">', get_token(request))
    looks = preferences.of(request)
    context = {
        "day": deal.day,
        "date": date_format(deal.day, "DATE_FORMAT"),
        "ends": date_format(deal.day + selectors.GRACE, "DATE_FORMAT"),
        "title": _title(deal),
        "chips": [_("against bots"), *chips(shown.rules)],
        "frame": live.render_page(shown, deal, csrf_input),
        "looks": format_html_join("", ' data-{}="{}"', looks.attributes().items()),
        "felts": FELTS,
        "themes": THEMES,
        "prefs": looks,
        "messages": messages.get_messages(request),
        "site_name": settings.SITE_NAME,
        "language": translation.get_language() or settings.LANGUAGE_CODE,
        "direction": "rtl" if translation.get_language_bidi() else "ltr",
    }
    return render(request, "daily/play.html", context, using="jinja2")


# What came of it


def _result(request: HttpRequest, deal: DailyDeal, play: DailyPlay | None, now: datetime) -> HttpResponse:
    day = selectors.day_of(now)
    finished = play is not None and play.finished_at is not None
    if deal.par is None:
        service.ask_for_par(deal)
    player = cast(Player, request.user) if finished else None
    replay = selectors.read_replay(deal, play, player, (0, 0))
    names = tuple(chair.name or _("The player") for chair in replay.chairs)
    anybody = tuple(_("The player") if seat == deal.seat else name for seat, name in enumerate(names))
    par, field = selectors.par_of(deal), selectors.read_field(deal)
    points = play.points if play is not None and play.finished_at is not None else None
    context = replay_context(request, replay, names, deal.seat, _address(deal)) | {
        "daily": deal,
        "finished": finished,
        "begun": play is not None,
        "points": points,
        "par": par,
        "par_lines": list(_par_lines(par, anybody)) if par else [],
        "field": field,
        "calls": [(_called(anybody, call), call) for call in field.calls] if field else [],
        "rank": field.rank(points) if field and points is not None else None,
        "open_until": deal.day + selectors.GRACE if selectors.is_open(deal.day, day) else None,
    }
    return render(request, "daily/result.html", context | _days(request, day))


def _called(names: words.Names, call: selectors.Call) -> SafeString | str:
    return _("All passed") if call.maker is None else call_words(names[call.maker], call.trump, call.alone)


def _par_lines(par: selectors.Par, names: words.Names) -> Iterator[SafeString | str]:
    """What perfect play makes of the deal, in sentences."""
    agreed = _("Had everybody seen all cards, bidding would have ended with {call}: {net}.")
    best = _("The best call of the player’s side was {call}: {net} with perfect play of all.")
    if par.agreed is None:
        yield _("Had everybody seen all cards, all would have passed.")
    else:
        yield _told(agreed, par.agreed, par.net, names)
    yield _told(best, par.own, par.own_net, names)


def _told(text: str, found: Contract, net: int, names: words.Names) -> SafeString:
    call = call_words(names[found.maker], found.trump, found.alone)
    return format_html(text, call=call, net=signed(net))
