"""The star of analytics as `Recount` says it must be: facts, counterparts and what is counted by days."""

from __future__ import annotations

from collections import Counter, defaultdict
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from tests.support.recount import ASKING, BY, FINAL, SHARING_TYPES, SWAPS, Recount, Row
from tests.support.recounted_views import GONE, HOUR, grouped, life_of, percentiles, rate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from datetime import datetime

    from tests.support.recount import Activity, Given

ANSWERS = ("accepted", "declined")


def _local(made: Recount, moment: datetime | None, name: str) -> Row:
    """Return day, week, month and hour of a moment in the zone, by column; None without a moment."""
    if moment is None:
        return {
            f"{name}_{part}": None for part in ("day", "week", "month", "hour_local", "weekday")
        }
    local = moment.astimezone(made.zone)
    day = local.date()
    return {
        f"{name}_day": day, f"{name}_week": day - timedelta(days=day.weekday()),
        f"{name}_month": day.replace(day=1), f"{name}_hour_local": local.hour,
        f"{name}_weekday": local.isoweekday(),
    }  # fmt: skip


def ends_at(made: Recount, each: Activity) -> datetime | None:
    """Return when a sharing ends or ended; None: it did, and no details ever showed when."""
    if not each.fetched and each.ended:
        return None
    ends = [end for end, _ in made.ends(each)] + ([each.expires] if each.expires else [])
    return max(filter(None, [each.shared_from, min(ends, default=made.forever)]))


def is_shared(each: Activity) -> bool:
    """Return whether something was accepted or given."""
    return each.stage == "accepted" or each.shows_acceptance


def activities(made: Recount) -> list[Row]:
    """Return the fact of activities."""
    return [_activity(made, each) for each in made.activities]


def _activity(made: Recount, each: Activity) -> Row:
    shared = is_shared(each)
    created = _local(made, each.created, "created")
    answered = _local(made, each.attended, "answered")
    completed = each.completed and each.completed.astimezone(made.zone).date()
    ends = ends_at(made, each) if shared else None
    span = each.body.get("expires_in") or {}
    return created | answered | {
        "activity_id": each.id, "activity_type": each.type, "in_out_bound": each.bound,
        "activity_type_name": each.body.get("type_name"), "direction": each.direction,
        "entity_id": each.entity, "status": each.status, "is_final": each.status in FINAL,
        "outcome": each.outcome, "answered_by": each.answered_by,
        "waiting_for": BY.get(each.bound) if each.stage == "pending" else None,
        "answered_at": each.attended,
        "hours_to_answer": each.attended and (each.attended - each.created) / HOUR,
        "is_completed": _completed(each), "completed_at": each.completed, "completed_day": completed,
        "hours_to_completion": each.completed and (each.completed - each.created) / HOUR,
        "is_shared": shared, "shared_from": each.shared_from if shared else None,
        "sharing_ends_at": ends, "sharing_ends_day": ends and ends.astimezone(made.zone).date(),
        "sharing_ended": made.sharing_ended(each),
        "sharing_ended_by": made.ended_by(each, made.refreshed) if shared else None,
        "created_at": each.created, "updated_at": each.updated, "valid_until": each.valid_until,
        "expires_at": each.expires, "expires_in_time_unit": span.get("time_unit"),
        "expires_in_amount": span.get("amount"), "time_zone": each.body["time_zone"],
        "first_seen_at": each.first_seen, "details_fetched_at": each.fetched,
        "gone_at": each.gone, "erased_at": each.erased,
        "is_request": each.type in ASKING | SWAPS if each.type in ASKING | SWAPS | SHARING_TYPES else None,
    }  # fmt: skip


def _completed(each: Activity) -> bool:
    return each.stage == "accepted" and (each.status == "COMPLETED" or each.completed is not None)


def requirements(made: Recount) -> list[Row]:
    """Return the fact of requirements."""
    return [row for row in _answers(made) if row.pop("item_number") is None]


def items(made: Recount) -> list[Row]:
    """Return the fact of items."""
    return [row for row in _answers(made, items=True) if row["item_number"] is not None]


def _answers(made: Recount, *, items: bool = False) -> Iterable[Row]:
    told = {_place(row): row for row in made.consents}
    unknown: dict[str, set[bool]] = defaultdict(set)
    for row in made.consents:
        if row["decision"] == "not_known":
            unknown[row["activity_id"]].add(row["is_item"])
    for each in made.activities:
        # Items: also where a requirement is not known.
        known = not unknown[each.id] if items else False not in unknown[each.id]
        for requirement in each.requirements:
            rows = [_answer(made, each, told, requirement, None)]
            rows += [
                _answer(made, each, told, requirement, item)
                for item in (each.items_of(requirement) if items else ())
            ]
            for row in rows:
                decided = row["outcome"] in ("accepted", "partly", "declined")
                row["is_in_acceptance_rate"] = row["is_asked"] and decided and known
            yield from rows


