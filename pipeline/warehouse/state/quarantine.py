"""The quarantine: responses that could not be fetched or stored, and when each is tried again.

Implements docs/design.md "Quarantine" and docs/warehouse.md 9. An entry of ``sync.quarantine`` is
about one subject (an activity, or a list row without an id) from one source (list or details). There
is at most one unresolved entry for each:

=========  =====================================================  ==============================
state      columns                                                a run
=========  =====================================================  ==============================
due        ``resolved_at`` is null, ``next_attempt_at`` is past   tries again
waiting    ``resolved_at`` is null, ``next_attempt_at`` is later  leaves it, unless run with --full
resolved   ``resolved_at`` is set                                 opens a new entry if it fails
=========  =====================================================  ==============================

=============================  =================  ==============================================
transition                     by                 from state to
=============================  =================  ==============================================
first failure                  `record`           none to due
second failure                 `record`           due to due
third failure and later ones   `record`           due to waiting: one day, doubled up to a week
time passes                                       waiting to due
`pipeline quarantine retry`    `make_due`         waiting to due
stored, or found gone          `resolve`          due or waiting to resolved
no longer in a proven list     proven.sql         due or waiting to resolved; list rows only
=============================  =================  ==============================================
"""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import date, datetime
from typing import Any

import sqlalchemy as sa
from psycopg.rows import args_row, class_row, dict_row, scalar_row, tuple_row

from pipeline.warehouse.database.engine import Rows, Session, execute, fetch, fetch_one
from pipeline.warehouse.database.sql import statement
from pipeline.warehouse.state.rows import Failure

#: What is shown of an entry.
_COLUMNS = (
    "id, activity_id, source, subject, reason, attempts, first_seen_at, last_seen_at,"
    " next_attempt_at, accepted_at, accepted_by, accepted_because, resolved_at"
)
_OPEN = "from sync.quarantine where resolved_at is null"
#: No pause is longer than a week: a later time comes from a wrong clock.
_WAITS = "next_attempt_at between now() and now() + interval '7 days'"
#: Reasons name ids and numbers, which differ.
_ALIKE = "regexp_replace(reason, '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9]+', '', 'g')"
_DUE = "sync.quarantine set next_attempt_at = now() where resolved_at is null"


@dataclass(frozen=True)
class Unresolved:
    """An unresolved entry. ``waits``: whether its next attempt is later."""

    source: str
    subject: str
    day: date | None
    waits: bool
    accepted: bool


def unresolved(engine: sa.Engine) -> list[Unresolved]:
    """Return all unresolved entries."""
    query = f"select source, subject, day, {_WAITS} as waits, accepted_at is not null as accepted {_OPEN}"
    return fetch(engine, class_row(Unresolved), query)


def record(session: Session, failures: Iterable[Failure]) -> None:
    """Open an entry for each failure, or count an attempt of the unresolved one."""
    # One by one: two failures of a batch can be about the same subject.
    for failure in failures:
        session.execute(statement("load/quarantine"), asdict(failure))


def make_due_again(session: Session, ids: Sequence[str]) -> None:
    """Let the next look at ``sync.todo`` try these activities: their row of the list has changed."""
    if ids:
        session.execute(f"update {_DUE} and subject = any(%s)", (list(ids),))


def resolve(session: Session, received: Sequence[tuple[str, str, datetime]]) -> list[str]:
    """Resolve the entries of what was received after it last failed; return their subjects.

    ``received``: source, subject and when.
    """
    # Nearly always there is no entry, and then this look is all that a load pays.
    if not received or session.execute(f"select {_OPEN} limit 1").fetchone() is None:
        return []
    columns = map(list, zip(*received, strict=True))
    parameters = dict(zip(("sources", "subjects", "times"), columns, strict=True))
    found = session.execute(statement("load/quarantine_resolved"), parameters)
    return [name for (name,) in found]


def open_entries(engine: sa.Engine, limit: int = 1000) -> Rows:
    """Return the unresolved entries without their payloads, oldest first."""
    query = f"select {_COLUMNS} {_OPEN} order by id limit %s"
    return fetch(engine, dict_row, query, (limit,))


def count_open(engine: sa.Engine) -> int:
    """Return how many entries are unresolved, and not accepted."""
    return fetch_one(engine, args_row(int), f"select count(*) {_OPEN} and accepted_at is null")


def commonest(engine: sa.Engine) -> str | None:
    """Return how many entries are open and not accepted, with the commonest reasons; None: none is."""
    query = (
        f"select count(*), min(reason) {_OPEN} and accepted_at is null"
        f" group by source, {_ALIKE} order by 1 desc, 2"
    )
    found = fetch(engine, tuple_row, query)
    told = [f"{number} times {reason}" if number > 1 else reason for number, reason in found[:3]]
    return (
        f"{sum(number for number, _ in found)} in quarantine: {', '.join(told)}" if told else None
    )


def are_many(engine: sa.Engine) -> bool:
    """Whether more than 20 activities and 5 % of all, or of the newest days run, are in quarantine.

    Then one cause is likely, and it is an error. What is accepted does not count.
    """
    return fetch_one(engine, args_row(bool), statement("load/quarantine_many"))


def accept(engine: sa.Engine, numbers: Sequence[int], who: str, why: str) -> int:
    """Accept unresolved entries: they are shown, and alarm nobody; return how many there are."""
    query = (
        "update sync.quarantine set accepted_at = now(), accepted_by = %s, accepted_because = %s"
        " where resolved_at is null and id = any(%s)"
    )
    return execute(engine, query, (who, why, list(numbers)))


def take_back(engine: sa.Engine, numbers: Sequence[int]) -> int:
    """Let accepted entries alarm again; return how many there are."""
    query = (
        "update sync.quarantine set accepted_at = null, accepted_by = null, accepted_because = null"
        " where resolved_at is null and accepted_at is not null and id = any(%s)"
    )
    return execute(engine, query, (list(numbers),))


def all_like(engine: sa.Engine, number: int) -> list[int]:
    """Return the unresolved entries with the same problem as one, itself included."""
    query = (
        f"select id {_OPEN} and (source, {_ALIKE}) ="
        f" (select source, {_ALIKE} from sync.quarantine where id = %s) order by id"
    )
    return fetch(engine, scalar_row, query, (number,))


def find(engine: sa.Engine, number: int) -> dict[str, Any] | None:
    """Return the entry with that number, with its ``payload``, or None."""
    query = f"select {_COLUMNS}, payload from sync.quarantine where id = %s"
    return next(iter(fetch(engine, dict_row, query, (number,))), None)


def make_due(engine: sa.Engine, numbers: list[int] | None) -> int:
    """Let the next run try these unresolved entries (None: all) again; return how many there are."""
    return execute(
        engine,
        f"update {_DUE} and (%(ids)s::bigint[] is null or id = any(%(ids)s))",
        {"ids": numbers},
    )
