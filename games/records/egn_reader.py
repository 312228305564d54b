"""Euchre Game Notation read: JSON, then what it tells, then a game the engine has played.

A file need not tell everything: cards that nobody saw (an unknown discard, the hand of who sat
out, the kitty) are filled in so that the play is legal. What a file of ours tells beyond EGN
stands in its notes (:mod:`games.records.egn`); a note that does not say the same as the deal
it belongs to is refused.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

from games import engine
from games.engine import (
    BENNY,
    NO_TRUMP,
    SUITS,
    Action,
    Card,
    DealRecord,
    DealState,
    EngineError,
    GameRecord,
    Rules,
    Trump,
    parse_action,
)
from games.records import ruleset
from games.records.common import BadRecord, Course, Imported, printable
from games.records.egn_body import Exchange, body_of, exchanges_of
from games.records.plain import text_of

FILE_TYPE = "Euchre Game Notation"
NOTE = "euchre 1; "
"""How a note of ours begins, in the description and among the annotations of a deal's first call."""

MAX_DEALS = 100
NAME_LENGTH = 64
TITLE_LENGTH = 128

_VERSION = re.compile(r"1\.[2-6](\.[0-9]{1,4})?")
_CARD = re.compile(r"([78N9TJQKAX])([SsHhCcDdxtng])|[LRB]")
_CALLS = {"Pass", "Order", "s", "h", "d", "c", "n", "x"}
_WORDS: dict[type, str] = {
    dict: "an object",
    list: "a list",
    str: "a text",
    int: "a whole number",
    bool: "true or false",
}
_T = TypeVar("_T")
Hand = list[Card | None]


@dataclass(frozen=True, slots=True)
class Told:
    """A deal as EGN tells it. ``hands`` is () or one for each seat; None is a card not told."""

    dealer: int
    up_card: Card
    hands: tuple[tuple[Card | None, ...], ...]
    calls: tuple[str, ...]
    alone: bool
    defender: int | None
    discard: Card | None
    exchanges: tuple[Exchange, ...]
    tricks: tuple[tuple[Card, ...], ...]
    where: str = field(compare=False, default="")
    bids: str = field(compare=False, default="")
    play: str = field(compare=False, default="")
    note: str = field(compare=False, default="")


def from_egn(data: str | bytes) -> Imported:
    """The game of an EGN file, versions 1.2 to 1.6. BadRecord says where it is no EGN or breaks the rules."""
    document = _load(text_of(data))
    if not isinstance(document, dict):
        raise BadRecord("file", "This should be an object.")
    if _need("", document, "fileType", str) != FILE_TYPE:
        raise BadRecord("fileType", f"This should be {FILE_TYPE!r}.")
    if not _VERSION.fullmatch(_need("", document, "version", str)):
        raise BadRecord("version", "Versions 1.2 to 1.6 can be read.")
    metadata = _need("", document, "metadata", dict)
    given = ruleset.checked(_get("metadata", metadata, "ruleset", dict, {}), "metadata.ruleset")
    deals = _need("", document, "deals", list)
    if len(deals) > MAX_DEALS:
        raise BadRecord("deals", f"A file has at most {MAX_DEALS} deals.")
    head = _head(metadata, given, deals)
    rules = head.rules
    course = Course(rules, head.first_dealer, head.start)
    played: list[DealRecord] = []
    guessed = False
    for at, one in enumerate(deals):
        where = f"deals[{at}]"
        course.check_next(where)
        told = told_of(rules, one, where)
        if told.dealer != course.dealer:
            raise BadRecord(f"{where}.initialState.dealer", f"The dealer of this deal is seat {course.dealer}.")
        deal = _noted(rules, told) if told.note else deal_of(rules, told)
        course.add(deal.final)
        played.append(deal.deal)
        guessed = guessed or deal.guessed
    if course.winner is not None and rules.sides == 2:
        _check_final(metadata, course.score)
    record = GameRecord(rules, head.first_dealer, tuple(played), head.start)
    return Imported(record, _players(metadata, rules), _text(metadata, "title", TITLE_LENGTH), guessed)


