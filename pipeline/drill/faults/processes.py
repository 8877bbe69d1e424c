"""Faults of the process: killed at any moment, interrupted, terminated."""

from __future__ import annotations

import shutil
import signal
import tempfile
from typing import TYPE_CHECKING, Any

from pipeline.drill.runs import BATCH, FIRST, LAST, PATIENCE, WORKERS, Child
from pipeline.drill.trial import ONE_BY_ONE, Fault, Trial

if TYPE_CHECKING:
    from collections.abc import Callable

    from pipeline.sandbox.faults import Operation
    from pipeline.sandbox.parking import Phase

    Play = Callable[[Trial], str]

#: Details requests just before the first batch goes to PostgreSQL, and within the second batch.
_HALF, _SECOND = BATCH // 2, BATCH + 2


def kill_at(
    operation: Operation, number: int, phase: Phase = "before", times: int = 1, **changes: Any
) -> Play:
    """Return a play that kills ``times`` runs, each at its ``number``-th request of an operation."""

    def play(trial: Trial) -> str:
        for _ in range(times):
            trial.kill_at(operation, number, phase, **(changes or ONE_BY_ONE))
        often = f"{times} times " if times > 1 else ""
        return f"{often}exit -9 at {operation} request {number}, {trial.progress()}"

    return play


def _interrupt(number: signal.Signals) -> Play:
    """Return a play that sends a signal to the real ``pipeline sync`` at its 26th details request."""
    code = 128 + number

    def play(trial: Trial) -> str:
        parking = trial.state.park("details", 26)
        with tempfile.TemporaryDirectory() as folder:
            # Dagster's history of this run is of no use to anyone.
            shutil.copy(trial.project / "dagster.yaml", folder)
            command = ("pipeline", "sync", "--from", f"{FIRST}", "--to", f"{LAST}")
            environment = _settings(trial) | {"DAGSTER_HOME": folder}
            with Child(*command, environment=environment, folder=folder) as child:
                parking.wait(PATIENCE)
                child.stop(number, code)
        parking.release()
        trial.allow_repeats()
        return f"exit {code}, {trial.progress()}"

    return play


def _settings(trial: Trial) -> dict[str, str]:
    given = trial.job.credentials
    return {
        "ACTIVITIES_BASE_URL": trial.job.base_url,
        "ACTIVITIES_API_KEY": given.api_key,
        "ACTIVITIES_USERNAME": given.username,
        "ACTIVITIES_PASSWORD": given.password,
        "ACTIVITIES_TIMEZONE": "UTC",
        "ACTIVITIES_START_DATE": FIRST.isoformat(),
        "ACTIVITIES_MAX_CONCURRENCY": "1",
        "WAREHOUSE_URL": trial.job.warehouse_url,
    }


FAULTS = (
    Fault("kill-at-login", "kill -9 during the login", kill_at("login", 1)),
    Fault("kill-at-page", "kill -9 in the middle of the list", kill_at("list", 4)),
    Fault("kill-at-first-details", "kill -9 at the first details", kill_at("details", 1)),
    Fault("kill-before-first-batch", "kill -9 with nothing stored", kill_at("details", _HALF)),
    Fault("kill-after-first-batch", "kill -9 with one batch stored", kill_at("details", _SECOND)),
    Fault("kill-in-answer", "kill -9 with half an answer", kill_at("details", 31, "body")),
    Fault(
        "kill-with-many-in-flight",
        "kill -9 with several requests in flight",
        kill_at("details", 45, workers=WORKERS),
    ),
    Fault("kill-again-and-again", "kill -9 of three runs", kill_at("details", _SECOND, times=3)),
    Fault("ctrl-c", "Ctrl-C during `pipeline sync`", _interrupt(signal.SIGINT)),
    Fault("sigterm", "SIGTERM to `pipeline sync`", _interrupt(signal.SIGTERM)),
)
