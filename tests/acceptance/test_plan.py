"""`pipeline sync --plan` says what the same command then asks for (docs/nights.md "What will it cost?")."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from tests.support.reading import rows

if TYPE_CHECKING:
    from pipeline.sandbox import Running
    from tests.acceptance.conftest import MakeProject, Serve
    from tests.support.commands import Project


def serve_days(serve: Serve, project: MakeProject, days: int, each: int) -> tuple[Running, Project]:
    """Serve so many days up to today with so many activities each, to a project that begins there."""
    now = datetime.now(UTC)
    first = now.date() - timedelta(days=days - 1)
    service = serve(each * days, from_date=first, to_date=now.date(), now=now)
    made = project(service)
    made.settings["ACTIVITIES_START_DATE"] = str(first)
    return service, made


_SIZES = "select schemaname, relname, n_tup_ins, n_tup_upd, n_tup_del from pg_stat_user_tables"


def traces(made: Project) -> list[Any]:
    """Return what was ever written to each table of ours, and the runs in Dagster's history."""
    history = sorted(str(each) for each in made.folder.rglob("history/runs/*.db"))
    return [sorted(rows(made.settings["WAREHOUSE_URL"], _SIZES)), history]


def plan(made: Project, service: Running, *options: str) -> dict[str, Any]:
    """Return what a plan says. It asks the list three times at most, and leaves no trace."""
    before = traces(made)
    service.state.reset_counters()
    done = made.run("sync", *options, "--plan", "--json")
    assert (done.code, done.err) == (0, ""), done
    counters = service.state.counters()
    found: dict[str, Any] = json.loads(done.out)
    assert found["questions"] <= 3
    pages = 3 + len(service.state.ids()) // 50  # the sandbox grants 100 rows, and dates overlap
    assert counters.by_operation["list"] <= pages
    assert (counters.logins, counters.by_operation["details"]) == (1, 0)
    assert traces(made) == before
    return found


def run(made: Project, service: Running, *options: str) -> tuple[int, int]:
    """Do what was planned; return how many requests to the list and for details it sent."""
    service.state.reset_counters()
    done = made.run("sync", *options)
    assert done.code == 0, done
    operations = service.state.counters().by_operation
    return operations["list"], operations["details"]


def near(planned: int, sent: int) -> bool:
    """Whether a figure is as near as promised: a quarter more or less, and three requests."""
    return abs(planned - sent) <= 0.25 * sent + 3


def create(service: Running, number: int) -> None:
    for _ in range(number):
        service.state.create()


def test_details_are_exact_where_the_questions_reach(
    serve: Serve, project: MakeProject, database_url: str
) -> None:
    service, made = serve_days(serve, project, days=12, each=10)
    made.settings["WAREHOUSE_URL"] = database_url  # without any schema
    since = ("--from", made.settings["ACTIVITIES_START_DATE"])
    first = plan(made, service, *since)
    assert (first["days"], first["extrapolated"]) == ({"asked for": 12}, 0)
    assert rows(database_url, "select 1 from pg_namespace where nspname = 'sync'") == []
    listed, details = run(made, service, *since)
    assert first["details"] == {"new": details} == {"new": len(service.state.ids())}
    assert near(first["list_requests"], listed)

    create(service, 3)
    answered = service.state.ids("SENT", "ACTION_REQUIRED")[0]
    service.state.enter_status(answered, "ACCEPTED")
    full = plan(made, service, *since, "--full")
    assert sum(full["details"].values()) == details + 3
    again = plan(made, service, *since)
    assert again["details"] == {"new": 3, "changed": 1}
    listed, details = run(made, service, *since)
    assert details == 4
    assert near(again["list_requests"], listed)
    assert again["measured"]


def test_a_night_is_extrapolated_and_says_so(serve: Serve, project: MakeProject) -> None:
    service, made = serve_days(serve, project, days=150, each=2)
    text = made.run("sync", "--plan")
    assert "3 questions to the list, nothing stored" in text.out
    assert "days were not asked for" in text.out
    first = plan(made, service)
    assert first["days"]["newest"] == 3
    assert first["days"]["never read, or not complete"] == 147
    assert first["extrapolated"] == first["never_read"] > 0
    listed, details = run(made, service)
    assert near(sum(first["details"].values()), details)
    assert near(first["list_requests"], listed)

    create(service, 3)
    second = plan(made, service)
    assert second["never_read"] == 0
    listed, details = run(made, service)
    assert sum(second["details"].values()) == details
    assert second["details"]["new"] == 3
    assert near(second["list_requests"], listed)

    create(service, 2)
    light = plan(made, service, "--recent")
    assert light["days"]["newest"] == 2
    listed, details = run(made, service, "--recent")
    assert light["details"] == {"new": details} == {"new": 2}
    assert near(light["list_requests"], listed)
