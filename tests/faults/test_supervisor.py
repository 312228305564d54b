"""``make run``: it starts, restarts what dies, stops all of it, and says what is in its way."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
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


@pytest.fixture
def site(data_dir: Path) -> Iterator[MadeRun]:
    copy_prepared(data_dir)
    with MadeRun(data_dir) as site:
        line = site.first_line()
        assert f"http://localhost:{site.port}/" in line
        assert answers(site.url)
        wait_until(lambda: site.pids().keys() == CHILDREN | {"supervisord"}, "the start of every process")
        yield site


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


def test_a_child_that_is_killed_is_restarted_and_ctrl_c_stops_every_child(site: MadeRun) -> None:
    before = site.pids()
    for name in CHILDREN:
        os.kill(before[name], signal.SIGKILL)

    def replaced() -> bool:
        now = site.pids()
        return now.keys() >= CHILDREN and all(now[name] != before[name] for name in CHILDREN)

    wait_until(replaced, "the restart of every child")
    wait_until(lambda: answers(site.url), "an answer of the restarted web process")

    last = site.pids()
    assert last["supervisord"] == before["supervisord"]
    site.stop()
    assert all(gone(pid) for pid in last.values())
    assert not answers(site.url)


def test_when_the_process_manager_is_killed_no_child_stays_and_the_next_start_works(site: MadeRun) -> None:
    before = site.pids()
    os.kill(before["supervisord"], signal.SIGKILL)
    with MadeRun(site.data_dir, PORT=str(site.port)) as again:
        assert f":{site.port}/" in again.first_line()
        assert all(gone(pid) for pid in before.values())
        assert answers(again.url)


def test_when_make_is_killed_the_next_start_replaces_what_it_left(site: MadeRun) -> None:
    before = site.pids()
    site.process.kill()
    site.process.wait()
    with MadeRun(site.data_dir, PORT=str(site.port)) as again:
        assert f":{site.port}/" in again.first_line()
        assert all(gone(pid) for pid in before.values())


@pytest.mark.skipif(sys.platform != "linux", reason="tells the left-over by /proc")
def test_a_valkey_that_outlived_its_parent_is_stopped_at_the_next_start(data_dir: Path) -> None:
    # As on a system that cannot tie a child to its parent: started by hand, its parent gone.
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
    left = int(done.stdout)
    assert not gone(left)
    copy_prepared(data_dir)
    with MadeRun(data_dir) as site:
        assert f":{site.port}/" in site.first_line()
        assert gone(left)
        assert site.pids()["valkey"] != left


def test_two_copies_run_side_by_side_but_not_with_the_same_data(site: MadeRun) -> None:
    with MadeRun(servers.folder("run")) as other:
        assert f":{other.port}/" in other.first_line()
        assert answers(other.url)
        assert answers(site.url)
    said = refusal(DATA_DIR=str(site.data_dir), PORT=str(free_port()))
    assert said.startswith(f"This site is running already, as process {site.pids()['supervisord']} ")


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
