"""At five million activities: almost nothing reads a large table from end to end.

Left out of the ordinary run: ``pytest -m scale``. ``SCALE_ACTIVITIES`` sets another number.
"""

from __future__ import annotations

import os
import tempfile
import time
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psycopg
import pytest

from pipeline.local import LocalPostgres
from pipeline.warehouse import coverage, quarantine, tables, todo, views
from pipeline.warehouse.comparison import Compared, compare
from pipeline.warehouse.engine import open_engine, warehouse_engine
from pipeline.warehouse.invariants import INVARIANTS, Invariant
from pipeline.warehouse.migrate import migrate
from pipeline.warehouse.questions import read_questions
from pipeline.warehouse.refresh import refresh
from pipeline.warehouse.sql import shipped, statement
from tests.support.commands import eventually
from tests.support.postgres import discard
from tests.support.relay import Relay
from tests.support.volume import BULK_SETTINGS, fill

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = [pytest.mark.scale, pytest.mark.timeout(1800)]

ACTIVITIES = int(os.environ.get("SCALE_ACTIVITIES", "5_000_000"))

#: Rows above which a table is large.
LARGE = ACTIVITIES // 50

#: Each activity may have changed since the first run, so this view, and the question it answers, read all.
WHOLE = {"change_lag": ["activities"]}

_DAY = "(select newest_day from analytics.freshness)"
_WEEK = "between now() and now() + interval '7 days'"

#: How each view is meant to be asked: what its comment says to filter by. Small stored ones are read
#: whole. ``{id}``, ``{entity}``: one that there is.
FILTERS = {
    "accepted_items": ("activity_id = {id}",),
    "activities": (
        "id = {id}",
        "entity_id = {entity}",
        f"day = {_DAY}",
        "day between current_date - 3 and current_date",
        "status = 'SENT'",
    ),
    "activity_funnel": ("true",),
    "activity_stages": ("activity_id = {id}", "entity_id = {entity}", f"day = {_DAY}"),
    "answer_times": ("month = '2026-01-01'",),
    "consents": (
        "activity_id = {id}",
        "entity_id = {entity}",
        f"day = {_DAY}",
        f"expires_at {_WEEK}",
    ),
    "change_lag": ("true",),
    "authorization_outcomes": ("activity_id = {id}", "true order by requested_at desc limit 100"),
    "authorization_requests": ("activity_id = {id}", "true order by requested_at desc limit 100"),
    "counterpart_activity": ("entity_id = {entity}", "true order by activities desc limit 20"),
    "counterparts": (
        "entity_id = {entity}",
        "true order by activities desc limit 20",
        "true order by last_contact_at limit 20",
    ),
    "daily_status": ("true",),
    "daily_status_changes": (f"created_day = {_DAY}",),
    "decision_times": ("true",),
    "entity_history": ("entity_id = {entity}",),
    "entities": ("id = {entity}",),
    "entity_profiles": ("entity_id = {entity}",),
    "entity_scores": ("entity_id = {entity}",),
    "entity_social_media": ("entity_id = {entity}",),
    "expiring_shares": ("activity_id = {id}", "entity_id = {entity}", f"expires_at {_WEEK}"),
    "freshness": ("true",),
    "hours_of_week": ("month = '2026-01-01'",),
    "item_outcomes": (f"day = {_DAY}", f"code = 'RQ_004' and day > {_DAY} - 56"),
    "open_activities": (
        "id = {id}",
        "entity_id = {entity}",
        f"day = {_DAY}",
        f"valid_until {_WEEK}",
    ),
    "requirement_answers": ("activity_id = {id}",),
    "requirement_items": ("activity_id = {id}",),
    "requirement_outcomes": ("true",),
    "requirements": ("activity_id = {id}",),
    "shared_values": ("activity_id = {id}", "entity_id = {entity}"),
    "status_intervals": ("activity_id = {id}", f"day = {_DAY}"),
    "timeline_events": ("activity_id = {id}",),
    "unlabelled_codes": ("true",),
}

#: Statements that each night runs, by their files; `sample_stored` draws from all, and says so.
NIGHTLY = (
    "first_received",
    "landing_newest",
    "landing_seen_again",
    "landing_versions",
    "missing",
    "open_days",
    "proven",
    "reopened",
)


@pytest.fixture(scope="module")
def url(servers_folder: Path) -> Iterator[str]:
    """Fill a warehouse on a server of its own."""
    home = Path(tempfile.mkdtemp(prefix="scale-", dir=servers_folder))
    # As servers on solid-state disks are set; by default a walk through an index counts as if heads
    # had to move, and a range of days tips over into reading everything.
    server = LocalPostgres(home, settings={**BULK_SETTINGS, "random_page_cost": "1.1"})
    try:
        server.start()
        url = server.url()
        migrate(url)
        fill(url, ACTIVITIES, datetime.now(UTC), told=print)
        yield url
    finally:
        discard(server)


