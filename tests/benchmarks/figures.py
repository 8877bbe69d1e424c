"""What came out: the figures, what they are held against, and tables of them in Markdown."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from tests.benchmarks.stages import STAGES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tests.benchmarks.arena import Cost
    from tests.benchmarks.sections import Efficiency, SideBySide, Start

MIB = 2**20

#: Where the figures of all benchmarks are kept.
RESULTS = Path(__file__).with_name("results")

NAMES = {
    "product": "`pipeline sync`",
    "floor": "raw-socket floor",
    "bare": "bare packages",
    "afternoon": "an afternoon's pipeline",
    "dlt_pipeline": "dlt",
}

#: Days over which a first load is held against the bare packages, with the most it may cost; and the days
#: for the afternoon's pipeline and dlt.
_AGAINST_BARE = {30: 1.3, 300: 1.65}
_AGAINST_RIVALS = 90


@dataclass(frozen=True)
class Target:
    """Something that should hold: a figure, and what it should be at most (or at least)."""

    what: str
    figure: float
    bound: float
    at_least: bool = False

    @property
    def holds(self) -> bool:
        """Whether it does."""
        return self.figure >= self.bound if self.at_least else self.figure <= self.bound


@dataclass
class Results:
    """The figures of one run of the benchmarks; a section that was left out is None or empty.

    ``beside``, ``over_days``: by days of the activities. ``stages``: by days, then by run.
    """

    number: int
    runs: int
    machine: str
    beside: dict[int, SideBySide] = field(default_factory=dict)
    start: Start | None = None
    stages: dict[int, dict[str, dict[str, float] | None]] = field(default_factory=dict)
    over_days: dict[int, tuple[Cost, Cost]] = field(default_factory=dict)
    efficiency: dict[int, Efficiency] = field(default_factory=dict)
    memory: dict[int, Cost] = field(default_factory=dict)
    growth: dict[int, Cost] = field(default_factory=dict)

    def targets(self) -> Iterator[Target]:
        """Yield what is aimed at, with what was measured."""
        for days, beside in self.beside.items():
            yield from _beside_targets(beside, days)
        if self.start:
            ratio = self.start.night.cpu / self.start.events.cpu
            yield Target("a night without news: CPU / Dagster's with its events", ratio, 1.05)
        if 64 in self.efficiency:
            found, what = self.efficiency[64], "ideal / actual time, 64 in flight at 50 ms"
            yield Target(f"{what}, fetching", found.fetching, 0.9, True)
            yield Target(f"{what}, whole process", found.process, 0.6, True)
        if self.memory:
            most = self.memory[max(self.memory)]
            yield Target("peak memory of the largest first load, MiB", most.peak / MIB, 150)
        if self.growth:
            least, most = (self.growth[size] for size in (min(self.growth), max(self.growth)))
            times = max(self.growth) // min(self.growth)
            costs = [cost.cpu + cost.server_cpu for cost in (least, most)]
            what = f"CPU of a night on {times} times the warehouse / once"
            yield Target(what, costs[1] / costs[0], 1.3)

    def markdown(self) -> str:
        """Return all tables."""
        parts = [f"{self.number:,} activities, {self.machine}, medians of {self.runs}."]
        for days, beside in self.beside.items():
            parts += [
                _costs(f"first load, {days} days", beside.first),
                _costs(f"again, nothing changed, {days} days", beside.again),
                f"The stand-in answers {beside.stand_in_rate:,.0f} requests a second to raw sockets,"
                f" {beside.stand_in_rate / beside.product_rate:.1f} times what the first load"
                f" asks of it; that makes {beside.first_requests:,} requests, the re-run"
                f" {beside.again_requests}.",
            ]
        parts += self._process_tables()
        if self.efficiency:
            what = "requests in flight, 50 ms each: ideal / actual time"
            head = [what, "from the first details to the last", "whole run", "whole process"]
            rows = [
                [str(flight), f"{each.fetching:.2f}", f"{each.load:.2f}", f"{each.process:.2f}"]
                for flight, each in self.efficiency.items()
            ]
            parts.append(table(head, rows))
        if self.memory:
            parts.append(table(["first load of", "peak MiB", "client CPU s"], [
                [f"{size:,}", _mib(cost.peak), f"{cost.cpu:.1f}"]
                for size, cost in self.memory.items()
            ]))  # fmt: skip
        if self.growth:
            what = f"a night, {self.number // 10:,} changed, on"
            parts.append(table([what, "client CPU s", "PostgreSQL CPU s", "wall s"], [
                [f"{size:,}", f"{cost.cpu:.2f}", f"{cost.server_cpu:.2f}", f"{cost.seconds:.1f}"]
                for size, cost in self.growth.items()
            ]))  # fmt: skip
        parts.append(table(["aim", "measured", "bound", ""], [
            [
                target.what,
                f"{target.figure:.2f}",
                f"{'≥' if target.at_least else '≤'} {target.bound:.3g}",
                "met" if target.holds else "**missed**",
            ]
            for target in self.targets()
        ]))  # fmt: skip
        return "\n\n".join(parts) + "\n"

    def _process_tables(self) -> Iterator[str]:
        """Yield what a whole process of the product pays for, and where."""
        if self.start:
            yield table(["process", "CPU s", "wall s", "peak MiB"], [
                [what, f"{cost.cpu:.2f}", f"{cost.seconds:.1f}", _mib(cost.peak)]
                for what, cost in (
                    ("a night without news", self.start.night),
                    ("Dagster alone, with the events of such a night", self.start.events),
                    *(
                        (f"Dagster alone, with the events of a first load of {days} days", cost)
                        for days, cost in self.start.days.items()
                    ),
                )
            ])  # fmt: skip
        columns = {
            f"{run}, {days} days": shares
            for days, runs in self.stages.items()
            for run, shares in runs.items()
            if shares
        }
        if columns:
            yield table(["% of the process's time in Python", *columns], [
                [stage, *(f"{shares[stage]:.0f}" for shares in columns.values())]
                for stage in STAGES
            ])  # fmt: skip
        if self.over_days:
            yield table(["days", "first load: CPU s", "wall s", "unchanged: CPU s", "wall s"], [
                [str(days), *(f"{each:.1f}" for cost in both for each in (cost.cpu, cost.seconds))]
                for days, both in self.over_days.items()
            ])  # fmt: skip


def _beside_targets(beside: SideBySide, days: int) -> Iterator[Target]:
    """Yield the aims of a comparison over so many days."""
    first, again = beside.first, beside.again
    product, afternoon = first["product"], first["afternoon"]
    if "bare" in first and days in _AGAINST_BARE:
        bare = first["bare"].cpu
        what = f"{days} days: CPU / bare packages' first load"
        yield Target(f"{what}, first load", product.cpu / bare, _AGAINST_BARE[days])
        yield Target(f"{what}, unchanged", again["product"].cpu / bare, 0.45)
    if days == _AGAINST_RIVALS:
        what = f"{days} days, first load"
        yield Target(f"{what}: CPU / afternoon's", product.cpu / afternoon.cpu, 1.0)
        yield Target(f"{what}: wall / afternoon's", product.seconds / afternoon.seconds, 1.0)
        if "dlt_pipeline" in first:
            dlt = first["dlt_pipeline"]
            yield Target(f"{what}: CPU / dlt's", product.cpu / dlt.cpu, 0.35)
            yield Target(f"{what}: wall / dlt's", product.seconds / dlt.seconds, 0.45)
    ratio = product.server_cpu / afternoon.server_cpu
    yield Target(f"{days} days, first load: PostgreSQL's CPU / afternoon's", ratio, 2.6)
    yield Target(f"{days} days, unchanged: rows written", again["product"].written, 0)
    answers = beside.stand_in_rate / beside.product_rate
    yield Target(f"{days} days: requests the stand-in can answer / pipeline's", answers, 3, True)


def _costs(title: str, costs: dict[str, Cost]) -> str:
    head = [title, "CPU s", "wall s", "PostgreSQL CPU s", "/ floor", "WAL MB", "peak MiB"]
    base = costs["floor"]
    return table(head, [
        [
            NAMES[name],
            f"{cost.cpu:.2f}",
            f"{cost.seconds:.1f}",
            f"{cost.server_cpu:.2f}",
            f"{cost.server_cpu / base.server_cpu:.1f}" if base.server_cpu > 0.02 else "",
            f"{cost.wal / 1e6:.1f}",
            _mib(cost.peak),
        ]
        for name, cost in costs.items()
    ])  # fmt: skip


def _mib(size: float) -> str:
    return f"{size / MIB:.0f}"


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table in Markdown; numbers are aligned right."""
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
