"""The register of consents, against cases worked out by hand; `test_recount` counts all the rest."""

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
    from uuid import UUID

NOW = datetime.now(UTC)
DAY = timedelta(days=1)
FACE, PERSON = ("RQ_001", ()), ("RQ_004", ("PIF_001", "PIF_002", "PIF_003"))


@pytest.fixture
def session(migrated_url: str) -> Iterator[psycopg.Connection]:
    with psycopg.connect(migrated_url, autocommit=True) as session:
        yield session


def given(status: str = "ACCEPTED", **columns: Any) -> Activity:
    """Return an activity in which a face was given five days ago, for ten days."""
    chosen = {"attended_at": NOW - 5 * DAY, "expires_at": NOW + 5 * DAY, **columns}
    return Activity(status, NOW - 6 * DAY, requested=[FACE], accepted=[FACE], **chosen)


def test_each_end_of_a_consent_is_named(migrated_url: str, session: psycopg.Connection) -> None:
    left = add_entity(session, unregistered=True, observed_at=NOW - 2 * DAY)
    again = add_entity(session)
    ended = NOW - 4 * DAY
    cases = {
        None: given(),
        "no end known": given(expires_at=None),
        "expired": given(expires_at=NOW - DAY),
        "ended": given("EXPIRED", timeline=[("ACCEPTED", NOW - 5 * DAY), ("EXPIRED", ended)]),
        "gone": given(gone_at=NOW - 3 * DAY),
        "unregistered": given(entity_id=left),
        "erased": given(),
        "given again later": given(entity_id=again),
        "declined": Activity("DECLINED", requested=[FACE], attended_at=at(6)),
        "pending": Activity("SENT", requested=[FACE]),
        "unanswered": Activity("CANCELED", requested=[FACE]),
    }
    later = given(entity_id=again, attended_at=NOW - DAY)
    add(session, *cases.values(), later)
    erase = "update warehouse.activities set values_erased_at = %s where id = %s"
    session.execute(erase, (NOW - 2.5 * DAY, cases["erased"].id))
    refresh_all(migrated_url)
    rows = {
        row[0]: row[1:]
        for row in session.execute(
            "select activity_id, why_not, readable_now, valid_from, valid_to, is_latest"
            " from analytics.consents"
        )
    }
    readable_yet = {None, "no end known", "given again later"}
    assert {why: rows[case.id][0] for why, case in cases.items()} == {
        why: None if why in readable_yet else why for why in cases
    }
    assert {why for why, case in cases.items() if rows[case.id][1]} == readable_yet
    assert {why: rows[case.id][3] for why, case in cases.items()} == {
        None: NOW + 5 * DAY, "no end known": None, "expired": NOW - DAY, "ended": ended,
        "gone": NOW - 3 * DAY, "unregistered": NOW - 2 * DAY, "erased": NOW - 2.5 * DAY,
        "given again later": NOW + 5 * DAY, "declined": None, "pending": None, "unanswered": None,
    }  # fmt: skip
    assert rows[later.id] == (None, True, NOW - DAY, NOW + 5 * DAY, True)
    assert {why for why, case in cases.items() if rows[case.id][4] is False} == {
        "given again later"
    }
    readable = {cases[why].id for why in readable_yet} | {later.id}
    shown = session.execute("select activity_id from analytics.shared_values")
    assert {name for (name,) in shown} == readable
    past = session.execute("select activity_id from analytics.consents_on(%s)", (NOW - 4.5 * DAY,))
    # Then everything that was ever given could be read.
    assert {name for (name,) in past} == {
        case.id for why, case in cases.items() if rows[case.id][2]
    }
    session.execute("update sync.privacy set expired_values = 'keep'")
    shown = session.execute("select activity_id from analytics.shared_values")
    kept = {cases[why].id for why in ("expired", "ended")}
    assert {name for (name,) in shown} == readable | kept


