"""``pipeline authorize``: ask people for data, each once, and follow what became of it."""

import sys
import uuid
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from pipeline.authorizations.files import FileUnreadable, read_file, unit_of
from pipeline.authorizations.intake import Intake, take_in
from pipeline.authorizations.phones import masked, masked_in
from pipeline.authorizations.requests import Authorization
from pipeline.commands.authorization_run import run_authorizations
from pipeline.commands.console import UsageWrong, err, out, table, tell
from pipeline.commands.open_warehouse import open_warehouse
from pipeline.settings import load_settings, load_warehouse_url
from pipeline.warehouse import authorizations
from pipeline.warehouse.migrate import migrate

_MOST_LISTED = 200
_MOST_SHOWN = 20
_LONGEST_MESSAGE = 40


class _FileFirst(TyperGroup):
    """Takes ``authorize people.csv`` for ``authorize send people.csv``."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put the command in front of what is none."""
        if args and args[0] not in self.commands and args[0] != "--help":
            args = ["send", *args]
        return super().parse_args(ctx, args)


app = typer.Typer(
    add_completion=False,
    help="Ask people for data, each once: `authorize FILE` checks a .csv or .json file and sends it.",
    no_args_is_help=True,
    cls=_FileFirst,
)


@app.command()
def send(
    file: Annotated[
        Path | None,
        typer.Argument(help="Whom to ask for what; none: what is queued.", show_default=False),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would be sent, and send nothing.")
    ] = False,
    skip_invalid: Annotated[
        bool, typer.Option("--skip-invalid", help="Send the good lines of a file with bad ones.")
    ] = False,
    queue_only: Annotated[
        bool, typer.Option("--queue-only", help="Queue, and leave sending to the Dagster job.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Send without asking.")] = False,
) -> None:
    """Send a file's requests and what is queued. A file sent twice sends nothing twice.

    Ends 0: all is sent. 1: failed. 2: wrong usage, settings or lines. 3: sent, but for what is named.
    """
    if not dry_run and not queue_only:
        load_settings()  # what is wrong with them is known before anything is queued
    if not dry_run:
        migrate(load_warehouse_url())
    intake = _read(file, skip_invalid=skip_invalid) if file is not None else Intake()
    with open_warehouse() as engine:
        queued = authorizations.counts(engine)["queued"]
        if dry_run:
            _show_plan(intake, queued)
            return
        _confirm(len(intake.fresh) + queued, queue_only=queue_only, yes=yes)
        if file is not None:
            requests = [wanted.columns(file.name) for _, wanted in intake.fresh]
            out.print(_sentence(intake, authorizations.add(engine, requests)))
    if not queue_only:
        raise typer.Exit(run_authorizations(load_settings(), sending=True))


@app.command()
def settle() -> None:
    """Find out what earlier calls created, without sending anything."""
    settings = load_settings()
    migrate(settings.warehouse_url)
    raise typer.Exit(run_authorizations(settings, sending=False))


@app.command("list")
def list_(
    state: Annotated[
        list[str] | None,
        typer.Option("--state", help="Only these; may be given several times.", show_default="all"),
    ] = None,
) -> None:
    """List requests, oldest first, with what may be theirs where that is not sure."""
    wrong = sorted(set(state or ()) - set(authorizations.STATES))
    if wrong:
        raise UsageWrong(f"--state {wrong[0]} is none of {', '.join(authorizations.STATES)}")
    with open_warehouse() as engine:
        rows = authorizations.listed(engine, state or authorizations.STATES, _MOST_LISTED)
        counts = authorizations.counts(engine)
    total = sum(counts[name] for name in state or authorizations.STATES)
    if not rows:
        out.print("no requests")
        return
    shown = table(f"{total:,} requests", "request", "reference", "to", "state", "since", "reason")
    for row in rows:
        since = row.answered_at or row.sent_at or row.requested_at
        shown.add_row(row.id[:8], _reference(row), _receiver(row), row.state,
                      f"{since:%Y-%m-%d %H:%M}", _reason(row))  # fmt: skip
        for candidate in row.candidates:
            shown.add_row("", "", "", "perhaps", candidate["created_at"][:16].replace("T", " "),
                          f"activity {candidate['activity_id']} ({_likeness(candidate)})")  # fmt: skip
    out.print(shown)
    if total > len(rows):
        err.print(f"the newest {len(rows)}; all of them are in warehouse.authorization_requests")


