"""The authorization requests of ``warehouse.authorization_requests`` and their states.

A request asks one person for data by one call (docs/service.md 4.2). Its states, and what takes it from
one to the next, are the table in docs/authorizations.md "States". The trigger ``guard`` refuses every other
change.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

import msgspec
import sqlalchemy as sa
from psycopg.rows import args_row, class_row, dict_row, tuple_row
from psycopg.types.json import Jsonb

from pipeline.warehouse.database.engine import Session, fetch, fetch_one, in_transaction
from pipeline.warehouse.database.sql import statement
from pipeline.warehouse.state.service_facts import learn, learn_database, value_of

STATES = ("queued", "sending", "sent", "linked", "rejected", "unknown", "failed")

OPEN = ("sent", "unknown")

REPEAT_DAYS = "repeat_days"
"""The fact that tells the database within how many days nobody is asked again; 0: people may be."""

UNCONFIRMED = "restore_unconfirmed"
"""The fact that the warehouse was restored, and nobody has confirmed that requests can be sent."""

#: A call that was answered counts as unclear when the list does not show its activity for so long.
_FOUND_WITHIN = timedelta(hours=1)

RESOLUTIONS = {
    "linked": ("sent", "unknown"),
    "queued": ("sent", "unknown", "rejected", "failed"),
    "failed": ("queued", "sent", "unknown"),
}
"""What a person can decide: the new state, and the states in which it is possible."""


@dataclass(frozen=True, repr=False)
class Row:
    """One row of ``warehouse.authorization_requests``. It has no repr, which would be personal."""

    id: str
    reference: str | None
    description: str
    phone_country_code: str
    phone_number: str
    validity_time_unit: str | None
    validity_amount: Decimal | None
    requirements: Any
    state: str
    state_reason: str | None
    requested_at: datetime
    sent_at: datetime | None
    answered_at: datetime | None
    activity_id: str | None
    attempts: int
    candidates: list[dict[str, str]]
    next_look_at: datetime | None
    source: str | None
    digest: bytes | None
    counterpart_id: str | None
    resolved_from: str | None
    message_reference: str | None
    subscriber: str | None
    more_activity_ids: list[str]

    @property
    def called_at(self) -> datetime:
        """When its last call began; of one without a call, when it was queued."""
        return self.sent_at or self.requested_at


#: UUIDs are texts here.
_TEXTS = {"id": "::text", "activity_id": "::text", "more_activity_ids": "::text[]"}
_COLUMNS = ", ".join(f"{field.name}{_TEXTS.get(field.name, '')}" for field in fields(Row))

_CONDITIONS = {
    "ids": "id = any(%(ids)s::uuid[])",
    # The one with this reference, or with an id that begins so.
    "name": "reference = %(name)s or starts_with(id::text, lower(%(name)s))",
    # Those of a file: by their own names, or without one by their content.
    "keys": "reference = any(%(references)s) or (reference is null and digest = any(%(digests)s))",
    "activities": """activity_id = any(%(activities)s::uuid[])
        or more_activity_ids <> '{}' and more_activity_ids && %(activities)s::uuid[]""",
    "message_references": "message_reference = any(%(references)s)",
    "states": "state = any(%(states)s)",
    "newest": """id in (
        select id from warehouse.authorization_requests where state = any(%(states)s)
        order by requested_at desc, id desc limit %(most)s)""",
    # To send: all that are queued (only: null) or some, but for those that were refused in this run.
    "to_send": """id in (
        select id from warehouse.authorization_requests
        where state = 'queued' and (%(only)s::uuid[] is null or id = any(%(only)s::uuid[]))
            and id <> all(%(refused)s::uuid[])
        order by requested_at, id limit %(limit)s)""",
    "created_since": "state = 'sent' and sent_at >= %(since)s",
    "last_called": "sent_at = (select max(sent_at) from warehouse.authorization_requests)",
    # To look for: recent calls always, older ones now and then. With those that a person gave up or queued
    # again, though an earlier call may have had an effect.
    "to_settle": """state in ('sent', 'unknown')
            and (%(all)s or sent_at > %(now)s::timestamptz - interval '3 days' or next_look_at <= %(now)s)
        or state = 'failed' and resolved_from is not null
            and sent_at > %(now)s::timestamptz - interval '3 days'
        or state = 'queued' and attempts > 0""",
    # Written by other systems: without a reference, or with a number that nobody has read.
    "to_take_in": """phone_number <> ''
        and (subscriber is null or state = 'queued' and message_reference is null)""",
}
"""Which requests `find` returns, and by which parameters."""


def find(engine: sa.Engine, which: str, **parameters: Any) -> list[Row]:
    """Return the rows of one of `_CONDITIONS`, in the order of their calls, then of their queueing."""
    query = (
        f"select {_COLUMNS} from warehouse.authorization_requests where {_CONDITIONS[which]}"
        " order by coalesce(sent_at, requested_at), requested_at, id"
    )
    return fetch(engine, class_row(Row), query, parameters)


def change_state(
    session: Session, row: Row, state: str, reason: str | None = None, **more: Any
) -> bool:
    """Take a request on to ``state``, or keep an open one in its state. ``more``: other columns of it.

    ``now``: the service's time of a call that begins or ends, or of the creation of what is linked.
    ``candidates``, ``look_in``: of an open request, what may be its activity, and how long until the next
    look for it (unsaid: at once). ``activity_id``, ``counterpart_id``: of a linked request, its activity
    and whose it is. ``resolved_from``: the open state that a person ends, to which the decision can be
    taken back.

    Returns False, and changes nothing, when the request has left the state of ``row`` or when another
    request is linked to the activity.
    """
    given = {"id": row.id, "before": row.state, "state": state, "reason": reason}
    columns = Jsonb(more, dumps=msgspec.json.encode)
    # The statement compares the state again, so two who decide at once cannot both win.
    query = statement("authorizations/change_state")
    return session.execute(query, {**given, "more": columns}).rowcount == 1


def link_more(session: Session, row: Row, activities: Sequence[str]) -> None:
    """Store further activities of a linked request."""
    given = {"id": row.id, "activities": list(activities)}
    session.execute(statement("authorizations/link_more"), given)


def store_taken_in(
    session: Session, row: Row, number: str, subscriber: str, reference: str | None
) -> None:
    """Store the number of a row in E.164, whom it reaches, and the reference of its message.

    A queued request fails if the data of its person were erased, or if it was asked lately.
    """
    given = {"id": row.id, "number": number, "subscriber": subscriber, "reference": reference}
    session.execute(statement("authorizations/take_in"), given)


def find_labels(engine: sa.Engine) -> dict[tuple[str, str], str]:
    """Return the labels of codes that requests and activities hold, by kind and code."""
    query = (
        "select kind, code, label from analytics.codes"
        " where kind in ('requirement', 'item', 'time_unit', 'activity_type')"
    )
    return {(kind, code): label for kind, code, label in fetch(engine, tuple_row, query)}


def find_people(
    engine: sa.Engine, people: Mapping[str, str], days: int
) -> tuple[set[str], set[str]]:
    """Return which subscribers were asked within ``days``, and whose data were erased.

    ``people``: the number of each subscriber as it is sent.
    """
    given = {"subscribers": list(people), "numbers": list(people.values()), "days": days}
    found = fetch(engine, tuple_row, statement("authorizations/people"), given)
    return {name for name, asked, _ in found if asked}, {name for name, _, gone in found if gone}


def find_results(
    engine: sa.Engine, lines: Sequence[Mapping[str, object]] | None
) -> list[dict[str, Any]]:
    """Return what became of the lines of a file, None for all requests (sql/authorizations/results.sql)."""
    given = {"lines": None if lines is None else Jsonb(lines)}
    return fetch(engine, dict_row, statement("authorizations/results"), given)


def add(
    engine: sa.Engine, requests: Sequence[Mapping[str, Any]], repeat_days: int, *, skip: bool
) -> tuple[int, dict[str, str]]:
    """Queue requests; return how many were new, and why others were refused.

    ``requests``: the business columns, ``source``, ``subscriber``, ``message_reference``, and ``digest`` in
    hexadecimal.
    ``repeat_days``: nobody is asked again within so many days. The reasons are by reference, or digest in
    hexadecimal. If there are any, nothing is queued, unless those can be ``skip``-ped.
    """

    def work(session: Session) -> tuple[int, dict[str, str]]:
        given = {"requests": Jsonb(requests, dumps=msgspec.json.encode)}
        rows = session.execute(statement("authorizations/add"), given).fetchall()
        reasons = {key: why for _, key, state, why in rows if state == "failed"}
        removed = [name for name, key, *_ in rows if key in reasons or (reasons and not skip)]
        delete = "delete from warehouse.authorization_requests where id = any(%s::uuid[])"
        session.execute(delete, (removed,))
        return len(rows) - len(removed), reasons

    learn(engine, REPEAT_DAYS, str(repeat_days))
    return in_transaction(engine, work)


def reference_key(engine: sa.Engine) -> bytes:
    """Return the warehouse's key, from which references are made."""
    return fetch_one(engine, args_row(bytes), "select phone_key from sync.privacy")