def test_since_when_a_counterpart_is_unregistered(session: psycopg.Connection) -> None:
    name = add_entity(session, unregistered=False, observed_at=at(1))
    told = "update warehouse.entities set unregistered = %s, observed_at = %s, score = %s where id = %s"
    since = "select unregistered_at from warehouse.entities"
    for unregistered, day, expected in ((True, 3, at(3)), (True, 5, at(3)), (False, 6, None)):
        session.execute(told, (unregistered, at(day), day, name))
        assert session.execute(since).fetchall() == [(expected,)]


def decisions(
    url: str, session: psycopg.Connection, activity: Activity
) -> dict[Any, tuple[Any, ...]]:
    """Return decision and whether it was asked, by code and item."""
    refresh_all(url)
    return {
        row[:2]: row[2:]
        for row in session.execute(
            "select code, item_code, decision, asked_at is not null from analytics.consents"
            " where activity_id = %s",
            (activity.id,),
        )
    }


def test_whole_means_all_items_that_were_asked(
    migrated_url: str, session: psycopg.Connection
) -> None:
    some = ("RQ_004", ("PIF_001",))
    one_of_three = Activity("ACCEPTED", requested=[PERSON], accepted=[some])
    not_named = Activity("ACCEPTED", requested=[("RQ_004", ())], accepted=[some])
    more_than_asked = Activity("ACCEPTED", requested=[some], accepted=[PERSON, FACE])
    rest = Activity("ACCEPTED", requested=[PERSON], accepted=[some], declined=[("RQ_004", ())])
    add(session, one_of_three, not_named, more_than_asked, rest)
    assert decisions(migrated_url, session, one_of_three) == {
        ("RQ_004", None): ("partly", True),
        ("RQ_004", "PIF_001"): ("accepted", True),
        ("RQ_004", "PIF_002"): ("unanswered", True),
        ("RQ_004", "PIF_003"): ("unanswered", True),
    }
    assert decisions(migrated_url, session, not_named) == {
        ("RQ_004", None): ("accepted", True),
        ("RQ_004", "PIF_001"): ("accepted", True),
    }
    assert decisions(migrated_url, session, more_than_asked) == {
        ("RQ_001", None): ("accepted", False),
        ("RQ_004", None): ("accepted", True),
        ("RQ_004", "PIF_001"): ("accepted", True),
        ("RQ_004", "PIF_002"): ("accepted", False),
        ("RQ_004", "PIF_003"): ("accepted", False),
    }
    assert decisions(migrated_url, session, rest)["RQ_004", "PIF_002"] == ("declined", True)


def test_nobody_asks_for_a_share_or_accepts_it(
    migrated_url: str, session: psycopg.Connection
) -> None:
    some = ("RQ_004", ("PIF_001",))
    listed_too = Activity("ACCEPTED", type="AT_002", requested=[PERSON, FACE], accepted=[some])
    answered = Activity(
        "ACCEPTED", type="AT_002", requested=[FACE], accepted=[FACE], attended_at=at(6)
    )
    add(session, listed_too, answered)
    assert decisions(migrated_url, session, listed_too) == {
        ("RQ_001", None): ("not_known", False),
        ("RQ_004", None): ("share", False),
        ("RQ_004", "PIF_001"): ("share", False),
        ("RQ_004", "PIF_002"): ("unanswered", False),
        ("RQ_004", "PIF_003"): ("unanswered", False),
    }
    assert decisions(migrated_url, session, answered) == {("RQ_001", None): ("accepted", True)}


def test_an_answer_counts_whatever_came_after(
    migrated_url: str, session: psycopg.Connection
) -> None:
    cases: list[tuple[dict[str, Any], str | None]] = [
        ({"status": "CANCELED"}, "canceled"),
        ({"status": "CANCELED", "attended_at": at(6)}, "declined"),
        ({"status": "CANCELED", "timeline": [("DECLINED", at(6))]}, "declined"),
        ({"status": "CANCELED", "attended_at": at(6), "accepted": [FACE]}, "accepted"),
        ({"status": "CANCELED", "timeline": [("ACCEPTED", at(6))]}, "accepted"),
        ({"status": "ACCEPTED", "type": "AT_002"}, "share"),
        ({"status": "CANCELED", "type": "AT_002", "accepted": [FACE]}, "share"),
        ({"status": "EXPIRED", "type": "AT_999"}, "share"),
        ({"status": "ACCEPTED", "type": "AT_999", "attended_at": at(6)}, "accepted"),
        ({"status": "SENT", "gone_at": at(6)}, None),
        ({"status": "DECLINED", "gone_at": at(6)}, "declined"),
        ({"status": "ODD", "attended_at": at(6)}, None),
        ({"status": None}, None),
    ]
    made = [Activity(**columns) for columns, _ in cases]
    add(session, *made)
    refresh_all(migrated_url)
    rows = session.execute("select activity_id, outcome from analytics.activities")
    shown = {row[0]: row[1] for row in rows}
    assert [
        (columns, shown[each.id]) for (columns, _), each in zip(cases, made, strict=True)
    ] == cases


