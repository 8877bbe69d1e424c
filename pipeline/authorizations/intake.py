"""A whole file, checked before anything of it is queued."""

from collections.abc import Callable, Collection, Sequence

from pipeline.authorizations.requests import Labels, Line, check_row
from pipeline.warehouse.authorizations import Row

#: Takes references and digests (`Authorization.key`), returns the stored rows that have one of them.
FindKnown = Callable[[Collection[str | bytes]], list[Row]]


def check_lines(lines: Sequence[Line], labels: Labels, find_known: FindKnown) -> None:
    """Check every line by itself, against the other lines and against the stored requests."""
    keys = {request.key for line in lines if (request := line.check(labels).request)}
    known = {row.reference or row.digest: row for row in find_known(keys)}
    places: dict[str | bytes, int] = {}
    for line in lines:
        if (request := line.request) is None:
            continue
        first = places.setdefault(request.key, line.number)
        line.known = known.get(request.key)
        named = f"reference {request.reference!r}" if request.reference else "request"
        if first != line.number:
            why = f"the same {named} as {first}; if both are meant, give each its own reference"
            line.refuse(why)
        elif line.known and request.reference and check_row(line.known, labels).request != request:
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
    ``days``, are warnings, or problems with ``refuse``.
    """
    asked_here = {line.known.phone_number for line in lines if line.known}
    for line in lines:
        if line.fresh is None:
            continue
        number = line.fresh.phone_number
        repeated = f"this person was asked within {days} days" if number in asked else None
        if number in asked_here:
            repeated = "another line asks the same person"
        asked_here.add(number)
        if number in erased:
            line.refuse("this person's data were erased on request: ask no more")
        elif repeated and refuse:
            line.refuse(f"{repeated} (ACTIVITIES_AUTHORIZATIONS_REPEATS)")
        elif repeated:
            line.warnings.append(repeated)
