"""Each view of analytics as `Recount` says it must be, row by row; labels are left out."""

from __future__ import annotations

from collections import Counter, defaultdict
from datetime import datetime, timedelta
from math import ceil
from typing import TYPE_CHECKING, Any

from tests.support.recount import FINAL, PENDING, Recount, Row

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from tests.support.recount import Activity

HOUR = timedelta(hours=1)


def consents(made: Recount) -> list[Row]:
    """Return the register."""
    return [{name: value for name, value in row.items() if name[0] != "_"} for row in made.consents]


def requirement_answers(made: Recount) -> list[Row]:
    """Return the answers, without when and until when."""
    left_out = {"asked_at", "decided_at", "valid_from", "valid_to", "readable_now", "why_not"}
    left_out |= {
        "status",
        "expires_at",
        "created_day",
        "requirement_type",
        "is_latest",
        "not_shown_since",
    }
    return [
        {name: value for name, value in row.items() if name not in left_out}
        | {"day": full["created_day"], "type": full["requirement_type"]}
        | {"asked": full["asked_at"] is not None, "given": full["valid_from"] is not None}
        for row, full in zip(consents(made), made.consents, strict=True)
    ]


def activity_stages(made: Recount) -> list[Row]:
    """Return how far each activity came."""
    return [
        {
            "activity_id": each.id, "day": each.day, "type": each.type, "in_out_bound": each.bound,
            "direction": each.direction, "entity_id": each.entity, "status": each.status,
            "stage": each.stage, "created_at": each.created, "attended_at": each.attended,
            "completed_at": each.completed, "shared_from": each.shared_from,
            "expires_at": each.expires, "ended_at": each.ended, "sharing_over": each.over(made.now),
            "gone_at": each.gone, "values_erased_at": each.erased,
        }
        for each in made.activities
    ]  # fmt: skip


def deprecated_activities(made: Recount) -> list[Row]:
    """Return what is said of each activity."""
    return [
        {
            "id": each.id, "day": each.day, "type": each.type, "type_name": each.body.get("type_name"),
            "in_out_bound": each.bound, "status": each.status, "stage": each.stage,
            "final": each.status in FINAL, "entity_id": each.entity,
            "entity_unregistered": made.people[each.entity]["unregistered"] if each.entity else None,
            "time_zone": each.body["time_zone"], "created_at": each.created,
            "updated_at": each.updated, "valid_until": each.valid_until,
            "attended_at": each.attended, "completed_at": each.completed, "expires_at": each.expires,
            "expires_in_time_unit": (each.body.get("expires_in") or {}).get("time_unit"),
            "expires_in_amount": (each.body.get("expires_in") or {}).get("amount"),
            "created_to_attended": each.attended and each.attended - each.created,
            "attended_to_completed": each.completed and each.attended and each.completed - each.attended,
            "created_to_attended_hours": each.attended and (each.attended - each.created) / HOUR,
            "attended_to_completed_hours": each.completed
            and each.attended
            and (each.completed - each.attended) / HOUR,
            "values_erased_at": each.erased,
            "first_seen_at": each.first_seen, "details_fetched_at": each.fetched, "gone_at": each.gone,
        }
        for each in made.activities
    ]  # fmt: skip


def open_activities(made: Recount) -> list[Row]:
    """Return what is not final and still offered."""
    rows = []
    for each in made.activities:
        if each.status in FINAL or each.gone:
            continue
        pending = each.stage == "pending"
        left = each.valid_until - made.now if pending and each.valid_until else None
        waiting = {"IN": "us", "OUT": "them"}.get(each.bound) if pending else None
        rows.append(
            {
                "activity_id": each.id, "created_day": each.day, "activity_type": each.type,
                "in_out_bound": each.bound, "status": each.status,
                "waiting_for": "completion" if each.stage == "accepted" else waiting,
                "entity_id": each.entity, "created_at": each.created, "age": made.now - each.created,
                "valid_until": each.valid_until, "time_left": left,
                "overdue": left is not None and left <= timedelta(0),
                "details_fetched_at": each.fetched, "hours_left": None if left is None else left / HOUR,
            }
        )  # fmt: skip
    return rows


