"""Settling: finding out what open calls did, from the list and from details (docs/service.md 4.3, 4.4)."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta

import msgspec

from pipeline.authorizations.context import Context
from pipeline.authorizations.evidence import Call, Candidate, Evidence, Proof
from pipeline.authorizations.likeness import (
    REQUIREMENTS,
    TEXT,
    VALIDITY,
    Likeness,
    likeness,
    text_of,
    validity_seconds,
)
from pipeline.authorizations.matching import decide
from pipeline.service.errors import ServiceError
from pipeline.service.instants import instant_from_epoch_ms
from pipeline.service.models import ActivityDetails, Requirement, decode_list_item
from pipeline.sync.days import ONE_DAY, DayRange, day_of
from pipeline.sync.list_rows import ListRow
from pipeline.sync.walk import Walker
from pipeline.warehouse.authorizations import Row

#: docs/service.md 2.4 names IN for received activities; every other value is taken for "sent".
_RECEIVED = "IN"
_MOST_KEPT = 50
_LONGEST_TEXT = 200
#: Calls of so long a time around the open ones show how the service stores things.
_PERIOD = timedelta(days=1)


async def settle_calls(context: Context) -> Counter[str]:
    """Link open calls, queue them again or keep them open; return the counts by new state.

    ``unfound`` counts the calls answered 201 whose activity is not there. A call is without effect
    only if two looks at the list say so: the first may have met the moment in which the activity was
    created. Raises a fatal ``ServiceError``.
    """
    counts: Counter[str] = Counter()
    open_rows = context.requests.open_calls(context.now() - context.rules.look_for)
    rows = {row.id: row for row in open_rows}
    absent: set[str] | None = None
    while rows:
        calls = {row.id: _call(row) for row in rows.values()}
        evidence = await _look(context, list(calls.values()))
        verdict = decide(list(calls.values()), evidence, context.rules)
        for request_id, (candidate, proof) in verdict.linked.items():
            counts["linked"] += context.requests.link(
                rows.pop(request_id),
                activity_id=candidate.activity_id,
                counterpart_id=candidate.counterpart,
                recognized=_recognized(proof, evidence) if proof else None,
            )
        if absent is None and verdict.absent:
            absent = verdict.absent  # by the first look
            continue
        counts["unfound"] = len(verdict.unfound)
        without_effect = verdict.absent & (absent or set())
        for row in rows.values():
            if row.id in without_effect:
                counts[_try_again(context, row)] += 1
            else:
                found = verdict.open.get(row.id, ())
                _keep_open(context, row, calls[row.id], found, evidence)
        break
    return counts


def _recognized(proof: Proof, evidence: Evidence) -> dict[str, object]:
    """Return what a recognised call shows of the service, as the table keeps it."""
    text, requirements, validity = proof.likeness
    return {
        "created_at": proof.created_at.isoformat(),
        "text": TEXT[text],
        "requirements": REQUIREMENTS[requirements],
        "validity": VALIDITY[validity],
        "seen_after": round((evidence.at - proof.call.ended_at).total_seconds(), 1),
    }


def _proof(row: Row) -> Proof:
    shown = row.recognized or {}
    return Proof(
        _call(row),
        datetime.fromisoformat(shown["created_at"]),
        Likeness(
            TEXT.index(shown["text"]),
            REQUIREMENTS.index(shown["requirements"]),
            VALIDITY.index(shown["validity"]),
        ),
    )


def _try_again(context: Context, row: Row) -> str:
    """Queue a request whose call had no effect; return ``failed`` when it has no call left."""
    cause = row.state_reason or "no answer"
    if row.attempts < context.rules.most_attempts:
        state, reason = "queued", f"sent again: {cause}; it had no effect"
    else:
        state, reason = "failed", f"{row.attempts} calls had no effect; the last one: {cause}"
    context.requests.change_state(row, state, reason)
    return state


def _keep_open(
    context: Context, row: Row, call: Call, candidates: Sequence[Candidate], evidence: Evidence
) -> None:
    kept = [
        {
            "activity_id": each.activity_id,
            "created_at": each.created_at.isoformat(timespec="milliseconds"),
            "status": each.status or "",
            "likeness": _in_words(call, each),
            "text": each.text.description[:_LONGEST_TEXT] if each.text else "",
            "counterpart": each.counterpart or "",
        }
        for each in candidates[:_MOST_KEPT]
    ]
    context.requests.keep_open(row, kept, _next_look(context, call, evidence))


def _in_words(call: Call, candidate: Candidate) -> str:
    """Return how a candidate resembles the request: ``same``, ``like``, ``other`` or ``unreadable``."""
    if candidate.text is None:
        return "unreadable"
    alike = likeness(call.text, candidate.text)
    return "other" if alike is None else "like" if any(alike) else "same"


def _next_look(context: Context, call: Call, evidence: Evidence) -> timedelta | None:
    """Return when to look again, less and less often; None when a person must decide.

    A further look can show more after the settling period too: calls made later show how this service
    stores things.
    """
    over = call.ended_at + context.rules.settle + 2 * context.rules.tolerance
    if evidence.at <= over:
        return over - evidence.at
    age = evidence.at - call.ended_at
    return None if age >= context.rules.look_for else max(age / 2, timedelta(minutes=1))


async def _look(context: Context, calls: Sequence[Call]) -> Evidence:
    """List what was created since the first of these calls, and read what may be theirs."""
    at = context.now()
    since = min(call.sent_at for call in calls) - context.rules.doubt
    walker = Walker(
        context.client.list_activities,
        context.zone,
        context.page_size,
        context.boundaries,
        {},
        context.now,
        context.now,
    )
    first = day_of(since, context.zone) - ONE_DAY
    walked = await walker.walk(DayRange(first, max(walker.today, first)))
    # A row that can't be read or dated may be any activity.
    complete = not any(walked.days.values()) and not any(
        row.malformed or row.created_at is None for row in walked.rows.values()
    )
    recent = {
        row.activity_id: row
        for row in walked.rows.values()
        if not row.malformed and row.activity_id and row.created_at and row.created_at >= since
    }
    linked = context.requests.linked(list(recent))
    unlinked = [row for activity_id, row in recent.items() if activity_id not in linked]
    found = await asyncio.gather(*(_candidate(context, row) for row in unlinked))
    clocks = {call.clock for call in calls if call.clock is not None}
    until = max(call.sent_at for call in calls) + _PERIOD
    proofs = context.requests.recognized(clocks, since - _PERIOD, until)
    owners = context.requests.owners({each.counterpart for each in found if each})
    return Evidence(
        [each for each in found if each is not None], complete, at, owners, [*map(_proof, proofs)]
    )


async def _candidate(context: Context, row: ListRow) -> Candidate | None:
    """Read the details of an outbound activity; None for a received one."""
    item = decode_list_item(row.body)
    created_at = row.created_at
    if item.in_out_bound == _RECEIVED or created_at is None or row.activity_id is None:
        return None
    if known := context.seen.get(row.activity_id):
        return known
    counterpart = item.entity.id if item.entity else None
    try:
        details = (await context.client.activity_details(item.id)).activity
    except ServiceError as error:
        if error.fatal:
            raise
        return Candidate(row.activity_id, created_at, item.status, counterpart, None)
    validity = _validity(details, created_at)
    text = text_of(details.description, details.requirements or [], validity)
    found = Candidate(row.activity_id, created_at, details.status, counterpart, text)
    context.seen[row.activity_id] = found
    return found


def _validity(details: ActivityDetails, created_at: datetime) -> float | None:
    """Return for how many seconds an activity is valid; None when its details do not say."""
    try:
        valid_until = instant_from_epoch_ms(details.valid_until or None)
    except ValueError:
        return None
    return (valid_until - created_at).total_seconds() if valid_until is not None else None


def _call(row: Row) -> Call:
    sent_at = row.sent_at or row.requested_at
    validity = validity_seconds(row.validity_time_unit, row.validity_amount)
    requirements = msgspec.convert(row.requirements, list[Requirement])
    return Call(
        request_id=row.id,
        text=text_of(row.description, requirements, validity),
        number=row.phone_number,
        sent_at=sent_at,
        ended_at=row.answered_at or sent_at,
        clock=row.clock_offset,
        certain=row.state == "sent",
    )
