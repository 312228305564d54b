"""Settings, from environment variables only; README.md lists them.

Defaults suit a laptop. ``PRODUCTION=1`` asks for what a public site needs and refuses to start
without it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import dj_database_url

from euchre_site import environment as env
from euchre_site.logs import in_one_line

BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = env.data_dir(BASE_DIR / "var")

PRODUCTION = env.flag("PRODUCTION")
DEBUG = env.flag("DEBUG")
PORT = int(env.number("PORT", 8000))
BIND = env.text("BIND", "127.0.0.1")
SITE_NAME = env.text("SITE_NAME", "Euchre")
DEMO = env.flag("DEMO", default=not PRODUCTION)

if PRODUCTION:
    if DEBUG:
        env.refuse("DEBUG shows the site's inner state to visitors: unset it, or unset PRODUCTION.")
    SECRET_KEY = env.required("SECRET_KEY", "a long random text that stays the same on all its machines")
    env.required("ALLOWED_HOSTS", "the names by which people reach it, such as euchre.example.org")
else:
    SECRET_KEY = env.text("SECRET_KEY") or env.kept_secret(DATA_DIR / "secret_key")

ALLOWED_HOSTS = env.words("ALLOWED_HOSTS") or ["localhost", "127.0.0.1", "[::1]"]
CSRF_TRUSTED_ORIGINS = env.words("CSRF_TRUSTED_ORIGINS")

# How long things take at a table, in seconds.
EUCHRE_BOT_DELAY = env.number("EUCHRE_BOT_DELAY", 0.8)
EUCHRE_TRICK_PAUSE = env.number("EUCHRE_TRICK_PAUSE", 1.2)
EUCHRE_DEAL_PAUSE = env.number("EUCHRE_DEAL_PAUSE", 5)
EUCHRE_FILL_AFTER = env.number("EUCHRE_FILL_AFTER", 20)
EUCHRE_GRACE = env.number("EUCHRE_GRACE", 1.0)
EUCHRE_AWAY_AFTER = env.number("EUCHRE_AWAY_AFTER", 60)

# Whether workers load numba for their bots: some 135 MB, and 45 seconds of a core the first time.
EUCHRE_COMPILED = env.flag("EUCHRE_COMPILED", default=True)

INSTALLED_APPS = [
    # Only `manage.py runserver` needs daphne as an app; elsewhere it would just load Twisted.
    *(["daphne"] if DEBUG else []),
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "channels",
    "django_htmx",
    "csp",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "games",
    "tournaments",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "euchre_site.middleware.permissions_policy",
    "django.middleware.gzip.GZipMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "euchre_site.middleware.own_language",
    "allauth.account.middleware.AccountMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
]

ROOT_URLCONF = "euchre_site.urls"
ASGI_APPLICATION = "euchre_site.asgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "euchre_site.context.site",
            ],
        },
    },
    {
        # The live table only (templates/table/), rendered with using="jinja2": a frame per seat and move.
        "NAME": "jinja2",
        "BACKEND": "django.template.backends.jinja2.Jinja2",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": False,
        "OPTIONS": {"environment": "euchre_site.jinja.environment"},
    },
]

# --- Database -----------------------------------------------------------------------------------
DATABASE_URL = env.text("DATABASE_URL", f"sqlite:///{DATA_DIR / 'euchre.sqlite3'}")
try:
    database: dict[str, Any] = dict(dj_database_url.parse(DATABASE_URL))
except (ValueError, dj_database_url.ParseError):
    env.refuse("DATABASE_URL must be postgres://user:password@host:port/name or sqlite:///path.")
if database["ENGINE"] == "django.db.backends.sqlite3":
    # Transactions take the write lock at once: one that starts by reading cannot be refused it later.
    database |= {
        "CONN_MAX_AGE": None,
        "OPTIONS": {
            "timeout": 20,
            "transaction_mode": "IMMEDIATE",
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA cache_size=-16000;",
        },
    }
else:
    # A pool, since every request under ASGI has a thread, and so a connection, of its own.
    database |= {
        "CONN_MAX_AGE": 0,
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": database.get("OPTIONS", {}) | {"pool": {"min_size": 1, "max_size": 16, "timeout": 10}},
    }
DATABASES = {"default": database}

# The cache holds the counters of the rate limits, and who is at a ranked table from where: small, and they must
# outlive Valkey. Where there are more than this, Django drops a third of them, whatever they count.
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.db.DatabaseCache",
        "LOCATION": "cache",
        "OPTIONS": {"MAX_ENTRIES": 20_000},
    }
}

# --- Valkey: the messages between processes ------------------------------------------------------
VALKEY_SOCKET = DATA_DIR / "valkey.sock"
REDIS_URL = env.text("REDIS_URL", f"unix://{VALKEY_SOCKET}")
REDIS_PREFIX = env.text("REDIS_PREFIX", "euchre")

CHANNEL_LAYERS = {
    "default": {
        "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
        # redis-py's defaults give up a connection after five silent seconds and allow only a hundred.
        "CONFIG": {
            "hosts": [{"address": REDIS_URL, "socket_timeout": None, "max_connections": 5000}],
            "prefix": REDIS_PREFIX,
        },
    },
}

# --- Celery: messages are hints, the due columns of the database are the truth -----------------------
CELERY_BROKER_URL = REDIS_URL.replace("unix://", "redis+socket://", 1)
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "global_keyprefix": f"{REDIS_PREFIX}:",
    # Whoever sends a hint while Valkey is away must not wait for it.
    "max_retries": 1,
    "interval_start": 0,
    "interval_step": 0.1,
    "interval_max": 0.1,
}
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_TASK_PUBLISH_RETRY = False
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_DEFAULT_QUEUE = "clock"
CELERY_TASK_QUEUES = {"clock": {}, "bots": {}}
CELERY_TASK_ROUTES = {"games.tasks.bot_*": {"queue": "bots"}}
CELERY_WORKER_POOL = "threads"
CELERY_WORKER_CONCURRENCY = 4
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BEAT_SCHEDULER = "celery.beat:Scheduler"  # keeps nothing: a beat that starts begins at once
CELERY_BEAT_SCHEDULE = {
    "sweep": {"task": "games.tasks.sweep", "schedule": 1.0, "options": {"expires": 5}},
    "events": {"task": "tournaments.tasks.sweep", "schedule": 2.0, "options": {"expires": 5}},
    "tidy_talk": {"task": "games.tasks.tidy_talk", "schedule": 60.0, "options": {"expires": 60}},
    "count_deals": {"task": "games.tasks.count_deals", "schedule": 30.0, "options": {"expires": 30}},
}

# --- Languages and times -----------------------------------------------------------------------------
LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_TZ = True
USE_I18N = True
LANGUAGES = [("en", "English"), ("he", "עברית"), ("ar", "العربية"), ("sl", "slovenščina")]
LOCALE_PATHS = [BASE_DIR / "euchre_site" / "locale"]
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SAMESITE = "Lax"

# --- Static files: collected below DATA_DIR by `make run`, served by euchre_site.asgi ------------------
STATIC_URL = "/static/"
STATIC_ROOT = DATA_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "euchre_site" / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "whitenoise.storage.CompressedManifestStaticFilesStorage"
    },
}

# --- Security ------------------------------------------------------------------------------------------
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CSRF_COOKIE_SAMESITE = SESSION_COOKIE_SAMESITE = "Lax"
if PRODUCTION:
    # Behind a proxy that ends TLS and sets this header itself.
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_SSL_REDIRECT = True
    SECURE_HSTS_SECONDS = 30 * 24 * 3600
    SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = True

# --- Accounts (django-allauth) BEGIN: owned by the accounts part -----------------------------------------
AUTH_USER_MODEL = "games.Player"
SILENCED_SYSTEM_CHECKS = ["auth.W004"]  # names are unique by their key, which NameBackend looks up
AUTHENTICATION_BACKENDS = ["games.accounts.NameBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "games.accounts.SimilarityValidator"},
    {"NAME": "games.accounts.MinimumLengthValidator"},
    {"NAME": "games.accounts.MaximumLengthValidator"},
    {"NAME": "games.accounts.CommonPasswordValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "lobby"
ACCOUNT_ADAPTER = "games.accounts.AccountAdapter"
ACCOUNT_FORMS = {
    "signup": "games.accounts.SignupForm",
    "login": "games.accounts.LoginForm",
    "add_email": "games.accounts.AddEmailForm",
    "change_password": "games.accounts.ChangePasswordForm",
    "set_password": "games.accounts.SetPasswordForm",
    "reset_password_from_key": "games.accounts.ResetPasswordKeyForm",
}
ACCOUNT_USER_MODEL_USERNAME_FIELD = "name"
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*"]
ACCOUNT_EMAIL_VERIFICATION = "optional"
ACCOUNT_PREVENT_ENUMERATION = "strict"  # joining does not tell whether an e-mail has an account
ACCOUNT_EMAIL_SUBJECT_PREFIX = f"[{SITE_NAME}] "
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False  # no mail to people who never were here
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "https" if PRODUCTION else "http"
ACCOUNT_LOGOUT_REDIRECT_URL = "lobby"
# Counted in the database's cache, so that they hold for all processes and while Valkey is away. A club
# night signs up from one address: hence many a minute, and a variable for more.
ACCOUNT_RATE_LIMITS = {
    "signup": env.text("SIGNUP_RATE", "40/m/ip"),
    "login": "60/m/ip",
    "login_failed": "30/m/ip,5/300s/key",
    "people": "120/m/user",
    "records": "30/m/ip",
    "analysis": "30/m/ip",
    "hints": "40/m/user",
    "club_founding": "10/d/user",
    "club_joining": "30/m/user",
    "club_posts": "90/m/user",
    "hall_codes": "60/m/ip",
    "hall_scores": "600/m/ip",
}
# The proxies in front whose X-Forwarded-For is believed; 0 takes the address of the connection.
ALLAUTH_TRUSTED_PROXY_COUNT = int(env.number("TRUSTED_PROXIES", 1 if PRODUCTION else 0))
MFA_ADAPTER = "games.accounts.MFAAdapter"
MFA_FORMS = {"add_webauthn": "games.accounts.AddPasskeyForm"}
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
# Here an account is its name and the e-mail is optional: an unproven one is no reason to go without.
MFA_ALLOW_UNVERIFIED_EMAIL = True
# --- Accounts END ----------------------------------------------------------------------------------------

# --- Content security policy (django-csp) BEGIN: owned by the accounts part --------------------------------
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'none'"],
        "script-src": ["'self'"],
        "style-src": ["'self'"],
        # Custom properties only (--n, --left, view-transition-name); an attribute cannot load anything.
        "style-src-attr": ["'unsafe-inline'"],
        "img-src": ["'self'", "data:"],  # data: is the QR code of an authenticator app, and icons in CSS
        "font-src": ["'self'"],
        "connect-src": ["'self'"],  # covers the page's own WebSocket, by scheme and port
        "manifest-src": ["'self'"],
        "form-action": ["'self'"],
        "base-uri": ["'none'"],
        "frame-ancestors": ["'none'"],
    },
}
# --- Content security policy END -----------------------------------------------------------------------------

# --- E-mail ------------------------------------------------------------------------------------------------
DEFAULT_FROM_EMAIL = f"{SITE_NAME} <noreply@localhost>"
EMAIL_URL = (
    env.required("EMAIL_URL", "a mail server (smtp://user:password@host:port), or none: to send no mail")
    if PRODUCTION
    else env.text("EMAIL_URL", "file:")
)
globals().update(env.email(EMAIL_URL, DATA_DIR / "mail"))

# --- Logging: to standard error, which the process manager keeps; never with cards, forms or frames ---------
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"}},
    "filters": {"in_one_line": {"()": "django.utils.log.CallbackFilter", "callback": in_one_line}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line", "filters": ["in_one_line"]}},
    "root": {"handlers": ["stderr"], "level": "INFO"},
    "loggers": {
        "django": {"handlers": ["stderr"], "level": "INFO", "propagate": False},
        "daphne": {"level": "WARNING"},
        "celery": {"level": "WARNING"},
    },
}