# --- JSON ------------------------------------------------------------------------------------------


def _load(text: str) -> Any:
    try:
        return json.loads(text, object_pairs_hook=_once, parse_int=_whole, parse_constant=_constant)
    except json.JSONDecodeError as error:
        raise BadRecord(f"line {error.lineno}", f"This is not JSON: {error.msg}, column {error.colno}.") from None
    except RecursionError:
        raise BadRecord("file", "It is nested too deeply.") from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise BadRecord("file", f"{key[:40]!r} stands twice in one object.")
        found[key] = value
    return found


def _whole(text: str) -> int:
    if len(text) > 9:
        raise BadRecord("file", f"The number {text[:12]}… is too large.")
    return int(text)


def _constant(text: str) -> Any:
    raise BadRecord("file", f"{text} is no number.")


def _need(where: str, holder: Mapping[str, Any], key: str, kind: type[_T]) -> _T:
    path = f"{where}.{key}" if where else key
    if key not in holder:
        raise BadRecord(path, "This is missing.")
    return _is(path, holder[key], kind)


def _get(where: str, holder: Mapping[str, Any], key: str, kind: type[_T], default: _T) -> _T:
    return _need(where, holder, key, kind) if key in holder else default


def _is(where: str, value: Any, kind: type[_T]) -> _T:
    if type(value) is not kind:
        raise BadRecord(where, f"This should be {_WORDS[kind]}.")
    return value


# --- the head --------------------------------------------------------------------------------------


def _head(metadata: Mapping[str, Any], given: Mapping[str, Any], deals: list[Any]) -> GameRecord:
    """Rules, first dealer and start, as a record without deals."""
    scores = _need("metadata", metadata, "initialScore", list)
    if len(scores) not in (0, 2) or any(type(score) is not int or not 0 <= score <= 99 for score in scores):
        raise BadRecord("metadata.initialScore", "This should be two scores from 0 to 99.")
    note = _get("metadata", metadata, "description", str, "").rpartition("\n")[2]
    if not note.startswith(NOTE):
        rules = ruleset.rules_of(given, "metadata.ruleset")
        if rules.sides == 3 and any(scores):
            raise BadRecord("metadata.initialScore", "Three players have no score of two teams.")
        dealer = 0
        if deals and isinstance(deals[0], dict):
            state = _need("deals[0]", deals[0], "initialState", dict)
            dealer = _seat("deals[0].initialState.dealer", state.get("dealer"), rules)
        return GameRecord(rules, dealer, (), tuple(scores) if any(scores) else ())
    try:
        head = engine.parse_game(note.replace("; ", "\n") + "\n")
    except EngineError as error:
        raise BadRecord("metadata.description", str(error)) from None
    if head.deals:
        raise BadRecord("metadata.description", "The note of a game holds no deal.")
    if ruleset.ruleset_of(head.rules) != given:
        raise BadRecord("metadata.description", "The note tells other rules than the ruleset.")
    if head.rules.sides == 2 and (head.start or (0, 0)) != (tuple(scores) or (0, 0)):
        raise BadRecord("metadata.description", "The note tells another start than initialScore.")
    return head


def _players(metadata: Mapping[str, Any], rules: Rules) -> tuple[str, ...]:
    """A name for each seat, "" where none is told. Only what can be printed is kept."""
    names = []
    for at, player in enumerate(_need("metadata", metadata, "players", list)):
        where = f"metadata.players[{at}]"
        name = _need(where, player, "name", str) if isinstance(player, dict) else _is(where, player, str)
        names.append(printable(name, NAME_LENGTH))
    if len(names) not in (0, rules.players):
        raise BadRecord("metadata.players", f"These rules are for {rules.players} players.")
    return tuple(names)


def _text(metadata: Mapping[str, Any], key: str, length: int) -> str:
    return printable(_get("metadata", metadata, key, str, ""), length)


