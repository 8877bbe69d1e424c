"""What of the views `test_recount` can't count: labels, histories, and what the clock alone changes."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import psycopg
import pytest

from tests.support.made_up import Activity, add, add_entity, at
from tests.support.refreshing import refresh_all

if TYPE_CHECKING:
    from collections.abc import Iterator

Row = tuple[Any, ...]


class Warehouse:
    """A migrated database: ``session`` writes to it, `ask` refreshes what is stored and reads."""

    def __init__(self, url: str, session: psycopg.Connection) -> None:
        self.url, self.session = url, session

    def ask(self, query: str, *parameters: object) -> list[Row]:
        """Return the rows of a query as of now."""
        refresh_all(self.url)
        return self.session.execute(query.encode(), parameters).fetchall()


@pytest.fixture
def warehouse(migrated_url: str) -> Iterator[Warehouse]:
    with psycopg.connect(migrated_url, autocommit=True) as session:
        yield Warehouse(migrated_url, session)


def test_activities_carry_labels(warehouse: Warehouse) -> None:
    answered = Activity("ACCEPTED", at(5), "AT_004", "IN")
    unknown = Activity("ODD", at(6), "AT_999", "SIDEWAYS")
    add(warehouse.session, answered, unknown, Activity("EXPIRED", at(7), "AT_999"))
    rows = warehouse.ask(
        "select activity_type_label, status_label, outcome, direction"
        " from analytics.activities order by created_at"
    )
    assert rows == [
        ("authorization request", "approved in whole or in part", "accepted", "from us"),
        (None, None, None, None),
        # Who asks in it is not known: nobody had to answer.
        (None, "sharing period over", "share", None),
    ]


def test_an_answer_counts_although_it_was_canceled_later(warehouse: Warehouse) -> None:
    """By whatever shows it: the sandbox shows all of it."""
    cases: list[tuple[dict[str, Any], str]] = [
        ({}, "canceled"),
        ({"attended_at": at(6)}, "declined"),
        ({"timeline": [("DECLINED", at(6))]}, "declined"),
        ({"attended_at": at(6), "accepted": [("RQ_001", ())]}, "accepted"),
        ({"timeline": [("ACCEPTED", at(6))]}, "accepted"),
    ]
    made = [Activity("CANCELED", at(day), **columns) for day, (columns, _) in enumerate(cases, 1)]
    add(warehouse.session, *made)
    rows = warehouse.ask("select outcome from analytics.activities order by created_at")
    assert [outcome for (outcome,) in rows] == [outcome for _, outcome in cases]


def test_counterparts_have_every_score_seen(warehouse: Warehouse) -> None:
    session = warehouse.session
    busy = add_entity(session, "Busy", score=700, scoring_level="GOOD")
    for day, score in ((3, 700), (4, 640), (6, 710)):
        session.execute(
            "update warehouse.entities set score = %s, observed_at = %s where id = %s",
            (score, at(day), busy),
        )
    rows = warehouse.ask(
        "select name, score,"
        " (select array_agg((kept ->> 'score')::int) from jsonb_array_elements(score_history) as kept)"
        " from analytics.counterparts"
    )
    assert rows == [("Busy", 710, [700, 640, 710])]


def test_changes_of_status_follow_the_clock_and_end_in_the_status(warehouse: Warehouse) -> None:
    """The sandbox lists a timeline in order, and to its end."""
    unordered = [("COMPLETED", at(9)), ("SENT", at(5)), ("ACCEPTED", at(6)), ("ACCEPTED", None)]
    add(
        warehouse.session,
        Activity("COMPLETED", timeline=unordered),
        Activity("EXPIRED", at(3), updated_at=at(8), timeline=[("ACCEPTED", at(4))]),
    )
    rows = warehouse.ask(
        "select status, entered_at, left_at, next_status, hours from analytics.status_changes"
        " order by entered_at"
    )
    assert rows == [
        ("ACCEPTED", at(4), at(8), "EXPIRED", 96),
        ("SENT", at(5), at(6), "ACCEPTED", 24),
        ("ACCEPTED", at(6), at(9), "COMPLETED", 72),
        ("EXPIRED", at(8), None, None, None),
        ("COMPLETED", at(9), None, None, None),
    ]


def test_since_when_a_counterpart_is_unregistered(warehouse: Warehouse) -> None:
    name = add_entity(warehouse.session, unregistered=False, observed_at=at(1))
    told = "update warehouse.entities set unregistered = %s, observed_at = %s, score = %s where id = %s"
    since = "select unregistered_at from warehouse.entities"
    for unregistered, day, expected in ((True, 3, at(3)), (True, 5, at(3)), (False, 6, None)):
        warehouse.session.execute(told, (unregistered, at(day), day, name))
        assert warehouse.session.execute(since).fetchall() == [(expected,)]


def test_the_clock_alone_lets_shares_expire(warehouse: Warehouse) -> None:
    session, now = warehouse.session, datetime.now(UTC)
    for hours in (-1, 1):
        ends = now + timedelta(hours=hours)
        add(session, Activity("ACCEPTED", accepted=[("RQ_001", ())], expires_at=ends))
    refresh_all(warehouse.url)
    # As it was counted yesterday.
    session.execute("update analytics.activities set sharing_ended = false")
    session.execute(
        "update sync.view_versions set refreshed_at = refreshed_at - interval '2 hours'"
    )
    assert session.execute("select count(*) from sync.refresh_queue").fetchall() == [(0,)]
    ended = "select sharing_ended from analytics.activities order by 1"
    assert warehouse.ask(ended) == [(False,), (True,)]


def listed(session: psycopg.Connection, activity: Activity, day: int, **entity: Any) -> None:
    """Store a version of an activity's list row."""
    body = json.dumps({"id": str(activity.id), "entity": {"id": str(activity.entity_id), **entity}})
    session.execute(
        "insert into landing.activity_list_rows (activity_id, first_seen_at, digest, body)"
        " values (%s, %s, '', %s)",
        (activity.id, at(day), body.encode()),
    )


def test_names_and_scores_are_intervals(warehouse: Warehouse) -> None:
    session = warehouse.session
    entity = add_entity(session, "Zoe", score=700, unregistered=False, observed_at=at(9))
    one, other = Activity(entity_id=entity), Activity(entity_id=entity)
    add(session, one, other)
    listed(session, one, 2, name="Ana", score=600, unregistered=False)
    listed(session, other, 3, name="Ana", score=600)
    listed(session, one, 5, name=None, score=650)
    listed(session, other, 7, name="Zoe", score="not a number")
    history = (
        "select valid_from, valid_to, name, score, is_unregistered from analytics.entity_history"
    )
    assert warehouse.ask(f"{history} order by valid_from") == [
        (at(2), at(5), "Ana", 600, False),
        (at(5), at(7), "Ana", 650, False),
        (at(7), at(9), "Zoe", 650, False),
        (at(9), None, "Zoe", 700, False),
    ]
