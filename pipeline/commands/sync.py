"""``pipeline sync``."""

from datetime import date
from typing import Annotated

import typer

from pipeline.clock import today
from pipeline.commands.console import AsJson, UsageWrong, print_json
from pipeline.settings import Settings, load_settings, parse_date
from pipeline.sync.days import DayRange


def sync(
    from_: Annotated[str | None, typer.Option("--from", help="First day, yyyy-MM-dd.")] = None,
    to: Annotated[
        str | None, typer.Option("--to", help="Last day, included.", show_default="today")
    ] = None,
    full: Annotated[
        bool, typer.Option("--full", help="Read all details of these days again.")
    ] = False,
    accept_gone: Annotated[
        bool,
        typer.Option("--accept-gone", help="Mark activities as gone even if there are very many."),
    ] = False,
    recent: Annotated[
        bool, typer.Option("--recent", help="Only look for news, with a login and a few requests.")
    ] = False,
    plan: Annotated[
        bool,
        typer.Option("--plan", help="Only say what it would do: three questions, nothing stored."),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Bring the warehouse up to date; without dates, what the nightly run would do.

    Exit codes: 0: complete. 1: failed. 2: wrong usage or settings. 3: complete except for what is named.
    """
    if recent and (from_ or to or full or accept_gone):
        raise UsageWrong("--recent chooses its days itself, and takes no other option but --json")
    settings = load_settings()
    days = _days(settings, from_, to) if from_ or to else None
    if plan:
        from pipeline.commands.plan import show_plan

        return show_plan(settings, days, full=full, recent=recent, as_json=as_json)
    from pipeline.commands.job import run_job
    from pipeline.commands.runs import print_parts

    how = {"full": full, "accept_gone": accept_gone, "recent": recent}
    outcome = run_job(days, settings.warehouse_url, **how)
    if as_json:
        print_json(outcome)
    else:
        print_parts(outcome.parts)
    raise typer.Exit(outcome.exit)


def _days(settings: Settings, from_: str | None, to: str | None) -> DayRange:
    """Parse and check the range. Raises `UsageWrong`."""
    newest = today(settings.timezone)
    first = _date("--from", from_) if from_ else settings.start_date
    last = _date("--to", to) if to else newest
    if max(first, last) > newest:
        name, last = ("--to", last) if last > newest else ("--from", first)
        raise UsageWrong(
            f"{name} {last} is in the future; today is {newest} in {settings.timezone}"
        )
    if first > last:
        raise UsageWrong(f"--from {first} is after --to {last}")
    if first < settings.start_date:
        raise UsageWrong(f"--from {first} is before ACTIVITIES_START_DATE, {settings.start_date}")
    return DayRange(first, last)


def _date(name: str, text: str) -> date:
    try:
        return parse_date(text)
    except ValueError as error:
        raise UsageWrong(f"{name}: {error}") from None
