"""Twenty more questions as an analyst asks them first."""

from __future__ import annotations

from datetime import datetime, time, timedelta
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from tests.support.first_tries import HOUR, LIMA, Answer, answered_on, count, given, rates
from tests.support.next_tries import heard, local, mean
from tests.support.recount import ASKING, PENDING, SWAPS
from tests.support.recounted_views import GONE, life_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support.recount import Activity, Recount

_NOON = "(date '2026-02-10' + time '12:00') at time zone 'America/Lima'"
_WORD = "a%"


def request(each: Activity) -> bool:
    """Return whether it asks for something."""
    return each.type in ASKING | SWAPS


def rated(made: Recount) -> list[Answer]:
    """Return the asked requirements that were decided, of activities without one that is not known."""
    rows = [row for row in made.consents if not row["is_item"]]
    unknown = {row["activity_id"] for row in rows if row["decision"] == "not_known"}
    decided = ("accepted", "partly", "declined")
    return [
        row
        for row in rows
        if row["asked_at"] and row["decision"] in decided and row["activity_id"] not in unknown
    ]


def pending_at(made: Recount, moment: datetime) -> Answer:
    """Count the activities that waited for an answer at a moment, by direction."""
    return count(
        each.bound
        for each in made.activities
        for (at, status), (left, _) in pairwise([*life_of(each), (made.forever, GONE)])
        if status in PENDING and at <= moment < left
    )


def changed(made: Recount) -> Answer:
    """Count the changes of status in ten days, without the status with which an activity began."""
    first, last = datetime(2026, 2, 1).date(), datetime(2026, 2, 10).date()
    return count(
        status
        for each in made.activities
        for at, status in [*life_of(each)][1:]
        if status != GONE and first <= local(at) <= last
    )


def texts(made: Recount) -> list[tuple[str, str]]:
    """Return every text of every activity, and where it stands."""
    found = []
    for each in made.activities:
        found.append(("description", each.body.get("description")))
        found.append(("notification", each.body.get("notification_message")))
        found += [("timeline", entry.get("message")) for entry in each.body.get("timeline") or ()]
    return [(source, text) for source, text in found if text]


def silent_for(made: Recount, days: int) -> int:
    """Count the counterparts that did nothing for so long, since their first contact at least."""
    first: dict[Any, datetime] = {}
    for each in made.activities:
        if each.entity:
            first[each.entity] = min(first.get(each.entity, each.created), each.created)
    return sum(at < made.now - timedelta(days=days) for at in (first | heard(made)).values())


