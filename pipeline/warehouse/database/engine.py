"""Connections to the warehouse: the URL, the engine, and transactions that are tried again.

Two ways to run SQL, by what happens when the server is briefly not there:

    in_transaction, fetch, fetch_one, execute, hold_lock
        tried again for `PATIENCE` seconds
    open_session
        tried once, unless its caller runs `patiently`
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any, TypeAlias, TypeVar, cast
from weakref import WeakKeyDictionary, WeakSet

import psycopg
import sqlalchemy as sa
import tenacity
from psycopg import errors as pg
from psycopg.rows import RowFactory
from psycopg.sql import Composed
from sqlalchemy.exc import DBAPIError

from pipeline.warehouse.database.contact import connect, parse_url
from pipeline.warehouse.database.refusals import explain, may_pass_next_time, original_error
from pipeline.warehouse.database.sql import statement

T = TypeVar("T")
Session: TypeAlias = psycopg.Connection[Any]
"""A connection, of which a transaction is under way unless it commits each statement by itself."""
Params: TypeAlias = Sequence[Any] | Mapping[str, Any]
Rows: TypeAlias = list[dict[str, Any]]
"""Rows to show, each by column."""

_CONNECTION: dict[str, Any] = {
    "connect_timeout": 10,
    # Notices a server that vanished within a minute. The system's default is two hours.
    "keepalives_idle": 20,
    "keepalives_interval": 10,
    "keepalives_count": 3,
    "tcp_user_timeout": 50_000,
    "application_name": "activity-warehouse",
}

PATIENCE = 60.0
"""Seconds for which a transaction, or the first contact, is tried again."""

_PAUSES = tenacity.wait_random_exponential(multiplier=0.1, max=2)

# Engines whose warehouse stayed away for `PATIENCE`. Until it answers again each transaction is tried
# once: else a run would wait the full time for every batch in memory, and again for its last message.
_given_up: WeakSet[sa.Engine] = WeakSet()

# Connections with a transaction under way, by engine.
_busy: WeakKeyDictionary[sa.Engine, set[Session]] = WeakKeyDictionary()


#: Errors of the driver that what is written causes.
_OF_THE_DATA = (
    psycopg.DataError,
    psycopg.IntegrityError,
    pg.ProgramLimitExceeded,
    pg.StatementTooComplex,
)
_MOST_VIOLATIONS = 3
"""So often a key may be violated because another run has just written the same."""


def open_engine(url: str) -> sa.Engine:
    """Return an engine for the warehouse at ``url``. It connects when it is first used.

    What the URL sets wins over our own settings of connections.

    Raises ``WarehouseUrlInvalid``. Each connection has the settings that the code relies on.
    """
    parsed = parse_url(url)
    engine = sa.create_engine(
        parsed,
        pool_size=4,
        max_overflow=4,
        hide_parameters=True,
        use_native_hstore=False,  # no column has this type: saves a query per connection
        connect_args={
            name: value for name, value in _CONNECTION.items() if name not in parsed.query
        },
    )
    sa.event.listen(engine, "do_connect", connect)
    # First, because SQLAlchemy reads from a new connection, too.
    sa.event.listen(engine, "connect", _pin, insert=True)
    return engine


def _pin(connection: Session, _: object) -> None:
    connection.autocommit = True  # a setting of a transaction that is rolled back would be lost
    connection.execute(statement("session").encode())
    connection.autocommit = False


@contextmanager
def warehouse_engine(url: str) -> Iterator[sa.Engine]:
    """Open an engine for the warehouse at ``url`` and close its connections at the end."""
    engine = open_engine(url)
    try:
        yield engine
    finally:
        engine.dispose()


@contextmanager
def _dropped_if_useless(connection: sa.Connection) -> Iterator[None]:
    """Give up the connection where it can't be used again.

    Where a signal ends the block it may be in the middle of a statement: its rollback would fail, and that
    error would stand for the interrupt, as one that may pass. Where it is read-only, another server may be
    the primary by now.
    """
    try:
        yield
    except pg.ReadOnlySqlTransaction:
        connection.invalidate()
        raise
    except Exception:
        raise
    except BaseException:
        connection.invalidate()
        raise


@contextmanager
def open_session(engine: sa.Engine, *, autocommit: bool = False) -> Iterator[Session]:
    """Yield a psycopg connection in one transaction, or with ``autocommit`` outside of any.

    Nothing is tried again. Raises driver's errors as a ``WarehouseError``.
    """
    options = {"isolation_level": "AUTOCOMMIT"} if autocommit else {}
    try:
        with (
            engine.connect().execution_options(**options) as connection,
            connection.begin(),
            _dropped_if_useless(connection),
        ):
            yield driver(connection)
    except (DBAPIError, psycopg.Error) as error:
        raise explain(error, engine.url) from None


def patiently(work: Callable[[], T]) -> T:
    """Run ``work`` again for `PATIENCE` seconds while it raises a ``WarehouseError`` that may pass.

    ``work`` must change nothing but the database.
    """
    retrying = tenacity.Retrying(
        retry=tenacity.retry_if_exception(lambda error: getattr(error, "passes", False)),
        stop=tenacity.stop_after_delay(PATIENCE),
        wait=_PAUSES,
        reraise=True,
    )
    return retrying(work)


def hold_lock(engine: sa.Engine, lock: str, parameters: Mapping[str, Any]) -> Session:
    """Execute the query ``lock`` and return its session, which holds the lock until it is closed.

    PostgreSQL drops the lock when this process dies. The session has no transactions and is new: it
    takes no warm one out of the pool, and one that is never closed does not use the pool up. Raises a
    ``WarehouseError``.
    """

    def attempt() -> Session:
        try:
            connection = engine.pool.recreate().connect()
            session = cast("Session", connection.driver_connection)
            connection.detach()
            session.autocommit = True
            session.execute(lock, parameters)
        except (DBAPIError, psycopg.Error) as error:
            raise explain(error, engine.url) from None
        return session

    return patiently(attempt)


def driver(connection: sa.Connection) -> Session:
    """Return the psycopg connection behind ``connection``, for COPY and plain SQL files."""
    return cast("Session", connection.connection.driver_connection)


def in_transaction(engine: sa.Engine, work: Callable[[Session], T]) -> T:
    """Run ``work`` in one transaction and return its result.

    After a deadlock, a lost race, a time-out or a lost connection ``work`` runs again from its start,
    for `PATIENCE` seconds. So ``work`` must change nothing but the database. After a failure each later
    transaction of the engine is tried once, until one succeeds. Raises a ``WarehouseError``. An error
    caused by the data (`_OF_THE_DATA`) is raised as it is: the caller decides what it means.
    """
    busy = _busy.setdefault(engine, set())

    def attempt() -> T:
        with engine.connect() as connection:
            session = driver(connection)
            busy.add(session)
            try:
                with connection.begin(), _dropped_if_useless(connection):
                    return work(session)
            finally:
                busy.discard(session)

    retrying = tenacity.Retrying(
        retry=tenacity.retry_if_exception(may_pass_next_time),
        stop=lambda state: engine in _given_up or _in_vain(state),
        wait=_PAUSES,
        reraise=True,
    )
    try:
        result = retrying(attempt)
    except (DBAPIError, psycopg.Error) as error:
        original = original_error(error)
        if isinstance(original, _OF_THE_DATA):
            raise original from None
        if may_pass_next_time(error):
            _given_up.add(engine)
        raise explain(error, engine.url) from None
    _given_up.discard(engine)
    return result


def _in_vain(state: tenacity.RetryCallState) -> bool:
    """Return whether a transaction was tried long enough."""
    failure = state.outcome.exception() if state.outcome else None
    error = original_error(failure) if failure else None
    if isinstance(error, psycopg.IntegrityError) and state.attempt_number >= _MOST_VIOLATIONS:
        return True
    return (state.seconds_since_start or 0) >= PATIENCE


def fetch(
    engine: sa.Engine, row_factory: RowFactory[T], query: str, parameters: Params | None = None
) -> list[T]:
    """Run one query in a transaction of its own and return its rows.

    ``row_factory`` is psycopg's: ``class_row(C)`` (columns are the fields of C), ``tuple_row``, or
    ``scalar_row`` for one column. ``parameters`` as in psycopg. Retries and errors of `in_transaction`.
    """

    def read(session: Session) -> list[T]:
        cursor = session.cursor(row_factory=row_factory)
        return cursor.execute(query, parameters).fetchall()

    return in_transaction(engine, read)


def fetch_one(
    engine: sa.Engine, row_factory: RowFactory[T], query: str, parameters: Params | None = None
) -> T:
    """Run one query that has one row, and return it; otherwise like `fetch`."""
    (row,) = fetch(engine, row_factory, query, parameters)
    return row


def execute(engine: sa.Engine, query: str | Composed, parameters: Params | None = None) -> int:
    """Run one statement in a transaction of its own; return how many rows it changed.

    Retries and errors of `in_transaction`.
    """
    return in_transaction(engine, lambda session: session.execute(query, parameters).rowcount)


def give_up(engine: sa.Engine) -> None:
    """Try each later transaction of the engine once: its run is about to end."""
    _given_up.add(engine)


def cancel_statements(engine: sa.Engine) -> None:
    """Cancel the running statements of the engine. Their transactions fail and change nothing."""
    for session in list(_busy.get(engine, ())):
        with suppress(psycopg.Error):
            session.cancel_safe(timeout=1.0)
