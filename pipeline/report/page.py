"""The page with the charts: one HTML file without scripts, which loads nothing."""

import re
from collections import Counter
from collections.abc import Callable
from decimal import Decimal
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING

from pipeline.report import charts
from pipeline.report.tables import table, whole_page
from pipeline.report.theme import to_svg
from pipeline.times import shown
from pipeline.warehouse.database.engine import Rows
from pipeline.warehouse.output.report import Figures

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def render(figures: Figures) -> str:
    """Return the page as HTML text. ``figures`` have no personal value, so the page has none."""
    from matplotlib import style

    parts = (
        _tiles, _outcomes, _answers, _weeks, _months, _requirements, _times, _waiting, _ending, _silent,
        _freshness, _consents, _authorizations, _quarantine,
    )  # fmt: skip
    with style.context(str(files("pipeline.report").joinpath("charts.mplstyle"))):
        body = "".join(part(figures) for part in parts)
    said = (
        f"Activities created from {figures.first} to {figures.last} (days in"
        f" {figures.standing['zone'] or 'UTC'}).\nCounted {shown(figures.standing['counted_at'])}."
    )
    return whole_page("Sharing activity", said, body)


def _tiles(figures: Figures) -> str:
    standing = figures.standing
    rates = {row["in_out_bound"]: row["acceptance_rate"] for row in figures.rows["outcomes"]}
    tiles = (
        ("created", f"{sum(row['created_activities'] for row in figures.rows['outcomes']):,}"),
        ("accepted, of what they answered", _percent(rates.get("OUT"))),
        ("accepted, of what we answered", _percent(rates.get("IN"))),
        ("complete through", standing["complete_through"] or "no day yet"),
        ("days not complete", f"{standing['incomplete_days']:,}"),
        ("in quarantine", f"{sum(row['entries'] for row in figures.rows['quarantine']):,}"),
    )
    inner = "\n".join(f"<div><dt>{name}</dt><dd>{value}</dd></div>" for name, value in tiles)
    return f"<dl>\n{inner}\n</dl>\n"


def _rows(figures: Figures, name: str) -> Rows:
    """Return what a question of `sql/metrics.yml` counts, with short names, and directions as words."""
    return [dict(_named(*each) for each in row.items()) for row in figures.rows[name]]


def _named(column: str, value: object) -> tuple[str, object]:
    if column == "in_out_bound":
        return "direction", {"IN": "received", "OUT": "sent"}.get(str(value), "other")
    if column.endswith("_label"):
        return column.removesuffix("_label"), value or "no label"
    if column.startswith("is_whole_"):
        return "all days", "yes" if value else "no"
    return re.sub(
        "^requirement_(?=acc)|_(activities|requirements|counterparts)$", "", column
    ), value


def _outcomes(figures: Figures) -> str:
    whole = sum((Counter(row | _NO_NAMES) for row in figures.rows["outcomes"]), Counter())
    summary = (
        f"Of {whole['created_activities']:,} activities {whole['accepted_activities']:,} were accepted,"
        f" {whole['declined_activities']:,} declined, {whole['canceled_activities']:,} never answered;"
        f" {whole['shares']:,} are shares, which need no answer. {whole['completed_activities']:,} were"
        " completed. What we sent is answered by them, what we received by us."
    )
    name, rows = "{activity_type}, {direction} ({created:,})", _rows(figures, "outcome_by_type")
    return _section("Outcomes", summary, rows, charts.parts, name, "created", charts.OUTCOMES)


#: What is no count in the rows of outcomes.
_NO_NAMES = {"in_out_bound": 0, "acceptance_rate": 0}


def _answers(figures: Figures) -> str:
    summary = "By week of the answer and who answered; a star marks a week of which not all days are there."
    rows, shown = _rows(figures, "accepted_this_week"), ("accepted", "declined")
    return _section("Answers", summary, rows, charts.periods, "answered_week", "answered_by", shown)


def _weeks(figures: Figures) -> str:
    summary = (
        "By week of creation and direction; a star marks a week of which not all days are there. The newest"
        " weeks still have activities waiting for an answer. The first week is counted from its first day."
    )
    rows, shown = _rows(figures, "created_per_week"), charts.OUTCOMES
    return _section(
        "Week by week", summary, rows, charts.periods, "created_week", "direction", shown
    )


def _months(figures: Figures) -> str:
    summary = (
        "By month of creation and direction; a star marks a month of which not all days are there, and is"
        " not compared. The first month is counted from its first day."
    )
    rows, shown = _rows(figures, "month_over_month"), ("created",)
    return _section(
        "Month by month", summary, rows, charts.periods, "created_month", "direction", shown
    )


def _requirements(figures: Figures) -> str:
    summary = (
        "Requested requirements and their answers, received: of us, sent: of them. In brackets: how many"
        " activities requested it. The rate leaves out each activity with an answer that is not known."
    )
    name, rows = (
        "{requirement}, {direction} ({asked:,})",
        _rows(figures, "acceptance_by_requirement"),
    )
    return _section("Requirements", summary, rows, charts.parts, name, "asked", charts.ANSWERS)


def _times(figures: Figures) -> str:
    summary = (
        "Hours within which half of the answers came, in the table also 90 %, by month of creation. The"
        " first month is counted from its first day; the newest ones contain only quick answers so far."
    )
    name, rows = (
        "{created_month:%b %Y}: {activity_type}, {direction}",
        _rows(figures, "hours_to_answer"),
    )
    return _section("Time to the answer", summary, rows, charts.bars, name, "hours_to_answer_p50")


def _waiting(figures: Figures) -> str:
    rows = _rows(figures, "for_us_to_answer")
    ours = sum(row["pending"] for row in rows if row["waiting_for"] == "us")
    summary = f"{ours:,} activities wait for us, of all days. What we sent waits for them."
    return _section(
        "To answer", summary, rows, charts.bars, "{waiting_for}: {activity_type}", "pending"
    )


def _ending(figures: Figures) -> str:
    rows = _rows(figures, "shares_ending_soon")
    summary = "Shared data that can be read for one more week at most, by who gave them."
    return _section(
        "Ending soon", summary, rows, charts.bars, "{requirement}, {direction}", "given"
    )


def _silent(figures: Figures) -> str:
    rows = _rows(figures, "long_silent_counterparts")
    summary = "Counterparts by the month since which they neither sent nor answered anything."
    name = "{silent_since_month:%Y-%m}, {entity_type}"
    return _section("Silent counterparts", summary, rows, charts.bars, name, "counterparts")


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
        # A wide table is below its chart.
        place = "beside" if len(rows[0]) < 9 else "above"
        beside = f"<div class={place}>\n{figure}\n{table(title, rows)}</div>\n"
    return f"<section>\n<h2>{title}</h2>\n<p>{said}</p>\n{beside}</section>\n"


def _percent(rate: Decimal | None) -> str:
    return "none" if rate is None else f"{rate:.0%}"
