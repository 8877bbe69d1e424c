"""A relay before a PostgreSQL server that makes it state an older version of itself."""

from __future__ import annotations

import re
import socket
import threading
from contextlib import closing, suppress
from typing import Self

from pipeline.warehouse.engine import parse_url

_VERSION = re.compile(rb"(?<=server_version\0)[^\0]+")


class OlderServer:
    """Passes on every byte but those of the version in the server's greeting; a context manager."""

    def __init__(self, database_url: str, version: str) -> None:
        self._target = parse_url(database_url)
        self._version = version.encode()
        self._listener = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def url(self) -> str:
        """The database's URL by way of this relay."""
        port = self._listener.getsockname()[1]
        plain = "sslmode=disable&gssencmode=disable"
        return (
            f"postgresql://{self._target.username}@127.0.0.1:{port}/{self._target.database}?{plain}"
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                server = self._connect()
                for source, sink in ((client, server), (server, client)):
                    threading.Thread(target=self._pass, args=(source, sink), daemon=True).start()

    def _connect(self) -> socket.socket:
        host = self._target.query.get("host", self._target.host)
        port = self._target.query.get("port", self._target.port or 5432)
        if str(host).startswith("/"):
            server = socket.socket(socket.AF_UNIX)
            server.connect(f"{host}/.s.PGSQL.{port}")
            return server
        return socket.create_connection((str(host), int(str(port))))

    def _pass(self, source: socket.socket, sink: socket.socket) -> None:
        with closing(sink), suppress(OSError):
            while piece := source.recv(65536):
                sink.sendall(_VERSION.sub(self._older, piece))

    def _older(self, stated: re.Match[bytes]) -> bytes:
        return self._version.ljust(len(stated[0]), b"0")  # the message's length is stated before it
