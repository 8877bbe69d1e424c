"""Relays before a PostgreSQL server: one states an older version, one loses connections."""

from __future__ import annotations

import re
import socket
import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Self

from pipeline.warehouse.engine import parse_url

if TYPE_CHECKING:
    from collections.abc import Callable

    Change = Callable[[bytes], bytes]

_VERSION = re.compile(rb"(?<=server_version\0)[^\0]+")

#: How a message with rows begins.
_COPY_DATA = b"d"


class Relay:
    """Passes on every byte between clients and a database's server; a context manager."""

    def __init__(self, database_url: str) -> None:
        self._target = parse_url(database_url)
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

    def accepts(self) -> bool:
        """Whether the connection just made is passed on; else it is closed."""
        return True

    def to_server(self, piece: bytes) -> bytes:
        """Return what to pass on of a client's bytes; ConnectionError ends the connection."""
        return piece

    def to_client(self, piece: bytes) -> bytes:
        """Return what to pass on of the server's bytes."""
        return piece

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                if not self.accepts():
                    client.close()
                    continue
                server = self._connect()
                for source, sink, change in (
                    (client, server, self.to_server),
                    (server, client, self.to_client),
                ):
                    threading.Thread(
                        target=self._pass, args=(source, sink, change), daemon=True
                    ).start()

    def _connect(self) -> socket.socket:
        host = self._target.query.get("host", self._target.host)
        port = self._target.query.get("port", self._target.port or 5432)
        if str(host).startswith("/"):
            server = socket.socket(socket.AF_UNIX)
            server.connect(f"{host}/.s.PGSQL.{port}")
            return server
        return socket.create_connection((str(host), int(str(port))))

    def _pass(self, source: socket.socket, sink: socket.socket, change: Change) -> None:
        with suppress(OSError):
            while piece := source.recv(65536):
                sink.sendall(change(piece))
        for end in (sink, source):  # a mere close would not wake the thread that reads from it
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        sink.close()


class OlderServer(Relay):
    """Passes on every byte but those of the version in the server's greeting."""

    def __init__(self, database_url: str, version: str) -> None:
        self._version = version.encode()
        super().__init__(database_url)

    def to_client(self, piece: bytes) -> bytes:
        """State the older version."""
        return _VERSION.sub(self._older, piece)

    def _older(self, stated: re.Match[bytes]) -> bytes:
        return self._version.ljust(len(stated[0]), b"0")  # the message's length is stated before it


class LossyWire(Relay):
    """Loses connections: one in the middle of a COPY, or every one from some moment on.

    ``connections``: those made until now, refused ones included. ``lost``: those lost in a COPY.
    """

    def __init__(self, database_url: str, copy_of: str | None = None) -> None:
        self.connections = self.lost = 0
        self._begin = f"copy {copy_of} ".encode() if copy_of else None
        self._copying = self._down = False
        super().__init__(database_url)

    def go_down(self) -> None:
        """Refuse new connections, and end each one there is when it is next used."""
        self._down = True

    def come_back(self) -> None:
        """Pass on whatever comes from now on."""
        self._down = False

    def accepts(self) -> bool:
        """Count the connection."""
        self.connections += 1
        return not self._down

    def to_server(self, piece: bytes) -> bytes:
        """Lose the connection instead of its first rows, once; or whatever comes."""
        if self._down:
            raise ConnectionError
        if self._copying and piece.startswith(_COPY_DATA) and not self.lost:
            self.lost += 1
            raise ConnectionError
        self._copying = self._copying or (self._begin is not None and self._begin in piece)
        return piece
