"""The Dagster job that sends what is queued, and its sensor: off, one run at a time, nothing personal."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import dagster as dg
import pytest

from pipeline.assets.authorizations import authorizations_queued
from pipeline.definitions import defs
from pipeline.sandbox import FaultRule
from tests.acceptance.conftest import SECRETS

if TYPE_CHECKING:
    from pathlib import Path

    from tests.acceptance.conftest import Opened
    from tests.support.asking import Asking
    from tests.support.commands import Project


#: Runs in this process use what Dagster names otherwise in a later version.
pytestmark = pytest.mark.filterwarnings("ignore:.*run_id is deprecated")


def tick(instance: dg.DagsterInstance) -> str:
    """Evaluate the sensor; return why it asks for no run, or that it asks for one."""
    with dg.build_sensor_context(instance=instance, definitions=defs) as context:
        return authorizations_queued.evaluate_tick(context).skip_message or "run"


def run(instance: dg.DagsterInstance, job: str, *path: str) -> dg.ExecuteInProcessResult:
    """Run a job, or one asset of it."""
    return defs.resolve_job_def(job).execute_in_process(
        instance=instance,
        raise_on_error=False,
        asset_selection=[dg.AssetKey(path)] if path else None,
    )


def passed(result: dg.ExecuteInProcessResult) -> list[bool]:
    """Return what the checks of a run that succeeded said."""
    assert result.success
    return [check.passed for check in result.get_asset_check_evaluations()]


def personal(folder: Path) -> list[str]:
    """Return the files that hold a secret or something of a person."""
    words = (b"999888777", b"Please share", SECRETS.api_key.encode(), b"customer-name")
    files = [file for file in folder.rglob("*") if file.is_file()]
    assert files
    return [str(file) for file in files if any(word in file.read_bytes() for word in words)]


def test_the_job_sends_what_is_queued(
    made: Project, asking: Asking, opened: Opened, capfd: pytest.CaptureFixture[str]
) -> None:
    assert authorizations_queued.default_status == dg.DefaultSensorStatus.STOPPED
    instance = opened(made)
    assert tick(instance) == "nothing is queued"
    asking.service.state.set_faults(
        FaultRule(kind="status", status=400, body="999888777", operation="create", requests=1)
    )
    asking.queue(reference="customer-name")
    asking.queue("Please share more", "999888771")
    assert tick(instance) == "run"
    result = run(instance, "send_authorizations")
    assert passed(result) == [True]
    (event,) = result.get_asset_materialization_events()
    assert event.materialization.metadata["linked_now"].value == 1
    assert tick(instance) == "nothing is queued"
    assert asking.states() == {"rejected": 1, "linked": 1}
    assert asking.service.state.counters().by_operation["create"] == 2
    assert personal(made.folder) == []
    log = "".join(capfd.readouterr())
    assert "999888777" not in log
    assert "Please share" not in log


def test_a_run_that_fails_says_so_in_one_line_and_gives_the_service_a_rest(
    made: Project, asking: Asking, opened: Opened, capfd: pytest.CaptureFixture[str]
) -> None:
    asking.service.state.set_faults(FaultRule(kind="status", operation="create"))
    for number in range(5):
        asking.queue(f"message {number}", f"99988870{number}")
    instance = opened(made)
    assert tick(instance) == "run"
    assert not run(instance, "send_authorizations").success
    assert tick(instance).startswith("the last run failed; the next one starts")
    assert "500, the service failed; the rest stays queued" in capfd.readouterr().err
    assert asking.states() == {"unknown": 3, "queued": 2}


def test_the_night_settles_and_sends_nothing(made: Project, asking: Asking, opened: Opened) -> None:
    part = (opened(made), "nightly", "actions", "settle_authorizations")
    assert passed(run(*part)) == [True]
    assert asking.service.state.counters().requests == 0  # nothing was open
    nothing = FaultRule(kind="status", status=201, body="", operation="create", numbers=(1,))
    asking.service.state.set_faults(nothing)
    asking.queue()
    asking.queue("Something else", "999888771")
    asking.send()
    asking.queue("Not sent", "999888772")
    assert passed(run(*part)) == [True]
    asking.pass_time(minutes=18)
    assert passed(run(*part)) == [False]
    assert asking.states() == {"sent": 1, "linked": 1, "queued": 1}
    assert asking.service.state.counters().by_operation["create"] == 2
    facts = json.loads(made.run("status", "--json").out)
    assert facts["sends_queued_authorizations"] is False
    assert facts["authorizations_queued"] == 1
