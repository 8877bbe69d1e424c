"""What of a run is seen from outside, if somebody looks (docs/nights.md "Seen from outside").

The lowest layer of all: every layer marks its steps here. A process works for one run at a time.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

Observe = Callable[[str], AbstractContextManager[object]]

#: Called with the name of each step, around it, in the step's own thread. ``nullcontext``: nobody looks.
observe: Observe = nullcontext

#: The live counts of the service's clients; a step that is tried again has a new one.
counts: list[Any] = []


def has_address(*signals: str) -> bool:
    """Whether OpenTelemetry's own variables have an address for one of ``signals``: METRICS or TRACES."""
    names = ("OTEL_EXPORTER_OTLP_ENDPOINT", *(f"OTEL_EXPORTER_OTLP_{s}_ENDPOINT" for s in signals))
    return any(map(os.environ.get, names))


@contextmanager
def step(name: str) -> Iterator[None]:
    """Mark the block, or each call of the decorated function, as a step of the run."""
    with observe(name):
        yield
