"""Telemetry: what a real collector receives of a run, and that nothing is loaded or sent unasked."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

from pipeline.sandbox import FaultRule
from tests.acceptance.collector import collector
from tests.support.planted import leak, plant
from tests.support.units import DEPLOY

if TYPE_CHECKING:
    from pipeline.sandbox import Running
    from tests.acceptance.collector import Collector
    from tests.acceptance.conftest import MakeProject, Serve
    from tests.support.commands import Project

#: Every attribute that may leave: our own words, apart from the run's id.
WORDS = {
    "kind": {"days", "open"},
    "operation": {"login", "list", "details"},
    "result": {"listed", "new", "changed", "unchanged", "gone", "quarantined", "healed"},
    "step": {"run", "plan", "walk", "fetch", "load", "refresh"},
}

#: Runs a command and then says which of OpenTelemetry's modules it has loaded; the last one is hidden.
SAYS_MODULES = """
import sys
hidden = sys.argv.pop(1)
if hidden: sys.modules[hidden] = None
from pipeline.cli import main
try:
    main()
finally:
    print("loaded:", *(name for name in sys.modules if name.startswith("opentelemetry")))
"""


def night(made: Project, code: int = 0) -> Collector:
    """Do what the nightly run does, and return what a collector received of it."""
    with collector() as seen:
        done = made.run("sync", OTEL_EXPORTER_OTLP_ENDPOINT=seen.url)
    assert done.code == code, done
    return seen


def test_a_night_is_seen_from_outside(serve: Serve, project: MakeProject) -> None:
    service = serve(40)
    plant(service.state)
    service.state.set_faults(
        FaultRule(kind="status", status=503, operation="details", numbers=(3, 7)),
        FaultRule(kind="reset", operation="details", numbers=(11,)),
    )
    seen = night(project(service))

    (run,) = {value for key, value in seen.attributes() if key == "run"}
    told = service.state.counters()
    for operation in ("login", "list", "details"):
        for status, number in told.by_status[operation].items():
            name = status if status.isdigit() else "none"
            found = seen.value(
                "activity_warehouse.requests", operation=operation, status=name, run=run
            )
            assert found == number, (operation, status)
    assert seen.value("activity_warehouse.retries", run=run) == 3
    waited = seen.value("activity_warehouse.budget.wait", run=run)
    assert waited is not None
    assert waited > 0
    for result, number in {"new": 40, "changed": 0, "gone": 0, "quarantined": 0}.items():
        of_kinds = [
            seen.value("activity_warehouse.activities", kind=kind, result=result, run=run) or 0
            for kind in ("days", "open")
        ]
        assert sum(of_kinds) == number, result
    assert seen.value("activity_warehouse.quarantine.open") == 0
    assert seen.value("activity_warehouse.coverage.incomplete_days") == 0
    assert seen.value("activity_warehouse.coverage.complete_through")
    bound = seen.value("activity_warehouse.stale.bound")
    assert bound is not None
    assert 0 < bound <= 1

    steps: dict[str, float] = dict.fromkeys(WORDS["step"], 0)
    for (name, labels), often in seen.values.items():
        if name == "activity_warehouse.step.duration":
            steps[dict(labels)["step"]] += often
    assert all(steps.values()), steps
    assert {name: len([x for x in seen.spans if x.name == name]) for name in steps} == steps
    is_one_trace(seen)
    is_on_the_dashboard(seen)


def is_one_trace(seen: Collector) -> None:
    """Assert that all steps are in one trace, within the time of the run."""
    assert len({span.trace_id for span in seen.spans}) == 1
    by_id = {span.span_id: span for span in seen.spans}
    (root,) = (span for span in seen.spans if span.parent_span_id not in by_id)
    assert (root.name, root.parent_span_id) == ("run", b"")
    assert {span.name for span in seen.spans} == WORDS["step"]
    for span in seen.spans:
        assert root.start_time_unix_nano <= span.start_time_unix_nano
        assert span.end_time_unix_nano <= root.end_time_unix_nano


def is_on_the_dashboard(seen: Collector) -> None:
    """Assert that the dashboard asks for all that the run exports, and for nothing else."""
    known = seen.in_prometheus()
    board = json.loads((DEPLOY / "grafana-dashboard.json").read_text(encoding="utf-8"))
    asked: set[str] = set()
    for panel in board["panels"]:
        for target in panel["targets"]:
            query = target["expr"]
            names = set(re.findall(r"\bactivity_warehouse_\w+", query))
            assert names, panel["title"]
            assert names <= known.keys(), names - known.keys()
            asked |= names
            labels = set(re.findall(r"by \((.*?)\)", query)) | set(re.findall(r"[{,](\w+)=", query))
            used = {label.strip() for each in labels for label in each.split(",")}
            for name in names:
                assert used <= known[name], (panel["title"], used - known[name])
    # Each metric has its place; of a histogram one of its three series.
    bare = {re.sub(r"_(bucket|sum|count)$", "", name) for name in asked}
    assert bare == {re.sub(r"_(bucket|sum|count)$", "", name) for name in known}


def test_nothing_of_the_data_leaves(serve: Serve, project: MakeProject) -> None:
    service = serve(30)
    plant(service.state)
    # Its reason is in the quarantine, under the activity's id.
    service.state.set_faults(
        FaultRule(kind="status", status=400, operation="details", numbers=(4,))
    )
    seen = night(project(service), code=3)
    for key, value in seen.attributes():
        named = WORDS.get(key, {value} if key in {"run", "status"} else set())
        assert value in named, (key, value)
    sent = b"\n".join(seen.raw)
    assert len(sent) > 1000
    assert not any(name.encode() in sent for name in service.state.ids())
    assert leak(sent) is None
    assert service.credentials.api_key.encode() not in sent
    assert not any(span.events or span.status.message for span in seen.spans)


def test_a_failed_step_shows(service: Running, made: Project) -> None:
    service.state.set_faults(FaultRule(kind="status", status=403, operation="list"))
    seen = night(made, code=1)
    assert any(span.status.code == span.status.STATUS_CODE_ERROR for span in seen.spans)
    assert not any(span.events or span.status.message for span in seen.spans)


NOBODY = {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:9"}


@pytest.mark.parametrize(
    ("settings", "hidden", "said"),
    [
        ({"OTEL_SERVICE_NAME": "unused"}, "", ""),
        (NOBODY, "opentelemetry.exporter", "pip install 'activity-warehouse[telemetry]'"),
        # The exporter's own limit for one attempt to send, with all its repeats; by default 10 s.
        (NOBODY | {"OTEL_EXPORTER_OTLP_TIMEOUT": "1"}, "", ""),
        (NOBODY | {"OTEL_METRIC_EXPORT_INTERVAL": "0"}, "", "correct the variables OTEL_..."),
    ],
    ids=["no collector", "no extra", "a dead collector", "a wrong variable"],
)
def test_it_harms_no_run(made: Project, settings: dict[str, str], hidden: str, said: str) -> None:
    made.settings |= settings
    done = made.run_python(SAYS_MODULES, hidden, "sync")
    assert said in done.err
    # What nobody asked for is not loaded.
    assert (done.out.splitlines()[-1] == "loaded:") == (not NOBODY.keys() <= settings.keys())