@app.command()
def resolve(
    request: Annotated[str, typer.Argument(help="Its reference, or the beginning of its id.")],
    link: Annotated[
        str | None, typer.Option("--link", help="It created this activity.", show_default=False)
    ] = None,
    requeue: Annotated[
        bool, typer.Option("--requeue", help="It created nothing: send it (again).")
    ] = False,
    fail: Annotated[bool, typer.Option("--fail", help="It shall not be sent (again).")] = False,
) -> None:
    """Decide what could not be found out; without an option, show what is known of a request."""
    if sum((link is not None, requeue, fail)) > 1:
        raise UsageWrong("give one of --link, --requeue and --fail")
    with open_warehouse() as engine:
        rows = authorizations.find(engine, request)
        if len(rows) != 1:
            found = f"{len(rows)} requests begin" if rows else "no request begins"
            raise UsageWrong(f"{found} with {request}: `pipeline authorize list` names them")
        row = rows[0]
        if link is not None:
            _decide(engine, row, "linked", activity_id=_activity(engine, link))
        elif requeue:
            _decide(engine, row, "queued")
        elif fail:
            _decide(engine, row, "failed")
        else:
            _show(row)


#: What people may decide: the state decided for, and the states it may be decided in.
_DECISIONS = {
    "linked": ("sent", "unknown"),
    "queued": ("unknown", "rejected", "failed"),
    "failed": ("queued", "unknown"),
}


def _decide(
    engine: Any, row: authorizations.Row, state: str, *, activity_id: str | None = None
) -> None:
    if row.state not in _DECISIONS[state]:
        allowed = " or ".join(_DECISIONS[state])
        raise UsageWrong(f"request {row.id[:8]} is {row.state}; that is decided of {allowed} ones")
    reason = f"decided by a person; was {row.state}"
    if row.state_reason:
        reason += f": {row.state_reason}"
    if not authorizations.decide(engine, row, state, activity_id=activity_id, reason=reason):
        raise UsageWrong(f"request {row.id[:8]} has just moved on: look at it again")
    out.print(f"request {row.id[:8]} is {state} now")


def _activity(engine: Any, text: str) -> str:
    try:
        activity_id = str(uuid.UUID(text))
    except ValueError:
        raise UsageWrong(f"--link {text} is not an activity's id") from None
    other = authorizations.holder(engine, activity_id)
    if other is not None:
        raise UsageWrong(f"activity {activity_id} belongs to request {other[:8]} already")
    return activity_id


def _read(file: Path, *, skip_invalid: bool) -> Intake:
    """Check a file as a whole; name every bad line. Raises `UsageWrong` when that is to stop it."""
    try:
        lines = read_file(file)
    except FileUnreadable as error:
        raise UsageWrong(str(error)) from None
    with open_warehouse() as engine:
        labels = authorizations.labels(engine)
        intake = take_in(lines, labels, lambda *names: authorizations.stored(engine, *names))
    unit = unit_of(file)
    for number, problem in intake.problems:
        tell(f"{unit} {number}", problem)
    _warn(unit, intake)
    bad = len({number for number, _ in intake.problems})
    if bad and not skip_invalid:
        raise UsageWrong(
            f"{bad} of {intake.lines} {unit}s can't be sent, so nothing was: correct them,"
            " or send the others with --skip-invalid"
        )
    return intake


