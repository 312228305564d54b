"""``make run``: it starts, restarts what dies, stops all of it, and says what is in its way."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests import servers
from tests.faults.stack import (
    PATIENCE,
    ROOT,
    MadeRun,
    answers,
    clean_environment,
    copy_prepared,
    free_port,
    wait_until,
)

CHILDREN = {"valkey", "worker", "beat", "web"}


@pytest.fixture
def data_dir() -> Path:
    return servers.folder("run")


def gone(pid: int) -> bool:
    """Has the process ended? (A zombie has.)"""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z"
    except (FileNotFoundError, ProcessLookupError):
        return True


def refusal(**environment: str) -> str:
    """What a start that must fail says: one sentence, and no traceback."""
    done = subprocess.run(
        [sys.executable, "-m", "euchre_site.run"],
        cwd=ROOT,
        env=clean_environment(**environment),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 1
    said = (done.stdout + done.stderr).strip()
    assert said.count("\n") == 0, said
    return said


def started(site: MadeRun) -> dict[str, int]:
    """Wait until a site says where it is, and all of it runs; its processes."""
    assert f"http://localhost:{site.port}/" in site.first_line()
    assert answers(site.url)
    wait_until(lambda: site.pids().keys() == CHILDREN | {"supervisord"}, "the start of every process")
    return site.pids()


def a_valkey_of_before(data_dir: Path) -> int:
    """As on a system that cannot tie a child to its parent: started by hand, its parent gone. Its process id."""
    start = (
        "import os, subprocess, sys; from pathlib import Path; from euchre_site import processes;"
        "folder = Path(sys.argv[1]);"
        "command = processes.commands(folder, '', 0, own_valkey=True)['valkey'];"
        "import fcntl; lock = os.open(processes.pid_file('valkey', folder), os.O_RDWR | os.O_CREAT);"
        "fcntl.flock(lock, fcntl.LOCK_EX);"
        "left = subprocess.Popen(command, pass_fds=[lock], stdout=subprocess.DEVNULL, start_new_session=True);"
        "os.write(lock, f'{left.pid} {os.getpid()}'.encode()); print(left.pid)"
    )
    done = subprocess.run(
        [sys.executable, "-c", start, data_dir], cwd=ROOT, env=clean_environment(), stdout=subprocess.PIPE, check=True
    )
    return int(done.stdout)


def test_it_restarts_what_dies_runs_beside_another_and_ctrl_c_stops_all_of_it(data_dir: Path) -> None:
    left = a_valkey_of_before(data_dir) if sys.platform == "linux" else None  # it is told by /proc
    assert left is None or not gone(left)
    copy_prepared(data_dir)  # of a start from nothing: see smoke.py
    with MadeRun(data_dir) as site:
        before = started(site)
        if left is not None:
            assert gone(left), "a Valkey that outlived its parent is stopped at the next start"
            assert before["valkey"] != left

        for name in CHILDREN:
            os.kill(before[name], signal.SIGKILL)

        def replaced() -> bool:
            now = site.pids()
            return now.keys() >= CHILDREN and all(now[name] != before[name] for name in CHILDREN)

        wait_until(replaced, "the restart of every child")
        wait_until(lambda: answers(site.url), "an answer of the restarted web process")
        assert site.pids()["supervisord"] == before["supervisord"]

        elsewhere = servers.folder("run")
        copy_prepared(elsewhere)
        with MadeRun(elsewhere) as other:
            assert f":{other.port}/" in other.first_line()
            assert answers(other.url)
            assert answers(site.url)
        said = refusal(DATA_DIR=str(data_dir), PORT=str(free_port()))
        assert said.startswith(f"This site is running already, as process {before['supervisord']} ")

        wait_until(lambda: site.pids().keys() == CHILDREN | {"supervisord"}, "every process")
        last = site.pids()
        site.stop()
        assert all(gone(pid) for pid in last.values())
        assert not answers(site.url)


def test_when_its_manager_or_make_is_killed_no_child_stays_and_the_next_start_works(data_dir: Path) -> None:
    copy_prepared(data_dir)
    with MadeRun(data_dir) as site:
        before = started(site)
        os.kill(before["supervisord"], signal.SIGKILL)
        with MadeRun(data_dir, PORT=str(site.port)) as second:
            assert f":{site.port}/" in second.first_line()
            assert all(gone(pid) for pid in before.values())
            assert answers(second.url)
            wait_until(lambda: second.pids().keys() == CHILDREN | {"supervisord"}, "the start of every process")
            before = second.pids()
            second.process.kill()
            second.process.wait()
            with MadeRun(data_dir, PORT=str(site.port)) as third:
                assert f":{site.port}/" in third.first_line()
                assert all(gone(pid) for pid in before.values())


def test_a_port_in_use_gets_one_sentence(data_dir: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        said = refusal(DATA_DIR=str(data_dir), PORT=str(port))
    assert said.startswith(f"Port {port} of 127.0.0.1 cannot be used")
    assert said.endswith("set another PORT or stop what uses it.")


def test_a_data_dir_that_cannot_be_made_gets_one_sentence(data_dir: Path) -> None:
    (data_dir / "file").touch()
    assert refusal(DATA_DIR=str(data_dir / "file" / "var")).startswith(f"DATA_DIR {data_dir}/file/var cannot be made")
    assert "too long a path" in refusal(DATA_DIR=str(data_dir / ("long" * 30)), PORT=str(free_port()))


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_data_dir_that_cannot_be_written_gets_one_sentence(data_dir: Path) -> None:
    data_dir.chmod(0o500)
    assert "cannot be written to" in refusal(DATA_DIR=str(data_dir))


def test_servers_that_do_not_answer_get_one_sentence(data_dir: Path) -> None:
    nobody = free_port()
    here = {"DATA_DIR": str(data_dir), "PORT": str(free_port())}
    assert "REDIS_URL does not answer" in refusal(REDIS_URL=f"redis://127.0.0.1:{nobody}/0", **here)
    said = refusal(DATABASE_URL=f"postgres://somebody:secret@127.0.0.1:{nobody}/euchre", **here)
    assert "DATABASE_URL cannot be used" in said
    assert "secret" not in said


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({}, "SECRET_KEY is not set"),
        ({"SECRET_KEY": "long and random"}, "ALLOWED_HOSTS is not set"),
        ({"SECRET_KEY": "long and random", "ALLOWED_HOSTS": "euchre.example"}, "EMAIL_URL is not set"),
        ({"SECRET_KEY": "x", "ALLOWED_HOSTS": "euchre.example", "DEBUG": "1"}, "DEBUG shows"),
        ({"PRODUCTION": "maybe"}, "PRODUCTION is 'maybe', but it must be 1 or 0."),
        ({"PRODUCTION": "0", "EUCHRE_BOT_DELAY": "soon"}, "EUCHRE_BOT_DELAY is 'soon', but it must be a number"),
        ({"PRODUCTION": "0", "DATABASE_URL": "nonsense"}, "DATABASE_URL must be"),
        ({"PRODUCTION": "0", "EMAIL_URL": "pigeon:"}, "EMAIL_URL must be"),
    ],
)
def test_a_missing_or_wrong_setting_gets_one_sentence(data_dir: Path, given: dict[str, str], sentence: str) -> None:
    assert refusal(**{"DATA_DIR": str(data_dir), "PRODUCTION": "1", **given}).startswith(sentence)
