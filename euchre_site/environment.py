"""Reading the configuration from environment variables.

A site that cannot start says so in one sentence and exits with status 1: the person who
reads it set a variable, and a traceback would hide which one.
"""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import Any, NoReturn
from urllib.parse import parse_qs, unquote, urlsplit


def refuse(sentence: str) -> NoReturn:
    """End the process with a sentence for the person who configures the site."""
    raise SystemExit(sentence)


def text(name: str, default: str = "") -> str:
    """A variable's text; an empty one counts as not set."""
    return os.environ.get(name, "").strip() or default


def number(name: str, default: float) -> float:
    """A variable that is a number of at least 0, such as seconds."""
    given = text(name, str(default))
    try:
        value = float(given)
    except ValueError:
        value = -1
    if not 0 <= value < float("inf"):
        refuse(f"{name} is {given!r}, but it must be a number of at least 0.")
    return value


def flag(name: str, *, default: bool = False) -> bool:
    """A switch: 1, true, yes or on; 0, false, no or off."""
    given = text(name, "1" if default else "0").lower()
    if given in ("1", "true", "yes", "on"):
        return True
    if given in ("0", "false", "no", "off"):
        return False
    refuse(f"{name} is {given!r}, but it must be 1 or 0.")


def words(name: str) -> list[str]:
    """A list separated by commas or spaces."""
    return text(name).replace(",", " ").split()


def required(name: str, meaning: str) -> str:
    """A variable that a production site cannot do without."""
    return text(name) or refuse(f"{name} is not set: a production site needs {meaning}.")


def data_dir(default: Path) -> Path:
    """The folder that everything is written to (``DATA_DIR``), made if missing."""
    path = Path(text("DATA_DIR", str(default))).expanduser().absolute()
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        refuse(f"DATA_DIR {path} cannot be made: {error.strerror}.")
    if not os.access(path, os.W_OK | os.X_OK):
        refuse(f"DATA_DIR {path} cannot be written to: change its permissions or set another DATA_DIR.")
    return path


def kept_secret(path: Path) -> str:
    """A random secret made at the first start and kept in a file that only its owner can read."""
    if not path.exists():
        draft = path.with_name(f"{path.name}.{os.getpid()}")
        draft.touch(mode=0o600)
        draft.write_text(secrets.token_urlsafe(50))
        try:
            os.link(draft, path)  # unlike a rename it never replaces the secret of a process that was faster
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    return path.read_text().strip()


def email(url: str, mail_dir: Path) -> dict[str, Any]:
    """Django's e-mail settings from ``EMAIL_URL``.

    ``smtp://user:password@host:587?tls=1&from=site@example.org``, ``smtps://`` for TLS from the
    start, ``console:`` to print mail, ``file:`` to write it below ``DATA_DIR``, ``none:`` to drop it.
    """
    parts = urlsplit(url)
    query = {key: values[-1] for key, values in parse_qs(parts.query).items()}
    backends = {"console": "console", "file": "filebased", "none": "dummy", "smtp": "smtp", "smtps": "smtp"}
    backend = backends.get(parts.scheme)
    if backend is None or (backend == "smtp" and not parts.hostname):
        refuse("EMAIL_URL must be smtp://user:password@host:port, smtps://..., console:, file: or none:.")
    found: dict[str, Any] = {"EMAIL_BACKEND": f"django.core.mail.backends.{backend}.EmailBackend"}
    if backend == "filebased":
        found["EMAIL_FILE_PATH"] = mail_dir
    if backend == "smtp":
        ssl = parts.scheme == "smtps"
        found |= {
            "EMAIL_HOST": parts.hostname,
            "EMAIL_PORT": parts.port or (465 if ssl else 587),
            "EMAIL_HOST_USER": unquote(parts.username or ""),
            "EMAIL_HOST_PASSWORD": unquote(parts.password or ""),
            "EMAIL_USE_SSL": ssl,
            "EMAIL_USE_TLS": not ssl and query.get("tls", "1") == "1",
            "EMAIL_TIMEOUT": 10,
        }
    if "from" in query:
        found["DEFAULT_FROM_EMAIL"] = query["from"]
    return found
