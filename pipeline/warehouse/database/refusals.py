"""What an error of the driver means: one clear line, and whether the same work can succeed next time."""

from functools import cache

import msgspec
import psycopg
import sqlalchemy as sa
import yaml

from pipeline.warehouse.database import errors
from pipeline.warehouse.database.errors import WarehouseError
from pipeline.warehouse.database.sql import shipped


class _Reason(msgspec.Struct):
    """One entry of ``sql/refusals.yaml``.

    ``error``: the name of a ``WarehouseError``.
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
    reason = _find_reason(original)
    kind: type[WarehouseError] = getattr(errors, reason.error)
    text = reason.text.format(
        said=getattr(getattr(original, "diag", None), "message_primary", None),
        kind=type(original).__name__,
        state=getattr(original, "sqlstate", None),
    )
    explained = kind(f"the warehouse at {address(url)} {text}")
    explained.passes = reason.passes
    return explained


def may_pass_next_time(error: BaseException) -> bool:
    """Return whether the same work can succeed in a minute."""
    return _find_reason(original_error(error)).passes


def original_error(error: BaseException) -> BaseException:
    """Return the driver's error inside an error of SQLAlchemy, or the error itself."""
    original = getattr(error, "orig", None)
    return original if isinstance(original, BaseException) else error


def address(url: sa.URL) -> str:
    """Return host, port and database of ``url``, without role and password."""
    host = url.query.get("host") or "the local socket"
    port = f":{url.query['port']}" if "port" in url.query else ""
    return f"{host}{port}/{url.database}"


def _find_reason(error: BaseException) -> _Reason:
    state = getattr(error, "sqlstate", None)
    # A server's own words say more than its SQLSTATE only of some refused connections.
    # 55000: the database takes no connections, or something else in a statement.
    said_more = ("08", "28", "55")
    connecting = isinstance(error, psycopg.OperationalError) and (state or "08")[:2] in said_more
    said = str(error).lower()
    *reasons, other = _reasons()
    for reason in reasons:
        if state in reason.states or (connecting and any(part in said for part in reason.said)):
            return reason
    return other
