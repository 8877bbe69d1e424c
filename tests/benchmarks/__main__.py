"""``python -m tests.benchmarks``: measure, print the tables, write them and a plot."""

from __future__ import annotations

import argparse
import os
import platform
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from tests.benchmarks import sections
from tests.benchmarks.arena import arena
from tests.benchmarks.figures import RESULTS, Results
from tests.benchmarks.plot import plot

if TYPE_CHECKING:
    from collections.abc import Sequence

SECTIONS = ("side-by-side", "start", "days", "latency", "growth")

#: Days over which the activities of a section lie.
_SIDE_BY_SIDE = 90
_OVER_DAYS = (30, 300, 1000)
#: How many times the activities, and over how many days: none before 2000.
_GROWTH_OVER = ((1, 20), (10, 200), (100, 2000), (1000, 8000))
_USUAL = 2000


def measure(number: int, runs: int, most_days: int, chosen: Sequence[str]) -> Results:
    """Measure the chosen sections, telling on stderr how far it is.

    What lies over more than ``most_days`` is left out.
    """

    def told(line: str) -> None:
        print(line, file=sys.stderr, flush=True)  # noqa: T201

    def short(each_days: Sequence[int]) -> list[int]:
        return [days for days in each_days if days <= most_days]

    machine = f"{os.cpu_count()} cores, Python {platform.python_version()}"
    results = Results(number, runs, machine)
    side_by_side = min(_SIDE_BY_SIDE, most_days)
    growth = [(times, days) for times, days in _GROWTH_OVER if days <= most_days]
    # Ten million take 40 GB.
    with arena(Path("/var/tmp") if most_days > _USUAL else None) as place:  # noqa: S108
        if "growth" in chosen:
            results.growth = sections.growth(place, number, growth, runs, told)
        if "side-by-side" in chosen:
            results.days = side_by_side
            results.beside = sections.side_by_side(place, number, side_by_side, runs, told)
        if "start" in chosen:
            results.start = sections.start(place, side_by_side, runs, told)
        if "days" in chosen:
            results.over_days = sections.over_days(place, number, short(_OVER_DAYS), runs, told)
        if "latency" in chosen:
            few, days, before = number * 3 // 10, min(60, most_days), min(260, most_days)
            loads = [(few, days, 0), (few, days, before), (2 * number, days, 0)]
            results.latency = sections.latency(place, loads, runs, told)
    return results


def main() -> None:
    """Read the command line, measure, write ``benchmarks.md`` and ``benchmarks.png``."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("--activities", type=int, default=10_000, help="of a first load (10,000)")
    parser.add_argument("--runs", type=int, default=5, help="of which medians are taken (5)")
    parser.add_argument(
        "--most-days", type=int, default=_USUAL, help="leave out what has more (2,000)"
    )
    parser.add_argument("--only", nargs="+", choices=SECTIONS, default=SECTIONS, help="sections")
    parser.add_argument("--output", type=Path, default=RESULTS, help="folder for what comes out")
    chosen = parser.parse_args()
    results = measure(chosen.activities, chosen.runs, chosen.most_days, chosen.only)
    chosen.output.mkdir(parents=True, exist_ok=True)
    text = results.markdown()
    (chosen.output / "benchmarks.md").write_text(text, encoding="utf-8")
    plot(results, chosen.output / "benchmarks.png")
    print(text)  # noqa: T201


if __name__ == "__main__":
    main()
