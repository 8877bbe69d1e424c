"""Small pictures for the UI, drawn of codes and counts only.

Drawn by hand: a picture is made in every run, and a plotting library takes longer for it than a run in
which nothing has changed takes for all the rest.
"""

import base64
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from html import escape

import dagster as dg

#: Colours that people who see no red or green tell apart too (Okabe and Ito), in the order of use.
_COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#999999")

#: Pixels: the plot within the picture, its margins, and the height of a line of text.
_WIDTH, _HEIGHT, _LEFT, _TOP, _RIGHT, _BELOW, _LINE = 540, 200, 60, 10, 150, 50, 18
_MOST_LABELS = 8


def activities_chart(
    rows: Sequence[tuple[date, str, int]], first: date, last: date
) -> dg.MarkdownMetadataValue:
    """Return stacked bars, a bar a day from ``first`` to ``last``, of ``(day, status, number)``."""
    days = [first + timedelta(days=number) for number in range((last - first).days + 1)]
    counts: dict[str, dict[date, int]] = {}
    for day, status, number in rows:
        counts.setdefault(status, {})[day] = number
    upto = [0] * len(days)
    tops: list[tuple[str, list[int]]] = []
    for status, of_day in _largest_first(counts):
        upto = [low + of_day.get(day, 0) for low, day in zip(upto, days, strict=True)]
        tops.append((status, upto))
    text = base64.b64encode(_picture(days, tops).encode()).decode()
    return dg.MetadataValue.md(f"![activities a day by status](data:image/svg+xml;base64,{text})")


def _largest_first(
    counts: Mapping[str, Mapping[date, int]],
) -> list[tuple[str, Mapping[date, int]]]:
    return sorted(counts.items(), key=lambda each: (-sum(each[1].values()), each[0]))


def _picture(days: Sequence[date], tops: Sequence[tuple[str, Sequence[int]]]) -> str:
    """Return the SVG; ``tops``: of each status, from the bottom up, where its part of each bar ends."""
    step, highest = _scale(max(tops[-1][1]) if tops else 0)
    wide, high = _LEFT + _WIDTH + _RIGHT, max(_TOP + _HEIGHT + _BELOW, _TOP + _LINE * len(tops))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}"'
        ' font-family="sans-serif" font-size="12">'
        f'<rect width="{wide}" height="{high}" fill="#fff"/>'
    ]
    for value in range(0, highest + 1, step):
        y = _TOP + _HEIGHT * (1 - value / highest)
        parts.append(f'<path d="M{_LEFT} {y:.1f}h{_WIDTH}" stroke="#ddd"/>')
        parts.append(f'<text x="{_LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{value:,}</text>')
    middle = _TOP + _HEIGHT // 2
    parts.append(
        f'<text transform="rotate(-90 12 {middle})" x="12" y="{middle}" text-anchor="middle">'
        "activities created</text>"
    )
    parts += _bars(len(days), tops, highest)
    every = -(-len(days) // _MOST_LABELS)
    for place in range(0, len(days), every):
        x = _LEFT + _WIDTH * (place + 0.5) / len(days)
        y = _TOP + _HEIGHT + 14
        parts.append(
            f'<text transform="rotate(-30 {x:.1f} {y})" x="{x:.1f}" y="{y}" text-anchor="end">'
            f"{days[place]}</text>"
        )
    for place, (status, _) in enumerate(tops):
        x, y = _LEFT + _WIDTH + 12, _TOP + _LINE * place
        parts.append(f'<rect x="{x}" y="{y}" width="12" height="12" fill="{_colour(place)}"/>')
        parts.append(f'<text x="{x + 18}" y="{y + 10}">{escape(status)}</text>')
    return "".join([*parts, "</svg>"])


def _bars(days: int, tops: Sequence[tuple[str, Sequence[int]]], highest: int) -> list[str]:
    """Return the bars: the outline of each status over all days, the upper ones behind the lower."""
    fit = f"translate({_LEFT} {_TOP + _HEIGHT}) scale({_WIDTH / days:.5g} {-_HEIGHT / highest:.5g})"
    drawn = []
    for place, (_, upto) in reversed(list(enumerate(tops))):
        outline = "".join(f"V{top}h1" for top in upto)
        drawn.append(f'<path d="M0 0{outline}V0z" fill="{_colour(place)}"/>')
    total = tops[-1][1] if tops else [0] * days
    gaps = "".join(f"M{day} 0V{max(total[day - 1 : day + 1])}" for day in range(1, days))
    drawn.append(f'<path d="{gaps}" stroke="#fff" stroke-width="0.1"/>')
    return [f'<g transform="{fit}">', *drawn, "</g>"]


def _scale(most: int) -> tuple[int, int]:
    """Return the step of an axis from zero that has three to six round values, and its end."""
    size = 1
    while True:
        for step in (size, 2 * size, 5 * size):
            if step * 5 >= most:
                return step, max(step, -(-most // step) * step)
        size *= 10


def _colour(place: int) -> str:
    return _COLOURS[place % len(_COLOURS)]
