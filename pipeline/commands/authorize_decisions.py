"""``pipeline authorize resolve``, ``cancel`` and ``confirm-restore``: what a person decides."""

import asyncio
import sys
import uuid
from collections.abc import Collection
from datetime import timedelta
from pathlib import Path
from typing import Annotated

import sqlalchemy as sa
import typer

from pipeline.authorizations.listing import is_authorization
from pipeline.authorizations.run import read_activity
from pipeline.commands.authorize_results import print_requests, read_lines
from pipeline.commands.console import Exit, UsageWrong, confirm, err, out, tell
from pipeline.commands.open_warehouse import open_warehouse
from pipeline.configured import authorization_run, service_config
from pipeline.service.errors import Forbidden, NotFound
from pipeline.settings import load_settings
from pipeline.warehouse.requests import authorizations
from pipeline.warehouse.requests.authorizations import OPEN, RESOLUTIONS, Row, find
from pipeline.warehouse.state import ledger
from pipeline.warehouse.state.service_facts import forget

#: Calls so long before one show how late the list is.
_AROUND = timedelta(days=1)

_Request = Annotated[str | None, typer.Argument(help="Its reference, or the beginning of its id.")]


def resolve(
    request: _Request = None,
    link: Annotated[
        uuid.UUID | None, typer.Option("--link", help="It created this activity.")
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
    """Decide what could not be found out.

    Without an option it shows what is known of a request. It looks at the list again first, and says how
    many of the calls that were answered the list shows by now.
    """
    options = {"linked": link is not None, "queued": requeue, "failed": fail, "undo": undo}
    chosen = [state for state, given in options.items() if given]
    if len(chosen) > 1 or (all_ and chosen not in (["queued"], ["failed"])):
        raise UsageWrong(
            "give one of --link, --requeue, --fail and --undo; --all goes with two of them"
        )
    if request is None and not all_:
        raise UsageWrong("name a request, or give --all: `pipeline authorize list` names them")
    with open_warehouse() as engine:
        rows = _named(engine, request) if request else []
        if all_:
            rows = _same_cause(engine, chosen[0], rows)
        if not chosen:
            rows = _look_again(engine, rows)
            print_requests(rows, 1)
            if rows[0].state in OPEN:
                err.print("decide with --link ACTIVITY, --requeue or --fail")
        elif undo:
            if rows[0].resolved_from is None:
                raise UsageWrong(
                    f"request {rows[0].id[:8]} holds no decision that can be taken back"
                )
            _decide(engine, rows, rows[0].resolved_from)
        else:
            if requeue:  # what the list shows by now is linked, and not sent again
                found = _look_again(engine, rows)
                rows = [row for row in found if len(found) == 1 or row.state != "linked"]
                if sys.stdin.isatty():
                    confirm("Send again?")
            _check_states(rows, RESOLUTIONS[chosen[0]])
            activity = _checked_activity(engine, str(link)) if link is not None else {}
            _decide(engine, rows, chosen[0], **activity)


def cancel(
    request: _Request = None,
    all_: Annotated[bool, typer.Option("--all", help="Everything that is queued.")] = False,
) -> None:
    """Cancel what is queued: it is not sent. `resolve --requeue` queues it again."""
    if (request is None) != all_:
        raise UsageWrong("name a request, or give --all")
    with open_warehouse() as engine:
        rows = _named(engine, request) if request else find(engine, "states", states=["queued"])
        _check_states(rows, ["queued"])
        _decide(engine, rows, "failed")


def confirm_restore(
    file: Annotated[
        Path | None,
        typer.Argument(help="A file that may have been sent since the backup."),
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Confirm without asking.")] = False,
) -> None:
    """Let requests be sent again after a restore.

    The lines of the file are queued. Then the list is read, and what was sent since the backup is linked by
    the references in the messages. What stays queued is sent once you confirm, so it must not be in a list
    that is late.

    Exit code 0: confirmed. 3: the list could not be read in full, so nothing can be confirmed.
    """
    settings = load_settings()
    with open_warehouse() as engine:
        if not authorizations.detect_restore(engine):
            out.print("the warehouse was not restored, or that is confirmed already")
            return
        lines = read_lines(engine, file) if file else []
        requests = [line.columns(file.name) for line in lines if file and line.fresh]
        added, _ = authorizations.add(engine, requests, settings.days_between_requests, skip=True)
        if file:
            out.print(f"of {len(lines):,} lines, {added:,} were not known")
        run = authorization_run(settings, err.print)
        linked, found = asyncio.run(run.look())
        unreadable = sum(each.text is None for each in found.sent)
        queued = authorizations.count_by_state(engine)["queued"]
        out.print(
            f"{linked:,} requests were linked; {queued:,} stay queued, since the list does not show them"
        )
        if unreadable:
            tell("unreadable", f"{unreadable:,} activities, which may be some of them", "yellow")
        if found.failed:
            tell("not confirmed", f"the list could not be read in full: {found.failed}; try again")
            raise typer.Exit(Exit.INCOMPLETE)
        if not yes:
            confirm("Send them?")
        forget(engine, authorizations.UNCONFIRMED)
    out.print("requests are sent again")


def _look_again(engine: sa.Engine, rows: list[Row]) -> list[Row]:
    """Look for open calls once more, and say how late the list is; return the requests as they are then."""
    if not any(row.state in OPEN or row.resolved_from for row in rows):
        return rows
    asyncio.run(authorization_run(load_settings(), err.print).look())
    names, since = [row.id for row in rows], min(row.called_at for row in rows) - _AROUND
    answered, shown = authorizations.count_answered(engine, since, names)
    if shown < answered:
        advice = "wait, the list is late"
    else:
        advice = "what it lacks was hardly created" if answered else "wait a day to be sure"
    of = f"of {answered:,} other calls answered since {since:%Y-%m-%d %H:%M} the list shows {shown:,}"
    tell("advice", f"{of}: {advice}", "yellow")
    return find(engine, "ids", ids=names)


def _named(engine: sa.Engine, name: str) -> list[Row]:
    """Return the one request of a name. Raises `UsageWrong`."""
    rows = find(engine, "name", name=name)
    if len(rows) != 1:
        found = f"{len(rows)} requests begin" if rows else "no request begins"
        raise UsageWrong(f"{found} with {name}: `pipeline authorize list` names them")
    return rows


def _same_cause(engine: sa.Engine, state: str, named: list[Row]) -> list[Row]:
    """Return the requests that a decision can be for, of one cause. Raises `UsageWrong` for several."""
    states = [row.state for row in named] or list(RESOLUTIONS[state])
    rows = find(engine, "states", states=states)
    causes = {(row.state, row.state_reason) for row in named or rows}
    if len(causes) != 1:
        raise UsageWrong(
            f"there are {len(causes)} causes: name a request that has the one you mean"
        )
    return [row for row in rows if (row.state, row.state_reason) in causes]


def _check_states(rows: list[Row], allowed: Collection[str]) -> None:
    """Raise `UsageWrong` when a request is in another state than those that a decision is for."""
    for row in rows:
        if row.state not in allowed:
            raise UsageWrong(
                f"request {row.id[:8]} is {row.state};"
                f" only {' or '.join(allowed)} requests can be resolved this way"
            )


def _decide(engine: sa.Engine, rows: list[Row], state: str, **activity: str | None) -> None:
    """Carry out a decision. Raises `UsageWrong` when a request has changed in the meantime."""
    for row in rows:
        if not authorizations.resolve_request(engine, row, state, **activity):
            raise UsageWrong(
                f"request {row.id[:8]} changed while you were deciding:"
                " run `pipeline authorize list` and try again"
            )
        out.print(f"request {row.id[:8]} is {state} now")


def _checked_activity(engine: sa.Engine, activity_id: str) -> dict[str, str | None]:
    """Return an activity's id and counterpart as the service states them.

    Raises `UsageWrong` when it is no authorization of ours, or when another request is linked to it.
    """
    for other in find(engine, "activities", activities=[activity_id]):
        raise UsageWrong(f"activity {activity_id} belongs to request {other.id[:8]} already")
    try:
        spelling = ledger.spellings(engine, [activity_id]).get(activity_id, activity_id)
        found = asyncio.run(read_activity(service_config(load_settings()), spelling))
    except (NotFound, Forbidden):
        raise UsageWrong(f"the service shows no activity {activity_id}") from None
    if found.in_out_bound != "OUT":
        raise UsageWrong(f"activity {activity_id} is {found.in_out_bound}, not OUT: others sent it")
    if not is_authorization(found, authorizations.find_labels(engine)):
        raise UsageWrong(f"activity {activity_id} is no authorization: its type is {found.type}")
    counterpart_id = found.entity.id if found.entity else None
    return {"activity_id": activity_id, "counterpart_id": counterpart_id}
