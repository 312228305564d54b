"""What the site says, in the language of whoever looks for it on a page."""

from __future__ import annotations

import re
from functools import cache

from euchre_site import translations

VALUE = re.compile(r"%\\?\(\w+\\?\)[sd]")


@cache
def said(text: str, language: str) -> str:
    """A pattern for a text of the site that stands in English in its code, whole or up to its first
    value ("Bury" for "Bury %(card)s"); any words may stand for values. In whatever context it is said."""
    found = []
    for message in translations.read(language):
        of, spoken = message.id, message.string
        if isinstance(of, str) and (of.lower() == text.lower() or of.startswith((f"{text} %(", f"{text}, %("))):
            found.append(VALUE.sub(".+", re.escape(spoken)))
    assert found, f"the site never says {text!r}"
    return "|".join(dict.fromkeys(found))
