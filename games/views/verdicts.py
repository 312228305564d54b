"""The analysis of a deal in words and pictures: what was done, what to do, why, and the curve of
expected points.

A mistake is told to whoever made it as "you", to others by name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from games import engine
from games.bots.analysis import Contract, Decision, PostMortem, Reason
from games.engine import NO_TRUMP, Action, DealState, SeatView, Suit, Trump, effective_suit
from games.live import words
from games.templatetags.euchre import mini, suit_name
from games.templatetags.euchre import suit as suit_symbol

MOST_REASONS: Final = 3
REACH: Final = 2.0
"""Points either way that a bar spans, and the curve at least."""
WIDTH, HEIGHT = 400, 80


class Bar(NamedTuple):
    """An action that was open: its picture or words, points expected, and how long its bar is."""

    picture: SafeString | str
    value: str
    part: int
    best: bool
    chosen: bool


class Verdict(NamedTuple):
    """What is said of a move at its step; of a choice with what was open."""

    since: int
    until: int
    title: SafeString
    reasons: Sequence[SafeString | str] = ()
    bars: Sequence[Bar] = ()
    mistake: bool = False
    note: str = ""


class Mark(NamedTuple):
    """A mistake in the list of moves."""

    note: SafeString
    cost: str


class Curve(NamedTuple):
    """Expected points after each step, for the side at the bottom, as paths of an SVG."""

    line: str
    area: str
    zero: str
    now: str
    values: Sequence[str]
    """After each step, in words."""
    description: str
    ours: str
    theirs: str
    turn: str
    """A dot where most changed, or ""."""


class Looked(NamedTuple):
    """A deal's analysis as its page shows it."""

    verdicts: Sequence[Verdict]
    marks: dict[int, Mark]
    """By step."""
    curve: Curve
    facts: Sequence[SafeString]
    turn: int | None
    """The step that changed most."""


class Moment(NamedTuple):
    """Of a decision, what its words need: also of one that is still to be made."""

    at: int
    seat: int
    kind: str


class Seen(NamedTuple):
    """A deal that is over, or as a seat sees it, to whom it is shown, and what its moves are called."""

    deal: DealState | SeatView
    names: words.Names
    you: int | None
    south: int
    steps: Sequence[int]
    """``steps[n]``: how many of the first ``n`` actions are moves of the replay."""


def look(found: PostMortem, seen: Seen, step: int, signed: Callable[[float], str]) -> Looked:
    """Everything of the analysis that the page shows. ``signed``: points with their sign."""
    decisions = found.decisions
    at = {decision.at: _step_of(decision, seen) for decision in decisions}
    verdicts = list(_verdicts(decisions, at, seen, signed))
    marks = {
        at[decision.at]: Mark(_better_note(decision), signed(-decision.cost))
        for decision in decisions
        if decision.mistake
    }
    turn = None if found.turn is None else max(1, seen.steps[found.turn + 1])
    return Looked(verdicts, marks, _curve(found, seen, step, turn, signed), list(_facts(found, seen)), turn)


def _step_of(decision: Decision, seen: Seen) -> int:
    """An answer that is no move of its own belongs to the move before it."""
    return max(1, seen.steps[decision.at + 1])


# What is said of decisions


def _verdicts(
    decisions: Sequence[Decision], at: dict[int, int], seen: Seen, signed: Callable[[float], str]
) -> Iterator[Verdict]:
    """The last decision at a step, but a mistake before all others."""
    by_step: dict[int, Decision] = {}
    for decision in decisions:
        step = at[decision.at]
        if decision.seat in seen.deal.sitting_out and decision.kind in ("lead", "follow"):
            continue
        if step not in by_step or decision.mistake or (_said(decision) and not by_step[step].mistake):
            by_step[step] = decision
    yield Verdict(0, 1, SafeString(_("Step through the deal: each move shows what could be expected of it.")))
    for place, (seat, action) in enumerate(seen.deal.history):
        step = seen.steps[place + 1]
        if action.kind in ("play", "pass") and step not in by_step:
            who = words.name_html(seen.names[seat])
            title = _("You had no choice.") if seat == seen.you else _("%(who)s had no choice.") % {"who": who}
            yield Verdict(step, step + 1, mark_safe(title))  # noqa: S308  a message of ours, its values escaped
    for step, decision in by_step.items():
        title = title_of(decision, seen)
        reasons: list[SafeString | str] = [sentence for reason in decision.reasons if (sentence := why(reason, seen))]
        if not decision.mistake:
            reasons = [_praise(decision)]
        note = _("Points the side could expect, over %(count)d ways in which the unseen cards could lie.") % {
            "count": decision.deals
        }
        yield Verdict(
            step, step + 1, title, reasons[:MOST_REASONS], list(_bars(decision, signed)), decision.mistake, note
        )


