"""Cards, suits, scores, avatars and people as markup.

Every function returns a ``SafeString`` and escapes what it is given, so the same functions are
template tags here and, by :data:`FUNCTIONS`, globals of the live table's Jinja templates. What
depends only on its arguments and the language is cached: the live table asks for the same few
hundred pieces all day.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Any, Final

from django import template
from django.templatetags.static import static
from django.urls import reverse
from django.utils.html import escape
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext, ngettext, pgettext, pgettext_lazy

from .quilts import quilt_paths

register = template.Library()

SUIT_NAMES: Final = {
    "C": pgettext_lazy("suit", "clubs"),
    "D": pgettext_lazy("suit", "diamonds"),
    "H": pgettext_lazy("suit", "hearts"),
    "S": pgettext_lazy("suit", "spades"),
    "N": pgettext_lazy("suit", "no trump"),
}
SUITS_OF_CARDS: Final = {
    "C": pgettext_lazy("suit in the name of a card", "clubs"),
    "D": pgettext_lazy("suit in the name of a card", "diamonds"),
    "H": pgettext_lazy("suit in the name of a card", "hearts"),
    "S": pgettext_lazy("suit in the name of a card", "spades"),
}
RANK_NAMES: Final = {
    "7": pgettext_lazy("rank of a card", "Seven"),
    "8": pgettext_lazy("rank of a card", "Eight"),
    "9": pgettext_lazy("rank of a card", "Nine"),
    "T": pgettext_lazy("rank of a card", "Ten"),
    "J": pgettext_lazy("rank of a card", "Jack"),
    "Q": pgettext_lazy("rank of a card", "Queen"),
    "K": pgettext_lazy("rank of a card", "King"),
    "A": pgettext_lazy("rank of a card", "Ace"),
}

_FIVE: Final = ((0, 0), (16, 0), (8, 8), (0, 16), (16, 16))
"""Where the five squares of a nine-patch stand, in the order they fill."""


def _by_language(function: Callable[..., SafeString]) -> Callable[..., SafeString]:
    """Cache a pure function whose result also depends on the active language."""

    @lru_cache(maxsize=2048)
    def cached(_language: str | None, *args: Any, **kwargs: Any) -> SafeString:
        return function(*args, **kwargs)

    @wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> SafeString:
        return cached(get_language(), *args, **kwargs)

    return wrapper


@lru_cache(maxsize=8)
def _sprite(name: str) -> str:
    return escape(static(name))


def suit_name(suit: str) -> str:
    """``hearts`` for ``H``, ``no trump`` for ``N``, in the active language. ``KeyError`` for anything else."""
    return str(SUIT_NAMES[suit])


def rank_name(card: str) -> str:
    """``Jack`` for ``JD``, in the active language. ``KeyError`` for what has no rank."""
    return str(RANK_NAMES[card[0]])


def card_name(card: str) -> str:
    """``Jack of diamonds`` for ``JD``, in the active language; ``Joker`` for ``B``.

    ``KeyError`` or ``IndexError`` for what is no card: a bug, never a player's mistake.
    """
    if card == "B":
        return pgettext("card", "Joker")
    return gettext("%(rank)s of %(suit)s") % {"rank": RANK_NAMES[card[0]], "suit": SUITS_OF_CARDS[card[1]]}


def _more(cls: str) -> str:
    return f" {escape(cls)}" if cls else ""


def _sprite_id(card: str) -> str:
    return "JK" if card == "B" else card


def _suit_key(card: str) -> str:
    """The suit whose colour the card is drawn in; the joker has its own."""
    return "K" if card == "B" else card[-1]


@register.simple_tag
@lru_cache(maxsize=512)
def icon(name: str, cls: str = "") -> SafeString:
    """A line icon, ``i-<name>`` of icons.svg. Decoration: the words stand beside it."""
    return SafeString(
        f'<svg class="icon{_more(cls)}" aria-hidden="true"><use href="{_sprite("icons.svg")}#i-{escape(name)}"/></svg>'
    )


@register.simple_tag
@_by_language
def suit(key: str, label: bool = True) -> SafeString:
    """A suit's symbol within text, named for screen readers unless the word stands beside it;
    for no-trump two letters."""
    if key == "N":
        return SafeString(f'<b class="suit suit--nt">{escape(pgettext("short for no trump", "NT"))}</b>')
    name = f'role="img" aria-label="{escape(suit_name(key))}"' if label else 'aria-hidden="true"'
    return SafeString(
        f'<svg class="suit" data-suit="{key}" {name}><use href="{_sprite("cards.svg")}#suit-{key}"/></svg>'
    )


@register.simple_tag
@lru_cache(maxsize=128)
def face(symbol: str) -> SafeString:
    """The bare drawing of a card (or ``back``) for a parent that carries the name."""
    return SafeString(
        '<svg class="face" viewBox="0 0 100 140" aria-hidden="true">'
        f'<use href="{_sprite("cards.svg")}#c-{escape(_sprite_id(symbol))}"/></svg>'
    )


@register.simple_tag
@_by_language
def card(code: str, cls: str = "", named: bool = False, tag: str = "") -> SafeString:
    """A card face up.

    ``named`` gives it its view-transition name: at most once for each card of a document, on
    the live table only. ``tag`` is a word on the card, such as "left bower".
    """
    style = f' style="view-transition-name:card-{_sprite_id(code)}"' if named else ""
    word = f'<span class="card__tag">{escape(tag)}</span>' if tag else ""
    return SafeString(
        f'<span class="card{_more(cls)}" data-card="{escape(code)}" data-suit="{_suit_key(code)}" '
        f'role="img" aria-label="{escape(card_name(code))}"{style}>{face(code)}'
        f"{word}</span>"
    )


@register.simple_tag
@_by_language
def mini(code: str, cls: str = "") -> SafeString:
    """A small card face up, for records, replays and the lobby."""
    return SafeString(
        f'<span class="card card--mini{_more(cls)}" data-card="{escape(code)}" '
        f'data-suit="{_suit_key(code)}" role="img" aria-label="{escape(card_name(code))}">'
        '<svg class="face" viewBox="0 0 100 140" aria-hidden="true">'
        f'<use href="{_sprite("cards.svg")}#m-{escape(_sprite_id(code))}"/></svg></span>'
    )


@register.simple_tag
@_by_language
def backs(count: int, label: str = "") -> SafeString:
    """``count`` cards face down. ``label`` replaces "3 cards, face down"."""
    words = label or ngettext("%(count)d card, face down", "%(count)d cards, face down", count) % {"count": count}
    back = (
        '<svg class="card face" viewBox="0 0 100 140" aria-hidden="true">'
        f'<use href="{_sprite("cards.svg")}#c-back"/></svg>'
    )
    return SafeString(f'<span class="backs" role="img" aria-label="{escape(words)}">{back * count}</span>')


@register.simple_tag
@lru_cache(maxsize=4096)
def quilt(seed: object, cls: str = "") -> SafeString:
    """The avatar for a player's id (or any text). Decoration: the name stands beside it."""
    return SafeString(
        f'<svg class="quilt{_more(cls)}" viewBox="0 0 24 24" aria-hidden="true">{quilt_paths(str(seed))}</svg>'
    )