def _place(row: Row) -> tuple[Any, ...]:
    position, item = row["requirement_position"], row["item_position"]
    return row["activity_id"], row["listed_in"], position, item


def _answer(
    made: Recount, each: Activity, told: dict[Any, Row], requirement: Given, item: Given | None
) -> Row:
    listed_in, position = (item or requirement).first()
    owner = requirement.number if listed_in == "kept" else getattr(requirement, listed_in)[0]
    row = told[each.id, listed_in, owner, position if item else None]
    outcome = row["decision"]
    decided = outcome in ("accepted", "partly", "declined")
    given = row["valid_from"] is not None
    same = ("activity_id", "entity_id", "activity_type", "in_out_bound", "direction", "created_day",
            "has_value", "listed_in", "requirement_position", "accepted_position",
            "is_latest", "not_shown_since")  # fmt: skip
    own = (
        ("item_code", "item_position", "accepted_item")
        if item
        else ("requirement_type", "category")
    )
    declined = requirement.declined and requirement.declined[0]
    return {name: row[name] for name in (*same, *own)} | {
        "requirement_number": requirement.number, "item_number": item and item.number,
        "requirement_code": row["code"], "created_month": each.month,
        "is_asked": row["asked_at"] is not None, "is_accepted": given, "outcome": outcome,
        "answered_by": each.answered_by if decided else None,
        "answered_at": each.attended if decided else None,
        "answered_day": each.attended.astimezone(made.zone).date() if decided and each.attended else None,
        "readable_from": row["valid_from"],
        "readable_until": ends_at(made, each) if given else None,
        "ended_by": made.ended_by(each, made.refreshed) if given else None,
    } | (
        {"item_type": row["requirement_type"]}
        if item
        else {"declined_position": declined, "occurrence": requirement.which}
    )  # fmt: skip


def status_changes(made: Recount) -> list[Row]:
    """Return each status that activities entered, until they left it."""
    rows = []
    for each in made.activities:
        moves = list(life_of(each))
        for number, ((at, status), after) in enumerate(
            zip(moves, [*moves[1:], None], strict=False)
        ):
            if status != GONE:
                left = after[0] if after else None
                rows.append(
                    {
                        "activity_id": each.id, "change_number": number, "status": status,
                        "entered_at": at, "entered_day": at.astimezone(made.zone).date(),
                        "left_at": left, "left_day": left and left.astimezone(made.zone).date(),
                        "next_status": after[1] if after and after[1] != GONE else None,
                        "hours": (left - at) / HOUR if after and left and after[1] != GONE else None,
                        "created_day": each.day,
                        "activity_type": each.type, "in_out_bound": each.bound,
                        "entity_id": each.entity,
                        "changed_from": moves[number - 1][1] if number else None,
                        "changed_at": at if number else None,
                        "changed_day": at.astimezone(made.zone).date() if number else None,
                    }
                )  # fmt: skip
    return rows


def counterparts(made: Recount) -> list[Row]:
    """Return the dimension of counterparts."""
    theirs = grouped(made.activities, lambda each: each.entity)
    rows = []
    for name, person in made.people.items():
        found: list[Activity] = theirs[name]
        answers = Counter((each.answered_by, each.outcome) for each in found)
        ignored = Counter(each.bound for each in found if each.stage == "canceled")
        heard = [each.created for each in found if each.bound == "IN"]
        heard += [each.attended for each in found if each.bound == "OUT" and each.attended]
        sent = [each.created for each in found if each.bound == "OUT"]
        sent += [each.attended for each in found if each.bound == "IN" and each.attended]
        first = min((each.created for each in found), default=None)
        last = max(heard, default=None)
        since = last or first
        they, we = ([answers[who, what] for what in ANSWERS] for who in ("them", "us"))
        rows.append(
            {
                "entity_id": name, "entity_type": person["type"],
                "is_unregistered": bool(person["unregistered"]),
                "created_at": person["created_at"], "activities": len(found),
                "received_activities": sum(each.bound == "IN" for each in found),
                "sent_activities": sum(each.bound == "OUT" for each in found),
                "they_accepted_activities": they[0], "they_declined_activities": they[1],
                "they_ignored_activities": ignored["OUT"],
                "their_acceptance_rate": rate(they[0], sum(they)),
                "we_accepted_activities": we[0], "we_declined_activities": we[1],
                "we_ignored_activities": ignored["IN"],
                "our_acceptance_rate": rate(we[0], sum(we)),
                "first_contact_at": first,
                "first_contact_day": first and first.astimezone(made.zone).date(),
                "last_heard_at_if_ever": last,
                "last_heard_day_if_ever": last and last.astimezone(made.zone).date(),
                "last_sent_at": max(sent, default=None), "silent_since": since,
                "silent_since_day": since and since.astimezone(made.zone).date(),
                "erased_at": person["erased"],
            }
        )  # fmt: skip
    return rows


