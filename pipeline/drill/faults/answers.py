"""Faults of the service's answers: errors, limits, silence, broken connections, wrong bodies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pipeline.drill.runs import Missed
from pipeline.drill.trial import Fault, Trial
from pipeline.sandbox import FaultRule

if TYPE_CHECKING:
    from collections.abc import Callable

    from pipeline.sandbox.faults import FaultKind

#: Rules with these numbers begin with the 31st details request and do not end.
_FROM_31: dict[str, Any] = {"operation": "details", "numbers": tuple(range(31, 10_000))}

# The service counts these answers as good ones. Rules of these kinds must hit details only.
_SPOIL_200 = ("html", "empty", "cut_json")


def spoil(kind: FaultKind, **rule: Any) -> Callable[[Trial], str]:
    """Return a play of one run while the service spoils answers by this rule."""
    return spoil_run({}, kind=kind, **rule)


def spoil_run(changes: dict[str, Any], **rule: Any) -> Callable[[Trial], str]:
    """Return the same play with other fields of the run's `Job`."""

    def play(trial: Trial) -> str:
        trial.state.set_faults(FaultRule(**rule))
        ended = trial.run(**changes)
        (reading,) = trial.state.faults()
        if not reading.fired:
            raise Missed("no request met the fault")
        if reading.rule.kind in _SPOIL_200:
            trial.needed += reading.fired
        return f"{reading.fired} answers spoiled; {ended}; {trial.progress()}"

    return play


FAULTS = (
    Fault("errors-10-percent", "one answer in ten is 500", spoil("status", status=500, rate=0.1)),
    Fault("errors-30-percent", "3 answers in 10 are 500", spoil("status", status=500, rate=0.3)),
    Fault(
        "first-two-attempts",
        "the first two attempts of each request fail with 502",
        spoil("status", status=502, first_attempts=2),
    ),
    Fault(
        "rate-limited",
        "429 with Retry-After to the first attempt of each request",
        spoil("status", status=429, retry_after=30, first_attempts=1),
    ),
    Fault("outage", "503 from the 31st details on", spoil("status", status=503, **_FROM_31)),
    Fault("list-fails", "the list is always 504", spoil("status", status=504, operation="list")),
    Fault(
        "no-answer",
        "some requests are never answered",
        spoil_run({"answer_within": 0.2}, kind="hang", first_attempts=1, requests=8),
    ),
    Fault("reset-before-answer", "connections reset before the answer", spoil("reset", rate=0.3)),
    Fault("reset-in-answer", "connections reset in the answer", spoil("reset_body", rate=0.3)),
    Fault("cut-json", "bodies end half-way", spoil("cut_json", operation="details", rate=0.3)),
    Fault(
        "maintenance-page", "web pages with 200 from the 31st details", spoil("html", **_FROM_31)
    ),
    Fault("wrong-content-type", "all answers are text/plain", spoil("wrong_content_type")),
)