@register.simple_tag
@lru_cache(maxsize=32)
def fives(points: int) -> SafeString:
    """A score of 0 to 10 as two nine-patches filling up. Decoration: the numeral stands beside it."""
    squares = [f"M{x + block * 30 + 0.75} {y + 0.75}h6.5v6.5h-6.5z" for block in (0, 1) for x, y in _FIVE]
    filled, hollow = "".join(squares[:points]), "".join(squares[points:])
    paths = f'<path d="{hollow}"/><path class="on" d="{filled}"/>'
    return SafeString(f'<svg class="fives" viewBox="0 0 54 24" aria-hidden="true">{paths}</svg>')


@register.simple_tag
@_by_language
def geese(form: str) -> SafeString:
    """The last results, oldest first, as flying geese: ``W`` peaks filled, ``L`` dips hollow."""
    width = len(form) * 9
    shapes, words = [], []
    for index, result in enumerate(form):
        left = index * 9
        if result == "W":
            shapes.append(f'<path class="w" d="M{left} 8 L{left + 4} 1 L{left + 8} 8Z"/>')
            words.append(pgettext("result of a game", "won"))
        else:
            shapes.append(f'<path class="l" d="M{left} 10 L{left + 4} 17 L{left + 8} 10Z"/>')
            words.append(pgettext("result of a game", "lost"))
    label = gettext("Last results, oldest first: %(results)s") % {"results": ", ".join(words)}
    return SafeString(
        f'<svg class="geese" viewBox="0 0 {width} 18" width="{width}" height="18" role="img" '
        f'aria-label="{escape(label)}">{"".join(shapes)}</svg>'
    )


@lru_cache(maxsize=4096)
def _profile(name: str) -> str:
    return escape(reverse("player", args=[name]))


@register.simple_tag
def who(player: Any, rating: int | None = None, sub: str = "") -> SafeString:
    """A person or bot: quilt, linked name, "Bot" in words, and if given a line below and a rating.

    ``player`` is a ``Player``, anything with ``player_id``, ``name`` and ``bot_level`` such as a
    table's seat, or None for somebody who has deleted the account.
    """
    if player is None:
        return SafeString(
            f'<span class="who">{quilt("")}<span class="who__t">{escape(gettext("a former player"))}</span></span>'
        )
    seed = player.player_id if hasattr(player, "player_id") else player.pk
    below = f"<small>{escape(sub)}</small>" if sub else ""
    end = f'<span class="num who__r">{escape(rating)}</span>' if rating is not None else ""
    return SafeString(
        f'<span class="who">{quilt(seed)}<span class="who__t"><a href="{_profile(player.name)}">'
        f"<bdi>{escape(player.name)}</bdi></a>{bot_badge() if player.bot_level else ''}{below}</span>{end}</span>"
    )


@register.simple_tag
@_by_language
def bot_badge() -> SafeString:
    """The word that stands beside every bot's name."""
    word = escape(pgettext("badge", "Bot"))
    return SafeString(f' <span class="badge badge--bot">{icon("bot")}{word}</span>')


FUNCTIONS: Final[dict[str, Callable[..., Any]]] = {
    "icon": icon,
    "suit": suit,
    "face": face,
    "card": card,
    "mini": mini,
    "backs": backs,
    "quilt": quilt,
    "fives": fives,
    "geese": geese,
    "who": who,
    "bot_badge": bot_badge,
    "suit_name": suit_name,
    "card_name": card_name,
}
"""What a Jinja environment takes over as globals."""

register.filter("suit_name", suit_name)
register.filter("card_name", card_name)
register.filter("rank_name", rank_name)
