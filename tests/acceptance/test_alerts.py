"""Alerts: what failed is posted once to each address that takes it; a good night sends the heartbeat."""

from __future__ import annotations

from contextlib import ExitStack
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING

import dagster as dg
import pytest
from dagster._core.scheduler.instigation import (
    InstigatorStatus,
    InstigatorType,
    TickData,
    TickStatus,
)
from dagster_shared.error import SerializableErrorInfo

from pipeline.assets.alerts import alert_of, alerts
from pipeline.assets.loop import LoopThread
from pipeline.assets.resource import SyncResource
from pipeline.configured import sync_options
from pipeline.definitions import defs
from tests.acceptance.conftest import SECRETS
from tests.support.commands import make_project
from tests.support.nights import add_schedule, good_night
from tests.support.receiver import SECRET, Receiver, receiver

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.acceptance.conftest import MakeProject, Opened, Serve
    from tests.support.commands import Project

DAYS = ("--from", "2026-01-01", "--to", "2026-01-04")
UI = "https://dagster.example.com/ui"


class Ticks:
    """The sensor on a project's instance, tick by tick, with the cursor kept as the daemon does."""

    def __init__(self, made: Project) -> None:
        self.instance = dg.DagsterInstance.local_temp(str(made.folder))
        self.cursor: str | None = None

    def tick(self) -> str:
        """Evaluate once and return what the UI shows of it."""
        with dg.build_sensor_context(
            instance=self.instance, cursor=self.cursor, definitions=defs
        ) as context:
            tick = alerts.evaluate_tick(context)
        self.cursor = tick.cursor
        assert tick.run_requests == []
        for text in (tick.skip_message or "", self.cursor or ""):
            assert SECRET not in text
        return tick.skip_message or ""


@pytest.fixture
def ticks(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Ticks]]:
    """Make the ticks of a project with alerts to these addresses."""
    with ExitStack() as opened:

        def make(made: Project, *receivers: Receiver) -> Ticks:
            monkeypatch.setenv("ACTIVITIES_ALERT_URLS", ",".join(each.url for each in receivers))
            monkeypatch.setenv("ACTIVITIES_UI_URL", UI)
            ticks = Ticks(made)
            opened.enter_context(ticks.instance)
            return ticks

        yield make


@pytest.fixture
def inbox() -> Iterator[Receiver]:
    with receiver() as running:
        yield running


def job(name: str, *failures: BaseException, retries: int = 0) -> dg.JobDefinition:
    """Make a job whose only step fails so, one failure each time."""
    left = list(failures)

    @dg.op(name=f"step_of_{name}", retry_policy=dg.RetryPolicy(max_retries=retries))
    def step() -> None:
        if left:
            raise left.pop(0)

    @dg.job(name=name)
    def made() -> None:
        step()

    return made


def test_a_failed_run_and_then_one_with_a_failed_check(
    serve: Serve, project: MakeProject, ticks: Callable[..., Ticks], inbox: Receiver
) -> None:
    service = serve(40, from_date=date(2026, 1, 1), to_date=date(2026, 1, 4))
    made = project(service)
    assert made.run("sync", *DAYS, ACTIVITIES_PASSWORD="not-this-one").code == 1
    sensor = ticks(made, inbox)
    assert sensor.tick() == "0 messages posted"  # what ended before it was switched on is history
    assert made.run("sync", *DAYS, ACTIVITIES_PASSWORD="nor-this-one").code == 1
    (run,) = sensor.instance.get_runs(limit=1)
    assert sensor.tick() == "1 message posted"
    (text,) = inbox.texts
    title, *lines = text.splitlines()
    assert title == "activity-warehouse: sync_days_job failed"
    facts = ["job: sync_days_job", f"run: {run.run_id}", "days: 2026-01-01..2026-01-04"]
    assert lines[:3] == facts
    assert "401" in lines[3]
    assert lines[4].startswith("to do: ")
    assert lines[5:] == [f"{UI}/runs/{run.run_id}"]

    service.state.change_behaviour(order="reshuffled", max_limit=3)  # no two passes agree
    assert made.run("sync", *DAYS).code == 3
    assert sensor.tick() == "1 message posted"
    assert sensor.tick() == "0 messages posted"
    title, *lines = inbox.texts[1].splitlines()
    assert title == "activity-warehouse: sync_days_job finished, but 1 check failed"
    assert lines[4].startswith("- days_complete of warehouse/activities: ")
    for told in inbox.texts:
        for secret in (SECRETS.api_key, SECRETS.password, "not-this-one", "nor-this-one", SECRET):
            assert secret not in told


def test_an_address_that_is_down_gets_each_message_later_and_the_others_once(
    folder: Path, ticks: Callable[..., Ticks], inbox: Receiver
) -> None:
    with receiver() as other:
        sensor = ticks(make_project(folder, {}), inbox, other)
        sensor.tick()
        inbox.status = 503
        for _ in range(2):
            nightly = job("nightly", dg.Failure("login: 401"))
            nightly.execute_in_process(instance=sensor.instance, raise_on_error=False)
        told = sensor.tick()
        assert told.startswith(
            "2 messages posted; address 1 of ACTIVITIES_ALERT_URLS took no message"
        )
        assert sensor.tick().startswith("0 messages posted; address 1 ")
        # One try a tick, not one for each message: a tick must end in time.
        assert (inbox.refused, inbox.taken, len(other.taken)) == (2, [], 2)
        inbox.status = 200
        assert sensor.tick() == "2 messages posted"
        assert sensor.tick() == "0 messages posted"
        assert inbox.texts == other.texts
        assert len(set(inbox.texts)) == 2


