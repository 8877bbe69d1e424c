"""Settling: linking calls to what they created (docs/authorizations.md "Recognition").

A reference that is found links, whatever else became of the text and however late. What is not found proves
nothing, since a list may lag: an unclear call is never sent again unless a person decides so.
"""

from collections.abc import Sequence
from datetime import timedelta

from pipeline.authorizations.context import Context
from pipeline.authorizations.listing import Look, Sent, look
from pipeline.authorizations.phones import mask_all
from pipeline.warehouse.authorizations import OPEN, Row, change_state, find, link_more

_MOST_KEPT = 50
_LONGEST_TEXT = 200
#: By so much instants of creation can differ from ours: machines of a service, rounding, headers.
_CLOCKS = timedelta(minutes=2)
#: So far before a call its authorization may seem to be created, where clocks are wrong.
_MARGIN = timedelta(days=1)
#: So far back a look goes where no call is known.
_UNKNOWN = timedelta(days=30)


async def settle_calls(context: Context) -> None:
    """Link what needs a look now. Raises a fatal ``ServiceError``."""
    rows = find(context.engine, "to_settle", now=context.now(), all=False)
    if rows:
        await _look_for(context, rows, rows)


async def settle_all(context: Context) -> Look:
    """Link all that was sent since the last call that is known; return what the service shows."""
    rows = find(context.engine, "to_settle", now=context.now(), all=True)
    return await _look_for(context, rows, [*rows, *find(context.engine, "last_called")])


async def _look_for(context: Context, rows: Sequence[Row], calls: Sequence[Row]) -> Look:
    """Link what was sent since the first of ``calls``, or keep what may be that of open ``rows``."""
    # Of a request that waits its call is not known any more, and when it was queued is by our clock.
    since = min([context.now(), *(row.called_at for row in calls)])
    since -= _MARGIN if calls else _UNKNOWN
    found = await look(context, since)
    linked = link_by_reference(context, found)
    for row in rows:
        if row.id not in linked and row.state in OPEN:
            _keep_open(context, row, found)
    return found


def link_by_reference(context: Context, found: Look) -> set[str]:
    """Link each request to what carries its reference; return the ids of those that are linked.

    Several authorizations of one counterpart are one request's: the service created them for one call. Of
    several counterparts a person decides.
    """
    linked = set[str]()
    for row in found.rows:
        carriers = found.carriers[row.id]
        first, people = carriers[0], {each.counterpart for each in carriers}
        if row.state == "linked":
            people.add(row.counterpart_id)
        elif row.state == "sending":
            continue
        if len(people) > 1 or (people == {None} and len(carriers) > 1):
            continue
        if row.state != "linked" and not _link(context, row, first):
            continue
        linked.add(row.id)
        if row.state == "linked" or len(carriers) > 1:
            link_more(context.session, row, [each.activity_id for each in carriers])
            context.several += 1
    return linked


def _link(context: Context, row: Row, each: Sent) -> bool:
    linked = change_state(
        context.session,
        row,
        "linked",
        row.state_reason if row.state in OPEN else None,
        activity_id=each.activity_id,
        counterpart_id=each.counterpart,
        now=each.created,
    )
    context.reached["linked"] += linked
    return linked


def _keep_open(context: Context, row: Row, found: Look) -> None:
    """Keep what may be an open call's, for a person, and say when to look again."""
    ended = row.answered_at or row.called_at
    until = ended + context.rules.settle + _CLOCKS
    carriers = found.carriers.get(row.id, ())
    owned = {each for carried in found.carriers.values() for each in carried}
    near = [
        each
        for each in found.sent
        if each not in owned and row.called_at - _CLOCKS <= each.created <= until
    ]
    near.sort(key=lambda each: abs(each.created - row.called_at))
    kept = [_described(each) for each in [*carriers, *near][:_MOST_KEPT]]
    age = found.began - ended
    look_in = max(context.rules.settle + _CLOCKS - age, age / 2)
    more = {"candidates": kept, "look_in": look_in, "now": found.began}
    change_state(context.session, row, row.state, row.state_reason, **more)


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
