"""The catalogues of what the site says: brought up to date, compiled, checked.

    python -m euchre_site.translations update   new texts into every catalogue, and the compiled ones anew
    python -m euchre_site.translations check    is any text untranslated, damaged or out of date? (``make lint``)

Texts are found in the Python code, in Django's templates and in those of the live table (Jinja2). English is
the language they are written in; its catalogue says the same, for whoever wants to say it otherwise.
"""

from __future__ import annotations

import ast
import io
import os
import re
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import django
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

ROOT: Final = Path(__file__).parent.parent
SOURCES: Final = ("games", "tournaments", "euchre_site", "templates")
KEYWORDS: Final[dict[str, Any]] = {
    **dict.fromkeys(("_", "gettext", "gettext_lazy", "gettext_noop")),
    **dict.fromkeys(("ngettext", "ngettext_lazy"), (1, 2)),
    **dict.fromkeys(("pgettext", "pgettext_lazy"), ((1, "c"), 2)),
    **dict.fromkeys(("npgettext", "npgettext_lazy"), ((1, "c"), 2, 3)),
}
BLANKS: Final = re.compile(r"%\(\w+\)[sd]|\{\w*\}|</?\w+|%[sd]")
"""What a translation must hold as its original does: places of values, and markup."""

ALWAYS: Final = datetime(2026, 1, 1, tzinfo=UTC)
"""The date in compiled catalogues: the same texts make the same file."""

Key = tuple[str | None, str]


def catalogue() -> Catalog:
    """All texts of the project, without translations."""
    found = Catalog(project="euchre-site", charset="utf-8")
    for path in sorted(path for folder in SOURCES for path in (ROOT / folder).rglob("*") if path.is_file()):
        for message, context in texts_in(path):
            found.add(message, locations=[(path.relative_to(ROOT).as_posix(), 1)], context=context)
    return found


def texts_in(path: Path) -> Iterator[tuple[Any, str | None]]:
    """The texts (pairs of them where there is a plural) of a file, with their contexts."""
    from django.utils.translation.template import templatize

    place = path.relative_to(ROOT)
    if place.parts[:2] == ("templates", "table"):
        for _line, message, _comments, context in extract("jinja2", io.BytesIO(path.read_bytes()), keywords=KEYWORDS):
            yield message, context
    elif place.parts[0] == "templates":
        code = io.BytesIO(templatize(path.read_text(), origin=str(path)).encode())
        for _line, message, _comments, context in extract("python", code, keywords=KEYWORDS):
            yield message, context
    elif path.suffix == ".py" and "migrations" not in place.parts:
        yield from _texts_of_code(path.read_text())


def _texts_of_code(code: str) -> Iterator[tuple[Any, str | None]]:
    """By its syntax tree: a tokenizer sees nothing within f-strings."""
    calls = [node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Call)]
    for call in sorted(calls, key=lambda call: (call.lineno, call.col_offset)):
        function = call.func
        name = function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")
        given = [argument.value if isinstance(argument, ast.Constant) else None for argument in call.args]
        if name not in KEYWORDS or not given or not isinstance(given[0], str):
            continue
        context = given.pop(0) if "pgettext" in name else None
        if "ngettext" in name or "npgettext" in name:
            yield (given[0], given[1]), context
        elif given and given[0]:
            yield given[0], context


def _empty(language: str) -> Catalog:
    return Catalog(locale=language, charset="utf-8", fuzzy=False, header_comment=f"# Euchre: {language}")


def po_path(language: str) -> Path:
    from django.conf import settings

    return Path(settings.LOCALE_PATHS[0]) / language / "LC_MESSAGES" / "django.po"


def languages() -> tuple[str, ...]:
    from django.conf import settings

    return tuple(code for code, _name in settings.LANGUAGES)


def read(language: str) -> Catalog:
    path = po_path(language)
    if not path.exists():
        return _empty(language)
    return read_po(io.BytesIO(path.read_bytes()), locale=language)


def compiled(catalog: Catalog) -> bytes:
    catalog.creation_date = catalog.revision_date = ALWAYS
    written = io.BytesIO()
    write_mo(written, catalog)
    return written.getvalue()


def update(language: str, texts: Catalog) -> None:
    """Take new texts over, let go of those that are said no more, compile. What is translated stays."""
    old, new = read(language), _empty(language)
    for message in _messages(texts):
        kept = old.get(message.id[0] if message.pluralizable else message.id, message.context)
        string = kept.string if kept is not None and kept.pluralizable == message.pluralizable else None
        if language == "en" and not _is_translated(string):
            string = message.id
        new.add(message.id, string, locations=message.locations, context=message.context)
    path = po_path(language)
    path.parent.mkdir(parents=True, exist_ok=True)
    written = io.BytesIO()
    write_po(written, new, width=0, include_lineno=False, omit_header=False)
    path.write_bytes(re.sub(rb'(?m)^"(?!Language:|Plural|MIME|Content).*: .*\n', b"", written.getvalue()))
    path.with_suffix(".mo").write_bytes(compiled(read(language)))


def faults(language: str, texts: Catalog) -> Iterator[str]:
    """What is wrong with a catalogue, a sentence each."""
    own = read(language)
    wanted = {_key(message): message for message in _messages(texts)}
    held = {_key(message): message for message in _messages(own)}
    for key in wanted.keys() - held.keys():
        yield f"is not in the catalogue: {key[1]!r}"
    for key in held.keys() - wanted.keys():
        yield f"is said nowhere any more: {key[1]!r}"
    for key, message in held.items():
        if not _is_translated(message.string):
            yield f"is not translated: {key[1]!r}"
        elif key in wanted:
            for string in _strings(message.string):
                if not any(_blanks(string, message) == _blanks(text, message) for text in _strings(message.id)):
                    yield f"has other values or markup than its original: {key[1]!r}"
                    break
    path = po_path(language).with_suffix(".mo")
    if not path.exists() or path.read_bytes() != compiled(own):
        yield "the compiled catalogue is out of date"


def _messages(catalog: Catalog) -> Iterator[Message]:
    return (message for message in catalog if message.id)


def _key(message: Message) -> Key:
    return message.context, message.id[0] if message.pluralizable else message.id


def _strings(text: Any) -> tuple[str, ...]:
    return tuple(text) if isinstance(text, list | tuple) else (text,)


def _is_translated(text: Any) -> bool:
    return bool(text) and all(_strings(text))


def _blanks(text: str, message: Message) -> list[str]:
    found = sorted(BLANKS.findall(text))
    # The word for one, two or none may do without the number.
    return [blank for blank in found if blank[1:2] == "/" or "<" in blank] if message.pluralizable else found


def main() -> int:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "euchre_site.settings")
    django.setup()
    texts = catalogue()
    if sys.argv[1:] == ["update"]:
        for language in languages():
            update(language, texts)
        return 0
    if sys.argv[1:] != ["check"]:
        print(__doc__)  # noqa: T201
        return 2
    wrong = [f"{language}: {fault}" for language in languages() for fault in faults(language, texts)]
    print("\n".join(wrong[:40] + ["..."] * (len(wrong) > 40)) or "All texts are translated.")  # noqa: T201
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
