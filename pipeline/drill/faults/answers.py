"""Faults of the service's answers: errors, limits, silence, broken connections, wrong bodies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pipeline.drill.child import Missed
from pipeline.drill.drill import Fault
from pipeline.sandbox import FaultRule

if TYPE_CHECKING:
    from collections.abc import Callable

    from pipeline.drill.scene import Scene

#: An outage begins with this details request and does not end.
_OUTAGE = tuple(range(31, 10_000))


def _spoil(*rules: FaultRule, **job: Any) -> Callable[[Scene], str]:
    """Return a play of one run under these rules."""

    def play(stage: Scene) -> str:
        stage.state.set_faults(*rules)
        ended = stage.run(**job)
        fired = sum(reading.fired for reading in stage.state.faults())
        if not fired:
            raise Missed("no request met the fault")
        return f"{fired} answers spoiled; {ended}; {stage.kept()}"

    return play


FAULTS = (
    Fault(
        "errors-10-percent",
        "one answer in ten is 500",
        _spoil(FaultRule(kind="status", status=500, rate=0.1)),
    ),
    Fault(
        "errors-30-percent",
        "three answers in ten are 500",
        _spoil(FaultRule(kind="status", status=500, rate=0.3)),
    ),
    Fault(
        "first-two-attempts",
        "the first two attempts of everything fail with 502",
        _spoil(FaultRule(kind="status", status=502, first_attempts=2)),
    ),
    Fault(
        "rate-limited",
        "429 with Retry-After to the first attempt of everything",
        _spoil(FaultRule(kind="status", status=429, retry_after=30, first_attempts=1)),
    ),
    Fault(
        "outage",
        "503 to everything from the 31st details on",
        _spoil(FaultRule(kind="status", status=503, operation="details", numbers=_OUTAGE)),
    ),
    Fault(
        "list-fails",
        "every page of the list is answered 504",
        _spoil(FaultRule(kind="status", status=504, operation="list")),
    ),
    Fault(
        "no-answer",
        "some requests are never answered",
        _spoil(FaultRule(kind="hang", first_attempts=1, requests=8), answer_within=0.2),
    ),
    Fault(
        "reset-before-answer",
        "connections are reset before an answer",
        _spoil(FaultRule(kind="reset", rate=0.3)),
    ),
    Fault(
        "reset-in-answer",
        "connections are reset in the middle of an answer",
        _spoil(FaultRule(kind="reset_body", rate=0.3)),
    ),
    Fault(
        "cut-json",
        "bodies end half-way",
        _spoil(FaultRule(kind="cut_json", operation="details", rate=0.3)),
    ),
    Fault(
        "maintenance-page",
        "a web page with 200 to everything from the 31st details on",
        _spoil(FaultRule(kind="html", operation="details", numbers=_OUTAGE)),
    ),
    Fault(
        "wrong-content-type",
        "every answer is called text/plain",
        _spoil(FaultRule(kind="wrong_content_type")),
    ),
)
