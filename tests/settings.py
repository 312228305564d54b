"""The site's settings for the suite: nothing waits, nothing is left behind.

``DATABASE_URL`` and ``REDIS_URL`` choose the servers, as for the site. Without them everything
lives in a temporary folder of this process (pytest-xdist has several).
"""

from __future__ import annotations

import os

from tests import servers

_data_dir = servers.folder("test")
for _name in ("PRODUCTION", "DEBUG", "ALLOWED_HOSTS", "CSRF_TRUSTED_ORIGINS", "SITE_NAME", "PORT", "BIND", "DEMO"):
    os.environ.pop(_name, None)
os.environ |= {
    "DATA_DIR": str(_data_dir),
    "SECRET_KEY": "for tests only",
    "EMAIL_URL": "console:",
    "EUCHRE_BOT_DELAY": "0",
    "EUCHRE_TRICK_PAUSE": "0",
    "EUCHRE_DEAL_PAUSE": "0",
    "REDIS_PREFIX": f"test-{os.getpid()}",
}
if not os.environ.get("REDIS_URL"):
    os.environ["REDIS_URL"] = servers.valkey(_data_dir)

from euchre_site.settings import *  # noqa: E402, F403
from euchre_site.settings import BASE_DIR, DATABASES, STATIC_ROOT, STORAGES  # noqa: E402

STATIC_ROOT.mkdir()
# Half a minute's work: compiled once for all processes of the suite, and anew when the bots have changed.
_compiled = BASE_DIR / ".pytest_cache" / "numba"
_compiled.mkdir(parents=True, exist_ok=True)
(_data_dir / "numba").symlink_to(_compiled)
STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]

if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    # A file: the threads of consumers and workers cannot share Django's in-memory test database.
    DATABASES["default"]["TEST"] = {"NAME": _data_dir / "test.sqlite3"}
