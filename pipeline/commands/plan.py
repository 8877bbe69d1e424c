"""``pipeline sync --plan``: what the same command would do without it."""

import asyncio

from pipeline.clock import today
from pipeline.commands.console import out, print_json, print_table
from pipeline.commands.job import progress_bar
from pipeline.commands.open_warehouse import is_empty
from pipeline.configured import service_config, sync_options
from pipeline.service.client import ServiceClient
from pipeline.settings import Settings
from pipeline.sync.days import DayRange, nightly_days, recent_days
from pipeline.sync.estimate import Estimate, Estimator
from pipeline.warehouse.database.engine import warehouse_engine
from pipeline.warehouse.database.server import check_server


def show_plan(
    settings: Settings, days: DayRange | None, *, full: bool, recent: bool, as_json: bool
) -> None:
    """Print the estimate of a run over ``days``; None: of a night, or of a ``recent`` run.

    Nothing is stored. Errors are those of a run, or `UsageWrong` where the schema is older.
    """
    found = asyncio.run(_estimate(settings, days, full=full, recent=recent))
    if as_json:
        return print_json(found)
    rows = [
        *((f"days {reason}", number) for reason, number in found.days.items()),
        ("requests to the list", found.list_requests),
        *((f"details, {reason}", number) for reason, number in found.details.items()),
        ("minutes", found.minutes),
    ]
    print_table("plan", ("what", "about"), rows)
    pace = "the newest long run's pace" if found.measured else "the pace of these questions"
    out.print(
        f"{found.questions} questions to the list, nothing stored; {pace}: "
        f"{found.requests_per_second:g} requests a second"
    )
    if found.extrapolated:
        out.print(
            f"{found.extrapolated} days were not asked for: {found.never_read} never read, taken to have"
            f" {found.rows_a_day:g} activities each, the others as they were listed before"
        )
    return None


async def _estimate(
    settings: Settings, days: DayRange | None, *, full: bool, recent: bool
) -> Estimate:
    newest, start = today(settings.timezone), settings.start_date
    options, rate = sync_options(settings, full=full), settings.requests_per_second
    with warehouse_engine(settings.warehouse_url) as engine, progress_bar() as progress:
        check_server(engine)
        empty = is_empty(engine)
        async with ServiceClient(service_config(settings)) as client:
            tools = (client, engine, settings.timezone, options, progress)
            estimator = Estimator(*tools, rate, empty=empty)
            if recent:
                return await estimator.recent(recent_days(start, newest), settings.recent_requests)
            lookback = nightly_days(start, settings.lookback_days, newest)
            return await (estimator.days(days) if days else estimator.night(lookback))
