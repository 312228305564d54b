"""``manage.py verify_game FILE``: check a downloaded record, without a database. "-" reads standard
input. Says each deal's fault or OK; the exit code is 0 when all are, 1 otherwise."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, ClassVar

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games import engine, fairness
from games.engine import EngineError
from games.fairness import RecordError


class Command(BaseCommand):
    help = "Check the deals of a downloaded game: chain, nonces, decks, first dealer, and every move."
    requires_system_checks: ClassVar[list[str]] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", help="the record, as downloaded; - for standard input")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            text = sys.stdin.read() if options["file"] == "-" else Path(options["file"]).read_text("utf-8")
            game, proof = fairness.split_record(text)
            record = engine.parse_game(game)
            engine.replay(record)
        except (OSError, UnicodeDecodeError, RecordError, EngineError) as error:
            raise CommandError(f"This record cannot be checked: {error}") from None
        decks = {number: deal.deck for number, deal in enumerate(record.deals, start=1)}
        checked = fairness.verify(proof, record.rules, record.first_dealer, decks)
        for deal in checked:
            said = "; ".join(fairness.SENTENCES[fault] for fault in deal.faults) or "OK"
            self.stdout.write(f"deal {deal.number}: {said}")
        if not checked:
            raise CommandError("This record holds no deal.")
        if any(deal.faults for deal in checked):
            raise CommandError("Not every deal is as it was promised.")
