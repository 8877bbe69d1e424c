"""Settling: finding out what open calls did (docs/authorizations.md "Recognition").

A reference that is found links, whatever else became of the text. Without references a call answered 201
is linked to the one authorization that asks exactly its own. An unclear call had no effect if its
reference is nowhere in a look that began after the settling period and shows everything.
"""

from collections.abc import Sequence
from datetime import timedelta

import msgspec

from pipeline.authorizations.context import Context
from pipeline.authorizations.listing import Look, Sent, content_of, look
from pipeline.authorizations.phones import mask_all
from pipeline.authorizations.references import compose, may_have_lost_it
from pipeline.service.models import Requirement
from pipeline.warehouse.authorizations import MOST_CALLS, OPEN, Row, change_state, find

_MOST_KEPT = 50
_LONGEST_TEXT = 200
#: By so much instants of creation can differ from ours: machines of a service, rounding, headers.
_CLOCKS = timedelta(minutes=2)
#: So far before a call its authorization may seem to be created, where clocks are wrong.
_MARGIN = timedelta(days=1)


async def settle_calls(context: Context) -> None:
    """Link open calls, queue them again or keep them open. Raises a fatal ``ServiceError``."""
    calls = find(context.engine, "to_settle", now=context.now())
    rows = [call for call in calls if call.state in OPEN]
    if not rows:
        return
    found = await look(context, min(row.called_at for row in rows) - _MARGIN)
    link_by_reference(context, found)
    linked = {row.id for row in found.owners.values()}
    for row in rows:
        if row.id not in linked:
            _settle(context, row, calls, found)


async def note_what_is_there(context: Context, rows: Sequence[Row]) -> None:
    """Note what is listed before calls: none of that is theirs."""
    found = await look(context, context.now() - _CLOCKS)
    if found.complete:
        context.there_before |= dict.fromkeys((row.id for row in rows), frozenset(context.read))


def link_by_reference(context: Context, found: Look) -> None:
    """Link each request whose reference one authorization carries."""
    for each, row in found.owners.items():
        if row.state not in ("sending", "linked"):
            _link(context, row, each)


def _settle(context: Context, row: Row, calls: Sequence[Row], found: Look) -> None:
    """Decide about one open call whose reference was not found, or found twice."""
    ended = row.answered_at or row.called_at
    over = ended + context.rules.settle
    # Whatever the call did is listed by now.
    complete = found.complete and found.began > over
    free = [each for each in found.sent if each not in found.owners]
    name = row.message_reference
    message = compose(row.description, name, context.rules.reference)
    carriers = [each for each in free if name in each.references]
    near = [
        each
        for each in free
        if each not in carriers and row.called_at - _CLOCKS <= each.created <= over + _CLOCKS
    ]
    if row.state == "sent" and name is None:
        there_before = context.there_before.get(row.id)
        own = [
            each
            for each in near
            if each.content == _asked(row) and each.activity_id not in (there_before or ())
        ]
        shared = any(_asked(call) == _asked(row) for call in calls if call.id != row.id)
        # What was there before the call may not be known: then the list must be complete.
        if len(own) == 1 and not shared and (complete or there_before is not None):
            _link(context, row, own[0])
            return
    if (
        row.state == "unknown"
        and name
        and complete
        and not carriers
        and not any(may_have_lost_it(each.text, row.description, message, name) for each in free)
    ):
        _send_again(context, row)
        return
    near.sort(key=lambda each: abs(each.created - row.called_at))
    kept = [_described(each) for each in [*carriers, *near][:_MOST_KEPT]]
    age = found.began - ended
    look_in = max(context.rules.settle + _CLOCKS - age, age / 2)
    more = {"candidates": kept, "look_in": look_in, "now": found.began}
    change_state(context.session, row, row.state, row.state_reason, **more)


def _send_again(context: Context, row: Row) -> None:
    cause = row.state_reason or "no answer"
    if row.attempts < MOST_CALLS:
        state, reason = "queued", f"sent again: {cause}; it had no effect"
    else:
        state = "failed"
        reason = f"{row.attempts} calls had no effect; the last one: {cause}"
    context.reached[state] += change_state(context.session, row, state, reason)


def _link(context: Context, row: Row, each: Sent) -> None:
    context.reached["linked"] += change_state(
        context.session,
        row,
        "linked",
        row.state_reason if row.state in OPEN else None,
        activity_id=each.activity_id,
        counterpart_id=each.counterpart,
        now=each.created,
    )


def _asked(row: Row) -> object:
    return content_of(row.description, msgspec.convert(row.requirements, list[Requirement]))


def _described(each: Sent) -> dict[str, str]:
    """Return what a person can decide by."""
    return {
        "activity_id": each.activity_id,
        "created_at": each.created.isoformat(timespec="milliseconds"),
        "status": each.status or "",
        # It may hold the number of somebody else.
        "text": mask_all(each.text)[:_LONGEST_TEXT] if each.text is not None else "unreadable",
        "counterpart": each.counterpart or "",
    }