def _check_final(metadata: Mapping[str, Any], score: Sequence[int]) -> None:
    told = _get("metadata", metadata, "finalScore", list, [])
    if told and told != list(score):
        raise BadRecord("metadata.finalScore", f"The deals lead to {score[0]} and {score[1]}.")


# --- a deal as it is told --------------------------------------------------------------------------


def told_of(rules: Rules, deal: Any, where: str) -> Told:
    """What an element of ``deals`` tells. BadRecord for what is no EGN."""
    if isinstance(deal, str):
        raise BadRecord(where, "This deal is packed; unpack the file first.")
    _is(where, deal, dict)
    state, at = _need(where, deal, "initialState", dict), f"{where}.initialState"
    dealer = _seat(f"{at}.dealer", state.get("dealer"), rules)
    up_card = _known(f"{at}.upCard", _need(at, state, "upCard", str), rules, None)
    bidding, bids, playing, play = _phases(where, deal)
    calls = _calls(bids, bidding)
    trump = _trump(rules, up_card, calls)
    discard = bidding.get("discard")
    if discard is not None:
        discard = _card(f"{bids}.discard", discard, rules, trump)
    defender: int | None = _get(bids, bidding, "aloneDefender", int, -1)
    return Told(
        dealer=dealer,
        up_card=up_card,
        hands=_hands(at, state, rules, trump),
        calls=calls,
        alone=_get(bids, bidding, "isAlone", bool, False) or _get(play, playing, "isAlone", bool, False),
        defender=None if defender == -1 else _seat(f"{bids}.aloneDefender", defender, rules),
        discard=discard,
        exchanges=tuple(_exchanges(bids, bidding, rules, trump)),
        tricks=tuple(_tricks(play, playing, rules, trump)),
        where=where,
        bids=bids,
        play=play,
        note=_note(bids, bidding),
    )


def _phases(where: str, deal: Mapping[str, Any]) -> tuple[Mapping[str, Any], str, Mapping[str, Any], str]:
    found: dict[str, tuple[Mapping[str, Any], str]] = {}
    for at, phase in enumerate(_need(where, deal, "phases", list)):
        path = f"{where}.phases[{at}]"
        kind = _need(path, _is(path, phase, dict), "type", str)
        if kind not in ("EUCHRE_BIDDING", "TRICK_PLAY"):
            raise BadRecord(f"{path}.type", "This should be EUCHRE_BIDDING or TRICK_PLAY.")
        if kind in found or "TRICK_PLAY" in found:
            raise BadRecord(path, "A deal has one bidding and then one play.")
        found[kind] = phase, path
    bidding, bids = found.get("EUCHRE_BIDDING", ({}, f"{where}.phases"))
    playing, play = found.get("TRICK_PLAY", ({}, f"{where}.phases"))
    return bidding, bids, playing, play


def _calls(where: str, bidding: Mapping[str, Any]) -> tuple[str, ...]:
    calls = _need(where, bidding, "calls", list) if bidding else []
    for at, call in enumerate(calls):
        if _is(f"{where}.calls[{at}]", call, str) not in _CALLS:
            raise BadRecord(f"{where}.calls[{at}]", f"There is no call {call[:20]!r}.")
        if call == "x":
            raise BadRecord(f"{where}.calls[{at}]", "A deal with an unknown call cannot be played.")
    return tuple(calls)


def _trump(rules: Rules, up_card: Card, calls: Sequence[str]) -> Trump | None:
    call = next((call for call in calls if call != "Pass"), None)
    if call is None:
        return None
    return rules.proposed_suit(up_card) if call == "Order" else call.upper()


def _hands(
    where: str, state: Mapping[str, Any], rules: Rules, trump: Trump | None
) -> tuple[tuple[Card | None, ...], ...]:
    given = _get(where, state, "playerCards", list, [])
    if not any(given):
        return ()
    if len(given) != rules.players:
        raise BadRecord(f"{where}.playerCards", f"These rules are for {rules.players} players.")
    hands = []
    for seat, hand in enumerate(given):
        path = f"{where}.playerCards[{seat}]"
        if len(_is(path, hand, list)) not in (0, 5):
            raise BadRecord(path, "A hand is five cards, or none if it is unknown.")
        hands.append(tuple(_card(f"{path}[{at}]", card, rules, trump) for at, card in enumerate(hand)) or (None,) * 5)
    return tuple(hands)


