"""A whole file, checked before anything of it is queued, and what rows need before they are sent."""

from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING

import sqlalchemy as sa

from pipeline.authorizations.phones import read_country, read_number
from pipeline.authorizations.references import find, make
from pipeline.authorizations.requests import Labels, Line, check_row
from pipeline.warehouse.authorizations import Row, find_taken, reference_key

if TYPE_CHECKING:
    from pipeline.authorizations.context import Context

#: Takes references and digests (`Authorization.key`), returns the stored rows that have one of them.
FindKnown = Callable[[Collection[str | bytes]], list[Row]]


def check_lines(
    lines: Sequence[Line], labels: Labels, pattern: str | None, find_known: FindKnown
) -> None:
    """Check every line by itself, against the other lines and against the stored requests."""
    keys = {request.key for line in lines if (request := line.check(labels, pattern).request)}
    known = {row.reference or row.digest: row for row in find_known(keys)}
    places: dict[str | bytes, int] = {}
    for line in lines:
        if (request := line.request) is None:
            continue
        first = places.setdefault(request.key, line.number)
        line.known = stored = known.get(request.key)
        named = f"reference {request.reference!r}" if request.reference else "request"
        if first != line.number:
            why = f"the same {named} as {first}; if both are meant, give each its own reference"
            line.refuse(why)
        elif stored and request.reference and check_row(stored, labels, pattern).request != request:
            line.refuse(f"{named} was used before, for another request")


def check_people(
    lines: Sequence[Line],
    asked: Collection[str],
    erased: Collection[str],
    days: int,
    *,
    refuse: bool,
) -> None:
    """Check whom a file asks, by the numbers that were asked within ``days``, and those of erased people.

    People whose data were erased are problems. People who are asked twice, in the file or within
    ``days``, are warnings, or problems with ``refuse``. This forecasts: the INSERT decides.
    """
    why = dict.fromkeys(asked, f"this person was asked within {days} days")
    another = "another line asks the same person"
    why |= {line.known.phone_number: another for line in lines if line.known}
    for line in lines:
        if line.fresh is None:
            continue
        number = line.fresh.phone_number
        repeated, why[number] = why.get(number), another
        if number in erased:
            line.refuse("this person's data were erased on request: ask no more")
        elif repeated and refuse:
            line.refuse(f"{repeated} (ACTIVITIES_AUTHORIZATIONS_REPEATS)")
        elif repeated:
            line.warnings.append(repeated)


def give_references(lines: Sequence[Line], engine: sa.Engine) -> None:
    """Give each new request the first reference that no other one has, or holds in its text by chance."""
    key, fresh = reference_key(engine), [(line, line.fresh) for line in lines if line.fresh]
    held = {line.number: find(request.description) for line, request in fresh}
    used = set[str]().union(*held.values())
    foreign = {name for name, given in find_taken(engine, used).items() if given}
    for line, request in fresh:
        if held[line.number] & foreign:
            line.refuse("description holds the reference of another request")
            continue
        names = make(request.digest() + (request.reference or "").encode(), key)
        free = (name for name in names if name not in used and not find_taken(engine, [name]))
        line.reference = next(free)
        used.add(line.reference)


def take_in(context: "Context") -> None:
    """Bring the numbers of queued rows that other systems wrote into E.164, and give them references."""
    requests, pattern = context.requests, context.rules.reference
    for row in requests.to_take_in(references=pattern is not None):
        line = check_row(row, context.labels, pattern)
        if line.request is None:
            continue  # sending names what is wrong
        columns = {"phone_number": line.request.phone_number}
        if pattern and row.message_reference is None and row.state == "queued":
            give_references([line], context.engine)
            if line.reference is None:
                requests.change_state(row, "failed", line.problems[0])
                continue
            columns["message_reference"] = line.reference
        requests.rewrite(row, columns)


def spelled_like(rows: Sequence[Row], number: str) -> list[str]:
    """Return the ids of rows of other systems whose number is this one in E.164."""
    return [row.id for row in rows if _reads_as(row, number)]


def _reads_as(row: Row, number: str) -> bool:
    try:
        return read_number(row.phone_number, read_country(row.phone_country_code)) == number
    except ValueError:
        return False
