"""The page around the charts: one file, no script, nothing loaded from anywhere."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, datetime
from html import escape
from importlib.resources import files
from typing import Any

from pipeline.report import charts
from pipeline.report.theme import style_sheet
from pipeline.warehouse.report import Figures

_STYLE = files("pipeline.report").joinpath("page.css").read_text(encoding="utf-8")

_Column = tuple[str, Callable[[Mapping[str, Any]], object]]


def render(figures: Figures) -> str:
    """Return the page as HTML text. ``figures`` hold no personal value, and so the page doesn't."""
    days = f"{_day(figures.first)} to {_day(figures.last)}"
    body = "".join(
        (
            f"<h1>Sharing activity</h1>\n<p class=quiet>Activities created from {days}"
            f" (days in {escape(figures.standing['zone'] or 'UTC')}).\n"
            f"Made {_moment(figures.made_at)}; counted {_moment(figures.standing['counted_at'])}.</p>\n",
            _tiles(figures),
            _funnel(figures),
            _weeks(figures),
            _times(figures),
            _requirements(figures),
            _freshness(figures),
            _quarantine(figures),
        )
    )
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>Sharing activity, {days}</title>\n<style>\n{style_sheet()}\n{_STYLE}</style>\n"
        f"</head>\n<body>\n<main>\n{body}</main>\n</body>\n</html>\n"
    )


def _tiles(figures: Figures) -> str:
    counts, standing = figures.outcomes, figures.standing
    answered = counts["accepted"] + counts["declined"]
    through = standing["complete_through"]
    tiles = (
        ("created", f"{counts['created']:,}"),
        ("accepted, of those answered", _share(counts["accepted"], answered)),
        ("completed, of those accepted", _share(counts["completed"], counts["accepted"])),
        ("complete through", _day(through) if through else "no day yet"),
        ("days not complete", f"{standing['incomplete_days']:,}"),
        ("in quarantine", f"{sum(row['entries'] for row in figures.quarantine):,}"),
    )
    inner = "\n".join(f"<div><dt>{name}</dt><dd>{value}</dd></div>" for name, value in tiles)
    return f"<dl>\n{inner}\n</dl>\n"


def _funnel(figures: Figures) -> str:
    counts = figures.outcomes
    rows = [
        {"outcome": name, "activities": counts[name]}
        for name in ("created", "accepted", "completed", "declined", "canceled", "pending", "other")
    ]
    summary = (
        f"Of {counts['created']:,} activities {counts['accepted']:,} were accepted,"
        f" {counts['declined']:,} declined, {counts['canceled']:,} not answered in time;"
        f" {counts['completed']:,} of the accepted were completed."
    )
    share: _Column = ("of created", lambda row: _share(row["activities"], counts["created"]))
    columns = (_text("outcome"), _number("activities"), share)
    return _section("What became of them", summary, charts.funnel, figures, rows, columns)


def _weeks(figures: Figures) -> str:
    columns = (
        ("week of", lambda row: row["week"]),
        *map(_number, ("created", "accepted", "declined", "canceled", "pending")),
    )
    summary = "By week of creation. The newest weeks still have activities waiting for an answer."
    return _section("Week by week", summary, charts.weeks, figures, figures.weeks, columns)


def _times(figures: Figures) -> str:
    columns: Sequence[_Column] = (
        _text("kind"),
        ("month", lambda row: f"{row['month']:%Y-%m}"),
        _number("answers", "attended"),
        ("half within", lambda row: _hours(row["median"])),
        ("90 % within", lambda row: _hours(row["ninety"])),
        ("half completed within", lambda row: _hours(row["completion_median"])),
    )
    summary = (
        "From creation to the answer, by month of creation: half of the answers came within the dot,"
        " 90 % within the bar. Months just begun know the quick answers only."
    )
    rows = figures.decision_times
    return _section("Time to the answer", summary, charts.decision_times, figures, rows, columns)


def _requirements(figures: Figures) -> str:
    columns = (
        ("requirement", lambda row: row["label"] or row["code"]),
        _text("code"),
        _number("asked"),
        *(_number(name.replace("_", " "), name) for name, _ in charts.ANSWERS),
    )
    rows = figures.requirement_outcomes
    summary = "What was asked for, and what was given; in brackets how many activities asked."
    return _section("Requirements", summary, charts.requirement_outcomes, figures, rows, columns)


