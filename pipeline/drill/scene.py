"""One fault's stage: a made-up service, an empty warehouse, and what can be done to both."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Any

import psycopg

from pipeline.drill.child import CLEAR_ERRORS, Child, Missed
from pipeline.drill.job import Job, run
from pipeline.sandbox import Behaviour, Sandbox, SandboxSettings
from pipeline.sync.days import ONE_DAY

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pipeline.drill.databases import Databases
    from pipeline.sandbox import Running, SandboxState
    from pipeline.sandbox.faults import Operation
    from pipeline.sandbox.parking import Phase

#: The days that are mirrored. The service's clock stands still at noon of the last one; what is
#: made up was created on the days before.
FIRST, LAST = date(2025, 3, 25), date(2025, 4, 1)
NOON = datetime(2025, 4, 1, 12, tzinfo=UTC)

ACTIVITIES, PEOPLE = 60, 20
#: Sizes of the drill's runs; what a killed run may refetch follows from the last two.
PAGE, BATCH, WORKERS = 25, 20, 4

#: Faults that spoil an answer but leave its status 200, so that the counters can't tell.
_SPOILS_QUIETLY = frozenset({"html", "empty", "cut_json", "body"})
_PATIENCE = 60.0


@dataclass
class Scene:
    """What a fault plays on.

    ``folder``: a project's, for the real command. ``needed``: details requests that the runs played
    would make if nothing were wrong. ``in_hand``: how many more may be made after a process died:
    what was in flight, and one batch.
    """

    service: Running
    warehouse_url: str
    databases: Databases
    folder: Path
    needed: int = ACTIVITIES
    in_hand: int = WORKERS + BATCH
    spoiled: int = 0

    @property
    def state(self) -> SandboxState:
        """The controls of the service."""
        return self.service.state

    def job(self, **changes: Any) -> Job:
        """Return a run over all days, with some of it otherwise."""
        given: dict[str, Any] = {
            "base_url": self.service.base_url,
            "credentials": self.service.credentials,
            "warehouse_url": self.warehouse_url,
            "first": FIRST,
            "last": LAST,
            "page_size": PAGE,
            "batch_size": BATCH,
            "workers": WORKERS,
        }
        return Job(**given | changes)

    def start(self, **changes: Any) -> Child:
        """Start a run in a process of its own."""
        return Child(self.job(**changes))

    def run(self, **changes: Any) -> str:
        """Run to the end in this process; return ``complete``, ``incomplete``, or ``stopped: `` and why."""
        try:
            done = asyncio.run(run(self.job(**changes)))
        except CLEAR_ERRORS as error:
            return f"stopped: {error}".partition(";")[0]
        return "incomplete" if any(summary.problems for summary in done) else "complete"

    def kill_at(
        self, operation: Operation, number: int, phase: Phase = "before", **changes: Any
    ) -> str:
        """Kill a run while the service holds its ``number``-th request; tell what was in."""
        parking = self.state.park(operation, number, phase=phase)
        with self.start(**changes) as child:
            parking.wait(_PATIENCE)
            code = child.kill()
        parking.release()
        return f"exit {code} at {operation} request {number}, {self.kept()}"

    def interrupt_at(self, number: int, signal: int) -> str:
        """Send a signal to the real ``pipeline sync`` at its ``number``-th details request."""
        parking = self.state.park("details", number)
        command = [
            sys.executable,
            "-m",
            "pipeline",
            "sync",
            "--from",
            f"{FIRST}",
            "--to",
            f"{LAST}",
        ]
        process = subprocess.Popen(
            command,
            cwd=self.folder,
            env=self._environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        try:
            parking.wait(_PATIENCE)
            process.send_signal(signal)
            _, said = process.communicate(timeout=_PATIENCE)
        finally:
            process.kill()
            process.wait()
            parking.release()
        if process.returncode != 128 + signal:
            raise Missed(f"exit {process.returncode}: {said.decode(errors='replace').strip()}")
        return f"exit {process.returncode}, {self.kept()}"

    def while_held(
        self, operation: Operation, number: int, deed: Callable[[], object], **changes: Any
    ) -> str:
        """Do something while the service holds a run's ``number``-th request; tell how it ended."""
        parking = self.state.park(operation, number)
        with self.start(**changes) as child:
            parking.wait(_PATIENCE)
            deed()
            parking.release()
            return child.told(_PATIENCE)

    def lift(self) -> None:
        """End every fault of the service, and put all its switches back."""
        self.spoiled += sum(
            reading.fired
            for reading in self.state.faults()
            if reading.rule.kind in _SPOILS_QUIETLY and reading.rule.operation == "details"
        )
        self.state.parkings.release_all()
        self.state.set_faults()
        self.state.set_behaviour(_behaviour())

    @contextmanager
    def session(self) -> Iterator[psycopg.Connection[Any]]:
        """Open a session of our own in the warehouse, each statement for itself."""
        # Also where the fault makes the database read-only.
        writing = "-c default_transaction_read_only=off"
        with psycopg.connect(self.warehouse_url, autocommit=True, options=writing) as session:
            yield session

    def value(self, statement: str) -> Any:
        """Return the one value of a query."""
        with self.session() as session:
            row = session.execute(statement.encode()).fetchone()
        return row[0] if row else None

    def stored(self) -> int:
        """Count the activities whose details are in."""
        return int(
            self.value(
                "select count(*) from warehouse.activities where details_fetched_at is not null"
            )
        )

    def kept(self) -> str:
        """Tell how many activities are in, for people."""
        return f"{self.stored()} of {ACTIVITIES} in"

    def fetched(self) -> int:
        """Count the details requests that the service answered well, or was about to."""
        statuses = self.state.counters().by_status.get("details", {})
        return statuses.get("200", 0) + statuses.get("gone", 0) - self.spoiled

    def _environment(self) -> dict[str, str]:
        given = self.service.credentials
        return {
            **os.environ,
            "DAGSTER_HOME": str(self.folder),
            "ACTIVITIES_BASE_URL": self.service.base_url,
            "ACTIVITIES_API_KEY": given.api_key,
            "ACTIVITIES_USERNAME": given.username,
            "ACTIVITIES_PASSWORD": given.password,
            "ACTIVITIES_TIMEZONE": "UTC",
            "ACTIVITIES_START_DATE": FIRST.isoformat(),
            "ACTIVITIES_MAX_CONCURRENCY": "1",
            "WAREHOUSE_URL": self.warehouse_url,
        }


@contextmanager
def scene(databases: Databases, folder: Path) -> Iterator[Scene]:
    """Serve the made-up service and make an empty warehouse for it."""
    settings = SandboxSettings(
        activities=ACTIVITIES,
        people=PEOPLE,
        from_date=FIRST,
        to_date=LAST - ONE_DAY,
        now=NOON,
        frozen=True,
        behaviour=_behaviour(),
    )
    with databases.fresh() as url, Sandbox(settings).serve() as service:
        yield Scene(service, url, databases, folder)


def _behaviour() -> Behaviour:
    return Behaviour(max_limit=PAGE)
