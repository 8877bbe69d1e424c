"""What an error of the driver means: one clear line, and whether the same work can succeed next time."""

from typing import NamedTuple

import psycopg
import sqlalchemy as sa
from psycopg import errors as pg

from pipeline.warehouse.errors import (
    WarehouseError,
    WarehouseRefused,
    WarehouseUnreachable,
    WarehouseUnsuitable,
    WarehouseWriteFailed,
)

# Another transaction was in the way, or the server restarts.
_TRANSIENT = (
    pg.DeadlockDetected,
    pg.SerializationFailure,
    pg.UniqueViolation,
    pg.LockNotAvailable,
    pg.QueryCanceled,
    pg.AdminShutdown,
    pg.CrashShutdown,
    pg.IdleInTransactionSessionTimeout,
)


class _Reason(NamedTuple):
    """One reason. ``kinds``: the errors that have it. ``said``: parts of a failed connection's text.

    ``passes``: the same work can succeed in a minute.
    """

    error: type[WarehouseError]
    text: str
    kinds: tuple[type[psycopg.Error], ...] = ()
    said: tuple[str, ...] = ()
    passes: bool = False


# A failed connection has no SQLSTATE of its own, only a text, so its words decide; the first reason wins.
_REASONS = (
    _Reason(
        WarehouseRefused,
        "does not agree with sslmode or sslrootcert of WAREHOUSE_URL: correct the setting, or the"
        " server's certificate",
        said=("support ssl", "certificate", "sslmode", "ssl required"),
    ),
    _Reason(
        WarehouseRefused,
        "lets this role in neither from this machine nor this way: add sslmode=require to"
        " WAREHOUSE_URL, or ask its administrator for a line in pg_hba.conf",
        said=("pg_hba.conf",),
    ),
    _Reason(
        WarehouseRefused,
        "refuses the role or its password: check WAREHOUSE_URL",
        (pg.InvalidPassword, pg.InvalidAuthorizationSpecification),
        ("authentication failed", "no password supplied", "not permitted to log in"),
    ),
    _Reason(
        WarehouseUnreachable,
        "can't be found, because no host has this name: check WAREHOUSE_URL",
        said=("failed to resolve host", "could not translate host name"),
        passes=True,
    ),
    _Reason(
        WarehouseRefused,
        "has no connection left for us: end idle sessions, or raise max_connections of the server,"
        " the connection limit of the role or database, or the size of the pooler",
        (pg.TooManyConnections,),
        (
            "too many clients",
            "too many connections",
            "connection slots are reserved",
            "no more connections allowed",
            "max client connections",
            "max_client_conn",
            "query_wait_timeout",
        ),
        passes=True,
    ),
    _Reason(
        WarehouseUnsuitable,
        "is behind a pooler in statement mode: use its session mode, or connect to PostgreSQL itself",
        said=("transaction blocks not allowed",),
    ),
    _Reason(
        WarehouseRefused,
        "does not accept connections to this database: an administrator must allow them"
        " (alter database ... allow_connections true)",
        said=("not currently accepting connections",),
    ),
    _Reason(
        WarehouseUnreachable,
        "is starting or stopping: run again when it is up",
        (pg.CannotConnectNow,),
        ("database system is", "not yet accepting connections"),
        passes=True,
    ),
    _Reason(
        WarehouseRefused,
        "says that this role or database does not exist: create it or correct WAREHOUSE_URL",
        (pg.InvalidCatalogName,),
        ("does not exist", "no such database"),
    ),
    _Reason(
        WarehouseWriteFailed,
        "is read-only: point WAREHOUSE_URL at the primary server",
        (pg.ReadOnlySqlTransaction,),
    ),
    _Reason(
        WarehouseWriteFailed,
        "has no space left on its disk: make room there, then run again",
        (pg.DiskFull,),
    ),
    _Reason(
        WarehouseWriteFailed,
        "canceled a statement several times: raise the role's statement_timeout, or look in pg_locks"
        " for what blocks it",
        (pg.QueryCanceled,),
        passes=True,
    ),
    _Reason(
        WarehouseRefused,
        "denies its role a privilege: the role must own the schemas warehouse, analytics, sync and"
        " landing, or be allowed to create them",
        (pg.InsufficientPrivilege,),
    ),
)


def explain(error: BaseException, url: sa.URL) -> WarehouseError:
    """Turn a driver's error into one clear line that holds no password and no data."""
    original = original_error(error)
    place = f"the warehouse at {address(url)}"
    reason = _find_reason(original)
    if reason is not None:
        return reason.error(f"{place} {reason.text}")
    if _is_connection_lost(original):
        return WarehouseUnreachable(
            f"{place} can't be reached: is the server running, is WAREHOUSE_URL right?"
        )
    state = getattr(original, "sqlstate", None)
    return WarehouseWriteFailed(
        f"{place} could not carry out a statement: {type(original).__name__} (SQLSTATE {state})"
    )


def may_pass_next_time(error: BaseException) -> bool:
    """Return whether the same work can succeed in a minute."""
    original = original_error(error)
    reason = _find_reason(original)
    if reason is not None:
        return reason.passes
    return isinstance(original, _TRANSIENT) or _is_connection_lost(original)


def original_error(error: BaseException) -> BaseException:
    """Return the driver's error inside an error of SQLAlchemy, or the error itself."""
    original = getattr(error, "orig", None)
    return original if isinstance(original, BaseException) else error


def address(url: sa.URL) -> str:
    """Return host, port and database of ``url``, without role and password."""
    host = url.host or url.query.get("host") or "the local socket"
    port = f":{url.port}" if url.port else ""
    return f"{host}{port}/{url.database}"


def _find_reason(error: BaseException) -> _Reason | None:
    said = str(error).lower() if _is_connection_lost(error) else ""
    for reason in _REASONS:
        if type(error) in reason.kinds or any(part in said for part in reason.said):
            return reason
    return None


def _is_connection_lost(error: BaseException) -> bool:
    state = getattr(error, "sqlstate", None)
    return isinstance(error, psycopg.OperationalError) and (state is None or state[:2] == "08")
