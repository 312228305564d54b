"""Numbers of the record pages: percentages, changes, and the rating chart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from math import ceil, floor
from typing import Any, Protocol

from django import template
from django.template.defaultfilters import date as format_date
from django.urls import reverse
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

register = template.Library()


class Point(Protocol):
    """A rating at one moment, in points."""

    @property
    def at(self) -> datetime: ...
    @property
    def mu(self) -> float: ...
    @property
    def sigma(self) -> float: ...


@register.filter
def percent(value: int | None) -> SafeString | str:
    """``53 %`` with a space that does not break, in this order in every direction of writing, or a
    dash where there is nothing to count."""
    return "–" if value is None else format_html("<bdi>{}</bdi>", _("%(number)d\u00a0%%") % {"number": value})


def signed(value: int) -> str:
    """A change with its sign, and a real minus: ``+13``, ``−9``, ``0``."""
    return f"+{value}" if value > 0 else str(value).replace("-", "−")


def signed_points(value: float) -> str:
    """Points with their sign, and a real minus: ``+0.61``, ``−0.36``, ``0.00``."""
    return f"{value:+.2f}".replace("-", "−") if round(value, 2) else "0.00"


@register.filter("signed")
def signed_on_page(value: int) -> SafeString:
    """:func:`signed` with the sign before the number in every direction of writing."""
    return format_html('<bdi dir="ltr">{}</bdi>', signed(value))


@register.filter("signed_points")
def signed_points_on_page(value: float) -> SafeString:
    """:func:`signed_points` with the sign before the number in every direction of writing."""
    return format_html('<bdi dir="ltr">{}</bdi>', signed_points(value))


@register.filter
def at(values: Mapping[Any, Any], key: Any) -> Any:
    """``values[key]``, or nothing."""
    return values.get(key)


@register.filter
def at_index(values: Sequence[Any], index: int) -> Any:
    """``values[index]``."""
    return values[index]


@register.simple_tag
def person(player: Any) -> SafeString:
    """A name within a table of games, linked, a bot's with the word; None is somebody who is gone."""
    if player is None:
        return SafeString(f'<span class="faint">{escape(_("a former player"))}</span>')
    link = format_html('<a href="{}"><bdi>{}</bdi></a>', reverse("player", args=[player.name]), player.name)
    return format_html(_("{name} (bot)"), name=link) if player.bot_level else link


WIDTH, HEIGHT, LEFT, RIGHT, BOTTOM, TOP = 760, 272, 66, 76, 38, 14
DATES = 5
"""How many dates stand below the chart at most."""


@register.simple_tag
def rating_chart(points: Sequence[Point], games: int) -> SafeString:
    """The rating game by game with a band of one deviation each way, as SVG.

    ``points`` has two at least; ``games`` is how many games they cover. The title and the
    description tell the same to those who do not see it.
    """
    low, high, step = _scale(min(p.mu - p.sigma for p in points), max(p.mu + p.sigma for p in points))
    last = len(points) - 1

    def x(index: int) -> float:
        return LEFT + index * (WIDTH - LEFT - RIGHT) / last

    def y(value: float) -> float:
        return HEIGHT - BOTTOM - (value - low) * (HEIGHT - BOTTOM - TOP) / (high - low)

    def path(values: Sequence[tuple[int, float]]) -> str:
        return "M" + "L".join(f"{x(index):.1f} {y(value):.1f}" for index, value in values)

    upper = [(index, p.mu + p.sigma) for index, p in enumerate(points)]
    lower = [(index, p.mu - p.sigma) for index, p in reversed(list(enumerate(points)))]
    grid = "".join(
        f'<path class="g" d="M{LEFT} {y(value):.1f}H{WIDTH - RIGHT}"/>'
        f'<text x="{LEFT - 8}" y="{y(value) + 4:.1f}" text-anchor="end"{_optional(place)}>{value}</text>'
        for place, value in enumerate(range(low, high + 1, step))
    )
    dates = "".join(
        f'<text x="{x(index):.0f}" y="{HEIGHT - 6}" text-anchor="middle"{_optional(place)}>{escape(word)}</text>'
        for place, (index, word) in enumerate(_dates(points))
    )
    now = points[-1]
    return SafeString(
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-labelledby="chart-title chart-text">'
        f'<title id="chart-title">{escape(_title(points))}</title>'
        f'<desc id="chart-text">{escape(_description(points, games))}</desc>'
        f'{grid}<path class="band" d="{path(upper)}L{path(lower)[1:]}Z"/>'
        f'<path class="l" d="{path([(index, p.mu) for index, p in enumerate(points)])}"/>'
        f'<circle class="d" cx="{x(last):.1f}" cy="{y(now.mu):.1f}" r="5"/>'
        f'<text class="lab" x="{x(last) + 10:.0f}" y="{y(now.mu) + 4:.1f}">{now.mu:.0f}</text>{dates}</svg>'
    )


def _optional(place: int) -> str:
    """Every second word of an axis has no room on a phone."""
    return " class=xopt" if place % 2 else ""


def _scale(lowest: float, highest: float) -> tuple[int, int, int]:
    """Round bounds around the values, and a step that gives three to six lines."""
    step = next(step for step in (20, 50, 100, 200, 500, 1000) if highest - lowest <= 5 * step or step == 1000)
    low, high = floor(lowest / step) * step, ceil(highest / step) * step
    return low, max(high, low + step), step


def _dates(points: Sequence[Point]) -> list[tuple[int, str]]:
    last = len(points) - 1
    found: dict[str, int] = {}
    for place in range(DATES):
        index = round(place * last / (DATES - 1))
        found.setdefault(format_date(localtime(points[index].at), "j M"), index)
    return [(index, word) for word, index in found.items()]


def _day(moment: datetime) -> str:
    return format_date(localtime(moment), "DATE_FORMAT")


def _title(points: Sequence[Point]) -> str:
    return _("Rating, %(first)s to %(last)s") % {"first": _day(points[0].at), "last": _day(points[-1].at)}


def _description(points: Sequence[Point], games: int) -> str:
    first, last = points[0], points[-1]
    begins = _("Starts at %(rating)d, give or take %(deviation)d.") % {
        "rating": round(first.mu),
        "deviation": round(first.sigma),
    }
    ends = ngettext(
        "After %(count)d rated game it is %(rating)d, give or take %(deviation)d.",
        "After %(count)d rated games it is %(rating)d, give or take %(deviation)d.",
        games,
    ) % {"count": games, "rating": round(last.mu), "deviation": round(last.sigma)}
    between = _("Highest %(high)d, lowest %(low)d.") % {
        "high": round(max(p.mu for p in points)),
        "low": round(min(p.mu for p in points)),
    }
    return f"{begins} {ends} {between}"