#: The statement, and its answer: the first columns are the key, the last is the value.
LAST: dict[str, tuple[str, Callable[[Recount], Answer]]] = {
    "requests by weekday": (
        "select created_weekday, count(*) from activities where is_request group by 1",
        lambda made: count(each.day.isoweekday() for each in made.activities if request(each)),
    ),
    "requests by hour": (
        "select created_hour_local, count(*) from activities where is_request group by 1",
        lambda made: count(
            each.created.astimezone(LIMA).hour for each in made.activities if request(each)
        ),
    ),
    "answers by weekday": (
        "select answered_weekday, count(*) from activities where answered_at is not null group by 1",
        lambda made: count(
            answered_on(each).isoweekday() for each in made.activities if each.attended
        ),
    ),
    "pending at noon": (
        "select in_out_bound, count(*) from status_changes where status in ('SENT', 'ACTION_REQUIRED')"
        f" and entered_at <= {_NOON} and coalesce(left_at > {_NOON}, true) group by 1",
        lambda made: pending_at(
            made,
            datetime.combine(datetime(2026, 2, 10).date(), time(12), LIMA),
        ),
    ),
    "changes of status in ten days": (
        "select status, count(*) from status_changes"
        " where changed_day between '2026-02-01' and '2026-02-10' group by 1",
        changed,
    ),
    "requirements that can be read now": (
        "select direction, count(*) from requirement_consents where readable_now group by 1",
        lambda made: count(row["direction"] for row in given(made) if row["readable_now"]),
    ),
    "items that can be read now": (
        "select direction, count(*) from item_consents where readable_now group by 1",
        lambda made: count(
            row["direction"] for row in given(made, item=True) if row["readable_now"]
        ),
    ),
    "our requests whose data we may soon no longer read": (
        "select 'all', count(*) from activities where is_request and in_out_bound = 'OUT'"
        " and sharing_ends_at between now() and now() + interval '900 days'",
        lambda made: {
            "all": sum(
                request(each)
                and each.bound == "OUT"
                and bool(
                    each.expires and made.now <= each.expires <= made.now + timedelta(days=900)
                )
                and any(
                    row["readable_now"] for row in made.consents if row["activity_id"] == each.id
                )
                for each in made.activities
            )
        },
    ),
    "silent for 60 days": (
        "select 'all', count(*) from counterparts where silent_since < now() - interval '60 days'",
        lambda made: {"all": silent_for(made, 60)},
    ),
    "acceptance of each requirement": (
        "select requirement_code, round(avg(is_accepted::int), 3) from requirements"
        " where is_in_acceptance_rate group by 1",
        lambda made: rates((row["code"], row["valid_from"] is not None) for row in rated(made)),
    ),
    "acceptance of what they were asked, by month": (
        "select created_month, round(avg(is_accepted::int), 3) from requirements"
        " where is_in_acceptance_rate and answered_by = 'them' group by 1",
        lambda made: rates(
            (row["created_day"].replace(day=1), row["valid_from"] is not None)
            for row in rated(made)
            if row["_activity"].answered_by == "them"
        ),
    ),
    "texts that begin with a letter": (
        f"select source, count(*) from messages where message ilike '{_WORD}' group by 1",
        lambda made: count(source for source, text in texts(made) if text.lower().startswith("a")),
    ),
    "texts in all": (
        "select 'all', count(*) from messages",
        lambda made: {"all": len(texts(made))},
    ),
    "shares and requests": (
        "select is_request::text || in_out_bound, count(*) from activities group by 1",
        lambda made: count(str(request(each)).lower() + each.bound for each in made.activities),
    ),
    "hours to answer by weekday of the request": (
        "select created_weekday, avg(hours_to_answer) from activities"
        " where answered_at is not null group by 1",
        lambda made: mean(
            (each.day.isoweekday(), (each.attended - each.created) / HOUR)
            for each in made.activities
            if each.attended
        ),
    ),
    "completed of what was accepted": (
        "select in_out_bound, round(avg(is_completed::int), 3) from activities"
        " where outcome in ('accepted', 'share') group by 1",
        lambda made: rates(
            (each.bound, each.status == "COMPLETED" or each.completed is not None)
            for each in made.activities
            if each.stage == "accepted"
        ),
    ),
    "what is not final": (
        "select in_out_bound, count(*) from activities where not is_final group by 1",
        lambda made: count(
            each.bound
            for each in made.activities
            if each.status not in ("COMPLETED", "DECLINED", "CANCELED", "EXPIRED")
        ),
    ),
    "created on each weekday, by the summary": (
        "select weekday, sum(created_activities) from activities_by_created_day"
        " join days on day = created_day group by 1",
        lambda made: count(each.day.isoweekday() for each in made.activities),
    ),
    "who asked us most": (
        "select entity_id::text, received_activities from counterparts where received_activities > 0",
        lambda made: count(
            each.entity for each in made.activities if each.bound == "IN" and each.entity
        ),
    ),
    "names of businesses": (
        "select entity_type, count(distinct entity_id) from counterparts"
        " where entity_type = 'BUSINESS' group by 1",
        lambda made: {"BUSINESS": sum(each["type"] == "BUSINESS" for each in made.people.values())},
    ),
}