def messages(made: Recount) -> list[Row]:
    """Return every text of an activity."""
    return [
        {
            "activity_id": each.id, "source": source, "position": position, "message": text,
            "sent_at": at, "in_out_bound": each.bound, "entity_id": each.entity,
            "created_day": each.day,
        }
        for each in made.activities
        for source, position, text, at in (
            ("description", None, each.body.get("description"), each.created),
            ("notification", None, each.body.get("notification_message"), each.attended),
            *(
                ("timeline", place, event.get("message"), each.timeline[place][1])
                for place, event in enumerate(each.body.get("timeline") or ())
            ),
        )
        if text
    ]  # fmt: skip


def _cohorts(rows: list[Row], *names: str) -> Iterable[tuple[Row, list[Row]]]:
    for key, found in grouped(rows, lambda row: tuple(row[name] for name in names)).items():
        yield dict(zip(names, key, strict=True)), found


def activities_by_created_day(made: Recount) -> list[Row]:
    """Return how the activities of each day ended."""
    rows = []
    days = ("created_day", "created_week", "created_month", "activity_type", "in_out_bound")
    for row, found in _cohorts(activities(made), *days):
        outcomes = Counter(each["outcome"] for each in found)
        yes, replies = outcomes["accepted"], outcomes["accepted"] + outcomes["declined"]
        completed = sum(each["is_completed"] for each in found)
        rows.append(
            row
            | {f"{name}_activities": outcomes[name] for name in ("pending", "declined", "canceled")}
            | {
                "created_activities": len(found), "other_activities": outcomes[None],
                "answered_activities": replies, "accepted_activities": yes,
                "shares": outcomes["share"],
                "completed_activities": completed,
                "gone_activities": sum(each["gone_at"] is not None for each in found),
                "sharing_ended_activities": sum(
                    each["sharing_ended"] is True and each["outcome"] in ("accepted", "share")
                    for each in found
                ),
                "answer_rate": rate(replies, replies + outcomes["canceled"]),
                "acceptance_rate": rate(yes, replies),
                "completion_rate": rate(completed, yes + outcomes["share"]),
            }
        )  # fmt: skip
    return rows


def activities_by_answered_day(made: Recount) -> list[Row]:
    """Return what was answered on each day."""
    days = ("answered_day", "answered_week", "answered_month", "activity_type", "answered_by")
    answered = [row for row in activities(made) if row["answered_day"]]
    rows = []
    for row, found in _cohorts(answered, *days):
        told = Counter(each["outcome"] for each in found)
        yes, no = told["accepted"], told["declined"]
        rows.append(
            row
            | {
                "answered_activities": len(found),
                "accepted_activities": yes,
                "declined_activities": no,
            }
            | {"acceptance_rate": rate(yes, yes + no)}
        )
    return rows


def activities_by_month(made: Recount) -> list[Row]:
    """Return the months, without whether they are whole, which coverage says."""
    rows = []
    for row, found in _cohorts(activities(made), "created_month", "activity_type", "in_out_bound"):
        outcomes = Counter(each["outcome"] for each in found)
        yes, no = outcomes["accepted"], outcomes["declined"]
        rows.append(
            row
            | {
                "created_activities": len(found), "answered_activities": yes + no,
                "accepted_activities": yes, "declined_activities": no,
                "canceled_activities": outcomes["canceled"],
                "acceptance_rate": rate(yes, yes + no),
                "completed_activities": sum(each["is_completed"] for each in found),
            }
        )  # fmt: skip
        for name in ("hours_to_answer", "hours_to_completion"):
            hours = [each[name] * HOUR for each in found if each[name] is not None]
            told = percentiles(hours, name)
            rows[-1] |= {f"{name}_p{part}": told[f"{name}_hours_p{part}"] for part in (50, 90, 95)}
    return rows


FACTS: dict[str, Callable[[Recount], list[Row]]] = {
    each.__name__: each
    for each in (
        activities, requirements, items, status_changes, counterparts, activities_by_created_day,
        activities_by_answered_day, activities_by_month, messages,
    )
}  # fmt: skip
