"""The post-mortem of a deal that is over: par, what every decision cost given only what its player
knew, the mistakes and why, what the maker would have made alone, and where the deal turned.

What a decision is worth: the cards its player did not see are filled in as they may have been
(:mod:`games.bots.worlds`), each action that was open to him is tried on the same deals, and the
rule bot plays all of them to their end (:mod:`games.bots.branches`). So a bad action that went well
stays bad. The points expected after each action are those of somebody who watched and saw no hand.
Par is double dummy (:mod:`games.bots.solver`), and decides nothing else.

Points of one side against another are its own less the mean of the others'. The same record and
seed give the same numbers, compiled or not.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from math import sqrt
from typing import Any, Final, NamedTuple

from games.bots import branches, encoding, guess, layout, solver, worlds
from games.bots.worlds import Knowledge
from games.engine import NO_TRUMP, Action, Card, DealState, Rules, SeatView, Suit, Trump, apply, effective_suit, view
from games.engine.cards import FOLLOWERS, HIGHER, TRICK_STRENGTH, Play, mask, trick_winner

VERSION: Final = 1
"""Raised when the numbers change: what is stored by another version is made again."""

WORLDS: Final = 200
"""Deals that each decision is tried on, and :data:`WATCHED` for what a spectator expects."""
WATCHED: Final = 100
PLAIN_WORLDS: Final = 32
"""The same without numba, a hundred times as slow."""

MISTAKE: Final = 0.2
"""Points from which on a decision is called a mistake, if they are also :data:`SURE` standard errors."""
SURE: Final = 3.0
RIGHT: Final = 0.08
"""Points up to which a decision counts as good as the best."""
MOSTLY: Final = 0.9
"""The share of deals in which a thing must be so to be told as a reason."""

CALLS: Final = ("bid1", "bid2", "benny", "alone")


class Reason(NamedTuple):
    """Why one action is better: ``name`` of a sentence, and what stands in its places."""

    name: str
    values: dict[str, Any]


class Option(NamedTuple):
    action: str
    """In notation."""
    value: float
    """Points that the side of who acts can expect."""
    scores: float
    """The share of deals in which it scores."""


class Decision(NamedTuple):
    """A choice of two actions or more."""

    at: int
    """The place of the action in the history of the deal."""
    seat: int
    kind: str
    """``call``, ``discard``, ``lead``, ``follow``."""
    chosen: str
    options: tuple[Option, ...]
    """The best first."""
    cost: float
    """Points less than the best, 0 or more."""
    error: float
    """One standard error of the cost."""
    deals: int
    """On how many it was tried."""
    mistake: bool
    reasons: tuple[Reason, ...]
    """Of a mistake, the most telling first."""

    @property
    def right(self) -> bool:
        return self.cost <= RIGHT


class Contract(NamedTuple):
    """What perfect play of all makes of a call when everybody sees all cards."""

    maker: int
    trump: Trump
    alone: bool
    ordered_up: bool
    tricks: int
    """The makers'."""
    points: tuple[int, ...]
    """By side."""


class PostMortem(NamedTuple):
    expected: tuple[tuple[float, ...], ...]
    """By side, before the first action and after each; the last are the points themselves."""
    decisions: tuple[Decision, ...]
    par: Contract | None
    """The contract that bidding leads to when everybody sees all cards; None if all pass then."""
    best: tuple[Contract, ...]
    """What is best for each seat to call."""
    played: Contract | None
    """What perfect play makes of the contract that was played, from the first lead on."""
    other: Contract | None
    """The same with the maker alone, or if he was, with his partner; None where he could not choose."""
    turn: int | None
    """The place in the history of the action that changed most."""


def analyse(start: DealState, actions: Sequence[Action], score: tuple[int, ...] = (), seed: int = 0) -> PostMortem:
    """The post-mortem of a deal from its first state and all its actions; ``score`` by side before
    it. Of a deal that a weak hand ended before anybody bid there is little: no decisions."""
    states = [start]
    for action in actions:
        states.append(apply(states[-1], action))
    final = states[-1]
    expected = _expected(states, score, seed)
    decisions = tuple(
        decision
        for at, (state, action) in enumerate(zip(states, actions, strict=False))
        if (decision := _decision(state, at, action, score, seed)) is not None
    )
    agreed, best = (None, ()) if final.redeal else par(start)
    played, other = _as_played(states)
    return PostMortem(expected, decisions, agreed, best, played, other, _turn(expected))


