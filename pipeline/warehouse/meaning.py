"""Whether a response means the same as the stored one, although its bytes differ.

Implements docs/design.md "Meaning". The order of names, spaces and the spelling of numbers mean nothing,
nor does a *volatile* field: one that changes with each answer. Volatile fields are found out by
observation and kept in ``sync.volatile_fields``. Only these can be volatile: a field that the
interface does not name, and the part of an address behind ``?`` or ``#``.
"""

import json
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any, TypeAlias

from pipeline.warehouse.engine import Session
from pipeline.warehouse.ledger import LedgerRow
from pipeline.warehouse.rows import ListObservation, Observation, Outcome
from pipeline.warehouse.sql import id_array, statement

ABSENT = object()
"""Stands in a `Difference` for a field that one of the two bodies does not have."""

Difference: TypeAlias = tuple[tuple[str, ...], Any, Any]
"""The path to a value (``[]`` for any element of an array), the value before and the value after."""

#: Activities or counterparts of a batch, in which a field must be the only difference before it counts as
#: volatile.
_ENOUGH = 3
_LANDING = {"list": "landing.activity_list_rows", "details": "landing.activity_details"}
_ADDRESS = re.compile(r"https?://[^?#]*", re.IGNORECASE)


def differences(before: bytes, after: bytes) -> list[Difference] | None:
    """Return where two JSON bodies differ in meaning; None when one of them can't be read."""
    try:
        # Decimals keep every digit, and equal the integers that they stand for.
        old, new = (json.loads(body, parse_float=Decimal) for body in (before, after))
        return list(_compare((), old, new))
    except (ValueError, ArithmeticError, RecursionError):
        return None


def without_query(address: object) -> object:
    """Return an address without what stands behind ``?`` or ``#``; anything else as it is."""
    found = _ADDRESS.match(address) if isinstance(address, str) else None
    return found[0] if found else address


def settle(
    session: Session,
    outcomes: Sequence[Outcome],
    known: Mapping[str, LedgerRow],
    equal_rows: int | None = None,
) -> tuple[list[Outcome], dict[str, list[Difference]]]:
    """Return the outcomes, where a response that means what is stored has the stored digest.

    So a load takes it for the stored one and writes nothing. A list row that differs from the stored
    one only in fields of its counterpart keeps the stored fingerprint: it needs no details. One that two
    answers of a run have in another meaning gets a fingerprint of its own: it needs details. Also
    returns, by activity, how details of other bytes differ. ``known``: ledger rows of the activities.
    ``equal_rows``: list rows compared besides these, which had the stored bytes; None: the rows were
    chosen because they are news, so they show no habit of the service.
    """
    rows = [each.listed for each in outcomes if each.listed is not None]
    answers = [each.details for each in outcomes if each.details is not None]
    stored_rows = {name: row.list_digest for name, row in known.items()}
    all_rows = known.keys() if equal_rows is not None else ()
    listed = _find_news(session, "list", rows, stored_rows, all_rows, equal_rows or 0)
    stored = {name: row.details_digest for name, row in known.items()}
    # Details that were asked for because the row is news are expected to be news.
    expected = {name for name, found in listed.items() if found}
    details = _find_news(session, "details", answers, stored, known.keys() - expected)
    settled: list[Outcome] = []
    for outcome in outcomes:
        name, same = outcome.subject, dict[str, Any]()
        if outcome.listed is not None and name in listed:
            same["listed"] = _settle_row(outcome.listed, known[name], listed[name])
        if outcome.details is not None and details.get(name) == []:
            same["details"] = replace(outcome.details, digest=stored[name] or b"")
        settled.append(replace(outcome, **same) if same else outcome)
    return settled, details


def _settle_row(
    listed: ListObservation, row: LedgerRow, found: Sequence[Difference]
) -> ListObservation:
    # Another counterpart is no matter of the counterpart's own fields.
    if any(path[0] != "entity" or path[1:] in ((), ("id",)) for path, _, _ in found):
        stored = listed.digest == row.list_digest
        return replace(listed, fingerprint=b"") if stored else listed
    digest = listed.digest if found else row.list_digest
    return replace(listed, digest=digest or b"", fingerprint=row.fingerprint or listed.fingerprint)


