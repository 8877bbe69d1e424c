"""``python -m tests.benchmarks.year``: a year of nights, faults included, without Dagster.

A service has two months of activities at first, 50 more each day, and pages of up to 500 rows. Nobody
shares for more than 30 days: so the number of activities that are not final, all looked at each night, does
not grow by itself, and the warehouse does. Each night is what the nightly job does, with the refresh of the
views, in a process of its own: so its CPU is measured without the service's. Pruning goes by PostgreSQL's
clock; each week the times of runs and of resolved entries are set back by seven days.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import platform
import random
import statistics
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import msgspec

from pipeline.local import LocalPostgres
from pipeline.sandbox import FaultRule
from pipeline.sync.options import Options
from pipeline.warehouse.schema.migrate import migrate
from pipeline.warehouse.schema.refresh import refresh
from tests.benchmarks.figures import RESULTS, table
from tests.support.mirroring import Warehouse, compare, sandbox
from tests.support.postgres import HASTY, discard, session_folder

if TYPE_CHECKING:
    from pipeline.sandbox import Running

FIRST = date(2025, 1, 1)
A_DAY = 50
SHARED_DAYS = 30
KEEP = Options(start=FIRST, keep_versions=3)

SIZES = """
select pg_database_size(current_database()), (select count(*) from warehouse.activities),
    (select count(*) from landing.activity_details), (select count(*) from sync.run_changes)
"""
AGED = """
update sync.runs set started_at = started_at - interval '7 days';
update sync.quarantine set resolved_at = resolved_at - interval '7 days';
"""


@dataclass(frozen=True)
class Night:
    """What one night cost. ``walked``: list requests; ``details``: the others. ``size``: bytes after it."""

    walked: int
    details: int
    cpu: float
    seconds: float
    size: int
    activities: int
    bodies: int
    changes: int

    @property
    def requests(self) -> int:
        """All requests."""
        return self.walked + self.details


def night(url: str, base_url: str, credentials: Any, today: date) -> Night:
    """Do what the nightly job does; return what it cost this process."""
    service: Any = SimpleNamespace(base_url=base_url, credentials=credentials)
    warehouse = Warehouse(url, service, options=KEEP)
    began, cpu = time.monotonic(), time.process_time()
    parts = warehouse.nightly(today)
    with warehouse.engine() as engine:
        refresh(engine)
    spent = time.process_time() - cpu
    return Night(
        sum(part.list_requests for part in parts),
        sum(part.details_requests for part in parts),
        spent,
        time.monotonic() - began,
        *warehouse.query(SIZES)[0],
    )


def end_sharing(service: Running, oldest: int) -> None:
    """Let what is older than ``SHARED_DAYS``, and is of the ``oldest`` days before, expire."""
    state, recent = service.state, SHARED_DAYS * A_DAY
    for activity_id in state.ids()[-recent - oldest * A_DAY : -recent]:
        status = msgspec.json.decode(state.truth_of(activity_id).row)["status"]
        if status in ("ACCEPTED", "COMPLETED"):
            state.move(activity_id, "expire")


def pass_a_day(service: Running, draw: random.Random, number: int) -> None:
    """Let a day pass: new activities, one that is deleted at times, and a fault for one night in five."""
    state = service.state
    state.set_clock(advance_ms=86_400_000)
    now = state.clock.now()
    for _ in range(A_DAY):
        state.create(created_at=now - draw.randrange(86_400_000))
    # Some are deleted, so a day has fewer, and a second one is looked at.
    end_sharing(service, 2)
    ids = state.ids()
    if number % 10 == 3:
        state.delete(draw.choice(ids[-500:]))
    sick = FaultRule(kind="status", operation="details", id=draw.choice(ids[-100:]))
    busy = FaultRule(kind="status", status=503, rate=0.05, seed=number)
    state.set_faults(*({0: (sick,), 5: (busy,)}.get(number % 10, ())))


def live(before: int, nights: int) -> tuple[list[Night], list[str]]:
    """Play the nights after ``before`` days of activities.

    Return what each cost, and what the warehouse has otherwise than the service.
    """
    draw = random.Random(1)
    with ExitStack() as opened:
        home = opened.enter_context(session_folder()) / "year"
        server = LocalPostgres(home, settings=HASTY).start()
        opened.callback(discard, server)
        url = server.url()
        migrate(url)
        last = FIRST + timedelta(days=before - 1)
        at_night = datetime(last.year, last.month, last.day, 4, 30, tzinfo=UTC) + timedelta(days=1)
        service = opened.enter_context(
            sandbox(
                before * A_DAY,
                from_date=FIRST,
                to_date=last,
                now=at_night,
                behaviour={"max_limit": KEEP.page_size},
            )
        )
        end_sharing(service, before)
        spawn = multiprocessing.get_context("spawn")
        process = opened.enter_context(ProcessPoolExecutor(1, mp_context=spawn))
        told: list[Night] = []
        for number in range(-1, nights):
            # The first one only loads what was there before the year begins.
            today = last + timedelta(days=number + 2)
            given = (url, service.base_url, service.credentials, today)
            cost = process.submit(night, *given).result()
            told += [cost] if number >= 0 else []
            if number % 7 == 6:
                Warehouse(url, service).execute(AGED)
            print(number + 1, cost, file=sys.stderr, flush=True)  # noqa: T201
            if number + 1 < nights:
                pass_a_day(service, draw, number + 1)
        service.state.set_faults()
        process.submit(night, *given).result()
        return told, compare(url, service.state.truth())


def summary(nights: list[Night], left: list[str]) -> str:
    """Return the table in Markdown: the first and the last four weeks of nights."""
    # Four weeks: what is read again after seven days comes in waves.
    number = min(28, len(nights) // 2)
    first, last = nights[:number], nights[-number:]
    rows = []
    for what in ("requests", "walked", "details", "cpu", "seconds"):
        before, after = (
            statistics.mean(getattr(each, what) for each in part) for part in (first, last)
        )
        rows.append([what, f"{before:.2f}", f"{after:.2f}", f"{after / before:.2f}"])
    end = nights[-1]
    machine = f"{os.cpu_count()} cores, Python {platform.python_version()}"
    return (
        f"{len(nights)} nights, {A_DAY} new activities each, {machine}; means of {number} nights.\n\n"
        + table(["a night", "at first", "at last", "ratio"], rows)
        + f"\n\nAt the end: {end.activities:,} activities, {end.size / 2**20:.0f} MiB,"
        f" {end.bodies:,} versions of details, {end.changes:,} changes of runs;"
        f" {len(left)} differences from the service.\n"
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.year", description=__doc__)
    parser.add_argument("--before", type=int, default=60, help="days before (60)")
    parser.add_argument("--nights", type=int, default=365, help="nights (365)")
    parser.add_argument("--output", type=Path, default=RESULTS, help="folder for what comes out")
    chosen = parser.parse_args()
    text = summary(*live(chosen.before, chosen.nights))
    (chosen.output / "year.md").write_text(text, encoding="utf-8")
    print(text)  # noqa: T201
