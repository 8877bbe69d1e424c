"""Settling: linking calls to what they created (docs/authorizations.md "Recognition").

A reference that is found links, whatever else became of the text and however late. What is not found proves
nothing, since a list may lag: an unclear call is never sent again unless a person decides so.
"""

from collections import defaultdict
from collections.abc import Sequence, Set
from datetime import timedelta

from pipeline.authorizations.context import Context, Sent
from pipeline.authorizations.listing import Look, look
from pipeline.authorizations.phones import mask_all
from pipeline.warehouse.requests.authorizations import OPEN, Row, change_state, find, link_more

_MOST_KEPT = 50
_LONGEST_TEXT = 200
#: By so much instants of creation can differ from ours: machines of a service, rounding, headers.
_CLOCKS = timedelta(minutes=2)
#: So far before a call its authorization may seem to be created, where clocks are wrong.
_MARGIN = timedelta(days=1)
#: So far back a look goes where no call is known.
_UNKNOWN = timedelta(days=30)


async def settle_calls(context: Context, *, all_: bool = False) -> Look:
    """Link calls, or keep what may be an open one's. Raises a fatal ``ServiceError``.

    ``all_``: look at all that was sent since the last call that is known, not only for what needs it now.
    Returns what was looked at.
    """
    calls = rows = find(context.engine, "to_settle", now=context.now(), all=all_)
    if all_:
        calls = [*rows, *find(context.engine, "last_called")]
    elif not rows:
        return Look((), None)
    # Of a request that waits its call is not known any more, and when it was queued is by our clock.
    since = min([context.now(), *(row.called_at for row in calls)])
    since -= _MARGIN if calls else _UNKNOWN
    found = await look(context, since)
    linked = _link_by_reference(context, found.sent)
    for row in rows:
        if row.state in OPEN:
            _keep_open(context, row, found.sent, linked)  # changes none that was just linked
    return found


def _link_by_reference(context: Context, sent: Sequence[Sent]) -> set[Sent]:
    """Link each request to what carries its reference and no other one's; return what is linked.

    Several authorizations of one counterpart are one request's: the service created them for one call. Of
    several counterparts a person decides.
    """
    names = list(set[str]().union(*(each.references for each in sent)))
    rows = {
        row.message_reference: row
        for row in find(context.engine, "message_references", references=names)
    }
    carriers, linked = defaultdict[str, list[Sent]](list), set[Sent]()
    for each in sent:
        if len(carried := each.references & rows.keys()) == 1:
            carriers[min(carried)].append(each)
    for name, found in carriers.items():
        row, people = rows[name], {each.counterpart for each in found}
        more = len(found) > 1 or row.state == "linked"
        if row.state == "linked":
            people.add(row.counterpart_id)
        if row.state == "sending" or (more and (len(people) > 1 or None in people)):
            continue
        if row.state == "linked" or _link(context, row, found[0]):
            linked |= {*found}
            if more:
                link_more(context.session, row, [each.activity_id for each in found])
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


def _keep_open(context: Context, row: Row, sent: Sequence[Sent], linked: Set[Sent]) -> None:
    """Keep what may be an open call's, for a person, and say when to look again."""
    ended = row.answered_at or row.called_at
    first, last = row.called_at - _CLOCKS, ended + context.rules.settle + _CLOCKS
    own = {each for each in sent if row.message_reference in each.references}
    near = {each for each in sent if first <= each.created <= last}
    theirs = sorted((own | near) - linked, key=lambda each: abs(each.created - row.called_at))
    theirs.sort(key=lambda each: each not in own)
    age = context.now() - ended
    more = {
        "candidates": [*map(_described, theirs[:_MOST_KEPT])],
        "look_in": max(context.rules.settle + _CLOCKS - age, age / 2),
        "now": context.now(),
    }
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
