"""What each page of an event is sent when the event has changed: once rendered, the same for
everybody who looks at that page in that language.

A page is a function of the event's id that gives the fragments to swap in, as htmx takes them out
of band. Pages register themselves by name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from django.utils import translation

from tournaments.models import Event

Page = Callable[[int], str | tuple[str, ...]]

_pages: dict[str, Page] = {}

PAGES: Final[Mapping[str, Page]] = _pages
"""The pages that are pushed, by name."""

DESK: Final = "desk"
"""Pages whose names begin so are the directors' and deputies' alone."""


class Frame(NamedTuple):
    """A page's fragments as of a version of its event; ``public`` if anybody may see them."""

    version: int
    parts: tuple[str, ...]
    public: bool

    def besides(self, known: frozenset[str]) -> str:
        """Those that are not known already."""
        return "".join(part for part in self.parts if part not in known)


def page(name: str) -> Callable[[Page], Page]:
    """Registers a page under a name."""

    def register(render: Page) -> Page:
        _pages[name] = render
        return render

    return register


def render(event_id: int, name: str, language: str) -> Frame | None:
    """The frame of a page in a language; None if the event is gone. The version is read first: a
    change during the rendering is shown by the next frame at the latest."""
    found = Event.objects.filter(pk=event_id).values_list("version", "state", "club__public").first()
    if found is None:
        return None
    version, state, public = found
    with translation.override(language):
        made = _pages[name](event_id)
    parts = (made,) if isinstance(made, str) else made
    return Frame(version, parts, public and state != Event.State.DRAFT and not name.startswith(DESK))


def newer_than(versions: Mapping[int, int]) -> list[int]:
    """Those events that have moved on from the versions given. One query."""
    found = Event.objects.filter(pk__in=versions).values_list("pk", "version")
    return [event_id for event_id, version in found if version > versions[event_id]]
