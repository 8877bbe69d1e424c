"""Exports metrics and one trace of a run by OpenTelemetry (docs/nights.md "Seen from outside").

Imported only where it is asked for. Its libraries read their own standard variables. An attribute is one of
our own words: no value, name or id of the service's data, and no text of an error.
"""

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress

from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.metrics import CallbackT, Meter, Observation
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader
from opentelemetry.sdk.resources import OTELResourceDetector, Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import StatusCode, Tracer

import pipeline.telemetry as telemetry
from pipeline import __version__
from pipeline.settings import SettingsInvalid, load_warehouse_url
from pipeline.warehouse.database.engine import warehouse_engine
from pipeline.warehouse.database.errors import WarehouseError
from pipeline.warehouse.database.server import check_server
from pipeline.warehouse.state import coverage

_NAME = "activity_warehouse"

#: Bounds of the histogram of steps, in seconds.
_BOUNDS = (0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300, 1000, 3000)


def exported(run_id: str) -> AbstractContextManager[None]:
    """Return what exports what its block does, and what it came to. ``run_id``: Dagster's.

    Raises what the libraries raise for a wrong variable. No error of the export ends the block.
    """
    ours = Resource({"service.name": "activity-warehouse", "service.version": __version__})
    resource = ours.merge(OTELResourceDetector().detect())
    tracers = TracerProvider(resource=resource)
    if telemetry.has_address("TRACES"):
        tracers.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    readers = []
    if telemetry.has_address("METRICS"):
        readers.append(PeriodicExportingMetricReader(OTLPMetricExporter()))
    return _exporting(run_id, tracers, MeterProvider(readers, resource))


@contextmanager
def _exporting(run_id: str, tracers: TracerProvider, meters: MeterProvider) -> Iterator[None]:
    # Each run counts from 0: its own attribute keeps its series apart from those of other runs.
    run = {"run": run_id}
    meter = meters.get_meter(_NAME)
    telemetry.counts.clear()
    _show_requests(meter, run)
    telemetry.observe = _steps(tracers.get_tracer(_NAME), meter, run)
    try:
        with telemetry.step("run"):
            yield
    finally:
        telemetry.observe = nullcontext
        with suppress(SettingsInvalid, WarehouseError):
            _show_warehouse(meter, run_id)
        for provider in (tracers, meters):
            with suppress(Exception):  # the libraries log what could not be sent
                provider.shutdown()


def _steps(tracer: Tracer, meter: Meter, run: dict[str, str]) -> telemetry.Observe:
    """Return what makes a span of a step, and measures it."""
    seconds = meter.create_histogram(
        f"{_NAME}.step.duration", "s", explicit_bucket_boundaries_advisory=_BOUNDS
    )

    @contextmanager
    def observe(name: str) -> Iterator[None]:
        began = time.monotonic()
        # The library would record the text of an error.
        with tracer.start_as_current_span(
            name, attributes=run, record_exception=False, set_status_on_exception=False
        ) as span:
            try:
                yield
            except BaseException:
                span.set_status(StatusCode.ERROR)
                raise
        seconds.record(time.monotonic() - began, {"step": name, **run})

    return observe


def _show_requests(meter: Meter, run: dict[str, str]) -> None:
    """Show live what the run's clients count."""

    def requests(_: object) -> Iterator[Observation]:
        answers = sum((each.answers for each in telemetry.counts), Counter[tuple[str, int]]())
        for (kind, status), number in answers.items():
            yield Observation(number, {"operation": kind, "status": str(status or "none"), **run})

    def total(name: str) -> list[CallbackT]:
        return [lambda _: [Observation(sum(getattr(each, name) for each in telemetry.counts), run)]]

    meter.create_observable_counter(f"{_NAME}.requests", [requests], "{request}")
    meter.create_observable_counter(f"{_NAME}.retries", total("retries"), "{request}")
    meter.create_observable_counter(f"{_NAME}.budget.wait", total("waited"), "s")


def _show_warehouse(meter: Meter, run_id: str) -> None:
    """Show what the run did, by its rows in ``sync.runs``, and the state of the whole warehouse."""
    with warehouse_engine(load_warehouse_url()) as engine:
        check_server(engine)  # tried once; the query below would be tried for a minute
        for name, unit, attributes, value in coverage.figures(engine, run_id):
            meter.create_gauge(f"{_NAME}.{name}", unit).set(value, attributes)
