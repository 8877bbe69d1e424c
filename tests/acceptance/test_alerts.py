"""Alerts: what failed is posted once to each address that takes it, and says what to do."""

from __future__ import annotations

import json
from contextlib import ExitStack
from datetime import date
from typing import TYPE_CHECKING

import dagster as dg
import pytest

from pipeline.assets.alerts import alert_of, alerts
from pipeline.definitions import defs
from tests.acceptance.conftest import SECRETS
from tests.support.commands import make_project
from tests.support.receiver import SECRET, Receiver, receiver

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pipeline.sandbox import Running
    from tests.acceptance.conftest import MakeProject, Serve
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


def four_days(serve: Serve, **settings: object) -> Running:
    """Serve activities of four days."""
    return serve(40, from_date=date(2026, 1, 1), to_date=date(2026, 1, 4), **settings)


def test_a_failed_run_and_then_one_with_a_failed_check(
    serve: Serve,
    project: MakeProject,
    ticks: Callable[..., Ticks],
    inbox: Receiver,
) -> None:
    service = four_days(serve)
    made = project(service)
    assert made.run("sync", *DAYS, ACTIVITIES_PASSWORD="not-this-one").code == 1
    sensor = ticks(made, inbox)
    assert sensor.tick() == "0 messages posted"  # what ended before it was switched on is history
    assert made.run("sync", *DAYS, ACTIVITIES_PASSWORD="nor-this-one").code == 1
    assert made.run("sync", *DAYS).code == 0
    (run,) = sensor.instance.get_runs(
        dg.RunsFilter(statuses=[dg.DagsterRunStatus.FAILURE]), limit=1
    )
    assert sensor.tick() == "1 message posted"
    (text,) = inbox.texts
    title, *lines = text.splitlines()
    assert title == "activity-warehouse: sync_days_job failed"
    assert lines[:3] == [
        "job: sync_days_job",
        f"run: {run.run_id}",
        "days: 2026-01-01..2026-01-04",
    ]
    assert lines[3].startswith("reason: ")
    assert "401" in lines[3]
    assert lines[4].startswith("to do: ")
    assert lines[5:] == [f"{UI}/runs/{run.run_id}"]

    service.state.change_behaviour(order="reshuffled", max_limit=3)  # no two passes agree
    assert made.run("sync", *DAYS, "--full").code == 3
    assert sensor.tick() == "1 message posted"
    assert sensor.tick() == "0 messages posted"
    (_, text) = inbox.texts
    title, *lines = text.splitlines()
    assert title == "activity-warehouse: sync_days_job finished, but 1 check failed"
    assert lines[3] == "failed checks: 1"
    assert lines[4].startswith("- days_complete of warehouse/activities: ")
    assert "these days again" in lines[4]
    for told in inbox.texts:
        for secret in (SECRETS.api_key, SECRETS.password, "not-this-one", "nor-this-one", SECRET):
            assert secret not in told
    assert [each["type"] for each in inbox.taken] == ["failure", "failure"]


def test_an_address_that_is_down_gets_each_message_later_and_the_others_once(
    serve: Serve,
    project: MakeProject,
    ticks: Callable[..., Ticks],
    inbox: Receiver,
) -> None:
    made = project(four_days(serve))
    with receiver() as other:
        sensor = ticks(made, inbox, other)
        sensor.tick()
        inbox.status = 503
        for _ in range(2):
            assert made.run("sync", *DAYS, ACTIVITIES_PASSWORD="not-this-one").code == 1
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
    @dg.op(name="breaks")
    def breaks() -> None:
        raise KeyError("Maria Quispe, +51 987 654 321")

    @dg.job
    def broken() -> None:
        breaks()

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
    assert alert.title == "broken failed"
    assert alert.lines == (
        "job: broken",
        f"run: {run.run_id}",
        "days: 2026-01-02",
        "reason: unexpected KeyError; see the run's log",
        "to do: what is stored stays stored; remove the cause, then launch the same days again",
    )
    assert alert.kind == "failure"


def test_runs_of_others_are_not_told(
    folder: Path, ticks: Callable[..., Ticks], inbox: Receiver
) -> None:
    @dg.op
    def breaks() -> None:
        raise dg.Failure("of no concern here")

    @dg.job
    def elsewhere() -> None:
        breaks()

    sensor = ticks(make_project(folder, {}), inbox)
    sensor.tick()
    elsewhere.execute_in_process(instance=sensor.instance, raise_on_error=False)
    before = json.loads(sensor.cursor or "")
    assert sensor.tick() == "0 messages posted"
    assert json.loads(sensor.cursor or "") != before
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


def test_doctor_tells_of_addresses_without_showing_them(
    serve: Serve, project: MakeProject, inbox: Receiver
) -> None:
    made = project(four_days(serve))
    unset = made.run("doctor")
    assert "off; set ACTIVITIES_ALERT_URLS" in unset.out
    addresses = f"{inbox.url}, mailto://me:{SECRET}@example.com?to=a@example.com,b@example.com"
    done = made.run("doctor", ACTIVITIES_ALERT_URLS=addresses, ACTIVITIES_UI_URL=f"{UI}/")
    assert done.code == 0, done
    assert "alerts, address 1" in done.out
    assert "mailto; `pipeline doctor --test-alert`" in done.out
    assert inbox.taken == []
    tried = made.run("doctor", "--test-alert", ACTIVITIES_ALERT_URLS=inbox.url)
    assert tried.code == 0, tried
    assert len(inbox.taken) == 1
    inbox.status = 404
    refused = made.run("doctor", "--test-alert", ACTIVITIES_ALERT_URLS=inbox.url)
    assert refused.code == 1, refused
    assert "json, took no message" in refused.out
    wrong = made.run(
        "doctor",
        ACTIVITIES_ALERT_URLS=f"{inbox.url},{SECRET}://x",
        ACTIVITIES_UI_URL="here",
        COLUMNS="400",
    )
    assert wrong.code == 2, wrong
    assert "number 2 of 2 is not an address that apprise knows" in wrong.out
    assert "ACTIVITIES_UI_URL needs a scheme" in wrong.out
    assert wrong.out.count("FAIL") == 1
    assert made.run("sync", *DAYS, ACTIVITIES_ALERT_URLS=f"{SECRET}://x").code == 0  # nights go on
    for output in (unset, done, tried, refused, wrong):
        assert SECRET not in output.out + output.err
