"""``make run``: the whole site in one terminal.

Checks what can be checked, brings database and static files up to date, then becomes
supervisord, which starts the processes of :mod:`euchre_site.processes`, restarts any that
dies, and stops them all on Ctrl-C.
"""

from __future__ import annotations

import hashlib
import http.client
import os
import shlex
import socket
import sys
import time
from pathlib import Path

from euchre_site import processes
from euchre_site.environment import refuse, text

SOCKET_PATH_LIMIT = 103
"""Bytes in the path of a Unix socket, on the strictest system."""

READY_WAIT = 60.0
"""Seconds after which a site that does not answer is reported."""


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "euchre_site.settings")
    from django.conf import settings

    data_dir: Path = settings.DATA_DIR
    own_valkey = not text("REDIS_URL")
    os.environ["DATA_DIR"] = str(data_dir)
    if own_valkey and len(os.fsencode(settings.VALKEY_SOCKET)) > SOCKET_PATH_LIMIT:
        refuse(f"DATA_DIR {data_dir} is too long a path for a socket in it: set a shorter DATA_DIR.")
    stop_leftovers(data_dir)
    check_port(settings.BIND, settings.PORT)
    if not own_valkey:
        check_redis(settings.REDIS_URL)
    if settings.DATABASE_URL.startswith("postgres"):
        check_postgres(settings.DATABASE_URL)

    announce(settings.SITE_NAME, settings.BIND, settings.PORT, data_dir)
    prepare()
    (data_dir / "logs").mkdir(exist_ok=True)
    configuration = data_dir / "supervisord.conf"
    commands = processes.commands(data_dir, settings.BIND, settings.PORT, own_valkey=own_valkey)
    configuration.write_text(supervisord_conf(commands, data_dir))
    manager = [sys.executable, "-I", str(processes.BASE_DIR / "euchre_site" / "manager.py"), "-c", str(configuration)]
    manager = processes.tethered("supervisord", manager, data_dir)
    os.chdir(processes.BASE_DIR)
    os.execv(manager[0], manager)  # noqa: S606  nothing is left to do for this process


def stop_leftovers(data_dir: Path) -> None:
    """Stop what a site that was killed has left running; refuse to start a site twice."""
    for process in processes.running(data_dir):
        if not process.orphaned and process.name == "supervisord":
            refuse(
                f"This site is running already, as process {process.pid} with DATA_DIR {data_dir}. "
                "Stop it first, or set another DATA_DIR and PORT."
            )
        processes.stop(process)


def check_port(bind: str, port: int) -> None:
    """Refuse to start on a port that cannot be listened on."""
    try:
        family, kind, *_, address = socket.getaddrinfo(bind, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except (OSError, OverflowError) as error:
        refuse(f"Port {port} of {bind} cannot be used ({error}): set another PORT or stop what uses it.")


def check_redis(url: str) -> None:
    """Refuse to start without the server of ``REDIS_URL``."""
    import redis

    try:
        with redis.Redis.from_url(url, socket_connect_timeout=5, socket_timeout=5) as client:
            client.ping()
    except (redis.RedisError, ValueError) as error:
        refuse(f"The server of REDIS_URL does not answer ({error}).")


def check_postgres(url: str) -> None:
    """Refuse to start without the database (the pool would try again and again first)."""
    import psycopg

    try:
        psycopg.connect(url, connect_timeout=5).close()
    except psycopg.Error as error:
        refuse(f"The database of DATABASE_URL cannot be used ({' '.join(str(error).split())}).")


def prepare() -> None:
    """Bring the database and the static files up to date."""
    import django
    from django.conf import settings
    from django.core.management import call_command
    from django.db import OperationalError, connections

    django.setup()
    try:
        call_command("migrate", verbosity=0, interactive=False)
    except OperationalError as error:
        refuse(f"The database of DATABASE_URL cannot be used ({error}).")
    call_command("createcachetable", verbosity=0)
    collect_static()
    call_command("seed", demo=settings.DEMO, verbosity=0)
    connections.close_all()


def collect_static() -> None:
    """Collect, hash and compress the static files, if any has changed since the last time."""
    from django.conf import settings
    from django.contrib.staticfiles.finders import get_finders
    from django.core.management import call_command

    state = hashlib.sha256()
    for finder in get_finders():
        for path, storage in finder.list([]):
            found = Path(storage.path(path)).stat()
            state.update(f"{path} {found.st_size} {found.st_mtime_ns}\n".encode())
    stamp = settings.DATA_DIR / "static.stamp"
    if stamp.exists() and stamp.read_text() == state.hexdigest():
        return
    call_command("collectstatic", verbosity=0, interactive=False, clear=True)
    stamp.write_text(state.hexdigest())


def supervisord_conf(commands: dict[str, list[str]], data_dir: Path) -> str:
    """Supervisord's configuration: in the foreground, quiet, everything restarted."""
    logs = data_dir / "logs"
    sections = {
        "supervisord": {
            "nodaemon": "true",
            "silent": "true",
            "logfile": logs / "supervisord.log",
            "logfile_maxbytes": "1MB",
            "logfile_backups": 1,
            "pidfile": data_dir / "supervisord.pid",
            "childlogdir": logs,
            **({"user": "root"} if os.geteuid() == 0 else {}),
        }
    }
    for priority, (name, command) in enumerate(commands.items()):
        sections[f"program:{name}"] = {
            "command": shlex.join(processes.tethered(name, command, data_dir)),
            "directory": processes.BASE_DIR,
            "priority": priority,
            "autorestart": "true",
            "startretries": 1000,
            "stopwaitsecs": int(processes.STOP_WAIT),
            "redirect_stderr": "true",
            "stdout_logfile": logs / f"{name}.log",
            "stdout_logfile_maxbytes": "5MB",
            "stdout_logfile_backups": 2,
        }
    lines = []
    for section, options in sections.items():
        lines.append(f"[{section}]")
        lines += [f"{name} = {str(value).replace('%', '%%')}" for name, value in options.items()]
    return "\n".join(lines) + "\n"


def announce(site_name: str, bind: str, port: int, data_dir: Path) -> None:
    """Print the site's address as soon as it answers, from a process of its own."""
    parent = os.getpid()
    if os.fork():
        return
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(bind, bind)  # noqa: S104  the other way round
    shown = "localhost" if host in ("127.0.0.1", "::1") else host  # passkeys work on names only
    sentence = f"{site_name} does not answer yet: look into {data_dir / 'logs'}."
    deadline = time.monotonic() + READY_WAIT
    while time.monotonic() < deadline and os.getppid() == parent:
        connection = http.client.HTTPConnection(host, port, timeout=5)
        try:
            connection.request("GET", "/")  # which also loads what the first visitor would wait for
            connection.getresponse()
        except (OSError, http.client.HTTPException):
            time.sleep(0.05)
            continue
        finally:
            connection.close()
        sentence = f"{site_name} is at http://{shown}:{port}/ - Ctrl-C stops it. Logs: {data_dir / 'logs'}"
        break
    if os.getppid() == parent:
        print(sentence, flush=True)  # noqa: T201
    os._exit(0)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        raise SystemExit(130) from None
