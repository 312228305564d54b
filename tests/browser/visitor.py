"""A person at a browser, who goes by what the page says: roles and names, as a screen reader has them."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Literal
from urllib.parse import urlsplit

from playwright.sync_api import Browser, ConsoleMessage, Error, Locator, Page, Request, Response, expect

from tests.browser.axe import Theme, assert_sound
from tests.browser.forms import PASSWORD
from tests.browser.speech import said

PATIENCE = 30.0
"""Seconds that a page may take for anything on a busy machine."""

CALM = 0.31
"""Seconds between two presses at the table: what follows faster counts as a double click there."""

TO_LOOK_AT = "calm => (performance.getEntriesByName('frame').at(-1)?.startTime ?? -1e6) + calm - performance.now()"
"""Milliseconds still. Nobody presses what a frame has put there a moment ago; the table would not let him."""

IS_ASKED = """() => { const {phase, turn} = document.querySelector("main").dataset;
    if (phase === "between")
        return !!document.querySelector("[value=next]")?.checkVisibility({visibilityProperty: true});
    return turn === "mine" || phase === "over"; }"""

Asked = Literal["bid", "exchange", "alone", "play", "next", "over"]
"""What a table may ask of somebody who sits there."""

ASKED: dict[str, Asked] = {
    "bid1": "bid",
    "bid2": "bid",
    "exchange": "exchange",
    "alone": "alone",
    "play": "play",
    "between": "next",
    "over": "over",
}
"""By the phase that the table is in."""

DESKTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}


def look_over(
    page: Page, site: str, address: str, widths: Sequence[int] = (), *, themes: Sequence[Theme] = ("light", "dark")
) -> None:
    """Open an address and unfold all of it: axe finds nothing in these themes, nothing is wider than the window,
    as it is or as wide as is said."""
    page.goto(site + address)
    page.evaluate("document.querySelectorAll('details').forEach((part) => (part.open = true))")
    assert_sound(page, address, widths, themes=themes)


class Visitor:
    """One browser with its own cookies. ``complaints`` is what a page of this site must not do:
    errors in the console (a breach of the policy among them), documents without a policy,
    requests to anybody else."""

    def __init__(self, browser: Browser, site: str, **options: Any) -> None:
        self.site = site
        self.name = ""
        self.language = "en"
        self.touch = bool(options.get("has_touch"))
        self.actions = 0
        """Fields filled in, buttons and links pressed so far."""
        self._pressed = 0.0
        self.complaints: list[str] = []
        self._forgiven: list[str] = []
        self.context = browser.new_context(base_url=site, **{"reduced_motion": "reduce", **DESKTOP, **options})
        self.context.set_default_timeout(PATIENCE * 1000)
        self.context.on("console", self._heard)
        self.context.on("weberror", lambda error: self.complaints.append(str(error.error)))
        self.context.on("request", self._asked)
        self.context.on("response", self._answered)
        self.page = self.context.new_page()

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type == "error" and not self._is_forgiven(message.text):
            self.complaints.append(f"{message.page and message.page.url}: {message.text}")

    def _asked(self, request: Request) -> None:
        if not request.url.startswith((self.site, "data:")):
            self.complaints.append(f"a request to {request.url}")

    def _answered(self, response: Response) -> None:
        if response.request.resource_type != "document" or 300 <= response.status < 400:
            return
        policy = response.headers.get("content-security-policy", "")
        if "script-src 'self'" not in policy or "default-src 'none'" not in policy:
            self.complaints.append(f"{response.url} has the policy {policy!r}")

    def forgive(self, *expected: str) -> None:
        """Drop the complaints about a connection that the test cuts, those to come as well."""
        self._forgiven += expected
        self.complaints[:] = [said for said in self.complaints if not self._is_forgiven(said)]

    def _is_forgiven(self, said: str) -> bool:
        return any(part in said for part in self._forgiven)

    def another_tab(self) -> Visitor:
        """The same person's second tab."""
        other = object.__new__(Visitor)
        other.__dict__.update(self.__dict__)
        other.page = self.context.new_page()
        return other

    def speak(self, language: str) -> None:
        """Have the site speak another language from now on, and look for what it says in that."""
        self.language = language
        self.context.add_cookies([{"name": "django_language", "value": language, "url": self.site}])
        self.page.reload()

    def named(self, name: str) -> re.Pattern[str]:
        """The pattern of a name, or of one of ``(several|names)``, in the language of this person."""
        if self.language == "en":
            return re.compile(rf"^{name}\b")
        several = name.removeprefix("(").removesuffix(")").split("|")
        return re.compile("^(" + "|".join(said(each, self.language) for each in several) + ")", re.IGNORECASE)

    # --- accounts and lobby ---

    def join(self, name: str) -> None:
        """Fill in the form for a new account, from where it is shown, and send it."""
        self.name = name
        self.page.get_by_label("Name at the table").fill(name)
        self.page.get_by_label("Password").fill(PASSWORD)
        self.actions += 2
        self.press("Join and sit down")

    def press(self, name: str) -> None:
        """Press the button of this name, with the finger on a touch screen."""
        self.press_at_table(self.page.get_by_role("button", name=name, exact=True))

    def choose(self, name: str) -> None:
        """Choose the radio button of this name."""
        self._press(self.page.locator("label", has=self.page.get_by_role("radio", name=name, exact=True)))

    def ask_about_going_alone(self) -> None:
        """Switch the question on, in the table's menu, which is open."""
        self.press_at_table(self.page.get_by_role("button", name=re.compile("^Ask me about going alone.*off$")))
        expect(self.page.get_by_role("button", name=re.compile("^Ask me about going alone.*on$"))).to_be_visible()

    def follow(self, name: str) -> None:
        """Follow the link of this name."""
        self._press(self.page.get_by_role("link", name=name, exact=True).first)

    def tab_to(self, name: str | re.Pattern[str]) -> None:
        """Press Tab until the focus is on a button of this name that can be pressed."""
        self.page.wait_for_load_state()
        wanted = self.page.get_by_role("button", name=name, disabled=False).and_(self.page.locator(":focus"))
        for _press in range(80):
            self.page.keyboard.press("Tab")
            if wanted.count():
                return
        raise AssertionError(f"Tab does not reach {name}")

    def _press(self, control: Locator) -> None:
        self.actions += 1
        if self.touch:
            control.tap()
        else:
            control.click()

    def open_table(self, **choices: str) -> str:
        """Make a table with these choices (``Kind="Friendly"``); its address."""
        self.page.goto("/tables/new/")
        self.page.evaluate("document.querySelectorAll('details').forEach((part) => (part.open = true))")
        for group, choice in choices.items():
            self.page.get_by_role("group", name=group).get_by_label(choice, exact=True).check(force=True)
        self.press("Open the table")
        expect(self.table).to_be_visible()
        return urlsplit(self.page.url).path

    # --- at the table ---

    @property
    def table(self) -> Locator:
        return self.page.locator("main")  # by its role it takes many times as long: every control is sought in it

    @property
    def table_id(self) -> int:
        return int(urlsplit(self.page.url).path.split("/")[2])

    @property
    def hand(self) -> Locator:
        """The cards in the hand."""
        return self.table.get_by_role("list", name=self.named("Your hand")).get_by_role("button")

    def sees_a_hand(self) -> None:
        """Wait until all five cards are there; who deals may have been ordered to take a sixth by then."""
        expect(self.hand.nth(4)).to_be_visible()

    @property
    def playable(self) -> Locator:
        """The cards that may be played now. (Before one's turn all may be marked.)"""
        hand = self.page.locator("main[data-turn=mine]").get_by_role("list", name=self.named("Your hand"))
        return hand.get_by_role("button", disabled=False)

    def button(self, name: str) -> Locator:
        return self.table.get_by_role("button", name=self.named(name))

    @property
    def over(self) -> Locator:
        name = re.compile("won|lost") if self.language == "en" else self.named("(You won|You lost)")
        return self.table.get_by_role("dialog", name=name)

    @property
    def announced(self) -> Locator:
        """What the table tells a screen reader."""
        return self.page.get_by_role("status").and_(self.page.locator("#announce"))

    def sees(self) -> dict[str, Any]:
        """The place at the table and all that lies open from there."""
        names = "nodes => nodes.map(node => node.getAttribute('aria-label'))"
        return {
            "seats": self.table.get_by_role("region").evaluate_all(names),
            "hand": self.hand.evaluate_all("cards => cards.map(card => card.dataset.card)"),
            "middle": self.table.get_by_role("img").evaluate_all(names),
            "score": self.page.get_by_role("group", name="Score").get_attribute("aria-label"),
            "asked": self.table.get_by_role("heading", level=2).all_inner_texts(),
        }

    def is_asked(self) -> bool:
        """Is it this person whom the table waits for, or has the game ended?"""
        return bool(self.page.evaluate(IS_ASKED))

    @staticmethod
    def whose_turn(visitors: list[Visitor]) -> Visitor:
        """Wait until one of these is asked; which. AssertionError if nobody ever is."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            for visitor in visitors:
                if visitor.is_asked():
                    return visitor
            visitors[0].page.wait_for_timeout(50)
        raise AssertionError(f"nobody is asked: {[visitor.shown() for visitor in visitors]}")

    def wait_until_asked(self) -> Asked:
        """Wait until the table asks for something, or its game is over."""
        self.page.wait_for_function(IS_ASKED, polling=50)
        asked = self._answers.or_(self.playable).or_(self.button("Next hand")).or_(self.over)
        expect(asked.first).to_be_visible()
        return ASKED[self.shown()["phase"]]

    def shown(self) -> dict[str, str]:
        """What the table says of itself: phase, turn, version, revision; not when it said so."""
        said: dict[str, str] = self.page.evaluate("() => ({...document.querySelector('main').dataset})")
        said.pop("made", None)
        return said

    def act(self, *, alone: bool = True, first_round: bool = True) -> Asked:
        """Do what the table asks for; what that was. Makes trump as soon as possible (in the
        ``first_round``), ``alone`` since that is quickest, and plays the first card that may be played."""
        asked = self.wait_until_asked()
        if asked == "over":
            return asked
        before = self.shown()
        if asked == "bid":
            take = self.button("(Order it up|Take it up)")
            suits = self.button("(Spades|Hearts|Clubs|Diamonds)").and_(self.table.get_by_role("button", disabled=False))
            call = take if take.is_visible() else suits.first
            if first_round or not take.is_visible():
                if alone:
                    with self.calmly():
                        self.table.get_by_role("checkbox", name="Go alone").check()
                self.press_at_table(call)
            else:
                self.press_at_table(self.button("Pass"))
        elif asked == "exchange":
            self.press_at_table(self.hand.last)
            self.press_at_table(self.button("(Bury|Take it, bury)"))
        elif asked == "alone":
            self.press_at_table(self.button("Play together"))
        elif asked == "play":
            if self.touch:
                self.press_at_table(self.playable.first)
            self.press_at_table(self.playable.first)
        else:
            self.press_at_table(self.button("Next hand"))
        # A version counts what happened in the deal; somebody who is ready for the next changes none.
        counter = "revision" if asked == "next" else "version"
        self.page.wait_for_function(
            "([name, before]) => document.querySelector('main').dataset[name] !== before",
            arg=[counter, before[counter]],
            polling=50,
        )
        return asked

    def act_without_script(self) -> Asked | None:
        """The same by plain forms. A page that asks for nothing is looked at again: None."""
        try:
            self.page.wait_for_load_state()
            if self.over.is_visible():
                return "over"
            if not self.is_asked():
                self.page.reload()
                return None
        except Error:  # it has renewed itself meanwhile
            return None
        if self.button("Next hand").is_visible():
            self._press(self.button("Next hand"))
            return "next"
        asked: Asked = "bid" if self._answers.count() else "play"
        self._press(
            (self.button("(Order it up|Take it up)").or_(self._answers) if asked == "bid" else self.playable).first
        )
        return asked

    def press_at_table(self, control: Locator) -> None:
        """Press what sends something, at a person's pace."""
        with self.calmly():
            self._press(control)

    def press_key(self, key: str) -> None:
        """Press a key that sends something, at a person's pace."""
        with self.calmly():
            self.page.keyboard.press(key)

    @contextmanager
    def calmly(self) -> Iterator[None]:
        self.page.wait_for_load_state()  # a key pressed before the page's script is there is lost
        self.page.wait_for_timeout(max(0.0, self._pressed + CALM - time.monotonic()) * 1000)
        while (wait := self.page.evaluate(TO_LOOK_AT, CALM * 1000)) > 0:
            self.page.wait_for_timeout(wait)
        yield
        self._pressed = time.monotonic()

    @property
    def _answers(self) -> Locator:
        return self.button("(Pass|Take it up|Play together|Spades|Hearts|Clubs|Diamonds)").and_(
            self.table.get_by_role("button", disabled=False)
        )
