"""``pipeline demo``: the whole product on this machine, without any account."""

import shlex
from datetime import UTC, datetime

import typer

from pipeline.commands.console import out, print_table

#: One of the example questions of ``sql/queries``. Its first line is the question.
_QUESTION = "queries/outcome_by_type"

#: What is said before and after, the first time and later.
_FIRST = (
    "a private PostgreSQL and a made-up service are up; mirroring its 90 days",
    "run `pipeline demo` again: the service is a day later then, and only changes are fetched",
)
_AGAIN = (
    "the made-up service a day later, on the same warehouse",
    "only new, changed and due activities were fetched: compare `requests` with the first time",
)


def demo() -> None:
    """Show the product: a private PostgreSQL, a made-up service, the real job over 90 days.

    Run it again: it continues and fetches only what has changed.
    """
    from psycopg.rows import dict_row

    from pipeline.commands.job import run_job
    from pipeline.commands.private_stage import private_stage
    from pipeline.commands.runs import print_parts
    from pipeline.sync.days import DayRange
    from pipeline.warehouse.database.engine import fetch, warehouse_engine
    from pipeline.warehouse.database.sql import statement
    from pipeline.warehouse.database.tables import count_rows

    with private_stage() as (running, place):
        before, after = _AGAIN if running.story.shows else _FIRST
        out.print(before)
        days = DayRange(running.story.first_day, datetime.now(UTC).date())
        outcome = run_job(days, running.warehouse_url)
        print_parts(outcome.parts)
        text = statement(_QUESTION)
        with warehouse_engine(running.warehouse_url) as engine:
            print_table("the warehouse", ("table", "rows"), count_rows(engine).items())
            found = fetch(engine, dict_row, text)
        title = text.partition("\n")[0].removeprefix("-- ")
        print_table(title, list(found[0]), [list(row.values()) for row in found])
        out.print(after)
        out.print(
            "`pipeline dev` opens the Dagster UI on the same warehouse. While it runs, look at it by"
            " `pipeline status`, `runs` or `report`, and query it as an analyst:"
        )
        for command in ("status", "runs", "report"):
            out.print(f"DAGSTER_HOME={shlex.quote(str(place))} pipeline {command}")
        out.print(f'psql "{running.analyst_url}"', markup=False)
    raise typer.Exit(outcome.exit)
