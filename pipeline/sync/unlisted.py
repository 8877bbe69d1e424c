"""Decides whether what a walk no longer lists is gone, or the list is wrong (docs/design.md "Unlisted").

The details decide, activity by activity:

==============  =========================  ========================================================
details         other missing ones         then
==============  =========================  ========================================================
403, 404        of the day are refused     gone, unless the brake stops the run (`mark_gone`)
403, 404        of the day are answered    nothing: the list of this day is not believed
answered        any                        the day is unverified, and walked again by the next night
no answer       any                        quarantined; the day is unverified, since nobody knows
==============  =========================  ========================================================
"""

import asyncio
from collections import Counter
from datetime import date
from typing import NoReturn

from pipeline.sync.context import Run
from pipeline.sync.days import ONE_DAY
from pipeline.sync.fetching import Batch, Work
from pipeline.sync.options import TooManyGone
from pipeline.sync.walk import WalkResult
from pipeline.warehouse import coverage, due, verifications
from pipeline.warehouse.coverage import Missing
from pipeline.warehouse.rows import Outcome

#: So many of a window's missing activities are asked for first. If one is answered, the list is wrong.
_PROBES = 5


async def mark_unlisted(run: Run, walk: WalkResult, *, also_gone: bool) -> list[Missing]:
    """Mark what the verified days of ``walk`` no longer list, and return it.

    ``also_gone``: return what is gone already, too.
    """
    # On an unverified day a row may be missing because the walk missed it.
    verified = {day: rows for day, rows in walk.by_day().items() if walk.days[day] is None}
    if not verified:
        return []
    subjects = [row.subject for found in verified.values() for row in found]
    return await asyncio.to_thread(
        coverage.mark_unlisted, run.engine, [*verified], subjects, run.stamp(), also_gone=also_gone
    )


async def ask_unlisted(run: Run) -> None:
    """Ask for the details of what the run's walks no longer list, window by window.

    At the end of the run: what the service withheld for a moment only is there again by then.
    """
    for missing in run.findings.missing:
        run.page_size.random.shuffle(missing)
        first, rest = missing[:_PROBES], missing[_PROBES:]
        contradicting, gone = await _ask(run, first)
        if contradicting:
            # One answer is enough against the list: the others need not be asked for.
            contradicting += rest
        elif rest:
            contradicting, others = await _ask(run, rest)
            gone |= others
        doubts = _doubts(contradicting, "although the service still answers them")
        silent = [each for each in missing if each.activity_id in run.fetcher.failed]
        unknown = _doubts(silent, "and the service gives no answer about them")
        await asyncio.to_thread(coverage.doubt, run.engine, unknown | doubts)
        for each in missing:
            outcome = gone.get(each.activity_id)
            if outcome is not None and each.gone:
                await run.loader.add(outcome)  # as known: that clears the quarantine
            elif outcome is not None and each.day not in doubts:
                run.findings.gone.append(outcome)


def _doubts(missing: list[Missing], but: str) -> dict[date, str]:
    counts = Counter(each.day for each in missing)
    return {
        day: f"{count} stored activities are not listed, {but}" for day, count in counts.items()
    }


async def _ask(run: Run, missing: list[Missing]) -> tuple[list[Missing], dict[str, Outcome]]:
    """Ask for the details of ``missing``; return those that are answered, and who may be gone."""
    works = [Work(x.activity_id, x.day, unlisted=True, hidden=True) for x in missing]
    asked = await run.fetcher.fetch(works)
    run.findings.postponed += asked.postponed
    gone = {each.subject: each for each in asked.gone}
    unanswered = run.fetcher.failed | gone.keys()
    answered = [each for each in missing if each.activity_id not in unanswered]
    # Meanwhile the walk of another day may have listed it, or its details may have named another day.
    names = [each.activity_id for each in answered]
    missing_still = await asyncio.to_thread(coverage.still_missing, run.engine, names)
    return [each for each in answered if (each.activity_id, each.day) in missing_still], gone


async def fetch_unverified(run: Run, walk: WalkResult) -> Batch:
    """Fetch one by one what is stored for the unverified days, is not final, and was not listed."""
    days = [day for day, reason in walk.days.items() if reason is not None]
    if not days:
        return Batch()
    now = run.client.clock.now()
    found = await asyncio.to_thread(
        due.due_activities, run.engine, max(days) + ONE_DAY, now, now - run.options.recheck, days
    )
    return await run.fetcher.fetch(
        [
            Work(each.activity_id, each.day, hidden=True)
            for each in found
            if each.day in walk.days and each.activity_id not in walk.rows
        ]
    )


async def unknown_elsewhere(run: Run, days: set[date]) -> dict[str, date]:
    """Return those of ``findings.elsewhere`` on ``days`` that are not stored, or gone; forget the others.

    So these stay few: else each window would look up the neighbours of all windows before it.
    """
    elsewhere = run.findings.elsewhere
    found = {name: day for name, day in elsewhere.items() if day in days}
    # 36 characters: a UUID, not the digest of a row without one.
    names = [name for name in found if len(name) == 36]
    unknown = set(await asyncio.to_thread(coverage.unknown, run.engine, names))
    for name in found.keys() - unknown:
        elsewhere.pop(name, None)  # another window may have done it
    return {name: found[name] for name in unknown}


async def doubt_elsewhere(run: Run) -> None:
    """Fetch activities that were listed, but not by the walk that verified their day.

    Those that the service answers speak against that walk: their days are unverified then.
    """
    unknown = await unknown_elsewhere(run, run.findings.verified)
    works = [Work(name, day, again=True) for name, day in unknown.items()]
    asked = await run.fetcher.fetch(works)
    await run.loader.store(asked.postponed)
    refused = {each.subject for each in asked.refused}
    lacking = Counter(day for name, day in unknown.items() if name not in refused)
    reasons = {
        day: f"{number} activities are listed in some answers only"
        for day, number in lacking.items()
    }
    await asyncio.to_thread(coverage.doubt, run.engine, reasons)


async def mark_gone(run: Run) -> None:
    """Set ``gone_at``, unless more activities are gone than the brake allows.

    Raises `TooManyGone` then, and marks none.
    """
    gone, examined = run.findings.gone, run.findings.examined
    limit = max(run.options.gone_least, run.options.gone_share * examined)
    if run.options.accept_gone:
        pass
    elif len(gone) > limit:
        await _refuse(run, f"more than the {limit:.0f} that a run marks by itself")
    elif 2 * len(gone) > examined and not await _others_are_answered(run):
        await _refuse(run, "and none of the others that were asked for is answered")
    # Only now: each of them was refused while the rest of the run was answered.
    await run.loader.store(gone)


async def _refuse(run: Run, why: str) -> NoReturn:
    """Call the days of what may be gone unverified, and raise `TooManyGone`."""
    gone = [each.subject for each in run.findings.gone]
    known = await asyncio.to_thread(coverage.still_missing, run.engine, gone)
    reason = "activities are no longer offered, so many that none was marked as gone"
    await asyncio.to_thread(coverage.doubt, run.engine, {day: reason for _, day in known})
    raise TooManyGone(
        f"{len(gone)} of {run.findings.examined} activities are no longer offered by the service,"
        f" {why}; none was marked as gone. If that is right, run again with --accept-gone"
    )


async def _others_are_answered(run: Run) -> bool:
    """Whether the service answers one of some stored activities that are not missing."""
    names = await asyncio.to_thread(verifications.sample_listed, run.engine, _PROBES)
    asked = await run.fetcher.fetch([Work(name, None) for name in names])
    return len(asked.refused) + len(asked.postponed) < len(names)