def expiring_shares(made: Recount) -> list[Row]:
    """Return what can be read now and ends by the clock."""
    items: dict[Any, dict[int, Any]] = defaultdict(dict)
    for row in made.consents:
        if row["is_item"] and row["readable_now"]:
            items[row["activity_id"], row["accepted_position"]][row["accepted_item"]] = row[
                "item_code"
            ]
    rows = []
    for row in made.consents:
        if row["is_item"] or not row["readable_now"] or not row["expires_at"]:
            continue
        left = row["expires_at"] - made.now
        codes = items[row["activity_id"], row["accepted_position"]]
        same = (
            "activity_id",
            "code",
            "category",
            "activity_type",
            "in_out_bound",
            "status",
        )
        rows.append(
            {name: row[name] for name in (*same, "entity_id", "expires_at")}
            | {
                "position": row["accepted_position"],
                "type": row["requirement_type"],
                "items": [codes[place] for place in sorted(codes)] or None,
                "time_left": left,
                "hours_left": left / HOUR,
            }
        )
    return rows


def shared_values(made: Recount) -> list[Row]:
    """Return the values that can be read now."""
    return [
        {
            "activity_id": row["activity_id"], "entity_id": row["entity_id"],
            "requirement_position": row["accepted_position"], "item_position": row["accepted_item"],
            "requirement_code": row["code"], "item_code": row["item_code"],
            "requirement_type": row["requirement_type"], "value": row["_value"],
            "expires_at": row["expires_at"],
        }
        for row in made.consents
        if row["readable_now"] and row["has_value"]
    ]  # fmt: skip


def grouped(rows: Iterable[Any], key: Callable[[Any], Any]) -> dict[Any, list[Any]]:
    """Return rows by key."""
    found: dict[Any, list[Any]] = defaultdict(list)
    for row in rows:
        found[key(row)].append(row)
    return found


def rate(part: int, whole: int) -> float | None:
    """Return a share, rounded to four places; None: of nothing."""
    return round(part / whole, 4) if whole else None


def activity_funnel(made: Recount) -> list[Row]:
    """Return how the activities of each day ended."""
    rows = []
    for (day, kind, bound), found in grouped(
        made.activities, lambda each: (each.day, each.type, each.bound)
    ).items():
        stages = Counter(each.stage for each in found)
        accepted = [each for each in found if each.stage == "accepted"]
        completed = sum(
            each.status == "COMPLETED" or each.completed is not None for each in accepted
        )
        answered = stages["accepted"] + stages["declined"]
        rows.append(
            {
                "day": day, "type": kind, "in_out_bound": bound, "created": len(found),
                "pending": stages["pending"], "accepted": stages["accepted"],
                "declined": stages["declined"], "canceled": stages["canceled"], "other": stages[None],
                "completed": completed, "expired": sum(made.sharing_ended(each) for each in accepted),
                "gone": sum(each.gone is not None for each in found),
                "answer_rate": rate(answered, answered + stages["canceled"]),
                "acceptance_rate": rate(stages["accepted"], answered),
                "completion_rate": rate(completed, stages["accepted"]),
            }
        )  # fmt: skip
    return rows


def item_outcomes(made: Recount) -> list[Row]:
    """Return the answers by requirement, item, type and direction."""
    names = (
        "created_day", "activity_type", "in_out_bound", "direction", "code", "is_item", "item_code"
    )  # fmt: skip
    rows = []
    for key, found in grouped(
        made.consents, lambda row: tuple(row[name] for name in names)
    ).items():
        row = dict(zip(names, key, strict=True))
        row["type"], row["day"] = row.pop("activity_type"), row.pop("created_day")
        rows.append(row | _answers(found, "given", "partly"))
        rows[-1]["given_rate"] = rows[-1].pop("rate")
    return rows