def _exchanges(where: str, bidding: Mapping[str, Any], rules: Rules, trump: Trump | None) -> list[Exchange]:
    exchanges = []
    for at, one in enumerate(_get(where, bidding, "cardExchanges", list, [])):
        path = f"{where}.cardExchanges[{at}]"
        _is(path, one, dict)
        sender = _seat(f"{path}.sender", one["sender"], rules) if "sender" in one else None
        receiver = _seat(f"{path}.receiver", one.get("receiver"), rules)
        cards = _need(path, one, "cards", list)
        known = tuple(_known(f"{path}.cards[{place}]", card, rules, trump) for place, card in enumerate(cards))
        exchanges.append(Exchange(sender, receiver, known))
    return exchanges


def _tricks(where: str, playing: Mapping[str, Any], rules: Rules, trump: Trump | None) -> list[tuple[Card, ...]]:
    tricks = []
    for at, trick in enumerate(_need(where, playing, "tricks", list) if playing else []):
        path = f"{where}.tricks[{at}]"
        cards = _is(path, trick, list)
        tricks.append(tuple(_known(f"{path}[{place}]", card, rules, trump) for place, card in enumerate(cards)))
    return tricks


def _note(where: str, bidding: Mapping[str, Any]) -> str:
    annotations = _get(where, bidding, "callAnnotations", dict, {})
    lines = annotations.get("0", [])
    found = [line for line in lines if isinstance(line, str) and line.startswith(NOTE)] if type(lines) is list else []
    return found[0] if found else ""


def _seat(where: str, value: Any, rules: Rules) -> int:
    if type(value) is not int or not 0 <= value < rules.players:
        raise BadRecord(where, f"This should be a seat from 0 to {rules.players - 1}.")
    return value


def _known(where: str, text: Any, rules: Rules, trump: Trump | None) -> Card:
    card = _card(where, text, rules, trump)
    if card is None:
        raise BadRecord(where, "A deal with an unknown card here cannot be played.")
    return card


def _card(where: str, text: Any, rules: Rules, trump: Trump | None) -> Card | None:
    """A card by its EGN name, None if it is wholly unknown."""
    found = _CARD.fullmatch(_is(where, text, str))
    if found is None:
        raise BadRecord(where, f"There is no card {text[:20]!r}.")
    if text in ("L", "R"):
        if trump is None or trump == NO_TRUMP:
            raise BadRecord(where, "Without a trump suit there is no bower.")
        return "J" + (trump if text == "R" else engine.next_suit(trump))
    card = BENNY
    if text != BENNY:
        rank, suit = found[1].replace("N", "9"), found[2].upper()
        if rank == suit == "X":
            return None
        if rank == "X" or suit not in SUITS:
            raise BadRecord(where, f"{text!r} is no card of a pack; write Xx for an unknown one.")
        card = rank + suit
    if card not in engine.pack(rules.pack):
        raise BadRecord(where, f"{text!r} is not in this pack of {rules.pack} cards.")
    return card


# --- a deal as it is played ------------------------------------------------------------------------


class Played(NamedTuple):
    """A deal the engine has played: its record, its last state, and whether cards were filled in."""

    deal: DealRecord
    final: DealState
    guessed: bool


class _Course(NamedTuple):
    """Who is alone and who played what, as the tricks tell it before any check."""

    trump: Trump | None
    loners: tuple[int, ...]
    played: tuple[list[Card], ...]
    void: tuple[set[str], ...]
    """By seat the suits it could not follow."""


