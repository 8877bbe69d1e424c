"""What refused and failed details mean, at the end of a run (docs/design.md "Refused").

====================  =========================================  =====================================
answer                the activity                               then
====================  =========================================  =====================================
403, 404              a proven list lacks it                     gone, unless the brake holds it back, or
                                                                 `lost_access`
403, 404              its sharing period is over                 withheld
403, 404, no answer   is younger than some minutes               nothing: the next run reads it
403, 404              is of a day that this run has not read     its day is read by the next night
anything else         any                                        quarantined
====================  =========================================  =====================================

The brake looks at all that is stored. What it holds back is found again by the next night, and then
believed. It never ends a run.
"""

import asyncio
from collections import defaultdict
from collections.abc import Sequence
from datetime import date

from pipeline.sync.context import Run
from pipeline.sync.limits import ONCE_MORE, PROBES
from pipeline.sync.lost_access import lost_access
from pipeline.sync.walk import list_todo
from pipeline.sync.work import Refusal
from pipeline.warehouse.state import coverage, ledger, verifications
from pipeline.warehouse.state.ledger import LedgerRow
from pipeline.warehouse.state.rows import Outcome
from pipeline.warehouse.state.todo import Todo


async def ask_unlisted(run: Run) -> None:
    """Ask for what proven lists no longer have: a few of each day first.

    What is answered is not gone. If it is finished, it is not missing either: not every service lists what
    is over. Else the list is wrong: one such answer is enough. Then the others of its day are not asked
    for, and what is finished is missing, too.
    """
    missing = await asyncio.to_thread(_missing, run)
    for most in (PROBES, None):
        answered = run.worker.asked - run.worker.refused.keys()
        rest = [each for each in missing.values() if answered.isdisjoint(each)]
        if not rest:  # as in most runs
            break
        await run.worker.work([todo for each in rest for todo in list(each.values())[:most]])
        # What is finished, as its details say, is there no longer.
        missing = await asyncio.to_thread(_missing, run)
    answered = run.worker.asked - run.worker.refused.keys()
    if not all(answered.isdisjoint(each) for each in missing.values()):
        await asyncio.to_thread(ledger.unlist, run.engine, run.walked, run.stamp())


def _missing(run: Run) -> dict[date, dict[str, Todo]]:
    """Return what the proven lists of the run lack, by day and activity, what is finished last."""
    days = defaultdict[date, dict[str, Todo]](dict)
    found = list_todo(run, min(run.walked), max(run.walked)) if run.walked else []
    lacking = {each.activity_id: each for each in found if each.reason == "no longer listed"}
    known = ledger.read(run.engine, list(lacking))
    for name in sorted(lacking, key=lambda name: known[name].final):
        todo = lacking[name]
        if todo.day in run.walked:
            days[todo.day][name] = todo
    return days


async def judge_refused(run: Run) -> list[str]:
    """Store what refused and failed details mean; return the problems that a person must know."""
    refused = run.worker.refused
    gone = await _store_refused(run)
    if not gone:
        return []
    problems = await _mark_gone(run, gone, refused)
    # Others were asked for beside what is gone. What is refused of them is stored, but marks nothing.
    await run.worker.finish()
    await _store_refused(run)
    return problems


async def _store_refused(run: Run) -> dict[str, LedgerRow]:
    """Store what refusals and failures mean; return the refused ones that may be gone."""
    refused, failed = run.worker.refused, run.worker.failed
    # A night judges twice: what its sample refuses comes later.
    run.worker.refused, run.worker.failed = {}, {}
    names = sorted({*refused, *failed})
    if not names:  # as in most runs
        return {}
    known = await asyncio.to_thread(ledger.read, run.engine, names)
    gone: dict[str, LedgerRow] = {}
    outcomes: list[Outcome] = []
    unread = defaultdict[date, set[str]](set)
    for name in names:
        row, refusal = known.get(name), refused.get(name) or failed[name]
        if row is None:
            continue
        if name in refused and row.unlisted_at is not None:
            gone[name] = row
        elif name in refused and _is_over(run, row):
            outcomes.append(Outcome(name, withheld_at=refusal.at))
        elif _is_young(run, name):
            outcomes.append(Outcome(name, not_yet_at=refusal.at))
        elif name in refused and name not in run.evidence.created and row.day not in run.walked:
            if row.day is not None:
                unread[row.day].add(name)
        else:
            outcomes.append(Outcome(name, failures=[refusal.failure(row.day)]))
    await run.loader.store(outcomes)
    reason = "details of activities were refused; the next night reads the list again"
    await asyncio.to_thread(coverage.doubt, run.engine, unread.keys(), reason)
    # They are walked by the same run, which asks once more then.
    run.reopened |= unread.keys()
    run.worker.asked.difference_update(*unread.values())
    return gone


def _is_over(run: Run, row: LedgerRow) -> bool:
    """Whether the sharing period is over: then a refusal is the service's right."""
    passed = row.deadline_at is not None and row.deadline_at <= run.client.clock.now()
    return row.activity_id in run.expired or (row.final and passed)


def _is_young(run: Run, name: str) -> bool:
    created_at = run.evidence.created.get(name)
    # What lies far ahead is not young: the service's clock is wrong.
    return created_at is not None and abs(run.client.clock.now() - created_at) < run.options.not_yet


async def _mark_gone(
    run: Run, gone: dict[str, LedgerRow], refused: dict[str, Refusal]
) -> list[str]:
    """Set ``gone_at``, unless more activities are gone than the brake allows; return what to tell."""

    def found_before(row: LedgerRow) -> bool:
        found = row.unlisted_at
        return row.gone_at is not None or (found is not None and found < run.began)

    unmarked = [row for row in gone.values() if row.gone_at is None]
    fresh = {name for name, row in gone.items() if not found_before(row)}
    stored = await asyncio.to_thread(verifications.count_stored, run.engine)
    limit = max(run.options.gone_least, run.options.gone_share * stored)
    gone_unmarked, problem = set[str](), ""
    if run.options.accept_gone:
        pass
    elif run.worker.answered < len(unmarked) and not await _refuses_only(run, sorted(gone)):
        gone_unmarked = set(gone)
        problem = (
            "and none of the others that were asked for is answered, or one of these after all"
        )
    # All parts of a night together: one of them may meet a few of what another one held back.
    elif len(fresh | run.gone_unmarked) > limit:
        gone_unmarked, problem = fresh, f"more than the {limit:.0f} that a run marks by itself"
    lost, problems = await lost_access(run, gone, refused)
    if gone_unmarked:
        problems.append(
            f"{len(gone_unmarked)} of {stored} activities are no longer offered by the service, {problem};"
            " none of them was marked as gone. The next night marks them if it finds the same, or run again"
            " with --accept-gone"
        )
    gone_unmarked |= lost
    run.gone_unmarked |= gone_unmarked
    await run.loader.store(
        Outcome(name, gone_at=refused[name].at) for name in sorted(gone.keys() - gone_unmarked)
    )
    return problems


async def _refuses_only(run: Run, gone: Sequence[str]) -> bool:
    """Whether the service answers a stored activity that is not missing, and still none of ``gone``."""
    others = await asyncio.to_thread(verifications.sample_listed, run.engine, PROBES)
    # Asked again: a service that refused everything for a moment looks the same until then.
    answers_one = run.worker.answers_one
    return await answers_one(others) and not await answers_one(gone[:ONCE_MORE])
