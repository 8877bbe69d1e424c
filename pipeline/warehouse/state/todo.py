"""What there is to do, from the view ``sync.todo`` (docs/design.md "Todo")."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, datetime

import sqlalchemy as sa
from psycopg.rows import class_row, tuple_row

from pipeline.warehouse.database.engine import fetch
from pipeline.warehouse.database.sql import statement


@dataclass(frozen=True, slots=True)
class Todo:
    """An activity whose details are needed, and why."""

    activity_id: str
    day: date | None
    reason: str


def todo(
    engine: sa.Engine, first: date, last: date, now: datetime, stale_before: datetime
) -> list[Todo]:
    """Return what there is to do in the days from ``first`` to ``last``, both included.

    ``now``: the service's time. ``stale_before``: activities last checked before it are due.
    """
    query = "select activity_id::text, day, reason from sync.todo_of(%s, %s, %s, %s)"
    return fetch(engine, class_row(Todo), query, (first, last, now, stale_before))


def open_days(
    engine: sa.Engine, before: date, now: datetime, stale_before: datetime
) -> dict[date, int]:
    """Return the days before ``before`` that hold activities that are not final.

    And how many of these are not due by time alone. ``now`` and ``stale_before`` as for `todo`.
    """
    parameters = {"before": before, "now": now, "stale_before": stale_before}
    return dict(fetch(engine, tuple_row, statement("load/open_days"), parameters))


def open_or_gone(
    engine: sa.Engine, days: Collection[date], gone_in: Collection[date]
) -> list[Todo]:
    """Return what is not final in ``days``, whether it is due or not, and what is gone in ``gone_in``."""
    query = (
        "select activity_id::text, day, case when gone_at is null then 'open' else 'gone' end as reason"
        " from sync.activity_ledger where (gone_at is not null and day = any(%s))"
        " or (gone_at is null and unlisted_at is null and not final and day = any(%s) and not exists"
        " (select from sync.quarantine where resolved_at is null and subject = activity_id::text))"
    )
    return fetch(engine, class_row(Todo), query, (sorted(gone_in), sorted(days)))
