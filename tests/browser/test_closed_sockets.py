"""Why a table's socket was closed: the page tries again where that helps, and says why where it does not."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import WebSocketRoute, expect

from tests.browser.visitor import Visitor

WHY = '<div id="notice" class="notice" role="alert" hx-swap-oob="outerMorph"><p>Closed: {code}.</p></div>'
FOR_GOOD, FOR_A_WHILE = (4001, 4003, 4404), (1012,)
A_WHILE = 5_000
"""Milliseconds by the page's clock, which goes as the test likes: four tries at least."""


def test_a_socket_closed_for_good_says_why_and_is_not_opened_again(joined: Callable[..., Visitor]) -> None:
    """The codes of ``games/consumers.py``. (The browser's own 1006 is met in test_reconnect.)"""
    north = joined("North")
    north.open_table(Game="Friendly", Seconds="45")
    page = north.page
    closed_with: list[int] = []
    tries: list[int] = []

    def meet(socket: WebSocketRoute) -> None:
        tries.append(closed_with[-1])
        socket.send(WHY.format(code=closed_with[-1]))
        socket.close(code=closed_with[-1])

    page.route_web_socket("**/ws/tables/*/", meet)
    page.clock.install()
    away = page.locator("#away")
    for code in FOR_GOOD:
        closed_with.append(code)
        page.reload()
        expect(away).to_contain_text(f"Closed: {code}.")
        page.clock.run_for(A_WHILE)
        expect(away.get_by_role("link", name="Open the page anew")).to_be_visible()
        assert tries.count(code) == 1
    for code in FOR_A_WHILE:
        closed_with.append(code)
        page.reload()
        for _second in range(30):
            page.clock.run_for(1_000)
            if tries.count(code) > 2:
                break
        expect(away).to_contain_text("Connection lost. Reconnecting")
        assert tries.count(code) > 2
