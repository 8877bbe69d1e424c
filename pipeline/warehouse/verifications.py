"""Results of samples: how much of them was stale (``sync.verifications``)."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

import sqlalchemy as sa
from psycopg.rows import class_row, scalar_row

from pipeline.warehouse.engine import Session, fetch, in_transaction
from pipeline.warehouse.sql import statement


@dataclass(frozen=True)
class Drawn:
    """An activity of a sample. ``refusal_known``: the tables say that its details are refused."""

    activity_id: str
    day: date | None
    refusal_known: bool


@dataclass(frozen=True)
class Measured:
    """All samples together: activities drawn, and those that were not shown to be right.

    ``stale_upper_bound``: that of the newest sample, a fraction; 1 before the first.
    """

    sampled: int
    doubtful: int
    stale_upper_bound: float


def so_far(engine: sa.Engine, but: str | None = None) -> Measured:
    """Return what all samples found, but for the one of the run ``but``."""
    query = statement("load/sampled_so_far")
    found: list[Measured] = fetch(engine, class_row(Measured), query, {"run_id": but})
    return found[0]


def draw(engine: sa.Engine, sample: int) -> list[Drawn]:
    """Return a fair sample of ``sample`` stored activities, or all there are."""
    return fetch(engine, class_row(Drawn), statement("load/sample_stored"), {"sample": sample})


def sample_listed(engine: sa.Engine, sample: int) -> list[str]:
    """Return ``sample`` random ids of listed activities stored with details, or all there are."""
    return fetch(engine, scalar_row, statement("load/sample_listed"), {"sample": sample})


def count_stored(engine: sa.Engine) -> int:
    """Return how many activities are stored with details and are not gone."""
    query = (
        "select count(*) from sync.activity_ledger where gone_at is null and details is not null"
    )
    (count,) = fetch(engine, scalar_row, query)
    return int(count)


def record(engine: sa.Engine, result: Mapping[str, str | int | float]) -> None:
    """Store a result; its keys are the columns of ``sync.verifications`` except ``finished_at``.

    A run that starts over under its old id replaces it.
    """

    def work(session: Session) -> None:
        session.execute("delete from sync.verifications where run_id = %(run_id)s", result)
        columns, values = ", ".join(result), ", ".join(f"%({name})s" for name in result)
        insert = f"insert into sync.verifications ({columns}, finished_at) values ({values}, now())"
        session.execute(insert, result)

    in_transaction(engine, work)
