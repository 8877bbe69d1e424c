"""The charts: each function returns an SVG element drawn from `pipeline.warehouse.report.Figures`."""

import textwrap
from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from pipeline.report.theme import stand_in, to_svg
from pipeline.warehouse.report import Figures, Rows

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: Most kinds of activities and most bars in a chart. The tables have all rows.
_MOST_PANELS, MOST_BARS = 6, 12
_WIDTH = 7.0

OUTCOMES = ("accepted", "declined", "canceled", "pending", "other")
"""Outcomes of an activity."""

ANSWERS = ("accepted", "partly_accepted", "declined", "pending", "unanswered")
"""Outcomes of a requirement."""

#: The colours of outcomes, and of the states of all that is counted; others have a neutral one.
_COLOURS = {
    "created": "ink",
    "answered": "quiet",
    "accepted": "good",
    "readable now": "good",
    "complete": "good",
    "completed": "done",
    "partly_accepted": "partly",
    "declined": "bad",
    "rejected": "bad",
    "failed": "bad",
    "not complete": "bad",
    "pending": "open",
    "queued": "open",
    "quarantined": "open",
    "other": "quiet",
}


def bars(key: str, counted: Sequence[tuple[str, int]], whole: int = 0) -> str:
    """Draw a bar for each name and number; ``whole``: of what the numbers are parts.

    ``key`` makes the ids of the chart its own.
    """
    names = [textwrap.fill(textwrap.shorten(name, 130), 45) for name, _ in counted]
    numbers = [number for _, number in counted]
    of_whole = [f"  ({number / whole:.0%})" if whole else "" for number in numbers]
    labels = [f"{number:,}{part}" for number, part in zip(numbers, of_whole, strict=True)]
    figure, axes = _canvas(0.3 + sum(0.22 + 0.14 * len(name.splitlines()) for name in names))
    # By place, not by name: two equal names would share a bar.
    places = range(len(names))
    drawn = axes.barh(places, numbers, color=[_colour(name) for name, _ in counted], height=0.66)
    axes.set_yticks(places, names)
    axes.bar_label(drawn, labels, padding=4, color=stand_in("ink"), fontsize=9)
    axes.invert_yaxis()
    axes.xaxis.set_visible(False)
    axes.spines["bottom"].set_visible(False)
    axes.margins(x=0.2)
    return to_svg(figure, key)


def _colour(name: str) -> str:
    return stand_in(_COLOURS.get(name, "none"))


def weeks(figures: Figures) -> str:
    """Draw a stack of outcomes per week of creation."""
    rows = figures.rows["weeks"]
    figure, axes = _canvas(2.7)
    _stack(axes, rows, [f"{row['week']:%b %-d}" for row in rows], OUTCOMES)
    axes.set_ylabel("activities")
    _legend(axes, len(OUTCOMES))
    return to_svg(figure, "weeks")


