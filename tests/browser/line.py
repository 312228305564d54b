"""A line to the site that can be cut: one person loses his connection, the others do not."""

from __future__ import annotations

import contextlib
import socket
import threading
from typing import Self


class Line:
    """Passes connections on to a port of this machine, until it is cut."""

    def __init__(self, port: int) -> None:
        self._far = port
        self._near = socket.create_server(("127.0.0.1", 0))
        self._whole = True
        self._lock = threading.Lock()
        self._ends: list[socket.socket] = []
        self.url = f"http://127.0.0.1:{self._near.getsockname()[1]}"

    def __enter__(self) -> Self:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.cut()
        with contextlib.suppress(OSError):
            self._near.shutdown(socket.SHUT_RDWR)
        self._near.close()

    def cut(self) -> None:
        """End every connection, and each new one at once."""
        with self._lock:
            self._whole = False
            for end in self._ends:
                with contextlib.suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)
            self._ends.clear()

    def mend(self) -> None:
        self._whole = True

    def _accept(self) -> None:
        while True:
            try:
                near, _address = self._near.accept()
            except OSError:
                return
            try:
                far = socket.create_connection(("127.0.0.1", self._far))
            except ConnectionRefusedError:
                near.close()
                continue
            with self._lock:
                if not self._whole:
                    near.close()
                    far.close()
                    continue
                self._ends += [near, far]
            for one, other in ((near, far), (far, near)):
                threading.Thread(target=_pass_on, args=(one, other), daemon=True).start()


def _pass_on(one: socket.socket, other: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while data := one.recv(65536):
            other.sendall(data)
    for end in (one, other):
        with contextlib.suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)