def detect_restore(engine: sa.Engine) -> bool:
    """Return whether nothing can be sent after a restore, also if nothing has noticed the restore yet."""
    learn_database(engine)
    return value_of(engine, UNCONFIRMED) is not None


def count_by_state(engine: sa.Engine, answered_before: datetime | None = None) -> dict[str, int]:
    """Return the number of requests in each state; with an instant, of those answered before it."""
    query = (
        "select state, count(*) from warehouse.authorization_requests"
        " where %(before)s::timestamptz is null or answered_at < %(before)s group by state"
    )
    found = fetch(engine, tuple_row, query, {"before": answered_before})
    return dict.fromkeys(STATES, 0) | dict(found)


def count_answered(engine: sa.Engine, since: datetime, besides: Sequence[str]) -> tuple[int, int]:
    """Return how many calls since an instant were answered 201, and how many of them the list has shown.

    ``besides``: ids of requests that do not count. A call that was linked by a person does not, either.
    """
    query = (
        "select count(*), count(*) filter (where state = 'linked')"
        " from warehouse.authorization_requests where sent_at >= %(since)s"
        " and (state = 'sent' or state = 'linked' and state_reason is null)"
        " and id <> all(%(besides)s::uuid[])"
    )
    return fetch_one(engine, tuple_row, query, {"since": since, "besides": list(besides)})


