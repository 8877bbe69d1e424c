"""Questions of an analyst who has read names and comments only, and their answers by a `Recount`.

The first twenty statements of `first_tries.sql` were written before anything else of the project was read.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.support.recount import FINAL, PENDING
from tests.support.recounted_facts import ends_at, is_shared
from tests.support.recounted_views import ANSWERED, GONE, HOUR, life_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    import psycopg

    from tests.support.recount import Activity, Recount, Row

Answer = list[tuple[Any, ...]]
DAY = timedelta(days=1)
LABELS = {
    "AT_001": "request details", "AT_002": "share details", "AT_003": "swap details",
    "AT_004": "authorization request", "AT_909": None,
}  # fmt: skip


@dataclass
class Past:
    """What is asked about: all that was told, and what no body says of it.

    ``evenings``: instants, statuses, and how many activities were in each then, for all we knew.
    ``unread``: activities whose details can't be read. ``day``: one that is over.
    """

    evenings: Answer = field(default_factory=list)
    unread: set[str] = field(default_factory=set)
    day: date = date.min


def counted(keys: Iterable[tuple[Any, ...]]) -> Answer:
    """Return each key with how often it came."""
    return [(*key, number) for key, number in Counter(keys).items()]


def tallied(found: Iterable[tuple[Any, bool]]) -> Answer:
    """Return each key with how often it came, and how often that was true."""
    by_key = defaultdict(list)
    for key, yes in found:
        by_key[key].append(yes)
    return [(key, len(each), sum(each)) for key, each in by_key.items()]


def means(found: Iterable[tuple[Any, Any]]) -> Answer:
    """Return each key with the mean of its numbers, or periods."""
    by_key = defaultdict(list)
    for key, number in found:
        by_key[key].append(number)
    return [(key, sum(each[1:], each[0]) / len(each)) for key, each in by_key.items()]


def month(day: date | None) -> date | None:
    """Return the first day of a month."""
    return day and day.replace(day=1)


def local(made: Recount, at: datetime | None) -> datetime | None:
    """Return an instant in the zone."""
    return at and at.astimezone(made.zone)


def asked(made: Recount) -> dict[str, list[Row]]:
    """Return what each activity asked for, as the register has it."""
    found = defaultdict(list)
    for row in made.consents:
        if row["asked_at"]:
            found[row["activity_id"]].append(row)
    return found


def received(made: Recount) -> list[Activity]:
    """Return what others sent us."""
    return [each for each in made.activities if each.bound == "IN"]


def by_entity(made: Recount) -> dict[str, list[Activity]]:
    """Return the activities with each counterpart."""
    found = defaultdict(list)
    for each in made.activities:
        if each.entity:
            found[each.entity].append(each)
    return found


def answered(activities: Iterable[Activity], outcome: str) -> int:
    """Return how many of ours they answered so."""
    return sum(each.answered_by == "them" and each.outcome == outcome for each in activities)


def items_of_accepted(made: Recount) -> tuple[Any, ...]:
    """Return how many items our accepted requests ask and get on average, of those that name any."""
    ours = [each for each in made.activities if each.bound == "OUT" and each.outcome == "accepted"]
    items = [
        [row for row in made.consents if row["activity_id"] == each.id and row["is_item"]]
        for each in ours
    ]
    named = [rows for rows in items if rows]
    asked = sum(row["asked_at"] is not None for rows in named for row in rows)
    given = sum(row["valid_from"] is not None for rows in named for row in rows)
    return asked / len(named), given / len(named)


def left_out(made: Recount) -> Answer:
    """Return the items that were asked and not given with a requirement that was given."""
    return counted(
        (item.code,)
        for each in made.activities
        for requirement in each.requirements
        for item in each.items_of(requirement)
        if each.outcome != "share" and requirement.decided("accepted")
        if not item.decided("accepted")
    )


def ended(made: Recount) -> list[Activity]:
    """Return the activities whose sharing is over."""
    return [each for each in made.activities if made.sharing_ended(each)]


def ended_in(made: Recount, each: Activity) -> date | None:
    """Return the month in which a sharing ended; None: nobody knows."""
    at = local(made, ends_at(made, each))
    return month(at.date()) if at else None


def moves(made: Recount) -> list[tuple[Activity, str, str, float]]:
    """Return each change from one status to another, with the hours before it."""
    return [
        (each, was, to, (then - at) / HOUR)
        for each in made.activities
        for (at, was), (then, to) in pairwise(life_of(each))
        if to != GONE
    ]


def stock(made: Recount, day: date) -> Answer:
    """Return how many were in each status when the day ended."""
    end = datetime.combine(day + DAY, time(), made.zone)
    past = [[status for at, status in life_of(each) if at < end] for each in made.activities]
    return counted((statuses[-1],) for statuses in past if statuses and statuses[-1] != GONE)


#: The answers as rows, by the words of `first_tries.sql`.
ANSWERS: dict[str, Callable[[Recount, Past], Answer]] = {
    "swaps begun by each side, and those in which something was shared": lambda made, _: tallied(
        (x.bound, is_shared(x)) for x in made.activities if x.type == "AT_003"
    ),
    "what became of the requests of each file": lambda made, _: counted(
        (file, x.outcome if x.outcome in ANSWERED else "linked")
        for _, name, file in made.requests
        for x in made.activities
        if x.id == name
    ),
    "received at night, and at weekends": lambda made, _: [
        (
            sum(not 6 <= x.created.astimezone(made.zone).hour < 22 for x in received(made)),
            sum(x.day.isoweekday() > 5 for x in received(made)),
        )
    ],
    "completed in each week": lambda made, _: counted(
        (at.date() - at.weekday() * DAY,)
        for x in made.activities
        if (at := local(made, x.completed))
    ),
    "requests of ours of which they accepted some and declined some": lambda made, _: [
        (
            sum(
                any(row["valid_from"] for row in rows if not row["is_item"])
                and any(row["decision"] == "declined" for row in rows if not row["is_item"])
                for rows in asked(made).values()
                if rows[0]["in_out_bound"] == "OUT"
            ),
        )
    ],
    "items asked and given in an accepted request": lambda made, _: [items_of_accepted(made)],
    "items left out where a requirement was accepted in part": lambda made, _: left_out(made),
    "what ended the sharing in each month": lambda made, _: counted(
        (ended_in(made, x), made.ended_by(x, made.refreshed)) for x in ended(made)
    ),
    "for how many days was shared what has ended, by type": lambda made, _: means(
        (LABELS[x.type], end - x.shared_from)
        for x in ended(made)
        if x.shared_from and (end := ends_at(made, x))
    ),
    "of whom can we read something now": lambda made, _: counted(
        (made.people[name]["type"],)
        for name in {
            row["entity_id"]
            for row in made.consents
            if row["readable_now"] and row["direction"] in ("to us", "both ways")
        }
    ),
    "counterparts met in each month, and those that accepted something since": lambda made, _: (
        tallied(
            (month(min(x.day for x in each)), answered(each, "accepted") > 0)
            for each in by_entity(made).values()
        )
    ),
    "who declined and never accepted": lambda made, _: [
        (name,)
        for name, each in by_entity(made).items()
        if answered(each, "declined") and not answered(each, "accepted")
    ],
    "hours from acceptance to completion": lambda made, _: [
        row[1:]
        for row in means(
            (0, hours)
            for _, was, to, hours in moves(made)
            if (was, to) == ("ACCEPTED", "COMPLETED")
        )
    ],
    "came back to life after a final status": lambda made, _: counted(
        (was,)
        for _, was in {
            (x.id, was)
            for x, was, to, _ in moves(made)
            if was in FINAL and to in PENDING | {"ACCEPTED"}
        }
    ),
    "items given to us without being asked for": lambda made, _: counted(
        (row["item_code"],)
        for row in made.consents
        if row["is_item"] and row["valid_from"] and not row["asked_at"]
        if row["direction"] == "to us"
    ),
    "what part of what the service lists do we have": lambda made, past: means(
        (x.month, float(x.id not in past.unread)) for x in made.activities if not x.gone
    ),
    "how many were in each status at the end of a day": lambda made, past: stock(made, past.day),
    "how many did we believe to be in each status on each evening": lambda _, past: list(
        past.evenings
    ),
    "activities and gifts of people who asked to be erased": lambda made, _: [
        (
            sum(made.people[x.entity]["erased"] is not None for x in made.activities if x.entity),
            sum(
                made.people[row["entity_id"]]["erased"] is not None
                for row in made.consents
                if row["entity_id"] and row["valid_from"] and not row["is_item"]
            ),
        )
    ],
    "are longer messages accepted more often": lambda made, _: means(
        (x.outcome, len(text))
        for x in made.activities
        if x.bound == "OUT" and (text := x.body.get("description"))
    ),
    "how many sharings go on": lambda made, _: counted(
        (x.type,) for x in made.activities if is_shared(x) and not made.sharing_ended(x)
    ),
    "how many hours an answer, or the end of the wait, took": lambda made, _: means(
        (x.bound, hours) for x, was, _, hours in moves(made) if was in PENDING
    ),
    "whose time to answer is over soon": lambda made, _: counted(
        (x.bound,)
        for x in made.activities
        if x.stage == "pending" and x.valid_until and x.valid_until < made.now + 2 * DAY
    ),
}


def _plain(rows: Answer) -> set[tuple[Any, ...]]:
    """Return rows that can be compared: rounded numbers, periods in days."""

    def plain(value: Any) -> Any:
        if isinstance(value, timedelta):
            value /= DAY
        return round(float(value), 3) if isinstance(value, int | float | Decimal) else value

    return {tuple(map(plain, row)) for row in rows}


def wrong_answers(session: psycopg.Cursor[Any], made: Recount, past: Past) -> dict[str, Any]:
    """Return the questions whose statement does not answer what was recounted."""
    session.execute("set local search_path = analytics; set local time zone 'Asia/Tokyo'")
    evenings = ",".join({f'"{at}"' for at, *_ in past.evenings})
    wrong, empty = {}, []
    tries = Path(__file__).with_suffix(".sql").read_text(encoding="utf-8").strip().split("\n\n")
    for statement in tries:
        words = statement.partition("\n")[0].removeprefix("-- ")
        asking = statement.format(day=past.day, evenings=evenings).encode()
        found = _plain(session.execute(asking).fetchall())
        right = _plain(ANSWERS[words](made, past))
        empty += [] if right else [words]
        if found != right:
            wrong[words] = {"only SQL": found - right, "only recounted": right - found}
    assert len(tries) == len(ANSWERS)
    assert len(empty) < 3, empty
    return wrong
