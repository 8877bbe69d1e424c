"""One run: log in, plan, walk, decide, fetch, load, account (docs/design.md "One run").

For each window of days, one after another: ``walk.py`` lists its activities, ``decide.py`` decides
which of them need details, ``fetching.py`` fetches these, ``loading.py`` loads them in batches, and
``accounting.py`` writes what the window's days list and hold.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from random import Random

from pipeline.sync.accounting import name_slow_clock, place_undated, sum_up, write_coverage
from pipeline.sync.budget import shared_budget
from pipeline.sync.context import Run
from pipeline.sync.day_boundaries import learn_day_boundaries
from pipeline.sync.days import UNKNOWN, DayBoundaries, DayRange, windows
from pipeline.sync.decide import Decider
from pipeline.sync.fetching import Fetcher, Work
from pipeline.sync.heal import heal
from pipeline.sync.listing import PageSize
from pipeline.sync.loading import Loader
from pipeline.sync.mapping import load_mapper
from pipeline.sync.options import Summary, Tools
from pipeline.sync.plan import Plan, plan_days, plan_older_days
from pipeline.sync.recording import RunRecord
from pipeline.sync.stamps import stamps
from pipeline.sync.unlisted import (
    ask_unlisted,
    doubt_elsewhere,
    fetch_unverified,
    mark_gone,
    mark_unlisted,
    unknown_elsewhere,
)
from pipeline.sync.verify import measure_night
from pipeline.sync.walk import Walker, WalkResult
from pipeline.telemetry import step
from pipeline.warehouse import coverage, due, ledger, runs, service_facts
from pipeline.warehouse.engine import in_transaction
from pipeline.warehouse.erase import Due, erase_due
from pipeline.warehouse.erasures import set_policy
from pipeline.warehouse.load import load
from pipeline.warehouse.prune import prune
from pipeline.warehouse.zones import check_zone


@dataclass(eq=False, repr=False)
class Mirror(Tools):
    """Mirrors the service into the warehouse: one object and one login for all runs of a process.

    ``boundaries``: asked for until known.
    """

    boundaries: DayBoundaries = UNKNOWN

    async def sync_days(self, run_id: str, days: DayRange) -> Summary:
        """Bring ``days`` up to date: walk, fetch what is new, changed or due, load, account.

        Raises ``ServiceError``, ``WarehouseError`` or ``SyncError`` when the run can't go on; what was
        fetched until then is kept. The summary names what is quarantined or unverified.
        """
        return await self._carry_out(
            Summary(run_id, "days", days), lambda run: plan_days(run, days)
        )

    async def sync_open(self, run_id: str, before: date) -> Summary:
        """Examine again what is due in the days before ``before``; errors as of `sync_days`."""
        return await self._carry_out(
            Summary(run_id, "open"), lambda run: plan_older_days(run, before)
        )

    async def _carry_out(self, summary: Summary, make_plan: Callable[[Run], Plan]) -> Summary:
        # The record opens before the login, so a refused login is a failed run that everyone sees.
        async with (
            RunRecord(self.engine, summary, self.client.counts),
            shared_budget(self.engine, self.client),
        ):
            run = await self._prepare(summary)
            # Before and after: erasing must not wait for a run that succeeds, and what this run
            # brings may have expired already.
            await self._erase_due(summary)
            with step("plan"):
                plan = await asyncio.to_thread(make_plan, run)
            if plan.note:
                self.progress.log(plan.note)
            number, single = len(plan.windows), len(plan.activities)
            self.progress.step(f"to walk: {number} windows of days; to fetch one by one: {single}")
            try:
                async with run.fetcher.working():
                    await _sync_windows(run, plan, plan.windows)
                    await _sync_activities(run, plan)
                    await ask_unlisted(run)
                    # Not reached after an outage or lost access: so an activity is blamed only for
                    # its own failure.
                    await run.loader.store(run.findings.postponed)
                    await doubt_elsewhere(run)
                    # Last, because the brake raises: everything else is stored by then.
                    await mark_gone(run)
                # Nothing is held back any more, and nothing stopped the run.
                await asyncio.to_thread(coverage.decided, self.engine, run.run_id)
                if plan.before is not None:
                    await measure_night(run)
                    await self._prune(summary)
                await asyncio.to_thread(sum_up, run, summary, plan.before)
                await self._erase_due(summary)
            finally:
                summary.listed = sum(run.findings.listed.values())
                summary.unchanged = run.findings.unchanged
                summary.loaded = run.loader.loaded
        return summary

    async def _prepare(self, summary: Summary) -> Run:
        """Log in, heal what was altered, and read what earlier runs learned."""
        run_id = summary.run_id
        client, engine, options = self.client, self.engine, self.options
        await client.login()
        if client.clock.difference is not None:
            self.progress.step(f"{client.clock.difference}: due work goes by the service's")
            summary.problems += name_slow_clock(summary.days, client.clock, self.zone)
        restored = await asyncio.to_thread(service_facts.learn_database, engine)
        if restored is not None:
            self.progress.log(restored)
        difference = await asyncio.to_thread(check_zone, engine, self.zone, options.start)
        if difference is not None:
            self.progress.log(difference)
        # Both before any load: they decide the day under which, and whether, values are stored.
        previous = await asyncio.to_thread(service_facts.learn_zone, engine, self.zone.key)
        if previous is not None:
            self.progress.log(
                f"days are now cut in {self.zone.key} instead of {previous}: every activity has moved to"
                " its day there, and all days are walked again"
            )
        await asyncio.to_thread(set_policy, engine, options.expired_values)
        # Before the stamps: they come after every stored time, also one that somebody invented.
        await asyncio.to_thread(heal, self, summary)
        if options.start is not None:
            await asyncio.to_thread(
                service_facts.learn, engine, service_facts.START, str(options.start)
            )
        # It costs requests, and the answer does not change within a process.
        if self.boundaries == UNKNOWN:
            self.boundaries = await learn_day_boundaries(self)
        mapper = await asyncio.to_thread(load_mapper, engine, self.zone)
        held = await asyncio.to_thread(due.held_entries, engine)
        sick = frozenset(subject for source, subject in held if source == "details")
        stamp = await asyncio.to_thread(stamps, engine)
        loader = Loader(engine, partial(load, engine, run_id), options)
        return Run(
            run_id=run_id,
            client=client,
            engine=engine,
            zone=self.zone,
            options=options,
            progress=self.progress,
            loader=loader,
            fetcher=Fetcher(self, mapper, loader, stamp, sick),
            decider=Decider(self, mapper, held),
            page_size=PageSize(options.page_size, Random(run_id)),  # noqa: S311
            boundaries=self.boundaries,
            stamp=stamp,
            # Before the first walk: activities checked since then count as handled by this run.
            started_at=stamp(),
        )

    async def _prune(self, summary: Summary) -> None:
        """Remove what is too old to keep."""
        keep, versions = self.options.keep_days, self.options.keep_versions
        removed = await asyncio.to_thread(prune, self.engine, keep, versions)
        summary.pruned = sum(removed.values())
        if summary.pruned:
            told = ", ".join(f"{number} {what}" for what, number in removed.items())
            self.progress.log(f"removed what was kept long enough: {told}")

    async def _erase_due(self, summary: Summary) -> None:
        """Erase what the settings no longer keep, by the service's clock."""
        now, months = self.client.clock.now(), self.options.keep_personal_months
        due: list[Due] = ["expired"] if self.options.expired_values == "erase" else []
        due += ["ended"] if months is not None else []
        for each in due:
            erase = partial(erase_due, self.engine, each, now, self.progress.log, months)
            summary.erased += (await asyncio.to_thread(erase))["activities"]


