"""The authorization requests of ``warehouse.authorization_requests`` and their states.

A request asks one person for data by one call (docs/service.md 4.2). Its states, and what takes it from
one to the next, are the table in docs/authorizations.md "States". The trigger ``guard`` refuses every other
change. The statements of the one process that sends are in
`pipeline.warehouse.authorization_sender`.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from decimal import Decimal
from typing import Any

import msgspec
import psycopg
import sqlalchemy as sa
from psycopg.rows import class_row, dict_row, tuple_row
from psycopg.types.json import Jsonb
from psycopg.types.string import TextLoader

from pipeline.warehouse.engine import execute, fetch, in_transaction
from pipeline.warehouse.service_facts import learn_database
from pipeline.warehouse.sql import statement

STATES = ("queued", "sending", "sent", "linked", "rejected", "unknown", "failed")

_OPEN = ("sent", "unknown")

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


_COLUMNS = ", ".join(field.name for field in fields(Row))


def read_rows(session: psycopg.Connection[Any], condition: str, **parameters: Any) -> list[Row]:
    """Return the rows that meet a condition, in the order of their calls, then of their queueing."""
    query = (
        f"select {_COLUMNS} from warehouse.authorization_requests"
        f" where {condition} order by coalesce(sent_at, requested_at), requested_at, id"
    )
    with session.cursor(row_factory=class_row(Row)) as cursor:
        cursor.adapters.register_loader("uuid", TextLoader)
        return cursor.execute(query.encode(), parameters).fetchall()


def change_state(
    session: psycopg.Connection[Any], row: Row, state: str, reason: str | None = None, **more: Any
) -> bool:
    """Take a request on to ``state``, or keep an open one in its state. ``more``: other columns of it.

    ``now``: the service's time of a call that begins or ends, or of the creation of what is linked.
    ``candidates``, ``look_in``: of an open request, what may be its activity, and how long until the next
    look for it (None: never; unsaid: at once). ``activity_id``, ``counterpart_id``: of a linked request,
    its activity and whose it is. ``resolved_from``: the open state that a
    person ends, to which the decision can be taken back. ``attempts``: the new count of calls.

    Returns False, and changes nothing, when the request has left the state of ``row`` or when another
    request is linked to the activity.
    """
    given = {"id": row.id, "before": row.state, "state": state, "reason": reason}
    columns = Jsonb(more, dumps=msgspec.json.encode)
    # The statement compares the state again, so two who decide at once cannot both win.
    query = statement("authorizations/change_state")
    return session.execute(query, {**given, "more": columns}).rowcount == 1


def find_labels(engine: sa.Engine) -> set[tuple[str, str]]:
    """Return the codes of ``analytics.codes`` that requests and activities hold: ``(kind, code)``.

    The kind is ``other_activity_type`` for types of activities that are no authorizations.
    """
    query = (
        "select case when kind = 'activity_type' and label not like '%authorization%' then 'other_' else ''"
        " end || kind, code from analytics.codes"
        " where kind in ('requirement', 'item', 'time_unit', 'activity_type')"
    )
    return set(fetch(engine, tuple_row, query))


def find_known(engine: sa.Engine, keys: Collection[str | bytes]) -> list[Row]:
    """Return the rows with one of these references, or without one and with one of these digests."""
    condition = (
        "reference = any(%(references)s) or (reference is null and digest = any(%(digests)s))"
    )
    references = [key for key in keys if isinstance(key, str)]
    digests = [key for key in keys if isinstance(key, bytes)]
    return _rows(engine, condition, references=references, digests=digests)


def find_people(
    engine: sa.Engine, numbers: Collection[str], days: int
) -> tuple[set[str], set[str]]:
    """Return which of these numbers, in E.164, were asked within ``days``, and whose data were erased."""
    given = {"numbers": list(numbers), "days": days}
    found = fetch(engine, tuple_row, statement("authorizations/people"), given)
    return {name for name, asked, _ in found if asked}, {name for name, _, gone in found if gone}


def find_results(
    engine: sa.Engine, lines: Sequence[Mapping[str, object]] | None
) -> list[dict[str, Any]]:
    """Return what became of the lines of a file, None for all requests (sql/authorizations/results.sql)."""
    given = {"lines": None if lines is None else Jsonb(lines)}
    return fetch(engine, dict_row, statement("authorizations/results"), given)


class Refused(Exception):
    """New requests ask people who were asked lately: ``reasons`` by reference or digest in hexadecimal."""

    def __init__(self, reasons: dict[str, str]) -> None:
        super().__init__(f"{len(reasons)} people were asked lately")
        self.reasons = reasons


def add(
    engine: sa.Engine, requests: Sequence[Mapping[str, Any]], repeat_days: int, *, skip: bool
) -> tuple[int, dict[str, str]]:
    """Queue requests; return how many were new, and which were refused, as `Refused` names them.

    ``requests``: the business columns, ``source``, ``message_reference``, and ``digest`` in hexadecimal.
    ``repeat_days``: nobody is asked again within so many days. Raises `Refused`, and queues none, unless
    those can be ``skip``-ped.
    """

    def work(session: psycopg.Connection[Any]) -> tuple[int, dict[str, str]]:
        set_repeat_days(session, repeat_days)
        added = session.execute(statement("authorizations/add"), {"requests": Jsonb(requests)})
        rows = added.fetchall()
        failed = {name: (key, why) for name, key, state, why in rows if state == "failed"}
        reasons = dict(failed.values())
        if reasons and not skip:
            raise Refused(reasons)
        delete = "delete from warehouse.authorization_requests where id = any(%s::uuid[])"
        session.execute(delete, (list(failed),))
        return len(rows) - len(failed), reasons

    return in_transaction(engine, work)


def set_repeat_days(session: psycopg.Connection[Any], days: int) -> None:
    """Tell the database within how many days nobody is asked again; 0: people may be."""
    fact = {"fact": "repeat_days", "value": str(days)}
    session.execute(statement("load/learn_fact"), fact)


def reference_key(engine: sa.Engine) -> bytes:
    """Return the warehouse's key, from which references are made."""
    ((key,),) = fetch(engine, tuple_row, "select phone_key from sync.privacy")
    return bytes(key)


