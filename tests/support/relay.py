"""Relays before a PostgreSQL server: they state an older version, lose connections, or pool them."""

from __future__ import annotations

import re
import socket
import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Self

from pipeline.warehouse.database.contact import parse_url

if TYPE_CHECKING:
    from collections.abc import Callable

    Change = Callable[[bytes], bytes]

_VERSION = re.compile(rb"(?<=server_version\0)[^\0]+")

#: The server states its process number; it is ready; it is ready and in no transaction.
_PROCESS = re.compile(rb"K\0\0\0\x0c....", re.DOTALL)
_READY = re.compile(rb"Z\0\0\0\x05[ITE]$")
_IDLE = b"Z\0\0\0\x05I"
#: How long a pooler waits for an answer of the server.
_WAIT_SECONDS = 10


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

    def refuse(self, client: socket.socket) -> bool:  # noqa: ARG002
        """Answer a new client instead of the server; return whether it did."""
        return False

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
                if self.refuse(client):
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
        host, port = self._target.query["host"], self._target.query.get("port", "5432")
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


class Refusing(Relay):
    """Refuses so many connections with a SQLSTATE, in Spanish, as a server does; then it passes on all.

    ``refused``: how many it has refused.
    """

    def __init__(self, database_url: str, state: str, times: int) -> None:
        self._state, self._times, self.refused = state, times, 0
        super().__init__(database_url)

    def refuse(self, client: socket.socket) -> bool:
        """Refuse a connection, if its turn has not come; return whether it did."""
        if self.refused == self._times:
            return False
        self.refused += 1
        client.recv(65536)
        said = f"SFATAL\0VFATAL\0C{self._state}\0Mno se puede, lo sentimos\0\0".encode()
        client.sendall(_framed(b"E", said))
        client.close()
        return True


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
    """Loses every connection from some moment on.

    ``connections``: those made until now, refused ones included.
    """

    def __init__(self, database_url: str) -> None:
        self.connections, self._down = 0, False
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
        """Lose the connection, if the wire is down."""
        if self._down:
            raise ConnectionError
        return piece


class Pooler(Relay):
    """A pooler as PgBouncer is one; its clients see process numbers of its own making.

    ``transactions``: all clients share one session of the server, one transaction after another. Else
    each client has a session of its own.
    """

    def __init__(self, database_url: str, *, transactions: bool) -> None:
        self._greeting = b""
        self._turn = threading.Lock()
        self._shared: socket.socket | None = None
        super().__init__(database_url)
        if transactions:
            self._shared = self._connect()
            self._shared.settimeout(_WAIT_SECONDS)
            start = b"\0\3\0\0user\0%b\0database\0%b\0\0"
            names = (str(self._target.username).encode(), str(self._target.database).encode())
            self._shared.sendall(_framed(b"", start % names))
            self._greeting = self._answer(self._shared)

    def to_client(self, piece: bytes) -> bytes:
        """State another process number than the server's."""
        return _PROCESS.sub(b"K\0\0\0\x0c\0\0\x03\xe8", piece)

    def _pass(self, source: socket.socket, sink: socket.socket, change: Change) -> None:
        if self._shared is None:
            super()._pass(source, sink, change)
        elif change == self.to_server:  # the other direction is answered here
            sink.close()
            with suppress(OSError):
                self._serve(source, self._shared)
            source.close()

    def _serve(self, client: socket.socket, server: socket.socket) -> None:
        client.recv(65536)  # its greeting
        client.sendall(self.to_client(self._greeting))
        while (piece := client.recv(65536)) and not piece.startswith(b"X"):
            with self._turn:
                server.sendall(piece)
                answer = self._answer(server)
                client.sendall(answer)
                while not answer.endswith(_IDLE):
                    server.sendall(client.recv(65536))
                    answer = self._answer(server)
                    client.sendall(answer)

    @staticmethod
    def _answer(server: socket.socket) -> bytes:
        answer = b""
        while not _READY.search(answer):
            if not (piece := server.recv(65536)):
                raise ConnectionError
            answer += piece
        return answer


def _framed(kind: bytes, content: bytes) -> bytes:
    return kind + (len(content) + 4).to_bytes(4, "big") + content
