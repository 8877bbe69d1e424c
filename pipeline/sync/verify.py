"""Verify: measures by random samples what the service hides (docs/design.md "Measure").

Fetches the details of random activities again, as any run does: what differs from the tables is stored,
and counts as stale. Each night ends with a small sample, `measure_night`.
"""

import asyncio
from dataclasses import dataclass

import sqlalchemy as sa

from pipeline.sync.context import Run
from pipeline.sync.doubts import ask_doubtful
from pipeline.sync.intervals import upper_bound
from pipeline.sync.limits import SAMPLE_LEAST, SAMPLE_PART
from pipeline.sync.options import Options
from pipeline.warehouse.state import quarantine, verifications

#: Lines of the log that name a stale activity.
_MOST_NAMED = 20


@dataclass
class Sample:
    """What a sample found, in activities.

    ``compared``: the answer was compared with the tables and stored, or it was a refusal that the
    tables show. ``refused``: answered 403 or 404, which the tables do not show. ``bound``: 95 % bound of
    the stale share over all samples until now, between 0 and 1; what was refused or failed counts as
    stale there.
    """

    sampled: int = 0
    compared: int = 0
    stale: int = 0
    refused: int = 0
    bound: float = 1.0

    @property
    def failed(self) -> int:
        """How many gave no readable answer, or one that could not be stored."""
        return self.sampled - self.compared - self.refused

    @property
    def problems(self) -> list[str]:
        """One line for each kind of trouble."""
        stale = f"{self.stale} of {self.compared} compared were stale; repaired"
        failed = f"{self.failed} of {self.sampled} gave no answer that could be read and stored"
        return [*([stale] if self.stale else []), *([failed] if self.failed else [])]


def night_sample(options: Options, sent: int) -> int:
    """Return the size of a night's sample. ``sent``: requests of the night until then."""
    return min(max(sent // SAMPLE_PART, SAMPLE_LEAST), options.night_sample)


async def measure_night(run: Run) -> None:
    """End a night with a small sample.

    What was stale is repaired, so it is no problem of the run: a check of the bound warns. What went to
    quarantine is one, also on days that the run did not walk. Errors as of `measure`.
    """
    size = night_sample(run.options, run.client.pace.sent)
    if size > 0:
        sample = await measure(run, size)
        for problem in sample.problems:
            run.progress.log(f"the night's sample: {problem}")


async def measure(run: Run, size: int) -> Sample:
    """Fetch ``size`` random stored activities again, and store the result with the bound over all samples.

    Every difference counts as stale, also a change since the last run: measured right after a run,
    the share is what the list hides. What this run has fetched already is not fetched again. The run judges
    afterwards what was refused. Raises ``ServiceError`` or ``WarehouseError`` when it can't go on; no share
    is stored then.
    """
    drawn = await asyncio.to_thread(verifications.draw, run.engine, size)
    names = {each.activity_id for each in drawn}
    run.looked_at |= {each.day for each in drawn if each.day is not None}
    differing = run.loader.loaded.differing
    await run.worker.work(drawn)
    await run.worker.finish()
    await ask_doubtful(run, everywhere=False)
    loaded, worker = run.loader.loaded, run.worker
    shown = {each.activity_id for each in drawn if each.reason == "refused"}
    quarantined = {
        each.subject for each in await asyncio.to_thread(quarantine.unresolved, run.engine)
    }
    lost = names & ({*worker.failed} | quarantined)
    refused = names & worker.refused.keys() - shown - lost
    stale = (names & loaded.differing) - differing - lost - worker.refused.keys()
    # What the tables show already is not judged again.
    for name in shown:
        worker.refused.pop(name, None)
    for name in sorted(stale)[:_MOST_NAMED]:
        run.progress.log(f"was stale: {name}")
    sample = Sample(len(drawn), len(drawn) - len(refused) - len(lost), len(stale), len(refused))
    await asyncio.to_thread(_store, run.engine, run.run_id, sample)
    return sample


def _store(engine: sa.Engine, run_id: str, sample: Sample) -> None:
    """Store a sample's result with the bound over all samples."""
    before = verifications.so_far(engine)
    doubtful = sample.sampled - sample.compared + sample.stale
    sample.bound = upper_bound(before.doubtful + doubtful, before.sampled + sample.sampled)
    names = ("sampled", "compared", "stale", "refused", "failed")
    counts = {name: getattr(sample, name) for name in names}
    verifications.record(engine, {"run_id": run_id, **counts, "stale_upper_bound": sample.bound})