def name_unclear(engine: sa.Engine, now: datetime) -> list[str]:
    """Return one line if calls are open that only a person may be able to end, with how long they are."""
    ended = [
        row.answered_at or row.called_at
        for row in find(engine, "states", states=[*OPEN])
        if row.state == "unknown" or now - row.called_at > _FOUND_WITHIN
    ]
    if not ended:
        return []
    hours = max(0, round((now - min(ended)).total_seconds() / 3600))
    return [
        f"{len(ended)} authorization calls are unclear, the oldest for {hours} h: `pipeline authorize"
        " list` shows them, and `pipeline authorize resolve` ends those that no run links"
    ]


def count_waiting(
    engine: sa.Engine, now: datetime, zone: str, only: Sequence[str] | None = None
) -> tuple[int, int, int]:
    """Return how many requests can be sent, how many need settling now, and the calls of this day so far.

    ``zone``: that of the day. ``only``: ids of the requests that may be sent, None for all. Requests in
    ``sending`` need settling: the process that sent them may have died. Calls that certainly had no effect
    do not count.
    """
    given = {"now": now, "zone": zone, "only": only}
    return fetch_one(engine, tuple_row, statement("authorizations/waiting"), given)


def resolve_request(engine: sa.Engine, row: Row, state: str, **activity: str | None) -> bool:
    """Carry out a person's decision; return False as `change_state` does.

    ``state``: one of `RESOLUTIONS`; or the open state that an earlier decision ended, to take it back.
    ``activity``: ``activity_id`` and ``counterpart_id`` of a link.
    """
    reason = f"decided by a person; was {row.state}"
    reason += f": {row.state_reason}" if row.state_reason else ""
    more: dict[str, Any] = dict(activity)
    if state in OPEN:
        reason = "a person took a decision back"
    elif state != "queued" and row.state in OPEN:
        more["resolved_from"] = row.state
    return in_transaction(engine, lambda session: change_state(session, row, state, reason, **more))
