"""What came out: the figures, what they are held against, and tables of them in Markdown."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tests.benchmarks.arena import Cost
    from tests.benchmarks.sections import Grown, SideBySide, Start, Waiting

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

#: Aims of the first loads of `sections.latency`, in order.
_LATENCY_BOUNDS = (1.35, 1.35, 1.15)

#: By times the smallest warehouse: a night's CPU to that on it; seconds of `freshness` and of `status`.
_GROWTH_BOUNDS = {100: (1.3, 0.7, 1.5), 1000: (1.6, 3.0, 4.0)}


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

    ``days``: those of ``beside``. ``over_days``: by days of the activities. ``latency``: by what was
    loaded. ``growth``: by activities in the warehouse.
    """

    number: int
    runs: int
    machine: str
    days: int = 0
    beside: SideBySide | None = None
    start: Start | None = None
    over_days: dict[int, tuple[Cost, Cost]] = field(default_factory=dict)
    latency: dict[str, Waiting] = field(default_factory=dict)
    growth: dict[int, Grown] = field(default_factory=dict)

    def targets(self) -> Iterator[Target]:
        """Yield what is aimed at, with what was measured."""
        if self.beside:
            yield from _beside_targets(self.beside)
        if self.start:
            ratio = self.start.night.cpu / self.start.events.cpu
            yield Target("a night without news: CPU / Dagster's with its events", ratio, 1.05)
        for (what, waiting), bound in zip(self.latency.items(), _LATENCY_BOUNDS, strict=False):
            yield Target(f"{what}: above the empty run / ideal", waiting.ratio, bound)
        if self.growth:
            yield from _growth_targets(self.growth)

    def markdown(self) -> str:
        """Return all tables."""
        parts = [f"{self.number:,} activities, {self.machine}, medians of {self.runs}."]
        if self.beside:
            parts += self._beside_tables(self.beside)
        if self.start:
            parts.append(_start_table(self.start))
        if self.over_days:
            parts.append(table(["days", "first load: CPU s", "wall s", "unchanged: CPU s", "wall s"], [
                [str(days), *(f"{each:.1f}" for cost in both for each in (cost.cpu, cost.seconds))]
                for days, both in self.over_days.items()
            ]))  # fmt: skip
        if self.latency:
            head = ["first load, 50 ms each, 64 in flight", "wall s", "empty run", "ideal", "ratio"]
            parts.append(table(head, [
                [what, *(f"{each:.2f}" for each in (it.seconds, it.empty, it.ideal, it.ratio))]
                for what, it in self.latency.items()
            ]))  # fmt: skip
        if self.growth:
            what = f"a night, {self.number // 10:,} changed, on"
            head = [
                "client CPU s",
                "PostgreSQL CPU s",
                "wall s",
                "rows read",
                "freshness s",
                "status s",
            ]
            parts.append(table([what, *head], [
                [
                    f"{size:,}",
                    *(f"{each:.2f}" for each in (it.night.cpu, it.night.server_cpu, it.night.seconds)),
                    *(f"{it.listed:,}", f"{it.freshness:.2f}", f"{it.status:.2f}"),
                ]
                for size, it in self.growth.items()
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

    def _beside_tables(self, beside: SideBySide) -> Iterator[str]:
        yield _costs(f"first load, {self.days} days", beside.first)
        yield _costs(f"again, nothing changed, {self.days} days", beside.again)
        yield (
            f"The stand-in answers {beside.stand_in_rate:,.0f} requests a second to raw sockets,"
            f" {beside.stand_in_rate / beside.product_rate:.1f} times what the first load"
            f" asks of it; that makes {beside.first_requests:,} requests, the re-run"
            f" {beside.again_requests}."
        )


def _growth_targets(growth: dict[int, Grown]) -> Iterator[Target]:
    least = min(growth)
    for size, (bound, freshness, status) in _GROWTH_BOUNDS.items():
        if size * least in growth:
            large, small = growth[size * least], growth[least].night
            what = f"a night on {size:,} times the warehouse / once, CPU"
            yield Target(f"{what}: client", large.night.cpu / small.cpu, bound)
            yield Target(f"{what}: PostgreSQL", large.night.server_cpu / small.server_cpu, bound)
            yield Target(f"`freshness` on {size * least:,}: seconds", large.freshness, freshness)
            yield Target(f"`status` on {size * least:,}: seconds", large.status, status)


def _start_table(start: Start) -> str:
    """Return what the start and the events of a process cost."""
    costs = {
        "a night without news": start.night,
        "Dagster alone, with the events of such a night": start.events,
        f"Dagster alone, with the events of a first load of {start.days} days": start.first_load,
    }
    return table(["process", "CPU s", "wall s", "peak MiB"], [
        [what, f"{cost.cpu:.2f}", f"{cost.seconds:.1f}", _mib(cost.peak)]
        for what, cost in costs.items()
    ])  # fmt: skip


def _beside_targets(beside: SideBySide) -> Iterator[Target]:
    first, again = beside.first, beside.again
    product, afternoon = first["product"], first["afternoon"]
    yield Target("first load: CPU / afternoon's", product.cpu / afternoon.cpu, 1.0)
    yield Target("first load: wall / afternoon's", product.seconds / afternoon.seconds, 1.0)
    ratio = product.server_cpu / afternoon.server_cpu
    yield Target("first load: PostgreSQL's CPU / afternoon's", ratio, 2.6)
    yield Target("unchanged: rows written", again["product"].written, 0)
    answers = beside.stand_in_rate / beside.product_rate
    yield Target("requests the stand-in can answer / pipeline's", answers, 3, True)


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
