"""What the table asks those who are here about those who are not."""

from __future__ import annotations

from games.live.pieces import Offer
from games.live.texts import gettext as _
from games.live.words import Names
from games.selectors.tables import SeatInfo, TableSnapshot


def offer(table: TableSnapshot, own: SeatInfo, names: Names) -> Offer | None:
    """What ``own``, who plays himself in a running game, is asked; None: nothing."""
    if table.win_offered is not None and table.rules.side(own.index) == table.win_offered:
        return _win(table, own, names)
    return _absence(table, own, names) if table.patient else None


def _win(table: TableSnapshot, own: SeatInfo, names: Names) -> Offer | None:
    if table.answers & 1 << own.index + 4:
        return None
    rules = table.rules
    partner = next(
        (
            seat
            for seat in table.seats
            if seat.index != own.index and rules.side(seat.index) == table.win_offered
            if seat.person and not seat.keeper
        ),
        None,
    )
    if partner is None:
        title = _("The others have left") if rules.players == 3 else _("The other side has left")
        return Offer(title, _("Take the win, or play on."), takes=True, plays_on=True)
    who = {"name": names[partner.index]}
    if table.answers & 1 << own.index:
        return Offer(_("You take the win, if %(name)s does too") % who, "", plays_on=True)
    if table.answers & 1 << partner.index:
        return Offer(_("%(name)s takes the win") % who, _("Take it too, or play on."), takes=True, plays_on=True)
    text = _("The game ends if you both take the win.")
    return Offer(_("The other side has left"), text, takes=True, plays_on=True)


def _absence(table: TableSnapshot, own: SeatInfo, names: Names) -> Offer | None:
    for seat in table.seats:
        if seat.index != own.index and seat.person and seat.missed and not seat.keeper:
            said = _("%(name)s is away") if seat.lost_at is not None else _("%(name)s’s time is up")
            text = _("Wait, or let a bot play.")
            return Offer(said % {"name": names[seat.index]}, text, stand_in=seat.index)
    return None
