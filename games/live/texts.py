"""Django's translations, remembered for frames.

A frame says a dozen things. Django finds out the active language and looks each text up through
several layers (15 us a time); within :func:`speaking` both are known (0.3 us).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from functools import lru_cache, wraps
from typing import ParamSpec, TypeVar

from django.conf import settings
from django.utils import translation

P = ParamSpec("P")
R = TypeVar("R")

_spoken: ContextVar[str | None] = ContextVar("the language of the frame being made", default=None)


@contextmanager
def speaking(language: str | None = None) -> Iterator[str]:
    """Make a frame in a language, the active one unless given, which does not change meanwhile;
    its code. Within another frame of that language it costs next to nothing. Not to be held over an await:
    what else ran meanwhile would be remembered in this language."""
    if language is not None and language == _spoken.get():
        yield language
        return
    active = translation.get_language() or settings.LANGUAGE_CODE
    language = language or active
    token = _spoken.set(language)
    try:
        with nullcontext() if language == active else translation.override(language):
            yield language
    finally:
        _spoken.reset(token)


def _language() -> str | None:
    return _spoken.get() or translation.get_language()


def by_language(function: Callable[P, R]) -> Callable[P, R]:
    """Remember what a function of its arguments says in each language."""

    @lru_cache(maxsize=4096)
    def remembered(_language: str | None, *args: P.args, **kwargs: P.kwargs) -> R:
        return function(*args, **kwargs)

    @wraps(function)
    def saying(*args: P.args, **kwargs: P.kwargs) -> R:
        return remembered(_language(), *args, **kwargs)

    return saying


def gettext(message: str) -> str:
    return _gettext(_language(), message)


def pgettext(context: str, message: str) -> str:
    return _pgettext(_language(), context, message)


def ngettext(singular: str, plural: str, number: int) -> str:
    return _ngettext(_language(), singular, plural, number)


@lru_cache(maxsize=8192)
def _gettext(_language: str | None, message: str) -> str:
    return translation.gettext(message)


@lru_cache(maxsize=8192)
def _pgettext(_language: str | None, context: str, message: str) -> str:
    return translation.pgettext(context, message)


@lru_cache(maxsize=8192)
def _ngettext(_language: str | None, singular: str, plural: str, number: int) -> str:
    return translation.ngettext(singular, plural, number)
