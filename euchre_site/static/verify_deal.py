"""Check the deals of a game of Euchre from its record: python verify_deal.py euchre-7.txt"""

import re
import sys
from hashlib import sha256
from hmac import digest
from pathlib import Path


def shuffled(cards, secret, number, nonces):
    text = ",".join(nonces) + f":{number}:"
    return sorted(cards, key=lambda card: digest(secret, (text + card).encode(), "sha256"))


lines = [line.split() for line in Path(sys.argv[1]).read_text("utf-8").splitlines()]
words = ("first_dealer", "draw", "deal", "chain", "secret")
dealer, draw, deals, chains, given = ([line for line in lines if word in line[:2]] for word in words)
secrets = {int(number): bytes.fromhex(secret) for _, _, number, secret in given}
ok = bool(deals)
for number, line in enumerate(deals, 1):
    _, _, first, commitment, *added = next(c for c in reversed([[0, 0, 1, ""], *chains]) if int(c[2]) <= number)
    dealt, nonces, faults = re.findall("B|..", line[1]), [nonce.split(":")[1] for nonce in added], []
    link = secret = secrets.get(number, b"")
    for _ in range(number - int(first) + 1):  # back through the chain as far as its draw
        link = sha256(link).digest()
    if sha256(link).hexdigest() != commitment:
        faults += ["its secret does not lead back to the commitment"]
    elif number == int(first):
        promised = [f"server:{digest(link, b'nonce:%d' % seat, 'sha256').hex()[:32]}" for seat in range(len(added))]
        if any(nonce[0] == "s" and nonce != promise for nonce, promise in zip(added, promised)):
            faults += ["a nonce of the server is not the one that was promised"]
        order = shuffled([rank + suit for suit in "CDHS" for rank in "9TJQKA"], link, 0, nonces)
        if number == 1 and min(map(order.index, draw[0][2:])) % len(nonces) != int(dealer[0][1]):
            faults += ["the draw gives the first deal to another seat"]
    faults += ["secret and nonces give another deck"] * (shuffled(dealt, secret, number, nonces) != dealt)
    ok = ok and not faults
    print(f"deal {number}:", "; ".join(faults) or "OK")
sys.exit(not ok)
