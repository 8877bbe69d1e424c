"""A run that is killed or interrupted loses nothing committed; the next one goes on from there.

The end of an interrupted one comes soon, also at odd moments. `tests/integration/test_kill_anywhere.py`
kills it at every moment; `test_deaths.py` holds Dagster's Terminate.

Clause 2 of docs/guarantees.md.
"""

from __future__ import annotations

import os
import signal
from datetime import date
from typing import TYPE_CHECKING

import psycopg
import pytest

from tests.support.commands import eventually
from tests.support.mirroring import compare
from tests.support.obstacles import parked
from tests.support.reading import stored, value
from tests.support.relay import LossyWire

if TYPE_CHECKING:
    from collections.abc import Callable

    from pipeline.local import LocalPostgres
    from pipeline.sandbox import Running
    from tests.acceptance.conftest import MakeProject, Serve
    from tests.support.commands import Project

DAYS = ("--from", "2026-01-01", "--to", "2026-01-03")
TOTAL, BATCH = 650, 500
#: One request at a time: whatever is parked, nothing goes on behind it, and every count is exact.
ONE_AT_A_TIME = {"ACTIVITIES_MAX_CONCURRENCY": "1"}
#: Far beyond the five seconds promised, and far below the minute of patience.
SOON = 25.0
#: How the one run that ended did.
ENDED = "select status || ', ' || error from sync.runs where finished_at is not null"


@pytest.fixture
def service(serve: Serve) -> Running:
    """Serve the activities of three days."""
    return serve(TOTAL, from_date=date(2026, 1, 1), to_date=date(2026, 1, 3))


def resumes(service: Running, project: Project, url: str) -> None:
    """Assert that a plain run gets exactly what is not committed, and all is right then."""
    committed = stored(url)
    service.state.reset_counters()
    done = project.run("sync", *DAYS)
    assert done.code == 0, done
    counters = service.state.counters()
    assert counters.by_operation["details"] == TOTAL - committed
    assert counters.logins == 1
    assert compare(url, service.state.truth()) == []
    assert value(url, "select count(*) from sync.runs where status = 'running'") == 0


@pytest.mark.parametrize(
    ("number", "code", "release"), [(signal.SIGINT, 130, True), (signal.SIGTERM, 143, False)]
)
def test_interrupted_keeps_the_batch_in_hand(
    service: Running,
    project: MakeProject,
    migrated_url: str,
    number: signal.Signals,
    code: int,
    release: bool,
) -> None:
    made = project(service)
    parking = service.state.park("details", BATCH + 120)
    with made.start("sync", *DAYS, **ONE_AT_A_TIME) as command:
        parking.wait(60)
        command.send(number)
        if release:
            parking.release()
        done = command.end(30)
    parking.release()
    assert done.code == code, done
    assert len(done.lines) == 1, done
    assert "the next run goes on from there" in done.err
    assert done.out == ""
    answered = service.state.counters().by_status["details"]["200"]
    # What was answered is in, but for the one answer that may have come after the interrupt.
    assert answered - 1 <= stored(migrated_url) <= answered
    assert stored(migrated_url) >= BATCH + 119
    assert value(migrated_url, ENDED) == "failed, interrupted"
    resumes(service, made, migrated_url)


@pytest.mark.parametrize(
    ("number", "code", "then"),
    [
        (signal.SIGINT, 130, "finally: pass"),
        (signal.SIGTERM, 143, "except BaseException: raise RuntimeError"),
    ],
)
def test_interrupted_while_modules_are_imported(
    service: Running, project: MakeProject, number: signal.Signals, code: int, then: str
) -> None:
    """Much of Dagster is made by ``exec`` when it is imported; this one waits there for the signal.

    It may also answer the signal with an error of its own.
    """
    made = project(service)
    waits = f"import os\ntry:\n os.kill(os.getpid(), {number:d})\n while True: pass\n{then}"
    (made.folder / "dagster.py").write_text(f"exec({waits!r})")
    with made.start_interpreter("sync", *DAYS) as command:
        done = command.end()
    assert done.code == code, done
    assert len(done.lines) == 1, done
    assert service.state.counters().requests == 0


def test_a_warehouse_that_is_down_keeps_nobody_waiting(
    service: Running, project: MakeProject, migrated_url: str
) -> None:
    made = project(service)
    parking = service.state.park("details", BATCH + 60)
    with LossyWire(migrated_url) as wire:
        made.settings["WAREHOUSE_URL"] = wire.url
        with made.start("sync", *DAYS) as command:
            parking.wait(60)
            wire.go_down()
            before = wire.connections
            parking.release()
            eventually(lambda: wire.connections > before + 1, "it tries again")
            command.send(signal.SIGTERM)
            done = command.end(SOON)
    assert done.code == 143, done
    assert len(done.lines) == 1, done
    made.settings["WAREHOUSE_URL"] = migrated_url
    resumes(service, made, migrated_url)


def test_a_load_that_waits_for_a_lock_keeps_nobody_waiting(
    service: Running, project: MakeProject, migrated_url: str
) -> None:
    made = project(service)
    with (
        parked(migrated_url, "warehouse.timeline_events") as load,
        made.start("sync", *DAYS) as command,
    ):
        load.wait()
        command.send(signal.SIGINT)
        done = command.end(SOON)
        assert stored(migrated_url) == 0
        load.release()
    assert done.code == 130, done
    assert len(done.lines) == 1, done
    assert value(migrated_url, ENDED) == "failed, interrupted"
    resumes(service, made, migrated_url)


def test_a_warehouse_that_crashes_and_comes_back(
    service: Running, project: MakeProject, crash_postgres: Callable[..., LocalPostgres]
) -> None:
    server = crash_postgres()
    server.ensure_database("warehouse")
    made = project(service)
    made.settings["WAREHOUSE_URL"] = server.url("warehouse")
    parking = service.state.park("details", BATCH + 100)
    with made.start("sync", *DAYS) as command:
        parking.wait(60)
        process = server.pid
        assert process is not None
        os.kill(process, signal.SIGKILL)
        server.start()
        parking.release()
        done = command.end()
    assert done.code == 0, done
    assert compare(server.url("warehouse"), service.state.truth()) == []
    assert service.state.counters().by_operation["details"] == TOTAL


def test_a_warehouse_that_is_read_only_for_a_while(
    service: Running, project: MakeProject, migrated_url: str
) -> None:
    """As while a primary fails over: the run waits, and goes on in new sessions."""
    made = project(service)
    parking = service.state.park("details", BATCH + 100)
    with made.start("sync", *DAYS, **ONE_AT_A_TIME) as command:
        parking.wait(60)
        eventually(lambda: stored(migrated_url) >= BATCH // 2, "something is in")
        with psycopg.connect(migrated_url, autocommit=True) as session:
            name = session.info.dbname
            session.execute(
                f"alter database {name} set default_transaction_read_only = on".encode()
            )
            session.execute(
                "select pg_terminate_backend(pid) from pg_stat_activity"
                " where datname = current_database() and pid <> pg_backend_pid()"
            )
        parking.release()
        writing = "-c default_transaction_read_only=off"
        ours = (
            "select count(*) > 0 from pg_stat_activity where datname = current_database()"
            " and application_name = 'activity-warehouse'"
        )
        with psycopg.connect(migrated_url, autocommit=True, options=writing) as session:
            eventually(lambda: session.execute(ours).fetchone() == (True,), "it connects again")
            session.execute(f"alter database {name} reset default_transaction_read_only".encode())
        done = command.end()
    assert done.code == 0, done
    assert stored(migrated_url) == TOTAL
