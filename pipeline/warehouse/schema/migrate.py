"""Migrations: brings the schema of a warehouse up to date (docs/design.md "Migrations").

    sql/schema/*.sql        the tables of a new warehouse, a file for each schema: the baseline
    sql/adopt/0088.sql      brings a warehouse from before the baseline to it
    sql/migrations/*.sql    0002_*.sql ...: what changed since, once each, in the order of their names
    sql/functions/*.sql     applied again when their text changed: functions of triggers, columns and views
    sql/comments/*.sql      likewise: the comments of all tables
    sql/views/*.sql         likewise (`pipeline.warehouse.schema.views`)

A released migration never changes: a new file with the next number corrects it. Everything is one
transaction, the rows of ``sync.schema_migrations`` included: a migration that is killed, or that would
break objects of others, changes nothing.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import sqlalchemy as sa
from psycopg import errors as pg

from pipeline import __version__
from pipeline.warehouse.database.engine import Session, open_session, patiently, warehouse_engine
from pipeline.warehouse.database.errors import (
    OthersInTheWay,
    SchemaTooNew,
    WarehouseUnsuitable,
    WarehouseWriteFailed,
)
from pipeline.warehouse.database.server import await_server
from pipeline.warehouse.database.sql import migrations, sql_files, statement, text_digest
from pipeline.warehouse.schema import roles
from pipeline.warehouse.schema.blocking import watched
from pipeline.warehouse.schema.sensitivity import carry_out, statements_of
from pipeline.warehouse.schema.views import apply_views, are_applied

LOCK = 0x61637469
"""Key of the advisory lock that `migrate` holds: one process at a time changes the schema."""

MOST_SECONDS = 300
"""Seconds for which a migration waits for a lock. Who reads what it changes waits behind it."""

_LOOK_SECONDS = 5.0

#: The last migration before the baseline, and the digest of the names of all until it.
_ADOPTED, _ITS_RECORD = "0088_unread_indexes", "07bbc06a568521a3858b8877eddb11e7"


@dataclass(frozen=True)
class SchemaState:
    """Names of migrations: applied, and still to apply."""

    applied: tuple[str, ...]
    pending: tuple[str, ...]


def migrate(
    url: str,
    say: Callable[[str], None] = lambda _: None,
    *,
    wait: float = MOST_SECONDS,
    look: float = _LOOK_SECONDS,
) -> tuple[str, ...]:
    """Bring the schema of the database at ``url`` up to date; return the names of new migrations.

    Safe to start twice at once and to kill at any instant. Where nothing is to be done it only reads. Else
    it waits at most ``wait`` seconds for each lock; ``say`` takes a line that names who has it, after
    ``look`` seconds. Raises a ``WarehouseError``, for example ``SchemaTooNew`` when the database has
    migrations that this package does not know, ``OthersInTheWay`` when objects of others would break.
    """
    with warehouse_engine(url) as engine:
        await_server(engine)
        return patiently(lambda: _migrate(engine, say, wait, look))


def _migrate(
    engine: sa.Engine, say: Callable[[str], None], wait: float, look: float
) -> tuple[str, ...]:
    with open_session(engine) as session:
        if _is_current(session):
            return ()
    with open_session(engine) as session, watched(engine, session, look, say) as blocking:
        session.execute("select set_config('lock_timeout', %s, true)", (f"{wait * 1000:.0f}",))
        try:
            return _bring_up_to_date(session)
        except pg.LockNotAvailable:
            raise WarehouseWriteFailed(
                f"the migration has waited {wait:.0f} s for {'; '.join(blocking) or 'another session'}:"
                " end that, or set a higher ACTIVITIES_MIGRATION_WAIT_SECONDS, then run"
                " `pipeline migrate`; nothing was changed"
            ) from None


def _bring_up_to_date(session: Session) -> tuple[str, ...]:
    # Two processes may start at once. The second waits here, then finds nothing to apply.
    session.execute("select pg_advisory_xact_lock(%s)", (LOCK,))
    pending = _compare(session, _read_record(session)).pending
    try:
        _apply(session, pending)
    except pg.DependentObjectsStillExist as error:
        raise OthersInTheWay(
            "the migration would break objects that others made: "
            f"{'; '.join((error.diag.message_detail or str(error)).splitlines())}."
            " Ask who made them to take them out of its way and to make them again after it;"
            " nothing was changed"
        ) from None
    return pending


def _is_current(session: Session) -> bool:
    """Return whether there is nothing to migrate, without a lock that others could hold up."""
    record = _read_record(session)
    return not (
        _compare(session, record).pending
        or _changed_files(record)
        or not are_applied(session)
        or roles.need_grants(session)
        or statements_of(session, "catalog/column_comments")
    )


def may_read_record(engine: sa.Engine) -> bool:
    """Return whether our role can read which migrations are applied; also where no record is there yet."""
    query = (
        "select has_table_privilege(to_regclass('sync.schema_migrations'), 'select') is not false"
    )
    with open_session(engine) as session:
        ((may,),) = session.execute(query)
    return bool(may)


def schema_state(engine: sa.Engine) -> SchemaState:
    """Return which migrations are applied and pending.

    Raises ``SchemaTooNew`` when the database is ahead of this package, or another ``WarehouseError``.
    """
    with open_session(engine) as session:
        return _compare(session, _read_record(session))


def check_writable(engine: sa.Engine) -> None:
    """Do the first step of a migration and write, then take both back.

    Raises a ``WarehouseError`` if the server or the role's privileges refuse it.
    """
    with open_session(engine) as session, session.transaction(force_rollback=True):
        session.execute(statement("catalog/record").encode())
        # A standby, and a transaction that is read-only, refuse it though it finds no row.
        session.execute("delete from sync.schema_migrations where false")


def _apply(session: Session, pending: Sequence[str]) -> None:
    session.execute(statement("catalog/record").encode())
    for name in pending:
        if name == migrations()[0]:
            _begin(session)
        else:
            session.execute(statement(f"migrations/{name}").encode())
        session.execute(statement("catalog/file_applied"), (name, None, __version__))
    for name, text in _changed_files(_read_record(session)).items():
        session.execute(text.encode())
        session.execute(statement("catalog/file_applied"), (name, text_digest(text), __version__))
    apply_views(session)
    carry_out(session, "catalog/column_comments")
    roles.keep_granted(session)


def _changed_files(record: Mapping[str, str | None]) -> dict[str, str]:
    """Return the texts of functions and comments that are not applied yet, by their names in the record."""
    return {
        f"{folder}/{name}": text
        for folder in ("functions", "comments")
        for name, text in sql_files(folder).items()
        if record.get(f"{folder}/{name}") != text_digest(text)
    }


def _begin(session: Session) -> None:
    """Create the tables of the baseline, or change those of the version before it into them."""
    adopted = _ADOPTED in _read_record(session)
    if not adopted:
        session.execute(statement("catalog/schemas").encode())
    # Triggers and views of the baseline need their functions first, which read tables that are not there.
    session.execute("set local check_function_bodies = off")
    for text in sql_files("functions").values():
        session.execute(text.encode())
    session.execute("set local check_function_bodies = on")
    for text in [statement("adopt/0088")] if adopted else sql_files("schema").values():
        session.execute(text.encode())


def _read_record(session: Session) -> dict[str, str | None]:
    """Return the applied files with their digests; a migration has none."""
    ((there, made),) = session.execute(
        "select to_regclass('sync.schema_migrations'), to_regclass('warehouse.activities')"
    ).fetchall()
    record = dict(session.execute(statement("catalog/applied")).fetchall()) if there else {}
    if made and None not in record.values():
        raise WarehouseUnsuitable(
            "the warehouse has its tables, but no record of the migrations that made them:"
            " restore sync.schema_migrations from a backup"
        )
    return record


def _compare(session: Session, record: dict[str, str | None]) -> SchemaState:
    known = migrations()
    applied = [name for name, digest in record.items() if digest is None]
    if applied and known[0] not in applied:
        _check_adoptable(applied)
        return SchemaState((), tuple(known))
    if unknown := [name for name in applied if name not in known]:
        ((by,),) = session.execute(statement("catalog/applied_by"), (unknown[-1],)).fetchall()
        raise SchemaTooNew(
            f"the schema of the warehouse is newer than this version of activity-warehouse, {__version__}:"
            f" {unknown[-1]} is of version {by or 'unknown'}; update the package, or restore the backup"
            " from before that upgrade"
        )
    pending = [name for name in known if name not in applied]
    return SchemaState(tuple(applied), tuple(pending))


def _check_adoptable(applied: Sequence[str]) -> None:
    """Raise ``WarehouseUnsuitable`` unless these are all migrations before the baseline, and no others."""
    if text_digest("\n".join(sorted(applied))) != _ITS_RECORD:
        raise WarehouseUnsuitable(
            f"the schema of the warehouse ({max(applied)}) is from before version 1.0, which takes over"
            f" only a warehouse with exactly the migrations until {_ADOPTED}: migrate it with the version"
            " before, or begin with an empty database; nothing was changed"
        )