# What is expected


class Tried(NamedTuple):
    """Actions tried on the same deals."""

    hands: list[tuple[int, ...]]
    """``hands[deal]``, by seat, as bits."""
    points: list[tuple[float, ...]]
    """The mean of each action, by side."""
    nets: list[list[int]]
    """How often each action brought each net, as of :func:`~games.bots.branches.branch`."""
    products: list[int]

    def mean(self, place: int) -> float:
        """The net of an action, in points."""
        return sum(count * (net - branches.LEVEL) for net, count in enumerate(self.nets[place])) / len(self.hands) / 2

    def share(self, place: int, least: int) -> float:
        """How often an action brings so many half points or more."""
        return sum(self.nets[place][branches.LEVEL + least :]) / len(self.hands)

    def error(self, one: int, other: int) -> float:
        """One standard error of the difference of two means."""
        deals, actions = len(self.hands), len(self.nets)
        if one == other or deals < 2:
            return 0.0
        squares = [
            sum(count * (net - branches.LEVEL) ** 2 for net, count in enumerate(self.nets[place]))
            for place in (one, other)
        ]
        total = sum(squares) - 2 * self.products[max(one, other) * actions + min(one, other)]
        difference = 2 * (self.mean(one) - self.mean(other))
        return sqrt(max(0.0, total / deals - difference**2) / (deals - 1)) / 2


_branch: Callable[..., int] = branches.branch
_row: Callable[[Sequence[int]], Any] = list


def warm() -> bool:
    """Use the compiled play-outs from now on, in this process; False without numba."""
    global _branch, _row
    if not solver.warm():
        return False
    import numpy

    from games.bots import kernel

    _branch, _row = kernel.branch, lambda numbers: numpy.array(numbers, numpy.int64)
    return True


def compiled() -> bool:
    return _branch is not branches.branch


def _try(about: Knowledge, seat: int, actions: Sequence[int], number: int, chance: int) -> Tried | None:
    """None where no deal was found that agrees with what is known."""
    tries, sides, seats = len(actions), about.rules[layout.SIDES], about.rules[layout.PLAYERS]
    scratch, empty = [0] * layout.LENGTH, [0] * layout.LENGTH
    guess.prepare(about.deal, scratch)
    given = map(_row, (about.deal, about.known, about.bids, about.rules, about.weights, [chance]))
    used = map(_row, ([0] * guess.FOUND_LENGTH, scratch, empty, empty))
    hands = _row([0] * (number * branches.HANDS_EACH))
    points, nets = _row([0] * (tries * branches.POINTS_EACH)), _row([0] * (tries * branches.NETS_EACH))
    products, latest = _row([0] * tries * tries), _row([0] * tries)
    done = _branch(*given, *used, seat, _row(actions), number, hands, points, nets, products, latest)
    if not done:
        return None
    hands, points, nets = list(map(int, hands)), list(map(int, points)), list(map(int, nets))
    return Tried(
        [tuple(hands[at : at + seats]) for at in range(0, done * branches.HANDS_EACH, branches.HANDS_EACH)],
        [
            tuple([points[at + side] / done for side in range(sides)])
            for at in range(0, tries * branches.POINTS_EACH, branches.POINTS_EACH)
        ],
        [nets[at : at + branches.NETS_EACH] for at in range(0, tries * branches.NETS_EACH, branches.NETS_EACH)],
        list(map(int, products)),
    )


def _chance(seed: int, at: int, seat: int) -> int:
    return random.Random(f"{seed} {at} {seat}").getrandbits(62)


def _expected(states: Sequence[DealState], score: tuple[int, ...], seed: int) -> tuple[tuple[float, ...], ...]:
    """Where nothing can be guessed yet, as after the next action."""
    found: list[tuple[float, ...]] = [tuple(map(float, states[-1].points))]
    number = WATCHED if compiled() else PLAIN_WORLDS
    for at in range(len(states) - 2, -1, -1):
        if states[at].phase in ("weak", "swap", "benny"):
            found.append(found[-1])
            continue
        tried = _try(_watched(states[at], score), -1, [-1], number, _chance(seed, at, -1))
        found.append(tuple([round(mean, 3) for mean in tried.points[0]]) if tried else found[-1])
    return tuple(reversed(found))


def _watched(state: DealState, score: tuple[int, ...]) -> Knowledge:
    return worlds.told(view(state, None, score))


