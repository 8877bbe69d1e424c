"""Nobody misses a missed night: recovered runs, overdue nights, the heartbeat, and `pipeline status`."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import TYPE_CHECKING

import dagster as dg
from dagster._core.scheduler.instigation import (
    InstigatorStatus,
    InstigatorType,
    TickData,
    TickStatus,
)
from dagster_shared.error import SerializableErrorInfo

from pipeline.assets.alerts import alert_of, alerts
from pipeline.assets.resource import SyncResource
from pipeline.configured import sync_options
from pipeline.definitions import defs
from tests.support.nights import add_schedule, good_night
from tests.support.receiver import receiver

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from tests.acceptance.conftest import MakeProject, Serve


def ill_night() -> dg.JobDefinition:
    """Make a night that ends with very many activities in quarantine."""
    key = ["warehouse", "activities"]

    @dg.asset(key=key)
    def activities() -> None:
        return None

    @dg.asset_check(asset=key, name="quarantine_empty")
    def quarantine_empty() -> dg.AssetCheckResult:
        return dg.AssetCheckResult(passed=False)

    made = dg.Definitions(
        assets=[activities],
        asset_checks=[quarantine_empty],
        jobs=[dg.define_asset_job("nightly", selection=dg.AssetSelection.all())],
    )
    return made.resolve_job_def("nightly")


def test_a_step_that_was_tried_again_says_recovered_once(folder: Path) -> None:
    tries = []

    @dg.op(retry_policy=dg.RetryPolicy(max_retries=1))
    def at_first_not() -> None:
        tries.append(1)
        if len(tries) == 1:
            raise dg.Failure("no server answers", allow_retries=True)

    @dg.job
    def flaky() -> None:
        at_first_not()

    with dg.DagsterInstance.local_temp(str(folder)) as instance:
        ended = flaky.execute_in_process(instance=instance)
        run = instance.get_run_by_id(ended.run_id)
        assert run is not None
        alert = alert_of(instance, run, None)
    assert alert is not None
    assert (alert.title, alert.kind) == ("flaky recovered", "info")
    assert alert.lines[-1] == "tried again, because at first: no server answers"


def test_a_night_fails_again_and_again_only_for_reasons_that_pass(
    serve: Serve,
    project: MakeProject,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    service = serve(10, from_date=date(2026, 1, 1), to_date=date(2026, 1, 2))
    for name, text in project(service).settings.items():
        monkeypatch.setenv(name, text)

    @dg.op
    def part() -> None:
        mirror = SyncResource(loop, None)
        with mirror.opened(dg.OpExecutionContext.get()):
            options = sync_options(mirror.settings)
            before = date(2026, 1, 1)
            mirror.run(lambda run: run.sync_open("night", before), options, lambda: None)

    @dg.job
    def night() -> None:
        part()

    def tried_again() -> bool:
        ended = night.execute_in_process(raise_on_error=False)
        assert not ended.success
        return any(event.is_step_up_for_retry for event in ended.all_events)

    from pipeline.assets.loop import LoopThread

    monkeypatch.setattr("pipeline.assets.resource.TRY_AGAIN", (0,))
    monkeypatch.setattr("pipeline.warehouse.database.engine.PATIENCE", 1.0)
    with LoopThread() as loop:
        monkeypatch.setenv("ACTIVITIES_PASSWORD", "wrong")
        assert not tried_again()
        url = monkeypatch.setenv  # the warehouse is away
        url("WAREHOUSE_URL", "postgresql://nobody@127.0.0.1:1/nothing")
        assert tried_again()


def test_a_tick_that_failed_is_told_once_and_without_its_text(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with receiver() as inbox, dg.DagsterInstance.local_temp(str(folder)) as instance:
        monkeypatch.setenv("ACTIVITIES_ALERT_URLS", inbox.url)
        state = add_schedule(instance, InstigatorStatus.RUNNING)
        instance.create_tick(
            TickData(
                state.instigator_origin_id,
                "nightly",
                InstigatorType.SCHEDULE,
                TickStatus.FAILURE,
                datetime.now(UTC).timestamp(),
                error=SerializableErrorInfo("KeyError: Ana Paredes", [], "KeyError"),
                selector_id=state.selector_id,
            )
        )
        cursor = None
        for _ in range(2):
            with dg.build_sensor_context(
                instance=instance, cursor=cursor, definitions=defs
            ) as context:
                cursor = alerts.evaluate_tick(context).cursor
    (text,) = inbox.texts
    assert "the schedule nightly could not do its work: unexpected KeyError" in text
    assert "Ana" not in text


def test_a_dead_worker_is_called_that(tmp_path: Path) -> None:
    with dg.DagsterInstance.local_temp(str(tmp_path)) as instance:  # which tries no run again
        run = instance.create_run_for_job(good_night)
        instance.report_run_failed(run)  # as the code server does for a process that was killed
        failed = instance.get_run_by_id(run.run_id)
        assert failed is not None
        alert = alert_of(instance, failed, None)
    assert alert is not None
    assert "reason: its process ended (killed, or out of memory)" in alert.lines


def test_each_good_night_requests_the_heartbeat_once(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with receiver() as inbox, dg.DagsterInstance.local_temp(str(folder)) as instance:
        monkeypatch.delenv("ACTIVITIES_ALERT_URLS", raising=False)
        monkeypatch.setenv("ACTIVITIES_HEARTBEAT_URL", inbox.heartbeat)
        cursor = None

        def tick() -> None:
            nonlocal cursor
            with dg.build_sensor_context(
                instance=instance, cursor=cursor, definitions=defs
            ) as context:
                cursor = alerts.evaluate_tick(context).cursor

        tick()
        good_night.execute_in_process(instance=instance)
        for _ in range(2):
            tick()
        assert inbox.beats == ["/beat"]
        assert "beat" not in (cursor or "")
        ill_night().execute_in_process(instance=instance)
        tick()
        assert inbox.beats == ["/beat"]


def test_a_refused_login_is_not_tried_again_in_the_same_night(
    serve: Serve, project: MakeProject
) -> None:
    service = serve(10, from_date=date(2026, 1, 1), to_date=date(2026, 1, 2))
    made = project(service)
    done = made.run("sync", ACTIVITIES_PASSWORD="wrong")
    assert done.code == 1, done
    assert service.state.counters().requests == 1
