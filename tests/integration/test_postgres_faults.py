"""PostgreSQL fails in the middle of a run: tried again where that is right, else a clear end.

Whatever happens, nothing is half-written, and a plain run completes to the truth.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import psycopg
import pytest

from pipeline.sync.options import Options
from pipeline.warehouse import engine as engines
from pipeline.warehouse.engine import in_transaction, open_engine
from pipeline.warehouse.errors import (
    WarehouseUnreachable,
    WarehouseWriteFailed,
)
from pipeline.warehouse.migrate import migrate
from tests.support.commands import eventually
from tests.support.mirroring import FIRST, LAST, TODAY, Warehouse, sandbox
from tests.support.obstacles import failing, no_longer_failing, parked
from tests.support.relay import LossyWire

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from concurrent.futures import Future

    from pipeline.local import LocalPostgres
    from pipeline.sync.options import Summary

    Mirrored = Callable[..., Warehouse]

SIZE, BATCH = 240, 40

_HAD = "select count(*) from warehouse.activities where details_fetched_at is not null"
_HALF = """
select activity.id from warehouse.activities as activity
full join sync.activity_ledger as ledger on ledger.activity_id = activity.id
full join landing.activity_details as landed on landed.activity_id = activity.id
where activity.details_fetched_at is null is distinct from (ledger.details_digest is null)
    or activity.details_fetched_at is null is distinct from (landed.body is null)
"""


@contextmanager
def under_way(work: Callable[[], Summary]) -> Iterator[Future[Summary]]:
    """Do the work in a thread."""
    with ThreadPoolExecutor(1) as pool:
        yield pool.submit(work)


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give up after a second what is else tried for a minute."""
    monkeypatch.setattr(engines, "PATIENCE", 1.0)


@pytest.fixture
def mirror(mirrored: Mirrored) -> Warehouse:
    """Serve activities and load them in small batches."""
    warehouse = mirrored(SIZE)
    warehouse.options = Options(batch_size=BATCH, workers=8)
    return warehouse


def completes(warehouse: Warehouse) -> None:
    """Assert that nothing is half-written, and that a plain run asks just for what is missing."""
    assert warehouse.query(_HALF) == []
    had = warehouse.value(_HAD)
    summary = warehouse.days()
    assert (summary.status, summary.details_requests) == ("complete", SIZE - had)
    assert (warehouse.differences(), warehouse.gaps(), warehouse.quarantined()) == ([], [], {})


def ended(warehouse: Warehouse) -> tuple[str, str]:
    """Return status and error of the newest run."""
    ((status, error),) = warehouse.query(
        "select status, error from sync.runs order by started_at desc limit 1"
    )
    return status, error


def test_a_server_restarted_in_the_middle_of_a_load(
    crash_postgres: Callable[..., LocalPostgres],
) -> None:
    server = crash_postgres()
    server.create_database("warehouse")
    url = server.url("warehouse")
    migrate(url)
    with sandbox(SIZE) as service:
        warehouse = Warehouse(url, service, options=Options(batch_size=BATCH, workers=8))
        with under_way(warehouse.days) as run:
            with parked(url, "warehouse.timeline_events") as load:
                load.wait()
                server.stop()  # and with it the lock
            server.start()
            summary = run.result()
        assert (summary.status, summary.details_requests) == ("complete", SIZE)
        completes(warehouse)


@pytest.mark.parametrize(
    "table", ["warehouse.activities", "warehouse.timeline_events", "landing.activity_details"]
)
def test_a_connection_lost_in_a_copy(mirror: Warehouse, table: str) -> None:
    direct = mirror.url
    with LossyWire(direct, copy_of=table) as wire:
        mirror.url = wire.url
        summary = mirror.days()
    mirror.url = direct
    assert wire.lost == 1
    assert (summary.status, summary.details_requests) == ("complete", SIZE)
    completes(mirror)


