"""Settling: finding out what open calls did (docs/authorizations.md "Recognition").

A reference that is found links, whatever else became of the text. Without references a call answered 201
is linked to the one authorization that asks exactly its own. An unclear call had no effect if its
reference is nowhere in a look that began after the settling period and shows everything.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

import msgspec

from pipeline.authorizations.context import Context
from pipeline.authorizations.listing import Look, Sent, content_of, look
from pipeline.authorizations.phones import mask_all
from pipeline.authorizations.references import compose, find, may_have_lost_it
from pipeline.authorizations.rules import Rules
from pipeline.service.models import Requirement
from pipeline.warehouse.authorizations import Row

_MOST_KEPT = 50
_LONGEST_TEXT = 200
#: By so much instants of creation can differ from ours: machines of a service, rounding, headers.
_CLOCKS = timedelta(minutes=2)
#: So far before a call its authorization may seem to be created, where clocks are wrong.
_MARGIN = timedelta(days=1)
_OPEN = ("sent", "unknown")


@dataclass(frozen=True)
class Owners:
    """Requests by their references, and which authorizations carry the reference of one of them.

    ``carried``: by request id. ``free``: authorizations that carry no known reference, or several.
    """

    requests: Mapping[str, Row]
    carried: Mapping[str, Sequence[Sent]]
    free: Sequence[Sent]


async def settle_calls(context: Context) -> None:
    """Link open calls, queue them again or keep them open. Raises a fatal ``ServiceError``."""
    rows = context.requests.open_calls(context.now(), context.now() - context.rules.look_for)
    if not rows:
        return
    found = await look(context, min(row.sent_at or row.requested_at for row in rows) - _MARGIN)
    owners = link_by_reference(context, found.sent)
    given_up = context.requests.given_up(found.sent[0].created - _CLOCKS) if found.sent else []
    for row in rows:
        if row.id not in owners.carried or len(owners.carried[row.id]) > 1:
            _settle(context, row, [*rows, *given_up], owners, found)
    told = ", ".join(f"{number} {state}" for state, number in context.settled.items())
    context.say(f"settled earlier calls: {told or 'nothing new'}")
    context.reached += context.settled
    context.settled.clear()


def link_by_reference(context: Context, sent: Sequence[Sent]) -> Owners:
    """Link each request whose reference one authorization carries."""
    owners = find_owners(context, sent)
    for name, carriers in owners.carried.items():
        row = owners.requests[name]
        if len(carriers) == 1 and row.state not in ("sending", "linked"):
            _link(context, row, carriers[0])
    return owners


def find_owners(context: Context, sent: Sequence[Sent]) -> Owners:
    """Return which requests the references in authorizations belong to."""
    names = {each: find(each.text) for each in sent}
    rows = {
        row.message_reference: row
        for row in context.requests.named(sorted(set().union(*names.values())))
    }
    carried, free = defaultdict[str, list[Sent]](list), list[Sent]()
    for each in sent:
        owners = [rows[name] for name in names[each] if name in rows]
        if len(owners) == 1:
            carried[owners[0].id].append(each)
        else:
            free.append(each)
    return Owners({row.id: row for row in rows.values()}, carried, free)


def may_be(each: Sent, row: Row, rules: Rules) -> bool:
    """Return whether an authorization without a known reference may be what a request created."""
    if each.text is None:
        return True
    if row.message_reference is None:
        return True
    message = compose(row.description, row.message_reference, rules.reference)
    return may_have_lost_it(each.text, row.description, message, row.message_reference)


def _settle(context: Context, row: Row, calls: Sequence[Row], owners: Owners, found: Look) -> None:
    """Decide about one open call whose reference was not found once."""
    rules, carriers = context.rules, owners.carried.get(row.id, [])
    sent_at = row.sent_at or row.requested_at
    over = (row.answered_at or sent_at) + rules.settle
    near = [each for each in owners.free if sent_at - _CLOCKS <= each.created <= over + _CLOCKS]
    if row.state == "sent" and row.message_reference is None:
        own = [each for each in near if each.content == _asked(row)]
        if len(own) == 1 and not any(
            other.id != row.id and _asked(other) == own[0].content for other in calls
        ):
            _link(context, row, own[0])
            return
    gone = found.proven and found.began > over and row.message_reference and not carriers
    if (
        row.state == "unknown"
        and gone
        and not any(may_be(each, row, rules) for each in owners.free)
    ):
        cause = row.state_reason or "no answer"
        again = row.attempts < rules.most_attempts
        state = "queued" if again else "failed"
        reason = (
            f"sent again: {cause}; it had no effect"
            if again
            else f"{row.attempts} calls had no effect; the last one: {cause}"
        )
        context.settled[state] += context.requests.change_state(row, state, reason)
        return
    near.sort(key=lambda each: abs(each.created - sent_at))
    kept = [_described(each) for each in [*carriers, *near][:_MOST_KEPT]]
    age = found.began - (over - rules.settle)
    look_in = max(rules.settle + _CLOCKS - age, age / 2)
    context.requests.change_state(
        row, row.state, row.state_reason, candidates=kept, look_in=look_in, now=found.began
    )


def _link(context: Context, row: Row, each: Sent) -> None:
    context.settled["linked"] += context.requests.change_state(
        row,
        "linked",
        row.state_reason if row.state in _OPEN else None,
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
