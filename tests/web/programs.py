"""A program, as the tests of the API use one."""

from __future__ import annotations

import json
from typing import Any

from django.http import HttpResponse
from django.test import Client

from games.models import Player, Table
from games.services.programs import make_token

ROOT = "/api/v1"


class Program:
    """Asks as the owner of a token does, or as nobody in particular; every answer has to be JSON."""

    def __init__(self, player: Player | None = None, token: str = "") -> None:
        self.token = make_token(player_id=player.pk, name="A test") if player else token
        self.client = Client(raise_request_exception=False)
        self.headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}

    def get(self, path: str, status: int = 200, **query: Any) -> Any:
        return self._read(self.client.get(ROOT + path, query, headers=self.headers), status)

    def post(self, path: str, body: Any = None, status: int = 200) -> Any:
        return self._read(self.send(path, body), status)

    def act(self, table_id: int, action: str, status: int = 200, **more: Any) -> Any:
        """Act with the version that the table shows."""
        version = Table.objects.values_list("version", flat=True).get(pk=table_id)
        return self.post(f"/tables/{table_id}/act", {"action": action, "version": version} | more, status)

    def send(self, path: str, body: Any = None) -> HttpResponse:
        if body is None:
            return self.client.generic("POST", ROOT + path, headers=self.headers)
        return self.client.post(ROOT + path, json.dumps(body), content_type="application/json", headers=self.headers)

    def refused(self, answer: HttpResponse, status: int, code: str) -> dict[str, Any]:
        said = self._read(answer, status)
        assert said["error"] == code, said
        return said

    def _read(self, answer: HttpResponse, status: int) -> Any:
        assert answer.status_code == status, answer.content
        if status == 204:
            return None
        said = json.loads(answer.content)
        if status >= 400:
            assert_refusal(answer)
        return said


def assert_refusal(answer: HttpResponse) -> dict[str, Any]:
    """An answer of 4xx has one shape, and a sentence."""
    assert 400 <= answer.status_code < 500, (answer.status_code, answer.content[:500])
    assert answer.headers["Content-Type"] == "application/json"
    said = json.loads(answer.content)
    assert {"error", "message"} <= set(said) <= {"error", "message", "table", "table_id"}
    assert said["error"].replace("_", "").isalnum()
    assert said["message"][0].isupper() or ": " in said["message"], said
    assert said["message"].endswith("."), said
    return said