def test_a_deadlock_with_an_overlapping_transaction(mirror: Warehouse) -> None:
    mirror.days()
    state = mirror.service.state
    name = state.ids()[0]
    entity = state.truth_of(name).row_fields()["entity"]["id"]
    state.change_entity(entity, name="renamed")
    with psycopg.connect(mirror.url, autocommit=True) as session:
        database = session.info.dbname
        session.execute(f"alter database {database} set deadlock_timeout = '50ms'".encode())
    deadlocks = "select deadlocks from pg_stat_database where datname = current_database()"
    before = mirror.value(deadlocks)
    waiting = "select true from pg_stat_activity where pid = %s and wait_event_type = 'Lock'"
    # The other one never looks for deadlocks: it is the load that must find out and give way.
    with (
        psycopg.connect(mirror.url, options="-c deadlock_timeout=1h") as other,
        parked(mirror.url, "warehouse.entities") as load,
        ThreadPoolExecutor(2) as pool,
    ):
        other.execute("select from warehouse.entities where id = %s for update", (entity,))
        run = pool.submit(mirror.days)
        load.wait()  # it holds the ledger's rows
        locking = "select from sync.activity_ledger order by activity_id for update"
        locked = pool.submit(other.execute, locking)
        eventually(lambda: mirror.query(waiting, other.info.backend_pid), "it waits for the load")
        load.release()
        locked.result()
        other.rollback()
        assert run.result().status == "complete"
    eventually(lambda: mirror.value(deadlocks) > before, "the deadlock is counted")
    completes(mirror)


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize(
    ("state", "words"),
    [
        ("53100", "has no space left on its disk: make room there, then run again"),
        ("57014", "raise the role's statement_timeout"),
        ("XX001", "could not carry out a statement: DataCorrupted (SQLSTATE XX001)"),
    ],
)
def test_statements_that_fail_for_good(mirror: Warehouse, state: str, words: str) -> None:
    # Not the first activity of its batch, so that something of the batch is written already.
    name = sorted(mirror.service.state.ids())[SIZE // 2]
    table = "warehouse.timeline_events"
    failing(mirror.url, table, state, 10**6, f"new.activity_id = '{name}'")
    with pytest.raises(WarehouseWriteFailed, match=words.replace("(", r"\(").replace(")", r"\)")):
        mirror.days()
    status, error = ended(mirror)
    assert (status, words in error) == ("failed", True)
    assert "provoked" not in error
    assert 0 < mirror.value(_HAD) < SIZE
    assert mirror.quarantined() == {}
    no_longer_failing(mirror.url, table)
    completes(mirror)


@pytest.mark.usefixtures("hasty")
def test_nothing_is_fetched_any_more_once_a_load_has_failed(mirror: Warehouse) -> None:
    workers = 32
    mirror.options = Options(batch_size=BATCH, workers=workers)
    table = "warehouse.activities"
    failing(mirror.url, table, "53100", 10**6, "new.details_fetched_at is not null")
    with pytest.raises(WarehouseWriteFailed, match="no space left on its disk"):
        mirror.days()
    asked = mirror.service.state.counters().by_operation["details"]
    # What was in flight, and one batch: it is what the next run fetches again.
    assert (mirror.value(_HAD), BATCH // 2 <= asked <= workers + BATCH) == (0, True), asked
    no_longer_failing(mirror.url, table)
    completes(mirror)


@pytest.mark.parametrize("state", ["57014", "40P01", "40001", "57P01"])
def test_statements_that_fail_twice(mirror: Warehouse, state: str) -> None:
    failing(mirror.url, "landing.activity_details", state, 2)
    summary = mirror.days()
    assert (summary.status, summary.details_requests) == ("complete", SIZE)
    assert mirror.value("select last_value > 2 from public.attempts")
    completes(mirror)


def test_a_server_that_is_read_only_from_the_start(mirror: Warehouse) -> None:
    url = mirror.url
    mirror.url = f"{url}&options=-c%20default_transaction_read_only%3Don"
    with psycopg.connect(url) as session:
        database = session.info.dbname
        session.execute(
            f"alter database {database} set default_transaction_read_only = on".encode()
        )
    mirror.url = url
    with pytest.raises(WarehouseWriteFailed, match="is read-only: point WAREHOUSE_URL at"):
        mirror.days()
    assert mirror.service.state.counters().requests == 0
    with psycopg.connect(url, options="-c default_transaction_read_only=off") as session:
        session.execute(f"alter database {database} reset default_transaction_read_only".encode())
    completes(mirror)


@pytest.mark.usefixtures("hasty")
def test_a_server_that_is_gone_for_good(mirror: Warehouse) -> None:
    direct = mirror.url
    parking = mirror.service.state.park("details", BATCH * 3 + 5)
    with LossyWire(direct) as wire:
        mirror.url = wire.url
        with under_way(mirror.days) as run:
            parking.wait(60)
            eventually(lambda: Warehouse.value(mirror, _HAD), "a batch is in")
            wire.go_down()
            parking.release()
            with pytest.raises(WarehouseUnreachable, match="can't be reached: is the server runn"):
                run.result()
    mirror.url = direct
    assert BATCH <= mirror.value(_HAD) < SIZE
    completes(mirror)


@pytest.mark.usefixtures("hasty")
def test_a_warehouse_given_up_is_tried_once_until_it_answers(database_url: str) -> None:
    def work(session: psycopg.Connection[Any]) -> Any:
        return session.execute("select 17").fetchone()

    def connections() -> int:
        before = wire.connections
        with pytest.raises(WarehouseUnreachable):
            in_transaction(engine, work)
        return wire.connections - before

    with LossyWire(database_url) as wire:
        engine = open_engine(wire.url)
        wire.go_down()
        assert connections() > 2
        assert [connections(), connections()] == [1, 1]
        wire.come_back()
        assert in_transaction(engine, work) == (17,)
        wire.go_down()
        assert connections() > 2
        engine.dispose()


def test_a_server_that_vanishes_silently_is_noticed(database_url: str) -> None:
    engine = open_engine(database_url)
    asked = in_transaction(engine, lambda session: session.info.get_parameters())
    engine.dispose()
    idle, interval, count = (
        int(asked[f"keepalives_{name}"]) for name in ("idle", "interval", "count")
    )
    assert idle + interval * count <= 60
    assert int(asked["tcp_user_timeout"]) <= 60_000


@pytest.mark.parametrize(
    "table", ["warehouse.requirements", "warehouse.timeline_events", "landing.activity_details"]
)
def test_a_reader_never_sees_half_an_activity(mirror: Warehouse, table: str) -> None:
    mirror.days()
    before = mirror.versions()
    state = mirror.service.state
    for name in state.ids():
        state.edit(name, description="changed", requirements=[{"code": "NEW"}])
    with under_way(lambda: mirror.days(full=True)) as run:
        with parked(mirror.url, table) as load:
            load.wait()
            assert mirror.versions() == before
            assert mirror.query(_HALF) == []
            load.release()
        assert run.result().loaded.changed == SIZE
    assert mirror.differences() == []


@pytest.mark.parametrize("number", [2, 4])
def test_runs_at_once_over_overlapping_days(mirrored: Mirrored, number: int) -> None:
    """A backfill, a nightly run, one by hand and a full one, each with engine, client and loop."""
    warehouse = mirrored(SIZE)
    warehouse.options = Options(batch_size=10, workers=4)
    march = FIRST.replace(month=3)
    kinds: list[Callable[[], Any]] = [
        warehouse.days,
        lambda: warehouse.nightly(TODAY, lookback=20),
        lambda: warehouse.days(march, LAST),
        lambda: warehouse.days(full=True),
    ]
    for round_ in range(2):
        with ThreadPoolExecutor(number) as pool:
            runs = [pool.submit(kind) for kind in kinds[:number]]
            for run in runs:
                run.result()
        assert (warehouse.differences(), warehouse.gaps()) == ([], [])
        assert warehouse.query(_HALF) == []
        statuses = warehouse.query("select distinct status from sync.runs")
        assert statuses == [("complete",)]
        state = warehouse.service.state
        for name in state.ids()[round_::3]:
            state.edit(name, description="changed between the rounds")
        for person in state.people():
            state.change_entity(person["id"], name="renamed")
        warehouse.days(full=True)
    completes(warehouse)
