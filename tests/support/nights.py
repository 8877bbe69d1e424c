"""What Dagster's history has of nights: one that did well, and the schedule, on or off."""

from __future__ import annotations

import dagster as dg
from dagster._core.remote_origin import (
    RegisteredCodeLocationOrigin,
    RemoteInstigatorOrigin,
    RemoteRepositoryOrigin,
)
from dagster._core.scheduler.instigation import (
    InstigatorState,
    InstigatorStatus,
    InstigatorType,
    ScheduleInstigatorData,
)

REPOSITORY = RemoteRepositoryOrigin(RegisteredCodeLocationOrigin("pipeline"), "main")


@dg.op
def works() -> None:
    """Do nothing."""


@dg.job(name="nightly")
def good_night() -> None:
    """Stand for a night; only its name, its end and its history matter."""
    works()


def add_schedule(instance: dg.DagsterInstance, status: InstigatorStatus) -> InstigatorState:
    """Add the schedule `nightly` to the history."""
    origin = RemoteInstigatorOrigin(REPOSITORY, "nightly")
    each_night = ScheduleInstigatorData("30 4 * * *", 0.0)
    state = InstigatorState(origin, InstigatorType.SCHEDULE, status, each_night)
    instance.add_instigator_state(state)
    return state
