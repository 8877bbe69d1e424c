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

    ``fresh``: requests that are not stored yet. ``problems``: one entry for each bad line.
    ``warnings``: of the good lines.
    """

    lines: int = 0
    fresh: list[tuple[int, Authorization]] = field(default_factory=list)
    problems: list[tuple[int, str]] = field(default_factory=list)
    warnings: list[tuple[int, str]] = field(default_factory=list)


def check_file(lines: Sequence[Line], labels: Labels, find_known: FindKnown) -> Intake:
    """Check every line by itself, against the other lines and against the stored requests."""
    valid: list[tuple[int, Authorization]] = []
    problems: list[tuple[int, str]] = []
    warnings: list[tuple[int, str]] = []
    places: dict[str | bytes, int] = {}
    for line in lines:
        checked = check_request(line.fields, labels)
        if line.problem or checked.request is None:
            problems.append((line.number, line.problem or "; ".join(checked.problems)))
            continue
        warnings += [(line.number, text) for text in checked.warnings]
        request = checked.request
        first = places.setdefault(request.key, line.number)
        if first == line.number:
            valid.append((line.number, request))
        else:
            same = f"reference {request.reference!r}" if request.reference else "request"
            problem = f"the same {same} as {first}; if both are meant, give each its own reference"
            problems.append((line.number, problem))
    known = _find_known(valid, find_known)
    fresh = [(number, request) for number, request in valid if request.key not in known]
    for number, request in valid:
        row = known.get(request.key)
        if row is not None and row.reference and not _is_same(row, request, labels):
            problem = f"reference {request.reference!r} was used before, for another request"
            problems.append((number, problem))
    return Intake(len(lines), fresh, sorted(problems), warnings)


def _find_known(
    valid: Sequence[tuple[int, Authorization]], find_known: FindKnown
) -> dict[str | bytes | None, Row]:
    """Return the stored rows by their reference, or by their digest where they have none."""
    references = [request.reference for _, request in valid if request.reference]
    digests = [request.digest() for _, request in valid if not request.reference]
    return {row.reference or row.digest: row for row in find_known(references, digests)}


def _is_same(row: Row, request: Authorization, labels: Labels) -> bool:
    stored = check_row(row, labels).request
    return stored is not None and stored.digest() == request.digest()