def requirement_outcomes(made: Recount) -> list[Row]:
    """Return the answers by requirement."""
    rows = []
    whole = [row for row in made.consents if not row["is_item"]]
    for (day, code), found in grouped(whole, lambda row: (row["created_day"], row["code"])).items():
        counts = _answers(found, "accepted", "partly_accepted")
        rows.append({"day": day, "code": code, **counts, "acceptance_rate": counts.pop("rate")})
        rows[-1].pop("rate", None)
    return rows


def _answers(found: Sequence[Row], given: str, partly: str) -> Row:
    asked = Counter(row["decision"] for row in found if row["asked_at"])
    yes = asked["accepted"] + asked["partly"]
    return {
        "asked": asked.total(), given: asked["accepted"], partly: asked["partly"],
        "declined": asked["declined"], "pending": asked["pending"],
        "unanswered": asked["unanswered"], "unasked": sum(row["asked_at"] is None for row in found),
        "rate": rate(yes, yes + asked["declined"]),
    }  # fmt: skip


def counterpart_activity(made: Recount) -> list[Row]:
    """Return the counts of each counterpart."""
    theirs = grouped(made.activities, lambda each: each.entity)
    rows = []
    for name in made.people:
        found: list[Activity] = theirs[name]
        stages = Counter(each.stage for each in found)
        touched = [
            moment
            for each in found
            for moment in (each.created, each.attended, each.completed)
            if moment
        ]
        rows.append(
            {
                "entity_id": name, "activities": len(found),
                "received": sum(each.bound == "IN" for each in found),
                "sent": sum(each.bound == "OUT" for each in found),
                **{stage: stages[stage] for stage in ("pending", "accepted", "declined", "canceled")},
                "first_contact_at": min((each.created for each in found), default=None),
                "last_contact_at": max(touched, default=None),
            }
        )  # fmt: skip
    return rows


def deprecated_counterparts(made: Recount) -> list[Row]:
    """Return the counts of each counterpart with its rate."""
    return [
        row
        | {
            **{
                name: made.people[row["entity_id"]][name]
                for name in ("unregistered", "type", "created_at")
            },
            "acceptance_rate": rate(row["accepted"], row["accepted"] + row["declined"]),
        }
        for row in counterpart_activity(made)
    ]


def percentiles(spans: list[timedelta], name: str) -> Row:
    """Return three percentiles of spans, between two spans in proportion; in hours, too."""
    row: Row = {}
    ordered = sorted(spans)
    for percent in (50, 90, 95):
        found = None
        if ordered:
            place = (len(ordered) - 1) * percent / 100
            low, high = ordered[int(place)], ordered[ceil(place)]
            found = low + (high - low) * (place - int(place))
        row[f"{name}_p{percent}"] = found
        row[f"{name}_hours_p{percent}"] = None if found is None else found / HOUR
    return row


def _by_month(made: Recount) -> Iterator[tuple[Row, list[Activity]]]:
    kinds = grouped(made.activities, lambda each: (each.month, each.type, each.bound))
    for key, found in kinds.items():
        yield dict(zip(("month", "type", "in_out_bound"), key, strict=True)), found


def decision_times(made: Recount) -> list[Row]:
    """Return how long answers and completion took."""
    rows = []
    for row, found in _by_month(made):
        answers = [each.attended - each.created for each in found if each.attended]
        ends = [(each.completed, each.attended, each.created) for each in found if each.completed]
        if answers or ends:
            rows.append(
                row
                | {"attended": len(answers), "completed": len(ends)}
                | percentiles(answers, "created_to_attended")
                | percentiles(
                    [end - since for end, since, _ in ends if since], "attended_to_completed"
                )
                | percentiles([end - since for end, _, since in ends], "created_to_completed")
            )
    return rows


def answer_times(made: Recount) -> list[Row]:
    """Return after how many hours activities were answered."""
    return [
        row | {"within_hours": hours, "answered": number}
        for row, found in _by_month(made)
        for hours, number in Counter(
            min(max(ceil((each.attended - each.created) / HOUR), 0), 8760)
            for each in found
            if each.attended
        ).items()
    ]


