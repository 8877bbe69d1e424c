"""Ctrl-C and SIGTERM at odd moments: what was fetched is kept, and the end comes soon.

`test_crash.py` holds the ordinary case of the two signals, `test_deaths.py` Dagster's Terminate.
"""

from __future__ import annotations

import signal
from datetime import date
from typing import TYPE_CHECKING

import pytest

from tests.support.commands import eventually
from tests.support.mirroring import compare
from tests.support.obstacles import parked
from tests.support.reading import rows, stored
from tests.support.relay import LossyWire

if TYPE_CHECKING:
    from pipeline.sandbox import Running
    from tests.acceptance.conftest import MakeProject, Serve
    from tests.support.commands import Project

TOTAL, BATCH = 620, 500
DAYS = ("--from", "2026-01-01", "--to", "2026-01-02")

#: Far beyond the five seconds promised, and far below the minute of patience.
SOON = 25.0


@pytest.fixture
def service(serve: Serve) -> Running:
    """Serve the activities of two days."""
    return serve(TOTAL, from_date=date(2026, 1, 1), to_date=date(2026, 1, 2))


def endings(url: str) -> list[tuple[str, str]]:
    """Return status and error of each run that ended."""
    return rows(url, "select status, error from sync.runs where finished_at is not null")


def resumes(service: Running, project: Project, url: str) -> None:
    """Assert that a plain run gets exactly what is not committed."""
    had = stored(url)
    service.state.reset_counters()
    done = project.run("sync", *DAYS)
    assert done.code == 0, done
    assert service.state.counters().by_operation["details"] == TOTAL - had
    assert compare(url, service.state.truth()) == []


@pytest.mark.parametrize(
    ("number", "code", "then"),
    [
        (signal.SIGINT, 130, "finally: pass"),
        (signal.SIGTERM, 143, "except BaseException: raise RuntimeError"),
    ],
)
def test_interrupted_while_modules_are_imported(
    service: Running,
    project: MakeProject,
    number: signal.Signals,
    code: int,
    then: str,
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
    assert endings(migrated_url) == [("failed", "interrupted")]
    resumes(service, made, migrated_url)
