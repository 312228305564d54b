"""A double click on a button of a club, an event or a ladder sends its form once: ``site.js`` sees to it for
forms that ask for it. Scores typed in a row are saved as often as Enter is pressed: the same again is nothing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings

TEMPLATES = Path(settings.BASE_DIR) / "templates"


@pytest.mark.parametrize("folder", ["clubs", "events", "ladders", "seasons"])
def test_every_form_that_changes_something_is_sent_once(folder: str) -> None:
    for template in (TEMPLATES / folder).rglob("*.html"):
        for form in re.findall(r"<form\b(?:[^>{]|{[{%].*?[%}]})*>", template.read_text()):
            if 'method="post"' in form and "data-row" not in form:
                assert "data-once" in form, (template.name, form)
