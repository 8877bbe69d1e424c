"""Export: a view of ``analytics`` as CSV or Parquet, row by row, with the rights of an analyst."""

import csv
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from io import TextIOWrapper
from typing import IO, TYPE_CHECKING

import psycopg
import sqlalchemy as sa
from psycopg import errors as pg
from psycopg.rows import dict_row
from psycopg.sql import SQL, Composed, Identifier
from psycopg.types.numeric import FloatLoader
from psycopg.types.string import TextLoader

from pipeline.warehouse.database.engine import Session, open_session
from pipeline.warehouse.database.errors import ExportRefused
from pipeline.warehouse.database.sql import statement
from pipeline.warehouse.schema import roles

if TYPE_CHECKING:
    import pyarrow as pa

#: Rows of a Parquet file in memory at once.
BATCH_ROWS = 10_000

_TEXTS = {psycopg.adapters.types[name].oid for name in ("text", "varchar", "bpchar")}
_INTERVAL = psycopg.adapters.types["interval"].oid

#: What spreadsheets take for a formula; PostgreSQL and Python read it alike.
_FORMULA = r"^[-=+@\t\r]"


def export_csv(engine: sa.Engine, view: str, role: str, sink: IO[bytes]) -> int:
    """Write all rows of ``analytics.<view>`` to ``sink`` as CSV (UTF-8, with a header); return how many.

    A text that a spreadsheet would take for a formula gets an apostrophe in front.

    ``role``: one of ``roles.ROLES``, with whose rights the view is read. Raises ``ExportRefused`` when
    the role cannot read the view, or another ``WarehouseError``.
    """
    with reading_as(engine, role) as session:
        cursor = session.cursor()
        rows = _query(session, view, role, _harmless)
        query = SQL("copy ({}) to stdout with (format csv, header)").format(rows)
        with cursor.copy(query) as copy:
            for lines in copy:
                sink.write(lines)
        return max(cursor.rowcount, 0)


def write_csv(rows: Sequence[Mapping[str, object]], sink: IO[bytes]) -> None:
    """Write rows of the same columns as `export_csv` does; the mark makes spreadsheets read UTF-8."""
    text = TextIOWrapper(sink, "utf-8-sig", newline="")
    lines = csv.writer(text)
    lines.writerow(rows[0] if rows else ())
    for row in rows:
        cells = ("" if cell is None else str(cell) for cell in row.values())
        lines.writerow(f"'{cell}" if re.match(_FORMULA, cell) else cell for cell in cells)
    text.detach()  # closed with the sink by the caller


def export_parquet(engine: sa.Engine, view: str, role: str, sink: IO[bytes]) -> int:
    """Write all rows of ``analytics.<view>`` as Parquet; otherwise like `export_csv`.

    Needs pyarrow (the extra ``export``). ``numeric`` becomes double, ``uuid`` and JSON become text. An
    ``interval`` becomes its seconds, in a column whose name ends in ``_seconds``: few tools read durations.
    """
    with reading_as(engine, role) as session:
        return write_parquet(session, _query(session, view, role, _in_seconds), sink)


def write_parquet(
    session: Session,
    query: Composed,
    sink: IO[bytes],
    about: Mapping[str, str] | None = None,
) -> int:
    """Write the rows of a query as Parquet; return how many. ``about``: metadata of the file."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    kinds = _arrow_types()
    with session.cursor(name="export", row_factory=dict_row) as cursor:
        by_oid: dict[int, pa.DataType] = {}
        for info in cursor.adapters.types:
            kind = kinds.get(info.name, pa.string())
            by_oid |= {info.oid: kind, info.array_oid: pa.list_(kind)}
            if kind == pa.string():
                cursor.adapters.register_loader(info.oid, TextLoader)
        cursor.adapters.register_loader("numeric", FloatLoader)
        cursor.execute(query)
        columns = cursor.description or ()
        schema = pa.schema(
            [(each.name, by_oid.get(each.type_code, pa.string())) for each in columns], about
        )
        written = 0
        with pq.ParquetWriter(sink, schema) as file:
            while rows := cursor.fetchmany(BATCH_ROWS):
                file.write_batch(pa.RecordBatch.from_pylist(rows, schema=schema))
                written += len(rows)
    return written


def _harmless(column: psycopg.Column) -> Composed:
    """Return a column for CSV: what a spreadsheet would take for a formula gets an apostrophe."""
    guarded = SQL("case when {0} ~ {1} then {2} || {0} else {0} end as {0}")
    form = guarded if column.type_code in _TEXTS else SQL("{0}")
    return form.format(Identifier(column.name), _FORMULA, "'")


def _in_seconds(column: psycopg.Column) -> Composed:
    """Return a column for Parquet: of a duration the seconds."""
    seconds = SQL("extract(epoch from {})::double precision as {}")
    form = seconds if column.type_code == _INTERVAL else SQL("{}")
    return form.format(Identifier(column.name), Identifier(f"{column.name}_seconds"))


@contextmanager
def reading_as(engine: sa.Engine, role: str) -> Iterator[Session]:
    """Open a read-only transaction with the rights of ``role``. Raises ``ExportRefused``."""
    with open_session(engine) as session:
        session.execute("set transaction isolation level repeatable read")
        if role in roles.missing(session):
            raise ExportRefused(
                f"the server has no role {role}: create it by `pipeline migrate --roles`"
            )
        try:
            session.execute(SQL("set local role {}").format(Identifier(role)))
        except pg.InsufficientPrivilege:
            raise ExportRefused(
                f"the warehouse's role cannot act as {role}: ask an administrator to grant {role} to it"
            ) from None
        session.execute("set transaction read only")
        yield session


def query_of(session: Session, view: str, role: str) -> Composed:
    """Return the query of all rows of a view, for Parquet. Raises ``ExportRefused``."""
    return _query(session, view, role, _in_seconds)


def _query(
    session: Session, view: str, role: str, cell: Callable[[psycopg.Column], Composed]
) -> Composed:
    """Return the query of all rows of a view. ``cell``: what to write of a column.

    Raises ``ExportRefused`` if the current role cannot read the view.
    """
    readable = [name for (name,) in session.execute(statement("roles/readable"))]
    if view not in readable:
        known = ", ".join(readable) or "none at all: grant it by `pipeline migrate --roles`"
        raise ExportRefused(f"{role} has no view {view} in analytics; it has {known}")
    table = Identifier("analytics", view)
    columns = session.execute(SQL("select * from {} limit 0").format(table)).description or ()
    return SQL("select {} from {}").format(SQL(", ").join(map(cell, columns)), table)


def _arrow_types() -> "dict[str, pa.DataType]":
    """Return the Arrow types of PostgreSQL's types; every other type becomes text."""
    import pyarrow as pa

    return {
        "bool": pa.bool_(),
        "int2": pa.int16(),
        "int4": pa.int32(),
        "int8": pa.int64(),
        "float4": pa.float32(),
        "float8": pa.float64(),
        "numeric": pa.float64(),
        "date": pa.date32(),
        "timestamptz": pa.timestamp("us", tz="UTC"),
        "timestamp": pa.timestamp("us"),
    }
