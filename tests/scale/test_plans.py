"""At five million activities: almost nothing reads a large table from end to end.

Left out of the ordinary run: ``pytest -m scale``. ``SCALE_ACTIVITIES`` sets another number.
"""

from __future__ import annotations

import os
import time
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psycopg
import pytest

from pipeline.local import LocalPostgres
from pipeline.warehouse.database import tables
from pipeline.warehouse.database.engine import open_engine
from pipeline.warehouse.database.sql import shipped, statement
from pipeline.warehouse.schema import views
from pipeline.warehouse.schema.invariants import INVARIANTS, Invariant
from pipeline.warehouse.schema.migrate import migrate
from pipeline.warehouse.schema.refresh import refresh
from pipeline.warehouse.state import coverage, quarantine, todo
from tests.scale.volume import BULK_SETTINGS, fill
from tests.support.commands import eventually
from tests.support.postgres import session_folder
from tests.tools.questions import read_questions

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = [pytest.mark.scale, pytest.mark.timeout(1800)]

ACTIVITIES = int(os.environ.get("SCALE_ACTIVITIES", "5_000_000"))

#: Rows above which a table is large.
LARGE = ACTIVITIES // 50

_DAY = "(select newest_day from analytics.freshness)"
_WEEK = "between now() and now() + interval '7 days'"

#: How each view is asked for little, as its comment says. ``{id}``, ``{entity}``: one that there is.
FILTERS = {
    "accepted_items": ("activity_id = {id}",),
    "activities": (
        "activity_id = {id}",
        "entity_id = {entity}",
        f"created_day = {_DAY}",
        "created_day between current_date - 3 and current_date",
        f"answered_day = {_DAY}",
    ),
    "activities_by_answered_day": (f"answered_day = {_DAY}",),
    "activities_by_created_day": (f"created_day = {_DAY}",),
    "authorization_outcomes": ("activity_id = {id}", "true order by requested_at desc limit 100"),
    "authorization_requests": ("activity_id = {id}", "true order by requested_at desc limit 100"),
    "changed_activities": ("activity_id = {id}",),
    **dict.fromkeys(
        ("consents", "requirement_consents", "item_consents"),
        ("activity_id = {id}", "entity_id = {entity}", f"created_day = {_DAY}"),
    ),
    "counterparts": ("entity_id = {entity}",),
    "days": ("true",),
    "entities": ("id = {entity}",),
    "entity_history": ("entity_id = {entity}",),
    "entity_scores": ("entity_id = {entity}",),
    "entity_social_media": ("entity_id = {entity}",),
    "freshness": ("true",),
    "items": (
        "activity_id = {id}",
        "entity_id = {entity}",
        f"created_day = {_DAY}",
        f"item_code = 'PIF_002' and created_day > {_DAY} - 7",
    ),
    "kept_decisions": ("activity_id = {id}",),
    "messages": ("activity_id = {id}",),
    "open_activities": ("activity_id = {id}", "entity_id = {entity}", f"valid_until {_WEEK}"),
    "requirement_items": ("activity_id = {id}",),
    "requirements": (
        "activity_id = {id}",
        "entity_id = {entity}",
        f"created_day = {_DAY}",
        f"requirement_code = 'RQ_004' and created_day > {_DAY} - 7",
        "readable_until between now() and now() + interval '1 day'",
    ),
    "shared_values": ("activity_id = {id}", "entity_id = {entity}"),
    "status_changes": ("activity_id = {id}", f"entered_day = {_DAY}", f"created_day = {_DAY}"),
    "timeline_events": ("activity_id = {id}",),
}

#: They count facts from end to end, however they are asked (docs/benchmarks.md has the time).
COUNTED = {"activities_by_month", "daily_status"}

#: What is built for being read from end to end, and the counterparts' names beside.
READ_WHOLE = {
    "analytics.activities",
    "analytics.items",
    "analytics.requirements",
    "analytics.status_changes",
    "warehouse.entities",
}

