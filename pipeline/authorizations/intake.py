"""A whole file, checked before anything of it is queued."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from pipeline.authorizations.files import Line
from pipeline.authorizations.requests import (
    Authorization,
    Labels,
    check_request,
    check_row,
)
from pipeline.warehouse.authorizations import Person, Row

#: Takes references and digests (`Authorization.key`), returns the stored rows that have one of them.
FindKnown = Callable[[Collection[str | bytes]], list[Row]]


@dataclass(frozen=True)
class Intake:
    """What a file holds; each entry comes with the number of its line.

    ``fresh``: requests that are not stored yet. ``known``: the stored rows of the others.
    ``problems``: one entry for each bad line. ``warnings``: of the good lines.
    """

    lines: int = 0
    fresh: list[tuple[int, Authorization]] = field(default_factory=list)
    known: list[tuple[int, Row]] = field(default_factory=list)
    problems: list[tuple[int, str]] = field(default_factory=list)
    warnings: list[tuple[int, str]] = field(default_factory=list)


def check_file(lines: Sequence[Line], labels: Labels, find_known: FindKnown) -> Intake:
    """Check every line by itself, against the other lines and against the stored requests."""
    valid: list[tuple[int, Authorization]] = []
    intake = Intake(len(lines))
    places: dict[str | bytes, int] = {}
    for line in lines:
        checked = check_request(line.fields, labels)
        if line.problem or checked.request is None:
            problem = line.problem or "; ".join(checked.problems)
            intake.problems.append((line.number, problem))
            continue
        intake.warnings.extend((line.number, text) for text in checked.warnings)
        request = checked.request
        first = places.setdefault(request.key, line.number)
        if first == line.number:
            valid.append((line.number, request))
        else:
            same = f"reference {request.reference!r}" if request.reference else "request"
            problem = f"the same {same} as {first}; if both are meant, give each its own reference"
            intake.problems.append((line.number, problem))
    known = {row.reference or row.digest: row for row in find_known(places)}
    for number, request in valid:
        row = known.get(request.key)
        if row is None:
            intake.fresh.append((number, request))
        elif row.reference and not _is_same(row, request, labels):
            problem = f"reference {request.reference!r} was used before, for another request"
            intake.problems.append((number, problem))
        else:
            intake.known.append((number, row))
    intake.problems.sort()
    return intake


def check_people(
    intake: Intake, people: Mapping[str, Person], days: int, *, refuse: bool
) -> Intake:
    """Return a file with its people checked, by what is known of each number.

    People whose data were erased are problems. People who are asked twice, in the file or within
    ``days``, are warnings, or problems with ``refuse``.
    """
    asked_here = {row.phone_number for _, row in intake.known}
    fresh, problems, warnings = [], list(intake.problems), list(intake.warnings)
    for number, request in intake.fresh:
        person = people.get(request.phone_number, Person())
        repeated = f"this person was asked within {days} days" if person.asked else None
        if request.phone_number in asked_here:
            repeated = "another line asks the same person"
        asked_here.add(request.phone_number)
        if person.erased:
            problems.append((number, "this person's data were erased on request: ask no more"))
        elif repeated and refuse:
            problems.append((number, f"{repeated} (ACTIVITIES_AUTHORIZATIONS_REPEATS)"))
        else:
            warnings += [(number, repeated)] if repeated else []
            fresh.append((number, request))
    return replace(intake, fresh=fresh, problems=sorted(problems), warnings=sorted(warnings))


def _is_same(row: Row, request: Authorization, labels: Labels) -> bool:
    stored = check_row(row, labels).request
    return stored is not None and stored.digest() == request.digest()
