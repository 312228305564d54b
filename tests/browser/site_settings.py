"""The site's own settings, except that a password costs no time: many people join here."""

from euchre_site.settings import *  # noqa: F403

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