def hours_of_week(made: Recount) -> list[Row]:
    """Return when activities are created and answered by our clock."""
    rows = []
    for row, found in _by_month(made):
        created = Counter(_hour(made, each.created) for each in found)
        answered = Counter(_hour(made, each.attended) for each in found if each.attended)
        rows += [
            row
            | {"weekday": at[0], "hour": at[1], "created": created[at], "answered": answered[at]}
            for at in created | answered
        ]
    return rows


def _hour(made: Recount, moment: datetime) -> tuple[int, int]:
    local = moment.astimezone(made.zone)
    return local.isoweekday(), local.hour


def daily_status(made: Recount) -> list[Row]:
    """Return how many activities were in each status when each day ended."""
    lives = [
        [(at.astimezone(made.zone).date(), status) for at, status in life_of(each)]
        for each in made.activities
    ]
    moves: dict[Any, Counter[Any]] = defaultdict(Counter)
    for life in lives:
        for (day, status), before in zip(life, [None, *life], strict=False):
            moves[day][status] += 1
            if before:
                moves[day][before[1]] -= 1
    today = made.refreshed.astimezone(made.zone).date()
    # A status that activities only passed through within one day never enters the stock.
    ever = {status for found in moves.values() for status, change in found.items() if change > 0}
    rows, stock, day = [], Counter[Any](), min(moves)
    while day <= today:
        stock.update(moves[day])
        rows += [
            {"day": day, "status": status, "activities": stock[status]} for status in ever - {GONE}
        ]
        day += timedelta(days=1)
    return rows


GONE = "no longer offered"


def life_of(each: Activity) -> Iterator[tuple[datetime, str]]:
    """Give moment and status of each move of an activity, the present status last, then its end."""

    def ours(status: str) -> str:
        return {"IN": "ACTION_REQUIRED", "OUT": "SENT"}[each.bound] if status in PENDING else status

    events = [(at, place, status) for place, (status, at) in enumerate(each.timeline)]
    settled = (each.updated if each.fetched else None) or each.created
    told = [(at, ours(status)) for at, _, status in sorted(events)]
    told += [(settled, ours(each.status))] + ([(each.gone, GONE)] if each.gone else [])
    latest, status = told[0][0], None
    for at, entered in told:
        latest = max(latest, at)
        if entered != status:
            yield latest, entered
        status = entered


def authorization_outcomes(made: Recount) -> list[Row]:
    """Return what became of our requests."""
    known = {each.id: each for each in made.activities}
    rows = []
    for request, name in made.requests:
        each = known[name]
        theirs = [row for row in made.consents if row["activity_id"] == name and not row["is_item"]]
        readable = [row for row in theirs if row["readable_now"]]
        rows.append(
            {
                "request_id": request, "activity_id": name, "activity_status": each.status,
                "outcome": each.outcome, "final": each.status in FINAL,
                "sharing_ended": made.sharing_ended(each),
                "time_to_answer": each.attended and each.attended - each.created,
                "valid_until": each.valid_until, "attended_at": each.attended,
                "completed_at": each.completed,
                "time_to_completion": each.completed and each.completed - each.created,
                "hours_to_completion": each.completed and (each.completed - each.created) / HOUR,
                "hours_to_answer": each.attended and (each.attended - each.created) / HOUR,
                "requirements_asked": sum(row["asked_at"] is not None for row in theirs),
                "requirements_accepted": sum(row["valid_from"] is not None for row in theirs),
                "requirements_readable": len(readable),
                "readable_until": max(filter(None, (row["valid_to"] for row in readable)), default=None),
            }
        )  # fmt: skip
    return rows


VIEWS: dict[str, Callable[[Recount], list[Row]]] = {
    each.__name__: each
    for each in (
        activity_funnel, activity_stages, answer_times, authorization_outcomes, consents,
        counterpart_activity, daily_status, decision_times, deprecated_activities,
        deprecated_counterparts, expiring_shares, hours_of_week, item_outcomes, open_activities,
        requirement_answers, requirement_outcomes, shared_values,
    )
}  # fmt: skip
