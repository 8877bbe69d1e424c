"""The warehouse's URL, and connecting: a refused connection gets the SQLSTATE that the server sent.

libpq gives no SQLSTATE of a failed connection, only a line in the server's language. So a login is tried
first, until the server accepts it, and what the server answers is read from libpq's trace.
"""

import re
import select
import tempfile
import time
from contextlib import suppress
from typing import Any
from urllib.parse import parse_qsl, unquote

import psycopg
import sqlalchemy as sa
from psycopg import pq
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from pipeline.warehouse.database.errors import WarehouseUrlInvalid

#: Options of a connection that libpq knows.
OPTIONS = frozenset(option.keyword.decode() for option in pq.Conninfo.get_defaults())

_URL = re.compile(r"(?:postgres|postgresql)(?:\+psycopg)?://(?P<rest>.*)", re.DOTALL)
_PORTS = re.compile(r"[\d,]*")

#: How libpq's trace shows the SQLSTATE of a refusal.
_STATE = re.compile(rb'\tErrorResponse\t.*? C "(\w{5})"')

_WRONG_PASSWORD = "28P01"  # noqa: S105  # a SQLSTATE
_REFUSED_SECONDS = 60.0

#: Logins by their hashes: whose last connection was accepted; what was wrong with a password, and when.
_accepted: set[int] = set()
_refused: dict[int, tuple[str, str | None, float]] = {}


def parse_url(text: str) -> sa.URL:
    """Parse ``postgresql://user:password@host:port/database?options``.

    The password may contain ``:``, ``@``, ``%`` and non-ASCII letters, percent-encoded or not. It can
    also be given as the option ``password``. The returned URL does not show it when printed.
    Several hosts are separated by commas, as for libpq: ``h1:5432,h2:5432``.
    Raises ``WarehouseUrlInvalid``, whose message does not repeat the URL, since that has the password.
    """
    match = _URL.fullmatch(text.strip())
    if match is None:
        raise WarehouseUrlInvalid(
            "WAREHOUSE_URL must look like postgresql://user:password@host:5432/database"
        )
    address, _, query = match["rest"].partition("?")
    userinfo, at, place = address.rpartition("@")
    user, colon, password = userinfo.partition(":")
    given = dict(parse_qsl(query, keep_blank_values=True))
    unknown = sorted(given.keys() - OPTIONS)
    if unknown and "@" in query:  # what is unknown may be a part of the password
        raise WarehouseUrlInvalid(
            "WAREHOUSE_URL can't be read behind its question mark: write %3F for one in the password"
        )
    if unknown:
        raise WarehouseUrlInvalid(
            f"WAREHOUSE_URL has options that PostgreSQL does not know: {', '.join(unknown)}; remove them"
            " (TLS is asked for by sslmode=require)"
        )
    if not given.get("connect_timeout", "0").isdecimal():
        raise WarehouseUrlInvalid("WAREHOUSE_URL: connect_timeout must be a number of seconds")
    options, readable = given, None
    with suppress(psycopg.ProgrammingError):
        read = conninfo_to_dict(f"postgresql://{place}")
        options = {name: str(value) for name, value in read.items()} | given
        readable = _PORTS.fullmatch(options.get("port", ""))
    if not readable:
        raise WarehouseUrlInvalid(
            "WAREHOUSE_URL has no readable host, port or database:"
            " it must look like postgresql://user:password@host:5432/database"
        )
    if not options.keys() & {"dbname", "service"}:
        raise WarehouseUrlInvalid("WAREHOUSE_URL names no database: add /name after the host")
    given_user, given_password = options.pop("user", None), options.pop("password", None)
    return sa.URL.create(
        "postgresql+psycopg",
        unquote(user) if at and user else given_user,
        unquote(password) if at and colon else given_password,
        database=options.pop("dbname", None),
        query=options,
    )


def connect(dialect: Any, _: object, arguments: list[Any], options: dict[str, Any]) -> Any:
    """Connect for SQLAlchemy. Raises the driver's error, with the server's SQLSTATE if it answered.

    A wrong password is tried once: for a minute, the same login then fails without asking the server.
    """
    known = {name: value for name, value in options.items() if name in OPTIONS}
    login = hash(make_conninfo(**known))
    if login not in _accepted:
        _check_login(login, known)
    try:
        connection = dialect.connect(*arguments, **options)
    except psycopg.OperationalError:
        _accepted.discard(login)
        raise
    _accepted.add(login)
    return connection


def _check_login(login: int, options: dict[str, Any]) -> None:
    """Raise the driver's error if the server refuses a login, or can't be reached."""
    said, state, at = _refused.pop(login, ("", None, 0.0))
    if not said or time.monotonic() - at > _REFUSED_SECONDS:
        said, state = _log_in(options)
        at = time.monotonic()
    if state == _WRONG_PASSWORD:
        _refused[login] = said, state, at
    if said:
        error = psycopg.OperationalError(said)
        error.sqlstate = state
        raise error


def _log_in(options: dict[str, Any]) -> tuple[str, str | None]:
    """Log in and leave; return what is wrong, and the SQLSTATE if the server answered.

    Nothing is wrong if it can't be told in time: the driver has a time-out for each host.
    """
    connection = pq.PGconn.connect_start(make_conninfo(**options).encode())
    with tempfile.TemporaryFile() as trace:
        try:
            connection.trace(trace.fileno())
            in_time = _await_login(connection, int(options.get("connect_timeout") or 0) or None)
            connection.untrace()
            said = connection.get_error_message()
            if connection.status == pq.ConnStatus.OK or not in_time:
                return "", None
        finally:
            connection.finish()
        trace.seek(0)
        states = _STATE.findall(trace.read())
    return said, states[-1].decode() if states else None


def _await_login(connection: pq.abc.PGconn, seconds: int | None) -> bool:
    """Go on until the server accepts or refuses; return False if it lets us wait too long."""
    while connection.status != pq.ConnStatus.BAD:
        turn = connection.connect_poll()
        if turn not in (pq.PollingStatus.READING, pq.PollingStatus.WRITING):
            break
        socket = [connection.socket]
        reads, writes = (socket, []) if turn == pq.PollingStatus.READING else ([], socket)
        if not any(select.select(reads, writes, [], seconds)):
            return False
    return True