def deal_of(rules: Rules, told: Told) -> Played:
    """Play a deal as EGN tells it. BadRecord says at which call or card it breaks the rules."""
    course = _course(rules, told)
    deck, guessed = _deck(rules, told, course)
    state = engine.start_deal(rules, told.dealer, deck)
    calls = plays = 0
    trick = place = 0
    while state.legal:
        where = told.bids
        if state.phase == "play":
            if not state.trick and trick < len(told.tricks) and place:
                if place < len(told.tricks[trick]):
                    raise BadRecord(f"{told.play}.tricks[{trick}]", f"A trick here has {place} cards.")
                trick, place = trick + 1, 0
            if trick == len(told.tricks) or place == len(told.tricks[trick]):
                break
            where = f"{told.play}.tricks[{trick}][{place}]"
            action: Action | None = parse_action(f"play:{told.tricks[trick][place]}")
            place, plays = place + 1, plays + 1
        elif state.phase in ("benny", "bid1", "bid2"):
            where = f"{told.bids}.calls[{calls}]"
            action, calls = _bid(rules, told, state, calls)
        else:
            action = _answer(told, course, state)
        if action is None:
            break
        try:
            state = engine.apply(state, action)
        except EngineError as error:
            raise BadRecord(where, str(error)) from None
    if calls < len(told.calls):
        raise BadRecord(f"{told.bids}.calls[{calls}]", "The bidding was over before this call.")
    if plays < sum(map(len, told.tricks)):
        raise BadRecord(f"{told.play}.tricks[{trick}]", _too_much(state))
    _check_claims(told, state)
    _check_exchanges(told, engine.start_deal(rules, told.dealer, deck), state)
    actions = tuple(action for _seat, action in state.history)
    return Played(DealRecord(deck, actions), state, guessed)


def _too_much(state: DealState) -> str:
    if state.phase == "done":
        return "The deal was over before this."
    return "This comes before the bidding is over, or after a trick that is not full."


def _check_claims(told: Told, state: DealState) -> None:
    """What the file says of a deal must have come about."""
    if told.alone and (state.maker is None or state.maker not in state.loners):
        raise BadRecord(f"{told.bids}.isAlone", "By these rules nobody could go alone here.")
    if told.defender is not None and told.defender not in state.loners:
        raise BadRecord(f"{told.bids}.aloneDefender", "By these rules this seat could not defend alone here.")
    out = (state.dealer + 2) % 4 in state.loners
    if told.discard is not None and state.discard is None and not out:
        raise BadRecord(f"{told.bids}.discard", "The dealer did not take the up-card.")


def _check_exchanges(told: Told, start: DealState, final: DealState) -> None:
    came_about = exchanges_of(start, final)
    for at, one in enumerate(told.exchanges):
        if one not in came_about:
            raise BadRecord(f"{told.bids}.cardExchanges[{at}]", "By these rules these cards did not change hands here.")
        came_about.remove(one)


def _course(rules: Rules, told: Told) -> _Course:
    players = rules.players
    played: tuple[list[Card], ...] = tuple([] for _seat in range(players))
    void: tuple[set[str], ...] = tuple(set() for _seat in range(players))
    trump = _trump(rules, told.up_card, told.calls)
    first = next((at for at, call in enumerate(told.calls) if call != "Pass"), 0)
    maker = (told.dealer + 1 + first) % players
    loners = ((maker,) if told.alone else ()) + (() if told.defender is None else (told.defender,))
    if trump is None:
        return _Course(None, (), played, void)
    if told.alone and rules.alone_who == "none":
        raise BadRecord(f"{told.bids}.isAlone", "By these rules nobody goes alone.")
    if told.defender is not None:
        if rules.alone_who != "any" or rules.defend_alone == "off":
            raise BadRecord(f"{told.bids}.aloneDefender", "By these rules nobody defends alone.")
        if told.defender % 2 == maker % 2:
            raise BadRecord(f"{told.bids}.aloneDefender", "This seat is on the makers' side.")
    out = {(seat + 2) % 4 for seat in loners}
    active = [seat for place in range(1, players + 1) if (seat := (told.dealer + place) % players) not in out]
    leader = active[0] if active else 0
    if loners and rules.lone_lead == "left_of_loner":
        leader = loners[1] if len(loners) == 2 else (loners[0] + 1) % players
    for at, trick in enumerate(told.tricks):
        full = len(trick) == len(active) or (at == len(told.tricks) - 1 and len(trick) < len(active))
        if not full:
            raise BadRecord(f"{told.play}.tricks[{at}]", f"A trick of this deal has {len(active)} cards.")
        if leader not in active:
            break
        turn = active.index(leader)
        plays = list(zip(active[turn:] + active[:turn], trick, strict=False))
        if not plays:
            break
        led = engine.effective_suit(plays[0][1], trump)
        for seat, card in plays:
            played[seat].append(card)
            if engine.effective_suit(card, trump) != led:
                void[seat].add(led)
        leader = engine.trick_winner(plays, trump)
    return _Course(trump, loners, played, void)


