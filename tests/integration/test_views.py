"""Labels, names and what the views say of the mirror; `test_recount` counts every number of the views."""

from __future__ import annotations

from datetime import date
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


def test_activities_carry_day_labels_and_counterpart(warehouse: Warehouse) -> None:
    session = warehouse.session
    somebody = add_entity(session, "Ana", score=700, scoring_level="GOOD")
    left = add_entity(session, "Left", type="BUSINESS", unregistered=True)
    answered = Activity(
        "ACCEPTED", at(5), "AT_004", "IN", somebody, attended_at=at(5, 14), day=date(2026, 1, 4)
    )
    odd = Activity("ODD", at(6), "AT_999", "SIDEWAYS", left)
    alone = Activity("CANCELED", at(7))
    add(session, answered, odd, alone)
    rows = warehouse.ask(
        "select activity_id, created_day, activity_type_label, status_label, outcome, is_final, entity_id,"
        " hours_to_answer from analytics.activities order by created_at"
    )
    assert rows == [
        (
            answered.id, date(2026, 1, 5), "authorization request",
            "approved in whole or in part", "accepted", False, somebody, 2,
        ),
        (odd.id, date(2026, 1, 6), None, None, None, False, left, None),
        (
            alone.id, date(2026, 1, 7), "request details", "not answered in time", "canceled", True,
            None, None,
        ),
    ]  # fmt: skip


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


def test_every_status_has_a_stage_and_every_level_its_scores(warehouse: Warehouse) -> None:
    rows = warehouse.ask(
        "select code, final, stage, shares from analytics.codes where kind = 'status' order by code"
    )
    assert rows == [
        ("ACCEPTED", False, "accepted", True),
        ("ACTION_REQUIRED", False, "pending", False),
        ("CANCELED", True, "canceled", False),
        ("COMPLETED", True, "accepted", True),
        ("DECLINED", True, "declined", False),
        ("EXPIRED", True, "accepted", False),
        ("SENT", False, "pending", False),
    ]
    levels = "select count(*), min(lowest_score), max(highest_score) from analytics.codes where kind = %s"
    assert warehouse.ask(levels, "scoring_level") == [(5, 300, 850)]


def test_freshness_tells_as_of_when_the_views_are(warehouse: Warehouse) -> None:
    ((before,),) = warehouse.session.execute("select now()").fetchall()
    ((refreshed_at,),) = warehouse.ask("select refreshed_at from analytics.freshness")
    assert refreshed_at > before