@pytest.fixture(scope="module")
def session(url: str) -> Iterator[psycopg.Connection]:
    """Connect to it."""
    with psycopg.connect(url, autocommit=True) as session:
        session.execute("set jit = off")
        # As runs write: nothing is marked as altered by hand.
        session.execute("set sync.loading = 'on'")
        _fill_stored_views(session)
        yield session


def _fill_stored_views(session: psycopg.Connection) -> None:
    """Fill those by which a refresh knows what is stored, and those that are large; as if refreshed."""
    session.execute("set work_mem = '256MB'")
    for name in ("activity_funnel", "counterpart_activity"):
        session.execute(
            f"insert into analytics.{name} select * from sync.fresh_{name}(null)".encode()
        )
    # As many as there are, made up: to count them takes minutes.
    session.execute(
        "insert into analytics.daily_status_changes"
        " select covered.day, covered.day + number / 4, (array['SENT', 'ACCEPTED', 'COMPLETED',"
        " 'EXPIRED'])[1 + number % 4], 1 from sync.coverage as covered, generate_series(0, 179) as number"
    )
    session.execute("delete from sync.refresh_queue")
    session.execute("vacuum analyze analytics.daily_status_changes, analytics.counterpart_activity")
    session.execute("reset work_mem")


@pytest.fixture(scope="module")
def one(session: psycopg.Connection) -> dict[str, str]:
    """Return an activity that there is, and its counterpart, as literals."""
    ((name, entity),) = session.execute(
        "select id::text, entity_id::text from warehouse.activities limit 1"
    ).fetchall()
    return {"id": f"'{name}'", "entity": f"'{entity}'"}


def scanned(session: psycopg.Connection, statement: str, parameters: Any = None) -> list[str]:
    """Return the large tables that a statement's plan reads from end to end."""
    large = {
        name
        for (name,) in session.execute(
            "select relname from pg_class where relkind = 'r' and reltuples > %s", (LARGE,)
        )
    }
    assert len(large) >= 10
    row = session.execute(f"explain (format json) {statement}".encode(), parameters).fetchone()
    assert row is not None
    found: list[str] = []
    nodes = [row[0][0]["Plan"]]
    while nodes:
        node = nodes.pop()
        if node["Node Type"] == "Seq Scan" and node["Relation Name"] in large:
            found.append(node["Relation Name"])
        nodes += node.get("Plans", ())
    return found


def test_a_plan_that_reads_everything_is_noticed(session: psycopg.Connection) -> None:
    assert scanned(session, "select max(updated_at) from analytics.activities") == ["activities"]


def test_every_view_is_looked_at() -> None:
    assert {view.name for view in views.read_views()} == FILTERS.keys()


@pytest.mark.parametrize(
    ("view", "condition"), [(view, each) for view, all_of in FILTERS.items() for each in all_of]
)
def test_views_stay_on_indexes(
    session: psycopg.Connection, one: dict[str, str], view: str, condition: str
) -> None:
    statement = f"select * from analytics.{view} where {condition.format(**one)}"
    assert scanned(session, statement) == WHOLE.get(view, [])


@pytest.mark.parametrize("question", read_questions(), ids=lambda question: question.name)
def test_questions_stay_on_indexes(session: psycopg.Connection, question: Any) -> None:
    assert scanned(session, question.statement) == WHOLE.get(question.name, [])
    session.execute("set statement_timeout = '30s'")
    session.execute(question.statement.encode())
    session.execute("reset statement_timeout")


def test_what_we_knew_of_one_activity_stays_on_indexes(
    session: psycopg.Connection, one: dict[str, str]
) -> None:
    statement = "select * from landing.activity_versions where activity_id = {id}"
    assert scanned(session, statement.format(**one)) == []


@pytest.mark.parametrize("file", NIGHTLY)
def test_the_night_stays_on_indexes(
    session: psycopg.Connection, one: dict[str, str], file: str
) -> None:
    now = datetime.now(UTC)
    name, day = one["id"].strip("'"), now.date() - timedelta(days=40)
    session.execute(
        "insert into sync.quarantine (activity_id, source, subject, reason, first_seen_at,"
        " last_seen_at, next_attempt_at) values (%s, 'details', %s, '', now(), now(), now())"
        " on conflict do nothing",
        (name, name),
    )
    parameters = {
        "at": now, "before": now.date() - timedelta(days=2), "days": [day], "ids": [name],
        "listed": [1], "now": now, "run_id": "run", "stale_before": now - timedelta(days=7),
        "subjects": [name], "times": [now],
    }  # fmt: skip
    assert scanned(session, statement(f"load/{file}"), parameters) == []


