"""The views of analytics against small cases worked out by hand."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
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
        "select id, day, type_label, in_out_bound_label, status_label, stage, final, entity_name,"
        " entity_type_label, created_to_attended from analytics.deprecated_activities order by created_at"
    )
    assert rows == [
        (
            answered.id, date(2026, 1, 5), "authorization request", "received",
            "approved in whole or in part", "accepted", False, "Ana", "individual",
            timedelta(hours=2),
        ),
        (odd.id, date(2026, 1, 6), None, None, None, None, False, None, "business", None),
        (
            alone.id, date(2026, 1, 7), "request details", "sent", "not answered in time",
            "canceled", True, None, None, None,
        ),
    ]  # fmt: skip


def test_the_funnel_counts_what_became_of_each_day(warehouse: Warehouse) -> None:
    add(
        warehouse.session,
        Activity("SENT"),
        Activity("ACCEPTED"),
        Activity("COMPLETED", completed_at=at(6)),
        Activity("EXPIRED", completed_at=at(6)),
        Activity("EXPIRED"),
        Activity("DECLINED"),
        Activity("CANCELED", gone_at=at(9)),
        Activity("CANCELED"),
        Activity("ODD"),
        Activity("ACTION_REQUIRED", in_out_bound="IN"),
        Activity("DECLINED", at(6)),
        Activity("SENT", type=None),
    )
    rows = warehouse.ask("select * from analytics.activity_funnel order by day, type, in_out_bound")
    label = "request details"
    assert rows == [
        (date(2026, 1, 5), "AT_001", label, "IN", 1, 1, 0, 0, 0, 0, 0, 0, 0, None, None, None),
        (
            date(2026, 1, 5), "AT_001", label, "OUT", 9, 1, 4, 1, 2, 1, 2, 2, 1,
            Decimal("0.7143"), Decimal("0.8000"), Decimal("0.5000"),
        ),
        (date(2026, 1, 5), None, None, "OUT", 1, 1, 0, 0, 0, 0, 0, 0, 0, None, None, None),
        (
            date(2026, 1, 6), "AT_001", label, "OUT", 1, 0, 0, 1, 0, 0, 0, 0, 0,
            Decimal(1), Decimal(0), None,
        ),
    ]  # fmt: skip


def test_decision_times_are_percentiles_by_month(warehouse: Warehouse) -> None:
    hours = [timedelta(hours=number) for number in range(1, 12)]
    add(
        warehouse.session,
        *[
            Activity("COMPLETED", at(5), attended_at=at(5) + wait, completed_at=at(5) + 3 * wait)
            for wait in hours
        ],
        Activity("SENT"),
        # A share has no approval step: nobody attended to it.
        Activity("COMPLETED", at(5), "AT_002", completed_at=at(6)),
        Activity("DECLINED", at(32), attended_at=at(33)),
    )  # fmt: skip
    rows = warehouse.ask(
        "select month, type, attended, created_to_attended_p50, created_to_attended_p90,"
        " created_to_attended_p95, completed, attended_to_completed_p50, created_to_completed_p90"
        " from analytics.decision_times order by month, type"
    )
    day = timedelta(days=1)
    assert rows == [
        (
            date(2026, 1, 1), "AT_001", 11, hours[5], hours[9], timedelta(hours=10.5), 11,
            2 * hours[5], 3 * hours[9],
        ),
        (date(2026, 1, 1), "AT_002", 0, None, None, None, 1, None, day),
        (date(2026, 2, 1), "AT_001", 1, day, day, day, 0, None, None),
    ]  # fmt: skip


def test_requirement_outcomes_by_code(warehouse: Warehouse) -> None:
    plain, items = ("RQ_001", ()), ("RQ_002", ("IDT_001", "IDT_002"))
    add(
        warehouse.session,
        Activity("SENT", requested=[plain, items]),
        Activity("ACCEPTED", requested=[plain, items], accepted=[plain, ("RQ_002", ("IDT_001",))],
                 declined=[("RQ_002", ("IDT_002",))]),
        Activity("COMPLETED", requested=[plain], accepted=[plain]),
        Activity("DECLINED", requested=[plain], declined=[plain]),
        Activity("CANCELED", requested=[plain]),
        Activity("ACCEPTED", requested=[plain], accepted=[plain, ("RQ_099", ())]),
    )  # fmt: skip
    rows = warehouse.ask(
        "select code, code_label, asked, accepted, partly_accepted, declined, pending, unanswered,"
        " unasked, acceptance_rate from analytics.requirement_outcomes order by code"
    )
    assert rows == [
        ("RQ_001", "face authentication", 6, 3, 0, 1, 1, 1, 0, Decimal("0.7500")),
        ("RQ_002", "identity trust", 2, 0, 1, 0, 1, 0, 0, Decimal(1)),
        ("RQ_099", None, 0, 0, 0, 0, 0, 0, 1, None),
    ]


def test_open_activities_tell_who_is_waited_for_and_how_long(warehouse: Warehouse) -> None:
    now = datetime.now(UTC)
    soon, late = now + timedelta(hours=30), now - timedelta(hours=1)
    add(
        warehouse.session,
        Activity("SENT", valid_until=soon),
        Activity("ACTION_REQUIRED", in_out_bound="IN", valid_until=late),
        Activity("ACCEPTED", valid_until=soon),
        Activity("ODD"),
        Activity("DECLINED", valid_until=soon),
        Activity("SENT", valid_until=soon, gone_at=now),
    )
    rows = warehouse.ask(
        "select status, waiting_for, round(extract(epoch from time_left) / 3600), overdue"
        " from analytics.open_activities order by status"
    )
    assert rows == [
        ("ACCEPTED", "completion", None, False),
        ("ACTION_REQUIRED", "us", -1, True),
        ("ODD", None, None, False),
        ("SENT", "them", 30, False),
    ]


def test_expiring_shares_are_what_can_still_be_read(warehouse: Warehouse) -> None:
    now = datetime.now(UTC)
    given = [("RQ_001", ()), ("RQ_002", ("IDT_002", "IDT_001"))]
    day = timedelta(days=1)
    shared = Activity("COMPLETED", accepted=given, expires_at=now + 3 * day)
    add(
        warehouse.session,
        shared,
        Activity("ACCEPTED", accepted=given, expires_at=now - day),
        Activity("EXPIRED", accepted=given, expires_at=now + day),
        Activity("ACCEPTED", accepted=given, expires_at=now + day, gone_at=now),
        Activity("ACCEPTED", accepted=given),
        Activity("ACCEPTED", requested=given, expires_at=now + day),
    )
    rows = warehouse.ask(
        "select activity_id, position, code, items, round(extract(epoch from time_left) / 86400)"
        " from analytics.expiring_shares order by position"
    )
    assert rows == [
        (shared.id, 0, "RQ_001", None, 3),
        (shared.id, 1, "RQ_002", ["IDT_002", "IDT_001"], 3),
    ]


def test_counterparts_with_volumes_contact_and_scores(warehouse: Warehouse) -> None:
    session = warehouse.session
    busy = add_entity(session, "Busy", score=700, scoring_level="GOOD")
    add_entity(session, "Quiet", unregistered=True, observed_at=at(2))
    for day, score in ((3, 700), (4, 640), (6, 710)):
        session.execute(
            "update warehouse.entities set score = %s, observed_at = %s where id = %s",
            (score, at(day), busy),
        )
    add(
        session,
        Activity("ACCEPTED", at(5), entity_id=busy, attended_at=at(8)),
        Activity("DECLINED", at(6), in_out_bound="IN", entity_id=busy, attended_at=at(7)),
        Activity("EXPIRED", at(4), entity_id=busy),
        Activity("CANCELED", at(6), entity_id=busy),
        Activity("SENT", at(7), entity_id=busy),
        Activity("SENT", at(9)),
    )
    rows = warehouse.ask(
        "select name, activities, received, sent, pending, accepted, declined, canceled,"
        " acceptance_rate, first_contact_at, last_contact_at, score,"
        " (select array_agg((kept ->> 'score')::int) from jsonb_array_elements(score_history) as kept)"
        " from analytics.deprecated_counterparts order by activities desc"
    )
    assert rows == [
        (
            "Busy", 5, 1, 4, 1, 2, 1, 1, Decimal("0.6667"), at(4), at(8), Decimal(710),
            [700, 640, 710],
        ),
        (None, 0, 0, 0, 0, 0, 0, 0, None, None, None, None, None),
    ]  # fmt: skip


def test_status_intervals_follow_the_clock_not_the_order(warehouse: Warehouse) -> None:
    add(
        warehouse.session,
        Activity(
            "COMPLETED",
            timeline=[
                ("COMPLETED", at(9)), ("SENT", at(5)), ("ACCEPTED", at(6)), ("ACCEPTED", None),
            ],
        ),
    )  # fmt: skip
    rows = warehouse.ask(
        "select status, entered_at, left_at, next_status, hours from analytics.status_changes"
        " order by entered_at"
    )
    assert rows == [
        ("SENT", at(5), at(6), "ACCEPTED", 24),
        ("ACCEPTED", at(6), at(9), "COMPLETED", 72),
        ("COMPLETED", at(9), None, None, None),
    ]


_STOCK = (
    "select day, status, activities from analytics.daily_status"
    " where day between '2026-01-04' and '2026-01-08' and activities > 0 order by day, status"
)


def test_daily_status_is_the_stock_when_the_day_ends(warehouse: Warehouse) -> None:
    add(
        warehouse.session,
        # Answered at the very first instant of the 7th: at the end of the 6th it was still open.
        Activity(
            "ACCEPTED", at(5), updated_at=at(7, 0),
            timeline=[("SENT", at(5)), ("ACCEPTED", at(7, 0))],
        ),
        # Seen from the receiver's side: the timeline names the sender's status.
        Activity("ACTION_REQUIRED", at(6), in_out_bound="IN", timeline=[("SENT", at(6))]),
        # The timeline does not end in the status: the change counts from updated_at.
        Activity("EXPIRED", at(5), updated_at=at(8), timeline=[("ACCEPTED", at(5))]),
        # No timeline at all: the status is all that is known.
        Activity("CANCELED", at(6)),
    )  # fmt: skip
    expected = [
        (date(2026, 1, 5), "ACCEPTED", 1),
        (date(2026, 1, 5), "SENT", 1),
        (date(2026, 1, 6), "ACCEPTED", 1),
        (date(2026, 1, 6), "ACTION_REQUIRED", 1),
        (date(2026, 1, 6), "CANCELED", 1),
        (date(2026, 1, 6), "SENT", 1),
        (date(2026, 1, 7), "ACCEPTED", 2),
        (date(2026, 1, 7), "ACTION_REQUIRED", 1),
        (date(2026, 1, 7), "CANCELED", 1),
        (date(2026, 1, 8), "ACCEPTED", 1),
        (date(2026, 1, 8), "ACTION_REQUIRED", 1),
        (date(2026, 1, 8), "CANCELED", 1),
        (date(2026, 1, 8), "EXPIRED", 1),
    ]
    assert warehouse.ask(_STOCK) == expected


def test_daily_status_ends_days_in_the_configured_zone(warehouse: Warehouse) -> None:
    add(
        warehouse.session,
        Activity(
            "DECLINED", at(5, 2), updated_at=at(6, 4, 59),
            timeline=[("SENT", at(5, 2)), ("DECLINED", at(6, 4, 59))],
        ),
    )  # fmt: skip
    warehouse.session.execute(
        "insert into sync.service_facts (fact, value, learned_at)"
        " values ('configured_zone', 'America/Lima', now())"
    )
    rows = warehouse.ask(_STOCK.replace("2026-01-08", "2026-01-05"))
    # 02:00 is still the day before in Lima, and 04:59 is one minute before its midnight.
    assert rows == [(date(2026, 1, 4), "SENT", 1), (date(2026, 1, 5), "DECLINED", 1)]
    assert warehouse.ask("select time_zone from analytics.freshness") == [("America/Lima",)]


def test_unlabelled_codes_until_somebody_labels_them(warehouse: Warehouse) -> None:
    session = warehouse.session
    session.execute(
        "insert into sync.unknown_values (kind, value, first_seen_at) values"
        " ('status', 'ODD', now()), ('field', 'extra', now()), ('list field', 'extra', now()),"
        " ('status', 'SENT', now())"
    )
    unlabelled = "select kind, code from analytics.unlabelled_codes"
    assert warehouse.ask(unlabelled) == [("status", "ODD")]
    session.execute(
        "insert into analytics.codes (kind, code, label) values ('status', 'ODD', 'odd')"
    )
    assert warehouse.ask(unlabelled) == []


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
