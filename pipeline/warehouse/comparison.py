"""Compares two warehouses by digests (docs/operations.md "Compare two warehouses")."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import date
from functools import partial
from typing import Any, TypeAlias, TypeVar

import sqlalchemy as sa
from psycopg.rows import tuple_row

from pipeline.warehouse.engine import fetch
from pipeline.warehouse.sql import id_array, statement

T = TypeVar("T")
Sides: TypeAlias = Sequence[sa.Engine]

#: What is compared: each a file of ``sql/compare``.
_KINDS = ("activities", "entities", "authorization_requests")


@dataclass(frozen=True)
class Difference:
    """Rows of one activity, counterpart or request that differ. ``found_in``: both, first or second."""

    table: str
    id: str
    day: date | None
    found_in: str


@dataclass(frozen=True)
class Compared:
    """How many activities the first warehouse has, and where the second one differs from it."""

    activities: int
    differences: list[Difference]


def compare(sides: Sides) -> Compared:
    """Compare two warehouses; equal ones cost one digest for each day. Raises a ``WarehouseError``."""
    found: list[Difference] = []
    activities = 0
    for kind in _KINDS:
        first, second = _both(sides, partial(_days, kind=kind))
        if kind == "activities":
            activities = sum(number for number, _ in first.values())
        for day in sorted(first.keys() | second.keys(), key=str):
            if first.get(day) != second.get(day):
                found += _differences(sides, kind, day)
    return Compared(activities, found)


def _days(engine: sa.Engine, kind: str) -> dict[date | None, tuple[int, int]]:
    """Return by day how many there are, and their digest."""
    digests = statement(f"compare/{kind}")
    query = f"select day, count(*), bit_xor(digest) from ({digests}) as each group by day"
    return {day: (number, digest) for day, number, digest in fetch(engine, tuple_row, query)}


def _differences(sides: Sides, kind: str, day: date | None) -> list[Difference]:
    query = (
        f"select id, digest from ({statement(f'compare/{kind}')}) as each"
        " where day = %(day)s or (%(day)s::date is null and day is null)"
    )

    def read(side: sa.Engine) -> dict[str, int]:
        return dict(fetch(side, tuple_row, query, {"day": day}))

    first, second = _both(sides, read)
    differing = {name for name, _ in first.items() ^ second.items()}
    both = sorted(differing & first.keys() & second.keys())
    ours, theirs = _both(sides, partial(_tables, ids=both))
    places = {place for place, _ in ours.items() ^ theirs.items()}
    # Rows that are the same have other digests only if somebody changed them outside a run.
    alike = set(both).difference(name for name, _ in places)
    places |= {(name, "sync.activity_ledger") for name in alike}
    found = [Difference(table, name, day, "both") for name, table in places]
    for name in differing.difference(both):
        found.append(Difference(kind, name, day, "first" if name in first else "second"))
    return sorted(found, key=lambda each: (each.id, each.table))


def _tables(engine: sa.Engine, ids: Sequence[str]) -> dict[tuple[str, str], Any]:
    """Return the digests of the rows of these ids, by id and table."""
    found = fetch(engine, tuple_row, statement("compare/tables"), {"ids": id_array(ids)})
    return {(name, table): digest for table, name, digest in found}


def _both(sides: Sides, ask: Callable[[sa.Engine], T]) -> list[T]:
    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(ask, sides))