def _net(points: Sequence[int], side: int) -> float:
    others = len(points) - 1
    return points[side] - (sum(points) - points[side]) / others


# Decisions


def _decision(state: DealState, at: int, action: Action, score: tuple[int, ...], seed: int) -> Decision | None:
    seat = state.turn
    assert seat is not None
    seen = view(state, seat, score)
    weighed = None if action.kind == "claim" else weigh(seen, _chance(seed, at, seat))
    if weighed is None:
        return None
    legal, tried, means = weighed
    chosen = legal.index(action)
    best = max(range(len(legal)), key=lambda place: (means[place], place == chosen))
    cost, error = means[best] - means[chosen], tried.error(best, chosen)
    mistake = cost >= MISTAKE and cost >= SURE * error
    options = [
        Option(str(option), round(mean, 3), round(tried.share(place, 1), 3))
        for place, (option, mean) in enumerate(zip(legal, means, strict=True))
    ]
    return Decision(
        at=at,
        seat=seat,
        kind=kind_of(seen),
        chosen=str(action),
        options=tuple(sorted(options, key=lambda option: (-option.value, option.action != str(legal[best])))),
        cost=round(cost, 3),
        error=round(error, 3),
        deals=len(tried.hands),
        mistake=mistake,
        reasons=tuple(reasons(seen, weighed, chosen, best)) if mistake else (),
    )


class Weighed(NamedTuple):
    """What is open to a seat, a claim apart, tried on the same deals."""

    legal: list[Action]
    tried: Tried
    means: list[float]
    """Net points of each."""


def weigh(seen: SeatView, chance: int) -> Weighed | None:
    """What the actions are worth of which a seat must choose one now; None where there is no choice
    or nothing can be guessed."""
    legal = [option for option in seen.legal_actions if option.kind != "claim"]
    if len(legal) < 2 or seen.phase in ("weak", "swap") or seen.seat is None:
        return None
    if not seen.hand:  # the joker's suit is named blind: no suit is better than another (V3)
        return None
    codes = [encoding.code_of(option, seen.trump) for option in legal]
    tried = _try(worlds.knowledge(seen), seen.seat, codes, WORLDS if compiled() else PLAIN_WORLDS, chance)
    if tried is None:
        return None
    return Weighed(legal, tried, [tried.mean(place) for place in range(len(legal))])


def kind_of(seen: SeatView) -> str:
    """What is chosen: ``kind`` of a :class:`Decision`."""
    if seen.phase == "play":
        return "follow" if seen.trick else "lead"
    return "call" if seen.phase in CALLS else "discard"


# Why


def reasons(seen: SeatView, weighed: Weighed, chosen_at: int, best_at: int) -> Iterator[Reason]:
    """Why one of the actions that were weighed is better than another."""
    tried = weighed.tried
    chosen, best = weighed.legal[chosen_at], weighed.legal[best_at]
    if chosen.kind == best.kind == "play":
        assert chosen.card is not None and best.card is not None
        yield from _Table(seen, tried.hands).reasons(chosen.card, best.card)
    elif chosen.kind == best.kind == "discard":
        assert chosen.card is not None and best.card is not None
        yield from _of_discards(seen, chosen.card, best.card)
    else:
        call = best if best.kind != "pass" and best.kind != "together" else chosen
        yield from _of_hand(seen, call)
    yield from _of_outcomes(seen, chosen, best, tried, chosen_at, best_at)


def _of_outcomes(
    seen: SeatView, chosen: Action, best: Action, tried: Tried, chosen_at: int, best_at: int
) -> Iterator[Reason]:
    """What happens how often: the difference that is greatest. ``least`` half points mean that the
    makers took three tricks, or all, or that the defenders euchred them, or kept them from all."""
    assert seen.seat is not None
    side = seen.side(seen.seat)
    calls = _call_of(best) or _call_of(chosen)
    if calls:
        making = True
    elif seen.maker is None:
        return
    else:
        making = side == seen.side(seen.maker)
    events = [("made", 1), ("marched", 4)] if making else [("euchred", 1), ("unmarched", -2)]
    told = []
    for name, least in events:
        better, taken = tried.share(best_at, least), tried.share(chosen_at, least)
        told.append((abs(better - taken), Reason(name, {"better": _percent(better), "chosen": _percent(taken)})))
    if _lone(best) != _lone(chosen) and making:
        lone = best_at if _lone(best) else chosen_at
        yield Reason("alone", {"marched": _percent(tried.share(lone, 8))})
    elif _call_of(best) and not _call_of(chosen):
        yield Reason("called", {"made": told[0][1].values["better"]})
    elif _call_of(chosen) and not _call_of(best):
        euchred = 1 - tried.share(chosen_at, 1)
        if euchred >= 0.25:
            yield Reason("called_badly", {"euchred": _percent(euchred)})
        else:  # the call is sound, but others would lose more by theirs
            better, taken = tried.share(best_at, 4), tried.share(chosen_at, 4)
            yield Reason("waits", {"better": _percent(better), "chosen": _percent(taken)})
    else:
        gain, reason = max(told, key=lambda one: one[0])
        if gain >= 0.05:
            yield reason


