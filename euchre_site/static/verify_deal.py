"""Check the deals of a game of Euchre from its record: python verify_deal.py euchre-7.txt"""

import re
import sys
from hashlib import sha256
from hmac import digest
from pathlib import Path

LENGTH = 200  # deals of a chain
PRESETS = {"article": (4, 24), "tournament_scene": (4, 24), "british": (4, 25), "pack32": (4, 32)}
PRESETS |= {"two_handed": (2, 24), "three_handed": (3, 24), "railroad": (4, 25)}  # players, cards
RECORD = r"euchre 1\nrules (\w+)(.*)\nfirst_dealer (\d)\n(?:start .*\n)?((?:deal \w+(?: .*)?\n)*)"


def shuffled(cards, secret, number, nonces):
    text = ",".join(nonces) + f":{number}:"
    return sorted(cards, key=lambda card: digest(secret, (text + card).encode(), "sha256"))


def proof(word, pattern):
    found = [line for line in lines if line.split()[:2] == ["#", word]]
    read = [re.fullmatch(f"# {word} ([1-9][0-9]*) {pattern}", line) for line in found]
    return [match.groups() for match in read] if all(read) else sys.exit(f"a line of a {word} cannot be read")


lines = Path(sys.argv[1]).read_text("utf-8").splitlines()
game = "".join(f"{line}\n" for line in lines if not line.startswith("#"))
preset, options, dealer, played = (re.fullmatch(RECORD, game) or sys.exit("this is no record of a game")).groups()
try:
    rules = dict(option.split("=") for option in options.split())
    players, size = (int(rules.get(key, usual)) for key, usual in zip(("players", "pack"), PRESETS[preset]))
    decides = {"random": ["AS"], "first_black_jack": ["JC", "JS"]}[rules.get("first_dealer", "random")]
except (KeyError, ValueError):
    sys.exit("its rules cannot be read")
pack = [rank + suit for suit in "CDHS" for rank in "789TJQKA"[-(size // 4) :]] + ["B"] * (size % 4)
deals = [re.findall("B|..", deck) for deck in re.findall(r"(?m)^deal (\w+)", played)]
chains = proof("chain", "([0-9a-f]{64})((?: (?:browser|server):[0-9a-f]{32})+)")
given = proof("secret", "([0-9a-f]{64})")
secrets = {int(number): bytes.fromhex(secret) for number, secret in given}
ok = bool(deals) and len(secrets) == len(given)
begun = [int(first) for first, *_ in chains]
contiguous = begun == [*range(1, len(deals) + 2, LENGTH)][: len(begun)]
for number, dealt in enumerate(deals, 1):
    faults = []
    if not contiguous:
        faults += [f"there is not one chain for every {LENGTH} deals, the first from deal 1 on"]
    first, commitment, added = next((c for c in reversed(chains) if 0 <= number - int(c[0]) < LENGTH), (number, "", ""))
    nonces, secret = re.findall("[0-9a-f]{32}", added), secrets.get(number, b"")
    if len(nonces) != players:
        faults += ["its chain has not one nonce for each seat"]
    draw = secret
    for _ in range(number - int(first) + 1):  # back through the chain as far as its draw
        draw = sha256(draw).digest()
    if sha256(draw).hexdigest() != commitment:
        faults += ["its secret does not lead back to the commitment"]
    elif number == int(first):
        promised = [f"server:{digest(draw, b'nonce:%d' % seat, 'sha256').hex()[:32]}" for seat in range(len(nonces))]
        if any(nonce[0] == "s" and nonce != promise for nonce, promise in zip(added.split(), promised)):
            faults += ["a nonce of the server is not the one that was promised"]
        order = shuffled([rank + suit for suit in "CDHS" for rank in "9TJQKA"], draw, 0, nonces)
        if number == 1 and min(map(order.index, decides)) % players != int(dealer):
            faults += ["the draw gives the first deal to another seat"]
    faults += ["secret and nonces give another deck"] * (shuffled(pack, secret, number, nonces) != dealt)
    ok = ok and not faults
    print(f"deal {number}:", "; ".join(faults) or "OK")
sys.exit(not ok)
