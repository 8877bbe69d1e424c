"""Results of samples: how much of them was stale (``sync.verifications``)."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date

import sqlalchemy as sa
from psycopg.rows import args_row, class_row, scalar_row, tuple_row

from pipeline.warehouse.database.engine import execute, fetch, fetch_one
from pipeline.warehouse.database.sql import statement
from pipeline.warehouse.state.todo import Todo


@dataclass(frozen=True)
class Measured:
    """All samples together: activities drawn, and those that were not shown to be right.

    ``stale_upper_bound``: that of the newest sample, a fraction; 1 before the first.
    """

    sampled: int
    doubtful: int
    stale_upper_bound: float


def so_far(engine: sa.Engine) -> Measured:
    """Return what all samples found."""
    return fetch_one(engine, class_row(Measured), statement("load/sampled_so_far"))


def draw(engine: sa.Engine, sample: int) -> list[Todo]:
    """Return a fair sample of ``sample`` stored activities, or all there are.

    The reason is ``refused`` where the tables say that the details are refused, else ``sampled``.
    """
    return fetch(engine, class_row(Todo), statement("load/sample_stored"), {"sample": sample})


def sample_listed(engine: sa.Engine, sample: int) -> list[str]:
    """Return ``sample`` random ids of listed activities stored with details, or all there are."""
    return fetch(engine, scalar_row, statement("load/sample_listed"), {"sample": sample})


def count_stored(engine: sa.Engine) -> int:
    """Return how many activities are stored with details and are not gone."""
    query = (
        "select count(*) from sync.activity_ledger where gone_at is null and details is not null"
    )
    return fetch_one(engine, args_row(int), query)


#: What is stored with details, readable and not gone, by kind: all of it, and each direction and type.
_BY_KIND = (
    "from sync.activity_ledger as ledger inner join warehouse.activities on id = ledger.activity_id"
    " cross join lateral"
    " (values ('all'), ('direction ' || in_out_bound), ('type ' || type)) as kinds (kind)"
    " where ledger.gone_at is null and withheld_at is null and details is not null and kind is not null"
)


def stored_by_kind(engine: sa.Engine, days: Collection[date]) -> dict[str, set[str]]:
    """Return the readable activities of days by kind: ``all``, and each direction and type."""
    query = f"select kind, array_agg(id::text) {_BY_KIND} and day = any(%s) group by kind"
    return {kind: set(ids) for kind, ids in fetch(engine, tuple_row, query, (sorted(days),))}


def newest_of_kind(engine: sa.Engine, kind: str, but: Collection[date], most: int) -> list[str]:
    """Return the newest readable activities of a kind, ``but`` for those of some days."""
    query = (
        f"select id::text {_BY_KIND} and kind = %s and day <> all(%s) order by day desc limit %s"
    )
    return fetch(engine, scalar_row, query, (kind, sorted(but), most))


def record(engine: sa.Engine, result: Mapping[str, str | int | float]) -> None:
    """Store a run's result; its keys are the columns of ``sync.verifications`` except ``finished_at``."""
    columns, values = ", ".join(result), ", ".join(f"%({name})s" for name in result)
    # It is there already if the answer to the commit was lost.
    execute(
        engine,
        f"insert into sync.verifications ({columns}, finished_at) values ({values}, now())"
        " on conflict (run_id) do nothing",
        result,
    )