@pytest.mark.parametrize("invariant", INVARIANTS, ids=lambda invariant: invariant.name)
def test_the_checks_stay_on_indexes(session: psycopg.Connection, invariant: Invariant) -> None:
    text = (shipped("sql") / "checks" / f"{invariant.name}.sql").read_text(encoding="utf-8")
    assert scanned(session, text) == []


def large_scans(session: psycopg.Connection) -> dict[str, int]:
    """Return how often the server read each large table from end to end, once all others have left."""
    others = (
        "select not exists (select from pg_stat_activity where backend_type = 'client backend'"
        " and datname = current_database() and pid <> pg_backend_pid())"
    )
    eventually(lambda: session.execute(others).fetchall()[0][0], "all others have left")
    session.execute("select pg_stat_force_next_flush()")
    counted = (
        "select relid::regclass::text, seq_scan from pg_stat_user_tables"
        " inner join pg_class on oid = relid where reltuples > %s"
    )
    found: dict[str, int] = dict(session.execute(counted, (max(LARGE, tables.COUNTED),)).fetchall())
    assert len(found) >= 6
    return found


def test_a_refresh_reads_what_changed(session: psycopg.Connection, url: str) -> None:
    # In the shortest month: decision times are measured by whole ones, and to read everything for
    # one of 36 costs about the same.
    session.execute(
        "with days as (select distinct day from analytics.activity_funnel), shortest as ("
        " select date_trunc('month', day) as first from days group by 1 order by count(*) limit 1)"
        "update warehouse.activities set status = 'ODD', attended_at = now() where id in ("
        " select activity_id from sync.activity_ledger, shortest where day >= shortest.first"
        " and day < shortest.first + interval '1 month' order by activity_id limit 1000)"
    )
    before = large_scans(session)
    engine = open_engine(f"{url}&options=-crandom_page_cost%3D4")  # PostgreSQL's default
    done = refresh(engine)
    engine.dispose()
    assert large_scans(session) == before
    assert [view.name for view in done if not view.written] == []


def test_what_is_shown_after_a_run_is_not_counted(session: psycopg.Connection, url: str) -> None:
    before = large_scans(session)
    engine = open_engine(url)
    tables.count_rows(engine)
    quarantine.count_open(engine)
    engine.dispose()
    assert large_scans(session) == before


def test_coverage_and_work_of_some_days_stay_on_indexes(
    session: psycopg.Connection, url: str
) -> None:
    before = large_scans(session)
    engine = open_engine(url)
    now = datetime.now(UTC)
    first, last = now.date() - timedelta(days=40), now.date() - timedelta(days=30)
    assert len(coverage.between(engine, first, last)) == 11
    todo.todo(engine, first, last, now, now - timedelta(days=7))
    todo.open_activities(engine, [first, last])
    todo.gone_activities(engine, [first, last])
    engine.dispose()
    assert large_scans(session) == before


def test_coverage_and_work_of_all_days_are_told_soon(url: str) -> None:
    engine = open_engine(url)
    now = datetime.now(UTC)
    began = time.monotonic()
    days = coverage.between(engine)
    counted = time.monotonic()
    todo.todo(engine, date.min, date.max, now, now - timedelta(days=7))
    ended = time.monotonic()
    engine.dispose()
    assert all(day.incomplete is None for day in days.values())
    print(f"coverage in {counted - began:.1f} s, todo in {ended - counted:.1f} s")  # noqa: T201
    assert counted - began < ACTIVITIES / 1e6
    assert ended - counted < 2 * ACTIVITIES / 1e6


class _Counting(Relay):
    """Passes on every byte, and counts them."""

    passed = 0

    def to_server(self, piece: bytes) -> bytes:
        self.passed += len(piece)
        return piece

    def to_client(self, piece: bytes) -> bytes:
        self.passed += len(piece)
        return piece


def test_comparing_equal_warehouses_takes_little_traffic(url: str) -> None:
    began = time.monotonic()
    with _Counting(url) as relay, warehouse_engine(relay.url) as one, warehouse_engine(url) as two:
        assert compare((one, two)) == Compared(ACTIVITIES, [])
    seconds = time.monotonic() - began
    print(f"compared {ACTIVITIES:,} activities in {seconds:.1f} s, {relay.passed:,} bytes each")  # noqa: T201
    assert relay.passed < 1_000_000
