"""Plays one friendly game with bots: python3 example_client.py ADDRESS TOKEN (needs nothing but Python)."""

import json
import sys
import time
import urllib.request

SITE, HEADERS = sys.argv[1].rstrip("/") + "/api/v1", {"Authorization": f"Bearer {sys.argv[2]}"}


def ask(path, body=None):
    """The answer to a GET, or to a POST with a body; waits when the site asks for that."""
    headers = HEADERS if body is None else HEADERS | {"Content-Type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    while True:
        try:
            return urllib.request.urlopen(urllib.request.Request(SITE + path, data, headers), timeout=60)
        except urllib.error.HTTPError as error:
            if error.code != 429:
                return error  # a refusal is JSON as well: {"error": a code, "message": a sentence}
            time.sleep(int(error.headers["Retry-After"]))


def choose(own, deal):
    """Order up with three trumps, lead high and follow low, else do what comes first."""
    actions, hand = own["legal_actions"], own["hand"]
    if "order_up" in actions and sum(card[1] == deal["up_card"][1] for card in hand) >= 3:
        return "order_up"
    cards = [action for action in actions if action.startswith(("play:", "discard:"))]
    pick = max if deal["phase"] == "play" and not deal["trick"] else min
    return pick(cards, key=lambda action: "9TJQKA".index(action[-2])) if cards else actions[0]


table = json.load(ask("/quick-match", {"pace": 45}))
if "error" in table:
    sys.exit(table["message"])
here = f"/tables/{table['id']}"
if table["phase"] == "open":
    ask(here + "/bots", {})
for line in ask(here + "/stream"):  # every event is the whole table as it stands, in one line
    if line.startswith(b"data: "):
        table = json.loads(line[6:])
        own = table["own"]
        if table["phase"] == "over":
            break
        if own["legal_actions"]:
            ask(here + "/act", {"action": choose(own, table["deal"]), "version": table["version"]})
        elif own["commands"][0] in ("next", "take_back"):
            ask(here + "/act", {"action": own["commands"][0]})
print(f"Game {table['game']}: {table['score']}, side {table['winner']} won. I was seat {own['seat']}.")
