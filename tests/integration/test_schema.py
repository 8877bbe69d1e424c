"""The schema: documented in full, applied safely, and its views and checks tell the truth.

Clause 1 of docs/guarantees.md.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING
from uuid import UUID

import psycopg
import pytest

from pipeline.warehouse.database.engine import warehouse_engine
from pipeline.warehouse.database.errors import WarehouseError
from pipeline.warehouse.schema.invariants import INVARIANTS, violations
from pipeline.warehouse.schema.migrate import migrate
from pipeline.warehouse.schema.sensitivity import SENSITIVE, classified
from tests.support.made_up import Activity, add, at

if TYPE_CHECKING:
    from pipeline.warehouse.schema.invariants import Invariant

_COLUMNS = """
select
    relation.oid::regclass::text,
    array_agg(attribute.attname::text order by attribute.attnum),
    array_agg(col_description(relation.oid, attribute.attnum) order by attribute.attnum)
from pg_class as relation
inner join pg_attribute as attribute
    on attribute.attrelid = relation.oid and attribute.attnum > 0 and not attribute.attisdropped
where relation.relnamespace in (
        'warehouse'::regnamespace, 'analytics'::regnamespace,
        'sync'::regnamespace, 'landing'::regnamespace
    )
    and relation.relkind in ('r', 'v', 'm', 'p')
group by relation.oid
"""


def test_every_column_is_classified_and_its_comment_says_so(migrated_url: str) -> None:
    with psycopg.connect(migrated_url) as session:
        found = session.execute(_COLUMNS).fetchall()
    assert {relation: columns for relation, columns, _ in found} == {
        relation: list(columns) for relation, columns in classified().items()
    }, "list each column in sql/sensitivity.yaml, in the order of its relation"
    for relation, columns, comments in found:
        for column, comment in zip(columns, comments, strict=True):
            kind = classified()[relation][column]
            assert kind in {*SENSITIVE, "key", "profile", "none"}, (relation, column)
            assert comment.endswith(f" [{kind}]") == (kind in SENSITIVE), (relation, column)


@pytest.mark.parametrize(
    ("deed", "says"),
    [
        ("truncate sync.schema_migrations", "no record of the migrations .* restore sync.schema_m"),
        ("drop table sync.schema_migrations", "no record of the migrations"),
        ("delete from sync.schema_migrations where digest is null", "no record of the migrations"),
    ],
)
def test_a_lost_record_of_migrations_is_named(migrated_url: str, deed: str, says: str) -> None:
    with psycopg.connect(migrated_url) as session:
        session.execute(deed.encode())
    with pytest.raises(WarehouseError, match=says):
        migrate(migrated_url)


def _cover(connection: psycopg.Connection, day: date, *, complete: bool = True) -> None:
    connection.execute(
        "insert into sync.days (day, listed, proven_at, unproven) values (%s, 0, now(), %s)",
        (day, None if complete else "rows came and went"),
    )


@pytest.mark.parametrize(
    ("walked", "unproven", "through", "incomplete", "checked"),
    [
        ({5, 4, 3, 2, 1, 0}, None, 0, 0, 5),  # the night of today
        ({5, 4, 3, 2, 1}, None, 1, 0, 5),
        ({5, 4, 3, 2, 1}, 3, 4, 1, 5),
        ({5, 4, 3}, None, 3, 2, None),  # nights were missed
        ({5, 4, 2, 1}, None, 4, 1, None),
        ({4, 3, 2, 1}, None, None, 1, None),  # the first load is not done
        ({9, 5, 4, 3, 2, 1}, None, 1, 0, 5),  # the start was moved
        (set[int](), None, None, 5, None),
    ],
)
def test_freshness_ends_at_the_first_day_that_is_not_complete(
    migrated_url: str,
    walked: set[int],
    unproven: int | None,
    through: int | None,
    incomplete: int,
    checked: int | None,
) -> None:
    """Days are counted back from today; the start is five days ago. Not every day was walked, or proven."""

    def ago(days: int | None) -> date | None:
        return None if days is None else datetime.now(UTC).date() - timedelta(days=days)

    with psycopg.connect(migrated_url) as session:
        session.execute(
            "insert into sync.service_facts (fact, value, learned_at)"
            " values ('start_date', %s, now()), ('configured_zone', 'UTC', now())",
            (str(ago(5)),),
        )
        for number in walked:
            day = ago(number)
            assert day is not None
            _cover(session, day, complete=number != unproven)
            session.execute("update sync.days set proven_at = day where day = %s", (day,))
        row = session.execute(
            "select covered_from, complete_so_far_except_quarantined, incomplete_days,"
            " oldest_verification::date"
            " from analytics.freshness"
        ).fetchone()
    assert row == (ago(5), ago(through), incomplete, ago(checked))


_ACTIVITY = "11111111-1111-4111-8111-111111111111"

#: For each promise, a row that breaks it.
_BREAKING = {
    "newest_day_fresh": "insert into sync.days (day, listed, proven_at)"
    " values (current_date - 9, 0, now())",
    "no_unknown_values": "insert into sync.unknown_values values ('status', 'ODD', null, now());"
    " insert into sync.runs (run_id, kind, started_at) values ('a', 'days', now() - interval '2 days')",
    "timeline_ends_in_status": f"insert into warehouse.timeline_events (activity_id, position, status)"
    f" values ('{_ACTIVITY}', 1, 'DECLINED')",
    "accepted_were_requested": f"insert into warehouse.requirements (activity_id, disposition,"
    f" position, code) values ('{_ACTIVITY}', 'accepted', 0, 'RQ_002')",
    "plausible_instants": "update warehouse.activities set valid_until = '1970-01-21 08:00Z'",
    "details_agree": "update sync.activity_ledger set discrepancy = 'lost timeline'",
    "instants_in_order": "update warehouse.activities set attended_at = created_at - interval '1 day'",
}


def test_there_is_a_breach_for_every_check() -> None:
    assert set(_BREAKING) == {invariant.name for invariant in INVARIANTS}


@pytest.mark.parametrize("invariant", INVARIANTS, ids=lambda invariant: invariant.name)
def test_checks_find_what_breaks_them(migrated_url: str, invariant: Invariant) -> None:
    sound = Activity(
        "ACCEPTED", requested=[("RQ_001", ())], timeline=[("ACCEPTED", at(5))], id=UUID(_ACTIVITY)
    )
    with psycopg.connect(migrated_url) as session:
        add(session, sound)
        session.execute("update warehouse.activities set details_fetched_at = now()")
        _cover(session, date.today() - timedelta(days=1))
    with warehouse_engine(migrated_url) as engine:
        assert violations(engine, invariant) == (0, [])
        with psycopg.connect(migrated_url) as session:
            if invariant.name == "newest_day_fresh":
                session.execute("delete from sync.days")
            session.execute(_BREAKING[invariant.name].encode())
        number, sample = violations(engine, invariant)
    assert (number, len(sample)) == (1, 1)
