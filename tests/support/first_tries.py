"""Questions as an analyst asks them first, each with its answer counted from the bodies: more of them.

Those with which the star was built are in ``tests/integration/test_natural_questions.py``.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from datetime import timedelta
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from tests.support.recounted_views import grouped, life_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tests.support.recount import Activity, Recount

LIMA = ZoneInfo("America/Lima")
HOUR = timedelta(hours=1)
Answer = dict[Any, Any]


def count(found: Iterable[Any]) -> Answer:
    """Return how often each came."""
    return dict(Counter(found))


def rates(found: Iterable[tuple[Any, bool]]) -> Answer:
    """Return the share of each that is true."""
    told: dict[Any, list[bool]] = defaultdict(list)
    for key, yes in found:
        told[key].append(yes)
    return {key: round(sum(each) / len(each), 3) for key, each in told.items()}


def monday(each: Any) -> Any:
    """Return the Monday of a day."""
    return each - timedelta(days=each.weekday())


def answered_on(each: Activity) -> Any:
    """Return the day of the answer."""
    assert each.attended is not None
    return each.attended.astimezone(LIMA).date()


def replies(made: Recount, bound: str) -> list[Activity]:
    """Return the activities of one direction that were accepted or declined by an answer."""
    return [
        each
        for each in made.activities
        if each.bound == bound and each.outcome in ("accepted", "declined")
    ]


def accepted_by_counterpart(made: Recount, bound: str) -> Answer:
    """Return the share of each counterpart's answered activities of one direction that was accepted."""
    return rates(
        (each.entity, each.stage == "accepted") for each in replies(made, bound) if each.entity
    )


def both(made: Recount) -> list[tuple[str, Activity]]:
    """Return the answered activities with who answered."""
    return [("them", each) for each in replies(made, "OUT")] + [
        ("us", each) for each in replies(made, "IN")
    ]


def acceptance(made: Recount, key: Callable[[Activity], str]) -> Answer:
    """Return the share of all answered activities that was accepted, by ``key``."""
    return rates((key(each), each.stage == "accepted") for _, each in both(made))


def asked(made: Recount, *, item: bool = False) -> list[Answer]:
    """Return the requested requirements, or items."""
    return [row for row in made.consents if row["asked_at"] and row["is_item"] == item]


def given(made: Recount, *, item: bool = False) -> list[Answer]:
    """Return what was accepted."""
    return [row for row in made.consents if row["valid_from"] and row["is_item"] == item]


def changed_minds(made: Recount) -> list[Answer]:
    """Return the requirements that were declined, and accepted from the same side later."""
    later: dict[Any, Any] = {}
    rows = [row for row in made.consents if not row["is_item"] and row["decided_at"]]
    for row in rows:
        if row["valid_from"]:
            key = (row["entity_id"], row["code"], row["in_out_bound"])
            later[key] = max(later.get(key, row["decided_at"]), row["decided_at"])
    return [
        row
        for row in rows
        if row["decision"] == "declined"
        and row["entity_id"]
        and (end := later.get((row["entity_id"], row["code"], row["in_out_bound"])))
        and end > row["decided_at"]
    ]


