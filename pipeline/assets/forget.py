"""Old runs leave Dagster's history, without anything that it shows of days, tables and checks.

To remove a run removes its events. So a run stays that holds the newest event of an asset or a day, or
the newest result of a check; and so does one of a backfill, which is shown as a whole.

It happens each night, at the end of the older days (`older_days`). ``ACTIVITIES_KEEP_RUN_DAYS`` says how
old a run becomes. Ticks go by ``retention`` in dagster.yaml. What the history shows of another
warehouse goes in `history`.
"""

import time
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from functools import cache, partial
from itertools import chain
from pathlib import Path

import dagster as dg
from dagster import DagsterEventType, DagsterRunStatus

from pipeline.assets.reasons import events_of
from pipeline.assets.rhythm import RECENT

_DAY = DagsterEventType.ASSET_MATERIALIZATION
_LOOK = DagsterEventType.ASSET_OBSERVATION
_CHECK = DagsterEventType.ASSET_CHECK_EVALUATION

#: Returns the run with the newest event of a kind: of a check, an asset, or one of the asset's days.
_Newest = Callable[[DagsterEventType, dg.AssetKey | dg.AssetCheckKey | None, str | None], str]

#: How long a `recent` run without news is kept.
_QUIET = timedelta(days=2)

#: Seconds that one night spends; the next one goes on.
_LONGEST = 60.0

#: Runs that are read at once, and newest runs of a check that are searched for its result.
_PAGE, _NEWEST = 200, 20

_SUCCESS = DagsterRunStatus.SUCCESS
_ENDED = [_SUCCESS, DagsterRunStatus.FAILURE, DagsterRunStatus.CANCELED]


def forget_runs(instance: dg.DagsterInstance, now: datetime, keep: timedelta) -> int:
    """Remove runs older than ``keep``, and quiet ones of `recent` after two days; return how many."""
    until, removed = time.monotonic() + _LONGEST, 0
    newest: _Newest = cache(partial(_newest_run, instance))
    quiet = partial(
        dg.RunsFilter, job_name=RECENT, statuses=[_SUCCESS], created_before=now - _QUIET
    )
    old = partial(dg.RunsFilter, statuses=_ENDED, created_before=now - keep)
    for run in chain(_runs(instance, quiet), _runs(instance, old)):
        if time.monotonic() > until:
            break
        is_old = run.create_timestamp < now - keep
        if not _must_stay(instance, run.dagster_run, newest, with_news=not is_old):
            instance.delete_run(run.dagster_run.run_id)
            _remove_files(instance, run.dagster_run.run_id)
            removed += 1
    return removed


def _runs(
    instance: dg.DagsterInstance, wanted: Callable[..., dg.RunsFilter]
) -> Iterator[dg.RunRecord]:
    """Yield runs, oldest first. They may be removed meanwhile."""
    after = None
    while page := instance.get_run_records(wanted(created_after=after), _PAGE, ascending=True):
        yield from page
        after = page[-1].create_timestamp


def _remove_files(instance: dg.DagsterInstance, run_id: str) -> None:
    instance.compute_log_manager.delete_logs(prefix=[run_id])
    for file in (Path(instance.root_directory) / "history" / "runs").glob(f"{run_id}.db*"):
        file.unlink(missing_ok=True)  # Dagster leaves its file of events, which is empty now


def _must_stay(
    instance: dg.DagsterInstance, run: dg.DagsterRun, newest: _Newest, *, with_news: bool
) -> bool:
    """Return whether the history shows something of a run. ``with_news``: any day's event counts."""
    if "dagster/backfill" in run.tags:
        return True
    for event in events_of(instance, run.run_id, _DAY, _LOOK, _CHECK):
        kind = event.event_type
        if kind is _CHECK:
            shown = {newest(kind, event.asset_check_evaluation_data.asset_check_key, None)}
        else:
            shown = {newest(kind, event.asset_key, day) for day in (None, event.partition)}
        if run.run_id in shown or (with_news and kind is _DAY):
            return True
    return False


def _newest_run(
    instance: dg.DagsterInstance,
    kind: DagsterEventType,
    key: dg.AssetKey | dg.AssetCheckKey,
    day: str | None,
) -> str:
    if isinstance(key, dg.AssetCheckKey):
        found = instance.event_log_storage.get_asset_check_execution_history(key, _NEWEST)
        return next((each.run_id for each in found if each.status.value != "PLANNED"), "")
    fetch = instance.fetch_materializations if kind is _DAY else instance.fetch_observations
    wanted = dg.AssetRecordsFilter(asset_key=key, asset_partitions=[day] if day else None)
    return "".join(each.run_id for each in fetch(wanted, limit=1).records)
