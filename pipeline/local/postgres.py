"""A private, real PostgreSQL for `pipeline demo`, `pipeline dev` and the tests.

Its folder holds everything: ``data`` (the cluster), ``server.lock``, ``server.log`` and the socket.
The lock is inherited by every process of the server, so it is free only when the last of them is
gone, however they ended: no pid in a file has to be believed, and no process is killed by mistake.
There is no TCP port and no password; the folder's 0700 is what keeps others out.
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
from typing import IO, TYPE_CHECKING, Final, Self
from urllib.parse import quote

import psycopg
from psycopg import errors, sql

from pipeline.local.binaries import (
    ENVIRONMENT,
    Binaries,
    LocalPostgresError,
    find_binaries,
    make_parents,
    place_server,
    stated_cause,
)
from pipeline.local.sockets import (
    PORT,
    forget_socket,
    listener_pid,
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
_OURS = ("listen_addresses", "port", "unix_socket_directories", "unix_socket_permissions")


class LocalPostgres:
    """A PostgreSQL server of one's own, with its data in a folder.

    ``home`` is the folder asked for; the attribute ``home`` is the one in use, which differs only
    for root where the server's user can't enter the former (see ``binaries.place_server``). It is
    created when missing and must hold nothing else. ``binaries`` names a folder of PostgreSQL's
    programs (default: ``binaries.find_binaries``), ``settings`` are server settings such as
    ``{"fsync": "off"}``; both count when this object starts the server, not when it finds one.

    Raises ``ValueError`` for a setting that this class needs for itself, and ``LocalPostgresError``
    when there is no user or place to run the server.
    """

    def __init__(
        self,
        home: Path,
        *,
        binaries: Path | None = None,
        settings: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        taken = sorted(set(_OURS).intersection(settings))
        if taken:
            raise ValueError(f"settings of the local PostgreSQL itself: {', '.join(taken)}")
        self.home, self._user = place_server(home.expanduser().resolve())
        self._given = binaries
        self._settings = dict(settings)
        self._process: subprocess.Popen[bytes] | None = None
        self._keep = False

    # -- the server ------------------------------------------------------------------------------

    def start(self, *, keep: bool = False, timeout: float = 60.0) -> Self:
        """Start the server, or find the one that runs already in this folder; then it's usable.

        A server started here is stopped when this process ends, unless ``keep`` is true. After a
        crash it recovers what was committed. ``timeout`` is in seconds, recovery included. Raises
        ``LocalPostgresError``.
        """
        deadline = time.monotonic() + timeout
        with self._explaining(), self._open_home() as lock:
            while not _try_lock(lock):
                if self.running:
                    return self
                if time.monotonic() > deadline:
                    raise LocalPostgresError(
                        f"{self.home} is in use, but its server didn't answer for {timeout:g} s: "
                        f"see {self.home / _LOG}"
                    )
                time.sleep(_POLL_SECONDS)
            binaries = find_binaries(self._user, self._given)
            self._make_cluster(binaries, lock)
            self._launch(binaries, lock, keep=keep, deadline=deadline)
        return self

    def stop(self, *, reused: bool = False, timeout: float = 60.0) -> None:
        """Stop the server that this object started, ending its connections; wait for its end.

        One that was found running, or was started to be kept, is left alone unless ``reused`` is
        true. Nothing happens when none runs. Raises ``LocalPostgresError`` when that one is still
        there after ``timeout`` seconds.
        """
        atexit.unregister(self.stop)
        process = self._process
        # In a forked child poll() has an answer at once, since the server isn't a child of that one.
        if process is not None and process.poll() is None and not self._keep:
            process.send_signal(signal.SIGINT)
            try:
                process.wait(timeout)
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGQUIT)  # at the next start it recovers
                process.wait()
            forget_socket(self.home)
        elif reused:
            with self._explaining():
                self._stop_other(timeout)

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def running(self) -> bool:
        """Whether a server answers in this folder now, whoever started it."""
        return self.pid is not None

    @property
    def pid(self) -> int | None:
        """The process id of the server that answers in this folder, or ``None``."""
        pid_file = self.home / "data" / "postmaster.pid"
        with suppress(OSError, IndexError, psycopg.OperationalError):
            lines = pid_file.read_text(errors="replace").splitlines()
            # Asked before it is ready, the server would answer, but write an error to its log.
            if lines[7].strip() == "ready":
                with self._connect() as connection:
                    return listener_pid(connection) or int(lines[0])
        return None

    # -- its databases ---------------------------------------------------------------------------

    def url(self, database: str = "postgres", user: str = SUPERUSER) -> str:
        """Return the ``postgresql://`` URL of a database, for libpq and for SQLAlchemy alike."""
        folder = quote(os.fsencode(socket_folder(self.home)), safe="")
        return f"postgresql://{quote(user, safe='')}@/{quote(database, safe='')}?host={folder}&port={PORT}"

    def ensure_database(self, name: str) -> None:
        """Create the database unless it's there; safe when two processes do so at once."""
        with suppress(errors.DuplicateDatabase, errors.UniqueViolation):
            self.create_database(name)

    def create_database(self, name: str, template: str | None = None) -> None:
        """Create a database, as a copy of ``template`` if given (nobody may be connected to that).

        Raises ``psycopg.errors.DuplicateDatabase`` when it exists, or another ``psycopg.Error``.
        """
        statement = sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name))
        if template is not None:
            statement += sql.SQL(" TEMPLATE {}").format(sql.Identifier(template))
        with self._connect() as connection:
            connection.execute(statement)

    def drop_database(self, name: str) -> None:
        """Drop the database if it's there, ending its connections."""
        statement = sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name))
        with self._connect() as connection:
            connection.execute(statement)

    def _connect(self) -> psycopg.Connection:
        return psycopg.connect(self.url(), connect_timeout=5, autocommit=True)

    # -- its folder ------------------------------------------------------------------------------

    def _open_home(self) -> IO[bytes]:
        make_parents(self.home)
        self.home.mkdir(mode=0o700, exist_ok=True)
        # Before its mode is changed: a folder given by mistake keeps its contents and its mode.
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
                    f"delete {self.home} to begin anew"
                )
            return
        shutil.rmtree(fresh, ignore_errors=True)
        locale = ["--locale=C"]  # sorts by code point, as the builtin one, which 17 brought
        if binaries.major >= 17:
            locale += ["--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
        made = self._user.run(
            *(binaries.folder / "initdb", "-D", fresh, "-U", SUPERUSER, "-A", "trust"),
            *("-E", "UTF8", *locale),
            pass_fds=[lock.fileno()],  # an orphaned initdb keeps the next start waiting
        )
        if made.returncode != 0:
            raise LocalPostgresError(f"initdb couldn't make {data}: {stated_cause(made.stderr)}")
        fresh.rename(data)  # a half-made cluster never counts

    def _launch(self, binaries: Binaries, lock: IO[bytes], *, keep: bool, deadline: float) -> None:
        # The lock is ours: what the file names is gone, even if another process has its number.
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
                user=self._user.uid,
                group=self._user.gid,
                extra_groups=self._user.groups,
                umask=0o077,
                cwd="/",
                env=ENVIRONMENT,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,  # the terminal's Ctrl-C is for us, not for the server
                pass_fds=[lock.fileno()],
            )
        self._process, self._keep = process, False
        atexit.register(self.stop)
        try:
            self._await_answer(process, deadline)
        except BaseException:
            self.stop()
            forget_socket(self.home)
            raise
        if keep:
            self._keep = True
            atexit.unregister(self.stop)
            _kept.append(process)

    def _await_answer(self, process: subprocess.Popen[bytes], deadline: float) -> None:
        while not self.running:
            if process.poll() is not None:
                reason = stated_cause((self.home / _LOG).read_text(errors="replace"))
                raise LocalPostgresError(f"PostgreSQL didn't start in {self.home}: {reason}")
            if time.monotonic() > deadline:
                raise LocalPostgresError(
                    f"PostgreSQL in {self.home} isn't ready in time: see {self.home / _LOG}"
                )
            time.sleep(_POLL_SECONDS)

    def _stop_other(self, timeout: float) -> None:
        deadline, asked = time.monotonic() + timeout, False
        if not self.home.is_dir():
            return
        with open_private(self.home / _LOCK, self._user) as lock:
            while not _try_lock(lock):
                if not asked and (pid := self.pid) is not None:
                    try:
                        os.kill(pid, signal.SIGINT)
                    except OSError as error:
                        raise LocalPostgresError(
                            f"can't stop the PostgreSQL of {self.home}: {error.strerror}"
                        ) from None
                    asked = True
                if time.monotonic() > deadline:
                    raise LocalPostgresError(
                        f"the PostgreSQL of {self.home} didn't stop within {timeout:g} s"
                    )
                time.sleep(_POLL_SECONDS)
            if self._process is not None:
                self._process.wait()
            forget_socket(self.home)


_kept: list[subprocess.Popen[bytes]] = []  # servers that outlive this process, and its warnings


def _try_lock(file: IO[bytes]) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
