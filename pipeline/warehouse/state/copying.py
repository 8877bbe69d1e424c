"""Writing rows by COPY: into a table, or into a temporary one from which they are merged."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType

from pipeline.warehouse.database.engine import Session
from pipeline.warehouse.database.sql import id_array
from pipeline.warehouse.state.rows import Row


def copy_rows(session: Session, table: str, columns: Sequence[str], rows: Iterable[Row]) -> None:
    """Write rows into a table; ``columns`` are our own names."""
    statement = f"copy {table} ({', '.join(columns)}) from stdin"
    with session.cursor().copy(statement) as copy:
        for row in rows:
            copy.write_row(row)


def copy_binary(session: Session, table: str, columns: Sequence[str], rows: Iterable[Row]) -> None:
    """Write rows that are mostly bytes: as text they would be twice as long.

    ``columns`` are our own names. The first is a uuid, given as text; the others have the type that
    psycopg chooses for a value: bytea, timestamptz, date, bool, or int2 for a small number.
    """
    statement = f"copy {table} ({', '.join(columns)}) from stdin (format binary)"
    with session.cursor().copy(statement) as copy:
        for name, *rest in rows:
            # Its 16 bytes are what a uuid is on the wire; psycopg's own dumper costs several times more.
            copy.write_row((bytes.fromhex(str(name).replace("-", "")), *rest))


def upsert(
    session: Session,
    table: str,
    columns: Sequence[str],
    rows: Collection[Row],
    own: Mapping[str, str] = MappingProxyType({}),
    only: str = "true",
) -> set[str]:
    """Insert rows into ``schema.table``; a ``stored`` row with the same key takes the ``excluded`` values.

    Once in a transaction for each table. ``columns``: the first is the key. ``own``: SQL for columns that
    take another value than the excluded one. ``only``: SQL for the stored rows that may change. Return the
    keys of what was written: what says the same already is not.
    """
    if not rows:
        return set()
    # Created at first need only: every commit pays for each temporary table of its session.
    stage, key, names = f"stage_{table.partition('.')[2]}", columns[0], ", ".join(columns)
    session.execute(
        f"create temporary table if not exists {stage} (like {table}) on commit delete rows"
    )
    copy_rows(session, stage, columns, rows)
    new = {name: f"excluded.{name}" for name in columns[1:]} | dict(own)
    after, before = ", ".join(new.values()), ", ".join(f"stored.{name}" for name in new)
    # Two runs that write the same keys do so in the same order, so they do not deadlock.
    written = session.execute(
        f"insert into {table} as stored ({names}) select {names} from {stage} order by {key}"
        f" on conflict ({key}) do update set ({', '.join(new)}) = row({after})"
        f" where ({only}) and row({after}) is distinct from row({before}) returning {key}::text"
    )
    return {name for (name,) in written}


def replace_rows(
    session: Session, table: str, columns: Sequence[str], ids: Collection[str], rows: Sequence[Row]
) -> None:
    """Replace rows without an identity of their own: the old ones of ``ids`` go, the new ones come.

    ``columns``: the first is that of the ids.
    """
    if ids:
        old = f"delete from {table} where {columns[0]} = any(%s::uuid[])"
        session.execute(old, (id_array(ids),))
    if rows:
        copy_rows(session, table, columns, rows)
