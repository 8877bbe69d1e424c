"""``pipeline authorize``: ask people for data, each once (docs/design.md "Authorizations")."""

import asyncio
import sys
import uuid
from pathlib import Path
from typing import Annotated, Any

import sqlalchemy as sa
import typer
from typer.core import TyperGroup

from pipeline.authorizations.files import FileUnreadable, read_file, unit_of
from pipeline.authorizations.intake import Intake, check_file, keys_of
from pipeline.authorizations.run import AuthorizationRun, read_activity
from pipeline.commands import authorization_tables as tables
from pipeline.commands.console import Exit, UsageWrong, err, out
from pipeline.commands.open_warehouse import open_warehouse
from pipeline.service.errors import Forbidden, NotFound
from pipeline.settings import Settings, load_settings, load_warehouse_url
from pipeline.warehouse import authorizations
from pipeline.warehouse.authorizations import RESOLUTIONS, STATES, Row
from pipeline.warehouse.migrate import migrate

_MOST_LISTED = 200


class _FileFirst(TyperGroup):
    """Reads ``authorize people.csv`` as ``authorize send people.csv``."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put ``send`` in front of arguments that begin with no command."""
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
    queued_too: Annotated[
        bool, typer.Option("--queued", help="Send what was queued before this file, too.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Send without asking.")] = False,
) -> None:
    """Send a file's requests; without a file, what is queued. A file sent twice sends nothing twice.

    Exit code 0: everything was sent. 1: failed. 2: wrong usage, settings or lines. 3: sent, with the
    exceptions that are named.
    """
    if not dry_run:
        if not queue_only:
            load_settings()  # wrong settings must show before anything is queued
        migrate(load_warehouse_url())
    with open_warehouse() as engine:
        intake = _read(engine, file, skip_invalid=skip_invalid) if file else Intake()
        queued = {row.id for row in authorizations.find_all(engine, ["queued"])}
        ours = queued & {row.id for row in intake.known} if file and not queued_too else queued
        if dry_run:
            tables.print_plan(intake, len(queued - ours))
            return
        if not yes and not queue_only:
            _confirm(len(intake.fresh) + len(ours))
        if file is not None:
            fresh = [request.columns(file.name) for _, request in intake.fresh]
            out.print(tables.describe_intake(intake, authorizations.add(engine, fresh), "queued"))
        # What was queued in the meantime belongs to somebody else, as the rest that was queued does.
        added = authorizations.find_known(engine, *keys_of(intake)) if file else []
        only = sorted(ours | {row.id for row in added})
    if not queue_only:
        if queued - ours:
            err.print(f"{len(queued - ours)} queued before are left out: `pipeline authorize send`")
        raise typer.Exit(_run(load_settings(), sending=True, only=only if file else None))


@app.command()
def settle() -> None:
    """Find out what earlier calls created, without sending anything."""
    settings = load_settings()
    migrate(settings.warehouse_url)
    raise typer.Exit(_run(settings, sending=False))


@app.command("list")
def list_(
    state: Annotated[
        list[str] | None,
        typer.Option("--state", help="Only these; may be given several times.", show_default="all"),
    ] = None,
) -> None:
    """List requests, oldest first, with the activities that may be theirs where that is not certain."""
    wrong = sorted(set(state or ()) - set(STATES))
    if wrong:
        raise UsageWrong(f"--state {wrong[0]} is not one of {', '.join(STATES)}")
    with open_warehouse() as engine:
        rows = authorizations.find_newest(engine, state or STATES, _MOST_LISTED)
        counts = authorizations.count_by_state(engine)
    total = sum(counts[name] for name in state or STATES)
    tables.print_requests(rows, total)
    if total > len(rows):
        err.print(f"the newest {len(rows)}; all of them are in warehouse.authorization_requests")


@app.command()
def resolve(
    request: Annotated[
        str | None,
        typer.Argument(help="Its reference, or the beginning of its id.", show_default=False),
    ] = None,
    link: Annotated[
        str | None, typer.Option("--link", help="It created this activity.", show_default=False)
    ] = None,
    requeue: Annotated[
        bool, typer.Option("--requeue", help="It created nothing: send it (again).")
    ] = False,
    fail: Annotated[bool, typer.Option("--fail", help="Do not send it (again).")] = False,
    undo: Annotated[bool, typer.Option("--undo", help="Take back --link or --fail.")] = False,
    all_: Annotated[
        bool, typer.Option("--all", help="All requests in the same state for the same reason.")
    ] = False,
) -> None:
    """Decide what could not be found out; without an option, show what is known of a request."""
    options = {"linked": link is not None, "queued": requeue, "failed": fail, "undo": undo}
    chosen = [state for state, given in options.items() if given]
    if len(chosen) > 1 or (all_ and chosen not in (["queued"], ["failed"])):
        raise UsageWrong(
            "give one of --link, --requeue, --fail and --undo; --all goes with two of them"
        )
    with open_warehouse() as engine:
        if request is None and not all_:
            raise UsageWrong("name a request, or give --all: `pipeline authorize list` names them")
        rows = _named(engine, request) if request else []
        if all_:
            rows = _same_cause(engine, chosen[0], rows)
        if not chosen:
            tables.print_requests(rows, 1)
            if rows[0].state in ("unknown", "sent"):
                err.print("decide with --link ACTIVITY, --requeue or --fail")
        elif undo:
            _say(rows[0], rows[0].resolved_from, authorizations.take_back(engine, rows[0]))
        else:
            _check_states(rows, chosen[0])
            found = _checked_activity(engine, link) if link is not None else (None, None)
            for row in rows:
                _say(row, chosen[0], authorizations.resolve(engine, row, chosen[0], *found))


