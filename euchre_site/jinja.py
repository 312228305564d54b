"""The Jinja2 environment of the live table's fragments (``templates/table/``)."""

from __future__ import annotations

from typing import Any

from django.templatetags.static import static
from django.urls import reverse
from jinja2 import Environment

from games.live.texts import gettext, ngettext
from games.templatetags import euchre


def environment(**options: Any) -> Environment:
    """Django's options plus the functions that the Django templates have as tags."""
    made = Environment(  # noqa: S701  Django's backend turns autoescape on in the options
        trim_blocks=True, lstrip_blocks=True, extensions=["jinja2.ext.i18n"], **options
    )
    made.install_gettext_callables(gettext, ngettext, newstyle=True)  # type: ignore[attr-defined]  by the extension
    made.globals.update(static=static, url=reverse, **euchre.FUNCTIONS)
    return made
