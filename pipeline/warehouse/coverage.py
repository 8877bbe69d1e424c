"""Coverage: for each day, how much the service lists and how much is stored (``sync.coverage``)."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import date, datetime
from typing import cast

import sqlalchemy as sa
from psycopg.rows import class_row, scalar_row, tuple_row

from pipeline.warehouse.engine import execute, fetch
from pipeline.warehouse.sql import id_array, statement


@dataclass(frozen=True)
class WalkedDay:
    """What a walk found for one day. ``verified_at`` is None if its passes did not agree."""

    day: date
    listed: int
    listed_digest: bytes
    verified_at: datetime | None = field(compare=False)
    unverified: str | None


@dataclass(frozen=True)
class DayCoverage(WalkedDay):
    """One row of ``sync.coverage``. Two are equal if they differ only in when the day was verified.

    ``verified_at``: when a walk last verified the day; None: never.
    """

    stored: int
    quarantined: int
    gone: int

    @property
    def complete(self) -> bool:
        """Whether the day is verified and its counts add up (docs/warehouse.md 7)."""
        return (
            self.verified_at is not None
            and self.unverified is None
            and self.listed == self.stored + self.quarantined
        )

    def verified_since(self, instant: datetime) -> bool:
        """Whether it was verified at ``instant`` or later."""
        return self.verified_at is not None and self.verified_at >= instant

    @property
    def problem(self) -> str | None:
        """Why the day is not complete, or holds quarantined rows, in one line; None if neither."""
        if self.unverified is not None:
            return f"unverified: {self.unverified}"
        if self.verified_at is None:
            return "never verified"
        missing = self.listed - self.stored - self.quarantined
        if missing:
            return f"{self.listed} listed, {self.stored} stored, {self.quarantined} in quarantine"
        return f"{self.quarantined} in quarantine" if self.quarantined else None


@dataclass(frozen=True)
class Missing:
    """A stored activity that a verified walk of its day does not list. ``gone``: it is marked as gone."""

    activity_id: str
    day: date
    gone: bool


UNDECIDED = "the run has not yet judged all answers"
"""Why a verified day is not complete before its run ends."""

_SELECT = f"select {', '.join(column.name for column in fields(DayCoverage))} from sync.coverage"


def between(
    engine: sa.Engine, first: date = date.min, last: date = date.max
) -> dict[date, DayCoverage]:
    """Return the covered days, or those from ``first`` to ``last``, both included, oldest first."""
    query = f"{_SELECT} where day between %s and %s order by day"
    return {row.day: row for row in fetch(engine, class_row(DayCoverage), query, (first, last))}


def complete_through(engine: sa.Engine) -> date | None:
    """Return the last day up to which every day is complete; None if none is."""
    query = "select complete_through from analytics.freshness"
    (day,) = fetch(engine, scalar_row, query)
    return cast("date | None", day)


def figures(engine: sa.Engine, run_id: str) -> list[tuple[str, str, dict[str, str], float]]:
    """Return name, unit, attributes and value of each metric of a run and of the whole warehouse."""
    return fetch(engine, tuple_row, statement("load/figures"), {"run_id": run_id})


def recorded_days(engine: sa.Engine, subjects: Sequence[str]) -> dict[str, date]:
    """Return the stored day of each of these subjects, as far as the warehouse knows them."""
    return dict(
        fetch(engine, tuple_row, statement("load/recorded_days"), {"subjects": list(subjects)})
    )


def mark_unlisted(
    engine: sa.Engine,
    days: Sequence[date],
    subjects: Sequence[str],
    at: datetime,
    *,
    also_gone: bool,
) -> list[Missing]:
    """Mark activities of ``days`` that verified walks no longer list; return all that are missing.

    ``subjects``: all that the walks list; of list rows without an id, their digests. Malformed list rows
    that are no longer listed are resolved. ``also_gone``: return those, too.
    """
    # One statement: a run that is killed in between leaves the days as they were.
    given = {"subjects": id_array(subjects), "days": list(days), "at": at, "also_gone": also_gone}
    return fetch(engine, class_row(Missing), statement("load/unlisted"), given)


def unknown(engine: sa.Engine, ids: Sequence[str]) -> list[str]:
    """Return those of ``ids`` that neither the ledger nor the quarantine knows, or that are gone."""
    query = (
        "select id::text from unnest(%s::uuid[]) as asked (id) where not exists"
        " (select from sync.activity_ledger where activity_id = asked.id and gone_at is null)"
        " and not exists (select from sync.quarantine where subject = asked.id::text)"
    )
    return fetch(engine, scalar_row, query, (id_array(ids),)) if ids else []


def still_missing(engine: sa.Engine, ids: Sequence[str]) -> set[tuple[str, date]]:
    """Return those of ``ids`` that no walk has listed since they were marked, with their days."""
    query = (
        "select activity_id::text, day from sync.activity_ledger"
        " where activity_id = any(%s::uuid[]) and unlisted_at is not null and day is not null"
    )
    return set(fetch(engine, tuple_row, query, (id_array(ids),))) if ids else set()


def doubt(engine: sa.Engine, reasons: Mapping[date, str]) -> None:
    """Call days unverified that a walk has verified; ``reasons`` say why."""
    query = (
        "update sync.coverage as known set unverified = doubted.reason"
        " from unnest(%s::date[], %s::text[]) as doubted (day, reason) where known.day = doubted.day"
    )
    if reasons:
        execute(engine, query, (list(reasons), list(reasons.values())))


def decided(engine: sa.Engine, run_id: str) -> None:
    """Believe the days of a run again that were `UNDECIDED`."""
    query = "update sync.coverage set unverified = null where unverified = %s and run_id = %s"
    execute(engine, query, (UNDECIDED, run_id))


def account(
    engine: sa.Engine, run_id: str, days: Sequence[WalkedDay], undecided: Collection[date]
) -> None:
    """Write the coverage of walked days; ``stored`` and the rest are counted from the tables.

    ``undecided``: days of these, or that this run walked before, of which no verified one is complete yet.
    """
    names = [column.name for column in fields(WalkedDay)]
    columns = {name: [getattr(each, name) for each in days] for name in names}
    given = {"run_id": run_id, "undecided": list(undecided), "reason": UNDECIDED}
    execute(engine, statement("load/coverage"), {**columns, **given})


def silent(engine: sa.Engine) -> list[date]:
    """Return the empty days that were verified before the list had ever shown an activity.

    It may have been silent then, as it may be for an account that was just opened.
    """
    query = (
        "select day from sync.coverage where listed = 0"
        " and verified_at < (select min(started_at) from sync.runs where new > 0)"
    )
    return fetch(engine, scalar_row, query)


def overcounted(engine: sa.Engine) -> list[date]:
    """Return days that count more activities than the ledger knows: somebody removed its rows."""
    return fetch(engine, scalar_row, statement("witness/overcounted"))


def recount(engine: sa.Engine, days: Sequence[date]) -> None:
    """Count again what the tables hold of ``days``; write only the days whose counts changed."""
    if days:
        execute(engine, statement("load/recount"), {"days": sorted(set(days))})