def _praise(decision: Decision) -> SafeString | str:
    """What is said of a decision that was no mistake."""
    if decision.options[0].action == decision.chosen:
        return _("Nothing was better.")
    if decision.right:
        return _("As good as the best.")
    best = engine.parse_action(decision.options[0].action)
    return format_html(_("A little better: {what}."), what=words.card_words(best.card) if best.card else _short(best))


def _said(decision: Decision) -> bool:
    return decision.chosen not in ("together", "keep")


def _bars(decision: Decision, signed: Callable[[float], str]) -> Iterator[Bar]:
    for place, option in enumerate(decision.options):
        action = engine.parse_action(option.action)
        part = round(100 * (min(max(option.value, -REACH), REACH) + REACH) / (2 * REACH))
        picture = mini(action.card) if action.card else _short(action)
        yield Bar(picture, signed(option.value), part, place == 0, option.action == decision.chosen)


def _short(action: Action) -> SafeString | str:
    """A call beside its bar."""
    match action.kind:
        case "call" | "call_alone":
            suit = suit_symbol(action.suit or "")
            return suit if action.kind == "call" else format_html("{} {}", suit, pgettext("call", "alone"))
        case kind:
            return {
                "pass": pgettext("call", "pass"),
                "order_up": pgettext("call", "up"),
                "order_up_alone": pgettext("call", "up, alone"),
                "decline": pgettext("call", "leave it"),
                "alone": pgettext("call", "alone"),
                "together": pgettext("call", "not alone"),
                "keep": pgettext("call", "keep"),
            }.get(kind, kind)


def title_of(decision: Decision, seen: Seen) -> SafeString:
    """``You threw the ace of hearts. Throw the king of spades.``"""
    you = decision.seat == seen.you
    action = engine.parse_action(decision.chosen)
    done = _done(action, decision, seen, you) % {
        "who": words.name_html(seen.names[decision.seat]),
        "what": _what(action),
    }
    if not decision.mistake:
        return mark_safe(done)  # noqa: S308  a message of ours, its values escaped
    best = engine.parse_action(decision.options[0].action)
    return mark_safe(f"{done} {advice(best, decision, seen)}")  # noqa: S308  the same


def _what(action: Action) -> str:
    return words.card_words(action.card) if action.card else suit_name(action.suit or "") if action.suit else ""


def _manner(action: Action, decision: Decision | Moment, seen: Seen) -> str:
    """How a card is played: led, played, ruffed or thrown."""
    if decision.kind == "lead":
        return "lead"
    trump, led = seen.deal.trump or "", _led(decision, seen)
    suit = effective_suit(action.card or "", trump)
    if suit == effective_suit(led, trump):
        return "play"
    return "ruff" if suit == trump != NO_TRUMP else "throw"


