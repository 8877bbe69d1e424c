"""Old runs leave Dagster's history, without anything that it shows of days, tables and checks.

To remove a run removes its events. So a run stays that holds the newest event of an asset or a day, or
the newest result of a check; and so does one of a backfill, which is shown as a whole.
"""

import time
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from functools import partial
from itertools import chain
from pathlib import Path

import dagster as dg
from dagster import DagsterEventType, DagsterRunStatus

from pipeline.assets.rhythm import NIGHTLY, RECENT

_DAY = DagsterEventType.ASSET_MATERIALIZATION
_LOOK = DagsterEventType.ASSET_OBSERVATION
_CHECK = DagsterEventType.ASSET_CHECK_EVALUATION

#: The jobs whose runs have checks; the last one is Dagster's, for what is chosen in the UI.
_JOBS = (NIGHTLY, "sync_days_job", "send_authorizations", "__ASSET_JOB")

#: How long a `recent` run without news is kept.
_QUIET = timedelta(days=2)

#: Seconds that one night spends; the next one goes on.
_LONGEST = 60.0

#: Runs that are read at once, and newest runs of a job that are searched for the results of checks.
_PAGE, _NEWEST = 200, 20

_SUCCESS = DagsterRunStatus.SUCCESS
_ENDED = [_SUCCESS, DagsterRunStatus.FAILURE, DagsterRunStatus.CANCELED]


def forget_runs(instance: dg.DagsterInstance, now: datetime, keep: timedelta) -> int:
    """Remove runs older than ``keep``, and quiet ones of `recent` after two days; return how many."""
    until, held, removed = time.monotonic() + _LONGEST, _Held(instance), 0
    quiet = partial(
        dg.RunsFilter, job_name=RECENT, statuses=[_SUCCESS], created_before=now - _QUIET
    )
    old = partial(dg.RunsFilter, statuses=_ENDED, created_before=now - keep)
    for run in chain(_runs(instance, quiet), _runs(instance, old)):
        if time.monotonic() > until:
            break
        is_old = run.create_timestamp < now - keep
        if not held.by(run.dagster_run, news_too=not is_old):
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


class _Held:
    """Which runs hold what the history shows."""

    def __init__(self, instance: dg.DagsterInstance) -> None:
        self._instance = instance
        self._newest: dict[tuple[str, dg.AssetKey, str | None], str] = {}
        self._checks: dict[dg.AssetCheckKey, tuple[float, str]] | None = None

    def by(self, run: dg.DagsterRun, *, news_too: bool) -> bool:
        """Return whether a run must stay. ``news_too``: also if it only brought news that is old by now."""
        if "dagster/backfill" in run.tags:
            return True
        for log in self._instance.all_logs(run.run_id, of_type={_DAY, _LOOK, _CHECK}):
            event = log.get_dagster_event()
            if event.event_type is _CHECK:
                check = event.asset_check_evaluation_data.asset_check_key
                newest = self._newest_checks().get(check, (0.0, ""))
                if log.timestamp > newest[0] or newest[1] == run.run_id:
                    return True
                continue
            if news_too and event.event_type is _DAY:
                return True
            key, kind = event.asset_key, event.event_type
            if key and run.run_id in (
                self._newest_of(kind, key, None),
                self._newest_of(kind, key, event.partition),
            ):
                return True
        return False

    def _newest_of(self, kind: DagsterEventType, key: dg.AssetKey, day: str | None) -> str:
        """Return the run with the newest event of an asset, or of one of its days."""
        if (asked := (kind.value, key, day)) not in self._newest:
            look = self._instance
            fetch = look.fetch_materializations if kind is _DAY else look.fetch_observations
            wanted = dg.AssetRecordsFilter(asset_key=key, asset_partitions=[day] if day else None)
            self._newest[asked] = "".join(each.run_id for each in fetch(wanted, limit=1).records)
        return self._newest[asked]

    def _newest_checks(self) -> dict[dg.AssetCheckKey, tuple[float, str]]:
        """Return the newest result of each check that our jobs' newest runs have, and its run."""
        if self._checks is None:
            self._checks = {}
            for job in _JOBS:
                for record in self._instance.get_run_records(
                    dg.RunsFilter(job_name=job), limit=_NEWEST
                ):
                    run_id = record.dagster_run.run_id
                    for log in self._instance.all_logs(run_id, of_type=_CHECK):
                        check = log.get_dagster_event().asset_check_evaluation_data
                        known = self._checks.get(check.asset_check_key, (0.0, ""))
                        self._checks[check.asset_check_key] = max(known, (log.timestamp, run_id))
        return self._checks
