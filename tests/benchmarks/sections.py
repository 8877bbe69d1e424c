"""What is measured: each section takes the arena and returns figures."""

from __future__ import annotations

import asyncio
import importlib.util
import shutil
import statistics
import time
from collections import defaultdict
from contextlib import ExitStack
from dataclasses import asdict, dataclass, replace
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING

import psycopg

from tests.benchmarks import rows
from tests.benchmarks.arena import Arena, Cost
from tests.benchmarks.contestants import floor
from tests.benchmarks.copies import copy_held
from tests.benchmarks.precomputed import Activities, change_last, precomputed
from tests.benchmarks.task import Task

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    Told = Callable[[str], object]

#: Days, and activities, of the load before the nights without news.
DAYS = 20

#: Milliseconds before each answer, and requests in flight, where waiting is measured.
LATENCY = 50
IN_FLIGHT = 64

#: What the parts of the last night found, that of the newest days first; the rows of the list they read.
_LAST_NIGHT = """
select array_agg(changed + new order by kind), sum(listed)::bigint
from (select * from sync.runs order by started_at desc limit 2) as night
"""

#: Checks of a night look at what came within a week: what is stored first is to be a month old.
_AGE = """
set session_replication_role = replica;
update warehouse.activities set
    first_seen_at = first_seen_at - interval '30 days',
    details_fetched_at = details_fetched_at - interval '30 days'
"""


@dataclass(frozen=True)
class SideBySide:
    """First loads and unchanged re-runs by contestant, medians; requests a second of both sides."""

    first: dict[str, Cost]
    again: dict[str, Cost]
    first_requests: int
    again_requests: int
    stand_in_rate: float
    product_rate: float


@dataclass(frozen=True)
class Start:
    """An ordinary night without news, and Dagster alone with the ``events`` of one; medians.

    ``first_load``: Dagster alone with the events of a first load over ``days``.
    """

    night: Cost
    events: Cost
    days: int
    first_load: Cost


@dataclass(frozen=True)
class Waiting:
    """A first load where each answer takes `LATENCY` ms, beside the least that its requests can take.

    ``seconds``: from the start of its process to its exit. ``empty``: those of the same command where
    the service has no activities. ``ideal``: all requests, `IN_FLIGHT` at once, and nothing else.
    """

    seconds: float
    empty: float
    ideal: float

    @property
    def ratio(self) -> float:
        """What is above the empty run, to the ideal."""
        return (self.seconds - self.empty) / self.ideal


@dataclass(frozen=True)
class Grown:
    """A night, the rows of the list that it read, and seconds of the view and the command; medians."""

    night: Cost
    listed: int
    freshness: float
    status: float


def contestants() -> list[str]:
    """Return who is measured: those of the extra ``rivals`` too, where they are installed."""
    found = ["product", "floor", "afternoon"]
    rivals = {"bare": "httpx_aiohttp", "dlt_pipeline": "dlt"}
    return [*found, *(name for name, module in rivals.items() if importlib.util.find_spec(module))]


def side_by_side(arena: Arena, number: int, days: int, runs: int, told: Told) -> SideBySide:
    """Measure all contestants in turn, ``runs`` times."""
    served = _until_yesterday(number, days)
    names = contestants()
    costs: dict[tuple[str, bool], list[Cost]] = {}
    with precomputed(served) as url:
        with arena.fresh() as database:
            task = _task(arena, served, url, database)
            arena.measure("product", task)
            shutil.rmtree(arena.folder / "rows", ignore_errors=True)
            rows.save(database, arena.folder / "rows", number)
        for turn in range(runs):
            for name in names:
                with arena.fresh() as database:
                    for again in (False, True):
                        now = replace(task, database=database, again=again)
                        cost = arena.measure(name, now)
                        costs.setdefault((name, again), []).append(cost)
                    if name == "product":
                        asked = _requests(database)
                told(f"{days} days, round {turn + 1} of {runs}: {name}")
        rate = number / _seconds_to_fetch(url, number)
    first = {name: median(costs[name, False]) for name in names}
    return SideBySide(
        first,
        {name: median(costs[name, True]) for name in names},
        asked[0],
        asked[1],
        rate,
        number / first["product"].seconds,
    )


def over_days(
    arena: Arena, number: int, over: Sequence[int], runs: int, told: Told
) -> dict[int, tuple[Cost, Cost]]:
    """Return what a first load and an unchanged re-run cost, by the days of the activities."""
    found = {}
    for days in over:
        served = _until_yesterday(number, days)
        costs = []
        with precomputed(served) as url:
            for _ in range(runs):
                with arena.fresh() as database:
                    task = _task(arena, served, url, database)
                    costs.append((arena.measure("product", task), arena.measure("product", task)))
        first, again = zip(*costs, strict=True)
        found[days] = median(first), median(again)
        told(f"{days} days: {found[days][0].cpu:.1f} and {found[days][1].cpu:.1f} s of CPU")
    return found


def start(arena: Arena, days: int, runs: int, told: Told) -> Start:
    """Measure ordinary nights without news, and Dagster alone, in turn.

    ``days``: of the first load whose events are measured.
    """
    served = _until_yesterday(DAYS, DAYS)
    costs: dict[str, list[Cost]] = defaultdict(list)
    with precomputed(served) as url, arena.fresh() as database:
        task = _task(arena, served, url, database)
        arena.measure("product", task)
        for _ in range(runs + 1):
            costs["night"].append(arena.measure("product", replace(task, arguments=("sync",))))
            for each in (0, days):
                alone = arena.measure("dagster_events", replace(task, days=each))
                costs[f"{each} days"].append(alone)
    # The first of each warms up.
    night, events, first_load = (median(measured[1:]) for measured in costs.values())
    told(f"a night without news: {night.cpu:.2f}, Dagster alone {events.cpu:.2f}")
    return Start(night, events, days, first_load)


