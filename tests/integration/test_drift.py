"""Lists that move while they are read: nothing is missing, or the run says so and the next repairs it.

Clauses 1, 4 and 9 of docs/guarantees.md.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING, Literal
from zoneinfo import ZoneInfo

import pytest

from tests.support.costs import MOST_LIST_REQUESTS
from tests.support.habits.answers import AnswerOf, rule
from tests.support.habits.lists import endless, list_shuffled_on
from tests.support.mirroring import FIRST, TODAY, Warehouse, created_on

if TYPE_CHECKING:
    from pipeline.sandbox import Answer, Asked
    from tests.integration.conftest import Mirrored


_STORED = "select id::text from warehouse.activities"
_INCOMPLETE = "select count(*) from sync.coverage where incomplete is not null"


def _stored(warehouse: Warehouse) -> set[str]:
    return {name for (name,) in warehouse.query(_STORED)}


@pytest.mark.parametrize(
    ("stuck", "page", "status"), [("empty", 2, "incomplete"), ("repeat", None, "complete")]
)
def test_pages_without_end(
    mirrored: Mirrored, stuck: Literal["empty", "repeat"], page: int | None, status: str
) -> None:
    last = FIRST.replace(day=16)
    warehouse = mirrored(
        80, to_date=last, behaviour={"max_limit": 20}, faults=(endless(stuck, page),)
    )
    state = warehouse.service.state
    summary = warehouse.days(FIRST, last)
    assert summary.status == status
    assert summary.list_requests <= MOST_LIST_REQUESTS["sixteen days whose pages have no end"]
    if page is None:
        assert warehouse.differences() == []
    assert warehouse.gaps() == []
    state.set_faults()
    healed = warehouse.days(FIRST, last)
    assert (healed.status, warehouse.differences()) == ("complete", [])
    assert (warehouse.gaps(), warehouse.value(_INCOMPLETE)) == ([], 0)


def test_a_new_activity_at_each_request_leaves_no_day_incomplete(mirrored: Mirrored) -> None:
    """No question need show what was created after it was asked."""
    warehouse = mirrored(60)
    state = warehouse.service.state

    def arriving(asked: Asked, answer_of: AnswerOf) -> Answer:
        if asked.operation == "list":
            state.create(drawn=False)
        return answer_of(asked)

    state.set_faults(rule(arriving))
    assert warehouse.days(FIRST, TODAY).status == "complete"
    state.set_faults()
    assert warehouse.days(FIRST, TODAY).status == "complete"
    assert warehouse.differences(FIRST, TODAY) == []


DAY = timedelta(days=1)
DAYS = [FIRST + number * DAY for number in range(14)]
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
    return offered - _stored(warehouse)


def around(days: set[date]) -> set[date]:
    """Return the days whose every question reaches one of ``days``: it asks for -1 to +2."""
    return {day + number * DAY for day in days for number in range(-2, 2)}


@pytest.mark.parametrize(
    ("ours", "day_zone", "to_day"),
    [("UTC", "utc", "midnight"), ("America/Lima", "caller", "whole")],
)
def test_only_days_around_those_that_shuffle_are_incomplete(
    mirrored: Mirrored, ours: str, day_zone: str, to_day: str
) -> None:
    theirs = ours if day_zone == "caller" else "UTC"
    switches = {"day_zone": day_zone, "to_day": to_day}
    warehouse = mirrored(150, zone=ours, to_date=DAYS[-1] + DAY, behaviour=switches)
    around_midnight(warehouse, theirs)
    warehouse.service.state.set_faults(list_shuffled_on(BAD, theirs))
    bad = {day for day in DAYS if not BAD.isdisjoint(service_days(day, ours, theirs))}
    assert len(bad) == (3 if theirs == ours else 5)

    assert warehouse.days(FIRST, DAYS[-1]).listed <= len(warehouse.offered(FIRST, DAYS[-1]))
    assert bad <= red(warehouse) <= around(bad)
    assert lacking(warehouse, set(DAYS) - red(warehouse)) == set()

    warehouse.service.state.set_faults()
    assert warehouse.days(FIRST, DAYS[-1]).status == "complete"
    assert (red(warehouse), warehouse.differences(FIRST, DAYS[-1])) == (set(), [])
