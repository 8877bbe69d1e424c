"""The charts: each function draws rows of `pipeline.warehouse.report.Figures`, at least one."""

import textwrap
from collections.abc import Callable, Sequence
from datetime import timedelta
from itertools import groupby
from typing import TYPE_CHECKING, Any

from pipeline.report.theme import STAND_INS
from pipeline.warehouse.engine import Rows

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: Most kinds of activities and most bars in a chart. The tables have all rows.
_MOST_PANELS, _MOST_BARS = 6, 12
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


def bars(rows: Rows, name: str, number: str, whole: int = 0) -> "Figure":
    """Draw a bar for each row: its name, such as ``{source}: {reason}``, and the column of its number.

    ``whole``: of what the numbers are parts.
    """
    rows = rows[:_MOST_BARS]
    texts = [name.format_map(row) for row in rows]
    names = [textwrap.fill(textwrap.shorten(text, 130), 30) for text in texts]
    numbers = [row[number] for row in rows]
    of_whole = [f"  ({number / whole:.0%})" if whole else "" for number in numbers]
    labels = [f"{number:,}{part}" for number, part in zip(numbers, of_whole, strict=True)]
    figure, axes = _canvas(0.3 + sum(0.22 + 0.14 * len(text.splitlines()) for text in names))
    # By place, not by name: two equal names would share a bar.
    places = range(len(names))
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


def weeks(rows: Rows) -> "Figure":
    """Draw a stack of outcomes per week of creation."""
    figure, axes = _canvas(2.9)
    outcomes = [{name: row[name] for name in OUTCOMES} for row in rows]
    _columns(axes, outcomes, [f"{row['week_of']:%b %-d}" for row in rows])
    part = [place for place, row in enumerate(rows) if row["week"] == "part"]
    heights = [sum(outcomes[place].values()) for place in part]
    axes.plot(part, heights, "*", color=STAND_INS["ink"], label="not all days", clip_on=False)
    axes.set_ylabel("activities")
    _legend(axes)
    return figure


def decision_times(rows: Rows) -> "Figure":
    """Draw the time to the answer by month for each kind of activity: median and 90 % percentile."""
    by_kind = groupby(rows, lambda row: str(row["kind"]))
    kinds = [(kind, list(found)) for kind, found in by_kind][:_MOST_PANELS]
    columns = min(2, len(kinds))
    lines = -(-len(kinds) // columns)
    figure, panels = _grid(1.6 * lines + 0.3, lines, columns)
    months = sorted({row["month"] for _, found in kinds for row in found})
    for axes, (kind, found) in zip(panels.flat, kinds, strict=False):
        across = [months.index(row["month"]) for row in found]
        median, ninety = (
            [row[name] / timedelta(hours=1) for row in found]
            for name in ("half within", "90 % within")
        )
        axes.vlines(across, median, ninety, color=STAND_INS["partly"], linewidth=6)
        axes.plot(across, ninety, "_", color=STAND_INS["quiet"], markersize=10, label="90 %")
        axes.plot(across, median, "o-", color=STAND_INS["good"], markersize=5, label="half")
        axes.set_title(textwrap.fill(kind, 26))
        _label(axes, [month.replace("-", "\n").replace(" (part)", "*") for month in months])
        axes.set_xlim(-0.5, len(months) - 0.5)
        axes.set_ylim(bottom=0)
    for axes in panels.flat[len(kinds) :]:
        axes.set_visible(False)
    for axes in panels[:, 0]:
        axes.set_ylabel("hours")
    _legend(panels.flat[0])
    return figure


def requirements(rows: Rows) -> "Figure":
    """Draw the shares of the outcomes of each requirement."""
    rows = rows[:_MOST_BARS]
    figure, axes = _canvas(0.36 * len(rows) + 0.9)
    names = [
        textwrap.fill(f"{row['requirement'] or 'no code'} ({row['asked']:,})", 26) for row in rows
    ]
    shares = [{answer: 100 * row[answer] / row["asked"] for answer in ANSWERS} for row in rows]
    _stack(axes.barh, shares, 0.68)
    axes.set_yticks(range(len(rows)), names)
    axes.invert_yaxis()
    axes.set_xlim(0, 100)
    axes.set_xlabel("% of the activities that request it")
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
    figure, panels = _grid(height, 1, 1)
    return figure, panels[0, 0]


def _grid(height: float, lines: int, columns: int) -> "tuple[Figure, Any]":
    from matplotlib.figure import Figure

    figure = Figure(figsize=(_WIDTH, height))
    return figure, figure.subplots(lines, columns, squeeze=False, sharex=True, sharey=True)


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
