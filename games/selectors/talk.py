"""What was said at a table, as one reader may see it."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from django.db.models import Exists, Max, OuterRef, QuerySet

from games.models import Block, Message, Player, Table, UnwantedWord

SHOWN = 50
"""Messages that somebody who comes late is shown."""

OVERLAP = 20
"""A message may be committed after one with a higher number: so far back is looked for such."""


@dataclass(frozen=True, slots=True)
class Line:
    """A message. ``name`` is "" for who is gone; of ``phrase`` (a key) and ``text`` one is empty."""

    pk: int
    table_id: int
    sender_id: int | None
    name: str
    phrase: str
    text: str
    watching: bool
    """Said among the watchers."""
    secret: bool
    """Of the watchers of a game that is being played: its players may not read it."""

    def shown_to(self, *, seated: bool, muted: Collection[int]) -> bool:
        return not (seated and self.secret) and self.sender_id not in muted


def read_lines(table_id: int, *, seated: bool, reader: int | None) -> tuple[Line, ...]:
    """The last messages that somebody may and wants to read, oldest first. One query."""
    said = Message.objects.filter(table_id=table_id)
    if reader is not None:
        muted = Block.objects.filter(player_id=reader, blocked_id=OuterRef("sender_id"))
        said = said.filter(~Exists(muted))
    return tuple(line for line in _lines(said, newest=2 * SHOWN) if not (seated and line.secret))[-SHOWN:]


def read_after(table_id: int, known: int) -> tuple[Line, ...]:
    """The messages of a table after the newest ``known`` one, and some before it. One query."""
    return _lines(Message.objects.filter(table_id=table_id, pk__gt=known - OVERLAP), newest=SHOWN)


def read_line(pk: int) -> Line | None:
    """One message, unless staff took it away. One query."""
    return next(iter(_lines(Message.objects.filter(pk=pk), newest=1)), None)


def newest(table_ids: Iterable[int]) -> dict[int, int]:
    """The number of the newest message of each table that has one. One query."""
    found = Message.objects.filter(table__in=list(table_ids), hidden_at=None).order_by().values_list("table")
    return dict(found.annotate(Max("pk")))


def _lines(messages: QuerySet[Message], *, newest: int) -> tuple[Line, ...]:
    found = messages.filter(hidden_at=None).select_related("sender", "table").order_by("-pk")[:newest]
    return tuple(_line(message) for message in reversed(found))


def _line(message: Message) -> Line:
    watching, table = message.room == Message.Room.WATCHERS, message.table
    return Line(
        pk=message.pk,
        table_id=message.table_id,
        sender_id=message.sender_id,
        name=message.sender.name if message.sender else "",
        phrase=message.phrase,
        text=message.text,
        watching=watching,
        secret=watching and table.phase in Table.RUNNING and message.game_id == table.game_id,
    )


def wrote_at(player_id: int, table_id: int) -> bool:
    """Whether somebody has said something at a table. One query."""
    return Message.objects.filter(table_id=table_id, sender_id=player_id).exists()


def find_person(player_id: int) -> Player | None:
    """Somebody with an account, bots included. One query."""
    return Player.objects.filter(pk=player_id, is_active=True).first()


def unwanted_words() -> tuple[str, ...]:
    """The list of the site's owner. One query."""
    return tuple(UnwantedWord.objects.values_list("word", flat=True))
