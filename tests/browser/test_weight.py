"""What a table costs to load. That no page asks another site for anything, breaks the policy or
complains is looked after in every test of a visitor."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.browser.visitor import Visitor

MOST_BYTES = 150_000


def test_the_table_loads_with_less_than_150_kb_in_all_its_requests(joined: Callable[..., Visitor]) -> None:
    """Counted as they come over the line, headers and all, by somebody who was never here before."""
    north = joined("North")
    devtools = north.context.new_cdp_session(north.page)
    devtools.send("Network.enable")
    weights: dict[str, float] = {}
    addresses: dict[str, str] = {}

    def sent(event: dict[str, Any]) -> None:
        addresses[event["requestId"]] = event["request"]["url"]

    def received(event: dict[str, Any]) -> None:
        weights[addresses[event["requestId"]]] = event["encodedDataLength"]

    devtools.on("Network.requestWillBeSent", sent)
    devtools.on("Network.loadingFinished", received)
    table = seat_with_bots(north)
    weights.clear()
    devtools.send("Network.clearBrowserCache")
    north.page.goto(table, wait_until="networkidle")
    assert any(address.endswith(table) for address in weights)
    assert len(weights) > 5
    assert sum(weights.values()) < MOST_BYTES, weights


def seat_with_bots(visitor: Visitor) -> str:
    table = visitor.open_table(Game="Friendly", Seconds="45")
    visitor.press_at_table(visitor.button("Start with bots now"))
    visitor.wait_until_asked()
    return table
