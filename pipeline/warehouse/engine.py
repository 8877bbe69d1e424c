"""Connections to the warehouse: the URL, the engine, and transactions that are tried again."""

import re
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar
from urllib.parse import unquote
from weakref import WeakKeyDictionary, WeakSet

import psycopg
import sqlalchemy as sa
import tenacity
from psycopg import errors as pg
from sqlalchemy.exc import DBAPIError

from pipeline.warehouse.errors import (
    WarehouseError,
    WarehouseRefused,
    WarehouseTooOld,
    WarehouseUnreachable,
    WarehouseUrlInvalid,
    WarehouseWriteFailed,
)

T = TypeVar("T")

OLDEST_SERVER = 15
"""PostgreSQL's oldest major version that the SQL in ``sql/`` is written for."""

_URL = re.compile(r"(?:postgres|postgresql)(?:\+psycopg)?://(?P<rest>.*)", re.DOTALL)

PATIENCE = 60.0
"""Seconds for which a transaction is tried again."""

# Engines whose warehouse did not come back while somebody was patient: until it answers again each
# transaction is tried once, or a run would wait anew for every batch in hand and for its last word.
_given_up: WeakSet[sa.Engine] = WeakSet()

# Connections with a transaction under way, by engine.
_busy: WeakKeyDictionary[sa.Engine, set[psycopg.Connection[Any]]] = WeakKeyDictionary()

# Another transaction was in the way, or the server went away: the same work may well pass next time.
_TRANSIENT = (
    pg.DeadlockDetected,
    pg.SerializationFailure,
    pg.UniqueViolation,
    pg.LockNotAvailable,
    pg.QueryCanceled,
    pg.AdminShutdown,
    pg.CrashShutdown,
    pg.CannotConnectNow,
    pg.IdleInTransactionSessionTimeout,
)

# Said when connecting, without an SQLSTATE: waiting would change nothing.
_REFUSALS = ("authentication failed", "no password supplied", "does not exist", "no pg_hba.conf")


def parse_url(text: str) -> sa.URL:
    """Parse ``postgresql://user:password@host:port/database?options``.

    The password may hold ``:``, ``@``, ``%`` and non-ASCII letters, percent-encoded or as they are; it
    may be the option ``password`` as well. The URL returned does not show it.
    Raises ``WarehouseUrlInvalid`` without repeating the URL, which holds the password.
    """
    match = _URL.fullmatch(text.strip())
    if match is None:
        raise WarehouseUrlInvalid(
            "WAREHOUSE_URL must look like postgresql://user:password@host:5432/database"
        )
    address, question, query = match["rest"].partition("?")
    userinfo, at, place = address.rpartition("@")
    user, colon, password = userinfo.partition(":")
    try:
        url = sa.make_url(f"postgresql+psycopg://{place}{question}{query}")
    except (sa.exc.ArgumentError, ValueError):
        raise WarehouseUrlInvalid(
            "WAREHOUSE_URL: host, port or database can't be read;"
            " it must look like postgresql://user:password@host:5432/database"
        ) from None
    if not url.database:
        raise WarehouseUrlInvalid("WAREHOUSE_URL names no database: add /name after the host")
    option = url.query.get("password")
    if isinstance(option, str):
        url = url.difference_update_query(["password"]).set(password=option)
    return url.set(
        username=unquote(user) if at and user else url.username,
        password=unquote(password) if at and colon else url.password,
    )


def open_engine(url: str) -> sa.Engine:
    """Return an engine for the warehouse at ``url``; connects only when it is first used.

    Raises ``WarehouseUrlInvalid``. JIT is off: it makes the load's short statements five times dearer.
    """
    return sa.create_engine(
        parse_url(url),
        pool_size=4,
        max_overflow=4,
        hide_parameters=True,
        use_native_hstore=False,  # no column is one: its type needn't be looked up
        connect_args={
            "connect_timeout": 10,
            # A server that vanished without a word is noticed within a minute, not after two hours.
            "keepalives_idle": 20,
            "keepalives_interval": 10,
            "keepalives_count": 3,
            "tcp_user_timeout": 50_000,
            "application_name": "activity-warehouse",
            "options": "-c jit=off -c timezone=UTC -c client_min_messages=warning",
        },
    )


def server_version(engine: sa.Engine) -> int:
    """Return the server's major version.

    Raises ``WarehouseUnreachable``, ``WarehouseRefused`` or ``WarehouseTooOld``.
    """
    try:
        with engine.connect() as connection:
            number: int = driver(connection).info.server_version // 10000
    except DBAPIError as error:
        raise explain(error, engine.url) from None
    if number < OLDEST_SERVER:
        raise WarehouseTooOld(
            f"the warehouse runs PostgreSQL {number}; {OLDEST_SERVER} or newer is needed"
        )
    return number


def driver(connection: sa.Connection) -> psycopg.Connection[Any]:
    """Return the psycopg connection behind ``connection``, for COPY and plain SQL files."""
    raw = connection.connection.driver_connection
    if not isinstance(raw, psycopg.Connection):
        raise TypeError("the engine does not use psycopg")
    return raw


