"""The warehouse's URL, and connecting: a refused connection gets the SQLSTATE that the server sent.

libpq gives no SQLSTATE of a failed connection, only a line in the server's language. So the connection is
made once more, and what the server answers is read from libpq's trace.
"""

import re
import select
import tempfile
from typing import Any
from urllib.parse import unquote

import psycopg
import sqlalchemy as sa
from psycopg import pq
from psycopg.conninfo import make_conninfo

from pipeline.warehouse.errors import WarehouseUrlInvalid

#: Options of a connection that libpq knows.
OPTIONS = frozenset(option.keyword.decode() for option in pq.Conninfo.get_defaults())

_URL = re.compile(r"(?:postgres|postgresql)(?:\+psycopg)?://(?P<rest>.*)", re.DOTALL)
_HOST = re.compile(r"(?P<host>.*?)(?::(?P<port>\d*))?")

#: How libpq shows what a server answers: its severity, in any language, and two blanks.
_ANSWER = re.compile(r"failed: [^\s:]+:  ")
_STATE = re.compile(rb'\tErrorResponse\t.*? C "(\w{5})"')

#: What it means if the second connection is accepted: the server could not connect us just then.
_PASSED = "57P03"

#: Seconds for each answer of the server.
_SECONDS = 10.0


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
    address, question, query = match["rest"].partition("?")
    userinfo, at, place = address.rpartition("@")
    hosts, _, database = place.partition("/")
    if "," in hosts:
        parts = [_HOST.fullmatch(host) for host in hosts.split(",")]
        listed = [(part["host"].strip("[]"), part["port"] or "") for part in parts if part]
        names, ports = (",".join(each) for each in zip(*listed, strict=True))
        place, question = f"/{database}", "?"
        query = "&".join(filter(None, (query, f"host={names}", f"port={ports}")))
    user, colon, password = userinfo.partition(":")
    try:
        url = sa.make_url(f"postgresql+psycopg://{place}{question}{query}")
    except (sa.exc.ArgumentError, ValueError):
        raise WarehouseUrlInvalid(
            "WAREHOUSE_URL has no readable host, port or database:"
            " it must look like postgresql://user:password@host:5432/database"
        ) from None
    if unknown := sorted(url.query.keys() - OPTIONS):
        raise WarehouseUrlInvalid(
            f"WAREHOUSE_URL has options that PostgreSQL does not know: {', '.join(unknown)}; remove them"
            " (TLS is asked for by sslmode=require)"
        )
    if not url.database:
        raise WarehouseUrlInvalid("WAREHOUSE_URL names no database: add /name after the host")
    option = url.query.get("password")
    if isinstance(option, str):
        url = url.difference_update_query(["password"]).set(password=option)
    return url.set(
        username=unquote(user) if at and user else url.username,
        password=unquote(password) if at and colon else url.password,
    )


def connect(dialect: Any, _: object, arguments: list[Any], options: dict[str, Any]) -> Any:
    """Connect for SQLAlchemy. Raises the driver's error, with the server's SQLSTATE if it answered."""
    try:
        return dialect.connect(*arguments, **options)
    except psycopg.OperationalError as error:
        if error.sqlstate is None and _ANSWER.search(str(error)):
            error.sqlstate = _state(options)
        raise


def _state(options: dict[str, Any]) -> str | None:
    """Return the SQLSTATE with which a server refuses a connection; None if it does not answer."""
    known = {name: value for name, value in options.items() if name in OPTIONS}
    with tempfile.TemporaryFile() as trace:
        connection = pq.PGconn.connect_start(make_conninfo(**known).encode())
        try:
            connection.trace(trace.fileno())
            while connection.status != pq.ConnStatus.BAD:
                turn = connection.connect_poll()
                if turn not in (pq.PollingStatus.READING, pq.PollingStatus.WRITING):
                    break
                socket = [connection.socket]
                reads, writes = (socket, []) if turn == pq.PollingStatus.READING else ([], socket)
                if not any(select.select(reads, writes, [], _SECONDS)):
                    break
            connection.untrace()
            if connection.status == pq.ConnStatus.OK:
                return _PASSED
        finally:
            connection.finish()
        trace.seek(0)
        found = _STATE.findall(trace.read())
    return found[-1].decode() if found else None
