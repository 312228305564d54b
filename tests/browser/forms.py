"""The site as a script sees it that knows HTML's forms and nothing else: no browser, no socket."""

from __future__ import annotations

import http.cookiejar
import urllib.error
import urllib.parse
import urllib.request
from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import urlencode, urljoin

from tests.faults.stack import PATIENCE

PASSWORD = "correct horse battery"


@dataclass
class Form:
    """What can be sent: the fields as they stand, and the buttons that send them."""

    method: str
    action: str
    fields: dict[str, str] = field(default_factory=dict)
    switches: set[str] = field(default_factory=set)
    buttons: list[tuple[str, str]] = field(default_factory=list)


class Page(HTMLParser):
    """A page's forms, its main element's attributes and its words."""

    def __init__(self, address: str, text: str) -> None:
        super().__init__()
        self.address = address
        self.forms: list[Form] = []
        self.main: dict[str, str] = {}
        self.words: list[str] = []
        self._form: Form | None = None
        self.feed(text)
        self.close()

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())

    def moves(self) -> dict[str, Form]:
        """Everything this page lets its reader do at the table, with the form for it."""
        return {value: form for form in self.forms for name, value in form.buttons if name == "action"}

    def form_to(self, path: str) -> Form:
        """The form that is sent to an address of the site. LookupError if there is none."""
        for form in self.forms:
            if urllib.parse.urlsplit(form.action).path == path:
                return form
        raise LookupError(f"{self.address} has no form to {path}: {[form.action for form in self.forms]}")

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        name, value = given.get("name", ""), given.get("value", "")
        if tag == "main":
            self.main = given
        elif tag == "form":
            self._form = Form(given.get("method", "get"), urljoin(self.address, given.get("action", "")))
            self.forms.append(self._form)
        elif self._form is None or "disabled" in given:
            return
        elif tag == "button":
            if given.get("type", "submit") == "submit":
                self._form.buttons.append((name, value))
        elif tag == "input" and name:
            kind = given.get("type", "text")
            if kind == "checkbox":
                self._form.switches.add(name)
            if kind not in ("checkbox", "radio") or "checked" in given:
                self._form.fields[name] = value

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._form = None

    def handle_data(self, data: str) -> None:
        self.words.append(data)


class FormReader:
    """A person's script: it reads pages and sends their forms, with cookies."""

    def __init__(self, site: str) -> None:
        self.site = site
        self.cookies = http.cookiejar.CookieJar()
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.cookies))

    def get(self, address: str) -> Page:
        return self._open(urllib.request.Request(urljoin(self.site, address)))

    def send(self, form: Form, button: tuple[str, str] = ("", ""), **filled: str) -> Page:
        """Send a form as it stands, with what was filled in and by the button pressed."""
        name, value = button
        fields = form.fields | filled | ({name: value} if name else {})
        request = urllib.request.Request(form.action, headers={"Referer": self.site})
        if form.method == "post":
            request.data = urlencode(fields).encode()
        else:
            request.full_url = f"{form.action}?{urlencode(fields)}"
        return self._open(request)

    def join(self, name: str) -> Page:
        """Make an account; the lobby."""
        page = self.get("/accounts/signup/")
        return self.send(page.form_to("/accounts/signup/"), username=name, password1=PASSWORD)

    def _open(self, request: urllib.request.Request) -> Page:
        with self._opener.open(request, timeout=PATIENCE) as answer:
            return Page(answer.url, answer.read().decode())