def decision_times(figures: Figures) -> str:
    """Draw the time to the answer by month for each kind of activity: median and 90 % percentile."""
    kinds = [
        (kind, list(rows))
        for kind, rows in groupby(figures.rows["decision_times"], lambda row: str(row["kind"]))
    ][:_MOST_PANELS]
    columns = min(3, len(kinds))
    lines = -(-len(kinds) // columns)
    figure, panels = _grid(1.9 * lines + 0.3, lines, columns)
    months = sorted({row["month"] for _, rows in kinds for row in rows})
    places = {month: place for place, month in enumerate(months)}
    for axes, (kind, rows) in zip(panels.flat, kinds, strict=False):
        across = [places[row["month"]] for row in rows]
        median = [row["median"] for row in rows]
        ninety = [row["ninety"] for row in rows]
        axes.vlines(across, median, ninety, color=stand_in("partly"), linewidth=6)
        axes.plot(across, ninety, "_", color=stand_in("quiet"), markersize=10, label="90 %")
        axes.plot(across, median, "o-", color=stand_in("good"), markersize=5, label="half")
        axes.set_title(textwrap.fill(kind, 26))
        axes.set_xticks(range(len(months)), [f"{month:%b}\n{month:%Y}" for month in months])
        axes.set_xlim(-0.5, len(months) - 0.5)
        axes.set_ylim(bottom=0)
    for axes in panels.flat[len(kinds) :]:
        axes.set_visible(False)
    for axes in panels[:, 0]:
        axes.set_ylabel("hours")
    _legend(panels.flat[0], 2, figure)
    return to_svg(figure, "times")


def requirements(figures: Figures) -> str:
    """Draw the shares of the outcomes of each requirement."""
    rows = figures.rows["requirement_outcomes"][:MOST_BARS]
    figure, axes = _canvas(0.36 * len(rows) + 0.75)
    names = [f"{row['label'] or row['code'] or 'no code'}  ({row['asked']:,})" for row in rows]
    left = [0.0] * len(rows)
    for answer in ANSWERS:
        shares = [100 * row[answer] / row["asked"] for row in rows]
        label = answer.replace("_", " ")
        axes.barh(names, shares, left=left, color=_colour(answer), label=label, height=0.68)
        left = [before + share for before, share in zip(left, shares, strict=True)]
    axes.invert_yaxis()
    axes.set_xlim(0, 100)
    axes.set_xlabel("% of the activities that request it")
    _legend(axes, len(ANSWERS))
    return to_svg(figure, "requirements")


def days(figures: Figures) -> str:
    """Draw a bar per day: what the service lists, and whether all of it is stored."""
    days = figures.rows["days"]
    rows = [
        {
            "complete": row["stored"] if row["state"] == "complete" else 0,
            "not complete": row["listed"] - row["quarantined"] if row["state"] != "complete" else 0,
            "quarantined": row["quarantined"],
        }
        for row in days
    ]
    figure, axes = _canvas(2.2)
    _stack(axes, rows, [f"{row['day']:%b %-d}" for row in days], tuple(rows[0]), width=1.0)
    missing = [place for place, row in enumerate(days) if row["state"] == "never walked"]
    axes.plot(
        missing, [0] * len(missing), "x", color=stand_in("bad"), label="never walked",
        markersize=7, markeredgewidth=2, clip_on=False, zorder=3,
    )  # fmt: skip
    axes.set_ylabel("listed activities")
    _legend(axes, 4)
    return to_svg(figure, "days")


def _canvas(height: float) -> "tuple[Figure, Axes]":
    figure, panels = _grid(height, 1, 1)
    return figure, panels[0, 0]


def _grid(height: float, lines: int, columns: int) -> "tuple[Figure, Any]":
    from matplotlib.figure import Figure

    figure = Figure(figsize=(_WIDTH, height))
    return figure, figure.subplots(lines, columns, squeeze=False, sharex=True, sharey=True)


def _stack(
    axes: "Axes",
    rows: Rows,
    labels: Sequence[str],
    kinds: Sequence[str],
    width: float = 0.8,
) -> None:
    """Draw one column per row with the kinds stacked, and at most about eight labels."""
    from matplotlib.ticker import MaxNLocator

    places = range(len(rows))
    bottom = [0] * len(rows)
    for kind in kinds:
        numbers: list[Any] = [row[kind] for row in rows]
        axes.bar(
            places, numbers, width, bottom=bottom, color=_colour(kind), label=kind,
            edgecolor=stand_in("paper"), linewidth=0.4,
        )  # fmt: skip
        bottom = [below + number for below, number in zip(bottom, numbers, strict=True)]
    every = max(1, -(-len(rows) // 8))
    axes.set_xticks(list(places)[::every], list(labels)[::every])
    axes.yaxis.set_major_locator(MaxNLocator(nbins=5, integer=True))
    axes.grid(axis="y")


def _legend(axes: "Axes", columns: int, figure: "Figure | None" = None) -> None:
    handles, labels = axes.get_legend_handles_labels()
    place = figure or axes.figure
    place.legend(handles, labels, loc="outside upper left", ncols=columns)
