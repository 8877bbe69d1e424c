"""One part of a run: sync, then the views, then what Dagster shows (docs/design.md "Dagster").

A day is shown as materialized only when it is proven: verified, with everything that is listed stored or in
quarantine. Views follow before any day is shown, so nobody sees a view older than a finished run.
"""

from collections.abc import Collection, Mapping
from datetime import UTC, date, datetime
from typing import Any

import dagster as dg
import sqlalchemy as sa

from pipeline.assets.facts import ACTIVITIES, SERVICE, day_facts, run_facts
from pipeline.assets.mirror import OpenMirror, Part
from pipeline.assets.views import refresh_views, show_views
from pipeline.sync.options import Options, Summary
from pipeline.warehouse import coverage, runs
from pipeline.warehouse.coverage import DayCoverage

#: The facts of each day that is proven.
Proven = dict[date, dict[str, Any]]


def run_part(
    context: dg.AssetExecutionContext,
    mirror: OpenMirror,
    run_id: str,
    part: Part,
    options: Options,
    planned: Collection[date] = (),
) -> tuple[Summary, list[date]]:
    """Run ``part`` and show its days; return its summary and the ``planned`` days that are not proven.

    When all are proven, Dagster itself shows the planned days, with the facts given here. A part that fails
    or is canceled shows what it has proven so far, and the views; else the caller shows these. Errors are
    those of ``part``.
    """
    before, began = coverage.between(mirror.engine), datetime.now(UTC)
    try:
        summary = mirror.run(part, options)
    except BaseException:
        refresh_views(mirror)
        show_views(context, mirror)
        proven = _proven(mirror.engine, run_id, before, began, planned)
        _show(context, proven)
        if planned:
            here = len(proven.keys() & set(planned))
            context.log.warning(
                f"{here} of {len(planned)} days are in;"
                " launch the failed and missing days again for the rest"
            )
        raise
    refresh_views(mirror)
    context.log_event(dg.AssetObservation(SERVICE, metadata=run_facts(mirror.engine, summary)))
    proven = _proven(mirror.engine, run_id, before, began, planned)
    unproven = [day for day in planned if day not in proven]
    if not unproven:
        for day in planned:
            context.add_asset_metadata(proven.pop(day), ACTIVITIES, str(day))
    _show(context, proven)
    return summary, unproven


def _proven(
    engine: sa.Engine,
    run_id: str,
    before: Mapping[date, DayCoverage],
    began: datetime,
    planned: Collection[date],
) -> Proven:
    """Return the proven days among those that this run wrote to, and the ``planned`` ones it verified.

    A day that was never read before and holds nothing is no news, unless it was planned.
    """
    after, found = coverage.between(engine), runs.changes_by_day(engine, run_id)
    differing = {
        day
        for day, now in after.items()
        if now != before.get(day) and (day in before or now.listed or now.gone)
    }
    written = (differing | found.keys()) - set(planned)
    verified = {day for day in planned if (known := after.get(day)) and known.verified_since(began)}
    return {
        day: day_facts(after[day], *found.get(day, (0, 0)))
        for day in sorted(written | verified)
        if day in after and after[day].complete
    }


def _show(context: dg.AssetExecutionContext, proven: Proven) -> None:
    for day, facts in proven.items():
        context.log_event(dg.AssetMaterialization(ACTIVITIES, partition=str(day), metadata=facts))
