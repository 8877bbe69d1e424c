"""What came out: the figures, what they are held against, and tables of them in Markdown."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tests.benchmarks.arena import Cost
    from tests.benchmarks.sections import SideBySide

MIB = 2**20

#: Where the figures of all benchmarks are kept.
RESULTS = Path(__file__).with_name("results")

NAMES = {
    "product": "`pipeline sync`",
    "floor": "raw-socket floor",
    "bare": "bare packages",
    "script": "plain script",
    "dlt_pipeline": "dlt",
}

#: CPU seconds of bare packages for 10,000 activities on the machine that aims in seconds are meant for;
#: where they take longer, the aims are longer by as much.
_BARE = 2.7


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
    """The figures of one run of the benchmarks; a section that was left out is None or empty."""

    number: int
    runs: int
    machine: str
    beside: SideBySide | None = None
    efficiency: dict[int, float] = field(default_factory=dict)
    memory: dict[int, Cost] = field(default_factory=dict)
    growth: dict[int, Cost] = field(default_factory=dict)

    def targets(self) -> list[Target]:
        """Return what is aimed at, with what was measured."""
        return [
            *(_beside_targets(self.beside, self.number) if self.beside else ()),
            *self._latency_targets(),
            *self._memory_targets(),
            *self._growth_targets(),
        ]

    def _latency_targets(self) -> Iterator[Target]:
        if 64 in self.efficiency:
            yield Target(
                "ideal / actual time, 64 in flight at 50 ms", self.efficiency[64], 0.85, True
            )

    def _memory_targets(self) -> Iterator[Target]:
        if self.memory:
            least, most = (self.memory[size] for size in (min(self.memory), max(self.memory)))
            times = max(self.memory) // min(self.memory)
            yield Target(
                f"peak memory, {times} times the activities / once", most.peak / least.peak, 1.1
            )
            above = (most.peak - most.import_peak) / MIB
            yield Target("peak memory above the imports, MiB", above, 80)

    def _growth_targets(self) -> Iterator[Target]:
        if self.growth:
            least, most = (self.growth[size] for size in (min(self.growth), max(self.growth)))
            times = max(self.growth) // min(self.growth)
            costs = [cost.cpu + cost.server_cpu for cost in (least, most)]
            yield Target(
                f"CPU of a night on {times} times the warehouse / once", costs[1] / costs[0], 1.5
            )

    def markdown(self) -> str:
        """Return all tables."""
        parts = [f"{self.number:,} activities, {self.machine}, medians of {self.runs}."]
        if self.beside:
            parts += [
                _costs("first load", self.beside.first),
                _costs("again, nothing changed", self.beside.again),
                f"The stand-in answers {self.beside.stand_in_rate:,.0f} requests a second to raw sockets,"
                f" {self.beside.stand_in_rate / self.beside.product_rate:.1f} times what the first load"
                f" asks of it; that makes {self.beside.first_requests:,} requests, the re-run"
                f" {self.beside.again_requests}.",
            ]
        if self.efficiency:
            rows = [[str(flight), f"{share:.2f}"] for flight, share in self.efficiency.items()]
            parts.append(table(["requests in flight, 50 ms each", "ideal / actual time"], rows))
        if self.memory:
            parts.append(table(["first load of", "peak MiB", "of it imports", "client CPU s"], [
                [f"{size:,}", _mib(cost.peak), _mib(cost.import_peak), f"{cost.cpu:.1f}"]
                for size, cost in self.memory.items()
            ]))  # fmt: skip
        if self.growth:
            parts.append(table(
                [
                    f"a night, {self.number // 10:,} changed, on",
                    "client CPU s",
                    "PostgreSQL CPU s",
                    "wall s",
                ],
                [
                    [f"{size:,}", f"{cost.cpu:.2f}", f"{cost.server_cpu:.2f}", f"{cost.seconds:.1f}"]
                    for size, cost in self.growth.items()
                ],
            ))  # fmt: skip
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


def _beside_targets(beside: SideBySide, number: int) -> Iterator[Target]:
    first, again = beside.first, beside.again
    product, floor, script = (first[name] for name in ("product", "floor", "script"))
    share = number / 10_000
    slower = first["bare"].cpu / (_BARE * share) if "bare" in first else 1.0
    yield Target("first load: client CPU, s", product.cpu, 3.5 * share * slower)
    yield Target(
        "first load: PostgreSQL's CPU / floor's", product.server_cpu / floor.server_cpu, 1.3
    )
    yield Target("first load: time / plain script's", product.seconds / script.seconds, 1 / 2)
    if "dlt_pipeline" in first:
        yield Target(
            "first load: time / dlt's", product.seconds / first["dlt_pipeline"].seconds, 1 / 3
        )
    yield Target("re-run: rows written", again["product"].written, 0)
    yield Target("re-run: client CPU, s", again["product"].cpu, 0.5 * slower)
    yield Target(
        "requests the stand-in can answer / pipeline's",
        beside.stand_in_rate / beside.product_rate,
        3,
        True,
    )


def _costs(title: str, costs: dict[str, Cost]) -> str:
    head = [title, "client CPU s", "/ floor", "wall s", "PostgreSQL CPU s", "/ floor", "WAL MB", "peak MiB",
            "imports CPU s"]  # fmt: skip
    base = costs["floor"]
    return table(head, [
        [
            NAMES[name],
            f"{cost.cpu:.2f}",
            _ratio(cost.cpu, base.cpu),
            f"{cost.seconds:.1f}",
            f"{cost.server_cpu:.2f}",
            _ratio(cost.server_cpu, base.server_cpu),
            f"{cost.wal / 1e6:.1f}",
            _mib(cost.peak),
            f"{cost.import_cpu:.2f}",
        ]
        for name, cost in costs.items()
    ])  # fmt: skip


def _ratio(figure: float, base: float) -> str:
    return f"{figure / base:.1f}" if base > 0.02 else ""


def _mib(size: float) -> str:
    return f"{size / MIB:.0f}"


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table in Markdown; numbers are aligned right."""
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
