"""Rules, decks, deals and games as text and back; nothing but NotationError for a bad text."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields

from games.engine.actions import Action, IllegalAction, NotationError, parse_action
from games.engine.cards import Card, pack
from games.engine.deal import DealState, apply, start_deal
from games.engine.game import DealRecord, GameRecord
from games.engine.rules import PRESETS, Rules

_SWITCH = {"on": True, "off": False}


def format_rules(rules: Rules) -> str:
    """``article``, and behind it what differs: ``article stick_the_dealer=on``."""
    standard = PRESETS["article"]
    words = ["article"]
    for field in fields(Rules):
        value = getattr(rules, field.name)
        if value != getattr(standard, field.name):
            words.append(f"{field.name}={('on' if value else 'off') if isinstance(value, bool) else value}")
    return " ".join(words)


def parse_rules(text: str) -> Rules:
    """The inverse of :func:`format_rules`."""
    preset, *options = text.split(" ") if text else [""]
    if preset not in PRESETS:
        raise NotationError(f"{preset[:40]!r} is no set of rules known here.")
    standard = PRESETS[preset]
    changes: dict[str, int | bool] = {}
    for option in options:
        name, _, value = option.partition("=")
        current = getattr(standard, name, None) if name in {field.name for field in fields(Rules)} else None
        if isinstance(current, bool) and value in _SWITCH:
            changes[name] = _SWITCH[value]
        elif current is not None and not isinstance(current, bool) and value.isascii() and value.isdigit() and 0 < int(value) < 100:
            changes[name] = int(value)
        else:
            raise NotationError(f"{option[:40]!r} is no option known here.")
    return Rules(**{field.name: changes.get(field.name, getattr(standard, field.name)) for field in fields(Rules)})


def format_deck(deck: Iterable[Card]) -> str:
    """The cards one after the other, two characters each: ``9CTCJC...``."""
    return "".join(deck)


def parse_deck(text: str) -> tuple[Card, ...]:
    """The inverse of :func:`format_deck`; each card of the pack exactly once."""
    deck = tuple(text[at : at + 2] for at in range(0, len(text), 2))
    if sorted(deck) != sorted(pack()):
        raise NotationError("That is no whole pack of 24 cards.")
    return deck


def format_actions(actions: Iterable[Action]) -> str:
    """The actions of a deal, separated by single spaces."""
    return " ".join(str(action) for action in actions)


def parse_actions(text: str) -> tuple[Action, ...]:
    """The inverse of :func:`format_actions`; the empty text is no action."""
    return tuple(parse_action(word) for word in text.split(" ")) if text else ()


def replay_deal(rules: Rules, dealer: int, deck: tuple[Card, ...], actions: str) -> DealState:
    """The state that the actions of a record lead to. NotationError, with the number of the
    action, where the record breaks the rules."""
    state = start_deal(rules, dealer, deck)
    for number, action in enumerate(parse_actions(actions), 1):
        try:
            state = apply(state, action)
        except IllegalAction as error:
            raise NotationError(f"Action {number}, {action}: {error}") from None
    return state


def format_game(game: GameRecord) -> str:
    """One line for the rules and one for each deal: dealer, deck, actions."""
    lines = [f"rules {format_rules(game.rules)}"]
    lines += [f"deal {deal.dealer} {format_deck(deal.deck)} {deal.actions}".rstrip() for deal in game.deals]
    return "\n".join(lines) + "\n"


def parse_game(text: str) -> GameRecord:
    """The inverse of :func:`format_game`. Every deal is replayed; NotationError names the line."""
    lines = text.split("\n")
    if not lines[0].startswith("rules "):
        raise NotationError("Line 1: a record begins with its rules.")
    rules = parse_rules(lines[0].removeprefix("rules "))
    deals = []
    for number, line in enumerate(lines[1:], 2):
        if not line:
            continue
        try:
            deals.append(_parse_deal_line(rules, line))
        except NotationError as error:
            raise NotationError(f"Line {number}: {error}") from None
    return GameRecord(rules, tuple(deals))


def _parse_deal_line(rules: Rules, line: str) -> DealRecord:
    word, _, rest = line.partition(" ")
    dealer, _, rest = rest.partition(" ")
    deck, _, actions = rest.partition(" ")
    if word != "deal" or dealer not in ("0", "1", "2", "3"):
        raise NotationError("a deal is written as: deal, dealer 0-3, deck, actions.")
    record = DealRecord(int(dealer), parse_deck(deck), actions)
    replay_deal(rules, record.dealer, record.deck, actions)
    return record
