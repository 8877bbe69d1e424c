"""One part of a run: sync, then the views, then what Dagster shows (docs/design.md "Dagster").

A day is shown as materialized only when it is proven: verified, with everything that is listed stored or in
quarantine. While the part runs, a day that Dagster does not show yet is shown as soon as it is proven,
whichever run has proven it. The others that the part has changed are shown at its end, after the views.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from functools import partial
from typing import Any

import dagster as dg

from pipeline.assets.facts import ACTIVITIES, DAYS, SERVICE, day_facts, run_facts
from pipeline.assets.resource import Part, SyncResource
from pipeline.assets.views import refresh_views, show_views
from pipeline.sync.options import Options, Summary
from pipeline.warehouse.state import coverage, runs

#: What a step is given: that of an asset, or of the job `recent`, which has none.
Context = dg.AssetExecutionContext | dg.OpExecutionContext

#: The facts of each day that is proven.
Proven = dict[date, dict[str, Any]]


def run_part(
    context: Context,
    sync: SyncResource,
    run_id: str,
    part: Part,
    options: Options,
    planned: Collection[date] = (),
) -> tuple[Summary, list[date]]:
    """Run ``part`` and show its days; return its summary and the ``planned`` days that are not proven.

    When all are proven, Dagster itself shows the planned days, with the facts given here. A part that fails
    or is canceled shows what it has proven so far, and the views; else the caller shows these. One that is
    killed (see `processes`) can't: the days shown until then stay, and the views wait for the next run.
    Errors are those of ``part``.
    """
    days = _Days(context, sync, run_id, frozenset(planned))
    try:
        summary = sync.run(part, options, days.show_new)
    except BaseException:
        refresh_views(sync)
        show_views(context, sync)
        proven = days.proven()
        days.show(proven)
        if planned:
            here = len(proven.keys() & set(planned))
            context.log.warning(
                f"{here} of {len(planned)} days are in;"
                " launch the failed and missing days again for the rest"
            )
        raise
    refresh_views(sync)
    context.log_event(dg.AssetObservation(SERVICE, metadata=run_facts(sync.engine, summary)))
    proven = days.proven()
    unproven = [day for day in planned if day not in proven]
    if not unproven and isinstance(context, dg.AssetExecutionContext):
        for day in planned:
            context.add_asset_metadata(proven.pop(day), ACTIVITIES, str(day))
        days.green.update(planned)
    days.show(proven)
    return summary, unproven


@dataclass(eq=False)
class _Days:
    """Shows the days of one part, with what it found ``new`` and ``changed`` there."""

    context: Context
    sync: SyncResource
    run_id: str
    planned: frozenset[date]
    began: datetime = field(default_factory=partial(datetime.now, UTC))
    shown: Proven = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.sync.green is None:
            days = {str(day): day for day in self._listed()}
            found = self.context.instance.get_status_by_partition(ACTIVITIES, [*days], DAYS) or {}
            green = dg.AssetPartitionStatus.MATERIALIZED
            self.sync.green = {days[key] for key, status in found.items() if status is green}
        self.green = self.sync.green

    def show_new(self) -> None:
        """Show the proven days that Dagster does not show yet, but for the planned ones."""
        days = self._missing() - self.planned
        if days:
            changes = runs.changes_by_day(self.sync.engine, self.run_id, days)
            self.show(self._facts(days, changes))

    def proven(self) -> Proven:
        """Return the proven days that Dagster does not show, or not as they are now.

        Of the planned ones those that this part has verified.
        """
        changes = runs.changes_by_day(self.sync.engine, self.run_id)
        facts = self._facts(self._missing() | changes.keys() | self.planned, changes)
        return {day: each for day, each in facts.items() if self.shown.get(day) != each}

    def show(self, proven: Proven) -> None:
        """Show days as materialized."""
        for day, facts in proven.items():
            event = dg.AssetMaterialization(ACTIVITIES, partition=str(day), metadata=facts)
            self.context.log_event(event)
        self.shown |= proven
        self.green |= proven.keys()

    def _listed(self) -> set[date]:
        """Return the partitions that hold something. An empty day is shown only if it was planned."""
        return coverage.listed_days(self.sync.engine, self.sync.settings.start_date)

    def _missing(self) -> set[date]:
        return self._listed() - self.green

    def _facts(self, days: Collection[date], changes: Mapping[date, tuple[int, int]]) -> Proven:
        """Return the facts of those days that are complete."""
        return {
            day: day_facts(known, *changes.get(day, (0, 0)))
            for day, known in coverage.of_days(self.sync.engine, days).items()
            if known.complete and (day not in self.planned or known.verified_since(self.began))
        }
