"""``python -m tests.tools.week``: a week of light runs every five minutes, and of nights at 22:00.

Runs, schedules, alarms and pruning are the product's; Dagster's history is a folder, PostgreSQL and the
service are real. Only the clock is not: each tick comes five minutes after the last, in a week that has
just ended, and the times of each run in Dagster's history are set back to it. All runs share one process.
So the figures leave out a process for each run, its captured output, the daemon's ticks, and what
PostgreSQL times.

In the middle night the daemon's process is killed for six hours: no tick comes, and the night is missed.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta, tzinfo
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest import mock

from pipeline.local import LocalPostgres
from tests.support.commands import CHECKOUT, service_settings
from tests.support.mirroring import compare, sandbox
from tests.support.postgres import HASTY, session_folder
from tests.support.reading import value

if TYPE_CHECKING:
    import dagster as dg

    from pipeline.sandbox import SandboxState

#: Days with activities before the week, and activities of each of these.
BEFORE, A_DAY = 30, 12

NIGHT = "0 22 * * *"

#: When the daemon is killed in the middle one of the days, and for how long it stays dead.
DIES_AT, DEAD = timedelta(hours=21), timedelta(hours=6)

_HOLD = """
import fcntl, sys, time
lock = open(sys.argv[1], "a+")
fcntl.flock(lock, fcntl.LOCK_EX)
print("held", flush=True)
time.sleep(10**6)
"""


class Clock(datetime):
    """What `pipeline.clock` takes for ``datetime``: its present time is the tick's."""

    tick = datetime.now(UTC)

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> datetime:  # type: ignore[override]
        """Return the tick's time."""
        return cls.tick.astimezone(tz)


@dataclass
class Day:
    """What a day of the week cost. Sizes in MB: of Dagster's history before its night, and after."""

    runs: int = 0
    skipped: int = 0
    requests: int = 0
    logins: int = 0
    news: int = 0
    before: float = 0.0
    after: float = 0.0