async def _sync_windows(run: Run, plan: Plan, ranges: Sequence[DayRange]) -> None:
    """Bring windows up to date, several at a time; few enough that their rows fit in memory."""
    complete = {day: known.listed_digest for day, known in plan.known.items() if known.complete}
    walker = Walker(
        list_page=run.client.list_activities,
        zone=run.zone,
        page_size=run.page_size,
        boundaries=run.boundaries,
        stored=complete,
        now=run.client.clock.now,
        stamp=run.stamp,
        elsewhere=run.findings.elsewhere,
        proof_days=run.options.audit_days,
    )
    walker = await _work_off(run, plan, walker, ranges)
    # Where the list was silent, it is asked again: a service that has just started may list nothing. What
    # is stored there speaks for itself.
    held = {each.day for missing in run.findings.missing for each in missing}
    silent = [day for window in walker.silent if held.isdisjoint(window) for day in window]
    walker = await _work_off(run, plan, walker, windows(silent, 4 * run.options.window_days))
    # A later window may have shown that the service ends long queries early.
    walker = await _work_off(run, plan, walker, walker.capped())
    # Or that it answers only some days of long ones.
    walker = replace(walker, most_days=await walker.count_answered_days())
    walker = await _work_off(run, plan, walker, walker.too_long())
    # So may rows that are not stored, of days around that were complete: they are walked again.
    late = await unknown_elsewhere(run, complete.keys() - run.findings.days)
    again = windows(list(late.values()), run.options.window_days)
    walker = await _work_off(run, plan, walker, again)
    unverified = [day for days in ranges for day in days if day not in run.findings.verified]
    if unverified and not run.boundaries.exact:
        # A first load: all that is stored by now may show better where the service's days begin.
        if not walker.boundaries.exact:
            walker = replace(walker, boundaries=await learn_day_boundaries(run))
        if walker.boundaries.exact:
            await _work_off(run, plan, walker, windows(unverified, 1))