def _warn(unit: str, intake: Intake) -> None:
    """Tell each warning once, with the first line that it is about."""
    places: dict[str, list[int]] = {}
    for number, warning in intake.warnings:
        places.setdefault(warning, []).append(number)
    for warning, numbers in places.items():
        more = f" (and {len(numbers) - 1} more)" if len(numbers) > 1 else ""
        tell(f"{unit} {numbers[0]}{more}", warning, "yellow")


def _show_plan(intake: Intake, queued: int) -> None:
    shown = table(f"{len(intake.fresh):,} would be sent", "", "reference", "to", "validity",
                  "requirements", "message")  # fmt: skip
    for number, wanted in intake.fresh[:_MOST_SHOWN]:
        shown.add_row(str(number), wanted.reference or "", wanted.receiver, _validity(wanted),
                      _requirements(wanted), _message(wanted))  # fmt: skip
    if intake.fresh:
        out.print(shown)
    left = len(intake.fresh) - _MOST_SHOWN
    more = f" ({left:,} more)" if left > 0 else ""
    out.print(_sentence(intake, len(intake.fresh), "would be queued") + more)
    if queued:
        out.print(f"{queued:,} are queued already and would be sent too")


def _sentence(intake: Intake, fresh: int, verb: str = "queued") -> str:
    """Say what became of a file's lines."""
    bad = len({number for number, _ in intake.problems})
    known = intake.lines - bad - fresh
    return f"of {intake.lines:,}: {fresh:,} {verb}, {known:,} known already, {bad:,} skipped"


def _confirm(number: int, *, queue_only: bool, yes: bool) -> None:
    """Ask a person at a terminal before people are written to. Raises `UsageWrong` for a no."""
    if yes or queue_only or not number or not sys.stdin.isatty():
        return
    if not typer.confirm(f"Send {number:,} requests to people now?", err=True):
        raise UsageWrong("nothing was sent")


def _show(row: authorizations.Row) -> None:
    shown = table(f"request {row.id}", "", "value")
    shown.add_row("to", _receiver(row))
    shown.add_row("reference", _reference(row))
    for name in ("state", "state_reason", "activity_id", "attempts", "requested_at",
                 "sent_at", "answered_at", "next_look_at", "source"):  # fmt: skip
        value = getattr(row, name)
        shown.add_row(name, "" if value is None else str(value))
    for candidate in row.candidates:
        about = f"{candidate['activity_id']}, created {candidate['created_at']}"
        shown.add_row("perhaps", f"{about}, {candidate['status']} ({_likeness(candidate)})")
    out.print(shown)
    if row.state in ("unknown", "sent"):
        err.print(
            "decide with --link ACTIVITY" + (", --requeue or --fail" * (row.state == "unknown"))
        )


def _reference(row: authorizations.Row) -> str:
    return masked_in(row.reference or "", row.phone_number)


def _receiver(row: authorizations.Row) -> str:
    return f"{row.phone_country_code[:2]} {masked(row.phone_number)}"


def _reason(row: authorizations.Row) -> str:
    """Say why it is in its state, and of an open one whether runs still look for its activity."""
    told = row.state_reason or row.activity_id or ""
    if row.state == "unknown" and row.next_look_at is None:
        return f"{told}; decide: pipeline authorize resolve {row.id[:8]}"
    if row.state == "unknown":
        return f"{told}; looked for again at {row.next_look_at:%Y-%m-%d %H:%M}"
    return told


def _likeness(candidate: dict[str, str]) -> str:
    same = candidate.get("likeness") == "same"
    return "same message and requirements" if same else "similar, or not to be read"


def _validity(wanted: Authorization) -> str:
    return "" if wanted.amount is None else f"{wanted.amount:f} {wanted.time_unit}"


def _requirements(wanted: Authorization) -> str:
    return " ".join(
        f"{code}:{'+'.join(items)}" if items else code for code, items in wanted.requirements
    )


def _message(wanted: Authorization) -> str:
    line = " ".join(masked_in(wanted.description, wanted.number).split())
    return line if len(line) <= _LONGEST_MESSAGE else line[: _LONGEST_MESSAGE - 1] + "…"
