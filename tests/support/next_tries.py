"""Questions as an analyst asks them first, each with its answer counted from the bodies: the third part.

They cross facts with dimensions, cut other moments into days, and ask what is no more.
"""

from __future__ import annotations

from datetime import timedelta
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from tests.support.first_tries import HOUR, LIMA, Answer, answered_on, count, given, rates
from tests.support.recount import PENDING
from tests.support.recounted_views import GONE, grouped, life_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from datetime import datetime

    from tests.support.recount import Activity, Given, Recount


def local(moment: datetime) -> Any:
    """Return the day of a moment."""
    return moment.astimezone(LIMA).date()


def mean(found: Iterable[tuple[Any, float]]) -> Answer:
    """Return the mean of each key's numbers."""
    return {
        key: sum(number for _, number in pairs) / len(pairs)
        for key, pairs in grouped([*found], lambda pair: pair[0]).items()
    }


def still_readable(made: Recount) -> Answer:
    """Count the activities, by direction, in which something was given that can be read now."""
    until = {
        row["activity_id"]: row["valid_to"] or made.forever
        for row in given(made)
        if not row["is_item"]
    }
    return count(
        each.direction for each in made.activities if until.get(each.id, made.now) > made.now
    )


def heard(made: Recount) -> dict[str, Any]:
    """Return when each counterpart last did something."""
    told = [
        (each.entity, each.created if each.bound == "IN" else each.attended)
        for each in made.activities
    ]
    return {
        name: max(moment for _, moment in pairs)
        for name, pairs in grouped(
            [pair for pair in told if all(pair)], lambda pair: pair[0]
        ).items()
    }


def moves(made: Recount) -> Iterator[tuple[datetime, str, datetime, str]]:
    """Give each status that was left: since when, which, when it was left, for which."""
    for each in made.activities:
        life = [*life_of(each)]
        for (at, status), (left, following) in pairwise(life):
            yield at, status, left, following


def open_at_the_end_of(made: Recount, each: Activity) -> Iterable[Any]:
    """Return the days at whose end an activity waited for its answer."""
    for (at, status), (left, _) in pairwise([*life_of(each), (made.now, GONE)]):
        if status in PENDING:
            day, last = local(at), local(left)
            # What is still open is so today, too.
            while day < last or (day == last and left == made.now):
                yield day
                day += timedelta(days=1)


def asked_for(made: Recount) -> Iterator[tuple[Activity, Given]]:
    """Give each requirement that was asked: in a share nobody asks."""
    for each in made.activities:
        if each.outcome != "share":
            for requirement in each.requirements:
                if requirement.requested:
                    yield each, requirement


def requested(made: Recount) -> Iterator[tuple[Activity, bool]]:
    """Give each requirement that was asked, and whether it was accepted with all items that were asked."""
    for each, requirement in asked_for(made):
        missing = any(item.requested and not item.accepted for item in each.items_of(requirement))
        yield each, bool(requirement.accepted and not requirement.declined and not missing)


