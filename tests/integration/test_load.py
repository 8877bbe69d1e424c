"""The load itself: the same observations in any order, batch or repetition end the same.

Clauses 1, 2 and 4 of docs/guarantees.md.
"""

from __future__ import annotations

import json
import os
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipeline.sync.mapping import Mapper
from pipeline.warehouse.database.engine import open_engine
from pipeline.warehouse.load.load import load
from pipeline.warehouse.load.merge import LoadResult
from pipeline.warehouse.state import coverage, ledger, runs
from pipeline.warehouse.state.coverage import ListedDay
from pipeline.warehouse.state.rows import Failure, Outcome
from tests.support.commands import eventually
from tests.support.comparison import KEYS

if TYPE_CHECKING:
    from collections.abc import Iterator

    import sqlalchemy as sa

DAY = date(2026, 3, 1)
START = datetime(2026, 3, 5, tzinfo=UTC)
CREATED = 1772323200000
IDS = [f"{number:08d}-0000-4000-8000-000000000000" for number in range(3)]
ENTITIES = [f"{number:08d}-0000-4000-8000-00000000000e" for number in range(2)]
MAPPER = Mapper(ZoneInfo("UTC"), frozenset({"COMPLETED"}), frozenset())

#: Each takes a tenth of a second: emptied tables, and a load for each observation.
EXAMPLES = int(os.environ.get("PROPERTY_EXAMPLES", "10"))

_OURS = ("first_seen_at", "details_fetched_at", "digest", "observed_at")


def at(number: int) -> datetime:
    """Return the moment at which the observation of that number was made."""
    return START + timedelta(seconds=number)


def _row(name: str, entity: str, number: int) -> dict[str, Any]:
    return {
        "id": name,
        "type": "AT_001",
        "status": "COMPLETED" if number % 3 == 0 else f"STATUS_{number}",
        "created_at": CREATED,
        "entity": {"id": entity, "name": f"as of {number}", "social_media": [{"url": str(number)}]},
    }


def observed(name: str, entity: str, number: int, *, listed: bool, details: bool) -> Outcome:
    """Return what responses of that moment say: a list row, details, or both."""
    row = _row(name, entity, number)
    outcome = Outcome(name)
    if listed:
        body = json.dumps(row).encode()
        outcome.listed = MAPPER.map_row(body, at(number), DAY)
    if details:
        more = {
            "type_name": "request",
            "in_out_bound": "IN",
            "description": f"description {number}",
            "notification_message": "",
            "time_zone": "UTC",
            "updated_at": CREATED + number,
            "timeline": [{"status": row["status"]}] * number,
            "requirements": [{"code": f"R{number}", "items": [{"code": "I"}]}],
            "accepted_requirements": [{"code": f"A{number}", "items": [{"code": "I"}]}],
        }
        body = json.dumps(row | more).encode()
        outcome.details = MAPPER.details(body, name, at(number), at(number), at(number))
    return outcome


@pytest.fixture
def engine(migrated_url: str) -> Iterator[sa.Engine]:
    """Open an engine on a migrated database."""
    engine = open_engine(migrated_url)
    yield engine
    engine.dispose()


def emptied(url: str) -> None:
    """Empty every table that a load writes."""
    with psycopg.connect(url) as session:
        session.execute(
            "truncate warehouse.entities, warehouse.activities, landing.activity_details,"
            " landing.activity_list_rows, sync.activity_ledger, sync.quarantine, sync.runs,"
            " sync.unknown_values cascade"
        )


def state(url: str, *, versions: bool = False) -> dict[str, list[str]]:
    """Return all rows, without when they were first seen; with ``versions`` everything there is."""
    tables = [f"warehouse.{table}" for table in KEYS]
    if versions:
        tables += ["sync.activity_ledger", "sync.quarantine", "sync.run_changes"]
        tables += ["landing.activity_details", "landing.activity_list_rows"]
    with psycopg.connect(url) as session:
        found = {}
        for table in tables:
            what = "ctid, xmin, t.*" if versions else "to_jsonb(t)"
            rows = session.execute(f"select {what} from {table} as t".encode()).fetchall()
            found[table] = sorted(str(row if versions else _content(row[0])) for row in rows)
    return found


def _content(row: dict[str, Any]) -> list[tuple[str, Any]]:
    return sorted((name, value) for name, value in row.items() if name not in _OURS)


_kinds = st.sampled_from([(True, False), (False, True), (True, True)])
_observations = st.lists(
    st.tuples(st.sampled_from(IDS), st.sampled_from(ENTITIES[:1]), _kinds), min_size=2, max_size=7
)


