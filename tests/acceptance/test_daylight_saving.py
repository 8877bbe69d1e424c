"""The nightly schedule through the real daemon while the clocks change: one run a night, at 04:30.

Real here: the daemon as ``dagster-daemon run`` starts it, its code server, the processes of its runs,
the service over HTTP, PostgreSQL. Ours is only Dagster's clock, in all of these processes: it stands
still at the instant that the test sets. What else the runs ask the time, they ask the machine.
"""

from __future__ import annotations

import os
import sys
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING

import dagster as dg
import psycopg
import pytest
from dagster._core.definitions.run_request import InstigatorType
from dagster._core.scheduler.instigation import ScheduleInstigatorData
from dagster._core.storage.tags import SCHEDULED_EXECUTION_TIME_TAG

from tests.support.commands import Command, eventually
from tests.support.mirroring import compare

if TYPE_CHECKING:
    from collections.abc import Callable

    from pipeline.sandbox import Running
    from tests.support.commands import Project

#: When a run is due, 04:30 in Oslo written as UTC, and the days that its schedule plans.
Night = tuple[str, str]

#: The night before a change of the clocks, the night of it, and after five nights without a daemon
#: the last of these. Its step for older days walks those that no run has walked.
SPRING: list[Night] = [
    ("2026-03-28T03:30:00+00:00", "2026-03-26..2026-03-28"),
    ("2026-03-29T02:30:00+00:00", "2026-03-27..2026-03-29"),
    ("2026-04-03T02:30:00+00:00", "2026-04-01..2026-04-03"),
]
AUTUMN: list[Night] = [
    ("2026-10-24T02:30:00+00:00", "2026-10-22..2026-10-24"),
    ("2026-10-25T03:30:00+00:00", "2026-10-23..2026-10-25"),
    ("2026-10-30T03:30:00+00:00", "2026-10-28..2026-10-30"),
]

#: Imported first by every Python program with its folder on the path: the daemon and all it starts.
#: Dagster asks these two functions alone for the time; its own tests put theirs in their place.
_CLOCK = """
import os
from datetime import UTC, datetime
import dagster._time

def timestamp():
    return os.stat(os.environ["CLOCK"]).st_mtime

dagster._time._mockable_get_current_timestamp = timestamp
dagster._time._mockable_get_current_datetime = lambda: datetime.fromtimestamp(timestamp(), UTC)
"""


class Nights:
    """A project's daemon and what it asked for, under a clock of ours; ``due``: what it should."""

    def __init__(self, project: Project, instance: dg.DagsterInstance, due: list[Night]) -> None:
        self._project = project
        self._instance = instance
        self._due = due
        self._clock = project.folder / "clock"
        self._clock.touch()
        (project.folder / "sitecustomize.py").write_text(_CLOCK, encoding="utf-8")

    def live(self, first: datetime, hours: int) -> None:
        """Start the daemon at ``first``, check at every hour what it has asked for, and kill it."""
        self._set(first)
        environment = self._project.environment(
            PYTHONPATH=str(self._project.folder),
            CLOCK=str(self._clock),
            DAGSTER_HOME=str(self._project.folder),
            # The schedule's state must show every tick of the daemon.
            DAGSTER_SCHEDULE_CHECKPOINT_INTERVAL_SECONDS="1",
            DAGSTER_SCHEDULE_CHECKPOINT_JITTER_SECONDS="0",
        )
        command = [sys.executable, "-m", "dagster._daemon", "run"]
        with Command(command, self._project.folder, environment) as daemon:
            for hour in range(hours):
                now = first + timedelta(hours=hour)
                self._set(now)
                self._wait_for_a_look(daemon, now)
                due = [night for night in self._due if datetime.fromisoformat(night[0]) <= now]
                eventually(self._idle, "the night's run has ended", 120)
                assert self.asked() == due, f"at {now}"

    def asked(self) -> list[Night]:
        """Return for when runs were asked for, in order, and the days that each brought up to date."""
        tags = [run.tags for run in self._instance.get_runs(ascending=True)]
        return [(each[SCHEDULED_EXECUTION_TIME_TAG], each["days"]) for each in tags]

    def _set(self, now: datetime) -> None:
        # Having looked, the daemon waits for the next full minute, which so is never far.
        instant = now.timestamp() + 59.9
        os.utime(self._clock, (instant, instant))

    def _wait_for_a_look(self, daemon: Command, at: datetime) -> None:
        def looked() -> bool:
            assert daemon.process.poll() is None, daemon.said
            states = self._instance.all_instigator_state(instigator_type=InstigatorType.SCHEDULE)
            data = [state.instigator_data for state in states]
            return any(
                isinstance(each, ScheduleInstigatorData)
                and (each.last_iteration_timestamp or 0.0) >= at.timestamp()
                for each in data
            )

        eventually(looked, f"the daemon has looked at the schedule at {at}", 120)

    def _idle(self) -> bool:
        return all(run.is_finished for run in self._instance.get_runs())


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("due", [SPRING, AUTUMN], ids=["spring", "autumn"])
def test_one_run_a_night_while_the_clocks_change(
    serve: Callable[..., Running],
    project: Callable[[Running], Project],
    migrated_url: str,
    monkeypatch: pytest.MonkeyPatch,
    due: list[Night],
) -> None:
    before, _, made_up = (datetime.fromisoformat(instant) for instant, _ in due)
    first, last = date.fromisoformat(due[0][1][:10]), date.fromisoformat(due[-1][1][-10:])
    service = serve(60, from_date=first, to_date=last, now=made_up + timedelta(days=1))
    made = project(service)
    made.settings |= {
        "ACTIVITIES_TIMEZONE": "Europe/Oslo",
        "ACTIVITIES_START_DATE": first.isoformat(),
    }
    monkeypatch.chdir(made.folder)  # dagster.yaml's folders are relative to it
    with dg.DagsterInstance.local_temp(".") as instance:
        nights = Nights(made, instance, due)
        nights.live(before - timedelta(hours=3), hours=31)
        nights.live(made_up + timedelta(hours=7), hours=2)
        assert nights.asked() == due
        statuses = [run.status for run in instance.get_runs()]
    assert statuses == [dg.DagsterRunStatus.SUCCESS] * len(due)
    with psycopg.connect(migrated_url) as session:
        covered = session.execute(
            "select min(day), max(day), count(*) from sync.coverage"
            # The audit of older days goes by the machine's clock, which is later.
            " where listed = stored and verified_at is not null and day <= %s",
            [last],
        ).fetchone()
    assert covered == (first, last, (last - first).days + 1)
    assert compare(migrated_url, service.state.truth()) == []