def _find_news(
    session: Session,
    source: str,
    observed: Sequence[Observation],
    stored: Mapping[str, bytes | None],
    unchosen: Collection[str],
    equal: int = 0,
) -> dict[str, list[Difference]]:
    """Return how responses of other bytes differ from the stored ones, volatile fields left out.

    For rows of the list, also how two answers of this run differ. ``stored``: digests; ``unchosen``:
    activities whose responses are here whether they are news or not, so that they show habits of the
    service; ``equal``: how many such responses besides these have the stored bytes. Leaves out responses
    whose predecessor is not in landing. Remembers new volatile fields.
    """
    twice = [(each, differences(each.before, each.body)) for each in observed if each.before]
    known = [each for each in observed if stored.get(each.activity_id)]
    changed = {each.activity_id: each for each in known if each.digest != stored[each.activity_id]}
    if not changed and not twice:
        return {}
    found = session.execute(
        f"select distinct on (activity_id) activity_id::text, digest, body from {_LANDING[source]}"
        " where activity_id = any(%s::uuid[]) order by activity_id, first_seen_at desc",
        (id_array(changed),),
    )
    pairs = [
        (changed[name], differences(body, changed[name].body))
        for name, digest, body in found
        if digest == stored[name]
    ]
    volatile = {name for each, differing in twice for name in _habits(each, differing)}
    unchosen = {each.activity_id for each in known}.intersection(unchosen)
    habits = [
        (name, _owner(name, each))
        for each, differing in pairs
        if each.activity_id in unchosen
        for name in _habits(each, differing)
    ]
    times = Counter(name for name, _ in habits)
    # One counterpart that changes is news, in however many activities.
    owners = Counter(name for name, _ in set(habits))
    # A real change of a few activities is no habit of the service: most answers must show it.
    half = (len(unchosen) + equal) // 2
    volatile |= {name for name in times if times[name] > half and owners[name] >= _ENOUGH}
    if volatile:
        session.cursor().executemany(
            statement("load/volatile_field"), [(source, name) for name in sorted(volatile)]
        )
    volatile = volatile_fields(session, source)
    # A row that is the stored one may still be contested by another answer.
    contested = {each.activity_id: differing or [] for each, differing in twice}
    contested = contested if source == "list" else {}
    pairs += [(each, []) for each in known if each.before and each.activity_id not in changed]
    return {
        each.activity_id: [
            one
            for one in (*differing, *contested.get(each.activity_id, ()))
            if _name(one, each.unnamed) not in volatile
        ]
        for each, differing in pairs
        if differing is not None
    }


def volatile_fields(session: Session, source: str) -> set[str]:
    """Return the volatile fields of ``list`` or ``details``; those of the counterpart are in both."""
    query = "select path from sync.volatile_fields where source = %s or path like 'entity.%%'"
    return {path for (path,) in session.execute(query, (source,))}


def _habits(observed: Observation, differing: Sequence[Difference] | None) -> set[str]:
    """Return in what an answer differs, if each of it may be volatile; else nothing."""
    # A field that comes or goes is news.
    names = {
        None if ABSENT in each[1:] else _name(each, observed.unnamed) for each in differing or ()
    }
    return {name for name in names if name} if None not in names else set()


def _owner(name: str, observed: Observation) -> str:
    """Return the id of the activity or counterpart whose field it is."""
    entity = observed.entity if name.startswith("entity.") else None
    return entity.id if entity else observed.activity_id


def _name(difference: Difference, unnamed: Sequence[str]) -> str | None:
    """Return the name under which a difference can be volatile; None if its field can't be."""
    path, before, after = difference
    name = ".".join(path).replace(".[]", "[]")
    for field in unnamed:
        if field.isprintable() and (name == field or name.startswith((f"{field}.", f"{field}["))):
            return field
    if before == after or without_query(before) != without_query(after):
        return None
    # The names within a shared value are the member's own.
    head, shared, _ = name.partition(".data.value")
    return head + shared if name.isprintable() else None


def _compare(path: tuple[str, ...], before: Any, after: Any) -> Iterator[Difference]:
    if isinstance(before, dict) and isinstance(after, dict):
        for name in sorted(before.keys() | after.keys()):
            yield from _compare((*path, name), before.get(name, ABSENT), after.get(name, ABSENT))
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for old, new in zip(before, after, strict=True):
            yield from _compare((*path, "[]"), old, new)
    # For Python true is 1.
    elif before != after or isinstance(before, bool) != isinstance(after, bool):
        yield path, before, after
