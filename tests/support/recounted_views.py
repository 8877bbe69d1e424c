"""Each view of analytics as `Recount` says it must be, row by row; labels are left out."""

from __future__ import annotations

from collections import Counter, defaultdict
from datetime import datetime, timedelta
from math import ceil
from typing import TYPE_CHECKING, Any

from tests.support.recount import FINAL, PENDING, Recount, Row

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from tests.support.recount import Activity

HOUR = timedelta(hours=1)
ANSWERED = ("accepted", "declined", "canceled")


def consents(made: Recount) -> list[Row]:
    """Return the register."""
    return [{name: value for name, value in row.items() if name[0] != "_"} for row in made.consents]


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
                "valid_until": each.valid_until if pending else None, "time_left": left,
                "is_overdue": left is not None and left <= timedelta(0),
                "details_fetched_at": each.fetched, "hours_left": None if left is None else left / HOUR,
            }
        )  # fmt: skip
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
    settled = each.expired or (each.updated if each.fetched else None) or each.created
    told = [(at, ours(status)) for at, _, status in sorted(events)]
    told += [(settled, ours(each.status))] + ([(each.gone, GONE)] if each.gone else [])
    latest, status = told[0][0], None
    for at, entered in told:
        latest = max(latest, at)
        if entered != status:
            yield latest, entered
        status = entered


def requirement_consents(made: Recount) -> list[Row]:
    """Return the register of requirements."""
    return [row for row in consents(made) if not row["is_item"]]


def item_consents(made: Recount) -> list[Row]:
    """Return the register of items."""
    return [row for row in consents(made) if row["is_item"]]


def authorization_outcomes(made: Recount) -> list[Row]:
    """Return what became of our requests."""
    known = {each.id: each for each in made.activities}
    rows = []
    for request, name, source in made.requests:
        each = known[name]
        theirs = [row for row in made.consents if row["activity_id"] == name and not row["is_item"]]
        readable = [row for row in theirs if row["readable_now"]]
        rows.append(
            {
                "request_id": request, "source": source, "activity_id": name,
                "activity_status": each.status, "outcome": each.outcome, "is_final": each.status in FINAL,
                "result": each.outcome if each.outcome in ANSWERED else "linked",
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
        authorization_outcomes, consents, daily_status, item_consents, open_activities,
        requirement_consents, shared_values,
    )
}  # fmt: skip
