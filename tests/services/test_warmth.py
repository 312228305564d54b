"""How a worker's bots get ready, and what is said of it."""

from __future__ import annotations

import logging
from types import SimpleNamespace
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games import tasks
from games.models import Pulse
from games.services import warmth

pytestmark = pytest.mark.django_db


def test_a_worker_with_numba_says_that_its_bots_are_ready(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, client: Client
) -> None:
    for part in (warmth.strong, warmth.analysis):
        monkeypatch.setattr(part, "warm", lambda: True)
    with caplog.at_level(logging.INFO, logger="games.services.warmth"):
        assert warmth.warm_up(timezone.now()) == "compiled"
    assert "bots are ready" in caplog.text
    assert "with the compiled solver" in client.get(reverse("status")).content.decode()


def test_a_worker_without_numba_plays_on_and_says_so(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, client: Client
) -> None:
    Pulse.objects.create(name="bots", at=timezone.now(), note="compiled")
    monkeypatch.setattr(warmth.strong, "warm", lambda: False)
    assert warmth.warm_up(timezone.now()) == "plain"
    assert "numba is not installed here" in caplog.text
    assert "numba is missing" in client.get(reverse("status")).content.decode()


def test_a_small_machine_does_without(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, settings: Any
) -> None:
    settings.EUCHRE_COMPILED = False
    monkeypatch.setattr(warmth.strong, "warm", lambda: pytest.fail("numba was loaded"))
    assert warmth.warm_up(timezone.now()) == "plain"
    assert not caplog.text


@pytest.mark.parametrize(("queues", "warmed"), [({"bots": 1, "clock": 1}, True), ({"clock": 1}, False)])
def test_only_a_worker_that_serves_bots_gets_ready(
    monkeypatch: pytest.MonkeyPatch,
    queues: dict[str, int],
    warmed: bool,
) -> None:
    started: list[str] = []
    thread = SimpleNamespace(start=lambda: started.append("warm"))
    monkeypatch.setattr(tasks.threading, "Thread", lambda **_kwargs: thread)
    app = SimpleNamespace(amqp=SimpleNamespace(queues=SimpleNamespace(consume_from=queues)))
    tasks.warm_bots(SimpleNamespace(app=app))
    assert started == (["warm"] if warmed else [])