#: Statements that each night runs, by their files; `sample_stored` draws from all, and says so.
NIGHTLY = (
    "as_listed",
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
def url() -> Iterator[str]:
    """Fill a warehouse on a server of its own, on a disk: it takes gigabytes."""
    # As servers on solid-state disks are set; by default a walk through an index counts as if heads
    # had to move, and a range of days tips over into reading everything.
    settings = {**BULK_SETTINGS, "random_page_cost": "1.1"}
    with session_folder(Path("/var/tmp")) as folder:  # noqa: S108
        server = LocalPostgres(folder / "scale", settings=settings).start()
        migrate(server.url())
        fill(server.url(), ACTIVITIES, datetime.now(UTC), told=print)
        yield server.url()


@pytest.fixture(scope="module")
def session(url: str) -> Iterator[psycopg.Connection]:
    """Refresh it, and connect to it."""
    engine = open_engine(url)
    refresh(engine)
    engine.dispose()
    with psycopg.connect(url, autocommit=True) as session:
        session.execute("set jit = off")
        session.execute("vacuum analyze")
        # As runs write: nothing is marked as altered by hand.
        session.execute("set sync.loading = 'on'")
        yield session


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
            "select concat_ws('.', relnamespace::regnamespace::text, relname) from pg_class"
            " where relkind = 'r' and reltuples > %s",
            (LARGE,),
        )
    }
    assert len(large) >= 10
    row = session.execute(
        f"explain (verbose, format json) {statement}".encode(), parameters
    ).fetchone()
    assert row is not None
    found: list[str] = []
    nodes = [row[0][0]["Plan"]]
    while nodes:
        node = nodes.pop()
        name = f"{node.get('Schema')}.{node.get('Relation Name')}"
        if node["Node Type"] == "Seq Scan" and name in large:
            found.append(name)
        nodes += node.get("Plans", ())
    return found


def test_every_view_is_looked_at() -> None:
    shown = {view.name for view in views.read_views()} - COUNTED
    assert shown == FILTERS.keys()


@pytest.mark.parametrize(
    ("view", "condition"), [(view, each) for view, all_of in FILTERS.items() for each in all_of]
)
def test_views_stay_on_indexes(
    session: psycopg.Connection, one: dict[str, str], view: str, condition: str
) -> None:
    statement = f"select * from analytics.{view} where {condition.format(**one)}"
    assert scanned(session, statement) == []


@pytest.mark.parametrize("question", read_questions(), ids=lambda question: question.name)
def test_questions_read_whole_facts_at_most(session: psycopg.Connection, question: Any) -> None:
    assert set(scanned(session, question.statement)) <= READ_WHOLE
    # Five seconds for a million, alone on the machine.
    session.execute(f"set statement_timeout = {5000 * max(1, ACTIVITIES // 1_000_000)}".encode())
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
        "at": now, "before": now.date() - timedelta(days=2), "days": [day], "full": False, "ids": [name],
        "listed": [1], "now": now, "run_id": "run", "stale_before": now - timedelta(days=7),
        "seen": [], "still_listed": [], "subjects": [name], "times": [now], "walked": [day],
    }  # fmt: skip
    assert scanned(session, statement(f"load/{file}"), parameters) == []


@pytest.mark.parametrize("invariant", INVARIANTS, ids=lambda invariant: invariant.name)
def test_the_checks_stay_on_indexes(session: psycopg.Connection, invariant: Invariant) -> None:
    text = (shipped("sql") / "checks" / f"{invariant.name}.sql").read_text(encoding="utf-8")
    assert scanned(session, text) == []


def large_scans(
    session: psycopg.Connection, rows: int = max(LARGE, tables.COUNTED)
) -> dict[str, int]:
    """Return how often the server read each table of more rows from end to end, once all have left.

    Smaller ones are counted, and read for what changed, as that is cheap.
    """
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
    found: dict[str, int] = dict(session.execute(counted, (rows,)).fetchall())
    assert len(found) >= 3
    return found


def test_a_refresh_reads_what_changed(session: psycopg.Connection, url: str) -> None:
    session.execute(
        "update warehouse.activities set status = 'ODD', attended_at = now() where id in ("
        " select id from warehouse.activities order by id limit 1000)"
    )
    before = large_scans(session)
    engine = open_engine(f"{url}&options=-crandom_page_cost%3D4")  # PostgreSQL's default
    done = refresh(engine)
    engine.dispose()
    assert large_scans(session) == before
    assert [view.name for view in done if not view.written] == []
    assert sum(view.seconds for view in done) < 5


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
    before = large_scans(session, LARGE)
    engine = open_engine(url)
    now = datetime.now(UTC)
    first, last = now.date() - timedelta(days=40), now.date() - timedelta(days=30)
    assert len(coverage.between(engine, first, last)) == 11
    todo.todo(engine, first, last, now, now - timedelta(days=7))
    todo.open_or_gone(engine, [first, last], [first, last])
    engine.dispose()
    assert large_scans(session, LARGE) == before


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
    millions = max(1, ACTIVITIES / 1e6)
    assert counted - began < millions
    assert ended - counted < 2 * millions
