"""Compares the warehouse with what the sandbox states, over every field of every table."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Literal

import psycopg
from psycopg import sql
from psycopg.rows import dict_row

from pipeline.drill.stated import KEYS, stated_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pipeline.drill.stated import Key, Tables
    from pipeline.sandbox import Truth


@dataclass(frozen=True)
class Difference:
    """One way in which the warehouse differs from the service.

    ``missing``: a stated row is not stored. ``surplus``: a stored row is not stated. ``wrong``: a
    ``column`` is stored otherwise than stated, or the row is marked as what it is not. ``str()``
    shows values too; `where` does not.
    """

    kind: Literal["missing", "surplus", "wrong"]
    table: str
    key: Key
    what: str
    column: str | None = None

    @property
    def where(self) -> str:
        """The row, and the column where it is one, without any value but the key's."""
        row = f"{self.table}{list(map(str, self.key))}"
        return f"{row}.{self.column}" if self.column else row

    def __str__(self) -> str:
        return f"{self.where}: {self.what}"


def compare(database_url: str, truths: Iterable[Truth]) -> list[str]:
    """Return `differences` as lines; none: ``[]``."""
    return [str(difference) for difference in differences(database_url, truths)]


def differences(database_url: str, truths: Iterable[Truth]) -> list[Difference]:
    """Return every difference between the warehouse and the service, both ways.

    What the service no longer states must be marked as gone and is not looked into; of an activity
    whose details it refuses, what the list says of it must be stored.
    """
    stated = list(truths)
    expected = stated_rows(stated)
    actual = stored_rows(database_url)
    gone = {key[0] for key, row in actual["activities"].items() if row["gone_at"] is not None}
    refused = {truth.id for truth in stated if bytes(truth.details) == b"null"}
    found = _presence(actual["activities"], {truth.id for truth in stated}, refused)
    of_gone = {row["entity_id"] for row in actual["activities"].values() if row["id"] in gone}
    for table in KEYS:
        owner = "entity_id" if table == "entity_social_media" else "activity_id"
        for key in sorted(expected[table].keys() | actual[table].keys(), key=repr):
            ours, theirs = actual[table].get(key), expected[table].get(key)
            if theirs is None and ours is not None:
                owned_by = ours.get(owner, key[0])
                if owned_by in gone or (owned_by in refused and table != "activities"):
                    continue
                if owned_by in of_gone and table.startswith("entit"):
                    continue
            found += _row_differences(table, key, ours, theirs)
    return found


def stored_rows(database_url: str) -> Tables:
    """Return all rows of the contract's tables, by table and key, with every column."""
    tables: Tables = {}
    with psycopg.connect(database_url, row_factory=dict_row) as session:
        for table, key in KEYS.items():
            rows = session.execute(
                sql.SQL("select * from warehouse.{}").format(sql.Identifier(table))
            ).fetchall()
            tables[table] = {
                tuple(_plain(row[column]) for column in key): {
                    column: _plain(value) for column, value in row.items()
                }
                for row in rows
            }
    return tables


def _presence(
    activities: dict[Key, dict[str, object]], offered: set[str], refused: set[str]
) -> list[Difference]:
    found = []

    def wrong(key: Key, what: str) -> None:
        found.append(Difference("wrong", "activities", key, what))

    for key, row in activities.items():
        name = str(key[0])
        if name in offered and row["gone_at"] is not None:
            wrong(key, "marked as gone, but the service offers it")
        if name not in offered and row["gone_at"] is None:
            wrong(key, "the service no longer offers it; not marked as gone")
        if name in offered and name not in refused and row["details_fetched_at"] is None:
            found.append(Difference("missing", "activities", key, "details never had"))
        if row["first_seen_at"] is None:
            wrong(key, "first_seen_at is missing")
    return found


def _row_differences(
    table: str, key: Key, ours: dict[str, object] | None, theirs: dict[str, object] | None
) -> list[Difference]:
    if ours is None:
        return [Difference("missing", table, key, "missing in the warehouse")]
    if theirs is None:
        return [Difference("surplus", table, key, "in the warehouse, not stated by the service")]
    return [
        Difference("wrong", table, key, f"stored {ours[column]!r}, stated {value!r}", column)
        for column, value in theirs.items()
        if _canonical(ours[column]) != _canonical(value)
    ]


def _plain(value: object) -> object:
    return str(value) if type(value).__name__ == "UUID" else value


def _canonical(value: object) -> object:
    """Make values comparable: equal numbers are equal however written, and True is not 1."""
    leaf: Callable[[object], object] = _canonical
    if isinstance(value, bool) or value is None:
        return ("constant", value)
    if isinstance(value, int | float | Decimal):
        return ("number", Decimal(str(value)))
    if isinstance(value, list):
        return [leaf(element) for element in value]
    if isinstance(value, dict):
        return {name: leaf(element) for name, element in value.items()}
    return value
