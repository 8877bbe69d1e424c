"""What we knew when: a history is lived, each state of the warehouse kept, and asked for afterwards."""

from __future__ import annotations

import itertools
import json
from typing import TYPE_CHECKING, Any

import psycopg
import pytest
from psycopg import sql

from pipeline.sandbox import FaultRule
from tests.support.mirroring import TODAY, Warehouse

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from tests.integration.conftest import Mirrored

    Rows = list[tuple[Any, ...]]

_COLUMNS = (
    "id, type, in_out_bound, entity_id, status, time_zone, valid_until, attended_at, completed_at,"
    " expires_at, created_at, updated_at, expires_in_time_unit, expires_in_amount"
)
_NOW = (
    f"select {_COLUMNS}, gone_at is not null, details_fetched_at is not null"
    " from warehouse.activities order by id"
)
_THEN = f"select {_COLUMNS}, gone, source = 'details' from analytics.activity_as_of(%s) order by id"
_ONE = f"select {_COLUMNS}, gone, source = 'details' from analytics.activity_as_of(%s, %s)"


class Memory:
    """States of the warehouse, with an instant at which each was the present one."""

    def __init__(self, warehouse: Warehouse) -> None:
        self._warehouse = warehouse
        self.states: list[tuple[datetime, Rows]] = []

    def keep(self) -> None:
        """Keep the present state."""
        instant = self._warehouse.value("select clock_timestamp()")
        self.states.append((instant, self._warehouse.query(_NOW)))


def test_every_state_of_a_history_can_be_asked_for_afterwards(mirrored: Mirrored) -> None:
    warehouse = mirrored(150)
    state = warehouse.service.state
    memory = Memory(warehouse)
    memory.keep()

    late, deleted = state.ids("ACCEPTED", "COMPLETED")[0], state.ids("DECLINED")[:3]
    state.set_faults(FaultRule(kind="status", status=500, operation="details", id=late))
    warehouse.days()
    memory.keep()
    (pending, *_) = state.ids("SENT", "ACTION_REQUIRED")
    state.move(pending, "accept")
    state.set_faults()
    warehouse.nightly(TODAY)
    warehouse.days()
    memory.keep()

    for name in deleted:
        state.delete(name)
    state.set_clock(advance_ms=20 * 86_400_000)
    warehouse.days()
    warehouse.open_work(TODAY)
    memory.keep()

    state.restore(deleted[0])
    told = state.truth_of(deleted[0]).details_fields()
    assert told is not None
    odd = json.dumps(
        told
        | {"description": "nul \0 and half \ud800", "created_at": {"$date": told["created_at"]}}
    )
    state.replace_payload(deleted[0], details=odd.encode())
    warehouse.days(full=True)
    memory.keep()

    rows = [rows for _, rows in memory.states]
    assert len(rows[0]) == 0
    assert [row[-1] for row in rows[1]].count(False) == 1
    assert sum(row[-2] for row in rows[3]) == 3
    assert sum(row[-2] for row in rows[4]) == 2
    assert all(before != after for before, after in itertools.pairwise(rows))
    for instant, known in memory.states:
        assert warehouse.query(_THEN, instant) == known
        for row in known[::25]:
            assert warehouse.query(_ONE, instant, row[0]) == [row]
    first, last = memory.states[0][0], memory.states[-1][1]
    assert warehouse.query(_ONE, first, last[0][0]) == []


@pytest.fixture
def outsider(migrated_url: str) -> Iterator[tuple[psycopg.Connection, str]]:
    """Connect, and make a role that may use the schema analytics and nothing else."""
    with psycopg.connect(migrated_url, autocommit=True) as session:
        row = session.execute("select 'outsider_' || replace(gen_random_uuid()::text, '-', '')")
        (name,) = row.fetchone() or ("",)
        role = sql.Identifier(name)
        session.execute(sql.SQL("create role {}").format(role))
        session.execute(sql.SQL("grant usage on schema analytics to {}").format(role))
        yield session, name
        session.execute(sql.SQL("reset role; drop owned by {0}; drop role {0}").format(role))


def test_who_may_not_read_landing_may_ask(outsider: tuple[psycopg.Connection, str]) -> None:
    session, name = outsider
    session.execute(
        "insert into landing.activity_list_rows (activity_id, first_seen_at, digest, body)"
        " values (gen_random_uuid(), now(), '', '{\"status\": \"SENT\"}')"
    )
    session.execute(sql.SQL("set role {}").format(sql.Identifier(name)))
    asked = session.execute("select status, source from analytics.activity_as_of(now())")
    assert asked.fetchall() == [("SENT", "list")]
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        session.execute("select * from landing.activity_versions")


@pytest.mark.parametrize("body", [b"", b"[]", b"nonsense", b"\xff\xfe", b'{"status": "\xff"}'])
def test_a_body_that_cannot_be_read_hides_no_other(
    outsider: tuple[psycopg.Connection, str], body: bytes
) -> None:
    session, _ = outsider
    for each in (body, b'{"status": "SENT"}'):
        session.execute(
            "insert into landing.activity_list_rows (activity_id, first_seen_at, digest, body)"
            " values (gen_random_uuid(), now(), '', %s)",
            (each,),
        )
    asked = session.execute("select status from analytics.activity_as_of(now())").fetchall()
    assert len(asked) == 2
    assert ("SENT",) in asked


@pytest.mark.parametrize(
    ("carrier", "instant"),
    [
        ("0", "1970-01-01 00:00:00"),
        ("1767225600123", "2026-01-01 00:00:00.123"),
        ("-1", "1969-12-31 23:59:59.999"),
        ('" 1767225600123 "', "2026-01-01 00:00:00.123"),
        ('{"$numberLong": 1767225600123, "unit": "ms"}', "2026-01-01 00:00:00.123"),
        ("253402300799999", "9999-12-31 23:59:59.999"),
        ("-62135596800000", "0001-01-01 00:00:00"),
        ("null", None),
    ],
)
def test_instants_are_read_as_the_mirror_reads_them(
    migrated_url: str, carrier: str, instant: str | None
) -> None:
    with psycopg.connect(migrated_url) as session:
        row = session.execute(
            "select landing.read_instant(%s::jsonb) is not distinct from %s::timestamp at time zone 'UTC'",
            (carrier, instant),
        ).fetchone()
    assert row == (True,)
