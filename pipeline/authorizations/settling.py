"""Settling: finding out what open calls did, from the list and from details (docs/service.md 4.3, 4.4)."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec

from pipeline.authorizations.context import Context
from pipeline.authorizations.likeness import Likeness, likeness, text_of
from pipeline.authorizations.matching import Call, Candidate, Decision, Evidence, Fit, decide
from pipeline.authorizations.phones import mask_all
from pipeline.authorizations.requests import Labels
from pipeline.service.errors import ServiceError
from pipeline.service.instants import instant_from_carrier
from pipeline.service.models import ActivityDetails, Requirement, decode_list_item
from pipeline.sync.days import ONE_DAY, DayRange, day_of
from pipeline.sync.list_rows import ListRow
from pipeline.warehouse.authorizations import Row

#: docs/service.md 2.4 names IN for received activities; every other value is taken for "sent".
_RECEIVED = "IN"
_MOST_KEPT = 50
_LONGEST_TEXT = 200
#: So much longer than the settling period a run waits before it looks: clocks in headers are not exact.
_CLOCKS = timedelta(minutes=2)
_UNITS = {"MINUTES": 60, "HOURS": 3_600, "DAYS": 86_400}


async def settle_calls(context: Context) -> None:
    """Link open calls, queue them again or keep them open. Raises a fatal ``ServiceError``."""
    rows = context.requests.open_calls()
    if not rows:
        return
    calls = {_call(row): row for row in rows}
    evidence = await _look(context, rows)
    reached: Counter[str] = Counter()
    for call, decision in decide(list(calls), evidence, context.rules).items():
        row = calls[call]
        state, reason, more = _outcome(context, row, call, decision, evidence)
        if context.requests.change_state(row, state, reason, **more) and state != row.state:
            reached[state] += 1
    if reached["linked"]:
        context.requests.learn()
    told = ", ".join(f"{number} {state}" for state, number in reached.items())
    context.say(f"settled earlier calls: {told or 'nothing new'}")
    context.reached += reached


def _outcome(
    context: Context, row: Row, call: Call, decision: Decision, evidence: Evidence
) -> tuple[str, str | None, dict[str, Any]]:
    """Return the state that a request comes to, the reason and other columns of it."""
    if fit := decision.fit:
        # A call answered 201 shows how the service stores things.
        shown = {
            "created_at": _instant(fit.candidate.created),
            **fit.likeness._asdict(),
            "seen_after": round(evidence.at - call.end, 1),
        }
        more = {
            "activity_id": fit.candidate.activity_id,
            "counterpart_id": fit.candidate.counterpart,
            "recognized": shown if call.certain else None,
        }
        return "linked", row.state_reason, more
    if decision.absent:
        cause = row.state_reason or "no answer"
        if row.attempts < context.rules.most_attempts:
            return "queued", f"sent again: {cause}; it had no effect", {}
        return "failed", f"{row.attempts} calls had no effect; the last one: {cause}", {}
    kept = [_described(call, each) for each in decision.near[:_MOST_KEPT]]
    look_in = _next_look(context, call, evidence)
    return row.state, row.state_reason, {"candidates": kept, "look_in": look_in}


def _described(call: Call, candidate: Candidate) -> dict[str, str]:
    """Return what a person can decide by; its likeness: ``same``, ``like``, ``other`` or ``unreadable``."""
    text, words = candidate.text, "unreadable"
    if text is not None:
        alike = likeness(call.text, text)
        words = "other" if alike is None else "same" if alike == Likeness() else "like"
    return {
        "activity_id": candidate.activity_id,
        "created_at": _instant(candidate.created),
        "status": candidate.status or "",
        "likeness": words,
        # It may hold the number of somebody else.
        "text": mask_all(text.description)[:_LONGEST_TEXT] if text else "",
        "counterpart": candidate.counterpart or "",
    }


def _instant(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")


def _recognized(row: Row) -> Fit:
    shown = row.recognized or {}
    created = datetime.fromisoformat(shown["created_at"]).timestamp()
    activity = Candidate(row.activity_id or "", created, None, row.counterpart_id, None)
    return Fit(activity, Likeness(*(shown[part] for part in Likeness._fields)))


def _next_look(context: Context, call: Call, evidence: Evidence) -> timedelta | None:
    """Return when to look again, less and less often; None when a person must decide.

    A further look can show more after the settling period too: calls made later show how this service
    stores things.
    """
    age = timedelta(seconds=evidence.at - call.end)
    over = context.rules.settle + _CLOCKS
    return None if age >= context.rules.look_for else max(over - age, age / 2)


async def _look(context: Context, rows: Sequence[Row]) -> Evidence:
    """List what was created since the first of these calls, and read what may be theirs."""
    at = context.now()
    proofs = {_call(row): row for row in context.requests.recognized([row.id for row in rows])}
    known = {call.clock for call in proofs}
    # Before a clock is known, what an unclear call made may bear any time of the day.
    unknown = any(row.state != "sent" and row.clock_offset not in known for row in rows)
    doubt = context.rules.unknown if unknown else context.rules.doubt
    since = (rows[0].sent_at or rows[0].requested_at) - doubt
    walker = context.walker()
    first = day_of(since, context.zone) - ONE_DAY
    walked = await walker.walk(DayRange(first, max(walker.today, first)))
    # A row that can't be read or dated may be any activity.
    readable = [row for row in walked.rows.values() if row.created_at and not row.malformed]
    complete = len(readable) == len(walked.rows) and not any(walked.days.values())
    recent = [row for row in readable if row.created_at and row.created_at >= since]
    linked = context.requests.linked([row.activity_id for row in recent])
    read = await asyncio.gather(
        *(_candidate(context, row) for row in recent if row.activity_id not in linked)
    )
    found = sorted((each for each in read if each), key=lambda each: each.created)
    return Evidence(
        found,
        complete,
        at.timestamp(),
        context.requests.owners({each.counterpart for each in found}),
        {call: _recognized(row) for call, row in proofs.items()},
    )


async def _candidate(context: Context, row: ListRow) -> Candidate | None:
    """Read the details of an outbound activity; None for a received one, or one of another type."""
    item = decode_list_item(row.body)
    if item.in_out_bound == _RECEIVED or row.created_at is None:
        return None
    if item.id in context.seen:
        return context.seen[item.id]
    created = row.created_at.timestamp()
    counterpart = item.entity.id if item.entity else None
    try:
        details = (await context.client.activity_details(item.id)).activity
    except ServiceError as error:
        if error.fatal:
            raise
        return Candidate(item.id, created, item.status, counterpart, None)
    validity = None
    with suppress(ValueError):
        if valid_until := instant_from_carrier(details.valid_until or None):
            validity = valid_until.timestamp() - created
    text = text_of(details.description, details.requirements or [], validity)
    ours = is_authorization(details, context.labels)
    other = not ours and ("other_activity_type", details.type) in context.labels
    found = Candidate(item.id, created, details.status, counterpart, text, ours)
    context.seen[item.id] = None if other else found
    return context.seen[item.id]


def is_authorization(activity: ActivityDetails, labels: Labels) -> bool:
    """Return whether an activity is an authorization, by the name or the code of its type."""
    named = "authorization" in (activity.type_name or "").lower()
    return named or ("activity_type", activity.type) in labels


def _call(row: Row) -> Call:
    sent_at = row.sent_at or row.requested_at
    unit, amount = _UNITS.get(row.validity_time_unit or ""), row.validity_amount
    validity = unit * float(amount) if unit and amount else None
    requirements = msgspec.convert(row.requirements, list[Requirement])
    return Call(
        text=text_of(row.description, requirements, validity),
        number=row.phone_number,
        begin=sent_at.timestamp(),
        end=(row.answered_at or sent_at).timestamp(),
        clock=row.clock_offset,
        certain=row.state == "sent",
    )