def _freshness(figures: Figures) -> str:
    standing = figures.standing
    through = standing["complete_through"]
    troubled = [row for row in figures.days if row["state"] != "complete" or row["quarantined"]]
    summary = (
        f"Complete through {_day(through) if through else 'no day yet'}; last verified"
        f" {_moment(standing['newest_verification'])}. The table names the days that are not complete"
        " or have something in quarantine."
    )
    columns = (
        ("day", lambda row: row["day"]),
        _text("state"),
        *map(_number, ("listed", "stored", "quarantined")),
    )
    none = [
        {"day": "every day", "state": "complete", "listed": "", "stored": "", "quarantined": ""}
    ]
    return _section("Freshness", summary, charts.days, figures, troubled or none, columns)


def _quarantine(figures: Figures) -> str:
    rows = figures.quarantine
    if not rows:
        return "<section>\n<h2>Quarantine</h2>\n<p>Nothing is in quarantine.</p>\n</section>\n"
    columns = (
        _text("source"),
        _text("reason"),
        _number("entries"),
        ("since", lambda row: row["since"]),
        _number("attempts"),
    )
    summary = (
        "What could not be had or stored as specified, by reason, whatever its day."
        " Each is tried again by later runs."
    )
    return _section("Quarantine", summary, charts.quarantine, figures, rows, columns)


def _section(
    title: str,
    summary: str,
    draw: Callable[[Figures], str],
    figures: Figures,
    rows: Sequence[Mapping[str, Any]],
    columns: Iterable[_Column],
) -> str:
    """Return a chart with the table of its numbers beside it, or a word where there are none."""
    if not rows:
        return f"<section>\n<h2>{title}</h2>\n<p>There is nothing to show yet.</p>\n</section>\n"
    key = draw.__name__
    label = f'role="img" aria-labelledby="{key}-title {key}-said"'
    told = f'<title id="{key}-title">{title}</title><desc id="{key}-said">{escape(summary)}</desc>'
    head, rest = draw(figures).split(">", 1)
    return (
        f"<section>\n<h2>{title}</h2>\n<p>{escape(summary)}</p>\n<div class=beside>\n"
        f"<figure>{head} {label}>{told}{rest}</figure>\n"
        f"{_table(title, rows, list(columns))}</div>\n</section>\n"
    )


def _table(title: str, rows: Sequence[Mapping[str, Any]], columns: Sequence[_Column]) -> str:
    cells = [[value(row) for _, value in columns] for row in rows]
    kinds = [_kind(column) for column in zip(*cells, strict=True)]

    def line(tag: str, texts: Iterable[str]) -> str:
        return "".join(
            f"<{tag}{kind}>{text}</{tag.split()[0]}>"
            for text, kind in zip(texts, kinds, strict=True)
        )

    head = line("th scope=col", (escape(name) for name, _ in columns))
    body = "\n".join(f"<tr>{line('td', map(_cell, row))}</tr>" for row in cells)
    return (
        f'<div class=scroll tabindex=0 role=region aria-label="{title}: the numbers">\n'
        f"<table><caption>{title}: the numbers</caption>\n"
        f"<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody></table></div>\n"
    )


def _kind(column: Sequence[object]) -> str:
    """Return how a column is set: numbers to the right, days in one piece."""
    if all(isinstance(value, date) for value in column):
        return " class=day"
    texts = [str(value) for value in column if value is not None]
    return " class=number" if texts and all(text[:1].isdigit() for text in texts) else ""


def _cell(value: object) -> str:
    if value is None:
        return "none"
    return f"{value:,}" if isinstance(value, int) else escape(str(value))


def _text(name: str) -> _Column:
    return name, lambda row: row[name]


def _number(title: str, name: str | None = None) -> _Column:
    key = name or title
    return title, lambda row: row[key]


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.0%}" if whole else "none"


def _hours(hours: float | None) -> str | None:
    if hours is None:
        return None
    return f"{hours:.1f} h" if hours < 48 else f"{hours / 24:.1f} d"


def _day(day: date) -> str:
    return f"{day:%Y-%m-%d}"


def _moment(moment: datetime | None) -> str:
    return "never" if moment is None else f"{moment:%Y-%m-%d %H:%M %Z}"