async def _work_off(run: Run, plan: Plan, walker: Walker, ranges: Sequence[DayRange]) -> Walker:
    """Walk ``ranges`` and return the walker for later ones: it may have learned on the way."""
    # All tasks share one iterator. Taking from it has no await, so no window is taken twice.
    waiting = iter(ranges)
    # Twice as many as are walked: while some windows are fetched, the next ones are walked.
    at_once = min(2 * run.options.walks, len(ranges))
    walking = asyncio.Semaphore(run.options.walks)
    # Of no use where all windows are in work from the start.
    learning = walker.boundaries == UNKNOWN and len(ranges) > at_once

    async def work() -> None:
        nonlocal walker, learning
        for days in waiting:
            async with walking:
                with step("walk"):
                    walk = await walker.walk(days)
            await _sync_window(run, plan, walk, days)
            if learning and walk.rows:
                # A first load: what is stored now shows where the service's days begin, so that the other
                # windows need fewer days around them.
                learning = False
                walker = replace(walker, boundaries=await learn_day_boundaries(run))
            done, planned = len(run.findings.days), sum(map(len, plan.windows))
            run.progress.step(f"{done} of {planned} days done")

    async with asyncio.TaskGroup() as group:
        for _ in range(at_once):
            group.create_task(work())
    return walker


async def _sync_window(run: Run, plan: Plan, walk: WalkResult, days: DayRange) -> None:
    """Bring one window up to date, and add it to the run's findings."""
    walk = await place_undated(run, walk)
    rows = list(walk.rows.values())
    decisions = await asyncio.to_thread(run.decider.decide, rows)
    to_fetch = len(decisions.fetch)
    run.progress.step(f"{days}: {len(rows)} listed ({walk}), {to_fetch} need details")
    news = plan.before is None or any(day not in plan.known for day in days)
    if news and plan.windows[:1] == [days]:
        pace = await asyncio.to_thread(runs.pace, run.engine) or _current_pace(run)
        # A first load asks for more days around its first window than around most others.
        pages = walk.pages * (0.75 if run.boundaries == UNKNOWN else 1)
        run.progress.forecast(plan.forecast(pages, len(rows), to_fetch, pace))
    for outcome in decisions.load:
        await run.loader.add(outcome)
    fetched = await run.fetcher.fetch(decisions.fetch)  # flushes the loader, these rows included
    # The details may have shown the day of rows whose creation the list does not show.
    walk = await place_undated(run, walk)
    missing = await mark_unlisted(run, walk, also_gone=not plan.audit.isdisjoint(days))
    unseen = await fetch_unverified(run, walk)
    postponed = fetched.postponed + unseen.postponed
    found = run.findings
    undecided = {each.day for each in missing if not each.gone}
    undecided |= {walk.rows[each.subject].day for each in postponed if each.subject in walk.rows}
    unknown = await unknown_elsewhere(run, found.verified | set(days))
    undecided |= set(unknown.values())
    listed = await write_coverage(run, walk, undecided)
    found.listed |= listed
    found.days |= set(days)
    found.verified |= {day for day, reason in walk.days.items() if reason is None}
    found.examined += len(rows) + len(missing)
    found.unchanged += decisions.unchanged + len(decisions.load)
    found.postponed += postponed
    found.missing.append(missing)


async def _sync_activities(run: Run, plan: Plan) -> None:
    """Fetch the plan's single activities, except those that the run's walks have handled already.

    When one is refused, its day is walked: only the list can say why.
    """
    if not plan.activities:
        return
    handled = await _handled(run, [each.activity_id for each in plan.activities])
    activities = [each for each in plan.activities if each.activity_id not in handled]
    works = [
        Work(each.activity_id, each.day, unlisted=each.unlisted, known=each.known)
        for each in activities
    ]
    fetched = await run.fetcher.fetch(works)
    found = run.findings
    found.days |= {each.day for each in activities}
    found.examined += len(activities)
    found.postponed += fetched.postponed
    found.gone += fetched.gone
    if not fetched.refused:
        return
    days = [failure.day for each in fetched.refused for failure in each.failures if failure.day]
    await _sync_windows(run, plan, windows(days, run.options.window_days))
    handled = await _handled(run, [each.subject for each in fetched.refused])
    await run.loader.store(each for each in fetched.refused if each.subject not in handled)


async def _handled(run: Run, ids: list[str]) -> set[str]:
    """Return those of ``ids`` that this run has checked, or holds back until its end."""
    rows = await asyncio.to_thread(in_transaction, run.engine, partial(ledger.read, ids=ids))
    held_back = {each.subject for each in (*run.findings.postponed, *run.findings.gone)}
    held_back |= {each.activity_id for window in run.findings.missing for each in window}
    return (
        held_back
        | run.fetcher.failed
        | {
            name
            for name, row in rows.items()
            if row.checked_at is not None and row.checked_at >= run.started_at
        }
    )


def _current_pace(run: Run) -> float:
    """Return how many requests a second this run has sent so far."""
    elapsed = (run.stamp() - run.started_at).total_seconds()
    return run.client.pace.sent / max(elapsed, 0.001)
