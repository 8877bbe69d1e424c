"""A whole file, checked before anything of it is queued, and what rows need before they are sent."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import sqlalchemy as sa

from pipeline.authorizations.references import (
    DEFAULT,
    compose,
    find_references,
    make_references,
)
from pipeline.authorizations.requests import Labels, Request
from pipeline.warehouse.requests.authorizations import (
    OPEN,
    Row,
    change_state,
    find,
    find_people,
    reference_key,
    store_taken_in,
)

if TYPE_CHECKING:
    from pipeline.authorizations.context import Context


def find_stored(engine: sa.Engine, requests: Sequence[Request]) -> dict[str, Row]:
    """Return the rows of requests that are stored already, by `Request.key`."""
    references = [each.reference for each in requests]
    digests = [each.digest() for each in requests]
    rows = find(engine, "keys", references=references, digests=digests)
    return {row.reference or (row.digest or b"").hex(): row for row in rows}


def check_lines(engine: sa.Engine, lines: Sequence[Request], labels: Labels, pattern: str) -> None:
    """Check the lines of a file against each other and against the stored requests."""
    good = [line for line in lines if not line.problems]
    stored, places = find_stored(engine, good), dict[str, int]()
    for line in good:
        first = places.setdefault(line.key, line.number)
        named = f"reference {line.reference!r}" if line.reference else "request"
        known = stored.get(line.key)
        if first != line.number:
            why = f"the same {named} as line {first}; if you mean both, give each its own reference"
            line.problems.append(why)
        elif (
            known
            and line.reference
            and Request().read(vars(known), labels, pattern).digest() != line.digest()
        ):
            line.problems.append(f"{named} was used before, for another request")
        else:
            line.known = known


def check_people(engine: sa.Engine, lines: Sequence[Request], days: int, *, refuse: bool) -> None:
    """Check whom a file asks: who was erased, and who was asked within ``days``, or in the file.

    People whose data were erased are problems. People who are asked twice are warnings, or problems with
    ``refuse``. This forecasts: the INSERT decides.
    """
    fresh = [line for line in lines if line.fresh]
    people = {line.subscriber: line.phone_number for line in fresh}
    asked, erased = find_people(engine, people, days)
    why = dict.fromkeys(asked, f"this person was asked within {days} days")
    for line in fresh:
        repeated = why.get(line.subscriber)
        why[line.subscriber] = f"line {line.number} asks the same person"
        if line.subscriber in erased:
            line.problems.append("this person's data were erased on request: ask no more")
        elif repeated and refuse:
            line.problems.append(f"{repeated} (ACTIVITIES_AUTHORIZATIONS_REPEATS)")
        elif repeated:
            line.warnings.append(repeated)


def give_references(engine: sa.Engine, requests: Sequence[Request], pattern: str) -> None:
    """Give each new request the first reference with which its message carries no other request's.

    A message also carries what its text holds by chance, and what overlaps with its reference: in
    "(Ref. 7K3Q2)" that is F7K3Q.
    """
    key = reference_key(engine)
    fresh = [each for each in requests if each.fresh and each.message_reference is None]
    if not fresh:
        return
    waiting = find(engine, "states", states=["queued", "sending", *OPEN])
    texts = [compose(each.description, each.message_reference or "", pattern) for each in waiting]
    texts += [each.description for each in fresh]
    used = set[str]().union(*map(find_references, texts))
    given = find(engine, "message_references", references=list(used))
    foreign = {row.message_reference for row in given}
    for each in fresh:
        held = find_references(each.description)
        if foreign & held:
            each.problems.append("description holds the reference of another request")
            continue
        for name in make_references(each.digest() + (each.reference or "").encode(), key):
            message = compose(each.description, name, pattern)
            carried = {name} | find_references(message) - held
            if used.isdisjoint(carried) and not find(
                engine, "message_references", references=list(carried)
            ):
                used |= carried
                each.message_reference = name
                break


def take_in(context: "Context", rows: Sequence[Row]) -> list[tuple[Row, Request]]:
    """Check stored rows, also those of other systems; return those that can be sent.

    Numbers are brought into E.164, queued requests get references, and fail with their problems.
    """
    pattern, session = context.rules.reference, context.session
    read = [(row, Request().read(vars(row), context.labels, pattern)) for row in rows]
    queued = [request for row, request in read if row.state == "queued"]
    give_references(context.engine, queued, pattern)
    for row, request in read:
        number, reference = request.phone_number, request.message_reference
        if request.problems and row.state == "queued":
            change_state(session, row, "failed", "; ".join(request.problems))
            context.reached["failed"] += 1
        elif number:
            store_taken_in(session, row, number, request.subscriber, reference)
    return [(row, request) for row, request in read if not request.problems]


def find_unread(engine: sa.Engine, person: str) -> list[str]:
    """Return the ids of rows whose number nobody has read yet, and that reach this subscriber."""
    rows = [row for row in find(engine, "to_take_in") if row.subscriber is None]
    return [row.id for row in rows if Request().read(vars(row), (), DEFAULT).subscriber == person]
