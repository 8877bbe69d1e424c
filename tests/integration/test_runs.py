"""The history of runs is right, also for runs that died before they recorded their end."""

from __future__ import annotations

import subprocess
import sys

from pipeline.warehouse.database.engine import open_engine
from pipeline.warehouse.state import runs
from tests.support.commands import eventually
from tests.support.reading import rows, value

_START_AND_DIE = """
import os, sys
from pipeline.warehouse.state import runs
from pipeline.warehouse.database.engine import open_engine
live = runs.start(open_engine(sys.argv[1]), "dead", "days", None, None)
os._exit(7)
"""


def statuses(url: str) -> dict[str, str]:
    return dict(rows(url, "select run_id, status from sync.runs"))


def locks(url: str) -> int:
    """Return how many locks of living runs are held in this database."""
    query = (
        "select count(*) from pg_locks as held inner join pg_database as place"
        " on place.oid = held.database"
        " where held.locktype = 'advisory' and place.datname = current_database()"
    )
    return int(value(url, query))


def test_a_dead_run_is_found_by_the_next_one(migrated_url: str) -> None:
    engine = open_engine(migrated_url)
    living = runs.start(engine, "living", "days", None, None)
    died = subprocess.run([sys.executable, "-c", _START_AND_DIE, migrated_url], check=False)
    assert died.returncode == 7
    eventually(lambda: locks(migrated_url) == 1, "PostgreSQL has noticed")
    assert statuses(migrated_url) == {"living": "running", "dead": "running"}
    following = runs.start(engine, "following", "open", None, None)
    expected = {"living": "running", "dead": "failed", "following": "running"}
    assert statuses(migrated_url) == expected
    living.finish("complete", None, {})
    following.finish("incomplete", "a day is unverified", {"new": 3})
    found = {row["run_id"]: row for row in runs.recent(engine)}
    assert (found["living"]["status"], found["following"]["new"]) == ("complete", 3)
    assert "killed" in str(found["dead"]["error"])
    engine.dispose()


def test_a_run_may_start_over_under_its_old_id(migrated_url: str) -> None:
    engine = open_engine(migrated_url)
    for _ in range(2):
        live = runs.start(engine, "same", "days", None, None)
        assert statuses(migrated_url) == {"same": "running"}
        live.finish("complete", None, {"listed": 2})
    assert statuses(migrated_url) == {"same": "complete"}
    engine.dispose()


def test_runs_that_never_finish_do_not_use_up_the_pool(migrated_url: str) -> None:
    engine = open_engine(migrated_url)
    left = [runs.start(engine, f"run-{number}", "days", None, None) for number in range(12)]
    assert len(left) == len(runs.recent(engine))
    engine.dispose()
