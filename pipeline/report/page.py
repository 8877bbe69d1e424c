"""The page with the charts: one HTML file without scripts, which loads nothing."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, datetime
from html import escape
from importlib.resources import files
from string import Template
from typing import Any

from pipeline.report import charts
from pipeline.report.theme import style_sheet
from pipeline.warehouse.report import Figures

_PAGE, _STYLE = (
    files("pipeline.report").joinpath(name).read_text(encoding="utf-8")
    for name in ("page.html", "page.css")
)

_Row = Mapping[str, Any]
_Column = tuple[str, Callable[[_Row], object]]


def render(figures: Figures) -> str:
    """Return the page as HTML text. ``figures`` have no personal value, so the page has none."""
    from matplotlib import style

    parts = (
        _tiles, _outcomes, _weeks, _times, _requirements, _consents, _authorizations, _freshness,
        _quarantine,
    )  # fmt: skip
    with style.context(str(files("pipeline.report").joinpath("charts.mplstyle"))):
        body = "".join(part(figures) for part in parts)
    return Template(_PAGE).substitute(
        days=f"{figures.first} to {figures.last}",
        zone=escape(figures.standing["zone"] or "UTC"),
        made=_moment(figures.made_at),
        counted=_moment(figures.standing["counted_at"]),
        style=f"{style_sheet()}\n{_STYLE}",
        body=body,
    )


def _tiles(figures: Figures) -> str:
    counts, standing = figures.rows["outcomes"][0], figures.standing
    answered = counts["accepted"] + counts["declined"]
    tiles = (
        ("created", f"{counts['created']:,}"),
        ("accepted, of those answered", _share(counts["accepted"], answered)),
        ("completed, of those accepted", _share(counts["completed"], counts["accepted"])),
        ("complete through", standing["complete_through"] or "no day yet"),
        ("days not complete", f"{standing['incomplete_days']:,}"),
        ("in quarantine", f"{sum(row['entries'] for row in figures.rows['quarantine']):,}"),
    )
    inner = "\n".join(f"<div><dt>{name}</dt><dd>{value}</dd></div>" for name, value in tiles)
    return f"<dl>\n{inner}\n</dl>\n"


def _outcomes(figures: Figures) -> str:
    counts = figures.rows["outcomes"][0]
    names = ("created", "accepted", "completed", "declined", "canceled", "pending", "other")
    rows = [{"outcome": name, "activities": counts[name]} for name in names]
    summary = (
        f"Of {counts['created']:,} activities {counts['accepted']:,} were accepted,"
        f" {counts['declined']:,} declined, {counts['canceled']:,} never answered;"
        f" {counts['completed']:,} of the accepted were completed."
    )
    share: _Column = ("of created", lambda row: _share(row["activities"], counts["created"]))
    columns = (*_columns("outcome", "activities"), share)
    return _section("Outcomes", summary, charts.outcomes, figures, rows, columns)


def _weeks(figures: Figures) -> str:
    columns = (
        _column("week", "week of"),
        *_columns("created", "accepted", "declined", "canceled", "pending", "other"),
    )
    summary = "By week of creation. The newest weeks still have activities waiting for an answer."
    return _section("Week by week", summary, charts.weeks, figures, figures.rows["weeks"], columns)


def _times(figures: Figures) -> str:
    columns: Sequence[_Column] = (
        _column("kind"),
        ("month", lambda row: f"{row['month']:%Y-%m}"),
        _column("attended", "answers"),
        ("half within", lambda row: _hours(row["median"])),
        ("90 % within", lambda row: _hours(row["ninety"])),
        ("half completed within", lambda row: _hours(row["completion_median"])),
    )
    summary = (
        "From creation to the answer, by month of creation: half of the answers came within the dot,"
        " 90 % within the bar. The newest months contain only quick answers so far."
    )
    rows = figures.rows["decision_times"]
    return _section("Time to the answer", summary, charts.decision_times, figures, rows, columns)


def _requirements(figures: Figures) -> str:
    columns = (
        ("requirement", lambda row: row["label"] or row["code"]),
        *_columns("code", "asked"),
        *(_column(name, name.replace("_", " ")) for name, _ in charts.ANSWERS),
    )
    rows = figures.rows["requirement_outcomes"]
    summary = (
        "Requested requirements and their answers. In brackets: how many activities requested it."
    )
    return _section("Requirements", summary, charts.requirements, figures, rows, columns)


def _consents(figures: Figures) -> str:
    rows = figures.rows["consents"]
    readable = sum(row["requirements"] for row in rows if row["state"] == "readable now")
    summary = (
        f"Of {sum(row['requirements'] for row in rows):,} requirements of the activities created on these"
        f" days, {readable:,} may be read now; the others not, because of their state."
    )
    columns = (
        *_columns("state", "requirements"),
        *(
            _column(name, name.replace("_", " "))
            for name in ("to_us", "from_us", "both_ways", "not_known")
        ),
    )
    return _section("Consents", summary, charts.consents, figures, rows, columns)


def _authorizations(figures: Figures) -> str:
    rows = figures.rows["authorizations"]
    summary = (
        "Authorization requests written on these days, by what became of them. `pipeline authorize results`"
        " has each of them."
        if rows
        else "No authorization request was written on these days."
    )
    columns = (
        *_columns("result", "requests"),
        ("half answered within", lambda row: _hours(row["median"])),
        _column("given", "requirements given"),
        _column("readable_now", "readable now"),
    )
    return _section("Authorizations", summary, charts.authorizations, figures, rows, columns)


def _freshness(figures: Figures) -> str:
    standing = figures.standing
    summary = (
        f"Complete through {standing['complete_through'] or 'no day yet'}; last verified"
        f" {_moment(standing['newest_verification'])}. The table lists the days that are not complete"
        " or have activities in quarantine."
    )
    days = figures.rows["days"]
    rows: list[_Row] = [row for row in days if row["state"] != "complete" or row["quarantined"]]
    if not rows:
        rows = [{"day": "every day", "state": "complete"}]
    columns = _columns("day", "state", "listed", "stored", "quarantined")
    return _section("Freshness", summary, charts.days, figures, rows, columns)


def _quarantine(figures: Figures) -> str:
    rows = figures.rows["quarantine"]
    summary = (
        "Activities that could not be fetched, or not be stored as specified, by reason, of all days."
        " Later runs try each again."
        if rows
        else "Nothing is in quarantine."
    )
    columns = _columns("source", "reason", "entries", "since", "attempts")
    return _section("Quarantine", summary, charts.quarantine, figures, rows, columns)


def _section(
    title: str,
    summary: str,
    draw: Callable[[Figures], str],
    figures: Figures,
    rows: Sequence[_Row],
    columns: Iterable[_Column],
) -> str:
    """Return a chart with a table of its numbers, or only the summary when there are none."""
    if not rows:
        return f"<section>\n<h2>{title}</h2>\n<p>{escape(summary)}</p>\n</section>\n"
    key = draw.__name__
    label = f'role="img" aria-labelledby="{key}-title {key}-said"'
    text = f'<title id="{key}-title">{title}</title><desc id="{key}-said">{escape(summary)}</desc>'
    head, rest = draw(figures).split(">", 1)
    return (
        f"<section>\n<h2>{title}</h2>\n<p>{escape(summary)}</p>\n<div class=beside>\n"
        f"<figure>{head} {label}>{text}{rest}</figure>\n"
        f"{_table(title, rows, list(columns))}</div>\n</section>\n"
    )


def _table(title: str, rows: Sequence[_Row], columns: Sequence[_Column]) -> str:
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
    """Return the CSS class of a column: numbers are aligned right, days are not wrapped."""
    if all(isinstance(value, date) for value in column):
        return " class=day"
    texts = [str(value) for value in column if value is not None]
    return " class=number" if texts and all(text[:1].isdigit() for text in texts) else ""


def _cell(value: object) -> str:
    if value is None:
        return "none"
    return f"{value:,}" if isinstance(value, int) else escape(str(value))


def _column(name: str, title: str | None = None) -> _Column:
    return title or name, lambda row: row.get(name, "")


def _columns(*names: str) -> tuple[_Column, ...]:
    return tuple(_column(name) for name in names)


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.0%}" if whole else "none"


def _hours(hours: float | None) -> str | None:
    if hours is None:
        return None
    return f"{hours:.1f} h" if hours < 48 else f"{hours / 24:.1f} d"


def _moment(moment: datetime | None) -> str:
    return "never" if moment is None else f"{moment:%Y-%m-%d %H:%M %Z}"
