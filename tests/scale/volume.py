"""A warehouse of millions of activities, made in minutes: for plans and for benchmarks."""

from __future__ import annotations

import re
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg

from pipeline.sync.mapping import MAPPING_VERSION

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from datetime import datetime

#: What makes bulk writes fast on a server of their own that may be lost.
BULK_SETTINGS = {
    "fsync": "off",
    "full_page_writes": "off",
    "synchronous_commit": "off",
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "max_wal_size": "16GB",
    "checkpoint_timeout": "1h",
    "shared_buffers": "1GB",
    "maintenance_work_mem": "512MB",
    "autovacuum": "off",
}

_PARTS = re.compile(r"^-- step (\d): \w+\n(.*?)(?=^-- step|\Z)", re.DOTALL | re.MULTILINE)
_FILLED = re.compile(r"^insert into (\S+)", re.MULTILINE)

_INDEXES = """
select pg_get_indexdef(index.indexrelid), constrained.conname, index.indrelid::regclass::text,
    pg_get_constraintdef(constrained.oid)
from pg_index as index
left join pg_constraint as constrained
    on constrained.conindid = index.indexrelid and constrained.contype = 'p'
where index.indrelid = any(%s::text[]::regclass[])
"""

_REFERENCES = """
select conrelid::regclass::text, conname, pg_get_constraintdef(oid)
from pg_constraint
where contype = 'f' and connamespace in ('warehouse'::regnamespace, 'analytics'::regnamespace)
"""


def fill(
    url: str,
    activities: int,
    until: datetime,
    *,
    connections: int = 2,
    told: Callable[[str], object] = lambda _: None,
) -> None:
    """Fill an empty, migrated warehouse with activities of the three years up to ``until``.

    ``url``: a superuser's. The same arguments make the same rows: activities, counterparts (a tenth
    as many), requirements, items, timelines, ledger, coverage, and for every tenth one a small landed
    body. Indexes and keys are built after the rows; statistics are gathered. ``told`` hears how long
    each step took.
    """
    text = Path(__file__).with_suffix(".sql").read_text(encoding="utf-8")
    parts = [(int(step), body) for step, body in _PARTS.findall(text)]
    tables = [_FILLED.findall(body)[0] for _, body in parts]
    values = {"n": activities, "until": f"'{until.isoformat()}'", "mapping": MAPPING_VERSION}
    began = time.monotonic()
    with unindexed(url, tables, connections) as run:
        for step in sorted({step for step, _ in parts}):
            run([body.format(**values) for number, body in parts if number == step])
            told(f"rows of step {step}: {time.monotonic() - began:.0f} s")
    told(f"indexes: {time.monotonic() - began:.0f} s")
    with psycopg.connect(url, autocommit=True) as session:
        # The triggers that queue what changed did not fire.
        session.execute("insert into sync.refresh_queue default values")
        session.execute("vacuum analyze")
    told(f"statistics: {time.monotonic() - began:.0f} s")


@contextmanager
def unindexed(
    url: str, tables: Sequence[str], connections: int = 2
) -> Iterator[Callable[[Iterable[str]], None]]:
    """Take indexes and references from tables, and build them again at the end.

    Yields what runs statements side by side, without triggers.
    """
    with psycopg.connect(url, autocommit=True) as session:
        references = session.execute(_REFERENCES).fetchall()
        for table, name, _ in references:
            session.execute(f"alter table {table} drop constraint {name}".encode())
        indexes = session.execute(_INDEXES, (list(tables),)).fetchall()
        for definition, name, table, _ in indexes:
            index = definition.split(" ON ")[0].split()[-1]
            schema = table.split(".")[0]
            drop = (
                f"alter table {table} drop constraint {name}"
                if name
                else f"drop index {schema}.{index}"
            )
            session.execute(drop.encode())
    with ThreadPoolExecutor(connections) as pool:

        def run(statements: Iterable[str]) -> None:
            list(pool.map(lambda statement: _run(url, statement), statements))

        yield run
        run(
            f"alter table {table} add constraint {name} {constraint}" if name else definition
            for definition, name, table, constraint in indexes
        )
    with psycopg.connect(url, autocommit=True) as session:
        for table, name, definition in references:
            session.execute(
                f"alter table {table} add constraint {name} {definition} not valid".encode()
            )


def _run(url: str, statement: str) -> None:
    with psycopg.connect(url) as session:
        # Neither references nor the history of scores are checked row by row.
        session.execute("set session_replication_role = replica")
        session.execute("set jit = off")
        session.execute("set work_mem = '256MB'")
        session.execute("set maintenance_work_mem = '512MB'")
        session.execute(statement.encode())
