"""Whatever can be pressed on a page does something from the moment it is shown."""

from __future__ import annotations

import re

from euchre_site.processes import BASE_DIR

WAITS = re.compile(r"popovertarget|\bdisabled\b|\bhidden\b")
"""What the browser serves by itself, and what a script enables or shows when it is ready."""

TEMPLATES = sorted((BASE_DIR / "templates").rglob("*.html"))


def test_a_button_that_only_a_script_serves_waits_for_it() -> None:
    seen = 0
    for path in TEMPLATES:
        text = path.read_text()
        served = set(re.findall(r'"(?:add|authenticate|login)": "(\w+)"', text)) | {"passkey_login"}
        for button in re.findall(r"<button\b[^>]*>", text):
            seen += 1
            if 'type="button"' in button or any(f'id="{name}"' in button for name in served):
                assert WAITS.search(button), (path, button)
    assert seen > 30


def test_a_form_that_sends_itself_is_told_what_was_chosen_early() -> None:
    seen = 0
    for path in TEMPLATES:
        for form in re.findall(r"<form\b[^>]*>", path.read_text()):
            if "data-prefs" in form or "data-looks" in form or re.search(r'hx-trigger="[^"]*change', form):
                seen += 1
                assert "data-early" in form, (path, form)
                assert 'autocomplete="off"' in form, (path, form)
    assert seen == 3