#: The statement, and its answer: the first columns are the key, the last is the value.
NEXT: dict[str, tuple[str, Callable[[Recount], Answer]]] = {
    "activities whose data can still be read": (
        "select direction, count(*) from activities where sharing_ends_at > now() group by 1",
        still_readable,
    ),
    "shares that ended on each day": (
        "select sharing_ends_day, count(*) from activities join requirements using (activity_id)"
        " where readable_until < now() group by 1",
        lambda made: count(
            local(row["valid_to"])
            for row in given(made)
            if row["valid_to"] and row["valid_to"] < made.now
        ),
    ),
    "new counterparts in each month": (
        "select date_trunc('month', first_contact_day)::date, count(*) from counterparts"
        " where activities > 0 group by 1",
        lambda made: count(
            min(each.month for each in found)
            for name, found in grouped(made.activities, lambda each: each.entity).items()
            if name
        ),
    ),
    "last heard of on each day": (
        "select last_heard_day_if_ever, count(*) from counterparts"
        " where last_heard_day_if_ever is not null group by 1",
        lambda made: count(map(local, heard(made).values())),
    ),
    "counterparts that are still registered": (
        "select entity_type, count(*) from counterparts where not is_unregistered group by 1",
        lambda made: count(
            each["type"] for each in made.people.values() if not each["unregistered"]
        ),
    ),
    "counterparts that never answered us": (
        "select 'all', count(*) from counterparts where sent_activities > 0"
        " and they_accepted_activities + they_declined_activities = 0",
        lambda made: {
            "all": sum(
                any(each.bound == "OUT" for each in found)
                and not any(each.bound == "OUT" and each.answered_by for each in found)
                for name, found in grouped(made.activities, lambda each: each.entity).items()
                if name
            )
        },
    ),
    "counterparts met in each month": (
        "select created_month, count(distinct entity_id) from activities group by 1",
        lambda made: {
            month: len({each.entity for each in found if each.entity})
            for month, found in grouped(made.activities, lambda each: each.month).items()
        },
    ),
    "waiting for an answer at the end of each day": (
        "select day, sum(activities) from daily_status where status in ('SENT', 'ACTION_REQUIRED')"
        " group by 1 having sum(activities) > 0",
        lambda made: count(
            day for each in made.activities for day in open_at_the_end_of(made, each)
        ),
    ),
    "hours in each status": (
        "select status, avg(hours) from status_changes where hours is not null group by 1",
        lambda made: mean((status, (left - at) / HOUR) for at, status, left, _ in moves(made)),
    ),
    "from which status to which": (
        "select status || next_status, count(*) from status_changes where next_status is not null"
        " group by 1",
        lambda made: count(
            status + following for _, status, _, following in moves(made) if following != GONE
        ),
    ),
    "hours to the answer by weekday of the answer": (
        "select weekday, avg(hours_to_answer) from activities join days on day = answered_day group by 1",
        lambda made: mean(
            (answered_on(each).isoweekday(), (each.attended - each.created) / HOUR)
            for each in made.activities
            if each.attended
        ),
    ),
    "acceptance by kind of counterpart": (
        "select entity_type || answered_by, round(avg((outcome = 'accepted')::int), 3) from activities"
        " join counterparts using (entity_id) where outcome in ('accepted', 'declined') group by 1",
        lambda made: rates(
            (made.people[each.entity]["type"] + each.answered_by, each.outcome == "accepted")
            for each in made.activities
            if each.entity and each.outcome in ("accepted", "declined")
        ),
    ),
    "declined in each month of the answer": (
        "select answered_month, sum(declined_activities) from activities_by_answered_day group by 1",
        lambda made: {
            month: sum(each.outcome == "declined" for each in found)
            for month, found in grouped(
                [each for each in made.activities if each.attended],
                lambda each: answered_on(each).replace(day=1),
            ).items()
        },
    ),
    "every outcome of each direction": (
        "select in_out_bound || outcome, count(*) from activities where outcome is not null group by 1",
        lambda made: count(each.bound + each.outcome for each in made.activities if each.outcome),
    ),
    "activities in which an item was declined": (
        "select item_code, count(distinct activity_id) from items where outcome = 'declined' group by 1",
        lambda made: {
            code: len({row["activity_id"] for row in found})
            for code, found in grouped(
                [row for row in made.consents if row["is_item"] and row["decision"] == "declined"],
                lambda row: row["item_code"],
            ).items()
        },
    ),
    "completed on each day": (
        "select completed_day, count(*) from activities where completed_day is not null group by 1",
        lambda made: count(local(each.completed) for each in made.activities if each.completed),
    ),
    "share of the answered that took no more than a day": (
        "select in_out_bound, round(avg((hours_to_answer <= 24)::int), 3) from activities"
        " where hours_to_answer is not null group by 1",
        lambda made: rates(
            (each.bound, (each.attended - each.created) / HOUR <= 24)
            for each in made.activities
            if each.attended
        ),
    ),
    "share of what was asked that was accepted": (
        "select in_out_bound, round(avg((outcome = 'accepted')::int), 3) from requirements where is_asked"
        " group by 1",
        lambda made: rates((each.bound, whole) for each, whole in requested(made)),
    ),
    "share of what was asked that was given at all": (
        "select in_out_bound, round(avg(is_accepted::int), 3) from requirements where is_asked group by 1",
        lambda made: rates(
            (each.bound, bool(requirement.accepted)) for each, requirement in asked_for(made)
        ),
    ),
    "share of the asked consents that were accepted": (
        "select in_out_bound, round(avg((decision = 'accepted')::int), 3) from consents"
        " where asked_at is not null and not is_item group by 1",
        lambda made: rates((each.bound, whole) for each, whole in requested(made)),
    ),
    "share of the decided consents that were accepted": (
        "select in_out_bound, round(avg((decision <> 'declined')::int), 3) from consents"
        " where decided_at is not null and not is_item group by 1",
        lambda made: rates(
            (each.bound, bool(requirement.accepted))
            for each in made.activities
            if each.attended
            for requirement in each.requirements
            if requirement.accepted or requirement.declined or each.stage == "declined"
        ),
    ),
    "acceptance of each item by them": (
        "select item_code, round(avg((outcome = 'accepted')::int), 3) from items"
        " where answered_by = 'them' group by 1",
        lambda made: rates(
            (row["item_code"], row["decision"] == "accepted")
            for row in made.consents
            if row["is_item"]
            and row["decision"] in ("accepted", "declined")
            and row["_activity"].answered_by == "them"
        ),
    ),
    "how many people gave us each requirement": (
        "select requirement_code, count(distinct entity_id) from requirements"
        " where direction = 'to us' and is_accepted group by 1",
        lambda made: {
            code: len({row["entity_id"] for row in found if row["entity_id"]})
            for code, found in grouped(
                [row for row in given(made) if row["direction"] == "to us"],
                lambda row: row["code"],
            ).items()
        },
    ),
    "people who answered us in each month": (
        "select answered_month, count(distinct entity_id) from activities where answered_by = 'them'"
        " group by 1",
        lambda made: {
            month: len({each.entity for each in found})
            for month, found in grouped(
                [each for each in made.activities if each.bound == "OUT" and each.attended],
                lambda each: answered_on(each).replace(day=1),
            ).items()
        },
    ),
    "waiting for each counterpart": (
        "select entity_id::text, count(*) from activities where outcome = 'pending' and"
        " in_out_bound = 'OUT' group by 1",
        lambda made: count(
            each.entity
            for each in made.activities
            if each.stage == "pending" and each.bound == "OUT"
        ),
    ),
    "never answered by weekday of the request": (
        "select weekday, round(avg((outcome = 'canceled')::int), 3) from activities"
        " join days on day = created_day where outcome in ('accepted', 'declined', 'canceled') group by 1",
        lambda made: rates(
            (each.day.isoweekday(), each.stage == "canceled")
            for each in made.activities
            if each.outcome in ("accepted", "declined", "canceled")
        ),
    ),
}