@dataclass(eq=False)
class Week:
    """The week: it lets time pass, and does what the daemon would do."""

    state: SandboxState
    instance: dg.DagsterInstance
    folder: Path
    url: str
    began: datetime
    pause: timedelta
    days: dict[date, Day] = field(default_factory=dict)
    alarms: dict[str, tuple[datetime, datetime]] = field(default_factory=dict)
    failures: list[str] = field(default_factory=list)
    _daemon: subprocess.Popen[str] | None = None

    def start_daemon(self) -> None:
        """Start a process that holds the daemon's lock, as the daemon does."""
        from pipeline.assets.watch import DAEMON_LOCK

        command = [sys.executable, "-c", _HOLD, str(self.folder / DAEMON_LOCK)]
        self._daemon = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self._daemon.stdout is not None
        assert self._daemon.stdout.readline() == "held\n"

    @property
    def daemon_lives(self) -> bool:
        """Whether that process lives."""
        return self._daemon is not None

    def kill_daemon(self) -> None:
        """Kill that process, if it lives."""
        if self._daemon is None:
            return
        self._daemon.send_signal(signal.SIGKILL)
        self._daemon.wait()
        self._daemon = None

    def pass_time(self, tick: datetime) -> None:
        """Set all clocks; let something happen at the service each half hour, but for nights."""
        Clock.tick = tick
        self.state.set_clock(now=round(tick.timestamp() * 1000))
        if tick.minute % 30 == 0 and 7 <= tick.hour < 19:
            self.state.create()
        if tick.minute == 0 and tick.hour % 4 == 0:
            for name in self.state.ids("SENT", "ACTION_REQUIRED")[:1]:
                self.state.enter_status(name, "ACCEPTED")

    def run(self, schedule: Any, tick: datetime) -> None:
        """Do what the daemon does at a schedule's time."""
        import dagster as dg

        from pipeline.assets.resource import sync_resource
        from pipeline.definitions import defs

        day = self.days.setdefault(tick.date(), Day())
        with dg.build_schedule_context(self.instance, tick) as context:
            wanted = schedule(context)
        if isinstance(wanted, dg.SkipReason):
            day.skipped += 1
            return
        self.state.reset_counters()
        ended = defs.resolve_job_def(schedule.job_name).execute_in_process(
            instance=self.instance,
            tags=dict(wanted.tags),
            resources={"sync": sync_resource()},
            run_config={"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}},
            raise_on_error=False,
        )
        if not ended.success:
            self.failures.append(f"{tick:%a %H:%M} {schedule.name}")
        counters = self.state.counters()
        day.runs += 1
        day.requests += counters.requests
        day.logins += counters.logins
        day.news += counters.by_operation["details"] > 0
        self._set_back(ended.run_id, tick)

    def night(self, schedule: Any, tick: datetime) -> None:
        """Do a night, which removes old runs, and measure the history around it."""
        day = self.days.setdefault(tick.date(), Day())
        day.before = self.size()
        self.run(schedule, tick)
        day.after = self.size()

    def _set_back(self, run_id: str, tick: datetime) -> None:
        """Set the times of a run in Dagster's history: only they tell how old it is."""
        end = tick + timedelta(seconds=20)
        query = (
            "update runs set create_timestamp = ?, start_time = ?, end_time = ? where run_id = ?"
        )
        with sqlite3.connect(self.folder / "history" / "runs.db", timeout=60) as database:
            given = (f"{tick:%Y-%m-%d %H:%M:%S.%f}", tick.timestamp(), end.timestamp(), run_id)
            database.execute(query, given)

    def beat(self, tick: datetime) -> None:
        """Report as the daemon does."""
        from dagster._daemon.types import DaemonHeartbeat

        beat = DaemonHeartbeat(tick.timestamp(), "SCHEDULER", "week", [])
        self.instance.add_daemon_heartbeat(beat)

    def look(self, tick: datetime) -> None:
        """Ask what `pipeline status` and the sensor `alerts` ask; note each alarm's first and last time."""
        from pipeline.assets import watch

        asked = {
            "daemon": watch.silent_daemon(self.instance, tick),
            "missed": watch.missed_night(self.instance, tick),
            "failed": watch.failed_night(self.instance),
            "still": watch.standing_still(self.instance, tick),
        }
        for kind, lines in asked.items():
            for line in lines:
                name = f"{kind}: {line.split(' since ')[0].split(':')[0]}"
                first, _ = self.alarms.get(name, (tick, tick))
                self.alarms[name] = (first, tick)

    def size(self) -> float:
        """Return the MB of Dagster's history."""
        files = (self.folder / "history").rglob("*")
        return sum(file.stat().st_size for file in files if file.is_file()) / 1e6


def play(week: Week, days: int) -> None:
    """Let a week pass."""
    from pipeline.assets.nightly import nightly
    from pipeline.assets.recent import recent

    dies = week.began + timedelta(days=days // 2) + DIES_AT
    for number in range(timedelta(days=days) // week.pause):
        tick = week.began + number * week.pause
        week.pass_time(tick)
        dead = dies <= tick < dies + DEAD
        if dead:
            week.kill_daemon()
        elif not week.daemon_lives:
            week.start_daemon()
        if not dead:
            week.beat(tick)
            if (tick.hour, tick.minute) == (22, 0):
                week.night(nightly, tick)
            week.run(recent, tick)
        if tick.minute % 15 == 0:
            week.look(tick)
        if tick.minute == 0:
            print(f"{tick:%a %H:%M}", file=sys.stderr, flush=True)  # noqa: T201


def show(week: Week, seconds: float) -> None:
    """Print what the week cost."""
    from pipeline.assets.forget import forget_runs

    head = ("day", "runs", "skipped", "with news", "requests", "logins", "MB before night", "after")
    lines: list[tuple[str, ...]] = [head]
    for day, each in sorted(week.days.items()):
        sizes = (f"{each.before:.1f}", f"{each.after:.1f}")
        counts = (each.runs, each.skipped, each.news, each.requests, each.logins)
        lines.append((str(day), *map(str, counts), *sizes))
    widths = [max(10, len(name)) for name in head]
    for line in lines:
        print("  ".join(map(str.rjust, line, widths)))  # noqa: T201
    for name, (first, last) in week.alarms.items():
        print(f"alarm from {first:%a %H:%M} to {last:%a %H:%M}: {name}")  # noqa: T201
    runs = sum(each.runs for each in week.days.values())
    print(f"{runs} runs in {seconds:.0f} s; failed: {', '.join(week.failures) or 'none'}")  # noqa: T201
    kept = value(week.url, "select count(*) from sync.runs")
    size, left = week.size(), len(week.instance.get_runs())
    gone = forget_runs(week.instance, Clock.tick + timedelta(days=3), timedelta(days=90))
    print(  # noqa: T201
        f"history {size:.1f} MB with {left} runs; three days later {gone} of them go: {week.size():.1f} MB;"
        f" {kept} rows in sync.runs"
    )
    wrong = compare(week.url, week.state.truth())
    print(f"differences from the service: {len(wrong)}")  # noqa: T201


def main() -> None:
    """Play the week, and print it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--days", type=int, default=7)
    parser.add_argument("--minutes", type=int, choices=(5, 15, 30), default=5)
    given = parser.parse_args()
    days, pause = given.days, timedelta(minutes=given.minutes)
    end = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    began = end - timedelta(days=days)
    first = began.date() - timedelta(days=BEFORE)
    # In memory: each run's history is a file of its own, and SQLite waits for a disk at each step.
    memory = Path("/dev/shm")  # noqa: S108
    with (
        session_folder(memory if memory.is_dir() else None) as place,
        LocalPostgres(place / "postgres", settings=HASTY) as server,
    ):
        folder = place / "project"
        folder.mkdir()
        shutil.copy(CHECKOUT / "dagster.yaml", folder)
        with sandbox(BEFORE * A_DAY, from_date=first, to_date=began.date(), now=began) as service:
            settings = service_settings(service.base_url, service.credentials)
            settings |= {"WAREHOUSE_URL": server.url(), "DAGSTER_HOME": str(folder)}
            settings |= {"ACTIVITIES_START_DATE": str(first), "ACTIVITIES_SCHEDULE": NIGHT}
            os.environ.update(
                settings | {"ACTIVITIES_RECENT_SCHEDULE": f"*/{given.minutes} * * * *"}
            )
            os.chdir(folder)
            import dagster as dg

            with (
                dg.DagsterInstance.local_temp(str(folder)) as instance,
                mock.patch("pipeline.clock.datetime", Clock),
            ):
                week = Week(service.state, instance, folder, server.url(), began, pause)
                start = time.monotonic()
                try:
                    play(week, days)
                finally:
                    week.kill_daemon()
                show(week, time.monotonic() - start)


if __name__ == "__main__":
    main()
