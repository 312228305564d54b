"""Actions, decks, rules and whole games as text and back. What a reader does not
understand raises NotationError and nothing else.

A game is a few lines::

    euchre 1
    rules article stick_the_dealer=on
    first_dealer 3
    deal 9CTCJC...KSAS pass pass order_up discard:9S together together ...
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from games.engine.actions import Action, NotationError, parse_action
from games.engine.cards import Card, pack
from games.engine.deal import DealState, apply, start_deal
from games.engine.game import DealRecord, GameRecord, Match, Score
from games.engine.rules import OPTIONS, PRESETS, Rules

_HEADER = "euchre 1"
_CARD = re.compile(r"[7-9TJQKA][CDHS]|B")
_NUMBER = re.compile("0|[1-9][0-9]{0,3}")
_PACKS = {size: frozenset(pack(size)) for size in (24, 25, 28, 32, 33)}


def format_actions(actions: Iterable[Action]) -> str:
    """Actions in order, parted by a space."""
    return " ".join(map(str, actions))


def parse_actions(text: str) -> tuple[Action, ...]:
    """The actions of a text made by :func:`format_actions`; () for an empty text."""
    return tuple(map(parse_action, text.split(" "))) if text else ()


def format_deck(deck: Iterable[Card]) -> str:
    """The cards from the top of the deck: two characters each, the joker one."""
    return "".join(deck)


def parse_deck(text: str) -> tuple[Card, ...]:
    """The deck of a text made by :func:`format_deck`: a whole pack, every card once."""
    deck = tuple(_CARD.findall(text))
    if len("".join(deck)) != len(text) or frozenset(deck) != _PACKS.get(len(deck)):
        raise NotationError("A deck is the 24, 25, 28, 32 or 33 cards of a pack, each once.")
    return deck


def format_rules(rules: Rules) -> str:
    """The preset, then each option that differs from it: ``article stick_the_dealer=on``."""
    changes = [
        f"{name}={_word(getattr(rules, name))}"
        for name in OPTIONS
        if getattr(rules, name) != getattr(PRESETS["article"], name)
    ]
    return " ".join(["article", *changes])


@lru_cache
def parse_rules(text: str) -> Rules:
    """The rules of a text made by :func:`format_rules`."""
    preset, *changes = text.split(" ")
    if preset not in PRESETS:
        raise NotationError(f"There are no rules called {preset[:20]!r}.")
    options: dict[str, Any] = {}
    for change in changes:
        name, _, word = change.partition("=")
        values = {_word(value): value for value in OPTIONS.get(name, ())}
        if word not in values or name in options:
            raise NotationError(f"There is no rule {change[:40]!r} to add to {preset}.")
        options[name] = values[word]
    try:
        return replace(PRESETS[preset], **options)
    except ValueError as error:
        raise NotationError(str(error)) from None


def _word(value: object) -> str:
    return {"True": "on", "False": "off"}.get(str(value), str(value))


def format_score(score: Sequence[int]) -> str:
    """A score as the points of each side, ``3 0``; an empty text for nothing yet."""
    return " ".join(map(str, score)) if any(score) else ""


def parse_score(text: str) -> Score:
    """The score of a text made by :func:`format_score`; () for an empty text."""
    words = text.split(" ") if text else []
    if not all(_NUMBER.fullmatch(word) for word in words):
        raise NotationError("A score is a number for each side, parted by a space.")
    return tuple(map(int, words))


def format_match(match: Match) -> str:
    """Games won, a slash, and the score the next game starts with: ``2 0 / 3 0``."""
    return f"{' '.join(map(str, match.games_won))} / {' '.join(map(str, match.carry))}"


def parse_match(text: str) -> Match:
    """The match of a text made by :func:`format_match`."""
    won, _, carry = text.partition(" / ")
    return Match(parse_score(won), parse_score(carry))


def replay_deal(rules: Rules, dealer: int, deck: Sequence[Card], actions: str) -> DealState:
    """The deal after ``actions`` (in notation). NotationError or IllegalAction where it cannot be."""
    state = start_deal(rules, dealer, deck)
    for action in parse_actions(actions):
        state = apply(state, action)
    return state


def format_game(record: GameRecord) -> str:
    """A whole game, finished or not, as lines of text."""
    lines = [_HEADER, f"rules {format_rules(record.rules)}", f"first_dealer {record.first_dealer}"]
    if any(record.start):
        lines.append(f"start {format_score(record.start)}")
    lines += [f"deal {format_deck(deal.deck)} {format_actions(deal.actions)}".rstrip() for deal in record.deals]
    return "\n".join(lines) + "\n"


def parse_game(text: str) -> GameRecord:
    """The record of a text made by :func:`format_game`, for :func:`games.engine.replay` to check."""
    lines = text.split("\n")
    if len(lines) < 4 or lines[0] != _HEADER or lines[-1]:
        raise NotationError(f"A game begins with the line {_HEADER!r} and ends with a line break.")
    rules = parse_rules(_after("rules", lines[1]))
    first_dealer = _after("first_dealer", lines[2])
    if first_dealer not in [str(seat) for seat in range(rules.players)]:
        raise NotationError(f"The first dealer is a seat from 0 to {rules.players - 1}.")
    deals = lines[3:-1]
    start: tuple[int, ...] = ()
    if deals[:1] and deals[0].startswith("start "):
        start = _parse_start(deals.pop(0), rules)
    return GameRecord(rules, int(first_dealer), tuple(_parse_deal(line, rules) for line in deals), start)


def _parse_start(line: str, rules: Rules) -> tuple[int, ...]:
    start = parse_score(_after("start", line))
    if len(start) != rules.sides:
        raise NotationError("A start is a score for each side.")
    if not any(start):
        raise NotationError("A start at nothing is not written.")
    return start


def _parse_deal(line: str, rules: Rules) -> DealRecord:
    text, _, actions = _after("deal", line).partition(" ")
    deck = parse_deck(text)
    if len(deck) != rules.pack:
        raise NotationError(f"These rules are played with {rules.pack} cards.")
    return DealRecord(deck, parse_actions(actions))


def _after(word: str, line: str) -> str:
    if not line.startswith(word + " "):
        raise NotationError(f"A line that begins with {word!r} was expected, not {line[:20]!r}.")
    return line[len(word) + 1 :]
