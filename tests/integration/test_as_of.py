"""What we knew when: a history is lived, each state of the warehouse kept, and asked for afterwards."""

from __future__ import annotations

import itertools
import json
from typing import TYPE_CHECKING, Any

import psycopg
import pytest

from pipeline.sandbox import FaultRule
from tests.support.mirroring import TODAY

if TYPE_CHECKING:
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


def test_every_state_of_a_history_can_be_asked_for_afterwards(mirrored: Mirrored) -> None:
    warehouse = mirrored(150)
    state = warehouse.service.state
    states: list[tuple[datetime, Rows]] = []

    def keep() -> None:
        """Keep the present state, with an instant at which it is the present one."""
        instant = warehouse.value("select clock_timestamp()")
        states.append((instant, warehouse.query(_NOW)))

    keep()

    late, deleted = state.ids("ACCEPTED", "COMPLETED")[0], state.ids("DECLINED")[:3]
    state.set_faults(FaultRule(kind="status", status=500, operation="details", id=late))
    warehouse.days()
    keep()
    (pending, *_) = state.ids("SENT", "ACTION_REQUIRED")
    state.move(pending, "accept")
    state.set_faults()
    warehouse.nightly(TODAY)
    warehouse.days()
    keep()

    for name in deleted:
        state.delete(name)
    state.set_clock(advance_ms=20 * 86_400_000)
    warehouse.days()
    warehouse.open_work(TODAY)
    keep()

    state.restore(deleted[0])
    told = state.truth_of(deleted[0]).details_fields()
    assert told is not None
    odd = json.dumps(
        told
        | {"description": "nul \0 and half \ud800", "created_at": {"$date": told["created_at"]}}
    )
    state.replace_payload(deleted[0], details=odd.encode())
    warehouse.days(full=True)
    keep()

    rows = [rows for _, rows in states]
    assert len(rows[0]) == 0
    assert [row[-1] for row in rows[1]].count(False) == 1
    assert sum(row[-2] for row in rows[3]) == 3
    assert sum(row[-2] for row in rows[4]) == 2
    assert all(before != after for before, after in itertools.pairwise(rows))
    for instant, known in states:
        # Of what was gone, only the question about one activity tells.
        assert warehouse.query(_THEN, instant) == [row for row in known if not row[-2]]
        for row in known[::25]:
            assert warehouse.query(_ONE, instant, row[0]) == [row]
    first, last = states[0][0], states[-1][1]
    assert warehouse.query(_ONE, first, last[0][0]) == []


@pytest.mark.parametrize(
    "body",
    [
        *(b"", b"[]", b"17", b"nonsense", b"\xff\xfe", b'{"status": "\xff"}'),
        b'{"attended_at": "", "expires_at": "never", "completed_at": "2026-01-02T03:04:05"}',
        b'{"created_at": "2026-01-02T03:04:05Z", "updated_at": "2026-13-01T00:00Z", "valid_until": 1e300}',
        b'{"entity": {"id": "none"}, "expires_in": {"amount": "three"}}',
        b'{"entity": [1], "expires_in": {"amount": {"days": 3}}}',
    ],
)
def test_a_body_that_cannot_be_read_hides_no_other(migrated_url: str, body: bytes) -> None:
    with psycopg.connect(migrated_url) as session:
        for each in (body, b'{"status": "SENT"}'):
            session.execute(
                "insert into landing.activity_list_rows (activity_id, first_seen_at, digest, body)"
                " values (gen_random_uuid(), now(), '', %s)",
                (each,),
            )
        asked = session.execute("select status from analytics.activity_as_of(now())").fetchall()
    assert len(asked) == 2
    assert ("SENT",) in asked
