"""A whole file, checked before anything of it is queued."""

from collections.abc import Callable, Collection, Sequence

from pipeline.authorizations.requests import Labels, Line, check_row
from pipeline.warehouse.authorizations import Row

#: Takes references and digests (`Authorization.key`), returns the stored rows that have one of them.
FindKnown = Callable[[Collection[str | bytes]], list[Row]]


def check_lines(lines: Sequence[Line], labels: Labels, find_known: FindKnown) -> None:
    """Check every line by itself, against the other lines and against the stored requests."""
    places: dict[str | bytes, int] = {}
    for line in lines:
        request = line.check(labels).request
        if request and (first := places.setdefault(request.key, line.number)) != line.number:
            same = f"reference {request.reference!r}" if request.reference else "request"
            line.refuse(
                f"the same {same} as {first}; if both are meant, give each its own reference"
            )
    known = {row.reference or row.digest: row for row in find_known(places)}
    for line in lines:
        if request := line.request:
            line.known = known.get(request.key)
            named = line.known if line.known and line.known.reference else None
            if named and check_row(named, labels).request != request:
                line.refuse(f"reference {request.reference!r} was used before, for another request")


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
