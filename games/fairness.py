"""Fair deals: a promise before the first card that anybody can check after the last one.

Before a game the site draws a seed and hashes it again and again with SHA-256. The hashes are a
chain, used from its far end: what comes out last is published (the commitment), the hash before it
decides the draw for the first dealer, the one before that deal 1, and so on; the seed itself
would be the secret of the last deal. Whoever knows the secret of deal n can compute those before
it, back to the commitment, and none after it::

    commitment = SHA256(draw)    draw = SHA256(secret of deal 1)    secret 1 = SHA256(secret 2) ...

Then each seat adds a nonce that its browser has drawn, once the commitment was there to be seen.
For bots and browsers that added none it is computed from the draw, which was promised already.
The deck of deal n follows from the secret of deal n, n and all nonces (:mod:`games.engine.shuffle`);
the first dealer from the draw and the same nonces. So the site cannot choose once it has seen a nonce,
and nobody else can foresee. A secret is given out when its deal has been scored.

A chain serves :data:`LENGTH` deals, the first one from deal 1 on, the next one where it ends. While the
last of them is played the next chain is promised and gathers nonces of its own, just as before a
game. A record in which chains begin anywhere else is at fault: else the site could begin a new one
for each deal, made to its liking.

What no record can show is that a commitment came before the nonces. Browsers know it: they keep
the commitment that they answered (``fair.js``), and the page of a check compares.

In a record all this is comments: a line for each chain, then one for each secret::

    # chain 1 <commitment> browser:<nonce> server:<nonce> server:<nonce> browser:<nonce>
    # secret 1 <hex>
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Literal, NamedTuple

from games.engine import Card, Rules, first_dealer, pack, shuffled

LENGTH = 200
"""Deals of one chain."""

SEED_BYTES = 32

_NONCE = re.compile(r"[0-9a-f]{32}")
_HEX = re.compile(r"[0-9a-f]{64}")


class Nonce(NamedTuple):
    """What one seat adds: 32 hexadecimal digits, and who has drawn them."""

    text: str
    by: Literal["browser", "server"]


class Chain(NamedTuple):
    """What is public of a chain: its first deal, the commitment (64 hexadecimal digits), and a
    nonce for each seat."""

    first: int
    commitment: str
    nonces: tuple[Nonce, ...]

    @property
    def added(self) -> tuple[str, ...]:
        return tuple(nonce.text for nonce in self.nonces)


class Proof(NamedTuple):
    """What a game gives out for its check: its chains, and the secrets of deals by their numbers."""

    chains: tuple[Chain, ...]
    secrets: Mapping[int, bytes]


class RecordError(ValueError):
    """A text that is no record with a proof; the message says in which line and why."""


Fault = Literal[
    "chains", "nonces", "no_chain", "no_secret", "commitment", "server_nonce", "first_dealer", "deck"
]  # fmt: skip

SENTENCES: Mapping[Fault, str] = {
    "chains": f"there is not one chain for every {LENGTH} deals, the first from deal 1 on",
    "nonces": "its chain has not one nonce for each seat",
    "no_chain": "nothing was promised for this deal",
    "no_secret": "its secret is missing",
    "commitment": "its secret does not lead back to the commitment",
    "server_nonce": "a nonce of the server is not the one that was promised",
    "first_dealer": "the draw gives the first deal to another seat",
    "deck": "secret and nonces give another deck",
}


class Checked(NamedTuple):
    """A deal after its check: the deck as computed (empty without a secret), and what is wrong."""

    number: int
    deck: tuple[Card, ...]
    faults: tuple[Fault, ...]


# --- making ------------------------------------------------------------------------------------


def link(seed: bytes, index: int) -> bytes:
    """The hash at a place of the chain: 0 is the draw, n the secret of its n-th deal, -1 the commitment."""
    if not -1 <= index <= LENGTH:
        raise ValueError(f"a chain has no link {index}")
    return _hashed(seed, LENGTH - index)


def commitment(seed: bytes) -> str:
    """What is published of a chain, as hexadecimal digits."""
    return link(seed, -1).hex()


def settle(seed: bytes, first: int, given: Sequence[str]) -> Chain:
    """The chain for the deals from ``first`` on, once nobody may add a nonce any more. ``given``
    are those of the browsers, seat by seat; "" becomes one of the server."""
    draw = link(seed, 0)
    nonces = tuple(
        Nonce(text, "browser") if text else Nonce(server_nonce(draw, seat), "server") for seat, text in enumerate(given)
    )
    return Chain(first, commitment(seed), nonces)


def secret(seed: bytes, chain: Chain, number: int) -> bytes:
    """The secret of a deal. ValueError if the chain does not reach it."""
    if number < chain.first:
        raise ValueError(f"deal {number} comes before this chain")
    return link(seed, number - chain.first + 1)


def ends_chain(number: int) -> bool:
    """Whether the deal is the last one of its chain."""
    return number > 0 and number % LENGTH == 0


def is_nonce(text: str) -> bool:
    return _NONCE.fullmatch(text) is not None


def server_nonce(draw: bytes, seat: int) -> str:
    """What stands in for a browser: fixed by the chain, so that nothing is left to choose."""
    return hmac.new(draw, f"nonce:{seat}".encode(), "sha256").hexdigest()[:32]


def drawn_dealer(rules: Rules, draw: bytes, nonces: Sequence[str]) -> int:
    """The seat that deals first: the pack of 24, shuffled as deal 0, is dealt out card by card from
    seat 0 until the card falls that decides (:func:`games.engine.first_dealer`; G17, O2)."""
    return first_dealer(rules, shuffled(pack(), draw, 0, nonces))


def deck(cards: Iterable[Card], secret: bytes, chain: Chain, number: int) -> tuple[Card, ...]:
    """The deck of a deal: the pack, in whatever order, shuffled."""
    return shuffled(tuple(cards), secret, number, chain.added)


def _hashed(value: bytes, times: int) -> bytes:
    for _ in range(times):
        value = sha256(value).digest()
    return value


# --- checking ------------------------------------------------------------------------------------


def verify(proof: Proof, rules: Rules, dealer: int, decks: Mapping[int, Sequence[Card]]) -> tuple[Checked, ...]:
    """Check every deal of a game by its number; ``dealer`` is the first one. Each is held against
    the commitment itself, so that one that is wrong does not make others look wrong; chains that
    do not follow each other are the fault of every deal."""
    whole: tuple[Fault, ...] = () if _contiguous(proof.chains, max(decks, default=0)) else ("chains",)
    checked = (_check(proof, rules, dealer, number, dealt) for number, dealt in sorted(decks.items()))
    return tuple(deal._replace(faults=whole + deal.faults) for deal in checked)


def _contiguous(chains: Sequence[Chain], deals: int) -> bool:
    """Whether each chain begins where the one before it ends, and none comes before it is needed:
    the last one may be that of a deal which was never scored."""
    firsts = [chain.first for chain in chains]
    return firsts == [*range(1, deals + 2, LENGTH)][: len(firsts)]


def _check(proof: Proof, rules: Rules, dealer: int, number: int, dealt: Sequence[Card]) -> Checked:
    chain = chain_of(proof.chains, number)
    if chain is None:
        return Checked(number, (), ("no_chain",))
    found = proof.secrets.get(number)
    if found is None:
        return Checked(number, (), ("no_secret",))
    faults: list[Fault] = []
    if len(chain.nonces) != rules.players:
        faults.append("nonces")
    draw = _hashed(found, number - chain.first + 1)
    if _hashed(draw, 1).hex() != chain.commitment:
        faults.append("commitment")
    elif number == chain.first:
        faults += _draw_faults(chain, rules, draw, dealer)
    computed = deck(dealt, found, chain, number)
    if computed != tuple(dealt):
        faults.append("deck")
    return Checked(number, computed, tuple(faults))


def _draw_faults(chain: Chain, rules: Rules, draw: bytes, dealer: int) -> Iterable[Fault]:
    if any(nonce.by == "server" and nonce.text != server_nonce(draw, seat) for seat, nonce in enumerate(chain.nonces)):
        yield "server_nonce"
    if chain.first == 1 and drawn_dealer(rules, draw, chain.added) != dealer:
        yield "first_dealer"


def chain_of(chains: Iterable[Chain], number: int) -> Chain | None:
    """The chain that a deal belongs to."""
    found = [chain for chain in chains if chain.first <= number < chain.first + LENGTH]
    return found[-1] if found else None


# --- as text -------------------------------------------------------------------------------------


def format_chain(chain: Chain) -> str:
    """``1 <commitment> browser:<nonce> ...``"""
    return " ".join([str(chain.first), chain.commitment, *(f"{nonce.by}:{nonce.text}" for nonce in chain.nonces)])


def parse_chain(text: str) -> Chain:
    """The chain of a text made by :func:`format_chain`. RecordError for anything else."""
    match text.split(" "):
        case [first, head, *rest] if re.fullmatch("[1-9][0-9]{0,4}", first) and _HEX.fullmatch(head) and rest:
            return Chain(int(first), head, tuple(map(_parse_nonce, rest)))
    raise RecordError("a chain is the number of a deal, 64 hexadecimal digits, and a nonce for each seat")


def _parse_nonce(text: str) -> Nonce:
    by, _, digits = text.partition(":")
    if is_nonce(digits):
        if by == "browser":
            return Nonce(digits, "browser")
        if by == "server":
            return Nonce(digits, "server")
    raise RecordError("a nonce is browser: or server: and 32 hexadecimal digits")


def format_proof(proof: Proof) -> str:
    """The lines that follow a game in its record."""
    lines = [f"# chain {format_chain(chain)}" for chain in proof.chains]
    lines += [f"# secret {number} {secret.hex()}" for number, secret in sorted(proof.secrets.items())]
    return "".join(f"{line}\n" for line in lines)


def split_record(text: str) -> tuple[str, Proof]:
    """A record taken apart: the game for :func:`games.engine.parse_game`, and its proof.
    RecordError for a line of the proof that cannot be read."""
    game: list[str] = []
    chains: list[Chain] = []
    secrets: dict[int, bytes] = {}
    for at, line in enumerate(text.splitlines(keepends=True), start=1):
        words = line.split()
        try:
            if words[:2] == ["#", "chain"]:
                chains.append(parse_chain(" ".join(words[2:])))
            elif words[:2] == ["#", "secret"]:
                number, value = _parse_secret(words[2:])
                if number in secrets:
                    raise RecordError(f"a second secret for deal {number}")
                secrets[number] = value
            elif not line.startswith("#"):
                game.append(line)
        except RecordError as error:
            raise RecordError(f"line {at}: {error}") from None
    return "".join(game), Proof(tuple(chains), secrets)


def _parse_secret(words: Sequence[str]) -> tuple[int, bytes]:
    match words:
        case [number, value] if re.fullmatch("[1-9][0-9]{0,4}", number) and _HEX.fullmatch(value):
            return int(number), bytes.fromhex(value)
    raise RecordError("a secret is the number of a deal and 64 hexadecimal digits")