def find_taken(engine: sa.Engine, names: Collection[str]) -> dict[str, bool]:
    """Return the references of messages that can't be given, and whether a request has them."""
    query = statement("authorizations/taken")
    return dict(fetch(engine, tuple_row, query, {"names": list(names)}))


def find_spelled(engine: sa.Engine) -> list[Row]:
    """Return the rows of other systems whose numbers are not in E.164 yet."""
    return _rows(engine, "phone_number not like '+%%' and phone_number <> ''")


def is_restored(engine: sa.Engine) -> bool:
    """Return whether the warehouse was restored, and nobody has confirmed that requests can be sent."""
    query = "select true from sync.service_facts where fact = 'restore_unconfirmed'"
    return bool(fetch(engine, tuple_row, query))


def detect_restore(engine: sa.Engine) -> bool:
    """Return whether requests wait for `confirm_restore`, also if nothing has noticed the restore yet."""
    learn_database(engine)
    return is_restored(engine)


def confirm_restore(engine: sa.Engine) -> None:
    """Let requests be sent again after a restore."""
    execute(engine, "delete from sync.service_facts where fact = 'restore_unconfirmed'")


def count_by_state(engine: sa.Engine, answered_before: datetime | None = None) -> dict[str, int]:
    """Return the number of requests in each state; with an instant, of those answered before it."""
    query = (
        "select state, count(*) from warehouse.authorization_requests"
        " where %(before)s::timestamptz is null or answered_at < %(before)s group by state"
    )
    found = fetch(engine, tuple_row, query, {"before": answered_before})
    return dict.fromkeys(STATES, 0) | dict(found)


def count_waiting(
    engine: sa.Engine, now: datetime, zone: str, only: Sequence[str] | None = None
) -> tuple[int, int, int]:
    """Return how many requests can be sent, how many need settling now, and the calls of this day so far.

    ``zone``: that of the day. ``only``: ids of the requests that may be sent, None for all. Requests in
    ``sending`` need settling: the process that sent them may have died. Calls that certainly had no effect
    do not count.
    """
    given = {"now": now, "zone": zone, "only": only}
    (counts,) = fetch(engine, tuple_row, statement("authorizations/waiting"), given)
    return counts


def find_in_states(
    engine: sa.Engine, states: Sequence[str], newest: int | None = None
) -> list[Row]:
    """Return the requests in these states, oldest first; with ``newest`` only so many."""
    condition = (
        "id in (select id from warehouse.authorization_requests where state = any(%(states)s)"
        " order by requested_at desc, id desc limit %(newest)s)"
    )
    return _rows(engine, condition, states=list(states), newest=newest)


def find_by_name(engine: sa.Engine, name: str) -> list[Row]:
    """Return the requests with the reference ``name``, or with an id that begins with it."""
    condition = "reference = %(name)s or starts_with(id::text, lower(%(name)s))"
    return _rows(engine, condition, name=name)


def find_by_activity(engine: sa.Engine, activity_id: str) -> list[Row]:
    """Return the request that is linked to an activity, if there is one."""
    return _rows(engine, "activity_id = %(activity_id)s::uuid", activity_id=activity_id)


def resolve_request(engine: sa.Engine, row: Row, state: str, **activity: str | None) -> bool:
    """Carry out a person's decision; return False as `change_state` does.

    ``state``: one of `RESOLUTIONS`; or the open state that an earlier decision ended, to take it back.
    ``activity``: ``activity_id`` and ``counterpart_id`` of a link. A request that a person queues again has
    all its calls again.
    """
    reason = f"decided by a person; was {row.state}"
    reason += f": {row.state_reason}" if row.state_reason else ""
    more: dict[str, Any] = dict(activity)
    if state in _OPEN:
        reason = "a person took a decision back"
    elif state == "queued":
        # The limit of calls protects against a service that never answers, not against a person.
        more["attempts"] = 0
    elif row.state in _OPEN:
        more["resolved_from"] = row.state
    return in_transaction(engine, lambda session: change_state(session, row, state, reason, **more))


def _rows(engine: sa.Engine, condition: str, **parameters: Any) -> list[Row]:
    return in_transaction(engine, lambda session: read_rows(session, condition, **parameters))
