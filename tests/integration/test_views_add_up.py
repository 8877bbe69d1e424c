"""Whatever the activities, the views' sums are those of the tables they are made of."""

from __future__ import annotations

import os
from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.made_up import Activity, add, add_entity, at
from tests.support.postgres import fresh_database
from tests.support.refreshing import refresh_all

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.postgres import PostgresServer

EXAMPLES = int(os.environ.get("PROPERTY_EXAMPLES", "150")) // 5

STATUSES = (
    "SENT",
    "ACTION_REQUIRED",
    "ACCEPTED",
    "COMPLETED",
    "DECLINED",
    "CANCELED",
    "EXPIRED",
    "ODD",
    None,
)
ACCEPTED, PENDING = ("ACCEPTED", "COMPLETED", "EXPIRED"), ("SENT", "ACTION_REQUIRED")

#: Few instants, so that they often fall together, and on the edges of days.
_instants = st.builds(
    lambda day, hour, second: at(day, hour) + timedelta(seconds=second),
    st.integers(2, 9), st.sampled_from((0, 5, 12)), st.sampled_from((-1, 0, 1)),
)  # fmt: skip
_statuses = st.sampled_from(STATUSES)
_requirements = st.lists(
    st.tuples(st.sampled_from(("RQ_001", "RQ_002", "RQ_009")), st.just(("IDT_001",))), max_size=3
)
_activities = st.builds(
    Activity,
    status=_statuses,
    created_at=st.none() | _instants,
    type=st.sampled_from(("AT_001", "AT_002", None)),
    in_out_bound=st.sampled_from(("IN", "OUT", None)),
    attended_at=st.none() | _instants,
    completed_at=st.none() | _instants,
    updated_at=st.none() | _instants,
    gone_at=st.none() | _instants,
    requested=_requirements,
    accepted=_requirements,
    declined=_requirements,
    timeline=st.lists(st.tuples(_statuses, st.none() | _instants), max_size=5),
)


@pytest.fixture(scope="module")
def url(postgres: PostgresServer, migrated_template: str) -> Iterator[str]:
    with fresh_database(postgres, migrated_template) as name:
        yield postgres.url(name)


@settings(
    max_examples=EXAMPLES, deadline=None, print_blob=True, suppress_health_check=list(HealthCheck)
)
@given(
    activities=st.lists(_activities, min_size=1, max_size=8),
    with_entity=st.lists(st.integers(0, 2), min_size=8, max_size=8),
)
def test_sums_reconcile(url: str, activities: list[Activity], with_entity: list[int]) -> None:
    with psycopg.connect(url, autocommit=True) as session:
        session.execute(
            "truncate warehouse.entities, warehouse.activities, sync.activity_ledger cascade"
        )
        entities = [None, add_entity(session), add_entity(session)]
        for activity, number in zip(activities, with_entity, strict=False):
            activity.entity_id = entities[number]
        add(session, *activities)
        refresh_all(url)
        _check_funnel(session, activities)
        _check_outcomes(session, activities)
        _check_stock(session, activities)
        _check_others(session, activities)


def _check_funnel(session: psycopg.Connection, activities: list[Activity]) -> None:
    ((rows, created, parts, pending, accepted, completed, gone),) = session.execute(
        "select count(*), sum(created), sum(pending + accepted + declined + canceled + other),"
        " sum(pending), sum(accepted), sum(completed), sum(gone) from analytics.activity_funnel"
    ).fetchall()
    assert rows == len({(_day(each), each.type, each.in_out_bound) for each in activities})
    assert created == parts == len(activities)
    assert pending == sum(each.status in PENDING for each in activities)
    assert accepted == sum(each.status in ACCEPTED for each in activities)
    assert completed == sum(
        each.status in ACCEPTED and (each.status == "COMPLETED" or each.completed_at is not None)
        for each in activities
    )
    assert gone == sum(each.gone_at is not None for each in activities)


def _check_outcomes(session: psycopg.Connection, activities: list[Activity]) -> None:
    asked: Counter[str] = Counter()
    answered: Counter[str] = Counter()
    unasked: Counter[str] = Counter()
    for each in activities:
        given = {code for code, _ in (*each.accepted, *each.declined)}
        wanted = {code for code, _ in each.requested}
        asked.update(wanted)
        answered.update(wanted & given)
        unasked.update(given - wanted)
    rows = session.execute(
        "select code, sum(asked), sum(accepted + partly_accepted + declined), sum(unasked),"
        " sum(accepted + partly_accepted + declined + pending + unanswered)"
        " from analytics.requirement_outcomes group by code"
    ).fetchall()
    assert {row[0] for row in rows} == set(asked) | set(unasked)
    for code, *sums in rows:
        assert sums == [asked[code], answered[code], unasked[code], asked[code]]


def _check_stock(session: psycopg.Connection, activities: list[Activity]) -> None:
    stock: dict[Any, Counter[str | None]] = {}
    for day, status, number in session.execute(
        "select day, status, activities from analytics.daily_status where activities <> 0"
    ):
        stock.setdefault(day, Counter())[status] = number
    for number in range(1, 12):
        end = at(number + 1, 0)
        expected = Counter(status for each in activities for status in _status_before(each, end))
        assert stock.get(at(number).date(), Counter()) == expected
    assert stock[datetime.now(UTC).date()] == Counter(each.status for each in activities)


def _check_others(session: psycopg.Connection, activities: list[Activity]) -> None:
    ((attended, completed, met, stays),) = session.execute(
        "select (select coalesce(sum(attended), 0) from analytics.decision_times),"
        " (select coalesce(sum(completed), 0) from analytics.decision_times),"
        " (select sum(activities) from analytics.counterparts),"
        " (select count(*) from analytics.status_intervals)"
    ).fetchall()
    known = [each for each in activities if each.created_at]
    assert attended == sum(each.attended_at is not None for each in known)
    assert completed == sum(each.completed_at is not None for each in known)
    assert met == sum(each.entity_id is not None for each in activities)
    assert stays == sum(moment is not None for each in activities for _, moment in each.timeline)


def _day(activity: Activity) -> object:
    return (activity.created_at or at(1)).date()


def _status_before(activity: Activity, end: datetime) -> list[str | None]:
    """Return the status an activity was in just before ``end``, in a list; empty: in none yet."""
    told = sorted(
        (
            (moment, place, status)
            for place, (status, moment) in enumerate(activity.timeline)
            if moment
        ),
        key=lambda event: event[:2],
    )
    seen = [_from_our_side(activity, status) for moment, _, status in told if moment < end]
    settled = activity.updated_at or activity.created_at or at(30)
    if told:
        settled = max(settled, told[-1][0])
    if settled < end:
        seen.append(activity.status)
    return seen[-1:]


def _from_our_side(activity: Activity, status: str | None) -> str | None:
    if status not in PENDING:
        return status
    return {"IN": "ACTION_REQUIRED", "OUT": "SENT"}.get(activity.in_out_bound or "", status)
