"""Words and numbers of season tables."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from django import template
from django.utils.formats import number_format
from django.utils.translation import gettext_lazy as _

register = template.Library()

PRIZES: Final = {
    "loners": _("Most lone hands made"),
    "euchres": _("Most euchres"),
    "high": _("Highest score of an evening"),
    "low": _("Lowest score of an evening"),
}


@register.filter
def prize_name(kind: str) -> str:
    return str(PRIZES[kind])


@register.filter
def amount(value: Fraction | float) -> str:
    """:func:`plain`, as the reader's language writes it."""
    text = plain(value)
    return str(number_format(text, decimal_pos=len(text.partition(".")[2])))


def plain(value: Fraction | float) -> str:
    """A number with as many decimals as it needs, two at most."""
    return f"{float(value):.2f}".rstrip("0").rstrip(".")
