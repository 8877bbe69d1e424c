"""A receiver of alerts and heartbeats: a real HTTP server, for apprise ``json://``. It may refuse."""

from __future__ import annotations

import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

#: In every address: anything of it in any output, log or cursor is a leak.
SECRET = "hook-9c2e7a"


class Receiver:
    """Keeps what was posted, and the paths that were requested; ``status`` is what it answers."""

    def __init__(self, port: int) -> None:
        self.url = f"json://127.0.0.1:{port}/{SECRET}"
        self.heartbeat = f"http://127.0.0.1:{port}/beat"
        self.beats: list[str] = []
        self.status = 200
        self.taken: list[dict[str, Any]] = []
        self.refused = 0

    @property
    def texts(self) -> list[str]:
        """Title and body of each message that was taken."""
        return [f"{each['title']}\n{each['message']}" for each in self.taken]


@contextmanager
def receiver() -> Iterator[Receiver]:
    """Serve a receiver on a free port of this machine."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            if made.status == 200:
                made.taken.append(message)
            else:
                made.refused += 1
            self._answer()

        def do_GET(self) -> None:
            made.beats.append(self.path)
            self._answer()

        def _answer(self) -> None:
            self.send_response(made.status)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            return

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        made = Receiver(server.server_port)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield made
        finally:
            server.shutdown()