def _deck(rules: Rules, told: Told, course: _Course) -> tuple[tuple[Card, ...], bool]:
    """A deck that deals what is told, and whether cards were filled in."""
    taken: set[Card] = {told.up_card}
    hands: list[Hand] = [list(hand) for hand in told.hands] or [[None] * 5 for _seat in range(rules.players)]
    for seat, hand in enumerate(hands):
        for at, card in enumerate(hand):
            if card in taken:
                raise BadRecord(f"{told.where}.initialState.playerCards[{seat}][{at}]", f"{card} is there twice.")
            if card is not None:
                taken.add(card)
    drawn = tuple(card for one in told.exchanges if one.sender is None for card in one.cards)
    if len(set(drawn)) < len(drawn) or not taken.isdisjoint(drawn):
        raise BadRecord(f"{told.bids}.cardExchanges", "A card from the kitty is somewhere else as well.")
    if len(drawn) >= rules.pack - 5 * rules.players:
        raise BadRecord(f"{told.bids}.cardExchanges", "There are not so many cards in the kitty.")
    taken.update(drawn)
    given = {card: one.sender for one in told.exchanges if one.sender is not None for card in one.cards}
    for seat, hand in enumerate(hands):
        held = [card for card in course.played[seat] if card not in given]
        held += [card for card, sender in given.items() if sender == seat]
        held += [told.discard] if told.discard and seat == told.dealer else []
        for card in held:
            if card not in taken and None in hand:
                hand[hand.index(None)] = card
                taken.add(card)
    rest = [card for card in engine.pack(rules.pack) if card not in taken]
    free = [(seat, at) for seat, hand in enumerate(hands) for at, card in enumerate(hand) if card is None]
    for (seat, at), card in zip(free, _filled(free, rest, course), strict=True):
        hands[seat][at] = card
        rest.remove(card)
    return _dealt(rules, told.dealer, hands, (told.up_card, *drawn, *rest)), bool(free)


def _filled(free: Sequence[tuple[int, int]], rest: Sequence[Card], course: _Course) -> list[Card]:
    """A card for each free place, so that no seat holds what it could not follow with: augmenting
    paths between places and cards. Where that cannot be, any card; the engine will say why."""
    trump = course.trump
    holder: dict[Card, int] = {}

    def may_hold(place: int, card: Card) -> bool:
        seat = free[place][0]
        if trump is None or len(course.played[seat]) >= 5:
            return True
        return engine.effective_suit(card, trump) not in course.void[seat]

    def find(place: int, seen: set[Card]) -> bool:
        for card in rest:
            if card not in seen and may_hold(place, card):
                seen.add(card)
                if card not in holder or find(holder[card], seen):
                    holder[card] = place
                    return True
        return False

    if not all(find(place, set()) for place in range(len(free))):
        return list(rest[: len(free)])
    card_of = {place: card for card, place in holder.items()}
    return [card_of[place] for place in range(len(free))]


def _dealt(rules: Rules, dealer: int, hands: Sequence[Hand], after: Sequence[Card]) -> tuple[Card, ...]:
    """The deck that deals these hands: a pack in its plain order shows where each card goes."""
    plain = engine.pack(rules.pack)
    deck = dict(zip(plain[5 * rules.players :], after, strict=True))
    for places, hand in zip(engine.start_deal(rules, dealer, plain).hands, hands, strict=True):
        deck |= {place: card for place, card in zip(places, hand, strict=True) if card}
    return tuple(deck[card] for card in plain)


