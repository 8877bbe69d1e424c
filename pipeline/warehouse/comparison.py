"""Compares two warehouses by digests (docs/upkeep.md "Compare two warehouses")."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import date
from functools import partial
from typing import Any, TypeAlias, TypeVar

import sqlalchemy as sa
from psycopg.rows import tuple_row

from pipeline.warehouse import witness
from pipeline.warehouse.engine import fetch
from pipeline.warehouse.sql import id_array, statement

K = TypeVar("K")
T = TypeVar("T")
Sides: TypeAlias = Sequence[sa.Engine]

#: What is compared row by row: each a file of ``sql/compare``, and the table that it reads.
_ROWS = {
    "authorization_requests": "warehouse.authorization_requests",
    "coverage": "sync.coverage",
    "erasures": "sync.erasures",
}

#: Ids whose tables are compared at once.
_BATCH = 10_000


@dataclass(frozen=True)
class Difference:
    """Rows of one activity, counterpart, request or day that differ.

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
    """Compare what the tables of two warehouses hold. Reads all their rows. Raises a ``WarehouseError``."""
    first, second = _both(sides, _suspects)
    return _compare(sides, first | second)


def compare_sealed(sides: Sides) -> Compared:
    """Compare what runs wrote into two warehouses, by the digests that they sealed.

    Equal warehouses cost one digest for each day. Raises a ``WarehouseError``.
    """
    return _compare(sides, {})


def _suspects(engine: sa.Engine) -> dict[str, date | None]:
    """Return what is not as the runs sealed it, with its day."""
    found = dict([*witness.altered(engine), *witness.unlanded(engine, None)])
    return found | dict.fromkeys(witness.altered_entities(engine))


def _compare(sides: Sides, suspects: dict[str, date | None]) -> Compared:
    number, sealed = _differing(sides, "activities", "sync.activity_ledger")
    sealed += _differing(sides, "entities", "sync.entity_ledger")[1]
    found = [each for kind, table in _ROWS.items() for each in _differing(sides, kind, table)[1]]
    days = suspects | {each.id: each.day for each in sealed}
    names = sorted(days)
    for start in range(0, len(names), _BATCH):
        batch = names[start : start + _BATCH]
        ours, theirs = _both(sides, partial(_tables, ids=batch))
        for (name, table), where in _unlike(ours, theirs):
            found.append(Difference(table, name, days[name], where))
    # Rows that are the same have other digests only if somebody changed them outside a run.
    explained = {each.id for each in found}
    found += [each for each in sealed if each.id not in explained]
    return Compared(number, sorted(found, key=lambda each: (each.id, each.table)))


def _differing(sides: Sides, kind: str, table: str) -> tuple[int, list[Difference]]:
    """Return how many rows of a kind the first warehouse has, and those that differ.

    ``kind``: a file of ``sql/compare``; ``table``: the one that it reads.
    """
    first, second = _both(sides, partial(_days, kind=kind))
    days = [day for day in first.keys() | second.keys() if first.get(day) != second.get(day)]
    found: list[Difference] = []
    for day in days:
        ours, theirs = _both(sides, partial(_digests, kind=kind, day=day))
        found += [Difference(table, name, day, where) for name, where in _unlike(ours, theirs)]
    return sum(number for number, _ in first.values()), found


def _unlike(ours: Mapping[K, Any], theirs: Mapping[K, Any]) -> Iterator[tuple[K, str]]:
    for key in {key for key, _ in ours.items() ^ theirs.items()}:
        both = key in ours and key in theirs
        yield key, "both" if both else "first" if key in ours else "second"


def _days(engine: sa.Engine, kind: str) -> dict[date | None, tuple[int, int]]:
    """Return by day how many there are, and their digest."""
    digests = statement(f"compare/{kind}")
    query = f"select day, count(*), bit_xor(digest) from ({digests}) as each group by day"
    return {day: (number, digest) for day, number, digest in fetch(engine, tuple_row, query)}


def _digests(engine: sa.Engine, kind: str, day: date | None) -> dict[str, int]:
    query = (
        f"select id, digest from ({statement(f'compare/{kind}')}) as each"
        " where day = %(day)s or (%(day)s::date is null and day is null)"
    )
    return dict(fetch(engine, tuple_row, query, {"day": day}))


def _tables(engine: sa.Engine, ids: Sequence[str]) -> dict[tuple[str, str], Any]:
    """Return the digests of the rows of these ids, by id and table."""
    found = fetch(engine, tuple_row, statement("compare/tables"), {"ids": id_array(ids)})
    return {(name, table): digest for table, name, digest in found}


def _both(sides: Sides, ask: Callable[[sa.Engine], T]) -> list[T]:
    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(ask, sides))
