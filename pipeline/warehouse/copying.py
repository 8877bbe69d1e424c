"""Writing rows by COPY, into a table or into a temporary one from which a statement merges them."""

from collections.abc import Iterable, Sequence

from psycopg import Cursor

from pipeline.warehouse.engine import Session
from pipeline.warehouse.rows import Row
from pipeline.warehouse.sql import statement


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


def merge_rows(
    session: Session, table: str, columns: Sequence[str], rows: Iterable[Row], merge: str
) -> Cursor[Row]:
    """Write rows for ``schema.table`` into the temporary ``stage_table``, and execute ``sql/<merge>.sql``.

    Return what that statement returns. The temporary table is emptied at each commit.
    """
    # Created at first need only: every commit pays for each temporary table of its session.
    stage = f"stage_{table.partition('.')[2]}"
    session.execute(
        f"create temporary table if not exists {stage} (like {table}) on commit delete rows"
    )
    copy_rows(session, stage, columns, rows)
    return session.execute(statement(merge))
