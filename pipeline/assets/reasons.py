"""Why a run failed, in words that may be shown to anybody."""

from collections.abc import Iterable

import dagster as dg


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
