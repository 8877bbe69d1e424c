"""``python -m tests.benchmarks.ceiling``: what two processes send under one ceiling of requests.

One `pipeline sync` works alone, a second one joins it, then the second is killed with -9. Requests are
counted by the service.
"""

from __future__ import annotations

import argparse
import os
import signal
import tempfile
import time
from collections import deque
from contextlib import ExitStack
from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.local import LocalPostgres
from tests.benchmarks.figures import RESULTS, table
from tests.support.commands import eventually, make_project, service_settings
from tests.support.mirroring import sandbox
from tests.support.postgres import discard, session_folder

if TYPE_CHECKING:
    from collections.abc import Callable

    from pipeline.sandbox import Running

#: Requests a second of all processes together.
CEILING = 40

#: Seconds of the windows of which the busiest is shown.
WINDOW = 5.0

FIRST, DAYS = date(2026, 1, 1), 40


class Meter:
    """Watches how many requests the service got; keeps when it looked and what it saw."""

    def __init__(self, service: Running) -> None:
        self._service = service
        self.seen: list[tuple[float, int]] = []

    def look(self) -> tuple[float, int]:
        """Note time and requests until now."""
        self.seen.append((time.monotonic(), self._service.state.counters().requests))
        return self.seen[-1]

    def until(self, enough: Callable[[], bool]) -> float:
        """Watch until there is enough; return the requests a second meanwhile."""
        began, before = self.look()
        while self.seen[-1][0] == began or not enough():
            time.sleep(0.02)
            self.look()
        ended, after = self.seen[-1]
        return (after - before) / (ended - began)

    def rate(self, seconds: float) -> float:
        """Measure for so many seconds; return the requests a second."""
        deadline = time.monotonic() + seconds
        return self.until(lambda: time.monotonic() > deadline)

    def busiest(self) -> float:
        """Return the requests a second of the busiest window."""
        most, window = 0.0, deque[tuple[float, int]]()
        for now in self.seen:
            window.append(now)
            while now[0] - window[0][0] > WINDOW:
                first = window.popleft()
                most = max(most, (now[1] - first[1]) / (now[0] - first[0]))
        return most


def measure(seconds: float) -> str:
    """Measure, each time for so many seconds; return what came out, in Markdown."""
    with ExitStack() as opened:
        folder = opened.enter_context(session_folder())
        service = opened.enter_context(
            sandbox(6_000, from_date=FIRST, to_date=FIRST + timedelta(days=DAYS - 1))
        )
        server = LocalPostgres(Path(tempfile.mkdtemp(dir=folder))).start()
        opened.callback(discard, server)
        settings = service_settings(service.base_url, service.credentials) | {
            "WAREHOUSE_URL": server.url(),
            "ACTIVITIES_REQUESTS_PER_SECOND": str(CEILING),
        }
        meter = Meter(service)

        def start(name: str, first: int) -> int:
            """Sync half of the days; return the process once it has joined and logged in."""
            days = [str(FIRST + timedelta(days=first + more)) for more in (0, DAYS // 2 - 1)]
            made = make_project(folder / name, settings)
            command = opened.enter_context(made.start("sync", "--from", days[0], "--to", days[1]))
            counters = service.state.counters
            logins = counters().logins
            meter.until(lambda: counters().logins > logins)
            return command.process.pid

        start("one", 0)
        alone = meter.rate(seconds)
        second = start("two", DAYS // 2)
        both = meter.rate(seconds)
        os.kill(second, signal.SIGKILL)
        killed = time.monotonic()
        eventually(lambda: meter.rate(0.5) > 0.9 * CEILING or None, "it has the whole rate")
        freed = time.monotonic() - killed
        after = meter.rate(seconds)
        rows = {
            "one process": alone,
            "two processes": both,
            "one, after the other was killed": after,
            f"busiest {WINDOW:.0f} s of all, joining and killing included": meter.busiest(),
        }
    head = [f"ceiling of {CEILING} requests a second", "a second", "/ ceiling"]
    shown = table(head, [[what, f"{x:.1f}", f"{x / CEILING:.3f}"] for what, x in rows.items()])
    return f"{shown}\n\nThe survivor had the whole rate {freed:.1f} s after the other was killed.\n"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.ceiling", description=__doc__)
    parser.add_argument("--seconds", type=float, default=20, help="of each measurement (20)")
    parser.add_argument("--output", type=Path, default=RESULTS, help="folder for what comes out")
    chosen = parser.parse_args()
    text = measure(chosen.seconds)
    (chosen.output / "ceiling.md").write_text(text, encoding="utf-8")
    print(text)  # noqa: T201
