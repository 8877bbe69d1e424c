"""Millions of activities in minutes: the product's rows, copied by SQL for what is also served.

Copied is what a night reads: the ledger, days, activities, counterparts and the facts of ``analytics``.
"""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime
from functools import partial
from zoneinfo import ZoneInfo

import psycopg

from pipeline.sync.mapping import Mapper
from tests.benchmarks.precomputed import PER_ENTITY, Activities, Answers, activity_id
from tests.benchmarks.rows import columns_of
from tests.scale.volume import unindexed

#: The tables, each with the column that tells whose a row is.
_TABLES = {
    "analytics.items": "activity_id",
    "analytics.requirements": "activity_id",
    "analytics.status_changes": "activity_id",
    "analytics.activities": "activity_id",
    "warehouse.activities": "id",
    "sync.activity_ledger": "activity_id",
    "warehouse.entities": "id",
}

#: All that is served: ``place`` among those that are held, and which copy of it. Copy 0 is held.
_SERVED = """
create unlogged table public.served (
    place bigint, copy bigint, activity_id uuid, entity_id uuid, listed bytea, details bytea, entity bytea
)
"""

#: What a copy has instead, by column and by type.
_OWN = {
    **{name: f"copied.{name}" for name in ("activity_id", "entity_id", "listed", "details")},
    "settled": "copied.listed",
    "digest": "copied.entity",
}
_SHIFTED = {
    "date": "stored.{} - (copied.copy * {days})::integer",
    "timestamp with time zone": "stored.{} - copied.copy * {days} * interval '24 hours'",
}

_DAYS = """
insert into sync.days (day, listed, proven_at, run_id)
select day - copy * {days}, listed, proven_at, run_id
from sync.days cross join generate_series(1, {copies}) as copy
"""

#: Activities whose answers are read at once.
_BATCH = 10_000


def copy_held(database: str, activities: Activities, held: int) -> None:
    """Give a warehouse that holds the last ``held`` activities of the service all others.

    ``held`` times the days must be a multiple of ``activities.number``: copies lie whole days before.
    """
    days, rest = divmod(held * activities.days, activities.number)
    if rest or activities.number % held or held % PER_ENTITY:
        raise ValueError(f"{held} of {activities} are no whole days")
    with psycopg.connect(database) as session, ProcessPoolExecutor() as pool:
        session.execute(_SERVED)
        with session.cursor().copy("copy public.served from stdin") as copy:
            batches = range(0, activities.number, _BATCH)
            for rows in pool.map(partial(_read, activities, held), batches):
                copy.write(rows)
    with psycopg.connect(database, autocommit=True) as session:
        session.execute("analyze public.served")
        statements = [_statement(session, table, key, days) for table, key in _TABLES.items()]
    with unindexed(database, list(_TABLES)) as run:
        run(statements)
    with psycopg.connect(database) as session:
        copies = activities.number // held - 1
        session.execute(_DAYS.format(days=days, copies=copies).encode())
        session.execute("drop table public.served")


def _read(activities: Activities, held: int, begin: int) -> str:
    """Return a batch of lines for COPY: digests as the product makes them of the service's answers."""
    answers, now = Answers(activities), datetime.now(UTC)
    mapper = Mapper(ZoneInfo("UTC"), frozenset(), frozenset())
    lines = []
    for number in range(begin, min(begin + _BATCH, activities.number)):
        name = activity_id(number)
        said = mapper.details(answers.details(number), name, now, now, now)
        assert said.entity is not None
        copy, place = divmod(activities.number - 1 - number, held)
        digests = (
            f"\\\\x{each.hex()}" for each in (said.as_listed, said.meaning, said.entity.digest)
        )
        lines.append("\t".join((str(place), str(copy), name, said.entity.id, *digests)))
    return "\n".join(lines) + "\n"


def _statement(session: psycopg.Connection, table: str, key: str, days: int) -> str:
    """Return the statement that copies the rows of a table."""
    columns = columns_of(session, table)
    owner = "entity_id" if table == "warehouse.entities" else "activity_id"
    own = {**_OWN, key: f"copied.{owner}"}
    values = [
        own.get(name, _SHIFTED.get(kind, "stored.{}")).format(name, days=days)
        for name, kind in columns.items()
    ]
    # One of those that share a counterpart stands for it.
    which = f"held.place % {PER_ENTITY} = 0" if owner == "entity_id" else "true"
    return (
        f"insert into {table} ({', '.join(columns)}) select {', '.join(values)} from {table} as stored"
        f" inner join public.served as held on held.copy = 0 and held.{owner} = stored.{key} and {which}"
        " inner join public.served as copied on copied.place = held.place and copied.copy > 0"
    )
