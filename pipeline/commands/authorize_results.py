"""``pipeline authorize list`` and ``results``: what became of requests. Numbers are masked by default."""

import csv
import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import sqlalchemy as sa
import typer

from pipeline.authorizations.files import FileUnreadable, read_file
from pipeline.authorizations.intake import Intake, check_file
from pipeline.authorizations.phones import mask_in
from pipeline.commands import authorization_tables as tables
from pipeline.commands.console import UsageWrong, err, write_output
from pipeline.commands.open_warehouse import open_warehouse
from pipeline.warehouse import authorizations
from pipeline.warehouse.authorizations import STATES

_MOST_LISTED = 200
_HIDDEN = {"description", "requirements", "digest", "recognized"}
_AsJson = Annotated[bool, typer.Option("--json", help="Print JSON: an array of objects.")]


def list_(
    state: Annotated[
        list[str] | None,
        typer.Option("--state", help="Only these; may be given several times.", show_default="all"),
    ] = None,
    as_json: _AsJson = False,
) -> None:
    """List requests, oldest first, with the activities that may be theirs where that is not certain."""
    wrong = sorted(set(state or ()) - set(STATES))
    if wrong:
        raise UsageWrong(f"--state {wrong[0]} is not one of {', '.join(STATES)}")
    with open_warehouse() as engine:
        rows = authorizations.find_newest(engine, state or STATES, _MOST_LISTED)
        counts = authorizations.count_by_state(engine)
    total = sum(counts[name] for name in state or STATES)
    if as_json:
        typer.echo(json.dumps([_shown(vars(row)) for row in rows]))
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
    as_json: _AsJson = False,
    show_numbers: Annotated[
        bool, typer.Option("--show-numbers", help="Do not mask phone numbers.")
    ] = False,
) -> None:
    """Show what became of each line of a file: asked, linked, accepted with what, declined, ..."""
    with open_warehouse() as engine:
        intake = read_intake(engine, file) if file else None
        ids = [row.id for _, row in intake.known] if intake else None
        rows = authorizations.find_results(engine, ids)
    found = _by_line(intake, rows) if intake else rows
    lines = [_shown(line, masked=not show_numbers) for line in found]
    if output is not None:
        write_output(output, _as_csv(lines))
    if as_json:
        typer.echo(json.dumps(lines))
    elif output is None:
        tables.print_results(lines)


def read_intake(engine: sa.Engine, file: Path) -> Intake:
    """Return a file, checked line by line. Raises `UsageWrong` when it can't be read."""
    try:
        lines = read_file(file)
    except FileUnreadable as error:
        raise UsageWrong(str(error)) from None
    labels = authorizations.find_labels(engine)
    return check_file(lines, labels, lambda *keys: authorizations.find_known(engine, *keys))


def _by_line(intake: Intake, rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return one entry for each line of a file, in its order."""
    found = {row["id"]: row for row in rows}
    lines = [{"line": place, **found[row.id]} for place, row in intake.known]
    for place, new in intake.fresh:
        name, number = new.reference, new.phone_number
        lines.append(
            {"line": place, "reference": name, "phone_number": number, "result": "not queued"}
        )
    for place, problem in intake.problems:
        lines.append({"line": place, "result": "invalid", "reason": problem})
    return sorted(lines, key=lambda line: line["line"])


def _as_csv(lines: Sequence[dict[str, Any]]) -> str:
    stream = io.StringIO()
    writer = csv.DictWriter(stream, list(dict.fromkeys(name for line in lines for name in line)))
    writer.writeheader()
    writer.writerows(lines)
    return "\ufeff" + stream.getvalue()  # with the mark that spreadsheets know UTF-8 by


def _shown(fields: Mapping[str, Any], *, masked: bool = True) -> dict[str, Any]:
    """Return what may be shown of a request, in the types of JSON; its number is masked everywhere."""
    text = json.dumps({name: fields[name] for name in fields.keys() - _HIDDEN}, default=str)
    shown: dict[str, Any] = json.loads(
        mask_in(text, fields.get("phone_number", "")) if masked else text
    )
    return {name: shown[name] for name in fields if name in shown}