def in_transaction(engine: sa.Engine, work: Callable[[psycopg.Connection[Any]], T]) -> T:
    """Run ``work`` in one transaction and return what it returns.

    Deadlocks, lost races, time-outs and lost connections are tried again for about a minute, from the
    start of ``work``, which must therefore change nothing but the database. Once that was in vain,
    the engine's transactions are tried once each until one succeeds. Raises a ``WarehouseError``;
    errors that tell of the data (``psycopg.DataError``) come out as they are, for the caller to judge.
    """
    busy = _busy.setdefault(engine, set())

    def attempt() -> T:
        with engine.connect() as connection:
            session = driver(connection)
            busy.add(session)
            try:
                with connection.begin():
                    return work(session)
            finally:
                busy.discard(session)

    def in_vain(state: tenacity.RetryCallState) -> bool:
        return engine in _given_up or (state.seconds_since_start or 0) >= PATIENCE

    retrying = tenacity.Retrying(
        retry=tenacity.retry_if_exception(_may_pass_next_time),
        stop=in_vain,
        wait=tenacity.wait_random_exponential(multiplier=0.1, max=2),
        reraise=True,
    )
    try:
        result = retrying(attempt)
    except (DBAPIError, psycopg.Error) as error:
        if _may_pass_next_time(error):
            _given_up.add(engine)
        original = _original(error)
        if isinstance(
            original, psycopg.DataError | pg.ProgramLimitExceeded | pg.StatementTooComplex
        ):
            raise original from None
        raise explain(error, engine.url) from None
    _given_up.discard(engine)
    return result


def give_up(engine: sa.Engine) -> None:
    """Try no transaction of the engine again: whoever uses it is about to leave."""
    _given_up.add(engine)


def cancel_statements(engine: sa.Engine) -> None:
    """Ask the server to cancel what the engine's transactions wait for; they fail and change nothing."""
    for session in list(_busy.get(engine, ())):
        with suppress(psycopg.Error):
            session.cancel_safe(timeout=1.0)


def explain(error: BaseException, url: sa.URL) -> WarehouseError:
    """Turn a driver's error into one clear line that holds no password and no data."""
    original = _original(error)
    where = address(url)
    message = str(original).strip().lower()
    if isinstance(original, pg.InvalidPassword | pg.InvalidAuthorizationSpecification) or (
        "password authentication failed" in message or "no password supplied" in message
    ):
        return WarehouseRefused(
            f"the warehouse at {where} refuses the role or its password: check WAREHOUSE_URL"
        )
    if isinstance(original, pg.InvalidCatalogName) or (
        "does not exist" in message and (isinstance(original, psycopg.OperationalError))
    ):
        return WarehouseRefused(
            f"the warehouse at {where}: this role or database does not exist there;"
            " create it or correct WAREHOUSE_URL"
        )
    if isinstance(original, pg.ReadOnlySqlTransaction):
        return WarehouseWriteFailed(
            f"the warehouse at {where} is read-only: point WAREHOUSE_URL at the primary server"
        )
    if isinstance(original, pg.DiskFull):
        return WarehouseWriteFailed(
            f"the warehouse at {where} has no space left on its disk: make room there, then run again"
        )
    if isinstance(original, pg.QueryCanceled):
        return WarehouseWriteFailed(
            f"the warehouse at {where} canceled a statement again and again: raise the role's"
            " statement_timeout, or look for what holds its locks"
        )
    if isinstance(original, pg.InsufficientPrivilege):
        return WarehouseRefused(
            f"the warehouse's role at {where} lacks a privilege: it must own the schemas warehouse,"
            " analytics, sync and landing, or may create them"
        )
    state = getattr(original, "sqlstate", None)
    if isinstance(original, psycopg.OperationalError) and (state is None or state[:2] == "08"):
        return WarehouseUnreachable(
            f"the warehouse at {where} can't be reached: is the server running, is WAREHOUSE_URL right?"
        )
    name = type(original).__name__
    return WarehouseWriteFailed(
        f"the warehouse at {where} could not carry out a statement: {name} (SQLSTATE {state})"
    )


def address(url: sa.URL) -> str:
    """Return host, port and database of ``url``, without role and password."""
    host = url.host or url.query.get("host") or "the local socket"
    port = f":{url.port}" if url.port else ""
    return f"{host}{port}/{url.database}"


def _original(error: BaseException) -> BaseException:
    original = getattr(error, "orig", None)
    return original if isinstance(original, BaseException) else error


def _may_pass_next_time(error: BaseException) -> bool:
    original = _original(error)
    if isinstance(original, _TRANSIENT):
        return True
    state = getattr(original, "sqlstate", None)
    lost = isinstance(original, psycopg.OperationalError) and (state is None or state[:2] == "08")
    return lost and not any(refusal in str(original).lower() for refusal in _REFUSALS)
