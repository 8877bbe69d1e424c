"""Why a run failed, in words that may be shown to anybody."""

from collections.abc import Iterable

import dagster as dg
from dagster import DagsterEventType

#: What a run is told to have failed of whose process has ended without a word.
ENDED = "its process ended (killed, or out of memory)"

#: What Dagster says of a run that ended from outside, and what that means.
_FROM_OUTSIDE = {
    "run worker": ENDED,
    "outside the execution context": ENDED,
    "interrupted unexpectedly": "its process was told to end, by a restart or by somebody",
}


def events_of(
    instance: dg.DagsterInstance, run_id: str, *kinds: DagsterEventType
) -> list[dg.DagsterEvent]:
    """Return the events of these kinds in a run's log, oldest first."""
    return [log.get_dagster_event() for log in instance.all_logs(run_id, of_type=set(kinds))]


def reason_of(events: Iterable[dg.DagsterEvent], log: str) -> str | None:
    """Return the reason in a run's events: of a step, of a resource, or of the run itself.

    It is the line of our own failure, else the class of an unexpected error and where its ``log`` is.
    Texts of unexpected errors are left out, because they may quote any value.
    """
    unexpected = None
    for event in events:
        data = event.event_specific_data
        error = getattr(data, "error", None)
        failure = getattr(data, "user_failure_data", None)
        if failure is not None and failure.description:
            return str(failure.description)
        while error is not None:
            if "dagster.Failure" in error.message or error.cls_name == "Failure":
                return str(error.message.split("Failure: ", 1)[-1]).strip()
            unexpected, error = error.cls_name, error.cause
    return f"unexpected {unexpected}; see {log}" if unexpected else None


def why_failed(instance: dg.DagsterInstance, run_id: str) -> str:
    """Return the reason of a failed run."""
    failures = (DagsterEventType.STEP_FAILURE, DagsterEventType.RUN_FAILURE)
    events = events_of(instance, run_id, *failures)
    said = (events[-1].message if events else None) or "see the run's log"
    # Where Dagster itself ended the run, its own message says more than a step that was interrupted.
    for words, meaning in _FROM_OUTSIDE.items():
        if words in said.lower():
            return meaning
    return reason_of(events, "the run's log") or said
