"""At five million activities: no view, question or nightly statement reads a large table from end to end.

Left out of the ordinary run: ``pytest -m scale``. ``SCALE_ACTIVITIES`` sets another number.
"""

from __future__ import annotations

import os
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psycopg
import pytest

from pipeline.local import LocalPostgres
from pipeline.warehouse import views
from pipeline.warehouse.engine import open_engine
from pipeline.warehouse.migrate import migrate
from pipeline.warehouse.questions import read_questions
from pipeline.warehouse.sql import load_statement
from tests.support.postgres import discard
from tests.support.volume import BULK_SETTINGS, fill

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = [pytest.mark.scale, pytest.mark.timeout(1800)]

ACTIVITIES = int(os.environ.get("SCALE_ACTIVITIES", "5_000_000"))

#: Rows above which a table is large.
LARGE = ACTIVITIES // 50

_DAY = "(select newest_day from analytics.freshness)"
_WEEK = "between now() and now() + interval '7 days'"

#: How each view is meant to be asked: what its comment says to filter by. Materialised ones are read
#: whole. ``{id}``, ``{entity}``: one that there is.
FILTERS = {
    "activities": (
        "id = {id}",
        "entity_id = {entity}",
        f"day = {_DAY}",
        "day between current_date - 3 and current_date",
        "status = 'SENT'",
    ),
    "activity_funnel": ("true",),
    "authorization_outcomes": ("activity_id = {id}", "true order by requested_at desc limit 100"),
    "counterpart_activity": ("true",),
    "counterparts": (
        "entity_id = {entity}",
        "true order by activities desc limit 20",
        "true order by last_contact_at limit 20",
    ),
    "daily_status": ("true",),
    "decision_times": ("true",),
    "entity_profiles": ("entity_id = {entity}",),
    "expiring_shares": ("activity_id = {id}", "entity_id = {entity}", f"expires_at {_WEEK}"),
    "freshness": ("true",),
    "open_activities": (
        "id = {id}",
        "entity_id = {entity}",
        f"day = {_DAY}",
        f"valid_until {_WEEK}",
    ),
    "requirement_outcomes": ("true",),
    "shared_values": ("activity_id = {id}", "entity_id = {entity}"),
    "status_intervals": ("activity_id = {id}", f"day = {_DAY}"),
    "unlabelled_codes": ("true",),
}

#: Statements that each night runs, by their files; `sample_listed` draws from all, and says so.
NIGHTLY = (
    "coverage",
    "due_activities",
    "landing_had_before",
    "landing_newest",
    "landing_seen_again",
    "landing_versions",
    "list_row_gone",
    "open_days",
    "recorded_days",
    "recount",
    "sample_activity",
    "unlisted",
)


@pytest.fixture(scope="module")
def session(servers_folder: Path) -> Iterator[psycopg.Connection]:
    """Fill a warehouse on a server of its own, and connect to it."""
    home = Path(tempfile.mkdtemp(prefix="scale-", dir=servers_folder))
    server = LocalPostgres(home, settings=BULK_SETTINGS)
    try:
        server.start()
        url = server.url()
        migrate(url)
        fill(url, ACTIVITIES, datetime.now(UTC), told=print)
        engine = open_engine(url)
        for view in views.materialised_views():
            if view.name == "counterpart_activity":  # the one that is large itself
                views.refresh(engine, view)
        engine.dispose()
        with psycopg.connect(url, autocommit=True) as session:
            session.execute("set jit = off")
            # As servers on solid-state disks are set; by default a walk through an index counts as if
            # heads had to move, and a range of days tips over into reading everything.
            session.execute("set random_page_cost = 1.1")
            session.execute("analyze analytics.counterpart_activity")
            yield session
    finally:
        discard(server)


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
    assert len(large) >= 9
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
    assert scanned(session, statement) == []


@pytest.mark.parametrize("question", read_questions(), ids=lambda question: question.name)
def test_questions_stay_on_indexes(session: psycopg.Connection, question: Any) -> None:
    assert scanned(session, question.statement) == []
    session.execute("set statement_timeout = '30s'")
    session.execute(question.statement.encode())
    session.execute("reset statement_timeout")


def test_what_we_knew_of_one_activity_stays_on_indexes(
    session: psycopg.Connection, one: dict[str, str]
) -> None:
    statement = "select * from landing.activity_versions where activity_id = {id}"
    assert scanned(session, statement.format(**one)) == []


@pytest.mark.parametrize("statement", NIGHTLY)
def test_the_night_stays_on_indexes(
    session: psycopg.Connection, one: dict[str, str], statement: str
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
        "listed": [1], "listed_digest": [b""], "now": now, "run_id": "run",
        "stale_before": now - timedelta(days=7), "subjects": [name], "times": [now],
        "unverified": [None], "verified_at": [now], "zone": "America/Lima",
    }  # fmt: skip
    assert scanned(session, load_statement(statement), parameters) == []
