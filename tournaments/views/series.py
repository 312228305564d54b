"""An event that repeats."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.services.errors import UserError
from tournaments.forms.seasons import RepeatForm
from tournaments.models import Event
from tournaments.selectors.clubs import read_viewer
from tournaments.selectors.rights import Actor
from tournaments.selectors.seasons import events_of_series
from tournaments.services import series
from tournaments.views.event_frame import at, at_event, event_page


@at_event("direct")
def repeat(request: HttpRequest, event: Event, actor: Actor) -> HttpResponse:
    """Let an event repeat, or see what it repeats with. For directors of the club: a director's link
    is for one event."""
    _check_director(request, event)
    form = RepeatForm(request.POST) if request.method == "POST" else RepeatForm()
    if form.is_bound and form.is_valid():
        try:
            series.repeat_event(event_id=event.pk, by=request.user.pk, **form.cleaned_data)
        except UserError as error:
            form.add_error("until", str(error))
        else:
            messages.success(request, _("The events are made. Each can still be changed by itself."))
            return HttpResponseRedirect(at("event_repeat", event))
    context = {"form": form, "events": events_of_series(event) if event.series_id else ()}
    return event_page(request, event, actor, "events/repeat.html", context, status=422 if form.errors else 200)


@at_event("direct", "POST")
def stop(request: HttpRequest, event: Event, actor: Actor) -> HttpResponse:
    """End the series of an event."""
    _check_director(request, event)
    if event.series_id is None:
        raise Http404("no series")
    try:
        gone, stay = series.stop_series(series_id=event.series_id, by=request.user.pk)
    except UserError as error:
        messages.error(request, str(error))
    else:
        told = ngettext("%(count)d event is deleted.", "%(count)d events are deleted.", gone) % {"count": gone}
        if stay:
            kept = ngettext("%(count)d stays, since somebody has entered.",
                            "%(count)d stay, since somebody has entered.", stay)  # fmt: skip
            told = f"{told} {kept % {'count': stay}}"
        messages.success(request, told)
    there = Event.objects.filter(pk=event.pk).exists()
    return HttpResponseRedirect(at("event_repeat", event) if there else event.club.get_absolute_url())


def _check_director(request: HttpRequest, event: Event) -> None:
    if not read_viewer(event.club_id, request.user).directs:
        raise PermissionDenied
