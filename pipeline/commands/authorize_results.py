"""``pipeline authorize list`` and ``results``: what became of requests. Numbers are masked by default."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import msgspec
import sqlalchemy as sa
import typer

from pipeline.authorizations.files import FileUnreadable, read_file
from pipeline.authorizations.intake import Intake, check_file
from pipeline.authorizations.phones import mask_in
from pipeline.commands import authorization_tables as tables
from pipeline.commands.console import AsJson, UsageWrong, err, open_output, print_json
from pipeline.commands.open_warehouse import open_warehouse
from pipeline.warehouse import authorizations
from pipeline.warehouse.authorizations import RESULT_COLUMNS, STATES
from pipeline.warehouse.export import write_csv

_MOST_LISTED = 200
_HIDDEN = {"description", "requirements", "digest", "recognized"}
_NO_RESULT: dict[str, Any] = dict.fromkeys(("line", *RESULT_COLUMNS))


def list_(
    state: Annotated[
        list[str] | None,
        typer.Option("--state", help="Only these; may be given several times.", show_default="all"),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List requests, oldest first, with the activities that may be theirs where that is not certain."""
    wrong = sorted(set(state or ()) - set(STATES))
    if wrong:
        raise UsageWrong(f"--state {wrong[0]} is not one of {', '.join(STATES)}")
    with open_warehouse() as engine:
        rows = authorizations.find_in_states(engine, state or STATES, _MOST_LISTED)
        counts = authorizations.count_by_state(engine)
    total = sum(counts[name] for name in state or STATES)
    if as_json:
        print_json([_shown(vars(row)) for row in rows])
    else:
        tables.print_requests(rows, total)
    if total > len(rows):
        err.print(f"the newest {len(rows)}; all of them are in warehouse.authorization_requests")


def results(
    file: Annotated[
        Path | None,
        typer.Argument(help="A file that was sent; none: every request.", show_default=False),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", help="Write CSV to this file.", show_default=False)
    ] = None,
    as_json: AsJson = False,
    show_numbers: Annotated[
        bool, typer.Option("--show-numbers", help="Do not mask phone numbers.")
    ] = False,
) -> None:
    """Show what became of each line of a file: asked, linked, accepted with what, declined, ..."""
    with open_warehouse() as engine:
        intake = read_intake(engine, file) if file else None
        ids = [row.id for _, row in intake.known] if intake else None
        rows = authorizations.find_results(engine, ids)
    found = _by_line(intake, rows) if intake else [_NO_RESULT | row for row in rows]
    lines = [_shown(line, masked=not show_numbers) for line in found]
    if output is not None:
        with open_output(output, personal=True) as sink:
            write_csv(lines, sink)
    if as_json:
        print_json(lines)
    elif output is None:
        tables.print_results(lines)


def read_intake(engine: sa.Engine, file: Path) -> Intake:
    """Return a file, checked line by line. Raises `UsageWrong` when it can't be read."""
    try:
        lines = read_file(file)
    except FileUnreadable as error:
        raise UsageWrong(str(error)) from None
    labels = authorizations.find_labels(engine)
    return check_file(lines, labels, partial(authorizations.find_known, engine))


def _by_line(intake: Intake, rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return one entry for each line of a file, in its order."""
    found = {row["id"]: row for row in rows}
    lines = {place: found[row.id] for place, row in intake.known}
    for place, new in intake.fresh:
        shown = {"reference": new.reference, "phone_number": new.phone_number}
        lines[place] = shown | {"result": "not queued"}
    for place, problem in intake.problems:
        lines[place] = {"result": "invalid", "reason": problem}
    return [_NO_RESULT | lines[place] | {"line": place} for place in sorted(lines)]


def _shown(fields: Mapping[str, Any], *, masked: bool = True) -> dict[str, Any]:
    """Return what may be shown of a request, in the types of JSON; its number is masked everywhere."""
    kept = {name: value for name, value in fields.items() if name not in _HIDDEN}
    text = msgspec.json.encode(kept).decode()
    shown: dict[str, Any] = msgspec.json.decode(
        mask_in(text, fields["phone_number"] or "") if masked else text
    )
    return shown
