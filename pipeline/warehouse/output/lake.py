"""Export for lakes: all facts and dimensions as Parquet files of one snapshot (docs/building.md "Lakes").

What changed since a run goes by whole activities: a reader deletes the rows of the activities in
``changed_activities.parquet`` from its facts and adds those of the new files; dimensions are replaced.
"""

from datetime import datetime
from pathlib import Path

import sqlalchemy as sa
from psycopg.rows import scalar_row, tuple_row
from psycopg.sql import SQL, Composed, Literal

from pipeline.warehouse.database.engine import Session, fetch
from pipeline.warehouse.database.errors import ExportRefused
from pipeline.warehouse.database.sql import statement
from pipeline.warehouse.output.export import query_of, reading_as, write_parquet

FACTS = ("activities", "requirements", "items", "status_changes")
DIMENSIONS = ("counterparts", "codes", "days")
CHANGED = "changed_activities"


def export_all(
    engine: sa.Engine, folder: Path, role: str, since: str | None = None
) -> dict[str, int]:
    """Write one Parquet file each of `FACTS` and `DIMENSIONS` into ``folder``; return the rows by file.

    ``since``: a run. Then the facts have only activities that changed since it began, also by the clock,
    and `CHANGED` the ids of all of these, of removed ones too. A file's metadata has its key, what its
    columns mean with their units, and the run to name next time. Raises ``ExportRefused`` where nobody
    knows any longer what changed, or another ``WarehouseError``.
    """
    began = None if since is None else _began(engine, since)
    given = {"names": list(_names(began))}
    found = fetch(engine, tuple_row, statement("catalog/lake"), given)
    about: dict[str, dict[str, str]] = dict(found)
    with reading_as(engine, role) as session:
        return {
            name: _write(session, folder, name, role, about[name], began) for name in _names(began)
        }


def _names(began: datetime | None) -> tuple[str, ...]:
    return (*FACTS, *DIMENSIONS) if began is None else (*FACTS, *DIMENSIONS, CHANGED)


def _write(
    session: Session,
    folder: Path,
    name: str,
    role: str,
    about: dict[str, str],
    began: datetime | None,
) -> int:
    query = query_of(session, name, role)
    if began is not None and name not in DIMENSIONS:
        query = _since(query, name, began)
    with (folder / f"{name}.parquet").open("wb") as sink:
        return write_parquet(session, query, sink, about)


def _since(query: Composed, name: str, began: datetime) -> Composed:
    changed = SQL("refreshed_at >= {}").format(Literal(began))
    if name != CHANGED:
        ids = "activity_id in (select activity_id from analytics.changed_activities where {})"
        changed = SQL(ids).format(changed)
    return SQL("{} where {}").format(query, changed)


def _began(engine: sa.Engine, run_id: str) -> datetime:
    """Return when a run began. Raises ``ExportRefused`` if it is not known any longer."""
    found = fetch(engine, scalar_row, statement("catalog/lake_since"), {"run_id": run_id})
    if not found:
        raise ExportRefused(
            f"nobody knows what changed since run {run_id}: it has not ended, or is kept no longer. Run"
            " `pipeline export --all DIR` without --since"
        )
    began: datetime = found[0]
    return began
