"""A private, real PostgreSQL for `pipeline demo`, `pipeline dev` and the tests.

Its folder has everything: ``data`` (the cluster), ``server.lock``, ``server.log`` and the socket.
Every process of the server inherits the lock. So the lock is free only when the last of them has ended,
in whatever way: we never rely on a pid in a file, and never kill another process by mistake.
There is no TCP port and no password. The folder's mode 0700 keeps others out.
"""

from __future__ import annotations

import atexit
import fcntl
import os
import shutil
import signal
import subprocess
import time
from contextlib import contextmanager, suppress
from types import MappingProxyType
from typing import IO, TYPE_CHECKING, Final, LiteralString, Self
from urllib.parse import quote

import psycopg
from psycopg import errors, sql

from pipeline.local.binaries import (
    Binaries,
    LocalPostgresError,
    find_binaries,
    place_server,
    stated_cause,
)
from pipeline.local.sockets import (
    PORT,
    forget_socket,
    make_socket_folder,
    open_private,
    socket_folder,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

SUPERUSER: Final = "postgres"

_LOCK, _LOG = "server.lock", "server.log"
_POLL_SECONDS = 0.01

#: Seconds in which a server must answer, with the recovery after a crash, or end.
_TIMEOUT: Final = 60.0


class LocalPostgres:
    """A private PostgreSQL server with its data in one folder.

    ``home``: the folder, created when missing; it must contain nothing else. The attribute ``home`` is
    the folder in use. It differs only for root, when the server's user cannot enter the given one
    (`binaries.place_server`). ``settings``: server settings such as ``{"fsync": "off"}``, used when this
    object starts the server, not when it finds a running one.

    Settings of where the server listens are not used. Raises ``LocalPostgresError`` when there is no
    user or place to run the server.
    """

    def __init__(
        self,
        home: Path,
        *,
        settings: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self.home, self._user = place_server(home.expanduser().resolve())
        self._settings = dict(settings)
        self._process: subprocess.Popen[bytes] | None = None

    # -- the server ------------------------------------------------------------------------------

    def start(self) -> Self:
        """Start the server, or find the one that already runs in this folder, and wait until it answers.

        A server started here is stopped when this process ends. After a crash it recovers everything
        committed. Raises ``LocalPostgresError``.
        """
        deadline = time.monotonic() + _TIMEOUT
        with self._explaining(), self._open_home() as lock:
            late = (
                f"{self.home} is in use, but its server didn't answer for {_TIMEOUT:g} s: "
                f"see {self.home / _LOG}"
            )
            for _ in _poll(deadline, late):
                if _try_lock(lock):
                    break
                if self.running:
                    return self
            binaries = find_binaries(self._user)
            self._make_cluster(binaries, lock)
            self._launch(binaries, lock, deadline)
        return self

    def stop(self) -> None:
        """Stop the server that this object started: end its connections and wait for its end.

        A server that was found running goes on.
        """
        atexit.unregister(self.stop)
        process = self._process
        # In a forked child poll() returns at once: the server is not a child of that process.
        if process is not None and process.poll() is None:
            process.send_signal(signal.SIGINT)
            try:
                process.wait(_TIMEOUT)
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGQUIT)  # it recovers at the next start
                process.wait()
            forget_socket(self.home)

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def running(self) -> bool:
        """True when a server answers in this folder now, started by any process."""
        return self.pid is not None

    @property
    def pid(self) -> int | None:
        """The process id of the server that answers in this folder, or ``None``."""
        pid_file = self.home / "data" / "postmaster.pid"
        with suppress(OSError, IndexError, psycopg.OperationalError):
            lines = pid_file.read_text(errors="replace").splitlines()
            # A server that is not ready would answer, and write an error to its log.
            if lines[7].strip() == "ready":
                self._connect().close()
                return int(lines[0])
        return None

    # -- its databases ---------------------------------------------------------------------------

    def url(self, database: str = "postgres", user: str = SUPERUSER) -> str:
        """Return the ``postgresql://`` URL of a database, for libpq and for SQLAlchemy alike."""
        folder = quote(os.fsencode(socket_folder(self.home)), safe="")
        return f"postgresql://{quote(user, safe='')}@/{quote(database, safe='')}?host={folder}&port={PORT}"

    def ensure_database(self, name: str) -> None:
        """Create the database unless it exists. Two processes can do this at the same moment."""
        with suppress(errors.DuplicateDatabase, errors.UniqueViolation):
            self._execute("CREATE DATABASE {}", name)

    def drop_database(self, name: str) -> None:
        """Drop the database if it exists, and end its connections."""
        self._execute("DROP DATABASE IF EXISTS {} WITH (FORCE)", name)

    def _execute(self, statement: LiteralString, database: str) -> None:
        with self._connect() as connection:
            connection.execute(sql.SQL(statement).format(sql.Identifier(database)))

    def _connect(self) -> psycopg.Connection:
        return psycopg.connect(self.url(), connect_timeout=5, autocommit=True)

    # -- its folder ------------------------------------------------------------------------------

    def _open_home(self) -> IO[bytes]:
        self.home.mkdir(mode=0o700, parents=True, exist_ok=True)
        # Checked before the mode changes: a folder given by mistake must stay as it is.
        if not (self.home / _LOCK).exists() and any(self.home.iterdir()):
            raise LocalPostgresError(
                f"{self.home} holds other files: name an empty or a new folder for PostgreSQL"
            )
        self._user.own(self.home)
        return open_private(self.home / _LOCK, self._user)

    @contextmanager
    def _explaining(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise LocalPostgresError(
                f"can't keep PostgreSQL's data in {self.home}: {error.strerror or error}: name a "
                "folder that you own and may write to"
            ) from None

    def _make_cluster(self, binaries: Binaries, lock: IO[bytes]) -> None:
        data, fresh = self.home / "data", self.home / "data.new"
        if (data / "PG_VERSION").exists():
            major = (data / "PG_VERSION").read_text().strip()
            if major != str(binaries.major):
                raise LocalPostgresError(
                    f"{data} was made by PostgreSQL {major}, but {binaries.folder} holds "
                    f"{binaries.major}: name programs of {major} in PIPELINE_POSTGRES_BIN, or "
                    f"delete {self.home} to start over"
                )
            return
        shutil.rmtree(fresh, ignore_errors=True)
        locale = ["--locale=C"]  # sorts by code point, like the builtin provider of 17 and newer
        if binaries.major >= 17:
            locale += ["--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
        made = self._user.run(
            *(binaries.folder / "initdb", "-D", fresh, "-U", SUPERUSER, "-A", "trust"),
            *("-E", "UTF8", *locale),
            pass_fds=[lock.fileno()],  # the next start waits for an orphaned initdb
        )
        if made.returncode != 0:
            raise LocalPostgresError(f"initdb couldn't make {data}: {stated_cause(made.stderr)}")
        fresh.rename(data)  # so an unfinished cluster is never used

    def _launch(self, binaries: Binaries, lock: IO[bytes], deadline: float) -> None:
        # We have the lock, so the process in this file has ended, even if another one has its pid now.
        (self.home / "data" / "postmaster.pid").unlink(missing_ok=True)
        folder = make_socket_folder(self.home, self._user)
        options = {
            **self._settings,
            "listen_addresses": "",
            "port": str(PORT),
            "unix_socket_permissions": "0700",
            "unix_socket_directories": '"{}"'.format(str(folder).replace('"', '""')),
        }
        command = [str(binaries.folder / "postgres"), "-D", str(self.home / "data")]
        for name, value in options.items():
            command += ("-c", f"{name}={value}")
        with suppress(FileNotFoundError):
            (self.home / _LOG).replace(self.home / f"{_LOG}.old")
        with open_private(self.home / _LOG, self._user) as log:
            process = subprocess.Popen(
                command,
                **self._user.options([lock.fileno()]),
                stdout=log,
                stderr=log,
                start_new_session=True,  # the terminal's Ctrl-C must not reach the server
            )
        self._process = process
        atexit.register(self.stop)
        try:
            self._await_answer(process, deadline)
        except BaseException:
            self.stop()
            forget_socket(self.home)
            raise

    def _await_answer(self, process: subprocess.Popen[bytes], deadline: float) -> None:
        late = f"PostgreSQL in {self.home} isn't ready in time: see {self.home / _LOG}"
        for _ in _poll(deadline, late):
            if self.running:
                return
            if process.poll() is not None:
                reason = stated_cause((self.home / _LOG).read_text(errors="replace"))
                raise LocalPostgresError(f"PostgreSQL didn't start in {self.home}: {reason}")


def _poll(deadline: float, late: str) -> Iterator[None]:
    """Yield often until the deadline (``time.monotonic``); then raise ``LocalPostgresError``."""
    while time.monotonic() <= deadline:
        yield
        time.sleep(_POLL_SECONDS)
    raise LocalPostgresError(late)


def _try_lock(file: IO[bytes]) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
