"""Dagster alone with as many events as the product's runs have: an asset shows days and does nothing else.

This is about the least that a run can cost which shows as much in Dagster's own storage.
"""

from datetime import timedelta
from typing import TYPE_CHECKING

import dagster as dg

if TYPE_CHECKING:
    from tests.benchmarks.task import Task

#: Events of a night without news besides those that Dagster itself adds to a run of one asset.
_OTHERS = 50

#: As in the product: no log in the terminal, no telemetry, no processes that copy output into files.
OVERRIDES = {
    "telemetry": {"enabled": False},
    "compute_logs": {
        "module": "dagster.core.storage.noop_compute_log_manager",
        "class": "NoOpComputeLogManager",
    },
}
QUIET = {"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}}


def run(task: "Task") -> None:
    """Run one job that shows each day of the task, with as many facts as the product's days have."""

    @dg.asset
    def activities(context: dg.AssetExecutionContext) -> None:
        for number in range(_OTHERS):
            context.log_event(dg.AssetMaterialization(f"other_{number}", metadata={"rows": number}))
        for number in range(task.days):
            facts = dict.fromkeys("abcdef", number) | {"at": dg.MetadataValue.timestamp(0.0)}
            day = (task.first + timedelta(days=number)).isoformat()
            context.log_event(dg.AssetMaterialization("days", partition=day, metadata=facts))

    history = task.folder / "dagster-alone"
    history.mkdir(exist_ok=True)
    with dg.DagsterInstance.local_temp(str(history), OVERRIDES) as instance:
        dg.materialize([activities], instance=instance, run_config=QUIET)