def test_who_gives(migrated_url: str, session: psycopg.Connection) -> None:
    cases = {
        ("AT_001", "OUT"): "to us", ("AT_001", "IN"): "from us", ("AT_004", "OUT"): "to us",
        ("AT_002", "IN"): "to us", ("AT_002", "OUT"): "from us", ("AT_003", "IN"): "both ways",
        ("AT_009", "IN"): None, (None, "OUT"): None, ("AT_001", "SIDEWAYS"): None,
    }  # fmt: skip
    for kind, bound in cases:
        add(session, Activity("ACCEPTED", type=kind, in_out_bound=bound, accepted=[FACE]))
    refresh_all(migrated_url)
    shown = session.execute("select activity_type, in_out_bound, direction from analytics.consents")
    assert {row[:2]: row[2] for row in shown} == cases


def test_the_clock_alone_lets_shares_expire(migrated_url: str, session: psycopg.Connection) -> None:
    add(session, given(expires_at=NOW - timedelta(hours=1)), given())
    refresh_all(migrated_url)
    # As it was counted yesterday.
    session.execute("update analytics.activities set sharing_ended = false")
    session.execute(
        "update sync.view_versions set refreshed_at = refreshed_at - interval '2 hours'"
    )
    assert session.execute("select count(*) from sync.refresh_queue").fetchall() == [(0,)]
    refresh_all(migrated_url)
    assert session.execute(
        "select sharing_ended from analytics.activities order by 1"
    ).fetchall() == [
        (False,),
        (True,),
    ]


def listed(session: psycopg.Connection, activity: Activity, day: int, **entity: Any) -> None:
    """Store a version of an activity's list row."""
    body = json.dumps({"id": str(activity.id), "entity": {"id": str(activity.entity_id), **entity}})
    session.execute(
        "insert into landing.activity_list_rows (activity_id, first_seen_at, digest, body)"
        " values (%s, %s, '', %s)",
        (activity.id, at(day), body.encode()),
    )


def history(session: psycopg.Connection, entity: UUID) -> list[tuple[Any, ...]]:
    """Return a counterpart's history."""
    return session.execute(
        "select valid_from, valid_to, name, score, is_unregistered from analytics.entity_history"
        " where entity_id = %s order by valid_from",
        (entity,),
    ).fetchall()


def test_names_and_scores_are_intervals(session: psycopg.Connection) -> None:
    entity = add_entity(session, "Zoe", score=700, unregistered=False, observed_at=at(9))
    one, other = Activity(entity_id=entity), Activity(entity_id=entity)
    add(session, one, other)
    listed(session, one, 2, name="Ana", score=600, unregistered=False)
    listed(session, other, 3, name="Ana", score=600)
    listed(session, one, 5, name=None, score=650)
    listed(session, other, 7, name="Zoe", score="not a number")
    assert history(session, entity) == [
        (at(2), at(5), "Ana", 600, False),
        (at(5), at(7), "Ana", 650, False),
        (at(7), at(9), "Zoe", 650, False),
        (at(9), None, "Zoe", 700, False),
    ]
    session.execute("create role nobody_special")
    try:
        session.execute(
            "grant usage on schema analytics to nobody_special;"
            "grant select on analytics.entity_history to nobody_special; set role nobody_special"
        )
        assert {row[2] for row in history(session, entity)} == {None}
    finally:
        session.execute("reset role; drop owned by nobody_special; drop role nobody_special")
