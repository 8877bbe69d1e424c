"""The figures as a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matplotlib.figure import Figure

from tests.benchmarks.figures import NAMES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from matplotlib.axes import Axes

    from tests.benchmarks.arena import Cost
    from tests.benchmarks.figures import Results


def plot(results: Results, file: Path) -> None:
    """Draw what was measured into a PNG."""
    figure = Figure(figsize=(14, 3.75), layout="constrained")
    panels = iter(figure.subplots(1, 3).flat)
    if results.beside:
        title = f"first load of {results.number:,} over {results.days} days: CPU seconds"
        _bars(next(panels), title, results.beside.first)
    if results.over_days:
        first, again = zip(*results.over_days.values(), strict=True)
        costs = {"first load": first, "unchanged": again}
        _by_days(next(panels), f"CPU seconds of {results.number:,}", list(results.over_days), costs)
    if results.growth:
        spent = {n: each.night.cpu + each.night.server_cpu for n, each in results.growth.items()}
        title = f"a night, {results.number // 10:,} changed: CPU seconds"
        _line(next(panels), title, spent)
    for panel in panels:
        panel.set_axis_off()
    figure.savefig(file, dpi=110)


def _bars(panel: Axes, title: str, costs: dict[str, Cost]) -> None:
    names = [NAMES[name].strip("`") for name in costs]
    client = [cost.cpu for cost in costs.values()]
    server = [cost.server_cpu for cost in costs.values()]
    panel.barh(names, client, label="client")
    panel.barh(names, server, left=client, label="PostgreSQL")
    panel.invert_yaxis()
    panel.set_title(title)
    panel.legend()


def _by_days(panel: Axes, title: str, days: list[int], costs: Mapping[str, Sequence[Cost]]) -> None:
    for name, each in costs.items():
        panel.plot(days, [cost.cpu for cost in each], marker="o", label=name)
    panel.set_ylim(0)
    panel.set_title(title)
    panel.set_xlabel("days")
    panel.legend()


def _line(panel: Axes, title: str, figures: dict[int, float]) -> None:
    panel.plot([f"{size:,}" for size in figures], list(figures.values()), marker="o")
    panel.set_ylim(0, 1.1 * max(figures.values()))
    panel.set_title(title)
    panel.set_xlabel("activities in the warehouse")
