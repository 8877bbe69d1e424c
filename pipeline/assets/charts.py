"""Small pictures for the UI, drawn of codes and counts only."""

import base64
import io
from collections.abc import Mapping, Sequence
from datetime import date, timedelta

import dagster as dg

#: Colours that people who see no red or green tell apart too (Okabe and Ito), in the order of use.
_COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#999999")


def activities_chart(
    rows: Sequence[tuple[date, str, int]], first: date, last: date
) -> dg.MarkdownMetadataValue:
    """Return stacked bars, a bar a day from ``first`` to ``last``, of ``(day, status, number)``."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg  # half a second to import
    from matplotlib.figure import Figure

    days = [first + timedelta(days=number) for number in range((last - first).days + 1)]
    counts: dict[str, dict[date, int]] = {}
    for day, status, number in rows:
        counts.setdefault(status, {})[day] = number
    figure = Figure(figsize=(7.5, 2.6), dpi=100, layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    below = [0] * len(days)
    for place, (status, of_day) in enumerate(_largest_first(counts)):
        heights = [of_day.get(day, 0) for day in days]
        colour = _COLOURS[place % len(_COLOURS)]
        axes.bar(days, heights, bottom=below, width=0.9, color=colour, label=status)  # type: ignore[arg-type]
        below = [low + high for low, high in zip(below, heights, strict=True)]
    axes.set_ylabel("activities created")
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(axis="x", rotation=30)
    if counts:
        axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False, fontsize="small")
    image = io.BytesIO()
    figure.savefig(image, format="png")
    text = base64.b64encode(image.getvalue()).decode()
    return dg.MetadataValue.md(f"![activities a day by status](data:image/png;base64,{text})")


def _largest_first(
    counts: Mapping[str, Mapping[date, int]],
) -> list[tuple[str, Mapping[date, int]]]:
    return sorted(counts.items(), key=lambda each: (-sum(each[1].values()), each[0]))