def _call_of(action: Action) -> bool:
    return action.kind.startswith(("order_up", "call"))


def _lone(action: Action) -> bool:
    return action.kind in ("alone", "order_up_alone", "call_alone")


def _percent(share: float) -> int:
    return round(100 * share)


def _of_hand(seen: SeatView, call: Action) -> Iterator[Reason]:
    """Trumps and aces of the hand that might have called."""
    trump = call.suit or seen.trump or seen.proposed
    if not trump or trump == NO_TRUMP:
        return
    hand = seen.hand
    if call.kind.startswith("order_up") and seen.seat == seen.dealer:
        hand = (*hand, seen.up_card)
    trumps = [card for card in hand if effective_suit(card, trump) == trump]
    yield Reason(
        "hand",
        {
            "trump": trump,
            "trumps": len(trumps),
            "best": max(trumps, key=lambda card: TRICK_STRENGTH[trump][card][card], default=""),
            "aces": sum(card[0] == "A" and card not in trumps for card in hand),
        },
    )


def _of_discards(seen: SeatView, chosen: Card, best: Card) -> Iterator[Reason]:
    trump = seen.trump or ""
    held = [card for card in (*seen.hand, seen.up_card) if card != best]
    suit = effective_suit(best, trump)
    if suit != trump and not any(effective_suit(card, trump) == suit for card in held):
        yield Reason("void", {"suit": suit})
    if effective_suit(chosen, trump) == trump != suit:
        yield Reason("keep_trump", {"card": chosen})
    elif chosen[0] == "A" and best[0] != "A":
        yield Reason("keep_ace", {"card": chosen})


