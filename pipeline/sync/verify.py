"""Verify: measures by random samples what the service hides (docs/design.md "Measure").

Fetches the details of random activities again, compares the tables with the answers, and loads the
answers as an ordinary run does. That repairs what was stale. Each night ends with a small sample,
`measure_night`; `verify_sample` takes one of any size.
"""

import asyncio
from dataclasses import dataclass, field
from datetime import date
from functools import partial

import sqlalchemy as sa

from pipeline.sync.budget import shared_budget
from pipeline.sync.context import Run
from pipeline.sync.intervals import clopper_pearson, upper_bound
from pipeline.sync.loading import Loader
from pipeline.sync.mapping import Mapper, load_mapper
from pipeline.sync.options import Summary, Tools
from pipeline.sync.recording import RunRecord
from pipeline.sync.stamps import stamps
from pipeline.sync.work import Refusal, Worker
from pipeline.warehouse import coverage, quarantine, verifications
from pipeline.warehouse.load import load, load_again
from pipeline.warehouse.merge import LoadCounts
from pipeline.warehouse.refresh import refresh
from pipeline.warehouse.todo import Todo

#: Why the day of a refused activity is read again.
_REFUSED = "details of activities were refused in a sample; the next night reads the list again"

#: Lines of the log that name a stale activity.
_MOST_NAMED = 20
#: A night's sample takes a tenth of the requests that its process sent before, but no fewer than these.
_NIGHTS_PART, _NIGHTS_LEAST = 10, 5


@dataclass
class Sample:
    """What a sample found, in activities.

    ``compared``: the answer was compared with the tables and stored, or it was a refusal that the
    tables show. ``refusals``: answers 403 and 404, which only an ordinary run can judge. ``bound``:
    95 % bound of the stale share over all samples until now, between 0 and 1; what was refused or
    failed counts as stale there. ``days``: of the drawn activities. ``loaded``: what the load did.
    """

    sampled: int = 0
    compared: int = 0
    bound: float = 1.0
    stale_ids: list[str] = field(default_factory=list)
    days: set[date] = field(default_factory=set)
    refusals: dict[str, Refusal] = field(default_factory=dict)
    loaded: LoadCounts = field(default_factory=LoadCounts)

    @property
    def refused(self) -> int:
        """How many were refused."""
        return len(self.refusals)

    @property
    def stale(self) -> int:
        """How many of the compared activities the tables held otherwise."""
        return len(self.stale_ids)

    @property
    def failed(self) -> int:
        """How many gave no readable answer, or one that could not be stored."""
        return self.sampled - self.compared - self.refused

    @property
    def interval(self) -> tuple[float, float]:
        """95 % interval of the stale share of the compared ones, from this sample alone."""
        return clopper_pearson(self.stale, self.compared)

    @property
    def problems(self) -> list[str]:
        """One line for each kind of trouble."""
        stale = f"{self.stale} of {self.compared} compared were stale; repaired"
        failed = f"{self.failed} of {self.sampled} gave no answer that could be read and stored"
        return [*([stale] if self.stale else []), *([failed] if self.failed else [])]


@dataclass
class VerifyReport(Summary):
    """What ``pipeline verify`` did and found."""

    sample: Sample = field(default_factory=Sample)


async def verify_sample(tools: Tools, run_id: str, size: int) -> VerifyReport:
    """Measure a sample of ``size`` activities in a run of its own, then refresh the stored views.

    Raises ``ServiceError`` or ``WarehouseError`` when it can't go on; no share is stored then.
    """
    report = VerifyReport(run_id, "verify")
    client, engine = tools.client, tools.engine
    async with RunRecord(engine, report, client.counts), shared_budget(engine, client):
        mapper = await asyncio.to_thread(load_mapper, engine, tools.zone)
        report.sample = await _measure(tools, mapper, run_id, size)
        report.loaded, report.problems = report.sample.loaded, report.sample.problems
        report.quarantined = report.loaded.quarantined
        await asyncio.to_thread(refresh, engine)
    return report


async def measure_night(run: Run) -> None:
    """End a night with a small sample, in its run, which judges what is refused.

    What was stale is repaired, so it is no problem of the run: a check of the bound warns. What went to
    quarantine is one, also on days that the run did not walk. Errors as of `verify_sample`.
    """
    part = run.client.pace.sent // _NIGHTS_PART
    size = min(max(part, _NIGHTS_LEAST), run.options.night_sample)
    if size == 0:
        return
    sample = await _measure(run, run.mapper, run.run_id, size)
    run.loader.loaded += sample.loaded
    run.touched |= sample.days
    for problem in sample.problems:
        run.progress.log(f"the night's sample: {problem}")
    run.worker.refused |= sample.refusals
    run.worker.asked |= sample.refusals.keys()


async def _measure(tools: Tools, mapper: Mapper, run_id: str, size: int) -> Sample:
    """Fetch ``size`` random stored activities again, compare, repair, and store the result.

    Every difference counts as stale, also a change since the last run: measured right after a run,
    the share is what the list hides. Unreadable answers go to quarantine.
    """
    sample, engine = Sample(), tools.engine
    loader = Loader(engine, partial(load, engine, run_id, mapper), tools.options)
    drawn = await asyncio.to_thread(verifications.draw, engine, size)
    names = [each.activity_id for each in drawn]
    # Rows altered by hand: the load would leave them where the answer is not believed.
    altered = {each.activity_id for each in drawn if each.altered}
    await asyncio.to_thread(load_again, engine, run_id, mapper, sorted(altered))
    # Later than all that was stored before, by the warehouse's order.
    stamp = await asyncio.to_thread(stamps, engine)
    worker = Worker(tools, mapper, loader, stamp)
    async with worker.working():
        await worker.work(Todo(each.activity_id, each.day, "sampled") for each in drawn)
        await worker.finish()
    sample.loaded = loader.loaded
    failed = {*worker.failed, *worker.again, *loader.loaded.odd}
    shown = {each.activity_id for each in drawn if each.refusal_known}
    sample.sampled = len(drawn)
    sample.refusals = {name: each for name, each in worker.refused.items() if name not in shown}
    quarantined = {each.subject for each in await asyncio.to_thread(quarantine.held, engine)}
    lost = [name for name in names if name in failed or name in quarantined]
    sample.compared = len(drawn) - sample.refused - len(lost)
    sample.stale_ids = sorted((loader.loaded.differing | altered) - {*lost, *worker.refused})
    for name in sample.stale_ids[:_MOST_NAMED]:
        tools.progress.log(f"was stale: {name}")
    sample.days = {each.day for each in drawn if each.day is not None}
    await asyncio.to_thread(_conclude, engine, run_id, sample)
    # Only the list can say why.
    days = {each.todo.day for each in sample.refusals.values() if each.todo.day is not None}
    await asyncio.to_thread(coverage.doubt, engine, days, _REFUSED)
    return sample


def _conclude(engine: sa.Engine, run_id: str, sample: Sample) -> None:
    """Store a sample's result with the bound over all samples."""
    before = verifications.so_far(engine, but=run_id)
    doubtful = sample.sampled - sample.compared + sample.stale
    sample.bound = upper_bound(before.doubtful + doubtful, before.sampled + sample.sampled)
    low, high = sample.interval
    names = ("sampled", "compared", "stale", "refused", "failed")
    counts = {name: getattr(sample, name) for name in names}
    shares = {"share_low": low, "share_high": high, "stale_upper_bound": sample.bound}
    verifications.record(engine, {"run_id": run_id, **counts, **shares})
