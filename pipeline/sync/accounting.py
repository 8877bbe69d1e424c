"""Account: what a run found out becomes its summary (docs/design.md "One run")."""

from collections.abc import Sequence
from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

from pipeline.service.clock import ServiceClock
from pipeline.sync.codes import PAGE_FIELD
from pipeline.sync.context import Run
from pipeline.sync.days import DayRange, day_of
from pipeline.sync.options import Summary
from pipeline.warehouse.state import coverage, discrepancies, quarantine, service_facts
from pipeline.warehouse.state.coverage import DayCoverage

#: Lines of a summary that name single days; the rest are counted.
_MOST_NAMED = 10


def sum_up(run: Run, summary: Summary, before: date | None) -> None:
    """Name the problems of the days that the run looked at, and what is in quarantine.

    ``before``: of a night, the day before which it looks. Raises a ``WarehouseError``.
    """
    service_facts.record_unknown(run.engine, PAGE_FIELD, sorted(run.client.unnamed))
    days = run.looked_at
    looked_at = list(coverage.of_days(run.engine, days).values())
    summary.problems += name_problems(looked_at)
    summary.problems += _name_discrepancies(run)
    if before is None:
        summary.quarantined = sum(day.quarantined for day in looked_at)
        return
    older = [each for each in quarantine.unresolved(run.engine) if each.day and each.day < before]
    summary.quarantined = len({each.subject for each in older if not each.accepted})
    if summary.quarantined and not summary.problems:
        summary.problems.append(f"{summary.quarantined} activities of older days in quarantine")


def _name_discrepancies(run: Run) -> list[str]:
    """Log what is in doubt, in one line; return a problem where very much was lost or rewritten."""
    found = discrepancies.counts(run.engine)
    if found:
        counts = ", ".join(
            f"{number} {name} ({unsettled} to be asked again)" if unsettled else f"{number} {name}"
            for name, number, unsettled, _ in found[:_MOST_NAMED]
        )
        run.progress.log(
            f"details with a discrepancy: {counts}; for example {found[0][-1]}. All of them:"
            " sync.activity_ledger, where discrepancy is not null"
        )
    many = discrepancies.many_lost(run.engine, run.began)
    if not many:
        return []
    return [
        f"the details of {many} activities have lost or rewritten something without a newer updated_at:"
        " ask the service's owner; what the answers no longer say is in landing.activity_details. The next"
        " night that gets the same takes it for a habit"
    ]


def name_slow_clock(days: DayRange | None, clock: ServiceClock, zone: ZoneInfo) -> list[str]:
    """Return a line when ``days`` end today, but before the service's today: by a slow clock of ours."""
    here = day_of(datetime.fromtimestamp(clock.local(), UTC), zone)
    there = day_of(clock.now(), zone)
    # Around midnight the days of any two clocks differ.
    if days is None or days.last != here or here >= there or not clock.machine_is_behind:
        return []
    return [f"the run ends with {here}, while the service has {there}: set this machine's clock"]


def name_problems(days: Sequence[DayCoverage]) -> list[str]:
    """Return a line for each of the first days with a problem, and one that counts the others."""
    problems = [f"{day.day}: {day.problem}" for day in days if day.problem is not None]
    more = len(problems) - _MOST_NAMED
    return [*problems[:_MOST_NAMED], *([f"and {more} more days"] if more > 0 else [])]