class _Table:
    """The cards of a trick, and where the others lie in the deals that were tried."""

    def __init__(self, seen: SeatView, deals: Sequence[tuple[int, ...]]) -> None:
        assert seen.seat is not None and seen.trump is not None
        self.seen, self.seat, self.trump = seen, seen.seat, seen.trump
        self.deals = [[encoding.cards_of(hand, seen.trump) for hand in hands] for hands in deals[:120]]
        self.active = [seat for seat in range(seen.rules.players) if seat not in seen.sitting_out]
        self.against = [seat for seat in self.active if not self._with_me(seat)]

    def _with_me(self, seat: int) -> bool:
        seen = self.seen
        if seen.rules.sides == 3 and seen.maker is not None:
            return (seat == seen.maker) == (self.seat == seen.maker)
        return seen.side(seat) == seen.side(self.seat)

    def _suit(self, card: Card) -> Suit:
        return effective_suit(card, self.trump)

    def reasons(self, chosen: Card, best: Card) -> Iterator[Reason]:
        if self.seen.trick:
            yield from self._of_this_trick(chosen, best)
        else:
            yield from self._of_leads(chosen, best)
        yield from self._of_what_is_left(chosen, best)

    def _of_this_trick(self, chosen: Card, best: Card) -> Iterator[Reason]:
        trick = self.seen.trick
        winner, winning = trick_winner(trick, self.trump), dict(trick)
        takes = {card: trick_winner((*trick, (self.seat, card)), self.trump) == self.seat for card in (chosen, best)}
        last = len(trick) == len(self.active) - 1
        safe = last or self._beaten(trick) <= 1 - MOSTLY
        if self._with_me(winner) and winner != self.seat and takes[chosen] and not takes[best] and safe:
            yield Reason("partner_wins", {"seat": winner, "card": winning[winner]})
        elif takes[best] and not takes[chosen] and last:
            yield Reason("wins_trick", {"card": best})
        elif takes[best] and takes[chosen] and last:
            yield Reason("cheaper", {"better": best, "card": chosen})
        elif takes[best] and not takes[chosen]:
            beaten = self._beaten((*trick, (self.seat, best)))
            if beaten <= 1 - MOSTLY:
                yield Reason("wins_trick", {"card": best})
            else:
                yield Reason("may_win", {"card": best, "ways": _percent(1 - beaten)})
        elif takes[chosen] and not takes[best]:
            beaten = self._beaten((*trick, (self.seat, chosen)))
            if beaten >= 0.5:
                yield Reason("beaten", {"card": chosen, "ways": _percent(beaten)})

    def _beaten(self, trick: Sequence[Play]) -> float:
        """In how many of the deals an opponent still to play can take the trick."""
        played = {seat for seat, _card in trick}
        later = [seat for seat in self.against if seat not in played and seat != self.seat]
        followers, strengths = FOLLOWERS[self.trump][trick[0][1]], TRICK_STRENGTH[self.trump][trick[0][1]]
        top = max(strengths[card] for _seat, card in trick)
        beaten = 0
        for hands in self.deals:
            beaten += any(
                any(strengths[card] > top for card in ([c for c in hands[seat] if c in followers] or hands[seat]))
                for seat in later
            )
        return beaten / len(self.deals)

    def _of_leads(self, chosen: Card, best: Card) -> Iterator[Reason]:
        beaten = {card: self._beaten(((self.seat, card),)) for card in (chosen, best)}
        if beaten[best] <= 1 - MOSTLY and beaten[chosen] > 1 - MOSTLY:
            yield Reason("sure_lead", {"card": best})
        elif beaten[chosen] - beaten[best] >= 0.2:
            yield Reason("safer_lead", {"card": chosen, "ways": _percent(beaten[chosen]), "better": best,
                                        "fewer": _percent(beaten[best])})  # fmt: skip
        elif self._suit(best) == self.trump != self._suit(chosen):
            yield Reason("draw", {"ways": _percent(self._trumps_out())})
        elif self._suit(chosen) == self.trump != self._suit(best):
            yield Reason("keep_trumps", {})

    def _trumps_out(self) -> float:
        held = sum(
            any(self._suit(card) == self.trump for seat in self.against for card in hands[seat]) for hands in self.deals
        )
        return held / len(self.deals)

    def _of_what_is_left(self, chosen: Card, best: Card) -> Iterator[Reason]:
        """What opponents with few cards can hold, and a card too good to throw away."""
        suit, other = self._suit(chosen), self._suit(best)
        for seat in self._few(2):
            suits = self._possible(seat)
            if len(suits) <= 2 and suit in suits and other not in suits:
                yield Reason("holds", {"seat": seat, "suits": "".join(suits), "count": self.seen.counts[seat]})
                if not self._higher(chosen):
                    yield Reason("beats", {"card": chosen, "better": best})
                return
        thrown = self.seen.trick and suit != self._suit(self.seen.trick[0][1]) and suit != self.trump
        if thrown and not self._higher(chosen) and (self._higher(best) or other != suit):
            yield Reason("boss", {"card": chosen})

    def _few(self, count: int) -> Iterator[int]:
        """Opponents who hold so few cards, the maker's side first."""
        maker = self.seen.maker
        for seat in sorted(self.against, key=lambda seat: (seat != maker, seat)):
            if 0 < self.seen.counts[seat] <= count:
                yield seat

    def _possible(self, seat: int) -> list[Suit]:
        """The suits of all cards the seat holds in any of the deals, trump last."""
        suits = {self._suit(card) for hands in self.deals for card in hands[seat]}
        return sorted(suits, key=lambda suit: (suit == self.trump, suit))

    def _higher(self, card: Card) -> bool:
        """Whether an opponent has a higher card of the suit in more than a few of the deals."""
        higher = HIGHER[self.trump][card]
        held = sum(any(mask(hands[seat]) & higher for seat in self.against) for hands in self.deals)
        return held / len(self.deals) > 1 - MOSTLY


# Par


def par(start: DealState) -> tuple[Contract | None, tuple[Contract, ...]]:
    """``par`` and ``best`` of a :class:`PostMortem`: they depend on the cards alone, not on the play."""
    contracts = solver.par(start)
    return _par(start, contracts), _best(start, contracts)


def _contract(found: solver.Contract) -> Contract:
    return Contract(found.maker, found.trump, bool(found.loners), found.ordered_up, found.tricks, found.points)


