"""A whole file, checked before anything of it is sent."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from pipeline.authorizations.files import Line
from pipeline.authorizations.requests import Authorization, fields_of
from pipeline.authorizations.validation import Labels, checked
from pipeline.warehouse.authorizations import Row

#: Given references and digests, returns the stored rows that carry one of them.
Stored = Callable[[Sequence[str], Sequence[bytes]], list[Row]]


@dataclass
class Intake:
    """What a file holds. ``problems`` and ``warnings`` carry the number of their line.

    ``fresh``: to be asked for. ``known``: lines that are in the outbox already.
    """

    lines: int = 0
    fresh: list[tuple[int, Authorization]] = field(default_factory=list)
    known: list[tuple[int, Row]] = field(default_factory=list)
    problems: list[tuple[int, str]] = field(default_factory=list)
    warnings: list[tuple[int, str]] = field(default_factory=list)


def take_in(lines: Sequence[Line], labels: Labels, stored: Stored) -> Intake:
    """Check every line, also against the others and against what is in the outbox."""
    intake = Intake(len(lines))
    valid: list[tuple[int, Authorization]] = []
    places: dict[str | bytes, int] = {}
    for line in lines:
        found = checked(line.fields, labels) if line.problem is None else None
        problems = [line.problem or ""] if found is None else found.problems
        intake.warnings += [(line.number, text) for text in (found.warnings if found else ())]
        wanted = found.authorization if found else None
        if wanted is not None:
            name = wanted.reference or wanted.digest()
            if name in places:
                what = f"reference {name!r}" if wanted.reference else "request"
                problems = [
                    f"the same {what} as {places[name]}; give each a reference of its own"
                    " if both are meant"
                ]
            else:
                places[name] = line.number
        if problems:
            intake.problems.append((line.number, "; ".join(problems)))
        elif wanted is not None:
            valid.append((line.number, wanted))
    _compare(intake, valid, stored, labels)
    intake.problems.sort()
    return intake


def _compare(
    intake: Intake,
    valid: Sequence[tuple[int, Authorization]],
    stored: Stored,
    labels: Labels,
) -> None:
    """Tell lines that are in the outbox from those that are not."""
    references = [wanted.reference for _, wanted in valid if wanted.reference]
    digests = [wanted.digest() for _, wanted in valid if not wanted.reference]
    rows = stored(references, digests)
    by_name: dict[str | bytes | None, Row] = {row.reference or row.digest: row for row in rows}
    for number, wanted in valid:
        row = by_name.get(wanted.reference or wanted.digest())
        if row is None:
            intake.fresh.append((number, wanted))
        elif wanted.reference and not _same(row, wanted, labels):
            intake.problems.append(
                (number, f"reference {wanted.reference!r} was used before, for another request")
            )
        else:
            intake.known.append((number, row))


def _same(row: Row, wanted: Authorization, labels: Labels) -> bool:
    found = checked(fields_of(row), labels).authorization
    return found is not None and found.digest() == wanted.digest()
