"""Coverage: which days are complete, and why not (the view ``sync.coverage``); what proves a day.

Implements docs/design.md "Coverage" and docs/design.md "Proof".
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime

import sqlalchemy as sa
from psycopg.rows import class_row, scalar_row, tuple_row

from pipeline.warehouse.database.engine import Session, execute, fetch, fetch_one, in_transaction
from pipeline.warehouse.database.sql import id_array, statement
from pipeline.warehouse.state.copying import upsert


@dataclass(frozen=True)
class DayCoverage:
    """One row of ``sync.coverage``. Two are equal if they differ only in when the day was verified.

    ``verified_at``: when its list was last proven; None: never; ``run_id``: by which run. ``incomplete``:
    why the day is not complete; None: it is. ``accepted``: how many of the quarantined ones a person has
    accepted.
    """

    day: date
    listed: int
    stored: int
    quarantined: int
    gone: int
    verified_at: datetime | None = field(compare=False)
    incomplete: str | None
    run_id: str | None = field(compare=False)
    accepted: int

    @property
    def complete(self) -> bool:
        """Whether the day is complete (docs/warehouse.md 7)."""
        return self.incomplete is None

    def verified_since(self, instant: datetime) -> bool:
        """Whether it was verified at ``instant`` or later."""
        return self.verified_at is not None and self.verified_at >= instant

    @property
    def problem(self) -> str | None:
        """Why the day is not complete, or what is in quarantine there, in one line; None if neither."""
        left = self.quarantined - self.accepted
        return self.incomplete or (f"{left} in quarantine" if left else None)


@dataclass(frozen=True)
class ListedDay:
    """What the list has of a day. ``by_one``: one question proves it, if it was proven with as many."""

    day: date
    listed: int
    by_one: bool


def between(
    engine: sa.Engine, first: date = date.min, last: date = date.max
) -> dict[date, DayCoverage]:
    """Return the covered days, or those from ``first`` to ``last``, both included, oldest first."""
    query = "select * from sync.coverage_of(%s, %s) order by day"
    return {row.day: row for row in fetch(engine, class_row(DayCoverage), query, (first, last))}


def of_days(engine: sa.Engine, days: Collection[date]) -> dict[date, DayCoverage]:
    """Return the coverage of those of ``days`` that are covered, oldest first; other days cost nothing."""
    given = {"days": sorted(days)}
    query = statement("load/coverage_of_days")
    found = fetch(engine, class_row(DayCoverage), query, given) if days else []
    return {row.day: row for row in found}


def complete_through(engine: sa.Engine) -> date | None:
    """Return the last day up to which every day is complete; None if none is."""
    query = "select complete_so_far_except_quarantined from analytics.freshness"
    day: date | None = fetch_one(engine, scalar_row, query)
    return day


def figures(engine: sa.Engine, run_id: str) -> list[tuple[str, str, dict[str, str], float]]:
    """Return name, unit, attributes and value of each metric of a run and of the whole warehouse."""
    return fetch(engine, tuple_row, statement("load/figures"), {"run_id": run_id})


def prove(
    engine: sa.Engine,
    run_id: str,
    days: Sequence[ListedDay],
    subjects: Collection[str],
    still_listed: Collection[str],
    at: datetime,
    *,
    full: bool,
) -> set[date]:
    """Mark what proven days no longer list, and record that they are proven; return which are.

    ``subjects``: all that they list; of rows without an id, their digests. ``still_listed``: rows in
    quarantine that the list has shown on any day. ``at``: when the first question that proves the days
    was asked. ``full``: mark also what is finished, whether the list has others or not. A day that another
    run has added to is left out.
    """

    def work(session: Session) -> set[date]:
        given = [each.day for each in days]
        # A load that adds a row waits for us, or we for it: then we count the row.
        found = session.execute(
            "select day, listed from sync.days where day = any(%s) and unproven is null"
            " and proven_at is not null order by day for update",
            (given,),
        )
        before = dict(found.fetchall())
        chosen = [each for each in days if not each.by_one or before.get(each.day) == each.listed]
        walked = [each.day for each in chosen]
        session.execute(
            statement("load/missing"),
            {
                "days": [each.day for each in chosen if not each.by_one],
                "walked": walked,
                "subjects": id_array(subjects),
                "still_listed": list(still_listed),
                "at": at,
                "full": full,
            },
        )
        listed = [each.listed for each in chosen]
        proven = session.execute(
            statement("load/proven"),
            {"days": walked, "listed": listed, "run_id": run_id, "at": at},
        )
        return {day for (day,) in proven}

    return in_transaction(engine, work) if days else set()


def leave_unproven(
    engine: sa.Engine, run_id: str, reasons: Mapping[date, str], listed: Mapping[date, int]
) -> None:
    """Record why days are not proven. ``listed``: how many rows came, by day."""
    columns = ("day", "listed", "unproven", "run_id")
    rows = [(day, listed.get(day, 0), reason, run_id) for day, reason in reasons.items()]
    # Not if this run has proven it, and nothing came since.
    only = "stored.unproven is not null or stored.proven_at is null or stored.run_id <> excluded.run_id"
    in_transaction(engine, lambda session: upsert(session, "sync.days", columns, rows, only=only))


def doubt(engine: sa.Engine, days: Collection[date], reason: str) -> None:
    """Take back the proof of days: an answer speaks against it. The next night reads their list."""
    query = "update sync.days set unproven = %s where day = any(%s) and unproven is null"
    if days:
        execute(engine, query, (reason, sorted(days)))


def silent(engine: sa.Engine) -> list[date]:
    """Return the empty days that were verified before the list had ever shown an activity.

    It may have been silent then, as it may be for an account that was just opened.
    """
    query = (
        "select day from sync.days where listed = 0"
        " and proven_at < (select min(started_at) from sync.runs where new > 0)"
    )
    return fetch(engine, scalar_row, query)


def listed_days(engine: sa.Engine, first: date) -> set[date]:
    """Return the proven days from ``first`` on of which the list has rows."""
    query = "select day from sync.days where listed > 0 and unproven is null and day >= %s"
    return set(fetch(engine, scalar_row, query, (first,)))


def rows_by_day(engine: sa.Engine) -> dict[date, int]:
    """Return how many rows the list had, of all days that were ever walked."""
    return dict(fetch(engine, tuple_row, "select day, listed from sync.days"))