def _led(decision: Decision | Moment, seen: Seen) -> str:
    """The card led to the trick of a decision."""
    plays = [action.card or "" for _seat, action in seen.deal.history[: decision.at] if action.kind == "play"]
    size = seen.deal.rules.players - len(seen.deal.sitting_out)
    return plays[len(plays) // size * size]


def _done(action: Action, decision: Decision, seen: Seen, you: bool) -> str:
    if action.kind == "play":
        return {
            ("lead", True): _("You led %(what)s."),
            ("lead", False): _("%(who)s led %(what)s."),
            ("play", True): _("You played %(what)s."),
            ("play", False): _("%(who)s played %(what)s."),
            ("ruff", True): _("You ruffed with %(what)s."),
            ("ruff", False): _("%(who)s ruffed with %(what)s."),
            ("throw", True): _("You threw %(what)s."),
            ("throw", False): _("%(who)s threw %(what)s."),
        }[_manner(action, decision, seen), you]
    took = action.kind.startswith("order_up") and decision.seat == seen.deal.dealer
    return {
        ("pass", True): _("You passed."),
        ("pass", False): _("%(who)s passed."),
        ("order_up", True): _("You took it up.") if took else _("You ordered it up."),
        ("order_up", False): _("%(who)s took it up.") if took else _("%(who)s ordered it up."),
        ("order_up_alone", True): _("You took it up alone.") if took else _("You ordered it up alone."),
        ("order_up_alone", False): _("%(who)s took it up alone.") if took else _("%(who)s ordered it up alone."),
        ("call", True): _("You called %(what)s."),
        ("call", False): _("%(who)s called %(what)s."),
        ("call_alone", True): _("You called %(what)s alone."),
        ("call_alone", False): _("%(who)s called %(what)s alone."),
        ("discard", True): _("You put %(what)s away."),
        ("discard", False): _("%(who)s put %(what)s away."),
        ("give", True): _("You gave %(what)s."),
        ("give", False): _("%(who)s gave %(what)s."),
        ("decline", True): _("You left the up-card."),
        ("decline", False): _("%(who)s left the up-card."),
        ("alone", True): _("You went alone."),
        ("alone", False): _("%(who)s went alone."),
        ("together", True): _("You did not go alone."),
        ("together", False): _("%(who)s did not go alone."),
        ("keep", True): _("You kept your cards."),
        ("keep", False): _("%(who)s kept the cards."),
    }[action.kind, you]


def advice(action: Action, decision: Decision | Moment, seen: Seen) -> str:
    """``Throw the king of spades.``"""
    return _advice(action, decision, seen, decision.seat == seen.you) % {"what": _what(action)}


def _advice(action: Action, decision: Decision | Moment, seen: Seen, you: bool) -> str:
    if action.kind == "play":
        return {
            ("lead", True): _("Lead %(what)s."),
            ("lead", False): _("Better: lead %(what)s."),
            ("play", True): _("Play %(what)s."),
            ("play", False): _("Better: play %(what)s."),
            ("ruff", True): _("Ruff with %(what)s."),
            ("ruff", False): _("Better: ruff with %(what)s."),
            ("throw", True): _("Throw %(what)s."),
            ("throw", False): _("Better: throw %(what)s."),
        }[_manner(action, decision, seen), you]
    took = action.kind.startswith("order_up") and decision.seat == seen.deal.dealer
    return {
        ("pass", True): _("Pass."),
        ("pass", False): _("Better: pass."),
        ("order_up", True): _("Take it up.") if took else _("Order it up."),
        ("order_up", False): _("Better: take it up.") if took else _("Better: order it up."),
        ("order_up_alone", True): _("Take it up alone.") if took else _("Order it up alone."),
        ("order_up_alone", False): _("Better: take it up alone.") if took else _("Better: order it up alone."),
        ("call", True): _("Call %(what)s."),
        ("call", False): _("Better: call %(what)s."),
        ("call_alone", True): _("Call %(what)s alone."),
        ("call_alone", False): _("Better: call %(what)s alone."),
        ("discard", True): _("Put %(what)s away."),
        ("discard", False): _("Better: put %(what)s away."),
        ("give", True): _("Give %(what)s."),
        ("give", False): _("Better: give %(what)s."),
        ("decline", True): _("Leave the up-card."),
        ("decline", False): _("Better: leave the up-card."),
        ("alone", True): _("Go alone."),
        ("alone", False): _("Better: go alone."),
        ("together", True): _("Play with your partner."),
        ("together", False): _("Better: play with the partner."),
        ("keep", True): _("Keep your cards."),
        ("keep", False): _("Better: keep the cards."),
    }[action.kind, you]


def _better_note(decision: Decision) -> SafeString:
    """``Q and the symbol of spades was better``, beside the move."""
    best = engine.parse_action(decision.options[0].action)
    what = words.card_short(best.card) if best.card else _short(best)
    return format_html(_("better: {what}"), what=what)


# Why


def why(reason: Reason, seen: Seen) -> str:
    """A reason as a sentence; "" for one that this version does not know."""
    values: dict[str, Any] = {name: _said_value(name, value, seen) for name, value in reason.values.items()}
    if "seat" in values:
        values["who"] = seen.names[values["seat"]]
    match reason.name:
        case "partner_wins":
            text = _("%(who)s wins the trick already, with %(card)s.")
        case "wins_trick":
            text = _("%(card)s wins the trick.")
        case "cheaper":
            text = _("%(better)s wins the trick too, and %(card)s is still there for later.")
        case "may_win":
            text = _("%(card)s wins the trick in %(ways)d of 100 ways in which the unseen cards can lie.")
        case "beaten":
            text = _("%(card)s is beaten in %(ways)d of 100 ways in which the unseen cards can lie.")
        case "sure_lead":
            text = _("Nobody on the other side can beat %(card)s.")
        case "safer_lead":
            text = _(
                "The other side can beat %(card)s in %(ways)d of 100 ways in which the unseen cards can lie, "
                "%(better)s in %(fewer)d."
            )
        case "draw":
            text = _("The other side has a trump in %(ways)d of 100 ways: draw it before it ruffs.")
        case "keep_trumps":
            text = _("The trump is worth more later.")
        case "holds" if reason.values["count"] == 1:
            text = _("The last card of %(who)s is %(suits)s.")
        case "holds":
            values["suits"] = _either([suit_name(suit) if suit != seen.deal.trump else pgettext("suit", "trumps")
                                       for suit in reason.values["suits"]], _("%(one)s and %(other)s"))  # fmt: skip
            text = _("%(who)s holds nothing but %(suits)s.")
        case "beats":
            text = _("%(card)s beats every other card of its suit; %(better)s beats nothing.")
        case "boss":
            text = _("%(card)s is the highest of its suit that is left: keep it.")
        case "hand":
            return _hand_in_words(reason.values)
        case "called":
            text = _("Called, it is made in %(made)d of 100 ways in which the unseen cards can lie.")
        case "called_badly":
            text = _("It is euchred in %(euchred)d of 100 ways in which the unseen cards can lie.")
        case "waits":
            text = _("Two points or more come in %(better)d of 100 ways after a pass, in %(chosen)d after the call.")
        case "alone":
            text = _("Alone, all five come in %(marched)d of 100 ways in which the unseen cards can lie.")
        case "made":
            text = _("The makers take three tricks in %(better)d of 100 ways rather than %(chosen)d.")
        case "marched":
            text = _("The makers take all five in %(better)d of 100 ways rather than %(chosen)d.")
        case "euchred":
            text = _("The makers are euchred in %(better)d of 100 ways rather than %(chosen)d.")
        case "unmarched":
            text = _("The makers are kept from all five in %(better)d of 100 ways rather than %(chosen)d.")
        case "void":
            text = _("No card of %(suit)s is left then: such tricks can be ruffed.")
        case "keep_trump":
            text = _("%(card)s is a trump.")
        case "keep_ace":
            text = _("%(card)s wins a trick more often.")
        case _:
            return ""
    return capfirst(text % values)


def _said_value(name: str, value: Any, seen: Seen) -> Any:
    match name:
        case "card" | "better" if isinstance(value, str):
            return words.card_words(value)
        case "suit":
            return suit_name(value)
        case "suits":
            return _either([_a_card_of(suit, seen.deal.trump) for suit in value], _("%(one)s or %(other)s"))
        case _:
            return value


def _a_card_of(suit: Suit, trump: Trump | None) -> str:
    if suit == trump:
        return pgettext("a card", "a trump")
    return {
        "C": pgettext("a card", "a club"),
        "D": pgettext("a card", "a diamond"),
        "H": pgettext("a card", "a heart"),
        "S": pgettext("a card", "a spade"),
    }[suit]


def _either(told: Sequence[str], two: str) -> str:
    return two % {"one": told[0], "other": told[1]} if len(told) == 2 else told[0]


def _hand_in_words(values: dict[str, Any]) -> str:
    trumps, aces = values["trumps"], values["aces"]
    if not trumps:
        return _("There is no trump in the hand.")
    told = ngettext(
        "The hand has %(count)d trump, %(best)s.", "The hand has %(count)d trumps, the best %(best)s.", trumps
    ) % {"count": trumps, "best": words.card_words(values["best"])}  # fmt: skip
    if aces:
        told += " " + ngettext("Beside them %(count)d ace.", "Beside them %(count)d aces.", aces) % {"count": aces}
    return told


# The deal as a whole


def _facts(found: PostMortem, seen: Seen) -> Iterator[SafeString]:
    if found.par is None:
        if found.best:
            yield SafeString(_("Had everybody seen all cards, all would have passed."))
    else:
        yield _told(_("Had everybody seen all cards: %(call)s, %(tricks)s."), found.par, seen)
    if found.played is not None:
        yield _told(_("As it was called (%(call)s), perfect play gives the makers %(count)s."), found.played, seen)
    if found.other is not None and found.other.alone:
        text = (
            _("Alone, all five were there against any defence.")
            if found.other.tricks == 5
            else _("Alone, perfect play gives %(count)s.")
        )
        yield _told(text, found.other, seen)
    elif found.other is not None:
        yield _told(_("With the partner, perfect play gives %(count)s."), found.other, seen)


def call_words(maker: str, trump: str, alone: bool) -> SafeString:
    """``Otto, ♠ alone``."""
    return format_html(
        "<bdi>{}</bdi>, {}{}", maker, suit_symbol(trump), f" {pgettext('call', 'alone')}" if alone else ""
    )


def _told(text: str, contract: Contract, seen: Seen) -> SafeString:
    call = call_words(seen.names[contract.maker], contract.trump, contract.alone)
    count = words.TRICK_COUNTS[contract.tricks]
    tricks = _("the makers take %(count)s") % {"count": count}
    return mark_safe(text % {"call": call, "count": count, "tricks": tricks})  # noqa: S308  values are escaped


# The curve


def _curve(found: PostMortem, seen: Seen, step: int, turn: int | None, signed: Callable[[float], str]) -> Curve:
    last = seen.steps[-1]
    by_step = [0.0] * (last + 1)
    for at, points in enumerate(found.expected):
        by_step[seen.steps[at]] = _net(points, seen.deal.rules.side(seen.south))
    reach = max(REACH, max(map(abs, by_step)))

    def x(place: int) -> float:
        return round(WIDTH * place / max(1, last), 1)

    def y(value: float) -> float:
        return round(HEIGHT / 2 - value * (HEIGHT / 2 - 3) / reach, 1)

    line = "M" + "L".join(f"{x(place)} {y(value)}" for place, value in enumerate(by_step))
    sides = seen.deal.rules.sides
    ours = [name for seat, name in enumerate(seen.names) if seat % sides == seen.south % sides]
    team = words.team_name(seen.names, seen.deal.rules.side(seen.south)) if len(seen.names) == 4 else ours[0]
    high, low = max(by_step), min(by_step)
    description = _(
        "Expected points for %(team)s, move by move: %(first)s before the first, at best %(high)s after move "
        "%(high_at)d, at worst %(low)s after move %(low_at)d, %(end)s at the end."
    ) % {
        "team": team,
        "first": signed(by_step[0]),
        "high": signed(high),
        "high_at": by_step.index(high),
        "low": signed(low),
        "low_at": by_step.index(low),
        "end": signed(by_step[-1]),
    }
    mine = seen.you is not None and seen.deal.rules.side(seen.you) == seen.deal.rules.side(seen.south)
    return Curve(
        line=line,
        area=f"{line}L{WIDTH} {HEIGHT / 2}L0 {HEIGHT / 2}Z",
        zero=f"M0 {HEIGHT / 2}H{WIDTH}",
        now=f"M{x(step)} 0V{HEIGHT}",
        values=[signed(value) for value in by_step],
        description=description,
        ours=_("Us ahead") if mine else _("%(team)s ahead") % {"team": team},
        theirs=_("Them") if mine else _("The others"),
        turn=f"M{x(turn)} {y(by_step[turn])}h.01" if turn is not None else "",
    )


def _net(points: Sequence[float], side: int) -> float:
    return points[side] - (sum(points) - points[side]) / (len(points) - 1)