def _bid(rules: Rules, told: Told, state: DealState, at: int) -> tuple[Action | None, int]:
    """The action of a call and the number of the next, None when there are no more calls."""
    if state.phase == "benny":
        passes = rules.players - 1
        if told.calls[:passes] != ("Pass",) * min(passes, len(told.calls)):
            raise BadRecord(f"{told.bids}.calls", "With the joker turned up the dealer names a suit, after passes.")
        at = passes
    if at >= len(told.calls):
        return None, min(at, len(told.calls))
    call = told.calls[at]
    if call == "Pass":
        return parse_action("pass"), at + 1
    if call == "Order":
        return parse_action("order_up_alone" if _alone_with_call(told, state) else "order_up"), at + 1
    return parse_action(f"{'call_alone' if _alone_with_call(told, state) else 'call'}:{call.upper()}"), at + 1


def _alone_with_call(told: Told, state: DealState) -> bool:
    return told.alone and any(action.kind in ("order_up_alone", "call_alone") for action in state.legal)


def _answer(told: Told, course: _Course, state: DealState) -> Action | None:
    """What a seat does between bidding and play, as far as the file tells or leaves no choice."""
    turn = state.turn
    assert turn is not None
    received = [one for one in told.exchanges if one.receiver == turn]
    if state.phase == "weak":
        drew = any(one.sender is None and len(one.cards) == 3 for one in received)
        declares = drew and state.rules.weak_hand == "farmers_swap"
        return parse_action("declare" if declares else "keep")
    if state.phase == "alone":
        return parse_action("alone" if turn in course.loners else "together")
    if state.phase == "best":
        if state.legal[0].kind == "give":
            sent = [card for one in told.exchanges if one.sender == turn for card in one.cards]
            if not sent:
                raise BadRecord(f"{told.bids}.cardExchanges", "The card that was given is not told.")
            return parse_action(f"give:{sent[0]}")
        if not any(one.sender == (turn + 2) % 4 for one in received):
            return parse_action("keep")
    if state.phase == "exchange":
        if told.discard is not None:
            return parse_action(f"discard:{told.discard}")
        if state.legal[0].kind == "decline":
            return state.legal[0]
    return _put_away(told, course, state, turn)


def _put_away(told: Told, course: _Course, state: DealState, turn: int) -> Action | None:
    """The discard that is not told: none that is needed later; first one of a suit the seat could
    not follow. None when the file ends here."""
    given = any(one.sender is not None for one in told.exchanges)
    if not told.tricks and told.hands and not given and state.phase == "exchange":
        return None
    needed = {card for one in told.exchanges if one.sender == turn for card in one.cards} | set(course.played[turn])
    if told.discard is not None and turn == told.dealer:
        needed.add(told.discard)
    choices = [action for action in state.legal if action.kind == "discard" and action.card not in needed]
    if not choices:
        raise BadRecord(f"{told.bids}.cardExchanges", f"Seat {turn} should put a card away, but uses all it holds.")

    def held_wrongly(action: Action) -> bool:
        assert action.card is not None
        return course.trump is not None and engine.effective_suit(action.card, course.trump) in course.void[turn]

    return max(choices, key=held_wrongly)


def _noted(rules: Rules, told: Told) -> Played:
    """The deal of a note of ours, which must say the same as what it is written in."""
    where = f"{told.bids}.callAnnotations"
    head = f"euchre 1\nrules {engine.format_rules(rules)}\nfirst_dealer {told.dealer}\n"
    try:
        record = engine.parse_game(f"{head}{told.note.removeprefix(NOTE)}\n")
        game = engine.replay(record)
    except EngineError as error:
        raise BadRecord(where, str(error)) from None
    if len(game.deals) != 1 or told_of(rules, body_of(game.deals[0], record.deals[0].deck, 0), told.where) != told:
        raise BadRecord(where, "This note tells another deal than the one it is written in.")
    return Played(record.deals[0], game.deals[0], False)
