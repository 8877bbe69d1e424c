"""Compares two warehouses by digests (docs/upkeep.md "Compare two warehouses")."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import date
from typing import Any, TypeAlias

import sqlalchemy as sa
from psycopg.rows import tuple_row

from pipeline.warehouse.engine import fetch
from pipeline.warehouse.sql import statement

Sides: TypeAlias = Sequence[sa.Engine]

#: The table that each file of ``sql/compare`` is about.
_TABLES = {
    "activities": "warehouse.activities",
    "entities": "warehouse.entities",
    "authorization_requests": "warehouse.authorization_requests",
    "coverage": "sync.days",
    "erasures": "sync.erasures",
}

_BY_DAY = "select day, count(*), bit_xor(digest) from ({}) as each group by day"
_OF_DAY = "select id, digest from ({}) as each where day is not distinct from %(day)s::date"


@dataclass(frozen=True)
class Difference:
    """An activity, counterpart, request, day or erasure that differs.

    ``found_in``: in ``both`` warehouses, in the ``first`` or in the ``second``.
    """

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
    """Compare what two warehouses hold: one digest for each day, then those of the days that differ.

    Raises a ``WarehouseError``.
    """
    found: list[Difference] = []
    counts: dict[str, int] = {}
    for kind, table in _TABLES.items():
        digests = statement(f"compare/{kind}")
        days = _both(sides, _BY_DAY.format(digests))
        counts[kind] = sum(number for number, _ in days[0].values())
        for day in {day for day, _ in days[0].items() ^ days[1].items()}:
            ours, theirs = _both(sides, _OF_DAY.format(digests), {"day": day})
            for name in {name for name, _ in ours.items() ^ theirs.items()}:
                both = name in ours and name in theirs
                where = "both" if both else "first" if name in ours else "second"
                found.append(Difference(table, name, day, where))
    return Compared(counts["activities"], sorted(found, key=lambda each: (each.table, each.id)))


def _both(
    sides: Sides, query: str, values: dict[str, Any] | None = None
) -> list[dict[Any, tuple[Any, ...]]]:
    """Ask both at the same time; return the rows by their first column."""
    with ThreadPoolExecutor(2) as pool:
        answers = pool.map(lambda side: fetch(side, tuple_row, query, values), sides)
        return [{first: tuple(rest) for first, *rest in rows} for rows in answers]
