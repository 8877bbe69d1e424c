"""PostgreSQL fails in the middle of a statement, or for good: what `test_faults.py` does not play.

`test_faults.py` plays ended connections, deadlocks, a full disk and statement time-outs;
`tests/acceptance/test_crash.py` a killed server, and one that turns read-only.

Clauses 2 and 3 of docs/guarantees.md.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import psycopg
import pytest
from sqlalchemy.exc import DBAPIError

from pipeline.sync.options import Options
from pipeline.warehouse.database import engine as engines
from pipeline.warehouse.database.engine import in_transaction, open_engine, warehouse_engine
from pipeline.warehouse.database.errors import (
    WarehouseRefused,
    WarehouseUnreachable,
    WarehouseWriteFailed,
)
from pipeline.warehouse.database.refusals import explain, may_pass_next_time
from pipeline.warehouse.database.server import check_server
from pipeline.warehouse.schema.migrate import migrate
from tests.support.commands import eventually
from tests.support.obstacles import failing, no_longer_failing, parked
from tests.support.relay import LossyWire, Refusing, Relay

if TYPE_CHECKING:
    from tests.integration.conftest import Mirrored
    from tests.support.mirroring import Warehouse


SIZE, BATCH = 120, 20

_HAD = "select count(*) from warehouse.activities where details_fetched_at is not null"
_HALF = """
select activity.id from warehouse.activities as activity
full join sync.activity_ledger as ledger on ledger.activity_id = activity.id
full join landing.activity_details as landed on landed.activity_id = activity.id
where activity.details_fetched_at is null is distinct from (ledger.details is null)
    or activity.details_fetched_at is null is distinct from (landed.body is null)
"""


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
    assert mirror.query(_HALF) == []
    summary = mirror.days()
    assert (summary.status, summary.details_requests) == ("complete", SIZE)
    assert (mirror.differences(), mirror.gaps(), mirror.quarantined()) == ([], [], {})


def test_what_is_missing_from_the_schema_is_named(mirror: Warehouse) -> None:
    mirror.execute("alter table warehouse.timeline_events rename to gone")
    says = r'lacks .*"warehouse.timeline_events" does not exist\): run `pipeline migrate`'
    with pytest.raises(WarehouseWriteFailed, match=says):
        mirror.days()


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


@pytest.mark.parametrize(
    ("state", "says", "passes"),
    [
        ("28P01", "refuses the role or its password", False),
        ("28000", "refuses the role or its password", False),
        ("3D000", "does not exist: create it", False),
        ("42501", "denies its role a privilege", False),
        ("53300", "has no connection left", True),
        ("57P03", "is starting or stopping", True),
    ],
)
def test_a_refused_connection_is_told_by_its_sqlstate(
    database_url: str, state: str, says: str, passes: bool
) -> None:
    with Refusing(database_url, state, times=9) as wire, warehouse_engine(wire.url) as engine:
        with pytest.raises(DBAPIError) as refused:
            engine.connect()
        assert may_pass_next_time(refused.value) is passes
        assert says in str(explain(refused.value, engine.url))


@pytest.mark.parametrize("state", ["57P03", "53300"])
def test_the_first_contact_waits_for_a_server_that_starts(database_url: str, state: str) -> None:
    with Refusing(database_url, state, times=5) as wire:
        assert migrate(wire.url)


def test_the_first_contact_waits_for_a_server_that_does_not_answer(database_url: str) -> None:
    with LossyWire(database_url) as wire, ThreadPoolExecutor(1) as pool:
        wire.go_down()
        migrated = pool.submit(migrate, wire.url)
        eventually(lambda: wire.connections > 2, "it tries again")
        wire.come_back()
        assert migrated.result(60)


def test_a_migration_waits_for_a_server_that_can_be_written_to(database_url: str) -> None:
    alter = f"alter database {psycopg.conninfo.conninfo_to_dict(database_url)['dbname']}"
    with psycopg.connect(database_url, autocommit=True) as session, LossyWire(database_url) as wire:
        session.execute(f"{alter} set default_transaction_read_only = on".encode())
        with ThreadPoolExecutor(1) as pool:
            migrated = pool.submit(migrate, wire.url)
            eventually(lambda: wire.connections > 4, "it connects again")
            session.execute("set default_transaction_read_only = off")
            session.execute(f"{alter} reset default_transaction_read_only".encode())
            assert migrated.result(60)


def test_a_wrong_password_is_tried_once(database_url: str) -> None:
    with Refusing(database_url, "28P01", times=9) as wire:
        for _ in range(3):
            with pytest.raises(WarehouseRefused, match="refuses the role or its password"):
                migrate(wire.url)
        assert wire.refused == 1


def test_one_of_several_hosts_answers(database_url: str) -> None:
    with Relay(database_url) as wire, Relay(database_url) as closed:
        address = wire.url.partition("@")[2].partition("/")[0]
        other = closed.url.partition("@")[2].partition("/")[0]
        closed.__exit__()
        url = f"{wire.url.replace(address, f'{other},{address}')}&target_session_attrs=read-write"
        with warehouse_engine(url) as engine:
            assert check_server(engine) >= 15


def test_a_server_that_vanishes_silently_is_noticed(database_url: str) -> None:
    engine = open_engine(database_url)
    asked = in_transaction(engine, lambda session: session.info.get_parameters())
    engine.dispose()
    idle, interval, count = (
        int(asked[f"keepalives_{name}"]) for name in ("idle", "interval", "count")
    )
    assert idle + interval * count <= 60
    assert int(asked["tcp_user_timeout"]) <= 60_000


@pytest.mark.parametrize("table", ["warehouse.requirements", "landing.activity_details"])
def test_a_reader_never_sees_half_an_activity(mirror: Warehouse, table: str) -> None:
    mirror.days()
    before = mirror.versions()
    state = mirror.service.state
    for name in state.ids():
        state.edit(name, description="changed", requirements=[{"code": "NEW"}])
    with ThreadPoolExecutor(1) as pool:
        with parked(mirror.url, table) as load:
            run = pool.submit(mirror.days, full=True)
            load.wait()
            assert mirror.versions() == before
            assert mirror.query(_HALF) == []
            load.release()
        assert run.result().loaded.changed == SIZE
    assert mirror.differences() == []
