"""Where a process spends its time: py-spy samples it, and each sample belongs to one stage.

py-spy is in the extra ``rivals``. It counts samples with Python's lock held, so waiting counts as nothing.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from pathlib import Path

#: The stages, and what a sample's stack of a stage contains; the first that fits.
STAGES = {
    "start: imports": r"<frozen importlib",
    "Dagster: events": r"log_event |handle_new_event ",
    "walk": r"sync/(walk|listing|list_rows)\.py",
    "map and decide": r"sync/(mapping|fields|meaning|days)\.py|warehouse/(merge|belief|believing)\.py"
    r"|service/(reading|models|unknown|instants)\.py",
    "load": r"warehouse/(load|copying|rows)\.py|sync/loading\.py",
    "refresh and account": r"pipeline/warehouse/|sync/accounting\.py",
    "fetch": r"sync/work\.py|pipeline/service/|aiohttp/|asyncio/",
    "Dagster: the rest": r"dagster/",
    "the rest": r"",
}


def sampler(output: Path) -> list[str] | None:
    """Return the command that samples the program that follows it; None: py-spy is not installed."""
    found = Path(sys.executable).with_name("py-spy")
    options = ["record", "--gil", "--rate=500", "--format=raw", f"--output={output}", "--"]
    return [str(found), *options] if found.exists() else None


def shares(samples: Path) -> dict[str, float]:
    """Return the share of each stage, in percent."""
    count: Counter[str] = Counter()
    for line in samples.read_text(encoding="utf-8").splitlines():
        stack, number = line.rsplit(" ", 1)
        stage = next(name for name, part in STAGES.items() if re.search(part, stack))
        count[stage] += int(number)
    return {name: 100 * count[name] / count.total() for name in STAGES}
