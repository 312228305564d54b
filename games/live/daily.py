"""The felt of a deal of the day: that of a table, without a clock, a score or a next deal."""

from __future__ import annotations

from typing import NamedTuple

from django.urls import reverse
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from games.engine import SeatView, view
from games.live import words
from games.live.felt import OOB, Scene, fill
from games.live.pieces import Outcome, Prompt
from games.live.texts import gettext as _
from games.live.texts import speaking
from games.models import DailyDeal
from games.selectors.tables import TableSnapshot, deal_state


class Parts(NamedTuple):
    felt: str
    log: str
    announce: str


def render(snapshot: TableSnapshot, deal: DailyDeal) -> str:
    """A frame for the page's script, in the active language."""
    with speaking() as language:
        parts = _Scene(snapshot, deal, language).parts_of_day(OOB)
    return fill("".join(parts), snapshot, _addresses(deal))


def render_page(snapshot: TableSnapshot, deal: DailyDeal, csrf_input: str) -> Parts:
    """The same for the page itself, with ``csrf_input`` in every form."""
    with speaking() as language:
        parts = _Scene(snapshot, deal, language).parts_of_day(SafeString(""))
    return Parts(*(mark_safe(fill(part, snapshot, _addresses(deal), csrf_input)) for part in parts))  # noqa: S308  our own markup


def _addresses(deal: DailyDeal) -> tuple[str, str]:
    return reverse("daily_act", args=[deal.day]), reverse("daily_day", args=[deal.day])


class _Scene(Scene):
    def __init__(self, snapshot: TableSnapshot, deal: DailyDeal, language: str) -> None:
        super().__init__(snapshot, deal.seat, language)
        self.deal = deal

    def parts_of_day(self, oob: SafeString) -> Parts:
        return Parts(self.felt(oob), self.log(oob), self._happened(oob))

    def _happened(self, oob: SafeString) -> str:
        """All that happened since the player's last word, in sentences."""
        said = escape(words.announce_all(self._views(), self.names, self.deal.seat))
        return f'<div id="announce" class="vh" role="status" aria-live="polite"{oob}>{said}</div>'

    def _views(self) -> list[SeatView]:
        """What the player saw after his last word, and after each action since."""
        deal, history = self.deal, self.table.deal.history if self.table.deal else ()
        own = [
            made
            for made, (seat, action) in enumerate(history, start=1)
            if seat == deal.seat and action.kind not in words.ANSWERS
        ]
        said = [str(action) for _seat, action in history]
        return [
            view(deal_state(deal.rules, deal.dealer, deal.deck, " ".join(said[:made])), deal.seat)
            for made in range(own[-1] if own else 0, len(history) + 1)
        ]

    def _outcome(self, view: SeatView) -> Outcome:
        return super()._outcome(view)._replace(next=False, then=_addresses(self.deal)[1])

    def _deal_prompt(self, view: SeatView) -> Prompt:
        return super()._deal_prompt(view)._replace(timed=False)

    def _may_alone(self, view: SeatView, kinds: set[str]) -> bool:
        """A dealer who takes up the card is asked once he has buried one."""
        return view.phase == "bid2" or view.dealer != self.deal.seat

    def _next_dealer(self, view: SeatView) -> SafeString:
        return SafeString(escape(_("That was the deal of the day. Your result stands.")))
