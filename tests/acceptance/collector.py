"""A collector of OpenTelemetry: a real OTLP/HTTP receiver that parses what it is sent."""

from __future__ import annotations

import gzip
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import (
    ExportMetricsServiceRequest,
)
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

if TYPE_CHECKING:
    from collections.abc import Iterator

Labels = frozenset[tuple[str, str]]

#: How Prometheus writes a unit at the end of a metric's name. A unit in braces is left out.
_SUFFIXES = {"s": "_seconds", "1": "_ratio"}


@dataclass
class Collector:
    """What was received. ``values``: the newest by metric and attributes; of a histogram, how often."""

    url: str
    raw: list[bytes] = field(default_factory=list)
    spans: list[Any] = field(default_factory=list)
    resources: set[Labels] = field(default_factory=set)
    metrics: dict[str, Any] = field(default_factory=dict)
    values: dict[tuple[str, Labels], float] = field(default_factory=dict)

    def take(self, path: str, body: bytes) -> None:
        """Take over one request. Raises whatever is wrong with it."""
        self.raw.append(body)
        if path == "/v1/traces":
            for traced in ExportTraceServiceRequest.FromString(body).resource_spans:
                self.resources.add(_labels(traced.resource.attributes))
                for scope in traced.scope_spans:
                    self.spans += scope.spans
        elif path == "/v1/metrics":
            for measured in ExportMetricsServiceRequest.FromString(body).resource_metrics:
                self.resources.add(_labels(measured.resource.attributes))
                for scope in measured.scope_metrics:
                    for metric in scope.metrics:
                        self._take(metric)
        else:
            raise LookupError(path)

    def _take(self, metric: Any) -> None:
        self.metrics[metric.name] = metric
        kind = metric.WhichOneof("data")
        for point in getattr(metric, kind).data_points:
            value = point.count if kind == "histogram" else point.as_double or point.as_int
            self.values[metric.name, _labels(point.attributes)] = value

    def value(self, name: str, **labels: str) -> float | None:
        """Return the newest value of a metric under exactly these attributes."""
        return self.values.get((name, frozenset(labels.items())))

    def attributes(self) -> Labels:
        """Return every attribute of every span and metric."""
        of_spans = [_labels(span.attributes) for span in self.spans]
        return frozenset().union(*of_spans, *(labels for _, labels in self.values))

    def in_prometheus(self) -> dict[str, set[str]]:
        """Return the names of all metrics as Prometheus writes them, each with its labels."""
        found: dict[str, set[str]] = {}
        for name, metric in self.metrics.items():
            kind = metric.WhichOneof("data")
            written = name.replace(".", "_") + _SUFFIXES.get(metric.unit, "")
            labels = {key for each, labels in self.values if each == name for key, _ in labels}
            if kind == "histogram":
                found |= {f"{written}_bucket": labels | {"le"}}
                found |= {f"{written}_{part}": labels for part in ("sum", "count")}
            else:
                found[f"{written}_total" if kind == "sum" else written] = labels
        return found


def _labels(attributes: Any) -> Labels:
    return frozenset((each.key, each.value.string_value) for each in attributes)


@contextmanager
def collector() -> Iterator[Collector]:
    """Serve a collector on a free port of this machine."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            made.take(
                self.path,
                gzip.decompress(body) if self.headers["Content-Encoding"] == "gzip" else body,
            )
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            return

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        made = Collector(f"http://127.0.0.1:{server.server_port}")
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield made
        finally:
            server.shutdown()