def latency(
    arena: Arena, loads: Sequence[tuple[int, int, int]], runs: int, told: Told
) -> dict[str, Waiting]:
    """Measure first loads where each answer takes `LATENCY` ms, by what is loaded.

    ``loads``: activities, their days, and the days before these, which hold none.
    """
    found = {}
    for number, days, before in loads:
        served = replace(_until_yesterday(number, days), latency=LATENCY)
        each = [_waiting(arena, served, before) for _ in range(runs)]
        what = f"{number:,} over {days} days" + (f", {before} empty ones before" if before else "")
        found[what] = sorted(each, key=lambda waiting: waiting.ratio)[len(each) // 2]
        told(f"{what}: {found[what]}")
    return found


def _waiting(arena: Arena, served: Activities, before: int) -> Waiting:
    """Measure one first load, and the same command where there is nothing to load."""
    seconds = []
    for number in (0, served.number):
        each = replace(served, number=number)
        with precomputed(each) as url, arena.fresh() as database:
            task = _task(arena, each, url, database, IN_FLIGHT)
            first = served.first - timedelta(days=before)
            task = replace(task, first=first, arguments=_range(first, served.last))
            seconds.append(arena.measure("product", task).seconds)
            requests = _requests(database)
    return Waiting(seconds[1], seconds[0], requests[0] * LATENCY / 1000 / IN_FLIGHT)


def growth(
    arena: Arena, number: int, over: Sequence[tuple[int, int]], runs: int, told: Told
) -> dict[int, Grown]:
    """Return what a night with a tenth of ``number`` changed costs, by the size of the warehouse.

    ``over``: how many times ``number`` it holds, and over how many days. The last ``number`` are stored
    by the product's own first load, the others copied from them.
    """
    with ExitStack() as places:
        tasks = []
        for times, days in over:
            served = _until_yesterday(number * times, days)
            url = places.enter_context(precomputed(served))
            task = _task(arena, served, url, places.enter_context(arena.fresh()))
            # Dagster's history is one warehouse's.
            task = replace(task, folder=arena.folder / str(served.number))
            shutil.copytree(arena.folder / "project", task.folder / "project")
            _store_history(arena, task, served, number)
            tasks.append(replace(task, arguments=("sync",)))
            arena.measure("product", tasks[-1])
            told(f"{served.number:,} activities are stored")
        found = defaultdict[int, list[Grown]](list)
        for turn in range(runs):
            # By turns: a machine does not keep its speed.
            for task in tasks:
                found[task.number].append(_grown(arena, task, number // 10, back=turn % 2 == 1))
                told(f"{task.number:,} activities: {found[task.number][-1]}")
    return {size: _middle(nights) for size, nights in found.items()}


def _grown(arena: Arena, task: Task, changed: int, *, back: bool) -> Grown:
    change_last(task.url, 0 if back else changed)
    cost = arena.measure("product", task)
    with psycopg.connect(task.database) as session:
        ((found, listed),) = session.execute(_LAST_NIGHT).fetchall()
        began = time.monotonic()
        session.execute("select * from analytics.freshness")
        freshness = time.monotonic() - began
    if found != [changed, 0]:
        raise RuntimeError(f"the parts of the night found {found} changed")
    status = arena.measure("product", replace(task, arguments=("status",))).seconds
    return Grown(cost, listed, freshness, status)


def _middle(nights: Sequence[Grown]) -> Grown:
    names = ("freshness", "status")
    times = [statistics.median(getattr(each, name) for each in nights) for name in names]
    return Grown(median(each.night for each in nights), nights[-1].listed, *times)


def _store_history(arena: Arena, task: Task, served: Activities, held: int) -> None:
    """Load the last ``held`` activities, as a month ago, and copy them for all others."""
    newest = task.last - timedelta(days=held * task.days // task.number - 1)
    arena.measure("product", replace(task, arguments=_range(newest, task.last)))
    with psycopg.connect(task.database, autocommit=True) as session:
        session.execute(_AGE)
        copy_held(task.database, served, held)
        session.execute("vacuum analyze")  # as PostgreSQL does by itself elsewhere


def _until_yesterday(number: int, days: int) -> Activities:
    return Activities(number, days, first=datetime.now(UTC).date() - timedelta(days=days))


def median(costs: Iterable[Cost]) -> Cost:
    """Return the median of each figure."""
    each = [asdict(cost) for cost in costs]
    middle = {name: statistics.median(cost[name] for cost in each) for name in each[0]}
    return Cost(**middle)


def _task(arena: Arena, served: Activities, url: str, database: str, concurrency: int = 16) -> Task:
    return Task(
        url,
        database,
        arena.folder,
        served.number,
        served.days,
        served.first,
        concurrency,
        arguments=_range(served.first, served.last),
    )


def _range(first: date, last: date) -> tuple[str, ...]:
    return ("sync", "--from", first.isoformat(), "--to", last.isoformat())


def _requests(database: str) -> list[int]:
    """Return the requests of each run, in order."""
    with psycopg.connect(database) as session:
        found = session.execute("select requests from sync.runs order by started_at").fetchall()
    return [requests for (requests,) in found]


def _seconds_to_fetch(url: str, number: int) -> float:
    """Return how long raw sockets take to fetch all details: as fast as the stand-in answers."""
    began = time.monotonic()
    asyncio.run(floor.fetch(url, floor.details_paths(range(number)), 16))
    return time.monotonic() - began
