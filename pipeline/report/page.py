"""The page with the charts: one HTML file without scripts, which loads nothing."""

from collections import Counter
from collections.abc import Callable
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING

from pipeline.report import charts
from pipeline.report.tables import table, whole_page
from pipeline.report.theme import to_svg
from pipeline.times import shown
from pipeline.warehouse.engine import Rows
from pipeline.warehouse.report import Figures

if TYPE_CHECKING:
    from matplotlib.figure import Figure


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
        f" {figures.standing['zone'] or 'UTC'}).\nCounted {shown(figures.standing['counted_at'])}."
    )
    return whole_page("Sharing activity", said, body)


def _tiles(figures: Figures) -> str:
    counts, standing = _by_direction(figures), figures.standing
    them, us = (counts.get(name, Counter()) for name in ("sent", "received"))
    tiles = (
        ("created", f"{sum(each['created'] for each in counts.values()):,}"),
        ("accepted, of what they answered", _share(them["accepted"], them["answered"])),
        ("accepted, of what we answered", _share(us["accepted"], us["answered"])),
        ("complete through", standing["complete_through"] or "no day yet"),
        ("days not complete", f"{standing['incomplete_days']:,}"),
        ("in quarantine", f"{sum(row['entries'] for row in figures.rows['quarantine']):,}"),
    )
    inner = "\n".join(f"<div><dt>{name}</dt><dd>{value}</dd></div>" for name, value in tiles)
    return f"<dl>\n{inner}\n</dl>\n"


def _by_direction(figures: Figures) -> dict[str, Counter[str]]:
    return {row["direction"]: Counter(row | {"direction": 0}) for row in figures.rows["outcomes"]}


def _outcomes(figures: Figures) -> str:
    counts = _by_direction(figures)
    whole = sum(counts.values(), Counter())
    names = ("created", "answered", *charts.OUTCOMES, "completed")
    rows = [
        {
            "outcome": name,
            "activities": whole[name],
            "of created": _share(whole[name], whole["created"]),
        }
        | {direction: each[name] for direction, each in counts.items()}
        for name in names
    ]
    summary = (
        f"Of {whole['created']:,} activities {whole['accepted']:,} were accepted, {whole['declined']:,}"
        f" declined, {whole['canceled']:,} never answered; {whole['shares']:,} are shares, which need no"
        f" answer. {whole['completed']:,} were completed. What we sent is answered by them, what we"
        " received by us."
    )
    return _section(
        "Outcomes", summary, rows, charts.bars, "{outcome}", "activities", whole["created"]
    )


def _weeks(figures: Figures) -> str:
    rows = figures.rows["weeks"]
    summary = (
        "By week of creation; a star marks a week of which not all days are there. The newest weeks still"
        " have activities waiting for an answer."
    )
    return _section("Week by week", summary, rows, charts.weeks)


def _times(figures: Figures) -> str:
    rows = figures.rows["decision_times"]
    summary = (
        "From creation to the answer, by month of creation: half of the answers came within the dot,"
        " 90 % within the bar. The first month is counted from its first day. A star marks a month of which"
        " not all days are there; the newest months contain only quick answers so far."
    )
    return _section("Time to the answer", summary, rows, charts.decision_times)


def _requirements(figures: Figures) -> str:
    rows = figures.rows["requirement_outcomes"]
    summary = (
        "Requested requirements and their answers, by whom they were asked of. In brackets: how many"
        " activities requested it."
    )
    return _section("Requirements", summary, rows, charts.requirements)


def _consents(figures: Figures) -> str:
    rows = figures.rows["consents"]
    readable = sum(row["requirements"] for row in rows if row["state"] == "readable now")
    summary = (
        f"Of {sum(row['requirements'] for row in rows):,} requirements of the activities created on these"
        f" days, {readable:,} may be read now; the others not, because of their state."
    )
    return _section("Consents", summary, rows, charts.bars, "{state}", "requirements")


def _authorizations(figures: Figures) -> str:
    rows = figures.rows["authorizations"]
    summary = (
        "Authorization requests written on these days, by what became of them. `pipeline authorize results`"
        " has each of them."
        if rows
        else "No authorization request was written on these days."
    )
    return _section("Authorizations", summary, rows, charts.bars, "{result}", "requests")


def _freshness(figures: Figures) -> str:
    standing, days = figures.standing, figures.rows["days"]
    verified = standing["newest_verification"]
    summary = (
        f"Complete through {standing['complete_through'] or 'no day yet'}; last verified"
        f" {shown(verified) if verified else 'never'}. The table lists the days that are not complete"
        " or have activities in quarantine, whenever they are."
    )
    rows = [row for row in days if row["why"] or row["quarantined"]]
    rows = rows or [{"day": "every day", "state": "complete"}]
    drawn = [row for row in days if figures.first <= row["day"] <= figures.last]
    return _section("Freshness", summary, rows, lambda _: charts.days(drawn))


def _quarantine(figures: Figures) -> str:
    rows = figures.rows["quarantine"]
    summary = (
        "Activities that could not be fetched, or not be stored as specified, by reason, of all days."
        " Later runs try each again."
        if rows
        else "Nothing is in quarantine."
    )
    return _section("Quarantine", summary, rows, charts.bars, "{source}: {reason}", "entries")


def _section(
    title: str, summary: str, rows: Rows, chart: Callable[..., "Figure"], *more: object
) -> str:
    """Return a chart of the rows with their table, or only the summary when there are none.

    ``more``: what the chart takes besides the rows.
    """
    beside, said = "", escape(summary)
    if rows:
        key = title.split()[0].lower()
        label = f'role="img" aria-labelledby="{key}-title {key}-said"'
        text = f'<title id="{key}-title">{title}</title><desc id="{key}-said">{said}</desc>'
        head, rest = to_svg(chart(rows, *more), key).split(">", 1)
        figure = f"<figure>{head} {label}>{text}{rest}</figure>"
        beside = f"<div class=beside>\n{figure}\n{table(title, rows)}</div>\n"
    return f"<section>\n<h2>{title}</h2>\n<p>{said}</p>\n{beside}</section>\n"


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.0%}" if whole else "none"
