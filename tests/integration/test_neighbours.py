"""Days that can't be read are incomplete, and at most their neighbours: all others are proven.

Clause 1 of docs/guarantees.md.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import pytest

from tests.support.list_changes import list_fails_for, list_shuffled_on
from tests.support.mirroring import FIRST, Warehouse, created_on

if TYPE_CHECKING:
    from tests.integration.conftest import Mirrored


DAY = timedelta(days=1)
DAYS = [FIRST + number * DAY for number in range(14)]
LAST = DAYS[-1]
#: As the service cuts days: one alone, and two in a row.
BAD = {DAYS[3], DAYS[9], DAYS[10]}


def around_midnight(warehouse: Warehouse, zone: str) -> None:
    """Create an activity just after, and one just before a midnight of this zone."""
    midnight = datetime.combine(DAYS[1], time(), ZoneInfo(zone))
    for minutes in (-20, 20):
        created_at = (midnight + timedelta(minutes=minutes)).timestamp() * 1000
        warehouse.service.state.create(created_at=round(created_at))


def service_days(day: date, ours: str, theirs: str) -> set[date]:
    """Return the days of the service that a day of ours lies in."""
    begins, ends = (
        datetime.combine(each, time(), ZoneInfo(ours)).astimezone(UTC) for each in (day, day + DAY)
    )
    instants = (begins, ends - timedelta(microseconds=1))
    return {at.astimezone(ZoneInfo(theirs)).date() for at in instants}


def red(warehouse: Warehouse) -> set[date]:
    """Return the days that are not complete."""
    return set(DAYS) - warehouse.complete_days()


def lacking(warehouse: Warehouse, days: set[date]) -> set[str]:
    """Return what the service offers of these days, and the warehouse has not."""
    offered = {each.id for each in warehouse.offered() if created_on(each, warehouse.zone) in days}
    return offered - {
        name for (name,) in warehouse.query("select id::text from warehouse.activities")
    }


def around(days: set[date]) -> set[date]:
    """Return the days whose every question reaches one of ``days``: it asks for -1 to +2."""
    return {day + number * DAY for day in days for number in range(-2, 2)}


@pytest.mark.parametrize(
    ("ours", "day_zone", "to_day"),
    [
        ("UTC", "utc", "midnight"),
        ("America/Lima", "utc", "whole"),
        ("America/Lima", "caller", "midnight"),
    ],
)
def test_only_days_around_those_that_shuffle_are_incomplete(
    mirrored: Mirrored, ours: str, day_zone: str, to_day: str
) -> None:
    theirs = ours if day_zone == "caller" else "UTC"
    switches = {"day_zone": day_zone, "to_day": to_day}
    warehouse = mirrored(150, zone=ours, to_date=LAST + DAY, behaviour=switches)
    around_midnight(warehouse, theirs)
    warehouse.service.state.set_faults(list_shuffled_on(BAD, theirs))
    bad = {day for day in DAYS if not BAD.isdisjoint(service_days(day, ours, theirs))}
    assert len(bad) == (3 if theirs == ours else 5)

    assert warehouse.days(FIRST, LAST).listed <= len(warehouse.offered(FIRST, LAST))
    assert bad <= red(warehouse) <= around(bad)
    assert lacking(warehouse, set(DAYS) - red(warehouse)) == set()

    warehouse.service.state.set_faults()
    assert warehouse.days(FIRST, LAST).status == "complete"
    assert (red(warehouse), warehouse.differences(FIRST, LAST)) == (set(), [])


@pytest.mark.parametrize("to_day", ["whole", "midnight"])
def test_a_day_that_fails_spoils_no_day_further_away(mirrored: Mirrored, to_day: str) -> None:
    warehouse = mirrored(150, to_date=LAST + DAY, behaviour={"to_day": to_day})
    around_midnight(warehouse, "UTC")
    bad = DAYS[9]
    warehouse.service.state.set_faults(list_fails_for(str(bad), str(bad)))
    warehouse.days(FIRST, LAST)
    assert red(warehouse) == around({bad})
    assert lacking(warehouse, set(DAYS) - red(warehouse)) == set()
