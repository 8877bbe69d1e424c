"""The charts: each function draws rows of `pipeline.warehouse.output.report.Figures`, at least one."""

import textwrap
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from pipeline.report.theme import STAND_INS
from pipeline.warehouse.database.engine import Rows

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: Most bars in a chart. The tables have all rows.
_MOST_BARS = 12
#: In inches. A phone shows charts only a little smaller, so that they can be read without scrolling.
_WIDTH = 5.0

OUTCOMES = ("accepted", "shares", "declined", "canceled", "pending", "other")
"""Outcomes of an activity."""

ANSWERS = ("accepted", "partly_accepted", "declined", "pending", "unanswered", "not_known")
"""Outcomes of a requirement."""

#: The outcomes, and the states of all that is counted, by their colour; others have a neutral one.
_COLOURS = {
    "ink": ("created",),
    "quiet": ("answered", "other"),
    "good": ("accepted", "readable now", "complete"),
    "done": ("completed",),
    "partly": ("partly_accepted", "shares"),
    "bad": ("declined", "rejected", "failed", "not complete"),
    "open": ("pending", "queued", "quarantined"),
}
_COLOUR_OF = {name: colour for colour, names in _COLOURS.items() for name in names}


def bars(rows: Rows, name: str, number: str) -> "Figure":
    """Draw a bar for each row: its name, such as ``{source}: {reason}``, and the column of its number."""
    rows = rows[:_MOST_BARS]
    texts = [name.format_map(row) for row in rows]
    names = [textwrap.fill(textwrap.shorten(text, 130), 30) for text in texts]
    labels = [f"{row[number]:,}" for row in rows]
    figure, axes = _canvas(0.3 + sum(0.22 + 0.14 * len(text.splitlines()) for text in names))
    # By place, not by name: two equal names would share a bar.
    places = range(len(names))
    numbers = [float(row[number]) for row in rows]
    drawn = axes.barh(places, numbers, color=[*map(_colour, texts)], height=0.66)
    axes.set_yticks(places, names)
    axes.bar_label(drawn, labels, padding=4, color=STAND_INS["ink"], fontsize=9)
    axes.invert_yaxis()
    axes.xaxis.set_visible(False)
    axes.spines["bottom"].set_visible(False)
    axes.margins(x=0.2)
    return figure


def _colour(name: str) -> str:
    return STAND_INS[_COLOUR_OF.get(name, "none")]


def periods(rows: Rows, period: str, by: str, shown: Sequence[str]) -> "Figure":
    """Draw a stack of counts per week or month, in a panel for each value of ``by``."""
    starts = sorted({row[period] for row in rows})
    sides = sorted({str(row[by]) for row in rows})
    figure, panels = _panels(1.6 * len(sides) + 0.5, len(sides))
    for axes, side in zip(panels, sides, strict=True):
        found = {row[period]: row for row in rows if str(row[by]) == side}
        counts = [{name: found.get(start, {}).get(name, 0) for name in shown} for start in starts]
        _columns(axes, counts, [f"{start:%b %-d}" for start in starts])
        part = [
            place
            for place, start in enumerate(starts)
            if found.get(start, {}).get("all days") == "no"
        ]
        heights = [sum(counts[place].values()) for place in part]
        axes.plot(part, heights, "*", color=STAND_INS["ink"], label="not all days", clip_on=False)
        axes.set_title(side)
    _legend(panels[0])
    return figure


def parts(rows: Rows, name: str, whole: str, shown: Sequence[str]) -> "Figure":
    """Draw a bar for each row, of the parts that are counts of its ``whole``, in percent."""
    rows = rows[:_MOST_BARS]
    figure, axes = _canvas(0.36 * len(rows) + 0.9)
    names = [textwrap.fill(name.format_map(row), 26) for row in rows]
    shares = [{part: 100 * row[part] / row[whole] for part in shown} for row in rows]
    _stack(axes.barh, shares, 0.68)
    axes.set_yticks(range(len(rows)), names)
    axes.invert_yaxis()
    axes.set_xlim(0, 100)
    axes.set_xlabel(f"% of the {whole}")
    _legend(axes)
    return figure


def days(days: Rows) -> "Figure":
    """Draw a bar per day: what the service lists, and whether all of it is stored."""
    rows = [
        {
            "complete": row["stored"] if row["state"] == "complete" else 0,
            "not complete": row["listed"] - row["quarantined"] if row["state"] != "complete" else 0,
            "quarantined": row["quarantined"],
        }
        for row in days
    ]
    figure, axes = _canvas(2.4)
    _columns(axes, rows, [f"{row['day']:%b %-d}" for row in days], width=1.0)
    missing = [place for place, row in enumerate(days) if row["state"] == "never asked for"]
    axes.plot(
        missing, [0] * len(missing), "x", color=STAND_INS["bad"], label="never asked for",
        markersize=7, markeredgewidth=2, clip_on=False, zorder=3,
    )  # fmt: skip
    axes.set_ylabel("listed activities")
    _legend(axes)
    return figure


def _canvas(height: float) -> "tuple[Figure, Axes]":
    figure, (axes,) = _panels(height, 1)
    return figure, axes


def _panels(height: float, number: int) -> "tuple[Figure, Sequence[Axes]]":
    from matplotlib.figure import Figure

    figure = Figure(figsize=(_WIDTH, height))
    return figure, [*figure.subplots(number, 1, squeeze=False, sharex=True, sharey=True).flat]


def _columns(axes: "Axes", rows: Rows, labels: Sequence[str], width: float = 0.8) -> None:
    """Draw one column per row with its numbers stacked."""
    from matplotlib.ticker import MaxNLocator

    _stack(axes.bar, rows, width)
    _label(axes, labels)
    axes.yaxis.set_major_locator(MaxNLocator(nbins=5, integer=True))
    axes.grid(axis="y")


def _label(axes: "Axes", labels: Sequence[str]) -> None:
    """Label the places of the horizontal axis, at most about six of them."""
    every = max(1, -(-len(labels) // 6))
    axes.set_xticks(range(0, len(labels), every), labels[::every])


def _stack(bar: Callable[..., object], rows: Rows, width: float) -> None:
    """Draw the numbers of each row one after the other. ``bar``: `bar` or `barh` of the axes."""
    ends = [0.0] * len(rows)
    for kind in rows[0]:
        numbers = [row[kind] for row in rows]
        bar(
            range(len(rows)), numbers, width, ends, color=_colour(kind),
            label=kind.replace("_", " "), edgecolor=STAND_INS["paper"], linewidth=0.4,
        )  # fmt: skip
        ends = [end + number for end, number in zip(ends, numbers, strict=True)]


def _legend(axes: "Axes") -> None:
    handles, labels = axes.get_legend_handles_labels()
    axes.figure.legend(handles, labels, loc="outside upper left", ncols=3)
