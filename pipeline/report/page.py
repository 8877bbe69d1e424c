"""The page with the charts: one HTML file without scripts, which loads nothing."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from html import escape
from importlib.resources import files

from pipeline.report import charts
from pipeline.report.tables import Column, Row, column, moment, plain_columns, table, whole_page
from pipeline.warehouse.report import Figures


def render(figures: Figures) -> str:
    """Return the page as HTML text. ``figures`` have no personal value, so the page has none."""
    from matplotlib import style

    parts = (
        _tiles, _outcomes, _weeks, _times, _requirements, _consents, _authorizations, _freshness,
        _quarantine,
    )  # fmt: skip
    with style.context(str(files("pipeline.report").joinpath("charts.mplstyle"))):
        body = "".join(part(figures) for part in parts)
    said = (
        f"Activities created from {figures.first} to {figures.last} (days in"
        f" {figures.standing['zone'] or 'UTC'}).\nMade {moment(figures.made_at)}; counted"
        f" {moment(figures.standing['counted_at'])}."
    )
    return whole_page("Sharing activity", said, body)


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
    counts = dict(figures.rows["outcomes"][0])
    counts["answered"] = counts["accepted"] + counts["declined"]
    names = ("created", "answered", "accepted", "completed", *charts.OUTCOMES[1:])
    rows = [{"outcome": name, "activities": counts[name]} for name in names]
    draw = partial(charts.bars, "outcomes", [(n, counts[n]) for n in names], counts["created"])
    summary = (
        f"Of {counts['created']:,} activities {counts['accepted']:,} were accepted,"
        f" {counts['declined']:,} declined, {counts['canceled']:,} never answered;"
        f" {counts['completed']:,} of the accepted were completed."
    )
    share: Column = ("of created", lambda row: _share(row["activities"], counts["created"]))
    columns = (*plain_columns("outcome", "activities"), share)
    return _section("Outcomes", summary, draw, rows, columns)


def _weeks(figures: Figures) -> str:
    columns = (
        column("week", "week of"),
        *plain_columns("created", "accepted", "declined", "canceled", "pending", "other"),
    )
    summary = "By week of creation. The newest weeks still have activities waiting for an answer."
    return _section(
        "Week by week", summary, partial(charts.weeks, figures), figures.rows["weeks"], columns
    )


def _times(figures: Figures) -> str:
    columns: Sequence[Column] = (
        column("kind"),
        ("month", lambda row: f"{row['month']:%Y-%m}"),
        column("attended", "answers"),
        ("half within", lambda row: _hours(row["median"])),
        ("90 % within", lambda row: _hours(row["ninety"])),
        ("half completed within", lambda row: _hours(row["completion_median"])),
    )
    summary = (
        "From creation to the answer, by month of creation: half of the answers came within the dot,"
        " 90 % within the bar. The newest months contain only quick answers so far."
    )
    rows = figures.rows["decision_times"]
    return _section(
        "Time to the answer", summary, partial(charts.decision_times, figures), rows, columns
    )


def _requirements(figures: Figures) -> str:
    columns = (
        ("requirement", lambda row: row["label"] or row["code"]),
        *plain_columns("code", "asked", *charts.ANSWERS),
    )
    rows = figures.rows["requirement_outcomes"]
    summary = (
        "Requested requirements and their answers. In brackets: how many activities requested it."
    )
    return _section("Requirements", summary, partial(charts.requirements, figures), rows, columns)


def _consents(figures: Figures) -> str:
    rows = figures.rows["consents"]
    readable = sum(row["requirements"] for row in rows if row["state"] == "readable now")
    summary = (
        f"Of {sum(row['requirements'] for row in rows):,} requirements of the activities created on these"
        f" days, {readable:,} may be read now; the others not, because of their state."
    )
    columns = plain_columns("state", "requirements", "to_us", "from_us", "both_ways", "not_known")
    draw = partial(charts.bars, "consents", [(row["state"], row["requirements"]) for row in rows])
    return _section("Consents", summary, draw, rows, columns)


def _authorizations(figures: Figures) -> str:
    rows = figures.rows["authorizations"]
    summary = (
        "Authorization requests written on these days, by what became of them. `pipeline authorize results`"
        " has each of them."
        if rows
        else "No authorization request was written on these days."
    )
    columns = (
        *plain_columns("result", "requests"),
        ("half answered within", lambda row: _hours(row["median"])),
        column("given", "requirements given"),
        column("readable_now"),
    )
    draw = partial(
        charts.bars, "authorizations", [(row["result"], row["requests"]) for row in rows]
    )
    return _section("Authorizations", summary, draw, rows, columns)


def _freshness(figures: Figures) -> str:
    standing = figures.standing
    summary = (
        f"Complete through {standing['complete_through'] or 'no day yet'}; last verified"
        f" {moment(standing['newest_verification'])}. The table lists the days that are not complete"
        " or have activities in quarantine."
    )
    days = figures.rows["days"]
    rows: list[Row] = [row for row in days if row["state"] != "complete" or row["quarantined"]]
    if not rows:
        rows = [{"day": "every day", "state": "complete"}]
    columns = plain_columns("day", "state", "listed", "stored", "quarantined")
    return _section("Freshness", summary, partial(charts.days, figures), rows, columns)


def _quarantine(figures: Figures) -> str:
    rows = figures.rows["quarantine"]
    summary = (
        "Activities that could not be fetched, or not be stored as specified, by reason, of all days."
        " Later runs try each again."
        if rows
        else "Nothing is in quarantine."
    )
    columns = plain_columns("source", "reason", "entries", "since", "attempts")
    named = [(f"{row['source']}: {row['reason']}", row["entries"]) for row in rows]
    draw = partial(charts.bars, "quarantine", named[: charts.MOST_BARS])
    return _section("Quarantine", summary, draw, rows, columns)


def _section(
    title: str,
    summary: str,
    draw: Callable[[], str],
    rows: Sequence[Row],
    columns: Iterable[Column],
) -> str:
    """Return a chart with a table of its numbers, or only the summary when there are none."""
    if not rows:
        return f"<section>\n<h2>{title}</h2>\n<p>{escape(summary)}</p>\n</section>\n"
    key = title.split()[0].lower()
    label = f'role="img" aria-labelledby="{key}-title {key}-said"'
    text = f'<title id="{key}-title">{title}</title><desc id="{key}-said">{escape(summary)}</desc>'
    head, rest = draw().split(">", 1)
    return (
        f"<section>\n<h2>{title}</h2>\n<p>{escape(summary)}</p>\n<div class=beside>\n"
        f"<figure>{head} {label}>{text}{rest}</figure>\n"
        f"{table(title, rows, list(columns))}</div>\n</section>\n"
    )


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.0%}" if whole else "none"


def _hours(hours: float | None) -> str | None:
    if hours is None:
        return None
    return f"{hours:.1f} h" if hours < 48 else f"{hours / 24:.1f} d"
