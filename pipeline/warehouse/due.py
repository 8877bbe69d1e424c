"""What is due in older days, from the ledger and the quarantine (docs/design.md "Plan")."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

import sqlalchemy as sa
from psycopg.rows import scalar_row, tuple_row

from pipeline.warehouse.engine import fetch
from pipeline.warehouse.rows import Row
from pipeline.warehouse.sql import statement

#: Of an entry of the quarantine. No pause is longer than a week: a later time comes from a wrong clock.
_WAITS = "next_attempt_at between now() and now() + interval '7 days'"


@dataclass(frozen=True)
class DueActivity:
    """One activity whose details are due. ``unlisted``: a verified walk no longer lists it.

    ``known``: what the tables hold where the details must agree with the list, as `doubts.agreed`.
    """

    activity_id: str
    day: date
    unlisted: bool
    known: Row


def open_days(
    engine: sa.Engine, before: date, now: datetime, stale_before: datetime
) -> dict[date, int]:
    """Return the days before ``before`` that hold activities that are not final.

    And how many of these are not due by time alone. ``now``: the service's time. ``stale_before``:
    activities last checked before it are due.
    """
    parameters = {"before": before, "now": now, "stale_before": stale_before}
    return dict(fetch(engine, tuple_row, statement("load/open_days"), parameters))


def due_activities(
    engine: sa.Engine,
    before: date,
    now: datetime,
    stale_before: datetime,
    days: Sequence[date],
) -> list[DueActivity]:
    """Return the due activities before the day ``before``; of ``days``, all that are not final."""
    parameters = {"before": before, "now": now, "stale_before": stale_before, "days": list(days)}
    found = fetch(engine, tuple_row, statement("load/due_activities"), parameters)
    return [DueActivity(name, day, unlisted, tuple(known)) for name, day, unlisted, *known in found]


def held_entries(engine: sa.Engine) -> dict[tuple[str, str], bool]:
    """Return the open quarantine entries: ``(source, subject)`` and whether the next attempt waits."""
    query = f"select source, subject, {_WAITS} from sync.quarantine where resolved_at is null"
    return {(source, subject): waits for source, subject, waits in fetch(engine, tuple_row, query)}


def days_to_walk(engine: sa.Engine, before: date) -> list[date]:
    """Return the days before ``before`` whose list must be read again, whatever it costs.

    They have a malformed list row whose next attempt is due, or an activity that a walk no longer
    lists and nobody has found to be gone.
    """
    query = (
        "select day from sync.quarantine where resolved_at is null"
        f" and source = 'list' and not {_WAITS} and day < %(before)s"
        " union select day from sync.activity_ledger"
        " where unlisted_at is not null and gone_at is null and day < %(before)s"
    )
    return fetch(engine, scalar_row, query, {"before": before})


def quarantined_before(engine: sa.Engine, day: date) -> int:
    """Return how many activities of days before ``day`` are in quarantine."""
    query = (
        "select count(distinct subject) from sync.quarantine where resolved_at is null and day < %s"
    )
    counts: list[int] = fetch(engine, scalar_row, query, (day,))
    return counts[0]