def _best(start: DealState, contracts: Sequence[solver.Contract]) -> tuple[Contract, ...]:
    best = []
    for seat in range(start.rules.players):
        own = [found for found in contracts if found.maker == seat]
        if own:
            best.append(_contract(max(own, key=lambda found: _worth(start.rules, found))))
    return tuple(best)


def _worth(rules: Rules, found: solver.Contract) -> tuple[float, int, bool]:
    return _net(found.points, rules.side(found.maker)), found.tricks, not found.loners


def _par(start: DealState, contracts: Sequence[solver.Contract]) -> Contract | None:
    """Backwards from the last to speak: everybody calls the best he has if it is better for him
    than what follows his pass."""
    rules, dealer, players = start.rules, start.dealer, start.rules.players
    if not contracts:
        return None
    if not rules.proposed_suit(start.up_card):
        return _contract(max(contracts, key=lambda found: _worth(rules, found)))
    after: solver.Contract | None = None
    nothing = [int(rules.all_pass_penalty and side != rules.side(dealer)) for side in range(rules.sides)]
    order = [(dealer + place) % players for place in range(1, players + 1)]
    for first, seat in [(first, seat) for first in (False, True) for seat in reversed(order)]:
        own = [found for found in contracts if found.maker == seat and found.ordered_up == first]
        if first and rules.canadian_loner and seat == (dealer + 2) % 4:
            own = [found for found in own if found.loners]
        if not own:
            continue
        best = max(own, key=lambda found: _worth(rules, found))
        stuck = not first and seat == dealer and rules.stick_the_dealer and not rules.all_pass_penalty
        side = rules.side(seat)
        if stuck or _net(best.points, side) > _net(after.points if after else nothing, side):
            after = best
    return _contract(after) if after else None


def _as_played(states: Sequence[DealState]) -> tuple[Contract | None, Contract | None]:
    first = next((state for state in states if state.phase == "play"), None)
    if first is None:
        return None, None
    assert first.maker is not None and first.trump is not None
    rules, maker = first.rules, first.maker
    ordered_up = first.up_card_state in ("taken", "declined", "given")
    makers = rules.side(maker)
    lone = [seat for seat in first.loners if rules.side(seat) == makers]

    def contract(found: solver.Outcome, alone: bool) -> Contract:
        return Contract(maker, first.trump or "", alone, ordered_up, found.tricks, found.points)

    played = contract(solver.solve(first), bool(lone))
    if rules.alone_who == "none" or rules.partners_best:
        return played, None
    others = [seat for seat in first.loners if seat not in lone]
    loners = tuple(others if lone else [maker, *others])
    at = solver.position(first)._replace(loners=loners, turn=solver.first_leader(rules, first.dealer, loners))
    return played, contract(solver.solve(at), not lone)


def _turn(expected: Sequence[Sequence[float]]) -> int | None:
    changes = [max(abs(a - b) for a, b in zip(old, new, strict=True)) for old, new in pairwise(expected)]
    most = max(changes, default=0.0)
    return changes.index(most) if most >= MISTAKE else None


# As plain numbers and back


def to_json(found: PostMortem) -> dict[str, Any]:
    """A post-mortem as JSON holds it; :func:`from_json` reads it."""
    decisions = [
        decision._asdict()
        | {
            "options": [option._asdict() for option in decision.options],
            "reasons": [reason._asdict() for reason in decision.reasons],
        }
        for decision in found.decisions
    ]
    return found._asdict() | {
        "decisions": decisions,
        "par": found.par and found.par._asdict(),
        "best": [contract._asdict() for contract in found.best],
        "played": found.played and found.played._asdict(),
        "other": found.other and found.other._asdict(),
    }


def from_json(numbers: dict[str, Any]) -> PostMortem:
    def contract(told: dict[str, Any] | None) -> Contract | None:
        return Contract(**{**told, "points": tuple(told["points"])}) if told else None

    return PostMortem(
        expected=tuple(map(tuple, numbers["expected"])),
        decisions=tuple(
            Decision(
                **{
                    **told,
                    "options": tuple(Option(**option) for option in told["options"]),
                    "reasons": tuple(Reason(**reason) for reason in told["reasons"]),
                }
            )
            for told in numbers["decisions"]
        ),
        par=contract(numbers["par"]),
        best=tuple(found for told in numbers["best"] if (found := contract(told))),
        played=contract(numbers["played"]),
        other=contract(numbers["other"]),
        turn=numbers["turn"],
    )
