"""One trial: a made-up service, an empty warehouse, and the runs and faults between the two."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, LiteralString

import msgspec
import psycopg

from pipeline.sandbox import Behaviour, SandboxSettings
from pipeline.sync.days import ONE_DAY
from tests.support.comparison import instant
from tests.support.faults.runs import (
    BATCH,
    FIRST,
    LAST,
    PAGE,
    PATIENCE,
    WORKERS,
    Child,
    Job,
    Missed,
    run,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pipeline.sandbox import SandboxState, Truth
    from pipeline.sandbox.faults import Operation
    from pipeline.sandbox.parking import Phase
    from tests.support.faults.runs import End

ACTIVITIES, PEOPLE = 60, 20

#: The made-up service: its activities were created before the last day, and its clock stands still
#: at noon of that day.
SERVICE = SandboxSettings(
    activities=ACTIVITIES,
    people=PEOPLE,
    from_date=FIRST,
    to_date=LAST - ONE_DAY,
    now=datetime(2025, 4, 1, 12, tzinfo=UTC),
    frozen=True,
    behaviour=Behaviour(max_limit=PAGE),
)

#: One request after the other: no later request overtakes the one that the service holds.
ONE_BY_ONE: dict[str, Any] = {"workers": 1, "walks": 1}

_POLL_SECONDS = 0.01
_TRIGGER = """
create function public.fault() returns trigger language plpgsql as $body$
begin
    {action}
    return null;
end
$body$;
create {timing} execute function public.fault();
"""


@dataclass
class Trial:
    """What a fault can use.

    ``job``: a plain run over all days. ``needed``: good details that the service would send without
    any fault. ``repeatable``: how many more are allowed, because runs were killed or stopped.
    """

    state: SandboxState
    job: Job
    needed: int = ACTIVITIES
    repeatable: int = 0

    def run(self, **changes: Any) -> End:
        """Run to the end in this process; ``changes`` are fields of `Job`."""
        ended = run(msgspec.structs.replace(self.job, **changes))
        if ended.status == "stopped":
            self.allow_repeats()
        return ended

    def start(self, **changes: Any) -> Child:
        """Start a run in a process of its own."""
        return Child(msgspec.structs.replace(self.job, **changes))

    def kill(self, child: Child) -> None:
        """Kill a run. Raises `Missed` when it had ended before."""
        child.kill()
        self.allow_repeats()

    @contextmanager
    def hold(
        self, operation: Operation, number: int, phase: Phase = "before"
    ) -> Iterator[Callable[[], None]]:
        """Let the service hold the ``number``-th request of an operation until the block ends.

        Yields a function that waits for this request and raises ``TimeoutError`` if it does not come.
        """
        parking = self.state.park(operation, number, phase=phase)
        try:
            yield lambda: parking.wait(PATIENCE)
        finally:
            parking.release()

    def while_held(
        self, operation: Operation, number: int, act: Callable[[], object], **changes: Any
    ) -> End:
        """Run; call ``act`` while the service holds the ``number``-th request of an operation."""
        with ThreadPoolExecutor(1) as thread:
            with self.hold(operation, number) as wait:
                ended = thread.submit(self.run, **changes)
                wait()
                act()
            return ended.result()

    def allow_repeats(self) -> None:
        """Allow the next run to repeat what a killed or stopped run had in flight and one batch."""
        self.repeatable += WORKERS + BATCH

    @contextmanager
    def session(self) -> Iterator[psycopg.Connection[Any]]:
        """Open a session in the warehouse in which each statement commits by itself."""
        # A fault may have made the database read-only.
        writing = "-c default_transaction_read_only=off"
        with psycopg.connect(self.job.warehouse_url, autocommit=True, options=writing) as session:
            yield session

    @contextmanager
    def trigger(self, timing: str, action: str) -> Iterator[psycopg.Connection[Any]]:
        """Set a trigger that does ``action`` (PL/pgSQL); yield the session in which it was set."""
        with self.session() as session:
            session.execute(_TRIGGER.format(timing=timing, action=action).encode())
            try:
                yield session
            finally:
                session.execute("drop function public.fault() cascade")

    def wait_for(self, query: LiteralString, *parameters: object) -> tuple[Any, ...]:
        """Return the first row of the query as soon as there is one. Raises `Missed`."""
        deadline = time.monotonic() + PATIENCE
        with self.session() as session:
            while time.monotonic() < deadline:
                if row := session.execute(query, parameters).fetchone():
                    return tuple(row)
                time.sleep(_POLL_SECONDS)
        raise Missed(f"no row within {PATIENCE:g} s of: {' '.join(query.split())}")

    def value(self, query: LiteralString) -> Any:
        """Return the one value of a query."""
        return self.wait_for(query)[0]

    def covers(self, truth: Truth) -> bool:
        """Whether an activity was created on a day of the run: a query may reach further than these."""
        created_at = instant(truth.row_fields()["created_at"])
        return created_at is not None and FIRST <= created_at.date() <= LAST

    def stored(self) -> int:
        """Count the activities whose details are stored."""
        return int(self.value("select count(details_fetched_at) from warehouse.activities"))

    def progress(self) -> str:
        """Say how many activities are stored."""
        return f"{self.stored()} of {ACTIVITIES} in"

    def wasted(self) -> int:
        """Count the good details that the service sent beyond what was needed and is allowed."""
        answered = self.state.counters().by_status["details"]["200"]
        return max(0, answered - self.needed - self.repeatable)
