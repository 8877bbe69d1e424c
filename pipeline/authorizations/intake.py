"""A whole file, checked before anything of it is queued."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from pipeline.authorizations.files import Line
from pipeline.authorizations.requests import (
    Authorization,
    Labels,
    check_request,
    check_row,
)
from pipeline.warehouse.authorizations import Row

#: Takes references and digests, returns the stored rows that have one of them.
FindKnown = Callable[[Sequence[str], Sequence[bytes]], list[Row]]


@dataclass(frozen=True)
class Intake:
    """What a file holds; each entry comes with the number of its line.

    ``fresh``: requests that are not stored yet. ``known``: the stored rows of the others.
    ``problems``: one entry for each bad line. ``warnings``: of the good lines.
    """

    lines: int = 0
    fresh: list[tuple[int, Authorization]] = field(default_factory=list)
    known: list[Row] = field(default_factory=list)
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
    references = [key for key in places if isinstance(key, str)]
    digests = [key for key in places if isinstance(key, bytes)]
    known = {row.reference or row.digest: row for row in find_known(references, digests)}
    for number, request in valid:
        row = known.get(request.key)
        if row is None:
            intake.fresh.append((number, request))
        elif row.reference and not _is_same(row, request, labels):
            problem = f"reference {request.reference!r} was used before, for another request"
            intake.problems.append((number, problem))
        else:
            intake.known.append(row)
    intake.problems.sort()
    return intake


def keys_of(intake: Intake) -> tuple[list[str], list[bytes]]:
    """Return the references and digests of the new requests, to find them once they are stored."""
    keys = [request.key for _, request in intake.fresh]
    return (
        [key for key in keys if isinstance(key, str)],
        [key for key in keys if isinstance(key, bytes)],
    )


def _is_same(row: Row, request: Authorization, labels: Labels) -> bool:
    stored = check_row(row, labels).request
    return stored is not None and stored.digest() == request.digest()
