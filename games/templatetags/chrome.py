"""The frame of every page: what ``<html>`` carries, and the main navigation."""

from __future__ import annotations

from typing import Final

from django import template
from django.conf import settings
from django.forms import BoundField
from django.template.context import Context
from django.urls import reverse
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext, pgettext_lazy

from games import preferences

from .euchre import icon

register = template.Library()

NAVIGATION: Final = (
    ("play", "lobby", "cards", pgettext_lazy("main navigation", "Play")),
    ("events", "events", "trophy", pgettext_lazy("main navigation", "Events")),
    ("clubs", "clubs", "users", pgettext_lazy("main navigation", "Clubs")),
    ("standings", "standings", "ladder", pgettext_lazy("main navigation", "Standings")),
    ("rules", "rules", "book", pgettext_lazy("main navigation", "Rules")),
)
"""Key (what a page writes into its ``nav`` block), URL name, icon, word."""


@register.simple_tag(takes_context=True)
def look_attributes(context: Context) -> SafeString:
    """The visitor's preferences as attributes of ``<html>``; nothing for the defaults."""
    request = context.get("request")
    looks = preferences.of(request) if request else preferences.Preferences()
    return format_html_join("", ' data-{}="{}"', looks.attributes().items())


@register.simple_block_tag
def navigation(content: str) -> SafeString:
    """The main navigation; the block's content is the key of the current section, or empty."""
    current = content.strip()
    return format_html_join(
        "",
        '<a href="{}"{}>{}<span>{}</span></a>',
        (
            (reverse(url), SafeString(' aria-current="page"' if key == current else ""), icon(symbol), word)
            for key, url, symbol, word in NAVIGATION
        ),
    )


@register.simple_tag
def looks_title() -> str:
    """What the page of preferences is called: languages are offered there once there are several."""
    return gettext("Looks and language") if len(settings.LANGUAGES) > 1 else gettext("Looks")


@register.filter
def control(field: BoundField) -> SafeString:
    """A form field's control in the site's style; its words stand in the label, not inside it."""
    field.field.widget.attrs.pop("placeholder", None)
    return field.as_widget(attrs={"class": "input"})
