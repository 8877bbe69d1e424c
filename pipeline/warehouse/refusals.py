"""What an error of the driver means: one clear line, and whether the same work can succeed next time."""

from functools import cache

import msgspec
import psycopg
import sqlalchemy as sa
import yaml
from psycopg import errors as pg

from pipeline.warehouse import errors
from pipeline.warehouse.errors import WarehouseError, WarehouseUnreachable, WarehouseWriteFailed
from pipeline.warehouse.sql import shipped

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


class _Reason(msgspec.Struct):
    """One entry of ``sql/refusals.yaml``.

    ``error``: the name of a ``WarehouseError``. ``{said}`` in ``text`` is what PostgreSQL said.
    """

    error: str
    text: str
    states: list[str] = []
    said: list[str] = []
    passes: bool = False


@cache
def _reasons() -> list[_Reason]:
    text = (shipped("sql") / "refusals.yaml").read_text(encoding="utf-8")
    return msgspec.convert(yaml.safe_load(text), list[_Reason])


def explain(error: BaseException, url: sa.URL) -> WarehouseError:
    """Turn a driver's error into one clear line that holds no password and no data."""
    original = original_error(error)
    place = f"the warehouse at {address(url)}"
    reason = _find_reason(original)
    if reason is not None:
        known: type[WarehouseError] = getattr(errors, reason.error)
        said = getattr(getattr(original, "diag", None), "message_primary", None)
        return known(f"{place} {reason.text.format(said=said)}")
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
    state = getattr(error, "sqlstate", None)
    for reason in _reasons():
        if state in reason.states or any(part in said for part in reason.said):
            return reason
    return None


def _is_connection_lost(error: BaseException) -> bool:
    state = getattr(error, "sqlstate", None)
    return isinstance(error, psycopg.OperationalError) and (state is None or state[:2] == "08")