#: The statement, and its answer: the first columns are the key, the last is the value.
MORE: dict[str, tuple[str, Callable[[Recount], Answer]]] = {
    "acceptance in each month of the request": (
        "select created_month || in_out_bound, round(avg((outcome = 'accepted')::int), 3) from activities"
        " where outcome in ('accepted', 'declined') group by 1",
        lambda made: acceptance(made, lambda each: f"{each.month}{each.bound}"),
    ),
    "acceptance by the counts of days": (
        "select in_out_bound, round(sum(accepted_activities) / sum(answered_activities), 3)"
        " from activities_by_created_day group by 1",
        lambda made: acceptance(made, lambda each: each.bound),
    ),
    "acceptance by the counts of months": (
        "select in_out_bound,"
        " round(sum(accepted_activities) / sum(accepted_activities + declined_activities), 3)"
        " from activities_by_month group by 1",
        lambda made: acceptance(made, lambda each: each.bound),
    ),
    "never answered, of what waited for an answer": (
        "select in_out_bound, round(sum(canceled_activities)"
        " / sum(accepted_activities + declined_activities + canceled_activities), 3)"
        " from activities_by_created_day group by 1",
        lambda made: rates(
            (each.bound, each.stage == "canceled")
            for each in made.activities
            if each.outcome in ("accepted", "declined", "canceled")
        ),
    ),
    "created in each week": (
        "select week, count(*) from activities join days on day = created_day group by 1",
        lambda made: count(monday(each.day) for each in made.activities),
    ),
    "accepted in each month of the answer, by whom": (
        "select answered_month || answered_by, count(*) from activities where outcome = 'accepted'"
        " group by 1",
        lambda made: count(
            f"{answered_on(each).replace(day=1)}{who}"
            for who, each in both(made)
            if each.stage == "accepted"
        ),
    ),
    "first answer of each type, in hours": (
        "select activity_type, min(hours_to_answer) from activities where answered_at is not null"
        " group by 1",
        lambda made: {
            kind: min((each.attended - each.created) / HOUR for each in found)
            for kind, found in grouped(
                [each for each in made.activities if each.attended], lambda each: each.type
            ).items()
        },
    ),
    "hours from creation to completion": (
        "select in_out_bound, avg(hours_to_completion) from activities"
        " where completed_at is not null group by 1",
        lambda made: {
            bound: sum((each.completed - each.created) / HOUR for each in found) / len(found)
            for bound, found in grouped(
                [each for each in made.activities if each.completed], lambda each: each.bound
            ).items()
        },
    ),
    "no longer readable": (
        "select requirement_code, count(*) from requirements where readable_until < now() group by 1",
        lambda made: count(row["code"] for row in given(made) if not row["readable_now"]),
    ),
    "latest share of an item by each person": (
        "select entity_id::text || item_code, count(*) from consents"
        " where is_item and is_latest and direction = 'to us' group by 1",
        lambda made: count(
            row["entity_id"] + row["item_code"]
            for row in given(made, item=True)
            if row["is_latest"] and row["direction"] == "to us" and row["entity_id"]
        ),
    ),
    "what each counterpart shares with us now": (
        "select entity_id::text, count(*) from requirements"
        " where direction = 'to us' and readable_until > now() group by 1",
        lambda made: count(
            row["entity_id"]
            for row in given(made)
            if row["readable_now"] and row["direction"] == "to us"
        ),
    ),
    "acceptance of each requirement, by who answers": (
        "select requirement_code || answered_by, round(avg((outcome <> 'declined')::int), 3)"
        " from requirements where answered_by is not null group by 1",
        lambda made: rates(
            (row["code"] + row["_activity"].answered_by, row["decision"] != "declined")
            for row in made.consents
            if not row["is_item"]
            and row["decision"] in ("accepted", "partly", "declined")
            and row["_activity"].answered_by
        ),
    ),
    "declined first, accepted later": (
        "select requirement_code, count(*) from requirements as first where outcome = 'declined'"
        " and exists (select from requirements as later where later.entity_id = first.entity_id"
        " and later.requirement_code = first.requirement_code and later.answered_by = first.answered_by"
        " and later.is_accepted and later.answered_at > first.answered_at) group by 1",
        lambda made: count(row["code"] for row in changed_minds(made)),
    ),
    "declined requirements by who declined": (
        "select answered_by || requirement_code, count(*) from requirements where outcome = 'declined'"
        " group by 1",
        lambda made: count(
            {"IN": "us", "OUT": "them"}[row["in_out_bound"]] + row["code"]
            for row in made.consents
            if not row["is_item"] and row["decision"] == "declined"
        ),
    ),
    "accepted only in part": (
        "select requirement_code, count(*) from requirements where outcome = 'partly' group by 1",
        lambda made: count(row["code"] for row in given(made) if row["decision"] == "partly"),
    ),
    "accepted by type of requirement": (
        "select requirement_type, count(*) from requirements where is_accepted group by 1",
        lambda made: count(row["requirement_type"] for row in given(made)),
    ),
    "requirements asked by month and type of activity": (
        "select created_month || activity_type, count(*) from requirements where is_asked group by 1",
        lambda made: count(
            f"{row['created_day'].replace(day=1)}{row['activity_type']}" for row in asked(made)
        ),
    ),
    "requirements of each activity": (
        "select activity_type, count(*)::float / count(distinct activity_id) from requirements group by 1",
        lambda made: {
            kind: sum(len(each.requirements) for each in found)
            / sum(bool(each.requirements) for each in found)
            for kind, found in grouped(made.activities, lambda each: each.type).items()
        },
    ),
    "busiest counterparts": (
        "select entity_id::text, activities from counterparts where activities > 0",
        lambda made: count(each.entity for each in made.activities if each.entity),
    ),
    "asked of each counterpart and never answered": (
        "select entity_id::text, they_ignored_activities from counterparts"
        " where they_ignored_activities > 0",
        lambda made: count(
            each.entity
            for each in made.activities
            if each.entity and each.bound == "OUT" and each.stage == "canceled"
        ),
    ),
    "created by kind of counterpart": (
        "select entity_type, count(*) from activities join counterparts using (entity_id) group by 1",
        lambda made: count(
            made.people[each.entity]["type"] for each in made.activities if each.entity
        ),
    ),
    "became accepted on each day": (
        "select entered_day, count(*) from status_changes where status = 'ACCEPTED' group by 1",
        lambda made: count(
            at.astimezone(LIMA).date()
            for each in made.activities
            for at, status in life_of(each)
            if status == "ACCEPTED"
        ),
    ),
    "overdue": (
        "select in_out_bound, count(*) from open_activities where valid_until < now()"
        " and waiting_for in ('us', 'them') group by 1",
        lambda made: count(
            each.bound
            for each in made.activities
            if each.stage == "pending" and each.valid_until and each.valid_until < made.now
        ),
    ),
    "no longer readable, by what ended it": (
        "select why_not, count(*) from consents where not is_item and not readable_now group by 1",
        lambda made: count(
            row["why_not"] for row in made.consents if not row["is_item"] and row["why_not"]
        ),
    ),
    "whole months": (
        "select created_month, count(distinct is_whole_month) from activities_by_month group by 1",
        lambda made: {each.month: 1 for each in made.activities},
    ),
}