@settings(max_examples=EXAMPLES, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(said=_observations, data=st.data())
def test_the_order_of_loading_does_not_matter(
    migrated_url: str, engine: sa.Engine, said: list[Any], data: st.DataObject
) -> None:
    outcomes = [
        observed(name, entity, number, listed=listed, details=details)
        for number, (name, entity, (listed, details)) in enumerate(said)
    ]
    emptied(migrated_url)
    runs.start(engine, "run", "days", None, None)
    for outcome in outcomes:
        load(engine, "run", MAPPER, [outcome])
    # What is believed depends on what is known. Whatever that is, the newest pair ends it.
    newest = [
        observed(name, ENTITIES[0], 90, listed=listed, details=not listed)
        for name in IDS
        for listed in (True, False)
    ]
    for outcome in newest:
        load(engine, "run", MAPPER, [outcome])
    expected = state(migrated_url)
    assert "as of 90" in expected["warehouse.entities"][0]

    emptied(migrated_url)
    runs.start(engine, "run", "days", None, None)
    for outcome in data.draw(st.permutations(outcomes)):
        load(engine, "run", MAPPER, [outcome])
        load(engine, "run", MAPPER, [outcome])
    for outcome in newest:
        load(engine, "run", MAPPER, [outcome])
    assert state(migrated_url) == expected


def test_a_batch_applied_twice_changes_nothing(migrated_url: str, engine: sa.Engine) -> None:
    runs.start(engine, "run", "days", None, None)
    first = [observed(name, ENTITIES[0], 1, listed=True, details=True) for name in IDS]
    load(engine, "run", MAPPER, first)
    news = observed(IDS[0], ENTITIES[1], 4, listed=True, details=False)
    assert news.listed is not None
    news.listed.entity_news = True
    failed = Outcome(
        IDS[1],
        failures=[Failure("details", IDS[1], IDS[1], DAY, "why", b"payload", at(5))],
    )
    batch = [news, failed, Outcome(IDS[2], gone_at=at(6))]
    assert load(engine, "run", MAPPER, batch) == LoadResult(gone=1, quarantined=1)
    before = state(migrated_url, versions=True)
    for again in (batch, [news], [failed], first):
        load(engine, "run", MAPPER, again)
        assert state(migrated_url, versions=True) == before


def test_what_is_older_never_overwrites(migrated_url: str, engine: sa.Engine) -> None:
    runs.start(engine, "run", "days", None, None)
    load(engine, "run", MAPPER, [observed(IDS[0], ENTITIES[0], 9, listed=True, details=True)])
    before = state(migrated_url, versions=True)
    for listed, details in ((True, True), (True, False), (False, True)):
        load(
            engine,
            "run",
            MAPPER,
            [observed(IDS[0], ENTITIES[0], 5, listed=listed, details=details)],
        )
        assert state(migrated_url, versions=True) == before
    load(engine, "run", MAPPER, [Outcome(IDS[0], gone_at=at(5))])
    assert state(migrated_url, versions=True) == before


def test_details_older_than_the_list_row_do_not_answer_for_it(
    migrated_url: str, engine: sa.Engine
) -> None:
    runs.start(engine, "run", "days", None, None)
    load(engine, "run", MAPPER, [observed(IDS[0], ENTITIES[0], 8, listed=True, details=False)])
    load(engine, "run", MAPPER, [observed(IDS[0], ENTITIES[0], 5, listed=False, details=True)])
    settled = "select settled = listed from sync.activity_ledger"
    with psycopg.connect(migrated_url) as session:
        assert session.execute(settled).fetchall() == [(None,)]
        load(engine, "run", MAPPER, [observed(IDS[0], ENTITIES[0], 9, listed=False, details=True)])
        session.rollback()
        # They say something else than the row: in doubt, and an answer all the same.
        assert session.execute(settled).fetchall() == [(True,)]


def test_a_new_row_makes_its_proven_day_unproven(engine: sa.Engine) -> None:
    """In the transaction that stores it: nobody may count on the day after that."""
    runs.start(engine, "run", "days", None, None)
    load(engine, "run", MAPPER, [observed(IDS[0], ENTITIES[0], 1, listed=True, details=True)])
    proven = [ListedDay(DAY, 1, by_one=False)]
    coverage.prove(engine, "run", proven, IDS[:1], (), at(1), full=False)
    assert coverage.between(engine)[DAY].complete
    load(engine, "run", MAPPER, [observed(IDS[1], ENTITIES[0], 2, listed=True, details=True)])
    assert "did not show before" in str(coverage.between(engine)[DAY].incomplete)


def test_one_question_alone_unlists_nothing(engine: sa.Engine) -> None:
    """Not even where it has as many rows as the day had: here a row without an id in place of another."""
    runs.start(engine, "run", "days", None, None)
    load(engine, "run", MAPPER, [observed(IDS[0], ENTITIES[0], 1, listed=True, details=True)])
    twice, once = ListedDay(DAY, 1, by_one=False), ListedDay(DAY, 1, by_one=True)
    assert coverage.prove(engine, "run", [twice], IDS[:1], (), at(1), full=False) == {DAY}
    nameless = "ab" * 16
    failure = Failure("list", nameless, None, DAY, "why", b"{}", at(2))
    load(engine, "run", MAPPER, [Outcome(nameless, failures=[failure])])
    assert coverage.prove(engine, "run", [once], [nameless], (), at(3), full=False) == set()
    assert ledger.read(engine, IDS)[IDS[0]].unlisted_at is None
    assert coverage.prove(engine, "run", [twice], [nameless], (), at(3), full=False) == {DAY}
    assert ledger.read(engine, IDS)[IDS[0]].unlisted_at == at(3)


def test_one_value_that_postgres_refuses_harms_no_neighbour(
    migrated_url: str, engine: sa.Engine
) -> None:
    runs.start(engine, "run", "days", None, None)
    batch = [observed(name, ENTITIES[0], 1, listed=True, details=True) for name in IDS]
    spoiled = batch[1].details
    assert spoiled is not None
    spoiled.children["accepted_items"] = [(0, 0, "C", "I", "T", '{"secret": 1e999999}')]
    assert load(engine, "run", MAPPER, batch) == LoadResult(new=2, quarantined=1)
    with psycopg.connect(migrated_url) as session:
        ((subject, reason),) = session.execute(
            "select subject, reason from sync.quarantine where resolved_at is null"
        ).fetchall()
        stored = session.execute(
            "select id::text from warehouse.activities where details_fetched_at is not null"
        ).fetchall()
    assert (subject, {name for (name,) in stored}) == (IDS[1], {IDS[0], IDS[2]})
    assert "SQLSTATE" in reason
    assert "secret" not in reason


def test_a_form_seen_again_outlives_another_one_between(
    migrated_url: str, engine: sa.Engine
) -> None:
    runs.start(engine, "run", "days", None, None)
    first, again = (observed(IDS[0], ENTITIES[0], 2, listed=True, details=False) for _ in "12")
    assert again.listed is not None
    again.listed.received_at = at(6)
    for outcome in (first, again, observed(IDS[0], ENTITIES[1], 4, listed=True, details=False)):
        load(engine, "run", MAPPER, [outcome])
    with psycopg.connect(migrated_url) as session:
        rows = session.execute("select listed from sync.activity_ledger").fetchall()
    assert rows == [(again.listed.meaning,)]


@pytest.mark.parametrize(("theirs", "ours", "stays"), [(3, 6, 6), (6, 3, 6)])
def test_a_counterpart_that_a_run_beside_us_adds_first(
    migrated_url: str, engine: sa.Engine, theirs: int, ours: int, stays: int
) -> None:
    """Neither knows it when it looks; the later observation is what stays."""
    runs.start(engine, "run", "days", None, None)
    with ThreadPoolExecutor(1) as pool, psycopg.connect(migrated_url) as beside:
        beside.execute("set local sync.loading = 'on'")
        beside.execute(
            "insert into warehouse.entities (id, name, digest, observed_at) values (%s, %s, %s, %s)",
            (ENTITIES[0], f"as of {theirs}", b"theirs", at(theirs)),
        )
        outcome = observed(IDS[0], ENTITIES[0], ours, listed=True, details=True)
        loading = pool.submit(load, engine, "run", MAPPER, [outcome])
        with psycopg.connect(migrated_url, autocommit=True) as watching:
            blocked = "select pid from pg_stat_activity where %s = any(pg_blocking_pids(pid))"
            pid = beside.info.backend_pid
            eventually(lambda: watching.execute(blocked, (pid,)).fetchone(), "it waits for them")
        beside.commit()
        assert loading.result(60) == LoadResult(new=1)
    with psycopg.connect(migrated_url) as session:
        names = session.execute("select name from warehouse.entities").fetchall()
        links = session.execute("select url from warehouse.entity_social_media").fetchall()
    assert names == [(f"as of {stays}",)]
    assert links == ([(str(ours),)] if stays == ours else [])