def test_what_nobody_expected_is_told_without_its_text(folder: Path) -> None:
    broken = job("broken", KeyError("Maria Quispe, +51 987 654 321"))
    with dg.DagsterInstance.local_temp(str(folder)) as instance:
        tags = {"dagster/partition": "2026-01-02"}
        ended = broken.execute_in_process(instance=instance, raise_on_error=False, tags=tags)
        run = instance.get_run_by_id(ended.run_id)
        assert run is not None
        alert = alert_of(instance, run, None)
        # Of a run that Dagster starts again, the run in its place tells.
        instance.add_run_tags(run.run_id, {"dagster/will_retry": "true"})
        again = instance.get_run_by_id(run.run_id)
        assert again is not None
        assert alert_of(instance, again, None) is None
    assert alert is not None
    assert (alert.title, alert.kind) == ("broken failed", "failure")
    assert alert.lines[2:4] == (
        "days: 2026-01-02",
        "reason: unexpected KeyError; see the run's log",
    )
    assert "Maria" not in "".join(alert.lines)


def test_a_step_that_was_tried_again_says_recovered(folder: Path) -> None:
    flaky = job("flaky", dg.Failure("no server answers", allow_retries=True), retries=1)
    with dg.DagsterInstance.local_temp(str(folder)) as instance:
        ended = flaky.execute_in_process(instance=instance)
        run = instance.get_run_by_id(ended.run_id)
        assert run is not None
        alert = alert_of(instance, run, None)
    assert alert is not None
    assert (alert.title, alert.kind) == ("flaky recovered", "info")
    assert alert.lines[-1] == "tried again, because at first: no server answers"


def test_runs_of_others_are_not_told(
    folder: Path, ticks: Callable[..., Ticks], inbox: Receiver
) -> None:
    sensor = ticks(make_project(folder, {}), inbox)
    sensor.tick()
    before = sensor.cursor
    elsewhere = job("elsewhere", dg.Failure("of no concern here"))
    elsewhere.execute_in_process(instance=sensor.instance, raise_on_error=False)
    assert sensor.tick() == "0 messages posted"
    assert sensor.cursor != before
    assert inbox.taken == []


def test_off_unless_configured(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ACTIVITIES_ALERT_URLS", raising=False)
    assert alerts.default_status is dg.DefaultSensorStatus.STOPPED
    sensor = Ticks(make_project(folder, {}))
    with sensor.instance:
        assert sensor.tick() == "ACTIVITIES_ALERT_URLS is not set: there is no address to post to"
        monkeypatch.setenv("ACTIVITIES_ALERT_URLS", f"nosuch://{SECRET}")
        with pytest.raises(dg.Failure, match="number 1 of 1 is not an address") as raised:
            sensor.tick()
    assert SECRET not in str(raised.value)


def test_a_night_fails_again_and_again_only_for_reasons_that_pass(
    made: Project, opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened(made)

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

    monkeypatch.setattr("pipeline.assets.resource.TRY_AGAIN", (0,))
    monkeypatch.setattr("pipeline.warehouse.database.engine.PATIENCE", 1.0)
    with LoopThread() as loop:
        monkeypatch.setenv("ACTIVITIES_PASSWORD", "wrong")
        assert not tried_again()
        monkeypatch.setenv("WAREHOUSE_URL", "postgresql://nobody@127.0.0.1:1/nothing")
        assert tried_again()


def test_a_tick_that_failed_is_told_once_and_without_its_text(
    folder: Path, ticks: Callable[..., Ticks], inbox: Receiver
) -> None:
    sensor = ticks(make_project(folder, {}), inbox)
    state = add_schedule(sensor.instance, InstigatorStatus.RUNNING)
    sensor.instance.create_tick(
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
    for _ in range(2):
        sensor.tick()
    (text,) = inbox.texts
    assert "the schedule nightly could not do its work: unexpected KeyError" in text
    assert "Ana" not in text


def test_each_good_night_requests_the_heartbeat_once(
    folder: Path, ticks: Callable[..., Ticks], inbox: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    sensor = ticks(make_project(folder, {}))
    monkeypatch.delenv("ACTIVITIES_ALERT_URLS")
    monkeypatch.setenv("ACTIVITIES_HEARTBEAT_URL", inbox.heartbeat)
    sensor.tick()
    good_night.execute_in_process(instance=sensor.instance)
    for _ in range(2):
        sensor.tick()
    assert inbox.beats == ["/beat"]
    assert "beat" not in (sensor.cursor or "")
    ill_night().execute_in_process(instance=sensor.instance)
    sensor.tick()
    assert inbox.beats == ["/beat"]


def ill_night() -> dg.JobDefinition:
    """Make a night that ends with very many activities in quarantine."""
    key = ["warehouse", "activities"]

    @dg.asset(key=key)
    def activities() -> None:
        return None

    @dg.asset_check(asset=key, name="quarantine_empty")
    def quarantine_empty() -> dg.AssetCheckResult:
        return dg.AssetCheckResult(passed=False)

    night = dg.define_asset_job("nightly", selection="*")
    made = dg.Definitions(assets=[activities], asset_checks=[quarantine_empty], jobs=[night])
    return made.resolve_job_def("nightly")