@app.command()
def cancel(
    request: Annotated[
        str | None,
        typer.Argument(help="Its reference, or the beginning of its id.", show_default=False),
    ] = None,
    all_: Annotated[bool, typer.Option("--all", help="Everything that is queued.")] = False,
) -> None:
    """Cancel what is queued: it is not sent. `resolve --requeue` queues it again."""
    if (request is None) != all_:
        raise UsageWrong("name a request, or give --all")
    with open_warehouse() as engine:
        rows = _named(engine, request) if request else authorizations.find_all(engine, ["queued"])
        if any(row.state != "queued" for row in rows):
            raise UsageWrong(f"request {rows[0].id[:8]} is {rows[0].state}, not queued")
        for row in rows:
            _say(row, "failed", authorizations.resolve(engine, row, "failed"))


def _named(engine: sa.Engine, name: str) -> list[Row]:
    """Return the one request of a name. Raises `UsageWrong`."""
    rows = authorizations.find_by_name(engine, name)
    if len(rows) != 1:
        found = f"{len(rows)} requests begin" if rows else "no request begins"
        raise UsageWrong(f"{found} with {name}: `pipeline authorize list` names them")
    return rows


def _same_cause(engine: sa.Engine, state: str, named: list[Row]) -> list[Row]:
    """Return the requests that a decision can be for, of one cause. Raises `UsageWrong` for several."""
    rows = authorizations.find_all(engine, [row.state for row in named] or RESOLUTIONS[state])
    causes = {(row.state, row.state_reason) for row in named or rows}
    if len(causes) != 1:
        raise UsageWrong(
            f"there are {len(causes)} causes: name a request that has the one you mean"
        )
    return [row for row in rows if (row.state, row.state_reason) in causes]


def _check_states(rows: list[Row], state: str) -> None:
    allowed = RESOLUTIONS[state]
    for row in rows:
        if row.state not in allowed:
            raise UsageWrong(
                f"request {row.id[:8]} is {row.state};"
                f" only {' or '.join(allowed)} requests can be resolved this way"
            )


def _say(row: Row, state: str | None, done: bool) -> None:
    if state is None:
        raise UsageWrong(f"request {row.id[:8]} holds no decision that can be taken back")
    if not done:
        raise UsageWrong(
            f"request {row.id[:8]} changed while you were deciding:"
            " run `pipeline authorize list` and try again"
        )
    out.print(f"request {row.id[:8]} is {state} now")


def _checked_activity(engine: sa.Engine, text: str) -> tuple[str, str | None]:
    """Return an activity's id and counterpart as the service states them.

    Raises `UsageWrong` when it is no authorization of ours, or when another request is linked to it.
    """
    try:
        activity_id = str(uuid.UUID(text))
    except ValueError:
        raise UsageWrong(f"--link {text} is not an activity's id") from None
    for other in authorizations.find_by_activity(engine, activity_id):
        raise UsageWrong(f"activity {activity_id} belongs to request {other.id[:8]} already")
    try:
        found = asyncio.run(read_activity(load_settings().service_config(), activity_id))
    except (NotFound, Forbidden):
        raise UsageWrong(f"the service shows no activity {activity_id}") from None
    if found.in_out_bound != "OUT":
        raise UsageWrong(f"activity {activity_id} is {found.in_out_bound}, not OUT: others sent it")
    kinds = authorizations.authorization_types(engine)
    if found.type not in kinds and "authorization" not in (found.type_name or "").lower():
        raise UsageWrong(f"activity {activity_id} is no authorization: its type is {found.type}")
    return activity_id, found.entity.id if found.entity else None


def _read(engine: sa.Engine, file: Path, *, skip_invalid: bool) -> Intake:
    """Check a file as a whole; print every bad line. Raises `UsageWrong` when nothing may be sent."""
    try:
        lines = read_file(file)
    except FileUnreadable as error:
        raise UsageWrong(str(error)) from None
    labels = authorizations.find_labels(engine)
    intake = check_file(lines, labels, lambda *keys: authorizations.find_known(engine, *keys))
    unit = unit_of(file)
    tables.print_problems(intake, unit)
    if intake.problems and not skip_invalid:
        raise UsageWrong(
            f"{len(intake.problems)} of {intake.lines} {unit}s can't be sent, so nothing was:"
            " correct them, or send the others with --skip-invalid"
        )
    return intake


def _confirm(number: int) -> None:
    """Ask the person at the terminal before anybody is written to. Raises `UsageWrong` for a no."""
    question = f"Send {number:,} requests to people now?"
    if not number:
        return
    if not sys.stdin.isatty():
        raise UsageWrong(f"nobody can be asked here: send {number:,} requests with --yes")
    if not typer.confirm(question, err=True):
        raise UsageWrong("nothing was sent")


def _run(settings: Settings, *, sending: bool, only: list[str] | None = None) -> Exit:
    with err.status("settling earlier calls") as status:
        service, rules = settings.service_config(), settings.rules()
        run = AuthorizationRun(service, settings.warehouse_url, rules, status.update)
        summary = asyncio.run(run.send(only) if sending else run.settle())
    tables.print_summary(summary)
    if summary.stopped:
        return Exit.FAILED
    return Exit.INCOMPLETE if summary.problems else Exit.COMPLETE
