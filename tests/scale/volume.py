"""A warehouse of millions of activities, made in minutes: for plans and for benchmarks."""

from __future__ import annotations

import re
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg

from pipeline.sync.mapping import MAPPING_VERSION

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
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

_PARTS = re.compile(r"^-- step (\d): (\w+)\n(.*?)(?=^-- step|\Z)", re.DOTALL | re.MULTILINE)

_INDEXES = """
select pg_get_indexdef(index.indexrelid), constrained.conname, index.indrelid::regclass::text,
    pg_get_constraintdef(constrained.oid)
from pg_index as index
inner join pg_class as owner on owner.oid = index.indrelid
left join pg_constraint as constrained
    on constrained.conindid = index.indexrelid and constrained.contype = 'p'
where owner.relname = any(%s) and owner.relkind = 'r'
    and owner.relnamespace in ('warehouse'::regnamespace, 'landing'::regnamespace, 'sync'::regnamespace)
"""

_REFERENCES = """
select conrelid::regclass::text, conname, pg_get_constraintdef(oid)
from pg_constraint
where contype = 'f' and connamespace = 'warehouse'::regnamespace
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
    parts = [(int(step), table, body) for step, table, body in _PARTS.findall(text)]
    tables = [table for _, table, _ in parts]
    values = {"n": activities, "until": f"'{until.isoformat()}'", "mapping": MAPPING_VERSION}
    began = time.monotonic()
    with psycopg.connect(url, autocommit=True) as session:
        references = session.execute(_REFERENCES).fetchall()
        for table, name, _ in references:
            session.execute(f"alter table {table} drop constraint {name}".encode())
        indexes = session.execute(_INDEXES, (tables,)).fetchall()
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

        for step in sorted({step for step, _, _ in parts}):
            run(body.format(**values) for number, _, body in parts if number == step)
            told(f"rows of step {step}: {time.monotonic() - began:.0f} s")
        run(
            f"alter table {table} add constraint {name} {constraint}" if name else definition
            for definition, name, table, constraint in indexes
        )
        told(f"indexes: {time.monotonic() - began:.0f} s")
    with psycopg.connect(url, autocommit=True) as session:
        for table, name, definition in references:
            session.execute(
                f"alter table {table} add constraint {name} {definition} not valid".encode()
            )
        # The triggers that queue what changed did not fire.
        session.execute("insert into sync.refresh_queue default values")
        session.execute("vacuum analyze")
    told(f"statistics: {time.monotonic() - began:.0f} s")


def _run(url: str, statement: str) -> None:
    with psycopg.connect(url) as session:
        # Neither references nor the history of scores are checked row by row.
        session.execute("set session_replication_role = replica")
        session.execute("set jit = off")
        session.execute("set work_mem = '256MB'")
        session.execute(statement.encode())
