"""Compares two warehouses by digests (docs/upkeep.md "Compare two warehouses")."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import date
from typing import Any

import sqlalchemy as sa
from psycopg.rows import tuple_row

from pipeline.warehouse.engine import fetch
from pipeline.warehouse.sql import statement

_ACTIVITIES = "warehouse.activities"
_BY_DAY = "select relation, day, count(*), bit_xor(digest) from ({}) as each group by relation, day"
_OF_DAY = (
    "select id, digest from ({}) as each"
    " where relation = %(relation)s and day is not distinct from %(day)s::date"
)


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


def compare(sides: Sequence[sa.Engine]) -> Compared:
    """Compare what two warehouses hold: one digest for each day, then those of the days that differ.

    Raises a ``WarehouseError``.
    """
    found: list[Difference] = []
    first, second = _ask_both(sides, _BY_DAY)
    for relation, day in {(relation, day) for relation, day, *_ in first ^ second}:
        rows = _ask_both(sides, _OF_DAY, {"relation": relation, "day": day})
        ours, theirs = ({name for name, _ in side} for side in rows)
        for name in {name for name, _ in rows[0] ^ rows[1]}:
            where = "second" if name not in ours else "first" if name not in theirs else "both"
            found.append(Difference(relation, name, day, where))
    activities = sum(number for relation, _, number, _ in first if relation == _ACTIVITIES)
    return Compared(activities, sorted(found, key=lambda each: (each.table, each.id)))


def _ask_both(
    sides: Sequence[sa.Engine], query: str, values: dict[str, object] | None = None
) -> list[set[tuple[Any, ...]]]:
    """Ask both at the same time about ``sql/compare/digests``; return the rows of each."""
    query = query.format(statement("compare/digests"))
    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(lambda side: set(fetch(side, tuple_row, query, values)), sides))
