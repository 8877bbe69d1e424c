"""``pipeline authorize list`` and ``results``: what became of requests. Numbers are masked by default."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import chain
from pathlib import Path
from typing import Annotated, Any

import msgspec
import sqlalchemy as sa
import typer

from pipeline.authorizations.files import FileUnreadable, read_file
from pipeline.authorizations.intake import check_lines, check_people, give_references
from pipeline.authorizations.phones import mask, mask_in
from pipeline.authorizations.requests import Request
from pipeline.commands.console import (
    AsJson,
    UsageWrong,
    err,
    open_output,
    out,
    print_json,
    print_table,
)
from pipeline.commands.open_warehouse import open_warehouse
from pipeline.settings import Settings
from pipeline.warehouse.output.export import write_csv
from pipeline.warehouse.requests import authorizations
from pipeline.warehouse.requests.authorizations import OPEN, STATES, Row

_MOST_LISTED = 200
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_HIDDEN = {"description", "requirements", "digest", "subscriber"}


def list_(
    state: Annotated[
        list[str] | None,
        typer.Option("--state", help="Only these; may be given several times.", show_default="all"),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List requests, oldest first.

    Where it is not certain which activity is theirs, those that may be follow.
    """
    states = list(state or STATES)
    wrong = sorted(set(states) - set(STATES))
    if wrong:
        raise UsageWrong(f"--state {wrong[0]} is not one of {', '.join(STATES)}")
    with open_warehouse() as engine:
        rows = authorizations.find(engine, "newest", states=states, most=_MOST_LISTED)
        counts = authorizations.count_by_state(engine)
    total = sum(counts[name] for name in states)
    if as_json:
        print_json([_shown(vars(row)) for row in rows])
    else:
        print_requests(rows, total)
    if total > len(rows):
        err.print(f"the newest {len(rows)}; all of them are in warehouse.authorization_requests")


def results(
    file: Annotated[
        Path | None,
        typer.Argument(help="A file that was sent; none: every request."),
    ] = None,
    output: Annotated[Path | None, typer.Option("--output", help="Write CSV to this file.")] = None,
    as_json: AsJson = False,
    show_numbers: Annotated[
        bool, typer.Option("--show-numbers", help="Do not mask phone numbers.")
    ] = False,
) -> None:
    """Show what became of each line of a file.

    It was asked, linked, accepted with what, declined, canceled; or it did not go well, with the reason.
    """
    with open_warehouse() as engine:
        given = [_described(line) for line in read_lines(engine, file)] if file else None
        found = authorizations.find_results(engine, given)
    lines = [_shown(line, masked=not show_numbers) for line in found]
    if output is not None:
        with open_output(output, personal=True) as sink:
            write_csv(lines, sink)
    if as_json:
        print_json(lines)
    elif output is None:
        _print_results(lines)


def read_lines(engine: sa.Engine, file: Path) -> list[Request]:
    """Return the lines of a file, checked. Raises `UsageWrong` when it can't be read."""
    settings, labels = Settings(), authorizations.find_labels(engine)
    pattern, days = settings.authorizations_reference, settings.authorizations_repeat_days
    try:
        entries = read_file(file)
    except FileUnreadable as error:
        raise UsageWrong(str(error)) from None
    lines = [
        Request(number, problems=[fields])
        if isinstance(fields, str)
        else Request(number).read(fields, labels, pattern)
        for number, fields in entries
    ]
    check_lines(engine, lines, labels, pattern)
    check_people(engine, lines, days, refuse=settings.authorizations_repeats == "refuse")
    give_references(engine, lines, pattern)
    return lines


def _described(line: Request) -> dict[str, object]:
    """Return what is known of a line of a file: the stored request, or why there is none."""
    if line.known:
        return {"line": line.number, "id": line.known.id}
    if line.problems:
        reason = f"error: {'; '.join(line.problems)}"
        return {"line": line.number, "result": "invalid", "reason": reason}
    named = {"reference": line.reference, "phone_number": line.phone_number}
    warning = f"warning: {'; '.join(line.warnings)}" if line.warnings else None
    return {"line": line.number, "result": "not queued", "reason": warning, **named}


def _shown(fields: Mapping[str, Any], *, masked: bool = True) -> dict[str, Any]:
    """Return what may be shown of a request, in the types of JSON; its number is masked everywhere."""
    kept = {name: value for name, value in fields.items() if name not in _HIDDEN}
    number = fields["phone_number"] or "" if masked else ""
    text = msgspec.json.encode(kept).decode()
    # Only in strings: a wrong number may be as short as a count.
    text = _STRING.sub(lambda found: mask_in(found[0], number), text)
    return msgspec.json.decode(text, type=dict[str, Any])


def _print_results(lines: Sequence[Mapping[str, Any]]) -> None:
    """Print what became of requests, and how many there are of each result."""
    names = ("line", "reference", "phone_number", "result", "accepted")
    rows = [
        (*map(line.get, names), line.get("reason") or line.get("activity_id")) for line in lines
    ]
    columns = ("", "reference", "to", "result", "accepted", "reason or activity")
    print_table(f"results: {len(lines):,}", columns, rows, "no requests")
    if counts := Counter(line["result"] for line in lines):
        out.print(", ".join(f"{number:,} {result}" for result, number in counts.most_common()))


def print_requests(rows: Sequence[Row], total: int) -> None:
    """Print requests, each with the activities that may be its own. ``total``: how many there are."""
    columns = ("request", "reference", "to", "state", "calls", "since", "reason")
    lines = chain.from_iterable(map(_lines, rows))
    print_table(f"requests: {total:,}", columns, lines, "no requests", below=("reason",))


def _lines(row: Row) -> Iterator[tuple[object, ...]]:
    reference = mask_in(row.reference or "", row.phone_number)
    whom = (row.id[:8], reference, receiver(row))
    yield *whom, row.state, row.attempts, row.answered_at or row.called_at, _reason(row)
    for each in row.candidates:
        about = f"activity {each['activity_id']}, {each['status']}"
        about += f", counterpart: {each.get('counterpart') or 'not known'}"
        text = mask_in(each.get("text", ""), row.phone_number)
        at = datetime.fromisoformat(each["created_at"])
        yield "", "", "", "perhaps", "", at, f"{about}: {text}"


def _reason(row: Row) -> str:
    """Return why a request is in its state, and for an open one what ends it."""
    if row.state not in OPEN:
        return row.state_reason or row.activity_id or ""
    why = row.state_reason or "its activity is not found"
    return f"{why}; wait, or decide: pipeline authorize resolve {row.id[:8]}"


def receiver(request: Row | Request) -> str:
    """Return whom a request is for, masked."""
    return f"{request.phone_country_code[:2]} {mask(request.phone_number)}"
