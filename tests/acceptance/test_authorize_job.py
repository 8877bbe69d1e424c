"""The Dagster job that sends what is queued, and its sensor: off, one run at a time, nothing personal."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import dagster as dg

from pipeline.assets.authorizations import authorizations_queued
from pipeline.sandbox import FaultRule
from tests.acceptance.conftest import SECRETS

if TYPE_CHECKING:
    from pathlib import Path

    from pipeline.sandbox import Running
    from tests.support.asking import Asking
    from tests.support.commands import Project

#: Evaluates the sensor against the folder's instance, does what it asks for, and evaluates it again.
_TICKS = """
import json, sys
import dagster as dg
from dagster._core.instance import InstanceRef
from pipeline.assets.authorizations import authorizations_queued
from pipeline.definitions import defs

def tick(instance):
    with dg.build_sensor_context(instance=instance, definitions=defs) as context:
        data = authorizations_queued.evaluate_tick(context)
    return data.skip_message or "run"

told = []
with dg.DagsterInstance.from_ref(InstanceRef.from_dir(".")) as instance:
    told.append(tick(instance))
    if told[0] == "run":
        job = defs.resolve_job_def("send_authorizations")
        result = job.execute_in_process(instance=instance, raise_on_error=False)
        told.append(result.success)
        told.append([
            {key: value.value for key, value in event.materialization.metadata.items()}
            for event in result.all_events if event.is_step_materialization
        ])
        told.append([check.passed for check in result.get_asset_check_evaluations()])
        told.append(tick(instance))
print(json.dumps(told))
"""


_NIGHT = """
import json
import dagster as dg
from dagster._core.instance import InstanceRef
from pipeline.definitions import defs

with dg.DagsterInstance.from_ref(InstanceRef.from_dir(".")) as instance:
    result = defs.resolve_job_def("nightly").execute_in_process(
        instance=instance, raise_on_error=False,
        asset_selection=[dg.AssetKey(["actions", "settle_authorizations"])],
    )
    print(json.dumps([
        result.success, [check.passed for check in result.get_asset_check_evaluations()]
    ]))
"""


def ticks(made: Project) -> tuple[list[Any], str]:
    """Let the sensor tick, the job run, and the sensor tick again; return what came and the log."""
    done = made.run_python(_TICKS)
    return json.loads(done.out.splitlines()[-1]), done.out + done.err


def settle_at_night(made: Project) -> tuple[bool, list[bool]]:
    """Run the part of the nightly job that settles; return its success and what its check said."""
    success, passed = json.loads(made.run_python(_NIGHT).out.splitlines()[-1])
    return success, passed


def personal(folder: Path) -> list[str]:
    """Return the files that hold a secret or something of a person."""
    words = (b"999888777", b"Please share", SECRETS.api_key.encode(), b"customer-name")
    files = [file for file in folder.rglob("*") if file.is_file()]
    assert files
    return [str(file) for file in files if any(word in file.read_bytes() for word in words)]


def test_the_sensor_is_off_until_it_is_switched_on() -> None:
    assert authorizations_queued.default_status == dg.DefaultSensorStatus.STOPPED


def test_the_job_sends_what_is_queued(made: Project, asking: Asking, service: Running) -> None:
    assert ticks(made)[0] == ["nothing is queued"]

    service.state.set_faults(
        FaultRule(kind="status", status=400, body="999888777", operation="create", requests=1)
    )
    asking.queue(reference="customer-name")
    asking.queue("Please share more", "999888771")
    (first, success, metadata, passed, second), log = ticks(made)
    assert (first, success, passed, second) == ("run", True, [True], "nothing is queued")
    assert next(each for each in metadata if each)["linked_now"] == 1
    assert asking.states() == {"rejected": 1, "linked": 1}
    assert service.state.counters().by_operation["create"] == 2
    assert personal(made.folder) == []
    assert "999888777" not in log
    assert "Please share" not in log


def test_a_run_that_fails_says_so_in_one_line_and_gives_the_service_a_rest(
    made: Project, asking: Asking, service: Running
) -> None:
    service.state.set_faults(FaultRule(kind="status", operation="create"))
    for number in range(5):
        asking.queue(f"message {number}", f"99988870{number}")
    (first, success, _, _, second), log = ticks(made)
    assert (first, success) == ("run", False)
    assert second.startswith("the last run failed; the next one starts")
    assert "500, the service failed; the rest stays queued" in log
    assert asking.states() == {"unknown": 3, "queued": 2}


def test_the_night_settles_and_sends_nothing(
    made: Project, asking: Asking, service: Running
) -> None:
    assert settle_at_night(made) == (True, [True])
    assert service.state.counters().requests == 0  # nothing was open
    nothing = FaultRule(kind="status", status=201, body="", operation="create", numbers=(1,))
    service.state.set_faults(nothing)
    asking.queue()
    asking.queue("Something else", "999888771")
    asking.send()
    asking.queue("Not sent", "999888772")
    assert settle_at_night(made) == (True, [True])
    asking.pass_time(minutes=18)
    assert settle_at_night(made) == (True, [False])
    assert asking.states() == {"sent": 1, "linked": 1, "queued": 1}
    assert service.state.counters().by_operation["create"] == 2
    facts = json.loads(made.run("status", "--json").out)
    assert facts["sends_queued_authorizations"] is False
    assert facts["authorizations_queued"] == 1
