"""``pipeline demo``: the whole product on this machine, without any account."""

from datetime import UTC, datetime

import typer

from pipeline.commands.console import UsageWrong, out, set_environment, table
from pipeline.warehouse.engine import driver, open_engine
from pipeline.warehouse.tables import count_rows

_QUESTION = "How are activities answered, by type?"
_QUERY = """\
select activity.type, codes.label, count(*) as activities,
    count(*) filter (where status in ('ACCEPTED', 'COMPLETED', 'EXPIRED')) as accepted,
    count(*) filter (where status = 'DECLINED') as declined,
    count(*) filter (where status = 'CANCELED') as canceled
from warehouse.activities as activity
left join analytics.codes on codes.kind = 'activity_type' and codes.code = activity.type
group by 1, 2 order by 3 desc"""


def demo() -> None:
    """Show it at work: a private PostgreSQL, a made-up service, the real job over 90 days.

    Run it again: it goes on, and fetches only what has changed.
    """
    from pipeline.commands.job import home, run_job
    from pipeline.local import LocalPostgresError
    from pipeline.local.stage import stage
    from pipeline.sync.days import DayRange
    from pipeline.warehouse import roles

    place = home()
    today = datetime.now(UTC).date()
    try:
        with stage(place) as running:
            set_environment(running.environment())
            again = running.story.shows > 0
            out.print(
                "the made-up service a day later, on the same warehouse"
                if again
                else "a private PostgreSQL and a made-up service are up; mirroring 90 days of it"
            )
            days = DayRange(running.story.first_day, today)
            code = run_job("sync_days_job", days, running.warehouse_url)
            roles.set_up(running.warehouse_url)
            roles.allow_login(running.warehouse_url)
            _show(running.warehouse_url)
            _explain(running.analyst_url, again=again)
    except LocalPostgresError as error:
        raise UsageWrong(str(error)) from None
    raise typer.Exit(code)


def _show(warehouse_url: str) -> None:
    engine = open_engine(warehouse_url)
    shown = table("the warehouse", "table", "rows", right=("rows",))
    for name, rows in count_rows(engine).items():
        shown.add_row(name, f"{rows:,}")
    out.print(shown)
    with engine.connect() as connection:
        cursor = driver(connection).execute(_QUERY)
        names = [column.name for column in cursor.description or ()]
        answer = table(_QUESTION, *names, right=tuple(names[2:]))
        for row in cursor:
            answer.add_row(*[str(value) for value in row])
    out.print(answer)
    engine.dispose()


def _explain(analyst_url: str, *, again: bool) -> None:
    out.print(
        "only what is new, changed or due was fetched: compare `requests` with the first time"
        if again
        else "run `pipeline demo` again: the service has moved on by a day; only changes are fetched"
    )
    out.print(
        "look further: `pipeline dev` opens the Dagster UI on the same warehouse; while it runs,"
        " an analyst queries it by"
    )
    out.print(f'psql "{analyst_url}"', markup=False)
