"""The Dagster UI as people meet it, in Chromium: backfills launched, stopped and resumed by clicks."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING

import pytest

from pipeline.sandbox import FaultRule
from tests.support.commands import eventually
from tests.support.daemon import DagsterDev, backfills_each_second
from tests.support.habits.lists import list_shuffled_on
from tests.support.mirroring import compare, created_on
from tests.support.reading import asked, rows, stored, value

if TYPE_CHECKING:
    from pathlib import Path

    from pipeline.sandbox import Running
    from pipeline.sandbox.state import Truth
    from tests.acceptance.conftest import MakeProject, Serve
    from tests.support.browser import DagsterPage

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

FIRST = date(2026, 1, 1)


def test_failed_days_are_launched_again_and_a_canceled_backfill_goes_on(
    serve: Serve, project: MakeProject, migrated_url: str, shots: Path
) -> None:
    """Days that shuffle are red, and "failed and missing" launches exactly these."""
    from tests.support.browser import dagster_page

    service = serve(500, from_date=FIRST, to_date=FIRST + timedelta(days=49))
    midnight = datetime.combine(FIRST + timedelta(days=2), time(), UTC)
    for minutes in (-20, 20):  # they show where the service's days begin
        created_at = (midnight + timedelta(minutes=minutes)).timestamp() * 1000
        service.state.create(created_at=round(created_at))
    made = project(service)
    made.settings |= backfills_each_second(made.folder)
    with DagsterDev(made) as dev, dagster_page(dev.url, shots) as page:
        red_days(service, dev, page)
        assert compare(migrated_url, offered(service, *days(0, 39))) == []
        canceled(service, dev, page, migrated_url)
    shown = value(
        migrated_url, "select sum(created_activities) from analytics.activities_by_created_day"
    )
    # The one in quarantine is shown as the list has it.
    assert shown - 1 == stored(migrated_url) == 501


def red_days(service: Running, dev: DagsterDev, page: DagsterPage) -> None:
    """Load forty days of which some can't be read, and then these."""
    first, last = map(str, days(0, 39))
    red = [FIRST + timedelta(days=number) for number in (9, 20, 21)]
    service.state.set_faults(list_shuffled_on(red, "UTC"))
    page.launch_backfill("warehouse/activities", first, last)
    assert page.backfill_ends() == "Failed"
    page.open_plots("warehouse/activities")
    page.shoot("red-days")
    assert {run["tags"].get("dagster/from_ui") for run in dev.runs()} == {"true"}
    failed = [days for days, status in dev.shown() if status == "FAILED"]
    named = {day for first_day, last_day in failed for day in between(first_day, last_day)}
    # A day that can't be read may redden those whose questions reach it.
    assert set(red) <= named <= {day + timedelta(days=n) for day in red for n in (-2, -1, 0, 1)}
    service.state.set_faults()
    before = {run["runId"] for run in dev.runs()}
    page.launch_failed_and_missing("warehouse/activities", first, last)
    assert page.backfill_ends() == "Succeeded"
    again = [run["tags"]["days"] for run in dev.runs() if run["runId"] not in before]
    assert sorted(again) == [a if a == b else f"{a}..{b}" for a, b in failed]
    assert dev.shown() == [((first, last), "MATERIALIZED")]


def canceled(service: Running, dev: DagsterDev, page: DagsterPage, url: str) -> None:
    """Load ten days more, cancel that half-way, and launch it again."""
    second = days(40, 49)
    service.state.set_faults(FaultRule(kind="latency", operation="details", latency_ms=8_000))
    before = stored_on(url, *second)
    service.state.reset_counters()
    page.launch_backfill("warehouse/activities", *map(str, second))
    eventually(lambda: asked(service) > 20, "it fetches", 120)
    page.cancel_backfill()
    assert page.backfill_ends() == "Canceled"
    eventually(lambda: dev.idle(), "the run has ended", 30)
    in_flight = 16
    assert asked(service) - in_flight <= stored_on(url, *second) - before <= asked(service)

    poisoned = unstored(service, url, *second)
    service.state.set_faults(
        FaultRule(kind="status", status=200, operation="details", id=poisoned, body='{"id": 7}')
    )
    page.launch_backfill("warehouse/activities", *map(str, second))
    assert page.backfill_ends() == "Succeeded"
    # What was in flight when it was canceled, and the poisoned one's second attempt, no more.
    assert asked(service) <= len(offered(service, *second)) + in_flight + 1
    assert stored_on(url, *second) == len(offered(service, *second)) - 1
    quarantined = rows(url, "select activity_id from sync.quarantine where resolved_at is null")
    assert quarantined == [(poisoned,)]
    page.open_check("warehouse/activities", "quarantine_empty", says="pipeline quarantine list")
    page.shoot("check")


def days(first: int, last: int) -> tuple[date, date]:
    """Return the days with these numbers, counted from the first of the data."""
    return FIRST + timedelta(days=first), FIRST + timedelta(days=last)


def offered(service: Running, first: date, last: date) -> list[Truth]:
    """Return what the service states now of the activities of these days."""
    found = [each for each in service.state.truth() if first <= created_on(each) <= last]
    assert len(found) > 100
    return found


def between(first: str, last: str) -> list[date]:
    """Return the days from ``first`` to ``last``, both included."""
    begin, end = date.fromisoformat(first), date.fromisoformat(last)
    return [begin + timedelta(days=number) for number in range((end - begin).days + 1)]


def stored_on(url: str, first: date, last: date) -> int:
    """Return how many activities of these days the warehouse has with their details."""
    found = "select count(details) from sync.activity_ledger where day between %s and %s"
    return int(value(url, found, first, last))


def unstored(service: Running, url: str, first: date, last: date) -> str:
    """Return the id of an activity of these days that the warehouse has not."""
    names = {name for (name,) in rows(url, "select id::text from warehouse.activities")}
    return next(each.id for each in offered(service, first, last) if each.id not in names)
