"""Snapshots of every state a table can be in, made by the real engine. No database."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from games.engine import (
    DealState,
    Rules,
    apply,
    format_rules,
    legal_actions,
    pack,
    parse_action,
    start_deal,
)  # fmt: skip
from games.selectors.tables import DealLine, GameOver, RatingLine, SeatInfo, TableSnapshot

NOW = datetime(2026, 5, 4, 20, 0, tzinfo=UTC)
NAMES = ("Marta", "Tom", "Priya", "Hazel")


def seat(index: int, **changes: object) -> SeatInfo:
    """A seat of the cast: Marta, Tom and Priya are people, Hazel is a bot."""
    info = SeatInfo(
        pk=100 + index,
        index=index,
        player_id=10 + index,
        name=NAMES[index],
        rating=(1642, 1655, 1718, 1500)[index],
        give_or_take=55,
        bot_level="fill_in" if index == 3 else "",
        keeper=False,
        left=False,
        lost_at=None,
        missed=0,
        ask_alone=False,
    )
    return replace(info, **changes)  # type: ignore[arg-type]


def empty_seat(index: int) -> SeatInfo:
    return SeatInfo(100 + index, index, None, "", None, None, "", False, False, None, 0, False)


SEATS = tuple(seat(index) for index in range(4))
NOBODY = tuple(empty_seat(index) for index in range(4))
LONG_NAMES = ("Wilhelmina Hohenberger-L", "Bartholomew Fitzgeraldso", "אלכסנדרה בן־שמעון", "محمد عبد الرحمن")


def table(deal: DealState | None = None, *, phase: str | None = None, **changes: object) -> TableSnapshot:
    """A table with this deal on it, in the phase of the deal unless another is given."""
    if phase is None:
        phase = "between" if deal is not None and deal.phase == "done" else deal.phase if deal is not None else "open"
    rules = deal.rules if deal is not None else Rules()
    snapshot = TableSnapshot(
        id=214,
        title="",
        revision=41,
        version=37,
        phase=phase,
        ranked=True,
        pace=20,
        rules_text=format_rules(rules),
        rules=rules,
        quick=True,
        host_id=10,
        seats=SEATS,
        ready=0,
        game_id=None if phase == "open" else 5,
        deal_number=0 if phase == "open" else 7,
        score=(0, 0) if phase == "open" else (6, 7),
        deal=deal,
        turn=deal.turn if deal is not None else None,
        due_at=NOW + timedelta(seconds=13) if phase != "open" else None,
        fill_at=NOW + timedelta(seconds=12) if phase == "open" else None,
        over=None,
        made_at=NOW,
    )
    return replace(snapshot, **changes)  # type: ignore[arg-type]


def deck_of(hands: dict[int, str], up: str, dealer: int) -> tuple[str, ...]:
    """A pack that deals these hands (``"JDKHASQDTD"``) and turns ``up`` up."""
    queues = {index: list(parse_cards(cards)) for index, cards in hands.items()}
    deck: list[str] = []
    for turn, size in enumerate((3, 2, 3, 2, 2, 3, 2, 3)):
        queue = queues[(dealer + 1 + turn) % 4]
        deck += queue[:size]
        del queue[:size]
    deck.append(up)
    return (*deck, *(card for card in pack() if card not in deck))


def parse_cards(text: str) -> tuple[str, ...]:
    return tuple(text[at : at + 2] for at in range(0, len(text), 2))


def played(deal: DealState, actions: str) -> DealState:
    for text in actions.split():
        deal = apply(deal, parse_action(text))
    return deal


HANDS = {0: "JDKSASQDTD", 1: "KD9STCACTH", 2: "9DAHJSKCQH", 3: "ADJH9CKSQS".replace("KS", "QC")}
"""Marta (dealer), Tom, Priya, Hazel; the king of hearts is up."""

DEAL = start_deal(Rules(), 0, deck_of(HANDS, "KH", 0))
STICK = start_deal(Rules(stick_the_dealer=True), 0, deck_of(HANDS, "KH", 0))
CALLED = "pass order_up discard:KS together together together together"


def deals() -> dict[str, DealState]:
    """A deal in every phase, by name."""
    play = played(DEAL, CALLED)
    trick = "play:KD play:9D play:AD play:QD"
    return {
        "bid1": DEAL,
        "bid1 third": played(DEAL, "pass pass"),
        "bid1 dealer": played(DEAL, "pass pass pass"),
        "exchange": played(DEAL, "pass order_up"),
        "exchange own": played(DEAL, "pass pass pass order_up"),
        "bid2": played(DEAL, "pass pass pass pass"),
        "bid2 third": played(DEAL, "pass pass pass pass pass pass"),
        "bid2 stuck": played(STICK, "pass pass pass pass pass pass pass"),
        "alone": played(DEAL, "pass order_up discard:KS"),
        "alone defender": played(DEAL, "pass order_up discard:KS alone"),
        "play first": play,
        "play follow": played(play, "play:KD play:9D play:AD"),
        "trick done": played(play, trick),
        "trick next": played(play, trick + " play:JH"),
        "lone": played(DEAL, "pass order_up discard:KS together alone together together play:KD"),
        "done": to_the_end(play),
        "done lone": to_the_end(played(DEAL, "pass order_up discard:KS alone together together")),
        "passed out": played(DEAL, " ".join(["pass"] * 8)),
    }


def to_the_end(deal: DealState, seed: int = 1) -> DealState:
    rng = random.Random(seed)
    while deal.phase != "done":
        deal = apply(deal, rng.choice(legal_actions(deal)))
    return deal


SCORES = ((1, 0), (2, 0), (2, 2), (4, 2), (4, 3), (6, 3), (6, 5), (8, 5), (9, 5), (9, 7), (10, 7))


def game_over() -> GameOver:
    before = ((0, 0), *SCORES)
    lines = tuple(
        DealLine(number, (score[0] - last[0], score[1] - last[1]), score)
        for number, (last, score) in enumerate(zip(before, SCORES, strict=False), start=1)
    )
    ratings = (
        RatingLine(0, 1642, 1655, 58, 55, False),
        RatingLine(1, 1655, 1644, 60, 58, True),
        RatingLine(2, 1718, 1726, 44, 44, False),
        RatingLine(3, None, None, None, None, False),
    )
    return GameOver(0, lines, ratings)


def states() -> dict[str, TableSnapshot]:
    """A snapshot in every state, by name."""
    found = {name: table(deal) for name, deal in deals().items()}
    over = {"phase": "over", "score": (10, 7), "over": game_over(), "due_at": NOW + timedelta(seconds=24)}
    play = deals()["play follow"]
    return found | {
        "open alone": table(seats=(SEATS[0], empty_seat(1), empty_seat(2), empty_seat(3))),
        "open": table(seats=(SEATS[0], empty_seat(1), SEATS[2], empty_seat(3))),
        "open waiting": table(seats=(SEATS[0], empty_seat(1), SEATS[2], SEATS[3]), fill_at=None),
        "between ready": table(deals()["done"], ready=0b0001),
        "over": table(deals()["done"], **over),
        "over ready": table(deals()["done"], **over, ready=0b0101),
        "closed after game": table(deals()["done"], **over | {"phase": "closed", "due_at": None}),
        "closed": table(phase="closed", seats=NOBODY, game_id=None, due_at=None),
        "lost": table(play, seats=(SEATS[0], SEATS[1], seat(2, lost_at=NOW - timedelta(seconds=18)), SEATS[3])),
        "missed": table(play, seats=(seat(0, missed=2), SEATS[1], SEATS[2], SEATS[3])),
        "kept": table(play, seats=(seat(0, keeper=True), SEATS[1], SEATS[2], SEATS[3])),
        "left": table(play, seats=(SEATS[0], seat(1, keeper=True, left=True), SEATS[2], SEATS[3])),
        "win offered": table(play, seats=(SEATS[0], seat(1, keeper=True, left=True), *SEATS[2:]), win_offered=0),
        "win half taken": table(
            play, seats=(SEATS[0], seat(1, keeper=True, left=True), *SEATS[2:]), win_offered=0, answers=0b0001
        ),
        "won by leave": table(phase="over", score=(6, 7), over=replace(game_over(), by_leave=True)),
        "away": table(
            play,
            ranked=False,
            patient=True,
            seats=(*SEATS[:2], seat(2, lost_at=NOW - timedelta(seconds=70), missed=1), SEATS[3]),
        ),
        "asks": table(play, seats=(seat(0, ask_alone=True), SEATS[1], SEATS[2], SEATS[3])),
        "long names": table(
            played(DEAL, "pass pass"),
            seats=tuple(seat(index, name=name) for index, name in enumerate(LONG_NAMES)),
        ),
    }


def playouts(count: int, seed: int = 0, rules: Rules | None = None) -> Iterator[DealState]:
    """Every state of ``count`` random deals."""
    for number in range(count):
        rng = random.Random(seed * 1000 + number)
        played_by = rules or Rules(stick_the_dealer=bool(number % 2))
        deck = list(pack(played_by.pack))
        rng.shuffle(deck)
        deal = start_deal(played_by, number % played_by.players, tuple(deck))
        yield deal
        while deal.phase != "done":
            actions = legal_actions(deal)
            calls = [action for action in actions if action.kind != "pass"]
            deal = apply(deal, rng.choice(calls if calls and rng.random() < 0.4 else actions))
            yield deal
